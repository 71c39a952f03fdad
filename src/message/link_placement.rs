//! Maps links of a leaf's text to their stored bytes.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use super::MailScanner;
use super::content::{Leaf, StoredLeaf};
use super::edit::EditedText;
use super::part::LeafFormat;
use super::transfer::TransferCursor;
use crate::charset::Charset;
use crate::link::{Judged, LinkKind, Origin, Reason, Rejected, Transfer, Warning, body_of};

/// Bytes and folds over which a line that names identifiers is searched backwards.
const LONGEST_FIELD: usize = 4096;
const MOST_FOLDS: usize = 32;

/// Maps a link of decoded bytes to the stored bytes.
pub(super) fn outwards(
    judged: &mut Judged<'_>,
    cursor: &mut TransferCursor,
    stored: StoredLeaf<'_>,
) {
    let body = body_of(judged);
    let transfer = place_in(cursor, stored, 0, &mut body.range);
    if let Some(transfer) = transfer {
        let rare = body.rare_mut();
        rare.transfer = Some(match rare.transfer {
            None => transfer,
            Some(_) => Transfer::Nested,
        });
    }
}

/// Makes a range of decoded bytes one of the stored bytes, which begin so many into the leaf; how its first
/// byte is written.
fn place_in(
    cursor: &mut TransferCursor,
    stored: StoredLeaf<'_>,
    base: usize,
    range: &mut Range<usize>,
) -> Option<Transfer> {
    let first = cursor.place(stored.bytes, base, stored.marks, range.start);
    let end = match range.end > range.start {
        true => cursor.clone().place(stored.bytes, base, stored.marks, range.end - 1).range.end,
        false => first.range.start,
    };
    let start = stored.start - base;
    *range = start + first.range.start..start + end;
    cursor.encoding().transfer(&first)
}

/// State that maps the links of a leaf, from one block of it to the next.
pub(super) struct LinkPlacement {
    /// Made for the first link: most leaves have none.
    origin: OnceCell<Arc<Origin>>,
    cursor: TransferCursor,
    /// Decoded bytes before the stretch, and how many stored ones they take.
    decoded: usize,
    stored: usize,
    pub(super) charset: Option<Charset>,
    /// The leaf is in memory as a whole.
    pub(super) is_whole: bool,
    /// The first line of a table.
    pub(super) first_line: Option<Vec<u8>>,
}

/// A block of a leaf: its bytes as stored, decoded, and edited.
pub(super) struct LeafText<'b> {
    pub(super) stored: StoredLeaf<'b>,
    pub(super) decoded: &'b [u8],
    pub(super) text: &'b [u8],
    pub(super) edited: Option<&'b EditedText>,
    /// Bytes of text before the block that are scanned again as context, and yield no links.
    pub(super) before: usize,
    pub(super) leaf: &'b Leaf,
}

impl<'b> LeafText<'b> {
    /// Those of a stretch that is not edited.
    pub(super) fn unedited(
        stored: StoredLeaf<'b>,
        decoded: &'b [u8],
        leaf: &'b Leaf,
    ) -> LeafText<'b> {
        LeafText { stored, decoded, text: decoded, edited: None, before: 0, leaf }
    }
}

impl LinkPlacement {
    pub(super) fn new(mail: &MailScanner<'_>, leaf: &Leaf) -> LinkPlacement {
        LinkPlacement {
            origin: OnceCell::new(),
            cursor: TransferCursor::new(leaf.encoding, mail.ends.line_end, leaf.expected()),
            decoded: 0,
            stored: 0,
            charset: None,
            is_whole: true,
            first_line: None,
        }
    }

    /// So many decoded bytes of the stretch are done with; where in all bytes the next one is stored.
    pub(super) fn pass(&mut self, stored: StoredLeaf<'_>, decoded: usize) -> usize {
        self.decoded += decoded;
        let next = self.cursor.place(stored.bytes, self.stored, &[], self.decoded).range.start;
        let start = stored.start + next - self.stored;
        self.stored = next;
        start
    }

    /// Puts a link of decoded bytes, all of which are at hand, where these are stored.
    pub(super) fn outwards(&mut self, judged: &mut Judged<'_>, stored: StoredLeaf<'_>) {
        outwards(judged, &mut self.cursor, stored);
    }

    /// Puts a link of the text where it is stored, and says where it came from.
    pub(super) fn place(
        &mut self,
        mail: &MailScanner<'_>,
        bytes: &LeafText<'_>,
        judged: &mut Judged<'_>,
    ) {
        let LeafText { leaf, .. } = bytes;
        let body = body_of(judged);
        let text = body.range.clone();
        if let Some(edited) = bytes.edited {
            let (start, end) = (text.start, text.end);
            let source = edited.range(text);
            if edited.has_gap(start, end) {
                let written = body.charset.decode(&bytes.decoded[source.clone()]).into_owned();
                let text = std::mem::replace(&mut body.raw, written.into());
                body.resolved.get_or_insert_with(|| (&*text).into());
            }
            if edited.is_joined(start, end) {
                body.warnings.insert(Warning::Joined);
            }
            body.range = source;
        }
        body.range.start += self.decoded;
        body.range.end += self.decoded;
        let transfer = place_in(&mut self.cursor, bytes.stored, self.stored, &mut body.range);
        let rare = body.rare_mut();
        rare.origin = Some(Arc::clone(self.origin.get_or_init(|| mail.origin(leaf))));
        rare.transfer = transfer;
        if let Some(context) = leaf.context {
            body.context = context;
        }
    }
}

impl LeafText<'_> {
    /// Rejects what is no address, but the identifier of a message.
    pub(super) fn rejected<'j>(&self, judged: Judged<'j>, text: Range<usize>) -> Judged<'j> {
        match judged {
            Ok(link)
                if link.body.kind == LinkKind::Email
                    && matches!(self.leaf.reading, LeafFormat::Text { .. })
                    && is_identifier(self.text, text.start, text.end) =>
            {
                Err(Rejected::new(link.body, Reason::MessageId))
            }
            judged => judged,
        }
    }
}

/// Whether `<…>` around a stretch of text is in a quoted field of identifiers.
fn is_identifier(text: &[u8], start: usize, end: usize) -> bool {
    let is_enclosed =
        start > 0 && text[start - 1] == b'<' && text.get(end).is_some_and(|b| *b == b'>');
    if !is_enclosed {
        return false;
    }
    let from = start.saturating_sub(LONGEST_FIELD);
    let mut before = &text[from..start];
    for _ in 0..MOST_FOLDS {
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |lf| lf + 1);
        let line = &before[line_start..];
        let quoted = line.iter().take_while(|b| matches!(b, b'>' | b'|' | b' ' | b'\t')).count();
        let field = &line[quoted..];
        let is_named = ["message-id:", "in-reply-to:", "references:"].iter().any(|name| {
            field.get(..name.len()).is_some_and(|s| s.eq_ignore_ascii_case(name.as_bytes()))
        });
        if is_named {
            return true;
        }
        // A fold: identifiers alone.
        let is_fold = quoted > 0
            && field
                .split(|b| b.is_ascii_whitespace())
                .all(|word| word.is_empty() || word.starts_with(b"<") || word == b">");
        if !is_fold || line_start == 0 {
            return false;
        }
        before = &before[..line_start - 1];
    }
    false
}

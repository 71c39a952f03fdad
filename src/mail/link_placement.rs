//! Maps links of a leaf's text to their stored bytes.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use super::MailScanner;
use super::edit::EditedText;
use super::part::{Leaf, LeafFormat, StoredLeaf};
use super::transfer::TransferEncoding;
use crate::charset::Charset;
use crate::document::page::compared_with;
use crate::link::{Judged, LinkKind, Origin, Reason, Rejected, Transfer, Warning, body_of};
use crate::source_map::ByteCursor;

/// Maximum number of bytes over which a line that names identifiers is searched backwards.
const LONGEST_FIELD: usize = 4096;
/// Maximum number of bytes of the word before a target.
const LONGEST_WORD: usize = 512;
/// Maximum number of lines over which a line that names identifiers is searched backwards.
const MOST_FOLDS: usize = 32;

/// Maps a link of decoded bytes to the stored bytes.
pub(super) fn outwards(
    judged: &mut Judged<'_>,
    encoding: TransferEncoding,
    cursor: &mut ByteCursor,
    stored: StoredLeaf<'_>,
) {
    let body = body_of(judged);
    let transfer = place_in(encoding, cursor, stored, &mut body.range);
    if let Some(transfer) = transfer {
        let rare = body.rare_mut();
        rare.transfer = Some(match rare.transfer {
            None => transfer,
            Some(_) => Transfer::Nested,
        });
    }
}

/// Maps a range of decoded bytes to the stored bytes; returns the transfer encoding of its first byte.
fn place_in(
    encoding: TransferEncoding,
    cursor: &mut ByteCursor,
    stored: StoredLeaf<'_>,
    range: &mut Range<usize>,
) -> Option<Transfer> {
    let first = stored.origin(cursor, range.start);
    let end = match range.end > range.start {
        true => stored.origin(cursor, range.end - 1).range.end,
        false => first.range.start,
    };
    *range = first.range.start..end;
    encoding.transfer(&first)
}

/// State for mapping the links of a leaf, kept from one block of it to the next.
#[derive(Clone, Debug)]
pub(super) struct LinkPlacement {
    /// Origin of the links, created for the first one, since most leaves have none.
    origin: OnceCell<Arc<Origin>>,
    pub(super) cursor: ByteCursor,
    pub(super) charset: Option<Charset>,
    /// Whether the entire leaf is in memory.
    pub(super) is_whole: bool,
    /// First line of a table.
    pub(super) first_line: Option<Vec<u8>>,
}

/// Block of a leaf: its bytes as stored, decoded, and edited.
pub(super) struct LeafText<'b> {
    pub(super) stored: StoredLeaf<'b>,
    pub(super) decoded: &'b [u8],
    pub(super) text: &'b [u8],
    pub(super) edited: Option<&'b EditedText>,
    /// Number of bytes of text before the block that are scanned again as context, and yield no links.
    pub(super) before: usize,
    pub(super) leaf: &'b Leaf,
}

impl<'b> LeafText<'b> {
    /// Creates a block that is not edited.
    pub(super) fn unedited(
        stored: StoredLeaf<'b>,
        decoded: &'b [u8],
        leaf: &'b Leaf,
    ) -> LeafText<'b> {
        LeafText { stored, decoded, text: decoded, edited: None, before: 0, leaf }
    }
}

impl LinkPlacement {
    pub(super) fn new() -> LinkPlacement {
        LinkPlacement {
            origin: OnceCell::new(),
            cursor: ByteCursor::default(),
            charset: None,
            is_whole: true,
            first_line: None,
        }
    }

    /// Maps a link of the text to the stored bytes, and sets its origin.
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
        let transfer = place_in(leaf.encoding, &mut self.cursor, bytes.stored, &mut body.range);
        let rare = body.rare_mut();
        rare.origin = Some(Arc::clone(self.origin.get_or_init(|| mail.origin(leaf))));
        rare.transfer = transfer;
        if let Some(context) = leaf.context {
            body.context = context.into();
        }
    }
}

impl LeafText<'_> {
    /// Rejects a message identifier, which only looks like an address.
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

    /// Compares a link with the word directly before its `<…>`: Outlook writes a link as its visible text and its target,
    /// `https://bank.com<https://evil.io/>`.
    pub(super) fn compared<'j>(&self, judged: Judged<'j>, text: Range<usize>) -> Judged<'j> {
        let is_plain = matches!(self.leaf.reading, LeafFormat::Text { .. });
        if !is_plain || !is_enclosed(self.text, &text) {
            return judged;
        }
        let before = &self.text[text.start.saturating_sub(LONGEST_WORD)..text.start - 1];
        let word = before.rsplit(|byte| *byte <= b' ').next().unwrap_or_default();
        match str::from_utf8(word) {
            Ok(word) if !word.is_empty() => compared_with(judged, word, false),
            _ => judged,
        }
    }
}

fn is_enclosed(text: &[u8], Range { start, end }: &Range<usize>) -> bool {
    *start > 0 && text[*start - 1] == b'<' && text.get(*end).is_some_and(|b| *b == b'>')
}

/// Returns `true` if a range of text is in `<…>`, in a field of identifiers, whose folded lines must be quoted.
fn is_identifier(text: &[u8], start: usize, end: usize) -> bool {
    if !is_enclosed(text, &(start..end)) {
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
        // A folded line has only identifiers.
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

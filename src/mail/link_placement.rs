//! Maps links of a leaf's text to their stored bytes.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use super::MailScanner;
use super::address_list::is_of_atom;
use super::edit::EditedText;
use super::part::{Leaf, LeafFormat, StoredLeaf};
use super::transfer::TransferEncoding;
use crate::charset::Charset;
use crate::detect::document::Format;
use crate::document::page::compared_with;
use crate::link::{Judged, LinkKind, Origin, Reason, Rejected, Transfer, Warning, body_of};
use crate::source_map::ByteCursor;

/// Maximum number of bytes over which a line that names identifiers is searched backwards.
const LONGEST_FIELD: usize = 4096;
/// Maximum number of bytes of the word before a target, or of an identifier and its field.
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
        let is_identifier = || match self.leaf.reading {
            LeafFormat::Text { .. } => is_identifier(self.text, &text),
            LeafFormat::As(Format::Html, _) => is_identifier_of_page(self.text, &text),
            _ => false,
        };
        match judged {
            Ok(link) if link.body.kind == LinkKind::Email && is_identifier() => {
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

/// Fields that have identifiers of messages and of their parts.
const IDENTIFIERS: [&str; 8] = [
    "message-id",
    "in-reply-to",
    "references",
    "original-message-id",
    "resent-message-id",
    "x-original-message-id",
    "content-id",
    "supersedes",
];

/// Returns the text before the identifier that a range of text ends or is, and the sign before it; `None` if the range is not
/// enclosed in these signs.
fn before_identifier<'t>(
    text: &'t [u8],
    range: &Range<usize>,
    [open, close]: [&[u8]; 2],
) -> Option<&'t [u8]> {
    if !text.get(range.end..)?.starts_with(close) {
        return None;
    }
    // A part of it may have been taken for a key: `<CAMu=Ab1@mail.example.com>`.
    let before = &text[range.start.saturating_sub(LONGEST_WORD)..range.start];
    // `&` may begin a reference of the page.
    let is_part = |b: &u8| is_of_atom(*b) && *b != b'&';
    let start = before.iter().rposition(|b| !is_part(b)).map_or(0, |at| at + 1);
    let start = range.start - (before.len() - start);
    text[..start].strip_suffix(open)
}

/// Returns `true` if a range of text is in `<…>`, in a field of identifiers, whose folded lines must be quoted.
fn is_identifier(text: &[u8], range: &Range<usize>) -> bool {
    let Some(before) = before_identifier(text, range, [b"<", b">"]) else { return false };
    let mut before = &before[before.len().saturating_sub(LONGEST_FIELD)..];
    for _ in 0..MOST_FOLDS {
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |lf| lf + 1);
        let line = &before[line_start..];
        let quoted = line.iter().take_while(|b| matches!(b, b'>' | b'|' | b' ' | b'\t')).count();
        let field = &line[quoted..];
        if let Some(colon) = memchr::memchr(b':', field)
            && names_identifiers(&field[..colon])
        {
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

fn names_identifiers(name: &[u8]) -> bool {
    IDENTIFIERS.iter().any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
}

/// Returns `true` if a range of the text of a page is in `&lt;…&gt;`, directly behind the name of a field of identifiers.
fn is_identifier_of_page(text: &[u8], range: &Range<usize>) -> bool {
    let Some(before) = before_identifier(text, range, [b"&lt;", b"&gt;"]) else { return false };
    let mut before = &before[before.len().saturating_sub(LONGEST_WORD)..];
    loop {
        before = before.trim_ascii_end();
        before = match before {
            [front @ .., b'>'] => match memchr::memrchr(b'<', front) {
                Some(tag) => &front[..tag],
                None => return false,
            },
            _ => match before.strip_suffix(b"&nbsp;") {
                Some(front) => front,
                None => break,
            },
        };
    }
    let Some(field) = before.strip_suffix(b":") else { return false };
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let start = field.iter().rposition(|b| !is_name(b)).map_or(0, |at| at + 1);
    // A word of a sentence stands before it otherwise.
    let is_first = matches!(field[..start].trim_ascii_end().last(), None | Some(b'>'));
    is_first && names_identifiers(&field[start..])
}

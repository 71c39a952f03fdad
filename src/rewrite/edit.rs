//! Edits: the bytes that replace a link where it is stored, as few as possible.

use std::borrow::Cow;
use std::ops::Range;

use super::encode::{decoded, encoded, has_unwritable, writes_any};
use super::host::hosts_in;
use crate::codes::coded;
use crate::context::ContextKind;
use crate::iri::chars;
use crate::iri::repair::BREAKS;
use crate::link::{Link, LinkKind};
use crate::notation::Notation;
use crate::scan::reference::Rules;
use crate::source_map::{MappedText, Rewriting};

coded! {
    display none
    /// Reason why a link cannot be replaced where it is stored. `Display` gives a sentence for people.
    ///
    /// ```
    /// use linksift::NotWritable;
    ///
    /// let link = linksift::links("http://example.com/").next().unwrap();
    /// assert_eq!(link.replacement("http://example.org/a b"), Err(NotWritable::Forbidden));
    /// ```
    pub enum NotWritable in "linksift" {
        /// The replacement has a character that an IRI cannot have.
        Forbidden = "forbidden",
        /// Its bytes have a transfer encoding.
        Transfer = "transfer",
        /// It is in a part of a message, a member of an archive or an object of a document.
        Part = "part",
        /// The part that changes is not one range of stored bytes: a comment, a fold, a join, an escape sequence, or an escape of a string is
        /// in it, or a character reference in running text with such escapes.
        Pieces = "pieces",
        /// The place has a notation that is not written: base64, fields of documents, calendars, cards, entities of a document.
        Notation = "notation",
        /// The document's encoding lacks a character of the host.
        Charset = "charset",
        /// Its length is stored before it, and would be another: a text that PHP has serialized, a torrent.
        Length = "length",
        /// Another link is stored in the same bytes, and has another replacement.
        Overlap = "overlap",
        /// Scanned again, the link would be read otherwise, or another link would change.
        Changed = "changed",
    }
}

impl std::fmt::Display for NotWritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            NotWritable::Forbidden => "the replacement has a character that IRIs cannot have",
            NotWritable::Transfer => "the link has a transfer encoding",
            NotWritable::Part => "the link is in a part, a member or an object of the input",
            NotWritable::Pieces => "the link is stored in several pieces",
            NotWritable::Notation => "linksift cannot write the notation of this place",
            NotWritable::Charset => "the encoding of the document lacks a character",
            NotWritable::Length => "the length of the text is stored before it",
            NotWritable::Overlap => "another link in the same place has another replacement",
            NotWritable::Changed => "the replacement would be read otherwise here",
        })
    }
}

impl std::error::Error for NotWritable {}

/// Replacement of a range of stored bytes; see [`Link::replacement`].
///
/// ```
/// let link = linksift::links("see http://example.com/a").next().unwrap();
/// let edit = link.replacement("http://example.org/a")?;
/// assert_eq!((edit.range(), edit.bytes()), (19..22, &b"org"[..]));
/// # Ok::<(), linksift::NotWritable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    pub(super) range: Range<usize>,
    pub(super) bytes: Vec<u8>,
}

impl Edit {
    /// Returns the range of the stored bytes that are replaced, inside the [range](Link::range) of the link.
    ///
    /// ```
    /// let link = linksift::links("http://example.com/a").next().unwrap();
    /// assert_eq!(link.replacement("http://example.com/b").unwrap().range(), 19..20);
    /// ```
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the bytes to write there.
    ///
    /// ```
    /// let link = linksift::links("http://example.com/a").next().unwrap();
    /// assert_eq!(link.replacement("http://example.com/b").unwrap().bytes(), b"b");
    /// ```
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Link<'_> {
    /// Returns the text of the link as its document means it: with its character references and escapes resolved, also those of strings
    /// in running text (`http:\/\/`, `\u0026`), without tabs and line ends in a value, without the scheme that a finder supplies, and not
    /// resolved against a base. Where nothing can be written (a folded line of a card, an entity that a document declares) it is the
    /// stored text, decoded.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Html).base("http://example.com/a".parse().unwrap());
    /// let link = Finder::new().document(b"<a href='b?c&amp;d'>", &hints).unwrap().links().next().unwrap();
    /// assert_eq!((&*link.written(), &*link.iri()), ("b?c&d", "http://example.com/b?c&d"));
    /// # }
    /// let link = linksift::links(r"http:\/\/example.com\/?a\u0026b").next().unwrap();
    /// assert_eq!(link.written(), "http://example.com/?a&b");
    /// ```
    pub fn written(&self) -> Cow<'_, str> {
        let resolved = self.resolved_text();
        match self.is_resolved_by_scan(&resolved.text) && !has_unwritable(self.body.notation) {
            true => Cow::Borrowed(self.body.text()),
            false => resolved.text,
        }
    }

    /// Returns `true` for a link with escapes that only the scan of running text resolves (`https:\/\/example.com\/`); `resolved` is the
    /// text by the notation.
    fn is_resolved_by_scan(&self, resolved: &str) -> bool {
        let is_text = self.body.context.kind() == ContextKind::Text;
        // An address is read with its local part encoded.
        let is_encoded = self.kind() == LinkKind::Email && !resolved.contains('\\');
        is_text && !is_encoded && resolved != self.body.text()
    }

    /// Returns its raw text with the layers of its notation resolved, without tabs and line ends.
    fn resolved_text(&self) -> MappedText<'_> {
        let raw = self.raw();
        let resolved = unbroken(decoded(self.body.notation, raw));
        // Running text resolves references only if the finder does.
        let is_text = self.body.notation.layers().next().is_none();
        match is_text && resolved.text != self.body.text() {
            true => MappedText::copy(Cow::Borrowed(raw), 0),
            false => resolved,
        }
    }

    /// Returns the edit that replaces the link by `text`, which is an IRI, or a relative reference, a host or an address where such a
    /// one is read. It is written in the notation of its place and in the document's encoding; only the part that differs is
    /// replaced.
    ///
    /// Whether the text around the replacement lets it be read as one link is known only to a scan: [`Finder::rewrite`] checks that.
    ///
    /// # Errors
    ///
    /// Returns the reason if the link cannot be replaced where it is stored.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let json = br#"{"see": "<a href='http:\/\/example.com\/'>"}"#;
    /// let hints = Hints::new().format(Format::Json);
    /// let link = Finder::new().document(json, &hints).unwrap().links().next().unwrap();
    /// let edit = link.replacement("http://example.com/it's?a&b").unwrap();
    /// assert_eq!(edit.bytes(), b"it&#39;s?a&amp;b");
    /// # }
    /// ```
    ///
    /// [`Finder::rewrite`]: crate::Finder::rewrite
    pub fn replacement(&self, text: &str) -> Result<Edit, NotWritable> {
        self.planned(text, None).map(|(edit, ..)| edit)
    }

    /// Returns the edit that replaces the link, its new raw text, and the text that this means. `document` has the stored bytes.
    pub(super) fn planned(
        &self,
        text: &str,
        document: Option<&[u8]>,
    ) -> Result<(Edit, String, String), NotWritable> {
        let body = &self.body;
        let rare = body.rare.as_deref();
        if rare.is_some_and(|rare| rare.transfer.is_some()) {
            return Err(NotWritable::Transfer);
        }
        if rare.is_some_and(|rare| rare.object.is_some() || rare.origin.is_some()) {
            return Err(NotWritable::Part);
        }
        if has_unwritable(body.notation) {
            return Err(NotWritable::Notation);
        }
        let old = self.resolved_text();
        let stored = body.charset.encode(self.raw());
        let is_stored = stored.is_some_and(|stored| match document {
            Some(bytes) => bytes.get(body.range.clone()) == Some(&*stored),
            None => stored.len() == body.range.len(),
        });
        if !is_stored {
            return Err(NotWritable::Pieces);
        }
        if document.is_some_and(|bytes| self.ends_literal(bytes, &old.text, text)) {
            return Err(NotWritable::Changed);
        }
        let text = self.with_characters_of_charset(text)?;
        if self.is_resolved_by_scan(&old.text) {
            return self.spliced_as_read(&text).map(|(edit, raw)| (edit, raw, text.into_owned()));
        }
        let is_read = |(edit, raw): (Edit, String)| {
            let read = unbroken(decoded(body.notation, &raw));
            (read.text == text).then_some((edit, raw)).ok_or(NotWritable::Notation)
        };
        let parts = parts_that_differ(&old.text, &text, self.kind()).into_iter();
        let parts: Vec<_> = parts.map(|(kept, part)| (old.range(kept), &text[part])).collect();
        // The parts that differ may be read otherwise beside what stays.
        self.spliced(&parts)
            .and_then(is_read)
            .or_else(|reason| match self.has_breaks() {
                // They would be lost.
                true => Err(reason),
                false => self.spliced(&[(0..self.raw().len(), &*text)]).and_then(is_read),
            })
            .map(|(edit, raw)| (edit, raw, text.into_owned()))
    }

    /// Returns `true` if the link is stored with tabs or line ends, perhaps as references.
    fn has_breaks(&self) -> bool {
        let raw = self.raw();
        raw.contains(BREAKS) || decoded(self.body.notation, raw).text.contains(BREAKS)
    }

    /// Returns the edit that lets the link be read as `text`, and the new raw text, if the link has escapes that only the scan of running text
    /// resolves (`https:\/\/example.com\/`). The part that differs, or the host that it is in, must be stored as it is read.
    fn spliced_as_read(&self, text: &str) -> Result<(Edit, String), NotWritable> {
        let (read, raw) = (self.body.text(), self.raw());
        let (mut kept, mut part) = differing(read, text);
        let hosts = hosts_in(read, self.kind());
        let is_around = |host: &&Range<usize>| host.start <= kept.start && kept.end <= host.end;
        if let Some(host) = hosts.iter().find(is_around) {
            part = host.start..part.end + (host.end - kept.end);
            kept = host.clone();
        }
        let old = &read[kept.clone()];
        if old.is_empty() {
            return Err(NotWritable::Pieces);
        }
        // The same text may be elsewhere in the link too.
        let number = read.match_indices(old).position(|(at, _)| at == kept.start);
        let mut stored = raw.match_indices(old);
        let place = number.and_then(|number| stored.nth(number)).map(|(at, _)| at);
        match place {
            Some(at) if read.matches(old).count() == raw.matches(old).count() => {
                self.spliced(&[(at..at + old.len(), &text[part])])
            }
            _ => Err(NotWritable::Pieces),
        }
    }

    /// Returns `true` if a new text would end the string or the list that the link is in, of source code or of settings: it has a character
    /// that closes it, which the old text lacks. What is written without escapes is text for linksift, and a string for its reader.
    fn ends_literal(&self, document: &[u8], old: &str, new: &str) -> bool {
        let is_new = |c: char| new.contains(c) && !old.contains(c);
        if !CLOSERS.chars().any(is_new) {
            return false;
        }
        let before = document.get(..self.body.range.start).unwrap_or_default();
        let is_label =
            self.body.notation == Notation::of(Rules::Markdown) && before.ends_with(b"[");
        if writes_any(self.body.notation) && !is_label {
            return false;
        }
        let ends = match open_literal(before) {
            _ if is_label => "]",
            Some(b'\'') => "'\\",
            Some(b'"') => "\"\\",
            Some(b'`') => "`",
            Some(b'[') => "],",
            Some(b'{') => "},",
            _ => "",
        };
        let of_code = if self.is_code() { CLOSERS } else { "" };
        ends.chars().chain(of_code.chars()).any(is_new)
    }

    /// Returns a text for the link in which characters that the encoding lacks are percent-encoded, if the notation has no escapes, or if they
    /// are in the query, which is sent in that encoding.
    fn with_characters_of_charset<'s>(&self, text: &'s str) -> Result<Cow<'s, str>, NotWritable> {
        let charset = self.body.charset;
        if charset.is_unicode() || text.is_ascii() {
            return Ok(Cow::Borrowed(text));
        }
        let end = text.find('#').unwrap_or(text.len());
        let query = text[..end].find('?').unwrap_or(end)..end;
        let has_escapes = writes_any(self.body.notation);
        let hosts = hosts_in(text, self.kind());
        let first = hosts.first().map_or(0, |host| host.end);
        let needs_charset = |at| at < first || hosts.iter().any(|host| host.contains(&at));
        let mut out = String::with_capacity(text.len());
        for (at, c) in text.char_indices() {
            match charset.encode(c.encode_utf8(&mut [0; 4])) {
                Some(_) => out.push(c),
                None if has_escapes && !query.contains(&at) => out.push(c),
                None if needs_charset(at) => return Err(NotWritable::Charset),
                None => chars::push_encoded(&mut out, c),
            }
        }
        Ok(Cow::Owned(out))
    }

    /// Returns the edit that writes new pieces in place of ranges of the raw text, which are in order, and the new raw text. The text between
    /// the ranges stays.
    fn spliced(&self, parts: &[(Range<usize>, &str)]) -> Result<(Edit, String), NotWritable> {
        let (charset, notation, raw) = (self.body.charset, self.body.notation, self.raw());
        let range = match parts {
            [(first, _), .., (last, _)] => first.start..last.end,
            [(only, _)] => only.clone(),
            [] => raw.len()..raw.len(),
        };
        let (mut new, mut end) = (String::new(), range.start);
        for (part, piece) in parts {
            if !piece.chars().all(is_allowed) {
                return Err(NotWritable::Forbidden);
            }
            // A reference may represent characters of two parts.
            new.push_str(raw.get(end..part.start).ok_or(NotWritable::Notation)?);
            new.push_str(&encoded(notation, charset, piece).ok_or(NotWritable::Notation)?);
            end = part.end;
        }
        let (before, after) = (&raw[..range.start], &raw[range.end..]);
        let spliced = [before, &*new, after].concat();
        let stored = |text: &str| -> Result<Vec<u8>, NotWritable> {
            charset.encode(text).map(Cow::into_owned).ok_or(NotWritable::Charset)
        };
        let start = self.body.range.start + stored(before)?.len();
        let range = start..start + stored(&raw[range])?.len();
        Ok((Edit { range, bytes: stored(&new)? }, spliced))
    }
}

/// Returns a text without its tabs and line ends.
fn unbroken(text: MappedText<'_>) -> MappedText<'_> {
    let mut without = Rewriting::new(&text.text, 0);
    for (at, removed) in text.text.match_indices(BREAKS) {
        without.leave_out(at..at + removed.len());
    }
    match without.finish() {
        Some((out, map)) => MappedText::from((Cow::Owned(out), Some(map))).through(&text),
        None => text,
    }
}

/// Characters that end or continue a string or a list of code or settings.
const CLOSERS: &str = "'\"`\\,[]{}";

/// Returns the quotation mark or bracket that is open at the end of a text, in its last line: the last byte, or one that begins a value: behind
/// a colon, an equals sign, a comma or another bracket.
fn open_literal(before: &[u8]) -> Option<u8> {
    // Maximum number of bytes that are examined.
    const MOST: usize = 1024;
    if let Some(&mark @ (b'\'' | b'"' | b'`' | b'[' | b'{')) = before.last() {
        return Some(mark);
    }
    let near = &before[before.len().saturating_sub(MOST)..];
    let line = near.rsplit(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
    let mut open = Vec::new();
    let (mut last, mut is_escaped) = (0, false);
    for &b in line {
        // The zeros of UTF-16, and white space, which may follow what a value follows.
        if b == 0 || std::mem::take(&mut is_escaped) {
            continue;
        }
        let begins = matches!(last, b':' | b'=' | b',' | b'[' | b'{' | b'(');
        match (b, open.last().copied()) {
            (b'\\', _) => is_escaped = true,
            (b'\'' | b'"' | b'`', Some(mark)) if b == mark => drop(open.pop()),
            (_, Some(b'\'' | b'"' | b'`')) => {}
            (b'\'' | b'"' | b'`' | b'[' | b'{', _) if begins => open.push(b),
            (b']', Some(b'[')) | (b'}', Some(b'{')) => drop(open.pop()),
            _ => {}
        }
        if !b.is_ascii_whitespace() {
            last = b;
        }
    }
    open.pop()
}

/// Returns `true` if a reference may have the character.
fn is_allowed(c: char) -> bool {
    !c.is_whitespace()
        && !c.is_control()
        && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
}

/// Returns the ranges in which the texts of two links differ. Around hosts they are compared apart, so that what is between two of them stays.
fn parts_that_differ(old: &str, new: &str, kind: LinkKind) -> Vec<(Range<usize>, Range<usize>)> {
    let (hosts, others) = (hosts_in(old, kind), hosts_in(new, kind));
    let are_paired = hosts.len() == others.len();
    let pairs = hosts.into_iter().zip(others).filter(|_| are_paired);
    let (mut parts, mut done) = (Vec::new(), (0, 0));
    let mut compare = |ends: (usize, usize)| {
        let (kept, part) = differing(&old[done.0..ends.0], &new[done.1..ends.1]);
        if !(kept.is_empty() && part.is_empty()) {
            let (one, other) = done;
            parts.push((one + kept.start..one + kept.end, other + part.start..other + part.end));
        }
        done = ends;
    };
    for (host, other) in pairs {
        compare((host.start, other.start));
        compare((host.end, other.end));
    }
    compare((old.len(), new.len()));
    parts
}

/// Returns the ranges in which two texts differ, between what they begin and end with alike.
fn differing(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    let same = |(one, other): &(char, char)| one == other;
    let len = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(same).map(|(c, _)| c.len_utf8()).sum()
    };
    let start = len(&mut old.chars().zip(new.chars()));
    let end = len(&mut old[start..].chars().rev().zip(new[start..].chars().rev()));
    (start..old.len() - end, start..new.len() - end)
}

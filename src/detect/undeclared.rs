//! Detects XML that has neither a declaration nor a namespace, by its elements.
//!
//! Much that begins with `<name>` is not XML: chats (`<alice> hi`), usage texts, fragments of HTML, templates. Bytes are XML if they consist
//! of elements, at least one of which is closed, and if nothing in them is typical of a page or of a template. A contradiction is final, so
//! most other texts are decided by their first line.

use crate::markup::is_html_element;

/// Returns `true` if bytes that begin with a start tag are XML, as far as they go; `None` if they are not, whatever follows.
pub(super) fn is_xml(bytes: &[u8]) -> Option<bool> {
    let mut reader = ElementReader { rest: bytes, ..ElementReader::default() };
    while !reader.rest.is_empty() {
        reader.text()?;
        reader.tag()?;
    }
    // A tag in a text that a name in brackets precedes is quoted there.
    let is_quoted = reader.begins_with_text && !reader.open.is_empty();
    Some(reader.has_closed && !is_quoted)
}

/// Reader of the elements of a document; its functions return `None` for a contradiction.
#[derive(Default)]
struct ElementReader<'b> {
    rest: &'b [u8],
    /// Names of the elements that are open.
    open: Vec<&'b [u8]>,
    has_closed: bool,
    /// Whether no tag follows the first one so far.
    is_at_root: bool,
    begins_with_text: bool,
}

impl<'b> ElementReader<'b> {
    /// Takes the text before a tag.
    fn text(&mut self) -> Option<()> {
        let len = memchr::memchr(b'<', self.rest).unwrap_or(self.rest.len());
        let text = self.take(len);
        if text.trim_ascii().is_empty() {
            return Some(());
        }
        // Words after a name in brackets, on the same line, are what someone says.
        let is_said = self.is_at_root
            && matches!(text, [b' ' | b'\t', next, ..] if !next.is_ascii_whitespace());
        self.begins_with_text |= self.is_at_root;
        (!self.open.is_empty() && !is_said).then_some(())
    }

    /// Takes a tag, a comment, a CDATA section or an instruction; what is cut is the last.
    fn tag(&mut self) -> Option<()> {
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
            if self.rest.starts_with(opening.as_bytes()) {
                let end = memchr::memmem::find(&self.rest[opening.len()..], closing.as_bytes());
                let whole = end.map_or(self.rest.len(), |end| opening.len() + end + closing.len());
                let inside = &self.take(whole)[2..];
                let is_code = inside.starts_with(b"php") || inside.starts_with(b"=");
                return (!is_code).then_some(());
            }
            if opening.as_bytes().starts_with(self.rest) {
                return self.end();
            }
        }
        self.is_at_root = self.open.is_empty() && !self.has_closed;
        self.take(1);
        let is_end = self.rest.first() == Some(&b'/');
        self.take(usize::from(is_end));
        let name = self.take(self.rest.iter().take_while(|byte| is_of_name(byte)).count());
        if self.rest.is_empty() {
            return Some(());
        }
        let is_name =
            name.first().is_some_and(|byte| !byte.is_ascii_digit() && !matches!(byte, b'.' | b':'));
        if !is_name || name.contains(&b'-') || is_html_element(name) {
            return None;
        }
        if is_end {
            self.blanks();
            return match self.rest.first() {
                Some(b'>') => self.close(name),
                Some(_) => None,
                None => Some(()),
            };
        }
        self.open.push(name);
        self.attributes(name)
    }

    /// Takes the attributes of a start tag and its end.
    fn attributes(&mut self, name: &[u8]) -> Option<()> {
        loop {
            let blanks = self.blanks();
            match *self.rest {
                [] | [b'/'] => return self.end(),
                [b'>', ..] => {
                    self.take(1);
                    return Some(());
                }
                [b'/', b'>', ..] => {
                    self.take(1);
                    return self.close(name);
                }
                _ if blanks == 0 => return None,
                _ => {}
            }
            let attribute = self.take(self.rest.iter().take_while(|byte| is_of_name(byte)).count());
            self.blanks();
            let is_of_template =
                attribute.first().is_none_or(|byte| *byte == b':') || attribute.starts_with(b"v-");
            let [b'=', ..] = *self.rest else {
                // It may be cut in or after its name.
                return (self.rest.is_empty() && !attribute.is_empty()).then_some(());
            };
            self.take(1);
            self.blanks();
            let quote = match self.rest.first() {
                Some(quote @ (b'"' | b'\'')) if !is_of_template => *quote,
                Some(_) => return None,
                None => return Some(()),
            };
            let Some(len) = memchr::memchr(quote, &self.rest[1..]) else {
                let is_cut = !self.rest.contains(&b'<');
                return if is_cut { self.end() } else { None };
            };
            if self.take(len + 2).contains(&b'<') {
                return None;
            }
        }
    }

    /// Closes the innermost element, if it has this name.
    fn close(&mut self, name: &[u8]) -> Option<()> {
        self.take(1);
        self.has_closed = true;
        self.open.pop().filter(|open| *open == name).map(drop)
    }

    fn take(&mut self, len: usize) -> &'b [u8] {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    /// Takes white space; returns its length.
    fn blanks(&mut self) -> usize {
        let len = self.rest.len() - self.rest.trim_ascii_start().len();
        self.take(len).len()
    }

    /// Takes all that is left.
    fn end(&mut self) -> Option<()> {
        self.rest = &[];
        Some(())
    }
}

/// Returns `true` for a byte of a name; non-ASCII characters are letters here.
fn is_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | 0x80..)
}

//! The code of a field that is split into several runs: `HYPER` in one, `LINK "…"` in the next.

use std::borrow::Cow;

use super::attribute::{is_name, split};
use super::content::{self, cdata_end, find, push_resolved};
use super::{Grammar, NeedsMore, TokenResult, Xml, XmlMode};
use crate::input::chunk::Chunk;
use crate::scan::reference::Rules;
use crate::source_map::SourceMap;

/// End of the code of a field that begins at `start`, in the content of its first element.
enum FieldCodeEnd {
    At(usize),
    /// Too long, or not a field code.
    Other,
    /// The bytes end first.
    Cut,
}

/// Returns the name of the tag whose `<` is at `at`, without its prefix, and whether it is an end tag.
fn tag_at(bytes: Chunk<'_>, at: usize) -> (&[u8], bool) {
    let is_end = bytes.get(at + 1) == Some(&b'/');
    let rest = bytes.get(at + 1 + usize::from(is_end)..).unwrap_or_default();
    let len = rest.iter().take_while(|byte| is_name(**byte)).count();
    (split(&rest[..len]).1, is_end)
}

fn is_code(local: &[u8]) -> bool {
    matches!(local, b"instrText" | b"delInstrText")
}

/// Searches for the end of the code: the last of its elements before another part of the field, or the end of the
/// paragraph.
fn end_of(bytes: Chunk<'_>, start: usize, limit: usize) -> FieldCodeEnd {
    let window = bytes.up_to(start.saturating_add(limit + 1));
    let is_end = bytes.is_last() && window.end() == bytes.end();
    let (mut at, mut end) = (start, None);
    loop {
        let open = memchr::memchr(b'<', &window[at..]).map(|found| at + found);
        // The complete name must be available.
        let is_whole = |open: usize| memchr::memchr(b'>', &window[open..]).is_some();
        let Some(open) = open.filter(|open| is_whole(*open)) else {
            return match end {
                _ if !is_end && window.end() - start <= limit => FieldCodeEnd::Cut,
                Some(end) => FieldCodeEnd::At(end),
                None if is_end => FieldCodeEnd::At(window.end()),
                None => FieldCodeEnd::Other,
            };
        };
        at = open + 1;
        match tag_at(window, open) {
            (local, true) if is_code(local) => end = Some(open),
            (b"fldChar" | b"p", _) => return end.map_or(FieldCodeEnd::Other, FieldCodeEnd::At),
            _ => {}
        }
    }
}

/// Returns the code of a field without the tags between its pieces, with references resolved, and the source map to `text`.
pub(crate) fn resolved(text: &str) -> (Cow<'_, str>, Option<SourceMap>) {
    let bytes = Chunk::whole(text.as_bytes());
    let (mut out, mut map) = (String::new(), SourceMap::default());
    let (mut at, mut is_kept) = (0, true);
    while at < bytes.end() {
        let open = find(bytes, at, b"<").unwrap_or(bytes.end());
        if is_kept {
            push_resolved(&mut out, &mut map, &text[at..open], Rules::Xml, at);
        }
        let opener = content::opener_at(bytes, open);
        at = match opener {
            content::Opener::Cdata => {
                let inner = open + 9;
                let end = cdata_end(bytes, inner, |_, _, _| true).unwrap_or(bytes.end());
                if is_kept {
                    push_resolved(&mut out, &mut map, &text[inner..end], Rules::None, inner);
                }
                bytes.end().min(end + 3)
            }
            content::Opener::Comment => {
                find(bytes, open, b"-->").map_or(bytes.end(), |end| end + 3)
            }
            _ => {
                let end = find(bytes, open, b">").map_or(bytes.end(), |end| end + 1);
                let (local, is_end) = tag_at(bytes, open);
                is_kept = is_code(local) && !is_end;
                end
            }
        };
    }
    (Cow::Owned(out), Some(map))
}

impl Xml {
    /// Reads the code of a field, from the content of its first element to that of its last.
    pub(super) fn field(&mut self, bytes: Chunk<'_>, limit: usize) -> TokenResult {
        let start = self.at;
        let end = match end_of(bytes, start, limit) {
            FieldCodeEnd::Cut => return Err(NeedsMore),
            FieldCodeEnd::Other => {
                self.mode = XmlMode::Content;
                return Ok(None);
            }
            FieldCodeEnd::At(end) => end,
        };
        (self.mode, self.at) = (XmlMode::Content, end);
        let context = self.context_of_content();
        Ok(Some(self.value(start..end, context, Grammar::Field, Rules::Xml)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_code() {
        let text = "HYPER</w:instrText></w:r> <w:r><w:rPr/>\n<w:instrText a='b'>LINK &quot;<!-- c -->x&amp;y";
        let (out, map) = resolved(text);
        assert_eq!(out, "HYPERLINK \"x&y");
        let at = out.find('x').unwrap();
        let place = map.unwrap().range(out.as_bytes(), at..at + 1);
        assert_eq!(&text[place], "x");
    }
}

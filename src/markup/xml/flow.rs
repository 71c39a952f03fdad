//! Effect of elements on the text around them, in vocabularies whose paragraphs consist of runs.
//!
//! A word processor stores a paragraph in runs, one for each change of formatting, so a link may begin in one run and end
//! in another. The tags of runs do not end a text; those of paragraphs, tabs and line breaks do. The code of a field is split
//! in the same way: `HYPER` in one run, `LINK "…"` in the next.

use std::borrow::Cow;
use std::ops::Range;

use super::attribute::{is_name, name_end, split};
use super::content::{self, Opener, find, push_resolved};
use super::vocabulary::Vocabulary;
use super::{Content, Grammar, NeedsMore, TextToken, Token, TokenResult, Xml, XmlMode};
use crate::input::chunk::Chunk;
use crate::markup::cdata::cdata_end;
use crate::markup::field::INNER_FIELD;
use crate::scan::reference::Rules;
use crate::source_map::SourceMap;

/// Maximum length in bytes of the name of an element in a paragraph.
const LONGEST_NAME: usize = 64;

/// Relation of an element to the text of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Flow {
    /// The tag ends the text, and the content of the element is a separate text: all elements outside paragraphs with runs.
    #[default]
    Other,
    /// The tag ends the text; character data in the element is part of a paragraph's text, as in OpenDocument.
    Paragraph,
    /// The tag ends the text; the element has no character data except for white space between elements.
    Break,
    /// The tag does not end the text; the element has no character data except for white space between elements.
    Run,
    /// The tag does not end the text; character data in the element belongs to the paragraph.
    Text,
    /// As `Run`, for the element and those in it, of any vocabulary.
    Properties,
    /// As `Properties`, but character data in `t` is a text of its own: the paragraph continues without it.
    Aside,
}

impl Flow {
    /// Returns the flow of an element of this name inside `outer`.
    pub(super) fn of(vocabulary: Vocabulary, local: &[u8], outer: Flow) -> Flow {
        if outer.inherited() != Flow::Other {
            return outer;
        }
        match vocabulary {
            Vocabulary::Word => match local {
                b"t" => Flow::Text,
                // A symbol represents a character that is not stored as such: part of a link is not a link.
                b"p" | b"tab" | b"br" | b"cr" | b"tc" | b"ptab" | b"sym" => Flow::Break,
                // What a field or a hyperlink shows is a text by itself.
                b"hyperlink" | b"hlink" | b"fldChar" | b"fldSimple" => Flow::Break,
                // The mark of a note is a number.
                b"footnoteReference" | b"endnoteReference" => Flow::Break,
                b"rPr" | b"pPr" => Flow::Properties,
                // Text that was moved away, and the pronunciation above a text.
                b"moveFrom" | b"rt" => Flow::Aside,
                _ => Flow::Run,
            },
            Vocabulary::Drawing => match local {
                b"t" => Flow::Text,
                b"p" | b"br" | b"tc" => Flow::Break,
                b"rPr" | b"pPr" | b"endParaRPr" => Flow::Properties,
                _ => Flow::Run,
            },
            Vocabulary::Sheet => match local {
                b"t" => Flow::Text,
                b"r" => Flow::Run,
                b"rPr" => Flow::Properties,
                b"si" | b"is" | b"text" | b"rPh" => Flow::Break,
                _ => Flow::Other,
            },
            Vocabulary::OdfText => match local {
                b"span" | b"meta" | b"ruby" | b"ruby-base" | b"soft-page-break" => Flow::Text,
                b"bookmark" | b"bookmark-start" | b"bookmark-end" => Flow::Text,
                b"reference-mark" | b"reference-mark-start" | b"reference-mark-end" => Flow::Text,
                b"change" | b"change-start" | b"change-end" => Flow::Text,
                // The text of a link is compared with the link's target, so it is a separate text.
                b"p" | b"h" | b"a" => Flow::Paragraph,
                b"s" | b"tab" | b"line-break" => Flow::Break,
                _ => Flow::Other,
            },
            Vocabulary::MarkedText => match local {
                b"Data" | b"Text" | b"fld" => Flow::Paragraph,
                b"B" | b"I" | b"U" | b"S" | b"Font" | b"Span" | b"Sub" | b"Sup" => Flow::Text,
                b"cp" | b"pp" | b"tp" => Flow::Text,
                _ => Flow::Other,
            },
            // Other elements in a segment stand for code of the document, such as the break of a line.
            Vocabulary::Xliff => match local {
                b"source" | b"target" | b"seg-source" => Flow::Paragraph,
                b"g" | b"mrk" | b"sub" | b"pc" | b"sm" | b"em" => Flow::Text,
                _ => Flow::Other,
            },
            _ => Flow::Other,
        }
    }

    /// Returns the flow of an element inside this one, whatever its name.
    pub(super) fn inherited(self) -> Flow {
        match self {
            Flow::Properties | Flow::Aside => self,
            _ => Flow::Other,
        }
    }

    /// Returns `true` if its tags end a text.
    fn ends_text(self) -> bool {
        matches!(self, Flow::Other | Flow::Paragraph | Flow::Break)
    }

    /// Returns `true` if character data in the element may continue after a tag.
    pub(super) fn is_in_paragraph(self) -> bool {
        self != Flow::Other
    }

    /// Returns `true` if character data in the element does not belong to the text.
    pub(super) fn is_without_text(self) -> bool {
        matches!(self, Flow::Break | Flow::Run | Flow::Properties | Flow::Aside)
    }
}

impl Xml {
    /// Returns `true` if the text before the markup at `at` may continue after it; `None` if these bytes do not decide it.
    pub(super) fn goes_on_after(
        &self,
        bytes: Chunk<'_>,
        at: usize,
        opener: Opener,
    ) -> Option<bool> {
        let outer = self.scope.flow();
        match opener {
            // Comments do not end a link, nor do the delimiters of a CDATA section.
            Opener::Comment | Opener::Cdata => Some(true),
            Opener::Cut => None,
            Opener::EndTag => Some(!outer.ends_text()),
            Opener::Tag if outer.is_in_paragraph() => {
                let window = bytes.up_to(at + LONGEST_NAME);
                let Some(end) = name_end(window, at + 1, at + LONGEST_NAME) else {
                    return if bytes.is_last() { Some(false) } else { None };
                };
                let (prefix, local) = split(&window[at + 1..end]);
                let bound = self.scope.bound(prefix.unwrap_or_default());
                let flow = Flow::of(bound.unwrap_or(Vocabulary::Unknown), local, outer);
                let is_other_run = flow == Flow::Text && self.runs.ends_text();
                Some(!(flow.ends_text() || is_other_run))
            }
            _ => Some(false),
        }
    }
}

/// End of the code of a field that begins at `start`, in the content of its first element.
enum FieldCodeEnd {
    At(usize),
    /// Another field begins in it.
    Before(InnerField),
    /// Too long, or not a field code.
    Other,
    /// The bytes end first.
    Cut,
}

/// Field that begins in the code of another one.
struct InnerField {
    /// End of the code before it.
    code: usize,
    /// End of the tag that begins it.
    tag: usize,
    /// Where the whole code ends, as far as that is known.
    until: usize,
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

/// Returns `true` for an element that represents a hyphen at which no line ends. Readers see and copy a hyphen.
fn is_hyphen(local: &[u8]) -> bool {
    local.eq_ignore_ascii_case(b"noBreakHyphen")
}

/// Returns `true` if a tag is that of a mark of a field of this type: `begin`, `separate`, `end`.
fn is_mark(tag: &[u8], kind: &str) -> bool {
    let name = b"fldCharType";
    let value = memchr::memmem::find(tag, name).and_then(|at| tag.get(at + name.len()..));
    let is_sign = |byte: &u8| !byte.is_ascii_alphabetic();
    let value =
        value.and_then(|value| value.get(value.iter().take_while(|b| is_sign(b)).count()..));
    value.is_some_and(|value| value.starts_with(kind.as_bytes()))
}

/// Returns `true` if a string in a code is not closed. The attributes of the tags in it have pairs of quotes.
fn is_in_string(code: &[u8]) -> bool {
    let quotes = memchr::memchr_iter(b'"', code).count();
    (quotes + memchr::memmem::find_iter(code, b"&quot;").count()) % 2 == 1
}

/// Searches for the end of the code: the last of its elements before another part of the field, or the end of the
/// paragraph. `is_inside`: it is inside a code whose end is known.
fn end_of(bytes: Chunk<'_>, start: usize, limit: usize, is_inside: bool) -> FieldCodeEnd {
    let window = bytes.up_to(start.saturating_add(limit + 1));
    let is_end = bytes.is_last() && window.end() == bytes.end();
    let (mut at, mut end, mut inner) = (start, None, None::<InnerField>);
    // Number of fields in the code that have begun.
    let mut depth = 0;
    loop {
        let open = memchr::memchr(b'<', &window[at..]).map(|found| at + found);
        // The complete tag must be available.
        let close = |open: usize| memchr::memchr(b'>', &window[open..]).map(|len| open + len + 1);
        let Some((open, close)) = open.and_then(|open| Some((open, close(open)?))) else {
            return match (end, inner) {
                _ if !is_end && window.end() - start <= limit => FieldCodeEnd::Cut,
                (_, Some(inner)) => FieldCodeEnd::Before(inner),
                (Some(end), _) => FieldCodeEnd::At(end),
                (None, _) if is_end => FieldCodeEnd::At(window.end()),
                (None, _) => FieldCodeEnd::Other,
            };
        };
        at = open + 1;
        let tag = &window[open..close];
        let (local, is_end_tag) = tag_at(window, open);
        match (local, inner.as_mut()) {
            (local, None) if is_end_tag && is_code(local) => end = Some(open),
            (b"fldChar", None) => {
                let Some(code) = end else { return FieldCodeEnd::Other };
                if !is_mark(tag, "begin") {
                    return FieldCodeEnd::At(code);
                }
                let found = InnerField { code, tag: close, until: close };
                if is_inside {
                    return FieldCodeEnd::Before(found);
                }
                (inner, depth) = (Some(found), 1);
            }
            (b"p", None) => {
                let end = end.filter(|end| !is_in_string(&window[start..*end]));
                return end.map_or(FieldCodeEnd::Other, FieldCodeEnd::At);
            }
            (b"fldChar" | b"p", Some(found)) => {
                found.until = open;
                match local == b"fldChar" {
                    true if is_mark(tag, "begin") => depth += 1,
                    true if is_mark(tag, "end") && depth > 0 => depth -= 1,
                    true if depth > 0 || is_end_tag => {}
                    _ => return inner.map_or(FieldCodeEnd::Other, FieldCodeEnd::Before),
                }
            }
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
                let character = match local {
                    _ if is_end => None,
                    b"fldChar" => Some(INNER_FIELD),
                    _ => is_hyphen(local).then_some('-'),
                };
                if let Some(character) = character {
                    map.replaced(out.len(), open..end);
                    out.push(character);
                }
                end
            }
        };
    }
    (Cow::Owned(out), Some(map))
}

impl Xml {
    /// Returns the text of the element whose tag is in `range`, if it represents a character in a paragraph that has begun.
    pub(super) fn hyphen(&mut self, range: Range<usize>) -> Option<Token> {
        let (_, local) = split(self.tag.name.as_bytes());
        let is_text = self.open && self.scope.flow() == Flow::Run;
        if !is_text || self.tag.vocabulary != Vocabulary::Word || !is_hyphen(local) {
            return None;
        }
        let in_link = self.scope.innermost().is_some_and(|inside| inside.in_link);
        let content = Content::Running;
        let rules = Rules::Hyphen;
        Some(Token::Text(TextToken { range, rules, content, joined: true, open: true, in_link }))
    }

    /// Reads the code of a field, from the content of its first element to that of its last.
    pub(super) fn field(&mut self, bytes: Chunk<'_>, limit: usize) -> TokenResult {
        let start = self.at;
        let end = match end_of(bytes, start, limit, start < self.code_until) {
            FieldCodeEnd::Cut => return Err(NeedsMore),
            FieldCodeEnd::Other => {
                self.mode = XmlMode::Content;
                return Ok(None);
            }
            FieldCodeEnd::At(end) => InnerField { code: end, tag: end, until: 0 },
            FieldCodeEnd::Before(inner) => inner,
        };
        (self.mode, self.at) = (XmlMode::Content, end.code);
        let value =
            self.value(start..end.tag, self.context_of_content(), Grammar::Field, Rules::Xml);
        if end.until == 0 {
            return Ok(Some(value));
        }
        // The result of the other field is no part of the text before this one.
        self.code_until = self.code_until.max(end.until);
        let ended = self.text(start..start, false, Rules::Xml);
        self.due.push_back(value);
        Ok(ended)
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
        let (out, _) = resolved("http://a</w:instrText><w:noBreakHyphen /><w:instrText>b");
        assert_eq!(out, "http://a-b");
    }
}

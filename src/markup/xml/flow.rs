//! Effect of elements on the text around them, in vocabularies whose paragraphs consist of runs.
//!
//! A word processor stores a paragraph in runs, one for each change of formatting, so a link may begin in one run and end
//! in another. The tags of runs do not end a text; those of paragraphs, tabs and line breaks do.

use super::Xml;
use super::attribute::{name_end, split};
use super::content::Opener;
use super::vocabulary::Vocabulary;
use crate::input::chunk::Chunk;

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
}

impl Flow {
    /// Returns the flow of an element of this name inside `outer`.
    pub(super) fn of(vocabulary: Vocabulary, local: &[u8], outer: Flow) -> Flow {
        if outer.inherited() == Flow::Properties {
            return Flow::Properties;
        }
        match vocabulary {
            Vocabulary::Word => match local {
                b"t" => Flow::Text,
                // A hyphen and a symbol represent characters that are not stored as such: part of a link is not a link.
                b"p" | b"tab" | b"br" | b"cr" | b"tc" | b"ptab" | b"sym" | b"noBreakHyphen" => {
                    Flow::Break
                }
                b"rPr" | b"pPr" => Flow::Properties,
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
            _ => Flow::Other,
        }
    }

    /// Returns the flow of an element inside this one, whatever its name.
    pub(super) fn inherited(self) -> Flow {
        match self {
            Flow::Properties => Flow::Properties,
            _ => Flow::Other,
        }
    }

    /// Returns `true` if its tags end a text.
    pub(super) fn ends_text(self) -> bool {
        matches!(self, Flow::Other | Flow::Paragraph | Flow::Break)
    }

    /// Returns `true` if character data in the element may continue after a tag.
    pub(super) fn is_in_paragraph(self) -> bool {
        self != Flow::Other
    }

    /// Returns `true` if character data in the element does not belong to the text.
    pub(super) fn is_without_text(self) -> bool {
        matches!(self, Flow::Break | Flow::Run | Flow::Properties)
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
                Some(!flow.ends_text())
            }
            _ => Some(false),
        }
    }
}

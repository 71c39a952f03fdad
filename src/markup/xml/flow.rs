//! Effect of elements on the text around them, in vocabularies whose paragraphs consist of runs.
//!
//! A word processor stores a paragraph in runs, one for each change of looks: a link in it may begin in one and end
//! in another. The tags of runs do not end a text; those of paragraphs, tabs and line breaks do.

use super::Xml;
use super::attribute::{name_end, split};
use super::content::Opener;
use super::vocabulary::Vocabulary;
use crate::input::chunk::Chunk;

/// No element of a paragraph has a longer name.
const LONGEST_NAME: usize = 64;

/// Relation of an element to the text of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Flow {
    /// The tag ends the text, and what is in the element is a text of its own: all that has no runs.
    #[default]
    Other,
    /// The tag ends the text; character data in the element is part of one, as in a paragraph of OpenDocument.
    Paragraph,
    /// The tag ends the text; in the element there is no character data but white space between elements.
    Break,
    /// The tag is not seen; in the element there is no character data but white space between elements.
    Run,
    /// The tag is not seen; character data in the element is that of the paragraph.
    Text,
    /// As `Run`, and so are the elements in it, of whatever vocabulary they are.
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
                // A hyphen and a symbol stand for characters that are not stored as such: half a link is none.
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
                // The text of a link is compared with where the link goes: it is a text of its own.
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

    /// Whether its tags end a text.
    pub(super) fn ends_text(self) -> bool {
        matches!(self, Flow::Other | Flow::Paragraph | Flow::Break)
    }

    /// Whether character data in the element may go on after a tag.
    pub(super) fn is_in_paragraph(self) -> bool {
        self != Flow::Other
    }

    /// Whether character data in the element is none of the text.
    pub(super) fn is_without_text(self) -> bool {
        matches!(self, Flow::Break | Flow::Run | Flow::Properties)
    }
}

impl Xml {
    /// Whether the text before what is at `at` may go on after it; `None`: that is not decided by these bytes.
    pub(super) fn goes_on_after(
        &self,
        bytes: Chunk<'_>,
        at: usize,
        opener: Opener,
    ) -> Option<bool> {
        let outer = self.scope.flow();
        match opener {
            // They break no link, nor do the marks of a CDATA section.
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

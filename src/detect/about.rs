//! Facts about a document from which its detection starts.

use crate::charset::Charset;
use crate::detect::document::{Declared, Format, Hints};

/// Facts of a document beside its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DocumentFacts<'a> {
    /// The format that somebody asks for.
    pub(crate) asked: Option<Format>,
    /// Declared charset.
    pub(crate) charset: Option<Charset>,
    pub(crate) declared: Declared,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'a [u8],
}

impl<'a> DocumentFacts<'a> {
    /// Takes the facts from hints.
    pub(crate) fn of(hints: &'a Hints) -> DocumentFacts<'a> {
        DocumentFacts {
            asked: (hints.format != Format::Auto).then_some(hints.format),
            charset: hints.charset,
            declared: hints.declared,
            name: hints.name.as_deref().unwrap_or_default(),
        }
    }

    /// The format that is asked for, else the one that is declared, if that may decide.
    pub(crate) fn effective_format(&self) -> Format {
        match (self.asked, self.declared) {
            (Some(format), _) => format,
            (None, Declared::Format(format)) => format,
            (None, _) => Format::Auto,
        }
    }
}

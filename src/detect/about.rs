//! Facts about a document from which its detection starts.

use crate::charset::Charset;
use crate::detect::document::{Declared, Format, Hints};

/// Facts about a document besides its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DocumentFacts<'a> {
    /// Format that the caller requests.
    pub(crate) asked: Option<Format>,
    /// Declared charset.
    pub(crate) charset: Option<Charset>,
    pub(crate) declared: Declared,
    /// Name, whose extension is used; empty if it has none.
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

    /// Returns the requested format, otherwise the declared one, otherwise `Auto`.
    pub(crate) fn effective_format(&self) -> Format {
        match (self.asked, self.declared) {
            (Some(format), _) => format,
            (None, Declared::Format(format)) => format,
            (None, Declared::Manifest) => Format::Json,
            (None, _) => Format::Auto,
        }
    }
}

//! What is known of a document: the nouns that the verdict begins with.

use crate::charset::Charset;
use crate::document::{Declared, Format};

/// Evidence of a document's type in addition to its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DocumentEvidence<'a> {
    /// The format that somebody asks for.
    pub(crate) asked: Option<Format>,
    /// What it is encoded in, if that is said.
    pub(crate) charset: Option<Charset>,
    pub(crate) declared: Declared,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'a [u8],
}

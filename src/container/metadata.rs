//! Metadata that a container declares for a document: a record of a crawl, an HTTP response, a manifest.

use crate::charset::Charset;
use crate::detect::document::{Declared, Hints};
use crate::detect::media_type;
use crate::iri::{self, IriBuf};
use crate::limits;
use crate::notice::Notice;

/// Metadata that a container declares for a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    pub(crate) declared: Declared,
    pub(crate) charset: Option<Charset>,
    /// The label that was given in its place, and is unknown.
    pub(crate) unknown_label: Option<Box<str>>,
    /// The document's own IRI, which is its base too.
    pub(crate) source: Option<IriBuf>,
    /// Whether a source was given that is not a valid IRI.
    pub(crate) is_source_unusable: bool,
}

impl Metadata {
    /// Creates metadata from an IRI and a media type.
    pub(super) fn of(source: Option<&[u8]>, kind: Option<&str>) -> Metadata {
        let kind = kind.unwrap_or_default().as_bytes();
        let declared = Declared::of(&String::from_utf8_lossy(media_type::first_word(kind)));
        let label = media_type::parameter(kind, "charset").unwrap_or_default();
        let label = String::from_utf8_lossy(&label);
        let hints = Hints::new().charset_label(label.trim_matches(['\'', ' ']));
        let Hints { charset, unknown_label, .. } = hints;
        let source = source.map(|source| iri::repair(source).map(iri::Repaired::into_iri));
        let is_source_unusable = source.as_ref().is_some_and(Result::is_err);
        let source = source.and_then(Result::ok);
        Metadata { declared, charset, unknown_label, source, is_source_unusable }
    }

    /// Metadata declared for an archive does not apply to its members.
    pub(super) fn of_members(&self) -> Metadata {
        Metadata { source: self.source.clone(), ..Metadata::default() }
    }
}

impl Metadata {
    /// The document's own IRI, if it is short enough to be reported with each link.
    pub(super) fn told_source(&self) -> Option<&str> {
        let source = self.source.as_ref().map(IriBuf::as_str);
        source.filter(|source| source.len() <= limits::TOLD_WITH_EACH)
    }

    /// Notice about the document's own IRI.
    pub(super) fn notice(&self) -> Option<Notice> {
        let is_long = |source: &IriBuf| source.as_str().len() > limits::TOLD_WITH_EACH;
        match &self.source {
            Some(source) => is_long(source).then_some(Notice::SourceTooLong),
            None => self.is_source_unusable.then_some(Notice::BaseUnusable),
        }
    }
}

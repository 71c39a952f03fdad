//! Metadata that a container declares for a document: a record of a crawl, an HTTP response with its links, a manifest.

use std::cell::Cell;
#[cfg(feature = "files")]
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "files")]
use super::fault::{is_told, told};
use super::limits::Budget;
use super::member::Member;
use crate::charset::Charset;
use crate::context::KnownContext;
use crate::detect::document::{Declared, Detection, Disposition, Hints};
use crate::iri::{self, IriBuf};
use crate::limits;
use crate::link::{Origin, Position};
use crate::markup::PackageTexts;
use crate::notice::Notice;
#[cfg(all(feature = "office", feature = "files"))]
use crate::office::StoredMessage;

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
    /// Texts of the links of a part of a package, if the document is the relationships of that part.
    pub(super) texts: Option<Arc<PackageTexts>>,
}

impl Metadata {
    /// Creates metadata from an IRI and a media type.
    pub(super) fn of(source: Option<&[u8]>, kind: Option<&str>) -> Metadata {
        let hints = Hints::new().content_type(kind.unwrap_or_default());
        let Hints { declared, charset, unknown_label, .. } = hints;
        let source = source.map(|source| iri::repair(source).map(iri::Repaired::into_iri));
        let is_source_unusable = source.as_ref().is_some_and(Result::is_err);
        let source = source.and_then(Result::ok);
        Metadata { declared, charset, unknown_label, source, is_source_unusable, texts: None }
    }

    /// Returns the metadata of the relationships of a part of a package.
    pub(super) fn with_texts(&self, texts: PackageTexts) -> Metadata {
        Metadata { texts: Some(Arc::new(texts)), ..self.clone() }
    }

    /// Metadata declared for an archive does not apply to its members.
    pub(super) fn of_members(&self) -> Metadata {
        Metadata { source: self.source.clone(), ..Metadata::default() }
    }
}

impl Metadata {
    /// The document's own IRI, if it is short enough to be reported with each link.
    fn told_source(&self) -> Option<&str> {
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

/// Whether the end of a stream cuts its document: as a record of a crawl that is not complete, or a body whose chunks end too early.
#[derive(Debug, Default)]
pub(crate) struct CutEnd {
    pub(super) of_record: Cell<bool>,
    pub(super) of_chunks: Cell<bool>,
}

impl CutEnd {
    fn is_cut(&self) -> bool {
        self.of_record.get() || self.of_chunks.get()
    }

    /// Returns `true` if a scan failed only because the document is cut.
    #[cfg(feature = "files")]
    pub(crate) fn is_reason(&self, error: &io::Error) -> bool {
        self.is_cut() && is_told(error)
    }
}

/// A document that fails at its end if that cuts it: the scan then leaves out a link that it may have cut. The walk reports what is cut.
#[cfg(feature = "files")]
pub(crate) struct CutReader<'r> {
    pub(crate) reader: &'r mut dyn Read,
    pub(crate) cut: Option<&'r CutEnd>,
}

#[cfg(feature = "files")]
impl Read for CutReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(to)? {
            0 if self.cut.is_some_and(CutEnd::is_cut) => Err(told()),
            len => Ok(len),
        }
    }
}

/// Facts of a document beside its bytes.
pub(crate) struct DocumentInfo<'g> {
    pub(crate) member: &'g Member,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'g [u8],
    /// Detection of the document; not how it is wanted to be read.
    pub(crate) detection: Detection,
    pub(crate) metadata: &'g Metadata,
    /// Depth of the stream.
    pub(crate) depth: u32,
    /// Bytes that may still come out of the input.
    pub(crate) budget: &'g Arc<Budget>,
    /// Whether the end of its bytes cuts it, which may be known only there.
    pub(crate) cut: Option<&'g CutEnd>,
    /// The document, if it is a message of a store, which has no bytes of its own.
    #[cfg(all(feature = "office", feature = "files"))]
    pub(crate) message: Option<&'g Cell<Option<StoredMessage>>>,
}

impl<'g> DocumentInfo<'g> {
    /// A document without a name.
    pub(super) fn of(
        member: &'g Member,
        detection: Detection,
        metadata: &'g Metadata,
        depth: u32,
        budget: &'g Arc<Budget>,
    ) -> DocumentInfo<'g> {
        DocumentInfo {
            member,
            name: b"",
            detection,
            metadata,
            depth,
            budget,
            cut: None,
            #[cfg(all(feature = "office", feature = "files"))]
            message: None,
        }
    }

    /// Returns its hints, made from those for all documents.
    pub(crate) fn hints(&self, of_all: &Hints) -> Hints {
        let disposition = of_all.scope.non_text.applied_to(self.detection.disposition);
        let mut hints = match disposition {
            Disposition::Text => of_all.clone(),
            _ => of_all.of_binary(),
        };
        let format = self.detection.format.filter(|_| disposition == Disposition::Text);
        hints.detection = Some(Detection { disposition, format, ..self.detection });
        if disposition == Disposition::Text {
            hints.declared = self.metadata.declared;
            if !self.name.is_empty() || !self.member.is_empty() {
                hints.name = Some(self.name.to_vec()).filter(|name| !name.is_empty());
            }
        }
        hints.charset = self.metadata.charset.or(hints.charset);
        if let Some(label) = &self.metadata.unknown_label {
            hints.unknown_label = Some(label.clone());
        }
        if let Some(source) = &self.metadata.source {
            hints.base = Some(source.clone());
        }
        hints.around.texts.clone_from(&self.metadata.texts);
        hints
    }

    /// Returns the origin of its links; empty for an input that is not an archive.
    pub(crate) fn origin(&self) -> Option<Origin> {
        (!self.member.is_empty()).then(|| Origin {
            member: Some(self.member.as_str().into()),
            member_bytes: self.member.bytes().map(Into::into),
            source: self.metadata.told_source().map(Into::into),
            ..Origin::default()
        })
    }
}

/// A link in a header of HTTP.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderLink {
    pub(crate) context: &'static KnownContext,
    pub(crate) text: String,
    /// In the block of the record.
    pub(crate) range: Range<usize>,
    /// Line and column there.
    pub(crate) position: Position,
    /// Relation types that its parameters name, in lower case.
    pub(crate) rel: Option<String>,
}

//! Documents as they are handed to who reads them: with what their containers say of them.

use std::sync::Arc;

use super::budget::Budget;
use super::member::Member;
use super::metadata::Metadata;
use crate::detect::document::{Detection, Disposition, Hints};
use crate::link::Origin;

/// Facts of a document beside its bytes.
pub(crate) struct DocumentInfo<'g> {
    pub(crate) member: &'g Member,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'g [u8],
    /// Detection of the document; not how it is wanted to be read.
    pub(crate) detection: Detection,
    pub(crate) metadata: &'g Metadata,
    /// How deep it is.
    pub(crate) depth: u32,
    /// Bytes that may still come out of the input.
    pub(crate) budget: &'g Arc<Budget>,
}

impl DocumentInfo<'_> {
    /// Returns its hints, made from those for all documents.
    pub(crate) fn hints(&self, of_all: &Hints) -> Hints {
        let disposition = of_all.wanted(self.detection.disposition);
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
        hints
    }

    /// Where its links come from; nothing to be said of an input that is no archive.
    pub(crate) fn origin(&self) -> Option<Origin> {
        (!self.member.is_empty()).then(|| Origin {
            member: Some(self.member.as_str().into()),
            member_bytes: self.member.bytes().map(Into::into),
            source: self.metadata.told_source().map(Into::into),
            ..Origin::default()
        })
    }
}

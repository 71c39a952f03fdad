//! A document's declaration of its encoding, in any form.

use encoding_rs::{Encoding, REPLACEMENT};

use super::label;
use crate::charset::evidence::UndecodableError;

/// Number of bytes of a document that are searched.
pub(super) const MOST: usize = 1024;

/// The declared encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) encoding: Option<&'static Encoding>,
    /// The declared label of `replacement`.
    label: String,
    pub(super) unknown: Option<String>,
}

impl Declaration {
    pub(super) fn of(encoding: &'static Encoding, label: &[u8]) -> Declaration {
        // Only the error contains the label, and nearly every page declares one.
        let label = match encoding == REPLACEMENT {
            true => label::shown(label),
            false => String::new(),
        };
        Declaration { encoding: Some(encoding), label, unknown: None }
    }

    /// Records an unknown label, if there was none before.
    pub(super) fn or_unknown(mut self, label: Option<&[u8]>) -> Declaration {
        if self.unknown.is_none() {
            self.unknown = label.filter(|label| !label.is_empty()).map(label::shown);
        }
        self
    }

    /// Returns the declared encoding, and the unknown label.
    ///
    /// # Errors
    ///
    /// Returns an error for a label of `replacement`.
    pub(super) fn settle(
        self,
    ) -> Result<(Option<&'static Encoding>, Option<String>), UndecodableError> {
        match self.encoding {
            Some(encoding) if encoding == REPLACEMENT => Err(UndecodableError::new(self.label)),
            encoding => Ok((encoding, self.unknown)),
        }
    }

    pub(super) fn is_found(&self) -> bool {
        self.encoding.is_some()
    }
}

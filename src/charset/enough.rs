//! Decides how much of a document's beginning is needed to detect its encoding.
//!
//! The input is the beginning that was collected so far, the result is whether it is enough.

use super::detect;
use super::evidence::{DeclaredEncoding, Detected, EncodingHints, UndecodableError};
use super::utf8::{self, Extent, NON_ASCII, START};

/// Progress of the collection of a document's beginning. It is enough when no further byte can change the result of
/// [`decide`](DetectionProgress::decide), apart from a character that is cut at the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct DetectionProgress {
    looked: usize,
    /// Number of bytes in which non-ASCII bytes have been counted, and the count.
    counted: usize,
    non_ascii: usize,
    is_reached: bool,
    /// Encoding that the collected bytes declare.
    said: Option<Result<Detected, UndecodableError>>,
}

impl DetectionProgress {
    /// Returns `true` if `start`, which begins with the `start` of the previous call, is enough.
    pub(crate) fn is_reached(&mut self, start: &[u8], known: &EncodingHints<'_>) -> bool {
        if self.is_reached || start.len() <= self.looked {
            return self.is_reached;
        }
        let is_first = self.looked < DECLARATION;
        self.looked = start.len();
        if is_first {
            self.said = said(start, known);
        }
        self.is_reached = self.said.is_some()
            || start.len() >= START
            // With fewer bytes the limit of non-ASCII bytes cannot be reached.
            || start.len() >= NON_ASCII && {
                let new = start.get(self.counted..).unwrap_or_default();
                self.counted = start.len();
                self.non_ascii += utf8::count_non_ascii(new);
                self.non_ascii >= NON_ASCII
            };
        self.is_reached
    }

    /// Returns the encoding of a document for which `start` is enough, or is the complete document.
    ///
    /// # Errors
    ///
    /// Returns an error if the document declares `replacement`.
    pub(crate) fn decide(
        self,
        start: &[u8],
        extent: Extent,
        known: &EncodingHints<'_>,
    ) -> Result<Detected, UndecodableError> {
        self.said.unwrap_or_else(|| detect::decide(start, extent, known))
    }
}

/// Number of bytes in which a declaration is searched.
const DECLARATION: usize = 1024;

/// Returns the encoding that the beginning declares, or that is declared for it.
fn said(start: &[u8], known: &EncodingHints<'_>) -> Option<Result<Detected, UndecodableError>> {
    // The first bytes may be part of a byte order mark, which has precedence over the transport.
    if start.len() < 3 {
        return None;
    }
    match detect::said(start, Extent::Beginning, known) {
        Ok(DeclaredEncoding::As(detected)) => Some(Ok(detected)),
        Ok(DeclaredEncoding::Nothing { .. }) => None,
        Err(refused) => Some(Err(refused)),
    }
}

#[cfg(all(test, feature = "documents"))]
mod tests {
    use super::*;

    /// Returns how many bytes are collected from blocks of this size.
    fn collected(document: &[u8], block: usize, known: &EncodingHints<'_>) -> usize {
        let mut enough = DetectionProgress::default();
        let ends = (1..).map(|number| (number * block).min(document.len()));
        let mut ends = ends.take_while(|end| *end < document.len());
        ends.find(|end| enough.is_reached(&document[..*end], known)).unwrap_or(document.len())
    }

    #[test]
    fn a_document_that_says_how_it_is_encoded_need_not_be_collected() {
        let rest = "é ".repeat(1 << 20);
        let of = |start: &str| {
            collected(&[start.as_bytes(), rest.as_bytes()].concat(), 100, &EncodingHints::default())
        };
        assert_eq!(of("\u{FEFF}"), 100);
        assert_eq!(of("<!DOCTYPE html><meta charset=utf-8>"), 100);
        assert_eq!(of("# vim: fenc=utf-8\n"), 100);
        let known = EncodingHints {
            transport: Some(crate::charset::Charset::UTF_8),
            ..EncodingHints::default()
        };
        assert_eq!(collected(rest.as_bytes(), 100, &known), 100);
    }

    #[test]
    fn of_others_it_is_the_first_64_kib_of_non_ascii_or_1_mib() {
        let known = EncodingHints::default();
        for block in [1 << 10, 1 << 16] {
            assert_eq!(collected("é".repeat(1 << 20).as_bytes(), block, &known), NON_ASCII);
            assert_eq!(collected(&[b'a'; 2 << 20], block, &known), START);
        }
        assert_eq!(collected(b"short", 1, &known), 5);
    }
}

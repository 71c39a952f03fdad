//! Detects the encoding of a document, the source of that information, and how much of its beginning is needed for that.
//!
//! The input is the beginning of a document and external evidence, the result is a [`Detected`]. The order is: byte order
//! mark, transport, a declaration in the document's first 1,024 bytes, UTF-8 if it is valid, the content, windows-1252.
//! A transport that declares UTF-16 is ignored if these bytes are ASCII without NUL.
//! Only the first 64 KiB of non-ASCII bytes in the first 1 MiB count; later bytes never change the result, so a stream
//! collects no more than that.

use super::evidence::{
    self, CharsetSource, DeclaredEncoding, Detected, EncodingHints, UndecodableError,
};
use super::utf8::{self, Extent, NON_ASCII, START};
use super::{Charset, encodings};

impl Detected {
    /// Maximum number of bytes of a document that [`Detected::of`] examines.
    pub const START: usize = START;

    /// Detects the encoding as [`Detected::of`] does.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Detected, UndecodableError> {
        let (start, extent) = match bytes.get(..START) {
            Some(start) if bytes.len() > START => (start, Extent::Beginning),
            _ => (bytes, Extent::Whole),
        };
        decide(start, extent, &EncodingHints::default())
    }
}

/// Detects the encoding of a document that begins with `start`, of which only the first [`START`] bytes are examined.
///
/// # Errors
///
/// Returns an error if the document declares `replacement`.
pub(crate) fn decide(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
) -> Result<Detected, UndecodableError> {
    decide_if(start, extent, known, &|_| true)
}

/// Returns the same, but windows-1252 for a complete document whose encoding could only be guessed, and for whose bytes
/// `is_needed` returns `false`.
///
/// # Errors
///
/// Returns an error if the document declares `replacement`.
pub(crate) fn decide_if(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
    is_needed: &dyn Fn(&[u8]) -> bool,
) -> Result<Detected, UndecodableError> {
    let (start, extent) = match start.get(..START) {
        Some(head) if start.len() > START => (head, Extent::Beginning),
        _ => (start, extent),
    };
    match said(start, extent, known)? {
        DeclaredEncoding::As(detected) => Ok(detected),
        DeclaredEncoding::Nothing { unknown_label } => {
            let detected = encodings::by_content(start, extent, known, is_needed)?;
            let unknown_label = unknown_label.or(detected.unknown_label);
            Ok(Detected { unknown_label, ..detected })
        }
    }
}

/// Detects the encoding by a byte order mark, by the transport's declaration, or by one in the document.
///
/// # Errors
///
/// Returns an error if the document declares `replacement`.
pub(super) fn said(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
) -> Result<DeclaredEncoding, UndecodableError> {
    if let Some(detected) = known.detected {
        return Ok(DeclaredEncoding::As(detected.clone()));
    }
    if let Some(charset) = evidence::sniff_bom(start).and_then(Charset::of_bom) {
        return Ok(DeclaredEncoding::As(Detected::new(charset, CharsetSource::Bom)));
    }
    let is_decided = extent == Extent::Whole || start.len() >= START;
    let is_wrong = || is_decided && lacks_utf16(start, known);
    if let Some(charset) = known.transport.filter(|_| !is_wrong()) {
        return Ok(DeclaredEncoding::As(Detected::new(charset, CharsetSource::Transport)));
    }
    Ok(encodings::declared(start, extent, known)?.after(known.unknown_label))
}

/// Returns `true` if the transport declares UTF-16, and these bytes are ASCII without NUL. Text in UTF-16 that has a link, or
/// a line end, has a NUL.
fn lacks_utf16(start: &[u8], known: &EncodingHints<'_>) -> bool {
    known.transport.is_some_and(Charset::is_utf16)
        && !start.is_empty()
        && start.iter().all(|byte| matches!(byte, 1..=0x7F))
}

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
            self.said = declared_in(start, known);
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
        self.said.unwrap_or_else(|| decide(start, extent, known))
    }
}

/// Number of bytes in which a declaration is searched.
const DECLARATION: usize = 1024;

/// Returns the encoding that the beginning declares, or that is declared for it.
fn declared_in(
    start: &[u8],
    known: &EncodingHints<'_>,
) -> Option<Result<Detected, UndecodableError>> {
    // The first bytes may be part of a byte order mark, which has precedence over the transport. A NUL may follow.
    if start.len() < 3 || lacks_utf16(start, known) {
        return None;
    }
    match said(start, Extent::Beginning, known) {
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
    fn a_transport_with_utf_16_needs_a_byte_that_is_not_ascii() {
        let known = EncodingHints {
            transport: Some(crate::charset::Charset::UTF_16LE),
            ..EncodingHints::default()
        };
        let ascii = "see http://e.com/ ".repeat(START / 18 + 1);
        let name = |document: &[u8], extent| {
            decide(document, extent, &known).unwrap().charset().as_str().to_owned()
        };
        let of_all = |document: &[u8]| {
            let names = [1, 100, 5000, 1 << 20].map(|block| {
                let end = collected(document, block, &known);
                let extent = match end == document.len() {
                    true => Extent::Whole,
                    false => Extent::Beginning,
                };
                name(&document[..end], extent)
            });
            let whole = name(document, Extent::Whole);
            assert!(names.iter().all(|name| *name == whole), "{names:?} {whole}");
            whole
        };
        for len in [1, 2, 3, 1023, 1024, 1025, START - 1, START, START + 1] {
            let mut document = ascii.as_bytes()[..len].to_vec();
            assert_eq!(of_all(&document), "utf-8", "{len}");
            for byte in [0, 0x80, 0xFF] {
                document[len - 1] = byte;
                let wanted = if len > START { "utf-8" } else { "utf-16le" };
                assert_eq!(of_all(&document), wanted, "{len} {byte}");
            }
        }
        // The bytes before a pause do not decide.
        assert_eq!(name(b"h", Extent::Beginning), "utf-16le");
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

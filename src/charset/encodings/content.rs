//! Detects the encoding of a document without a declaration, from its content: valid UTF-8, UTF-16 without a byte order
//! mark, ISO-2022-JP, then a guess for the others. A document with many control characters that is not UTF-16 is not text.

use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, UTF_8};

use super::{declared, guess, iso_2022_jp, sample, utf16};
use crate::charset::evidence::{CharsetSource, EncodingHints, UndecodableError};
use crate::charset::has_many_controls;
use crate::charset::utf8::{self, Extent, Utf8Validity};

/// An encoding, its source, and the first unknown label among the declarations.
type ContentEncoding = (&'static Encoding, CharsetSource, Option<String>);

/// Returns the encoding, its source, and an unknown label of a late declaration.
///
/// # Errors
///
/// Returns an error for a late declaration of `replacement`.
pub(super) fn find(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
) -> Result<ContentEncoding, UndecodableError> {
    let (judged, extent) = utf8::judged(start, extent);
    // This check is first, because text in UTF-16 may be valid ASCII with NULs.
    if let Some(encoding) = utf16::without_mark(judged) {
        return Ok((encoding, CharsetSource::Detected, None));
    }
    let verdict = utf8::verdict(judged, extent);
    match verdict {
        Utf8Validity::Valid => return Ok((UTF_8, CharsetSource::Utf8, None)),
        Utf8Validity::Damaged => return Ok((UTF_8, CharsetSource::Detected, None)),
        Utf8Validity::Ascii | Utf8Validity::Other => {}
    }
    let (declared, unknown) = declared::find_late(judged, known.kind).settle()?;
    if let Some(encoding) = declared {
        return Ok((encoding, CharsetSource::Declared, unknown));
    }
    let (encoding, source) = match verdict {
        Utf8Validity::Ascii if iso_2022_jp::is_plausible(judged) => {
            (ISO_2022_JP, CharsetSource::Detected)
        }
        Utf8Validity::Ascii => (UTF_8, CharsetSource::Utf8),
        // An image or an archive: do not guess. As UTF-8 it has the least text.
        _ if has_many_controls(judged) => (UTF_8, CharsetSource::Default),
        _ => match guess::of(&sample::words(judged), known.tld) {
            // Both have the same decoder, but only GB18030 has the characters of four bytes in a query.
            (encoding, source) if encoding == GBK && judged.windows(4).any(is_four_bytes) => {
                (GB18030, source)
            }
            other => other,
        },
    };
    Ok((encoding, source, unknown))
}

/// Returns `true` if the bytes are a character of GB18030 that GBK does not have: in GBK no digit follows a lead byte.
fn is_four_bytes(bytes: &[u8]) -> bool {
    matches!(bytes, [0x81..=0xFE, 0x30..=0x39, 0x81..=0xFE, 0x30..=0x39])
}

//! A guess at the encoding of what is neither UTF-8 nor UTF-16 nor ISO-2022-JP.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1252};

use super::detect::CharsetSource;

/// What the sample is encoded in, and whether anything spoke for it.
pub(super) fn of(sample: &[u8], tld: Option<&[u8]>) -> (&'static Encoding, CharsetSource) {
    let tld = tld.map(<[u8]>::to_ascii_lowercase);
    // It panics on a dot or on what is not ASCII.
    let tld = tld.filter(|tld| tld.is_ascii() && !tld.contains(&b'.'));
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, false);
    let encoding = detector.guess(tld.as_deref(), Utf8Detection::Deny);
    let source = match encoding == WINDOWS_1252 {
        true => CharsetSource::Default,
        false => CharsetSource::Detected,
    };
    (encoding, source)
}

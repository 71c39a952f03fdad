//! Detection of a document's encoding, and decoding.
//!
//! The encodings are those of the WHATWG Encoding Standard. Without the feature `documents` there is only UTF-8: the module
//! `only_utf8` replaces `encodings`.

mod controls;
mod detect;
#[cfg_attr(not(feature = "documents"), path = "only_utf8.rs")]
mod encodings;
mod evidence;
mod utf8;

use std::fmt;
use std::str::FromStr;

pub(crate) use controls::{HEAD as CONTROLS_HEAD, has_many_controls};
pub(crate) use detect::{DetectionProgress, decide, decide_if};
pub(crate) use encodings::may_have_mode_line;
#[cfg(feature = "documents")]
pub(crate) use encodings::{Layout, LegacyDecoder, TldOpenings, may_stand};
pub(crate) use evidence::UndecodableError;
pub use evidence::{CharsetSource, Detected};
pub(crate) use evidence::{EncodingHints, mark_len};
pub(crate) use utf8::Extent;

/// An encoding of the WHATWG Encoding Standard.
///
/// ```
/// assert_eq!("UTF-8".parse::<linksift::Charset>().unwrap().as_str(), "utf-8");
/// assert!("utf-9".parse::<linksift::Charset>().is_err());
/// # #[cfg(feature = "documents")]
/// assert_eq!("x-sjis".parse::<linksift::Charset>().unwrap().as_str(), "shift_jis");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Charset {
    encoding: &'static encodings::Encoding,
}

impl Default for Charset {
    fn default() -> Charset {
        Charset::UTF_8
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Charset {
    type Err = ParseCharsetError;

    /// Parses a label of the WHATWG Encoding Standard (§4.2) in any letter case. Labels of `replacement` (`hz-gb-2312`,
    /// `iso-2022-kr`) count as unknown, since nothing can be decoded from it.
    fn from_str(label: &str) -> Result<Charset, ParseCharsetError> {
        Charset::for_label(label).ok_or_else(|| ParseCharsetError(label.to_owned()))
    }
}

/// Error for an unknown label of an encoding. Without the feature `documents` only the labels of UTF-8 are known.
///
/// ```
/// # #[cfg(feature = "documents")] {
/// let error = "klingon".parse::<linksift::Charset>().unwrap_err();
/// assert_eq!(error.to_string(), r#"unknown encoding "klingon""#);
/// # }
/// # #[cfg(not(feature = "documents"))] {
/// # let error = "shift_jis".parse::<linksift::Charset>().unwrap_err();
/// # assert_eq!(error.to_string(), r#"charset "shift_jis": without the feature "documents" only UTF-8 is read"#);
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCharsetError(String);

impl ParseCharsetError {
    /// Returns a label as messages contain it: at most 64 characters, without controls.
    pub(crate) fn shown(label: &str) -> Box<str> {
        label.chars().take(64).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
    }
}

impl fmt::Display for ParseCharsetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match cfg!(feature = "documents") {
            true => write!(f, "unknown encoding {:?}", self.0),
            false => {
                let label = &self.0;
                write!(
                    f,
                    "encoding {label:?}: only UTF-8 is supported without the feature \"documents\""
                )
            }
        }
    }
}

impl std::error::Error for ParseCharsetError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iri::Octet;

    /// The same calls compile with and without the feature `documents`.
    #[test]
    fn utf_8_is_decoded_and_encoded_in_every_build() {
        let charset = Charset::default();
        assert_eq!(charset.decode(b"caf\xC3\xA9 \xFF \xE6\x96"), "café \u{FFFD} \u{FFFD}");
        let mut octets = Vec::new();
        charset.encode_query("aé", &mut |octet| octets.push(octet));
        assert_eq!(octets, [Octet::Written(b'a'), Octet::Encoded(0xC3), Octet::Encoded(0xA9)]);
        assert!(charset.is_unicode() && charset.as_str() == "utf-8");
    }
}

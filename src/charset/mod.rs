//! Charsets: which encoding a document is in and why, and stored bytes as text.
//!
//! The encodings are those of the WHATWG Encoding Standard. Without the feature `charset` there is
//! UTF-8 alone.

mod bom;
#[cfg(feature = "documents")]
mod code_page;
#[cfg(feature = "documents")]
mod content;
mod controls;
#[cfg(feature = "documents")]
mod declaration;
#[cfg(feature = "documents")]
mod declared;
mod detect;
mod enough;
mod evidence;
#[cfg(feature = "documents")]
mod frequency;
#[cfg(feature = "documents")]
mod guess;
#[cfg(feature = "documents")]
mod iso_2022_jp;
#[cfg(feature = "documents")]
mod label;
#[cfg(feature = "documents")]
mod legacy;
mod letters;
mod marks;
#[cfg(feature = "documents")]
mod mode_line;
#[cfg(feature = "documents")]
mod prescan;
#[cfg(feature = "documents")]
mod query;
mod sample;
#[cfg(feature = "documents")]
mod utf16;
mod utf8;

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "documents")]
use encoding_rs::Encoding;

use bom::Bom;
pub(crate) use controls::{HEAD as CONTROLS_HEAD, has_many_controls};
pub(crate) use detect::decide;
pub(crate) use enough::Enough;
pub(crate) use evidence::Known;
pub use evidence::{CharsetSource, Detected, UndecodableError};
#[cfg(feature = "documents")]
pub(crate) use legacy::{Decoding, Layout, Openings, may_stand};
pub(crate) use utf8::Extent;

/// A charset that inputs are decoded from: an encoding of the WHATWG Encoding Standard.
///
/// ```
/// assert_eq!("UTF-8".parse::<linksift::Charset>().unwrap().name(), "utf-8");
/// assert!("utf-9".parse::<linksift::Charset>().is_err());
/// # #[cfg(feature = "documents")]
/// assert_eq!("x-sjis".parse::<linksift::Charset>().unwrap().name(), "shift_jis");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Charset {
    #[cfg(feature = "documents")]
    encoding: &'static Encoding,
}

impl Default for Charset {
    fn default() -> Charset {
        Charset::UTF_8
    }
}

#[cfg(not(feature = "documents"))]
impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset {};

    /// The name of the encoding in the WHATWG Encoding Standard, in lower case.
    pub fn name(self) -> &'static str {
        "utf-8"
    }

    fn of_bom(bom: Bom) -> Charset {
        match bom {
            Bom::Utf8 => Charset::UTF_8,
        }
    }

    fn for_label(label: &str) -> Option<Charset> {
        const LABELS: [&str; 6] = [
            "utf-8",
            "utf8",
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "x-unicode20utf8",
        ];
        let wanted = label.trim_matches(|c: char| c.is_ascii_whitespace());
        LABELS.iter().any(|known| known.eq_ignore_ascii_case(wanted)).then_some(Charset::UTF_8)
    }
}

#[cfg(not(feature = "documents"))]
impl Charset {
    /// Whether what it encodes is all of Unicode: without the feature `charset` all text is UTF-8.
    pub(crate) fn is_unicode(self) -> bool {
        true
    }
}

#[cfg(feature = "documents")]
impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset { encoding: encoding_rs::UTF_8 };

    /// What most texts are in that are not in UTF-8 and do not say what they are in.
    #[cfg(feature = "mail")]
    pub(crate) const WINDOWS_1252: Charset = Charset { encoding: encoding_rs::WINDOWS_1252 };

    /// The name of the encoding in the WHATWG Encoding Standard, in lower case.
    ///
    /// ```
    /// let charset: linksift::Charset = "latin1".parse().unwrap();
    /// assert_eq!(charset.name(), "windows-1252");
    /// ```
    pub fn name(self) -> &'static str {
        let known = NAMES.iter().find(|(encoding, _)| *encoding == self.encoding);
        known.map_or_else(|| self.encoding.name(), |(_, lower)| lower)
    }

    fn of_bom(bom: Bom) -> Charset {
        Charset::of(match bom {
            Bom::Utf8 => encoding_rs::UTF_8,
            Bom::Utf16Be => encoding_rs::UTF_16BE,
            Bom::Utf16Le => encoding_rs::UTF_16LE,
        })
    }

    fn for_label(label: &str) -> Option<Charset> {
        let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
        Some(Charset { encoding })
    }

    /// How its characters are laid out; `None` for UTF-8, which is scanned as it is.
    pub(crate) fn layout(self) -> Option<Layout> {
        let encoding = self.encoding;
        if encoding == encoding_rs::UTF_8 {
            return None;
        }
        let found = LAYOUTS.iter().find(|(known, _)| *known == encoding);
        Some(found.map_or(Layout::Single, |(_, layout)| *layout))
    }

    /// The encoding as `encoding_rs` knows it.
    pub(crate) const fn encoding(self) -> &'static Encoding {
        self.encoding
    }

    /// The charset that `encoding_rs` knows as this.
    pub(crate) const fn of(encoding: &'static Encoding) -> Charset {
        Charset { encoding }
    }
}

/// The encodings that have more than one byte a character, or states.
#[cfg(feature = "documents")]
const LAYOUTS: [(&Encoding, Layout); 9] = [
    (encoding_rs::SHIFT_JIS, Layout::ShiftJis),
    (encoding_rs::EUC_JP, Layout::EucJp),
    (encoding_rs::EUC_KR, Layout::EucKr),
    (encoding_rs::BIG5, Layout::Big5),
    (encoding_rs::GBK, Layout::Gb),
    (encoding_rs::GB18030, Layout::Gb),
    (encoding_rs::UTF_16LE, Layout::Utf16Le),
    (encoding_rs::UTF_16BE, Layout::Utf16Be),
    (encoding_rs::ISO_2022_JP, Layout::Iso2022Jp),
];

/// The encodings' names in lower case, `replacement` apart; they are told apart by their addresses.
#[cfg(feature = "documents")]
const NAMES: [(&Encoding, &str); 39] = [
    (encoding_rs::UTF_8, "utf-8"),
    (encoding_rs::IBM866, "ibm866"),
    (encoding_rs::ISO_8859_2, "iso-8859-2"),
    (encoding_rs::ISO_8859_3, "iso-8859-3"),
    (encoding_rs::ISO_8859_4, "iso-8859-4"),
    (encoding_rs::ISO_8859_5, "iso-8859-5"),
    (encoding_rs::ISO_8859_6, "iso-8859-6"),
    (encoding_rs::ISO_8859_7, "iso-8859-7"),
    (encoding_rs::ISO_8859_8, "iso-8859-8"),
    (encoding_rs::ISO_8859_8_I, "iso-8859-8-i"),
    (encoding_rs::ISO_8859_10, "iso-8859-10"),
    (encoding_rs::ISO_8859_13, "iso-8859-13"),
    (encoding_rs::ISO_8859_14, "iso-8859-14"),
    (encoding_rs::ISO_8859_15, "iso-8859-15"),
    (encoding_rs::ISO_8859_16, "iso-8859-16"),
    (encoding_rs::KOI8_R, "koi8-r"),
    (encoding_rs::KOI8_U, "koi8-u"),
    (encoding_rs::MACINTOSH, "macintosh"),
    (encoding_rs::WINDOWS_874, "windows-874"),
    (encoding_rs::WINDOWS_1250, "windows-1250"),
    (encoding_rs::WINDOWS_1251, "windows-1251"),
    (encoding_rs::WINDOWS_1252, "windows-1252"),
    (encoding_rs::WINDOWS_1253, "windows-1253"),
    (encoding_rs::WINDOWS_1254, "windows-1254"),
    (encoding_rs::WINDOWS_1255, "windows-1255"),
    (encoding_rs::WINDOWS_1256, "windows-1256"),
    (encoding_rs::WINDOWS_1257, "windows-1257"),
    (encoding_rs::WINDOWS_1258, "windows-1258"),
    (encoding_rs::X_MAC_CYRILLIC, "x-mac-cyrillic"),
    (encoding_rs::GBK, "gbk"),
    (encoding_rs::GB18030, "gb18030"),
    (encoding_rs::BIG5, "big5"),
    (encoding_rs::EUC_JP, "euc-jp"),
    (encoding_rs::ISO_2022_JP, "iso-2022-jp"),
    (encoding_rs::SHIFT_JIS, "shift_jis"),
    (encoding_rs::EUC_KR, "euc-kr"),
    (encoding_rs::UTF_16BE, "utf-16be"),
    (encoding_rs::UTF_16LE, "utf-16le"),
    (encoding_rs::X_USER_DEFINED, "x-user-defined"),
];

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Charset {
    type Err = UnknownLabel;

    /// Takes a label as the WHATWG Encoding Standard lists them (§4.2), any case. Labels of
    /// `replacement` (`hz-gb-2312`, `iso-2022-kr`) are unknown: nothing can be decoded from it.
    fn from_str(label: &str) -> Result<Charset, UnknownLabel> {
        Charset::for_label(label).ok_or_else(|| UnknownLabel(label.to_owned()))
    }
}

/// The label of an encoding that is not known.
///
/// ```
/// let error = "klingon".parse::<linksift::Charset>().unwrap_err();
/// assert_eq!(error.to_string(), r#"unknown charset "klingon""#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLabel(String);

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown charset {:?}", self.0)
    }
}

impl std::error::Error for UnknownLabel {}

#[cfg(all(test, feature = "documents"))]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_label_of_its_own_encoding() {
        for (encoding, name) in NAMES {
            assert_eq!(name.parse(), Ok(Charset::of(encoding)));
            assert_eq!(Charset::of(encoding).name(), name);
            assert_eq!(encoding.name().to_ascii_lowercase(), name);
        }
    }
}

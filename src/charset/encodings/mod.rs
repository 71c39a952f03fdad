//! The encodings of the WHATWG Encoding Standard: their names and layouts, their declarations in documents, detection from
//! the content, and decoding and encoding by `encoding_rs`.

mod by_form;
mod code_page;
mod declared;
mod frequency;
mod guess;
mod label;
mod legacy;
#[path = "../../generated/letters.rs"]
mod letters;
mod mode_line;
mod prescan;
mod query;
mod windows;

pub(crate) use encoding_rs::Encoding;
pub(crate) use legacy::{Layout, LegacyDecoder, TldOpenings, may_stand};
pub(crate) use mode_line::may_have_one as may_have_mode_line;

use super::evidence::{
    Bom, CharsetSource, DeclaredEncoding, Detected, EncodingHints, UndecodableError,
};
use super::{Charset, Extent};

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset { encoding: encoding_rs::UTF_8 };

    /// Encoding of most texts that are not UTF-8 and have no declaration.
    pub(crate) const WINDOWS_1252: Charset = Charset { encoding: encoding_rs::WINDOWS_1252 };

    /// Returns the name of the encoding in the WHATWG Encoding Standard, in lower case.
    ///
    /// ```
    /// let charset: linksift::Charset = "latin1".parse().unwrap();
    /// assert_eq!(charset.as_str(), "windows-1252");
    /// ```
    pub fn as_str(self) -> &'static str {
        let known = NAMES.iter().find(|(encoding, _)| *encoding == self.encoding);
        known.map_or_else(|| self.encoding.name(), |(_, lower)| lower)
    }

    /// UTF-16, little-endian.
    pub(crate) const UTF_16LE: Charset = Charset::of(encoding_rs::UTF_16LE);

    /// Returns `true` if it is UTF-16, in either byte order.
    pub(crate) fn is_utf16(self) -> bool {
        matches!(self.layout(), Some(Layout::Utf16Le | Layout::Utf16Be))
    }

    pub(super) fn of_bom(bom: Bom) -> Option<Charset> {
        Some(Charset::of(match bom {
            Bom::Utf8 => encoding_rs::UTF_8,
            Bom::Utf16Be => encoding_rs::UTF_16BE,
            Bom::Utf16Le => encoding_rs::UTF_16LE,
        }))
    }

    pub(super) fn for_label(label: &str) -> Option<Charset> {
        let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
        Some(Charset { encoding })
    }

    /// Returns the encoding with this name in a message, where names of libraries occur too.
    pub(crate) fn for_mail_label(label: &str) -> Option<Charset> {
        label::of_message(label).map(|encoding| Charset { encoding })
    }

    /// Returns the layout of its characters; `None` for UTF-8, which is scanned directly.
    pub(crate) fn layout(self) -> Option<Layout> {
        let encoding = self.encoding;
        if encoding == encoding_rs::UTF_8 {
            return None;
        }
        let found = LAYOUTS.iter().find(|(known, _)| *known == encoding);
        Some(found.map_or(Layout::Single, |(_, layout)| *layout))
    }

    /// Returns the encoding as a type of `encoding_rs`.
    pub(crate) const fn encoding(self) -> &'static Encoding {
        self.encoding
    }

    /// Creates the value for an encoding of `encoding_rs`.
    pub(crate) const fn of(encoding: &'static Encoding) -> Charset {
        Charset { encoding }
    }
}

/// Detects the encoding from the document's own declaration.
///
/// # Errors
///
/// Returns an error if the document declares `replacement`.
pub(super) fn declared(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
) -> Result<DeclaredEncoding, UndecodableError> {
    let (declared, unknown) = declared::find(start, extent, known.is_html).settle()?;
    let unknown_label = unknown.map(Into::into);
    Ok(match declared.map(Charset::of) {
        Some(charset) => {
            let source = CharsetSource::Declared;
            DeclaredEncoding::As(Detected { charset, source, unknown_label })
        }
        None => DeclaredEncoding::Nothing { unknown_label },
    })
}

/// Detects the encoding from the text; it is guessed only if `is_needed` returns `true` for a complete text.
///
/// # Errors
///
/// Returns an error if the document declares `replacement`.
pub(super) fn by_content(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
    is_needed: &dyn Fn(&[u8]) -> bool,
) -> Result<Detected, UndecodableError> {
    let (encoding, source, unknown) = guess::find_by_content(start, extent, known, is_needed)?;
    let charset = Charset::of(encoding);
    Ok(Detected { charset, source, unknown_label: unknown.map(Into::into) })
}

/// The encodings with more than one byte per character, or with states.
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

/// Lower-case names of the encodings except `replacement`. The encodings are compared by address.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_label_of_its_own_encoding() {
        for (encoding, name) in NAMES {
            assert_eq!(name.parse(), Ok(Charset::of(encoding)));
            assert_eq!(Charset::of(encoding).as_str(), name);
            assert_eq!(encoding.name().to_ascii_lowercase(), name);
        }
    }
}

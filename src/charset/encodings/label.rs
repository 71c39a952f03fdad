//! Labels: names of encodings in documents, as defined by the Encoding Standard or by the editors that write mode lines; and
//! the declaration of a document in any form, which has one.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8};

use crate::charset::ParseCharsetError;
use crate::charset::evidence::UndecodableError;

/// Maximum length of a label; a message must not contain a complete document.
const LONGEST: usize = 64;

/// Applies the standard's "get an encoding"; `replacement` is a possible result.
pub(super) fn standard(label: &[u8]) -> Option<&'static Encoding> {
    // Nearly every page declares this label.
    match label.eq_ignore_ascii_case(b"utf-8") {
        true => Some(UTF_8),
        false => Encoding::for_label(label),
    }
}

/// Encoding that a mode line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModeLineName {
    Encoding(&'static Encoding),
    /// A name that declares nothing (`undecided`, `raw-text`).
    Nothing,
    Unknown,
}

/// Returns the encoding with this name in Emacs, Vim or Python.
pub(super) fn of_editor(name: &[u8]) -> ModeLineName {
    let lower = name.to_ascii_lowercase();
    let mut name = &lower[..];
    for ending in [&b"-unix"[..], b"-dos", b"-mac"] {
        // Nothing would be left of `x-mac` and similar names.
        name = name.strip_suffix(ending).filter(|rest| rest.len() > 2).unwrap_or(name);
    }
    for prefix in [&b"8bit-"[..], b"2byte-"] {
        name = name.strip_prefix(prefix).unwrap_or(name);
    }
    if let Some(encoding) = standard(name) {
        return ModeLineName::Encoding(encoding);
    }
    let dashed: Vec<u8> = name.iter().map(|b| if *b == b'_' { b'-' } else { *b }).collect();
    if SILENT.iter().any(|silent| silent.as_bytes() == dashed) {
        return ModeLineName::Nothing;
    }
    let known = EDITORS.iter().find(|(editors, _)| editors.as_bytes() == dashed);
    match standard(known.map_or(&dashed, |(_, label)| label.as_bytes())) {
        Some(encoding) => ModeLineName::Encoding(encoding),
        None => ModeLineName::Unknown,
    }
}

/// Returns the encoding with this name in a message: a label, a name of an editor or a library, or a code page of Windows.
pub(super) fn of_message(name: &str) -> Option<&'static Encoding> {
    let name = name.trim_ascii().as_bytes();
    let of_editor = || match of_editor(name) {
        ModeLineName::Encoding(encoding) => Some(encoding),
        ModeLineName::Nothing | ModeLineName::Unknown => None,
    };
    let of_library = || {
        let known = LIBRARIES.iter().find(|(own, _)| own.as_bytes().eq_ignore_ascii_case(name))?;
        standard(known.1.as_bytes())
    };
    let of_windows = || {
        let is = |front: &str| {
            name.get(..front.len())?.eq_ignore_ascii_case(front.as_bytes()).then_some(front.len())
        };
        let page = &name[is("windows").or_else(|| is("win"))?..];
        let page = page.strip_prefix(b"-").unwrap_or(page);
        standard(&[b"windows-", page].concat())
    };
    let found = standard(name).or_else(of_editor).or_else(of_library).or_else(of_windows);
    found.filter(|encoding| *encoding != REPLACEMENT)
}

/// Names that only messages have, of Java's encodings, of libraries and of databases, with labels of the same encodings.
const LIBRARIES: [(&str, &str); 6] = [
    ("ms936", "gbk"),
    ("ms949", "euc-kr"),
    ("ms950", "big5"),
    ("iso-2022-jp-ms", "iso-2022-jp"),
    ("utf8mb3", "utf-8"),
    ("utf8mb4", "utf-8"),
];

/// Names that declare nothing.
const SILENT: [&str; 7] =
    ["undecided", "raw-text", "no-conversion", "binary", "prefer-utf-8", "ucs-bom", "none"];

/// Names of Emacs' coding systems, of Vim's `fileencoding` and of Python's codecs that are not labels of the standard, with
/// the labels of the same encodings. `_` is written `-`.
const EDITORS: &[(&str, &str)] = &[
    ("utf-8-emacs", "utf-8"),
    ("utf-8-auto", "utf-8"),
    ("utf-8-sig", "utf-8"),
    ("utf-8-with-signature", "utf-8"),
    ("mule-utf-8", "utf-8"),
    ("u8", "utf-8"),
    ("latin-0", "iso-8859-15"),
    ("latin-1", "iso-8859-1"),
    ("latin-2", "iso-8859-2"),
    ("latin-3", "iso-8859-3"),
    ("latin-4", "iso-8859-4"),
    ("latin-5", "iso-8859-9"),
    ("latin-6", "iso-8859-10"),
    ("latin-7", "iso-8859-13"),
    ("latin-8", "iso-8859-14"),
    ("latin-9", "iso-8859-15"),
    ("latin-10", "iso-8859-16"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    ("iso-latin-1", "iso-8859-1"),
    ("iso-latin-2", "iso-8859-2"),
    ("iso-latin-3", "iso-8859-3"),
    ("iso-latin-4", "iso-8859-4"),
    ("iso-latin-5", "iso-8859-9"),
    ("iso-latin-6", "iso-8859-10"),
    ("iso-latin-7", "iso-8859-13"),
    ("iso-latin-8", "iso-8859-14"),
    ("iso-latin-9", "iso-8859-15"),
    ("iso-latin-10", "iso-8859-16"),
    ("cyrillic-iso-8bit", "iso-8859-5"),
    ("greek-iso-8bit", "iso-8859-7"),
    ("hebrew-iso-8bit", "iso-8859-8"),
    ("cyrillic-koi8", "koi8-r"),
    ("alternativnyj", "ibm866"),
    ("cyrillic-alternativnyj", "ibm866"),
    ("mac-roman", "macintosh"),
    ("macroman", "macintosh"),
    ("mac-cyrillic", "x-mac-cyrillic"),
    ("tis620", "tis-620"),
    ("th-tis620", "tis-620"),
    ("thai-tis620", "tis-620"),
    ("cp874", "windows-874"),
    ("cp932", "shift-jis"),
    ("japanese-cp932", "shift-jis"),
    ("japanese-shift-jis", "shift-jis"),
    ("mskanji", "shift-jis"),
    ("euc-japan", "euc-jp"),
    ("euc-japan-1990", "euc-jp"),
    ("japanese-iso-8bit", "euc-jp"),
    ("ujis", "euc-jp"),
    ("eucjp", "euc-jp"),
    ("iso-2022-jp-1", "iso-2022-jp"),
    ("junet", "iso-2022-jp"),
    ("cp949", "euc-kr"),
    ("uhc", "euc-kr"),
    ("euc-korea", "euc-kr"),
    ("korean-iso-8bit", "euc-kr"),
    ("korean-cp949", "euc-kr"),
    ("iso-2022-int-1", "iso-2022-kr"),
    ("cp936", "gbk"),
    ("chinese-gbk", "gbk"),
    ("euc-cn", "gb2312"),
    ("euc-china", "gb2312"),
    ("cn-gb-2312", "gb2312"),
    ("cn-gb", "gb2312"),
    ("chinese-iso-8bit", "gb2312"),
    ("chinese-gb18030", "gb18030"),
    ("chinese-hz", "hz-gb-2312"),
    ("hz", "hz-gb-2312"),
    ("cp950", "big5"),
    ("chinese-big5", "big5"),
    ("chinese-big5-hkscs", "big5-hkscs"),
    ("ucs-2le", "utf-16le"),
];

/// Returns a label as messages contain it.
pub(super) fn shown(label: &[u8]) -> String {
    let label = label.trim_ascii();
    let text = String::from_utf8_lossy(&label[..label.len().min(LONGEST)]);
    ParseCharsetError::shown(&text).into()
}

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
            true => shown(label),
            false => String::new(),
        };
        Declaration { encoding: Some(encoding), label, unknown: None }
    }

    /// Records an unknown label, if there was none before.
    pub(super) fn or_unknown(mut self, label: Option<&[u8]>) -> Declaration {
        if self.unknown.is_none() {
            self.unknown = label.filter(|label| !label.is_empty()).map(shown);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_editors_say_is_a_label_of_the_standard() {
        for (editors, label) in EDITORS {
            assert!(standard(label.as_bytes()).is_some(), "{label}");
            assert!(standard(editors.as_bytes()).is_none(), "{editors} is one itself");
        }
    }

    #[test]
    fn names_of_messages() {
        for (names, standard) in [
            ("cp932", "Shift_JIS"),
            ("cp936", "GBK"),
            ("CP949 MS949", "EUC-KR"),
            ("cp950 ms950", "Big5"),
            ("iso-2022-jp-ms", "ISO-2022-JP"),
            ("win-1251 windows1251 Windows-1251 WIN1251", "windows-1251"),
            ("utf_8 utf8mb4 UTF-8 utf8", "UTF-8"),
            ("latin1 latin-1", "windows-1252"),
        ] {
            for name in names.split(' ') {
                assert_eq!(of_message(name).map(Encoding::name), Some(standard), "{name}");
            }
        }
        for name in
            ["hz", "iso-2022-kr", "cp437", "cp850", "klingon", "undecided", "win", "windows-", ""]
        {
            assert_eq!(of_message(name), None, "{name}");
        }
        for (own, label) in LIBRARIES {
            assert!(standard(label.as_bytes()).is_some(), "{label}");
            assert!(matches!(of_editor(own.as_bytes()), ModeLineName::Unknown), "{own}");
        }
    }

    #[test]
    fn endings_say_how_lines_end() {
        let name = |name: &str| match of_editor(name.as_bytes()) {
            ModeLineName::Encoding(encoding) => encoding.name(),
            ModeLineName::Nothing => "nothing",
            ModeLineName::Unknown => "unknown",
        };
        for (editors, standard) in [
            ("utf-8-unix", "UTF-8"),
            ("latin-1-dos", "windows-1252"),
            ("latin_1", "windows-1252"),
            ("euc-jp-mac", "EUC-JP"),
            ("euc_jp", "EUC-JP"),
            ("sjis", "Shift_JIS"),
            ("shift_jis", "Shift_JIS"),
            ("cp1251", "windows-1251"),
            ("mac_roman", "macintosh"),
            ("x-mac-cyrillic", "x-mac-cyrillic"),
            ("iso8859_15", "ISO-8859-15"),
            ("8bit-iso-8859-2", "ISO-8859-2"),
            ("ks_c_5601-1987", "EUC-KR"),
            ("undecided-unix", "nothing"),
            ("hz", "replacement"),
            ("klingon", "unknown"),
            ("-unix", "unknown"),
        ] {
            assert_eq!(name(editors), standard, "{editors}");
        }
    }
}

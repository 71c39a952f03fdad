//! Option values that shell completions suggest; other values are accepted too.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use linksift::Format;

/// Parser for any string, with values that completions suggest.
#[derive(Clone, Copy)]
pub(super) struct Suggested(pub(super) &'static [&'static str]);

/// The formats, as [`linksift::Format`] names them.
pub(super) const FORMATS: Suggested = Suggested(&FORMAT_NAMES);

const FORMAT_NAMES: [&str; Format::ALL.len()] = {
    let mut names = [""; Format::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Format::ALL[at].as_str();
        at += 1;
    }
    names
};

/// Returns the long help of an option for the format: the short help, and the names.
pub(super) fn with_formats(short: &str) -> String {
    let (last, others) = FORMAT_NAMES.split_last().unwrap_or((&"", &[]));
    let others = others.join(", ");
    format!(
        "{short}\n\nFORMAT is {others} or {last}. auto decides by the name, then by the first bytes."
    )
}

/// The names of the WHATWG Encoding Standard; it has many more labels.
pub(super) const CHARSETS: Suggested = Suggested(&[
    "utf-8",
    "utf-16le",
    "utf-16be",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "ibm866",
    "macintosh",
    "x-mac-cyrillic",
    "x-user-defined",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
]);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|value| PossibleValue::new(*value))))
    }
}

#[cfg(test)]
mod tests {
    use linksift::Charset;

    use super::*;

    #[test]
    fn what_is_suggested_is_there() {
        for name in CHARSETS.0 {
            assert_eq!(name.parse::<Charset>().unwrap().as_str(), *name);
        }
    }
}

//! Names of members: stored bytes in any charset in, text out.

use super::member::Member;
use crate::charset::{Charset, CharsetSource, Detected};

/// The upper half of code page 437, which zips are in where nothing says otherwise.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// Encoding of an archive's names that are not UTF-8.
#[derive(Clone, Copy, Debug)]
pub(super) enum Coding {
    Charset(Charset),
    Cp437,
}

impl Coding {
    /// Detects the encoding of all these names together; none of them is UTF-8.
    pub(super) fn of(names: &[u8]) -> Coding {
        match Detected::of(names) {
            Ok(found) if found.source() == CharsetSource::Detected => {
                Coding::Charset(found.charset())
            }
            _ => Coding::Cp437,
        }
    }

    fn decode(self, name: &[u8]) -> String {
        match self {
            Coding::Charset(charset) => charset.decode(name).into_owned(),
            Coding::Cp437 => {
                let upper: Vec<char> = CP437.chars().collect();
                let char = |byte: &u8| match byte {
                    0..=0x7F => char::from(*byte),
                    _ => upper.get(usize::from(byte - 0x80)).copied().unwrap_or('\u{FFFD}'),
                };
                name.iter().map(char).collect()
            }
        }
    }
}

/// The member of this stored name in another one; a name that is not UTF-8 is decoded by the coding of
/// its archive, or detected alone.
pub(super) fn inner(outer: &Member, name: &[u8], coding: Option<Coding>) -> Member {
    match std::str::from_utf8(name) {
        Ok(name) => outer.inner(name, None),
        Err(_) => {
            let coding = coding.unwrap_or_else(|| Coding::of(name));
            outer.inner(&coding.decode(name), Some(name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_page_437_is_whole() {
        assert_eq!(CP437.chars().count(), 128);
        assert_eq!(Coding::Cp437.decode(b"caf\x82"), "café");
    }
}

//! ToASCII for simple hosts, which nearly all are: it needs only one table.
//!
//! Hosts that are not [simple](SimpleHost) are left to `idna`; the tests compare the two for every character that is
//! accepted here.

use std::str::Chars;

use crate::tables::forms::kind;
use crate::tables::punycode::{self, Points};
use crate::tables::simple_host::SimpleHost;

/// Maximum length in octets without the root dot (RFC 1035 §2.3.4).
pub(super) const LONGEST_HOST: usize = 253;

/// Returns `true` if a non-ASCII host is simple, and so short that it surely can be mapped. Nothing is allocated.
pub(crate) fn is_simple(host: &str) -> bool {
    let (mut rules, mut pieces) = (SimpleHost::default(), HostPieces::of(host));
    if host.len() > LONGEST_HOST {
        return false;
    }
    while let Some(piece) = pieces.next() {
        match piece {
            HostPiece::Ascii(byte) => rules.ascii(byte),
            HostPiece::Other(c) => rules.other(u32::from(c), kind(c)),
            // The root has an empty label.
            HostPiece::End { label: [], is_last } => return is_last && rules.is_mapped(host.len()),
            HostPiece::End { label, .. } => rules.end_label(label),
        }
    }
    rules.is_mapped(host.len())
}

/// Appends the host as A-labels and lower-case ASCII, if it is simple and within the limits of the DNS; otherwise the
/// appended text has no meaning.
pub(crate) fn push_simple(out: &mut String, host: &str) -> Option<()> {
    let (mut rules, mut points) = (SimpleHost::default(), Points::new());
    let (before, mut start) = (out.len(), out.len());
    let mut pieces = HostPieces::of(host);
    while let Some(piece) = pieces.next() {
        match piece {
            HostPiece::Ascii(byte) => {
                rules.ascii(byte);
                points.basic()?;
                push(out, byte.to_ascii_lowercase());
            }
            HostPiece::Other(c) => {
                rules.other(u32::from(c), kind(c));
                points.insert(c)?;
            }
            HostPiece::End { label, is_last } => {
                if !points.is_basic() {
                    out.insert_str(start, "xn--");
                    points.encode(|digit| push(out, digit));
                }
                match out.len() - start {
                    0 if is_last => {}
                    1..=punycode::LONGEST => rules.end_label(label),
                    _ => return None,
                }
                if !is_last {
                    points.clear();
                    out.push('.');
                    start = out.len();
                }
            }
        }
    }
    let is_root = start == out.len();
    (rules.is_simple() && out.len() - before <= LONGEST_HOST + usize::from(is_root)).then_some(())
}

/// Appends an ASCII character.
#[inline(always)]
fn push(out: &mut String, byte: u8) {
    out.push(char::from(byte & 0x7F));
}

/// A part of a host.
enum HostPiece<'h> {
    /// An ASCII character of a label.
    Ascii(u8),
    /// A non-ASCII character of a label.
    Other(char),
    /// The end of a label.
    End { label: &'h [u8], is_last: bool },
}

/// The characters and the ends of labels of a host, in order.
struct HostPieces<'h> {
    host: &'h str,
    rest: Chars<'h>,
    /// Where the label begins; `None` after the last one.
    label: Option<usize>,
}

impl<'h> HostPieces<'h> {
    fn of(host: &'h str) -> HostPieces<'h> {
        HostPieces { host, rest: host.chars(), label: Some(0) }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<HostPiece<'h>> {
        let bytes = self.host.as_bytes();
        Some(match self.rest.next() {
            Some('.') => {
                let end = bytes.len() - self.rest.as_str().len();
                let label = bytes.get(self.label.replace(end)?..end - 1)?;
                HostPiece::End { label, is_last: false }
            }
            Some(c) if c.is_ascii() => HostPiece::Ascii(c as u8),
            Some(c) => HostPiece::Other(c),
            None => HostPiece::End { label: bytes.get(self.label.take()?..)?, is_last: true },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::forms::MappingClass;
    use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

    fn simple_to_ascii(host: &str) -> Option<String> {
        let mut out = String::new();
        push_simple(&mut out, host).map(|()| out)
    }

    fn by_idna(host: &str) -> Option<String> {
        let uts46 = Uts46::new();
        let url = AsciiDenyList::URL;
        let ascii = uts46.to_ascii(host.as_bytes(), url, Hyphens::Allow, DnsLength::Ignore);
        ascii.ok().map(|ascii| ascii.into_owned())
    }

    /// For every host that is handled here, the result is that of `idna`, including rejections.
    #[test]
    fn every_character_by_itself_and_beside_others() {
        let all: Vec<char> = (0x80..0x10_FFFF)
            .filter_map(char::from_u32)
            .filter(|&c| kind(c) != MappingClass::Other)
            .collect();
        assert!(all.len() > 30_000);
        let few: Vec<char> =
            "aé中にβя가ابह्ि9-\u{E01}\u{E34}\u{E3A}\u{E39}\u{E38}\u{E48}".chars().collect();
        for &c in &all {
            for &d in &few {
                for host in
                    [format!("{c}"), format!("{c}{d}"), format!("{d}{c}"), format!("b{c}.{d}")]
                {
                    if let Some(answer) = simple_to_ascii(&host) {
                        assert_eq!(Some(answer), by_idna(&host), "{host}");
                    }
                }
            }
        }
    }

    /// Simple hosts are mapped as `idna` maps them, and simple short ones can be mapped; `LINKSIFT_CASES` sets a greater
    /// number of hosts than the default.
    #[test]
    fn labels_at_random() {
        let cases = std::env::var("LINKSIFT_CASES").ok().and_then(|n| n.parse().ok());
        let stays: Vec<char> =
            ('\u{80}'..=char::MAX).filter(|&c| kind(c) != MappingClass::Other).collect();
        let alphabet: Vec<char> =
            "abz09-.AZé中文にカβςяё가힣אבתاپیहिी्ंğőвươế\u{200D}\u{301}１٣۴·ßก\u{E34}\u{E3A}\u{E39}\u{E48}\u{E49}\u{EB8}\u{EC8}\u{E82}\u{64F}\u{64B}\u{651}".chars().collect();
        let mut dice = crate::dice::Dice::new(46);
        let (mut answers, mut short) = (0, 0);
        let cases: u32 = cases.unwrap_or(200_000);
        for _ in 0..cases {
            let block = dice.below(stays.len());
            let host: String = (0..1 + dice.below(14))
                .map(|_| match dice.below(8) {
                    0 => dice.pick(&stays),
                    1..4 => dice.pick(&alphabet),
                    _ => stays[(block + dice.below(64)) % stays.len()],
                })
                .collect();
            let answer = simple_to_ascii(&host);
            if is_simple(&host) && !host.is_ascii() {
                assert!(answer.is_some() && crate::iri::host_to_ascii(&host).is_ok(), "{host}");
                short += 1;
            }
            if answer.is_some() {
                answers += 1;
                assert_eq!(answer, by_idna(&host), "{host}");
            }
        }
        assert!(answers > cases / 5 && short > cases / 10, "{answers} {short}");
    }
}

//! ToASCII for simple hosts, which nearly all are: it needs only one table.
//!
//! A host is simple if each label is ASCII letters, digits and hyphens, or letters that are "valid" by UTS #46 and that NFC
//! does not change in any context. The only remaining steps of UTS #46 for them are Punycode (RFC 3492), and the Bidi rule
//! (RFC 5893 §2) for right-to-left letters. Other hosts are left to `idna`; the tests compare the two for every character
//! that is accepted here.

use crate::tables::forms::{MappingClass, kind};
use crate::tables::punycode;

/// Maximum length in octets without the root dot (RFC 1035 §2.3.4).
pub(super) const LONGEST_HOST: usize = 253;

/// Numbers of octets and code points that cannot exceed the limits of the DNS: each code point takes at most five digits of
/// Punycode.
const SHORT: (usize, usize) = (64, 10);

/// Returns `true` if a non-ASCII host is simple, and so short that it surely can be mapped. Nothing is allocated.
pub(crate) fn is_simple(host: &str) -> bool {
    let mut domain = Domain::default();
    host.len() <= SHORT.0
        && labels(host).all(|(label, is_last)| match label.is_ascii() {
            // The root has an empty label.
            true => (!label.is_empty() || is_last) && domain.takes_ascii(label),
            false => {
                let mut count = 0;
                domain.takes(label, |_, _| count += 1) && count <= SHORT.1
            }
        })
        && domain.keeps_bidi_rule()
}

/// Appends the host as A-labels and lower-case ASCII, if it is simple and within the limits of the DNS; otherwise the
/// appended text has no meaning.
pub(crate) fn push_simple(out: &mut String, host: &str) -> Option<()> {
    let mut domain = Domain::default();
    let before = out.len();
    for (label, is_last) in labels(host) {
        let start = out.len();
        if label.is_ascii() {
            let has_length = label.len() <= punycode::LONGEST && (!label.is_empty() || is_last);
            if !has_length || !domain.takes_ascii(label) {
                return None;
            }
            out.push_str(label);
            out.get_mut(start..)?.make_ascii_lowercase();
        } else {
            out.push_str("xn--");
            out.push_str(ALabel::of(label, &mut domain)?.after_prefix()?);
        }
        if !is_last {
            out.push('.');
        }
    }
    let is_root = out.ends_with('.');
    (domain.keeps_bidi_rule() && out.len() - before <= LONGEST_HOST + usize::from(is_root))
        .then_some(())
}

/// The A-label of a non-ASCII label, without its prefix.
struct ALabel {
    bytes: [u8; punycode::LONGEST - 4],
    len: usize,
}

impl ALabel {
    /// Creates the A-label of a simple label, if it is not too long.
    #[inline]
    fn of(label: &str, domain: &mut Domain) -> Option<ALabel> {
        let mut written = ALabel { bytes: [0; punycode::LONGEST - 4], len: 0 };
        let mut points = [0u32; punycode::LONGEST];
        let (mut count, mut plain) = (0, 0);
        let is_simple = domain.takes(label, |c, is_plain| {
            if is_plain {
                plain += 1;
                // The character is ASCII.
                written.push(c as u8);
            }
            if let Some(point) = points.get_mut(count) {
                *point = u32::from(c);
            }
            count += 1;
        });
        let points = points.get(..count).filter(|_| is_simple)?;
        punycode::encode(points, plain, |b| written.push(b))?;
        Some(written)
    }

    #[inline]
    fn push(&mut self, b: u8) -> Option<()> {
        *self.bytes.get_mut(self.len)? = b;
        self.len += 1;
        Some(())
    }

    fn after_prefix(&self) -> Option<&str> {
        str::from_utf8(self.bytes.get(..self.len)?).ok()
    }
}

/// Returns an iterator over the labels of a host, and whether each is the last.
fn labels(host: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = Some(host);
    std::iter::from_fn(move || {
        let here = rest?;
        // Labels are short, so the call of a search function would take longer.
        match here.bytes().position(|b| b == b'.') {
            Some(dot) => {
                rest = Some(&here[dot + 1..]);
                Some((&here[..dot], false))
            }
            None => {
                rest = None;
                Some((here, true))
            }
        }
    })
}

/// State of the Bidi rule, which applies to all labels of a host together.
#[derive(Default)]
struct Domain {
    has_right_to_left: bool,
    /// A label violates the rule if any label of the host is right-to-left.
    has_doubt: bool,
}

impl Domain {
    /// Returns `true` if an ASCII label is simple: it is not an A-label, and has only letters, digits and hyphens.
    fn takes_ascii(&mut self, label: &str) -> bool {
        let bytes = label.as_bytes();
        // RFC 5893 §2, rules 1 and 6; the empty label of the root has no direction.
        self.has_doubt |= bytes.first().is_some_and(|b| !b.is_ascii_alphabetic())
            || bytes.last().is_some_and(|b| !b.is_ascii_alphanumeric());
        bytes.get(2..4) != Some(b"--")
            && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
    }

    /// Returns `true` if a non-ASCII label is simple; `tell` gets each of its characters as mapped, and whether it is
    /// ASCII.
    #[inline(always)]
    fn takes(&mut self, label: &str, mut tell: impl FnMut(char, bool)) -> bool {
        // `xn--` before non-ASCII characters is not an A-label.
        if label.get(..4).is_some_and(|front| front.eq_ignore_ascii_case("xn--")) {
            return false;
        }
        let (mut plain, mut rtl, mut count) = (0, 0, 0);
        for c in label.chars() {
            let is_plain = c.is_ascii_alphanumeric() || c == '-';
            match kind(c) {
                MappingClass::Letter => {}
                MappingClass::RightToLeft => rtl += 1,
                MappingClass::Mark if count > 0 => self.has_doubt = true,
                _ if is_plain => plain += 1,
                MappingClass::Mark | MappingClass::Other => return false,
            }
            count += 1;
            tell(c.to_ascii_lowercase(), is_plain);
        }
        self.has_right_to_left |= rtl > 0;
        // A label of only right-to-left letters complies with the rule; other labels with such letters are left to `idna`.
        self.has_doubt |= plain > 0 || (rtl > 0 && rtl < count);
        true
    }

    fn keeps_bidi_rule(&self) -> bool {
        !self.has_right_to_left || !self.has_doubt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let few: Vec<char> = "aé中にβя가ابह्ि9-".chars().collect();
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
            "abz09-.AZé中文にカβςяё가힣אבתاپیहिी्ंğőвươế\u{200D}\u{301}１٣۴·ß".chars().collect();
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

//! ToASCII for the hosts that are simple, and those are nearly all: one table is asked.
//!
//! A host is simple if each label is ASCII letters, digits and hyphens, or letters of which UTS #46
//! says "valid" and NFC says "stays, whatever is beside it". What remains
//! of UTS #46 for them is Punycode (RFC 3492), and the Bidi rule (RFC 5893 §2) where right-to-left
//! letters come. For anything else there is no answer here, and `idna` has it; the tests compare the
//! two on every character that is let in.

use crate::tables::punycode;
use crate::tables::unmapped::{MappingClass, kind};

/// RFC 1035 §2.3.4, without the root dot.
pub(super) const LONGEST_HOST: usize = 253;

/// Octets and code points up to which no length of the DNS can be exceeded: each code point takes five digits of Punycode at most.
const SHORT: (usize, usize) = (64, 10);

/// Whether a host that is not all ASCII is simple, and so short that it can be mapped for sure. Nothing is built.
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

/// Appends the host as A-labels and lower-case ASCII, if it is simple and keeps the lengths of the DNS; if not, what is
/// appended means nothing.
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

/// The A-label of a non-ASCII label, after its prefix.
struct ALabel {
    bytes: [u8; punycode::LONGEST - 4],
    len: usize,
}

impl ALabel {
    /// That of a simple label, if it is not too long.
    #[inline]
    fn of(label: &str, domain: &mut Domain) -> Option<ALabel> {
        let mut written = ALabel { bytes: [0; punycode::LONGEST - 4], len: 0 };
        let mut points = [0u32; punycode::LONGEST];
        let (mut count, mut plain) = (0, 0);
        let is_simple = domain.takes(label, |c, is_plain| {
            if is_plain {
                plain += 1;
                // It is ASCII.
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

/// The labels of a host, and whether each is the last.
fn labels(host: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = Some(host);
    std::iter::from_fn(move || {
        let here = rest?;
        // Labels are short: a call for a search would take longer.
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
    /// Whether an ASCII label is simple: none that is an A-label, and only letters, digits and hyphens.
    fn takes_ascii(&mut self, label: &str) -> bool {
        let bytes = label.as_bytes();
        // RFC 5893 §2, rules 1 and 6; the empty label of the root has no direction.
        self.has_doubt |= bytes.first().is_some_and(|b| !b.is_ascii_alphabetic())
            || bytes.last().is_some_and(|b| !b.is_ascii_alphanumeric());
        bytes.get(2..4) != Some(b"--")
            && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
    }

    /// Whether a non-ASCII label is simple; `tell` gets each of its characters as mapped, and whether it is ASCII.
    #[inline(always)]
    fn takes(&mut self, label: &str, mut tell: impl FnMut(char, bool)) -> bool {
        // `xn--` in front of something that is not ASCII is no A-label.
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
        // Right-to-left letters alone are good; with anything else let the long way look.
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

    /// What there is an answer for has the answer of `idna`, a refusal being one.
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

    /// What is simple is mapped as `idna` maps it, and what is simple and short can be mapped; `LINKSIFT_CASES` asks for
    /// more hosts than are seen by default.
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

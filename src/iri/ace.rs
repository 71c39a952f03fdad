//! ToASCII for the hosts that are simple, and those are nearly all: no tables of Unicode are asked.
//!
//! A host is simple if each label is ASCII letters, digits and hyphens, or letters of which UTS #46
//! says "valid" and NFC says "stays, whatever is beside it": lower-case Latin, Greek and
//! Cyrillic, kana, ideographs, Hangul syllables, Hebrew and Arabic letters, Devanagari. What remains
//! of UTS #46 for them is Punycode (RFC 3492), and the Bidi rule (RFC 5893 §2) where right-to-left
//! letters come. For anything else there is no answer here, and `idna` has it; the tests compare the
//! two on every character that is let in. It takes half of the time that `idna` takes.

use crate::punycode;
use crate::tables::unmapped::{Kind, kind};

/// Appends the host as A-labels and lower-case ASCII, if it is simple; if not, what is appended
/// means nothing. Lengths are not looked at.
pub(crate) fn push_simple(out: &mut String, host: &str) -> Option<()> {
    let mut right_to_left = false;
    // What the Bidi rule has against a label once there is a right-to-left one anywhere.
    let mut bidi_doubt = false;
    let mut start = 0;
    for end in memchr::memchr_iter(b'.', host.as_bytes()).chain([host.len()]) {
        let label = host.get(start..end)?;
        if start > 0 {
            out.push('.');
        }
        start = end + 1;
        if label.is_ascii() {
            push_ascii(out, label)?;
            // RFC 5893 §2, rules 1 and 6; the empty label of the root has no direction.
            let bytes = label.as_bytes();
            bidi_doubt |= bytes.first().is_some_and(|b| !b.is_ascii_alphabetic())
                || bytes.last().is_some_and(|b| !b.is_ascii_alphanumeric());
            continue;
        }
        // `xn--` in front of something that is not ASCII is no A-label.
        if label.get(..4).is_some_and(|front| front.eq_ignore_ascii_case("xn--")) {
            return None;
        }
        out.push_str("xn--");
        let mut points = [0u32; punycode::LONGEST];
        let mut count = 0;
        let (mut plain, mut rtl) = (0, 0);
        for c in label.chars() {
            match kind(c) {
                Kind::Letter => {}
                Kind::RightToLeft => rtl += 1,
                Kind::Mark if count > 0 => bidi_doubt = true,
                _ if c.is_ascii_alphanumeric() || c == '-' => {
                    plain += 1;
                    out.push(c.to_ascii_lowercase());
                }
                Kind::Mark | Kind::Other => return None,
            }
            *points.get_mut(count)? = c.to_ascii_lowercase() as u32;
            count += 1;
        }
        right_to_left |= rtl > 0;
        // Right-to-left letters alone are good; with anything else let the long way look.
        bidi_doubt |= plain > 0 || (rtl > 0 && rtl < count);
        punycode::encode(out, points.get(..count)?, plain)?;
    }
    (!right_to_left || !bidi_doubt).then_some(())
}

/// An ASCII label in lower case; none that is an A-label, and only letters, digits and hyphens.
fn push_ascii(out: &mut String, label: &str) -> Option<()> {
    let bytes = label.as_bytes();
    if bytes.get(2..4) == Some(b"--")
        || !bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
    {
        return None;
    }
    out.extend(bytes.iter().map(|b| char::from(b.to_ascii_lowercase())));
    Some(())
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
            .filter(|&c| kind(c) != Kind::Other)
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

    #[test]
    fn labels_at_random() {
        let alphabet: Vec<char> = "abz09-.AZé中文にカβςяё가힣אבתاپیहिी्ंğőвươế".chars().collect();
        let mut seed = 7u64;
        let mut answers = 0;
        for _ in 0..100_000 {
            let mut host = String::new();
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            for step in 0..(seed >> 60) + 1 {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(step + 1);
                host.push(alphabet[(seed >> 33) as usize % alphabet.len()]);
            }
            if let Some(answer) = simple_to_ascii(&host) {
                answers += 1;
                assert_eq!(Some(answer), by_idna(&host), "{host}");
            }
        }
        assert!(answers > 20_000, "{answers}");
    }
}

//! Detects look-alikes: labels of one script that look like another, and hosts that look like known ones, by the skeletons
//! of UTS #39 §4.
//!
//! Two hosts look alike if their skeletons are equal: each is decomposed, and each character replaced by the one that it
//! looks like. In addition, accents are removed and a few letters folded, since `exämple` is read as `example`; and `rn`
//! equals `m`, `1` equals `l`, `0` equals `o`, as in the official data.
//!
//! The lists of letters are maintained by hand, from the look-alikes in Chromium's spoof checks (steps 10 and 11), with the
//! country codes where a script is used. Lao has the counterparts of the Thai ones.

use std::collections::HashMap;

use crate::tables::forms::nfd;
use crate::tables::identifiers::{Scripts, bits, class, prototype};
use crate::tables::punycode::to_unicode;
use crate::tables::tld;

/// Hosts whose look-alikes have a warning: with `example.com`, the hosts `exаmple.com`, `www.examp1e.com` and `éxample.com`
/// are look-alikes, but never `example.com` itself or hosts below it.
///
/// ```
/// use linksift::trust::KnownHosts;
///
/// let known = KnownHosts::new(["example.com", "пример.рф"]);
/// assert_eq!(known.resembled("www.examp1e.com"), Some("example.com"));
/// assert_eq!(known.resembled("xn--exmple-4nf.com"), Some("example.com"));
/// assert_eq!(known.resembled("www.example.com"), None);
/// assert_eq!(known.resembled("example.org"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct KnownHosts {
    /// Maps a skeleton to the host, in lower case as given.
    by_skeleton: HashMap<Box<str>, Box<str>>,
    /// Number of labels of the longest host.
    most_labels: usize,
}

impl KnownHosts {
    /// Creates the set of these hosts, A-labels or U-labels, in upper or lower case. Empty ones are skipped; the first of
    /// several look-alikes is kept.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// let known = KnownHosts::new(["Example.com", "xn--e1afmkfd.xn--p1ai", ""]);
    /// assert_eq!(known.len(), 2);
    /// ```
    pub fn new<H: AsRef<str>>(hosts: impl IntoIterator<Item = H>) -> KnownHosts {
        let mut known = KnownHosts::default();
        for host in hosts {
            let host = unicode(host.as_ref().trim());
            if host.is_empty() {
                continue;
            }
            known.most_labels = known.most_labels.max(host.split('.').count());
            known.by_skeleton.entry(skeleton(&host).into()).or_insert(host.into());
        }
        known
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// // Of those that look alike the first is kept.
    /// assert_eq!(KnownHosts::new(["example.com", "examp1e.com"]).len(), 1);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_skeleton.len()
    }

    /// Returns `true` if the list is empty.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// assert!(KnownHosts::new([""]).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_skeleton.is_empty()
    }

    /// Returns the known host that this one, or its end, looks like without being equal to it or below it.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// let known = KnownHosts::new(["example.com"]);
    /// assert_eq!(known.resembled("examp1e.com"), Some("example.com"));
    /// assert_eq!(known.resembled("www.example.com"), None);
    /// ```
    #[must_use]
    pub fn resembled(&self, host: &str) -> Option<&str> {
        let host = unicode(host);
        let mut rest = host.as_str();
        // A suffix with more labels than any known host cannot be one of them.
        let surplus = host.split('.').count().saturating_sub(self.most_labels);
        for _ in 0..surplus {
            rest = rest.split_once('.')?.1;
        }
        let mut found = None;
        loop {
            if let Some(known) = self.by_skeleton.get(skeleton(rest).as_str()) {
                // A known host, or one below it, resembles no other.
                if **known == *rest {
                    return None;
                }
                found.get_or_insert(&**known);
            }
            match rest.split_once('.') {
                Some((_, next)) => rest = next,
                None => return found,
            }
        }
    }
}

/// Returns a host in characters and lower case, without the root dot.
fn unicode(host: &str) -> String {
    let name = host.strip_suffix('.').unwrap_or(host);
    let labels: Vec<_> = name.split('.').map(to_unicode).collect();
    labels.join(".").to_lowercase()
}

/// Returns the skeleton of a host, which its look-alikes share.
fn skeleton(host: &str) -> String {
    let mut out = String::with_capacity(host.len());
    for c in nfd(host) {
        let c = match c {
            'đ' => 'd',
            'ħ' => 'h',
            'ł' => 'l',
            'ø' => 'o',
            'ŧ' => 't',
            'ı' => 'i',
            'æ' => {
                out.push('a');
                'e'
            }
            'œ' => {
                out.push('o');
                'e'
            }
            _ if class(u32::from(c)).is_nonspacing_mark() => continue,
            _ => c,
        };
        match prototype(c) {
            Some(text) => {
                let is_mark = |c: &char| class(u32::from(*c)).is_nonspacing_mark();
                out.extend(nfd(text).filter(|c| !is_mark(c)).map(|c| c.to_ascii_lowercase()));
            }
            None => out.push(c),
        }
    }
    out
}

/// A script some of whose letters look like Latin ones.
struct LookalikeScript {
    script: u64,
    /// Its letters, digits and signs that look like Latin ones.
    alike: &'static str,
    /// Last seven bits of these characters, by which most others are excluded.
    last_bits: u128,
    /// Codes of the countries in which it is used.
    home: &'static [&'static str],
}

const fn look(script: u64, alike: &'static str, home: &'static [&'static str]) -> LookalikeScript {
    let (bytes, mut last_bits, mut at) = (alike.as_bytes(), 0, 0);
    while at < bytes.len() {
        // The last byte of a character has six of these bits, the byte before it has the seventh.
        if at + 1 == bytes.len() || bytes[at + 1] & 0xC0 != 0x80 {
            last_bits |= 1 << ((bytes[at - 1] & 1) << 6 | bytes[at] & 63);
        }
        at += 1;
    }
    LookalikeScript { script, alike, last_bits, home }
}

impl LookalikeScript {
    fn has(&self, c: char) -> bool {
        self.last_bits >> (c as u32 & 127) & 1 != 0 && self.alike.chars().any(|one| one == c)
    }
}

#[rustfmt::skip]
static LOOKS: [LookalikeScript; 18] = [
    look(bits::CYRL, "аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡ", &[
        "bg", "by", "kz", "ru", "su", "ua", "uz", "rs", "mk", "me", "ba", "mn", "kg", "tj", "tm", "md",
    ]),
    look(bits::GREK, "αικνρυωηοτ", &["gr", "cy"]),
    look(bits::ARMN, "ագզէլհյոսւօՙ", &["am"]),
    look(bits::GEOR, "იოყძხჽჿ", &["ge"]),
    look(bits::HEBR, "דוחיןסװײ׳ﬦ", &["il"]),
    look(bits::ETHI, "ሀሠሰስበነተከዐዕዘጠፐꬅ", &["er", "et"]),
    look(bits::BENG, "০৭", &[]),
    look(bits::DEVA, "ऽ०ॱ", &[]),
    look(bits::GUJR, "ડટ૦૧", &[]),
    look(bits::GURU, "੦੧", &[]),
    look(bits::KNDA, "ಽ೦೧", &[]),
    look(bits::MLYM, "ടഠധനറ൦", &[]),
    look(bits::ORYA, "ଠ୦୮", &[]),
    look(bits::TAML, "டப௦", &[]),
    look(bits::TELU, "౦౧", &[]),
    look(bits::MYMR, "ခဂငထပဝ၀၂ၔၜ႐႑႕႖႗", &["mm"]),
    look(bits::THAI, "ทนบพรหเแ๐ดลปฟม", &["th"]),
    look(bits::LAOO, "ທນບພຫເແ໐ດລປຟມ", &["la"]),
];

/// All these scripts: labels of other scripts, which are most labels, need no further check.
const LOOKING: Scripts = {
    let (mut all, mut n) = (0, 0);
    while n < LOOKS.len() {
        all |= LOOKS[n].script;
        n += 1;
    }
    Scripts::of(all)
};

/// Returns `true` if a non-ASCII character looks like an ASCII digit.
#[rustfmt::skip]
fn is_like_digit(c: char) -> bool {
    matches!(c,
        'θ' | '२' | '২' | '੨' | '૨' | '೩' | '೭' | 'շ' | 'з' | 'ҙ' | 'ӡ' | 'उ' | 'ও' | 'ਤ' | '੩'
            | '૩' | '౩' | 'ဒ' | 'ვ' | 'პ' | 'ੜ' | '੫' | '丩' | 'ㄐ' | 'ճ' | '৪' | '੪' | '୫' | '૭'
            | '୨' | '౨'
    )
}

/// Returns `true` if a label could be read as a Latin one: it is of one script (`common` to its characters), all its
/// characters of that script are look-alikes, and the top-level domain does not suggest the script. `tld` is in characters,
/// and may be the label itself.
pub(super) fn is_latin_lookalike(label: &str, common: Scripts, tld: &str) -> bool {
    common.meets(LOOKING)
        && LOOKS.iter().any(|look| {
            let script = Scripts::of(look.script);
            common.meets(script) && is_alike(label, script, look) && !is_at_home(look, script, tld)
        })
}

fn is_of(c: char, script: Scripts) -> bool {
    let scripts = class(u32::from(c)).scripts();
    // Digits of several scripts count for each of them.
    !c.is_ascii() && scripts.meets(script) && scripts != Scripts::ALL
}

/// Returns `true` if some characters are of the script, and all of these are look-alikes.
fn is_alike(label: &str, script: Scripts, look: &LookalikeScript) -> bool {
    let mut found = false;
    for c in label.chars().filter(|&c| is_of(c, script)) {
        if !look.has(c) {
            return false;
        }
        found = true;
    }
    found
}

/// Returns `true` if names in the script are expected below the top-level domain.
fn is_at_home(look: &LookalikeScript, script: Scripts, tld: &str) -> bool {
    if tld.is_ascii() {
        return look.home.iter().any(|code| tld.eq_ignore_ascii_case(code));
    }
    let mut letters = tld.chars().filter(|&c| is_of(c, script)).peekable();
    letters.peek().is_some() && (tld::is_unicode_tld(tld) || letters.any(|c| !look.has(c)))
}

/// Returns `true` if a label consists of ASCII digits and characters that look like digits.
pub(super) fn is_digit_lookalike(label: &str) -> bool {
    label.chars().all(|c| c.is_ascii_digit() || is_like_digit(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::host::label;
    use crate::warning::Warning;

    #[test]
    fn what_looks_alike() {
        let known = KnownHosts::new([
            "paypal.com",
            "Modern.example",
            "login.bank.co.uk",
            "",
            "xn--bcher-kva.de",
        ]);
        assert_eq!(known.len(), 4);
        for (host, resembled) in [
            ("pаypal.com", "paypal.com"),
            ("xn--pypal-4ve.com", "paypal.com"),
            ("PAYPA1.com.", "paypal.com"),
            ("www.páypäl.com", "paypal.com"),
            ("rnodern.example", "modern.example"),
            ("a.l0gin.bank.co.uk", "login.bank.co.uk"),
            ("bucher.de", "bücher.de"),
            ("łogin.bank.co.uk", "login.bank.co.uk"),
        ] {
            assert_eq!(known.resembled(host), Some(resembled), "{host}");
        }
        for host in [
            "paypal.com",
            "a.paypal.com",
            "PayPal.com.",
            "paypal.org",
            "mypaypal.com",
            "bücher.de",
            "",
            ".",
            "com",
        ] {
            assert_eq!(known.resembled(host), None, "{host}");
        }
        assert_eq!(KnownHosts::default().resembled("a.b"), None);
    }

    fn is_confusable(name: &str, tld: &str) -> bool {
        label(name, tld).warnings().contains(Warning::HostConfusable)
    }

    #[test]
    fn each_list_is_of_its_script_and_each_letter_is_a_look_alike_alone() {
        for look in &LOOKS {
            let script = Scripts::of(look.script);
            let own = look.alike.chars().filter(|&c| is_of(c, script)).count();
            // A few characters are shared with other scripts, or not allowed.
            assert!(own + 3 > look.alike.chars().count(), "{}", look.alike);
            let text: String = look.alike.chars().filter(|&c| is_of(c, script)).collect();
            assert!(is_confusable(&text, "com"), "{text} of {}", look.alike);
            for code in look.home {
                assert!(!is_confusable(&text, code), "{text}.{code}");
                assert!(tld::is_tld(code), "{code}");
            }
        }
    }

    #[test]
    fn a_list_has_its_letters_and_no_others() {
        for look in &LOOKS {
            for c in ('\0'..='\u{FFFF}').chain(['\u{10430}']) {
                assert_eq!(look.has(c), look.alike.contains(c), "{c:?}");
            }
        }
    }

    #[test]
    fn names_that_have_another_letter_are_not_alike() {
        for name in ["пример", "москва", "βιβλίο", "თბილისი", "שלום", "ไทย", "ลาว", "ລາວ", "हिन्दी"]
        {
            assert!(!is_confusable(name, "com"), "{name}");
        }
    }

    #[test]
    fn the_top_level_domain_has_its_say() {
        assert!(is_confusable("расе", "com") && is_confusable("расе", "xn--p1"));
        assert!(!is_confusable("расе", "ru") && !is_confusable("расе", "RU"));
        assert!(!is_confusable("расе", "рф") && !is_confusable("расе", "xn--p1ai"));
        // An unknown domain, but with a letter that does not look Latin.
        assert!(!is_confusable("расе", "тест"));
        // The top-level domain is itself checked as a label.
        assert!(is_confusable("сс", "сс"));
        assert!(!is_confusable("рф", "рф"));
    }

    #[test]
    fn digits() {
        for name in ["з60", "২২", "1丩", "θ"] {
            assert!(is_confusable(name, "com"), "{name}");
        }
        for name in ["з60я", "٣٦٥", "３六"] {
            assert!(!is_confusable(name, "com"), "{name}");
        }
    }
}

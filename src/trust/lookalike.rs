//! Detects look-alikes: labels of one script that look like another, and hosts that look like known ones, by the skeletons
//! of UTS #39 §4.
//!
//! Two hosts look alike if their skeletons are equal: each is decomposed, and each character replaced by the one that it
//! looks like. In addition, accents are removed and a few letters folded, since `exämple` is read as `example`; and `rn`
//! equals `m`, `1` equals `l`, `0` equals `o`, as in the official data, and `vv` equals `w`, `cl` equals `d`, `i` equals `l`,
//! and letters of other scripts the ASCII letters that they resemble.
//!
//! The lists of letters are maintained by hand, from the look-alikes in Chromium's spoof checks (steps 10 and 11), with the
//! country codes where a script is used. Lao has the counterparts of the Thai ones.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::tables::forms::nfd;
use crate::tables::identifiers::{Scripts, bits, class, prototype};
use crate::tables::tld;

/// Returns the skeleton of a host with its capitals: `I` looks like `l`, a Cyrillic `В` like `B`.
pub(super) fn skeleton_as_written(host: &str) -> String {
    let as_seen: String = host.chars().map(|c| as_capital(c).unwrap_or(c)).collect();
    skeleton(&as_seen.to_lowercase())
}

/// Returns the ASCII letter, in lower case, that a capital looks like.
fn as_capital(c: char) -> Option<char> {
    const LIKE: [(char, char); 34] = [
        ('I', 'l'),
        ('Α', 'a'),
        ('Β', 'b'),
        ('Ε', 'e'),
        ('Ζ', 'z'),
        ('Η', 'h'),
        ('Ι', 'l'),
        ('Κ', 'k'),
        ('Μ', 'm'),
        ('Ν', 'n'),
        ('Ο', 'o'),
        ('Ρ', 'p'),
        ('Τ', 't'),
        ('Υ', 'y'),
        ('Χ', 'x'),
        ('Ѕ', 's'),
        ('І', 'l'),
        ('Ј', 'j'),
        ('А', 'a'),
        ('В', 'b'),
        ('Е', 'e'),
        ('З', '3'),
        ('К', 'k'),
        ('М', 'm'),
        ('Н', 'h'),
        ('О', 'o'),
        ('Р', 'p'),
        ('С', 'c'),
        ('Т', 't'),
        ('У', 'y'),
        ('Х', 'x'),
        ('Ԛ', 'q'),
        ('Ԝ', 'w'),
        ('Ӏ', 'l'),
    ];
    LIKE.iter().find(|(capital, _)| *capital == c).map(|(_, letter)| *letter)
}

/// Returns the ASCII letter that a letter of the form of a small capital looks like.
fn as_small_capital(c: char) -> Option<char> {
    const LIKE: [(char, char); 31] = [
        ('ᴀ', 'a'),
        ('ʙ', 'b'),
        ('ᴄ', 'c'),
        ('ᴅ', 'd'),
        ('ᴇ', 'e'),
        ('ꜰ', 'f'),
        ('ɢ', 'g'),
        ('ʜ', 'h'),
        ('ɪ', 'i'),
        ('ᴊ', 'j'),
        ('ᴋ', 'k'),
        ('ʟ', 'l'),
        ('ᴍ', 'm'),
        ('ɴ', 'n'),
        ('ᴏ', 'o'),
        ('ᴘ', 'p'),
        ('ʀ', 'r'),
        ('ꜱ', 's'),
        ('ᴛ', 't'),
        ('ᴜ', 'u'),
        ('ᴠ', 'v'),
        ('ᴡ', 'w'),
        ('ʏ', 'y'),
        ('ᴢ', 'z'),
        ('в', 'b'),
        ('к', 'k'),
        ('м', 'm'),
        ('н', 'h'),
        ('т', 't'),
        ('κ', 'k'),
        ('τ', 't'),
    ];
    LIKE.iter().find(|(small, _)| *small == c).map(|(_, letter)| *letter)
}

/// Returns the ASCII letter or digit that a letter or digit of another script resembles, although the data of UTS #39 do not
/// make them equal: a reader who expects a known name does not tell them apart.
fn as_similar(c: char) -> Option<char> {
    const LIKE: [(char, &str); 21] = [
        ('b', "ƅьҍ"),
        ('c', "ҫ"),
        ('d', "ԃժ"),
        ('e', "єҽ"),
        ('f', "ғ"),
        ('g', "ԍ"),
        ('h', "ћңҥӈӊԋԧԩ"),
        ('k', "қҝҟҡӄԟĸ"),
        ('m', "ӎ"),
        ('n', "пԥ"),
        ('o', "θଠ"),
        ('p', "þϼҏ"),
        ('q', "৭੧૧"),
        ('r', "гґ"),
        ('s', "ട"),
        ('t', "ҭԏ"),
        ('u', "บບ"),
        ('w', "шщωѡพຟ"),
        ('x', "χҳ"),
        ('2', "২२੨૨೩೭շ"),
        ('3', "३੩૩౩ვ"),
    ];
    let found = LIKE.iter().find(|(_, alike)| !c.is_ascii() && alike.contains(c));
    found.map(|(letter, _)| *letter)
}

/// Returns the skeleton of a host, which its look-alikes share.
pub(super) fn skeleton(host: &str) -> String {
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
            _ => as_small_capital(c).or_else(|| as_similar(c)).unwrap_or(c),
        };
        match prototype(c) {
            Some(text) => {
                let is_mark = |c: &char| class(u32::from(*c)).is_nonspacing_mark();
                out.extend(nfd(text).filter(|c| !is_mark(c)).map(|c| c.to_ascii_lowercase()));
            }
            None => out.push(c),
        }
    }
    // Pairs and letters that a reader does not tell apart.
    out.replace("vv", "w").replace("cl", "d").replace('i', "l")
}

/// Returns `true` if a top-level domain in other letters is none, and looks like one of ASCII letters: `сом`, all Cyrillic.
pub(super) fn is_tld_lookalike(tld: &str) -> bool {
    static SKELETONS: LazyLock<HashSet<String>> =
        LazyLock::new(|| tld::ascii_tlds().map(skeleton).collect());
    if tld.is_ascii() || tld::is_unicode_tld(tld) {
        return false;
    }
    // The set is made only for a name that looks like ASCII, as few do.
    let like = skeleton(tld);
    like.is_ascii() && SKELETONS.contains(&like)
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

/// Returns `true` if a label consists of ASCII digits and characters that look like digits, or of digits of another script
/// that all look like ASCII letters or other digits (`١٥٧`), not below a top-level domain in that script.
pub(super) fn is_digit_lookalike(label: &str, tld: &str) -> bool {
    label.chars().all(|c| c.is_ascii_digit() || is_like_digit(c))
        || label.chars().all(is_digit_like_another) && !tld.chars().any(|c| shares_script(c, label))
}

/// Returns `true` for a digit whose prototype is an ASCII letter or digit.
fn is_digit_like_another(c: char) -> bool {
    let is_digit = class(u32::from(c)).digit_system(c).is_some();
    !c.is_ascii()
        && is_digit
        && prototype(c).is_some_and(
            |like| matches!(like.as_bytes(), [letter] if letter.is_ascii_alphanumeric()),
        )
}

/// Returns `true` if a character is of a script of the first character of a label.
fn shares_script(c: char, label: &str) -> bool {
    let scripts = |c: char| class(u32::from(c)).scripts();
    !c.is_ascii() && label.chars().next().is_some_and(|first| scripts(first).meets(scripts(c)))
}

/// Returns `true` if a Cyrillic label reads as small capitals: all its letters look like those or like other Latin letters,
/// and one is of the few that are rare in names and look like Latin letters alone.
pub(super) fn is_small_capital_lookalike(label: &str, tld: &str) -> bool {
    let [cyrillic, ..] = &LOOKS;
    let is_rare = |c: char| matches!(c, 'ѕ' | 'ԁ' | 'ԛ' | 'ԝ' | 'һ' | 'ӏ' | 'ѵ' | 'ѡ' | 'ԍ');
    label.chars().any(is_rare)
        && label.chars().all(|c| {
            c.is_ascii_digit() || c == '-' || cyrillic.has(c) || as_small_capital(c).is_some()
        })
        && !is_at_home(cyrillic, Scripts::of(cyrillic.script), tld)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::host::label;
    use crate::warning::Warning;

    #[test]
    fn top_level_domains_that_are_none() {
        for tld in ["сом", "ոеt", "оrg", "ΝΕΤ".to_lowercase().as_str()] {
            assert_eq!(is_tld_lookalike(tld), tld != "νετ", "{tld}");
        }
        for tld in ["рф", "com", "c0m", "орг", "テスト"] {
            assert!(!is_tld_lookalike(tld), "{tld}");
        }
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
        for name in ["١٥", "০০"] {
            assert!(is_confusable(name, "com"), "{name}");
        }
        for name in ["з60я", "٣٦٥", "３六"] {
            assert!(!is_confusable(name, "com"), "{name}");
        }
        assert!(!is_confusable("١٥", "مصر"));
    }

    #[test]
    fn small_capitals() {
        for name in ["тнемаѕк", "ваԁ", "ӏоок"] {
            assert!(is_confusable(name, "com"), "{name}");
            assert!(!is_confusable(name, "ru"), "{name}");
        }
        for name in ["москва", "вікно", "кот", "мој", "ѕвезда"] {
            assert!(!is_confusable(name, "com"), "{name}");
        }
    }
}

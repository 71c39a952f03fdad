//! Checks a complete host, with its top-level domain, and each of its labels (UTS #39 §3.1, §5; Chromium's steps 5, 10
//! and 11); detects IPv4 addresses that do not look like addresses (WHATWG URL §3.5, the IPv4 parser).
//!
//! A label is checked in characters (as a U-label). Its findings are the codes `host-mixed-script`, `host-confusable`,
//! `host-character`, `host-mixed-digits`, `host-mixed-letters`, and those of [`context`](super::context). An ASCII label
//! has no findings.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::context::{self, LabelContext};
use super::finding::{FindingDetail, FindingSink, Findings, OffsetSink};
use super::{domain, lookalike};
use crate::tables::identifiers::{IdClass, Scripts, alphabets, bits, class};
use crate::tables::punycode::{self, to_unicode};
use crate::warning::{Severity, Warning, Warnings};

/// Checks a host as in a URI: ASCII, with A-labels.
///
/// Each A-label is decoded and checked as by [`label`]; the range is that of the A-label. Names nested before
/// the registered one, and addresses that do not look like addresses, are detected too. The labels of a non-ASCII host
/// count as U-labels.
///
/// ```
/// use linksift::trust;
///
/// let codes = |host| -> Vec<_> { trust::host(host).warnings().iter().map(|w| w.as_str()).collect() };
/// assert_eq!(codes("www.xn--80ak6aa92e.com"), ["host-confusable"]);
/// assert_eq!(codes("www.bank.com.evil.test"), ["host-nested"]);
/// assert_eq!(codes("0x7f.1"), ["ip-disguised"]);
/// assert_eq!(codes("xn--bcher-kva.example"), [""; 0]);
/// ```
#[must_use]
pub fn host(host: &str) -> Findings {
    let mut findings = Findings::default();
    collect_warnings(host, punycode::decode, &mut findings);
    if let Some(range) = domain::nested(host) {
        findings.put(Warning::HostNested, range, || FindingDetail::Text);
    }
    if let Some(address) = disguised_ipv4(host) {
        findings.put(Warning::IpDisguised, 0..host.len(), || FindingDetail::Address(address));
    }
    findings
}

/// Collects the warnings of the labels; `decode` decodes an A-label.
pub(super) fn collect_warnings(
    host: &str,
    decode: impl Fn(&str) -> Option<String>,
    sink: &mut impl FindingSink,
) {
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = memchr::memrchr(b'.', name.as_bytes()).map_or(0, |dot| dot + 1);
    let tld = to_unicode(&name[last..]);
    if last > 0 && lookalike::is_tld_lookalike(&tld) {
        sink.put(Warning::HostConfusable, last..name.len(), || FindingDetail::Text);
    }
    let mut start = 0;
    for end in memchr::memchr_iter(b'.', name.as_bytes()).chain([name.len()]) {
        let label = &name[start..end];
        if !label.is_ascii() {
            collect_label_warnings(label, &tld, &mut OffsetSink { sink, by: start });
        } else if let Some(decoded) = decode(label) {
            collect_label_warnings(&decoded, &tld, &mut RangeSink { sink, range: start..end });
        }
        start = end + 1;
    }
}

/// Sink that assigns all findings to one range.
struct RangeSink<'s, S> {
    sink: &'s mut S,
    range: std::ops::Range<usize>,
}

impl<S: FindingSink> FindingSink for RangeSink<'_, S> {
    fn put(
        &mut self,
        warning: Warning,
        _: std::ops::Range<usize>,
        what: impl FnOnce() -> FindingDetail,
    ) {
        self.sink.put(warning, self.range.clone(), what);
    }
}

/// Returns `true` if a label may be shown in characters, because nothing in it is suspect. `tld` is in characters.
pub(crate) fn is_shown(label: &str, tld: &str) -> bool {
    let mut warnings = Warnings::default();
    collect_label_warnings(label, tld, &mut warnings);
    warnings.severity() < Some(Severity::Suspect)
}

const LATIN: Scripts = Scripts::of(bits::LATN);
/// Scripts that may be mixed with Latin letters (Highly Restrictive).
const EAST_ASIAN: Scripts = Scripts::of(bits::HANB | bits::JPAN | bits::KORE);

/// Checks a label below a top-level domain.
///
/// The label is a U-label as UTS #46 maps it (`bücher`, not `BÜCHER`). The top-level domain may be an A-label or a U-label,
/// and determines which scripts are expected. An ASCII label has no findings: use [`host`](super::host) for A-labels.
/// Ranges are bytes of the label. The time is linear in its length.
///
/// ```
/// use linksift::trust;
///
/// let codes = |label: &str, tld: &str| -> Vec<_> {
///     trust::label(label, tld).warnings().iter().map(|w| w.as_str()).collect()
/// };
/// assert_eq!(codes("аррӏе", "com"), ["host-confusable"]);
/// assert_eq!(codes("аррӏе", "ru"), [""; 0]);
/// assert_eq!(codes("i♥ny", "com"), ["host-character"]);
/// assert_eq!(codes("例え", "jp"), [""; 0]);
/// ```
#[must_use]
pub fn label(label: &str, tld: &str) -> Findings {
    let mut findings = Findings::default();
    let tld = punycode::to_unicode(tld);
    collect_label_warnings(label, &tld, &mut findings);
    findings
}

/// Collects the warnings of [`label`], for a top-level domain in characters.
fn collect_label_warnings(label: &str, tld: &str, sink: &mut impl FindingSink) {
    if label.is_ascii() {
        return;
    }
    if let Some(scripts) = scripts_of_plain(label) {
        if lookalike::is_latin_lookalike(label, scripts, tld)
            || lookalike::is_digit_lookalike(label, tld)
            || lookalike::is_small_capital_lookalike(label, tld)
        {
            sink.put(Warning::HostConfusable, 0..label.len(), || FindingDetail::Text);
        }
        return;
    }
    by_character(label, tld, sink);
}

/// Returns the scripts of a label that can only mislead as a whole: all its characters are non-ASCII, allowed, of a common
/// script other than Latin, neither digits nor combining marks, and allowed in any position. Nearly all labels are of this
/// kind.
fn scripts_of_plain(label: &str) -> Option<Scripts> {
    let mut common = Scripts::ALL;
    for c in label.chars() {
        let class = class(u32::from(c));
        if !class.is_plain_letter() || context::may_be_out_of_place(c) {
            return None;
        }
        common = common & class.scripts();
    }
    (!common.is_empty() && !common.meets(LATIN)).then_some(common)
}

/// Checks the characters of a label one by one.
fn by_character(label: &str, tld: &str, sink: &mut impl FindingSink) {
    let mut seen = LabelSummary::default();
    let mut around = LabelContext::new(label, tld);
    let mut takes_joiners = None;
    for (at, c) in label.char_indices() {
        if matches!(c, '\u{200C}' | '\u{200D}')
            && *takes_joiners.get_or_insert_with(|| takes_joiners_at_home(label, tld))
        {
            continue;
        }
        if c.is_ascii() {
            seen.ascii(c);
            around.step(at, c, None, sink);
            continue;
        }
        let class = class(u32::from(c));
        seen.beyond(at, c, class, sink);
        around.step(at, c, Some(class), sink);
    }
    around.finish(sink);
    seen.finish(label, tld, sink);
}

/// Countries where joiners are written in names of the Arabic script, and in those of the scripts of India and its neighbours.
const OF_ARABIC: [&str; 5] = ["af", "iq", "ir", "pk", "sy"];
const OF_INDIC: [&str; 5] = ["bd", "in", "lk", "np", "pk"];
const INDIC: Scripts = Scripts::of(
    bits::BENG
        | bits::DEVA
        | bits::GUJR
        | bits::GURU
        | bits::KNDA
        | bits::MLYM
        | bits::ORYA
        | bits::SINH
        | bits::TAML
        | bits::TELU,
);

/// Returns `true` if joiners are customary in a label: its top-level domain is of the same script, or of a country where it
/// is written with them. UTS #46 rejects joiners that CONTEXTJ (RFC 5892 §A.1 and 2) does not allow when it maps the host.
fn takes_joiners_at_home(label: &str, tld: &str) -> bool {
    let scripts = |text: &str| {
        let letters = text.chars().filter(|&c| !c.is_ascii() && c.is_alphabetic());
        letters.fold(Scripts::ALL, |common, c| common & class(u32::from(c)).scripts())
    };
    let own = scripts(label);
    let is_one_of = |codes: &[&str]| codes.iter().any(|code| tld.eq_ignore_ascii_case(code));
    let is_at_home = match tld.is_ascii() {
        true if own.meets(Scripts::of(bits::ARAB)) => is_one_of(&OF_ARABIC),
        true => own.meets(INDIC) && is_one_of(&OF_INDIC),
        false => own.meets(scripts(tld)),
    };
    is_at_home && own != Scripts::ALL
}

/// Properties of a label's characters so far.
struct LabelSummary {
    /// The scripts that all characters have.
    common: Scripts,
    /// The scripts that all characters except ASCII letters have.
    beyond_ascii: Scripts,
    is_remarked: bool,
    /// The zero of the first digits, and whether digits with another zero follow.
    digits: Option<char>,
    has_mixed_digits: bool,
    /// The first Latin non-ASCII letter, and how many others follow it.
    latin: Option<char>,
    others: u32,
    /// The languages that have all of these letters.
    alphabets: u128,
}

impl Default for LabelSummary {
    fn default() -> LabelSummary {
        LabelSummary {
            common: Scripts::ALL,
            beyond_ascii: Scripts::ALL,
            is_remarked: false,
            digits: None,
            has_mixed_digits: false,
            latin: None,
            others: 0,
            alphabets: u128::MAX,
        }
    }
}

impl LabelSummary {
    #[inline]
    fn ascii(&mut self, c: char) {
        if c.is_ascii_alphabetic() {
            self.common = self.common & LATIN;
        } else if c.is_ascii_digit() {
            self.has_mixed_digits |= *self.digits.get_or_insert('0') != '0';
        }
    }

    #[inline]
    fn beyond(&mut self, at: usize, c: char, class: IdClass, sink: &mut impl FindingSink) {
        let scripts = class.scripts();
        self.common = self.common & scripts;
        self.beyond_ascii = self.beyond_ascii & scripts;
        if !class.is_allowed() && !self.is_remarked {
            self.is_remarked = true;
            sink.put(Warning::HostCharacter, at..at + c.len_utf8(), || FindingDetail::Text);
        }
        if scripts == LATIN {
            if self.latin != Some(c) {
                self.others += u32::from(self.latin.is_some());
                self.latin.get_or_insert(c);
            }
            self.alphabets &= alphabets(c);
        } else if let Some(zero) = class.digit_system(c) {
            self.has_mixed_digits |= *self.digits.get_or_insert(zero) != zero;
        }
    }

    fn finish(self, label: &str, tld: &str, sink: &mut impl FindingSink) {
        if self.common.is_empty() && !self.beyond_ascii.meets(EAST_ASIAN) {
            let (range, [one, other]) = first_stranger(label);
            sink.put(Warning::HostMixedScript, range, || FindingDetail::Scripts(one, other));
        }
        if lookalike::is_latin_lookalike(label, self.common, tld)
            || lookalike::is_digit_lookalike(label, tld)
            || lookalike::is_small_capital_lookalike(label, tld)
        {
            sink.put(Warning::HostConfusable, 0..label.len(), || FindingDetail::Text);
        }
        if self.has_mixed_digits {
            sink.put(Warning::HostMixedDigits, 0..label.len(), || FindingDetail::Text);
        }
        // Letters in no exemplar set are reported as characters, if they are not allowed.
        if self.others > 0 && self.alphabets == 0 {
            sink.put(Warning::HostMixedLetters, 0..label.len(), || FindingDetail::Text);
        }
    }
}

/// Returns `true` if a word mixes scripts that no writing system mixes (UTS #39 §5.2, Highly Restrictive).
pub(super) fn mixes_scripts(word: &str) -> bool {
    if word.is_ascii() {
        return false;
    }
    let mut seen = LabelSummary::default();
    for (at, c) in word.to_lowercase().char_indices() {
        match c.is_ascii() {
            true => seen.ascii(c),
            false => seen.beyond(at, c, class(u32::from(c)), &mut Warnings::default()),
        }
    }
    seen.common.is_empty() && !seen.beyond_ascii.meets(EAST_ASIAN)
}

/// Returns the first character of a label with mixed scripts that shares none with those before it, a script of those, and
/// one of its own.
fn first_stranger(label: &str) -> (Range<usize>, [&'static str; 2]) {
    let mut common = Scripts::ALL;
    for (at, c) in label.char_indices() {
        let scripts = match c.is_ascii() {
            true if c.is_ascii_alphabetic() => LATIN,
            true => Scripts::ALL,
            false => class(u32::from(c)).scripts(),
        };
        if !common.meets(scripts) {
            let name = |scripts: Scripts| scripts.names().next().unwrap_or_default();
            return (at..at + c.len_utf8(), [name(common), name(scripts)]);
        }
        common = common & scripts;
    }
    (0..label.len(), ["", ""])
}

/// Returns the IPv4 address that browsers read in a host which is not written as four plain decimal numbers: hexadecimal,
/// octal, with fewer parts, with a root dot, or inside an IPv6 address (mapped, compatible, or of NAT64). The host must be mapped: ASCII, without
/// percent-encoded bytes.
///
/// ```
/// use linksift::trust::disguised_ipv4;
///
/// let address = |host| disguised_ipv4(host).map(|address| address.to_string());
/// assert_eq!(address("0x7f.1").as_deref(), Some("127.0.0.1"));
/// assert_eq!(address("3232235777").as_deref(), Some("192.168.1.1"));
/// assert_eq!(address("[::ffff:a00:1]").as_deref(), Some("10.0.0.1"));
/// assert_eq!(address("127.0.0.1."), Some("127.0.0.1".to_owned()));
/// assert_eq!(address("127.0.0.1"), None);
/// assert_eq!(address("example.com"), None);
/// ```
#[must_use]
pub fn disguised_ipv4(host: &str) -> Option<Ipv4Addr> {
    if let Some(literal) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inside_ipv6(literal.parse().ok()?);
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_rooted = name.len() < host.len();
    // A last label that begins with a letter is not a number.
    let last = name.rsplit('.').next().and_then(|label| label.bytes().next());
    if !last.is_some_and(|first| first.is_ascii_digit()) {
        return None;
    }
    // Four plain numbers; this parser does not accept leading zeros. A root dot after them makes a name of the address for
    // programs that compare texts.
    match name.parse::<Ipv4Addr>() {
        Ok(address) => is_rooted.then_some(address),
        Err(_) => ipv4(name),
    }
}

fn inside_ipv6(address: Ipv6Addr) -> Option<Ipv4Addr> {
    // An address of IPv4 stands behind `::ffff:`, behind the prefix of NAT64, or behind zeros alone (`::1` and its like are
    // none).
    let ([0, 0, 0, 0, 0, 0 | 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low]) =
        address.segments()
    else {
        return None;
    };
    if high == 0 && address.segments()[..6] == [0; 6] {
        return None;
    }
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Some(Ipv4Addr::new(a, b, c, d))
}

/// Parses an address as WHATWG does: one to four numbers, each decimal, octal after `0` or hexadecimal after `0x`. The last
/// number fills the remaining bytes.
fn ipv4(name: &str) -> Option<Ipv4Addr> {
    let mut value = 0u64;
    let mut parts = 0;
    let mut rest = name.split('.').peekable();
    while let Some(part) = rest.next() {
        let number = number(part)?;
        parts += 1;
        if rest.peek().is_none() {
            let left = 32 - 8 * (parts - 1);
            if number >= 1 << left {
                return None;
            }
            return u32::try_from(value << left | number).ok().map(Ipv4Addr::from);
        }
        if number > 255 || parts == 4 {
            return None;
        }
        value = value << 8 | number;
    }
    None
}

/// Parses a number of at most 32 bits, or somewhat more.
fn number(part: &str) -> Option<u64> {
    let (digits, radix) = match part.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&part[2..], 16),
        [b'0', _, ..] => (&part[1..], 8),
        [_, ..] => (part, 10),
        [] => return None,
    };
    match digits {
        "" => Some(0),
        _ if digits.starts_with('+') => None,
        _ => u64::from_str_radix(digits, radix).ok().filter(|&number| number < 1 << 33),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_labels() {
        let found = host("a.xn--pypal-4ve.com.");
        let first = found.iter().next().unwrap();
        assert_eq!((first.warning(), first.range()), (Warning::HostMixedScript, 2..15));
        assert_eq!(*first.detail(), FindingDetail::Scripts("Latn", "Cyrl"));
        let found = host("a.pаypal.com");
        assert_eq!(found.iter().next().unwrap().range(), 3..5);
    }

    #[test]
    fn nothing_at_all() {
        for name in ["", ".", "..", "xn--", "[::1]", "127.0.0.1", "a_b.example"] {
            assert!(host(name).is_empty(), "{name}");
        }
    }

    fn codes(name: &str, tld: &str) -> Vec<&'static str> {
        label(name, tld).warnings().iter().map(Warning::as_str).collect()
    }

    #[test]
    fn scripts_that_go_together() {
        for name in
            ["b6ビタミン", "中文abc", "한국tv", "한國", "ㄅ中a", "あア日本", "αβγ-1", "пример1"]
        {
            assert_eq!(codes(name, "com"), [""; 0], "{name}");
        }
        for name in ["beсt", "éビ", "αпр", "한ア", "abc\u{64E}", "กа", "אa"] {
            assert!(codes(name, "com").contains(&"host-mixed-script"), "{name}");
        }
    }

    /// The code path for plain labels has the same result as that for each character.
    #[test]
    fn plain_labels_are_judged_as_all_are() {
        const PARTS: [char; 40] = [
            'а', 'с', 'е', 'р', 'п', 'ж', 'ь', 'α', 'ο', 'λ', 'ñ', 'ß', 'ə', 'þ', '·', 'א', 'ו',
            'ب', '٣', '۴', 'न', 'ि', '१', 'ค', 'เ', 'ท', 'ข', '中', '一', '工', '丶', 'へ', 'ヘ',
            'ノ', 'ー', '한', 'з', '☺', '\u{301}', 'a',
        ];
        let mut plain = 0;
        let mut compare = |label: &str, tld: &str| {
            let (mut short, mut long) = (Findings::default(), Findings::default());
            collect_label_warnings(label, tld, &mut short);
            by_character(label, tld, &mut long);
            let said = |findings: &Findings| -> Vec<_> {
                findings
                    .iter()
                    .map(|one| (one.warning(), one.range(), one.detail().clone()))
                    .collect()
            };
            assert_eq!(said(&short), said(&long), "{label}.{tld}");
            plain += usize::from(scripts_of_plain(label).is_some());
        };
        for one in PARTS {
            for two in PARTS {
                for three in PARTS {
                    let label = String::from_iter([one, two, three]);
                    for tld in ["com", "рф"] {
                        if !label.is_ascii() {
                            compare(&label, tld);
                        }
                    }
                }
            }
        }
        // Every letter by itself, and next to one of each script with look-alikes.
        for c in ('\u{80}'..='\u{FFFF}').filter(|&c| class(u32::from(c)).is_allowed()) {
            compare(&String::from_iter(['с', c]), "com");
            compare(&String::from_iter([c, '語']), "com");
        }
        assert!(plain > 10_000, "{plain}");
    }

    #[test]
    fn the_order_of_characters_does_not_matter_to_scripts() {
        for name in ["aбв", "бaв", "бвa", "1-бвa"] {
            assert_eq!(codes(name, "com"), ["host-mixed-script"], "{name}");
        }
    }

    #[test]
    fn letters_of_no_one_language() {
        for name in ["straße-köln", "garçon-élevé", "łódź-gdańsk", "đặng-ơ", "smørrebrød-æble"]
        {
            assert_eq!(codes(name, "com"), [""; 0], "{name}");
        }
        for name in ["ßø", "gåşe", "ĉłą"] {
            assert_eq!(codes(name, "com"), ["host-mixed-letters"], "{name}");
        }
        // A repeated letter is not a mixture.
        assert_eq!(codes("ŋŋ", "com"), [""; 0]);
    }

    #[test]
    fn digits_of_two_systems() {
        for name in ["١٢3", "१२3क", "٣۴"] {
            assert!(codes(name, "com").contains(&"host-mixed-digits"), "{name}");
        }
        for name in ["متجر١٢", "متجر12", "क१२"] {
            assert_eq!(codes(name, "com"), [""; 0], "{name}");
        }
    }

    #[test]
    fn as_the_url_crate_reads_them() {
        for host in [
            "0x7f.1",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "2130706433",
            "127.1",
            "1.2.3",
            "0",
            "0x",
            "00.0x.0",
            "192.168.0.010",
            "4294967295",
            "1.256",
            "1.2.65535",
            "0xFF.0xff.0XfF.377.",
            "1.2.3.256",
            "4294967296",
            "1.2.3.4.5",
            "256.1",
            "08.1",
            "0xg",
            "1..2",
            "a.1",
            "+1",
            "1.+2",
            "",
            ".",
            "99999999999999999999999",
            "1.2.3.4",
        ] {
            let read = url::Host::parse(host).ok();
            let read = match read {
                Some(url::Host::Ipv4(address)) if host != "1.2.3.4" => Some(address),
                _ => None,
            };
            assert_eq!(disguised_ipv4(host), read, "{host}");
        }
    }

    #[test]
    fn inside_others() {
        for (host, inner) in [
            ("[::ffff:127.0.0.1]", "127.0.0.1"),
            ("[64:ff9b::7f00:1]", "127.0.0.1"),
            ("[::FFFF:0:1]", "0.0.0.1"),
        ] {
            assert_eq!(disguised_ipv4(host).unwrap().to_string(), inner, "{host}");
        }
        for host in ["[::1]", "[2001:db8::1]", "[64:ff9b:1::1]", "[v1.a]", "[]", "["] {
            assert_eq!(disguised_ipv4(host), None, "{host}");
        }
    }
}

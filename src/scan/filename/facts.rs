//! Facts about a name that its own bytes show, collected in one `u64` before any row is examined.
//!
//! The input is a host without a scheme. The result has a bit for each property of its labels: how the word lists classify
//! the first label, the last label and the domain, which characters the labels have, and how they are written. Rare facts
//! have the lowest bits, because a row is found by its rarest fact (`row`).
//!
//! Texts next to a name, compared as numbers: all bytes of a text at once.
//!
//! The texts of a row are converted to numbers whose lowest byte is the nearest to the name.

use super::lexicon::{self, ENDINGS, FIRST_LABELS, LAST_LABELS, LexiconKinds, WHOLE_NAMES, word};
use super::{BareHost, first_label, last_label};
use crate::scan::view::View;

/// Set of facts, one bit each.
pub(super) type Facts = u64;

const fn of(kinds: LexiconKinds, shift: u32) -> Facts {
    (kinds as Facts) << shift
}

const FIRST: u32 = 2;
const LAST: u32 = 10;
const ENDING: u32 = 38;

/// The complete name is listed as that of a file or a member, or as a host.
pub(super) const KNOWN: Facts = of(lexicon::KNOWN, 0);
pub(super) const KNOWN_HOST: Facts = of(lexicon::HOST, 0);

/// The first label is listed as this.
pub(super) const OBJECT: Facts = of(lexicon::OBJECT, FIRST);
pub(super) const CODE: Facts = of(lexicon::CODE, FIRST);
pub(super) const PLACE: Facts = of(lexicon::PLACE, FIRST);
pub(super) const REVERSE: Facts = of(lexicon::REVERSE, FIRST);
pub(super) const REVERSE_LONG: Facts = of(lexicon::REVERSE_LONG, FIRST);
pub(super) const SECTION: Facts = of(lexicon::SECTION, FIRST);
pub(super) const VARIABLE: Facts = of(lexicon::VARIABLE, FIRST);

/// The last label before the domain is listed as this.
pub(super) const MIDDLE: Facts = of(lexicon::MIDDLE, LAST);
pub(super) const SECOND_LEVEL: Facts = of(lexicon::SECOND_LEVEL, LAST);
pub(super) const TEMPLATE: Facts = of(lexicon::TEMPLATE, LAST);
pub(super) const IN_FRONT_OF: Facts = of(lexicon::IN_FRONT_OF, LAST);

/// The name has a character reference.
pub(super) const REFERENCE: Facts = 1 << 14;
/// The first label is `www`.
pub(super) const WWW: Facts = 1 << 15;
/// The domain is not on any list, and has other characters than ASCII letters.
pub(super) const FOREIGN: Facts = 1 << 16;
/// `this`, `self` or `cls` is the only label before the domain.
pub(super) const OWN: Facts = 1 << 17;
/// An underscore in any label; one in the last label.
pub(super) const UNDERSCORE: Facts = 1 << 18;
pub(super) const LAST_UNDERSCORE: Facts = 1 << 19;
/// The first label is one byte long; every label is.
pub(super) const FIRST_ONE: Facts = 1 << 20;
pub(super) const EVERY_ONE: Facts = 1 << 21;
/// Three labels or more, each with two letters.
pub(super) const EVERY_TWO: Facts = 1 << 22;
/// The first two labels are numbers, and it is not the host name of a customer: `192.0.2.7.dip`.
pub(super) const NUMBERS: Facts = 1 << 23;
/// `v2.0`
pub(super) const VERSION: Facts = 1 << 24;
/// The last label is a number, and a digit is before its dot.
pub(super) const VERSION_END: Facts = 1 << 25;
/// Each label is a word that begins with a capital.
pub(super) const MODULE: Facts = 1 << 26;
/// A label is all capitals.
pub(super) const SOME_CAPITALS: Facts = 1 << 27;
/// Four labels or more before the domain.
pub(super) const DEEP: Facts = 1 << 28;
/// The first label begins with a lower-case letter and contains a capital.
pub(super) const CAMEL: Facts = 1 << 29;
/// A label after the first contains a capital; the first label does.
pub(super) const LATER_UPPER: Facts = 1 << 30;
pub(super) const FIRST_UPPER: Facts = 1 << 31;
/// The domain is a capital and lower-case letters; it is all capitals; it contains a capital.
pub(super) const ENDING_TITLE: Facts = 1 << 32;
pub(super) const ENDING_CAPITALS: Facts = 1 << 33;
pub(super) const ENDING_UPPER: Facts = 1 << 34;
/// The second-level domain of a country precedes a domain of two letters: `example.ac.nz`.
pub(super) const COUNTRY_SECOND: Facts = 1 << 35;
/// The name has other characters than letters, digits, dots, underscores and `&`.
pub(super) const OTHER: Facts = 1 << 36;
pub(super) const DIGIT: Facts = 1 << 37;

/// The domain is listed as this.
pub(super) const NO_DOMAIN: Facts = of(lexicon::NO_DOMAIN, ENDING);
pub(super) const FIELD: Facts = of(lexicon::FIELD, ENDING);
pub(super) const ONLY_FILE: Facts = of(lexicon::ONLY_FILE, ENDING);
pub(super) const APP: Facts = of(lexicon::APP, ENDING);
pub(super) const ID: Facts = of(lexicon::ID, ENDING);
pub(super) const IN: Facts = of(lexicon::IN, ENDING);
pub(super) const SO: Facts = of(lexicon::SO, ENDING);
pub(super) const CHAIN: Facts = of(lexicon::CHAIN, ENDING);
pub(super) const LARGE: Facts = of(lexicon::LARGE, ENDING);
pub(super) const SHORT: Facts = of(lexicon::SHORT, ENDING);
pub(super) const FILE: Facts = of(lexicon::FILE, ENDING);
pub(super) const WORD: Facts = of(lexicon::WORD, ENDING);
pub(super) const DOUBT: Facts = of(lexicon::DOUBT, ENDING);
pub(super) const COMMON: Facts = of(lexicon::COMMON, ENDING);
pub(super) const BELIEVED: Facts = of(lexicon::BELIEVED, ENDING);
pub(super) const COM: Facts = of(lexicon::COM, ENDING);

/// The first label is two bytes long.
pub(super) const FIRST_TWO: Facts = 1 << 54;
/// The domain has two letters, and is on no list except that of the most common domains.
pub(super) const COUNTRY: Facts = 1 << 55;
/// A quotation mark directly precedes the name; an underscore does; the two bytes before it are equal.
pub(super) const QUOTED: Facts = 1 << 56;
pub(super) const AFTER_UNDERSCORE: Facts = 1 << 57;
pub(super) const AFTER_PAIR: Facts = 1 << 58;
/// The domain has three letters or more.
pub(super) const LONG: Facts = 1 << 59;
/// More than one label before the domain; only one.
pub(super) const MANY: Facts = 1 << 60;
pub(super) const ALONE: Facts = 1 << 61;
pub(super) const LOWER: Facts = 1 << 62;

/// A capital before the domain.
const UPPER: Facts = 1 << 63;

/// Domains that need further evidence: words of code, extensions of files, and those that are as often one of these as a
/// domain.
pub(super) const WEAK: Facts = FILE | WORD | DOUBT;

/// Set of the kinds of bytes in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen(u8);

impl Seen {
    const DOT: u8 = 1;
    const UNDERSCORE: u8 = 2;
    const AMPERSAND: u8 = 4;
    const UPPER: u8 = 8;
    const LOWER: u8 = 16;
    const DIGIT: u8 = 32;
    const OTHER: u8 = 64;

    const BYTES: [u8; 256] = {
        let mut bytes = [Seen::OTHER; 256];
        let mut byte = 0;
        while byte < 128 {
            bytes[byte] = match byte as u8 {
                b'.' => Seen::DOT,
                b'_' => Seen::UNDERSCORE,
                b'&' => Seen::AMPERSAND,
                b'A'..=b'Z' => Seen::UPPER,
                b'a'..=b'z' => Seen::LOWER,
                b'0'..=b'9' => Seen::DIGIT,
                _ => Seen::OTHER,
            };
            byte += 1;
        }
        bytes
    };

    /// Facts that follow from the kinds of bytes in a name, for each combination of them.
    const FACTS: [Facts; 128] = {
        let mut facts = [0; 128];
        let mut seen = 0;
        while seen < 128 {
            let bits = seen as u8;
            let many = bits & Seen::DOT != 0;
            facts[seen] = if many { MANY } else { ALONE }
                | if bits & Seen::AMPERSAND != 0 { REFERENCE } else { 0 }
                | if bits & Seen::UNDERSCORE != 0 { UNDERSCORE } else { 0 }
                | if bits & Seen::UNDERSCORE != 0 && !many { LAST_UNDERSCORE } else { 0 }
                | if bits & Seen::UPPER != 0 { UPPER } else { 0 }
                | if bits & Seen::UPPER != 0 && !many { FIRST_UPPER } else { 0 }
                | if bits & Seen::LOWER != 0 { LOWER } else { 0 }
                | if bits & Seen::DIGIT != 0 { DIGIT } else { 0 }
                | if bits & Seen::OTHER != 0 { OTHER } else { 0 };
            seen += 1;
        }
        facts
    };

    #[inline]
    fn among(text: &[u8]) -> Seen {
        static BYTES: [u8; 256] = Seen::BYTES;
        Seen(text.iter().fold(0, |seen, &b| seen | BYTES[usize::from(b)]))
    }

    #[inline]
    fn facts(self) -> Facts {
        static FACTS: [Facts; 128] = Seen::FACTS;
        FACTS[usize::from(self.0 & 127)]
    }

    fn has(self, bytes: u8) -> bool {
        self.0 & bytes != 0
    }

    fn is_only(self, bytes: u8) -> bool {
        self.0 & !bytes == 0
    }
}

/// A host without a scheme, split into its parts as far as they were needed.
#[derive(Clone, Copy)]
pub(super) struct Name<'v> {
    /// The part before the last dot.
    pub(super) name: &'v [u8],
    /// The top-level domain.
    pub(super) ending: &'v [u8],
    pub(super) facts: Facts,
}

impl<'v> Name<'v> {
    /// Splits a host; collects the facts of its domain, of the complete name, and of its bytes.
    #[inline]
    pub(super) fn of(view: &View<'v>, host: BareHost) -> Name<'v> {
        let name = &view.text[host.start..host.dot];
        let ending = &view.text[host.label..host.end];
        let number = word(ending);
        let kinds = ENDINGS.kinds(number);
        let mut facts = Seen::among(name).facts() | of(kinds, ENDING);
        if facts & ALONE != 0 {
            facts |= of_whole(name, ending, number);
        }
        if kinds & lexicon::BELIEVED != 0 {
            facts |= match name {
                b"this" | b"self" | b"cls" => OWN,
                _ => 0,
            };
        } else if kinds == 0 && !ending.iter().all(u8::is_ascii_alphabetic) {
            facts |= FOREIGN;
        }
        if ending[0].is_ascii_uppercase() || ending.iter().any(u8::is_ascii_uppercase) {
            facts |= of_capitals(ending);
        }
        if is_www(name) {
            facts |= WWW;
        }
        Name { name, ending, facts }
    }

    /// Returns the first label.
    pub(super) fn first(&self) -> &'v [u8] {
        first_label(self.name)
    }

    /// Returns the label before the domain.
    pub(super) fn last(&self) -> &'v [u8] {
        last_label(self.name)
    }

    /// Returns the facts about the first label.
    pub(super) fn of_first(&self) -> Facts {
        of(FIRST_LABELS.kinds(word(self.first())), FIRST)
    }

    /// Returns the facts about the last label.
    pub(super) fn of_last(&self) -> Facts {
        of(LAST_LABELS.kinds(word(self.last())), LAST)
    }

    /// Returns the facts of all labels.
    #[inline]
    pub(super) fn of_labels(&self) -> Facts {
        match self.facts & ALONE {
            0 => self.of_many(),
            _ => self.of_one(),
        }
    }

    fn of_one(&self) -> Facts {
        let (label, facts) = (self.name, self.facts);
        let number = word(label);
        let mut more = of(LAST_LABELS.kinds(number), LAST) | length_of_first(label);
        more |= self.of_ending_by_length();
        if facts & FIRST_UPPER != 0 && label[0].is_ascii_lowercase() {
            more |= CAMEL;
        }
        let mut first = of(FIRST_LABELS.kinds(number), FIRST);
        if first == 0 && facts & WEAK != 0 && facts & DIGIT != 0 {
            // `test2.cat` counts as `test.cat` does.
            let digits = label.iter().rev().take_while(|b| b.is_ascii_digit()).count();
            let kinds = FIRST_LABELS.kinds(word(&label[..label.len() - digits]));
            first = of(kinds, FIRST) & (OBJECT | CODE | VARIABLE);
        }
        more | first
    }

    /// Returns the facts about the labels of a name with two or more.
    fn of_many(&self) -> Facts {
        let (first, last) = (self.first(), self.last());
        let mut more = of(FIRST_LABELS.kinds(word(first)), FIRST) | length_of_first(first);
        more |= self.of_ending_by_length();
        let kinds = of(LAST_LABELS.kinds(word(last)), LAST);
        if kinds & SECOND_LEVEL != 0 && self.ending.len() == 2 {
            more |= COUNTRY_SECOND;
        }
        if self.name.len() > MIN_DEEP && self.name.iter().filter(|&&b| b == b'.').count() >= 3 {
            more |= DEEP;
        }
        if self.facts & UNDERSCORE != 0 && last.contains(&b'_') {
            more |= LAST_UNDERSCORE;
        }
        if self.facts & (UPPER | DIGIT) != 0 || first.len() <= 2 {
            more |= self.of_each(first, last);
        }
        more | kinds
    }

    /// Returns the facts that one check of each label shows; there are none for longer words of lower-case letters.
    fn of_each(&self, first: &[u8], last: &[u8]) -> Facts {
        const LETTERS: u8 = Seen::UPPER | Seen::LOWER;
        let first_seen = Seen::among(first);
        let mut more = 0;
        if first_seen.has(Seen::UPPER) {
            more |= FIRST_UPPER | if first[0].is_ascii_lowercase() { CAMEL } else { 0 };
        }
        let (mut every, mut are_numbers) = (EVERY_ONE | EVERY_TWO | MODULE, true);
        let (mut count, mut leading, mut is_leading) = (0, 0, true);
        for label in self.name.split(|&b| b == b'.') {
            let seen = Seen::among(label);
            let is_number = seen.is_only(Seen::DIGIT);
            is_leading &= is_number;
            leading += usize::from(is_leading);
            are_numbers &= is_number || count == 0;
            every &= if label.len() == 1 { !0 } else { !EVERY_ONE };
            every &= if label.len() == 2 && seen.is_only(LETTERS) { !0 } else { !EVERY_TWO };
            let is_word = label.first().is_some_and(u8::is_ascii_uppercase)
                && (label.len() == 1 || seen.has(Seen::LOWER))
                && seen.is_only(LETTERS | Seen::DIGIT);
            every &= if is_word { !0 } else { !MODULE };
            more |= if seen.is_only(Seen::UPPER) { SOME_CAPITALS } else { 0 };
            more |= if count > 0 && seen.has(Seen::UPPER) { LATER_UPPER } else { 0 };
            count += 1;
        }
        if count < 3 {
            every &= !EVERY_TWO;
        }
        // The first label of a version is `v` and a number, and the other labels are numbers.
        let is_v = matches!(first, [b'v' | b'V', rest @ ..] if rest.iter().all(u8::is_ascii_digit));
        let is_customer = leading >= 4 && count > leading;
        let before = self.name[..self.name.len() - last.len()].strip_suffix(b".");
        let is_version_end = !last.is_empty()
            && last.iter().all(u8::is_ascii_digit)
            && before.is_some_and(|name| name.last().is_some_and(u8::is_ascii_digit));
        more | every
            | if leading >= 2 && !is_customer { NUMBERS } else { 0 }
            | if is_v && are_numbers { VERSION } else { 0 }
            | if is_version_end { VERSION_END } else { 0 }
    }

    fn of_ending_by_length(&self) -> Facts {
        const LISTED: Facts = of(LexiconKinds::MAX, ENDING) & !COMMON;
        match self.ending.len() {
            2 if self.facts & LISTED == 0 => COUNTRY,
            2 => 0,
            _ => LONG,
        }
    }
}

/// A name with three dots has at least this many bytes.
const MIN_DEEP: usize = 6;

fn length_of_first(label: &[u8]) -> Facts {
    match label.len() {
        1 => FIRST_ONE,
        2 => FIRST_TWO,
        _ => 0,
    }
}

/// Returns how the domain, which has a capital, is written.
#[cold]
fn of_capitals(ending: &[u8]) -> Facts {
    let is_title = ending[0].is_ascii_uppercase() && ending[1..].iter().all(u8::is_ascii_lowercase);
    let is_capitals = ending.iter().all(u8::is_ascii_uppercase);
    ENDING_UPPER
        | if is_title { ENDING_TITLE } else { 0 }
        | if is_capitals { ENDING_CAPITALS } else { 0 }
}

#[inline]
fn is_www(name: &[u8]) -> bool {
    match name {
        [a, b, c, rest @ ..] if rest.first().is_none_or(|&b| b == b'.') => {
            (a & b & c) | 0x20 == b'w' && (a | b | c) | 0x20 == b'w'
        }
        _ => false,
    }
}

/// Returns the kinds that a complete name is listed under; few names of two labels are listed.
#[inline]
fn of_whole(name: &[u8], ending: &[u8], number: u128) -> Facts {
    match lexicon::may_be_whole(name) {
        true => of(WHOLE_NAMES.kinds(whole(name, ending, number)), 0),
        false => 0,
    }
}

/// Returns `name.ending` as a number.
fn whole(name: &[u8], ending: &[u8], number: u128) -> u128 {
    let (name, dot) = (word(name), u128::from(b'.'));
    match 8 * ending.len() as u32 {
        // It is longer than any name on the list.
        bits if bits + 8 > name.leading_zeros() => 0,
        bits => (name << 8 | dot) << bits | number,
    }
}

/// A text next to a name, also as a number.
#[derive(Clone, Copy)]
pub(super) struct RowText {
    pub(super) text: &'static str,
    /// The text as a number; the byte nearest to the name is the lowest.
    number: u128,
    mask: u128,
}

impl RowText {
    /// Returns `true` if the bytes next to a name begin, or end, with the text.
    #[inline]
    pub(super) fn is_at(&self, beside: u128) -> bool {
        beside & self.mask == self.number
    }
}

/// Creates texts that precede a name.
pub(super) const fn front<const N: usize>(texts: [&'static str; N]) -> [RowText; N] {
    numbered(texts, true)
}

/// Creates texts that follow a name.
pub(super) const fn behind<const N: usize>(texts: [&'static str; N]) -> [RowText; N] {
    numbered(texts, false)
}

const fn numbered<const N: usize>(texts: [&'static str; N], is_front: bool) -> [RowText; N] {
    let mut all = [RowText { text: "", number: 0, mask: 0 }; N];
    let mut nth = 0;
    while nth < N {
        let bytes = texts[nth].as_bytes();
        let (mut number, mut mask, mut at) = (0, 0, 0);
        assert!(bytes.len() <= 16, "longer than a number");
        while at < bytes.len() {
            let byte = bytes[if is_front { at } else { bytes.len() - 1 - at }];
            number = number << 8 | byte as u128;
            mask = mask << 8 | 0xFF;
            at += 1;
        }
        all[nth] = RowText { text: texts[nth], number, mask };
        nth += 1;
    }
    all
}

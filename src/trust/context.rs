//! Detects characters that are allowed in a name, but not in their position: letters of one country elsewhere, kana and
//! ideographs that look like slashes and lines next to other scripts, combining marks where they are invisible.
//!
//! The codes are `host-context` and `host-marks`, by Chromium's dangerous patterns and UTS #39 §5.4. There is one pass,
//! which keeps the previous character; a check that needs the next character waits for it.

use super::finding::{FindingDetail, FindingSink};
use crate::tables::forms::{have_same_class, nfd};
use crate::tables::identifiers::{IdClass, Scripts, bits};
use crate::warning::Warning;

const CJK: Scripts = Scripts::of(bits::HANI | bits::HIRA | bits::KANA | bits::BOPO);
const KATAKANA: Scripts = Scripts::of(bits::KANA);
const HIRAGANA: Scripts = Scripts::of(bits::HIRA);
const KANA: Scripts = Scripts::of(bits::HIRA | bits::KANA);
const LATIN: Scripts = Scripts::of(bits::LATN);
const NONE: Scripts = Scripts::of(0);
/// The scripts whose letters are combined with the marks from U+0300 on.
const EUROPEAN: Scripts = Scripts::of(bits::LATN | bits::GREK | bits::CYRL);

/// Returns `true` for characters that look like a slash between characters that are not CJK.
#[rustfmt::skip]
fn is_like_slash(c: char) -> bool {
    matches!(c,
        'ノ' | 'ソ' | 'ゾ' | 'ン' | '丶' | '乀' | '乁' | '丿'
    )
}

/// Returns `true` for characters that look like a line, a digit or a letter next to characters that are not CJK.
#[rustfmt::skip]
fn is_like_line(c: char) -> bool {
    matches!(c,
        '一' | 'ㄧ' | '丨' | '乛' | '七' | '丅' | '丁' | '丆' | '十' | '〇' | '工' | '讠' | 'ㄒ' | 'ㄚ' | 'ㄟ'
            | 'ㄨ' | 'ㄩ' | 'ㄈ' | 'ㆺ' | 'ㆳ' | 'ㆲ'
    )
}

/// Returns `true` if a letter can be out of place: the block of nearly all such letters, and the others.
#[inline]
pub(super) fn may_be_out_of_place(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{31FF}' | '\u{4E00}'..='\u{4E5B}' | '工' | '十' | '讠' | 'þ' | 'ð' | 'ə' | '·')
}

/// Returns `true` for hiragana that look the same in katakana.
fn is_hiragana_twin(c: char) -> bool {
    matches!(c, 'へ' | 'べ' | 'ぺ')
}

fn is_katakana_twin(c: char) -> bool {
    matches!(c, 'ヘ' | 'ベ' | 'ペ')
}

fn is_twin(c: char) -> bool {
    is_hiragana_twin(c) || is_katakana_twin(c)
}

/// Kind of the character on one side of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContextSide {
    /// The beginning or end of the label.
    Edge,
    Cjk,
    AsciiDigit,
    AsciiLetter,
    Other,
}

impl ContextSide {
    fn of(c: char, class: Option<IdClass>) -> ContextSide {
        match class {
            // Characters of every script are not CJK.
            Some(class) if class.scripts().meets(CJK) && class.scripts() != Scripts::ALL => {
                ContextSide::Cjk
            }
            Some(_) => ContextSide::Other,
            None if c.is_ascii_digit() => ContextSide::AsciiDigit,
            None if c.is_ascii_alphabetic() => ContextSide::AsciiLetter,
            None => ContextSide::Other,
        }
    }

    /// Returns `true` if a character that looks like a line is normal next to it.
    fn fits_line(self) -> bool {
        matches!(self, ContextSide::Edge | ContextSide::Cjk | ContextSide::AsciiDigit)
    }
}

/// Check that the next character decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PendingCheck {
    None,
    /// A character that looks like a slash, after one that is not CJK.
    Slash,
    Line,
    /// U+00B7 after `l`, below `.cat`.
    GeminateL,
    /// The katakana middle dot.
    MiddleDot,
}

/// State of the pass over a label.
pub(super) struct LabelContext<'l> {
    tld: &'l str,
    /// Whether it has more than one character: a single letter imitates nothing.
    is_word: bool,
    /// The previous character, NUL at the beginning, and its offset.
    before: (usize, char),
    /// Scripts of the previous character; none if it is ASCII.
    before_scripts: Scripts,
    /// The last character that is not a combining mark, NUL at the beginning, and its scripts.
    base: (char, Scripts),
    side: ContextSide,
    waiting: PendingCheck,
    /// Offset of the first hiragana, and of the first katakana, that looks like one of the other script.
    twins: [Option<usize>; 2],
    /// Whether the label has a character that is only katakana, and one that is only hiragana.
    only: [bool; 2],
    has_context: bool,
    has_marks: bool,
}

impl<'l> LabelContext<'l> {
    pub(super) fn new(label: &str, tld: &'l str) -> LabelContext<'l> {
        LabelContext {
            tld,
            is_word: label.chars().nth(1).is_some(),
            before: (0, '\0'),
            before_scripts: NONE,
            base: ('\0', NONE),
            side: ContextSide::Edge,
            waiting: PendingCheck::None,
            twins: [None; 2],
            only: [true; 2],
            has_context: false,
            has_marks: false,
        }
    }

    /// Processes the next character; `class` is that of a non-ASCII one.
    pub(super) fn step(
        &mut self,
        at: usize,
        c: char,
        class: Option<IdClass>,
        sink: &mut impl FindingSink,
    ) {
        let side = ContextSide::of(c, class);
        if self.waiting != PendingCheck::None {
            self.settle(side, Some(c), sink);
        }
        let scripts = class.map_or(NONE, IdClass::scripts);
        let is_mark = class.is_some_and(IdClass::is_nonspacing_mark);
        if class.is_some() {
            self.beyond(at, c, is_mark, sink);
        }
        if !is_mark {
            self.base = (c, scripts);
            if !is_twin(c) {
                self.only[0] &= scripts.meets(KATAKANA);
                self.only[1] &= scripts.meets(HIRAGANA);
            }
        }
        (self.before, self.before_scripts) = ((at, c), scripts);
        self.side = side;
    }

    fn beyond(&mut self, at: usize, c: char, is_mark: bool, sink: &mut impl FindingSink) {
        if is_mark {
            return self.mark(at, c, sink);
        }
        let is_tld = |codes: &[&str]| codes.iter().any(|code| self.tld.eq_ignore_ascii_case(code));
        let is_out_of_place = match c {
            '\u{3099}' | '\u{309A}' => return self.mark(at, c, sink),
            'þ' | 'ð' => self.is_word && !is_tld(&["is", "fo"]),
            'ə' => self.is_word && !is_tld(&["az"]),
            '·' => {
                if self.before.1 == 'l' && is_tld(&["cat"]) {
                    self.waiting = PendingCheck::GeminateL;
                    false
                } else {
                    true
                }
            }
            '\u{30FC}' => !self.is_after(KANA),
            '\u{30FD}' | '\u{30FE}' => !self.is_after(KATAKANA),
            '\u{30FB}' => {
                self.waiting = PendingCheck::MiddleDot;
                self.side == ContextSide::AsciiLetter
            }
            // The block of most of these characters; searching the lists would take longer than all else.
            '\u{3000}'..='\u{31FF}' | '\u{4E00}'..='\u{4E5B}' | '工' | '十' | '讠' => {
                self.east_asian(at, c)
            }
            _ => false,
        };
        if is_out_of_place {
            self.context(at, c, sink);
        }
    }

    /// Checks ideographs and kana that look like something else.
    fn east_asian(&mut self, at: usize, c: char) -> bool {
        if is_hiragana_twin(c) {
            self.twins[0].get_or_insert(at);
        } else if is_katakana_twin(c) {
            self.twins[1].get_or_insert(at);
        } else if is_like_slash(c) {
            // At the beginning of the label it is not between two characters.
            if !matches!(self.side, ContextSide::Cjk | ContextSide::Edge) {
                self.waiting = PendingCheck::Slash;
            }
        } else if is_like_line(c) {
            self.waiting = PendingCheck::Line;
            return !self.side.fits_line();
        }
        false
    }

    /// Returns `true` if the previous character is of these scripts.
    fn is_after(&self, scripts: Scripts) -> bool {
        self.before_scripts.meets(scripts)
    }

    /// Decides the check that waits for this character, or for the label's end.
    fn settle(&mut self, side: ContextSide, c: Option<char>, sink: &mut impl FindingSink) {
        let is_out_of_place = match self.waiting {
            PendingCheck::None => return,
            PendingCheck::Slash => !matches!(side, ContextSide::Cjk | ContextSide::Edge),
            PendingCheck::Line => !side.fits_line(),
            PendingCheck::GeminateL => c != Some('l'),
            PendingCheck::MiddleDot => side == ContextSide::AsciiLetter,
        };
        self.waiting = PendingCheck::None;
        if is_out_of_place {
            let (at, before) = self.before;
            self.context(at, before, sink);
        }
    }

    fn context(&mut self, at: usize, c: char, sink: &mut impl FindingSink) {
        if !self.has_context {
            self.has_context = true;
            sink.put(Warning::HostContext, at..at + c.len_utf8(), || FindingDetail::Text);
        }
    }

    /// Checks a nonspacing mark: its base, and whether it is repeated.
    fn mark(&mut self, at: usize, c: char, sink: &mut impl FindingSink) {
        let (base, scripts) = self.base;
        let is_twice = self.before.1 == c || has_mark_like(base, scripts, c);
        let is_misplaced = match (c, base) {
            ('\u{3099}' | '\u{309A}', _) => true,
            ('\u{307}', 'i' | 'j' | 'l') => true,
            ('\u{300}'..='\u{339}', '\0') => false,
            ('\u{300}'..='\u{339}', 'ı' | 'ȷ') => true,
            ('\u{300}'..='\u{339}', _) => match base.is_ascii() {
                false => !scripts.meets(EUROPEAN),
                true => !base.is_ascii_alphabetic(),
            },
            _ => false,
        };
        if (is_twice || is_misplaced) && !self.has_marks {
            self.has_marks = true;
            sink.put(Warning::HostMarks, at..at + c.len_utf8(), || FindingDetail::Text);
        }
    }

    /// Ends the label.
    pub(super) fn finish(&mut self, sink: &mut impl FindingSink) {
        self.settle(ContextSide::Edge, None, sink);
        let [hiragana, katakana] = self.twins;
        let [only_katakana, only_hiragana] = self.only;
        // Without other kana in the label, such a character may be of either script.
        let strangers =
            [(hiragana, only_katakana, only_hiragana), (katakana, only_hiragana, only_katakana)];
        for (twin, is_in_the_other, is_in_its_own) in strangers {
            if let Some(at) = twin
                && is_in_the_other
                && !is_in_its_own
            {
                self.context(at, 'へ', sink);
            }
        }
    }
}

/// Returns `true` if a letter has a mark of its own (`é`) which is `mark`, or which stands in the same place, above or below
/// a Latin letter. Letters of languages have two marks in two places (`ọ́`, `ą́`), or those that Form C composes.
fn has_mark_like(base: char, scripts: Scripts, mark: char) -> bool {
    if base.is_ascii() {
        return false;
    }
    let mut buffer = [0; 4];
    let mut own_marks = nfd(base.encode_utf8(&mut buffer)).skip(1);
    own_marks.any(|own| own == mark || scripts.meets(LATIN) && have_same_class(own, mark))
}

#[cfg(test)]
mod tests {
    use crate::trust::host::label;

    fn codes(name: &str, tld: &str) -> Vec<&'static str> {
        label(name, tld).warnings().iter().map(|w| w.as_str()).collect()
    }

    #[test]
    fn letters_of_one_country() {
        for (name, tld) in
            [("þór", "is"), ("faðir", "fo"), ("qəza", "az"), ("paral·lel", "cat"), ("þ", "com")]
        {
            assert_eq!(codes(name, tld), [""; 0], "{name}.{tld}");
        }
        for (name, tld) in [
            ("þaypal", "com"),
            ("bofð", "de"),
            ("əpple", "com"),
            ("l·l", "com"),
            ("a·l", "cat"),
            ("l·", "cat"),
            ("l·a", "cat"),
        ] {
            assert_eq!(codes(name, tld), ["host-context"], "{name}.{tld}");
        }
    }

    #[test]
    fn what_looks_like_a_slash_or_a_line() {
        for name in [
            "aノb",
            "example-comノx",
            "a一",
            "一b",
            "a工b",
            "工a",
            "oーo",
            "aー",
            "ー",
            "aヽ",
            "a・b",
            "あ・b",
            "ヽ",
        ] {
            assert!(codes(name, "com").contains(&"host-context"), "{name}");
        }
        for name in [
            "ノート",
            "カノン",
            "一番",
            "第1一",
            "ビタミンb6",
            "スーパー",
            "あー",
            "アヽ",
            "ア・イ",
            "中国工商",
            "十2",
        ] {
            assert_eq!(codes(name, "com"), [""; 0], "{name}");
        }
    }

    #[test]
    fn twins_of_the_other_kana() {
        for name in ["アへイ", "あヘい", "ペあ"] {
            assert_eq!(codes(name, "jp"), ["host-context"], "{name}");
        }
        for name in ["アヘイ", "あへい", "へ", "ヘ", "漢へア", "あアヘ"] {
            assert_eq!(codes(name, "jp"), [""; 0], "{name}");
        }
    }

    #[test]
    fn marks() {
        for name in
            ["a\u{301}\u{301}", "ı\u{301}", "i\u{307}", "日\u{301}", "か\u{3099}", "1\u{301}é"]
        {
            assert!(codes(name, "com").contains(&"host-marks"), "{name}");
        }
        for name in ["é\u{308}a", "ä\u{301}", "й\u{306}к", "ọ\u{323}", "ạ\u{331}"] {
            assert!(codes(name, "com").contains(&"host-marks"), "{name}");
        }
        for name in ["ọ\u{301}", "ą\u{301}", "й\u{301}к", "m̀ọ", "ế"] {
            assert!(!codes(name, "com").contains(&"host-marks"), "{name}");
        }
        for name in ["а\u{301}б", "m\u{304}ā", "מָ", "שׁ", "हिं"] {
            assert!(!codes(name, "com").contains(&"host-marks"), "{name}");
        }
    }
}

//! Detects prose that follows an ASCII link without a space: `http://example.org/aを参照`.
//!
//! The input is the first character of another script in a path, query or fragment. The result is whether it continues the
//! sentence rather than the link. In Japanese and Chinese documents nearly all links that continue in Han or katakana were
//! names of pages; none of those that continue with a particle was.

use super::Ending;
use crate::scan::host_char::is_bare_host_char;
use crate::scan::joined::{is_foreign, is_hangul, is_joiner, is_mark_at_end, is_unspaced};
use crate::scan::view::{Char, EDGE, Incomplete, View, is_gap};

/// Number of characters from there on that are examined.
const AHEAD: usize = 6;
/// Number of characters before it that are examined: `.xhtml` has six.
const BEFORE: usize = 6;

/// Text that must follow a word of the sentence.
#[derive(Clone, Copy)]
enum Follow {
    Anything,
    /// Han or katakana, with which a verb or a noun begins, or one of these.
    Word(&'static [&'static str]),
    Han(&'static [&'static str]),
}

use Follow::{Anything, Han, Word};

/// Japanese particles; words of other kinds begin with most of them too.
const PARTICLES: [(&str, Follow); 12] = [
    ("を", Anything),
    ("から", Word(&["の", "も", "は", "ご", "お"])),
    ("まで", Anything),
    ("など", Anything),
    ("より", Word(&["も"])),
    ("で", Word(&["す", "は", "も", "あ", "きま"])),
    ("に", Word(&["あ", "は", "も", "て", "つい", "おい", "おけ", "よ", "な"])),
    ("へ", Word(&["の", "は", "と", "も", "お", "ご"])),
    ("は", Word(&[])),
    ("が", Word(&["あ"])),
    ("と", Han(&["いう", "いっ", "して", "な", "は"])),
    ("も", Han(&[])),
];

/// The Japanese particle that joins two nouns.
const GENITIVE: &str = "の";

/// Chinese words, and a Japanese one, with which no name of a page begins.
const WORDS: [&str; 26] = [
    "或者",
    "以及",
    "的",
    "即可",
    "可以",
    "查看",
    "获取",
    "取得",
    "进行",
    "進行",
    "是",
    "了",
    "这",
    "這",
    "并",
    "吧",
    "吗",
    "呢",
    "来查看",
    "来获取",
    "来下载",
    "上的",
    "中的",
    "下的",
    "里的",
    "参照",
];

/// Words that join two links.
const JOINS: [&str; 8] = ["和", "或", "与", "與", "及", "と", "や", "、"];

/// Korean particles, and those that are also names of pages.
const HANGUL: [&str; 17] = [
    "을",
    "를",
    "은",
    "는",
    "에",
    "에서",
    "에는",
    "에도",
    "의",
    "로",
    "으로",
    "에서는",
    "로부터",
    "까지",
    "부터",
    "입니다",
    "에게",
];
const HANGUL_IN_WORD: [&str; 6] = ["이", "가", "도", "와", "과", "및"];

/// Extensions of documents, after which no letter of the link follows.
const DOCUMENTS: &str =
    " asp aspx cgi css gif gz htm html jpg js jsp md pdf php png shtml txt xhtml xml zip ";

impl Ending {
    /// Returns `true` if prose begins with this character, the first non-ASCII one, or if a punctuation mark ends the word
    /// here.
    pub(super) fn is_glued(
        &mut self,
        view: &View<'_>,
        c: Char,
        after: usize,
    ) -> Result<bool, Incomplete> {
        if char::from_u32(c.code).is_some_and(is_mark_at_end) {
            return Ok(is_gap(view.next(after)?.code));
        }
        if self.is_foreign {
            return Ok(false);
        }
        if let Some(hyphen) = suffix(view, self.start, self.at)? {
            self.safe = hyphen;
            return Ok(true);
        }
        begins(view, self.start, self.at)
    }
}

/// Returns `true` if [`Ending::is_glued`] may end the link before its first non-ASCII character, which is not a punctuation
/// mark.
pub(crate) fn is_glued(view: &View<'_>, start: usize, at: usize) -> Result<bool, Incomplete> {
    Ok(suffix(view, start, at)?.is_some() || begins(view, start, at)?)
}

/// Returns `false` if [`is_glued`] is surely `false` for a character after a byte.
#[inline(always)]
pub(crate) fn may_be_glued(before: u8, code: u32) -> bool {
    let Some(c) = char::from_u32(code) else { return true };
    match before {
        b'-' => true,
        // No name of a document is before it.
        b'/' if is_unspaced(c) => may_begin_sentence(c),
        _ => is_unspaced(c) || is_hangul(c) || is_joiner(c),
    }
}

/// Returns `true` if prose begins at `at`, where the first character of another script follows the link.
fn begins(view: &View<'_>, start: usize, at: usize) -> Result<bool, Incomplete> {
    let Some(first) = char::from_u32(view.next(at)?.code) else { return Ok(false) };
    if is_joiner(first) {
        return Ok(true);
    }
    if !is_unspaced(first) && !is_hangul(first) {
        return Ok(false);
    }
    let front = view.prev(at, start).code;
    // `?title=获取用户`: the value of a query begins.
    if front == u32::from('=') {
        return Ok(false);
    }
    if is_document(view, start, at) {
        return Ok(true);
    }
    if !may_begin_sentence(first) && !is_hangul(first) {
        return Ok(false);
    }
    let mut text = ['\0'; AHEAD];
    let (mut len, mut end) = (0, at);
    while len < AHEAD {
        let c = view.next(end)?;
        if c.code == EDGE {
            break;
        }
        // A malformed character is not white space, and not on any list.
        text[len] = char::from_u32(c.code).unwrap_or(char::REPLACEMENT_CHARACTER);
        len += 1;
        end += c.len.max(1);
    }
    let text = &text[..len];
    let is_slash = front == u32::from('/');
    Ok(is_of_sentence(text, is_slash) || is_hangul(text[0]) && is_particle(text, is_slash))
}

/// Returns the offset of the hyphen that joins a suffix to a link which ends in a slash: `http://example.org/-ზე`.
fn suffix(view: &View<'_>, start: usize, at: usize) -> Result<Option<usize>, Incomplete> {
    let hyphen = view.prev(at, start);
    let is_suffix = hyphen.code == u32::from('-')
        && view.prev(at - hyphen.len, start).code == u32::from('/')
        && is_letter_of_another(view.next(at)?);
    Ok(is_suffix.then_some(at - hyphen.len))
}

fn is_letter_of_another(c: Char) -> bool {
    is_foreign(c.code) && is_bare_host_char(c)
}

/// Set of the last six bits of the first characters of all words above. One check shows that a text begins with none of
/// them, as most texts do.
static FIRST: u64 = {
    let mut first = FirstCharacters(0);
    let mut at = 0;
    while at < PARTICLES.len() {
        first = first.with(PARTICLES[at].0);
        at += 1;
    }
    at = 0;
    while at < WORDS.len() {
        first = first.with(WORDS[at]);
        at += 1;
    }
    at = 0;
    while at < JOINS.len() {
        first = first.with(JOINS[at]);
        at += 1;
    }
    first.with(GENITIVE).0
};

struct FirstCharacters(u64);

impl FirstCharacters {
    /// Adds the first character of a word, which takes three bytes; the last byte has these six bits.
    const fn with(self, word: &str) -> FirstCharacters {
        assert!(word.as_bytes()[0] >> 4 == 0xE);
        FirstCharacters(self.0 | 1 << (word.as_bytes()[2] & 63))
    }
}

fn may_begin_sentence(c: char) -> bool {
    FIRST >> (c as u32 & 63) & 1 == 1
}

/// Returns `true` if the words are Japanese or Chinese prose.
fn is_of_sentence(text: &[char], is_slash: bool) -> bool {
    let is_particle = PARTICLES.iter().any(|&(word, follow)| {
        after(text, word).is_some_and(|rest| match follow {
            Anything => word == "を" || rest.first().is_some_and(|c| !c.is_whitespace()),
            Word(list) => {
                rest.first().is_some_and(|&c| is_han(c) || is_katakana(c)) || any(rest, list)
            }
            Han(list) => rest.first().is_some_and(|&c| is_han(c)) || any(rest, list),
        })
    });
    // After letters the particle is as often a part of the name: `C++の使い方`.
    let is_genitive = is_slash
        && after(text, GENITIVE).is_some_and(|rest| rest.first().is_some_and(|&c| is_han(c)));
    let goes_on = |&c: &char| is_unspaced(c) || "，。；：！？）".contains(c);
    let is_word = WORDS
        .iter()
        .any(|word| after(text, word).is_some_and(|rest| rest.first().is_some_and(goes_on)));
    let is_join =
        JOINS.iter().any(|word| after(text, word).is_some_and(|rest| any(rest, &["http", "www."])));
    is_particle || is_genitive || is_word || is_join
}

/// Returns `true` if the Hangul characters are a particle that white space or a punctuation mark ends.
fn is_particle(text: &[char], is_slash: bool) -> bool {
    let len = text.iter().take_while(|&&c| is_hangul(c)).count();
    let ends = match text.get(len) {
        None => len < AHEAD,
        Some(&c) => c.is_whitespace() || ".,;:!?)\"'".contains(c),
    };
    let is = |word: &&str| after(&text[..len], word).is_some_and(<[char]>::is_empty);
    ends && (HANGUL.iter().any(is) || !is_slash && HANGUL_IN_WORD.iter().any(is))
}

/// Returns the text after `word`, if it begins with it.
fn after<'t>(text: &'t [char], word: &str) -> Option<&'t [char]> {
    // Nearly all words differ in their first character.
    let mut rest = text;
    for c in word.chars() {
        let (first, after) = rest.split_first()?;
        if *first != c {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

fn any(text: &[char], words: &[&str]) -> bool {
    words.iter().any(|word| after(text, word).is_some())
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30A1}'..='\u{30FA}')
}

/// Returns `true` if the link so far ends in the extension of a document: `/index.html`.
fn is_document(view: &View<'_>, start: usize, end: usize) -> bool {
    let mut ending = [b' '; BEFORE + 2];
    let (mut at, mut first) = (end, ending.len() - 1);
    loop {
        let c = view.prev(at, start);
        match u8::try_from(c.code) {
            Ok(byte) if byte.is_ascii_lowercase() && first > 1 => {
                first -= 1;
                ending[first] = byte;
                at -= c.len;
            }
            Ok(b'.') => break,
            _ => return false,
        }
    }
    let word = str::from_utf8(&ending[first - 1..]).unwrap_or_default();
    word.len() > 2 && DOCUMENTS.contains(word)
}

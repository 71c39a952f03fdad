//! Words with which a sentence continues after a link without a space, and the scripts that are written so.
//!
//! The input is the first characters of the text after an ASCII link, the result is whether they continue the sentence
//! rather than the link. The scan ends a link before them, and the readable form of an IRI escapes them. In Japanese and
//! Chinese documents nearly all links that continue in Han or katakana were names of pages; none of those that continue with a
//! particle was.

/// Number of characters of the text that are examined.
pub(crate) const AHEAD: usize = 6;
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
const WORDS: [&str; 31] = [
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
    "复制",
    "複製",
    "打开",
    "打開",
    "点击",
];

/// Chinese words for the code that opens a shared file.
const CODES: [&str; 4] = ["提取码", "提取碼", "密码", "密碼"];

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

/// Returns `true` if the character is of a script that is written without spaces: Thai to Khmer, or Chinese and Japanese.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{2E80}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Returns `true` if the character is Hangul. Korean words have spaces between them, but particles have none before them,
/// and other scripts may follow without one.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}')
}

/// Returns `true` if the character joins two letters of a non-Latin script; ASCII letters are never joined.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Returns `true` if the character is a punctuation mark at the end of a word, but part of the word inside it: a Greek
/// semicolon, the Armenian marks above a vowel or after a word, a dash.
pub(crate) fn is_mark_at_end(c: char) -> bool {
    matches!(
        c,
        '\u{B7}' | '\u{387}' | '\u{55B}'..='\u{55E}' | '\u{2013}'..='\u{2015}' | '\u{2E3A}' | '\u{2E3B}'
    )
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
    while at < CODES.len() {
        first = first.with(CODES[at]);
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

/// Returns `false` if none of the Japanese and Chinese words begins with the character.
#[inline(always)]
pub(crate) fn may_begin_sentence(c: char) -> bool {
    FIRST >> (c as u32 & 63) & 1 == 1
}

/// Returns `true` if the text, of up to [`AHEAD`] characters, is prose rather than a name. `is_slash`: it follows a slash.
pub(crate) fn begins_sentence(text: &[char], is_slash: bool) -> bool {
    let is_korean = text.first().is_some_and(|&c| is_hangul(c));
    is_of_sentence(text, is_slash) || is_korean && is_particle(text, is_slash)
}

/// Returns `true` for the extension of a document, in lower case.
pub(crate) fn is_document(extension: &[u8]) -> bool {
    !extension.is_empty() && DOCUMENTS.split(' ').any(|known| known.as_bytes() == extension)
}

/// Returns `true` if the text ends in the extension of a document: `/index.html`.
pub(crate) fn ends_in_document(text: &str) -> bool {
    let mut known = DOCUMENTS.split_ascii_whitespace();
    known.any(|one| text.strip_suffix(one).is_some_and(|front| front.ends_with('.')))
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
    let is_code = !is_slash
        && CODES.iter().any(|word| {
            let next = |rest: &[char]| rest.first().is_none_or(|c| ":： ".contains(*c));
            after(text, word).is_some_and(next)
        });
    is_particle || is_genitive || is_word || is_join || is_code
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_names() {
        let begins = |text: &str, is_slash| {
            begins_sentence(&text.chars().take(AHEAD).collect::<Vec<_>>(), is_slash)
        };
        for text in ["を", "から参照", "の使い方", "的文档", "에서", "와 ", "とhttp:"]
        {
            assert!(begins(text, text != "와 "), "{text}");
        }
        for text in ["から", "中国", "이순신", "와", "のり", "パス", ""] {
            assert!(!begins(text, true), "{text}");
        }
        assert!(ends_in_document("/a.html") && !ends_in_document("/html"));
        assert!(is_document(b"html") && !is_document(b"") && !is_document(b"ht"));
    }
}

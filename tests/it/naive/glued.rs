//! Prose that goes on without a space after a link of ASCII.

use super::Twin;
use super::chars;
use super::ending::{Head, Part};

const DOCUMENTS: &str =
    "asp aspx cgi css gif gz htm html jpg js jsp md pdf php png shtml txt xhtml xml zip";

/// Particles that Han, katakana or one of these words follows.
const BEFORE_WORDS: [(&str, &str); 8] = [
    ("から", "の も は ご お"),
    ("より", "も"),
    ("で", "す は も あ きま"),
    ("に", "あ は も て つい おい おけ よ な"),
    ("へ", "の は と も お ご"),
    ("は", ""),
    ("が", "あ"),
    ("まで", ""),
];
/// Those that Han or one of these follows.
const BEFORE_HAN: [(&str, &str); 2] = [("と", "いう いっ して な は"), ("も", "")];
const CHINESE: &str = "或者 以及 的 即可 可以 查看 获取 取得 进行 進行 是 了 这 這 并 吧 吗 呢 来查看 来获取 来下载 \
     上的 中的 下的 里的 参照 复制 複製 打开 打開 点击";
const KOREAN: &str = "을 를 은 는 에 에서 에는 에도 의 로 으로 에서는 로부터 까지 부터 입니다 에게";
const KOREAN_IN_WORDS: &str = "이 가 도 와 과 및";

fn han(c: char) -> bool {
    ('\u{3400}'..='\u{9FFF}').contains(&c) || ('\u{F900}'..='\u{FAFF}').contains(&c)
}

fn katakana(c: char) -> bool {
    ('\u{30A1}'..='\u{30FA}').contains(&c)
}

impl Twin<'_> {
    /// Whether a sentence goes on at `i` of the tail after `head`; what has no authority is left alone.
    pub(super) fn is_glued(&self, head: Head, i: usize) -> bool {
        let Some(c) = self.at(i) else { return false };
        if chars::is_mark_at_end(c) {
            return self.at(i + 1).is_none_or(chars::is_white_space);
        }
        if head.part == Part::Path || (head.end..i).any(|k| self.is_beyond_ascii(k)) {
            return false;
        }
        if chars::is_joiner(c) || self.is_suffix(head, i) {
            return true;
        }
        if !chars::is_unspaced(c) && !chars::is_hangul(c) || self.before(i) == Some('=') {
            return false;
        }
        let text = self.string(i, (i + 6).min(self.text.len()));
        let slash = self.before(i) == Some('/');
        self.is_document(head.start, i)
            || japanese(&text, slash)
            || chinese(&text)
            || !slash && code(&text)
            || korean(&text, slash)
    }

    pub(super) fn is_beyond_ascii(&self, i: usize) -> bool {
        self.at(i).is_some_and(|c| !c.is_ascii())
    }

    /// `http://example.org/-ზე`: the hyphen before `i` is none of the link's, unless `/wiki/` is before it.
    pub(super) fn is_suffix(&self, head: Head, i: usize) -> bool {
        i >= head.end + 2
            && self.is(i - 2, "/-")
            && !(i >= head.start + 7 && self.is(i - 7, "/wiki/-"))
            && self.at(i).is_some_and(|c| chars::is_foreign(c) && chars::is_host(c))
    }

    fn is_document(&self, start: usize, end: usize) -> bool {
        let link = self.string(start, end);
        let ending = link.rsplit_once('.').map_or("", |(_, ending)| ending);
        !ending.is_empty() && DOCUMENTS.split(' ').any(|one| one == ending)
    }
}

fn japanese(text: &str, slash: bool) -> bool {
    let begins = |rest: &str, words: &str| words.split_whitespace().any(|w| rest.starts_with(w));
    let particle = BEFORE_WORDS.iter().any(|(word, words)| {
        text.strip_prefix(word)
            .is_some_and(|rest| rest.starts_with(|c| han(c) || katakana(c)) || begins(rest, words))
    });
    let other = BEFORE_HAN.iter().any(|(word, words)| {
        text.strip_prefix(word).is_some_and(|rest| rest.starts_with(han) || begins(rest, words))
    });
    let whole = ["まで", "など"].iter().any(|word| {
        text.strip_prefix(word).is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace()))
    });
    let of = slash && text.strip_prefix('の').is_some_and(|rest| rest.starts_with(han));
    text.starts_with('を') || particle || other || whole || of
}

/// The code of a shared file.
fn code(text: &str) -> bool {
    ["提取码", "提取碼", "密码", "密碼"].iter().any(|word| {
        let rest = text.strip_prefix(word);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '：', ' ']))
    })
}

fn chinese(text: &str) -> bool {
    let word = CHINESE.split_whitespace().any(|word| {
        text.strip_prefix(word).is_some_and(|rest| {
            rest.starts_with(|c| chars::is_unspaced(c) || "，。；：！？）".contains(c))
        })
    });
    let join = "和 或 与 與 及 と や 、".split(' ').any(|word| {
        text.strip_prefix(word)
            .is_some_and(|rest| rest.starts_with("http") || rest.starts_with("www."))
    });
    word || join
}

fn korean(text: &str, slash: bool) -> bool {
    let rest = text.trim_start_matches(chars::is_hangul);
    let word = &text[..text.len() - rest.len()];
    let short = word.chars().count() < 6;
    let over = match rest.chars().next() {
        None => short,
        Some(c) => c.is_whitespace() || ".,;:!?)\"'".contains(c),
    };
    let listed = |list: &str| list.split(' ').any(|one| one == word);
    over && (listed(KOREAN) || !slash && listed(KOREAN_IN_WORDS))
}

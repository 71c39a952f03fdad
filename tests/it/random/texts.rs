//! Random texts: bytes, splices of tokens and of the fixtures' lines, and either of them mutated;
//! with random settings.

use crate::naive::{Boundaries, Schemes, Settings};
use crate::support::dice::Dice;

/// What links are made of, and what gets in their way; parted by spaces.
const TOKENS: &str = r##"http:// https:// ftp:// HTTP:// ssh:// ws:// file:/// foo:// hxxp:// git+ssh://
seehttp:// :// : // / mailto: MailTo: tel: sms:+ urn: urn:isbn: news: mid: cid: magnet:? geo: data:
data:text/plain, doi:10. bitcoin: matrix:u/ sip: xmpp: . .. ... , ; ! ? # & = @ + - -- _ __ * ** ~ ~~ %
%20 %C3%A9 %F %2E $ ^ | \ \n \fR " ' ` < > </ <br> <URL: ( ) [ ] [/ [.] { } a b x A 0 1 9 80 :80 :65536
com org de rs It py zip example example.com a.com b.org www. docs.rs main.rs configure.in localhost
127.0.0.1 256.1.1.1 1.2.3 [::1] [:: user john.doe email= smtp.mailfrom= prvs= xn-- xn--p1ai xn--r8jz45g
COM utm_source= :~:text= &amp; &#46; &#x2E; &#58; &#47; &#x2f; &#64; &#x3002; &# &#x &#0; &#128; &#xD800;
&#99; &#38; &#x200B; &#x110000; at:// did:plc: 0x7f 0X com.So .Thank com-owned hu-ra de-Wort ;www. |www. ,me@ 36kr.com
"@en "^^ ', '+ E-Mail/ :/ ('see"##;

/// Terminal sequences that are as if they were not there.
const SEQUENCES: &[&[u8]] = &[
    b"\x1B[m",
    b"\x1B[1;31m",
    b"\x1B[K",
    b"\x1B[0m",
    b"\x1B[m\x1B[K",
    b"\x1B[2K",
    b"\x1B[38:5:1m",
];

const BLANKS: &[&str] =
    &[" ", "\n", "\r\n", "\r", "\t", "\0", "\x7F", "\u{85}", "\u{A0}", "\u{2028}", "\u{3000}"];

/// Dots, brackets, quotation marks and letters of many scripts; parted by spaces.
const SIGNS: &str = "。 ． ｡ 、 ， ： ！ （ ） 「 」 『 例え 日 テスト パス ー ・ 한국 中国 我爱你 рф пример \
    Пример.рф א ״ ׳ עברית مثال ، ؟ उदाहरण é e\u{301} \u{301} ß ſ ﬀ İ ı ａ ｃｏｍ １ 😀 👩\u{200D}💻 ☺\u{FE0F} ☺ \
    \u{FE0F} \u{FE0E} \u{200D} \u{200C} \u{200B} \u{AD} \u{FEFF} \u{200E} \u{202E} \u{2066} \u{61C} \
    \u{FFFD} \u{FFFF} \u{E000} \u{F0000} \u{10FFFF} \u{378} “ ” „ ‘ ’ ‚ « » ‹ › — – … • → · € \
    \u{20E3} ½ ¼ ＠ ＜ ＞ 提取码 Дети.Сайт \u{1F3FB} 🇩🇪 𝒽 ⑴ ㏇ ℀ Ⅷ \u{E0041} ༺ ⟨ ⟩ 〈 〉";

/// UTF-8 that is none: lone and missing continuations, overlong, surrogates, above the code space.
const MALFORMED: &[&[u8]] = &[
    b"\xFF",
    b"\x80",
    b"\xC0\xAF",
    b"\xC3",
    b"\xE3\x80",
    b"\xED\xA0\x80",
    b"\xF0\x9F\x98",
    b"\xF4\x90\x80\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xE0\x80\xAE",
    b"\xE3",
];

/// Makes random texts of `lines` and of its own.
pub(crate) struct Texts<'a> {
    lines: Vec<&'a [u8]>,
    tokens: Vec<&'static [u8]>,
    signs: Vec<&'static [u8]>,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(lines: &'a [Vec<u8>]) -> Texts<'a> {
        let words = |all: &'static str| all.split_ascii_whitespace().map(str::as_bytes);
        let blanks = BLANKS.iter().map(|blank| blank.as_bytes());
        Texts {
            lines: lines.iter().map(Vec::as_slice).collect(),
            tokens: words(TOKENS).chain(blanks).collect(),
            signs: words(SIGNS).collect(),
        }
    }

    pub(crate) fn text(&self, dice: &mut Dice) -> Vec<u8> {
        let mut text = match dice.below(8) {
            0 => bytes(dice),
            1..=3 => self.tokens(dice),
            4..=5 => self.splice(dice),
            _ => dice.pick(&self.lines).to_vec(),
        };
        if dice.once_in(2) {
            for _ in 0..=dice.below(4) {
                self.mutate(&mut text, dice);
            }
        }
        // Last, for the twin knows no other escapes.
        if dice.once_in(6) {
            colour(&mut text, dice);
        }
        text
    }

    fn tokens(&self, dice: &mut Dice) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..=dice.below(14) {
            text.extend_from_slice(self.token(dice));
        }
        text
    }

    /// The front of one line, tokens, the back of another.
    fn splice(&self, dice: &mut Dice) -> Vec<u8> {
        let (front, back) = (dice.pick(&self.lines), dice.pick(&self.lines));
        let mut text = front[..dice.below(front.len() + 1)].to_vec();
        for _ in 0..dice.below(3) {
            text.extend_from_slice(self.token(dice));
        }
        text.extend_from_slice(&back[dice.below(back.len() + 1)..]);
        text
    }

    fn token(&self, dice: &mut Dice) -> &'static [u8] {
        match dice.below(16) {
            0 => dice.pick(MALFORMED),
            1..=5 => dice.pick(&self.signs),
            _ => dice.pick(&self.tokens),
        }
    }

    fn mutate(&self, text: &mut Vec<u8>, dice: &mut Dice) {
        let from = dice.below(text.len() + 1);
        let to = (from + dice.below(9)).min(text.len());
        match dice.below(6) {
            0 => {
                text.drain(from..to);
            }
            1 if from < text.len() => text[from] ^= 1 << dice.below(8),
            2 => {
                let copy = text[from..to].to_vec();
                text.splice(to..to, copy);
            }
            3 => text.truncate(from),
            4 => {
                text.drain(..from);
            }
            _ => {
                text.splice(from..from, self.token(dice).iter().copied());
            }
        }
    }
}

/// Puts sequences into the text, wherever it may be.
fn colour(text: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..=dice.below(4) {
        let at = dice.below(text.len() + 1);
        text.splice(at..at, dice.pick(SEQUENCES).iter().copied());
    }
}

/// Bytes of all kinds, those that mean something more often.
fn bytes(dice: &mut Dice) -> Vec<u8> {
    let len = dice.below(48);
    let byte = |_| match dice.below(4) {
        0 => dice.below(256) as u8,
        1 => dice.pick(b".:/@?#&()<>\"'~_-%[]=+;,"),
        _ => dice.pick(b"abcdehmnoprstuxz01 .COM"),
    };
    (0..len).map(byte).collect()
}

/// Settings of all kinds, the default ones more often.
pub(crate) fn settings(dice: &mut Dice) -> Settings {
    let mut settings = Settings::default();
    if dice.once_in(2) {
        return settings;
    }
    if dice.once_in(2) {
        settings.boundaries = Boundaries::Uts58;
    }
    settings.schemeless = !dice.once_in(4);
    settings.emails = !dice.once_in(4);
    settings.references = !dice.once_in(6);
    settings.userinfo = dice.once_in(6);
    settings.schemes = match dice.below(8) {
        0 | 1 => Schemes::Any,
        2 => {
            let lists = ["https,foo,tel", "http", "ftp,mailto", "urn,HTTPS,mailto"];
            let list = lists[dice.below(lists.len())];
            Schemes::List(list.split(',').map(str::to_owned).collect())
        }
        _ => Schemes::Known,
    };
    if dice.once_in(6) {
        settings.max_link = 1 + dice.below(40);
    }
    settings
}

//! Texts, the same for the same seed: put together out of pieces, or a real one with a wound.

const FRONTS: [&str; 20] = [
    "",
    "",
    "",
    "http://",
    "http://",
    "https://e.example",
    "HTTP://E.Example:80",
    "http://é.example/",
    "a:",
    "a:/",
    "a://",
    "//",
    "urn:a:",
    "mailto:a@",
    "file:///",
    "http://[::1]",
    "x:y/",
    "http://1.2.3.4",
    "/",
    "http://u:p@h",
];

const PIECES: [&str; 84] = [
    "a",
    "b",
    "Z",
    "1",
    "80",
    "256",
    "/",
    "/",
    "/",
    "//",
    ".",
    "..",
    "/.",
    "/..",
    "/./",
    "/../",
    "?",
    "#",
    ":",
    "@",
    "&",
    "=",
    ";",
    "+",
    "-",
    "_",
    "~",
    "!",
    "$",
    "'",
    "(",
    ")",
    "*",
    ",",
    "[",
    "]",
    "[::1]",
    "[v1.a]",
    "[::",
    "1]",
    "::",
    "%",
    "%2",
    "%2E",
    "%2e%2E",
    "%41",
    "%7e",
    "%2F",
    "%25",
    "%C3%A9",
    "%c3%a9",
    "%C3",
    "%A9",
    "%E2%80%AE",
    "%e2%80%ae",
    "%EE%80%80",
    "%C2%A0",
    "%F0%9F%98%80",
    "%ED%A0%80",
    "%c0%af",
    "é",
    "É",
    "e\u{301}",
    "日本",
    "😀",
    "\u{E000}",
    "\u{F0000}",
    "\u{202E}",
    "\u{200E}",
    "\u{61C}",
    "\u{2066}",
    "\u{A0}",
    "\u{200D}",
    "\u{FFFD}",
    "\u{E0041}",
    "א",
    "xn--9ca",
    "example",
    "com",
    " ",
    "<",
    "\\",
    "\t",
    "\u{7F}",
];

const WHOLE: [&str; 10] = [
    "http://www.example.com/a/b/c.html?q=1&r=2#top",
    "https://user:pass@example.org:8443/%7Euser/../x/./y",
    "http://例え.jp/パス/ファイル?検索=値#断片",
    "mailto:a@b.example?subject=x",
    "urn:isbn:0451450523",
    "ftp://[2001:db8::7]/c=GB",
    "../a/b;c=1/../d?e/../f#g",
    "//h/p//q/../r",
    "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9",
    "http://192.0.2.16:80/%2e%2e/é",
];

/// A small generator of good enough randomness (xorshift64*), the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.max(1))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// A text, valid or not; about two in three are.
    pub(crate) fn text(&mut self, out: &mut String) {
        out.clear();
        if self.below(4) == 0 {
            out.push_str(self.of(&WHOLE));
            for _ in 0..=self.below(3) {
                let mut at = self.below(out.len() + 1);
                while !out.is_char_boundary(at) {
                    at -= 1;
                }
                match self.below(3) {
                    0 => {
                        out.insert_str(at, self.of(&PIECES));
                    }
                    1 => out.truncate(at),
                    _ if at < out.len() => {
                        out.remove(at);
                    }
                    _ => {}
                }
            }
            return;
        }
        out.push_str(self.of(&FRONTS));
        for _ in 0..self.below(7) {
            // Half of the pieces are of the first forty, which are mostly good.
            let piece = if self.below(2) == 0 { self.of(&PIECES[..36]) } else { self.of(&PIECES) };
            out.push_str(piece);
        }
    }
}

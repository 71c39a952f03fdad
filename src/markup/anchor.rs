//! Anchors: finds the text of an element that a reader sees, in the stored bytes after the element's reference.
//!
//! It reads ahead of the tokenizer and keeps no state: the text is short, and [`is_plain`] decides most anchors by a single
//! check of 64 bytes. If the bytes end too early it returns [`Anchor::Cut`], and is called again with more bytes.

use crate::input::chunk::Chunk;
use crate::simd::signs::{BLOCK, MaskKernel, Masks, NonAscii, PAIR};

/// Maximum number of bytes of text that are examined.
pub(crate) const VISIBLE: usize = 512;
/// Maximum number of stored bytes, tags included, in which that text must be.
pub(crate) const STORED: usize = 8 << 10;

/// Maximum depth of nested XML elements that are examined: each may have a reference, and the text of each is read
/// separately. (In HTML the next anchor ends this one.)
const MAX_DEPTH: usize = 8;

/// Markup language of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Html,
    Xml,
}

/// Text of an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The bytes end before the text is known.
    Cut,
    /// Its bytes, with references not resolved; a space where a tag separates words. `is_whole`: no text follows.
    Text { bytes: Vec<u8>, is_whole: bool },
}

/// Elements that do not separate words.
const IN_WORDS: [&str; 21] = [
    "abbr", "b", "bdi", "bdo", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "s",
    "small", "span", "strong", "sub", "sup", "tt", "u", "wbr",
];
const LONGEST_IN_WORDS: usize = "strong".len();

/// Returns the text of the element whose reference ends at `at`, up to its end or to the next anchor.
pub(crate) fn anchor(chunk: Chunk<'_>, at: usize, dialect: Dialect) -> Anchor {
    let bytes = chunk.get(at..).unwrap_or_default();
    let is_capped = bytes.len() >= STORED;
    let mut reader = AnchorReader {
        bytes: bytes.get(..STORED).unwrap_or(bytes),
        at: 0,
        dialect,
        depth: 0,
        text: Vec::new(),
    };
    match reader.read() {
        None if !is_capped && !chunk.is_last() => Anchor::Cut,
        None => Anchor::Text { bytes: reader.text, is_whole: !is_capped },
        Some(is_whole) => Anchor::Text { bytes: reader.text, is_whole },
    }
}

struct AnchorReader<'b> {
    bytes: &'b [u8],
    at: usize,
    dialect: Dialect,
    /// Number of XML elements that are open in the anchor.
    depth: usize,
    text: Vec<u8>,
}

impl AnchorReader<'_> {
    /// Reads to the anchor's end, and returns whether that was reached; `None` if the bytes end before it.
    fn read(&mut self) -> Option<bool> {
        let (end, is_empty) = tag_end(self.bytes, after_quote(self.bytes, self.at))?;
        self.at = end;
        if is_empty && self.dialect == Dialect::Xml {
            return Some(true);
        }
        loop {
            let rest = self.bytes.get(self.at..)?;
            let text = memchr::memchr(b'<', rest);
            let piece = rest.get(..text.unwrap_or(rest.len()))?;
            let room = VISIBLE.saturating_sub(self.text.len());
            self.text.extend_from_slice(piece.get(..room).unwrap_or(piece));
            if piece.len() > room {
                return Some(false);
            }
            self.at += piece.len();
            text?;
            if self.markup()? {
                return Some(true);
            }
            if self.depth > MAX_DEPTH {
                return Some(false);
            }
        }
    }

    /// Skips the markup that a `<` begins, and returns whether the anchor ends there.
    fn markup(&mut self) -> Option<bool> {
        let rest = self.bytes.get(self.at..)?;
        let find = |end: &[u8]| memchr::memmem::find(rest, end).map(|at| at + end.len());
        match (*rest.get(1)?, self.dialect) {
            (b'/', Dialect::Xml) => {
                let is_in_word = is_in_word(rest.get(2..)?);
                self.at += find(b">")?;
                match self.depth.checked_sub(1) {
                    None => return Some(true),
                    Some(depth) => self.depth = depth,
                }
                if !is_in_word {
                    self.text.push(b' ');
                }
            }
            (b'!', _) if rest.starts_with(b"<!--") => {
                let body = memchr::memmem::find(rest.get(2..)?, b"-->")?;
                self.at += 2 + body + 3;
            }
            (b'!', Dialect::Xml) if rest.starts_with(b"<![CDATA[") => {
                let end = find(b"]]>")?;
                let text = rest.get(b"<![CDATA[".len()..end - 3)?;
                self.text.extend_from_slice(text.get(..VISIBLE).unwrap_or(text));
                self.at += end;
            }
            (b'!' | b'?', _) => self.at += find(b">")?,
            (b'/', _) if rest.get(2)?.is_ascii_alphabetic() => return self.tag(2),
            (b'/', _) => self.at += find(b">")?,
            (b, Dialect::Xml) if b != b' ' => {
                let is_in_word = is_in_word(rest.get(1..)?);
                let (end, is_empty) = tag_end(self.bytes, self.at + 1)?;
                self.depth += usize::from(!is_empty);
                self.at = end;
                if !is_in_word {
                    self.text.push(b' ');
                }
            }
            (b, Dialect::Html) if b.is_ascii_alphabetic() => return self.tag(1),
            _ => {
                self.text.push(b'<');
                self.at += 1;
            }
        }
        Some(false)
    }

    /// Skips an HTML tag whose name begins `skipped` bytes after this offset.
    fn tag(&mut self, skipped: usize) -> Option<bool> {
        let start = self.at + skipped;
        let rest = self.bytes.get(start..)?;
        let name = rest.get(..rest.iter().position(|&b| ends_name(b))?)?;
        let is = |one: &str| name.eq_ignore_ascii_case(one.as_bytes());
        if is("a") {
            return Some(true);
        }
        self.at = tag_end(self.bytes, start + name.len())?.0;
        // The content of these elements is not visible.
        if skipped == 1 && (is("style") || is("script")) {
            let rest = self.bytes.get(self.at..)?;
            let is_end = |at: &usize| {
                let found = rest.get(at + 2..at + 2 + name.len());
                found.is_some_and(|found| found.eq_ignore_ascii_case(name))
            };
            self.at += memchr::memmem::find_iter(rest, b"</").find(is_end)?;
        }
        if !IN_WORDS.iter().any(|one| is(one)) {
            self.text.push(b' ');
        }
        Some(false)
    }
}

/// Returns `true` if the XML element whose name the bytes begin with does not separate words, whatever its prefix.
fn is_in_word(bytes: &[u8]) -> bool {
    let name = &bytes[..bytes.iter().position(|&b| ends_name(b)).unwrap_or(bytes.len())];
    let local = name.iter().rposition(|&b| b == b':').map_or(name, |colon| &name[colon + 1..]);
    local.len() <= LONGEST_IN_WORDS && IN_WORDS.iter().any(|known| known.as_bytes() == local)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

fn ends_name(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'/' | b'>')
}

/// Returns the offset after the quote that ends a value, if a quote ends it.
fn after_quote(bytes: &[u8], at: usize) -> usize {
    at + usize::from(matches!(bytes.get(at), Some(b'"' | b'\'')))
}

/// Returns where a tag ends, read as HTML's tokenizer does (§13.2.5.32 to 40) from the end of its name or of an attribute
/// on, and whether it ends with `/>`.
pub(crate) fn tag_end(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let skip = |at: usize, is_in: &dyn Fn(u8) -> bool| {
        let rest = bytes.get(at..)?;
        rest.iter().position(|&b| !is_in(b)).map(|len| at + len)
    };
    let mut at = at;
    loop {
        let before = at;
        at = skip(at, &|b| is_blank(b) || b == b'/')?;
        if bytes.get(at) == Some(&b'>') {
            return Some((at + 1, at > before && bytes.get(at - 1) == Some(&b'/')));
        }
        // An equals sign may begin a name.
        at = skip(at + 1, &|b| !ends_name(b) && b != b'=')?;
        let sign = skip(at, &is_blank)?;
        if bytes.get(sign) != Some(&b'=') {
            continue;
        }
        at = skip(sign + 1, &is_blank)?;
        at = match bytes.get(at)? {
            quote @ (b'"' | b'\'') => at + 2 + memchr::memchr(*quote, bytes.get(at + 1..)?)?,
            b'>' => at,
            _ => skip(at, &|b| !is_blank(b) && b != b'>')?,
        };
    }
}

/// Kernel that returns `true` if the text after a reference, with which the bytes begin, surely does not name a host: it
/// has no dot, no reference and no tag. This takes one check of the bytes for nearly all anchors.
pub(crate) struct IsPlain<'b> {
    pub(crate) bytes: &'b [u8],
    /// Treatment of non-ASCII bytes.
    pub(crate) beyond: NonAscii,
}

impl MaskKernel for IsPlain<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> bool {
        let Some(window) = self.bytes.first_chunk::<PAIR>() else { return false };
        let (Some(low), Some(high)) = (window.first_chunk::<BLOCK>(), window.last_chunk::<BLOCK>())
        else {
            return false;
        };
        let signs =
            |byte| u64::from(masks.same(low, byte)) | u64::from(masks.same(high, byte)) << BLOCK;
        let ends = signs(b'>');
        let end = ends & ends.wrapping_neg();
        let tag = end.wrapping_sub(1);
        // The tag ends there if its attributes are written as nearly all are: `name="value"`.
        let quotes = signs(b'"') & tag & !1;
        if end == 0 || window[0] != b'"' || (quotes != 0 && !are_pairs(quotes, window)) {
            return false;
        }
        let opens = signs(b'<') & !tag;
        let open = opens & opens.wrapping_neg();
        let text = open.wrapping_sub(1) & !tag;
        let at = open.trailing_zeros() as usize;
        let is_end = matches!(window.get(at + 1..at + 4), Some([b'/', b'a' | b'A', b'>']));
        let from = u64::from(masks.from(low, 0x80)) | u64::from(masks.from(high, 0x80)) << BLOCK;
        let stops = match self.beyond {
            NonAscii::Letters => 0,
            NonAscii::Anything => from,
            // U+3002, and every character with the first byte of U+FF0E and U+FF61.
            NonAscii::Utf8 if from & text == 0 => 0,
            NonAscii::Utf8 => signs(0xEF) | signs(0xE3) & signs(0x80) >> 1 & signs(0x82) >> 2,
        };
        is_end && (signs(b'.') | signs(b'&') | stops) & text == 0
    }
}

/// Returns `true` if quotes are in pairs, the first of each after an equals sign and the second not after white space: the
/// tokenizer then reads them as pairs too, whatever else is in the tag.
#[inline(always)]
fn are_pairs(mut quotes: u64, window: &[u8; PAIR]) -> bool {
    let mut is_opening = true;
    while quotes != 0 {
        let at = quotes.trailing_zeros() as usize;
        let before = window[at - 1];
        if (before == b'=') != is_opening || is_blank(before) {
            return false;
        }
        is_opening = !is_opening;
        quotes &= quotes - 1;
    }
    is_opening && memchr::memchr(b'\'', window).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chunk::Chunk;
    use crate::simd::signs::Isa;

    /// Returns the text after `<a href=`, with `|` for a tag that separates words.
    fn text(after: &str, dialect: Dialect) -> (String, bool) {
        let bytes = format!("<a href=\"u{after}");
        match anchor(Chunk::whole(bytes.as_bytes()), 10, dialect) {
            Anchor::Text { bytes, is_whole } => (String::from_utf8(bytes).unwrap(), is_whole),
            Anchor::Cut => panic!("{after}"),
        }
    }

    #[test]
    fn what_a_reader_sees() {
        for (after, seen) in [
            ("\">x</a>y", "x"),
            ("\" class=b title='>'>x</A >y", "x"),
            ("\" title=\"></a>\">x<a href=y>z", "x"),
            ("\"/>x</a>", "x"),
            ("\">x<b>y</b><!-- > -->z</a>", "xyz"),
            ("\">x<br>y<img src='</a>'>z</a>", "x y z"),
            ("\">a < b <3</a>", "a < b <3"),
            ("\">x<style>q</style>y<script>'</a>'</script>z</a>", "x  y  z"),
            ("\">x</>y</3>z<?q?></a>", "xyz"),
            ("\">x", "x"),
            ("\"", ""),
        ] {
            assert_eq!(text(after, Dialect::Html), (seen.to_owned(), true), "{after}");
        }
        for (after, seen) in [
            ("\"/>x</a>", ""),
            ("\">x<b y='>'/>z<c>d</c></x:a>e", "xz d "),
            ("\">x<![CDATA[<b>]]></a>", "x<b>"),
        ] {
            assert_eq!(text(after, Dialect::Xml), (seen.to_owned(), true), "{after}");
        }
        let long = format!("\">{}</a>", "x".repeat(VISIBLE + 1));
        assert_eq!(text(&long, Dialect::Html), ("x".repeat(VISIBLE), false));
        let deep = |depth| format!("\">{}x{}", "<b>".repeat(depth), "</b>".repeat(depth + 1));
        assert_eq!(text(&deep(MAX_DEPTH), Dialect::Xml), ("x".to_owned(), true));
        assert_eq!(text(&deep(MAX_DEPTH + 1), Dialect::Xml), (String::new(), false));
        let far = format!("\">x{}</a>", "<b>".repeat(STORED / 3));
        assert_eq!(text(&far, Dialect::Html), ("x".to_owned(), false));
    }

    /// Wherever the bytes are cut, the answer is that for all of them, or [`Anchor::Cut`].
    #[test]
    fn what_is_cut_is_asked_again() {
        let all = b"<a href='u' b=c>x <b\n>y</b><!-- --> &amp; <br/>z</a> more";
        let whole = anchor(Chunk::whole(all), 10, Dialect::Html);
        assert_eq!(anchor(Chunk::new(all, 0, false), 10, Dialect::Html), whole);
        let known = all.len() - 6;
        for end in 10..all.len() {
            let seen = anchor(Chunk::new(&all[..end], 0, false), 10, Dialect::Html);
            assert_eq!(seen, if end > known { whole.clone() } else { Anchor::Cut }, "{end}");
        }
    }

    /// A text that the single check accepts as plain has neither a dot nor a reference when it is read in full.
    #[test]
    fn plain_ones_both_ways() {
        const PIECES: [&str; 22] = [
            "\"", "'", ">", "<", "</a>", "</a", "<a", " ", "=", "a=\"b\"", " c='d'", "x", "text ",
            ".", "&", "&amp;", "。", "．", "の", "=\"", "/", "<b>",
        ];
        let mut dice = crate::dice::Dice::new(5);
        let mut plain = 0;
        for _ in 0..200_000 {
            let mut after = String::from(if dice.once_in(8) { ">" } else { "\"" });
            after.extend((0..dice.below(7)).map(|_| dice.pick(&PIECES)));
            after.push_str(if dice.once_in(2) { "text</a>" } else { ">text</a>" });
            let bytes = format!("<a href=\"u{after}{}", "-".repeat(PAIR));
            let look = IsPlain { bytes: &bytes.as_bytes()[10..], beyond: NonAscii::Utf8 };
            if Isa::detect().run(look) {
                plain += 1;
                let (seen, is_whole) = text(&after, Dialect::Html);
                assert!(is_whole && !seen.contains(['.', '&', '。', '．']), "{after}: {seen}");
            }
        }
        assert!(plain > 5_000, "{plain}");
    }
}

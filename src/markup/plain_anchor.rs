//! Anchors whose visible text surely names no host, as nearly all: decided by masks, without copying the text.
//!
//! A host has a dot before a letter, an address of the web a colon before a slash, and a reference may be either. The
//! kernel follows the tags up to `</a>` and looks for these in everything between; an anchor that is written in another way
//! is left to [`anchor`](super::anchor). All of the text counts, also what a reader does not see, so that the kernel need not
//! know which elements hide their content.

use std::ops::Range;

use super::anchor::{Dialect, is_blank};
use crate::simd::signs::{AsciiSet, BLOCK, MaskKernel, Masks, NonAscii, PAIR};

/// Maximum number of tags in an anchor that are followed.
const MAX_TAGS: usize = 8;
/// Number of bytes in which the name of a reference must end.
const LONGEST_NAME: usize = 8;

/// What the visible text of an anchor may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnchorLook {
    /// No host.
    Nothing,
    /// Only what the bytes in this range name, which have no references, and are all of the text.
    Only(Range<usize>),
    /// The text has to be read.
    Unknown,
}

/// Kernel that looks at the text after a reference, with whose closing quote the bytes begin.
pub(crate) struct PlainAnchor<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) dialect: Dialect,
    /// Treatment of non-ASCII bytes.
    pub(crate) beyond: NonAscii,
}

impl MaskKernel for PlainAnchor<'_> {
    type Output = AnchorLook;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> AnchorLook {
        self.look(masks).unwrap_or(AnchorLook::Unknown)
    }
}

/// Masks of two blocks.
#[derive(Default)]
struct AnchorMasks {
    opens: u64,
    closes: u64,
    /// Dots, colons and ampersands.
    stops: u64,
    high: u64,
}

impl AnchorMasks {
    #[inline(always)]
    fn of(window: &[u8; PAIR], masks: impl Masks) -> Option<AnchorMasks> {
        const STOPS: AsciiSet = {
            let mut table = [0; 256];
            (table[b'.' as usize], table[b':' as usize], table[b'&' as usize]) = (1, 1, 1);
            AsciiSet::of(&table, 1)
        };
        let (low, high) = (window.first_chunk::<BLOCK>()?, window.last_chunk::<BLOCK>()?);
        let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << BLOCK;
        let signs =
            |byte| u64::from(masks.same(low, byte)) | u64::from(masks.same(high, byte)) << BLOCK;
        let stops = match (masks.of_class(low, &STOPS), masks.of_class(high, &STOPS)) {
            (Some(low), Some(high)) => both(low, high),
            _ => signs(b'.') | signs(b':') | signs(b'&'),
        };
        Some(AnchorMasks {
            opens: signs(b'<'),
            closes: signs(b'>'),
            stops,
            high: both(masks.from(low, 0x80), masks.from(high, 0x80)),
        })
    }
}

/// Returns where two blocks have this byte.
#[inline(always)]
fn signs_of(window: &[u8; PAIR], byte: u8, masks: impl Masks) -> Option<u64> {
    let (low, high) = (window.first_chunk::<BLOCK>()?, window.last_chunk::<BLOCK>()?);
    Some(u64::from(masks.same(low, byte)) | u64::from(masks.same(high, byte)) << BLOCK)
}

/// What the bytes of a tag or a text may be a part of.
#[derive(Clone, Copy, Default)]
struct Risk {
    /// A host without a scheme.
    is_host: bool,
    /// A dot or a colon is the last byte.
    is_open: bool,
    has_references: bool,
}

impl<'b> PlainAnchor<'b> {
    /// Returns `None` for an anchor that is not plain.
    #[inline(always)]
    fn look(&self, masks: impl Masks) -> Option<AnchorLook> {
        let bytes = self.bytes;
        if bytes.first() != Some(&b'"') {
            return None;
        }
        // Offsets of the masks, and of the tag or text that is read.
        let (mut base, mut at) = (0, 1);
        let mut signs = AnchorMasks::of(bytes.first_chunk()?, masks)?;
        let (mut only, mut risk) = (None, Risk::default());
        // Number of elements that are open in the anchor: in XML any end tag ends the innermost.
        let mut depth = 0;
        for tags in 0..MAX_TAGS {
            if signs.closes & ahead(at - base) == 0 {
                base = at;
                signs = AnchorMasks::of(bytes.get(base..)?.first_chunk()?, masks)?;
            }
            let close = first(signs.closes & ahead(at - base))?;
            let tag_start = bytes.get(at + 1).filter(|_| tags > 0);
            let tag = ahead(at - base) & below(close);
            if tag != 0 {
                let window = bytes.get(base..)?.first_chunk()?;
                let is_quoted = signs_of(window, b'\'', masks)? & tag != 0;
                if is_quoted || !are_pairs(signs_of(window, b'"', masks)? & tag, bytes, base) {
                    return None;
                }
            }
            match tags {
                0 => self.title(signs.stops & tag, base)?,
                _ if self.risk(signs.stops & tag, signs.high & tag, base)?.is_host => return None,
                _ => {}
            }
            if tags == 0 && self.dialect == Dialect::Xml && ends_empty(bytes.get(..base + close)?) {
                return Some(AnchorLook::Nothing);
            }
            at = base + close + 1;
            depth += match tag_start {
                Some(b'/') => -1,
                _ if tags > 0 && bytes.get(at - 2) != Some(&b'/') => 1,
                _ => 0,
            };
            if signs.opens & ahead(at - base) == 0 {
                base = at;
                signs = AnchorMasks::of(bytes.get(base..)?.first_chunk()?, masks)?;
            }
            let open = first(signs.opens & ahead(at - base))?;
            let text = ahead(at - base) & below(open);
            let range = at..base + open;
            at = range.end;
            if !bytes.get(range.clone())?.iter().all(|b| is_blank(*b)) {
                // The text goes on behind a tag, which may hide a part of it.
                if risk.is_open {
                    return None;
                }
                let own = self.risk(signs.stops & text, signs.high & text, base)?;
                risk = Risk {
                    is_host: risk.is_host | own.is_host,
                    is_open: own.is_open,
                    has_references: risk.has_references | own.has_references,
                };
                only = if only.is_none() { Some(range) } else { Some(0..0) };
            }
            if is_end(bytes.get(at + 1..at + 4)?)? {
                if depth != 0 && self.dialect == Dialect::Xml {
                    return None;
                }
                return match only {
                    Some(only) if risk.is_host && !only.is_empty() && !risk.has_references => {
                        Some(AnchorLook::Only(only))
                    }
                    _ if risk.is_host => None,
                    _ => Some(AnchorLook::Nothing),
                };
            }
        }
        None
    }

    /// Returns `None` if the attributes of the anchor have an address of the web: a `title` may have one.
    #[inline(always)]
    fn title(&self, mut stops: u64, base: usize) -> Option<()> {
        while let Some(at) = first(stops) {
            if self.bytes.get(base + at..base + at + 3)? == b"://" {
                return None;
            }
            stops &= stops - 1;
        }
        Some(())
    }

    /// Returns what dots, colons, references and non-ASCII bytes may be a part of; `None` if the text has to be read.
    #[inline(always)]
    fn risk(&self, mut stops: u64, high: u64, base: usize) -> Option<Risk> {
        let rest = self.bytes.get(base..)?;
        if high != 0 && self.may_be_full_stop(high, rest) {
            return None;
        }
        let mut risk = Risk::default();
        while let Some(at) = first(stops) {
            let next = *rest.get(at + 1)?;
            match rest.get(at)? {
                b'&' => {
                    if !is_harmless(rest.get(at + 1..)?) {
                        return None;
                    }
                    risk.has_references = true;
                }
                _ if next == b'<' => risk.is_open = true,
                // An invisible character may follow, or a reference.
                _ if next >= 0x80 || next == b'&' => return None,
                b':' if next == b'/' => return None,
                b'.' => risk.is_host |= next.is_ascii_alphabetic() || next == b'%',
                _ => {}
            }
            stops &= stops - 1;
        }
        Some(risk)
    }

    /// Returns `true` if these non-ASCII bytes may be a full stop.
    #[inline(always)]
    fn may_be_full_stop(&self, mut high: u64, rest: &[u8]) -> bool {
        match self.beyond {
            NonAscii::Letters => false,
            NonAscii::Anything => true,
            // U+3002, and every character with the first byte of U+FF0E and U+FF61.
            NonAscii::Utf8 => {
                while let Some(at) = first(high) {
                    let rest = rest.get(at..).unwrap_or_default();
                    if rest.starts_with(&[0xEF]) || rest.starts_with("。".as_bytes()) {
                        return true;
                    }
                    high &= high - 1;
                }
                false
            }
        }
    }
}

/// Returns whether the tag whose `<` these bytes follow ends the anchor; `None` for markup that is read in another way: a
/// tag that may end it, too, an element whose content is not markup, a comment.
#[inline(always)]
fn is_end(bytes: &[u8]) -> Option<bool> {
    let [one, two, three] = *bytes.first_chunk()?;
    match (one | 0x20, two | 0x20) {
        _ if one == b'/' => match two | 0x20 {
            b'a' => (three == b'>').then_some(true),
            letter => letter.is_ascii_alphabetic().then_some(false),
        },
        (b'a', _) | (b's', b'c') => None,
        (b's', b't') if three | 0x20 == b'y' => None,
        (letter, _) => (one.is_ascii_alphabetic() && letter.is_ascii_alphabetic()).then_some(false),
    }
}

/// Returns `true` if the bytes of a tag, which end before its `>`, end an element without content. A slash behind anything
/// but a closing quote may be a part of a value.
#[inline(always)]
fn ends_empty(tag: &[u8]) -> bool {
    tag.strip_suffix(b"/").is_some_and(|tag| tag.trim_ascii_end().ends_with(b"\""))
}

/// Returns `true` if a character reference, given without its ampersand, surely is not to a dot, a colon or a slash.
#[inline(always)]
fn is_harmless(reference: &[u8]) -> bool {
    let Some(near) = reference.first_chunk::<LONGEST_NAME>() else { return false };
    let Some(end) = near.iter().position(|b| *b == b';') else { return false };
    match &near[..end] {
        b"period" | b"colon" | b"sol" => false,
        [b'#', b'3', b'4' | b'9'] => true,
        [b'#', digits @ ..] => {
            // Full stops of other scripts have larger numbers.
            matches!(digits, [b'1'..=b'9', _, _] | [b'1'..=b'9', _, _, _])
                && digits.iter().all(u8::is_ascii_digit)
                && *digits >= b"160"[..]
        }
        name => name.iter().all(u8::is_ascii_alphanumeric),
    }
}

/// Returns `true` if quotes are in pairs, the first of each after an equals sign and the second not after white space: the
/// tokenizer then reads them as pairs too, whatever else is in the tag.
#[inline(always)]
fn are_pairs(mut quotes: u64, bytes: &[u8], base: usize) -> bool {
    let mut is_opening = true;
    while let Some(at) = first(quotes) {
        let before = bytes[base + at - 1];
        if (before == b'=') != is_opening || is_blank(before) {
            return false;
        }
        is_opening = !is_opening;
        quotes &= quotes - 1;
    }
    is_opening
}

/// Returns the number of the first bit.
#[inline(always)]
fn first(mask: u64) -> Option<usize> {
    (mask != 0).then(|| mask.trailing_zeros() as usize)
}

/// Returns the bits from this one on.
#[inline(always)]
fn ahead(bit: usize) -> u64 {
    if bit < PAIR { u64::MAX << bit } else { 0 }
}

/// Returns the bits below this one, which is one of a pair of blocks.
#[inline(always)]
fn below(bit: usize) -> u64 {
    (1 << bit) - 1
}

#[cfg(test)]
mod tests {
    use super::super::anchor::{AnchorElement, AnchorText, Dialect, ReadAnchor, VISIBLE, anchor};
    use super::*;
    use crate::dice::Dice;
    use crate::input::chunk::Chunk;
    use crate::simd::signs::{ByteByByte, Isa, Plain};

    fn looks(after: &str, dialect: Dialect) -> AnchorLook {
        let bytes = after.as_bytes();
        let look = || PlainAnchor { bytes, dialect, beyond: NonAscii::Utf8 };
        let found = Isa::detect().run(look());
        assert_eq!(look().run(Plain), found, "{after}");
        assert_eq!(look().run(ByteByByte), found, "{after}");
        found
    }

    /// Returns the text after `<a href=` and the texts that stand for pictures.
    fn read(after: &str, dialect: Dialect) -> AnchorText {
        let bytes = format!("<a href=\"u{after}");
        let bytes = Chunk::whole(bytes.as_bytes());
        match anchor(bytes, 10, dialect, AnchorElement::Anchor, VISIBLE) {
            ReadAnchor::Text(text) => text,
            ReadAnchor::Cut => panic!("{after}"),
        }
    }

    #[test]
    fn texts_that_are_decided_at_once() {
        let look = |after: &str| looks(&[after, &"-".repeat(4 * PAIR)].concat(), Dialect::Html);
        for after in [
            "\">x</a>",
            "\" title=\"a.b\" id=\"c\">1.2. Next: &lt;x&gt;</A>",
            "\"><code class=\"docutils literal notranslate\"><span class=\"pre\">split()</span></code></a>",
            "\">x<br/>y: <b>z.</b></a>",
            "\">é 1.</a>",
        ] {
            assert_eq!(look(after), AnchorLook::Nothing, "{after}");
        }
        for (after, only) in [
            ("\">e.com</a>", "e.com"),
            ("\"><b>\n<i>x.y()</i>\n</b></a>", "x.y()"),
            ("\" class=\"a\">see e.com: x</a>", "see e.com: x"),
        ] {
            let AnchorLook::Only(range) = look(after) else { panic!("{after}") };
            assert_eq!(&after[range], only);
        }
        for after in [
            "'>x</a>",
            "\" title=\"http://e.com/\">x</a>",
            "\" title='>'>x</a>",
            "\" title=\"x>y\">x</a>",
            "\"><b title=\"></a>\">x</a>",
            "\">http://e</a>",
            "\">http:<b>//e</b></a>",
            "\">e.<b>com</b></a>",
            "\">e.com<i hidden> x</i></a>",
            "\">&#46;</a>",
            "\">e。com</a>",
            "\">e.\u{AD}com</a>",
            "\"><img alt=\"e.com\"></a>",
            "\"><script></a></script></a>",
            "\"><style></a></style></a>",
            "\">x<a>y</a>",
            "\">x<!-- --></a>",
            "\">x</a >",
            "\">x < y</a>",
        ] {
            assert_eq!(look(after), AnchorLook::Unknown, "{after}");
        }
    }

    #[test]
    fn elements_of_xml_without_content() {
        let look = |after: &str| looks(&[after, &"-".repeat(4 * PAIR)].concat(), Dialect::Xml);
        for after in ["\"/>", "\" />", "\" b=\"c.d\"\n/>"] {
            assert_eq!(look(after), AnchorLook::Nothing, "{after}");
            assert_eq!(read(after, Dialect::Xml).bytes, b"", "{after}");
        }
        for after in ["\" b=c/>", "\" b= />", "\" b/>", "\" title=\"http://e.com/\"/>"] {
            assert_eq!(look(after), AnchorLook::Unknown, "{after}");
        }
        assert_eq!(
            looks(&["\"/>", &"-".repeat(4 * PAIR)].concat(), Dialect::Html),
            AnchorLook::Unknown
        );
    }

    #[test]
    fn references_to_a_dot_or_a_colon() {
        let mut harmless = 0;
        for entity in entities::ENTITIES.iter() {
            let name = [entity.entity.trim_start_matches('&'), "........"].concat();
            if is_harmless(name.as_bytes()) {
                harmless += 1;
                let odd = ['.', ':', '/', '。', '．', '｡', '：'];
                assert!(!entity.characters.contains(odd), "{name}");
            }
        }
        assert!(harmless > 1_000, "{harmless}");
        for (number, expected) in [
            ("34", true),
            ("46", false),
            ("58", false),
            ("160", true),
            ("8217", true),
            ("099", false),
        ] {
            let reference = format!("#{number};........");
            assert_eq!(is_harmless(reference.as_bytes()), expected, "{number}");
        }
        assert!(
            !is_harmless(b"#12290;...") && !is_harmless(b"#x2e;....") && !is_harmless(b"amp .....")
        );
    }

    /// A text that is decided at once has no host when it is read in full, or only that in the range.
    #[test]
    fn anchors_both_ways() {
        const PIECES: [&str; 40] = [
            "\"",
            "'",
            ">",
            "<",
            "</a>",
            "</a",
            "<a",
            " ",
            "=",
            "a=\"b\"",
            " c='d'",
            "x",
            "text ",
            ".",
            "&",
            "&amp;",
            "&lt;",
            "&#46;",
            "。",
            "．",
            "の",
            "=\"",
            "/",
            "<b>",
            "</b>",
            "://",
            ":",
            " title=\"://\"",
            "<i hidden>",
            "<span class=\"k.l\">",
            "</span>",
            "<img alt=\"",
            "\">",
            "com",
            ".com",
            "<script>",
            "</script>",
            "\n",
            "<!--",
            "-->",
        ];
        let mut dice = Dice::new(5);
        let (mut nothing, mut only) = (0, 0);
        for _ in 0..300_000 {
            let mut after = String::from(if dice.once_in(8) { ">" } else { "\"" });
            after.push_str(if dice.once_in(3) { ">" } else { "" });
            after.extend((0..dice.below(9)).map(|_| dice.pick(&PIECES)));
            after.push_str(if dice.once_in(2) { "text</a>" } else { ">text</a>" });
            for dialect in [Dialect::Html, Dialect::Xml] {
                let found = looks(&[&after, &*"-".repeat(PAIR)].concat(), dialect);
                let AnchorText { bytes, alternatives, .. } = match &found {
                    AnchorLook::Unknown => continue,
                    _ => read(&after, dialect),
                };
                let all = std::iter::once(&bytes).chain(&alternatives);
                for text in all.map(|bytes| std::str::from_utf8(bytes).unwrap()) {
                    assert!(!text.contains("://"), "{after}: {text}");
                    match &found {
                        AnchorLook::Only(range) if text.as_bytes() == bytes => {
                            only += 1;
                            let is_in = after[range.clone()].contains(text.trim());
                            assert!(is_in, "{after}: {text}");
                        }
                        _ => {
                            nothing += 1;
                            let is_named = |at: usize| {
                                let next = text[at + 1..].chars().next();
                                next.is_some_and(|next| next.is_alphabetic())
                            };
                            let named = text.match_indices('.').any(|(at, _)| is_named(at));
                            let odd = ["。", "．", "&#46;"].iter().any(|odd| text.contains(odd));
                            assert!(!named && !odd, "{after}: {text}");
                        }
                    }
                }
            }
        }
        assert!(nothing > 5_000 && only > 1_000, "{nothing} {only}");
    }
}

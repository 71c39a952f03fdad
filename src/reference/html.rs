//! HTML's character references (WHATWG HTML §13.2.5.72–80), and XML's five names.
//!
//! What comes in are bytes at an ampersand, what goes out is what the reference there stands for.
//! The longest name of the list that fits is taken; since each name that may stand without its
//! semicolon is on the list with it as well, that is the whole run of letters and digits if a
//! semicolon follows, and else the longest bare name that the run begins with.

use super::Rules;
use super::numeric::{mapped, numeric_at};
use super::{LONGEST, Numeric};
use crate::tables::entities::{self, entity};

/// What a reference stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Character(char),
    /// One character or two.
    Named(&'static str),
}

/// What the bytes at an ampersand turn out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    /// What the reference means, and its length in bytes; `None`: there is no reference.
    pub(crate) found: Option<(Meaning, usize)>,
    /// More bytes behind those given might change the answer.
    pub(crate) is_cut: bool,
}

impl Read {
    const NOTHING: Read = Read { found: None, is_cut: false };
}

/// Reads the reference that begins at `bytes[at]`, an ampersand.
pub(crate) fn reference_at(bytes: &[u8], at: usize, rules: Rules) -> Read {
    let Some(rest) = bytes.get(at + 1..) else { return Read::NOTHING };
    match (rest.first(), rules) {
        (_, Rules::None) => Read::NOTHING,
        (_, Rules::Plain) => match numeric_at(bytes, at) {
            Numeric::Reference { code, len } => {
                Read { found: Some((character(code), len)), is_cut: false }
            }
            numeric => Read { found: None, is_cut: numeric == Numeric::Cut },
        },
        (None, _) => Read { found: None, is_cut: true },
        (Some(b'#'), _) => number(rest, rules),
        (Some(_), Rules::Xml) => xml_name(rest),
        (Some(b), _) if b.is_ascii_alphanumeric() => name(rest, rules),
        (Some(_), _) => Read::NOTHING,
    }
}

/// Reads the reference of HTML that ends at `bytes[end]`, `bytes[end - 1]` being a semicolon, and does
/// not begin before `floor`.
#[cfg_attr(not(test), expect(dead_code, reason = "for walks back over the text of markup"))]
pub(crate) fn reference_before(bytes: &[u8], end: usize, floor: usize) -> Option<(Meaning, usize)> {
    let low = floor.max(end.saturating_sub(LONGEST.max(entities::LONGEST + 2)));
    let at = low + memchr::memrchr(b'&', bytes.get(low..end)?)?;
    let (meaning, len) = reference_at(bytes, at, Rules::HtmlText).found?;
    (at + len == end).then_some((meaning, len))
}

fn character(code: u32) -> Meaning {
    Meaning::Character(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// `rest` begins with the number sign. In HTML the semicolon may be wanting and digits go on without
/// end; XML asks for the one, and maps 0x80–0x9F to nothing else.
fn number(rest: &[u8], rules: Rules) -> Read {
    let is_xml = rules == Rules::Xml;
    let is_strict = is_xml || rules == Rules::Markdown;
    let (radix, digits) = match rest.get(1) {
        None => return Read { found: None, is_cut: true },
        Some(b'x') => (16, 2),
        Some(b'X') if !is_xml => (16, 2),
        Some(_) => (10, 1),
    };
    let mut value = 0u32;
    for (n, &byte) in rest[digits..].iter().enumerate() {
        match char::from(byte).to_digit(radix) {
            Some(digit) => value = value.saturating_mul(radix).saturating_add(digit).min(0x11_0000),
            None if n == 0 || (is_strict && byte != b';') => return Read::NOTHING,
            None => {
                let len = 1 + digits + n + usize::from(byte == b';');
                let code = match value {
                    0 if !is_xml => 0xFFFD,
                    _ if is_strict => value,
                    _ => mapped(value),
                };
                return Read { found: Some((character(code), len)), is_cut: false };
            }
        }
    }
    let found = match rest.len() > digits && !is_strict {
        true => Some((character(mapped(value)), 1 + rest.len())),
        false => None,
    };
    Read { found, is_cut: true }
}

/// `rest` begins with a letter or digit.
fn name(rest: &[u8], rules: Rules) -> Read {
    // What is written nearly always.
    for (written, meaning) in [(&b"amp;"[..], "&"), (b"lt;", "<"), (b"quot;", "\"")] {
        if rest.starts_with(written) {
            let found = Some((Meaning::Named(meaning), 1 + written.len()));
            return Read { found, is_cut: false };
        }
    }
    let window = &rest[..rest.len().min(entities::LONGEST + 1)];
    let run = window.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    if window.get(run) == Some(&b';')
        && let Some(known) = entity(&window[..run])
    {
        let found = Some((Meaning::Named(known.characters), 1 + run + 1));
        return Read { found, is_cut: false };
    }
    let is_cut = run == rest.len() && run <= entities::LONGEST;
    if rules == Rules::Markdown {
        return Read { found: None, is_cut };
    }
    for len in (2..=run.min(entities::LONGEST_BARE)).rev() {
        let Some(known) = entity(&window[..len]).filter(|known| known.is_bare) else { continue };
        let next = rest.get(len);
        let (found, is_cut) = match next {
            // §13.2.5.73: for historical reasons `&copy=` in an attribute is what is written.
            Some(b) if rules == Rules::HtmlAttribute && is_barred(*b) => (None, false),
            _ => (Some((Meaning::Named(known.characters), 1 + len)), is_cut || next.is_none()),
        };
        return Read { found, is_cut: is_cut && run == rest.len() };
    }
    Read { found: None, is_cut }
}

/// Whether a bare name in an attribute is none because this stands behind it.
fn is_barred(next: u8) -> bool {
    next == b'=' || next.is_ascii_alphanumeric()
}

/// XML's five; what else a document declares is not known here.
fn xml_name(rest: &[u8]) -> Read {
    const NAMES: [(&str, &str); 5] =
        [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")];
    for (written, meaning) in NAMES {
        if rest.starts_with(written.as_bytes()) {
            let found = Some((Meaning::Named(meaning), 1 + written.len()));
            return Read { found, is_cut: false };
        }
    }
    let is_cut = NAMES.iter().any(|(written, _)| written.as_bytes().starts_with(rest));
    Read { found: None, is_cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, rules: Rules) -> (Option<(Meaning, usize)>, bool) {
        let Read { found, is_cut } = reference_at(text.as_bytes(), 0, rules);
        (found, is_cut)
    }

    #[test]
    fn the_longest_name_wins() {
        let named = |s, len| Some((Meaning::Named(s), len));
        for (text, found) in [
            ("&notit;", named("¬", 4)),
            ("&notin;", named("∉", 7)),
            ("&notin ", named("¬", 4)),
            ("&amp;amp;", named("&", 5)),
            ("&ampamp;", named("&", 4)),
            ("&acE;", named("∾\u{333}", 5)),
            ("&acE ", None),
            ("&commat ", None),
            ("&CounterClockwiseContourIntegral;", named("∳", 33)),
            ("&CounterClockwiseContourIntegralx;", None),
            ("&;", None),
            ("& ", None),
            ("&#46x", Some((Meaning::Character('.'), 4))),
            ("&#x;", None),
        ] {
            assert_eq!(read(text, Rules::HtmlText), (found, false), "{text}");
        }
    }

    #[test]
    fn attributes_bar_bare_names() {
        for text in ["&copy=", "&copyx", "&copy2"] {
            assert_eq!(read(text, Rules::HtmlAttribute), (None, false), "{text}");
            assert!(read(text, Rules::HtmlText).0.is_some());
        }
        for text in ["&copy;=", "&copy&", "&#38=", "&copy-"] {
            assert!(read(text, Rules::HtmlAttribute).0.is_some(), "{text}");
        }
    }

    #[test]
    fn a_cut_reference_says_so() {
        for text in ["&", "&a", "&amp", "&not", "&noti", "&#", "&#x", "&#4", "&#0000"] {
            assert!(read(text, Rules::HtmlText).1, "{text}");
        }
        assert_eq!(read("&amp", Rules::HtmlAttribute).0, Some((Meaning::Named("&"), 4)));
        for text in ["&amp;", "&zz ", "&#4 ", "&="] {
            assert!(!read(text, Rules::HtmlText).1, "{text}");
        }
        for text in ["&a", "&apos", "&#x2", "&"] {
            assert!(read(text, Rules::Xml).1, "{text}");
        }
    }

    #[test]
    fn xml_has_five_names_and_its_own_numbers() {
        for (text, found) in [
            ("&apos;", Some((Meaning::Named("'"), 6))),
            ("&nbsp;", None),
            ("&amp ", None),
            ("&#38 ", None),
            ("&#X26;", None),
            ("&#x80;", Some((Meaning::Character('\u{80}'), 6))),
            ("&#0;", Some((Meaning::Character('\0'), 4))),
            ("&#xD800;", Some((Meaning::Character('\u{FFFD}'), 8))),
        ] {
            assert_eq!(read(text, Rules::Xml), (found, false), "{text}");
        }
    }

    #[test]
    fn back_from_a_semicolon() {
        let text = b"a&period;com&#46;x;";
        assert_eq!(reference_before(text, 9, 0), Some((Meaning::Named("."), 8)));
        assert_eq!(reference_before(text, 9, 2), None);
        assert_eq!(reference_before(text, 17, 0), Some((Meaning::Character('.'), 5)));
        assert_eq!(reference_before(text, 19, 0), None);
    }
}

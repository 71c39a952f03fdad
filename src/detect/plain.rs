//! Detects short texts that can only be running text in UTF-8, and need no further detection.
//!
//! A program that scans chat messages has many of them. To detect archives, pictures, mail, pages and charsets in each
//! takes longer than to find its links. All other documents are detected in full, with the same result for short texts
//! (tests compare `Finder::document` with it).

use super::decide::is_surely_no_mail;
use super::kinds;
use super::magic::is_ustar;
use crate::charset::{self, Charset};
use crate::detect::document::{Declared, Detection, Disposition, Format, Hints};
use crate::simd::vectors::{self, LANES, VectorKernel, Vectors};

/// Maximum length in bytes of a short text. For longer ones, full detection takes a smaller share of the time, and
/// controls are counted only in the first 8 KiB.
const MOST: usize = 4 << 10;

/// Returns `true` if a document can only be text in UTF-8, and no hint declares anything else.
pub(crate) fn is_plain_text(hints: &Hints, bytes: &[u8]) -> bool {
    // Parts and fields of mail are known to be text.
    let is_text =
        |found: Detection| found.disposition == Disposition::Text && found.format.is_none();
    let is_unknown = matches!(hints.format, Format::Auto | Format::Text)
        && hints.declared == Declared::Nothing
        && hints.name.is_none()
        && hints.charset.is_none_or(|charset| charset == Charset::UTF_8)
        && hints.unknown_label.is_none()
        && hints.detection.is_none_or(|found| hints.format == Format::Text && is_text(found));
    // In a part that was detected and declares UTF-8, only a byte order mark could contradict it.
    let is_declared = hints.detection.is_some() && hints.charset.is_some();
    is_unknown
        && match is_declared {
            true => !matches!(bytes, [0xEF | 0xFE | 0xFF, ..]),
            false => bytes.len() <= MOST && begins_as_text(bytes) && is_clean(bytes),
        }
}

/// Returns `true` if the first bytes are not those of an archive or of markup.
#[inline]
fn begins_as_text(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let is_plain = match text {
        // Markup, JSON and style sheets begin with these, then text formats with escapes, and settings.
        [b'<' | b'{' | b'[' | b'"' | b'@' | b')' | b'/', ..] => false,
        [b'.' | b'\'' | b'\\' | b'=' | b'#' | b'%', ..] | [b'-', b'-', ..] => false,
        [b'H', b'T', b'T', b'P', b'/', ..]
        | [b'a', b'p', b'i', b'V', ..]
        | [b't', b'h', b'r', b'o', b'w', ..] => false,
        // Outside ASCII, a byte order mark is excluded.
        [first, ..] => matches!(first, b'!'..=b'~' | 0xC3..=0xEE),
        [] => false,
    };
    // JSON may be the argument of a call.
    let is_of_name =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let len = text.iter().take_while(is_of_name).count();
    let is_call = len > 0 && matches!(text[len..], [b'(', ..] | [b' ', b'(', ..]);
    is_plain && !is_call && !kinds::may_begin(bytes) && !is_ustar(bytes)
}

/// Returns `true` if the text is well-formed, and has no control character, no line that may name a charset, and no
/// sign of mail.
#[inline]
fn is_clean(bytes: &[u8]) -> bool {
    let found = vectors::dispatch(PlainTextKernel(bytes)).unwrap_or_else(|_| portable(bytes));
    !found.control
        && (!found.non_ascii || std::str::from_utf8(bytes).is_ok())
        && (!found.colon && !bytes.starts_with(b"From") || is_no_mail(bytes))
        && !((found.equals || found.sign && found.colon) && charset::may_have_mode_line(bytes))
}

/// Returns `true` if a text is not mail: a message has two fields, each on a line, or begins with `From `.
fn is_no_mail(bytes: &[u8]) -> bool {
    let is_one_line = || memchr::memchr2(b'\n', b'\r', bytes.trim_ascii_end()).is_none();
    is_surely_no_mail(bytes) || !bytes.starts_with(b"From") && is_one_line()
}

/// Properties of a short text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PlainTextFacts {
    /// Whether there is a control character that is not white space.
    control: bool,
    non_ascii: bool,
    /// Whether there is a `#` or `*`. A line that declares a charset for an editor has a `=`, or a colon and one of
    /// these.
    sign: bool,
    equals: bool,
    /// Whether there is a colon, which each field of a message has.
    colon: bool,
}

/// Returns the properties of a text, byte by byte.
fn portable(bytes: &[u8]) -> PlainTextFacts {
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1F | 0x7F);
    PlainTextFacts {
        control: bytes.iter().any(is_control),
        non_ascii: !bytes.is_ascii(),
        sign: bytes.iter().any(|byte| matches!(byte, b'#' | b'*')),
        equals: bytes.contains(&b'='),
        colon: bytes.contains(&b':'),
    }
}

struct PlainTextKernel<'t>(&'t [u8]);

impl VectorKernel for PlainTextKernel<'_> {
    type Output = PlainTextFacts;

    #[inline(always)]
    fn run(self, v: impl Vectors) -> PlainTextFacts {
        let mut few = [b' '; LANES];
        let bytes = match self.0 {
            short if short.len() < LANES => {
                few[..short.len()].copy_from_slice(short);
                &few
            }
            long => long,
        };
        let none = v.splat(0);
        let (mut control, mut top) = (none, none);
        let (mut sign, mut equals, mut colon) = (none, none, none);
        let last = bytes.len() - LANES;
        let mut at = 0;
        loop {
            let these = v.load(bytes, at.min(last));
            let blank = v.wrapping_sub(these, v.splat(b'\t'));
            let is_blank = v.eq(v.min(blank, v.splat(4)), blank);
            let is_low = v.eq(v.min(these, v.splat(0x1F)), these);
            control = v.or(control, v.or(v.without(is_low, is_blank), v.is(these, 0x7F)));
            sign = v.or(sign, v.or(v.is(these, b'#'), v.is(these, b'*')));
            equals = v.or(equals, v.is(these, b'='));
            colon = v.or(colon, v.is(these, b':'));
            top = v.max(top, these);
            at += LANES;
            // The last vector may overlap the one before it.
            if at >= bytes.len() {
                break;
            }
        }
        PlainTextFacts {
            control: v.bits(control) != 0,
            non_ascii: v.bits(top) != 0,
            sign: v.bits(sign) != 0,
            equals: v.bits(equals) != 0,
            colon: v.bits(colon) != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_at_once() {
        let plain = |text: &str| is_plain_text(&Hints::new(), text.as_bytes());
        for text in [
            "see example.com",
            "見て http://例え.jp/パス。",
            "a\tb\r\nc: d",
            "To be or not",
            " (a)",
            "1. b",
            "was x=1",
            "word",
            "Closes: http://e.com/\n",
        ] {
            assert!(plain(text), "{text}");
        }
        for text in [
            "",
            " ",
            "<p>",
            "\n<p>",
            "{\"a\": 1}",
            "From a",
            "From: a",
            "Subject : x\ny",
            "a\u{1B}$B",
            "a\0",
            "\u{FEFF}a",
            "GIF89a",
            "@charset \"x\";",
            ".TH A 1\n",
            "=head1 A",
            "\\documentclass{a}",
            ")]}'[\"a\"]",
            "call({\"a\": 1})",
            "for (;;);[\"a\"]",
            "apiVersion: a.io/v1",
            "# a\napiVersion: b",
            "---\napiVersion: b",
            "HTTP/1.1 200 OK\na: b\n\nc",
            "word:\nb",
        ] {
            assert!(!plain(text), "{text}");
        }
        // Without support for encodings, a declared one is ignored.
        for text in ["a # coding: latin-1", "x vim: set fenc=latin1 :"] {
            assert_eq!(plain(text), !cfg!(feature = "documents"), "{text}");
        }
        assert!(!is_plain_text(&Hints::new(), b"caf\xE9 au lait"));
        assert!(!is_plain_text(&Hints::new().format(Format::Html), b"see a"));
        assert!(!is_plain_text(&Hints::new().name("a.html"), b"see a"));
    }

    #[test]
    fn vectors_find_what_is_found_byte_by_byte() {
        for len in (0..100).chain([1000]) {
            for at in (0..len).filter(|at| len < 100 || at % 31 == 0) {
                for byte in 0..=255 {
                    let mut text = vec![b'a'; len];
                    text[at] = byte;
                    let found = vectors::dispatch(PlainTextKernel(&text))
                        .unwrap_or_else(|_| portable(&text));
                    assert_eq!(found, portable(&text), "{byte} at {at} of {len}");
                }
            }
        }
    }

    #[test]
    fn each_byte_is_seen_wherever_it_stands() {
        for len in 1..40 {
            for at in 1..len {
                let mut text = vec![b'a'; len];
                text[0] = b'b';
                text.splice(1..1, *b" ");
                text[at + 1] = 1;
                assert!(!is_plain_text(&Hints::new(), &text), "{len} {at}");
            }
        }
    }
}

//! Checks the text of a link for invisible characters, and for escapes that hide its syntax.
//!
//! The codes are `invisible`, `encoded-syntax` and `host-disguised`, for characters of a link as written, and for its
//! percent-encoded bytes.

use std::ops::Range;

use super::finding::{FindingDetail, FindingSink};
use crate::iri::chars::triplet;
use crate::tables::forms::{self, stands_for_ascii};
use crate::tables::identifiers::class;
use crate::tables::imitation::{is_invisible, is_unseen};
use crate::warning::Warning;

/// Returns `true` if some percent-encoded byte may matter for these rules: a fast check before the full one.
#[inline]
pub(crate) fn may_hide(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'%', bytes).any(|at| match bytes.get(at + 1..at + 3) {
        Some(b"00" | b"2e" | b"2E" | b"c0" | b"C0" | b"c1" | b"C1") => true,
        Some(b"2f" | b"2F" | b"5c" | b"5C") => {
            at > 1 && (bytes[at - 1] == b'.' || matches!(bytes[at - 1], b'e' | b'E'))
        }
        Some(b"25") => matches!(bytes.get(at + 3..at + 5), Some(b"2e" | b"2E")),
        Some(b"e2" | b"E2") => matches!(bytes.get(at + 3..at + 5), Some(b"%8")),
        _ => false,
    })
}

/// Reports the first character that is invisible or changes directions. Of percent-encoded characters only the latter
/// count, since the others are not hidden. All of `seen` is known to be visible. A soft hyphen in the host is disguise, which
/// has its own warning: pages have it where a line may break.
pub(super) fn invisible(
    text: &str,
    seen: Range<usize>,
    host: Range<usize>,
    sink: &mut impl FindingSink,
) {
    for part in [0..seen.start, seen.end..text.len()] {
        let Some(first) = text.as_bytes()[part.clone()].iter().position(|b| !b.is_ascii()) else {
            continue;
        };
        let first = part.start + first;
        let mut before = '\0';
        for (at, c) in text[first..part.end].char_indices() {
            let at = first + at;
            if c.is_ascii() || forms::is_unmapped(c) || c == '\u{AD}' && host.contains(&at) {
                before = c;
                continue;
            }
            // Tag characters form flags after U+1F3F4; anywhere else they hide a text.
            let is_tag = matches!(c, '\u{E0020}'..='\u{E007F}');
            let follows_flag = before == '\u{1F3F4}' || matches!(before, '\u{E0020}'..='\u{E007E}');
            if is_invisible(c) || is_tag && !follows_flag {
                return sink.put(Warning::Invisible, at..at + c.len_utf8(), || FindingDetail::Text);
            }
            before = c;
        }
    }
    if !may_hide(text) {
        return;
    }
    let bytes = text.as_bytes();
    for at in
        memchr::memmem::find_iter(bytes, b"%E2%8").chain(memchr::memmem::find_iter(bytes, b"%e2%8"))
    {
        let octets = [3, 6].map(|step| triplet(bytes, at + step));
        // U+202A to U+202E, U+2066 to U+2069.
        if matches!(octets, [Some(0x80), Some(0xAA..=0xAE)] | [Some(0x81), Some(0xA6..=0xA9)]) {
            return sink.put(Warning::Invisible, at..at + 9, || FindingDetail::Text);
        }
    }
}

/// Reports percent-encoded bytes in a path that hide the syntax that a server sees: a NUL, dot segments, encoded once or
/// twice, and overlong forms of `/`, `.`, `\` and NUL without adjacent high bytes.
pub(super) fn encoded_syntax(text: &str, path: Range<usize>, sink: &mut impl FindingSink) {
    let Some(bytes) = text.as_bytes().get(path.clone()) else { return };
    if !may_hide(&text[path.clone()]) {
        return;
    }
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'%', &bytes[at..]) {
        let start = at + next;
        at = start + 1;
        let len = match triplet(bytes, start) {
            Some(0) => 3,
            Some(0xC0 | 0xC1) => overlong(bytes, start),
            _ => continue,
        };
        if len > 0 {
            let range = path.start + start..path.start + start + len;
            return sink.put(Warning::EncodedSyntax, range, || FindingDetail::Text);
        }
    }
    let mut start = 0;
    for segment in bytes.split(|&b| b == b'/' || b == b'\\') {
        if segment.contains(&b'%') && is_dots(segment) {
            let range = path.start + start..path.start + start + segment.len();
            return sink.put(Warning::EncodedSyntax, range, || FindingDetail::Text);
        }
        start += segment.len() + 1;
    }
}

/// Returns the number of bytes of overlong forms of syntax characters without adjacent bytes of another encoding:
/// `%C0%AF` in GBK or EUC-KR is half of a word.
fn overlong(bytes: &[u8], start: usize) -> usize {
    let is_high =
        |at: Option<usize>| at.and_then(|at| triplet(bytes, at)).is_some_and(|octet| octet >= 0x80);
    let is_pair = |at: usize| {
        matches!(
            (triplet(bytes, at), triplet(bytes, at + 3)),
            (Some(0xC0), Some(0x80 | 0xAE | 0xAF)) | (Some(0xC1), Some(0x9C))
        )
    };
    // The first of a row decides for all of it.
    if !is_pair(start) || is_high(start.checked_sub(3)) {
        return 0;
    }
    let mut end = start + 6;
    while is_pair(end) {
        end += 6;
    }
    if is_high(Some(end)) { 0 } else { end - start }
}

/// Returns `true` if a segment is `.` or `..`, and percent-encoded bytes are part of it, possibly with slashes in between.
fn is_dots(segment: &[u8]) -> bool {
    let mut rest = segment;
    let mut dots = 0;
    while let Some(&b) = rest.first() {
        // `%2E`, or `%252E`: a byte that is encoded twice.
        let taken = match rest {
            [b'%', b'2', b'5', b'2', b'e' | b'E', ..] => 5,
            [b'%', b'2', b'e' | b'E', ..] => 3,
            _ if b == b'.' => 1,
            _ => 0,
        };
        if taken > 0 {
            dots += 1;
            rest = &rest[taken..];
            continue;
        }
        // `..%2F..%2F`: a program that decodes first sees a segment after an encoded slash.
        return dots == 2
            && matches!(rest, [b'%', b'2', b'f' | b'F', ..] | [b'%', b'5', b'c' | b'C', ..]);
    }
    matches!(dots, 1 | 2)
}

/// Returns the range of a host as written in which mapping produces ASCII letters or digits, or removes characters, or in
/// which ASCII or an invisible character is percent-encoded. Capitals, `ß` and the dots of CJK do not count.
pub(crate) fn disguised(host: &str) -> Option<Range<usize>> {
    let bytes = host.as_bytes();
    // The loop has no early exit, so that it can process many bytes at once.
    if bytes.iter().fold(true, |plain, &b| plain & b.is_ascii() & (b != b'%')) {
        return None;
    }
    let mut before = '\0';
    let mut encoded_until = 0;
    for (at, c) in host.char_indices() {
        if at < encoded_until {
            continue;
        }
        let (c, len) = match c {
            '%' => match decoded(bytes, at) {
                Some((c, _)) if c.is_ascii() && !is_of_name(c) => continue,
                Some((c, len)) if c.is_ascii() => return Some(at..at + len),
                Some((c, len)) => (c, len),
                None => continue,
            },
            _ => (c, c.len_utf8()),
        };
        encoded_until = at + len;
        let is_hidden = match c {
            _ if c.is_ascii() || forms::is_unmapped(c) => false,
            '\u{FE00}'..='\u{FE0F}' => !is_symbol(before),
            '\u{180B}'..='\u{180F}' => !matches!(before, '\u{1800}'..='\u{18AF}'),
            // Joiners are checked with their label.
            '\u{200C}' | '\u{200D}' => false,
            _ => is_unseen(c) || len == c.len_utf8() && stands_for_ascii(c),
        };
        if is_hidden {
            return Some(at..at + len);
        }
        before = c;
    }
    None
}

/// Returns `true` if a character is neither a letter, a mark nor a digit, so that a variation selector may choose its form.
fn is_symbol(c: char) -> bool {
    c != '\0' && !c.is_alphanumeric() && !class(u32::from(c)).is_nonspacing_mark()
}

/// Returns the character that is percent-encoded at `at`, and the length of its triplets.
fn decoded(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let mut octets = [0; 4];
    let first = triplet(bytes, at)?;
    let count = match first {
        0..0x80 => return Some((char::from(first), 3)),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    for (n, octet) in octets.iter_mut().enumerate().take(count) {
        *octet = triplet(bytes, at + 3 * n)?;
    }
    let text = std::str::from_utf8(octets.get(..count)?).ok()?;
    Some((text.chars().next()?, 3 * count))
}

/// Returns `true` if an ASCII character may be in a name; repair percent-encodes all others.
fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Findings;

    fn found(text: &str, ask: impl Fn(&str, &mut Findings)) -> bool {
        let mut findings = Findings::default();
        ask(text, &mut findings);
        let in_text = |range: Range<usize>| text.get(range).is_some_and(|part| !part.is_empty());
        assert!(findings.iter().all(|finding| in_text(finding.range())), "{text}");
        !findings.is_empty()
    }

    #[test]
    fn what_is_not_seen() {
        let ask = |text: &str| found(text, |text, findings| invisible(text, 0..0, 0..0, findings));
        for text in [
            "http://a.test/\u{202E}gpj",
            "a\u{AD}b",
            "/%E2%80%AE",
            "/é%e2%81%a6",
            "\u{3164}",
            "x\u{2800}",
            "\u{E0041}",
            "a\u{200B}",
            "a\u{FEFF}",
        ] {
            assert!(ask(text), "{text:?}");
        }
        for text in [
            "http://a.test/é",
            "/نمی\u{200C}خواهم",
            "/क\u{200D}",
            "/☺\u{FE0F}",
            "/%E2%80%8E",
            "/%E2%80%8B",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}",
            "%E2%80",
            "%E2%8",
        ] {
            assert!(!ask(text), "{text:?}");
        }
    }

    /// The rules here do not check them.
    #[test]
    fn what_mapping_leaves_is_seen_and_stands_for_no_ascii() {
        let hides = |&c: &char| forms::is_unmapped(c) && (is_invisible(c) || stands_for_ascii(c));
        assert_eq!(('\u{80}'..=char::MAX).find(hides), None);
    }

    #[test]
    fn syntax_in_triplets() {
        let ask = |text: &str| found(text, |text, sink| encoded_syntax(text, 0..text.len(), sink));
        for text in [
            "/a%00b",
            "/%2e%2E/x",
            "/a/%2e./b",
            "/%252e%252e/",
            "/%c0%af",
            "/a%C0%AEb",
            "/..%2F..%2Fetc",
            "/.%2e%5cx",
        ] {
            assert!(ask(text), "{text}");
        }
        for text in [
            "/a%20b",
            "/%C0%AF%B0%A1",
            "/%B0%C0%AF",
            "/a%2Fb",
            "/a.%2Eb",
            "/%2e%2e%2e",
            "/%C3%A9",
            "/%",
            "/%0",
            "/a..%2Fb",
        ] {
            assert!(!ask(text), "{text}");
        }
    }

    #[test]
    fn hosts_that_are_written_otherwise() {
        for host in [
            "ⓔxample.com",
            "ｅxample.com",
            "ex\u{AD}ample.com",
            "%65xample.com",
            "a\u{200B}b.c",
            "１.2.3.4",
            "pay\u{FE0F}pal.com",
            "pay\u{180E}pal.com",
            "pay%E2%80%8Bpal.com",
            "пэй%C2%ADпал.рф",
            "a%EF%B8%8Fb.c",
        ] {
            assert!(disguised(host).is_some(), "{host}");
        }
        for host in [
            "Example.com",
            "BÜCHER.de",
            "straße.de",
            "例え。jp",
            "%C3%A9.de",
            "☺\u{FE0F}.ws",
            "½.com",
            "ﾃｽﾄ.jp",
            "%E6%BC%A2%E5%AD%97.jp",
            "ᠮᠣᠩ\u{180E}ᠠ.mn",
            "a%C3.de",
        ] {
            assert_eq!(disguised(host), None, "{host}");
        }
    }
}

//! What the visible text of a link names, and whether its target is that: the warning `text-mismatch`.
//!
//! The input is the text as a reader has it, without tags, and the target; the result is the host, address or number that the
//! text names, and how certainly. A text names what the scan of running text finds in it.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::document::finder::Finder;
use crate::link::{Link, LinkKind};
use crate::tables::imitation::is_unseen;
use crate::tables::schemes;
use crate::tables::tld::is_ascii_tld;
use crate::trust::{is_other_site, leads_to, owner};
use crate::warning::Severity;

/// Host, address or number that a text names, and the severity if the target is another one.
pub(super) struct Named {
    pub(super) shown: String,
    pub(super) severity: Severity,
}

/// Visible text of a link.
#[derive(Clone, Copy)]
pub(super) struct VisibleText<'t> {
    /// The text, without tags, references resolved.
    pub(super) text: &'t str,
    /// No text follows.
    pub(super) is_whole: bool,
    /// It is shown instead of a picture, or only on request: the `alt` and `title` of elements.
    pub(super) is_alternative: bool,
    /// Whether the link is a relative reference to the site that the page is from, which few texts ask.
    pub(super) is_on_own_site: &'t dyn Fn() -> bool,
}

impl<'t> VisibleText<'t> {
    /// Creates a text that is given in full.
    pub(super) fn whole(text: &'t str) -> VisibleText<'t> {
        VisibleText { text, is_whole: true, is_alternative: false, is_on_own_site: &|| false }
    }
}

static FINDER: LazyLock<Finder> = LazyLock::new(Finder::new);

/// Number of letters and digits of the longest word that may stand before a URL with a colon: `URL:`, `Website:`.
const LONGEST_LABEL: usize = 12;

/// Minimum number of digits of a telephone number.
const SHORTEST_NUMBER: usize = 7;

/// Returns `true` if a target is compared with what its text names: a page, a mailbox, a reference to another host.
#[inline]
pub(super) fn is_compared(text: &str) -> bool {
    let is = |front: &str| text.get(..front.len()).is_some_and(|t| t.eq_ignore_ascii_case(front));
    is("http") || is("//") || is("ftp:") || is("mailto:") || is("ws")
}

/// Returns `true` if a target is a telephone number.
#[inline]
pub(super) fn is_dialled(text: &str) -> bool {
    text.get(..4).is_some_and(|t| t.eq_ignore_ascii_case("tel:") || t.eq_ignore_ascii_case("sms:"))
}

/// Octets of a text that may name a host: those that a name has, those at its edges, and those that need a closer look.
const IN_NAME: u8 = 1;
const SEEN: u8 = 2;
const ODD: u8 = 4;

static OCTETS: [u8; 256] = {
    let (mut octets, mut at) = ([0; 256], 0);
    while at < 256 {
        let b = at as u8;
        octets[at] = match b {
            b'&' | b'%' => ODD,
            b'-' | b'_' | b'@' | b'+' => IN_NAME | SEEN,
            b'/' | b'[' | b']' | b'.' => SEEN,
            b' '..=b'~' | b'\t' | b'\n' | b'\r' if b.is_ascii_alphanumeric() => IN_NAME | SEEN,
            b' '..=b'~' | b'\t' | b'\n' | b'\r' => 0,
            _ => ODD,
        };
        at += 1;
    }
    octets
};

/// Returns `true` if a text of ASCII, in which references are not resolved yet, surely names no host, as most texts of links.
pub(super) fn names_nothing(text: &[u8], is_whole: bool) -> bool {
    let has = |b: u8, bit: u8| OCTETS[usize::from(b)] & bit != 0;
    let (is_name, is_seen) = (|b: u8| has(b, IN_NAME), |b: &u8| has(*b, SEEN));
    let is_address = |at: usize| text.get(at..at + 3) == Some(b"://");
    if text.iter().any(|&b| has(b, ODD)) || memchr::memchr_iter(b':', text).any(is_address) {
        return false;
    }
    let Some(first) = text.iter().position(is_seen) else { return true };
    let end = text.iter().rposition(is_seen).map_or(0, |last| last + 1);
    let mut seen = text.get(first..end).unwrap_or_default();
    // A name is all of the text.
    if !is_whole || seen.iter().any(u8::is_ascii_whitespace) {
        return true;
    }
    while let [name @ .., b'/' | b'.'] = seen {
        seen = name;
    }
    if !seen.iter().all(|&b| is_name(b) || b == b'.') {
        return false;
    }
    let Some(dot) = memchr::memrchr(b'.', seen) else { return true };
    let ending = seen.get(dot + 1..).unwrap_or_default();
    !is_ascii_tld(ending) && !RESERVED.iter().any(|one| ending.eq_ignore_ascii_case(one.as_bytes()))
}

/// Returns what the text of a link names, if its target is another one.
pub(super) fn mismatch(link: &Link<'_>, visible: VisibleText<'_>) -> Option<Named> {
    let uri = link.uri();
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_web = schemes::has_conduct(scheme, schemes::WEB) || uri.starts_with("//");
    let is_dialled = is_dialled(&uri);
    if !is_web && !is_dialled && !schemes::is_mail(scheme) {
        return None;
    }
    let seen = as_displayed(visible.text);
    let mut named = match is_dialled {
        true => other_number(&seen, &uri, visible.is_whole)?,
        false => {
            let target = link.host()?;
            let named = named(&seen, visible.is_whole)?;
            is_other_site(&named.shown, owner(&target, &uri)).then_some(())?;
            is_other_site(owner(&named.shown, &seen), &target).then_some(())?;
            let is_inside = || leads_to(&named.shown, &target, &uri);
            // A page of a site names another one: an article, an item of a list, the site of an address.
            let is_name = !seen.contains("://") && (visible.is_on_own_site)() && !leads_on(&uri);
            match is_name || is_inside() {
                true => Named { severity: Severity::Note, ..named },
                false => named,
            }
        }
    };
    if visible.is_alternative {
        named.severity = Severity::Note;
    }
    Some(named)
}

/// Returns `true` if a URI has another one in its path or query, which a page of that site may lead to.
fn leads_on(uri: &str) -> bool {
    let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest).to_ascii_lowercase();
    ["//", "%3a%2f", "%2f%2f", ":%2f"].iter().any(|sign| rest.contains(sign))
}

/// Returns the text as it is seen: without what is invisible, and with the characters that an override turns around in the
/// order in which they are shown.
fn as_displayed(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{202E}') {
        seen.extend(rest[..at].chars().filter(|&c| !is_unseen(c)));
        rest = &rest[at + '\u{202E}'.len_utf8()..];
        let end = rest.find('\u{202C}').unwrap_or(rest.len());
        seen.extend(rest[..end].chars().rev().filter(|&c| !is_unseen(c)));
        rest = &rest[end..];
    }
    seen.extend(rest.chars().filter(|&c| !is_unseen(c)));
    Cow::Owned(seen)
}

/// Returns the host that a text names: in a URL anywhere, or as a host or an address that is all of it.
fn named(text: &str, is_whole: bool) -> Option<Named> {
    let seen = text.trim_matches(|c: char| {
        c.is_whitespace() || !is_of_name(c) && !matches!(c, '/' | '[' | ']' | '.')
    });
    if seen.contains("://") {
        // White space between tags only formats the source.
        let joined = || seen.split_whitespace().collect::<String>();
        return first_url(seen).or_else(|| first_url(&joined()));
    }
    if !is_whole || seen.contains(char::is_whitespace) {
        return None;
    }
    let severity = Severity::Suspect;
    let seen = seen.trim_end_matches(['/', '.', '…']);
    let link = FINDER.links(seen).next().filter(|link| link.range() == (0..seen.len()));
    let shown = match link {
        Some(link) if matches!(link.kind(), LinkKind::Schemeless | LinkKind::Email) => {
            link.host()?.into_owned()
        }
        Some(_) => return None,
        None => reserved(seen)?.to_owned(),
    };
    Some(Named { shown, severity })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '@' | '%' | '+')
}

/// Returns the host of the first web address in a text, as a reader sees it. The address is deceptive where it begins what is
/// seen, behind symbols or a label with a colon; further in it is suspect.
fn first_url(text: &str) -> Option<Named> {
    let at = text.find("://")?;
    let start = text[..at]
        .rfind(|c: char| !c.is_ascii_alphanumeric())
        .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
    let is_web = schemes::has_conduct(&text[start..at], schemes::WEB);
    if !is_web {
        return None;
    }
    let rest = &text[at + 3..];
    // A reader takes what stands before an `@` for the host.
    let user = rest.split(['/', '?', '#']).next()?.split_once('@').map(|(user, _)| user);
    let host = match user.map(|user| user.split(':').next().unwrap_or_default()) {
        Some(user) if user.contains('.') => user.to_owned(),
        _ => FINDER
            .links(&text[start..])
            .next()
            .filter(|link| link.range().start == 0)?
            .host()?
            .into_owned(),
    };
    let severity = match begins_text(&text[..start]) {
        true => Severity::Deceptive,
        // A name without a dot is one of the reader's own network.
        false if !host.contains('.') => return None,
        false => Severity::Suspect,
    };
    Some(Named { shown: host, severity })
}

/// Returns `true` if what stands before an address is only symbols, or a word with a colon.
fn begins_text(front: &str) -> bool {
    let front = front.trim_end();
    let word = front.strip_suffix([':', '：']).unwrap_or_default().trim_end();
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_label = !word.is_empty()
        && word.chars().count() <= LONGEST_LABEL
        && !word.contains(char::is_whitespace);
    is_label || !front.contains(char::is_alphanumeric)
}

/// Returns the telephone number that is all of a text, if the link dials another one: neither ends with the other.
fn other_number(text: &str, uri: &str, is_whole: bool) -> Option<Named> {
    let seen = text.trim();
    let is_of_number = |c: char| {
        c.is_ascii_digit()
            || matches!(c, '+' | '(' | ')' | '.' | '-' | '/' | '\u{2010}'..='\u{2013}')
            || c.is_whitespace()
    };
    if !is_whole || !seen.chars().all(is_of_number) {
        return None;
    }
    let dialled = digits(uri.split_once(':')?.1.split([';', '?', ',']).next()?);
    let is_number = |text: &str| digits(text).trim_start_matches('0').len() >= SHORTEST_NUMBER;
    // Several numbers, of which the link dials one.
    let mut parts = seen.split('/').filter(|part| is_number(part));
    let is_same =
        is_same_number(seen, &dialled) || parts.any(|part| is_same_number(part, &dialled));
    (is_number(seen) && !is_same)
        .then(|| Named { shown: seen.to_owned(), severity: Severity::Suspect })
}

/// Country codes of numbers that have the trunk prefix `8`, or `8 0`.
const TRUNK_8: [&str; 3] = ["7", "370", "375"];

/// Returns `true` if a number in a text is the one of these digits: one ends with the other, without the trunk prefix, which is
/// not dialled behind a country code.
fn is_same_number(seen: &str, dialled: &str) -> bool {
    let shown = digits(seen);
    let own = shown.trim_start_matches('0');
    let national = own.strip_prefix('8').filter(|_| !seen.contains('+'));
    let has_trunk_8 = |national: &str| {
        let national = national.strip_prefix('0').unwrap_or(national);
        TRUNK_8.iter().any(|code| dialled.strip_prefix(code) == Some(national))
    };
    dialled.ends_with(own)
        || own.ends_with(dialled.trim_start_matches('0'))
        || digits(&seen.replace("(0)", "")).trim_start_matches('0')
            == dialled.trim_start_matches('0')
        || national.is_some_and(has_trunk_8)
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The names that are reserved for documents and tests.
const RESERVED: [&str; 2] = ["example", "test"];

/// Returns `true` for hosts below a name that is reserved for documents and tests (RFC 2606 §2), which no list of
/// top-level domains has.
fn reserved(text: &str) -> Option<&str> {
    let text = text.rsplit_once('@').map_or(text, |(_, host)| host);
    let (name, last) = text.rsplit_once('.')?;
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let is_one = RESERVED.iter().any(|one| last.eq_ignore_ascii_case(one));
    (is_one && name.split('.').all(is_label)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, is_whole: bool) -> Option<(String, Severity)> {
        named(&as_displayed(text), is_whole).map(|named| (named.shown, named.severity))
    }

    #[test]
    fn where_an_address_stands_decides_how_bad_it_is() {
        for text in [
            "https://bank.example/login",
            "(https://bank.example/)",
            "→ https://bank.example",
            "🔒 https://bank.example/",
            "URL: https://bank.example/x",
            "<https://bank.example/>",
            "https:// bank.example /x",
            "http://bank.example@evil.test/",
            "\u{202E}nigol/elpmaxe.knab//:sptth",
            "ht\u{AD}tps://bank.example/",
            "ftp://bank.example/x",
        ] {
            assert_eq!(
                found(text, true),
                Some(("bank.example".into(), Severity::Deceptive)),
                "{text}"
            );
        }
        for text in ["Visit https://bank.example/ now", "go to: the site https://bank.example/"] {
            assert_eq!(
                found(text, true),
                Some(("bank.example".into(), Severity::Suspect)),
                "{text}"
            );
        }
        for text in ["www.bank.com", "→ www.bank.com", "(www.bank.com/)", "me@www.bank.com"] {
            assert_eq!(
                found(text, true),
                Some(("www.bank.com".into(), Severity::Suspect)),
                "{text}"
            );
            assert_eq!(found(text, false), None, "{text}");
        }
        for text in
            ["visit bank.example", "bank.example offers", "https", "", "://", "a://b", "x.py"]
        {
            assert_eq!(found(text, true), None, "{text}");
        }
    }

    #[test]
    fn a_text_that_names_nothing_is_known_by_its_bytes() {
        const PIECES: [&str; 22] = [
            "a",
            "b.",
            ".com",
            ".COM",
            ".test",
            ".rs",
            "java.util.",
            "List",
            "www.",
            "@",
            "-",
            "_",
            "/",
            "[",
            "]",
            "(",
            ")",
            " ",
            "\n",
            "1",
            "+",
            ",",
        ];
        let (mut dice, mut named_ones, mut nothing) = (crate::dice::Dice::new(5), 0, 0);
        for _ in 0..50_000 {
            let text: String = (0..1 + dice.below(7)).map(|_| dice.pick(&PIECES)).collect();
            for is_whole in [false, true] {
                let found = found(&text, is_whole);
                let is_nothing = names_nothing(text.as_bytes(), is_whole);
                assert!(found.is_none() || !is_nothing, "{text:?} {found:?}");
                named_ones += usize::from(found.is_some());
                nothing += usize::from(is_nothing);
            }
        }
        assert!(named_ones > 300 && nothing > 50_000, "{named_ones} {nothing}");
    }

    #[test]
    fn numbers_are_compared_by_their_ends() {
        let other = |text: &str, uri: &str| other_number(text, uri, true).is_some();
        for (text, uri) in
            [("+1 201 555 0123", "tel:+12015550199"), ("(089) 123 45 67", "sms:+4989000000")]
        {
            assert!(other(text, uri), "{text} {uri}");
        }
        for (text, uri) in [
            ("+1 201 555 0123", "tel:+1-201-555-0123"),
            ("201-555-0123", "tel:+12015550123"),
            ("+49 (0)89 123456", "tel:+4989123456"),
            ("089 / 1234567", "tel:+49891234567"),
            ("12345", "tel:+12015550123"),
            ("call us", "tel:+12015550123"),
        ] {
            assert!(!other(text, uri), "{text} {uri}");
        }
    }
}

//! Schemes with an effect: they run a script, open a program, dial a code, or fill in a message.
//!
//! The codes are `active-scheme`, `launch-scheme`, `mailto-fields` and `tel-code`. `rest` is the text after the scheme and
//! its colon.

use std::ops::Range;

use super::finding::{FindingDetail, FindingSink, OffsetSink};
use crate::context::ContextKind;
use crate::iri::chars::triplet;
use crate::tables::schemes::{self, FILES, LAUNCHES, RASTER_TYPES, RUNS, WRAPS};
use crate::warning::Warning;

/// Types of `data:` whose scripts a browser runs.
const ACTIVE_TYPES: [&str; 9] = [
    "text/html",
    "application/xhtml+xml",
    "text/xml",
    "application/xml",
    "text/javascript",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "text/ecmascript",
];

/// Fields of a `mailto:` that are safe to fill in (RFC 6068 §4, and those of replies).
const HARMLESS_FIELDS: [&str; 7] =
    ["subject", "body", "to", "cc", "keywords", "in-reply-to", "references"];

/// Use of a link by a program, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkUse {
    /// It is opened as a page: `a@href`, `form@action`.
    Navigated,
    /// It is only shown or applied: `img@src`, CSS.
    Embedded,
    /// Unknown.
    Other,
}

impl From<ContextKind> for LinkUse {
    fn from(kind: ContextKind) -> LinkUse {
        match kind {
            ContextKind::Embedded => LinkUse::Embedded,
            _ if kind.is_navigated() => LinkUse::Navigated,
            _ => LinkUse::Other,
        }
    }
}

/// Maximum number of wrappers around an IRI that are looked into: `view-source:feed:javascript:…`.
const MAX_WRAPPERS: usize = 4;

/// Checks the scheme of a link, and those that it wraps.
pub(super) fn collect_warnings(
    text: &str,
    scheme: &str,
    place: LinkUse,
    sink: &mut impl FindingSink,
) {
    let (mut start, mut scheme) = (0, scheme);
    for _ in 0..MAX_WRAPPERS {
        let inner = &text[start..];
        one_scheme(inner, scheme, place, &mut OffsetSink { sink, by: start });
        let wrapped = rest(inner, scheme).start;
        let next = &inner[wrapped..];
        let Some(colon) = next.find(':').filter(|_| schemes::has_conduct(scheme, WRAPS)) else {
            return;
        };
        (start, scheme) = (start + wrapped, &next[..colon]);
    }
}

fn one_scheme(text: &str, scheme: &str, place: LinkUse, sink: &mut impl FindingSink) {
    let rest = rest(text, scheme);
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    let scheme_range = 0..scheme.len().min(text.len());
    let data = &text[rest.clone()];
    let is_active = match place {
        LinkUse::Embedded => false,
        _ if is("data") => {
            is_type_of(data, &ACTIVE_TYPES)
                || place == LinkUse::Navigated && !is_type_of(data, &RASTER_TYPES)
        }
        _ if is("blob") => place == LinkUse::Navigated,
        _ => schemes::has_conduct(scheme, RUNS) && !(is("javascript") && does_nothing(data)),
    };
    if is_active {
        sink.put(Warning::ActiveScheme, scheme_range.clone(), || FindingDetail::Text);
    }
    let is_launch = schemes::has_conduct(scheme, LAUNCHES)
        || scheme.get(..3).is_some_and(|front| front.eq_ignore_ascii_case("ms-"))
        || is_on_server(data) && schemes::has_conduct(scheme, FILES)
        || is_option(data) && schemes::has_accounts(scheme);
    if is_launch {
        sink.put(Warning::LaunchScheme, scheme_range, || FindingDetail::Text);
    }
    if schemes::is_mail(scheme)
        && let Some(range) = odd_field(text, rest.clone())
    {
        sink.put(Warning::MailtoFields, range, || FindingDetail::Text);
    }
    if is("tel")
        && let Some(range) = telephone_code(text, rest)
    {
        sink.put(Warning::TelCode, range, || FindingDetail::Text);
    }
}

/// Returns `true` if the file is one of another computer: `//server/share`, or a path of Windows that begins with two slashes
/// or backslashes (`////server/share`, `///\\server`).
fn is_on_server(rest: &str) -> bool {
    let name = rest.trim_start_matches(['/', '\\']);
    match rest.len() - name.len() {
        2 => {
            let host = name.split(['/', '\\', '?', '#']).next().unwrap_or_default();
            !host.is_empty() && !host.eq_ignore_ascii_case("localhost") && !is_drive(host)
        }
        count => count >= 4 && !name.is_empty(),
    }
}

/// Returns `true` for a drive of Windows: `c:`, `c|`.
fn is_drive(host: &str) -> bool {
    matches!(host.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Returns `true` if a program takes the account or the host of a server for one of its options: `//-oProxyCommand=…`.
fn is_option(rest: &str) -> bool {
    let Some(authority) = rest.strip_prefix("//") else { return false };
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    let is_dash = |text: &str| {
        text.starts_with('-') || text.get(..3) == Some("%2D") || text.get(..3) == Some("%2d")
    };
    is_dash(authority) || authority.rsplit_once('@').is_some_and(|(_, host)| is_dash(host))
}

/// Returns the range after the scheme, if one is written.
fn rest(text: &str, scheme: &str) -> Range<usize> {
    let is_written =
        text.get(..scheme.len()).is_some_and(|front| front.eq_ignore_ascii_case(scheme))
            && text.as_bytes().get(scheme.len()) == Some(&b':');
    let start = if is_written { scheme.len() + 1 } else { 0 };
    start..text.len()
}

/// Returns `true` if a script only keeps the page open: `void(0)`, `;`, or an empty script.
fn does_nothing(script: &str) -> bool {
    let script: String = script.replace("%20", "").chars().filter(|c| !c.is_whitespace()).collect();
    let script = script.strip_prefix("//").unwrap_or(&script);
    matches!(
        script.trim_end_matches(';').to_ascii_lowercase().as_str(),
        "" | "void(0)"
            | "void0"
            | "void(null)"
            | "void()"
            | "returnfalse"
            | "#"
            | "false"
            | "undefined"
    )
}

fn is_type_of(data: &str, types: &[&str]) -> bool {
    let end = data.find([';', ',']).unwrap_or(data.len());
    types.iter().any(|one| data[..end].trim().eq_ignore_ascii_case(one))
}

/// Returns the range of the name of a field that is not harmless.
fn odd_field(text: &str, rest: Range<usize>) -> Option<Range<usize>> {
    let query = rest.start + text[rest.clone()].find('?')? + 1;
    let end = text[query..].find('#').map_or(text.len(), |at| query + at);
    let mut start = query;
    for pair in text[query..end].split('&') {
        // A doubly encoded `&amp;` does not begin a field with another name.
        let skipped = if pair.starts_with("amp;") { 4 } else { 0 };
        let name = pair[skipped..].split('=').next().unwrap_or_default();
        let is_harmless = HARMLESS_FIELDS.iter().any(|one| name.eq_ignore_ascii_case(one));
        if !name.is_empty() && pair.contains('=') && !is_harmless {
            return Some(start + skipped..start + skipped + name.len());
        }
        start += pair.len() + 1;
    }
    None
}

/// Returns the range of the `*` or `#` with which a code begins that a telephone or its network interprets itself, as a
/// character or percent-encoded. What is not dialled may stand before it: blanks, brackets, invisible characters. Further in,
/// it is a tone for the other end: the number of a conference (`,,123#`).
fn telephone_code(text: &str, rest: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = rest.start;
    while at < rest.end {
        let octet = triplet(bytes, at);
        let len = if octet.is_some() { 3 } else { 1 };
        match octet.unwrap_or(bytes[at]) {
            b'*' | b'#' => return Some(at..at + len),
            b';' if octet.is_none() => return None,
            byte if byte.is_ascii_alphanumeric() => return None,
            _ => at += len,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::Findings;

    fn codes(text: &str) -> Vec<&'static str> {
        codes_of(text, LinkUse::Other)
    }

    fn codes_of(text: &str, place: LinkUse) -> Vec<&'static str> {
        let mut findings = Findings::default();
        let (scheme, _) = text.split_once(':').unwrap();
        collect_warnings(text, scheme, place, &mut findings);
        for finding in &findings {
            assert!(!text[finding.range()].is_empty(), "{text}");
        }
        findings.warnings().iter().map(Warning::as_str).collect()
    }

    #[test]
    fn schemes_that_run() {
        for text in [
            "javascript:alert(1)",
            "JavaScript:a.b",
            "vbscript:x",
            "data:text/html,<b>",
            "data:Text/HTML;base64,PGI+",
            "data:application/xhtml+xml,x",
            "javascript:%61lert()",
        ] {
            assert_eq!(codes(text), ["active-scheme"], "{text}");
        }
        for text in [
            "javascript:void(0)",
            "javascript:void(0);",
            "javascript:;",
            "javascript:",
            "javascript:%20void%200",
            "data:image/svg+xml,x",
            "data:,x",
            "data:text/plain,<b>",
            "javascript://",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_runs_depends_on_the_place() {
        for text in
            ["data:image/svg+xml,x", "data:,x", "blob:https://a.test/x", "data:text/plain,<b>"]
        {
            assert_eq!(codes_of(text, LinkUse::Navigated), ["active-scheme"], "{text}");
            assert_eq!(codes_of(text, LinkUse::Embedded), [""; 0], "{text}");
        }
        for text in ["data:image/png;base64,AA", "data:IMAGE/JPEG,x", "javascript:;"] {
            assert_eq!(codes_of(text, LinkUse::Navigated), [""; 0], "{text}");
        }
        for text in ["javascript:f()", "data:text/html,x"] {
            assert_eq!(codes_of(text, LinkUse::Embedded), [""; 0], "{text}");
        }
    }

    #[test]
    fn wrappers_are_looked_into() {
        for text in ["view-source:javascript:f()", "feed:data:text/html,x", "feed:feed:vbscript:x"]
        {
            assert_eq!(codes(text), ["active-scheme"], "{text}");
        }
        assert_eq!(codes("view-source:smb://h/"), ["launch-scheme"]);
        for text in ["view-source:https://a.test/", "feed://a.test/x", "feed:", "view-source:"] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn schemes_that_open() {
        for text in [
            "search-ms:query=x",
            "smb://host/share",
            "ms-word:ofe|u|x",
            "file://server/x",
            "LDAP://h/",
            "file:////server/share",
            "file:///\\\\server/x",
            "file:\\\\server\\x",
            "ssh://-oProxyCommand=x/",
            "git+ssh://git@-oProxyCommand=x/",
            "microsoft-edge:https://a.test/",
            "itms-services://?action=download",
        ] {
            assert_eq!(codes(text), ["launch-scheme"], "{text}");
        }
        for text in [
            "file:///etc/hosts",
            "file://localhost/x",
            "file:///C:/x",
            "ssh://git@a-b.test/",
            "msn:x",
            "http://a/",
            "sip:a@b",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn fields_and_codes() {
        for text in [
            "mailto:a@b.c?bcc=x@y.z",
            "mailto:a@b.c?subject=x&attach=/etc/passwd",
            "mailto:?From=x",
        ] {
            assert_eq!(codes(text), ["mailto-fields"], "{text}");
        }
        for text in [
            "mailto:a@b.c?subject=x&Body=y",
            "mailto:a@b.c",
            "mailto:a@b.c?cc=d@e&amp;subject=f",
            "mailto:a?b",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
        for text in [
            "tel:*21*123%23",
            "tel:%2306%23",
            "tel:*#06#",
            "tel:+*21#",
            "tel:,(*21#",
            "tel: *21*123%23",
            "tel:%20*21*123%23",
            "tel:%28*21%23",
            "tel:%E2%80%8B*%2306%23",
            "tel:\u{200B}%2A21#",
            "tel:%*21#",
        ] {
            assert_eq!(codes(text), ["tel-code"], "{text}");
        }
        for text in [
            "tel:+1-201-555",
            "tel:7042;phone-context=*",
            "tel:;x=*",
            "tel:+13235550166,,123456789#",
            "tel:%201*21#",
            "tel:%31*21#",
            "tel:%20%E2%80%8B",
            "tel:+16465588656,,123%23,,,,*456%23",
            "sms:*1",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }
}

//! Checks a complete link: applies the rules to its parts after its host is mapped.
//!
//! The input is a [`Subject`], a text with the ranges of its parts; the result is all codes that depend only on the text.
//! Codes that depend on the text around a link (`goes-on`, `text-mismatch`), or on a list (`host-lookalike`), are left to
//! the callers that know these.

use std::ops::Range;

use super::finding::{FindingDetail, FindingSink, OffsetSink};
use super::scheme::LinkUse;
use super::{domain, host, scheme, text};
use crate::tables::punctuation::is_full_stop;
use crate::tables::{class, forms, punycode, schemes, tld};
use crate::warning::Warning;

/// A link as the rules need it.
#[derive(Clone, Debug)]
pub(crate) struct Subject<'a> {
    /// Its text, with references resolved and without a scheme that was supplied.
    pub(crate) text: &'a str,
    /// The scheme, written or supplied.
    pub(crate) scheme: &'a str,
    /// Range of the host in the text; empty if there is none, or if it is that of another link (a base).
    pub(crate) host: Range<usize>,
    /// The host mapped to ASCII, or as written if it [is as mapped](is_as_mapped); `None` if it cannot be mapped.
    pub(crate) ascii: Option<&'a str>,
    /// Use of the link at its place.
    pub(crate) place: LinkUse,
}

impl Subject<'_> {
    /// Returns `true` if browsers open the scheme.
    fn is_web(&self) -> bool {
        self.scheme.is_empty() || schemes::has_conduct(self.scheme, schemes::WEB)
    }
}

/// Collects all warnings of a link's text. Ranges are bytes of the text.
pub(crate) fn collect_warnings(subject: &Subject<'_>, sink: &mut impl FindingSink) {
    let text = subject.text;
    let written = text.get(subject.host.clone()).unwrap_or_default();
    let is_mapped = is_as_mapped(written);
    if !subject.host.is_empty() {
        collect_host_warnings(subject, is_mapped, sink);
        match schemes::is_mail(subject.scheme)
            || subject.scheme.is_empty() && text[..subject.host.start].ends_with('@')
        {
            true => local_part(subject, sink),
            false => userinfo(subject, sink),
        }
    }
    let seen = if is_mapped { subject.host.clone() } else { 0..0 };
    text::invisible(text, seen, subject.host.clone(), sink);
    if subject.is_web() {
        let start = subject.host.end;
        let end = text[start..].find(['?', '#']).map_or(text.len(), |at| start + at);
        text::encoded_syntax(text, start..end, sink);
    } else {
        scheme::collect_warnings(text, subject.scheme, subject.place, sink);
    }
}

/// Collects the warnings of the host. `is_mapped`: the host [is as mapped](is_as_mapped).
fn collect_host_warnings(subject: &Subject<'_>, is_mapped: bool, sink: &mut impl FindingSink) {
    let Subject { text, host, .. } = subject;
    let Some(written) = text.get(host.clone()) else { return };
    let ascii = subject.ascii.unwrap_or(written);
    let mut labels = Labels { written, start: host.start, host: ascii, sink };
    match subject.ascii {
        // The labels are U-labels as written, so those of the URI need not be decoded.
        Some(_) if is_mapped => {
            let sink = &mut *labels.sink;
            let mut labels = Labels { written, start: host.start, host: written, sink };
            host::collect_warnings(written, punycode::decode, &mut labels);
        }
        Some(ascii) if ascii.as_bytes().windows(2).any(|two| two == b"--") => {
            host::collect_warnings(ascii, punycode::decode, &mut labels)
        }
        Some(_) => {}
        // The A-labels of the host may be the reason why it cannot be mapped.
        None => host::collect_warnings(written, |_| None, &mut labels),
    }
    if let Some(range) = domain::nested(ascii) {
        labels.put(Warning::HostNested, range, || FindingDetail::Text);
    }
    let mut shifted = OffsetSink { sink, by: host.start };
    if !is_mapped && let Some(range) = text::disguised(written) {
        shifted.put(Warning::HostDisguised, range, || FindingDetail::Text);
    }
    // Browsers do not open the host after the @ of an address, nor the argument of a program: `tel://1888555`, and with an
    // unknown scheme `x-apple-data-detectors://0`.
    let has_form = || schemes::row(subject.scheme.as_bytes()).is_none_or(|row| row.form.is_some());
    if schemes::is_mail(subject.scheme)
        || !subject.is_web() && !schemes::has_conduct(subject.scheme, schemes::FILES) && has_form()
    {
        return;
    }
    if let Some(address) = host::disguised_ipv4(ascii).or_else(|| plain_of_other(written, ascii)) {
        shifted.put(Warning::IpDisguised, 0..written.len(), || FindingDetail::Address(address));
    }
}

/// Returns `true` if a host has non-ASCII characters, and mapping changes nothing except to encode its labels.
pub(crate) fn is_as_mapped(host: &str) -> bool {
    !host.is_ascii() && host.chars().all(is_mapped)
}

/// Returns `true` if mapping does not change a character of a host.
fn is_mapped(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.') || forms::is_unmapped(c)
}

/// Returns the address that a host was mapped to, if it is written differently.
fn plain_of_other(written: &str, ascii: &str) -> Option<std::net::Ipv4Addr> {
    let address = ascii.strip_suffix('.').unwrap_or(ascii).parse().ok()?;
    (written != ascii).then_some(address)
}

/// Sink for ranges of a host that reports the complete label, as written.
struct Labels<'s, S> {
    written: &'s str,
    start: usize,
    /// The host whose ranges are given.
    host: &'s str,
    sink: &'s mut S,
}

impl<S: FindingSink> FindingSink for Labels<'_, S> {
    fn put(&mut self, warning: Warning, range: Range<usize>, what: impl FnOnce() -> FindingDetail) {
        let is_dot = |c: char| c == '.' || is_full_stop(c);
        let label = self.host[..range.start].matches('.').count();
        let mut start = 0;
        for (n, part) in self.written.split_inclusive(is_dot).enumerate() {
            let inner = part.trim_end_matches(is_dot).len();
            if n == label {
                let at = self.start + start;
                return self.sink.put(warning, at..at + inner, what);
            }
            start += part.len();
        }
        self.sink.put(warning, self.start..self.start + self.written.len(), what);
    }
}

/// Detects a word of an address's local part that mixes scripts which no writing system mixes.
fn local_part(subject: &Subject<'_>, sink: &mut impl FindingSink) {
    let Some(front) = subject.text.get(..subject.host.start) else { return };
    if front.is_ascii() {
        return;
    }
    let start = match subject.scheme.is_empty() {
        true => 0,
        false => front.find(':').map_or(0, |colon| colon + 1),
    };
    let mut at = start;
    for word in front[start..].split_inclusive(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
    {
        let word_end = word.trim_end_matches(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
        if host::mixes_scripts(word_end) {
            return sink
                .put(Warning::LocalMixedScript, at..at + word_end.len(), || FindingDetail::Text);
        }
        at += word.len();
    }
}

/// Detects user information that looks like a host: the part before its colon ends in a top-level domain, or it has a
/// slash.
fn userinfo(subject: &Subject<'_>, sink: &mut impl FindingSink) {
    let Subject { text, host, .. } = subject;
    let Some(front) = text.get(..host.start) else { return };
    let Some(at) = front.strip_suffix('@').map(str::len) else { return };
    let start = front.find("//").map_or(0, |slashes| slashes + 2);
    if start > at {
        return;
    }
    let whole = &text[start..at];
    let user = whole.split(':').next().unwrap_or_default();
    let is_host_char = |c: char| class(u32::from(c)).is_host() || matches!(c, '.' | '_');
    let run = user.find(|c| !is_host_char(c)).map_or(user, |end| &user[..end]);
    let reads_as_host = run.rsplit_once('.').is_some_and(|(name, last)| {
        !name.is_empty() && (subject.is_web() && !last.is_empty() || tld::is_tld(last))
    });
    let has_slash = whole.contains(['/', '\\', '\u{2044}', '\u{2215}', '\u{FF0F}'])
        || memchr::memmem::find(whole.to_ascii_lowercase().as_bytes(), b"%2f").is_some();
    if reads_as_host || has_slash {
        let shown = run.to_owned();
        sink.put(Warning::UserinfoHost, start..at, || FindingDetail::Host(shown.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iri::{IriRef, host_to_ascii};
    use crate::trust::Findings;

    fn findings(text: &str) -> Findings {
        let parsed = IriRef::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let host = parsed.host_range();
        let ascii = host_to_ascii(&text[host.clone()]).ok();
        let scheme = parsed.scheme().unwrap_or_default();
        let subject =
            Subject { text, scheme, host, ascii: ascii.as_deref(), place: LinkUse::Other };
        let mut findings = Findings::default();
        collect_warnings(&subject, &mut findings);
        for finding in &findings {
            assert!(text.get(finding.range()).is_some_and(|part| !part.is_empty()), "{text}");
        }
        findings
    }

    fn codes(text: &str) -> Vec<&'static str> {
        findings(text).warnings().iter().map(Warning::as_str).collect()
    }

    #[test]
    fn userinfo_that_reads_as_a_host() {
        for text in [
            "https://www.bank.example:a@b.test/",
            "https://bank.com@b.test",
            "ssh://github.com@b.test/",
            "https://bank.x%2Flogin@b.test/",
            "ftp://a.b@c.test",
        ] {
            assert_eq!(codes(text), ["userinfo-host"], "{text}");
        }
        for text in [
            "https://me@b.test/",
            "ssh://git@github.com/",
            "ssh://first.lastxx@b.test/",
            "https://b.test/@a.com",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
        let found = findings("https://bank.com:x@b.test/");
        assert_eq!(*found.iter().next().unwrap().detail(), FindingDetail::Host("bank.com".into()));
    }

    #[test]
    fn labels_are_found_where_they_are_written() {
        for (text, part) in [
            ("http://a.рaypal.com/", "рaypal"),
            ("http://a。pаypal。com/", "pаypal"),
            ("http://a.XN--PYPAL-4VE.com/", "XN--PYPAL-4VE"),
            ("http://x.bank.com.evil.test/", "com"),
            ("http://ⓐ.test/", "ⓐ"),
            ("http://１.2.3.4/", "１"),
        ] {
            let found = findings(text);
            let first = found.iter().next().unwrap_or_else(|| panic!("{text}"));
            assert_eq!(&text[first.range()], part, "{text}");
        }
        assert_eq!(codes("http://１.2.3.4/"), ["host-disguised", "ip-disguised"]);
        assert_eq!(codes("http://[::ffff:1.2.3.4]/"), ["ip-disguised"]);
        assert_eq!(codes("ssh://0x7f.1/"), ["ip-disguised"]);
        assert_eq!(codes("x-apple-data-detectors://0"), [""; 0]);
    }

    #[test]
    fn ordinary_links_have_nothing() {
        for text in [
            "https://example.com/a?b=%2e%2e/#%00",
            "http://例え.jp/パス",
            "mailto:a@b.example?subject=x",
            "http://[::1]:80/",
            "http://127.0.0.1/",
            "http://xn--bcher-kva.example/",
            "//a.test/b",
            "a/b",
            "",
            "urn:isbn:1",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }
}

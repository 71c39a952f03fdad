//! Links of running text that are not ASCII: only whether they are links is decided here.
//!
//! The input is a candidate whose text is an IRI unchanged, the result is the link without its URI and its warnings,
//! which are derived when a caller needs them (`link::derived`). Candidates that need a repair, that must follow rules
//! of their scheme, or that are rejected take the general path.

use super::text::Settled;
use super::{Finder, leniency};
use crate::iri::{self, HostMapping, host_to_ascii};
use crate::link::{Body, Derivation, LinkKind, Prefix};
use crate::scan::{CandidateFlags, Match};

impl Finder {
    /// Adds the known host that a link resembles, if its warnings are derived later.
    pub(super) fn note_resemblance_due(&self, body: &mut Body<'_>) {
        if self.has_known() && body.derivation != Derivation::Kept {
            let host = body.text().get(body.host()).unwrap_or_default();
            let resembled = self.resembled(host, host_to_ascii(host).ok().as_deref());
            self.note_resembled(body, resembled);
        }
    }

    /// Returns the link of a candidate that certainly is one.
    #[inline(never)]
    pub(super) fn due(&self, text: &str, candidate: &Match) -> Option<Settled> {
        let Match { kind, marks, scheme_end, .. } = *candidate;
        let origin = candidate.range.start;
        if candidate.refused.is_some()
            || with_marks(marks) != with_marks(CandidateFlags::default())
            || text.is_ascii()
            || !matches!(kind, LinkKind::Absolute | LinkKind::Schemeless)
            || leniency::has_rules(kind, text)
        {
            return None;
        }
        let (start, scheme) = (candidate.host.start - origin, scheme_end - origin);
        let front = if scheme > 0 { "://" } else { "" };
        if text.get(scheme..start)? != front {
            return None;
        }
        let has_odd_host = marks.has(CandidateFlags::HOST);
        let end = candidate.host.end - origin;
        let host = text.get(start..end)?;
        let is_whole = matches!(text.as_bytes().get(end), None | Some(b'/' | b'?' | b'#'));
        // A simple host needs no further check.
        let is_settled = is_whole && has_odd_host && !host.is_ascii() && iri::host::is_simple(host);
        let end = match is_settled {
            true => iri::is_rest(text, end).then_some(end)?,
            false => host_end(text, start, has_odd_host)?,
        };
        let host = start..end;
        if leniency::may_be_address(&text[host.clone()]) {
            return None;
        }
        let prefix = self.prefix(kind, scheme > 0);
        if scheme == 0 && prefix == Prefix::None || !self.is_selected(prefix, text) {
            return None;
        }
        Some(Settled { kind, host, prefix, derivation: self.due_form(marks) })
    }

    /// Returns the derivation of a link with these flags that is not ASCII.
    #[inline]
    pub(super) fn due_form(&self, marks: CandidateFlags) -> Derivation {
        Derivation::Due(match marks.has(CandidateFlags::HOST) {
            true => self.host,
            false => HostMapping::Ascii,
        })
    }
}

/// Returns the end of the host at `start`, if it can certainly be mapped. `is_odd`: the scan found that it is unusual;
/// an unusual ASCII host has A-labels, or is not valid in the DNS.
fn host_end(text: &str, start: usize, is_odd: bool) -> Option<usize> {
    let end = iri::host_end(text, start)?;
    let host = text.get(start..end)?;
    let is_mapped = !is_odd
        || iri::host::is_simple(host)
        || !host.contains('%')
            && host_to_ascii(host).is_ok_and(|ascii| !leniency::may_be_address(&ascii));
    (host.is_ascii() != is_odd && is_mapped).then_some(end)
}

/// Characters of a URI, and the flags of candidates that need neither a repair nor a warning about the text around
/// them.
fn with_marks(mut marks: CandidateFlags) -> CandidateFlags {
    marks |= CandidateFlags::ATTENTION;
    marks |= CandidateFlags::HOST;
    marks |= CandidateFlags::DEEP;
    marks
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::charset::Charset;
    use crate::document::finder::{FinderBuilder, StoredSpan};
    use crate::scan::{PlainLink, References, Scanner, Schemes, View};
    use crate::trust::KnownHosts;

    const PIECES: [&str; 58] = [
        "http://",
        "https://",
        "HTTP://",
        "ftp://",
        "foo://",
        "www.",
        "a.",
        "com.",
        "例え",
        "パス",
        "пример",
        "рф",
        "раураӏ",
        "bücher",
        "straße",
        "BÜCHER",
        "مثال",
        "אב",
        "ไทย",
        "क्ष",
        "한국",
        "ß",
        "é",
        "e\u{301}",
        "１",
        "。",
        "☺",
        "ﬀ",
        "\u{200D}",
        "\u{AD}",
        "\u{E000}",
        ".jp",
        ".com",
        ".example",
        ".1",
        ".",
        "-",
        "_",
        "xn--",
        "xn--bcher-kva.",
        "--",
        "/",
        "?",
        "#",
        "a=",
        "&",
        "%41",
        "%",
        "%00",
        "%2e%2e/",
        ":80",
        ":",
        "@",
        "[",
        "|",
        "\\",
        " ",
        "(",
    ];

    const HOSTS: [&str; 8] = [
        "http://例え.jp/",
        "https://пример.рф/",
        "http://אב.com/",
        "http://www.क्ष.example?",
        "http://bücher.مثال/",
        "http://a.com/",
        "http://1.рф#",
        "http://раураӏ.com",
    ];

    fn known(hosts: &[&str], builder: FinderBuilder) -> Finder {
        Finder { known: Some(KnownHosts::new(hosts).into()), ..builder.build() }
    }

    fn finders() -> [Finder; 6] {
        let any = || Finder::builder().schemes(Schemes::Any);
        let list = Schemes::List(vec!["http".parse().unwrap()]);
        [
            any().build(),
            any().default_scheme("ftp".parse().unwrap()).build(),
            any().host(HostMapping::Percent).build(),
            any().host(HostMapping::Unicode).forbidden_characters(crate::Forbidden::Refuse).build(),
            any().schemes(list).build(),
            known(&["www.paypal.com", "bücher.example"], any()),
        ]
    }

    /// The derived URI and warnings equal those of the general path.
    #[test]
    fn what_is_due_is_what_the_general_path_keeps() {
        let mut dice = crate::dice::Dice::new(46);
        let (mut due, mut decided, mut warned) = (0, 0, 0);
        for finder in finders() {
            for _ in 0..20_000 {
                // Half of the texts have a whole host first, as most links have.
                let host = match dice.once_in(2) {
                    true => dice.pick(&HOSTS),
                    false => "",
                };
                let pieces = (0..2 + dice.below(9)).map(|_| dice.pick(&PIECES));
                let text: String = std::iter::once(host).chain(pieces).collect();
                let mut scanner = Scanner::new();
                let view = View::new(text.as_bytes(), true, References::Auto);
                let settled = |link: PlainLink| {
                    let settled = finder.settled_plain(&text[link.range.clone()], &link);
                    Some((settled.filter(|s| s.derivation != Derivation::Kept), link.candidate()))
                };
                let other = |candidate: &Match| Some((None, candidate.clone()));
                while let Ok((settled, candidate)) =
                    scanner.find(&finder.scan, view, settled, other)
                {
                    let range = candidate.range.clone();
                    let raw = &text[range.clone()];
                    decided += usize::from(settled.is_some());
                    let Some(settled) = settled.or_else(|| finder.due(raw, &candidate)) else {
                        continue;
                    };
                    let mut short = finder.link(settled, raw.into(), range.clone());
                    finder.note_resemblance_due(&mut short.body);
                    let span = StoredSpan::new(range, Charset::UTF_8);
                    let general = finder.judge_general(Cow::Borrowed(raw), candidate, span);
                    let general = general.unwrap_or_else(|rejected| panic!("{text}: {rejected:?}"));
                    assert_eq!(short.uri(), general.uri(), "{text}");
                    assert_eq!(short.host(), general.host(), "{text}");
                    assert_eq!(short.iri(), general.iri(), "{text}");
                    assert_eq!(short.display(), general.display(), "{text}");
                    let warnings = general.warnings();
                    assert_eq!(short.warnings(), warnings, "{text}");
                    assert_eq!(short.findings(), general.findings(), "{text}");
                    assert_eq!(short.severity(), general.severity(), "{text}");
                    let all = crate::link::derived::all(&short.body);
                    assert_eq!(
                        (all.uri, all.host, all.warnings),
                        (general.uri(), general.host(), warnings),
                        "{text}"
                    );
                    assert!(!raw.is_ascii(), "{text}");
                    due += 1;
                    warned += usize::from(!warnings.is_empty());
                }
            }
        }
        assert!(due > 5_000 && decided > 1_000 && warned > 1_000, "{due} {decided} {warned}");
    }

    /// Links are equal if they were found with equal settings; with another form of the host they differ, if the host
    /// has several forms.
    #[test]
    fn forms_of_the_host_tell_links_apart_where_there_are_some() {
        let [ascii, percent] = [HostMapping::Ascii, HostMapping::Percent]
            .map(|form| Finder::builder().host(form).build());
        let known = known(&["example.org"], Finder::builder());
        for (text, is_same) in [("http://www.example.com/パス", true), ("http://例え.jp/", false)]
        {
            let [ascii, percent, known] =
                [&ascii, &percent, &known].map(|finder| finder.links(text).next().unwrap());
            assert_eq!(ascii == percent, is_same, "{text}");
            assert_eq!(ascii.uri() == percent.uri(), is_same, "{text}");
            assert_eq!(ascii, known);
        }
    }
}

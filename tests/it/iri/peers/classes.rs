//! The classes of disagreement, each with who is right and by which section.

use std::collections::BTreeMap;

/// Every class that is known; a disagreement that is in none of them fails the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    BidiFormatting,
    EmptyPort,
    DefaultPort,
    RootlessDots,
    ReferenceDots,
    WhatIsDecoded,
    HostCase,
    Ipv6Form,
    OpaqueBase,
    DotTriplets,
    SlashGuard,
    RootlessTarget,
    BaseDots,
    UrlLengths,
    UrlNumbers,
    UrlPort,
    UrlHostCharacters,
    UrlNoAuthority,
    UrlSlashes,
    UrlLooseScheme,
    UrlDotTriplets,
    UrlEscapes,
    UrlScheme,
    UrlUserinfo,
    UrlDriveLetters,
    UrlFuture,
}

impl Class {
    /// What disagrees, and who is right by which section.
    pub(crate) const fn ruling(self) -> (&'static str, &'static str) {
        match self {
            Class::BidiFormatting => (
                "validity: a bidirectional formatting character (all three)",
                "we refuse it: RFC 3987 §4.1, which the ABNF does not show",
            ),
            Class::EmptyPort => (
                "normalisation: `:` without a port goes (fluent-uri, iri-string)",
                "it stays by syntax and goes by scheme: RFC 3987 §5.3.3",
            ),
            Class::DefaultPort => (
                "normalisation: the default port goes by syntax (fluent-uri)",
                "ours keeps it until the scheme's rung: RFC 3987 §5.3.3",
            ),
            Class::RootlessDots => (
                "normalisation: dot segments of a path without a root stay (fluent-uri, iri-string)",
                "§5.2.4 of RFC 3986 takes them out of any path; RFC 3987 §5.3.2.4 applies it to any IRI",
            ),
            Class::ReferenceDots => (
                "normalisation: `/.` in front of `//` is put elsewhere or refused (fluent-uri, iri-string)",
                "a path must not begin with `//` without an authority: RFC 3986 §3.3",
            ),
            Class::WhatIsDecoded => (
                "normalisation: other characters come out of triplets, or stay raw (fluent-uri, iri-string)",
                "formatting characters must not, private use must in queries: RFC 3987 §2.2, §3.2, §4.1, §6.1",
            ),
            Class::HostCase => (
                "normalisation: case of a host that is not all ASCII, or of what its triplets hide",
                "only US-ASCII hosts have no case, triplets decoded first: RFC 3987 §5.3.2.1",
            ),
            Class::Ipv6Form => (
                "normalisation: IPv6 addresses in the form of RFC 5952 (fluent-uri)",
                "RFC 3987 §5.3.2 says nothing of it; ours does it on the scheme's rung",
            ),
            Class::OpaqueBase => (
                "resolution: fluent-uri refuses a base without authority and root",
                "any IRI is a base: RFC 3986 §5.1, §5.2.2",
            ),
            Class::DotTriplets => (
                "resolution: `%2E` is taken for a dot (fluent-uri, iri-string)",
                "resolution decodes nothing: RFC 3986 §5.2, §6.2.2.2",
            ),
            Class::SlashGuard => (
                "resolution: a target of `//` without authority (oxiri, fluent-uri and iri-string refuse or differ)",
                "ours puts `/.` in front, so that each reference has a target: RFC 3986 §3.3, §5.2",
            ),
            Class::RootlessTarget => (
                "resolution: dot segments of a reference with scheme and without root stay (fluent-uri)",
                "remove_dot_segments is for any path: RFC 3986 §5.2.2, §5.2.4",
            ),
            Class::BaseDots => (
                "resolution: dot segments of the base are removed first (fluent-uri)",
                "the base's path is taken as it is, up to its last slash: RFC 3986 §5.2.2, §5.2.3",
            ),
            Class::UrlLengths => (
                "hosts: url does not look at DNS lengths",
                "RFC 1035 §2.3.4; WHATWG has VerifyDnsLength off",
            ),
            Class::UrlNumbers => (
                "hosts: url reads numbers (hexadecimal, short, with a root dot) as IPv4 addresses",
                "by RFC 3986 §3.2.2 they are names, refused by §7.4; WHATWG is another grammar",
            ),
            Class::UrlPort => {
                ("hosts: a port above 65535", "both refuse it, we by the scheme's rules")
            }
            Class::UrlHostCharacters => (
                "hosts: a host that url refuses, or maps otherwise, for its ASCII",
                "what RFC 3986 §3.2.2 lets in we let in; what it does not let in after decoding we refuse",
            ),
            Class::UrlNoAuthority => (
                "hosts: url finds a host where there is no authority",
                "`http:a` has none: RFC 3986 §3.2; WHATWG adds the slashes",
            ),
            Class::UrlSlashes => (
                "hosts: url skips slashes in front of a host",
                "`http:///a` has an empty host: RFC 3986 §3.2.2; WHATWG ignores them",
            ),
            Class::UrlLooseScheme => (
                "http resolution: `http:g` against an http base",
                "strict: the scheme counts, RFC 3986 §5.2.2; WHATWG is loose",
            ),
            Class::UrlDotTriplets => (
                "http resolution: `%2e` is a dot for url",
                "resolution decodes nothing: RFC 3986 §5.2; WHATWG does",
            ),
            Class::UrlEscapes => (
                "http resolution: what else url escapes (`'` in queries)",
                "RFC 3986 lets it stand: §2.2",
            ),
            Class::UrlScheme => {
                ("hosts: what ws and wss do not have", "no fragment, no userinfo: RFC 6455 §3")
            }
            Class::UrlUserinfo => (
                "hosts: url drops userinfo with nothing in it, and the colon of an empty password",
                "an empty component is not an absent one: RFC 3987 §5.3.3",
            ),
            Class::UrlDriveLetters => (
                "http resolution: url does not go up from a segment like `Z:`",
                "a drive letter is one in `file:` alone, by WHATWG too: RFC 3986 §5.2.4",
            ),
            Class::UrlFuture => (
                "hosts: url has no IPvFuture",
                "`[v1.a]` is a host: RFC 3986 §3.2.2; WHATWG refuses it",
            ),
        }
    }
}

/// How often each class was met, with the shortest text that showed it.
#[derive(Default)]
pub(crate) struct Tally {
    classes: BTreeMap<Class, (u64, String)>,
    unknown: Vec<String>,
}

impl Tally {
    /// Counts a disagreement; one of no known class is kept.
    pub(crate) fn count(&mut self, class: Option<Class>, example: impl Fn() -> String) {
        let Some(class) = class else {
            self.unknown.push(example());
            return;
        };
        let entry = self.classes.entry(class).or_insert_with(|| (0, example()));
        entry.0 += 1;
        // Comparing lengths for each would cost more than asking the peers.
        if entry.0 < 1000 {
            let example = example();
            if example.len() < entry.1.len() {
                entry.1 = example;
            }
        }
    }

    /// Prints the table, and fails if there is something unexplained.
    pub(crate) fn settle(mut self) {
        for (class, (count, example)) in &self.classes {
            let (what, ruling) = class.ruling();
            eprintln!("| {what} | {count} | `{}` | {ruling} |", example.escape_debug());
        }
        self.unknown.sort_by_key(String::len);
        let shown = self.unknown.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.unknown.is_empty(), "{} unexplained:\n{shown}", self.unknown.len());
    }
}

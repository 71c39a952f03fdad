//! Selects the links that are shown and counted.
//!
//! The library finds all links. This module decides which of them are output when a link is complete: by its kind, its
//! context, and its URI.

use linksift::iri::Iri;
use linksift::trust::Findings;
use linksift::{Link, LinkKind, Rejected, Severity};
use regex::Regex;

use crate::args::{Finding, Kind};

/// Conditions that a link must meet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// Kinds; if empty, any.
    kinds: Vec<LinkKind>,
    /// Contexts; if empty, any.
    contexts: Vec<Pattern>,
    matching: Option<Regex>,
    /// Hosts; if empty, any.
    hosts: Vec<Domain>,
    not_hosts: Vec<Domain>,
    /// Whether references that no base resolves were requested explicitly.
    is_reference_named: bool,
    /// Whether links in code are skipped.
    skips_code: bool,
    /// Whether rejected addresses are skipped: the library reports those that it is told not to find.
    skips_emails: bool,
    /// Minimum severity of its warnings.
    severity: Option<Severity>,
}

/// The name of a context, or a prefix or suffix of it: `a@href`, `header:*`, `*@srcset`.
#[derive(Clone, Debug)]
enum Pattern {
    Is(String),
    Begins(String),
    Ends(String),
}

/// A host, and whether it is selected itself or only the hosts below it.
#[derive(Clone, Debug)]
struct Domain {
    name: Box<str>,
    is_below: bool,
}

impl Filter {
    /// Creates the filter of the arguments.
    pub(crate) fn new(args: &Finding) -> Result<Filter, String> {
        let mut kinds: Vec<_> = args.kinds.iter().map(|kind| LinkKind::from(*kind)).collect();
        if args.no_references {
            if kinds.is_empty() {
                kinds = vec![LinkKind::Absolute, LinkKind::Schemeless, LinkKind::Email];
            }
            kinds.retain(|kind| *kind != LinkKind::Reference);
            if kinds.is_empty() {
                return Err("--kinds reference cannot be used with --no-references".to_owned());
            }
        }
        let contexts =
            args.contexts.iter().map(|name| Pattern::new(name)).collect::<Result<_, _>>()?;
        Ok(Filter {
            kinds,
            contexts,
            matching: args.matching.clone(),
            hosts: hosts("--host-is", &args.host_is)?,
            not_hosts: hosts("--not-host", &args.not_host)?,
            skips_code: args.no_code,
            skips_emails: args.no_emails,
            is_reference_named: args.kinds.contains(&Kind::Reference),
            severity: args.suspicious.map(Severity::from),
        })
    }

    /// Returns `true` if a link meets the conditions.
    pub(crate) fn keeps(&self, link: &Link<'_>) -> bool {
        self.keeps_kind(link.kind())
            && !(self.skips_code && link.is_code())
            && self.keeps_context(link.context().as_str())
            && (self.severity.is_none() || link.severity() >= self.severity)
            && (!self.has_hosts() || self.keeps_host(link.host().as_deref()))
            && self.matching.as_ref().is_none_or(|regex| regex.is_match(&link.uri()))
    }

    /// Returns `true` if a rejected candidate meets them. It has no URI: its IRI must match.
    pub(crate) fn keeps_rejected(&self, rejected: &Rejected<'_>) -> bool {
        self.keeps_kind(rejected.kind())
            && !(self.skips_emails && rejected.kind() == LinkKind::Email)
            && !(self.skips_code && rejected.is_code())
            && self.keeps_context(rejected.context().as_str())
            && (self.severity.is_none() || rejected.severity() >= self.severity)
            && (!self.has_hosts() || self.keeps_host(None))
            && self.matching.as_ref().is_none_or(|regex| regex.is_match(&rejected.iri()))
    }

    /// Returns `true` if plain output shows references that no base resolves.
    pub(crate) fn has_unresolved(&self) -> bool {
        self.is_reference_named
    }

    /// Returns why a link with these findings is shown, if only links with warnings are: the greatest severity, and a
    /// sentence for each warning.
    pub(crate) fn reason(&self, findings: impl FnOnce() -> Findings) -> Option<String> {
        let least = self.severity?;
        let findings = findings();
        let greatest = findings.severity()?;
        Some(format!("{}: {}", greatest.as_str(), findings.sentences(least)))
    }

    /// Returns `true` if only links with warnings are shown.
    pub(crate) fn is_suspicious(&self) -> bool {
        self.severity.is_some()
    }

    fn keeps_kind(&self, kind: LinkKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    fn has_hosts(&self) -> bool {
        !self.hosts.is_empty() || !self.not_hosts.is_empty()
    }

    fn keeps_host(&self, host: Option<&str>) -> bool {
        let is_on = |list: &[Domain]| {
            host.is_some_and(|host| list.iter().any(|domain| domain.matches(host)))
        };
        (self.hosts.is_empty() || is_on(&self.hosts)) && !is_on(&self.not_hosts)
    }

    fn keeps_context(&self, context: &str) -> bool {
        self.contexts.is_empty() || self.contexts.iter().any(|pattern| pattern.fits(context))
    }
}

impl Pattern {
    fn new(name: &str) -> Result<Pattern, String> {
        let pattern = match (name.strip_prefix('*'), name.strip_suffix('*')) {
            (Some(end), _) => Pattern::Ends(end.to_ascii_lowercase()),
            (_, Some(start)) => Pattern::Begins(start.to_ascii_lowercase()),
            _ => Pattern::Is(name.to_ascii_lowercase()),
        };
        let (Pattern::Is(rest) | Pattern::Begins(rest) | Pattern::Ends(rest)) = &pattern;
        match name.is_empty() || rest.contains('*') {
            true => Err(format!(
                "--contexts {name:?}: expected a name such as a@href or text, with an optional * at its start or end"
            )),
            false => Ok(pattern),
        }
    }

    fn fits(&self, context: &str) -> bool {
        match self {
            Pattern::Is(name) => context == name,
            Pattern::Begins(start) => context.starts_with(start.as_str()),
            Pattern::Ends(end) => context.ends_with(end.as_str()),
        }
    }
}

/// Returns hosts as in URIs: in ASCII, lower case.
fn hosts(option: &str, names: &[String]) -> Result<Vec<Domain>, String> {
    let mapped = |name: &String| {
        let below = name.strip_prefix("*.");
        let domain = below.unwrap_or(name).trim_matches('.');
        let uri = Iri::parse(&format!("http://{domain}")).ok().and_then(|iri| {
            let uri = iri.to_uri().ok()?;
            Some(uri.strip_prefix("http://")?.to_ascii_lowercase())
        });
        let is_host = |host: &String| !host.is_empty() && !host.contains(['/', '?', '#', '@']);
        uri.filter(is_host)
            .map(|host| Domain { name: host.into_boxed_str(), is_below: below.is_some() })
            .ok_or_else(|| format!("{option} {name:?}: not a host; separate hosts by commas"))
    };
    names.iter().map(mapped).collect()
}

impl Domain {
    fn matches(&self, host: &str) -> bool {
        // The dot of the root makes no difference.
        let host = host.strip_suffix('.').unwrap_or(host);
        let Some(start) = host.len().checked_sub(self.name.len()) else { return false };
        let (labels, rest) = host.as_bytes().split_at(start);
        rest.eq_ignore_ascii_case(self.name.as_bytes())
            && labels.last().map_or(!self.is_below, |last| *last == b'.')
    }
}

/// Returns `true` if a link is a reference that no base resolves, so that its URI is relative.
pub(crate) fn is_unresolved(link: &Link<'_>) -> bool {
    link.kind() == LinkKind::Reference && !has_scheme(&link.uri())
}

/// RFC 3986 §4.1: a text begins with a scheme if a colon precedes all other delimiters of segments.
fn has_scheme(uri: &str) -> bool {
    uri.bytes().find(|byte| b":/?#".contains(byte)) == Some(b':')
}

//! Replacements: the new text of a link, by `--host` and `--map`.

use std::collections::HashMap;
use std::fs;
use std::net::Ipv6Addr;
use std::path::Path;

use linksift::iri::{Iri, NormalizationLevel, host_to_ascii};
use linksift::{Link, LinkKind};

use crate::args::RewriteArgs;
use crate::reason::reason;

/// Level of normalization at which URIs are compared.
const LEVEL: NormalizationLevel = NormalizationLevel::Scheme;

/// Replacements of links.
pub(super) struct Replacements {
    hosts: Vec<HostRule>,
    /// New texts by keys of URIs, at the level [`LEVEL`].
    uris: HashMap<String, String>,
}

/// Replacement of a host.
#[derive(Debug, PartialEq, Eq)]
struct HostRule {
    /// ASCII form of the host; of the hosts below it with the dot before it.
    old: String,
    new: String,
    is_below: bool,
    /// Whether the labels before the old host are kept.
    keeps_labels: bool,
}

impl Replacements {
    /// Reads the options and the table.
    ///
    /// # Errors
    ///
    /// Returns an error for a host or a URI that is not one, and if the table cannot be read.
    pub(super) fn of(args: &RewriteArgs) -> Result<Replacements, String> {
        let hosts = args.host.iter().map(|rule| HostRule::of(rule)).collect::<Result<_, _>>()?;
        let uris = args.map.as_deref().map_or_else(|| Ok(HashMap::new()), uris)?;
        Ok(Replacements { hosts, uris })
    }

    /// Returns the new text of a link.
    pub(super) fn text(&self, link: &Link<'_>, args: &RewriteArgs) -> Option<String> {
        if link.kind() == LinkKind::Email && !args.emails {
            return None;
        }
        let mapped = || {
            let new = self.uris.get(&link.key(LEVEL))?;
            let written = link.written();
            Some(match written.find('#') {
                Some(at) if !new.contains('#') => [new, &written[at..]].concat(),
                _ => new.clone(),
            })
        };
        let by_host =
            || link.with_hosts(|host| self.hosts.iter().find_map(|rule| rule.new_host(host)));
        if self.uris.is_empty() { by_host() } else { mapped().or_else(by_host) }
    }
}

impl HostRule {
    fn of(rule: &str) -> Result<HostRule, String> {
        let (old, new) =
            rule.split_once('=').ok_or_else(|| format!("--host {rule}: expected OLD=NEW"))?;
        let (is_below, old) = match old.strip_prefix("*.") {
            Some(old) => (true, old),
            None => (false, old),
        };
        let (keeps_labels, new) = match new.strip_prefix("*.") {
            Some(new) if is_below => (true, new),
            _ => (false, new),
        };
        let is_name = |host: &str| {
            !host.is_empty() && !host.contains(['/', ':', '@', '?', '#', '*', '[', ' '])
        };
        let ascii = |host: &str| match host_to_ascii(host) {
            Ok(ascii) if is_name(host) || is_ipv6(host) => Ok(ascii.to_ascii_lowercase()),
            _ => Err(format!("--host {rule}: {host:?} is not a host")),
        };
        let old = ascii(old)?;
        ascii(new)?;
        let old = if is_below { [".", &old].concat() } else { old };
        Ok(HostRule { old, new: new.to_owned(), is_below, keeps_labels })
    }

    /// Returns the new host in place of a host in ASCII and lower case, if the rule matches it.
    fn new_host(&self, host: &str) -> Option<String> {
        match self.is_below {
            false => (host == self.old).then(|| self.new.clone()),
            true => {
                let labels = host.strip_suffix(&self.old).filter(|labels| !labels.is_empty())?;
                Some(match self.keeps_labels {
                    true => [labels, ".", &self.new].concat(),
                    false => self.new.clone(),
                })
            }
        }
    }
}

/// Returns `true` for an IPv6 address in its brackets.
fn is_ipv6(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok())
}

/// Reads the table of a file: the new texts by URIs without fragments.
fn uris(name: &Path) -> Result<HashMap<String, String>, String> {
    let text = fs::read(name).map_err(|error| format!("{}: {}", name.display(), reason(&error)))?;
    let text = String::from_utf8(text).map_err(|_| format!("{}: not UTF-8", name.display()))?;
    let mut uris = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        let said = |why: &str| format!("{}:{}: {why}", name.display(), number + 1);
        if line.is_empty() {
            continue;
        }
        let Some((old, new)) = line.split_once('\t') else {
            return Err(said("expected OLD, a TAB and NEW"));
        };
        let key = Iri::parse(old).and_then(|iri| Ok(Iri::parse(&iri.to_uri()?)?.key(LEVEL)));
        let key = key.map_err(|error| said(&format!("{old}: {error}")))?;
        if uris.insert(key, new.to_owned()).is_some_and(|other| other != new) {
            return Err(said(&format!("{old}: has two replacements")));
        }
    }
    Ok(uris)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_exactly_and_those_below() {
        for (rule, host, new) in [
            ("old.example=new.example", "old.example", Some("new.example")),
            ("old.example=new.example", "www.old.example", None),
            ("*.old.example=new.example", "a.b.old.example", Some("new.example")),
            ("*.old.example=*.new.example", "a.b.old.example", Some("a.b.new.example")),
            ("*.old.example=*.new.example", "old.example", None),
            ("*.old.example=*.new.example", "cold.example", None),
            ("例え.jp=new.example", "xn--r8jz45g.jp", Some("new.example")),
        ] {
            let rule = HostRule::of(rule).unwrap();
            assert_eq!(rule.new_host(host).as_deref(), new, "{rule:?} {host}");
        }
        for rule in
            ["a.com", "=b.com", "a.com=", "a.com=b.com/c", "http://a.com=b.com", "a.com=*.b.com"]
        {
            assert!(HostRule::of(rule).is_err(), "{rule}");
        }
    }
}

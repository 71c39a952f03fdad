//! Hosts: the text of a link with another host.

use std::ops::Range;

use crate::context::ContextKind;
use crate::iri::chars::triplet;
use crate::iri::host_to_ascii;
use crate::iri::repair::{browser, scheme_of};
use crate::link::{Link, LinkKind};

use super::encode::has_unwritable;

impl Link<'_> {
    /// Returns the [text](Link::written) of the link with `new` in place of its host, if that is `old`; otherwise `None`. Hosts are
    /// compared as ASCII without case; scheme, user information, port, path and everything else stay as they are written, but the escapes
    /// that a scan of running text resolves (`https:\/\/`) are left out.
    /// A relative reference has no host of its own. See [`with_hosts`](Link::with_hosts) for a `mailto:` with several addresses.
    ///
    /// ```
    /// let moved = |text: &str| linksift::links(text).next().unwrap().with_host("例え.jp", "new.example");
    /// assert_eq!(moved("http://XN--r8jz45g.jp:80/A?b").as_deref(), Some("http://new.example:80/A?b"));
    /// assert_eq!(moved("例え.jp/a").as_deref(), Some("new.example/a"));
    /// assert_eq!(moved("me@例え.jp").as_deref(), Some("me@new.example"));
    /// assert_eq!(moved("http://www.例え.jp/"), None);
    /// ```
    pub fn with_host(&self, old: &str, new: &str) -> Option<String> {
        let old = ascii(old);
        self.with_hosts(|host| (host == old).then(|| new.to_owned()))
    }

    /// Returns the [text](Link::written) of the link with the host that `new` returns in place of its own; `None` if no host is replaced.
    /// `new` is called once for each host, as ASCII in lower case, or as it is written if it cannot be mapped. The addresses of a
    /// `mailto:` ([RFC 6068](https://www.rfc-editor.org/rfc/rfc6068#section-2), §2), its `to`, `cc` and `bcc` included, have a host each.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let link = finder.links("mailto:a@old.example?cc=b@c.example,d@www.old.example").next().unwrap();
    /// let new = |host: &str| host.strip_suffix("old.example").map(|labels| format!("{labels}new.example"));
    /// let moved = "mailto:a@new.example?cc=b@c.example,d@www.new.example";
    /// assert_eq!(link.with_hosts(new).as_deref(), Some(moved));
    /// ```
    pub fn with_hosts(&self, mut new: impl FnMut(&str) -> Option<String>) -> Option<String> {
        // A text in pieces, of an entity or with escapes that only its scan resolves: the place may refuse the text, and a caller
        // learns of it. An address is read with its local part encoded.
        let written = self.written();
        let read = Some(self.body.text()).filter(|_| self.has_scheme() || self.is_of_entity());
        let (first, second) = match self.is_running_text() && self.kind() != LinkKind::Email {
            true => (read, Some(&*written)),
            false => (Some(&*written), read),
        };
        let texts = [first, second].into_iter().flatten();
        if self.kind() == LinkKind::Email {
            let hosts = |text: &str| hosts_in(text, LinkKind::Email);
            let text = texts.into_iter().find(|text| !hosts(text).is_empty())?;
            return replaced(text, hosts(text), |host| new(&ascii(host)));
        }
        let own = ascii(&self.host()?);
        let new = new(&own)?;
        let of_own = |host: &str| (ascii(host) == own).then(|| new.clone());
        texts.into_iter().find_map(|text| replaced(text, hosts_in(text, self.kind()), of_own))
    }

    /// Returns `true` if no base applies to the text.
    fn is_running_text(&self) -> bool {
        self.body.context.kind() == ContextKind::Text
    }

    /// Returns `true` if the stored text begins with the scheme and `://`, perhaps escaped: what was resolved against a base does not.
    fn has_scheme(&self) -> bool {
        let Some(scheme) = scheme_of(self.body.text()) else {
            return self.kind() != LinkKind::Absolute;
        };
        match self.raw().split_at_checked(scheme.len()) {
            Some((first, rest)) => {
                first.eq_ignore_ascii_case(scheme)
                    && (["://", "\\", "&"].iter().any(|sign| rest.starts_with(sign))
                        || self.is_running_text() && rest.starts_with(':'))
            }
            None => false,
        }
    }

    /// Returns `true` if the host may be in an entity alone: the notation is not written, and no base gives the link its host.
    fn is_of_entity(&self) -> bool {
        self.kind() != LinkKind::Reference && has_unwritable(self.body.notation)
    }
}

/// Returns a text with other hosts; `None` if `new` returns none.
fn replaced(
    text: &str,
    hosts: Vec<Range<usize>>,
    mut new: impl FnMut(&str) -> Option<String>,
) -> Option<String> {
    let (mut out, mut end) = (String::new(), 0);
    for host in hosts {
        if let Some(new) = new(&text[host.clone()]) {
            out.extend([&text[end..host.start], &new]);
            end = host.end;
        }
    }
    out.push_str(&text[end..]);
    (end > 0).then_some(out)
}

/// Returns a host as ASCII in lower case, or as it is written if it cannot be mapped.
fn ascii(host: &str) -> String {
    host_to_ascii(host).map_or_else(|_| host.to_owned(), |ascii| ascii.to_ascii_lowercase())
}

/// Returns the ranges of the hosts that a link is written with, in order: one for each address, otherwise at most one.
pub(super) fn hosts_in(text: &str, kind: LinkKind) -> Vec<Range<usize>> {
    if kind != LinkKind::Email {
        return host_in(text, kind).into_iter().collect();
    }
    // An address alone has no fields, and its local part may have their signs.
    if scheme_of(text).is_none() {
        return hosts_of(text, 0..text.len());
    }
    let text = text.split('#').next().unwrap_or_default();
    let (addresses, fields) = text.split_once('?').unwrap_or((text, ""));
    let mut found = hosts_of(text, 0..addresses.len());
    let mut start = addresses.len() + 1;
    for field in fields.split('&') {
        let name = field.split('=').next().unwrap_or_default();
        if ["to", "cc", "bcc"].iter().any(|other| name.eq_ignore_ascii_case(other)) {
            found.extend(hosts_of(text, start + name.len()..start + field.len()));
        }
        start += field.len() + 1;
    }
    found
}

/// Returns the ranges of the hosts in a list of addresses: each is between an `@` outside a quoted string and what ends an address, perhaps
/// encoded.
fn hosts_of(text: &str, list: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut first, mut is_quoted) = (None, false);
    let mut at = list.start;
    while at < list.end {
        let (byte, len) = match triplet(text.as_bytes(), at) {
            Some(byte) => (byte, 3),
            None => (text.as_bytes()[at], 1),
        };
        match byte {
            b'"' => is_quoted ^= true,
            _ if is_quoted => {}
            b'@' => first = Some(at + len),
            b',' | b';' | b'>' | b' ' => found.extend(first.take().map(|first| first..at)),
            _ => {}
        }
        at += len;
    }
    found.extend(first.map(|first| first..list.end));
    found.retain(|host| !host.is_empty());
    found
}

/// Returns the range of the host that a link other than an address is written with. In a web scheme any number of slashes precedes it (URL
/// standard, "special authority ignore slashes state"), and two at least in a reference.
fn host_in(text: &str, kind: LinkKind) -> Option<Range<usize>> {
    let scheme = scheme_of(text);
    let start = match scheme {
        _ if kind == LinkKind::Schemeless => 0,
        scheme => {
            let start = scheme.map_or(0, |scheme| scheme.len() + 1);
            let rest = &text[start..];
            let slashes = rest.len() - rest.trim_start_matches(['/', '\\']).len();
            let is_of_web = scheme.is_none_or(browser::is_special);
            let is_whole = scheme.is_some() && is_of_web && kind == LinkKind::Absolute;
            if slashes < 2 && !is_whole {
                return None;
            }
            start + if is_of_web { slashes } else { 2 }
        }
    };
    let authority = &text[start..];
    let authority = &authority[..authority.find(['/', '\\', '?', '#']).unwrap_or(authority.len())];
    let first = start + authority.rfind('@').map_or(0, |at| at + 1);
    let host = &text[first..start + authority.len()];
    let len = match host.rfind(']') {
        Some(end) if host.starts_with('[') => end + 1,
        _ => host.rfind(':').unwrap_or(host.len()),
    };
    Some(first..first + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_as_they_are_written() {
        for (text, kind, hosts) in [
            ("http://a.b:80/c", LinkKind::Absolute, &["a.b"][..]),
            ("http://u:p@[::1]:80", LinkKind::Absolute, &["[::1]"]),
            ("http:\\\\a.b\\c", LinkKind::Absolute, &["a.b"]),
            ("http:/a.b/c", LinkKind::Absolute, &["a.b"]),
            ("http:a.b\\c", LinkKind::Absolute, &["a.b"]),
            ("http:/a.b/c", LinkKind::Reference, &[]),
            ("///a.b/c", LinkKind::Reference, &["a.b"]),
            ("file:///a.b/c", LinkKind::Absolute, &[""]),
            ("//a.b?c@d", LinkKind::Reference, &["a.b"]),
            ("a.b:80/c", LinkKind::Schemeless, &["a.b"]),
            ("mailto:x@a.b?cc=y@c.d", LinkKind::Email, &["a.b", "c.d"]),
            ("mailto:x@a.b,%20y@c.d?subject=z@e.f", LinkKind::Email, &["a.b", "c.d"]),
            (
                "mailto:?To=x@a.b%2Cy@c.d&bcc=z%20%3Cz@e.f%3E",
                LinkKind::Email,
                &["a.b", "c.d", "e.f"],
            ),
            ("mailto:%22x@a.b,y%22@c.d", LinkKind::Email, &["c.d"]),
            ("mailto:?cc=x@a.b;y@c.d#z@e.f", LinkKind::Email, &["a.b", "c.d"]),
            ("x@a.b", LinkKind::Email, &["a.b"]),
            ("mailto:x%40a.b", LinkKind::Email, &["a.b"]),
            ("a.b/c", LinkKind::Reference, &[]),
            ("urn:x:a.b", LinkKind::Absolute, &[]),
        ] {
            let found = hosts_in(text, kind);
            assert!(
                found.into_iter().map(|range| &text[range]).eq(hosts.iter().copied()),
                "{text}"
            );
        }
    }
}

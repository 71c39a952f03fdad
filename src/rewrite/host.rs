//! Hosts: the text of a link with another host.

use std::ops::Range;

use crate::iri::host_to_ascii;
use crate::iri::repair::scheme_of;
use crate::link::{Link, LinkKind};

impl Link<'_> {
    /// Returns the [text](Link::written) of the link with `new` in place of its host, if that is `old`; otherwise `None`. Hosts are
    /// compared as ASCII without case; scheme, user information, port, path and everything else stay as they are written.
    /// A relative reference has no host of its own.
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
        let is_old = |host: &str| ascii(host).eq_ignore_ascii_case(&old);
        if !is_old(&self.host()?) {
            return None;
        }
        let moved = |text: &str| {
            let host = host_in(text, self.kind())?;
            let (before, after) = (&text[..host.start], &text[host.end..]);
            is_old(&text[host]).then(|| [before, new, after].concat())
        };
        // A text in pieces, or with escapes that only its scan resolves, and a scheme with one slash: the place may refuse the text, and
        // a caller learns of it.
        let written = self.written();
        let read = || moved(self.body.text()).filter(|_| self.has_scheme());
        moved(&written).or_else(read).or_else(|| moved(&self.with_slashes(&written)?))
    }

    /// Returns `true` if the stored text begins with the scheme and `://`, perhaps escaped: what was resolved against a base does not.
    fn has_scheme(&self) -> bool {
        let Some(scheme) = scheme_of(self.body.text()) else {
            return self.kind() != LinkKind::Absolute;
        };
        match self.raw().split_at_checked(scheme.len()) {
            Some((first, rest)) => {
                first.eq_ignore_ascii_case(scheme)
                    && ["://", "\\", "&"].iter().any(|sign| rest.starts_with(sign))
            }
            None => false,
        }
    }

    /// Returns the IRI of a link whose scheme has a wrong number of slashes behind it; `None` if the text is a relative reference.
    fn with_slashes(&self, written: &str) -> Option<String> {
        let scheme = scheme_of(written)?;
        let rest = written[scheme.len() + 1..].trim_start_matches(['/', '\\']);
        let iri = self.iri();
        (iri.strip_prefix(scheme)?.strip_prefix("://")? == rest).then(|| iri.into_owned())
    }
}

/// Returns a host as ASCII, or as it is written if it cannot be mapped.
fn ascii(host: &str) -> String {
    host_to_ascii(host).map_or_else(|_| host.to_owned(), Into::into)
}

/// Returns the range of the host that a link is written with.
pub(super) fn host_in(text: &str, kind: LinkKind) -> Option<Range<usize>> {
    let scheme = scheme_of(text).map(|scheme| scheme.len() + 1);
    if kind == LinkKind::Email {
        let end = text.find('?').unwrap_or(text.len());
        let after = |sign: &str| text[..end].rfind(sign).map(|at| at + sign.len());
        return Some(after("@").or_else(|| after("%40"))?..end);
    }
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let start = match scheme {
        _ if kind == LinkKind::Schemeless => 0,
        scheme => {
            let start = scheme.unwrap_or_default();
            let slashes = text.as_bytes().get(start..start + 2)?;
            slashes.iter().all(is_slash).then_some(start + 2)?
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
        for (text, kind, host) in [
            ("http://a.b:80/c", LinkKind::Absolute, Some("a.b")),
            ("http://u:p@[::1]:80", LinkKind::Absolute, Some("[::1]")),
            ("http:\\\\a.b\\c", LinkKind::Absolute, Some("a.b")),
            ("//a.b?c@d", LinkKind::Reference, Some("a.b")),
            ("a.b:80/c", LinkKind::Schemeless, Some("a.b")),
            ("mailto:x@a.b?cc=y@c.d", LinkKind::Email, Some("a.b")),
            ("x@a.b", LinkKind::Email, Some("a.b")),
            ("mailto:x%40a.b", LinkKind::Email, Some("a.b")),
            ("a.b/c", LinkKind::Reference, None),
            ("urn:x:a.b", LinkKind::Absolute, None),
        ] {
            assert_eq!(host_in(text, kind).map(|range| &text[range]), host, "{text}");
        }
    }
}

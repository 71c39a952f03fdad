//! Links of running text in the form of RFC 3986, where people and formats write them differently: with the escapes of strings, with
//! an escaped at sign, with an authority that the RFC does not have.

use std::ops::Range;

use crate::iri::repair::{authority, browser};
use crate::link::{LinkKind, Warning, Warnings};
use crate::scan::reference;

/// Text of a candidate, with its references resolved.
pub(super) struct WrittenLink<'t> {
    pub(super) text: &'t str,
    pub(super) host: Range<usize>,
    /// Length of the scheme; 0 without one.
    pub(super) scheme_len: usize,
    /// Whether the rules for prose apply.
    pub(super) is_prose: bool,
}

/// The same link in the form of the RFC.
pub(super) struct RewrittenLink {
    pub(super) text: String,
    pub(super) host: Range<usize>,
    /// Warnings about the written form: `lenient`, or `host-disguised` for a soft hyphen in a local part.
    pub(super) warnings: Warnings,
}

impl WrittenLink<'_> {
    /// Returns the form of the RFC; `None` if the text is in that form.
    pub(super) fn rewritten(self, kind: LinkKind) -> Option<RewrittenLink> {
        if kind == LinkKind::Email {
            return self.address();
        }
        let WrittenLink { text, host, .. } = self;
        if host.is_empty()
            && let Some(text) = browser::file_on_drive(text)
        {
            let host = host.start + 1..host.end + 1;
            return Some(RewrittenLink { text, host, warnings: lenient() });
        }
        if !self.is_prose {
            return None;
        }
        let shorter = without_escapes(text, host.clone());
        let (plain, host) = match &shorter {
            Some((plain, moved)) => (plain.as_str(), moved.clone()),
            None => (text, host),
        };
        if let Some(repaired) = authority::repaired(plain) {
            let host = host.start..host.end + (repaired.len() - plain.len());
            return Some(RewrittenLink { text: repaired, host, warnings: lenient() });
        }
        shorter.map(|(text, host)| RewrittenLink { text, host, warnings: Warnings::default() })
    }

    /// Returns an address in the form of RFC 6068.
    fn address(self) -> Option<RewrittenLink> {
        let WrittenLink { text, host, scheme_len, is_prose } = self;
        // `mailto:?body=x`
        let (front, rest) = text.split_at_checked(host.start).filter(|_| !host.is_empty())?;
        let (mut local, mut warnings) = (front.to_owned(), Warnings::default());
        if is_prose {
            if local.contains('\u{AD}') {
                warnings.insert(Warning::HostDisguised);
            }
            local = plain_local_part(local);
            if let Some(address) = local[scheme_len..].strip_prefix("://") {
                local = format!("{}:{address}", &local[..scheme_len]);
                warnings.insert(Warning::Lenient);
            }
        }
        if scheme_len == 0
            && let Some(encoded) = encoded_local_part(&local)
        {
            local = encoded;
        }
        if local == front {
            return None;
        }
        let host = local.len()..local.len() + host.len();
        Some(RewrittenLink { text: local + rest, host, warnings })
    }
}

fn lenient() -> Warnings {
    let mut warnings = Warnings::default();
    warnings.insert(Warning::Lenient);
    warnings
}

/// Returns a local part with its at sign, without soft hyphens and without an escape of the sign: `\(at`, `\[at]`, `\@`.
fn plain_local_part(mut local: String) -> String {
    let sign = reference::at_sign_before(local.as_bytes());
    if sign > 1 {
        local.truncate(local.len() - sign);
        local.push('@');
    }
    local.replace('\u{AD}', "")
}

/// Returns a link of running text, and the range of its host, without the backslashes that escape a character in
/// strings of JSON, Markdown, TeX and manual pages (`https:\/\/example.com\/a\-b`), and with the characters of such
/// strings that are escaped by their numbers; `None` if it has none.
fn without_escapes(text: &str, host: Range<usize>) -> Option<(String, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut shorter = String::with_capacity(text.len());
    let (mut from, mut moved) = (0, host.clone());
    for at in memchr::memchr_iter(b'\\', bytes) {
        let escape = reference::string_escape(&bytes[at..]);
        let is_sign = match bytes[at + 1..] {
            [b':', next, ..] => matches!(next, b'/' | b'\\'),
            [sign, ..] => b"/-_.~%#&".contains(&sign),
            [] => false,
        };
        if at < from || escape.is_none() && !is_sign {
            continue;
        }
        shorter.push_str(&text[from..at]);
        let (len, put) = match escape {
            Some((c, len)) => {
                shorter.push(c);
                (len, c.len_utf8())
            }
            None => (1, 0),
        };
        from = at + len;
        for (moved, end) in [(&mut moved.start, host.start), (&mut moved.end, host.end)] {
            *moved -= if at < end { len - put } else { 0 };
        }
    }
    if from == 0 {
        return None;
    }
    shorter.push_str(&text[from..]);
    Some((shorter, moved))
}

/// Returns a local part, with its at sign, in which the characters are percent-encoded that would be syntax in a `mailto:` (RFC
/// 6068 §2), and the first of two slashes that would begin an authority; `None` if it has none of them.
fn encoded_local_part(local: &str) -> Option<String> {
    let has_slashes = local.starts_with("//");
    if !has_slashes && !local.contains(['%', '?', '#']) {
        return None;
    }
    let mut local = local.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    if has_slashes {
        local.replace_range(..1, "%2F");
    }
    Some(local)
}

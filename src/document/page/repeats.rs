//! Links in the text of a link that only repeat its target: in full, shortened, or a part of it between two tags.
//!
//! The input is the URI of the link, then those that its text gives, in their order. A text that names another host than the
//! target does not repeat it.

use crate::link::{Link, LinkKind};
use crate::tables::schemes::is_mail;
use crate::tables::tld;

/// Target of a link whose text is being processed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TextTarget {
    /// Its URI; empty outside links.
    uri: String,
    /// Number of bytes of the URI that the text has repeated so far.
    repeated: usize,
}

/// Characters by which a shortened text replaces a part of a URI, as written and percent-encoded.
const ELLIPSES: [&str; 3] = ["...", "%E2%80%A6", "…"];

impl TextTarget {
    /// Returns the URI; `None` after a text has repeated a part of it.
    pub(super) fn uri(&self) -> Option<&str> {
        (self.uri.is_empty() || self.repeated == 0).then_some(&*self.uri)
    }

    /// Ends the text of the link.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.uri.clear();
    }

    /// Begins the text of a link to a URI.
    #[inline]
    pub(super) fn set(&mut self, uri: &str) {
        self.uri.clear();
        self.uri.push_str(uri);
        self.repeated = 0;
    }

    /// Returns `true` if a link in the text only repeats the target, or is the name of a place there.
    pub(super) fn is_repeated_by(&mut self, link: &Link<'_>) -> bool {
        if self.uri.is_empty() {
            return false;
        }
        let kind = link.kind();
        if kind == LinkKind::Schemeless && self.names_place(link.body.text()) {
            return true;
        }
        let uri = link.uri();
        // `http://example.com` goes to `http://example.com/`.
        if uri == self.uri || self.uri.strip_suffix('/') == Some(&*uri) {
            return true;
        }
        if let Some((_, address)) = self.uri.split_once(':').filter(|(scheme, _)| is_mail(scheme)) {
            let address = address.split('?').next().unwrap_or_default();
            return names_mailbox(address, kind, &uri);
        }
        match self.part_repeated_by(&uri, kind == LinkKind::Schemeless) {
            Some(end) => {
                self.repeated = end;
                true
            }
            None => false,
        }
    }

    /// Returns `true` if a URI whose scheme is not selected repeats the target or a part of it.
    pub(super) fn is_repeated_in_part_by(&mut self, uri: &str) -> bool {
        let end = if self.uri.is_empty() { None } else { self.part_repeated_by(uri, false) };
        self.repeated = end.unwrap_or(self.repeated);
        end.is_some()
    }

    /// Returns `true` if a name without a scheme ends the fragment of the target: `expr.literal.int` in the text of a link to
    /// `#r-expr.literal.int` is not a host.
    fn names_place(&self, name: &str) -> bool {
        let fragment = self.uri.split_once('#').map(|(_, fragment)| fragment);
        let before = fragment.and_then(|fragment| fragment.strip_suffix(name));
        before.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '.'))
    }

    /// Returns where the part of the target ends that a URI repeats; `None` if it repeats none.
    fn part_repeated_by(&self, uri: &str, is_schemeless: bool) -> Option<usize> {
        let (scheme, seen) = uri.split_once("://")?;
        let (own_scheme, whole) = self.uri.split_once("://")?;
        let start = self.uri.len() - whole.len();
        if !is_schemeless {
            let len = scheme.eq_ignore_ascii_case(own_scheme).then(|| repeated_len(seen, whole))?;
            return len.map(|len| start + len);
        }
        // What follows a tag inside of the text.
        let rest = self.uri.get(self.repeated..).filter(|_| self.repeated > 0).unwrap_or_default();
        let seen_there = seen.trim_end_matches('/');
        if !seen_there.is_empty() && rest.starts_with(seen_there) {
            return Some(self.repeated + seen_there.len());
        }
        if !["http", "https"].iter().any(|web| own_scheme.eq_ignore_ascii_case(web)) {
            return None;
        }
        let bare = strip_front(whole, "www.").unwrap_or(whole);
        let lens = [whole, bare].map(|whole| {
            let len = repeated_len(seen, whole).filter(|len| *len >= host_len(whole));
            len.map(|len| self.uri.len() - whole.len() + len)
        });
        lens.into_iter().flatten().next()
    }
}

/// Returns `true` if a link repeats a mailbox: an address in it, or the domain of one.
fn names_mailbox(addresses: &str, kind: LinkKind, uri: &str) -> bool {
    let is_it = |address: &str| match (kind, uri.split_once(':')) {
        (LinkKind::Schemeless, Some((_, seen))) => {
            let domain = address.rsplit('@').next().unwrap_or_default();
            domain.eq_ignore_ascii_case(seen.trim_matches('/'))
        }
        (_, Some((scheme, seen))) => is_mail(scheme) && seen.eq_ignore_ascii_case(address),
        _ => false,
    };
    addresses.split(',').any(is_it)
}

/// Returns how much of a target, from its authority on, a text repeats that shows its beginning, also with its end after an
/// ellipsis; `None` if the text shows another host, or anything else.
fn repeated_len(seen: &str, whole: &str) -> Option<usize> {
    let of_host = host_len(whole);
    let is_shown = |front: &str| {
        let (host, path) = (front.get(..of_host)?, front.get(of_host..)?);
        let own = whole.get(of_host..)?;
        // Part of a port is another one.
        let is_port_cut = || {
            let is_digit = |at: usize| own.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
            path.starts_with(':') && !path.contains('/') && is_digit(path.len())
        };
        let is_it = host.eq_ignore_ascii_case(whole.get(..of_host)?)
            && own.starts_with(path)
            && !is_port_cut();
        is_it.then_some(front.len())
    };
    // `http://example.com/` goes to `http://example.com`.
    let front = seen.strip_suffix('/').filter(|front| front.len() >= whole.len()).unwrap_or(seen);
    if let Some(len) = is_shown(front) {
        let next = whole.as_bytes().get(len);
        let ends_host = matches!(next, None | Some(b'/' | b'?' | b'#' | b':'));
        return (len > of_host || ends_host).then_some(len);
    }
    for ellipsis in ELLIPSES {
        if let Some((front, end)) = seen.split_once(ellipsis) {
            let end = end.trim_start_matches('.');
            let is_it = front.len() > of_host && whole.ends_with(end);
            return is_shown(front).filter(|_| is_it).map(|_| whole.len());
        }
    }
    // A tag in a word cuts the host; a name that ends in a top-level domain would be the host of another site.
    let last = seen.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_cut = seen.len() < of_host
        && strip_front(whole, seen).is_some()
        && (!seen.contains('.') || whole.as_bytes()[seen.len()] != b'.')
        && !(seen.contains('.') && (tld::is_ascii_tld(last.as_bytes()) || last == "example"))
        && whole.as_bytes()[..of_host].contains(&b'.');
    (is_cut && !whole[..of_host].contains('@')).then_some(seen.len())
}

/// Returns the length of the authority that a URI without its scheme begins with; of one with user information and a port
/// both count.
fn host_len(whole: &str) -> usize {
    let authority = whole.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !host.contains('@') => {
            host.len()
        }
        _ => authority.len(),
    }
}

/// Returns a text without what it begins with, in upper or lower case.
fn strip_front<'t>(text: &'t str, front: &str) -> Option<&'t str> {
    let (found, rest) = text.split_at_checked(front.len())?;
    found.eq_ignore_ascii_case(front).then_some(rest)
}

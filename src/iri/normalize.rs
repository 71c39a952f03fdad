//! The comparison ladder (RFC 3987 §5.3): string, syntax, scheme.
//!
//! A normal form is for comparing: the original must be kept and passed on (§5.3.2.3). NFC is not applied: equivalence
//! requires IRIs that are normalized already (§5.3.2.2).

use super::components::IriRef;
use super::decode::push_normal;
use super::{host, ip, resolve, scheme};
use crate::codes::coded;
use crate::tables::schemes;

coded! {
    /// Level of normalization and comparison (RFC 3987 §5.3).
    ///
    /// ```
    /// assert_eq!("scheme".parse(), Ok(linksift::iri::NormalizationLevel::Scheme));
    /// ```
    pub enum NormalizationLevel in "linksift::iri" default Syntax {
        /// Simple string comparison (§5.3.1): the normal form is the text.
        Simple = "simple",
        /// Case, percent-encoding and dot segments (§5.3.2).
        Syntax = "syntax",
        /// Default ports, empty paths, internationalised hosts (§5.3.3), besides the syntax.
        Scheme = "scheme",
    }
}

impl IriRef<'_> {
    /// Returns the syntactic normal form (RFC 3987 §5.3.2).
    ///
    /// Percent-encoded bytes are decoded first, so `%2E%2E` is a dot segment and `EX%41mple` is `example`. Dot segments are
    /// removed from IRIs; those of a reference without a scheme are significant and stay. The function is idempotent, and
    /// an IRI has the same normal form as its URI, except for the host.
    ///
    /// ```
    /// use linksift::iri::Iri;
    ///
    /// let normal = |iri| Iri::parse(iri).unwrap().normalize();
    /// assert_eq!(normal("eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9"), "example://a/b/c/%7Bfoo%7D/rosé");
    /// assert_eq!(normal("http://e.example/%e2%80%ae"), "http://e.example/%E2%80%AE");
    /// ```
    #[must_use]
    pub fn normalize(&self) -> String {
        self.normalize_to(NormalizationLevel::Syntax)
    }

    /// Returns the normal form at a level of normalization.
    ///
    /// ```
    /// use linksift::iri::{Iri, NormalizationLevel};
    ///
    /// let normal = |iri| Iri::parse(iri).unwrap().normalize_to(NormalizationLevel::Scheme);
    /// for same in ["http://example.com", "http://example.com/", "http://example.com:/", "http://example.com:080/"] {
    ///     assert_eq!(normal(same), "http://example.com/");
    /// }
    /// assert_eq!(normal("http://xn--rsum-bpad.example.org"), "http://résumé.example.org/");
    /// ```
    #[must_use]
    pub fn normalize_to(&self, level: NormalizationLevel) -> String {
        let mut out = String::with_capacity(self.text.len() + 2);
        self.normalize_into(level, &mut out);
        out
    }

    /// Like [`normalize_to`](IriRef::normalize_to), but appends to a string, whose buffer can be reused.
    ///
    /// ```
    /// # use linksift::iri::{IriRef, NormalizationLevel};
    /// let mut out = String::new();
    /// IriRef::parse("%7E")?.normalize_into(NormalizationLevel::Syntax, &mut out);
    /// assert_eq!(out, "~");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn normalize_into(&self, level: NormalizationLevel, out: &mut String) {
        if level == NormalizationLevel::Simple {
            out.push_str(self.text);
            return;
        }
        let by_scheme = level == NormalizationLevel::Scheme;
        let mut profile = scheme::Profile::default();
        let mut mailto = false;
        if let Some(name) = self.scheme() {
            let start = out.len();
            out.push_str(name);
            out[start..].make_ascii_lowercase();
            out.push(':');
            if by_scheme {
                profile = scheme::profile(name);
                mailto = schemes::is_mail(name) && !self.has_authority();
            }
        }
        if self.has_authority() {
            out.push_str("//");
            if let Some(userinfo) = self.userinfo() {
                push_normal(out, userinfo, false);
                out.push('@');
            }
            let start = out.len();
            push_host(out, self.host().unwrap_or_default(), by_scheme);
            let bare = self.userinfo().is_none() && self.port().is_none_or(str::is_empty);
            if profile.localhost() && bare && &out[start..] == "localhost" {
                out.truncate(start);
            }
            if let Some(port) = self.port() {
                push_port(out, port, by_scheme, profile.default_port);
            }
        }
        let start = out.len();
        push_normal(out, self.path(), false);
        if self.scheme().is_some() {
            resolve::remove_dots_in(out, start, self.has_authority());
        }
        if mailto {
            // Do this after removing dot segments, since removed text must not affect how a domain is written.
            let path = out.split_off(start);
            push_addresses(out, &path);
        }
        if profile.root() && out.len() == start && self.has_authority() {
            out.push('/');
        }
        let p = &self.parts;
        push_normal(out, self.slice(p.path_end, p.query_end), true);
        push_normal(out, self.slice(p.query_end, self.text.len() as u32), false);
        if by_scheme && self.scheme().is_some_and(|s| s.eq_ignore_ascii_case("urn")) {
            lower_nid(out);
        }
    }

    /// Returns the normal form at a level of normalization, without the fragment: references with the same key lead to the same
    /// resource. [`Scheme`](NormalizationLevel::Scheme) finds the most of them. A relative reference stays relative, so it should be
    /// resolved first.
    ///
    /// ```
    /// use linksift::iri::{Iri, IriRef, NormalizationLevel};
    ///
    /// let key = |iri| Iri::parse(iri).unwrap().key(NormalizationLevel::Scheme);
    /// assert_eq!(key("HTTP://e.com:80/%7Ea/../b#c"), "http://e.com/b");
    /// assert_eq!(IriRef::parse("./a#b")?.key(NormalizationLevel::Scheme), "./a");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[must_use]
    pub fn key(&self, level: NormalizationLevel) -> String {
        IriRef { text: self.slice(0, self.parts.query_end), parts: self.parts }.normalize_to(level)
    }

    /// Returns `true` if two references are equivalent at a level of normalization (RFC 3987 §5.3). Relative references should
    /// be resolved first (§5.1).
    ///
    /// ```
    /// use linksift::iri::{Iri, NormalizationLevel};
    ///
    /// let a = Iri::parse("http://example.org/~user")?;
    /// let b = Iri::parse("HTTP://example.org:80/%7euser")?;
    /// assert!(!a.equivalent(&b, NormalizationLevel::Simple));
    /// assert!(!a.equivalent(&b, NormalizationLevel::Syntax));
    /// assert!(a.equivalent(&b, NormalizationLevel::Scheme));
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[must_use]
    pub fn equivalent(&self, other: &IriRef<'_>, level: NormalizationLevel) -> bool {
        self.text == other.text
            || (level != NormalizationLevel::Simple
                && self.normalize_to(level) == other.normalize_to(level))
    }
}

/// Appends the host: percent-encoded bytes are decoded first, then the case is folded if all of it is ASCII (§5.3.2.1).
fn push_host(out: &mut String, name: &str, by_scheme: bool) {
    let start = out.len();
    if let (true, Some(inside)) =
        (by_scheme, name.strip_prefix('[').and_then(|n| n.strip_suffix(']')))
    {
        // RFC 5952 §4: one text for each address.
        if let Some(address) = ip::ipv6(inside.as_bytes()) {
            out.push_str(&format!("[{address}]"));
            return;
        }
    } else if by_scheme {
        // §5.3.3: the normal form has characters instead of A-labels, for legibility.
        if let Ok(ascii) = host::host_to_ascii(name) {
            let lower = ascii.to_ascii_lowercase();
            out.push_str(&host::host_to_unicode(&lower));
            return;
        }
    }
    push_normal(out, name, false);
    if out[start..].is_ascii() {
        lower_outside_triplets(out, start);
    }
}

/// Converts letters to lower case, except for the digits of percent-encoded bytes.
fn lower_outside_triplets(out: &mut String, start: usize) {
    if !out[start..].bytes().any(|b| b.is_ascii_uppercase()) {
        return;
    }
    let host = out.split_off(start);
    let mut digits = 0;
    for c in host.chars() {
        if c == '%' {
            digits = 3;
        }
        out.push(if digits > 0 { c } else { c.to_ascii_lowercase() });
        digits = digits.max(1) - 1;
    }
}

/// Appends the port; at the scheme level without leading zeros, and not if it is empty or the default.
fn push_port(out: &mut String, port: &str, by_scheme: bool, default: u16) {
    let mut digits = port;
    if by_scheme {
        digits = port.trim_start_matches('0');
        let number = scheme::port_number(port);
        if port.is_empty() || (default != 0 && number == Some(default)) {
            return;
        }
        if digits.is_empty() {
            digits = "0";
        }
    }
    out.push(':');
    out.push_str(digits);
}

/// Appends the addresses of `mailto:`, with the domains in lower case and in characters (RFC 6068 §2, item 4).
fn push_addresses(out: &mut String, path: &str) {
    for (index, address) in path.split(',').enumerate() {
        if index > 0 {
            out.push(',');
        }
        match address.rsplit_once('@') {
            Some((local, domain)) => {
                push_normal(out, local, false);
                out.push('@');
                push_host(out, domain, true);
            }
            None => push_normal(out, address, false),
        }
    }
}

/// Converts the namespace identifier, which is case-insensitive (RFC 8141 §3.1), to lower case.
fn lower_nid(out: &mut str) {
    let end = out.match_indices(':').nth(1).map_or(0, |(at, _)| at);
    out[..end].make_ascii_lowercase();
}

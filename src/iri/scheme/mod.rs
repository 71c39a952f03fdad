//! Checks the rules of schemes that go beyond the grammar, from their rows in `tables::schemes`.
//!
//! The input is a parsed IRI, the result is the first rule that it violates. Such an IRI is still valid by RFC 3987, but
//! cannot be used with its scheme. Non-ASCII characters count as the percent-encoded bytes that they map to. The rules in
//! the table are those of a scheme's own document; schemes without a row have no rules.

mod body;

pub(crate) use body::domain as mail_domain;
pub(super) use body::push_mapped as push_mailto;

use std::borrow::Cow;

use super::components::{HostKind, Iri, IriRef};
use super::error::{Error, ErrorKind};
use super::{host, ip};
use crate::tables::is_number;
use crate::tables::schemes::{
    AUTHORITY, DOMAIN, HOST, LOCALHOST, NO_AUTHORITY, NO_FRAGMENT, NO_PORT, NO_QUERY, NO_USERINFO,
    ROOT, SchemeBody, row,
};

/// Facts about a scheme for normalization and mapping.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Profile {
    rules: u16,
    /// The default port, which may be omitted; 0 if there is none.
    pub(crate) default_port: u16,
}

impl Profile {
    /// Returns `true` if the host is a domain name, to which ToASCII applies (RFC 3987 §3.1).
    pub(crate) fn domain(self) -> bool {
        self.rules & DOMAIN != 0
    }

    /// Returns `true` if an empty path is equivalent to `/` (RFC 3986 §6.2.3).
    pub(crate) fn root(self) -> bool {
        self.rules & ROOT != 0
    }

    /// Returns `true` if the host `localhost` is equivalent to an empty one (RFC 3986 §6.2.3, RFC 8089 §2).
    pub(crate) fn localhost(self) -> bool {
        self.rules & LOCALHOST != 0
    }
}

/// Returns the profile of a scheme, in upper or lower case; an empty one if the table does not have it.
pub(crate) fn profile(scheme: &str) -> Profile {
    row(scheme.as_bytes())
        .map_or(Profile::default(), |row| Profile { rules: row.rules, default_port: row.port })
}

/// Checks the part after the colon; returns the position and the kind of an error.
fn check_body(body: SchemeBody, iri: &IriRef<'_>) -> Result<(), Error> {
    match body {
        SchemeBody::Any => Ok(()),
        SchemeBody::AddrSpec => body::addr_spec(iri),
        SchemeBody::Data => body::data(iri),
        SchemeBody::Doi => body::doi(iri),
        SchemeBody::Geo => body::geo(iri),
        SchemeBody::Info => body::info(iri),
        SchemeBody::Ldap => body::ldap(iri),
        SchemeBody::Magnet => body::magnet(iri),
        SchemeBody::Mailto => body::mailto(iri),
        SchemeBody::News => body::news(iri),
        SchemeBody::Ni => body::ni(iri),
        SchemeBody::Rooted => body::rooted(iri),
        SchemeBody::Sip => body::sip(iri),
        SchemeBody::Sms => body::sms(iri),
        SchemeBody::Tag => body::tag(iri),
        SchemeBody::Tel => body::tel(iri),
        SchemeBody::Urn => body::urn(iri),
        SchemeBody::Xmpp => body::xmpp(iri),
    }
}

impl Iri<'_> {
    /// Returns `true` if the scheme's own rules accept the IRI (RFC 3987 §3.1, "syntactical").
    ///
    /// # Errors
    ///
    /// Returns the first rule that is violated: a `Scheme…` of [`ErrorKind`].
    ///
    /// ```
    /// use linksift::iri::{ErrorKind, Iri};
    ///
    /// let kind = |text| Iri::parse(text).unwrap().check_scheme().map_err(|e| e.kind());
    /// assert_eq!(kind("http:///path"), Err(ErrorKind::SchemeHost));
    /// assert_eq!(kind("http://256.1.1.1/"), Err(ErrorKind::SchemeHostIpv4));
    /// assert_eq!(kind("urn:x:y"), Err(ErrorKind::SchemeNid));
    /// assert_eq!(kind("unknown:///"), Ok(()));
    /// ```
    pub fn check_scheme(&self) -> Result<(), Error> {
        let Some(row) = row(self.scheme().as_bytes()) else {
            return Ok(());
        };
        let has = |rule| row.rules & rule != 0;
        let parts = &self.parts;
        let fail = |kind, at: u32| Err(Error::new(kind, at as usize));
        if self.has_authority() {
            if has(NO_AUTHORITY) {
                return fail(ErrorKind::SchemeNoAuthority, parts.hier_start);
            }
            if has(NO_USERINFO) && self.userinfo().is_some() {
                return fail(ErrorKind::SchemeUserinfo, parts.hier_start + 2);
            }
            if has(HOST) && parts.host_start == parts.host_end {
                return fail(ErrorKind::SchemeHost, parts.host_start);
            }
            if has(DOMAIN) && self.digits_without_address() {
                return fail(ErrorKind::SchemeHostIpv4, parts.host_start);
            }
            if let Some(port) = self.port() {
                if has(NO_PORT) {
                    return fail(ErrorKind::SchemeNoPort, parts.host_end);
                }
                // Unknown schemes are not checked, since the grammar sets no limit (RFC 3986 §3.2.3).
                if port_number(port).is_none() {
                    return fail(ErrorKind::SchemePort, parts.host_end + 1);
                }
            }
        } else if has(AUTHORITY) {
            return fail(ErrorKind::SchemeAuthority, parts.hier_start);
        }
        check_body(row.body, self)?;
        if has(NO_QUERY) && self.query().is_some() {
            return fail(ErrorKind::SchemeQuery, parts.path_end);
        }
        if has(NO_FRAGMENT) && self.fragment().is_some() {
            return fail(ErrorKind::SchemeFragment, parts.query_end);
        }
        Ok(())
    }

    /// Returns `true` for a host whose last label is a number, in decimal or hexadecimal digits, but which is not an IPv4
    /// address, as it must be (RFC 3986 §7.4; URL standard, "ends in a number"): resolvers read `127.1` and `2130706433` as
    /// addresses.
    fn digits_without_address(&self) -> bool {
        let Some(name) = self.host() else {
            return false;
        };
        if self.host_kind() != Some(HostKind::RegName) {
            return false;
        }
        let mapped = host::host_to_ascii(name).or_else(|_| host::as_browser(name).map(Cow::Owned));
        let Ok(mapped) = mapped else {
            return false;
        };
        let last = mapped.strip_suffix('.').unwrap_or(&mapped).rsplit('.').next();
        last.is_some_and(|last| !last.is_empty() && is_number(last.as_bytes()))
            && ip::ipv4(mapped.strip_suffix('.').unwrap_or(&mapped).as_bytes()).is_none()
    }
}

/// Returns the number of a port, without leading zeros: `080` is 80. `None` above 65535; 0 if it is empty.
pub(crate) fn port_number(digits: &str) -> Option<u16> {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { Some(0) } else { digits.parse().ok() }
}

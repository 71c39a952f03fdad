//! What schemes ask of their IRIs beyond the grammar: a table, one line a rule.
//!
//! In comes a parsed IRI, out comes the first rule that it breaks. A rule that is broken leaves the
//! IRI valid by RFC 3987; it cannot be used with its scheme. Characters beyond ASCII count as the
//! triplets that they map to. The table holds what a scheme's own document says; schemes that are
//! not in it have no rules.

mod body;
mod mailto;

use super::components::{HostKind, Iri, IriRef};
use super::error::{Error, ErrorKind};
use super::{host, ip};

#[cfg(feature = "markup")]
pub(crate) use mailto::domain as mail_domain;
pub(super) use mailto::push_mapped as push_mailto;

/// An authority must be there.
const AUTHORITY: u16 = 1;
/// An authority must not be there.
const NO_AUTHORITY: u16 = 2;
/// The host must not be empty.
const HOST: u16 = 4;
/// The host is a domain name or an address, so that IDNA and IPv4 are for it.
const DOMAIN: u16 = 8;
/// No userinfo.
const NO_USERINFO: u16 = 16;
/// No port.
const NO_PORT: u16 = 32;
/// No fragment.
const NO_FRAGMENT: u16 = 64;
/// No query.
const NO_QUERY: u16 = 128;
/// An empty path is `/`.
const ROOT: u16 = 256;
/// The host `localhost` is the empty one.
const LOCALHOST: u16 = 512;
/// What servers on the Internet have in common (RFC 3986 §3.2).
const SERVER: u16 = AUTHORITY | HOST | DOMAIN;

/// How the part behind the colon is checked; the answer is the place in the text, and what is wrong.
type Body = fn(&IriRef<'_>) -> Result<(), Error>;

struct Rule {
    scheme: &'static str,
    /// The document, for readers of this table.
    #[allow(dead_code, reason = "documentation that stands beside the rule")]
    section: &'static str,
    flags: u16,
    /// The port that need not be written; 0 if there is none.
    port: u16,
    body: Body,
}

const fn rule(
    scheme: &'static str,
    section: &'static str,
    flags: u16,
    port: u16,
    body: Body,
) -> Rule {
    Rule { scheme, section, flags, port, body }
}

/// Sorted by scheme.
#[rustfmt::skip]
const RULES: [Rule; 48] = [
    rule("acct",   "RFC 7565 §7",      NO_AUTHORITY | NO_QUERY | NO_FRAGMENT, 0, body::addr_spec),
    rule("cid",    "RFC 2392 §2",      NO_AUTHORITY | NO_QUERY, 0, body::addr_spec),
    rule("coap",   "RFC 7252 §6.1",    SERVER | NO_USERINFO | NO_FRAGMENT | ROOT, 5683, body::any),
    rule("coaps",  "RFC 7252 §6.2",    SERVER | NO_USERINFO | NO_FRAGMENT | ROOT, 5684, body::any),
    rule("data",   "RFC 2397 §3",      NO_AUTHORITY, 0, body::data),
    rule("dict",   "RFC 2229 §5",      SERVER | ROOT, 2628, body::any),
    rule("dns",    "RFC 4501 §3",      0, 0, body::any),
    rule("doi",    "ISO 26324 §4",     NO_AUTHORITY, 0, body::doi),
    rule("file",   "RFC 8089 §2",      DOMAIN | NO_USERINFO | NO_PORT | LOCALHOST, 0, body::rooted),
    rule("ftp",    "RFC 1738 §3.2",    SERVER | ROOT, 21, body::any),
    rule("geo",    "RFC 5870 §3.3",    NO_AUTHORITY | NO_QUERY, 0, body::geo),
    rule("git",    "git-clone(1)",     SERVER, 9418, body::any),
    rule("gopher", "RFC 4266 §2.1",    SERVER | ROOT, 70, body::any),
    rule("http",   "RFC 9110 §4.2.1",  SERVER | ROOT, 80, body::any),
    rule("https",  "RFC 9110 §4.2.2",  SERVER | ROOT, 443, body::any),
    rule("imap",   "RFC 5092 §11",     SERVER, 143, body::any),
    rule("info",   "RFC 4452 §3",      NO_AUTHORITY, 0, body::info),
    rule("ipp",    "RFC 3510 §4.3",    SERVER, 631, body::any),
    rule("irc",    "draft-butcher-irc-url-04 §2.1", SERVER, 6667, body::any),
    rule("ircs",   "draft-butcher-irc-url-04 §2.1", SERVER, 6697, body::any),
    rule("ldap",   "RFC 4516 §2",      AUTHORITY | DOMAIN | NO_USERINFO, 389, body::ldap),
    rule("ldaps",  "RFC 4516 §2",      AUTHORITY | DOMAIN | NO_USERINFO, 636, body::ldap),
    rule("magnet", "BEP 9",            NO_AUTHORITY, 0, body::magnet),
    rule("mailto", "RFC 6068 §2",      NO_AUTHORITY, 0, mailto::check),
    rule("mid",    "RFC 2392 §2",      NO_AUTHORITY | NO_QUERY, 0, body::addr_spec),
    rule("news",   "RFC 5538 §3",      DOMAIN, 119, body::news),
    rule("nfs",    "RFC 2224 §2",      SERVER, 2049, body::any),
    rule("ni",     "RFC 6920 §3",      AUTHORITY | DOMAIN | NO_FRAGMENT, 0, body::ni),
    rule("nntp",   "RFC 5538 §4",      SERVER, 119, body::any),
    rule("pop",    "RFC 2384 §4",      SERVER, 110, body::any),
    rule("rsync",  "RFC 5781 §2",      SERVER, 873, body::any),
    rule("rtsp",   "RFC 7826 §4.2",    SERVER, 554, body::any),
    rule("rtsps",  "RFC 7826 §4.2",    SERVER, 322, body::any),
    rule("sftp",   "draft-ietf-secsh-scp-sftp-ssh-uri-04 §3", SERVER, 22, body::any),
    rule("sip",    "RFC 3261 §25.1",   NO_AUTHORITY | NO_FRAGMENT, 0, body::sip),
    rule("sips",   "RFC 3261 §25.1",   NO_AUTHORITY | NO_FRAGMENT, 0, body::sip),
    rule("sms",    "RFC 5724 §2.2",    NO_AUTHORITY | NO_FRAGMENT, 0, body::sms),
    rule("snmp",   "RFC 4088 §2",      SERVER, 161, body::any),
    rule("ssh",    "draft-ietf-secsh-scp-sftp-ssh-uri-04 §3", SERVER, 22, body::any),
    rule("svn",    "svn(1)",           SERVER, 3690, body::any),
    rule("tag",    "RFC 4151 §2.1",    NO_AUTHORITY, 0, body::tag),
    rule("tel",    "RFC 3966 §3",      NO_AUTHORITY | NO_QUERY, 0, body::tel),
    rule("telnet", "RFC 4248 §2",      SERVER | ROOT, 23, body::any),
    rule("tftp",   "RFC 3617 §3",      SERVER, 69, body::any),
    rule("urn",    "RFC 8141 §2",      NO_AUTHORITY, 0, body::urn),
    rule("ws",     "RFC 6455 §3",      SERVER | NO_USERINFO | NO_FRAGMENT | ROOT, 80, body::any),
    rule("wss",    "RFC 6455 §3",      SERVER | NO_USERINFO | NO_FRAGMENT | ROOT, 443, body::any),
    rule("xmpp",   "RFC 5122 §2.2",    0, 0, body::xmpp),
];

/// The longest scheme in the table; what is longer is not in it.
const LONGEST: usize = 6;

/// A scheme as a number, lower case, so that a look-up compares numbers; 0 if it is too long.
const fn key(scheme: &[u8]) -> u64 {
    if scheme.len() > LONGEST {
        return 0;
    }
    let mut key = 0;
    let mut i = 0;
    while i < LONGEST {
        let b = if i < scheme.len() { scheme[i].to_ascii_lowercase() } else { 0 };
        key = key << 8 | b as u64;
        i += 1;
    }
    key
}

static TABLE: [Rule; RULES.len()] = RULES;

/// The keys of the rules, in the same order.
static KEYS: [u64; RULES.len()] = {
    let mut keys = [0; RULES.len()];
    let mut i = 0;
    while i < keys.len() {
        keys[i] = key(RULES[i].scheme.as_bytes());
        i += 1;
    }
    keys
};

fn find(scheme: &str) -> Option<&'static Rule> {
    TABLE.get(KEYS.binary_search(&key(scheme.as_bytes())).ok()?)
}

/// What normalisation and mapping need to know of a scheme.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Profile {
    flags: u16,
    /// The port that need not be written; 0 if there is none.
    pub(crate) default_port: u16,
}

impl Profile {
    /// The host is a domain name (RFC 3987 §3.1: ToASCII is for these).
    pub(crate) fn domain(self) -> bool {
        self.flags & DOMAIN != 0
    }

    /// An empty path is the same as `/` (RFC 3986 §6.2.3).
    pub(crate) fn root(self) -> bool {
        self.flags & ROOT != 0
    }

    /// The host `localhost` is the same as none (RFC 3986 §6.2.3, RFC 8089 §2).
    pub(crate) fn localhost(self) -> bool {
        self.flags & LOCALHOST != 0
    }
}

/// The profile of a scheme, in any case; an empty one if the table does not have it.
pub(crate) fn profile(scheme: &str) -> Profile {
    find(scheme)
        .map_or(Profile::default(), |rule| Profile { flags: rule.flags, default_port: rule.port })
}

impl Iri<'_> {
    /// Whether the scheme's own rules accept the IRI (RFC 3987 §3.1, "syntactical").
    ///
    /// # Errors
    ///
    /// The first rule that is broken: a `Scheme…` of [`ErrorKind`].
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
        let Some(rule) = find(self.scheme()) else {
            return Ok(());
        };
        let has = |flag| rule.flags & flag != 0;
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
                // Not for unknown schemes: the grammar sets no bound (RFC 3986 §3.2.3).
                if port_number(port).is_none() {
                    return fail(ErrorKind::SchemePort, parts.host_end + 1);
                }
            }
        } else if has(AUTHORITY) {
            return fail(ErrorKind::SchemeAuthority, parts.hier_start);
        }
        (rule.body)(self)?;
        if has(NO_QUERY) && self.query().is_some() {
            return fail(ErrorKind::SchemeQuery, parts.path_end);
        }
        if has(NO_FRAGMENT) && self.fragment().is_some() {
            return fail(ErrorKind::SchemeFragment, parts.query_end);
        }
        Ok(())
    }

    /// A host whose last label is all digits must be an IPv4 address (RFC 3986 §7.4): resolvers
    /// read `127.1` and `2130706433` as one.
    fn digits_without_address(&self) -> bool {
        let Some(name) = self.host() else {
            return false;
        };
        if self.host_kind() != Some(HostKind::RegName) {
            return false;
        }
        let Ok(mapped) = host::host_to_ascii(name) else {
            return false;
        };
        let last = mapped.strip_suffix('.').unwrap_or(&mapped).rsplit('.').next();
        last.is_some_and(|l| !l.is_empty() && l.bytes().all(|b| b.is_ascii_digit()))
            && ip::ipv4(mapped.strip_suffix('.').unwrap_or(&mapped).as_bytes()).is_none()
    }
}

/// A port's number, leading zeros not counting: `080` is 80. `None` above 65535; none is 0.
pub(crate) fn port_number(digits: &str) -> Option<u16> {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { Some(0) } else { digits.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(RULES.windows(2).all(|pair| pair[0].scheme < pair[1].scheme));
        assert!(KEYS.is_sorted() && KEYS[0] != 0);
        assert_eq!(RULES.iter().map(|rule| rule.scheme.len()).max(), Some(LONGEST));
        assert!(
            RULES
                .iter()
                .all(|rule| rule.section.contains(['§', '(']) || rule.section.starts_with("BEP"))
        );
    }
}

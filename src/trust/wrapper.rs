//! Links around links: gateways of mail, counters and archives that have the address of a page in their path or query.
//!
//! The input is the host and the URI of a link, and a site; the result is whether the link leads to that site. Only listed
//! services count, since anyone can put the name of a bank into a query. Of a service only the place counts in which it
//! has the address: the parameters with its names, or the path. Other parameters and the fragment are the sender's. A service
//! whose target is in a code is not listed, even if it has the domain beside the code (`?domain=example.com`): the domain is
//! a remark that anybody can change.

use super::domain::is_other_site;
use crate::iri::chars::{hex_value, triplet};
use crate::simd::base64::value;

/// A service: its domain, the beginning of the paths in which it wraps, empty for all, and where the address is.
struct Wrapper {
    /// With a hyphen in front, the first label of the host ends with it.
    domain: &'static str,
    path: &'static str,
    place: AddressPlace,
}

/// Place of the address in a link of a service.
#[derive(Clone, Copy)]
enum AddressPlace {
    /// Values of the parameters with these names. An empty name is the query itself.
    Query(&'static [&'static str]),
    /// The parameter `u` of Proofpoint's second version: `https-3A__example.com_path`.
    Dashed,
    /// Proofpoint's third version: `__https://example.com/*path__;Iw!!`, in which the base64 has the characters of `*`.
    Starred,
    /// Between `___` and `___.`, as Check Point has it.
    Underscored,
    /// The rest of the path, after at most this many segments.
    Path(usize),
    /// Segments of the path that begin with this.
    Segment(&'static str),
}

use AddressPlace::{Dashed, Path, Query, Segment, Starred, Underscored};

const fn wraps(domain: &'static str, path: &'static str, place: AddressPlace) -> Wrapper {
    Wrapper { domain, path, place }
}

#[rustfmt::skip]
static WRAPPERS: [Wrapper; 49] = [
    // Gateways of mail.
    wraps("safelinks.protection.outlook.com", "", Query(&["url"])),
    wraps("safelinks.protection.office365.us", "", Query(&["url"])),
    wraps("statics.teams.cdn.office.net", "/evergreen-assets/safelinks/", Query(&["url"])),
    wraps("urldefense.proofpoint.com", "/v1/url", Query(&["u"])),
    wraps("urldefense.proofpoint.com", "/v2/url", Dashed),
    wraps("urldefense.com", "/v2/url", Dashed),
    wraps("urldefense.us", "/v2/url", Dashed),
    wraps("urldefense.com", "/v3/__", Starred),
    wraps("urldefense.us", "/v3/__", Starred),
    wraps("linkprotect.cudasvc.com", "/url", Query(&["a"])),
    wraps("secure-web.cisco.com", "/", Path(1)),
    wraps("protect.checkpoint.com", "/v2/", Underscored),
    wraps("url.avanan.click", "/v2/", Underscored),
    wraps("clicktime.symantec.com", "", Query(&["u"])),
    wraps("-ctp.trendmicro.com", "", Query(&["url"])),
    wraps("protection.sophos.com", "", Query(&["u"])),
    wraps("scanmail.trustwave.com", "", Query(&["u"])),
    wraps("linklock.titanhq.com", "", Query(&["url"])),
    wraps("link.edgepilot.com", "/s/", Query(&["u"])),
    wraps("antiphishing.vadesecure.com", "", Query(&["u"])),
    wraps("deref-gmx.net", "", Query(&["redirectUrl"])),
    wraps("deref-web.de", "", Query(&["redirectUrl"])),
    wraps("deref-web-02.de", "", Query(&["redirectUrl"])),
    wraps("deref-mail.com", "", Query(&["redirectUrl"])),
    // Counters, and pages that say where a link leads.
    wraps("google.com", "/url", Query(&["q", "url"])),
    wraps("google.com", "/amp/s/", Path(0)),
    wraps("facebook.com", "/l.php", Query(&["u"])),
    wraps("l.instagram.com", "", Query(&["u"])),
    wraps("youtube.com", "/redirect", Query(&["q"])),
    wraps("linkedin.com", "/redir/", Query(&["url"])),
    wraps("linkedin.com", "/safety/go", Query(&["url"])),
    wraps("slack-redir.net", "/link", Query(&["url"])),
    wraps("steamcommunity.com", "/linkfilter/", Query(&["u", "url", ""])),
    wraps("out.reddit.com", "", Query(&["url"])),
    wraps("duckduckgo.com", "/l/", Query(&["uddg"])),
    wraps("vk.com", "/away.php", Query(&["to"])),
    wraps("exit.sc", "", Query(&["url"])),
    wraps("href.li", "", Query(&[""])),
    wraps("r.search.yahoo.com", "/", Segment("RU=")),
    // Archives and translations.
    wraps("archive.org", "/web/", Path(1)),
    wraps("archive.today", "/", Path(2)),
    wraps("archive.ph", "/", Path(2)),
    wraps("archive.is", "/", Path(2)),
    wraps("archive.li", "/", Path(2)),
    wraps("archive.fo", "/", Path(2)),
    wraps("archive.md", "/", Path(2)),
    wraps("archive.vn", "/", Path(2)),
    wraps("translate.google.com", "/translate", Query(&["u"])),
    wraps("translate.google.com", "/website", Query(&["u"])),
];

/// Maximum number of times that the address inside may be percent-encoded.
const MAX_ENCODED: usize = 3;

/// Maximum number of services in each other: a gateway around the link of a counter.
const MAX_WRAPPED: usize = 3;

impl Wrapper {
    /// Returns what follows the beginning of the path, if the link is one of the service.
    fn rest<'u>(&self, host: &str, path: &'u str) -> Option<&'u str> {
        let front = host.len().checked_sub(self.domain.len())?;
        let is_name = host.get(front..)?.eq_ignore_ascii_case(self.domain);
        let is_whole = front == 0
            || self.domain.starts_with('-')
            || host.as_bytes().get(front - 1) == Some(&b'.');
        let rest = path.strip_prefix(self.path).filter(|_| is_name && is_whole)?;
        let is_open = self.path.ends_with(|c: char| c.is_ascii_alphanumeric());
        (!is_open || rest.is_empty() || rest.starts_with(['/', '?', '#'])).then_some(rest)
    }
}

/// Returns `true` if the link with this host and URI is one of a listed service that leads to a site, which the host
/// `site` belongs to, and to no other one.
pub(crate) fn leads_to(site: &str, host: &str, uri: &str) -> bool {
    leads(site, host, uri, MAX_WRAPPED)
}

fn leads(site: &str, host: &str, uri: &str, depth: usize) -> bool {
    let Some((_, rest)) = uri.split_once("://") else { return false };
    let Some(at) = rest.find(['/', '?', '#']) else { return false };
    WRAPPERS.iter().any(|one| {
        one.rest(host, &rest[at..]).is_some_and(|rest| {
            let addresses = one.place.addresses(rest);
            !addresses.is_empty() && addresses.iter().all(|one| is_of_site(one, site, depth - 1))
        })
    })
}

/// Returns `true` if an address is one of a site, or of a service that leads to it.
fn is_of_site(address: &str, site: &str, depth: usize) -> bool {
    let Some(host) = host_of(address) else { return false };
    !is_other_site(site, &host) || depth > 0 && leads(site, &host, address, depth)
}

impl AddressPlace {
    /// Returns what a service takes for the address, of the rest of a path with the query and the fragment.
    fn addresses(self, rest: &str) -> Vec<String> {
        match self {
            Query(names) => values(rest, names).map(of_value).collect(),
            Dashed => values(rest, &["u"]).map(undashed).collect(),
            Starred => unstarred(rest).into_iter().collect(),
            Underscored => between_underscores(rest).map(decoded).into_iter().collect(),
            Path(most) => after_segments(rest, most).into_iter().collect(),
            Segment(front) => {
                let path = rest.split(['?', '#']).next().unwrap_or_default();
                path.split('/').filter_map(|one| one.strip_prefix(front)).map(decoded).collect()
            }
        }
    }
}

/// Returns the values of the parameters with these names. An empty name is the query itself, if it does not begin with one
/// of the others.
fn values<'r>(rest: &'r str, names: &'static [&'static str]) -> impl Iterator<Item = &'r str> {
    let address = rest.split('#').next().unwrap_or_default();
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let has_name = move |name: &str| {
        // PHP reads `+` as a blank, and leaves out blanks before a name and what follows a NUL.
        let name = unescaped(&name.replace('+', " "));
        let name = name.split('\0').next().unwrap_or_default().trim();
        !name.is_empty() && names.iter().any(|one| one.eq_ignore_ascii_case(name))
    };
    let named = query.split('&').filter_map(move |pair| {
        let (name, value) = pair.split_once('=')?;
        has_name(name).then_some(value)
    });
    let is_itself = names.contains(&"") && host_of(query).is_some();
    named.chain(is_itself.then_some(query))
}

/// Returns the host of an address, in lower case: of a URL of the web, with any number of slashes, or of a name that a path
/// may follow. `None` for anything else.
fn host_of(address: &str) -> Option<String> {
    let address = address.trim().to_ascii_lowercase();
    let url = ["https:", "http:"].iter().find_map(|scheme| address.strip_prefix(scheme));
    let rest = url.unwrap_or(&address).trim_start_matches(['/', '\\']);
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    // A triplet may be one of these, and end the authority before the last `@`.
    if authority.contains('%') {
        return None;
    }
    let host = match url {
        Some(_) => authority.rsplit('@').next()?.split(':').next()?,
        None => authority,
    };
    let is_host = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.');
    (host.contains('.') && host.chars().all(is_host)).then(|| host.to_owned())
}

/// Returns the address that a value of a parameter is: percent-encoded, or in base64.
fn of_value(value: &str) -> String {
    let text = decoded(value);
    match host_of(&text) {
        Some(_) => text,
        None => String::from_utf8_lossy(&of_base64(&text)).into_owned(),
    }
}

/// Returns a text that may be percent-encoded several times: decoded until it is an address.
fn decoded(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MAX_ENCODED {
        if host_of(&text).is_some() {
            break;
        }
        text = unescaped(&text);
    }
    text
}

/// Returns a text with its triplets resolved once.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let octet = if byte == b'%' { triplet(bytes, at) } else { None };
        out.push(octet.unwrap_or(byte));
        at += if octet.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the bytes of base64, up to the first byte that is not a digit.
fn of_base64(text: &str) -> Vec<u8> {
    let (mut out, mut bits, mut len) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().map_while(digit) {
        bits = bits << 6 | u32::from(digit);
        len += 6;
        if len >= 8 {
            len -= 8;
            out.push((bits >> len) as u8);
        }
    }
    out
}

/// Returns the value of a digit of base64 in either alphabet (RFC 4648 §4 and §5).
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'-' => value(b'+'),
        b'_' => value(b'/'),
        byte => value(byte),
    }
}

/// Returns a text of Proofpoint's second version as it was: `-3A` is a colon, `_` a slash.
fn undashed(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex = |place: usize| bytes.get(place).copied().and_then(hex_value);
        match (byte, hex(at + 1), hex(at + 2)) {
            (b'-', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 3;
                continue;
            }
            (b'_', ..) => out.push(b'/'),
            _ => out.push(byte),
        }
        at += 1;
    }
    unescaped(&String::from_utf8_lossy(&out))
}

/// Returns the address of Proofpoint's third version, with the characters that are kept behind it: each `*` stands for one,
/// `**A` for two, `**B` for three, and so on.
fn unstarred(rest: &str) -> Option<String> {
    let (address, kept) = rest.split_once("__;")?;
    let kept = of_base64(kept.split('!').next()?);
    let kept = String::from_utf8_lossy(&kept);
    let (mut kept, mut out) = (kept.chars(), String::with_capacity(address.len()));
    let mut chars = address.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '*' {
            out.push(c);
            continue;
        }
        let run = chars.next_if_eq(&'*').and_then(|_| chars.next());
        let count = match run {
            Some(run) => u8::try_from(run).ok().and_then(digit).map(|digit| digit + 2),
            None => Some(1),
        };
        out.extend(kept.by_ref().take(count.unwrap_or_default().into()));
    }
    Some(unescaped(&out))
}

/// Returns the text between `___` and `___.`, if both occur once.
fn between_underscores(rest: &str) -> Option<&str> {
    let (_, address) = rest.split_once("___")?;
    let (address, after) = address.split_once("___")?;
    (!after.contains("___")).then_some(address)
}

/// Returns the rest of a path from the first segment that is an address, after at most `most` others.
fn after_segments(path: &str, most: usize) -> Option<String> {
    let mut rest = path;
    for _ in 0..=most {
        let address = decoded(rest);
        if host_of(&address).is_some() {
            return Some(address);
        }
        let end = rest.find(['/', '?', '#'])?;
        rest = rest[end..].strip_prefix('/')?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads_to_bank(uri: &str) -> bool {
        let rest = uri.split_once("://").unwrap().1;
        leads_to("bank.com", rest.split(['/', '?', ':']).next().unwrap(), uri)
    }

    #[test]
    fn the_page_inside_a_listed_service() {
        for uri in [
            "https://urldefense.com/v3/__https://bank.com/login__;!!x",
            "https://urldefense.com/v3/__https://bank.com*login__;Iw!!x$",
            "https://urldefense.com/v3/__https:**Abank.com/a*b__;Ly8j!!x$",
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__bank.com_login&d=x",
            "https://urldefense.proofpoint.com/v1/url?u=https%3A//bank.com/&k=x",
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.bank.com%2Fx&data=y",
            "https://www.google.com/url?q=https://bank.com/&sa=D",
            "https://www.google.com/url?q=https://bank.com/&x=https://other.com/",
            "https://www.google.com/amp/s/www.bank.com/x",
            "https://web.archive.org/web/2020/http://bank.com:80/",
            "https://web.archive.org/web/2020/bank.com/?ref=https://other.com/",
            "https://web.archive.org/web/https://bank.com/",
            "https://archive.ph/o/abc/https://bank.com/",
            "https://secure-web.cisco.com/1abC-x/https%3A%2F%2Fbank.com%2Fx",
            "https://l.facebook.com/l.php?u=https%253A%252F%252Fbank.com%252F",
            "https://slack-redir.net/link?url=http%3A%2F%2FBANK.com",
            "https://href.li/?https://bank.com/?a=b&c=d",
            "https://steamcommunity.com/linkfilter/?https://bank.com/",
            "https://eu-central-1.protection.sophos.com?d=bank.com&u=aHR0cHM6Ly93d3cuYmFuay5jb20v&i=x",
            "https://url.avanan.click/v2/___https://bank.com/x___.YXA",
            "https://url.avanan.click/v2/r01/___https://bank.com/x___.YXA",
            "https://imsva91-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=https%3a%2f%2fbank.com",
            "https://scanmail.trustwave.com/?c=1&d=2&u=https%3a%2f%2fbank%2ecom%2f",
            "https://deref-gmx.net/mail/client/x/dereferrer/?redirectUrl=https%3A%2F%2Fbank.com",
            "https://r.search.yahoo.com/_ylt=a/RU=https%3a%2f%2fbank.com%2f/RK=2/RS=x-",
            // A gateway around a gateway.
            "https://x.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2Fbank.com%2F__%3B!!x&data=y",
        ] {
            assert!(leads_to_bank(uri), "{uri}");
        }
    }

    #[test]
    fn other_links_have_no_page_inside() {
        for uri in [
            "https://evil.test/?url=https://bank.com/",
            "https://google.com.evil.test/url?q=https://bank.com/",
            "https://www.google.com/search?q=https://bank.com/",
            "https://www.google.com/urls?q=https://bank.com/",
            "https://notarchive.org/web/http://bank.com/",
            "https://urldefense.com/",
            "https://urldefense.com/v3/abc",
            "https://www.google.com/url?q=https://%%%/",
            "https://www.google.com/url",
            "https://archive.org/download/evil/x.html?https://bank.com/",
            "https://www.reddit.com/r/x/?https://bank.com/",
            "https://www.instagram.com/evil/?https://bank.com/",
            "https://www.mimecast.com/blog/?domain=bank.com",
            // The target is in a code, and the domain is a remark that anybody can change.
            "https://protect-us.mimecast.com/s/abcDEF?domain=bank.com",
            "https://shared.outlook.inky.com/link?domain=bank.com&t=h.abc",
            "https://eu-central-1.protection.sophos.com?d=bank.com&i=x",
        ] {
            assert!(!leads_to_bank(uri), "{uri}");
        }
    }

    /// The address of another site that a service leads to, beside one of the bank that it ignores.
    #[test]
    fn decoys_do_not_count() {
        for uri in [
            "https://www.google.com/url?q=http://evil.test/&x=https://bank.com/",
            "https://www.google.com/url?x=https://bank.com/&q=https://evil.test/",
            "https://www.google.com/url?q=https%3A%2F%2Fevil.test%2F&x=https://bank.com/",
            "https://www.google.com/url?q=http://evil.test/#https://bank.com/",
            "https://www.google.com/url?q=https://bank.com/&q=https://evil.test/",
            "https://www.google.com/url?url=https://bank.com/&q=https://evil.test/",
            "https://www.google.com/url?q=https://bank.com_.evil.test/",
            "https://www.google.com/url?q=https://bank.com@evil.test/",
            "https://www.google.com/url?q=https:evil.test&x=https://bank.com/",
            "https://www.google.com/url?q=//evil.test/https://bank.com/",
            "https://www.google.com/url?q=evil.test&x=https://bank.com/",
            "https://www.google.com/url?q=opaque&url=https://bank.com/",
            "https://www.google.com/amp/s/evil.test/https://bank.com/",
            "https://x.safelinks.protection.outlook.com/?data=https%3A%2F%2Fbank.com%2F&url=https%3A%2F%2Fevil.test%2F",
            "https://l.facebook.com/l.php?h=https://bank.com/&u=https://evil.test/",
            "https://www.youtube.com/redirect?event=https://bank.com/&q=https://evil.test/",
            "https://vk.com/away.php?x=https://bank.com/&to=https://evil.test/",
            "https://steamcommunity.com/linkfilter/?x=https://bank.com/&url=https://evil.test/",
            "https://slack-redir.net/link?v=https://bank.com/&url=https://evil.test/",
            "https://duckduckgo.com/l/?rut=https://bank.com/&uddg=https://evil.test/",
            "https://www.linkedin.com/redir/redirect?urlhash=https://bank.com/&url=https://evil.test/",
            "https://urldefense.proofpoint.com/v2/url?d=https://bank.com/&u=http-3A__evil.test_",
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__bank.com-40evil.test_",
            "https://urldefense.com/v3/__https://bank.com*evil.test/__;QA!!x$",
            "https://urldefense.com/v3/__http://evil.test/?https://bank.com/__;!!x$",
            "https://url.avanan.click/v2/___https://bank.com___.evil.test/___.YXA",
            "https://web.archive.org/web/2020/http://evil.test/?https://bank.com/",
            "https://web.archive.org/web/2020/http://evil.test/https://bank.com/",
            "https://archive.org/web/?https://bank.com/",
            "https://protection.sophos.com/?d=bank.com&u=aHR0cHM6Ly9ldmlsLnRlc3Qv",
            "https://r.search.yahoo.com/x=https://bank.com/RU=https%3a%2f%2fevil.test%2f/RK=2",
            "https://href.li/?http://evil.test/&https://bank.com/",
            "https://www.google.com/url?q=https://evil.test%2F@bank.com/",
            "https://www.google.com/url?q=https://evil.test%3F@bank.com/",
            "https://www.google.com/url?q=https://evil.test%23@bank.com/",
            "https://www.google.com/url?q=https://evil.test%5C@bank.com/",
            "https://www.google.com/url?q=https:%2F%2Fevil.test%2F@bank.com/",
            "https://www.google.com/url?q=https://evil.test%252F@bank.com/",
            "https://archive.ph/https://evil.test%2F@bank.com/",
            "https://www.facebook.com/l.php?u=https://bank.com/&+u=https://evil.test/",
            "https://www.facebook.com/l.php?u=https://bank.com/&%20u=https://evil.test/",
            "https://www.facebook.com/l.php?u=https://bank.com/&u%00x=https://evil.test/",
        ] {
            assert!(!leads_to_bank(uri), "{uri}");
        }
    }
}

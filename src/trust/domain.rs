//! Registrable domains without a list of public suffixes, and names of sites nested before them.

use std::ops::Range;

/// Second-level labels that are not registered by anyone below a country's top-level domain.
const SECOND: [&str; 22] = [
    "ac", "art", "co", "com", "edu", "firm", "gen", "go", "gob", "gouv", "gov", "gv", "ind",
    "info", "ltd", "mil", "ne", "net", "nom", "or", "org", "plc",
];

/// Provinces below `.ca`, which are not registered by anyone either.
const PROVINCES: [&str; 15] =
    ["ab", "bc", "gc", "mb", "nb", "nf", "nl", "ns", "nt", "nu", "on", "pe", "qc", "sk", "yk"];

/// Domains below which anyone gets a name of their own, with its pages: each such name is a site. An own list of services
/// that many use, sorted.
#[rustfmt::skip]
const SHARED: [&str; 72] = [
    "000webhostapp.com", "altervista.org", "amplifyapp.com", "appspot.com", "azurestaticapps.net",
    "azurewebsites.net", "bitbucket.io", "blob.core.windows.net", "blogspot.co.uk", "blogspot.com", "blogspot.de",
    "blogspot.fr", "cloudfront.net", "co.com", "codeberg.page", "ddns.net", "de.com", "deno.dev", "duckdns.org",
    "dyndns.org", "eu.com", "eu.org", "firebaseapp.com", "fly.dev", "framer.app", "github.dev", "github.io",
    "gitlab.io", "glitch.me", "hatenablog.com", "herokuapp.com", "hopto.org", "hubspotpagebuilder.com",
    "jimdofree.com", "livejournal.com", "mybluehost.me", "myshopify.com", "netlify.app", "netlify.com",
    "ngrok-free.app", "ngrok.app", "ngrok.io", "no-ip.org", "notion.site", "onrender.com", "pages.dev",
    "pantheonsite.io", "r2.dev", "railway.app", "readthedocs.io", "replit.app", "replit.dev", "s3.amazonaws.com",
    "sourceforge.io", "sourceforge.net", "square.site", "squarespace.com", "surge.sh", "trycloudflare.com",
    "tumblr.com", "uk.com", "us.com", "vercel.app", "web.app", "webflow.io", "weebly.com", "weeblysite.com",
    "wixsite.com", "wordpress.com", "workers.dev", "yolasite.com", "zapto.org",
];

/// Labels that a reader mistakes for the end of a host.
const ENDINGS: [&str; 4] = ["com", "net", "org", "gov"];

/// Returns the part of a host that someone has registered, as far as this can be determined without the list of public
/// suffixes: two labels, or three if the top-level domain has two letters and the second label is one like `co`, `com` or
/// `ac`, or if the two are a domain where anyone gets a name (`github.io`). A host without a dot and an address are returned unchanged, a root dot is removed.
///
/// ```
/// use linksift::trust::registrable;
///
/// assert_eq!(registrable("www.example.com"), "example.com");
/// assert_eq!(registrable("www.example.co.uk."), "example.co.uk");
/// assert_eq!(registrable("www.example.github.io"), "example.github.io");
/// assert_eq!(registrable("127.0.0.1"), "127.0.0.1");
/// assert_eq!(registrable("localhost"), "localhost");
/// ```
#[must_use]
pub fn registrable(host: &str) -> &str {
    let name = host.strip_suffix('.').unwrap_or(host);
    let mut dots = memchr::memrchr_iter(b'.', name.as_bytes());
    let Some(last) = dots.next() else { return name };
    let tld = &name[last + 1..];
    if host.starts_with('[') || tld.bytes().all(|b| b.is_ascii_digit()) {
        return name;
    }
    let Some(second) = dots.next() else { return name };
    let label = &name[second + 1..last];
    let is_public = tld.len() == 2 && tld.is_ascii() && is_one_of(label, &SECOND)
        || tld.eq_ignore_ascii_case("ca") && is_one_of(label, &PROVINCES);
    let site = match (is_public, dots.next()) {
        (false, _) => &name[second + 1..],
        (true, Some(third)) => &name[third + 1..],
        (true, None) => name,
    };
    own_name(name).unwrap_or(site)
}

/// Returns the end of a host that is the name of someone on a shared domain; `None` if the host is not below one.
fn own_name(host: &str) -> Option<&str> {
    let mut dots = memchr::memrchr_iter(b'.', host.as_bytes()).skip(1).take(MOST_LABELS);
    dots.find(|dot| is_shared(&host[dot + 1..])).map(|dot| {
        let name = host[..dot].rfind('.').map_or(0, |dot| dot + 1);
        &host[name..]
    })
}

/// Number of labels of the longest of these domains, less one.
const MOST_LABELS: usize = 3;

/// Returns `true` for one of these domains, in upper or lower case.
fn is_shared(domain: &str) -> bool {
    let lower = || domain.bytes().map(|byte| byte.to_ascii_lowercase());
    SHARED.binary_search_by(|one| one.bytes().cmp(lower())).is_ok()
}

/// Returns `true` if two hosts belong to different sites: their registrable domains differ. A site of its own may stand where names of
/// others do: `www.gov.uk` is `gov.uk`.
pub(crate) fn is_other_site(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|host| registrable(without_www(host)));
    !one.eq_ignore_ascii_case(other)
}

/// Short domains of services, the path that their links begin with, and the domain of the pages to which all these links lead.
/// Shorteners that lead anywhere (`t.co`, `lnkd.in`) are not such domains.
const SHORT: [(&str, &str, &str); 9] = [
    ("youtu.be", "", "youtube.com"),
    ("maps.app.goo.gl", "", "google.com"),
    ("goo.gl", "/maps/", "google.com"),
    ("g.co", "", "google.com"),
    ("fb.com", "", "facebook.com"),
    ("wa.me", "", "whatsapp.com"),
    ("redd.it", "", "reddit.com"),
    ("flic.kr", "", "flickr.com"),
    ("discord.gg", "", "discord.com"),
];

/// Returns the domain of the pages that a link to a host leads to, if the host is a short one of a service; otherwise the host.
/// `link` is the link, from its scheme or its host on.
pub(crate) fn owner<'h>(host: &'h str, link: &str) -> &'h str {
    let rest = link.split_once("://").map_or(link, |(_, rest)| rest);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    let is_it = |(short, front, _): &&(&str, &str, &str)| {
        without_www(host).eq_ignore_ascii_case(short) && path.starts_with(front)
    };
    SHORT.iter().find(is_it).map_or(host, |(.., owner)| owner)
}

fn without_www(host: &str) -> &str {
    let (www, rest) = host.split_at_checked(4).unwrap_or_default();
    if www.eq_ignore_ascii_case("www.") { rest } else { host }
}

fn is_one_of(label: &str, list: &[&str]) -> bool {
    list.iter().any(|one| label.eq_ignore_ascii_case(one))
}

/// First labels that name a service of a host, and no site.
const SERVICES: [&str; 36] = [
    "api",
    "app",
    "apps",
    "assets",
    "beta",
    "blog",
    "cdn",
    "dev",
    "dns",
    "docs",
    "download",
    "downloads",
    "email",
    "files",
    "ftp",
    "imap",
    "img",
    "m",
    "mail",
    "media",
    "mobile",
    "mx",
    "news",
    "ns",
    "pop",
    "shop",
    "smtp",
    "staging",
    "static",
    "store",
    "test",
    "web",
    "webmail",
    "wiki",
    "ww",
    "www",
];

/// Domains below which networks serve the hosts of their customers, by complete names: `www.example.com.edgekey.net`.
const NETWORKS: [&str; 26] = [
    "akadns.net",
    "akamai.net",
    "akamaiedge.net",
    "akamaihd.net",
    "akamaized.net",
    "alikunlun.com",
    "azureedge.net",
    "azurefd.net",
    "b-cdn.net",
    "cdn20.com",
    "cdn77.org",
    "cdngc.net",
    "cloudflare.net",
    "cloudfront.net",
    "edgekey.net",
    "edgesuite.net",
    "fastly.net",
    "footprint.net",
    "hwcdn.net",
    "impervadns.net",
    "incapdns.net",
    "kunlunsl.com",
    "kxcdn.com",
    "llnwd.net",
    "trafficmanager.net",
    "wscdns.com",
];

/// Returns the range of a label that a reader mistakes for the end of a host: a `com` left of the registrable domain, or a
/// label that begins with `com-` (`net`, `org` and `gov` likewise), after a label that can be the name of a site.
///
/// The first label does not count, nor one after `www` and the like, since no name precedes it: `org.example.www.test`,
/// `shop.net-a-porter.com`. Nor do the hosts of a delivery network's customers, those that a university's proxy rewrites, and
/// a name that is the host's own domain.
#[inline]
pub(super) fn nested(host: &str) -> Option<Range<usize>> {
    let bytes = host.as_bytes();
    memchr::memchr_iter(b'.', bytes)
        .map(|dot| dot + 1)
        .find(|&start| {
            let Some(ending) = bytes.get(start..start + 3) else { return false };
            ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one.as_bytes()))
                && match bytes.get(start + 3) {
                    Some(b'-') => true,
                    Some(b'.') => start + 3 < host.len() - registrable_len(host),
                    _ => false,
                }
                && is_misleading(host, start)
                && !(ending.eq_ignore_ascii_case(b"net") && is_network(host, start))
        })
        .map(|start| start..start + 3)
}

/// Returns `true` if the ending at `start` follows the name of a site that a reader takes for that of the host.
#[inline(never)]
fn is_misleading(host: &str, start: usize) -> bool {
    let Some(front) = host.get(..start.saturating_sub(1)) else { return false };
    let is_service =
        |label: &str| is_one_of(label.trim_end_matches(|c: char| c.is_ascii_digit()), &SERVICES);
    if front.split('.').all(is_service) {
        return false;
    }
    let name = front.rfind('.').map_or(0, |dot| dot + 1);
    let is_own = |site: &str| site.eq_ignore_ascii_case(registrable(host));
    !host.get(name..start + 3).is_some_and(is_own) && !is_for_others(host)
}

/// Returns `true` if the `net` at `start` is a network of machines, and not the end of a name: in a university, or after numbered names, if
/// no `www` begins the host.
fn is_network(host: &str, start: usize) -> bool {
    let is_numbered = || host[..start].bytes().any(|byte| byte.is_ascii_digit());
    without_www(host).len() == host.len() && (is_academic(host) || is_numbered())
}

/// Returns `true` for a host of a university.
fn is_academic(host: &str) -> bool {
    host.split('.').rev().take(2).any(|label| is_one_of(label, &["ac", "edu"]))
}

/// Returns `true` for a host of a delivery network, or of a university's proxy, before which the complete name of the host
/// stands that it is for.
pub(super) fn is_for_others(host: &str) -> bool {
    let own = registrable(host);
    let mut inner = host.split('.').skip(1);
    is_one_of(own, &NETWORKS)
        || is_academic(host) && inner.any(|label| label.to_ascii_lowercase().ends_with("proxy"))
}

/// Returns `true` if the name of a site is [`nested`] in a host.
pub(crate) fn is_nested(host: &str) -> bool {
    nested(host).is_some()
}

/// Returns the length of the registrable domain in bytes, with the root dot.
fn registrable_len(host: &str) -> usize {
    registrable(host).len() + usize::from(host.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_domains_are_sorted_and_have_few_labels() {
        assert!(SHARED.is_sorted());
        let labels = SHARED.iter().map(|domain| domain.split('.').count());
        assert_eq!(labels.max(), Some(MOST_LABELS + 1));
    }

    #[test]
    fn registered() {
        for (host, domain) in [
            ("a.b.example.org", "example.org"),
            ("example.org", "example.org"),
            ("x.example.com.br", "example.com.br"),
            ("com.br", "com.br"),
            ("a.CO.UK", "a.CO.UK"),
            ("x.gov.SK.ca", "gov.SK.ca"),
            ("www.a.co.example", "co.example"),
            ("a.b.github.io", "b.github.io"),
            ("B.GitHub.io", "B.GitHub.io"),
            ("github.io", "github.io"),
            ("a.x.s3.amazonaws.com", "x.s3.amazonaws.com"),
            ("ec2.amazonaws.com", "amazonaws.com"),
            ("xgithub.io", "xgithub.io"),
            ("a.blogspot.co.uk", "a.blogspot.co.uk"),
            ("[::1]", "[::1]"),
            ("", ""),
            (".", ""),
        ] {
            assert_eq!(registrable(host), domain, "{host}");
        }
    }

    #[test]
    fn names_in_front_of_the_registered_one() {
        for host in [
            "www.bank.com.evil.test",
            "bank.COM.evil.co.uk",
            "bank.com-login.test",
            "bank.gov-id.b.test.",
            "a.org.b.test",
            "www.bank.net-swift.test",
            "bank.net.evil.test",
            "www.bank24.net.evil.test",
            "a.gov.on.example.com",
        ] {
            assert!(nested(host).is_some(), "{host}");
        }
        for host in [
            "www.bank.com.br",
            "com.example.a.test",
            "www.com-pany.com".trim_start_matches("www."),
            "org.test",
            "a.b.c.d.example.com",
            "a.comb.c.test",
            "a.example.net.",
            "my.com",
            "www.net-swift.com",
            "fcaa.gov.sk.ca",
        ] {
            assert_eq!(nested(host), None, "{host}");
        }
        for host in [
            "blog.net-a-porter.com",
            "www2.com-unity.de",
            "mail.com.example.org",
            "www.example.com.edgekey.net",
            "www.journal.com.ezproxy.uni.edu",
            "www.journal.org.libproxy.uni.ac.uk",
            "debian.net.pages.debian.net",
            "zeus.net.cmu.edu",
            "cpe-1-2.net.cable.example.com",
            "gw1.net.example.ch",
        ] {
            assert_eq!(nested(host), None, "{host}");
        }
        for host in
            ["bank.com.ezproxy.evil.test", "www.bank.com-id.test", "mail.bank.com.evil.test"]
        {
            assert!(nested(host).is_some(), "{host}");
        }
        assert_eq!(nested("www.bank.com.evil.test"), Some(9..12));
    }
}

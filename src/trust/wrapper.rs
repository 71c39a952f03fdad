//! Links around links: gateways of mail, counters and archives that have the address of a page in their path or query.
//!
//! The input is the host and the URI of a link, the result the host of the page that it is for. Only listed services count:
//! anyone can put the name of a bank into a query.

use crate::iri::chars::triplet;

/// A service: its domain, and the beginning of the paths in which it wraps, empty for all.
struct Wrapper {
    domain: &'static str,
    path: &'static str,
}

const fn wraps(domain: &'static str, path: &'static str) -> Wrapper {
    Wrapper { domain, path }
}

#[rustfmt::skip]
static WRAPPERS: [Wrapper; 36] = [
    // Gateways of mail.
    wraps("safelinks.protection.outlook.com", ""),
    wraps("safelinks.protection.office365.us", ""),
    wraps("statics.teams.cdn.office.net", "/evergreen-assets/safelinks"),
    wraps("urldefense.com", ""),
    wraps("urldefense.us", ""),
    wraps("urldefense.proofpoint.com", ""),
    wraps("linkprotect.cudasvc.com", "/url"),
    wraps("secure-web.cisco.com", ""),
    wraps("protect.checkpoint.com", ""),
    wraps("clicktime.symantec.com", ""),
    wraps("mimecastprotect.com", ""),
    wraps("mimecast.com", ""),
    wraps("url.emailprotection.link", ""),
    wraps("imsva91-ctp.trendmicro.com", ""),
    wraps("ddei5-0-ctp.trendmicro.com", ""),
    wraps("protection.sophos.com", ""),
    // Counters, and pages that say where a link leads.
    wraps("google.com", "/url"),
    wraps("google.com", "/amp/"),
    wraps("facebook.com", "/l.php"),
    wraps("instagram.com", ""),
    wraps("youtube.com", "/redirect"),
    wraps("linkedin.com", "/redir/"),
    wraps("linkedin.com", "/safety/go"),
    wraps("slack-redir.net", "/link"),
    wraps("steamcommunity.com", "/linkfilter/"),
    wraps("reddit.com", ""),
    wraps("duckduckgo.com", "/l/"),
    wraps("vk.com", "/away.php"),
    wraps("exit.sc", ""),
    wraps("href.li", ""),
    wraps("r.search.yahoo.com", ""),
    // Archives and translations.
    wraps("archive.org", ""),
    wraps("archive.today", ""),
    wraps("archive.ph", ""),
    wraps("webcache.googleusercontent.com", "/search"),
    wraps("translate.google.com", ""),
];

/// Maximum number of times that the address inside may be percent-encoded.
const MAX_ENCODED: usize = 3;

/// Returns the host of the page that a listed service leads to, in lower case; `None` for any other link, and for a service
/// whose links do not have it in plain form.
pub(crate) fn wrapped_host(host: &str, uri: &str) -> Option<String> {
    let rest = &uri[uri.find("://")? + 3..];
    let path = &rest[rest.find(['/', '?', '#'])?..];
    let is_below = |domain: &str| {
        let front = host.len().checked_sub(domain.len());
        front.is_some_and(|front| {
            host.get(front..).is_some_and(|end| end.eq_ignore_ascii_case(domain))
                && (front == 0 || host.as_bytes().get(front - 1) == Some(&b'.'))
        })
    };
    let wraps = |one: &Wrapper| is_below(one.domain) && path.starts_with(one.path);
    if WRAPPERS.iter().any(wraps) { inside(path) } else { None }
}

/// Returns the first host of a web address in a path or query, which may be percent-encoded, or encoded as Proofpoint does
/// (`https-3A__example.com_path`).
fn inside(path: &str) -> Option<String> {
    let mut text = path.to_owned();
    for _ in 0..MAX_ENCODED {
        if let Some(host) = first_host(&text) {
            return Some(host);
        }
        let decoded = String::from_utf8_lossy(&unescaped(text.as_bytes())).into_owned();
        if decoded == text {
            break;
        }
        text = decoded;
    }
    first_host(&text).or_else(|| first_host(&text.replace("-3A", ":").replace('_', "/")))
}

fn first_host(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let scheme = ["https://", "http://", "https:/", "http:/"];
    let start = scheme.iter().find_map(|scheme| Some(lower.find(scheme)? + scheme.len()))?;
    let rest = lower[start..].trim_start_matches('/');
    let authority = rest.split(['/', '?', '#', '&', '\\', '_', '"', '<', '>', ' ']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    (host.contains('.') && !host.contains('%')).then(|| host.to_owned())
}

/// Returns bytes with their triplets resolved once.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let octet = if byte == b'%' { triplet(bytes, at) } else { None };
        out.push(octet.unwrap_or(byte));
        at += if octet.is_some() { 3 } else { 1 };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(uri: &str) -> Option<String> {
        let rest = uri.split_once("://").unwrap().1;
        wrapped_host(rest.split(['/', '?']).next().unwrap(), uri)
    }

    #[test]
    fn the_page_inside_a_listed_service() {
        for (uri, host) in [
            ("https://urldefense.com/v3/__https://bank.example/login__;!!x", "bank.example"),
            (
                "https://urldefense.proofpoint.com/v2/url?u=https-3A__bank.example_login&d=x",
                "bank.example",
            ),
            (
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.bank.example%2Fx&data=y",
                "www.bank.example",
            ),
            ("https://www.google.com/url?q=https://bank.example/&sa=D", "bank.example"),
            ("https://web.archive.org/web/2020/http://bank.example:80/", "bank.example"),
            (
                "https://l.facebook.com/l.php?u=https%253A%252F%252Fbank.example%252F",
                "bank.example",
            ),
            ("https://slack-redir.net/link?url=http%3A%2F%2FBANK.example", "bank.example"),
        ] {
            assert_eq!(of(uri).as_deref(), Some(host), "{uri}");
        }
    }

    #[test]
    fn other_links_have_no_page_inside() {
        for uri in [
            "https://evil.test/?url=https://bank.example/",
            "https://google.com.evil.test/url?q=https://bank.example/",
            "https://www.google.com/search?q=https://bank.example/",
            "https://notarchive.org/web/http://bank.example/",
            "https://urldefense.com/",
            "https://urldefense.com/v3/abc",
            "https://www.google.com/url?q=https://%%%/",
        ] {
            assert_eq!(of(uri), None, "{uri}");
        }
    }
}

//! Detects a feed that a server declares as HTML (MIME Sniffing, §7.3).
//!
//! The input is the first bytes of the document. Comments, declarations and instructions precede the element that decides.

use super::format::{element, is_mark_cut, is_open_name, narrowed};
use crate::charset::CONTROLS_HEAD as HEAD;

/// Names of the elements that begin RSS and Atom.
const FEEDS: [&[u8]; 2] = [b"rss", b"feed"];

/// Namespaces that RSS 1.0 declares.
const OF_RSS_1: [&[u8]; 2] =
    [b"http://purl.org/rss/1.0/", b"http://www.w3.org/1999/02/22-rdf-syntax-ns#"];

/// Returns `true` if a document begins as a feed; `None` if the following bytes decide.
pub(super) fn begins_feed(head: &[u8]) -> Option<bool> {
    if is_mark_cut(head) {
        return None;
    }
    let is_all = head.len() >= HEAD;
    let head = narrowed(&head[..head.len().min(HEAD)]);
    let found = begins(&head);
    if is_all { Some(found == Some(true)) } else { found }
}

fn begins(head: &[u8]) -> Option<bool> {
    let mut rest = head.trim_ascii_start();
    while let Some(inside) = rest.strip_prefix(b"<") {
        let end: &[u8] = match inside {
            [b'!', b'-', b'-', ..] => b"-->",
            [b'!'] | [b'!', b'-'] => return None,
            [b'!', ..] => b">",
            [b'?', ..] => b"?>",
            _ => return begins_element(rest),
        };
        // A page has this type by right.
        if inside.get(1..13).is_some_and(|front| front.eq_ignore_ascii_case(b"doctype html")) {
            return Some(false);
        }
        let after = memchr::memmem::find(inside, end)? + end.len();
        rest = inside[after..].trim_ascii_start();
    }
    if rest.is_empty() { None } else { Some(false) }
}

/// Returns `true` if the bytes begin with the first element of a feed.
fn begins_element(bytes: &[u8]) -> Option<bool> {
    let names = || FEEDS.into_iter().chain([b"rdf:RDF".as_slice()]);
    match element(bytes) {
        Some(b"rdf:RDF") => {
            let has = |namespace: &&[u8]| memchr::memmem::find(bytes, namespace).is_some();
            OF_RSS_1.iter().all(has).then_some(true)
        }
        Some(name) => Some(FEEDS.contains(&name)),
        None if is_open_name(bytes) && names().any(|name| name.starts_with(&bytes[1..])) => None,
        // The name follows.
        None if bytes == b"<" => None,
        None => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings() {
        const RDF: &str = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>";
        for (text, is_feed) in [
            ("<rss version='2.0'>", Some(true)),
            (
                "\u{FEFF} \n<?xml version='1.0'?><!-- > --><?xml-stylesheet href='a'?>\n<feed xmlns='x'>",
                Some(true),
            ),
            ("<!DOCTYPE rss SYSTEM 'x'><rss>", Some(true)),
            (RDF, Some(true)),
            ("<?xml version='1.0'?><html>", Some(false)),
            ("<!DOCTYPE HTML><rss>", Some(false)),
            ("<RSS>", Some(false)),
            ("<feed-back>", Some(false)),
            ("<rssx>", Some(false)),
            ("<html><rss>", Some(false)),
            ("text <rss>", Some(false)),
            ("</rss>", Some(false)),
        ] {
            assert_eq!(begins_feed(text.as_bytes()), is_feed, "{text}");
            for cut in 0..text.len() {
                let found = begins_feed(&text.as_bytes()[..cut]);
                assert!(found.is_none() || found == is_feed, "{text} {cut}");
            }
        }
        let long = |text: &str| format!("{text}{}", " ".repeat(HEAD));
        for text in ["<!-- ", "<rdf:RDF xmlns='x'>", "<?xml ", " "] {
            assert_eq!(begins_feed(text.as_bytes()), None, "{text}");
            assert_eq!(begins_feed(long(text).as_bytes()), Some(false), "{text}");
        }
    }
}

//! Links in feeds: each that feed-rs gives must be among ours, on the XML files of a folder that it
//! takes for feeds.
//!
//! feed-rs resolves against the feed's base and serializes as a URL; ours are compared after the same
//! treatment of those it could not have taken as they stand.

use std::collections::BTreeSet;
use std::fs;

use feed_rs::model::{Feed, Link};
use linksift::peek::runs;
use linksift_peers::{files, folders};

/// Every link of a feed, with where it stands.
fn theirs(feed: &Feed) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let mut links = |place: &'static str, links: &[Link]| {
        found.extend(links.iter().map(|link| (place, link.href.clone())));
    };
    links("feed link", &feed.links);
    for entry in &feed.entries {
        links("entry link", &entry.links);
        if let Some(link) = entry.content.as_ref().and_then(|content| content.src.clone()) {
            links("content", &[link]);
        }
    }
    for image in [&feed.icon, &feed.logo].into_iter().flatten() {
        found.push(("image", image.uri.clone()));
        found.extend(image.link.iter().map(|link| ("image link", link.href.clone())));
    }
    for person in feed.authors.iter().chain(feed.entries.iter().flat_map(|entry| &entry.authors)) {
        found.extend(person.uri.clone().map(|uri| ("person", uri)));
    }
    found.extend(feed.generator.iter().filter_map(|g| g.uri.clone()).map(|uri| ("generator", uri)));
    for media in feed.entries.iter().flat_map(|entry| &entry.media) {
        for content in &media.content {
            found.extend(content.url.iter().map(|url| ("media", url.to_string())));
        }
        found.extend(media.thumbnails.iter().map(|t| ("thumbnail", t.image.uri.clone())));
    }
    found
}

/// What is the same for two spellings of one URL: white space, encoding (the bytes of a legacy
/// charset are no UTF-8 here, hence ASCII alone), the slash of an empty path, case of the host.
fn folded(url: &str) -> String {
    let bytes = url.as_bytes();
    let mut bare = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let triplet = url.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let byte = match triplet {
            Some(byte) if bytes[at] == b'%' => {
                at += 2;
                byte
            }
            _ => bytes[at],
        };
        at += 1;
        if byte.is_ascii_graphic() {
            bare.push(char::from(byte));
        }
    }
    if let Some((scheme, rest)) = bare.split_once("://") {
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        bare = format!("{}://{}{path}", scheme.to_lowercase(), host.to_lowercase());
    }
    bare.trim_end_matches('/').to_owned()
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut feeds, mut links, mut missing) = (0, 0, 0);
    for folder in folders() {
        for file in files(&folder, &["xml", "rss", "atom", "rdf"]) {
            let Ok(bytes) = fs::read(&file) else { continue };
            // It panics on declarations of a charset that come late.
            let parsed = std::panic::catch_unwind(|| feed_rs::parser::parse(&bytes[..]));
            let Ok(Ok(feed)) = parsed else { continue };
            feeds += 1;
            let found = runs("xml", &bytes, &[]);
            let ours: BTreeSet<String> = found.iter().map(|found| folded(&found.text)).collect();
            for (place, link) in theirs(&feed) {
                links += 1;
                let wanted = folded(&link);
                // Resolved by the peer against a base: ours is what stands in the document.
                let is_ours = ours.contains(&wanted)
                    || ours.iter().any(|one| {
                        one.len() > 1 && wanted.ends_with(one.trim_start_matches(['.', '/']))
                    });
                if !is_ours {
                    missing += 1;
                    println!("{}: {place}: {link:?}", file.display());
                }
            }
        }
    }
    println!("feeds: {feeds} feeds, {links} links; {missing} not among ours");
    std::process::exit(i32::from(missing > 0));
}

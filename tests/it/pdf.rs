//! PDF: what its reader finds, in files that are made here.

mod bad;
mod lines;
mod links;
mod options;
mod text;

use linksift::{Candidate, Finder, Hints, Link, Notice};

/// The links of a file, and the notices on it.
fn scanned(file: &[u8]) -> (Vec<Link<'static>>, Vec<Notice>) {
    let finder = Finder::new();
    let mut found = finder.document(file, &Hints::new().salvage(true)).unwrap();
    let links = found.by_ref().filter_map(Candidate::into_link).map(Link::into_owned).collect();
    (links, found.notices())
}

/// Context, page, object and URI of each link.
fn said(file: &[u8]) -> Vec<String> {
    let (links, notices) = scanned(file);
    assert_eq!(notices, [], "{}", String::from_utf8_lossy(file));
    let page = |link: &Link<'_>| link.page().map_or("-".to_owned(), |page| page.to_string());
    let object = |link: &Link<'_>| link.object().unwrap_or("-").to_owned();
    let line = |link: &Link<'_>| {
        format!("{} {} {} {}", link.context(), page(link), object(link), link.uri())
    };
    links.iter().map(line).collect()
}

/// The URIs of the links in a file's text.
fn in_text(file: &[u8]) -> Vec<String> {
    let (links, _) = scanned(file);
    let of_text = links.iter().filter(|link| link.context() == "pdf:text");
    of_text.map(|link| link.uri().into_owned()).collect()
}

//! The shape of the public types: what borrows from what, what may go to another thread, what is
//! whose trait. What each item does is in its own documentation.

use linksift::{Candidates, Document, Finder, Link, Links, Rejected};

/// A finder that lives no longer than the call: its links borrow the text alone (E0515).
fn links_of_a_short_lived_finder(text: &str) -> Vec<Link<'_>> {
    Finder::builder().default_scheme("gopher").build().links(text).collect()
}

fn candidates_of_a_short_lived_finder(text: &str) -> Vec<Result<Link<'_>, Rejected<'_>>> {
    Finder::builder().emails(false).build().candidates(text).collect()
}

fn document_of_a_short_lived_finder(bytes: &[u8]) -> Vec<Result<Link<'_>, Rejected<'_>>> {
    Finder::new().document(&Document::new(bytes)).collect()
}

#[test]
fn links_borrow_the_haystack_alone() {
    let text = String::from("see example.com, a@example.com and http://300.1.1.1/");
    let links = links_of_a_short_lived_finder(&text);
    let uris: Vec<_> = links.iter().map(|link| link.uri()).collect();
    assert_eq!(uris, ["gopher://example.com", "mailto:a@example.com"]);
    assert!(std::ptr::eq(links[0].raw(), &text[4..15]), "the text is borrowed");
    assert_eq!(candidates_of_a_short_lived_finder(&text).len(), 3);
    assert_eq!(document_of_a_short_lived_finder(text.as_bytes()).len(), 3);
}

/// An iterator may go to another thread, with the finder and the text that it borrows.
const _: () = {
    const fn is_send<T: Send>() {}
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send::<Candidates<'_, '_>>();
    is_send::<Links<'_, '_>>();
    is_send_and_sync::<Finder>();
    is_send_and_sync::<Link<'_>>();
    is_send_and_sync::<Rejected<'_>>();
};

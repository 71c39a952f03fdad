//! What the links of a vocabulary are for: what a reader follows, and what a program loads or shows with the document.

use super::vocabulary::Vocabulary::{self, *};
use crate::context::ContextKind;

/// Returns the kind of an element's content that is an IRI; `parent` is the name of the element around it.
pub(super) fn of_content(vocabulary: Vocabulary, local: &[u8], parent: &[u8]) -> ContextKind {
    let is = |names: &[&str]| names.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(local));
    let is_loaded = match vocabulary {
        Rss => is(&["url"]),
        Atom if is(&["id"]) => return ContextKind::Identity,
        Atom => is(&["icon", "logo"]),
        Sitemap if is(&["loc"]) => parent.eq_ignore_ascii_case(b"image"),
        Sitemap => is(&["thumbnail_loc", "content_loc", "player_loc"]),
        Xspf => is(&["image", "location"]),
        Kml => true,
        FeedLink | Podcast | Opml => false,
        Word if is(&["instrText", "delInstrText"]) => return ContextKind::FieldCode,
        Sheet if is(&["f"]) => return ContextKind::Formula,
        _ => return ContextKind::Other,
    };
    if is_loaded { ContextKind::Loaded } else { ContextKind::Navigation }
}

/// Returns the kind of an attribute that holds an IRI; `None` if its name alone says it.
pub(super) fn of_attribute(
    vocabulary: Vocabulary,
    element: &[u8],
    local: &[u8],
) -> Option<ContextKind> {
    let is =
        |names: &[&str]| names.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(element));
    let has = |names: &[&str]| names.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(local));
    match vocabulary {
        Ncx if has(&["src"]) => Some(ContextKind::Navigation),
        _ if has(&["src", "fileref"]) => Some(ContextKind::Embedded),
        _ if has(&["schemaLocation"]) => Some(ContextKind::Loaded),
        Schema if has(&["location"]) => Some(ContextKind::Loaded),
        Rss if is(&["enclosure"]) => Some(ContextKind::Loaded),
        Rss if is(&["image"]) => Some(ContextKind::Embedded),
        Media if has(&["url"]) => Some(ContextKind::Embedded),
        Podcast if is(&["image"]) || has(&["img"]) => Some(ContextKind::Embedded),
        Podcast if is(&["transcript", "chapters", "source"]) => Some(ContextKind::Loaded),
        Opml | Sitemap => Some(ContextKind::Navigation),
        Word if has(&["instr", "dest"]) => Some(ContextKind::FieldElement),
        Tei if is(&["ref", "ptr"]) && has(&["target"]) => Some(ContextKind::Anchor),
        // FictionBook.
        Unknown if is(&["image"]) && has(&["href"]) => Some(ContextKind::Embedded),
        OdfTable | MarkedText if has(&["formula"]) => Some(ContextKind::Anchor),
        Odf if is(&["image", "fill-image", "background-image"]) => Some(ContextKind::Embedded),
        Odf if is(&["object", "object-ole", "plugin", "floating-frame"]) => {
            Some(ContextKind::Loaded)
        }
        _ => None,
    }
}

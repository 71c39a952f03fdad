//! The documents that are compared.

use std::fs;
use std::path::{Path, PathBuf};

/// Our own fixtures: name and text.
pub(crate) fn fixtures() -> Vec<(String, String)> {
    let folder = crate::root().join("fixtures/markup/html");
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    pages(&folder)
        .into_iter()
        .map(|path| (name(&path), String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()))
        .collect()
}

/// The HTML files below a folder, sorted.
pub(crate) fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            let is_page = |ending: &str| matches!(ending, "html" | "htm" | "xhtml");
            if path.is_symlink() {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else if path.extension().and_then(|e| e.to_str()).is_some_and(is_page) {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// With what closes all that may be open at the end: a tag that is cut there a browser drops, and we give
/// the values that are whole.
pub(crate) fn closed(text: &str) -> String {
    [text, "\"'>-->]]></script></style></title></textarea></xmp></iframe>\"'><a href=end>"].concat()
}

/// Whether a document has what ours is known to read otherwise, and why it stays so.
///
/// - A `<frameset>` that a tree builder accepts makes it drop all but frames, so that a `<script>` or
///   `<svg>` after it is no longer one. It accepts it only where no content came before, which takes the whole
///   of its insertion modes to know; pages of frames hold nothing else after it anyway.
/// - HTML inside SVG or MathML (`foreignObject`, `mi` …) whose formatting elements are closed in
///   the wrong place: a tree builder opens them again, and then hears other end tags. That takes its list
///   of active formatting elements. What is at stake is whether a CDATA section further down is one.
/// - An `svg` or `math` that is not closed, and the end tag of an element around it: that ends it if the
///   element is open, which ours only counts (`</h2>` ends an `<h1>`, a `<td>` outside of a table is none).
/// - A `font` inside SVG or MathML is HTML's if it has `color`, `face` or `size`: a `href` that stands before
///   these was given already.
pub(crate) fn is_read_otherwise(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let has = |all: &[&str]| all.iter().any(|one| text.contains(one));
    let points = [
        "<foreignobject",
        "<desc",
        "<title",
        "<mi",
        "<mn",
        "<mo",
        "<ms",
        "<mtext",
        "<annotation-xml",
    ];
    let behind =
        ["<svg", "<math"].iter().filter_map(|tag| text.split_once(tag)).map(|split| split.1);
    let is_ended = |rest: &str| {
        rest.split("</").skip(1).any(|tag| !tag.starts_with("svg") && !tag.starts_with("math"))
    };
    has(&["<frameset"])
        || (has(&["<svg", "<math"]) && has(&["<font"]))
        || behind.into_iter().any(|rest| has(&points) || is_ended(rest))
}

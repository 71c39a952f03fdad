//! The documents that are compared.

use std::fs;
use std::path::{Path, PathBuf};

/// Our own fixtures: name and text.
pub(crate) fn fixtures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/markup/html");
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

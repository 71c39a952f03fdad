//! Links to files, and their paths.

use std::path::{Path, PathBuf};

use linksift::iri::{IriBuf, IriRef};
use linksift::{Finder, Format, Hints};

#[cfg(unix)]
#[test]
fn the_path_of_a_file_link_is_its_bytes() {
    use std::os::unix::ffi::OsStrExt;

    let path = |iri: &str| {
        let path = IriRef::parse(iri).unwrap().file_path()?;
        Some(path.as_os_str().as_bytes().to_vec())
    };
    for (iri, bytes) in [
        ("file:///a%20b/%FF%e9", &b"/a b/\xFF\xE9"[..]),
        ("FILE://LocalHost/é?q#f", "/é".as_bytes()),
        ("file:/a", b"/a"),
        ("file:///a/../b/./%2e%2E/c", b"/c"),
        ("file:///", b"/"),
        ("file:////server/a", b"//server/a"),
        ("file:///100%25", b"/100%"),
    ] {
        assert_eq!(path(iri).as_deref(), Some(bytes), "{iri}");
    }
    for iri in [
        "file://server/a",
        "file://localhost:80/a",
        "file://me@localhost/a",
        "file:a",
        "file:///a%2Fb",
        "file:///a%00",
        "http://localhost/a",
        "/a",
        "",
    ] {
        assert_eq!(path(iri), None, "{iri}");
    }
}

#[test]
fn references_of_a_file_resolve_to_paths() {
    let folder = std::env::temp_dir().join(format!("linksift-base of %-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let page = folder.join("é#?.html");
    std::fs::write(&page, "").unwrap();
    let targets = |base: &Path| -> Vec<Option<PathBuf>> {
        let finder = Finder::new();
        let hints = Hints::new().format(Format::Html).base_of_file(base).unwrap();
        let html = b"<a href='a%20b.html?c#d'></a><a href='../x'></a><a href='#e'></a><a href='//e.com/'></a>";
        finder.document(html, &hints).unwrap().links().map(|link| link.file_path()).collect()
    };
    let above = folder.parent().unwrap().join("x");
    assert_eq!(
        targets(&page),
        [Some(folder.join("a b.html")), Some(above.clone()), Some(page.clone()), None]
    );
    // The base of a directory is what it contains.
    assert_eq!(targets(&folder)[..2], [Some(folder.join("a b.html")), Some(above)]);
    assert_eq!(IriBuf::of_file(&page).unwrap().as_iri().file_path(), Some(page.clone()));
    std::fs::remove_dir_all(&folder).unwrap();
    let missing = Hints::new().base_of_file(&page).unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
}

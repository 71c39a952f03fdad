//! The public interface of the library, as a text beside this file: what changes it shows in a diff, and is not by
//! accident. `LINKSIFT_BLESS=1 cargo test --test interface` writes it again.
//!
//! It is read from the sources by `syn`, so it takes no other compiler than the one available. An item stands once for each
//! path that it is public by, with the features that it needs; macros are not expanded: a call stands as it is written, and
//! for a definition the heads of the public items in it.

mod modules;
mod render;
mod tokens;

use std::path::Path;
use std::{env, fs};

use modules::Crate;

fn interface() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    render::interface(&Crate::read(&root))
}

#[test]
fn the_public_interface_is_as_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interface/interface.txt");
    let now = interface();
    if env::var_os("LINKSIFT_BLESS").is_some_and(|value| value == "1") {
        fs::write(path, now).unwrap();
        return;
    }
    let stored = fs::read_to_string(path).unwrap_or_default();
    let differs = stored.lines().zip(now.lines()).position(|(one, other)| one != other);
    let at = differs.unwrap_or_else(|| stored.lines().count().min(now.lines().count()));
    let near = |text: &str| text.lines().skip(at).take(3).collect::<Vec<_>>().join("\n");
    assert!(
        stored == now,
        "the public interface differs from line {} on:\n- {}\n+ {}\nLINKSIFT_BLESS=1 cargo test --test interface",
        at + 1,
        near(&stored),
        near(&now)
    );
}

/// What users write stands there: by its public path, with its feature, out of a macro.
#[test]
fn known_items_are_in_it() {
    let text = interface();
    let has = |line: &str| assert!(text.lines().any(|one| one == line), "no line {line:?}");
    has("pub fn linksift::links(text: &str) -> Links<'static, '_>");
    has("pub struct linksift::Finder");
    has("    pub fn links<'f, 't>(&'f self, text: &'t str) -> Links<'f, 't>");
    has("#[cfg(feature = \"files\")] pub mod linksift::files");
    has("pub const linksift::UNICODE_VERSION: (u8, u8, u8)");
    has("    impl<'t> Iterator for Candidates<'_, 't>");
    has("    pub fn host(&self) -> Option<Cow<'_, str>>");
    let reason = text.lines().find(|line| line.contains("pub enum Reason ")).unwrap();
    assert!(reason.starts_with("linksift::Reason by coded! {") && reason.contains("UnknownScheme"));
    assert!(!text.contains("pub(crate)") && !text.contains("StoredSpan"));
    assert!(text.lines().count() > 700, "{}", text.lines().count());
}

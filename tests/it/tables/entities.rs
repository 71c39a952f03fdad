//! `src/generated/entity_list.rs`: the named character references of the HTML standard, from the list that the
//! crate `entities` ships.

use super::settle;
use linksift::tables::entities::{self, entity};
use std::collections::BTreeMap;

/// What each name, without its semicolon, stands for, and whether it may stand without one.
fn listed() -> BTreeMap<&'static str, (&'static str, bool)> {
    let mut all: BTreeMap<&str, (&str, bool)> = BTreeMap::new();
    for one in &::entities::ENTITIES {
        let name = one.entity.strip_prefix('&').expect("an ampersand");
        match name.strip_suffix(';') {
            Some(name) => all.entry(name).or_default().0 = one.characters,
            None => all.entry(name).or_default().1 = true,
        }
    }
    all
}

/// A string literal, broken over lines.
fn literal(text: &str) -> String {
    let (mut out, mut column) = (String::from("\"\\\n    "), 4);
    for c in text.chars() {
        let written = match c {
            '"' | '\\' => format!("\\{c}"),
            '!'..='~' => c.to_string(),
            _ => format!("\\u{{{:x}}}", u32::from(c)),
        };
        if column + written.len() > 98 {
            out += "\\\n    ";
            column = 4;
        }
        column += written.len();
        out += &written;
    }
    out + "\""
}

fn starts<'a>(texts: impl Iterator<Item = (&'a str, bool)>) -> Vec<String> {
    let (mut at, mut starts) = (0, Vec::new());
    for (text, flag) in texts {
        starts.push(format!("{:#x}", at | if flag { 0x8000 } else { 0 }));
        at += text.len();
    }
    assert!(at < 0x8000, "offsets have fifteen bits");
    starts.push(format!("{at:#x}"));
    starts
}

#[test]
fn entity_list_is_generated() {
    let all = listed();
    let names: String = all.keys().copied().collect();
    let characters: String = all.values().map(|(characters, _)| *characters).collect();
    let bare = all.values().filter(|(_, bare)| *bare).count();
    let name_starts = starts(all.iter().map(|(name, (_, bare))| (*name, *bare)));
    let character_starts = starts(all.values().map(|(characters, _)| (*characters, false)));
    let body = format!(
        "\n//! The named character references of the HTML standard.\n\n\
         /// How many names may stand without their semicolon.\n\
         pub(super) const NEEDLESS: usize = {bare};\n\n\
         /// The names, one after the other, in byte order.\n\
         #[rustfmt::skip]\npub(super) static NAMES: &str = {};\n\n\
         /// Where each begins, and the end; the highest bit: it may stand without its semicolon.\n\
         #[rustfmt::skip]\npub(super) static NAME_STARTS: [u16; {}] = [\n{}\n];\n\n\
         /// What they stand for, in the same order.\n\
         #[rustfmt::skip]\npub(super) static CHARACTERS: &str = {};\n\n\
         /// Where each begins, and the end.\n\
         #[rustfmt::skip]\npub(super) static CHARACTER_STARTS: [u16; {}] = [\n{}\n];\n",
        literal(&names),
        name_starts.len(),
        super::rows(&name_starts),
        literal(&characters),
        character_starts.len(),
        super::rows(&character_starts),
    );
    settle("entity_list.rs", &body);
}

#[test]
fn every_name_is_found_and_nothing_else() {
    let all = listed();
    assert_eq!(entities::COUNT, 2231, "the standard's number");
    assert_eq!(::entities::ENTITIES.len(), entities::COUNT);
    for (name, (characters, is_bare)) in &all {
        let found = entity(name.as_bytes()).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((found.characters, found.is_bare), (*characters, *is_bare), "{name}");
        assert!(name.len() <= entities::LONGEST);
        for near in [&name[1..], &name[..name.len() - 1], &format!("{name}x")] {
            assert_eq!(entity(near.as_bytes()).is_some(), all.contains_key(near), "{near}");
        }
    }
    assert_eq!(entity(b""), None);
    assert_eq!(entity(b"\xFF"), None);
}

//! Generates `src/generated/letters.rs`, how often letters are in languages, and compares it with the
//! file on disk.
//!
//! The frequencies are counted in translated messages and manuals of four Debian packages (12,
//! "bookworm"): `gnome-user-docs`, `iso-codes`, `libgtk-3-common`, `libglib2.0-data`. With these
//! unpacked side by side in DIR (`apt-get download NAME`, `dpkg -x NAME*.deb DIR/NAME`):
//!
//! ```sh
//! LINKSIFT_PACKAGES=DIR LINKSIFT_REGENERATE=1 cargo test --test it charset::letters
//! ```
//!
//! No page that the detection is measured with is among them.

// What is skipped is said.
#![allow(clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use unicode_normalization::UnicodeNormalization;

/// Languages, by their codes; those of Cyrillic letters.
const LATIN: [&str; 30] = [
    "br", "ca", "cs", "cy", "da", "de", "eo", "es", "et", "fi", "fr", "ga", "gl", "hr", "hu", "is",
    "it", "lt", "lv", "mt", "nb", "nl", "pl", "pt", "ro", "sk", "sl", "sq", "sv", "tr",
];
const CYRILLIC: [&str; 7] = ["be", "bg", "kk", "mk", "ru", "sr", "uk"];

/// Lists of `iso-codes` in which names are the language's own words.
const LISTS: [&str; 5] = ["3166-1", "3166-3", "639-2", "4217", "15924"];

/// A bit in the table's units.
const BIT: f64 = 8.0;
/// Rarer letters of a language are borrowed with a word.
const LEAST: f64 = 0.001;
/// What borrowing a letter costs, and what any letter costs at most.
const BORROWED: f64 = 5.0;
const MOST: f64 = 13.0;

fn regenerating() -> bool {
    env::var_os("LINKSIFT_REGENERATE").is_some_and(|value| value == "1")
}

/// The files below `folder` with this ending, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let kind = entry.file_type().unwrap();
            match kind.is_dir() {
                true => folders.push(entry.path()),
                false if entry.path().extension().is_some_and(|e| e == ending) => {
                    found.push(entry.path());
                }
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// The translations in a catalogue of GNU gettext, its header left out.
fn messages(file: &Path) -> String {
    let Ok(bytes) = fs::read(file) else { return String::new() };
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(number(0), 0x9504_12DE, "{}", file.display());
    let (count, table) = (number(8), number(16));
    let text = (1..count).map(|entry| {
        let (length, at) = (number(table + 8 * entry), number(table + 8 * entry + 4));
        String::from_utf8_lossy(&bytes[at..at + length]).into_owned()
    });
    text.collect::<Vec<_>>().join("\n")
}

/// A manual's page without its markup and the names of its authors.
fn page(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let mut out = String::new();
    let mut rest = &text[..];
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        out.push(' ');
        rest = &rest[open..];
        let skipped = ["<credit", "<mal:credit", "<!--", "<legal"]
            .iter()
            .zip(["</credit>", "</mal:credit>", "-->", "</legal>"])
            .find(|(start, _)| rest.starts_with(**start));
        let end = skipped.map_or(">", |(_, end)| end);
        rest = rest.find(end).map_or("", |at| &rest[at + end.len()..]);
    }
    out.push_str(rest);
    out
}

fn texts(packages: &Path, language: &str) -> Vec<String> {
    let manuals = packages.join("gnome-user-docs/usr/share/help").join(language);
    let mut texts: Vec<_> = files(&manuals, "page").iter().map(|file| page(file)).collect();
    let locale = |package: &str| {
        packages.join(package).join("usr/share/locale").join(language).join("LC_MESSAGES")
    };
    for list in LISTS {
        texts.push(messages(&locale("iso-codes").join(format!("iso_{list}.mo"))));
    }
    for package in ["libgtk-3-common", "libglib2.0-data"] {
        texts.extend(files(&locale(package), "mo").iter().map(|file| messages(file)));
    }
    texts
}

/// How often each letter is, in words that have one which is not ASCII.
fn count(texts: &[String], is_own: impl Fn(char) -> bool) -> BTreeMap<char, f64> {
    let mut counts = BTreeMap::new();
    for text in texts {
        let text: String = text.nfc().collect();
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_ascii()) {
            for c in word.chars().filter_map(|c| c.to_lowercase().next()) {
                if c.is_ascii() || is_own(c) {
                    *counts.entry(c).or_insert(0.0) += 1.0;
                }
            }
        }
    }
    let all: f64 = counts.values().sum();
    counts.values_mut().for_each(|count| *count /= all);
    counts
}

type Shares = BTreeMap<char, f64>;

fn counted(packages: &Path) -> Vec<(&'static str, Shares, &'static str)> {
    let is_latin = |c: char| matches!(c, 'ß'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' if c != '÷');
    let is_cyrillic = |c: char| matches!(c, '\u{400}'..='\u{52F}');
    let mut all = Vec::new();
    for language in LATIN.into_iter().chain(CYRILLIC) {
        let texts = texts(packages, language);
        let script = if CYRILLIC.contains(&language) { "Cyrillic" } else { "Latin" };
        let mut shares = match script {
            "Latin" => count(&texts, is_latin),
            _ => count(&texts, is_cyrillic),
        };
        // In Romanian the cedilla stands for the comma wherever an encoding has no comma.
        if language == "ro" {
            for (comma, cedilla) in [('ș', 'ş'), ('ț', 'ţ')] {
                let share =
                    shares.get(&comma).unwrap_or(&0.0) + shares.get(&cedilla).unwrap_or(&0.0);
                shares.extend([(comma, share), (cedilla, share)]);
            }
        }
        let is_kept = |c: char, share: f64| share >= LEAST || (c.is_ascii() && script == "Latin");
        shares.retain(|c, share| is_kept(*c, *share));
        all.push((language, shares, script));
    }
    all.retain(|(_, shares, _)| !shares.is_empty());
    all
}

fn table(packages: &Path) -> String {
    let languages = counted(packages);
    let mut general: BTreeMap<&str, Shares> = BTreeMap::new();
    for (_, shares, script) in &languages {
        let general = general.entry(script).or_default();
        shares.iter().for_each(|(c, share)| *general.entry(*c).or_insert(0.0) += share);
    }
    for shares in general.values_mut() {
        let all: f64 = shares.values().sum();
        shares.values_mut().for_each(|share| *share /= all);
    }
    let alphabet: BTreeSet<char> =
        languages.iter().flat_map(|(_, s, _)| s.keys().copied()).collect();
    let mut out = String::from(
        "\n//! How often letters are in words that have one which is not ASCII, by language: for each\n\
         //! letter of the script in `ALPHABET` its information in eighths of a bit.\n\n",
    );
    let letters: Vec<_> = alphabet.iter().map(|c| format!("{c:?}")).collect();
    write!(
        out,
        "/// Lower-case letters, sorted: first the Latin ones, then the Cyrillic ones.\n#[rustfmt::skip]\n\
         pub(super) static ALPHABET: [char; {}] = [\n{}\n];\n\n",
        alphabet.len(),
        rows(letters),
    )
    .unwrap();
    for (name, script) in [("LATIN", "Latin"), ("CYRILLIC", "Cyrillic")] {
        let languages: Vec<_> = languages.iter().filter(|(_, _, own)| *own == script).collect();
        let is_own = |c: &&char| (**c >= '\u{400}') == (script == "Cyrillic");
        let letters: Vec<_> = alphabet.iter().filter(is_own).collect();
        write!(
            out,
            "/// Languages of {script} letters, and what each letter tells in them.\n\
             #[rustfmt::skip]\npub(super) static {name}: [(&str, [u8; {}]); {}] = [\n",
            letters.len(),
            languages.len(),
        )
        .unwrap();
        for (language, shares, _) in languages {
            let bits = letters.iter().map(|c| {
                let own = shares.get(*c).map_or(MOST, |share| -share.log2());
                let borrowed =
                    general[script].get(*c).map_or(MOST, |share| BORROWED - share.log2());
                (own.min(borrowed).min(MOST) * BIT).round()
            });
            writeln!(out, "    (\"{language}\", [\n{}\n    ]),", rows(bits)).unwrap();
        }
        out.push_str("];\n\n");
    }
    out.truncate(out.trim_end().len() + 1);
    out
}

/// `items`, each with a comma, in rows of at most 99 columns.
fn rows<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let mut lines = vec![String::from("   ")];
    for item in items {
        let item = item.to_string();
        let line = lines.last_mut().unwrap();
        if line.chars().count() + item.chars().count() + 2 > 99 {
            lines.push(format!("    {item},"));
        } else {
            write!(line, " {item},").unwrap();
        }
    }
    lines.join("\n")
}

const HEADER: &str = "\
// @generated by tests/it/charset/letters.rs; do not edit. To write it again, with the packages named
// there unpacked in DIR:
//     LINKSIFT_PACKAGES=DIR LINKSIFT_REGENERATE=1 cargo test --test it charset::letters
";

#[test]
#[ignore = "reads the packages in the folder that LINKSIFT_PACKAGES names"]
fn the_table_is_what_the_texts_give() {
    let packages = env::var_os("LINKSIFT_PACKAGES").expect("LINKSIFT_PACKAGES names a folder");
    let packages = PathBuf::from(packages);
    let text = format!("{HEADER}{}", table(&packages));
    let path = crate::root().join("src/generated/letters.rs");
    if regenerating() {
        fs::write(path, text).unwrap();
        return;
    }
    assert!(fs::read_to_string(path).unwrap() == text, "src/generated/letters.rs is stale");
}

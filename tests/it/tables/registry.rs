//! `src/generated/tld_list.rs` and `src/generated/scheme_list.rs`: names out of lists of our own, which are beside this
//! file; where copies of the registries are beside the project, the lists are compared with them.

use super::{generated, regenerating, rows, settle};
use crate::beside;
use linksift::tables::{schemes, tld};
use std::collections::BTreeSet;
use std::fs;
use unicode_normalization::{UnicodeNormalization, is_nfc};

const DOMAINS: &str = include_str!("top-level-domains.txt");
const SCHEMES: &str = include_str!("schemes.tsv");

fn a_label(label: &str) -> String {
    idna::domain_to_ascii(label).unwrap_or_else(|_| panic!("{label} is no domain name"))
}

/// The ASCII labels and the U-labels of IANA's list.
fn top_level_domains(text: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut ascii, mut unicode) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            continue;
        }
        let label: String = line.to_lowercase().nfc().collect();
        ascii.insert(a_label(&label));
        if !label.is_ascii() {
            unicode.insert(label);
        }
    }
    (ascii, unicode)
}

/// The characters that a U-label can begin with, composed or decomposed.
fn openings(unicode: &BTreeSet<String>) -> BTreeSet<char> {
    unicode
        .iter()
        .flat_map(|label| [label.nfc().next(), label.nfd().next()])
        .flatten()
        .filter(|c| !c.is_ascii())
        .collect()
}

fn quoted<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Vec<String> {
    items.into_iter().map(|item| format!("\"{}\"", item.as_ref())).collect()
}

fn tld_source(text: &str) -> String {
    let (ascii, unicode) = top_level_domains(text);
    let openings = openings(&unicode);
    // The first line says how old it is.
    let first = text.lines().next().unwrap_or_default();
    let version = first.split_once("domains of ").and_then(|(_, rest)| rest.split(',').next());
    let version = version.expect("the list's date");
    let mut source =
        format!("\n//! The names of the top-level domains, from IANA's list of {version}.\n\n");
    source += &format!(
        "/// ASCII labels, A-labels among them, in lower case, sorted.\n\
         #[rustfmt::skip]\npub(super) static ASCII: [&str; {}] = [\n{}\n];\n\n",
        ascii.len(),
        rows(quoted(&ascii)),
    );
    source += &format!(
        "/// U-labels in lower case and NFC, sorted.\n\
         #[rustfmt::skip]\npub(super) static UNICODE: [&str; {}] = [\n{}\n];\n\n",
        unicode.len(),
        rows(quoted(&unicode)),
    );
    source += &format!(
        "/// The characters that these begin with, those of their NFD among them, sorted; without\n\
         /// ASCII.\n\
         #[rustfmt::skip]\npub(super) static UNICODE_OPENINGS: [char; {}] = [\n{}\n];\n",
        openings.len(),
        rows(openings.iter().map(|&c| format!("'\\u{{{:X}}}'", c as u32))),
    );
    source
}

fn scheme_rows(text: &str) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (scheme, status) = line.split_once('\t').expect("a scheme, a tab, its status");
            let (first, rest) = status.trim().split_at(1);
            (scheme.to_ascii_lowercase(), first.to_ascii_uppercase() + rest)
        })
        .collect();
    rows.sort();
    rows
}

fn scheme_source(text: &str) -> String {
    let schemes = scheme_rows(text);
    let mut source = String::from(
        "\n//! The schemes: IANA's registrations, and some in wide use that are none.\n\n\
         use super::scheme_rows::Status::{self, Historical, Permanent, Provisional, Unofficial};\n\n",
    );
    source += &format!(
        "/// Schemes in lower case with their standing, sorted.\n\
         #[rustfmt::skip]\npub(super) static LIST: [(&str, Status); {}] = [\n{}\n];\n",
        schemes.len(),
        rows(schemes.iter().map(|(scheme, status)| format!("(\"{scheme}\", {status})"))),
    );
    source
}

/// The string literals of an array of a generated file. Reads the file rather than the array, which
/// is private.
fn literals(file: &str, array: &str) -> Vec<String> {
    let text = fs::read_to_string(generated(file)).expect("a generated file");
    let start = text.find(&format!("static {array}: ")).expect("the array");
    let body = &text[start..];
    let end = body.find("\n];").expect("its end");
    body[..end].split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn generated_top_level_domains_are_current() {
    settle("tld_list.rs", &tld_source(DOMAINS));
}

#[test]
fn generated_schemes_are_current() {
    settle("scheme_list.rs", &scheme_source(SCHEMES));
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn top_level_domains_are_those_of_the_registry() {
    let registered = top_level_domains(&beside::text("registry/top-level-domains.txt"));
    assert_eq!(top_level_domains(DOMAINS), registered);
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn schemes_are_those_of_the_registry() {
    let own: BTreeSet<_> = scheme_rows(SCHEMES).into_iter().collect();
    let registered: BTreeSet<_> =
        scheme_rows(&beside::text("registry/uri-schemes.tsv")).into_iter().collect();
    let missing: Vec<_> = registered.difference(&own).collect();
    assert!(missing.is_empty(), "registered, and not so in schemes.tsv: {missing:?}");
    let added: Vec<_> =
        own.difference(&registered).filter(|(_, standing)| standing != "Unofficial").collect();
    assert!(
        added.is_empty(),
        "schemes.tsv has them as registered, ../shared/registry/uri-schemes.tsv does not: {added:?}; what is not \
         registered is `unofficial`"
    );
}

#[test]
fn top_level_domains_are_consistent() {
    if regenerating() {
        return;
    }
    let ascii = literals("tld_list.rs", "ASCII");
    let unicode = literals("tld_list.rs", "UNICODE");
    assert!(ascii.len() > 1000 && unicode.len() > 100, "{} {}", ascii.len(), unicode.len());
    assert!(ascii.is_sorted_by(|a, b| a < b) && unicode.is_sorted_by(|a, b| a < b));
    for label in &ascii {
        // The indexes go by the first two letters.
        assert!(label.len() >= 2 && label.as_bytes()[..2].iter().all(u8::is_ascii_lowercase));
        assert!(label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        assert!(tld::is_ascii_tld(label.as_bytes()) && tld::is_tld(label), "{label}");
    }
    for label in &unicode {
        assert!(is_nfc(label) && *label == label.to_lowercase() && !label.is_ascii(), "{label}");
        assert!(tld::is_unicode_tld(label) && tld::is_tld(label), "{label}");
        assert!(ascii.contains(&a_label(label)), "{label}");
    }
    let from_a_labels: BTreeSet<String> = ascii
        .iter()
        .filter(|label| label.starts_with("xn--"))
        .map(|label| idna::domain_to_unicode(label).0)
        .collect();
    assert_eq!(from_a_labels, unicode.into_iter().collect());
}

#[test]
fn schemes_are_consistent() {
    if regenerating() {
        return;
    }
    let list = literals("scheme_list.rs", "LIST");
    assert!(list.len() > 300, "{}", list.len());
    assert!(list.is_sorted_by(|a, b| a < b));
    for scheme in &list {
        assert!(scheme.as_bytes()[0].is_ascii_lowercase(), "{scheme}");
        assert!(
            scheme.bytes().all(|b| b.is_ascii_lowercase()
                || b.is_ascii_digit()
                || matches!(b, b'+' | b'-' | b'.')),
            "{scheme}",
        );
        assert!(schemes::status(scheme.as_bytes()).is_some(), "{scheme}");
    }
}

/// `docs/rules.md` names the schemes that are links without `//`; `file:` has a row of its own there.
#[test]
fn the_page_of_rules_names_schemes_with_a_form() {
    let page = fs::read_to_string(crate::root().join("docs/rules.md")).unwrap();
    let row = page.lines().find(|row| row.starts_with("| Some schemes need no `//`")).unwrap();
    let named: BTreeSet<_> = row.split('`').nth(3).unwrap().split(' ').collect();
    let have_form = scheme_rows(SCHEMES).into_iter().map(|(name, _)| name).filter(|name| {
        name != "file" && schemes::row(name.as_bytes()).is_some_and(|row| row.form.is_some())
    });
    let have_form: BTreeSet<_> = have_form.collect();
    assert_eq!(named, have_form.iter().map(String::as_str).collect(), "{row}");
}

/// Lookups against the lists, read as a set: all labels of two and three letters, and near misses.
#[test]
fn lookups_agree_with_the_list() {
    if regenerating() {
        return;
    }
    let ascii: BTreeSet<String> = literals("tld_list.rs", "ASCII").into_iter().collect();
    let letters = b'a'..=b'z';
    for a in letters.clone() {
        for b in letters.clone() {
            let two = [a, b];
            assert_eq!(tld::is_ascii_tld(&two), ascii.contains(str::from_utf8(&two).unwrap()));
            for c in letters.clone() {
                let three = [a, b, c.to_ascii_uppercase()];
                let lower = [a, b, c];
                let listed = ascii.contains(str::from_utf8(&lower).unwrap());
                assert_eq!(tld::is_ascii_tld(&three), listed, "{lower:?}");
            }
        }
    }
    for label in &ascii {
        for cut in 0..label.len() {
            let prefix = &label[..cut];
            assert_eq!(tld::is_tld(prefix), ascii.contains(prefix), "{prefix}");
        }
        for at in 0..label.len() {
            let mut changed = label.clone().into_bytes();
            changed[at] ^= 0x10;
            let known = str::from_utf8(&changed)
                .is_ok_and(|text| ascii.contains(&text.to_ascii_lowercase()));
            assert_eq!(tld::is_ascii_tld(&changed), known, "{changed:?}");
        }
    }
}

#[test]
fn spellings_of_u_labels() {
    if regenerating() {
        return;
    }
    for label in
        ["ｃｏｍ", "ＣＯＭ", "cｏm", "рф", "РФ", "Vermögensberater", "vermo\u{308}gensberater"]
    {
        assert!(tld::is_unicode_tld(label) && tld::is_tld(label), "{label}");
    }
    let long = "\u{301}".repeat(10_000);
    for label in ["", "com", "é", "ｃｏｍｍ", "рфрф", "рф.", "ⓒⓞⓜ", &long, &format!("р{long}")]
    {
        assert!(!tld::is_unicode_tld(label), "{label}");
    }
}

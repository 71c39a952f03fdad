//! The lists of the twin against those of the library: two tables, written twice, which hold the same words.

use std::collections::BTreeSet;

use super::{beside, names, siblings};

/// The words of a list of `src/scan/filename/lexicon.rs`, each with the words that say what it is known as.
fn listed(list: &str) -> Vec<(String, String)> {
    let text = include_str!("../../../src/scan/filename/lexicon.rs");
    let variables = include_str!("../../../src/scan/filename/variables.in");
    let start = text.find(&format!("const {list}: ")).expect("the list");
    let body = &text[start..];
    let body = &body[..body.find("];\n").expect("its end")];
    let quoted = variables.split('"').nth(1).expect("words");
    let body = body.replace("include!(\"variables.in\")", &format!("\"{quoted}\""));
    let parts: Vec<_> = body.split('"').collect();
    let mut words = Vec::new();
    for pair in parts.chunks_exact(2) {
        for word in pair[1].split(|c: char| c.is_whitespace() || c == '\\') {
            if !word.is_empty() {
                words.push((word.to_owned(), pair[0].to_owned()));
            }
        }
    }
    words
}

/// Those that are known as `kind`, and not as `other`.
fn known(list: &str, kind: &str, other: &str) -> BTreeSet<String> {
    let has = |kinds: &str, kind: &str| {
        let mut all = kinds.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        !kind.is_empty() && all.any(|one| one == kind)
    };
    let all = listed(list).into_iter();
    all.filter(|(_, kinds)| has(kinds, kind) && !has(kinds, other)).map(|(word, _)| word).collect()
}

#[test]
fn both_have_the_same_words() {
    let lists = [
        (names::BELIEVED, "DOMAINS", "BELIEVED", ""),
        (names::FILES, "DOMAINS", "FILE", ""),
        (names::FILES_ANYWHERE, "DOMAINS", "ONLY_FILE", ""),
        (names::WORDS, "DOMAINS", "WORD", "NO_DOMAIN"),
        (names::CLOSED, "DOMAINS", "NO_DOMAIN", ""),
        (names::DOUBTED, "DOMAINS", "DOUBT", ""),
        (names::FIELDS, "DOMAINS", "FIELD", ""),
        (names::SHORT, "DOMAINS", "SHORT", ""),
        (names::COMMON, "DOMAINS", "COMMON", ""),
        (names::CHAINS, "DOMAINS", "CHAIN", ""),
        (names::LARGE, "DOMAINS", "LARGE", ""),
        (names::OBJECTS, "FIRSTS", "OBJECT", ""),
        (names::CODE, "FIRSTS", "CODE", ""),
        (names::SECTIONS, "FIRSTS", "SECTION", ""),
        (names::PLACES, "FIRSTS", "PLACE", ""),
        (names::REVERSED, "FIRSTS", "REVERSE", ""),
        (names::REVERSED_LONG, "FIRSTS", "REVERSE_LONG", ""),
        (names::VARIABLES, "FIRSTS", "VARIABLE", ""),
        (names::NEWS, "FIRSTS", "NEWS", ""),
        (names::MIDDLES, "LASTS", "MIDDLE", ""),
        (names::SECOND_LEVEL, "LASTS", "SECOND_LEVEL", ""),
        (names::TEMPLATES, "LASTS", "TEMPLATE", ""),
        (names::KNOWN, "NAMES", "KNOWN", ""),
        (names::HOSTS, "NAMES", "HOST", ""),
        (names::DIRECTORIES, "DIRECTORY_LIST", "1", ""),
        (names::OF_HOSTS, "CODE_LIST", "OF_HOSTS", ""),
        (names::OF_LONG_HOSTS, "CODE_LIST", "OF_LONG_HOSTS", ""),
        (siblings::NO_TLDS, "NO_TLD_LIST", "1", ""),
        (beside::SOURCES, "SOURCES", "SOURCE", ""),
        (beside::SOURCES_IN_PATHS, "SOURCES", "SOURCE_IN_PATH", ""),
        (beside::SAID_SURELY, "NOUN_LIST", "SURE", ""),
        (beside::SAID_BEFORE, "NOUN_LIST", "IN_FRONT", "SURE"),
        (beside::SAID_BEHIND, "NOUN_LIST", "BEHIND", ""),
        (beside::EDITED, "NOUN_LIST", "EDITED", ""),
    ];
    let mut wrong = Vec::new();
    for (own, list, kind, other) in lists {
        let own: BTreeSet<_> = own.split_ascii_whitespace().map(str::to_owned).collect();
        let theirs = known(list, kind, other);
        assert!(!theirs.is_empty(), "{list} has no {kind}");
        if own != theirs {
            let differ: Vec<_> = own.symmetric_difference(&theirs).collect();
            wrong.push(format!("{list}, {kind}: {differ:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

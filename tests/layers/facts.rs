//! Facts that stand once: the word by which a second copy is known, and who says it.
//!
//! What a document is, is looked at beside the borders (`what_a_document_is_is_said_once`); these are the others.

use super::sources::{Source, code, sources};

/// A fact, known by these words.
struct Fact {
    words: &'static [&'static str],
    /// The files and folders that may say it.
    owners: &'static [&'static str],
}

const FACTS: &[Fact] = &[
    // Digits of sixteen: what a triplet is read by and written with.
    Fact { words: &["0123456789ABCDEF"], owners: &["iri/chars"] },
    // Full stops of IDNA. Vectors compare with what they hold.
    Fact { words: &["u{FF0E}", "0xFF0E"], owners: &["tables", "simd"] },
    Fact { words: &["0x3002", "0xE3, 0x80, 0x82"], owners: &["tables", "simd"] },
    // Scripts that are written from right to left, by the ends of their blocks.
    Fact { words: &["u{8FF}", "0x8FF", "u{1E800}", "u{10800}"], owners: &["tables"] },
    // Schemes by what is done with their links. `mailto` is a word of running text too.
    Fact { words: &["case(\"mailto", "case(b\"mailto"], owners: &["tables", "scan"] },
    Fact { words: &["\"vbscript", "\"view-source", "\"wss\"", "\"jnlps"], owners: &["tables"] },
];

/// Facts that a file says and is no owner of.
fn second_copies(source: &Source) -> Vec<String> {
    let code = code(&source.text);
    let owns = |owner: &&str| {
        let rest = source.path.strip_prefix(*owner);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let said = FACTS.iter().filter(|fact| !fact.owners.iter().any(owns));
    let words = said.flat_map(|fact| fact.words).filter(|word| code.contains(**word));
    words.map(|word| format!("{}: {word}", source.path)).collect()
}

#[test]
fn facts_stand_once() {
    let is_tests = |source: &Source| source.path.ends_with("/tests");
    let library = sources().into_iter().filter(|s| !s.is_command() && !is_tests(s));
    let found: Vec<_> = library.flat_map(|source| second_copies(&source)).collect();
    assert!(found.is_empty(), "facts of others:\n{}", found.join("\n"));
    for fact in FACTS {
        let owner = fact.owners[0];
        let says = |source: &Source| {
            source.path.starts_with(owner)
                && fact.words.iter().any(|word| code(&source.text).contains(word))
        };
        assert!(sources().iter().any(says), "{owner} says nothing of {:?}", fact.words);
    }
}

#[test]
fn a_second_copy_is_seen() {
    let one = |path: &str, text: &str| {
        second_copies(&Source { path: path.to_owned(), text: text.to_owned() })
    };
    let digits = "const HEX: &[u8; 16] = b\"0123456789ABCDEF\";";
    assert_eq!(one("mail/encoded_word", digits), ["mail/encoded_word: 0123456789ABCDEF"]);
    assert!(one("iri/chars", digits).is_empty());
    assert_eq!(one("iri/host", "matches!(c, '\\u{FF0E}')").len(), 1);
    assert_eq!(one("link/mod", "scheme.eq_ignore_ascii_case(\"mailto\")").len(), 1);
    assert_eq!(one("trust/link", "[\"http\", \"https\", \"ws\", \"wss\"]").len(), 1);
    assert!(one("trust/link", "// Not of \"wss\".").is_empty());
    assert!(one("tables/schemes", "(\"vbscript\", RUNS)").is_empty());
}

/// The files that need the name of a context: they show it, or find a header field by it. All others
/// ask for its kind.
const CONTEXT_NAMES: &[&str] =
    &["link/accessors", "report/field", "peek", "container/documents", "mail/fields"];

/// Whether a file asks for the name of a context.
fn names_context(source: &Source) -> bool {
    let code: String = code(&source.text).split_whitespace().collect();
    ["context.name()", "context.shown()", ".context()", "both!(context)"]
        .iter()
        .any(|asked| code.contains(asked))
}

#[test]
fn contexts_are_known_by_their_kinds() {
    let sources = sources();
    let library = sources.iter().filter(|source| !source.is_command());
    let named: Vec<_> = library.filter(|source| names_context(source)).collect();
    let (owners, others): (Vec<&str>, Vec<&str>) =
        named.iter().map(|source| &*source.path).partition(|path| CONTEXT_NAMES.contains(path));
    assert!(others.is_empty(), "ask for the kind of a context, not for its name: {others:?}");
    assert_eq!(owners.len(), CONTEXT_NAMES.len(), "a file of the list needs no name");
    let one = |text: &str| names_context(&Source { path: "html/mod".into(), text: text.into() });
    assert!(one("link.context() == \"text\""));
    assert!(one("match value.context\n    .name() {"));
    assert!(!one("value.context.kind() == ContextKind::Anchor"));
}

//! Each type name stands once in the library, and once in each package that uses it: a search finds one definition.
//!
//! `tests/layers/shared_names.txt` lists the names that several types of the library still share. The list may only become shorter:
//! `LINKSIFT_BLESS=1 cargo test --test layers type_names` removes what is no longer shared, and adds nothing.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use syn::{Attribute, Item};

use super::sources::{Source, sources_of};
use super::structure::USERS;

const LIST: &str = "tests/layers/shared_names.txt";

/// The modules that define each type name. Alternatives in one module, of which a build has one, count once.
type Definitions = BTreeMap<String, Vec<String>>;

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = match &attribute.meta {
            syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string(),
            _ => String::new(),
        };
        matches!(&*words, "test" | "doctest") || words.starts_with("all (test")
    })
}

/// Adds the types of a module, and of the modules that are written in it.
fn add(module: &str, items: Vec<Item>, all: &mut Definitions) {
    for item in items {
        let (attributes, name) = match item {
            Item::Struct(item) => (item.attrs, item.ident),
            Item::Enum(item) => (item.attrs, item.ident),
            Item::Union(item) => (item.attrs, item.ident),
            Item::Trait(item) => (item.attrs, item.ident),
            Item::Type(item) => (item.attrs, item.ident),
            Item::Mod(item) if !is_test(&item.attrs) => {
                let items = item.content.map(|(_, items)| items).unwrap_or_default();
                add(&format!("{module}/{}", item.ident), items, all);
                continue;
            }
            // The names that `coded!` and its like define are in their bodies.
            Item::Macro(item) => {
                for name in defined_by(item.mac.tokens) {
                    insert(module, name, all);
                }
                continue;
            }
            _ => continue,
        };
        if !is_test(&attributes) {
            insert(module, name.to_string(), all);
        }
    }
}

fn insert(module: &str, name: String, all: &mut Definitions) {
    let modules = all.entry(name).or_default();
    if !modules.iter().any(|known| known == module) {
        modules.push(module.to_owned());
    }
}

/// Returns the names after `struct`, `enum` and `trait` on the first level of a macro's call.
fn defined_by(tokens: proc_macro2::TokenStream) -> Vec<String> {
    let words: Vec<_> = tokens.into_iter().map(|token| token.to_string()).collect();
    let is_definition = |pair: &&[String]| matches!(&*pair[0], "struct" | "enum" | "trait");
    let names = words.windows(2).filter(is_definition).map(|pair| pair[1].clone());
    names.filter(|name| name.starts_with(char::is_uppercase)).collect()
}

fn definitions(sources: &[Source]) -> Definitions {
    let mut all = Definitions::new();
    for source in sources {
        let is_tests = source.path.rsplit('/').next() == Some("tests");
        if source.is_generated() || is_tests {
            continue;
        }
        let file = syn::parse_file(&source.text);
        let file = file.unwrap_or_else(|error| panic!("{}: {error}", source.path));
        add(&source.path, file.items, &mut all);
    }
    all
}

/// Type names in figures.
pub(crate) struct Figures {
    definitions: usize,
    names: usize,
    shared_names: usize,
    shared_definitions: usize,
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Figures { definitions, names, shared_names, shared_definitions } = self;
        write!(
            f,
            "{definitions} types with {names} names; {shared_names} names are shared by {shared_definitions} types"
        )
    }
}

pub(crate) fn figures(sources: &[Source]) -> Figures {
    let all = definitions(sources);
    let shared = || all.values().map(Vec::len).filter(|count| *count > 1);
    Figures {
        definitions: all.values().map(Vec::len).sum(),
        names: all.len(),
        shared_names: shared().count(),
        shared_definitions: shared().sum(),
    }
}

/// Compares the shared names with the listed counts. Returns the complaints about names that are shared more than
/// the list allows, and whether the list allows more than there is.
fn compare(all: &Definitions, listed: &BTreeMap<String, usize>) -> (Vec<String>, bool) {
    let count = |name: &str| all.get(name).map_or(0, |modules| modules.len());
    let is_new = |(name, modules): &(&String, &Vec<String>)| {
        modules.len() > listed.get(*name).copied().unwrap_or(1)
    };
    let new = all.iter().filter(is_new);
    let new = new.map(|(name, modules)| format!("{name}: {}", modules.join(", "))).collect();
    (new, listed.iter().any(|(name, allowed)| count(name) < *allowed || *allowed < 2))
}

fn read_list(text: &str) -> BTreeMap<String, usize> {
    let rows = text.lines().filter_map(|line| line.split_once(' '));
    rows.map(|(name, count)| (name.to_owned(), count.parse().unwrap())).collect()
}

#[test]
fn type_names_are_unique() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = definitions(&sources_of(&root.join("src")));
    assert!(library.len() > 500, "{} names", library.len());
    let path = root.join(LIST);
    let listed = read_list(&fs::read_to_string(&path).unwrap());
    let (new, is_too_long) = compare(&library, &listed);
    assert!(
        new.is_empty(),
        "several types have one name; name each after what it is:\n{}",
        new.join("\n")
    );
    if is_too_long && env::var_os("LINKSIFT_BLESS").is_some_and(|value| value == "1") {
        let mut text = String::new();
        for (name, modules) in library.iter().filter(|(_, modules)| modules.len() > 1) {
            writeln!(text, "{name} {}", modules.len()).unwrap();
        }
        return fs::write(path, text).unwrap();
    }
    assert!(!is_too_long, "{LIST} allows more: LINKSIFT_BLESS=1 cargo test --test layers");
    for folder in USERS {
        let all = definitions(&sources_of(&root.join(folder)));
        assert!(!all.is_empty(), "{folder}");
        assert_eq!(compare(&all, &BTreeMap::new()).0, Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn shared_type_names_are_seen() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let all = definitions(&[
        source("a", "struct Held;\npub(super) enum Kept {}\nmod inner { trait Held {} }"),
        source(
            "b",
            "type Held = u8;\n#[cfg(test)]\nstruct Kept;\n#[cfg(test)]\nmod tests { struct Kept; }",
        ),
        source(
            "c",
            "#[cfg(unix)]\nstruct Own;\n#[cfg(not(unix))]\nstruct Own;\nfn f() { struct Kept; }",
        ),
        source(
            "d",
            "string_enum! {\n    /// Of `struct Own`.\n    pub enum Own { One = \"one\" }\n}",
        ),
        source("e", "// @generated\nstruct Kept;"),
        source("e/tests", "struct Kept;"),
    ]);
    assert_eq!(all["Held"], ["a", "a/inner", "b"]);
    assert_eq!(all["Kept"], ["a"]);
    assert_eq!(all["Own"], ["c", "d"]);
    let listed = |text: &str| compare(&all, &read_list(text));
    assert_eq!(listed("Held 3\nOwn 2\n"), (vec![], false));
    assert_eq!(listed("Held 2\nOwn 2\n"), (vec!["Held: a, a/inner, b".to_owned()], false));
    assert_eq!(listed("Held 3\n").0, ["Own: c, d"]);
    assert!(listed("Held 4\nOwn 2\n").1);
    assert!(listed("Held 3\nKept 1\nOwn 2\n").1);
    assert!(listed("Gone 2\nHeld 3\nOwn 2\n").1);
}

//! Rejects phrases that are never right, wherever a user looks: pages, help, messages, public documentation.

use std::fs;
use std::path::{Path, PathBuf};

use super::sources::sources;

/// Phrases that hide who acts or negate the noun; CONTRIBUTING.md explains what to write instead.
const NEVER: &[&str] = &[
    "is none",
    "are none",
    "was none",
    "were none",
    "gone on with",
    "found out",
    "finds out",
    "gone through",
    "is told",
    "are told",
    "was told",
    "again and again",
    "anew",
    "beyond ascii",
    "is at hand",
    "is no host",
    "are no hosts",
    "is no link",
    "are no links",
    "is no text",
    "is no iri",
    "is no number",
    "is no file",
    "is no address",
    "are no addresses",
    "is no utf 8",
];

/// Returns the phrases of `text` that are never right, each with a few words after it. Code is not checked.
fn wrong(text: &str) -> Vec<String> {
    let prose: String = text.split("```").step_by(2).collect::<Vec<_>>().join(" ");
    // Line by line, so that a single backquote affects no other line.
    let prose: String = prose
        .lines()
        .flat_map(|line| line.split('`').step_by(2).chain(["\n"]))
        .collect::<Vec<_>>()
        .join(" ");
    let lower = prose.to_lowercase();
    let words: Vec<_> =
        lower.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut wrong = Vec::new();
    for phrase in NEVER {
        let phrase: Vec<_> = phrase.split(' ').collect();
        for (at, window) in words.windows(phrase.len()).enumerate() {
            if window == phrase {
                let around = &words[at.saturating_sub(4)..words.len().min(at + 8)];
                wrong.push(around.join(" "));
            }
        }
    }
    wrong
}

/// Returns the doc comments of a source that may be public: of `pub` items, of variants and of modules; in the
/// definitions of options, all.
fn comments(text: &str, is_help: bool) -> String {
    let (mut all, mut block) = (String::new(), String::new());
    for line in text.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("///") {
            block += comment;
            block.push('\n');
            continue;
        }
        if line.starts_with("#[") || line.starts_with(")]") {
            continue;
        }
        let is_variant =
            line.starts_with(|first: char| first.is_ascii_uppercase()) && line.ends_with(',');
        if is_help || line.starts_with("pub ") || is_variant {
            all += &block;
            all.push_str("\n.\n");
        }
        block.clear();
    }
    all
}

#[test]
fn nothing_that_a_user_reads_has_a_phrase_that_is_never_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = |folder: &str, extension: &str| {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
    };
    let mut pages: Vec<PathBuf> = entries("docs", "md");
    // It is written for the developers of linksift.
    pages.retain(|page| !page.ends_with("architecture.md"));
    for folder in [".", "cli", "bindings/c", "bindings/python", "bindings/web"] {
        pages.extend::<Vec<PathBuf>>(entries(folder, "md"));
    }
    let mut texts: Vec<_> = pages
        .iter()
        .map(|page| (page.display().to_string(), fs::read_to_string(page).unwrap()))
        .collect();
    let count = texts.len();
    let cases: Vec<PathBuf> = entries("fixtures/cmd", "case");
    for case in cases {
        let text = fs::read_to_string(&case).unwrap();
        let messages: Vec<_> = text.lines().filter(|line| line.starts_with("! ")).collect();
        texts.push((case.display().to_string(), messages.join("\n")));
    }
    for source in sources() {
        let is_help = source.path.starts_with("cli/args") || source.path == "cli/iri_commands";
        if source.is_command() && !is_help || source.path.contains("tests") {
            continue;
        }
        texts.push((source.path.clone(), comments(&source.text, is_help)));
    }
    assert!(count >= 16 && texts.len() > 200, "{count} pages of {} texts", texts.len());
    let wrong: Vec<_> = texts
        .iter()
        .flat_map(|(name, text)| {
            wrong(text).into_iter().map(move |found| format!("{name}: {found}"))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "say who does what (CONTRIBUTING.md, English):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn phrases_are_found_over_lines_and_not_in_code() {
    assert_eq!(wrong("what is\nnone of it"), ["what is none of it"]);
    assert!(wrong("`is none` ```\nfound out\n``` is nonexistent").is_empty());
}

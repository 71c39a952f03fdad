//! What README and the pages of `docs/` show is run: each command comes to what stands below it, and each
//! example of a rule has the links that are marked in it.

// What is skipped is said.
#![allow(clippy::print_stderr)]

mod console;

use std::fs;
use std::path::Path;

use linksift::{Finder, Format, Hints, Reason, Severity, Warning};

fn pages() -> Vec<(String, String)> {
    let root = crate::root();
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    pages.extend(fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    let read = |page: &Path| {
        let name = page.strip_prefix(root).unwrap().display().to_string();
        (name, fs::read_to_string(page).unwrap())
    };
    pages.iter().map(|page| read(page)).collect()
}

#[test]
fn every_command_comes_to_what_the_page_shows() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, page) in pages() {
        let (ran, failures) = console::run(&page);
        count += ran;
        wrong.extend(failures.into_iter().map(|failure| format!("{name}: {failure}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 20, "only {count} commands were found");
}

/// What is found in an example, as text of the kind that its rule is about.
fn found(text: &str, is_code: bool, name: Option<&str>) -> Vec<String> {
    let hints = match (is_code, name) {
        (_, Some(name)) => Hints::new().format(Format::Auto).name(name),
        (true, None) => Hints::new().format(Format::Code),
        (false, None) => Hints::new(),
    };
    let finder = Finder::new();
    let links = finder.document(text.as_bytes(), &hints).unwrap().links();
    links.map(|link| link.raw().to_owned()).collect()
}

/// A text without the terminal sequences that colour parts of it, which `raw` does not have.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1B}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').unwrap().1);
    }
    plain
}

/// The examples of `docs/rules.md`: a link is what is between `⸠` and `⸡`.
#[test]
fn every_example_of_a_rule_has_the_links_that_are_marked() {
    let page = fs::read_to_string(crate::root().join("docs/rules.md")).unwrap();
    let text = page.split("## Values of markup").next().unwrap();
    let (mut count, mut wrong, mut is_code) = (0, Vec::new(), false);
    for line in text.lines() {
        if line.starts_with("## ") {
            is_code = line == "## Source code";
        }
        if !line.starts_with("| ") || line.starts_with("| rule") {
            continue;
        }
        let examples = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for example in examples.split('`').skip(1).step_by(2) {
            let example = example
                .replace("<U+0003>", "\u{3}")
                .replace("<U+00AD>", "\u{AD}")
                .replace("<U+200B>", "\u{200B}")
                .replace("<U+200C>", "\u{200C}")
                .replace("<ESC>", "\u{1B}")
                .replace("<BEL>", "\u{7}");
            let example = example.replace(r"\|", "|");
            let text = example.replace(['⸠', '⸡'], "");
            let endings =
                [("`.adoc`", "page.adoc"), ("`.rtf`", "page.rtf"), ("`.yaml`", "page.yaml")];
            let name = endings.iter().find(|(ending, _)| line.contains(ending));
            let found = found(&text, is_code, name.map(|(_, name)| *name));
            let marked: Vec<_> = example
                .split('⸠')
                .skip(1)
                .map(|rest| without_colours(rest.split('⸡').next().unwrap()))
                .collect();
            count += 1;
            if found != marked {
                wrong.push(format!("{example}\n  found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 60, "only {count} examples were found");
}

/// A warning that is a note is named on both pages, another one has a row with its severity; a reason is on the list
/// of reasons.
#[test]
fn every_code_is_on_its_page() {
    let page = |name| fs::read_to_string(crate::root().join(name)).unwrap();
    let (output, trust) = (page("docs/output.md"), page("docs/trust.md"));
    let mut wrong = Vec::new();
    let mut ask = |is_there: bool, code: &str, what: &str| {
        if !is_there {
            wrong.push(format!("{code}: no {what}"));
        }
    };
    for warning in Warning::ALL {
        let (code, severity) = (warning.as_str(), warning.severity());
        let name = format!("`{code}`");
        if severity == Severity::Note {
            let sentence = trust.lines().find(|line| line.ends_with(" are notes."));
            let is_there = sentence.is_some_and(|line| line.contains(&name));
            ask(is_there, code, "word in the list of notes of docs/trust.md");
            ask(output.contains(&name), code, "word in the list of warnings of docs/output.md");
        } else {
            let row = format!("\n| {name} | {severity}");
            ask(trust.contains(&row), code, &format!("row in docs/trust.md that begins {row:?}"));
        }
    }
    for code in Reason::ALL.iter().map(|reason| reason.as_str()) {
        let is_there = output.contains(&format!("`{code}`")) || code.starts_with("scheme-");
        ask(is_there, code, "word in the list of reasons of docs/output.md");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page in Shift_JIS that `docs/markup.md` shows is the file that its commands read.
#[test]
fn the_page_that_is_shown_is_the_file() {
    let page = fs::read_to_string(crate::root().join("docs/markup.md")).unwrap();
    let shown = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let file = crate::root().join("fixtures/readme/page.html");
    let charset: linksift::Charset = "shift_jis".parse().unwrap();
    assert_eq!(charset.decode(&fs::read(file).unwrap()), shown);
}

/// A link from page to page leads to a file.
#[test]
fn links_between_pages_lead_somewhere() {
    let root = crate::root();
    let others = [
        "benches",
        "bindings/c",
        "bindings/python",
        "bindings/web",
        "fuzz",
        "tests/faults",
        "tests/twins",
    ];
    let others = others.map(|folder| {
        let name = format!("{folder}/README.md");
        let page = fs::read_to_string(root.join(&name)).unwrap();
        (name, page)
    });
    let mut wrong = Vec::new();
    for (name, page) in pages().into_iter().chain(others) {
        let folder = root.join(&name).parent().unwrap().to_owned();
        for link in page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let (path, _) = link.split_once('#').unwrap_or((link, ""));
            let is_elsewhere = path.contains("://") || path.is_empty();
            if !is_elsewhere && !folder.join(path).exists() {
                wrong.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

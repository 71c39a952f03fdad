//! Links in Markdown: ours against comrak's, on the documents of a folder and on 100,000 random ones.
//!
//! Random ones may differ where the two read CommonMark differently (a comment that holds `--`, front
//! matter whose last line has spaces behind it); files may not.
//!
//! Compared are the destinations of inline links, images and autolinks, in order.

use std::fs;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use linksift::peek::runs;
use linksift_peers::{Random, files, folders};

/// The destinations of the links and images below `node`.
fn theirs<'a>(node: &'a AstNode<'a>, found: &mut Vec<String>) {
    for child in node.children() {
        let is_image = match &child.data.borrow().value {
            NodeValue::Link(link) => {
                found.push(link.url.clone());
                false
            }
            NodeValue::Image(link) => {
                found.push(link.url.clone());
                true
            }
            _ => false,
        };
        // What stands in an image's description is text.
        if !is_image {
            theirs(child, found);
        }
    }
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.front_matter_delimiter = Some("---".to_owned());
    options
}

fn compare(text: &str) -> Result<usize, String> {
    let arena = Arena::new();
    let mut found = Vec::new();
    theirs(parse_document(&arena, text, &options()), &mut found);
    let ours = runs("markdown", text.as_bytes(), &[]);
    let of = |prefix: &str| -> Vec<String> {
        let is_of = |f: &&linksift::peek::MarkupRun| f.context.starts_with(prefix);
        ours.iter().filter(is_of).map(|found| found.text.clone()).collect()
    };
    let definitions = of("markdown:definition");
    let ours: Vec<String> = ours
        .iter()
        .filter(|f| f.context.starts_with("markdown:") && f.context != "markdown:definition")
        .map(|f| f.text.clone())
        .collect();
    // A reference's destination is given where it is defined; an address is found as text.
    let mut rest: Vec<String> =
        found.into_iter().filter(|url| !url.is_empty() && !url.starts_with("mailto:")).collect();
    let mut missing = Vec::new();
    for one in ours.iter().filter(|url| !url.starts_with("mailto:")) {
        match rest.iter().position(|other| other == one) {
            Some(at) => drop(rest.remove(at)),
            None => missing.push(one.clone()),
        }
    }
    rest.retain(|url| !definitions.contains(url));
    match rest.is_empty() && missing.is_empty() {
        true => Ok(ours.len()),
        false => Err(format!("ours alone   {missing:?}\ntheirs alone {rest:?}")),
    }
}

fn main() {
    let (mut documents, mut links, mut differences) = (0, 0, 0);
    let mut real = 0;
    let mut note = |name: &str, text: &str| match compare(text) {
        Ok(found) => {
            documents += 1;
            links += found;
        }
        Err(difference) => {
            differences += 1;
            real += usize::from(name != "random");
            if differences <= 40 || name != "random" {
                println!("{name}: {:?}\n{difference}", text.chars().take(200).collect::<String>());
            }
        }
    };
    let mut seeds = Vec::new();
    for folder in folders() {
        for file in files(&folder, &["md", "markdown"]) {
            let Ok(bytes) = fs::read(&file) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            note(&file.display().to_string(), &text);
            seeds.push(text.chars().take(600).collect::<String>());
        }
    }
    const PIECES: [&str; 36] = [
        "[",
        "]",
        "(",
        ")",
        "](",
        "]: ",
        "![",
        "<",
        ">",
        "a",
        "http://e.com/",
        "*",
        "_",
        "**",
        "`",
        "``",
        "\n",
        "\n\n",
        "> ",
        "- ",
        "    ",
        "#",
        "\\",
        "&amp;",
        "&",
        "/b",
        "<a href='b'>",
        "</a>",
        "<!--",
        "-->",
        "\"t\"",
        " ",
        "表",
        "[a](/b)",
        "[a]: /c\n",
        "1. ",
    ];
    let mut random = Random(5);
    for n in 0..100_000 {
        let text = match n % 4 {
            0 if !seeds.is_empty() => {
                let seed = random.below(seeds.len());
                random.mutated(&seeds[seed], &PIECES)
            }
            _ => random.soup(&PIECES, 16),
        };
        note("random", &text);
    }
    println!(
        "markdown: {documents} documents alike, {links} links; {differences} differ, {real} of them files"
    );
    std::process::exit(i32::from(real > 0));
}

//! Character references by html5lib's tests, read where they lie, in text and in attributes.

use std::fs;
use std::path::Path;

use linksift::peek;
use serde_json::Value;

#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn cases(name: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/html5lib").join(name);
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("skipped: ../shared/html5lib/{name} is not here");
        return None;
    };
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    Some(file["tests"].take().as_array().expect("a list of cases").clone())
}

/// The value of the attribute, as we find it, resolved.
fn attribute(input: &str) -> String {
    let page = input.replacen("<h a=", "<a href=", 1);
    let found = peek::html(&[page.as_bytes()], 1 << 20);
    let value = found.first().unwrap_or_else(|| panic!("no value: {input:?}"));
    assert_eq!(value.context, "a@href", "{input:?}");
    peek::resolved(&page[value.range.clone()], "attribute")
}

fn run(name: &str, at_least: usize) {
    let Some(cases) = cases(name) else { return };
    let (mut texts, mut attributes) = (0, 0);
    for case in &cases {
        let input = case["input"].as_str().expect("an input");
        let output = case["output"].as_array().expect("an output");
        let wanted: String =
            output.iter().filter(|t| t[0] == "Character").filter_map(|t| t[1].as_str()).collect();
        match output.iter().find(|token| token[0] == "StartTag") {
            Some(tag) => {
                assert_eq!(attribute(input), tag[2]["a"].as_str().expect("a value"), "{input:?}");
                attributes += 1;
            }
            None => {
                assert_eq!(peek::resolved(input, "text"), wanted, "{input:?}");
                texts += 1;
            }
        }
        // In an attribute a reference that has its semicolon is what it is in text.
        if input.starts_with("&#") && input.ends_with(';') && !input.contains(['"', '\r']) {
            assert_eq!(attribute(&format!("<h a=\"{input}\">")), wanted, "{input:?}");
        }
    }
    assert_eq!(texts + attributes, cases.len());
    assert!(cases.len() >= at_least, "{} cases in {name}", cases.len());
}

#[test]
fn named_references() {
    run("entities.test", 80);
}

#[test]
fn numeric_references() {
    run("numericEntities.test", 336);
}

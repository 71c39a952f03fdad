//! Character references by html5lib's tests, read where they lie, in text and in attributes.

use linksift::peek;
use serde_json::Value;

fn cases(name: &str) -> Vec<Value> {
    let text = crate::beside::text(&format!("html5lib/{name}"));
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    file["tests"].take().as_array().expect("a list of cases").clone()
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
    let cases = cases(name);
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
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn named_references() {
    run("entities.test", 80);
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn numeric_references() {
    run("numericEntities.test", 336);
}

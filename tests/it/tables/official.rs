//! The derived properties against the official files of UTS #58, code point by code point.

use super::unicode::{LAST, link_brackets, link_email, link_term};
use super::{first_of, official_text, regenerating};
use linksift::tables::Term;

/// The rows of an official file: code points of the first field, and the second field.
pub(crate) fn official(text: &str) -> impl Iterator<Item = (std::ops::RangeInclusive<u32>, &str)> {
    let hex = |digits: &str| u32::from_str_radix(digits, 16).expect("a code point");
    text.lines().filter_map(move |line| {
        let data = line.split('#').next().unwrap_or_default().trim();
        let (range, value) = data.split_once(';').unwrap_or((data, ""));
        let range = range.trim();
        if range.is_empty() {
            return None;
        }
        let (first, last) = range.split_once("..").unwrap_or((range, range));
        Some((hex(first)..=hex(last), value.trim()))
    })
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn link_term_agrees_with_the_official_file() {
    if regenerating() {
        return;
    }
    let text = official_text("LinkTerm.txt");
    let mut expected = vec![Term::Hard; LAST as usize + 1];
    for (range, value) in official(&text) {
        let term = match value {
            "Hard" => Term::Hard,
            "Soft" => Term::Soft,
            "Open" => Term::Open,
            "Close" => Term::Close,
            "Include" => Term::Include,
            other => panic!("Link_Term {other}"),
        };
        expected[*range.start() as usize..=*range.end() as usize].fill(term);
    }
    let wrong: Vec<String> = (0..=LAST)
        .filter(|&c| link_term(c) != expected[c as usize])
        .map(|c| format!("U+{c:04X} {:?} {:?}", link_term(c), expected[c as usize]))
        .collect();
    assert!(wrong.is_empty(), "derived and official differ in {}", first_of(&wrong));
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn link_email_agrees_with_the_official_file() {
    if regenerating() {
        return;
    }
    let text = official_text("LinkEmail.txt");
    let mut expected = vec![false; LAST as usize + 1];
    for (range, _) in official(&text) {
        expected[*range.start() as usize..=*range.end() as usize].fill(true);
    }
    let wrong: Vec<String> = (0..=LAST)
        .filter(|&c| link_email(c) != expected[c as usize])
        .map(|c| format!("U+{c:04X}"))
        .collect();
    assert!(wrong.is_empty(), "derived and official differ in {}", first_of(&wrong));
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn link_bracket_agrees_with_the_official_file() {
    if regenerating() {
        return;
    }
    let text = official_text("LinkBracket.txt");
    let expected: Vec<(u32, u32)> = official(&text)
        .map(|(range, open)| (*range.start(), u32::from_str_radix(open, 16).expect("a code point")))
        .collect();
    let derived = link_brackets();
    let wrong: Vec<String> = derived
        .iter()
        .filter(|pair| !expected.contains(pair))
        .chain(expected.iter().filter(|pair| !derived.contains(pair)))
        .map(|(close, open)| format!("U+{close:04X} U+{open:04X}"))
        .collect();
    assert!(wrong.is_empty(), "derived and official differ in {}", first_of(&wrong));
    assert_eq!(derived, expected);
}

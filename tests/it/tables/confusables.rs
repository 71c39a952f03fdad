//! `src/generated/confusable_list.rs`: the skeletons of UTS #39 §4, for characters that hosts may have.
//!
//! The official file is the only source: where it is absent, the table is neither written nor compared
//! with it.

use super::official::official;
use super::ranges::{head, ranges, table};
use super::{UNICODE, keeps, official_text, regenerating, rows, settle};
use linksift::tables::identifiers;
use unicode_normalization::UnicodeNormalization;

/// Source and prototype of the official file, sorted by source.
fn prototypes() -> Vec<(char, String)> {
    let text = official_text("confusables.txt");
    let hex = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    let text = text.trim_start_matches('\u{FEFF}');
    let mut pairs: Vec<(char, String)> = official(text)
        .map(|(source, fields)| {
            let target = fields.split(';').next().unwrap_or_default();
            let target = target.split_whitespace().map(|digits| hex(digits).expect("a character"));
            (char::from_u32(*source.start()).expect("a character"), target.collect())
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Those that a mapped host can hold: allowed, decomposed as skeletons decompose them, no capitals.
fn of_hosts(pairs: &[(char, String)]) -> Vec<&(char, String)> {
    pairs
        .iter()
        .filter(|(source, _)| {
            let is_allowed = identifiers::class(u32::from(*source)).is_allowed();
            let is_decomposed = std::iter::once(*source).nfd().eq([*source]);
            is_allowed && is_decomposed && !source.is_uppercase()
        })
        .collect()
}

fn source(pairs: &[(char, String)]) -> String {
    let kept = of_hosts(pairs);
    let mut pool = String::new();
    let mut entries = Vec::new();
    for (source, target) in &kept {
        let at = pool.find(target.as_str()).unwrap_or_else(|| {
            pool.push_str(target);
            pool.len() - target.len()
        });
        assert!(at < 1 << 14 && target.len() < 1 << 5);
        entries.push(format!("(0x{:X}, 0x{:X})", u32::from(*source), at << 5 | target.len()));
    }
    let escaped: String = pool.chars().map(|c| c.escape_unicode().to_string()).collect();
    let mut lines = String::new();
    for chunk in escaped.split_inclusive('}').collect::<Vec<_>>().chunks(10) {
        lines += &format!("    {}\\\n", chunk.concat());
    }
    format!(
        "// Unicode {UNICODE}, UTS #39. {} bytes.\n\n\
         //! Characters that look like others, and what they look like.\n\n\
         /// Source; and where its prototype begins in [`PROTOTYPES`], times 32, with its bytes.\n\
         #[rustfmt::skip]\npub(super) static SOURCES: [(u32, u32); {}] = [\n{}\n];\n\n\
         /// The prototypes, one after the other, some inside others.\n\
         #[rustfmt::skip]\npub(super) static PROTOTYPES: &str = \"\\\n{lines}\";\n",
        entries.len() * 8 + pool.len(),
        entries.len(),
        rows(entries),
    )
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn generated_file_of_confusables_is_current() {
    if keeps("confusable_list.rs", "confusables.txt") {
        return;
    }
    settle("confusable_list.rs", &source(&prototypes()));
}

/// Punctuation and symbols whose prototype is an ASCII character that separates the parts of a URL. The dashes of prose
/// are not among them.
#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn generated_file_of_what_is_like_syntax_is_current() {
    if keeps("like_syntax.rs", "confusables.txt") {
        return;
    }
    let pairs = prototypes();
    let is_like = |c: char| {
        let at = pairs.binary_search_by_key(&c, |(source, _)| *source);
        let is_syntax = at.is_ok_and(|at| {
            matches!(pairs[at].1.as_str(), "/" | "?" | "#" | "@" | ":" | "." | "\\" | "-")
        });
        let class = linksift::tables::class(u32::from(c));
        is_syntax
            && !c.is_ascii()
            && !class.is_host()
            && !c.is_alphanumeric()
            && !matches!(c, '\u{2013}' | '\u{2014}')
    };
    let doc = "Characters beyond ASCII that look like `/ ? # @ : . \\` or `-`, without letters and marks.";
    let what = "What looks like the punctuation of URLs (UTS #39 §4)";
    settle("like_syntax.rs", &(head(what) + &table(doc, "LIKE_SYNTAX", &ranges(is_like))));
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn prototypes_agree_with_the_official_file() {
    use linksift::tables::identifiers::prototype;
    if regenerating() {
        return;
    }
    let pairs = prototypes();
    let kept = of_hosts(&pairs);
    assert!(kept.len() > 500, "{}", kept.len());
    for (source, target) in &kept {
        assert_eq!(prototype(*source), Some(target.as_str()), "{source:?}");
    }
    let listed = |c: char| kept.iter().any(|(source, _)| *source == c);
    for c in ('\0'..='\u{24FF}').filter(|&c| !listed(c)) {
        assert_eq!(prototype(c), None, "{c:?}");
    }
}

//! `src/generated/directions.rs` and `src/generated/like_ascii.rs`: ranges of code points by properties of Unicode.

use std::fmt::Write as _;

use icu_properties::CodePointMapData;
use icu_properties::props::{BidiClass, GeneralCategory};

use super::{UNICODE, settle};

pub(super) fn ranges(holds: impl Fn(char) -> bool) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for c in (0..=0x10FFFF).filter_map(char::from_u32).filter(|&c| holds(c)) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == c as u32 => *last = c as u32,
            _ => ranges.push((c as u32, c as u32)),
        }
    }
    ranges
}

/// What a file begins with.
pub(super) fn head(what: &str) -> String {
    format!("// Unicode {UNICODE}.\n\n//! {what}: ranges of code points, first and last.\n")
}

pub(super) fn table(doc: &str, name: &str, ranges: &[(u32, u32)]) -> String {
    let mut text = format!(
        "\n/// {doc}\n#[rustfmt::skip]\npub(crate) static {name}: [(u32, u32); {}] = [",
        ranges.len()
    );
    for (index, (first, last)) in ranges.iter().enumerate() {
        text += if index % 5 == 0 { "\n    " } else { " " };
        write!(text, "(0x{first:X}, 0x{last:X}),").expect("a string takes all");
    }
    text + "\n];\n"
}

#[test]
fn generated_file_of_directions_is_current() {
    let class = CodePointMapData::<BidiClass>::new();
    let rtl = ranges(|c| matches!(class.get(c), BidiClass::RightToLeft | BidiClass::ArabicLetter));
    // Unassigned ones take no part in text; without them the ranges are few.
    let category = CodePointMapData::<GeneralCategory>::new();
    let ltr = ranges(|c| {
        class.get(c) == BidiClass::LeftToRight
            && !matches!(category.get(c), GeneralCategory::PrivateUse)
            && category.get(c) != GeneralCategory::Unassigned
    });
    let text = head("Strong directions (`Bidi_Class`)")
        + &table("`R` and `AL`.", "RIGHT_TO_LEFT", &rtl)
        + &table("`L`, assigned and not for private use.", "LEFT_TO_RIGHT", &ltr);
    settle("directions.rs", &text);
}

#[test]
fn generated_file_of_what_is_like_ascii_is_current() {
    let decomposed = icu_normalizer::DecomposingNormalizerBorrowed::new_nfkd();
    let like_ascii = ranges(|c| {
        let text = decomposed.normalize(c.encode_utf8(&mut [0; 4])).into_owned();
        !c.is_ascii() && !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    let doc = "Characters beyond ASCII of which Form KD makes ASCII letters and digits.";
    let what = "What is compatible with ASCII letters and digits alone (Form KD)";
    settle("like_ascii.rs", &(head(what) + &table(doc, "LIKE_ASCII", &like_ascii)));
}

/// What the library calls a formatting character is General_Category Cf: it stays encoded.
#[test]
fn format_characters_are_cf() {
    let category = CodePointMapData::<GeneralCategory>::new();
    for c in (0x80..=0x10FFFF).filter_map(char::from_u32) {
        let mut uri = String::from("a:");
        for octet in c.encode_utf8(&mut [0; 4]).bytes() {
            write!(uri, "%{octet:02X}").expect("a string takes all");
        }
        let iri = linksift::iri::Iri::parse(&uri).expect("a URI").to_iri_text();
        let decoded = iri != uri;
        let expected = linksift::iri::is_ucschar(c)
            && !c.is_whitespace()
            && category.get(c) != GeneralCategory::Format
            && !linksift::iri::is_bidi_formatting(c);
        assert_eq!(decoded, expected, "U+{:04X}", c as u32);
    }
}

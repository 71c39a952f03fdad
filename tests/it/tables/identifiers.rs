//! `src/generated/identifier_list.rs` and `src/generated/exemplar_list.rs`: what characters are in names, what mapping a host
//! makes of them, and which languages write which Latin letters.
//!
//! Scripts and general categories come from ICU4X; `Identifier_Status`, which no crate has for this
//! version, from the official file. Where that is absent, the status is taken from the table on
//! disk, so that all else is still compared. The exemplars are those of the npm package
//! `cldr-misc-full` 48.0.0, unpacked where `LINKSIFT_CLDR` says.

use super::official::official;
use super::unicode::{LAST, uts46};
use super::{UNICODE, keeps, official_text, regenerating, rows, settle};
use icu_properties::props::{
    BidiClass, CanonicalCombiningClass, DefaultIgnorableCodePoint, GeneralCategory, Script,
};
use icu_properties::script::ScriptWithExtensions;
use icu_properties::{CodePointMapData, CodePointSetData, PropertyNamesShort};
use linksift::tables::identifiers;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::OnceLock;
use std::{env, fs};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What browsers leave out of the allowed characters: marks and hyphens that look like punctuation,
/// and blocks of letters that are rarely used (`docs/idn.md` of Chromium).
const LEFT_OUT: [(u32, u32); 16] = [
    (0x0138, 0x0138),
    (0x02BB, 0x02BC),
    (0x02EC, 0x02EC),
    (0x0338, 0x0338),
    (0x058A, 0x058A),
    (0x2010, 0x2010),
    (0x2019, 0x2019),
    (0x2027, 0x2027),
    (0x30A0, 0x30A0),
    (0x01CD, 0x01DC),
    (0x1C80, 0x1C8F),
    (0x1E00, 0x1E9B),
    (0x1F00, 0x1FFF),
    (0xA640, 0xA69F),
    (0xA720, 0xA7FF),
    (0x200C, 0x200D),
];

/// What an unassigned code point and the scripts that are not distinguished are called.
const OTHER: &str = "Zzzz";

fn category(c: u32) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get32(c)
}

/// The four-letter codes of a character's `Script_Extensions`.
fn scripts(c: u32) -> Vec<&'static str> {
    let names = PropertyNamesShort::<Script>::new();
    let extensions = ScriptWithExtensions::new().get_script_extensions_val32(c);
    extensions.iter().map(|script| names.get(script).unwrap_or(OTHER)).collect()
}

/// `Identifier_Status=Allowed`.
fn official_status() -> Vec<bool> {
    let text = official_text("IdentifierStatus.txt");
    let mut allowed = vec![false; LAST as usize + 1];
    for (range, value) in official(&text) {
        assert_eq!(value, "Allowed");
        allowed[*range.start() as usize..=*range.end() as usize].fill(true);
    }
    allowed
}

/// What hosts may have: the official status, all of Hani and Bopo, and without what browsers leave out.
fn host_status(c: u32, official: bool) -> bool {
    let is_left_out = LEFT_OUT.iter().any(|&(first, last)| (first..=last).contains(&c));
    let is_letter = category(c) == GeneralCategory::OtherLetter;
    let is_let_in = is_letter && scripts(c).iter().any(|&name| name == "Hani" || name == "Bopo");
    (official || is_let_in) && !is_left_out
}

/// Which code points hosts may have, from the official file or, without it, from the table on disk.
fn allowed() -> &'static [bool] {
    static ALLOWED: OnceLock<Vec<bool>> = OnceLock::new();
    ALLOWED.get_or_init(|| match cfg!(official_data) {
        true => {
            let status = official_status();
            (0..=LAST).map(|c| host_status(c, status[c as usize])).collect()
        }
        false => (0..=LAST).map(|c| identifiers::class(c).is_allowed()).collect(),
    })
}

/// The scripts that have a bit of their own: those of an allowed character, with the three unions of
/// UTS #39 §5.1; the last one is for all others.
fn members() -> &'static [&'static str] {
    static MEMBERS: OnceLock<Vec<&str>> = OnceLock::new();
    MEMBERS.get_or_init(|| {
        let mut names = BTreeSet::from(["Hanb", "Jpan", "Kore"]);
        for c in (0..=LAST).filter(|&c| allowed()[c as usize]) {
            // Marks of many scripts would let all of these in.
            if let [only] = scripts(c)[..]
                && !matches!(only, "Zyyy" | "Zinh")
            {
                names.insert(only);
            }
        }
        let mut names: Vec<_> = names.into_iter().collect();
        names.push(OTHER);
        assert!(names.len() < 64);
        names
    })
}

/// The scripts of a character as bits of [`members`].
fn script_bits(c: u32) -> u64 {
    let members = members();
    let bit = |name: &str| {
        let at = members.iter().position(|member| *member == name).unwrap_or(members.len() - 1);
        1 << at
    };
    let names = scripts(c);
    // A mark or sign that scripts share and that is not allowed is remarked on as such.
    let is_letter_or_digit =
        matches!(category(c), GeneralCategory::OtherLetter | GeneralCategory::DecimalNumber);
    if names.len() > 1 && !allowed()[c as usize] && !is_letter_or_digit {
        return u64::MAX;
    }
    let mut bits = 0;
    for name in names {
        bits |= match name {
            "Zyyy" | "Zinh" => return u64::MAX,
            "Hani" => bit("Hani") | bit("Hanb") | bit("Jpan") | bit("Kore"),
            "Hira" | "Kana" => bit(name) | bit("Jpan"),
            "Hang" => bit("Hang") | bit("Kore"),
            "Bopo" => bit("Bopo") | bit("Hanb"),
            _ => bit(name),
        };
    }
    bits
}

/// Flags of a character that mapping a host leaves as it is, whatever is beside it, or of a mark that it leaves where it is
/// among others; 0 for all others.
///
/// UTS #46 calls it valid and maps it to itself, and it is no joiner. It has the quick check of NFC, and is not reordered: the
/// class of viramas, alone beside that of starters, leaves nothing to be done. Marks of greater classes are in order if their
/// code points ascend, as [`ORDERED_CLASSES`] has them. It is strong from left to right, or from
/// right to left, or a mark without a direction.
fn mapping_flags(c: u32) -> u8 {
    const STAYS: u8 = 8;
    const RIGHT_TO_LEFT: u8 = 16;
    const MARK: u8 = 32;
    const ORDERED: u8 = 64;
    let Some(c) = char::from_u32(c).filter(|c| !c.is_ascii()) else { return 0 };
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let combining = CodePointMapData::<CanonicalCombiningClass>::new().get(c);
    let is_ordered = ORDERED_CLASSES.contains(&combining);
    let is_in_order = is_ordered
        || matches!(
            combining,
            CanonicalCombiningClass::NotReordered | CanonicalCombiningClass::Virama
        );
    let is_composed = is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes;
    let is_valid = uts46(u32::from(c)).is_some_and(|mapped| mapped.chars().eq([c]));
    if !is_in_order || !is_composed || !is_valid || ignorable.contains(c) {
        return 0;
    }
    let is_mark = matches!(
        category(u32::from(c)),
        GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::EnclosingMark
    );
    match (CodePointMapData::<BidiClass>::new().get(c), is_mark) {
        (BidiClass::NonspacingMark, true) if is_ordered => ORDERED,
        (BidiClass::LeftToRight | BidiClass::NonspacingMark, true) => STAYS | MARK,
        (BidiClass::LeftToRight, false) => STAYS,
        (BidiClass::RightToLeft | BidiClass::ArabicLetter, false) => STAYS | RIGHT_TO_LEFT,
        _ => 0,
    }
}

/// Combining classes of the marks of Arabic, Thai and Lao, which ascend as their code points do.
const ORDERED_CLASSES: [CanonicalCombiningClass; 12] = [
    CanonicalCombiningClass::CCC27,
    CanonicalCombiningClass::CCC28,
    CanonicalCombiningClass::CCC29,
    CanonicalCombiningClass::CCC30,
    CanonicalCombiningClass::CCC31,
    CanonicalCombiningClass::CCC32,
    CanonicalCombiningClass::CCC33,
    CanonicalCombiningClass::CCC34,
    CanonicalCombiningClass::CCC103,
    CanonicalCombiningClass::CCC107,
    CanonicalCombiningClass::CCC118,
    CanonicalCombiningClass::CCC122,
];

fn flags(c: u32) -> u8 {
    // What is not allowed is remarked on whatever else it is, and rare: the long way of mapping is for it.
    if !allowed()[c as usize] {
        return 0;
    }
    let kind = match category(c) {
        GeneralCategory::NonspacingMark => 2,
        GeneralCategory::DecimalNumber => 4,
        _ => 0,
    };
    1 | kind | mapping_flags(c)
}

/// The zeros of all systems of decimal digits.
fn zeros() -> Vec<u32> {
    let mut zeros = Vec::new();
    let mut c = 0;
    while c <= LAST {
        if category(c) == GeneralCategory::DecimalNumber {
            zeros.push(c);
            c += 10;
        } else {
            c += 1;
        }
    }
    zeros
}

fn classes() -> &'static [(u64, u8)] {
    static CLASSES: OnceLock<Vec<(u64, u8)>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let mut class = (u64::MAX, 0);
        (0..=LAST)
            .map(|c| {
                // An unassigned one has the scripts of the one before, which makes for fewer leaves.
                class = match category(c) {
                    GeneralCategory::Unassigned => (class.0, 0),
                    _ => (script_bits(c), flags(c)),
                };
                class
            })
            .collect()
    })
}

/// How many code points a leaf has.
const BLOCK: usize = 64;

/// How many leaves there are places for: beyond the last character of these planes are tags and variation selectors.
fn dense_end() -> usize {
    let last = (0..0xE0000).rev().find(|&c| {
        category(c) != GeneralCategory::Unassigned && category(c) != GeneralCategory::PrivateUse
    });
    last.map_or(0, |c| c as usize / BLOCK + 1)
}

fn source() -> String {
    let dense_end = dense_end();
    let mut distinct: Vec<(u64, u8)> = Vec::new();
    let mut leaves: Vec<Vec<u8>> = Vec::new();
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut index = Vec::new();
    for block in classes()[..dense_end * BLOCK].chunks(BLOCK) {
        let leaf: Vec<u8> = block
            .iter()
            .map(|class| {
                let at = distinct.iter().position(|one| one == class).unwrap_or_else(|| {
                    distinct.push(*class);
                    distinct.len() - 1
                });
                u8::try_from(at).expect("fewer than 256 classes")
            })
            .collect();
        let number = *numbers.entry(leaf.clone()).or_insert_with(|| {
            leaves.push(leaf);
            leaves.len() - 1
        });
        index.push(u8::try_from(number).expect("fewer than 256 leaves"));
    }
    let mut text = format!(
        "// Unicode {UNICODE}. The trie holds {} bytes, and {} classes.\n\n\
         //! Classes of characters in names, as a trie with leaves of {BLOCK} code points.\n\n",
        index.len() + leaves.len() * BLOCK,
        distinct.len(),
    );
    text += &format!(
        "/// The code points below this have a leaf.\n\
         pub(super) const DENSE_END: u32 = 0x{:X};\n\n",
        dense_end * BLOCK
    );
    text += "/// The scripts that rules name, each as its bit.\n#[allow(missing_docs, reason = \"named as ISO 15924 names them\")]\npub mod bits {\n";
    for (at, name) in members().iter().enumerate() {
        text += &format!("    pub const {}: u64 = 1 << {at};\n", name.to_uppercase());
    }
    text += "}\n\n";
    text += &format!(
        "/// The names of the bits.\n\
         #[rustfmt::skip]\npub(super) static NAMES: [&str; {}] = [\n{}\n];\n\n",
        members().len(),
        rows(members().iter().map(|name| format!("{name:?}"))),
    );
    text += &format!(
        "/// Scripts and flags.\n\
         #[rustfmt::skip]\npub(super) static CLASSES: [(u64, u8); {}] = [\n{}\n];\n\n",
        distinct.len(),
        rows(distinct.iter().map(|(scripts, flags)| match *scripts {
            u64::MAX => format!("(u64::MAX, {flags})"),
            _ => format!("(0x{scripts:X}, {flags})"),
        })),
    );
    text += &format!(
        "/// The zeros of the systems of decimal digits, sorted.\n\
         #[rustfmt::skip]\npub(super) static ZEROS: [u32; {}] = [\n{}\n];\n\n",
        zeros().len(),
        rows(zeros().iter().map(|zero| format!("0x{zero:X}"))),
    );
    text += &format!(
        "/// The leaf of each block of {BLOCK} code points.\n\
         #[rustfmt::skip]\npub(super) static INDEX: [u8; {}] = [\n{}\n];\n\n",
        index.len(),
        rows(&index),
    );
    text += &format!(
        "/// The classes, {BLOCK} a row.\n\
         #[rustfmt::skip]\npub(super) static LEAVES: [[u8; {BLOCK}]; {}] = [\n",
        leaves.len(),
    );
    for leaf in leaves {
        let numbers: Vec<String> = leaf.iter().map(u8::to_string).collect();
        text += &format!("    [{}],\n", numbers.join(","));
    }
    text + "];\n"
}

#[test]
fn generated_file_of_identifiers_is_current() {
    if keeps("identifier_list.rs", "IdentifierStatus.txt") {
        return;
    }
    settle("identifier_list.rs", &source());
}

#[test]
fn every_code_point_has_its_class_of_names() {
    if regenerating() {
        return;
    }
    let dense_end = (dense_end() * BLOCK) as u32;
    for (c, &(scripts, flags)) in (0..=LAST).zip(classes()) {
        let class = identifiers::class(c);
        if c >= dense_end {
            assert_eq!((class.is_allowed(), flags), (false, 0), "U+{c:04X}");
            continue;
        }
        assert_eq!(class.scripts(), identifiers::Scripts::of(scripts), "U+{c:04X}");
        assert_eq!(class.is_allowed(), flags & 1 != 0, "U+{c:04X}");
        assert_eq!(class.is_nonspacing_mark(), flags & 2 != 0, "U+{c:04X}");
        assert!(!class.is_allowed() || category(c) != GeneralCategory::Unassigned, "U+{c:04X}");
        let Some(c) = char::from_u32(c) else { continue };
        let zero = class.digit_system(c);
        assert_eq!(zero.is_some(), flags & 4 != 0, "{c:?}");
        assert!(zero.is_none_or(|zero| (zero..=c).count() <= 10), "{c:?}");
    }
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn status_agrees_with_the_official_file() {
    if regenerating() {
        return;
    }
    let status = official_status();
    for (c, &official) in (0..=LAST).zip(&status) {
        assert_eq!(identifiers::class(c).is_allowed(), host_status(c, official), "U+{c:04X}");
    }
}

/// The exemplars of all languages, where they have been fetched: the non-ASCII letters of each.
fn exemplars() -> Option<BTreeMap<String, BTreeSet<char>>> {
    let root = env::var_os("LINKSIFT_CLDR")?;
    let mut alphabets = BTreeMap::new();
    for entry in fs::read_dir(Path::new(&root).join("main")).expect("the package's folder") {
        let folder = entry.expect("a folder").path();
        let text = fs::read_to_string(folder.join("characters.json")).expect("a language");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let set = &json["main"][&name]["characters"]["exemplarCharacters"];
        alphabets.insert(name, latin_letters(set.as_str().expect("a set")));
    }
    Some(alphabets)
}

/// The Latin non-ASCII letters of a set: `[aä {dž} à-ã \u0131]`.
fn latin_letters(set: &str) -> BTreeSet<char> {
    let mut letters = Vec::new();
    let mut rest = set.nfc().peekable();
    while let Some(c) = rest.next() {
        match c {
            '[' | ']' | '{' | '}' | ' ' => {}
            '\\' => match rest.next() {
                Some('u') => {
                    let hex: String = rest.by_ref().take(4).collect();
                    letters.extend(u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32));
                }
                other => letters.extend(other),
            },
            '-' => {
                let (Some(&first), Some(last)) = (letters.last(), rest.next()) else { continue };
                letters.extend(first..=last);
            }
            _ => letters.push(c),
        }
    }
    let latin = identifiers::Scripts::of(identifiers::bits::LATN);
    let is_latin = |c: &char| {
        let class = identifiers::class(u32::from(*c));
        !c.is_ascii() && class.scripts() == latin && !class.is_nonspacing_mark()
    };
    letters.into_iter().filter(is_latin).collect()
}

/// Alphabets that are part of no other one, in the order of their letters.
fn maximal(alphabets: &BTreeMap<String, BTreeSet<char>>) -> Vec<&BTreeSet<char>> {
    let distinct: BTreeSet<_> = alphabets.values().filter(|set| set.len() > 1).collect();
    let is_part = |set: &BTreeSet<char>| {
        distinct.iter().any(|other| other.len() > set.len() && set.is_subset(other))
    };
    distinct.iter().copied().filter(|set| !is_part(set)).collect()
}

#[test]
fn generated_file_of_exemplars_is_current() {
    let Some(alphabets) = exemplars() else { return };
    let kept = maximal(&alphabets);
    assert!(kept.len() <= 128, "{}", kept.len());
    let letters: BTreeSet<char> = kept.iter().flat_map(|set| set.iter().copied()).collect();
    let row = |c: &char| {
        let bits = kept
            .iter()
            .enumerate()
            .filter(|(_, set)| set.contains(c))
            .fold(0u128, |bits, (at, _)| bits | 1 << at);
        format!("({c:?}, 0x{bits:X})")
    };
    let text = format!(
        "// CLDR 48.0, main exemplars of {} locales.\n\n\
         //! Latin non-ASCII letters, and the alphabets that have them.\n\n\
         /// Letter and alphabets, {} of them as bits, sorted.\n\
         #[rustfmt::skip]\npub(super) static LETTERS: [(char, u128); {}] = [\n{}\n];\n",
        alphabets.len(),
        kept.len(),
        letters.len(),
        rows(letters.iter().map(row)),
    );
    settle("exemplar_list.rs", &text);
}

#[test]
fn alphabets_of_some_languages() {
    use linksift::tables::identifiers::alphabets;
    let together = |word: &str| {
        let beyond = word.chars().filter(|c| !c.is_ascii());
        beyond.fold(u128::MAX, |bits, c| bits & alphabets(c)) != 0
    };
    for word in ["äöüß", "éèêëçœ", "ąćęłńóśźż", "çğıöşü", "ăâđêôơư", "þæöðáéíóú", "ñáéíóúü"]
    {
        assert!(together(word), "{word}");
    }
    for word in ["ßø", "łç", "şø", "ğă", "æłß"] {
        assert!(!together(word), "{word}");
    }
}

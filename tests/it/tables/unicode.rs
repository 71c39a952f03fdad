//! `src/generated/unicode.rs`: classes and brackets, derived from properties of Unicode.
//!
//! The properties come from ICU4X, pinned at the release that has this version; the derivation is
//! the one that UTS #58 gives in its section on property data.

use super::{CHARACTERS, UNICODE, regenerating, rows, settle};
use icu_normalizer::uts46::Uts46MapperBorrowed;
use icu_properties::props::{
    Alphabetic, BidiMirroringGlyph, BidiPairedBracketType, BinaryProperty, Deprecated,
    GeneralCategory, LineBreak, Lowercase, NoncharacterCodePoint, TerminalPunctuation, Uppercase,
    WhiteSpace, XidContinue,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use linksift::tables::{self, Class, Term};
use std::collections::HashMap;
use std::sync::OnceLock;

pub(crate) const LAST: u32 = 0x10FFFF;

/// Characters that are `Include` and invisible, or stand for what could not be decoded: they end a
/// link (RFC 3987, 4.1 forbids the first three rows).
const ENDERS: [(u32, u32); 7] = [
    (0x061C, 0x061C),
    (0x200E, 0x200F),
    (0x202A, 0x202E),
    (0x2066, 0x2069),
    (0x00AD, 0x00AD),
    (0x200B, 0x200B),
    (0xFEFF, 0xFEFF),
];
const REPLACEMENT: u32 = 0xFFFD;

/// `Soft` characters that in a script without spaces end a clause.
const PROSE_STOPS: &str = "。、，；：！？｡､";

/// What may stand in a host though it is no letter, mark or number.
const JOINERS: [u32; 7] = [0x00B7, 0x05F3, 0x05F4, 0x0F0B, 0x200C, 0x200D, 0x30FB];

fn general_category(c: u32) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get32(c)
}

fn has<P: BinaryProperty>(c: u32) -> bool {
    CodePointSetData::new::<P>().contains32(c)
}

fn bracket(c: u32) -> BidiMirroringGlyph {
    CodePointMapData::<BidiMirroringGlyph>::new().get32(c)
}

/// `Link_Term` as UTS #58 defines it: one of the first five values. Computed once for all code
/// points, since without optimization these lookups are most of the time of this test.
pub(crate) fn link_term(c: u32) -> Term {
    static TERMS: OnceLock<Vec<Term>> = OnceLock::new();
    TERMS.get_or_init(|| (0..=LAST).map(derive_link_term).collect())[c as usize]
}

fn derive_link_term(c: u32) -> Term {
    let other = matches!(
        general_category(c),
        GeneralCategory::Unassigned
            | GeneralCategory::Control
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
    );
    if other || has::<WhiteSpace>(c) || has::<NoncharacterCodePoint>(c) || has::<Deprecated>(c) {
        return Term::Hard;
    }
    match (bracket(c).paired_bracket_type, char::from_u32(c)) {
        (BidiPairedBracketType::Open, _) | (_, Some('<')) => return Term::Open,
        (BidiPairedBracketType::Close, _) | (_, Some('>')) => return Term::Close,
        _ => {}
    }
    let quotation = CodePointMapData::<LineBreak>::new().get32(c) == LineBreak::Quotation;
    if has::<TerminalPunctuation>(c) || quotation { Term::Soft } else { Term::Include }
}

fn is_ender(c: u32) -> bool {
    c == REPLACEMENT || ENDERS.iter().any(|&(first, last)| (first..=last).contains(&c))
}

fn is_prose_stop(c: u32) -> bool {
    PROSE_STOPS.chars().any(|stop| stop as u32 == c)
}

/// The term with our two classes singled out.
fn term(c: u32) -> Term {
    match link_term(c) {
        Term::Include if is_ender(c) => Term::Ender,
        Term::Soft if is_prose_stop(c) => Term::ProseStop,
        other => other,
    }
}

/// `Link_Email`: XID_Continue outside of ASCII, RFC 5322's atext, and the dot.
pub(crate) fn link_email(c: u32) -> bool {
    match u8::try_from(c) {
        Ok(b) if b.is_ascii() => b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&b),
        _ => has::<XidContinue>(c),
    }
}

/// `Link_Bracket`, as pairs of the closing and the opening bracket.
pub(crate) fn link_brackets() -> Vec<(u32, u32)> {
    (0..=LAST)
        .filter(|&c| link_term(c) == Term::Close)
        .map(|c| match bracket(c).mirroring_glyph {
            Some(open) => (c, open as u32),
            None => panic!("U+{c:04X} closes nothing"),
        })
        .collect()
}

fn is_letter(c: u32) -> bool {
    use GeneralCategory::*;
    matches!(
        general_category(c),
        UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter
    )
}

fn is_mark_or_number(c: u32) -> bool {
    use GeneralCategory::*;
    matches!(
        general_category(c),
        NonspacingMark | SpacingMark | EnclosingMark | DecimalNumber | LetterNumber | OtherNumber
    )
}

/// What UTS #46 maps a character to, without regard to its neighbours; none if it disallows it.
pub(crate) fn uts46(c: u32) -> Option<String> {
    let c = char::from_u32(c)?;
    let mapped: String = Uts46MapperBorrowed::new().map_normalize(std::iter::once(c)).collect();
    (!mapped.contains('\u{FFFD}')).then_some(mapped)
}

fn is_ascii_host(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

/// A letter, mark, number or joiner that stays in a link.
fn is_host_material(c: u32) -> bool {
    (is_letter(c) || is_mark_or_number(c) || JOINERS.contains(&c)) && term(c) == Term::Include
}

/// A letter by all but its category, whose host is one of ASCII: `ⓔ`.
fn is_enclosed_letter(c: u32) -> bool {
    has::<Alphabetic>(c) && uts46(c).is_some_and(|mapped| mapped.chars().all(is_ascii_host))
}

fn is_host(c: u32) -> bool {
    match char::from_u32(c) {
        None => false,
        Some(c) if c.is_ascii() => is_ascii_host(c),
        Some(_) => {
            (is_host_material(c) || is_enclosed_letter(c))
                && uts46(c).is_some_and(|mapped| {
                    // Ignored characters map to nothing.
                    !mapped.is_empty()
                        && mapped.chars().all(|m| {
                            is_ascii_host(m) || !m.is_ascii() && is_host_material(m as u32)
                        })
                })
        }
    }
}

fn is_host_symbol(c: u32) -> bool {
    let selector = c == 0xFE0E || c == 0xFE0F;
    let symbol = matches!(
        general_category(c),
        GeneralCategory::OtherSymbol | GeneralCategory::ModifierSymbol
    );
    // `℀` maps to `a/c` and `´` to a space and a mark: no host holds these.
    (selector || symbol && !is_enclosed_letter(c))
        && term(c) == Term::Include
        && uts46(c).is_some_and(|mapped| mapped.chars().all(|m| is_ascii_host(m) || !m.is_ascii()))
}

fn is_cased(c: u32) -> bool {
    is_letter(c)
        && (has::<Lowercase>(c)
            || has::<Uppercase>(c)
            || general_category(c) == GeneralCategory::TitlecaseLetter)
}

/// The derived classes of all code points.
fn classes() -> &'static [u8] {
    static CLASSES: OnceLock<Vec<u8>> = OnceLock::new();
    CLASSES.get_or_init(|| (0..=LAST).map(class).collect())
}

fn class(c: u32) -> u8 {
    let mut bits = term(c) as u8;
    for (bit, holds) in [
        (Class::HOST, is_host(c)),
        (Class::HOST_SYMBOL, is_host_symbol(c)),
        (Class::EMAIL, link_email(c)),
        (Class::WHITE_SPACE, has::<WhiteSpace>(c)),
        (Class::CASED, is_cased(c)),
    ] {
        if holds {
            bits |= bit;
        }
    }
    bits
}

/// The trie of the classes, and the brackets, as Rust.
fn source() -> String {
    const BLOCK: usize = 64;
    let blocks: Vec<&[u8]> = classes().chunks(BLOCK).collect();
    // Planes 14 to 16 are far; what is dense ends with the last block before them that says
    // something.
    let far_start = 0xE0000 / BLOCK;
    let last_used = |range: std::ops::Range<usize>| {
        range.rev().find(|&at| blocks[at].iter().any(|&bits| bits != 0)).map_or(0, |at| at + 1)
    };
    let dense_end = last_used(0..far_start);
    let far_end = last_used(far_start..blocks.len());

    let (mut leaves, mut numbers) = (Vec::new(), HashMap::new());
    let index: Vec<usize> = blocks[..dense_end]
        .iter()
        .chain(&blocks[far_start..far_end])
        .map(|&block| {
            *numbers.entry(block).or_insert_with(|| {
                leaves.push(block);
                leaves.len() - 1
            })
        })
        .collect();

    let brackets = link_brackets();
    let mut text = format!(
        "// Unicode {UNICODE}. The trie holds {} bytes.\n\n\
         //! Classes of characters, as a trie with leaves of {BLOCK} code points, and brackets.\n\n",
        index.len() * 2 + leaves.len() * BLOCK,
    );
    let version = UNICODE.split_once('.').expect("a version with a dot");
    text += &format!(
        "/// The version of Unicode whose data these are.\n\
         pub(crate) const VERSION: (u8, u8, u8) = ({}, {}, 0);\n\n",
        version.0, version.1
    );
    for (doc, name, block) in [
        ("The code points below this are looked up directly.", "DENSE_END", dense_end),
        (
            "The first of the code points whose blocks follow the dense ones.",
            "FAR_START",
            far_start,
        ),
        ("The end of those. All others are unassigned or private.", "FAR_END", far_end),
    ] {
        let value = block * BLOCK;
        text += &format!("/// {doc}\npub(super) const {name}: u32 = 0x{value:X};\n\n");
    }
    text += &format!(
        "/// The leaf of each block of {BLOCK} code points.\n\
         #[rustfmt::skip]\npub(super) static INDEX: [u16; {}] = [\n{}\n];\n\n",
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
    text += "];\n\n";
    text += &format!(
        "/// `Link_Bracket`: closing and opening bracket, sorted.\n\
         #[rustfmt::skip]\npub static BRACKETS: [(u32, u32); {}] = [\n{}\n];\n",
        brackets.len(),
        rows(brackets.iter().map(|(close, open)| format!("(0x{close:X}, 0x{open:X})"))),
    );
    text
}

#[test]
fn properties_are_those_of_the_version() {
    let characters = (0..=LAST)
        .filter(|&c| {
            !matches!(
                general_category(c),
                GeneralCategory::Unassigned
                    | GeneralCategory::Control
                    | GeneralCategory::PrivateUse
                    | GeneralCategory::Surrogate
            )
        })
        .count();
    assert_eq!(
        characters, CHARACTERS,
        "icu_properties has another version than UNICODE in tests/it/tables.rs names, {UNICODE}"
    );
}

#[test]
fn generated_file_is_current() {
    settle("unicode.rs", &source());
}

#[test]
fn every_code_point_has_its_derived_class() {
    if regenerating() {
        return;
    }
    for (c, &expected) in (0..=LAST).zip(classes()) {
        let class = tables::class(c);
        assert_eq!(class.bits(), expected, "U+{c:04X}");
        assert_eq!(class.term() as u8, expected & Class::TERM, "U+{c:04X}");
    }
    for c in [LAST + 1, LAST + 64, 0x8000_0000, u32::MAX] {
        assert_eq!(tables::class(c).bits(), 0, "0x{c:X}");
    }
    for b in 0..=u8::MAX {
        let expected = if b.is_ascii() { classes()[b as usize] } else { 0 };
        assert_eq!(tables::class_ascii(b).bits(), expected, "0x{b:02X}");
    }
}

#[test]
fn every_closing_bracket_has_its_opening_one() {
    if regenerating() {
        return;
    }
    let pairs: HashMap<u32, u32> = link_brackets().into_iter().collect();
    assert!(tables::BRACKETS.is_sorted());
    for c in 0..=LAST {
        assert_eq!(tables::opening_bracket(c), pairs.get(&c).copied(), "U+{c:04X}");
    }
}

#[test]
fn assigned_characters_are_those_of_the_version() {
    if regenerating() {
        return;
    }
    for c in '\0'..=char::MAX {
        let is_assigned = general_category(c as u32) != GeneralCategory::Unassigned;
        assert_eq!(tables::is_assigned(c), is_assigned, "U+{:04X}", c as u32);
    }
    let (major, minor, update) = linksift::UNICODE_VERSION;
    assert_eq!((format!("{major}.{minor}").as_str(), update), (UNICODE, 0));
}

/// Our two classes must be what UTS #58 calls `Include` and `Soft`, else they would not be ours to
/// single out.
#[test]
fn singled_out_terms_are_include_and_soft() {
    if regenerating() {
        return;
    }
    for c in ENDERS.iter().flat_map(|&(first, last)| first..=last).chain([REPLACEMENT]) {
        assert_eq!(link_term(c), Term::Include, "U+{c:04X}");
        assert_eq!(tables::class(c).term(), Term::Ender, "U+{c:04X}");
    }
    for c in PROSE_STOPS.chars() {
        assert_eq!(
            link_term(c as u32),
            Term::Soft,
            "{c}: only `Soft` characters end prose; one that is left out at an end alone is a row of src/tables/punctuation.rs"
        );
        assert_eq!(tables::class(c as u32).term(), Term::ProseStop, "{c}");
    }
}

/// No character is both kinds of host character, and each of either kind stays in a link.
#[test]
fn host_characters_are_include_and_of_one_kind() {
    if regenerating() {
        return;
    }
    for c in 0..=LAST {
        let class = tables::class(c);
        assert!(!(class.is_host() && class.is_host_symbol()), "U+{c:04X}");
        if class.is_host() || class.is_host_symbol() {
            assert_eq!(class.term(), Term::Include, "U+{c:04X}");
        }
    }
}

/// Characters whose class is known by heart, so that a mistake of the derivation shows.
#[test]
fn known_characters() {
    if regenerating() {
        return;
    }
    let host = "aZ0-éÉßÑжЖλ例あア漢ａＡ１한ไதि٣ⅳ²ªʰ\u{301}\u{200C}\u{200D}·・׳״་Ⓐⓔ🄴";
    for c in host.chars() {
        assert!(tables::class(c as u32).is_host(), "{c:?}");
    }
    let none = "_.。．｡@/:%’“”«»「」—–•→、؟…⒈⑴½〈〉☺\u{AD}\u{200B}\u{FE0F}\u{FFFD}\u{3000}";
    for c in none.chars() {
        assert!(!tables::class(c as u32).is_host(), "{c:?}");
    }
    for c in "☺😀™©🏽\u{FE0E}\u{FE0F}⌘🇩".chars() {
        assert!(tables::class(c as u32).is_host_symbol(), "{c:?}");
    }
    for c in "a^`´¨℀℅→+=〈\u{FFFD}".chars() {
        assert!(!tables::class(c as u32).is_host_symbol(), "{c:?}");
    }
    for c in "aÉжǅʰª".chars() {
        assert!(tables::class(c as u32).is_cased(), "{c:?}");
    }
    for c in "1例\u{345}ⓐⅳא".chars() {
        assert!(!tables::class(c as u32).is_cased(), "{c:?}");
    }
}

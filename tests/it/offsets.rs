//! Offsets in other units, against a twin that counts characters one by one.

use linksift::offsets::{Offsets, Unit};

use crate::support::dice::Dice;

/// How many units of the text there are before a byte on a border of characters.
fn naive(text: &str, unit: Unit, byte: usize) -> usize {
    match unit {
        Unit::Chars => text[..byte].chars().count(),
        Unit::Utf16 => text[..byte].encode_utf16().count(),
        _ => byte,
    }
}

/// Texts of all widths, ASCII for long stretches too.
fn text(dice: &mut Dice) -> String {
    const PIECES: [&str; 9] = ["a", " ", "é", "ß", "例", "え", "🦀", "𝒳", "\u{10FFFF}"];
    let mut text = String::new();
    for _ in 0..dice.below(12) {
        match dice.below(3) {
            0 => text.push_str(&"ascii http://e.com/ ".repeat(dice.below(40))),
            1 => text.extend((0..dice.below(400)).map(|_| dice.pick(&PIECES))),
            _ => text.push_str(&dice.pick(&PIECES).repeat(dice.below(300))),
        }
    }
    text
}

#[test]
fn offsets_are_those_of_a_naive_count_forward_and_back() {
    let mut dice = Dice::new(7);
    for _ in 0..60 {
        let text = text(&mut dice);
        let mut borders: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        borders.push(text.len());
        for &unit in Unit::ALL {
            let mut forward = Offsets::new(&text, unit);
            let mut anyhow = Offsets::new(&text, unit);
            let mut back = Offsets::new(&text, unit);
            let mut sorted: Vec<usize> = (0..30).map(|_| dice.pick(&borders)).collect();
            sorted.sort_unstable();
            for &byte in &sorted {
                let wanted = naive(&text, unit, byte);
                assert_eq!(forward.of_byte(byte), wanted, "{unit} {byte} {text:?}");
                assert_eq!(back.to_byte(wanted), byte, "{unit} {wanted} {text:?}");
                let other = dice.pick(&borders);
                assert_eq!(anyhow.of_byte(other), naive(&text, unit, other), "{unit} {other}");
            }
            let other = dice.pick(&borders);
            assert_eq!(anyhow.to_byte(naive(&text, unit, other)), other);
            assert_eq!(anyhow.to_byte(usize::MAX), text.len());
            assert_eq!(anyhow.of_byte(usize::MAX), naive(&text, unit, text.len()));
        }
    }
}

#[test]
fn what_is_inside_a_character_is_counted_as_its_end_or_its_beginning() {
    let text = format!("{}🦀é", "例".repeat(100));
    for byte in 0..=text.len() {
        let end = (byte..).find(|at| text.is_char_boundary(*at)).unwrap();
        for &unit in &[Unit::Chars, Unit::Utf16] {
            assert_eq!(Offsets::new(&text, unit).of_byte(byte), naive(&text, unit, end), "{byte}");
        }
    }
    // The second half of a surrogate pair.
    assert_eq!(Offsets::new(&text, Unit::Utf16).to_byte(101), 300);
    assert_eq!(Offsets::new("", Unit::Utf16).to_byte(0), 0);
}

/// What a binding hands out: slices by the other unit are what the link says that it is.
#[test]
fn links_are_found_again_by_their_offsets() {
    let text = "🦀 http://例え.jp/パス 😀😀 me@example.com, é www.example.org/ü𝒳";
    let (mut chars, mut units) = (Offsets::new(text, Unit::Chars), Offsets::new(text, Unit::Utf16));
    let (scalars, utf16) =
        (text.chars().collect::<Vec<_>>(), text.encode_utf16().collect::<Vec<_>>());
    let mut found = 0;
    for link in linksift::links(text) {
        assert_eq!(scalars[chars.range(link.range())].iter().collect::<String>(), link.raw());
        assert_eq!(String::from_utf16(&utf16[units.range(link.range())]).unwrap(), link.raw());
        found += 1;
    }
    assert_eq!(found, 3);
}

#[test]
fn offsets_of_utf16_are_those_of_a_naive_count() {
    let mut dice = Dice::new(8);
    for _ in 0..30 {
        let text = text(&mut dice);
        let units: Vec<u16> = text.encode_utf16().collect();
        let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let borders: Vec<(usize, usize)> = text
            .char_indices()
            .map(|(at, _)| (at, 2 * text[..at].encode_utf16().count()))
            .collect();
        for &unit in Unit::ALL {
            for (bytes, new) in [(&le, Offsets::utf16le as fn(_, _) -> _), (&be, Offsets::utf16be)]
            {
                let (mut forward, mut anyhow) = (new(bytes, unit), new(bytes, unit));
                for _ in 0..20 {
                    let Some((at, byte)) = (!borders.is_empty()).then(|| dice.pick(&borders))
                    else {
                        continue;
                    };
                    let expected = if unit == Unit::Bytes { byte } else { naive(&text, unit, at) };
                    assert_eq!(anyhow.of_byte(byte), expected, "{unit:?} {at} of {text:?}");
                    assert_eq!(anyhow.to_byte(expected), byte, "{unit:?} {at} of {text:?}");
                }
                for &(at, byte) in &borders {
                    let expected = if unit == Unit::Bytes { byte } else { naive(&text, unit, at) };
                    assert_eq!(forward.of_byte(byte), expected, "{unit:?} {at} of {text:?}");
                }
                assert_eq!(new(bytes, unit).to_byte(usize::MAX), bytes.len());
            }
        }
    }
    // Half of a unit, half of a character.
    let odd = [0x3D, 0xD8, 0x00, 0xDE, 0x61];
    let mut offsets = Offsets::utf16le(&odd, Unit::Utf16);
    assert_eq!([0, 1, 2, 3, 4, 5, 9].map(|byte| offsets.of_byte(byte)), [0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(offsets.to_byte(1), 0);
    assert_eq!(Offsets::new(b"\xFFa", Unit::Utf16).of_byte(1), 1);
}

//! Decoders against slow twins, whole and in blocks; each decoded byte's place against the byte.

use super::*;
use crate::charset::Charset;
use crate::dice::Dice;

fn whole(encoding: TransferEncoding, stored: &[u8], expected: ExpectedContent) -> (Vec<u8>, usize) {
    let mut out = Vec::new();
    let done = TransferDecoder::new(encoding, b'\n', expected).decode(stored, true, &mut out);
    (out, done)
}

/// The same in blocks that end at each of `sizes` in turns.
fn in_blocks(
    encoding: TransferEncoding,
    stored: &[u8],
    sizes: &[usize],
    expected: ExpectedContent,
) -> (Vec<u8>, usize) {
    let (mut decoding, mut out) = (TransferDecoder::new(encoding, b'\n', expected), Vec::new());
    let (mut done, mut end) = (0, 0);
    let mut sizes = sizes.iter().cycle();
    while end < stored.len() && !decoding.has_ended() {
        end = (end + sizes.next().unwrap()).min(stored.len());
        done += decoding.decode(&stored[done..end], end == stored.len(), &mut out);
    }
    (out, done)
}

/// What a slice of stored bytes stands for by itself, as a reader of records would decode it.
fn untransfer(encoding: TransferEncoding, unit: &ByteOrigin, stored: &[u8]) -> u8 {
    let slice = &stored[unit.range.clone()];
    match encoding {
        TransferEncoding::Identity => slice[0],
        // Before the word `begin`.
        TransferEncoding::Uuencode if slice.len() == 1 => slice[0],
        TransferEncoding::QuotedPrintable if slice.len() == 3 => {
            u8::from_str_radix(std::str::from_utf8(&slice[1..]).unwrap(), 16).unwrap()
        }
        TransferEncoding::QuotedPrintable => slice[0],
        TransferEncoding::Base64 => {
            let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let value = |byte: u8| alphabet.iter().position(|b| *b == byte).map(|at| at as u16);
            let digits: Vec<u16> = slice.iter().copied().filter_map(value).collect();
            ((digits[0] << 6 | digits[1]) << (4 + 2 * u16::from(unit.phase)) >> 8) as u8
        }
        TransferEncoding::Uuencode => {
            let value = |byte: u8| u16::from(byte.wrapping_sub(32) & 63);
            ((value(slice[0]) << 6 | value(slice[1])) << (4 + 2 * u16::from(unit.phase)) >> 8) as u8
        }
    }
}

fn check(encoding: TransferEncoding, stored: &[u8], dice: &mut Dice) {
    check_as(ExpectedContent::Bytes, encoding, stored, dice);
    if encoding == TransferEncoding::Base64 && stored.len() < 100 {
        check_as(ExpectedContent::Text(None), encoding, stored, dice);
        check_as(ExpectedContent::Text(Some(Charset::UTF_8)), encoding, stored, dice);
    }
}

fn check_as(expected: ExpectedContent, encoding: TransferEncoding, stored: &[u8], dice: &mut Dice) {
    let (wanted, done) = whole(encoding, stored, expected);
    for sizes in [&[1][..], &[2, 3], &[7, 1, 30]] {
        let found = in_blocks(encoding, stored, sizes, expected);
        assert_eq!(found, (wanted.clone(), done), "{encoding:?} {sizes:?}");
    }
    let (mut marks, mut marked) = (Vec::new(), Vec::new());
    let marked_done = TransferDecoder::new(encoding, b'\n', expected).decode_whole(
        stored,
        5,
        &mut marked,
        &mut marks,
    );
    assert_eq!((&marked, marked_done), (&wanted, done), "{encoding:?}");
    let mut cursor = TransferCursor::new(encoding, b'\n', expected);
    let mut all = Vec::new();
    for (at, byte) in wanted.iter().enumerate() {
        let unit = cursor.place(stored, 0, &[], at);
        assert_eq!(untransfer(encoding, &unit, stored), *byte, "{encoding:?} {at} {unit:?}");
        all.push(unit);
    }
    for pair in all.windows(2) {
        assert!(
            pair[0].range.start < pair[1].range.start || pair[0].range.end <= pair[1].range.start
        );
    }
    // Forward by leaps, from a block that has lost what is after.
    let (mut cursor, mut at) = (TransferCursor::new(encoding, b'\n', expected), 0);
    while at < wanted.len() {
        let base = cursor.stored();
        assert_eq!(cursor.place(&stored[base..], base, &[], at), all[at], "{encoding:?} {at}");
        at += 1 + dice.below(40);
    }
    // From mark to mark, and back.
    let mut cursor = TransferCursor::new(encoding, b'\n', expected);
    for _ in 0..wanted.len() {
        let at = dice.below(wanted.len());
        assert_eq!(cursor.place(stored, 0, &marks, at), all[at], "{encoding:?} {at}");
    }
}

#[test]
fn quoted_printable_is_read_as_written() {
    for (stored, wanted) in [
        ("a=3Db", "a=b"),
        ("a=\nb", "ab"),
        ("a= \t\r\nb", "ab"),
        ("a=", "a"),
        ("a= ", "a"),
        ("a=b=c", "a=b=c"),
        ("a=C3=a4", "aä"),
        ("a  \nb \t\r\nc ", "a\nb\r\nc"),
        ("==3D", "=="),
        ("=4", "=4"),
        ("a=20 \n", "a \n"),
    ] {
        let (found, done) =
            whole(TransferEncoding::QuotedPrintable, stored.as_bytes(), ExpectedContent::Bytes);
        assert_eq!(
            (&*String::from_utf8(found).unwrap(), done),
            (wanted, stored.len()),
            "{stored:?}"
        );
    }
}

#[test]
fn base64_ends_at_text() {
    let text = |stored: &str| {
        let (found, done) =
            whole(TransferEncoding::Base64, stored.as_bytes(), ExpectedContent::Text(None));
        (String::from_utf8_lossy(&found).into_owned(), stored[done..].to_owned())
    };
    let is = |found: &str, rest: &str| (found.to_owned(), rest.to_owned());
    assert_eq!(text("aGk=\n"), is("hi", ""));
    assert_eq!(text("aGk=\r\naGk=\r\n"), is("hihi", ""));
    assert_eq!(text("aGk=aGk="), is("hihi", ""));
    assert_eq!(text("aG\nk="), is("hi", ""));
    assert_eq!(text("aGkg\n____\nlist http://e.example"), is("hi ", "list http://e.example"));
    assert_eq!(text("aGk\n=\naGkg"), is("hi", "aGkg"));
    assert_eq!(text("aGk\n=\naGk="), is("hihi", ""));
    assert_eq!(text("aGkg\n____\nlist\nhttp://e.example"), is("hi ", "list\nhttp://e.example"));
    assert_eq!(text("aGk=\n\nUnsubscribe\n"), is("hi", "Unsubscribe\n"));
    assert_eq!(text("plain words here\n"), is("", "plain words here\n"));
    assert_eq!(text("http://example.com/abcdefghijklmnopqrstuvw\n").0, "");
    let line = format!("{}!{}", "aGkg".repeat(9), "aGkg".repeat(9));
    assert_eq!(text(&line), is(&"hi ".repeat(18), ""));
}

/// RFC 2045 §6.8: bytes outside of the alphabet are passed over.
#[test]
fn base64_has_foreign_bytes() {
    let clean = "c2VlIGh0dHA6Ly9lLmNvbS8gYW5kIG1vcmUgb2YgaXQK";
    let decoded = "see http://e.com/ and more of it\n";
    let every = |count: usize, foreign: &str| {
        let pieces: Vec<_> = clean.as_bytes().chunks(count).map(String::from_utf8_lossy).collect();
        pieces.join(foreign)
    };
    for stored in [
        every(4, " "),
        every(8, "!"),
        every(1, "."),
        every(5, "\u{e9}\0"),
        every(20, "\n > "),
        format!("----\n{clean}"),
        format!("\n***\n{clean}\n"),
        format!("========\n{clean}\n"),
        format!("{}@{}", &clean[..9], &clean[9..]),
        format!("{}\n----\n{}", &clean[..8], &clean[8..]),
    ] {
        for expected in [
            ExpectedContent::Bytes,
            ExpectedContent::Text(None),
            ExpectedContent::Text(Some(Charset::UTF_8)),
        ] {
            let (found, done) = whole(TransferEncoding::Base64, stored.as_bytes(), expected);
            assert_eq!(String::from_utf8_lossy(&found), decoded, "{stored:?} {expected:?}");
            assert_eq!(done, stored.len(), "{stored:?}");
        }
    }
}

#[test]
fn uuencode_is_read_between_its_words() {
    let stored = b"see\nbegin 644 a.txt\n#0V%T\n`\nend\nmore";
    let (found, done) = whole(TransferEncoding::Uuencode, stored, ExpectedContent::Bytes);
    assert_eq!((&*found, &stored[done..]), (&b"see\nCat"[..], &b"more"[..]));
}

#[test]
fn random_bytes_in_blocks_and_by_place() {
    let mut dice = Dice::new(7);
    for _ in 0..600 {
        let len = dice.below(300);
        let quoted: Vec<u8> = (0..len).map(|_| dice.pick(b"=  \t\r\n\n3DaF0xyz=")).collect();
        check(TransferEncoding::QuotedPrintable, &quoted, &mut dice);
        let base64: Vec<u8> =
            (0..len).map(|_| dice.pick(b"aGkgZb/+09zQ==\n\r\n\naaaaaaaaaaaaaa !")).collect();
        check(TransferEncoding::Base64, &base64, &mut dice);
        let mut uuencode = b"x\nbegin 644 a\n".to_vec();
        for _ in 0..dice.below(9) {
            let count = dice.below(46);
            uuencode.push(b' ' + count as u8);
            uuencode.extend((0..count.div_ceil(3) * 4).map(|_| b' ' + dice.below(65) as u8));
            uuencode.push(b'\n');
        }
        check(TransferEncoding::Uuencode, &uuencode, &mut dice);
    }
    let long = b"aGkgdGhlcmUh".repeat(9_000);
    check(TransferEncoding::Base64, &long, &mut dice);
    let long = b"ab=3D".repeat(9_000);
    check(TransferEncoding::QuotedPrintable, &long, &mut dice);
}

#[test]
fn the_places_of_many_bytes_of_a_long_line_take_linear_time() {
    let expected = ExpectedContent::Bytes;
    for (encoding, piece) in
        [(TransferEncoding::Base64, "aGkg"), (TransferEncoding::QuotedPrintable, "=41bc")]
    {
        let stored = piece.repeat(1 << 20);
        let mut cursor = TransferCursor::new(encoding, b'\n', expected);
        for at in (0..3 << 20).step_by(64) {
            let unit = cursor.place(stored.as_bytes(), 0, &[], at);
            assert!(unit.range.end > at);
        }
    }
}

//! Compares decoders, as a whole and in blocks, with slow reference implementations, and the source of each byte with
//! the byte.

use std::ops::Range;

use super::*;
use crate::charset::Charset;
use crate::dice::Dice;
use crate::input::chunk::Chunk;
use crate::source_map::ByteCursor;

fn whole(encoding: TransferEncoding, stored: &[u8], expected: ExpectedContent) -> (Vec<u8>, usize) {
    let mut out = Vec::new();
    let done = TransferDecoder::new(encoding, b'\n', expected).decode(stored, true, &mut out);
    (out, done)
}

/// Decodes in blocks whose sizes are those of `sizes` in turn.
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

/// Part that was decoded as a whole, with a map to its stored bytes.
struct Mapped {
    bytes: Vec<u8>,
    map: SourceMap,
    done: usize,
}

impl Mapped {
    fn of(encoding: TransferEncoding, stored: &[u8], expected: ExpectedContent) -> Mapped {
        let (mut bytes, mut map) = (Vec::new(), SourceMap::default());
        let done = TransferDecoder::new(encoding, b'\n', expected)
            .decode_mapped(stored, 0, true, &mut bytes, &mut map);
        Mapped { bytes, map, done }
    }

    fn origins(&self, stored: &[u8]) -> Vec<ByteOrigin> {
        (0..self.bytes.len()).map(|at| self.map.byte(Chunk::whole(stored), at)).collect()
    }
}

/// Returns the source of each byte, decoded in blocks whose text is dropped from the front, as for a long part.
fn origins_in_blocks(
    encoding: TransferEncoding,
    stored: &[u8],
    expected: ExpectedContent,
    dice: &mut Dice,
) -> Vec<ByteOrigin> {
    let mut decoding = TransferDecoder::new(encoding, b'\n', expected);
    let (mut text, mut map, mut origins) = (Vec::new(), SourceMap::default(), Vec::new());
    let (mut done, mut end) = (0, 0);
    while end < stored.len() && !decoding.has_ended() {
        end = (end + 1 + dice.below(400)).min(stored.len());
        let is_last = end == stored.len();
        done += decoding.decode_mapped(&stored[done..end], done, is_last, &mut text, &mut map);
        let first = map.source_start().unwrap_or(done);
        let window = Chunk::new(&stored[first..end], first, true);
        let cut = match is_last || decoding.has_ended() {
            true => text.len(),
            false => dice.below(text.len() + 1),
        };
        origins.extend((0..cut).map(|at| map.byte(window, at)));
        map.drop_front(&text, cut);
        text.drain(..cut);
    }
    origins
}

/// Decodes quoted-printable line by line and character by character.
fn slow_quoted(stored: &[u8]) -> Vec<(u8, Range<usize>)> {
    let (mut out, mut start) = (Vec::new(), 0);
    for line in stored.split_inclusive(|byte| *byte == b'\n') {
        let has_end = line.ends_with(b"\n");
        let end = match line {
            [text @ .., b'\r', b'\n'] | [text @ .., b'\n'] => text.len(),
            text => text.len(),
        };
        let mut text = &line[..end];
        while let [front @ .., b' ' | b'\t'] = text {
            text = front;
        }
        let hex = |at: usize| {
            let digits = std::str::from_utf8(text.get(at..at + 2)?).ok()?;
            digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
            u8::from_str_radix(digits, 16).ok()
        };
        let (mut at, mut is_soft) = (0, false);
        while at < text.len() {
            let escaped = if text[at] == b'=' { hex(at + 1) } else { None };
            is_soft = text[at] == b'=' && at + 1 == text.len();
            let blanks = text[at + 1..].iter().take_while(|byte| b" \t".contains(byte)).count();
            let is_break = text[at] == b'=' && text.get(at + 1 + blanks) == Some(&b'\r');
            let len = match is_break {
                true => blanks + 2,
                false if escaped.is_some() => 3,
                false => 1,
            };
            if !is_soft && !is_break {
                out.push((escaped.unwrap_or(text[at]), start + at..start + at + len));
            }
            at += len;
        }
        if has_end && !is_soft {
            out.extend((end..line.len()).map(|at| (line[at], start + at..start + at + 1)));
        }
        start += line.len();
    }
    out
}

/// Returns the byte that a slice of stored bytes represents by itself, as a user of records would decode it.
fn untransfer(encoding: TransferEncoding, unit: &ByteOrigin, stored: &[u8]) -> u8 {
    let slice = &stored[unit.range.clone()];
    let phase = if let ByteCoding::Digits(phase) = unit.coding { u16::from(phase) } else { 0 };
    match encoding {
        TransferEncoding::Identity => slice[0],
        // A literal byte, before the line `begin`.
        TransferEncoding::Uuencode if slice.len() == 1 => slice[0],
        TransferEncoding::QuotedPrintable if slice.len() == 3 => {
            u8::from_str_radix(std::str::from_utf8(&slice[1..]).unwrap(), 16).unwrap()
        }
        TransferEncoding::QuotedPrintable => slice[0],
        TransferEncoding::Base64 => {
            let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let value = |byte: u8| alphabet.iter().position(|b| *b == byte).map(|at| at as u16);
            let digits: Vec<u16> = slice.iter().copied().filter_map(value).collect();
            // The slice begins and ends with its two digits.
            assert_eq!(digits.len(), 2, "{unit:?}");
            assert!(value(slice[0]).is_some() && value(slice[slice.len() - 1]).is_some());
            ((digits[0] << 6 | digits[1]) << (4 + 2 * phase) >> 8) as u8
        }
        TransferEncoding::Uuencode => {
            let value = |byte: u8| u16::from(byte.wrapping_sub(32) & 63);
            ((value(slice[0]) << 6 | value(slice[1])) << (4 + 2 * phase) >> 8) as u8
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
    let mapped = Mapped::of(encoding, stored, expected);
    assert_eq!((&mapped.bytes, mapped.done), (&wanted, done), "{encoding:?}");
    let all = mapped.origins(stored);
    for (at, (byte, unit)) in wanted.iter().zip(&all).enumerate() {
        assert_eq!(untransfer(encoding, unit, stored), *byte, "{encoding:?} {at} {unit:?}");
    }
    for pair in all.windows(2) {
        assert!(
            pair[0].range.start < pair[1].range.start || pair[0].range.end <= pair[1].range.start
        );
    }
    assert_eq!(origins_in_blocks(encoding, stored, expected, dice), all, "{encoding:?}");
    // Look bytes up forwards in leaps, and sometimes backwards.
    let (mut cursor, mut at) = (ByteCursor::default(), 0);
    for _ in 0..wanted.len() {
        let unit = mapped.map.byte_near(&mut cursor, Chunk::whole(stored), at);
        assert_eq!(unit, all[at], "{encoding:?} {at}");
        at = (at + [0, 1, dice.below(40), dice.below(400)][dice.below(4)]) % wanted.len();
    }
    if encoding == TransferEncoding::QuotedPrintable {
        let found: Vec<_> =
            wanted.into_iter().zip(all.into_iter().map(|unit| unit.range)).collect();
        assert_eq!(found, slow_quoted(stored), "{:?}", String::from_utf8_lossy(stored));
    }
}

#[test]
fn quoted_printable_is_read_as_written() {
    for (stored, wanted) in [
        ("a=3Db", "a=b"),
        ("a=\nb", "ab"),
        ("a= \t\r\nb", "ab"),
        ("a=\rb= \rc=\r", "abc"),
        ("a=\r\r\nb\rc", "a\r\nb\rc"),
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

/// RFC 2045 §6.8: bytes outside the alphabet are skipped.
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

/// Lines without a digit, padding, and groups that continue on another line, in a part of many segments.
#[test]
fn segments_begin_and_end_anywhere() {
    let mut dice = Dice::new(11);
    for round in 0..40 {
        let (mut base64, mut quoted, mut uuencode) = (Vec::new(), Vec::new(), Vec::new());
        let line_end: &[u8] = if round % 2 == 0 { b"\n" } else { b"\r\n" };
        uuencode.extend_from_slice(b"x\nbegin 644 a\n");
        let mut is_parted = false;
        while base64.len() < 6000 {
            // After a line without digits, a line is Base64 only if it consists of complete groups.
            let len = if is_parted { 64 } else { 60 + dice.below(20) };
            base64.extend((0..len).map(|_| dice.pick(b"aGkgZb/+09zQ")));
            is_parted = dice.below(4) == 0;
            let between: &[u8] = [&b""[..], b" \t", b"\n"][dice.below(3)];
            base64.extend_from_slice(if is_parted { b"\n-=-" } else { between });
            base64.extend_from_slice(line_end);
            for _ in 0..1 + dice.below(30) {
                quoted.extend_from_slice(
                    [&b"=C3=A4"[..], b"ab ", b"=3d", b"=4", b"\t"][dice.below(5)],
                );
            }
            quoted.extend(std::iter::repeat_n(b'.', dice.below(8) * dice.below(200)));
            quoted.extend_from_slice([&b""[..], b" ", b"=", b"= "][dice.below(4)]);
            quoted.extend_from_slice(line_end);
            let count = 1 + dice.below(45);
            uuencode.push(b' ' + count as u8);
            uuencode.extend((0..count.div_ceil(3) * 4).map(|_| b' ' + dice.below(65) as u8));
            uuencode.push(b'\n');
        }
        base64.extend_from_slice(b"aGk=\naGkgdGhlcmUgYW5kIGhlcmUgYW5kIHRoZXJl");
        check(TransferEncoding::Base64, &base64, &mut dice);
        assert!(whole(TransferEncoding::Base64, &base64, ExpectedContent::Bytes).0.len() > 4000);
        check(TransferEncoding::QuotedPrintable, &quoted, &mut dice);
        check(TransferEncoding::Uuencode, &uuencode, &mut dice);
    }
}

/// A segment takes 32 bytes, an escape sequence three: a map with one segment for each would be far larger than the
/// part.
#[test]
fn a_map_takes_a_fraction_of_the_part() {
    let expected = ExpectedContent::Bytes;
    for (encoding, piece) in [
        (TransferEncoding::QuotedPrintable, "a=3D"),
        (TransferEncoding::QuotedPrintable, "=C3=A4=\n"),
        (TransferEncoding::QuotedPrintable, "= \n=4"),
        (TransferEncoding::Base64, "aGkg"),
        (TransferEncoding::Base64, "A.G.k.g."),
        (TransferEncoding::Base64, "aGkgaGkgaGkgaGkga\n"),
        (TransferEncoding::Base64, "aGk=aGk="),
    ] {
        let stored = piece.repeat((4 << 20) / piece.len());
        let mapped = Mapped::of(encoding, stored.as_bytes(), expected);
        assert!(mapped.bytes.len() > stored.len() / 5, "{piece:?}");
        let bytes = mapped.map.allocated();
        assert!(bytes < stored.len() / 6, "{piece:?} {bytes}");
    }
}

#[test]
fn the_places_of_many_bytes_of_a_long_line_take_linear_time() {
    let expected = ExpectedContent::Bytes;
    for (encoding, piece) in
        [(TransferEncoding::Base64, "aGkg"), (TransferEncoding::QuotedPrintable, "=41bc")]
    {
        let stored = piece.repeat(1 << 20);
        let Mapped { map, .. } = Mapped::of(encoding, stored.as_bytes(), expected);
        for at in (0..3 << 20).step_by(64) {
            let unit = map.byte(Chunk::whole(stored.as_bytes()), at);
            assert!(unit.range.end > at);
        }
    }
}

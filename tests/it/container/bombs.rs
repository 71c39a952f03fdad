//! Little that stands for much: streams of zeros, archives that hold themselves, copies of copies.

use linksift::container::Limits;
use linksift::files::Options;

use super::compressed::{bzip2, gzip, zstd};
use super::run::{Folder, T, options, run, run_with};
use super::tars::tar;
use super::warcs::{page, record};
use super::zips::{Entry, crc32, deflated, stored, zip};
use crate::support::growth;

const MIB: u64 = 1 << 20;

/// Limits that are reached in no time.
fn narrow(member: u64, input: u64) -> Options {
    options().limits(Limits::new().max_expansion(1).floors(member, input))
}

/// An archive of one document that is itself (R. Cox, "Zip Files All The Way Down", 2010). `around` gives what is
/// before and after so long a stream of deflate, by the checksum and the length of what it holds.
///
/// What prints (`put`) and what repeats what came last (`again`) have ten bytes each, so that the former can hold the
/// latter, and the latter repeat the former.
fn quine(around: impl Fn(usize, u32, usize) -> [Vec<u8>; 2]) -> Vec<u8> {
    let put = |len: usize| {
        let block = |len: usize| {
            let [a, b] = (len as u16).to_le_bytes();
            [0, a, b, !a, !b]
        };
        [block(0), block(len)].concat()
    };
    let stream = |before: &[u8], after: &[u8]| {
        let last = [&put(0)[..], b"\x01\0\0\xff\xff"].concat();
        let (head, four, tail) = (before.len() + 10, 40, 10 + last.len() + after.len());
        let mut out = [&put(head)[..], before, &put(head), &again(head)].concat();
        let half = [&again(head)[..], &put(10), &put(10), &put(four)].concat();
        for block in [&put(10), &half, &half] {
            out.extend_from_slice(block);
        }
        for _ in 0..4 {
            out.extend([again(four), put(four)].concat());
        }
        for _ in 0..2 {
            out.extend([again(four), put(0), put(0), put(tail)].concat());
        }
        [&out[..], &again(tail), &last, after, &again(tail), &last].concat()
    };
    let [before, after] = around(0, 0, 0);
    let deflated = stream(&before, &after).len();
    let len = before.len() + deflated + after.len();
    let build = |checksum: u32| {
        let [before, after] = around(deflated, checksum, len);
        [&before[..], &stream(&before, &after), &after].concat()
    };
    // The checksum is one of bytes that hold it. It depends on its bits linearly: 32 equations.
    let of = |checksum: u32| crc32(&build(checksum));
    let (mut wanted, mut checksum) = (of(0), 0);
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for bit in 0..32 {
        let mut row = (of(1 << bit) ^ wanted ^ 1 << bit, 1 << bit);
        for (value, bits) in &rows {
            if row.0 ^ value < row.0 {
                row = (row.0 ^ value, row.1 ^ bits);
            }
        }
        if row.0 != 0 {
            rows.push(row);
            rows.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    for (value, bits) in rows {
        if wanted ^ value < wanted {
            (wanted, checksum) = (wanted ^ value, checksum ^ bits);
        }
    }
    assert_eq!(wanted, 0);
    build(checksum)
}

/// A gzip file that decompresses to itself.
fn gzip_quine() -> Vec<u8> {
    quine(|_, checksum, len| {
        let before = b"\x1f\x8b\x08\x08\0\0\0\0\0\xffitself-again.gz\0";
        let after = [checksum.to_le_bytes(), (len as u32).to_le_bytes()].concat();
        [before.to_vec(), after]
    })
}

/// A zip whose one entry is that zip.
fn zip_quine() -> Vec<u8> {
    quine(|deflated, crc, size| {
        let entry =
            Entry { stored: vec![0; deflated], crc, size, method: 8, ..stored(b"t.zip", b"") };
        let archive = zip(&[entry]);
        let start = 30 + b"t.zip".len();
        [archive[..start].to_vec(), archive[start + deflated..].to_vec()]
    })
}

/// Puts bits one after the other, of each value the lowest first (RFC 1951 §3.1.1, RFC 7932 §1.5.1).
#[derive(Default)]
struct Bits {
    out: Vec<u8>,
    len: usize,
}

impl Bits {
    fn put(&mut self, value: u32, len: u32) {
        for at in 0..len {
            if self.len.is_multiple_of(8) {
                self.out.push(0);
            }
            *self.out.last_mut().unwrap() |= ((value >> at & 1) as u8) << (self.len % 8);
            self.len += 1;
        }
    }

    /// A Huffman code, of which the highest comes first.
    fn code(&mut self, value: u32, len: u32) {
        self.put(value.reverse_bits() >> (32 - len), len);
    }
}

/// A block of fixed Huffman codes that repeats the last so many bytes (23 to 98), empty ones after it up to ten bytes.
fn again(bytes: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    let empty = |bits: &mut Bits| {
        bits.put(0, 1);
        bits.put(1, 2);
        bits.code(0, 7);
    };
    bits.put(0, 1);
    bits.put(1, 2);
    // Codes of lengths: four with each number of extra bits; of distances two (RFC 1951 §3.2.5).
    let of = |value: usize, first: usize, each: u32| {
        let extra =
            (0_u32..).find(|extra| value - first < (1 << (extra + 1)) * (each as usize)).unwrap();
        (extra, value - first)
    };
    let (extra, above) = of(bytes, 3, 4);
    bits.code(1 + 4 * extra + (above >> extra) as u32, 7);
    bits.put((above & ((1 << extra) - 1)) as u32, extra);
    let (extra, above) = of(bytes, 1, 2);
    bits.code(2 * extra + (above >> extra) as u32, 5);
    bits.put((above & ((1 << extra) - 1)) as u32, extra);
    bits.code(0, 7);
    while bits.len <= 37 {
        empty(&mut bits);
    }
    // A stored block of nothing ends at a byte.
    bits.put(0, 3);
    bits.out.extend([0, 0, 0xff, 0xff]);
    assert_eq!(bits.out.len(), 10, "{bytes}");
    bits.out
}

/// Zeros as brotli, 16 MiB in each 13 bytes: one literal, then a copy of what is one byte before.
fn brotli_zeros(blocks: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // WBITS 16.
    bits.put(0, 1);
    for _ in 0..blocks {
        // Not the last; 6 nibbles of length; compressed; one type of each block.
        bits.put(0, 1);
        bits.put(2, 2);
        bits.put((1 << 24) - 1, 24);
        bits.put(0, 1 + 3);
        // No postfix and no direct distances; any context mode; one tree of literals and of distances.
        bits.put(0, 2 + 4 + 2 + 1 + 1);
        // Codes of one symbol each, which take no bits: zero; one literal and a copy of 2118 and more;
        // the distances 1 and 2.
        for (symbol, width) in [(0, 8), (399, 10), (16, 6)] {
            bits.put(1, 2);
            bits.put(0, 2);
            bits.put(symbol, width);
        }
        bits.put((1 << 24) - 1 - 2118, 24);
        bits.put(0, 1);
    }
    bits.put(3, 2);
    bits.out
}

#[test]
fn what_holds_itself_ends_at_the_depth() {
    let (quine, archive) = (gzip_quine(), zip_quine());
    let mut inner = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*quine), &mut inner).unwrap();
    assert!(inner == quine);
    let mut inner = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(&archive[35..]), &mut inner)
        .unwrap();
    assert!(inner == archive);
    for (name, bytes) in [
        ("a.gz", quine.clone()),
        ("b.zip", archive.clone()),
        ("a.tar", tar(&[(b"t.gz", &quine), (b"x", T)])),
        ("b.tar", tar(&[(b"t.zip", &archive), (b"x", T)])),
        ("a.zip", zip(&[deflated(b"t.gz", &quine), deflated(b"x", T)])),
    ] {
        let found = run(name, &bytes);
        assert_eq!(found.failures.len(), 1, "{name}: {found:?}");
        assert!(found.codes()[0].ends_with("depth"), "{name}: {found:?}");
        assert_eq!(
            found.links.len(),
            if ["a.gz", "b.zip"].contains(&name) { 0 } else { 2 },
            "{name}"
        );
    }
}

#[test]
fn archives_of_archives_end_when_their_input_has_expanded_enough() {
    // 16 of 16 of 16 of 16 of 1 MiB: 64 GiB.
    let mut bytes = vec![0; MIB as usize];
    for _ in 0..4 {
        let entries: Vec<_> =
            (0..16).map(|n| deflated(format!("{n}").as_bytes(), &bytes)).collect();
        bytes = zip(&entries);
    }
    assert!(bytes.len() < 64 << 10, "{}", bytes.len());
    let folder = Folder::new();
    let beside = folder.write("z.txt", T);
    for threads in [1, 4] {
        let found = run_with("a.zip", &bytes, &narrow(4 * MIB, 64 * MIB).threads(threads));
        // What was being read when it was enough, and in each archive around it how many are left.
        assert!((1..=8).contains(&found.failures.len()), "{found:?}");
        assert!(found.codes().iter().all(|code| code.ends_with("expansion")), "{found:?}");
    }
    let zipped = folder.write("a.zip", &bytes);
    let mut links = 0;
    let _ = linksift::files::scan([&zipped, &beside], &narrow(4 * MIB, 64 * MIB), |event| {
        links += u32::from(matches!(event, linksift::Event::Link { .. }));
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(links, 2, "the file beside it");
}

#[test]
fn what_expands_to_too_much_is_told_once_by_any_number_of_threads() {
    let content = [T, &vec![0; MIB as usize]].concat();
    let entries: Vec<_> = (0..300).map(|n| deflated(format!("{n}").as_bytes(), &content)).collect();
    let bytes = zip(&entries);
    let alone = run_with("a.zip", &bytes, &narrow(4 * MIB, 64 * MIB));
    assert_eq!((alone.links.len(), alone.failures.len()), (2 * 64, 2), "{:?}", alone.failures);
    for _ in 0..8 {
        assert_eq!(run_with("a.zip", &bytes, &narrow(4 * MIB, 64 * MIB).threads(4)), alone);
    }
}

#[test]
fn text_after_two_gibibytes_of_zeros() {
    let zeros = gzip(&vec![0; 16 << 20]).repeat(128);
    let found = run("a.gz", &[zeros, gzip(T)].concat());
    assert_eq!(found.links[0], format!(" {} http://one.example/a", 2048 * MIB + 4));
    assert_eq!((found.links.len(), found.failures.len()), (2, 0));
}

#[test]
fn a_million_to_one_in_a_crawl_ends_no_more_than_its_record() {
    let zeros = vec![0; 96 << 20];
    let after = page(2, b"<a href=r2>", "");
    let brotli = brotli_zeros(6);
    assert!(brotli.len() < 100);
    let resource =
        |bytes: &[u8]| record("resource", "http://r.example/", bytes, &bytes.len().to_string());
    for (what, bomb) in [
        ("br", page(1, &brotli, "Content-Encoding: br\r\n")),
        ("gzip", page(1, &gzip(&zeros), "Content-Encoding: gzip\r\n")),
        ("zstd", page(1, &zstd(&zeros), "Content-Encoding: zstd\r\n")),
        ("bzip2", resource(&bzip2(&zeros))),
        ("gzip in bzip2", resource(&bzip2(&gzip(&zeros)))),
    ] {
        let options = narrow(64 * MIB, 256 * MIB);
        let found = run_with("a.warc", &[bomb.clone(), after.clone()].concat(), &options);
        assert_eq!(found.uris(), ["http://s2.example/d/r2"], "{what}: {found:?}");
        assert_eq!(found.codes(), ["0 expansion"], "{what}");
        // One of many: when nothing is left, the rest is named.
        let many = [bomb.repeat(8), after.clone()].concat();
        let found = run_with("a.warc", &many, &options);
        assert!(found.codes().iter().all(|code| code.ends_with("expansion")), "{what}: {found:?}");
    }
}

/// Directories of an entry that is not there, each with an end record that counts two: what is not listed is searched
/// in the bytes of its own archive.
#[test]
fn archives_whose_entries_are_not_there_take_linear_time() {
    let archives = |count: usize| {
        let mut bytes = [&b"PK\x05\x06"[..], &[0; 18]].concat();
        for _ in 0..count {
            let at = bytes.len() as u32;
            let mut entry = [&b"PK\x01\x02"[..], &[0; 42]].concat();
            entry[42..46].fill(0xFF);
            let mut end = [&b"PK\x05\x06\0\0\0\0\x02\0\x02\0\x2E\0\0\0"[..], &[0; 6]].concat();
            end[16..20].copy_from_slice(&at.to_le_bytes());
            bytes.extend([entry, end].concat());
        }
        bytes
    };
    let growth = growth::curved::<Vec<u8>, [u8]>(64, archives, |bytes| {
        assert!(run("a.zip", bytes).links.is_empty())
    });
    assert_eq!(growth, None);
}

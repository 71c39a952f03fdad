//! Compressed files: members, frames, padding, what follows the end, and every way to be damaged.

pub(crate) use crate::made::compressed::*;

use std::io::Write;

use linksift::container::Limits;
use linksift::files::{Archives, Binary};

use super::run::{Order, Run, T, options, run, run_with};

const BOTH: [&str; 2] = ["http://one.example/a", "http://two.example/b"];

pub(crate) fn all() -> [(&'static str, Vec<u8>); 6] {
    [
        ("t.gz", gzip(T)),
        ("t.bz2", bzip2(T)),
        ("t.zst", zstd(T)),
        ("t.xz", xz(T)),
        ("t.lz4", lz4(T)),
        ("t.br", brotli(T)),
    ]
}

fn is_clean(run: &Run) -> bool {
    run.failures.is_empty() && run.notices.is_empty()
}

#[test]
fn each_codec_gives_the_text() {
    for (name, bytes) in all() {
        let found = run(name, &bytes);
        assert_eq!(found.links, [" 4 http://one.example/a", " 29 http://two.example/b"], "{name}");
        assert!(is_clean(&found), "{name} {found:?}");
    }
}

#[test]
fn what_begins_like_a_codec_is_one_whatever_its_name() {
    assert_eq!(run("x.txt", &gzip(T)).uris(), BOTH);
    // And what does not is none: a text that is named so by mistake.
    assert_eq!(run("x.gz", T).uris(), BOTH);
    assert_eq!(run("x.br", T).uris(), BOTH);
}

#[test]
fn members_are_one_document() {
    let two = [gzip(T), gzip(T)].concat();
    let found = run("t.gz", &two);
    assert_eq!(found.links[2], format!(" {} http://one.example/a", T.len() + 4));
    assert!(is_clean(&found));
    let cut = [gzip(&T[..14]), gzip(&T[14..])].concat();
    assert_eq!(run("t.gz", &cut).links, run("t.gz", &gzip(T)).links);
    for (name, bytes) in all().into_iter().filter(|(name, _)| *name != "t.br") {
        let found = run(name, &[&bytes[..], &bytes].concat());
        assert_eq!(found.uris().len(), 4, "{name}");
        assert!(is_clean(&found), "{name} {found:?}");
    }
    assert_eq!(run("t.gz", &[gzip(b""), gzip(T)].concat()).uris(), BOTH);
}

#[test]
fn padding_is_passed_over_and_garbage_is_told() {
    let zeros = [0; 700];
    assert!(is_clean(&run("t.gz", &[&gzip(T)[..], &zeros].concat())));
    assert!(is_clean(&run("t.gz", &[&gzip(T)[..], &zeros, &gzip(T)].concat())));
    assert!(is_clean(&run("t.bz2", &[&bzip2(T)[..], &zeros].concat())));
    let padded = run("t.xz", &[&xz(T)[..], &[0; 8], &xz(T)].concat());
    assert_eq!(padded.uris().len(), 4);
    assert!(is_clean(&padded));
    let odd = run("t.xz", &[&xz(T)[..], &[0; 3]].concat());
    assert_eq!((odd.uris().len(), odd.codes()), (2, vec![" trailing-garbage"]));
    for (name, bytes) in all() {
        let found = run(name, &[&bytes[..], b"garbage!"].concat());
        assert_eq!(found.uris(), BOTH, "{name}");
        assert_eq!(found.failures, [format!(" trailing-garbage {}", bytes.len())], "{name}");
    }
}

#[test]
fn skippable_frames_are_skipped() {
    for (name, bytes) in [("t.zst", zstd(T)), ("t.lz4", lz4(T))] {
        let skip = skippable();
        let found = run(name, &[&skip[..], &bytes, &skip, &bytes, &skip].concat());
        assert_eq!(found.uris().len(), 4, "{name}");
        assert!(is_clean(&found), "{name} {found:?}");
    }
}

#[test]
fn what_is_cut_gives_what_was_there_and_says_so() {
    // Something that does not compress to nothing, so that the links are not in the last block.
    let long: Vec<u8> = (0..30_000_u32)
        .flat_map(|n| {
            format!("{} http://e.example/{n}\n", n.wrapping_mul(2_654_435_761)).into_bytes()
        })
        .collect();
    for (name, bytes) in
        [("t.gz", gzip(&long)), ("t.zst", zstd(&long)), ("t.xz", xz(&long)), ("t.lz4", lz4(&long))]
    {
        let found = run(name, &bytes[..bytes.len() - bytes.len() / 4]);
        assert_eq!(found.codes(), [" truncated"], "{name}");
        assert!(found.links.len() > 5_000, "{name} {}", found.links.len());
    }
    for (name, bytes) in all() {
        for end in 1..bytes.len() {
            let found = run(name, &bytes[..end]);
            // Before its magic number is whole a file is a text or binary.
            assert!(!found.failures.is_empty() || end < 11, "{name} {end} {found:?}");
        }
    }
    assert_eq!(run("t.gz", b"").failures, [" truncated 0"]);
}

#[test]
fn a_wrong_checksum_keeps_all_links_and_is_told_where_it_is() {
    let good = gzip(T);
    for at in [8, 4] {
        let mut bad = good.clone();
        let at = bad.len() - at;
        bad[at] ^= 1;
        let found = run("t.gz", &[&bad[..], &good].concat());
        assert_eq!(found.uris().len(), 4);
        assert_eq!(found.failures, [format!(" checksum {}", good.len() - 8)]);
    }
}

#[test]
fn a_header_of_gzip_may_have_everything() {
    let deflated = &gzip(T)[10..];
    let mut bytes = vec![0x1F, 0x8B, 8, 0b11110, 0, 0, 0, 0, 0, 3];
    bytes.extend_from_slice(b"\x05\0extra");
    bytes.extend_from_slice(b"caf\xE9 http://name.example/\0a comment\0\x12\x34");
    bytes.extend_from_slice(deflated);
    let found = run("t.gz", &bytes);
    assert_eq!(found.uris(), BOTH);
    assert!(is_clean(&found));
}

#[test]
fn a_window_beyond_the_limit_is_refused_with_what_it_needs() {
    // RFC 8878 §3.1.1.1.2: exponent 21 is 2 GiB.
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0, 21 << 3, 1, 0, 0];
    let found = run("t.zst", &frame);
    assert_eq!(found.failures, [" window 0"]);
    // The dictionary of preset 0 is of 256 KiB; what a decoder takes beside it is not counted to the byte.
    let large = lzma_rust2::XzOptions::with_preset(6);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), large).unwrap();
    encoder.write_all(T).unwrap();
    let large = encoder.finish().unwrap();
    let small = options().limits(Limits::new().max_window(1 << 20));
    assert_eq!(run_with("t.xz", &large, &small).codes(), [" window"]);
    assert_eq!(run_with("t.xz", &xz(T), &small).uris(), BOTH);
}

#[test]
fn compression_may_be_nested_eight_deep() {
    let wrapped = |depth: u32| (0..depth).fold(T.to_vec(), |bytes, _| gzip(&bytes));
    assert_eq!(run("t.gz", &wrapped(8)).uris(), BOTH);
    assert_eq!(run("t.gz", &wrapped(9)).codes(), [" depth"]);
}

#[test]
fn expansion_has_a_limit() {
    let zeros = vec![0; 80 << 20];
    let twice = zstd(&zstd(&zeros));
    assert!(twice.len() < 1000);
    // The floors are 1 and 4 GiB: this is what a compressed file of less than 1 KiB may hold.
    assert!(run("t.zst", &twice).failures.is_empty());
}

#[test]
fn what_is_not_text_has_no_schemeless_links() {
    let text = b"\x7FELF\0 see example.org and me@example.org, http://three.example/ mailto:four@example.com tel:123456";
    let found = run("x", text);
    assert_eq!(found.uris(), ["http://three.example/", "mailto:four@example.com"]);
    assert_eq!(found.notices, [" binary"]);
    let read = run_with("x", text, &options().binary(Binary::Text));
    assert!(read.uris().len() > 3 && read.notices.is_empty(), "{read:?}");
    assert!(run_with("x", text, &options().binary(Binary::Skip)).links.is_empty());
    // UTF-16 is text.
    let wide: Vec<u8> =
        "\u{FEFF}see example.com here".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(run("x", &wide).uris(), ["https://example.com"]);
}

#[test]
fn what_is_known_and_not_opened_is_told() {
    let found = run("x.7z", b"7z\xBC\xAF\x27\x1C /URI (http://one.example/) example.org");
    assert_eq!(found.uris(), ["http://one.example/"]);
    assert_eq!(found.notices, [" not-opened"]);
}

#[test]
fn random_bytes_have_no_links() {
    let mut state = 7_u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as u8
    })
    .take(4 << 20)
    .collect();
    assert_eq!(run("x", &bytes).links, [""; 0]);
}

#[test]
fn nothing_is_opened_if_so_asked() {
    let found = run_with("x.gz", &gzip(T), &options().archives(Archives::Never));
    assert_eq!((found.links.len(), found.notices), (0, vec![" archive-unopened".to_owned()]));
}

#[test]
fn every_cut_and_many_flipped_bits_do_no_harm() {
    // Of some codecs one block holds it all, and nothing comes of a cut one.
    let told: usize =
        all().iter().map(|(name, bytes)| super::run::torture(name, bytes, Order::Bytes)).sum();
    assert!(told > 50, "{told}");
}

/// What a document holds up to the cut of its archive is found, whatever it is; only the link at the
/// cut is left out.
#[test]
fn links_before_a_cut_are_found_in_short_documents() {
    use flate2::{Compression, write::DeflateEncoder};
    use std::io::Write;

    let one = "http://one.example/a";
    let documents = [
        ("t.txt", format!("see {one} and http://two.example/b")),
        ("t.html", format!("<p>see <a href='{one}'>x</a> and <a href='http://two.example/b")),
        ("t.json", format!("{{\"a\": \"{one}\", \"b\": \"http://two.example/b")),
        ("t.csv", format!("a,{one} ,http://two.example/b")),
        ("t.md", format!("see [x]({one}) and http://two.example/b")),
        ("t.css", format!("a {{ b: url({one}); c: url(http://two.example/b")),
        ("t.xml", format!("<?xml version='1.0'?><a href='{one}'/><b href='http://two.example/b")),
        ("t.eml", format!("From: a\nSubject: b\n\nsee {one} and http://two.example/b")),
    ];
    for (name, text) in documents {
        let utf16: Vec<u8> =
            std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let forms = match name {
            "t.eml" => vec![text.into_bytes()],
            _ => vec![text.into_bytes(), utf16],
        };
        for bytes in forms {
            // A block that is flushed, and nothing of the next one.
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&bytes).unwrap();
            encoder.flush().unwrap();
            let deflated = encoder.get_ref().clone();
            let cut = [&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3][..], &deflated].concat();
            let found = run(&format!("{name}.gz"), &cut);
            assert_eq!(found.uris(), [one], "{name} {found:?}");
            assert_eq!(found.codes(), [" truncated"], "{name}");
        }
    }
}

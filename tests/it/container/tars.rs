//! tar: headers of all kinds, right and wrong.

pub(crate) use crate::made::tars::*;

use super::compressed::{gzip, xz, zstd};
use super::run::{Order, T, run};

const BOTH: [&str; 2] = ["http://one.example/a", "http://two.example/b"];

#[test]
fn entries_are_members_and_archives_may_follow_each_other() {
    let one = [entry("x.txt", T), entry_of(b"d/", b"", b'5'), entry("d/y", T), end()].concat();
    let found = run("a.tar", &one);
    assert_eq!(found.members(), ["x.txt", "x.txt", "d/y", "d/y"]);
    assert!(found.failures.is_empty());
    assert_eq!(run("a.tar", &[&one[..], &one].concat()).uris().len(), 8);
    assert_eq!(run("no ending", &one).uris().len(), 4);
}

#[test]
fn a_cut_entry_gives_what_was_there_under_its_name() {
    let text: Vec<u8> = T.iter().copied().chain(std::iter::repeat(b'x')).take(2_000).collect();
    let found = run("a.tar", &entry("x", &text)[..512 + 700]);
    assert_eq!(found.uris(), BOTH);
    assert_eq!(found.failures, ["x truncated 1212"]);
}

/// An archive may end after the content of an entry, after its last block and in the zeros at its end; anywhere else it is cut.
#[test]
fn each_cut_is_told_but_for_whole_entries() {
    let (one, two) = (entry("x", T), entry("y", &[b' '; 700]));
    let (of_one, of_both) = (one.len(), one.len() + two.len());
    let tar = [one, two, end()].concat();
    let ends = [0, 512 + T.len(), of_one, of_one + 512 + 700];
    for len in 512..=tar.len() {
        let is_whole = ends.contains(&len) || len == of_both || len >= of_both + 512;
        let found = run("a.tar", &tar[..len]);
        let codes = found.codes();
        assert_eq!(codes.is_empty(), is_whole, "{len} of {} {codes:?}", tar.len());
        assert!(codes.iter().all(|code| code.ends_with("truncated")), "{len} {codes:?}");
    }
}

/// What a codec says at its end is told, though only zeros come before it.
#[test]
fn a_codec_that_fails_within_zeros_is_told() {
    let tar = [entry("x", T), vec![0; 300 << 10], entry("y", T), end()].concat();
    for (name, whole) in
        [("a.tar.gz", gzip(&tar)), ("a.tar.xz", xz(&tar)), ("a.tar.zst", zstd(&tar))]
    {
        for len in whole.len() - 60..whole.len() {
            let found = run(name, &whole[..len]);
            assert!(!found.failures.is_empty(), "{name} {len} of {}", whole.len());
        }
    }
}

#[test]
fn after_a_wrong_checksum_the_next_header_is_found() {
    let mut bad = entry("bad", T);
    bad[150] ^= 1;
    let found = run("a.tar", &[entry("x", T), bad, entry("y", T), end()].concat());
    assert_eq!(found.members(), ["x", "x", "y", "y"]);
    assert_eq!(found.failures, [" corrupt 1024"]);
}

#[test]
fn sizes_that_are_claimed_cost_nothing() {
    let huge = header(b"huge", &[0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0], b'0');
    let found = run("a.tar", &[&huge[..], &padded(T)].concat());
    assert_eq!((found.uris(), found.codes()), (BOTH.to_vec(), vec!["huge truncated"]));
    let negative = header(b"negative", &[0xFF; 12], b'0');
    let found = run("a.tar", &[&negative[..], &entry("x", T), &end()].concat());
    assert_eq!((found.uris(), found.codes()), (BOTH.to_vec(), vec![" corrupt"]));
    let long = header(b"pax", b"10000000000", b'x');
    assert!(!run("a.tar", &[&long[..], &entry("x", T)].concat()).failures.is_empty());
}

/// Names that are longer than any that is told stay two names, and keep their ending.
#[test]
fn names_of_any_length() {
    for len in [9_000, 70_000, 1_000_000] {
        let name = format!("{}.html", "n".repeat(len));
        let page = b"<a href='http://one.example/a'>";
        let gnu = [
            entry_of(b"././@LongLink", &[name.as_bytes(), b"\0"].concat(), b'L'),
            entry("n", page),
        ];
        let field = format!(" path={name}\n");
        let digits = (field.len() + 7).to_string().len();
        let pax = format!("{}{field}", field.len() + digits);
        let pax = [entry_of(b"PaxHeaders/n", pax.as_bytes(), b'x'), entry("n", page)];
        for tar in [gnu, pax] {
            let found = run("a.tar", &[tar.concat(), end()].concat());
            assert_eq!(found.uris(), ["http://one.example/a"], "{len}");
            assert_eq!(found.members()[0].len(), 8 << 10);
            assert_eq!(found.notices.len(), 1);
            assert!(found.notices[0].ends_with("name-too-long"));
            assert!(found.failures.is_empty());
        }
    }
}

#[test]
fn long_names_of_both_kinds() {
    let name = "n/".repeat(100) + "x.txt";
    let gnu = [entry_of(b"././@LongLink", name.as_bytes(), b'L'), entry("short", T)].concat();
    assert_eq!(run("a.tar", &gnu).members()[0], name);
    let pax = [pax(&[("path", &name)]), entry("short", T), entry("next", T)].concat();
    assert_eq!(run("a.tar", &pax).members(), [&*name, &*name, "next", "next"]);
}

#[test]
fn a_size_of_pax_goes_before_the_header() {
    let wrong = header(b"x", b"00000000000", b'0');
    let size = T.len().to_string();
    let found =
        run("a.tar", &[&pax(&[("size", &size)])[..], &wrong, &padded(T), &entry("y", T)].concat());
    assert_eq!(found.members(), ["x", "x", "y", "y"]);
}

#[test]
fn holes_of_sparse_files_are_zeros() {
    let map = format!("100,{}", T.len());
    let said =
        pax(&[("GNU.sparse.map", &map), ("GNU.sparse.size", "1000"), ("GNU.sparse.name", "s")]);
    let found = run("a.tar", &[said, entry("x", T), entry("y", T)].concat());
    // The content has zeros in front: it is not text, and http:// is a link in it all the same.
    assert_eq!(found.links[0], "s 104 http://one.example/a");
    assert_eq!(found.uris().len(), 4);
    let listed = [padded(format!("1\n600\n{}\n", T.len()).as_bytes()), T.to_vec()].concat();
    let said = pax(&[
        ("GNU.sparse.major", "1"),
        ("GNU.sparse.minor", "0"),
        ("GNU.sparse.realsize", "700"),
    ]);
    let found = run("a.tar", &[said, entry("s", &listed), entry("y", T)].concat());
    assert_eq!(found.links[0], "s 604 http://one.example/a");
    assert_eq!(found.uris().len(), 4, "{found:?}");
}

/// Nobody knows where its bytes belong: none are read, and the file after it is.
#[test]
fn a_sparse_file_of_too_many_pieces_is_told() {
    const MOST: usize = 1 << 16;
    let sparse = |count: usize| {
        let map = vec!["0,0"; count - 1].join(",") + &format!(",0,{}", T.len());
        let map = pax(&[("GNU.sparse.map", &map), ("GNU.sparse.size", "1000")]);
        let listed = format!("{count}\n{}0\n{}\n", "0\n0\n".repeat(count - 1), T.len());
        let listed = [padded(listed.as_bytes()), T.to_vec()].concat();
        let said = pax(&[("GNU.sparse.major", "1"), ("GNU.sparse.realsize", "1000")]);
        [[map, entry("s", T)].concat(), [said, entry("s", &listed)].concat()]
    };
    for tar in sparse(MOST) {
        let found = run("a.tar", &[tar, entry("x", T)].concat());
        assert_eq!((found.links.len(), found.failures.len()), (4, 0), "{found:?}");
    }
    for tar in sparse(MOST + 1) {
        let found = run("a.tar", &[tar, entry("x", T)].concat());
        assert_eq!((found.members(), found.codes()), (vec!["x"; 2], vec!["s length"]), "{found:?}");
    }
    // GNU's own headers, each of which says that there is another one.
    let mut first = header(b"s", format!("{:011o}", T.len()).as_bytes(), b'S');
    first[482] = 1;
    first[483..495].copy_from_slice(b"00000001000\0");
    let more = [&[b'0'; 504][..], b"\x01", &[0; 7]].concat();
    let last = [&[b'0'; 504][..], &[0; 8]].concat();
    let tar = [&seal(first)[..], &more.repeat(MOST * 24 / 504 + 2), &last, &padded(T)].concat();
    let found = run("a.tar", &[tar, entry("x", T)].concat());
    assert!(found.codes().contains(&"s length"), "{found:?}");
    assert_eq!(found.uris().len(), 2, "{found:?}");
}

#[test]
fn links_and_devices_have_no_content() {
    let kinds: Vec<u8> =
        (b'1'..=b'6').flat_map(|kind| header(b"l", b"00000000000", kind)).collect();
    let found = run("a.tar", &[&kinds[..], &entry("x", T)].concat());
    assert_eq!((found.uris(), found.failures.len()), (BOTH.to_vec(), 0));
}

#[test]
fn a_million_empty_entries_take_no_time() {
    let one = entry("e", b"");
    let found = run("a.tar", &[one.repeat(100_000), entry("x", T)].concat());
    assert_eq!(found.uris(), BOTH);
}

#[test]
fn every_cut_and_many_flipped_bits_do_no_harm() {
    let whole = [pax(&[("path", "long")]), entry("x", T), entry("y", T), end()].concat();
    assert!(super::run::torture("a.tar", &whole, Order::Bytes) > 1_000);
}

#[test]
fn headers_that_only_lead_to_others_cost_no_more_than_their_bytes() {
    let gnu = entry_of(b"././@LongLink", b"name", b'L');
    let found = run("a.tar", &[gnu.repeat(20_000), entry("x", T), entry("y", T), end()].concat());
    assert_eq!((found.members(), found.failures.len()), (vec!["name", "name", "y", "y"], 0));
    let said = pax(&[("path", "name")]);
    let found = run("a.tar", &[said.repeat(20_000), entry("x", T), entry("y", T), end()].concat());
    assert_eq!((found.members(), found.failures.len()), (vec!["name", "name", "y", "y"], 0));
    // Sizes that no file has, and one that is the header's own.
    for size in ["18446744073709551615", "99999999999999999999", "-1", "512", ""] {
        let found =
            run("a.tar", &[pax(&[("size", size)]), entry("x", T), entry("y", T), end()].concat());
        assert!(!found.links.is_empty() || !found.failures.is_empty(), "{size}: {found:?}");
    }
}

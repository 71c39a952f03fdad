//! The diff and the writer, on a file of their own.

use std::path::PathBuf;
use std::{env, fs, process};

use super::{Blessing, diff, marked, merged, split};

fn lines(text: &str) -> Vec<String> {
    text.split_terminator('\n').map(str::to_owned).collect()
}

/// A file that is removed after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Scratch {
        let path = env::temp_dir().join(format!("linksift-bless-{}-{name}", process::id()));
        fs::write(&path, content).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_diff_names_file_and_line_of_each_place() {
    let old = split(b"a\nb\nc\nd\ne\nf\ng");
    let new = split(b"a\nB\nc\nd\ne\nf\ng\nh");
    assert_eq!(
        diff("x.txt", 10, "case", &old, &new),
        "x.txt:12: case\n a\n-b\n+B\n c\nx.txt:18: case\n g\n+h\n"
    );
    assert_eq!(diff("x.txt", 0, "", &[], &split(b"a")), "x.txt:1\n+a\n");
    assert_eq!(diff("x.txt", 0, "", &old, &old), "");
}

#[test]
fn what_is_blessed_is_written_and_the_rest_stays() {
    let scratch = Scratch::new("written", "# a\n\none\ntwo\nthree\n\nlast");
    let mut blessing = Blessing::new("bless");
    blessing.lines(&scratch.0, 6..7, lines("LAST"), "");
    blessing.lines(&scratch.0, 2..4, lines("1\n2\n2.5"), "numbers");
    blessing.lines(&scratch.0, 4..5, lines("three"), "no difference");
    let (count, diff) = blessing.diff();
    assert_eq!(count, 2);
    assert!(diff.contains(":3: numbers\n-one\n-two\n+1\n+2\n+2.5\n"), "{diff}");
    blessing.write();
    assert_eq!(fs::read_to_string(&scratch.0).unwrap(), "# a\n\n1\n2\n2.5\nthree\n\nLAST");
}

#[test]
fn a_file_that_is_new_is_written_whole() {
    let scratch = Scratch::new("new", "");
    fs::remove_file(&scratch.0).unwrap();
    let mut blessing = Blessing::new("bless");
    blessing.whole(&scratch.0, b"a\n\xFF\r\n");
    assert_eq!(blessing.diff().0, 1);
    blessing.write();
    assert_eq!(fs::read(&scratch.0).unwrap(), b"a\n\xFF\r\n");
}

#[test]
fn a_difference_says_how_it_is_written() {
    let mut blessing = Blessing::new("suite::name");
    assert_eq!(blessing.differences(), "");
    blessing.whole(&PathBuf::from("none.txt"), b"a");
    let said = blessing.differences();
    assert!(said.starts_with("none.txt:1\n-\n+a\n\n1 of 1 expectations differ"), "{said}");
    let target = env!("CARGO_CRATE_NAME");
    let command = format!("LINKSIFT_BLESS=1 cargo test --test {target} -- suite::name\n");
    assert!(said.contains(&command), "{said}");
}

#[test]
#[should_panic(expected = "none.txt:3: two routes")]
fn a_fault_is_none_to_bless() {
    let mut blessing = Blessing::new("bless::name");
    blessing.fault(&PathBuf::from("none.txt"), 2, "two routes");
    blessing.finish();
}

#[test]
fn lines_that_are_not_compared_stay() {
    let is_compared = |line: &str| line.starts_with('>');
    let old = lines("# x\n> a\n# y\n> b\n> c\n= 0");
    let merged = |new: &str| merged(&old, is_compared, &lines(new), 0).join("\n");
    assert_eq!(merged("> a\n> b\n> c"), old.join("\n"));
    assert_eq!(merged("> a\n> B\n> c"), "# x\n> a\n# y\n> B\n> c\n= 0");
    assert_eq!(merged("> a\n> b\n> c\n> d"), "# x\n> a\n# y\n> b\n> c\n> d\n= 0");
    assert_eq!(merged(""), "# x\n# y\n= 0");
    let none = lines("# x\n= 0");
    assert_eq!(super::merged(&none, is_compared, &lines("> a"), 1), lines("# x\n> a\n= 0"));
}

#[test]
fn marks_go_where_ranges_are() {
    let pieces = [("a", 1), ("\\x20", 1), ("é", 2), ("\\u{E9}", 2)];
    let marked = |ranges: &[std::ops::Range<usize>]| marked(pieces, ranges, ['<', '>']);
    assert_eq!(marked(&[]), "a\\x20é\\u{E9}");
    assert_eq!(marked(&[0..1, 1..4, 4..6]), "<a><\\x20é><\\u{E9}>");
    assert_eq!(marked(&[0..0, 1..1, 2..4, 6..6]), "<>a<>\\x20<é>\\u{E9}<>");
}

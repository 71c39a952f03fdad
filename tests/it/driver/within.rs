//! What is in memory, looked at a few bytes at a time: the same as all at once.

use std::path::{Path, PathBuf};

use linksift::{Candidate, Candidates, Finder, Hints, Step};

use crate::support::growth::curved;

/// All candidates, so many bytes a look; and that there are no more, however often it is asked.
fn within<'t>(mut candidates: Candidates<'_, 't>, len: usize, bytes: usize) -> Vec<Candidate<'t>> {
    let (mut found, mut looks) = (Vec::new(), 0);
    loop {
        match candidates.next_within(bytes) {
            Step::Budget => looks += 1,
            Step::Found(judged) => found.push(judged),
            Step::Done => break,
        }
        assert!(looks <= len.div_ceil(bytes.max(1)), "{looks} looks for {len} bytes");
    }
    for _ in 0..3 {
        assert_eq!(candidates.next_within(bytes), Step::Done);
        assert!(candidates.next().is_none());
    }
    found
}

fn files(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path(), paths),
            false => paths.push(entry.path()),
        }
    }
}

#[test]
fn every_fixture_within_few_bytes() {
    let finder = Finder::builder().schemes(linksift::Schemes::Any).build();
    let mut paths = Vec::new();
    files(&crate::root().join("fixtures"), &mut paths);
    paths.sort();
    let (mut compared, mut count) = (0, 0);
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() > 100_000 {
            continue;
        }
        let base = "http://b.example/d/e".parse().unwrap();
        let hints = Hints::new().positions(true).base(base).name(path.to_str().unwrap());
        let Ok(candidates) = finder.document(&bytes, &hints) else { continue };
        let wanted: Vec<_> = candidates.clone().collect();
        for step in [0, 61, 4096] {
            // What costs much at each byte, as what expands does, need not be seen at each.
            let step = if step == 0 && bytes.len() > 4000 { 7 } else { step };
            let found = within(candidates.clone(), bytes.len(), step);
            assert!(found == wanted, "{} within {step}", path.display());
        }
        // All that is left at once, after some of it.
        let (mut candidates, mut found) = (candidates, Vec::new());
        for _ in 0..3 {
            if let Step::Found(judged) = candidates.next_within(100) {
                found.push(judged);
            }
        }
        found.extend(candidates);
        assert!(found == wanted, "{} after three looks", path.display());
        compared += 1;
        count += wanted.len();
    }
    assert!(compared > 300 && count > 5_000, "{count} of {compared} files");
}

#[test]
fn a_text_is_looked_at_between_characters() {
    let finder = Finder::new();
    let text = "見て http://例え.jp/パス。 と www.example.com".repeat(20);
    let wanted: Vec<_> = finder.candidates(&text).collect();
    for step in 0..9 {
        assert_eq!(within(finder.candidates(&text), text.len(), step), wanted, "within {step}");
    }
}

/// The work of all looks together, in running text and in pages.
#[test]
fn looks_take_linear_time_together() {
    let finder = Finder::new();
    for (name, unit) in [
        ("x.txt", "word "),
        ("x.txt", "http://example.com/a/"),
        ("x.txt", "a@"),
        ("x.txt", "("),
        ("x.html", "<a href=x>"),
        ("x.html", "<a title='"),
        ("x.html", "word "),
        ("x.json", "\"a\\/"),
        ("x.css", "a{b:url(c)}"),
    ] {
        let run = |text: &str| {
            let hints = Hints::new().name(name);
            let mut candidates = finder.document(text.as_bytes(), &hints).unwrap();
            while candidates.next_within(256) != Step::Done {}
        };
        let power = curved(4 << 10, |len| unit.repeat(len / unit.len()), run);
        assert_eq!(power, None, "{unit} in {name}");
    }
}

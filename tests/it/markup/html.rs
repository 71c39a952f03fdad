//! The HTML tokenizer against a browser's (html5ever), over fixtures, a folder of real pages, mutated
//! documents and tag soup; and against itself, cut at every byte.
//!
//! `LINKSIFT_CORPUS=DIR` compares every `.html` below DIR as well, in a test that is ignored (`-- --ignored`), and mutates
//! some of them; `LINKSIFT_MUTATIONS=N` and `LINKSIFT_SOUPS=N` say how many random documents are compared.

mod browser;
mod documents;
mod hostile;
mod ours;
mod runs;
mod soup;

use std::env;
use std::path::Path;

use crate::support::dice::Dice;
use linksift::peek::TokenKind;

fn number(name: &str, otherwise: usize) -> usize {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Where ours and the browser's differ first, in words; `None` if they do not.
fn difference(text: &str) -> Option<String> {
    let text = documents::closed(text);
    let (ours, theirs) = (ours::values(&text), browser::values(&text));
    if ours == theirs {
        return None;
    }
    let at = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let show = |seen: Option<&browser::Seen>| match seen {
        Some((context, value)) => {
            format!("{context} {:?}", value.chars().take(80).collect::<String>())
        }
        None => "nothing".to_owned(),
    };
    Some(format!(
        "value {at} of {} and {}: ours {}, theirs {}",
        ours.len(),
        theirs.len(),
        show(ours.get(at)),
        show(theirs.get(at))
    ))
}

/// A smaller text that differs as well: pieces taken out as long as it does.
fn shrunk(text: &str) -> String {
    let mut text = text.to_owned();
    let mut len = text.len() / 2;
    while len > 0 {
        let mut at = 0;
        while at < text.len() {
            let end = (at + len).min(text.len());
            let less = match (text.is_char_boundary(at), text.is_char_boundary(end)) {
                (true, true) => [&text[..at], &text[end..]].concat(),
                _ => {
                    at += 1;
                    continue;
                }
            };
            match difference(&less).is_some() {
                true => text = less,
                false => at += len,
            }
        }
        len /= 2;
    }
    text
}

/// The differences that were met.
#[derive(Default)]
struct Differences {
    /// Those that nothing explains.
    wrong: usize,
    /// Those of documents that are known to be read otherwise.
    explained: usize,
}

impl Differences {
    #[expect(clippy::print_stderr, reason = "the differences are what the test is run for")]
    fn compare(&mut self, name: &str, text: &str) {
        let Some(difference) = difference(text) else { return };
        let small = shrunk(text);
        if documents::is_read_otherwise(&small) {
            self.explained += 1;
            return;
        }
        self.wrong += 1;
        if self.wrong <= 5 {
            let left = self::difference(&small).unwrap_or_default();
            eprintln!("{name}: {difference}\n    {small:?}\n    {left}");
        }
    }
}

#[test]
fn fixtures_as_a_browser_sees_them() {
    let mut differences = Differences::default();
    let all = documents::fixtures();
    assert!(all.len() >= 10, "{} fixtures", all.len());
    for (name, text) in &all {
        assert!(!ours::values(text).is_empty(), "{name}: no value");
        differences.compare(name, text);
    }
    assert_eq!((differences.wrong, differences.explained), (0, 0), "fixtures that differ");
}

#[test]
#[ignore = "reads the folder that LINKSIFT_CORPUS names"]
#[expect(clippy::print_stderr, reason = "the numbers are what the test is run for")]
fn pages_of_a_corpus_as_a_browser_sees_them() {
    let folder = env::var("LINKSIFT_CORPUS").expect("LINKSIFT_CORPUS names a folder");
    let (mut differences, mut pages, mut values) = (Differences::default(), 0, 0);
    for path in documents::pages(Path::new(&folder)) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        pages += 1;
        values += ours::values(&text).len();
        differences.compare(&path.display().to_string(), &text);
    }
    let Differences { wrong, explained } = differences;
    eprintln!(
        "{pages} pages, {values} values; pages that differ: {wrong}, and {explained} explained"
    );
    assert!(wrong == 0, "{wrong} of {pages} pages differ");
    assert!(values > 0, "no value in {pages} pages");
}

#[test]
fn mutated_documents_as_a_browser_sees_them() {
    let mut seeds: Vec<String> = documents::fixtures().into_iter().map(|(_, text)| text).collect();
    if let Ok(folder) = env::var("LINKSIFT_CORPUS") {
        let pages = documents::pages(Path::new(&folder));
        let texts = pages.iter().step_by(20).filter_map(|path| std::fs::read(path).ok());
        let small = texts.filter(|bytes| bytes.len() < 20_000);
        seeds.extend(small.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
    }
    let mut dice = Dice::new(number("LINKSIFT_SEED", 1) as u64);
    random(number("LINKSIFT_MUTATIONS", 3_000), || soup::mutated(&seeds, &mut dice));
}

#[test]
fn tag_soup_as_a_browser_sees_it() {
    let mut dice = Dice::new(number("LINKSIFT_SEED", 1) as u64);
    random(number("LINKSIFT_SOUPS", 6_000), || soup::tags(&mut dice));
}

#[expect(clippy::print_stderr, reason = "how many there were is what a long run is for")]
fn random(count: usize, mut document: impl FnMut() -> String) {
    let (mut differences, mut values) = (Differences::default(), 0);
    for n in 0..count {
        let text = document();
        values += ours::values(&text).len();
        differences.compare(&format!("document {n}"), &text);
    }
    let Differences { wrong, explained } = differences;
    eprintln!("{count} documents; that differ: {wrong}, and {explained} explained");
    assert_eq!(wrong, 0, "documents that differ");
    assert!(values > count, "{values} values in {count} documents");
    assert!(explained * 200 <= count, "{explained} of {count} are explained");
}

#[test]
fn a_cut_document_gives_what_a_browser_gives_or_more() {
    for (name, text) in documents::fixtures() {
        for (at, _) in text.char_indices() {
            let (ours, theirs) = (ours::values(&text[..at]), browser::values(&text[..at]));
            assert!(ours.starts_with(&theirs), "{name} cut at {at}");
        }
    }
}

#[test]
fn two_blocks_are_as_good_as_one() {
    for (name, text) in documents::fixtures() {
        let bytes = text.as_bytes();
        let whole = ours::runs(&[bytes], ours::LONGEST);
        for at in 0..=bytes.len() {
            let (front, back) = bytes.split_at(at);
            assert_eq!(ours::runs(&[front, back], ours::LONGEST), whole, "{name} cut at {at}");
        }
    }
}

#[test]
fn many_blocks_are_as_good_as_one() {
    let mut dice = Dice::new(7);
    for n in 0..number("LINKSIFT_SOUPS", 6_000) {
        let text = soup::tags(&mut dice);
        let whole = ours::runs(&[text.as_bytes()], 40);
        let blocks: Vec<&[u8]> = text.as_bytes().chunks(1 + dice.below(9)).collect();
        assert_eq!(ours::runs(&blocks, 40), whole, "soup {n}: {text:?}");
    }
}

#[test]
fn ranges_lie_in_order_and_inside() {
    let mut dice = Dice::new(3);
    for _ in 0..2_000 {
        let text = soup::tags(&mut dice);
        let mut behind = 0;
        for peek in ours::runs(&[text.as_bytes()], ours::LONGEST) {
            assert!(peek.range.start <= peek.range.end && peek.range.end <= text.len());
            // The `content` of a `meta` waits for what else its tag says.
            if !peek.context.starts_with("meta@") && !peek.context.starts_with("param@") {
                assert!(peek.range.start >= behind, "{text:?}");
            }
            if peek.what != TokenKind::BaseEnd {
                behind = behind.max(peek.range.end);
            }
        }
    }
}

/// A name in the text of a link that ends the link's fragment is that of a place in a page.
#[test]
fn names_of_places_are_not_hosts() {
    let finder = linksift::Finder::new();
    let found = |page: &str, base: Option<&str>| -> Vec<String> {
        let hints = linksift::Hints::new().format(linksift::Format::Html);
        let hints = match base {
            Some(base) => hints.base(base.parse().unwrap()),
            None => hints,
        };
        let links = finder.document(page.as_bytes(), &hints).unwrap().links();
        links.map(|link| link.raw().to_owned()).collect()
    };
    for base in [None, Some("http://h.example/d/e.html#f")] {
        for page in [
            "<a href='#r-items.use.life'>[items.use.life]</a>",
            "<a href=\"#example.com\">see <b>example.com</b></a>",
            "<a href='x.html#a/example.com'>example.com</a>",
        ] {
            assert_eq!(found(page, base).len(), 1, "{page}");
        }
        // Another name, another place of it, a part of a name, an address, and after the link.
        for (page, last) in [
            ("<a href='#r-a.example.com'>example.com</a>", "example.com"),
            ("<a href='#myexample.com'>example.com</a>", "example.com"),
            ("<a href='#example.com-x'>example.com</a>", "example.com"),
            ("<a href='/example.com'>example.com</a>", "example.com"),
            ("<a href='#me@example.com'>me@example.com</a>", "me@example.com"),
            ("<a href='#example.com'>x</a> example.com", "example.com"),
        ] {
            let found = found(page, base);
            assert_eq!((found.len(), &*found[1]), (2, last), "{page}");
        }
    }
}

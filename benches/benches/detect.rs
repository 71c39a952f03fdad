//! Which encoding: ours beside chardetng alone.
//!
//! ```sh
//! pip download --no-deps --no-binary :all: chardet==6.0.0 && tar xzf chardet-6.0.0.tar.gz
//! cargo bench --bench detect -- chardet-6.0.0/tests [PAGES]
//! ```
//!
//! The first argument holds folders whose names say how the pages in them are encoded
//! (`iso-8859-3-maltese`). Left out are those of Unicode and ASCII, and those that the Encoding
//! Standard has no encoding for; they are listed. A page counts as *same* if the answer is the
//! encoding that the standard has for the folder's label, and as *equal* if the whole page decodes to
//! the same text by the answer and by the folder: what is `iso-8859-2` and not `windows-1250` about a
//! page without the bytes in which they differ, nobody can tell.
//!
//! - chardetng: the whole page, no top-level domain, UTF-8 and ISO-2022-JP allowed;
//! - content: ours, with two bytes before the page that keep it from being taken for markup, so that no
//!   declaration helps;
//! - ours: as users have it.
//!
//! PAGES holds HTML pages in UTF-8 (those of the Debian package `debian-handbook`, by language). Their
//! text is encoded in every encoding that is used for the language: pages that our frequencies of
//! letters were not counted in. With a number behind it, only so many characters of
//! each, from the first on that is not ASCII.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use linksift::{Detected, Finder, Hints};
use linksift_benches::rounds::median;
use linksift_benches::{clock, machine};

/// Pages, and how many of them are right.
#[derive(Clone, Copy, Default)]
struct Tally {
    pages: usize,
    chardetng: [usize; 2],
    content: [usize; 2],
    ours: [usize; 2],
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(folder) = arguments.next() else {
        println!("no folder of pages given; see benches/README.md");
        return;
    };
    println!("{}\n", machine::heading());
    folders(Path::new(&folder));
    if let Some(pages) = arguments.next() {
        let most = arguments.next().and_then(|number| number.parse().ok());
        handbook(Path::new(&pages), most.unwrap_or(usize::MAX));
    }
    cost();
}

/// The pages of chardet.
fn folders(root: &Path) {
    let mut by_encoding: BTreeMap<String, Tally> = BTreeMap::new();
    let mut by_language: BTreeMap<String, Tally> = BTreeMap::new();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Tally::default();
    for folder in entries(root).into_iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (label, language) = name.rsplit_once('-').unwrap_or((&name, "?"));
        let pages = entries(&folder);
        let Some(encoding) = encoding(label) else {
            *left_out.entry(label.to_owned()).or_default() += pages.len();
            continue;
        };
        for page in pages {
            let page = fs::read(page).unwrap();
            for tally in [
                by_encoding.entry(label.to_owned()).or_default(),
                by_language.entry(language.to_owned()).or_default(),
                &mut all,
            ] {
                tally.add(&page, encoding);
            }
        }
    }
    assert!(all.pages > 0, "no folders named by encodings in {}", root.display());
    print("folder", &by_encoding, all);
    print("language", &by_language, all);
    let left_out: Vec<_> =
        left_out.iter().map(|(label, pages)| format!("{label} {pages}")).collect();
    println!("Left out, with their pages: {}.\n", left_out.join(", "));
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

/// The standard's encoding for the label in a folder's name.
fn encoding(label: &str) -> Option<&'static Encoding> {
    let label = match label {
        "macroman" => "macintosh",
        "maccyrillic" => "x-mac-cyrillic",
        "cp874" => "windows-874",
        "cp932" => "shift_jis",
        "cp949" => "euc-kr",
        "ascii" => return None,
        label if label.starts_with("utf-") => return None,
        label => label,
    };
    Encoding::for_label_no_replacement(label.as_bytes())
}

impl Tally {
    fn add(&mut self, page: &[u8], wanted: &'static Encoding) {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(page, true);
        let theirs = detector.guess(None, Utf8Detection::Allow);
        let (text, _) = wanted.decode_without_bom_handling(page);
        let judge = |answer: &'static Encoding| {
            let is_same = answer == wanted;
            let is_equal = is_same || answer.decode_without_bom_handling(page).0 == text;
            [usize::from(is_same), usize::from(is_equal)]
        };
        let add = |counts: &mut [usize; 2], [same, equal]: [usize; 2]| {
            counts[0] += same;
            counts[1] += equal;
        };
        self.pages += 1;
        add(&mut self.chardetng, judge(theirs));
        let undeclared = [b"x\n", page].concat();
        for (counts, page) in [(&mut self.content, &undeclared[..]), (&mut self.ours, page)] {
            if let Ok(found) = Detected::of(page) {
                let name = found.charset().as_str();
                add(counts, Encoding::for_label(name.as_bytes()).map_or([0, 0], judge));
            }
        }
    }
}

fn print(what: &str, tallies: &BTreeMap<String, Tally>, all: Tally) {
    println!(
        "| {what} | pages | chardetng: same | equal | content: same | equal | ours: same | equal |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let row = |name: &str, tally: &Tally| {
        let counts = [tally.chardetng, tally.content, tally.ours].concat();
        let counts: Vec<_> = counts.iter().map(usize::to_string).collect();
        println!("| {name} | {} | {} |", tally.pages, counts.join(" | "));
    };
    tallies.iter().for_each(|(name, tally)| row(name, tally));
    row("**all**", &all);
    let share = |count: usize| format!("{:.1} %", 100.0 * count as f64 / all.pages as f64);
    let shares = [all.chardetng, all.content, all.ours].concat().into_iter().map(share);
    println!("| | | {} |\n", shares.collect::<Vec<_>>().join(" | "));
}

/// Folders of the handbook, and the encodings that their languages are written in.
const LANGUAGES: [(&str, &[&str]); 26] = [
    ("ar-MA", &["windows-1256", "iso-8859-6"]),
    ("ca-ES", &WESTERN),
    ("cs-CZ", &["windows-1250", "iso-8859-2"]),
    ("da-DK", &["windows-1252", "iso-8859-15", "macintosh", "iso-8859-10"]),
    ("de-DE", &["windows-1252", "iso-8859-15", "macintosh", "windows-1250", "iso-8859-10"]),
    ("el-GR", &["windows-1253", "iso-8859-7"]),
    ("en-US", &WESTERN),
    ("es-ES", &WESTERN),
    ("fa-IR", &["windows-1256"]),
    ("fr-FR", &WESTERN),
    ("hr-HR", &["windows-1250", "iso-8859-2", "iso-8859-16"]),
    ("id-ID", &WESTERN),
    ("it-IT", &WESTERN),
    ("ja-JP", &["shift_jis", "euc-jp", "iso-2022-jp"]),
    ("ko-KR", &["euc-kr"]),
    ("nb-NO", &WESTERN),
    ("nl-NL", &WESTERN),
    ("pl-PL", &["windows-1250", "iso-8859-2", "iso-8859-16", "windows-1257", "iso-8859-13"]),
    ("pt-BR", &WESTERN),
    ("ro-RO", &["iso-8859-16"]),
    ("ru-RU", &["windows-1251", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic"]),
    ("sv-SE", &WESTERN),
    ("tr-TR", &["windows-1254", "iso-8859-3"]),
    ("vi-VN", &["windows-1258"]),
    ("zh-CN", &["gbk"]),
    ("zh-TW", &["big5"]),
];

const WESTERN: [&str; 3] = ["windows-1252", "iso-8859-15", "macintosh"];

/// Every third page of the handbook, encoded.
fn handbook(root: &Path, most: usize) {
    let mut by_encoding: BTreeMap<String, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for (language, labels) in LANGUAGES {
        for page in html(&root.join(language)).iter().step_by(3) {
            let text = text(&fs::read_to_string(page).unwrap());
            let start = text.find(|c: char| !c.is_ascii()).unwrap_or(text.len());
            let text: String = text[start..].chars().take(most).collect();
            for label in labels {
                let encoding = encoding(label).expect("a label of the standard");
                if let Some(bytes) = encoded(&text, encoding) {
                    let tally = by_encoding.entry((*label).to_owned()).or_default();
                    tally.add(&bytes, encoding);
                    all.add(&bytes, encoding);
                }
            }
        }
    }
    print("encoded as", &by_encoding, all);
}

fn html(folder: &Path) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    for path in entries(folder) {
        match path.is_dir() {
            true => found.extend(html(&path)),
            false if path.extension().is_some_and(|ending| ending == "html") => {
                found.insert(path);
            }
            false => {}
        }
    }
    found.into_iter().collect()
}

/// The text of a page in one line, without tags.
fn text(page: &str) -> String {
    let mut out = String::new();
    for (number, piece) in page.split('<').enumerate() {
        let text = if number == 0 { piece } else { piece.split_once('>').map_or("", |(_, t)| t) };
        for word in text.split_whitespace() {
            out.push_str(word);
            out.push(' ');
        }
    }
    out
}

/// The text in an encoding, if it says anything of one: no more than one in fifty characters beyond
/// ASCII is left away, and what there is is not UTF-8.
fn encoded(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let is_mappable = |c: &char| c.is_ascii() || !encoding.encode(c.encode_utf8(&mut [0; 4])).2;
    let kept: String = text.chars().filter(is_mappable).collect();
    let beyond = text.chars().filter(|c| !c.is_ascii()).count();
    let lost = text.chars().count() - kept.chars().count();
    let (bytes, _, _) = encoding.encode(&kept);
    let is_plain = std::str::from_utf8(&bytes).is_ok() && encoding.name() != "ISO-2022-JP";
    (beyond > 0 && lost * 50 <= beyond && !is_plain).then(|| bytes.into_owned())
}

/// What finding out costs, beside the scan of the same document.
fn cost() {
    println!("| document | size | which encoding (ns) | share of the scan |");
    println!("|---|---:|---:|---:|");
    let prose = "Those who want to read on find more at http://example.com/a, or in print. ";
    let cyrillic = "Кто хочет читать дальше, найдёт больше на http://example.com/a, или в книге. ";
    let head = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>On</title>\n";
    let finder = Finder::new();
    for size in [4 << 10, 64 << 10, 1 << 20] {
        for (what, head, unit) in [
            ("declares UTF-8", head, prose),
            ("declares UTF-8, Cyrillic", head, cyrillic),
            ("ASCII, says nothing", "", prose),
            ("UTF-8, says nothing, Cyrillic", "", cyrillic),
        ] {
            let text = format!("{head}{}", unit.repeat(size / unit.len()));
            let bytes = text.as_bytes();
            let mut ratios = Vec::new();
            let mut nanoseconds = Vec::new();
            let runs = (8 << 20) / size;
            for _ in 0..15 {
                let found = clock::seconds(|| {
                    for _ in 0..runs {
                        assert!(Detected::of(black_box(bytes)).is_ok());
                    }
                });
                let mut links = 0;
                let scanned = clock::seconds(|| {
                    for _ in 0..runs {
                        links += finder
                            .document(black_box(bytes), &Hints::new())
                            .unwrap()
                            .filter(linksift::Candidate::is_link)
                            .count();
                    }
                });
                assert_eq!(links, runs * (size / unit.len()), "{what}");
                nanoseconds.push(found / runs as f64 * 1e9);
                ratios.push(found / scanned);
            }
            let share = 100.0 * median(ratios);
            println!("| {what} | {size} | {:.0} | {share:.2} % |", median(nanoseconds));
        }
    }
}

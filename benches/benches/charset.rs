//! `cargo bench --bench charset -- DIR [--only NAME] [--megabytes N] [--seconds S]`: links out of stored
//! bytes in legacy charsets, beside the roads that decode all of them first.
//!
//! Reads the corpora that `corpora.sh` makes, encodes them (a line that the charset cannot hold is left
//! out) and prints a table in Markdown.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use encoding_rs::Encoding;
use linkify::LinkFinder;
use linksift::{Charset, Finder, Hints};
use linksift_benches::{clock, machine, outcome};

/// A charset, a corpus in a language that it is used for, and how many times as fast as decoding and
/// `linkify` the scan of the stored bytes is to be.
const CASES: [(&str, &str, f64); 18] = [
    ("windows-1251", "ru", 8.0),
    ("koi8-r", "ru", 8.0),
    ("iso-8859-5", "ru", 8.0),
    ("windows-1252", "fr", 8.0),
    ("iso-8859-15", "fr", 8.0),
    ("windows-1252", "prose", 8.0),
    ("windows-1250", "pl", 8.0),
    ("iso-8859-2", "pl", 8.0),
    ("windows-1253", "el", 8.0),
    ("euc-jp", "ja", 8.0),
    ("euc-kr", "ko", 8.0),
    ("gb18030", "zh", 8.0),
    ("shift_jis", "ja", 3.0),
    ("big5", "zh-hant", 3.0),
    ("utf-16le", "ja", 1.5),
    ("utf-16le", "ru", 1.5),
    ("utf-16be", "prose", 1.5),
    ("iso-2022-jp", "ja", 1.5),
];

struct Arguments {
    dir: PathBuf,
    only: Option<String>,
    size: usize,
    time: Duration,
}

fn arguments() -> Result<Arguments, String> {
    let (mut dir, mut only) = (None, None);
    let (mut size, mut time) = (16 << 20, Duration::from_secs(4));
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg}: value missing"));
        let number = |value: String| value.parse::<u64>().map_err(|e| format!("{arg}: {e}"));
        match &*arg {
            "--bench" => {} // cargo says it to every bench
            "--only" => only = Some(value()?),
            "--megabytes" => size = (number(value()?)? as usize) << 20,
            "--seconds" => time = Duration::from_secs(number(value()?)?),
            _ => dir = Some(PathBuf::from(arg)),
        }
    }
    let dir = dir.ok_or("usage: cargo bench --bench charset -- DIR [--only NAME]")?;
    Ok(Arguments { dir, only, size, time })
}

fn main() -> ExitCode {
    outcome::of("charset", arguments().and_then(|arguments| run(&arguments)))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    println!("{}\n", machine::heading());
    println!(
        "| charset, corpus | links | ours GB/s | floor: memchr `:` | / decode, linkify | asked | / decode, our scan | same links |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, corpus, asked) in CASES {
        if arguments.only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let stored = stored(&arguments.dir, corpus, name, arguments.size)?;
        println!("{}", row(name, corpus, asked, &stored, arguments.time));
    }
    Ok(())
}

/// The corpus in the charset, the lines that it cannot hold left out.
fn stored(dir: &Path, corpus: &str, name: &str, size: usize) -> Result<Vec<u8>, String> {
    let path = dir.join(corpus).with_extension("txt");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let encoding = encoding(name);
    let mut stored = Vec::with_capacity(size + 4096);
    for line in text.split_inclusive('\n') {
        match name {
            "utf-16le" => stored.extend(line.encode_utf16().flat_map(u16::to_le_bytes)),
            "utf-16be" => stored.extend(line.encode_utf16().flat_map(u16::to_be_bytes)),
            _ => {
                let (bytes, _, missing) = encoding.encode(line);
                if !missing {
                    stored.extend_from_slice(&bytes);
                }
            }
        }
        if stored.len() >= size {
            break;
        }
    }
    Ok(stored)
}

fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap_or(encoding_rs::UTF_8)
}

fn row(name: &str, corpus: &str, asked: f64, stored: &[u8], time: Duration) -> String {
    let finder = Finder::new();
    let charset: Charset = name.parse().unwrap_or(Charset::UTF_8);
    let hints = Hints::new().charset(charset);
    let mut linkify = LinkFinder::new();
    linkify.url_must_have_scheme(false);
    let decode = || encoding(name).decode_without_bom_handling(stored).0;

    let ours =
        || finder.document(stored, &hints).unwrap().filter(linksift::Candidate::is_link).count();
    let theirs = || linkify.links(&decode()).count();
    let decoded = || finder.links(&decode()).count();
    let floor = || memchr::memchr_iter(b':', stored).count();
    let same = ours() == decoded();
    let contenders: [&dyn Fn() -> usize; 4] = [&ours, &theirs, &decoded, &floor];
    let links = ours();
    let mut seconds: [Vec<f64>; 4] = Default::default();
    let begin = Instant::now();
    while seconds[0].len() < 5 || begin.elapsed() < time {
        for (contender, seconds) in contenders.iter().zip(&mut seconds) {
            let mut found = 0;
            seconds.push(clock::seconds(|| found = contender()));
            std::hint::black_box(found);
        }
    }
    let ratio = |peer: usize| {
        median(seconds[peer].iter().zip(&seconds[0]).map(|(theirs, ours)| theirs / ours).collect())
    };
    let rate = |n: usize| stored.len() as f64 / median(seconds[n].clone()) / 1e9;
    format!(
        "| {name}, {corpus} | {links} | {:.2} | {:.1} | {:.1} | {asked} | {:.1} | {} |",
        rate(0),
        rate(3),
        ratio(1),
        ratio(2),
        if same { "yes" } else { "no" },
    )
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

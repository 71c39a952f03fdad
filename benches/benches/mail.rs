//! `cargo bench --bench mail -- [TREE] [--python PYTHON] [--write DIR] [--rounds N]`: links out of mail.
//!
//! Messages that are made, and those of TREE, gone through by ours, by mail-parser with linkify, and by
//! Python's `email` with a regular expression in a process of its own; decoders; what a mail client calls.
//! Prints tables in Markdown.

use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use linkify::LinkFinder;
use linksift::html::{Linkify, linkify};
use linksift::{Event, Finder, Format, Hints, peek};
use linksift_benches::rounds::median;
use linksift_benches::{clock, machine, messages, outcome};
use mail_parser::{MessageParser, PartType};

/// How many messages are made.
const MADE: usize = 3000;
/// What the decoders decode.
const DECODED: usize = 1 << 20;
/// A letter's text.
const LETTER: usize = 4096;

#[derive(Default)]
struct Arguments {
    tree: Option<PathBuf>,
    python: Option<PathBuf>,
    write: Option<PathBuf>,
    rounds: Option<usize>,
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg}: value missing"));
        match &*arg {
            "--bench" => {}
            "--python" => parsed.python = Some(value()?.into()),
            "--write" => parsed.write = Some(value()?.into()),
            "--rounds" => {
                parsed.rounds = Some(value()?.parse().map_err(|e| format!("--rounds: {e}"))?);
            }
            _ => parsed.tree = Some(arg.into()),
        }
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    outcome::of("mail", arguments().and_then(|arguments| run(&arguments)))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    println!("{}\n", machine::heading());
    let rounds = arguments.rounds.unwrap_or(9);
    let mut sets = vec![("made", messages::made(MADE))];
    if let Some(tree) = &arguments.tree {
        let real = messages::below(tree);
        if real.is_empty() {
            return Err(format!("{}: no messages", tree.display()));
        }
        sets.push(("real", real));
    }
    for (name, set) in &sets {
        let folder = match (&arguments.write, &arguments.python) {
            (Some(folder), _) => Some(folder.join(name)),
            (None, Some(_)) => Some(std::env::temp_dir().join(format!("linksift-mail-{name}"))),
            (None, None) => None,
        };
        if let Some(folder) = &folder {
            write(folder, set).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let python = arguments.python.as_deref().zip(folder.as_deref());
        whole(name, set, python, rounds)?;
        if arguments.write.is_none()
            && let Some(folder) = folder
        {
            fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
    }
    decoders(rounds);
    clients();
    Ok(())
}

/// Writes each message to a file.
fn write(folder: &Path, set: &[Vec<u8>]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for (number, bytes) in set.iter().enumerate() {
        fs::write(folder.join(format!("{number:05}.eml")), bytes)?;
    }
    Ok(())
}

type Work<'w> = Box<dyn Fn(&[u8]) -> u64 + 'w>;

/// Whole messages: links with their places, beside parsing and searching.
fn whole(
    name: &str,
    set: &[Vec<u8>],
    python: Option<(&Path, &Path)>,
    rounds: usize,
) -> Result<(), String> {
    let (finder, hints) = (Finder::new(), Hints::new().format(Format::Email));
    let mut linkify = LinkFinder::new();
    linkify.url_must_have_scheme(false);
    let contenders: Vec<(&str, Work<'_>)> = vec![
        ("linksift `scan_reader`", Box::new(|bytes| ours(bytes, &finder, &hints))),
        ("mail-parser, linkify on texts and HTML", Box::new(|bytes| theirs(bytes, &linkify))),
        ("mail-parser alone", Box::new(parsed)),
    ];
    let sum = |work: &Work<'_>| set.iter().map(|bytes| work(black_box(bytes))).sum::<u64>();
    let found: Vec<u64> = contenders.iter().map(|(_, work)| sum(work)).collect();
    let mut times = vec![Vec::new(); contenders.len()];
    let (mut by_python, mut python_found) = (Vec::new(), 0);
    for round in 0..rounds {
        for (index, (what, work)) in contenders.iter().enumerate() {
            let mut again = 0;
            times[index].push(clock::seconds(|| again = sum(work)));
            assert_eq!(again, found[index], "{what}: another result in round {round}");
        }
        if let Some((python, folder)) = python {
            let (seconds, found) = of_python(python, folder)?;
            by_python.push(seconds);
            python_found = found;
        }
    }
    let bytes: usize = set.iter().map(Vec::len).sum();
    println!("### Messages, {name}: {}, {:.1} MB\n", set.len(), bytes as f64 / 1e6);
    println!("| | µs a message | GB/s | found | linksift is … times as fast |");
    println!("|---|---:|---:|---:|---:|");
    let row = |what: &str, seconds: &[f64], found: u64| {
        let ratio = median(seconds.iter().zip(&times[0]).map(|(t, o)| t / o).collect());
        let seconds = median(seconds.to_vec());
        let micros = seconds * 1e6 / set.len() as f64;
        println!(
            "| {what} | {micros:.2} | {:.3} | {found} | {ratio:.2} |",
            bytes as f64 / seconds / 1e9
        );
    };
    for (index, (what, _)) in contenders.iter().enumerate() {
        row(what, &times[index], found[index]);
    }
    if python.is_some() {
        row("Python's `email`, a regular expression", &by_python, python_found);
    }
    println!();
    Ok(())
}

fn ours(bytes: &[u8], finder: &Finder, hints: &Hints) -> u64 {
    let mut found = 0;
    let scanned = finder
        .scan_reader(bytes, hints, |event| {
            if let Event::Link { link, .. } = event {
                black_box(link.range());
                found += 1;
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(scanned.links(), found);
    found
}

fn theirs(bytes: &[u8], finder: &LinkFinder) -> u64 {
    fn each(message: &mail_parser::Message<'_>, finder: &LinkFinder) -> u64 {
        let of_part = |part: &mail_parser::MessagePart<'_>| match &part.body {
            PartType::Text(text) | PartType::Html(text) => finder.links(text).count() as u64,
            PartType::Message(inner) => each(inner, finder),
            _ => 0,
        };
        message.parts.iter().map(of_part).sum()
    }
    MessageParser::default().parse(bytes).map_or(0, |message| each(&message, finder))
}

fn parsed(bytes: &[u8]) -> u64 {
    MessageParser::default().parse(bytes).map_or(0, |message| message.parts.len() as u64)
}

/// Processor seconds and URLs as `mail_links.py` says them; its start and its imports are not in it.
fn of_python(python: &Path, folder: &Path) -> Result<(f64, u64), String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/mail_links.py");
    let done = Command::new(python).arg(script).arg(folder).output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let mut words = said.split_whitespace();
    let seconds = words.next().and_then(|word| word.parse().ok());
    let found = words.next().and_then(|word| word.parse().ok());
    seconds.zip(found).ok_or_else(|| String::from_utf8_lossy(&done.stderr).into_owned())
}

/// Decoders alone, over what 1 MiB of text is encoded to.
fn decoders(rounds: usize) {
    let english = messages::text(1, DECODED).into_bytes();
    let cyrillic = "Привет, мир. Это строка.\r\n".repeat(DECODED / 44).into_bytes();
    let encoded = |encode: fn(&[u8], &mut Vec<u8>), text: &[u8]| {
        let mut out = Vec::new();
        encode(text, &mut out);
        out
    };
    type Decode = fn(&[u8], &mut Vec<u8>) -> usize;
    let quoted: [(&str, Decode); 2] = [
        ("linksift", |bytes, out| peek::untransferred("quoted-printable", bytes, out)),
        ("mail-parser", |bytes, _| {
            mail_parser::decoders::quoted_printable::quoted_printable_decode(bytes)
                .map_or(0, |decoded| black_box(decoded).len())
        }),
    ];
    let base64: [(&str, Decode); 3] = [
        ("linksift", |bytes, out| peek::untransferred("base64", bytes, out)),
        ("mail-parser", |bytes, _| {
            mail_parser::decoders::base64::base64_decode(bytes)
                .map_or(0, |decoded| black_box(decoded).len())
        }),
        ("base64-simd, white space passed over", |bytes, _| {
            base64_simd::forgiving_decode_to_vec(bytes)
                .map_or(0, |decoded| black_box(decoded).len())
        }),
    ];
    println!(
        "### Decoders, stored GB/s\n\n| | GB/s | linksift is … times as fast |\n|---|---:|---:|"
    );
    let tables: [(&str, Vec<u8>, usize, &[(&str, Decode)]); 3] = [
        (
            "quoted-printable, English",
            encoded(messages::quoted_printable, &english),
            english.len(),
            &quoted,
        ),
        (
            "quoted-printable, Russian",
            encoded(messages::quoted_printable, &cyrillic),
            cyrillic.len(),
            &quoted,
        ),
        ("base64, lines of 76", encoded(messages::base64, &english), english.len(), &base64),
    ];
    for (what, bytes, len, contenders) in tables {
        let mut times = vec![Vec::new(); contenders.len()];
        let mut out = Vec::new();
        for _ in 0..rounds {
            for (index, (name, decode)) in contenders.iter().enumerate() {
                times[index].push(clock::seconds(|| {
                    for _ in 0..16 {
                        out.clear();
                        let decoded = decode(black_box(&bytes), &mut out);
                        assert_eq!(decoded, len, "{what}, {name}");
                    }
                }));
            }
        }
        for ((name, _), seconds) in contenders.iter().zip(&times) {
            let ratio = median(seconds.iter().zip(&times[0]).map(|(t, o)| t / o).collect());
            let rate = 16.0 * bytes.len() as f64 / median(seconds.clone()) / 1e9;
            println!("| {what}: {name} | {rate:.2} | {ratio:.2} |");
        }
    }
    println!();
}

/// What a mail client calls: a letter that is shown, a line that is typed.
fn clients() {
    let letters: Vec<String> = (0..512).map(|seed| messages::text(seed, LETTER)).collect();
    let (finder, options) = (Finder::new(), Linkify::new());
    let mut link_finder = LinkFinder::new();
    link_finder.url_must_have_scheme(false);
    println!(
        "### A letter of {LETTER} bytes, call by call (µs)\n\n| | median | 99 % |\n|---|---:|---:|"
    );
    print("its links: `Finder::links`", &letters, |text| finder.links(text).count());
    print("its links: linkify", &letters, |text| link_finder.links(text).count());
    print("to HTML: `html::linkify`", &letters, |text| linkify(text, &options).len());
    // A key that is pressed somewhere in it.
    let mut key = 0;
    let composer = |text: &String| (text.as_ptr(), finder.compose(text.as_str()));
    let mut composers: HashMap<_, _> = letters.iter().map(composer).collect();
    print("a key is pressed: `Composer::edit`", &letters, |text| {
        key += 997;
        let at = key % text.len();
        composers.get_mut(&text.as_ptr()).unwrap().edit(at..at, "x").len()
    });
}

fn print(name: &str, letters: &[String], mut call: impl FnMut(&str) -> usize) {
    let mut times = Vec::new();
    for pass in 0..21 {
        for letter in letters {
            // A wall clock: the other takes longer to read than some calls.
            let start = Instant::now();
            black_box(call(black_box(letter)));
            let micros = start.elapsed().as_secs_f64() * 1e6;
            if pass > 0 {
                times.push(micros);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied();
    println!(
        "| {name} | {:.2} | {:.2} |",
        at(0.5).unwrap_or(f64::NAN),
        at(0.99).unwrap_or(f64::NAN)
    );
}

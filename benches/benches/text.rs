//! `cargo bench --bench text -- DIR [--only NAME] [--rounds N] [--seconds S]`: links out of running text.
//!
//! Reads `DIR/{prose,dense,ru,ja,zh,ar}.txt` (see `corpora.sh`) and prints tables in Markdown.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use linksift_benches::contenders::{self, Contender};
use linksift_benches::rounds::{self, Limits, Rounds};
use linksift_benches::{machine, outcome};

const CORPORA: [&str; 6] = ["prose", "dense", "ru", "ja", "zh", "ar"];
/// What is set against what: the same work, as nearly as both can do it.
const PAIRS: [(&str, &str); 6] = [
    (contenders::ALL, contenders::LINKIFY),
    (contenders::ALL_URI, contenders::LINKIFY),
    (contenders::READER, contenders::LINKIFY),
    (contenders::SCHEME, contenders::LINKIFY_SCHEME),
    (contenders::SCHEME, contenders::REGEX),
    (contenders::ALL, contenders::COUNT_COLONS),
];
/// The size of a message, for latency.
const MESSAGE: usize = 4096;

struct Arguments {
    dir: PathBuf,
    only: Option<String>,
    limits: Limits,
}

fn arguments() -> Result<Arguments, String> {
    let mut dir = None;
    let mut only = None;
    let mut limits = Limits { at_least: 9, time: Duration::from_secs(8) };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg}: value missing"));
        match &*arg {
            "--bench" => {} // cargo says it to every bench
            "--only" => only = Some(value()?),
            "--rounds" => {
                limits.at_least = value()?.parse().map_err(|e| format!("--rounds: {e}"))?
            }
            "--seconds" => {
                let seconds = value()?.parse().map_err(|e| format!("--seconds: {e}"))?;
                limits.time = Duration::from_secs(seconds);
            }
            _ => dir = Some(PathBuf::from(arg)),
        }
    }
    let dir = dir
        .ok_or("usage: cargo bench --bench text -- DIR [--only NAME] [--rounds N] [--seconds S]")?;
    Ok(Arguments { dir, only, limits })
}

fn main() -> ExitCode {
    outcome::of("text", arguments().and_then(|arguments| run(&arguments)))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    println!("{}\n", machine::heading());
    let contenders = contenders::all();
    let mut ratios = Vec::new();
    let mut latencies = Vec::new();
    for name in CORPORA {
        if arguments.only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let text = read(&arguments.dir.join(name).with_extension("txt"))?;
        let all = rounds::measure(&contenders, &text, arguments.limits);
        print_rates(name, &text, &contenders, &all);
        ratios.push((name, PAIRS.map(|pair| ratio(&contenders, &all, pair))));
        latencies.push((
            name,
            latency(&contenders::linksift_all(), &text),
            latency(&contenders::linkify_optional(), &text),
        ));
    }
    println!("### Times as fast (median of the ratios of each round)\n");
    print!("| |");
    ratios.iter().for_each(|(name, _)| print!(" {name} |"));
    println!("\n|---|{}", "---:|".repeat(ratios.len()));
    for (i, (ours, peer)) in PAIRS.iter().enumerate() {
        print!("| {ours} / {peer} |");
        ratios.iter().for_each(|(_, row)| print!(" {:.2} |", row[i]));
        println!();
    }
    println!("\n### A message of {MESSAGE} bytes, finder reused (µs)\n");
    println!("| | linksift, median | 99 % | linkify, median | 99 % |\n|---|---:|---:|---:|---:|");
    for (name, ours, peer) in latencies {
        println!("| {name} | {:.2} | {:.2} | {:.2} | {:.2} |", ours.0, ours.1, peer.0, peer.1);
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    String::from_utf8(bytes).map_err(|e| format!("{}: {e}", path.display()))
}

fn print_rates(name: &str, text: &str, contenders: &[Contender], all: &[Rounds]) {
    let rounds = all.first().map_or(0, |r| r.seconds.len());
    println!("### {name} ({:.1} MB, {rounds} rounds)\n", text.len() as f64 / 1e6);
    println!("| | GB/s, median | best | found | ns a link |\n|---|---:|---:|---:|---:|");
    for (contender, rounds) in contenders.iter().zip(all) {
        let rate = |seconds: f64| text.len() as f64 / seconds / 1e9;
        let each = match contender.finds_links {
            true => format!("{:.0}", rounds.median() * 1e9 / rounds.found.count as f64),
            false => String::new(),
        };
        println!(
            "| {} | {:.2} | {:.2} | {} | {each} |",
            contender.name,
            rate(rounds.median()),
            rate(rounds.min()),
            rounds.found.count,
        );
    }
    println!();
}

fn ratio(contenders: &[Contender], all: &[Rounds], (ours, peer): (&str, &str)) -> f64 {
    let of = |name: &str| contenders.iter().position(|c| c.name == name).and_then(|i| all.get(i));
    match (of(ours), of(peer)) {
        (Some(ours), Some(peer)) => ours.times_as_fast_as(peer),
        _ => f64::NAN,
    }
}

/// The last character boundary up to `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Median and 99th percentile, in microseconds, of single calls: messages cut from all over `text`, each
/// anew in every pass, so that no call meets the text that the call before it has just read.
fn latency(contender: &Contender, text: &str) -> (f64, f64) {
    let step = text.len() / 512;
    let messages: Vec<&str> = (0..512)
        .filter_map(|i| text.get(boundary(text, i * step)..boundary(text, i * step + MESSAGE)))
        .collect();
    let mut times = Vec::new();
    for pass in 0..11 {
        for message in &messages {
            // A wall clock: the other takes longer to read than some messages.
            let start = Instant::now();
            std::hint::black_box(contender.run(message));
            let micros = start.elapsed().as_secs_f64() * 1e6;
            if pass > 0 {
                times.push(micros);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN);
    (at(0.5), at(0.99))
}

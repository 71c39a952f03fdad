//! `pair LIST [--seconds S]`: two states of the library and two peers in one binary, in turns. `benches/pair` runs it.
//!
//! A line of LIST is a work: its name, its road, options (`name=value`, with spaces between them), the file of its
//! inputs, separated by tabs. Prints a table in Markdown. Without the feature `pair` the library stands on both
//! sides: the table then shows the noise.

use std::fs;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use inputs::{Input, unpacked};
use linkify::LinkFinder;
use linksift_benches::contenders::Found;
use linksift_benches::rounds::{Limits, Rounds, in_turns};
use linksift_benches::{clock, machine, outcome};
use url::Url;

#[path = "../instructions/driver/src/inputs.rs"]
mod inputs;

mod head {
    use linksift as library;
    include!("pair/adapter.rs");
}

#[cfg(feature = "pair")]
mod before {
    use linksift_before as library;
    include!("pair/before.rs");
}
#[cfg(not(feature = "pair"))]
use head as before;

/// A turn is long enough that reading the clock costs nothing beside it.
const TURN: f64 = 0.002;
const HEAD: &str = "head";
const BEFORE: &str = "before";
const LINKIFY: &str = "linkify";
const URL: &str = "url";

/// A name, and what it does with one input.
type Contender<'a> = (&'static str, Box<dyn Fn(&Input<'_>, &mut Found) + 'a>);

struct Sides {
    head: head::Side,
    before: before::Side,
    linkify: LinkFinder,
}

fn main() -> ExitCode {
    outcome::of("pair", run())
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let list = args.next().ok_or("usage: pair LIST [--seconds S], as `benches/pair` calls it")?;
    let seconds = args.nth(1).map_or(Ok(1.0), |value| value.parse());
    let time = Duration::try_from_secs_f64(seconds.map_err(|e| format!("--seconds: {e}"))?)
        .map_err(|e| format!("--seconds: {e}"))?;
    let limits = Limits { at_least: 16, time };
    let mut linkify = LinkFinder::new();
    linkify.url_must_have_scheme(false);
    let sides = Sides { head: head::Side::default(), before: before::Side::default(), linkify };

    println!("{}\n", machine::heading());
    println!("| | before, ns | head, ns | times as fast | quartiles | × linkify | × url |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let list = fs::read_to_string(&list).map_err(|e| format!("{list}: {e}"))?;
    let mut differ = Vec::new();
    for line in list.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, road, options, path] = fields[..] else {
            return Err(format!("not four fields: {line:?}"));
        };
        let packed = fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        let inputs = unpacked(&packed).map_err(|e| format!("{path}: {e}"))?;
        let contenders = contenders(&sides, road, options)?;
        let (rounds, runs) = measured(&contenders, &inputs, limits);
        let texts = runs as f64 * inputs.len() as f64;
        row(name, &contenders, &rounds, texts);
        if rounds[0].found != rounds[1].found {
            let [before, head] = [0, 1].map(|at| rounds[at].found.count as usize / runs);
            differ
                .push(format!("{name}: {before} links before, {head} of the head, or their ends"));
        }
    }
    println!("\n{}", differ.join("\n"));
    Ok(())
}

/// Those that can do a work: first the two states.
fn contenders<'a>(
    sides: &'a Sides,
    road: &str,
    options: &'a str,
) -> Result<Vec<Contender<'a>>, String> {
    let option = |name: &str| {
        options.split_whitespace().find_map(|o| o.strip_prefix(name)?.strip_prefix('='))
    };
    let Sides { head, before, linkify } = sides;
    let uri = road == "uri";
    let mut all: Vec<Contender<'a>> = match road {
        "text" | "uri" => vec![
            (BEFORE, Box::new(move |i, found| before.text(text(i), uri, found))),
            (HEAD, Box::new(move |i, found| head.text(text(i), uri, found))),
            (LINKIFY, Box::new(|i, found| linkify.links(text(i)).for_each(|l| found.add(l.end())))),
        ],
        "document" if option("base").is_some() => {
            let base = option("base").unwrap_or_default();
            vec![
                (BEFORE, Box::new(move |i, found| before.page(i.bytes, base, found))),
                (HEAD, Box::new(move |i, found| head.page(i.bytes, base, found))),
            ]
        }
        "document" => {
            let (format, charset) = (option("format").unwrap_or("text"), option("charset"));
            vec![
                (
                    BEFORE,
                    Box::new(move |i, found| before.document(i.bytes, format, charset, found)),
                ),
                (HEAD, Box::new(move |i, found| head.document(i.bytes, format, charset, found))),
            ]
        }
        "message" => vec![
            (BEFORE, Box::new(|i, found| before.message(i.bytes, found))),
            (HEAD, Box::new(|i, found| head.message(i.bytes, found))),
        ],
        _ => return Err(format!("no such road: {road}")),
    };
    if let Some(link) = option("link") {
        let parse = move |i: &Input<'_>, found: &mut Found| {
            let at = text(i).len() - link.len();
            found.add(Url::parse(&text(i)[at..]).map_or(0, |url| black_box(url).as_str().len()));
        };
        all.push((URL, Box::new(parse)));
    }
    Ok(all)
}

fn text<'a>(input: &Input<'a>) -> &'a str {
    black_box(input.text.unwrap_or_else(|| panic!("{:?} is not UTF-8", input.name)))
}

/// The rounds of each, and how many times a turn goes through the inputs.
fn measured(all: &[Contender<'_>], inputs: &[Input<'_>], limits: Limits) -> (Vec<Rounds>, usize) {
    let turn = |(_, run): &Contender<'_>, runs: usize| {
        let mut found = Found::default();
        for _ in 0..runs {
            inputs.iter().for_each(|input| run(input, &mut found));
        }
        found
    };
    // The first run makes what is made once in a process.
    black_box(turn(&all[1], 1));
    let mut runs = 1;
    while clock::seconds(|| _ = black_box(turn(&all[1], runs))) < TURN {
        runs *= 2;
    }
    (in_turns(all, |contender| turn(contender, runs), |(name, _)| name, limits), runs)
}

fn row(name: &str, contenders: &[Contender<'_>], rounds: &[Rounds], texts: f64) {
    let [before, head] = [0, 1].map(|at| rounds[at].median() / texts * 1e9);
    let [low, median, high] = rounds[1].quartiles_beside(&rounds[0]);
    let beside = |peer: &str| {
        let at = contenders.iter().position(|(name, _)| *name == peer);
        at.map_or(String::new(), |at| format!("{:.2}", rounds[1].times_as_fast_as(&rounds[at])))
    };
    let (linkify, url) = (beside(LINKIFY), beside(URL));
    println!(
        "| {name} | {before:.0} | {head:.0} | {median:.2} | {low:.2}–{high:.2} | {linkify} | {url} |"
    );
}

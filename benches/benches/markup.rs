//! `cargo bench --bench markup -- TREE [--only NAME] [--rounds N] [--seconds S]`: IRIs out of HTML.
//!
//! Reads the HTML below TREE: documentation pages, the legacy pages of chardet's tests (below a folder of
//! that name), and makes a page of one long line. Prints a table in Markdown. Ours are all links, of values
//! in every context and of running text, each validated and mapped; and the tokenizer alone. What the peers
//! do is said in their rows.

use std::cell::Cell;
use std::convert::Infallible;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer as Html5ever,
};
use html5gum::Tokenizer as Html5gum;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use linksift::iri::IriBuf;
use linksift::{Finder, Format, Hints, peek};
use linksift_benches::rounds::median;
use linksift_benches::{clock, machine, outcome};
use lol_html::{HtmlRewriter, Settings, element};
use regex::bytes::Regex;

/// Bytes of a text, at most.
const SIZE: usize = 32 << 20;

/// What a contender makes of a page: a number that must be the same in every round.
type Work = Box<dyn Fn(&[u8]) -> u64>;

struct Arguments {
    tree: PathBuf,
    only: Option<String>,
    rounds: usize,
    time: Duration,
}

fn arguments() -> Result<Arguments, String> {
    let (mut tree, mut only, mut rounds) = (None, None, 5);
    let mut time = Duration::from_secs(10);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg}: value missing"));
        let number = |text: String| text.parse::<usize>().map_err(|e| format!("{arg}: {e}"));
        match &*arg {
            "--bench" => {}
            "--only" => only = Some(value()?),
            "--rounds" => rounds = number(value()?)?,
            "--seconds" => time = Duration::from_secs(number(value()?)? as u64),
            _ => tree = Some(PathBuf::from(arg)),
        }
    }
    let usage =
        "usage: cargo bench --bench markup -- TREE [--only NAME] [--rounds N] [--seconds S]";
    Ok(Arguments { tree: tree.ok_or(usage)?, only, rounds, time })
}

fn main() -> ExitCode {
    outcome::of("markup", arguments().and_then(|arguments| run(&arguments)))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    println!("{}\n", machine::heading());
    let mut paths = Vec::new();
    collect(&arguments.tree, &mut paths)
        .map_err(|e| format!("{}: {e}", arguments.tree.display()))?;
    let (legacy, pages): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| path.iter().any(|part| part == "chardet"));
    // A stride through all of it, so that no one package makes up the text.
    let stride = (pages.len() / 2000).max(1);
    let pages = read(pages.iter().step_by(stride));
    let legacy = read(legacy.iter());
    let line: Vec<u8> = pages.concat().iter().map(|&b| if b == b'\n' { b' ' } else { b }).collect();
    let line = line[..line.len().min(16 << 20)].to_vec();
    for (name, text) in [("documentation", pages), ("legacy", legacy), ("one line", vec![line])] {
        if text.is_empty() {
            return Err(format!("no pages for {name}"));
        }
        measure(name, &text, arguments);
    }
    Ok(())
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut inner: Vec<PathBuf> =
        fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inner.sort();
    for path in inner {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            collect(&path, paths)?;
        } else if matches!(ending, Some("html" | "htm")) {
            paths.push(path);
        }
    }
    Ok(())
}

fn read<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Vec<Vec<u8>> {
    let mut left = SIZE;
    let mut pages = Vec::new();
    for page in paths.filter_map(|path| fs::read(path).ok()) {
        if page.len() > left {
            break;
        }
        left -= page.len();
        pages.push(page);
    }
    pages
}

fn measure(name: &str, pages: &[Vec<u8>], arguments: &Arguments) {
    let mut contenders = contenders();
    let only = arguments.only.as_deref();
    contenders.retain(|(what, _)| {
        what.starts_with("linksift") || only.is_none_or(|only| what.contains(only))
    });
    let sum = |work: &Work| pages.iter().map(|page| work(black_box(page))).sum::<u64>();
    let found: Vec<u64> = contenders.iter().map(|(_, work)| sum(work)).collect();
    let mut times = vec![Vec::new(); contenders.len()];
    let begin = Instant::now();
    for round in 0.. {
        if round >= arguments.rounds && begin.elapsed() >= arguments.time {
            break;
        }
        for (index, (what, work)) in contenders.iter().enumerate() {
            let mut again = 0;
            times[index].push(clock::seconds(|| again = sum(work)));
            assert_eq!(again, found[index], "{what}: another result in round {round}");
        }
    }
    let bytes: usize = pages.iter().map(Vec::len).sum();
    println!("### {name}: {} pages, {:.1} MB\n", pages.len(), bytes as f64 / 1e6);
    println!(
        "| | GB/s | found | all links of ours: … times as fast | tokenizer: … | with a base: … |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for (index, (what, _)) in contenders.iter().enumerate() {
        assert!(found[index] > 0, "{what}: found nothing");
        let rate = bytes as f64 / median(times[index].clone()) / 1e9;
        let against = |ours: &[f64]| {
            median(times[index].iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect())
        };
        let [all, alone, based] = [0, 1, 2].map(|ours: usize| against(&times[ours]));
        println!("| {what} | {rate:.3} | {} | {all:.2} | {alone:.2} | {based:.2} |", found[index]);
    }
    println!();
}

fn contenders() -> Vec<(&'static str, Work)> {
    let regex = Regex::new(r"<a[^>]+href=").expect("a valid expression");
    vec![
        ("linksift: all links, of values and of text", Box::new(links)),
        ("linksift, tokenizer alone: values, references in them, runs of text", Box::new(ours)),
        ("linksift: all links, with a base, as in a crawl", Box::new(based)),
        ("lol_html, `a[href]`", Box::new(lol)),
        ("html5gum, callbacks, each `href` and `src`", Box::new(gum)),
        ("html5ever, tokenizer alone, each `href` and `src`", Box::new(ever)),
        ("regex `<a[^>]+href=`", Box::new(move |page| regex.find_iter(page).count() as u64)),
        ("memchr, each `<`", Box::new(|page| memchr::memchr_iter(b'<', page).map(|_| 1).sum())),
        (
            "memchr2, each `<` and `&`",
            Box::new(|page| memchr::memchr2_iter(b'<', b'&', page).map(|_| 1).sum()),
        ),
    ]
}

fn links(page: &[u8]) -> u64 {
    links_of(page, &Hints::new().format(Format::Html))
}

fn links_of(page: &[u8], hints: &Hints) -> u64 {
    static FINDER: LazyLock<Finder> = LazyLock::new(Finder::new);
    FINDER.document(page, hints).unwrap().filter(linksift::Candidate::is_link).count() as u64
}

/// All links of a page that was fetched from an address; relative references are links too.
fn based(page: &[u8]) -> u64 {
    static BASE: LazyLock<Hints> = LazyLock::new(|| {
        let base = "https://docs.example.org/en/latest/reference/index.html".parse::<IriBuf>();
        Hints::new().format(Format::Html).base(base.unwrap())
    });
    links_of(page, &BASE)
}

fn ours(page: &[u8]) -> u64 {
    let [values, references, text] = peek::html_count(page);
    black_box((values, text));
    references
}

fn lol(page: &[u8]) -> u64 {
    let found = Cell::new(0);
    let settings = Settings::new().append_element_content_handler(element!("a[href]", |element| {
        let href = element.get_attribute("href").unwrap_or_default();
        black_box(href);
        found.set(found.get() + 1);
        Ok(())
    }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    if rewriter.write(page).is_ok() {
        let _ = rewriter.end();
    }
    found.get()
}

fn gum(page: &[u8]) -> u64 {
    let mut is_wanted = false;
    let emitter = CallbackEmitter::new(
        move |event: CallbackEvent<'_>, _: html5gum::Span<()>| -> Option<u64> {
            match event {
                CallbackEvent::AttributeName { name } => {
                    is_wanted = name == b"href" || name == b"src";
                    None
                }
                CallbackEvent::AttributeValue { value } if is_wanted => {
                    black_box(value);
                    Some(1)
                }
                _ => None,
            }
        },
    );
    let found = Html5gum::new_with_emitter(page, emitter);
    found.map(|one: Result<u64, Infallible>| one.unwrap_or(0)).sum()
}

#[derive(Default)]
struct Attributes(Cell<u64>);

impl TokenSink for Attributes {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = &token
            && tag.kind == TagKind::StartTag
        {
            let wanted = |name: &str| name == "href" || name == "src";
            let found = tag.attrs.iter().filter(|a| wanted(&a.name.local)).count();
            self.0.set(self.0.get() + found as u64);
        }
        TokenSinkResult::Continue
    }
}

fn ever(page: &[u8]) -> u64 {
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(&*String::from_utf8_lossy(page)));
    let tokenizer = Html5ever::new(Attributes::default(), Default::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.get()
}

//! What deceives: the time that one label beyond ASCII takes, by script, and one link with such a host.
//!
//! `cargo bench --bench trust [-- ROUNDS]`. A label is looked at as in a link, below `.example`; the median of the
//! rounds is printed. A link is found in its line, judged and mapped, beside the same one with an ASCII host.

use std::hint::black_box;
use std::time::Instant;

use linksift::{Finder, trust};

const REPEATS: usize = 20_000;

const LABELS: [(&str, &str, &str); 8] = [
    ("Latin", "bücher", "buecher"),
    ("Greek", "παράδειγμα", "paradeigma"),
    ("Cyrillic", "пример", "primer"),
    ("Han", "日本語", "nihongo"),
    ("kana", "ひらがな", "hiragana"),
    ("Hangul", "한국어", "hangug-eo"),
    ("Devanagari", "उदाहरण", "udaharan"),
    ("Arabic", "مثال", "mithal"),
];

fn main() {
    let rounds = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(31);
    let finder = Finder::new();
    println!("| script | ns a label | ns a link | the same, ASCII |");
    println!("|---|---|---|---|");
    for (script, label, ascii) in LABELS {
        assert!(trust::label(label, "example").is_empty(), "{label}");
        let found = |text: &str| {
            let link = finder.links(black_box(text)).next().expect("a link");
            black_box(link.uri().len());
        };
        let (beyond, plain) =
            (format!("see http://{label}.example/a\n"), format!("see http://{ascii}.example/a\n"));
        let times = [
            median(rounds, || drop(black_box(trust::label(black_box(label), "example")))),
            median(rounds, || found(&beyond)),
            median(rounds, || found(&plain)),
        ];
        let [label, link, plain] = times;
        println!("| {script} | {label:.0} | {link:.0} | {plain:.0} |");
    }
}

/// Nanoseconds of one run, the median of rounds.
fn median(rounds: usize, run: impl Fn()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        for _ in 0..REPEATS {
            run();
        }
        start.elapsed().as_secs_f64() * 1e9 / REPEATS as f64
    };
    linksift_benches::rounds::median((0..rounds).map(round).collect())
}

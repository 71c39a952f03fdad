//! IRIs: ours against `oxiri`, `fluent-uri`, `iri-string` and `url`, in one process.
//!
//! `cargo bench --bench iri [-- ROUNDS]`. The contenders take turns round by round, so that a slow
//! minute of the machine falls on all of them; a ratio is taken within its round, and the median of
//! the ratios is printed. Each contender's count of valid texts is asserted before it is timed.

use std::hint::black_box;
use std::time::Instant;

use linksift::iri::{Iri, IriRef};

/// A contender: its name and what it does with one text; the answer is a length, to be summed.
type Contender<'a> = (&'a str, Box<dyn Fn(&str) -> usize + 'a>);

fn main() {
    let rounds = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(31);
    println!("| what | {} | | | |", "ns a text, median (ratio to the first, median of rounds)");
    println!("|---|---|---|---|---|");
    let ascii = ascii();
    let beyond = beyond_ascii();
    for (what, texts) in [("parse, ASCII", &ascii), ("parse, non-ASCII", &beyond)] {
        run(
            what,
            texts,
            rounds,
            vec![
                ("linksift", Box::new(|t| Iri::parse(t).map_or(0, |i| i.path().len() + 1))),
                ("oxiri", Box::new(|t| oxiri::Iri::parse(t).map_or(0, |i| i.path().len() + 1))),
                (
                    "fluent-uri",
                    Box::new(|t| {
                        fluent_uri::Iri::parse(t).map_or(0, |i| i.path().as_str().len() + 1)
                    }),
                ),
                (
                    "iri-string",
                    Box::new(|t| {
                        iri_string::types::IriStr::new(t).map_or(0, |i| i.path_str().len() + 1)
                    }),
                ),
            ],
        );
    }
    for (what, texts) in [("parse and map, ASCII", &ascii), ("parse and map, non-ASCII", &beyond)] {
        // The two write the same URI but for the case and escapes that WHATWG changes: counted are texts.
        run(
            what,
            texts,
            rounds,
            vec![
                (
                    "linksift",
                    Box::new(|t| {
                        Iri::parse(t).and_then(|i| i.to_uri()).map_or(0, |u| {
                            black_box(u.len());
                            1
                        })
                    }),
                ),
                (
                    "url",
                    Box::new(|t| {
                        url::Url::parse(t).map_or(0, |u| {
                            black_box(u.as_str().len());
                            1
                        })
                    }),
                ),
            ],
        );
    }
    let hosts = [
        "例え.jp",
        "bücher.example",
        "пример.рф",
        "한국어.example",
        "مثال.example",
        "उदाहरण.example",
    ]
    .map(str::to_owned);
    run(
        "host to ASCII",
        &hosts,
        rounds,
        vec![
            ("linksift", Box::new(|t| linksift::iri::host_to_ascii(t).map_or(0, |h| h.len()))),
            ("idna", Box::new(|t| idna::domain_to_ascii(t).map_or(0, |h| h.len()))),
        ],
    );
    let base = Iri::parse("http://a.example/b/c/d;p?q").expect("a valid base");
    let oxiri_base = oxiri::Iri::parse("http://a.example/b/c/d;p?q").expect("a valid base");
    let string_base =
        iri_string::types::IriAbsoluteStr::new("http://a.example/b/c/d;p?q").expect("a valid base");
    let references: Vec<String> = references();
    run(
        "parse and resolve",
        &references,
        rounds,
        vec![
            ("linksift", Box::new(|t| IriRef::parse(t).map_or(0, |r| base.resolve(&r).len()))),
            (
                "oxiri",
                Box::new(|t| {
                    oxiri::IriRef::parse(t)
                        .and_then(|r| oxiri_base.resolve(&r))
                        .map_or(0, |i| i.as_str().len())
                }),
            ),
            (
                "iri-string",
                Box::new(|t| {
                    iri_string::types::IriReferenceStr::new(t)
                        .map_or(0, |r| r.resolve_against(string_base).to_string().len())
                }),
            ),
        ],
    );
    for (what, texts) in
        [("parse and normalise, ASCII", &ascii), ("parse and normalise, non-ASCII", &beyond)]
    {
        run(
            what,
            texts,
            rounds,
            vec![
                (
                    "linksift",
                    Box::new(|t| {
                        Iri::parse(t).map_or(0, |i| {
                            black_box(i.normalize().len());
                            1
                        })
                    }),
                ),
                (
                    "iri-string",
                    Box::new(|t| {
                        iri_string::types::IriStr::new(t).map_or(0, |i| {
                            black_box(i.normalize().to_string().len());
                            1
                        })
                    }),
                ),
                (
                    "fluent-uri",
                    Box::new(|t| {
                        fluent_uri::Iri::parse(t).map_or(0, |i| {
                            black_box(i.normalize().as_str().len());
                            1
                        })
                    }),
                ),
            ],
        );
    }
}

fn run(what: &str, texts: &[String], rounds: usize, contenders: Vec<Contender<'_>>) {
    let sums: Vec<usize> =
        contenders.iter().map(|(_, work)| texts.iter().map(|t| work(t)).sum()).collect();
    assert!(sums[0] >= texts.len(), "{what}: each text is valid");
    for ((name, _), sum) in contenders.iter().zip(&sums) {
        assert_eq!(*sum, sums[0], "{what}: {name} answers as the first does");
    }
    let repeat = 200_000 / texts.len().max(1) + 1;
    let mut times = vec![Vec::new(); contenders.len()];
    // The first round warms up and is thrown away.
    for round in 0..=rounds {
        for (index, (_, work)) in contenders.iter().enumerate() {
            let start = Instant::now();
            for _ in 0..repeat / 8 + 1 {
                for text in texts {
                    black_box(work(black_box(text)));
                }
            }
            let each = start.elapsed().as_nanos() as f64 / ((repeat / 8 + 1) * texts.len()) as f64;
            if round > 0 {
                times[index].push(each);
            }
        }
    }
    let mut row = format!("| {what} |");
    for (index, (name, _)) in contenders.iter().enumerate() {
        let ratios = times[index].iter().zip(&times[0]).map(|(t, ours)| t / ours).collect();
        row += &format!(" {name} {:.0} ({:.2}) |", median(times[index].clone()), median(ratios));
    }
    println!("{row}");
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Texts of about a hundred octets, as links are.
fn ascii() -> Vec<String> {
    let hosts = [
        "www.example.com",
        "docs.example.org",
        "static.cdn.example.net:8443",
        "[2001:db8::7]",
        "192.0.2.16",
    ];
    let tails = [
        "/2026/11/21/a-rather-long-title-of-an-article-that-somebody-wrote.html",
        "/search?q=internationalized+resource+identifiers&hl=en&start=10&sa=N",
        "/wiki/Percent-encoding#Types_of_URI_characters_and_their_encodings",
        "/r%C3%A9sum%C3%A9/%E2%82%AC/index.php?id=1234567890&lang=fr#a/b/c",
        "/pkg/linux-headers/usr/include/x86_64-linux-gnu/bits/types/struct_tm.h",
    ];
    combine(&["http", "https"], &hosts, &tails)
}

fn beyond_ascii() -> Vec<String> {
    let hosts = ["例え.jp", "bücher.example", "пример.рф", "مثال.example", "उदाहरण.example"];
    let tails = [
        "/wiki/フィンセント・ファン・ゴッホ#生涯と作品",
        "/статьи/о-том-как-мы-пишем?поиск=слово&страница=3",
        "/مقالات/الصفحة-الرئيسية?س=كلمة",
        "/straße/über-uns/größe.html?farbe=grün&maß=5#anhang",
        "/中文/路径/很长的文件名称.html?查询=词语",
    ];
    combine(&["http", "https"], &hosts, &tails)
}

fn combine(schemes: &[&str], hosts: &[&str], tails: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    for scheme in schemes {
        for host in hosts {
            for tail in tails {
                texts.push(format!("{scheme}://{host}{tail}"));
            }
        }
    }
    texts
}

fn references() -> Vec<String> {
    [
        "g",
        "./g",
        "g/",
        "/g",
        "//g.example/x",
        "?y",
        "g?y",
        "#s",
        "g#s",
        ";x",
        "",
        ".",
        "../g",
        "../../g",
        "../../../g",
        "/./g",
        "./../g",
        "g/./h",
        "g;x=1/../y",
        "g?y/../x",
        "../images/логотип.png",
        "https://other.example/a/b/c.html",
    ]
    .map(str::to_owned)
    .to_vec()
}

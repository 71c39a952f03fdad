//! The readable form: `LinkFormattingTest.txt` of UTS #58, and the law that a displayed link is
//! found again whole and maps to what it came from.
#![allow(clippy::print_stderr, reason = "what is skipped or counted is said aloud")]

use linksift::iri::{DecodedPart, Detector, Iri, format_parts};

use crate::support::dice::Dice;

/// The parts of `{𝑺=https:// 𝑯=example.com 𝑷=α 𝑸=β 𝑽=γ 𝑭=δ}`.
fn parts(comment: &str) -> Option<(String, Vec<(char, String)>)> {
    let inside = comment.strip_prefix("# {")?.strip_suffix('}')?;
    let mut marked: Vec<(char, String)> = Vec::new();
    for c in inside.chars() {
        match (c, marked.last_mut()) {
            ('𝑺' | '𝑯' | '𝑷' | '𝑸' | '𝑽' | '𝑭' | '𝑫', _) => {
                marked.push((c, String::new()))
            }
            (c, Some((_, text))) => text.push(c),
            (_, None) => return None,
        }
    }
    for (_, text) in &mut marked {
        // `=` in front, and a space before the next mark.
        text.remove(0);
    }
    let last = marked.len() - 1;
    for (_, text) in &mut marked[..last] {
        text.pop();
    }
    let front = marked.iter().take_while(|(mark, _)| matches!(mark, '𝑺' | '𝑯'));
    let front: Vec<&str> = front.map(|(_, text)| text.as_str()).collect();
    Some((front.concat(), marked.split_off(front.len())))
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn official_rows() {
    let file = crate::tables::official_text("LinkFormattingTest.txt");
    let mut lines = file.lines();
    let (mut rows, mut differing) = (0, Vec::new());
    while let Some(line) = lines.next() {
        let Some((front, marked)) = parts(line) else { continue };
        let (Some(_), Some(expected)) = (lines.next(), lines.next()) else { continue };
        let decoded: Vec<DecodedPart<'_>> = marked
            .iter()
            .map(|(mark, text)| match mark {
                '𝑷' => DecodedPart::Segment(text),
                '𝑸' => DecodedPart::Key(text),
                '𝑽' => DecodedPart::Value(text),
                '𝑭' => DecodedPart::Fragment(text),
                _ => DecodedPart::Directive(text),
            })
            .collect();
        let formatted = format_parts(&front, &decoded, Detector::Uts58);
        rows += 1;
        if formatted != expected {
            differing.push(format!("{formatted}, not {expected}"));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(rows >= 55);
}

/// Decoded as far as octets go: what a displayed link and its origin must have in common.
fn octets(uri: &str) -> Vec<u8> {
    let bytes = uri.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let digits = bytes.get(i + 1..i + 3).and_then(|d| std::str::from_utf8(d).ok());
        match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(octet) if bytes[i] == b'%' => {
                out.push(octet);
                i += 3;
            }
            _ => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    out
}

/// The display law for one IRI: found again whole in prose, and the same resource.
fn law(iri: &str) {
    let parsed = Iri::parse(iri).unwrap_or_else(|error| panic!("{iri}: {error}"));
    let shown = parsed.display();
    let text = format!("см. {shown} и т. д.");
    let found: Vec<_> =
        linksift::links(&text).map(|l| (l.raw().to_string(), l.uri().to_string())).collect();
    assert_eq!(found.len(), 1, "{iri} shown as {shown}");
    assert_eq!(found[0].0, shown, "{iri} is found whole");
    let uri = parsed.to_uri().expect("hosts here can be mapped");
    assert_eq!(octets(&found[0].1), octets(&uri), "{iri} shown as {shown} is the same");
}

#[test]
fn what_is_shown_is_found_whole() {
    let segments = [
        "a",
        "a.",
        "a..",
        "(a)",
        "a)",
        "((",
        "%28a",
        "a%29",
        "%5B",
        "%E3%80%82",
        "。",
        "a、b",
        "%20",
        "%E2%80%AE",
        "%E2%80%8C",
        "می‌خواهم",
        "-%D0%B6",
        "%C2%AD",
        "é",
        "%FF",
        "%2F",
        "%3A",
        "a:b",
        "!",
        "'a'",
        "%22",
        "«a»",
        "%C2%ABa",
        "（é）",
        "é）",
        "%EF%BC%88",
        "%EE%80%80",
        "%F3%A0%84%80",
        "a;b=c",
        "%25",
        "%2541",
        "~",
        "%7E",
        "%E0%A5%A4",
        "।",
        "👨‍👩‍👧",
        "%00",
        "%7Ba%7D",
        "*a*",
        "_a_",
        "a@b",
        "a;www.b",
        "a,b@c.com",
        "$",
        "&",
    ];
    let mut laws = 0;
    for host in ["e.example", "xn--r8jz45g.jp", "例え.jp", "xn--nxasmm1c.com", "[::1]:80", "faß.de"]
    {
        for a in &segments {
            for b in &segments {
                for link in [
                    format!("http://{host}/{a}{b}"),
                    format!("http://{host}/{a}/{b}"),
                    format!("http://{host}?{a}={b}"),
                    format!("http://{host}/{a}#{b}"),
                ] {
                    // No link in text ends in a bare delimiter.
                    if !link.ends_with(['?', '#']) {
                        law(&link);
                        laws += 1;
                    }
                }
            }
        }
    }
    assert!(laws > 20_000);
}

#[test]
fn what_would_continue_a_sentence_is_escaped() {
    for (iri, shown) in [
        ("https://ja.wikipedia.org/wiki/%E3%82%92", "https://ja.wikipedia.org/wiki/%E3%82%92"),
        ("https://e.example/a%EA%B0%80", "https://e.example/a%EA%B0%80"),
        ("https://e.example/a%EA%B0%80%EB%82%98", "https://e.example/a가나"),
        ("http://e.example/a%E2%80%A6", "http://e.example/a%E2%80%A6"),
        ("http://e.example/a%E2%80%A6b", "http://e.example/a…b"),
        ("http://e.example/%E4%B8%AD%E5%9B%BD", "http://e.example/中国"),
        ("http://e.example/a.html%E3%83%91", "http://e.example/a.html%E3%83%91"),
        (
            "http://e.example/%E3%82%92%E2%80%8C%E3%82%92",
            "http://e.example/%E3%82%92%E2%80%8C%E3%82%92",
        ),
        ("http://e.example/a%C2%B7", "http://e.example/a%C2%B7"),
        ("http://e.example/a&nbsp;b", "http://e.example/a&%6Ebsp;b"),
        ("http://e.example/a&none;b", "http://e.example/a&none;b"),
        ("http://e.example/a?b&#60;c", "http://e.example/a?b&#%360;c"),
    ] {
        assert_eq!(Iri::parse(iri).unwrap().display(), shown);
        law(iri);
    }
}

#[test]
fn random_names_of_asian_scripts_are_found_whole() {
    const PIECES: &[&str] = &[
        "を",
        "から",
        "まで",
        "など",
        "より",
        "で",
        "に",
        "へ",
        "は",
        "が",
        "と",
        "も",
        "の",
        "す",
        "い",
        "て",
        "或者",
        "以及",
        "的",
        "可以",
        "是",
        "和",
        "、",
        "参照",
        "中国",
        "パス",
        "ー",
        "을",
        "에서",
        "가",
        "이",
        "과",
        "나라",
        "a",
        "A",
        ".html",
        ".md",
        "/",
        "/",
        "?",
        "=",
        "&",
        "#",
        "-",
        "_",
        ".",
        ",",
        "!",
        "http",
        "www.",
        "…",
        "·",
        "・",
        "（",
        "）",
        "「",
        "」",
        "\u{200C}",
        "é",
        "&nbsp;",
        "&lt;",
        "&amp;",
        "&#38;",
        "ไทย",
    ];
    let percent = |text: &str| -> String {
        text.chars()
            .map(|c| match c.is_ascii() {
                true => c.to_string(),
                false => c.to_string().bytes().map(|b| format!("%{b:02X}")).collect(),
            })
            .collect()
    };
    for seed in 0..20_000 {
        let mut dice = Dice::new(seed);
        let tail: String = (0..dice.below(7)).map(|_| dice.pick(PIECES)).collect();
        let tail = match dice.below(2) {
            0 => percent(&tail),
            _ => tail,
        };
        let host = dice.pick(&["http://e.example/", "https://例え.jp/"]);
        let iri = format!("{host}{}", tail.trim_end_matches(['?', '#']));
        if Iri::parse(&iri).is_ok() {
            law(&iri);
        }
    }
}

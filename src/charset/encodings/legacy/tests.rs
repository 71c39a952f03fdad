//! Compares the facts of `layout`, and the text and source maps of `decode`, with encoding_rs exhaustively.

use super::super::{Charset, NAMES};
use super::{Layout, LegacyDecoder, TldOpenings, may_stand};
use crate::source_map::{Edges, SourceCursor, SourceMap, malformed};
use crate::tables::tld::is_tld;

/// All encodings except UTF-8.
fn legacy() -> impl Iterator<Item = (Charset, Layout)> {
    NAMES[1..].iter().map(|(_, name)| {
        let charset: Charset = name.parse().unwrap();
        (charset, charset.layout().unwrap())
    })
}

/// The characters of the bytes according to encoding_rs, U+FFFF for a malformed sequence.
fn text_of(charset: Charset, stored: &[u8], last: bool) -> Vec<char> {
    let mut decoder = charset.encoding().new_decoder_without_bom_handling();
    let mut text = String::with_capacity(stored.len() * 4 + 64);
    let mut at = 0;
    loop {
        let (result, read) =
            decoder.decode_to_string_without_replacement(&stored[at..], &mut text, last);
        at += read;
        match result {
            encoding_rs::DecoderResult::InputEmpty => break,
            encoding_rs::DecoderResult::OutputFull => text.reserve(64),
            encoding_rs::DecoderResult::Malformed(..) => text.push('\u{FFFF}'),
        }
    }
    text.chars().collect()
}

/// The result of this crate, in blocks that end at `cuts`.
fn ours(charset: Charset, layout: Layout, stored: &[u8], cuts: &[usize]) -> (Vec<u8>, SourceMap) {
    let mut decoding = LegacyDecoder::new(charset.encoding(), layout);
    let (mut text, mut map) = (Vec::new(), SourceMap::default());
    let mut done = 0;
    for (n, &cut) in cuts.iter().chain([&stored.len()]).enumerate() {
        let is_last = n == cuts.len();
        done += decoding.decode(&stored[done..cut], done, is_last, &mut text, &mut map);
    }
    assert_eq!(done, stored.len(), "{charset} {stored:x?}");
    (text, map)
}

fn chars_of(text: &[u8]) -> Vec<(char, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] >= malformed(1) {
            out.push(('\u{FFFF}', 1));
            at += 1;
            continue;
        }
        let len = text[at..].iter().skip(1).take_while(|b| **b & 0xC0 == 0x80).count() + 1;
        let c = std::str::from_utf8(&text[at..at + len]).unwrap().chars().next().unwrap();
        out.push((c, len));
        at += len;
    }
    out
}

fn check(charset: Charset, layout: Layout, stored: &[u8], cuts: &[usize]) {
    let (text, map) = ours(charset, layout, stored, cuts);
    let got = chars_of(&text);
    let want = text_of(charset, stored, true);
    assert_eq!(got.iter().map(|c| c.0).collect::<Vec<_>>(), want, "{charset} {stored:x?} {cuts:?}");
    // The pieces between the edges of characters decode to these characters.
    let mut at = 0;
    let mut edges = map.edges(&text, 0);
    // Between a letter and its diacritic, which are one piece in Big5.
    let is_inner = |edges: Edges| layout == Layout::Big5 && edges.start + 2 == edges.end;
    for (n, (c, len)) in got.iter().enumerate() {
        let next = map.edges(&text, at + len);
        let is_in_order = next.end <= next.start || is_inner(next);
        assert!(edges.start <= next.end && is_in_order, "{charset} {stored:x?}");
        let is_one = next.end > edges.start && !is_inner(edges);
        if layout != Layout::Iso2022Jp && *c != '\u{FFFF}' && is_one {
            let piece = text_of(charset, &stored[edges.start..next.end], true);
            assert_eq!(piece[0], *c, "{charset} {stored:x?} char {n} {:?}", edges.start..next.end);
        }
        edges = next;
        at += len;
    }
    // An escape sequence at the end does not belong to a character.
    let is_escape =
        |last: &[u8]| matches!(last, [0x1B, b'(', b'B' | b'J' | b'I'] | [0x1B, b'$', b'@' | b'B']);
    let ends_in_escape =
        layout == Layout::Iso2022Jp && stored.last_chunk::<3>().is_some_and(|l| is_escape(l));
    let left = stored.len() - edges.end;
    assert!(left == 0 || left == 3 && ends_in_escape, "{charset} {stored:x?} {cuts:?}: {text:x?}");
}

#[test]
fn sure_bytes_are_those_after_which_a_character_begins() {
    // After a sure byte `http` is decoded, whatever precedes it; after any other byte there is a prefix for which it is
    // not.
    for (charset, layout) in legacy().filter(|(_, l)| !l.is_utf16() && *l != Layout::Iso2022Jp) {
        for byte in 0..=255u8 {
            let mut is_sure = true;
            let mut fronts: Vec<Vec<u8>> = vec![vec![]];
            // With one byte per character, other preceding bytes make no difference.
            let step = if layout == Layout::Single { 51 } else { 1 };
            fronts.extend((0..=255u8).step_by(step).map(|a| vec![a]));
            if layout == Layout::Gb || layout == Layout::EucJp {
                let some = [0x2F, 0x30, 0x39, 0x40, 0x7E, 0x80, 0x81, 0x8E, 0x8F, 0xA1, 0xFE, 0xFF];
                for a in some {
                    for b in some {
                        fronts.push(vec![a, b]);
                        fronts.extend(some.map(|c| vec![a, b, c]));
                    }
                }
            }
            for front in &fronts {
                for after in [
                    &b"\x30\x81\x30 "[..],
                    b"\x81\x30 ",
                    b"A ",
                    b"\xA1\xA1 ",
                    b"\x8F\xA1\xA1 ",
                    b"@ ",
                ] {
                    let stored = [&front[..], &[byte], after].concat();
                    let whole = text_of(charset, &stored, true);
                    let apart = text_of(charset, after, true);
                    is_sure &= whole.ends_with(&apart);
                }
                if !is_sure {
                    break;
                }
            }
            assert_eq!(is_sure, layout.is_sure(byte), "{charset} {byte:x}");
        }
    }
}

#[test]
fn trail_bytes_below_0x80_are_those_of_the_table() {
    for (charset, layout) in legacy().filter(|(_, l)| !l.is_utf16() && *l != Layout::Iso2022Jp) {
        let mut trails = [false; 0x80];
        for lead in 0x80..=0xFFu8 {
            for trail in 0..0x80u8 {
                let text = text_of(charset, &[lead, trail], true);
                trails[usize::from(trail)] |= !text.contains(&char::from(trail));
            }
            for second in 0x30..=0x39u8 {
                let text = text_of(charset, &[lead, second, lead, 0x30], true);
                trails[usize::from(second)] |= text.len() == 1;
            }
        }
        let want: &[std::ops::RangeInclusive<usize>] = match layout {
            Layout::ShiftJis | Layout::Big5 => &[0x40..=0x7E],
            Layout::EucKr => &[0x41..=0x5A, 0x61..=0x7A],
            Layout::Gb => &[0x30..=0x39, 0x40..=0x7E],
            _ => &[],
        };
        for (byte, is_trail) in trails.iter().enumerate() {
            let expected = want.iter().any(|range| range.contains(&byte));
            assert_eq!(*is_trail, expected, "{charset} {byte:x}");
        }
    }
}

#[test]
fn all_stops_are_found_and_no_others_are_left_out() {
    for (charset, layout) in legacy().filter(|(_, l)| !l.is_utf16() && *l != Layout::Iso2022Jp) {
        let mut forms: Vec<Vec<u8>> = Vec::new();
        let is_stop = |stored: &[u8]| {
            matches!(text_of(charset, stored, true)[..], ['\u{3002}' | '\u{FF0E}' | '\u{FF61}'])
        };
        for a in 0x80..=0xFFu8 {
            forms.extend(is_stop(&[a]).then(|| vec![a]));
            for b in 0..=0xFFu8 {
                forms.extend(is_stop(&[a, b]).then(|| vec![a, b]));
                if a == 0x8F {
                    forms.extend((0..=0xFF).map(|c| vec![a, b, c]).filter(|f| is_stop(f)));
                }
            }
        }
        for stop in ["\u{3002}", "\u{FF0E}", "\u{FF61}"] {
            let (stored, _, missing) = charset.encoding().encode(stop);
            if !missing {
                forms.push(stored.into_owned());
            }
        }
        for form in &forms {
            let (pairs, stop) = layout.stops().unwrap_or_else(|| panic!("{charset} {form:x?}"));
            let found = match form[..] {
                [single] => stop == Some(single),
                [.., a, b] => pairs.contains(&[a, b]),
                [] => false,
            };
            assert!(found, "{charset} {form:x?}");
        }
        assert_eq!(forms.is_empty(), layout.stops().is_none(), "{charset}");
    }
}

#[test]
fn pairs_of_all_bytes_decode_and_map_as_encoding_rs_decodes_them() {
    for (charset, layout) in legacy() {
        let first = if layout == Layout::Single { 0xF0 } else { 0x00 };
        for a in first..=255u8 {
            for b in 0..=255u8 {
                let stored = [b'.', b'x', a, b, b'/', b'y'];
                check(charset, layout, &stored, &[]);
                if a >= 0x80 && layout != Layout::Single {
                    check(charset, layout, &stored, &[3]);
                    check(charset, layout, &[a, b], &[1]);
                }
            }
        }
    }
}

/// Runs that are longer than a segment of a source map: queried from the end to the beginning, also for a part of the map.
#[test]
fn long_runs_are_traced_in_any_order() {
    for (charset, layout) in legacy() {
        let letters = ["a", "\u{3042}b", "\u{FF71}", "\u{42F}", "\u{E9}", "\u{1F600}", "\u{4E02}"];
        let mut stored = Vec::new();
        for n in 0..1200 {
            let letter = letters[n * n % letters.len()];
            let (bytes, _, missing) = match layout.is_utf16() {
                true => {
                    let bytes = letter.encode_utf16().flat_map(|unit| match layout {
                        Layout::Utf16Le => unit.to_le_bytes(),
                        _ => unit.to_be_bytes(),
                    });
                    (bytes.collect::<Vec<u8>>().into(), charset.encoding(), false)
                }
                false => charset.encoding().encode(letter),
            };
            stored.extend_from_slice(if missing { b"\xFE:" } else { &bytes });
        }
        let (mut text, mut map) = ours(charset, layout, &stored, &[700, 701]);
        let begins = |text: &[u8]| -> Vec<usize> {
            (0..=text.len()).filter(|at| text.get(*at).is_none_or(|b| b & 0xC0 != 0x80)).collect()
        };
        let all = begins(&text);
        let forward: Vec<_> = all.iter().map(|at| map.edges(&text, *at)).collect();
        let mut cursor = SourceCursor::default();
        for (at, edges) in all.iter().zip(&forward) {
            assert_eq!(map.edges_near(&mut cursor, &text, *at), *edges, "{charset} {at}");
        }
        for (at, edges) in all.iter().zip(&forward).rev().step_by(3) {
            assert_eq!(map.edges_near(&mut cursor, &text, *at), *edges, "{charset} {at}");
        }
        let dropped = all[all.len() / 2];
        map.drop_front(&text, dropped);
        text.drain(..dropped);
        for (at, edges) in begins(&text).iter().zip(&forward[all.len() / 2..]).rev().skip(1) {
            assert_eq!(map.edges(&text, *at).start, edges.start, "{charset} {at}");
        }
    }
}

/// Random bytes of those that matter, with random cuts.
#[test]
fn noise_decodes_and_traces_as_encoding_rs_decodes_it() {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) % n as u64) as usize
    };
    let alphabet = b"\x1B\x1B$B(JI@\x21\x30\x39\x40\x62\x7E\x80\x81\x88\x8E\x8F\x90\x9F\xA1\xA1\xA4\xB0\xD8\xDC\xDF\xE0\xFC\xFE\xFFaz./\n";
    for (charset, layout) in legacy() {
        for _ in 0..4000 {
            let len = random(24);
            let stored: Vec<u8> = (0..len)
                .map(|_| match random(10) {
                    0 => random(256) as u8,
                    _ => alphabet[random(alphabet.len())],
                })
                .collect();
            let mut cuts: Vec<usize> = (0..random(4)).map(|_| random(len + 1)).collect();
            cuts.sort_unstable();
            check(charset, layout, &stored, &cuts);
        }
    }
}

#[test]
fn an_escape_sequence_stands_between_the_edges() {
    let charset: Charset = "iso-2022-jp".parse().unwrap();
    check(charset, Layout::Iso2022Jp, b"a\x1B(J", &[]);
    let stored = b"a\x1B$B$\"\x1B(Bb";
    let (text, map) = ours(charset, Layout::Iso2022Jp, stored, &[]);
    assert_eq!(text, "aあb".as_bytes());
    let edges: Vec<_> =
        [0, 1, 4, 5].map(|at| map.edges(&text, at)).map(|e| (e.end, e.start)).into();
    assert_eq!(edges, [(0, 0), (1, 4), (6, 9), (10, 10)]);
}

#[test]
fn hard_boundaries_are_no_part_of_what_is_walked_over() {
    let mut hard_boundaries = String::new();
    for (charset, layout) in legacy() {
        for hard_boundary in layout.hard_boundaries() {
            let text = text_of(charset, hard_boundary, true);
            let [c] = text[..] else { panic!("{charset} {hard_boundary:x?} {text:?}") };
            let class = crate::tables::class(c.into());
            assert!(!class.is_email() && !c.is_alphanumeric(), "{charset} {hard_boundary:x?} {c}");
            hard_boundaries.push(c);
        }
    }
    for hard_boundary in "、「」（），：".chars() {
        assert!(hard_boundaries.contains(hard_boundary), "{hard_boundary}");
    }
}

#[test]
fn second_bytes_of_stops_differ_in_their_low_halves() {
    // The passes use this as an index.
    for (charset, layout) in legacy() {
        let Some((pairs, _)) = layout.stops() else { continue };
        for [a, b] in pairs.into_iter().flat_map(|a| pairs.map(|b| [a, b])) {
            assert!(a == b || (a[1] ^ b[1]) & 0x0F != 0, "{charset} {a:x?} {b:x?}");
        }
    }
}

#[test]
fn all_top_level_domains_may_open() {
    let mut shown = 0;
    for (charset, layout) in legacy().filter(|(_, l)| !l.is_utf16() && *l != Layout::Iso2022Jp) {
        let openings = TldOpenings::of(charset, layout);
        // Those of all spellings that the encoding has.
        let labels = "香港 公司 中国 中國 网络 台灣 餐厅 世界 みんな コム グーグル ファッション ポイント 닷컴 한국 \
                      рф бг москва укр ελ ευ קום ไทย ｃｏｍ";
        for label in labels.split_whitespace() {
            assert!(is_tld(label), "{label}");
            let (stored, _, missing) = charset.encoding().encode(label);
            if !missing && stored[0] >= 0x80 {
                shown += 1;
                for end in 0..=stored.len() {
                    assert!(openings.may_open(&stored[..end]), "{charset} {label} {end}");
                }
                let more = [&stored[..], b"/a".as_slice()].concat();
                assert!(openings.may_open(&more), "{charset} {label}");
            }
        }
    }
    assert!(shown > 40, "{shown}");
}

#[test]
fn what_no_top_level_domain_begins_with_does_not_open() {
    for (name, label) in [
        ("gb18030", "香气"),
        ("gb18030", "\u{A0}a"),
        ("gb18030", "信息包，"),
        ("big5", "公園"),
        ("euc-kr", "닷새"),
        ("euc-jp", "コメ"),
    ] {
        let charset: Charset = name.parse().unwrap();
        let (stored, _, _) = charset.encoding().encode(label);
        assert!(!TldOpenings::of(charset, charset.layout().unwrap()).may_open(&stored), "{label}");
    }
}

#[test]
fn what_begins_a_domain_beyond_ascii_is_none_by_itself() {
    // So an ASCII byte after the first character shows that there is no domain.
    for c in (0x2E80..0xD7A4).filter_map(char::from_u32) {
        assert!(!is_tld(&c.to_string()), "{c}");
        for second in ['/', 'a', '\n'] {
            assert!(!may_stand([Some(c), Some(second)].into_iter()), "{c}{second}");
        }
    }
    let may_stand = |label: &str| may_stand(label.chars().map(Some));
    for label in ["（1000", "在 ", "…", "信息包括 ", "信息包，", "在线的，", "信息。在"]
    {
        assert_eq!(may_stand(label), label == "信息。在", "{label}");
    }
    for label in
        ["在线", "在线/", "信息.", "信息，", "在&", "信息&", "コム", "ｃｏ", "ク\u{3099}", "信"]
    {
        assert!(may_stand(label), "{label}");
    }
    assert!(!may_stand(&["信息", &"包".repeat(crate::tables::tld::LONGEST_UNICODE)].concat()));
}

#[test]
fn the_ideographic_space_is_the_only_white_space_of_two_bytes() {
    for (charset, layout) in legacy().filter(|(_, layout)| !layout.hard_boundaries().is_empty()) {
        let is_two = |pair: &[u8; 2]| pair[0] >= 0x80 && layout.step(pair) == 2;
        for pair in (0..=0xFFFFu16).map(u16::to_be_bytes).filter(is_two) {
            let text = text_of(charset, &pair, true);
            let is_space = layout.is_ideographic_space(pair);
            assert_eq!(text.iter().any(|c| c.is_whitespace()), is_space, "{charset} {pair:x?}");
        }
    }
}

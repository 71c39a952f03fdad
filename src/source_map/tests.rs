//! Compares maps with a table that has a row for each byte.

use std::borrow::Cow;
use std::ops::Range;

use super::{Edges, MappedText, SourceMap};

/// A text that was created from another one, with the source range of each character.
struct Made {
    text: String,
    map: SourceMap,
    characters: Vec<(usize, Range<usize>)>,
}

/// A stream of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

/// Copies, removes, and replaces ranges of characters.
fn made_of(source: &str, numbers: &mut Numbers) -> Made {
    let (mut text, mut map, mut characters) = (String::new(), SourceMap::default(), Vec::new());
    let starts: Vec<usize> =
        source.char_indices().map(|(at, _)| at).chain([source.len()]).collect();
    let mut at = 0;
    while at + 1 < starts.len() {
        let next = (at + 1 + numbers.below(5)).min(starts.len() - 1);
        let range = starts[at]..starts[next];
        match numbers.below(4) {
            0 => {}
            1 => {
                map.replaced(text.len(), range.clone());
                for c in "&é".chars().take(1 + numbers.below(2)) {
                    characters.push((text.len(), range.clone()));
                    text.push(c);
                }
            }
            _ => {
                map.copied(text.len(), range.start);
                for (offset, c) in source[range.clone()].char_indices() {
                    let start = range.start + offset;
                    characters.push((text.len(), start..start + c.len_utf8()));
                    text.push(c);
                }
            }
        }
        at = next;
    }
    Made { text, map, characters }
}

/// Checks ranges of characters, from each first to each last one.
fn assert_ranges(text: &str, map: &SourceMap, characters: &[(usize, Range<usize>)]) {
    for (first, (start, from)) in characters.iter().enumerate() {
        for (last, (at, to)) in characters.iter().enumerate().skip(first).step_by(3) {
            let end = characters.get(last + 1).map_or(text.len(), |(next, _)| *next);
            let range = map.range(text.as_bytes(), *start..end);
            assert_eq!(range, from.start..to.end, "{text} {start} {at} {map:?}");
        }
    }
}

#[test]
fn steps_lead_back_one_by_one_and_at_once() {
    let mut numbers = Numbers(7);
    for _ in 0..300 {
        let source: String = (0..40).map(|_| ['a', 'é', '表', '😀'][numbers.below(4)]).collect();
        let middle = made_of(&source, &mut numbers);
        assert_ranges(&middle.text, &middle.map, &middle.characters);
        let outer = made_of(&middle.text, &mut numbers);
        let composed = outer.map.through(outer.text.len(), &middle.map, middle.text.as_bytes());
        let both: Vec<_> = outer
            .characters
            .iter()
            .map(|(at, range)| (*at, middle.map.range(middle.text.as_bytes(), range.clone())))
            .collect();
        assert_ranges(&outer.text, &composed, &both);
        let mapped = |made: &Made, start| MappedText {
            text: Cow::Owned(made.text.clone()),
            map: Some(made.map.clone()),
            start,
        };
        let through = mapped(&outer, 0).through(&mapped(&middle, 100));
        for (at, range) in &both {
            assert_eq!(through.range(*at..*at + 1).start, 100 + range.start);
        }
    }
}

#[test]
fn what_is_copied_as_a_whole_is_one_segment() {
    let mut map = SourceMap::default();
    for at in (0..1 << 20).step_by(64) {
        map.copied(at, at + 7);
    }
    assert_eq!(map.edges(b"", 1 << 19), Edges { end: (1 << 19) + 7, start: (1 << 19) + 7 });
    assert!(format!("{map:?}").len() < 200);
}

#[test]
fn nothing_noted_is_a_copy() {
    let map = SourceMap::default();
    assert_eq!(map.range(b"abc", 1..3), 1..3);
    let inner = MappedText { text: "bc".into(), map: None, start: 1 };
    let outer = MappedText { text: "c".into(), map: None, start: 1 };
    assert_eq!(outer.through(&inner).range(0..1), 2..3);
}

#[test]
fn what_is_left_out_is_between_the_edges() {
    let mut map = SourceMap::default();
    map.copied(0, 10);
    map.copied(2, 20);
    map.replaced(4, 22..27);
    let text = b"abcd&";
    assert_eq!(map.edges(text, 2), Edges { end: 12, start: 20 });
    assert_eq!(map.edges(text, 4), Edges { end: 22, start: 22 });
    assert_eq!(map.edges(text, 5), Edges { end: 27, start: 27 });
    assert_eq!(map.range(text, 1..5), 11..27);
    assert_eq!((map.text_offset(21), map.text_offset(22)), (3, 4));
}

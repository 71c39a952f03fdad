//! Searches an object for a member that decides how it is read, before it is read.

use std::ops::Range;

use super::{Escapes, string_end};
use crate::input::chunk::Chunk;

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JsonSearch {
    Found(Range<usize>),
    Absent,
    /// The bytes end first.
    Cut,
}

/// Searches the object at `at` for the string that a path of names leads to.
pub(super) fn look(bytes: Chunk<'_>, at: usize, path: &[&str]) -> JsonSearch {
    // This chunk is not the last one, so that a string without an end counts as cut even at the end of the input.
    let bytes = bytes.up_to(bytes.end());
    // For each open object or list: whether it is a list, and how many names of the path lead to it.
    let mut open: Vec<(bool, Option<usize>)> = Vec::new();
    let (mut at, mut is_name_next) = (at, false);
    // Number of names that lead to the next value.
    let mut led = Some(0);
    loop {
        let Some(byte) = bytes.get(at) else { return JsonSearch::Cut };
        match byte {
            b'{' | b'[' => {
                let is_list = *byte == b'[';
                let is_led = led.filter(|led| !is_list && *led < path.len());
                // The value that the path leads to is not a string.
                if led.is_some() && is_led.is_none() && !open.is_empty() {
                    return JsonSearch::Absent;
                }
                open.push((is_list, is_led));
                (led, is_name_next) = (None, !is_list);
            }
            b'}' | b']' => {
                open.pop();
                (led, is_name_next) = (None, false);
                if open.is_empty() {
                    return JsonSearch::Absent;
                }
            }
            b',' => (led, is_name_next) = (None, open.last().is_some_and(|(is_list, _)| !is_list)),
            b'"' => {
                let (end, is_end) = string_end(bytes, at + 1, &mut Escapes::default());
                if !is_end {
                    return JsonSearch::Cut;
                }
                let text = at + 1..end;
                if std::mem::take(&mut is_name_next) {
                    let into = open.last().and_then(|(_, led)| *led);
                    led = into
                        .filter(|into| path[*into].as_bytes() == &bytes[text])
                        .map(|into| into + 1);
                } else if led == Some(path.len()) {
                    return JsonSearch::Found(text);
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_object_is_looked_through_for() {
        let path = &["a", "b"][..];
        for (json, found) in [
            (r#"{"a":{"b":"x"}}"#, JsonSearch::Found(11..12)),
            (
                r#"{"b":"no","a":{"c":{"b":"no"},"d":[{"b":"no"}],"b":"x"}}"#,
                JsonSearch::Found(52..53),
            ),
            (r#"{"a":{"c":"b"}}"#, JsonSearch::Absent),
            (r#"{"a":[{"b":"no"}]}"#, JsonSearch::Absent),
            (r#"{"a":{"b":{"b":"no"}}}"#, JsonSearch::Absent),
            (r#"{"c":{"a":{"b":"no"}}}{"a":{"b":"no"}}"#, JsonSearch::Absent),
            (r#"{"a":{"c":"}","b":"#, JsonSearch::Cut),
            (r#"{"a":{"c":"\"}","b":"x"#, JsonSearch::Cut),
        ] {
            assert_eq!(look(Chunk::whole(json.as_bytes()), 0, path), found, "{json}");
        }
    }
}

//! Running text in UTF-8: each candidate is where it says that it is, and the next begins after it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linksift::{Boundaries, Finder, Schemes};

fuzz_target!(|data: &[u8]| {
    let Some((settings, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let schemes = if settings & 1 == 0 { Schemes::Known } else { Schemes::Any };
    let boundaries = if settings & 2 == 0 { Boundaries::Prose } else { Boundaries::Uts58 };
    let finder = Finder::builder().schemes(schemes).boundaries(boundaries).build();
    let mut end = 0;
    for candidate in finder.candidates(&text) {
        linksift_fuzz::check(&candidate, text.len());
        let range = candidate.range();
        assert!(range.start >= end, "{range:?} begins before {end}");
        assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
        end = range.end;
    }
});

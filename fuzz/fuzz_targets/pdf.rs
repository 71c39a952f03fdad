//! PDF: no panic, whatever the file has behind its magic number, and ranges that are inside of something.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linksift::{Finder, Hints};

fuzz_target!(|data: &[u8]| {
    // A file of another kind is for other targets.
    let mut bytes = b"%PDF-1.7\n".to_vec();
    bytes.extend_from_slice(data.strip_prefix(b"%PDF-").unwrap_or(data));
    let finder = Finder::new();
    let Ok(links) = finder.document(&bytes, &Hints::new()) else { return };
    for candidate in links {
        let range = candidate.range();
        assert!(range.start <= range.end);
    }
});

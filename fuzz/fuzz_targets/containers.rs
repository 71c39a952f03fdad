//! Compressed files and archives: no panic, and a document is read to its end whatever it holds.

#![no_main]

use std::io::Read;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use linksift::container::{self, Found, Limits, Opening};

/// What one input may come to: a bomb is the limits' matter, which have tests of their own.
const MOST: u64 = 4 << 20;

fuzz_target!(|data: &[u8]| {
    let [name, content @ ..] = data else { return };
    let name = ["a", "a.br", "a.lzma", "a.tar"][usize::from(*name) % 4];
    for is_stream in [false, true] {
        let opening = match is_stream {
            true => Opening::reader(content),
            false => Opening::bytes(content),
        };
        let mut total = 0;
        container::documents(opening.name(name), &Limits::new(), |found| {
            if let Found::Document(mut document) = found {
                let mut read = Vec::new();
                let _ = document.by_ref().take(MOST).read_to_end(&mut read);
                total += read.len() as u64;
            }
            if total < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
});

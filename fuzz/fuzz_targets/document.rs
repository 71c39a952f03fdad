//! Documents of every format and charset: no panic, and what holds of every candidate.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linksift::Finder;

fuzz_target!(|data: &[u8]| {
    let Some(input) = linksift_fuzz::input(data) else { return };
    linksift_fuzz::whole(&Finder::new(), &input.hints, input.content);
});

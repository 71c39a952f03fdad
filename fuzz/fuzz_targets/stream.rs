//! A stream in blocks of any length gives the candidates of the whole.

#![no_main]

use std::io::{self, Read};
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use linksift::Finder;
use linksift_fuzz::Found;

/// Gives at most `block` bytes a read.
struct Slow<'d> {
    rest: &'d [u8],
    block: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.block.min(buffer.len()).min(self.rest.len());
        let (read, rest) = self.rest.split_at(length);
        buffer[..length].copy_from_slice(read);
        self.rest = rest;
        Ok(length)
    }
}

fuzz_target!(|data: &[u8]| {
    let Some(input) = linksift_fuzz::input(data) else { return };
    // Of the whole alone it is asked whether a control character makes it binary.
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    if input.is_told_early && input.content.iter().any(is_odd) {
        return;
    }
    let finder = Finder::new();
    let Some(whole) = linksift_fuzz::whole(&finder, &input.hints, input.content) else { return };
    let mut streamed = Vec::new();
    let reader = Slow { rest: input.content, block: input.block };
    let scanned = finder.scan_reader(reader, &input.hints, |event| {
        if let Some(judged) = event.into_candidate() {
            streamed.push(Found::new(&judged));
        }
        ControlFlow::Continue(())
    });
    if scanned.is_ok() {
        assert_eq!(whole, streamed);
    }
});

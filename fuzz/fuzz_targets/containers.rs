//! Compressed files and archives: no panic, and what a whole source gives, readers give that have a byte at a time or
//! some: the same documents, notices and failures, with their words and places.

#![no_main]

use std::io::{self, Read};
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use linksift::container::{self, Found, Limits, Opening};

/// What one input may come to: a bomb is the limits' matter, which have tests of their own.
const MOST: u64 = 4 << 20;

/// A reader that gives so many bytes at a time.
struct Slow<'s>(&'s [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(to.len());
        self.0.read(&mut to[..len])
    }
}

/// What is found, in order.
fn told(opening: Opening<'_>, limits: &Limits) -> Vec<(String, Vec<u8>)> {
    let (mut told, mut total) = (Vec::new(), 0);
    container::documents(opening, limits, |found| {
        told.push(match found {
            Found::Document(mut document) => {
                let mut read = Vec::new();
                let _ = document.by_ref().take(MOST).read_to_end(&mut read);
                total += read.len() as u64;
                (document.member().as_str().to_owned(), read)
            }
            Found::Failed { member, error, .. } => {
                (format!("{} failed: {error}", member.as_str()), Vec::new())
            }
            Found::Noticed { member, notice, .. } => {
                (format!("{} noticed: {}", member.as_str(), notice.as_str()), Vec::new())
            }
            Found::Reference { member, context, text, .. } => {
                (format!("{} {context}", member.as_str()), text.into_bytes())
            }
            _ => return ControlFlow::Continue(()),
        });
        if total < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    told
}

fuzz_target!(|data: &[u8]| {
    let [name, content @ ..] = data else { return };
    let name = ["a", "a.br", "a.lzma", "a.tar"][usize::from(*name) % 4];
    let limits = Limits::new();
    let whole = told(Opening::bytes(content).name(name), &limits);
    for step in [1, 700] {
        let slow = told(Opening::reader(Slow(content, step)).name(name), &limits);
        assert!(slow == whole, "by {step}: {slow:?} and {whole:?}");
    }
    let ranges = told(Opening::bytes(content).name(name), &limits.range_size(100));
    assert!(ranges == whole, "in ranges: {ranges:?} and {whole:?}");
});

//! Crawls of many records.

use super::warcs::page;

/// Bytes that do not compress, so that an archive has many ranges.
pub(crate) fn noise(seed: u64, len: usize) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut text = String::new();
    while text.len() < len {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push_str(&format!("{state:x} "));
    }
    text
}

pub(crate) fn records(count: usize) -> Vec<Vec<u8>> {
    let body = |n: usize| {
        format!("<p>{}<a href='r{n}'>x</a> http://e.example/{n}", noise(n as u64, n % 7 * 3_000))
    };
    (0..count).map(|n| page(n, body(n).as_bytes(), "")).collect()
}

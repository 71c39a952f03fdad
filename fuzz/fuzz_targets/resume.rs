//! A feed that ends after any of its links, and another one that resumes it, give the candidates of one feed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linksift::{Event, Feed, FeedPoint, Finder};
use linksift_fuzz::Found;

/// A document is repeated to this length: points are further apart than most inputs are long.
const LENGTH: usize = 24 << 10;

/// Pushes the bytes in pieces, up to `taken` candidates; `None` if the encoding cannot be decoded.
fn feed(
    feed: &mut Feed,
    bytes: &[u8],
    size: usize,
    taken: usize,
    found: &mut Vec<Found>,
) -> Option<()> {
    let mut left = taken;
    let mut keep = |event: Event<'_>| {
        if let Some(candidate) = event.into_candidate() {
            found.push(Found::new(&candidate));
            left -= 1;
        }
        left > 0
    };
    for piece in bytes.chunks(size) {
        for event in feed.push(piece).ok()? {
            if !keep(event) {
                return Some(());
            }
        }
    }
    for event in feed.finish().ok()? {
        if !keep(event) {
            return Some(());
        }
    }
    Some(())
}

fuzz_target!(|data: &[u8]| {
    let Some(input) = linksift_fuzz::input(data) else { return };
    let Some(cut) = input.content.first().map(|byte| usize::from(*byte)) else { return };
    let bytes = input.content.repeat(1 + LENGTH / input.content.len());
    let finder = Finder::new();
    let size = input.block * 64;
    let mut whole = Vec::new();
    if feed(&mut finder.feed(&input.hints), &bytes, size, usize::MAX, &mut whole).is_none()
        || whole.is_empty()
    {
        return;
    }
    let taken = 1 + cut * whole.len() / 256;
    let (mut found, mut first) = (Vec::new(), finder.feed(&input.hints));
    feed(&mut first, &bytes, size, taken, &mut found).expect("the encoding was decoded before");
    let point: FeedPoint = first.resume_point().to_string().parse().expect("a point");
    let offset = usize::try_from(point.offset()).expect("an offset of the bytes");
    let mut second = finder.resume(&input.hints, &point);
    feed(&mut second, &bytes[offset..], size, usize::MAX, &mut found)
        .expect("the encoding was decoded before");
    assert_eq!(whole, found, "{taken} taken, resumed at {offset}");
});

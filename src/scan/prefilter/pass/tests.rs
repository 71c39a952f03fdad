//! Compares every code path of the passes with the rule that it implements.

use super::super::surroundings::{self, Asked};
use super::*;

/// Returns all places in the masks of a code path that fills batches.
fn places(text: &[u8], fill: impl Fn(&[u8], usize, &mut Batch)) -> Vec<usize> {
    let mut batch = Batch::new();
    let mut places = Vec::new();
    let mut from = 0;
    while from < text.len() {
        fill(text, from, &mut batch);
        for (block, mask) in batch.masks[..batch.len].iter().enumerate() {
            if batch.present >> block & 1 == 0 {
                continue;
            }
            let bits = (0..BLOCK).filter(|n| mask >> n & 1 != 0);
            places.extend(bits.map(|n| from + block * BLOCK + n));
        }
        from += batch.len * BLOCK;
    }
    places
}

fn check(text: &[u8]) {
    let shown = String::from_utf8_lossy(text);
    for kinds in [Kinds { dots: true }, Kinds { dots: false }] {
        let is_asked = |at: &usize| is_after_mark(text, *at, kinds);
        let want: Vec<_> = (0..text.len()).filter(is_asked).collect();
        let by_masks = places(text, |t, from, b| blocks(t, from, b, &Portable(kinds)));
        assert_eq!(by_masks, want, "portable: {shown:?}");
        // The fast passes may find more places, all of which the check of the surrounding bytes must remove.
        let check = |route: &str, found: Vec<usize>| {
            let (asked, more): (Vec<_>, Vec<_>) = found.into_iter().partition(is_asked);
            assert_eq!(asked, want, "{route}: {shown:?}");
            // No trigger byte precedes the first byte.
            for at in more.into_iter().filter(|at| *at > 0) {
                let is_inner = at >= 3 && at + 8 <= text.len();
                let (left, _) = surroundings::keep(text, at, &mut [0], Asked::Marks);
                // The bytes before the last byte of an ideographic full stop are left to the scan, and so is the byte after
                // an `@` if no dots are requested.
                let is_left = text[at - 1] >= 0x80 || !kinds.dots && text[at - 1] == b'@';
                assert!(left == 0 || !is_inner || is_left, "{route}: {at} in {shown:?}");
            }
        };
        check("fastest", places(text, |t, from, b| fill(t, from, kinds, b)));
        let always = |text: &[u8], from, batch: &mut Batch| {
            if let Err(left) =
                vectors::dispatch_baseline(running::Fill { text, from, kinds, batch })
            {
                blocks(text, from, left.batch, &Portable(kinds));
            }
        };
        check("always there", places(text, always));
        let by_block = |text: &[u8], from, batch: &mut Batch| {
            let len = begin(text, from, batch);
            for n in 0..len {
                batch.masks[n] = block(text, from + n * BLOCK, kinds);
                batch.present |= u64::from(batch.masks[n] != 0) << n;
            }
        };
        check("block by block", places(text, by_block));
    }
}

#[test]
fn all_paths_find_the_events_of_the_rule() {
    // Every trigger at every place of a block, across its edges too.
    for trigger in [
        "a.bc",
        "http://x",
        "tel:+1",
        "a@b",
        "&#46;",
        "あ。い",
        "．ab",
        "｡.",
        "。\n",
        "é.рф",
        "..ab",
        "\x1B[m",
    ] {
        // The second batch is included.
        for before in (0..140).chain(1900..2120) {
            let text = [&"x".repeat(before)[..], trigger, " tail"].concat();
            check(text.as_bytes());
            // Add text, since the end of a text is processed separately.
            check([&text[..], &" long".repeat(60)].concat().as_bytes());
            check(&text.as_bytes()[..before + trigger.len()]);
        }
    }
}

#[test]
fn all_paths_agree_on_noise() {
    let alphabet = b".:/@&#a0-; \xE3\x80\x82\xEF\xBC\x8E\xBD\xA1{Z~";
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..4000 {
        let len = random() as usize % 900;
        // Few triggers, as in prose, or many.
        let often = random() % 40 + 1;
        let text: Vec<u8> = (0..len)
            .map(|_| match (random() % often, random() % 8) {
                (1.., _) => b"aZ \xE3"[random() as usize % 4],
                (0, 0) => random() as u8,
                _ => alphabet[random() as usize % alphabet.len()],
            })
            .collect();
        check(&text);
    }
}

/// Compares all passes over stored bytes with their rule, on random bytes of those that matter.
#[cfg(feature = "documents")]
#[test]
fn all_paths_agree_on_stored_bytes() {
    use crate::scan::prefilter::marks::{Stops, is_stored_trigger};

    let pairs = [[0x81, 0x42], [0xA1, 0xA3], [0x8E, 0xA1]];
    let stops =
        [Stops::None, Stops::Single(1), Stops::Pairs(pairs), Stops::PairsAndSingle(pairs, 0xA1)];
    let alphabet = b".:/@&#a0-; \x01\x81\x42\xA1\xA3\x8E{Z~";
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for n in 0..6000u32 {
        let len = random() as usize % 200;
        let mut byte = || match random() % 8 {
            0 => random() as u8,
            _ => alphabet[random() as usize % alphabet.len()],
        };
        let bytes: Vec<u8> = (0..len).map(|_| byte()).collect();
        let kinds =
            LegacyKinds { dots: n % 5 != 0, is_wide: n % 4 >= 2, stops: stops[n as usize % 4] };
        let want: Vec<_> = (0..len).filter(|&at| is_stored_trigger(&bytes, at, kinds)).collect();
        let route = |fill: &dyn Fn(&[u8], usize, &mut Batch)| places(&bytes, fill);
        let by_masks = route(&|t, from, b| blocks(t, from, b, &PortableStored(kinds)));
        assert_eq!(by_masks, want, "portable: {kinds:?} {bytes:x?}");
        let found = route(&|t, from, b| fill_stored(t, from, kinds, b));
        assert_eq!(found, want, "{kinds:?} {bytes:x?}");
        let found = route(&|bytes, from, batch| {
            if let Err(left) =
                vectors::dispatch_baseline(stored::FillStored { bytes, from, kinds, batch })
            {
                blocks(bytes, from, left.batch, &PortableStored(kinds));
            }
        });
        assert_eq!(found, want, "always there: {kinds:?} {bytes:x?}");
    }
}

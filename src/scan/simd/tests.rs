//! Every road of the passes against the rule it implements.

use super::*;

/// All events, by a road that fills batches.
fn events(
    text: &[u8],
    kinds: Kinds,
    is_sparse: bool,
    fill: impl Fn(&[u8], usize, Kinds, &mut Batch),
) -> Vec<usize> {
    let mut batch = Batch::new();
    let mut events = Vec::new();
    let mut from = 0;
    while from < text.len() {
        batch.is_sparse = is_sparse;
        fill(text, from, kinds, &mut batch);
        for (block, mask) in batch.events[..batch.len].iter().enumerate() {
            if batch.present >> block & 1 == 0 {
                continue;
            }
            let bits = (0..BLOCK).filter(|n| mask >> n & 1 != 0);
            events.extend(bits.map(|n| from + block * BLOCK + n));
        }
        from += batch.len * BLOCK;
    }
    events
}

fn check(text: &[u8]) {
    for kinds in [Kinds { dots: true }, Kinds { dots: false }] {
        let want: Vec<_> = (0..text.len()).filter(|&at| is_event(text, at, kinds)).collect();
        let by_masks = events(text, kinds, false, |t, from, k, b| {
            blocks(t, from, k, b, |window| portable(window, k));
        });
        assert_eq!(by_masks, want, "portable: {:?}", String::from_utf8_lossy(text));
        for sparse in [false, true] {
            let found = events(text, kinds, sparse, fill);
            assert_eq!(found, want, "{:?}", String::from_utf8_lossy(text));
            #[cfg(target_arch = "x86_64")]
            {
                let found = events(text, kinds, sparse, x86::sse2);
                assert_eq!(found, want, "SSE2: {:?}", String::from_utf8_lossy(text));
            }
        }
    }
}

#[test]
fn all_roads_find_the_events_of_the_rule() {
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
    ] {
        // The second batch too.
        for before in (0..140).chain(1900..2120) {
            let text = [&"x".repeat(before)[..], trigger, " tail"].concat();
            check(text.as_bytes());
            // Not at the text's end, which is looked at by itself.
            check([&text[..], &" long".repeat(60)].concat().as_bytes());
            check(&text.as_bytes()[..before + trigger.len()]);
        }
    }
}

#[test]
fn all_roads_agree_on_noise() {
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
        // Few events among them, as in prose, or many.
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

/// All passes over stored bytes against their rule, on noise of the bytes that matter.
#[cfg(feature = "charset")]
#[test]
fn all_roads_agree_on_stored_bytes() {
    use crate::scan::stored::{Stops, is_stored_event};

    const DOTS: Kinds = Kinds { dots: true };

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
            StoredKinds { dots: n % 5 != 0, is_wide: n % 4 >= 2, stops: stops[n as usize % 4] };
        let want: Vec<_> = (0..len).filter(|&at| is_stored_event(&bytes, at, kinds)).collect();
        let road = |fill: &dyn Fn(&[u8], usize, &mut Batch)| {
            events(&bytes, Kinds { dots: true }, false, |t, from, _, b| fill(t, from, b))
        };
        let by_masks = road(&|t, from, b| blocks(t, from, DOTS, b, |w| portable_stored(w, kinds)));
        assert_eq!(by_masks, want, "portable: {kinds:?} {bytes:x?}");
        let found = road(&|t, from, b| fill_stored(t, from, kinds, b));
        assert_eq!(found, want, "{kinds:?} {bytes:x?}");
        #[cfg(target_arch = "x86_64")]
        {
            let found = road(&|t, from, b| x86_stored::sse2(t, from, kinds, b));
            assert_eq!(found, want, "sse2: {kinds:?} {bytes:x?}");
        }
    }
}

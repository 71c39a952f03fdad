//! Terminal sequences that colour text (SGR) or erase a line (EL): a reader does not see them.

/// The places of the bytes that are left when the sequences are taken out.
pub fn seen(bytes: &[u8]) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let len = length(&bytes[at..]);
        let stays = || {
            let before: Vec<u8> = places.iter().rev().map(|&place| bytes[place]).collect();
            let behind_escape = before.first() == Some(&0x1B);
            behind_escape || in_string(&before) || parts_links(&before, &bytes[at + len..])
        };
        if len == 0 || stays() {
            places.extend(at..at + len.max(1));
        }
        at += len.max(1);
    }
    places
}

/// The length of the sequence at the front, 0 if there is none.
fn length(bytes: &[u8]) -> usize {
    let Some(rest) = bytes.strip_prefix(b"\x1B[") else { return 0 };
    let digits = rest.iter().take_while(|b| b"0123456789;:".contains(b)).count();
    let erases = matches!(&rest[..digits], b"" | b"0" | b"1" | b"2");
    match rest.get(digits) {
        Some(b'm') if digits <= 64 => digits + 3,
        Some(b'K') if erases => digits + 3,
        _ => 0,
    }
}

/// Backwards: a string sequence has begun and not ended.
fn in_string(before: &[u8]) -> bool {
    let Some(end) = before.iter().position(|b| b"\x1B\x07\n".contains(b)) else { return false };
    before[end] == 0x1B && end > 0 && b"]PX^_".contains(&before[end - 1])
}

/// Backwards before it a letter or digit, after it the next link of the web.
fn parts_links(before: &[u8], after: &[u8]) -> bool {
    let begins = |word: &str| {
        after.get(..word.len()).is_some_and(|front| front.eq_ignore_ascii_case(word.as_bytes()))
    };
    before.first().is_some_and(u8::is_ascii_alphanumeric)
        && (begins("http://") || begins("https://"))
}

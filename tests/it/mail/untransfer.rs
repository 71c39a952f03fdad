//! A reader of records who has the stored bytes alone: a slice, decoded by what its record says.

use linksift::Charset;

/// The text of a slice, by the transfer encoding and the charset that its record names.
pub(crate) fn decoded(slice: &[u8], transfer: &str, charset: &str) -> String {
    let (kind, skipped) = match transfer.split_once('+') {
        Some((kind, n)) => (kind, 2 * n.parse::<u32>().unwrap()),
        None => (transfer, 0),
    };
    let bytes = match kind {
        "-" => slice.to_vec(),
        "quoted-printable" => quoted_printable(slice),
        "base64" => base64(slice, skipped),
        "uuencode" => uuencode(slice, skipped),
        "q" | "b" => {
            // Each of several words says by itself how it is written; groups count again in each.
            let pieces = pieces(slice, kind == "b");
            let decode = |(at, (text, is_base64)): (usize, &(Vec<u8>, bool))| match is_base64 {
                true => base64(text, if at == 0 { skipped } else { 0 }),
                false => q(text),
            };
            pieces.iter().enumerate().flat_map(decode).collect()
        }
        other => panic!("{other}"),
    };
    let charset: Charset = charset.parse().unwrap();
    charset.decode(&bytes).into_owned()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).unwrap())
}

fn quoted_printable(slice: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < slice.len() {
        if slice[at] == b'=' {
            if let Some(byte) = slice.get(at + 1..at + 3).and_then(hex) {
                out.push(byte);
                at += 3;
                continue;
            }
            let blanks = slice[at + 1..].iter().take_while(|b| b" \t".contains(b)).count();
            let rest = &slice[at + 1 + blanks..];
            let end = match rest {
                [b'\r', b'\n', ..] => 2,
                [b'\n', ..] => 1,
                // A CR alone, too.
                [b'\r', ..] => 1,
                _ => 0,
            };
            if end > 0 {
                at += 1 + blanks + end;
                continue;
            }
        }
        // Blanks before a line end are none of the text.
        if b" \t".contains(&slice[at]) {
            let blanks = slice[at..].iter().take_while(|b| b" \t".contains(b)).count();
            let rest = &slice[at + blanks..];
            if rest.starts_with(b"\r\n") || rest.starts_with(b"\n") {
                at += blanks;
                continue;
            }
        }
        out.push(slice[at]);
        at += 1;
    }
    out
}

fn base64(slice: &[u8], mut skipped: u32) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut out) = (0_u32, 0, Vec::new());
    for byte in slice {
        if *byte == b'=' {
            (bits, count) = (0, 0);
            continue;
        }
        let Some(value) = alphabet.iter().position(|b| b == byte) else { continue };
        bits = bits << 6 | value as u32;
        count += 6;
        if skipped > 0 {
            bits &= (1 << (6 - skipped)) - 1;
            count -= skipped;
            skipped = 0;
        }
        if count >= 8 {
            out.push((bits >> (count - 8)) as u8);
            count -= 8;
            bits &= (1 << count) - 1;
        }
    }
    out
}

fn uuencode(slice: &[u8], mut skipped: u32) -> Vec<u8> {
    let (mut bits, mut count, mut out) = (0_u32, 0, Vec::new());
    for (number, line) in slice.split(|b| *b == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // The first of the next lines says how long it is.
        let digits = if number == 0 { line } else { line.get(1..).unwrap_or_default() };
        for byte in digits {
            bits = bits << 6 | u32::from(byte.wrapping_sub(32) & 63);
            count += 6;
            if skipped > 0 {
                bits &= (1 << (6 - skipped)) - 1;
                count -= skipped;
                skipped = 0;
            }
            if count >= 8 {
                out.push((bits >> (count - 8)) as u8);
                count -= 8;
                bits &= (1 << count) - 1;
            }
        }
    }
    out
}

/// The texts of encoded words that a slice covers, and whether they are in base64.
fn pieces(slice: &[u8], is_base64: bool) -> Vec<(Vec<u8>, bool)> {
    let mut all = Vec::new();
    let (mut rest, mut is_base64) = (slice, is_base64);
    while let Some(end) = rest.windows(2).position(|pair| pair == b"?=") {
        let Some(next) = rest[end..].windows(2).position(|pair| pair == b"=?") else { break };
        all.push((rest[..end].to_vec(), is_base64));
        let word = &rest[end + next + 2..];
        let marks: Vec<_> = word.iter().enumerate().filter(|(_, b)| **b == b'?').take(2).collect();
        is_base64 = word[marks[0].0 + 1].eq_ignore_ascii_case(&b'b');
        rest = &word[marks[1].0 + 1..];
    }
    all.push((rest.to_vec(), is_base64));
    all
}

fn q(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < text.len() {
        match (text[at], text.get(at + 1..at + 3).and_then(hex)) {
            (b'=', Some(byte)) => {
                out.push(byte);
                at += 3;
                continue;
            }
            (b'_', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    out
}

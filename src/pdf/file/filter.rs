//! Filters of streams (ISO 32000-2 §7.4): Flate, LZW, ASCII, run lengths, and predictors, each with a limit of its output.

use flate2::{Decompress, FlushDecompress, Status};

use super::super::syntax::from_hex;

/// Bytes that one step of a decoder appends.
const STEP: usize = 64 << 10;

/// Result of a filter.
#[derive(Debug, Default)]
pub(super) struct Filtered {
    pub(super) bytes: Vec<u8>,
    /// The data are damaged or cut, so that the output is what they hold.
    pub(super) is_damaged: bool,
    /// The output reaches the limit.
    pub(super) is_cut: bool,
}

impl Filtered {
    fn whole(bytes: Vec<u8>, most: usize) -> Filtered {
        let is_cut = bytes.len() > most;
        let mut bytes = bytes;
        bytes.truncate(most);
        Filtered { bytes, is_damaged: false, is_cut }
    }
}

/// Decodes the data of a filter with this name; `None` for a filter that is not text: an image.
pub(super) fn decode(name: &[u8], data: &[u8], is_early: bool, most: usize) -> Option<Filtered> {
    Some(match name {
        b"FlateDecode" | b"Fl" => inflate(data, most),
        b"LZWDecode" | b"LZW" => lzw(data, is_early, most),
        b"ASCIIHexDecode" | b"AHx" => {
            let end = memchr::memchr(b'>', data).unwrap_or(data.len());
            Filtered::whole(from_hex(&data[..end]), most)
        }
        b"ASCII85Decode" | b"A85" => Filtered::whole(ascii85(data), most),
        b"RunLengthDecode" | b"RL" => run_lengths(data, most),
        _ => return None,
    })
}

/// Inflates zlib data, or what is left of them: a damaged header, a cut end.
fn inflate(data: &[u8], most: usize) -> Filtered {
    let with_header = inflate_as(data, true, most);
    if with_header.bytes.is_empty() && with_header.is_damaged && data.len() > 2 {
        return inflate_as(&data[2..], false, most);
    }
    with_header
}

fn inflate_as(data: &[u8], has_header: bool, most: usize) -> Filtered {
    let mut inflate = Decompress::new(has_header);
    let mut bytes = Vec::new();
    loop {
        let at = inflate.total_in() as usize;
        let filled = bytes.len();
        let room = STEP.max(filled).min(most - filled);
        if room == 0 {
            return Filtered { bytes, is_damaged: false, is_cut: true };
        }
        bytes.resize(filled + room, 0);
        let before = inflate.total_out();
        let done = inflate.decompress(&data[at..], &mut bytes[filled..], FlushDecompress::Finish);
        let given = (inflate.total_out() - before) as usize;
        bytes.truncate(filled + given);
        match done {
            Ok(Status::StreamEnd) => return Filtered { bytes, ..Filtered::default() },
            Ok(_) if given > 0 || inflate.total_in() as usize > at => {}
            // A checksum that is wrong or missing comes after all data.
            _ => return Filtered { bytes, is_damaged: true, is_cut: false },
        }
    }
}

/// Decodes LZW with codes of 9 to 12 bits; `is_early` if they grow one code earlier.
fn lzw(data: &[u8], is_early: bool, most: usize) -> Filtered {
    const CLEAR: usize = 256;
    const END: usize = 257;
    // Each entry is a range of the output: that of the entry before, and one byte more.
    let mut entries: Vec<(usize, usize)> = Vec::with_capacity(4096);
    let (mut bytes, mut width, mut bits, mut held) = (Vec::new(), 9, 0_u32, 0);
    let mut last: Option<(usize, usize)> = None;
    let mut input = data.iter();
    loop {
        while held < width {
            let Some(byte) = input.next() else {
                return Filtered { bytes, is_damaged: true, is_cut: false };
            };
            bits = bits << 8 | u32::from(*byte);
            held += 8;
        }
        held -= width;
        let code = (bits >> held) as usize & ((1 << width) - 1);
        bits &= (1 << held) - 1;
        if code == END {
            return Filtered { bytes, ..Filtered::default() };
        }
        if code == CLEAR {
            entries.clear();
            (width, last) = (9, None);
            continue;
        }
        let start = bytes.len();
        match code {
            0..CLEAR => bytes.push(code as u8),
            _ => match (entries.get(code - 258).copied(), last) {
                (Some((from, to)), _) => bytes.extend_from_within(from..to),
                // The entry that this code makes.
                (None, Some((from, to))) if code - 258 == entries.len() => {
                    bytes.extend_from_within(from..to);
                    bytes.push(bytes[from]);
                }
                _ => return Filtered { bytes, is_damaged: true, is_cut: false },
            },
        }
        if bytes.len() > most {
            bytes.truncate(most);
            return Filtered { bytes, is_damaged: false, is_cut: true };
        }
        if let Some((from, to)) = last
            && entries.len() < 4096 - 258
        {
            // The bytes after the last string are the first of this one.
            entries.push((from, to + 1));
        }
        last = Some((start, bytes.len()));
        let next = 258 + entries.len() + usize::from(is_early);
        width = match next {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
    }
}

fn ascii85(data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(data.len() / 5 * 4);
    let (mut value, mut count) = (0_u32, 0);
    let data = data.strip_prefix(b"<~").unwrap_or(data);
    for byte in data {
        match byte {
            b'~' => break,
            b'z' if count == 0 => bytes.extend([0; 4]),
            b'!'..=b'u' => {
                value = value.wrapping_mul(85).wrapping_add(u32::from(byte - b'!'));
                count += 1;
                if count == 5 {
                    bytes.extend(value.to_be_bytes());
                    (value, count) = (0, 0);
                }
            }
            _ => {}
        }
    }
    if count > 1 {
        for _ in count..5 {
            value = value.wrapping_mul(85).wrapping_add(84);
        }
        bytes.extend(&value.to_be_bytes()[..count - 1]);
    }
    bytes
}

fn run_lengths(data: &[u8], most: usize) -> Filtered {
    let mut bytes = Vec::new();
    let mut rest = data;
    while let [length, tail @ ..] = rest {
        let used = match *length {
            128 => break,
            length @ 0..128 => {
                let count = (usize::from(length) + 1).min(tail.len());
                bytes.extend_from_slice(&tail[..count]);
                count
            }
            length => {
                bytes.extend(tail.iter().take(1).cycle().take(257 - usize::from(length)));
                tail.len().min(1)
            }
        };
        rest = &tail[used..];
        if bytes.len() > most {
            break;
        }
    }
    Filtered::whole(bytes, most)
}

/// Parameters of a predictor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predictor {
    pub(super) kind: i64,
    pub(super) colors: usize,
    pub(super) bits: usize,
    pub(super) columns: usize,
}

impl Predictor {
    /// Undoes the predictor.
    pub(super) fn undo(self, bytes: Vec<u8>) -> Vec<u8> {
        let Predictor { kind, colors, bits, columns } = self;
        let pixel = colors.saturating_mul(bits).div_ceil(8).max(1);
        let row = colors.saturating_mul(bits).saturating_mul(columns).div_ceil(8).max(1);
        match kind {
            2 if bits == 8 => {
                let mut bytes = bytes;
                for row in bytes.chunks_mut(row) {
                    for at in pixel..row.len() {
                        row[at] = row[at].wrapping_add(row[at - pixel]);
                    }
                }
                bytes
            }
            10.. => png(&bytes, pixel, row),
            _ => bytes,
        }
    }
}

/// Undoes the predictors of PNG (ISO 15948 §9).
fn png(bytes: &[u8], pixel: usize, row: usize) -> Vec<u8> {
    let row = row.min(bytes.len());
    let mut decoded: Vec<u8> = Vec::with_capacity(bytes.len());
    for line in bytes.chunks(row + 1) {
        let [kind, line @ ..] = line else { break };
        let start = decoded.len();
        for (at, byte) in line.iter().enumerate() {
            let back = |back: usize| decoded.len().checked_sub(back).map_or(0, |at| decoded[at]);
            let left = if at >= pixel { back(pixel) } else { 0 };
            let above = if start >= row { back(row) } else { 0 };
            let corner = if at >= pixel && start >= row { back(row + pixel) } else { 0 };
            decoded.push(byte.wrapping_add(match kind {
                1 => left,
                2 => above,
                3 => ((u16::from(left) + u16::from(above)) / 2) as u8,
                4 => paeth(left, above, corner),
                _ => 0,
            }));
        }
    }
    decoded
}

fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    let estimate = a + b - c;
    let [to_a, to_b, to_c] = [a, b, c].map(|one| (estimate - one).abs());
    match () {
        () if to_a <= to_b && to_a <= to_c => left,
        () if to_b <= to_c => above,
        () => corner,
    }
}

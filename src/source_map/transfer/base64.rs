//! Base64 (RFC 4648 §4): groups of four digits. Bytes that are not digits are skipped, and after padding a new group
//! begins. Two or three digits at the end are a group of one or two bytes.

use super::{ByteOrigin, DecodedSink};
use crate::simd::base64::{digits, value};

/// Decoder of Base64, with its state after some digits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Base64 {
    /// Number of digits of the open group.
    len: u8,
    /// Value of the last digit, and where it is stored.
    value: u8,
    at: usize,
    /// Whether padding followed the last digits.
    pub(crate) is_padded: bool,
    /// Whether something other than foreign bytes was removed after the last digit.
    is_split: bool,
    /// Whether the next byte is lost, since the bytes that store its beginning are no longer kept.
    is_lost: bool,
}

impl Base64 {
    /// Creates a decoder after this many unknown digits of a group: the next digit completes a byte without meaning.
    pub(crate) fn resumed(digits: u8) -> Base64 {
        Base64 { len: digits, ..Base64::default() }
    }

    /// Returns `true` if a group has begun and is incomplete.
    pub(crate) fn is_in_group(&self) -> bool {
        self.len > 0
    }

    /// Loses the byte of an open group whose next digit is too far from its last one.
    pub(crate) fn lose(&mut self) {
        self.is_lost = self.is_in_group();
    }

    /// Records that bytes were removed that [`step`](Base64::step) would treat as padding.
    pub(crate) fn split(&mut self) {
        self.is_split = self.is_in_group();
    }

    /// Decodes `bytes`, stored from `stored` on, the first `known` of which are digits; returns whether the sink has
    /// enough.
    #[inline]
    pub(crate) fn step(
        &mut self,
        bytes: &[u8],
        known: usize,
        stored: usize,
        sink: &mut impl DecodedSink,
    ) -> bool {
        let mut at = 0;
        while at < bytes.len() {
            if self.len == 0 {
                let is_known = at < known & !3;
                let len = if is_known { known - at } else { digits(&bytes[at..]) } & !3;
                if len > 0 {
                    self.is_padded = false;
                    let is_enough = sink.groups(&bytes[at..at + len], stored + at);
                    at += len;
                    if is_enough {
                        return true;
                    }
                    continue;
                }
            }
            let byte = bytes[at];
            let place = stored + at;
            at += 1;
            match value(byte) {
                None if byte == b'=' => *self = Base64 { is_padded: true, ..Base64::default() },
                None => {}
                Some(value) => {
                    self.is_padded = false;
                    if self.digit(value, place, sink) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Decodes one digit; returns whether the byte that it completes is enough.
    fn digit(&mut self, value: u8, place: usize, sink: &mut impl DecodedSink) -> bool {
        let (now, last, start) = (self.len, self.value, self.at);
        (self.len, self.value, self.at) = ((now + 1) % 4, value, place);
        if now == 0 || std::mem::take(&mut self.is_lost) {
            return false;
        }
        // With each digit of the group, two more of its bits belong to the previous byte.
        let byte = last << (2 * now) | value >> (6 - 2 * now);
        let unit = ByteOrigin::digits(start..place + 1, now - 1);
        match std::mem::take(&mut self.is_split) {
            false => sink.unit(byte, unit),
            true => sink.split_unit(byte, unit),
        }
    }
}

//! Base64 (RFC 4648 §4): groups of four digits. Bytes that are no digits are passed over, and after padding groups
//! count again. Two or three digits at the end are a group of one or two bytes.

use super::{ByteOrigin, DecodedSink};
use crate::simd::base64::{digits, value};

/// Decoder of Base64: the state after some digits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Base64 {
    /// Digits of the group that is open.
    len: u8,
    /// The value of the last one, and where it is stored.
    value: u8,
    at: usize,
    /// The last digits ended with padding.
    pub(crate) is_padded: bool,
    /// Something else than foreign bytes was left out after the last digit.
    is_split: bool,
}

impl Base64 {
    /// After so many digits of a group, of which nothing is known: the next digit completes a byte of no meaning.
    pub(crate) fn resumed(digits: u8) -> Base64 {
        Base64 { len: digits, ..Base64::default() }
    }

    /// Whether a group has begun and is not complete.
    pub(crate) fn is_in_group(&self) -> bool {
        self.len > 0
    }

    /// Notes that bytes were left out that [`step`](Base64::step) would take for padding.
    pub(crate) fn split(&mut self) {
        self.is_split = self.is_in_group();
    }

    /// Goes over `bytes`, stored from `stored` on, the first `known` of which are digits; whether the sink
    /// has enough.
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

    /// Takes one digit; whether what it completes is enough.
    fn digit(&mut self, value: u8, place: usize, sink: &mut impl DecodedSink) -> bool {
        let (now, last, start) = (self.len, self.value, self.at);
        (self.len, self.value, self.at) = ((now + 1) % 4, value, place);
        if now == 0 {
            return false;
        }
        // Two bits more of each digit before belong to the byte before.
        let byte = last << (2 * now) | value >> (6 - 2 * now);
        let unit = ByteOrigin::digits(start..place + 1, now - 1);
        match std::mem::take(&mut self.is_split) {
            false => sink.unit(byte, unit),
            true => sink.split_unit(byte, unit),
        }
    }
}

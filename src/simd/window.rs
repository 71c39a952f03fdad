//! Which bytes of a short window are plain ASCII of a host, a local part, a tail.
//!
//! Takes 32 bytes; gives masks of them: where such a run ends, and where its
//! labels do, is found by counting bits. A loop over the bytes is left at another place each time, and
//! the processor guesses it wrong. SSE2 is enough, so nothing is asked at run time; elsewhere the masks
//! are made byte by byte, and the tests compare the two.

/// The bytes that are looked at.
pub(crate) const WINDOW: usize = 32;

/// What of a window is plain ASCII of a host: bit n is byte n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostMasks {
    /// Letters, digits and hyphens.
    pub(crate) simple: u32,
    pub(crate) hyphens: u32,
    pub(crate) dots: u32,
    pub(crate) underscores: u32,
    /// What a local part often has besides: `_` and `+`.
    pub(crate) local: u32,
}

/// Which bytes of the window are letters and digits, hyphens, dots and so on: the ends of labels are found by
/// counting bits, where a loop over the bytes is left at another place each time.
#[inline]
pub(crate) fn host_masks(window: &[u8; WINDOW]) -> HostMasks {
    #[cfg(target_arch = "x86_64")]
    return x86::host_masks(window);
    #[cfg(not(target_arch = "x86_64"))]
    portable_host_masks(window)
}

/// The same, byte by byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_host_masks(window: &[u8; WINDOW]) -> HostMasks {
    let mask = |is: fn(u8) -> bool| {
        window.iter().enumerate().fold(0, |mask, (n, &byte)| mask | u32::from(is(byte)) << n)
    };
    HostMasks {
        simple: mask(|b| b.is_ascii_alphanumeric() || b == b'-'),
        hyphens: mask(|b| b == b'-'),
        dots: mask(|b| b == b'.'),
        underscores: mask(|b| b == b'_'),
        local: mask(|b| matches!(b, b'_' | b'+')),
    }
}

/// What of a window the tail of a link takes as it is: bit n is byte n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TailMasks {
    /// Letters, digits and `* + - / _ ~`.
    pub(crate) include: u32,
    /// The dot and the comma.
    pub(crate) soft: u32,
    pub(crate) slashes: u32,
}

/// Which bytes of the window a path, a query and a fragment take as they are: of those that are
/// Include or Soft by UTS #58 and nothing else, the usual ones.
#[inline]
pub(crate) fn tail_masks(window: &[u8; WINDOW]) -> TailMasks {
    #[cfg(target_arch = "x86_64")]
    return x86::tail_masks(window);
    #[cfg(not(target_arch = "x86_64"))]
    portable_tail_masks(window)
}

/// The same, byte by byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_tail_masks(window: &[u8; WINDOW]) -> TailMasks {
    let mask = |is: fn(u8) -> bool| {
        window.iter().enumerate().fold(0, |mask, (n, &byte)| mask | u32::from(is(byte)) << n)
    };
    TailMasks {
        include: mask(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'*' | b'+' | b'-' | b'/' | b'_' | b'~')
        }),
        soft: mask(|b| matches!(b, b'.' | b',')),
        slashes: mask(|b| b == b'/'),
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{HostMasks, TailMasks, WINDOW};
    use crate::simd::x86::{load, opaque};

    #[inline]
    pub(super) fn host_masks(window: &[u8; WINDOW]) -> HostMasks {
        let (low, high) = window.split_at(16);
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let (low, high) = (host_masks_128(load(low)), host_masks_128(load(high)));
            HostMasks {
                simple: low.simple | high.simple << 16,
                hyphens: low.hyphens | high.hyphens << 16,
                dots: low.dots | high.dots << 16,
                underscores: low.underscores | high.underscores << 16,
                local: low.local | high.local << 16,
            }
        }
    }

    #[inline]
    pub(super) fn tail_masks(window: &[u8; WINDOW]) -> TailMasks {
        let (low, high) = window.split_at(16);
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let (low, high) = (tail_masks_128(load(low)), tail_masks_128(load(high)));
            TailMasks {
                include: low.include | high.include << 16,
                soft: low.soft | high.soft << 16,
                slashes: low.slashes | high.slashes << 16,
            }
        }
    }

    /// Which bytes are in the range: those that are no more than its length from the least of it.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn within(v: __m128i, first: u8, last: u8) -> __m128i {
        let v = _mm_sub_epi8(v, _mm_set1_epi8(first as i8));
        _mm_cmpeq_epi8(v, _mm_min_epu8(v, _mm_set1_epi8((last - first) as i8)))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn tail_masks_128(v: __m128i) -> TailMasks {
        let is = |byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
        let letter = within(_mm_or_si128(v, _mm_set1_epi8(0x20)), b'a', b'z');
        let soft = _mm_or_si128(is(b'.'), is(b','));
        // `* + , - . /` and the digits; the soft ones come off again.
        let range = _mm_andnot_si128(soft, within(v, b'*', b'9'));
        let include = _mm_or_si128(_mm_or_si128(letter, range), _mm_or_si128(is(b'_'), is(b'~')));
        let bits = |v| opaque(_mm_movemask_epi8(v));
        TailMasks { include: bits(include), soft: bits(soft), slashes: bits(is(b'/')) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn host_masks_128(v: __m128i) -> HostMasks {
        let is = |byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
        let letter = within(_mm_or_si128(v, _mm_set1_epi8(0x20)), b'a', b'z');
        let (hyphen, dot) = (is(b'-'), is(b'.'));
        let simple = _mm_or_si128(_mm_or_si128(letter, within(v, b'0', b'9')), hyphen);
        let bits = |v| opaque(_mm_movemask_epi8(v));
        let underscore = is(b'_');
        let local = _mm_or_si128(underscore, is(b'+'));
        HostMasks {
            simple: bits(simple),
            hyphens: bits(hyphen),
            dots: bits(dot),
            underscores: bits(underscore),
            local: bits(local),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_masks_of_every_byte() {
        for byte in (0..=255).step_by(if cfg!(miri) { 17 } else { 1 }) {
            for at in 0..WINDOW {
                let mut window = [b' '; WINDOW];
                window[at] = byte;
                assert_eq!(host_masks(&window), portable_host_masks(&window), "{byte} at {at}");
                assert_eq!(tail_masks(&window), portable_tail_masks(&window), "{byte} at {at}");
            }
        }
    }
}

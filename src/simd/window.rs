//! Masks of the bytes of a short window that are plain ASCII of a host, a local part, or a tail.
//!
//! The input is 32 bytes, the result is masks: where such a run ends, and where its labels do, is computed by counting
//! bits. A loop over the bytes would end at a different byte each time, and the processor would mispredict it. The baseline
//! vectors are enough, so nothing is detected at run time; without vectors the masks are computed byte by byte, and the
//! tests compare the two.

use super::vectors::{self, VectorKernel, Vectors};

/// Number of bytes of a window.
pub(crate) const WINDOW: usize = 32;

/// Masks of a window's plain ASCII host characters: bit n is byte n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostMasks {
    /// Letters, digits and hyphens.
    pub(crate) simple: u32,
    pub(crate) hyphens: u32,
    pub(crate) dots: u32,
    pub(crate) underscores: u32,
    /// Other frequent characters of a local part: `_` and `+`.
    pub(crate) local: u32,
}

impl HostMasks {
    /// Returns the masks without the first `by` bytes.
    #[inline]
    pub(crate) fn down(self, by: usize) -> HostMasks {
        self.each(|mask| mask.checked_shr(by as u32))
    }

    /// Returns the masks without the last `by` bytes; the last remaining byte is in the top bit.
    #[inline]
    pub(crate) fn up(self, by: usize) -> HostMasks {
        self.each(|mask| mask.checked_shl(by as u32))
    }

    #[inline]
    fn each(self, shifted: impl Fn(u32) -> Option<u32>) -> HostMasks {
        let of = |mask| shifted(mask).unwrap_or(0);
        HostMasks {
            simple: of(self.simple),
            hyphens: of(self.hyphens),
            dots: of(self.dots),
            underscores: of(self.underscores),
            local: of(self.local),
        }
    }
}

/// Returns which bytes of the window are letters and digits, hyphens, dots and so on: the ends of labels are found by
/// counting bits, since a loop over the bytes would end at a different byte each time.
#[inline]
pub(crate) fn host_masks(window: &[u8; WINDOW]) -> HostMasks {
    vectors::dispatch_baseline(Host(window)).unwrap_or_else(|_| portable_host_masks(window))
}

/// Computes the masks byte by byte.
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

/// Masks of a window's bytes that belong to the tail of a link: bit n is byte n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TailMasks {
    /// Letters, digits and `* + - / _ ~`.
    pub(crate) include: u32,
    /// The dot and the comma.
    pub(crate) soft: u32,
    pub(crate) slashes: u32,
}

impl TailMasks {
    /// Returns the masks without the first `by` bytes.
    #[inline]
    pub(crate) fn down(self, by: usize) -> TailMasks {
        let of = |mask| u32::checked_shr(mask, by as u32).unwrap_or(0);
        TailMasks { include: of(self.include), soft: of(self.soft), slashes: of(self.slashes) }
    }
}

/// Returns which bytes of the window a path, a query and a fragment include unchanged: the most frequent of the bytes that
/// are only Include or Soft by UTS #58.
#[inline]
pub(crate) fn tail_masks(window: &[u8; WINDOW]) -> TailMasks {
    vectors::dispatch_baseline(WindowTail(window)).unwrap_or_else(|_| portable_tail_masks(window))
}

/// Computes the masks byte by byte.
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

/// Masks of a window's bytes that belong to a host, or to the tail of a link: bit n is byte n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkMasks {
    /// Letters, digits and hyphens.
    pub(crate) simple: u32,
    pub(crate) hyphens: u32,
    pub(crate) dots: u32,
    /// As in [`TailMasks`], and `=`.
    pub(crate) include: u32,
    pub(crate) soft: u32,
}

/// Returns the masks of a window in which a host begins and a path may follow it, without the first `by` bytes.
#[inline(always)]
pub(crate) fn link_masks(window: &[u8; WINDOW], by: usize) -> LinkMasks {
    let masks = vectors::dispatch_baseline(HostAndTail(window))
        .unwrap_or_else(|_| portable_link_masks(window));
    let of = |mask: u32| mask.checked_shr(by as u32).unwrap_or(0);
    LinkMasks {
        simple: of(masks.simple),
        hyphens: of(masks.hyphens),
        dots: of(masks.dots),
        include: of(masks.include),
        soft: of(masks.soft),
    }
}

/// Computes the masks byte by byte.
fn portable_link_masks(window: &[u8; WINDOW]) -> LinkMasks {
    let HostMasks { simple, hyphens, dots, .. } = portable_host_masks(window);
    let TailMasks { mut include, soft, .. } = portable_tail_masks(window);
    for (n, _) in window.iter().enumerate().filter(|(_, byte)| **byte == b'=') {
        include |= 1 << n;
    }
    LinkMasks { simple, hyphens, dots, include, soft }
}

struct HostAndTail<'w>(&'w [u8; WINDOW]);

impl VectorKernel for HostAndTail<'_> {
    type Output = LinkMasks;

    #[inline(always)]
    fn run(self, v: impl Vectors) -> LinkMasks {
        let bytes = v.load(self.0, 0);
        let letter = within(v, v.or(bytes, v.splat(0x20)), b'a', b'z');
        let (hyphen, dot) = (v.is(bytes, b'-'), v.is(bytes, b'.'));
        let simple = v.or(v.or(letter, within(v, bytes, b'0', b'9')), hyphen);
        let soft = v.or(dot, v.is(bytes, b','));
        // As in the kernel of the tail.
        let range = v.without(within(v, bytes, b'*', b'9'), soft);
        let signs = v.or(v.or(v.is(bytes, b'_'), v.is(bytes, b'~')), v.is(bytes, b'='));
        let include = v.or(v.or(letter, range), signs);
        LinkMasks {
            simple: v.bits_apart(simple),
            hyphens: v.bits_apart(hyphen),
            dots: v.bits_apart(dot),
            include: v.bits_apart(include),
            soft: v.bits_apart(soft),
        }
    }
}

struct Host<'w>(&'w [u8; WINDOW]);

impl VectorKernel for Host<'_> {
    type Output = HostMasks;

    #[inline(always)]
    fn run(self, v: impl Vectors) -> HostMasks {
        let bytes = v.load(self.0, 0);
        let letter = within(v, v.or(bytes, v.splat(0x20)), b'a', b'z');
        let (hyphen, dot) = (v.is(bytes, b'-'), v.is(bytes, b'.'));
        let simple = v.or(v.or(letter, within(v, bytes, b'0', b'9')), hyphen);
        let underscore = v.is(bytes, b'_');
        let local = v.or(underscore, v.is(bytes, b'+'));
        HostMasks {
            simple: v.bits_apart(simple),
            hyphens: v.bits_apart(hyphen),
            dots: v.bits_apart(dot),
            underscores: v.bits_apart(underscore),
            local: v.bits_apart(local),
        }
    }
}

struct WindowTail<'w>(&'w [u8; WINDOW]);

impl VectorKernel for WindowTail<'_> {
    type Output = TailMasks;

    #[inline(always)]
    fn run(self, v: impl Vectors) -> TailMasks {
        let bytes = v.load(self.0, 0);
        let letter = within(v, v.or(bytes, v.splat(0x20)), b'a', b'z');
        let soft = v.or(v.is(bytes, b'.'), v.is(bytes, b','));
        // `* + , - . /` and the digits, without the soft ones.
        let range = v.without(within(v, bytes, b'*', b'9'), soft);
        let include = v.or(v.or(letter, range), v.or(v.is(bytes, b'_'), v.is(bytes, b'~')));
        TailMasks {
            include: v.bits_apart(include),
            soft: v.bits_apart(soft),
            slashes: v.bits_apart(v.is(bytes, b'/')),
        }
    }
}

/// Returns which bytes are in the range: those whose distance from its first byte is at most its length.
#[inline(always)]
fn within<V: Vectors>(v: V, bytes: V::Bytes, first: u8, last: u8) -> V::Bytes {
    v.not_below(v.splat(last - first), v.wrapping_sub(bytes, v.splat(first)))
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
                assert_eq!(link_masks(&window, 0), portable_link_masks(&window), "{byte} at {at}");
            }
        }
    }
}

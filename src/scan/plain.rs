//! Runs of plain ASCII in hosts: letters, digits, hyphens and dots, of which most hosts consist.
//!
//! The input is an offset, the result is the bytes around it as masks, and properties of the labels, which are computed by
//! counting bits. A loop over the bytes would end at a different byte each time, and the processor would mispredict it.
//! Hosts longer than the masks are left to `host`.

use super::candidate::CandidateFlags;
use crate::simd::window::{self, HostMasks, LinkMasks, TailMasks, WINDOW as HALF};

/// The plain bytes from an offset on; bit n is the n-th byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    /// Letters, digits, hyphens, and the underscores below.
    pub(crate) simple: u64,
    pub(crate) hyphens: u64,
    pub(crate) dots: u64,
    /// Underscores between two letters or digits.
    pub(crate) underscores: u64,
}

/// Number of bytes that the masks cover.
pub(crate) const WINDOW: usize = 2 * HALF;

impl Plain {
    /// Returns the masks of the bytes from `start` on. The second half is only computed if all bytes of the first are
    /// plain.
    #[inline]
    pub(crate) fn forth(text: &[u8], start: usize) -> Plain {
        let low = masks_from(text, start);
        let mut plain = Plain {
            simple: low.simple.into(),
            hyphens: low.hyphens.into(),
            dots: low.dots.into(),
            underscores: low.underscores.into(),
        };
        if low.simple | low.dots | low.underscores == u32::MAX {
            let high = masks_from(text, start + HALF);
            plain.simple |= u64::from(high.simple) << HALF;
            plain.hyphens |= u64::from(high.hyphens) << HALF;
            plain.dots |= u64::from(high.dots) << HALF;
            plain.underscores |= u64::from(high.underscores) << HALF;
        }
        let letters = plain.simple & !plain.hyphens;
        plain.underscores &= letters << 1 & letters >> 1;
        plain.simple |= plain.underscores;
        plain
    }

    /// Returns the number of plain bytes before the first other one.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        (self.simple | self.dots).trailing_ones() as usize
    }

    /// Returns the first `len` bytes, which must be fewer than all.
    #[inline]
    pub(crate) fn first(&self, len: usize) -> Plain {
        let mask = (1 << len) - 1;
        Plain {
            simple: self.simple & mask,
            hyphens: self.hyphens & mask,
            dots: self.dots & mask,
            underscores: self.underscores & mask,
        }
    }
}

/// A host of plain ASCII with two labels or more, all of them valid: its end, the offset of its last label, and the byte
/// that ended the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainHost {
    pub(crate) end: usize,
    /// Offset after the dots that follow it.
    pub(crate) run_end: usize,
    pub(crate) last_label: usize,
    pub(crate) after: u8,
    /// [`CandidateFlags::DEEP`], or no flags.
    pub(crate) marks: CandidateFlags,
    /// Whether the host surely can be mapped to ASCII.
    pub(crate) is_mapped: bool,
}

/// Returns [`CandidateFlags::DEEP`] if a host with these dots and hyphens may contain the name of another host: it has
/// three dots, or a hyphen after a label's third byte.
#[inline]
pub(crate) fn deep(dots: u64, hyphens: u64) -> CandidateFlags {
    let second = dots & dots.wrapping_sub(1);
    match second & second.wrapping_sub(1) != 0 || hyphens & dots << 4 != 0 {
        true => CandidateFlags::DEEP,
        false => CandidateFlags::default(),
    }
}

/// Returns the masks of the bytes from `start` on. Bytes beyond the text are zeros, which are not host characters.
#[inline(always)]
fn masks_from(text: &[u8], start: usize) -> HostMasks {
    let rest = text.get(start..).unwrap_or_default();
    match rest.first_chunk() {
        Some(window) => window::host_masks(window),
        None => masks_at_end(text, rest),
    }
}

/// Returns the masks of the bytes before `end`, the last byte in the top bit.
#[inline(always)]
fn masks_before(text: &[u8], end: usize) -> HostMasks {
    match text[..end].last_chunk() {
        Some(window) => window::host_masks(window),
        None => masks_at_beginning(text, end),
    }
}

/// Returns the masks of the last bytes of a text. They are taken from its last full window: loading a copy would have to
/// wait for the copy.
#[inline(never)]
fn masks_at_end(text: &[u8], rest: &[u8]) -> HostMasks {
    match text.last_chunk() {
        Some(window) => window::host_masks(window).down(HALF - rest.len()),
        None => window::host_masks(&few(rest, 0)),
    }
}

/// Returns the masks of the first bytes of a text, before `end`.
#[inline(never)]
fn masks_at_beginning(text: &[u8], end: usize) -> HostMasks {
    match text.first_chunk() {
        Some(window) => window::host_masks(window).up(HALF - end),
        None => window::host_masks(&few(&text[..end], HALF - end)),
    }
}

/// Returns the bytes of a text that is shorter than a window, placed at `at` in a window of zeros.
#[inline]
fn few(bytes: &[u8], at: usize) -> [u8; HALF] {
    let mut window = [0; HALF];
    if let Some(window) = window.get_mut(at..at + bytes.len()) {
        window.copy_from_slice(bytes);
    }
    window
}

/// Returns the host that begins at `start`, if it is short and plain: it is not longer than the window, has no two adjacent
/// hyphens, and does not end at the text's edge unless the text `is_last`.
#[inline(always)]
pub(crate) fn host(text: &[u8], start: usize, is_last: bool) -> Option<PlainHost> {
    let HostMasks { simple, hyphens, dots, .. } = masks_from(text, start);
    host_of(text, start, is_last, [simple, hyphens, dots])
}

/// Returns the masks of the bytes from `start` on, for a host and the tail of its link.
#[inline(always)]
pub(crate) fn link_masks(text: &[u8], start: usize) -> LinkMasks {
    let rest = text.get(start..).unwrap_or_default();
    match (rest.first_chunk(), text.last_chunk()) {
        (Some(window), _) => window::link_masks(window, 0),
        (None, Some(window)) => window::link_masks(window, HALF - rest.len()),
        (None, None) => window::link_masks(&few(rest, 0), 0),
    }
}

/// Returns the host at `start`, given the masks of the bytes from there on: simple bytes, hyphens, dots.
#[inline(always)]
pub(crate) fn host_of(
    text: &[u8],
    start: usize,
    is_last: bool,
    masks: [u32; 3],
) -> Option<PlainHost> {
    // As 64 bits, of which no shift by a place in the window removes one.
    let [simple, hyphens, dots] = masks.map(u64::from);
    let len = (simple | dots).trailing_ones() as usize;
    let run = (1 << len) - 1;
    let (simple, hyphens) = (simple & run, hyphens & run);
    let end = (u64::BITS - simple.leading_zeros()) as usize;
    let inner = dots & ((1 << end) - 1);
    // At the bits next to these a label begins or ends.
    let edges = inner << 1 | inner >> 1 | 1 | (1 << end) >> 1;
    let is_good = (inner | hyphens) & edges == 0 && hyphens & hyphens << 1 == 0 && inner != 0;
    // This is not a closure, since the compiler would call it instead of inlining it. If all of the window is plain, the
    // host may be longer.
    if !is_good || len == HALF {
        return None;
    }
    let run_end = start + len;
    let after = match text.get(run_end) {
        Some(after) => *after,
        // The end of the input counts as the end of a line.
        None if is_last => b'\n',
        None => return None,
    };
    Some(PlainHost {
        end: start + end,
        run_end,
        last_label: start + (u64::BITS - inner.leading_zeros()) as usize,
        after,
        marks: deep(inner, hyphens),
        is_mapped: true,
    })
}

/// A name of plain ASCII before the last dot of a host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainName {
    pub(crate) start: usize,
    pub(crate) has_dot: bool,
    /// Flags of the host; `None` if it or one of its labels is empty, or if a label has a hyphen at an end or two adjacent
    /// hyphens.
    pub(crate) marks: Option<CandidateFlags>,
}

/// Returns the plain bytes before `end`, but not before `min_start`, with the dots among them, and the underscores between
/// two letters or digits; `None` if there may be more bytes than the mask covers.
#[inline]
pub(crate) fn back(text: &[u8], end: usize, min_start: usize) -> Option<PlainName> {
    let HostMasks { simple, hyphens, dots, underscores, .. } = masks_before(text, end);
    let letters = simple & !hyphens;
    let inner = underscores & letters << 1 & letters >> 1;
    let start = start((simple | dots | inner).leading_ones(), end, min_start)?;
    // There is no letter before an underscore at `min_start`.
    if inner != 0 && text.get(start) == Some(&b'_') {
        return None;
    }
    // The run, with its last byte in the top bit; bits of earlier bytes are removed.
    let first = 1u32.checked_shl((HALF - (end - start)) as u32).unwrap_or(0);
    let run = !first.wrapping_sub(1);
    let (dots, hyphens, inner) = (dots & run, hyphens & run, inner & run);
    let edges = dots << 1 | dots >> 1 | first | 1 << (HALF - 1);
    let is_good = first != 0 && (dots | hyphens) & edges == 0 && hyphens & hyphens << 1 == 0;
    let marks = is_good.then(|| {
        // The dot after it belongs to the host.
        let mut marks = deep(u64::from(dots) | 1 << HALF, hyphens.into());
        if inner != 0 {
            marks |= CandidateFlags::HOST;
            marks |= CandidateFlags::ATTENTION;
        }
        marks
    });
    Some(PlainName { start, has_dot: dots != 0, marks })
}

/// Returns where a run of this many bytes before `end` begins.
#[inline]
fn start(ones: u32, end: usize, min_start: usize) -> Option<usize> {
    let len = ones as usize;
    match end - min_start {
        most if most <= len => Some(min_start),
        _ => (len < HALF).then_some(end - len),
    }
}

/// Returns where the letters, digits and `. - _ +` of a local part before `end` begin, and whether the dots among them are
/// where they may be; `None` as in [`back`].
#[inline]
pub(crate) fn local_back(text: &[u8], end: usize, min_start: usize) -> Option<(usize, bool)> {
    let HostMasks { simple, hyphens, dots, local, .. } = masks_before(text, end);
    let start = start((simple | dots | local).leading_ones(), end, min_start)?;
    // The run, with its last byte in the top bit; bits of earlier bytes are removed.
    let whole = !(u32::MAX.checked_shr((end - start) as u32).unwrap_or(0));
    let run = dots & whole;
    let first = 1u32.checked_shl((HALF - (end - start)) as u32).unwrap_or(0);
    let is_bad = run & run << 1 | run & (first | 1 << (HALF - 1));
    let has_letter = simple & !hyphens & whole != 0;
    Some((start, has_letter && is_bad == 0))
}

/// The bytes from an offset on, as masks of the bytes that a link's tail includes without further checks: two numbers,
/// which fit in registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tail {
    /// Include in the lower half, Soft in the upper half.
    terms: u64,
    /// Slashes in the lower half; the number of bytes that the masks cover in the upper half.
    rest: u64,
}

/// The leading bytes, up to the first one that must be examined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TailRun {
    pub(crate) len: usize,
    /// Number of them before the Soft bytes at their end.
    pub(crate) included: usize,
    /// Number of Soft bytes at their beginning.
    pub(crate) soft_in_front: usize,
    pub(crate) has_slash: bool,
}

impl Tail {
    pub(crate) const WINDOW: usize = HALF;
    /// Masks in which every byte must be examined.
    pub(crate) const NONE: Tail = Tail { terms: 0, rest: (HALF as u64) << HALF };

    #[inline]
    pub(crate) fn at(text: &[u8], start: usize) -> Tail {
        let rest = text.get(start..).unwrap_or_default();
        let masks = match (rest.first_chunk(), text.last_chunk()) {
            (Some(window), _) => window::tail_masks(window),
            (None, Some(window)) => window::tail_masks(window).down(HALF - rest.len()),
            (None, None) => window::tail_masks(&few(rest, 0)),
        };
        let TailMasks { include, soft, slashes } = masks;
        Tail {
            terms: u64::from(include) | u64::from(soft) << HALF,
            rest: u64::from(slashes) | Tail::NONE.rest,
        }
    }

    /// Returns the number of bytes that the masks cover.
    #[inline]
    fn left(self) -> usize {
        (self.rest >> HALF) as usize
    }

    #[inline]
    pub(crate) fn run(self) -> TailRun {
        let (include, soft) = (self.terms as u32, (self.terms >> HALF) as u32);
        let len = (include | soft).trailing_ones();
        let run = 1u32.checked_shl(len).unwrap_or(0).wrapping_sub(1);
        TailRun {
            len: len as usize,
            included: HALF - (include & run).leading_zeros() as usize,
            soft_in_front: soft.trailing_ones() as usize,
            has_slash: self.rest as u32 & run != 0,
        }
    }

    /// Returns the masks after a run and the byte that follows it; `None` if the masks do not cover that byte.
    #[inline]
    pub(crate) fn after(self, run: TailRun) -> Option<Tail> {
        let left = self.left().checked_sub(run.len + 1)?;
        let shifted = |mask: u64| u64::from(mask as u32) >> (run.len + 1);
        Some(Tail {
            terms: shifted(self.terms) | shifted(self.terms >> HALF) << HALF,
            rest: shifted(self.rest) | (left as u64) << HALF,
        })
    }

    /// Returns `true` if the run covers all bytes of the masks.
    #[inline]
    pub(crate) fn is_all(self, run: TailRun) -> bool {
        run.len == self.left()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::host::{self, FullStops};
    use crate::scan::{References, ScanStep, Scanner, Settings, View};

    /// Texts of few different letters, so that every case occurs.
    fn noise() -> impl Iterator<Item = Vec<u8>> {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        std::iter::repeat_with(move || {
            let letters = [&b"ab.-_+ "[..], b"aaaaaaaaaaaa.", b"aaaa-.@"][random() % 3];
            (0..random() % 90).map(|_| letters[random() % letters.len()]).collect()
        })
        .take(20_000)
    }

    #[test]
    fn hosts_are_cut_into_labels() {
        let mut hosts = 0;
        for text in noise() {
            let Some(host) = host(&text, 0, true) else { continue };
            let is_plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
            let len = text.iter().take_while(|b| is_plain(b)).count();
            let run = std::str::from_utf8(&text[..len]).unwrap();
            let run = run.trim_end_matches('.');
            let labels: Vec<_> = run.split('.').collect();
            let is_good = |l: &&str| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-');
            assert!(labels.len() > 1 && labels.iter().all(is_good), "{run}");
            assert_eq!(host.end, run.len(), "{run}");
            assert_eq!(&run[host.last_label..], labels[labels.len() - 1]);
            assert_eq!(host.after, text.get(len).copied().unwrap_or(b'\n'));
            hosts += 1;
        }
        assert!(hosts > 100, "{hosts}");
    }

    #[test]
    fn hosts_go_back_over_underscores_between_letters() {
        let (mut plain, mut underscored, mut good) = (0, 0, 0);
        for text in noise() {
            let (end, min_start) = (text.len(), text.len() / 5);
            let view = View::new(&text, true, References::Auto);
            let Some(name) = host::back_ascii(&view, end, min_start) else { continue };
            let want = host::back(&view, end, min_start, FullStops::Ends);
            assert_eq!(Some(name.start), want, "{:?}", String::from_utf8_lossy(&text));
            let run = std::str::from_utf8(&text[name.start..end]).unwrap();
            let is_good = |l: &str| {
                !l.is_empty() && !l.starts_with('-') && !l.ends_with('-') && !l.contains("--")
            };
            assert_eq!(name.marks.is_some(), run.split('.').all(is_good), "{run}");
            let has_underscore = run.contains('_');
            if let Some(marks) = name.marks {
                let labels = run.split('.').count() + 1;
                let is_deep =
                    labels > 3 || run.split('.').skip(1).any(|l| l.get(3..4) == Some("-"));
                assert_eq!(marks.has(CandidateFlags::DEEP), is_deep, "{run}");
                assert_eq!(marks.has(CandidateFlags::HOST), has_underscore, "{run}");
                good += 1;
            }
            (plain, underscored) = (plain + 1, underscored + usize::from(has_underscore));
        }
        assert!(plain > 1000 && underscored > 50 && good > 100, "{plain} {underscored} {good}");
    }

    #[test]
    fn local_parts_by_their_dots() {
        let mut good = 0;
        for text in noise() {
            let min_start = text.len() / 5;
            let Some((start, is_good)) = local_back(&text, text.len(), min_start) else { continue };
            let is_local = |b: &&u8| b.is_ascii_alphanumeric() || b".-_+".contains(b);
            let len = text[min_start..].iter().rev().take_while(is_local).count();
            let local = std::str::from_utf8(&text[text.len() - len..]).unwrap();
            assert_eq!(start, text.len() - len, "{local}");
            let has_letter = local.contains(|c: char| c.is_ascii_alphanumeric());
            let is_dotted = local.split('.').all(|atom| !atom.is_empty());
            assert_eq!(is_good, is_dotted && has_letter, "{local}");
            good += usize::from(is_good);
        }
        assert!(good > 100, "{good}");
    }

    #[test]
    fn a_run_of_soft_longer_than_the_limit_ends_the_link() {
        for max_link in 30..80 {
            for soft in 1..90 {
                let head = "http://e.com/a";
                let text = [head, &".,!"[..soft % 3], &".".repeat(soft - soft % 3), "b "].concat();
                let settings = Settings { max_link, ..Settings::default() };
                let view = View::new(text.as_bytes(), true, settings.references);
                let ScanStep::Found(found) = Scanner::new().next(&settings, view) else {
                    panic!("{text}");
                };
                let end = if soft > max_link { head.len() } else { text.len() - 1 };
                assert_eq!(found.range, 0..end, "{text} {max_link}");
                assert_eq!(found.refused.is_some(), end > max_link, "{text} {max_link}");
            }
        }
    }
}

//! The beginning of a stream whose encoding is not known yet: as long as it is ASCII, its links are the same in any
//! encoding, and are reported. Streams that prove to be binary after their beginning was read as text.

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::charset::{Detected, Extent};
use crate::detect::document::{Disposition, Hints};
use crate::detect::{LateBinary, TextDetector};
use crate::document::finder::FinderHandle;
use crate::document::pass::{AnyPass, Arrived, Pass, Told};
use crate::input::chunk::Chunk;
use crate::link::{Judged, is_sure, start_of};
use crate::notice::Notice;

/// Whether a document's beginning is enough to detect its encoding.
pub(super) enum Reading {
    Incomplete,
    Enough,
    Stopped,
}

/// The pass over an ASCII beginning.
pub(super) struct Early<'f> {
    finder: FinderHandle<'f>,
    /// Whether links are reported as soon as bytes are available; otherwise at pauses.
    is_at_once: bool,
    begun: Option<(AnyPass<'f>, Told)>,
    /// Number of bytes that it has scanned.
    looked: usize,
    given: Given,
}

/// Candidates that were reported already: the start of the last one, and the number of reported ones with that start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Given {
    last: Option<usize>,
    count: usize,
}

impl Given {
    fn note(&mut self, judged: &Judged<'_>) {
        let start = Some(start_of(judged));
        if start != self.last {
            (self.last, self.count) = (start, 0);
        }
        self.count += 1;
    }

    pub(super) fn is_empty(self) -> bool {
        self.last.is_none()
    }

    /// Returns `true` for a candidate of a restarted pass that was reported already.
    pub(super) fn has(&mut self, judged: &Judged<'_>) -> bool {
        let Some(last) = self.last else { return false };
        let start = start_of(judged);
        let is_one_of_last = start == last && self.count > 0;
        self.count -= usize::from(is_one_of_last);
        start < last || is_one_of_last
    }
}

impl<'f> Early<'f> {
    pub(super) fn new(finder: &FinderHandle<'f>, hints: &Hints) -> Early<'f> {
        let (is_at_once, given) = (hints.eager, Given::default());
        Early { finder: finder.clone(), is_at_once, begun: None, looked: 0, given }
    }

    /// Scans the available bytes, at a pause or before more are read.
    pub(super) fn over<F>(
        &mut self,
        (hints, detector): (&Hints, &mut TextDetector),
        chunk: Chunk<'_>,
        is_paused: bool,
        emit: &mut F,
    ) -> Reading
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        if !is_paused && !self.is_at_once || chunk.bytes().len() == self.looked {
            return Reading::Incomplete;
        }
        if !is_paused && !hints.is_surely_text(chunk.bytes()) {
            self.is_at_once = false;
            return Reading::Incomplete;
        }
        match AsciiLook::of(&chunk.bytes()[self.looked..]) {
            AsciiLook::Ascii => {}
            AsciiLook::Cut => return Reading::Incomplete,
            // The bytes up to this pause decide.
            AsciiLook::Other if is_paused => return Reading::Enough,
            AsciiLook::Other => {
                self.is_at_once = false;
                return Reading::Incomplete;
            }
        }
        if self.begun.is_none() {
            self.begun = self.begin(hints, detector, chunk.bytes());
        }
        let Some((pass, _)) = &mut self.begun else { return Reading::Incomplete };
        self.looked = chunk.bytes().len();
        let given = &mut self.given;
        let flow = pass.run(chunk, &mut |judged| {
            given.note(&judged);
            emit(judged)
        });
        match flow {
            ControlFlow::Break(()) => Reading::Stopped,
            ControlFlow::Continue(()) => Reading::Incomplete,
        }
    }

    /// Returns the pass over a document that begins with `bytes`, if its format is known and allows links to be reported before its end.
    fn begin(
        &self,
        hints: &Hints,
        detector: &mut TextDetector,
        bytes: &[u8],
    ) -> Option<(AnyPass<'f>, Told)> {
        let format = detector.format(bytes, false, hints)?;
        let opening = detector.opening(format, Detected::ascii());
        if !AnyPass::is_for_parts(&opening) {
            return None;
        }
        let start = Arrived { bytes, extent: Extent::Beginning, is_paused: true };
        Some(AnyPass::of(&self.finder, &opening, hints, start))
    }

    /// Returns the pass that has begun, with its notices, if the detection agrees with it; and the links that another pass must not
    /// report again.
    pub(super) fn end(self, detected: &Detected) -> (Option<(AnyPass<'f>, Told)>, Given) {
        let is_same = detected.charset() == Detected::ascii().charset();
        let begun = self.begun.filter(|_| is_same).map(|(pass, [read_as, _])| {
            let unknown = Notice::of_detected(detected);
            (pass, [read_as, unknown])
        });
        (begun, self.given)
    }

    /// Returns `true` if links may have been reported.
    pub(super) fn has_begun(&self) -> bool {
        self.begun.is_some()
    }
}

/// Result of a search for non-ASCII bytes.
enum AsciiLook {
    /// The same characters in every encoding that a text may have.
    Ascii,
    /// The last character is cut.
    Cut,
    Other,
}

impl AsciiLook {
    fn of(bytes: &[u8]) -> AsciiLook {
        // All of a piece without a branch, so that the compiler uses vectors.
        let is_odd = |byte: u8| (byte >= 0x80) | (byte == 0) | (byte == ESCAPE);
        let is_odd = |piece: &[u8]| piece.iter().fold(false, |odd, byte| odd | is_odd(*byte));
        let mut pieces = bytes.chunks(PIECE).enumerate();
        let Some((odd, _)) = pieces.find(|(_, piece)| is_odd(piece)) else {
            return AsciiLook::Ascii;
        };
        let mut rest = &bytes[odd * PIECE..];
        while let Some((byte, after)) = rest.split_first() {
            match (byte, after) {
                // An escape sequence of ISO-2022-JP begins another set; others are of terminals.
                (&ESCAPE, [b'$' | b'(', ..]) | (0, _) => return AsciiLook::Other,
                (&ESCAPE, []) => return AsciiLook::Cut,
                (0x80.., _)
                    if std::str::from_utf8(rest).is_err_and(|e| e.error_len().is_none()) =>
                {
                    let is_one = std::str::from_utf8(rest).is_err_and(|e| e.valid_up_to() == 0);
                    return if is_one { AsciiLook::Cut } else { AsciiLook::Other };
                }
                (0x80.., _) => return AsciiLook::Other,
                _ => rest = after,
            }
        }
        AsciiLook::Ascii
    }
}

const ESCAPE: u8 = 0x1B;
const PIECE: usize = 1 << 10;

/// Returns `true` if a candidate is reported: in binary data, which begin at `binary_from`, only if it is sure there.
#[inline]
pub(super) fn is_reported(judged: &mut Judged<'_>, binary_from: Option<usize>) -> bool {
    binary_from.is_none_or(|from| start_of(judged) >= from && is_sure(judged))
}

/// Returns the offset from which candidates of binary data are reported that begin at `from` in a text: none are if
/// binary data are not searched.
pub(super) fn searched_from(from: usize, hints: &Hints) -> usize {
    match Disposition::Binary.is_scanned(hints.scope.non_text.of_parts()) {
        true => from,
        false => usize::MAX,
    }
}

/// Reader that ends a stream where it proves to be binary.
pub(super) struct Reconsidered<'c, R> {
    reader: R,
    check: &'c mut LateBinary,
    hints: &'c Hints,
}

impl<'c, R: Read> Reconsidered<'c, R> {
    pub(super) fn new(
        reader: R,
        check: &'c mut LateBinary,
        hints: &'c Hints,
    ) -> Reconsidered<'c, R> {
        Reconsidered { reader, check, hints }
    }

    /// Returns the reader, which has the bytes after those that were checked.
    pub(super) fn into_inner(self) -> R {
        self.reader
    }
}

impl<R: Read> Read for Reconsidered<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.check.is_binary() {
            return Ok(0);
        }
        let read = self.reader.read(to)?;
        Ok(self.check.text_len(&to[..read], self.hints))
    }
}

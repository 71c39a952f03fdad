//! Blocks: a document that comes in pieces, scanned as far as the available bytes decide.
//!
//! The scan is fed: whoever has bytes puts them into the buffer and lets it advance. It never reads.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::mem;
use std::ops::ControlFlow;

use super::early::{Early, Given, Reading};
use super::feed::{NotedPoints, PointState};
use crate::charset::{Detected, Extent};
use crate::detect::TextDetector;
use crate::detect::document::{Detection, Disposition, DocumentFormat, Hints};
use crate::document::finder::FinderHandle;
use crate::document::pass::{AnyPass, Arrived, Pass, Told};
use crate::input::chunk::Chunk;
use crate::input::guard::{is_cancelled, says_cancelled};
use crate::input::sliding_buffer::SlidingBuffer;
use crate::limits;
use crate::link::Judged;
use crate::notice::{FailedScan, Notice, Scanned};
use crate::source_map::transfer::uuencode::UuencodeSearch;

/// Initial size of the buffer in bytes: most files are smaller.
const FIRST_SIZE: usize = 64 << 10;
/// Size in bytes to which it grows when a stream fills it.
const FULL_SIZE: usize = 512 << 10;
/// Maximum number of bytes from which the encoding is detected: one more than is checked, to know whether there are more.
const DETECTED: usize = Detected::START + 1;

/// How far a scan has advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advanced {
    NeedMore,
    Done,
}

/// When the links of a page are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pages {
    /// When all of it is available, up to a limit, or at a pause.
    Together,
    /// As they come, if its format allows it.
    #[cfg_attr(not(feature = "documents"), allow(dead_code, reason = "nothing is a page"))]
    AsTheyCome,
}

/// A scan of a document that comes in blocks.
pub(super) struct Blocks<'f> {
    finder: FinderHandle<'f>,
    pages: Pages,
    stage: Stage<'f>,
    failure: Option<io::Error>,
    scanned: Scanned,
    /// Search for encoded data, in running text.
    encoded: Option<UuencodeSearch>,
    detector: TextDetector,
    /// Offset up to which bytes must be available before the pass of a resumed scan goes on.
    available: usize,
}

/// What a point holds beside the state of the pass.
#[derive(Clone, Copy)]
struct PassFacts<'b> {
    format: DocumentFormat,
    encoded: Option<UuencodeSearch>,
    notices: &'b [Notice],
}

/// Receiver of the state between two steps.
type Note<'n> = dyn FnMut(&AnyPass<'_>, Chunk<'_>, PassFacts<'_>) + 'n;

/// Returns the point between two steps of a pass, if there is one.
fn point_of(pass: &AnyPass<'_>, chunk: Chunk<'_>, about: PassFacts<'_>) -> Option<PointState> {
    let PassFacts { format, encoded, notices } = about;
    let pass = pass.point(chunk).filter(|_| PointState::is_for(format))?;
    let encoded = match encoded {
        None => None,
        Some(search) => Some(search.point(pass.offset)?),
    };
    Some(PointState { format, notices: notices.to_vec(), encoded, pass })
}

/// Reads the block as far as its links can be decided, and notes the state after each step.
fn run_noting<F>(
    pass: &mut AnyPass<'_>,
    chunk: Chunk<'_>,
    emit: &mut F,
    note: &mut dyn FnMut(&AnyPass<'_>),
) -> ControlFlow<()>
where
    F: FnMut(Judged<'_>) -> ControlFlow<()>,
{
    while pass.step(chunk, emit)?.give(emit)? {
        note(pass);
    }
    note(pass);
    ControlFlow::Continue(())
}

/// What of a document is known.
#[allow(clippy::large_enum_variant, reason = "a scan has one, which is never moved")]
enum Stage<'f> {
    /// Nothing: its encoding is detected.
    Encoding {
        early: Early<'f>,
    },
    /// Its encoding.
    Format {
        detected: Detected,
        given: Given,
        has_begun: bool,
    },
    /// All that is needed.
    Pass {
        pass: AnyPass<'f>,
        given: Given,
    },
    Ended,
}

impl<'f> Blocks<'f> {
    /// Creates the scan of a document, which `held` will receive from its first byte on.
    pub(super) fn new(
        finder: &FinderHandle<'f>,
        (hints, found): (&Hints, &Detection),
        pages: Pages,
        held: &mut SlidingBuffer,
    ) -> Blocks<'f> {
        held.restart();
        let stage = Stage::Encoding { early: Early::new(finder, hints) };
        Blocks {
            finder: finder.clone(),
            pages,
            stage,
            failure: None,
            scanned: Scanned::default(),
            encoded: None,
            detector: TextDetector::new(found),
            available: 0,
        }
    }

    /// Reads once, or notes a pause. After a failure nothing more is read; it is reported after the scan of the bytes before it.
    pub(super) fn read(&mut self, held: &mut SlidingBuffer, reader: &mut impl Read) {
        self.make_room(held);
        match held.read(reader, usize::MAX) {
            Ok(read) => self.scanned.bytes += read.unwrap_or(0) as u64,
            Err(error) => self.failure = Some(error),
        }
    }

    /// Makes room for a read: grows the buffer, or drops bytes that are no longer needed.
    fn make_room(&mut self, held: &mut SlidingBuffer) {
        if held.room() > 0 {
            return;
        }
        let size = held.size();
        match &mut self.stage {
            Stage::Pass { pass, .. } if size > 0 => {
                let needed = pass.release(held.chunk());
                held.drop_before(needed as u64);
                held.compact();
                let filled = held.bytes().len();
                // The beginning that detection needed is larger than the caches.
                let is_large = size > FULL_SIZE && filled < FULL_SIZE / 2;
                let size = if is_large { FULL_SIZE } else { size };
                let is_small = size < FULL_SIZE || filled > size / 2;
                // Most of what needs more than a full buffer, such as the text of an anchor, ends soon.
                let larger = if size < FULL_SIZE { FULL_SIZE } else { size + size / 4 };
                held.resize(if is_small { larger } else { size });
            }
            stage => {
                let most = match stage {
                    Stage::Encoding { .. } => DETECTED,
                    _ => limits::WHOLE + 1,
                };
                // A page that is kept as a whole is not to take twice as much memory as it has bytes.
                held.resize((size * 2).max(FIRST_SIZE).min(most));
            }
        }
    }

    /// Continues the scan of a document where another one was; `held` will receive its bytes from there on.
    pub(super) fn resumed(
        finder: &FinderHandle<'f>,
        hints: &Hints,
        (detected, point): (&Detected, &PointState),
        held: &mut SlidingBuffer,
    ) -> Blocks<'f> {
        let PointState { format, notices, encoded, pass: at } = point;
        let text = Detection { format: Some(*format), ..Detection::known(Disposition::Text) };
        let mut blocks = Blocks::new(finder, (hints, &text), Pages::AsTheyCome, held);
        *held = SlidingBuffer::reusing(held.take_memory(), at.offset as u64);
        let start = Arrived { bytes: &[], extent: Extent::Beginning, is_paused: true };
        let opening = blocks.detector.opening(*format, detected.clone());
        let (mut pass, _) = AnyPass::of(finder, &opening, hints, start);
        // A text that nobody wrote may name an encoding in which no document has points.
        let has_points = pass.at().is_some();
        pass.resume(at);
        blocks.available = at.available();
        blocks.encoded = encoded.map(UuencodeSearch::resumed);
        blocks.scanned.detected = Some(detected.clone());
        blocks.scanned.notices.clone_from(notices);
        blocks.stage = match has_points {
            true => Stage::Pass { pass, given: Given::default() },
            false => Stage::Ended,
        };
        blocks
    }

    /// Returns how the encoding of the document is known, when it is.
    pub(super) fn detected(&self) -> Option<&Detected> {
        self.scanned.detected.as_ref()
    }

    /// Scans what a read has added, as far as it can be decided, and notes points from which the scan can go on.
    pub(super) fn advance<F>(
        &mut self,
        held: &SlidingBuffer,
        hints: &Hints,
        emit: &mut F,
        noted: Option<(&mut NotedPoints, u64)>,
    ) -> Advanced
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        if held.read_to() < self.available as u64 {
            // A document that is shorter now has no more links.
            return if held.is_last() { Advanced::Done } else { Advanced::NeedMore };
        }
        let Some((noted, count)) = noted else { return self.advance_by(held, hints, emit, None) };
        let count = Cell::new(count);
        let mut counted = |judged: Judged<'_>| {
            count.set(count.get() + 1);
            emit(judged)
        };
        let mut note = |pass: &AnyPass<'_>, chunk: Chunk<'_>, about: PassFacts<'_>| {
            if pass.at().is_some_and(|at| noted.is_due(at)) {
                noted.add(count.get(), point_of(pass, chunk, about));
            }
        };
        self.advance_by(held, hints, &mut counted, Some(&mut note))
    }

    fn advance_by<F>(
        &mut self,
        held: &SlidingBuffer,
        hints: &Hints,
        emit: &mut F,
        note: Option<&mut Note<'_>>,
    ) -> Advanced
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        match self.stage {
            // All decided links were reported after the last bytes.
            Stage::Pass { .. } if held.is_paused() => return Advanced::NeedMore,
            Stage::Pass { .. } => {}
            _ => {
                if self.detect(held, hints, emit) == Advanced::NeedMore {
                    return Advanced::NeedMore;
                }
            }
        }
        self.pass(held, emit, note)
    }

    /// Detects the encoding and the format; the stage is another one when they are known.
    fn detect<F>(&mut self, held: &SlidingBuffer, hints: &Hints, emit: &mut F) -> Advanced
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        if let Stage::Encoding { early } = &mut self.stage {
            let chunk = held.chunk().not_last();
            let detector = &mut self.detector;
            let reading = match detector.has_encoding(chunk.bytes(), hints) {
                true => Reading::Enough,
                false => early.over((hints, detector), chunk, held.is_paused(), emit),
            };
            let is_more = chunk.bytes().len() < DETECTED && !held.is_last();
            let is_stopped = match reading {
                Reading::Incomplete if is_more => return Advanced::NeedMore,
                Reading::Incomplete | Reading::Enough => {
                    self.failure.as_ref().is_some_and(says_cancelled)
                }
                Reading::Stopped => true,
            };
            if is_stopped {
                self.scanned.stopped = true;
                self.stage = Stage::Ended;
                return Advanced::Done;
            }
            self.set_encoding(held, hints);
        }
        match self.stage {
            Stage::Format { .. } => self.set_format(held, hints),
            _ => Advanced::Done,
        }
    }

    /// Decides which encoding the document has.
    fn set_encoding(&mut self, held: &SlidingBuffer, hints: &Hints) {
        let Stage::Encoding { early } = mem::replace(&mut self.stage, Stage::Ended) else {
            return;
        };
        // If the reader failed, the last character may be cut.
        let is_whole = held.is_last() && self.failure.is_none();
        let extent = if is_whole { Extent::Whole } else { Extent::Beginning };
        let detected = match self.detector.encoding(held.bytes(), extent, hints) {
            Ok(detected) => detected,
            Err(_) if is_cancelled(hints.cancel.as_ref()) => {
                self.scanned.stopped = true;
                return;
            }
            Err(error) => {
                self.failure = Some(io::Error::new(ErrorKind::InvalidData, error));
                return;
            }
        };
        self.scanned.detected = Some(detected.clone());
        let has_begun = early.has_begun();
        let (begun, given) = early.end(&detected);
        self.stage = match begun {
            Some((pass, told)) => {
                self.set_told(told, &pass);
                Stage::Pass { pass, given: Given::default() }
            }
            None => Stage::Format { detected, given, has_begun },
        };
    }

    /// Chooses the pass, when as much of the document is available as its format needs.
    fn set_format(&mut self, held: &SlidingBuffer, hints: &Hints) -> Advanced {
        let Stage::Format { detected, given, has_begun } = &self.stage else {
            return Advanced::Done;
        };
        let chunk = held.chunk();
        let (bytes, is_last) = (chunk.bytes(), chunk.is_last());
        // The encoding may be known before the format.
        let Some(format) = self.detector.format(bytes, is_last, hints) else {
            return Advanced::NeedMore;
        };
        let opening = self.detector.opening(format, detected.clone());
        let mut is_paused = *has_begun;
        #[cfg(feature = "documents")]
        if !format.is_text() {
            let is_apart = held.is_paused() || self.pages == Pages::AsTheyCome;
            let is_in_parts = AnyPass::is_for_parts(&opening) && is_apart && !is_last;
            if !is_in_parts && bytes.len() <= limits::WHOLE && !is_last {
                return Advanced::NeedMore;
            }
            is_paused |= is_in_parts;
        }
        let extent = if is_last { Extent::Whole } else { Extent::Beginning };
        let start = Arrived { bytes, extent, is_paused };
        let (pass, told) = AnyPass::of(&self.finder, &opening, hints, start);
        let given = *given;
        self.set_told(told, &pass);
        self.stage = Stage::Pass { pass, given };
        Advanced::Done
    }

    /// Sets the notices on the document, and begins the search for encoded data in running text.
    fn set_told(&mut self, told: Told, pass: &AnyPass<'_>) {
        self.encoded = pass.is_of_text().then(UuencodeSearch::default);
        self.scanned.notices = told.into_iter().flatten().collect();
    }

    /// Scans the available bytes.
    fn pass<F>(
        &mut self,
        held: &SlidingBuffer,
        emit: &mut F,
        note: Option<&mut Note<'_>>,
    ) -> Advanced
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        let Blocks { stage, detector, encoded, scanned, .. } = self;
        let Stage::Pass { pass, given } = stage else { return Advanced::Done };
        let chunk = held.chunk();
        if let Some(search) = encoded {
            search.look(chunk.bytes(), chunk.base(), chunk.is_last());
        }
        let flow = match (given.is_empty(), note) {
            (true, Some(note)) => {
                let format = detector.known_format().unwrap_or(DocumentFormat::Text);
                let (encoded, notices) = (*encoded, &scanned.notices[..]);
                let about = PassFacts { format, encoded, notices };
                run_noting(pass, chunk, emit, &mut |pass| note(pass, chunk, about))
            }
            // A link is large, so it is moved as rarely as possible.
            (true, None) => pass.run(chunk, emit),
            (false, _) => pass.run(chunk, &mut |judged: Judged<'_>| match given.has(&judged) {
                true => ControlFlow::Continue(()),
                false => emit(judged),
            }),
        };
        scanned.stopped = flow.is_break();
        match scanned.stopped || chunk.is_last() {
            true => Advanced::Done,
            false => Advanced::NeedMore,
        }
    }

    /// Returns the totals of the scan, which is done.
    pub(super) fn finish(mut self) -> Result<Scanned, FailedScan> {
        if let Stage::Pass { pass, .. } = &self.stage {
            self.scanned.notices.extend(pass.notices());
            let has_encoded = self.encoded.is_some_and(|search| search.has_found);
            self.scanned.notices.extend(has_encoded.then_some(Notice::Skipped));
        }
        match self.failure {
            Some(error) if says_cancelled(&error) => Ok(Scanned { stopped: true, ..self.scanned }),
            Some(error) if !self.scanned.stopped => Err(self.scanned.failed(error)),
            _ => Ok(self.scanned),
        }
    }
}

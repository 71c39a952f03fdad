//! Reader of the bytes that frames decode to: bytes first, then the fault.
//!
//! All that a library has decoded is given before what it failed with, and neither depends on how the
//! stored bytes came in: not on the sizes of reads, not on whether the input is a file or a stream.

use std::io::{self, Read};

use super::super::fault::{Fault, FaultCode, told};
use super::super::lookahead::Lookahead;
use super::super::member_offsets::MemberOffsets;
use super::Replayed;
use super::seek::{MAGIC, PROBED, next_record, probed};
use super::{CodecError, FrameFormat, FrameStart, PositionedDecoder, truncated};
use crate::detect::may_be_crawl;
use crate::input::pause::is_pause;

/// A frame of a format that [`FrameFormat::REPLAYS`] is kept up to this length. Of a longer one that is damaged,
/// what its library decoded last may be missing.
const KEPT: usize = 16 << 20;

/// Bytes that may be decoded again beyond those that were read. The work stays linear, whatever frames
/// contain.
const AGAIN: u64 = 1 << 20;

/// State of the reader in a stream of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FramesState {
    Between,
    Inside,
    /// A frame's data have been given.
    Ending,
    /// The stream cannot be continued, and all bytes before that have been returned.
    Failing,
    Ended,
    Failed,
}

/// Reason why a stream ends too early.
enum FramesError {
    Fault(Fault),
    /// Reading the stored bytes failed.
    Unread(io::Error),
}

/// The frame that is read, or was read last.
#[derive(Default)]
struct CurrentFrame {
    begun_at: u64,
    /// Its bytes after its header so far, if they are kept, and their offset.
    kept: Option<Vec<u8>>,
    at: u64,
    /// Number of bytes that it was decoded to so far.
    given: u64,
}

/// Reader of a stream of frames.
pub(super) struct Frames<'f, F> {
    feed: &'f mut dyn Lookahead,
    format: F,
    state: FramesState,
    count: u64,
    /// How many bytes came out.
    given: u64,
    /// The first of them.
    head: Vec<u8>,
    frame: CurrentFrame,
    /// Decoded bytes to return before the stream fails.
    rest: io::Cursor<Vec<u8>>,
    ending: Option<FramesError>,
    /// Error of reading the stored bytes, which is returned after all decoded bytes.
    unread: Option<io::Error>,
    /// Where to note where members begin.
    offsets: Option<MemberOffsets>,
    /// Fault of the frame that was read last, though it came to its end. If no frame follows it, its end was
    /// made up of what follows.
    doubt: Option<Fault>,
    /// How many bytes were decoded again.
    again: u64,
    /// A fault that does not end the stream, to be reported at its end; with marks they keep it, since nobody knows yet
    /// whether what comes out are records.
    fault: Option<Fault>,
}

impl<'f, F: FrameFormat> Frames<'f, F> {
    pub(super) fn new(feed: &'f mut dyn Lookahead, format: F) -> Frames<'f, F> {
        Frames {
            feed,
            format,
            state: FramesState::Between,
            count: 0,
            given: 0,
            head: Vec::new(),
            frame: CurrentFrame::default(),
            rest: io::Cursor::default(),
            ending: None,
            unread: None,
            offsets: None,
            doubt: None,
            again: 0,
            fault: None,
        }
    }

    /// Notes where members begin.
    pub(super) fn noting(self, offsets: Option<MemberOffsets>) -> Self {
        Frames { offsets, ..self }
    }

    fn run(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            if matches!(self.state, FramesState::Between | FramesState::Inside)
                && self.unread.is_none()
            {
                self.feed.ready()?;
            }
            let given = match self.state {
                FramesState::Failed => return Err(told()),
                FramesState::Ended => {
                    return self.fault.take().map_or(Ok(0), |fault| Err(fault.into()));
                }
                FramesState::Between => {
                    self.begin()?;
                    0
                }
                FramesState::Inside => self.step(to),
                FramesState::Ending => {
                    self.count += 1;
                    self.state = FramesState::Between;
                    let ended = self.format.end(self.feed);
                    match self.unless_unread(ended) {
                        Ok(fault) => {
                            self.doubt = self.doubt.take().or(fault);
                            self.go_back_into()?;
                        }
                        Err(error) => self.go_on_after(error, self.frame.begun_at)?,
                    }
                    0
                }
                FramesState::Failing => match self.rest.read(to)? {
                    0 => {
                        self.fail()?;
                        0
                    }
                    given => given,
                },
            };
            if given > 0 {
                if self.head.len() < MAGIC {
                    let missing = MAGIC - self.head.len();
                    self.head.extend_from_slice(&to[..given.min(missing)]);
                    if !self.may_be_crawl() {
                        self.feed.keep(None);
                    }
                }
                self.given += given as u64;
                self.frame.given += given as u64;
                return Ok(given);
            }
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        let at = self.feed.at();
        if let Some(offsets) = self.offsets.as_ref().filter(|offsets| offsets.is_past(at))
            && probed(self.feed.look(PROBED)?, 0, &mut self.format)
        {
            offsets.end(at);
            self.settle();
            self.state = FramesState::Ended;
            return Ok(());
        }
        // The damage may have hidden the frames that follow it.
        let is_crawl = self.may_be_crawl();
        if self.doubt.is_none() || !is_crawl {
            self.feed.keep(is_crawl.then_some(at));
        }
        let begun = self.format.begin(self.feed, self.count);
        match self.unless_unread(begun) {
            Ok(FrameStart::Frame) => {
                self.settle();
                self.feed.keep(is_crawl.then_some(at));
                self.frame.begun_at = at;
                self.state = FramesState::Inside;
                self.frame.kept = F::REPLAYS.then(|| match self.frame.kept.take() {
                    Some(mut kept) => {
                        kept.clear();
                        kept
                    }
                    None => Vec::new(),
                });
                (self.frame.at, self.frame.given) = (self.feed.at(), 0);
                if let Some(offsets) = &self.offsets {
                    offsets.note(self.given, at);
                }
            }
            Ok(FrameStart::Between) => {}
            Ok(FrameStart::End) => {
                self.settle();
                self.state = FramesState::Ended;
            }
            Err(error) => {
                let from = if self.doubt.is_some() { self.frame.begun_at } else { at };
                self.go_on_after(error, from)?;
            }
        }
        Ok(())
    }

    /// Assigns the doubtful fault to the frame only, since another frame follows.
    fn settle(&mut self) {
        if let Some(doubt) = self.doubt.take() {
            self.keep(doubt);
        }
    }

    /// Replaces the fault of a stream that seems to be cut by the error with which its reader failed.
    fn unless_unread<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        let is_cut = |fault: &Fault| fault.code() == FaultCode::Truncated;
        if result.as_ref().is_err_and(|error| Fault::of(error).is_some_and(is_cut)) {
            let held = self.feed.fill()?.len();
            self.feed.consume(held);
            self.feed.fill()?;
        }
        result
    }

    /// A step of the codec; how many bytes it gave.
    fn step(&mut self, to: &mut [u8]) -> usize {
        let input = match &self.unread {
            Some(_) => &[],
            None => match self.feed.fill() {
                Ok(input) => input,
                Err(error) => {
                    self.unread = Some(error);
                    &[]
                }
            },
        };
        let is_last = input.is_empty();
        let stepped = self.format.step(input, is_last, to);
        if let Some(kept) = &mut self.frame.kept {
            // Where it failed, all that it may have seen.
            let seen = if stepped.refusal.is_some() { input.len() } else { stepped.taken };
            match kept.len() + seen <= KEPT {
                true => kept.extend_from_slice(&input[..seen]),
                false => self.frame.kept = None,
            }
        }
        self.feed.consume(stepped.taken);
        let is_stuck = stepped.given == 0 && stepped.taken == 0;
        match stepped.refusal {
            Some(refusal) if stepped.is_end => {
                self.state = FramesState::Ending;
                self.doubt = Some(refusal.at(self.feed.at()));
            }
            Some(refusal) => self.refuse(refusal, stepped.given),
            None if stepped.is_end => self.state = FramesState::Ending,
            None if is_stuck && is_last => self.refuse(truncated(F::NAME), 0),
            None if is_stuck => {
                let reason = format!("not a {} stream", F::NAME);
                self.refuse(CodecError::new(FaultCode::Corrupt, reason), 0);
            }
            None => {}
        }
        stepped.given
    }

    /// The codec cannot go on; `given` bytes of its last step are on their way.
    fn refuse(&mut self, refusal: CodecError, given: usize) {
        self.state = FramesState::Failing;
        let given = self.frame.given + given as u64;
        let kept = self.frame.kept.take();
        let replayed = kept.and_then(|kept| self.format.replay(&kept, given));
        let fault = match replayed {
            Some(replayed) => {
                self.rest = io::Cursor::new(replayed.rest);
                replayed.refusal.at(self.frame.at + replayed.taken)
            }
            None => refusal.at(self.feed.at()),
        };
        self.ending = Some(match self.unread.take() {
            Some(error) if fault.code() == FaultCode::Truncated => FramesError::Unread(error),
            _ => FramesError::Fault(fault),
        });
    }

    /// Returns the reason why the stream cannot be continued, unless it can: in a crawl, at the next record.
    fn fail(&mut self) -> io::Result<()> {
        match self.ending.take() {
            None => Err(told()),
            Some(FramesError::Unread(error)) => Err(error),
            Some(FramesError::Fault(fault)) => self.go_on_after(fault.into(), self.frame.begun_at),
        }
    }

    /// Resumes after a fault in a file of records at the next frame with a record, which may lie in the bytes that were read as
    /// the damaged frame; fails without such a frame, or in another file.
    fn go_on_after(&mut self, error: io::Error, frame: u64) -> io::Result<()> {
        let Some(fault) = Fault::of(&error).filter(|_| self.may_be_crawl()).cloned() else {
            self.settle();
            return Err(error);
        };
        let read = self.feed.at();
        self.feed.go_back(frame + 1);
        self.feed.keep(None);
        let mut is_found = next_record(&mut self.format, self.feed, u64::MAX)?;
        let again = read.saturating_sub(self.feed.at());
        if is_found && self.again + again > read + AGAIN {
            self.feed.skip(again)?;
            is_found = next_record(&mut self.format, self.feed, u64::MAX)?;
        } else {
            self.again += again;
        }
        let at = self.feed.at();
        if is_found && at < fault.offset() {
            // The damaged frame ends there; faults after that place are not its own.
            self.doubt = None;
            self.keep(truncated(F::NAME).at(at));
        } else {
            self.settle();
            if !is_found {
                return Err(error);
            }
            self.keep(fault);
        }
        self.state = FramesState::Between;
        Ok(())
    }

    fn keep(&mut self, fault: Fault) {
        match &self.offsets {
            Some(offsets) => offsets.keep(fault),
            None => _ = self.fault.get_or_insert(fault),
        }
    }

    /// A damaged frame that came to its end may have taken others along up to there, as decoders fall into step again:
    /// goes back to the first one that holds a record.
    fn go_back_into(&mut self) -> io::Result<()> {
        let Some(doubt) = self.doubt.as_ref().filter(|_| self.may_be_crawl()) else {
            return Ok(());
        };
        let (end, read) = (doubt.offset(), self.feed.at());
        self.feed.go_back(self.frame.begun_at + 1);
        let is_found = next_record(&mut self.format, self.feed, end)?;
        let at = self.feed.at();
        if is_found && self.again + (read - at) <= read + AGAIN {
            self.again += read - at;
            self.doubt = None;
            self.keep(truncated(F::NAME).at(at));
            return Ok(());
        }
        self.feed.go_back(read);
        let rest = read.saturating_sub(self.feed.at());
        self.feed.skip(rest).map(drop)
    }

    /// Whether the decoded bytes may be records of a crawl.
    fn may_be_crawl(&self) -> bool {
        !F::MAGIC.is_empty()
            && self.offsets.as_ref().is_some_and(MemberOffsets::is_on)
            && (self.head.len() < MAGIC || may_be_crawl(&self.head))
    }
}

impl<F: FrameFormat> Read for Frames<'_, F> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if to.is_empty() {
            return Ok(0);
        }
        let result = self.run(to);
        if result.as_ref().is_err_and(|error| !is_pause(error)) {
            // An earlier fault gives way to the one that ends the stream.
            self.state = FramesState::Failed;
        }
        result
    }
}

impl<F: FrameFormat> PositionedDecoder for Frames<'_, F> {
    fn at(&self) -> u64 {
        self.feed.at()
    }
}

/// Decodes a frame that failed once more, a byte at a time, by a decoder that has begun with it: so the place of
/// the fault is that of a byte.
pub(super) fn by_bytes<F: FrameFormat>(mut again: F, frame: &[u8], given: u64) -> Option<Replayed> {
    let mut block = vec![0; 64 << 10];
    let (mut rest, mut passed) = (Vec::new(), 0_u64);
    let bytes = frame.chunks(1).chain([&[][..]]);
    for (taken, mut input) in bytes.enumerate() {
        let is_last = input.is_empty();
        loop {
            let stepped = again.step(input, is_last, &mut block);
            let skipped = usize::try_from(given.saturating_sub(passed)).unwrap_or(usize::MAX);
            passed += stepped.given as u64;
            rest.extend_from_slice(&block[skipped.min(stepped.given)..stepped.given]);
            if let Some(refusal) = stepped.refusal {
                return Some(Replayed { rest, taken: taken as u64, refusal });
            }
            input = &input[stepped.taken..];
            if stepped.is_end || input.is_empty() && stepped.given < block.len() {
                break;
            }
        }
    }
    None
}

//! Frames as a reader of what they stand for: bytes first, then the fault.
//!
//! All that a library has decoded is given before what it failed with, and neither depends on how the
//! stored bytes came in: not on the sizes of reads, not on whether the input is a file or a stream.

use std::io::{self, Read};

use super::super::fault::{Fault, FaultCode, told};
use super::super::feed::Ahead;
use super::super::member_offsets::MemberOffsets;
use super::Replayed;
use super::{Begin, Decode, Format, Refusal, cut};

/// A frame of a format that [`Format::REPLAYS`] is kept up to this length. Of a longer one that is damaged,
/// what its library decoded last may be missing.
const KEPT: usize = 16 << 20;

/// What a crawl begins with.
const CRAWL: &[u8] = b"WARC/";

/// Where a stream of frames is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    Inside,
    /// A frame's data have been given.
    Ending,
    /// The stream cannot be gone on with, and all bytes before that have been given.
    Failing,
    Ended,
    Failed,
}

/// Why a stream ends too early.
enum Ending {
    Fault(Fault),
    /// What reading the stored bytes failed with.
    Unread(io::Error),
}

/// A stream of frames as a reader of what they stand for.
pub(super) struct Frames<'f, F> {
    feed: &'f mut dyn Ahead,
    format: F,
    state: State,
    count: u64,
    /// How many bytes came out.
    given: u64,
    /// The first of them.
    head: Vec<u8>,
    /// Of the frame that is read: its bytes so far if they are kept, where they begin, what was given of it.
    frame: Option<Vec<u8>>,
    frame_at: u64,
    frame_given: u64,
    /// What is still to be given before the stream fails.
    rest: io::Cursor<Vec<u8>>,
    ending: Option<Ending>,
    /// What reading the stored bytes failed with: told when all that they stand for has been given.
    unread: Option<io::Error>,
    /// Where to note where members begin.
    offsets: Option<MemberOffsets>,
    /// A fault that does not end the stream, to be told at its end; with marks they keep it, since nobody knows yet
    /// whether what comes out are records.
    fault: Option<Fault>,
}

impl<'f, F: Format> Frames<'f, F> {
    pub(super) fn new(feed: &'f mut dyn Ahead, format: F) -> Frames<'f, F> {
        Frames {
            feed,
            format,
            state: State::Between,
            count: 0,
            given: 0,
            head: Vec::new(),
            frame: None,
            frame_at: 0,
            frame_given: 0,
            rest: io::Cursor::default(),
            ending: None,
            unread: None,
            offsets: None,
            fault: None,
        }
    }

    /// Notes where members begin.
    pub(super) fn noting(self, offsets: Option<MemberOffsets>) -> Self {
        Frames { offsets, ..self }
    }

    fn run(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let given = match self.state {
                State::Failed => return Err(told()),
                State::Ended => {
                    return self.fault.take().map_or(Ok(0), |fault| Err(fault.into()));
                }
                State::Between => {
                    let begun = self.begin();
                    self.unless_unread(begun)?;
                    0
                }
                State::Inside => self.step(to),
                State::Ending => {
                    self.count += 1;
                    self.state = State::Between;
                    let ended = self.format.end(self.feed);
                    if let Some(fault) = self.unless_unread(ended)? {
                        self.keep(fault);
                    }
                    0
                }
                State::Failing => match self.rest.read(to)? {
                    0 => {
                        self.fail()?;
                        0
                    }
                    given => given,
                },
            };
            if given > 0 {
                let missing = CRAWL.len() - self.head.len();
                self.head.extend_from_slice(&to[..given.min(missing)]);
                self.given += given as u64;
                self.frame_given += given as u64;
                return Ok(given);
            }
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        let at = self.feed.at();
        if let Some(offsets) = self.offsets.as_ref().filter(|offsets| offsets.is_past(at))
            && self.format.begins_record(self.feed.look(64 << 10)?)
        {
            offsets.end(at);
            self.state = State::Ended;
            return Ok(());
        }
        match self.format.begin(self.feed, self.count)? {
            Begin::Frame => {
                self.state = State::Inside;
                self.frame = F::REPLAYS.then(|| match self.frame.take() {
                    Some(mut kept) => {
                        kept.clear();
                        kept
                    }
                    None => Vec::new(),
                });
                (self.frame_at, self.frame_given) = (self.feed.at(), 0);
                if let Some(offsets) = &self.offsets {
                    offsets.note(self.given, at);
                }
            }
            Begin::Between => {}
            Begin::End => self.state = State::Ended,
        }
        Ok(())
    }

    /// What a result comes to if a stream that seems to be cut is one that could not be read on.
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
        if let Some(frame) = &mut self.frame {
            // Where it failed, all that it may have seen.
            let seen = if stepped.refusal.is_some() { input.len() } else { stepped.taken };
            match frame.len() + seen <= KEPT {
                true => frame.extend_from_slice(&input[..seen]),
                false => self.frame = None,
            }
        }
        self.feed.consume(stepped.taken);
        let is_stuck = stepped.given == 0 && stepped.taken == 0;
        match stepped.refusal {
            Some(refusal) if stepped.is_end => {
                self.state = State::Ending;
                let fault = refusal.at(self.feed.at());
                self.keep(fault);
            }
            Some(refusal) => self.refuse(refusal, stepped.given),
            None if stepped.is_end => self.state = State::Ending,
            None if is_stuck && is_last => self.refuse(cut(F::NAME), 0),
            None if is_stuck => {
                let reason = format!("{} stream does not go on", F::NAME);
                self.refuse(Refusal::new(FaultCode::Corrupt, reason), 0);
            }
            None => {}
        }
        stepped.given
    }

    /// The codec cannot go on; `given` bytes of its last step are on their way.
    fn refuse(&mut self, refusal: Refusal, given: usize) {
        self.state = State::Failing;
        let given = self.frame_given + given as u64;
        let frame = self.frame.take();
        let replayed = frame.and_then(|frame| self.format.replay(&frame, given));
        let fault = match replayed {
            Some(replayed) => {
                self.rest = io::Cursor::new(replayed.rest);
                replayed.refusal.at(self.frame_at + replayed.taken)
            }
            None => refusal.at(self.feed.at()),
        };
        self.ending = Some(match self.unread.take() {
            Some(error) if fault.code() == FaultCode::Truncated => Ending::Unread(error),
            _ => Ending::Fault(fault),
        });
    }

    /// Tells why the stream cannot be gone on with, unless it can: in a crawl, at the next record.
    fn fail(&mut self) -> io::Result<()> {
        match self.ending.take() {
            None => Err(told()),
            Some(Ending::Unread(error)) => Err(error),
            Some(Ending::Fault(fault)) => {
                if !self.next_record()? {
                    return Err(fault.into());
                }
                self.keep(fault);
                Ok(())
            }
        }
    }

    fn keep(&mut self, fault: Fault) {
        match &self.offsets {
            Some(offsets) => offsets.keep(fault),
            None => _ = self.fault.get_or_insert(fault),
        }
    }

    /// After damage in a file of records: goes to the next member that holds one; false if there is
    /// none, or if it is no such file.
    fn next_record(&mut self) -> io::Result<bool> {
        let is_noting = self.offsets.as_ref().is_some_and(MemberOffsets::is_on);
        if !is_noting || !CRAWL.starts_with(&self.head) {
            return Ok(false);
        }
        let is_found = next_record(&mut self.format, self.feed, u64::MAX)?;
        if is_found {
            self.state = State::Between;
        }
        Ok(is_found)
    }
}

impl<F: Format> Read for Frames<'_, F> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if to.is_empty() {
            return Ok(0);
        }
        let result = self.run(to);
        if result.is_err() {
            // An earlier fault gives way to the one that ends the stream.
            self.state = State::Failed;
        }
        result
    }
}

impl<F: Format> Decode for Frames<'_, F> {
    fn at(&self) -> u64 {
        self.feed.at()
    }
}

/// Decodes a frame that failed once more, a byte at a time, by a decoder that has begun with it: so the place of
/// the fault is that of a byte.
pub(super) fn by_bytes<F: Format>(mut again: F, frame: &[u8], given: u64) -> Option<Replayed> {
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

/// Goes to the next member before a place that begins with a record; false if there is none.
fn next_record<F: Format>(format: &mut F, feed: &mut dyn Ahead, until: u64) -> io::Result<bool> {
    loop {
        let at = feed.at();
        if at >= until {
            return Ok(false);
        }
        let held = feed.look(64 << 10)?;
        let len = held.len();
        let found = memchr::memmem::find_iter(held, &[0x1F, 0x8B, 8])
            .find(|at| format.begins_record(&held[*at..]));
        if let Some(found) = found {
            feed.consume(found);
            return Ok(at + (found as u64) < until);
        }
        // As much of a member as its first bytes take may lie over the edge.
        let step = if len < 64 << 10 { len } else { len - (4 << 10) };
        feed.consume(step);
        if len < 64 << 10 {
            return Ok(false);
        }
    }
}

/// Whether a stream of members of gzip begins with a record of WARC.
pub(in super::super) fn begins_with_record(head: &[u8]) -> bool {
    super::gzip::Gzip::new().begins_record(head)
}

/// Goes to the first member of gzip before a place that begins with a record; false if there is none.
pub(in super::super) fn seek_record(feed: &mut dyn Ahead, until: u64) -> io::Result<bool> {
    next_record(&mut super::gzip::Gzip::new(), feed, until)
}

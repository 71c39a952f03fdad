//! Codecs: compressed bytes in, what they stand for out, one door for each library.
//!
//! The framing (members, frames, streams, padding, what follows the end) is read by [`Frames`] and the
//! codec's own file; a library only decodes. So all that follows a member is seen, and each fault has
//! its place in the stored bytes. A codec whose feature is off is refused by name.

#[cfg(feature = "brotli")]
mod brotli;
#[cfg(feature = "bzip2")]
mod bzip2;
#[cfg(feature = "gzip")]
mod deflate;
#[cfg(feature = "deflate64")]
mod deflate64;
#[cfg(feature = "gzip")]
mod gzip;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "xz")]
mod lzma;
#[cfg(feature = "xz")]
mod xz;
#[cfg(feature = "zstd")]
mod zstd;

use std::io::{self, Read};

use super::fault::{Fault, FaultCode, told};
use super::feed::Ahead;
use super::limits::Limits;
use super::marks::Marks;

/// How bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Gzip,
    /// Raw deflate: an entry of a zip.
    Deflate,
    /// The `deflate` of HTTP: with zlib's header, or without.
    Zlib,
    Deflate64,
    Bzip2,
    Xz,
    Lzma,
    Zstd,
    Lz4,
    Brotli,
}

impl Codec {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Deflate | Codec::Zlib => "deflate",
            Codec::Deflate64 => "deflate64",
            Codec::Bzip2 => "bzip2",
            Codec::Xz => "xz",
            Codec::Lzma => "lzma",
            Codec::Zstd => "zstd",
            Codec::Lz4 => "lz4",
            Codec::Brotli => "brotli",
        }
    }

    /// What the compressed bytes of `feed` stand for.
    pub(crate) fn decoder<'f>(
        self,
        feed: &'f mut dyn Ahead,
        #[allow(unused_variables, reason = "not all codecs have a window to limit")]
        limits: &Limits,
        #[allow(unused_variables, reason = "not all codecs have members")] marks: Option<Marks>,
    ) -> io::Result<Box<dyn Decode + 'f>> {
        Ok(match self {
            #[cfg(feature = "gzip")]
            Codec::Gzip => Box::new(Frames::new(feed, gzip::Gzip::new()).noting(marks)),
            #[cfg(feature = "gzip")]
            Codec::Deflate => Box::new(Frames::new(feed, deflate::Deflate::raw())),
            #[cfg(feature = "gzip")]
            Codec::Zlib => Box::new(Frames::new(feed, deflate::Deflate::of_http())),
            #[cfg(feature = "deflate64")]
            Codec::Deflate64 => Box::new(Frames::new(feed, deflate64::Deflate64::new())),
            #[cfg(feature = "bzip2")]
            Codec::Bzip2 => Box::new(Frames::new(feed, bzip2::Bzip2::new())),
            #[cfg(feature = "xz")]
            Codec::Xz => Box::new(Frames::new(feed, xz::Xz::new(limits.window))),
            #[cfg(feature = "xz")]
            Codec::Lzma => Box::new(Frames::new(feed, lzma::Lzma::new(limits.window))),
            #[cfg(feature = "zstd")]
            Codec::Zstd => {
                Box::new(Frames::new(feed, zstd::Zstd::new(limits.window)?).noting(marks))
            }
            #[cfg(feature = "lz4")]
            Codec::Lz4 => Box::new(lz4::Lz4::new(feed)),
            #[cfg(feature = "brotli")]
            Codec::Brotli => Box::new(Frames::new(feed, brotli::Brotli::new())),
            #[allow(unreachable_patterns, reason = "codecs that are not built in")]
            _ => {
                let reason = format!("{} is not built in", self.name());
                return Err(Fault::new(FaultCode::Method, feed.at(), reason).into());
            }
        })
    }
}

/// A decoder that knows where it is in the stored bytes.
pub(super) trait Decode: Read {
    fn at(&self) -> u64;
}

/// What is there where a frame may begin.
#[cfg_attr(not(feature = "zstd"), allow(dead_code, reason = "not all codecs have all of them"))]
pub(super) enum Begin {
    /// A frame: its header has been taken, as far as the codec does not read it itself.
    Frame,
    /// Something between frames, which has been taken.
    Between,
    /// The end.
    End,
}

/// What a step of a codec came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stepped {
    pub(super) taken: usize,
    pub(super) given: usize,
    /// The frame ends here.
    pub(super) is_end: bool,
}

/// What a codec cannot go on with: the kind of fault, and why.
pub(super) type Refusal = (FaultCode, String);

/// A format of frames (members, streams) one after the other.
pub(super) trait Format {
    /// The format's name in messages.
    const NAME: &'static str;

    /// Looks at what is there; `count` frames came before.
    fn begin(&mut self, feed: &mut dyn Ahead, count: u64) -> io::Result<Begin>;

    /// Decodes some of `input` into `output`; `is_last` if no input follows.
    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> Result<Stepped, Refusal>;

    /// Whether a frame with a record of WARC in it begins so.
    fn begins_record(&mut self, _bytes: &[u8]) -> bool {
        false
    }

    /// Takes what follows a frame's data; a fault there does not end the stream.
    fn end(&mut self, _feed: &mut dyn Ahead) -> io::Result<Option<Fault>> {
        Ok(None)
    }
}

/// Where a stream of frames is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    Inside,
    Ended,
    Failed,
}

/// A stream of frames as a reader of what they stand for.
pub(super) struct Frames<'f, F> {
    feed: &'f mut dyn Ahead,
    format: F,
    state: State,
    count: u64,
    /// How many bytes came out.
    given: u64,
    /// Where to note where members begin.
    marks: Option<Marks>,
    /// A fault that does not end the stream, to be told at its end; with marks they keep it.
    fault: Option<Fault>,
}

impl<'f, F: Format> Frames<'f, F> {
    pub(super) fn new(feed: &'f mut dyn Ahead, format: F) -> Frames<'f, F> {
        Frames { feed, format, state: State::Between, count: 0, given: 0, marks: None, fault: None }
    }

    /// Notes where members begin.
    fn noting(self, marks: Option<Marks>) -> Self {
        Frames { marks, ..self }
    }

    fn run(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.state {
                State::Failed => return Err(told()),
                State::Ended => {
                    let fault = self.marks.as_ref().and_then(Marks::take_fault);
                    return match self.fault.take().or(fault) {
                        Some(fault) => Err(fault.into()),
                        None => Ok(0),
                    };
                }
                State::Between => {
                    let at = self.feed.at();
                    if let Some(marks) = self.marks.as_ref().filter(|marks| marks.is_past(at))
                        && self.format.begins_record(self.feed.look(64 << 10)?)
                    {
                        marks.end(at);
                        self.state = State::Ended;
                        continue;
                    }
                    match self.format.begin(self.feed, self.count)? {
                        Begin::Frame => {
                            self.state = State::Inside;
                            if let Some(marks) = &self.marks {
                                marks.note(self.given, at);
                            }
                        }
                        Begin::Between => {}
                        Begin::End => self.state = State::Ended,
                    }
                }
                State::Inside => {
                    let at = self.feed.at();
                    let input = self.feed.fill()?;
                    let is_last = input.is_empty();
                    let stepped = match self.format.step(input, is_last, to) {
                        Ok(stepped) => stepped,
                        Err((code, reason)) => {
                            let fault = Fault::new(code, at, reason);
                            if !self.next_record()? {
                                return Err(fault.into());
                            }
                            self.keep(fault);
                            continue;
                        }
                    };
                    self.feed.consume(stepped.taken);
                    if stepped.is_end {
                        self.count += 1;
                        self.state = State::Between;
                        if let Some(fault) = self.format.end(self.feed)? {
                            self.keep(fault);
                        }
                    } else if stepped.given == 0 && stepped.taken == 0 {
                        let reason = match is_last {
                            true => (FaultCode::Truncated, "truncated"),
                            false => (FaultCode::Corrupt, "does not go on"),
                        };
                        let reason = (reason.0, format!("{} stream {}", F::NAME, reason.1));
                        return Err(Fault::new(reason.0, at, reason.1).into());
                    }
                    if stepped.given > 0 {
                        self.given += stepped.given as u64;
                        return Ok(stepped.given);
                    }
                }
            }
        }
    }
}

impl<F: Format> Frames<'_, F> {
    fn keep(&mut self, fault: Fault) {
        match &self.marks {
            Some(marks) => marks.keep(fault),
            None => _ = self.fault.get_or_insert(fault),
        }
    }

    /// After damage in a file of records: goes to the next member that holds one; false if there is
    /// none, or if it is no such file.
    fn next_record(&mut self) -> io::Result<bool> {
        if !self.marks.as_ref().is_some_and(Marks::is_on) {
            return Ok(false);
        }
        let is_found = next_record(&mut self.format, self.feed, u64::MAX)?;
        if is_found {
            self.state = State::Between;
        }
        Ok(is_found)
    }
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
pub(super) fn begins_with_record(head: &[u8]) -> bool {
    #[cfg(feature = "gzip")]
    return gzip::Gzip::new().begins_record(head);
    #[cfg(not(feature = "gzip"))]
    return {
        _ = head;
        false
    };
}

/// Goes to the first member of gzip before a place that begins with a record; false if there is none.
pub(super) fn seek_record(feed: &mut dyn Ahead, until: u64) -> io::Result<bool> {
    #[cfg(feature = "gzip")]
    return next_record(&mut gzip::Gzip::new(), feed, until);
    #[cfg(not(feature = "gzip"))]
    return {
        _ = (feed, until);
        Ok(false)
    };
}

/// Takes zeros between frames; how many of them are at hand.
#[cfg(any(feature = "gzip", feature = "bzip2"))]
fn take_zeros(feed: &mut dyn Ahead) -> io::Result<Option<Begin>> {
    let held = feed.fill()?;
    let zeros = held.iter().take_while(|byte| **byte == 0).count();
    if held.is_empty() {
        return Ok(Some(Begin::End));
    }
    feed.consume(zeros);
    Ok((zeros > 0).then_some(Begin::Between))
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

/// The fault of a stream that ends too early.
pub(super) fn truncated(name: &str, at: u64) -> Fault {
    Fault::new(FaultCode::Truncated, at, format!("{name} stream truncated"))
}

/// The fault of bytes after the end that belong to nothing.
pub(super) fn garbage(name: &str, at: u64) -> Fault {
    Fault::new(FaultCode::TrailingGarbage, at, format!("trailing garbage after the {name} stream"))
}

/// What a library says, as a reason.
pub(super) fn corrupt(name: &str, why: impl std::fmt::Display) -> Refusal {
    let why = why.to_string().to_ascii_lowercase();
    (FaultCode::Corrupt, format!("{name} stream corrupt: {why}"))
}

/// Sizes as people read them.
#[cfg(any(feature = "zstd", feature = "xz"))]
pub(super) fn needs(name: &str, bytes: u64) -> Refusal {
    let shown = match bytes {
        _ if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ => format!("{} MiB", bytes.div_ceil(1 << 20)),
    };
    (FaultCode::Window, format!("{name} stream needs {shown}, --max-window allows less"))
}

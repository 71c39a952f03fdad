//! State of a walk through an input, from document to document: where an archive is begun, and the bytes of a decoder,
//! which ends where the limits are exceeded.

use std::io::{self, Read};
use std::sync::Arc;

use super::codec::{Codec, PositionedDecoder};
use super::fault::{Fault, FaultCode, LateFault, told};
use super::limits::{Budget, Limits, OVER_BUDGET};
use super::lookahead::LookaheadReader;
use super::member_offsets::MemberOffsets;
use super::source::Source;
use crate::charset::Charset;
use crate::detect::document::{Declared, Format, Hints};

/// An input of a walk.
pub(crate) struct WalkInput<'i> {
    pub(crate) name: &'i [u8],
    pub(crate) reader: Box<dyn Read + 'i>,
    /// The bytes of the reader, if they can be read at any offset.
    pub(crate) source: Option<Arc<dyn Source>>,
    /// Reads may block.
    pub(crate) is_live: bool,
    /// Format and encoding that its caller declares.
    pub(crate) declared: Declared,
    /// Start position, if it is an archive.
    pub(crate) begin: StartPosition,
}

/// Format and encoding that all documents of an input are read in, whatever they declare.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FormatOverride {
    pub(super) format: Option<Format>,
    pub(super) charset: Option<Charset>,
}

impl FormatOverride {
    pub(crate) fn of(hints: &Hints) -> FormatOverride {
        let format = (hints.is_asked && hints.format != Format::Auto).then_some(hints.format);
        FormatOverride { format, charset: hints.charset }
    }
}

/// Walks through inputs, one at a time.
pub(crate) struct ContainerWalk<'w> {
    pub(super) limits: &'w Limits,
    /// Applies to all documents.
    pub(crate) asked: FormatOverride,
    /// Whether archives are opened.
    pub(super) opens: bool,
    /// Memory of earlier buffers, for reuse.
    pub(super) spare: Vec<Vec<u8>>,
    /// Bytes that the input may still expand to.
    pub(crate) budget: Arc<Budget>,
    /// Start position in the outermost archive, until that is opened.
    pub(super) begin: Option<StartPosition>,
}

impl<'w> ContainerWalk<'w> {
    pub(crate) fn new(limits: &'w Limits, opens: bool) -> ContainerWalk<'w> {
        let budget = Arc::new(Budget::new(u64::MAX));
        let asked = FormatOverride::default();
        ContainerWalk { limits, asked, opens, spare: Vec::new(), budget, begin: None }
    }

    /// Returns a reader of the decompressed bytes, which fails where the limits end it.
    pub(super) fn metered<'f>(
        &self,
        codec: Codec,
        feed: &'f mut LookaheadReader<'_>,
        stored: Option<u64>,
        late: &LateFault,
    ) -> io::Result<Box<dyn Read + 'f>> {
        self.metering(codec, feed, stored, None, late)
    }

    pub(super) fn metering<'f>(
        &self,
        codec: Codec,
        feed: &'f mut LookaheadReader<'_>,
        stored: Option<u64>,
        offsets: Option<MemberOffsets>,
        late: &LateFault,
    ) -> io::Result<Box<dyn Read + 'f>> {
        Ok(Box::new(Metered {
            decoder: codec.decoder(feed, self.limits, offsets)?,
            given: 0,
            stored,
            limits: self.limits.clone(),
            budget: Arc::clone(&self.budget),
            late: late.clone(),
            failed: false,
        }))
    }
}

/// Position at which reading an archive starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StartPosition {
    /// Position in the archive's own unit: stored bytes, decompressed bytes, or entries.
    pub(super) at: u64,
    /// Rest of the budget at that position; `None` at the beginning.
    pub(super) left: Option<u64>,
}

/// A decoder whose output is counted.
pub(super) struct Metered<'d> {
    pub(super) decoder: Box<dyn PositionedDecoder + 'd>,
    pub(super) given: u64,
    pub(super) stored: Option<u64>,
    pub(super) limits: Limits,
    pub(super) budget: Arc<Budget>,
    pub(super) late: LateFault,
    pub(super) failed: bool,
}

impl Read for Metered<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.failed {
            return Err(told());
        }
        if self.late.is_set() {
            return Ok(0);
        }
        let read = self.late.keep(self.decoder.read(to))?;
        self.given += read as u64;
        let most = self.limits.of_member(self.stored.unwrap_or_else(|| self.decoder.at()));
        let is_in_budget = self.budget.spend(read as u64);
        if self.given > most || !is_in_budget {
            self.failed = true;
            let reason = match is_in_budget {
                false => OVER_BUDGET.to_owned(),
                true => format!("expands to more than {most} bytes (--max-expansion)"),
            };
            return Err(Fault::new(FaultCode::Expansion, self.decoder.at(), reason).into());
        }
        Ok(read)
    }
}

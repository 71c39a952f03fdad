//! The walk: one input in, its documents out, however deep they are.
//!
//! A stream is detected ([`StreamFormat`]) and opened if possible; the streams inside are treated in the same way. Documents
//! go to the [`Visitor`]. Faults go there too, with their member, and
//! the walk resumes after them.

use std::io::{self, Read};
use std::sync::Arc;

use super::archive_reader::FailedReader;
use super::codec::Codec;
use super::fault::{Fault, FaultCode, LateFault, is_told};
use super::limits::Budget;
use super::lookahead::LookaheadReader;
use super::member::Member;
use super::member_offsets::MemberOffsets;
use super::metadata::{DocumentInfo, Metadata};
use super::source::{Source, SourceRange};
#[cfg(all(feature = "office", feature = "files"))]
use super::store::is_message_store;
use super::stream_context::{StreamContext, StreamFormat, Where};
use super::walk::{ContainerWalk, WalkInput};
use super::work_unit::Visitor;
use super::zip::{Spool, SpoolEnd, has_end_record, keep};
use crate::detect::document::{Detection, DocumentFormat};
use crate::detect::{self, AvailableHead, DocumentDetector, DocumentFacts};
use crate::notice::Notice;

impl ContainerWalk<'_> {
    /// Reads an input.
    pub(crate) fn input(&mut self, input: WalkInput<'_>, visitor: &mut dyn Visitor) {
        let WalkInput { name, reader, source, is_live, declared, begin } = input;
        let from = source.map_or(Where::Stream(None), Where::Source);
        // Its length is read when something is opened.
        self.budget = Arc::new(Budget::new(u64::MAX));
        let (member, metadata) = (Member::default(), Metadata { declared, ..Metadata::default() });
        let context = StreamContext {
            member: &member,
            name,
            from,
            depth: 0,
            is_live,
            metadata: &metadata,
            offsets: None,
            cut: None,
        };
        self.begin = Some(begin);
        self.stream(reader, &context, visitor);
        self.begin = None;
    }

    /// Walks an archive that a document of another walk contains encoded, such as an attachment of a message. Its output counts
    /// against the input's budget. The detection has found that it is opened.
    #[cfg(feature = "files")]
    pub(crate) fn attachment(
        &mut self,
        within: &DocumentInfo<'_>,
        name: &[u8],
        bytes: Vec<u8>,
        visitor: &mut dyn Visitor,
    ) {
        let len = bytes.len() as u64;
        let source: Arc<dyn Source> = Arc::new(bytes);
        let reader = Box::new(SourceRange::whole(Arc::clone(&source)));
        self.budget = Arc::clone(within.budget);
        if within.depth == 0 {
            // Each adds the bytes that it may expand to, to those that an input always has.
            let left = match self.budget.left() {
                u64::MAX => self.limits.of_input(0),
                left => left,
            };
            let more = len.saturating_mul(self.limits.expansion);
            self.budget.set(left.saturating_add(more).min(u64::MAX - 1));
        }
        let context = StreamContext {
            member: within.member,
            name,
            from: Where::Source(source),
            depth: within.depth,
            is_live: false,
            metadata: &Metadata::default(),
            offsets: None,
            cut: None,
        };
        self.stream(reader, &context, visitor);
    }

    pub(super) fn stream(
        &mut self,
        reader: Box<dyn Read + '_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) {
        let held = self.spare.pop().unwrap_or_default();
        let mut feed = LookaheadReader::reusing(held, reader, 0);
        match self.open(&mut feed, context, visitor) {
            Err(error) if !is_told(&error) && !visitor.is_stopped() => {
                visitor.failed(context.member, error);
            }
            _ => {}
        }
        self.spare.push(feed.into_memory());
    }

    fn open(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let found = self.detect(feed, context)?;
        let head = feed.held();
        let kind = match found.archive {
            Some(archive_format) => Some(StreamFormat::of(archive_format)),
            // A program with a zip after it is a document by how it begins.
            None if self.opens && detect::may_precede_zip(head) => match context.from.window() {
                Some(window) => has_end_record(&window).then_some(StreamFormat::Zip),
                None => return self.program(feed, context, found, visitor),
            },
            None => None,
        };
        let Some(kind) = kind.filter(|_| self.opens) else {
            let is_answer = self.opens && found.format == Some(DocumentFormat::Http);
            if is_answer && self.coded_answer(feed, context, found, visitor)? {
                return Ok(());
            }
            #[cfg(all(feature = "office", feature = "files"))]
            if visitor.reads_messages() && is_message_store(&found, feed.held()) {
                return self.store(feed, context, found, visitor);
            }
            return self.leaf(feed, context, found, visitor);
        };
        if context.depth >= self.limits.depth {
            let reason = format!("nested deeper than {} levels (--max-depth)", self.limits.depth);
            return Err(Fault::new(FaultCode::Depth, 0, reason).into());
        }
        self.begin_budget(context);
        match kind {
            StreamFormat::Compressed(Codec::Gzip) if self.is_ranged(true, feed, context) => {
                self.warc_ranges(Some(Codec::Gzip), context, visitor);
                Ok(())
            }
            StreamFormat::Warc if self.is_ranged(false, feed, context) => {
                self.warc_ranges(None, context, visitor);
                Ok(())
            }
            StreamFormat::Compressed(codec) => self.compressed(codec, feed, context, visitor),
            StreamFormat::Warc => self.warc(feed, context, visitor),
            StreamFormat::Tar => self.archive(Self::tar, feed, context, visitor),
            StreamFormat::Ar => self.archive(Self::ar, feed, context, visitor),
            StreamFormat::Zip => self.archive(Self::zip, feed, context, visitor),
        }
    }

    /// Sets the budget of an input in which something is opened. An attachment that is as deep has its share already.
    pub(super) fn begin_budget(&self, context: &StreamContext<'_>) {
        if context.depth == 0 && self.budget.left() == u64::MAX {
            self.budget.set(self.limits.of_input(context.from.len().unwrap_or(0)));
        }
    }

    /// Opens an archive whose members are documents of their own.
    fn archive<F>(
        &mut self,
        read: F,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()>
    where
        F: FnOnce(
            &mut Self,
            &mut LookaheadReader<'_>,
            &StreamContext<'_>,
            &mut dyn Visitor,
        ) -> io::Result<()>,
    {
        let metadata = context.metadata.of_members();
        let context = &StreamContext {
            member: context.member,
            name: context.name,
            from: context.from.clone(),
            depth: context.depth,
            is_live: context.is_live,
            metadata: &metadata,
            offsets: context.offsets.clone(),
            cut: None,
        };
        read(self, feed, context, visitor)
    }

    /// Detects how a stream is handled, from its first bytes and its declared type.
    pub(super) fn detect(
        &self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
    ) -> io::Result<Detection> {
        let about = DocumentFacts {
            asked: self.asked.format,
            charset: context.metadata.charset.or(self.asked.charset),
            declared: context.metadata.declared,
            name: context.name,
        };
        let mut detector = DocumentDetector::of_unit(context.is_live);
        let mut is_last = false;
        loop {
            let (bytes, is_paused) = (feed.held(), feed.is_paused());
            let head = AvailableHead { bytes, is_paused, is_last };
            if let Some(found) = detector.look(&about, head) {
                return Ok(found);
            }
            is_last = feed.read_or_pause()? == Some(0);
        }
    }

    /// A program or a script that comes as a stream, to be opened if a zip is after it: it is kept first, as a zip is,
    /// since its end says so.
    fn program(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        found: Detection,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let spool = keep(feed, self.limits.of_input(0));
        if matches!(spool.end, SpoolEnd::Whole) && has_end_record(&spool.window) {
            let window = spool.window;
            let context = StreamContext {
                member: context.member,
                name: context.name,
                from: Where::Window(window.clone()),
                depth: context.depth,
                is_live: context.is_live,
                metadata: context.metadata,
                offsets: context.offsets.clone(),
                cut: None,
            };
            self.stream(Box::new(window), &context, visitor);
            return Ok(());
        }
        self.kept_leaf(spool, feed, context, found, visitor)
    }

    /// Gives a document that was kept to find out whether something in it can be opened.
    pub(super) fn kept_leaf(
        &mut self,
        spool: Spool,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        found: Detection,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let Spool { window, unkept, end } = spool;
        let failure = match end {
            SpoolEnd::Unread(error) => Some(error),
            SpoolEnd::Whole | SpoolEnd::TooLong(_) | SpoolEnd::NoRoom(_) => None,
        };
        // The bytes that were not kept, and the rest.
        let rest = io::Cursor::new(unkept).chain(FailedReader(failure)).chain(feed);
        let mut whole = LookaheadReader::reusing(Vec::new(), Box::new(window.chain(rest)), 0);
        self.leaf(&mut whole, context, found, visitor)
    }

    pub(super) fn leaf(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        detection: Detection,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        if let Some(offsets) = &context.offsets {
            offsets.turn_off();
        }
        let StreamContext { member, name, metadata, .. } = *context;
        if member.is_cut() {
            visitor.noticed(member, Notice::NameTooLong);
        }
        let (depth, budget) = (context.depth, &Arc::clone(&self.budget));
        feed.report_pauses();
        let info = DocumentInfo::of(member, detection, metadata, depth, budget);
        visitor.document(&DocumentInfo { name, cut: context.cut, ..info }, feed)
    }

    fn compressed(
        &mut self,
        codec: Codec,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        feed.report_pauses();
        let name = detect::inner_name(context.name);
        let offsets = MemberOffsets::default();
        let late = LateFault::default();
        let metered =
            self.metering(codec, feed, context.from.len(), Some(offsets.clone()), &late)?;
        let inner = StreamContext {
            member: context.member,
            name: &name,
            from: Where::Stream(None),
            depth: context.depth + 1,
            is_live: context.is_live,
            metadata: context.metadata,
            offsets: Some(offsets.clone()),
            cut: None,
        };
        self.stream(metered, &inner, visitor);
        let fault = || offsets.take_fault().map(Into::into);
        late.take().or_else(fault).map_or(Ok(()), Err)
    }
}

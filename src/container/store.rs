//! Stores of messages of Outlook: each message is a document, as each member of an archive is.
//!
//! The index of a store and the paths of its folders are read first. Units of messages follow, in the order of the folders;
//! a resume point is the number of messages before it. A store that comes as a stream is kept first, as a zip is.

use std::cell::Cell;
use std::io;
use std::mem;
use std::sync::Arc;

use super::fault::{Fault, FaultCode, is_told};
use super::limits::OVER_BUDGET;
use super::lookahead::LookaheadReader;
use super::member::Member;
use super::metadata::{DocumentInfo, Metadata};
use super::source::SourceRange;
use super::stream_context::StreamContext;
use super::walk::ContainerWalk;
use super::work_unit::{UnitBuilder, Visitor};
use super::zip::keep;
use crate::detect::document::{Detection, Disposition};
use crate::input::memory::MemoryShare;
use crate::limits;
use crate::notice::Notice;
use crate::office::{StoredMessage, StoredMessages, is_store};

/// Number of messages of a unit, unless they are long.
const UNIT: usize = 256;

/// Length in bytes of a message that needs no part of the memory for long documents.
const SHORT_MESSAGE: u64 = 8 << 20;

/// Returns `true` for a document that begins as a store, and is read as one.
pub(super) fn is_message_store(found: &Detection, head: &[u8]) -> bool {
    found.disposition == Disposition::Office && is_store(head)
}

/// Store that is read, with what its messages have of it.
struct OpenStore {
    messages: StoredMessages,
    member: Member,
    metadata: Metadata,
    detection: Detection,
    depth: u32,
}

impl ContainerWalk<'_> {
    /// Reads a store; one whose version is not known is a document.
    pub(super) fn store(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        found: Detection,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        if let Some(window) = context.from.window() {
            return match self.messages(&window, context, found, visitor)? {
                true => Ok(()),
                false => self.leaf(feed, context, found, visitor),
            };
        }
        let spool = keep(feed, self.limits.of_input(0));
        match self.messages(&spool.window, context, found, visitor)? {
            true => spool.end.error().map_or(Ok(()), Err),
            false => self.kept_leaf(spool, feed, context, found, visitor),
        }
    }

    /// Reads the messages of a store; returns `false` if its version is not known.
    fn messages(
        &mut self,
        window: &SourceRange,
        context: &StreamContext<'_>,
        found: Detection,
        visitor: &mut dyn Visitor,
    ) -> io::Result<bool> {
        let begin = self.take_begin();
        let range = window.clone();
        let read_at = Arc::new(move |at: u64, to: &mut [u8]| range.read_full_at(at, to));
        let opened = StoredMessages::open(read_at, window.len(), &|| visitor.is_stopped())?;
        let Some((messages, failure)) = opened else { return Ok(false) };
        self.begin_budget(context);
        self.restore_budget(begin);
        let passed = begin.map_or(0, |begin| begin.at);
        // A store inside an archive has no resume points.
        let mut resumable = begin.map(|begin| begin.at);
        let member = context.member;
        // What is reported before the messages was reported before a resumed run.
        if passed == 0 {
            if messages.is_damaged() {
                visitor.noticed(member, Notice::OfficeDamaged);
            }
            if let Some(error) = failure {
                visitor.failed(member, error);
            }
        }
        let list = messages.list();
        let size = window.len() / (list.len() as u64).max(1);
        let store = Arc::new(OpenStore {
            messages,
            member: member.clone(),
            metadata: context.metadata.of_members(),
            detection: found,
            depth: context.depth,
        });
        // Not of the input's budget, which units spend in their order, while folders are read before them.
        let mut left_of_folders = store.messages.most_of_folders();
        let mut has_limit = false;
        let mut units = UnitBuilder::new(UNIT);
        let mut folder = None;
        for (id, number) in list.into_iter().skip(usize::try_from(passed).unwrap_or(usize::MAX)) {
            if visitor.is_stopped() {
                return Ok(true);
            }
            let within = match folder.take() {
                Some((known, within)) if known == id => within,
                _ => {
                    let (path, read, is_limited) = store.messages.folder(id, left_of_folders);
                    left_of_folders -= read;
                    if is_limited && !mem::replace(&mut has_limit, true) {
                        visitor.noticed(member, Notice::OfficeLimit);
                    }
                    Arc::new(if path.is_empty() { member.clone() } else { member.join(&path) })
                }
            };
            let is_full = units.push((Arc::clone(&within), number), size);
            folder = Some((id, within));
            resumable = resumable.map(|before| before + 1);
            if is_full {
                self.share(&store, &mut units, resumable, visitor);
            }
        }
        if units.len() > 0 {
            self.share(&store, &mut units, resumable, visitor);
        }
        Ok(true)
    }

    /// Shares the messages so far as a unit, after which the store can be resumed at `next`.
    fn share(
        &mut self,
        store: &Arc<OpenStore>,
        units: &mut UnitBuilder<(Arc<Member>, u32)>,
        next: Option<u64>,
        visitor: &mut dyn Visitor,
    ) {
        let store = Arc::clone(store);
        let unit = units.build(move |(folder, number), walk, visitor| {
            walk.message(&store, &folder.inner(&number.to_string(), None), *number, visitor);
        });
        visitor.unit(unit.until(next), self);
    }

    /// Reads a message.
    fn message(
        &mut self,
        store: &OpenStore,
        member: &Member,
        number: u32,
        visitor: &mut dyn Visitor,
    ) {
        let left = self.budget.left();
        let mut share = MemoryShare::new();
        let is_limited =
            |message: &StoredMessage| message.notices.as_slice().contains(&Notice::OfficeLimit);
        let mut message = store.messages.message(number, left.min(SHORT_MESSAGE));
        if message.as_ref().is_some_and(is_limited) && left > SHORT_MESSAGE {
            share.grow(limits::WHOLE_DOCUMENT);
            message = store.messages.message(number, left);
        }
        let Some(message) = message.filter(|_| left > 0) else { return };
        let is_over = is_limited(&message) && left < limits::WHOLE_DOCUMENT as u64;
        self.budget.spend(if is_over { left } else { message.read });
        let budget = &Arc::clone(&self.budget);
        let OpenStore { detection, metadata, depth, .. } = store;
        let info = DocumentInfo::of(member, *detection, metadata, depth + 1, budget);
        let info = DocumentInfo { message: Some(&Cell::new(Some(message))), ..info };
        if member.is_cut() {
            visitor.noticed(member, Notice::NameTooLong);
        }
        match visitor.document(&info, &mut io::empty()) {
            Err(error) if !is_told(&error) => visitor.failed(member, error),
            _ => {}
        }
        if self.budget.is_to_be_told() {
            let fault = Fault::new(FaultCode::Expansion, 0, OVER_BUDGET);
            visitor.failed(&store.member, fault.into());
        }
    }
}

//! Scans the documents of one input, and turns the results into events.

#[cfg(feature = "office")]
use std::cell::Cell;
use std::cell::RefCell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::Archives;
use super::around::{LinksAwaitingContext, RecentBytes, RecordingReader};
use super::counts::Tally;
use super::{Options, ResumePoint};
use crate::container::{
    self, CutReader, DocumentInfo, HeaderLink, Member, Visitor, WorkUnit, shortened,
};
use crate::detect::document::{Format, Hints, ScanScope};
use crate::document::attachment::Attachment;
use crate::document::finder::Base;
use crate::driver::answer;
use crate::driver::stream::{Buffer, ScanEvent, amended};
use crate::event::Event;
use crate::input::guard::is_cancelled;
use crate::link::{Judged, Origin, Repeated, Teller, body_of, set_origin};
use crate::notice::{FailedScan, Notice, Scanned};

/// Callback that shares a unit, with the tally of the input before it.
pub(super) type ShareFn<'v> = dyn Fn(WorkUnit, &container::ContainerWalk<'_>, Tally) + 'v;

/// Position of an attachment, in a message that may be in an archive.
fn merged(outer: &Origin, inner: &Origin) -> Arc<Origin> {
    let part = inner.part_within(outer);
    let message_number = outer.message_number.or(inner.message_number);
    let message_id = inner.message_id.clone().or_else(|| outer.message_id.clone());
    Arc::new(Origin { part, message_number, message_id, ..Origin::default() })
}

/// An attachment that is being opened.
struct OpenedAttachment {
    /// Where: in which part of which message.
    origin: Arc<Origin>,
    /// Member of the message, or of the document that it is embedded in.
    outer: Member,
    name: Vec<u8>,
    /// Member that contains its documents: `outer`, unless its name is needed to find it there.
    within: Member,
}

impl OpenedAttachment {
    fn new(attachment: &Attachment<'_>, origin: Arc<Origin>, outer: Member) -> OpenedAttachment {
        let (within, name) = (outer.clone(), attachment.name.to_vec());
        let mut opened = OpenedAttachment { origin, outer, name, within };
        if attachment.is_embedded {
            opened.within = opened.document();
        }
        opened
    }

    /// Returns the attachment as the document that it decompresses to, whose bytes are not those of the message.
    fn document(&self) -> Member {
        match String::from_utf8_lossy(&self.name) {
            name if name.is_empty() => self.outer.inner("attachment", None),
            name => self.outer.inner(&name, None),
        }
    }

    /// Returns the attachment as a member, if nothing else names its part: part, then name.
    fn told(&self) -> Member {
        let Some(part) = self.origin.part.as_deref() else { return self.document() };
        let of = part.split('!').fold(self.outer.clone(), |member, step| member.inner(step, None));
        match String::from_utf8_lossy(&self.name) {
            name if name.is_empty() => of,
            name => of.inner(&name, None),
        }
    }
}

/// Origin of a document's links that is short enough to be repeated with each of them.
struct ReportedOrigin {
    origin: Arc<Origin>,
    /// Origin that is reported if the first one is too long.
    short: Option<Arc<Origin>>,
}

impl ReportedOrigin {
    fn new(origin: Arc<Origin>) -> ReportedOrigin {
        ReportedOrigin { origin, short: None }
    }

    fn set(&mut self, judged: &mut Judged<'_>, repeated: &mut Repeated) {
        let (by, end) = (Teller::from(&*judged), repeated.end_of(body_of(judged)));
        if repeated.takes(by, self.origin.told(), end) {
            return set_origin(judged, &self.origin);
        }
        let origin = &self.origin;
        let short = self.short.get_or_insert_with(|| {
            let member = origin.member.as_ref().map(|name| {
                String::from_utf8(shortened(name.as_bytes())).unwrap_or_default().into()
            });
            let member_bytes = origin.member_bytes.as_ref().map(|name| shortened(name).into());
            Arc::new(Origin { member, member_bytes, source: None, ..Origin::clone(origin) })
        });
        set_origin(judged, short);
    }
}

/// One input being visited.
pub(super) struct Visit<'v, E> {
    options: &'v Options,
    hints: &'v Hints,
    path: &'v Path,
    buffer: &'v mut Buffer,
    emit: E,
    tally: Tally,
    /// Receiver of units that other tasks may process.
    units: Option<&'v ShareFn<'v>>,
    /// Attachment that contains the documents.
    attached: Option<OpenedAttachment>,
}

impl<'v, E: FnMut(Event<'_>) -> ControlFlow<()>> Visit<'v, E> {
    pub(super) fn new(
        options: &'v Options,
        hints: &'v Hints,
        path: &'v Path,
        buffer: &'v mut Buffer,
        emit: E,
    ) -> Visit<'v, E> {
        let tally = Tally::default();
        Visit { options, hints, path, buffer, emit, tally, units: None, attached: None }
    }

    /// Lets other tasks process units of work.
    pub(super) fn sharing(self, units: Option<&'v ShareFn<'v>>) -> Self {
        Visit { units, ..self }
    }

    /// Continues where the input was processed before.
    pub(super) fn resuming(self, point: Option<ResumePoint>) -> Self {
        Visit { tally: point.map(Tally::before).unwrap_or_default(), ..self }
    }

    pub(super) fn into_tally(self) -> Tally {
        Tally { stopped: self.is_stopped(), ..self.tally }
    }

    /// Returns the origin of the links of a document.
    fn origin(&self, info: &DocumentInfo<'_>) -> Option<Arc<Origin>> {
        let own = info.origin();
        if let Some(attached) = &self.attached {
            let Origin { part, message_number, message_id, .. } = Origin::clone(&attached.origin);
            let own = own.unwrap_or_default();
            return Some(Arc::new(Origin { part, message_number, message_id, ..own }));
        }
        own.map(Arc::new)
    }

    /// Returns the part that a notice is about: that of the attachment, or one of a message in it.
    fn part(&self, own: Option<&str>) -> Option<Box<str>> {
        let inner = Origin { part: own.map(Into::into), ..Origin::default() };
        match &self.attached {
            Some(attached) => inner.part_within(&attached.origin),
            None => inner.part,
        }
    }

    /// Returns the attachment, if `member` names only what contains its documents.
    fn attached(&self, member: &Member) -> Option<&OpenedAttachment> {
        self.attached.as_ref().filter(|attached| attached.within == *member)
    }

    fn emit(&mut self, event: Event<'_>) {
        self.tally.stopped |= (self.emit)(event).is_break();
    }
}

/// A message or a document in which something is attached.
struct Message<'m> {
    options: &'m Options,
    hints: &'m Hints,
    path: &'m Path,
    info: &'m DocumentInfo<'m>,
    origin: Option<&'m Arc<Origin>>,
}

impl Message<'_> {
    /// Scans an attached file, if archives are opened.
    fn attachment(
        &self,
        attachment: Attachment<'_>,
        emit: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Tally {
        let Message { options, path, info, .. } = *self;
        let around = self.hints.around.inner();
        let hints = Hints { is_asked: false, around, ..self.hints.clone().format(Format::Auto) };
        let mut buffer = Buffer::new();
        let mut visit = Visit::new(options, &hints, path, &mut buffer, emit);
        let name = attachment.name;
        // A store of messages has members of its own.
        let within = match &attachment.origin.member {
            Some(own) => info.member.join(own),
            None => info.member.clone(),
        };
        let origin = match self.origin {
            Some(outer) => merged(outer, &attachment.origin),
            None => Arc::clone(&attachment.origin),
        };
        let attached = OpenedAttachment::new(&attachment, origin, within);
        let is_coded = |whole: &dyn Fn() -> Vec<u8>| container::is_coded_answer(&whole());
        let is_left = attachment.is_answer && !attachment.whole.is_some_and(is_coded);
        let opens = options.archives == Archives::Auto && !is_left;
        let mut walk = container::ContainerWalk::new(&options.limits, opens);
        attachment.is_done.set(opens);
        match attachment.whole {
            _ if !opens => {}
            Some(whole) => {
                let within = attached.within.clone();
                visit.attached = Some(attached);
                let info = &DocumentInfo { member: &within, ..*info };
                walk.attachment(info, name, whole(), &mut visit);
            }
            None => visit.noticed(&attached.told(), Notice::AttachmentTooLong),
        }
        visit.into_tally()
    }
}

impl<E: FnMut(Event<'_>) -> ControlFlow<()>> Visit<'_, E> {
    /// Reports the end of a document: its totals and notices, also when its reader failed.
    fn end_document(
        &mut self,
        member: &Member,
        scanned: Result<Scanned, FailedScan>,
    ) -> io::Result<()> {
        let (scanned, failure) = match scanned {
            Ok(scanned) => (scanned, None),
            Err(failed) => (failed.scanned, Some(failed.error)),
        };
        self.tally.links += scanned.links();
        self.tally.stopped |= scanned.stopped();
        if scanned.stopped() {
            return Ok(());
        }
        let path = self.path;
        for notice in scanned.notices().to_vec() {
            let part = self.part(scanned.notice_part(notice));
            self.emit(Event::Noticed { path, member, part: part.as_deref(), notice });
        }
        if let Some(error) = failure {
            return Err(error);
        }
        self.tally.bytes += scanned.bytes();
        self.tally.documents += 1;
        if let Some(progress) = &self.options.progress {
            progress.add_document(scanned.links());
        }
        self.emit(Event::DocumentEnd { path, member, scanned });
        Ok(())
    }
}

impl<E: FnMut(Event<'_>) -> ControlFlow<()>> Visitor for Visit<'_, E> {
    fn document(&mut self, info: &DocumentInfo<'_>, reader: &mut dyn Read) -> io::Result<()> {
        let attached = self.attached(info.member).map(OpenedAttachment::document);
        let info = &DocumentInfo { member: attached.as_ref().unwrap_or(info.member), ..*info };
        let non_text = self.options.binary.wanted();
        let scope = ScanScope { non_text, ..self.hints.scope };
        let of_all = Hints { scope, ..self.hints.clone() };
        let hints = info.hints(&of_all);
        let disposition = non_text.applied_to(info.detection.disposition);
        let (path, member) = (self.path, info.member);
        if let Some(notice) = Notice::of_disposition(disposition) {
            let part = self.part(None);
            self.emit(Event::Noticed { path, member, part: part.as_deref(), notice });
        }
        if !disposition.is_scanned(non_text) {
            self.tally.unread += u64::from(!disposition.is_binary());
            return Ok(());
        }
        let origin = self.origin(info);
        let mut told = origin.clone().map(ReportedOrigin::new);
        let mut repeated = Repeated::default();
        let recent = RefCell::new(RecentBytes::new(self.options.around));
        let mut reader = CutReader { reader, cut: info.cut };
        let mut kept = RecordingReader { reader: &mut reader, recent: &recent };
        let reader: &mut dyn Read = match self.options.around {
            0 => kept.reader,
            _ => &mut kept,
        };
        let mut waiting = LinksAwaitingContext::new(&recent);
        let own = self.hints;
        let Visit { options, buffer, emit, .. } = self;
        let finder = &options.finder;
        let mut unread = 0;
        let mut attached = Tally::default();
        let each = |event: ScanEvent<'_>| {
            let mut judged = match event {
                ScanEvent::Judged(judged) => judged,
                #[cfg(feature = "mail")]
                ScanEvent::Part(_) => return ControlFlow::Continue(()),
                ScanEvent::Unread => {
                    unread += 1;
                    return ControlFlow::Continue(());
                }
                ScanEvent::Attachment(attachment) => {
                    waiting.hand_out(path, emit)?;
                    let message =
                        Message { options, hints: own, path, info, origin: origin.as_ref() };
                    attached.add(message.attachment(attachment, emit));
                    return match attached.stopped {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    };
                }
            };
            if let Some(told) = &mut told {
                told.set(&mut judged, &mut repeated);
            }
            if options.around == 0 {
                return emit(Event::judged(path, judged));
            }
            waiting.push(judged);
            waiting.hand_out_whole(path, emit)
        };
        #[cfg(feature = "office")]
        let scanned = {
            let mut each = each;
            match info.message.and_then(Cell::take) {
                Some(message) => finder.scan_stored_message(message, &hints, &mut each),
                None => finder.scan_events(buffer, reader, &hints, each),
            }
        };
        #[cfg(not(feature = "office"))]
        let scanned = finder.scan_events(buffer, reader, &hints, each);
        if !scanned.as_ref().is_ok_and(|scanned| scanned.stopped()) {
            self.tally.stopped |= waiting.hand_out(path, &mut self.emit).is_break();
        }
        // The walk reports a record that is cut.
        let scanned = match scanned {
            Err(failed) if info.cut.is_some_and(|cut| cut.is_reason(&failed.error)) => {
                Ok(failed.scanned)
            }
            scanned => scanned,
        };
        self.tally.unread += unread;
        // The bytes of an attachment were counted as those of the message.
        self.tally.add(Tally { bytes: 0, ..attached });
        let scanned = amended(scanned, |scanned| {
            if repeated.is_reached() && !scanned.notices.contains(&Notice::Repeated) {
                scanned.notices.push(Notice::Repeated);
            }
        });
        self.end_document(member, scanned)
    }

    fn failed(&mut self, member: &Member, error: io::Error) {
        self.tally.failures += 1;
        // Two attachments may have members of one name.
        let attached = self.attached.as_ref();
        let attached =
            attached.and_then(|attached| attached.told().followed_by(member, &attached.within));
        let member = attached.as_ref().unwrap_or(member);
        match member.is_empty() {
            true => self.tally.failed = true,
            false => self.tally.members_failed = true,
        }
        self.emit(Event::Failed { path: self.path, member, error: error.into() });
    }

    fn noticed(&mut self, member: &Member, notice: Notice) {
        let (path, part) = (self.path, self.part(None));
        self.emit(Event::Noticed { path, member, part: part.as_deref(), notice });
    }

    fn value(&mut self, info: &DocumentInfo<'_>, link: HeaderLink, repeated: &mut Repeated) {
        let said = self.hints.base.as_ref();
        let base = info.metadata.source.as_ref().or(said).map(Base::from);
        let (finder, hints) = (&self.options.finder, self.hints);
        let mut judged = answer::judged(finder, hints, link, base.as_ref(), repeated);
        if let Some(origin) = self.origin(info) {
            ReportedOrigin::new(origin).set(&mut judged, repeated);
        }
        self.tally.links += u64::from(judged.is_ok());
        self.emit(Event::judged(self.path, judged));
    }

    fn unit(&mut self, unit: WorkUnit, walk: &mut container::ContainerWalk<'_>) {
        match self.units {
            Some(units) => units(unit, walk, self.tally),
            None => {
                unit.run(walk, self);
                let is_stopped = self.is_stopped();
                let tally = Tally { stopped: is_stopped, ..self.tally };
                if let Some(point) = tally.resume_point(&unit, walk.budget.left()) {
                    self.emit(Event::Checkpoint { path: self.path, point });
                }
            }
        }
    }

    #[cfg(feature = "office")]
    fn reads_messages(&self) -> bool {
        true
    }

    fn is_stopped(&self) -> bool {
        self.tally.stopped || is_cancelled(self.hints.cancel.as_ref())
    }
}

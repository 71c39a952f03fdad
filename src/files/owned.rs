//! Owned events, which go from the scanning threads to the caller's.

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::{Batch, ResumePoint};
use crate::container::Member;
use crate::event::{Event, Surroundings};
use crate::link::{Link, Rejected};
use crate::notice::{Notice, Scanned};

/// Owned events of one or several inputs.
#[derive(Debug, Default)]
pub(super) struct OwnedEvents {
    events: Vec<OwnedEvent>,
    size: usize,
    /// The input of the last event.
    path: PathBuf,
}

/// Bytes before and after a link.
#[derive(Debug)]
struct SurroundingBytes {
    before: Box<[u8]>,
    after: Box<[u8]>,
    is_cut: bool,
}

#[derive(Debug)]
enum OwnedEvent {
    /// The events that follow are of this input.
    Path(PathBuf),
    Link(Link<'static>, Option<Box<SurroundingBytes>>),
    Rejected(Rejected<'static>),
    Failed(Member, io::Error),
    Noticed(Member, Notice),
    DocumentEnd(Member, Scanned),
    Checkpoint(ResumePoint),
    InputEnd {
        links: u64,
        failed: bool,
        stored: u64,
    },
}

impl OwnedEvents {
    pub(super) fn keep(event: Event<'_>, batch: &mut OwnedEvents) {
        let (path, kept, text) = match event {
            Event::Link { path, link, around } => {
                let text = link.raw().len();
                let around = around.map(|Surroundings { before, after, is_cut }| {
                    batch.size += before.len() + after.len();
                    Box::new(SurroundingBytes {
                        before: before.into(),
                        after: after.into(),
                        is_cut,
                    })
                });
                (path, OwnedEvent::Link(link.into_owned(), around), text)
            }
            Event::Rejected { path, rejected } => {
                let text = rejected.raw().len();
                (path, OwnedEvent::Rejected(rejected.into_owned()), text)
            }
            Event::Failed { path, member, error } => {
                (path, OwnedEvent::Failed(member.clone(), error), member.as_str().len())
            }
            Event::Noticed { path, member, notice } => {
                (path, OwnedEvent::Noticed(member.clone(), notice), member.as_str().len())
            }
            Event::DocumentEnd { path, member, scanned } => {
                (path, OwnedEvent::DocumentEnd(member.clone(), scanned), member.as_str().len())
            }
            Event::Checkpoint { path, point } => (path, OwnedEvent::Checkpoint(point), 0),
            // Parts of mail are for those who scan a message.
            #[cfg(feature = "mail")]
            Event::Part { .. } => return,
            Event::InputEnd { path, links, failed, stored } => {
                (path, OwnedEvent::InputEnd { links, failed, stored }, 0)
            }
        };
        if batch.events.is_empty() || batch.path != path {
            batch.path = path.to_owned();
            batch.size += path.as_os_str().len();
            batch.events.push(OwnedEvent::Path(path.to_owned()));
        }
        // What a link allocates beside its text is about as much again.
        batch.size += mem::size_of::<OwnedEvent>() + 2 * text;
        batch.events.push(kept);
    }

    pub(super) fn hand_out(
        &mut self,
        current: &mut PathBuf,
        each: &mut impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.size = 0;
        for kept in self.events.drain(..) {
            let path = &*current;
            // What the event borrows.
            let (of, bytes);
            let event = match kept {
                OwnedEvent::Path(path) => {
                    *current = path;
                    continue;
                }
                OwnedEvent::Link(link, around) => {
                    bytes = around;
                    let around = bytes.as_ref().map(|around| Surroundings {
                        before: &around.before,
                        after: &around.after,
                        is_cut: around.is_cut,
                    });
                    Event::Link { path, link, around }
                }
                OwnedEvent::Rejected(rejected) => Event::Rejected { path, rejected },
                OwnedEvent::Failed(member, error) => {
                    of = member;
                    Event::Failed { path, member: &of, error }
                }
                OwnedEvent::Noticed(member, notice) => {
                    of = member;
                    Event::Noticed { path, member: &of, notice }
                }
                OwnedEvent::DocumentEnd(member, scanned) => {
                    of = member;
                    Event::DocumentEnd { path, member: &of, scanned }
                }
                OwnedEvent::Checkpoint(point) => Event::Checkpoint { path, point },
                OwnedEvent::InputEnd { links, failed, stored } => {
                    Event::InputEnd { path, links, failed, stored }
                }
            };
            each(event)?;
        }
        ControlFlow::Continue(())
    }
}

impl Batch for OwnedEvents {
    fn size(&self) -> usize {
        self.size
    }

    fn append(&mut self, later: &mut Self) {
        self.size += mem::take(&mut later.size);
        self.events.append(&mut later.events);
        self.path = mem::take(&mut later.path);
    }
}

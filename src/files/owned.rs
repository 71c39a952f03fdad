//! Events that go from the thread that finds them to the one that asked for them.

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::{Batch, ResumePoint};
use crate::container::Member;
use crate::event::{Event, Surroundings};
use crate::link::{Link, Rejected};
use crate::notice::{Notice, Scanned};

/// Events of one input or several, detached from what they were found in.
#[derive(Debug, Default)]
pub(super) struct Owned {
    events: Vec<Kept>,
    size: usize,
    /// The input that the last of them is of.
    path: PathBuf,
}

/// What is around a link.
#[derive(Debug)]
struct Around {
    before: Box<[u8]>,
    after: Box<[u8]>,
    is_cut: bool,
}

#[derive(Debug)]
enum Kept {
    /// The events that follow are of this input.
    Path(PathBuf),
    Link(Link<'static>, Option<Box<Around>>),
    Rejected(Rejected<'static>),
    Failed(Member, io::Error),
    Noticed(Member, Notice),
    Document(Member, Scanned),
    Reached(ResumePoint),
    Finished(u64),
    Closed {
        failed: bool,
        stored: u64,
    },
}

impl Owned {
    pub(super) fn keep(event: Event<'_>, batch: &mut Owned) {
        let (path, kept, text) = match event {
            Event::Link { path, link, around } => {
                let text = link.raw().len();
                let around = around.map(|Surroundings { before, after, is_cut }| {
                    batch.size += before.len() + after.len();
                    Box::new(Around { before: before.into(), after: after.into(), is_cut })
                });
                (path, Kept::Link(link.into_owned(), around), text)
            }
            Event::Rejected { path, rejected } => {
                let text = rejected.raw().len();
                (path, Kept::Rejected(rejected.into_owned()), text)
            }
            Event::Failed { path, member, error } => {
                (path, Kept::Failed(member.clone(), error), member.as_str().len())
            }
            Event::Noticed { path, member, notice } => {
                (path, Kept::Noticed(member.clone(), notice), member.as_str().len())
            }
            Event::Document { path, member, scanned } => {
                (path, Kept::Document(member.clone(), scanned), member.as_str().len())
            }
            Event::Reached { path, point } => (path, Kept::Reached(point), 0),
            Event::Finished { path, links } => (path, Kept::Finished(links), 0),
            // Parts of mail are told of by the room `mail` alone.
            #[cfg(feature = "mail")]
            Event::Part { .. } => return,
            Event::Closed { path, failed, stored } => (path, Kept::Closed { failed, stored }, 0),
        };
        if batch.events.is_empty() || batch.path != path {
            batch.path = path.to_owned();
            batch.size += path.as_os_str().len();
            batch.events.push(Kept::Path(path.to_owned()));
        }
        // What a link allocates beside its text is about as much again.
        batch.size += mem::size_of::<Kept>() + 2 * text;
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
            let event = match kept {
                Kept::Path(path) => {
                    *current = path;
                    continue;
                }
                Kept::Link(link, around) => {
                    let around = around.as_ref().map(|around| Surroundings {
                        before: &around.before,
                        after: &around.after,
                        is_cut: around.is_cut,
                    });
                    each(Event::Link { path, link, around })?;
                    continue;
                }
                Kept::Rejected(rejected) => Event::Rejected { path, rejected },
                Kept::Reached(point) => Event::Reached { path, point },
                Kept::Finished(links) => Event::Finished { path, links },
                Kept::Closed { failed, stored } => Event::Closed { path, failed, stored },
                Kept::Failed(member, error) => {
                    each(Event::Failed { path, member: &member, error })?;
                    continue;
                }
                Kept::Noticed(member, notice) => {
                    each(Event::Noticed { path, member: &member, notice })?;
                    continue;
                }
                Kept::Document(member, scanned) => {
                    each(Event::Document { path, member: &member, scanned })?;
                    continue;
                }
            };
            each(event)?;
        }
        ControlFlow::Continue(())
    }
}

impl Batch for Owned {
    fn size(&self) -> usize {
        self.size
    }

    fn append(&mut self, later: &mut Self) {
        self.size += mem::take(&mut later.size);
        self.events.append(&mut later.events);
        self.path = mem::take(&mut later.path);
    }
}

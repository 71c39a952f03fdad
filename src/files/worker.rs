//! The worker: one input after the other, opened, scanned, its events rendered.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::counts::Tally;
use super::describe::Described;
use super::input_output::{InputOutput, PacedReader, UnitScanner, UnitSharing};
use super::item::{Item, Pace};
use super::opened::InputHandle;
use super::reorder::ENOUGH;
use super::sink::BatchSink;
use super::units::{Job, JobGuard, SharedJobs};
use super::visit::{self, Visit};
use super::{Archives, Batch, Options, ResumePoint, Summary};
use crate::container::{self, Member};
use crate::document::Hints;
use crate::event::Event;
use crate::finder::Finder;
use crate::notice::Notice;
use crate::stream::Buffer;

/// Workers of the tasks that process inputs. Each task takes one, and returns it.
pub(super) struct Workers<'o, R> {
    pub(super) options: &'o Options,
    render: &'o R,
    idle: Mutex<Vec<Worker<'o, R>>>,
}

impl<'o, R> Workers<'o, R> {
    pub(super) fn new(options: &'o Options, render: &'o R) -> Workers<'o, R> {
        Workers { options, render, idle: Mutex::new(Vec::new()) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Worker<'o, R>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Worker<'o, R>) -> T) -> T {
        let idle = self.lock().pop();
        let mut worker = idle.unwrap_or_else(|| Worker::new(self.options, self.render));
        let made = work(&mut worker);
        self.lock().push(worker);
        made
    }

    /// Goes through units of inputs that others hold, until there are none.
    pub(super) fn help<B>(&self, shared: &SharedJobs<B>)
    where
        B: Batch,
        R: Fn(Event<'_>, &mut B),
    {
        self.with(|worker| {
            while let Some(job) = shared.help_next() {
                worker.unit(&job);
            }
        });
    }

    pub(super) fn summary(&self) -> Summary {
        let mut total = Summary::default();
        self.lock().iter().for_each(|worker| total.add(worker.summary));
        total
    }
}

/// State with which a thread processes inputs.
pub(super) struct Worker<'o, R> {
    options: &'o Options,
    render: &'o R,
    buffer: Buffer,
    walk: container::ContainerWalk<'o>,
    /// Finds what is a link in what is not text.
    binary: Finder,
    summary: Summary,
}

impl<'o, R> Worker<'o, R> {
    fn new(options: &'o Options, render: &'o R) -> Worker<'o, R> {
        Worker {
            options,
            render,
            buffer: Buffer::new(),
            walk: container::ContainerWalk::new(
                &options.limits,
                options.archives == Archives::Auto,
            ),
            binary: visit::binary(&options.finder),
            summary: Summary::default(),
        }
    }
}

/// An open input, with its name and hints.
#[derive(Clone, Copy)]
struct OpenInput<'s> {
    /// The name that says what it is; empty if there is none.
    name: &'s [u8],
    /// Its path in events.
    shown: &'s Path,
    hints: &'s Hints,
    pace: Pace,
    resume: Option<ResumePoint>,
}

impl<R> Worker<'_, R> {
    pub(super) fn unit<B>(&mut self, job: &Job<B>)
    where
        B: Batch,
        R: Fn(Event<'_>, &mut B),
    {
        let mut doing = JobGuard { job, tally: Tally::default() };
        let mut batch = B::default();
        let emit = |event: Event<'_>| {
            (self.render)(event, &mut batch);
            if batch.size() >= ENOUGH {
                job.put(&mut batch);
            }
            // Ahead of its turn a unit goes no further than in its turn, or failures would be told or not by
            // who has gone through it.
            match job.is_given_up() || batch.has_enough() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let Worker { options, binary, buffer, walk, .. } = &mut *self;
        let mut visit = Visit::new(options, &job.hints, binary, &job.path, buffer, emit);
        walk.budget = Arc::clone(&job.budget);
        walk.asked = container::FormatOverride::of(&job.hints);
        job.unit.run_ahead(&job.bounds, walk, &mut visit);
        doing.tally = visit.into_tally();
        job.put(&mut batch);
    }

    pub(super) fn run<B, O>(
        &mut self,
        mut item: Item,
        batch: &mut B,
        sink: &mut O,
        sharing: Option<&UnitSharing<'_, B>>,
    ) where
        B: Batch,
        O: BatchSink<B>,
        R: Fn(Event<'_>, &mut B),
    {
        let (described, pace, resume) = match &mut item {
            Item::File { pace, described, resume, .. } => {
                (described.take(), *pace, resume.take().map(|point| *point))
            }
            Item::Stdin { described } => (described.take(), Pace::Live, None),
            Item::Written { path } => {
                let (member, notice) = (&Member::default(), Notice::Output);
                return (self.render)(Event::Noticed { path, member, notice }, batch);
            }
            Item::Failed { .. } => (None, Pace::Steady, None),
        };
        let Described { hints, label } = described.map_or_else(Described::new, |own| *own);
        // What is known of an input alone says nothing of the run.
        let cancel = &self.options.hints.cancel;
        let hints = hints.map(|own| Hints { cancel: cancel.clone(), ..own });
        let hints = hints.as_ref().unwrap_or(&self.options.hints);
        let path = item.path();
        // To open a FIFO is to wait for who writes to it.
        if pace == Pace::Live {
            sink.pause();
        }
        // What it is called says what it is, as the name of a file does.
        let shown = label.as_deref().unwrap_or(path);
        let name = match (&label, pace) {
            (None, Pace::Live) => b"",
            _ => shown.as_os_str().as_encoded_bytes(),
        };
        let opened = match item {
            Item::File { ref path, .. } => File::open(path).and_then(|file| match pace {
                Pace::Steady => InputHandle::file(file),
                Pace::Live => Ok(InputHandle::live(file)),
            }),
            Item::Stdin { .. } | Item::Written { .. } => Ok(InputHandle::stdin()),
            Item::Failed { ref path, error } => {
                self.progress_file();
                self.summary.failed += 1;
                self.summary.failures += 1;
                let member = &Member::default();
                (self.render)(Event::Failed { path, member, error }, batch);
                return (self.render)(Event::Closed { path, failed: true, stored: 0 }, batch);
            }
        };
        let tally = match opened {
            Ok(opened) => {
                let source = OpenInput { name, shown, hints, pace, resume };
                self.scan(source, opened, batch, sink, sharing)
            }
            Err(error) => {
                let member = &Member::default();
                (self.render)(Event::Failed { path: shown, member, error }, batch);
                Tally { failed: true, failures: 1, ..Tally::default() }
            }
        };
        self.progress_file();
        if tally.stopped {
            return;
        }
        self.summary.count(&tally);
        if !tally.failed {
            (self.render)(Event::Finished { path: shown, links: tally.links }, batch);
        }
        let Tally { failed, stored, .. } = tally;
        (self.render)(Event::Closed { path: shown, failed, stored }, batch);
    }

    fn progress_file(&self) {
        if let Some(progress) = &self.options.progress {
            progress.add_file();
        }
    }

    fn scan<B, O>(
        &mut self,
        source: OpenInput<'_>,
        opened: InputHandle,
        batch: &mut B,
        sink: &mut O,
        sharing: Option<&UnitSharing<'_, B>>,
    ) -> Tally
    where
        B: Batch,
        O: BatchSink<B>,
        R: Fn(Event<'_>, &mut B),
    {
        let OpenInput { name, shown: path, hints, pace, resume } = source;
        let (stored, len) = match &opened {
            InputHandle::File { stored, len, .. } => {
                (Some(Arc::clone(stored) as Arc<dyn container::Source>), Some(*len))
            }
            _ => (None, None),
        };
        let progress = self.options.progress.as_ref();
        if let Some(progress) = progress {
            progress.add_opened(len.unwrap_or(0));
        }
        let read = &Cell::new(0);
        let own = &UnitScanner { options: self.options, render: self.render, binary: &self.binary };
        let output = &RefCell::new(InputOutput::new(batch, sink));
        let sharing = sharing.filter(|_| pace == Pace::Steady);
        if let Some(sharing) = sharing {
            output.borrow_mut().share(sharing, path.to_owned(), hints.clone());
        }
        let emit = |event: Event<'_>| output.borrow_mut().emit(event, own);
        let share = |unit, walk: &container::ContainerWalk<'_>, before| {
            output.borrow_mut().unit(unit, &walk.budget, before, own);
        };
        let mut visit = Visit::new(self.options, hints, own.binary, path, &mut self.buffer, emit)
            .sharing(sharing.is_some().then_some(&share))
            .resuming(resume);
        let reader = Box::new(PacedReader { reader: opened, pace, read, output, progress });
        let is_live = pace == Pace::Live;
        let begin = resume.map(ResumePoint::begin).unwrap_or_default();
        let declared = hints.declared;
        let input = container::WalkInput { name, reader, source: stored, is_live, declared, begin };
        self.walk.asked = container::FormatOverride::of(hints);
        self.walk.input(input, &mut visit);
        let mut tally = visit.into_tally();
        tally.add(output.borrow_mut().finish(own));
        // Of an input of which there is enough the run is not over.
        tally.stopped &= output.borrow().is_stopped();
        // What was passed over, or read at other places, is done with too.
        let stored = len.filter(|_| !tally.stopped).map_or(read.get(), |len| len.max(read.get()));
        if let Some(progress) = progress {
            progress.add_bytes(stored - read.get());
        }
        self.summary.stored += stored;
        Tally { stored, ..tally }
    }
}

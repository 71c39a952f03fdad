//! The worker: one input after the other, opened, scanned, its events rendered.
//!
//! One input that is already open: bytes or a reader, scanned on the calling thread.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::counts::Tally;
use super::describe::Described;
use super::input_output::{InputOutput, InputScanner, PacedReader};
use super::item::{Item, ItemKind, Pace};
use super::opened::InputHandle;
use super::parts::Job;
use super::queue::OrderedQueue;
use super::task_output::TaskOutput;
use super::visit::Visit;
use super::{Archives, Batch, Options, ResumePoint, Summary};
use crate::container::{self, Member, Opening};
use crate::detect::document::Hints;
use crate::driver::stream::Buffer;
use crate::event::Event;
use crate::input::memory;
use crate::input::pause::ShortReads;

/// State with which a task processes inputs.
pub(super) struct Worker<'o, B, R> {
    options: &'o Options,
    render: &'o R,
    buffer: Buffer,
    walk: container::ContainerWalk<'o>,
    pub(super) summary: Summary,
    batch: PhantomData<fn(B)>,
}

/// An open input, with its name and hints.
pub(super) struct OpenInput<'s> {
    /// The name that its format is detected from; empty if there is none.
    pub(super) name: &'s [u8],
    /// Its path in events.
    pub(super) path: &'s Path,
    pub(super) hints: &'s Hints,
    /// Whether reading it may block.
    pub(super) is_live: bool,
    pub(super) resume: Option<ResumePoint>,
    pub(super) reader: Box<dyn Read + 's>,
    /// Its bytes, if they can be read at any offset.
    pub(super) source: Option<Arc<dyn container::Source>>,
    /// Its length, if that is known.
    pub(super) len: Option<u64>,
}

impl<'o, B: Batch, R: Fn(Event<'_>, &mut B)> Worker<'o, B, R> {
    pub(super) fn new(options: &'o Options, render: &'o R) -> Self {
        let walk =
            container::ContainerWalk::new(&options.limits, options.archives == Archives::Auto);
        let summary = Summary::default();
        Worker { options, render, buffer: Buffer::new(), walk, summary, batch: PhantomData }
    }

    /// Processes a unit ahead of its turn.
    pub(super) fn unit(&mut self, job: &Job, queue: &OrderedQueue<B>) {
        memory::enter(queue.memory(), Some(job.at.for_memory(true)));
        let Worker { options, render, buffer, walk, .. } = &mut *self;
        let (path, hints) = (&job.input.path, &job.input.hints);
        let scanner = InputScanner { options, render: *render, path, hints };
        let put = |batch: &mut B| queue.put_ahead(job, batch);
        let (mut batch, tally) = scanner.run_ahead(job, queue, walk, buffer, put);
        queue.finish(job, &mut batch, tally);
    }

    /// Opens the item of a walk, and scans it.
    pub(super) fn run(&mut self, item: Item, batch: &mut B, task: &mut TaskOutput<'_, B>) {
        let is_live = item.is_live();
        // To open a FIFO is to wait for its writer.
        if is_live {
            task.hand_over_before_wait();
        }
        let Item { path, kind, described, resume, .. } = item;
        let opened = match kind {
            ItemKind::Noticed(notice) => {
                let (path, member, part) = (&path, &Member::default(), None);
                return (self.render)(Event::Noticed { path, member, part, notice }, batch);
            }
            ItemKind::File(Pace::Steady) => File::open(&path).and_then(InputHandle::file),
            ItemKind::File(Pace::Live) => File::open(&path).map(InputHandle::live),
            ItemKind::Stdin => Ok(InputHandle::stdin()),
            ItemKind::Failed(error) => Err(error),
        };
        let Described { hints, label } = described.map_or_else(Described::new, |own| *own);
        // Hints of a single input do not replace the token of the run.
        let cancel = &self.options.hints.cancel;
        let hints = hints.map(|own| Hints { cancel: cancel.clone(), ..own });
        let hints = hints.as_ref().unwrap_or(&self.options.hints);
        // A label is the name of the document, also for the detection of its format.
        let has_name = label.is_some() || !is_live;
        let path = &label.unwrap_or(path);
        let name = if has_name { path.as_os_str().as_encoded_bytes() } else { b"" };
        match opened {
            Ok(opened) => {
                let (source, len) = opened.source();
                let reader = Box::new(opened);
                let resume = resume.map(|point| *point);
                let input = OpenInput { name, path, hints, is_live, resume, reader, source, len };
                self.open_input(input, batch, task);
            }
            Err(error) => {
                let member = &Member::default();
                (self.render)(Event::Failed { path, member, error: error.into() }, batch);
                let tally = Tally { failed: true, failures: 1, ..Tally::default() };
                self.close_input(path, tally, batch);
            }
        }
    }

    /// Scans an input, and closes it unless the run has ended.
    fn open_input(&mut self, input: OpenInput<'_>, batch: &mut B, task: &mut TaskOutput<'_, B>) {
        let OpenInput { name, path, hints, is_live, resume, reader, source, len } = input;
        let Worker { options, render, buffer, walk, .. } = &mut *self;
        let progress = options.progress.as_ref();
        if let Some(progress) = progress {
            progress.add_opened(len.unwrap_or(0));
        }
        let read = &Cell::new(0);
        let shares = !is_live && task.queue.threads() > 1;
        let scanner = InputScanner { options, render, path, hints };
        let output = &RefCell::new(InputOutput::new(scanner, batch, task));
        let emit = |event: Event<'_>| output.borrow_mut().emit(event);
        let share = |unit, walk: &container::ContainerWalk<'_>, before| {
            output.borrow_mut().unit(unit, &walk.budget, before);
        };
        let mut visit = Visit::new(options, hints, path, buffer, emit)
            .sharing(shares.then_some(&share))
            .resuming(resume);
        let reader = Box::new(PacedReader { reader, is_live, read, output, progress });
        let declared = hints.declared;
        let begin = resume.map(ResumePoint::begin).unwrap_or_default();
        walk.asked = container::FormatOverride::of(hints);
        walk.input(
            container::WalkInput { name, reader, source, is_live, declared, begin },
            &mut visit,
        );
        let mut tally = visit.into_tally();
        tally.add(output.borrow_mut().finish());
        // An input that had enough does not end the run.
        tally.stopped &= output.borrow().is_stopped();
        // Bytes that were skipped, or read at other places, count too.
        tally.stored = len.filter(|_| !tally.stopped).map_or(read.get(), |len| len.max(read.get()));
        if let Some(progress) = progress {
            progress.add_bytes(tally.stored - read.get());
        }
        self.close_input(path, tally, batch);
    }

    fn close_input(&mut self, path: &Path, tally: Tally, batch: &mut B) {
        if let Some(progress) = &self.options.progress {
            progress.add_file();
        }
        let Tally { failed, stored, links, stopped, .. } = tally;
        self.summary.stored += stored;
        if stopped {
            return;
        }
        self.summary.count(&tally);
        (self.render)(Event::InputEnd { path, links, failed, stored }, batch);
    }
}

/// Scans data that is already in memory, on the calling thread: a document, an archive, a message with archives
/// attached to it. The events are those that a file with these bytes has; their path is the opening's name, or else that of the
/// hints. No thread is started, and what options say of walks and threads is let be.
///
/// ```
/// use linksift::container::Opening;
/// use linksift::files::{self, Options};
/// use std::ops::ControlFlow;
///
/// // `tar` is an archive of one file, `notes.txt`.
/// # let mut tar = vec![0; 512];
/// # tar[..9].copy_from_slice(b"notes.txt");
/// # tar[124..136].copy_from_slice(b"00000000015 ");
/// # tar[148..156].fill(b' ');
/// # tar[257..263].copy_from_slice(b"ustar\0");
/// # let sum: u32 = tar.iter().map(|byte| u32::from(*byte)).sum();
/// # tar[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
/// # tar.extend(b"a example.com");
/// # tar.resize(1024, 0);
///
/// let mut found = Vec::new();
/// files::scan_one(Opening::bytes(tar), &Options::new(), |event| {
///     found.extend(event.link().map(|link| (link.uri().into_owned(), link.member().map(str::to_owned))));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [("https://example.com".to_owned(), Some("notes.txt".to_owned()))]);
/// ```
pub fn scan_one<F>(opening: Opening<'_>, options: &Options, each: F) -> Summary
where
    F: FnMut(Event<'_>) -> ControlFlow<()>,
{
    let Opening { name, reader, source } = opening;
    let hints = &options.hints;
    let name = match &hints.name {
        Some(own) if name.is_empty() => own.clone(),
        _ => name,
    };
    let path = String::from_utf8_lossy(&name);
    let len = source.as_ref().map(|source| source.len());
    // A source has all of its bytes.
    let reader = Box::new(ShortReads::new(reader, hints.eager && source.is_none()));
    let input = OpenInput {
        name: &name,
        path: Path::new(&*path),
        hints,
        is_live: false,
        resume: options.walk.resume,
        reader,
        source,
        len,
    };
    // Events go to the callback at once, so the queue stays empty.
    let queue = &OrderedQueue::<Vec<u8>>::new(1, true, hints.cancel.clone());
    let each = RefCell::new(each);
    let render = &|event: Event<'_>, _: &mut Vec<u8>| {
        if !queue.is_stopped() && (each.borrow_mut())(event).is_break() {
            queue.stop();
        }
    };
    let mut worker = Worker::new(options, render);
    worker.open_input(input, &mut Vec::new(), &mut TaskOutput::new(queue, None));
    Summary { stopped: queue.is_stopped(), ..worker.summary }
}

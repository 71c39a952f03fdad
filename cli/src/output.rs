//! Output of chunks, in order: links to their destination, error messages to standard error, and the other files of the
//! run.

use std::io::{self, ErrorKind};
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::choose::{Chooser, Halt, Progress};
use crate::chunk::{Chunk, Total};
use crate::complaints;
use crate::presentation::Presentation;
use crate::progress::{self, Bar};
use crate::reason::reason;
use crate::writing::{Inside, Sides, State, Written};

/// Writes chunks at once, since a chunk is only passed on when it has something to show.
pub(crate) struct Output {
    written: Written,
    bar: Option<Bar>,
    /// Number of links written, for the bar.
    links: progress::LinkCount,
    chooser: Chooser,
    stop: Stop,
    /// Rest of a chunk without duplicates.
    kept: Vec<u8>,
    /// Whether each message that a run prints once has been printed.
    told: [bool; 2],
    begun: Instant,
    /// State kept at the end of the last input.
    before: Option<Box<State>>,
    failure: Option<OutputFailure>,
}

/// Occasion on which the state of the run is saved.
enum Moment<'m> {
    Halt(Halt<'m>),
    RunEnd,
}

/// Condition that ends a run before all inputs are processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Never,
    /// At the first link.
    AtLink,
    /// When the only input has enough links.
    AtEnough,
}

/// Reason why nothing more can be written.
#[derive(Debug)]
enum OutputFailure {
    /// The reader closed the pipe.
    Closed,
    Said(String),
}

impl OutputFailure {
    fn new(name: &str, error: &io::Error) -> OutputFailure {
        match error.kind() {
            ErrorKind::BrokenPipe => OutputFailure::Closed,
            _ => OutputFailure::Said(format!("{name}: {}", reason(error))),
        }
    }

    fn of_file((name, error): (String, io::Error)) -> OutputFailure {
        OutputFailure::new(&name, &error)
    }
}

/// Outcome of a run.
pub(crate) struct Ended {
    pub(crate) total: Total,
    pub(crate) sides: Sides,
    pub(crate) seconds: f64,
}

impl Output {
    pub(crate) fn new(
        look: &Presentation,
        stop: Stop,
        (bar, links): (Option<Bar>, progress::LinkCount),
        mut written: Written,
    ) -> Output {
        let mut chooser = Chooser::new(look);
        let state = &mut written.state;
        chooser.carry(&state.carried);
        let before = match state.inside {
            Some(_) => state.before.take(),
            None => written.is_resumed.then(|| Box::new(state.clone())),
        };
        let told = [state.told_binary, state.told_media];
        let (kept, begun) = (Vec::new(), Instant::now());
        Output { written, bar, links, chooser, stop, kept, told, begun, before, failure: None }
    }

    /// Saves the state of a run that has not begun, since a run that is killed later finds output that only a state explains.
    pub(crate) fn start(&mut self) -> ControlFlow<()> {
        let Written { checkpoint, state, is_resumed: false, .. } = &mut self.written else {
            return ControlFlow::Continue(());
        };
        let Some(checkpoint) = checkpoint else { return ControlFlow::Continue(()) };
        let result = checkpoint.write(state);
        let name = checkpoint.file.display().to_string();
        self.note(result.map_err(|error| OutputFailure::new(&name, &error)))
    }

    /// Writes the header before the first record, or at the end of a run without records.
    pub(crate) fn begin(&mut self, head: &[u8]) -> ControlFlow<()> {
        let sink = &mut self.written.sink;
        let result = sink.begin(head).map_err(|error| OutputFailure::new(&sink.name(), &error));
        self.note(result)
    }

    /// Writes a chunk and empties it.
    pub(crate) fn write(&mut self, chunk: &mut Chunk) -> ControlFlow<()> {
        for (line, is_told) in chunk.once.iter_mut().zip(&mut self.told) {
            if !*is_told && !line.is_empty() {
                *is_told = true;
                chunk.complaints.append(line);
            }
        }
        let bar = self.bar.take();
        let result = match &bar {
            Some(bar) => bar.suspended(|| self.pass(chunk)),
            None => self.pass(chunk),
        };
        self.bar = bar;
        self.links.store(self.chooser.total().links, Ordering::Relaxed);
        chunk.clear();
        self.note(result)?;
        let is_over = match self.stop {
            Stop::Never => false,
            Stop::AtLink => self.chooser.total().links > 0,
            Stop::AtEnough => self.chooser.has_enough(),
        };
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pass(&mut self, chunk: &Chunk) -> Result<(), OutputFailure> {
        let mut logged = 0;
        let result = match chunk.marks.is_empty() {
            true => {
                self.chooser.count(chunk);
                self.sink(&chunk.out)
            }
            false => self.pass_chosen(chunk, &mut logged),
        };
        self.written.sides.take(chunk.log.between(logged, chunk.log.len()));
        let result =
            result.and_then(|()| self.written.sides.flush().map_err(OutputFailure::of_file));
        complaints::put(&chunk.complaints);
        for name in self.written.sides.take_unlisted() {
            complaints::say_unlisted(&name);
        }
        result
    }

    fn pass_chosen(&mut self, chunk: &Chunk, logged: &mut usize) -> Result<(), OutputFailure> {
        let (mut kept, mut progress) = (mem::take(&mut self.kept), Progress::default());
        while let Some((halt, log)) = self.chooser.advance(chunk, &mut progress, &mut kept) {
            self.written.sides.take(chunk.log.between(*logged, log));
            *logged = log;
            let len = self.written.sink.len();
            if self.written.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.is_due(len)) {
                self.sink(&kept)?;
                kept.clear();
                self.keep(Moment::Halt(halt))?;
            }
        }
        let result = self.sink(&kept);
        kept.clear();
        self.kept = kept;
        result
    }

    fn sink(&mut self, bytes: &[u8]) -> Result<(), OutputFailure> {
        let sink = &mut self.written.sink;
        sink.write(bytes).map_err(|error| OutputFailure::new(&sink.name(), &error))
    }

    /// Saves the state of the run.
    fn keep(&mut self, moment: Moment<'_>) -> Result<(), OutputFailure> {
        let seconds = self.seconds();
        let Written { sink, sides, checkpoint, .. } = &mut self.written;
        let Some(checkpoint) = checkpoint else { return Ok(()) };
        let (inside, finished) = match moment {
            Moment::Halt(Halt::Reached { path, point }) => {
                let Some(inside) = Inside::new(path, point, sides.list) else { return Ok(()) };
                (Some(inside), false)
            }
            Moment::Halt(Halt::End) => (None, false),
            Moment::RunEnd => (None, true),
        };
        let name = sink.name();
        let (output, pending) = sink.settle().map_err(|error| OutputFailure::new(&name, &error))?;
        let [errors, failed] = sides.settle().map_err(OutputFailure::of_file)?;
        let mut state = State {
            inputs: sides.inputs,
            list: sides.list,
            last: sides.last.clone(),
            finished,
            output,
            errors,
            failed,
            carried: self.chooser.carried(),
            told_binary: self.told[0],
            told_media: self.told[1],
            seconds,
            counts: sides.counts.named(),
            has_failed: sides.has_failed,
            inside,
            ..State::new(checkpoint.options).pending(pending).looks(sides.looks.clone())
        };
        if state.inside.is_some() {
            state.before = self.before.take();
        }
        let result = checkpoint.write(&state);
        self.before = match state.inside {
            Some(_) => state.before,
            None => Some(Box::new(state)),
        };
        result.map_err(|error| OutputFailure::new(&checkpoint.file.display().to_string(), &error))
    }

    fn seconds(&self) -> f64 {
        self.written.state.seconds + self.begun.elapsed().as_secs_f64()
    }

    fn note(&mut self, result: Result<(), OutputFailure>) -> ControlFlow<()> {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    /// Ends the output. A file that the output would replace keeps its content unless `is_read`: all inputs failed.
    ///
    /// # Errors
    ///
    /// Returns the reason of a failure. A closed pipe is not a failure: its reader needs no more output.
    pub(crate) fn finish(mut self, is_read: bool) -> Result<Ended, String> {
        if self.failure.is_none() {
            let result = self.finish_files(is_read);
            // The error has been recorded.
            let _ = self.note(result);
        }
        let (total, seconds) = (self.chooser.total(), self.seconds());
        if let Some(bar) = self.bar {
            bar.finish();
        }
        match (self.failure, self.written.checkpoint) {
            (None | Some(OutputFailure::Closed), _) => {
                Ok(Ended { total, sides: self.written.sides, seconds })
            }
            (Some(OutputFailure::Said(said)), None) => Err(said),
            (Some(OutputFailure::Said(said)), Some(checkpoint)) => {
                let state = checkpoint.file.display();
                Err(format!("{said}; to resume, run the same command with --resume {state}"))
            }
        }
    }

    fn finish_files(&mut self, is_read: bool) -> Result<(), OutputFailure> {
        let last = self.chooser.finish();
        self.sink(&last)?;
        let sink = &mut self.written.sink;
        sink.finish().map_err(|error| OutputFailure::new(&sink.name(), &error))?;
        self.written.sides.finish().map_err(OutputFailure::of_file)?;
        self.keep(Moment::RunEnd)?;
        let sink = &mut self.written.sink;
        if is_read {
            sink.take_place().map_err(|error| OutputFailure::new(&sink.name(), &error))?;
        }
        self.written.sides.take_place().map_err(OutputFailure::of_file)
    }
}

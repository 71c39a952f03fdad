//! Progress on standard error, drawn by a thread of its own when a run takes longer than a glance.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use linksift::files::Progress;

use crate::args::When;

/// Nothing is drawn before this: most runs are over by then.
const GLANCE: Duration = Duration::from_millis(500);
/// Between one drawing and the next.
const STEP: Duration = Duration::from_millis(100);
/// Between one line and the next, where no terminal shows a bar.
const LINE_STEP: Duration = Duration::from_secs(1);

/// A line that shows how far a run has come.
pub(crate) struct Bar {
    bar: ProgressBar,
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Bar {
    /// Begins to watch a run, if it should be shown.
    pub(crate) fn new(when: When, progress: Progress) -> Option<Bar> {
        let is_shown = match when {
            When::Never => false,
            When::Always => true,
            When::Auto => io::stderr().is_terminal(),
        };
        if !is_shown {
            return None;
        }
        let is_terminal = io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        // Without the second style indicatif shows the same, less well.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        let (stop, stopped) = mpsc::channel();
        let thread = {
            let bar = bar.clone();
            thread::spawn(move || {
                let mut wait = GLANCE;
                while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    wait = if is_terminal { STEP } else { LINE_STEP };
                    show(&bar, &progress, is_terminal);
                }
            })
        };
        Some(Bar { bar, stop, thread })
    }

    /// Does something while the line is out of the way.
    pub(crate) fn suspended<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    pub(crate) fn finish(self) {
        drop(self.stop);
        // The thread only draws: that it could not is no reason to fail.
        let _ = self.thread.join();
        self.bar.finish_and_clear();
    }
}

fn show(bar: &ProgressBar, progress: &Progress, is_terminal: bool) {
    let files = HumanCount(progress.files());
    let text = format!("{files} files, {}", HumanBytes(progress.bytes()));
    if is_terminal {
        bar.set_message(text);
        bar.tick();
    } else {
        // A bar would not be drawn there; a log gets lines.
        let _ = writeln!(io::stderr(), "linksift: {text}");
    }
}

//! Progress on standard error, drawn by a separate thread when a run takes longer than a moment.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use linksift::files::Progress;

use crate::args::When;
use crate::streams;

/// Delay before the first drawing: most runs have ended by then.
const GLANCE: Duration = Duration::from_millis(500);
/// Interval between drawings.
const STEP: Duration = Duration::from_millis(100);
/// Interval between lines, if standard error is not a terminal.
const LINE_STEP: Duration = Duration::from_secs(1);

/// A line that shows the progress of a run.
pub(crate) struct Bar {
    bar: ProgressBar,
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

/// The amount of work, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) files: u64,
    /// `None` if an input has no length, such as a pipe.
    pub(crate) bytes: Option<u64>,
}

/// Number of links that have been written, which the run updates.
pub(crate) type LinkCount = Arc<AtomicU64>;

/// Function that determines the amount of work during the run.
pub(crate) type Plan = Box<dyn FnOnce(&dyn Fn() -> bool) -> Option<Work> + Send>;

/// The amount of work done.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    files: u64,
    bytes: u64,
    documents: u64,
    links: u64,
    seconds: f64,
}

impl Bar {
    /// Starts to show the progress of a run, if that is requested.
    pub(crate) fn new(when: When, progress: Progress, links: LinkCount, plan: Plan) -> Option<Bar> {
        let is_shown = match when {
            When::Never => false,
            When::Always => true,
            // A pager that reads the output draws on the same terminal.
            When::Auto => io::stderr().is_terminal() && !streams::stdout_is_pipe(),
        };
        if !is_shown {
            return None;
        }
        let is_terminal = io::stderr().is_terminal();
        // The bar is hidden at first, since suspending and finishing a visible bar draws it.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        // Without this style, indicatif uses its default style.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        let (stop, stopped) = mpsc::channel();
        let thread = {
            let bar = bar.clone();
            let watch = move || {
                let begun = Instant::now();
                let (is_over, planned) =
                    (Arc::new(AtomicBool::new(false)), Arc::new(OnceLock::new()));
                let planner = {
                    let (is_over, planned) = (Arc::clone(&is_over), Arc::clone(&planned));
                    move || {
                        if let Some(work) = plan(&|| is_over.load(Ordering::Relaxed)) {
                            let _ = planned.set(work);
                        }
                    }
                };
                let (mut wait, mut planner) = (GLANCE, Some(planner));
                while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    wait = if is_terminal { STEP } else { LINE_STEP };
                    // A short run needs no plan.
                    if let Some(planner) = planner.take() {
                        // If the thread cannot be created, there is no plan.
                        let _ = thread::Builder::new().spawn(planner);
                        if is_terminal {
                            bar.set_draw_target(ProgressDrawTarget::stderr());
                        }
                    }
                    let done = Done {
                        files: progress.files(),
                        bytes: progress.bytes(),
                        documents: progress.documents(),
                        links: links.load(Ordering::Relaxed),
                        seconds: begun.elapsed().as_secs_f64(),
                    };
                    show(&bar, &done, planned.get().copied(), is_terminal);
                }
                is_over.store(true, Ordering::Relaxed);
            };
            // If the thread cannot be created, no progress is shown.
            thread::Builder::new().spawn(watch).ok()?
        };
        Some(Bar { bar, stop, thread })
    }

    /// Calls a function while the line is hidden.
    pub(crate) fn suspended<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    pub(crate) fn finish(self) {
        drop(self.stop);
        // The thread only draws, so its failure is not an error of the run.
        let _ = self.thread.join();
        self.bar.finish_and_clear();
    }
}

fn show(bar: &ProgressBar, done: &Done, work: Option<Work>, is_terminal: bool) {
    let text = line(done, work);
    if is_terminal {
        bar.set_message(text);
        bar.tick();
    } else {
        // A bar would not be drawn there, so a log gets lines.
        let _ = writeln!(streams::stderr(), "linksift: {text}");
    }
}

fn line(done: &Done, work: Option<Work>) -> String {
    let (files, bytes) = (HumanCount(done.files), HumanBytes(done.bytes));
    let (documents, links) = (HumanCount(done.documents), HumanCount(done.links));
    let rate = done.bytes as f64 / done.seconds.max(0.001);
    let mut text = match work {
        Some(work) => {
            let all = HumanCount(work.files);
            match work.bytes.map(HumanBytes) {
                Some(all_bytes) => format!("{files} of {all} files, {bytes} of {all_bytes}"),
                None => format!("{files} of {all} files, {bytes}"),
            }
        }
        None => format!("{files} files, {bytes}"),
    };
    // Plain files have one document each.
    if done.documents > done.files + done.files / 10 {
        text += &format!(", {documents} documents");
    }
    let noun = if done.links == 1 { "link" } else { "links" };
    text += &format!(", {links} {noun}, {}/s", HumanBytes(rate as u64));
    let all_bytes = work.and_then(|work| work.bytes);
    if let Some(left) =
        all_bytes.and_then(|all| all.checked_sub(done.bytes)).filter(|_| rate >= 1.0)
    {
        let seconds = (left as f64 / rate).ceil() as u64;
        text += &match seconds {
            0..60 => format!(", {seconds} s left"),
            60..3600 => format!(", {} min {} s left", seconds / 60, seconds % 60),
            _ => format!(", {} h {} min left", seconds / 3600, seconds / 60 % 60),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_done_and_what_is_left() {
        let done = Done {
            files: 1200,
            bytes: 30 << 20,
            documents: 90_000,
            links: 1_234_567,
            seconds: 10.0,
        };
        let work = Work { files: 4000, bytes: Some(300 << 20) };
        assert_eq!(
            line(&done, Some(work)),
            "1,200 of 4,000 files, 30.00 MiB of 300.00 MiB, 90,000 documents, 1,234,567 links, 3.00 MiB/s, 1 min 30 s left"
        );
        let unknown = Work { bytes: None, ..work };
        let text = line(&done, Some(unknown));
        assert!(text.starts_with("1,200 of 4,000 files, 30.00 MiB, 90,000 documents"), "{text}");
        assert!(!text.contains("left"), "{text}");
        // A file has grown since its length was asked for.
        let grown = Work { bytes: Some(1), ..work };
        assert!(!line(&done, Some(grown)).contains("left"));
        let done = Done { documents: 1200, ..done };
        assert_eq!(line(&done, None), "1,200 files, 30.00 MiB, 1,234,567 links, 3.00 MiB/s");
    }
}

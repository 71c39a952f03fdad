//! One input that is already open: bytes or a reader, scanned on the calling thread.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;

use super::queue::OrderedQueue;
use super::task_output::TaskOutput;
use super::worker::{OpenInput, Worker};
use super::{Options, Summary};
use crate::container::Opening;
use crate::event::Event;
use crate::input::pause::ShortReads;

/// Scans data that is already in memory, on the calling thread: a document, an archive, a message with archives
/// attached to it. The events are those that a file with these bytes has; their path is the opening's name, or else that of the
/// hints. No thread is started, and what options say of walks and threads is let be.
///
/// ```
/// use linksift::container::Opening;
/// use linksift::files::{self, Options};
/// use std::ops::ControlFlow;
///
/// // A tar of one file.
/// let mut tar = vec![0; 512];
/// tar[..9].copy_from_slice(b"notes.txt");
/// tar[124..136].copy_from_slice(b"00000000015 ");
/// tar[148..156].fill(b' ');
/// tar[257..263].copy_from_slice(b"ustar\0");
/// let sum: u32 = tar.iter().map(|byte| u32::from(*byte)).sum();
/// tar[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
/// tar.extend(b"a example.com");
/// tar.resize(1024, 0);
///
/// let mut found = Vec::new();
/// files::sift_one(Opening::bytes(tar), &Options::new(), |event| {
///     found.extend(event.link().map(|link| (link.uri().into_owned(), link.member().map(str::to_owned))));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [("https://example.com".to_owned(), Some("notes.txt".to_owned()))]);
/// ```
pub fn sift_one<F>(opening: Opening<'_>, options: &Options, each: F) -> Summary
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

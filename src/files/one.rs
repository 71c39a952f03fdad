//! One input that is at hand already: bytes or a reader, gone through on the calling thread.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use super::visit::{self, Visit};
use super::{Archives, Options, ResumePoint, Summary};
use crate::container::{self, Opening};
use crate::event::Event;
use crate::pause::ShortReads;
use crate::stream::Buffer;

/// Reader that counts its bytes.
struct CountingReader<'c, R> {
    reader: R,
    read: &'c Cell<u64>,
}

impl<R: Read> Read for CountingReader<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(to)?;
        self.read.set(self.read.get() + len as u64);
        Ok(len)
    }
}

/// Scans data that is already in memory, on the calling thread: a document, an archive, a message with archives
/// attached to
/// it. The events are those that a file with these bytes has; their path is the opening's name, or else that of the
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
pub fn sift_one<F>(opening: Opening<'_>, options: &Options, mut each: F) -> Summary
where
    F: FnMut(Event<'_>) -> ControlFlow<()>,
{
    let Opening { name, reader, source } = opening;
    let name = match &options.hints.name {
        Some(said) if name.is_empty() => said.clone(),
        _ => name,
    };
    let shown = String::from_utf8_lossy(&name);
    let path = Path::new(&*shown);
    let (binary, read) = (visit::binary(&options.finder), &Cell::new(0));
    let len = source.as_ref().map(|source| source.len());
    // What can be read anywhere is all there.
    let pauses = options.hints.eager && source.is_none();
    let reader = Box::new(ShortReads::new(CountingReader { reader, read }, pauses));
    let resume = options.walk.resume;
    let begin = resume.map(ResumePoint::begin).unwrap_or_default();
    let declared = options.hints.declared;
    let input =
        container::WalkInput { name: &name, reader, source, is_live: false, declared, begin };
    let mut buffer = Buffer::new();
    let mut visit =
        Visit::new(options, &options.hints, &binary, path, &mut buffer, &mut each).resuming(resume);
    let mut walk =
        container::ContainerWalk::new(&options.limits, options.archives == Archives::Auto);
    walk.asked = container::FormatOverride::of(&options.hints);
    walk.input(input, &mut visit);
    let tally = visit.into_tally();
    let stored = len.filter(|_| !tally.stopped).map_or(read.get(), |len| len.max(read.get()));
    let mut summary = Summary { stored, ..Summary::default() };
    let mut is_wanted = |event: Event<'_>| each(event).is_continue();
    let is_told = !tally.stopped
        && (tally.failed || is_wanted(Event::Finished { path, links: tally.links }))
        && is_wanted(Event::Closed { path, failed: tally.failed, stored });
    if !tally.stopped {
        summary.count(&tally);
    }
    Summary { stopped: !is_told, ..summary }
}

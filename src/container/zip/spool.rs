//! A spool: a stream kept, so that it can be read anywhere.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::fault::{Fault, FaultCode};
use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::source::{FileSource, SourceRange};

/// Bytes that are kept in memory; a longer stream is kept in a file.
const MEMORY: u64 = 16 << 20;

/// The spooled stream, and the bytes that were read after it.
pub(in super::super) struct Spool {
    pub(in super::super) window: SourceRange,
    pub(in super::super) unkept: Vec<u8>,
    pub(in super::super) end: SpoolEnd,
}

/// Why no more is kept.
pub(in super::super) enum SpoolEnd {
    /// That is all.
    Whole,
    /// The stream failed.
    Unread(io::Error),
    /// The stream is longer than the limit, or the disk is full.
    TooLong(Fault),
    NoRoom(io::Error),
}

impl SpoolEnd {
    pub(in super::super) fn error(self) -> Option<io::Error> {
        match self {
            SpoolEnd::Whole => None,
            SpoolEnd::TooLong(fault) => Some(fault.into()),
            SpoolEnd::Unread(error) | SpoolEnd::NoRoom(error) => Some(error),
        }
    }
}

/// Keeps what a feed has left, in memory or in a file without a name.
pub(in super::super) fn keep(feed: &mut LookaheadReader<'_>, most: u64) -> Spool {
    let mut bytes = Vec::new();
    let in_memory =
        |bytes, end| Spool { window: SourceRange::whole(Arc::new(bytes)), unkept: Vec::new(), end };
    if let Err(error) = Read::take(&mut *feed, MEMORY).read_to_end(&mut bytes) {
        return in_memory(bytes, SpoolEnd::Unread(error));
    }
    if feed.fill().is_ok_and(<[u8]>::is_empty) {
        return in_memory(bytes, SpoolEnd::Whole);
    }
    let file = match unnamed().and_then(|mut file| file.write_all(&bytes).map(|()| file)) {
        Ok(file) => file,
        Err(error) => return in_memory(bytes, SpoolEnd::NoRoom(error)),
    };
    drop(bytes);
    in_file(feed, file, most)
}

/// Keeps the rest in a file that holds what came before.
fn in_file(feed: &mut LookaheadReader<'_>, mut file: File, most: u64) -> Spool {
    let (mut kept, mut block) = (MEMORY, vec![0; 256 << 10]);
    let mut unkept = 0;
    let end = loop {
        if kept >= most && feed.fill().is_ok_and(|held| !held.is_empty()) {
            let reason = "more than can be kept of an inner zip or store";
            break SpoolEnd::TooLong(Fault::new(FaultCode::Expansion, feed.at(), reason));
        }
        let len = match feed.read(&mut block) {
            Ok(0) => break SpoolEnd::Whole,
            Ok(len) => len,
            Err(error) => break SpoolEnd::Unread(error),
        };
        if let Err(error) = file.write_all(&block[..len]) {
            unkept = len;
            break SpoolEnd::NoRoom(error);
        }
        kept += len as u64;
    };
    block.truncate(unkept);
    let window = SourceRange::whole(Arc::new(FileSource::new(file))).part(0, kept);
    Spool { window, unkept: block, end }
}

/// A file that no one else finds, and that goes with the process.
fn unnamed() -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut tries = 0;
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("linksift-{}-{number}", process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                // Where a file that is open cannot be removed, the system clears it away.
                let _ = fs::remove_file(&path);
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

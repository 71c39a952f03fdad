//! A spool: a stream kept, so that it can be read anywhere.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::fault::{Fault, FaultCode};
use super::super::feed::{Ahead, Feed};
use super::super::source::{Stored, Window};

/// So much is kept in memory.
const MEMORY: u64 = 16 << 20;

/// Keeps what a feed has left, in memory or in a file without a name; with it what the feed failed with.
pub(super) fn keep(feed: &mut Feed<'_>, most: u64) -> io::Result<(Window, Option<io::Error>)> {
    let mut bytes = Vec::new();
    let failed = Read::take(&mut *feed, MEMORY).read_to_end(&mut bytes).err();
    if failed.is_some() || feed.fill().is_ok_and(<[u8]>::is_empty) {
        return Ok((Window::whole(Arc::new(bytes)), failed));
    }
    let mut file = unnamed()?;
    file.write_all(&bytes)?;
    drop(bytes);
    let mut failed = None;
    let mut kept = MEMORY;
    let mut block = vec![0; 256 << 10];
    loop {
        match feed.read(&mut block) {
            Ok(0) => break,
            Ok(len) => {
                kept += len as u64;
                if kept > most {
                    let reason = "more than can be kept of an inner zip";
                    failed = Some(Fault::new(FaultCode::Expansion, feed.at(), reason).into());
                    break;
                }
                file.write_all(&block[..len])?;
            }
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    Ok((Window::whole(Arc::new(Stored::new(file))), failed))
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

//! The part of a file that a run has written, with its checksum: a run that resumes reads the file once, and continues only if
//! the part is still there.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::Crc;
use serde::{Deserialize, Serialize};

use crate::reason::reason;

/// The first bytes of a file: their number and their checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptPart {
    pub(crate) len: u64,
    pub(super) sum: u32,
}

impl KeptPart {
    /// Reads this part of a file, and returns its checksum, to be continued.
    ///
    /// # Errors
    ///
    /// Returns the reason why a run cannot resume with this file.
    pub(super) fn check(self, name: &Path, file: &File) -> Result<Crc, String> {
        let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
        let not_on = |why: &str| format!("{}: cannot resume: {why}", name.display());
        if self.len > file.metadata().map_err(failed)?.len() {
            return Err(not_on("the file is shorter than what the run wrote"));
        }
        let mut crc = Crc::new();
        add(&mut crc, file, 0..self.len).map_err(failed)?;
        match crc.sum() == self.sum {
            true => Ok(crc),
            false => Err(not_on("the file is not what the run wrote")),
        }
    }
}

/// Adds the bytes of a range of a file to a checksum.
///
/// # Errors
///
/// Returns the error of the system.
pub(super) fn add(crc: &mut Crc, mut file: &File, range: std::ops::Range<u64>) -> io::Result<()> {
    file.seek(SeekFrom::Start(range.start))?;
    let mut rest = file.take(range.end - range.start);
    let mut block = vec![0; 256 << 10];
    loop {
        match rest.read(&mut block)? {
            0 => return Ok(()),
            read => crc.update(&block[..read]),
        }
    }
}

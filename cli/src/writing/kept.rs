//! The part of a file that a run has written, with its checksum: a run that resumes reads the file once, and continues only if
//! the part is still there.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
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

/// CRC-32 of the bytes so far.
#[derive(Default)]
pub(super) struct Checksum(Crc);

impl Checksum {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(super) fn sum(&self) -> u32 {
        self.0.sum()
    }

    /// Adds the bytes of a range of a file.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(super) fn add(&mut self, mut file: &File, range: Range<u64>) -> io::Result<()> {
        file.seek(SeekFrom::Start(range.start))?;
        let mut rest = file.take(range.end - range.start);
        let mut block = vec![0; 256 << 10];
        loop {
            match rest.read(&mut block)? {
                0 => return Ok(()),
                read => self.update(&block[..read]),
            }
        }
    }
}

impl KeptPart {
    /// Reads this part of a file, and returns its checksum, to be continued.
    ///
    /// # Errors
    ///
    /// Returns the reason why a run cannot resume with this file.
    pub(super) fn check(self, name: &Path, file: &File) -> Result<Checksum, String> {
        let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
        let not_on = |why: &str| format!("{}: cannot resume: {why}", name.display());
        if self.len > file.metadata().map_err(failed)?.len() {
            return Err(not_on("the file is shorter than what the run wrote"));
        }
        let mut sum = Checksum::default();
        sum.add(file, 0..self.len).map_err(failed)?;
        match sum.sum() == self.sum {
            true => Ok(sum),
            false => Err(not_on("the file is not what the run wrote")),
        }
    }
}

//! Reads the bytes of a document as a whole, within its limit and the memory that all such documents share.

use std::io::{self, ErrorKind, Read};

use crate::input::memory::MemoryShare;
use crate::limits;

/// Bytes of a document that are read before it takes more memory.
const STEP: usize = 8 << 20;

/// Bytes of a document that was read whole.
pub(crate) struct WholeBytes {
    pub(crate) bytes: Vec<u8>,
    /// Error with which its reader failed.
    pub(crate) failure: Option<io::Error>,
    /// Its part of the memory for such documents, until it was scanned.
    pub(crate) share: MemoryShare,
}

impl WholeBytes {
    /// Reads the rest of a document after the bytes that were read already, up to one byte more than the parsers take.
    pub(crate) fn read(bytes: Vec<u8>, mut reader: &mut dyn Read) -> WholeBytes {
        let share = MemoryShare::new();
        let mut whole = WholeBytes { bytes, failure: None, share };
        loop {
            let most = (limits::WHOLE_DOCUMENT + 1).saturating_sub(whole.bytes.len()).min(STEP);
            whole.share.grow(whole.bytes.len() + most);
            match (&mut reader).take(most as u64).read_to_end(&mut whole.bytes) {
                // A pause: read again, since nothing is scanned before the end.
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => whole.failure = Some(error),
                Ok(read) if read == most && whole.bytes.len() <= limits::WHOLE_DOCUMENT => continue,
                Ok(_) => {}
            }
            return whole;
        }
    }
}

//! Records whose blocks are buffered before they are scanned.

use super::super::member::Member;
use super::record::RecordHeader;

/// A record with its block in memory.
pub(in super::super) struct BufferedRecord {
    pub(super) head: RecordHeader,
    pub(super) member: Member,
    pub(super) bytes: Vec<u8>,
}

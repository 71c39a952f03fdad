//! Blocks of records that are held before they are scanned.

use super::super::member::Member;
use super::record::Head;

/// The block of a record, held.
pub(in super::super) struct Held {
    pub(super) head: Head,
    pub(super) member: Member,
    pub(super) bytes: Vec<u8>,
}

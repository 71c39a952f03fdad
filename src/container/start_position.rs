//! Start position in an archive: the beginning, or a resume point.

/// Position at which reading an archive starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StartPosition {
    /// Position in the archive's own unit: stored bytes, decompressed bytes, or entries.
    pub(super) at: u64,
    /// Rest of the budget at that position; `None` at the beginning.
    pub(super) left: Option<u64>,
}

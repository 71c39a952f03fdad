//! Where an archive is begun with: at its start, or at a place that a run was interrupted at.

/// Where an archive is begun with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Begin {
    /// As the archive counts: bytes of it, bytes that were decompressed, entries.
    pub(super) at: u64,
    /// What there was of the budget there; not said of the start.
    pub(super) left: Option<u64>,
}

//! Offsets of the components of a reference in its text: the result of a parse.

/// Offsets of the components. A component is present if its delimiter is, even if it is empty: `a:?` has a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ComponentOffsets {
    /// Offset after the scheme's colon; 0 without a scheme.
    pub(crate) hier_start: u32,
    pub(crate) host_start: u32,
    pub(crate) host_end: u32,
    /// Offset of the path; it is not `hier_start` if there is an authority.
    pub(crate) path_start: u32,
    pub(crate) path_end: u32,
    pub(crate) query_end: u32,
}

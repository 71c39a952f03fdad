//! Where the components of a reference lie in its text: what a parse gives, and all that is kept of it.

/// Offsets of the components. A delimiter makes its component present, however
/// empty: `a:?` has a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ComponentOffsets {
    /// After the scheme's colon; 0 without a scheme.
    pub(crate) hier_start: u32,
    pub(crate) host_start: u32,
    pub(crate) host_end: u32,
    /// Where the path begins; not `hier_start` if there is an authority.
    pub(crate) path_start: u32,
    pub(crate) path_end: u32,
    pub(crate) query_end: u32,
}

//! What a caller of a feed has for it.

/// What a caller of a feed has for it.
#[derive(Clone, Copy)]
pub(super) enum Arrival<'b> {
    Bytes(&'b [u8]),
    Pause,
    End,
}

impl Arrival<'_> {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Arrival::Bytes(bytes) => bytes,
            Arrival::Pause | Arrival::End => &[],
        }
    }
}

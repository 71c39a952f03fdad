//! Readers that give a document in pieces.

use std::collections::VecDeque;
use std::io::{self, Read};

/// Gives one piece a read, as far as the buffer has room.
pub(crate) struct Pieces<'t>(VecDeque<&'t [u8]>);

impl<'t> Pieces<'t> {
    /// These, but for empty ones: a read of no bytes would be the end.
    pub(crate) fn new(pieces: impl IntoIterator<Item = &'t [u8]>) -> Pieces<'t> {
        Pieces(pieces.into_iter().filter(|piece| !piece.is_empty()).collect())
    }

    /// A document that is cut at these offsets, which are in order.
    pub(crate) fn cut(document: &'t [u8], cuts: &[usize]) -> Pieces<'t> {
        let mut from = 0;
        Pieces::new(cuts.iter().chain([&document.len()]).map(|&to| {
            let piece = &document[from..to.clamp(from, document.len())];
            from += piece.len();
            piece
        }))
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.0.pop_front() else { return Ok(0) };
        let len = piece.len().min(buffer.len());
        buffer[..len].copy_from_slice(&piece[..len]);
        if len < piece.len() {
            self.0.push_front(&piece[len..]);
        }
        Ok(len)
    }
}

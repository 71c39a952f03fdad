//! Columns in characters or units of UTF-16, of stored bytes in any encoding.
//!
//! Takes the bytes of a document one after the other; gives the number of units since the last line end. Bytes in another encoding than
//! UTF-8 are decoded for it. A malformed sequence is one unit.

use crate::charset::Charset;
#[cfg(feature = "documents")]
use crate::charset::LegacyDecoder;
use crate::offsets::Unit;
#[cfg(feature = "documents")]
use crate::source_map::SourceMap;

/// Number of bytes that are decoded at once.
#[cfg(feature = "documents")]
const PIECE: usize = 64 << 10;

/// Counts units from one requested offset to the next.
#[derive(Clone, Debug)]
pub(super) struct ColumnCounter {
    unit: Unit,
    #[cfg(feature = "documents")]
    decoder: Option<LegacyDecoder>,
    /// Bytes of a character that is not complete yet.
    #[cfg(feature = "documents")]
    cut: Vec<u8>,
}

impl ColumnCounter {
    #[cfg_attr(not(feature = "documents"), allow(unused_variables, reason = "there is only UTF-8"))]
    pub(super) fn new(unit: Unit, charset: Charset) -> ColumnCounter {
        ColumnCounter {
            unit,
            #[cfg(feature = "documents")]
            decoder: charset.layout().map(|layout| LegacyDecoder::new(charset.encoding(), layout)),
            #[cfg(feature = "documents")]
            cut: Vec::new(),
        }
    }

    /// Counts the next stored bytes; `units` is their number since the last line end.
    pub(super) fn count(&mut self, stored: &[u8], units: &mut u64) {
        #[cfg(feature = "documents")]
        if let Some(decoder) = &mut self.decoder {
            let (mut text, mut cut) = (Vec::new(), std::mem::take(&mut self.cut));
            for piece in stored.chunks(PIECE) {
                cut.extend_from_slice(piece);
                text.clear();
                let mut map = SourceMap::default();
                let decoded = decoder.decode(&cut, 0, false, &mut text, &mut map);
                cut.drain(..decoded);
                *units = after(*units, &text, self.unit);
            }
            self.cut = cut;
            return;
        }
        *units = after(*units, stored, self.unit);
    }
}

/// Returns the number of units since the last line end after a text; there were so many before it.
fn after(units: u64, text: &[u8], unit: Unit) -> u64 {
    match memchr::memrchr2(b'\n', b'\r', text) {
        Some(end) => unit.count(&text[end + 1..]) as u64,
        None => units + unit.count(text) as u64,
    }
}

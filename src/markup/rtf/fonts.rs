//! Code pages of an RTF document and of its fonts.

use std::collections::HashMap;

use crate::charset::Charset;

/// Maximum number of fonts whose code pages are known.
const MAX_FONTS: usize = 1 << 14;

/// Code pages of the document and of its fonts.
pub(super) struct FontTable {
    /// Code page of the document.
    pub(super) document: Charset,
    fonts: HashMap<i32, Charset>,
    /// Font that the table of fonts defines at this place.
    pub(super) defined: i32,
}

impl FontTable {
    pub(super) fn new() -> FontTable {
        FontTable { document: Charset::WINDOWS_1252, fonts: HashMap::new(), defined: 0 }
    }

    pub(super) fn set_document(&mut self, page: u32) {
        self.document = Charset::of_code_page(page).unwrap_or(self.document);
    }

    /// Returns the code page of a font, if it is known.
    pub(super) fn charset(&self, font: i32) -> Option<Charset> {
        self.fonts.get(&font).copied()
    }

    /// Sets the code page of the font that is being defined.
    pub(super) fn define(&mut self, page: Option<u32>) {
        let is_known = self.fonts.len() < MAX_FONTS || self.fonts.contains_key(&self.defined);
        if let Some(charset) = page.and_then(Charset::of_code_page).filter(|_| is_known) {
            self.fonts.insert(self.defined, charset);
        }
    }
}

/// Returns the code page of a font with this `\fcharset`; `None` for that of the document.
pub(super) fn code_page_of(charset: i32) -> Option<u32> {
    Some(match charset {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}

//! Running text of a page: what is open of it between two of its runs.

use super::repeats::TextTarget;
use super::stored_text::StoredText;
use crate::document::window::TextWindow;
use crate::input::chunk::Chunk;
use crate::markup::{Rules, TextToken};
use crate::notation::Notation;
use crate::scan::prefilter::TextPrefilter;
use crate::source_map::MappedText;

/// Running text of a page that is being scanned, or was scanned last.
#[derive(Clone, Default)]
pub(super) struct RunningText {
    /// Decoded text.
    pub(super) window: TextWindow,
    /// Scan of texts in a legacy charset that need not be decoded as a whole.
    pub(super) stored: Option<Box<StoredText>>,
    /// Searches for triggers in the texts of the source.
    pub(super) prefilter: Option<TextPrefilter>,
    /// Set while the text continues: whether it is in a link.
    pub(super) is_open: bool,
    pub(super) is_in_link: bool,
    /// How the text in the window is written in the page.
    pub(super) notation: Notation,
    /// Whether it is JSON.
    pub(super) is_json: bool,
    /// The link whose text is being processed.
    pub(super) target: TextTarget,
}

impl RunningText {
    /// Returns the scan of the open text, if it is scanned as stored.
    pub(super) fn open_stored(&self) -> Option<&StoredText> {
        self.stored.as_deref().filter(|stored| stored.is_open())
    }

    fn open_stored_mut(&mut self) -> Option<&mut StoredText> {
        self.stored.as_deref_mut().filter(|stored| stored.is_open())
    }

    /// Returns `true` if the open text is scanned as stored.
    pub(super) fn is_stored(&self) -> bool {
        self.open_stored().is_some()
    }

    /// Prepares for the loss of the bytes before an offset.
    pub(super) fn release(&mut self, chunk: Chunk<'_>, offset: usize) {
        if let Some(stored) = self.open_stored_mut() {
            stored.release(chunk, offset);
        }
    }

    /// Returns the start of the text that is not decided yet.
    pub(super) fn undecided(&mut self, max_link: usize) -> Option<usize> {
        match self.is_open {
            true => match self.open_stored_mut() {
                Some(stored) => Some(stored.needed()),
                None => self.window.undecided(max_link),
            },
            false => None,
        }
    }

    /// Returns the start of a candidate that is too long to be kept.
    pub(super) fn long_start(&self) -> Option<usize> {
        let stored = self.open_stored().and_then(StoredText::long_start);
        stored.or(self.window.long_start())
    }

    /// Puts a complete text, in which all is resolved, into the window.
    pub(super) fn hold(&mut self, text: &MappedText<'_>) {
        self.is_json = false;
        self.window.hold(text);
    }

    /// Notes how the text is written that comes into the window. Pieces that are joined must be written alike.
    pub(super) fn note_notation(&mut self, text: &TextToken) {
        // An empty piece only says that the text has ended, maybe after its element.
        if text.joined && text.range.is_empty() {
            return;
        }
        self.is_json = text.rules == Rules::Json;
        let notation = Notation::of(text.rules);
        self.notation = match text.joined && self.notation != notation {
            true => Notation::UNWRITABLE,
            false => notation,
        };
    }
}

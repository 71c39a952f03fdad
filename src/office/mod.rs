//! Old Office: Word, Excel and PowerPoint before 2007, as pieces.
//!
//! The input is a compound file in memory, the result its pieces, stream by stream: the streams say what the file is.
//! `compound` reads streams, `word`, `sheet` and `slides` their texts and links, `properties` the sets of properties. A
//! document that is embedded in another one is read in place, as its streams are; other embedded files are files.

mod compound;
mod embedded;
mod formula;
mod hyperlink;
mod item;
mod message;
mod properties;
mod rtf;
mod sheet;
mod slides;
mod store;
mod text;
mod word;

use std::collections::VecDeque;

use crate::notice::{Notice, Notices};
use crate::piece::DocumentPiece;
use compound::{CompoundEntry, CompoundFile};
use store::StoreReader;
#[cfg(feature = "files")]
pub(crate) use store::{StoredMessage, StoredMessages, is_store};

/// Reader of a document.
#[derive(Clone, Debug)]
pub(crate) struct OfficeReader<'b> {
    /// Compound file; `None` for a document of Word 2, which has no streams.
    file: Option<CompoundFile<'b>>,
    /// Store of messages.
    store: Option<StoreReader<'b>>,
    /// Number of streams that were read.
    read: usize,
    pieces: VecDeque<DocumentPiece>,
    notices: Notices,
    is_read: bool,
}

/// Reason for which a stream is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unread {
    Encrypted,
    Damaged,
}

impl<'b> OfficeReader<'b> {
    /// Opens a document; `None` if it is not a compound file with a document in it.
    pub(crate) fn new(bytes: &'b [u8]) -> Option<OfficeReader<'b>> {
        if store::is_store(bytes) {
            return Some(OfficeReader::of_store(bytes));
        }
        let mut reader = OfficeReader::of(CompoundFile::open(bytes));
        let is_document = |entry: &CompoundEntry| {
            matches!(
                &*entry.name,
                "WordDocument"
                    | "Workbook"
                    | "Book"
                    | "PowerPoint Document"
                    | "EncryptedPackage"
                    | message::PROPERTIES
            )
        };
        match &reader.file {
            Some(file) => file.entries().iter().any(is_document).then_some(reader),
            None if compound::u16_at(bytes, 0) == Some(word::WORD_2) => {
                let pieces = word::read(bytes, |_| None).map(|text| text.into_pieces("document"));
                reader.add(pieces);
                Some(reader)
            }
            None => None,
        }
    }

    /// Creates a reader of a message that was read of a store.
    #[cfg(feature = "files")]
    pub(crate) fn of_message(message: StoredMessage) -> OfficeReader<'static> {
        let StoredMessage { piece, notices, .. } = message;
        OfficeReader { pieces: [piece].into(), notices, ..OfficeReader::of(None) }
    }

    fn of_store(bytes: &'b [u8]) -> OfficeReader<'b> {
        let mut reader = OfficeReader::of(None);
        reader.store = StoreReader::open(bytes);
        if reader.store.is_none() {
            reader.notices.add(Notice::StoreUnread);
        }
        reader
    }

    fn of(file: Option<CompoundFile<'b>>) -> OfficeReader<'b> {
        OfficeReader {
            file,
            store: None,
            read: 0,
            pieces: VecDeque::new(),
            notices: Notices::default(),
            is_read: false,
        }
    }

    /// Returns the notices so far.
    pub(crate) fn notices(&self) -> &[Notice] {
        self.notices.as_slice()
    }

    /// Returns `true` if nothing could be read.
    pub(crate) fn is_unread(&self) -> bool {
        !self.is_read
    }

    /// Returns the next piece.
    pub(crate) fn next(&mut self) -> Option<DocumentPiece> {
        if let Some(store) = &mut self.store {
            let message = store.next();
            let (is_damaged, is_limited) = (store.is_damaged(), store.is_limited());
            self.tell(is_damaged, is_limited);
            self.is_read = true;
            return message.map(text::message);
        }
        while self.pieces.is_empty() {
            let file = self.file.as_ref()?;
            let entry = file.entries().get(self.read)?;
            let pieces = stream(file, entry);
            let (is_damaged, is_limited) = (file.is_damaged(), file.is_limited());
            self.tell(is_damaged, is_limited);
            self.read += 1;
            self.add(pieces);
        }
        self.is_read = true;
        self.pieces.pop_front()
    }

    fn tell(&mut self, is_damaged: bool, is_limited: bool) {
        self.notices.add_all(told(is_damaged, is_limited));
    }

    fn add(&mut self, pieces: Result<Vec<DocumentPiece>, Unread>) {
        match pieces {
            Ok(pieces) => self.pieces.extend(pieces),
            Err(Unread::Encrypted) => self.notices.add(Notice::OfficeEncrypted),
            Err(Unread::Damaged) => self.notices.add(Notice::OfficeDamaged),
        }
    }
}

/// Returns the notices about what was left out.
fn told(is_damaged: bool, is_limited: bool) -> &'static [Notice] {
    match (is_damaged, is_limited) {
        (false, false) => &[],
        (true, false) => &[Notice::OfficeDamaged],
        (false, true) => &[Notice::OfficeLimit],
        (true, true) => &[Notice::OfficeDamaged, Notice::OfficeLimit],
    }
}

/// Returns the pieces of a stream.
fn stream(file: &CompoundFile<'_>, entry: &CompoundEntry) -> Result<Vec<DocumentPiece>, Unread> {
    let object = entry.path();
    let read = || file.read(entry);
    Ok(match &*entry.name {
        "WordDocument" => {
            let table = |name: &str| file.stream(&entry.storage, name);
            let text = word::read(&read(), table)?;
            if text.is_limited {
                file.set_limited();
            }
            text.into_pieces(&object)
        }
        "Workbook" | "Book" => sheet::read(&read(), &object)?,
        "PowerPoint Document" if has_encrypted_slides(file, entry) => {
            return Err(Unread::Encrypted);
        }
        "PowerPoint Document" => slides::read(&read(), &object),
        "EncryptedPackage" => return Err(Unread::Encrypted),
        message::PROPERTIES if entry.storage.is_empty() => {
            vec![text::message(message::read(file).into_message(None))]
        }
        name @ ("\u{5}SummaryInformation" | "\u{5}DocumentSummaryInformation") => {
            let text = properties::read(&read(), name == "\u{5}SummaryInformation");
            vec![text::property(&object, text)]
        }
        "\u{1}Ole10Native" => {
            let stream = read();
            let file = embedded::package(&stream).map(|(name, bytes)| (name, bytes.to_vec()));
            file.map(|(name, bytes)| text::file(&object, name, bytes)).into_iter().collect()
        }
        "Package" | "CONTENTS" => {
            let name = entry.storage.trim_end_matches('/').to_owned();
            vec![text::file(&object, name, read())]
        }
        _ => Vec::new(),
    })
}

/// Returns `true` if the slides beside this stream are encrypted ([MS-PPT] §2.3.2).
fn has_encrypted_slides(file: &CompoundFile<'_>, entry: &CompoundEntry) -> bool {
    let user = file.stream(&entry.storage, "Current User").unwrap_or_default();
    compound::u32_at(&user, 12) == Some(0xF3D1_C4DF)
}

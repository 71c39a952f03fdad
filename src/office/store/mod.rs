//! Stores of messages of Outlook ([MS-PST]): `.pst`, and `.ost` up to Outlook 2010.
//!
//! The tree of nodes lists all messages with their folders, so neither the tables of folders nor those of messages are
//! read: a store is read even if they are damaged. `bytes` are those of the store, `nodes` reads nodes and blocks, `heap` the properties
//! of a node.

mod bytes;
mod cipher;
mod heap;
mod nodes;

use std::fmt::Write;
#[cfg(feature = "files")]
use std::io;
use std::sync::Arc;

use super::item::{ItemAttachment, MailItem};
use crate::charset::Charset;
#[cfg(feature = "files")]
use crate::notice::Notices;
#[cfg(feature = "files")]
use crate::piece::DocumentPiece;
use crate::piece::PieceContent;
#[cfg(feature = "files")]
use bytes::ReadAt;
use bytes::StoreBytes;
use heap::NodeHeap;
use nodes::{StoreIndex, StoreNode, StoreNodes};

/// First bytes of a store.
const MAGIC: &[u8] = b"!BDN";
/// Types of nodes, in their lowest five bits.
const TYPE: u32 = 0x1F;
const MESSAGE: u32 = 4;
const ATTACHMENT: u32 = 5;
/// Node of a message that lists its recipients.
const RECIPIENTS: u32 = 0x692;
/// The folder around all others.
const ROOT: u32 = 0x122;
/// Name of a folder, and the message of an attachment.
const NAME: u16 = 0x3001;
const ITEM: u16 = 0x3701;
/// Maximum number of messages in each other, and of folders.
const MAX_MESSAGES: usize = 16;
const MAX_FOLDERS: usize = 64;

/// Reader of a store in memory.
#[derive(Clone, Debug)]
pub(super) struct StoreReader<'b> {
    items: StoreItems<'b>,
    /// Folders and numbers of messages that are not read yet.
    messages: std::vec::IntoIter<(u32, u32)>,
    /// Folder of the last message, and its path.
    folder: Option<(u32, String)>,
}

/// Returns `true` if the bytes begin like a store.
pub(crate) fn is_store(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl<'b> StoreReader<'b> {
    /// Opens a store; `None` if its version is not known.
    pub(super) fn open(bytes: &'b [u8]) -> Option<StoreReader<'b>> {
        let index = StoreIndex::open(StoreBytes::Memory(bytes), &|| false).ok()??;
        let messages = index.messages().into_iter();
        let items = StoreItems { nodes: StoreNodes::in_memory(Arc::new(index)) };
        Some(StoreReader { items, messages, folder: None })
    }

    pub(super) fn is_damaged(&self) -> bool {
        self.items.nodes.is_damaged()
    }

    pub(super) fn is_limited(&self) -> bool {
        self.items.nodes.is_limited()
    }

    /// Returns the next message.
    pub(super) fn next(&mut self) -> Option<PieceContent> {
        let (folder, number) = self.messages.next()?;
        self.items.nodes.begin_message();
        if self.folder.as_ref().is_none_or(|(known, _)| *known != folder) {
            self.folder = Some((folder, self.items.path(folder)));
        }
        let path = self.folder.as_ref().map(|(_, path)| &**path).unwrap_or_default();
        let member = if path.is_empty() { number.to_string() } else { format!("{path}!{number}") };
        self.items.message(number, Some(member))
    }
}

/// Messages of a store that is read where its bytes are needed, by any thread.
#[derive(Clone, Debug)]
#[cfg(feature = "files")]
pub(crate) struct StoredMessages {
    index: Arc<StoreIndex<'static>>,
}

/// Message of a store, composed.
#[derive(Debug)]
#[cfg(feature = "files")]
pub(crate) struct StoredMessage {
    pub(crate) piece: DocumentPiece,
    /// What could not be read of it.
    pub(crate) notices: Notices,
    /// Number of bytes of the store that were read for it.
    pub(crate) read: u64,
    /// Why some of it could not be read.
    pub(crate) failure: Option<io::Error>,
}

#[cfg(feature = "files")]
impl StoredMessages {
    /// Reads the index of a store of `len` bytes; `None` if its version is not known. `is_stopped` ends it early. The
    /// index is that of the pages that could be read; the error of the first other one comes with it.
    pub(crate) fn open(
        read_at: Arc<ReadAt>,
        len: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> io::Result<Option<(StoredMessages, Option<io::Error>)>> {
        let index = StoreIndex::open(StoreBytes::Source(read_at, len), is_stopped)?;
        Ok(index.map(|mut index| {
            let failure = index.take_failure();
            (StoredMessages { index: Arc::new(index) }, failure)
        }))
    }

    /// Returns `true` if some of the index could not be read.
    pub(crate) fn is_damaged(&self) -> bool {
        self.index.is_damaged()
    }

    /// Returns folder and number of each message, in their order.
    pub(crate) fn list(&self) -> Vec<(u32, u32)> {
        self.index.messages()
    }

    /// Maximum number of bytes that are read for the paths of all folders.
    pub(crate) fn most_of_folders(&self) -> u64 {
        self.index.most_shared()
    }

    /// Returns the path of a folder, whose names are escaped, the number of bytes that were read for it, at most `most`, and
    /// whether that were too few.
    pub(crate) fn folder(&self, folder: u32, most: u64) -> (String, u64, bool) {
        let items = StoreItems { nodes: StoreNodes::new(Arc::clone(&self.index), most) };
        let path = items.path(folder);
        (path, most - items.nodes.left(), items.nodes.is_limited())
    }

    /// Reads a message, for which at most `most` bytes of the store are read.
    pub(crate) fn message(&self, number: u32, most: u64) -> Option<StoredMessage> {
        let items = StoreItems { nodes: StoreNodes::new(Arc::clone(&self.index), most) };
        let piece = super::text::message(items.message(number, None)?);
        let nodes = &items.nodes;
        let mut notices = Notices::default();
        notices.add_all(super::told(nodes.is_broken(), nodes.is_limited()));
        let (read, failure) = (most - nodes.left(), nodes.take_failure());
        Some(StoredMessage { piece, notices, read, failure })
    }
}

/// Messages and folders, as the nodes of a store.
#[derive(Clone, Debug)]
struct StoreItems<'b> {
    nodes: StoreNodes<'b>,
}

impl<'b> StoreItems<'b> {
    /// Composes a message; `member` is its name.
    fn message(&self, number: u32, member: Option<String>) -> Option<PieceContent> {
        let node = *self.nodes.index.nodes.get(&number)?;
        Some(self.item(&NodeHeap::of(&self.nodes, node), MAX_MESSAGES).into_message(member))
    }

    /// Returns the names of a folder and those around it, below the top of the personal folders.
    fn path(&self, mut folder: u32) -> String {
        let mut names = Vec::new();
        while let Some(node) = self.nodes.index.nodes.get(&folder).filter(|_| folder != ROOT)
            && names.len() < MAX_FOLDERS
        {
            let properties = NodeHeap::of(&self.nodes, *node).properties();
            let name = properties.text(NAME, Charset::WINDOWS_1252).unwrap_or_default();
            names.push(escaped(&name));
            if node.parent == folder {
                break;
            }
            folder = node.parent;
        }
        names.pop();
        names.reverse();
        names.join("/")
    }

    fn item(&self, heap: &NodeHeap<'_, 'b>, depth: usize) -> MailItem {
        let attached = heap.inner.iter().filter(|(number, _)| *number & TYPE == ATTACHMENT);
        let attachments = attached.map(|(_, node)| self.attachment(*node, depth)).collect();
        let recipients = heap.inner.get(&RECIPIENTS);
        let recipients = recipients.map(|node| NodeHeap::of(&self.nodes, *node).rows());
        let recipients = recipients.unwrap_or_default();
        MailItem { properties: heap.properties(), recipients, attachments }
    }

    fn attachment(&self, node: StoreNode, depth: usize) -> ItemAttachment {
        let heap = NodeHeap::of(&self.nodes, node);
        let properties = heap.properties();
        let inner = properties.object(ITEM).and_then(|number| heap.inner.get(&number));
        let item = inner
            .filter(|_| depth > 0)
            .map(|node| self.item(&NodeHeap::of(&self.nodes, *node), depth - 1));
        ItemAttachment { properties, item }
    }
}

/// Returns the name of a folder as a step of a path: `%`, `/`, `!` and controls are percent-encoded.
fn escaped(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '%' | '/' | '!' | '\0'..='\x1F' | '\x7F' => {
                _ = write!(escaped, "%{:02X}", u32::from(c))
            }
            _ => escaped.push(c),
        }
    }
    escaped
}

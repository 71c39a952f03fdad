//! Stores of messages of Outlook ([MS-PST]): `.pst`, and `.ost` up to Outlook 2010.
//!
//! The tree of nodes lists all messages with their folders, so neither the tables of folders nor those of messages are
//! read: a store is read even if they are damaged. `bytes` are those of the store, `nodes` reads nodes and blocks, `heap` the properties
//! of a node.

mod bytes;
mod cipher;
mod heap;
mod nodes;

use super::item::{ItemAttachment, MailItem};
use crate::charset::Charset;
use crate::piece::PieceContent;
pub(crate) use bytes::ReadAt;
pub(super) use bytes::StoreBytes;
use heap::NodeHeap;
use nodes::{StoreNode, StoreNodes};

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

/// Reader of a store.
#[derive(Clone, Debug)]
pub(super) struct StoreReader<'b> {
    nodes: StoreNodes<'b>,
    /// Folders and numbers of messages that are not read yet.
    messages: std::vec::IntoIter<(u32, u32)>,
    /// Folder of the last message, and its path.
    folder: Option<(u32, String)>,
}

/// Returns `true` if the bytes begin like a store.
pub(super) fn is_store(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl<'b> StoreReader<'b> {
    /// Opens a store; `None` if its version is not known.
    pub(super) fn open(bytes: StoreBytes<'b>) -> Option<StoreReader<'b>> {
        let nodes = StoreNodes::open(bytes)?;
        let messages = nodes.nodes.iter().filter(|(number, _)| *number & TYPE == MESSAGE);
        let mut messages: Vec<_> = messages.map(|(number, node)| (node.parent, *number)).collect();
        messages.sort_unstable();
        Some(StoreReader { nodes, messages: messages.into_iter(), folder: None })
    }

    pub(super) fn is_damaged(&self) -> bool {
        self.nodes.is_damaged()
    }

    pub(super) fn is_limited(&self) -> bool {
        self.nodes.is_limited()
    }

    /// Returns the next message.
    pub(super) fn next(&mut self) -> Option<PieceContent> {
        let (folder, number) = self.messages.next()?;
        self.nodes.begin_message();
        let node = *self.nodes.nodes.get(&number)?;
        if self.folder.as_ref().is_none_or(|(known, _)| *known != folder) {
            self.folder = Some((folder, self.path(folder)));
        }
        let path = self.folder.as_ref().map(|(_, path)| &**path).unwrap_or_default();
        let member = if path.is_empty() { number.to_string() } else { format!("{path}!{number}") };
        Some(self.item(&NodeHeap::of(&self.nodes, node), MAX_MESSAGES).into_message(Some(member)))
    }

    /// Returns the names of a folder and those around it, below the top of the personal folders.
    fn path(&self, mut folder: u32) -> String {
        let mut names = Vec::new();
        while let Some(node) = self.nodes.nodes.get(&folder).filter(|_| folder != ROOT)
            && names.len() < MAX_FOLDERS
        {
            let properties = NodeHeap::of(&self.nodes, *node).properties();
            let name = properties.text(NAME, Charset::WINDOWS_1252).unwrap_or_default();
            names.push(name.replace('%', "%25").replace('/', "%2F").replace('!', "%21"));
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

//! Nodes and blocks of a store ([MS-PST] §2.2): two trees of pages lead from identifiers to nodes and to blocks.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::bytes::StoreBytes;
use super::cipher::BlockCipher;
use super::{MESSAGE, TYPE};
use crate::limits;
use crate::office::compound::{u16_at, u32_at};

/// Length in bytes of the header.
const HEADER: usize = 564;
/// Length in bytes of a page.
const PAGE: usize = 512;
/// Maximum depth of trees of pages, of lists of blocks, and of lists of inner nodes.
const MAX_LEVELS: u8 = 8;
/// Nodes may share blocks: how many times the length of the file they may be together.
const MAX_SHARED: u64 = 8;

/// Node: its data, its inner nodes, the node around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoreNode {
    pub(super) data: u64,
    pub(super) inner: u64,
    pub(super) parent: u32,
}

/// Index of a store: where its nodes and blocks are.
#[derive(Debug)]
pub(super) struct StoreIndex<'b> {
    bytes: StoreBytes<'b>,
    /// Whether identifiers and offsets have 64 bits.
    is_wide: bool,
    cipher: BlockCipher,
    pub(super) nodes: BTreeMap<u32, StoreNode>,
    /// Offset and length of each block.
    blocks: HashMap<u64, (u64, u16)>,
    is_damaged: bool,
    /// Error of the first page that could not be read.
    failure: Option<io::Error>,
}

impl<'b> StoreIndex<'b> {
    /// Reads the index of a store; `None` if its version is not known. `is_stopped` ends it early.
    pub(super) fn open(
        bytes: StoreBytes<'b>,
        is_stopped: &dyn Fn() -> bool,
    ) -> io::Result<Option<StoreIndex<'b>>> {
        let Some(header) = bytes.up_to(HEADER)? else { return Ok(None) };
        let Some((is_wide, cipher, roots)) = heading(&header) else { return Ok(None) };
        let mut pages = bytes.len() / PAGE as u64 + 1;
        let mut index = StoreIndex {
            is_wide,
            cipher,
            nodes: BTreeMap::new(),
            blocks: HashMap::new(),
            is_damaged: false,
            failure: None,
            bytes,
        };
        for root in roots {
            index.read_tree(root, MAX_LEVELS, &mut pages, is_stopped);
        }
        Ok(Some(index))
    }

    /// Maximum number of bytes of blocks that are read, since nodes may share them.
    pub(super) fn most_shared(&self) -> u64 {
        self.bytes.len().saturating_mul(MAX_SHARED)
    }

    /// Returns `true` if some of it could not be read.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Returns folder and number of each message, in their order.
    pub(super) fn messages(&self) -> Vec<(u32, u32)> {
        let messages = self.nodes.iter().filter(|(number, _)| *number & TYPE == MESSAGE);
        let mut messages: Vec<_> = messages.map(|(number, node)| (node.parent, *number)).collect();
        messages.sort_unstable();
        messages
    }

    /// Takes the error of the first page that could not be read.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Returns an identifier or an offset.
    fn number(&self, bytes: &[u8], at: usize) -> Option<u64> {
        number(bytes, at, self.is_wide)
    }

    /// Length in bytes of an identifier or an offset.
    fn width(&self) -> usize {
        if self.is_wide { 8 } else { 4 }
    }

    /// Reads the tree below a page.
    fn read_tree(
        &mut self,
        offset: u64,
        levels: u8,
        pages: &mut u64,
        is_stopped: &dyn Fn() -> bool,
    ) {
        let page = self.bytes.get(offset, PAGE).unwrap_or_else(|error| {
            self.failure.get_or_insert(error);
            None
        });
        let counted = pages.checked_sub(1).filter(|_| !is_stopped());
        let (Some(page), Some(left)) = (page, counted) else {
            self.is_damaged = true;
            return;
        };
        *pages = left;
        let (width, tail) = (self.width(), if self.is_wide { 488 } else { 496 });
        let (count, len, level) =
            (usize::from(page[tail]), usize::from(page[tail + 2]), page[tail + 3]);
        let kind = page[if self.is_wide { 496 } else { 500 }];
        for entry in page[..tail].chunks_exact(len.max(3 * width)).take(count) {
            let number = |at: usize| self.number(entry, at * width);
            let (Some(key), Some(first), Some(second)) = (number(0), number(1), number(2)) else {
                return;
            };
            match kind {
                0x80 | 0x81 if level > 0 && levels > 0 => {
                    self.read_tree(second, levels - 1, pages, is_stopped);
                }
                0x80 if level == 0 => {
                    let len = u16_at(entry, 2 * width).unwrap_or_default();
                    self.blocks.insert(key & !1, (first, len));
                }
                0x81 if level == 0 => {
                    let parent = u32_at(entry, 3 * width).unwrap_or_default();
                    self.nodes.insert(key as u32, StoreNode { data: first, inner: second, parent });
                }
                _ => self.is_damaged = true,
            }
        }
    }
}

/// Returns the width of identifiers, the cipher and the roots of both trees; `None` if the version is not known.
fn heading(header: &[u8]) -> Option<(bool, BlockCipher, [u64; 2])> {
    let is_wide = match u16_at(header, 10)? {
        14 | 15 => false,
        // Later versions have pages of 4 KiB.
        23 => true,
        _ => return None,
    };
    let cipher = BlockCipher::of(*header.get(if is_wide { 513 } else { 461 })?)?;
    let (nodes, blocks) = if is_wide { (224, 240) } else { (188, 196) };
    let root = |at: usize| number(header, at, is_wide);
    Some((is_wide, cipher, [root(nodes)?, root(blocks)?]))
}

/// Reader of the nodes of a store.
#[derive(Clone, Debug)]
pub(super) struct StoreNodes<'b> {
    pub(super) index: Arc<StoreIndex<'b>>,
    /// Bytes of blocks that may still be read, in all and for one message.
    left: Cell<u64>,
    left_of_message: Cell<u64>,
    is_damaged: Cell<bool>,
    is_limited: Cell<bool>,
    /// Error of the first block that could not be read.
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl<'b> StoreNodes<'b> {
    /// Creates a reader of at most `left` bytes.
    pub(super) fn new(index: Arc<StoreIndex<'b>>, left: u64) -> StoreNodes<'b> {
        let nodes = StoreNodes {
            index,
            left: Cell::new(left),
            left_of_message: Cell::new(0),
            is_damaged: Cell::new(false),
            is_limited: Cell::new(false),
            failure: Arc::default(),
        };
        nodes.begin_message();
        nodes
    }

    /// Creates a reader of a store in memory.
    pub(super) fn in_memory(index: Arc<StoreIndex<'b>>) -> StoreNodes<'b> {
        let left = index.most_shared();
        StoreNodes::new(index, left)
    }

    /// Begins with the next message, which may have as many bytes as a document in memory.
    pub(super) fn begin_message(&self) {
        self.left_of_message.set(limits::WHOLE_DOCUMENT as u64);
    }

    /// Number of bytes of blocks that may still be read.
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Returns `true` if some of the store could not be read.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_broken() || self.index.is_damaged
    }

    /// Returns `true` if some of what this reader wanted could not be read.
    pub(super) fn is_broken(&self) -> bool {
        self.is_damaged.get()
    }

    pub(super) fn is_limited(&self) -> bool {
        self.is_limited.get()
    }

    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn set_damaged(&self) {
        self.is_damaged.set(true);
    }

    /// Returns an identifier or an offset.
    fn number(&self, bytes: &[u8], at: usize) -> Option<u64> {
        self.index.number(bytes, at)
    }

    /// Returns a block as it is stored.
    fn stored(&self, block: u64) -> Option<Cow<'b, [u8]>> {
        let (start, len) = *self.index.blocks.get(&(block & !1))?;
        for left in [&self.left, &self.left_of_message] {
            let rest = left.get().checked_sub(len.into());
            self.is_limited.set(self.is_limited.get() || rest.is_none());
            left.set(rest?);
        }
        self.index.bytes.get(start, len.into()).unwrap_or_else(|error| {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            None
        })
    }

    /// Returns the blocks of a node's data, in order.
    pub(super) fn data(&self, block: u64) -> Vec<Vec<u8>> {
        let mut read = Vec::new();
        if block != 0 && self.add_data(block, MAX_LEVELS, &mut read).is_none() {
            self.is_damaged.set(true);
        }
        read
    }

    fn add_data(&self, block: u64, levels: u8, read: &mut Vec<Vec<u8>>) -> Option<()> {
        let bytes = self.stored(block)?;
        if block & 2 == 0 {
            let mut bytes = bytes.into_owned();
            self.index.cipher.decode(&mut bytes, block);
            read.push(bytes);
            return Some(());
        }
        let count = usize::from(u16_at(&bytes, 2)?);
        let list = bytes.get(8..).filter(|_| bytes[0] == 1 && levels > 0)?;
        for entry in list.chunks_exact(self.index.width()).take(count) {
            self.add_data(self.number(entry, 0)?, levels - 1, read)?;
        }
        Some(())
    }

    /// Returns the inner nodes of a node.
    pub(super) fn inner(&self, block: u64) -> BTreeMap<u32, StoreNode> {
        let mut nodes = BTreeMap::new();
        if block != 0 && self.add_inner(block, MAX_LEVELS, &mut nodes).is_none() {
            self.is_damaged.set(true);
        }
        nodes
    }

    fn add_inner(
        &self,
        block: u64,
        levels: u8,
        nodes: &mut BTreeMap<u32, StoreNode>,
    ) -> Option<()> {
        let bytes = self.stored(block)?;
        let (width, count) = (self.index.width(), usize::from(u16_at(&bytes, 2)?));
        let list = bytes.get(width..).filter(|_| bytes[0] == 2 && levels > 0)?;
        let is_leaf = bytes[1] == 0;
        for entry in list.chunks_exact(if is_leaf { 3 * width } else { 2 * width }).take(count) {
            let (key, data) = (self.number(entry, 0)?, self.number(entry, width)?);
            match is_leaf {
                true => {
                    let inner = self.number(entry, 2 * width)?;
                    nodes.insert(key as u32, StoreNode { data, inner, parent: 0 });
                }
                false => self.add_inner(data, levels - 1, nodes)?,
            }
        }
        Some(())
    }
}

/// Returns an identifier or an offset, of 64 or of 32 bits.
fn number(bytes: &[u8], at: usize, is_wide: bool) -> Option<u64> {
    match is_wide {
        true => bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes),
        false => u32_at(bytes, at).map(u64::from),
    }
}

//! Nodes and blocks of a store ([MS-PST] §2.2): two trees of pages lead from identifiers to nodes and to blocks.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use super::bytes::StoreBytes;
use super::cipher::BlockCipher;
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

/// Nodes of a store.
#[derive(Clone, Debug)]
pub(super) struct StoreNodes<'b> {
    bytes: StoreBytes<'b>,
    /// Whether identifiers and offsets have 64 bits.
    is_wide: bool,
    cipher: BlockCipher,
    pub(super) nodes: BTreeMap<u32, StoreNode>,
    /// Offset and length of each block.
    blocks: HashMap<u64, (u64, u16)>,
    /// Bytes of blocks that may still be read, in all and for one message.
    left: Cell<u64>,
    left_of_message: Cell<u64>,
    is_damaged: Cell<bool>,
    is_limited: Cell<bool>,
}

impl<'b> StoreNodes<'b> {
    /// Opens a store; `None` if its version is not known.
    pub(super) fn open(bytes: StoreBytes<'b>) -> Option<StoreNodes<'b>> {
        let header = bytes.up_to(HEADER)?;
        let is_wide = match u16_at(&header, 10)? {
            14 | 15 => false,
            // Later versions have pages of 4 KiB.
            23 => true,
            _ => return None,
        };
        let cipher = BlockCipher::of(*header.get(if is_wide { 513 } else { 461 })?)?;
        let (nodes, blocks) = if is_wide { (224, 240) } else { (188, 196) };
        let number = |at: usize| number(&header, at, is_wide);
        let roots = [number(nodes)?, number(blocks)?];
        let mut pages = bytes.len() / PAGE as u64 + 1;
        let mut store = StoreNodes {
            is_wide,
            cipher,
            nodes: BTreeMap::new(),
            blocks: HashMap::new(),
            left: Cell::new(bytes.len().saturating_mul(MAX_SHARED)),
            left_of_message: Cell::new(0),
            is_damaged: Cell::new(false),
            is_limited: Cell::new(false),
            bytes,
        };
        store.begin_message();
        for root in roots {
            store.read_tree(root, MAX_LEVELS, &mut pages);
        }
        Some(store)
    }

    /// Begins with the next message, which may have as many bytes as a document in memory.
    pub(super) fn begin_message(&self) {
        self.left_of_message.set(limits::WHOLE_DOCUMENT as u64);
    }

    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.get()
    }

    pub(super) fn is_limited(&self) -> bool {
        self.is_limited.get()
    }

    pub(super) fn set_damaged(&self) {
        self.is_damaged.set(true);
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
    fn read_tree(&mut self, offset: u64, levels: u8, pages: &mut u64) {
        let page = self.bytes.get(offset, PAGE);
        let counted = pages.checked_sub(1);
        let (Some(page), Some(left)) = (page, counted) else {
            self.is_damaged.set(true);
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
                0x80 | 0x81 if level > 0 && levels > 0 => self.read_tree(second, levels - 1, pages),
                0x80 if level == 0 => {
                    let len = u16_at(entry, 2 * width).unwrap_or_default();
                    self.blocks.insert(key & !1, (first, len));
                }
                0x81 if level == 0 => {
                    let parent = u32_at(entry, 3 * width).unwrap_or_default();
                    self.nodes.insert(key as u32, StoreNode { data: first, inner: second, parent });
                }
                _ => self.is_damaged.set(true),
            }
        }
    }

    /// Returns a block as it is stored.
    fn stored(&self, block: u64) -> Option<Cow<'b, [u8]>> {
        let (start, len) = *self.blocks.get(&(block & !1))?;
        for left in [&self.left, &self.left_of_message] {
            let rest = left.get().checked_sub(len.into());
            self.is_limited.set(self.is_limited.get() || rest.is_none());
            left.set(rest?);
        }
        self.bytes.get(start, len.into())
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
            self.cipher.decode(&mut bytes, block);
            read.push(bytes);
            return Some(());
        }
        let count = usize::from(u16_at(&bytes, 2)?);
        let list = bytes.get(8..).filter(|_| bytes[0] == 1 && levels > 0)?;
        for entry in list.chunks_exact(self.width()).take(count) {
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
        let (width, count) = (self.width(), usize::from(u16_at(&bytes, 2)?));
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

//! Nodes and blocks of a store ([MS-PST] §2.2): two trees of pages lead from identifiers to nodes and to blocks.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use super::cipher::BlockCipher;
use crate::office::compound::{u16_at, u32_at};

/// Length in bytes of a page.
const PAGE: usize = 512;
/// Maximum depth of trees of pages, of lists of blocks, and of lists of inner nodes.
const MAX_LEVELS: u8 = 8;
/// Nodes may share blocks: how many times the length of the file they may be together.
const MAX_SHARED: usize = 8;

/// Node: its data, its inner nodes, the node around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoreNode {
    pub(super) data: u64,
    pub(super) inner: u64,
    pub(super) parent: u32,
}

/// Nodes of a store in memory.
#[derive(Clone, Debug)]
pub(super) struct StoreNodes<'b> {
    bytes: &'b [u8],
    /// Whether identifiers and offsets have 64 bits.
    is_wide: bool,
    cipher: BlockCipher,
    pub(super) nodes: BTreeMap<u32, StoreNode>,
    /// Offset and length of each block.
    blocks: HashMap<u64, (u64, u16)>,
    left: Cell<usize>,
    is_damaged: Cell<bool>,
    is_limited: Cell<bool>,
}

impl<'b> StoreNodes<'b> {
    /// Opens a store; `None` if its version is not known.
    pub(super) fn open(bytes: &'b [u8]) -> Option<StoreNodes<'b>> {
        let is_wide = match u16_at(bytes, 10)? {
            14 | 15 => false,
            // Later versions have pages of 4 KiB.
            23 => true,
            _ => return None,
        };
        let cipher = BlockCipher::of(*bytes.get(if is_wide { 513 } else { 461 })?)?;
        let left = Cell::new(bytes.len().saturating_mul(MAX_SHARED));
        let (nodes, blocks) = (BTreeMap::new(), HashMap::new());
        let (is_damaged, is_limited) = (Cell::new(false), Cell::new(false));
        let mut store =
            StoreNodes { bytes, is_wide, cipher, nodes, blocks, left, is_damaged, is_limited };
        let (nodes, blocks) = if is_wide { (224, 240) } else { (188, 196) };
        let mut pages = bytes.len() / PAGE + 1;
        store.read_tree(store.number(bytes, nodes)?, MAX_LEVELS, &mut pages);
        store.read_tree(store.number(bytes, blocks)?, MAX_LEVELS, &mut pages);
        Some(store)
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
        match self.is_wide {
            true => bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes),
            false => u32_at(bytes, at).map(u64::from),
        }
    }

    /// Length in bytes of an identifier or an offset.
    fn width(&self) -> usize {
        if self.is_wide { 8 } else { 4 }
    }

    /// Reads the tree below a page.
    fn read_tree(&mut self, offset: u64, levels: u8, pages: &mut usize) {
        let start = usize::try_from(offset).ok();
        let page = start.and_then(|start| self.bytes.get(start..start.checked_add(PAGE)?));
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
    fn stored(&self, block: u64) -> Option<&'b [u8]> {
        let (start, len) = *self.blocks.get(&(block & !1))?;
        let start = usize::try_from(start).ok()?;
        let bytes = self.bytes.get(start..start.checked_add(len.into())?)?;
        let left = self.left.get().checked_sub(bytes.len());
        self.is_limited.set(self.is_limited.get() || left.is_none());
        self.left.set(left?);
        Some(bytes)
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
            let mut bytes = bytes.to_vec();
            self.cipher.decode(&mut bytes, block);
            read.push(bytes);
            return Some(());
        }
        let count = usize::from(u16_at(bytes, 2)?);
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
        let (width, count) = (self.width(), usize::from(u16_at(bytes, 2)?));
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

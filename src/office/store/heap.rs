//! Properties of a node ([MS-PST] §2.3): a heap in its data, and in it a tree of properties.

use std::collections::BTreeMap;

use super::nodes::{StoreNode, StoreNodes};
use crate::office::compound::{u16_at, u32_at};
use crate::office::item::ItemProperties;

/// Signatures of a heap, of a tree, and of properties.
const HEAP: u8 = 0xEC;
const TREE: u8 = 0xB5;
const PROPERTIES: u8 = 0xBC;
const TABLE: u8 = 0x7C;
/// Maximum number of levels of a tree.
const MAX_LEVELS: u8 = 8;
/// Maximum number of properties of a node, and of cells of a table.
const MAX_PROPERTIES: usize = 1 << 14;

/// Heap of a node, with its inner nodes.
pub(super) struct NodeHeap<'s, 'b> {
    store: &'s StoreNodes<'b>,
    blocks: Vec<Vec<u8>>,
    pub(super) inner: BTreeMap<u32, StoreNode>,
}

impl<'s, 'b> NodeHeap<'s, 'b> {
    pub(super) fn of(store: &'s StoreNodes<'b>, node: StoreNode) -> NodeHeap<'s, 'b> {
        NodeHeap { store, blocks: store.data(node.data), inner: store.inner(node.inner) }
    }

    /// Returns an allocation of the heap.
    fn allocation(&self, id: u32) -> Option<&[u8]> {
        let index = usize::try_from(id >> 5 & 0x7FF).ok()?.checked_sub(1)?;
        let block = self.blocks.get(usize::try_from(id >> 16).ok()?)?;
        let map = usize::from(u16_at(block, 0)?);
        let count = usize::from(u16_at(block, map)?);
        let at = map + 4 + 2 * index;
        let (start, end) = (u16_at(block, at)?, u16_at(block, at + 2)?);
        block.get(usize::from(start)..usize::from(end)).filter(|_| index < count)
    }

    /// Returns an allocation, or the data of an inner node.
    fn value(&self, id: u32) -> Option<Vec<u8>> {
        match id & 0x1F {
            0 => self.allocation(id).map(<[u8]>::to_vec),
            _ => self.inner.get(&id).map(|node| self.store.data(node.data).concat()),
        }
    }

    /// Returns the properties of the node.
    pub(super) fn properties(&self) -> ItemProperties {
        let mut properties = ItemProperties::default();
        if !self.blocks.is_empty() && self.read_properties(&mut properties).is_none() {
            self.store.set_damaged();
        }
        properties
    }

    fn read_properties(&self, properties: &mut ItemProperties) -> Option<()> {
        let head = self.blocks.first()?;
        if head.get(2..4)? != [HEAP, PROPERTIES] {
            return None;
        }
        let tree = self.allocation(u32_at(head, 4)?)?;
        if *tree.first()? != TREE || tree.get(1..3)? != [2, 6] {
            return None;
        }
        let mut left = MAX_PROPERTIES;
        let root = u32_at(tree, 4)?;
        match root {
            // An empty tree.
            0 => Some(()),
            _ => self.read_level(root, tree[3].min(MAX_LEVELS), &mut left, properties),
        }
    }

    fn read_level(
        &self,
        id: u32,
        level: u8,
        left: &mut usize,
        properties: &mut ItemProperties,
    ) -> Option<()> {
        let records = self.allocation(id)?;
        if level > 0 {
            for record in records.chunks_exact(6) {
                *left = left.checked_sub(1)?;
                self.read_level(u32_at(record, 2)?, level - 1, left, properties)?;
            }
            return Some(());
        }
        for record in records.chunks_exact(8) {
            *left = left.checked_sub(1)?;
            let (id, kind) = (u16_at(record, 0)?, u16_at(record, 2)?);
            let value = match kind {
                // Stored in the record itself.
                0x02..=0x04 | 0x0A | 0x0B => Some(record[4..].to_vec()),
                _ => self.value(u32_at(record, 4)?),
            };
            if let Some(value) = value {
                properties.set(id, kind, value);
            }
        }
        Some(())
    }
    /// Returns the rows of the node, which is a table (§2.3.4).
    pub(super) fn rows(&self) -> Vec<ItemProperties> {
        let mut rows = Vec::new();
        if !self.blocks.is_empty() && self.read_rows(&mut rows).is_none() {
            self.store.set_damaged();
        }
        rows
    }

    fn read_rows(&self, rows: &mut Vec<ItemProperties>) -> Option<()> {
        let head = self.blocks.first()?;
        if head.get(2..4)? != [HEAP, TABLE] {
            return None;
        }
        let table = self.allocation(u32_at(head, 4)?)?;
        let count = usize::from(*table.get(1)?);
        let (bits, len) = (usize::from(u16_at(table, 6)?), usize::from(u16_at(table, 8)?));
        let columns: Vec<&[u8]> = table.get(22..)?.chunks_exact(8).take(count).collect();
        let id = u32_at(table, 14)?;
        // Rows are not cut by the ends of blocks.
        let blocks = match (id & 0x1F, self.inner.get(&id)) {
            (0, _) => self.allocation(id).map(<[u8]>::to_vec).into_iter().collect(),
            (_, Some(node)) => self.store.data(node.data),
            (_, None) => return None,
        };
        let mut left = MAX_PROPERTIES;
        for row in blocks.iter().flat_map(|block| block.chunks_exact(len.max(1))) {
            let mut properties = ItemProperties::default();
            for column in &columns {
                left = left.checked_sub(1)?;
                let (kind, id) = (u16_at(column, 0)?, u16_at(column, 2)?);
                let at = usize::from(u16_at(column, 4)?);
                let bit = usize::from(column[7]);
                let is_set =
                    row.get(bits + bit / 8).is_some_and(|byte| byte << (bit % 8) & 0x80 != 0);
                let value = match kind {
                    _ if !is_set => None,
                    0x02..=0x04 | 0x0A | 0x0B => {
                        row.get(at..at + usize::from(column[6])).map(<[u8]>::to_vec)
                    }
                    _ => self.value(u32_at(row, at)?),
                };
                if let Some(value) = value {
                    properties.set(id, kind, value);
                }
            }
            rows.push(properties);
        }
        Some(())
    }
}

//! Stores of messages of Outlook ([MS-PST], with 64 bits): folders and messages, each with its texts, and attachments.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use super::compound::join;

/// Folder or message of a store.
pub(crate) struct Node<'a> {
    pub(crate) number: u32,
    pub(crate) parent: u32,
    /// Properties: identifier, type, value.
    pub(crate) properties: &'a [(u16, u16, &'a [u8])],
    /// Data of attachments.
    pub(crate) attachments: &'a [&'a [(u16, u16, &'a [u8])]],
    /// Rows of the table of recipients, which have the same properties.
    pub(crate) recipients: &'a [&'a [(u16, u16, &'a [u8])]],
}

/// Makes the heap of a node: a tree of properties, whose values are allocations.
fn heap(properties: &[(u16, u16, &[u8])]) -> Vec<u8> {
    let mut values = vec![b"\xB5\x02\x06\0\x40\0\0\0".to_vec(), Vec::new()];
    for (number, (id, kind, value)) in properties.iter().enumerate() {
        let place = ((number as u32 + 3) << 5).to_le_bytes();
        values[1].extend(join(&[&id.to_le_bytes(), &kind.to_le_bytes(), &place]));
        values.push(value.to_vec());
    }
    allocated(0xBC, &values)
}

/// Makes the heap of a node: a table, whose cells hold numbers or allocations.
fn table(rows: &[&[(u16, u16, &[u8])]]) -> Vec<u8> {
    let count = rows[0].len();
    let end = 4 * count as u16;
    let mut head = join(&[&[0x7C, count as u8], &end.to_le_bytes(), &end.to_le_bytes()]);
    head.extend(join(&[
        &end.to_le_bytes(),
        &(end + 1).to_le_bytes(),
        &[0; 4],
        &[0x40, 0, 0, 0, 0, 0, 0, 0],
    ]));
    let (mut cells, mut values) = (Vec::new(), vec![Vec::new(), Vec::new()]);
    for (number, (id, kind, _)) in rows[0].iter().enumerate() {
        let place = [4 * number as u8, 0, 4, number as u8];
        head.extend(join(&[&kind.to_le_bytes(), &id.to_le_bytes(), &place]));
    }
    for row in rows {
        for (_, kind, value) in *row {
            match kind {
                3 => cells.extend_from_slice(value),
                _ => {
                    values.push(value.to_vec());
                    cells.extend(((values.len() as u32) << 5).to_le_bytes());
                }
            }
        }
        cells.push(!(0xFF_u8 >> count));
    }
    (values[0], values[1]) = (head, cells);
    allocated(0x7C, &values)
}

/// Makes a heap of these allocations.
fn allocated(kind: u8, values: &[Vec<u8>]) -> Vec<u8> {
    let (mut bytes, mut offsets) = (vec![0; 12], Vec::new());
    for value in values {
        offsets.push(bytes.len() as u16);
        bytes.extend_from_slice(value);
    }
    offsets.push(bytes.len() as u16);
    let map = bytes.len() as u16;
    bytes[..8].copy_from_slice(&join(&[&map.to_le_bytes(), &[0xEC, kind, 0x20, 0, 0, 0]]));
    bytes.extend(join(&[&(values.len() as u16).to_le_bytes(), &[0, 0]]));
    bytes.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
    bytes
}

/// Makes a tree of pages, and returns where its root is.
fn tree(bytes: &mut Vec<u8>, kind: u8, leaves: Vec<Vec<u8>>) -> u64 {
    let (mut entries, mut level) = (leaves, 0);
    loop {
        let most = 488 / entries[0].len();
        let write = |below: &[Vec<u8>]| {
            let start = (bytes.len() as u64).to_le_bytes();
            bytes.extend(page(kind, level, below));
            join(&[&below[0][..8], &start, &start])
        };
        entries = entries.chunks(most).map(write).collect();
        if let [root] = &entries[..] {
            return u64::from_le_bytes(*root.last_chunk().unwrap());
        }
        level += 1;
    }
}

/// Makes a page of a tree.
fn page(kind: u8, level: u8, entries: &[Vec<u8>]) -> Vec<u8> {
    let mut page = entries.concat();
    page.resize(488, 0);
    page.extend_from_slice(&[
        entries.len() as u8,
        0,
        entries[0].len() as u8,
        level,
        0,
        0,
        0,
        0,
        kind,
        kind,
    ]);
    page.resize(512, 0);
    page
}

/// Blocks that are being written.
struct Blocks {
    bytes: Vec<u8>,
    entries: Vec<Vec<u8>>,
}

impl Blocks {
    /// Writes a block, and returns its identifier; `bits` is 2 for a list.
    fn push(&mut self, block: &[u8], bits: u64) -> u64 {
        let number = (self.entries.len() as u64 + 1) << 2 | bits;
        let (start, len) = (self.bytes.len() as u64, block.len() as u16);
        let entry = [
            &number.to_le_bytes()[..],
            &start.to_le_bytes(),
            &len.to_le_bytes(),
            &[1, 0, 0, 0, 0, 0],
        ];
        self.entries.push(join(&entry));
        self.bytes.extend_from_slice(block);
        number
    }
}

/// Makes a store of these nodes, in the order of their numbers.
pub(crate) fn store(nodes: &[Node<'_>]) -> Vec<u8> {
    let mut blocks = Blocks { bytes: vec![0; 564], entries: Vec::new() };
    let mut listed = Vec::new();
    for node in nodes {
        let data = blocks.push(&heap(node.properties), 0);
        let mut inner: Vec<(u64, Vec<u8>)> = Vec::new();
        if !node.recipients.is_empty() {
            inner.push((0x692, table(node.recipients)));
        }
        let attached = node.attachments.iter().enumerate();
        inner.extend(attached.map(|(number, own)| ((number as u64 + 100) << 5 | 5, heap(own))));
        let mut list = join(&[&[2, 0], &(inner.len() as u16).to_le_bytes(), &[0; 4]]);
        for (number, heap) in &inner {
            let data = blocks.push(heap, 0);
            list.extend(join(&[&number.to_le_bytes(), &data.to_le_bytes(), &[0; 8]]));
        }
        let inner = if inner.is_empty() { 0 } else { blocks.push(&list, 2) };
        let number = u64::from(node.number).to_le_bytes();
        let parent = node.parent.to_le_bytes();
        listed.push(join(&[&number, &data.to_le_bytes(), &inner.to_le_bytes(), &parent, &[0; 4]]));
    }
    let Blocks { mut bytes, entries } = blocks;
    let roots = [tree(&mut bytes, 0x81, listed), tree(&mut bytes, 0x80, entries)];
    bytes[..12].copy_from_slice(b"!BDN\0\0\0\0SM\x17\0");
    bytes[224..232].copy_from_slice(&roots[0].to_le_bytes());
    bytes[240..248].copy_from_slice(&roots[1].to_le_bytes());
    bytes
}

/// Writes a store whose pages and blocks stand `by` bytes later in the file, after a hole.
pub(crate) fn write_moved(store: &[u8], by: u64, path: &Path) {
    let mut bytes = store.to_vec();
    let mut add = |at: usize| {
        let place = u64::from_le_bytes(*bytes[at..].first_chunk().unwrap()) + by;
        bytes[at..at + 8].copy_from_slice(&place.to_le_bytes());
    };
    add(224);
    add(240);
    let blocks = store.len() - 512;
    for entry in 0..usize::from(store[blocks + 488]) {
        add(blocks + 24 * entry + 8);
    }
    let (header, rest) = bytes.split_at(564);
    let mut file = File::create(path).unwrap();
    file.write_all(header).unwrap();
    file.seek(SeekFrom::Start(564 + by)).unwrap();
    file.write_all(rest).unwrap();
}

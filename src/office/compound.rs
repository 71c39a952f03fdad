//! Compound files ([MS-CFB]): streams and storages in sectors that tables chain.
//!
//! A damaged file is read as far as its chains lead: a chain that loops, or leaves the file, ends there.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// First bytes of a compound file.
const MAGIC: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// Length in bytes of an entry of the directory, and of a sector of short streams.
const ENTRY: usize = 128;
const SHORT_SECTOR: usize = 64;
/// Length in bytes from which a stream has sectors of its own.
const CUTOFF: usize = 4096;
/// Number of the tables' sectors that the header lists.
const LISTED: usize = 109;
/// Value of an entry of the directory without a neighbour.
const NOTHING: u32 = u32::MAX;
/// Maximum depth of storages.
const MAX_STORAGES: usize = 32;
/// Maximum number of entries of the directory.
const MAX_ENTRIES: usize = 1 << 18;
/// Streams may share sectors: how many times the length of the file they may be together.
const MAX_SHARED: usize = 4;

/// Compound file in memory.
#[derive(Clone, Debug)]
pub(super) struct CompoundFile<'b> {
    bytes: &'b [u8],
    sector_len: usize,
    /// Next sector of each sector.
    next: Vec<u32>,
    next_short: Vec<u32>,
    /// Sectors of short streams.
    short: Vec<u8>,
    entries: Vec<CompoundEntry>,
    /// Numbers of the streams of each storage, and of each path in lower case.
    storages: BTreeMap<String, Vec<usize>>,
    by_path: HashMap<String, usize>,
    left: Cell<usize>,
    is_damaged: Cell<bool>,
    is_limited: Cell<bool>,
}

/// Stream of a compound file.
#[derive(Clone, Debug)]
pub(super) struct CompoundEntry {
    /// Path of its storage, with `/` at the end; empty in the root.
    pub(super) storage: String,
    pub(super) name: String,
    start: u32,
    len: usize,
}

impl CompoundEntry {
    pub(super) fn path(&self) -> String {
        [&*self.storage, &*self.name].concat()
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// Returns a length or an offset that is stored in 32 bits.
pub(super) fn len_at(bytes: &[u8], at: usize) -> Option<usize> {
    u32_at(bytes, at).and_then(|len| usize::try_from(len).ok())
}

/// Returns UTF-16 as text up to a NUL.
pub(super) fn utf16(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let units = char::decode_utf16(units.take_while(|unit| *unit != 0));
    units.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

impl<'b> CompoundFile<'b> {
    /// Opens a file; `None` if it is not a compound file.
    pub(super) fn open(bytes: &'b [u8]) -> Option<CompoundFile<'b>> {
        if !bytes.starts_with(MAGIC) {
            return None;
        }
        let sector_len = match u16_at(bytes, 30)? {
            shift @ 7..=16 => 1 << shift,
            _ => 512,
        };
        let mut file = CompoundFile {
            bytes,
            sector_len,
            next: Vec::new(),
            next_short: Vec::new(),
            short: Vec::new(),
            entries: Vec::new(),
            storages: BTreeMap::new(),
            by_path: HashMap::new(),
            left: Cell::new(bytes.len().saturating_mul(MAX_SHARED)),
            is_damaged: Cell::new(false),
            is_limited: Cell::new(false),
        };
        file.read_tables();
        let directory = file.chain(u32_at(bytes, 48)?, bytes.len(), false);
        let root = directory.get(..ENTRY).unwrap_or_default();
        if let (Some(start), Some(len)) = (u32_at(root, 116), len_at(root, 120)) {
            file.short = file.chain(start, len, true);
        }
        if let Some(start) = u32_at(bytes, 60).filter(|start| *start < 0xFFFF_FFFA) {
            let table = file.chain(start, bytes.len(), false);
            file.next_short = words(&table).collect();
        }
        file.read_directory(&directory);
        Some(file)
    }

    pub(super) fn entries(&self) -> &[CompoundEntry] {
        &self.entries
    }

    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.get()
    }

    pub(super) fn is_limited(&self) -> bool {
        self.is_limited.get()
    }

    pub(super) fn set_limited(&self) {
        self.is_limited.set(true);
    }

    /// Returns a stream of a storage by its name.
    pub(super) fn stream(&self, storage: &str, name: &str) -> Option<Vec<u8>> {
        let number = self.by_path.get(&[storage, name].concat().to_lowercase())?;
        self.entries.get(*number).map(|entry| self.read(entry))
    }

    pub(super) fn has_stream(&self, storage: &str, name: &str) -> bool {
        self.by_path.contains_key(&[storage, name].concat().to_lowercase())
    }

    /// Returns the streams of a storage.
    pub(super) fn streams_of(&self, storage: &str) -> impl Iterator<Item = &CompoundEntry> {
        let numbers = self.storages.get(storage).into_iter().flatten();
        numbers.filter_map(|number| self.entries.get(*number))
    }

    /// Returns the paths of the storages in another one that have streams, by their names.
    pub(super) fn storages_in(&self, storage: &str) -> impl Iterator<Item = &str> {
        let paths = self.storages.range(storage.to_owned()..).map(|(path, _)| &**path);
        let paths = paths.take_while(move |path| path.starts_with(storage));
        paths.filter(move |path| path[storage.len()..].matches('/').count() == 1)
    }

    /// Returns the bytes of a stream, as far as they are there.
    pub(super) fn read(&self, entry: &CompoundEntry) -> Vec<u8> {
        let len = entry.len.min(self.left.get());
        if len < entry.len && self.left.get() < self.bytes.len() {
            self.is_limited.set(true);
        }
        let read = match entry.len < CUTOFF {
            true => self.short_chain(entry.start, len),
            false => self.chain(entry.start, len, true),
        };
        self.left.set(self.left.get() - read.len());
        read
    }

    fn sector(&self, number: u32) -> Option<&'b [u8]> {
        let start = usize::try_from(number).ok()?.checked_add(1)?.checked_mul(self.sector_len)?;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        Some(&rest[..rest.len().min(self.sector_len)])
    }

    /// Reads the tables of sectors: the header lists their sectors, and a chain has the rest of the list.
    fn read_tables(&mut self) {
        let count = self.bytes.len() / self.sector_len + 1;
        let listed = self.bytes.get(76..76 + 4 * LISTED).unwrap_or_default();
        let mut tables: Vec<u32> =
            words(listed).take_while(|sector| *sector < 0xFFFF_FFFA).collect();
        let mut list = u32_at(self.bytes, 68).unwrap_or(NOTHING);
        let mut steps = 0;
        while let Some(sector) = self.sector(list).filter(|_| list < 0xFFFF_FFFA && steps < count) {
            let own = sector.len().saturating_sub(4);
            tables.extend(words(&sector[..own]).take_while(|sector| *sector < 0xFFFF_FFFA));
            list = u32_at(sector, own).unwrap_or(NOTHING);
            steps += 1;
        }
        tables.truncate(count);
        for table in tables {
            let Some(sector) = self.sector(table) else {
                self.is_damaged.set(true);
                break;
            };
            self.next.extend(words(sector));
            if self.next.len() > count {
                break;
            }
        }
    }

    /// Returns up to `len` bytes of a chain of sectors; `is_known`: it should have as many.
    fn chain(&self, start: u32, len: usize, is_known: bool) -> Vec<u8> {
        let mut read = Vec::new();
        let (mut number, mut steps) = (start, 0);
        while read.len() < len && steps <= self.next.len() {
            let Some(sector) = self.sector(number) else { break };
            read.extend_from_slice(&sector[..sector.len().min(len - read.len())]);
            let next = usize::try_from(number).ok().and_then(|number| self.next.get(number));
            number = next.copied().unwrap_or(NOTHING);
            steps += 1;
        }
        if is_known && read.len() < len {
            self.is_damaged.set(true);
        }
        read
    }

    fn short_chain(&self, start: u32, len: usize) -> Vec<u8> {
        let mut read = Vec::new();
        let mut number = start;
        // It has fewer than `CUTOFF` bytes, so it cannot loop for long.
        while read.len() < len {
            let at =
                usize::try_from(number).ok().and_then(|number| number.checked_mul(SHORT_SECTOR));
            let Some(rest) = at.and_then(|at| self.short.get(at..)).filter(|rest| !rest.is_empty())
            else {
                self.is_damaged.set(true);
                break;
            };
            read.extend_from_slice(&rest[..rest.len().min(SHORT_SECTOR).min(len - read.len())]);
            let next = usize::try_from(number).ok().and_then(|number| self.next_short.get(number));
            number = next.copied().unwrap_or(NOTHING);
        }
        read
    }

    /// Reads the directory, whose storages are binary trees of their entries, in the order of their numbers.
    fn read_directory(&mut self, directory: &[u8]) {
        let count = directory.len() / ENTRY;
        self.is_limited.set(count > MAX_ENTRIES);
        let mut is_seen = vec![false; count.min(MAX_ENTRIES)];
        let mut found = Vec::new();
        let mut path_bytes = self.bytes.len().saturating_mul(2).saturating_add(1 << 16);
        // Entries to be read: number, path and depth of the storage.
        let root = u32_at(directory, 76).unwrap_or(NOTHING);
        let mut open = vec![(root, String::new(), 0)];
        while let Some((number, storage, depth)) = open.pop() {
            let Some(at) =
                usize::try_from(number).ok().filter(|at| is_seen.get(*at) == Some(&false))
            else {
                continue;
            };
            is_seen[at] = true;
            // Names of storages are part of all paths in them.
            let Some(left) = path_bytes.checked_sub(storage.len()) else {
                self.is_limited.set(true);
                break;
            };
            path_bytes = left;
            let entry = &directory[at * ENTRY..(at + 1) * ENTRY];
            let link = |at| u32_at(entry, at).unwrap_or(NOTHING);
            let name_len = usize::from(u16_at(entry, 64).unwrap_or_default()).clamp(2, 64) - 2;
            let name = utf16(&entry[..name_len]);
            open.push((link(68), storage.clone(), depth));
            open.push((link(72), storage.clone(), depth));
            match entry[66] {
                1 if depth < MAX_STORAGES => {
                    open.push((link(76), [&*storage, &*name, "/"].concat(), depth + 1))
                }
                1 => self.is_limited.set(true),
                2 => {
                    let len = len_at(entry, 120).unwrap_or_default();
                    found.push((at, CompoundEntry { storage, name, start: link(116), len }));
                }
                _ => {}
            }
        }
        found.sort_by_cached_key(|(number, _)| *number);
        for (number, (_, entry)) in found.into_iter().enumerate() {
            self.by_path.entry(entry.path().to_lowercase()).or_insert(number);
            self.storages.entry(entry.storage.clone()).or_default().push(number);
            self.entries.push(entry);
        }
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

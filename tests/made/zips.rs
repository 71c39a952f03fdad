//! Archives of zip, field by field.

use super::compressed::gzip;

/// One entry, as it is to be written.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) stored: Vec<u8>,
    pub(crate) size: usize,
    pub(crate) crc: u32,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) extra: Vec<u8>,
}

pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

pub(crate) fn stored(name: &[u8], bytes: &[u8]) -> Entry {
    Entry {
        name: name.to_vec(),
        stored: bytes.to_vec(),
        size: bytes.len(),
        crc: crc32(bytes),
        method: 0,
        flags: 0,
        extra: Vec::new(),
    }
}

pub(crate) fn deflated(name: &[u8], bytes: &[u8]) -> Entry {
    let gz = gzip(bytes);
    Entry { stored: gz[10..gz.len() - 8].to_vec(), method: 8, ..stored(name, bytes) }
}

pub(crate) fn with_descriptor(entry: Entry) -> Entry {
    Entry { flags: entry.flags | 8, ..entry }
}

/// The local header and the content of an entry.
pub(crate) fn local(entry: &Entry) -> Vec<u8> {
    let mut out = b"PK\x03\x04\x14\0".to_vec();
    out.extend_from_slice(&entry.flags.to_le_bytes());
    out.extend_from_slice(&entry.method.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    let has_descriptor = entry.flags & 8 != 0;
    let (crc, stored, size) = match has_descriptor {
        true => (0, 0, 0),
        false => (entry.crc, entry.stored.len() as u32, entry.size as u32),
    };
    for value in [crc, stored, size] {
        out.extend_from_slice(&value.to_le_bytes());
    }
    out.extend_from_slice(&(entry.name.len() as u16).to_le_bytes());
    out.extend_from_slice(&(entry.extra.len() as u16).to_le_bytes());
    out.extend_from_slice(&entry.name);
    out.extend_from_slice(&entry.extra);
    out.extend_from_slice(&entry.stored);
    if has_descriptor {
        out.extend_from_slice(b"PK\x07\x08");
        for value in [entry.crc, entry.stored.len() as u32, entry.size as u32] {
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
    out
}

pub(crate) fn record(entry: &Entry, offset: u32) -> Vec<u8> {
    let mut out = b"PK\x01\x02\x14\0\x14\0".to_vec();
    out.extend_from_slice(&entry.flags.to_le_bytes());
    out.extend_from_slice(&entry.method.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    for value in [entry.crc, entry.stored.len() as u32, entry.size as u32] {
        out.extend_from_slice(&value.to_le_bytes());
    }
    out.extend_from_slice(&(entry.name.len() as u16).to_le_bytes());
    out.extend_from_slice(&(entry.extra.len() as u16).to_le_bytes());
    out.extend_from_slice(&[0; 10]);
    out.extend_from_slice(&offset.to_le_bytes());
    out.extend_from_slice(&entry.name);
    out.extend_from_slice(&entry.extra);
    out
}

pub(crate) fn ending(count: u16, size: u32, offset: u32) -> Vec<u8> {
    let mut out = b"PK\x05\x06\0\0\0\0".to_vec();
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&offset.to_le_bytes());
    out.extend_from_slice(&[0; 2]);
    out
}

pub(crate) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend(record(entry, out.len() as u32));
        out.extend(local(entry));
    }
    let end = ending(entries.len() as u16, directory.len() as u32, out.len() as u32);
    [out, directory, end].concat()
}

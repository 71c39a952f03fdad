//! Archives of tar, block by block.

/// A header with its checksum.
pub(crate) fn header(name: &[u8], size: &[u8], kind: u8) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name);
    block[100..107].copy_from_slice(b"0000644");
    block[124..124 + size.len()].copy_from_slice(size);
    block[156] = kind;
    block[257..263].copy_from_slice(b"ustar\0");
    block[263..265].copy_from_slice(b"00");
    seal(block)
}

pub(crate) fn seal(mut block: [u8; 512]) -> [u8; 512] {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    block
}

pub(crate) fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out.resize(bytes.len().next_multiple_of(512), 0);
    out
}

pub(crate) fn entry_of(name: &[u8], bytes: &[u8], kind: u8) -> Vec<u8> {
    let size = format!("{:011o}", bytes.len());
    [&header(name, size.as_bytes(), kind)[..], &padded(bytes)].concat()
}

pub(crate) fn entry(name: &str, bytes: &[u8]) -> Vec<u8> {
    entry_of(name.as_bytes(), bytes, b'0')
}

pub(crate) fn end() -> Vec<u8> {
    vec![0; 1024]
}

pub(crate) fn tar(files: &[(&[u8], &[u8])]) -> Vec<u8> {
    let entries = files.iter().flat_map(|(name, bytes)| entry_of(name, bytes, b'0'));
    entries.chain(end()).collect()
}

pub(crate) fn pax(records: &[(&str, &str)]) -> Vec<u8> {
    let mut text = String::new();
    for (key, value) in records {
        let rest = key.len() + value.len() + 3;
        let len = (rest..).find(|len| len - len.to_string().len() == rest).unwrap();
        text.push_str(&format!("{len} {key}={value}\n"));
    }
    entry_of(b"pax", text.as_bytes(), b'x')
}

//! Compound files ([MS-CFB] version 3): streams by their paths, in storages.

const SECTOR: usize = 512;
const END: u32 = 0xFFFF_FFFE;

pub(crate) fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// Appends the sectors of `bytes` to `sectors` and their chain to `table`, and returns the first.
fn chain(bytes: &[u8], unit: usize, sectors: &mut Vec<u8>, table: &mut Vec<u32>) -> u32 {
    let first = table.len() as u32;
    let count = bytes.len().div_ceil(unit);
    if count == 0 {
        return END;
    }
    sectors.extend_from_slice(bytes);
    sectors.resize(sectors.len().next_multiple_of(unit), 0);
    table.extend((1..count).map(|number| first + number as u32));
    table.push(END);
    first
}

fn entry(name: &str, kind: u8, links: [u32; 3], start: u32, len: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let name_len = bytes.len() as u16 + 2;
    bytes.resize(64, 0);
    bytes.extend_from_slice(&name_len.to_le_bytes());
    bytes.extend_from_slice(&[kind, 1]);
    bytes.extend(links.iter().flat_map(|link| link.to_le_bytes()));
    bytes.resize(116, 0);
    bytes.extend_from_slice(&start.to_le_bytes());
    bytes.extend_from_slice(&(len as u64).to_le_bytes());
    bytes
}

const NOTHING: u32 = u32::MAX;

/// Entry of a directory.
struct DirectoryEntry {
    name: String,
    kind: u8,
    /// Its first child, and its right neighbour.
    child: u32,
    right: u32,
    start: u32,
    len: usize,
    /// The last child.
    last: Option<usize>,
}

/// Adds an entry below another one, as the right neighbour of the last one there, and returns its number.
fn add(
    entries: &mut Vec<DirectoryEntry>,
    parent: usize,
    name: &str,
    kind: u8,
    start: u32,
    len: usize,
) -> usize {
    let number = entries.len();
    match entries[parent].last.replace(number) {
        None => entries[parent].child = number as u32,
        Some(last) => entries[last].right = number as u32,
    }
    let (name, child, right) = (name.to_owned(), NOTHING, NOTHING);
    entries.push(DirectoryEntry { name, kind, child, right, start, len, last: None });
    number
}

/// Makes a file with these streams, `storage/storage/name`.
pub(crate) fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut sectors, mut table) = (Vec::new(), Vec::new());
    let (mut short, mut short_table) = (Vec::new(), Vec::new());
    let (name, child, right) = ("Root Entry".to_owned(), NOTHING, NOTHING);
    let mut entries =
        vec![DirectoryEntry { name, kind: 5, child, right, start: 0, len: 0, last: None }];
    for (path, bytes) in streams {
        let (start, len) = match bytes.len() < 4096 {
            true => (chain(bytes, 64, &mut short, &mut short_table), bytes.len()),
            false => (chain(bytes, SECTOR, &mut sectors, &mut table), bytes.len()),
        };
        let mut parent = 0;
        let mut steps: Vec<&str> = path.split('/').collect();
        let name = steps.pop().unwrap();
        for step in steps {
            let mut child = entries[parent].child;
            while child != NOTHING && entries[child as usize].name != step {
                child = entries[child as usize].right;
            }
            parent = match child {
                NOTHING => add(&mut entries, parent, step, 1, 0, 0),
                known => known as usize,
            };
        }
        add(&mut entries, parent, name, 2, start, len);
    }
    let short_start = chain(&short, SECTOR, &mut sectors, &mut table);
    let words =
        |table: &[u32]| -> Vec<u8> { table.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let mut short_bytes = words(&short_table);
    short_bytes.resize(short_bytes.len().next_multiple_of(SECTOR), 0xFF);
    let short_table_start = chain(&short_bytes, SECTOR, &mut sectors, &mut table);
    (entries[0].start, entries[0].len) = (short_start, short.len());
    let directory = entries
        .iter()
        .map(|one| entry(&one.name, one.kind, [NOTHING, one.right, one.child], one.start, one.len));
    let directory = directory.collect::<Vec<_>>().concat();
    let directory_start = chain(&directory, SECTOR, &mut sectors, &mut table);
    let tables = (table.len() + 1).div_ceil(SECTOR / 4 - 1);
    let first_table = table.len() as u32;
    table.resize(table.len() + tables, 0xFFFF_FFFD);
    let mut table_bytes = words(&table);
    table_bytes.resize(tables * SECTOR, 0xFF);
    let mut header =
        join(&[b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", &[0; 16], b"\x3E\0\x03\0\xFE\xFF\x09\0\x06\0"]);
    header.resize(44, 0);
    for word in [tables as u32, directory_start, 0, 4096, short_table_start, 1, END, 0] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    header.extend((0..tables as u32).flat_map(|number| (first_table + number).to_le_bytes()));
    header.resize(SECTOR, 0xFF);
    join(&[&header, &sectors, &table_bytes])
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Makes the streams of a document of Word 97: its text is one piece of UTF-16.
pub(crate) fn word(text: &str) -> Vec<u8> {
    word_of_pieces(text, 1)
}

/// Makes a document of Word 97 whose text is the same piece of UTF-16 so many times.
pub(crate) fn word_of_pieces(text: &str, count: u32) -> Vec<u8> {
    let mut document = vec![0; 0x1AA];
    document[..4].copy_from_slice(&[0xEC, 0xA5, 0xC1, 0]);
    let body = utf16(text);
    let mut table = join(&[&[2], &(4 + 12 * count).to_le_bytes()]);
    for number in 0..=count {
        table.extend_from_slice(&(body.len() as u32 / 2 * number).to_le_bytes());
    }
    for _ in 0..count {
        table.extend_from_slice(&join(&[&[0, 0], &(document.len() as u32).to_le_bytes(), &[0, 0]]));
    }
    document[0x1A6..0x1AA].copy_from_slice(&(table.len() as u32).to_le_bytes());
    document.extend_from_slice(&body);
    compound(&[("WordDocument", &document), ("0Table", &table)])
}

/// Makes a record of Excel.
pub(crate) fn record(kind: u16, body: &[u8]) -> Vec<u8> {
    join(&[&kind.to_le_bytes(), &(body.len() as u16).to_le_bytes(), body])
}

/// Makes a record of PowerPoint.
pub(crate) fn atom(bits: u16, kind: u16, body: &[u8]) -> Vec<u8> {
    join(&[&bits.to_le_bytes(), &kind.to_le_bytes(), &(body.len() as u32).to_le_bytes(), body])
}

/// Makes a hyperlink to a URL, with the text that shows it.
pub(crate) fn hyperlink(url: &str, name: &str) -> Vec<u8> {
    let text = |text: &str| {
        let text = utf16(&format!("{text}\0"));
        join(&[&(text.len() as u32 / 2).to_le_bytes(), &text])
    };
    let url = utf16(&format!("{url}\0"));
    join(&[
        &2_u32.to_le_bytes(),
        &0x13_u32.to_le_bytes(),
        &text(name),
        b"\xE0\xC9\xEA\x79\xF9\xBA\xCE\x11\x8C\x82\x00\xAA\x00\x4B\xA9\x0B",
        &(url.len() as u32).to_le_bytes(),
        &url,
    ])
}

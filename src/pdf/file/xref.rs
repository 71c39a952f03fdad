//! Cross-references: tables, streams, and their reconstruction from the objects themselves (ISO 32000-2 §7.5).

use std::collections::{HashMap, HashSet};

use memchr::memmem;

use super::super::syntax::{ObjectId, PdfDictionary, PdfLexer, PdfObject, is_white};
use super::PdfFile;

/// Sections of cross-references.
const MOST_SECTIONS: usize = 4096;
/// Numbers of objects that a file may have in any case; another one for so many of its bytes.
const MOST_NUMBERS: usize = 1 << 20;
const BYTES_FOR_NUMBER: usize = 64;

/// Place of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectPlace {
    /// Offset in the file.
    At(usize),
    /// Index in an object stream.
    In(u32, usize),
}

/// Places of all objects, and the trailer.
#[derive(Clone, Debug, Default)]
pub(super) struct CrossReferences {
    places: HashMap<u32, ObjectPlace>,
    /// Numbers of objects that a later section deletes.
    free: HashSet<u32>,
    pub(super) trailer: PdfDictionary,
    /// Whether a section says so, or the objects were searched.
    pub(super) is_rebuilt: bool,
    /// Numbers that it may have.
    most: usize,
    /// It has more numbers than are kept.
    pub(super) is_cut: bool,
}

impl CrossReferences {
    fn new(bytes: &[u8], is_rebuilt: bool) -> CrossReferences {
        let most = MOST_NUMBERS + bytes.len() / BYTES_FOR_NUMBER;
        CrossReferences { is_rebuilt, most, ..CrossReferences::default() }
    }

    /// Returns `true` if it can have another number.
    fn has_room(&mut self) -> bool {
        let has_room = self.places.len() + self.free.len() < self.most;
        self.is_cut |= !has_room;
        has_room
    }

    pub(super) fn place(&self, number: u32) -> Option<ObjectPlace> {
        self.places.get(&number).copied()
    }

    /// Returns the numbers of all objects, in order.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.places.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// Adds an object that was found, unless one of its number is known.
    pub(super) fn add(&mut self, number: u32, place: ObjectPlace) {
        if self.has_room() {
            self.places.entry(number).or_insert(place);
        }
    }

    pub(super) fn set_root(&mut self, root: ObjectId) {
        let mut trailer = PdfDictionary::default();
        trailer.push(b"Root".to_vec(), PdfObject::Reference(root));
        let old = std::mem::replace(&mut self.trailer, trailer);
        self.older_trailer(&old);
    }

    /// Adds an object of an older section, which a newer one precedes.
    fn older(&mut self, number: u32, place: ObjectPlace) {
        if !self.free.contains(&number) {
            self.add(number, place);
        }
    }

    /// Adds a number that a section deletes, unless a newer one has its object.
    fn delete(&mut self, number: u32) {
        if !self.places.contains_key(&number) && self.has_room() {
            self.free.insert(number);
        }
    }

    fn older_trailer(&mut self, trailer: &PdfDictionary) {
        for key in ["Root", "Encrypt", "ID", "Info"] {
            if !self.trailer.has(key) && trailer.has(key) {
                self.trailer.push(key.into(), trailer.get(key).clone());
            }
        }
    }
}

/// Returns the offset that the end of a file names as that of its cross-references.
fn start(bytes: &[u8]) -> Option<usize> {
    let tail = bytes.len().saturating_sub(2048);
    let at = tail + memmem::rfind(&bytes[tail..], b"startxref")?;
    let mut lexer = PdfLexer::file(bytes, at + b"startxref".len());
    usize::try_from(lexer.unsigned()?).ok()
}

/// Reads the cross-references from the end of the file on; `None` if they are missing or damaged.
pub(super) fn read(file: &mut PdfFile<'_>) -> Option<CrossReferences> {
    let mut references = CrossReferences::new(file.bytes, false);
    let mut next = vec![start(file.bytes)?];
    let mut seen = HashSet::new();
    while let Some(at) = next.pop() {
        // The sections form a circle.
        if !seen.insert(at) {
            continue;
        }
        if seen.len() > MOST_SECTIONS {
            references.is_cut = true;
            break;
        }
        let at = at.checked_add(file.start)?;
        let mut lexer = PdfLexer::file(file.bytes, at);
        let trailer = match lexer.keyword("xref") {
            true => table(file, &mut lexer, &mut references)?,
            false => stream(file, at, &mut references)?,
        };
        references.older_trailer(&trailer);
        let offset = |key: &str| trailer.get(key).count();
        next.extend(offset("Prev"));
        // Objects of the stream precede those of older sections.
        next.extend(offset("XRefStm"));
    }
    references.trailer.has("Root").then_some(references)
}

/// Reads a table, up to its trailer, which is returned.
fn table<'b>(
    file: &mut PdfFile<'b>,
    lexer: &mut PdfLexer<'b>,
    references: &mut CrossReferences,
) -> Option<PdfDictionary> {
    loop {
        if lexer.keyword("trailer") {
            return lexer.object()?.dictionary().cloned();
        }
        let (first, count) = (lexer.unsigned()?, lexer.unsigned()?);
        let mut first = u32::try_from(first).ok()?;
        for index in 0..count {
            let (offset, generation) = (lexer.unsigned()?, lexer.unsigned()?);
            let is_used = lexer.keyword("n");
            if !is_used && !lexer.keyword("f") {
                return None;
            }
            // Programs count the first entry, that of the list of free objects, as object 1.
            if index == 0 && first == 1 && !is_used && generation == 65535 {
                first = 0;
            }
            let number = first.checked_add(u32::try_from(index).ok()?)?;
            let place = usize::try_from(offset).ok()?.checked_add(file.start)?;
            match is_used {
                true if offset > 0 => references.older(number, ObjectPlace::At(place)),
                true => {}
                false => references.delete(number),
            }
            file.work.spend(20)?;
        }
    }
}

/// Reads a cross-reference stream, whose dictionary is returned.
fn stream(
    file: &mut PdfFile<'_>,
    at: usize,
    references: &mut CrossReferences,
) -> Option<PdfDictionary> {
    let (_, object) = file.object_at(at, None)?;
    let stream = object.stream()?;
    if !stream.dictionary.get("Type").is_name("XRef") {
        return None;
    }
    let widths: Vec<usize> =
        stream.dictionary.get("W").elements().iter().filter_map(PdfObject::count).collect();
    let &[kind, second, third] = widths.get(..3)? else { return None };
    let width = kind.checked_add(second)?.checked_add(third)?;
    if width == 0 || [kind, second, third].iter().any(|width| *width > 8) {
        return None;
    }
    let data = file.plain_data(stream)?;
    let size = stream.dictionary.get("Size").count().unwrap_or(usize::MAX);
    let index: Vec<usize> =
        stream.dictionary.get("Index").elements().iter().filter_map(PdfObject::count).collect();
    let sections = if index.is_empty() { vec![0, size] } else { index };
    let numbers =
        sections.chunks_exact(2).flat_map(|pair| pair[0]..pair[0].saturating_add(pair[1]));
    for (number, entry) in numbers.zip(data.chunks_exact(width)) {
        let field = |from: usize, to: usize| {
            entry[from..to].iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
        };
        let number = u32::try_from(number).ok()?;
        let of_kind = if kind == 0 { 1 } else { field(0, kind) };
        let (second, third) = (field(kind, kind + second), field(kind + second, width));
        match of_kind {
            0 => references.delete(number),
            1 => {
                let at = usize::try_from(second).ok()?.checked_add(file.start)?;
                references.older(number, ObjectPlace::At(at));
            }
            2 => {
                let place =
                    ObjectPlace::In(u32::try_from(second).ok()?, usize::try_from(third).ok()?);
                references.older(number, place);
            }
            _ => {}
        }
    }
    Some(stream.dictionary.clone())
}

/// Finds the objects of a file whose cross-references are missing or damaged: the last one of each number counts. Returns
/// the object streams too, whose objects are not among them yet.
pub(super) fn search(file: &mut PdfFile<'_>) -> (CrossReferences, Vec<ObjectId>) {
    let mut references = CrossReferences::new(file.bytes, true);
    let mut containers = Vec::new();
    let (mut at, bytes) = (0, file.bytes);
    let finder = memmem::Finder::new(b"obj");
    let (mut found, mut catalog) = (Vec::new(), None);
    while let Some(hit) = finder.find(&bytes[at..]) {
        let hit = at + hit;
        at = hit + 3;
        let Some(head) = head_before(bytes, hit) else { continue };
        if file.work.spend(16).is_none() {
            break;
        }
        let mut lexer = PdfLexer::file(bytes, head);
        let Some(id) = lexer.object_head() else { continue };
        if references.places.contains_key(&id.number) || references.has_room() {
            references.places.insert(id.number, ObjectPlace::At(head));
        }
        let Some(object) = lexer.object() else { continue };
        let end = lexer.at();
        if file.work.spend(end - head).is_none() {
            break;
        }
        // An object that is not closed may have swallowed others.
        if lexer.keyword("endobj") {
            at = at.max(end);
        }
        lexer.seek(end);
        if lexer.keyword("stream")
            && let Some(dictionary) = object.dictionary()
        {
            let kind = dictionary.get("Type");
            if kind.is_name("ObjStm") {
                containers.push(id);
            }
            if kind.is_name("XRef") {
                found.push(dictionary.clone());
            }
            at = file.data_range(dictionary, lexer.at()).end;
        }
        if object.dictionary().is_some_and(|dictionary| dictionary.get("Type").is_name("Catalog")) {
            catalog.get_or_insert(id);
        }
    }
    for trailer in memmem::find_iter(bytes, b"trailer") {
        let mut lexer = PdfLexer::file(bytes, trailer + b"trailer".len());
        if let Some(PdfObject::Dictionary(dictionary)) = lexer.object() {
            found.push(dictionary);
        }
        if file.work.spend(lexer.at() - trailer).is_none() {
            break;
        }
    }
    for trailer in found.iter().rev() {
        references.older_trailer(trailer);
    }
    if let Some(catalog) = catalog {
        let mut trailer = PdfDictionary::default();
        trailer.push(b"Root".to_vec(), PdfObject::Reference(catalog));
        references.older_trailer(&trailer);
    }
    (references, containers)
}

/// Returns the offset of the number of an object, before the keyword `obj` at an offset.
fn head_before(bytes: &[u8], keyword: usize) -> Option<usize> {
    let white = |mut at: usize| {
        while at > 0 && is_white(bytes[at - 1]) {
            at -= 1;
        }
        at
    };
    let digits = |at: usize| {
        let count =
            bytes[..at].iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
        (1..=10).contains(&count).then(|| at - count)
    };
    let generation = digits(white(keyword))?;
    let gap = white(generation);
    (gap < generation).then(|| digits(gap)).flatten()
}

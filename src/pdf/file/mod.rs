//! The file: its objects by number, decrypted, and the decoded data of its streams (ISO 32000-2 §7.3.8, §7.5).
//!
//! Objects are parsed when they are asked for. All parsing, decoding and copying is counted: a file whose references multiply its
//! bytes ends where the work does.

mod crypt;
mod filter;
mod xref;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::syntax::{ObjectId, PdfDictionary, PdfLexer, PdfObject, PdfStream};
use crate::detect;
use crypt::{Encrypted, PdfKey};
use filter::Predictor;
use xref::{CrossReferences, ObjectPlace};

/// Bytes of the decoded data of a stream.
const MOST_DATA: usize = 64 << 20;
/// Bytes of the decoded data of an object stream.
const MOST_OBJECTS: usize = 16 << 20;
/// Bytes of decoded object streams that are kept.
const MOST_KEPT: usize = 32 << 20;
/// Filters of a stream.
const MOST_FILTERS: usize = 4;
/// Objects of the dictionary of encryption.
const MOST_RESOLVED: usize = 1024;
/// References that lead to another one.
const MOST_STEPS: usize = 16;
/// Bytes that may be parsed and decoded in any case, and for each byte of the file.
const WORK_ALWAYS: u64 = 256 << 20;
const WORK_FOR_BYTE: u64 = 16;
/// Bytes at the beginning of a file in which its header is searched.
const HEADER: usize = 1024;

/// PdfWork that is left, in bytes.
#[derive(Clone, Debug)]
pub(super) struct PdfWork {
    left: u64,
}

impl PdfWork {
    /// Sets an eighth of the remaining work aside, and returns its amount.
    pub(super) fn reserve(&mut self) -> u64 {
        let reserved = self.left / 8;
        self.left -= reserved;
        reserved
    }

    /// Returns the reserved work to the rest.
    pub(super) fn release(&mut self, reserved: u64) {
        self.left += reserved;
    }

    /// Counts bytes; `None` if too little work is left.
    pub(super) fn spend(&mut self, bytes: usize) -> Option<()> {
        let left = self.left.checked_sub(bytes as u64);
        self.left = left.unwrap_or(0);
        left.map(|_| ())
    }
}

/// Facts of a file that its reader reports.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PdfFaults {
    pub(super) is_damaged: bool,
    pub(super) is_limited: bool,
    pub(super) has_unknown_filter: bool,
    /// It cannot be decrypted.
    pub(super) is_encrypted: bool,
}

/// Decoded object stream: where its objects are.
#[derive(Clone, Debug)]
struct ObjectStream {
    data: Vec<u8>,
    /// Number and offset of each object.
    objects: Vec<(u32, usize)>,
}

/// File in memory.
#[derive(Clone, Debug)]
pub(super) struct PdfFile<'b> {
    bytes: &'b [u8],
    /// Offset of the header, from which offsets count.
    start: usize,
    references: CrossReferences,
    key: Option<PdfKey>,
    /// Decoded object streams, each under its number.
    kept: HashMap<u32, Arc<ObjectStream>>,
    kept_bytes: usize,
    /// Number of objects that are being loaded for others.
    depth: usize,
    pub(super) work: PdfWork,
    pub(super) faults: PdfFaults,
}

impl<'b> PdfFile<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> PdfFile<'b> {
        let head = &bytes[..bytes.len().min(HEADER)];
        let most = WORK_ALWAYS + WORK_FOR_BYTE * bytes.len() as u64;
        let mut file = PdfFile {
            bytes,
            start: memmem::find(head, detect::PDF).unwrap_or(0),
            references: CrossReferences::default(),
            key: None,
            kept: HashMap::new(),
            kept_bytes: 0,
            depth: 0,
            work: PdfWork { left: most },
            faults: PdfFaults::default(),
        };
        match xref::read(&mut file) {
            Some(references) => file.use_references(references),
            None => file.rebuild(),
        }
        if !file.faults.is_encrypted && !file.has_pages() {
            file.rebuild();
        }
        file
    }

    /// Counts work; `None` if too little is left, which the file reports.
    pub(super) fn spend(&mut self, work: usize) -> Option<()> {
        let spent = self.work.spend(work);
        self.faults.is_limited |= spent.is_none();
        spent
    }

    fn use_references(&mut self, references: CrossReferences) {
        self.faults.is_limited |= references.is_cut;
        self.references = references;
        self.kept.clear();
        self.kept_bytes = 0;
        self.key = None;
        self.faults.is_encrypted = false;
        if !self.references.trailer.has("Encrypt") {
            return;
        }
        let encrypt = self.references.trailer.get("Encrypt").clone();
        let encrypt = self.resolve_deep(&encrypt, 3, &mut { MOST_RESOLVED });
        let ids = self.references.trailer.get("ID").clone();
        let ids = self.resolve_deep(&ids, 2, &mut { MOST_RESOLVED });
        let first = ids.elements().first().and_then(PdfObject::string).unwrap_or_default();
        self.key = encrypt.dictionary().and_then(|encrypt| PdfKey::of(encrypt, first));
        self.faults.is_encrypted = self.key.is_none();
        self.kept.clear();
    }

    /// Searches for the objects, unless that was done.
    pub(super) fn rebuild(&mut self) {
        if self.references.is_rebuilt {
            return;
        }
        self.faults.is_damaged = true;
        self.key = None;
        let (references, containers) = xref::search(self);
        self.use_references(references);
        for container in containers {
            let Some(stream) = self.object_stream(container.number) else { continue };
            for (index, object) in stream.objects.iter().enumerate() {
                self.references.add(object.0, ObjectPlace::In(container.number, index));
            }
        }
        if !self.has_pages() {
            self.find_catalog();
        }
    }

    /// Searches all objects for the catalog.
    fn find_catalog(&mut self) {
        for number in self.numbers() {
            let object = self.load(ObjectId { number, generation: 0 });
            if object
                .dictionary()
                .is_some_and(|dictionary| dictionary.get("Type").is_name("Catalog"))
            {
                self.references.set_root(ObjectId { number, generation: 0 });
            }
        }
    }

    pub(super) fn is_rebuilt(&self) -> bool {
        self.references.is_rebuilt
    }

    fn has_pages(&mut self) -> bool {
        let catalog = self.catalog();
        self.get(&catalog, "Pages").dictionary().is_some()
    }

    /// Returns the catalog; an empty one if it is missing.
    pub(super) fn catalog(&mut self) -> PdfDictionary {
        let root = self.references.trailer.get("Root").clone();
        self.resolve(&root).dictionary().cloned().unwrap_or_default()
    }

    pub(super) fn root(&self) -> Option<ObjectId> {
        self.references.trailer.get("Root").reference()
    }

    /// Returns the numbers of all objects, in order.
    pub(super) fn numbers(&self) -> Vec<u32> {
        self.references.numbers()
    }

    /// Returns the value of a key, which is not a reference.
    pub(super) fn get(&mut self, dictionary: &PdfDictionary, key: &str) -> PdfObject {
        self.resolve(dictionary.get(key))
    }

    /// Returns the object that a reference leads to; another object is returned as it is. The copy counts as work, since an
    /// operator can ask for the same object again and again.
    pub(super) fn resolve(&mut self, object: &PdfObject) -> PdfObject {
        if self.spend(object.weight()).is_none() {
            return PdfObject::Null;
        }
        let mut object = object.clone();
        for _ in 0..MOST_STEPS {
            match object {
                PdfObject::Reference(id) => object = self.load(id),
                _ => return object,
            }
        }
        PdfObject::Null
    }

    /// Resolves an object and those in it, to a depth, at most `left` of them.
    fn resolve_deep(&mut self, object: &PdfObject, depth: usize, left: &mut usize) -> PdfObject {
        let mut object = self.resolve(object);
        *left = left.saturating_sub(1);
        if depth > 0 && *left > 0 {
            let inner: Box<dyn Iterator<Item = &mut PdfObject>> = match &mut object {
                PdfObject::Array(elements) => Box::new(elements.iter_mut()),
                PdfObject::Dictionary(dictionary) => Box::new(dictionary.values_mut()),
                _ => return object,
            };
            for one in inner {
                *one = self.resolve_deep(one, depth - 1, left);
            }
        }
        object
    }

    /// Loads an object by its identifier; null if it is missing.
    pub(super) fn load(&mut self, id: ObjectId) -> PdfObject {
        if self.depth >= MOST_STEPS {
            self.faults.is_limited = true;
            return PdfObject::Null;
        }
        self.depth += 1;
        let loaded = match self.references.place(id.number) {
            Some(ObjectPlace::At(at)) => self.load_at(at, id),
            Some(ObjectPlace::In(container, index)) => self.load_in(container, index, id.number),
            None => None,
        };
        self.depth -= 1;
        loaded.unwrap_or_default()
    }

    fn load_at(&mut self, at: usize, id: ObjectId) -> Option<PdfObject> {
        if let Some((_, object)) = self.object_at(at, Some(id.number)) {
            return Some(object);
        }
        if self.references.is_rebuilt || self.work.left == 0 {
            return None;
        }
        // The table is wrong for this object, and so for others.
        self.rebuild();
        match self.references.place(id.number)? {
            ObjectPlace::At(at) => self.object_at(at, Some(id.number)).map(|(_, object)| object),
            ObjectPlace::In(container, index) => self.load_in(container, index, id.number),
        }
    }

    /// Parses the object at an offset, which must have this number.
    fn object_at(&mut self, at: usize, number: Option<u32>) -> Option<(ObjectId, PdfObject)> {
        let mut lexer = PdfLexer::file(self.bytes, at);
        let id = lexer.object_head()?;
        if number.is_some_and(|number| number != id.number) {
            return None;
        }
        let mut object = lexer.object().unwrap_or_default();
        self.faults.is_limited |= lexer.is_limited();
        self.spend(lexer.at() - at + 16)?;
        if let Some(key) = self.key.take() {
            decrypt_strings(&mut object, &key, id);
            self.key = Some(key);
        }
        if matches!(object, PdfObject::Dictionary(_)) && lexer.keyword("stream") {
            let PdfObject::Dictionary(dictionary) = object else { return None };
            let range = self.data_range(&dictionary, lexer.at());
            object = PdfObject::Stream(Box::new(PdfStream { id, dictionary, range }));
        }
        Some((id, object))
    }

    /// Returns the range of a stream's data after the keyword `stream`: by its length if its end is there, else up to the
    /// keyword that ends it.
    fn data_range(&mut self, dictionary: &PdfDictionary, keyword: usize) -> Range<usize> {
        let bytes = self.bytes;
        let start = match bytes[keyword..] {
            [b'\r', b'\n', ..] => keyword + 2,
            [b'\n' | b'\r', ..] => keyword + 1,
            // Programs write blanks before the line end.
            [b' ', b'\r', b'\n', ..] => keyword + 3,
            [b' ', b'\n', ..] => keyword + 2,
            _ => keyword,
        };
        let length = self.get(dictionary, "Length").count();
        if let Some(end) =
            length.and_then(|length| start.checked_add(length)).filter(|end| *end <= bytes.len())
        {
            let mut after = PdfLexer::file(bytes, end);
            if after.keyword("endstream") || after.keyword("endobj") {
                return start..end;
            }
        }
        let found = memmem::find(&bytes[start..], b"endstream");
        let end = found.map_or(bytes.len(), |end| start + end);
        // The data that were found are used in any case.
        let _ = self.spend(end - start);
        self.faults.is_damaged |= found.is_none();
        let end = match bytes[start..end] {
            [.., b'\r', b'\n'] => end - 2,
            [.., b'\n' | b'\r'] => end - 1,
            _ => end,
        };
        start..end
    }

    fn load_in(&mut self, container: u32, index: usize, number: u32) -> Option<PdfObject> {
        let stream = self.object_stream(container)?;
        let by_index = stream.objects.get(index).filter(|object| object.0 == number);
        let (_, at) = match by_index {
            Some(found) => found,
            None => {
                self.work.spend(stream.objects.len())?;
                stream.objects.iter().find(|object| object.0 == number)?
            }
        };
        let mut lexer = PdfLexer::file(&stream.data, *at);
        let object = lexer.object();
        self.faults.is_limited |= lexer.is_limited();
        self.work.spend(lexer.at().saturating_sub(*at) + 16)?;
        object
    }

    /// Returns a decoded object stream.
    fn object_stream(&mut self, number: u32) -> Option<Arc<ObjectStream>> {
        if let Some(stream) = self.kept.get(&number) {
            return Some(Arc::clone(stream));
        }
        // An object stream is not in another one.
        let Some(ObjectPlace::At(at)) = self.references.place(number) else { return None };
        let (_, object) = self.object_at(at, Some(number))?;
        let stream = object.stream()?;
        let (first, count) =
            (stream.dictionary.get("First").clone(), stream.dictionary.get("N").clone());
        let (first, count) = (self.resolve(&first).count()?, self.resolve(&count).count()?);
        let data = self.data_within(stream, MOST_OBJECTS)?;
        let mut lexer = PdfLexer::file(&data, 0);
        let mut objects = Vec::new();
        while objects.len() < count
            && let (Some(number), Some(offset)) = (lexer.unsigned(), lexer.unsigned())
        {
            let at = first.saturating_add(usize::try_from(offset).unwrap_or(usize::MAX));
            objects.push((u32::try_from(number).unwrap_or(u32::MAX), at));
        }
        let size = data.len() + size_of_val(&*objects);
        if self.kept_bytes + size > MOST_KEPT {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        self.kept_bytes += size;
        let stream = Arc::new(ObjectStream { data, objects });
        self.kept.insert(number, Arc::clone(&stream));
        Some(stream)
    }

    /// Returns the decoded data of a stream, or what of them can be decoded; `None` if it is an image.
    pub(super) fn data(&mut self, stream: &PdfStream) -> Option<Vec<u8>> {
        self.data_within(stream, MOST_DATA)
    }

    /// Returns the decoded data of a stream that is not encrypted.
    fn plain_data(&mut self, stream: &PdfStream) -> Option<Vec<u8>> {
        let key = self.key.take();
        let data = self.data_within(stream, MOST_DATA);
        self.key = key;
        data
    }

    fn data_within(&mut self, stream: &PdfStream, most: usize) -> Option<Vec<u8>> {
        let dictionary = &stream.dictionary;
        let either = |file: &mut PdfFile<'_>, long: &str, short: &str| {
            let key = if dictionary.has(long) { long } else { short };
            let value = file.get(dictionary, key);
            match value {
                PdfObject::Array(all) => all,
                PdfObject::Null => Vec::new(),
                one => vec![one],
            }
        };
        let filters = either(self, "Filter", "F");
        let parameters = either(self, "DecodeParms", "DP");
        let filters: Vec<PdfObject> =
            filters.iter().take(MOST_FILTERS + 1).map(|one| self.resolve(one)).collect();
        if filters.len() > MOST_FILTERS {
            self.faults.is_limited = true;
            return None;
        }
        let mut data = self.decrypted(stream, &filters);
        self.spend(data.len())?;
        for (number, filter) in filters.iter().enumerate() {
            let name = filter.name()?;
            if name == b"Crypt" {
                continue;
            }
            let own = parameters.get(number).cloned().unwrap_or_default();
            let own = self.resolve(&own).dictionary().cloned().unwrap_or_default();
            let mut parameter =
                |key: &str, usual: i64| self.get(&own, key).integer().unwrap_or(usual);
            let is_early = parameter("EarlyChange", 1) != 0;
            let predictor = Predictor {
                kind: parameter("Predictor", 1),
                colors: parameter("Colors", 1).clamp(1, 64) as usize,
                bits: parameter("BitsPerComponent", 8).clamp(1, 16) as usize,
                columns: parameter("Columns", 1).clamp(1, 1 << 24) as usize,
            };
            let most = most.min(usize::try_from(self.work.left).unwrap_or(usize::MAX));
            let Some(filtered) = filter::decode(name, &data, is_early, most) else {
                self.faults.has_unknown_filter = true;
                return None;
            };
            self.faults.is_limited |= filtered.is_cut;
            self.faults.is_damaged |= filtered.is_damaged;
            self.work.spend(filtered.bytes.len());
            data = Cow::Owned(predictor.undo(filtered.bytes));
        }
        Some(data.into_owned())
    }

    /// Returns the stored data of a stream, decrypted.
    fn decrypted(&self, stream: &PdfStream, filters: &[PdfObject]) -> Cow<'b, [u8]> {
        let stored = self.bytes.get(stream.range.clone()).unwrap_or_default();
        let Some(key) = &self.key else { return Cow::Borrowed(stored) };
        let kind = stream.dictionary.get("Type");
        let is_plain = kind.is_name("XRef")
            || kind.is_name("Metadata") && !key.has_encrypted_metadata()
            || filters.first().is_some_and(|filter| filter.is_name("Crypt"));
        match is_plain {
            true => Cow::Borrowed(stored),
            false => Cow::Owned(key.decrypt(Encrypted::Stream, stream.id, stored)),
        }
    }
}

/// Decrypts the strings of an object.
fn decrypt_strings(object: &mut PdfObject, key: &PdfKey, id: ObjectId) {
    match object {
        PdfObject::String(string) => *string = key.decrypt(Encrypted::String, id, string),
        PdfObject::Array(elements) => {
            elements.iter_mut().for_each(|one| decrypt_strings(one, key, id));
        }
        PdfObject::Dictionary(dictionary) => {
            dictionary.values_mut().for_each(|one| decrypt_strings(one, key, id));
        }
        _ => {}
    }
}

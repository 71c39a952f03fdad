//! Binary property lists, in which macOS and iOS store settings, bookmarks, shortcuts to pages (`.webloc`) and saved pages
//! (`.webarchive`): their texts, data and pages, as pieces.
//!
//! A list is a table of objects, each with its type, its length and its bytes or references; the table of their offsets is at the end.
//! The objects are visited in the order of that table, which is the order of the document in the lists that programs write. Texts
//! are stored as ASCII or UTF-16 and pages as their files, so a link has its place in the list itself.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use crate::charset::Charset;
use crate::context::{ContextKind, KnownContext};
use crate::detect::PROPERTY_LIST as MAGIC;
use crate::detect::document::Format;
use crate::piece::{DocumentPiece, PieceContent};

/// Bytes before the first object: the magic number and the digit of its version.
const HEADER: usize = 8;
/// Bytes after the table of offsets.
const TRAILER: usize = 32;
/// Maximum depth of lists that are data of a list.
const MAX_DEPTH: usize = 8;
/// Maximum number of members of a dictionary that describes a file of a saved page; programs write at most six.
const MAX_MEMBERS: usize = 16;
/// Maximum length in bytes of the address of a file of a saved page.
const MAX_ADDRESS: usize = 4096;

static TEXT: KnownContext = KnownContext::new("plist:text", ContextKind::DocumentText);
static URL: KnownContext = KnownContext::new("plist:url", ContextKind::DocumentLink);

/// Reader of a property list.
#[derive(Clone, Debug)]
pub(crate) struct PlistReader<'b> {
    bytes: &'b [u8],
    /// The list, and the lists in its data that are being read.
    open: Vec<OpenList>,
}

/// List whose objects are being visited.
#[derive(Clone, Debug)]
struct OpenList {
    table: ObjectTable,
    next: usize,
    /// Files of a saved page, by the object that has their bytes.
    files: BTreeMap<usize, SavedFile>,
}

/// Objects of a list. Offsets count in the whole document.
#[derive(Clone, Debug)]
struct ObjectTable {
    list: Range<usize>,
    offsets: usize,
    offset_len: usize,
    reference_len: usize,
    count: usize,
}

/// Object, as far as it can contain links.
#[derive(Clone, Debug)]
enum Object {
    Data(Range<usize>),
    Ascii(Range<usize>),
    Utf16(Range<usize>),
    /// References of the keys, then of the values.
    Dictionary(Range<usize>),
    Other,
}

/// File of a saved page.
#[derive(Clone, Debug)]
struct SavedFile {
    format: Format,
    charset: Option<Charset>,
    url: Option<Arc<str>>,
}

impl<'b> PlistReader<'b> {
    /// Opens a list; `None` if an object of it is not where it says.
    pub(crate) fn new(bytes: &'b [u8]) -> Option<PlistReader<'b>> {
        Some(PlistReader { bytes, open: vec![OpenList::new(bytes, 0..bytes.len())?] })
    }

    /// Returns the bytes of the document.
    pub(crate) fn bytes(&self) -> &'b [u8] {
        self.bytes
    }

    /// Returns the next piece.
    pub(crate) fn next(&mut self) -> Option<DocumentPiece> {
        loop {
            let depth = self.open.len();
            let list = self.open.last_mut()?;
            let index = list.next;
            if index == list.table.count {
                self.open.pop();
                continue;
            }
            list.next += 1;
            let (context, content) = match list.table.object(self.bytes, index)? {
                Object::Ascii(range) => match is_url(&self.bytes[range.clone()]) {
                    true => (&URL, stored(range, None, "utf-8")),
                    false => (&TEXT, stored(range, Some(Format::Text), "utf-8")),
                },
                Object::Utf16(range) => (&TEXT, stored(range, Some(Format::Text), "utf-16be")),
                Object::Data(range) => {
                    if let Some(file) = list.files.get(&index) {
                        (KnownContext::TEXT, file.content(range))
                    } else if depth < MAX_DEPTH
                        && let Some(inner) = OpenList::new(self.bytes, range.clone())
                    {
                        self.open.push(inner);
                        continue;
                    } else if may_have_links(&self.bytes[range.clone()]) {
                        let (name, bytes) = (format!("data {index}"), self.bytes[range].to_vec());
                        (KnownContext::TEXT, PieceContent::File { name, bytes })
                    } else {
                        continue;
                    }
                }
                Object::Dictionary(_) | Object::Other => continue,
            };
            let object = Arc::from("list");
            return Some(DocumentPiece { object, page: None, context: context.into(), content });
        }
    }
}

/// Returns the content of a text or a reference that the document stores as it is.
fn stored(range: Range<usize>, format: Option<Format>, charset: &str) -> PieceContent {
    PieceContent::Stored { range, format, charset: charset.parse().ok(), base: None }
}

/// Returns `true` if a text is a URL and nothing else.
fn is_url(text: &[u8]) -> bool {
    let end = memmem::find(text, b"://").unwrap_or(0);
    let (scheme, rest) = text.split_at(end);
    let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let is_of_url = |byte: &u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(byte);
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(is_of_scheme)
        && rest.iter().all(is_of_url)
}

/// Returns `true` if data of an unknown kind are to be read as a file.
fn may_have_links(data: &[u8]) -> bool {
    [&b"://"[..], b"mailto:"].iter().any(|sign| memmem::find(data, sign).is_some())
}

impl SavedFile {
    fn content(&self, range: Range<usize>) -> PieceContent {
        let SavedFile { format, charset, url } = self;
        PieceContent::Stored { range, format: Some(*format), charset: *charset, base: url.clone() }
    }
}

impl OpenList {
    /// Opens the list that is stored at a range.
    fn new(bytes: &[u8], list: Range<usize>) -> Option<OpenList> {
        let table = ObjectTable::new(bytes, list)?;
        // Lists that programs write have each byte in one object. Others could make this quadratic.
        let (mut budget, mut addresses) = (table.list.len(), table.list.len());
        let mut files = BTreeMap::new();
        for index in 0..table.count {
            let object = table.object(bytes, index)?;
            budget = budget.checked_sub(object.len())?;
            if let Object::Dictionary(references) = object
                && let Some((data, file)) = table.saved_file(bytes, &references)
            {
                // Many files may refer to one address, which each has for itself.
                let len = file.url.as_ref().map_or(0, |url| url.len());
                addresses = addresses.checked_sub(len)?;
                files.insert(data, file);
            }
        }
        Some(OpenList { table, next: 0, files })
    }
}

impl Object {
    /// Returns its length in bytes, without those before its content.
    fn len(&self) -> usize {
        match self {
            Object::Data(range)
            | Object::Ascii(range)
            | Object::Utf16(range)
            | Object::Dictionary(range) => range.len(),
            Object::Other => 0,
        }
    }
}

impl ObjectTable {
    fn new(bytes: &[u8], list: Range<usize>) -> Option<ObjectTable> {
        let own = &bytes[list.clone()];
        let trailer = own.starts_with(MAGIC).then(|| own.last_chunk::<TRAILER>())??;
        let number = |from: usize| usize::try_from(big_endian(&trailer[from..from + 8])).ok();
        let (offset_len, reference_len) = (usize::from(trailer[6]), usize::from(trailer[7]));
        let (count, offsets) = (number(8)?, number(24)?);
        let end = count.checked_mul(offset_len)?.checked_add(offsets)?;
        let is_sound = (1..=8).contains(&offset_len)
            && (1..=8).contains(&reference_len)
            && offsets >= HEADER
            && end <= own.len() - TRAILER;
        let offsets = list.start + offsets;
        is_sound.then_some(ObjectTable { list, offsets, offset_len, reference_len, count })
    }

    /// Returns the object with this number; `None` if it is not between the header and the table.
    fn object(&self, bytes: &[u8], index: usize) -> Option<Object> {
        let at = self.offsets + index * self.offset_len;
        let at = usize::try_from(big_endian(&bytes[at..at + self.offset_len])).ok()?;
        let at = self.list.start.checked_add(at).filter(|at| *at >= self.list.start + HEADER)?;
        let mut rest = bytes.get(at..self.offsets)?;
        let marker = *rest.split_off_first()?;
        let (kind, mut count) = (marker >> 4, usize::from(marker & 0xF));
        let has_count = matches!(kind, 0x4..=0x7 | 0xA..=0xD);
        if has_count && count == 0xF {
            // An integer follows, whose marker has the logarithm of its length.
            let integer = *rest.split_off_first()?;
            let len = 1_usize.checked_shl(u32::from(integer & 0xF)).filter(|len| *len <= 8)?;
            let number = rest.split_off(..len).filter(|_| integer >> 4 == 0x1)?;
            count = usize::try_from(big_endian(number)).ok()?;
        }
        let unit = match kind {
            0x4 | 0x5 | 0x7 => 1,
            0x6 => 2,
            0xA | 0xC => self.reference_len,
            0xD => 2 * self.reference_len,
            _ => return Some(Object::Other),
        };
        let from = self.offsets - rest.len();
        let range = from..from.checked_add(count.checked_mul(unit)?)?;
        (range.end <= self.offsets).then_some(match kind {
            0x4 => Object::Data(range),
            0x5 | 0x7 => Object::Ascii(range),
            0x6 => Object::Utf16(range),
            0xD => Object::Dictionary(range),
            _ => Object::Other,
        })
    }

    /// Returns the file that a dictionary of a saved page describes, with the number of its data.
    fn saved_file(&self, bytes: &[u8], references: &Range<usize>) -> Option<(usize, SavedFile)> {
        let (keys, values) = bytes[references.clone()].split_at(references.len() / 2);
        let number = |all: &[u8], nth: usize| {
            let at = nth * self.reference_len;
            let number = usize::try_from(big_endian(&all[at..at + self.reference_len])).ok()?;
            (number < self.count).then_some(number)
        };
        let count = keys.len() / self.reference_len;
        if count > MAX_MEMBERS {
            return None;
        }
        let value = |key: &[u8]| {
            let is_key = |nth: &usize| {
                let object = number(keys, *nth).and_then(|key| self.object(bytes, key));
                matches!(object, Some(Object::Ascii(range)) if bytes[range.clone()] == *key)
            };
            number(values, (0..count).find(is_key)?)
        };
        let text = |key: &[u8]| match self.object(bytes, value(key)?)? {
            Object::Ascii(range) if range.len() <= MAX_ADDRESS => {
                str::from_utf8(&bytes[range]).ok()
            }
            _ => None,
        };
        let data = value(b"WebResourceData")?;
        let format = Format::of_media_type(text(b"WebResourceMIMEType")?)?;
        let charset = text(b"WebResourceTextEncodingName").and_then(|label| label.parse().ok());
        Some((data, SavedFile { format, charset, url: text(b"WebResourceURL").map(Arc::from) }))
    }
}

/// Returns a number of at most eight bytes.
fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::document::Hints;
    use crate::dice::Dice;
    use crate::document::finder::Finder;

    /// An object of a list that a test writes; references are numbers of objects.
    enum Written<'a> {
        Text(&'a str),
        Data(&'a [u8]),
        Dictionary(&'a [(u8, u8)]),
    }

    /// Writes a list with one byte for each reference and two for each offset; the first object is its top.
    fn list(objects: &[Written<'_>]) -> Vec<u8> {
        let mut bytes = b"bplist00".to_vec();
        let mut offsets = Vec::new();
        let head = |bytes: &mut Vec<u8>, kind: u8, count: usize| match count {
            0..15 => bytes.push(kind | count as u8),
            _ => {
                bytes.extend([kind | 0xF, 0x11]);
                bytes.extend((count as u16).to_be_bytes());
            }
        };
        for object in objects {
            offsets.push(bytes.len() as u16);
            match object {
                Written::Text(text) if text.is_ascii() => {
                    head(&mut bytes, 0x50, text.len());
                    bytes.extend(text.bytes());
                }
                Written::Text(text) => {
                    let units: Vec<u16> = text.encode_utf16().collect();
                    head(&mut bytes, 0x60, units.len());
                    bytes.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
                }
                Written::Data(data) => {
                    head(&mut bytes, 0x40, data.len());
                    bytes.extend(*data);
                }
                Written::Dictionary(members) => {
                    head(&mut bytes, 0xD0, members.len());
                    bytes.extend(members.iter().map(|(key, _)| key));
                    bytes.extend(members.iter().map(|(_, value)| value));
                }
            }
        }
        let table = bytes.len() as u64;
        bytes.extend(offsets.iter().flat_map(|offset| offset.to_be_bytes()));
        bytes.extend([0, 0, 0, 0, 0, 0, 2, 1]);
        for number in [objects.len() as u64, 0, table] {
            bytes.extend(number.to_be_bytes());
        }
        bytes
    }

    /// The links with their contexts; each is where it says.
    fn found(bytes: &[u8]) -> Vec<(String, String)> {
        let finder = Finder::new();
        let links = finder.document(bytes, &Hints::new()).expect("a list is read");
        links
            .filter_map(|candidate| candidate.into_result().ok())
            .map(|link| {
                if link.member().is_none() {
                    let stored = &bytes[link.range()];
                    let (decoded, _) =
                        link.charset().encoding().decode_without_bom_handling(stored);
                    assert_eq!(decoded, link.raw());
                }
                (link.uri().into_owned(), link.context().to_string())
            })
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(uri, context)| (uri.to_string(), context.to_string())).collect()
    }

    #[test]
    fn texts_have_their_places_in_the_list() {
        let inner = list(&[Written::Text("http://inner.example/")]);
        let bytes = list(&[
            Written::Text("http://e.example/Yahoo!"),
            Written::Text("see http://例え.jp/パス。 and me@example.org."),
            Written::Text("http://f.example/, too"),
            Written::Data(&inner),
            Written::Data(b"<p><a href='http://g.example/'>x</a>"),
            Written::Data(b"no links"),
        ]);
        let expected = pairs(&[
            ("http://e.example/Yahoo!", "plist:url"),
            ("http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9", "plist:text"),
            ("mailto:me@example.org", "plist:text"),
            ("http://f.example/", "plist:text"),
            ("http://inner.example/", "plist:url"),
            ("http://g.example/", "a@href"),
        ]);
        assert_eq!(found(&bytes), expected);
    }

    /// The bytes may come before the dictionary that describes them, and have a charset of their own.
    #[test]
    fn files_of_a_saved_page_are_read_against_their_address() {
        let page = "<a href='b?\u{e9}'>x</a> http://t.example/\u{e9}"
            .chars()
            .map(|c| c as u8)
            .collect::<Vec<u8>>();
        let bytes = list(&[
            Written::Data(&page),
            Written::Text("WebResourceData"),
            Written::Text("WebResourceMIMEType"),
            Written::Text("WebResourceTextEncodingName"),
            Written::Text("WebResourceURL"),
            Written::Text("text/html"),
            Written::Text("windows-1252"),
            Written::Text("https://s.example/d/a.html"),
            Written::Dictionary(&[(1, 0), (2, 5), (3, 6), (4, 7)]),
        ]);
        let expected = pairs(&[
            ("https://s.example/d/b?%E9", "a@href"),
            ("http://t.example/%C3%A9", "text"),
            ("https://s.example/d/a.html", "plist:url"),
        ]);
        assert_eq!(found(&bytes), expected);
    }

    /// A list that says what cannot be is searched like other binary data; no byte of it is read more than once.
    #[test]
    fn damaged_lists_are_binary_data() {
        let whole = list(&[
            Written::Dictionary(&[(1, 2), (3, 4)]),
            Written::Text("WebResourceData"),
            Written::Data(b"<a href=http://a.example/>"),
            Written::Text("http://b.example/"),
            Written::Text("http://\u{e4}.example/ and more"),
        ]);
        assert!(PlistReader::new(&whole).is_some());
        let inner = b"bplist00 damaged http://inner.example/x";
        assert_eq!(
            found(&list(&[Written::Data(inner)])),
            pairs(&[("http://inner.example/x", "text")])
        );
        // All objects are the same text.
        let (mut many, text) = (b"bplist00".to_vec(), "http://c.example/".repeat(100));
        many.extend([0x5F, 0x11]);
        many.extend((text.len() as u16).to_be_bytes());
        many.extend(text.bytes());
        let table = many.len() as u64;
        many.extend([0, 8].repeat(500));
        many.extend([0, 0, 0, 0, 0, 0, 2, 1]);
        many.extend([500_u64, 0, table].iter().flat_map(|number| number.to_be_bytes()));
        assert!(PlistReader::new(&many).is_none());

        let finder = Finder::new();
        let hints = Hints::new().salvage(true);
        let mut dice = Dice::new(7);
        for turn in 0..20_000 {
            let mut bytes = whole.clone();
            bytes.truncate(if turn < whole.len() { turn } else { whole.len() });
            for _ in 0..dice.below(4) {
                let at = dice.below(bytes.len().max(1));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = dice.next() as u8;
                }
            }
            let Ok(links) = finder.document(&bytes, &hints) else { continue };
            for candidate in links {
                let range = candidate.range();
                assert!(range.start <= range.end && range.end <= bytes.len(), "{bytes:?}");
            }
        }
    }
}

//! The block that links go out in.
//!
//! Numbers are 32 bits, little-endian. First come how many numbers the rows have, where the texts are and how many bytes
//! they have. A row for each link: start, end, what it is, then for each of [`FIELDS`] that it has where its text begins and
//! where it ends, in units of UTF-16. What it is: the kind (0 `iri`, 1 `schemeless`, 2 `email`, 3 `reference`), [`NOTICED`],
//! [`REJECTED`], `FAILED`, and from bit [`HAS`] on which fields it has. What most links have is not there: the URI of a link
//! is its IRI, the IRI the raw text, this is what stands at its place in the text that was searched, the context is `text`,
//! the charset `utf-8`.
//!
//! The beginning is shifted left by one; the bit says whether the text is in the text that was searched, which the caller has:
//! of most links all is, and nothing goes out but numbers. Else it is in the texts, which are UTF-8: they are decoded at
//! once, and cut then. Findings are a text too: `code severity start end` for each, a line feed between them, with places
//! in units of UTF-16 of the IRI.

use std::ops::Range;

use linksift::offsets::{Offsets, Unit};
use linksift::trust::{Finding, Findings};
use linksift::{Link, LinkKind, Notice, Rejected};

/// The texts of a row, in their order: `linksift.js` has the same list.
pub(crate) const FIELDS: usize = 17;

/// It is a notice about a document.
const NOTICED: u32 = 1 << 7;
/// It is a candidate that was rejected.
const REJECTED: u32 = 1 << 8;
/// It is a member of an archive that could not be read.
#[cfg(feature = "archives")]
const FAILED: u32 = 1 << 9;
/// The bit that says that the first field is there.
const HAS: u32 = 10;

/// How many numbers are before the rows.
const HEADER: usize = 3;
/// What a link has that says nothing else.
const CONTEXT: &str = "text";
const CHARSET: &str = "utf-8";
/// Memory for more numbers or bytes than this is given back at the next call.
const KEPT: usize = 1 << 14;

/// The memory of a block, which is used for the next one.
#[derive(Default)]
pub(crate) struct Memory {
    rows: Vec<u32>,
    texts: String,
}

impl Memory {
    /// Where the numbers are.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The same, or none if it is large; with nothing in it.
    pub(crate) fn emptied(mut self) -> Memory {
        if self.rows.capacity() > KEPT || self.texts.capacity() > KEPT {
            return Memory::default();
        }
        self.rows.clear();
        self.texts.clear();
        self
    }
}

/// The rows and texts so far.
pub(crate) struct Block<'t> {
    rows: Vec<u32>,
    count: usize,
    /// Where the last row says what it is.
    what: usize,
    texts: String,
    /// How many units of UTF-16 the texts have.
    units: u32,
    /// Where the last text of each field is.
    last: [Text; FIELDS],
    /// It is of a running text, which the caller has too.
    is_text: bool,
    /// Places, if they are not bytes.
    places: Option<Offsets<'t>>,
}

/// Where a text is in the texts: in bytes, and in units.
#[derive(Clone, Copy, Default)]
struct Text {
    start: usize,
    end: usize,
    units: [u32; 2],
}

impl<'t> Block<'t> {
    /// Places are units of UTF-16 of `text`, which is UTF-8, or its bytes if it is ASCII.
    pub(crate) fn of_text(text: &'t [u8], is_ascii: bool, memory: Memory) -> Block<'t> {
        let places = (!is_ascii).then(|| Offsets::new(text, Unit::Utf16));
        Block { is_text: true, places, ..Block::of_bytes(memory) }
    }

    /// Places are bytes.
    pub(crate) fn of_bytes(memory: Memory) -> Block<'t> {
        let Memory { mut rows, texts } = memory.emptied();
        rows.resize(HEADER, 0);
        let last = Default::default();
        Block { rows, count: 0, what: 0, texts, units: 0, last, is_text: false, places: None }
    }

    pub(crate) fn push(&mut self, found: &Result<Link<'_>, Rejected<'_>>) {
        macro_rules! of_both {
            ($accessor:ident) => {
                match found {
                    Ok(link) => link.$accessor(),
                    Err(rejected) => rejected.$accessor(),
                }
            };
        }
        let kind = match of_both!(kind) {
            LinkKind::Iri => 0,
            LinkKind::Schemeless => 1,
            LinkKind::Email => 2,
            _ => 3,
        };
        let (mut range, raw, iri) = (of_both!(range), of_both!(raw), of_both!(iri));
        if let Some(places) = &mut self.places {
            range = places.range(range);
        }
        self.row(range.clone(), kind | if found.is_err() { REJECTED } else { 0 });
        let link = found.as_ref().ok();
        if let Some(link) = link {
            self.unlike(0, &link.uri(), &iri);
        }
        self.unlike(1, &iri, raw);
        // It has as many bytes as units if it is ASCII. U+FFFD may stand for what is no Unicode in the caller's text.
        let is_ascii = raw.len() == range.len();
        if !self.is_text || !is_ascii && raw.contains(char::REPLACEMENT_CHARACTER) {
            self.text(2, Some(raw));
        }
        if let Some(host) = link.and_then(Link::host) {
            match part(raw, &host).filter(|_| self.is_text && is_ascii) {
                Some(at) => {
                    let start = range.start + at;
                    self.place(3, [(start as u32) << 1 | 1, (start + host.len()) as u32]);
                }
                None => self.text(3, Some(&host)),
            }
        }
        self.unlike(4, of_both!(context), CONTEXT);
        self.unlike(5, of_both!(charset), CHARSET);
        self.text(6, found.as_ref().err().map(|rejected| rejected.reason().code()));
        let warnings = of_both!(warnings);
        if !warnings.is_empty() {
            let codes = warnings.into_iter().map(|one| one.code()).collect::<Vec<_>>().join(" ");
            self.text(7, Some(&codes));
        }
        self.text(8, of_both!(shown));
        if !self.is_text {
            self.text(9, of_both!(part));
            self.text(10, of_both!(transfer).map(|transfer| transfer.as_str()));
            self.text(11, of_both!(message_id));
            self.text(12, of_both!(source));
        }
        if !warnings.is_empty() {
            let findings = of_both!(findings);
            self.text(13, findings.severity().map(|severity| severity.as_str()));
            self.text(14, (!findings.is_empty()).then(|| lines(&findings, &iri)).as_deref());
        }
        if !self.is_text {
            self.text(15, of_both!(member));
            // Bytes are written as characters up to U+00FF.
            let characters =
                |bytes: &[u8]| bytes.iter().map(|b| char::from(*b)).collect::<String>();
            self.text(16, of_both!(member_bytes).map(characters).as_deref());
        }
    }

    /// A member that could not be read, and why.
    #[cfg(feature = "archives")]
    pub(crate) fn push_failed(&mut self, member: &str, reason: &str) {
        self.row(0..0, FAILED);
        self.text(6, Some(reason));
        self.text(15, Some(member));
    }

    /// A notice about a member, or about the document itself.
    pub(crate) fn push_noticed(&mut self, member: &str, notice: Notice) {
        self.row(0..0, NOTICED);
        self.text(6, Some(notice.code()));
        self.text(15, Some(member));
    }

    /// Begins a row.
    fn row(&mut self, range: Range<usize>, what: u32) {
        self.rows.extend([range.start as u32, range.end as u32, what]);
        self.what = self.rows.len() - 1;
        self.count += 1;
    }

    /// Says where a text is.
    fn place(&mut self, field: usize, place: [u32; 2]) {
        self.rows[self.what] |= 1 << (HAS as usize + field);
        self.rows.extend(place);
    }

    /// Writes a text that is another one than `usual`, which a link has that says nothing.
    fn unlike(&mut self, field: usize, text: &str, usual: &str) {
        // Mostly it is the same memory.
        if !std::ptr::eq(text, usual) && text != usual {
            self.text(field, Some(text));
        }
    }

    /// Writes a text; one that the last row that had this field has is not written again.
    fn text(&mut self, field: usize, text: Option<&str>) {
        let Some(text) = text else { return };
        let known = self.last[field];
        if self.texts.get(known.start..known.end) == Some(text) {
            return self.place(field, known.units);
        }
        let (start, units) = (self.texts.len(), self.units);
        self.texts.push_str(text);
        self.units += match text.is_ascii() {
            true => text.len() as u32,
            false => text.encode_utf16().count() as u32,
        };
        let units = [units << 1, self.units];
        self.last[field] = Text { start, end: self.texts.len(), units };
        self.place(field, units);
    }

    /// How many rows there are, and the memory that has them.
    pub(crate) fn finish(self) -> (usize, Memory) {
        let Block { mut rows, texts, .. } = self;
        rows[0] = (rows.len() - HEADER) as u32;
        rows[1] = texts.as_ptr() as usize as u32;
        rows[2] = texts.len() as u32;
        (self.count, Memory { rows, texts })
    }
}

/// Where in the memory of a text another one is that is a part of it.
fn part(text: &str, part: &str) -> Option<usize> {
    let at = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (at + part.len() <= text.len()).then_some(at)
}

fn lines(findings: &Findings, iri: &str) -> String {
    let mut places = Offsets::new(iri, Unit::Utf16);
    let line = |finding: &Finding| {
        let (warning, range) = (finding.warning(), places.range(finding.range()));
        let (code, severity) = (warning.code(), warning.severity().as_str());
        format!("{code} {severity} {} {}", range.start, range.end)
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_once() {
        let text = "👍 http://example.com/a and http://example.com/é, https://pаypal.com/";
        let mut block = Block::of_text(text.as_bytes(), false, Memory::default());
        for found in linksift::Finder::new().candidates(text) {
            block.push(&found);
        }
        let (count, Memory { texts, .. }) = block.finish();
        assert_eq!(count, 3);
        // What is in the text, or is of most links, is not written at all.
        assert!(!texts.contains("http://example.com/a") && !texts.contains("utf-8"), "{texts}");
        assert_eq!(texts.matches("http://example.com/%C3%A9").count(), 1);
        assert!(texts.contains("host-mixed-script deceptive 8 14"), "{texts}");
    }

    #[test]
    fn texts_are_cut_by_units_of_utf16() {
        let text = "ſhttp://example.com/😀 見 me@exämple.com http://例え.jp/パス";
        let mut memory = Memory::default();
        memory.rows.extend([7; 9]);
        memory.texts.push_str("of the block before");
        let mut block = Block::of_text(text.as_bytes(), false, memory);
        let links: Vec<_> = linksift::Finder::new().candidates(text).collect();
        links.iter().for_each(|found| block.push(found));
        let (count, Memory { rows, texts }) = block.finish();
        let mut rows = rows[HEADER..].to_vec();
        let sources: [Vec<u16>; 2] = [&texts, text].map(|text| text.encode_utf16().collect());
        assert_eq!(count, links.len());
        for found in &links {
            let has = rows[2] >> HAS;
            let cut = |field: u32| {
                let at = 3 + 2 * (has & ((1 << field) - 1)).count_ones() as usize;
                let source = &sources[rows.get(at).map_or(0, |start| start & 1) as usize];
                let units = || &source[rows[at] as usize >> 1..rows[at + 1] as usize];
                (has >> field & 1 == 1).then(|| String::from_utf16_lossy(units()))
            };
            let place = String::from_utf16_lossy(&sources[1][rows[0] as usize..rows[1] as usize]);
            let raw = cut(2).unwrap_or(place.clone());
            let iri = cut(1).unwrap_or(raw.clone());
            let link = found.as_ref().ok();
            let uri = link.and_then(|_| cut(0).or_else(|| Some(iri.clone())));
            assert_eq!(uri, link.map(|link| link.uri().into_owned()));
            assert_eq!(iri, found.as_ref().map_or_else(Rejected::iri, Link::iri));
            assert_eq!(raw, found.as_ref().map_or_else(Rejected::raw, Link::raw));
            assert_eq!(cut(3), link.and_then(|link| Some(link.host()?.into_owned())));
            assert_eq!(place, raw);
            rows.drain(..3 + 2 * has.count_ones() as usize);
        }
        assert!(rows.is_empty());
    }
}

//! The block that links go out in.
//!
//! Numbers are 32 bits, little-endian. First comes how many bytes the rows have. A row for each link: start, end,
//! what it is, then for each of [`FIELDS`] that it has where its text begins in the texts and where it ends, in units
//! of UTF-16. What it is: the kind (0 `iri`, 1 `schemeless`, 2 `email`, 3 `reference`), [`NOTICED`], [`REJECTED`], `FAILED`,
//! and from bit [`HAS`] on which fields it has. After the rows come the texts, in UTF-8: they are decoded at once,
//! and cut then. Findings are a text too: `code severity start end` for each, a line feed between them, with
//! places in units of UTF-16 of the IRI.

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
    /// Places are units of UTF-16 of `text`, which is UTF-8.
    pub(crate) fn of_text(text: &'t [u8]) -> Block<'t> {
        Block { places: Some(Offsets::new(text, Unit::Utf16)), ..Block::of_bytes() }
    }

    /// Places are bytes.
    pub(crate) fn of_bytes() -> Block<'t> {
        let (rows, texts, last) = (vec![0], String::new(), Default::default());
        Block { rows, count: 0, what: 0, texts, units: 0, last, places: None }
    }

    pub(crate) fn push(&mut self, found: &Result<Link<'_>, Rejected<'_>>) {
        let range = found.as_ref().map_or_else(Rejected::range, Link::range);
        let range = match &mut self.places {
            Some(places) => places.range(range),
            None => range,
        };
        let kind = match found.as_ref().map_or_else(Rejected::kind, Link::kind) {
            LinkKind::Iri => 0,
            LinkKind::Schemeless => 1,
            LinkKind::Email => 2,
            _ => 3,
        };
        self.row(range, kind | if found.is_err() { REJECTED } else { 0 });
        macro_rules! of_both {
            ($accessor:ident) => {
                match found {
                    Ok(link) => link.$accessor(),
                    Err(rejected) => rejected.$accessor(),
                }
            };
        }
        let link = found.as_ref().ok();
        let iri = of_both!(iri);
        self.text(0, link.map(Link::uri).as_deref());
        self.text(1, Some(&iri));
        self.text(2, Some(of_both!(raw)));
        self.text(3, link.and_then(Link::host).as_deref());
        self.text(4, Some(of_both!(context)));
        self.text(5, Some(of_both!(charset)));
        self.text(6, found.as_ref().err().map(|rejected| rejected.reason().code()));
        let warnings = of_both!(warnings);
        let codes = || warnings.into_iter().map(|one| one.code()).collect::<Vec<_>>().join(" ");
        self.text(7, (!warnings.is_empty()).then(codes).as_deref());
        self.text(8, of_both!(shown));
        self.text(9, of_both!(part));
        self.text(10, of_both!(transfer).map(|transfer| transfer.as_str()));
        self.text(11, of_both!(message_id));
        self.text(12, of_both!(source));
        let findings = of_both!(findings);
        self.text(13, findings.severity().map(|severity| severity.as_str()));
        self.text(14, (!findings.is_empty()).then(|| lines(&findings, &iri)).as_deref());
        self.text(15, of_both!(member));
        // Bytes are written as characters up to U+00FF.
        let characters = |bytes: &[u8]| bytes.iter().map(|b| char::from(*b)).collect::<String>();
        self.text(16, of_both!(member_bytes).map(characters).as_deref());
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

    /// Writes where a text is; one that a row before has at this place, or that this row has before it, is
    /// not written again: most rows have the context, the charset and one text for URI, IRI and raw.
    fn text(&mut self, field: usize, text: Option<&str>) {
        let Some(text) = text else { return };
        self.rows[self.what] |= 1 << (HAS as usize + field);
        for known in [self.last[field.saturating_sub(1)], self.last[field]] {
            if self.texts.get(known.start..known.end) == Some(text) {
                self.last[field] = known;
                return self.rows.extend(known.units);
            }
        }
        let (start, units) = (self.texts.len(), self.units);
        self.texts.push_str(text);
        self.units += match text.is_ascii() {
            true => text.len() as u32,
            false => text.encode_utf16().count() as u32,
        };
        let units = [units, self.units];
        self.last[field] = Text { start, end: self.texts.len(), units };
        self.rows.extend(units);
    }

    /// How many rows there are, and the bytes of all.
    pub(crate) fn finish(self) -> (usize, Vec<u8>) {
        let mut rows = self.rows;
        let len = 4 * rows.len();
        rows[0] = len as u32 - 4;
        let mut bytes = Vec::with_capacity(len + self.texts.len());
        bytes.resize(len, 0);
        for (to, number) in bytes.chunks_exact_mut(4).zip(rows) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(self.texts.as_bytes());
        (self.count, bytes)
    }
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
        let mut block = Block::of_text(text.as_bytes());
        for found in linksift::Finder::new().candidates(text) {
            block.push(&found);
        }
        let (count, bytes) = block.finish();
        assert_eq!(count, 3);
        let (_, texts) = parts(&bytes);
        assert_eq!(texts.matches("http://example.com/a").count(), 1);
        assert_eq!(texts.matches("utf-8").count(), 1);
        assert!(texts.contains("host-mixed-script deceptive 8 14"), "{texts}");
    }

    #[test]
    fn texts_are_cut_by_units_of_utf16() {
        let text = "ſhttp://example.com/😀 見 me@exämple.com http://例え.jp/パス";
        let mut block = Block::of_text(text.as_bytes());
        let links: Vec<_> = linksift::Finder::new().candidates(text).collect();
        links.iter().for_each(|found| block.push(found));
        let (count, bytes) = block.finish();
        let (mut rows, texts) = parts(&bytes);
        let texts: Vec<u16> = texts.encode_utf16().collect();
        assert_eq!(count, links.len());
        for found in &links {
            let has = rows[2] >> HAS;
            let cut = |field: u32| {
                let at = 3 + 2 * (has & ((1 << field) - 1)).count_ones() as usize;
                let units = || &texts[rows[at] as usize..rows[at + 1] as usize];
                (has >> field & 1 == 1).then(|| String::from_utf16_lossy(units()))
            };
            let uri = found.as_ref().ok().map(|link| link.uri().into_owned());
            assert_eq!(cut(0), uri);
            let raw = found.as_ref().map_or_else(Rejected::raw, Link::raw);
            assert_eq!(cut(2).as_deref(), Some(raw));
            let units: Vec<u16> = text.encode_utf16().collect();
            let place = String::from_utf16_lossy(&units[rows[0] as usize..rows[1] as usize]);
            assert_eq!(place, raw);
            rows.drain(..3 + 2 * has.count_ones() as usize);
        }
        assert!(rows.is_empty());
    }

    /// The rows and the texts.
    fn parts(bytes: &[u8]) -> (Vec<u32>, &str) {
        let number = |b: &[u8]| u32::from_le_bytes(b.try_into().unwrap());
        let (rows, texts) = bytes[4..].split_at(number(&bytes[..4]) as usize);
        (rows.chunks(4).map(number).collect(), std::str::from_utf8(texts).unwrap())
    }
}

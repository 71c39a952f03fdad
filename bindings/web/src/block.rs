//! The block that links go out in.
//!
//! Numbers are 32 bits, little-endian. A row for each link: start, end, kind (0 `iri`, 1 `schemeless`, 2
//! `email`, 3 `reference`; 256 more if it is rejected), then for each of [`FIELDS`] where its text begins in
//! the texts and how many bytes it has, `0xFFFF_FFFF` for one that is absent. After the rows come the texts,
//! in UTF-8.

use linksift::{Link, LinkKind, Rejected};

/// The texts of a row, in their order: `linksift.js` has the same list.
pub(crate) const FIELDS: usize = 14;

const ROW: usize = 3 + 2 * FIELDS;
const ABSENT: u32 = u32::MAX;

/// What places are counted in.
pub(crate) enum Place<'t> {
    /// Bytes.
    Bytes,
    /// Units of UTF-16 of this text in UTF-8.
    Utf16(&'t [u8]),
}

/// The rows and texts so far.
pub(crate) struct Block<'t> {
    rows: Vec<u32>,
    texts: Vec<u8>,
    place: Place<'t>,
    /// The last byte that was counted to, and its unit.
    counted: (usize, usize),
    rejected: bool,
}

impl<'t> Block<'t> {
    pub(crate) fn new(place: Place<'t>, rejected: bool) -> Block<'t> {
        Block { rows: Vec::new(), texts: Vec::new(), place, counted: (0, 0), rejected }
    }

    pub(crate) fn push(&mut self, found: &Result<Link<'_>, Rejected<'_>>) {
        if found.is_err() && !self.rejected {
            return;
        }
        let range = found.as_ref().map_or_else(Rejected::range, Link::range);
        let (start, end) = (self.unit(range.start), self.unit(range.end));
        let kind = match found.as_ref().map_or_else(Rejected::kind, Link::kind) {
            LinkKind::Iri => 0,
            LinkKind::Schemeless => 1,
            LinkKind::Email => 2,
            _ => 3,
        };
        self.rows.extend([start as u32, end as u32, kind | u32::from(found.is_err()) << 8]);
        macro_rules! of_both {
            ($accessor:ident) => {
                match found {
                    Ok(link) => link.$accessor(),
                    Err(rejected) => rejected.$accessor(),
                }
            };
        }
        let link = found.as_ref().ok();
        self.text(link.map(Link::uri).as_deref());
        self.text(Some(&of_both!(iri)));
        self.text(Some(of_both!(raw)));
        self.text(link.and_then(Link::host).as_deref());
        self.text(Some(of_both!(context)));
        self.text(Some(of_both!(charset)));
        self.text(found.as_ref().err().map(|rejected| rejected.reason().code()));
        let warnings: Vec<&str> = of_both!(warnings).into_iter().map(|one| one.code()).collect();
        self.text((!warnings.is_empty()).then(|| warnings.join(" ")).as_deref());
        self.text(of_both!(shown));
        self.text(of_both!(part));
        self.text(of_both!(transfer).map(|transfer| transfer.as_str()));
        self.text(of_both!(message_id));
        self.text(link.map(|link| link.display()).as_deref());
        self.text(of_both!(severity).map(|severity| severity.as_str()));
    }

    fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.rows.extend([ABSENT, 0]) };
        self.rows.extend([self.texts.len() as u32, text.len() as u32]);
        self.texts.extend_from_slice(text.as_bytes());
    }

    /// The place of a byte; places only grow, but for a link that is inside another one.
    fn unit(&mut self, byte: usize) -> usize {
        let Place::Utf16(text) = self.place else { return byte };
        let (counted, units) = self.counted;
        let (from, units) = if byte < counted { (0, 0) } else { (counted, units) };
        // Each character is one unit, and two if it has four bytes in UTF-8.
        let of = |byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0);
        let units = units + text[from..byte].iter().map(of).sum::<usize>();
        self.counted = (byte, units);
        units
    }

    /// How many rows there are, and the bytes of all.
    pub(crate) fn finish(self) -> (usize, Vec<u8>) {
        let mut bytes: Vec<u8> = self.rows.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(self.texts);
        (self.rows.len() / ROW, bytes)
    }
}

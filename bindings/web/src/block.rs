//! The block that links go out in.
//!
//! Numbers are 32 bits, little-endian. A row for each link: start, end, kind (0 `iri`, 1 `schemeless`, 2
//! `email`, 3 `reference`; 256 more if it is rejected), then for each of [`FIELDS`] where its text begins in
//! the texts and how many bytes it has, `0xFFFF_FFFF` for one that is absent. After the rows come the texts,
//! in UTF-8. Findings are a text too: `code severity start end` for each, a line feed between them, with places in
//! units of UTF-16 of the IRI.

use linksift::offsets::{Offsets, Unit};
use linksift::trust::{Finding, Findings};
use linksift::{Link, LinkKind, Rejected};

/// The texts of a row, in their order: `linksift.js` has the same list.
pub(crate) const FIELDS: usize = 15;

const ROW: usize = 3 + 2 * FIELDS;
const ABSENT: u32 = u32::MAX;

/// The rows and texts so far.
pub(crate) struct Block<'t> {
    rows: Vec<u32>,
    texts: Vec<u8>,
    places: Option<Offsets<'t>>,
}

impl<'t> Block<'t> {
    /// Places are units of UTF-16 of `text`, which is UTF-8.
    pub(crate) fn of_text(text: &'t [u8]) -> Block<'t> {
        Block { places: Some(Offsets::new(text, Unit::Utf16)), ..Block::of_bytes() }
    }

    /// Places are bytes.
    pub(crate) fn of_bytes() -> Block<'t> {
        Block { rows: Vec::new(), texts: Vec::new(), places: None }
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
        self.rows.extend([range.start as u32, range.end as u32, kind | u32::from(found.is_err()) << 8]);
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
        self.text(link.map(Link::uri).as_deref());
        self.text(Some(&iri));
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
        self.text(of_both!(source));
        self.text(of_both!(severity).map(|severity| severity.as_str()));
        let findings = of_both!(findings);
        self.text((!findings.is_empty()).then(|| lines(&findings, &iri)).as_deref());
    }

    /// Writes where a text is; one that the row before has at this place, or that this row has before it, is
    /// not written again: most rows have the context, the charset and one text for URI, IRI and raw.
    fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.rows.extend([ABSENT, 0]) };
        for back in [2, ROW] {
            let Some(at) = self.rows.len().checked_sub(back) else { break };
            let (start, len) = (self.rows[at] as usize, self.rows[at + 1] as usize);
            if self.texts.get(start..start + len) == Some(text.as_bytes()) {
                return self.rows.extend_from_within(at..at + 2);
            }
        }
        self.rows.extend([self.texts.len() as u32, text.len() as u32]);
        self.texts.extend_from_slice(text.as_bytes());
    }

    /// How many rows there are, and the bytes of all.
    pub(crate) fn finish(self) -> (usize, Vec<u8>) {
        let mut bytes: Vec<u8> = self.rows.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(self.texts);
        (self.rows.len() / ROW, bytes)
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
        let text = "see http://example.com/a and http://example.com/é, https://pаypal.com/";
        let mut block = Block::of_text(text.as_bytes());
        for found in linksift::Finder::new().candidates(text) {
            block.push(&found);
        }
        let (count, bytes) = block.finish();
        assert_eq!(count, 3);
        let texts = std::str::from_utf8(&bytes[count * ROW * 4..]).unwrap();
        assert_eq!(texts.matches("http://example.com/a").count(), 1);
        assert_eq!(texts.matches("utf-8").count(), 1);
        assert!(texts.contains("host-mixed-script deceptive 8 14"), "{texts}");
    }

    #[test]
    fn units_of_utf16_are_those_of_the_standard_library() {
        for text in ["", "a", "aé見😀z", "\u{10FFFF}\u{FFFF}"] {
            assert_eq!(utf16_units(text.as_bytes()), text.encode_utf16().count());
        }
    }
}

//! The roads that a text can take to its records: whole, in pieces, and the naive twin.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use super::naive;
use linksift::{
    Boundaries, Buffer, Charset, Document, Event, Finder, FinderBuilder, Hints, Link, LinkKind,
    Position, Reason, References, Refused, Schemes,
};

/// One record, as all roads but the twin's give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) range: Range<usize>,
    pub(crate) kind: LinkKind,
    pub(crate) code: Option<&'static str>,
    pub(crate) raw: String,
    /// The URI of a link, the IRI of what is refused.
    pub(crate) mapped: String,
    pub(crate) position: Option<Position>,
    pub(crate) warnings: Vec<&'static str>,
    pub(crate) is_refused_as_iri: bool,
}

impl Record {
    pub(crate) fn new(found: &Result<Link<'_>, Refused<'_>>) -> Record {
        match found {
            Ok(link) => Record {
                range: link.range(),
                kind: link.kind(),
                code: None,
                raw: link.raw().to_owned(),
                mapped: link.uri().into_owned(),
                position: link.position(),
                warnings: link.warnings().map(|w| w.code()).collect(),
                is_refused_as_iri: false,
            },
            Err(refused) => Record {
                range: refused.range(),
                kind: refused.kind(),
                code: Some(refused.reason().code()),
                raw: refused.raw().to_owned(),
                mapped: refused.iri().into_owned(),
                position: refused.position(),
                warnings: refused.warnings().map(|w| w.code()).collect(),
                is_refused_as_iri: matches!(refused.reason(), Reason::Iri(_)),
            },
        }
    }

    pub(crate) fn short(&self) -> Short {
        (self.range.clone(), self.kind, self.code)
    }

    /// What the twin knows of it: what the rules of the scheme refuse, the scan has found.
    pub(crate) fn scanned(&self) -> Short {
        let code = self.code.filter(|_| !self.is_refused_as_iri);
        (self.range.clone(), self.kind, code)
    }
}

pub(crate) type Short = (Range<usize>, LinkKind, Option<&'static str>);

/// The finder's builder with the settings that the twin knows.
pub(crate) fn builder(settings: &naive::Settings) -> FinderBuilder {
    Finder::builder()
        .boundaries(match settings.boundaries {
            naive::Boundaries::Prose => Boundaries::Prose,
            naive::Boundaries::Uts58 => Boundaries::Uts58,
        })
        .schemeless(settings.schemeless)
        .emails(settings.emails)
        .schemes(match &settings.schemes {
            naive::Schemes::Known => Schemes::Known,
            naive::Schemes::Any => Schemes::Any,
            naive::Schemes::List(list) => Schemes::List(list.clone()),
        })
        .references(if settings.references { References::Auto } else { References::Never })
        .max_link(settings.max_link)
}

pub(crate) fn whole(finder: &Finder, text: &[u8]) -> Vec<Record> {
    let document = Document::new(text).charset(Charset::UTF_8).positions(true);
    finder.document(&document).map(|found| Record::new(&found)).collect()
}

/// Gives the text in these pieces, one a read.
struct Pieces<'t>(VecDeque<&'t [u8]>);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.0.pop_front() else { return Ok(0) };
        let len = piece.len().min(buffer.len());
        buffer[..len].copy_from_slice(&piece[..len]);
        if len < piece.len() {
            self.0.push_front(&piece[len..]);
        }
        Ok(len)
    }
}

/// The records of the text cut at `cuts`, which are in order.
pub(crate) fn pieces(
    finder: &Finder,
    buffer: &mut Buffer,
    text: &[u8],
    cuts: &[usize],
) -> Vec<Record> {
    let mut pieces = VecDeque::new();
    let mut from = 0;
    for &to in cuts.iter().chain([&text.len()]) {
        // A read of no bytes would be the end.
        if from < to {
            pieces.push_back(&text[from..to]);
            from = to;
        }
    }
    let mut records = Vec::new();
    let hints = Hints::new().charset(Charset::UTF_8).positions(true);
    let scanned = finder.scan_reader_in(buffer, Pieces(pieces), &hints, |event| {
        records.push(match event {
            Event::Link(link) => Record::new(&Ok(link)),
            Event::Refused(refused) => Record::new(&Err(refused)),
            other => unreachable!("{other:?} in text"),
        });
        ControlFlow::Continue(())
    });
    assert!(scanned.is_ok_and(|s| s.bytes() == text.len() as u64), "all is read");
    records
}

pub(crate) fn twin(settings: &naive::Settings, text: &[u8]) -> Vec<Short> {
    let short = |record: naive::Record| {
        let kind = match record.kind {
            naive::Kind::Iri => LinkKind::Iri,
            naive::Kind::Schemeless => LinkKind::Schemeless,
            naive::Kind::Email => LinkKind::Email,
        };
        let code = match record.outcome {
            naive::Outcome::Found => None,
            naive::Outcome::Refused(code) => Some(code),
        };
        (record.start..record.end, kind, code)
    };
    naive::scan(text, settings).into_iter().map(short).collect()
}

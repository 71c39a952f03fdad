//! The routes that a text can take to its records: whole, in pieces, and the naive twin.

use std::ops::{ControlFlow, Range};

use linksift::iri::ErrorKind;
use linksift::{
    Candidate, Charset, Event, Finder, Format, Hints, LinkKind, Position, Reason, Rejected,
};

use crate::support::pieces::Pieces;
pub(crate) use crate::support::twin::{Short, builder, twin};

/// One record, as all code paths but the twin's give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) range: Range<usize>,
    pub(crate) kind: LinkKind,
    pub(crate) code: Option<&'static str>,
    pub(crate) raw: String,
    /// The URI of a link, the IRI of what is rejected.
    pub(crate) mapped: String,
    pub(crate) position: Option<Position>,
    pub(crate) warnings: Vec<&'static str>,
    pub(crate) is_refused_as_iri: bool,
    pub(crate) may_be_of_scheme: bool,
}

impl Record {
    pub(crate) fn new(found: &Candidate<'_>) -> Record {
        match found {
            Candidate::Link(link) => Record {
                range: link.range(),
                kind: link.kind(),
                code: None,
                raw: link.raw().to_owned(),
                mapped: link.uri().into_owned(),
                position: link.position(),
                warnings: link.warnings().iter().map(|w| w.as_str()).collect(),
                is_refused_as_iri: false,
                may_be_of_scheme: false,
            },
            Candidate::Rejected(rejected) => Record {
                range: rejected.range(),
                kind: rejected.kind(),
                code: Some(rejected.reason().as_str()),
                raw: rejected.raw().to_owned(),
                mapped: rejected.iri().into_owned(),
                position: rejected.position(),
                warnings: rejected.warnings().iter().map(|w| w.as_str()).collect(),
                is_refused_as_iri: matches!(rejected.reason(), Reason::Iri(kind) if kind != ErrorKind::HostNotUtf8),
                may_be_of_scheme: may_be_of_scheme(rejected),
            },
        }
    }

    pub(crate) fn short(&self) -> Short {
        (self.range.clone(), self.kind, self.code)
    }

    /// What the twin knows of it: what the rules of the scheme refuse, the scan has found; of hosts it knows all.
    pub(crate) fn scanned(&self) -> Short {
        let code = self.code.filter(|_| !self.is_refused_as_iri);
        (self.range.clone(), self.kind, code)
    }
}

/// Whether the rules of its scheme may be what refuses it, those of the fields of a `mailto:` among them: they
/// have the scan's word for a fault that the scan knows too.
fn may_be_of_scheme(rejected: &Rejected<'_>) -> bool {
    let iri = rejected.iri();
    match rejected.reason() {
        // Of a host in fullwidth digits or with triplets the rules are asked once it is mapped.
        Reason::HostIpv4 => !iri.is_ascii() || iri.contains('%'),
        Reason::Userinfo => ["file:", "ldap:", "ldaps:", "coap:", "coaps:"]
            .iter()
            .any(|scheme| iri.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme))),
        Reason::HostInvalidIdna
        | Reason::HostLabel
        | Reason::HostTooLong
        | Reason::Iri(ErrorKind::HostNotUtf8) => {
            rejected.kind() == LinkKind::Email && iri.contains('?')
        }
        _ => false,
    }
}

pub(crate) fn whole(finder: &Finder, text: &[u8]) -> Vec<Record> {
    let hints = Hints::new().format(Format::Text).charset(Charset::UTF_8).positions(true);
    finder.document(text, &hints).unwrap().map(|found| Record::new(&found)).collect()
}

/// The records of the text cut at `cuts`, which are in order.
pub(crate) fn pieces(finder: &Finder, text: &[u8], cuts: &[usize]) -> Vec<Record> {
    let mut records = Vec::new();
    let hints = Hints::new().format(Format::Text).charset(Charset::UTF_8).positions(true);
    let scanned = finder.scan_reader(Pieces::cut(text, cuts), &hints, |event| {
        records.push(match event {
            Event::Link { link, .. } => Record::new(&Candidate::Link(link)),
            Event::Rejected { rejected, .. } => Record::new(&Candidate::Rejected(rejected)),
            other => unreachable!("{other:?} in text"),
        });
        ControlFlow::Continue(())
    });
    assert!(scanned.is_ok_and(|s| s.bytes() == text.len() as u64), "all is read");
    records
}

//! Headers of HTTP answers that precede a document: those of redirects and of the answer itself.
//!
//! Whoever scans the document reads it after them, at its place in the answer. Only a body in chunks or in a coding is decoded here, as in
//! a crawl.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::lookahead::{Lookahead, LookaheadReader};
use super::metadata::{CutEnd, DocumentInfo, HeaderLink, Metadata};
use super::stream_context::{StreamContext, Where};
use super::walk::ContainerWalk;
use super::warc::{CODED, HttpFields, LOCATION, is_coded};
use super::work_unit::Visitor;
use crate::detect::document::{Declared, Detection, Format, Hints};
use crate::detect::{begins_answer, header_len};
use crate::iri::IriBuf;
use crate::iri::repair::repair_within;
use crate::limits::FIELD;
use crate::link::Repeated;
use crate::notice::Notice;

/// Length in bytes of the headers after which the rest is read as text.
pub(crate) const MOST_HEADERS: usize = 1 << 20;

/// The headers before a document.
#[derive(Debug, Default)]
pub(crate) struct AnswerHeads {
    /// Length in bytes.
    pub(crate) len: usize,
    /// Number of lines.
    pub(crate) lines: u64,
    /// Links, each with the base that it is resolved against.
    pub(crate) links: Vec<(HeaderLink, Option<IriBuf>)>,
    /// Whether the headers are so long that the rest is read as text.
    pub(crate) is_too_much: bool,
    pub(super) metadata: Metadata,
    /// Fields of the last header.
    pub(super) fields: HttpFields,
}

impl AnswerHeads {
    /// Reads the headers that the bytes begin with; the last one may be cut. `base` is that of the first.
    pub(crate) fn of(bytes: &[u8], base: Option<&IriBuf>) -> AnswerHeads {
        let mut heads = AnswerHeads::default();
        heads.metadata.source = base.cloned();
        while heads.len < MOST_HEADERS && begins_answer(&bytes[heads.len..]) == Some(true) {
            let rest = &bytes[heads.len..];
            let rest = &rest[..rest.len().min(FIELD)];
            let len = header_len(rest);
            heads.add(&rest[..len.unwrap_or(rest.len())], len.is_none());
        }
        heads.is_too_much = heads.len >= MOST_HEADERS;
        heads
    }

    /// Reads one more header.
    fn add(&mut self, header: &[u8], is_cut: bool) {
        let base = self.metadata.source.take();
        let (mut links, mut location) = (Vec::new(), None);
        let mut feed = LookaheadReader::reusing(Vec::new(), Box::new(header), 0);
        let read = HttpFields::read(&mut feed, is_cut, &mut |mut link| {
            if std::ptr::eq(link.context, &raw const LOCATION) {
                location =
                    repair_within(base.as_ref().map(|base| base.as_iri()).as_ref(), &link.text)
                        .ok();
            }
            let Range { start, end } = link.range;
            link.range = self.len + start..self.len + end;
            link.position.line += self.lines;
            links.push((link, base.clone()));
        });
        self.links.append(&mut links);
        self.len += header.len();
        self.lines += memchr::memchr_iter(b'\n', header).count() as u64;
        let fields = read.unwrap_or_default();
        // What follows a redirect was read from its target.
        let is_redirect = header
            .split(|byte| *byte == b' ')
            .nth(1)
            .is_some_and(|status| status.starts_with(b"3"));
        let source = location.filter(|_| is_redirect).map(|location| location.into_iri()).or(base);
        let declared = Metadata::of(None, fields.content_type.as_deref());
        self.metadata = Metadata { source, ..declared };
        self.fields = fields;
    }

    /// Returns the hints of the document after the headers.
    pub(crate) fn hints(&self, hints: &Hints) -> Hints {
        let Metadata { declared, charset, unknown_label, source, .. } = &self.metadata;
        Hints {
            // More headers are not read: a document of nothing else would nest in itself.
            format: if self.is_too_much { Format::Text } else { Format::Auto },
            detection: None,
            detected: None,
            declared: match declared {
                Declared::Format(Format::Http) => Declared::Nothing,
                declared => *declared,
            },
            charset: charset.or(hints.charset),
            unknown_label: unknown_label.clone().or_else(|| hints.unknown_label.clone()),
            base: source.clone(),
            scope: hints.scope.of_parts(),
            ..hints.clone()
        }
    }
}

/// Returns `true` if the bytes begin with headers of HTTP, and the body after them is in chunks or in a coding.
#[cfg(feature = "files")]
pub(crate) fn is_coded_answer(bytes: &[u8]) -> bool {
    let heads = AnswerHeads::of(bytes, None);
    heads.len > 0 && !heads.is_too_much && is_coded(&heads.fields, &bytes[heads.len..])
}

/// Bytes of an answer in which its headers end, if its body is decoded.
const HEADERS: usize = 64 << 10;

impl ContainerWalk<'_> {
    /// Scans an answer whose body is in chunks or in a coding, and was not decoded when it was stored; returns `false` for any other.
    pub(super) fn coded_answer(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        detection: Detection,
        visitor: &mut dyn Visitor,
    ) -> io::Result<bool> {
        let mut len = 0;
        while feed.held().len() < HEADERS {
            let rest = &feed.held()[len..];
            let header = match begins_answer(rest) {
                Some(false) if rest.len() >= CODED => break,
                Some(true) => header_len(rest),
                _ => None,
            };
            if let Some(header) = header {
                len += header;
                continue;
            }
            if feed.read_or_pause()? == Some(0) {
                break;
            }
        }
        let heads = AnswerHeads::of(feed.held(), context.metadata.source.as_ref());
        let is_coded = is_coded(&heads.fields, &feed.held()[heads.len..]);
        if heads.len == 0 || heads.is_too_much || !is_coded || context.depth >= self.limits.depth {
            return Ok(false);
        }
        feed.consume(heads.len);
        let (member, depth) = (context.member, context.depth);
        let AnswerHeads { links, metadata, fields, .. } = heads;
        let mut repeated = Repeated::default();
        for (link, base) in links {
            let metadata = &Metadata { source: base, ..Metadata::default() };
            let budget = &Arc::clone(&self.budget);
            let info = DocumentInfo::of(member, detection, metadata, depth, budget);
            visitor.value(&info, link, &mut repeated);
        }
        if repeated.is_reached() {
            visitor.noticed(member, Notice::Repeated);
        }
        self.begin_budget(context);
        let inner = StreamContext {
            member,
            name: context.name,
            from: Where::Stream(None),
            depth: depth + 1,
            is_live: context.is_live,
            metadata: &metadata,
            offsets: None,
            cut: Some(&CutEnd::default()),
        };
        let (result, is_cut) =
            self.http_body(&fields, feed, &inner, context.from.len(), visitor)?;
        if is_cut {
            visitor.noticed(member, Notice::SourceTruncated);
        }
        result.map(|()| true)
    }
}

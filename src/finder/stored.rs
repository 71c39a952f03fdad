//! Candidates of a document in a legacy charset: judged as the text they were decoded to, reported as
//! they stand in the stored bytes.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::Finder;
use crate::charset::Charset;
use crate::iri::{Octet, to_uri};
use crate::link::{Body, Link, LinkKind, Rejected, Warning, body_of, owned};
use crate::scan::Candidate;
use crate::stored::{Block, StoredScanner};
use crate::tables::schemes;

impl Finder {
    /// Makes of a candidate that `scanner` has just given in a block a link or a refusal; most can be
    /// borrowed from the block, of the others the text is copied.
    pub(crate) fn judge_in<'b>(
        &self,
        scanner: &mut StoredScanner,
        block: Block<'b>,
        mut candidate: Candidate,
    ) -> Result<Link<'b>, Rejected<'b>> {
        let stored = scanner.stored(block, &candidate);
        let is_there = stored.start >= block.base && stored.len() <= self.scan.max_link;
        if is_there && scanner.is_as_stored(&candidate, &stored) {
            candidate.moved(candidate.range.start, stored.start - block.base);
            let mut judged = self.judge(block.bytes, block.base, candidate);
            self.place_text(&mut judged, stored, None, scanner.charset());
            return judged;
        }
        owned(self.judge_stored(scanner, block, stored, candidate))
    }

    /// Makes of a candidate that `scanner` has just given a link or a refusal; `range` is where it
    /// is in the stored bytes.
    fn judge_stored<'s>(
        &self,
        scanner: &'s mut StoredScanner,
        block: Block<'s>,
        range: Range<usize>,
        candidate: Candidate,
    ) -> Result<Link<'s>, Rejected<'s>> {
        let charset = scanner.charset();
        let head = scanner.long_head();
        let text = scanner.text(block);
        if head.is_some() || range.len() > self.scan.max_link {
            let Range { start, end } = candidate.range;
            let end = end.min(start + self.scan.max_link);
            let head = match head {
                Some(head) => Cow::Owned(head),
                None => String::from_utf8_lossy(text.get(start..end).unwrap_or_default()),
            };
            let mut rejected = self.refuse_long(head, range, candidate.kind);
            rejected.body.charset = charset;
            return Err(rejected);
        }
        let mut judged = self.judge(text, 0, candidate);
        self.place_text(&mut judged, range, None, charset);
        judged
    }

    /// Puts a link of running text where it stands in the document; `raw`: as it is written there,
    /// when that is not the text it was judged as.
    pub(crate) fn place_text<'t>(
        &self,
        judged: &mut Result<Link<'t>, Rejected<'t>>,
        range: Range<usize>,
        raw: Option<String>,
        charset: Charset,
    ) {
        let body = body_of(judged);
        body.range = range;
        body.charset = charset;
        if let Some(raw) = raw.filter(|raw| *raw != *body.raw) {
            let text = std::mem::replace(&mut body.raw, Cow::Owned(raw));
            body.resolved.get_or_insert_with(|| text.into());
        }
        if charset.is_unicode() {
            return;
        }
        body.warnings.remove(Warning::NotNfc);
        if let Ok(link) = judged {
            self.add_octets(link);
        }
    }

    /// Gives an http link its query in the document's charset (draft-ietf-iri-3987bis-07 §3.5), taken
    /// from the text before Form C, and all of it Form C.
    fn add_octets(&self, link: &mut Link<'_>) {
        let body = &mut link.body;
        if body.text().is_ascii() {
            return;
        }
        let query = query_range(body).filter(|query| {
            let query = &body.text()[query.clone()];
            self.query_charset && !query.is_ascii() && self.is_http(body)
        });
        let octets = query.map(|query| {
            let charset = body.charset;
            let encoder =
                |query: &str, give: &mut dyn FnMut(Octet)| charset.encode_query(query, give);
            let mut octets = String::new();
            to_uri::push_query(&mut octets, &body.text()[query], &encoder);
            octets
        });
        compose(body);
        if let (Some(octets), Some(query)) = (octets, query_range(body)) {
            let text = body.text();
            let whole = [&text[..query.start], &*octets, &text[query.end..]].concat();
            body.octets = Some(whole.into_boxed_str());
        }
    }

    fn is_http(&self, body: &Body<'_>) -> bool {
        let scheme = match body.kind {
            LinkKind::Schemeless => body.prefix.as_str().split(':').next(),
            _ => body.text().split(':').next(),
        };
        scheme.is_some_and(|scheme| schemes::is(scheme.as_bytes(), schemes::QUERY_CHARSET))
    }
}

/// The query, without its question mark.
fn query_range(body: &Body<'_>) -> Option<Range<usize>> {
    let text = body.text();
    let end = body.host.end + text[body.host.end..].find('#').unwrap_or(text.len() - body.host.end);
    let start = body.host.end + text[body.host.end..end].find('?')? + 1;
    Some(start..end)
}

/// Brings the text to Form C.
fn compose(body: &mut Body<'_>) {
    let text = body.text();
    if is_nfc(text) {
        return;
    }
    let len = |end: usize| text[..end].nfc().map(char::len_utf8).sum::<usize>();
    let host = len(body.host.start)..len(body.host.end);
    let composed: String = text.nfc().collect();
    body.host = host;
    body.resolved = Some(composed.into_boxed_str());
}

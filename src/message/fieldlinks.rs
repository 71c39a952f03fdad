//! Links of header fields: `List-*` (RFC 2369, RFC 8058), `Content-Location` (RFC 2557), running text with
//! encoded words.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::fields::{self, Reading};
use super::header::Field;
use super::part::Head;
use super::word::{Piece, pieces};
use super::{Emit, Feed, Mail};
use crate::charset::Charset;
use crate::document::{Document, Format, Headers, Hints};
use crate::finder::Base;
use crate::finder::Reference;
use crate::iri::repair::octets_encoded;
use crate::link::{Judged, LinkKind, Origin, Transfer, Warning, body_of};

/// The most entries of a `List-*` field.
const MOST_ENTRIES: usize = 100;

/// A field whose links are looked for.
struct Place<'p> {
    window: (&'p [u8], usize),
    /// The value, and where it begins in all bytes.
    value: &'p [u8],
    start: usize,
    context: Cow<'static, str>,
    origin: &'p Arc<Origin>,
}

impl Mail<'_> {
    /// Gives the links of the header that was read.
    pub(super) fn field_links(
        &mut self,
        feed: &Feed<'_>,
        head: &Head,
        origin: &Arc<Origin>,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let bytes = feed.from(self.at);
        let is_all = self.hints.headers == Headers::All;
        let fields = std::mem::take(&mut self.fields);
        let mut flow = ControlFlow::Continue(());
        for (Field { name, value }, is_field) in &fields {
            let name = &bytes[name.clone()];
            let (reading, context) = match is_field {
                false => (Reading::Text, Cow::Borrowed("text")),
                true => match fields::reading(name, is_all) {
                    None => continue,
                    Some((reading, Some(context))) => (reading, Cow::Borrowed(context)),
                    Some((reading, None)) => (reading, Cow::Owned(fields::context(name))),
                },
            };
            let window = (feed.bytes(), feed.base());
            let start = self.at + value.start;
            let value = &bytes[value.clone()];
            let place = Place { window, value, start, context, origin };
            flow = match reading {
                Reading::List => self.list(&place, head, emit),
                Reading::Iri => self.location_link(&place, head, emit),
                Reading::Text => self.field_text(&place, false, emit),
                Reading::Addresses => self.field_text(&place, true, emit),
                Reading::Never => ControlFlow::Continue(()),
            };
            if flow.is_break() {
                break;
            }
        }
        self.fields = fields;
        flow
    }

    /// `<IRI>, <IRI>`: white space in the brackets is dropped, and what does not begin so is nothing.
    fn list(&mut self, place: &Place<'_>, head: &Head, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut at = place.value.len() - place.value.trim_ascii_start().len();
        for _ in 0..MOST_ENTRIES {
            let rest = &place.value[at..];
            let Some(inner) = rest.strip_prefix(b"<") else { break };
            let Some(len) = memchr::memchr(b'>', inner) else { break };
            let is_https = inner
                .trim_ascii_start()
                .get(..6)
                .is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"https:"));
            let is_one_click =
                head.is_one_click && is_https && place.context == "header:list-unsubscribe";
            self.value(place, at + 1..at + 1 + len, None, is_one_click, emit)?;
            at += len + 2;
            // A comment, then a comma, then the next.
            let Some(comma) = memchr::memchr2(b',', b'<', &place.value[at..]) else { break };
            let after = &place.value[at + comma..];
            let after = after.strip_prefix(b",").unwrap_or(after).trim_ascii_start();
            at = place.value.len() - after.len();
        }
        ControlFlow::Continue(())
    }

    /// All of a value is a reference.
    fn location_link(
        &mut self,
        place: &Place<'_>,
        head: &Head,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let value = place.value;
        let start = value.len() - value.trim_ascii_start().len();
        let mut range = start..start + value.trim_ascii().len();
        if let [b'<', .., b'>'] | [b'"', .., b'"'] = &value[range.clone()] {
            range = range.start + 1..range.end - 1;
        }
        // What the part is in, not the part itself.
        let outer = super::own_base(head).or_else(|| self.scope_base());
        let base = outer.as_ref().or(self.hints.base.as_ref()).map(Base::from);
        self.value(place, range, base.as_ref(), false, emit)
    }

    /// A reference that is a stretch of a value, white space in it dropped. Without a base only what has a
    /// scheme is one.
    fn value(
        &mut self,
        place: &Place<'_>,
        range: Range<usize>,
        base: Option<&Base>,
        is_one_click: bool,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let written = &place.value[range.clone()];
        let start = range.start + written.len() - written.trim_ascii_start().len();
        let written = written.trim_ascii();
        if written.is_empty() {
            return ControlFlow::Continue(());
        }
        let stored = place.start + start..place.start + start + written.len();
        let raw = String::from_utf8_lossy(written);
        let is_joined = written.iter().any(u8::is_ascii_whitespace);
        let text = octets_encoded(written);
        let text = match is_joined {
            true => Cow::Owned(text.split_ascii_whitespace().collect::<String>()),
            false => text,
        };
        let raw = (raw != text).then_some(raw);
        let context = place.context.clone();
        let reference = Reference { text, raw, range: stored, context };
        let mut judged = self.finder.judge_value(reference, base, Charset::UTF_8);
        let is_list = base.is_none() && place.context != "header:content-location";
        if is_list && body_of(&mut judged).kind == LinkKind::Reference {
            return ControlFlow::Continue(());
        }
        let body = body_of(&mut judged);
        if is_joined {
            body.warnings.insert(Warning::Joined);
        }
        if std::str::from_utf8(written).is_err() {
            body.warnings.insert(Warning::NotIriCharacter);
        }
        if is_one_click {
            body.warnings.insert(Warning::OneClick);
        }
        body.rare_mut().origin = Some(Arc::clone(place.origin));
        self.give(judged, place.window, emit)
    }

    /// Running text, of which encoded words are read apart from what is between them.
    fn field_text(
        &mut self,
        place: &Place<'_>,
        addresses_alone: bool,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let value = place.value;
        let may_link = memchr::memchr3(b'.', b':', b'@', value).is_some();
        let has_words = memchr::memmem::find(value, b"=?").is_some();
        if !has_words {
            // What is not ASCII may hold another dot.
            if !may_link && value.is_ascii() {
                return ControlFlow::Continue(());
            }
            return self.piece(place, value, None, addresses_alone, emit, &|range| {
                (range.start + place.start..range.end + place.start, None)
            });
        }
        for piece in pieces(value) {
            match piece {
                Piece::Plain(range) => {
                    let start = place.start + range.start;
                    let text = &value[range];
                    self.piece(place, text, None, addresses_alone, emit, &|range| {
                        (start + range.start..start + range.end, None)
                    })?;
                }
                Piece::Words(words) => {
                    self.piece(
                        place,
                        &words.bytes,
                        words.charset,
                        addresses_alone,
                        emit,
                        &|range| match words.place(range.clone()) {
                            Some((stored, transfer)) => {
                                let start = place.start;
                                (start + stored.start..start + stored.end, Some(transfer))
                            }
                            None => (place.start..place.start, None),
                        },
                    )?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn piece(
        &mut self,
        place: &Place<'_>,
        text: &[u8],
        charset: Option<Charset>,
        addresses_alone: bool,
        emit: &mut Emit<'_>,
        stored: &dyn Fn(Range<usize>) -> (Range<usize>, Option<Transfer>),
    ) -> ControlFlow<()> {
        let hints = Hints { format: Format::Text, charset, ..Hints::default() };
        let document = Document { bytes: text, hints };
        let finder = self.finder;
        let Ok(found) = finder.document(&document) else { return ControlFlow::Continue(()) };
        for judged in found {
            let mut judged: Judged<'_> = judged;
            let body = body_of(&mut judged);
            if addresses_alone && body.kind != LinkKind::Email {
                continue;
            }
            let (range, transfer) = stored(body.range.clone());
            body.range = range;
            match &place.context {
                Cow::Borrowed(context) => body.context = context,
                Cow::Owned(context) => body.rare_mut().context = Some(context.as_str().into()),
            }
            let rare = body.rare_mut();
            rare.transfer = transfer;
            rare.origin = Some(Arc::clone(place.origin));
            self.give(judged, place.window, emit)?;
        }
        ControlFlow::Continue(())
    }
}

//! Scans header fields for links: `List-*` (RFC 2369, RFC 8058), `Content-Location` (RFC 2557), tags, the URL of an external
//! body (RFC 2017), running text with encoded words.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::address_list::{AddressContext, AddressList};
use super::field_bytes::{FieldBytes, each_written};
use super::fields::{self, FieldSyntax};
use super::header::HeaderField;
use super::iri_values::{ListEntries, ListEntry, WhiteSpace, unenclosed, without};
use super::part::MimeHeaders;
use super::{EmitMail, MailScanner, MessageBuffer};
use crate::charset::Charset;
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::detect::document::{Format, Hints, NonText, ScanScope};
use crate::detect::media_type::parameter_place;
use crate::document::finder::{Base, Reference};
use crate::input::chunk::Chunk;
use crate::iri::repair::octets_encoded;
use crate::link::{Body, Judged, LinkKind, Origin, Warning, body_of};
use crate::notation::Notation;
use crate::trust::registrable;

/// Header field in which links are searched.
#[derive(Clone, Debug)]
pub(super) struct LinkField {
    pub(super) field: HeaderField,
    pub(super) reading: FieldSyntax,
    /// Context of its links, if its name is in the table.
    pub(super) context: Option<&'static KnownContext>,
}

/// Value of a header field, with its place and context.
struct FieldText<'p> {
    chunk: Chunk<'p>,
    /// Stored bytes of the value, then their offset in the input.
    value: &'p [u8],
    start: usize,
    context: StoredContext,
    origin: &'p HeaderOrigin<'p>,
}

/// Origin of the links of a header. It is created for the first link, since most headers have none.
pub(super) struct HeaderOrigin<'h> {
    message_id: Option<&'h Arc<str>>,
    origin: OnceCell<Arc<Origin>>,
}

impl<'h> HeaderOrigin<'h> {
    pub(super) fn of(message_id: Option<&'h Arc<str>>) -> HeaderOrigin<'h> {
        HeaderOrigin { message_id, origin: OnceCell::new() }
    }

    fn get(&self, mail: &MailScanner<'_>) -> Arc<Origin> {
        let origin = self.origin.get_or_init(|| {
            let message_id = self.message_id.cloned();
            Arc::new(Origin { message_id, ..mail.origin_of(&mail.place.section) })
        });
        Arc::clone(origin)
    }
}

impl MailScanner<'_> {
    /// Reports the links of the fields that were listed.
    pub(super) fn field_links(
        &mut self,
        feed: &MessageBuffer<'_>,
        head: &MimeHeaders,
        origin: &HeaderOrigin<'_>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let bytes = feed.from(self.at);
        let fields = std::mem::take(&mut self.fields);
        let (sites, sender) = (OnceCell::new(), OnceCell::new());
        let mut flow = ControlFlow::Continue(());
        for LinkField { field: HeaderField { name, value }, reading, context } in &fields {
            let context = match context {
                Some(context) => (*context).into(),
                None => fields::context(&bytes[name.clone()]),
            };
            let start = self.at + value.start;
            let value = &bytes[value.clone()];
            let place = FieldText { chunk: feed.chunk(), value, start, context, origin };
            flow = match reading {
                FieldSyntax::List => self.list(&place, head, true, emit),
                FieldSyntax::References => self.list(&place, head, false, emit),
                FieldSyntax::Iri => self.location_link(&place, head, emit),
                FieldSyntax::Text => self.field_text(&place, emit),
                FieldSyntax::Tags => self.tags(&place, emit),
                FieldSyntax::ExternalBody => self.external_body(&place, emit),
                FieldSyntax::Addresses => {
                    let sites = || sites.get_or_init(|| sites_of_list(bytes, &fields));
                    let is_of_list =
                        |host: &str| sites().contains(&registrable(host).to_ascii_lowercase());
                    let is = |wanted: &[u8]| bytes[name.clone()].eq_ignore_ascii_case(wanted);
                    let sender =
                        is(b"reply-to").then(|| sender.get_or_init(|| sender_of(bytes, &fields)));
                    let finder = self.finder.clone();
                    let context = AddressContext {
                        finder: &finder,
                        is_of_list: &is_of_list,
                        sender: sender.and_then(Option::as_deref),
                        is_sender: is(b"from"),
                    };
                    self.addresses(&place, context, emit)
                }
                FieldSyntax::Never => ControlFlow::Continue(()),
            };
            if flow.is_break() {
                break;
            }
        }
        self.fields = fields;
        flow
    }

    /// Scans a `List-*` field: IRIs in `<…>`, from which white space is removed, and text outside brackets. With
    /// `has_schemes`, what has no scheme in brackets is text too.
    fn list(
        &mut self,
        place: &FieldText<'_>,
        head: &MimeHeaders,
        has_schemes: bool,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let is_left = head.is_one_click && place.context.kind() == ContextKind::ListUnsubscribe;
        each_written(place.value, place.start, &mut |written| {
            for entry in ListEntries::of(written.bytes) {
                let click = |is_https: bool| match is_left && is_https {
                    true => Some(Warning::OneClick),
                    false => None,
                };
                match entry {
                    ListEntry::Enclosed(range)
                        if has_schemes
                            && memchr::memchr(b':', &written.bytes[range.clone()]).is_none() =>
                    {
                        self.text(place, &written.part(range), emit, &mut |_| true)?;
                    }
                    ListEntry::Enclosed(range) => {
                        let scheme = written.bytes[range.clone()].trim_ascii_start().get(..6);
                        let is_https = scheme.is_some_and(|s| s.eq_ignore_ascii_case(b"https:"));
                        let joined = without(&written.bytes[range.clone()], WhiteSpace::All);
                        let value = FieldReference { range, joined, warning: click(is_https) };
                        self.value(place, &written, value, None, emit)?;
                    }
                    ListEntry::Bare(range) => {
                        let click = |link: &Body<'_>| click(has_scheme(link, b"https:"));
                        self.text(place, &written.part(range), emit, &mut |judged| {
                            let link = body_of(judged);
                            if let Some(warning) = click(link) {
                                link.warnings.insert(warning);
                            }
                            true
                        })?;
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Scans a value that is one reference, without its folds.
    fn location_link(
        &mut self,
        place: &FieldText<'_>,
        head: &MimeHeaders,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        // Not the part's own location, since that is the reference to resolve.
        let outer = super::own_base(head).or_else(|| self.entities.base());
        let base = outer.as_ref().or(self.hints.base.as_ref()).map(Base::from);
        each_written(place.value, place.start, &mut |written| {
            let range = unenclosed(written.bytes);
            let joined = without(&written.bytes[range.clone()], WhiteSpace::Folds);
            let value = FieldReference { range, joined, warning: None };
            self.value(place, &written, value, base.as_ref(), emit)
        })
    }

    /// Scans a reference in a range of the field. Without a base, a reference without a scheme is reported only if it
    /// is a `Content-Location`.
    fn value(
        &mut self,
        place: &FieldText<'_>,
        written: &FieldBytes<'_>,
        value: FieldReference<'_>,
        base: Option<&Base>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let FieldReference { range, joined, warning } = value;
        let bytes = &written.bytes[range.clone()];
        let start = range.start + bytes.len() - bytes.trim_ascii_start().len();
        let bytes = bytes.trim_ascii();
        if let Some(notice) = written.notice() {
            self.notice(notice);
        }
        if bytes.is_empty() || written.is_cut_by_shift(&(start..start + bytes.len())) {
            return ControlFlow::Continue(());
        }
        let is_joined = matches!(joined, Cow::Owned(_));
        let charset = written.charset.unwrap_or(Charset::UTF_8);
        // Nearly all values are plain UTF-8 and need no decoding.
        let plain = std::str::from_utf8(bytes).ok().filter(|_| written.charset.is_none());
        let (text, raw) = match plain {
            Some(plain) if !is_joined => (Cow::Borrowed(plain), None),
            _ => {
                let decode = |bytes| match written.charset {
                    None => octets_encoded(bytes),
                    Some(charset) => charset.decode(bytes),
                };
                let text = match &joined {
                    Cow::Owned(joined) => Cow::Owned(decode(joined).into_owned()),
                    Cow::Borrowed(_) => decode(bytes),
                };
                let raw = Some(charset.decode(bytes)).filter(|raw| *raw != text);
                (text, raw)
            }
        };
        let (range, transfer) = written.stored(start..start + bytes.len());
        let reference = Reference {
            text,
            raw,
            range,
            context: place.context.clone(),
            notation: Notation::UNWRITABLE,
        };
        let mut judged = self.finder.judge_value(reference, base, Charset::UTF_8);
        let is_list = base.is_none() && place.context.kind() != ContextKind::ContentLocation;
        if is_list && body_of(&mut judged).kind == LinkKind::Reference {
            return ControlFlow::Continue(());
        }
        let body = body_of(&mut judged);
        body.charset = charset;
        if written.charset.is_none() && plain.is_none() {
            body.warnings.insert(Warning::NotIriCharacter);
        }
        for warning in is_joined.then_some(Warning::Joined).into_iter().chain(warning) {
            body.warnings.insert(warning);
        }
        body.rare_mut().transfer = transfer;
        body.rare_mut().origin = Some(place.origin.get(self));
        self.give(judged, place.chunk, emit)
    }

    /// Scans the running text of a field; encoded words are scanned separately from the text between them.
    fn field_text(&mut self, place: &FieldText<'_>, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        each_written(place.value, place.start, &mut |written| {
            self.text(place, &written, emit, &mut |_| true)
        })
    }

    /// Scans the values of tags (RFC 6376 §3.2), in which `;` ends a URL even if no blank follows.
    fn tags(&mut self, place: &FieldText<'_>, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        each_written(place.value, place.start, &mut |written| {
            let mut start = 0;
            for tag in written.bytes.split(|byte| *byte == b';') {
                let tag = start..start + tag.len();
                start = tag.end + 1;
                self.text(place, &written.part(tag), emit, &mut |_| true)?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Scans the `URL` of a `message/external-body`, from which white space is removed (RFC 2017 §3).
    fn external_body(&mut self, place: &FieldText<'_>, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        let Some((url, range)) = parameter_place(place.value, "url") else {
            return ControlFlow::Continue(());
        };
        let joined = match without(&url, WhiteSpace::All) {
            Cow::Borrowed(joined) if *joined == *place.value[range.clone()].trim_ascii() => {
                Cow::Borrowed(joined)
            }
            joined => Cow::Owned(joined.into_owned()),
        };
        let value = FieldReference { range, joined, warning: None };
        let written = FieldBytes::plain(place.value, place.start);
        self.value(place, &written, value, None, emit)
    }

    /// Scans a list of addresses.
    fn addresses(
        &mut self,
        place: &FieldText<'_>,
        context: AddressContext<'_>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let mut list = AddressList::of(place.value, context);
        each_written(place.value, place.start, &mut |written| {
            self.text(place, &written, emit, &mut |judged| {
                let (stored, transfer) = written.stored(body_of(judged).range.clone());
                let range = stored.start - place.start..stored.end - place.start;
                let plain = transfer.is_none().then(|| written.stored(0..0).0.start - place.start);
                list.read(judged, range, plain)
            })
        })
    }

    /// Reports the links of a running text for which `keep` returns `true`.
    fn text(
        &mut self,
        place: &FieldText<'_>,
        written: &FieldBytes<'_>,
        emit: &mut EmitMail<'_>,
        keep: &mut dyn FnMut(&mut Judged<'_>) -> bool,
    ) -> ControlFlow<()> {
        let text = written.bytes;
        // Non-ASCII text may contain another full stop, such as `。`.
        if memchr::memchr3(b'.', b':', b'@', text).is_none() && text.is_ascii() {
            return ControlFlow::Continue(());
        }
        if let Some(notice) = written.notice() {
            self.notice(notice);
        }
        let charset = written.charset;
        let scope = ScanScope { non_text: NonText::ByDisposition, ..ScanScope::default() };
        let hints = Hints { format: Format::Text, charset, scope, ..Hints::default() };
        let finder = self.finder.clone();
        let Ok(found) = finder.document(text, &hints) else { return ControlFlow::Continue(()) };
        for candidate in found {
            let mut judged = candidate.into_result();
            if written.is_cut_by_shift(&body_of(&mut judged).range) || !keep(&mut judged) {
                continue;
            }
            let body = body_of(&mut judged);
            let (range, transfer) = written.stored(body.range.clone());
            body.range = range;
            body.context = place.context.clone();
            let rare = body.rare_mut();
            rare.transfer = transfer;
            rare.origin = Some(place.origin.get(self));
            self.give(judged, place.chunk, emit)?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the host of the sender's address, the first in `From`.
fn sender_of(bytes: &[u8], fields: &[LinkField]) -> Option<String> {
    let from = fields
        .iter()
        .find(|LinkField { field, .. }| bytes[field.name.clone()].eq_ignore_ascii_case(b"from"))?;
    let value = &bytes[from.field.value.clone()];
    // A display name, which may have an address too, stands before the brackets.
    let address = memchr::memrchr(b'<', value).map_or(value, |open| &value[open..]);
    let at = memchr::memchr(b'@', address)?;
    let host: Vec<u8> = address[at + 1..].iter().copied().take_while(is_of_host).collect();
    String::from_utf8(host).ok().filter(|host| host.contains('.'))
}

fn is_of_host(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

/// Returns the sites that the fields of the mailing list name which a message came through.
fn sites_of_list(bytes: &[u8], fields: &[LinkField]) -> HashSet<String> {
    let of_list = fields.iter().filter(|LinkField { field: HeaderField { name, .. }, .. }| {
        bytes[name.clone()].get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"list-"))
    });
    let words = of_list.flat_map(|one| bytes[one.field.value.clone()].split(|b| !is_of_host(b)));
    let hosts = words.filter_map(|word| std::str::from_utf8(word).ok());
    hosts
        .filter(|word| word.contains('.'))
        .map(|host| registrable(host).to_ascii_lowercase())
        .collect()
}

/// Reference in a field's value: its range, and its text without white space that does not belong to it.
struct FieldReference<'v> {
    range: Range<usize>,
    joined: Cow<'v, [u8]>,
    warning: Option<Warning>,
}

fn has_scheme(link: &Body<'_>, scheme: &[u8]) -> bool {
    let front = link.raw.as_bytes().get(..scheme.len());
    front.is_some_and(|front| front.eq_ignore_ascii_case(scheme))
}

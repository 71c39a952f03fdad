//! Items of Outlook: their properties ([MS-OXPROPS]), composed to a message of MIME.
//!
//! The scanner of mail reads that message, so headers, alternatives and attachments have the rules of mail. Each property is
//! copied to it as its text, and the message has the list of places: its links have the property as their object, and count
//! in the property's text.

use std::collections::BTreeMap;
use std::ops::Range;

use super::compound::utf16;
use super::rtf;
use crate::charset::Charset;
use crate::piece::{MessagePlace, PieceContent};

/// Types of properties.
const TEXT: u16 = 0x1E;
const WIDE_TEXT: u16 = 0x1F;
const OBJECT: u16 = 0x0D;

/// Properties by their identifiers.
const CLASS: u16 = 0x001A;
const SUBJECT: u16 = 0x0037;
const HEADERS: u16 = 0x007D;
const SENDER: [u16; 3] = [0x5D01, 0x0C1F, 0x0065];
const SENDER_NAME: [u16; 2] = [0x0C1A, 0x0042];
const ADDRESS: [u16; 2] = [0x39FE, 0x3003];
const DISPLAY_NAME: [u16; 2] = [0x3001, 0x5FF6];
/// Kind of a recipient: 1 to 3 for the fields of [`RECIPIENT_FIELDS`].
const RECIPIENT_KIND: u16 = 0x0C15;
const RECIPIENT_FIELDS: [&str; 3] = ["To: ", "Cc: ", "Bcc: "];
const PLAIN: u16 = 0x1000;
const RTF: u16 = 0x1009;
const HTML: u16 = 0x1013;
const TEXT_CODE_PAGE: u16 = 0x3FFD;
const HTML_CODE_PAGE: u16 = 0x3FDE;
const DATA: u16 = 0x3701;
const NAMES: [u16; 3] = [0x3707, 0x3704, 0x3001];
const MEDIA_TYPE: u16 = 0x370E;
/// First identifier of properties with names.
const NAMED: u16 = 0x8000;
/// The business home page of a contact.
const HOME_PAGE: u16 = 0x3A51;

/// Classes of items that are not messages.
const OTHERS: [&str; 6] = [
    "IPM.Contact",
    "IPM.Appointment",
    "IPM.Task",
    "IPM.Activity",
    "IPM.StickyNote",
    "IPM.DistList",
];

/// Fields that describe the form in which a message was sent, which is another one here.
const FORM_FIELDS: [&str; 4] =
    ["content-type", "content-transfer-encoding", "mime-version", "content-length"];

/// Properties of an item, a recipient or an attachment.
#[derive(Debug, Default)]
pub(super) struct ItemProperties {
    values: BTreeMap<u16, ItemValue>,
}

/// Value of a property.
#[derive(Debug)]
struct ItemValue {
    kind: u16,
    bytes: Vec<u8>,
}

/// Item of a store.
#[derive(Debug, Default)]
pub(super) struct MailItem {
    pub(super) properties: ItemProperties,
    pub(super) recipients: Vec<ItemProperties>,
    pub(super) attachments: Vec<ItemAttachment>,
}

/// Attachment of an item: a file, or another item.
#[derive(Debug, Default)]
pub(super) struct ItemAttachment {
    pub(super) properties: ItemProperties,
    pub(super) item: Option<MailItem>,
}

impl ItemProperties {
    /// Sets a property, unless it is set.
    pub(super) fn set(&mut self, id: u16, kind: u16, bytes: Vec<u8>) {
        self.values.entry(id).or_insert(ItemValue { kind, bytes });
    }

    fn bytes(&self, id: u16) -> Option<&[u8]> {
        self.values.get(&id).map(|value| &*value.bytes).filter(|bytes| !bytes.is_empty())
    }

    fn charset(&self, id: u16) -> Option<Charset> {
        let number = self.bytes(id)?.first_chunk().copied().map(u32::from_le_bytes)?;
        Charset::of_code_page(number)
    }

    /// Returns the first name and the first address in properties that may hold them.
    fn mailbox(&self, names: &[u16], addresses: &[u16], charset: Charset) -> Mailbox {
        let address = addresses.iter().find_map(|id| {
            let text = self.text(*id, charset)?;
            text.contains('@').then_some((*id, text))
        });
        Mailbox { name: self.first(names, charset), address }
    }

    /// Returns the number of the field that lists a recipient.
    fn recipient_kind(&self) -> usize {
        let kind = self.bytes(RECIPIENT_KIND).map_or(1, |bytes| usize::from(bytes[0] & 0xF));
        kind.clamp(1, RECIPIENT_FIELDS.len()) - 1
    }

    /// Returns the number of the node that holds an object.
    pub(super) fn object(&self, id: u16) -> Option<u32> {
        let value = self.values.get(&id).filter(|value| value.kind == OBJECT)?;
        value.bytes.first_chunk().copied().map(u32::from_le_bytes)
    }

    /// Returns a text; `charset` is that of the item's texts that are not UTF-16.
    pub(super) fn text(&self, id: u16, charset: Charset) -> Option<String> {
        let ItemValue { kind, bytes } = self.values.get(&id)?;
        let text = match *kind {
            WIDE_TEXT => utf16(bytes),
            TEXT => charset.decode(bytes).trim_end_matches('\0').to_owned(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    fn first(&self, ids: &[u16], charset: Charset) -> Option<(u16, String)> {
        ids.iter().find_map(|id| Some((*id, self.text(*id, charset)?)))
    }
}

/// Name and address of a sender or a recipient, each with its property.
#[derive(Debug)]
struct Mailbox {
    name: Option<(u16, String)>,
    address: Option<(u16, String)>,
}

impl MailItem {
    /// Composes the message; `member` is its name in a store.
    pub(super) fn into_message(self, member: Option<String>) -> PieceContent {
        let mut composer = MessageComposer::new(0);
        for number in 0..MAX_BOUNDARIES {
            composer = MessageComposer::new(number);
            composer.item(&self, "");
            if !composer.is_ambiguous {
                break;
            }
        }
        PieceContent::Message { bytes: composer.bytes, places: composer.places, member }
    }

    fn charset(&self) -> Charset {
        self.properties.charset(TEXT_CODE_PAGE).unwrap_or(Charset::WINDOWS_1252)
    }

    /// Returns `true` for a contact, an appointment or a task, whose own properties hold addresses.
    fn is_other(&self) -> bool {
        let class = self.properties.text(CLASS, Charset::WINDOWS_1252).unwrap_or_default();
        OTHERS.iter().any(|other| class.starts_with(other))
    }
}

/// Number of boundaries that are tried: one that occurs in a body would cut it.
const MAX_BOUNDARIES: usize = 8;

/// Message that is being composed.
struct MessageComposer {
    bytes: Vec<u8>,
    places: Vec<MessagePlace>,
    boundary: String,
    /// Number of multiparts.
    multiparts: usize,
    /// Whether a body contains the boundary.
    is_ambiguous: bool,
}

impl MessageComposer {
    fn new(number: usize) -> MessageComposer {
        MessageComposer {
            bytes: Vec::new(),
            places: Vec::new(),
            boundary: format!("=_{number}_of_outlook_"),
            multiparts: 0,
            is_ambiguous: false,
        }
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Copies the text of a property, of which the first `from` bytes were left out.
    fn place(&mut self, object: String, bytes: &[u8], from: usize) {
        self.is_ambiguous |= memchr::memmem::find(bytes, self.boundary.as_bytes()).is_some();
        let range = self.bytes.len()..self.bytes.len() + bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.places.push(MessagePlace { range, object: object.into(), from });
    }

    /// Begins a multipart, and returns its boundary.
    fn multipart(&mut self, kind: &str) -> String {
        let boundary = format!("{}{}", self.boundary, self.multiparts);
        self.multiparts += 1;
        self.push(&format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n"));
        boundary
    }

    fn part(&mut self, boundary: &str) {
        self.push(&format!("\r\n--{boundary}\r\n"));
    }

    fn end(&mut self, boundary: &str) {
        self.push(&format!("\r\n--{boundary}--\r\n"));
    }

    /// Writes an item; `front` precedes the names of its objects.
    fn item(&mut self, item: &MailItem, front: &str) {
        let charset = item.charset();
        self.header(item, front, charset);
        self.push("MIME-Version: 1.0\r\n");
        let mixed = self.multipart("mixed");
        self.part(&mixed);
        self.body(item, front, charset);
        if item.is_other() {
            self.part(&mixed);
            self.others(item, front, charset);
        }
        for (number, attachment) in item.attachments.iter().enumerate() {
            self.part(&mixed);
            let front = format!("{front}attachment {}/", number + 1);
            self.attachment(attachment, &front, charset);
        }
        self.end(&mixed);
    }

    fn header(&mut self, item: &MailItem, front: &str, charset: Charset) {
        let headers = item.properties.text(HEADERS, charset).unwrap_or_default();
        let range = header_of(&headers);
        let (start, header) = (range.start, without_form(&headers[range]));
        if !header.is_empty() {
            self.place(format!("{front}{HEADERS:04X}"), header.as_bytes(), start);
            self.push(if header.ends_with('\n') { "" } else { "\r\n" });
        }
        let has = |name: &str| {
            header.lines().any(|line| {
                line.get(..name.len()).is_some_and(|front| front.eq_ignore_ascii_case(name))
            })
        };
        if !has("From:") {
            self.address("From: ", front, item.properties.mailbox(&SENDER_NAME, &SENDER, charset));
        }
        if let Some(text) = item.properties.text(SUBJECT, charset).filter(|_| !has("Subject:")) {
            self.push("Subject: ");
            self.value(&format!("{front}{SUBJECT:04X}"), &text);
            self.push("\r\n");
        }
        let has_field = RECIPIENT_FIELDS.map(|field| has(field.trim_end()));
        for (number, recipient) in item.recipients.iter().enumerate() {
            let kind = recipient.recipient_kind();
            let field = RECIPIENT_FIELDS[kind];
            if !has_field[kind] {
                let front = format!("{front}recipient {}/", number + 1);
                self.address(field, &front, recipient.mailbox(&DISPLAY_NAME, &ADDRESS, charset));
            }
        }
    }

    /// Writes a field with a name and an address, or only one of them.
    fn address(&mut self, field: &str, front: &str, mailbox: Mailbox) {
        let Mailbox { name, address } = mailbox;
        let is_address = |name: &str| {
            address.as_ref().is_some_and(|(_, address)| name.eq_ignore_ascii_case(address))
        };
        let name = name.filter(|(_, name)| !is_address(name.trim_matches(['\'', ' '])));
        if name.is_none() && address.is_none() {
            return;
        }
        self.push(field);
        let is_named = name.is_some();
        if let Some((id, name)) = name {
            self.push("\"");
            // A quoted text of the same length.
            self.value(&format!("{front}{id:04X}"), &name.replace(['"', '\\'], " "));
            self.push("\"");
        }
        if let Some((id, address)) = address {
            self.push(if is_named { " <" } else { "" });
            self.value(&format!("{front}{id:04X}"), &address);
            self.push(if is_named { ">" } else { "" });
        }
        self.push("\r\n");
    }

    /// Writes a text of a field, in one line.
    fn value(&mut self, object: &str, text: &str) {
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.place(object.to_owned(), line.as_bytes(), 0);
    }

    fn body(&mut self, item: &MailItem, front: &str, charset: Charset) {
        let object = |id: u16| format!("{front}{id:04X}");
        let boundary = self.multipart("alternative");
        let properties = &item.properties;
        if let Some(text) = properties.text(PLAIN, charset) {
            self.part(&boundary);
            self.leaf("text/plain; charset=utf-8", &object(PLAIN), text.as_bytes());
        }
        if let Some(text) = properties.text(HTML, charset) {
            self.part(&boundary);
            self.leaf("text/html; charset=utf-8", &object(HTML), text.as_bytes());
        } else if let Some(bytes) = properties.bytes(HTML) {
            let named = properties.charset(HTML_CODE_PAGE).map(Charset::as_str);
            let named = named.map(|name| format!("; charset={name}")).unwrap_or_default();
            self.part(&boundary);
            self.leaf(&format!("text/html{named}"), &object(HTML), bytes);
        } else if let Some(bytes) = properties.bytes(RTF).and_then(rtf::decompressed) {
            self.part(&boundary);
            self.leaf("application/rtf", &object(RTF), &bytes);
        }
        self.end(&boundary);
    }

    /// Writes the properties of a contact or an appointment that hold addresses and pages.
    fn others(&mut self, item: &MailItem, front: &str, charset: Charset) {
        self.leaf_header("text/plain; charset=utf-8");
        let ids = item.properties.values.keys().copied();
        for id in ids.filter(|id| *id >= NAMED || *id == HOME_PAGE) {
            if let Some(text) = item.properties.text(id, charset)
                && text.contains(['@', '.'])
            {
                let object = format!("{front}{id:04X}");
                self.place(object, text.as_bytes(), 0);
                self.push("\r\n");
            }
        }
    }

    fn leaf_header(&mut self, media_type: &str) {
        self.push(&format!(
            "Content-Type: {media_type}\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        ));
    }

    fn leaf(&mut self, media_type: &str, object: &str, bytes: &[u8]) {
        self.push(&format!(
            "Content-Type: {media_type}\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        ));
        self.place(object.to_owned(), bytes, 0);
    }

    fn attachment(&mut self, attachment: &ItemAttachment, front: &str, charset: Charset) {
        if let Some(item) = &attachment.item {
            self.push("Content-Type: message/rfc822\r\n\r\n");
            return self.item(item, front);
        }
        let properties = &attachment.properties;
        let name = properties.first(&NAMES, charset).map(|(_, name)| encoded(&name));
        let media_type = properties.text(MEDIA_TYPE, charset).filter(|text| is_media_type(text));
        let media_type = media_type.as_deref().unwrap_or("application/octet-stream");
        let name = name.map(|name| format!("; name*=utf-8''{name}")).unwrap_or_default();
        let bytes = properties.bytes(DATA).unwrap_or_default();
        self.leaf(&format!("{media_type}{name}"), &format!("{front}{DATA:04X}"), bytes);
    }
}

/// Returns `true` for the media type of a leaf.
fn is_media_type(text: &str) -> bool {
    let is_token = |part: &str| {
        let is_of =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_');
        !part.is_empty() && part.bytes().all(is_of)
    };
    text.split_once('/').is_some_and(|(kind, rest)| {
        is_token(kind) && is_token(rest) && !matches!(kind, "multipart" | "message")
    })
}

/// Returns a name as RFC 2231 encodes it.
fn encoded(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_') {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Returns the range of the fields in transport headers, which may begin with a line of the server's.
fn header_of(text: &str) -> Range<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let name = line.split_once(':').map(|(name, _)| name).unwrap_or_default();
        if !name.is_empty() && !name.contains([' ', '\t', '\r']) {
            break;
        }
        start += line.len();
    }
    let rest = &text[start..];
    let end = ["\r\n\r\n", "\n\n"].iter().filter_map(|empty| rest.find(empty)).min();
    start..end.map_or(text.len(), |end| start + end)
}

/// Returns a header whose fields of the form in which the message was sent have other names of the same length.
fn without_form(header: &str) -> String {
    let mut out = String::with_capacity(header.len());
    for line in header.split_inclusive('\n') {
        let name = line.split(':').next().unwrap_or_default();
        match FORM_FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field)) {
            true => out.extend(["X", &line[1..]]),
            false => out.push_str(line),
        }
    }
    out
}

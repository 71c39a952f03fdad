//! Messages of Outlook in a file of their own ([MS-OXMSG]): each property is a stream.

use super::compound::{CompoundFile, u16_at, u32_at};
use super::item::{ItemAttachment, ItemProperties, MailItem};

/// Stream of the properties with a fixed length.
pub(super) const PROPERTIES: &str = "__properties_version1.0";
/// Front of the streams of the others, before the identifier and the type.
const PROPERTY: &str = "__substg1.0_";
/// Storage of the item of an attachment.
const ITEM: &str = "__substg1.0_3701000D/";
/// Lengths of the header of the properties, of a message, of one in another, of recipients and attachments.
const OUTER_HEADER: usize = 32;
const INNER_HEADER: usize = 24;
const SHORT_HEADER: usize = 8;
/// Maximum number of messages in each other.
const MAX_MESSAGES: usize = 16;

/// Reads the message of a file.
pub(super) fn read(file: &CompoundFile<'_>) -> MailItem {
    item(file, "", OUTER_HEADER, MAX_MESSAGES)
}

fn item(file: &CompoundFile<'_>, storage: &str, header: usize, depth: usize) -> MailItem {
    let mut item =
        MailItem { properties: properties(file, storage, header), ..MailItem::default() };
    for inner in file.storages_in(storage) {
        let name = &inner[storage.len()..];
        if name.starts_with("__recip_version1.0_") {
            item.recipients.push(properties(file, inner, SHORT_HEADER));
        } else if name.starts_with("__attach_version1.0_") {
            let properties = properties(file, inner, SHORT_HEADER);
            let storage = [inner, ITEM].concat();
            let is_item = depth > 0 && file.has_stream(&storage, PROPERTIES);
            let item_of = || self::item(file, &storage, INNER_HEADER, depth - 1);
            let attached = is_item.then(item_of);
            item.attachments.push(ItemAttachment { properties, item: attached });
        }
    }
    item
}

fn properties(file: &CompoundFile<'_>, storage: &str, header: usize) -> ItemProperties {
    let mut properties = ItemProperties::default();
    for entry in file.streams_of(storage) {
        let tag =
            entry.name.strip_prefix(PROPERTY).and_then(|tag| u32::from_str_radix(tag, 16).ok());
        if let Some(tag) = tag {
            properties.set((tag >> 16) as u16, tag as u16, file.read(entry));
        }
    }
    let fixed = file.stream(storage, PROPERTIES).unwrap_or_default();
    for entry in fixed.get(header..).unwrap_or_default().chunks_exact(16) {
        if let (Some(kind), Some(id), Some(_)) =
            (u16_at(entry, 0), u16_at(entry, 2), u32_at(entry, 8))
        {
            properties.set(id, kind, entry[8..].to_vec());
        }
    }
    properties
}

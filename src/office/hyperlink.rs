//! Hyperlinks as Office stores them ([MS-OSHARED] §2.3.7).

use super::compound::{len_at, u16_at, u32_at, utf16};

const URL_MONIKER: &[u8] = b"\xE0\xC9\xEA\x79\xF9\xBA\xCE\x11\x8C\x82\x00\xAA\x00\x4B\xA9\x0B";
const FILE_MONIKER: &[u8] = b"\x03\x03\x00\x00\x00\x00\x00\x00\xC0\x00\x00\x00\x00\x00\x00\x46";

/// Bits of a hyperlink.
const HAS_MONIKER: u32 = 1;
const HAS_LOCATION: u32 = 1 << 3;
const HAS_NAME: u32 = 1 << 4;
const HAS_FRAME: u32 = 1 << 7;
const IS_TEXT: u32 = 1 << 8;

/// Hyperlink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hyperlink {
    pub(super) url: String,
    /// Text that readers see.
    pub(super) name: Option<String>,
}

/// Reads a hyperlink; `None` if it leads to a place in its own document, or is damaged.
pub(super) fn read(bytes: &[u8]) -> Option<Hyperlink> {
    let bits = u32_at(bytes, 4)?;
    let mut rest = bytes.get(8..)?;
    let name = if bits & HAS_NAME != 0 { Some(string(&mut rest)?) } else { None };
    if bits & HAS_FRAME != 0 {
        string(&mut rest)?;
    }
    let mut url = match bits & (HAS_MONIKER | IS_TEXT) {
        HAS_MONIKER => moniker(&mut rest)?,
        0 | IS_TEXT => return None,
        _ => string(&mut rest)?,
    };
    if bits & HAS_LOCATION != 0
        && let Some(location) = string(&mut rest).filter(|location| !location.is_empty())
    {
        url.push('#');
        url.push_str(&location);
    }
    Some(Hyperlink { url, name }).filter(|link| !link.url.trim().is_empty())
}

/// Reads a text with its length in units.
fn string(rest: &mut &[u8]) -> Option<String> {
    let len = len_at(rest, 0)?.checked_mul(2)?.checked_add(4)?;
    let text = utf16(rest.get(4..len)?);
    *rest = &rest[len..];
    Some(text)
}

fn moniker(rest: &mut &[u8]) -> Option<String> {
    let (kind, after) = rest.split_at_checked(16)?;
    if kind == URL_MONIKER {
        let len = len_at(after, 0)?.checked_add(4)?;
        let url = utf16(after.get(4..len)?);
        *rest = &after[len..];
        return Some(url);
    }
    if kind != FILE_MONIKER {
        return None;
    }
    let len = len_at(after, 2)?.checked_add(6)?;
    let path = after.get(6..len)?;
    let parents = "../".repeat(usize::from(u16_at(after, 0)?.min(16)));
    let wide_len = len_at(after, len + 24)?.checked_add(len + 28)?;
    let wide = after.get(len + 28..wide_len)?;
    *rest = &after[wide_len..];
    let path = match wide.get(6..) {
        Some(wide) => utf16(wide),
        None => String::from_utf8_lossy(path).trim_end_matches('\0').to_owned(),
    };
    Some(parents + &path)
}

//! PowerPoint ([MS-PPT]): the texts of slides, and links with the texts that show them.

use std::collections::BTreeMap;

use super::compound::{len_at, u16_at, u32_at, utf16};
use super::text;
use crate::piece::DocumentPiece;

/// Types of records.
const LINK: u16 = 0x0FD7;
const LINK_ID: u16 = 0x0FD3;
const WIDE_TEXT: u16 = 0x0FA0;
const TEXT: u16 = 0x0FA8;
const STRING: u16 = 0x0FBA;
const ACTION: u16 = 0x0FF3;
const RANGE: u16 = 0x0FDF;
/// Records that contain no text of the document: programs' own data, names of fonts.
const OTHERS: [u16; 3] = [0x1388, 0x0FB7, 0x1011];
/// Maximum number of links whose texts are known.
const MAX_LINKS: usize = 1 << 16;

/// Link of a presentation.
#[derive(Debug, Default)]
struct SlideLink {
    url: String,
    shown: Option<String>,
}

/// Returns the pieces of a stream.
pub(super) fn read(stream: &[u8], object: &str) -> Vec<DocumentPiece> {
    let mut links: BTreeMap<u32, SlideLink> = BTreeMap::new();
    let (mut lines, mut last) = (String::new(), Vec::<char>::new());
    // Number of the link that is being read, and of the one that a range of text leads to.
    let (mut link, mut action) = (0, 0);
    let mut at = 0;
    let mut link_end = 0;
    while let (Some(bits), Some(kind), Some(len)) =
        (u16_at(stream, at), u16_at(stream, at + 2), len_at(stream, at + 4))
    {
        at += 8;
        if kind == LINK {
            link_end = at.saturating_add(len);
        }
        // A container: its records follow.
        if bits & 0xF == 0xF && !OTHERS.contains(&kind) {
            continue;
        }
        let end = at.saturating_add(len).min(stream.len());
        let body = &stream[at..end];
        match kind {
            WIDE_TEXT => last = utf16(body).chars().collect(),
            TEXT => last = body.iter().map(|byte| char::from(*byte)).collect(),
            LINK_ID => link = u32_at(body, 0).unwrap_or_default(),
            STRING if at < link_end => {
                let is_known = links.len() < MAX_LINKS || links.contains_key(&link);
                let entry = is_known.then(|| links.entry(link).or_default());
                match (bits >> 4, entry) {
                    (0, Some(entry)) => entry.shown = Some(text::shown(utf16(body).chars())),
                    (1, Some(entry)) => entry.url = utf16(body),
                    // A place in another document.
                    (3, Some(entry)) if !entry.url.is_empty() && !body.is_empty() => {
                        entry.url.push('#');
                        entry.url.push_str(&utf16(body));
                    }
                    _ => {}
                }
            }
            STRING => push_line(&mut lines, utf16(body).chars()),
            ACTION => action = u32_at(body, 4).unwrap_or_default(),
            RANGE => {
                if let (Some(from), Some(to)) = (len_at(body, 0), len_at(body, 4))
                    && let Some(entry) = links.get_mut(&action)
                {
                    // Ranges count in units; only the rare characters beyond U+FFFF have two.
                    let shown = last.get(from..to.min(last.len())).unwrap_or_default();
                    entry.shown = Some(text::shown(shown.iter().copied()));
                }
            }
            _ => {}
        }
        if matches!(kind, TEXT | WIDE_TEXT) {
            push_line(&mut lines, last.iter().copied());
        }
        at = end;
    }
    let links =
        links.into_values().filter(|link| !link.url.is_empty() && !link.url.starts_with('#'));
    let links = links.map(|SlideLink { url, shown }| text::link(object, url, shown));
    links.chain([text::text(object, lines)]).collect()
}

fn push_line(lines: &mut String, text: impl Iterator<Item = char>) {
    lines.extend(text.map(|c| if matches!(c, '\r' | '\u{B}') { '\n' } else { c }));
    lines.push('\n');
}

//! Calendars and cards (RFC 5545 §3.1, RFC 6350 §3.2): lines that are folded, values that are escaped.
//!
//! A line end and one blank after it go. The colon before a value is read as a line end, so that a
//! property's name is no scheme; an escaped line end is one, and other escapes lose their `\`.

use super::{Edited, Property};

pub(super) fn edit(source: &[u8], out: &mut Edited) -> usize {
    let (mut done, mut at) = (0, 0);
    let (mut is_value, mut is_quoted, mut start) = (false, false, 0);
    let mut property = Property { text: 0, name: [0; 24], len: 0 };
    while let Some(byte) = source.get(at) {
        match byte {
            b'\r' | b'\n' => {
                let is_pair = *byte == b'\r' && source.get(at + 1) == Some(&b'\n');
                let end = at + 1 + usize::from(is_pair);
                if let Some(b' ' | b'\t') = source.get(end) {
                    out.leave_out(source, &mut done, at, end + 1, true);
                    at = end + 1;
                    continue;
                }
                (is_value, is_quoted, start, at) = (false, false, end, end);
                property.len = 0;
                continue;
            }
            b'"' if !is_value => is_quoted = !is_quoted,
            b':' if !is_value && !is_quoted => {
                is_value = true;
                note_name(&mut property, &source[start..at]);
                out.replace(source, &mut done, at, b'\n');
                property.text = out.text.len();
                if property.len > 0 {
                    out.properties.push(property);
                }
            }
            b'\\' if is_value => {
                match source.get(at + 1) {
                    Some(b'n' | b'N') => {
                        out.replace(source, &mut done, at, b'\n');
                        out.leave_out(source, &mut done, at + 1, at + 2, false);
                    }
                    Some(b',' | b';' | b':' | b'\\') => {
                        out.leave_out(source, &mut done, at, at + 1, false);
                    }
                    _ => {}
                }
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    done
}

/// A property's name, in lower case, without a group before it and parameters after it.
fn note_name(property: &mut Property, line: &[u8]) {
    let name = line.split(|b| *b == b';').next().unwrap_or_default();
    let name = name.rsplit(|b| *b == b'.').next().unwrap_or_default();
    let kept = name.iter().filter(|b| b.is_ascii_alphanumeric() || **b == b'-');
    property.len = 0;
    for (to, from) in property.name.iter_mut().zip(kept) {
        *to = from.to_ascii_lowercase();
        property.len += 1;
    }
}

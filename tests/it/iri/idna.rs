//! `IdnaTestV2.txt` (UTS #46, non-transitional), read where it lies: hosts to ASCII and back.
#![allow(clippy::print_stderr, reason = "what is skipped or counted is said aloud")]

use linksift::iri::{host_to_ascii, host_to_unicode};

fn unescape(field: &str) -> Option<String> {
    if field == "\"\"" {
        return Some(String::new());
    }
    let mut out = String::new();
    let mut rest = field;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let (digits, behind) = match escape.strip_prefix("x{") {
            Some(braced) => braced.split_once('}')?,
            None => escape.strip_prefix('u')?.split_at(4),
        };
        // A surrogate is no character of a host.
        out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        rest = behind;
    }
    out.push_str(rest);
    Some(out)
}

/// The statuses that count under our settings: hyphens may stand anywhere, and of ASCII that which
/// may stand in a host (RFC 3986 §3.2.2), not that of STD3, is let in.
fn counts(statuses: &str) -> bool {
    statuses
        .trim_matches(['[', ']'])
        .split(',')
        .map(str::trim)
        .any(|status| !matches!(status, "" | "V2" | "V3" | "U1" | "A4_1" | "A4_2"))
}

/// A4_1 and A4_2 of the file do not allow the root dot; with it allowed, the lengths decide.
fn has_length(ascii: &str) -> bool {
    let name = ascii.strip_suffix('.').unwrap_or(ascii);
    name.len() <= 253 && name.split('.').all(|label| (1..=63).contains(&label.len()))
}

fn stands_in_a_host(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(c)
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn every_row() {
    let file = crate::tables::official_text("IdnaTestV2.txt");
    let (mut rows, mut skipped, mut differences) = (0, 0, Vec::new());
    for line in file.lines() {
        let row = line.split('#').next().unwrap_or_default();
        let fields: Vec<&str> = row.split(';').map(str::trim).collect();
        let [source, unicode, unicode_status, ascii, ascii_status, ..] = fields[..] else {
            continue;
        };
        let Some(source) = unescape(source) else {
            skipped += 1;
            continue;
        };
        // A `%` in a host is the begin of a triplet; an empty host is no matter of the DNS.
        if source.is_empty() || source.contains('%') {
            skipped += 1;
            continue;
        }
        let or = |field: &str, other: &str| match field {
            "" => Some(other.to_owned()),
            field => unescape(field),
        };
        let Some(unicode) = or(unicode, &source) else {
            skipped += 1;
            continue;
        };
        let ascii = or(ascii, &unicode).unwrap_or_default();
        let ascii_status = if ascii_status.is_empty() { unicode_status } else { ascii_status };
        let denied = !ascii.chars().all(stands_in_a_host);
        let refused = counts(ascii_status) || denied || !has_length(&ascii);
        rows += 1;
        // ASCII that needs nothing keeps its case with us.
        let mapped = host_to_ascii(&source);
        let good = match (&mapped, refused) {
            (Ok(mapped), false) => mapped.eq_ignore_ascii_case(&ascii),
            (Err(_), true) => true,
            _ => false,
        };
        if !good {
            differences
                .push(format!("{source:?}: ToASCII {mapped:?}, the file {ascii:?} {ascii_status}"));
        }
        if !refused && !counts(unicode_status) {
            let shown = host_to_unicode(&source);
            if shown.to_lowercase() != unicode.to_lowercase() {
                differences.push(format!("{source:?}: ToUnicode {shown:?}, the file {unicode:?}"));
            }
        }
    }
    for line in differences.iter().take(40) {
        eprintln!("{line}");
    }
    assert!(differences.is_empty(), "{} of {rows} rows differ", differences.len());
    eprintln!("{rows} rows, {skipped} skipped");
    assert!(rows > 6000);
}

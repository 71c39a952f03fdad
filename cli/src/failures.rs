//! Failures as JSON, one line each.

use std::path::Path;

use linksift::ScanError;
use linksift::container::Member;
use serde::Serialize;

use crate::reason::of_scan;
use crate::safe;

/// Line of the file of errors. Fields without a value are omitted.
#[derive(Serialize)]
struct FailureLine<'f> {
    path: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member_bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    code: &'f str,
    message: &'f str,
}

/// Returns the line about a failure.
pub(crate) fn line(path: &Path, member: &Member, error: &ScanError) -> Vec<u8> {
    let offset = match error {
        ScanError::Fault(fault) => Some(fault.offset()),
        _ => None,
    };
    let bytes = path.as_os_str().as_encoded_bytes();
    let shown = String::from_utf8_lossy(bytes);
    let failure = FailureLine {
        path: &shown,
        path_bytes: path.to_str().is_none().then(|| hex(bytes)),
        member: (!member.is_empty()).then(|| member.as_str()),
        member_bytes: member.bytes().map(hex),
        offset,
        code: error.as_str(),
        message: &of_scan(error),
    };
    // Writing to a `Vec` cannot fail, and neither can these fields.
    let mut line = serde_json::to_vec(&failure).unwrap_or_default();
    safe::json_since(0, &mut line);
    line.push(b'\n');
    line
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

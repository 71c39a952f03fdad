//! Error messages for failures of the system.

use std::io;

use linksift::ScanError;

/// Formats an error for messages: in lower case, without the system's number.
pub(crate) fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        if text.ends_with(&number) {
            text.truncate(text.len() - number.len());
        }
    }
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if first.is_ascii_uppercase() && second.is_lowercase() => {
            text.replace_range(..1, &first.to_ascii_lowercase().to_string());
        }
        _ => {}
    }
    text
}

/// Formats the error of a scan for messages.
pub(crate) fn of_scan(error: &ScanError) -> String {
    match error {
        ScanError::Io(error) => reason(error),
        error => error.to_string(),
    }
}

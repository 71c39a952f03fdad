//! Detects prose and hyphens that follow a host without a space: `example.comテスト`, `example.com-ის`, `example.com-`.
//!
//! The input is a label or a run of host characters, the result is where the host ends if it ends before they do.

use super::host::{FullStops, MAX_LABEL, Run, label_ahead};
use super::host_char::{CharClass, class, is_dot, is_simple};
use super::script;
use super::view::{Char, Incomplete, View, is_gap};
use crate::tables::tld;

/// Returns the end of the known ASCII top-level domain that a label begins with, if the label continues in another script,
/// `comテスト`, `com-ზე`, `com\u{200C}را`, or if a punctuation mark at the end of the word follows.
pub(crate) fn ascii_tld_prefix(view: &View<'_>, start: usize) -> Result<Option<usize>, Incomplete> {
    let bytes = &view.text[start..];
    let len = bytes.iter().take(MAX_LABEL + 1).take_while(|&&b| is_simple(b)).count();
    let label = bytes[..len].strip_suffix(b"-").unwrap_or(&bytes[..len]);
    if !tld::is_ascii_tld(label) {
        return Ok(None);
    }
    let c = view.next(start + len)?;
    let is_prose =
        |c| matches!(class(c), CharClass::Letter | CharClass::Symbol) && script::is_foreign(c.code);
    let ends = match char::from_u32(c.code) {
        Some(joiner) if script::is_joiner(joiner) => is_prose(view.next(start + len + c.len)?),
        Some(mark) if script::is_mark_at_end(mark) => is_gap(view.next(start + len + c.len)?.code),
        _ => is_prose(c),
    };
    if !ends {
        return Ok(None);
    }
    // After a hyphen it may be a separate label.
    if label.len() < len {
        let Some((end, _)) = label_ahead(view, start, FullStops::Ends)? else { return Ok(None) };
        if goes_on_after_hyphens(view, end)? {
            return Ok(None);
        }
    }
    Ok(Some(start + label.len()))
}

/// Returns where prose without a space ends the host: in a label that begins with a known ASCII top-level domain and
/// continues in another script. `https://a.example.com和b.example.org`, `http://example.comテスト`.
///
/// The first label, and the one after `www`, belong to the name in full unless they are the last.
pub(crate) fn prose_end(view: &View<'_>, run: &Run) -> Result<Option<usize>, Incomplete> {
    if !run.needs_mapping {
        return Ok(None);
    }
    let mut names = 0;
    let mut label = run.start;
    let mut at = run.start;
    while at < run.end {
        let c = view.next(at)?;
        if is_dot(c) {
            let is_www = view.text[label..at].eq_ignore_ascii_case(b"www");
            names += usize::from(!(is_www && label == run.start));
            label = at + c.len;
        } else if at == label
            && (names > 0 || label == run.last_label)
            && let Some(end) = ascii_tld_prefix(view, label)?
            && end < run.end
        {
            return Ok(Some(end));
        }
        at += c.len.max(1);
    }
    Ok(None)
}

/// Returns the end of the run without trailing hyphens, if no part of a link follows them: `see http://example.com- it`.
pub(crate) fn without_hyphens(view: &View<'_>, run: &Run) -> Result<Option<usize>, Incomplete> {
    // A reference ends in a semicolon.
    if !matches!(view.text[run.start..run.end].last(), Some(b'-' | b';')) {
        return Ok(None);
    }
    let end = before_hyphens(view, run.start, run.end);
    if end == run.end || end == run.start {
        return Ok(None);
    }
    Ok((!goes_on_after_hyphens(view, run.end)?).then_some(end))
}

/// Returns where the trailing hyphens of the host characters from `start` to `end` begin.
pub(crate) fn before_hyphens(view: &View<'_>, start: usize, mut end: usize) -> usize {
    while let c @ Char { code: 0x2D, .. } = view.prev(end, start) {
        end -= c.len;
    }
    end
}

/// Returns `true` if the text at `at`, after a hyphen, continues the name, either that of a link or a placeholder:
/// `example.com-${x}`, `example.com-<name>`, `example.com-*`.
pub(crate) fn goes_on_after_hyphens(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let after = char::from_u32(view.next(at)?.code);
    Ok(after.is_some_and(|c| "/?#:@[_%${*<".contains(c)))
}

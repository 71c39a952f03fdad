//! Reads non-ASCII hosts in a single step: letters of any script, hyphens and dots, of which most consist.
//!
//! The input is the start of a host, the result is that of `plain` for an ASCII host; `None` if the host must be read by
//! `host` and `authority`.

use super::candidate::CandidateFlags;
use super::host::{MAX_HOST, MAX_LABEL};
use super::host_char::{is_hebrew_mark, is_simple};
use super::plain::PlainHost;
use super::view::View;
use crate::tables;
use crate::tables::identifiers::{self, MappingClass};
use crate::tables::simple_host::SimpleHost;

/// Reads the host at `start`, if its labels are valid, no prose may follow an ASCII label without a space, and ASCII
/// follows the host.
#[inline(never)]
pub(super) fn read_unicode_host(view: &View<'_>, start: usize) -> Option<PlainHost> {
    let text = view.text;
    let (mut at, mut label, mut labels) = (start, start, 1);
    let (mut is_unicode, mut is_unicode_label, mut has_hyphen) = (false, false, false);
    let mut rules = SimpleHost::default();
    let is_good = |label, end| {
        end > label && end - label <= MAX_LABEL && text[label] != b'-' && text[end - 1] != b'-'
    };
    let after = loop {
        match text.get(at) {
            Some(&byte) if is_simple(byte) => {
                has_hyphen |= byte == b'-';
                rules.ascii(byte);
                at += 1;
            }
            Some(0x80..) => {
                // The label may be a domain that prose is joined to: `comテスト`.
                if at > label && !is_unicode_label {
                    return None;
                }
                let c = view.foreign(at).ok()?;
                let class = identifiers::class(c.code).mapping();
                // Mapping a host changes no such letter, and each of them is one of hosts.
                if class != MappingClass::Letter
                    && (!tables::class(c.code).is_host() || is_hebrew_mark(c))
                {
                    return None;
                }
                rules.other(c.code, class);
                (is_unicode, is_unicode_label) = (true, true);
                at += c.len;
            }
            Some(b'.') => {
                if !is_good(label, at) {
                    return None;
                }
                rules.end_label(&text[label..at]);
                at += 1;
                (label, labels, is_unicode_label) = (at, labels + 1, false);
            }
            Some(&byte) => break byte,
            // The end of the input counts as the end of a line.
            None if view.is_last => break b'\n',
            None => return None,
        }
    };
    if !is_unicode || !is_good(label, at) || at - start > MAX_HOST {
        return None;
    }
    rules.end_label(&text[label..at]);
    let marks = CandidateFlags::HOST
        | CandidateFlags::ATTENTION
        | CandidateFlags::DEEP.when(labels > 3 || has_hyphen);
    let is_mapped = rules.is_mapped(at - start);
    Some(PlainHost { end: at, run_end: at, last_label: label, after, marks, is_mapped })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::view::Char;

    #[test]
    fn letters_that_mapping_keeps_are_those_of_hosts() {
        let is_kept =
            |c: &char| identifiers::class(u32::from(*c)).mapping() == MappingClass::Letter;
        let kept = ('\u{80}'..=char::MAX).filter(is_kept);
        assert!(kept.clone().count() > 30_000);
        for code in kept.map(u32::from) {
            let c = Char { code, len: 0 };
            assert!(tables::class(code).is_host() && !is_hebrew_mark(c), "{code:X}");
        }
    }
}

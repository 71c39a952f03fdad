//! Hosts without a scheme in plain surroundings: names of two labels or more below `com` and similar domains, which no rule
//! about names of files rejects.

use crate::scan::candidate::{CandidateFlags, LinkKind, PlainLink};
use crate::scan::view::View;
use crate::scan::{Settings, filename, front, host, schemeless};

/// Reads the host whose last dot is at `dot`, before a domain that [is believed](is_believed).
#[inline(never)]
pub(crate) fn bare(
    view: &View<'_>,
    dot: usize,
    min_start: usize,
    settings: &Settings,
) -> Option<PlainLink> {
    let text = view.text;
    let after = text.get(dot + 4)?;
    // A call in code may follow `!`.
    if view.text_kind.is_code() || !schemeless::settles(*after) || *after == b'!' {
        return None;
    }
    let name = host::back_ascii(view, dot, min_start)?;
    let (start, end, marks) = (name.start, dot + 4, name.marks?);
    let [before, front] = match text[..start] {
        [.., before, front] => [before, front],
        [front] => [b'\n', front],
        [] => [b'\n', b'\n'],
    };
    if marks.has(CandidateFlags::HOST)
        || !FRONTS[usize::from(front)]
        || front::may_end_escape([before, front])
        || end - start > settings.max_link
    {
        return None;
    }
    let behind = match *after {
        b'\n' => b'\n',
        _ => match text.get(end + 1) {
            Some(behind) => *behind,
            None if view.is_last => b'\n',
            None => return None,
        },
    };
    if !name.has_dot || filename::may_be_rejected([front, before, *after, behind]) {
        return None;
    }
    Some(PlainLink {
        kind: LinkKind::Schemeless,
        range: start..end,
        scheme_end: start,
        host: start..end,
        marks,
        is_iri: true,
    })
}

/// Returns `true` if one of the most frequent domains below which names are never those of files is at `label`.
#[inline(always)]
pub(super) fn is_believed(text: &[u8], label: usize) -> bool {
    let four = text.get(label..).and_then(|rest| rest.first_chunk());
    let name = four.map_or(0, |four| u32::from_le_bytes(*four) & 0xFF_FFFF);
    // Most labels are none of them, so one branch is less than one for each.
    BELIEVED.iter().fold(false, |is_one, domain| is_one | (*domain == name))
}

/// The domains that [are believed](is_believed), each as the low bytes of a number. A byte follows a host that is read here.
const BELIEVED: [u32; 5] = [
    u32::from_le_bytes(*b"com\0"),
    u32::from_le_bytes(*b"org\0"),
    u32::from_le_bytes(*b"net\0"),
    u32::from_le_bytes(*b"edu\0"),
    u32::from_le_bytes(*b"gov\0"),
];

/// Bytes before a host that are neither part of a name or an address nor evidence for one.
static FRONTS: [bool; 256] = {
    let mut fronts = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        fronts[byte] = !matches!(
            byte as u8,
            b':' | b'/' | b'\\' | b'(' | b')' | b']' | b'}' | b'@' | b'%' | b'$' | b'_' | b';'
        );
        byte += 1;
    }
    fronts
};

#[cfg(test)]
mod tests {
    #[test]
    fn domains_are_on_the_list() {
        for label in [b"com ", b"org.", b"net/", b"edu\n", b"gov,"] {
            assert!(super::is_believed(label, 0));
            assert!(crate::scan::filename::is_never_file(&label[..3]));
        }
        assert!(
            ![&b"com"[..], b"co m", b"\0\0\0\0", b"Com "].iter().any(|l| super::is_believed(l, 0))
        );
    }
}

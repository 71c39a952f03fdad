//! Full stops in IDNA: each of them between labels is a dot (UTS #46 §2.3, RFC 3490 §3.1).

/// Returns `true` if a non-ASCII character counts as the dot between labels.
#[inline]
pub(crate) const fn is_full_stop(c: char) -> bool {
    matches!(c, '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

/// Full stop that separates labels of a host in running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FullStop {
    /// The ASCII dot, and its fullwidth form.
    Plain,
    /// `。` and `｡`, which also end sentences.
    Ideographic,
}

/// Returns the kind of dot that the code point is in a host, if it is one.
#[inline]
pub(crate) const fn dot_of_host(code: u32) -> Option<FullStop> {
    match code {
        0x2E | 0xFF0E => Some(FullStop::Plain),
        0x3002 | 0xFF61 => Some(FullStop::Ideographic),
        _ => None,
    }
}

/// `。`, the only one that ends sentences of fullwidth text.
pub(crate) const IDEOGRAPHIC: u32 = 0x3002;

/// Returns the non-ASCII full stop that the bytes, in UTF-8, end with.
#[inline]
pub(crate) const fn at_end_of(bytes: &[u8]) -> Option<u32> {
    match bytes {
        [.., 0xE3, 0x80, 0x82] => Some(0x3002),
        [.., 0xEF, 0xBC, 0x8E] => Some(0xFF0E),
        [.., 0xEF, 0xBD, 0xA1] => Some(0xFF61),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{at_end_of, dot_of_host, is_full_stop};

    #[test]
    fn full_stops_are_those_that_idna_maps_to_a_dot() {
        let maps = |c: &char| {
            let host = format!("a{c}b");
            !c.is_ascii() && idna::domain_to_ascii(&host).is_ok_and(|ascii| ascii == "a.b")
        };
        let found: Vec<char> = ('\u{80}'..=char::MAX).filter(maps).collect();
        assert_eq!(found, ['\u{3002}', '\u{FF0E}', '\u{FF61}']);
        assert!(('\0'..=char::MAX).filter(|c| is_full_stop(*c)).eq(found.clone()));
        let is_dot = |c: &char| dot_of_host((*c).into()).is_some();
        assert!(('\u{80}'..=char::MAX).filter(is_dot).eq(found.clone()));
        let ends = |c: &char| at_end_of(c.to_string().as_bytes()) == Some((*c).into());
        assert!(('\0'..=char::MAX).filter(ends).eq(found));
    }
}

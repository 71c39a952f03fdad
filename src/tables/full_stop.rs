//! Full stops that IDNA knows: between labels each of them is a dot (UTS #46 §2.3, RFC 3490 §3.1).

/// Whether a character beyond ASCII stands for the dot between labels.
#[inline]
pub(crate) const fn is_full_stop(c: char) -> bool {
    matches!(c, '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

#[cfg(test)]
mod tests {
    use super::is_full_stop;

    #[test]
    fn full_stops_are_those_that_idna_maps_to_a_dot() {
        let maps = |c: &char| {
            let host = format!("a{c}b");
            !c.is_ascii() && idna::domain_to_ascii(&host).is_ok_and(|ascii| ascii == "a.b")
        };
        let found: Vec<char> = ('\u{80}'..=char::MAX).filter(maps).collect();
        assert_eq!(found, ['\u{3002}', '\u{FF0E}', '\u{FF61}']);
        assert!(('\0'..=char::MAX).filter(|c| is_full_stop(*c)).eq(found));
    }
}

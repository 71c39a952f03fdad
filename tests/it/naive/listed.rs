//! Top-level domains and schemes as the rules say them, by the lists that people keep: nothing here comes
//! from what the library makes of these.

use std::collections::HashSet;
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// In any case and spelling that Unicode calls canonically equivalent, fullwidth or not; or as an A-label.
pub(super) fn is_tld(label: &str) -> bool {
    static DOMAINS: OnceLock<HashSet<String>> = OnceLock::new();
    let domains = DOMAINS.get_or_init(|| {
        let listed = lines(include_str!("../tables/top-level-domains.txt"));
        let both = listed.flat_map(|domain| {
            let encoded = idna::punycode::encode_str(domain).unwrap_or_default();
            let is_unicode = !domain.is_ascii();
            [Some(domain.to_owned()), is_unicode.then(|| format!("xn--{encoded}"))]
        });
        both.flatten().collect()
    });
    let narrow = label.chars().map(|c| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    });
    domains.contains(&narrow.flat_map(char::to_lowercase).nfc().collect::<String>())
}

/// Registered and not historical, or in wide use; none that was made in order to be no link.
pub(super) fn is_known_scheme(scheme: &str) -> bool {
    static SCHEMES: OnceLock<HashSet<&str>> = OnceLock::new();
    let schemes = SCHEMES.get_or_init(|| {
        let rows = lines(include_str!("../tables/schemes.tsv"));
        let known = rows.filter_map(|row| row.split_once('\t'));
        known
            .filter(|(name, standing)| *standing != "historical" && !name.starts_with("hxxp"))
            .map(|(name, _)| name)
            .collect()
    });
    let scheme = scheme.to_ascii_lowercase();
    let is_of_known = |(known, more): (&str, &str)| !more.is_empty() && schemes.contains(known);
    schemes.contains(scheme.as_str()) || scheme.split_once('+').is_some_and(is_of_known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linksift::tables;

    #[test]
    fn the_library_has_the_same_domains() {
        for domain in lines(include_str!("../tables/top-level-domains.txt")) {
            let wide = |c: char| char::from_u32(u32::from(c) + 0xFEE0).filter(|_| c.is_ascii());
            let wide: String = domain.chars().map(|c| wide(c).unwrap_or(c)).collect();
            let decomposed: String = domain.nfd().collect();
            let (longer, shorter) =
                (format!("{domain}x"), domain.chars().skip(1).collect::<String>());
            let upper = domain.to_uppercase();
            for label in [domain.to_owned(), wide, decomposed, upper, longer] {
                assert_eq!(is_tld(&label), tables::tld::is_tld(&label), "{label}");
            }
            assert!(is_tld(domain), "{domain}");
            if domain.is_ascii() {
                assert_eq!(is_tld(&shorter), tables::tld::is_tld(&shorter), "{shorter}");
            }
        }
    }

    #[test]
    fn the_library_has_the_same_schemes() {
        for row in lines(include_str!("../tables/schemes.tsv")) {
            let name = row.split('\t').next().unwrap_or_default();
            for scheme in [name.to_owned(), name.to_uppercase(), format!("{name}x")] {
                let theirs = tables::schemes::is_known(scheme.as_bytes());
                assert_eq!(is_known_scheme(&scheme), theirs, "{scheme}");
            }
        }
    }
}

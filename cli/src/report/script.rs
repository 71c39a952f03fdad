//! The script that a host is written in.

use std::sync::LazyLock;

use regex::RegexSet;

/// Unicode names of the scripts that hosts are likely to be in.
const SCRIPTS: [&str; 28] = [
    "Latin",
    "Cyrillic",
    "Greek",
    "Han",
    "Hiragana",
    "Katakana",
    "Hangul",
    "Bopomofo",
    "Arabic",
    "Hebrew",
    "Thai",
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Lao",
    "Khmer",
    "Myanmar",
    "Georgian",
    "Armenian",
    "Ethiopic",
    "Mongolian",
];

static SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
    let patterns = SCRIPTS.map(|script| format!("\\p{{Script={script}}}"));
    // A test checks that Unicode has each of these names.
    RegexSet::new(patterns).ok()
});

/// Returns the script of a readable host, without its top-level domain if the other labels have a script: "none" without
/// letters, several scripts with + between them.
pub(crate) fn of(host: &str) -> String {
    let host = host.trim_end_matches('.');
    let own = host.rsplit_once('.').map_or(host, |(own, _)| own);
    let scripts: Vec<&str> = match own.is_ascii() {
        true if own.bytes().any(|byte| byte.is_ascii_alphabetic()) => vec!["Latin"],
        true => Vec::new(),
        false => {
            let found = SET.as_ref().map(|set| set.matches(own));
            found.into_iter().flatten().filter_map(|number| SCRIPTS.get(number).copied()).collect()
        }
    };
    let is = |names: &[&str]| scripts.iter().all(|script| names.contains(script));
    match scripts[..] {
        [] if own.is_ascii() => "none".to_owned(),
        [] => "other".to_owned(),
        [one] if !["Hiragana", "Katakana"].contains(&one) => one.to_owned(),
        _ if is(&["Han", "Hiragana", "Katakana"]) => "Japanese".to_owned(),
        _ if is(&["Han", "Hangul"]) => "Korean".to_owned(),
        _ => scripts.join(" + "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_script_is_one_of_unicode() {
        assert_eq!(SET.as_ref().map(RegexSet::len), Some(SCRIPTS.len()));
    }

    #[test]
    fn hosts_have_the_script_of_what_is_before_their_end() {
        for (host, script) in [
            ("www.example.com", "Latin"),
            ("bücher.de", "Latin"),
            ("пример.рф", "Cyrillic"),
            ("пример.com", "Cyrillic"),
            ("例え.jp", "Japanese"),
            ("例子.cn", "Han"),
            ("한국.kr", "Hangul"),
            ("韓국.kr", "Korean"),
            ("aпример.com", "Latin + Cyrillic"),
            ("127.0.0.1", "none"),
            ("[::1]", "none"),
            ("ⵣⵣ.com", "other"),
        ] {
            assert_eq!(of(host), script, "{host}");
        }
    }
}

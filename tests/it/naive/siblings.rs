//! Whether the name with another ending stands beside a name.

use super::chars::is_tld;

/// Of two names, this many bytes may stand between.
const BETWEEN: usize = 12;
/// Withdrawn domains, those of special use and of local networks.
pub(super) const NO_TLDS: &str = "an bu corp cs dd example home internal invalid lan local localdomain localhost onion test \
     tld tp um yu zr";

/// Whether one of the names before and after is `host` with another ending that
/// is no domain. `whole` says that nothing stands before the `line`.
pub(super) fn beside(host: &str, line: &str, behind: &str, whole: bool) -> bool {
    let Some(dot) = host.rfind('.') else { return false };
    let stem = &host[..=dot];
    let in_front = names(line).into_iter().any(|(at, name)| {
        let distance = line.len() - at - name.len();
        (at > 0 || whole) && distance <= BETWEEN && other_ending(name, stem)
    });
    let is_behind = names(behind)
        .into_iter()
        .any(|(at, name)| 0 < at && at <= BETWEEN && other_ending(name, stem));
    in_front || is_behind
}

fn other_ending(name: &str, stem: &str) -> bool {
    let ending = name.strip_prefix(stem).unwrap_or_default();
    let plain = !ending.is_empty() && ending.chars().all(|c| c.is_ascii_alphanumeric());
    let lower = ending.to_ascii_lowercase();
    let listed = NO_TLDS.split_ascii_whitespace().any(|one| one == lower);
    plain && !is_tld(ending) && !listed
}

/// Runs of what may stand in names, with the place of each; a dot that ends one is
/// none of it.
fn names(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut at = 0;
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && !"-_./@".contains(c)) {
        names.push((at, word.strip_suffix('.').unwrap_or(word)));
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    names
}

//! Which schemes are known, and what their standing is.
//!
//! In goes a scheme in any case, without its colon; nothing is allocated. The list, in
//! `scheme_list`, has IANA's registrations and schemes in wide use that nobody registered.

use super::key;
use super::scheme_list::LIST;

/// The standing of a scheme: IANA's word, or [`Unofficial`](Self::Unofficial).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// Registered for good.
    Permanent,
    /// Registered provisionally.
    Provisional,
    /// Registered, and out of use.
    Historical,
    /// Not registered, but in wide use.
    Unofficial,
}

const LONGEST: usize = {
    let mut longest = 0;
    let mut at = 0;
    while at < LIST.len() {
        if LIST[at].0.len() > longest {
            longest = LIST[at].0.len();
        }
        at += 1;
    }
    longest
};

/// The keys of the schemes: nine comparisons of numbers find one.
static KEYS: [u64; LIST.len()] = {
    let mut keys = [0; LIST.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = key(LIST[at].0.as_bytes());
        at += 1;
    }
    keys
};

/// The standing of `scheme`, or none if it is not on the list.
///
/// ```
/// use linksift::tables::schemes::{Status, status};
/// assert_eq!(status(b"HTTPS"), Some(Status::Permanent));
/// assert_eq!(status(b"shttp:"), None);
/// ```
pub fn status(scheme: &[u8]) -> Option<Status> {
    if scheme.is_empty() || scheme.len() > LONGEST {
        return None;
    }
    let key = key(scheme);
    let first = KEYS.partition_point(|&other| other < key);
    KEYS[first..]
        .iter()
        .zip(&LIST[first..])
        .take_while(|(other, _)| **other == key)
        .find(|(_, entry)| entry.0.as_bytes().eq_ignore_ascii_case(scheme))
        .map(|(_, entry)| entry.1)
}

/// Whether `scheme` makes a link in running text by default: permanent, provisional or unofficial,
/// but not `hxxp` or `hxxps`, which are written so in order not to be links.
///
/// ```
/// use linksift::tables::schemes::is_known;
/// assert!(is_known(b"ftp") && is_known(b"Git+SSH"));
/// assert!(!is_known(b"hxxp") && !is_known(b"nonsense"));
/// ```
pub fn is_known(scheme: &[u8]) -> bool {
    let defanged = || scheme.eq_ignore_ascii_case(b"hxxp") || scheme.eq_ignore_ascii_case(b"hxxps");
    status(scheme).is_some_and(|status| status != Status::Historical) && !defanged()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_scheme_is_found_in_any_case() {
        assert!(KEYS.is_sorted());
        for (scheme, expected) in LIST {
            assert_eq!(status(scheme.as_bytes()), Some(expected), "{scheme}");
            assert_eq!(status(scheme.to_uppercase().as_bytes()), Some(expected), "{scheme}");
            assert_eq!(status(format!("{scheme}~").as_bytes()), None, "{scheme}");
        }
    }

    #[test]
    fn known_leaves_out_historical_and_defanged() {
        for (scheme, status) in LIST {
            let defanged = scheme == "hxxp" || scheme == "hxxps";
            let known = status != Status::Historical && !defanged;
            assert_eq!(is_known(scheme.as_bytes()), known, "{scheme}");
        }
        assert!(!is_known(b"HXXP") && !is_known(b""));
    }
}

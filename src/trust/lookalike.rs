//! Detects look-alikes of known hosts: the code `host-lookalike`, by the skeletons of UTS #39 §4.
//!
//! Two hosts look alike if their skeletons are equal: each is decomposed, and each character replaced by the one that it
//! looks like. In addition, accents are removed and a few letters folded, since `exämple` is read as `example`; and `rn`
//! equals `m`, `1` equals `l`, `0` equals `o`, as in the official data.

use std::collections::HashMap;

use crate::tables::confusables::prototype;
use crate::tables::forms::nfd;
use crate::tables::identifiers::class;
use crate::tables::punycode::to_unicode;

/// Hosts whose look-alikes have a warning: with `example.com`, the hosts `exаmple.com`, `www.examp1e.com` and `éxample.com`
/// are look-alikes, but never `example.com` itself or hosts below it.
///
/// ```
/// use linksift::trust::KnownHosts;
///
/// let known = KnownHosts::new(["example.com", "пример.рф"]);
/// assert_eq!(known.resembled("www.examp1e.com"), Some("example.com"));
/// assert_eq!(known.resembled("xn--exmple-4nf.com"), Some("example.com"));
/// assert_eq!(known.resembled("www.example.com"), None);
/// assert_eq!(known.resembled("example.org"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct KnownHosts {
    /// Maps a skeleton to the host, in lower case as given.
    by_skeleton: HashMap<Box<str>, Box<str>>,
    /// Number of labels of the longest host.
    most_labels: usize,
}

impl KnownHosts {
    /// Creates the set of these hosts, A-labels or U-labels, in upper or lower case. Empty ones are skipped; the first of
    /// several look-alikes is kept.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// let known = KnownHosts::new(["Example.com", "xn--e1afmkfd.xn--p1ai", ""]);
    /// assert_eq!(known.len(), 2);
    /// ```
    pub fn new<H: AsRef<str>>(hosts: impl IntoIterator<Item = H>) -> KnownHosts {
        let mut known = KnownHosts::default();
        for host in hosts {
            let host = unicode(host.as_ref().trim());
            if host.is_empty() {
                continue;
            }
            known.most_labels = known.most_labels.max(host.split('.').count());
            known.by_skeleton.entry(skeleton(&host).into()).or_insert(host.into());
        }
        known
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// // Of those that look alike the first is kept.
    /// assert_eq!(KnownHosts::new(["example.com", "examp1e.com"]).len(), 1);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_skeleton.len()
    }

    /// Returns `true` if the list is empty.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// assert!(KnownHosts::new([""]).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_skeleton.is_empty()
    }

    /// Returns the known host that this one, or its end, looks like without being equal to it or below it.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// let known = KnownHosts::new(["example.com"]);
    /// assert_eq!(known.resembled("examp1e.com"), Some("example.com"));
    /// assert_eq!(known.resembled("www.example.com"), None);
    /// ```
    #[must_use]
    pub fn resembled(&self, host: &str) -> Option<&str> {
        let host = unicode(host);
        let mut rest = host.as_str();
        // A suffix with more labels than any known host cannot be one of them.
        let surplus = host.split('.').count().saturating_sub(self.most_labels);
        for _ in 0..surplus {
            rest = rest.split_once('.')?.1;
        }
        let mut found = None;
        loop {
            if let Some(known) = self.by_skeleton.get(skeleton(rest).as_str()) {
                // A known host, or one below it, resembles no other.
                if **known == *rest {
                    return None;
                }
                found.get_or_insert(&**known);
            }
            match rest.split_once('.') {
                Some((_, next)) => rest = next,
                None => return found,
            }
        }
    }
}

/// Returns a host in characters and lower case, without the root dot.
fn unicode(host: &str) -> String {
    let name = host.strip_suffix('.').unwrap_or(host);
    let labels: Vec<_> = name.split('.').map(to_unicode).collect();
    labels.join(".").to_lowercase()
}

/// Returns the skeleton of a host, which its look-alikes share.
fn skeleton(host: &str) -> String {
    let mut out = String::with_capacity(host.len());
    for c in nfd(host) {
        let c = match c {
            'đ' => 'd',
            'ħ' => 'h',
            'ł' => 'l',
            'ø' => 'o',
            'ŧ' => 't',
            'ı' => 'i',
            'æ' => {
                out.push('a');
                'e'
            }
            'œ' => {
                out.push('o');
                'e'
            }
            _ if class(u32::from(c)).is_nonspacing_mark() => continue,
            _ => c,
        };
        match prototype(c) {
            Some(text) => {
                let is_mark = |c: &char| class(u32::from(*c)).is_nonspacing_mark();
                out.extend(nfd(text).filter(|c| !is_mark(c)).map(|c| c.to_ascii_lowercase()));
            }
            None => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike() {
        let known = KnownHosts::new([
            "paypal.com",
            "Modern.example",
            "login.bank.co.uk",
            "",
            "xn--bcher-kva.de",
        ]);
        assert_eq!(known.len(), 4);
        for (host, resembled) in [
            ("pаypal.com", "paypal.com"),
            ("xn--pypal-4ve.com", "paypal.com"),
            ("PAYPA1.com.", "paypal.com"),
            ("www.páypäl.com", "paypal.com"),
            ("rnodern.example", "modern.example"),
            ("a.l0gin.bank.co.uk", "login.bank.co.uk"),
            ("bucher.de", "bücher.de"),
            ("łogin.bank.co.uk", "login.bank.co.uk"),
        ] {
            assert_eq!(known.resembled(host), Some(resembled), "{host}");
        }
        for host in [
            "paypal.com",
            "a.paypal.com",
            "PayPal.com.",
            "paypal.org",
            "mypaypal.com",
            "bücher.de",
            "",
            ".",
            "com",
        ] {
            assert_eq!(known.resembled(host), None, "{host}");
        }
        assert_eq!(KnownHosts::default().resembled("a.b"), None);
    }
}

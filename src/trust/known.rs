//! Known hosts, and what other hosts have to do with them: they look like them, misspell them, or have their names before
//! another domain.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use super::domain;
use super::lookalike::{skeleton, skeleton_as_written};
use crate::tables::punycode::to_unicode;
use crate::tables::tld;
use crate::warning::Warning;

/// Hosts whose look-alikes have a warning: with `example.com`, the hosts `exаmple.com`, `www.examp1e.com` and `éxample.com`
/// are look-alikes, `exmaple.com` is a misspelling, but never `example.com` itself or hosts below it.
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
    /// In lower case, as given.
    hosts: Vec<Box<str>>,
    /// All hosts that were given, those that look like an earlier one too.
    exact: HashSet<Box<str>>,
    /// Maps a skeleton to the host.
    by_skeleton: HashMap<Box<str>, usize>,
    /// Maps the hash of a registered name without one of its letters to the hosts, for names of [`SHORTEST`] letters and
    /// more.
    by_spelling: HashMap<u64, Vec<usize>>,
    /// Registered names, without the suffix.
    names: HashSet<Box<str>>,
    /// Number of labels of the longest host.
    most_labels: usize,
}

/// Relation of a host to a known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resemblance<'k> {
    pub(crate) warning: Warning,
    pub(crate) known: &'k str,
}

/// Minimum number of letters of a name in which one letter more, less or other is a misspelling: shorter names differ by a
/// letter from too many others.
const SHORTEST: usize = 6;

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
            let host = unicode(host.as_ref().trim()).to_lowercase();
            if !host.is_empty() {
                known.add(host);
            }
        }
        known
    }

    fn add(&mut self, host: String) {
        let number = self.hosts.len();
        self.exact.insert(host.as_str().into());
        self.most_labels = self.most_labels.max(host.split('.').count());
        match self.by_skeleton.entry(skeleton(&host).into()) {
            Entry::Occupied(_) => return,
            Entry::Vacant(slot) => slot.insert(number),
        };
        let (name, suffix) = name_of(&host);
        self.names.insert(name.into());
        if name.chars().count() >= SHORTEST {
            for spelling in spellings(name, suffix) {
                self.by_spelling.entry(spelling).or_default().push(number);
            }
        }
        self.hosts.push(host.into());
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
        self.hosts.len()
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
        self.hosts.is_empty()
    }

    /// Returns the known host that this one, or its end, looks like without being equal to it or below it. Capitals count as
    /// they are written: `paypaI.com` ends its name with an `I`.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// let known = KnownHosts::new(["example.com"]);
    /// assert_eq!(known.resembled("examp1e.com"), Some("example.com"));
    /// assert_eq!(known.resembled("exampIe.com"), Some("example.com"));
    /// assert_eq!(known.resembled("www.example.com"), None);
    /// ```
    #[must_use]
    pub fn resembled(&self, host: &str) -> Option<&str> {
        let written = unicode(host);
        let host = written.to_lowercase();
        if self.is_known(&host) { None } else { self.looking_like(&host, &written) }
    }

    /// Returns the known host that an unknown one looks like, in lower case or as written.
    fn looking_like(&self, host: &str, written: &str) -> Option<&str> {
        let as_written = || match written == host {
            true => None,
            false => self.by_suffix(written, skeleton_as_written),
        };
        self.by_suffix(host, skeleton).or_else(as_written)
    }

    /// Returns the known host from whose registered name that of this host differs by one letter: one more, one less, another
    /// one, or two that change places. Names of fewer than six letters do not count.
    ///
    /// ```
    /// use linksift::trust::KnownHosts;
    ///
    /// let known = KnownHosts::new(["example.com", "cnn.com"]);
    /// assert_eq!(known.misspelled("www.exmaple.com"), Some("example.com"));
    /// assert_eq!(known.misspelled("examples.com"), Some("example.com"));
    /// assert_eq!(known.misspelled("example.org"), None);
    /// assert_eq!(known.misspelled("can.com"), None);
    /// ```
    #[must_use]
    pub fn misspelled(&self, host: &str) -> Option<&str> {
        let host = unicode(host).to_lowercase();
        if self.is_known(&host) { None } else { self.spelled_like(&host) }
    }

    /// Returns the known host from which an unknown one, in lower case, differs by one letter.
    fn spelled_like(&self, host: &str) -> Option<&str> {
        let (name, suffix) = name_of(host);
        if name.chars().count() + 1 < SHORTEST {
            return None;
        }
        spellings(name, suffix).into_iter().find_map(|spelling| {
            let known = self.by_spelling.get(&spelling)?.iter().map(|&at| &*self.hosts[at]);
            known.into_iter().find(|known| {
                let (known, its_suffix) = name_of(known);
                its_suffix == suffix && is_one_edit(known, name)
            })
        })
    }

    /// Returns what a host has to do with a known one: it looks like it, is a misspelling of it, or has its name and a
    /// top-level domain before its own domain. `written` is the host as written, `ascii` the mapped one.
    pub(crate) fn resemblance(&self, written: &str, ascii: &str) -> Option<Resemblance<'_>> {
        let host = unicode(ascii).to_lowercase();
        if self.is_known(&host) {
            return None;
        }
        let of = |warning| move |known| Resemblance { warning, known };
        let resembled = self.looking_like(&host, &unicode(written));
        let misspelled = || self.spelled_like(&host).map(of(Warning::HostMisspelled));
        let nested = || self.nested(&host).map(of(Warning::HostNested));
        resembled.map(of(Warning::HostLookalike)).or_else(misspelled).or_else(nested)
    }

    /// Returns `true` for a known host, and for those below one.
    fn is_known(&self, host: &str) -> bool {
        self.suffixes(host).any(|suffix| self.exact.contains(suffix))
    }

    /// Returns the ends of a host that have no more labels than any known host, longest first.
    fn suffixes<'h>(&self, host: &'h str) -> impl Iterator<Item = &'h str> {
        let surplus = host.split('.').count().saturating_sub(self.most_labels);
        let ends = std::iter::successors(Some(host), |rest| Some(rest.split_once('.')?.1));
        ends.skip(surplus)
    }

    fn by_suffix(&self, host: &str, skeleton: impl Fn(&str) -> String) -> Option<&str> {
        let mut ends = self.suffixes(host);
        ends.find_map(|suffix| {
            Some(&*self.hosts[*self.by_skeleton.get(skeleton(suffix).as_str())?])
        })
    }

    /// Returns the name of a known host that is a label left of the host's own domain, followed by a top-level domain:
    /// `paypal.de.evil.test`, `paypal.de-login.test`. The host is in lower case, and unknown.
    fn nested(&self, host: &str) -> Option<&str> {
        if domain::is_for_others(host) {
            return None;
        }
        let labels: Vec<&str> = host.split('.').collect();
        let own = domain::registrable(host).split('.').count();
        let mut pairs = labels.windows(2).enumerate();
        pairs.find_map(|(at, two)| {
            let is_left = at + 2 + own <= labels.len();
            let (end, has_more) = match two[1].split_once('-') {
                Some((end, _)) => (end, at + 1 + own <= labels.len()),
                None => (two[1], is_left),
            };
            (has_more && tld::is_tld(end))
                .then(|| self.names.get(two[0]))
                .flatten()
                .map(|name| &**name)
        })
    }
}

/// Returns a host in characters, without the root dot. Capitals stay.
fn unicode(host: &str) -> String {
    let name = host.strip_suffix('.').unwrap_or(host);
    let labels: Vec<_> = name.split('.').map(to_unicode).collect();
    labels.join(".")
}

/// Returns the registered label of a host, and what follows it.
fn name_of(host: &str) -> (&str, &str) {
    let site = domain::registrable(host);
    site.split_once('.').unwrap_or((site, ""))
}

/// Returns the hashes of a name with its suffix, whole, and without each of its letters: two names share one if they differ
/// by one letter, or by the order of two.
fn spellings(name: &str, suffix: &str) -> Vec<u64> {
    let hash = |front: &str, back: &str| {
        let mut hasher = DefaultHasher::new();
        front.bytes().chain(back.bytes()).for_each(|byte| byte.hash(&mut hasher));
        suffix.hash(&mut hasher);
        hasher.finish()
    };
    let shorter = name.char_indices().map(|(at, c)| hash(&name[..at], &name[at + c.len_utf8()..]));
    std::iter::once(hash(name, "")).chain(shorter).collect()
}

/// Returns `true` if two different names are equal but for one letter more, less or other, or two letters that change
/// places.
fn is_one_edit(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let front = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let most = one.len().min(other.len()) - front;
    let back = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let back = back.min(most);
    match (&one[front..one.len() - back], &other[front..other.len() - back]) {
        ([], [_]) | ([_], []) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
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

    #[test]
    fn pairs_capitals_and_small_capitals_fold() {
        let known = KnownHosts::new([
            "paypal.com",
            "twitter.com",
            "dropbox.com",
            "bank.example",
            "themask.com",
            "o2.example",
        ]);
        for (host, resembled) in [
            ("paypaI.com", "paypal.com"),
            ("paypai.com", "paypal.com"),
            ("tvvitter.com", "twitter.com"),
            ("clropbox.com", "dropbox.com"),
            ("ВАΝК.example", "bank.example"),
            ("тнемаѕк.com", "themask.com"),
            ("ʙᴀɴᴋ.example", "bank.example"),
            ("тшіттег.com", "twitter.com"),
            ("ԃгорьох.com", "dropbox.com"),
            ("þaypal.com", "paypal.com"),
            ("ьапқ.example", "bank.example"),
            ("०२.example", "o2.example"),
        ] {
            assert_eq!(known.resembled(host), Some(resembled), "{host}");
        }
        for host in ["PAYPAL.COM", "WWW.Twitter.com"] {
            assert_eq!(known.resembled(host), None, "{host}");
        }
    }

    #[test]
    fn one_edit_is_a_misspelling() {
        let known = KnownHosts::new(["paypal.com", "login.example-bank.co.uk", "yahoo.com"]);
        for (host, resembled) in [
            ("paypla.com", "paypal.com"),
            ("paypal1.com", "paypal.com"),
            ("paypa.com", "paypal.com"),
            ("www.pavpal.com", "paypal.com"),
            ("apypal.com", "paypal.com"),
            ("exmaple-bank.co.uk", "login.example-bank.co.uk"),
        ] {
            assert_eq!(known.misspelled(host), Some(resembled), "{host}");
        }
        for host in [
            "paypal.com",
            "a.paypal.com",
            "pay.com",
            "paylap.com",
            "paypalxy.com",
            "yaho.com",
            "paypla.org",
            "",
            "com",
        ] {
            assert_eq!(known.misspelled(host), None, "{host}");
        }
        assert!(is_one_edit("aa", "a") && is_one_edit("ab", "ba") && !is_one_edit("ab", "ab"));
        assert!(!is_one_edit("abcd", "badc") && !is_one_edit("abc", "cba"));
    }

    #[test]
    fn a_known_name_before_another_domain() {
        let known = KnownHosts::new(["paypal.com"]);
        for host in ["paypal.de.evil.test", "www.paypal.co.evil.test", "paypal.de-login.test"] {
            let found = known.resemblance(host, host).map(|found| found.warning);
            assert_eq!(found, Some(Warning::HostNested), "{host}");
        }
        for host in [
            "paypal.evil.test",
            "docs.de.example.org",
            "paypal.de",
            "x.paypal.com",
            "paypal.x.evil.test",
        ] {
            assert_eq!(known.resemblance(host, host), None, "{host}");
        }
    }
}

//! Facts about a run, for the counts and for the files in addition to the links: all threads record them, and the writer
//! takes them in the order of the inputs.

use std::collections::{BTreeMap, HashMap};

use linksift::{Scanned, trust};

/// Subject of a count. Each has one count per value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// Links, by host.
    Host,
    Scheme,
    Context,
    Charset,
    Kind,
    Warning,
    /// Rejected candidates, by reason.
    Rejected,
    /// Documents, by encoding.
    Document,
    /// Documents, by the source of their encoding.
    KnownFrom,
    /// Failures, by code.
    Failure,
    Notice,
    /// Bytes: `stored` in the inputs, `expanded` in the documents in them.
    Bytes,
    /// Inputs: all of them, and those that are not complete.
    Input,
}

impl About {
    pub(crate) const ALL: [About; 13] = [
        About::Host,
        About::Scheme,
        About::Context,
        About::Charset,
        About::Kind,
        About::Warning,
        About::Rejected,
        About::Document,
        About::KnownFrom,
        About::Failure,
        About::Notice,
        About::Bytes,
        About::Input,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            About::Host => "host",
            About::Scheme => "scheme",
            About::Context => "context",
            About::Charset => "charset",
            About::Kind => "kind",
            About::Warning => "warning",
            About::Rejected => "rejected",
            About::Document => "document",
            About::KnownFrom => "known-from",
            About::Failure => "failure",
            About::Notice => "notice",
            About::Bytes => "bytes",
            About::Input => "input",
        }
    }
}

/// A recorded fact.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fact<'f> {
    /// A number to be added to the count of a value.
    Count(About, &'f str, u64),
    /// A line for the file of errors.
    Error(&'f [u8]),
    /// An input that has been processed, and a hash of its metadata.
    Closed(&'f [u8], u64),
}

/// Facts in sequence, in a compact form: a tag, a number, a length, and the text.
#[derive(Debug, Default)]
pub(crate) struct Log(Vec<u8>);

const ERROR: u8 = 254;
const CLOSED: u8 = 255;
/// Size of a tag and two numbers.
const HEAD: usize = 17;

impl Log {
    pub(crate) fn count(&mut self, about: About, value: &str, amount: u64) {
        self.push(about as u8, amount, value.as_bytes());
    }

    /// Counts a document; many have no encoding of their own.
    pub(crate) fn document(&mut self, scanned: &Scanned) {
        self.count(About::Bytes, "expanded", scanned.bytes());
        self.count(About::Input, "documents", 1);
        if let Some(found) = scanned.detected() {
            self.count(About::Document, found.charset().as_str(), 1);
            self.count(About::KnownFrom, found.source().as_str(), 1);
        }
    }

    pub(crate) fn error(&mut self, line: &[u8]) {
        self.push(ERROR, 0, line);
    }

    pub(crate) fn closed(&mut self, path: &[u8], look: u64) {
        self.push(CLOSED, look, path);
    }

    fn push(&mut self, tag: u8, amount: u64, text: &[u8]) {
        self.0.push(tag);
        self.0.extend_from_slice(&amount.to_le_bytes());
        self.0.extend_from_slice(&(text.len() as u64).to_le_bytes());
        self.0.extend_from_slice(text);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn append(&mut self, later: &mut Log) {
        self.0.append(&mut later.0);
    }

    /// Returns the facts between two earlier lengths of the log.
    pub(crate) fn between(&self, start: usize, end: usize) -> Facts<'_> {
        Facts(self.0.get(start..end).unwrap_or_default())
    }
}

/// Facts, in the order in which they were noted.
pub(crate) struct Facts<'f>(&'f [u8]);

impl<'f> Iterator for Facts<'f> {
    type Item = Fact<'f>;

    fn next(&mut self) -> Option<Fact<'f>> {
        let (head, rest) = self.0.split_at_checked(HEAD)?;
        let number =
            |at: usize| head.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let (amount, len) = (number(1)?, number(9)?);
        let (text, rest) = rest.split_at_checked(len as usize)?;
        self.0 = rest;
        Some(match *head.first()? {
            ERROR => Fact::Error(text),
            CLOSED => Fact::Closed(text, amount),
            tag => Fact::Count(
                *About::ALL.get(usize::from(tag))?,
                std::str::from_utf8(text).ok()?,
                amount,
            ),
        })
    }
}

/// Counts of each value.
#[derive(Debug, Default)]
pub(crate) struct Counts([HashMap<Box<str>, u64>; About::ALL.len()]);

/// Counts by the names of their subjects, as they are written.
pub(crate) type Named = BTreeMap<String, BTreeMap<String, u64>>;

impl Counts {
    pub(crate) fn add(&mut self, about: About, value: &str, amount: u64) {
        let counts = &mut self.0[about as usize];
        match counts.get_mut(value) {
            Some(count) => *count = count.saturating_add(amount),
            None => drop(counts.insert(value.into(), amount)),
        }
    }

    /// Resets the count of a value.
    pub(crate) fn forget(&mut self, about: About, value: &str) {
        self.0[about as usize].remove(value);
    }

    pub(crate) fn of(&self, about: About) -> &HashMap<Box<str>, u64> {
        &self.0[about as usize]
    }

    pub(crate) fn one(&self, about: About, value: &str) -> u64 {
        self.of(about).get(value).copied().unwrap_or(0)
    }

    pub(crate) fn sum(&self, about: About) -> u64 {
        self.of(about).values().sum()
    }

    /// Returns all values with their counts, the most frequent first, equally frequent ones by name.
    pub(crate) fn sorted(&self, about: About) -> Vec<(&str, u64)> {
        sorted(self.of(about).iter().map(|(value, count)| (&**value, *count)))
    }

    pub(crate) fn named(&self) -> Named {
        let of = |about: About| {
            let values = self.of(about).iter().map(|(value, count)| (value.to_string(), *count));
            (about.as_str().to_owned(), values.collect())
        };
        About::ALL.into_iter().map(of).collect()
    }

    pub(crate) fn from_named(named: &Named) -> Counts {
        let mut counts = Counts::default();
        for about in About::ALL {
            for (value, count) in named.get(about.as_str()).into_iter().flatten() {
                counts.add(about, value, *count);
            }
        }
        counts
    }
}

/// Returns values with their counts, the most frequent first, equally frequent ones by name.
pub(crate) fn sorted<'v>(values: impl Iterator<Item = (&'v str, u64)>) -> Vec<(&'v str, u64)> {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    values
}

/// Returns the number of links of each registered domain.
pub(crate) fn by_domain(counts: &Counts) -> HashMap<&str, u64> {
    let mut domains = HashMap::new();
    for (host, count) in counts.of(About::Host) {
        *domains.entry(trust::registrable(host)).or_insert(0) += count;
    }
    domains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_comes_out_in_order() {
        let (mut log, mut later) = (Log::default(), Log::default());
        log.count(About::Host, "例え.jp", 2);
        log.closed(b"a\xFF", 7);
        let end = log.len();
        later.error(b"{}\n");
        later.count(About::Input, "", u64::MAX);
        log.append(&mut later);
        let facts: Vec<_> = log.between(0, end).chain(log.between(end, log.len())).collect();
        assert_eq!(
            facts,
            [
                Fact::Count(About::Host, "例え.jp", 2),
                Fact::Closed(b"a\xFF", 7),
                Fact::Error(b"{}\n"),
                Fact::Count(About::Input, "", u64::MAX),
            ]
        );
    }

    #[test]
    fn the_order_of_all_is_that_of_the_tags() {
        for (number, about) in About::ALL.into_iter().enumerate() {
            assert_eq!(about as usize, number);
        }
    }

    #[test]
    fn counts_are_kept_by_name() {
        let mut counts = Counts::default();
        for value in ["b", "a", "c", "c"] {
            counts.add(About::Scheme, value, 1);
        }
        let again = Counts::from_named(&counts.named());
        assert_eq!(again.sorted(About::Scheme), [("c", 2), ("a", 1), ("b", 1)]);
        assert_eq!((again.sum(About::Scheme), again.one(About::Scheme, "d")), (4, 0));
    }
}

//! Checks a complete host: each label in characters, with its top-level domain.

use super::domain;
use super::finding::{FindingDetail, FindingSink, Findings, OffsetSink};
use super::{address, label};
use crate::tables::punycode::{self, to_unicode};
use crate::warning::{Severity, Warning, Warnings};

/// Checks a host as in a URI: ASCII, with A-labels.
///
/// Each A-label is decoded and checked as in [`label`](super::label); the range is that of the A-label. Names nested before
/// the registered one, and addresses that do not look like addresses, are detected too. The labels of a non-ASCII host
/// count as U-labels.
///
/// ```
/// use linksift::trust;
///
/// let codes = |host| -> Vec<_> { trust::host(host).warnings().iter().map(|w| w.code()).collect() };
/// assert_eq!(codes("www.xn--80ak6aa92e.com"), ["host-confusable"]);
/// assert_eq!(codes("www.bank.com.evil.test"), ["host-nested"]);
/// assert_eq!(codes("0x7f.1"), ["ip-disguised"]);
/// assert_eq!(codes("xn--bcher-kva.example"), [""; 0]);
/// ```
#[must_use]
pub fn host(host: &str) -> Findings {
    let mut findings = Findings::default();
    collect_warnings(host, punycode::decode, &mut findings);
    if let Some(range) = domain::nested(host) {
        findings.put(Warning::HostNested, range, || FindingDetail::Text);
    }
    if let Some(address) = address::disguised_ipv4(host) {
        findings.put(Warning::IpDisguised, 0..host.len(), || FindingDetail::Address(address));
    }
    findings
}

/// Collects the warnings of the labels; `decode` decodes an A-label.
pub(super) fn collect_warnings(
    host: &str,
    decode: impl Fn(&str) -> Option<String>,
    sink: &mut impl FindingSink,
) {
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = memchr::memrchr(b'.', name.as_bytes()).map_or(0, |dot| dot + 1);
    let tld = to_unicode(&name[last..]);
    let mut start = 0;
    for end in memchr::memchr_iter(b'.', name.as_bytes()).chain([name.len()]) {
        let label = &name[start..end];
        if !label.is_ascii() {
            label::collect_warnings(label, &tld, &mut OffsetSink { sink, by: start });
        } else if let Some(decoded) = decode(label) {
            label::collect_warnings(&decoded, &tld, &mut RangeSink { sink, range: start..end });
        }
        start = end + 1;
    }
}

/// Sink that assigns all findings to one range.
struct RangeSink<'s, S> {
    sink: &'s mut S,
    range: std::ops::Range<usize>,
}

impl<S: FindingSink> FindingSink for RangeSink<'_, S> {
    fn put(
        &mut self,
        warning: Warning,
        _: std::ops::Range<usize>,
        what: impl FnOnce() -> FindingDetail,
    ) {
        self.sink.put(warning, self.range.clone(), what);
    }
}

/// Returns `true` if a label may be shown in characters, because nothing in it is suspect. `tld` is in characters.
pub(crate) fn is_shown(label: &str, tld: &str) -> bool {
    let mut warnings = Warnings::default();
    label::collect_warnings(label, tld, &mut warnings);
    warnings.severity() < Some(Severity::Suspect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_labels() {
        let found = host("a.xn--pypal-4ve.com.");
        let first = found.iter().next().unwrap();
        assert_eq!((first.warning(), first.range()), (Warning::HostMixedScript, 2..15));
        assert_eq!(*first.what(), FindingDetail::Scripts("Latn", "Cyrl"));
        let found = host("a.pаypal.com");
        assert_eq!(found.iter().next().unwrap().range(), 3..5);
    }

    #[test]
    fn nothing_at_all() {
        for name in ["", ".", "..", "xn--", "[::1]", "127.0.0.1", "a_b.example"] {
            assert!(host(name).is_empty(), "{name}");
        }
    }
}

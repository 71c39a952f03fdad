//! Hosts: which characters they hold, and which of them are valid.

use super::chars;
use super::{Boundaries, Twin};
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use std::net::{Ipv4Addr, Ipv6Addr};

/// Which characters a host may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    /// After an explicit `scheme://`: symbols and `%HH` as well.
    Schemed,
    Schemeless,
}

pub(super) const HOST: usize = 253;

impl Twin<'_> {
    /// How many characters at `i` are one host character (no dot), or 0.
    /// `first` is where the host begins: `_` and variation selectors need a
    /// neighbour inside it.
    pub(super) fn host_character(&self, set: Set, first: usize, i: usize) -> usize {
        let Some(c) = self.at(i) else { return 0 };
        let hebrew_mark = matches!(c, '\u{5F3}' | '\u{5F4}');
        if chars::is_host(c) && !hebrew_mark {
            return 1;
        }
        if c == '_' || hebrew_mark || c == '\u{AD}' {
            let left = i > first && self.before(i).is_some_and(chars::is_letter_or_digit);
            let right = self.at(i + 1).is_some_and(chars::is_letter_or_digit);
            let more = c == '_'
                && set == Set::Schemed
                && self.prose()
                && self.goes_on_after_underscores(i);
            return usize::from(left && right || more);
        }
        if set == Set::Schemeless {
            return 0;
        }
        if chars::is_symbol(c) {
            return 1;
        }
        if chars::is_variation_selector(c) {
            return usize::from(i > first && self.before(i).is_some_and(chars::is_symbol));
        }
        let hex = |i: usize| self.at(i).is_some_and(|c| c.is_ascii_hexdigit());
        if c == '%' && hex(i + 1) && hex(i + 2) {
            return 3;
        }
        match self.string_escape(i) {
            Some((Some(c), len)) if !c.is_ascii() && (chars::is_host(c) || chars::is_symbol(c)) => {
                len
            }
            _ => 0,
        }
    }

    /// After `scheme://` an underscore may stand anywhere in a label, if more of the host, a port
    /// or a path follows.
    fn goes_on_after_underscores(&self, mut i: usize) -> bool {
        let first = i;
        while i - first < 64 && self.at(i) == Some('_') {
            i += 1;
        }
        match self.at(i) {
            Some('/') => true,
            Some('.') => self.at(i + 1).is_some_and(chars::is_letter_or_digit),
            Some(':') => self.at(i + 1).is_some_and(|c| c.is_ascii_digit()),
            Some(c) => chars::is_host(c),
            None => false,
        }
    }

    /// The end of the longest run of host characters and dots from `first` on.
    pub(super) fn host_run(&self, set: Set, first: usize) -> usize {
        let mut i = first;
        loop {
            let dot = self.at(i).is_some_and(|c| self.is_dot_of(set, c));
            let step = if dot { 1 } else { self.host_character(set, first, i) };
            if step == 0 {
                return i;
            }
            i += step;
        }
    }

    /// The ideographic dots are no dots of a schemeless host in prose.
    pub(super) fn is_dot_of(&self, set: Set, c: char) -> bool {
        let foreign = set == Set::Schemeless && self.settings.boundaries == Boundaries::Prose;
        chars::is_dot(c) && !(foreign && chars::is_ideographic_dot(c))
    }

    /// `end` without the dots before it.
    pub(super) fn without_dots(&self, first: usize, mut end: usize) -> usize {
        while end > first && self.before(end).is_some_and(chars::is_dot) {
            end -= 1;
        }
        end
    }

    /// A host's end with its root dot, if it has one: exactly one dot directly
    /// before `/`, `?` or `#`.
    pub(super) fn root_dot(&self, end: usize) -> bool {
        let dot = self
            .at(end)
            .is_some_and(|c| chars::is_dot(c) && !(self.prose() && chars::is_ideographic_dot(c)));
        dot && matches!(self.at(end + 1), Some('/' | '?' | '#'))
    }

    /// Prose: where a label begins with a known ASCII top-level domain and goes
    /// on in another script, the end of that domain. The first label, and the
    /// one after `www`, only if it is the last.
    pub(super) fn prose_cut(&self, first: usize, end: usize) -> Option<usize> {
        if !self.prose() {
            return None;
        }
        let last = self.last_label(first, end);
        let mut own = true;
        let mut label = first;
        for i in first..=end {
            if i < end && !self.at(i).is_some_and(chars::is_dot) {
                continue;
            }
            if !own || label == last {
                let cut = self.joined(label).filter(|&cut| cut < i);
                if cut.is_some() {
                    return cut;
                }
            }
            let www = own && self.string(label, i).eq_ignore_ascii_case("www");
            own = www && label == first;
            label = i + 1;
        }
        None
    }

    /// The end of the top-level domain at `label` that another script follows.
    pub(super) fn joined(&self, label: usize) -> Option<usize> {
        let mut cut = label;
        while self.at(cut).is_some_and(|c| c.is_ascii_alphanumeric() || c == '-') {
            cut += 1;
        }
        let other = |c| chars::is_foreign(c) && (chars::is_host(c) || chars::is_symbol(c));
        let after = self.at(cut + 1);
        let ends = match self.at(cut) {
            Some(c) if chars::is_joiner(c) => after.is_some_and(other),
            Some(c) if chars::is_mark_at_end(c) => after.is_none_or(chars::is_white_space),
            c => c.is_some_and(other),
        };
        if !ends {
            return None;
        }
        if chars::is_tld(&self.string(label, cut)) {
            return Some(cut);
        }
        // `example.com-ზე`
        let mut last = cut;
        while self.host_character(Set::Schemeless, label, last) > 0 {
            last += 1;
        }
        let goes_on = self.another_label_follows(last) || self.goes_on_after_hyphens(last);
        let hyphen = self.before(cut) == Some('-') && !goes_on;
        (hyphen && chars::is_tld(&self.string(label, cut - 1))).then(|| cut - 1)
    }

    /// Prose: the end without the hyphens that a host of no more ends in.
    pub(super) fn without_hyphens(&self, first: usize, end: usize) -> usize {
        let mut cut = end;
        while cut > first && self.before(cut) == Some('-') {
            cut -= 1;
        }
        if !self.prose() || cut == first || self.goes_on_after_hyphens(end) { end } else { cut }
    }

    /// More of a link, or what is to be filled in.
    pub(super) fn goes_on_after_hyphens(&self, end: usize) -> bool {
        self.at(end).is_some_and(|c| "/?#:@[_%${*<".contains(c))
    }

    /// Where the last label of the host `first..end` begins.
    pub(super) fn last_label(&self, first: usize, end: usize) -> usize {
        (first..end)
            .rev()
            .find(|&i| self.at(i).is_some_and(chars::is_dot))
            .map_or(first, |dot| dot + 1)
    }

    /// Whether scheme characters and `://` follow.
    pub(super) fn scheme_follows(&self, from: usize) -> bool {
        let mut i = from;
        while i - from < 64 && self.at(i).is_some_and(chars::is_scheme) {
            i += 1;
        }
        self.is(i, "://")
    }

    /// `:port` at `from`: its end and whether it is in range. Without a digit
    /// there is none.
    pub(super) fn port(&self, from: usize) -> (usize, bool) {
        if self.at(from) != Some(':') {
            return (from, true);
        }
        let mut end = from + 1;
        let mut value = 0_u32;
        while let Some(digit) = self.at(end).filter(char::is_ascii).and_then(|c| c.to_digit(10)) {
            value = (value * 10 + digit).min(65_536);
            end += 1;
        }
        // `example.com:10.0.0.1`
        let decimal = self.written(end) == Some('.')
            && self.written(end + 1).is_some_and(|c| c.is_ascii_digit());
        if end == from + 1 || decimal {
            return (from, true);
        }
        (end, value <= 65_535)
    }

    /// `:80:80` is no port.
    pub(super) fn only_port(&self, from: usize) -> (usize, bool) {
        let (end, in_range) = self.port(from);
        if end == from && self.at(from) == Some(':') && self.before(from) != Some('/') {
            return (from + usize::from(self.at(from + 1) == Some('/')), true);
        }
        let (second, _) = self.port(end);
        if end > from && second > end { (second, false) } else { (end, in_range) }
    }
}

pub(super) fn labels(host: &str) -> Vec<&str> {
    host.split(chars::is_dot).collect()
}

/// The refusal of a host whose labels are wrong by themselves.
pub(super) fn label_error(host: &str) -> Option<&'static str> {
    for label in labels(host) {
        if label.is_empty() || label.starts_with('-') || label.ends_with('-') {
            return Some("host-label");
        }
    }
    // Of others the length is that of the A-labels.
    let plain = |text: &str| text.is_ascii() && !text.contains('%');
    let long = |label: &&str| plain(label) && label.len() > 63;
    let long = plain(host) && host.len() > HOST || labels(host).iter().any(long);
    long.then_some("host-label")
}

/// Whether nothing is wrong with the labels but hyphens at the edges of those left of the registered name.
pub(super) fn is_only_hyphens(host: &str) -> bool {
    let labels = labels(host);
    let registered = linksift::trust::registrable(&labels.join(".")).split('.').count();
    let (left, right) = labels.split_at(labels.len() - registered);
    let inner: Vec<&str> = left.iter().map(|label| label.trim_matches('-')).collect();
    let is_empty = left.iter().any(|label| label.is_empty());
    let is_long = |label: &&str| label.len() > 63 && label.is_ascii() && !label.contains('%');
    let inner = inner.iter().map(|label| if label.is_empty() { "a" } else { label });
    let rest: Vec<&str> = inner.chain(right.iter().copied()).collect();
    !is_empty && !left.iter().any(is_long) && label_error(&rest.join(".")).is_none()
}

/// The refusal of a host that UTS #46 does not accept.
pub(super) fn idna_error(host: &str) -> Option<&'static str> {
    if String::from_utf8(percent_decoded(host)).is_err() {
        return Some("host-not-utf-8");
    }
    match to_ascii(host, DnsLength::VerifyAllowRootDot) {
        Some(_) => None,
        // Only the mapping shows that it is too long, or that `%2E` makes an empty label.
        None => Some(match to_ascii(host, DnsLength::Ignore) {
            Some(ascii) if ascii.trim_end_matches('.').len() > HOST => "host-too-long",
            Some(_) => "host-label",
            None => "host-invalid-idna",
        }),
    }
}

fn to_ascii(host: &str, length: DnsLength) -> Option<String> {
    let decoded = percent_decoded(host);
    Uts46::new()
        .to_ascii(&decoded, AsciiDenyList::URL, Hyphens::Allow, length)
        .ok()
        .map(|ascii| ascii.into_owned())
        // UTS #46 lets pass what no URI has in a host (`%22`), and A-labels of A-labels.
        .filter(|ascii| {
            ascii.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b))
        })
        .filter(|ascii| !hides_ace_prefix(ascii))
}

/// A label that stands for one which itself begins with `xn--`.
fn hides_ace_prefix(ascii: &str) -> bool {
    let (unicode, _) =
        Uts46::new().to_unicode(ascii.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
    let hides = |(ace, label): (&str, &str)| ace != label && label.starts_with("xn--");
    ascii.split('.').zip(unicode.split('.')).any(hides)
}

fn percent_decoded(host: &str) -> Vec<u8> {
    let bytes = host.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let hex = |i: usize| {
            let byte = bytes.get(i).copied()?;
            char::from(byte).to_digit(16)
        };
        if let (b'%', Some(high), Some(low)) = (bytes[i], hex(i + 1), hex(i + 2)) {
            out.push((high * 16 + low) as u8);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    out
}

/// Digits, or `0x` and hexadecimal digits, of which there may be none.
pub(super) fn is_number(label: &str) -> bool {
    let hex = label.strip_prefix("0x").or(label.strip_prefix("0X"));
    hex.map_or_else(
        || label.bytes().all(|b| b.is_ascii_digit()),
        |digits| digits.bytes().all(|b| b.is_ascii_hexdigit()),
    )
}

pub(super) fn is_ipv4(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok()
}

/// The inside of `[…]`: IPv6address or IPvFuture.
pub(super) fn is_ip_literal(inside: &str) -> bool {
    if inside.parse::<Ipv6Addr>().is_ok() {
        return true;
    }
    // IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
    let Some(rest) = inside.strip_prefix(['v', 'V']) else {
        return false;
    };
    let Some((version, address)) = rest.split_once('.') else {
        return false;
    };
    !version.is_empty()
        && version.chars().all(|c| c.is_ascii_hexdigit())
        && !address.is_empty()
        && address.chars().all(|c| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:".contains(c))
}

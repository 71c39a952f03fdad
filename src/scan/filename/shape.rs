//! What a name is by its labels and by the way it is written.
//!
//! In goes a host without a scheme, taken apart; out comes whether it is rather a file, by its endings, a
//! member, by the object or the module in front, or something that only code writes so. What is beside it
//! on its line is not asked here.

use super::lexicon::*;
use super::{Seen, last_label, name_after_first};

/// `Text.Pandoc.Writers` of `Text.Pandoc.Writers.Org`: each label is a word with a capital in front.
pub(super) fn is_module(name: &[u8]) -> bool {
    let mut labels = name.split(|&b| b == b'.');
    let last = LAST_LABELS.kinds(word(last_label(name)));
    last & SECOND_LEVEL == 0
        && labels.all(|label| {
            label.first().is_some_and(u8::is_ascii_uppercase)
                && (label.len() == 1 || label.iter().any(u8::is_ascii_lowercase))
                && label.iter().all(u8::is_ascii_alphanumeric)
        })
        && !name.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www."))
}

/// A host without a scheme, taken apart.
pub(super) struct Host<'h> {
    /// All before the last dot.
    pub(super) name: &'h [u8],
    /// The first label of it.
    pub(super) first: &'h [u8],
    /// The last label of it.
    pub(super) last: &'h [u8],
    /// The top-level domain.
    pub(super) ending: &'h [u8],
    /// What the domain is known as.
    pub(super) kinds: Kinds,
    /// What is in the name.
    pub(super) seen: Seen,
    /// There is but one label before the domain.
    pub(super) is_alone: bool,
}

impl Host<'_> {
    fn is(&self, kinds: Kinds) -> bool {
        self.kinds & kinds != 0
    }

    fn has_ending(&self, ending: &[u8]) -> bool {
        self.ending.eq_ignore_ascii_case(ending)
    }

    /// Nobody can register it, or it is a template: `proc.stdout.read`, `cgroup_events.at`,
    /// `gmp-h.in`.
    pub(super) fn is_no_host(&self) -> bool {
        if self.is(NO_DOMAIN) || self.seen.has(Seen::UNDERSCORE) && self.last.contains(&b'_') {
            return true;
        }
        self.has_ending(b"in")
            && (LAST_LABELS.kinds(word(self.last)) & TEMPLATE != 0
                || [&b"-h"[..], b"-pc", b"config", b"-in", b"-lang"].iter().any(|end| {
                    let from = self.last.len().saturating_sub(end.len());
                    self.last[from..].eq_ignore_ascii_case(end)
                }))
    }

    /// A file by its ending, or by the ending in front of it.
    pub(super) fn is_file(&self) -> bool {
        if self.is_alone {
            let is_numbered = match self.last {
                // `99-default.link`
                [a, b, b'-', ..] if a.is_ascii_digit() && b.is_ascii_digit() => true,
                // `incr06.at`: with a zero in front.
                [.., a, b'0', n] => a.is_ascii_alphabetic() && n.is_ascii_digit(),
                _ => false,
            };
            return self.is(FILE | WORD)
                || self.is(DOUBT) && is_numbered
                // `Terminal.app`
                || self.has_ending(b"app") && self.seen.has(Seen::UPPER);
        }
        let last = LAST_LABELS.kinds(word(self.last));
        last & MIDDLE != 0
            // `rsnapshot.conf.default.in`
            || self.has_ending(b"in")
                && self.name.split(|&b| b == b'.').skip(1).any(|label| LAST_LABELS.kinds(word(label)) & MIDDLE != 0)
            || self.is(ONLY_FILE) && last & SECOND_LEVEL == 0
            // `mkoctfile.in.cc`
            || self.is(FILE) && self.last.eq_ignore_ascii_case(b"in")
            || self.is(WEAK) && has_version(self.name)
            || self.has_ending(b"so")
                && (self.first.starts_with(b"lib") || self.first.starts_with(b"ld-"))
    }

    /// A member by the object or the module in front.
    pub(super) fn is_member(&self) -> bool {
        // `comp.example.ac.nz`
        if !self.is_alone
            && self.ending.len() == 2
            && LAST_LABELS.kinds(word(self.last)) & SECOND_LEVEL != 0
        {
            return false;
        }
        // `test2.cat` is a test's.
        let digits = self.first.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let first = match FIRST_LABELS.kinds(word(self.first)) {
            0 if self.is_alone => {
                let name = &self.first[..self.first.len() - digits];
                let kinds = FIRST_LABELS.kinds(word(name)) & (OBJECT | CODE | VARIABLE);
                if self.is(WEAK) { kinds } else { 0 }
            }
            kinds => kinds,
        };
        let is_long = self.ending.len() > 2;
        // `de.alt.x.computer`
        let second = name_after_first(self.name);
        let is_newsgroup = self.first.len() == 2 && FIRST_LABELS.kinds(word(second)) & NEWS != 0;
        is_newsgroup && self.seen.has(Seen::DOT)
            || first & OBJECT != 0
            || first & SECTION != 0 && self.is_alone && self.is(WEAK)
            || first & CODE != 0 && self.is(WEAK)
            || first & VARIABLE != 0 && self.is_alone && (self.is(WEAK) || !self.is(COMMON | SHORT))
            || (first & VARIABLE != 0 || self.first.len() == 1) && self.has_ending(b"id")
            // `w.e.gl`: an abbreviation.
            || !self.is_alone
                && !is_long
                && !self.is(COMMON | SHORT)
                && self.name.split(|&b| b == b'.').all(|l| l.len() == 1)
            || first & PLACE != 0
                && (self.is(WORD) || self.is(DOUBT) && is_long || self.has_ending(b"in"))
            || !self.is_alone && (first & REVERSE != 0 || first & REVERSE_LONG != 0 && is_long)
    }

    /// By the way it is written.
    pub(super) fn is_written_as_code(&self) -> bool {
        let Host { name, first, ending, seen, is_alone, .. } = *self;
        let is_underscored = self.is(WORD | FILE) && seen.has(Seen::UNDERSCORE);
        if is_underscored
            || !is_alone && (self.is_placeholder() || self.is_of_words() || self.is_path_of_words())
        {
            return true;
        }
        let has_upper_name = seen.has(Seen::UPPER);
        let has_upper_first = has_upper_name && (is_alone || has_upper(first));
        // `CheckData.mu`
        let is_hump = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
        if is_alone && self.is(FIELD) && has_upper_name && first.windows(2).any(is_hump) {
            return true;
        }
        // `hkdfParams.info`; `eBay.de` is a host.
        if has_upper_first && first[0].is_ascii_lowercase() && (ending.len() > 2 || self.is(DOUBT))
        {
            return true;
        }
        // `process.env.TZ`, `Color.RED`, `Co.Ltd`, `H.J.Lu`; `BBC.CO.UK`, `EXAMPLE.DE` and
        // `Example.COM` are hosts.
        if has_upper(ending) {
            // `Name.Variable.Global`, `GLib.Status.FOO`
            if ending.len() > 2 && seen.has(Seen::LOWER) {
                return true;
            }
            return match ending.iter().all(u8::is_ascii_uppercase) {
                // `B.CU`
                true if is_alone && first.len() == 1 => !self.is(SHORT),
                // `Roboto-Regular.default.CA`
                true => {
                    let is_upper = |label: &[u8]| label.iter().all(u8::is_ascii_uppercase);
                    !has_upper_name
                        || seen.has(Seen::LOWER)
                            && (is_alone
                                || is_module(name)
                                || self.is(WEAK) && !name.split(|&b| b == b'.').any(is_upper))
                }
                false => {
                    is_alone
                        || is_module(name)
                        || name.split(|&b| b == b'.').all(|label| label.len() == 1)
                }
            };
        }
        if is_alone {
            return first.len() == 1 && !self.is(SHORT);
        }
        // `threading.Thread.run`: hosts that are written with capitals begin with one.
        has_upper_name
            && (!has_upper_first
                || self.is(WORD) && has_upper(name.get(first.len()..).unwrap_or_default()))
    }

    /// `resource.class.name`: two words or more in front of a word of code.
    fn is_path_of_words(&self) -> bool {
        self.is(WORD | CHAIN)
            && self.name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'))
    }

    /// `man.base.url.for.relative.link`: four words or more in front of another, and of two letters if the first has
    /// but two, `de.example.product.module.io`.
    fn is_of_words(&self) -> bool {
        let is_word = |b: &u8| b.is_ascii_alphabetic() || *b == b'.';
        !self.is(COMMON)
            && (self.ending.len() > 2 && !self.is(SHORT) || self.first.len() == 2)
            && self.name.iter().filter(|&&b| b == b'.').count() >= 3
            && self.name.iter().all(is_word)
    }

    /// `192.168.2.XXX`, `2.0.dev`, `v2.0.io`, `yy.mm.dd.hh.mm.ss`, of two labels or more before the domain.
    fn is_placeholder(&self) -> bool {
        let mut labels = self.name.split(|&b| b == b'.');
        let is_number = |label: &[u8]| label.iter().all(u8::is_ascii_digit);
        let is_numbered =
            labels.next().is_some_and(is_number) && labels.next().is_some_and(is_number);
        let is_pair = |label: &[u8]| label.len() == 2 && label.iter().all(u8::is_ascii_alphabetic);
        // `192.0.2.7.dip.example.de`: what providers call the hosts of their customers.
        let count = self.name.split(|&b| b == b'.').take_while(|label| is_number(label)).count();
        let is_host = count >= 4 && self.name.iter().filter(|&&b| b == b'.').count() >= count;
        let version = self.name.strip_prefix(b"v").or(self.name.strip_prefix(b"V"));
        is_numbered && !is_host
            || version.is_some_and(|version| version.split(|&b| b == b'.').all(is_number))
            || self.ending.len() == 2
                && self.name.len() >= 8
                && self.name.split(|&b| b == b'.').all(is_pair)
    }
}

fn has_upper(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_uppercase)
}

/// Whether a version number ends the name: `libc-2.12.so`, `python3.11.info`.
fn has_version(name: &[u8]) -> bool {
    let mut labels = name.rsplit(|&b| b == b'.');
    let last = labels.next().unwrap_or_default();
    let before = labels.next().and_then(<[u8]>::last);
    !last.is_empty()
        && last.iter().all(u8::is_ascii_digit)
        && before.is_some_and(u8::is_ascii_digit)
}

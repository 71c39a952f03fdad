//! Names that only look like hosts: of files (`main.rs`, `libc-2.12.so`), and of members in code
//! (`os.name`, `threading.Thread.run`, `Color.RED`, `PSTATE.ZA`).
//!
//! Comes in: a host without a scheme whose last label is a top-level domain, as it is written. Goes
//! out: whether it is rather such a name. What speaks is the ending, the words in front of it, the
//! way they are written, and what is beside it; the words are in `lexicon`, the surroundings in
//! `beside` and `sibling`. Which count was settled by reading what was found in documentation, manual
//! pages and changelogs: without the rules four bare hosts in five were none. `com`, `org`, `net` and
//! their like never are refused, nor is what begins with `www.`; a label with an underscore in front of
//! them is, since nobody can register it.

mod code;
mod code_context;
mod lexicon;
mod line;
mod sibling;

#[cfg(feature = "charset")]
pub(crate) use code_context::may_call;

use super::Manner;
use super::view::{Incomplete, View};
use lexicon::*;

/// Bytes in front of a name that are looked at.
const MAX_BEFORE: usize = 32;

/// What a host without a scheme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Host,
    /// Rather a name of a file or of a member in code, unless a path or a query follows.
    Doubted,
    /// No host at all.
    Name,
}

/// Judges the host `start..end`, whose last dot is at `dot` and whose last label begins at
/// `label`.
#[inline]
pub(crate) fn judge(
    view: &View<'_>,
    [start, dot, label, end]: [usize; 4],
) -> Result<Verdict, Incomplete> {
    let (name, ending) = (&view.text[start..dot], &view.text[label..end]);
    let ending = Domain::of(ending);
    let seen = Seen::in_name(name);
    let verdict = judge_in_prose(view, [start, end], name, ending, seen)?;
    let is_told = match (verdict, view.manner) {
        (Verdict::Host, Manner::Code) => !code::is_host(view, name, ending, end)?,
        (Verdict::Doubted, _) => {
            return Ok(match code_context::is_named(view, start, end)? {
                true => Verdict::Host,
                false => verdict,
            });
        }
        _ => false,
    };
    Ok(if is_told { Verdict::Doubted } else { verdict })
}

/// The same by the rules for prose.
#[inline]
fn judge_in_prose(
    view: &View<'_>,
    [start, end]: [usize; 2],
    name: &[u8],
    ending: Domain<'_>,
    seen: Seen,
) -> Result<Verdict, Incomplete> {
    if ending.kinds & BELIEVED != 0 {
        // Below these only what cannot be registered is doubted, `build_zip.com`, and files that
        // everybody knows, `command.com`.
        return Ok(if seen.has(Seen::UNDERSCORE) && last_label(name).contains(&b'_') {
            Verdict::Name
        } else if !seen.has(Seen::DOT)
            && (is_framework(name, ending.label, seen)
                || is_own_member(name, ending.label)
                || WHOLE_NAMES.kinds(whole_word(name, ending)) & KNOWN != 0)
        {
            Verdict::Doubted
        } else if code_context::is_in_path_or_import(view, start, end)? {
            Verdict::Name
        } else {
            Verdict::Host
        });
    }
    Ok(match judge_name(name, ending, seen) {
        None => Verdict::Host,
        Some(Verdict::Host) if code_context::is_beside_code(view, start, end, ending.kinds)? => {
            Verdict::Doubted
        }
        Some(verdict) => verdict,
    })
}

/// Whether what follows a doubted host is no path of it but another name: of the same file with
/// another ending (`hb-ot-face.cc/hh`, `a.cc/.h`), of another file with this one (`main.cf/master.cf`),
/// of the same object (`fetch.jobs/fetch.depth`), of a function in the file (`test-lib.sh/run()`).
pub(crate) fn is_other_name(host: &[u8], tail: &[u8]) -> bool {
    let Some(name) = tail.strip_prefix(b"/") else { return false };
    let first = host.split(|&b| b == b'.').next().unwrap_or_default();
    let of_first = name.strip_prefix(first);
    let last = last_label(host);
    let is_alone = first.len() + last.len() + 1 == host.len();
    let ending = name.strip_prefix(b".").unwrap_or(name);
    SOURCE_ENDINGS.kinds(word(ending)) & SOURCE != 0
        || name.ends_with(b"()")
        // `Editor.app/Contents/MacOS`: what a bundle holds.
        || last.eq_ignore_ascii_case(b"app") && name.starts_with(b"Contents")
        || of_first.is_some_and(|rest| rest.len() > 1 && rest[0] == b'.')
        || is_alone
            && Domain::of(last).kinds & (FILE | DOUBT) != 0
            // `example.sh/install.sh` is fetched and run.
            && !last.eq_ignore_ascii_case(b"sh")
            && !name.contains(&b'/')
            && last_label(name).eq_ignore_ascii_case(last)
}

/// `ASP.NET`, `Json.NET`: what is built on Microsoft's framework, by the way it is written.
fn is_framework(name: &[u8], ending: &[u8], seen: Seen) -> bool {
    ending == b"NET" && (seen.has(Seen::LOWER) || matches!(name, b"ADO" | b"ASP" | b"ML" | b"VB"))
}

/// `this.org`, `self.net`: of the object itself; `self.com` is a host.
fn is_own_member(name: &[u8], ending: &[u8]) -> bool {
    let is_own = [&b"self"[..], b"this", b"cls"].contains(&name);
    is_own && !ending.eq_ignore_ascii_case(b"com")
}

/// Whether a name of two labels is written as a function of a module is: `Set.top`.
pub(crate) fn may_be_function(first: &[u8], ending: &[u8]) -> bool {
    first.first().is_some_and(u8::is_ascii_uppercase)
        && ending.iter().all(u8::is_ascii_lowercase)
        && Domain::of(ending).kinds & BELIEVED == 0
}

/// Whether a name of three labels or more is called by the last of them, as of two any is: `a.log.info(x)`.
pub(crate) fn may_be_method(ending: &[u8]) -> bool {
    let kinds = Domain::of(ending).kinds;
    kinds & WEAK != 0 || kinds & BELIEVED == 0 && ending.len() > 2
}

/// Whether what follows a doubted host is the arity of a function or a divisor, and in code whatever a path
/// does not begin with.
pub(crate) fn is_no_path(view: &View<'_>, tail: &[u8]) -> bool {
    match tail {
        // `entry.dev?.name`
        [b'?', b'.', ..] => true,
        [b'/', first, name @ ..]
            if first.is_ascii_digit() && name.iter().all(u8::is_ascii_digit) =>
        {
            true
        }
        [b'/'] => view.manner == Manner::Code,
        [b'/', b, ..] => view.manner == Manner::Code && !b.is_ascii_alphanumeric() && *b != b'_',
        _ => view.manner == Manner::Code,
    }
}

/// [`judge`] for the name alone; `None` if it is a host wherever it is.
fn judge_name(name: &[u8], ending: Domain<'_>, seen: Seen) -> Option<Verdict> {
    let is_alone = !seen.has(Seen::DOT);
    let (first, last) = match is_alone {
        true => (name, name),
        false => (name.split(|&b| b == b'.').next().unwrap_or_default(), last_label(name)),
    };
    // A label in two scripts, or written with references, is none of code.
    if ending.kinds & BELIEVED != 0
        || first.eq_ignore_ascii_case(b"www")
        || ending.kinds == 0 && !ending.label.iter().all(u8::is_ascii_alphabetic)
        || seen.has(Seen::AMPERSAND)
    {
        return None;
    }
    let whole = match is_alone {
        true => WHOLE_NAMES.kinds(whole_word(first, ending)),
        false => 0,
    };
    if whole & HOST != 0 {
        return None;
    }
    let Domain { label: ending, kinds, .. } = ending;
    let host = Host { name, first, last, ending, kinds, seen, is_alone };
    Some(if whole & KNOWN != 0 || host.is_no_host() {
        Verdict::Name
    } else if host.is_file() || host.is_member() || host.is_written_as_code() {
        Verdict::Doubted
    } else {
        Verdict::Host
    })
}

/// What bytes are among those of a name: one look at each of them answers all that is asked.
#[derive(Clone, Copy)]
struct Seen(u8);

impl Seen {
    const DOT: u8 = 1;
    const UNDERSCORE: u8 = 2;
    const AMPERSAND: u8 = 4;
    const UPPER: u8 = 8;
    const LOWER: u8 = 16;

    const BYTES: [u8; 256] = {
        let mut bytes = [0; 256];
        let mut byte = 0;
        while byte < 128 {
            bytes[byte] = match byte as u8 {
                b'.' => Seen::DOT,
                b'_' => Seen::UNDERSCORE,
                b'&' => Seen::AMPERSAND,
                b'A'..=b'Z' => Seen::UPPER,
                b'a'..=b'z' => Seen::LOWER,
                _ => 0,
            };
            byte += 1;
        }
        bytes
    };

    #[inline]
    fn in_name(name: &[u8]) -> Seen {
        static BYTES: [u8; 256] = Seen::BYTES;
        Seen(name.iter().fold(0, |seen, &b| seen | BYTES[usize::from(b)]))
    }

    #[inline]
    fn has(self, byte: u8) -> bool {
        self.0 & byte != 0
    }
}

/// The second label of a name.
fn name_after_first(name: &[u8]) -> &[u8] {
    name.split(|&b| b == b'.').nth(1).unwrap_or_default()
}

/// What is after the last dot of a name.
fn last_label(name: &[u8]) -> &[u8] {
    &name[name.iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1)..]
}

/// The top-level domain.
#[derive(Clone, Copy)]
struct Domain<'h> {
    label: &'h [u8],
    word: u128,
    /// What it is known as: if it is at all, it is made of letters.
    kinds: Kinds,
}

impl<'h> Domain<'h> {
    #[inline]
    fn of(label: &'h [u8]) -> Domain<'h> {
        let word = word(label);
        Domain { label, word, kinds: ENDINGS.kinds(word) }
    }
}

/// `first.ending` as a word.
fn whole_word(first: &[u8], ending: Domain<'_>) -> u128 {
    let (first, dot) = (word(first), u128::from(b'.'));
    match 8 * ending.label.len() as u32 {
        // Longer than any name on the list.
        bits if bits + 8 > first.leading_zeros() => 0,
        bits => (first << 8 | dot) << bits | ending.word,
    }
}

/// A host without a scheme, taken apart.
struct Host<'h> {
    /// All before the last dot.
    name: &'h [u8],
    /// The first label of it.
    first: &'h [u8],
    /// The last label of it.
    last: &'h [u8],
    /// The top-level domain.
    ending: &'h [u8],
    /// What the domain is known as.
    kinds: Kinds,
    /// What is in the name.
    seen: Seen,
    /// There is but one label before the domain.
    is_alone: bool,
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
    fn is_no_host(&self) -> bool {
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
    fn is_file(&self) -> bool {
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
            || self.is(ONLY_FILE) && last & SECOND_LEVEL == 0
            // `mkoctfile.in.cc`
            || self.is(FILE) && self.last.eq_ignore_ascii_case(b"in")
            || self.is(WEAK) && has_version(self.name)
            || self.has_ending(b"so")
                && (self.first.starts_with(b"lib") || self.first.starts_with(b"ld-"))
    }

    /// A member by the object or the module in front.
    fn is_member(&self) -> bool {
        // `test2.cat` is a test's.
        let digits = self.first.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let first = match FIRST_LABELS.kinds(word(self.first)) {
            0 if self.is_alone => {
                let name = &self.first[..self.first.len() - digits];
                let kinds = FIRST_LABELS.kinds(word(name)) & (OBJECT | CODE);
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
            || first & PLACE != 0
                && (self.is(WORD) || self.is(DOUBT) && is_long || self.has_ending(b"in"))
            || !self.is_alone && (first & REVERSE != 0 || first & REVERSE_LONG != 0 && is_long)
    }

    /// By the way it is written.
    fn is_written_as_code(&self) -> bool {
        let Host { name, first, ending, seen, is_alone, .. } = *self;
        let is_underscored = self.is(WORD | FILE) && seen.has(Seen::UNDERSCORE);
        if is_underscored || !is_alone && (self.is_placeholder() || self.is_of_words()) {
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
                // `Roboto-Regular.default.CA`
                true => {
                    let is_upper = |label: &[u8]| label.iter().all(u8::is_ascii_uppercase);
                    !has_upper_name
                        || seen.has(Seen::LOWER)
                            && (is_alone
                                || self.is(WEAK) && !name.split(|&b| b == b'.').any(is_upper))
                }
                false => is_alone || name.split(|&b| b == b'.').all(|label| label.len() == 1),
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

    /// `man.base.url.for.relative.link`: four words or more in front of another.
    fn is_of_words(&self) -> bool {
        let is_word = |b: &u8| b.is_ascii_alphabetic() || *b == b'.';
        self.is(WEAK)
            && self.ending.len() > 2
            && self.name.iter().filter(|&&b| b == b'.').count() >= 3
            && self.name.iter().all(is_word)
    }

    /// `192.168.2.XXX`, `2.0.dev`, `yy.mm.dd.hh.mm.ss`, of two labels or more before the domain.
    fn is_placeholder(&self) -> bool {
        let mut labels = self.name.split(|&b| b == b'.');
        let is_number = |label: &[u8]| label.iter().all(u8::is_ascii_digit);
        let is_numbered =
            labels.next().is_some_and(is_number) && labels.next().is_some_and(is_number);
        let is_pair = |label: &[u8]| label.len() == 2 && label.iter().all(u8::is_ascii_alphabetic);
        // `192.0.2.7.dip.example.de`: what providers call the hosts of their customers.
        let count = self.name.split(|&b| b == b'.').take_while(|label| is_number(label)).count();
        let is_host = count >= 4 && self.name.iter().filter(|&&b| b == b'.').count() >= count;
        is_numbered && !is_host
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_file(host: &str) -> bool {
        let (name, ending) = host.rsplit_once('.').unwrap_or((host, ""));
        let seen = Seen::in_name(name.as_bytes());
        let verdict = judge_name(name.as_bytes(), Domain::of(ending.as_bytes()), seen);
        !matches!(verdict, None | Some(Verdict::Host))
    }

    #[test]
    fn files() {
        for host in [
            "main.RS",
            "Makefile.AM",
            "log4j.properties",
            "configure.in",
            "config.h.in",
            "MANIFEST.in",
            "libc-2.12.so",
            "python3.11.info",
            "vmlinux.lds",
            "id_rsa.pub",
        ] {
            assert!(is_file(host), "{host}");
        }
        for host in ["www.rs", "www.example.rs", "example.in", "get.example.sh", "example.info"] {
            assert!(!is_file(host), "{host}");
        }
    }

    #[test]
    fn members() {
        for host in [
            "os.name",
            "threading.Thread.run",
            "collections.abc",
            "Color.RED",
            "i.MX",
            "re.Match.re",
            "self.it",
            "drm_device.dev",
            "q.id",
            "s.dev",
        ] {
            assert!(is_file(host), "{host}");
        }
        for host in [
            "self.com",
            "LWN.net",
            "EXAMPLE.DE",
            "SAP.de",
            "example.group",
            "api.example.host",
            "RapidIO.org",
            "BBC.CO.UK",
            "CXL.io",
            "OpenRISC.io",
            "t.me",
            "example.dev",
            "crates.io",
            "bbc.co.uk",
            "a_b.com",
            "example.construction",
            "example.xn--p1ai",
        ] {
            assert!(!is_file(host), "{host}");
        }
    }
}

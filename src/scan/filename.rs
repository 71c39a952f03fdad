//! Names that only look like hosts: of files (`main.rs`, `libc-2.12.so`), and of members in code
//! (`os.name`, `threading.Thread.run`, `Color.RED`, `PSTATE.ZA`).
//!
//! Comes in: a host without a scheme whose last label is a top-level domain, as it is written. Goes
//! out: whether it is rather such a name. What speaks is the ending, the words in front of it, the
//! way they are written, and what is beside it; the words are in `lexicon`, the surroundings in
//! `code_context`, `line` and `sibling`, the rest in `shape`. Which count was settled by reading what
//! was found in documentation, manual pages and changelogs: without the rules four bare hosts in five
//! were none. `com`, `org`, `net` and
//! their like never are refused, nor is what begins with `www.`; a label with an underscore in front of
//! them is, since nobody can register it.

mod code;
mod code_context;
mod folder;
mod lexicon;
mod line;
mod shape;
mod sibling;

pub(crate) use folder::is_surely_before as is_surely_folder;

use super::Manner;
use super::view::{Incomplete, View};
use lexicon::*;
use shape::{Host, is_module};

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
    if view.text[..start].ends_with(b"\\") && folder::is_before(&view.text[..start]) {
        return Ok(Verdict::Name);
    }
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
                || !ending.label.eq_ignore_ascii_case(b"com")
                    && code_context::is_member_by_marks(view, start, end)?
                || WHOLE_NAMES.kinds(whole_word(name, ending)) & KNOWN != 0)
            || seen.has(Seen::DOT) && is_capitalized(ending.label) && is_module(name)
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

/// `Org`, `Net`, but not `Com`, which people write with a capital too.
fn is_capitalized(ending: &[u8]) -> bool {
    ending[0].is_ascii_uppercase()
        && ending[1..].iter().all(u8::is_ascii_lowercase)
        && ending != b"Com"
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
        // `entry.dev?.name`, `entry.dev?$$`
        [b'?', b, ..] if !b.is_ascii_alphanumeric() && !matches!(b, b'_' | b'%' | 0x80..) => true,
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

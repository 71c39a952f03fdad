//! Classifies names that only look like hosts: names of files (`main.rs`, `libc-2.12.so`), and of members in code
//! (`os.name`, `threading.Thread.run`, `Color.RED`, `PSTATE.ZA`).
//!
//! The input is a host without a scheme, as it is written, whose last label is a top-level domain. The result is whether it
//! is rather such a name, and by which rule. The rules are rows of tables (`row`). First the facts of the labels are
//! collected (`facts`, with the word lists of `lexicon`), then the text next to the name is compared for the rows that
//! still can match (`row`), and last come the checks that take longer (`predicate`, `line`, `sibling`). The rules
//! were chosen by reading results from documentation, manual pages and changelogs: without the rules four bare hosts in
//! five were not hosts. Names below `com`, `org`, `net` and similar domains are never rejected, nor are names that begin
//! with `www.`; but a label with an underscore before the domain is rejected, since nobody can register it.

mod asker;
mod facts;
mod kubernetes;
mod lexicon;
mod line;
mod predicate;
mod row;
mod sibling;
#[cfg(test)]
mod tests;

use asker::Asker;
use lexicon::{BELIEVED, DOUBT, ENDINGS, FILE, SOURCE, SOURCE_ENDINGS, WEAK, word};
pub(crate) use row::{Rule, Verdict};
pub(crate) use sibling::is_surely_folder_before as is_surely_folder;

use super::TextKind;
use super::view::{Incomplete, View};

/// A path on another machine follows an address.
pub(crate) const REMOTE_PATH: Rule = row::REMOTE_PATH;

/// Number of bytes before a name that are examined. They may be on earlier lines, as those of `line-after-source` are; no
/// other rule of the scan reads a line that its candidate is not on.
pub(crate) const MAX_BEFORE: usize = 32;

/// Offsets of a host without a scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BareHost {
    pub(crate) start: usize,
    /// Offset of its last dot.
    pub(crate) dot: usize,
    /// Offset of its last label.
    pub(crate) label: usize,
    pub(crate) end: usize,
}

/// Verdict on a host without a scheme, with the rule that rejects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    pub(crate) rule: Option<Rule>,
}

/// Decides whether the host is rather the name of a file or a member.
#[inline]
pub(crate) fn judge(view: &View<'_>, host: BareHost) -> Result<Judgement, Incomplete> {
    if view.text_kind == TextKind::Yaml && kubernetes::is_name(view, host)? {
        return Ok(Judgement { verdict: Verdict::Name, rule: None });
    }
    let asker = &mut Asker::new(view, host);
    let found = match refused(asker)? {
        Some((Verdict::Host, _)) | None if view.text_kind.is_code() => in_code(asker)?,
        Some((Verdict::Doubted, rule)) => match row::NAMED.first(asker)? {
            Some(_) => None,
            None => Some((Verdict::Doubted, rule)),
        },
        found => found,
    };
    Ok(match found {
        None | Some((Verdict::Host, _)) => Judgement { verdict: Verdict::Host, rule: None },
        Some((verdict, rule)) => Judgement { verdict, rule: Some(rule) },
    })
}

/// Returns `true` if a row may reject a name of two labels or more, without underscores, below a domain in lower-case letters
/// below which names are never those of files. `beside` are the bytes around it: the one directly before it, the one before
/// that, the one directly after it, the one after that.
#[inline]
pub(crate) fn may_be_rejected(beside: [u8; 4]) -> bool {
    row::BELIEVED_BY_TEXT & row::AROUND_BELIEVED.between(beside) != 0
}

/// Returns `true` if names below a domain are never those of files.
#[cfg(test)]
pub(super) fn is_never_file(ending: &[u8]) -> bool {
    kinds_of(ending) & BELIEVED != 0
}

type Refusal = Option<(Verdict, Rule)>;

/// Returns the first row that matches in prose.
#[inline]
fn refused(asker: &mut Asker<'_, '_>) -> Result<Refusal, Incomplete> {
    if matches!(asker.in_front()[1], b'\\' | b':')
        && let Some(found) = row::FOLDER.first(asker)?
    {
        return Ok(Some(found));
    }
    let facts = asker.name.facts;
    if facts & facts::BELIEVED != 0 {
        if facts & facts::MANY != 0 && facts & (facts::UNDERSCORE | facts::ENDING_TITLE) != 0 {
            asker.name.facts |= asker.name.of_labels();
        }
        return row::BELIEVED.first(asker);
    }
    if let Some(found) = row::WHOLE.first(asker)? {
        return Ok(Some(found));
    }
    asker.name.facts |= asker.name.of_labels();
    if let Some(found) = row::LABELS.first(asker)? {
        return Ok(Some(found));
    }
    asker.name.facts |= asker.of_bytes_in_front();
    match row::BESIDE.first(asker)? {
        None if facts & facts::WEAK != 0 => row::DOUBTFUL.first(asker),
        found => Ok(found),
    }
}

/// Returns the first row that matches in source code, for a name that would be a host in prose.
fn in_code(asker: &mut Asker<'_, '_>) -> Result<Refusal, Incomplete> {
    asker.name.facts |= asker.name.of_first();
    row::IN_CODE.first(asker)
}

/// Returns `true` if the text after a doubted host is not a path but another name: of the same file with another extension
/// (`hb-ot-face.cc/hh`, `a.cc/.h`), of another file with the same extension (`main.cf/master.cf`), of the same object
/// (`fetch.jobs/fetch.depth`), of a function in the file (`test-lib.sh/run()`).
pub(crate) fn is_other_name(host: &[u8], tail: &[u8]) -> bool {
    let Some(name) = tail.strip_prefix(b"/") else { return false };
    let first = first_label(host);
    let of_first = name.strip_prefix(first);
    let last = last_label(host);
    let is_alone = first.len() + last.len() + 1 == host.len();
    let ending = name.strip_prefix(b".").unwrap_or(name);
    SOURCE_ENDINGS.kinds(word(ending)) & SOURCE != 0
        || name.ends_with(b"()")
        // `Editor.app/Contents/MacOS`: the contents of a bundle.
        || last.eq_ignore_ascii_case(b"app") && name.starts_with(b"Contents")
        || of_first.is_some_and(|rest| rest.len() > 1 && rest[0] == b'.')
        || is_alone
            && kinds_of(last) & (FILE | DOUBT) != 0
            // `example.sh/install.sh` is a script that is downloaded and run.
            && !last.eq_ignore_ascii_case(b"sh")
            && !name.contains(&b'/')
            && last_label(name).eq_ignore_ascii_case(last)
}

/// Returns `true` if a name of two labels is written like a function of a module: `Set.top`.
pub(crate) fn may_be_function(first: &[u8], ending: &[u8]) -> bool {
    first.first().is_some_and(u8::is_ascii_uppercase)
        && ending.iter().all(u8::is_ascii_lowercase)
        && kinds_of(ending) & BELIEVED == 0
}

/// Returns `true` if the last label of a name with three labels or more may be the name of a method: `a.log.info(x)`. In a
/// name of two labels any label may be.
pub(crate) fn may_be_method(ending: &[u8]) -> bool {
    let kinds = kinds_of(ending);
    kinds & WEAK != 0 || kinds & BELIEVED == 0 && ending.len() > 2
}

/// Returns `true` if the text after a doubted host is the arity of a function or a divisor, or, in code, is anything that
/// does not begin a path.
pub(crate) fn is_no_path(view: &View<'_>, tail: &[u8]) -> bool {
    match tail {
        [b'/', first, name @ ..]
            if first.is_ascii_digit() && name.iter().all(u8::is_ascii_digit) =>
        {
            true
        }
        [b'/'] => view.text_kind.is_code(),
        [b'/', b, ..] => view.text_kind.is_code() && !b.is_ascii_alphanumeric() && *b != b'_',
        _ => view.text_kind.is_code(),
    }
}

/// Returns the kinds that a top-level domain is listed under.
fn kinds_of(ending: &[u8]) -> lexicon::LexiconKinds {
    ENDINGS.kinds(word(ending))
}

/// Returns the label before the first dot of a name.
fn first_label(name: &[u8]) -> &[u8] {
    name.split(|&b| b == b'.').next().unwrap_or_default()
}

/// Returns the label after the last dot of a name.
fn last_label(name: &[u8]) -> &[u8] {
    &name[name.iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1)..]
}

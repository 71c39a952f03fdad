//! The lines around a link, read again from its file.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use linksift::Charset;

/// Bytes before and after a link that are looked at for each line that is shown.
const REACH: usize = 4096;
/// Characters of a line that are shown on either side of the link.
const SHOWN: usize = 200;

/// The text around a link: lines before it, its line on both sides of it, lines after it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) before: Vec<String>,
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) after: Vec<String>,
}

thread_local! {
    /// The file that the last link was in: its next one is near.
    static LAST: RefCell<Option<(PathBuf, File)>> = const { RefCell::new(None) };
}

/// So many lines around the bytes of a link in a file of this charset.
///
/// # Errors
///
/// What opening and reading the file fails with.
pub(crate) fn around(
    path: &Path,
    link: Range<usize>,
    charset: Charset,
    count: usize,
) -> io::Result<Around> {
    let reach = REACH * (count + 1);
    // Two bytes make a character in UTF-16.
    let start = link.start.saturating_sub(reach + reach % 2);
    let (start, head) = match charset.name().starts_with("utf-16") {
        true => (start + (link.start - start) % 2, start),
        false => (start, start),
    };
    let bytes = LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(known, _)| known != path) {
            *last = Some((path.to_owned(), File::open(path)?));
        }
        let Some((_, file)) = last else { return Ok(Vec::new()) };
        file.seek(SeekFrom::Start(start as u64))?;
        let mut bytes = Vec::new();
        file.take((link.end - start + reach) as u64).read_to_end(&mut bytes)?;
        Ok::<_, io::Error>(bytes)
    })?;
    let left = bytes.get(..link.start - start).unwrap_or_default();
    let right = bytes.get(link.end - start..).unwrap_or_default();
    Ok(split(&charset.decode(left), &charset.decode(right), count, head > 0))
}

fn split(left: &str, right: &str, count: usize, is_cut: bool) -> Around {
    let mut lines: Vec<_> = left.split('\n').map(line).collect();
    let own = lines.pop().unwrap_or_default();
    // What the reach cuts is no line.
    if is_cut && !lines.is_empty() {
        lines.remove(0);
    }
    let before = lines.split_off(lines.len().saturating_sub(count));
    let mut rest = right.split('\n').map(line);
    let behind = rest.next().unwrap_or_default();
    let mut after: Vec<_> = rest.take(count).map(|line| shortened(line, Side::Start)).collect();
    // The last line end opens no line.
    if after.len() < count + 1 && after.last().is_some_and(String::is_empty) {
        after.pop();
    }
    Around {
        before: before.into_iter().map(|line| shortened(line, Side::Start)).collect(),
        left: shortened(own, Side::End),
        right: shortened(behind, Side::Start),
        after,
    }
}

fn line(text: &str) -> &str {
    text.strip_suffix('\r').unwrap_or(text)
}

/// Which side of a line is kept.
#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

fn shortened(text: &str, side: Side) -> String {
    let count = text.chars().count();
    match (count.checked_sub(SHOWN), side) {
        (None | Some(0), _) => text.to_owned(),
        (Some(_), Side::Start) => text.chars().take(SHOWN).chain(['…']).collect(),
        (Some(over), Side::End) => ['…'].into_iter().chain(text.chars().skip(over)).collect(),
    }
}

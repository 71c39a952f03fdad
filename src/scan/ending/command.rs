//! Ends links in a shell command at the bar of a pipe: `curl https://example.org/i.sh|bash`.

use super::before::LineBefore;
use crate::scan::view::{Incomplete, View};

/// Commands that fetch a link.
const FETCHERS: [&[u8]; 8] =
    [b"curl", b"wget", b"fetch", b"iwr", b"irm", b"aria2c", b"lynx", b"w3m"];
/// Commands that read what was fetched.
const READERS: &str = "awk base64 bash bsdtar bunzip2 bzip2 cat column cpio cut dash deno docker dpkg env findstr fish git \
    go gpg grep gunzip gzip head iex jq kubectl ksh less md5sum more mysql nc node openssl patch perl \
    php powershell psql pv pwsh python ruby sed sh sha1sum sha256sum sha512sum sort sqlite3 sudo tail \
    tar tee tr uniq unxz unzip wc xargs xmllint xz yq zcat zsh zstd";
/// Number of characters of such a command with its directory that are examined: `/usr/local/bin/python3`.
const MAX_COMMAND: usize = 32;

/// Returns `true` if a command reads what the command before the link fetches; the bar between them ends at `after`.
#[cold]
pub(super) fn is_piped(view: &View<'_>, start: usize, after: usize) -> Result<bool, Incomplete> {
    if !is_fetched(view, start)? {
        return Ok(false);
    }
    // `|&`
    let at = after + usize::from(view.byte(after)? == Some(b'&'));
    let mut name = String::new();
    for end in at..at + MAX_COMMAND {
        match view.byte(end)? {
            Some(b'/') => name.clear(),
            Some(byte) if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) => {
                name.push(byte.into());
            }
            _ => return Ok(is_reader(&name)),
        }
    }
    Ok(false)
}

/// Returns `true` if a second ampersand and a letter are at `after`, with which the command after the one that fetches the link
/// begins: `curl https://example.org/a&&tar`.
pub(super) fn is_followed(view: &View<'_>, start: usize, after: usize) -> Result<bool, Incomplete> {
    Ok(view.byte(after)? == Some(b'&')
        && view.byte(after + 1)?.is_some_and(|byte| byte.is_ascii_alphabetic())
        && is_fetched(view, start)?)
}

/// Returns `true` if a command that fetches is before the link on its line.
fn is_fetched(view: &View<'_>, start: usize) -> Result<bool, Incomplete> {
    let line = LineBefore::of(view, start)?;
    Ok(FETCHERS.iter().any(|name| has_word(line.bytes(), name)))
}

/// Returns `true` for the name of a command, which may have a version: `python3.11`.
fn is_reader(name: &str) -> bool {
    let name = without_version(name);
    !name.is_empty() && READERS.split_ascii_whitespace().any(|one| without_version(one) == name)
}

fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// Returns `true` if a text has the name of a command before a blank.
fn has_word(text: &[u8], name: &[u8]) -> bool {
    memchr::memmem::find_iter(text, name).any(|at| {
        let is_begun = !text[..at].last().is_some_and(u8::is_ascii_alphanumeric);
        is_begun && text.get(at + name.len()) == Some(&b' ')
    })
}

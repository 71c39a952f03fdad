//! Placeholders in an authority, which a program fills in: `https://api.%s.example.com/`,
//! `https://me:${{ secrets.T }}@example.com/`.

use crate::scan::host::{self, FullStops, HostSet, Run};
use crate::scan::view::{Incomplete, View, is_gap};

/// Maximum number of bytes of a placeholder, and of the digits in one.
const MAX_PLACEHOLDER: usize = 64;

/// Returns the end of the host with its placeholders and the rest of the name, if a placeholder after `run` is a part of the host; one
/// after a complete name is rather that of a path: `https://example.com${path}`. `is_name`: the run ends in a known
/// top-level domain, or is an IPv4 address.
pub(super) fn end_of_host(
    view: &View<'_>,
    run: &Run,
    is_name: bool,
) -> Result<Option<usize>, Incomplete> {
    let sign = view.byte(run.run_end)?;
    if !matches!(sign, Some(b'$' | b'%' | b'{')) {
        return Ok(None);
    }
    let Some(mut end) = end(view, run.run_end)? else { return Ok(None) };
    let goes_on = name(view, end)?.end > end;
    let is_part = run.labels == 0
        || run.run_end > run.end
        || !is_name && (sign != Some(b'{') || goes_on)
        || run.labels == 1 && goes_on;
    if !is_part {
        return Ok(None);
    }
    while end - run.run_end < host::MAX_HOST {
        let rest = name(view, end)?;
        match self::end(view, rest.run_end)? {
            Some(after) => end = after,
            None => {
                end = rest.end;
                break;
            }
        }
    }
    if view.byte(end)? == Some(b':')
        && let Some(port) = self::end(view, end + 1)?
    {
        end = port;
    }
    Ok(Some(end))
}

/// Returns the host characters at `at`.
fn name(view: &View<'_>, at: usize) -> Result<Run, Incomplete> {
    host::read(view, at, usize::MAX, HostSet::Schemed, FullStops::Dots)
}

/// Returns the end of the placeholder at `at`, which has a blank or angle brackets: `{{ name }}`, `${{ name }}`, `$(name x)`,
/// `<name>`. One without them has the characters of user information.
pub(super) fn in_userinfo(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let is_bracket = match view.byte(at)? {
        Some(b'{') => true,
        // Elsewhere it is a tag behind the host: `https://example.com:80<br>me@example.com`.
        Some(b'<') => matches!(view.text[..at].last(), Some(b'/' | b':' | b'@')),
        Some(b'(') => view.text[..at].ends_with(b"$"),
        _ => false,
    };
    if !is_bracket {
        return Ok(None);
    }
    let end = brackets(view, at)?;
    Ok(end.filter(|&end| view.text[at] == b'<' || view.text[at..end].contains(&b' ')))
}

/// Returns the end of the placeholder at `at`: `$NAME`, `${…}`, `$(…)`, `{…}`, `%s`, `%1$s`, `%(name)s`.
fn end(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    match view.byte(at)? {
        Some(b'{') => brackets(view, at),
        Some(b'%') => conversion(view, at + 1),
        Some(b'$') => match view.byte(at + 1)? {
            Some(b'{' | b'(') => brackets(view, at + 1),
            _ => {
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                let end = skip(view, at + 1, is_name)?;
                Ok((end > at + 1).then_some(end))
            }
        },
        _ => Ok(None),
    }
}

/// Returns the end of the conversion of a format, `at` being after its percent sign.
fn conversion(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let named = if view.byte(at)? == Some(b'(') { brackets(view, at)? } else { Some(at) };
    let Some(named) = named else { return Ok(None) };
    let digits = skip(view, named, |byte| byte.is_ascii_digit())?;
    let dollar = digits + usize::from(digits > named && view.byte(digits)? == Some(b'$'));
    let is_letter = view.byte(dollar)?.is_some_and(is_conversion);
    let end = dollar + usize::from(is_letter);
    Ok((is_letter || digits > at && named == at && dollar == digits).then_some(end))
}

/// Returns `true` for the letter of a conversion.
fn is_conversion(byte: u8) -> bool {
    b"sdiuvx".contains(&byte)
}

/// Returns the offset after the bytes from `at` on for which `belongs` returns `true`.
fn skip(view: &View<'_>, at: usize, belongs: impl Fn(u8) -> bool) -> Result<usize, Incomplete> {
    let mut end = at;
    while end - at < MAX_PLACEHOLDER && view.byte(end)?.is_some_and(&belongs) {
        end += 1;
    }
    Ok(end)
}

/// Returns the offset after the bracket that closes the one at `at`, on the same line and without a slash between them.
fn brackets(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let open = view.text[at];
    let close = match open {
        b'{' => b'}',
        b'(' => b')',
        _ => b'>',
    };
    let (mut end, mut depth) = (at, 0);
    while end - at < MAX_PLACEHOLDER {
        let c = view.next(end)?;
        match u8::try_from(c.code) {
            Ok(byte) if byte == open => depth += 1,
            Ok(byte) if byte == close && depth == 1 => return Ok(Some(end + c.len)),
            Ok(byte) if byte == close => depth -= 1,
            Ok(b' ') => {}
            Ok(b'/' | 0..b' ' | 0x7F) => return Ok(None),
            _ if is_gap(c.code) => return Ok(None),
            _ => {}
        }
        end += c.len;
    }
    Ok(None)
}

/// Returns `true` if the first label of the bare host at `start` is the end of a conversion: `%s.example.com`, `%1$s.example.com`,
/// `%(name)s.example.com`.
pub(crate) fn is_in_conversion(text: &[u8], start: usize) -> bool {
    let [letter, b'.', ..] = text[start..] else { return false };
    match text[..start] {
        [.., b'%'] => is_conversion(letter) || letter.is_ascii_digit(),
        [.., b'%', b'0'..=b'9', b'$'] => is_conversion(letter),
        [ref front @ .., b')'] => {
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            let len = front.iter().rev().take(MAX_PLACEHOLDER).take_while(is_name).count();
            is_conversion(letter) && len > 0 && front[..front.len() - len].ends_with(b"%(")
        }
        _ => false,
    }
}

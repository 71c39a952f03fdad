//! Wikitext: a bar ends a link in a template, `{{cite|url=http://w.example/a|title=x}}`, since it ends the
//! parameter that the link is in; so it does in `[[File:a.png|link=http://w.example/a|x]]`.

use super::super::view::{EDGE, Incomplete, View};

/// Characters before the link that are looked at; no more are available where windows are decoded.
const MAX_BEFORE: usize = 32;

/// Progress of a look back over `| name = ` before a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameter {
    /// Blanks.
    Value,
    /// The sign and blanks.
    Sign,
    /// Some of the name.
    Name,
    /// Something else.
    None,
}

/// Whether what is before the link that begins at `start`, on its line, is the name of a parameter, or opens a
/// template of which a parameter has begun.
#[cold]
pub(super) fn is_in_parameter(view: &View<'_>, start: usize) -> Result<bool, Incomplete> {
    let (mut at, mut last) = (start, '\0');
    let (mut parameter, mut closed, mut has_bar) = (Parameter::Value, 0_usize, false);
    let mut is_one = false;
    for _ in 0..MAX_BEFORE {
        let c = view.prev(at, 0);
        let mark = match c.code {
            EDGE => break,
            code => char::from_u32(code).unwrap_or('\0'),
        };
        if matches!(mark, '\n' | '\r') {
            break;
        }
        at -= c.len;
        is_one = match (mark, last) {
            ('|', _) => {
                has_bar = true;
                parameter == Parameter::Name
            }
            ('{', '{') if closed == 0 => has_bar,
            _ => false,
        };
        if is_one {
            break;
        }
        let is_pair = matches!(mark, '{' | '}') && mark == last;
        closed = match mark {
            '}' if is_pair => closed + 1,
            '{' if is_pair => closed.saturating_sub(1),
            _ => closed,
        };
        parameter = match (parameter, mark) {
            (Parameter::Value | Parameter::Sign, ' ') => parameter,
            (Parameter::Value, '=') => Parameter::Sign,
            (
                Parameter::Sign | Parameter::Name,
                '=' | '{' | '}' | '[' | ']' | '<' | '>' | '"' | '\'',
            ) => Parameter::None,
            (Parameter::Sign, '|') => Parameter::None,
            (Parameter::Sign | Parameter::Name, _) => Parameter::Name,
            _ => Parameter::None,
        };
        last = if is_pair { '\0' } else { mark };
    }
    match view.is_ascii_back(at, start) {
        true => Ok(is_one),
        // Bytes of a legacy charset: what looks like a bar may be half a character.
        false => Err(Incomplete),
    }
}

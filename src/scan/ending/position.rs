//! Ends links at the line and the column of a script: `https://example.org/app.js:10:22`.

use memchr::memmem;

use super::{Component, Ending};
use crate::scan::view::{Incomplete, View, is_gap};

/// Extensions of scripts and pages, after which a line may stand without a column.
const SCRIPTS: &str = " cjs css htm html js jsx mjs php py rb scss svelte ts tsx vue ";
/// Extensions of other sources, after which a line and a column may stand.
const SOURCES: &str = " c cc cpp cs dart go h hpp java kt lua m rs scala swift wasm ";
/// Maximum number of digits of a line or a column.
const MAX_DIGITS: usize = 9;
/// Maximum number of characters of an extension.
const MAX_EXTENSION: usize = 6;

impl Ending {
    /// Returns `true` if the number of a line begins at `after`, after a colon, perhaps with that of a column, and the link would end
    /// after it.
    pub(super) fn is_position(&self, view: &View<'_>, after: usize) -> Result<bool, Incomplete> {
        let is_path = self.component == Component::Path || self.component == Component::Query;
        if !is_path || self.first != Component::None || after - self.at > 1 {
            return Ok(false);
        }
        let line = after_digits(view, after)?;
        if line == after {
            return Ok(false);
        }
        let column = match view.byte(line)? {
            Some(b':') => after_digits(view, line + 1)?,
            _ => line,
        };
        let has_column = column > line + 1;
        let has_query = self.has_query();
        let path = if has_query { self.opened[0] } else { self.at };
        let Some(extension) = extension(&view.text[self.origin..path]) else { return Ok(false) };
        let is_in = |list: &str| list.split(' ').any(|one| one.as_bytes() == extension);
        let is_fit = match (has_column, has_query) {
            (true, false) => is_in(SCRIPTS) || is_in(SOURCES),
            (true, true) => is_in(SCRIPTS),
            // `"https://example.com/a.php:5"` is a value.
            (false, false) => !self.is_quoted() && is_in(SCRIPTS),
            (false, true) => false,
        };
        // `/web/2010/http://www.example.com.py:80`
        let has_inner = || memmem::find(&view.text[self.origin..self.at], b"://").is_some();
        if !is_fit || has_inner() {
            return Ok(false);
        }
        is_over(view, if has_column { column } else { line })
    }
}

fn after_digits(view: &View<'_>, at: usize) -> Result<usize, Incomplete> {
    let mut end = at;
    while end - at < MAX_DIGITS && view.byte(end)?.is_some_and(|byte| byte.is_ascii_digit()) {
        end += 1;
    }
    Ok(end)
}

/// Returns the extension of the name at the end of a path.
fn extension(path: &[u8]) -> Option<&[u8]> {
    let len =
        path.iter().rev().take(MAX_EXTENSION).take_while(|b| b.is_ascii_alphanumeric()).count();
    let (name, extension) = path.split_at(path.len() - len);
    let is_name = matches!(name, [.., before, b'.'] if *before != b'/');
    (is_name && extension.first()?.is_ascii_alphabetic()).then_some(extension)
}

/// Returns `true` if no link continues at `at`.
fn is_over(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let c = view.next(at)?;
    Ok(match char::from_u32(c.code) {
        Some(')' | ']' | '}' | '>' | '<' | '"' | '\'' | '`' | ',' | ';' | '\\') => true,
        Some('.' | ':') => is_gap(view.next(at + c.len)?.code),
        _ => is_gap(c.code),
    })
}

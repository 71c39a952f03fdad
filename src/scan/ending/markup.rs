//! Ends links in AsciiDoc, `https://example.org/a[the text]`, at the label, and in templates of wikitext,
//! `{{cite|url=http://w.example/a|title=x}}`, at the bar that ends the parameter. The same applies to
//! `[[File:a.png|link=http://w.example/a|x]]`.

use super::Ending;
use super::before::LineBefore;
use crate::scan::view::{Incomplete, View, is_gap};

/// Progress of a backwards search over `| name = ` before a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameter {
    /// Blanks.
    Value,
    /// The equals sign and blanks.
    Sign,
    /// Part of the name.
    Name,
    /// Something else.
    None,
}

/// Returns `true` if the text on the line before the link, which begins at `start`, is the name of a parameter, or opens a
/// template in which a parameter has begun.
#[cold]
pub(super) fn is_in_parameter(view: &View<'_>, start: usize) -> Result<bool, Incomplete> {
    let mut last = 0;
    let (mut parameter, mut closed, mut has_bar) = (Parameter::Value, 0_usize, false);
    for &mark in LineBefore::of(view, start)?.bytes().iter().rev() {
        let is_one = match (mark, last) {
            (b'|', _) => {
                has_bar = true;
                parameter == Parameter::Name
            }
            (b'{', b'{') if closed == 0 => has_bar,
            _ => false,
        };
        if is_one {
            return Ok(true);
        }
        let is_pair = matches!(mark, b'{' | b'}') && mark == last;
        closed = match mark {
            b'}' if is_pair => closed + 1,
            b'{' if is_pair => closed.saturating_sub(1),
            _ => closed,
        };
        parameter = match (parameter, mark) {
            (Parameter::Value | Parameter::Sign, b' ') => parameter,
            (Parameter::Value, b'=') => Parameter::Sign,
            (
                Parameter::Sign | Parameter::Name,
                b'=' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'"' | b'\'',
            ) => Parameter::None,
            (Parameter::Sign, b'|') => Parameter::None,
            (Parameter::Sign | Parameter::Name, _) => Parameter::Name,
            _ => Parameter::None,
        };
        last = if is_pair { 0 } else { mark };
    }
    Ok(false)
}

/// Maximum number of square brackets that are open where the label of a link ends; with more of them the text is not a
/// label. The next candidate reads each bracket again before which a link ends, so the time would be quadratic without a
/// bound.
const MAX_LABELS: u16 = 8;

impl Ending {
    /// Ends the link before a square bracket that is still open at white space or at the end of the text: in AsciiDoc it
    /// begins the label of the link, `https://example.org/a[the text]`. A label with a slash is treated
    /// in the same way at its closing bracket.
    pub(super) fn cut_label(&mut self, code: u32) {
        let (at, depth) = self.pairs.square;
        let is_closed = code == u32::from(']') && self.pairs.brackets.is_empty();
        let is_label = is_closed || is_gap(code);
        if (1..=MAX_LABELS).contains(&depth) && self.limits.prose && is_label {
            self.safe = at;
            self.is_cut = true;
        }
    }

    /// Returns `true` if the last closed square brackets contain the label of the link: they contain a name, and are not in
    /// a query.
    #[inline(never)]
    pub(super) fn is_label(&self, text: &[u8]) -> bool {
        let [start, end] = self.pairs.label;
        let is_letter = |b: &u8| b.is_ascii_alphabetic() || *b >= 0x80;
        !self.has_query() && text[start..end].iter().any(is_letter)
    }
}

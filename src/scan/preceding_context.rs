//! Examines the characters directly before a link that affect where it ends: a quotation mark, an angle bracket, emphasis.

use super::ending::PrecedingContext;
use super::view::{View, is_gap};

/// Maximum number of emphasis characters that count; texts do not have more.
const MAX_EMPHASIS: u16 = 64;

/// Examines the characters before the link that begins at `start`. `has_authority`: the link has a scheme and `//`, so that
/// `<` is enough for the angle form; `<URL:` is enough for all links.
pub(crate) fn directly_before(
    view: &View<'_>,
    start: usize,
    has_authority: bool,
) -> PrecedingContext {
    let mut lead = PrecedingContext::default();
    let c = view.prev(start, 0);
    let Some(mark) = char::from_u32(c.code) else { return lead };
    match mark {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '\n' | '(' => {}
        ' ' => lead.label = is_after_tag(&view.text[..start - 1]),
        '[' => lead.label = true,
        '"' | '\'' | '`' | '|' | '｜' | '\u{201C}' | '\u{201E}' | '\u{2018}' | '\u{201A}'
        | '\u{5F4}' | '«' | '»' | '‹' | '〝' | '﹁' | '﹃' | '＂' | '＇' | '＜' | '≪' =>
        {
            lead.quote = Some(mark);
        }
        '*' | '_' | '~' if c.len == 1 => {
            let before = &view.text[..start];
            let times =
                before.iter().rev().take(MAX_EMPHASIS.into()).take_while(|&&b| b == mark as u8);
            lead.emphasis = Some((mark as u8, times.count() as u16));
        }
        '=' if c.len == 1 => lead.emphasis = equals_signs(view, start),
        '<' => {
            // `\<http://a.com/b\>` is not the angle form.
            lead.after_bracket = view.prev(start - c.len, 0).code != u32::from('\\');
            lead.angle = has_authority && lead.after_bracket;
            lead.label = true;
        }
        ':' if start >= 5 => {
            lead.angle = view.text[start - 5..start].eq_ignore_ascii_case(b"<URL:");
        }
        _ => {}
    }
    lead
}

/// Returns the equals signs of emphasis that end at `start`: of notes (`==http://a.com/b==`), or of code in Org. They follow
/// white space, or nothing; after a name they are those of a value: `url=http://a.com/b=`.
#[inline(never)]
fn equals_signs(view: &View<'_>, start: usize) -> Option<(u8, u16)> {
    let before = &view.text[..start];
    let times = before.iter().rev().take(MAX_EMPHASIS.into()).take_while(|&&b| b == b'=').count();
    is_gap(view.prev(start - times, 0).code).then_some((b'=', times as u16))
}

/// Returns `true` after `{@link` or `{@linkplain`, tags in the comments of Java and JavaScript.
#[inline]
fn is_after_tag(before: &[u8]) -> bool {
    matches!(before.last(), Some(b'k' | b'n'))
        && (before.ends_with(b"{@link") || before.ends_with(b"{@linkplain"))
}

impl PrecedingContext {
    /// Returns `true` if a host may end before this character because the same character precedes the link: ``
    /// `http://localhost` ``, `**http://localhost**`. With `bars` the bar of a label counts too.
    pub(crate) fn delimits(&self, code: u32, bars: bool) -> bool {
        let is = |mark: char| u32::from(mark) == code;
        if bars && self.label && is('|') {
            return true;
        }
        match (self.quote, self.emphasis) {
            (Some('"' | '\''), _) => is('\\'),
            (Some(quote @ ('`' | '|' | '｜' | '\u{5F4}')), _) => is(quote),
            (Some('＜'), _) => is('＞'),
            (Some('≪'), _) => is('≫'),
            (Some('〝'), _) => is('〞') || is('〟'),
            // Behind a host an equals sign is rather that of a value.
            (_, Some((mark, _))) => mark != b'=' && is(mark.into()),
            _ => false,
        }
    }
}

//! Conditional comments of Microsoft (`<!--[if mso]>…<![endif]-->`): decides which of them Outlook reads.
//!
//! Browsers read none of them. Outlook for Windows renders mail with Word, which reads those whose condition names `mso` or
//! `vml`; no current program reads those for `IE`. The other form, `<![if !mso]>…<![endif]>`, is two bogus comments, and
//! the text between them is part of the document for all programs.

use crate::context::{ContextKind, KnownContext};

/// Context of such a comment, and the prefix, before a colon, of the contexts of links in it.
pub(crate) static CONTEXT: KnownContext = KnownContext::new("if-mso", ContextKind::Conditional);

/// Maximum number of bytes of a condition with its brackets: real ones have fewer than a hundred.
const LONGEST: usize = 4 << 10;

/// Construct that begins after `<!--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// A condition of this many bytes that is true in Outlook.
    Outlook(usize),
    /// Another construct.
    Other,
    /// A condition that is too long to be read.
    TooLong,
    /// The bytes end before the construct is known.
    Cut,
}

/// Returns the construct that begins with a bracket after `<!--`.
pub(super) fn condition(rest: &[u8], is_last: bool) -> Condition {
    const OPENING: &[u8] = b"[if";
    let len = rest.len().min(OPENING.len());
    if !rest[..len].eq_ignore_ascii_case(&OPENING[..len]) {
        return Condition::Other;
    }
    let near = &rest[..rest.len().min(LONGEST)];
    match memchr::memchr(b'>', near) {
        Some(end) if near[..end].ends_with(b"]") && is_of_outlook(&near[len..end - 1]) => {
            Condition::Outlook(end + 1)
        }
        Some(_) => Condition::Other,
        None if near.len() == LONGEST => Condition::TooLong,
        None if is_last => Condition::Other,
        None => Condition::Cut,
    }
}

/// Returns `true` if a condition names a feature of Outlook and does not negate it.
fn is_of_outlook(condition: &[u8]) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric();
    let mut at = 0;
    while let Some(start) = condition[at..].iter().position(is_word).map(|len| at + len) {
        let len = condition[start..].iter().take_while(|b| is_word(b)).count();
        at = start + len;
        let word = &condition[start..at];
        let is_named = ["mso", "vml"].iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
        if is_named && !is_negated(&condition[..start]) {
            return true;
        }
    }
    false
}

/// Returns `true` if the text before a feature negates it: `!`, `!(`, `!(gte `.
fn is_negated(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let compared = ["gte", "gt", "lte", "lt"].iter().find_map(|word| {
        let start = before.len().checked_sub(word.len())?;
        before[start..].eq_ignore_ascii_case(word.as_bytes()).then_some(start)
    });
    let before = &before[..compared.unwrap_or(before.len())];
    let last = before.iter().rev().find(|b| !b.is_ascii_whitespace() && **b != b'(');
    last == Some(&b'!')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_outlook() {
        for text in [
            "[if mso]>",
            "[IF MSO]>",
            "[if mso | IE]>",
            "[if (gte mso 9)|(IE)]>",
            "[if gte vml 1]>",
            "[if !IE & mso]>",
            "[if lt mso 12]>",
            "[if (!mso)|(gte mso 16)]>",
        ] {
            assert_eq!(condition(text.as_bytes(), false), Condition::Outlook(text.len()), "{text}");
            for end in 0..text.len() {
                let cut = condition(&text.as_bytes()[..end], false);
                assert_eq!(cut, Condition::Cut, "{text} {end}");
            }
        }
        for text in [
            "[if IE]>",
            "[if lt IE 9]>",
            "[if !mso]>",
            "[if !(mso)]>",
            "[if !( gte mso 9 )]>",
            "[if msoffice]>",
            "[if mso>",
            "[endif]>",
            "[if mso] >",
            "[x",
        ] {
            assert_eq!(condition(text.as_bytes(), false), Condition::Other, "{text}");
        }
        assert_eq!(condition(b"[if mso", true), Condition::Other);
        assert_eq!(condition(&b"[if mso ".repeat(999), false), Condition::TooLong);
    }
}

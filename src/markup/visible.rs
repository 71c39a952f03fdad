//! Text without what a reader does not see, so that it does not count as text.

use crate::limits;
use crate::scan::reference::{ResolvedReference, Rules, reference_at};
use crate::tables::imitation::is_unseen;

/// What a reader sees of a character.
enum Visibility {
    Nothing,
    Space,
    Something,
}

/// Appends stored bytes of a text with each run of white space as one space, and without invisible characters, also those that
/// are written as references; other references are kept as they are.
pub(super) fn push_visible(text: &mut Vec<u8>, piece: &[u8], rules: Rules) {
    let characters = std::str::from_utf8(piece).unwrap_or_default();
    let mut at = 0;
    while let Some(&byte) = piece.get(at) {
        let (seen, len) = match byte {
            b'&' => match reference_at(piece, at, rules) {
                Some((ResolvedReference::Character(c), len)) => (of(c), len),
                Some((ResolvedReference::Named(named), len)) => {
                    let mut all = named.chars();
                    let only = all.next().filter(|_| all.next().is_none());
                    (only.map_or(Visibility::Something, of), len)
                }
                None => (Visibility::Something, 1),
            },
            0x80.. => {
                let c = characters.get(at..).and_then(|rest| rest.chars().next());
                c.map_or((Visibility::Something, 1), |c| (of(c), c.len_utf8()))
            }
            byte if byte.is_ascii_whitespace() => (Visibility::Space, 1),
            _ => (Visibility::Something, 1),
        };
        match seen {
            Visibility::Nothing => {}
            Visibility::Space if text.last() == Some(&b' ') => {}
            Visibility::Space => text.push(b' '),
            Visibility::Something => text.extend_from_slice(&piece[at..at + len]),
        }
        at += len;
    }
}

fn of(c: char) -> Visibility {
    match c {
        _ if c.is_whitespace() => Visibility::Space,
        _ if is_unseen(c) => Visibility::Nothing,
        _ => Visibility::Something,
    }
}

/// Adds a text to that of a link, as far as it is compared and shown, and a character more.
pub(super) fn push_shown(to: &mut String, text: &str) {
    let left = (limits::SHOWN + 1).saturating_sub(to.len());
    let end = (left..=text.len()).find(|end| text.is_char_boundary(*end));
    to.push_str(&text[..end.unwrap_or(text.len())]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_left_out() {
        for (piece, wanted) in [
            ("a \n\t b", "a b"),
            ("&#8203;&ZeroWidthSpace;&shy;a&nbsp;&#xA0; b", "a b"),
            ("\u{200B}\u{FEFF}\u{3000}\u{A0}x&amp;&lt;é", " x&amp;&lt;é"),
            ("&nope; & a", "&nope; & a"),
        ] {
            let mut text = Vec::new();
            push_visible(&mut text, piece.as_bytes(), Rules::HtmlText);
            assert_eq!(String::from_utf8(text).as_deref(), Ok(wanted));
        }
        let mut text = Vec::new();
        push_visible(&mut text, b"a\xE2\x80 \xFF&nbsp;b", Rules::HtmlText);
        assert_eq!(text, b"a\xE2\x80 \xFF b");
    }
}

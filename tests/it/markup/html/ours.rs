//! What ours sees, as `browser` gives it.

use linksift::peek::{self, Peek, TokenKind};

use super::browser::Seen;

/// A value may be so long.
pub(crate) const LONGEST: usize = 1 << 20;

/// The values, in order, with the text that a browser makes of them.
pub(crate) fn values(text: &str) -> Vec<Seen> {
    let is_value = |peek: &Peek| matches!(peek.what, TokenKind::Value | TokenKind::Base);
    let all = peek::html(&[text.as_bytes()], LONGEST);
    all.into_iter().filter(is_value).map(|peek| seen(text, &peek)).collect()
}

fn seen(text: &str, peek: &Peek) -> Seen {
    // A browser turns line breaks into LF and NUL into U+FFFD before it resolves anything.
    let raw = text[peek.range.clone()].replace("\r\n", "\n").replace('\r', "\n");
    let raw = raw.replace('\0', "\u{FFFD}");
    (peek.context.clone(), peek::resolved(&raw, "attribute"))
}

/// Runs that do not depend on where blocks end: pieces of one text put together, and without the texts
/// that cannot hold a link, which are left out only where that is known in time.
pub(crate) fn runs(blocks: &[&[u8]], longest: usize) -> Vec<Peek> {
    let mut all: Vec<Peek> = Vec::new();
    for peek in peek::html(blocks, longest) {
        match all.last_mut() {
            Some(last)
                if peek.what == TokenKind::Text
                    && last.what == TokenKind::Text
                    && peek.joined
                    && last.range.end == peek.range.start
                    && last.context == peek.context =>
            {
                last.range.end = peek.range.end;
            }
            // How much was seen of a long one when it was given up is chance.
            _ if peek.what == TokenKind::Long => {
                all.push(Peek { range: peek.range.start..peek.range.start, ..peek });
            }
            _ => all.push(peek),
        }
    }
    let bytes = blocks.concat();
    all.retain(|peek| match peek.what {
        TokenKind::Text if peek.context.starts_with("Running") => {
            may_hold_a_link(&bytes[peek.range.clone()])
        }
        _ => true,
    });
    let mut was_text = false;
    for peek in &mut all {
        let is_text = peek.what == TokenKind::Text;
        peek.joined &= was_text;
        was_text = is_text;
    }
    all
}

/// A dot before a letter or a reference, a colon before something visible, a reference to one of them or by
/// number, or what is not ASCII.
fn may_hold_a_link(text: &[u8]) -> bool {
    // A `<` that is text follows nothing either: no link goes on after it.
    let is_sign = |pair: &[u8]| {
        matches!(
            pair,
            [b'.', b'A'..=0xFF | b'&'] | [b':', b'!'..=0xFF] | [b'&', b'#' | b'p' | b'c']
        ) && pair[1] != b'<'
    };
    !text.is_ascii() || text.windows(2).any(is_sign)
}

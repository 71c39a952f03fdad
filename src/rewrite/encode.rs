//! Notations both ways: from the stored text of a link to its meaning, and back.
//!
//! The layers of a notation are resolved from the outside to the inside by the functions that the tokenizers' values go through,
//! and written from the inside to the outside here.

use std::borrow::Cow;

use crate::charset::Charset;
use crate::notation::{Layer, Notation};
use crate::scan::reference::{EscapeGrammar, Rules, reference_at, resolved_by};
use crate::source_map::MappedText;

/// Returns `true` if nothing can be written in a notation.
pub(super) fn has_unwritable(notation: Notation) -> bool {
    notation.layers().any(|layer| layer == Layer::Unwritable)
}

/// Returns `true` if a notation can write any character in ASCII.
pub(super) fn writes_any(notation: Notation) -> bool {
    notation.layers().any(|layer| escape_of(layer).is_some())
}

/// Returns the text that is written as `raw`, with its map to `raw`. Text without layers has the references of running text.
pub(super) fn decoded(notation: Notation, raw: &str) -> MappedText<'_> {
    let plain = notation.layers().next().is_none().then_some(Layer::References(Rules::Plain));
    let mut text = MappedText::copy(Cow::Borrowed(raw), 0);
    for layer in notation.layers().chain(plain) {
        let inner = layer_decoded(layer, &text.text);
        let inner = MappedText { text: Cow::Owned(inner.text.into_owned()), ..inner };
        text = inner.through(&text);
    }
    text
}

#[cfg(feature = "documents")]
fn layer_decoded(layer: Layer, text: &str) -> MappedText<'_> {
    use crate::markup::{Grammar, resolved_in};
    match layer {
        Layer::References(rules) => by_rules(rules, text),
        Layer::Css => resolved_in(text, Grammar::Css, Rules::None),
        Layer::Destination => resolved_in(text, Grammar::Markdown, Rules::None),
        Layer::Content => resolved_in(text, Grammar::Content, Rules::None),
        Layer::Joined => resolved_in(text, Grammar::Joined, Rules::None),
        Layer::Unwritable => MappedText::copy(Cow::Borrowed(text), 0),
    }
}

#[cfg(not(feature = "documents"))]
fn layer_decoded(layer: Layer, text: &str) -> MappedText<'_> {
    match layer {
        Layer::References(rules) => by_rules(rules, text),
        _ => MappedText::copy(Cow::Borrowed(text), 0),
    }
}

fn by_rules(rules: Rules, text: &str) -> MappedText<'_> {
    match resolved_by(text, rules, 0) {
        Some((resolved, map)) => (Cow::Owned(resolved), Some(map)).into(),
        None => MappedText::copy(Cow::Borrowed(text), 0),
    }
}

/// Returns a text as it is written in a notation. Characters that the encoding lacks are escaped by the innermost layer that can.
/// `None` if a layer cannot write one of the characters.
pub(super) fn encoded(notation: Notation, charset: Charset, text: &str) -> Option<String> {
    let mut out = text.to_owned();
    let lacks = |c: char| !c.is_ascii() && charset.encode(c.encode_utf8(&mut [0; 4])).is_none();
    let plain = notation.layers().next().is_none().then_some(Layer::References(Rules::Plain));
    for layer in notation.layers().chain(plain).rev() {
        let written = out;
        out = String::with_capacity(written.len());
        for (at, c) in written.char_indices() {
            match escape_of(layer) {
                Some(escape) if lacks(c) => escape(&mut out, c),
                _ => push(&mut out, layer, &written, at, c)?,
            }
        }
    }
    Some(out)
}

/// Returns how a layer writes any character in ASCII.
fn escape_of(layer: Layer) -> Option<fn(&mut String, char)> {
    let unit: fn(&mut String, char) = |out, c| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    };
    match layer {
        Layer::References(
            Rules::HtmlText | Rules::HtmlAttribute | Rules::Xml | Rules::Markdown,
        )
        | Layer::References(Rules::Escapes(EscapeGrammar::Cell | EscapeGrammar::Header))
        | Layer::Destination
        | Layer::Content => Some(|out, c| out.push_str(&format!("&#x{:X};", u32::from(c)))),
        Layer::References(Rules::Json) => Some(unit),
        Layer::References(Rules::Escapes(EscapeGrammar::Properties | EscapeGrammar::Notebook)) => {
            Some(unit)
        }
        Layer::Css => Some(|out, c| out.push_str(&format!("\\{:X} ", u32::from(c)))),
        _ => None,
    }
}

/// Writes the character at an offset of a text in a layer; `None` if it cannot be written.
fn push(out: &mut String, layer: Layer, text: &str, at: usize, c: char) -> Option<()> {
    let is_reference = |rules| c == '&' && reference_at(text.as_bytes(), at, rules).is_some();
    match (layer, c) {
        (Layer::References(Rules::HtmlText | Rules::Xml) | Layer::Content, '&') => {
            out.push_str("&amp;");
        }
        (Layer::References(Rules::HtmlText | Rules::Xml) | Layer::Content, '<') => {
            out.push_str("&lt;");
        }
        (Layer::References(Rules::HtmlText) | Layer::Content, '>') => out.push_str("&gt;"),
        // Whichever quotes an attribute has, or none.
        (Layer::References(Rules::HtmlAttribute), '&' | '<' | '>' | '"' | '\'' | '`' | ' ')
        | (Layer::References(Rules::Xml), '>' | '"' | '\'') => {
            out.push_str(match c {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&#39;",
                '`' => "&#96;",
                _ => "&#32;",
            });
        }
        (Layer::References(Rules::Plain), '&') if is_reference(Rules::Plain) => {
            out.push_str("&#38;");
        }
        (Layer::References(Rules::Markdown) | Layer::Destination, '&')
            if is_reference(Rules::Markdown) =>
        {
            out.push_str("&amp;");
        }
        (Layer::Destination, '\\' | '<' | '>') => out.extend(['\\', c]),
        (Layer::Destination, '(' | ')') if !is_balanced(text) => out.extend(['\\', c]),
        (Layer::References(Rules::Json), '"' | '\\') => out.extend(['\\', c]),
        (Layer::References(Rules::Csv), '"') => out.push_str("\"\""),
        // At the end of a target it would make the target a name.
        (Layer::Joined, '_') if at + 1 == text.len() => out.push_str("\\_"),
        (Layer::Css, '"' | '\'' | '(' | ')' | '\\') => out.extend(['\\', c]),
        (Layer::References(Rules::Escapes(grammar)), _) => return push_escape(out, grammar, c),
        (Layer::Unwritable, _) => return None,
        _ => out.push(c),
    }
    Some(())
}

/// Returns `true` if the round brackets of a text are balanced, as those of a destination must be.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    text.bytes().all(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
        true
    }) && depth == 0
}

/// Writes a character by the escapes of a text format; `None` if what it means there depends on more than its place.
fn push_escape(out: &mut String, grammar: EscapeGrammar, c: char) -> Option<()> {
    match (grammar, c) {
        (EscapeGrammar::Po | EscapeGrammar::Strings | EscapeGrammar::Notebook, '"' | '\\')
        | (EscapeGrammar::Properties, '\\') => out.extend(['\\', c]),
        (EscapeGrammar::Roff, '-') => out.push_str("\\-"),
        (EscapeGrammar::Cell, '&') => out.push_str("&amp;"),
        (EscapeGrammar::Header, '&') => out.push_str("&amp;&amp;"),
        (EscapeGrammar::Cell | EscapeGrammar::Header, '<') => out.push_str("&lt;"),
        (EscapeGrammar::Texinfo, '@') => out.push_str("@@"),
        (EscapeGrammar::Texinfo, ',') => out.push_str("@comma{}"),
        // In `\url` they represent themselves, elsewhere they have escapes.
        (EscapeGrammar::Tex, '%' | '#' | '&' | '~' | '_' | '$' | '^' | '\\' | '{' | '}')
        | (EscapeGrammar::Perl, '@' | '$' | '\\')
        | (EscapeGrammar::Roff, '\\' | '\'')
        | (EscapeGrammar::Texinfo, '{' | '}') => return None,
        _ => out.push(c),
    }
    Some(())
}

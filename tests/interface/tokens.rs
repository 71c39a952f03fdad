//! Tokens as text: in the same way whatever release of `proc_macro2` is available.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The tokens of an item, in one line.
pub(crate) fn text(item: &impl ToTokens) -> String {
    let mut out = String::new();
    put(item.to_token_stream(), &mut out);
    out.trim().to_owned()
}

fn put(tokens: TokenStream, out: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            // What is documented and how is not of the interface.
            TokenTree::Punct(hash) if hash.as_char() == '#' && is_doc(tokens.peek()) => {
                tokens.next();
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                if open == "{ " {
                    word(out);
                }
                out.push_str(open);
                put(group.stream(), out);
                while out.ends_with(' ') && close != " }" {
                    out.pop();
                }
                out.push_str(close);
            }
            TokenTree::Punct(punct) => mark(punct.as_char(), punct.spacing(), out),
            TokenTree::Ident(ident) => {
                word(out);
                out.push_str(&ident.to_string());
            }
            TokenTree::Literal(literal) => {
                word(out);
                out.push_str(&literal.to_string());
            }
        }
    }
}

fn is_doc(token: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = token else { return false };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if name == "doc")
}

/// A word begins here: it has a space in front of it, unless a mark before it wants none.
fn word(out: &mut String) {
    if out.ends_with(|c: char| c.is_alphanumeric() || "_)]}>,;=+|\"".contains(c)) {
        out.push(' ');
    }
}

fn mark(mark: char, spacing: Spacing, out: &mut String) {
    let is_after_mark = out.ends_with(['-', '=', ':', '.', '&', '|']);
    match mark {
        '=' | '+' | '|' | '-' if !is_after_mark => {
            word(out);
            out.push(mark);
        }
        '#' | '&' | '\'' | '*' | '$' => {
            word(out);
            out.push(mark);
            return;
        }
        _ => out.push(mark),
    }
    // A colon of a type, not of a path.
    if spacing == Spacing::Alone && mark == ':' && !out.ends_with("::")
        || "=,;".contains(mark) && spacing == Spacing::Alone
    {
        out.push(' ');
    }
    if out.ends_with("->") {
        out.push(' ');
    }
}

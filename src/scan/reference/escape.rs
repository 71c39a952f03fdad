//! Escape grammars: what stands for another character, or joins two lines, in the text formats that have escapes.
//!
//! Each grammar is a row: the bytes that its escapes begin with, the escapes that are written in one way, and a function that reads
//! the others. An escape whose meaning is the empty text is removed: it joins what is around it. The result of reading is the same for
//! each, a meaning and a length, so that the window that resolves character references resolves these too.

use super::html::ResolvedReference;
use super::{json, sheet};
use crate::tables::entities;

/// Syntax of the escapes of a text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EscapeGrammar {
    /// Java's properties: `http\://example.org`, lines continued by a backslash.
    Properties,
    /// Messages of gettext: escapes of C, and a string that is continued by the next one.
    Po,
    /// Strings files of Apple: escapes of C.
    Strings,
    /// LaTeX and BibTeX: `\_`, `{\textasciitilde}`.
    Tex,
    /// Texinfo: `@@`, and a comma between arguments.
    Texinfo,
    /// Perl's documentation: `E<gt>`.
    Pod,
    /// Perl with documentation: also `\@` in a string.
    Perl,
    /// Troff and groff: `\(at`, `\[at]`, `\:`, `\fB`.
    Roff,
    /// The strings of a list in a notebook: escapes of JSON, and a string that is continued by the next one.
    Notebook,
    /// A cell of SpreadsheetML: references of XML, and `_x000D_`.
    Cell,
    /// The header of a sheet of SpreadsheetML: references of XML, and codes as `&amp;L`.
    Header,
}

/// Length in bytes of the longest escape.
const LONGEST: usize = 64;

/// Meaning of an escape, and its length in bytes.
type Read = Option<(ResolvedReference, usize)>;

/// Row of an escape grammar.
struct EscapeRow {
    /// First bytes of escapes.
    openers: [u8; 3],
    /// Escapes and their meanings, longer ones before those that they begin with.
    fixed: &'static [(&'static str, &'static str)],
    /// Reads an escape that the list does not have, from its first byte on.
    other: fn(&[u8]) -> Read,
}

impl EscapeGrammar {
    fn row(self) -> EscapeRow {
        use EscapeGrammar::*;
        let row = |openers: &[u8; 3], fixed, other| EscapeRow { openers: *openers, fixed, other };
        match self {
            Properties => row(br"\\\", OF_PROPERTIES, in_properties),
            Po => row(br#"\\""#, OF_C, in_po),
            Strings => row(br"\\\", OF_C, in_strings),
            Tex => row(br"\{$", OF_TEX, in_tex),
            Texinfo => row(b"@@,", OF_TEXINFO, command),
            Pod => row(b"EEE", &[], in_pod),
            Perl => row(br"EE\", OF_PERL, in_pod),
            Roff => row(br"\\\", OF_ROFF, in_roff),
            Notebook => row(br#"\\""#, &[], in_notebook),
            Cell => row(b"&__", &[], sheet::in_cell),
            Header => row(b"&&&", &[], sheet::in_header),
        }
    }

    /// Returns the bytes that begin escapes.
    pub(super) fn openers(self) -> [u8; 3] {
        self.row().openers
    }

    /// Reads the escape that the bytes begin with.
    pub(super) fn escape_at(self, bytes: &[u8]) -> Read {
        let row = self.row();
        let fixed = row.fixed.iter().find(|(written, _)| bytes.starts_with(written.as_bytes()));
        match fixed {
            Some((written, meaning)) => Some((ResolvedReference::Named(meaning), written.len())),
            None => (row.other)(bytes),
        }
    }

    /// Returns the number of bytes before an escape that may continue after the bytes, which begin outside an escape.
    pub(crate) fn whole_escapes(self, bytes: &[u8]) -> usize {
        let [first, second, third] = self.openers();
        let mut done = 0;
        for at in memchr::memchr3_iter(first, second, third, bytes) {
            if at < done {
                continue;
            }
            if bytes.len() - at < LONGEST {
                return at;
            }
            done = self.escape_at(&bytes[at..]).map_or(at + 1, |(_, len)| at + len);
        }
        bytes.len()
    }
}

const OF_PROPERTIES: &[(&str, &str)] =
    &[("\\t", "\t"), ("\\n", "\n"), ("\\r", "\r"), ("\\f", "\u{C}")];

const OF_C: &[(&str, &str)] = &[
    ("\\n", "\n"),
    ("\\t", "\t"),
    ("\\r", "\r"),
    ("\\\"", "\""),
    ("\\\\", "\\"),
    ("\\'", "'"),
    ("\\/", "/"),
];

#[rustfmt::skip]
const OF_TEX: &[(&str, &str)] = &[
    // A command of letters takes the space after it.
    ("\\texttildelow{}", "~"), ("\\texttildelow ", "~"), ("\\texttildelow", "~"),
    ("\\textasciitilde{}", "~"), ("\\textasciitilde ", "~"), ("\\textasciitilde", "~"), ("\\~{}", "~"), ("\\~{ }", "~"),
    ("\\textunderscore{}", "_"), ("\\textunderscore ", "_"), ("\\textunderscore", "_"), ("\\textasciicircum{}", "^"),
    ("\\string~", "~"), ("\\string_", "_"), ("\\string#", "#"), ("\\string%", "%"), ("\\string&", "&"), ("\\string^", "^"),
    ("\\textbackslash{}", "\\"), ("\\slash{}", "/"), ("\\slash ", "/"), ("\\allowbreak{}", ""), ("\\allowbreak ", ""),
    ("\\allowbreak", ""), ("\\linebreak[0]", ""), ("\\discretionary{}{}{}", ""), ("\\penalty0 ", ""), ("\\-", ""), ("\\/", ""),
    // The end of a line.
    ("\\\\", " "),
    ("\\_", "_"), ("\\&", "&"), ("\\%", "%"), ("\\#", "#"), ("\\$", "$"), ("\\{", "{"), ("\\}", "}"),
    ("{-}", "-"), ("{_}", "_"), ("{~}", "~"), ("{$\\sim$}", "~"), ("$\\sim$", "~"), ("$\\mathtt{\\sim}$", "~"), ("$\\tilde{}$", "~"), ("$\\tilde{ }$", "~"),
    ("{$\\tilde{}$}", "~"), ("{\\ensuremath{\\sim}}", "~"),
];

#[rustfmt::skip]
const OF_TEXINFO: &[(&str, &str)] = &[
    ("@@", "@"), ("@{", "{"), ("@}", "}"), ("@/", ""), ("@-", ""), ("@:", ""), ("@*", "\n"), ("@ ", " "),
    ("@atchar{}", "@"), ("@comma{}", ","), ("@hashchar{}", "#"), ("@lbracechar{}", "{"), ("@rbracechar{}", "}"),
    ("@backslashchar{}", "\\"), ("@minus{}", "-"), ("@tie{}", "\u{A0}"), ("@dots{}", "…"), ("@copyright{}", "©"),
    // A comma ends the first argument of `@uref`.
    (",", ", "),
];

const OF_PERL: &[(&str, &str)] = &[("\\@", "@"), ("\\\\", "\\\\")];

#[rustfmt::skip]
const OF_ROFF: &[(&str, &str)] = &[
    ("\\:", ""), ("\\&", ""), ("\\%", ""), ("\\/", ""), ("\\,", ""), ("\\|", ""), ("\\^", ""), ("\\)", ""), ("\\c", ""),
    ("\\{", ""), ("\\}", ""), ("\\-", "-"), ("\\.", "."), ("\\_", "_"), ("\\'", "'"), ("\\`", "`"),
    ("\\\\", "\\"), ("\\e", "\\"), ("\\u", " "), ("\\d", " "), ("\\ ", " "), ("\\~", " "), ("\\0", " "), ("\\\r\n", ""), ("\\\n", ""),
];

/// Characters of troff by their names, in `\(at` and `\[at]`.
#[rustfmt::skip]
const CHARACTERS_OF_ROFF: &[(&str, &str)] = &[
    ("at", "@"), ("ti", "~"), ("ha", "^"), ("rs", "\\"), ("sl", "/"), ("sh", "#"), ("Do", "$"), ("ul", "_"), ("ba", "|"), ("bv", "|"),
    ("dq", "\""), ("aq", "'"), ("ga", "`"), ("cq", "’"), ("oq", "‘"), ("lq", "“"), ("rq", "”"), ("la", "⟨"), ("ra", "⟩"), ("lB", "["),
    ("rB", "]"), ("lC", "{"), ("rC", "}"), ("bu", "•"), ("em", "—"), ("en", "–"), ("hy", "‐"), ("mi", "−"), ("pl", "+"), ("eq", "="),
    ("co", "©"), ("rg", "®"), ("Fo", "«"), ("Fc", "»"), ("de", "°"), ("tm", "™"), ("->", "→"), ("<-", "←"),
];

/// Returns the number of blanks that the bytes begin with, up to the length of an escape.
fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take(LONGEST / 4).take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0C)).count()
}

/// Returns the length of the line end that the bytes begin with.
fn line_end(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\r', b'\n', ..] => Some(2),
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}

/// A code unit or two, a line end with the blanks after it, or any other character after a backslash, which represents itself.
fn in_properties(bytes: &[u8]) -> Read {
    if bytes.get(1) == Some(&b'u') {
        return unit(bytes);
    }
    if let Some(len) = line_end(&bytes[1..]) {
        let len = 1 + len + blanks(&bytes[1 + len..]);
        return Some((ResolvedReference::Named(""), len));
    }
    let itself = bytes.get(1).filter(|byte| byte.is_ascii())?;
    Some((ResolvedReference::Character(char::from(*itself)), 2))
}

/// Numbers of a byte, or two strings that follow each other on two lines; `#~` precedes those of an obsolete message.
fn in_po(bytes: &[u8]) -> Read {
    if bytes[0] == b'\\' {
        return numbered(bytes);
    }
    let mut at = 1 + blanks(&bytes[1..]);
    at += line_end(&bytes[at..])?;
    at += blanks(&bytes[at..]);
    if bytes[at..].starts_with(b"#~") || bytes[at..].starts_with(b"#|") {
        at += 2 + blanks(&bytes[at + 2..]);
    }
    (bytes.get(at) == Some(&b'"')).then_some((ResolvedReference::Named(""), at + 1))
}

/// An escape of JSON, or the end of a string and the beginning of the next one.
fn in_notebook(bytes: &[u8]) -> Read {
    if bytes[0] == b'\\' {
        return unit(bytes);
    }
    let gap = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        rest.iter().take(LONGEST / 4).take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let comma = 1 + gap(1);
    let quote = comma + 1 + gap(comma + 1);
    let is_next = bytes.get(comma) == Some(&b',') && bytes.get(quote) == Some(&b'"');
    is_next.then_some((ResolvedReference::Named(""), quote + 1))
}

fn in_strings(bytes: &[u8]) -> Read {
    match bytes.get(1)? {
        b'u' => unit(bytes),
        b'U' => {
            let mut lower = [0; 12];
            let len = bytes.len().min(lower.len());
            lower[..len].copy_from_slice(&bytes[..len]);
            for at in [1, 7] {
                lower[at] = lower[at].to_ascii_lowercase();
            }
            unit(&lower[..len])
        }
        _ => numbered(bytes),
    }
}

/// Reads an escape of JSON: `\u002f`, or two of them.
fn unit(bytes: &[u8]) -> Read {
    json::escape_at(bytes, 0).map(|(c, len)| (ResolvedReference::Character(c), len))
}

/// Reads `\x2f` or `\057`, if it represents a character of ASCII.
fn numbered(bytes: &[u8]) -> Read {
    let (radix, from, most) = match bytes.get(1)? {
        b'x' => (16, 2, 2),
        _ => (8, 1, 3),
    };
    let digits = bytes.get(from..)?.iter().take(most);
    let digits = digits.map_while(|byte| char::from(*byte).to_digit(radix));
    let (value, len) = digits.fold((0, 0), |(value, len), digit| (value * radix + digit, len + 1));
    let c = char::from_u32(value).filter(|c| len > 0 && c.is_ascii() && *c != '\0')?;
    Some((ResolvedReference::Character(c), from + len))
}

/// Reads a command with its opening brace, before which a link ends and after which one begins: `\email{`, `@uref{`. Commands of one letter
/// are accents.
fn command(bytes: &[u8]) -> Read {
    let window = &bytes[..bytes.len().min(LONGEST)];
    let letters = window.iter().skip(1).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let star = usize::from(window.get(1 + letters) == Some(&b'*'));
    let len = 1 + letters + star;
    let is_command = letters > 1 && window.get(len) == Some(&b'{') && bytes[0] != b',';
    is_command.then_some((ResolvedReference::Named(" "), len + 1))
}

/// Reads a command, the number of a character, or an escape in braces: `{\_}`.
fn in_tex(bytes: &[u8]) -> Read {
    if bytes[0] == b'\\' {
        return character_of_tex(bytes).or_else(|| command(bytes));
    }
    let inside = bytes.strip_prefix(b"{").filter(|inside| inside.starts_with(b"\\"))?;
    let fixed = OF_TEX.iter().find(|(written, _)| inside.starts_with(written.as_bytes()));
    let (meaning, len) = match fixed {
        Some((_, "{" | "}" | " ")) => return None,
        Some((written, meaning)) => (ResolvedReference::Named(meaning), written.len()),
        None => character_of_tex(inside)?,
    };
    let len = len + blanks(&inside[len..]);
    (inside.get(len) == Some(&b'}')).then_some((meaning, 1 + len + 1))
}

/// Reads a character of ASCII by its number, which ends before the first character that is no digit of it, or after a space: `\char126`,
/// `\char"7E`, `\char'176`, `` \char`\~ ``, `\symbol{126}`.
fn character_of_tex(bytes: &[u8]) -> Read {
    let (prefix, end): (_, &[&[u8]]) = match bytes.strip_prefix(b"\\symbol{") {
        Some(_) => (b"\\symbol{".len(), &[b"}"]),
        None => (bytes.starts_with(b"\\char").then_some(b"\\char".len())?, &[b"{}", b" ", b""]),
    };
    let written = &bytes[prefix..];
    let (value, len) = match written {
        [b'`', b'\\', c, ..] => (u32::from(*c), 3),
        [b'`', c, ..] => (u32::from(*c), 2),
        _ => {
            let (radix, sign) = match written.first()? {
                b'"' => (16, 1),
                b'\'' => (8, 1),
                _ => (10, 0),
            };
            let digits = written[sign..].iter().take(LONGEST / 4);
            let digits = digits.map_while(|byte| char::from(*byte).to_digit(radix));
            digits.fold((0_u32, sign), |(value, len), digit| {
                (value.saturating_mul(radix).saturating_add(digit), len + 1)
            })
        }
    };
    let c = char::from_u32(value).filter(char::is_ascii_graphic)?;
    let after = &written[len..];
    let end = end.iter().find(|end| after.starts_with(end))?;
    Some((ResolvedReference::Character(c), prefix + len + end.len()))
}

/// Reads `E<gt>`, `E<64>`, `E<0100>` or `E<0x40>`.
fn in_pod(bytes: &[u8]) -> Read {
    let inside = bytes.strip_prefix(b"E<")?;
    let window = &inside[..inside.len().min(LONGEST - 3)];
    let name = &window[..memchr::memchr(b'>', window)?];
    let len = 2 + name.len() + 1;
    let named = match name {
        b"verbar" => Some("|"),
        b"sol" => Some("/"),
        b"lchevron" => Some("«"),
        b"rchevron" => Some("»"),
        _ => entities::entity(name).map(|known| known.characters),
    };
    if let Some(meaning) = named {
        return Some((ResolvedReference::Named(meaning), len));
    }
    let digits = str::from_utf8(name).ok()?;
    let code = match digits.strip_prefix("0x").or(digits.strip_prefix('x')) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None if digits.starts_with('0') => u32::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    let c = char::from_u32(code.ok()?)?;
    Some((ResolvedReference::Character(c), len))
}

/// Reads a character of troff by its name or number, or an escape that changes the font, the size or the colour.
fn in_roff(bytes: &[u8]) -> Read {
    match bytes.get(1)? {
        b'(' | b'[' => {
            let (name, len) = argument(&bytes[1..])?;
            let known = CHARACTERS_OF_ROFF.iter().find(|(known, _)| known.as_bytes() == name);
            if let Some((_, meaning)) = known {
                return Some((ResolvedReference::Named(meaning), 1 + len));
            }
            let digits = str::from_utf8(name.strip_prefix(b"u")?).ok()?;
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() >= 4)?;
            Some((ResolvedReference::Character(char::from_u32(code)?), 1 + len))
        }
        b'f' | b'F' | b'm' | b'M' => {
            let (_, len) = argument(&bytes[2..])?;
            Some((ResolvedReference::Named(""), 2 + len))
        }
        b's' => {
            let sign = usize::from(matches!(bytes.get(2), Some(b'+' | b'-')));
            let rest = bytes.get(2 + sign..)?;
            let len = match rest.first()? {
                b'[' | b'(' => argument(rest)?.1,
                b'1'..=b'3' if sign == 0 && rest.get(1).is_some_and(u8::is_ascii_digit) => 2,
                byte if byte.is_ascii_digit() => 1,
                _ => return None,
            };
            Some((ResolvedReference::Named(""), 2 + sign + len))
        }
        _ => None,
    }
}

/// Returns the argument of an escape of troff, and its length with brackets: `x`, `(xx`, `[xxx]`.
fn argument(bytes: &[u8]) -> Option<(&[u8], usize)> {
    match bytes.first()? {
        b'(' => Some((bytes.get(1..3)?, 3)),
        b'[' => {
            let window = &bytes[1..bytes.len().min(LONGEST - 4)];
            let len = memchr::memchr2(b']', b'\n', window).filter(|len| window[*len] == b']')?;
            Some((&window[..len], len + 2))
        }
        byte if byte.is_ascii_graphic() => Some((&bytes[..1], 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Rules, plainly_resolved};
    use super::*;

    #[test]
    fn each_grammar_has_its_escapes() {
        use EscapeGrammar::*;
        for (grammar, text, resolved) in [
            (
                Properties,
                r"http\://a.example\:80/x\=\u00e9\t\\u0041",
                "http://a.example:80/x=é\t\\u0041",
            ),
            (Properties, "a\\\r\n  \tb\\", "ab\\"),
            (Po, "a\\\"b\" \n  \"c\\n\\x41\\101\\\\x", "a\"bc\nAA\\x"),
            (Po, "a\"\n#~ \"b\" \"c\"", "ab\" \"c\""),
            (Notebook, "a\\nb\\\"\",\n    \"\\u00e9\" , \"c\\\\\",\"d\" \"", "a\nb\"éc\\d\" \""),
            (Strings, r#"\"\U00e9\U0041\u0042\/"#, "\"éAB/"),
            (
                Tex,
                r"{\textasciitilde}a\~{}b\_c{\_}d{\& }e\textasciitilde{}f\\_g{\\}",
                r"~a~b_c_d&e~f _g{ }",
            ),
            (Tex, r"\{x\}{x}{-}", "{x}{x}-"),
            (Tex, r"/\textasciitilde me\string_a\char126 b{\textunderscore }", "/~me_a~b_"),
            (
                Tex,
                r#"\char126a\char126{}b\char"7Eg\char'176 8\char`\~c\char`_d{\char126 }e\symbol{126}f\char8z\char"#,
                r"~a~b~g~8~c_d~e~f\char8z\char",
            ),
            (
                Tex,
                r"a\texttildelow b{\texttildelow}c$\tilde{}$d\\[2pt]\\\hline",
                r"a~b~c~d [2pt] \hline",
            ),
            (Tex, r"\email{a}\href*{b}\'{e}\c{c}\Word x", r" a} b}\'{e}\c{c}\Word x"),
            (Texinfo, "me@@a.example@/b,c@comma{}d@x", "me@a.exampleb, c,d@x"),
            (Texinfo, "@uref{a,b} @dots{}", " a, b} …"),
            (Pod, "E<lt>meE<64>aE<0x2e>bE<056>cE<gt>E<sol>E<x", "<me@a.b.c>/E<x"),
            (Perl, r"me\@a.example E<eacute> \\@", r"me@a.example é \\@"),
            (
                Roff,
                r"\fBme\(at\f[BI]a\[at]b\s-1\:c\s0\-d\[u00E9]\m[blue]e\*(x\[zz]",
                "me@a@bc-déeX",
            ),
        ] {
            let rules = Rules::Escapes(grammar);
            let resolved = resolved.replace('X', r"\*(x\[zz]");
            assert_eq!(plainly_resolved(text, rules), resolved, "{grammar:?}");
            for cut in 0..=text.len() {
                if !text.is_char_boundary(cut) {
                    continue;
                }
                let whole = grammar.whole_escapes(&text.as_bytes()[..cut]);
                let parts = [&text[..whole], &text[whole..]];
                let parts = parts.map(|part| plainly_resolved(part, rules)).concat();
                assert_eq!(parts, resolved, "{grammar:?} {cut}");
            }
        }
    }
}

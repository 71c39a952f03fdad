//! AsciiDoc: links with a label, `link:`, `image:`, and references to other files (`xref:`, `<<`); delimited listings, monospaced and literal text.

use std::ops::Range;

use super::{LightBlock, trimmed};
use crate::context::{ContextKind, KnownContext};
use crate::markup::Content;

static LINK: KnownContext = KnownContext::new("asciidoc:link", ContextKind::DocumentLink);
static REFERENCE: KnownContext = KnownContext::new("asciidoc:xref", ContextKind::DocumentLink);
static IMAGE: KnownContext = KnownContext::new("asciidoc:image", ContextKind::Loaded);

/// Names of macros before a target, and the contexts of their links.
static MACROS: [(&[u8], &KnownContext); 4] =
    [(b"link:", &LINK), (b"xref:", &REFERENCE), (b"image::", &IMAGE), (b"image:", &IMAGE)];

/// Text before a bracket that makes it a link.
struct Macro {
    start: usize,
    target: Range<usize>,
    context: &'static KnownContext,
}

/// Maximum difference of the lengths of a title and of the line below it.
const NEAR: usize = 1;

/// What is known of a document from the blocks before.
#[derive(Clone, Debug, Default)]
pub(super) struct Asciidoc {
    /// The delimiter that ends the listing: a character, and how often it is there.
    fence: Option<(u8, usize)>,
}

impl Asciidoc {
    pub(super) fn read(&mut self, block: &mut LightBlock<'_>) {
        let mut run = 0..0;
        // The line before, if it may be a title.
        let mut before: &[u8] = b"";
        let mut is_first = true;
        for line in block.lines() {
            let written = block.bytes[line.clone()].trim_ascii_end();
            let is_end = self.fence.is_some() && delimiter(written) == self.fence;
            let begun =
                delimiter(written).filter(|_| self.fence.is_none() && !is_title(before, written));
            before = if is_first && may_be_title(written) { written } else { b"" };
            is_first &= is_of_next(written);
            if is_end {
                // A block begins after a listing.
                (before, is_first) = (b"", true);
            }
            run.end = line.start;
            if is_end || begun.is_some() {
                self.give(block, run);
                self.fence = begun;
                run = line.end..line.end;
            }
        }
        run.end = block.bytes.len();
        self.give(block, run);
    }

    fn give(&self, block: &mut LightBlock<'_>, run: Range<usize>) {
        match self.fence {
            Some(_) => block.text(run, Content::Code),
            None => inline(block, run),
        }
    }
}

/// Returns the delimiter of a listing; all fences of backticks are the same.
fn delimiter(line: &[u8]) -> Option<(u8, usize)> {
    if line.starts_with(b"```") {
        return Some((b'`', 3));
    }
    let first = *line.first().filter(|first| matches!(first, b'-' | b'.'))?;
    (line.len() >= 4 && line.iter().all(|byte| *byte == first)).then_some((first, line.len()))
}

/// Returns `true` if a line only underlines the title before it, which may be one.
fn is_title(before: &[u8], line: &[u8]) -> bool {
    let characters = before.iter().filter(|byte| !matches!(byte, 0x80..0xC0)).count();
    let lengths = [before.len(), characters];
    !before.is_empty()
        && line.starts_with(b"-")
        && lengths.iter().any(|len| len.abs_diff(line.len()) <= NEAR)
}

/// Returns `true` if the first line of a block may be a title that the next line underlines: it has a letter or a digit, and is not about the
/// next block, and no item of a list.
fn may_be_title(line: &[u8]) -> bool {
    let has_word = line.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    has_word && !line.starts_with(b".") && !is_of_next(line) && !is_item(line)
}

/// Returns `true` if a line belongs to the block after it: its attributes or its title, an attribute of the document, a comment.
fn is_of_next(line: &[u8]) -> bool {
    let is_entry = |rest: &[u8]| memchr::memchr(b':', rest).is_some_and(|len| len > 0);
    match line {
        [b'[', .., b']'] => true,
        [b'/', b'/', ..] => !line.starts_with(b"///"),
        [b'.', next, ..] => !next.is_ascii_whitespace() && *next != b'.',
        [b':', rest @ ..] => is_entry(rest),
        _ => false,
    }
}

/// Returns `true` if a line begins with the marker of an item: `*`, `-`, `1.`, `<1>`, or has the name of one: `a:: b`.
fn is_item(line: &[u8]) -> bool {
    let marker = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_alone = marker.len() == line.len();
    match marker {
        [.., b':', b':'] => true,
        _ if is_alone => false,
        [b'<', .., b'>'] | [b'-'] => true,
        [letter, b'.'] if letter.is_ascii_alphabetic() => true,
        [digits @ .., b'.'] if digits.iter().all(u8::is_ascii_digit) => true,
        stars => !stars.is_empty() && stars.iter().all(|byte| *byte == b'*'),
    }
}

/// Gives the links and literals of running text, and the text between them.
fn inline(block: &mut LightBlock<'_>, run: Range<usize>) {
    let bytes = block.bytes;
    let (mut from, mut at) = (run.start, run.start);
    // Without a closing character, none is searched again.
    let mut unclosed = [false; 3];
    let is_opening = |byte: &u8| matches!(byte, b'[' | b'`' | b'+' | b'<');
    while let Some(len) = bytes[at..run.end].iter().position(is_opening) {
        let open = at + len;
        at = open + 1;
        if bytes[open] == b'<' {
            if let Some((target, shown, end)) = reference(&bytes[..run.end], open) {
                block.text(from..open, Content::Asciidoc);
                give_link(block, shown, target, &REFERENCE);
                (from, at) = (end, end);
            }
            continue;
        }
        let passed = passed(bytes, from..run.end, open);
        let (kind, close) = match bytes[open] {
            _ if passed.is_some() => (0, b']'),
            b'[' => (0, b']'),
            b'`' => (1, b'`'),
            _ => (2, b'+'),
        };
        let found = match passed {
            Some((found, bracket)) => {
                at = bracket + 1;
                Some(found)
            }
            None if close == b']' => target_before(bytes, from..open),
            None => None,
        };
        let is_begun = match close {
            b']' => found.is_some(),
            b'+' => !is_in_word(bytes, open),
            _ => true,
        };
        if unclosed[kind] || !is_begun {
            continue;
        }
        let Some(len) = memchr::memchr(close, &bytes[at..run.end]) else {
            unclosed[kind] = true;
            continue;
        };
        let inside = at..at + len;
        if close != b']' {
            let is_literal = !inside.is_empty() && !bytes[inside.clone()].starts_with(b" ");
            if is_literal {
                block.text(from..open, Content::Asciidoc);
                block.text(within_pluses(bytes, inside.clone()), Content::Code);
                (from, at) = (inside.end + 1, inside.end + 1);
            }
        } else if let Some(Macro { start, target, context }) = found {
            block.text(from..start, Content::Asciidoc);
            if std::ptr::eq(context, &IMAGE) {
                let shown = alternative(bytes, inside.clone());
                give_link(block, Some(shown.clone()), target, context);
                if let Some(around) = link_around(bytes, inside.clone()) {
                    block.link(Some(shown), around, &LINK);
                }
            } else {
                give_link(block, Some(label(bytes, inside.clone())), target, context);
            }
            (from, at) = (inside.end + 1, inside.end + 1);
        }
    }
    block.text(from..run.end, Content::Asciidoc);
}

/// Gives a link; if its target is not known, only its text, as running text.
fn give_link(
    block: &mut LightBlock<'_>,
    shown: Option<Range<usize>>,
    target: Range<usize>,
    context: &'static KnownContext,
) {
    match is_known(&block.bytes[target.clone()]) {
        true => block.link(shown, target, context),
        false => block.text(shown.unwrap_or_default(), Content::Asciidoc),
    }
}

/// Returns `true` if a target is known without the attributes of the document: it refers to none (`{name}`), or only after the
/// host, where running text has links with braces too.
fn is_known(target: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':');
    let attribute = memchr::memchr_iter(b'{', target).find(|open| {
        let name = &target[open + 1..];
        let len = name.iter().take_while(|byte| is_name(byte)).count();
        len > 0 && name[len..].starts_with(b"}")
    });
    let Some(attribute) = attribute else { return true };
    let before = &target[..attribute];
    memchr::memmem::find(before, b"://")
        .is_some_and(|colon| memchr::memchr3(b'/', b'?', b'#', &before[colon + 3..]).is_some())
}

/// Returns the macro whose target is a passthrough that begins here (`link:++target++[`, `link:pass:[target][`), and the bracket
/// after it.
fn passed(bytes: &[u8], run: Range<usize>, open: usize) -> Option<(Macro, usize)> {
    let before = &bytes[run.start..open];
    let (head, inside, close): (_, _, &[u8]) = match bytes[open] {
        b'+' if bytes[open..].starts_with(b"+++") => (before, open + 3, b"+++"),
        b'+' if bytes[open..].starts_with(b"++") => (before, open + 2, b"++"),
        b'[' => {
            let is_kind = |byte: &u8| byte.is_ascii_lowercase() || *byte == b',';
            let kinds = before.iter().rev().take_while(|byte| is_kind(byte)).count();
            (before[..before.len() - kinds].strip_suffix(b"pass:")?, open + 1, b"]")
        }
        _ => return None,
    };
    let (name, context) = MACROS.into_iter().find(|(name, _)| head.ends_with(name))?;
    let start = run.start + head.len() - name.len();
    if is_in_word(bytes, start) || is_escaped(bytes, start) {
        return None;
    }
    let rest = bytes.get(inside..run.end)?;
    let len = match close {
        // The next one is searched from its own beginning.
        b"]" => memchr::memchr2(b'[', b']', rest).filter(|len| rest[*len] == b']')?,
        _ => memchr::memmem::find(rest, close)?,
    };
    let target = trimmed(bytes, inside..inside + len);
    let bracket = inside + len + close.len();
    let is_macro = !target.is_empty() && bytes[bracket..run.end].starts_with(b"[");
    is_macro.then_some((Macro { start, target, context }, bracket))
}

/// Returns the range of a monospaced text without the plus signs that make it literal: `` `+x+` ``.
fn within_pluses(bytes: &[u8], inside: Range<usize>) -> Range<usize> {
    match &bytes[inside.clone()] {
        [b'+', text @ .., b'+'] if !text.is_empty() => inside.start + 1..inside.end - 1,
        _ => inside,
    }
}

/// Returns `true` if a backslash is before this place.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1] == b'\\'
}

/// Returns `true` if a letter or digit is before this place.
fn is_in_word(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1)
        .is_some_and(|before| bytes[before].is_ascii_alphanumeric() || bytes[before] == b'+')
}

/// Returns the macro that ends before a bracket.
fn target_before(bytes: &[u8], before: Range<usize>) -> Option<Macro> {
    let start =
        bytes[before.clone()].iter().rposition(|byte| byte.is_ascii_whitespace() || *byte == b'[');
    let word = before.start + start.map_or(0, |space| space + 1)..before.end;
    let written = &bytes[word.clone()];
    for (name, context) in MACROS {
        let Some(found) = memchr::memmem::find(written, name) else { continue };
        let start = word.start + found;
        let target = start + name.len()..word.end;
        let is_target = match std::ptr::eq(context, &REFERENCE) {
            true => is_of_file(&bytes[target.clone()]),
            false => !target.is_empty(),
        };
        let is_macro = is_target && !is_in_word(bytes, start) && !is_escaped(bytes, start);
        return is_macro.then_some(Macro { start, target, context });
    }
    let colon = memchr::memmem::find(written, b"://")
        .or_else(|| memchr::memmem::find(written, b"mailto:").map(|at| at + 6))?;
    let scheme =
        written[..colon].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let start = word.start + colon - scheme;
    let is_link = scheme > 0 && !is_escaped(bytes, start);
    is_link.then_some(Macro { start, target: start..word.end, context: &LINK })
}

/// Returns the target, the text and the end of a reference to another file that begins here: `<<other.adoc#id,text>>`.
fn reference(bytes: &[u8], open: usize) -> Option<(Range<usize>, Option<Range<usize>>, usize)> {
    let inside = open + 2;
    if is_escaped(bytes, open) || !bytes[open..].starts_with(b"<<") {
        return None;
    }
    // The next reference is searched from its own beginning.
    let close = inside + memchr::memchr2(b'<', b'>', &bytes[inside..])?;
    if !bytes[close..].starts_with(b">>") {
        return None;
    }
    let comma = memchr::memchr(b',', &bytes[inside..close]).map(|len| inside + len);
    let target = trimmed(bytes, inside..comma.unwrap_or(close));
    let shown = comma.map(|comma| trimmed(bytes, comma + 1..close));
    is_of_file(&bytes[target.clone()]).then_some((target, shown, close + 2))
}

/// Returns `true` if the target of a reference names a file, not only a place in this document.
fn is_of_file(target: &[u8]) -> bool {
    let path = memchr::memchr(b'#', target).map_or(target, |at| &target[..at]);
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_file = path.len() < target.len() || memchr::memchr(b'.', name).is_some();
    !path.is_empty() && is_file && !path.iter().any(u8::is_ascii_whitespace)
}

/// Returns the alternative text in the brackets of an image: the first of its attributes.
fn alternative(bytes: &[u8], inside: Range<usize>) -> Range<usize> {
    let (first, _) = attribute(bytes, inside.clone());
    let is_quoted = matches!(bytes[inside.clone()].first(), Some(b'"' | b'\''));
    let is_named = !is_quoted && memchr::memchr(b'=', &bytes[first.clone()]).is_some();
    if is_named { inside.start..inside.start } else { first }
}

/// Returns the link around an image, which is an attribute in its brackets; `self` is the image, and one that is not known is none.
fn link_around(bytes: &[u8], inside: Range<usize>) -> Option<Range<usize>> {
    let mut at = inside.start;
    while at < inside.end {
        let begin = at + bytes[at..inside.end].iter().take_while(|byte| **byte == b' ').count();
        let value = bytes[begin..inside.end].strip_prefix(b"link=").map(|_| begin + 5);
        let (content, end) = attribute(bytes, value.unwrap_or(begin)..inside.end);
        if value.is_some() {
            let written = &bytes[content.clone()];
            let is_link = !written.is_empty() && written != b"self" && is_known(written);
            return is_link.then_some(content);
        }
        at = end + 1;
    }
    None
}

/// Returns the first attribute or value of a list without its quotes, and where it ends: at the comma after it.
fn attribute(bytes: &[u8], list: Range<usize>) -> (Range<usize>, usize) {
    let comma = |from: usize| {
        memchr::memchr(b',', &bytes[from..list.end]).map_or(list.end, |len| from + len)
    };
    if let Some(quote @ (b'"' | b'\'')) = bytes[list.clone()].first()
        && let Some(len) = memchr::memchr(*quote, &bytes[list.start + 1..list.end])
    {
        let close = list.start + 1 + len;
        return (trimmed(bytes, list.start + 1..close), comma(close));
    }
    let end = comma(list.start);
    (trimmed(bytes, list.start..end), end)
}

/// Returns the visible text in the brackets of a link: without attributes, quotes, and the caret that opens a window.
fn label(bytes: &[u8], inside: Range<usize>) -> Range<usize> {
    let text = &bytes[inside.clone()];
    if let Some(quoted) = text.strip_prefix(b"\"")
        && let Some(len) = memchr::memchr(b'"', quoted)
    {
        return inside.start + 1..inside.start + 1 + len;
    }
    let has_attributes = memchr::memchr(b'=', text).is_some();
    let len = memchr::memchr(b',', text).filter(|_| has_attributes).unwrap_or(text.len());
    let text = text[..len].strip_suffix(b"^").unwrap_or(&text[..len]);
    inside.start..inside.start + text.len()
}

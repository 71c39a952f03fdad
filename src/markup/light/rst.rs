//! reStructuredText: embedded URIs, hyperlink targets, images; inline literals, literal blocks and directives of code.

use std::ops::Range;

use super::{LightBlock, trimmed};
use crate::context::{ContextKind, KnownContext};
use crate::markup::Content;

static LINK: KnownContext = KnownContext::new("rst:link", ContextKind::DocumentLink);
static TARGET: KnownContext = KnownContext::new("rst:target", ContextKind::DocumentLink);
static IMAGE: KnownContext = KnownContext::new("rst:image", ContextKind::Loaded);

/// Directives whose content is code.
const CODE: [&[u8]; 5] =
    [b"code::", b"code-block::", b"sourcecode::", b"parsed-literal::", b"prompt::"];

/// What is known of a document from the blocks before.
#[derive(Clone, Debug, Default)]
pub(super) struct Rst {
    /// Lines that are indented more than this are of this kind.
    inside: Option<(usize, RstLines)>,
}

/// What lines are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RstLines {
    Prose,
    Code,
    /// Text without markup.
    Comment,
}

/// Line that is not running text alone.
enum Explicit {
    Code,
    Comment,
    /// The next line has the URI.
    Below(UriBelow),
    /// An image with its text: that of its option, or the name that is replaced by it.
    Image {
        shown: Option<Range<usize>>,
        target: Range<usize>,
    },
    /// The link of the image before.
    Around(Range<usize>),
    Link {
        shown: Option<Range<usize>>,
        target: Range<usize>,
        context: &'static KnownContext,
    },
}

/// What has its URI on the line below.
enum UriBelow {
    /// A target, with its name.
    Target(Option<Range<usize>>),
    /// An image, with the name that is replaced by it.
    Image(Option<Range<usize>>),
}

impl Rst {
    pub(super) fn read(&mut self, block: &mut LightBlock<'_>) {
        // Lines that follow each other, and their kind.
        let (mut run, mut kind) = (0..0, RstLines::Prose);
        let mut last = None;
        // Whose URI is to come, and the text of the last image.
        let (mut open, mut image) = (None, None);
        // End of the last target, which may be some lines below its beginning.
        let mut done = 0;
        for line in block.lines() {
            if line.start < done {
                run = line.end..line.end;
                continue;
            }
            let written = &block.bytes[line.clone()];
            let content = trimmed(block.bytes, line.clone());
            let indent = written.len() - written.trim_ascii_start().len();
            let now = match self.inside {
                // An empty line belongs to what is before it.
                _ if content.is_empty() => kind,
                Some((outer, inner)) if indent > outer => inner,
                _ => RstLines::Prose,
            };
            let is_literal = now != RstLines::Prose;
            if !is_literal && !content.is_empty() {
                self.inside = None;
            }
            if now != kind {
                give(block, run, kind);
                (run, kind) = (line.start..line.start, now);
            }
            if !block.bytes[content.clone()].starts_with(b":") {
                image = None;
            }
            let below = open.take().filter(|(_, outer)| !is_literal && indent > *outer);
            let explicit = match below {
                // An option of an image without a URI.
                Some(_) if block.bytes[content.clone()].starts_with(b":") => {
                    explicit(block.bytes, content.clone(), indent)
                }
                Some((of, outer)) => uri_below(block.bytes, of, content.clone(), outer),
                None if is_literal => None,
                None => explicit(block.bytes, content.clone(), indent),
            };
            let link = match explicit {
                Some(Explicit::Link { shown, target, context }) => Some((shown, target, context)),
                Some(Explicit::Image { shown, target }) => {
                    image = alternative(block.bytes, target.end).or(shown);
                    Some((image.clone(), target, &IMAGE))
                }
                Some(Explicit::Around(target)) => Some((image.take(), target, &LINK)),
                Some(Explicit::Code) => {
                    self.inside = Some((indent, RstLines::Code));
                    None
                }
                Some(Explicit::Comment) => {
                    give(block, run, kind);
                    (run, kind) = (line.start..line.start, RstLines::Comment);
                    // Without a text it has no lines below an empty one.
                    let is_empty = content.len() == 2 && is_last_line(block.bytes, line.end);
                    self.inside = (!is_empty).then_some((indent, RstLines::Comment));
                    None
                }
                Some(Explicit::Below(of)) => {
                    open = Some((of, indent));
                    None
                }
                None => None,
            };
            if let Some((shown, target, context)) = link {
                give(block, run, kind);
                done = target.end;
                block.link(shown, target, context);
                run = line.end..line.end;
            }
            if run.end == line.start {
                run.end = line.end;
            }
            if !content.is_empty() {
                last = (!is_literal).then_some((content, indent));
            }
        }
        give(block, run, kind);
        if let Some((content, indent)) = last
            && block.bytes[content.clone()].ends_with(b"::")
            && !block.bytes[content].starts_with(b"..")
        {
            self.inside = Some((indent, RstLines::Code));
        }
    }
}

fn give(block: &mut LightBlock<'_>, run: Range<usize>, kind: RstLines) {
    match kind {
        RstLines::Prose => inline(block, run),
        RstLines::Code => block.text(run, Content::Code),
        RstLines::Comment => block.text(run, Content::Running),
    }
}

/// Returns `true` if no text of the block follows this offset.
fn is_last_line(bytes: &[u8], at: usize) -> bool {
    bytes[at..line_end(bytes, at)].trim_ascii().is_empty()
}

/// Returns `true` if what follows `.. ` is a comment: not a target, a substitution, a note or a directive.
fn is_comment(text: &[u8]) -> bool {
    let is_of_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.+:".contains(byte) || *byte >= 0x80;
    let is_directive = || {
        let name = text.iter().take_while(|byte| is_of_name(byte)).count();
        let (name, rest) = text.split_at(name);
        // A space may be between the name and the colons.
        let is_apart = rest.starts_with(b" ::") && !name.is_empty();
        name.len() > 2 && name.ends_with(b"::") || is_apart
    };
    !matches!(text.first(), Some(b'_' | b'|' | b'[')) && !is_directive()
}

/// Reads a line that begins with explicit markup, or an option of a directive.
fn explicit(bytes: &[u8], line: Range<usize>, indent: usize) -> Option<Explicit> {
    let end = line.end;
    let rest = |from: usize| trimmed(bytes, from..end);
    let whole = |target: Range<usize>| target.start..joined_end(bytes, target.end, indent);
    let after = |at: usize, prefix: &[u8]| {
        bytes[at..end].starts_with(prefix).then(|| rest(at + prefix.len()))
    };
    let link = |shown, target: Range<usize>, context| {
        let target = whole(target);
        let is_link = !target.is_empty() && !is_alias(&bytes[target.clone()]);
        is_link.then_some(Explicit::Link { shown, target, context })
    };
    if let Some(target) = after(line.start, b":target: ") {
        let target = whole(target);
        let is_link = !target.is_empty() && !is_alias(&bytes[target.clone()]);
        return is_link.then_some(Explicit::Around(target));
    }
    if let Some(target) = after(line.start, b"__ ").or(after(line.start, b".. __: ")) {
        return link(None, target, &TARGET);
    }
    if bytes[line.clone()] == *b".. __:" {
        return Some(Explicit::Below(UriBelow::Target(None)));
    }
    if bytes[line.clone()] == *b".." {
        return Some(Explicit::Comment);
    }
    let mut inner = after(line.start, b".. ")?;
    if is_comment(&bytes[inner.clone()]) {
        return Some(Explicit::Comment);
    }
    if CODE.iter().any(|directive| bytes[inner.clone()].starts_with(directive)) {
        return Some(Explicit::Code);
    }
    if let Some(name) = after(inner.start, b"_") {
        let quoted = bytes[name.clone()].starts_with(b"`");
        let (shown, close): (_, &[u8]) =
            if quoted { (name.start + 1, b"`: ") } else { (name.start, b": ") };
        let rest_of_line = &bytes[shown..end];
        let Some(len) = memchr::memmem::find(rest_of_line, close) else {
            let name = rest_of_line.strip_suffix(&close[..close.len() - 1])?;
            let name = shown..shown + name.len();
            return Some(Explicit::Below(UriBelow::Target(Some(name))));
        };
        return link(Some(shown..shown + len), rest(shown + len + close.len()), &TARGET);
    }
    let mut shown = None;
    if bytes[inner.clone()].starts_with(b"|") {
        let name = inner.start + 1;
        let len = memchr::memchr(b'|', &bytes[name..end])?;
        shown = Some(name..name + len);
        inner = rest(name + len + 1);
    }
    if [&b"image::"[..], b"figure::"].contains(&&bytes[inner.clone()]) {
        return Some(Explicit::Below(UriBelow::Image(shown)));
    }
    let target = after(inner.start, b"image:: ").or(after(inner.start, b"figure:: "))?;
    Some(Explicit::Image { shown, target: whole(target) })
}

/// Reads the line below the name of a target or an image: it begins the URI, unless it has spaces, or names another target.
fn uri_below(bytes: &[u8], of: UriBelow, line: Range<usize>, outer: usize) -> Option<Explicit> {
    let first = &bytes[line.clone()];
    let is_uri = !first.is_empty()
        && !first.starts_with(b"..")
        && !first.iter().any(u8::is_ascii_whitespace);
    let target = line.start..joined_end(bytes, line.end, outer);
    match of {
        _ if !is_uri => None,
        UriBelow::Image(shown) => Some(Explicit::Image { shown, target }),
        UriBelow::Target(_) if is_alias(&bytes[target.clone()]) => None,
        UriBelow::Target(shown) => Some(Explicit::Link { shown, target, context: &TARGET }),
    }
}

/// Returns the end of a target whose first line ends at `end`: it continues on the lines below that are indented more than
/// `outer`, up to other markup or an option.
fn joined_end(bytes: &[u8], mut end: usize, outer: usize) -> usize {
    let mut at = line_end(bytes, end);
    while at < bytes.len() {
        let next = line_end(bytes, at);
        let line = trimmed(bytes, at..next);
        let written = &bytes[line.clone()];
        let is_other = [&b".. "[..], b"__ ", b":"].iter().any(|other| written.starts_with(other));
        if line.is_empty() || line.start - at <= outer || is_other {
            break;
        }
        (end, at) = (line.end, next);
    }
    end
}

/// Returns where the line ends in which this offset is, after its line break.
fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |len| at + len + 1)
}

/// Returns the text of an image whose target ends at `end`; it is among the options on the lines below.
fn alternative(bytes: &[u8], end: usize) -> Option<Range<usize>> {
    let mut at = line_end(bytes, end);
    loop {
        let end = line_end(bytes, at);
        let option = trimmed(bytes, at..end);
        let written = &bytes[option.clone()];
        if written.starts_with(b":alt: ") {
            return Some(trimmed(bytes, option.start + 6..option.end));
        }
        if !written.starts_with(b":") {
            return None;
        }
        at = end;
    }
}

/// Returns `true` if a target is the name of another one.
fn is_alias(target: &[u8]) -> bool {
    target.ends_with(b"_") && !target.ends_with(b"\\_")
}

/// Gives the links and literals of running text, and the text between them.
fn inline(block: &mut LightBlock<'_>, run: Range<usize>) {
    let bytes = block.bytes;
    let (mut from, mut at) = (run.start, run.start);
    while let Some(len) = memchr::memchr(b'`', &bytes[at..run.end]) {
        let open = at + len;
        let is_literal = bytes[open..run.end].starts_with(b"``");
        let (inside, close): (_, &[u8]) =
            if is_literal { (open + 2, b"``") } else { (open + 1, b"`") };
        let Some(len) = memchr::memmem::find(&bytes[inside..run.end], close) else { break };
        let inside = inside..inside + len;
        at = inside.end + close.len();
        if is_literal {
            block.text(from..open, Content::Running);
            block.text(inside, Content::Code);
            from = at;
        } else if let Some((shown, target)) = embedded(bytes, inside)
            && bytes[at..run.end].starts_with(b"_")
        {
            block.text(from..open, Content::Running);
            block.link(Some(shown), target, &LINK);
            at += if bytes[at..run.end].starts_with(b"__") { 2 } else { 1 };
            from = at;
        }
    }
    block.text(from..run.end, Content::Running);
}

/// Returns the text and the target of `text <target>`. White space is before the bracket, unless there is no text.
fn embedded(bytes: &[u8], inside: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let inner = bytes[inside.clone()].strip_suffix(b">")?;
    let is_escaped = |at: usize| {
        let backslashes = inner[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        backslashes % 2 == 1
    };
    let open = memchr::memrchr_iter(b'<', inner).find(|open| !is_escaped(*open))?;
    if is_escaped(inner.len()) || open > 0 && !inner[open - 1].is_ascii_whitespace() {
        return None;
    }
    let target = trimmed(bytes, inside.start + open + 1..inside.end - 1);
    let is_target = !target.is_empty() && !is_alias(&bytes[target.clone()]);
    is_target.then(|| (trimmed(bytes, inside.start..inside.start + open), target))
}

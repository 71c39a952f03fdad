//! Converts text to HTML with its links marked, as mail and chat clients show it.
//!
//! ```
//! use linksift::html::{Linkify, linkify};
//!
//! let html = linkify("see <example.com/?a&b>", &Linkify::new());
//! assert_eq!(html, concat!(
//!     r#"see &lt;<a href="https://example.com/?a&amp;b" rel="noopener noreferrer">"#,
//!     "example.com/?a&amp;b</a>&gt;",
//! ));
//! ```
//!
//! The result is safe by construction: all of the text is escaped, the target of a link is the URI that the link maps to,
//! and schemes that run programs in the page are never links. Without its tags and with its references resolved the result
//! is the text. The conversion takes one pass, and uses no placeholders that could occur in a text.

mod anchor;
mod compose;
mod nodes;
mod options;
mod tags;

use std::borrow::Cow;

pub use anchor::Anchor;
pub use compose::Composer;
pub use options::{Linkify, Newlines, OnSuspect};
use tags::{Citations, LinkTags, is_mixed};

use crate::context::ContextKind;
use crate::driver::memory::{Links, STEP, Step};
use crate::input::guard::Cancel;
use crate::link::Link;
use crate::notice::ScanError;

/// Returns `text` as HTML with its links marked.
///
/// ```
/// use linksift::html::{Linkify, linkify};
///
/// let options = Linkify::new().class("link").rel("nofollow");
/// assert_eq!(
///     linkify("a@example.com", &options),
///     r#"<a href="mailto:a@example.com" rel="nofollow" class="link">a@example.com</a>"#,
/// );
/// ```
pub fn linkify(text: &str, options: &Linkify) -> String {
    // Most texts have few links, and few characters that must be escaped.
    let mut html = String::with_capacity(text.len() + text.len() / 4 + 64);
    linkify_into(text, options, &mut html);
    html
}

/// Like [`linkify`], for long texts: a token cancels it within about a MiB of text.
///
/// The token is cancelled from another thread.
///
/// # Errors
///
/// Returns [`ScanError::Cancelled`] if it was cancelled. Part of a text is never returned.
///
/// ```
/// use linksift::html::{Linkify, linkify, linkify_until};
/// use linksift::{Cancel, ScanError};
///
/// let (options, cancel) = (Linkify::new(), Cancel::new());
/// let text = "see example.com ".repeat(1_000);
/// assert_eq!(linkify_until(&text, &options, &cancel)?, linkify(&text, &options));
/// cancel.cancel();
/// assert!(matches!(linkify_until(&text, &options, &cancel), Err(ScanError::Cancelled)));
/// # Ok::<(), ScanError>(())
/// ```
pub fn linkify_until(text: &str, options: &Linkify, cancel: &Cancel) -> Result<String, ScanError> {
    until(text, options, cancel, linkify)
}

/// Like [`linkify_html`], for long pages: a token cancels it within about a MiB of text.
///
/// # Errors
///
/// Returns [`ScanError::Cancelled`] if it was cancelled. Part of a page is never returned.
///
/// ```
/// use linksift::html::{Linkify, linkify_html_until};
/// use linksift::{Cancel, ScanError};
///
/// let (options, cancel) = (Linkify::new().rel(""), Cancel::new());
/// let html = linkify_html_until("<p>example.com", &options, &cancel);
/// assert_eq!(html?, r#"<p><a href="https://example.com">example.com</a>"#);
/// cancel.cancel();
/// let cancelled = linkify_html_until("<p>example.com", &options, &cancel);
/// assert!(matches!(cancelled, Err(ScanError::Cancelled)));
/// # Ok::<(), ScanError>(())
/// ```
#[cfg(feature = "documents")]
pub fn linkify_html_until(
    source: &str,
    options: &Linkify,
    cancel: &Cancel,
) -> Result<String, ScanError> {
    until(source, options, cancel, linkify_html)
}

fn until(
    text: &str,
    options: &Linkify,
    cancel: &Cancel,
    make: fn(&str, &Linkify) -> String,
) -> Result<String, ScanError> {
    let html = make(text, &options.ended_by(cancel));
    if cancel.is_cancelled() { Err(ScanError::Cancelled) } else { Ok(html) }
}

/// Appends `text` as HTML, with its links marked, to `html`.
fn linkify_into(text: &str, options: &Linkify, html: &mut String) {
    let is_mixed = pieces(text, options).any(is_mixed);
    let mut writer = HtmlWriter { options, html, citations: Citations::default(), is_mixed };
    let mut done = 0;
    #[cfg(feature = "mail")]
    if options.joins
        && let Some(joined) = crate::mail::joined(text)
    {
        for link in (Steps { links: options.finder.links_in(joined.bytes()), options }) {
            let range = joined.place(link.range());
            if range.start >= done {
                writer.text(&text[done..range.start]);
                writer.link(&link, &text[range.clone()]);
                done = range.end;
            }
        }
        writer.text(&text[done..]);
        return writer.finish();
    }
    for link in (Steps { links: options.finder.links(text), options }) {
        let range = link.range();
        writer.text(&text[done..range.start]);
        writer.link(&link, &text[range.clone()]);
        done = range.end;
    }
    writer.text(&text[done..]);
    writer.finish();
}

/// Returns HTML with the bare links in its text marked; everything else is unchanged, byte for byte.
///
/// Text inside `a`, `script`, `style` and other elements without markup or links (`textarea`, `title`, `button`, `select`,
/// `svg` …) is not changed. The function does not make unsafe HTML safe: the input is trusted.
///
/// ```
/// use linksift::html::{Linkify, linkify_html};
///
/// let html = linkify_html("<p>see example.com/?a&amp;b <a href=x>example.org</a>", &Linkify::new().rel(""));
/// assert_eq!(html, concat!(
///     r#"<p>see <a href="https://example.com/?a&amp;b">example.com/?a&amp;b</a> "#,
///     "<a href=x>example.org</a>",
/// ));
/// ```
#[cfg(feature = "documents")]
pub fn linkify_html(source: &str, options: &Linkify) -> String {
    use crate::detect::document::{Format, Hints, NonText};

    let mut html = String::with_capacity(source.len() + source.len() / 4 + 64);
    let is_mixed = pieces(source, options).any(is_mixed);
    let mut done = 0;
    let mut hints = Hints::new().format(Format::Html).charset(crate::charset::Charset::UTF_8);
    // A text is read, however it begins.
    hints.scope.non_text = NonText::ByDisposition;
    for node in nodes::Nodes::new(source) {
        let text = &source[node.clone()];
        // A text without any of these contains no link.
        if !text.bytes().any(|b| matches!(b, b'.' | b':' | b'@' | b'&') || b >= 0x80) {
            continue;
        }
        if options.is_cancelled() {
            return html;
        }
        let Ok(candidates) = options.finder.document(text.as_bytes(), &hints) else { continue };
        for link in (Steps { links: candidates.links(), options }) {
            let range = node.start + link.range().start..node.start + link.range().end;
            let is_sound = range.start >= done && link.body.context.kind() == ContextKind::Text;
            let Some(written) = source.get(range.clone()).filter(|_| is_sound) else { continue };
            html.push_str(&source[done..range.start]);
            match LinkTags::of(options, &link, written, is_mixed) {
                Some(anchor) => {
                    anchor.push(&link, written, &mut html, |text, html| html.push_str(text))
                }
                None => html.push_str(written),
            }
            done = range.end;
        }
    }
    if !options.is_cancelled() {
        html.push_str(&source[done..]);
    }
    html
}

/// Iterator over links, until it is cancelled.
struct Steps<'s, 't> {
    links: Links<'s, 't>,
    options: &'s Linkify,
}

impl<'t> Iterator for Steps<'_, 't> {
    type Item = Link<'t>;

    fn next(&mut self) -> Option<Link<'t>> {
        let cancel = self.options.cancel();
        if cancel.is_none() {
            return self.links.next();
        }
        match Step::until(cancel, |bytes| self.links.next_within(bytes)) {
            Step::Found(link) => Some(link),
            Step::Budget | Step::Done => None,
        }
    }
}

/// Writer of HTML according to the options.
struct HtmlWriter<'w> {
    options: &'w Linkify,
    html: &'w mut String,
    citations: Citations,
    /// Whether the text has characters of right-to-left scripts.
    is_mixed: bool,
}

impl HtmlWriter<'_> {
    /// Appends text between links.
    fn text(&mut self, text: &str) {
        if !self.options.citations {
            for piece in pieces(text, self.options) {
                escaped(self.options, piece, self.html);
            }
            return;
        }
        for line in text.split_inclusive('\n') {
            if self.options.is_cancelled() {
                return;
            }
            self.citations.line(line, self.html);
            escaped(self.options, line, self.html);
            self.citations.end(line);
        }
    }

    fn link(&mut self, link: &Link<'_>, text: &str) {
        if self.options.citations {
            self.citations.line(text, self.html);
        }
        let options = self.options;
        match LinkTags::of(options, link, text, self.is_mixed) {
            Some(anchor) => {
                anchor.push(link, text, self.html, |text, html| escaped(options, text, html))
            }
            None => escaped(options, text, self.html),
        }
        if self.options.citations {
            self.citations.end(text);
        }
    }

    fn finish(mut self) {
        self.citations.close(0, self.html);
    }
}

/// Returns an iterator over the pieces of a text, until it is cancelled.
fn pieces<'t>(text: &'t str, options: &Linkify) -> impl Iterator<Item = &'t str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() || options.is_cancelled() {
            return None;
        }
        let (piece, behind) = rest.split_at(piece(rest));
        rest = behind;
        Some(piece)
    })
}

/// Returns the number of bytes that are processed between two checks for cancellation: all, or about a step, without
/// splitting a line end.
fn piece(text: &str) -> usize {
    let end = (STEP..text.len()).find(|&at| {
        text.is_char_boundary(at) && text.as_bytes().get(at - 1).is_none_or(|byte| *byte != b'\r')
    });
    end.unwrap_or(text.len())
}

/// Appends escaped text, with its line ends marked if requested.
fn escaped(options: &Linkify, text: &str, html: &mut String) {
    match options.newlines {
        Newlines::Keep => push_escaped(text, html),
        Newlines::Break => {
            let mut rest = text;
            while let Some(at) = memchr::memchr2(b'\r', b'\n', rest.as_bytes()) {
                let len = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
                push_escaped(&rest[..at], html);
                html.push_str("<br>");
                html.push_str(&rest[at..at + len]);
                rest = &rest[at + len..];
            }
            push_escaped(rest, html);
        }
    }
}

/// Returns a text with the five characters that HTML reserves as character references, for text and attribute values in either
/// quotes. A text without any is borrowed.
///
/// ```
/// use linksift::html::escape;
///
/// assert_eq!(escape("a < 'b' & c"), "a &lt; &#39;b&#39; &amp; c");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')) {
        return Cow::Borrowed(text);
    }
    let mut html = String::with_capacity(text.len() + 16);
    push_escaped(text, &mut html);
    Cow::Owned(html)
}

/// Appends text with the special characters of HTML escaped.
fn push_escaped(text: &str, html: &mut String) {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => continue,
        };
        html.push_str(&text[done..at]);
        html.push_str(reference);
        done = at + 1;
    }
    html.push_str(&text[done..]);
}

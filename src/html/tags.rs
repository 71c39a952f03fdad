//! HTML around text: the tags of a link with the emphasised part of its text, and elements around quoted lines.

use std::borrow::Cow;
use std::ops::Range;

use super::anchor::{Anchor, push_attribute};
use super::options::{Linkify, OnSuspect};
use super::push_escaped;
use crate::link::{Link, LinkKind};
use crate::tables::direction::is_of_right_to_left;
use crate::tables::schemes;
use crate::trust::registrable;
use crate::warning::Severity;

/// Start and end tag of a link.
pub(super) struct LinkTags<'l> {
    options: &'l Linkify,
    uri: Cow<'l, str>,
    /// What the caller's hook has made of the tag.
    anchor: Option<Anchor>,
    /// Its severity, if that is shown.
    marked: Option<Severity>,
    is_isolated: bool,
    /// Range of the link's text that is emphasised.
    strong: Option<Range<usize>>,
}

impl<'l> LinkTags<'l> {
    /// Creates the tags for a link as written; `None` if it is left as text. `is_mixed`: there are characters of
    /// right-to-left scripts around it.
    pub(super) fn of(
        options: &'l Linkify,
        link: &'l Link<'_>,
        written: &str,
        is_mixed: bool,
    ) -> Option<LinkTags<'l>> {
        let uri = link.uri();
        let scheme = uri.split(':').next().unwrap_or_default();
        let is_scheme = |listed: &str| listed.eq_ignore_ascii_case(scheme);
        let is_listed = options.schemes.iter().any(|listed| is_scheme(listed));
        let is_never = schemes::has_conduct(scheme, schemes::NEVER_LINKED);
        if !is_listed || is_never || scheme.len() == uri.len() {
            return None;
        }
        let severity = link.severity().filter(|severity| *severity >= Severity::Suspect);
        let marked = match (severity, options.on_suspect) {
            (None, _) | (_, OnSuspect::Link) => None,
            (Some(_), OnSuspect::Text) => return None,
            (marked, OnSuspect::Mark) => marked,
        };
        let strong = options.emphasizes_host.then(|| site(link, written)).flatten();
        let anchor = match &options.hook {
            None => None,
            Some(hook) => Some(hook.anchor(link, &uri)?),
        };
        Some(LinkTags {
            options,
            uri,
            anchor,
            marked,
            is_isolated: options.isolates && is_mixed,
            strong,
        })
    }

    /// Appends the link. `push` appends a piece of its text as HTML.
    pub(super) fn push(
        &self,
        link: &Link<'_>,
        text: &str,
        html: &mut String,
        push: impl Fn(&str, &mut String),
    ) {
        html.push_str("<a href=\"");
        push_escaped(self.anchor.as_ref().map_or(&*self.uri, Anchor::target), html);
        html.push('"');
        let mark = self.marked.map(|severity| self.mark(link, severity));
        match (&self.anchor, &mark) {
            (Some(anchor), mark) => {
                let Linkify { rel, target, class, .. } = self.options;
                let (class, title) = match mark {
                    None => (class.as_str(), ""),
                    Some((class, title)) => (class.as_str(), title.as_str()),
                };
                let set = [("rel", &**rel), ("target", target), ("class", class), ("title", title)];
                anchor.push_attributes(set, html);
            }
            (None, None) => html.push_str(&self.options.attributes),
            (None, Some((class, title))) => {
                html.push_str(&self.options.attributes[..self.options.class_start]);
                push_attribute("class", class, html);
                push_attribute("title", title, html);
            }
        }
        html.push('>');
        if self.is_isolated {
            html.push_str("<bdi dir=\"ltr\">");
        }
        match &self.strong {
            Some(strong) => {
                push(&text[..strong.start], html);
                html.push_str("<b>");
                push(&text[strong.clone()], html);
                html.push_str("</b>");
                push(&text[strong.end..], html);
            }
            None => push(text, html),
        }
        html.push_str(if self.is_isolated { "</bdi></a>" } else { "</a>" });
    }

    /// Returns the class of a suspect link, which has its severity, and its title, which has the reason.
    fn mark(&self, link: &Link<'_>, severity: Severity) -> (String, String) {
        let severity = severity.as_str();
        let class = match &*self.options.class {
            "" => severity.to_owned(),
            class => format!("{class} {severity}"),
        };
        let mut title = format!("{severity}: {}", link.findings().sentences(Severity::Suspect));
        if let Some(host) = link.host() {
            title.extend([" Goes to ", &host]);
        }
        (class, title)
    }
}

/// Returns the range of the site in the text of a link: the registrable domain of its host, if the text contains it
/// literally.
fn site(link: &Link<'_>, written: &str) -> Option<Range<usize>> {
    // The domain of an e-mail address only identifies the mail provider.
    if link.kind() == LinkKind::Email || link.body.text() != written || link.host().is_none() {
        return None;
    }
    let start = written.find("://").map_or(0, |at| at + 3);
    let authority = written[start..].split(['/', '?', '#']).next().unwrap_or_default();
    let at = authority.rfind('@').map_or(0, |at| at + 1);
    let rest = &authority[at..];
    let end = match rest.find(']') {
        Some(bracket) => bracket + 1,
        None => rest.find(':').unwrap_or(rest.len()),
    };
    let name = rest[..end].strip_suffix('.').unwrap_or(&rest[..end]);
    let site = registrable(name);
    let start = start + at + name.len() - site.len();
    (!site.is_empty()).then_some(start..start + site.len())
}

/// Returns `true` if a text has characters of a script that is written from right to left, or controls that change the
/// direction: such text around a link reorders its parts.
pub(super) fn is_mixed(text: &str) -> bool {
    // No such character begins with a lower byte.
    text.bytes().any(|b| b >= 0xD6)
        && text.chars().any(|c| {
            is_of_right_to_left(c)
                || matches!(c, '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        })
}

/// Maximum depth of elements; deeper citations are in the deepest element.
const DEEPEST: usize = 32;

/// The elements that are open.
#[derive(Debug)]
pub(super) struct Citations {
    depth: usize,
    /// Whether the next piece begins a line.
    is_at_start: bool,
}

impl Default for Citations {
    fn default() -> Citations {
        Citations { depth: 0, is_at_start: true }
    }
}

impl Citations {
    /// Opens and closes elements before a piece of a line; at the start of a line the signs are counted.
    pub(super) fn line(&mut self, piece: &str, html: &mut String) {
        if !self.is_at_start || piece.is_empty() {
            return;
        }
        let depth = depth(piece).min(DEEPEST);
        self.close(depth, html);
        while self.depth < depth {
            html.push_str("<blockquote>");
            self.depth += 1;
        }
    }

    /// Processes the end of a piece.
    pub(super) fn end(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.is_at_start = piece.ends_with('\n');
        }
    }

    /// Closes elements until this many are open.
    pub(super) fn close(&mut self, depth: usize, html: &mut String) {
        while self.depth > depth {
            html.push_str("</blockquote>");
            self.depth -= 1;
        }
    }
}

/// Returns the number of signs at a line's start, which may have single spaces between them.
fn depth(line: &str) -> usize {
    let (mut depth, mut is_after_space) = (0, false);
    for byte in line.bytes() {
        match byte {
            b'>' => (depth, is_after_space) = (depth + 1, false),
            b' ' if depth > 0 && !is_after_space => is_after_space = true,
            _ => break,
        }
    }
    depth
}

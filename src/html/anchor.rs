//! The start tag of a link, as a caller's hook may change it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::push_escaped;
use crate::link::Link;
use crate::tables::schemes;

/// Function that a caller sets for each link.
#[derive(Clone)]
pub(super) struct Hook(Arc<EachLink>);

type EachLink = dyn Fn(&Link<'_>, &mut Anchor) + Send + Sync;

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

impl Hook {
    pub(super) fn new(hook: impl Fn(&Link<'_>, &mut Anchor) + Send + Sync + 'static) -> Hook {
        Hook(Arc::new(hook))
    }

    /// Returns the tag of a link as the function wants it; `None` if the link is left as text.
    pub(super) fn anchor(&self, link: &Link<'_>, href: &str) -> Option<Anchor> {
        let mut anchor = Anchor { href: href.to_owned(), attributes: Vec::new(), is_link: true };
        (self.0)(link, &mut anchor);
        anchor.is_link.then_some(anchor)
    }
}

/// The start tag of a link, for the function of [`Linkify::each`](super::Linkify::each). Values are escaped.
///
/// ```
/// use linksift::html::{Anchor, Linkify, linkify};
///
/// fn show_host(link: &linksift::Link<'_>, anchor: &mut Anchor) {
///     anchor.attribute("title", &link.host().unwrap_or_default());
/// }
/// let html = linkify("example.com/a", &Linkify::new().rel("").each(show_host));
/// assert_eq!(html, r#"<a href="https://example.com/a" title="example.com">example.com/a</a>"#);
/// ```
#[derive(Debug)]
pub struct Anchor {
    href: String,
    attributes: Vec<(String, String)>,
    is_link: bool,
}

impl Anchor {
    /// Sets the target, which may be relative. With a scheme that runs programs in the page (`javascript`, `data`) the link is
    /// left as text.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let to = |href: &'static str| {
    ///     let options = Linkify::new().rel("").each(move |_, anchor| drop(anchor.href(href)));
    ///     linkify("example.com", &options)
    /// };
    /// assert_eq!(to("/a?b&c"), r#"<a href="/a?b&amp;c">example.com</a>"#);
    /// assert_eq!(to("JavaScript:alert(1)"), "example.com");
    /// ```
    pub fn href(&mut self, href: &str) -> &mut Anchor {
        // As a browser reads it: without tabs and line ends, and without white space and controls in front.
        let read: Cow<'_, str> = match href.contains(['\t', '\n', '\r']) {
            true => href.replace(['\t', '\n', '\r'], "").into(),
            false => href.into(),
        };
        let read = read.trim_start_matches(|c: char| c <= ' ');
        let scheme = read.split_once(':').map_or("", |(scheme, _)| scheme);
        self.is_link &= !schemes::has_conduct(scheme, schemes::NEVER_LINKED);
        self.href = href.to_owned();
        self
    }

    /// Sets an attribute, in place of that of the options if these have one (`rel`, `target`, `class`). An empty value of one of
    /// these removes it. `href`, and names that are not made of ASCII letters, digits, `-`, `_`, `.` and `:`, are
    /// ignored.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let options = Linkify::new().class("link").each(|link, anchor| {
    ///     anchor.attribute("rel", "ugc").attribute("data-raw", link.raw());
    /// });
    /// assert_eq!(
    ///     linkify("example.com", &options),
    ///     r#"<a href="https://example.com" rel="ugc" class="link" data-raw="example.com">example.com</a>"#,
    /// );
    /// ```
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Anchor {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_name) || name.eq_ignore_ascii_case("href") {
            return self;
        }
        self.attributes.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Leaves the link as text.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let options = Linkify::new().each(|_, anchor| anchor.unlink());
    /// assert_eq!(linkify("see example.com", &options), "see example.com");
    /// ```
    pub fn unlink(&mut self) {
        self.is_link = false;
    }

    pub(super) fn target(&self) -> &str {
        &self.href
    }

    /// Appends the attributes after the target: those of the options, as far as they are not set here, then all others.
    pub(super) fn push_attributes(&self, of_options: [(&str, &str); 4], html: &mut String) {
        let set =
            |name: &str| self.attributes.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        for (name, value) in of_options {
            let value = set(name).map_or(value, |(_, value)| value);
            if !value.is_empty() {
                push_attribute(name, value, html);
            }
        }
        for (name, value) in &self.attributes {
            if of_options.iter().all(|(other, _)| !other.eq_ignore_ascii_case(name)) {
                push_attribute(name, value, html);
            }
        }
    }
}

/// Appends an attribute.
pub(super) fn push_attribute(name: &str, value: &str, html: &mut String) {
    html.extend([" ", name, "=\""]);
    push_escaped(value, html);
    html.push('"');
}

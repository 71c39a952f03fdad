//! How text becomes HTML.

use crate::finder::Finder;
use crate::link::Link;

use super::escape;

/// What becomes of line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Newlines {
    /// They stay as they are: for `pre`, or `white-space: pre-wrap`.
    #[default]
    Keep,
    /// A `<br>` is put before each.
    Break,
}

/// How text becomes HTML with its links marked.
///
/// ```
/// use linksift::html::{Linkify, Newlines, linkify};
///
/// let options = Linkify::new().target("_blank").newlines(Newlines::Break);
/// assert_eq!(linkify("a\nb", &options), "a<br>\nb");
/// ```
#[derive(Clone, Debug)]
pub struct Linkify {
    pub(super) finder: Finder,
    pub(super) newlines: Newlines,
    pub(super) citations: bool,
    #[cfg_attr(not(feature = "mail"), allow(dead_code, reason = "what is joined is mail's"))]
    pub(super) joins: bool,
    schemes: Vec<String>,
    /// What follows `href` in a tag, escaped.
    attributes: String,
    rel: String,
    target: String,
    class: String,
}

/// The schemes that links may have, if nothing else is said.
const SCHEMES: [&str; 7] = ["http", "https", "mailto", "ftp", "xmpp", "matrix", "tel"];
/// Those that they never have: they run programs in the page, or show what they hold as if it were its.
const NEVER: [&str; 8] =
    ["javascript", "data", "vbscript", "file", "blob", "filesystem", "about", "view-source"];

impl Default for Linkify {
    fn default() -> Linkify {
        let linkify = Linkify {
            finder: Finder::new(),
            newlines: Newlines::default(),
            citations: false,
            joins: false,
            schemes: SCHEMES.map(str::to_owned).to_vec(),
            attributes: String::new(),
            rel: "noopener noreferrer".to_owned(),
            target: String::new(),
            class: String::new(),
        };
        linkify.with_attributes()
    }
}

impl Linkify {
    /// The default finder, `rel="noopener noreferrer"`, no class and no target, line ends as they are.
    pub fn new() -> Linkify {
        Linkify::default()
    }

    /// The finder. Default: [`Finder::new`].
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// The schemes that are marked; links of others are text. Default: `http https mailto ftp xmpp matrix
    /// tel`. `javascript`, `data`, `vbscript`, `file` and their like are never marked, even if they are listed.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let options = Linkify::new().schemes(["https", "javascript"]);
    /// assert_eq!(linkify("http://example.com/", &options), "http://example.com/");
    /// ```
    pub fn schemes<S: Into<String>>(mut self, schemes: impl IntoIterator<Item = S>) -> Self {
        self.schemes = schemes.into_iter().map(Into::into).collect();
        self
    }

    /// The classes of links: the attribute `class`. Default: none.
    pub fn class(mut self, class: &str) -> Self {
        self.class = class.to_owned();
        self.with_attributes()
    }

    /// Where links open: the attribute `target`. Default: none.
    pub fn target(mut self, target: &str) -> Self {
        self.target = target.to_owned();
        self.with_attributes()
    }

    /// The attribute `rel`; none if it is empty. Default: `noopener noreferrer`.
    pub fn rel(mut self, rel: &str) -> Self {
        self.rel = rel.to_owned();
        self.with_attributes()
    }

    /// What becomes of line ends. Default: [`Newlines::Keep`].
    pub fn newlines(mut self, newlines: Newlines) -> Self {
        self.newlines = newlines;
        self
    }

    /// Whether lines that begin with `>` are put into `blockquote` elements, one in the other by how many
    /// signs there are. The signs stay in the text. Default: they are not.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("> a\n>> b\nc", &Linkify::new().citations(true));
    /// assert_eq!(html, concat!(
    ///     "<blockquote>&gt; a\n<blockquote>&gt;&gt; b\n</blockquote></blockquote>c",
    /// ));
    /// ```
    pub fn citations(mut self, are_marked: bool) -> Self {
        self.citations = are_marked;
        self
    }

    /// Whether a link in `<…>` that is broken over lines is one link, as in mail. Default: it is not.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("<http://example.com/a\nb>", &Linkify::new().rel("").join_wrapped(true));
    /// assert_eq!(html, "&lt;<a href=\"http://example.com/ab\">http://example.com/a\nb</a>&gt;");
    /// ```
    #[cfg(feature = "mail")]
    pub fn join_wrapped(mut self, are_joined: bool) -> Self {
        self.joins = are_joined;
        self
    }

    fn with_attributes(mut self) -> Self {
        self.attributes.clear();
        let Linkify { attributes, rel, target, class, .. } = &mut self;
        for (name, value) in [("rel", rel), ("target", target), ("class", class)] {
            if !value.is_empty() {
                attributes.extend([" ", name, "=\""]);
                escape(value, attributes);
                attributes.push('"');
            }
        }
        self
    }

    /// Opens an `a` for a link; not, if its scheme is none that is marked.
    pub(super) fn open_tag(&self, link: &Link<'_>, html: &mut String) -> bool {
        let uri = link.uri();
        let scheme = uri.split(':').next().unwrap_or_default();
        let is_scheme = |listed: &str| listed.eq_ignore_ascii_case(scheme);
        let is_marked = self.schemes.iter().any(|listed| is_scheme(listed));
        let is_never = NEVER.iter().any(|listed| is_scheme(listed));
        if !is_marked || is_never || scheme.len() == uri.len() {
            return false;
        }
        html.push_str("<a href=\"");
        escape(&uri, html);
        html.push('"');
        html.push_str(&self.attributes);
        html.push('>');
        true
    }
}

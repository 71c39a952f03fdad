//! Options for converting text to HTML.

use crate::codes::coded;
use crate::document::finder::Finder;
use crate::input::guard::{self, Cancel};
use crate::link::Link;
use crate::tables::schemes;

use super::anchor::{Anchor, Hook, push_attribute};

coded! {
    /// The treatment of line ends.
    ///
    /// ```
    /// assert_eq!("break".parse(), Ok(linksift::html::Newlines::Break));
    /// ```
    pub enum Newlines in "linksift::html" default Keep {
        /// They stay as they are: for `pre`, or `white-space: pre-wrap`.
        Keep = "keep",
        /// A `<br>` is put before each.
        Break = "break",
    }
}

coded! {
    /// The treatment of a link that is [suspect](crate::Severity::Suspect) or worse.
    ///
    /// ```
    /// assert_eq!("mark".parse(), Ok(linksift::html::OnSuspect::Mark));
    /// ```
    pub enum OnSuspect in "linksift::html" default Link {
        /// A link like any other.
        Link = "link",
        /// A link with its severity, `suspect` or `deceptive`, as a class, and with a title that contains the reason and
        /// the host.
        Mark = "mark",
        /// Text, without a link.
        Text = "text",
    }
}

/// Options for converting text to HTML with its links marked.
///
/// ```
/// use linksift::html::{Linkify, Newlines, linkify};
///
/// let options = Linkify::new().target("_blank").newlines(Newlines::Break);
/// assert_eq!(linkify("a\nb", &options), "a<br>\nb");
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Linkify {
    pub(super) finder: Finder,
    pub(super) newlines: Newlines,
    pub(super) citations: bool,
    pub(super) joins: bool,
    pub(super) on_suspect: OnSuspect,
    pub(super) emphasizes_host: bool,
    pub(super) isolates: bool,
    pub(super) schemes: Vec<String>,
    /// Attributes after `href` in a tag, escaped; the class is the last one.
    pub(super) attributes: String,
    /// Offset of the class in the attributes.
    pub(super) class_start: usize,
    pub(super) rel: String,
    pub(super) target: String,
    pub(super) class: String,
    pub(super) hook: Option<Hook>,
    cancel: Option<Cancel>,
}

impl Default for Linkify {
    fn default() -> Linkify {
        let linkify = Linkify {
            finder: Finder::new(),
            newlines: Newlines::default(),
            citations: false,
            joins: false,
            on_suspect: OnSuspect::default(),
            emphasizes_host: false,
            isolates: true,
            class_start: 0,
            schemes: schemes::OPENABLE.map(str::to_owned).to_vec(),
            attributes: String::new(),
            rel: "noopener noreferrer".to_owned(),
            target: String::new(),
            class: String::new(),
            hook: None,
            cancel: None,
        };
        linkify.with_attributes()
    }
}

impl Linkify {
    /// Creates options with the default finder, `rel="noopener noreferrer"`, no class, no target, and unchanged line ends.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("me & http://e.com/", &Linkify::new());
    /// assert_eq!(html, r#"me &amp; <a href="http://e.com/" rel="noopener noreferrer">http://e.com/</a>"#);
    /// ```
    pub fn new() -> Linkify {
        Linkify::default()
    }

    /// Returns the same options with a token that cancels the conversion; the incomplete result is not returned to callers.
    pub(super) fn ended_by(&self, cancel: &Cancel) -> Linkify {
        Linkify { cancel: Some(cancel.clone()), ..self.clone() }
    }

    /// Returns the token that may cancel the conversion.
    pub(super) fn cancel(&self) -> Option<&Cancel> {
        self.cancel.as_ref()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        guard::is_cancelled(self.cancel.as_ref())
    }

    /// Sets the finder. Default: [`Finder::new`].
    ///
    /// ```
    /// use linksift::Finder;
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let options = Linkify::new().finder(Finder::builder().schemeless(false).build());
    /// assert_eq!(linkify("example.com", &options), "example.com");
    /// ```
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// Sets the schemes that are marked; links with others are text. Default: `http https mailto ftp xmpp matrix tel`.
    /// `javascript`, `data`, `vbscript`, `file` and similar schemes are never marked, even if they are listed.
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

    /// Sets the classes of links: the attribute `class`. Default: none.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("http://e.com/", &Linkify::new().rel("").class("link"));
    /// assert_eq!(html, r#"<a href="http://e.com/" class="link">http://e.com/</a>"#);
    /// ```
    pub fn class(mut self, class: &str) -> Self {
        self.class = class.to_owned();
        self.with_attributes()
    }

    /// Sets where links open: the attribute `target`. Default: none.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("http://e.com/", &Linkify::new().rel("").target("_blank"));
    /// assert_eq!(html, r#"<a href="http://e.com/" target="_blank">http://e.com/</a>"#);
    /// ```
    pub fn target(mut self, target: &str) -> Self {
        self.target = target.to_owned();
        self.with_attributes()
    }

    /// Sets the attribute `rel`; if empty, links have none. Default: `noopener noreferrer`.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("http://e.com/", &Linkify::new().rel("ugc"));
    /// assert_eq!(html, r#"<a href="http://e.com/" rel="ugc">http://e.com/</a>"#);
    /// ```
    pub fn rel(mut self, rel: &str) -> Self {
        self.rel = rel.to_owned();
        self.with_attributes()
    }

    /// Sets the treatment of links that mislead, or may. Default: [`OnSuspect::Link`].
    ///
    /// ```
    /// use linksift::html::{Linkify, OnSuspect, linkify};
    ///
    /// let options = Linkify::new().rel("").class("link").on_suspect(OnSuspect::Mark);
    /// assert_eq!(linkify("http://www.bank.com.evil.test/", &options), concat!(
    ///     r#"<a href="http://www.bank.com.evil.test/" class="link suspect" "#,
    ///     r#"title="suspect: The host begins like the address of another site. Goes to www.bank.com.evil.test">http://www.bank.com.evil.test/</a>"#,
    /// ));
    /// let options = options.on_suspect(OnSuspect::Text);
    /// assert_eq!(linkify("http://www.bank.com.evil.test/", &options), "http://www.bank.com.evil.test/");
    /// ```
    pub fn on_suspect(mut self, what: OnSuspect) -> Self {
        self.on_suspect = what;
        self
    }

    /// Sets a function that is called with each link that is marked, and with its tag: it can change the target, add
    /// attributes, or leave the link as text. Default: none.
    ///
    /// ```
    /// use linksift::html::{Linkify, escape, linkify};
    ///
    /// let options = Linkify::new().rel("").each(|link, anchor| match link.host().as_deref() {
    ///     Some("blocked.example.com") => anchor.unlink(),
    ///     Some("example.com") => drop(anchor.attribute("class", "own")),
    ///     _ => drop(anchor.href(&format!("/away?to={}", link.uri()))),
    /// });
    /// let html = linkify("example.com blocked.example.com example.org", &options);
    /// assert_eq!(html, concat!(
    ///     r#"<a href="https://example.com" class="own">example.com</a> blocked.example.com "#,
    ///     r#"<a href="/away?to=https://example.org">example.org</a>"#,
    /// ));
    /// ```
    pub fn each(mut self, hook: impl Fn(&Link<'_>, &mut Anchor) + Send + Sync + 'static) -> Self {
        self.hook = Some(Hook::new(hook));
        self
    }

    /// Sets whether the registrable domain of a host is in a `b` element, so that a reader sees where a link goes. Default:
    /// `false`.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("http://www.example.com/a", &Linkify::new().rel("").emphasize_host(true));
    /// assert_eq!(html, r#"<a href="http://www.example.com/a">http://www.<b>example.com</b>/a</a>"#);
    /// ```
    pub fn emphasize_host(mut self, is_emphasized: bool) -> Self {
        self.emphasizes_host = is_emphasized;
        self
    }

    /// Sets whether the text of a link is in a `bdi` element with `dir="ltr"` if the text around it has characters of
    /// right-to-left scripts: without it a browser reorders the parts of a link (RFC 3987 §4.1). Default: `true`.
    ///
    /// ```
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("ראו example.com/א", &Linkify::new().rel(""));
    /// assert_eq!(html, concat!(
    ///     r#"ראו <a href="https://example.com/%D7%90"><bdi dir="ltr">example.com/א</bdi></a>"#,
    /// ));
    /// ```
    pub fn isolate(mut self, is_isolated: bool) -> Self {
        self.isolates = is_isolated;
        self
    }

    /// Sets the treatment of line ends. Default: [`Newlines::Keep`].
    ///
    /// ```
    /// use linksift::html::{Linkify, Newlines, linkify};
    ///
    /// let html = linkify("a\nb", &Linkify::new().newlines(Newlines::Break));
    /// assert_eq!(html, "a<br>\nb");
    /// ```
    pub fn newlines(mut self, newlines: Newlines) -> Self {
        self.newlines = newlines;
        self
    }

    /// Sets whether lines that begin with `>` are put into `blockquote` elements, nested by the number of signs. The signs
    /// stay in the text. Default: `false`.
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

    /// Sets whether a link in `<…>` that is broken over several lines is one link, as in mail. Default: `false`.
    /// Without the feature `mail` it has no effect.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::html::{Linkify, linkify};
    ///
    /// let html = linkify("<http://example.com/a\nb>", &Linkify::new().rel("").join_wrapped(true));
    /// assert_eq!(html, "&lt;<a href=\"http://example.com/ab\">http://example.com/a\nb</a>&gt;");
    /// # }
    /// ```
    pub fn join_wrapped(mut self, are_joined: bool) -> Self {
        self.joins = are_joined;
        self
    }

    fn with_attributes(mut self) -> Self {
        self.attributes.clear();
        let Linkify { attributes, class_start, rel, target, class, .. } = &mut self;
        for (name, value) in [("rel", rel), ("target", target), ("class", class)] {
            *class_start = attributes.len();
            if !value.is_empty() {
                push_attribute(name, value, attributes);
            }
        }
        self
    }
}

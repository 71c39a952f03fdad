//! Builder of a finder.

use super::{Boundaries, Finder, Forbidden, References, Schemes, Userinfo};
use crate::iri::HostMapping;
use crate::iri::Scheme;
use crate::link::Prefix;

/// Builder of a [`Finder`].
///
/// ```
/// use linksift::{Boundaries, Finder};
///
/// let finder = Finder::builder().boundaries(Boundaries::Uts58).default_scheme("http".parse()?).build();
/// assert_eq!(finder.links("example.com").next().unwrap().uri(), "http://example.com");
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct FinderBuilder {
    pub(super) finder: Finder,
}

impl FinderBuilder {
    /// Sets which schemes are links. Default: [`Schemes::Known`].
    ///
    /// A list selects links by the scheme of their URI, in running text and in values of markup.
    ///
    /// ```
    /// use linksift::{Finder, Schemes};
    ///
    /// let text = "ssh://e.com/ foo://bar/1 me@example.com example.com";
    /// let finder = Finder::builder().schemes(Schemes::List(vec!["foo".parse()?])).build();
    /// assert_eq!(finder.links(text).map(|link| link.raw().to_owned()).collect::<Vec<_>>(), ["foo://bar/1"]);
    /// let rejected = finder.candidates(text).next().unwrap().into_result().unwrap_err();
    /// assert_eq!(rejected.reason().as_str(), "scheme-not-selected");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn schemes(mut self, schemes: Schemes) -> Self {
        self.finder.scan.schemes = schemes;
        self
    }

    /// Sets whether hosts without a scheme (`example.com/x`) are links. Default: `true`. Without them, links that are found by their
    /// host alone are not found either, after an escaped colon or at sign (`https\u003a//`, `me\u0040`), and a link that would be a
    /// part of such a one is found: `http://b.example` in `a.example/http://b.example`.
    ///
    /// ```
    /// let finder = linksift::Finder::builder().schemeless(false).build();
    /// let found: Vec<_> = finder.links("example.com http://example.org/").map(|link| link.range()).collect();
    /// assert_eq!(found, [12..31]);
    /// ```
    pub fn schemeless(mut self, found: bool) -> Self {
        self.finder.scan.schemeless = found;
        self
    }

    /// Sets whether e-mail addresses are links, with and without `mailto:`. Default: `true`.
    ///
    /// ```
    /// let finder = linksift::Finder::builder().emails(false).build();
    /// assert_eq!(finder.links("me@example.com mailto:me@example.com").count(), 0);
    /// ```
    pub fn emails(mut self, found: bool) -> Self {
        self.finder.scan.emails = found;
        self
    }

    /// Sets the scheme supplied to hosts without one. Default: `https`.
    ///
    /// ```
    /// let finder = linksift::Finder::builder().default_scheme("http".parse()?).build();
    /// assert_eq!(finder.links("example.com/a").next().unwrap().uri(), "http://example.com/a");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn default_scheme(mut self, scheme: Scheme) -> Self {
        let finder = &mut self.finder;
        finder.own_prefix = None;
        finder.default_prefix = match scheme.as_str() {
            "https" => Prefix::Https,
            "http" => Prefix::Http,
            other => {
                finder.own_prefix = Some([other, "://"].concat().into());
                Prefix::Own
            }
        };
        self
    }

    /// Sets where links end in prose. Default: [`Boundaries::Prose`].
    ///
    /// ```
    /// use linksift::{Boundaries, Finder};
    ///
    /// let raw = |boundaries| {
    ///     let finder = Finder::builder().boundaries(boundaries).build();
    ///     finder.links("见http://example.com/a的网页").next().map(|link| link.raw().to_owned())
    /// };
    /// assert_eq!(raw(Boundaries::Prose).as_deref(), Some("http://example.com/a"));
    /// assert_eq!(raw(Boundaries::Uts58).as_deref(), Some("http://example.com/a的网页"));
    /// ```
    pub fn boundaries(mut self, boundaries: Boundaries) -> Self {
        self.finder.scan.boundaries = boundaries;
        self
    }

    /// Sets whether character references are resolved. Default: [`References::Auto`].
    ///
    /// ```
    /// use linksift::{Finder, References};
    ///
    /// let uri = |references| {
    ///     let finder = Finder::builder().references(references).build();
    ///     finder.links("http://example.com/?a&#38;b").next().unwrap().uri().into_owned()
    /// };
    /// assert_eq!(uri(References::Auto), "http://example.com/?a&b");
    /// assert_eq!(uri(References::Never), "http://example.com/?a&#38;b");
    /// ```
    pub fn references(mut self, references: References) -> Self {
        self.finder.scan.references = references;
        self
    }

    /// Sets the treatment of http links with user information in running text. Default: [`Userinfo::Refuse`].
    ///
    /// ```
    /// use linksift::{Finder, Userinfo, Warning};
    ///
    /// let finder = Finder::builder().userinfo(Userinfo::Warn).build();
    /// let link = finder.links("http://me@example.org/").next().unwrap();
    /// assert!(link.warnings().contains(Warning::Userinfo));
    /// ```
    pub fn userinfo(mut self, userinfo: Userinfo) -> Self {
        self.finder.scan.userinfo = userinfo;
        self
    }

    /// Sets the form to which a non-ASCII host is mapped. Default: [`HostMapping::Ascii`].
    ///
    /// ```
    /// use linksift::Finder;
    /// use linksift::iri::HostMapping;
    ///
    /// let finder = Finder::builder().host(HostMapping::Unicode).build();
    /// let link = finder.links("http://例え.jp/パス").next().unwrap();
    /// assert_eq!(link.uri(), "http://例え.jp/%E3%83%91%E3%82%B9");
    /// ```
    pub fn host(mut self, form: HostMapping) -> Self {
        self.finder.host = form;
        self
    }

    /// Sets the treatment of ASCII characters that URIs forbid. Default: [`Forbidden::Encode`].
    ///
    /// ```
    /// use linksift::{Finder, Forbidden};
    ///
    /// let uri = |forbidden| {
    ///     let finder = Finder::builder().forbidden_characters(forbidden).build();
    ///     finder.links("http://example.com/{a}").next().map(|link| link.uri().into_owned())
    /// };
    /// assert_eq!(uri(Forbidden::Encode).as_deref(), Some("http://example.com/%7Ba%7D"));
    /// assert_eq!(uri(Forbidden::Refuse), None);
    /// ```
    pub fn forbidden_characters(mut self, forbidden: Forbidden) -> Self {
        self.finder.forbidden = forbidden;
        self
    }

    /// Sets whether the query of an http link is percent-encoded in the document's charset, if that is not one of
    /// Unicode (draft-ietf-iri-3987bis-07 §3.5). Default: `true`; otherwise it is encoded in UTF-8.
    ///
    #[cfg_attr(feature = "documents", doc = "```")]
    #[cfg_attr(not(feature = "documents"), doc = "```ignore")]
    /// use linksift::{Finder, Hints};
    ///
    /// let bytes = b"http://example.com/?q=\xEF\xF0";
    /// let hints = Hints::new().charset("windows-1251".parse()?);
    /// let uri = |finder: &Finder| {
    ///     let mut links = finder.document(bytes, &hints).unwrap().links();
    ///     links.next().unwrap().uri().into_owned()
    /// };
    /// assert_eq!(uri(&Finder::new()), "http://example.com/?q=%EF%F0");
    /// let finder = Finder::builder().query_charset(false).build();
    /// assert_eq!(uri(&finder), "http://example.com/?q=%D0%BF%D1%80");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query_charset(mut self, of_document: bool) -> Self {
        self.finder.query_charset = of_document;
        self
    }

    /// Sets the hosts that others must not resemble: a link to one that does has the warning `host-lookalike`. Default:
    /// no hosts.
    ///
    /// ```
    /// use linksift::{Finder, Warning, trust::KnownHosts};
    ///
    /// let finder = Finder::builder().known_hosts(KnownHosts::new(["example.com"])).build();
    /// let link = finder.links("http://examp1e.com/").next().unwrap();
    /// assert!(link.warnings().contains(Warning::HostLookalike));
    /// ```
    #[cfg(feature = "known-hosts")]
    pub fn known_hosts(mut self, known: crate::trust::KnownHosts) -> Self {
        self.finder.known = (!known.is_empty()).then(|| known.into());
        self
    }

    /// Sets the maximum length of a link in stored bytes; a longer candidate is rejected. Default:
    /// [`DEFAULT_MAX_LINK`](crate::DEFAULT_MAX_LINK). Values above 1 GiB count as 1 GiB.
    ///
    /// ```
    /// use linksift::Finder;
    ///
    /// let finder = Finder::builder().max_link(20).build();
    /// let rejected = finder.candidates("http://example.com/too/long").next().unwrap().into_result().unwrap_err();
    /// assert_eq!(rejected.reason().as_str(), "too-long");
    /// ```
    pub fn max_link(mut self, bytes: usize) -> Self {
        self.finder.scan.max_link = bytes.min(1 << 30);
        self
    }

    /// Sets whether `data-src`, `data-href`, `data-srcset`, `data-url` and `data-original` of HTML are read: scripts
    /// copy them to `src` and similar attributes when the reader scrolls to the element. No standard defines their
    /// values. Default: `false`.
    ///
    /// ```
    /// # #[cfg(feature = "documents")]
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let page = b"<img data-src=http://example.com/a.png>";
    /// let hints = Hints::new().format(Format::Html);
    /// let finder = Finder::builder().lazy_images(true).build();
    /// let contexts: Vec<_> =
    ///     finder.document(page, &hints)?.links().map(|link| link.context().to_string()).collect();
    /// assert_eq!(contexts, ["img@data-src"]);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "documents"))]
    /// # fn main() {}
    /// ```
    pub fn lazy_images(mut self, are_read: bool) -> Self {
        self.finder.lazy = are_read;
        self
    }

    /// Returns the finder.
    ///
    /// ```
    /// let finder = linksift::Finder::builder().emails(false).build();
    /// assert_eq!(finder.links("me@example.org or example.com").next().unwrap().raw(), "example.com");
    /// ```
    pub fn build(self) -> Finder {
        self.finder
    }
}

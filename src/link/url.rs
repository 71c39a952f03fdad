//! Links for the crate `url`, which is WHATWG's reading of them.

use url::{ParseError, Url};

use super::Link;

/// The link's [`uri`](Link::uri), read as browsers read it: the path of `http://example.com/a/../b` is `/b`.
///
/// # Errors
///
/// Returns an error if the URI is relative, or if the standard of WHATWG rejects what RFC 3986 allows.
///
/// ```
/// use url::Url;
///
/// let link = linksift::links("見て http://例え.jp/パス。").next().unwrap();
/// let url = Url::try_from(&link)?;
/// assert_eq!(url.as_str(), "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9");
/// # Ok::<(), url::ParseError>(())
/// ```
impl TryFrom<&Link<'_>> for Url {
    type Error = ParseError;

    fn try_from(link: &Link<'_>) -> Result<Url, ParseError> {
        Url::parse(&link.uri())
    }
}

//! Mapping of IRIs to URIs (RFC 3987 §3.1; draft-ietf-iri-3987bis-07 §3.3–3.6), and of URIs to IRIs (RFC 3987 §3.2).
//!
//! A valid IRI or reference becomes ASCII that matches RFC 3986. Existing delimiters and percent-encoded bytes are not
//! changed, and `%` is never encoded, so the mapping is idempotent. A separate policy maps the host, and also domains in
//! `mailto:`.
//!
//! A URI becomes an IRI component by component, since private use is decoded only in queries. Some bytes are never decoded:
//! reserved characters, `%`, ASCII that URIs forbid, controls. Others are decoded and encoded again: malformed UTF-8, and
//! characters that an IRI must not have or that are invisible.

use std::borrow::Cow;
use std::fmt;

use super::chars::{self, CLASS, PLAIN, push_triplet};
use super::components::IriRef;
use super::decode::push_decoded;
use super::error::{Error, ErrorKind};
use super::host::{self, HostMapping};
use super::scheme;
use crate::codes::coded;
use crate::tables::forms::nfc;
use crate::tables::schemes;

/// An octet of a query in a document's charset; see [`MapOptions::charset`].
///
/// ```
/// use linksift::iri::{Iri, MapOptions, Octet};
///
/// // ASCII, which has no other characters.
/// let ascii = |query: &str, give: &mut dyn FnMut(Octet)| {
///     for c in query.chars() {
///         give(u8::try_from(c).map_or(Octet::Missing(c), |octet| match c.is_ascii() {
///             true => Octet::Written(octet),
///             false => Octet::Missing(c),
///         }));
///     }
/// };
/// let uri = Iri::parse("http://e.com/?a=é")?.to_uri_with(&MapOptions::new().charset(&ascii))?;
/// assert_eq!(uri, "http://e.com/?a=%26%23233%3B");
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Octet {
    /// An ASCII character of the query, which represents itself.
    Written(u8),
    /// An octet of an encoded character, or of a change of state.
    Encoded(u8),
    /// A character that the encoding does not have: `&#NNN;`, percent-encoded.
    Missing(char),
}

/// A function that passes each octet of a query in an encoding to its second argument, in order.
///
/// ```
/// use linksift::iri::{IriRef, MapOptions, Octet, QueryEncoder};
///
/// let utf_16: &QueryEncoder = &|query, give| {
///     for octet in query.encode_utf16().flat_map(u16::to_be_bytes) {
///         give(Octet::Encoded(octet));
///     }
/// };
/// let uri = IriRef::parse("?я")?.to_uri_with(&MapOptions::new().charset(utf_16))?;
/// assert_eq!(uri, "?%04O");
/// # Ok::<(), linksift::iri::Error>(())
/// ```
pub type QueryEncoder<'e> = dyn Fn(&str, &mut dyn FnMut(Octet)) + Sync + 'e;

/// Options for mapping. Default: RFC 3987 for a Unicode document, hosts by IDNA.
///
/// ```
/// use linksift::iri::{HostMapping, Iri, MapOptions};
///
/// let iri = Iri::parse("http://résumé.example.org/é")?;
/// let options = MapOptions::new().host(HostMapping::Percent);
/// assert_eq!(iri.to_uri_with(&options)?, "http://r%C3%A9sum%C3%A9.example.org/%C3%A9");
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
#[must_use]
pub struct MapOptions<'e> {
    host: HostMapping,
    /// Whether a host that is no name of the domain name system is mapped as browsers map it.
    is_lenient: bool,
    nfc: bool,
    query: Option<&'e QueryEncoder<'e>>,
}

impl fmt::Debug for MapOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapOptions")
            .field("host", &self.host)
            .field("nfc", &self.nfc)
            .field("query", &self.query.is_some())
            .finish()
    }
}

impl<'e> MapOptions<'e> {
    /// Creates the default options: RFC 3987 for a Unicode document, hosts by IDNA.
    ///
    /// ```
    /// use linksift::iri::{Iri, MapOptions};
    ///
    /// let iri = Iri::parse("http://例え.jp/é")?;
    /// assert_eq!(iri.to_uri_with(&MapOptions::new())?, iri.to_uri()?);
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub const fn new() -> Self {
        MapOptions { host: HostMapping::Ascii, is_lenient: false, nfc: false, query: None }
    }

    /// Sets the mapping of a non-ASCII host. Default: [`HostMapping::Ascii`].
    ///
    /// ```
    /// use linksift::iri::{HostMapping, Iri, MapOptions};
    ///
    /// let iri = Iri::parse("http://例え.jp/é")?;
    /// let uri = |host| iri.to_uri_with(&MapOptions::new().host(host));
    /// assert_eq!(uri(HostMapping::Ascii)?, "http://xn--r8jz45g.jp/%C3%A9");
    /// assert_eq!(uri(HostMapping::Percent)?, "http://%E4%BE%8B%E3%81%88.jp/%C3%A9");
    /// assert_eq!(uri(HostMapping::Unicode)?, "http://例え.jp/%C3%A9");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub const fn host(mut self, host: HostMapping) -> Self {
        self.host = host;
        self
    }

    /// Accepts each host that browsers open in a URL of the web: with empty and long labels, and with ASCII that URIs
    /// forbid, percent-encoded.
    pub(crate) const fn as_browsers(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Sets whether to normalize to NFC first, as for text that was on paper or in an encoding that is not one of Unicode
    /// (RFC 3987 §3.1, step 1, variants a and b). Default: `false`.
    ///
    /// ```
    /// use linksift::iri::{IriRef, MapOptions};
    ///
    /// let decomposed = IriRef::parse("e\u{301}")?;
    /// assert_eq!(decomposed.to_uri()?, "e%CC%81");
    /// assert_eq!(decomposed.to_uri_with(&MapOptions::new().nfc(true))?, "%C3%A9");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub const fn nfc(mut self, nfc: bool) -> Self {
        self.nfc = nfc;
        self
    }

    /// Sets the document's encoding, which is not one of Unicode. The IRI is normalized to NFC; the queries of `http` and
    /// `https`, and of references without a scheme, are encoded in the octets of the encoding, before NFC (bis §3.5).
    /// Octets that RFC 3986 does not allow in a query are percent-encoded, so Shift_JIS `表` is `%95%5C`.
    ///
    /// ```
    /// use linksift::iri::{Iri, MapOptions, Octet};
    ///
    /// // ISO 8859-1, whose octets are the characters' numbers.
    /// let latin_1 = |query: &str, give: &mut dyn FnMut(Octet)| {
    ///     for c in query.chars() {
    ///         give(match u8::try_from(c as u32) {
    ///             Ok(octet) if c.is_ascii() => Octet::Written(octet),
    ///             Ok(octet) => Octet::Encoded(octet),
    ///             Err(_) => Octet::Missing(c),
    ///         });
    ///     }
    /// };
    /// let iri = Iri::parse("http://e.example/é?é=я")?;
    /// let uri = iri.to_uri_with(&MapOptions::new().charset(&latin_1))?;
    /// assert_eq!(uri, "http://e.example/%C3%A9?%E9=%26%231103%3B");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub const fn charset(mut self, encoder: &'e QueryEncoder<'e>) -> Self {
        self.nfc = true;
        self.query = Some(encoder);
        self
    }
}

impl<'a> IriRef<'a> {
    /// Returns the URI that this IRI maps to (RFC 3987 §3.1); for a reference, a URI reference.
    ///
    /// A URI maps to itself, borrowed; but if the scheme is known to use domain names, a host with percent-encoded bytes or
    /// A-labels is checked too.
    ///
    /// # Errors
    ///
    /// Returns a `Host…` kind, at the host. The IRI is valid all the same.
    ///
    /// ```
    /// use linksift::iri::{ErrorKind, Iri, IriRef};
    ///
    /// assert_eq!(Iri::parse("http://例え.jp/パス?ü")?.to_uri()?, "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9?%C3%BC");
    /// assert_eq!(IriRef::parse("résumé.html")?.to_uri()?, "r%C3%A9sum%C3%A9.html");
    /// assert_eq!(Iri::parse("http://xn--a.example/")?.to_uri().unwrap_err().kind(), ErrorKind::HostInvalidIdna);
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn to_uri(&self) -> Result<Cow<'a, str>, Error> {
        self.to_uri_with(&MapOptions::new())
    }

    /// Returns the URI that this IRI maps to, like [`to_uri`](IriRef::to_uri), with options.
    ///
    /// # Errors
    ///
    /// As [`to_uri`](IriRef::to_uri).
    ///
    /// ```
    /// use linksift::iri::{HostMapping, Iri, MapOptions};
    ///
    /// let options = MapOptions::new().host(HostMapping::Unicode);
    /// let iri = Iri::parse("http://例え.jp/é")?;
    /// assert_eq!(iri.to_uri_with(&options)?, "http://例え.jp/%C3%A9");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn to_uri_with(&self, options: &MapOptions<'_>) -> Result<Cow<'a, str>, Error> {
        let ascii = self.text.is_ascii();
        let host = self.mapped_host(options, ascii)?;
        let mail = self.has_mail_domains();
        if ascii && !mail && matches!(host, None | Some(Cow::Borrowed(_))) {
            return Ok(Cow::Borrowed(self.text));
        }
        // An octet becomes at most three, so the buffer never grows.
        let mut out = String::with_capacity(self.text.len() * 3);
        self.write_uri(&mut out, options, host, mail)?;
        Ok(Cow::Owned(out))
    }

    /// Like [`to_uri_with`](IriRef::to_uri_with), but appends to a string, whose buffer can be reused.
    ///
    /// # Errors
    ///
    /// As [`to_uri`](IriRef::to_uri); the string is then as it was.
    ///
    /// ```
    /// # use linksift::iri::{IriRef, MapOptions};
    /// let mut out = String::from("<");
    /// IriRef::parse("é")?.to_uri_into(&MapOptions::new(), &mut out)?;
    /// assert_eq!(out, "<%C3%A9");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn to_uri_into(&self, options: &MapOptions<'_>, out: &mut String) -> Result<(), Error> {
        let ascii = self.text.is_ascii();
        let host = self.mapped_host(options, ascii)?;
        let mail = self.has_mail_domains();
        if ascii && !mail && matches!(host, None | Some(Cow::Borrowed(_))) {
            out.push_str(self.text);
            return Ok(());
        }
        let start = out.len();
        self.write_uri(out, options, host, mail).inspect_err(|_| out.truncate(start))
    }

    /// Returns the host of the URI; `None` without an authority. A non-ASCII host that IDNA must map is returned unchanged:
    /// it is mapped when it is written, without another allocation.
    fn mapped_host(
        &self,
        options: &MapOptions<'_>,
        ascii: bool,
    ) -> Result<Option<Cow<'a, str>>, Error> {
        let Some(name) = self.host() else {
            return Ok(None);
        };
        Ok(Some(match options.host {
            HostMapping::Ascii => {
                if !ascii && !name.is_ascii() && !options.is_lenient {
                    return Ok(Some(Cow::Borrowed(name)));
                }
                // §3.1: ToASCII is for schemes known to use domain names. An ASCII host of any other scheme is valid in a
                // URI already (`ldapi://%2Frun%2Fs`), and stays; a reference without a scheme is treated as one of these
                // schemes.
                let domain = self.scheme().is_none_or(|s| scheme::profile(s).domain());
                if !domain {
                    Cow::Borrowed(name)
                } else {
                    host::host_to_ascii(name)
                        .or_else(|kind| match options.is_lenient {
                            true => host::as_browser(name).map(Cow::Owned),
                            false => Err(kind),
                        })
                        .map_err(|kind| Error::new(kind, self.parts.host_start as usize))?
                }
            }
            HostMapping::Percent => match composed(name, options.nfc) {
                Cow::Borrowed(name) => host::to_percent(name),
                Cow::Owned(name) => Cow::Owned(host::to_percent(&name).into_owned()),
            },
            HostMapping::Unicode => composed(name, options.nfc),
        }))
    }

    /// Returns `true` if there are domains of `mailto:` to be mapped as hosts.
    fn has_mail_domains(&self) -> bool {
        !self.has_authority() && self.scheme().is_some_and(schemes::is_mail)
    }

    fn write_uri(
        &self,
        out: &mut String,
        options: &MapOptions<'_>,
        host: Option<Cow<'_, str>>,
        mail: bool,
    ) -> Result<(), Error> {
        let p = &self.parts;
        match host {
            // Scheme, `//` and userinfo; then the host; then the port.
            Some(host) => {
                push_component(out, self.slice(0, p.host_start), options.nfc);
                if options.host == HostMapping::Ascii && !host.is_ascii() {
                    host::push_ascii(out, &host)
                        .map_err(|kind| Error::new(kind, p.host_start as usize))?;
                } else {
                    out.push_str(&host);
                }
                out.push_str(self.slice(p.host_end, p.path_start));
            }
            None => out.push_str(self.slice(0, p.path_start)),
        }
        if mail {
            let path = composed(self.path(), options.nfc);
            scheme::push_mailto(out, &path, options.host)
                .map_err(|kind| Error::new(kind, p.path_start as usize))?;
        } else {
            push_component(out, self.path(), options.nfc);
        }
        if let Some(query) = self.query() {
            out.push('?');
            match options.query {
                Some(encoder) if self.may_be_http() => push_query(out, query, encoder),
                _ if mail => push_fields(out, &composed(query, options.nfc), options.host)
                    .map_err(|kind| Error::new(kind, p.path_end as usize + 1))?,
                _ => push_component(out, query, options.nfc),
            }
        }
        push_component(out, self.slice(p.query_end, self.text.len() as u32), options.nfc);
        Ok(())
    }

    /// Returns `true` for http, and for a reference without a scheme, since the base that it is resolved against is nearly
    /// always `http`.
    fn may_be_http(&self) -> bool {
        self.scheme().is_none_or(|scheme| schemes::is(scheme.as_bytes(), schemes::QUERY_CHARSET))
    }
}

fn composed(text: &str, is_composed: bool) -> Cow<'_, str> {
    if is_composed { nfc(text) } else { Cow::Borrowed(text) }
}

/// Appends a component, normalized to NFC if requested, with its non-ASCII characters percent-encoded.
fn push_component(out: &mut String, text: &str, nfc: bool) {
    chars::push_expanded(out, &composed(text, nfc));
}

/// Appends a query in the octets of an encoding.
pub(super) fn push_query(out: &mut String, query: &str, encoder: &QueryEncoder<'_>) {
    encoder(query, &mut |octet| match octet {
        Octet::Written(b) if b.is_ascii() => out.push(char::from(b)),
        // Write only octets unencoded that a query may contain, and no delimiter of pairs: half a character must not look
        // like one.
        Octet::Encoded(b) if CLASS[usize::from(b)] & PLAIN != 0 && !b"&;=+".contains(&b) => {
            out.push(char::from(b));
        }
        Octet::Written(b) | Octet::Encoded(b) => push_triplet(out, b),
        Octet::Missing(c) => {
            out.push_str("%26%23");
            out.push_str(&u32::from(c).to_string());
            out.push_str("%3B");
        }
    });
}

/// Appends the query of a `mailto:`, with the domains in `to`, `cc` and `bcc` as hosts (RFC 6068 §2).
fn push_fields(out: &mut String, query: &str, host: HostMapping) -> Result<(), ErrorKind> {
    for (index, field) in query.split('&').enumerate() {
        if index > 0 {
            out.push('&');
        }
        match field.split_once('=') {
            Some((name, value))
                if ["to", "cc", "bcc"].iter().any(|a| name.eq_ignore_ascii_case(a)) =>
            {
                out.push_str(name);
                out.push('=');
                scheme::push_mailto(out, value, host)?;
            }
            _ => push_component(out, field, false),
        }
    }
    Ok(())
}

coded! {
    /// Treatment of A-labels in the conversion to an IRI.
    ///
    /// ```
    /// assert_eq!(linksift::iri::HostDisplay::Kept.as_str(), "kept");
    /// ```
    pub enum HostDisplay in "linksift::iri" default Kept {
        /// They stay (RFC 3987 §3.2, step 5).
        Kept = "kept",
        /// They become the characters that they represent, by ToUnicode (§3.2.1, last paragraph).
        Unicode = "unicode",
    }
}

impl<'a> IriRef<'a> {
    /// Returns the IRI for this URI (RFC 3987 §3.2), with A-labels unchanged. It maps back to the URI, except for the case
    /// of percent-encoded bytes and for percent-encoded unreserved characters.
    ///
    /// ```
    /// use linksift::iri::Iri;
    ///
    /// let iri = |uri| Iri::parse(uri).unwrap().to_iri_text();
    /// assert_eq!(iri("http://www.example.org/D%C3%BCrst"), "http://www.example.org/Dürst");
    /// assert_eq!(iri("http://www.example.org/D%FCrst"), "http://www.example.org/D%FCrst");
    /// assert_eq!(iri("http://e.example/%e2%80%ae%2f"), "http://e.example/%E2%80%AE%2f");
    /// ```
    #[must_use]
    pub fn to_iri_text(&self) -> Cow<'a, str> {
        self.iri_text(HostDisplay::Kept)
    }

    /// Like [`to_iri_text`](IriRef::to_iri_text), with a choice for A-labels.
    ///
    /// ```
    /// use linksift::iri::{HostDisplay, Iri};
    ///
    /// let uri = Iri::parse("http://xn--99zt52a.example.org/%e2%80%ae")?;
    /// assert_eq!(uri.to_iri_text_with(HostDisplay::Unicode), "http://納豆.example.org/%E2%80%AE");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[cfg(feature = "iri-tools")]
    #[must_use]
    pub fn to_iri_text_with(&self, display: HostDisplay) -> Cow<'a, str> {
        self.iri_text(display)
    }

    fn iri_text(&self, display: HostDisplay) -> Cow<'a, str> {
        let readable = match (display, self.host()) {
            (HostDisplay::Unicode, Some(name)) => Some(host::host_to_unicode(name)),
            _ => None,
        };
        let same_host = !matches!(readable, Some(Cow::Owned(_)));
        if same_host && !self.text.contains('%') {
            return Cow::Borrowed(self.text);
        }
        let p = &self.parts;
        let mut out = String::with_capacity(self.text.len());
        out.push_str(self.slice(0, p.hier_start));
        if self.has_authority() {
            push_decoded(&mut out, self.slice(p.hier_start, p.host_start), false);
            match &readable {
                Some(Cow::Owned(name)) => out.push_str(name),
                _ => push_decoded(&mut out, self.slice(p.host_start, p.host_end), false),
            }
            out.push_str(self.slice(p.host_end, p.path_start));
        }
        push_decoded(&mut out, self.path(), false);
        push_decoded(&mut out, self.slice(p.path_end, p.query_end), true);
        push_decoded(&mut out, self.slice(p.query_end, self.text.len() as u32), false);
        Cow::Owned(out)
    }
}

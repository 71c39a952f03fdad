//! Conversion of URIs to IRIs (RFC 3987 §3.2).
//!
//! It processes the components separately, since private use is decoded only in queries. Some bytes are never decoded:
//! reserved characters, `%`, ASCII that URIs forbid, controls. Others are decoded and encoded again: malformed UTF-8, and
//! characters that an IRI must not have or that are invisible.

use std::borrow::Cow;

use super::components::IriRef;
use super::decode::push_decoded;
use super::host;
use crate::codes::coded;

coded! {
    /// Treatment of A-labels in the conversion to an IRI.
    ///
    /// ```
    /// assert_eq!(linksift::iri::HostDisplay::Kept.as_str(), "kept");
    /// ```
    pub enum HostDisplay in "linksift::iri" via as_str default Kept {
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
        self.to_iri_text_with(HostDisplay::Kept)
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
    #[must_use]
    pub fn to_iri_text_with(&self, display: HostDisplay) -> Cow<'a, str> {
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

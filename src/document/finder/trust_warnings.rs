//! What deceives in a link: asked of the module `trust` once its host is mapped.
//!
//! The one place where links of text and of values, and rejected candidates, get the warnings that hang
//! on their text. A link of plain ASCII with an ordinary host never comes here.

use std::borrow::Cow;

use super::Finder;
use crate::iri::{HostMapping, host_to_ascii};
use crate::link::{Body, Warning, derived};

impl Finder {
    /// Adds to a link or candidate of running text what its text and its host deceive with. `mapped`: the
    /// host in its URI, if it has come so far.
    pub(super) fn warn_of_deceit(&self, body: &mut Body<'_>, mapped: Option<&str>) {
        let text = body.text();
        let ascii = self.ascii_host(text.get(body.host()).unwrap_or_default(), mapped);
        let ascii = ascii.as_deref();
        let mut warnings = body.warnings;
        derived::collect_deceits(body, ascii, &mut warnings);
        let resembled = self.resembled(ascii);
        body.warnings = warnings;
        self.note_resembled(body, resembled);
    }

    /// A host by UTS #46; `mapped` is what the URI has for it, so that none is mapped twice.
    pub(super) fn ascii_host<'h>(
        &self,
        written: &'h str,
        mapped: Option<&'h str>,
    ) -> Option<Cow<'h, str>> {
        match mapped {
            Some(mapped) if self.is_mapped_by_idna(written) => Some(Cow::Borrowed(mapped)),
            _ => host_to_ascii(written).ok(),
        }
    }

    /// Whether UTS #46 maps this host, whatever the scheme, on the way to the URI.
    pub(super) fn is_mapped_by_idna(&self, written: &str) -> bool {
        self.host == HostMapping::Ascii && !written.is_ascii()
    }

    /// The known host that this one looks like.
    pub(super) fn resembled(&self, ascii: Option<&str>) -> Option<Box<str>> {
        self.known.as_ref()?.resembled(ascii?).map(Box::from)
    }

    pub(super) fn note_resembled(&self, body: &mut Body<'_>, resembled: Option<Box<str>>) {
        if resembled.is_some() {
            body.warnings.insert(Warning::HostLookalike);
            body.rare_mut().resembled = resembled;
        }
    }

    /// Whether every host has to be compared with the known ones.
    #[inline]
    pub(crate) fn has_known(&self) -> bool {
        self.known.is_some()
    }
}

//! Targets: a reference, repaired for the grammar, resolved against a base.
//!
//! Authors write references that browsers tolerate. Characters that RFC 3987 forbids are percent-encoded here, with a
//! warning: white space and the ASCII that URIs forbid, brackets outside a host, a second `#`, a stray `%`, characters
//! that IRIs do not have. A reference that still does not match the grammar is rejected.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::leniency::Place;
use crate::iri::repair::{GrammarRef, Repairs, scheme_of, without_dots};
use crate::iri::{self, SimpleUriRef};
use crate::iri::{ComponentOffsets, Error, IriBuf, IriRef, QueryEncoder};
use crate::limits;
use crate::tables::schemes;

/// Base of relative references, an IRI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    /// Nested elements may share one.
    iri: Arc<IriBuf>,
    /// Whether it is plain: a plain reference resolved against it is plain too.
    is_plain: bool,
    /// Where the name of the last segment of its path begins, if it is plain and no segment begins with a dot; else zero.
    folder_end: usize,
}

impl Base {
    /// Returns the base with this text, if it is an IRI.
    pub(crate) fn new(text: &str) -> Option<Base> {
        Some(Base::from(&text.parse::<IriBuf>().ok()?))
    }

    /// Returns the base that a `<base href>`, `xml:base` or `Content-Location` forms with this one.
    ///
    /// # Errors
    ///
    /// Returns the error of [`iri::repair`] if it forms none.
    pub(crate) fn inner(outer: Option<&Base>, reference: &str) -> Result<Base, Error> {
        // The result would be too long as well, and is not computed.
        if let Some(outer) =
            outer.filter(|outer| outer.is_too_long() && scheme_of(reference).is_none())
        {
            return Ok(outer.clone());
        }
        let outer = outer.map(|outer| outer.iri.as_iri());
        let inner = iri::repair::repair_within(outer.as_ref(), reference)?;
        Ok(Base::from(inner.into_iri()))
    }

    /// Returns the IRI.
    pub(crate) fn into_iri(self) -> IriBuf {
        Arc::unwrap_or_clone(self.iri)
    }

    /// Returns `true` if nothing is resolved against it, since it would be reported with each reference.
    pub(crate) fn is_too_long(&self) -> bool {
        self.as_str().len() > limits::TOLD_WITH_EACH
    }

    pub(crate) fn as_str(&self) -> &str {
        self.iri.as_str()
    }

    pub(crate) fn scheme(&self) -> Option<&str> {
        scheme_of(self.as_str())
    }

    fn resolve(&self, reference: &IriRef<'_>) -> Option<String> {
        (!self.is_too_long()).then(|| self.iri.as_iri().resolve(reference))
    }

    /// Resolves a reference without a scheme, if the base is plain; returns the target, and the range of its host. The
    /// target is its own URI then.
    pub(crate) fn resolve_plain(
        &self,
        reference: &SimpleUriRef<'_>,
    ) -> Option<(Box<str>, Range<usize>)> {
        if !self.is_plain {
            return None;
        }
        let base = self.iri.as_iri();
        if let Some((front, rest)) = self.joined(reference) {
            let mut target = String::with_capacity(front.len() + rest.len());
            target.push_str(front);
            target.push_str(rest);
            return Some((target.into_boxed_str(), base.host_range()));
        }
        let reference = IriRef::from_parts(reference.text, reference.parts);
        let target = base.resolve(&reference).into_boxed_str();
        let host = reference.host_range();
        let scheme = base.scheme().len() + 1;
        let host = match reference.has_authority() {
            true => scheme + host.start..scheme + host.end,
            false => base.host_range(),
        };
        Some((target, host))
    }

    /// Returns the part of the base and the part of the reference that make the target together, where nothing else is to
    /// be done: a path without dot segments, except for `../` in front.
    #[inline]
    fn joined<'j>(&'j self, reference: &SimpleUriRef<'j>) -> Option<(&'j str, &'j str)> {
        let (base, text) = (self.as_str(), reference.text);
        // It has no authority if its dots are known.
        if self.folder_end == 0 || reference.dots_end > reference.parts.path_end {
            return None;
        }
        let parts = self.iri.as_iri().parts;
        let root = parts.path_start as usize;
        if reference.parts.path_end == 0 {
            let is_query = text.starts_with('?');
            let end = if is_query { parts.path_end } else { parts.query_end };
            return Some((&base[..end as usize], text));
        }
        if text.starts_with('/') {
            return (reference.dots_end == 0).then_some((&base[..root], text));
        }
        let (mut front, mut rest) = (&base[..self.folder_end], text);
        while let Some(after) = rest.strip_prefix("../") {
            rest = after;
            let above = &front[..front.len() - 1];
            // Above the root is the root.
            front = match memchr::memrchr(b'/', &above.as_bytes()[root..]) {
                Some(slash) => &front[..root + slash + 1],
                None => front,
            };
        }
        (reference.dots_end as usize <= text.len() - rest.len()).then_some((front, rest))
    }
}

impl From<&IriBuf> for Base {
    fn from(iri: &IriBuf) -> Base {
        Base::from(iri.clone())
    }
}

impl From<IriBuf> for Base {
    fn from(iri: IriBuf) -> Base {
        let text = iri.as_str();
        let is_plain = text.len() <= limits::TOLD_WITH_EACH
            && SimpleUriRef::of(text).is_some_and(|plain| plain.has_scheme());
        let parsed = iri.as_iri();
        let path = parsed.path();
        let folder_end = match path.rfind('/') {
            Some(slash) if is_plain && path.starts_with('/') && !path.contains("/.") => {
                parsed.parts.path_start as usize + slash + 1
            }
            _ => 0,
        };
        Base { iri: Arc::new(iri), is_plain, folder_end }
    }
}

/// Target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target<'t> {
    /// The IRI, or the relative reference, valid by RFC 3987; borrowed if it equals the written text.
    pub(crate) iri: Cow<'t, str>,
    parts: ComponentOffsets,
    /// Whether the reference has a scheme as written.
    pub(crate) has_scheme: bool,
    /// Whether it is relative, since there was no base.
    pub(crate) is_relative: bool,
    pub(crate) repairs: Repairs,
}

impl<'t> Target<'t> {
    /// Returns the target of a reference, resolved against the base if there is one. `charset` is that of a query of
    /// http, if it is not UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the error of the grammar, if the repaired reference does not match it: a port that is not a number, a
    /// colon in the first segment of a path.
    pub(super) fn of(
        reference: &'t str,
        place: Place,
        base: Option<&Base>,
        charset: Option<&QueryEncoder<'_>>,
    ) -> Result<Target<'t>, Error> {
        let is_http = || {
            let own = scheme_of(reference);
            let scheme = own.or(base.and_then(Base::scheme));
            scheme.is_none_or(|s| schemes::is(s.as_bytes(), schemes::QUERY_CHARSET))
        };
        let fitted = GrammarRef::of(reference, charset.filter(|_| is_http()))?;
        let parsed = fitted.parsed();
        let has_scheme = parsed.scheme().is_some();
        let resolved = match base {
            Some(base) if !has_scheme => base.resolve(&parsed),
            // Links of running text are not resolved.
            _ if place == Place::Value => without_dots(&parsed),
            _ => None,
        };
        let GrammarRef { text: written, parts, repairs } = fitted;
        let (iri, parts) = match resolved {
            Some(resolved) => {
                let parts = IriRef::parse(&resolved)?.parts();
                (Cow::Owned(resolved), parts)
            }
            None => (written, parts),
        };
        let is_relative = !has_scheme && base.is_none_or(Base::is_too_long);
        Ok(Target { iri, parts, has_scheme, is_relative, repairs })
    }

    /// Returns the IRI with its components.
    pub(crate) fn parsed(&self) -> IriRef<'_> {
        IriRef::from_parts(&self.iri, self.parts)
    }
}

#[cfg(all(test, feature = "documents"))]
mod tests {
    use super::*;
    use crate::iri::ErrorKind;

    fn of(reference: &str, base: &str) -> Result<String, Error> {
        Target::of(reference, Place::Value, Base::new(base).as_ref(), None)
            .map(|target| target.iri.into_owned())
    }

    #[test]
    fn resolved_and_repaired() {
        for (reference, target) in [
            ("../ü.html?q#f", "http://例え.jp/ü.html?q#f"),
            ("http://[::1]/[x]", "http://[::1]/%5Bx%5D"),
            ("a b\\c%zz#d#e", "http://例え.jp/a/a%20b%5Cc%25zz#d%23e"),
            ("//h/\u{FFFD}", "http://h/%EF%BF%BD"),
            ("?q=\u{E000}", "http://例え.jp/a/b?q=\u{E000}"),
            ("", "http://例え.jp/a/b"),
            ("mailto:a@b", "mailto:a@b"),
        ] {
            assert_eq!(of(reference, "http://例え.jp/a/b").as_deref(), Ok(target), "{reference}");
        }
        assert!(of("http://h:port/", "http://b/").is_err());
        assert!(of("1:a", "http://b/").is_err());
    }

    #[test]
    fn dot_segments_of_values_alone_are_removed() {
        let of = |place| Target::of("http://a.example/b/../c/.", place, None, None).unwrap().iri;
        assert_eq!(of(Place::Value), "http://a.example/c/");
        assert_eq!(of(Place::Text), "http://a.example/b/../c/.");
    }

    #[test]
    fn what_was_repaired_is_said() {
        let repairs = |text: &str| Target::of(text, Place::Value, None, None).unwrap().repairs;
        assert_eq!(repairs("a%20b"), Repairs::default());
        assert_eq!(repairs("a b"), Repairs { forbidden: true, ..Repairs::default() });
        assert_eq!(repairs("a%"), Repairs { stray_percent: true, ..Repairs::default() });
        assert_eq!(repairs("a\u{E000}"), Repairs { not_iri: true, ..Repairs::default() });
        assert!(Target::of("a", Place::Value, None, None).unwrap().is_relative);
        assert!(!Target::of("x:a", Place::Value, None, None).unwrap().is_relative);
    }

    #[test]
    fn bases_inside_bases() {
        let outer = Base::new("http://a/b/").unwrap();
        assert_eq!(Base::inner(Some(&outer), "c/d").unwrap().as_str(), "http://a/b/c/d");
        assert_eq!(Base::inner(None, "c/d").unwrap_err().kind(), ErrorKind::NoScheme);
        assert_eq!(Base::new("c"), None);
    }

    #[test]
    fn nothing_is_resolved_against_what_is_too_long() {
        let of = |len: usize| Base::new(&format!("http://a/{}/", "b".repeat(len - 10))).unwrap();
        let target = |base: &Base| {
            let target = Target::of("c", Place::Value, Some(base), None).unwrap();
            (target.iri.len(), target.is_relative)
        };
        let (most, more) = (of(limits::TOLD_WITH_EACH), of(limits::TOLD_WITH_EACH + 1));
        assert_eq!(
            (target(&most), target(&more)),
            ((limits::TOLD_WITH_EACH + 1, false), (1, true))
        );
        assert_eq!(Base::inner(Some(&more), "d/").unwrap().as_str(), more.as_str());
        assert_eq!(Base::inner(Some(&more), "http://d/").unwrap().as_str(), "http://d/");
    }
}

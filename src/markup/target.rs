//! Targets: a reference out of a value, made fit for the grammar, resolved against a base.
//!
//! Authors write what browsers put up with. What RFC 3987 forbids in a reference is percent-encoded
//! here, and said: white space and the ASCII that URIs forbid, brackets outside a host, a second `#`,
//! a stray `%`, characters that IRIs do not have. What still does not fit is refused.

use std::borrow::Cow;
use std::ops::Range;

use crate::iri::chars::{self, Private};
use crate::iri::{Error, IriBuf, IriRef, Parts, Plain};

/// What relative references are resolved against: an IRI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    text: String,
    parts: Parts,
    /// It is plain, and so is what a plain reference comes to.
    is_plain: bool,
}

impl Base {
    /// The base that this text is, if it is an IRI.
    #[cfg(test)]
    pub(crate) fn new(text: &str) -> Option<Base> {
        Some(Base::from(&text.parse::<IriBuf>().ok()?))
    }

    fn of(text: String, parts: Parts) -> Base {
        let is_plain = Plain::of(&text).is_some_and(|plain| plain.has_scheme());
        Base { text, parts, is_plain }
    }

    /// The base that a `<base href>` or `xml:base` makes of this one; `None` if it makes none.
    pub(crate) fn inner(outer: Option<&Base>, reference: &str) -> Option<Base> {
        let Target { iri, parts, is_relative, .. } = Target::of(reference, outer).ok()?;
        (!is_relative).then(|| Base::of(iri.into_owned(), parts))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The base with its components.
    pub(crate) fn parsed(&self) -> IriRef<'_> {
        IriRef::from_parts(&self.text, self.parts)
    }

    fn resolve(&self, reference: &IriRef<'_>) -> Option<String> {
        Some(self.parsed().to_iri()?.resolve(reference))
    }

    /// Resolves a reference without a scheme, if the base is plain, and says where the target, which is its
    /// own URI then, has its host. The target is what the string becomes.
    pub(crate) fn resolve_plain(
        &self,
        reference: &Plain<'_>,
        target: &mut String,
    ) -> Option<Range<usize>> {
        let base = self.parsed().to_iri().filter(|_| self.is_plain)?;
        let reference = IriRef::from_parts(reference.text, reference.parts);
        target.clear();
        base.resolve_into(&reference, target);
        let host = reference.host_range();
        let scheme = self.parts.hier_start as usize;
        Some(match reference.has_authority() {
            true => scheme + host.start..scheme + host.end,
            false => base.host_range(),
        })
    }
}

impl From<&IriBuf> for Base {
    fn from(iri: &IriBuf) -> Base {
        Base::of(iri.as_str().to_owned(), iri.as_iri().parts())
    }
}

/// What a reference comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target<'t> {
    /// Valid by RFC 3987: an IRI, or a reference if it is relative; borrowed if it is what was written.
    pub(crate) iri: Cow<'t, str>,
    parts: Parts,
    /// What was written has a scheme.
    pub(crate) has_scheme: bool,
    /// There is no scheme, since there was no base.
    pub(crate) is_relative: bool,
    pub(crate) mended: Mended,
}

/// What was percent-encoded in a reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mended {
    /// A `%` without two hexadecimal digits.
    pub(crate) stray_percent: bool,
    /// ASCII that URIs forbid.
    pub(crate) forbidden: bool,
    /// A character that RFC 3987 does not let in.
    pub(crate) not_iri: bool,
}

impl<'t> Target<'t> {
    /// The target of a reference, resolved against the base if there is one.
    ///
    /// # Errors
    ///
    /// The grammar's, if the reference does not fit it even so: a port that is no number, a colon
    /// in the first segment of a path.
    pub(crate) fn of(reference: &'t str, base: Option<&Base>) -> Result<Target<'t>, Error> {
        let mut mended = Mended::default();
        let (written, parts) = match IriRef::parse(reference) {
            Ok(parsed) => (Cow::Borrowed(reference), parsed.parts()),
            Err(_) => {
                let written = mend(reference, &mut mended);
                let parts = IriRef::parse(&written)?.parts();
                (Cow::Owned(written), parts)
            }
        };
        let parsed = IriRef::from_parts(&written, parts);
        let has_scheme = parsed.scheme().is_some();
        let resolved = match base {
            Some(base) if !has_scheme => base.resolve(&parsed),
            // RFC 3986 §5.2.2 removes dot segments of what has a scheme of its own too; a path without a
            // slash in front has no segments.
            _ if has_scheme && parsed.path().starts_with('/') && parsed.path().contains("/.") => {
                parsed.to_iri().map(|iri| iri.resolve(&parsed))
            }
            _ => None,
        };
        let (iri, parts) = match resolved {
            Some(resolved) => {
                let parts = IriRef::parse(&resolved)?.parts();
                (Cow::Owned(resolved), parts)
            }
            None => (written, parts),
        };
        let is_relative = !has_scheme && base.is_none();
        Ok(Target { iri, parts, has_scheme, is_relative, mended })
    }

    /// The IRI with its components.
    pub(crate) fn parsed(&self) -> IriRef<'_> {
        IriRef::from_parts(&self.iri, self.parts)
    }
}

/// The reference with what its grammar forbids percent-encoded.
fn mend(reference: &str, mended: &mut Mended) -> String {
    let bytes = reference.as_bytes();
    let host = host_end(bytes);
    let mut out = String::with_capacity(bytes.len() + 16);
    let (mut private, mut in_fragment) = (Private::No, false);
    for (at, c) in reference.char_indices() {
        match c {
            '%' if chars::triplet(bytes, at).is_none() => {
                mended.stray_percent = true;
                out.push_str("%25");
            }
            '#' if !in_fragment => {
                in_fragment = true;
                private = Private::No;
                out.push(c);
            }
            '[' | ']' if at < host => out.push(c),
            '#' | '[' | ']' | '\0'..='\x20' | '\x7F' => {
                mended.forbidden = true;
                chars::push_encoded(&mut out, c);
            }
            _ if c.is_ascii() && chars::is_forbidden_ascii(c as u8) => {
                mended.forbidden = true;
                chars::push_encoded(&mut out, c);
            }
            '?' if !in_fragment => {
                private = Private::Query;
                out.push(c);
            }
            _ if c.is_ascii() => out.push(c),
            _ => match chars::judge(c, private) {
                Ok(()) => out.push(c),
                Err(_) => {
                    mended.not_iri = true;
                    chars::push_encoded(&mut out, c);
                }
            },
        }
    }
    out
}

/// Where the authority ends; 0 if there is none.
fn host_end(bytes: &[u8]) -> usize {
    let scheme = bytes.iter().position(|b| matches!(b, b':' | b'/' | b'?' | b'#'));
    let start = match scheme {
        Some(at) if bytes[at] == b':' => at + 1,
        _ => 0,
    };
    match bytes.get(start..).and_then(|rest| rest.strip_prefix(b"//")) {
        Some(rest) => {
            let len = rest.iter().position(|b| matches!(b, b'/' | b'?' | b'#'));
            start + 2 + len.unwrap_or(rest.len())
        }
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(reference: &str, base: &str) -> Result<String, Error> {
        Target::of(reference, Base::new(base).as_ref()).map(|target| target.iri.into_owned())
    }

    #[test]
    fn resolved_and_mended() {
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
    fn what_was_mended_is_said() {
        let mended = |text: &str| Target::of(text, None).unwrap().mended;
        assert_eq!(mended("a%20b"), Mended::default());
        assert_eq!(mended("a b"), Mended { forbidden: true, ..Mended::default() });
        assert_eq!(mended("a%"), Mended { stray_percent: true, ..Mended::default() });
        assert_eq!(mended("a\u{E000}"), Mended { not_iri: true, ..Mended::default() });
        assert!(Target::of("a", None).unwrap().is_relative);
        assert!(!Target::of("x:a", None).unwrap().is_relative);
    }

    #[test]
    fn bases_inside_bases() {
        let outer = Base::new("http://a/b/").unwrap();
        assert_eq!(Base::inner(Some(&outer), "c/d").unwrap().as_str(), "http://a/b/c/d");
        assert_eq!(Base::inner(None, "c/d"), None);
        assert_eq!(Base::inner(None, "http://x y/"), None.or(Base::new("http://x%20y/")));
        assert_eq!(Base::new("c"), None);
    }
}

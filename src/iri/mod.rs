//! IRIs according to RFC 3987: parsing, validation, mapping to URIs and back, normalization, comparison, resolution.
//!
//! This module implements RFC 3987, and is useful without the rest of this crate: it parses and validates IRIs, maps them
//! to URIs and back, normalizes and compares, resolves and relativizes, displays them, and has related functions
//! (bidirectional IRIs, legacy extended IRIs, preparation of strings, rules of schemes). It does not fetch anything, does
//! not build IRIs from parts, and does not parse as browsers do (WHATWG's URL has another grammar; see the crate `url`).
//!
//! ```
//! use linksift::iri::{Error, ErrorKind, Iri, IriRef, NormalizationLevel};
//!
//! // Valid by the grammar, or the first error and its byte.
//! let iri = Iri::parse("http://例え.jp/パス?q=値#断片")?;
//! assert_eq!(iri.host(), Some("例え.jp"));
//! let refused = Iri::parse("http://例え.jp/100%").unwrap_err();
//! assert_eq!((refused.kind(), refused.index()), (ErrorKind::StrayPercent, 20));
//!
//! // The URI, and back.
//! assert_eq!(iri.to_uri()?, "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9?q=%E5%80%A4#%E6%96%AD%E7%89%87");
//! assert_eq!(Iri::parse("http://e.example/D%C3%BCrst%2F")?.to_iri_text(), "http://e.example/Dürst%2F");
//!
//! // What its scheme and its reader should know.
//! assert!(Iri::parse("http://256.1.1.1/")?.check_scheme().is_err());
//!
//! // References, and comparison on a rung of the ladder.
//! let target = iri.resolve(&IriRef::parse("../ü")?);
//! assert_eq!(target, "http://例え.jp/ü");
//! assert!(Iri::parse("HTTP://a:80")?.equivalent(&Iri::parse("http://a/")?.as_reference(), NormalizationLevel::Scheme));
//! # Ok::<(), Error>(())
//! ```
//!
//! Each stage is a module; its input is borrowed text, and its result is borrowed if nothing changes. A valid IRI may have
//! no URI, because IDNA may not accept its host. `to_uri` then returns an error, and the IRI stays valid.
//!
//! The feature `iri-tools` adds what a program needs that makes or checks IRIs itself: other rules and repertoires of the
//! grammar, preparation of texts, other forms for people, and warnings about an IRI.

mod ace;
pub(crate) mod chars;
mod components;
mod continuation;
mod decode;
mod display;
mod error;
mod file;
pub(crate) mod host;
mod ip;
pub(crate) mod mapping;
mod normalize;
mod owned;
mod parse;
mod plain;
#[cfg(feature = "iri-tools")]
mod prepare;
pub(crate) mod repair;
mod resolve;
mod scheme;
mod warning;

#[cfg(feature = "iri-tools")]
pub use chars::{encode_forbidden, is_bidi_formatting, is_iprivate, is_ucschar};
#[cfg(feature = "iri-tools")]
pub use components::Syntax;
pub use components::{HostKind, Iri, IriRef};
#[cfg(feature = "iri-tools")]
pub use display::{DecodedPart, Detector, Hosts, format_parts};
pub use error::{Error, ErrorKind};
#[cfg(feature = "iri-tools")]
pub use file::encode_path;
pub use host::{HostMapping, host_to_ascii, host_to_unicode};
#[cfg(feature = "iri-tools")]
pub use mapping::HostDisplay;
pub use mapping::{MapOptions, Octet, QueryEncoder};
pub use normalize::NormalizationLevel;
pub use owned::{IriBuf, Scheme};
pub(crate) use parse::{ComponentOffsets, host_end, is_rest};
#[cfg(feature = "iri-tools")]
pub use parse::{Form, Repertoire};
pub(crate) use plain::SimpleUriRef;
#[cfg(feature = "iri-tools")]
pub use prepare::{Spaces, leiri_to_iri, prepare};
pub use repair::{Repaired, repair};
pub(crate) use scheme::mail_domain;
#[cfg(not(feature = "iri-tools"))]
pub(crate) use warning::BidiRule;
#[cfg(feature = "iri-tools")]
pub use warning::{BidiFinding, BidiRule, IriWarning};

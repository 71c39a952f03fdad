//! IRIs according to RFC 3987: parsing, validation, mapping to URIs and back, normalization, comparison, resolution.
//!
//! RFC 3987 as a library, useful without the rest of this crate: parse and validate, map to a URI and
//! back, normalise and compare, resolve and relativise, display, and what people ask beside it
//! (bidirectional IRIs, legacy extended IRIs, strings to be prepared, schemes' own rules). It does
//! not fetch, does not build IRIs out of parts, and does not do what browsers do (WHATWG's URL is
//! another grammar; see the crate `url`).
//!
//! ```
//! use linksift::iri::{Error, ErrorKind, Iri, IriRef, Rung};
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
//! assert!(Iri::parse("HTTP://a:80")?.equivalent(&Iri::parse("http://a/")?.as_reference(), Rung::Scheme));
//! # Ok::<(), Error>(())
//! ```
//!
//! Each stage is a module; text goes in borrowed, and what needs no change comes out borrowed. An IRI
//! that is valid may still have no URI: its host may be one that IDNA does not accept. `to_uri` says
//! so, the IRI stays what it is.

mod ace;
mod bidi;
pub(crate) mod chars;
mod components;
mod decode;
mod display;
mod error;
pub(crate) mod host;
mod ip;
mod leiri;
mod normalize;
mod owned;
mod parse;
mod parts;
mod plain;
mod prepare;
pub(crate) mod repair;
mod resolve;
mod scheme;
mod text;
mod to_iri;
pub(crate) mod to_uri;
mod warning;

pub use bidi::{BidiFinding, BidiRule};
pub use chars::{is_bidi_formatting, is_iprivate, is_ucschar};
pub use components::{HostKind, Iri, IriRef, Syntax};
pub use display::{DecodedPart, Detector, Hosts, format_parts};
pub use error::{Error, ErrorKind};
pub use host::{HostMapping, host_to_ascii, host_to_unicode};
pub use leiri::leiri_to_iri;
pub use normalize::Rung;
pub use owned::{IriBuf, Scheme};
pub use parse::{Form, Repertoire};
pub(crate) use parse::{host_end, is_rest};
pub(crate) use parts::ComponentOffsets;
pub(crate) use plain::SimpleUriRef;
pub use prepare::{Spaces, prepare};
pub use repair::{Repaired, repair};
pub(crate) use scheme::mail_domain;
pub use to_iri::HostDisplay;
pub use to_uri::{MapOptions, Octet, QueryEncoder, encode_forbidden};
pub use warning::IriWarning;

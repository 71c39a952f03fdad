//! IRIs by RFC 3987: parse, validate, map, normalise, resolve, display.

mod ace;
mod bidi;
mod bidi_ranges;
pub(crate) mod chars;
mod components;
mod decode;
mod display;
mod error;
mod found;
pub(crate) mod host;
mod ip;
mod leiri;
mod normalize;
mod parse;
mod prepare;
mod resolve;
mod scheme;
mod to_iri;
pub(crate) mod to_uri;
mod warning;

pub use bidi::{BidiFinding, BidiRule};
pub use chars::{is_bidi_formatting, is_iprivate, is_ucschar};
pub use components::{HostKind, Iri, IriRef, Syntax};
pub use display::{DecodedPart, Detection, format_parts};
pub use error::{Error, ErrorKind};
pub use host::{host_to_ascii, host_to_unicode};
pub use leiri::leiri_to_iri;
pub use normalize::Rung;
pub use parse::{Form, Repertoire};
pub use prepare::{Spaces, prepare};
pub use to_iri::HostDisplay;
pub use to_uri::{HostMapping, MapOptions, Octet, QueryEncoder, encode_forbidden};
pub use warning::IriWarning;

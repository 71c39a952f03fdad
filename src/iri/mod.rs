//! IRIs by RFC 3987: parse, validate, map, normalise, resolve, display.

mod chars;
mod components;
mod decode;
mod error;
mod host;
mod ip;
mod normalize;
mod parse;
mod resolve;
mod scheme;
mod to_iri;
mod to_uri;

pub use chars::{is_bidi_formatting, is_iprivate, is_ucschar};
pub use components::{HostKind, Iri, IriRef, Syntax};
pub use error::{Error, ErrorKind};
pub use host::{to_ascii as host_to_ascii, to_unicode as host_to_unicode};
pub use normalize::Rung;
pub use parse::{Form, Repertoire};
pub use to_iri::HostDisplay;
pub use to_uri::{HostMapping, MapOptions, Octet, QueryEncoder, encode_forbidden};

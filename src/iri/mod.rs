//! IRIs by RFC 3987: parse, validate, map, normalise, resolve, display.

mod chars;
mod components;
mod error;
mod ip;
mod parse;

pub use chars::{is_bidi_formatting, is_iprivate, is_ucschar};
pub use components::{HostKind, Iri, IriRef, Syntax};
pub use error::{Error, ErrorKind};
pub use parse::{Form, Repertoire};

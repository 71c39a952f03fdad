//! RFC 3987: what a candidate must be to be an IRI, and which URI it maps to.

pub(crate) mod chars;
pub(crate) mod host;
pub(crate) mod to_uri;

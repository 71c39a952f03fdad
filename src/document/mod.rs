//! Documents: from the bytes of one document to its links.
//!
//! A pass takes the bytes step by step ([`pass`]). Running text is scanned as it is stored, or in windows of decoded
//! text ([`window`], [`legacy`]); what a tokenizer of markup returns becomes values and texts ([`page`]). Each candidate
//! is judged by the [`finder`], which has the settings.

pub(crate) mod attachment;
pub(crate) mod finder;
#[cfg(feature = "documents")]
pub(crate) mod legacy;
#[cfg(feature = "documents")]
pub(crate) mod page;
pub(crate) mod pass;
pub(crate) mod step;
pub(crate) mod window;

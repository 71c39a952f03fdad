//! Tokenizers of markup and the links out of documents, a file for each format.

mod browser;
pub(crate) mod cases;
mod css;
mod data;
mod hostile;
mod html;
mod limits;
mod links;
mod markdown;
mod rtf;
mod xml;

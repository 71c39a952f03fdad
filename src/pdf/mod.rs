//! PDF (ISO 32000-2): the links of annotations, actions, outlines and pages, as pieces.
//!
//! The input is a file in memory, the result its pieces, page by page: `syntax` reads objects, `file` finds, decrypts and
//! decodes them, `reader` walks over pages and document, `text` turns the content of a page into text.

mod action;
mod file;
mod reader;
mod strings;
mod syntax;
mod text;

pub(crate) use reader::PdfReader;

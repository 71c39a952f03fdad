//! Syntax of PDF: objects, and the lexer that reads them.

mod lexer;
mod object;

pub(super) use lexer::{PdfLexer, PdfToken, from_hex, is_white};
pub(super) use object::{ObjectId, PdfDictionary, PdfObject, PdfStream};

//! What a document is taken for, and what is said of it.

mod format;
mod not_read;
mod notices;

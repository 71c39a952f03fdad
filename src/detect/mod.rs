//! Detects the format and disposition of documents, with one table of kinds for every code path.
//!
//! Files, standard input, members of archives, records of crawls, parts of mail and documents in memory are detected
//! only here. The first of these that has an answer decides:
//!
//! 1. the requested format (`--format`): the document is read as that;
//! 2. the magic number of a format in the [table](kinds): the document is opened, scanned only for `scheme://` and
//!    `mailto:`, or skipped with a notice; compressed files and archives are opened even if a format is requested,
//!    which is that of the documents in them;
//! 3. the declared type: HTTP, WARC, mail, a manifest;
//! 4. the name, or the label in its place;
//! 5. NULs: a document of unknown kind with a NUL in its first 8 KiB is not text.
//!
//! Declared and named texts are binary nevertheless if more than one byte in sixteen is a control character
//! ([`has_many_controls`](crate::charset::has_many_controls)). UTF-16 is text, and so is mail, whose parts may be
//! binary.
//!
//! Fewer or more bytes may be needed to detect the format of a text ([`format`]), or mail ([`mail`]).

mod about;
mod decide;
mod declared;
mod disposition;
pub(crate) mod document;
#[cfg(feature = "documents")]
mod feed;
pub(crate) mod field;
#[cfg(feature = "documents")]
mod format;
#[cfg(feature = "archives")]
mod http;
mod kinds;
#[cfg(feature = "documents")]
mod kubernetes;
mod late;
mod magic;
#[cfg(feature = "mail")]
pub(crate) mod mail;
pub(crate) mod mbox;
pub(crate) mod media_type;
mod opening;
mod plain;
#[cfg(test)]
mod tests;
#[cfg(feature = "documents")]
mod undeclared;

pub(crate) use about::DocumentFacts;
pub use decide::detect;
pub(crate) use decide::with_format;
pub(crate) use declared::inner_name;
#[cfg(feature = "mail")]
pub(crate) use declared::{lowered, signed_name};
pub(crate) use disposition::{LEAD, detect_disposition, may_precede_zip, settled};
#[cfg(feature = "documents")]
pub(crate) use format::format_of;
#[cfg(feature = "archives")]
pub(crate) use http::{begins_answer, header_len};
#[cfg(feature = "documents")]
pub(crate) use kinds::PROPERTY_LIST;
pub(crate) use kinds::{AR, PDF, is_crawl, is_cut_warc, is_warc, may_be_crawl};
pub(crate) use late::LateBinary;
#[cfg(feature = "mail")]
pub(crate) use magic::{SIGNED_DATA, is_signed};
pub(crate) use magic::{TAR_BLOCK, is_tar_header, octal};
pub(crate) use opening::{AvailableHead, DocumentDetector, TextDetector, of_whole};
pub(crate) use plain::is_plain_text;

pub(crate) use crate::charset::CONTROLS_HEAD as HEAD;

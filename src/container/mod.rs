//! Containers: compressed files and archives in, the documents that they hold out.
//!
//! Takes a stream of bytes, or a [`Source`] that can be read anywhere; what goes out are
//! documents, one after the other, each with what its container says of it (name, charset, base) and
//! where it is (`member`). The framing of each format is read here; the codecs are libraries', each
//! with one door in `codec`. Memory is bounded whatever a header claims, a fault ends no more than what
//! it is in, and each fault has a code and a place ([`Fault`]).

mod answer;
mod ar;
mod archive_reader;
mod codec;
mod documents;
mod fault;
mod limits;
mod lookahead;
mod member;
mod member_offsets;
mod metadata;
mod open;
pub(crate) mod resume;
mod source;
#[cfg(all(feature = "office", feature = "files"))]
mod store;
mod stream_context;
mod tar;
mod walk;
mod warc;
mod work_unit;
mod zip;

#[cfg(feature = "files")]
pub(crate) use answer::is_coded_answer;
pub(crate) use answer::{AnswerHeads, MOST_HEADERS};
pub use documents::{DocumentReader, Found, Opening, documents};
pub use fault::{Fault, FaultCode};
pub(crate) use limits::Budget;
pub use limits::Limits;
pub use member::Member;
pub(crate) use member::shortened;
#[cfg(feature = "files")]
pub(crate) use metadata::CutReader;
pub(crate) use metadata::{DocumentInfo, HeaderLink};
#[cfg(feature = "files")]
pub(crate) use resume::ResumePoint;
pub(crate) use source::FileSource;
pub use source::Source;
pub(crate) use walk::{ContainerWalk, FormatOverride, WalkInput};
pub(crate) use work_unit::{UnitBounds, Visitor, WorkUnit};

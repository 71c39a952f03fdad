//! Bytes that are no document as they are: what is compressed, an archive, or no text at all.

use std::io::Read;
use std::ops::ControlFlow;

use linksift::container::{Found, Limits, Opening, documents};

/// Why bytes are not read as a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// Compressed, or an archive: documents are in it.
    Packed,
    /// A picture, a program and their like, or mostly NULs.
    Binary,
}

impl Closed {
    /// What closes bytes of this name, which may be empty: told by the library, that opens files by the same rules.
    pub(crate) fn of(bytes: &[u8], name: &str) -> Option<Closed> {
        let mut told = None;
        // Values of a fixed width are filled with NULs, which say nothing.
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let bytes = &bytes[..end];
        documents(Opening::reader(bytes).name(name), &Limits::new(), |found| {
            told = match found {
                Found::Document(mut document) if document.member().is_empty() => {
                    // What is compressed has no name, and begins otherwise once it is opened.
                    let mut begin = [0; 16];
                    let read = document.read(&mut begin);
                    match read {
                        Ok(len)
                            if bytes.starts_with(&begin[..len])
                                && (len > 0 || bytes.is_empty()) =>
                        {
                            (!document.is_text()).then_some(Closed::Binary)
                        }
                        _ => Some(Closed::Packed),
                    }
                }
                // What is told of a picture, if it is not handed on as a document.
                Found::Noticed { member, .. } if member.is_empty() => {
                    told = Some(Closed::Binary);
                    return ControlFlow::Continue(());
                }
                _ => Some(Closed::Packed),
            };
            ControlFlow::Break(())
        });
        told
    }

    /// What is wrong, and what to do instead.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Closed::Packed => {
                "compressed data or an archive: use document(value, archives=True) to open it"
            }
            Closed::Binary => {
                "neither text nor a document: an image, a program or other binary data"
            }
        }
    }
}

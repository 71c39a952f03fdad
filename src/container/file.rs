//! A file of an archive that is read in order: what archives without a directory have in common.
//!
//! The format reads its header and calls [`ArchiveReader::file`] with the feed at the content; after it the feed is
//! at the
//! content's end, wherever its reader stopped.

use std::io::{self, Read};

use super::archive_reader::{ArchiveReader, FailedReader, QueuedMember};
use super::fault::{Fault, FaultCode};
use super::lookahead::{Left, Lookahead, LookaheadReader};
use super::member::Member;
use super::names;
use super::work_unit::{SIZE, Visitor};

/// Header of a file in an archive.
pub(super) struct File {
    pub(super) name: Vec<u8>,
    /// Length of its content, which is stored verbatim.
    pub(super) size: u64,
    /// Text of the fault if the archive ends in it.
    pub(super) short: &'static str,
}

/// How the content of a file ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileEnd {
    /// The archive continues after it.
    Whole,
    /// The archive ended in it, which has been reported.
    Cut,
}

impl ArchiveReader<'_, '_> {
    /// Hands on a file: a short one with others, as a part that another thread may take, a long one as it is read.
    pub(super) fn file(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        file: File,
    ) -> io::Result<FileEnd> {
        let File { name, size, short } = file;
        let context = self.context;
        let member = names::inner(context.member, &name, None);
        let mut left = Left::of(feed, size, short);
        let mut held = Vec::new();
        let mut failure = None;
        if size <= SIZE && !context.is_live {
            match left.read_to_end(&mut held) {
                Ok(_) => {
                    let size = held.len() + name.len();
                    self.push(QueuedMember::File { member, name, bytes: held }, size);
                    return Ok(FileEnd::Whole);
                }
                Err(error) => failure = Some(error),
            }
        }
        self.flush();
        let is_cut = failure.is_some();
        let reader = io::Cursor::new(held).chain(FailedReader(failure)).chain(&mut left);
        let inner = context.inner(&member, &name, size);
        self.walk.stream(Box::new(reader), &inner, self.visitor);
        if is_cut {
            return Ok(FileEnd::Cut);
        }
        pass(left, &member, self.visitor)
    }
}

/// Passes over what nobody has read of a member's content, which may be cut there.
pub(super) fn pass(
    left: Left<'_, '_>,
    member: &Member,
    visitor: &mut dyn Visitor,
) -> io::Result<FileEnd> {
    let Left { feed, left: rest, short, is_short } = left;
    // A reader that reached the end has already seen the error.
    if is_short {
        return Ok(FileEnd::Cut);
    }
    if !feed.skip(rest)? {
        visitor.failed(member, Fault::new(FaultCode::Truncated, feed.at(), short).into());
        return Ok(FileEnd::Cut);
    }
    Ok(FileEnd::Whole)
}

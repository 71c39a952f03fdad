//! A file of an archive that is read in order: what archives without a directory have in common.
//!
//! The format reads its header and calls [`Reader::file`] with the feed at the content; after it the feed is at the
//! content's end, wherever its reader stopped.

use std::io::{self, Read};

use super::fault::{Fault, FaultCode};
use super::feed::{Ahead, Feed, Left};
use super::member::Member;
use super::names;
use super::reader::{Failing, Piece, Reader};
use super::work_unit::{SIZE, Visitor};

/// What a header says of a file.
pub(super) struct File {
    pub(super) name: Vec<u8>,
    /// Of its content, which is stored as it is.
    pub(super) size: u64,
    /// What is said if the archive ends in it.
    pub(super) short: &'static str,
}

/// How the content of a file ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The archive goes on after it.
    Whole,
    /// The archive ended in it, which has been told.
    Cut,
}

impl Reader<'_, '_> {
    /// Hands on a file: a short one with others, as a part that another thread may take, a long one as it is read.
    pub(super) fn file(&mut self, feed: &mut Feed<'_>, file: File) -> io::Result<End> {
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
                    self.push(Piece::File { member, name, bytes: held }, size);
                    return Ok(End::Whole);
                }
                Err(error) => failure = Some(error),
            }
        }
        self.flush();
        let is_cut = failure.is_some();
        let reader = io::Cursor::new(held).chain(Failing(failure)).chain(&mut left);
        let inner = context.inner(&member, &name, size);
        self.walk.stream(Box::new(reader), &inner, self.visitor);
        if is_cut {
            return Ok(End::Cut);
        }
        pass(left, &member, self.visitor)
    }
}

/// Passes over what nobody has read of a member's content, which may be cut there.
pub(super) fn pass(
    left: Left<'_, '_>,
    member: &Member,
    visitor: &mut dyn Visitor,
) -> io::Result<End> {
    let Left { feed, left: rest, short, is_short } = left;
    // Who read it to its end was told.
    if is_short {
        return Ok(End::Cut);
    }
    if !feed.skip(rest)? {
        visitor.failed(member, Fault::new(FaultCode::Truncated, feed.at(), short).into());
        return Ok(End::Cut);
    }
    Ok(End::Whole)
}

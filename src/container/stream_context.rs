//! Streams inside an input: their formats, where their bytes are stored, their depth, their declared facts.

use std::sync::Arc;

use super::codec::Codec;
use super::member::Member;
use super::member_offsets::MemberOffsets;
use super::metadata::{CutEnd, Metadata};
use super::source::{Source, SourceRange};
use crate::detect::document::ArchiveFormat;

/// Stored place of the bytes of a stream.
#[derive(Clone)]
pub(super) enum Where {
    Source(Arc<dyn Source>),
    Window(SourceRange),
    /// A stream that cannot be read again, with its length if it is known.
    Stream(Option<u64>),
}

impl Where {
    pub(super) fn len(&self) -> Option<u64> {
        match self {
            Where::Source(source) => Some(source.len()),
            Where::Window(window) => Some(window.len()),
            Where::Stream(len) => *len,
        }
    }

    pub(super) fn window(&self) -> Option<SourceRange> {
        match self {
            Where::Source(source) => Some(SourceRange::whole(Arc::clone(source))),
            Where::Window(window) => Some(window.clone()),
            Where::Stream(_) => None,
        }
    }
}

/// A stream inside an input.
pub(super) struct StreamContext<'p> {
    pub(super) member: &'p Member,
    pub(super) name: &'p [u8],
    pub(super) from: Where,
    pub(super) depth: u32,
    pub(super) is_live: bool,
    pub(super) metadata: &'p Metadata,
    /// Offsets of the members of the compressed stream that contains it.
    pub(super) offsets: Option<MemberOffsets>,
    /// Whether its end cuts its document, which may be known only there. Members of an archive have ends of their own.
    pub(super) cut: Option<&'p CutEnd>,
}

impl<'p> StreamContext<'p> {
    /// The stream of an archive whose bytes are read elsewhere.
    pub(super) fn of_archive(
        member: &'p Member,
        depth: u32,
        metadata: &'p Metadata,
    ) -> StreamContext<'p> {
        let from = Where::Stream(None);
        let (is_live, offsets, cut) = (false, None, None);
        StreamContext { member, name: b"", from, depth, is_live, metadata, offsets, cut }
    }

    /// The stream of a member of it that is read in order.
    pub(super) fn inner<'i>(
        &'i self,
        member: &'i Member,
        name: &'i [u8],
        size: u64,
    ) -> StreamContext<'i> {
        StreamContext {
            member,
            name,
            from: Where::Stream(Some(size)),
            depth: self.depth + 1,
            is_live: false,
            metadata: self.metadata,
            offsets: None,
            cut: None,
        }
    }

    /// Returns the offset of a decoded byte in the stored stream: that of its member, or its own.
    pub(super) fn stored_offset(&self, at: u64) -> u64 {
        self.offsets.as_ref().and_then(|offsets| offsets.of(at)).map_or(at, |(_, stored)| stored)
    }

    /// Returns the name step of a document that begins at a decoded byte: `OFFSET`, or `OFFSET+K` inside a member.
    pub(super) fn step(&self, at: u64) -> String {
        match self.offsets.as_ref().and_then(|offsets| offsets.of(at)) {
            Some((decoded, stored)) if decoded < at => format!("{stored}+{}", at - decoded),
            Some((_, stored)) => stored.to_string(),
            None => at.to_string(),
        }
    }
}

/// Format of a stream that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamFormat {
    Compressed(Codec),
    Zip,
    Tar,
    Ar,
    /// WARC, or its predecessor ARC.
    Warc,
}

impl StreamFormat {
    pub(super) fn of(archive_format: ArchiveFormat) -> StreamFormat {
        match archive_format {
            ArchiveFormat::Gzip => StreamFormat::Compressed(Codec::Gzip),
            ArchiveFormat::Bzip2 => StreamFormat::Compressed(Codec::Bzip2),
            ArchiveFormat::Xz => StreamFormat::Compressed(Codec::Xz),
            ArchiveFormat::Lzma => StreamFormat::Compressed(Codec::Lzma),
            ArchiveFormat::Zstd => StreamFormat::Compressed(Codec::Zstd),
            ArchiveFormat::Lz4 => StreamFormat::Compressed(Codec::Lz4),
            ArchiveFormat::Brotli => StreamFormat::Compressed(Codec::Brotli),
            ArchiveFormat::Zip => StreamFormat::Zip,
            ArchiveFormat::Tar => StreamFormat::Tar,
            ArchiveFormat::Ar => StreamFormat::Ar,
            ArchiveFormat::Warc => StreamFormat::Warc,
        }
    }
}

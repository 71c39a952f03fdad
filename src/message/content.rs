//! Nouns of leaves: how one is read, and where its bytes are stored.

use super::part::{Content, Head, Reading, Undecoded};
use super::structure::{End, Start};
use super::transfer::{Encoding, Expected, Mark};
use crate::charset::Charset;
use crate::chunk::Chunk;
use crate::document::{Disposition, Format};
use crate::iri::IriBuf;

/// What a leaf has at most that is read whole, in stored bytes.
pub(super) const LONG: usize = crate::limits::WHOLE;

/// What a leaf holds, as far as that is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Nothing,
    /// A message that is encoded.
    Message,
    /// An entity of MIME that is signed.
    Entity,
    /// Perhaps the parts of the multipart that begins here, encoded so: if it has no delimiter as it is stored.
    Parts(Encoding),
}

/// A part that holds no parts, or what is between parts.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(super) reading: Reading,
    /// Text, or what is scanned for links that are none by chance.
    pub(super) disposition: Disposition,
    pub(super) holds: Holds,
    pub(super) encoding: Encoding,
    /// What its header names, if that is one.
    pub(super) charset: Result<Option<Charset>, Undecoded>,
    pub(super) section: Vec<u64>,
    pub(super) source: Option<Box<str>>,
    pub(super) base: Option<IriBuf>,
    pub(super) context: Option<&'static str>,
}

impl Leaf {
    pub(super) fn new(content: Content, head: &Head, encoding: Encoding) -> Leaf {
        let (reading, holds) = match content {
            Content::Leaf(reading) => (reading, Holds::Nothing),
            _ => (Reading::Skip, Holds::Message),
        };
        Leaf {
            reading,
            holds,
            disposition: Disposition::Text,
            encoding,
            charset: head.charset(),
            section: Vec::new(),
            source: None,
            base: None,
            context: None,
        }
    }

    /// What its bytes are to be.
    pub(super) fn expected(&self) -> Expected {
        match self.reading {
            _ if matches!(self.holds, Holds::Message | Holds::Parts(_)) => Expected::Text(None),
            Reading::As(Format::Auto, _) | Reading::Skip | Reading::Kind(..) => Expected::Bytes,
            _ => Expected::Text(self.charset.ok().flatten()),
        }
    }

    /// What is before the first delimiter of a level, or after its last, or a line of a header.
    pub(super) fn between(context: &'static str) -> Leaf {
        Leaf {
            reading: Reading::Text { delsp: false },
            holds: Holds::Nothing,
            disposition: Disposition::Text,
            encoding: Encoding::Identity,
            charset: Ok(None),
            section: Vec::new(),
            source: None,
            base: None,
            context: Some(context),
        }
    }
}

/// Where a leaf ends, as far as that is known; offsets of all bytes.
pub(super) struct LeafEnd {
    /// Its end is looked for from here on.
    pub(super) from: Start,
    /// Where that is, and with what it ends.
    pub(super) found: Option<(usize, End)>,
}

/// The stored bytes of a leaf.
#[derive(Clone, Copy)]
pub(super) struct Stored<'s> {
    pub(super) bytes: &'s [u8],
    /// Where they begin in all bytes.
    pub(super) start: usize,
    /// What lines are counted in.
    pub(super) chunk: Chunk<'s>,
    /// Of a leaf that was decoded whole.
    pub(super) marks: &'s [Mark],
}

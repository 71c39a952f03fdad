//! What a walk through an input holds from document to document.

use std::io::{self, Read};
use std::sync::Arc;

use super::begin::Begin;
use super::budget::Budget;
use super::codec::Codec;
use super::fault::Late;
use super::feed::Feed;
use super::limits::Limits;
use super::member_offsets::MemberOffsets;
use super::metered::Metered;
use super::source::Source;
use crate::charset::Charset;
use crate::document::{Declared, Format, Hints};

/// An input of a walk.
pub(crate) struct Input<'i> {
    pub(crate) name: &'i [u8],
    pub(crate) reader: Box<dyn Read + 'i>,
    /// The same bytes, where they can be read anywhere.
    pub(crate) source: Option<Arc<dyn Source>>,
    /// A read may have to wait for somebody.
    pub(crate) is_live: bool,
    /// What is said of it.
    pub(crate) declared: Declared,
    /// Where it is begun with, if it is an archive.
    pub(crate) begin: Begin,
}

/// What somebody asks that all documents of an input be read as.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    pub(super) format: Option<Format>,
    pub(super) charset: Option<Charset>,
}

impl Asked {
    pub(crate) fn of(hints: &Hints) -> Asked {
        let format = (hints.is_asked && hints.format != Format::Auto).then_some(hints.format);
        Asked { format, charset: hints.charset }
    }
}

/// Walks through inputs, one after the other.
pub(crate) struct Walk<'w> {
    pub(super) limits: &'w Limits,
    /// What is known of all documents.
    pub(crate) asked: Asked,
    /// Whether anything is opened.
    pub(super) opens: bool,
    /// Memory of feeds, for the next ones.
    pub(super) spare: Vec<Vec<u8>>,
    /// What may still come out of the input.
    pub(crate) budget: Arc<Budget>,
    /// Where the outermost archive is begun with, until it is met.
    pub(super) begin: Option<Begin>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(limits: &'w Limits, opens: bool) -> Walk<'w> {
        let budget = Arc::new(Budget::new(u64::MAX));
        let asked = Asked::default();
        Walk { limits, asked, opens, spare: Vec::new(), budget, begin: None }
    }

    /// What compressed bytes stand for, as far as the limits allow.
    pub(super) fn metered<'f>(
        &self,
        codec: Codec,
        feed: &'f mut Feed<'_>,
        stored: Option<u64>,
        late: &Late,
    ) -> io::Result<Box<dyn Read + 'f>> {
        self.metering(codec, feed, stored, None, late)
    }

    pub(super) fn metering<'f>(
        &self,
        codec: Codec,
        feed: &'f mut Feed<'_>,
        stored: Option<u64>,
        offsets: Option<MemberOffsets>,
        late: &Late,
    ) -> io::Result<Box<dyn Read + 'f>> {
        Ok(Box::new(Metered {
            decoder: codec.decoder(feed, self.limits, offsets)?,
            given: 0,
            stored,
            limits: self.limits.clone(),
            budget: Arc::clone(&self.budget),
            late: late.clone(),
            failed: false,
        }))
    }
}

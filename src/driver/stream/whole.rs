//! Documents that a parser reads whole.

use std::io::{self, Read};
use std::ops::ControlFlow;

use super::ScanEvent;
#[cfg(all(feature = "office", feature = "files"))]
use super::{Delivery, cut::Watch};
use crate::detect::document::{Disposition, Hints};
use crate::document::finder::Finder;
use crate::input::guard::says_cancelled;
#[cfg(feature = "office")]
use crate::mail::scan_composed;
use crate::notice::{FailedScan, Scanned};
#[cfg(all(feature = "office", feature = "files"))]
use crate::office::StoredMessage;
use crate::whole::{WholeBytes, WholeEvent, WholeScanner};

impl Finder {
    /// Scans a document of which `start` was read already; `disposition` selects its parser. A document that its reader
    /// ends with an error is scanned as far as it was read.
    pub(super) fn scan_whole(
        &self,
        start: Vec<u8>,
        reader: &mut dyn Read,
        hints: &Hints,
        disposition: Disposition,
        emit: &mut dyn FnMut(ScanEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Scanned, FailedScan> {
        let WholeBytes { bytes, failure, share: _share } = WholeBytes::read(start, reader);
        let mut scanned = Scanned { bytes: bytes.len() as u64, ..Scanned::default() };
        let mut whole = match WholeScanner::new(self, hints, disposition, &bytes).checked(hints) {
            Ok(whole) => whole,
            // An error of the reader may be why nothing can be read.
            Err(reason) => return Err(scanned.failed(failure.unwrap_or_else(|| reason.into()))),
        };
        let flow = self.run_whole(&mut whole, &mut scanned, emit);
        ended(scanned, flow, failure)
    }

    /// Scans all pieces of a document.
    fn run_whole(
        &self,
        whole: &mut WholeScanner<'_, '_>,
        scanned: &mut Scanned,
        emit: &mut dyn FnMut(ScanEvent<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let flow = whole.run(&mut |event| match event {
            WholeEvent::Judged(judged) => emit(ScanEvent::Judged(judged)),
            #[cfg(feature = "office")]
            WholeEvent::Message(message) => scan_composed(self, message, emit),
            WholeEvent::File(file) => emit(ScanEvent::Attachment(file)),
            WholeEvent::Unread => emit(ScanEvent::Unread),
        });
        scanned.notices.extend_from_slice(whole.notices());
        scanned.parts.clone_from(whole.noticed_parts());
        flow
    }

    /// Scans a message that was read of a store.
    #[cfg(all(feature = "office", feature = "files"))]
    pub(crate) fn scan_stored_message(
        &self,
        mut message: StoredMessage,
        hints: &Hints,
        emit: &mut dyn FnMut(ScanEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Scanned, FailedScan> {
        let watch = Watch::default();
        let mut delivery = Delivery::new(hints, &watch, emit);
        let mut scanned = Scanned { bytes: message.read, ..Scanned::default() };
        let failure = message.failure.take();
        let mut whole = WholeScanner::of_message(self, hints, message);
        let flow = self.run_whole(&mut whole, &mut scanned, &mut |event| delivery.give(event));
        delivery.finish(ended(scanned, flow, failure))
    }
}

/// Returns the totals of a scan, or the error that ended it.
fn ended(
    mut scanned: Scanned,
    flow: ControlFlow<()>,
    failure: Option<io::Error>,
) -> Result<Scanned, FailedScan> {
    scanned.stopped = flow.is_break() || failure.as_ref().is_some_and(says_cancelled);
    match failure {
        Some(error) if !scanned.stopped => Err(scanned.failed(error)),
        _ => Ok(scanned),
    }
}

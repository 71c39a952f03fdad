//! Messages and mailboxes out of a reader.

use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;

use super::Offered;
use crate::document::Hints;
use crate::finder::Finder;
use crate::guard::says_cancelled;
use crate::message::{self, Mail};
use crate::notice::{Notice, Scanned};

impl Notice {
    /// What is said of mail.
    pub(crate) fn of_mail(remark: message::Remark) -> Notice {
        match remark {
            message::Remark::DuplicateHeader => Notice::DuplicateHeader,
            message::Remark::TooDeep => Notice::TooDeep,
            message::Remark::FieldTooLong => Notice::FieldTooLong,
            message::Remark::LateField => Notice::LateField,
            message::Remark::AlternativesUnheld => Notice::AlternativesUnheld,
            message::Remark::EncodedMultipart => Notice::EncodedMultipart,
            message::Remark::Skipped => Notice::Skipped,
            message::Remark::UnknownCharset => Notice::UnknownCharset,
            message::Remark::Undecodable => Notice::Undecodable,
            message::Remark::ReadAsText => Notice::ReadAsText,
            message::Remark::AttachmentUnread => Notice::AttachmentUnread,
            message::Remark::BaseUnusable => Notice::BaseUnusable,
            message::Remark::BaseTooLong => Notice::BaseTooLong,
            message::Remark::SourceTooLong => Notice::SourceTooLong,
        }
    }
}

impl Scanned {
    /// Of mail that was gone through.
    pub(crate) fn of_mail(
        bytes: usize,
        links: u64,
        stopped: bool,
        notices: Vec<Notice>,
    ) -> Scanned {
        Scanned { bytes: bytes as u64, links, stopped, notices, ..Scanned::default() }
    }
}

impl Finder {
    /// Reads so much of an input's beginning as says whether it is mail; with it what reading failed with.
    pub(super) fn peek_mail(
        &self,
        reader: &mut impl Read,
        hints: &Hints,
    ) -> (Vec<u8>, Option<message::known::Kind>, Option<io::Error>) {
        let mut start = Vec::new();
        let mut is_last = false;
        let mut failure = None;
        loop {
            match message::known::of(hints, &start, is_last) {
                Ok(kind) => return (start, kind, failure),
                // What has ended is known.
                Err(_) if is_last => return (start, None, failure),
                Err(_) => {}
            }
            let filled = start.len();
            start.resize(filled + message::known::HEAD, 0);
            let read = match reader.read(&mut start[filled..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => 0,
                Err(error) => {
                    (is_last, failure) = (true, Some(error));
                    0
                }
                Ok(read) => {
                    is_last = read == 0;
                    read
                }
            };
            start.truncate(filled + read);
        }
    }

    /// Scans a message or a mailbox that begins with what was read already.
    pub(super) fn scan_mail<F>(
        &self,
        start: Vec<u8>,
        reader: &mut dyn Read,
        hints: &Hints,
        kind: message::known::Kind,
        emit: &mut F,
    ) -> io::Result<Scanned>
    where
        F: FnMut(Offered<'_>) -> ControlFlow<()>,
    {
        let mut feed = message::Feed::stream(start, reader);
        let mut mail = Mail::new(self, hints, kind);
        let flow = mail.run(&mut feed, &mut |found| match found {
            message::Found::Judged(judged) => emit(Offered::Judged(judged)),
            message::Found::Attachment(attachment) => emit(Offered::Attachment(attachment)),
            message::Found::Part(..) => ControlFlow::Continue(()),
        });
        let failure = feed.take_failure();
        let stopped = flow.is_break() || failure.as_ref().is_some_and(says_cancelled);
        match failure {
            Some(error) if !stopped => Err(error),
            _ => {
                let notices = mail.remarks().iter().map(|remark| Notice::of_mail(*remark));
                Ok(Scanned::of_mail(feed.end(), 0, stopped, notices.collect()))
            }
        }
    }
}

//! Messages and mailboxes out of a reader.

use std::io::{self, Read};
use std::ops::ControlFlow;

use super::Offered;
use crate::document::Hints;
use crate::finder::Finder;
use crate::guard::says_cancelled;
use crate::message::{self, Mail};
use crate::notice::{Notice, Scanned};
use crate::sniff::mail::Kind;

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
            message::Remark::Binary => Notice::Binary,
            message::Remark::NotOpened => Notice::NotOpened,
            message::Remark::MediaUnread => Notice::MediaUnread,
            message::Remark::TableUnread => Notice::TableUnread,
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
    /// Scans a message or a mailbox that begins with what was read already.
    pub(super) fn scan_mail<F>(
        &self,
        start: Vec<u8>,
        reader: &mut dyn Read,
        hints: &Hints,
        kind: Kind,
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
            message::Found::Unread => emit(Offered::Unread),
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

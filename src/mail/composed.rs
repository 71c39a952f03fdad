//! Scans messages that a parser composed of the texts of a document, such as those of Outlook.

use std::ops::ControlFlow;

use super::{EmitMail, MailScanner, MessageBuffer, PartFound, ScanEvent};
use crate::detect::mail::MailKind;
use crate::document::attachment::Attachment;
use crate::document::finder::Finder;
use crate::whole::ComposedMessage;

/// Scans a message, whose links count in the texts that it was composed of, and whose parts have no place in the input.
pub(crate) fn scan_composed(
    finder: &Finder,
    message: ComposedMessage<'_>,
    emit: &mut EmitMail<'_>,
) -> ControlFlow<()> {
    let mut mail = MailScanner::new(&finder.into(), &message.hints, MailKind::Message);
    let flow = mail.run(&mut MessageBuffer::whole(message.bytes), &mut |event| match event {
        ScanEvent::Judged(mut judged) => {
            message.place(&mut judged);
            emit(ScanEvent::Judged(judged))
        }
        ScanEvent::Part(part) => {
            let member = message.origin.member.as_deref();
            emit(ScanEvent::Part(PartFound { start: None, member, ..part }))
        }
        ScanEvent::Attachment(file) => {
            let origin = message.origin.around(Some(&file.origin));
            emit(ScanEvent::Attachment(Attachment { origin, ..file }))
        }
        ScanEvent::Unread => emit(ScanEvent::Unread),
    });
    message.notices.add_with_parts(&mail.notices);
    flow
}

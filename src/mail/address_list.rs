//! Addresses of mailboxes in a header field (RFC 5322 §3.4), and what a reader sees in their place.
//!
//! Mail programs show the display name of a mailbox, or a comment after it, and often not the address. Where these have the
//! address of another site, the address gets the warning `text-mismatch`.

use std::borrow::Cow;
use std::ops::Range;

use super::encoded_word::{ValueSegment, may_hold_words, pieces};
use crate::detect::media_type::comment_len;
use crate::document::finder::Finder;
use crate::link::{Judged, LinkKind, body_of, owned, set_shown};
use crate::tables::imitation::is_unseen;
use crate::trust::is_other_site;
use crate::warning::Severity;

/// Number of first bytes of a comment in which an address is searched.
const LONGEST_COMMENT: usize = 256;

/// What else the message says of its addresses.
pub(super) struct AddressContext<'c> {
    pub(super) finder: &'c Finder,
    /// Whether a host is that of the mailing list that the message came through.
    pub(super) is_of_list: &'c dyn Fn(&str) -> bool,
    /// Host of the sender whom a reply seems to go to: an address of another site has a note.
    pub(super) sender: Option<&'c str>,
    /// Whether the field names the sender, of which readers see one.
    pub(super) is_sender: bool,
}

/// Reader of the addresses of a field, in order.
pub(super) struct AddressList<'c, 'v> {
    context: AddressContext<'c>,
    value: &'v [u8],
    has_brackets: bool,
    named: Option<DisplayedAddress>,
    mailbox: MailboxStart,
}

/// Address that a reader sees in place of the next one.
struct DisplayedAddress {
    /// Its offset in the value of the field.
    at: usize,
    host: String,
}

impl<'c, 'v> AddressList<'c, 'v> {
    pub(super) fn of(value: &'v [u8], context: AddressContext<'c>) -> AddressList<'c, 'v> {
        let has_brackets = memchr::memchr(b'<', value).is_some();
        let (named, mailbox) = (None, MailboxStart::default());
        AddressList { context, value, has_brackets, named, mailbox }
    }

    /// Completes a candidate, stored at a range of the value, and adds its warnings; returns `true` if it is an address.
    /// `plain`: where the run begins that stores it, if that is not an encoded word.
    pub(super) fn read(
        &mut self,
        judged: &mut Judged<'_>,
        range: Range<usize>,
        plain: Option<usize>,
    ) -> bool {
        if body_of(judged).kind != LinkKind::Email {
            return false;
        }
        let start = match plain.filter(|_| judged.is_ok()) {
            Some(from) => self.complete(judged, from, &range),
            None => range.start,
        };
        let Ok(link) = judged else { return true };
        let Some(host) = link.host().map(Cow::into_owned) else { return true };
        let is_enclosed = start > 0 && self.value.get(start - 1) == Some(&b'<');
        if let Some(sender) = self.context.sender.filter(|_| is_enclosed || !self.has_brackets)
            && is_other_site(sender, &host)
            && !(self.context.is_of_list)(&host)
        {
            set_shown(judged, sender, Severity::Note);
        }
        self.mailbox.read(self.value, start);
        let is_name = !is_enclosed || self.mailbox.is_quoted;
        let begins = match is_name {
            true => self.mailbox.start,
            false => std::mem::replace(&mut self.mailbox.start, start),
        };
        let mut shown = None;
        if !is_name {
            let named = self.named.take().filter(|named| named.at >= begins);
            shown = named.map(|named| named.host).or_else(|| self.hidden(begins..start - 1));
        }
        if self.context.is_sender && !self.mailbox.is_quoted {
            let after = range.end + usize::from(is_enclosed);
            shown = self.commented(after).or(shown);
        }
        if let Some(shown) = shown.filter(|shown| is_other_site(shown, &host)) {
            let name = self.value.get(begins..start).unwrap_or_default().to_ascii_lowercase();
            let is_passed_on = memchr::memmem::find(&name, b" via ").is_some();
            let severity = match is_passed_on || (self.context.is_of_list)(&host) {
                true => Severity::Note,
                false => Severity::Deceptive,
            };
            set_shown(judged, &shown, severity);
        }
        // Another address in brackets may follow without a comma, which is the address then.
        if is_name || self.context.is_sender {
            self.named = Some(DisplayedAddress { at: start, host });
        }
        true
    }

    /// Extends an address to all of an atom that begins after `<`, of which running text takes a part for a key or for
    /// punctuation: `<bounce=42@example.org>`. The atom does not begin before `from`, where an encoded word may end. Returns
    /// where it begins.
    fn complete(&self, judged: &mut Judged<'_>, from: usize, range: &Range<usize>) -> usize {
        let before = self.value.get(from..range.start).unwrap_or_default();
        let Some(open) = before.iter().rposition(|b| !is_of_atom(*b)) else { return range.start };
        let (start, is_enclosed) = (from + open + 1, before.get(open) == Some(&b'<'));
        let text = self.value.get(start..range.end).map(std::str::from_utf8);
        let Some(Ok(text)) = text.filter(|_| is_enclosed && start < range.start) else {
            return range.start;
        };
        let Some(at) = text.rfind('@') else { return range.start };
        let end = body_of(judged).range.end;
        *judged = owned(self.context.finder.judge_address(text, at));
        body_of(judged).range = end - text.len()..end;
        start
    }

    /// Returns the host of an address in the display name of a mailbox that only a reader finds: with invisible characters
    /// in it, or a wide at sign.
    fn hidden(&self, name: Range<usize>) -> Option<String> {
        let name = self.value.get(name)?;
        if name.is_ascii() && !may_hold_words(name) {
            return None;
        }
        let text = decoded(name);
        let is_wide = |c: char| matches!(c, '\u{FF20}' | '\u{FE6B}');
        if !text.contains(|c| is_unseen(c) || is_wide(c)) {
            return None;
        }
        let seen = text.chars().filter(|c| !is_unseen(*c));
        let seen: String = seen.map(|c| if is_wide(c) { '@' } else { c }).collect();
        self.named_in(&seen, usize::MAX)
    }

    /// Returns the host of the address in a comment that begins at an offset. Of a longer comment the beginning is read; an
    /// address at its end may be cut.
    fn commented(&self, at: usize) -> Option<String> {
        let rest = self.value.get(at..)?.trim_ascii_start().strip_prefix(b"(")?;
        let rest = &rest[..rest.len().min(LONGEST_COMMENT)];
        let len = comment_len(rest);
        if len.is_none() && rest.len() < LONGEST_COMMENT {
            return None;
        }
        let text = decoded(&rest[..len.unwrap_or(rest.len())]);
        self.named_in(&text, if len.is_some() { usize::MAX } else { text.len() })
    }

    /// Returns the host of the first address in a text that ends before `end`.
    fn named_in(&self, text: &str, end: usize) -> Option<String> {
        let mut links = self.context.finder.links(text);
        let link = links.find(|link| link.kind() == LinkKind::Email && link.range().end < end)?;
        Some(link.host()?.into_owned())
    }
}

/// Returns a part of a value with its encoded words decoded.
fn decoded(value: &[u8]) -> String {
    let text = pieces(value).into_iter().map(|piece| match piece {
        ValueSegment::Plain(range) => String::from_utf8_lossy(&value[range]).into_owned(),
        ValueSegment::Words(words) => {
            words.charset.unwrap_or_default().decode(&words.bytes).into_owned()
        }
    });
    text.collect()
}

/// Returns `true` for the ASCII characters of a dot-atom (RFC 5322 §3.2.3).
pub(super) fn is_of_atom(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte)
}

/// Where the mailbox begins that is read: behind the last address, comma, semicolon or colon outside of quotes. Each byte of
/// a field is read once.
#[derive(Default)]
struct MailboxStart {
    start: usize,
    is_quoted: bool,
    /// Offset of the first byte that was not read.
    at: usize,
}

impl MailboxStart {
    /// Reads on to the address at `address` of the value.
    fn read(&mut self, value: &[u8], address: usize) {
        while self.at < address
            && let Some(&byte) = value.get(self.at)
        {
            match byte {
                b'\\' => self.at += 1,
                b'"' => self.is_quoted = !self.is_quoted,
                b',' | b';' | b':' if !self.is_quoted => self.start = self.at + 1,
                _ => {}
            }
            self.at += 1;
        }
    }
}

//! Places of parts: in their message, in its mailbox, in the part that contains it.

use super::structure;

/// Usual length in bytes of the number of a message in a mailbox and of its part.
const USUAL_PART: usize = 12;

/// Place of the part that is scanned.
#[derive(Clone, Debug, Default)]
pub(super) struct PartPlace {
    pub(super) section: Vec<u64>,
    /// Number of the message in its mailbox; 0 outside a mailbox.
    ordinal: u64,
    /// Place of the part that contains this message; empty if the message is not nested.
    outer: String,
    /// Number of the outer message in its mailbox.
    outer_number: Option<u64>,
}

impl PartPlace {
    /// Moves to the next message of the mailbox.
    pub(super) fn next_message(&mut self) {
        self.section.clear();
        self.ordinal += 1;
    }

    /// Returns the place of a message in this one, whose own place it gets when that is known.
    pub(super) fn inside(&self) -> PartPlace {
        PartPlace { outer_number: self.message_number(), ..PartPlace::default() }
    }

    /// Sets the place of the part that contains this message.
    pub(super) fn set_outer(&mut self, outer: Option<Box<str>>) {
        self.outer = outer.map_or(String::new(), Into::into);
    }

    /// Continues with the parts of another scanner's place.
    pub(super) fn set_section_of(&mut self, other: &PartPlace) {
        (self.outer, self.ordinal) = (other.outer.clone(), other.ordinal);
        self.section.clone_from(&other.section);
    }

    /// Returns the number of the message in its mailbox; for a nested message, that of the outer one.
    pub(super) fn message_number(&self) -> Option<u64> {
        self.outer_number.or((self.ordinal > 0).then_some(self.ordinal))
    }

    /// Returns the place of a section in the mailbox or message: `12!1.2`.
    pub(super) fn of(&self, section: &[u64]) -> Option<Box<str>> {
        if self.outer.is_empty() && self.ordinal == 0 && section.is_empty() {
            return None;
        }
        let mut part = String::with_capacity(self.outer.len() + USUAL_PART);
        self.push(section, &mut part);
        Some(part.into())
    }

    /// Appends the place of a section; nothing for a message without parts.
    pub(super) fn push(&self, section: &[u64], part: &mut String) {
        part.push_str(&self.outer);
        if self.ordinal > 0 {
            if !part.is_empty() {
                part.push('!');
            }
            structure::push_number(self.ordinal, part);
        }
        if !section.is_empty() {
            if !part.is_empty() {
                part.push(if self.ordinal > 0 { '!' } else { '.' });
            }
            structure::push_section(section, part);
        }
    }
}

//! Decides from the characters of a host whether it is simple: mapping it by UTS #46 then only encodes its labels.
//!
//! A host is simple if each label is ASCII letters, digits and hyphens, or letters that are "valid" by UTS #46 and that NFC
//! does not change in any context, or marks in their order. The only remaining steps of UTS #46 for them are Punycode (RFC 3492), and the Bidi rule
//! (RFC 5893 §2) for right-to-left letters. `iri` maps such hosts, and its tests compare them with `idna`.

use super::identifiers::MappingClass;

/// Numbers of octets of a host and of characters of a non-ASCII label that cannot exceed the limits of the DNS: each
/// character takes at most five digits of Punycode.
const SHORT: (usize, usize) = (64, 10);

/// Decides whether a host is simple, from its characters in order.
#[derive(Default)]
pub(crate) struct SimpleHost {
    /// Numbers of characters of the current label: ASCII, right-to-left letters, all others.
    ascii: usize,
    right_to_left: usize,
    others: usize,
    /// The last ordered mark of the label, or 0, and the number of characters with it: only marks look at these.
    mark: u32,
    with_mark: usize,
    has_right_to_left: bool,
    /// A label violates the Bidi rule, which applies to all labels together, if any label of the host is right-to-left.
    has_doubt: bool,
    /// A label is not simple.
    is_odd: bool,
    /// A label may be too long for the DNS.
    is_long: bool,
}

impl SimpleHost {
    /// Adds an ASCII character to the label.
    #[inline(always)]
    pub(crate) fn ascii(&mut self, byte: u8) {
        self.is_odd |= !byte.is_ascii_alphanumeric() && byte != b'-';
        self.ascii += 1;
    }

    /// Adds a non-ASCII character of a class to the label.
    #[inline(always)]
    pub(crate) fn other(&mut self, c: u32, kind: MappingClass) {
        match kind {
            MappingClass::Letter => self.others += 1,
            MappingClass::RightToLeft => self.right_to_left += 1,
            MappingClass::Mark => {
                self.is_odd |= self.len() == 0 || self.mark_before() > 0;
                self.has_doubt = true;
                self.others += 1;
            }
            MappingClass::OrderedMark => {
                self.is_odd |= self.len() == 0 || self.mark_before() > c;
                // It has no direction (RFC 5893 §2, rules 2, 3, 5 and 6).
                match self.right_to_left {
                    0 => self.others += 1,
                    _ => self.right_to_left += 1,
                }
                (self.mark, self.with_mark) = (c, self.len());
            }
            MappingClass::Other => self.is_odd = true,
        }
    }

    /// Returns the number of characters of the label.
    fn len(&self) -> usize {
        self.ascii + self.others + self.right_to_left
    }

    /// Returns the ordered mark directly before, or 0.
    fn mark_before(&self) -> u32 {
        if self.with_mark == self.len() { self.mark } else { 0 }
    }

    /// Ends the label, which is not empty; `label` is its text.
    #[inline(always)]
    pub(crate) fn end_label(&mut self, label: &[u8]) {
        let count = self.others + self.right_to_left;
        // An A-label, or `xn--` before non-ASCII characters, which is not one; other labels of this form are rare.
        self.is_odd |= label.get(2..4) == Some(b"--");
        self.has_doubt |= match count {
            // RFC 5893 §2, rules 1 and 6.
            0 => {
                !is_end(label.first(), u8::is_ascii_alphabetic)
                    || !is_end(label.last(), u8::is_ascii_alphanumeric)
            }
            // A label of only right-to-left letters complies with the rule; other labels with such letters are left to
            // `idna`.
            _ => self.ascii > 0 || self.right_to_left > 0 && self.others > 0,
        };
        self.is_long |= count > 0 && count + self.ascii > SHORT.1;
        self.has_right_to_left |= self.right_to_left > 0;
        (self.ascii, self.right_to_left, self.others) = (0, 0, 0);
        self.mark = 0;
    }

    /// Returns `true` if all labels were simple.
    #[inline(always)]
    pub(crate) fn is_simple(&self) -> bool {
        !(self.is_odd || self.has_right_to_left && self.has_doubt)
    }

    /// Returns `true` if all labels were simple, and a host of `len` bytes with them is so short that it surely can be mapped.
    #[inline(always)]
    pub(crate) fn is_mapped(&self, len: usize) -> bool {
        self.is_simple() && !self.is_long && len <= SHORT.0
    }
}

#[inline(always)]
fn is_end(byte: Option<&u8>, is: impl Fn(&u8) -> bool) -> bool {
    byte.is_some_and(is)
}

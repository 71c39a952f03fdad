//! Formulas of Excel ([MS-XLS] §2.5.198): the addresses that they give to `HYPERLINK`.
//!
//! A formula is stored in reverse Polish notation, so its tokens are followed with a stack. An address that is put together by
//! operators or functions is none of the strings in the formula.

use super::compound::{u16_at, utf16};
use crate::charset::Charset;

/// Number of the function `HYPERLINK`.
const HYPERLINK: u16 = 359;
/// Bit of a string in UTF-16.
const IS_WIDE: u8 = 1;
/// Bits of an attribute: a list of jumps, a sum.
const IS_CHOICE: u8 = 1 << 2;
const IS_SUM: u8 = 1 << 4;

/// Functions with a fixed number of arguments, by that number. What others take is not known.
#[rustfmt::skip]
const BY_ARGUMENTS: [&[u16]; 5] = [
    &[
        10, 19, 34, 35, 63, 74, 221,
    ],
    &[
        2, 3, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 32, 33, 38, 53, 67, 68, 69, 71, 72, 73, 75, 76, 77, 83, 86,
        90, 98, 99, 105, 111, 112, 113, 114, 118, 121, 126, 127, 128, 129, 130, 131, 140, 141, 162, 163, 164, 184,
        190, 198, 229, 230, 231, 232, 233, 234, 244, 261, 342, 347,
    ],
    &[
        27, 30, 39, 48, 97, 117, 165, 212, 213, 252, 276, 285, 288, 325, 326, 337, 346,
    ],
    &[
        31, 40, 41, 42, 43, 44, 45, 47, 61, 65, 66, 142, 189, 195, 196, 199, 235, 351,
    ],
    &[
        119, 143,
    ],
];

/// Returns the strings that the tokens of a formula give to `HYPERLINK`; `is_wide`: they are those of version 8.
pub(super) fn addresses(tokens: &[u8], is_wide: bool, charset: Charset) -> Vec<String> {
    let (stack, found) = Default::default();
    let mut formula = Formula { rest: tokens, is_wide, charset, stack, found, is_uncertain: false };
    while formula.token().is_some() {}
    formula.found
}

/// Formula that is being read.
struct Formula<'b> {
    rest: &'b [u8],
    is_wide: bool,
    charset: Charset,
    /// Values that were pushed: strings of the formula, and others.
    stack: Vec<Option<String>>,
    found: Vec<String>,
    /// A function took one value of the stack, and maybe more.
    is_uncertain: bool,
}

impl Formula<'_> {
    /// Reads a token; `None` at the end, and where the rest cannot be read.
    fn token(&mut self) -> Option<()> {
        let (&token, rest) = self.rest.split_first()?;
        self.rest = rest;
        // The class of a token is in two of its bits.
        let kind = if token < 0x20 { token } else { token & 0x1F | 0x20 };
        let (old, new) = match kind {
            // Operators of two values, and those of one.
            0x03..=0x11 => return self.call(2),
            0x12..=0x14 => return self.call(1),
            // Round brackets.
            0x15 => return Some(()),
            0x17 => return self.string(),
            0x19 => return self.attribute(),
            0x21 => {
                let function = u16_at(self.skipped(2)?, 0)?;
                let count = BY_ARGUMENTS.iter().position(|list| list.contains(&function));
                self.is_uncertain |= count.is_none();
                return self.call(count.unwrap_or(1));
            }
            0x22 => {
                let call = self.skipped(3)?;
                let (count, function) = (usize::from(call[0] & 0x7F), u16_at(call, 1)?);
                if function == HYPERLINK {
                    let first = self.stack.len().checked_sub(count)?;
                    let mut values = self.stack.iter_mut().take(first + 1).rev();
                    // Values that such a function left are after the address.
                    let address = match self.is_uncertain {
                        true => values.find_map(Option::take),
                        false => values.next().and_then(Option::take),
                    };
                    self.found.extend(address);
                }
                return self.call(count);
            }
            // Values: a missing one, an error, a truth value, numbers, an array, names, references.
            0x16 => (0, 0),
            0x1C | 0x1D => (1, 1),
            0x1E => (2, 2),
            0x1F => (8, 8),
            0x20 => (7, 7),
            0x23 => (14, 4),
            0x24 | 0x2A | 0x2C => (3, 4),
            0x25 | 0x2B | 0x2D => (6, 8),
            0x39 => (24, 6),
            0x3A | 0x3C => (17, 6),
            0x3B | 0x3D => (20, 10),
            // What comes next is a value that is computed once.
            0x26..=0x28 => return self.skipped(6).map(|_| ()),
            0x29 => return self.skipped(2).map(|_| ()),
            _ => return None,
        };
        self.skipped(if self.is_wide { new } else { old })?;
        self.stack.push(None);
        Some(())
    }

    /// Passes over bytes, and returns them.
    fn skipped(&mut self, len: usize) -> Option<&[u8]> {
        let (skipped, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(skipped)
    }

    /// Replaces the last values by the one that is computed of them.
    fn call(&mut self, count: usize) -> Option<()> {
        self.stack.truncate(self.stack.len().checked_sub(count)?);
        self.stack.push(None);
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let len = usize::from(self.skipped(1)?[0]);
        let (is_wide, charset) = (self.is_wide, self.charset);
        let bits = if is_wide { self.skipped(1)?[0] } else { 0 };
        let text = match bits & IS_WIDE != 0 {
            true => utf16(self.skipped(2 * len)?),
            false if is_wide => self.skipped(len)?.iter().map(|byte| char::from(*byte)).collect(),
            false => charset.decode(self.skipped(len)?).into_owned(),
        };
        self.stack.push(Some(text));
        Some(())
    }

    fn attribute(&mut self) -> Option<()> {
        let attribute = self.skipped(3)?;
        let (bits, count) = (attribute[0], usize::from(u16_at(attribute, 1)?));
        if bits & IS_CHOICE != 0 {
            self.skipped(2 * (count + 1))?;
        }
        if bits & IS_SUM != 0 { self.call(1) } else { Some(()) }
    }
}

//! What is open: elements, the prefixes they declare, the bases they set.
//!
//! Bounded: beyond a depth elements are only counted, and beyond a number prefixes are not noted.

use super::vocabulary::Vocabulary;

/// Elements that are remembered.
const DEEPEST: usize = 1 << 14;
/// Prefixes that are noted at a time.
const MOST_PREFIXES: usize = 256;
/// How far down an end tag is looked for that does not close the innermost element.
const REACH: usize = 32;
/// A longer prefix is not noted.
const LONGEST_PREFIX: usize = 64;

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    open: Vec<Open>,
    /// How many more are open.
    deeper: usize,
    prefixes: Vec<(Box<[u8]>, Vocabulary)>,
}

/// An element that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    name: u64,
    /// The beginning of its local name, to know a parent by.
    local: [u8; 8],
    /// How many prefixes were noted before it.
    prefixes: u16,
    pub(super) has_base: bool,
    /// A link was given for it or for one that it stands in.
    pub(super) in_link: bool,
    /// Its text is a style sheet.
    pub(super) is_sheet: bool,
    /// Its text is a program.
    pub(super) is_code: bool,
    /// It is of XHTML: references in its text are HTML's.
    pub(super) is_html: bool,
}

/// A number for a name, the same for the same name: FNV-1a.
fn number(name: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    name.iter().fold(0xCBF2_9CE4_8422_2325, step)
}

/// What stands before the first colon of a name, if there is one, and what stands behind it.
pub(super) fn split(name: &[u8]) -> (Option<&[u8]>, &[u8]) {
    // Names are short: to call for a search takes longer.
    match name.iter().position(|byte| *byte == b':') {
        Some(colon) => (Some(&name[..colon]), &name[colon + 1..]),
        None => (None, name),
    }
}

impl Scope {
    /// Whether no element is open.
    pub(super) fn is_outside(&self) -> bool {
        self.open.is_empty()
    }

    /// The innermost element, as far as they are remembered.
    pub(super) fn innermost(&mut self) -> Option<&mut Open> {
        self.open.last_mut()
    }

    pub(super) fn parent(&self) -> &[u8] {
        let Some(open) = self.open.len().checked_sub(2).and_then(|at| self.open.get(at)) else {
            return &[];
        };
        let len = open.local.iter().position(|byte| *byte == 0).unwrap_or(open.local.len());
        &open.local[..len]
    }

    /// Opens an element; the prefixes that are bound from here on are its own. Gives whether it is
    /// remembered.
    pub(super) fn enter(&mut self, name: &[u8]) -> bool {
        if self.deeper > 0 || self.open.len() == DEEPEST {
            self.deeper += 1;
            return false;
        }
        let (_, short) = split(name);
        let mut local = [0; 8];
        let len = short.len().min(local.len());
        local[..len].copy_from_slice(&short[..len]);
        self.open.push(Open {
            name: number(name),
            local,
            prefixes: u16::try_from(self.prefixes.len()).unwrap_or(u16::MAX),
            has_base: false,
            in_link: self.open.last().is_some_and(|open| open.in_link),
            is_sheet: false,
            is_code: false,
            is_html: false,
        });
        true
    }

    /// Binds a prefix (empty: the default) for the element that was entered last.
    pub(super) fn bind(&mut self, prefix: &[u8], vocabulary: Vocabulary) {
        if self.deeper == 0 && self.prefixes.len() < MOST_PREFIXES && prefix.len() <= LONGEST_PREFIX
        {
            self.prefixes.push((prefix.into(), vocabulary));
        }
    }

    /// What a prefix is bound to.
    pub(super) fn bound(&self, prefix: &[u8]) -> Option<Vocabulary> {
        let found = self.prefixes.iter().rev().find(|(known, _)| **known == *prefix);
        found.map(|(_, vocabulary)| *vocabulary)
    }

    /// Closes the innermost element; gives whether a base ends with it.
    pub(super) fn leave(&mut self) -> bool {
        if self.deeper > 0 {
            self.deeper -= 1;
            return false;
        }
        let Some(open) = self.open.pop() else { return false };
        self.prefixes.truncate(usize::from(open.prefixes));
        open.has_base
    }

    /// Closes the element with this name and what is open in it; gives how many bases end. An end tag
    /// of no element that is open is ignored.
    pub(super) fn leave_named(&mut self, name: &[u8]) -> usize {
        if self.deeper > 0 {
            self.deeper -= 1;
            return 0;
        }
        let number = number(name);
        let known = self.open.iter().rev().take(REACH).position(|open| open.name == number);
        let Some(inside) = known else { return 0 };
        (0..=inside).filter(|_| self.leave()).count()
    }
}

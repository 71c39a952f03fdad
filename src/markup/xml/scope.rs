//! Stack of open elements, with the prefixes they declare and the bases they set.
//!
//! It is bounded: elements beyond a certain depth are only counted, and prefixes beyond a certain number are not recorded.

use super::Rules;
use super::attribute::split;
use super::flow::Flow;
use super::vocabulary::Vocabulary;
use crate::limits;
use crate::notice::Notice;

/// Maximum number of elements on the stack.
const DEEPEST: usize = limits::ELEMENTS;
/// Maximum number of prefixes at a time.
const MOST_PREFIXES: usize = limits::PREFIXES;
/// Number of elements that are searched for the one that an end tag closes, if it is not the innermost.
const REACH: usize = 32;
/// Maximum length in bytes of a prefix; a longer one is not recorded.
const LONGEST_PREFIX: usize = 64;
/// Maximum number of elements, and of prefixes, of a stack that has a point: it is written as a text.
const MOST_OF_POINT: usize = 32;

#[derive(Clone, Debug, Default)]
pub(super) struct ElementStack {
    open: Vec<OpenElement>,
    /// Number of open elements that are not on the stack.
    deeper: usize,
    prefixes: Vec<(Box<[u8]>, Vocabulary)>,
    /// Vocabulary of names without a prefix; most elements declare none.
    default: Option<Vocabulary>,
}

/// A stack in numbers: for each element its name, the beginning of its local name, the number of prefixes before it and its
/// flags; for each prefix its vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct XmlStackPoint {
    pub(crate) elements: Vec<[u64; 4]>,
    pub(crate) prefixes: Vec<(String, u8)>,
}

impl XmlStackPoint {
    /// Returns how many of the elements have a base.
    pub(crate) fn bases(&self) -> usize {
        self.elements.iter().filter(|[.., flags]| flags & 1 != 0).count()
    }
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenElement {
    name: u64,
    /// The first bytes of its local name, to recognise a parent.
    local: [u8; 8],
    /// Number of prefixes that were recorded before it.
    prefixes: u16,
    pub(super) has_base: bool,
    /// A link was returned for it or for an element around it.
    pub(super) in_link: bool,
    /// Whether its text is a style sheet.
    pub(super) is_sheet: bool,
    /// Whether its text is a program.
    pub(super) is_code: bool,
    /// Whether it is `code` or `pre` of XHTML, or inside one: its text is source code.
    pub(super) is_listing: bool,
    /// Whether a reader sees its text as it is, so that nothing in it is HTML.
    pub(super) is_prose: bool,
    /// Rules of the references in its text.
    pub(super) rules: Rules,
    /// Its relation to the text around it.
    pub(super) flow: Flow,
}

impl OpenElement {
    /// Returns the element in numbers; `None` if its text is part of a paragraph, or follows rules of its own.
    fn point(&self) -> Option<[u64; 4]> {
        let is_html = self.rules == Rules::HtmlText;
        let is_plain = self.flow == Flow::Other
            && !(self.is_sheet || self.is_code)
            && (is_html || self.rules == Rules::Xml);
        let flags = [self.has_base, self.in_link, self.is_listing, self.is_prose, is_html];
        let flags = flags.iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(*flag));
        let local = u64::from_le_bytes(self.local);
        is_plain.then_some([self.name, local, self.prefixes.into(), flags])
    }

    /// Returns the element with these numbers, if they can be those of one.
    fn resumed([name, local, prefixes, flags]: [u64; 4]) -> Option<OpenElement> {
        let has = |bit: u32| flags >> bit & 1 != 0;
        (flags < 1 << 5).then_some(OpenElement {
            name,
            local: local.to_le_bytes(),
            prefixes: prefixes.try_into().ok()?,
            has_base: has(0),
            in_link: has(1),
            is_sheet: false,
            is_code: false,
            is_listing: has(2),
            is_prose: has(3),
            rules: if has(4) { Rules::HtmlText } else { Rules::Xml },
            flow: Flow::Other,
        })
    }
}

/// Returns a number for a name, always the same for the same name. It mixes words, since most names fit in one.
#[inline]
pub(super) fn number(name: &[u8]) -> u64 {
    let mixed = |number: u64, part: &[u8]| {
        let mixed = (number ^ first_word(part)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    };
    let len = (name.len() as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    match name.len() {
        0..=8 => mixed(len, name),
        _ => name.chunks(8).fold(len, mixed),
    }
}

/// Returns the first eight bytes, with zeros for missing ones. It does not copy a variable number of bytes, which would be
/// a call.
#[inline]
fn first_word(bytes: &[u8]) -> u64 {
    let placed = |at: usize| bytes.get(at).map_or(0, |byte| u64::from(*byte) << (8 * at));
    let half = |at: usize| bytes.get(at..)?.first_chunk().map(|half| u32::from_le_bytes(*half));
    match (bytes.first_chunk(), half(0)) {
        (Some(word), _) => u64::from_le_bytes(*word),
        (None, Some(low)) => {
            let at = bytes.len() - 4;
            u64::from(low) | half(at).map_or(0, |high| u64::from(high) << (8 * at))
        }
        (None, None) => placed(0) | placed(1) | placed(2),
    }
}

impl ElementStack {
    /// Returns the stack in numbers, if it is small.
    pub(super) fn point(&self) -> Option<XmlStackPoint> {
        let most = self.open.len().max(self.prefixes.len());
        if self.deeper > 0 || most > MOST_OF_POINT {
            return None;
        }
        let prefix = |(prefix, vocabulary): &(Box<[u8]>, Vocabulary)| {
            Some((str::from_utf8(prefix).ok()?.to_owned(), vocabulary.number()))
        };
        Some(XmlStackPoint {
            elements: self.open.iter().map(OpenElement::point).collect::<Option<_>>()?,
            prefixes: self.prefixes.iter().map(prefix).collect::<Option<_>>()?,
        })
    }

    /// Returns the stack with these numbers, if they can be those of one.
    pub(super) fn resumed(point: &XmlStackPoint) -> Option<ElementStack> {
        let XmlStackPoint { elements, prefixes } = point;
        let prefix = |(prefix, vocabulary): &(String, u8)| {
            let is_kept = prefix.len() <= LONGEST_PREFIX;
            is_kept.then_some((prefix.as_bytes().into(), Vocabulary::of_number(*vocabulary)?))
        };
        let open: Vec<_> =
            elements.iter().map(|one| OpenElement::resumed(*one)).collect::<Option<_>>()?;
        let before: Vec<_> = open.iter().map(|open| usize::from(open.prefixes)).collect();
        let is_stack = open.len().max(prefixes.len()) <= MOST_OF_POINT
            && before.is_sorted()
            && before.last().is_none_or(|last| *last <= prefixes.len());
        let prefixes = prefixes.iter().map(prefix).collect::<Option<_>>()?;
        let stack = ElementStack { open, deeper: 0, prefixes, default: None };
        is_stack.then(|| ElementStack { default: stack.noted(&[]), ..stack })
    }

    /// Returns `true` if no element is open.
    pub(super) fn is_outside(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the innermost element, if it is on the stack.
    pub(super) fn innermost(&mut self) -> Option<&mut OpenElement> {
        self.open.last_mut()
    }

    /// Returns the relation of the innermost element to the text around it.
    pub(super) fn flow(&self) -> Flow {
        self.open.last().map_or(Flow::Other, |open| open.flow)
    }

    /// Returns the relation of the element around the innermost one to the text around it.
    pub(super) fn outer_flow(&self) -> Flow {
        let outer = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        outer.map_or(Flow::Other, |open| open.flow)
    }

    pub(super) fn parent(&self) -> &[u8] {
        let Some(open) = self.open.len().checked_sub(2).and_then(|at| self.open.get(at)) else {
            return &[];
        };
        let len = open.local.iter().position(|byte| *byte == 0).unwrap_or(open.local.len());
        &open.local[..len]
    }

    /// Opens an element; the prefixes that are bound after this call belong to it. Returns whether it is on the stack.
    pub(super) fn enter(&mut self, name: &[u8]) -> bool {
        self.enter_as(name, split(name).1)
    }

    /// Like [`enter`](ElementStack::enter), given the local part of the name.
    #[inline]
    pub(super) fn enter_as(&mut self, name: &[u8], local: &[u8]) -> bool {
        if self.deeper > 0 || self.open.len() == DEEPEST {
            self.deeper += 1;
            return false;
        }
        self.open.push(OpenElement {
            name: number(name),
            local: first_word(local).to_le_bytes(),
            prefixes: u16::try_from(self.prefixes.len()).unwrap_or(u16::MAX),
            has_base: false,
            in_link: self.open.last().is_some_and(|open| open.in_link),
            is_sheet: false,
            is_code: false,
            is_listing: self.open.last().is_some_and(|open| open.is_listing),
            is_prose: self.open.last().is_some_and(|open| open.is_prose),
            rules: Rules::Xml,
            flow: self.flow().inherited(),
        });
        true
    }

    /// Binds a prefix (empty: the default) for the element that was entered last.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached; the prefix then keeps its meaning.
    #[inline(never)]
    pub(super) fn bind(&mut self, prefix: &[u8], vocabulary: Vocabulary) -> Result<(), Notice> {
        if self.deeper > 0 {
            return Err(Notice::ElementsTooDeep);
        }
        if self.prefixes.len() == MOST_PREFIXES || prefix.len() > LONGEST_PREFIX {
            return Err(Notice::PrefixesTooMany);
        }
        self.prefixes.push((prefix.into(), vocabulary));
        if prefix.is_empty() {
            self.default = Some(vocabulary);
        }
        Ok(())
    }

    /// Returns the vocabulary of elements without a prefix.
    pub(super) fn of_no_prefix(&self) -> Option<Vocabulary> {
        self.default
    }

    /// Returns the vocabulary that a prefix is bound to.
    pub(super) fn bound(&self, prefix: &[u8]) -> Option<Vocabulary> {
        match prefix {
            [] => self.default,
            _ => self.noted(prefix),
        }
    }

    fn noted(&self, prefix: &[u8]) -> Option<Vocabulary> {
        let found = self.prefixes.iter().rev().find(|(known, _)| **known == *prefix);
        found.map(|(_, vocabulary)| *vocabulary)
    }

    /// Closes the innermost element; returns whether a base ends with it.
    pub(super) fn leave(&mut self) -> bool {
        if self.deeper > 0 {
            self.deeper -= 1;
            return false;
        }
        let Some(open) = self.open.pop() else { return false };
        if usize::from(open.prefixes) < self.prefixes.len() {
            self.prefixes.truncate(usize::from(open.prefixes));
            self.default = self.noted(&[]);
        }
        open.has_base
    }

    /// Closes the innermost element if it has this name; returns whether a base ends with it.
    #[inline]
    pub(super) fn leave_if(&mut self, name: &[u8]) -> Option<bool> {
        let is_it = self.deeper == 0 && self.open.last()?.name == number(name);
        is_it.then(|| self.leave())
    }

    /// Closes the element with this name and those in it; returns how many bases end. An end tag that matches no open
    /// element is ignored.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        let name = b"0123456789abcdef";
        for len in 0..=name.len() {
            let mut wanted = [0; 8];
            let kept = len.min(wanted.len());
            wanted[..kept].copy_from_slice(&name[..kept]);
            assert_eq!(first_word(&name[..len]).to_le_bytes(), wanted);
        }
        let mut numbers: Vec<u64> = (0..=name.len()).map(|len| number(&name[..len])).collect();
        numbers.extend([b"a".as_slice(), b"a\0", b"b", b"ab", b"ba"].map(number));
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), name.len() + 6);
    }

    #[test]
    fn a_stack_in_numbers_is_the_same_stack() {
        let mut scope = ElementStack::default();
        scope.enter(b"p:feed");
        scope.bind(b"", Vocabulary::Unknown).unwrap();
        scope.bind(b"p", Vocabulary::Atom).unwrap();
        scope.enter(b"entry");
        scope.innermost().unwrap().has_base = true;
        scope.bind(b"", Vocabulary::Svg).unwrap();
        let point = scope.point().unwrap();
        let mut resumed = ElementStack::resumed(&point).unwrap();
        assert_eq!((resumed.point().as_ref(), point.bases()), (Some(&point), 1));
        assert_eq!(resumed.bound(b""), Some(Vocabulary::Svg));
        assert_eq!(resumed.leave_if(b"entry"), Some(true));
        assert_eq!(
            [resumed.bound(b""), resumed.bound(b"p")],
            [Vocabulary::Unknown, Vocabulary::Atom].map(Some)
        );
        for damage in [[0, 0, 4, 0], [0, 0, 0, 32], [0, 0, 1 << 16, 0]] {
            let elements = vec![damage];
            assert!(ElementStack::resumed(&XmlStackPoint { elements, ..point.clone() }).is_none());
        }
        while scope.open.len() <= MOST_OF_POINT {
            assert!(scope.point().is_some());
            scope.enter(b"a");
        }
        assert!(scope.point().is_none());
        for number in 0..=u8::MAX {
            let Some(vocabulary) = Vocabulary::of_number(number) else { continue };
            assert_eq!(Vocabulary::of_number(vocabulary.number()), Some(vocabulary));
        }
    }

    #[test]
    fn the_default_is_that_of_the_innermost() {
        let mut scope = ElementStack::default();
        scope.enter(b"a");
        scope.bind(b"", Vocabulary::Rss).unwrap();
        scope.enter(b"b");
        scope.bind(b"p", Vocabulary::Svg).unwrap();
        assert_eq!(scope.bound(b""), Some(Vocabulary::Rss));
        scope.bind(b"", Vocabulary::Atom).unwrap();
        assert_eq!(
            [scope.bound(b""), scope.bound(b"p")],
            [Vocabulary::Atom, Vocabulary::Svg].map(Some)
        );
        assert_eq!(scope.leave_if(b"a"), None);
        assert_eq!(scope.leave_if(b"b"), Some(false));
        assert_eq!([scope.bound(b""), scope.bound(b"p")], [Some(Vocabulary::Rss), None]);
        assert_eq!(scope.leave_named(b"a"), 0);
        assert_eq!(scope.of_no_prefix(), None);
    }
}

//! Cache of tags that were read before: the same bytes are read the same way.
//!
//! A page consists of a few dozen different tags, `<td class="num">`, `</td>`. To recognise a tag that was read before
//! takes one comparison; to read it takes a lookup of its name and one for each attribute, with branches that are as good
//! as random. The cache has tags whose reading depends only on their bytes: short tags of HTML without any values.

use std::cell::Cell;

use super::block::up_to_first;
use super::element::Element;
use super::name::word;
use crate::simd::signs::{BLOCK, Masks};

/// Maximum number of tags. With half as many, pages of documentation find one tag in fifty less.
const COUNT: usize = 256;

/// Effect of a tag without links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Aligned so that an index is computed by a shift.
#[repr(align(4))]
pub(super) struct Effect {
    pub(super) element: Element,
    /// Change of the number of open elements.
    pub(super) step: i8,
    /// Whether a link stays open.
    pub(super) keeps_link: bool,
}

impl Effect {
    const NONE: Effect = Effect { element: Element::OTHER, step: 0, keeps_link: true };

    pub(super) const fn of(element: Element, is_end: bool) -> Effect {
        let keeps_link = !is_end | (element.number() != Element::A.number());
        Effect { element, step: if is_end { -1 } else { 1 }, keeps_link }
    }
}

/// The bytes from a tag's `<` on.
pub(super) type TagBytes = [u8; BLOCK + 8];

/// The tags, each at the index that its bytes determine, where a later tag replaces it.
#[derive(Clone, Debug)]
// Aligned so that no block spans two cache lines.
#[repr(align(32))]
pub(super) struct TagCache {
    /// From the `<` to after the `>`; the rest of a block is not used.
    tags: [[u8; BLOCK]; COUNT],
    effects: [Effect; COUNT],
}

thread_local! {
    /// The tags of the last page of this thread: the next one is often of the same site, and all pages have some tags in
    /// common. They do not affect how a page is read, only how fast.
    static CACHE_POOL: Cell<Option<Box<TagCache>>> = const { Cell::new(None) };
}

/// The tags of a page.
#[derive(Debug)]
pub(super) struct PooledTagCache(Option<Box<TagCache>>);

impl PooledTagCache {
    /// Returns the tags of another page, if there was one.
    pub(super) fn spare() -> PooledTagCache {
        PooledTagCache(CACHE_POOL.try_with(Cell::take).ok().flatten())
    }

    #[inline(always)]
    pub(super) fn get(&self) -> &TagCache {
        self.0.as_deref().unwrap_or(&AT_FIRST)
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self) -> &mut TagCache {
        self.0.get_or_insert_with(|| Box::new(AT_FIRST.clone()))
    }
}

impl Clone for PooledTagCache {
    /// An empty cache is filled again faster than a full one is copied.
    fn clone(&self) -> PooledTagCache {
        PooledTagCache(None)
    }
}

impl Drop for PooledTagCache {
    fn drop(&mut self) {
        if let Some(known) = self.0.take() {
            // When the thread is ending, there is no next page.
            let _ = CACHE_POOL.try_with(|spare| spare.set(Some(known)));
        }
    }
}

/// Elements whose tags are in the cache from the start: in pages of twenty kilobytes this reduces the tags that are not
/// found by a quarter.
#[rustfmt::skip]
const COMMON: [&str; 50] = [
    "abbr", "article", "aside", "b", "blockquote", "body", "br", "button", "center", "cite", "dd", "div", "dl",
    "dt", "em", "font", "footer", "form", "h1", "h2", "h3", "h4", "head", "header", "hr", "html", "i", "kbd",
    "label", "main", "nav", "ol", "option", "pre", "section", "select", "small", "span", "strong", "sub", "sup",
    "table", "tbody", "th", "thead", "tr", "ul", "code", "li", "td",
];

/// The initial cache: the end tags of these elements, and their start tags without attributes.
static AT_FIRST: TagCache = {
    let mut known = TagCache { tags: [[0; BLOCK]; COUNT], effects: [Effect::NONE; COUNT] };
    let mut at = 0;
    while at < 2 * COMMON.len() {
        let (name, is_end) = (COMMON[at / 2], at % 2 == 1);
        let element = Element::listed(name);
        known.keep_at_first(name.as_bytes(), Effect::of(element, is_end), is_end);
        at += 1;
    }
    // The paragraph, which every text has.
    known.keep_at_first(b"p", Effect::of(Element::P, false), false);
    known.keep_at_first(b"p", Effect::of(Element::P, true), true);
    known.keep_at_first(b"a", Effect::of(Element::A, true), true);
    known
};

/// Result of a search for a tag.
pub(super) struct TagLookup {
    /// Whether the tag is in the cache. If it is not, the other fields have no meaning.
    pub(super) is_known: bool,
    pub(super) len: usize,
    pub(super) effect: Effect,
}

impl TagLookup {
    pub(super) const NONE: TagLookup = TagLookup { is_known: false, len: 0, effect: Effect::NONE };
}

impl TagCache {
    /// Searches for the tag that begins these bytes. The only `>` of a cached tag is its last byte, so two tags are equal
    /// if they are equal up to the first `>` of one of them.
    #[inline(always)]
    pub(super) fn find(&self, bytes: &TagBytes, masks: impl Masks) -> TagLookup {
        let block = block(bytes);
        let closes = masks.same(block, b'>');
        let place = place(bytes, closes);
        let other = !masks.equal(block, &self.tags[place]);
        // Without a `>` in the block there is no match.
        let is_known = other.trailing_zeros() > closes.trailing_zeros();
        TagLookup { is_known, len: len(closes), effect: self.effects[place] }
    }

    /// Adds the tag of this length that begins the block, if it can be found again.
    #[inline(always)]
    pub(super) fn keep(
        &mut self,
        bytes: &TagBytes,
        length: usize,
        effect: Effect,
        masks: impl Masks,
    ) {
        let block = block(bytes);
        let closes = masks.same(block, b'>');
        // With a `<` inside, the next `<` would not begin the next tag.
        let opens = masks.same(block, b'<') & up_to_first(closes);
        // Without its `>` in the block, a tag would match any tag with the same beginning.
        if (closes != 0) & (len(closes) == length) & (opens == 1) {
            let place = place(bytes, closes);
            self.tags[place] = *block;
            self.effects[place] = effect;
        }
    }

    /// Adds a tag of this element at compile time.
    const fn keep_at_first(&mut self, name: &[u8], effect: Effect, is_end: bool) {
        let (mut tag, mut len) = ([0; BLOCK], 1);
        tag[0] = b'<';
        if is_end {
            tag[1] = b'/';
            len = 2;
        }
        let mut at = 0;
        while at < name.len() {
            tag[len] = name[at];
            (len, at) = (len + 1, at + 1);
        }
        tag[len] = b'>';
        let (start, mask) = WORDS[len];
        let place = mixed(word_at(&tag, 0) & mask, word_at(&tag, start) & mask);
        self.tags[place] = tag;
        self.effects[place] = effect;
    }
}

#[inline(always)]
fn block(bytes: &TagBytes) -> &[u8; BLOCK] {
    bytes.first_chunk().unwrap_or(&[0; BLOCK])
}

/// Returns the length of a tag with these `>` in its block; more than a block if there is none.
#[inline(always)]
fn len(closes: u32) -> usize {
    closes.trailing_zeros() as usize + 1
}

/// By the number of bytes before the `>`: where the last eight bytes of the tag begin, and a mask for the first eight bytes
/// that belong to it.
static WORDS: [(usize, u64); BLOCK + 1] = {
    let mut words = [(BLOCK - 8, u64::MAX); BLOCK + 1];
    let mut at = 0;
    while at < BLOCK {
        let len = at + 1;
        words[at] = if len < 8 { (0, (1 << (8 * len)) - 1) } else { (len - 8, u64::MAX) };
        at += 1;
    }
    words
};

/// Returns the index of a tag with these `>` in its block, from its first and last bytes.
#[inline(always)]
fn place(bytes: &TagBytes, closes: u32) -> usize {
    let (start, mask) = WORDS[closes.trailing_zeros() as usize];
    let word_at = |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, word);
    mixed(word_at(0) & mask, word_at(start % BLOCK) & mask)
}

#[inline(always)]
const fn mixed(first: u64, last: u64) -> usize {
    let key = first << 1 ^ last;
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - COUNT.trailing_zeros())) as usize % COUNT
}

/// Returns the word at an offset, for use at compile time.
const fn word_at(tag: &[u8; BLOCK], start: usize) -> u64 {
    let (mut word, mut at) = (0, 0);
    while at < 8 {
        word |= (tag[start + at] as u64) << (8 * at);
        at += 1;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::signs::Plain;

    fn bytes(text: &str) -> TagBytes {
        let mut bytes = [b'.'; BLOCK + 8];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        bytes
    }

    fn found(known: &TagCache, text: &str) -> Option<(usize, Effect)> {
        let TagLookup { is_known, len, effect } = known.find(&bytes(text), Plain);
        is_known.then_some((len, effect))
    }

    #[test]
    fn tags_are_found_by_all_of_their_bytes() {
        let mut known = AT_FIRST.clone();
        let longest = "<p class=\"12345678901234567890\">";
        assert_eq!(longest.len(), BLOCK);
        let tags = ["<dd\n>", "</P>", "</ins>", "<td class=\"num\">", "<P >", "<h1 x>", longest];
        for tag in tags {
            let effect = Effect::of(Element::P, tag.starts_with("</"));
            assert_eq!(found(&known, tag), None, "{tag}");
            known.keep(&bytes(&[tag, "a.b<"].concat()), tag.len(), effect, Plain);
            assert_eq!(
                found(&known, &[tag, "<p>\">"].concat()),
                Some((tag.len(), effect)),
                "{tag}"
            );
        }
        // Each byte of a tag matters, and none after it.
        for tag in tags {
            for at in 0..tag.len() {
                let mut other = tag.to_owned().into_bytes();
                other[at] ^= 1;
                let other = String::from_utf8(other).unwrap();
                assert_eq!(found(&known, &other), None, "{other}");
            }
        }
    }

    #[test]
    fn what_is_known_at_first_is_what_would_be_kept() {
        let mut count = 0;
        for (tag, effect) in AT_FIRST.tags.iter().zip(AT_FIRST.effects) {
            let len = tag.iter().position(|&b| b == 0).unwrap();
            let text = std::str::from_utf8(&tag[..len]).unwrap();
            if text.is_empty() {
                continue;
            }
            let name = text.trim_matches(['<', '/', '>']);
            assert_eq!(effect, Effect::of(Element::of(name.as_bytes()), text.starts_with("</")));
            assert!(!Element::of(name.as_bytes()).is_notable() || text == "</a>", "{text}");
            assert_eq!(found(&AT_FIRST, &[text, ">"].concat()), Some((len, effect)), "{text}");
            count += 1;
        }
        // Some tags have the same index.
        assert!(count > 70, "{count}");
    }

    #[test]
    fn what_cannot_be_found_again_is_not_kept() {
        let mut known = AT_FIRST.clone();
        let effect = Effect::of(Element::P, false);
        let long = "<p class=\"123456789012345678901\">";
        for tag in [long, "<p title=\">\">", "<p title=\"<\">", "<q>"] {
            let len = if tag == "<q>" { 40 } else { tag.len() };
            known.keep(&bytes(tag), len, effect, Plain);
            assert_eq!(found(&known, tag), None, "{tag}");
        }
        assert_eq!(found(&known, "no tag at all, and no end of it either"), None);
        assert_eq!(known.find(&[0; BLOCK + 8], Plain).len, BLOCK + 1);
    }
}

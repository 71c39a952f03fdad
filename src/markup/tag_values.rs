//! Attributes of a tag that say something of the reference in another one: `rel` and `alt`.
//!
//! The tokenizer has passed the tag when its reference is judged: the tag is searched for in the stored bytes before the
//! reference, and read once more.

use super::anchor::{STORED, name_of, tag_attributes};
use crate::input::chunk::Chunk;

/// Maximum number of `<` before a reference that may begin its tag.
const MOST_BEGINNINGS: usize = 4;

/// Attributes of a tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TagValues<'b> {
    pub(crate) rel: Option<&'b [u8]>,
    pub(crate) alt: Option<&'b [u8]>,
}

impl<'b> TagValues<'b> {
    /// Returns the offset from which bytes are needed for those of a tag that starts at an offset, and values from another
    /// one on.
    pub(crate) fn needed(tag: usize, value: usize) -> usize {
        tag.max(value.saturating_sub(STORED)).min(value)
    }

    /// Returns those of the tag with the value at this offset; `None` if the bytes end before the tag does. The tag starts
    /// at `tag` if that is known, or may start there at the earliest.
    pub(crate) fn around(chunk: Chunk<'b>, tag: usize, value: usize) -> Option<TagValues<'b>> {
        let from = TagValues::needed(tag, value).max(chunk.base());
        let before = chunk.get(from..value).unwrap_or_default();
        let bytes = chunk.get(from..).unwrap_or_default();
        let is_capped = bytes.len() > before.len() + STORED;
        let bytes = bytes.get(..before.len() + STORED).unwrap_or(bytes);
        let mut found = TagValues::default();
        // A `<` in a value of the same tag may look like its beginning: the outermost one counts.
        for open in memchr::memrchr_iter(b'<', before).take(MOST_BEGINNINGS) {
            let name = name_of(bytes.get(open + 1..).unwrap_or_default());
            if !name.first().is_some_and(u8::is_ascii_alphabetic) {
                continue;
            }
            let (mut is_it, mut values) = (false, TagValues::default());
            let end = tag_attributes(bytes, open + 1 + name.len(), |name, text| {
                // An attribute without a value has one that is not among the bytes.
                let start = text.as_ptr().addr().wrapping_sub(bytes.as_ptr().addr());
                let len = before.len().wrapping_sub(start);
                is_it |= start <= before.len() && len < text.len();
                if name.eq_ignore_ascii_case(b"rel") {
                    values.rel.get_or_insert(text);
                } else if name.eq_ignore_ascii_case(b"alt") {
                    values.alt.get_or_insert(text);
                }
            });
            if is_it && end.is_none() && !is_capped && !chunk.is_last() {
                return None;
            }
            if is_it {
                found = values;
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(page: &[u8], is_last: bool) -> Option<(&[u8], &[u8])> {
        let value = memchr::memmem::find(page, b"REF").unwrap();
        let values = TagValues::around(Chunk::new(page, 0, is_last), 0, value)?;
        Some((values.rel.unwrap_or(b"-"), values.alt.unwrap_or(b"-")))
    }

    #[test]
    fn attributes_are_found_on_both_sides() {
        for (page, rel, alt) in [
            (&b"<a href=REF>x"[..], &b"-"[..], &b"-"[..]),
            (b"<a rel=nofollow href='REF'>x", b"nofollow", b"-"),
            (b"<a href=\"REF\" REL = \"a b\" rel=c>x", b"a b", b"-"),
            (b"<a rel=x>y</a> <img alt='1 < 2' src=REF>", b"-", b"1 < 2"),
            (b"<a rel=x title='<b' href=REF>", b"x", b"-"),
            (b"<a href=' REF ' rel=x>", b"x", b"-"),
            (b"<a rel=x><b>y</b></a><a href=REF><img alt=z>", b"-", b"-"),
            (b"1 < 2 <a href=REF rel=x>", b"x", b"-"),
        ] {
            assert_eq!(of(page, true), Some((rel, alt)), "{}", page.escape_ascii());
        }
        assert_eq!(of(b"<a href=REF rel", false), None);
        assert_eq!(of(b"<a rel=x href='REF'>", false), Some((&b"x"[..], &b"-"[..])));
        let long = [b"<a rel=x title='", &[b'y'; 9000][..], b"' href=REF>"].concat();
        assert_eq!(of(&long, true), Some((&b"-"[..], &b"-"[..])));
    }
}

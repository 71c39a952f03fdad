//! Fast path for most of a page: short texts, and tags with short names whose values are in quotes.
//!
//! It returns the same results as `Html::any_text` for the same bytes, only faster. Anything of another form, in SVG or
//! MathML, or close to the bytes' end is left to that function. A page is read at some twenty cycles per tag, so the step
//! from one tag to the next matters: nearly all tags have been read before (`tag_cache`), and the next `<` is taken from a
//! mask, whatever the tags hold. Where a name or a value of another tag ends is computed with masks as well.

use std::convert::Infallible;
use std::ops::Range;

use super::block::{chunk, find_by, find_in, text_end};
use super::element::Element;
use super::name::{ends_tag_name, folded, word};
use super::places::{AttributeContext, AttributeMeaning, KnownAttribute};
use super::tag::TagPosition;
use super::tag_cache::{Effect, TagLookup};
use super::{Html, HtmlState, HtmlStep, TagName};
use crate::context::KnownContext;
use crate::input::chunk::Chunk;
use crate::markup::{Grammar, Rules, TextToken, Token, UrlValue};
use crate::scan::prefilter::markup_text::may_hold_link;
use crate::simd::signs::{BLOCK, MaskKernel, Masks, PAIR, TagMasks, TextMasks};

/// Number of bytes that are read without a separate bounds check: those of the masks, and as many after them.
const WINDOW: usize = 2 * PAIR;

/// Text or value that the fast path for plain tags returns, or markup before which it stops. Its parts are small, and read one by one: a
/// token that is built in pieces, and copied at once, would wait for them.
enum PlainStop {
    /// This text may hold a link.
    Text(Range<usize>),
    /// This value is the only one of its tag, which has been read to its end, and one IRI.
    Only(&'static KnownContext, Grammar, Range<usize>),
    /// A text that is not plain, or is followed by markup that is not.
    Other,
    /// The rest of this start or end tag, which is not plain.
    Tag(TagName, bool),
    /// The rest of this tag, after this attribute with this value, which may hold an IRI.
    Value(TagName, KnownAttribute, Range<usize>),
}

/// A tag that has been read.
enum PlainRead {
    /// Tag without links that ends before this offset.
    Quiet { after: usize, element: Element, is_end: bool },
    /// This attribute with this value may hold an IRI; if `after` is set, the tag ends before that offset and has no other
    /// such attributes.
    Value { name: TagName, attribute: KnownAttribute, value: Range<usize>, after: Option<usize> },
}

/// Kernel that reads plain tags.
struct PlainTagsKernel<'h, 'b> {
    html: &'h mut Html,
    bytes: Chunk<'b>,
}

impl MaskKernel for PlainTagsKernel<'_, '_> {
    type Output = PlainStop;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> PlainStop {
        let Err(stop) = self.html.plain(self.bytes, masks);
        stop
    }
}

impl Html {
    /// Skips texts and tags without links, up to a token, or to a tag or other markup that is left open.
    #[inline(always)]
    pub(super) fn text(&mut self, bytes: Chunk<'_>) -> Result<Token, HtmlStep> {
        if !self.foreign.is_empty() {
            return Err(self.other_text(bytes));
        }
        match self.masks.run(PlainTagsKernel { html: self, bytes }) {
            PlainStop::Text(range) => Ok(Token::Text(TextToken {
                range,
                rules: Rules::HtmlText,
                content: self.foreign.content(),
                joined: false,
                open: false,
                in_link: self.in_link,
            })),
            PlainStop::Only(context, grammar, range) => Ok(Token::Value(UrlValue {
                range,
                context: context.into(),
                grammar,
                rules: Rules::HtmlAttribute,
            })),
            PlainStop::Value(name, attribute, value) => {
                self.at = value.end + 1;
                self.begin_tag_up_to_here(name, false);
                let run = self.value(bytes, attribute, value).ok_or(HtmlStep::On)?;
                self.end_tag_here(bytes);
                Ok(run)
            }
            PlainStop::Tag(name, is_end) => {
                self.begin_tag_up_to_here(name, is_end);
                Err(self.tag(bytes, TagPosition::Between))
            }
            PlainStop::Other => Err(self.other_text(bytes)),
        }
    }

    /// Reads an HTML tag to its end at once, if this value is its only one, and is one IRI.
    #[inline(always)]
    fn only_value(
        &mut self,
        TagName { start, element, .. }: TagName,
        attribute: KnownAttribute,
        value: &Range<usize>,
        after: usize,
    ) -> Option<PlainStop> {
        let (AttributeMeaning::Holds(grammar), AttributeContext::Listed(context)) =
            attribute.on(element, false)?
        else {
            return None;
        };
        let is_iri = matches!(grammar, Grammar::Url | Grammar::NonEmptyUrl);
        if !is_iri || value.len() > grammar.limit(&self.limits) || element == Element::BASE {
            return None;
        }
        self.foreign.around(element, false);
        self.in_link |= (element == Element::A) & (grammar == Grammar::Url);
        self.tag.set_start(start);
        self.joined = false;
        self.at = after;
        Some(PlainStop::Only(context, grammar, value.clone()))
    }

    fn other_text(&mut self, bytes: Chunk<'_>) -> HtmlStep {
        let (end, may_link) = text_end(bytes, self.at);
        self.any_text(bytes, end, may_link)
    }

    /// Begins a tag with this name that has been read up to `at`.
    #[inline(always)]
    fn begin_tag_up_to_here(&mut self, name: TagName, is_end: bool) {
        let at = self.at;
        self.begin_tag(name, is_end);
        (self.at, self.state) = (at, HtmlState::Tag(TagPosition::Between));
    }

    /// Skips texts without a link and HTML tags without one.
    #[inline(always)]
    fn plain(&mut self, bytes: Chunk<'_>, masks: impl Masks) -> Result<Infallible, PlainStop> {
        if self.joined && bytes.get(self.at) != Some(&b'<') {
            return Err(PlainStop::Other);
        }
        loop {
            if let Some(range) = self.known(bytes, masks)? {
                return Err(PlainStop::Text(range));
            }
            match self.plain_tag(bytes, masks)? {
                // An `a` without a reference still ends the link before it.
                PlainRead::Quiet { after, element: Element::A, is_end: false } => {
                    self.foreign.around(Element::A, false);
                    (self.in_link, self.joined, self.at) = (false, false, after);
                }
                PlainRead::Quiet { after, element, is_end } => {
                    let effect = Effect::of(element, is_end);
                    self.keep(bytes, after, effect, masks);
                    self.pass(after, effect);
                }
                PlainRead::Value { name, attribute, value, after } => {
                    let only =
                        after.and_then(|after| self.only_value(name, attribute, &value, after));
                    return Err(only.unwrap_or(PlainStop::Value(name, attribute, value)));
                }
            }
        }
    }

    /// Skips texts without a link, and tags that were read before, up to another tag, or to a text that must be returned.
    /// The masks of a window are computed at once; advancing to the next sign takes a few operations on masks, since a load
    /// would take longer than all of them.
    #[inline(always)]
    fn known(
        &mut self,
        bytes: Chunk<'_>,
        masks: impl Masks,
    ) -> Result<Option<Range<usize>>, PlainStop> {
        let known = self.known.get();
        // Offsets in the loop are relative to this one.
        let from = self.at;
        let bytes = bytes.get(from..).unwrap_or_default();
        // Copied to local variables, so that the tags need not write to memory.
        let (mut done, mut in_link) = (0, self.in_link);
        let (mut base, beyond) = (done, self.beyond);
        // Whether the part of a text before the window may contain a link.
        let mut may_link_before = false;
        let (stop, at) = 'look: loop {
            let Some(window) = chunk::<WINDOW>(bytes, base) else {
                break (Err(PlainStop::Other), done);
            };
            let Some(pair) = window.first_chunk() else { break (Err(PlainStop::Other), done) };
            let TextMasks { mut opens, possible } = masks.texts(pair, beyond);
            // The next `<` is at this bit or after it, and all of the text before it counts.
            let possible = possible | u64::from(may_link_before);
            let mut start = 0;
            while opens != 0 {
                let sign = first(opens);
                let ahead = u64::MAX << (start % PAIR);
                let up_to_it = opens ^ opens.wrapping_sub(1);
                let may_link = possible & ahead & up_to_it != 0;
                // Most possible links are not links, and returning such a text would take longer than this check.
                let holds_perhaps =
                    may_link && may_hold_link(&bytes[done..], base + sign - done, beyond, masks);
                // An `a` is never in the cache, and recognising it here is faster.
                let is_a = window[sign + 1..sign + 3] == *b"a ";
                let found = match chunk(window, sign) {
                    Some(bytes) if !(holds_perhaps | is_a) => known.find(bytes, masks),
                    _ => TagLookup::NONE,
                };
                if !found.is_known {
                    // The text continues after a `<wbr>`.
                    let is_end = window[sign + 1] == b'/';
                    let letter = window[sign + 1 + usize::from(is_end)];
                    if !letter.is_ascii_alphabetic() | (!is_end & (letter | 0x20 == b'w')) {
                        break 'look (Err(PlainStop::Other), done);
                    }
                    let text = from + done..from + base + sign;
                    break 'look (Ok(holds_perhaps.then_some(text)), base + sign);
                }
                let Effect { element, step, keeps_link } = found.effect;
                self.foreign.around_plain(element, step);
                in_link &= keeps_link;
                // There is no other sign in the tag.
                opens &= opens - 1;
                start = sign + found.len;
                done = base + start;
            }
            base = if start > 0 {
                may_link_before = false;
                done
            } else {
                may_link_before |= possible != 0;
                match may_link_before {
                    // The rest of the text makes no difference.
                    true => {
                        match find_in(bytes.get(base + PAIR..).unwrap_or_default(), b'<', masks) {
                            Some(len) => base + PAIR + len,
                            None => break (Err(PlainStop::Other), done),
                        }
                    }
                    false => base + PAIR,
                }
            };
        };
        // No text continues after a tag.
        self.joined = (self.joined & (done == 0)) | matches!(stop, Ok(Some(_)));
        (self.at, self.in_link) = (from + at, in_link);
        stop
    }

    /// Advances over a tag without links.
    #[inline(always)]
    fn pass(&mut self, after: usize, Effect { element, step, keeps_link }: Effect) {
        self.foreign.around_plain(element, step);
        self.in_link &= keeps_link;
        self.joined = false;
        self.at = after;
    }

    #[inline(always)]
    fn keep(&mut self, bytes: Chunk<'_>, after: usize, effect: Effect, masks: impl Masks) {
        if let Some(tag) = bytes.array(self.at) {
            self.known.get_mut().keep(tag, after - self.at, effect, masks);
        }
    }

    /// Reads the tag that begins here; returns its end and its effect, if it has no links.
    #[inline(always)]
    fn plain_tag(&mut self, bytes: Chunk<'_>, masks: impl Masks) -> Result<PlainRead, PlainStop> {
        let base = self.at;
        let window = bytes.array::<WINDOW>(base).ok_or(PlainStop::Other)?;
        if let Some(read) = link(bytes, base, window, masks) {
            return Ok(read);
        }
        let signs = masks.insides(window.first_chunk().ok_or(PlainStop::Other)?);
        let is_end = window[1] == b'/';
        let lead = 1 + usize::from(is_end);
        // The slash before a name does not end it.
        let ends = signs.ends & !3;
        let end = first(ends);
        if (ends == 0) | !ends_tag_name(window[end]) {
            return Err(PlainStop::Other);
        }
        let len = end.wrapping_sub(lead);
        let element = match (len, chunk(window, lead)) {
            (..=8, Some(name)) => Element::by_key(folded(word(name), len)),
            _ => Element::of(window.get(lead..end).unwrap_or_default()),
        };
        let name = TagName { start: base + lead, end: base + end, element };
        if if is_end { window[end] != b'>' } else { !element.has_plain_attributes() } {
            self.at = name.end;
            return Err(PlainStop::Tag(name, is_end));
        }
        let is_quiet = is_end | !element.is_notable() | (element == Element::A);
        let tag = Attributes { bytes, element, is_quiet };
        match tag.close(base, window, &signs, end, masks) {
            TagRest::Empty(after) => Ok(PlainRead::Quiet { after, element, is_end }),
            TagRest::Other(at) => {
                self.at = at;
                Err(PlainStop::Tag(name, is_end))
            }
            TagRest::Value(attribute, value) => {
                let after = match tag.far(value.end + 1, masks) {
                    TagRest::Empty(after) => Some(after),
                    _ => None,
                };
                Ok(PlainRead::Value { name, attribute, value, after })
            }
        }
    }
}

/// Reads a tag that begins like nearly half of those with a link, and whose link is short.
#[inline(always)]
fn link(
    bytes: Chunk<'_>,
    base: usize,
    window: &[u8; WINDOW],
    masks: impl Masks,
) -> Option<PlainRead> {
    const OPENING: [u8; 9] = *b"<a href=\"";
    if window[..OPENING.len()] != OPENING {
        return None;
    }
    let (low, high) = (window.get(OPENING.len()..)?, window.get(OPENING.len() + BLOCK..)?);
    let quotes = u64::from(masks.same(low.first_chunk()?, b'"'))
        | u64::from(masks.same(high.first_chunk()?, b'"')) << BLOCK;
    if quotes == 0 {
        return None;
    }
    let close = OPENING.len() + first(quotes);
    let after = match window[close + 1] {
        b'>' => Some(base + close + 2),
        _ => {
            let rest = Attributes { bytes, element: Element::A, is_quiet: true };
            match rest.far(base + close + 1, masks) {
                TagRest::Empty(after) => Some(after),
                _ => None,
            }
        }
    };
    let name = TagName { start: base + 1, end: base + 2, element: Element::A };
    let value = base + OPENING.len()..base + close;
    Some(PlainRead::Value { name, attribute: KnownAttribute::HREF, value, after })
}

/// Rest of a tag.
enum TagRest {
    /// No links up to its end; the offset after it.
    Empty(usize),
    /// Not plain from this offset on.
    Other(usize),
    /// This attribute may hold an IRI.
    Value(KnownAttribute, Range<usize>),
}

/// The attributes of a tag.
#[derive(Clone, Copy)]
struct Attributes<'b> {
    bytes: Chunk<'b>,
    element: Element,
    /// Whether the tag's end needs no processing.
    is_quiet: bool,
}

impl Attributes<'_> {
    /// Reads the attributes up to the first that may hold an IRI, as long as they are in the window, which begins at
    /// `base`; the name of the tag ends at `end`.
    #[inline(always)]
    fn close(
        self,
        base: usize,
        window: &[u8; WINDOW],
        signs: &TagMasks,
        mut end: usize,
        masks: impl Masks,
    ) -> TagRest {
        loop {
            if let Some(rest) = self.stop(base, window, end) {
                return rest;
            }
            let ends = signs.ends & (u64::MAX << (end % PAIR) << 1);
            let equals = first(ends);
            let quotes = signs.quotes & (!3 << equals);
            if (ends == 0) | (quotes == 0) | (end >= PAIR) {
                return self.far(base + end, masks);
            }
            let value = equals + 2;
            let len = equals.wrapping_sub(end + 1);
            if (window[equals..value] != *b"=\"") | (len == 0) {
                return TagRest::Other(base + end);
            }
            let close = first(quotes);
            let attribute = attribute(window, end + 1, len);
            if attribute.counts_on(self.element) {
                return TagRest::Value(attribute, base + value..base + close);
            }
            end = close + 1;
        }
    }

    /// Reads the attributes wherever they are, from the end of a name on, which is at `base`.
    #[inline(always)]
    fn far(self, mut base: usize, masks: impl Masks) -> TagRest {
        while let Some(window) = self.bytes.array::<WINDOW>(base) {
            let stop = TagRest::Other(base);
            if let Some(rest) = self.stop(base, window, 0) {
                return rest;
            }
            let Some(block) = window.first_chunk() else { return stop };
            let ends = u64::from(masks.name_ends(block) & !1);
            let equals = first(ends);
            let value = equals + 2;
            let len = equals.wrapping_sub(1);
            if (ends == 0) | (window[equals..value] != *b"=\"") | (len == 0) {
                return stop;
            }
            let Some(close) = find_by(self.bytes, base + value, b'"', masks) else { return stop };
            let attribute = attribute(window, 1, len);
            if attribute.counts_on(self.element) {
                return TagRest::Value(attribute, base + value..close);
            }
            base = close + 1;
        }
        TagRest::Other(base)
    }

    /// Returns a result if the tag ends here, or if the byte here does not begin an attribute.
    #[inline(always)]
    fn stop(self, base: usize, window: &[u8; WINDOW], end: usize) -> Option<TagRest> {
        let (here, next) = (window[end], window[end + 1]);
        if (here == b' ') & (next != b'/') {
            return None;
        }
        let len = match (here, next, window[end + 2]) {
            (b'>', ..) => 1,
            (b' ', b'/', b'>') => 3,
            (b' ' | b'\n', ..) => return None,
            (b'/', b'>', _) => 2,
            _ => return Some(TagRest::Other(base + end)),
        };
        Some(if self.is_quiet {
            TagRest::Empty(base + end + len)
        } else {
            TagRest::Other(base + end)
        })
    }
}

/// Returns the attribute whose name is here; the name contains no byte that ends one.
#[inline(always)]
fn attribute(window: &[u8; WINDOW], start: usize, len: usize) -> KnownAttribute {
    match (len, chunk(window, start)) {
        (..=8, Some(name)) => KnownAttribute::by_key(folded(word(name), len)),
        _ => KnownAttribute::of(window.get(start..start + len).unwrap_or_default()),
    }
}

/// Returns the number of the first bit; an arbitrary number if there is none.
#[inline(always)]
fn first(mask: u64) -> usize {
    // The remainder lets the compiler see that the index is within the window.
    mask.trailing_zeros() as usize % PAIR
}

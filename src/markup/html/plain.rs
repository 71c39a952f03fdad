//! Fast path for most of a page: short texts, and tags with short names whose values are in quotes.
//!
//! It says nothing that `Html::any_text` would not say of the same bytes, only sooner; whatever is not
//! quite so, or is in SVG or MathML, or close before the bytes' end, is left to that. A page is read at
//! some twenty cycles a tag, so what counts is the way from one tag to the next: nearly all tags are those
//! that were met before (`known`), and the next `<` is that of a mask, whatever they hold; where a name or a
//! value of another one ends is computed by masks as well.

use std::ops::Range;

use super::block::{chunk, find_by, find_in, text_end};
use super::element::Element;
use super::name::{ends_tag_name, folded, word};
use super::places::{AttributeContext, AttributeMeaning, KnownAttribute};
use super::tag::TagPosition;
use super::tag_cache::{Effect, TagLookup};
use super::{Html, HtmlState, HtmlStep, TagName};
use crate::input::chunk::Chunk;
use crate::markup::{Grammar, Rules, TextToken, Token, UrlValue};
use crate::scan::prefilter::markup_text::may_hold_link;
use crate::simd::signs::{BLOCK, MaskKernel, Masks, PAIR, TagMasks, TextMasks};

/// Bytes that are read without a bounds check of their own: those of the masks, and as many after them.
const WINDOW: usize = 2 * PAIR;

/// Markup before which the fast path for plain tags stops.
enum PlainStop {
    /// A text that is not plain, or markup after it that is not.
    Other,
    /// The rest of this tag, an end tag or not: it is not plain.
    Tag(TagName, bool),
    /// The rest of this tag: this attribute of it, with this value, is before it and says something.
    Value(TagName, KnownAttribute, Range<usize>),
}

/// A tag that is read.
enum PlainRead {
    /// Tag without links that ends before this offset.
    Quiet { after: usize, element: Element, is_end: bool },
    /// This attribute says something, with this value; what else it holds says nothing, if it is known where
    /// it ends.
    Value { name: TagName, attribute: KnownAttribute, value: Range<usize>, after: Option<usize> },
}

/// Kernel that reads plain tags.
struct PlainTagsKernel<'h, 'b> {
    html: &'h mut Html,
    bytes: Chunk<'b>,
}

impl MaskKernel for PlainTagsKernel<'_, '_> {
    /// Result of a look. The commonest token is built in place: a move costs as much as the search.
    type Output = Result<Token, PlainStop>;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> Result<Token, PlainStop> {
        self.html.plain(self.bytes, masks)
    }
}

impl Html {
    /// Texts and tags that hold nothing, up to something to be given, or a tag or the like that is left open.
    #[inline(always)]
    pub(super) fn text(&mut self, bytes: Chunk<'_>) -> Result<Token, HtmlStep> {
        if !self.foreign.is_empty() {
            return Err(self.other_text(bytes));
        }
        let stop = match self.masks.run(PlainTagsKernel { html: self, bytes }) {
            Ok(run) => return Ok(run),
            Err(stop) => stop,
        };
        match stop {
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

    /// Reads a tag of HTML to its end at once, if this value is all that it says, and one IRI.
    #[inline(always)]
    fn only_value(
        &mut self,
        element: Element,
        attribute: KnownAttribute,
        value: &Range<usize>,
        after: usize,
    ) -> Option<Token> {
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
        self.joined = false;
        self.at = after;
        Some(Token::Value(UrlValue {
            range: value.clone(),
            context: context.into(),
            grammar,
            rules: Rules::HtmlAttribute,
        }))
    }

    fn other_text(&mut self, bytes: Chunk<'_>) -> HtmlStep {
        let (end, may_link) = text_end(bytes, self.at);
        self.any_text(bytes, end, may_link)
    }

    /// A tag with this name begins, and is read as far as `at`.
    #[inline(always)]
    fn begin_tag_up_to_here(&mut self, name: TagName, is_end: bool) {
        let at = self.at;
        self.begin_tag(name, is_end);
        (self.at, self.state) = (at, HtmlState::Tag(TagPosition::Between));
    }

    /// Texts without a link and tags of HTML without one.
    #[inline(always)]
    fn plain(&mut self, bytes: Chunk<'_>, masks: impl Masks) -> Result<Token, PlainStop> {
        if self.joined && bytes.get(self.at) != Some(&b'<') {
            return Err(PlainStop::Other);
        }
        loop {
            if let Some(range) = self.known(bytes, masks)? {
                return Ok(Token::Text(TextToken {
                    range,
                    rules: Rules::HtmlText,
                    content: self.foreign.content(),
                    joined: false,
                    open: false,
                    in_link: self.in_link,
                }));
            }
            match self.plain_tag(bytes, masks)? {
                // One without a reference, which ends a link all the same.
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
                    let run = after
                        .and_then(|after| self.only_value(name.element, attribute, &value, after));
                    return run.ok_or(PlainStop::Value(name, attribute, value));
                }
            }
        }
    }

    /// Texts without a link, and tags that were read before, up to a tag that was not, or a text that is to be
    /// given. The signs of a window
    /// are made at once; from one to the next there are a few operations on masks, for a load would take
    /// longer than all of them.
    #[inline(always)]
    fn known(
        &mut self,
        bytes: Chunk<'_>,
        masks: impl Masks,
    ) -> Result<Option<Range<usize>>, PlainStop> {
        let known = self.known.get();
        // From here on, and offsets of it.
        let from = self.at;
        let bytes = bytes.get(from..).unwrap_or_default();
        // Kept here, and not where each tag would have to write them.
        let (mut done, mut in_link) = (0, self.in_link);
        let (mut base, beyond) = (done, self.beyond);
        // Of a text that begins before the window: a link may be in it.
        let mut may_link_before = false;
        let (stop, at) = 'look: loop {
            let Some(window) = chunk::<WINDOW>(bytes, base) else {
                break (Err(PlainStop::Other), done);
            };
            let Some(pair) = window.first_chunk() else { break (Err(PlainStop::Other), done) };
            let TextMasks { mut opens, possible } = masks.texts(pair, beyond);
            // The first sign is at this bit or after it, and all of the text before it counts.
            let possible = possible | u64::from(may_link_before);
            let mut start = 0;
            while opens != 0 {
                let sign = first(opens);
                let ahead = u64::MAX << (start % PAIR);
                let up_to_it = opens ^ opens.wrapping_sub(1);
                let may_link = possible & ahead & up_to_it != 0;
                // Most of what is possible is so for nothing, and to give it takes longer than this.
                let holds_perhaps =
                    may_link && may_hold_link(&bytes[done..], base + sign - done, beyond, masks);
                // An `a` is never known, and that it is one is seen sooner.
                let is_a = window[sign + 1..sign + 3] == *b"a ";
                let found = match chunk(window, sign) {
                    Some(bytes) if !(holds_perhaps | is_a) => known.find(bytes, masks),
                    _ => TagLookup::NONE,
                };
                if !found.is_known {
                    // Before a `<wbr>` the text goes on.
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
                // There is no other sign in it.
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
                    // What else is in the text says nothing more.
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
        // After a tag no text goes on.
        self.joined = (self.joined & (done == 0)) | matches!(stop, Ok(Some(_)));
        (self.at, self.in_link) = (from + at, in_link);
        stop
    }

    /// A tag that says nothing is after.
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

    /// Reads the tag that begins here: where its end is and what it does, if it says nothing.
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

/// A tag that begins as nearly half of those do that hold a link, and has a short one.
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
    /// This attribute says something.
    Value(KnownAttribute, Range<usize>),
}

/// The attributes of a tag.
#[derive(Clone, Copy)]
struct Attributes<'b> {
    bytes: Chunk<'b>,
    element: Element,
    /// The tag's end may be passed over.
    is_quiet: bool,
}

impl Attributes<'_> {
    /// Reads them up to the first that says something, as long as they lie in the window, which begins at
    /// `base`; what ends the tag's name is at `end`.
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

    /// The same wherever they lie, from what ends a name on, which is at `base`.
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

    /// Whether the tag ends here, or what is here begins no attribute.
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

/// The attribute whose name is here, and holds nothing that ends one.
#[inline(always)]
fn attribute(window: &[u8; WINDOW], start: usize, len: usize) -> KnownAttribute {
    match (len, chunk(window, start)) {
        (..=8, Some(name)) => KnownAttribute::by_key(folded(word(name), len)),
        _ => KnownAttribute::of(window.get(start..start + len).unwrap_or_default()),
    }
}

/// The number of the first bit; any, if there is none.
#[inline(always)]
fn first(mask: u64) -> usize {
    // So that the compiler sees that what is looked at lies in the window.
    mask.trailing_zeros() as usize % PAIR
}

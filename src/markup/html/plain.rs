//! What nearly all of a page is: short texts, and tags with short names whose values are in quotes.
//!
//! It says nothing that `Html::any_text` would not say of the same bytes, only sooner; whatever is not
//! quite so, or stands in SVG or MathML, or close before the bytes' end, is left to that. A page is read at
//! some twenty cycles a tag, so what counts is the way from one tag to the next: where a name or a value
//! ends is computed by masks, and nothing else is waited for; and whether a tag begins or ends an element,
//! which is as good as random, decides no branch before its name is known.

use std::ops::Range;

use super::block::{chunk, find_by, text_end, text_end_by};
use super::element::Element;
use super::name::{ends_tag_name, folded, word};
use super::places::Attribute;
use super::tag::Inside;
use super::{Html, Name, Progress, State};
use crate::markup::{Content, Rules, Run, Text};
use crate::scan::simd::signs::{ByMasks, Masks, PAIR, Signs, by_masks};

/// What is looked at without asking whether it is there: what there are signs of, and as much behind it.
const WINDOW: usize = 2 * PAIR;

/// What a look at plain tags ends before.
enum Stop {
    /// This text is to be given.
    Text(Range<usize>),
    /// A text that is not plain, or markup behind it that is not.
    Other,
    /// The rest of this tag, an end tag or not: it is not plain.
    Tag(Name, bool),
    /// The rest of this tag: this attribute of it, with this value, stands before it and says something.
    Value(Name, Attribute, Range<usize>),
}

/// A look at plain tags.
struct Look<'h, 'b> {
    html: &'h mut Html,
    bytes: &'b [u8],
}

impl ByMasks for Look<'_, '_> {
    type Output = Stop;

    #[inline(always)]
    fn by(self, masks: impl Masks) -> Stop {
        self.html.plain(self.bytes, masks)
    }
}

impl Html {
    /// Texts and tags that hold nothing, up to something to be given, or a tag or the like that is left open.
    /// What is given most often is made where it is returned: to hand it on costs as much as to find it.
    #[inline(always)]
    pub(super) fn text(&mut self, bytes: &[u8], is_last: bool) -> Result<Run, Progress> {
        if !self.foreign.is_empty() {
            return Err(self.other_text(bytes, is_last));
        }
        match by_masks(Look { html: self, bytes }) {
            Stop::Text(range) => Ok(Run::Text(Text {
                range,
                rules: Rules::HtmlText,
                content: Content::Running,
                joined: false,
                open: false,
                in_link: self.in_link,
            })),
            Stop::Value(name, attribute, value) => {
                self.begin_tag_up_to_here(name, false);
                let run = self.value(bytes, attribute, value).ok_or(Progress::On)?;
                self.end_tag_here(bytes);
                Ok(run)
            }
            Stop::Tag(name, is_end) => {
                self.begin_tag_up_to_here(name, is_end);
                Err(self.tag(bytes, is_last, Inside::Between))
            }
            Stop::Other => Err(self.other_text(bytes, is_last)),
        }
    }

    fn other_text(&mut self, bytes: &[u8], is_last: bool) -> Progress {
        let (end, is_warm) = text_end(bytes, self.at);
        self.any_text(bytes, is_last, end, is_warm)
    }

    /// A tag with this name begins, and is read as far as `at`.
    #[inline(always)]
    fn begin_tag_up_to_here(&mut self, name: Name, is_end: bool) {
        let at = self.at;
        self.begin_tag(name, is_end);
        (self.at, self.state) = (at, State::Tag(Inside::Between));
    }

    /// Texts without a link and tags of HTML without one. The signs of a window are made at once; from one
    /// to the next there are a few operations on masks, for a load would take longer than all of them.
    #[inline(always)]
    fn plain(&mut self, bytes: &[u8], masks: impl Masks) -> Stop {
        let Html { foreign, joined, in_link, at: done, .. } = self;
        let mut base = *done;
        // Of a text that begins before the window: a link may be in it.
        let mut is_warm_before = false;
        loop {
            let Some(window) = chunk::<WINDOW>(bytes, base) else { return Stop::Other };
            let Some(pair) = window.first_chunk() else { return Stop::Other };
            let signs = masks.signs(pair);
            let mut start = 0;
            base = loop {
                let ahead = u64::MAX << start;
                let opens = signs.opens & ahead;
                let up_to_it = opens ^ opens.wrapping_sub(1);
                let is_warm = is_warm_before | (signs.warm & ahead & up_to_it != 0);
                if opens == 0 {
                    if start > 0 {
                        break base + start;
                    }
                    let (Some(end), is_warm_behind) = text_end_by(bytes, base + PAIR, masks) else {
                        return Stop::Other;
                    };
                    is_warm_before = is_warm | is_warm_behind;
                    break end;
                }
                let sign = first(opens);
                let is_end = window[sign + 1] == b'/';
                let lead = sign + 1 + usize::from(is_end);
                if is_warm | (*joined & (base + sign > *done)) {
                    // Before a `<wbr>` the text goes on.
                    let letter = window[lead];
                    let is_tag = letter.is_ascii_alphabetic() && (is_end || letter | 0x20 != b'w');
                    if *joined || !is_tag {
                        return Stop::Other;
                    }
                    let text = *done..base + sign;
                    (*done, *joined) = (text.end, true);
                    return Stop::Text(text);
                }
                // The slash before a name does not end it.
                let ends = signs.ends & (!3 << sign);
                if ends == 0 {
                    if sign == 0 {
                        return Stop::Other;
                    }
                    break base + sign;
                }
                let mut end = first(ends);
                let len = end.wrapping_sub(lead);
                let mut element = match (len, chunk(window, lead)) {
                    (..=8, Some(name)) => Element::by_key(folded(word(name), len)),
                    _ => Element::OTHER,
                };
                if !((window[end] == b'>') & element.is_plain(is_end)) {
                    if !window[lead].is_ascii_alphabetic() || !ends_tag_name(window[end]) {
                        return Stop::Other;
                    }
                    if len > 8 {
                        element = Element::of(window.get(lead..end).unwrap_or_default());
                    }
                    if element == Element::WBR {
                        return Stop::Other;
                    }
                    let name = Name { start: base + lead, end: base + end, element };
                    if if is_end { window[end] != b'>' } else { !element.has_plain_attributes() } {
                        *done = name.end;
                        return Stop::Tag(name, is_end);
                    }
                    let is_quiet = is_end | !element.is_notable();
                    let tag = Attributes { bytes, element, is_quiet };
                    match tag.close(base, window, &signs, end, masks) {
                        Rest::Empty(behind) => end = behind - 1 - base,
                        Rest::Other(at) => {
                            *done = at;
                            return Stop::Tag(name, is_end);
                        }
                        Rest::Value(attribute, value) => {
                            *done = value.end + 1;
                            return Stop::Value(name, attribute, value);
                        }
                    }
                }
                foreign.around_plain(element, is_end);
                *in_link &= !is_end | (element != Element::A);
                *joined = false;
                is_warm_before = false;
                start = end + 1;
                *done = base + start;
                if start >= PAIR {
                    break *done;
                }
            };
        }
    }
}

/// How a tag goes on.
enum Rest {
    /// It says nothing up to its end, behind which this is.
    Empty(usize),
    /// It is not plain from here on.
    Other(usize),
    /// This attribute says something.
    Value(Attribute, Range<usize>),
}

/// The attributes of a tag.
#[derive(Clone, Copy)]
struct Attributes<'b> {
    bytes: &'b [u8],
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
        signs: &Signs,
        mut end: usize,
        masks: impl Masks,
    ) -> Rest {
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
                return Rest::Other(base + end);
            }
            let close = first(quotes);
            let attribute = attribute(window, end + 1, len);
            if attribute.counts_on(self.element) {
                return Rest::Value(attribute, base + value..base + close);
            }
            end = close + 1;
        }
    }

    /// The same wherever they lie, from what ends a name on, which is at `base`.
    #[inline(always)]
    fn far(self, mut base: usize, masks: impl Masks) -> Rest {
        while let Some(window) = chunk::<WINDOW>(self.bytes, base) {
            let stop = Rest::Other(base);
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
                return Rest::Value(attribute, base + value..close);
            }
            base = close + 1;
        }
        Rest::Other(base)
    }

    /// Whether the tag ends here, or what is here begins no attribute.
    #[inline(always)]
    fn stop(self, base: usize, window: &[u8; WINDOW], end: usize) -> Option<Rest> {
        match (window[end], window[end + 1], window[end + 2]) {
            (b'>', ..) if self.is_quiet => Some(Rest::Empty(base + end + 1)),
            (b' ', b'/', b'>') if self.is_quiet => Some(Rest::Empty(base + end + 3)),
            (b' ' | b'\n', ..) => None,
            (b'/', b'>', _) if self.is_quiet => Some(Rest::Empty(base + end + 2)),
            _ => Some(Rest::Other(base + end)),
        }
    }
}

/// The attribute whose name stands here, and holds nothing that ends one.
#[inline(always)]
fn attribute(window: &[u8; WINDOW], start: usize, len: usize) -> Attribute {
    match (len, chunk(window, start)) {
        (..=8, Some(name)) => Attribute::by_key(folded(word(name), len)),
        _ => Attribute::of(window.get(start..start + len).unwrap_or_default()),
    }
}

/// The number of the first bit; any, if there is none.
#[inline(always)]
fn first(mask: u64) -> usize {
    // So that the compiler sees that what is looked at lies in the window.
    mask.trailing_zeros() as usize % PAIR
}

//! Fast path for most of a document: texts that cannot contain a link, end tags, and start tags whose values are in quotes
//! and that declare nothing.
//!
//! It returns the same results as the rest of the tokenizer for the same bytes, only faster: a text without a link is
//! skipped with masks, and a tag is read once. Anything of another form, or that is too long, is left to the rest.

use std::mem;
use std::ops::Range;

use super::attribute::{is_name, is_space};
use super::content::rules_of_text;
use super::flow::Flow;
use super::tag::{is_declaration, is_feature};
use super::vocabulary::{Vocabulary, is_content, is_web, may_hold};
use super::{Rules, Token, Xml, XmlMode, held};
use crate::input::chunk::Chunk;
use crate::markup::html::{Element, chunk, is_idle_attribute, text_end_by, up_to_first};
use crate::simd::signs::{BLOCK, MaskKernel, Masks};

/// Maximum length of a name or a value that is read here, so that a search that fails does not take long.
const FAR: usize = 4 << 10;
/// Maximum number of attributes, which tags seldom exceed; it bounds the memory.
const MOST: usize = 64;

/// A start tag, from its name to its end.
struct PlainTag {
    name: XmlName,
    /// Offset after its `>`.
    next: usize,
    is_empty: bool,
}

struct XmlName {
    range: Range<usize>,
    has_prefix: bool,
}

#[derive(Clone, Debug)]
pub(super) struct PlainAttribute {
    name: Range<usize>,
    value: Range<usize>,
    has_prefix: bool,
    /// Whether name and value show that it holds no IRI, unless its element is one of HTML.
    is_idle: bool,
}

impl PlainTag {
    /// Reads the tag whose name begins at `start`, and its attributes.
    #[inline(always)]
    fn at(
        bytes: Chunk<'_>,
        start: usize,
        attributes: &mut Vec<PlainAttribute>,
        masks: impl Masks,
    ) -> Option<PlainTag> {
        attributes.clear();
        let name = name_at(bytes, start, masks)?;
        let mut at = name.range.end;
        let (next, is_empty) = loop {
            match bytes.get(at)? {
                b'>' => break (at + 1, false),
                b'/' if bytes.get(at + 1) == Some(&b'>') => break (at + 2, true),
                byte if is_space(*byte) => at += 1,
                byte if is_name(*byte) => {
                    let XmlName { range: name, has_prefix } = name_at(bytes, at, masks)?;
                    let start = name.end + 2;
                    let &[b'=', quote @ (b'"' | b'\'')] = bytes.get(name.end..start)? else {
                        return None;
                    };
                    let (value, has_sign) = value_at(bytes, start, quote, masks)?;
                    if attributes.len() == MOST {
                        return None;
                    }
                    at = value.end + 1;
                    let is_idle = !has_prefix && !has_sign && !may_hold(&bytes[name.clone()]);
                    attributes.push(PlainAttribute { name, value, has_prefix, is_idle });
                }
                _ => return None,
            }
        };
        Some(PlainTag { name, next, is_empty })
    }
}

/// Returns the name that begins at `start`. It may be empty.
#[inline(always)]
fn name_at(bytes: Chunk<'_>, start: usize, masks: impl Masks) -> Option<XmlName> {
    if let Some(block) = bytes.array::<BLOCK>(start) {
        let quotes = masks.same(block, b'"') | masks.same(block, b'\'');
        let ends = masks.name_ends(block) | masks.same(block, b'<') | quotes;
        let len = ends.trailing_zeros() as usize;
        // White space is the only control that ends a name of XML.
        if block.get(len).is_some_and(|byte| !is_name(*byte)) {
            let has_prefix = masks.same(block, b':') & up_to_first(ends) != 0;
            return Some(XmlName { range: start..start + len, has_prefix });
        }
    }
    let rest = &bytes[start..bytes.end().min(start + FAR)];
    let len = rest.iter().position(|byte| !is_name(*byte))?;
    Some(XmlName { range: start..start + len, has_prefix: rest[..len].contains(&b':') })
}

/// Returns the value that begins at `start`, up to its quote, and whether it has a sign of a link: an IRI has a colon, and
/// a text with a link has one of several.
#[inline(always)]
fn value_at(
    bytes: Chunk<'_>,
    start: usize,
    quote: u8,
    masks: impl Masks,
) -> Option<(Range<usize>, bool)> {
    let rest = bytes.get(start..)?;
    let bytes = rest.get(..FAR).unwrap_or(rest);
    let (mut at, mut has_sign) = (0, false);
    while let Some(block) = chunk::<BLOCK>(bytes, at) {
        let quotes = masks.same(block, quote);
        // The byte after the last one is not examined.
        let before_letter = masks.from(block, b'A') >> 1 | 1 << (BLOCK - 1);
        let signs = masks.same(block, b':')
            | masks.same(block, b'@')
            | masks.same(block, b'&')
            | masks.same(block, b'<')
            | masks.same(block, b'.') & before_letter;
        has_sign |= signs & up_to_first(quotes) != 0;
        if quotes != 0 {
            return Some((start..start + at + quotes.trailing_zeros() as usize, has_sign));
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..)?;
    let len = rest.iter().position(|byte| *byte == quote)?;
    Some((start..start + at + len, has_sign || held::has_sign(&rest[..len])))
}

/// Returns `true` if only the name of an element matters.
#[inline]
fn is_idle(vocabulary: Vocabulary, local: &[u8], outer: Flow) -> bool {
    let is_of_run = vocabulary == Vocabulary::Word && outer == Flow::Properties;
    !(is_web(vocabulary) || is_of_run || is_content(vocabulary, local))
        && Flow::of(vocabulary, local, outer) == outer.inherited()
        && outer != Flow::Aside
        && rules_of_text(vocabulary, local) == Rules::Xml
}

/// Kernel that skips plain markup.
struct PlainMarkupKernel<'x, 'b> {
    xml: &'x mut Xml,
    bytes: Chunk<'b>,
}

impl MaskKernel for PlainMarkupKernel<'_, '_> {
    type Output = Option<Token>;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> Option<Token> {
        self.xml.plain_by(self.bytes, masks)
    }
}

impl Xml {
    /// Skips texts and tags between elements, up to a token, or to markup that the general code must read: in content, or
    /// in the construct of the mode that this ends in.
    pub(super) fn plain(&mut self, bytes: Chunk<'_>) -> Option<Token> {
        self.best.run(PlainMarkupKernel { xml: self, bytes })
    }

    #[inline(always)]
    fn plain_by(&mut self, bytes: Chunk<'_>, masks: impl Masks) -> Option<Token> {
        while self.mode == XmlMode::Content && self.due.is_empty() {
            let (end, may_link) = text_end_by(bytes, self.at, masks);
            let open = end?;
            // Only these surely end a text and a link in it.
            let is_end = bytes.get(open + 1) == Some(&b'/');
            let start = open + 1 + usize::from(is_end);
            if !bytes.get(start)?.is_ascii_alphabetic() {
                return None;
            }
            // A text that continues after a tag is left to the general code.
            if open > self.at && self.scope.flow().is_in_paragraph() {
                return None;
            }
            if may_link && self.may_be_fragment(&bytes[self.at..open]) {
                return None;
            }
            if open > self.at {
                let inside = self.scope.innermost();
                if may_link || inside.is_some_and(|inside| inside.is_sheet) {
                    while is_space(bytes[self.at]) {
                        self.at += 1;
                    }
                    let text = self.text(self.at..open, false, Rules::Xml);
                    self.at = open;
                    if text.is_some() {
                        return text;
                    }
                }
                self.at = open;
            }
            let run = match is_end {
                true => self.plain_end_tag(bytes, start, masks)?,
                false => self.plain_start_tag(bytes, start, masks)?,
            };
            if run.is_some() {
                return run;
            }
        }
        None
    }

    #[inline(always)]
    fn plain_end_tag(
        &mut self,
        bytes: Chunk<'_>,
        start: usize,
        masks: impl Masks,
    ) -> Option<Option<Token>> {
        if let Some(block) = bytes.array::<BLOCK>(start) {
            let len = masks.same(block, b'>').trailing_zeros() as usize;
            // An open element has a name; an empty name is not searched for its end.
            if len < BLOCK
                && let Some(has_base) = self.scope.leave_if(&block[..len])
            {
                self.at = start + len + 1;
                return Some(has_base.then_some(Token::BaseEnd));
            }
        }
        let name = name_at(bytes, start, masks)?.range;
        if bytes[name.end] != b'>' {
            return None;
        }
        self.at = name.end + 1;
        self.close(&bytes[name]);
        Some(None)
    }

    /// Returns the first token of a start tag, if there is one; `None` if the general code reads the tag.
    #[inline(always)]
    fn plain_start_tag(
        &mut self,
        bytes: Chunk<'_>,
        start: usize,
        masks: impl Masks,
    ) -> Option<Option<Token>> {
        // Reuse the allocation.
        let mut attributes = mem::take(&mut self.attributes);
        let tag = PlainTag::at(bytes, start, &mut attributes, masks);
        let run = tag.and_then(|tag| self.start_tag_with(bytes, tag, &attributes));
        self.attributes = attributes;
        run
    }

    #[inline(always)]
    fn start_tag_with(
        &mut self,
        bytes: Chunk<'_>,
        tag: PlainTag,
        attributes: &[PlainAttribute],
    ) -> Option<Option<Token>> {
        let longest = self.limits.whole.min(self.limits.link);
        let is_other = |PlainAttribute { name, value, .. }: &PlainAttribute| {
            is_declaration(&bytes[name.clone()]) || value.len() > longest
        };
        if self.scope.is_outside() || attributes.iter().any(is_other) {
            return None;
        }
        let name = &bytes[tag.name.range.clone()];
        if !tag.name.has_prefix {
            let vocabulary = self.scope.of_no_prefix().unwrap_or(Vocabulary::Unknown);
            let is_opened = match is_web(vocabulary) {
                true => self.opened_idle(bytes, &tag, attributes, vocabulary),
                false => {
                    let is_idle = attributes.iter().all(|attribute| attribute.is_idle)
                        && is_idle(vocabulary, name, self.scope.flow());
                    if is_idle && !tag.is_empty {
                        self.scope.enter_as(name, name);
                    }
                    is_idle
                }
            };
            if is_opened {
                self.at = tag.next;
                return Some(None);
            }
        }
        self.other_start_tag(bytes, tag, attributes)
    }

    /// Opens an element of HTML, SVG or MathML if no attribute of it means anything; returns whether it did.
    #[inline]
    fn opened_idle(
        &mut self,
        bytes: Chunk<'_>,
        tag: &PlainTag,
        attributes: &[PlainAttribute],
        vocabulary: Vocabulary,
    ) -> bool {
        let name = &bytes[tag.name.range.clone()];
        let element = Element::of(name);
        let is_foreign = vocabulary != Vocabulary::Xhtml;
        let is_idle = |PlainAttribute { name, has_prefix, .. }: &PlainAttribute| {
            !has_prefix && is_idle_attribute(element, &bytes[name.clone()], is_foreign)
        };
        // The type of a script says whether it is a program.
        let is_other = element == Element::SCRIPT
            || is_content(vocabulary, name)
            || self.scope.flow() == Flow::Aside;
        if is_other || !attributes.iter().all(is_idle) {
            return false;
        }
        if !tag.is_empty {
            let is_noted = self.scope.enter_as(name, name);
            self.tag.restart(is_noted);
            (self.tag.vocabulary, self.tag.element) = (vocabulary, element);
            self.note_element(name);
        }
        true
    }

    /// Returns the first token of a start tag that may hold a value.
    #[inline(never)]
    fn other_start_tag(
        &mut self,
        bytes: Chunk<'_>,
        tag: PlainTag,
        attributes: &[PlainAttribute],
    ) -> Option<Option<Token>> {
        let start = tag.name.range.start;
        let name = &bytes[tag.name.range];
        self.open(start, name);
        for PlainAttribute { name, value, .. } in attributes {
            if is_feature(&bytes[name.clone()]) {
                self.note_feature(&bytes[name.clone()], &bytes[value.clone()]);
            }
        }
        self.know(name, false);
        for PlainAttribute { name, value, .. } in attributes {
            self.tag.note(&bytes[name.clone()], &bytes[value.clone()]);
        }
        let is_web = self.tag.is_web();
        let mut first = None;
        for PlainAttribute { name, value, .. } in attributes.iter().filter(|a| is_web || !a.is_idle)
        {
            let text = &bytes[value.clone()];
            if let Some((grammar, context)) = self.held(&bytes[name.clone()], Some(text))
                && let Some(run) = self.given(value.clone(), grammar, context)
            {
                for label in self.labels() {
                    self.give(&mut first, label);
                }
                self.give(&mut first, run);
            }
        }
        self.at = tag.next;
        if let Some(end) = self.opened(tag.is_empty) {
            self.give(&mut first, end);
        }
        Some(first)
    }

    /// Sets the first token, or appends it to those that are due.
    fn give(&mut self, first: &mut Option<Token>, run: Token) {
        match first.is_none() && self.due.is_empty() {
            true => *first = Some(run),
            false => self.due.push_back(run),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::{Grammar, Tokenizer, TokenizerStep, UrlValue, ValueLimits};

    /// Returns the tokens of a document after a declaration.
    fn runs(declaration: &str, document: &str) -> Vec<String> {
        let bytes = [declaration, document].concat().into_bytes();
        let mut xml = Xml::new(ValueLimits { link: 40, ..ValueLimits::default() });
        let mut runs = Vec::new();
        while let TokenizerStep::Token(run) = xml.next(Chunk::whole(&bytes)) {
            let is_cold = |text: &str| !text.contains(['.', ':', '&']) && text.is_ascii();
            match &run {
                Token::Text(text) if !text.open && !text.joined => {
                    let inside = std::str::from_utf8(&bytes[text.range.clone()]).unwrap();
                    if !is_cold(inside) {
                        runs.push(format!("{run:?}"));
                    }
                }
                // If entities are declared, running text of an attribute is a value, since it may contain them.
                Token::Value(UrlValue { range, grammar: Grammar::Running, .. }) => {
                    runs.push(format!("Text(TextToken {{ range: {range:?},"));
                }
                _ => runs.push(format!("{run:?}")),
            }
        }
        runs
    }

    /// Returns `true` if a token of the document without entities equals that of the other.
    fn is_same(plain: &str, other: &str) -> bool {
        if other.ends_with(',') { plain.starts_with(other) } else { plain == other }
    }

    /// If an entity is declared, the fast path is not used.
    #[test]
    fn what_is_plain_is_read_as_it_is_elsewhere() {
        let plain = "<!DOCTYPE a [<!-- --><!-- -->]>";
        let other = "<!DOCTYPE a [<!ENTITY zz ''> ]>";
        assert_eq!(plain.len(), other.len());
        let long = format!("<a><b c='{}' href='d'>x.y</b></a>", "v".repeat(2 * FAR));
        for document in [
            "<a><b>one</b> <b>two.example</b>\n<c/>see http://e.com/<d e='f'/></a>",
            "<a><b href='x' title='http://e.com/' c=\"http://e.com/a b\">t.t<i>u.u</i></b>v.v</a>",
            "<a><b href='x'/><b\n src = 'y'/><b src='y' / ><b src=y>z.z</b></a>",
            "<a>x<!-- c -->.y<b>cold</b>cold<!-- c -->cold<b>q.q</b></a>",
            "<a>e.<![CDATA[x]]>.com<b>1 < 2.5</b><b/>cold < <b>e.f</b></a>",
            "<rss><channel><link>l</link><title>t</title><guid>http://e.com/</guid></channel></rss>",
            "<svg><style>a{background: url(b)}</style><style>c</style><a xlink:href='#d'>x.y</a></svg>",
            "<html><head><base href='http://b.com/'/><script>x.y</script></head><p>a.b<a href='c'>d.e</a></p></html>",
            "<a xml:base='http://b.com/'><b xml:base='c'><d href='e'/></b><b href='f'/></a><g href='h'/>",
            "<a xmlns:n='http://www.w3.org/2005/Atom'><n:link href='b' rel='c'/><n:id>tag:d,e</n:id></a>",
            "<a><b></c></b ></a></a>x.y<b>z.z",
            "<feed xmlns='http://www.w3.org/2005/Atom'><title type='html'>x.y</title><title mode='xml'>x.y</title></feed>",
            "<html><a><meta http-equiv='refresh' content='0;url=b'/><meta content='0;url=b'/></a></html>",
            "<a><b 1='2'>x.y</b><b a='1'b='2'>x.y</b><b a=''>x.y</b><é a='b'>x.y</é><b a></b></a>",
            "<a><b a='1' b='2' c='3' d='4' e='5' f='6' g='7' h='8' href='9'>x.y</b></a>",
            "<a><b a='<c href=\"d\">'>x.y</b><b a='<c>'><d e='f'<g href='h'>i.i</g></a>",
            "<a><b href='d' src='one that is longer than the limit, which is small here'>x.y</b></a>",
            "<a><b xml:lang='en' type='http://e.com/' n:x='u:v' xref='c' status='d'>x.y</b>u.u</a>",
            "<a><b href='c' src='d' title='http://e.com/'/>x.y<b src='f' type='t:u'>y.z</b></a>",
            "<a xml:base='b'><c xml:base='d'><b href='e' src='f'/>x.y</c><b href='g'/></a>",
            "<a><Relationship Type='http://e.com/t' Target='x'/><c type='urn:a:b' Target='x'/>x.y</a>",
            "<a><a-name-that-is-longer-than-a-block-is b='c'>x.y</a-name-that-is-longer-than-a-block-is><c>d.e</c></a>",
            "<a><thirty-two-letters-of-a-name-aaa>x.y</thirty-two-letters-of-a-name-aaa><b>x.y</b ></a>",
            "<a><b c='as long a value as takes more than one block or two of them, and a colon: '>x.y</b></a>",
            "<a><b c='see http://e.com/ now' d='me@e.com or u.e' e='v.v w' f='1.5 2.5'/><g h='x.y'>x.y</g></a>",
            "<a><b c='&lt;p&gt;x.y' d=\"see &lt;a href='i'&gt;j&lt;/a&gt;\" class='see http://e.com/'>x.y</b></a>",
            "<rss><outline text='see http://e.com/ now'/></rss>",
            "<html><p class='x' id='y'>see<code lang='c'>u.u</code><span itemid='d'>z.z</span><br/><a name='n'>v.v</a></p><pre>w.w</pre></html>",
            "<html><style type='t'>a{b:url(c)}</style><script type='application/json'>\"http://e.com/\"</script><script>x.y</script></html>",
            "<html><meta name='thumbnail' content='a.png'/><meta content='http://e.com/' name='x'/><svg xmlns='http://www.w3.org/2000/svg'><use href='#a'/><b c='d'>x.y</b></svg></html>",
            "<a><b href='x",
            "<a><b>x.y</b",
            &long,
        ] {
            for end in (0..=document.len()).filter(|end| document.is_char_boundary(*end)) {
                let document = &document[..end];
                if end > 300 && end < document.len() {
                    continue;
                }
                let (plain, other) = (runs(plain, document), runs(other, document));
                let same = plain.iter().zip(&other).all(|(plain, other)| is_same(plain, other));
                assert!(same && plain.len() == other.len(), "{document} {plain:#?} {other:#?}");
            }
        }
    }
}

//! What nearly all of a document is: texts in which no link can be, end tags, and start tags whose values
//! are in quotes and that declare nothing.
//!
//! It says nothing that the rest of the tokenizer would not say of the same bytes, only sooner: a text
//! without a link is passed over by masks, and a tag is read once. Whatever is not quite so, or reaches
//! far, is left to the rest.

use std::mem;
use std::ops::Range;

use super::attribute::{is_name, is_space};
use super::tag::{is_declaration, is_feature};
use super::{Mode, Rules, Run, Xml};
use crate::markup::html::{find, text_end};

/// A name or a value that is longer is not looked at here: nothing is to be looked at in vain for long.
const FAR: usize = 4 << 10;
/// More attributes a tag has seldom, and what is kept is bounded.
const MOST: usize = 64;

/// A start tag, from its name to its end.
struct Tag {
    name: Range<usize>,
    /// Behind its `>`.
    next: usize,
    is_empty: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
}

impl Tag {
    /// The tag whose name begins at `start`, and its attributes.
    fn at(bytes: &[u8], start: usize, attributes: &mut Vec<Attribute>) -> Option<Tag> {
        attributes.clear();
        let name = start..name_end(bytes, start)?;
        let mut at = name.end;
        let (next, is_empty) = loop {
            match bytes.get(at)? {
                b'>' => break (at + 1, false),
                b'/' if bytes.get(at + 1) == Some(&b'>') => break (at + 2, true),
                byte if is_space(*byte) => at += 1,
                byte if is_name(*byte) => {
                    let name = at..name_end(bytes, at)?;
                    let value = name.end + 2;
                    let &[b'=', quote @ (b'"' | b'\'')] = bytes.get(name.end..value)? else {
                        return None;
                    };
                    let close = find(&bytes[..bytes.len().min(value + FAR)], value, quote)?;
                    if attributes.len() == MOST {
                        return None;
                    }
                    attributes.push(Attribute { name, value: value..close });
                    at = close + 1;
                }
                _ => return None,
            }
        };
        Some(Tag { name, next, is_empty })
    }
}

/// Where a name ends.
fn name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = &bytes[start..bytes.len().min(start + FAR)];
    rest.iter().position(|byte| !is_name(*byte)).map(|len| start + len)
}

impl Xml {
    /// Goes over texts and tags between elements, up to something to be given, or to what is left to
    /// others: in content, or in what the mode says that this has come to.
    pub(super) fn plain(&mut self, bytes: &[u8]) -> Option<Run> {
        while self.mode == Mode::Content && self.due.is_empty() {
            let (end, is_warm) = text_end(bytes, self.at);
            let open = end?;
            // Only these are sure to end a text and a link in it.
            let is_end = bytes.get(open + 1) == Some(&b'/');
            let start = open + 1 + usize::from(is_end);
            if !bytes.get(start)?.is_ascii_alphabetic() {
                return None;
            }
            if open > self.at {
                let inside = self.scope.innermost();
                if is_warm || inside.is_some_and(|inside| inside.is_sheet) {
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
                true => self.plain_end_tag(bytes, start)?,
                false => self.plain_start_tag(bytes, start)?,
            };
            if run.is_some() {
                return run;
            }
        }
        None
    }

    fn plain_end_tag(&mut self, bytes: &[u8], start: usize) -> Option<Option<Run>> {
        let end = name_end(bytes, start)?;
        if bytes[end] != b'>' {
            return None;
        }
        self.close(&bytes[start..end]);
        self.at = end + 1;
        Some(None)
    }

    /// What of a start tag is to be given first, if anything is; `None` if it is left to others.
    fn plain_start_tag(&mut self, bytes: &[u8], start: usize) -> Option<Option<Run>> {
        // Their memory is used again.
        let mut attributes = mem::take(&mut self.attributes);
        let run = self.start_tag_with(bytes, start, &mut attributes);
        self.attributes = attributes;
        run
    }

    fn start_tag_with(
        &mut self,
        bytes: &[u8],
        start: usize,
        attributes: &mut Vec<Attribute>,
    ) -> Option<Option<Run>> {
        let tag = Tag::at(bytes, start, attributes)?;
        let is_other = |Attribute { name, value }: &Attribute| {
            is_declaration(&bytes[name.clone()]) || value.len() > self.limits.whole
        };
        if self.scope.is_outside() || attributes.iter().any(is_other) {
            return None;
        }
        let name = &bytes[tag.name.clone()];
        self.open(name);
        for Attribute { name, value } in &*attributes {
            if is_feature(&bytes[name.clone()]) {
                self.note_feature(&bytes[name.clone()], &bytes[value.clone()]);
            }
        }
        self.know(name, false);
        for Attribute { name, value } in attributes {
            let text = &bytes[value.clone()];
            if let Some((grammar, context)) = self.held(&bytes[name.clone()], Some(text)) {
                self.at = value.end + 1;
                self.mode = Mode::Tag;
                return Some(Some(self.given(value.clone(), grammar, context)));
            }
        }
        self.at = tag.next;
        Some(self.opened(tag.is_empty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::{Limits, Step, Tokenizer};

    /// What a document gives behind a declaration.
    fn runs(declaration: &str, document: &str) -> Vec<String> {
        let bytes = [declaration, document].concat().into_bytes();
        let mut xml = Xml::new(Limits::default());
        let mut runs = Vec::new();
        while let Step::Run(run) = xml.next(&bytes, true) {
            let is_cold = |text: &str| !text.contains(['.', ':', '&']) && text.is_ascii();
            match &run {
                Run::Text(text) if !text.open && !text.joined => {
                    let inside = std::str::from_utf8(&bytes[text.range.clone()]).unwrap();
                    if !is_cold(inside) {
                        runs.push(format!("{run:?}"));
                    }
                }
                _ => runs.push(format!("{run:?}")),
            }
        }
        runs
    }

    /// Where an entity is declared, nothing is taken to be plain.
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
            "<a><b href='x",
            "<a><b>x.y</b",
            &long,
        ] {
            for end in (0..=document.len()).filter(|end| document.is_char_boundary(*end)) {
                let document = &document[..end];
                if end > 300 && end < document.len() {
                    continue;
                }
                assert_eq!(runs(plain, document), runs(other, document), "{document}");
            }
        }
    }
}

//! reStructuredText and AsciiDoc: literals are code, and a link has a text and a target.
//!
//! The input is bytes (ASCII-compatible, without trail bytes below 0x80), block by block: an empty line ends a block. A format
//! decides line by line what is code ([`rst`], [`asciidoc`]), and finds its links in the other lines; what is between them is
//! running text. Nothing else of the formats is read: lists, tables and titles are running text.

mod asciidoc;
mod rst;

use std::collections::VecDeque;
use std::ops::Range;

use self::asciidoc::Asciidoc;
use self::rst::Rst;
use super::{
    Content, Grammar, LabelText, LinkLabel, Rules, TextToken, Token, Tokenizer, TokenizerStep,
    UrlValue,
};
use crate::context::{ContextKind, KnownContext};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::notice::Notice;

/// Tokenizer for reStructuredText or AsciiDoc.
#[derive(Clone, Debug)]
pub(crate) struct Light {
    format: LightFormat,
    /// Maximum length of a target in bytes.
    longest: usize,
    /// Start of the block that is read, and of its first line that is not known to be complete.
    at: usize,
    line: usize,
    waiting: VecDeque<Token>,
}

#[derive(Clone, Debug)]
enum LightFormat {
    Rst(Rst),
    Asciidoc(Asciidoc),
}

impl Light {
    pub(crate) fn rst(longest: usize) -> Light {
        Light::new(LightFormat::Rst(Rst::default()), longest)
    }

    pub(crate) fn asciidoc(longest: usize) -> Light {
        Light::new(LightFormat::Asciidoc(Asciidoc::default()), longest)
    }

    fn new(format: LightFormat, longest: usize) -> Light {
        Light { format, longest, at: 0, line: 0, waiting: VecDeque::new() }
    }

    /// Returns where the block ends: after an empty line; `None` if more bytes are needed.
    fn block_end(&mut self, chunk: Chunk<'_>) -> Option<usize> {
        while let Some(len) = memchr::memchr(b'\n', chunk.from(self.line)) {
            let line = self.line..self.line + len + 1;
            self.line = line.end;
            if chunk.slice(line.clone()).trim_ascii().is_empty()
                || line.end - self.at > limits::VALUE
            {
                return Some(line.end);
            }
        }
        if chunk.end() - self.at > limits::VALUE {
            self.waiting.push_back(Token::Notice(Notice::ReadAsText));
            return Some(chunk.end());
        }
        chunk.is_last().then_some(chunk.end())
    }
}

impl Tokenizer for Light {
    fn next(&mut self, chunk: Chunk<'_>) -> TokenizerStep {
        loop {
            if let Some(token) = self.waiting.pop_front() {
                return TokenizerStep::Token(token);
            }
            let start = self.at;
            if start >= chunk.end() {
                return TokenizerStep::of(None, chunk, start);
            }
            let Some(end) = self.block_end(chunk) else {
                return TokenizerStep::of(None, chunk, start);
            };
            (self.at, self.line) = (end, end);
            let bytes = chunk.slice(start..end);
            let is_joined = matches!(self.format, LightFormat::Rst(_));
            let tokens = &mut self.waiting;
            let mut block = LightBlock { bytes, start, longest: self.longest, is_joined, tokens };
            match &mut self.format {
                LightFormat::Rst(rst) => rst.read(&mut block),
                LightFormat::Asciidoc(asciidoc) => asciidoc.read(&mut block),
            }
        }
    }
}

/// Block of a document, and the tokens that are made of it. Ranges are those of its bytes.
struct LightBlock<'b> {
    bytes: &'b [u8],
    start: usize,
    longest: usize,
    /// Whether a target may be on several lines, which are joined without their white space, and have backslashes before characters.
    is_joined: bool,
    tokens: &'b mut VecDeque<Token>,
}

impl<'b> LightBlock<'b> {
    /// Returns the lines, with their ends.
    fn lines(&self) -> impl Iterator<Item = Range<usize>> + use<'b> {
        let bytes = self.bytes;
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
            let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            at += len;
            Some(at - len..at)
        })
    }

    fn source(&self, range: Range<usize>) -> Range<usize> {
        self.start + range.start..self.start + range.end
    }

    /// Adds a text, unless it is empty.
    fn text(&mut self, range: Range<usize>, content: Content) {
        if range.is_empty() {
            return;
        }
        let range = self.source(range);
        let rules = Rules::None;
        let text = TextToken { range, rules, content, joined: false, open: false, in_link: false };
        self.tokens.push_back(Token::Text(text));
    }

    /// Adds a link with its visible text, if it has one.
    fn link(
        &mut self,
        shown: Option<Range<usize>>,
        target: Range<usize>,
        context: &'static KnownContext,
    ) {
        if let Some(shown) = shown.filter(|shown| !shown.is_empty()) {
            let range = self.source(shown);
            let is_image = context.kind() == ContextKind::Loaded;
            let text = LabelText::Whole(range);
            self.tokens.push_back(Token::Label(LinkLabel { text, is_image }));
        }
        let grammar = match self.is_joined {
            _ if is_address(&self.bytes[target.clone()]) => Grammar::Address,
            true => Grammar::Joined,
            false => Grammar::NonEmptyUrl,
        };
        let end = self.start + target.end;
        let is_long = target.len() > self.longest;
        let kept = target.start..target.end.min(target.start + self.longest);
        let range = self.source(kept);
        let value = UrlValue { range, context: context.into(), grammar, rules: Rules::None };
        match is_long {
            true => self.tokens.extend([Token::Long(value), Token::LongEnd(end)]),
            false => self.tokens.push_back(Token::Value(value)),
        }
    }
}

/// Returns `true` for an e-mail address without `mailto:`.
fn is_address(target: &[u8]) -> bool {
    memchr::memchr(b'@', target).is_some() && memchr::memchr2(b':', b'/', target).is_none()
}

/// Returns the range without white space at its ends.
fn trimmed(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let inside = &bytes[range.clone()];
    let start = range.start + inside.len() - inside.trim_ascii_start().len();
    start..start + inside.trim_ascii().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a document that arrives in pieces of `size` bytes, as lines.
    fn tokens(mut reader: Light, document: &str, size: usize) -> Vec<String> {
        let (mut found, mut base, mut end) = (Vec::new(), 0, size.min(document.len()));
        loop {
            let bytes = document.as_bytes();
            match reader.next(Chunk::new(&bytes[base..end], base, end == bytes.len())) {
                TokenizerStep::Token(Token::Text(text)) => {
                    let what = if text.content == Content::Code { "code" } else { "text" };
                    found.push(format!("{what} {}", &document[text.range].trim()));
                }
                TokenizerStep::Token(Token::Value(value)) => {
                    found.push(format!("{} {}", value.context.name(), &document[value.range]));
                }
                TokenizerStep::Token(Token::Label(LinkLabel {
                    text: LabelText::Whole(range),
                    ..
                })) => {
                    found.push(format!("label {}", &document[range]));
                }
                TokenizerStep::Token(token) => panic!("{token:?}"),
                TokenizerStep::Incomplete { needed } => {
                    (base, end) = (needed, (end + size).min(document.len()));
                }
                TokenizerStep::Done => {
                    found.retain(|line| !matches!(&**line, "text " | "code "));
                    return found;
                }
            }
        }
    }

    /// Compares the tokens in each size of pieces.
    #[track_caller]
    fn compare(reader: &Light, document: &str, wanted: &[&str]) {
        for size in [1, 2, 7, document.len()] {
            assert_eq!(tokens(reader.clone(), document, size), wanted, "{size}");
        }
    }

    #[test]
    fn links_and_literals_of_rst() {
        let rst = Light::rst(100);
        compare(
            &rst,
            "See `the docs <http://a.example/>`_ and ``curl b``,\n`x\n<y.html>`__ `z`_ `q <r_>`_.\n",
            &[
                "text See",
                "label the docs",
                "rst:link http://a.example/",
                "text and",
                "code curl b",
                "text ,",
                "label x",
                "rst:link y.html",
                "text `z`_ `q <r_>`_.",
            ],
        );
        compare(
            &rst,
            ".. _a b: http://a.example/\n.. _`c: d`: http://c.example/\n__ http://e.example/\n.. _f: g_\n.. _h:\n\n\
             .. |i| image:: j.png\n   :target: http://k.example/\n",
            &[
                "label a b",
                "rst:target http://a.example/",
                "label c: d",
                "rst:target http://c.example/",
                "rst:target http://e.example/",
                "text .. _f: g_\n.. _h:",
                "label i",
                "rst:image j.png",
                "label i",
                "rst:link http://k.example/",
            ],
        );
        compare(
            &rst,
            ".. _a:\n   http://b.example/\n.. _c:\n.. _`d`:\n\thttp://e.example/\n.. _f:\n   g_\n.. _h:\n   i j\n\
             .. image:: k\n   :width: 1\n   :alt: l m\n   :target: n\n.. |o| image:: p\n   :target: q\n\n   :target: r\n",
            &[
                "text .. _a:",
                "label a",
                "rst:target http://b.example/",
                "text .. _c:\n.. _`d`:",
                "label d",
                "rst:target http://e.example/",
                "text .. _f:\n   g_\n.. _h:\n   i j",
                "label l m",
                "rst:image k",
                "text :width: 1\n   :alt: l m",
                "label l m",
                "rst:link n",
                "label o",
                "rst:image p",
                "label o",
                "rst:link q",
                "rst:link r",
            ],
        );
        compare(
            &rst,
            ".. _a: http://b.example/\n   c/\n  d\ne\n.. _f:\n   g\n\th_\n.. _i:\n   j\n   k\n __ l\n  m\n.. _n: o\n   p_\n\
             .. image:: q\n   r\n   :alt: s\n   :target: t\n    u\n   :width: 1\n\n.. _v: w\n\n   x\n",
            &[
                "label a",
                "rst:target http://b.example/\n   c/\n  d",
                "text e\n.. _f:\n   g\n\th_\n.. _i:",
                "label i",
                "rst:target j\n   k",
                "rst:target l\n  m",
                "text .. _n: o\n   p_",
                "label s",
                "rst:image q\n   r",
                "text :alt: s",
                "label s",
                "rst:link t\n    u",
                "text :width: 1",
                "label v",
                "rst:target w",
                "text x",
            ],
        );
        compare(
            &rst,
            "Run::\n\n  a\n\n   b\nc\n\n.. note::\n\n   d\n\n.. code-block:: sh\n   :x:\n\n   e\n\nf ``g `h <i>",
            &[
                "text Run::",
                "code a",
                "code b",
                "text c",
                "text .. note::",
                "text d",
                "text .. code-block:: sh",
                "code :x:",
                "code e",
                "text f ``g `h <i>",
            ],
        );
    }

    #[test]
    fn links_and_literals_of_asciidoc() {
        let asciidoc = Light::asciidoc(100);
        compare(
            &asciidoc,
            "See https://a.example/[the docs^], (http://b.example/x[]) link:c.html[\"d, e\",window=_blank]\n\
             mailto:f@g.example[me,role=x] image::h.png[i] \\http://j.example/[k] `l` c++ +m+ [n] o[p]\n",
            &[
                "text See",
                "label the docs",
                "asciidoc:link https://a.example/",
                "text , (",
                "asciidoc:link http://b.example/x",
                "text )",
                "label d, e",
                "asciidoc:link c.html",
                "label me",
                "asciidoc:link mailto:f@g.example",
                "label i",
                "asciidoc:image h.png",
                "text \\http://j.example/[k]",
                "code l",
                "text c++",
                "code m",
                "text [n] o[p]",
            ],
        );
        compare(
            &asciidoc,
            "xref:a.adoc#b[c] xref:d[e] xref:f#[] <<g.adoc#h,i j>> <<k>> <<#l,m>> <<n.adoc>> \\<<o#p>> a<<b <<<q#r>>>\n",
            &[
                "label c",
                "asciidoc:xref a.adoc#b",
                "text xref:d[e]",
                "asciidoc:xref f#",
                "label i j",
                "asciidoc:xref g.adoc#h",
                "text <<k>> <<#l,m>>",
                "asciidoc:xref n.adoc",
                "text \\<<o#p>> a<<b <",
                "asciidoc:xref q#r",
                "text >",
            ],
        );
        compare(
            &asciidoc,
            "link:++http://a.example/?[b c]++[d] image::+++e[f].png+++[g] link:pass:q,a[http://h.example/i][j] xlink:++k++[l]\n\
             \\link:++m++[n] link:++o++ p ++q++ link:pass:[r] s link:pass:[t[u]\n",
            &[
                "label d",
                "asciidoc:link http://a.example/?[b c]",
                "label g",
                "asciidoc:image e[f].png",
                "label j",
                "asciidoc:link http://h.example/i",
                "text xlink:++k++[l]\n\\link:++m++[n] link:++o++ p ++q++",
                "label r",
                "asciidoc:link pass:",
                "text s",
                "label t[u",
                "asciidoc:link pass:",
            ],
        );
        compare(
            &asciidoc,
            "image:a.png[b,link=http://c.example/] image::d.png[e, 300, role=\"f,g\", link=\"http://h.example/i,j\"]\n\
             image:k.png[link='l',m] image:n.png[it's,link=self] image:o.png[p,xlink=q] image:r.png[\"s,link=t\"] image:u.png[v,link=,w]",
            &[
                "label b",
                "asciidoc:image a.png",
                "label b",
                "asciidoc:link http://c.example/",
                "label e",
                "asciidoc:image d.png",
                "label e",
                "asciidoc:link http://h.example/i,j",
                "asciidoc:image k.png",
                "asciidoc:link l",
                "label it's",
                "asciidoc:image n.png",
                "label p",
                "asciidoc:image o.png",
                "label s,link=t",
                "asciidoc:image r.png",
                "label v",
                "asciidoc:image u.png",
            ],
        );
        compare(
            &asciidoc,
            "link:{a}/b[c] https://{d}/e[f] mailto:{g}@h.example[i] xref:{j}/k.adoc[l] <<{m}.adoc#n,o>> image:{p}/q.png[r,link=http://s.example/{t}]\n\
             https://u.example/{v}/w[x] link:{}[y] link:{z z}[z] link:http://a.example{b}/[c] image:d.png[e,link={f}]",
            &[
                "text c",
                "text f",
                "text i",
                "text l",
                "text o",
                "text r",
                "label r",
                "asciidoc:link http://s.example/{t}",
                "label x",
                "asciidoc:link https://u.example/{v}/w",
                "label y",
                "asciidoc:link {}",
                "text link:{z z}[z]",
                "text c",
                "label e",
                "asciidoc:image d.png",
            ],
        );
        compare(
            &asciidoc,
            "Title\n-----\n\n[source]\n----\na\n\n....\nb\n----\nc\n\n```sh\nd\n```\ne https://f[g `+h+` `+`",
            &[
                "text Title\n-----",
                "text [source]",
                "code a",
                "code ....\nb",
                "text c",
                "code d",
                "text e https://f[g",
                "code h",
                "code +",
            ],
        );
    }

    #[test]
    fn lines_before_a_listing_of_asciidoc() {
        let asciidoc = Light::asciidoc(100);
        for before in [
            ".Run",
            "|===",
            "====",
            "// x",
            "* b",
            ". two",
            "<1> x",
            "'''",
            ":a: b",
            "[a]",
            "1. x",
            "a:: b",
            "a b\nc d",
            ".Run\n:a: b",
            "abcdef",
            "ab",
        ] {
            let document = format!("{before}\n----\nx\n----\ny");
            compare(&asciidoc, &document, &[&format!("text {before}"), "code x", "text y"]);
        }
        for title in ["abc", "abcde", "// x\nabcd", ".x\n[y]\nGr\u{FC}\u{DF}e"] {
            let document = format!("{title}\n----\nx\n");
            compare(&asciidoc, &document, &[&format!("text {title}\n----\nx")]);
        }
    }
}

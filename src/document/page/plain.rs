//! Plain values, as nearly all of a page are: one ASCII reference without anything to be resolved or stripped.
//!
//! A fast path with the results of `value`: the bytes are read once, nothing is copied, and the link is created where
//! it is returned.

use std::ops::Range;

use super::{Page, Source};
use crate::context::{ContextKind, StoredContext};
use crate::document::finder::{PlainValueLink, PlainValuePlace};
use crate::input::chunk::Chunk;
use crate::iri::SimpleUriRef;
use crate::link::Teller;
use crate::markup::{Grammar, UrlValue};
use crate::simd::narrow::ascii;
use crate::simd::signs::{AsciiSet, BLOCK, Isa, MaskKernel, Masks, PAIR};

impl<'f> Page<'f> {
    /// Returns the link of a value and its place, if it is plain and nothing before it waits.
    #[inline]
    pub(super) fn plain_value<'s>(
        &mut self,
        source: &Source<'s>,
        value: &UrlValue,
    ) -> Option<(PlainValueLink<'s>, PlainValuePlace)> {
        let StoredContext::Known(context) = value.context else { return None };
        let is_one = matches!(
            value.grammar,
            Grammar::Url
                | Grammar::NonEmptyUrl
                | Grammar::Content
                | Grammar::Markdown
                | Grammar::Css
        );
        if !is_one
            || source.is_inside()
            || self.running.is_open
            || self.unended.sheet.is_some()
            || self.order.first().is_some()
            || self.tokens.is_value_waiting()
        {
            return None;
        }
        let plain = reference(source.chunk, value.range.clone(), self.masks)?;
        let link = self.finder.judge_plain(&plain, self.bases.current())?;
        if value.grammar == Grammar::Url && context.kind() == ContextKind::Anchor {
            // Also of a scheme that is not selected: its text is not another link.
            self.running.target.set(link.text());
        }
        let range = source.stored(value.range.clone());
        let teller = if link.is_selected() { Teller::Link } else { Teller::Rejected };
        // A link beyond the limit is judged again by `value`, and rejected.
        if !self.repeated.takes_beside(teller, link.raw(), [link.text(); 2], range.end) {
            return None;
        }
        let notation = self.nesting.notation.around(value.grammar.notation(value.rules));
        Some((link, PlainValuePlace { range, context, charset: self.charset, notation }))
    }
}

/// Returns the plain reference that these bytes are.
#[inline]
fn reference<'s>(chunk: Chunk<'s>, value: Range<usize>, masks: Isa) -> Option<SimpleUriRef<'s>> {
    let text = ascii(chunk.get(value.clone())?)?;
    let look = Relative { rest: chunk.get(value.start..)?, len: value.len() };
    match masks.run(look) {
        Some([path_end, query_end, dots_end]) => {
            Some(SimpleUriRef::relative(text, path_end, query_end, dots_end))
        }
        None => SimpleUriRef::of(text),
    }
}

/// Ends of the path, the query and the beginnings of segments with a dot of a short relative reference, if it is plain.
struct Relative<'b> {
    /// Bytes from the reference on.
    rest: &'b [u8],
    len: usize,
}

impl MaskKernel for Relative<'_> {
    /// `None` also if it may still be plain.
    type Output = Option<[u32; 3]>;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> Self::Output {
        const IN_PATH: AsciiSet =
            AsciiSet::of(SimpleUriRef::PATH_OCTETS.0, SimpleUriRef::PATH_OCTETS.1);
        let window = self.rest.first_chunk::<PAIR>()?;
        let (low, high) = (window.first_chunk()?, window.last_chunk()?);
        let len = Some(self.len).filter(|len| (1..=PAIR).contains(len))?;
        let all = u64::MAX >> (PAIR - len);
        let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << BLOCK;
        let signs = |byte| both(masks.same(low, byte), masks.same(high, byte)) & all;
        let of_paths = both(masks.of_class(low, &IN_PATH)?, masks.of_class(high, &IN_PATH)?);
        let (queries, fragments) = (signs(b'?'), signs(b'#'));
        let is_plain = all & !(of_paths | queries | fragments) == 0;
        // No part may have a second one.
        if !is_plain | (fragments & fragments.wrapping_sub(1) != 0) {
            return None;
        }
        let ends = queries | fragments;
        let slashes = signs(b'/');
        let segment = slashes | ends;
        // Values with a scheme, or a possible one, and values with an authority.
        let first_segment = !segment & segment.wrapping_sub(1);
        let is_other = (signs(b':') | signs(b'@')) & first_segment != 0;
        if is_other | (slashes & 3 == 3) {
            return None;
        }
        let end_by = |mask: u64| mask.trailing_zeros().min(len as u32);
        let in_path = (ends & ends.wrapping_neg()).wrapping_sub(1);
        let dots = signs(b'.') & (slashes << 1 | 1) & in_path;
        Some([end_by(ends), end_by(fragments), u64::BITS - dots.leading_zeros()])
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::super::{PageSettings, Tokens};
    use super::*;
    use crate::charset::Charset;
    use crate::context::KnownContext;
    use crate::dice::Dice;
    use crate::document::finder::{Base, Finder, Forbidden};
    use crate::iri::HostMapping;
    use crate::markup::{Rules, Token, Tokenizer, TokenizerStep, ValueLimits};

    static ANCHOR: KnownContext = KnownContext::new("a@href", ContextKind::Anchor);
    static IMAGE: KnownContext = KnownContext::other("img@src");
    const GRAMMARS: [Grammar; 5] =
        [Grammar::Url, Grammar::NonEmptyUrl, Grammar::Content, Grammar::Markdown, Grammar::Css];
    const BASES: [Option<&str>; 9] = [
        None,
        Some("http://b.example/d/e?f"),
        Some("https://b.example"),
        Some("http://b.example/d//e/f/g"),
        Some("http://例え.jp/d/"),
        Some("http://u@b.example:80/d"),
        Some("urn:x:y"),
        Some("file:///d/e"),
        Some("mailto:a@b.example"),
    ];

    /// Compares both paths, for each charset, base and set of options.
    struct Both {
        finders: Vec<Finder>,
        bases: Vec<Option<Base>>,
        charsets: Vec<Charset>,
        plain: usize,
        unselected: usize,
    }

    impl Both {
        fn new() -> Both {
            let refusing =
                Finder::builder().forbidden_characters(Forbidden::Refuse).emails(false).build();
            let listed = Finder::builder().schemes("https".parse().unwrap()).build();
            let percent = Finder::builder().host(HostMapping::Percent).build();
            Both {
                finders: vec![Finder::new(), refusing, listed, percent],
                bases: BASES.iter().map(|base| base.and_then(Base::new)).collect(),
                charsets: ["utf-8", "shift_jis"].map(|label| label.parse().unwrap()).into(),
                plain: 0,
                unselected: 0,
            }
        }

        /// The general path must have the result of the fast path, if that has one: the whole link, and what the text
        /// of its element is compared with.
        fn assert_same(&mut self, bytes: &[u8], value: &UrlValue) {
            let source = Source::stored_bytes(Chunk::whole(bytes));
            for finder in &self.finders {
                for (base, charset) in
                    self.bases.iter().flat_map(|base| self.charsets.iter().map(move |c| (base, *c)))
                {
                    let settings =
                        PageSettings { text: true, details: false, is_base_declared: false };
                    let tokens = Tokens::html(ValueLimits::default(), None);
                    let mut short =
                        Page::new(&finder.into(), charset, tokens, base.clone(), settings);
                    let mut long = short.clone();
                    let Some((link, place)) = short.plain_value(&source, value) else { continue };
                    let judged = link.judged(place);
                    let mut found = Vec::new();
                    let flow = long.value(&source, value.clone(), &mut |judged| {
                        found.push(format!("{judged:?}"));
                        ControlFlow::Continue(())
                    });
                    assert_eq!(
                        (flow, found),
                        (ControlFlow::Continue(()), vec![format!("{judged:?}")])
                    );
                    self.unselected += usize::from(judged.is_err());
                    assert_eq!(short.running.target, long.running.target);
                    self.plain += 1;
                }
            }
        }
    }

    #[test]
    fn made_up_values_both_ways() {
        const PIECES: [&str; 30] = [
            "a",
            "b.html",
            "/",
            "//",
            "?",
            "#",
            ":",
            "http://",
            "https://",
            "http:",
            ".",
            "../",
            "./",
            "-",
            "--",
            "xn--",
            "@",
            "%41",
            "%",
            "é",
            "[",
            "=",
            "&",
            "mailto:",
            "HTTP://",
            "_",
            " ",
            "\\",
            "b.example",
            "\n",
        ];
        let mut dice = Dice::new(3);
        let mut both = Both::new();
        for number in 0..3_000 {
            let text: String = (0..=dice.below(6)).map(|_| dice.pick(&PIECES)).collect();
            let range = 1..1 + text.len();
            // Masks need bytes behind the value.
            let text = format!("<{text}>{}", "-".repeat(PAIR));
            let value = UrlValue {
                range,
                context: StoredContext::Known(if dice.once_in(2) { &ANCHOR } else { &IMAGE }),
                grammar: GRAMMARS[number % GRAMMARS.len()],
                rules: Rules::HtmlAttribute,
            };
            both.assert_same(text.as_bytes(), &value);
        }
        assert!(
            both.plain > 10_000 && both.unselected > 1_000,
            "{} {}",
            both.plain,
            both.unselected
        );
    }

    /// Whether read by masks or not, a relative reference equals the result of the module `iri`.
    #[test]
    fn references_both_ways() {
        const BYTES: &[u8] = b"a-.~9//??##::@@%&[ \xE9";
        let mut dice = Dice::new(31);
        let mut relative = 0;
        for _ in 0..60_000 {
            let few = if dice.once_in(3) { BYTES.len() } else { 13 };
            let mut bytes = vec![b'"'; 100];
            let (start, len) = (dice.below(20), dice.below(70));
            for byte in &mut bytes[start..start + len] {
                *byte = if dice.once_in(9) { dice.pick(&BYTES[..few]) } else { b'b' };
            }
            let range = start..start + len;
            let mut wanted = ascii(&bytes[range.clone()]).and_then(SimpleUriRef::of);
            let found = reference(Chunk::whole(&bytes), range.clone(), Isa::detect());
            if let (Some(wanted), Some(found)) = (&mut wanted, &found)
                && found.dots_end != u32::MAX
            {
                let path = &wanted.text[..wanted.parts.path_end as usize];
                let starts = path.rmatch_indices('/').map(|(slash, _)| slash + 1).chain([0]);
                let dots = starts.map(|at| at + 1).find(|end| path[end - 1..].starts_with('.'));
                wanted.dots_end = dots.unwrap_or_default() as u32;
            }
            assert_eq!(found, wanted, "{:?}", bytes[range.clone()].escape_ascii());
            let by_masks = Isa::detect().run(Relative { rest: &bytes[start..], len });
            relative += usize::from(by_masks.is_some());
        }
        let has_classes = Isa::detect().run(Relative { rest: &[b'a'; PAIR], len: 9 });
        assert!(relative > 10_000 || has_classes.is_none(), "{relative}");
    }

    #[test]
    fn values_of_fixtures_both_ways() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/markup/links");
        let mut both = Both::new();
        for entry in fs::read_dir(folder).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            let limits = ValueLimits::default();
            for mut tokens in
                [Tokens::html(limits, None), Tokens::xml(limits, None, None), Tokens::css(limits)]
            {
                while let TokenizerStep::Token(run) = tokens.next(Chunk::whole(&bytes)) {
                    if let Token::Value(value) = run {
                        both.assert_same(&bytes, &value);
                    }
                }
            }
        }
        assert!(both.plain > 5_000, "{}", both.plain);
    }
}

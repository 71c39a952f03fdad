//! Plain values: what nearly every value of a page is, one reference in ASCII without anything to be resolved
//! or stripped.
//!
//! It says what `value` would say of the same value, by a shorter way: the bytes are looked at once, nothing is
//! copied, and the link is made where it is returned.

use std::borrow::Cow;

use super::{Page, Source, base_in};
use crate::finder::PlainValue;
use crate::link::Link;
use crate::markup::{Grammar, Value};
use crate::scan::simd::ascii::ascii;

impl<'f> Page<'f> {
    /// The link of a value, if it is plain and nothing that stands before it waits.
    #[inline]
    pub(super) fn plain_value<'s>(&mut self, source: &Source<'s>, value: &Value) -> Option<Link<'s>>
    where
        'f: 's,
    {
        let Cow::Borrowed(context) = value.context else { return None };
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
            || self.is_text_open
            || self.sheet.is_some()
            || self.order.first().is_some()
        {
            return None;
        }
        let text = ascii(source.bytes.get(value.range.clone())?)?;
        let range = || source.stored(value.range.clone());
        let plain = PlainValue { text, range, context };
        let leads = value.grammar == Grammar::Url && self.leads(context);
        let base = base_in(&self.inner, self.own.as_ref(), &self.settings);
        let (scratch, href) = (&mut self.resolved, &mut self.href);
        self.finder.judge_plain_value(plain, base, self.charset, scratch, |text| {
            if leads {
                href.clear();
                href.push_str(text);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::path::Path;

    use super::super::{Settings, Tokens};
    use super::*;
    use crate::charset::Charset;
    use crate::dice::Dice;
    use crate::finder::{Finder, Forbidden, HostForm};
    use crate::markup::{Base, Limits, Rules, Run, Step, Tokenizer};

    const GRAMMARS: [Grammar; 5] =
        [Grammar::Url, Grammar::NonEmptyUrl, Grammar::Content, Grammar::Markdown, Grammar::Css];
    const BASES: [Option<&str>; 8] = [
        None,
        Some("http://b.example/d/e?f"),
        Some("https://b.example"),
        Some("http://例え.jp/d/"),
        Some("http://u@b.example:80/d"),
        Some("urn:x:y"),
        Some("file:///d/e"),
        Some("mailto:a@b.example"),
    ];

    /// Both ways, by each charset, base and set of options.
    struct Both {
        finders: Vec<Finder>,
        bases: Vec<Option<Base>>,
        charsets: Vec<Charset>,
        plain: usize,
    }

    impl Both {
        fn new() -> Both {
            let refusing = Finder::builder().forbidden(Forbidden::Refuse).emails(false).build();
            let percent = Finder::builder().host(HostForm::Percent).build();
            Both {
                finders: vec![Finder::new(), refusing, percent],
                bases: BASES.iter().map(|base| base.and_then(Base::new)).collect(),
                charsets: ["utf-8", "shift_jis"].map(|label| label.parse().unwrap()).into(),
                plain: 0,
            }
        }

        /// The general way must say what the short one says, if that says something: all of the link, and
        /// what the text of its element is compared with.
        fn assert_same(&mut self, bytes: &[u8], value: &Value) {
            let source = Source::stored_bytes(bytes, 0, true);
            for finder in &self.finders {
                for (base, charset) in
                    self.bases.iter().flat_map(|base| self.charsets.iter().map(move |c| (base, *c)))
                {
                    let settings = Settings { base: base.clone(), text: true };
                    let tokens = Tokens::html(Limits::default());
                    let mut short = Page::new(finder, charset, tokens, settings);
                    let mut long = short.clone();
                    let Some(link) = short.plain_value(&source, value) else { continue };
                    let mut found = Vec::new();
                    let flow = long.value(&source, value.clone(), &mut |judged| {
                        found.push(format!("{judged:?}"));
                        ControlFlow::Continue(())
                    });
                    let link: Result<Link<'_>, ()> = Ok(link);
                    assert_eq!(
                        (flow, found),
                        (ControlFlow::Continue(()), vec![format!("{link:?}")])
                    );
                    assert_eq!(short.href, long.href);
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
            let text = format!("<{text}>");
            let value = Value {
                range: 1..text.len() - 1,
                context: Cow::Borrowed(if dice.once_in(2) { "a@href" } else { "img@src" }),
                grammar: GRAMMARS[number % GRAMMARS.len()],
                rules: Rules::HtmlAttribute,
            };
            both.assert_same(text.as_bytes(), &value);
        }
        assert!(both.plain > 10_000, "{}", both.plain);
    }

    #[test]
    fn values_of_fixtures_both_ways() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/markup/links");
        let mut both = Both::new();
        for entry in fs::read_dir(folder).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            let limits = Limits::default();
            for mut tokens in [Tokens::html(limits), Tokens::xml(limits, None), Tokens::css(limits)]
            {
                while let Step::Run(run) = tokens.next(&bytes, true) {
                    if let Run::Value(value) = run {
                        both.assert_same(&bytes, &value);
                    }
                }
            }
        }
        assert!(both.plain > 5_000, "{}", both.plain);
    }
}

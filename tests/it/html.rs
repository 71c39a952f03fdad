//! Text to HTML: nothing but the text is in it, whatever the text is, and no link leads where none may.
//!
//! html5ever reads the result as a browser does; `proptest` and a list of hostile pieces make the texts.

mod pages;

use std::sync::LazyLock;

use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use linksift::html::{Linkify, Newlines, OnSuspect, linkify, linkify_html};
use linksift::{Finder, Schemes};
use std::cell::RefCell;

use crate::support::dice::Dice;

/// What a tokenizer of HTML sees: text, and tags as they are.
#[derive(Default)]
struct Seen {
    text: RefCell<String>,
    tags: RefCell<Vec<Tag>>,
    others: RefCell<usize>,
}

impl TokenSink for Seen {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) => self.text.borrow_mut().push_str(&text),
            Token::NullCharacterToken => self.text.borrow_mut().push('\0'),
            Token::TagToken(tag) => self.tags.borrow_mut().push(tag),
            Token::CommentToken(_) | Token::DoctypeToken(_) => *self.others.borrow_mut() += 1,
            Token::ParseError(_) | Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}

fn seen(html: &str) -> Seen {
    let tokenizer = Tokenizer::new(Seen::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(html.into());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink
}

const ALLOWED: [&str; 7] = ["http", "https", "mailto", "ftp", "xmpp", "matrix", "tel"];

fn check(text: &str, options: &Linkify) {
    let html = linkify(text, options);
    let seen = seen(&html);
    // A browser reads CR and CR LF as LF.
    let normal = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    assert_eq!(normal(&seen.text.borrow()), normal(text), "{html}");
    assert_eq!(*seen.others.borrow(), 0, "{html}");
    let mut depth = 0_i32;
    for tag in seen.tags.borrow().iter() {
        let name = &*tag.name;
        assert!(["a", "b", "bdi", "br", "blockquote"].contains(&name), "{name} in {html}");
        if name == "a" {
            depth += if tag.kind == TagKind::StartTag { 1 } else { -1 };
            assert!((0..=1).contains(&depth), "{html}");
        }
        for attribute in &tag.attrs {
            let (name, value) = (&*attribute.name.local, &*attribute.value);
            assert!(
                ["href", "rel", "class", "target", "title", "dir"].contains(&name),
                "{name} in {html}"
            );
            if name == "href" {
                let scheme = value.split(':').next().unwrap().to_ascii_lowercase();
                assert!(ALLOWED.contains(&&*scheme), "{value} in {html}");
                assert!(
                    value.is_ascii() && !value.contains(['"', '<', '>', ' ', '\''])
                        || value.contains('\'')
                );
            }
        }
    }
    assert_eq!(depth, 0);
}

static ALL: LazyLock<[Linkify; 6]> = LazyLock::new(|| {
    let any = Finder::builder().schemes(Schemes::Any).build();
    [
        Linkify::new(),
        Linkify::new().finder(any).schemes(ALLOWED.into_iter().chain(["javascript", "data"])),
        Linkify::new()
            .class("a\"b")
            .target("<x>")
            .rel("'")
            .newlines(Newlines::Break)
            .citations(true),
        Linkify::new().join_wrapped(true),
        Linkify::new()
            .on_suspect(OnSuspect::Mark)
            .emphasize_host(true)
            .class("<'\">")
            .newlines(Newlines::Break),
        Linkify::new().on_suspect(OnSuspect::Text).emphasize_host(true).isolate(false),
    ]
});

const PIECES: [&str; 46] = [
    "http://pаypal.com/<",
    "http://www.bank.com.evil.test/'",
    "שלום ",
    "http://אתר.com/\"א",
    "ftp://bank.com@evil.test./",
    "tel:*%2306%23",
    "http://e.com/",
    "https://e.com/?a&b=\"c\"",
    "javascript:alert(1)",
    "data:text/html,<b>",
    "me@e.com",
    "vbscript:x",
    "file:///etc/passwd",
    "<",
    ">",
    "&",
    "\"",
    "'",
    "&lt;",
    "&#60;",
    "</a>",
    "<a href=x>",
    "<!--",
    "-->",
    "<script>",
    "\n",
    "\r\n",
    "> ",
    ">> ",
    "e.com/'onclick='x",
    "http://e.com/`",
    "http://例え.jp/パス",
    "http://e.com/\u{202E}x",
    " ",
    "\0",
    "http://e.com/%00",
    "mailto:a@e.com?body=<x>",
    "tel:+1",
    "é",
    "日本",
    "xmpp:a@e.com",
    "http://[::1]/",
    "http://e.com/<script>",
    "<http://e.com/a\nb>",
    "JaVaScRiPt://%0aalert(1)",
    "e.com",
];

#[test]
fn nothing_but_the_text_is_in_the_html() {
    let mut dice = Dice::new(11);
    for _ in 0..4_000 {
        let text: String = (0..dice.below(12)).map(|_| PIECES[dice.below(PIECES.len())]).collect();
        ALL.iter().for_each(|options| check(&text, options));
    }
}

#[test]
fn nothing_but_links_is_added_to_html() {
    let mut dice = Dice::new(13);
    for _ in 0..4_000 {
        let source: String =
            (0..dice.below(12)).map(|_| PIECES[dice.below(PIECES.len())]).collect();
        let html = linkify_html(&source, &Linkify::new().rel("").class("added"));
        // Without what was added it is what it was.
        let mut rest = html.as_str();
        let mut bare = String::new();
        while let Some((before, after)) = rest.split_once("<a href=\"") {
            bare.push_str(before);
            let (href, after) = after.split_once("\" class=\"added\">").unwrap();
            assert!(!href.contains(['"', '<', '>']), "{html}");
            let (text, after) = after.split_once("</a>").unwrap();
            let isolated =
                text.strip_prefix("<bdi dir=\"ltr\">").and_then(|text| text.strip_suffix("</bdi>"));
            bare.push_str(isolated.unwrap_or(text));
            rest = after;
        }
        bare.push_str(rest);
        assert_eq!(bare, source, "{html}");
    }
    for (source, wanted) in [
        ("<a href=x>e.com</a>", 0),
        ("<p>e.com", 1),
        ("<script>'http://e.com/'</script>e.com", 1),
        ("<style>@import 'http://e.com/'</style>", 0),
        ("<p title='http://e.com/'>x", 0),
        ("<p title=\">http://e.com/\">x", 0),
        ("<!-- http://e.com/ -->e.com", 1),
        ("<textarea>e.com</textarea>", 0),
        ("<title>e.com</title>", 0),
        ("<svg><text>e.com</text></svg>e.com", 1),
        ("<p =\">\">http://e.com/", 1),
    ] {
        let html = linkify_html(source, &Linkify::new());
        assert_eq!(html.matches("<a href=\"http").count(), wanted, "{html}");
    }
}

#[test]
fn html_that_never_closes_takes_linear_time() {
    for piece in
        ["<", "<a", "<!--", "<!--x--!", "</", "<a b=\"", "<script>", "<p x='", "--", "<svg>", "&"]
    {
        let source = piece.repeat(1 << 20 >> 3);
        assert!(linkify_html(&source, &Linkify::new()).len() >= source.len());
    }
}

#[test]
fn a_composer_gets_the_lines_that_an_edit_may_affect() {
    let text = "see http://a.example/\r\nhttp://b.example/x and e.com\n\nlast me@e.com";
    let finder = Finder::new();
    let whole: Vec<_> = finder.links(text).map(|link| link.range()).collect();
    let mut composer = finder.compose(text);
    for at in 0..=text.len() {
        let scanned = composer.edit(at..at, "");
        let is_line_start = scanned.start == 0 || text[..scanned.start].ends_with('\n');
        let is_line_end = scanned.end == text.len() || text[scanned.end..].starts_with('\n');
        assert!(is_line_start && is_line_end, "{at} {scanned:?}");
        assert!(scanned.start <= at && at <= scanned.end, "{at} {scanned:?}");
        assert!(!text[scanned.start..at].contains('\n'), "{at} {scanned:?}");
        let again: Vec<_> = composer.links().iter().map(|link| link.range()).collect();
        assert_eq!(again, whole, "{at}");
    }
}

#[test]
fn what_deceives_is_marked_or_left_alone() {
    let base = Linkify::new().rel("");
    let marked = base.clone().class("link").on_suspect(OnSuspect::Mark).emphasize_host(true);
    let cases = [
        (
            "http://pаypal.com/ ok.com",
            concat!(
                r#"<a href="http://xn--pypal-4ve.com/" class="link deceptive" title="deceptive: The host mixes "#,
                r#"letters of different scripts that look alike. Goes to xn--pypal-4ve.com">http://<b>pаypal.com</b>/</a> "#,
                r#"<a href="https://ok.com" class="link"><b>ok.com</b></a>"#,
            ),
        ),
        (
            "ftp://ok.com:x@b.org/",
            concat!(
                r#"<a href="ftp://ok.com:x@b.org/" class="link deceptive" title="deceptive: A user name stands before the host. The text before the @ looks like "#,
                r#"the host, but the link leads elsewhere. Goes to b.org">ftp://ok.com:x@<b>b.org</b>/</a>"#,
            ),
        ),
        (
            "a@ok.com http://[::1]:80/ http://a.b.co.uk./",
            concat!(
                r#"<a href="mailto:a@ok.com" class="link">a@ok.com</a> "#,
                r#"<a href="http://[::1]:80/" class="link">http://<b>[::1]</b>:80/</a> "#,
                r#"<a href="http://a.b.co.uk./" class="link">http://a.<b>b.co.uk</b>./</a>"#,
            ),
        ),
        (
            "א http://e.com/(א)",
            concat!(
                r#"א <a href="http://e.com/(%D7%90)" class="link"><bdi dir="ltr">http://"#,
                "<b>e.com</b>/(א)</bdi></a>",
            ),
        ),
    ];
    for (text, html) in cases {
        assert_eq!(linkify(text, &marked), html);
        assert_eq!(linkify_html(text, &marked), html);
    }
    let text = base.on_suspect(OnSuspect::Text);
    let html = r#"http://pаypal.com/ <a href="https://ok.com">ok.com</a>"#;
    assert_eq!(linkify("http://pаypal.com/ ok.com", &text), html);
    assert_eq!(linkify_html("http://pаypal.com/ ok.com", &text), html);
}

#[test]
fn a_hook_changes_the_tags_of_links() {
    let options = Linkify::new().class("link").target("_blank").on_suspect(OnSuspect::Mark);
    let options = options.each(|link, anchor| {
        anchor.attribute("TARGET", "").attribute("on click", "x").attribute("href", "x");
        anchor.attribute("data-raw", link.raw()).attribute("class", "mine");
        if link.raw().contains("away") {
            anchor.href("/to?\"<&");
        }
        if link.raw().contains("script") {
            anchor.href(" java\tscript:alert(1)");
        }
    });
    let text = "http://a.com/ \" away.com script.com http://pаypal.com/ file:///x";
    let html = concat!(
        r#"<a href="http://a.com/" rel="noopener noreferrer" class="mine" data-raw="http://a.com/">http://a.com/</a>"#,
        r#" &quot; <a href="/to?&quot;&lt;&amp;" rel="noopener noreferrer" class="mine" data-raw="away.com">away.com</a> "#,
        r#"script.com <a href="http://xn--pypal-4ve.com/" rel="noopener noreferrer" class="mine" title="deceptive: The host mixes "#,
        r#"letters of different scripts that look alike. Goes to xn--pypal-4ve.com" data-raw="http://pаypal.com/">http://pаypal.com/</a> file:///x"#,
    );
    assert_eq!(linkify(text, &options), html);
    assert_eq!(linkify_html("away.com", &options), linkify("away.com", &options));
}

//! Text to HTML: a parser of HTML finds the text again, links with harmless schemes, and nothing else.

#![no_main]

use std::cell::RefCell;

use html5ever::tokenizer::{
    BufferQueue, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use libfuzzer_sys::fuzz_target;
use linksift::html::{Linkify, linkify, linkify_html};

#[derive(Default)]
struct Seen {
    text: RefCell<String>,
    tags: RefCell<Vec<Tag>>,
}

impl TokenSink for Seen {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) => self.text.borrow_mut().push_str(&text),
            Token::NullCharacterToken => self.text.borrow_mut().push('\0'),
            Token::TagToken(tag) => self.tags.borrow_mut().push(tag),
            Token::CommentToken(_) | Token::DoctypeToken(_) => panic!("neither is made"),
            Token::ParseError(_) | Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}

fuzz_target!(|text: &str| {
    let options = Linkify::new();
    let html = linkify(text, &options);
    // Of a document the tokenizer leaves out a byte order mark; this is a piece of one.
    let options_of_pieces = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let tokenizer = Tokenizer::new(Seen::default(), options_of_pieces);
    let queue = BufferQueue::default();
    queue.push_back((&*html).into());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    // A browser reads CR and CR LF as LF.
    let normal = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    assert_eq!(normal(&tokenizer.sink.text.borrow()), normal(text), "{html}");
    for tag in tokenizer.sink.tags.borrow().iter() {
        for attribute in &tag.attrs {
            let value = attribute.value.to_ascii_lowercase();
            let is_active = ["javascript:", "data:", "vbscript:", "file:"]
                .iter()
                .any(|scheme| value.starts_with(scheme));
            assert!(!is_active, "{value} in {html}");
        }
    }
    // Markup that is handed in stays as it is where no link is marked; no panic.
    let _ = linkify_html(text, &options);
});

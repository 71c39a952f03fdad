//! RTF: each paragraph is a text, each code of a field a value.

use super::properties::Properties;
use super::source::Transcoded;
use crate::charset::{Charset, Detected};
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::markup::{
    Grammar, LabelText, LinkLabel, RtfLine, RtfLineKind, RtfText, Rules, Token, UrlValue, rtf_text,
};

static FIELD: KnownContext = KnownContext::new("rtf:fldinst", ContextKind::DocumentLink);
static HTML: KnownContext = KnownContext::other("rtf:html");
static URL: KnownContext = KnownContext::new("rtf:url", ContextKind::DocumentLink);

impl Properties {
    /// Reads stored bytes of RTF.
    pub(crate) fn of_rtf(stored: &[u8], detected: &Detected, max_link: usize) -> Properties {
        let charset = detected.charset();
        let layout = charset.layout().filter(|layout| layout.is_utf16());
        let first = detected.text_start();
        let wide = layout.map(|layout| Transcoded::new(charset, layout, stored, first));
        let read = wide.as_ref().map_or(stored, |wide| &wide.text);
        let RtfText { text, map, lines } = rtf_text(read);
        let map = match &wide {
            Some(wide) => map.through(text.len(), &wide.map, read),
            None => map,
        };
        let mut tokens = Vec::new();
        for RtfLine { range, kind, shown } in lines {
            // Most paragraphs contain no link.
            let may_hold = |byte: &u8| matches!(byte, b'.' | b':' | b'@' | 0x80..);
            let (context, grammar) = match kind {
                RtfLineKind::Text if !text[range.clone()].iter().any(may_hold) => continue,
                RtfLineKind::Text => (StoredContext::TEXT, Grammar::Property),
                RtfLineKind::Field => ((&FIELD).into(), Grammar::Field),
                RtfLineKind::Html => ((&HTML).into(), Grammar::Srcdoc),
                RtfLineKind::Url => ((&URL).into(), Grammar::NonEmptyUrl),
                RtfLineKind::Template => ((&URL).into(), Grammar::AbsoluteOnly),
            };
            if kind == RtfLineKind::Field && !shown.is_empty() {
                let text = LabelText::Whole(shown);
                tokens.push(Token::Label(LinkLabel { text, is_image: false }));
            }
            let end = range.end;
            let is_long = grammar == Grammar::NonEmptyUrl && range.len() > max_link;
            let value = UrlValue { range, context, grammar, rules: Rules::None };
            match is_long {
                true => tokens.extend([Token::Long(value), Token::LongEnd(end)]),
                false => tokens.push(Token::Value(value)),
            }
        }
        // RTF is ASCII; programs that write other bytes use the encoding of their system.
        let charset = if stored.is_ascii() { Charset::UTF_8 } else { charset };
        Properties { document: Transcoded { text, map }, tokens, charset }
    }
}

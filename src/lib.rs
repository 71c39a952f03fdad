//! Finds IRIs, URLs and e-mail addresses in running text, right in every script, with byte-exact
//! offsets, and gives for each the URI that it maps to.
//!
//! ```
//! let text = "見て http://例え.jp/パス。Mail an jörg@example.com, or www.example.org/a_(b).";
//! let uris: Vec<_> = linksift::links(text).map(|link| link.uri().into_owned()).collect();
//! assert_eq!(uris, [
//!     "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9",
//!     "mailto:j%C3%B6rg@example.com",
//!     "https://www.example.org/a_(b)",
//! ]);
//! ```
//!
//! # I have …, I call …
//!
//! | I have | I call | what comes |
//! |---|---|---|
//! | a text | [`links`], or [`Finder::links`] with settings | an iterator of [`Link`] |
//! | a text, all of which I write out | [`Finder::spans`] | links and the texts between them |
//! | a text in bytes that may be malformed UTF-8 | [`links_in`], [`Finder::links_in`] | the same |
//! | a document in memory: a page, JSON, Markdown, a message, in any charset | [`Finder::document`] | [`Candidates`] |
//! | a reader of any length | [`Finder::scan_reader`] | [`Event`]s, in bounded memory |
//! | a message whose parts matter, a mailbox | [`Finder::scan_message`], [`Finder::scan_mailbox`] | [`Event`]s, each part before its links |
//! | a compressed file or an archive | [`container::documents`] | a reader of each document in it |
//! | files and folders | [`files::sift`] | [`Event`]s in order, from many threads |
//! | a text that is shown as HTML | [`html::linkify`] | HTML |
//! | an IRI | [`iri::Iri::parse`] | its parts, its URI, its normal form |
//!
//! What is no link though it looks like one is a [`Rejected`] with its [`Reason`]: [`Finder::candidates`] gives both, and so do
//! documents and events. What is known of a document beside its bytes is in [`Hints`]: its format, its charset, its name, the base
//! of its references. A method that is given a text scans a text, whatever that looks like; a document is looked into, unless a
//! [`Format`] is asked for or declared.
//!
//! # Features
//!
//! `documents` is the default: charsets, markup, Markdown. `mail`, `archives`, `zstd`, `files`, `known-hosts`, `report`, `parquet`,
//! `serde` and `url` add what they are called; without any of them there are links in UTF-8 alone. `docs/features.md` has what each of
//! them weighs.
//!
//! # Threads, async
//!
//! A [`Finder`] is `Send`, `Sync` and cheap to clone: one serves all threads. A scan needs the processor and waits for nothing but the
//! reader that it is given: in async programs, texts of a message's length are scanned in place (they take microseconds), longer ones where
//! the runtime has blocking work done. [`Candidates::next_within`] ends a step after so many bytes, and a [`Cancel`] ends a scan from outside.
//!
//! # Coming from linkify
//!
//! | linkify | linksift |
//! |---|---|
//! | `LinkFinder::new().links(text)` | [`links`]`(text)`; hosts without a scheme and addresses are found unless [`FinderBuilder::schemeless`] and [`FinderBuilder::emails`] say no |
//! | `finder.kinds(&[LinkKind::Url])` | [`Finder::builder`]`().emails(false)` |
//! | `finder.url_must_have_scheme(false)` | the default |
//! | `finder.url_can_be_iri(false)` | no such setting: non-ASCII never ends a link by being non-ASCII |
//! | `finder.spans(text)` | [`Finder::spans`] |
//! | `link.as_str()` | [`Link::raw`]; what is opened is [`Link::uri`] |
//! | `link.start()`, `link.end()` | [`Link::range`] |
//! | `link.kind()` | [`Link::kind`]: a host without a scheme is a kind of its own |

#![cfg_attr(docsrs, feature(doc_cfg))]
// A build with few features has on the ground what only the rooms of the others ask for; what nobody asks for is seen with all of them.
#![cfg_attr(
    not(all(
        feature = "files",
        feature = "mail",
        feature = "known-hosts",
        feature = "zstd",
        feature = "peek"
    )),
    allow(
        dead_code,
        unreachable_patterns,
        unused_imports,
        unused_mut,
        unused_variables,
        reason = "other features ask for it"
    )
)]

mod block;
mod charset;
mod codes;
#[cfg(feature = "archives")]
pub mod container;
#[cfg(test)]
#[path = "../tests/it/roads/dice.rs"]
mod dice;
mod document;
mod event;
#[cfg(feature = "files")]
pub mod files;
mod finder;
mod guard;
pub mod html;
pub mod iri;
#[cfg(feature = "documents")]
mod legacy;
pub mod limits;
mod lines;
mod link;
#[cfg(feature = "mail")]
mod mail;
#[cfg(feature = "documents")]
mod markup;
#[cfg(any(feature = "archives", feature = "mail"))]
mod media_type;
mod memory;
#[cfg(feature = "mail")]
mod message;
mod notice;
pub mod offsets;
#[cfg(feature = "documents")]
mod page;
mod pass;
#[doc(hidden)]
#[cfg(all(feature = "peek", feature = "documents"))]
pub mod peek;
mod prefilter;
mod punycode;
mod reference;
#[cfg(feature = "serde")]
pub mod report;
mod scan;
#[cfg(feature = "serde")]
mod serial;
mod settings;
mod simd;
mod sniff;
mod span;
mod stream;
#[doc(hidden)]
pub mod tables;
pub mod trust;
mod warning;

pub use charset::{Charset, CharsetSource, Detected, UndecodableError, UnknownLabel};
pub use codes::UnknownWord;
#[cfg(feature = "mail")]
pub use document::{Alternatives, Headers, JoinWrapped};
pub use document::{Document, Format, Hints};
pub use event::Event;
#[cfg(feature = "mail")]
pub use event::Part;
pub use finder::{
    Boundaries, DEFAULT_MAX_LINK, Finder, FinderBuilder, Forbidden, HostForm, References, Schemes,
    Userinfo,
};
pub use guard::Cancel;
pub use link::{Link, LinkKind, Position, Reason, Rejected, Transfer};
pub use memory::{Candidates, Cursor, Links, Span, Spans};
pub use notice::{Notice, ScanError, Scanned};
pub use settings::{SettingError, Settings};
pub use stream::Buffer;
pub use warning::{Severity, Warning, Warnings, WarningsIter};

/// The examples of the README and of pages of `docs`, compiled and run.
#[cfg(all(
    doctest,
    feature = "files",
    feature = "mail",
    feature = "report",
    feature = "known-hosts"
))]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;

    #[doc = include_str!("../docs/crawls.md")]
    struct Crawls;

    #[doc = include_str!("../docs/iri.md")]
    struct Iris;

    #[doc = include_str!("../docs/mail.md")]
    struct Mail;
}

/// The version of Unicode by which linksift judges characters: major, minor, update.
///
/// Results hang on this version alone, whatever later versions the crates know that it is built on: a host with a
/// character that this version has not assigned is refused, be it written or in an A-label, and such a character is the
/// same in every normal form.
///
/// ```
/// use linksift::iri::{ErrorKind, host_to_ascii};
///
/// assert_eq!(linksift::UNICODE_VERSION, (18, 0, 0));
/// // U+0378 is not assigned.
/// assert_eq!(host_to_ascii("a\u{378}.example"), Err(ErrorKind::HostInvalidIdna));
/// assert_eq!(host_to_ascii("xn--a-qib.example"), Err(ErrorKind::HostInvalidIdna));
/// ```
pub const UNICODE_VERSION: (u8, u8, u8) = tables::VERSION;

/// The links of UTF-8 that need not be well-formed, with the default settings: [`Finder::links_in`]. A
/// malformed sequence ends a link. Of another charset, or of markup: [`Finder::document`].
///
/// ```
/// let mut links = linksift::links_in(b"\xFF http://example.com/ \xC3(");
/// assert_eq!(links.next().unwrap().range(), 2..21);
/// assert!(links.next().is_none());
/// ```
pub fn links_in(bytes: &[u8]) -> Links<'static, '_> {
    Finder::shared().links_in(bytes)
}

/// The links of `text`, with the default settings; lazy, and without allocation for an ASCII link.
///
/// ```
/// let mut links = linksift::links("see (http://example.com/a_(b)).");
/// assert_eq!(links.next().unwrap().raw(), "http://example.com/a_(b)");
/// assert!(links.next().is_none());
/// ```
pub fn links(text: &str) -> Links<'static, '_> {
    Finder::shared().links(text)
}

//! Finds URLs, internationalized URLs (IRIs) and e-mail addresses in text, markup, mail and archives, in any encoding.
//!
//! Each link has its exact byte range in the input and the URI that it maps to. The library never opens a network connection and
//! never prints.
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
//! [`links`] returns a lazy iterator whose items borrow from the text.
//!
//! # Which function to call
//!
//! | input | function | result |
//! |---|---|---|
//! | a `&str` | [`links`], or [`Finder::links`] with settings | an iterator of [`Link`] |
//! | a `&str` that you write out with its links changed | [`Finder::spans`] | links and the text between them |
//! | bytes that may be malformed UTF-8 | [`Finder::links_in`] | an iterator of [`Link`] |
//! | a document in memory, in any encoding: a page, JSON, Markdown, a message | [`Finder::document`] | [`Candidates`] |
//! | a reader of any length; a message or a mailbox, part by part | [`Finder::scan_reader`] | [`Event`]s, in bounded memory; a part comes before its links |
//! | a compressed file or an archive | [`container::documents`] | a reader for each document in it |
//! | files and directories | [`files::scan`] | [`Event`]s in input order, from many threads |
//! | a document in which links are replaced | [`Finder::rewrite`] | [`Rewritten`]: its bytes, and what could not be replaced |
//! | text to show as HTML | [`html::linkify`] | HTML |
//! | bytes of an unknown kind | [`detect`] | a [`Detection`]: the format, or that it is an archive, an image or other binary data |
//! | an IRI | [`iri::Iri::parse`] | its components, its URI, its normal form |
//!
//! Text that only looks like a link is reported as [`Rejected`], with a [`Reason`]: by [`Finder::candidates`], and for documents and
//! events. Pass what you know about a document in [`Hints`]: its format, its encoding, its name, the base of its references.
//! Functions that take a text scan it as plain text. Functions that take a document detect its format, unless you set a [`Format`].
//!
//! # Documents
//!
//! A document in any encoding and format, with settings:
//!
//! ```
//! # #[cfg(feature = "documents")] {
//! use linksift::{Finder, Format, Hints, Schemes};
//!
//! let page = b"<a href='/\x95\x5c?q=\x95\x5c'>";
//! let hints = Hints::new().format(Format::Html).charset("shift_jis".parse()?).base("http://example.jp/".parse()?);
//! let finder = Finder::builder().schemes(Schemes::Any).build();
//! let links: Vec<_> = finder.document(page, &hints)?.links().collect();
//! assert_eq!(links[0].uri(), "http://example.jp/%E8%A1%A8?q=%95%5C");
//! assert_eq!(links[0].range(), 9..17);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Streams
//!
//! A reader of any length, in bounded memory:
//!
//! ```
//! use linksift::{Event, Finder, Hints};
//! use std::ops::ControlFlow;
//!
//! let reader = std::io::Cursor::new("one.example.com\ntwo.example.com\n");
//! let mut hosts = Vec::new();
//! Finder::new().scan_reader(reader, &Hints::new(), |event| {
//!     if let Event::Link { link, .. } = event {
//!         hosts.extend(link.host().map(|host| host.into_owned()));
//!     }
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(hosts, ["one.example.com", "two.example.com"]);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # HTML
//!
//! Text as HTML that is safe to show:
//!
//! ```
//! use linksift::html::{Linkify, linkify};
//!
//! let html = linkify("see www.example.org <b>", &Linkify::new());
//! assert_eq!(html, concat!(
//!     r#"see <a href="https://www.example.org" rel="noopener noreferrer">"#,
//!     "www.example.org</a> &lt;b&gt;",
//! ));
//! ```
//!
//! # Features
//!
//! The default feature is `documents`: encodings, markup and Markdown. `mail`, `pdf`, `archives`, `zstd`, `files`, `known-hosts`, `iri-tools`,
//! `settings`, `report`, `parquet`, `serde` and `url` add what their names say. Without any feature the library finds links only in UTF-8 text.
//! `docs/features.md` lists what each feature adds and how many crates it needs.
//!
//! # Threads and async
//!
//! A [`Finder`] is `Send`, `Sync` and cheap to clone, so that one can serve all threads. Which call waits for what:
//!
//! | call | waits for | ends early by |
//! |---|---|---|
//! | [`links`], [`Finder::links`], [`Finder::document`], [`html::linkify`] | nothing: the text is in memory | dropping the iterator, [`Candidates::next_within`], [`html::linkify_until`] |
//! | [`Finder::rewrite`] | nothing: the document is in memory | [`Hints::cancel`] |
//! | [`Finder::feed`] | nothing, and it starts no thread: the caller passes the bytes that it has | dropping the [`Feed`], [`Hints::cancel`] |
//! | [`Finder::scan_reader`] | the reader that is passed | `ControlFlow::Break`, [`Hints::cancel`] between two reads |
//! | `files::scan`, `scan_map`, `scan_one`, `list` | the file system, and threads of their own | `ControlFlow::Break`, [`Hints::cancel`] |
//!
//! In async programs, scan short texts such as messages in place (this takes microseconds), pass what comes from the network to a
//! [`Feed`], which is `Send` and can be held across an `await`, and run the other calls where the runtime runs blocking work.
//!
//! A [`Feed`] and an [`html::Composer`] own a clone of their finder, so that a struct can keep one as the state of a connection; iterators
//! borrow it:
//!
//! ```
//! use linksift::{Feed, Finder, Hints};
//! use std::collections::HashMap;
//!
//! let (finder, mut connections) = (Finder::new(), HashMap::<u64, Feed>::new());
//! for (connection, bytes) in [(7, "see exam"), (8, "and e.com"), (7, "ple.com")] {
//!     let feed = connections.entry(connection).or_insert_with(|| finder.feed(&Hints::new()));
//!     assert_eq!(feed.push(bytes.as_bytes())?.count(), 0);
//! }
//! let mut ended = connections.remove(&7).unwrap();
//! assert_eq!(ended.finish()?.filter_map(|event| event.link().cloned()).count(), 1);
//! # Ok::<(), linksift::ScanError>(())
//! ```
//!
//! # Coming from linkify
//!
//! | linkify | linksift |
//! |---|---|
//! | `LinkFinder::new().links(text)` | [`links`]`(text)`; it also finds hosts without a scheme and e-mail addresses, unless you disable them with [`FinderBuilder::schemeless`] and [`FinderBuilder::emails`] |
//! | `finder.kinds(&[LinkKind::Url])` | [`Finder::builder`]`().emails(false)` |
//! | `finder.url_must_have_scheme(false)` | the default |
//! | `finder.url_can_be_iri(false)` | no such setting: a non-ASCII character does not end a link merely because it is non-ASCII |
//! | `finder.spans(text)` | [`Finder::spans`] |
//! | `link.as_str()` | [`Link::raw`]; open [`Link::uri`] |
//! | `link.start()`, `link.end()` | [`Link::range`] |
//! | `link.kind()` | [`Link::kind`]; a host without a scheme has its own kind |

#![cfg_attr(docsrs, feature(doc_cfg))]
// Without all features, shared modules contain items that nothing uses. Builds with all features still report dead code.
#![cfg_attr(
    not(all(
        feature = "files",
        feature = "mail",
        feature = "known-hosts",
        feature = "iri-tools",
        feature = "pdf",
        feature = "settings",
        feature = "zstd",
        feature = "internals"
    )),
    allow(
        dead_code,
        unreachable_pub,
        unreachable_patterns,
        unused_imports,
        unused_mut,
        unused_variables,
        reason = "other features use it"
    )
)]
// The pages link items of other features; those of all features have each.
#![cfg_attr(
    not(all(
        feature = "files",
        feature = "mail",
        feature = "known-hosts",
        feature = "iri-tools",
        feature = "serde",
        feature = "settings",
        feature = "url"
    )),
    allow(rustdoc::broken_intra_doc_links, reason = "other features have these items")
)]

mod charset;
mod codes;
#[cfg(feature = "archives")]
pub mod container;
mod context;
mod detect;
#[cfg(test)]
mod dice;
mod document;
mod driver;
mod event;
#[cfg(feature = "files")]
pub mod files;
pub mod html;
mod input;
pub mod iri;
#[doc(hidden)]
#[cfg(feature = "internals")]
pub mod limits;
#[cfg(not(feature = "internals"))]
#[allow(unreachable_pub, reason = "tests see it by the feature internals")]
mod limits;
mod link;
#[cfg(feature = "mail")]
mod mail;
#[cfg(feature = "documents")]
mod markup;
mod notation;
mod notice;
#[cfg(feature = "office")]
mod office;
pub mod offsets;
#[cfg(feature = "pdf")]
mod pdf;
#[doc(hidden)]
#[cfg(all(feature = "internals", feature = "documents"))]
pub mod peek;
mod piece;
#[cfg(feature = "documents")]
mod plist;
#[cfg(feature = "serde")]
pub mod report;
mod rewrite;
mod scan;
#[cfg(feature = "settings")]
mod settings;
mod simd;
mod source_map;
#[doc(hidden)]
#[cfg(feature = "internals")]
pub mod tables;
#[cfg(not(feature = "internals"))]
#[allow(unreachable_pub, reason = "tests and benches see it by the feature internals")]
mod tables;
pub mod trust;
mod warning;
mod whole;

pub use charset::{Charset, CharsetSource, Detected, ParseCharsetError};
pub use codes::ParseEnumError;
pub use context::{Context, Role};
pub use detect::detect;
pub use detect::document::{Alternatives, Headers, JoinWrapped};
pub use detect::document::{ArchiveFormat, Detection, Disposition, Evidence};
pub use detect::document::{Format, Hints, PageRange};
pub use document::finder::{
    Boundaries, DEFAULT_MAX_LINK, Finder, FinderBuilder, Forbidden, References, Schemes, Userinfo,
};
pub use driver::memory::{Candidates, Links, Span, Spans, Step};
pub use driver::stream::{Events, Feed, FeedPoint};
pub use event::Event;
#[cfg(feature = "mail")]
pub use event::Part;
pub use input::guard::Cancel;
pub use link::{Candidate, Link, LinkKind, Position, Reason, Rejected, Transfer};
pub use notice::{NotRead, Notice, ParsePointError, ScanError, Scanned};
pub use rewrite::{Edit, NotRewritable, NotWritable, Rewritten};
#[cfg(feature = "settings")]
pub use settings::{SettingError, Settings};
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

    #[doc = include_str!("../docs/rewriting.md")]
    struct Replacing;
}

/// Version of Unicode that linksift uses: major, minor, update.
///
/// Results depend only on this version, even if a dependency supports a later one. A host with a character that this version has
/// not assigned is rejected, as a U-label and as an A-label. Normalization leaves such a character unchanged.
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

/// Returns a lazy iterator over the links in `text`, with the default settings.
///
/// An ASCII link needs no allocation.
///
/// ```
/// let mut links = linksift::links("see (http://example.com/a_(b)).");
/// assert_eq!(links.next().unwrap().raw(), "http://example.com/a_(b)");
/// assert!(links.next().is_none());
/// ```
pub fn links(text: &str) -> Links<'static, '_> {
    Finder::shared().links(text)
}

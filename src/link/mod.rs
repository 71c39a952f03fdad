//! Public types: links, rejected candidates, and their data.

mod accessors;
mod body;
mod candidate;
mod columns;
pub(crate) mod derived;
pub(crate) mod lines;
mod position;
mod repeated;
#[cfg(feature = "url")]
mod url;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use accessors::shared_accessors;
pub use body::Transfer;
pub(crate) use body::{Body, Derivation, Origin, Prefix, Rare, Resembled, Shown};
pub use candidate::Candidate;
pub use position::Position;
pub(crate) use repeated::{Repeated, Teller};

use crate::charset::Charset;
use crate::context::{Context, Role};
use crate::iri::{IriRef, NormalizationLevel};
#[cfg(feature = "documents")]
use crate::limits;
pub(crate) use crate::scan::Rule;
pub use crate::scan::{LinkKind, Reason};
use crate::tables::schemes;
use crate::trust::Findings;
use crate::warning::Severity;
pub(crate) use crate::warning::{Warning, Warnings};

/// A link that was found: valid according to RFC 3987, with the URI that it maps to.
///
/// Offsets are bytes in the stored input (of `&str`: in its UTF-8). The text is borrowed wherever
/// it can be; [`into_owned`](Link::into_owned) detaches it.
///
/// ```
/// let text = "見て http://例え.jp/パス。";
/// let link = linksift::links(text).next().unwrap();
/// assert_eq!(&text[link.range()], "http://例え.jp/パス");
/// assert_eq!(link.uri(), "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9");
/// assert_eq!(link.host().as_deref(), Some("xn--r8jz45g.jp"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Link<'t> {
    pub(crate) body: Body<'t>,
}

/// A rejected candidate, with the reason.
///
/// ```
/// let finder = linksift::Finder::new();
/// let rejected = finder.candidates("http://user@example.com/").next().unwrap().into_result().unwrap_err();
/// assert_eq!(rejected.raw(), "http://user@example.com/");
/// assert_eq!(rejected.reason().as_str(), "userinfo");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rejected<'t> {
    /// Boxed, so that the result for a candidate is not larger than a link.
    pub(crate) body: Box<Body<'t>>,
    pub(crate) reason: Reason,
    /// The rule by which it is a name of a file or a member.
    pub(crate) rule: Option<Rule>,
}

impl<'t> Rejected<'t> {
    /// A candidate that no rule for names is about.
    pub(crate) fn new(body: Body<'t>, reason: Reason) -> Rejected<'t> {
        Rejected { body: Box::new(body), reason, rule: None }
    }
}

impl Link<'_> {
    shared_accessors!();

    /// Returns the URI it maps to: ASCII, valid by RFC 3986 (with [`HostMapping::Unicode`](crate::iri::HostMapping::Unicode)
    /// the host stays as it is). Borrowed when the text is that URI already; otherwise it may be made on each call.
    ///
    /// ```
    /// let link = linksift::links("http://例え.jp/パス").next().unwrap();
    /// assert_eq!(link.uri(), "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9");
    /// ```
    pub fn uri(&self) -> Cow<'_, str> {
        derived::uri(&self.body)
    }

    /// Returns its [`uri`](Link::uri) in the normal form of a level, without the fragment, so that links to the same page can be
    /// recognized: a crawler keeps this key in its set of pages that it has seen. It is [`IriRef::key`].
    ///
    /// With [`NormalizationLevel::Scheme`] hosts have Unicode instead of A-labels. A relative reference that no
    /// [base](crate::Hints::base) has resolved stays relative, and has the same key in every document that contains it.
    ///
    /// ```
    /// use linksift::iri::NormalizationLevel;
    /// use std::collections::HashSet;
    ///
    /// let text = "http://e.com/~a, HTTP://E.com:80/%7Ea#b and http://e.com/a";
    /// let keys: HashSet<_> = linksift::links(text).map(|link| link.key(NormalizationLevel::Scheme)).collect();
    /// assert_eq!(keys, HashSet::from(["http://e.com/~a".to_owned(), "http://e.com/a".to_owned()]));
    /// ```
    pub fn key(&self, level: NormalizationLevel) -> String {
        let uri = self.uri();
        match IriRef::parse(&uri) {
            Ok(parsed) => parsed.key(level),
            Err(_) => uri.into_owned(),
        }
    }

    /// Returns the host of its [`uri`](Link::uri) in lower case, so that hosts can be compared: an IP literal with its
    /// brackets; `None` if the link has none (`tel:`, `file:///`).
    ///
    /// ```
    /// let hosts: Vec<_> = linksift::links("http://WWW.Example.com/ http://[::1]:80/ tel:+12025550123")
    ///     .map(|link| link.host().map(|host| host.into_owned()))
    ///     .collect();
    /// assert_eq!(hosts, [Some("www.example.com".to_owned()), Some("[::1]".to_owned()), None]);
    /// ```
    pub fn host(&self) -> Option<Cow<'_, str>> {
        derived::host(&self.body)
    }

    /// Returns the path of a link to a file of this machine: percent-decoded, without its query and fragment. It is
    /// [`IriRef::file_path`] of its [`uri`](Link::uri), which also says which `file:` links have no path. A relative reference
    /// has one where [`Hints::base_of_file`](crate::Hints::base_of_file) has resolved it.
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use std::path::Path;
    ///
    /// let mut links = linksift::links("see file:///tmp/a%20b.html#c and http://e.com/");
    /// assert_eq!(links.next().unwrap().file_path().as_deref(), Some(Path::new("/tmp/a b.html")));
    /// assert_eq!(links.next().unwrap().file_path(), None);
    /// # }
    /// ```
    pub fn file_path(&self) -> Option<PathBuf> {
        IriRef::parse(&self.uri()).ok()?.file_path()
    }

    /// Returns what a program does with the link, as far as its [context](Link::context) says so.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints, Role};
    ///
    /// let finder = Finder::new();
    /// let page = b"<form action=a><link rel=next href=b>";
    /// let hints = Hints::new().format(Format::Html);
    /// let roles: Vec<_> = finder.document(page, &hints).unwrap().links().map(|link| link.role()).collect();
    /// assert_eq!(roles, [Role::Submit, Role::Relation]);
    /// # }
    /// ```
    pub fn role(&self) -> Role {
        self.body.context.kind().role()
    }

    /// Returns the visible text of the link, at most 1 KiB: of an `a`, `area` or `button` element, of a link or image of
    /// Markdown (of a definition, the text of the first link that refers to it), reStructuredText or AsciiDoc, of a field of Office or RTF, of an annotation of PDF; `alt` stands for an image. Character references are resolved, and
    /// white space is a single space. `None` without text, and unless [`Hints::details`](crate::Hints::details) asks for it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let finder = Finder::new();
    /// let hints = Hints::new().format(Format::Html).details(true);
    /// let page = b"<a href=a>one &amp; <b>two</b></a> <a href=b><img src=c alt=three></a>";
    /// let links = finder.document(page, &hints).unwrap().links();
    /// let texts: Vec<_> = links.map(|link| link.text().map(str::to_owned)).collect();
    /// assert_eq!(texts, [Some("one & two".into()), Some("three".into()), Some("three".into())]);
    /// # }
    /// ```
    pub fn text(&self) -> Option<&str> {
        self.body.rare.as_ref()?.text.as_deref()
    }

    /// Returns the `rel` of its element in lower case, words separated by one space, at most 1 KiB; `None` without one, and unless
    /// [`Hints::details`](crate::Hints::details) asks for it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let finder = Finder::new();
    /// let hints = Hints::new().format(Format::Html).details(true);
    /// let page = b"<a rel='NoFollow ugc' href=a>b</a>";
    /// let link = finder.document(page, &hints).unwrap().links().next().unwrap();
    /// assert_eq!(link.rel(), Some("nofollow ugc"));
    /// assert!(link.has_rel("nofollow") && !link.has_rel("follow"));
    /// # }
    /// ```
    pub fn rel(&self) -> Option<&str> {
        self.body.rare.as_ref()?.rel.as_deref()
    }

    /// Returns `true` if [`rel`](Link::rel) has this word, in any case; always `false` unless
    /// [`Hints::details`](crate::Hints::details) asks for it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let has_rel = |hints: Hints| {
    ///     let page = b"<a rel=nofollow href=a>b</a>";
    ///     let link = Finder::new().document(page, &hints).unwrap().links().next().unwrap();
    ///     link.has_rel("NoFollow")
    /// };
    /// let hints = Hints::new().format(Format::Html);
    /// assert!(has_rel(hints.clone().details(true)) && !has_rel(hints));
    /// # }
    /// ```
    pub fn has_rel(&self, word: &str) -> bool {
        let mut words = self.rel().into_iter().flat_map(|rel| rel.split(' '));
        words.any(|one| one.eq_ignore_ascii_case(word))
    }

    /// Returns `true` if a program may open the link that knows no more of it than its scheme: `http`, `https`, `mailto`, `ftp`,
    /// `xmpp`, `matrix` or `tel`. [`html::linkify`](crate::html::linkify) marks these by default.
    ///
    /// ```
    /// let text = "http://e.com/ ssh://e.com/ file:///etc/passwd";
    /// let openable: Vec<_> = linksift::links(text).map(|link| link.is_openable()).collect();
    /// assert_eq!(openable, [true, false, false]);
    /// ```
    pub fn is_openable(&self) -> bool {
        let scheme = self.scheme();
        schemes::OPENABLE.iter().any(|open| open.eq_ignore_ascii_case(&scheme))
    }

    /// Derives the fields of its record.
    #[cfg(feature = "serde")]
    pub(crate) fn derived(&self) -> derived::Derived<'_> {
        derived::all(&self.body)
    }

    /// Returns a form for people: in Unicode if it is found again in full, with each misleading label as
    /// an A-label. It is [`iri::IriRef::display`](crate::iri::IriRef::display) of its URI.
    ///
    /// ```
    /// let shown = |text| linksift::links(text).next().unwrap().display();
    /// assert_eq!(shown("http://xn--r8jz45g.jp/%E3%83%91"), "http://例え.jp/パ");
    /// assert_eq!(shown("http://www.аррӏе.com/"), "http://www.xn--80ak6aa92e.com/");
    /// ```
    pub fn display(&self) -> String {
        let uri = self.uri();
        match IriRef::parse(&uri) {
            Ok(parsed) => parsed.display(),
            Err(_) => uri.into_owned(),
        }
    }

    /// Returns a copy of the link that borrows nothing.
    ///
    /// ```
    /// fn first(text: String) -> Option<linksift::Link<'static>> {
    ///     linksift::links(&text).next().map(|link| link.into_owned())
    /// }
    /// assert_eq!(first("see example.com".to_owned()).unwrap().raw(), "example.com");
    /// ```
    pub fn into_owned(self) -> Link<'static> {
        Link { body: self.body.into_owned() }
    }
}

impl Rejected<'_> {
    shared_accessors!();

    /// Returns the reason for the rejection.
    ///
    /// ```
    /// use linksift::{Finder, Reason};
    ///
    /// let finder = Finder::new();
    /// let rejected = finder.candidates("http://me@example.com/").next().unwrap().into_result().unwrap_err();
    /// assert_eq!(rejected.reason(), Reason::Userinfo);
    /// ```
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the id of the rule that takes it for the name of a file or of a member in code, of those that
    /// `docs/rules.md` lists; `None` where the reason is another than [`Reason::FileName`].
    ///
    /// Ids explain a rejection, and allow counting: unlike codes of reasons they may change in any version.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let rejected = finder.candidates("see main.rs").next().unwrap().into_result().unwrap_err();
    /// assert_eq!((rejected.reason().as_str(), rejected.rule()), ("file-name", Some("file")));
    /// ```
    pub fn rule(&self) -> Option<&'static str> {
        self.rule.map(Rule::id)
    }

    /// Returns a copy of the candidate that borrows nothing.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let text = "http://300.1.1.1/".to_owned();
    /// let rejected = finder.candidates(&text).next().unwrap().into_result().unwrap_err().into_owned();
    /// drop(text);
    /// assert_eq!(rejected.raw(), "http://300.1.1.1/");
    /// ```
    pub fn into_owned(self) -> Rejected<'static> {
        Rejected { body: Box::new(self.body.into_owned()), reason: self.reason, rule: self.rule }
    }
}

/// The URI that the link maps to.
impl fmt::Display for Link<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.uri())
    }
}

impl fmt::Debug for Link<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({:?} {:?})", self.range(), self.uri())
    }
}

/// The candidate as it is written, and why it is no link.
impl fmt::Display for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.raw(), self.reason)
    }
}

impl fmt::Debug for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rejected({:?} {:?} {})", self.range(), self.raw(), self.reason.as_str())
    }
}

/// Result of judging a candidate.
pub(crate) type Judged<'t> = Result<Link<'t>, Rejected<'t>>;

/// Returns the start of a link or a rejected candidate in the stored bytes.
pub(crate) fn start_of(judged: &Judged<'_>) -> usize {
    body(judged).range.start
}

/// Returns a candidate with its text copied.
pub(crate) fn owned(judged: Judged<'_>) -> Judged<'static> {
    match judged {
        Ok(link) => Ok(link.into_owned()),
        Err(rejected) => Err(rejected.into_owned()),
    }
}

/// Bytes that a link which is kept needs in addition to its text.
const KEPT_LINK: usize = 256;

/// Returns the approximate number of bytes that a kept link or rejected candidate needs.
pub(crate) fn kept_size(judged: &Judged<'_>) -> usize {
    let raw = match judged {
        Ok(link) => link.raw(),
        Err(rejected) => rejected.raw(),
    };
    KEPT_LINK + raw.len()
}

/// Returns the common part of a link or a rejected candidate.
#[inline]
pub(crate) fn body<'j, 't>(judged: &'j Judged<'t>) -> &'j Body<'t> {
    match judged {
        Ok(link) => &link.body,
        Err(rejected) => &rejected.body,
    }
}

/// Returns the common part for writing.
pub(crate) fn body_of<'j, 't>(judged: &'j mut Judged<'t>) -> &'j mut Body<'t> {
    match judged {
        Ok(link) => &mut link.body,
        Err(rejected) => &mut rejected.body,
    }
}

/// Whether a candidate in binary data is sure: bytes without meaning often spell schemeless hosts and addresses, but
/// hardly ever `scheme://`.
pub(crate) fn is_sure(judged: &mut Judged<'_>) -> bool {
    let body = body_of(judged);
    let text = body.text();
    let after_scheme = text.split_once(':').map(|(_, rest)| rest);
    match body.kind {
        LinkKind::Email => schemes::begins_as_mail(text),
        LinkKind::Absolute => after_scheme.is_some_and(|rest| rest.starts_with("//")),
        _ => false,
    }
}

/// Returns `true` if the range of a candidate counts in the text of an object, not in the stored bytes.
pub(crate) fn has_object(judged: &Judged<'_>) -> bool {
    body(judged).rare.as_ref().is_some_and(|rare| rare.object.is_some())
}

/// Notes whether a link or a rejected candidate is in code.
#[inline]
pub(crate) fn set_code(judged: &mut Judged<'_>, is_code: bool) {
    // A value that was changed in parts is slow to move, and nearly all texts are prose.
    if is_code {
        body_of(judged).is_code = true;
    }
}

/// Notes where a link or a rejected candidate is.
pub(crate) fn set_position(judged: &mut Judged<'_>, position: Option<Position>) {
    body_of(judged).position = position.into();
}

/// Notes where a candidate is in an input whose rest, after this many bytes and line ends, was scanned alone.
#[cfg(feature = "archives")]
pub(crate) fn place_after(judged: &mut Judged<'_>, bytes: usize, lines: u64) {
    if has_object(judged) {
        return;
    }
    let body = body_of(judged);
    body.range = body.range.start + bytes..body.range.end + bytes;
    body.position = body.position.get().map(|at| Position { line: at.line + lines, ..at }).into();
}

// Larger values are moved by calls of `memcpy`, and each candidate is moved several times.
const _: () = assert!(size_of::<Judged<'_>>() <= 128);

/// Says where the document came from that a link or a rejected candidate is in.
pub(crate) fn set_origin(judged: &mut Judged<'_>, origin: &Arc<Origin>) {
    let own = &mut body_of(judged).rare_mut().origin;
    *own = Some(origin.around(own.as_deref()));
}

/// Returns the text or the relation of a link with single spaces between its words, as far as its limit; `None` if it is
/// empty.
#[cfg(feature = "documents")]
pub(crate) fn shown_text(text: &str) -> Option<Box<str>> {
    let mut short = String::new();
    for word in text.split_whitespace() {
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
        if short.len() > limits::SHOWN {
            break;
        }
    }
    let end = (0..=limits::SHOWN.min(short.len())).rev().find(|end| short.is_char_boundary(*end));
    short.truncate(end.unwrap_or_default());
    (!short.is_empty()).then(|| short.into())
}

/// Warns that the visible text of a link names another host than the link has.
pub(crate) fn set_shown(judged: &mut Judged<'_>, host: &str, severity: Severity) {
    let body = body_of(judged);
    body.warnings.insert(Warning::TextMismatch);
    body.rare_mut().shown = Some(Shown { host: host.into(), severity });
}

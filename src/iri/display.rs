//! Readable form of UTS #58: minimal escaping, so that the result is found again in full in running text.
//!
//! The link detection of UTS #58 decides where a link in running text ends; this module reverses it. Each component is
//! processed with the detector's stack. Characters that would end the link are percent-encoded; all other percent-encoded
//! bytes are written as characters. Percent-encoded delimiters are unchanged, because decoding them would identify another
//! resource (RFC 3986 §2.2).

use super::chars::{self, Private, is_unreserved, push_encoded, push_triplet, triplet};
use super::components::IriRef;
use super::continuation::escape_ends;
use super::decode::{ComponentPiece, pieces};
use super::host;
use crate::codes::coded;
use crate::tables::sentence::is_mark_at_end;
use crate::tables::{self, Term, punctuation};
use crate::trust;

coded! {
    /// Treatment of the full stops and commas of scripts without spaces (`。 、 ，` …) by the detector that reads the text
    /// again.
    ///
    /// ```
    /// assert_eq!("uts58".parse(), Ok(linksift::iri::Detector::Uts58));
    /// ```
    pub enum Detector in "linksift::iri" default Prose {
        /// They end a link, as for this library's finder: they are escaped, and so is the first letter of text that the
        /// finder would treat as the rest of a sentence.
        Prose = "prose",
        /// They belong to a link if they are inside it, as in UTS #58.
        Uts58 = "uts58",
    }
}

coded! {
    /// Labels of a host that the readable form shows in Unicode.
    ///
    /// ```
    /// assert_eq!("unicode".parse(), Ok(linksift::iri::Hosts::Unicode));
    /// ```
    pub enum Hosts in "linksift::iri" default Careful {
        /// Those that do not mislead: a label with a [suspect](crate::Severity::Suspect) or deceptive warning of
        /// [`trust::label`](crate::trust::label) is shown as an A-label.
        Careful = "careful",
        /// All.
        Unicode = "unicode",
    }
}

/// Decoded part of a link, for [`format_parts`].
///
/// ```
/// use linksift::iri::{DecodedPart, Detector, format_parts};
///
/// let parts = [DecodedPart::Segment("a/b"), DecodedPart::Key("c"), DecodedPart::Value("d&e")];
/// assert_eq!(format_parts("http://e.com", &parts, Detector::Prose), "http://e.com/a%2Fb?c=d%26e");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodedPart<'a> {
    /// A segment of the path.
    Segment(&'a str),
    /// The name of a pair in the query.
    Key(&'a str),
    /// The value of the preceding name.
    Value(&'a str),
    /// The fragment.
    Fragment(&'a str),
    /// A directive in the fragment, after `:~:`.
    Directive(&'a str),
}

impl IriRef<'_> {
    /// Returns the form for people (UTS #58, minimal escaping). In running text this library's finder finds it again in
    /// full, and it maps to the same URI, except for percent-encoded unreserved characters and for a last character or
    /// bracket that had to be escaped (`…/a!` is shown as `…/a%21`). A label that misleads is shown as an A-label, as in
    /// browsers. The only exception is a bare `?` or `#` at the end, which no link in text has.
    ///
    /// ```
    /// use linksift::iri::Iri;
    ///
    /// let shown = |iri| Iri::parse(iri).unwrap().display();
    /// assert_eq!(shown("http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9"), "http://例え.jp/パス");
    /// assert_eq!(shown("http://e.example/a%20b."), "http://e.example/a%20b%2E");
    /// assert_eq!(shown("http://e.example/(%CE%B1))"), "http://e.example/(α)%29");
    /// // Text would end the link before a particle, and at a character reference.
    /// assert_eq!(shown("http://e.example/a%E3%82%92%E8%A6%8B"), "http://e.example/a%E3%82%92見");
    /// assert_eq!(shown("http://e.example/a&lt;b"), "http://e.example/a&%6Ct;b");
    /// ```
    #[must_use]
    pub fn display(&self) -> String {
        self.shown(Detector::Prose, Hosts::Careful)
    }

    /// Like [`display`](IriRef::display), for a given detector.
    ///
    /// ```
    /// use linksift::iri::{Detector, Iri};
    ///
    /// let iri = Iri::parse("http://e.example/%E3%80%82/")?;
    /// assert_eq!(iri.display_for(Detector::Uts58), "http://e.example/。/");
    /// assert_eq!(iri.display_for(Detector::Prose), "http://e.example/%E3%80%82/");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[cfg(feature = "iri-tools")]
    #[must_use]
    pub fn display_for(&self, detection: Detector) -> String {
        self.shown(detection, Hosts::Careful)
    }

    /// Like [`display_for`](IriRef::display_for), with a choice for misleading A-labels.
    ///
    /// ```
    /// use linksift::iri::{Detector, Hosts, Iri};
    ///
    /// // All letters are Cyrillic.
    /// let iri = Iri::parse("http://аррӏе.example/é")?;
    /// assert_eq!(iri.display(), "http://xn--80ak6aa92e.example/é");
    /// assert_eq!(iri.display_as(Detector::Prose, Hosts::Unicode), "http://аррӏе.example/é");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[cfg(feature = "iri-tools")]
    #[must_use]
    pub fn display_as(&self, detection: Detector, hosts: Hosts) -> String {
        self.shown(detection, hosts)
    }

    fn shown(&self, detection: Detector, hosts: Hosts) -> String {
        let p = &self.parts;
        let mut writer = DisplayWriter::new(detection, self.text.len());
        match self.host() {
            Some(name) => {
                writer.out.push_str(self.slice(0, p.host_start));
                push_shown_host(&mut writer.out, name, hosts);
                writer.out.push_str(self.slice(p.host_end, p.path_start));
            }
            None => writer.out.push_str(self.slice(0, p.path_start)),
        }
        writer.tail = writer.out.len();
        writer.component(self.path(), &["/"], false);
        if let Some(query) = self.query() {
            writer.delimiter("?");
            writer.component(query, &["=", "&"], true);
        }
        if let Some(fragment) = self.fragment() {
            writer.delimiter("#");
            writer.component(fragment, &[":~:"], false);
        }
        writer.finish()
    }
}

/// Returns a link built from its decoded parts, minimally escaped (UTS #58): the link is found again in full, and parsing
/// and decoding it results in the parts.
///
/// `front` is the text before the parts, scheme and host, and is copied.
///
/// ```
/// use linksift::iri::{DecodedPart::*, Detector, format_parts};
///
/// let parts = [Segment("a?"), Segment("b"), Key("é"), Value("1&2"), Fragment("end.")];
/// let link = format_parts("http://e.example", &parts, Detector::Uts58);
/// assert_eq!(link, "http://e.example/a%3F/b?é=1%262#end%2E");
/// ```
#[must_use]
pub fn format_parts(front: &str, parts: &[DecodedPart<'_>], detection: Detector) -> String {
    let mut writer = DisplayWriter::new(detection, front.len() + 16);
    writer.out.push_str(front);
    writer.tail = front.len();
    writer.has_query = front.contains('?');
    let mut in_query = false;
    for part in parts {
        let (delimiter, data, syntax) = match *part {
            DecodedPart::Segment(data) => ("/", data, "/?#"),
            DecodedPart::Key(data) => (if in_query { "&" } else { "?" }, data, "#&=+"),
            DecodedPart::Value(data) => ("=", data, "#&=+"),
            DecodedPart::Fragment(data) => ("#", data, ""),
            DecodedPart::Directive(data) => (":~:", data, ""),
        };
        in_query |= matches!(part, DecodedPart::Key(_));
        writer.delimiter(delimiter);
        for (at, c) in data.char_indices() {
            if syntax.contains(c) || (c == '%' && triplet(data.as_bytes(), at).is_some()) {
                writer.escape(c);
            } else {
                writer.data(c);
            }
        }
    }
    writer.finish()
}

/// Maximum number of open brackets of the detector (UTS #58 §3.4).
const DEEPEST: usize = 125;

struct DisplayWriter {
    out: String,
    /// Where the path begins.
    tail: usize,
    /// Open brackets in this part.
    open: Vec<char>,
    /// Where the last character begins, if it is Soft.
    soft: Option<usize>,
    detection: Detector,
    /// Whether a query has begun.
    has_query: bool,
}

impl DisplayWriter {
    fn new(detection: Detector, capacity: usize) -> Self {
        let out = String::with_capacity(capacity);
        DisplayWriter { out, tail: 0, open: Vec::new(), soft: None, detection, has_query: false }
    }

    /// Appends a delimiter between two parts; brackets are matched in each part separately.
    fn delimiter(&mut self, delimiter: &str) {
        self.open.clear();
        self.soft = None;
        self.has_query |= delimiter == "?";
        self.out.push_str(delimiter);
    }

    /// Appends a character percent-encoded.
    fn escape(&mut self, c: char) {
        self.soft = None;
        push_encoded(&mut self.out, c);
    }

    /// Appends a character of data, depending on its Link_Term.
    fn data(&mut self, c: char) {
        let term = match (tables::class(c.into()).term(), self.detection) {
            (Term::ProseStop, Detector::Uts58) => Term::Soft,
            (Term::ProseStop, Detector::Prose) => Term::Hard,
            (term, _) => term,
        };
        let fits = match term {
            Term::Hard | Term::Ender | Term::ProseStop => false,
            Term::Include | Term::Soft => true,
            Term::Open => self.open.len() < DEEPEST,
            Term::Close => {
                let opening = tables::opening_bracket(c.into());
                opening.is_some() && self.open.last().map(|&o| o.into()) == opening
            }
        };
        if !fits || self.detection == Detector::Prose && self.is_prose_after(c) {
            return self.escape(c);
        }
        match term {
            Term::Open => self.open.push(c),
            Term::Close => {
                self.open.pop();
            }
            _ => {}
        }
        let is_soft =
            term == Term::Soft || self.detection == Detector::Prose && is_soft_in_prose(c);
        self.soft = is_soft.then_some(self.out.len());
        self.out.push(c);
    }

    /// Returns `true` if the finder would end the link before this character: a joiner after ASCII, a letter after a hyphen
    /// that begins a segment, an East Asian bracket after ASCII, the colon of a possible second link, the dot of its `www.`, the sign
    /// of an address.
    fn is_prose_after(&self, c: char) -> bool {
        match c {
            ':' => self.is_after_second_scheme(),
            '.' => !self.has_query && self.is_after_second_www(),
            // The local part of an address after a separator.
            '@' => !self.has_query && punctuation::separated_local(self.out.as_bytes()).is_some(),
            _ if punctuation::closers_of_wide(c.into()).is_some() => {
                self.is_after_ascii(c == '（' && self.out.ends_with('/'))
            }
            '\u{200C}' | '\u{200D}' => self.out.as_bytes().last().is_some_and(u8::is_ascii),
            _ => !c.is_ascii() && self.out.ends_with("/-"),
        }
    }

    /// Returns `true` if a non-empty segment, or the whole text (`is_whole`), that has only ASCII, also after decoding, ends here.
    ///
    /// The search ends at the first non-ASCII character, encoded or not. The time is linear, since this is only called for
    /// non-ASCII characters.
    fn is_after_ascii(&self, is_whole: bool) -> bool {
        let mut is_empty = true;
        for (at, c) in self.out.char_indices().rev() {
            if !is_whole && punctuation::begins_segment(c) {
                break;
            }
            let octet = triplet(self.out.as_bytes(), at);
            if !c.is_ascii() || octet.is_some_and(|octet| octet >= 0x80) {
                return false;
            }
            is_empty = false;
        }
        !is_empty
    }

    /// Returns `true` if `www` ends here after a separator, where another link would begin.
    fn is_after_second_www(&self) -> bool {
        let front = self.out.len().checked_sub(3).and_then(|at| self.out.split_at_checked(at));
        front.is_some_and(|(front, word)| {
            word.eq_ignore_ascii_case("www") && front.ends_with([';', '|'])
        })
    }

    /// Returns `true` if `http` or `https` ends here after text that the finder would treat as the end of a link.
    fn is_after_second_scheme(&self) -> bool {
        let name = self.out.strip_suffix(['s', 'S']).unwrap_or(&self.out);
        let Some((front, word)) =
            name.len().checked_sub(4).and_then(|at| name.split_at_checked(at))
        else {
            return false;
        };
        let is_separated = front.ends_with([',', ';']) || front.ends_with("&&");
        word.eq_ignore_ascii_case("http")
            && (front.ends_with(|c: char| !c.is_ascii()) || is_separated && !self.has_query)
    }

    /// Appends a component of a parsed IRI; a string of `syntax` empties the stack, and is then treated as data.
    fn component(&mut self, component: &str, syntax: &[&str], in_query: bool) {
        let private = if in_query { Private::Query } else { Private::No };
        for piece in pieces(component) {
            match piece {
                ComponentPiece::Raw(text) => {
                    for (at, c) in text.char_indices() {
                        let rest = &text[at..];
                        if syntax.iter().any(|s| rest.starts_with(s)) {
                            self.open.clear();
                        }
                        self.data(c);
                    }
                }
                ComponentPiece::Ascii(octet, _) if is_unreserved(octet) => {
                    self.data(char::from(octet))
                }
                ComponentPiece::Ascii(_, written) => {
                    self.soft = None;
                    self.out.push_str(written);
                }
                // Do not decode characters that an IRI must not have, so that the text stays an IRI.
                ComponentPiece::Char(c) if chars::judge(c, private).is_ok() => self.data(c),
                ComponentPiece::Char(c) => self.escape(c),
                ComponentPiece::Malformed(octet) => {
                    self.soft = None;
                    push_triplet(&mut self.out, octet);
                }
            }
        }
    }

    /// Escapes the last character if it is Soft, since the detector would not include it.
    fn finish(mut self) -> String {
        if let Some(c) = self.soft.and_then(|at| self.out[at..].chars().next()) {
            self.out.pop();
            push_encoded(&mut self.out, c);
        }
        if self.detection == Detector::Prose {
            escape_ends(&mut self.out, self.tail);
            // The text must not end in a sequence that closes a comment or joins two commands.
            if self.out.ends_with("*/") && !self.out.ends_with("/*/") {
                self.out.truncate(self.out.len() - 2);
                self.out.push_str("%2A/");
            } else if self.out.ends_with("&&") {
                self.out.pop();
                self.out.push_str("%26");
            }
        }
        self.out
    }
}

/// Returns `true` if the finder does not include the character at the end of a link in prose, as if it were Soft.
fn is_soft_in_prose(c: char) -> bool {
    let code = c.into();
    punctuation::is_rule(code) || code == punctuation::ELLIPSIS || is_mark_at_end(c)
}

/// Appends the host, with a label in characters where a host in running text may have them, and where nothing in the label
/// misleads (Chromium and Firefox show other labels as A-labels too).
fn push_shown_host(out: &mut String, name: &str, hosts: Hosts) {
    let Ok(ascii) = host::host_to_ascii(name) else { return out.push_str(name) };
    let shown = host::host_to_unicode(&ascii);
    if shown.is_ascii() {
        return out.push_str(&shown);
    }
    let tld = shown.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    // After `.com`, non-ASCII characters are prose and the host ends: such a last label is not a U-label.
    let glued = !tld.is_ascii() && tld.starts_with(|c: char| c.is_ascii());
    let labels = shown.split('.').zip(ascii.split('.'));
    for (n, (label, a_label)) in labels.enumerate() {
        let may_be_shown = label.is_ascii()
            || is_found(label)
                && !(glued && label == tld)
                && (hosts == Hosts::Unicode || trust::is_shown(label, tld));
        if n > 0 {
            out.push('.');
        }
        out.push_str(if may_be_shown { label } else { a_label });
    }
}

/// Returns `true` if a host in running text may have these characters.
fn is_found(label: &str) -> bool {
    label.chars().all(|c| {
        let class = tables::class(c.into());
        class.is_host() || class.is_host_symbol()
    })
}

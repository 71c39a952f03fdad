//! Converts events to output; runs on all threads at the same time.

use std::borrow::Cow;
use std::mem;
use std::path::Path;

use linksift::Event;
use linksift::files::Surroundings;
use linksift::report::Record;
use linksift::{Link, Notice, Position, Rejected};

use crate::args::{Key, Show, SortKey};
use crate::chunk::{Chunk, Line, LineKind, Mark};
use crate::complaints::{MemberPart, UNOPENED, UNREAD, complain, tell_of_part, tell_unknown};
use crate::decimal::{decimal, push_decimal};
use crate::facts::{About, Log};
use crate::failures;
use crate::filter::{self, Filter};
use crate::lines;
use crate::look::look_of;
use crate::presentation::{Colour, Logged, OutputForm, Place, Presentation, Shown};
use crate::seen::Keys;

/// The colours of ripgrep for path, line and match, and an unobtrusive one.
const PATH: &[u8] = b"\x1b[35m";
const LINE: &[u8] = b"\x1b[32m";
const FOUND: &[u8] = b"\x1b[1m\x1b[31m";
const DIM: &[u8] = b"\x1b[2m";
const RESET: &[u8] = b"\x1b[0m";

/// Schemes that a terminal may open on a click: none of them runs a program or opens a file.
const OPENED: [&str; 4] = ["http:", "https:", "ftp:", "mailto:"];

/// Weight of a link whose discovery ends the run: large enough that the chunk is passed on at once.
const URGENT: usize = 1 << 20;

/// Renders events by how they should look.
pub(crate) struct Renderer {
    look: Presentation,
    filter: Filter,
    keys: Keys,
}

/// Name of a document in plain output: `path[!member][!part]`.
#[derive(Clone, Copy)]
struct Name<'n> {
    path: &'n Path,
    member: Option<&'n str>,
    part: Option<&'n str>,
}

impl Renderer {
    pub(crate) fn new(look: Presentation, filter: Filter) -> Renderer {
        Renderer { look, filter, keys: Keys::default() }
    }

    pub(crate) fn render(&self, event: Event<'_>, chunk: &mut Chunk) {
        match event {
            Event::Link { path, link, surroundings: at, .. } => self.link(path, &link, at, chunk),
            Event::Rejected { path, rejected, .. } => self.rejected(path, &rejected, chunk),
            Event::Failed { path, member, error, .. } => {
                complain(path, member, &error, chunk);
                if self.look.logged != Logged::Nothing {
                    chunk.log.count(About::Failure, error.as_str(), 1);
                    chunk.log.error(&failures::line(path, member, &error));
                }
            }
            Event::Noticed { path, member, part, notice, .. } => {
                if self.look.logged != Logged::Nothing {
                    chunk.log.count(About::Notice, notice.as_str(), 1);
                }
                self.notice(path, (member, part), notice, chunk);
            }
            Event::DocumentEnd { path, member, scanned, .. } => {
                if scanned.notices().contains(&Notice::UnknownCharset) {
                    match scanned.detected().and_then(|found| found.unknown_label()) {
                        Some(label) => tell_unknown(path, member, label, chunk),
                        None => {
                            let message = format!("notice: {}", Notice::UnknownCharset);
                            let place = (member, scanned.notice_part(Notice::UnknownCharset));
                            tell_of_part(path, place, &message, &mut chunk.complaints);
                        }
                    }
                }
                if self.look.logged != Logged::Nothing {
                    chunk.log.document(&scanned);
                }
            }
            Event::Checkpoint { path, point, .. } if self.look.keeps_points() => {
                let start = chunk.values.len();
                chunk.values.extend_from_slice(path.as_os_str().as_encoded_bytes());
                let (path, total) = (start..chunk.values.len(), mem::take(&mut chunk.total));
                let (at, log) = (chunk.out.len(), chunk.log.len());
                chunk.marks.push(Mark::Reached { at, path, point, total, log });
            }
            Event::InputEnd { path, failed, stored, .. } => {
                if self.look.logged != Logged::Nothing {
                    chunk.log.count(About::Bytes, "stored", stored);
                    let look = if self.look.is_kept { look_of(path) } else { 0 };
                    chunk.log.closed(path.as_os_str().as_encoded_bytes(), look.into());
                }
                self.end(path, failed, chunk);
            }
            _ => {}
        }
    }

    fn notice(&self, path: &Path, place: MemberPart<'_>, notice: Notice, chunk: &mut Chunk) {
        // Printed once per run, since a directory is likely to contain pictures.
        let once = match notice {
            Notice::Binary | Notice::ArchiveUnopened => Some(&mut chunk.once[0]),
            Notice::MediaUnread => Some(&mut chunk.once[1]),
            // Printed with the document, whose record has the label.
            Notice::UnknownCharset => return,
            _ => None,
        };
        if let Some(line) = once {
            if line.is_empty() {
                let what = self.wording(notice);
                let more = "further ones are not reported";
                tell_of_part(path, place, &format!("notice: {what}; {more}"), line);
            }
            return;
        }
        let message = match notice {
            Notice::ReadAsText => format!("warning: {notice}"),
            _ => format!("notice: {}", self.wording(notice)),
        };
        tell_of_part(path, place, &message, &mut chunk.complaints);
    }

    /// Returns the text of a notice: the library's names a function, or links, where the command has an option.
    fn wording(&self, notice: Notice) -> Cow<'static, str> {
        match (notice, self.look.skips_binary) {
            (Notice::Binary, true) => "binary data; skipped (--binary skip)".into(),
            (Notice::NotOpened, true) => "unsupported format; skipped (--binary skip)".into(),
            (Notice::ArchiveUnopened, true) => UNREAD.into(),
            (Notice::ArchiveUnopened, false) => UNOPENED.into(),
            _ => notice.to_string().into(),
        }
    }

    /// Records the facts about a link that are counted for all links.
    fn log(&self, link: &Link<'_>, log: &mut Log) {
        if self.look.logged == Logged::Runs || self.look.logged == Logged::Nothing {
            return;
        }
        log.count(About::Scheme, &link.scheme().to_ascii_lowercase(), 1);
        log.count(About::Context, link.context().as_str(), 1);
        log.count(About::Charset, link.charset().as_str(), 1);
        log.count(About::Kind, link.kind().as_str(), 1);
        for warning in link.warnings() {
            log.count(About::Warning, warning.as_str(), 1);
        }
        if self.look.logged == Logged::Hosts
            && let Some(host) = link.host()
        {
            log.count(About::Host, &host.to_ascii_lowercase(), 1);
        }
    }

    fn link(
        &self,
        path: &Path,
        link: &Link<'_>,
        around: Option<Surroundings<'_>>,
        chunk: &mut Chunk,
    ) {
        if !self.filter.keeps(link) {
            return;
        }
        let is_unresolved = || !self.filter.has_unresolved() && filter::is_unresolved(link);
        if !self.look.is_records() && is_unresolved() {
            chunk.total.unresolved += 1;
            chunk.weight += 1;
            return;
        }
        self.log(link, &mut chunk.log);
        let name = Name { path, member: link.member(), part: link.part() };
        self.head(name, chunk);
        let start = chunk.out.len();
        let out = &mut chunk.out;
        match &self.look.form {
            OutputForm::Records(form, fields) => form.push(&Record::link(path, link), fields, out),
            OutputForm::Template(template) => {
                template.push(&Record::link(path, link), self.look.controls, out);
                out.push(self.look.terminator);
            }
            OutputForm::Plain => {
                self.place(name, link.position(), link.page(), out);
                match self.look.show {
                    Show::Uri => self.found(&link.uri(), link, out),
                    Show::Iri => self.found(&link.iri(), link, out),
                    Show::Raw => self.found(link.raw(), link, out),
                    Show::Display => self.found(&link.display(), link, out),
                }
                self.reason(self.filter.reason(|| link.findings()), out);
                out.push(self.look.terminator);
            }
            OutputForm::Quiet if chunk.weight < URGENT => chunk.weight += URGENT,
            _ => {}
        }
        if let Some(count) = self.look.lines {
            self.lines(link, around, count, chunk);
        }
        chunk.of_input += 1;
        chunk.has_enough = self.look.wanted().is_some_and(|wanted| chunk.of_input >= wanted);
        if !self.look.is_ordered() {
            chunk.total.links += 1;
            chunk.weight += 1;
            return;
        }
        let once = match self.look.once {
            Some(Key::Uri) => Some(link.uri()),
            Some(Key::Iri) => Some(link.iri()),
            Some(Key::Host) => match link.host() {
                Some(host) => Some(host),
                // A link without a host has no host in common with another.
                None => return chunk.out.truncate(start),
            },
            None => None,
        };
        let value = chunk.values.len();
        match (&self.look.form, self.look.sort, &once) {
            (OutputForm::Tally, _, Some(once)) => chunk.values.extend_from_slice(once.as_bytes()),
            (_, Some(sort), _) => {
                if sort == SortKey::Host {
                    push_host_key(&link.host().unwrap_or_default(), &mut chunk.values);
                }
                chunk.values.extend_from_slice(link.uri().as_bytes());
            }
            _ => {}
        }
        chunk.marks.push(Mark::Record(Line {
            bytes: start..chunk.out.len(),
            once: once.map(|once| self.keys.of(self.look.once_in, path, link, &once)),
            value: value..chunk.values.len(),
            what: LineKind::Link,
        }));
    }

    fn rejected(&self, path: &Path, rejected: &Rejected<'_>, chunk: &mut Chunk) {
        if !matches!(self.look.logged, Logged::Nothing | Logged::Runs)
            && self.filter.keeps_rejected(rejected)
        {
            chunk.log.count(About::Rejected, rejected.reason().as_str(), 1);
        }
        let is_asked_for = self.look.rejected == Shown::Shown || self.filter.is_suspicious();
        if !is_asked_for || !self.filter.keeps_rejected(rejected) {
            return;
        }
        // Suspicious candidates were requested, whether or not they are links.
        chunk.total.links += u64::from(self.filter.is_suspicious());
        let name = Name { path, member: rejected.member(), part: rejected.part() };
        self.head(name, chunk);
        let start = chunk.out.len();
        let out = &mut chunk.out;
        match &self.look.form {
            OutputForm::Records(form, fields) => {
                form.push(&Record::rejected(path, rejected), fields, out);
            }
            OutputForm::Template(template) => {
                template.push(&Record::rejected(path, rejected), self.look.controls, out);
                out.push(self.look.terminator);
            }
            OutputForm::Plain => {
                // No URI contains a space, so this line cannot be mistaken for a URI.
                self.place(name, rejected.position(), rejected.page(), out);
                let mut text = b"rejected ".to_vec();
                text.extend_from_slice(rejected.reason().as_str().as_bytes());
                text.push(b' ');
                text.extend_from_slice(rejected.raw().as_bytes());
                self.coloured(DIM, &text, out);
                self.reason(self.filter.reason(|| rejected.findings()), out);
                out.push(self.look.terminator);
            }
            _ => return,
        }
        if self.look.is_ordered() {
            let value = chunk.values.len();
            if let Some(sort) = self.look.sort {
                if sort == SortKey::Host {
                    push_host_key("", &mut chunk.values);
                }
                chunk.values.extend_from_slice(rejected.iri().as_bytes());
            }
            chunk.marks.push(Mark::Record(Line {
                bytes: start..chunk.out.len(),
                once: None,
                value: value..chunk.values.len(),
                what: LineKind::Rejected,
            }));
        }
    }

    /// Appends, with `--suspicious`, a tab and the reason why the link is printed. No URI contains a tab.
    fn reason(&self, reason: Option<String>, out: &mut Vec<u8>) {
        if let Some(reason) = reason {
            out.push(b'\t');
            self.coloured(DIM, reason.as_bytes(), out);
        }
    }

    /// Processes the end of an input, or its failure.
    fn end(&self, path: &Path, failed: bool, chunk: &mut Chunk) {
        if !self.look.has_ends() {
            (chunk.of_input, chunk.has_enough) = (0, false);
            return;
        }
        let start = chunk.out.len();
        let mut number = start;
        if matches!(self.look.form, OutputForm::Count | OutputForm::With | OutputForm::Without) {
            if self.look.form != OutputForm::Count {
                self.coloured(PATH, path.as_os_str().as_encoded_bytes(), &mut chunk.out);
            } else if self.look.place != Place::Unnamed {
                self.coloured(PATH, path.as_os_str().as_encoded_bytes(), &mut chunk.out);
                chunk.out.push(b':');
            }
            number = chunk.out.len();
            chunk.out.push(self.look.terminator);
        }
        (chunk.of_input, chunk.has_enough) = (0, false);
        let total = mem::take(&mut chunk.total);
        chunk.heading = 0..0;
        let log = chunk.log.len();
        chunk.marks.push(Mark::End { line: start..chunk.out.len(), number, total, log, failed });
    }

    /// Marks the document of the following output, if headings are shown.
    fn head(&self, name: Name<'_>, chunk: &mut Chunk) {
        if self.look.place != Place::Headed {
            return;
        }
        let start = chunk.out.len();
        self.name(name, &mut chunk.out);
        chunk.out.push(self.look.terminator);
        let line = start..chunk.out.len();
        if chunk.out[line.clone()] == chunk.out[chunk.heading.clone()] {
            return chunk.out.truncate(start);
        }
        chunk.heading = line.clone();
        chunk.marks.push(Mark::Heading { line });
    }

    fn place(
        &self,
        name: Name<'_>,
        position: Option<Position>,
        page: Option<u64>,
        out: &mut Vec<u8>,
    ) {
        if self.look.place == Place::Unnamed {
            return;
        }
        if self.look.place == Place::Named {
            self.name(name, out);
            out.push(b':');
        }
        let (first, column) = match (page, position) {
            (Some(page), _) => (page, None),
            (None, Some(Position { line, column, .. })) => (line, Some(column)),
            (None, None) => return,
        };
        let [colour, reset]: [&[u8]; 2] = match self.look.colour {
            Colour::Plain => [b""; 2],
            Colour::Coloured => [LINE, RESET],
        };
        out.extend_from_slice(colour);
        push_decimal(first, out);
        out.extend_from_slice(reset);
        out.push(b':');
        if let Some(column) = column {
            push_decimal(column, out);
            out.push(b':');
        }
    }

    fn name(&self, name: Name<'_>, out: &mut Vec<u8>) {
        let path = name.path.as_os_str().as_encoded_bytes();
        let (None, None) = (name.member, name.part) else {
            let inner = [name.member, name.part].into_iter().flatten();
            let mut whole = path.to_vec();
            for step in inner {
                whole.push(b'!');
                whole.extend_from_slice(step.as_bytes());
            }
            return self.coloured(PATH, &whole, out);
        };
        self.coloured(PATH, path, out);
    }

    /// Appends the line of a link and those around it, each with its number; the link is highlighted.
    fn lines(
        &self,
        link: &Link<'_>,
        around: Option<Surroundings<'_>>,
        count: usize,
        chunk: &mut Chunk,
    ) {
        // Data in a transfer encoding has no readable lines.
        let around = around.filter(|_| link.transfer().is_none());
        let around = around.map(|around| lines::around(around, link.charset(), count));
        let (Some(around), Some(position)) = (around, link.position()) else {
            chunk.total.unread += 1;
            return;
        };
        let first = position.line.saturating_sub(around.before.len() as u64);
        for (number, line) in (first..).zip(&around.before) {
            self.numbered(number, b'-', &[line], &mut chunk.out);
        }
        let own = [&around.left, link.raw(), &around.right];
        self.numbered(position.line, b':', &own, &mut chunk.out);
        // A link may be broken over several lines.
        let breaks = link.raw().matches('\n').count() as u64;
        for (number, line) in (position.line + 1 + breaks..).zip(&around.after) {
            self.numbered(number, b'-', &[line], &mut chunk.out);
        }
    }

    /// Appends a line with its number; the second of three pieces is highlighted.
    fn numbered(&self, number: u64, mark: u8, pieces: &[&str], out: &mut Vec<u8>) {
        let mut shown = [b' '; 24];
        let start = decimal(number, &mut shown);
        out.extend_from_slice(b"    ");
        out.extend_from_slice(&shown[start..]);
        out.extend_from_slice(&[mark, b' ']);
        for (at, piece) in pieces.iter().enumerate() {
            match (at, self.look.colour) {
                (1, Colour::Coloured) => self.coloured(FOUND, piece.as_bytes(), out),
                (1, Colour::Plain) => {
                    out.extend_from_slice("«".as_bytes());
                    self.look.controls.push(piece.as_bytes(), out);
                    out.extend_from_slice("»".as_bytes());
                }
                _ => self.look.controls.push(piece.as_bytes(), out),
            }
        }
        out.push(b'\n');
    }

    /// Appends a link, as a hyperlink if the terminal supports it.
    fn found(&self, text: &str, link: &Link<'_>, out: &mut Vec<u8>) {
        if self.look.hyperlinks == Shown::Left {
            return self.coloured(FOUND, text.as_bytes(), out);
        }
        let uri = link.uri();
        let is_opened = OPENED.iter().any(|scheme| {
            uri.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        // With `--host unicode` the URI is an IRI, but OSC 8 requires ASCII.
        if !is_opened || !uri.bytes().all(|byte| byte.is_ascii_graphic()) {
            return self.coloured(FOUND, text.as_bytes(), out);
        }
        for piece in [b"\x1b]8;;", uri.as_bytes(), b"\x1b\\"] {
            out.extend_from_slice(piece);
        }
        self.coloured(FOUND, text.as_bytes(), out);
        out.extend_from_slice(b"\x1b]8;;\x1b\\");
    }

    fn coloured(&self, colour: &[u8], text: &[u8], out: &mut Vec<u8>) {
        if self.look.colour == Colour::Plain {
            return self.look.controls.push(text, out);
        }
        out.extend_from_slice(colour);
        self.look.controls.push(text, out);
        out.extend_from_slice(RESET);
    }
}

/// Appends the labels of a host from its last to its first, which is the order that hosts are sorted in.
pub(crate) fn push_host_key(host: &str, out: &mut Vec<u8>) {
    for label in host.rsplit('.') {
        out.extend_from_slice(label.as_bytes());
        // The separator sorts before all characters of labels.
        out.push(0);
    }
    // A host sorts before those below it, whatever follows the key.
    out.push(0);
}

//! Events in, the bytes that are shown of them out; runs on all threads at once.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::mem;
use std::path::Path;

use linksift::files::Event;
use linksift::report::Record;
use linksift::{Link, Position, Rejected};

use crate::args::Show;
use crate::chunk::{Chunk, Mark};
use crate::filter::{self, Filter};
use crate::output::reason;
use crate::safe;
use crate::settings::{Colour, Form, Look, Once, Place, Shown};

/// The colours of ripgrep: path, line, match.
const PATH: &[u8] = b"\x1b[35m";
const LINE: &[u8] = b"\x1b[32m";
const FOUND: &[u8] = b"\x1b[1m\x1b[31m";
const RESET: &[u8] = b"\x1b[0m";

/// Renders events by how they should look.
pub(crate) struct Renderer {
    look: Look,
    filter: Filter,
    /// Two keyed hashes of 64 bits make one of 128: who chooses the links of a text does not know
    /// the keys, and cannot make one link hide another.
    keys: [RandomState; 2],
}

impl Renderer {
    pub(crate) fn new(look: Look, filter: Filter) -> Renderer {
        Renderer { look, filter, keys: [RandomState::new(), RandomState::new()] }
    }

    pub(crate) fn render(&self, event: Event<'_>, chunk: &mut Chunk) {
        match event {
            Event::Link { path, link } => self.link(path, &link, chunk),
            Event::Rejected { path, rejected } => self.rejected(path, &rejected, chunk),
            Event::Failed { path, error } => {
                complain(path, &error, chunk);
                // What was found before is no count of it.
                self.end(None, chunk);
            }
            Event::Finished { path, scanned } => {
                if let Some(label) = scanned.detected().and_then(|found| found.unknown_label()) {
                    warn(path, label, chunk);
                }
                if let Some(notice) = scanned.notice() {
                    tell(path, &format!("warning: {notice}"), chunk);
                }
                self.end(Some(path), chunk);
            }
            _ => {}
        }
    }

    fn link(&self, path: &Path, link: &Link<'_>, chunk: &mut Chunk) {
        if !self.filter.keeps(link) {
            return;
        }
        let is_record = matches!(self.look.form, Form::Json | Form::Csv);
        if !is_record && !self.filter.has_unresolved() && filter::is_unresolved(link) {
            chunk.unresolved += 1;
            return;
        }
        let start = chunk.out.len();
        let out = &mut chunk.out;
        match self.look.form {
            Form::Json => Record::link(path, link).push_json(out),
            Form::Csv => Record::link(path, link).push_csv(out),
            Form::Count => {}
            Form::Plain => {
                self.place(path, link.position(), out);
                match self.look.show {
                    Show::Uri => self.found(&link.uri(), out),
                    Show::Iri => self.found(&link.iri(), out),
                    Show::Raw => self.found(link.raw(), out),
                }
                out.push(self.look.terminator);
            }
        }
        match self.look.once {
            Once::Always => chunk.links += 1,
            Once::First => {
                let value = self.hash(link.uri().as_bytes());
                chunk.marks.push(Mark::Record { bytes: start..chunk.out.len(), value });
            }
        }
    }

    fn rejected(&self, path: &Path, rejected: &Rejected<'_>, chunk: &mut Chunk) {
        if self.look.rejected == Shown::Left || !self.filter.keeps_rejected(rejected) {
            return;
        }
        let out = &mut chunk.out;
        match self.look.form {
            Form::Json => Record::rejected(path, rejected).push_json(out),
            Form::Csv => Record::rejected(path, rejected).push_csv(out),
            Form::Count => {}
            Form::Plain => {
                // No URI has a space in it: what begins with this word cannot be taken for one.
                self.place(path, rejected.position(), out);
                out.extend_from_slice(b"rejected ");
                out.extend_from_slice(rejected.reason().code().as_bytes());
                out.push(b' ');
                self.text(rejected.raw().as_bytes(), out);
                out.push(self.look.terminator);
            }
        }
    }

    /// An input ends; without a path it has failed, and there is nothing to say of it.
    fn end(&self, path: Option<&Path>, chunk: &mut Chunk) {
        if self.look.form != Form::Count {
            return;
        }
        let start = chunk.out.len();
        let mut number = start;
        if let Some(path) = path {
            if self.look.place == Place::Named {
                self.path(path, &mut chunk.out);
                chunk.out.push(b':');
            }
            number = chunk.out.len();
            chunk.out.push(self.look.terminator);
        }
        let links = mem::take(&mut chunk.links);
        chunk.marks.push(Mark::End { line: start..chunk.out.len(), number, links });
    }

    fn place(&self, path: &Path, position: Option<Position>, out: &mut Vec<u8>) {
        if self.look.place == Place::Unnamed {
            return;
        }
        self.path(path, out);
        out.push(b':');
        if let Some(Position { line, column, .. }) = position {
            // `line:column:`, written from its end.
            let mut shown = [b':'; 42];
            let column = decimal(column, &mut shown[..41]);
            let start = decimal(line, &mut shown[..column - 1]);
            match self.look.colour {
                Colour::Plain => out.extend_from_slice(&shown[start..]),
                Colour::Coloured => {
                    for piece in [LINE, &shown[start..column - 1], RESET, &shown[column - 1..]] {
                        out.extend_from_slice(piece);
                    }
                }
            }
        }
    }

    fn found(&self, text: &str, out: &mut Vec<u8>) {
        self.coloured(FOUND, text.as_bytes(), out);
    }

    fn path(&self, path: &Path, out: &mut Vec<u8>) {
        self.coloured(PATH, path.as_os_str().as_encoded_bytes(), out);
    }

    fn coloured(&self, colour: &[u8], text: &[u8], out: &mut Vec<u8>) {
        if self.look.colour == Colour::Plain {
            return self.text(text, out);
        }
        out.extend_from_slice(colour);
        self.text(text, out);
        out.extend_from_slice(RESET);
    }

    /// Text that comes from an input, or its name.
    fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        match self.look.terminator {
            // Who splits at NUL wants the bytes as they are.
            0 => out.extend_from_slice(text),
            _ => safe::push(text, out),
        }
    }

    fn hash(&self, uri: &[u8]) -> u128 {
        let [high, low] = &self.keys;
        u128::from(high.hash_one(uri)) << 64 | u128::from(low.hash_one(uri))
    }
}

/// What failed with an input.
fn complain(path: &Path, error: &io::Error, chunk: &mut Chunk) {
    tell(path, &reason(error), chunk);
}

/// Tells that an input declares a charset that nobody knows; it is scanned all the same.
fn warn(path: &Path, label: &str, chunk: &mut Chunk) {
    tell(path, &format!("warning: declares a charset that is none: {label:?}"), chunk);
}

/// `linksift: PATH: message`.
fn tell(path: &Path, message: &str, chunk: &mut Chunk) {
    let complaints = &mut chunk.complaints;
    complaints.extend_from_slice(b"linksift: ");
    safe::push(path.as_os_str().as_encoded_bytes(), complaints);
    complaints.extend_from_slice(b": ");
    safe::push(message.as_bytes(), complaints);
    complaints.push(b'\n');
}

/// Writes a number at the end of what is long enough for it, and says where it begins. Twice for each
/// link of a large output, and three times as fast as `write!`.
fn decimal(mut value: u64, digits: &mut [u8]) -> usize {
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            return start;
        }
    }
}

//! Evaluates the predicates of rows for a name, each only once.
//!
//! The parts of the line before and after the name are determined when the first predicate needs them. The predicates about
//! labels are here, those about the line in `line`.

use super::facts::{AFTER_PAIR, AFTER_UNDERSCORE, Facts, LOWER, Name, QUOTED, RowText};
use super::lexicon::{FIRST_LABELS, IN_FRONT, LAST_LABELS, MIDDLE, NEWS, SURE, word};
use super::line::{self, Behind, LineFront};
use super::predicate::Predicate;
use super::{BareHost, MAX_BEFORE, sibling};
use crate::scan::view::{Incomplete, View};

const FEEDS: u128 = u128::from_be_bytes([b'\n'; 16]);

/// Cache of the predicates' answers about one name.
pub(super) struct Asker<'a, 'v> {
    pub(super) view: &'a View<'v>,
    pub(super) host: BareHost,
    pub(super) name: Name<'v>,
    known: u64,
    held: u64,
    front: Option<LineFront<'v>>,
    behind: Option<Behind<'v>>,
}

impl<'a, 'v> Asker<'a, 'v> {
    #[inline]
    pub(super) fn new(view: &'a View<'v>, host: BareHost) -> Asker<'a, 'v> {
        let name = Name::of(view, host);
        Asker { view, host, name, known: 0, held: 0, front: None, behind: None }
    }

    /// Returns the two bytes before the name, the nearest one last; a byte that does not exist is a line feed.
    #[inline]
    pub(super) fn in_front(&self) -> [u8; 2] {
        match self.view.text[..self.host.start] {
            [.., before, front] => [before, front],
            [front] => [b'\n', front],
            [] => [b'\n', b'\n'],
        }
    }

    /// Returns the two bytes after the name, as far as they are on its line.
    #[inline]
    pub(super) fn behind(&self) -> Result<[u8; 2], Incomplete> {
        let end = self.host.end;
        Ok(match self.view.byte(end)? {
            None | Some(b'\n') => [b'\n', b'\n'],
            Some(after) => [after, self.view.byte(end + 1)?.unwrap_or(b'\n')],
        })
    }

    /// Returns the facts that the two bytes before the name show.
    #[inline]
    pub(super) fn of_bytes_in_front(&self) -> Facts {
        let [before, front] = self.in_front();
        let of_front = match front {
            b'"' | b'\'' => QUOTED,
            b'_' => AFTER_UNDERSCORE,
            _ => 0,
        };
        of_front | if before == front { AFTER_PAIR } else { 0 }
    }

    /// Returns the text before the name, across lines.
    #[inline]
    pub(super) fn before(&self) -> &'v [u8] {
        let start = self.host.start;
        &self.view.text[start.saturating_sub(MAX_BEFORE)..start]
    }

    /// Returns the part of the line before the name.
    #[inline]
    fn line_in_front(&mut self) -> LineFront<'v> {
        let before = self.before();
        *self.front.get_or_insert_with(|| LineFront::of(before))
    }

    /// Returns the part of the line after the name.
    #[inline]
    fn line_behind(&mut self) -> Result<Behind<'v>, Incomplete> {
        match self.behind {
            Some(behind) => Ok(behind),
            None => {
                let behind = Behind::of(self.view, self.host.end)?;
                self.behind = Some(behind);
                Ok(behind)
            }
        }
    }

    /// Returns the text before the name on its line.
    fn line(&mut self) -> &'v [u8] {
        self.line_in_front().line
    }

    /// Returns the text after the name on its line.
    fn rest(&mut self) -> Result<&'v [u8], Incomplete> {
        Ok(self.line_behind()?.line)
    }

    /// Returns the bytes before the name as a number, the nearest byte lowest; bytes that do not exist are line feeds.
    #[inline]
    pub(super) fn number_in_front(&self) -> u128 {
        let text = &self.view.text[..self.host.start];
        match text.last_chunk() {
            Some(bytes) => u128::from_be_bytes(*bytes),
            None => text.iter().fold(FEEDS, |number, &byte| number << 8 | u128::from(byte)),
        }
    }

    /// Returns the bytes after the name as a number, the nearest byte lowest; `None` if there are too few.
    #[inline]
    pub(super) fn number_behind(&self) -> Option<u128> {
        let text = self.view.text.get(self.host.end..).unwrap_or_default();
        Some(u128::from_le_bytes(*text.first_chunk()?))
    }

    /// Returns `true` if one of the texts is the complete text before the name on its line.
    pub(super) fn is_begun(&mut self, texts: &[RowText]) -> bool {
        let front = self.line_in_front();
        let line = front.line.trim_ascii();
        front.is_begin && texts.iter().any(|text| line == text.text.as_bytes())
    }

    /// Returns `true` if one of the texts follows the name or, with `end`, is the complete rest of the line.
    pub(super) fn is_before(&mut self, texts: &[RowText], end: bool) -> Result<bool, Incomplete> {
        let Behind { line, is_end } = self.line_behind()?;
        Ok(match end {
            true => is_end && texts.iter().any(|text| line == text.text.as_bytes()),
            false => texts.iter().any(|text| line.starts_with(text.text.as_bytes())),
        })
    }

    /// Evaluates a predicate and caches the answer.
    pub(super) fn ask(&mut self, asked: Predicate) -> Result<bool, Incomplete> {
        let bit = 1 << asked as u8;
        if self.known & bit == 0 {
            self.held |= if self.answer(asked)? { bit } else { 0 };
            self.known |= bit;
        }
        Ok(self.held & bit != 0)
    }

    fn answer(&mut self, asked: Predicate) -> Result<bool, Incomplete> {
        let Name { name, ending, .. } = self.name;
        let BareHost { start, end, .. } = self.host;
        Ok(match asked {
            Predicate::Numbered => is_numbered(name),
            Predicate::TemplateEnd => has_template_end(self.name.last()),
            Predicate::MiddleInside => name
                .split(|&b| b == b'.')
                .skip(1)
                .any(|label| LAST_LABELS.kinds(word(label)) & MIDDLE != 0),
            Predicate::Library => name.starts_with(b"lib") || name.starts_with(b"ld-"),
            Predicate::Newsgroup => {
                let second = name.split(|&b| b == b'.').nth(1).unwrap_or_default();
                FIRST_LABELS.kinds(word(second)) & NEWS != 0
            }
            Predicate::Hump => name
                .windows(2)
                .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()),
            Predicate::Framework => is_framework(self.name),
            Predicate::HostInCode => line::is_host_in_code(self.name),
            Predicate::MemberDomain => line::is_member_domain(ending),
            Predicate::Folder => sibling::is_folder_before(&self.view.text[..start]),
            Predicate::SecondLetter => {
                self.view.byte(end + 1)?.is_some_and(|b| b.is_ascii_alphabetic())
            }
            Predicate::ThirdWord => {
                self.view.byte(end + 2)?.is_some_and(|b| b.is_ascii_alphanumeric())
            }
            Predicate::Operator => line::is_before_operator(self.view, end)?,
            Predicate::Filesystem => line::is_in_filesystem(self.before()),
            Predicate::Path => line::is_in_path(self.before()),
            Predicate::Directory => line::is_in_directory(self.before()),
            Predicate::OrgFile => {
                ending.eq_ignore_ascii_case(b"org") && line::is_in_sources(self.before())
            }
            Predicate::Role => line::is_role(self.before()),
            Predicate::Import => self.line_in_front().imports(b"import"),
            Predicate::ImportFrom => {
                self.rest()?.starts_with(b" import ") && self.line_in_front().imports(b"from")
            }
            Predicate::ArrowOfObject => line::is_arrow_of_object(self.line()),
            Predicate::StarOfWord => {
                matches!(self.line(), [.., b, b'*'] if b.is_ascii_alphanumeric())
            }
            Predicate::Translated => line::is_translated(self.line()),
            Predicate::IndexEntry => self.line_in_front().begins_with(b".IX "),
            Predicate::Percent => self.line_in_front().begins_with(b"%%"),
            Predicate::Bracket => self.line().contains(&b'(') && !self.line().ends_with(b"("),
            Predicate::OptionalMember => {
                matches!(self.rest()?, [b'?', b'.', b, ..] if b.is_ascii_alphabetic())
            }
            Predicate::Argument => line::is_argument(self.line()),
            Predicate::Field => self.line_in_front().is_field(),
            Predicate::Key => matches!(self.line(), [.., b, b'='] if line::is_of_name(b)),
            Predicate::AloneOnLine => self.line_in_front().is_begin && self.line_behind()?.is_end,
            Predicate::Assigned => line::is_assigned(self.line()),
            Predicate::Something => !self.line().trim_ascii().is_empty(),
            Predicate::Private => line::is_private(self.line()) && !self.rest()?.contains(&b'_'),
            Predicate::NounSure | Predicate::NounFront => {
                let kinds = line::noun_in_front(self.line());
                let both = [(Predicate::NounSure, SURE), (Predicate::NounFront, IN_FRONT)];
                for (one, kind) in both {
                    self.known |= 1 << one as u8;
                    self.held |= u64::from(kinds & kind != 0) << one as u8;
                }
                self.held >> asked as u8 & 1 != 0
            }
            Predicate::NounFile => line::word_behind(self.rest()?) == b"file",
            Predicate::NounBehind => line::is_noun_behind(self.rest()?),
            Predicate::Included => line::is_included(self.line()),
            Predicate::TabbedEntry => self.line_in_front().is_tabbed_entry(self.rest()?),
            Predicate::Entry => self.line_in_front().is_entry(self.rest()?),
            Predicate::Changelog => self.line_in_front().is_of_changelog(),
            Predicate::ChangelogText => self.line_in_front().is_text_of_changelog(),
            Predicate::Sibling => {
                line::may_have_sibling(self.view, self.host)
                    && sibling::is_beside(&self.view.text[start..end], self.line(), self.rest()?)
            }
            Predicate::SourceInFront => line::has_source(self.line()),
            Predicate::SourceOnPrevious => self.line_in_front().is_after_source(),
            Predicate::SourceBehind => line::has_source(self.rest()?),
            Predicate::Position => line::is_position(self.line(), self.rest()?),
            Predicate::Diffstat => line::is_in_diffstat(self.rest()?),
            Predicate::Edited => line::is_edited(self.line()),
            Predicate::Identifier => {
                line::has_identifier(self.line()) || line::has_identifier(self.rest()?)
            }
            Predicate::Linked => {
                let name = &self.view.text[start..end];
                line::may_name(self.view, self.host)
                    && (line::names(self.line(), name) || line::names(self.rest()?, name))
            }
            Predicate::Server => {
                line::is_after_word_of_mail(self.line()) && line::is_of_server(self.rest()?)
            }
            Predicate::Relay => matches!(self.rest()?, [b' ', b'[', b'0'..=b'9', ..]),
        })
    }
}

/// Names with a number that begins with a zero: `99-default.link`, `incr06.at`.
fn is_numbered(name: &[u8]) -> bool {
    match name {
        [a, b, b'-', ..] if a.is_ascii_digit() && b.is_ascii_digit() => true,
        [.., a, b'0', n] => a.is_ascii_alphabetic() && n.is_ascii_digit(),
        _ => false,
    }
}

fn has_template_end(label: &[u8]) -> bool {
    [&b"-h"[..], b"-pc", b"config", b"-in", b"-lang"].iter().any(|end| {
        let from = label.len().saturating_sub(end.len());
        label[from..].eq_ignore_ascii_case(end)
    })
}

/// `ASP.NET`, `Json.NET`
fn is_framework(name: Name<'_>) -> bool {
    let is_written = name.facts & LOWER != 0;
    match name.ending {
        b"NET" => is_written || matches!(name.name, b"ADO" | b"ASP" | b"ML" | b"VB"),
        b"Net" => name.name == b"System",
        _ => false,
    }
}

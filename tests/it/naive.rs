//! The slow, obvious twin of the link scanner.
//!
//! It decodes the whole input, resolves every numeric reference, and then tries
//! each position one by one, with plain loops over characters. It was written
//! from the design documents alone, without a look at the scanner, and has lists of
//! its own, so that an error in one of the two shows as a disagreement (`agree` compares the lists). Nothing here is fast: loops
//! inside loops are welcome, cleverness is not.
//!
//! It covers running text: where links begin and end, and which candidates are
//! refused. It knows nothing of mapping, markup or charsets other than UTF-8.

// Every test that says `mod naive;` uses a part of this, none uses all.
#![allow(dead_code, unreachable_pub)]

#[cfg(test)]
mod agree;
mod authority;
mod beside;
mod chars;
#[cfg(test)]
mod checks;
mod closers;
pub mod colours;
mod email;
mod ending;
mod escapes;
pub mod fixture;
mod folder;
mod glued;
mod host;
mod listed;
mod names;
mod only;
mod prose;
mod schemeless;
mod sentence;
mod separated;
mod siblings;
mod template;
mod text;
mod written;

use text::Text;

/// Which schemes are links in running text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schemes {
    Known,
    Any,
    List(Vec<String>),
}

/// Where links end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundaries {
    Prose,
    Uts58,
}

/// What the command's options of the same names set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub boundaries: Boundaries,
    pub schemeless: bool,
    pub emails: bool,
    pub schemes: Schemes,
    pub references: bool,
    /// http links may have user information.
    pub userinfo: bool,
    pub max_link: usize,
    /// The text is source code.
    pub code: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            boundaries: Boundaries::Prose,
            schemeless: true,
            emails: true,
            schemes: Schemes::Known,
            references: true,
            userinfo: false,
            max_link: 65_536,
            code: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Iri,
    Schemeless,
    Email,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Found,
    Refused(&'static str),
}

/// One candidate; the offsets are those of the stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
    pub outcome: Outcome,
}

/// A candidate counted in characters, as the triggers give it.
struct Candidate {
    start: usize,
    end: usize,
    /// Where the link reached before anything came off its end.
    reach: usize,
    kind: Kind,
    refused: Option<&'static str>,
}

/// What a trigger sees: the text, the settings, and the end of the last
/// candidate, which nothing walks back past.
struct Twin<'a> {
    text: Text,
    settings: &'a Settings,
    floor: usize,
}

impl Twin<'_> {
    fn prose(&self) -> bool {
        self.settings.boundaries == Boundaries::Prose
    }

    fn at(&self, index: usize) -> Option<char> {
        self.text.at(index)
    }

    fn before(&self, index: usize) -> Option<char> {
        index.checked_sub(1).and_then(|i| self.text.at(i))
    }

    fn is(&self, index: usize, word: &str) -> bool {
        word.chars().enumerate().all(|(i, c)| self.at(index + i) == Some(c))
    }

    fn string(&self, from: usize, to: usize) -> String {
        (from..to).filter_map(|i| self.at(i)).collect()
    }

    /// Whether the scheme of the candidate's URI is one that a list names.
    fn is_selected(&self, candidate: &Candidate) -> bool {
        let Schemes::List(list) = &self.settings.schemes else { return true };
        let text = self.string(candidate.start, candidate.end);
        let scheme = match candidate.kind {
            Kind::Iri => text.split([':', '\\']).next().unwrap_or_default(),
            Kind::Schemeless => "https",
            Kind::Email => "mailto",
        };
        list.iter().any(|one| one.eq_ignore_ascii_case(scheme))
    }

    fn candidate_at(&self, index: usize) -> Option<Candidate> {
        let c = self.at(index)?;
        if c == ':' {
            if self.authority_start(index).is_some() {
                return self.scheme_trigger(index);
            }
            return self.address_trigger(index).or_else(|| self.only_trigger(index));
        }
        if c == '@' {
            let escaped = self.prose() && index > self.floor && self.is_plain(index - 1, "\\");
            let escape = usize::from(escaped);
            return self.email_trigger(index - escape, 1 + escape);
        }
        if chars::is_dot(c) {
            return self.settings.schemeless.then(|| self.schemeless_trigger(index))?;
        }
        None
    }
}

/// All candidates of `bytes`, found and refused, in order.
pub fn scan(bytes: &[u8], settings: &Settings) -> Vec<Record> {
    if settings.boundaries != Boundaries::Prose {
        return scan_seen(bytes, settings);
    }
    // Terminal sequences that colour and erase are as if they were not there.
    let places = colours::seen(bytes);
    let seen: Vec<u8> = places.iter().map(|&place| bytes[place]).collect();
    let mut records = scan_seen(&seen, settings);
    for record in &mut records {
        (record.start, record.end) = (places[record.start], places[record.end - 1] + 1);
    }
    records
}

fn scan_seen(bytes: &[u8], settings: &Settings) -> Vec<Record> {
    let mut twin = Twin { text: Text::new(bytes, settings.references), settings, floor: 0 };
    let mut records = Vec::new();
    let mut index = 0;
    while index < twin.text.len() {
        let Some(candidate) = twin.candidate_at(index) else {
            index += 1;
            continue;
        };
        // What is too long is so with all that would have come off its end.
        let (start, reach) = twin.text.stored(candidate.start, candidate.reach);
        let (last, outcome) = match candidate.refused {
            _ if reach - start > settings.max_link => {
                (candidate.reach, Outcome::Refused("too-long"))
            }
            Some(code) => (candidate.end, Outcome::Refused(code)),
            None if !twin.is_selected(&candidate) => {
                (candidate.end, Outcome::Refused("scheme-not-selected"))
            }
            None => (candidate.end, Outcome::Found),
        };
        let (start, end) = twin.text.stored(candidate.start, last);
        let mapped = [None, Some("host-invalid-idna"), Some("host-not-utf-8")];
        let judged = mapped.contains(&candidate.refused) && outcome != Outcome::Refused("too-long");
        if twin.prose() && judged && written::is_in_sequence(&bytes[..start]) {
            twin.floor = last;
            index = last.max(index + 1);
            continue;
        }
        records.push(Record { start, end, kind: candidate.kind, outcome });
        twin.floor = last;
        index = last.max(index + 1);
    }
    records
}

/// The spans of the links alone.
pub fn links(bytes: &[u8], settings: &Settings) -> Vec<(usize, usize)> {
    scan(bytes, settings)
        .into_iter()
        .filter(|record| record.outcome == Outcome::Found)
        .map(|record| (record.start, record.end))
        .collect()
}

/// The codes of the refused candidates alone.
pub fn refused(bytes: &[u8], settings: &Settings) -> Vec<&'static str> {
    scan(bytes, settings)
        .into_iter()
        .filter_map(|record| match record.outcome {
            Outcome::Refused(code) => Some(code),
            Outcome::Found => None,
        })
        .collect()
}

//! Packages (ISO/IEC 29500-2): the part that an entry with relationships belongs to, which has the texts of their links.
//!
//! Word, Excel and PowerPoint keep the targets of the links of `word/document.xml` in `word/_rels/document.xml.rels`. The part is read
//! before the relationships, and again as a document of its own.

use std::collections::HashMap;
use std::io::{self, Read};

use super::super::fault::LateFault;
use super::super::lookahead::LookaheadReader;
use super::super::source::SourceRange;
use super::super::walk::ContainerWalk;
use super::directory::Directory;
use super::entry::{EntryContent, Located};
use super::header::ZipEntry;
use super::place::EntryBase;
use crate::limits;
use crate::markup::PackageTexts;

/// Most parts of a package whose links get their texts.
const MOST_PARTS: usize = 1 << 12;
/// Worksheets of a workbook whose cells get their shared strings, which are read for each.
const MOST_SHEETS: usize = 32;
/// Longest name of a part that is looked for.
const MOST_NAME: usize = 1 << 10;
/// Bytes of relationships in which a target outside the package is searched.
const MOST_RELATIONS: usize = 1 << 20;

/// Parts of a package that have relationships, by their names in lower case with slashes.
#[derive(Default)]
pub(super) struct PackageParts {
    /// `None` until the directory has been searched for them.
    entries: HashMap<Vec<u8>, Option<ZipEntry>>,
    /// Number of worksheets that have got their strings.
    sheets: usize,
}

/// The parts that have the texts of the links of an entry with relationships.
pub(super) struct RelatedParts {
    part: ZipEntry,
    /// The strings that the cells of a workbook share.
    strings: Option<ZipEntry>,
}

/// Returns the name of an entry in lower case, with slashes.
fn plain_name(name: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| if *byte == b'\\' { b'/' } else { byte.to_ascii_lowercase() };
    name.iter().map(plain).collect()
}

fn is_relationships(name: &[u8]) -> bool {
    name.len().checked_sub(5).is_some_and(|at| name[at..].eq_ignore_ascii_case(b".rels"))
}

/// Returns the name of the part whose relationships an entry has, in lower case.
fn part_of(name: &[u8]) -> Option<Vec<u8>> {
    let name = plain_name(name);
    let stem = name.strip_suffix(b".rels")?;
    let (folder, part) = match memchr::memrchr(b'/', stem) {
        Some(slash) => (&stem[..slash], &stem[slash + 1..]),
        None => return None,
    };
    let folder = folder.strip_suffix(b"_rels")?;
    (!part.is_empty()).then(|| [folder, part].concat())
}

/// Returns the name of the part with the strings of the workbook that a part belongs to.
fn strings_of(part: &[u8]) -> Option<Vec<u8>> {
    let at = memchr::memmem::find(part, b"worksheets/")?;
    Some([&part[..at], b"sharedstrings.xml"].concat())
}

impl PackageParts {
    /// Notes the part that an entry with this name is about.
    pub(super) fn note(&mut self, name: &[u8]) {
        let is_too_much = name.len() > MOST_NAME || self.entries.len() >= MOST_PARTS;
        if !is_relationships(name) || is_too_much {
            return;
        }
        if let Some(part) = part_of(name) {
            self.entries.extend(strings_of(&part).map(|strings| (strings, None)));
            self.entries.insert(part, None);
        }
    }

    /// Finds the entries of the parts.
    pub(super) fn find(&mut self, directory: &Directory, window: &SourceRange) -> io::Result<()> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let mut entries = directory.entries(window);
        while let Some(entry) = entries.next()? {
            if let Some(found) = self.entries.get_mut(&plain_name(&entry.name)) {
                found.get_or_insert(entry);
            }
        }
        Ok(())
    }

    /// Takes the parts that have the texts of the links of an entry with this name; each part is read once.
    pub(super) fn take(&mut self, name: &[u8]) -> Option<RelatedParts> {
        if self.entries.is_empty() || !is_relationships(name) {
            return None;
        }
        let name = part_of(name)?;
        let part = self.entries.get_mut(&name)?.take()?;
        let strings = strings_of(&name).filter(|_| self.sheets < MOST_SHEETS);
        let strings = strings.and_then(|strings| self.entries.get(&strings)?.clone());
        self.sheets += usize::from(strings.is_some());
        Some(RelatedParts { part, strings })
    }
}

impl ContainerWalk<'_> {
    /// Returns the texts of the links of an entry with relationships, if one of them leads out of the package.
    pub(super) fn texts(
        &mut self,
        parts: &RelatedParts,
        relations: &Located<'_>,
        base: EntryBase,
    ) -> Option<PackageTexts> {
        let content = self.content(relations, MOST_RELATIONS)?;
        memchr::memmem::find(&content, b"External")?;
        let mut read = |entry: &ZipEntry| {
            let at = base.place(relations.window, entry).ok()?;
            self.content(&Located { at, entry, ..*relations }, limits::WHOLE)
        };
        let part = read(&parts.part)?;
        let texts = PackageTexts::of_part(&part, || read(parts.strings.as_ref()?));
        (!texts.is_empty()).then_some(texts)
    }

    /// Returns the content of an entry, as far as this length and the first fault, which is reported when the entry is read as a document.
    fn content(&mut self, located: &Located<'_>, most: usize) -> Option<Vec<u8>> {
        let EntryContent { codec, start, stored } = located.content().ok()?;
        let (mut content, most) = (Vec::new(), most as u64);
        // What was read before a fault is there.
        match codec {
            None => {
                let read = stored.take(most).read_to_end(&mut content).ok()?;
                self.budget.spend(read as u64).then_some(read)
            }
            Some(codec) => {
                let held = self.spare.pop().unwrap_or_default();
                let mut feed = LookaheadReader::reusing(held, Box::new(stored), start);
                let late = LateFault::default();
                let reader = self.metered(codec, &mut feed, Some(located.entry.stored), &late);
                let read = reader.ok()?.take(most).read_to_end(&mut content).ok();
                self.spare.push(feed.into_memory());
                read
            }
        };
        Some(content)
    }
}

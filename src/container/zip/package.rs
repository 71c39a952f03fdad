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
/// Bytes of relationships in which a target outside the package is searched.
const MOST_RELATIONS: usize = 1 << 20;

/// Parts of a package that have relationships, by their names in lower case.
#[derive(Default)]
pub(super) struct PackageParts {
    /// `None` until the directory has been searched for them.
    entries: HashMap<Vec<u8>, Option<ZipEntry>>,
}

/// The parts that have the texts of the links of an entry with relationships.
pub(super) struct RelatedParts {
    part: ZipEntry,
    /// The strings that the cells of a workbook share.
    strings: Option<ZipEntry>,
}

/// Returns the name of the part whose relationships an entry has, in lower case.
fn part_of(name: &[u8]) -> Option<Vec<u8>> {
    let name = name.to_ascii_lowercase();
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
        if !name.ends_with(b".rels") || self.entries.len() >= MOST_PARTS {
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
            if let Some(found) = self.entries.get_mut(&entry.name.to_ascii_lowercase()) {
                found.get_or_insert(entry);
            }
        }
        Ok(())
    }

    /// Returns the parts that have the texts of the links of an entry with this name.
    pub(super) fn of(&self, name: &[u8]) -> Option<RelatedParts> {
        if self.entries.is_empty() || !name.ends_with(b".rels") {
            return None;
        }
        let entry = |name: &[u8]| self.entries.get(name)?.clone();
        let part = part_of(name)?;
        let strings = strings_of(&part).and_then(|strings| entry(&strings));
        Some(RelatedParts { part: entry(&part)?, strings })
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
            None => stored.take(most).read_to_end(&mut content).ok(),
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

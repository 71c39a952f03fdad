//! Runs of a paragraph of Office: a text ends where the link of its runs changes, and goes on without a hidden run.
//!
//! The properties of a run come before its text: `<a:rPr><a:hlinkClick r:id="rId2"/></a:rPr><a:t>…`, `<w:rPr><w:vanish/></w:rPr><w:t>…`.

use super::Xml;
use super::flow::Flow;
use super::scope::number;
use super::vocabulary::Vocabulary;

/// Properties of a run that decide about its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RunProperties {
    /// Number of the link's identifier; 0 without a link.
    link: u64,
    is_hidden: bool,
    /// Whether the properties that come are those before a change.
    is_changed: bool,
}

/// Runs of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ParagraphRuns {
    /// The run that is open.
    run: RunProperties,
    /// The run that the open text, or the last one, is from.
    text: RunProperties,
}

impl ParagraphRuns {
    /// Returns `true` if the text of the run that is open is no part of a text that is open.
    pub(super) fn ends_text(self) -> bool {
        let Self { run, text } = self;
        run.link != text.link || text.is_hidden && !run.is_hidden
    }

    /// Begins the text of the run in a paragraph; returns `true` if it is hidden and the open text is not.
    fn begin_text(&mut self, is_open: bool) -> bool {
        let is_aside = is_open && self.run.is_hidden && !self.text.is_hidden;
        if !is_aside {
            self.text = self.run;
        }
        is_aside
    }
}

impl Xml {
    /// Notes an element that begins a run, or is a property of one, and returns its relation to the text around it.
    pub(super) fn note_run(&mut self, local: &[u8], flow: Flow) -> Flow {
        let is_property = flow == Flow::Properties;
        let runs = &mut self.runs;
        match (self.tag.vocabulary, local) {
            (Vocabulary::Word, b"r") | (Vocabulary::Drawing, b"r" | b"fld") => {
                runs.run = RunProperties::default();
            }
            (Vocabulary::Word, b"rPrChange") => runs.run.is_changed = true,
            (Vocabulary::Word, b"vanish") if is_property => {
                runs.run.is_hidden |= !runs.run.is_changed;
            }
            (Vocabulary::Word | Vocabulary::Drawing, b"t")
                if flow == Flow::Text && runs.begin_text(self.open) =>
            {
                return Flow::Aside;
            }
            _ => {}
        }
        flow
    }

    /// Notes an attribute of a property of a run.
    pub(super) fn note_property(&mut self, local: &[u8], value: &[u8]) {
        if self.scope.flow() != Flow::Properties {
            return;
        }
        let runs = &mut self.runs;
        match (self.tag.vocabulary, self.tag.local_name(), local) {
            (Vocabulary::Drawing, "hlinkclick", b"id") => runs.run.link = number(value),
            (Vocabulary::Word, "vanish", b"val") => {
                runs.run.is_hidden &= !matches!(value, b"0" | b"false" | b"off");
            }
            _ => {}
        }
    }
}

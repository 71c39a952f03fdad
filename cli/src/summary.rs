//! Files with the numbers of a run: totals as JSON, and the number of links of each value as lines.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::args::{Counted, Writing};
use crate::facts::{About, Counts, by_domain, sorted};
use crate::report::{self, Run};
use crate::safe;
use crate::writing::Whole;

/// Totals, in the order in which they are written.
#[derive(Serialize)]
struct Summary<'c> {
    inputs: u64,
    /// Number of inputs with a failure.
    failed: u64,
    documents: u64,
    bytes_stored: u64,
    bytes_expanded: u64,
    links: u64,
    seconds: f64,
    links_by_kind: Values<'c>,
    links_by_scheme: Values<'c>,
    links_by_context: Values<'c>,
    links_by_charset: Values<'c>,
    warnings: Values<'c>,
    refused: Values<'c>,
    documents_by_charset: Values<'c>,
    charset_known_from: Values<'c>,
    failures: Values<'c>,
    notices: Values<'c>,
}

/// Values with their counts, in order.
struct Values<'c>(Vec<(&'c str, u64)>);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (value, count) in &self.0 {
            map.serialize_entry(value, count)?;
        }
        map.end()
    }
}

/// Files that are written at the end of a run. The start of the run checks that they can be written.
pub(crate) struct Pages {
    totals: Option<Whole>,
    histograms: Vec<(Counted, Whole)>,
    report: Option<Whole>,
}

impl Pages {
    /// Checks whether all these files can be written.
    ///
    /// # Errors
    ///
    /// Returns the reason why one of them cannot be written.
    pub(crate) fn open(writing: &Writing) -> Result<Pages, String> {
        let Writing { summary, histogram, report, .. } = writing;
        let open = |name: &Option<_>| name.as_deref().map(Whole::open).transpose();
        let histograms = histogram.iter().map(|one| Ok((one.of, Whole::open(&one.file)?)));
        Ok(Pages {
            totals: open(summary)?,
            histograms: histograms.collect::<Result<_, String>>()?,
            report: open(report)?,
        })
    }

    /// Writes all these files, each completely or not at all.
    ///
    /// # Errors
    ///
    /// Returns errors of the system, with the file; files after it are not written.
    pub(crate) fn write(self, counts: &Counts, run: &Run) -> Result<(), String> {
        if let Some(file) = self.totals {
            file.write(&totals(counts, run)?)?;
        }
        for (of, file) in self.histograms {
            file.write(&histogram(of, counts))?;
        }
        match self.report {
            Some(file) => file.write(report::page(counts, run).as_bytes()),
            None => Ok(()),
        }
    }
}

/// Returns the totals as JSON.
fn totals(counts: &Counts, run: &Run) -> Result<Vec<u8>, String> {
    let values = |about| Values(counts.sorted(about));
    let summary = Summary {
        inputs: counts.one(About::Input, "all"),
        failed: counts.one(About::Input, "failed"),
        documents: counts.one(About::Input, "documents"),
        bytes_stored: counts.one(About::Bytes, "stored"),
        bytes_expanded: counts.one(About::Bytes, "expanded"),
        links: run.links,
        seconds: (run.seconds * 1000.0).round() / 1000.0,
        links_by_kind: values(About::Kind),
        links_by_scheme: values(About::Scheme),
        links_by_context: values(About::Context),
        links_by_charset: values(About::Charset),
        warnings: values(About::Warning),
        refused: values(About::Rejected),
        documents_by_charset: values(About::Document),
        charset_known_from: values(About::KnownFrom),
        failures: values(About::Failure),
        notices: values(About::Notice),
    };
    let mut text = serde_json::to_vec_pretty(&summary).map_err(|error| error.to_string())?;
    safe::json_since(0, &mut text);
    text.push(b'\n');
    Ok(text)
}

/// Returns the number of links of each value, the most frequent first.
fn histogram(of: Counted, counts: &Counts) -> Vec<u8> {
    let domains;
    let values = match of {
        Counted::By(about) => counts.sorted(about),
        Counted::Domain => {
            domains = by_domain(counts);
            sorted(domains.iter().map(|(domain, count)| (*domain, *count)))
        }
    };
    let mut text = Vec::new();
    for (value, count) in values {
        text.extend_from_slice(count.to_string().as_bytes());
        text.push(b'\t');
        safe::push(value.as_bytes(), &mut text);
        text.push(b'\n');
    }
    text
}

//! Options for output files and long runs.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::number::number;
use crate::facts::About;

/// Options for output files and resumable runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files and long runs")]
pub(crate) struct Writing {
    /// Write to FILE; .gz and .zst compress it
    ///
    /// The extensions .jsonl, .csv and .parquet (if built with the feature `parquet`) select the form. A file that has
    /// content is only replaced with --force.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace files that exist, at the end of the run
    ///
    /// Without it, no option that writes a file changes one that has content.
    #[arg(long, hide_short_help = true)]
    pub(crate) force: bool,

    /// Save progress to STATE, and resume from it if it exists
    ///
    /// Use it for long runs: after a crash or a full disk, the same command continues where it stopped. It needs
    /// --output.
    #[arg(long, value_name = "STATE", requires = "output", hide_short_help = true)]
    pub(crate) resume: Option<PathBuf>,

    /// Save progress every N seconds
    ///
    /// 0: after each input, and after about each MiB of an archive.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(crate) checkpoint: u64,

    /// Read only every N-th file, from the I-th, to share a run among machines
    ///
    /// The files are numbered in the list of all files that the inputs lead to. I is from 1 to N.
    #[arg(long, value_name = "I/N", hide_short_help = true)]
    pub(crate) shard: Option<Shard>,

    /// Write errors to FILE, one JSON object per line
    ///
    /// The fields are path, member, offset, code and message.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) errors: Option<PathBuf>,

    /// Write the inputs that failed to FILE, in the form that --files-from reads
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) failed: Option<PathBuf>,

    /// Write the totals of the run to FILE, as a JSON object
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) summary: Option<PathBuf>,

    /// Write a page about the run to FILE, to open in a browser
    ///
    /// The page needs no network.
    #[arg(long, value_name = "FILE.html", hide_short_help = true)]
    pub(crate) report: Option<PathBuf>,

    /// Write how many links each KIND has to FILE, most frequent first
    ///
    /// KIND is host, domain, scheme, charset or context. A line has the number, a TAB and the value.
    #[arg(long, value_name = "KIND=FILE", hide_short_help = true)]
    pub(crate) histogram: Vec<Histogram>,
}

/// One of several shares of the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let shard = Shard { number: number.parse().ok()?, of: of.parse().ok()? };
            (1..=shard.of).contains(&shard.number).then_some(shard)
        });
        parsed.ok_or_else(|| "expected I/N, with I from 1 to N".to_owned())
    }
}

/// Kind of value that a histogram counts, and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Histogram {
    pub(crate) of: Counted,
    pub(crate) file: PathBuf,
}

/// Kind of value that a histogram counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    By(About),
    /// The registered domain of the host.
    Domain,
}

impl FromStr for Histogram {
    type Err = String;

    fn from_str(text: &str) -> Result<Histogram, String> {
        let Some((kind, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
            return Err("expected KIND=FILE, such as host=hosts.tsv".to_owned());
        };
        let of = match kind {
            "host" => Counted::By(About::Host),
            "domain" => Counted::Domain,
            "scheme" => Counted::By(About::Scheme),
            "charset" => Counted::By(About::Charset),
            "context" => Counted::By(About::Context),
            _ => {
                return Err(format!(
                    "unknown kind {kind:?}: expected one of host, domain, scheme, charset, context"
                ));
            }
        };
        Ok(Histogram { of, file: file.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_from_one_to_their_number() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        for text in ["0/3", "4/3", "1", "1/", "/2", "0/0", "-1/2", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn histograms_have_a_kind_and_a_file() {
        let parsed: Histogram = "domain=a=b".parse().unwrap();
        assert_eq!(parsed, Histogram { of: Counted::Domain, file: "a=b".into() });
        for text in ["host", "host=", "=x", "uri=x"] {
            assert!(text.parse::<Histogram>().is_err(), "{text}");
        }
    }
}

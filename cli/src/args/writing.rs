//! Where results go beside standard output, and what is kept of a long run.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::facts::About;

/// Files that are written, and runs that can be gone on with.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files and long runs")]
pub(crate) struct Writing {
    /// Write to FILE instead of standard output; .gz and .zst at its end compress, .jsonl, .csv and .parquet (built with the feature `parquet`) say the form
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Keep in STATE how far the run has come, and go on there if STATE exists: after a kill, a full disk
    #[arg(long, value_name = "STATE", requires = "output")]
    pub(crate) resume: Option<PathBuf>,

    /// Seconds between two writes of STATE; 0: after each input, and after each MiB or so of an archive
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) checkpoint: u64,

    /// Read only every N-th file, from the I-th, of the list that all paths come to: the share of one of N
    /// machines
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,

    /// Write what failed to FILE, one JSON object a line: path, member, offset, code, message
    #[arg(long, value_name = "FILE")]
    pub(crate) errors: Option<PathBuf>,

    /// Write the inputs of which something failed to FILE, as --files-from reads them
    #[arg(long, value_name = "FILE")]
    pub(crate) failed: Option<PathBuf>,

    /// Write the totals of the run to FILE, as a JSON object
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,

    /// Write a page about the run to FILE, to look at in a browser; it needs no network
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// Write how many links there are of each host, domain, scheme, charset or context to FILE, the most
    /// frequent first, with a TAB after the number
    #[arg(long, value_name = "KIND=FILE")]
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
        parsed.ok_or_else(|| "a shard is I/N, with I from 1 to N".to_owned())
    }
}

/// What is counted, and where that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Histogram {
    pub(crate) of: Counted,
    pub(crate) file: PathBuf,
}

/// What a histogram counts links by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    By(About),
    /// The domain that somebody registered, of the host.
    Domain,
}

impl FromStr for Histogram {
    type Err = String;

    fn from_str(text: &str) -> Result<Histogram, String> {
        let Some((kind, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
            return Err("a histogram is KIND=FILE, such as host=hosts.tsv".to_owned());
        };
        let of = match kind {
            "host" => Counted::By(About::Host),
            "domain" => Counted::Domain,
            "scheme" => Counted::By(About::Scheme),
            "charset" => Counted::By(About::Charset),
            "context" => Counted::By(About::Context),
            _ => {
                return Err(format!("{kind} is none of host, domain, scheme, charset and context"));
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

//! Options that decide what is a link.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use linksift::iri::HostMapping;
use linksift::{Boundaries, Forbidden, LinkKind, References, Severity, Userinfo};
use regex::Regex;

use super::reading::words;
use super::size::size;

/// The settings of the finder.
#[derive(Debug, Args)]
#[command(next_help_heading = "Links")]
pub(crate) struct Finding {
    /// Find only these schemes: a list, known, or any
    ///
    /// LIST has commas between the names. It also applies to hosts without a scheme, which get --default-scheme, and
    /// to e-mail addresses, which get mailto.
    #[arg(long, value_name = "LIST", default_value = "known")]
    pub(crate) schemes: String,

    /// Skip hosts without a scheme, such as example.com/x
    #[arg(long)]
    pub(crate) no_schemeless: bool,

    /// Skip e-mail addresses, with or without mailto:
    #[arg(long)]
    pub(crate) no_emails: bool,

    /// Use SCHEME for hosts without a scheme
    #[arg(long, value_name = "SCHEME", default_value = "https", hide_short_help = true)]
    pub(crate) default_scheme: String,

    /// End links by UTS #58, with or without rules for prose
    ///
    /// The rules for prose include those for scripts that are written without spaces.
    #[arg(long, value_name = "RULES", default_value_t = Boundaries::default(), value_parser = words::<Boundaries>(["prose", "uts58"]), hide_short_help = true)]
    pub(crate) boundaries: Boundaries,

    /// Reject http links with user information in running text, or warn
    ///
    /// Such a link is http://me@example.org.
    #[arg(long, value_name = "WHAT", default_value_t = Userinfo::default(), value_parser = words::<Userinfo>(["refuse", "warn"]), hide_short_help = true)]
    pub(crate) userinfo: Userinfo,

    /// Resolve numeric character references (&#46;), or do not
    #[arg(long, value_name = "WHEN", default_value_t = References::default(), value_parser = words::<References>(["auto", "never"]), hide_short_help = true)]
    pub(crate) references: References,

    /// Map non-ASCII hosts by IDNA, percent-encode them, or keep them
    #[arg(long, value_name = "FORM", default_value_t = HostMapping::default(), value_parser = words::<HostMapping>(["ascii", "percent", "unicode"]), hide_short_help = true)]
    pub(crate) host: HostMapping,

    /// Percent-encode ASCII characters that URIs forbid, or reject the link
    #[arg(long, value_name = "WHAT", default_value_t = Forbidden::default(), value_parser = words::<Forbidden>(["encode", "refuse"]), hide_short_help = true)]
    pub(crate) forbidden: Forbidden,

    /// Encode the query of an http link in this encoding
    ///
    /// auto: in the encoding of the document if that is a legacy one, otherwise in UTF-8.
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = ["auto", "utf-8"], hide_short_help = true)]
    pub(crate) query_charset: String,

    /// Warn about hosts that look like a host listed in FILE
    ///
    /// FILE has one host per line; # begins a comment. A link to a look-alike gets the warning host-lookalike.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) known_hosts: Option<PathBuf>,

    /// Print only links with a warning of this LEVEL or higher
    ///
    /// The levels are note, suspect and deceptive; without a value: suspect. Rejected candidates with such a
    /// warning are printed too.
    #[arg(
        long, value_enum, value_name = "LEVEL", num_args = 0..=1, require_equals = true,
        default_missing_value = "suspect", hide_possible_values = true)]
    pub(crate) suspicious: Option<Suspicious>,

    /// Reject links longer than BYTES
    ///
    /// 10k and 1M are 10240 and 1048576.
    #[arg(long, value_name = "BYTES", value_parser = size, allow_negative_numbers = true, default_value_t = linksift::DEFAULT_MAX_LINK, hide_short_help = true)]
    pub(crate) max_link: usize,

    /// Skip relative references in markup, such as href="../a"
    ///
    /// They are skipped whether or not a base resolves them.
    #[arg(long, hide_short_help = true)]
    pub(crate) no_references: bool,

    /// Find only links of these kinds
    ///
    /// iri: with a scheme; schemeless: without one; email: e-mail addresses; reference: relative references. LIST has
    /// commas between them.
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', hide_short_help = true)]
    pub(crate) kinds: Vec<Kind>,

    /// Find only links in these contexts: text, a@href, img@srcset, style, ...
    ///
    /// * matches any prefix or suffix, as in "header:*". LIST has commas between them.
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_short_help = true)]
    pub(crate) contexts: Vec<String>,

    /// Find only links whose URI matches this regular expression
    ///
    /// The match may be anywhere in the URI. Of rejected candidates, which have no URI, the IRI must match.
    #[arg(long = "match", value_name = "REGEX", hide_short_help = true)]
    pub(crate) matching: Option<Regex>,

    /// Find only links to these hosts and their subdomains
    ///
    /// example.com also selects www.example.com, *.example.com only the hosts below example.com. LIST has commas between them.
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_short_help = true)]
    pub(crate) host_is: Vec<String>,

    /// Skip links to these hosts and their subdomains
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_short_help = true)]
    pub(crate) not_host: Vec<String>,

    /// HTML: also read data-src, data-href, data-srcset, data-url, data-original
    ///
    /// Also data-bg, data-lazy-src, data-lazy-srcset. Scripts replace src and similar attributes with
    /// these ("lazy loading").
    #[arg(long, hide_short_help = true)]
    pub(crate) lazy: bool,

    /// Skip links in code: source code, settings, and blocks and spans of code in Markdown and HTML
    #[arg(long, hide_short_help = true)]
    pub(crate) no_code: bool,

    /// Skip running text in markup; read only attributes and similar values
    #[arg(long, hide_short_help = true)]
    pub(crate) no_text: bool,
}

/// Kind of a link, by how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Iri,
    Schemeless,
    Email,
    Reference,
}

impl From<Kind> for LinkKind {
    fn from(kind: Kind) -> LinkKind {
        match kind {
            Kind::Iri => LinkKind::Absolute,
            Kind::Schemeless => LinkKind::Schemeless,
            Kind::Email => LinkKind::Email,
            Kind::Reference => LinkKind::Reference,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Suspicious {
    Note,
    Suspect,
    Deceptive,
}

impl From<Suspicious> for Severity {
    fn from(severity: Suspicious) -> Severity {
        match severity {
            Suspicious::Note => Severity::Note,
            Suspicious::Suspect => Severity::Suspect,
            Suspicious::Deceptive => Severity::Deceptive,
        }
    }
}

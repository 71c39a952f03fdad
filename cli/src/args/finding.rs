//! What a link is.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use linksift::{Boundaries, Forbidden, HostForm, LinkKind, References, Severity, Userinfo};
use regex::Regex;

use super::reading::words;
use super::size::size;

/// The settings of the finder.
#[derive(Debug, Args)]
#[command(next_help_heading = "Links")]
pub(crate) struct Finding {
    /// Which schemes are links: names with commas between them, "known", or "any"
    #[arg(long, value_name = "LIST", default_value = "known")]
    pub(crate) schemes: String,

    /// Leave out hosts without a scheme, such as example.com/x
    #[arg(long)]
    pub(crate) no_schemeless: bool,

    /// Leave out e-mail addresses, with and without "mailto:"
    #[arg(long)]
    pub(crate) no_emails: bool,

    /// The scheme given to hosts without one
    #[arg(long, value_name = "SCHEME", default_value = "https")]
    pub(crate) default_scheme: String,

    /// Where links end: with the rules for prose in scripts without spaces, or by UTS #58 alone
    #[arg(long, value_name = "RULES", default_value_t = Boundaries::default(), value_parser = words::<Boundaries>(["prose", "uts58"]))]
    pub(crate) boundaries: Boundaries,

    /// What becomes of http links with user information (http://me@example.org) in running text
    #[arg(long, value_name = "WHAT", default_value_t = Userinfo::default(), value_parser = words::<Userinfo>(["refuse", "warn"]))]
    pub(crate) userinfo: Userinfo,

    /// Whether numeric character references (&#46;) are resolved
    #[arg(long, value_name = "WHEN", default_value_t = References::default(), value_parser = words::<References>(["auto", "never"]))]
    pub(crate) references: References,

    /// How a host that is not ASCII is mapped: by IDNA, percent-encoded, or not at all
    #[arg(long, value_name = "FORM", default_value_t = HostForm::default(), value_parser = words::<HostForm>(["ascii", "percent", "unicode"]))]
    pub(crate) host: HostForm,

    /// What becomes of ASCII that URIs forbid, inside a link: percent-encode it, or refuse the link
    #[arg(long, value_name = "WHAT", default_value_t = Forbidden::default(), value_parser = words::<Forbidden>(["encode", "refuse"]))]
    pub(crate) forbidden: Forbidden,

    /// The charset of an http link's query: the document's, if it is in a legacy one, or always UTF-8
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = ["auto", "utf-8"])]
    pub(crate) query_charset: String,

    /// Hosts that others must not resemble, one a line (# begins a comment): a link to a look-alike has the warning
    /// host-lookalike
    #[arg(long, value_name = "FILE")]
    pub(crate) known_hosts: Option<PathBuf>,

    /// Only links with a warning of this severity or more, rejected ones too: note, suspect or
    /// deceptive; suspect if none is given
    #[arg(
        long, value_enum, value_name = "SEVERITY", num_args = 0..=1, require_equals = true,
        default_missing_value = "suspect"
    )]
    pub(crate) suspicious: Option<Suspicious>,

    /// The longest link; what is longer is rejected. 10k and 1M are 10240 and 1048576
    #[arg(long, value_name = "BYTES", value_parser = size, default_value_t = linksift::DEFAULT_MAX_LINK)]
    pub(crate) max_link: usize,

    /// Leave out relative references of markup, such as href="../a", resolved or not
    #[arg(long)]
    pub(crate) no_references: bool,

    /// Only links of these kinds: with a scheme, without one, e-mail addresses, relative references
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub(crate) kinds: Vec<Kind>,

    /// Only links that stood in these places: text, a@href, img@srcset, style and so on, with *
    /// for any beginning or end, such as "header:*"
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) contexts: Vec<String>,

    /// Only links whose URI this regular expression matches, anywhere in it
    #[arg(long = "match", value_name = "REGEX")]
    pub(crate) matching: Option<Regex>,

    /// Only links to these hosts and to what is below them: example.com is www.example.com too
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) host_is: Vec<String>,

    /// No links to these hosts and to what is below them
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) not_host: Vec<String>,

    /// In HTML, read data-src, data-href, data-srcset, data-url and data-original too, which scripts put in the
    /// place of src and its like
    #[arg(long)]
    pub(crate) lazy: bool,

    /// In markup, only attributes and the like, not running text
    #[arg(long)]
    pub(crate) no_text: bool,
}

/// What a link is by the way it is written.
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
            Kind::Iri => LinkKind::Iri,
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

//! Settings: what the scan looks for.

use std::fmt;
use std::str::FromStr;

use crate::codes::coded;
use crate::iri::{Error, Scheme};

/// Which schemes are links. Default: `Known`.
///
/// ```
/// use linksift::Schemes;
///
/// let schemes: Schemes = "https,GOPHER".parse()?;
/// assert_eq!(schemes.to_string(), "https,gopher");
/// assert_eq!("any".parse(), Ok(Schemes::Any));
/// assert!("ht tp".parse::<Schemes>().is_err());
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schemes {
    /// Those that are registered as permanent or provisional, and unregistered ones in wide use.
    #[default]
    Known,
    /// Whatever fits the grammar of a scheme.
    Any,
    /// Only links whose URI has one of these. A host without a scheme counts as the default scheme, an address as
    /// `mailto`, a relative reference as what it resolves to. Everything else that would be a link is rejected
    /// with [`Reason::SchemeNotSelected`](crate::Reason::SchemeNotSelected).
    List(Vec<Scheme>),
}

impl Schemes {
    /// Returns `true` if a list does not exclude links whose URI has this scheme.
    #[inline]
    pub(crate) fn selects(&self, scheme: &str) -> bool {
        match self {
            Schemes::Known | Schemes::Any => true,
            Schemes::List(list) => list.iter().any(|one| one.as_str().eq_ignore_ascii_case(scheme)),
        }
    }
}

impl FromStr for Schemes {
    type Err = Error;

    /// Reads `known`, `any`, or names with commas between them.
    ///
    /// # Errors
    ///
    /// Returns an error for the first invalid name, with the offset of its first invalid byte.
    fn from_str(list: &str) -> Result<Schemes, Error> {
        match list {
            "known" => return Ok(Schemes::Known),
            "any" => return Ok(Schemes::Any),
            _ => {}
        }
        let mut start = 0;
        let names = list.split(',').map(|name| {
            let scheme = name.parse::<Scheme>();
            let at = start;
            start += name.len() + 1;
            scheme.map_err(|error| error.moved(at))
        });
        names.collect::<Result<_, _>>().map(Schemes::List)
    }
}

impl fmt::Display for Schemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schemes::Known => f.write_str("known"),
            Schemes::Any => f.write_str("any"),
            Schemes::List(list) => {
                for (n, scheme) in list.iter().enumerate() {
                    write!(f, "{}{scheme}", if n == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

coded! {
    /// Where links end in running text. Default: `Prose`.
    ///
    /// ```
    /// assert_eq!("uts58".parse(), Ok(linksift::Boundaries::Uts58));
    /// ```
    pub enum Boundaries in "linksift" default Prose {
        /// By UTS #58, with rules for prose in scripts that are written without spaces.
        Prose = "prose",
        /// By UTS #58 alone.
        Uts58 = "uts58",
    }
}

coded! {
    /// Whether character references are resolved before a candidate is checked. Default: `Auto`.
    ///
    /// ```
    /// assert_eq!("never".parse(), Ok(linksift::References::Never));
    /// ```
    pub enum References in "linksift" default Auto {
        /// Numeric ones in any text.
        Auto = "auto",
        /// None.
        Never = "never",
    }
}

coded! {
    /// Treatment of http links with user information in running text. Default: `Refuse`.
    ///
    /// ```
    /// assert_eq!("warn".parse(), Ok(linksift::Userinfo::Warn));
    /// ```
    pub enum Userinfo in "linksift" default Refuse {
        /// They are rejected with [`Reason::Userinfo`](crate::Reason::Userinfo), as UTS #58 has it.
        Refuse = "refuse",
        /// They are links with the warning [`Warning::Userinfo`](crate::Warning::Userinfo).
        Warn = "warn",
    }
}

/// Kind of a text, which some rules for prose depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Prose.
    #[default]
    Prose,
    /// Source code and settings, in which a name with a dot in it is rather a member of an object.
    Code,
    /// YAML: as `Code`, but names of Kubernetes are not hosts.
    Yaml,
    /// AsciiDoc, in which a square bracket begins the label of a link.
    Asciidoc,
    /// RTF, in which a backslash begins a control word, and braces a group.
    Rtf,
    /// A value of data, such as a string of JSON or a cell of a table: it ends where its quotation marks would.
    Value,
}

impl TextKind {
    /// Returns `true` if the character is markup of this kind of text that ends a link.
    #[inline]
    pub(crate) fn is_markup(self, code: u32) -> bool {
        match self {
            TextKind::Asciidoc => code == u32::from('['),
            TextKind::Rtf => matches!(char::from_u32(code), Some('\\' | '{' | '}')),
            TextKind::Prose | TextKind::Code | TextKind::Yaml | TextKind::Value => false,
        }
    }

    /// Returns `true` for source code and settings.
    pub(crate) fn is_code(self) -> bool {
        matches!(self, TextKind::Code | TextKind::Yaml)
    }
}

/// Settings of a scan.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) schemes: Schemes,
    pub(crate) schemeless: bool,
    /// The input is binary: markup in it is not tokenized.
    pub(crate) is_binary: bool,
    pub(crate) emails: bool,
    pub(crate) boundaries: Boundaries,
    pub(crate) references: References,
    pub(crate) userinfo: Userinfo,
    pub(crate) max_link: usize,
}

impl Settings {
    /// Returns `true` if a link continues over a control sequence of a terminal that changes how it looks.
    #[inline(always)]
    pub(crate) fn links_go_over_sequences(&self) -> bool {
        self.boundaries == Boundaries::Prose && !self.is_binary
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            schemes: Schemes::Known,
            schemeless: true,
            is_binary: false,
            emails: true,
            boundaries: Boundaries::Prose,
            references: References::Auto,
            userinfo: Userinfo::Refuse,
            max_link: crate::limits::LINK,
        }
    }
}

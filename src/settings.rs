//! Settings by name, as the command's options and the bindings have them.
//!
//! A name and a value come in, both texts; what goes out is a finder and what is known of a document. A
//! program in Rust sets these by methods instead ([`FinderBuilder`], [`Hints`]); this is for callers
//! that read them from a file or come from another language.

use std::fmt;

use crate::document::Hints;
use crate::finder::{Finder, FinderBuilder};
use crate::html::{self, Linkify, Newlines};

/// Settings of a finder and of documents by the names of the command's options.
///
/// | name | value | sets |
/// |---|---|---|
/// | `schemes` | `known`, `any`, names with commas between | [`FinderBuilder::schemes`] |
/// | `schemeless`, `emails` | `yes` or `no` | [`FinderBuilder::schemeless`], [`emails`](FinderBuilder::emails) |
/// | `default-scheme` | a scheme | [`FinderBuilder::default_scheme`] |
/// | `boundaries` | `prose`, `uts58` | [`FinderBuilder::boundaries`] |
/// | `references` | `auto`, `never` | [`FinderBuilder::references`] |
/// | `host` | `ascii`, `percent`, `unicode` | [`FinderBuilder::host`] |
/// | `forbidden` | `encode`, `refuse` | [`FinderBuilder::forbidden`] |
/// | `query-charset` | `auto`, `utf-8` | [`FinderBuilder::query_charset`] |
/// | `max-link` | a number of bytes | [`FinderBuilder::max_link`] |
/// | `format` | `auto`, `text`, `html` and so on | [`Hints::format`]; default here: `auto` |
/// | `charset` | a label of the Encoding Standard | [`Hints::charset`] |
/// | `base` | an IRI | [`Hints::base`] |
/// | `name` | a document's name | [`Hints::name`] |
/// | `text`, `positions` | `yes` or `no` | [`Hints::text`], [`Hints::positions`] |
/// | `headers` | `none`, `links`, `all` | `Hints::headers` (feature `mail`) |
/// | `alternatives` | `all`, `best` | `Hints::alternatives` (feature `mail`) |
/// | `join-wrapped` | `auto`, `never` | `Hints::join_wrapped` (feature `mail`) |
/// | `class`, `target`, `rel` | the attribute's value | [`Linkify::class`], [`target`](Linkify::target), [`rel`](Linkify::rel) |
/// | `newlines` | `keep`, `break` | [`Linkify::newlines`] |
/// | `citations` | `yes` or `no` | [`Linkify::citations`] |
///
/// `_` in a name is read as `-`; `yes`, `true`, `on` and `1` are one value, and so are `no`, `false`, `off`
/// and `0`.
///
/// ```
/// use linksift::{SettingError, Settings};
///
/// let mut settings = Settings::new();
/// settings.set("schemeless", "no")?;
/// settings.set("default_scheme", "http")?;
/// assert_eq!(settings.finder().links("a.example.com http://b.example.com").count(), 1);
/// assert!(matches!(settings.set("scheme", "any"), Err(SettingError::UnknownName(_))));
/// # Ok::<(), SettingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    finder: FinderBuilder,
    hints: Hints,
    linkify: Linkify,
}

/// Why a setting was not set; its message lists what can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingError {
    /// There is no setting of this name.
    UnknownName(String),
    /// The setting of this name does not take the value.
    BadValue {
        /// The setting.
        name: String,
        /// What it was to be.
        value: String,
        /// What is wrong with it, or what it could be.
        reason: String,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::UnknownName(name) => {
                write!(f, "no setting is called {name:?}; there are {}", Settings::NAMES.join(", "))
            }
            SettingError::BadValue { name, value, reason } => {
                write!(f, "{name} cannot be {value:?}: {reason}")
            }
        }
    }
}

impl std::error::Error for SettingError {}

impl Default for Settings {
    fn default() -> Settings {
        Settings::new()
    }
}

impl Settings {
    /// The names that [`set`](Settings::set) takes.
    pub const NAMES: &'static [&'static str] = &[
        "schemes",
        "schemeless",
        "emails",
        "default-scheme",
        "boundaries",
        "references",
        "host",
        "forbidden",
        "query-charset",
        "max-link",
        "format",
        "charset",
        "base",
        "name",
        "text",
        "positions",
        "headers",
        "alternatives",
        "join-wrapped",
        "class",
        "target",
        "rel",
        "newlines",
        "citations",
    ];

    /// The settings of [`Finder::new`]; documents are of the format that their name or content says.
    pub fn new() -> Settings {
        let hints = Hints::new().format(crate::Format::Auto);
        Settings { finder: Finder::builder(), hints, linkify: Linkify::new() }
    }

    /// Sets what is called `name`.
    ///
    /// # Errors
    ///
    /// There is no such setting, or it does not take the value; all is then as before.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let name = name.replace('_', "-");
        self.set_named(&name, value).map_err(|error| match error {
            Fault::Name => SettingError::UnknownName(name),
            Fault::Value(reason) => {
                SettingError::BadValue { name, value: value.to_owned(), reason }
            }
        })
    }

    fn set_named(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let (finder, hints) = (self.finder.clone(), self.hints.clone());
        let linkify = self.linkify.clone();
        match name {
            "schemes" => self.finder = finder.schemes(value.parse()?),
            "schemeless" => self.finder = finder.schemeless(yes_or_no(value)?),
            "emails" => self.finder = finder.emails(yes_or_no(value)?),
            "default-scheme" => self.finder = finder.default_scheme(value.parse()?),
            "boundaries" => self.finder = finder.boundaries(value.parse()?),
            "references" => self.finder = finder.references(value.parse()?),
            "host" => self.finder = finder.host(value.parse()?),
            "forbidden" => self.finder = finder.forbidden(value.parse()?),
            "query-charset" => {
                let of_document = match value {
                    "auto" => true,
                    "utf-8" => false,
                    _ => return Err(Fault::Value("it is none of auto, utf-8".to_owned())),
                };
                self.finder = finder.query_charset(of_document);
            }
            "max-link" => self.finder = finder.max_link(value.parse()?),
            "format" => self.hints = hints.format(value.parse()?),
            #[cfg(feature = "charset")]
            "charset" => self.hints = hints.charset(value.parse()?),
            "base" => self.hints = hints.base(value.parse()?),
            "name" => self.hints = hints.name(value),
            "text" => self.hints = hints.text(yes_or_no(value)?),
            "positions" => self.hints = hints.positions(yes_or_no(value)?),
            #[cfg(feature = "mail")]
            "headers" => self.hints = hints.headers(value.parse()?),
            #[cfg(feature = "mail")]
            "alternatives" => self.hints = hints.alternatives(value.parse()?),
            #[cfg(feature = "mail")]
            "join-wrapped" => self.hints = hints.join_wrapped(value.parse()?),
            "class" => self.linkify = linkify.class(value),
            "target" => self.linkify = linkify.target(value),
            "rel" => self.linkify = linkify.rel(value),
            "newlines" => {
                self.linkify = linkify.newlines(match value {
                    "keep" => Newlines::Keep,
                    "break" => Newlines::Break,
                    _ => return Err(Fault::Value("it is none of keep, break".to_owned())),
                });
            }
            "citations" => self.linkify = linkify.citations(yes_or_no(value)?),
            _ => return Err(Fault::Name),
        }
        Ok(())
    }

    /// A finder with these settings.
    pub fn finder(&self) -> Finder {
        self.finder.clone().build()
    }

    /// HTML of a text with its links marked, by [`html::linkify`].
    ///
    /// ```
    /// let mut settings = linksift::Settings::new();
    /// settings.set("rel", "")?;
    /// assert_eq!(settings.linkify("<a.de>"), "&lt;<a href=\"https://a.de\">a.de</a>&gt;");
    /// # Ok::<(), linksift::SettingError>(())
    /// ```
    pub fn linkify(&self, text: &str) -> String {
        html::linkify(text, &self.linkify.clone().finder(self.finder()))
    }

    /// What they say of a document.
    pub fn hints(&self) -> Hints {
        self.hints.clone()
    }
}

/// What is wrong with a setting.
enum Fault {
    Name,
    Value(String),
}

impl<E: std::error::Error> From<E> for Fault {
    fn from(error: E) -> Fault {
        Fault::Value(error.to_string())
    }
}

fn yes_or_no(value: &str) -> Result<bool, Fault> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" | "1" => Ok(true),
        "no" | "false" | "off" | "0" => Ok(false),
        _ => Err(Fault::Value("it is none of yes, no".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value that each setting takes, and one that it does not.
    fn samples(name: &str) -> (&'static str, Option<&'static str>) {
        match name {
            "schemes" => ("http,foo", Some("ht tp")),
            "default-scheme" => ("http", Some("not a scheme")),
            "boundaries" => ("uts58", Some("none")),
            "references" => ("never", Some("always")),
            "host" => ("unicode", Some("punycode")),
            "forbidden" => ("refuse", Some("keep")),
            "query-charset" => ("utf-8", Some("latin1")),
            "max-link" => ("100", Some("-1")),
            "format" => ("text", Some("word")),
            "charset" => ("windows-1251", Some("klingon")),
            "base" => ("http://b.example/", Some("not an iri")),
            "name" => ("index.html", None),
            "headers" => ("all", Some("some")),
            "alternatives" => ("best", Some("worst")),
            "join-wrapped" => ("never", Some("always")),
            "class" | "target" | "rel" => ("x", None),
            "newlines" => ("break", Some("cut")),
            _ => ("no", Some("perhaps")),
        }
    }

    #[test]
    fn each_name_takes_its_values_alone() {
        for name in Settings::NAMES {
            let mut settings = Settings::new();
            let (good, bad) = samples(name);
            let is_of_mail = ["headers", "alternatives", "join-wrapped"].contains(name);
            if is_of_mail && !cfg!(feature = "mail")
                || *name == "charset" && !cfg!(feature = "charset")
            {
                assert!(matches!(settings.set(name, good), Err(SettingError::UnknownName(_))));
                continue;
            }
            settings.set(name, good).unwrap();
            settings.set(&name.replace('-', "_"), good).unwrap();
            if let Some(bad) = bad {
                let error = settings.set(name, bad).unwrap_err();
                assert!(matches!(error, SettingError::BadValue { .. }), "{name}: {error}");
                assert!(error.to_string().contains(bad), "{error}");
            }
        }
    }

    #[test]
    fn what_is_set_holds() {
        let mut settings = Settings::new();
        for (name, value) in [("schemes", "foo"), ("emails", "off"), ("schemeless", "FALSE")] {
            settings.set(name, value).unwrap();
        }
        let text = "foo://a/b http://a.de a.de me@a.de";
        let found: Vec<_> =
            settings.finder().links(text).map(|link| link.uri().into_owned()).collect();
        assert_eq!(found, ["foo://a/b"]);
    }
}

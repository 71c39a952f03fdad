//! Settings by name, as the command's options and the bindings have them.
//!
//! Takes names and values as texts; gives a finder and the hints of a document. A program in Rust calls methods
//! instead ([`FinderBuilder`], [`Hints`]); this module is for callers that read settings from a file or come
//! from another language.

mod table;

use std::fmt;
use std::str::FromStr;

use crate::detect::document::Hints;
use crate::document::finder::{Finder, FinderBuilder, Schemes};
use crate::html::Linkify;
use crate::iri::{IriBuf, Scheme, repair};
#[cfg(feature = "known-hosts")]
use crate::trust::KnownHosts;
use table::settings;

/// The rows of the documentation's table.
#[rustfmt::skip]
macro_rules! rows {
    (() $($(#[$cfg:meta])? $name:literal => $part:ident.$method:ident($reader:ident): $values:literal, $meaning:literal;)+) => {
        concat!($("| `", $name, "` | ", $values, " | ", $meaning, " |\n",)+)
    };
}

#[rustfmt::skip]
macro_rules! names {
    (() $($(#[$cfg:meta])? $name:literal => $part:ident.$method:ident($reader:ident): $values:literal, $meaning:literal;)+) => { &[$($(#[$cfg])? $name,)+] };
}

#[rustfmt::skip]
macro_rules! set {
    (($self:ident $wanted:ident $value:ident) $($(#[$cfg:meta])? $name:literal => $part:ident.$method:ident($reader:ident): $values:literal, $meaning:literal;)+) => {
        match $wanted {
            $($(#[$cfg])? $name => $self.$part = $self.$part.clone().$method($reader($value)?),)+
            _ => return Err(SettingFault::Name),
        }
    };
}

/// Settings of a finder and of documents by the names of the command's options.
///
/// | name | value | meaning |
/// |---|---|---|
#[doc = settings!(rows)]
///
/// The methods of [`FinderBuilder`], [`Hints`] and [`Linkify`] with these names say more.
/// `_` in a name is read as `-`; `yes`, `true`, `on` and `1` are one value, and so are `no`, `false`, `off`
/// and `0`. A list of `schemes` selects links by the scheme of their URI ([`Schemes::List`]): hosts without a scheme
/// are links only if the list has the default scheme, e-mail addresses only if it has `mailto`.
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
///
/// ```
/// use linksift::{SettingError, Settings};
///
/// let error = Settings::new().set("emails", "perhaps").unwrap_err();
/// assert!(matches!(&error, SettingError::BadValue { name, .. } if name == "emails"));
/// assert_eq!(error.to_string(), r#"invalid value "perhaps" for emails: expected one of no, yes"#);
/// ```
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
        /// The fault, or the values that are allowed.
        reason: String,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::UnknownName(name) => {
                write!(
                    f,
                    "unknown setting {name:?}: expected one of {}",
                    Settings::NAMES.join(", ")
                )
            }
            SettingError::BadValue { name, value, reason } => {
                write!(f, "invalid value {value:?} for {name}: {reason}")
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
    pub const NAMES: &'static [&'static str] = settings!(names);

    /// The settings of [`Finder::new`]; documents are of the format that their name or content says.
    ///
    /// ```
    /// use linksift::{Finder, Settings};
    ///
    /// let text = "see example.com or http://example.org or me@example.net";
    /// let (settings, finder) = (Settings::new(), Finder::new());
    /// assert!(settings.finder().links(text).eq(finder.links(text)));
    /// ```
    pub fn new() -> Settings {
        Settings { finder: Finder::builder(), hints: Hints::new(), linkify: Linkify::new() }
    }

    /// Sets the setting `name` to a value, both written as the command's options.
    ///
    /// # Errors
    ///
    /// There is no such setting, or it does not take the value; all is then as before.
    ///
    /// ```
    /// use linksift::{SettingError, Settings};
    ///
    /// let mut settings = Settings::new();
    /// settings.set("emails", "no")?;
    /// assert_eq!(settings.finder().links("me@example.com").count(), 0);
    /// let error = settings.set("email", "no").unwrap_err();
    /// assert_eq!(error, SettingError::UnknownName("email".to_owned()));
    /// # Ok::<(), SettingError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let name = name.replace('_', "-");
        self.set_named(&name, value).map_err(|error| match error {
            SettingFault::Name => SettingError::UnknownName(name),
            SettingFault::Value(reason) => {
                SettingError::BadValue { name, value: value.to_owned(), reason }
            }
        })
    }

    fn set_named(&mut self, name: &str, value: &str) -> Result<(), SettingFault> {
        settings!(set self name value);
        Ok(())
    }

    /// A finder with these settings.
    ///
    /// ```
    /// let mut settings = linksift::Settings::new();
    /// settings.set("default-scheme", "http")?;
    /// let link = settings.finder().links("see example.com").next().map(|link| link.into_owned());
    /// assert_eq!(link.unwrap().uri(), "http://example.com");
    /// # Ok::<(), linksift::SettingError>(())
    /// ```
    pub fn finder(&self) -> Finder {
        self.finder.clone().build()
    }

    /// How [`html::linkify`](crate::html::linkify) and its like make HTML by these settings.
    ///
    /// ```
    /// use linksift::html;
    ///
    /// let mut settings = linksift::Settings::new();
    /// settings.set("rel", "")?;
    /// settings.set("class", "out")?;
    /// let html = html::linkify("example.com", &settings.html());
    /// assert_eq!(html, r#"<a href="https://example.com" class="out">example.com</a>"#);
    /// # Ok::<(), linksift::SettingError>(())
    /// ```
    pub fn html(&self) -> Linkify {
        self.linkify.clone().finder(self.finder())
    }

    /// The hints that these settings say of a document.
    ///
    /// ```
    /// use linksift::Settings;
    ///
    /// let mut settings = Settings::new();
    /// settings.set("positions", "yes")?;
    /// let finder = settings.finder();
    /// let link = finder.document(b"one\nsee example.com", &settings.hints()).unwrap().links().next().unwrap();
    /// assert_eq!(link.position().unwrap().line, 2);
    /// # Ok::<(), linksift::SettingError>(())
    /// ```
    pub fn hints(&self) -> Hints {
        self.hints.clone()
    }
}

/// Reason why a setting is rejected.
enum SettingFault {
    Name,
    Value(String),
}

impl<E: std::error::Error> From<E> for SettingFault {
    fn from(error: E) -> SettingFault {
        SettingFault::Value(error.to_string())
    }
}

/// Whether a value is the second of two words.
fn either(value: &str, words: [&str; 2]) -> Result<bool, SettingFault> {
    let is_second = words.iter().position(|word| *word == value).map(|at| at == 1);
    is_second.ok_or_else(|| SettingFault::Value(format!("expected one of {}", words.join(", "))))
}

fn flag(value: &str) -> Result<bool, SettingFault> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        value => either(value, ["no", "yes"]),
    }
}

fn word<T: FromStr<Err: std::error::Error>>(value: &str) -> Result<T, SettingFault> {
    Ok(value.parse()?)
}

fn text(value: &str) -> Result<&str, SettingFault> {
    Ok(value)
}

fn bytes(value: &str) -> Result<usize, SettingFault> {
    value.parse().map_err(|_| not("a number of bytes"))
}

/// Whether a query is in the encoding of its document.
fn query_charset(value: &str) -> Result<bool, SettingFault> {
    either(value, ["utf-8", "auto"])
}

fn iri(value: &str) -> Result<IriBuf, SettingFault> {
    let repaired = repair(value).map_err(|error| not(&format!("an IRI: {}", error.kind())))?;
    Ok(repaired.into_iri())
}

fn not(what: &str) -> SettingFault {
    SettingFault::Value(format!("not {what}"))
}

fn scheme(name: &str) -> Result<Scheme, SettingFault> {
    name.parse().map_err(|_| not("a scheme"))
}

fn schemes(list: &str) -> Result<Schemes, SettingFault> {
    let word = |name: &str| name.parse().ok().filter(|all| !matches!(all, Schemes::List(_)));
    if let Some(all) = word(list) {
        return Ok(all);
    }
    match list.split(',').map(str::trim).find(|name| word(name).is_some()) {
        Some(word) => Err(SettingFault::Value(format!("{word:?} must stand alone"))),
        None => Ok(Schemes::List(names(list)?)),
    }
}

fn scheme_names(list: &str) -> Result<Vec<String>, SettingFault> {
    Ok(names(list)?.iter().map(|scheme| scheme.as_str().to_owned()).collect())
}

/// The schemes of a list with commas.
fn names(list: &str) -> Result<Vec<Scheme>, SettingFault> {
    let named = |name: &str| {
        name.parse().map_err(|_| SettingFault::Value(format!("{name:?} is not a scheme")))
    };
    list.split(',').map(named).collect()
}

#[cfg(feature = "known-hosts")]
fn known_hosts(list: &str) -> Result<KnownHosts, SettingFault> {
    // A file may begin with a byte order mark.
    let list = list.strip_prefix('\u{FEFF}').unwrap_or(list);
    let lines = list.lines().map(|line| line.split('#').next().unwrap_or_default());
    let hosts: Vec<_> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    match hosts.iter().find(|host| host.contains(['/', ':', '@', ' '])) {
        Some(odd) => Err(SettingFault::Value(format!("{odd:?} is not a host"))),
        None => Ok(KnownHosts::new(hosts)),
    }
}

#[cfg(test)]
mod tests;

//! Enums whose variants have stable names: in records, as options of the command.
//!
//! [`coded!`] makes an enum together with its words, so that none is forgotten: `as_str`, `ALL`,
//! `Display` and `FromStr` come from the one list.

use std::fmt;

/// Error for an unknown name of an enum's variant; its message lists the known names.
///
/// ```
/// let error = "userinfos".parse::<linksift::Warning>().unwrap_err();
/// assert_eq!(error.word(), "userinfos");
/// assert!(error.expected().contains(&"userinfo"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseEnumError {
    word: Box<str>,
    expected: &'static [&'static str],
}

impl ParseEnumError {
    pub(crate) fn new(word: &str, expected: &'static [&'static str]) -> ParseEnumError {
        ParseEnumError { word: word.into(), expected }
    }

    /// Returns the unknown name.
    ///
    /// ```
    /// let error = "userinfos".parse::<linksift::Warning>().unwrap_err();
    /// assert_eq!(error.word(), "userinfos");
    /// ```
    pub fn word(&self) -> &str {
        &self.word
    }

    /// Returns the known names, in the order of `ALL`.
    ///
    /// ```
    /// let error = "utf32".parse::<linksift::offsets::Unit>().unwrap_err();
    /// assert_eq!(error.expected(), ["bytes", "chars", "utf16"]);
    /// ```
    pub fn expected(&self) -> &'static [&'static str] {
        self.expected
    }
}

impl fmt::Display for ParseEnumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown value {:?}: expected one of ", self.word)?;
        for (n, word) in self.expected.iter().enumerate() {
            write!(f, "{}{word}", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseEnumError {}

/// Makes an enum whose variants have a stable word each: `Variant = "word"`.
///
/// The enum derives `Clone, Copy, Debug, PartialEq, Eq, Hash` and is `#[non_exhaustive]`. `in "linksift::…"`
/// is where users find it, for its example; `default Variant` gives it a `Default`. A variant may have one `#[cfg(…)]`, after
/// its documentation. `display none` leaves `Display` to the caller, for an enum that has sentences for people;
/// `else` has one more variant, for what another such enum says.
macro_rules! coded {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident in $home:literal $(default $Default:ident)? {
            $($(#[doc = $doc:literal])+ $(#[cfg($cfg:meta)])? $Variant:ident = $word:literal,)+
        }
    ) => {
        $crate::codes::coded! {
            display none
            $(#[$meta])*
            pub enum $Name in $home $(default $Default)? {
                $($(#[doc = $doc])+ $(#[cfg($cfg)])? $Variant = $word,)+
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
    (
        display none
        $(#[$meta:meta])*
        pub enum $Name:ident in $home:literal $(default $Default:ident)? {
            $($(#[doc = $doc:literal])+ $(#[cfg($cfg:meta)])? $Variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $Name { $($(#[doc = $doc])+ $(#[cfg($cfg)])? $Variant,)+ }

        impl $Name {
            /// All variants, in the order of their declaration.
            pub const ALL: &'static [$Name] = &[$($(#[cfg($cfg)])? $Name::$Variant,)+];

            const WORDS: &'static [&'static str] = &[$($(#[cfg($cfg)])? $word,)+];

            /// The documentation of each variant; few enums show it to people.
            #[allow(dead_code, reason = "few enums show it")]
            const DOCS: &'static [&'static str] = &[$($(#[cfg($cfg)])? concat!($($doc),+),)+];

            /// Returns the stable name, as in records and options; [`FromStr`](std::str::FromStr)
            /// reads it back.
            #[doc = $crate::codes::example!($Name in $home)]
            pub const fn as_str(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        $(impl Default for $Name {
            fn default() -> $Name {
                $Name::$Default
            }
        })?

        $crate::codes::as_word! { $Name }
        $crate::codes::of_word! { $Name }
    };
    (
        display none
        $(#[$meta:meta])*
        pub enum $Name:ident in $home:literal {
            $($(#[doc = $doc:literal])+ $Variant:ident = $word:literal,)+
        }
        else {
            $(#[doc = $rest_doc:literal])+ $Rest:ident($Inner:ident),
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $Name {
            $($(#[doc = $doc])+ $Variant,)+
            $(#[doc = $rest_doc])+ $Rest($Inner),
        }

        impl $Name {
            const OWN: &'static [$Name] = &[$($Name::$Variant,)+];

            const LEN: usize = {
                let (mut len, mut at) = ($Name::OWN.len(), 0);
                while at < $Inner::ALL.len() {
                    len += $Name::own($Inner::ALL[at].as_str()).is_none() as usize;
                    at += 1;
                }
                len
            };

            /// All that there are: its own variants, then those inner ones that have another word.
            pub const ALL: &'static [$Name] = &{
                let mut all = [$Name::OWN[0]; $Name::LEN];
                let (mut len, mut at) = (0, 0);
                while len < $Name::OWN.len() {
                    all[len] = $Name::OWN[len];
                    len += 1;
                }
                while at < $Inner::ALL.len() {
                    if $Name::own($Inner::ALL[at].as_str()).is_none() {
                        all[len] = $Name::$Rest($Inner::ALL[at]);
                        len += 1;
                    }
                    at += 1;
                }
                all
            };

            const WORDS: &'static [&'static str] = &{
                let (mut words, mut at) = ([""; $Name::LEN], 0);
                while at < words.len() {
                    words[at] = $Name::ALL[at].as_str();
                    at += 1;
                }
                words
            };

            /// The variant of its own that has this word.
            const fn own(word: &str) -> Option<$Name> {
                $(if $crate::codes::is_same(word, $word) {
                    return Some($Name::$Variant);
                })+
                None
            }

            /// Returns the stable name, as in records; [`FromStr`](std::str::FromStr) reads it back.
            #[doc = $crate::codes::example!($Name in $home)]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($Name::$Variant => $word,)+
                    $Name::$Rest(inner) => inner.as_str(),
                }
            }
        }

        $crate::codes::as_word! { $Name }
        $crate::codes::of_word! { $Name }

        /// The variant that has the same word, if there is one.
        impl From<$Inner> for $Name {
            fn from(inner: $Inner) -> $Name {
                $Name::own(inner.as_str()).unwrap_or($Name::$Rest(inner))
            }
        }
    };
}

/// What `as_str` of such an enum shows: each word is read back.
macro_rules! example {
    ($Name:ident in $home:literal) => {
        concat!(
            "\n```\nuse ",
            $home,
            "::",
            stringify!($Name),
            ";\n\n",
            "for one in ",
            stringify!($Name),
            "::ALL {\n",
            "    assert_eq!(one.as_str().parse(), Ok(*one));\n}\n```",
        )
    };
}

/// Whether two words are the same, at compile time.
pub(crate) const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Serde has such an enum as its stable word.
macro_rules! as_word {
    ($Name:ident) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$Name, D::Error> {
                let word = <String as serde::Deserialize>::deserialize(deserializer)?;
                word.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// `FromStr` of a type with all its variants in `ALL` and their words, in the same order, in `WORDS`.
macro_rules! of_word {
    ($Name:ident) => {
        impl std::str::FromStr for $Name {
            type Err = $crate::codes::ParseEnumError;

            fn from_str(word: &str) -> Result<$Name, $crate::codes::ParseEnumError> {
                let at = $Name::WORDS.iter().position(|known| *known == word);
                at.map(|at| $Name::ALL[at])
                    .ok_or_else(|| $crate::codes::ParseEnumError::new(word, $Name::WORDS))
            }
        }
    };
}

pub(crate) use {as_word, coded, example, of_word};

//! Enums whose variants have a stable word each: in records, as options of the command.
//!
//! [`coded!`] makes an enum together with its words, so that none is forgotten: the accessor, `ALL`,
//! `Display` and `FromStr` come from the one list.

use std::fmt;

/// A word that names no variant of the enum that was asked for; its message lists the words that do.
///
/// ```
/// let error = "userinfos".parse::<linksift::Warning>().unwrap_err();
/// assert_eq!(error.word(), "userinfos");
/// assert!(error.expected().contains(&"userinfo"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    word: Box<str>,
    expected: &'static [&'static str],
}

impl UnknownWord {
    pub(crate) fn new(word: &str, expected: &'static [&'static str]) -> UnknownWord {
        UnknownWord { word: word.into(), expected }
    }

    /// The word that was given.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The words that there are, in the order of `ALL`.
    pub fn expected(&self) -> &'static [&'static str] {
        self.expected
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is none of ", self.word)?;
        for (n, word) in self.expected.iter().enumerate() {
            write!(f, "{}{word}", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownWord {}

/// Makes an enum whose variants have a stable word each: `Variant = "word"`.
///
/// The enum derives `Clone, Copy, Debug, PartialEq, Eq, Hash` and is `#[non_exhaustive]`. `via code` names
/// the accessor; `default Variant` gives it a `Default`. A variant may have one `#[cfg(…)]`, after
/// its documentation. `display none` leaves `Display` to the caller, for an enum that has sentences for people.
macro_rules! coded {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident via $accessor:ident $(default $Default:ident)? {
            $($(#[doc = $doc:literal])+ $(#[cfg($cfg:meta)])? $Variant:ident = $word:literal,)+
        }
    ) => {
        $crate::codes::coded! {
            display none
            $(#[$meta])*
            pub enum $Name via $accessor $(default $Default)? {
                $($(#[doc = $doc])+ $(#[cfg($cfg)])? $Variant = $word,)+
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.$accessor())
            }
        }
    };
    (
        display none
        $(#[$meta:meta])*
        pub enum $Name:ident via $accessor:ident $(default $Default:ident)? {
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

            /// The stable word for it, as records and options have it; [`FromStr`](std::str::FromStr)
            /// reads it back.
            pub const fn $accessor(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        $(impl Default for $Name {
            fn default() -> $Name {
                $Name::$Default
            }
        })?

        impl std::str::FromStr for $Name {
            type Err = $crate::codes::UnknownWord;

            fn from_str(word: &str) -> Result<$Name, $crate::codes::UnknownWord> {
                let at = $Name::WORDS.iter().position(|known| *known == word);
                at.map(|at| $Name::ALL[at])
                    .ok_or_else(|| $crate::codes::UnknownWord::new(word, $Name::WORDS))
            }
        }
    };
}

pub(crate) use coded;

//! Serde: links are serialized as records without a path, other types as their texts.
//!
//! The fields are those of [`report::Record`](crate::report::Record), in their order; enums are their names.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::charset::Charset;
#[cfg(feature = "files")]
use crate::container::ResumePoint;
use crate::document::finder::Schemes;
use crate::driver::stream::FeedPoint;
use crate::iri::{IriBuf, Scheme};
use crate::link::{Link, Rejected, Warnings};
use crate::report::Record;

/// Serializes the default fields of a record except `path`; fields without a value are `null`.
///
/// ```
/// let link = linksift::links("see example.com").next().unwrap();
/// let value = serde_json::to_value(&link)?;
/// assert_eq!((&value["start"], &value["uri"]), (&4.into(), &"https://example.com".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for Link<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Record::of_link(self).serialize(serializer)
    }
}

/// Serializes the default fields of a record except `path`; fields without a value are `null`.
impl Serialize for Rejected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Record::of_rejected(self).serialize(serializer)
    }
}

/// Serializes a list of the codes.
impl Serialize for Warnings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|warning| warning.as_str()))
    }
}

/// Implements serialization as text: written by `Display`, read by `FromStr`.
macro_rules! as_text {
    ($($Name:ident)+) => {$(
        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $Name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$Name, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

as_text! { Charset FeedPoint IriBuf Scheme Schemes }
#[cfg(feature = "files")]
as_text! { ResumePoint }

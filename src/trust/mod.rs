//! Detects links that can mislead a person, or a program that reads another
//! host out of the same bytes.
//!
//! In goes a label, a host or the text of a link, out come [`Finding`]s: a [`Warning`](crate::Warning), where it is, and
//! what is there. The rules for hosts are those of UTS #39 18.0 and of browsers (Chromium's
//! `docs/idn.md`). No list of bad sites is asked, nothing is opened, and what is only a matter of taste
//! (length, shorteners, top-level domains) is not looked at. Text and ranges are all that it knows.
//!
//! ```
//! use linksift::{Warning, trust};
//!
//! // The second letter is Cyrillic.
//! let found = trust::label("pаypal", "com");
//! assert_eq!(found.warnings().iter().next(), Some(Warning::HostMixedScript));
//! assert_eq!(found.iter().next().unwrap().range(), 1..3);
//! assert!(trust::label("paypal", "com").is_empty());
//! assert!(trust::label("bücher", "de").is_empty());
//! ```

mod address;
mod context;
mod domain;
mod finding;
mod host;
mod label;
mod link;
mod look;
mod lookalike;
mod scheme;
mod text;

pub use address::disguised_ipv4;
pub(crate) use domain::is_nested;
pub(crate) use domain::is_other_site;
pub use domain::registrable;
pub use finding::{Finding, FindingDetail, Findings};
pub use host::host;
pub(crate) use host::is_shown;
pub use label::label;
pub(crate) use link::{Subject, collect_warnings, is_as_mapped};
pub use lookalike::KnownHosts;
pub(crate) use text::may_hide;

//! Detects links that can mislead a person, or a program that reads another host from the same bytes.
//!
//! The input is a label, a host or the text of a link, the result is [`Finding`]s: a [`Warning`](crate::Warning), its
//! range, and its subject. The rules for hosts are those of UTS #39 18.0 and of browsers (Chromium's `docs/idn.md`). No
//! list of malicious sites is used, nothing is opened, and properties that are a matter of taste (length, shorteners,
//! top-level domains) are not checked. The module uses only texts and ranges.
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

mod context;
mod domain;
mod finding;
mod host;
mod known;
mod link;
mod lookalike;
mod scheme;
mod text;
mod wrapper;

pub use domain::registrable;
pub(crate) use domain::{is_nested, is_other_site, owner};
pub use finding::{Finding, FindingDetail, Findings};
pub(crate) use host::is_shown;
pub use host::{disguised_ipv4, host, label};
pub use known::KnownHosts;
pub(crate) use link::{Subject, collect_warnings, is_as_mapped};

pub(crate) use scheme::LinkUse;
pub(crate) use text::{disguised, may_hide};
pub(crate) use wrapper::leads_to;

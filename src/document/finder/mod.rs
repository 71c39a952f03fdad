//! The finder: settings, and the last stage, from candidate to link.
//!
//! The input is the candidates of the scan. The finder maps each one, or rejects it with a reason, and creates a value
//! of a public type, for documents in memory (`memory`) and for streams (`stream`).

mod beyond_ascii;
mod builder;
mod handle;
mod judge;
mod leniency;
mod rewritten;
mod stored;
mod target;
mod text;
mod value;

use std::sync::{Arc, LazyLock, OnceLock};

use crate::codes::coded;
use crate::iri::HostMapping;
use crate::link::Prefix;
use crate::scan;
pub use crate::scan::{Boundaries, References, Schemes, Userinfo};
pub use builder::FinderBuilder;
pub(crate) use handle::FinderHandle;
pub(crate) use target::Base;
pub(crate) use text::{Settled, StoredSpan};
pub(crate) use value::{PlainValueLink, PlainValuePlace, Reference};

coded! {
    /// Treatment of ASCII characters in a link that URIs forbid. Default: `Encode`.
    ///
    /// ```
    /// assert_eq!("refuse".parse(), Ok(linksift::Forbidden::Refuse));
    /// ```
    pub enum Forbidden in "linksift" default Encode {
        /// Percent-encodes it, with a warning.
        Encode = "encode",
        /// The link is rejected.
        Refuse = "refuse",
    }
}

/// Default of the maximum length of a link, in stored bytes.
///
/// ```
/// let finder = linksift::Finder::new();
/// let long = format!("http://e.com/{}", "a".repeat(linksift::DEFAULT_MAX_LINK));
/// assert_eq!(finder.links(&long).count(), 0);
/// ```
pub const DEFAULT_MAX_LINK: usize = crate::limits::LINK;

/// Finds links by its settings. It can be reused, and shared between threads.
///
/// ```
/// use linksift::{Finder, Schemes};
///
/// let finder = Finder::builder().schemeless(false).schemes(Schemes::Any).build();
/// let text = "example.org, foo://example.com/a and me@example.net";
/// let found: Vec<_> = finder.links(text).map(|l| l.uri().into_owned()).collect();
/// assert_eq!(found, ["foo://example.com/a", "mailto:me@example.net"]);
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    pub(crate) scan: scan::Settings,
    default_prefix: Prefix,
    /// Prefix of [`Prefix::Own`].
    own_prefix: Option<Arc<str>>,
    host: HostMapping,
    forbidden: Forbidden,
    query_charset: bool,
    /// Whether attributes of HTML are read that scripts copy to others.
    pub(crate) lazy: bool,
    /// Whether the text of a link is reported that only repeats its target.
    pub(crate) repeats: bool,
    /// Hosts that others must not resemble.
    known: Option<Arc<crate::trust::KnownHosts>>,
    binary: BinaryFinder,
}

/// The finder for binary data, made when such data come. A clone has none: its settings may be changed.
#[derive(Debug, Default)]
struct BinaryFinder(OnceLock<Box<Finder>>);

impl Clone for BinaryFinder {
    fn clone(&self) -> BinaryFinder {
        BinaryFinder::default()
    }
}

impl Default for Finder {
    fn default() -> Self {
        Finder::builder().build()
    }
}

impl Finder {
    /// Creates the finder of [`links`](crate::links): known schemes, hosts without a scheme, e-mail addresses.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links("example.com me@example.com http://example.com/").count(), 3);
    /// ```
    pub fn new() -> Finder {
        Finder::default()
    }

    /// Returns a builder for a finder with other settings.
    ///
    /// ```
    /// let finder = linksift::Finder::builder().schemeless(false).emails(false).build();
    /// assert_eq!(finder.links("example.com me@example.com http://example.com/").count(), 1);
    /// ```
    pub fn builder() -> FinderBuilder {
        FinderBuilder { finder: Finder::base() }
    }

    fn base() -> Finder {
        Finder {
            scan: scan::Settings::default(),
            default_prefix: Prefix::Https,
            own_prefix: None,
            lazy: false,
            repeats: false,
            host: HostMapping::default(),
            forbidden: Forbidden::default(),
            query_charset: true,
            known: None,
            binary: BinaryFinder::default(),
        }
    }

    /// Returns this finder for binary data, in which only links with a scheme are searched.
    pub(crate) fn of_binary(&self) -> &Finder {
        self.binary.0.get_or_init(|| {
            let scan = scan::Settings { schemeless: false, is_binary: true, ..self.scan.clone() };
            Box::new(Finder { scan, ..self.clone() })
        })
    }

    /// Returns this finder for a document that is rewritten: the text of a link is to change with its target.
    pub(crate) fn for_rewriting(&self) -> Finder {
        Finder { repeats: true, ..self.clone() }
    }

    pub(crate) fn shared() -> &'static Finder {
        static SHARED: LazyLock<Finder> = LazyLock::new(Finder::new);
        &SHARED
    }
}

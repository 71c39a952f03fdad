//! Decisions of the caller on single inputs: whether each is read, and its metadata.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::detect::document::Hints;

/// A description of one input alone.
///
/// ```
/// use linksift::Hints;
/// use linksift::files::{Described, Options};
/// use std::path::Path;
///
/// // Standard input gets a name.
/// let options = Options::new().describe(|path| match path == Path::new("-") {
///     true => Described::new().label("page.html").hints(Hints::new().name("page.html")),
///     false => Described::new(),
/// });
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Described {
    pub(super) hints: Option<Hints>,
    pub(super) label: Option<PathBuf>,
}

impl Described {
    /// Creates a description that adds nothing to the hints of all inputs.
    ///
    /// ```
    /// use linksift::files::{self, Described, Options};
    /// use std::ops::ControlFlow;
    /// use std::path::PathBuf;
    ///
    /// let options = Options::new().describe(|_| Described::new());
    /// let mut failed = Vec::new();
    /// files::scan(["no such file"], &options, |event| {
    ///     if let linksift::Event::Failed { path, .. } = event {
    ///         failed.push(path.to_owned());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(failed, [PathBuf::from("no such file")]);
    /// ```
    pub fn new() -> Described {
        Described::default()
    }

    /// Sets the hints for this input, instead of those for all; only the [`Cancel`](crate::Cancel) of those for all
    /// ends the run.
    ///
    /// ```
    /// use linksift::files::{self, Described, Options};
    /// use linksift::{Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// # let file = std::env::temp_dir().join(format!("linksift-described-{}", std::process::id()));
    /// std::fs::write(&file, "<a href=http://e.com/>example.org</a>")?;
    /// let hints = Hints::new().format(Format::Html).text(false);
    /// let options = Options::new().describe(move |_| Described::new().hints(hints.clone()));
    /// let summary = files::scan([&file], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.links(), 1);
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = Some(hints);
        self
    }

    /// Sets the name of the input in events, instead of its path.
    ///
    /// ```
    /// use linksift::files::{self, Described, Options};
    /// use std::ops::ControlFlow;
    /// use std::path::PathBuf;
    ///
    /// # let file = std::env::temp_dir().join(format!("linksift-label-{}", std::process::id()));
    /// std::fs::write(&file, "see example.com")?;
    /// let options = Options::new().describe(|_| Described::new().label("the page"));
    /// let mut found = Vec::new();
    /// files::scan([&file], &options, |event| {
    ///     if let linksift::Event::Link { path, .. } = event {
    ///         found.push(path.to_owned());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(found, [PathBuf::from("the page")]);
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn label(mut self, label: impl Into<PathBuf>) -> Self {
        self.label = Some(label.into());
        self
    }
}

/// A function that describes inputs.
#[derive(Clone)]
pub(super) struct Describe(pub(super) Arc<DescribeFn>);

// As safe as the other options where a panic is caught.
type DescribeFn = dyn Fn(&Path) -> Described + Send + Sync + UnwindSafe + RefUnwindSafe;

impl Describe {
    pub(super) fn call(&self, path: &Path) -> Box<Described> {
        Box::new((self.0)(path))
    }
}

impl fmt::Debug for Describe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Describe").finish_non_exhaustive()
    }
}

/// A function that decides which files are read.
#[derive(Clone)]
pub(super) struct Choose(pub(super) Arc<ChooseFn>);

type ChooseFn = dyn Fn(&Path) -> bool + Send + Sync + UnwindSafe + RefUnwindSafe;

impl Choose {
    pub(super) fn call(&self, path: &Path) -> bool {
        (self.0)(path)
    }
}

impl fmt::Debug for Choose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Choose").finish_non_exhaustive()
    }
}

//! Failures: inputs and members that could not be read, with a stable code and a place, for reports and logs.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::charset::UndecodableError;
use crate::container::{Fault, Member};

/// Error of an input that its caller cannot use, with the reason.
#[derive(Debug)]
pub(super) struct UnusableInput(pub(super) String);

impl fmt::Display for UnusableInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnusableInput {}

impl From<UnusableInput> for io::Error {
    fn from(refusal: UnusableInput) -> io::Error {
        io::Error::new(ErrorKind::InvalidInput, refusal)
    }
}

/// A failure: the fields of [`Event::Failed`](crate::Event::Failed) as a code and a place.
///
/// Its text is what the command prints: `PATH!MEMBER: reason at byte N`.
///
/// ```
/// use linksift::Event;
/// use linksift::files::{self, Failure, Options};
/// use std::ops::ControlFlow;
///
/// let mut lines = Vec::new();
/// files::scan(["no such file"], &Options::new(), |event| {
///     if let Event::Failed { path, member, error, .. } = event {
///         let failure = Failure::new(path, member, &error);
///         lines.push((failure.code(), failure.offset(), failure.to_string()));
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(lines[0].0, "not-found");
/// assert_eq!(lines[0].1, None);
/// assert!(lines[0].2.starts_with("no such file: "));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Failure<'f> {
    path: &'f Path,
    member: &'f Member,
    error: &'f io::Error,
}

impl<'f> Failure<'f> {
    /// Creates the failure of an event from its fields.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::files::{self, Failure, Options};
    /// use std::ops::ControlFlow;
    ///
    /// files::scan(["no such file"], &Options::new(), |event| {
    ///     if let Event::Failed { path, member, error, .. } = event {
    ///         let failure = Failure::new(path, member, &error);
    ///         assert!(failure.to_string().starts_with("no such file: "));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// ```
    pub fn new(path: &'f Path, member: &'f Member, error: &'f io::Error) -> Failure<'f> {
        Failure { path, member, error }
    }

    /// Returns the input.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::files::{self, Failure, Options};
    /// use std::ops::ControlFlow;
    ///
    /// files::scan(["no such file"], &Options::new(), |event| {
    ///     if let Event::Failed { path, member, error, .. } = event {
    ///         let failure = Failure::new(path, member, &error);
    ///         assert_eq!(failure.path(), "no such file");
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// ```
    pub fn path(&self) -> &'f Path {
        self.path
    }

    /// Returns the member that failed; empty if it is the input itself.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::files::{self, Failure, Options};
    /// use std::ops::ControlFlow;
    ///
    /// files::scan(["no such file"], &Options::new(), |event| {
    ///     if let Event::Failed { path, member, error, .. } = event {
    ///         let failure = Failure::new(path, member, &error);
    ///         assert!(failure.member().is_empty());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// ```
    pub fn member(&self) -> &'f Member {
        self.member
    }

    /// Returns the offset of the failure in bytes of the stored input, or of the archive with the member; `None` if the
    /// error has no place.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::files::{self, Failure, Options};
    /// use std::ops::ControlFlow;
    ///
    /// files::scan(["no such file"], &Options::new(), |event| {
    ///     if let Event::Failed { path, member, error, .. } = event {
    ///         let failure = Failure::new(path, member, &error);
    ///         assert_eq!(failure.offset(), None);
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// ```
    pub fn offset(&self) -> Option<u64> {
        Fault::of(self.error).map(Fault::offset)
    }

    /// Returns its stable code: that of a [`Fault`], or `not-found`, `permission-denied`, `charset` (a document
    /// declares an encoding that cannot be decoded), `truncated` (a file became shorter while it was read), `refused`
    /// (the caller [refused](super::Input::Refused) it), `io`.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::files::{self, Failure, Options};
    /// use std::ops::ControlFlow;
    ///
    /// files::scan(["no such file"], &Options::new(), |event| {
    ///     if let Event::Failed { path, member, error, .. } = event {
    ///         let failure = Failure::new(path, member, &error);
    ///         assert_eq!(failure.code(), "not-found");
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// ```
    pub fn code(&self) -> &'static str {
        if let Some(fault) = Fault::of(self.error) {
            return fault.code().as_str();
        }
        let inner = self.error.get_ref();
        match self.error.kind() {
            ErrorKind::NotFound => "not-found",
            ErrorKind::PermissionDenied => "permission-denied",
            ErrorKind::UnexpectedEof => "truncated",
            _ if inner.is_some_and(|inner| inner.is::<UndecodableError>()) => "charset",
            _ if inner.is_some_and(|inner| inner.is::<UnusableInput>()) => "refused",
            _ => "io",
        }
    }

    /// Returns the reason in words.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::files::{self, Failure, Options};
    /// use std::ops::ControlFlow;
    ///
    /// files::scan(["no such file"], &Options::new(), |event| {
    ///     if let Event::Failed { path, member, error, .. } = event {
    ///         let failure = Failure::new(path, member, &error);
    ///         assert_eq!(failure.to_string(), format!("no such file: {}", failure.reason()));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// ```
    pub fn reason(&self) -> String {
        self.error.to_string()
    }
}

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if !self.member.is_empty() {
            write!(f, "!{}", self.member.as_str())?;
        }
        write!(f, ": {}", self.error)
    }
}

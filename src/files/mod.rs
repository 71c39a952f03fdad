//! Files: inputs and directories in, links out, in parallel and in the order of the inputs.
//!
//! Takes inputs (paths, standard input) and [`Options`]; gives [`Event`]s in
//! input order, whatever the number of threads. Directories are walked whole, sorted by file name,
//! hidden files too; a walk skips symbolic links and all that is neither a file nor a
//! directory. Compressed files and archives are opened, and their members are documents
//! too. A failure is an event, and the other inputs are still scanned.
//!
//! Files are read in blocks, not mapped: a mapped file that another process shrinks kills the reader.

mod around;
mod counts;
mod describe;
mod identity;
mod input_output;
mod item;
mod opened;
mod options;
mod parts;
mod paths;
mod queue;
mod rules;
mod task_output;
mod visit;
mod walk;
mod work;
mod worker;

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::PathBuf;

pub use counts::{Progress, Summary};
pub use describe::Described;
pub use identity::FileIdentity;
pub use opened::Blocking;
pub use options::{Archives, Binary, Options};
pub use paths::{PathError, list};
pub use rules::{ParseRuleError, Rules};
pub use worker::scan_one;

pub use crate::container::resume::ResumePoint;
use crate::event::Event;
pub use crate::event::Surroundings;

/// Something to scan.
///
/// The path `-` is standard input; `./-` is the file of that name.
///
/// ```
/// use linksift::files::Input;
///
/// assert!(matches!(Input::from("-"), Input::Stdin));
/// assert!(matches!(Input::from("./-"), Input::Path(_)));
/// let refused = Input::Refused { path: "a.txt".into(), reason: "line 3: no base".to_owned() };
/// assert_ne!(refused, Input::from("a.txt"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// A file, or a directory with all that is in it.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// An input that its caller cannot use, such as a wrong line of a list: it fails in its turn, with the code `refused`.
    Refused {
        /// The path, as far as it is known.
        path: PathBuf,
        /// Why it cannot be used; the text of the failure.
        reason: String,
    },
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for Input {
    fn from(name: &T) -> Input {
        Input::from(PathBuf::from(name.as_ref()))
    }
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Input {
        match path.as_os_str() == "-" {
            true => Input::Stdin,
            false => Input::Path(path),
        }
    }
}

/// Results on their way from the threads that find them to the one that takes them.
///
/// ```
/// use linksift::container::Opening;
/// use linksift::files::{self, Batch, Options};
/// use std::ops::ControlFlow;
///
/// #[derive(Default)]
/// struct Hosts(Vec<String>);
///
/// impl Batch for Hosts {
///     fn size(&self) -> usize {
///         self.0.iter().map(|host| size_of::<String>() + host.len()).sum()
///     }
///
///     fn append(&mut self, later: &mut Self) {
///         self.0.append(&mut later.0);
///     }
/// }
///
/// # let file = std::env::temp_dir().join(format!("linksift-batch-{}", std::process::id()));
/// std::fs::write(&file, "http://a.example/ http://b.example/")?;
/// let render = |event: linksift::Event<'_>, hosts: &mut Hosts| {
///     hosts.0.extend(event.link().and_then(|link| link.host()).map(|host| host.into_owned()));
/// };
/// let mut all = Hosts::default();
/// files::scan_map([&file], &Options::new(), render, |hosts| {
///     all.append(hosts);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(all.0, ["a.example", "b.example"]);
/// # std::fs::remove_file(file)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Batch: Default + Send {
    /// The number of bytes of memory that it holds, about; 0 for an empty batch.
    ///
    /// An empty one is not handed over: a size that counts the value itself would have each empty batch handed over.
    ///
    /// ```
    /// use linksift::files::Batch;
    ///
    /// assert_eq!(Batch::size(&b"http://example.com/\n".to_vec()), 20);
    /// ```
    fn size(&self) -> usize;

    /// Moves the contents of `later` to the end of this batch. `later` may keep its allocation: it is
    /// filled again.
    ///
    /// ```
    /// use linksift::files::Batch;
    ///
    /// let (mut lines, mut later) = (b"a\n".to_vec(), b"b\n".to_vec());
    /// Batch::append(&mut lines, &mut later);
    /// assert_eq!((&lines[..], later.is_empty()), (&b"a\nb\n"[..], true));
    /// ```
    fn append(&mut self, later: &mut Self);

    /// Returns `true` if no more events of the last event's input are needed.
    ///
    /// It is called after each event. If it returns `true` the input is not read further, and [ends](Event::InputEnd)
    /// like others. Events of the input may be in batches that were passed on before. Default: `false`.
    ///
    /// ```
    /// use linksift::files::{self, Batch, Options};
    /// use std::ops::ControlFlow;
    ///
    /// /// Whether there is a link, and no more than that.
    /// #[derive(Default)]
    /// struct Any(bool);
    ///
    /// impl Batch for Any {
    ///     fn size(&self) -> usize {
    ///         1
    ///     }
    ///
    ///     fn append(&mut self, later: &mut Self) {
    ///         self.0 |= later.0;
    ///     }
    ///
    ///     fn has_enough(&self) -> bool {
    ///         self.0
    ///     }
    /// }
    ///
    /// # let file = std::env::temp_dir().join(format!("linksift-enough-{}", std::process::id()));
    /// std::fs::write(&file, "http://a.example/ ".repeat(1 << 20))?;
    /// let render = |event: linksift::Event<'_>, any: &mut Any| any.0 |= event.link().is_some();
    /// let mut all = Any::default();
    /// let summary = files::scan_map([&file], &Options::new(), render, |any| {
    ///     all.append(any);
    ///     ControlFlow::Continue(())
    /// });
    /// assert!(all.0 && summary.links() < 1 << 20);
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn has_enough(&self) -> bool {
        false
    }
}

impl Batch for Vec<u8> {
    fn size(&self) -> usize {
        self.len()
    }

    fn append(&mut self, later: &mut Self) {
        self.extend_from_slice(later);
        later.clear();
    }
}

/// Scans `inputs` in parallel and calls `each` with all events, on the calling thread and in the order of the inputs.
/// [`ControlFlow::Break`] ends the run. A failed input is an event. A run continues with the threads that could be
/// started.
///
/// ```
/// use linksift::Event;
/// use linksift::files::{self, Options};
/// use std::ops::ControlFlow;
///
/// let folder = std::env::temp_dir().join(format!("linksift-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("a.txt"), "see example.com")?;
/// std::fs::write(folder.join("b.txt"), "见 http://例子.cn/路径。")?;
///
/// let mut found = Vec::new();
/// let summary = files::scan([&folder], &Options::new(), |event| {
///     if let Event::Link { link, .. } = event {
///         found.push(link.uri().into_owned());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, ["https://example.com", "http://xn--fsqu00a.cn/%E8%B7%AF%E5%BE%84"]);
/// assert_eq!((summary.files(), summary.failed()), (2, 0));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn scan<I, F>(inputs: I, options: &Options, mut each: F) -> Summary
where
    I: IntoIterator<Item: Into<Input>, IntoIter: Send>,
    F: FnMut(Event<'_>) -> ControlFlow<()>,
{
    let mut path = PathBuf::new();
    scan_map(inputs, options, around::OwnedEvents::keep, |batch: &mut around::OwnedEvents| {
        batch.hand_out(&mut path, &mut each)
    })
}

/// Scans like [`scan`], for callers that process each event in parallel: `render` runs on the scanning threads and adds
/// its result for an event to a batch, `write` receives the batches on the calling thread and in the order of the
/// inputs.
///
/// A batch is passed on when it is large enough, when some milliseconds have passed, and before a read that may block
/// (standard input, a pipe), so that each batch can be shown at once. Threads that are ahead of the order wait when a
/// few MiB each are outstanding, so a slow `write` slows the scan and does not fill memory.
///
/// ```
/// use linksift::Event;
/// use linksift::files::{self, Options};
/// use std::ops::ControlFlow;
///
/// let mut lines = Vec::new();
/// let render = |event: Event<'_>, batch: &mut Vec<u8>| {
///     if let Event::Failed { path, .. } = event {
///         batch.extend_from_slice(path.as_os_str().as_encoded_bytes());
///     }
/// };
/// files::scan_map(["no such file"], &Options::new(), render, |batch| {
///     lines.append(batch);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(lines, b"no such file");
/// ```
pub fn scan_map<I, B, R, W>(inputs: I, options: &Options, render: R, write: W) -> Summary
where
    I: IntoIterator<Item: Into<Input>, IntoIter: Send>,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    work::run(inputs.into_iter().map(Into::into), options, &render, write)
}

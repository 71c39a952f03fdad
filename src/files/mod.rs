//! Files: inputs and directories in, links out, in parallel and in the order of the inputs.
//!
//! What comes in are inputs (paths, standard input) and [`Options`]; what goes out are [`Event`]s in
//! input order, whatever the number of threads. Directories are walked whole, sorted by file name,
//! hidden files too; in a walk symbolic links are not followed, and what is neither a file nor a
//! directory is passed over. Compressed files and archives are opened, and their members are documents
//! too. What fails is an event, and the others are still done.
//!
//! Files are read in blocks, not mapped: a mapped file that another process shrinks kills the reader.

mod around;
mod counts;
mod describe;
mod done;
mod failure;
mod lane;
mod one;
mod opened;
mod order;
mod outlet;
mod owned;
mod parts;
mod paths;
#[cfg(feature = "walk-rules")]
mod rules;
mod visit;
mod walk;
mod work;

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::codes::coded;
use crate::container::Limits;
pub use crate::container::ResumePoint;
use crate::document::Hints;
use crate::event::Event;
pub use crate::event::Surroundings;
use crate::finder::Finder;

pub use counts::{Progress, Summary};
pub use describe::Described;
pub use failure::Failure;
pub use one::sift_one;
pub use paths::{Unreachable, paths, paths_with};
#[cfg(feature = "walk-rules")]
pub use rules::{RuleError, Rules};

/// Something to scan.
///
/// The path `-` is standard input; `./-` is the file of that name.
///
/// ```
/// use linksift::files::Input;
///
/// assert!(matches!(Input::from("-"), Input::Stdin));
/// assert!(matches!(Input::from("./-"), Input::Path(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// A file, or a directory with all that is in it.
    Path(PathBuf),
    /// Standard input.
    Stdin,
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

/// How inputs are gone through.
///
/// ```
/// use linksift::{Finder, Hints, files::Options};
///
/// let finder = Finder::builder().emails(false).build();
/// let options = Options::new().finder(finder).hints(Hints::new().positions(true)).threads(2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    finder: Finder,
    hints: Hints,
    threads: usize,
    progress: Option<Progress>,
    walk: walk::WalkOptions,
    archives: Archives,
    binary: Binary,
    limits: Limits,
    around: usize,
}

coded! {
    /// Whether compressed files and archives are opened.
    ///
    /// ```
    /// assert_eq!("never".parse(), Ok(linksift::files::Archives::Never));
    /// ```
    pub enum Archives via as_str default Auto {
        /// They are, known by how they begin.
        Auto = "auto",
        /// They are read as the bytes that they are.
        Never = "never",
    }
}

coded! {
    /// What becomes of documents that are not text: a known binary format, or a NUL in the first 8 KiB of
    /// what is neither UTF-16 nor mail.
    ///
    /// ```
    /// assert_eq!("skip".parse(), Ok(linksift::files::Binary::Skip));
    /// ```
    pub enum Binary via as_str default Auto {
        /// Only what begins with `scheme://` or `mailto:` is a link in them.
        Auto = "auto",
        /// They are read as text.
        Text = "text",
        /// They are not read.
        Skip = "skip",
    }
}

impl Options {
    /// The default finder, no positions, a thread for each core.
    pub fn new() -> Options {
        Options::default()
    }

    /// The finder; [`Finder::new`] if nothing is said.
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// What is known of all inputs, and whether positions are counted. A [`Cancel`](crate::Cancel) ends the
    /// run: what was found and not handed over yet is dropped, and the summary says
    /// [`stopped`](Summary::stopped). A read that waits for a pipe or a terminal is not woken.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    /// use linksift::{Cancel, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let cancel = Cancel::new();
    /// let options = Options::new().hints(Hints::new().cancel(cancel.clone()));
    /// cancel.cancel();
    /// let summary = files::sift(["."], &options, |_| ControlFlow::Continue(()))?;
    /// assert_eq!((summary.files(), summary.stopped()), (0, true));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// How many threads scan; 0, which is the default, is one for each core. More than 64, or four
    /// for each core where that is more, are not started: they would find nothing sooner.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Whether compressed files and archives are opened. Default: [`Archives::Auto`].
    pub fn archives(mut self, archives: Archives) -> Self {
        self.archives = archives;
        self
    }

    /// What becomes of documents that are not text. Default: [`Binary::Auto`].
    pub fn binary(mut self, binary: Binary) -> Self {
        self.binary = binary;
        self
    }

    /// How deep and how far archives are opened.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How many bytes before and after each link come [with it](Surroundings). With them a link is told of
    /// when so much has been read after it. Default: 0, and nothing comes.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"please see example.com and so on");
    /// files::sift_one(opening, &Options::new().around(5), |event| {
    ///     if let Event::Link { around: Some(around), .. } = event {
    ///         assert_eq!((around.before, around.after), (&b" see "[..], &b" and "[..]));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// ```
    pub fn around(mut self, bytes: usize) -> Self {
        self.around = bytes;
        self
    }

    /// Where to note how far the work has come, for others to look at meanwhile.
    pub fn progress(mut self, progress: Progress) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Which files of walks are read. Default: all of them.
    #[cfg(feature = "walk-rules")]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.walk.rules = Some(rules);
        self
    }

    /// What is known of each input alone: asked for every file that is about to be read, by its path, in the
    /// order of the inputs; `-` is standard input. Default: nothing.
    pub fn describe<F>(mut self, of: F) -> Self
    where
        F: Fn(&Path) -> Described + Send + Sync + UnwindSafe + RefUnwindSafe + 'static,
    {
        self.walk.describe = Some(describe::Describe(Arc::new(of)));
        self
    }

    /// Which files are read: asked for every file, for standard input (`-`) and for what fails in walks, one
    /// after the other and in the order of the inputs. What is not read is no event. Default: all.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// // Every other file: the first half of the work of two machines.
    /// let count = AtomicU64::new(0);
    /// let options = Options::new().choose(move |_| count.fetch_add(1, Ordering::Relaxed) % 2 == 0);
    /// ```
    pub fn choose<F>(mut self, is_read: F) -> Self
    where
        F: Fn(&Path) -> bool + Send + Sync + UnwindSafe + RefUnwindSafe + 'static,
    {
        self.walk.choose = Some(describe::Choose(Arc::new(is_read)));
        self
    }

    /// Where the first input that is read is gone on with, if it is the archive that the point was
    /// [reached](crate::Event::Reached) in, and has not changed since: the events that came before it do not come again.
    /// Its last events count what came before too. Default: its start.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// // A tar of four long files.
    /// let mut header = vec![0; 512];
    /// header[..9].copy_from_slice(b"notes.txt");
    /// header[124..136].copy_from_slice(b"00004000000 ");
    /// header[148..156].fill(b' ');
    /// header[257..263].copy_from_slice(b"ustar\0");
    /// let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    /// header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    /// header.extend(b"see http://example.com/".iter().cycle().take(1 << 20));
    /// let tar = header.repeat(4);
    ///
    /// // What was found before the first point, and in all.
    /// let (mut before, mut all, mut point) = (0, 0, None);
    /// files::sift_one(Opening::bytes(tar.clone()), &Options::new(), |event| {
    ///     match event {
    ///         Event::Link { .. } => all += 1,
    ///         Event::Reached { point: reached, .. } if point.is_none() => {
    ///             (before, point) = (all, Some(reached));
    ///         }
    ///         _ => {}
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// let mut after = 0;
    /// let options = Options::new().resume(point.expect("there are four MiB"));
    /// files::sift_one(Opening::bytes(tar), &options, |event| {
    ///     after += u32::from(event.link().is_some());
    ///     ControlFlow::Continue(())
    /// });
    /// assert!(before > 0 && after > 0);
    /// assert_eq!(before + after, all);
    /// ```
    pub fn resume(mut self, point: ResumePoint) -> Self {
        self.walk.resume = Some(point);
        self
    }

    /// A file that results are written to; there may be several. It is left out of walks, and fails as a
    /// named input: a scan that reads what it writes never ends. Where the system gives files no identity,
    /// nothing is left out.
    ///
    /// # Errors
    ///
    /// What asking the system about the file fails with.
    pub fn output(mut self, file: &File) -> io::Result<Self> {
        self.walk.outputs.extend(walk::Identity::of(&file.metadata()?));
        Ok(self)
    }
}

/// Results on their way from the threads that find them to the one that takes them.
pub trait Batch: Default + Send {
    /// About how many bytes of memory it holds.
    fn size(&self) -> usize;

    /// Moves all that is in `later` after what is here. What `later` has allocated may stay its
    /// own: it is filled again.
    fn append(&mut self, later: &mut Self);

    /// Whether the input of the last event has given all that is wanted of it: asked after each event, and
    /// where it is so the input is not read on. It is [closed](Event::Closed) as others are. What of it went to
    /// other batches before is not here any more. Default: never.
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

/// Scans `inputs` in parallel and hands all events to `each`, on the calling thread and in the order
/// of the inputs. [`ControlFlow::Break`] ends the run.
///
/// # Errors
///
/// Threads that cannot be started. An input that fails is an event, not an error.
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
/// let summary = files::sift([&folder], &Options::new(), |event| {
///     if let Event::Link { link, .. } = event {
///         found.push(link.uri().into_owned());
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found, ["https://example.com", "http://xn--fsqu00a.cn/%E8%B7%AF%E5%BE%84"]);
/// assert_eq!((summary.files(), summary.failed()), (2, 0));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn sift<I, F>(inputs: I, options: &Options, mut each: F) -> io::Result<Summary>
where
    I: IntoIterator<Item: Into<Input>, IntoIter: Send>,
    F: FnMut(Event<'_>) -> ControlFlow<()>,
{
    let mut path = PathBuf::new();
    sift_batches(inputs, options, owned::Owned::keep, |batch: &mut owned::Owned| {
        batch.hand_out(&mut path, &mut each)
    })
}

/// As [`sift`], for those who make something of each event where it is found: `render` runs in
/// parallel and puts what it makes of an event into a batch, `write` gets the batches on the calling
/// thread and in the order of the inputs.
///
/// A batch is handed over when there is enough in it to be worth it, when some milliseconds have
/// passed, and before a read that may have to wait (standard input, a pipe): who shows results can
/// show each batch at once. Threads that are ahead of the order wait when a few MiB each are
/// outstanding, so a slow `write` slows the scan and does not fill memory.
///
/// # Errors
///
/// As [`sift`].
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
/// files::sift_batches(["no such file"], &Options::new(), render, |batch| {
///     lines.append(batch);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(lines, b"no such file");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn sift_batches<I, B, R, W>(
    inputs: I,
    options: &Options,
    render: R,
    write: W,
) -> io::Result<Summary>
where
    I: IntoIterator<Item: Into<Input>, IntoIter: Send>,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    work::run(inputs.into_iter().map(Into::into), options, &render, write)
}

//! Options of a run over files.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;
use std::sync::Arc;

use super::describe::{Choose, Describe, Described};
use super::identity::FileIdentity;
use super::rules::Rules;
use super::walk::WalkOptions;
use super::{Progress, ResumePoint};
use crate::codes::coded;
use crate::container::Limits;
use crate::detect::document::{Hints, NonText};
use crate::document::finder::Finder;

/// Options for reading inputs.
///
/// ```
/// use linksift::{Finder, Hints, files::Options};
///
/// let finder = Finder::builder().emails(false).build();
/// let options = Options::new().finder(finder).hints(Hints::new().positions(true)).threads(2);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Options {
    pub(super) finder: Finder,
    pub(super) hints: Hints,
    pub(super) threads: usize,
    pub(super) progress: Option<Progress>,
    pub(super) walk: WalkOptions,
    pub(super) archives: Archives,
    pub(super) binary: Binary,
    pub(super) limits: Limits,
    pub(super) around: usize,
}

coded! {
    /// Whether compressed files and archives are opened.
    ///
    /// ```
    /// assert_eq!("never".parse(), Ok(linksift::files::Archives::Never));
    /// ```
    pub enum Archives in "linksift::files" default Auto {
        /// They are, detected by their first bytes.
        Auto = "auto",
        /// They are read as binary data.
        Never = "never",
    }
}

coded! {
    /// Treatment of documents that are not text: known binary formats, and documents with control characters that texts
    /// do not have.
    ///
    /// ```
    /// assert_eq!("skip".parse(), Ok(linksift::files::Binary::Skip));
    /// ```
    pub enum Binary in "linksift::files" default Auto {
        /// Only links with `scheme://` or `mailto:` are reported. Pictures, sound, videos, fonts, and tables
        /// of rows and columns are counted ([`Summary::unread`](super::Summary::unread)) and not scanned.
        Auto = "auto",
        /// All documents are read as text.
        Text = "text",
        /// They are not read.
        Skip = "skip",
    }
}

impl Binary {
    pub(super) fn wanted(self) -> NonText {
        match self {
            Binary::Auto => NonText::ByDisposition,
            Binary::Text => NonText::AsText,
            Binary::Skip => NonText::Skipped,
        }
    }
}

impl Options {
    /// Creates options with the default finder, without positions, with a thread for each core.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"see example.com");
    /// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.links(), 1);
    /// ```
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets the finder. Default: [`Finder::new`].
    ///
    /// ```
    /// use linksift::Finder;
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let options = Options::new().finder(Finder::builder().emails(false).build());
    /// let opening = Opening::bytes(*b"see example.com or ask me@example.com");
    /// let summary = files::scan_one(opening, &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.links(), 1);
    /// ```
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// Sets the hints of all inputs, and whether positions are counted. A [`Cancel`](crate::Cancel) ends the
    /// run: results that were not handed over yet are dropped, and the summary says
    /// [`stopped`](super::Summary::stopped). A read that waits for a pipe or a terminal is not woken.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    /// use linksift::{Cancel, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let cancel = Cancel::new();
    /// let options = Options::new().hints(Hints::new().cancel(cancel.clone()));
    /// cancel.cancel();
    /// let summary = files::scan(["."], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!((summary.files(), summary.stopped()), (0, true));
    /// ```
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets the number of scanning threads. Default: 0, which is one for each core. At most 64, or four for each core
    /// if that is more, are started: more would not be faster.
    ///
    /// Events come in the order of the inputs, with any number.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-threads-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let names = ["a.txt", "b.txt", "c.txt"];
    /// for name in names {
    ///     std::fs::write(folder.join(name), format!("see http://e.com/{name}"))?;
    /// }
    /// let mut found = Vec::new();
    /// files::scan([&folder], &Options::new().threads(3), |event| {
    ///     if let Event::Link { link, .. } = event {
    ///         found.push(link.uri().replace("http://e.com/", ""));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(found, names);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets whether compressed files and archives are opened. Default: [`Archives::Auto`].
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Archives, Options};
    /// use std::ops::ControlFlow;
    ///
    /// // `bytes` is an archive of one file, `a`.
    /// # let bytes = b"!<arch>\na/              0           0     0     644     24        `\nsee http://example.com/\n";
    /// let member = |archives| {
    ///     let mut names = Vec::new();
    ///     let options = Options::new().archives(archives);
    ///     files::scan_one(Opening::bytes(*bytes), &options, |event| {
    ///         names.extend(event.link().map(|link| link.member().map(str::to_owned)));
    ///         ControlFlow::Continue(())
    ///     });
    ///     names
    /// };
    /// assert_eq!(member(Archives::Auto), [Some("a".to_owned())]);
    /// assert_eq!(member(Archives::Never), [None]);
    /// ```
    pub fn archives(mut self, archives: Archives) -> Self {
        self.archives = archives;
        self
    }

    /// Sets the treatment of documents that are not text. Default: [`Binary::Auto`].
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Binary, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let links = |binary| {
    ///     let opening = Opening::bytes(*b"\0 http://e.com/ \0 example.com \0");
    ///     let options = Options::new().binary(binary);
    ///     files::scan_one(opening, &options, |_| ControlFlow::Continue(())).links()
    /// };
    /// assert_eq!([Binary::Auto, Binary::Text, Binary::Skip].map(links), [1, 2, 0]);
    /// ```
    pub fn binary(mut self, binary: Binary) -> Self {
        self.binary = binary;
        self
    }

    /// Sets the limits for opening archives. Default: [`Limits::new`].
    ///
    /// ```
    /// use linksift::container::{Limits, Opening};
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// // `bytes` is an archive of one file, `a`.
    /// # let bytes = b"!<arch>\na/              0           0     0     644     16        `\nsee example.com\n";
    /// let options = Options::new().limits(Limits::new().max_depth(0));
    /// let opening = Opening::bytes(*bytes);
    /// let summary = files::scan_one(opening, &options, |_| ControlFlow::Continue(()));
    /// assert_eq!((summary.links(), summary.failed()), (0, 1));
    /// ```
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of bytes before and after each link that are reported [with it](super::Surroundings). Each link is then reported
    /// when that many bytes after it have been read. Default: 0, no surroundings.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"please see example.com and so on");
    /// let mut found = Vec::new();
    /// files::scan_one(opening, &Options::new().surroundings(5), |event| {
    ///     if let Event::Link { surroundings: Some(around), .. } = event {
    ///         found.push([around.before, around.after].concat());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(found, [b" see  and "]);
    /// ```
    pub fn surroundings(mut self, bytes: usize) -> Self {
        self.around = bytes;
        self
    }

    /// Sets the progress that the run updates, which other threads can read meanwhile.
    ///
    /// ```
    /// use linksift::files::{self, Options, Progress};
    /// use std::ops::ControlFlow;
    ///
    /// let progress = Progress::new();
    /// let options = Options::new().progress(progress.clone());
    /// files::scan(["no such file"], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!((progress.files(), progress.links()), (1, 0));
    /// ```
    pub fn progress(mut self, progress: Progress) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Which files of walks are read. Default: all of them.
    ///
    /// ```
    /// use linksift::files::{self, Options, Rules};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-rules-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("a.txt"), "see example.com")?;
    /// std::fs::write(folder.join(".b.txt"), "see example.org")?;
    ///
    /// let options = Options::new().rules(Rules::new().hidden(false));
    /// let summary = files::scan([&folder], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!((summary.files(), summary.links()), (1, 1));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn rules(mut self, rules: Rules) -> Self {
        self.walk.rules = Some(rules);
        self
    }

    /// Sets a callback that describes each input: it is called with the path of every file before it is read, in the
    /// order of the inputs; `-` is standard input. Default: no description.
    ///
    /// ```
    /// use linksift::files::{self, Described, Options};
    /// use linksift::{Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-describe-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("cached"), "<a href=/1>one</a>")?;
    ///
    /// let options = Options::new().describe(|path| match path.ends_with("cached") {
    ///     true => Described::new().hints(
    ///         Hints::new().format(Format::Html).base("http://e.com/".parse().expect("an IRI")),
    ///     ),
    ///     false => Described::new(),
    /// });
    /// let mut found = Vec::new();
    /// files::scan([&folder], &options, |event| {
    ///     found.extend(event.link().map(|link| link.uri().into_owned()));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(found, ["http://e.com/1"]);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn describe<F>(mut self, of: F) -> Self
    where
        F: Fn(&Path) -> Described + Send + Sync + UnwindSafe + RefUnwindSafe + 'static,
    {
        self.walk.describe = Some(Describe(Arc::new(of)));
        self
    }

    /// Sets a function that chooses the files to read. It is called for each file, for standard input (`-`) and for each failure of a
    /// walk, one after the other in the order of the inputs. Other files give no event. Default: all.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// // Every other file: the first half of the work of two machines.
    /// let count = AtomicU64::new(0);
    /// let options = Options::new().filter(move |_| count.fetch_add(1, Ordering::Relaxed) % 2 == 0);
    /// ```
    pub fn filter<F>(mut self, is_read: F) -> Self
    where
        F: Fn(&Path) -> bool + Send + Sync + UnwindSafe + RefUnwindSafe + 'static,
    {
        self.walk.choose = Some(Choose(Arc::new(is_read)));
        self
    }

    /// Position at which the first input is resumed, if it is the archive that the [checkpoint](crate::Event::Checkpoint) was
    /// in, and has not changed since: the events that came before it do not come again.
    /// Its last events count those before too. Default: its start.
    ///
    /// ```
    /// use linksift::Event;
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// // `tar` is an archive of four long files.
    /// # let mut header = vec![0; 512];
    /// # header[..9].copy_from_slice(b"notes.txt");
    /// # header[124..136].copy_from_slice(b"00004000000 ");
    /// # header[148..156].fill(b' ');
    /// # header[257..263].copy_from_slice(b"ustar\0");
    /// # let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    /// # header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    /// # header.extend(b"see http://example.com/".iter().cycle().take(1 << 20));
    /// # let tar = header.repeat(4);
    ///
    /// // What was found before the first point, and in all.
    /// let (mut before, mut all, mut point) = (0, 0, None);
    /// files::scan_one(Opening::bytes(tar.clone()), &Options::new(), |event| {
    ///     match event {
    ///         Event::Link { .. } => all += 1,
    ///         Event::Checkpoint { point: reached, .. } if point.is_none() => {
    ///             (before, point) = (all, Some(reached));
    ///         }
    ///         _ => {}
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// let mut after = 0;
    /// let options = Options::new().resume(point.expect("there are four MiB"));
    /// files::scan_one(Opening::bytes(tar), &options, |event| {
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

    /// Sets a file to which results are written, whether it exists or not; there may be several. A walk skips it, with
    /// the notice [`Output`](crate::Notice::Output). As a named input, or as standard input, it fails: a scan that
    /// reads its own output never ends.
    ///
    /// ```
    /// use linksift::files::{self, FileIdentity, Options};
    /// use linksift::{Event, Notice};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-written-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let mut options = Options::new();
    /// if let Some(results) = FileIdentity::of(&folder.join("results.txt"))? {
    ///     options = options.exclude(results);
    /// }
    /// // It is there before the walk comes to it.
    /// std::fs::write(folder.join("results.txt"), "http://example.com/")?;
    /// std::fs::write(folder.join("a.txt"), "see example.org")?;
    ///
    /// let mut notices = Vec::new();
    /// let summary = files::scan([&folder], &options, |event| {
    ///     if let Event::Noticed { notice, .. } = event {
    ///         notices.push(notice);
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((summary.links(), notices), (1, vec![Notice::Output]));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn exclude(mut self, file: FileIdentity) -> Self {
        self.walk.outputs.push(file);
        self
    }
}

//! Sources: bytes that can be read at any offset, and ranges of them.

use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

/// Bytes that can be read anywhere, by several threads at once: a file, a slice, a range of a remote
/// object.
///
/// ```
/// use linksift::container::Source;
///
/// let source = b"abc".to_vec();
/// let mut two = [0; 2];
/// assert_eq!(source.read_at(1, &mut two)?, 2);
/// assert_eq!((&two, Source::len(&source)), (b"bc", 3));
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Source: Send + Sync {
    /// Returns the length in bytes.
    ///
    /// ```
    /// use linksift::container::Source;
    ///
    /// assert_eq!(Source::len(&b"abc".to_vec()), 3);
    /// ```
    fn len(&self) -> u64;

    /// Reads bytes from an offset on into `to`; how many, 0 only at the end.
    ///
    /// # Errors
    ///
    /// Returns the error of the read.
    ///
    /// ```
    /// use linksift::container::Source;
    ///
    /// let mut two = [0; 2];
    /// assert_eq!(b"abc".to_vec().read_at(2, &mut two)?, 1);
    /// assert_eq!(b"abc".to_vec().read_at(3, &mut two)?, 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<usize>;

    /// Returns `true` if the source has no bytes.
    ///
    /// ```
    /// use linksift::container::Source;
    ///
    /// assert!(Source::is_empty(&Vec::new()));
    /// ```
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        Vec::len(self) as u64
    }

    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        let len = rest.len().min(to.len());
        to[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// File as a source. Its length is queried once, on demand.
#[derive(Debug)]
pub(crate) struct FileSource {
    #[cfg(unix)]
    file: std::fs::File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<std::fs::File>,
    len: OnceLock<u64>,
}

impl FileSource {
    pub(crate) fn new(file: std::fs::File) -> FileSource {
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        FileSource { file, len: OnceLock::new() }
    }
}

impl FileSource {
    /// Returns the current length of the file in bytes.
    pub(crate) fn len_now(&self) -> io::Result<u64> {
        #[cfg(unix)]
        let metadata = self.file.metadata()?;
        #[cfg(not(unix))]
        let metadata =
            self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner).metadata()?;
        Ok(metadata.len())
    }
}

impl Source for FileSource {
    #[cfg(unix)]
    fn len(&self) -> u64 {
        *self.len.get_or_init(|| self.file.metadata().map_or(0, |metadata| metadata.len()))
    }

    #[cfg(not(unix))]
    fn len(&self) -> u64 {
        let file = || self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *self.len.get_or_init(|| file().metadata().map_or(0, |metadata| metadata.len()))
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, to, at)
    }

    #[cfg(not(unix))]
    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<usize> {
        use std::io::{Seek, SeekFrom};
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read(to)
    }
}

/// Range of a source, which is also a reader.
#[derive(Clone)]
pub(crate) struct SourceRange {
    source: Arc<dyn Source>,
    from: u64,
    to: u64,
    at: u64,
}

impl SourceRange {
    pub(crate) fn whole(source: Arc<dyn Source>) -> SourceRange {
        let to = source.len();
        SourceRange { source, from: 0, to, at: 0 }
    }

    /// Returns a range of this range, cut at its end.
    pub(crate) fn part(&self, from: u64, to: u64) -> SourceRange {
        let from = self.from.saturating_add(from).min(self.to);
        let to = self.from.saturating_add(to).clamp(from, self.to);
        SourceRange { source: Arc::clone(&self.source), from, to, at: from }
    }

    pub(crate) fn len(&self) -> u64 {
        self.to - self.from
    }

    /// Reads as many bytes as there are from an offset on, at most `to.len()`.
    pub(crate) fn read_full_at(&self, at: u64, to: &mut [u8]) -> io::Result<usize> {
        let mut part = self.part(at, at.saturating_add(to.len() as u64));
        let mut filled = 0;
        while filled < to.len() {
            match part.read(&mut to[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Read for SourceRange {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = usize::try_from(self.to - self.at).unwrap_or(usize::MAX).min(to.len());
        let read = self.source.read_at(self.at, &mut to[..len])?;
        self.at += read as u64;
        Ok(read)
    }
}

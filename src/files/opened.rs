//! Open inputs: a file, a device, standard input.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::silence::{PausingReader, Stdin};
use crate::container::{FileSource, Source};

/// An open input.
pub(super) enum InputHandle {
    /// A file, the length that it had, how far it is read, and whether the last read met the end.
    File {
        stored: Arc<FileSource>,
        len: u64,
        at: u64,
        is_at_end: bool,
    },
    Live(PausingReader<File>),
    Stdin(PausingReader<Stdin>),
}

impl InputHandle {
    /// Returns the file, if it can be read at any offset.
    pub(super) fn file(file: File) -> io::Result<InputHandle> {
        let stored = Arc::new(FileSource::new(file));
        let len = stored.len_now()?;
        Ok(InputHandle::File { stored, len, at: 0, is_at_end: false })
    }

    /// Returns the bytes and the length, if they can be read at any offset.
    pub(super) fn source(&self) -> (Option<Arc<dyn Source>>, Option<u64>) {
        match self {
            InputHandle::File { stored, len, .. } => {
                (Some(Arc::clone(stored) as Arc<dyn Source>), Some(*len))
            }
            _ => (None, None),
        }
    }

    /// A file that gives what it has as it comes, such as a pipe.
    pub(super) fn live(file: File) -> InputHandle {
        InputHandle::Live(PausingReader::new(file))
    }

    pub(super) fn stdin() -> InputHandle {
        InputHandle::Stdin(PausingReader::new(Stdin::lock()))
    }
}

impl Read for InputHandle {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            InputHandle::File { is_at_end: true, .. } => Ok(0),
            InputHandle::File { stored, len, at, is_at_end } => {
                let read = Source::read_at(&**stored, *at, to)?;
                *at += read as u64;
                // Less than was asked for, up to the length: to ask once more costs as much as to read a small file.
                *is_at_end = read > 0 && read < to.len() && at == len;
                // Some that the system makes up say that they are longer than they are, and go on to.
                if read == 0 && !to.is_empty() && at < len && stored.len_now()? < *len {
                    let why = "the file was truncated while it was read";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
                }
                Ok(read)
            }
            InputHandle::Live(file) => file.read(to),
            InputHandle::Stdin(stdin) => stdin.read(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_shrinks_fails() {
        let path = std::env::temp_dir().join(format!("linksift-shrinks-{}", std::process::id()));
        std::fs::write(&path, "see http://example.com/ and").unwrap();
        let mut opened = InputHandle::file(File::open(&path).unwrap()).unwrap();
        let mut bytes = [0; 10];
        assert_eq!(opened.read(&mut bytes).unwrap(), 10);
        File::options().write(true).open(&path).unwrap().set_len(10).unwrap();
        let error = opened.read(&mut bytes).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        std::fs::remove_file(&path).unwrap();
    }
}

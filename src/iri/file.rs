//! Paths of files as `file:` IRIs (RFC 8089), and back.
//!
//! On Unix a path is bytes, which are percent-encoded as they are. On other systems it is Unicode, and on Windows it begins with a
//! drive: `file:///C:/a`. Paths on other machines (UNC) are out of scope.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf, Prefix};
use std::{fs, io, path};

use super::chars::{CLASS, PATH, push_triplet, triplet};
use super::components::IriRef;
use super::normalize::NormalizationLevel;
use super::owned::IriBuf;

impl IriBuf {
    /// Creates the `file:` IRI of an existing file or directory. The path is made absolute, and symbolic links stay as they are. The
    /// IRI of a directory ends with a slash, so that references resolve to what it contains.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system if the path does not exist, and an error of the kind
    /// [`Unsupported`](io::ErrorKind::Unsupported) for a path on another machine (UNC).
    ///
    /// ```
    /// use linksift::iri::IriBuf;
    /// use std::path::Path;
    ///
    /// let iri = IriBuf::of_file(Path::new("Cargo.toml"))?;
    /// assert!(iri.as_str().starts_with("file:///") && iri.as_str().ends_with("/Cargo.toml"));
    /// assert!(IriBuf::of_file(Path::new("no such file")).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn of_file(path: &Path) -> io::Result<IriBuf> {
        let is_directory = fs::metadata(path)?.is_dir();
        let path = path::absolute(path)?;
        if let Some(Component::Prefix(prefix)) = path.components().next()
            && !matches!(prefix.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_))
        {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "not a path on a drive"));
        }
        let mut iri = ["file://", &encode_path(&path)].concat();
        if is_directory || path.parent().is_none() {
            iri.push('/');
        }
        iri.parse().map_err(io::Error::other)
    }
}

impl IriRef<'_> {
    /// Returns the path of a `file:` IRI without a host or with the host `localhost`: percent-decoded, on Unix to bytes. Dot segments
    /// are removed first, a query and a fragment are ignored.
    ///
    /// `None` for other IRIs and for relative references; if the path is not absolute; if a name contains a percent-encoded
    /// separator or NUL, which no file's name has; on Windows also without a drive (`/C:/a` is `C:/a`). On other systems than Unix
    /// the names must be UTF-8.
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use linksift::iri::IriRef;
    /// use std::path::Path;
    ///
    /// let iri = IriRef::parse("file://localhost/tmp/a%20b.html#c")?;
    /// assert_eq!(iri.file_path().as_deref(), Some(Path::new("/tmp/a b.html")));
    /// assert_eq!(IriRef::parse("file://server/tmp/a")?.file_path(), None);
    /// # }
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[must_use]
    pub fn file_path(&self) -> Option<PathBuf> {
        if !self.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("file")) {
            return None;
        }
        // It has no dot segments, and no host instead of `localhost`.
        let normal = self.key(NormalizationLevel::Scheme);
        let rest = normal.split_once(':')?.1;
        let path = rest.strip_prefix("//").unwrap_or(rest).split('?').next()?;
        Some(os_string(decoded(path, cfg!(windows))?)?.into())
    }
}

/// Returns the names of a path for the end of an IRI: each after a slash, and percent-encoded where necessary. A relative path begins
/// with a slash too.
///
/// ```
/// use linksift::iri::encode_path;
/// use std::path::Path;
///
/// let base = ["http://e.com/docs", &encode_path(Path::new("a b/c#.html"))].concat();
/// assert_eq!(base, "http://e.com/docs/a%20b/c%23.html");
/// ```
#[must_use]
pub fn encode_path(path: &Path) -> String {
    let mut out = String::new();
    for component in path.components() {
        let name = match &component {
            Component::RootDir | Component::CurDir => continue,
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
                    out.extend(['/', char::from(letter), ':']);
                    continue;
                }
                _ => component.as_os_str(),
            },
            _ => component.as_os_str(),
        };
        out.push('/');
        for &byte in name.as_encoded_bytes() {
            match byte.is_ascii() && CLASS[usize::from(byte)] & PATH != 0 {
                true => out.push(char::from(byte)),
                false => push_triplet(&mut out, byte),
            }
        }
    }
    out
}

/// Returns the bytes of an absolute path that is percent-encoded; with drives, what follows the slash before one.
fn decoded(path: &str, has_drives: bool) -> Option<Vec<u8>> {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (octet, len) = triplet(bytes, at).map_or((byte, 1), |octet| (octet, 3));
        let is_separator = octet == b'/' || has_drives && octet == b'\\';
        if octet == 0 || len > 1 && is_separator {
            return None;
        }
        out.push(octet);
        at += len;
    }
    match out.as_slice() {
        [b'/', letter, b':', b'/', ..] if has_drives && letter.is_ascii_alphabetic() => {
            out.remove(0);
            Some(out)
        }
        [b'/', ..] if !has_drives => Some(out),
        _ => None,
    }
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_by_the_rules_of_their_system() {
        for (path, unix, windows) in [
            ("/a%20b", Some(&b"/a b"[..]), None),
            ("/%FF%C3%A9é", Some(b"/\xFF\xC3\xA9\xC3\xA9"), None),
            ("/C:/a%20b", Some(b"/C:/a b"), Some(&b"C:/a b"[..])),
            ("/c%3A/a", Some(b"/c:/a"), Some(b"c:/a")),
            ("/C:", Some(b"/C:"), None),
            ("/C:/a%5Cb", Some(b"/C:/a\\b"), None),
            ("/C:/a%2Fb", None, None),
            ("/C:/a%00", None, None),
            ("server/a", None, None),
            ("", None, None),
        ] {
            assert_eq!(decoded(path, false).as_deref(), unix, "{path}");
            assert_eq!(decoded(path, true).as_deref(), windows, "{path}");
        }
    }
}

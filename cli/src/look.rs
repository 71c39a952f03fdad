//! Metadata hashes of files, which detect that a file has changed since it was read.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Returns a hash of a file's length and modification time; it is constant for all files that are not regular.
pub(crate) fn look_of(path: &Path) -> u32 {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let Some(metadata) = metadata else { return 0 };
    // The keys are fixed, because the hash is compared with that of another run.
    let mut hasher = DefaultHasher::new();
    (metadata.len(), metadata.modified().ok()).hash(&mut hasher);
    hasher.finish() as u32 | 1
}

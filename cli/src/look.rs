//! How files look: by what a file is known that has changed since it was read.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// A hash of how long a file is and when it was changed; the same for all that are not regular files.
pub(crate) fn look_of(path: &Path) -> u32 {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let Some(metadata) = metadata else { return 0 };
    // Its keys are fixed: it is compared with what another run has kept.
    let mut hasher = DefaultHasher::new();
    (metadata.len(), metadata.modified().ok()).hash(&mut hasher);
    hasher.finish() as u32 | 1
}

//! What the comparisons share: documents to compare on, and small random ones.

use std::fs;
use std::path::{Path, PathBuf};

/// The files below `folder` whose names end so, in order.
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() => {
                    let ending = path.extension().and_then(|ending| ending.to_str());
                    if ending.is_some_and(|ending| endings.contains(&ending)) {
                        found.push(path);
                    }
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The folders named on the command line; without one, the usage on stderr.
pub fn folders() -> Vec<PathBuf> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        eprintln!("usage: peer FOLDER...   (a folder of documents, walked whole)");
        std::process::exit(2);
    }
    folders
}

/// A small generator of numbers: the same documents each time.
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    /// So many pieces, thrown together.
    pub fn soup(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.below(most)).map(|_| pieces[self.below(pieces.len())]).collect()
    }

    /// `text` with a few characters dropped, doubled or swapped for pieces.
    pub fn mutated(&mut self, text: &str, pieces: &[&str]) -> String {
        let mut out: Vec<char> = text.chars().collect();
        for _ in 0..1 + self.below(4) {
            if out.is_empty() {
                break;
            }
            let at = self.below(out.len());
            match self.below(3) {
                0 => {
                    out.remove(at);
                }
                1 => out.truncate(at),
                _ => {
                    let piece: Vec<char> = pieces[self.below(pieces.len())].chars().collect();
                    out.splice(at..at, piece);
                }
            }
        }
        out.into_iter().collect()
    }
}

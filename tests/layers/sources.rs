//! The sources as they lie in a tree, and what they name of each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// One source file: its path below `src` without the ending, or below `cli/src` after `cli`, and its text.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// The first part of its path: its module.
    pub(crate) fn top(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    pub(crate) fn is_command(&self) -> bool {
        self.top() == "cli"
    }

    pub(crate) fn is_generated(&self) -> bool {
        self.text.starts_with("// @generated") || self.text.starts_with("//! @generated")
    }

    /// The names of its modules from the crate on; none for `lib` and `main`.
    pub(crate) fn module(&self) -> Vec<&str> {
        let path = self.path.strip_suffix("/mod").unwrap_or(&self.path);
        match path {
            "lib" | "main" => Vec::new(),
            path => path.split('/').collect(),
        }
    }
}

/// The sources of the library, and those of the command.
pub(crate) fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = sources_of(&root.join("cli/src"));
    for source in &mut command {
        source.path.insert_str(0, "cli/");
    }
    let mut library = sources_of(&root.join("src"));
    place_generated(&mut library);
    let is_for_tests = |source: &Source| source.path == "dice";
    library.retain(|source| !is_for_tests(source));
    command.extend(library);
    command
}

/// Generated files are kept in a folder of their own. Each is a module of the file that names it.
fn place_generated(sources: &mut [Source]) {
    for at in 0..sources.len() {
        let Some(name) = sources[at].path.strip_prefix("generated/") else { continue };
        let line = format!("generated/{name}.rs\"]");
        let owner = sources.iter().find(|source| source.text.contains(&line));
        let owner = owner.unwrap_or_else(|| panic!("no file has {line}"));
        let folder = owner.path.strip_suffix("/mod").unwrap_or(&owner.path);
        sources[at].path = format!("{folder}/{name}");
    }
}

/// The sources below a folder, in the order of their paths.
pub(crate) fn sources_of(root: &Path) -> Vec<Source> {
    let mut folders = vec![root.to_owned()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let inner = path.strip_prefix(root).unwrap().with_extension("");
                let text = fs::read_to_string(&path).unwrap();
                sources.push(Source { path: inner.to_string_lossy().replace('\\', "/"), text });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// The code of a text: comments are left out, and the tests at its end, which may look anywhere.
pub(crate) fn code(text: &str) -> String {
    let text = match text.split_once("\nmod tests {") {
        // What it is compiled for belongs to it: `test`, and some feature perhaps.
        Some((code, _)) => code.rsplit_once("#[cfg(").map_or(code, |(code, _)| code),
        None => text,
    };
    let line = |line: &str| match line.trim_start().starts_with("//") {
        true => String::new(),
        false => line.split(" // ").next().unwrap_or_default().to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The paths that `code` names after `start` (`crate::`), with all their segments; groups in braces
/// are taken apart.
pub(crate) fn full_paths(code: &str, start: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices(start) {
        if !code[..at].ends_with(|c: char| is_word(c) || c == ':' || c == '$') {
            expand("", &code[at + start.len()..], &mut found);
        }
    }
    found
}

/// Adds what the tree of a path that begins here names, each with `prefix` before it; returns what
/// follows the tree.
fn expand<'c>(prefix: &str, code: &'c str, found: &mut BTreeSet<String>) -> &'c str {
    let Some(mut rest) = code.trim_start().strip_prefix('{') else {
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let end = code.find(|c: char| !is_path(c)).unwrap_or(code.len());
        let (path, rest) = code.split_at(end);
        let path = format!("{prefix}{path}");
        return match path.ends_with("::") && rest.trim_start().starts_with('{') {
            true => expand(&path, rest, found),
            false => {
                found.insert(path.trim_end_matches(':').to_owned());
                rest
            }
        };
    };
    loop {
        rest = expand(prefix, rest.trim_start(), found);
        // A name of its own, `as x`, and what else is between two of a group.
        let Some(end) = rest.find([',', '}']) else { return "" };
        let is_last = rest[end..].starts_with('}');
        rest = rest[end + 1..].trim_start();
        if is_last || rest.is_empty() {
            return rest;
        }
        if let Some(rest) = rest.strip_prefix('}') {
            return rest;
        }
    }
}

/// As [`full_paths`], of each the first two segments.
pub(crate) fn paths(code: &str, start: &str) -> BTreeSet<String> {
    let head = |path: String| {
        let path = path.strip_suffix("::self").unwrap_or(&path);
        path.split("::").take(2).collect::<Vec<_>>().join("::")
    };
    full_paths(code, start).into_iter().map(head).filter(|path| !path.is_empty()).collect()
}

//! The shape of the package in figures: modules, arrows between them, circles of files, lines of code, type names.
//!
//! A file's arrows lead to those that it names something of. The head of a folder, `mod.rs`, holds the
//! words that its files have in common: an arrow from them to it counts for no circle. The command and the bindings
//! are packages of their own, in which there is no circle either.
//!
//! `cargo test --test layers figures -- --nocapture` prints them; with `LINKSIFT_SOURCES=DIR` those of
//! the sources in another tree as well, such as an earlier commit's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::sources::{Source, code, full_paths, sources, sources_of};
use super::type_names;

/// The sources of packages that use the library.
pub(crate) const USERS: [&str; 4] =
    ["cli/src", "bindings/c/src", "bindings/python/src", "bindings/web/src"];

/// Who names whom: files by the names of their modules.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The library of a tree, or the sources of another package. The command below `cli` and what only tests see are no
/// part of it.
struct Package {
    sources: Vec<Source>,
}

impl Package {
    fn new(sources: Vec<Source>) -> Package {
        let is_tests = |source: &Source| source.path.rsplit('/').next() == Some("tests");
        let is_of_library = |source: &Source| !source.is_command() && !is_tests(source);
        Package { sources: sources.into_iter().filter(is_of_library).collect() }
    }

    /// What a file is called: `scan` for `scan/mod.rs`, `crate` for `lib.rs` and `main.rs`.
    fn name(module: &[&str]) -> String {
        if module.is_empty() { "crate".to_owned() } else { module.join("/") }
    }

    /// For each file those that it names something of. A name that a file only hands on is one of
    /// the file that it comes from.
    fn arrows(&self) -> Arrows {
        let modules: BTreeSet<String> =
            self.sources.iter().map(|source| Package::name(&source.module())).collect();
        let named: Vec<_> =
            self.sources.iter().map(|source| (source.module(), named(source, &modules))).collect();
        let handed_on: BTreeMap<String, BTreeMap<String, Vec<String>>> = self
            .sources
            .iter()
            .map(|source| (Package::name(&source.module()), handed_on(source, &modules)))
            .collect();
        let mut arrows = Arrows::new();
        for (module, paths) in named {
            let from = Package::name(&module);
            let to = arrows.entry(from.clone()).or_default();
            to.extend(paths.iter().map(|path| owner(path, &modules, &handed_on)));
            to.remove(&from);
            // What it hands on, and what the crate's root names, is nobody's need.
            to.remove("crate");
            to.retain(|to| !from.starts_with(&format!("{to}/")));
        }
        arrows.remove("crate");
        arrows
    }

    /// Lines of each module that are neither blank nor comments, without tests and generated tables.
    fn code_lines(&self) -> BTreeMap<String, usize> {
        let mut modules = BTreeMap::new();
        for source in self.sources.iter().filter(|source| !source.is_generated()) {
            let code = code(&source.text);
            let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
            *modules.entry(source.top().to_owned()).or_default() += lines;
        }
        modules
    }
}

/// What a file names, as segments from the crate on.
fn named(source: &Source, modules: &BTreeSet<String>) -> BTreeSet<Vec<String>> {
    paths_of(&code(&source.text), &source.module(), modules)
}

fn paths_of(code: &str, module: &[&str], modules: &BTreeSet<String>) -> BTreeSet<Vec<String>> {
    let absolute = |base: &[&str], path: &str| {
        let mut base: Vec<String> = base.iter().map(|name| (*name).to_owned()).collect();
        for name in path.split("::") {
            match name {
                "self" | "" => {}
                "super" => drop(base.pop()),
                name => base.push(name.to_owned()),
            }
        }
        base
    };
    let mut found = BTreeSet::new();
    for path in full_paths(code, "crate::") {
        found.insert(absolute(&[], &path));
    }
    for path in full_paths(code, "super::") {
        found.insert(absolute(&module[..module.len().saturating_sub(1)], &path));
    }
    // Its own parts, by their names.
    let own = Package::name(module);
    let inside = |part: &&String| {
        let inner = part.strip_prefix(&own).and_then(|rest| rest.strip_prefix('/'));
        inner.is_some_and(|inner| !inner.contains('/'))
    };
    for part in modules.iter().filter(inside) {
        let name = part.rsplit('/').next().unwrap_or_default();
        for path in full_paths(code, &format!("{name}::")) {
            found.insert(absolute(module, &format!("{name}::{path}")));
        }
    }
    found
}

/// The names that a file hands on by `pub use`, and where each comes from.
fn handed_on(source: &Source, modules: &BTreeSet<String>) -> BTreeMap<String, Vec<String>> {
    let code = code(&source.text);
    let mut names = BTreeMap::new();
    for statement in code.split(';') {
        let Some(at) = statement.rfind("pub") else { continue };
        let statement = &statement[at..];
        let after = statement.find("use ").map(|at| &statement[at + 4..]);
        let is_visible = after.is_some_and(|after| {
            let between = statement[3..statement.len() - after.len() - 4].trim();
            between.is_empty() || between.starts_with('(')
        });
        if !is_visible {
            continue;
        }
        for path in paths_of(after.unwrap_or_default(), &source.module(), modules) {
            if let Some(name) = path.last() {
                names.insert(name.clone(), path.clone());
            }
        }
    }
    names
}

/// The file that what `path` names is written in.
fn owner(
    path: &[String],
    modules: &BTreeSet<String>,
    handed_on: &BTreeMap<String, BTreeMap<String, Vec<String>>>,
) -> String {
    let mut path = path.to_vec();
    // As often as names are handed on at the most.
    for _ in 0..8 {
        let is_module = |len: &usize| modules.contains(&path[..*len].join("/"));
        let len = (1..=path.len()).rev().find(is_module).unwrap_or(0);
        let module = if len == 0 { "crate".to_owned() } else { path[..len].join("/") };
        let next = path.get(len).and_then(|name| handed_on.get(&module)?.get(name));
        match next {
            Some(origin) if *origin != path => {
                let rest = path[len + 1..].to_vec();
                path = [&origin[..], &rest].concat();
            }
            _ => return module,
        }
    }
    "crate".to_owned()
}

/// The groups of more than one file of which each leads to each.
fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(file) = open.pop() {
            for next in arrows.get(&file).into_iter().flatten() {
                if reached.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        reached
    };
    let reach: BTreeMap<_, _> = arrows.keys().map(|file| (file, reached(file))).collect();
    let (mut circles, mut done) = (Vec::new(), BTreeSet::new());
    for (file, there) in &reach {
        if !there.contains(*file) || done.contains(*file) {
            continue;
        }
        let is_back = |other: &&String| reach.get(other).is_some_and(|back| back.contains(*file));
        let circle: Vec<String> = there.iter().filter(is_back).cloned().collect();
        done.extend(circle.iter().cloned());
        circles.push(circle);
    }
    circles
}

/// The figures of a package.
struct Figures {
    modules: BTreeMap<String, BTreeSet<String>>,
    circles: Vec<Vec<String>>,
    files: usize,
    code_lines: BTreeMap<String, usize>,
    types: type_names::Figures,
}

impl Figures {
    fn of(sources: Vec<Source>) -> Figures {
        let package = Package::new(sources);
        let arrows = package.arrows();
        let module = |file: &str| file.split('/').next().unwrap_or_default().to_owned();
        let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in &arrows {
            let from = module(from);
            let others = to.iter().map(|to| module(to)).filter(|to| *to != from);
            modules.entry(from.clone()).or_default().extend(others);
        }
        Figures {
            modules,
            circles: circles(&arrows),
            files: package.sources.len(),
            code_lines: package.code_lines(),
            types: type_names::figures(&package.sources),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrows: usize = self.modules.values().map(BTreeSet::len).sum();
        writeln!(
            f,
            "{} modules, {arrows} arrows, {} circles, {} files, {} lines of code",
            self.modules.len(),
            self.circles.len(),
            self.files,
            self.code_lines.values().sum::<usize>()
        )?;
        writeln!(f, "  {}", self.types)?;
        for (module, others) in &self.modules {
            let (lines, others) = (self.code_lines.get(module), others.iter().cloned());
            let others = others.collect::<Vec<_>>().join(" ");
            writeln!(f, "    {module} ({}) -> {others}", lines.unwrap_or(&0))?;
        }
        for circle in &self.circles {
            writeln!(f, "  circle of {}: {}", circle.len(), circle.join(" "))?;
        }
        Ok(())
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "the figures are what the test is run for")]
fn figures() {
    if let Some(folder) = std::env::var_os("LINKSIFT_SOURCES") {
        let folder = PathBuf::from(folder);
        eprintln!("{}: {}", folder.display(), Figures::of(sources_of(&folder)));
    }
    let figures = Figures::of(sources());
    eprintln!("{figures}");
    assert!(figures.modules.len() >= 10 && figures.code_lines["scan"] > 1_000);
    assert!(figures.circles.is_empty(), "circles of files: {:?}", figures.circles);
    for folder in USERS {
        let figures = figures_of_user(folder);
        eprintln!("{folder}: {figures}");
        assert!(figures.files >= 2, "{folder}: {} files", figures.files);
        assert!(figures.circles.is_empty(), "{folder}: circles of files: {:?}", figures.circles);
        let modules = circles(&figures.modules);
        assert!(modules.is_empty(), "{folder}: circles of modules: {modules:?}");
    }
}

fn figures_of_user(folder: &str) -> Figures {
    Figures::of(sources_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)))
}

/// The modules of the command, and those that each of them imports from.
pub(crate) fn modules_of_command() -> Arrows {
    figures_of_user(USERS[0]).modules
}

/// Three files of two modules: no file leads back to itself, but a module does.
#[test]
fn a_circle_of_modules_is_seen() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let modules = |base: &str| {
        let sources = vec![
            source("settings/base", base),
            source("settings/form", ""),
            source("writing/claims", "use crate::settings::form::Form;\n"),
            source("manifest", "use crate::writing::claims::Claims;\n"),
        ];
        let figures = Figures::of(sources);
        assert!(figures.circles.is_empty());
        circles(&figures.modules)
    };
    assert_eq!(modules("use crate::manifest::Rows;\n"), [["manifest", "settings", "writing"]]);
    assert!(modules("").is_empty());
}

#[test]
fn a_circle_in_a_command_is_seen() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let command = |output: &str| {
        let sources = vec![
            source("main", "mod args;\nmod output;\nmod tests;\n"),
            source("args", "use crate::output::reason;\n"),
            source("output", output),
            source("tests", "use crate::args::Args;\n"),
        ];
        Figures::of(sources).circles
    };
    assert_eq!(command("use crate::args::Args;\n"), [["args", "output"]]);
    assert_eq!(command("fn f() { crate::args::parse() }\n").len(), 1);
    assert!(command("// Of `crate::args`.\n").is_empty());
}

#[test]
fn figures_of_a_package_that_is_known() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let package = || {
        vec![
            source("lib", "mod scan;\nmod link;\npub use link::Link;\n"),
            source(
                "scan/mod",
                "mod ending;\nmod head;\npub(crate) use head::{\n    Head, other as Other,\n};\nuse ending::Limits;\n\nfn f() {\n    // Nothing.\n}\n",
            ),
            source("scan/ending", "use super::Head;\nuse crate::{link::{self, Link}, tables};\n"),
            source(
                "scan/head",
                "use super::ending::Limits;\n\n#[cfg(test)]\nmod tests {\n    use crate::link;\n}\n",
            ),
            source("link", "/// Of a link.\npub struct Link;\n"),
            source("tables", "// @generated\nstatic A: u8 = 0;\n"),
            source("tables/tests", "use crate::scan;"),
            source("cli/main", "use linksift::Link;"),
        ]
    };
    let arrows = Package::new(package()).arrows();
    let of = |file: &str| arrows[file].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("scan"), ["scan/ending", "scan/head"]);
    // Not of `scan`, which only hands it on.
    assert_eq!(of("scan/ending"), ["link", "scan/head", "tables"]);
    assert_eq!(of("scan/head"), ["scan/ending"]);
    let figures = Figures::of(package());
    assert_eq!(figures.circles, [["scan/ending", "scan/head"]]);
    assert_eq!(figures.modules.len(), 3);
    assert_eq!(figures.modules["scan"].len(), 2);
    let lines: usize = figures.code_lines.values().sum();
    assert_eq!((figures.files, lines), (6, 3 + 8 + 2 + 1 + 1));
}

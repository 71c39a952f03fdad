//! The borders between the modules of `src/`: who imports whom, which module imports each foreign crate
//! by, how long a file may be. They are read from the source text, so that a border that is crossed
//! fails here and not in a review.

mod bounds;
mod facts;
mod functions;
mod offsets;
mod picture;
mod sources;
mod structure;
mod type_names;
mod wording;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sources::{Source, code, full_paths, paths, sources};

/// A file is about 400 lines long at most; beyond this a second idea is in it.
const MAX_LINES: usize = 480;

/// What each module of the library may import of the others, from the bottom to the top. A module may have modules in it that have a
/// row of their own. `source_map`, `chunk`, `simd`, `tables`, `codes`, `context`, `limits`, `notation`
/// and `iri::chars` are open to all. What joins stages (`finder`, `stream`) and what stands on them is further down.
const MODULES: &[(&str, &[&str])] = &[
    // Bytes and vectors: it knows of nothing else.
    ("simd", &[]),
    ("tables", &[]),
    // A-labels, which hosts are written with and read from.
    ("tables::punycode", &[]),
    ("codes", &[]),
    ("warning", &[]),
    // Where a link is.
    ("context", &[]),
    // Numbers, and what is said when they are reached.
    ("limits", &[]),
    ("offsets", &[]),
    // Folders whose files are modules: the head of each names them and imports nothing.
    ("input", &[]),
    // Bytes by their offsets.
    ("input::chunk", &[]),
    // Where a reader has no more bytes for now.
    ("input::pause", &[]),
    // Bytes of a reader that are available.
    ("input::sliding_buffer", &["input::pause"]),
    // What ends a scan from outside.
    ("input::guard", &[]),
    ("input::caseless", &[]),
    // Bytes and what they stand for in mail.
    ("source_map::transfer", &[]),
    // Some of its segments are decoded again.
    ("source_map", &["source_map::transfer"]),
    // A host, a link's text: what deceives in it.
    ("trust", &["tables::punycode", "warning"]),
    // It stands on its own and is useful alone. What is shown of a host depends on what deceives in it.
    ("iri", &["Warning", "tables::punycode", "trust", "warning"]),
    // An octet of a query is a type of the IRI module.
    ("charset", &["input::caseless", "iri::Octet"]),
    // What a scan says of a document.
    ("notice", &["charset"]),
    // Whether there may be a link: of bytes alone.
    ("scan::prefilter", &[]),
    ("scan::reference", &[]),
    // It reads text with its references resolved wherever one stands, and gives nothing a name of
    // its own: the kinds and reasons are its.
    // A reason may be one of the IRI's grammar, which is known there by name alone; a scheme has been parsed
    // by it.
    (
        "scan",
        &[
            "iri::Error",
            "iri::ErrorKind",
            "iri::Scheme",
            "scan::prefilter",
            "scan::reference",
            "trust::registrable",
        ],
    ),
    // How a link is written in its document: layers of references.
    ("notation", &["scan::reference"]),
    // The public types: a kind and a reason are what the scan and the IRI's grammar say.
    ("link", &["charset", "iri", "offsets", "scan", "trust", "warning"]),
    ("link::lines", &["charset", "link", "offsets"]),
    // It gives ranges, contexts and grammars; what a value's text means is asked of `scan::reference` and `iri`.
    (
        "markup",
        &[
            "charset",
            "iri",
            "notice",
            "scan::TextKind",
            "scan::prefilter",
            "scan::reference",
            "source_map::transfer",
        ],
    ),
    // Media types and their parameters, of WARC and mail.
    ("detect::media_type", &[]),
    (
        "detect::document",
        &[
            "charset",
            "detect::media_type",
            "input::guard",
            "iri::IriBuf",
            // What another part of a package says of its links.
            "markup::PackageTexts",
            "notice",
            "offsets",
            "scan::reference",
        ],
    ),
    // What a document is, by its beginning and by what is said of it; what hints say of that.
    (
        "detect",
        &[
            "charset",
            "detect::document",
            "markup::Json",
            "markup::is_html_element",
            "notice",
            "scan::Boundaries",
            "scan::TextKind",
            "scan::reference",
        ],
    ),
    ("document", &[]),
    // What a step over the bytes available came to.
    ("document::step", &["link"]),
    // A stretch of a document as text, and the scan of it.
    ("document::window", &["charset", "markup::Rules", "scan", "scan::reference"]),
    // Windows of stored bytes, decoded and scanned.
    (
        "document::legacy",
        &["charset", "document::window", "link::lines", "scan", "scan::prefilter"],
    ),
    (
        "document::finder",
        &[
            "charset",
            "document::legacy",
            "document::window",
            "iri",
            "link",
            "scan",
            "scan::reference",
            "trust",
            "warning",
        ],
    ),
    // Documents in markup: what a tokenizer gives becomes links.
    (
        "document::page",
        &[
            "charset",
            "document::finder",
            "document::legacy",
            "document::step",
            "document::window",
            "input::caseless",
            "iri::ErrorKind",
            "iri::SimpleUriRef",
            "iri::repair",
            "link",
            "markup",
            "notice",
            "scan",
            "scan::prefilter",
            "scan::reference",
            "trust",
            "warning",
        ],
    ),
    // From the bytes of a document to links, step by step.
    (
        "document::pass",
        &[
            "charset",
            "detect::document",
            "document::finder",
            "document::legacy",
            "document::page",
            "document::step",
            "document::window",
            "link",
            "link::lines",
            "markup",
            "notice",
            "offsets",
            "scan",
        ],
    ),
    // Mail: parts are documents of their own, and their links come back with places in the message.
    (
        "mail",
        &[
            "charset",
            "detect",
            "detect::document",
            "detect::media_type",
            "document::attachment",
            "document::finder",
            "document::page::compared_with",
            "input::sliding_buffer",
            "iri",
            "link",
            "link::lines",
            "markup",
            "notice",
            "source_map::transfer",
            "trust",
            "warning",
            "whole",
        ],
    ),
    // What a parser of a binary document finds in it.
    ("piece", &["charset", "detect::document"]),
    ("document::attachment", &["link"]),
    // Old Office: from a compound file to pieces.
    ("office", &["charset", "markup::field_url", "markup::header_text", "notice", "piece"]),
    ("pdf", &["charset", "detect", "detect::document", "notice", "piece"]),
    // Binary property lists.
    ("plist", &["charset", "context", "detect", "detect::document", "piece"]),
    // Documents that a parser reads whole: their pieces become links.
    (
        "whole",
        &[
            "charset",
            "detect",
            "detect::document",
            "document::attachment",
            "document::finder",
            "document::page::compared_with",
            "input::guard",
            "input::memory",
            "iri",
            "link",
            "notice",
            "office::OfficeReader",
            "office::StoredMessage",
            "offsets::Unit",
            "pdf",
            "piece",
            "plist",
        ],
    ),
    // Notices and origins are public types.
    (
        "container",
        &[
            "charset",
            "detect",
            "detect::document",
            "detect::media_type",
            "input::memory",
            "input::pause",
            "input::sliding_buffer",
            "iri",
            "link",
            // The texts of the links of a package, which are in other members.
            "markup::PackageTexts",
            "notice",
            // The messages of a store are its members.
            "office::StoredMessage",
            "office::StoredMessages",
            "office::is_store",
        ],
    ),
    // What a scan comes across: types of those who tell of it.
    (
        "event",
        &["container::Member", "container::ResumePoint", "link", "mail::PartFound", "notice"],
    ),
    ("driver", &[]),
    // The links of the headers of an answer.
    (
        "driver::answer",
        &["charset", "container", "detect::document", "document::finder", "link", "notice"],
    ),
    ("driver::plan", &["detect::document", "detect::mail::MailKind", "notice"]),
    // Passes over what a reader gives, block by block.
    (
        "driver::stream",
        &[
            "charset",
            "container",
            "detect",
            "detect::document",
            "document::finder",
            "document::pass",
            "driver::answer",
            "driver::plan",
            "event",
            "input::guard",
            "input::pause",
            "input::sliding_buffer",
            "link",
            "link::lines::LineState",
            "mail",
            "markup::CsvPoint",
            "markup::HtmlPoint",
            "markup::HtmlTagPoint",
            "markup::JsonPoint",
            "markup::XmlPoint",
            "markup::XmlStackPoint",
            "notice",
            "office::StoredMessage",
            "scan::ScanPoint",
            "source_map::transfer",
            "whole",
            "document::attachment",
        ],
    ),
    // And over what is in memory, which is one block.
    (
        "driver::memory",
        &[
            "charset",
            "container",
            "detect",
            "detect::document",
            "document::finder",
            "document::pass",
            "document::step",
            "document::window",
            "driver::answer",
            "driver::plan",
            "input::guard",
            "link",
            "mail",
            "notice",
            "scan",
            "source_map::transfer",
            "whole",
        ],
    ),
    // A document with links replaced, in the notations that the tokenizers read.
    (
        "rewrite",
        &[
            "charset",
            "detect",
            "detect::document",
            "document::finder",
            "iri",
            "link",
            "markup",
            "notice",
            "scan::reference",
        ],
    ),
    // Text to HTML: links that are found become tags.
    (
        "html",
        &[
            "charset",
            "detect::document",
            "document::finder",
            "driver::memory",
            "input::guard",
            "link",
            "mail",
            "notice",
            "scan::MAX_BEFORE",
            "trust::registrable",
            "warning",
        ],
    ),
    (
        "files",
        &[
            "charset",
            "container",
            "detect::document",
            "document::attachment",
            "document::finder",
            "driver::answer",
            "driver::stream",
            "event",
            "input::guard",
            "input::memory",
            "input::pause",
            "link",
            "notice",
        ],
    ),
    ("report", &["link"]),
    // Links as records, types as texts.
    (
        "report::serial",
        &[
            "charset",
            "container::ResumePoint",
            "document::finder",
            "driver::stream::FeedPoint",
            "iri",
            "link",
            "report",
        ],
    ),
    // Every option by its name, for bindings and for the command.
    ("settings", &["detect::document", "document::finder", "html", "iri", "trust"]),
    // A window for tests and benches.
    ("peek", &["detect", "detect::document::DocumentFormat", "mail", "markup", "scan::reference"]),
];

const OPEN_TO_ALL: &[&str] = &[
    "source_map",
    "input::chunk",
    "simd",
    "tables",
    "codes",
    "context",
    "iri::chars",
    "limits",
    "notation",
];

/// Foreign crates, and the modules or files that are their users.
const CRATE_USERS: &[(&str, &[&str])] = &[
    ("idna", &["iri/host", "tables/punycode"]),
    ("parquet", &["report/parquet"]),
    ("pulldown_cmark", &["markup/markdown"]),
    ("ignore", &["files/rules"]),
    // The command writes totals and failures, and keeps how far a run has come.
    ("serde", &["report", "report/serial", "codes", "cli"]),
    ("serde_json", &["report", "cli"]),
    ("url", &["link/url"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("ctor", &["cli"]),
    ("rayon", &["files"]),
    ("rustix", &["files/opened"]),
    ("fs4", &["cli/writing/lock"]),
    ("indicatif", &["cli"]),
    ("regex", &["cli"]),
    ("strsim", &["cli"]),
    ("supports_hyperlinks", &["cli"]),
    ("encoding_rs", &["charset"]),
    ("aes", &["pdf/file/crypt"]),
    ("md5", &["pdf/file/crypt"]),
    ("sha2", &["pdf/file/crypt"]),
    ("chardetng", &["charset"]),
    ("brotli_decompressor", &["container/codec"]),
    ("bzip2", &["container/codec"]),
    ("deflate64", &["container/codec"]),
    // The checksum of a state is that of gzip.
    ("flate2", &["container/codec", "pdf/file/filter", "cli/writing/kept", "cli/codec"]),
    ("lz4_flex", &["container/codec"]),
    ("lzma_rust2", &["container/codec"]),
    ("twox_hash", &["container/codec"]),
    ("zstd", &["container/codec", "cli/codec"]),
    ("aho_corasick", &["input/caseless"]),
    // Counting lines is a search for bytes as well.
    (
        "memchr",
        &[
            "input/caseless",
            "cli/lines",
            "scan",
            "document/finder",
            "link/columns",
            "link/lines",
            "scan/reference",
            "markup",
            "document/page",
            "iri",
            "charset",
            "container",
            "source_map",
            "trust",
            "detect/media_type",
            "mail",
            "html",
            "detect",
            "office",
            "source_map/transfer",
            "document/pass/wide",
            "document/window",
            "pdf",
            "plist",
            "rewrite/counted",
        ],
    ),
    ("unicode_normalization", &["tables/forms"]),
    ("icu_normalizer", &["tables/forms"]),
];

/// The module of the table that a path of segments leads into, the innermost one.
fn module_of(path: &str) -> &str {
    let leads = |module: &&str| is_below(path, module);
    let known = MODULES.iter().map(|(module, _)| *module).filter(leads);
    let top = path.split("::").next().unwrap_or_default();
    known.max_by_key(|module| module.len()).unwrap_or(top)
}

/// Whether a path is that of a module or leads into it.
fn is_below(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Whether who may import `allowed`, a module or something of one, may import `path`. A module inside a module is allowed by
/// its own name.
fn allows(allowed: &str, path: &str) -> bool {
    is_below(path, allowed) && module_of(path).len() <= allowed.len()
}

/// What a file imports of other modules, those that are open to all apart.
fn imports(source: &Source) -> BTreeSet<String> {
    let code = code(&source.text);
    let mut all = full_paths(&code, "crate::");
    // What is above a module is its folder's, or the crate's.
    for path in full_paths(&code, "super::") {
        let mut module = source.module();
        module.pop();
        let mut path = &*path;
        while let Some(rest) = path.strip_prefix("super::") {
            module.pop();
            path = rest;
        }
        module.push(path);
        all.insert(module.join("::"));
    }
    let own = source.module().join("::");
    let is_open = |path: &str| OPEN_TO_ALL.iter().any(|open| allows(open, path));
    let is_own = |path: &str| module_of(path) == module_of(&own);
    all.into_iter().filter(|path| !is_open(path) && !is_own(path)).collect()
}

/// What a file imports against the table.
fn trespasses(source: &Source) -> Vec<String> {
    let Source { path, .. } = source;
    let own = source.module().join("::");
    let Some((_, allowed)) = MODULES.iter().find(|(module, _)| *module == module_of(&own)) else {
        return vec![format!("{path}: a module that the table does not know")];
    };
    let is_foreign = |import: &String| !allowed.iter().any(|allowed| allows(allowed, import));
    let say = |import: String| format!("{path}: crate::{import}");
    imports(source).into_iter().filter(is_foreign).map(say).collect()
}

/// The foreign crates that a file names and is no user of.
fn foreign_imports(source: &Source) -> Vec<String> {
    let code = code(&source.text);
    let mut found = Vec::new();
    for (name, users) in CRATE_USERS {
        let is_user = users.iter().any(|user| match source.path.strip_prefix(user) {
            Some(rest) => rest.is_empty() || rest.starts_with(['/', '_']),
            None => false,
        });
        let starts = [format!("{name}::"), format!("use {name};"), format!("use {name} ")];
        if !is_user && starts.iter().any(|start| !paths_or_use(&code, start).is_empty()) {
            found.push(format!("{}: {name}", source.path));
        }
    }
    found
}

fn paths_or_use(code: &str, start: &str) -> BTreeSet<String> {
    match start.starts_with("use ") {
        true if code.contains(start) => BTreeSet::from([start.to_owned()]),
        true => BTreeSet::new(),
        false => paths(code, start),
    }
}

/// A way round that leads from a module to itself, if there is one.
fn circle(edges: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk(
        module: &str,
        edges: &BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> bool {
        if let Some(at) = way.iter().position(|one| one == module) {
            way.drain(..at);
            return true;
        }
        if !done.insert(module.to_owned()) {
            return false;
        }
        way.push(module.to_owned());
        let next = edges.get(module).into_iter().flatten();
        let found = next.into_iter().any(|next| walk(next, edges, way, done));
        if !found {
            way.pop();
        }
        found
    }
    let mut done = BTreeSet::new();
    edges.keys().find_map(|module| {
        let mut way = Vec::new();
        walk(module, edges, &mut way, &mut done).then_some(way)
    })
}

#[test]
fn modules_import_what_they_may_and_nothing_else() {
    // Tests may look anywhere.
    let is_of_library =
        |s: &Source| !s.is_command() && s.path != "lib" && !s.path.ends_with("/tests");
    let library = sources().into_iter().filter(is_of_library);
    let found: Vec<_> = library.flat_map(|source| trespasses(&source)).collect();
    assert!(found.is_empty(), "imports that the table does not allow:\n{}", found.join("\n"));
}

/// The modules of the library, each with those that it imports from.
fn modules() -> BTreeMap<String, BTreeSet<String>> {
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let sources = sources();
    let is_source = |path: &str| sources.iter().any(|source| source.top() == path);
    for source in sources.iter().filter(|s| !s.is_command() && s.path != "lib") {
        let imports = imports(source);
        let tops = imports.iter().map(|path| path.split("::").next().unwrap_or_default());
        let others = tops.filter(|top| is_source(top) && *top != source.top()).map(str::to_owned);
        modules.entry(source.top().to_owned()).or_default().extend(others);
    }
    modules
}

#[test]
fn no_module_leads_back_to_itself() {
    let edges = modules();
    assert!(edges.len() >= 10, "{} modules", edges.len());
    assert_eq!(circle(&edges), None);
}

/// Facts that only the table of kinds may state: magic numbers, media types, endings of mail. They are samples, which a
/// second table would have too; a new format need not be added.
const KINDS: [&str; 23] = [
    "%PDF-",
    "\\x89PNG",
    "GIF8",
    "\\xFF\\xD8\\xFF",
    "RIFF",
    "OggS",
    "wOFF",
    "\\x7FELF",
    "Rar!",
    "7z\\xBC",
    "SQLite format",
    "PAR1",
    "ARROW1",
    "!<arch>",
    "\"image",
    "\"audio",
    "\"video",
    "\"font\"",
    "\"application/pdf",
    "\"application/pkcs7",
    "\"application/pgp",
    ".eml\"",
    ".mbox\"",
];

/// What a document is, said by a file that is not to say it.
fn second_verdicts(source: &Source) -> Vec<String> {
    let code = code(&source.text);
    let is_owner = source.top() == "detect";
    // Names of elements and attributes, and encodings of `annotation-xml`, are facts of HTML.
    let is_vocabulary = matches!(source.top(), "markup" | "tables" | "html");
    let said = KINDS.iter().filter(|kind| code.contains(**kind));
    said.filter(|_| !is_owner && !is_vocabulary)
        .map(|kind| format!("{}: {kind}", source.path))
        .collect()
}

/// What is generated is in one folder, and the library is compiled of its own files alone.
#[test]
fn files_are_where_they_belong() {
    let library = sources::sources_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let is_beside = |source: &&Source| source.is_generated() != (source.top() == "generated");
    let beside: Vec<_> = library.iter().filter(is_beside).map(|source| &source.path).collect();
    assert!(
        beside.is_empty(),
        "generated and not in src/generated, or the other way round: {beside:?}"
    );
    let count = library.iter().filter(|source| source.is_generated()).count();
    assert!(count >= 10, "{count}");
    for source in &library {
        let outside = source
            .text
            .lines()
            .find(|line| line.trim_start().starts_with("#[path") && line.contains("tests/"));
        assert_eq!(outside, None, "{} compiles a file of the tests", source.path);
    }
}

#[test]
fn what_a_document_is_is_said_once() {
    let is_tests = |source: &Source| source.path.ends_with("/tests");
    let library = sources().into_iter().filter(|s| !s.is_command() && !is_tests(s));
    let found: Vec<_> = library.flat_map(|source| second_verdicts(&source)).collect();
    assert!(found.is_empty(), "facts of src/detect:\n{}", found.join("\n"));
    let one = |path: &str, text: &str| second_verdicts(&made_up(path, text));
    assert_eq!(one("mail/part", "head.starts_with(b\"GIF89a\")"), ["mail/part: GIF8"]);
    assert_eq!(one("container/warc/http", "[\"image/\"]"), ["container/warc/http: \"image"]);
    assert!(one("detect/kinds", "b\"GIF89a\"").is_empty());
    assert!(one("mail/part", "// Not b\"GIF89a\".").is_empty());
}

#[test]
fn foreign_crates_are_imported_by_their_users() {
    let found: Vec<_> = sources().iter().flat_map(foreign_imports).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap();
    let listed = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    for line in listed.lines().filter_map(|line| line.split_once('=')) {
        let name = line.0.trim().replace('-', "_");
        let is_known = name.starts_with('#') || CRATE_USERS.iter().any(|(user, _)| *user == name);
        assert!(is_known, "{name} has no user in this table");
    }
}

#[test]
fn the_command_uses_the_public_api_alone() {
    let sources = sources();
    let command: Vec<_> = sources.iter().filter(|s| s.is_command()).collect();
    assert!(command.len() >= 3, "{} files", command.len());
    let modules: BTreeSet<_> =
        command.iter().flat_map(|s| s.path.split('/').skip(1).map(str::to_owned)).collect();
    for source in &command {
        let code = code(&source.text);
        assert!(!code.contains("#[path"), "{}: a module from elsewhere", source.path);
        for path in paths(&code, "crate::") {
            let first = path.split("::").next().unwrap_or_default();
            let is_own = modules.contains(first) || first.starts_with(char::is_uppercase);
            assert!(is_own, "{}: crate::{path} is none of the command's", source.path);
        }
        for path in paths(&code, "linksift::") {
            let is_hidden = path.split("::").any(|part| part == "tables");
            assert!(!is_hidden, "{}: linksift::{path} is hidden", source.path);
        }
    }
    assert!(command.iter().any(|s| s.text.contains("linksift::")), "it uses the library");
}

#[test]
fn files_hold_one_idea() {
    let mut seen = 0;
    let mut long = Vec::new();
    for source in sources() {
        if source.is_generated() {
            continue;
        }
        let lines = code(&source.text).lines().count();
        if lines > MAX_LINES {
            long.push(format!("src/{}.rs: {lines} lines without its tests", source.path));
        }
        seen += 1;
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
    assert!(seen >= 30, "{seen} files");
}

fn made_up(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn the_checks_see_what_they_are_to_see() {
    let one = |path: &str, text: &str| trespasses(&made_up(path, text));
    assert_eq!(
        one("scan/host", "use crate::document::finder::Finder;"),
        ["scan/host: crate::document::finder::Finder"]
    );
    assert_eq!(
        one("scan/host", "fn f() { crate::link::Link::new() }"),
        ["scan/host: crate::link::Link::new"]
    );
    assert_eq!(
        one("iri/parse", "use crate::{source_map::SourceMap, scan};"),
        ["iri/parse: crate::scan"]
    );
    assert_eq!(
        one("iri/parse", "use crate::{\n    source_map,\n    scan::{self, View},\n    link,\n};")
            .len(),
        3
    );
    assert_eq!(one("link/mod", "use super::files;"), ["link/mod: crate::files"]);
    assert_eq!(one("report/json", "use super::super::files;"), ["report/json: crate::files"]);
    assert_eq!(one("scan/host", "use crate::iri::to_uri;"), ["scan/host: crate::iri::to_uri"]);
    assert_eq!(
        one("document/window/text", "use super::super::pass;"),
        ["document/window/text: crate::document::pass"]
    );
    assert_eq!(
        one("container/open", "use crate::source_map::{MappedText, transfer};"),
        ["container/open: crate::source_map::transfer"]
    );
    assert_eq!(one("attic", "").len(), 1, "a module that no one knows");
    for fine in [
        "use crate::iri::chars::is_uri_byte;",
        "use crate::tables::{self, tld};",
        "//! [`crate::files`] joins them.",
        "let a = 1; // crate::files does it",
        "use super::view::View;",
        "#[cfg(test)]\nmod tests {\n    use crate::files::Options;\n}",
    ] {
        assert!(one("scan/host", fine).is_empty(), "{fine}");
    }
}

#[test]
fn imports_of_foreign_crates_are_seen() {
    let one = |path: &str, text: &str| foreign_imports(&made_up(path, text));
    assert_eq!(one("scan/host", "use idna::uts46::Uts46;"), ["scan/host: idna"]);
    assert_eq!(one("iri/parse", "let a = idna::domain_to_ascii(h);"), ["iri/parse: idna"]);
    assert_eq!(one("finder", "use ignore::Walk;"), ["finder: ignore"]);
    assert_eq!(one("link", "use serde;"), ["link: serde"]);
    assert_eq!(one("iri/hosts", "use idna::uts46::Uts46;"), ["iri/hosts: idna"]);
    for (path, text) in [
        ("iri/host", "use idna::uts46::Uts46;"),
        ("cli/main", "use clap::Parser;"),
        ("scan/host", "/// By `idna::uts46`.\nlet other_idna::x;"),
    ] {
        assert!(one(path, text).is_empty(), "{path}: {text}");
    }
}

#[test]
fn a_circle_is_seen() {
    let edges = |list: &[(&str, &str)]| {
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in list {
            edges.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        edges
    };
    assert_eq!(circle(&edges(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let round = circle(&edges(&[("a", "b"), ("b", "c"), ("c", "b")]));
    assert_eq!(round, Some(vec!["b".to_owned(), "c".to_owned()]));
}

//! Detects the format of a text by its name, then by its first bytes.
//!
//! A known extension of the name decides, since people name files after their content. The content decides only if the
//! name has no extension, an unknown one, or one that does not determine the format (a saved page may be called
//! `.txt`), or if the name is that of source code and the document declares that it is XML (translations of Qt are called `.ts`).
//! Markdown and style sheets are detected only by their names, since their first bytes are not typical. The
//! result depends only on the name and the first `HEAD` bytes.

use std::borrow::Cow;

use super::{kubernetes, undeclared};
use crate::charset::CONTROLS_HEAD as HEAD;
use crate::detect::document::DocumentFormat;
use crate::markup::Json;
use crate::scan::reference::EscapeGrammar;

use DocumentFormat::*;
use EscapeGrammar::{Perl, Po, Pod, Properties, Roff, Strings, Tex, Texinfo};

/// Extensions of names, and their formats.
#[rustfmt::skip]
const ENDINGS: [(&str, DocumentFormat); 249] = [
    ("html", Html), ("htm", Html), ("shtml", Html), ("shtm", Html), ("stm", Html), ("hta", Html),
    ("jsp", Html), ("jspx", Html), ("asp", Html), ("aspx", Html), ("cshtml", Html), ("ejs", Html),
    ("hbs", Html), ("mustache", Html), ("njk", Html), ("jinja", Html), ("j2", Text),
    ("xhtml", Xml), ("xht", Xml), ("xml", Xml), ("svg", Xml), ("rss", Xml), ("atom", Xml), ("rdf", Xml),
    ("opml", Xml), ("xsl", Xml), ("xslt", Xml), ("xsd", Xml), ("rng", Xml), ("sch", Xml), ("wsdl", Xml),
    ("kml", Xml), ("gpx", Xml), ("xspf", Xml), ("mathml", Xml), ("mml", Xml), ("smil", Xml), ("dbk", Xml),
    ("docbook", Xml), ("dita", Xml), ("ditamap", Xml), ("fodt", Xml), ("fods", Xml), ("fodp", Xml),
    ("fodg", Xml), ("rels", Xml), ("opf", Xml), ("ncx", Xml), ("xliff", Xml), ("xlf", Xml), ("tmx", Xml),
    ("tei", Xml), ("xmp", Xml), ("owl", Xml), ("plist", Xml), ("xaml", Xml), ("resx", Xml), ("xul", Xml),
    ("csproj", Xml), ("vcxproj", Xml), ("fsproj", Xml), ("vbproj", Xml), ("nuspec", Xml), ("pom", Xml),
    ("glade", Xml), ("gpl", Text), ("metalink", Xml), ("meta4", Xml), ("page", Xml), ("mallard", Xml), ("jnlp", Xml), ("drawio", Xml),
    ("targets", Xml), ("ui", Xml), ("fxml", Xml), ("storyboard", Xml), ("xib", Xml), ("vsixmanifest", Xml), ("wxs", Xml), ("graphml", Xml),
    ("md", Markdown), ("markdown", Markdown), ("mdown", Markdown), ("mkd", Markdown), ("mkdn", Markdown),
    ("mdwn", Markdown), ("mdx", Markdown), ("rmd", Markdown), ("qmd", Markdown),
    ("css", Css), ("csv", Csv),
    ("json", Json), ("jsonl", Json), ("ndjson", Json), ("jsonld", Json), ("geojson", Json), ("topojson", Json),
    ("har", Json), ("webmanifest", Manifest), ("ipynb", Notebook), ("json5", Json), ("jsonc", Json), ("sarif", Json),
    // Code and other text, whatever its first bytes are; sources that are compiled to CSS are not CSS.
    ("c", Code), ("h", Code), ("cc", Code), ("cpp", Code), ("cxx", Code), ("hpp", Code),
    ("hh", Code), ("inl", Code), ("rs", Code), ("go", Code), ("py", Code), ("pyi", Code),
    ("rb", Code), ("erb", Code), ("pl", Escaped(Perl)), ("pm", Escaped(Perl)), ("t", Escaped(Perl)), ("sh", Code),
    ("bash", Code), ("zsh", Code), ("fish", Code), ("ksh", Code), ("java", Code), ("kt", Code),
    ("kts", Code), ("groovy", Code), ("gradle", Code), ("scala", Code), ("clj", Code),
    ("cljs", Code), ("js", Code), ("mjs", Code), ("cjs", Code), ("ts", Code), ("jsx", Code),
    ("tsx", Code), ("vue", Code), ("svelte", Code), ("coffee", Code), ("yaml", Yaml), ("yml", Yaml), ("toml", Code), ("ini", Code),
    ("cfg", Code), ("conf", Code), ("config", Code), ("cnf", Code), ("prefs", Code),
    ("reg", Code), ("service", Code), ("rules", Code), ("hcl", Code), ("tf", Code),
    ("tfvars", Code), ("nix", Code), ("bzl", Code), ("cmake", Code), ("mk", Code), ("mak", Code),
    ("m4", Code), ("ac", Code), ("am", Code), ("sql", Code), ("lua", Code), ("vim", Code),
    ("el", Code), ("lisp", Code), ("scm", Code), ("hs", Code), ("lhs", Code), ("ml", Code),
    ("mli", Code), ("ex", Code), ("exs", Code), ("erl", Code), ("hrl", Code), ("elm", Code),
    ("swift", Code), ("m", Code), ("mm", Code), ("cs", Code), ("fs", Code), ("vb", Code),
    ("pas", Code), ("d", Code), ("zig", Code), ("nim", Code), ("v", Code), ("jl", Code),
    ("r", Code), ("dart", Code), ("tcl", Code), ("awk", Code), ("f90", Code), ("asm", Code),
    ("s", Code), ("ps1", Code), ("psm1", Code), ("bat", Code), ("cmd", Code), ("proto", Code),
    ("thrift", Code), ("graphql", Code), ("gql", Code), ("scss", Code), ("less", Code),
    ("sass", Code), ("styl", Code), ("dtd", Code), ("lds", Code), ("ld", Code), ("tsv", Text),
    ("rst", Rst), ("org", Text),
    ("properties", Escaped(Properties)), ("po", Escaped(Po)), ("pot", Escaped(Po)), ("strings", Escaped(Strings)),
    ("tex", Escaped(Tex)), ("bib", Escaped(Tex)), ("ltx", Escaped(Tex)), ("latex", Escaped(Tex)), ("bbl", Escaped(Tex)),
    ("sty", Escaped(Tex)), ("cls", Escaped(Tex)), ("dtx", Escaped(Tex)),
    ("texi", Escaped(Texinfo)), ("texinfo", Escaped(Texinfo)), ("txi", Escaped(Texinfo)),
    ("pod", Escaped(Pod)), ("man", Escaped(Roff)), ("roff", Escaped(Roff)), ("mdoc", Escaped(Roff)), ("troff", Escaped(Roff)), ("groff", Escaped(Roff)),
    ("diff", Text), ("patch", Text), ("adoc", Asciidoc), ("asciidoc", Asciidoc),
    ("rtf", Rtf), ("ics", Calendar), ("ical", Calendar), ("ifb", Calendar),
    ("vcs", Calendar), ("vcf", Vcard), ("vcard", Vcard),
];

/// File names of code without an extension, or with that of another format.
const WHOLE_NAMES: [&str; 9] = [
    "Makefile",
    "GNUmakefile",
    "Dockerfile",
    "Rakefile",
    "Gemfile",
    "Vagrantfile",
    "Jenkinsfile",
    "Justfile",
    "CMakeLists.txt",
];

impl DocumentFormat {
    /// Returns `true` if it is text or mail, and not markup.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Text | Code | Yaml | Email | Mbox | Http)
    }
}

/// Extensions of source code and templates in which there may be anything between tags. They do not determine a format, but the documents
/// are XML only if they declare it.
const OF_TEMPLATES: [&str; 33] = [
    "php",
    "phtml",
    "php3",
    "php4",
    "php5",
    "php7",
    "phps",
    "inc",
    "astro",
    "marko",
    "riot",
    "razor",
    "gsp",
    "jspf",
    "tag",
    "cfm",
    "cfc",
    "gohtml",
    "tmpl",
    "tpl",
    "template",
    "twig",
    "liquid",
    "ftl",
    "ftlh",
    "vm",
    "mako",
    "eex",
    "heex",
    "leex",
    "handlebars",
    "xquery",
    "xq",
];

/// Endings of templates that follow the ending of what they make.
const OUTER: [&[u8]; 2] = [b"erb", b"j2"];

/// Detects the format of a document from its name (bytes of a path, if any) and its first bytes.
pub(crate) fn format_of(name: &[u8], head: &[u8]) -> DocumentFormat {
    match said(name, &head[..head.len().min(HEAD)]) {
        Ok(kind) | Err(kind) => kind,
    }
}

/// Returns `true` if a name determines the format.
pub(crate) fn is_told_by_name(name: &[u8]) -> bool {
    by_name(name).is_some()
}

/// Returns `true` if a name is that of a page, which a browser opens.
#[cfg(feature = "mail")]
pub(super) fn is_page_name(name: &[u8]) -> bool {
    matches!(by_name(name), Some(Html | Xml))
}

/// Returns the format of a name's extension.
pub(super) fn by_name(name: &[u8]) -> Option<DocumentFormat> {
    let file = file_of(name);
    if WHOLE_NAMES.iter().any(|whole| whole.as_bytes().eq_ignore_ascii_case(file)) {
        return Some(Code);
    }
    let ending = ending_of(file)?;
    let by_ending = |ending: &[u8]| {
        let ending = key(ending)?;
        let known = KEYS.iter().position(|known| *known == ending)?;
        Some(ENDINGS[known].1)
    };
    // The ending before it names what the template makes: `index.html.erb`.
    let is_outer = OUTER.iter().any(|outer| ending.eq_ignore_ascii_case(outer));
    let inner = is_outer.then(|| ending_of(&file[..file.len() - ending.len() - 1])).flatten();
    inner.and_then(by_ending).or_else(|| by_ending(ending))
}

/// Returns the name of a file without its directories.
fn file_of(name: &[u8]) -> &[u8] {
    let start = name.iter().rposition(|byte| matches!(byte, b'/' | b'\\'));
    &name[start.map_or(0, |slash| slash + 1)..]
}

/// Returns the extension of a file's name. A leading dot marks a hidden file, not an extension.
fn ending_of(file: &[u8]) -> Option<&[u8]> {
    let dot = file.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0)?;
    Some(&file[dot + 1..])
}

/// Returns `true` for the name of a template.
fn is_of_template(name: &[u8]) -> bool {
    let is_it =
        |ending: &[u8]| OF_TEMPLATES.iter().any(|one| ending.eq_ignore_ascii_case(one.as_bytes()));
    ending_of(file_of(name)).is_some_and(is_it)
}

/// Extensions as numbers, since the extension of each file is compared with all of them.
const KEYS: [u128; ENDINGS.len()] = {
    let mut keys = [0; ENDINGS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = match key(ENDINGS[at].0.as_bytes()) {
            Some(key) => key,
            None => panic!("an ending is too long"),
        };
        at += 1;
    }
    keys
};

/// Returns an extension's bytes in lower case as a number; `None` if it is empty, longer than 16 bytes, or contains
/// a NUL.
const fn key(ending: &[u8]) -> Option<u128> {
    if ending.is_empty() || ending.len() > 16 {
        return None;
    }
    let (mut key, mut at) = (0, 0);
    while at < ending.len() {
        if ending[at] == 0 {
            return None;
        }
        key = key << 8 | ending[at].to_ascii_lowercase() as u128;
        at += 1;
    }
    Some(key)
}

/// Returns the format of a document that begins with `head`, if no further byte can change it.
pub(super) fn settled(name: &[u8], head: &[u8]) -> Option<DocumentFormat> {
    let found = said(name, &head[..head.len().min(HEAD)]);
    if head.len() < HEAD { found.ok() } else { Some(found.unwrap_or_else(|kind| kind)) }
}

/// Detects the format from the name and the first bytes, unless more bytes may change it.
///
/// # Errors
///
/// Returns the format of a document that ends here as the error, if later bytes may change it.
fn said(name: &[u8], head: &[u8]) -> Result<DocumentFormat, DocumentFormat> {
    let named = by_name(name);
    #[cfg(feature = "archives")]
    if matches!(named, None | Some(Html | Xml | Json | Css)) {
        match super::http::begins_answer(head) {
            Some(true) => return Ok(Http),
            None => return Err(named.unwrap_or(Text)),
            Some(false) => {}
        }
    }
    match named {
        Some(kind @ (Code | Yaml | Escaped(_))) if is_mark_cut(head) => Err(kind),
        Some(kind @ (Code | Yaml | Escaped(_))) => {
            match declares_xml(narrowed(head).trim_ascii_start()) {
                Some(true) => Ok(Xml),
                Some(false) => Ok(kind),
                None => Err(kind),
            }
        }
        Some(kind) => Ok(kind),
        None => by_content(head, is_of_template(name)),
    }
}

/// Returns `true` if bytes end in a byte order mark, or before the encoding of UTF-16 is known.
pub(super) fn is_mark_cut(head: &[u8]) -> bool {
    matches!(head, [0xEF] | [0xEF, 0xBB] | [0xFE | 0xFF | 0])
        || head.len() < 4 && matches!(head, [0, b'<', ..] | [b'<', 0, ..])
}

/// First bytes of a mind map, which is XML without a declaration. Its name ends as that of source code: `.mm`.
const MIND_MAP: &[u8] = b"<map version=";

/// Returns `true` if the bytes begin with a declaration of XML, or as a mind map; `None` if the following bytes decide.
fn declares_xml(bytes: &[u8]) -> Option<bool> {
    if is_front(bytes, MIND_MAP) {
        return None;
    }
    if starts(bytes, MIND_MAP) {
        return Some(true);
    }
    let declaration = b"<?xml";
    match bytes.get(declaration.len()) {
        Some(next) => Some(starts(bytes, declaration) && next.is_ascii_whitespace()),
        None => (!is_front(bytes, declaration) && !starts(bytes, declaration)).then_some(false),
    }
}

/// Detects the format from the first bytes, as [`said`] does.
fn by_content(head: &[u8], is_template: bool) -> Result<DocumentFormat, DocumentFormat> {
    if is_mark_cut(head) {
        return Err(Text);
    }
    let head = narrowed(head);
    let mut rest = head.trim_ascii_start();
    if declares_xml(rest) == Some(true) {
        return Ok(Xml);
    }
    if rest.starts_with(RTF) {
        return Ok(Rtf);
    }
    if let Some((_, kind)) = OF_LINES.iter().find(|(front, _)| starts(rest, front)) {
        return Ok(*kind);
    }
    if OF_LINES.iter().any(|(front, _)| is_front(rest, front)) {
        return Err(Text);
    }
    match kubernetes::begins_manifest(rest) {
        Some(true) => return Ok(Yaml),
        None => return Err(Text),
        Some(false) => {}
    }
    // Comments may precede the element that decides.
    while starts(rest, b"<!--") {
        match memchr::memmem::find(rest, b"-->") {
            Some(end) => rest = rest[end + 3..].trim_ascii_start(),
            // Neither mail nor code begins with a comment of markup.
            None => return Err(Html),
        }
    }
    if [&b"<?xml-"[..], b"<!--", b"<!doctype", RTF].iter().any(|whole| is_front(rest, whole)) {
        return Err(Text);
    }
    if starts(rest, b"<?xml-") {
        return Ok(Xml);
    }
    if starts(rest, b"<!doctype") {
        let what = rest[9..].trim_ascii_start();
        return match what {
            _ if OF_DOCTYPES.iter().any(|name| starts(what, name)) => Ok(Html),
            _ if OF_DOCTYPES.iter().any(|name| is_front(what, name)) => Err(Xml),
            _ => Ok(Xml),
        };
    }
    let Some(unguarded) = Json::unguarded(rest) else { return Err(Text) };
    match Json::begins(unguarded) {
        Some(true) => return Ok(Json),
        None => return Err(Text),
        Some(false) => {}
    }
    match element(rest) {
        Some(name) => by_element(name, rest, is_template),
        // The name may continue.
        None if is_open_name(rest) => Err(Text),
        None => Ok(Text),
    }
}

/// Names in document types of HTML: pages, and the bookmarks that browsers export.
const OF_DOCTYPES: [&[u8]; 2] = [b"html", b"netscape-bookmark"];

/// First bytes of RTF.
const RTF: &[u8] = br"{\rtf";

/// Beginnings of first lines, with their formats.
const OF_LINES: [(&[u8], DocumentFormat); 10] = [
    (b"BEGIN:VCALENDAR", Calendar),
    (b"BEGIN:VCARD", Vcard),
    (b".TH ", Escaped(Roff)),
    (b".Dd ", Escaped(Roff)),
    (b".\\\"", Escaped(Roff)),
    (b"'\\\"", Escaped(Roff)),
    (b"\\input texinfo", Escaped(Texinfo)),
    (b"\\documentclass", Escaped(Tex)),
    (b"=head1 ", Escaped(Pod)),
    (b"=pod\n", Escaped(Pod)),
];

/// Returns `true` if the bytes are a proper prefix of `whole`, in any letter case.
fn is_front(bytes: &[u8], whole: &[u8]) -> bool {
    bytes.len() < whole.len() && starts(whole, bytes)
}

/// Returns the bytes without a byte order mark; for UTF-16, only the low byte of each unit, which is enough here.
pub(super) fn narrowed(head: &[u8]) -> Cow<'_, [u8]> {
    match head {
        [0xEF, 0xBB, 0xBF, rest @ ..] => rest.into(),
        [0xFF, 0xFE, rest @ ..] => of_units(rest, 0).into(),
        [0xFE, 0xFF, rest @ ..] => of_units(rest, 1).into(),
        // UTF-16 without a byte order mark that begins with markup.
        [b'<', 0, _, 0, ..] => of_units(head, 0).into(),
        [0, b'<', 0, _, ..] => of_units(head, 1).into(),
        _ => head.into(),
    }
}

/// Returns the byte at an index of each unit of two bytes. The loop has no other steps, so that it can process many at once.
fn of_units(bytes: &[u8], index: usize) -> Vec<u8> {
    bytes.chunks_exact(2).map(|unit| unit[index]).collect()
}

fn starts(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns the name of the element whose start tag the bytes begin with.
pub(super) fn element(bytes: &[u8]) -> Option<&[u8]> {
    let inside = bytes.strip_prefix(b"<")?;
    let len = inside.iter().position(|byte| !is_name(byte))?;
    let is_tag = matches!(inside[len], b'>' | b'/') || inside[len].is_ascii_whitespace();
    (is_tag && inside.first()?.is_ascii_alphabetic()).then_some(&inside[..len])
}

/// Returns `true` if the bytes are a tag up to its name, which may continue.
pub(super) fn is_open_name(bytes: &[u8]) -> bool {
    let inside = bytes.strip_prefix(b"<").unwrap_or_default();
    inside.first().is_some_and(u8::is_ascii_alphabetic) && inside.iter().all(is_name)
}

fn is_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':')
}

/// Elements that an HTML page begins with.
const OF_HTML: [&str; 26] = [
    "html", "head", "body", "title", "meta", "link", "base", "script", "style", "table", "div",
    "p", "h1", "h2", "h3", "center", "font", "iframe", "a", "img", "br", "b", "ul", "ol", "span",
    "pre",
];

/// Elements that an XML document begins with, whether it has a declaration or not.
const OF_XML: [&str; 10] = [
    "rss",
    "feed",
    "rdf:rdf",
    "opml",
    "svg",
    "urlset",
    "sitemapindex",
    "kml",
    "relationships",
    "plist",
];

/// Detects the format from the first element; its tag may be cut, as in [`said`].
fn by_element(
    name: &[u8],
    rest: &[u8],
    is_template: bool,
) -> Result<DocumentFormat, DocumentFormat> {
    let is_of = |list: &[&str]| list.iter().any(|one| one.as_bytes().eq_ignore_ascii_case(name));
    // A tag that declares a namespace is XML, except `<html>`: many HTML pages copy the declaration.
    let end = memchr::memchr(b'>', rest);
    let tag = &rest[..end.unwrap_or(rest.len())];
    match () {
        () if is_of(&OF_HTML) => return Ok(Html),
        () if is_of(&OF_XML) || memchr::memmem::find(tag, b"xmlns").is_some() => return Ok(Xml),
        () if end.is_none() => return Err(Text),
        () => {}
    }
    match undeclared::is_xml(rest).filter(|_| !is_template) {
        None => Ok(Text),
        Some(is_xml) => Err(if is_xml { Xml } else { Text }),
    }
}

//! Bounds: each constant that says how long, how deep or how many something may be, and what becomes of what is more.
//!
//! A bound that drops something has a code, which a test asks for. Whoever adds a constant of such a name adds a row
//! here, and has to say which it is.

use std::fs;
use std::path::Path;

use super::sources::{Source, sources};

/// What becomes of what is beyond a bound.
enum Beyond {
    /// Something is dropped, cut or read in another way. The code of the notice, reason or failure that says so, and
    /// the test that asks for it; or the fixture, by its path.
    Said(&'static str, &'static str),
    /// The same, by a row of `limits::ALL` of this name: `limits::each_limit_is_reached_…` asks for its code.
    Listed(&'static str),
    /// Nothing of a document is lost, for this reason.
    Kept(&'static str),
}

use Beyond::{Kept, Listed, Said};

/// A file, and the constants in it.
type Row = (&'static str, &'static [(&'static str, Beyond)]);

const IS_EVIDENCE: &str = "it is evidence for a guess, of which more changes nothing";
const IS_BATCH: &str = "what is more waits, or is handed over as the next batch";
const IS_LONG_WAY: &str = "what is longer goes the long way, which gives the same";
const IS_GRAMMAR: &str = "what is longer is not one by its grammar, and is read as what it is then";
const IS_TABLE: &str = "no entry of the table is longer, so that what is longer is none of them";
const IS_LOOK: &str =
    "a look around what is found, which decides as if nothing were there beyond it";

const IS_TEXT_OF_LINK: &str = "the link is found, without this text";

const PDF: Beyond = Said("pdf-limit", "what_costs_too_much_ends_with_a_notice_and_what_was_found");

const ROWS: &[Row] = &[
    ("charset/encodings/label", &[("MOST", Kept("the Encoding Standard looks no further"))]),
    ("charset/encodings/frequency", &[("MOST", Kept(IS_EVIDENCE))]),
    (
        "charset/encodings/by_form",
        &[("MOST", Kept(IS_EVIDENCE)), ("MOST_ISO_2022_JP", Kept(IS_EVIDENCE))],
    ),
    (
        "charset/encodings/label",
        &[("LONGEST", Kept("a label in a message, which is shown in part"))],
    ),
    ("charset/encodings/guess", &[("LONGEST", Kept(IS_EVIDENCE)), ("MOST", Kept(IS_EVIDENCE))]),
    (
        "container/ar",
        &[("MOST_NAMES", Said("length", "a_table_of_names_of_ar_that_is_too_long_is_told"))],
    ),
    ("container/codec/xz", &[("MOST_REST", Kept("the decoder gives no more at once"))]),
    (
        "container/codec/zstd",
        &[("MOST_DICTIONARY", Kept("frames that need the dictionary fail with `corrupt`"))],
    ),
    (
        "container/answer",
        &[("MOST_HEADERS", Said("read-as-text", "headers_without_an_end_are_read_in_linear_time"))],
    ),
    ("container/lookahead", &[("MOST_KEPT", Kept(IS_BATCH)), ("MOST_SPARE", Kept(IS_BATCH))]),
    ("container/archive_reader", &[("MOST_PIECES", Kept(IS_BATCH))]),
    (
        "container/tar",
        &[
            ("MOST_HEADER", Said("length", "a_header_of_tar_that_is_too_long_is_told")),
            ("MOST_PIECES", Said("length", "a_sparse_file_of_too_many_pieces_is_told")),
        ],
    ),
    (
        "container/warc/http",
        &[("MOST_CODINGS", Kept("the last ones are undone, and archives are not opened so deep"))],
    ),
    (
        "container/warc/record",
        &[("MOST_HEADER", Kept("a header without an end is no record, which is a failure"))],
    ),
    ("container/zip/directory", &[("MOST_NAME", Kept("its length has 16 bits"))]),
    ("container/zip/mod", &[("MOST_FOUND", Kept(IS_BATCH))]),
    (
        "container/zip/package",
        &[
            ("MOST_PARTS", Kept(IS_TEXT_OF_LINK)),
            ("MOST_RELATIONS", Kept(IS_TEXT_OF_LINK)),
            ("MOST_SHEETS", Kept(IS_TEXT_OF_LINK)),
            ("MOST_NAME", Kept(IS_TEXT_OF_LINK)),
        ],
    ),
    ("markup/xml/result", &[("DEEPEST", Kept(IS_TEXT_OF_LINK))]),
    ("markup/formula", &[("DEEPEST", Kept("spreadsheets reject formulas that are deeper"))]),
    ("markup/xml/part", &[("MOST_STORED", Kept(IS_TEXT_OF_LINK))]),
    (
        "markup/xml/package",
        &[
            ("MOST_OF_TEXTS", Kept(IS_TEXT_OF_LINK)),
            ("MOST_OF_ONE", Kept(IS_TEXT_OF_LINK)),
            ("MOST_OPEN", Kept(IS_TEXT_OF_LINK)),
        ],
    ),
    ("files/identity", &[("MOST_LINKS", Kept("the system follows no more, and fails"))]),
    ("files/queue", &[("LIMIT", Kept(IS_BATCH)), ("MOST_AHEAD", Kept(IS_BATCH))]),
    ("files/task_output", &[("MOST_DONE", Kept(IS_BATCH))]),
    ("input/guard", &[("MOST", Kept("the scan fails with `FileTooLarge`"))]),
    ("html/tags", &[("DEEPEST", Kept("the signs stay in the text, and no element is made"))]),
    (
        "rewrite/counted",
        &[("MOST_DIGITS", Kept("a text of a gigabyte is no text of such a format"))],
    ),
    ("rewrite/mod", &[("MOST_SCANS", Kept("the edits are refused, each with its reason"))]),
    ("html/nodes", &[("DEEPEST", Kept("what is in them is left as it is, unmarked"))]),
    ("iri/ace", &[("LONGEST_HOST", Kept(IS_LONG_WAY))]),
    ("iri/display", &[("DEEPEST", Kept("UTS #58 ends a link there"))]),
    ("iri/host", &[("LONGEST_INPUT", Said("host-too-long", "fixtures/text/stumbles.txt"))]),
    ("iri/parse", &[("LONGEST", Kept("an error of the grammar; no link is so long"))]),
    ("iri/plain", &[("LONGEST_HOST", Kept(IS_LONG_WAY)), ("LONGEST", Kept(IS_LONG_WAY))]),
    ("document/legacy/direct", &[("MAX_SCHEME", Kept(IS_LONG_WAY))]),
    ("document/legacy/mod", &[("LONGEST", Kept("no character has more bytes"))]),
    (
        "markup/css/mod",
        &[("DEEPEST", Kept("deeper brackets are counted, and their values are read"))],
    ),
    ("rewrite/edit", &[("MOST", Kept(IS_LOOK))]),
    ("scan/head", &[("MOST_UNSEEN", Kept(IS_LOOK))]),
    ("trust/scheme", &[("MAX_WRAPPERS", Kept(IS_LOOK))]),
    ("document/page/shown", &[("LONGEST_LABEL", Kept(IS_LOOK))]),
    (
        "document/page/detail",
        &[("MOST_STORED", Kept("the text of a link is shown in part, as its documentation says"))],
    ),
    ("markup/tag_values", &[("MOST_BEGINNINGS", Kept(IS_LOOK))]),
    ("trust/domain", &[("MOST_LABELS", Kept(IS_TABLE))]),
    ("trust/wrapper", &[("MAX_ENCODED", Kept(IS_LOOK)), ("MAX_WRAPPED", Kept(IS_LOOK))]),
    (
        "markup/anchor",
        &[
            ("MAX_ALTERNATIVES", Kept(IS_LOOK)),
            ("MAX_DEPTH", Kept(IS_LOOK)),
            ("LONGEST_IN_WORDS", Kept(IS_TABLE)),
        ],
    ),
    ("markup/plain_anchor", &[("MAX_TAGS", Kept(IS_LOOK)), ("LONGEST_NAME", Kept(IS_LOOK))]),
    ("markup/css/name_and_escape", &[("LONGEST", Kept(IS_TABLE))]),
    (
        "markup/html/skip",
        &[("LONGEST", Said("value-too-long", "values_that_are_too_long_have_a_notice"))],
    ),
    ("markup/json/mod", &[("LONGEST_CALL", Kept("it is read as text"))]),
    (
        "markup/escaped",
        &[("MOST_VERBATIM", Kept("the text is read on as running text, with its delimiters"))],
    ),
    ("markup/fragment", &[("LONGEST_NAME", Kept(IS_TABLE))]),
    (
        "markup/markdown/visible",
        &[("MOST_IN_LABEL", Kept("the text of a link is cut at less than that"))],
    ),
    ("markup/html/mod", &[("LONGEST_NAME", Kept(IS_TABLE))]),
    (
        "markup/json/objects",
        &[
            ("DEEPEST", Kept("no format of the table nests so deep; strings are read as text")),
            ("LONGEST_NAME", Kept(IS_TABLE)),
        ],
    ),
    (
        "markup/markdown/mod",
        &[("LONGEST", Listed("page in UTF-16, Markdown, calendar, card, RTF"))],
    ),
    (
        "markup/property",
        &[
            ("LONGEST_NAME", Kept(IS_GRAMMAR)),
            ("LONGEST_HEAD", Kept("a line is in quoted-printable by its first parameters")),
        ],
    ),
    (
        "markup/markdown/parsed",
        &[(
            "MOST_TRIES",
            Said("value-too-long", "destinations_far_from_their_marks_have_a_notice"),
        )],
    ),
    (
        "markup/xml/attribute",
        &[(
            "LONGEST_HEAD",
            Said("value-too-long", "what_xml_declares_beyond_a_limit_has_a_notice"),
        )],
    ),
    (
        "markup/xml/entities",
        &[
            (
                "MOST_DECLARED",
                Said("entities-unread", "what_xml_declares_beyond_a_limit_has_a_notice"),
            ),
            ("DEEPEST", Said("entity-loop", "fixtures/markup/links/xml-bomb-refused.xml.json")),
        ],
    ),
    (
        "markup/rtf/fonts",
        &[("MAX_FONTS", Kept("the text of other fonts is in the code page of the document"))],
    ),
    (
        "markup/rtf/mod",
        &[
            ("MAX_GROUPS", Kept("the formatting of a deeper group goes on after it")),
            ("LONGEST_WORD", Kept(IS_GRAMMAR)),
            ("MOST_DIGITS", Kept(IS_GRAMMAR)),
        ],
    ),
    ("markup/xml/flow", &[("LONGEST_NAME", Kept(IS_TABLE))]),
    ("markup/xml/plain", &[("MOST", Kept(IS_LONG_WAY))]),
    (
        "markup/xml/scope",
        &[
            ("DEEPEST", Listed("elements of XML in each other")),
            ("MOST_PREFIXES", Listed("prefixes of XML")),
            (
                "LONGEST_PREFIX",
                Said("prefixes-too-many", "what_xml_declares_beyond_a_limit_has_a_notice"),
            ),
            ("MOST_OF_POINT", Kept("a scan resumes at an earlier point")),
        ],
    ),
    ("pdf/action", &[("MOST_ACTIONS", PDF)]),
    (
        "pdf/file/mod",
        &[
            ("MOST_DATA", PDF),
            ("MOST_OBJECTS", PDF),
            ("MOST_KEPT", Kept("they are decoded again")),
            ("MOST_FILTERS", PDF),
            ("MOST_RESOLVED", PDF),
            ("MOST_STEPS", PDF),
        ],
    ),
    ("pdf/file/xref", &[("MOST_SECTIONS", PDF), ("MOST_NUMBERS", PDF)]),
    ("pdf/reader", &[("MOST_NODES", PDF), ("MOST_ANNOTATIONS", PDF)]),
    ("pdf/syntax/lexer", &[("DEEPEST", PDF), ("MOST_ELEMENTS", PDF)]),
    (
        "pdf/text/cmap",
        &[("MOST_CODES", PDF), ("LONGEST_TEXT", Kept(IS_GRAMMAR)), ("MOST_SPACES", PDF)],
    ),
    (
        "pdf/text/content",
        &[
            ("MOST_OPERATORS", PDF),
            ("MOST_GLYPHS", PDF),
            ("MOST_TEXT", PDF),
            ("DEEPEST", PDF),
            ("MOST_SAVED", PDF),
            ("MOST_OPERANDS", Kept(IS_GRAMMAR)),
        ],
    ),
    ("pdf/text/font", &[("MOST_WIDTHS", Kept("the others have the usual width"))]),
    ("pdf/text/joins", &[("MOST_WORDS", Kept(IS_LOOK)), ("LONGEST_EXTENSION", Kept(IS_GRAMMAR))]),
    ("pdf/text/layout", &[("MOST_REPEATED", Kept(IS_LOOK))]),
    ("pdf/text/open_type", &[("MOST_MAPPED", Kept("glyphs of the others have no text"))]),
    (
        "pdf/text/mod",
        &[
            ("MOST_CONTENT", PDF),
            ("MOST_COMPARED", Kept("the others have no visible text to be compared with")),
            ("MOST_COVERED", Kept("the others have no visible text to be compared with")),
            ("MOST_PARTS", Kept("the parts beyond are compared as another link")),
            ("LONGEST_COMPARED", Kept(IS_LOOK)),
            ("MOST_FONT_ENTRIES", Kept("they are read again")),
        ],
    ),
    (
        "mail/boundary",
        &[
            ("MOST_SHOWN", Kept("the first lines are compared: a boundary is one of them")),
            ("LONGEST_BOUNDARY", Kept(IS_GRAMMAR)),
        ],
    ),
    ("mail/transfer/mod", &[("LONGEST_NAME", Kept(IS_TABLE))]),
    (
        "mail/long",
        &[("MOST_BETWEEN", Said("skipped", "an_encoding_without_end_between_two_characters"))],
    ),
    (
        "mail/alternatives",
        &[
            ("MOST", Said("alternatives-unheld", "limits_have_names")),
            ("MOST_SIZE", Said("alternatives-unheld", "long_links_of_alternatives_are_not_kept")),
        ],
    ),
    (
        "mail/edit/angle",
        &[
            ("LONGEST", Kept("it is not joined, and its first line is a link")),
            ("MOST_LINES", Kept("it is not joined, and its first line is a link")),
            ("LONGEST_SCHEME", Kept(IS_GRAMMAR)),
            ("LONGEST_PREFIX", Kept(IS_LOOK)),
            ("MOST_INITIALS", Kept(IS_GRAMMAR)),
            ("MOST_OF_NAME", Kept(IS_GRAMMAR)),
        ],
    ),
    ("mail/address_list", &[("LONGEST_COMMENT", Kept(IS_LOOK))]),
    (
        "mail/edit/subtypes",
        &[("LONGEST", Kept(IS_GRAMMAR)), ("MOST_SIGNS", Kept("it is read as text"))],
    ),
    (
        "mail/edit/skip",
        &[("MOST_FILES", Listed("uuencoded files in a text")), ("LONGEST_LINE", Kept(IS_GRAMMAR))],
    ),
    ("mail/fields", &[("LONGEST", Kept(IS_TABLE))]),
    ("mail/header", &[("LONGEST_FIELD", Said("field-too-long", "limits_have_names"))]),
    ("mail/heading", &[("LONGEST_LENGTH", Kept("the end is looked for as if none were named"))]),
    ("mail/open_entities", &[("LONGEST_CHAIN", Listed("encodings of mail"))]),
    ("mail/part", &[("MOST_TYPES", Said("duplicate-header", "several_types_are_told"))]),
    (
        "mail/link_placement",
        &[
            ("LONGEST_FIELD", Kept(IS_LOOK)),
            ("MOST_FOLDS", Kept(IS_LOOK)),
            ("LONGEST_WORD", Kept(IS_LOOK)),
        ],
    ),
    (
        "mail/signed",
        &[
            ("DEEPEST", Kept("the rest is read as it is stored")),
            ("MOST_PIECES", Said("binary", "signed_content_in_too_many_pieces")),
        ],
    ),
    (
        "mail/structure",
        &[
            ("DEEPEST", Listed("messages in each other")),
            ("MOST_BLANKS", Kept("it is no boundary then, and the part goes on as text")),
        ],
    ),
    ("mail/transfer/base64", &[("LONGEST_CHARACTER", Kept("no character has more bytes"))]),
    (
        "source_map/transfer/quoted_printable",
        &[("MOST_BLANKS", Kept("the blanks stay, or the `=` is text"))],
    ),
    ("source_map/transfer/uuencode", &[("LONGEST_LINE", Kept(IS_GRAMMAR))]),
    ("mail/encoded_word", &[("LONGEST_LABEL", Kept("it is read as the text that it is"))]),
    (
        "document/page/head",
        &[("MOST", Kept("links are given before a base is known, with `late-base`"))],
    ),
    (
        "document/window/resolved",
        &[("LONGEST_REFERENCE", Kept(IS_TABLE)), ("LONGEST_SEQUENCE", Kept(IS_GRAMMAR))],
    ),
    ("document/window/mod", &[("MOST", Kept("the window grows again"))]),
    ("document/pass/wide", &[("LONGEST", Said("too-long", "a_string_that_is_too_long"))]),
    ("tables/punycode", &[("LONGEST", Kept("the DNS has no longer labels: `host-label`"))]),
    ("scan/reference/escape", &[("LONGEST", Kept("an escape that is longer is text"))]),
    ("scan/reference/json", &[("LONGEST", Kept(IS_GRAMMAR))]),
    (
        "scan/reference/sheet",
        &[("LONGEST_CODE", Kept("the rest of a longer name of a font is text"))],
    ),
    ("scan/reference/html", &[("LONGEST", Kept("no character has so many digits"))]),
    (
        "scan/authority",
        &[
            ("MAX_USERINFO", Kept(IS_GRAMMAR)),
            ("MAX_PORT", Kept("`port`: no port has so many digits")),
            ("MAX_SCHEME_AHEAD", Kept(IS_LOOK)),
        ],
    ),
    (
        "scan/email",
        &[
            ("MAX_LOCAL", Kept("`local-part`: what is longer is no address")),
            ("MAX_PATH", Kept(IS_LOOK)),
            ("MAX_FIELD_NAME", Kept("the address ends in front of it")),
        ],
    ),
    ("scan/ending", &[("MAX_OPEN", Kept("UTS #58 ends a link there"))]),
    (
        "scan/authority/literal",
        &[("MAX_IP_LITERAL", Kept("no address is so long: `host-ip-literal`"))],
    ),
    ("scan/authority/placeholder", &[("MAX_PLACEHOLDER", Kept(IS_GRAMMAR))]),
    ("scan/authority/lenient", &[("MAX_SEGMENT", Kept(IS_LOOK))]),
    ("scan/schemeless/before", &[("MAX_SLASHES", Kept(IS_LOOK)), ("MAX_COLON", Kept(IS_GRAMMAR))]),
    (
        "scan/reference/string",
        &[("MAX_STRING_ESCAPE", Kept(IS_GRAMMAR)), ("MAX_DIGITS", Kept(IS_GRAMMAR))],
    ),
    ("scan/ending/before", &[("MAX_BEFORE", Kept(IS_LOOK))]),
    ("scan/ending/command", &[("MAX_COMMAND", Kept(IS_LOOK))]),
    ("scan/ending/markup", &[("MAX_LABELS", Kept("the bracket is one of the link, as elsewhere"))]),
    (
        "office/compound",
        &[
            ("MAX_STORAGES", Kept("a notice: office-limit")),
            ("MAX_ENTRIES", Kept("a notice: office-limit")),
            ("MAX_SHARED", Kept("a notice: office-limit")),
        ],
    ),
    (
        "office/item",
        &[("MAX_BOUNDARIES", Kept("a body that holds each of them ends where one stands"))],
    ),
    (
        "office/message",
        &[("MAX_MESSAGES", Kept("a deeper message is an attachment without bytes"))],
    ),
    ("office/properties", &[("MAX_PROPERTIES", Kept("no program writes as many properties"))]),
    (
        "office/sheet",
        &[("MAX_CELLS", Kept("the links of further cells are not compared with their texts"))],
    ),
    ("office/slides", &[("MAX_LINKS", Kept("no program writes as many links in a presentation"))]),
    (
        "office/store/mod",
        &[
            ("MAX_MESSAGES", Kept("a deeper message is an attachment without bytes")),
            ("MAX_FOLDERS", Kept("the names of deeper folders begin there")),
        ],
    ),
    (
        "office/store/nodes",
        &[
            ("MAX_LEVELS", Kept("a notice: office-damaged")),
            ("MAX_SHARED", Kept("a notice: office-limit")),
        ],
    ),
    (
        "office/store/heap",
        &[("MAX_LEVELS", Kept(IS_GRAMMAR)), ("MAX_PROPERTIES", Kept("a notice: office-damaged"))],
    ),
    (
        "plist",
        &[
            ("MAX_DEPTH", Kept("a list in a deeper one is read as a file is")),
            (
                "MAX_MEMBERS",
                Kept("a larger dictionary describes no file; its texts and data are read"),
            ),
            ("MAX_ADDRESS", Kept("a file is read without an address that is longer")),
        ],
    ),
    ("office/text", &[("MAX_FIELDS", Kept("fields in deeper ones are part of their code"))]),
    ("scan/ending/position", &[("MAX_DIGITS", Kept(IS_LOOK)), ("MAX_EXTENSION", Kept(IS_LOOK))]),
    ("scan/ending/prose", &[("MAX_PLACEHOLDER", Kept(IS_GRAMMAR)), ("MAX_INSIDE", Kept(IS_LOOK))]),
    ("scan/sequence", &[("MAX_PARAMETERS", Kept(IS_GRAMMAR))]),
    ("scan/terminal", &[("MAX_SEQUENCE", Kept(IS_LOOK))]),
    ("scan/filename", &[("MAX_BEFORE", Kept(IS_LOOK))]),
    ("scan/filename/kubernetes", &[("LONGEST", Kept(IS_GRAMMAR))]),
    ("scan/filename/lexicon/hashed", &[("LONGEST", Kept(IS_TABLE))]),
    ("scan/filename/line", &[("MAX_BEHIND", Kept(IS_LOOK)), ("MAX_GAP", Kept(IS_LOOK))]),
    ("scan/filename/sibling", &[("MAX_BETWEEN", Kept(IS_LOOK))]),
    (
        "scan/host",
        &[
            ("MAX_HOST", Kept("the DNS has no longer names: `host-too-long`")),
            ("MAX_TLD_BYTES", Kept(IS_TABLE)),
            ("MAX_LABEL", Kept("the DNS has no longer labels: `host-label`")),
        ],
    ),
    ("scan/front", &[("MAX_PARAMETERS", Kept(IS_GRAMMAR))]),
    (
        "scan/sentence",
        &[
            ("MAX_WORD", Kept(IS_LOOK)),
            ("MAX_NAME", Kept(IS_LOOK)),
            ("MAX_ENDING", Kept(IS_GRAMMAR)),
        ],
    ),
    ("scan/ending/separated", &[("MAX_NAME", Kept(IS_LOOK))]),
    ("tables/punctuation", &[("MAX_LOCAL", Kept(IS_LOOK))]),
    ("scan/ipv4", &[("MAX_LEN", Kept(IS_GRAMMAR))]),
    ("scan/markup_context", &[("MAX_BACKSLASHES", Kept(IS_LOOK)), ("MAX_METHOD", Kept(IS_LOOK))]),
    ("scan/plausible", &[("MAX_LOOK", Kept(IS_LOOK)), ("MAX_NUMBER", Kept(IS_GRAMMAR))]),
    ("scan/preceding_context", &[("MAX_EMPHASIS", Kept(IS_LOOK))]),
    ("scan/scheme", &[("MAX_SCHEME", Kept("`unknown-scheme`: no scheme is so long"))]),
    ("scan/schemeless/mod", &[("MAX_LOCAL_AHEAD", Kept(IS_LOOK))]),
    ("scan/chance", &[("MAX_LINE", Kept(IS_GRAMMAR))]),
    (
        "scan/word",
        &[("MAX", Kept("one more than a scheme may have, so that it is known to be none"))],
    ),
    ("detect/kinds", &[("MOST_BLANK", Kept("what follows more blank lines is read as text"))]),
    ("detect/mbox", &[("LONGEST", Kept(IS_GRAMMAR))]),
    ("detect/plain", &[("MOST", Kept(IS_LONG_WAY))]),
    ("tables/entities", &[("LONGEST", Kept(IS_TABLE)), ("LONGEST_BARE", Kept(IS_TABLE))]),
    ("tables/tld", &[("LONGEST", Kept(IS_TABLE)), ("LONGEST_UNICODE", Kept(IS_TABLE))]),
];

/// How constants begin that bound something.
const NAMES: [&str; 5] = ["MAX", "MOST", "LONGEST", "DEEPEST", "LIMIT"];

/// The bounds that a source has.
fn bounds(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.text.lines() {
        let line = line.trim_start();
        let line = line.strip_prefix("pub").map_or(line, |rest| {
            rest.split_once(") ").filter(|_| rest.starts_with('(')).map_or(rest, |(_, rest)| rest)
        });
        let Some((name, rest)) =
            line.trim_start().strip_prefix("const ").and_then(|rest| rest.split_once(": "))
        else {
            continue;
        };
        let is_number =
            ["usize", "u64", "u32", "u16", "u8"].iter().any(|kind| rest.starts_with(kind));
        let is_bound =
            NAMES.iter().any(|begin| name.starts_with(begin)) || name.ends_with("_LIMIT");
        if is_number && is_bound {
            found.push(name.to_owned());
        }
    }
    found
}

/// The texts of all tests, and of the sources, which have tests and codes.
fn texts(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => texts(&path, all),
            false if path.extension().is_some_and(|ending| ending == "rs") => {
                all.push(fs::read_to_string(path).unwrap());
            }
            false => {}
        }
    }
}

#[test]
fn each_bound_says_what_it_drops() {
    let library = sources().into_iter().filter(|source| !source.is_command());
    let mut wrong = Vec::new();
    let mut found: Vec<(String, String)> = Vec::new();
    for source in library.filter(|source| !source.path.ends_with("tests")) {
        found.extend(bounds(&source).into_iter().map(|name| (source.path.clone(), name)));
    }
    assert!(found.len() > 100, "{}", found.len());
    let rows =
        || ROWS.iter().flat_map(|(file, all)| all.iter().map(move |one| (*file, one.0, &one.1)));
    for (file, name) in &found {
        match rows().filter(|row| row.0 == file && row.1 == name).count() {
            1 => {}
            0 => wrong.push(format!(
                "src/{file}.rs: {name} has no row: what is lost beyond it, and what says so?"
            )),
            _ => wrong.push(format!("src/{file}.rs: {name} has two rows")),
        }
    }
    for (file, name, _) in rows() {
        if !found.iter().any(|(in_file, found)| in_file == file && found == name) {
            wrong.push(format!("src/{file}.rs has no {name}: its row goes"));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut tests, mut code) = (Vec::new(), Vec::new());
    texts(&root.join("tests"), &mut tests);
    texts(&root.join("src"), &mut code);
    tests.extend(code.iter().cloned());
    for (file, name, beyond) in rows() {
        match beyond {
            Said(word, test) => {
                let text = match test.starts_with("fixtures/") {
                    true => fs::read_to_string(root.join(test)).ok(),
                    false => body(&tests, test).map(str::to_owned),
                };
                let Some(text) = text else {
                    wrong.push(format!("src/{file}.rs: {name}: there is no test {test}"));
                    continue;
                };
                let variant: String = word.split('-').map(capital).collect();
                if !text.contains(word) && !text.contains(&format!("::{variant}")) {
                    wrong.push(format!("src/{file}.rs: {name}: {test} does not ask for {word}"));
                }
                if !code.iter().any(|text| text.contains(&format!("= \"{word}\""))) {
                    wrong.push(format!("src/{file}.rs: {name}: there is no code {word}"));
                }
            }
            Listed(limit) => {
                let row = format!("limit(\"{limit}\"");
                if !code.iter().any(|text| text.contains(&row)) {
                    wrong.push(format!("src/{file}.rs: {name}: there is no limit {limit:?}"));
                }
            }
            Kept(why) => assert!(!why.is_empty(), "{file}: {name}"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text of a test.
fn body<'t>(tests: &'t [String], name: &str) -> Option<&'t str> {
    let head = format!("fn {name}()");
    let rest = tests.iter().find_map(|text| text.split_once(&head)).map(|(_, rest)| rest)?;
    rest.split("\n}\n").next()
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

#[test]
fn a_bound_is_seen_however_it_is_written() {
    let of = |text: &str| bounds(&Source { path: "a".to_owned(), text: text.to_owned() });
    let text = "const MAX_A: usize = 1;\n    pub(crate) const LONGEST: u64 = 2;\npub const B_LIMIT: u8 = 3;\n\
        pub(super) const DEEPEST: u32 = X;\nconst MOST: &str = \"\";\n// const MAX_C: usize\nconst OTHER: usize = 1;";
    assert_eq!(of(text), ["MAX_A", "LONGEST", "B_LIMIT", "DEEPEST"]);
}

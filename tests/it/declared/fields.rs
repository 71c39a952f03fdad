//! The attributes of links and rejected candidates in the bindings. Places are not here: their units are those of the language.

use linksift::Role;
use linksift::report::Field;

use super::{camel, sentence, settle};

/// Name; what has it; its types in Python and in TypeScript, and whether it can be absent; where it is; meaning.
type Attribute = (&'static str, &'static str, [&'static str; 2], bool, u8, &'static str);

/// Where an attribute is beside Python. The WebAssembly module writes a block.
const C: u8 = 1;
const BLOCK: u8 = 2;
const TYPESCRIPT: u8 = 4;
const ALL: u8 = C | BLOCK | TYPESCRIPT;

const TEXT: [&str; 2] = ["str", "string"];

/// All of them, in the order of their numbers in C and in the block: new ones come last, since the numbers of C are stable.
#[rustfmt::skip]
const ATTRIBUTES: &[Attribute] = &[
    ("uri", "links", TEXT, false, ALL, "URI that the link maps to: ASCII, valid by RFC 3986; absent if rejected"),
    ("iri", "both", TEXT, false, ALL, "IRI, resolved against the base if there is one; of a rejected candidate as far as it got"),
    ("raw", "both", TEXT, false, ALL, "link as written: decoded, character references not resolved"),
    ("host", "links", TEXT, true, ALL, "host as in the URI"),
    ("context", "both", TEXT, false, ALL, "where the link occurs: `text`, `a@href`, `header:list-unsubscribe` and so on"),
    ("charset", "both", TEXT, false, ALL, "encoding that the input was decoded from, by its name in the Encoding Standard, in lower case"),
    ("reason", "rejected", TEXT, false, ALL, "reason for the rejection: `host-invalid-idna`, `userinfo` and so on"),
    ("warnings", "both", ["tuple[str, ...]", "string[]"], false, ALL, "codes of the warnings about the link; separated by spaces if they are one text"),
    ("shown", "both", TEXT, true, ALL, "host in the visible text, if it is another one"),
    ("part", "both", TEXT, true, ALL, "position in a mailbox or message, such as `12!1.2`"),
    ("transfer", "both", TEXT, true, ALL, "transfer encoding that the bytes of the link are written in"),
    ("message_id", "both", TEXT, true, ALL, "Message-ID of the message that contains the link, without `<>`"),
    ("source", "both", TEXT, true, ALL, "IRI of the document itself: the target of a WARC record, the Content-Location of a part"),
    ("display", "links", TEXT, false, C | TYPESCRIPT, "form for people: each label of the host that deceives is in ASCII"),
    ("severity", "both", ["_Severity", "Severity"], true, ALL, "greatest severity of the findings: `note`, `suspect` or `deceptive`; absent without findings"),
    ("findings", "both", ["tuple[Finding, ...]", "Finding[]"], false, BLOCK | TYPESCRIPT, "one finding or more for each warning, with its place in the IRI"),
    ("member", "both", TEXT, true, ALL, "archive member that contains the link, outermost first, joined by `!`; U+FFFD replaces bytes that are not UTF-8"),
    ("member_bytes", "both", ["bytes", "Uint8Array"], true, ALL, "bytes of the member's name, if it is not UTF-8"),
    ("page", "both", ["int", "number"], true, ALL, "page of the document that contains the link, from 1"),
    ("object", "both", TEXT, true, ALL, "object of the document in whose decoded text the range counts, such as `31 0`"),
    ("role", "links", TEXT, false, C | TYPESCRIPT, "what a program does with the link: `text`, `navigate`, `embed`, `submit`, `relation`, `base`, `identity`, `header` or `other`"),
    ("text", "links", TEXT, true, ALL, "visible text of the link, at most 1 KiB, with the setting `details`"),
    ("rel", "links", TEXT, true, ALL, "relation of the link in lower case, such as `nofollow ugc`, with the setting `details`"),
    ("is_code", "both", ["bool", "boolean"], false, TYPESCRIPT, "whether the link is in code and not in prose"),
    ("rule", "rejected", TEXT, true, 0, "rule that treats the candidate as a file or member name; ids may change in any version"),
];

fn attributes(language: u8) -> impl Iterator<Item = &'static Attribute> {
    ATTRIBUTES.iter().filter(move |one| one.4 & language == language)
}

/// What `row` makes of each.
fn each(language: u8, row: impl Fn(usize, &Attribute) -> String) -> String {
    attributes(language).enumerate().map(|(number, one)| row(number, one)).collect()
}

/// Words with commas, in lines of at most 100 characters.
fn lines(indentation: &str, words: impl Iterator<Item = String>) -> String {
    let mut lines = vec![indentation.to_owned()];
    for word in words {
        if lines.last().is_some_and(|line| line.len() + word.len() > 98) {
            lines.push(indentation.to_owned());
        }
        let line = lines.last_mut().unwrap();
        let space = if line.len() > indentation.len() { " " } else { "" };
        *line += &format!("{space}{word},");
    }
    lines.join("\n")
}

fn upper(name: &str) -> String {
    name.to_uppercase()
}

#[test]
fn fields_of_records_are_attributes() {
    // Their values differ between languages: those of the input, and those that count in units of the language.
    let apart = ["path", "path_bytes", "start", "end", "line", "column", "kind"];
    let names = Field::ALL.iter().map(|field| match field {
        Field::Rejected => "reason",
        Field::Code => "is_code",
        field => field.as_str(),
    });
    let missing: Vec<_> = names
        .filter(|name| !apart.contains(name) && ATTRIBUTES.iter().all(|one| one.0 != *name))
        .collect();
    assert!(missing.is_empty(), "no attributes for {missing:?}");
}

#[test]
fn python_has_the_attributes() {
    for holder in ["both", "links", "rejected"] {
        let row = |&(name, _, [kind, _], is_optional, _, meaning): &Attribute| {
            let (none, meaning) = (if is_optional { " | None" } else { "" }, sentence(meaning));
            format!(
                "    @property\n    def {name}(self) -> {kind}{none}:\n        \"\"\"{meaning}\"\"\"\n"
            )
        };
        let rows = attributes(0).filter(|one| one.1 == holder).map(row).collect();
        settle(
            "python/python/linksift/__init__.pyi",
            &[(&format!("attributes of {holder}"), rows)],
        );
    }
    let arm = |_, &(name, .., meaning): &Attribute| {
        format!("    ({name}) => {{\n        {:?}\n    }};\n", sentence(meaning))
    };
    settle("python/src/docs.rs", &[("attributes", each(0, arm))]);
}

#[test]
fn c_has_the_attributes() {
    let constant = |number, &(name, .., meaning): &Attribute| {
        let (name, meaning) = (upper(name), sentence(meaning));
        format!("/// {meaning}\npub const LINKSIFT_{name}: c_int = {number};\n")
    };
    let count = attributes(C).count();
    let count = format!("/// Number of fields.\nconst FIELDS: c_int = {count};\n");
    settle("c/src/links.rs", &[("fields", each(C, constant) + &count)]);
    let accessor = |_, &(name, ..): &Attribute| {
        let number = upper(name);
        format!("  std::string_view {name}() const {{ return text(LINKSIFT_{number}); }}\n")
    };
    settle("c/include/linksift.hpp", &[("fields", each(C, accessor))]);
    let names = attributes(C).map(|one| upper(one.0));
    let names = lines("    ", names);
    settle("c/include/linksift.vapi", &[("fields", format!("{}\n", names.trim_end_matches(',')))]);
}

#[test]
fn the_module_for_the_web_has_the_attributes() {
    let constant =
        |number, &(name, ..): &Attribute| format!("const {}: usize = {number};\n", upper(name));
    let count = attributes(BLOCK).count();
    let count = format!("/// How many texts a row has at most.\nconst FIELDS: usize = {count};\n");
    settle("web/src/block.rs", &[("fields", count + &each(BLOCK, constant))]);
    let names = || attributes(BLOCK).map(|one| one.0);
    let texts = lines("  ", names().map(|name| format!("\"{}\"", camel(name))));
    let numbers = lines("  ", names().map(upper));
    let fields = format!("const FIELDS = [\n{texts}\n];\nconst [\n{numbers}\n] = FIELDS.keys();\n");
    let getter = |_, &(name, holder, types, is_optional, ..): &Attribute| {
        // The others have a usual value that is not written, or are made of a text.
        let is_plain =
            (is_optional || holder == "rejected") && !["Uint8Array", "number"].contains(&types[1]);
        let getter = format!("  get {}() {{ return this.#text({}); }}\n", camel(name), upper(name));
        if is_plain { getter } else { String::new() }
    };
    let roles = lines("  ", Role::ALL.iter().map(|role| format!("\"{}\"", role.as_str())));
    let roles = format!("const ROLES = [\n{roles}\n];\n");
    let getters = each(BLOCK, getter);
    settle("web/linksift.js", &[("roles", roles), ("fields", fields), ("getters", getters)]);
    let property = |_, &(name, holder, [_, kind], is_optional, _, meaning): &Attribute| {
        let absent = if is_optional || holder != "both" { "?" } else { "" };
        let (name, meaning) = (camel(name), sentence(meaning));
        format!("  /** {meaning} */\n  readonly {name}{absent}: {kind};\n")
    };
    settle("web/linksift.d.ts", &[("attributes", each(TYPESCRIPT, property))]);
}

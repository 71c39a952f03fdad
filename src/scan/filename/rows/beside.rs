//! Rows of what is beside a name on its line, for names that their labels leave a host.

use crate::scan::filename::asked::Asked;
use crate::scan::filename::facts::*;
use crate::scan::filename::row::Row;
use crate::scan::filename::text::{behind, front};

pub(super) const ROWS: &[Row] = &[
    // An operator, or more of a name.
    Row {
        id: "after-sign",
        front: &front(["&", "#", "$", "^"]),
        example: "&entry.de",
        counter: "@ entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "after-tilde",
        none: AFTER_PAIR,
        front: &front(["~"]),
        example: "~entry.de",
        counter: "~~entry.de~~",
        ..Row::DOUBTED
    },
    Row {
        id: "after-scope",
        front: &front(["::", ":: "]),
        example: ".. attribute:: entry.de",
        counter: ".. attribute; entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "after-font",
        front: &front(["\\f("]),
        example: r"\f(entry.de\fP",
        counter: r"\fBentry.de\fP",
        ..Row::DOUBTED
    },
    Row {
        id: "after-arrow",
        front: &front(["->"]),
        asked: &[Asked::ArrowOfObject],
        example: "asoc->base.sk",
        counter: "-->entry.sk",
        ..Row::DOUBTED
    },
    Row {
        id: "resource",
        front: &front(["*"]),
        asked: &[Asked::StarOfWord],
        example: "*View*title.de",
        counter: "*entry.de*",
        ..Row::DOUBTED
    },
    Row {
        id: "role",
        front: &front([":`"]),
        asked: &[Asked::Role],
        example: ":attr:`entry.de`",
        counter: "see:`entry.de`",
        ..Row::DOUBTED
    },
    Row {
        id: "goes-on",
        none: AFTER_UNDERSCORE,
        behind: &behind(["_"]),
        example: "entry.de_",
        counter: "_entry.de_",
        ..Row::DOUBTED
    },
    Row {
        id: "before-arrow",
        behind: &behind(["->", "++"]),
        example: "entry.de->x",
        counter: "entry.de -> x",
        ..Row::DOUBTED
    },
    Row {
        id: "before-operator",
        behind: &behind([
            "=", " =", "\t=", "-=", "+=", "|=", "&=", "*=", "!=", "~=", ">=", "  ", "\t\t", " \t",
            "\t ", " -", " +", " |", " &", " *", " !", " ~", " >", "\t-", "\t+", "\t|", "\t&",
            "\t*", "\t!", "\t~", "\t>",
        ]),
        asked: &[Asked::Operator],
        example: "entry.de += 1",
        counter: "entry.de => 1",
        ..Row::DOUBTED
    },
    Row {
        id: "dollar",
        none: COMMON,
        behind: &behind(["$"]),
        example: "example.at$",
        counter: "example.de$",
        ..Row::DOUBTED
    },
    Row {
        id: "index",
        none: COMMON,
        behind: &behind(["[\"", "['", "[{", "[$"]),
        example: "example.at['x']",
        counter: "example.de['x']",
        ..Row::DOUBTED
    },
    Row {
        id: "index-of-word",
        any: WEAK,
        behind: &behind(["["]),
        asked: &[Asked::SecondLetter],
        example: "example.contact[sysName]",
        counter: "example.de[sysName]",
        ..Row::DOUBTED
    },
    Row {
        id: "more-of-name",
        behind: &behind(["..", "\\-"]),
        asked: &[Asked::ThirdWord],
        example: r"10.in\-addr.arpa",
        counter: r"entry.de\- x",
        ..Row::DOUBTED
    },
    Row {
        id: "pattern",
        behind: &behind([".<", ".*", ".{", ".$", ".%", ".+", "._"]),
        example: "host.example.de.<metric>",
        counter: "host.example.de. <metric>",
        ..Row::DOUBTED
    },
    Row {
        id: "property",
        none: COMMON,
        behind: &behind([":"]),
        asked: &[Asked::SecondLetter],
        example: "entry.services.bz:Service",
        counter: "entry.de:Service",
        ..Row::DOUBTED
    },
    Row {
        id: "called",
        behind: &behind(["()"]),
        example: "x.entry.co()",
        counter: "entry.de (x)",
        ..Row::DOUBTED
    },
    // What only code writes in front of a value, or after one.
    Row {
        id: "translated",
        front: &front(["(\"", "('"]),
        asked: &[Asked::Translated],
        example: "{{ __('example.at') }}",
        counter: "f('example.at')",
        ..Row::DOUBTED
    },
    Row {
        id: "index-entry",
        front: &front(["\"", "'"]),
        asked: &[Asked::IndexEntry],
        example: ".IX Title \"ENTRY.DE 1\"",
        counter: "Title \"ENTRY.DE 1\"",
        ..Row::DOUBTED
    },
    Row {
        id: "condition",
        front: &front(["if (", "while (", "switch ("]),
        example: "if (entry.de",
        counter: "if entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "compared",
        front: &front([
            " == ", " != ", " === ", " !== ", " ~= ", " >= ", " <= ", " += ", " -= ", ":= ", "|> ",
        ]),
        example: "x == entry.de",
        counter: "x: entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "negated",
        front: &front([" !", "(!", " !!", "(!!"]),
        example: "x = !entry.de",
        counter: "now! entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "joined-text",
        front: &front(["\" % ", "' % ", "\" + ", "' + "]),
        example: "'%s' % entry.de",
        counter: "'5' entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "declared",
        front: &front([" extends ", "<!ENTITY "]),
        example: "class X extends entry.de",
        counter: "it extends to entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "template-value",
        front: &front(["<%= ", "<%- ", "{{ "]),
        example: "{{ entry.de }}",
        counter: "{ entry.de }",
        ..Row::DOUBTED
    },
    Row {
        id: "before-code",
        none: QUOTED,
        behind: &behind([
            "{",
            " is not None",
            " is None",
            " |> ",
            " != ",
            " instanceof ",
            "%}",
            " %}",
            "%]",
            " %]",
        ]),
        example: "x entry.de is None",
        counter: "\"entry.de\" is None",
        ..Row::DOUBTED
    },
    Row {
        id: "last-argument",
        none: QUOTED,
        behind: &behind([");", ") {", ")) {", "));"]),
        end: true,
        asked: &[Asked::Bracket],
        example: "f(a, entry.de);",
        counter: "f(a, entry.de) x",
        ..Row::DOUBTED
    },
    Row {
        id: "optional-member",
        none: QUOTED,
        behind: &behind(["?."]),
        asked: &[Asked::OptionalMember],
        example: "entry.de?.name",
        counter: "entry.de?",
        ..Row::DOUBTED
    },
    Row {
        id: "argument",
        front: &front(["("]),
        asked: &[Asked::Argument],
        example: "dict(entry.de)",
        counter: "Example(entry.de)",
        ..Row::DOUBTED
    },
    Row {
        id: "field",
        front: &front([": "]),
        behind: &behind([","]),
        end: true,
        asked: &[Asked::Field],
        example: "  store: entry.de,\n",
        counter: "  store: entry.de, x\n",
        ..Row::DOUBTED
    },
    Row {
        id: "keyword",
        front: &front(["="]),
        behind: &behind([")"]),
        asked: &[Asked::Key],
        example: "f(link=entry.de)",
        counter: "link=entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "keyword-at-end",
        front: &front(["="]),
        behind: &behind([","]),
        end: true,
        asked: &[Asked::Key],
        unless: &[Asked::AloneOnLine],
        example: "a line that is longer than it is looked at link=entry.de,",
        counter: "link=entry.de,",
        ..Row::DOUBTED
    },
    Row {
        id: "assigned",
        none: COUNTRY,
        front: &front([" = "]),
        asked: &[Asked::Assigned],
        example: "part = example.link",
        counter: "host = example.link",
        ..Row::DOUBTED
    },
    Row {
        id: "logic",
        any: WEAK,
        front: &front([" && ", " || "]),
        example: "x && example.link",
        counter: "x && example.de",
        ..Row::DOUBTED
    },
    Row {
        id: "before-logic",
        any: WEAK,
        none: QUOTED,
        behind: &behind([" && ", " || ", ", produced by "]),
        example: "example.link || false",
        counter: "example.de || false",
        ..Row::DOUBTED
    },
    Row {
        id: "selector",
        any: WEAK,
        none: QUOTED,
        behind: &behind([" {"]),
        end: true,
        asked: &[Asked::Something],
        example: "ul example.my {",
        counter: "example.my {",
        ..Row::DOUBTED
    },
    Row {
        id: "private",
        front: &front(["_"]),
        asked: &[Asked::Private],
        example: "x = _core.de",
        counter: "_core.de_",
        ..Row::DOUBTED
    },
    // Statements.
    Row {
        id: "import",
        front: &front([" ", "\t", "\x0C", "\r", "t"]),
        behind: &behind([""]),
        end: true,
        asked: &[Asked::Import],
        example: "import entry.de",
        counter: "important entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "import-as",
        front: &front([" ", "\t", "\x0C", "\r", "t"]),
        behind: &behind([" as "]),
        asked: &[Asked::Import],
        example: ">>> import entry.de as x",
        counter: "we import entry.de as x",
        ..Row::DOUBTED
    },
    Row {
        id: "import-from",
        behind: &behind([" import "]),
        asked: &[Asked::ImportFrom],
        example: "from entry.de import x",
        counter: "goods from entry.de import x",
        ..Row::DOUBTED
    },
    Row {
        id: "section",
        none: COUNTRY,
        front: &front(["["]),
        begin: true,
        behind: &behind(["]"]),
        end: true,
        example: "[example.link]",
        counter: "see [example.link]",
        ..Row::DOUBTED
    },
    Row {
        id: "block",
        front: &front(["if", "elif", "if not", "while"]),
        begin: true,
        behind: &behind([":"]),
        end: true,
        example: "if entry.de:",
        counter: "if entry.de: x",
        ..Row::DOUBTED
    },
    Row {
        id: "statement",
        front: &front(["return", "yield", "await", "elif", "typeof", "assert", "del"]),
        begin: true,
        example: "return entry.de",
        counter: "we return entry.de",
        ..Row::DOUBTED
    },
    // What is said of it.
    Row {
        id: "noun-in-front",
        front: &front([" ", " \"", " '", " `"]),
        asked: &[Asked::NounSure],
        example: "argument \"entry.de\"",
        counter: "register entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "noun-in-front-of-word",
        any: WEAK,
        front: &front([" ", " \"", " '", " `"]),
        asked: &[Asked::NounFront],
        example: "register example.link",
        counter: "registered example.link",
        ..Row::DOUBTED
    },
    Row {
        id: "file-behind",
        none: WEAK,
        behind: &behind([" file"]),
        asked: &[Asked::NounFile],
        example: "the entry.de file",
        counter: "the entry.de files",
        ..Row::DOUBTED
    },
    Row {
        id: "noun-behind",
        any: WEAK,
        // What a noun begins with.
        behind: &behind([
            " a", " c", " f", " m", " n", " o", " p", " r", " s", " v", " A", " C", " F", " M",
            " N", " O", " P", " R", " S", " V",
        ]),
        asked: &[Asked::NounBehind],
        example: "the example.social namespace",
        counter: "the example.social network",
        ..Row::DOUBTED
    },
    Row {
        id: "included",
        front: &front(["include \"", "include '", "include `"]),
        asked: &[Asked::Included],
        example: "#include \"entry.de",
        counter: "they include \"entry.de\"",
        ..Row::DOUBTED
    },
    Row {
        id: "in-path",
        front: &front(["/"]),
        asked: &[Asked::Path],
        example: "testsuite/powerpc/entry.de",
        counter: "//powerpc/entry.de",
        ..Row::DOUBTED
    },
    Row {
        id: "tabbed-entry",
        front: &front([" ", "\t"]),
        behind: &behind([":", ",", " ("]),
        asked: &[Asked::TabbedEntry],
        example: "\t* entry.de: New.",
        counter: "\t- entry.de: New.",
        ..Row::DOUBTED
    },
    Row {
        id: "sibling",
        asked: &[Asked::Sibling],
        example: "zsh.de and zsh.dvi.",
        counter: "zsh.de and zsh.fr.",
        ..Row::DOUBTED
    },
    Row {
        id: "in-directory",
        none: WEAK,
        front: &front(["/"]),
        asked: &[Asked::Directory],
        example: "tests/options.cn",
        counter: "x/options.cn",
        ..Row::DOUBTED
    },
];

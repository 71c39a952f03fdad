//! Rows of what is beside a name on its line, for names that their labels leave a host.

use crate::scan::filename::facts::*;
use crate::scan::filename::predicate::Predicate;
use crate::scan::filename::row::{Row, shown};
use crate::scan::filename::text::{behind, front};

pub(super) const ROWS: &[Row] = &[
    // An operator, or more of a name.
    Row {
        id: "after-sign",
        front: &front(["&", "#", "$", "^"]),
        example: shown("&entry.de"),
        counter: shown("@ entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "after-tilde",
        none: AFTER_PAIR,
        front: &front(["~"]),
        example: shown("~entry.de"),
        counter: shown("~~entry.de~~"),
        ..Row::DOUBTED
    },
    Row {
        id: "after-scope",
        front: &front(["::", ":: "]),
        example: shown(".. attribute:: entry.de"),
        counter: shown(".. attribute; entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "after-font",
        front: &front(["\\f("]),
        example: shown(r"\f(entry.de\fP"),
        counter: shown(r"\fBentry.de\fP"),
        ..Row::DOUBTED
    },
    Row {
        id: "after-arrow",
        front: &front(["->"]),
        asked: &[Predicate::ArrowOfObject],
        example: shown("asoc->base.sk"),
        counter: shown("-->entry.sk"),
        ..Row::DOUBTED
    },
    Row {
        id: "resource",
        front: &front(["*"]),
        asked: &[Predicate::StarOfWord],
        example: shown("*View*title.de"),
        counter: shown("*entry.de*"),
        ..Row::DOUBTED
    },
    Row {
        id: "role",
        front: &front([":`"]),
        asked: &[Predicate::Role],
        example: shown(":attr:`entry.de`"),
        counter: shown("see:`entry.de`"),
        ..Row::DOUBTED
    },
    Row {
        id: "goes-on",
        none: AFTER_UNDERSCORE,
        behind: &behind(["_"]),
        example: shown("entry.de_"),
        counter: shown("_entry.de_"),
        ..Row::DOUBTED
    },
    Row {
        id: "before-arrow",
        behind: &behind(["->", "++"]),
        example: shown("entry.de->x"),
        counter: shown("entry.de -> x"),
        ..Row::DOUBTED
    },
    Row {
        id: "before-operator",
        behind: &behind([
            "=", " =", "\t=", "-=", "+=", "|=", "&=", "*=", "!=", "~=", ">=", "  ", "\t\t", " \t",
            "\t ", " -", " +", " |", " &", " *", " !", " ~", " >", "\t-", "\t+", "\t|", "\t&",
            "\t*", "\t!", "\t~", "\t>",
        ]),
        asked: &[Predicate::Operator],
        example: shown("entry.de += 1"),
        counter: shown("entry.de => 1"),
        ..Row::DOUBTED
    },
    Row {
        id: "dollar",
        none: COMMON,
        behind: &behind(["$"]),
        example: shown("example.at$"),
        counter: shown("example.de$"),
        ..Row::DOUBTED
    },
    Row {
        id: "index",
        none: COMMON,
        behind: &behind(["[\"", "['", "[{", "[$"]),
        example: shown("example.at['x']"),
        counter: shown("example.de['x']"),
        ..Row::DOUBTED
    },
    Row {
        id: "index-of-word",
        any: WEAK,
        behind: &behind(["["]),
        asked: &[Predicate::SecondLetter],
        example: shown("example.contact[sysName]"),
        counter: shown("example.de[sysName]"),
        ..Row::DOUBTED
    },
    Row {
        id: "more-of-name",
        behind: &behind(["..", "\\-"]),
        asked: &[Predicate::ThirdWord],
        example: shown(r"10.in\-addr.arpa"),
        counter: shown(r"entry.de\- x"),
        ..Row::DOUBTED
    },
    Row {
        id: "pattern",
        behind: &behind([".<", ".*", ".{", ".$", ".%", ".+", "._"]),
        example: shown("host.example.de.<metric>"),
        counter: shown("host.example.de. <metric>"),
        ..Row::DOUBTED
    },
    Row {
        id: "property",
        none: COMMON,
        behind: &behind([":"]),
        asked: &[Predicate::SecondLetter],
        example: shown("entry.services.bz:Service"),
        counter: shown("entry.de:Service"),
        ..Row::DOUBTED
    },
    Row {
        id: "called",
        behind: &behind(["()"]),
        example: shown("x.entry.co()"),
        counter: shown("entry.de (x)"),
        ..Row::DOUBTED
    },
    // What only code writes in front of a value, or after one.
    Row {
        id: "translated",
        front: &front(["(\"", "('"]),
        asked: &[Predicate::Translated],
        example: shown("{{ __('example.at') }}"),
        counter: shown("f('example.at')"),
        ..Row::DOUBTED
    },
    Row {
        id: "index-entry",
        front: &front(["\"", "'"]),
        asked: &[Predicate::IndexEntry],
        example: shown(".IX Title \"ENTRY.DE 1\""),
        counter: shown("Title \"ENTRY.DE 1\""),
        ..Row::DOUBTED
    },
    Row {
        id: "condition",
        front: &front(["if (", "while (", "switch ("]),
        example: shown("if (entry.de"),
        counter: shown("if entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "compared",
        front: &front([
            " == ", " != ", " === ", " !== ", " ~= ", " >= ", " <= ", " += ", " -= ", ":= ", "|> ",
        ]),
        example: shown("x == entry.de"),
        counter: shown("x: entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "negated",
        front: &front([" !", "(!", " !!", "(!!"]),
        example: shown("x = !entry.de"),
        counter: shown("now! entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "joined-text",
        front: &front(["\" % ", "' % ", "\" + ", "' + "]),
        example: shown("'%s' % entry.de"),
        counter: shown("'5' entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "declared",
        front: &front([" extends ", "<!ENTITY "]),
        example: shown("class X extends entry.de"),
        counter: shown("it extends to entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "template-value",
        front: &front(["<%= ", "<%- ", "{{ "]),
        example: shown("{{ entry.de }}"),
        counter: shown("{ entry.de }"),
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
        example: shown("x entry.de is None"),
        counter: shown("\"entry.de\" is None"),
        ..Row::DOUBTED
    },
    Row {
        id: "last-argument",
        none: QUOTED,
        behind: &behind([");", ") {", ")) {", "));"]),
        end: true,
        asked: &[Predicate::Bracket],
        example: shown("f(a, entry.de);"),
        counter: shown("f(a, entry.de) x"),
        ..Row::DOUBTED
    },
    Row {
        id: "optional-member",
        none: QUOTED,
        behind: &behind(["?."]),
        asked: &[Predicate::OptionalMember],
        example: shown("entry.de?.name"),
        counter: shown("entry.de?"),
        ..Row::DOUBTED
    },
    Row {
        id: "argument",
        front: &front(["("]),
        asked: &[Predicate::Argument],
        example: shown("dict(entry.de)"),
        counter: shown("Example(entry.de)"),
        ..Row::DOUBTED
    },
    Row {
        id: "field",
        front: &front([": "]),
        behind: &behind([","]),
        end: true,
        asked: &[Predicate::Field],
        example: shown("  store: entry.de,\n"),
        counter: shown("  store: entry.de, x\n"),
        ..Row::DOUBTED
    },
    Row {
        id: "keyword",
        front: &front(["="]),
        behind: &behind([")"]),
        asked: &[Predicate::Key],
        example: shown("f(link=entry.de)"),
        counter: shown("link=entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "keyword-at-end",
        front: &front(["="]),
        behind: &behind([","]),
        end: true,
        asked: &[Predicate::Key],
        unless: &[Predicate::AloneOnLine],
        example: shown("a line that is longer than it is looked at link=entry.de,"),
        counter: shown("link=entry.de,"),
        ..Row::DOUBTED
    },
    Row {
        id: "assigned",
        none: COUNTRY,
        front: &front([" = "]),
        asked: &[Predicate::Assigned],
        example: shown("part = example.link"),
        counter: shown("host = example.link"),
        ..Row::DOUBTED
    },
    Row {
        id: "logic",
        any: WEAK,
        front: &front([" && ", " || "]),
        example: shown("x && example.link"),
        counter: shown("x && example.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "before-logic",
        any: WEAK,
        none: QUOTED,
        behind: &behind([" && ", " || ", ", produced by "]),
        example: shown("example.link || false"),
        counter: shown("example.de || false"),
        ..Row::DOUBTED
    },
    Row {
        id: "selector",
        any: WEAK,
        none: QUOTED,
        behind: &behind([" {"]),
        end: true,
        asked: &[Predicate::Something],
        example: shown("ul example.my {"),
        counter: shown("example.my {"),
        ..Row::DOUBTED
    },
    Row {
        id: "private",
        front: &front(["_"]),
        asked: &[Predicate::Private],
        example: shown("x = _core.de"),
        counter: shown("_core.de_"),
        ..Row::DOUBTED
    },
    // Statements.
    Row {
        id: "import",
        front: &front([" ", "\t", "\x0C", "\r", "t"]),
        behind: &behind([""]),
        end: true,
        asked: &[Predicate::Import],
        example: shown("import entry.de"),
        counter: shown("important entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "import-as",
        front: &front([" ", "\t", "\x0C", "\r", "t"]),
        behind: &behind([" as "]),
        asked: &[Predicate::Import],
        example: shown(">>> import entry.de as x"),
        counter: shown("we import entry.de as x"),
        ..Row::DOUBTED
    },
    Row {
        id: "import-from",
        behind: &behind([" import "]),
        asked: &[Predicate::ImportFrom],
        example: shown("from entry.de import x"),
        counter: shown("goods from entry.de import x"),
        ..Row::DOUBTED
    },
    Row {
        id: "section",
        none: COUNTRY,
        front: &front(["["]),
        begin: true,
        behind: &behind(["]"]),
        end: true,
        example: shown("[example.link]"),
        counter: shown("see [example.link]"),
        ..Row::DOUBTED
    },
    Row {
        id: "block",
        front: &front(["if", "elif", "if not", "while"]),
        begin: true,
        behind: &behind([":"]),
        end: true,
        example: shown("if entry.de:"),
        counter: shown("if entry.de: x"),
        ..Row::DOUBTED
    },
    Row {
        id: "statement",
        front: &front(["return", "yield", "await", "elif", "typeof", "assert", "del"]),
        begin: true,
        example: shown("return entry.de"),
        counter: shown("we return entry.de"),
        ..Row::DOUBTED
    },
    // What is said of it.
    Row {
        id: "noun-in-front",
        front: &front([" ", " \"", " '", " `"]),
        asked: &[Predicate::NounSure],
        example: shown("argument \"entry.de\""),
        counter: shown("register entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "noun-in-front-of-word",
        any: WEAK,
        front: &front([" ", " \"", " '", " `"]),
        asked: &[Predicate::NounFront],
        example: shown("register example.link"),
        counter: shown("registered example.link"),
        ..Row::DOUBTED
    },
    Row {
        id: "file-behind",
        none: WEAK,
        behind: &behind([" file"]),
        asked: &[Predicate::NounFile],
        example: shown("the entry.de file"),
        counter: shown("the entry.de files"),
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
        asked: &[Predicate::NounBehind],
        example: shown("the example.social namespace"),
        counter: shown("the example.social network"),
        ..Row::DOUBTED
    },
    Row {
        id: "included",
        front: &front(["include \"", "include '", "include `"]),
        asked: &[Predicate::Included],
        example: shown("#include \"entry.de"),
        counter: shown("they include \"entry.de\""),
        ..Row::DOUBTED
    },
    Row {
        id: "in-path",
        front: &front(["/"]),
        asked: &[Predicate::Path],
        example: shown("testsuite/powerpc/entry.de"),
        counter: shown("//powerpc/entry.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "tabbed-entry",
        front: &front([" ", "\t"]),
        behind: &behind([":", ",", " ("]),
        asked: &[Predicate::TabbedEntry],
        example: shown("\t* entry.de: New."),
        counter: shown("\t- entry.de: New."),
        ..Row::DOUBTED
    },
    Row {
        id: "sibling",
        asked: &[Predicate::Sibling],
        example: shown("zsh.de and zsh.dvi."),
        counter: shown("zsh.de and zsh.fr."),
        ..Row::DOUBTED
    },
    Row {
        id: "in-directory",
        none: WEAK,
        front: &front(["/"]),
        asked: &[Predicate::Directory],
        example: shown("tests/options.cn"),
        counter: shown("x/options.cn"),
        ..Row::DOUBTED
    },
];

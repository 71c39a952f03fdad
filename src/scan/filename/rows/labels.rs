//! Rows of what the labels of a name say, and the way they are written, below all domains but `com` and its like.

use crate::scan::filename::facts::*;
use crate::scan::filename::predicate::Predicate;
use crate::scan::filename::row::{Row, shown};

/// What the domain and all of the name decide: most names end here.
pub(super) const WHOLE: &[Row] = &[
    Row {
        id: "known-host",
        all: KNOWN_HOST,
        example: shown("docs.rs"),
        counter: shown("main.rs"),
        ..Row::HOST
    },
    Row { id: "www", all: WWW, example: shown("www.rs"), counter: shown("web.rs"), ..Row::HOST },
    // A label in two scripts, or written with references, is none of code.
    Row {
        id: "other-script",
        all: FOREIGN,
        example: shown("entry.公司"),
        counter: shown("entry.zone"),
        ..Row::HOST
    },
    Row {
        id: "reference",
        all: REFERENCE,
        example: shown("ex&#97;mple.rs"),
        counter: shown("example.rs"),
        ..Row::HOST
    },
    Row {
        id: "known-name",
        all: KNOWN,
        example: shown("read.me"),
        counter: shown("write.me"),
        ..Row::NAME
    },
    Row {
        id: "no-registry",
        all: NO_DOMAIN,
        example: shown("proc.stdout.read"),
        counter: shown("web.example.de"),
        ..Row::NAME
    },
    Row {
        id: "underscore-at-end",
        all: ALONE | LAST_UNDERSCORE,
        example: shown("cgroup_events.at"),
        counter: shown("cgroup-events.at"),
        ..Row::NAME
    },
    Row {
        id: "file",
        all: ALONE | FILE,
        example: shown("main.rs"),
        counter: shown("docs.rs"),
        ..Row::DOUBTED
    },
    Row {
        id: "member",
        all: ALONE | WORD,
        example: shown("example.build"),
        counter: shown("example.build/x"),
        ..Row::DOUBTED
    },
];

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "underscore-in-last",
        all: MANY | LAST_UNDERSCORE,
        example: shown("a.cgroup_events.at"),
        counter: shown("a.cgroup-events.at"),
        ..Row::NAME
    },
    Row {
        id: "template",
        all: IN | TEMPLATE,
        example: shown("x.postinst.in"),
        counter: shown("x.example.in"),
        ..Row::NAME
    },
    Row {
        id: "template-by-end",
        all: IN,
        asked: &[Predicate::TemplateEnd],
        example: shown("gmp-h.in"),
        counter: shown("gmp-x.in"),
        ..Row::NAME
    },
    // Files.
    Row {
        id: "numbered-file",
        all: ALONE | DOUBT,
        asked: &[Predicate::Numbered],
        example: shown("99-default.link, incr06.at"),
        counter: shown("99default.link"),
        ..Row::DOUBTED
    },
    Row {
        id: "application",
        all: ALONE | APP | FIRST_UPPER,
        example: shown("Terminal.app"),
        counter: shown("terminal.app"),
        ..Row::DOUBTED
    },
    Row {
        id: "two-endings",
        all: MANY | MIDDLE,
        example: shown("README.html.fr"),
        counter: shown("notes.example.fr"),
        ..Row::DOUBTED
    },
    Row {
        id: "template-of-file",
        all: MANY | IN,
        asked: &[Predicate::MiddleInside],
        example: shown("rsnapshot.conf.default.in"),
        counter: shown("rsnapshot.example.in"),
        ..Row::DOUBTED
    },
    Row {
        id: "file-of-many-labels",
        all: MANY | ONLY_FILE,
        none: SECOND_LEVEL,
        example: shown("release.notes.md"),
        counter: shown("example.com.py"),
        ..Row::DOUBTED
    },
    Row {
        id: "file-from-template",
        all: MANY | FILE | IN_FRONT_OF,
        example: shown("mkoctfile.in.cc"),
        counter: shown("mkoctfile.x.cc"),
        ..Row::DOUBTED
    },
    Row {
        id: "versioned-file",
        all: MANY | VERSION_END,
        any: WEAK,
        example: shown("python3.11.info"),
        counter: shown("python3.11.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "library",
        all: MANY | SO,
        asked: &[Predicate::Library],
        example: shown("libc.musl.so"),
        counter: shown("web.example.so"),
        ..Row::DOUBTED
    },
    // Members of an object or a module.
    Row {
        id: "newsgroup",
        all: MANY | FIRST_TWO,
        none: COUNTRY_SECOND,
        asked: &[Predicate::Newsgroup],
        example: shown("de.alt.x.computer"),
        counter: shown("de.example.computer"),
        ..Row::DOUBTED
    },
    Row {
        id: "of-object",
        all: OBJECT,
        none: COUNTRY_SECOND,
        example: shown("sys.version.xyz"),
        counter: shown("example.version.xyz"),
        ..Row::DOUBTED
    },
    Row {
        id: "of-section",
        all: SECTION | ALONE,
        any: WEAK,
        example: shown("imap.host"),
        counter: shown("imap.example.host"),
        ..Row::DOUBTED
    },
    Row {
        id: "of-code",
        all: CODE,
        any: WEAK,
        none: COUNTRY_SECOND,
        example: shown("os.network"),
        counter: shown("os.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "of-variable-weak",
        all: VARIABLE | ALONE,
        any: WEAK,
        example: shown("address.me"),
        counter: shown("address.io"),
        ..Row::DOUBTED
    },
    Row {
        id: "of-variable",
        all: VARIABLE | ALONE,
        none: COMMON | SHORT,
        example: shown("address.mobi"),
        counter: shown("data.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "identifier",
        all: ID,
        any: VARIABLE | FIRST_ONE,
        none: COUNTRY_SECOND,
        example: shown("file.owner.id, k.image.id"),
        counter: shown("web.example.id"),
        ..Row::DOUBTED
    },
    Row {
        id: "single-letters",
        all: MANY | EVERY_ONE,
        none: LONG | COMMON | SHORT | COUNTRY_SECOND,
        example: shown("w.e.gl"),
        counter: shown("a.b.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "of-setting",
        all: PLACE,
        any: WORD | IN,
        none: COUNTRY_SECOND,
        example: shown("sample.in"),
        counter: shown("sample.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "of-setting-long",
        all: PLACE | DOUBT | LONG,
        none: COUNTRY_SECOND,
        example: shown("email.info"),
        counter: shown("email.tk"),
        ..Row::DOUBTED
    },
    Row {
        id: "package",
        all: MANY | REVERSE,
        none: COUNTRY_SECOND,
        example: shown("org.freedesktop.Hal.de"),
        counter: shown("example.freedesktop.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "package-long",
        all: MANY | REVERSE_LONG | LONG,
        none: COUNTRY_SECOND,
        example: shown("rec.games.xyz"),
        counter: shown("rec.games.de"),
        ..Row::DOUBTED
    },
    // What only code writes so.
    Row {
        id: "underscored",
        all: UNDERSCORE,
        any: WORD | FILE,
        example: shown("drm_device.x.sh"),
        counter: shown("drm-device.x.sh"),
        ..Row::DOUBTED
    },
    Row {
        id: "numbers",
        all: MANY | NUMBERS,
        example: shown("2.0.agency"),
        counter: shown("192.0.2.7.dip.example.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "version",
        all: MANY | VERSION,
        example: shown("v2.0.io"),
        counter: shown("v2.x.io"),
        ..Row::DOUBTED
    },
    Row {
        id: "placeholder",
        all: MANY | EVERY_TWO,
        none: LONG,
        example: shown("yy.mm.dd.hh.mm.ss"),
        counter: shown("yy.mm.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "words",
        all: MANY | DEEP | LONG,
        none: COMMON | SHORT | DIGIT | UNDERSCORE | OTHER,
        example: shown("a.b.c.d.agency"),
        counter: shown("a.b.c.d-e.agency"),
        ..Row::DOUBTED
    },
    Row {
        id: "words-of-two",
        all: MANY | DEEP | FIRST_TWO,
        none: COMMON | DIGIT | UNDERSCORE | OTHER,
        example: shown("de.example.product.module.io"),
        counter: shown("de.example.product.io"),
        ..Row::DOUBTED
    },
    Row {
        id: "path-of-words",
        all: MANY,
        any: WORD | CHAIN,
        none: OTHER,
        example: shown("self.inner.store, resource.class.photo"),
        counter: shown("my-team.example.photo"),
        ..Row::DOUBTED
    },
    Row {
        id: "hump-of-field",
        all: ALONE | FIELD | FIRST_UPPER,
        asked: &[Predicate::Hump],
        example: shown("CheckData.mu"),
        counter: shown("Checkdata.mu"),
        ..Row::DOUBTED
    },
    Row {
        id: "camel-case",
        all: CAMEL,
        any: LONG | DOUBT,
        example: shown("hkdfParams.info"),
        counter: shown("eBay.de"),
        ..Row::DOUBTED
    },
    Row {
        id: "capital-in-ending",
        all: ENDING_UPPER | LONG | LOWER,
        example: shown("Name.Variable.Online"),
        counter: shown("example.online"),
        ..Row::DOUBTED
    },
    Row {
        id: "letter-and-capitals",
        all: ALONE | ENDING_CAPITALS | FIRST_ONE,
        none: SHORT,
        example: shown("B.CU"),
        counter: shown("B.IO"),
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-small",
        all: ALONE | ENDING_CAPITALS,
        none: FIRST_ONE | FIRST_UPPER,
        example: shown("example.TZ"),
        counter: shown("EXAMPLE.TZ"),
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-word",
        all: ALONE | ENDING_CAPITALS | LOWER,
        none: FIRST_ONE,
        example: shown("Color.CZ"),
        counter: shown("COLOR.CZ"),
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-smalls",
        all: MANY | ENDING_CAPITALS,
        none: FIRST_UPPER | LATER_UPPER,
        example: shown("example.env.TZ"),
        counter: shown("EXAMPLE.CO.TZ"),
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-module",
        all: MANY | ENDING_CAPITALS | LOWER | MODULE,
        none: SECOND_LEVEL,
        example: shown("Process.Env.CZ"),
        counter: shown("Example.CO.CZ"),
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-mixed",
        all: MANY | ENDING_CAPITALS | LOWER,
        any: WEAK,
        none: SOME_CAPITALS,
        example: shown("Roboto-Regular.default.CA"),
        counter: shown("Roboto.EXAMPLE.CA"),
        ..Row::DOUBTED
    },
    Row {
        id: "capitalized-ending",
        all: ALONE | ENDING_UPPER,
        none: ENDING_CAPITALS,
        example: shown("CO.Uk"),
        counter: shown("co.uk"),
        ..Row::DOUBTED
    },
    Row {
        id: "module",
        all: MANY | ENDING_UPPER | MODULE,
        none: ENDING_CAPITALS | SECOND_LEVEL,
        example: shown("Text.Writers.Fr"),
        counter: shown("Example.Co.Uk"),
        ..Row::DOUBTED
    },
    Row {
        id: "initials",
        all: MANY | ENDING_UPPER | EVERY_ONE,
        none: ENDING_CAPITALS,
        example: shown("h.J.De"),
        counter: shown("h.J.DE"),
        ..Row::DOUBTED
    },
    Row {
        id: "letter",
        all: ALONE | FIRST_ONE,
        none: SHORT | ENDING_UPPER,
        example: shown("q.de"),
        counter: shown("t.me"),
        ..Row::DOUBTED
    },
    Row {
        id: "capital-inside",
        all: MANY | LATER_UPPER,
        none: FIRST_UPPER | ENDING_UPPER,
        example: shown("example.Thread.online"),
        counter: shown("Example.Thread.online"),
        ..Row::DOUBTED
    },
    Row {
        id: "capital-before-word",
        all: MANY | LATER_UPPER | WORD,
        none: ENDING_UPPER,
        example: shown("My-Threading.Thread.run"),
        counter: shown("My-Threading.thread.run"),
        ..Row::DOUBTED
    },
];

//! Rows of what the labels of a name say, and the way they are written, below all domains but `com` and its like.

use crate::scan::filename::asked::Asked;
use crate::scan::filename::facts::*;
use crate::scan::filename::row::Row;

/// What the domain and all of the name decide: most names end here.
pub(super) const WHOLE: &[Row] = &[
    Row { id: "known-host", all: KNOWN_HOST, example: "docs.rs", counter: "main.rs", ..Row::HOST },
    Row { id: "www", all: WWW, example: "www.rs", counter: "web.rs", ..Row::HOST },
    // A label in two scripts, or written with references, is none of code.
    Row {
        id: "other-script",
        all: FOREIGN,
        example: "entry.公司",
        counter: "entry.zone",
        ..Row::HOST
    },
    Row {
        id: "reference",
        all: REFERENCE,
        example: "ex&#97;mple.rs",
        counter: "example.rs",
        ..Row::HOST
    },
    Row { id: "known-name", all: KNOWN, example: "read.me", counter: "write.me", ..Row::NAME },
    Row {
        id: "no-registry",
        all: NO_DOMAIN,
        example: "proc.stdout.read",
        counter: "web.example.de",
        ..Row::NAME
    },
    Row {
        id: "underscore-at-end",
        all: ALONE | LAST_UNDERSCORE,
        example: "cgroup_events.at",
        counter: "cgroup-events.at",
        ..Row::NAME
    },
    Row { id: "file", all: ALONE | FILE, example: "main.rs", counter: "docs.rs", ..Row::DOUBTED },
    Row {
        id: "member",
        all: ALONE | WORD,
        example: "example.build",
        counter: "example.build/x",
        ..Row::DOUBTED
    },
];

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "underscore-in-last",
        all: MANY | LAST_UNDERSCORE,
        example: "a.cgroup_events.at",
        counter: "a.cgroup-events.at",
        ..Row::NAME
    },
    Row {
        id: "template",
        all: IN | TEMPLATE,
        example: "x.postinst.in",
        counter: "x.example.in",
        ..Row::NAME
    },
    Row {
        id: "template-by-end",
        all: IN,
        asked: &[Asked::TemplateEnd],
        example: "gmp-h.in",
        counter: "gmp-x.in",
        ..Row::NAME
    },
    // Files.
    Row {
        id: "numbered-file",
        all: ALONE | DOUBT,
        asked: &[Asked::Numbered],
        example: "99-default.link, incr06.at",
        counter: "99default.link",
        ..Row::DOUBTED
    },
    Row {
        id: "application",
        all: ALONE | APP | FIRST_UPPER,
        example: "Terminal.app",
        counter: "terminal.app",
        ..Row::DOUBTED
    },
    Row {
        id: "two-endings",
        all: MANY | MIDDLE,
        example: "README.html.fr",
        counter: "notes.example.fr",
        ..Row::DOUBTED
    },
    Row {
        id: "template-of-file",
        all: MANY | IN,
        asked: &[Asked::MiddleInside],
        example: "rsnapshot.conf.default.in",
        counter: "rsnapshot.example.in",
        ..Row::DOUBTED
    },
    Row {
        id: "file-of-many-labels",
        all: MANY | ONLY_FILE,
        none: SECOND_LEVEL,
        example: "release.notes.md",
        counter: "example.com.py",
        ..Row::DOUBTED
    },
    Row {
        id: "file-from-template",
        all: MANY | FILE | IN_FRONT_OF,
        example: "mkoctfile.in.cc",
        counter: "mkoctfile.x.cc",
        ..Row::DOUBTED
    },
    Row {
        id: "versioned-file",
        all: MANY | VERSION_END,
        any: WEAK,
        example: "python3.11.info",
        counter: "python3.11.de",
        ..Row::DOUBTED
    },
    Row {
        id: "library",
        all: MANY | SO,
        asked: &[Asked::Library],
        example: "libc.musl.so",
        counter: "web.example.so",
        ..Row::DOUBTED
    },
    // Members of an object or a module.
    Row {
        id: "newsgroup",
        all: MANY | FIRST_TWO,
        none: COUNTRY_SECOND,
        asked: &[Asked::Newsgroup],
        example: "de.alt.x.computer",
        counter: "de.example.computer",
        ..Row::DOUBTED
    },
    Row {
        id: "of-object",
        all: OBJECT,
        none: COUNTRY_SECOND,
        example: "sys.version.xyz",
        counter: "example.version.xyz",
        ..Row::DOUBTED
    },
    Row {
        id: "of-section",
        all: SECTION | ALONE,
        any: WEAK,
        example: "imap.host",
        counter: "imap.example.host",
        ..Row::DOUBTED
    },
    Row {
        id: "of-code",
        all: CODE,
        any: WEAK,
        none: COUNTRY_SECOND,
        example: "os.network",
        counter: "os.de",
        ..Row::DOUBTED
    },
    Row {
        id: "of-variable-weak",
        all: VARIABLE | ALONE,
        any: WEAK,
        example: "address.me",
        counter: "address.io",
        ..Row::DOUBTED
    },
    Row {
        id: "of-variable",
        all: VARIABLE | ALONE,
        none: COMMON | SHORT,
        example: "address.mobi",
        counter: "data.de",
        ..Row::DOUBTED
    },
    Row {
        id: "identifier",
        all: ID,
        any: VARIABLE | FIRST_ONE,
        none: COUNTRY_SECOND,
        example: "file.owner.id, k.image.id",
        counter: "web.example.id",
        ..Row::DOUBTED
    },
    Row {
        id: "single-letters",
        all: MANY | EVERY_ONE,
        none: LONG | COMMON | SHORT | COUNTRY_SECOND,
        example: "w.e.gl",
        counter: "a.b.de",
        ..Row::DOUBTED
    },
    Row {
        id: "of-setting",
        all: PLACE,
        any: WORD | IN,
        none: COUNTRY_SECOND,
        example: "sample.in",
        counter: "sample.de",
        ..Row::DOUBTED
    },
    Row {
        id: "of-setting-long",
        all: PLACE | DOUBT | LONG,
        none: COUNTRY_SECOND,
        example: "email.info",
        counter: "email.tk",
        ..Row::DOUBTED
    },
    Row {
        id: "package",
        all: MANY | REVERSE,
        none: COUNTRY_SECOND,
        example: "org.freedesktop.Hal.de",
        counter: "example.freedesktop.de",
        ..Row::DOUBTED
    },
    Row {
        id: "package-long",
        all: MANY | REVERSE_LONG | LONG,
        none: COUNTRY_SECOND,
        example: "rec.games.xyz",
        counter: "rec.games.de",
        ..Row::DOUBTED
    },
    // What only code writes so.
    Row {
        id: "underscored",
        all: UNDERSCORE,
        any: WORD | FILE,
        example: "drm_device.x.sh",
        counter: "drm-device.x.sh",
        ..Row::DOUBTED
    },
    Row {
        id: "numbers",
        all: MANY | NUMBERS,
        example: "2.0.agency",
        counter: "192.0.2.7.dip.example.de",
        ..Row::DOUBTED
    },
    Row {
        id: "version",
        all: MANY | VERSION,
        example: "v2.0.io",
        counter: "v2.x.io",
        ..Row::DOUBTED
    },
    Row {
        id: "placeholder",
        all: MANY | EVERY_TWO,
        none: LONG,
        example: "yy.mm.dd.hh.mm.ss",
        counter: "yy.mm.de",
        ..Row::DOUBTED
    },
    Row {
        id: "words",
        all: MANY | DEEP | LONG,
        none: COMMON | SHORT | DIGIT | UNDERSCORE | OTHER,
        example: "a.b.c.d.agency",
        counter: "a.b.c.d-e.agency",
        ..Row::DOUBTED
    },
    Row {
        id: "words-of-two",
        all: MANY | DEEP | FIRST_TWO,
        none: COMMON | DIGIT | UNDERSCORE | OTHER,
        example: "de.example.product.module.io",
        counter: "de.example.product.io",
        ..Row::DOUBTED
    },
    Row {
        id: "path-of-words",
        all: MANY,
        any: WORD | CHAIN,
        none: OTHER,
        example: "self.inner.store, resource.class.photo",
        counter: "my-team.example.photo",
        ..Row::DOUBTED
    },
    Row {
        id: "hump-of-field",
        all: ALONE | FIELD | FIRST_UPPER,
        asked: &[Asked::Hump],
        example: "CheckData.mu",
        counter: "Checkdata.mu",
        ..Row::DOUBTED
    },
    Row {
        id: "camel-case",
        all: CAMEL,
        any: LONG | DOUBT,
        example: "hkdfParams.info",
        counter: "eBay.de",
        ..Row::DOUBTED
    },
    Row {
        id: "capital-in-ending",
        all: ENDING_UPPER | LONG | LOWER,
        example: "Name.Variable.Online",
        counter: "example.online",
        ..Row::DOUBTED
    },
    Row {
        id: "letter-and-capitals",
        all: ALONE | ENDING_CAPITALS | FIRST_ONE,
        none: SHORT,
        example: "B.CU",
        counter: "B.IO",
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-small",
        all: ALONE | ENDING_CAPITALS,
        none: FIRST_ONE | FIRST_UPPER,
        example: "example.TZ",
        counter: "EXAMPLE.TZ",
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-word",
        all: ALONE | ENDING_CAPITALS | LOWER,
        none: FIRST_ONE,
        example: "Color.CZ",
        counter: "COLOR.CZ",
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-smalls",
        all: MANY | ENDING_CAPITALS,
        none: FIRST_UPPER | LATER_UPPER,
        example: "example.env.TZ",
        counter: "EXAMPLE.CO.TZ",
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-module",
        all: MANY | ENDING_CAPITALS | LOWER | MODULE,
        none: SECOND_LEVEL,
        example: "Process.Env.CZ",
        counter: "Example.CO.CZ",
        ..Row::DOUBTED
    },
    Row {
        id: "capitals-after-mixed",
        all: MANY | ENDING_CAPITALS | LOWER,
        any: WEAK,
        none: SOME_CAPITALS,
        example: "Roboto-Regular.default.CA",
        counter: "Roboto.EXAMPLE.CA",
        ..Row::DOUBTED
    },
    Row {
        id: "capitalized-ending",
        all: ALONE | ENDING_UPPER,
        none: ENDING_CAPITALS,
        example: "CO.Uk",
        counter: "co.uk",
        ..Row::DOUBTED
    },
    Row {
        id: "module",
        all: MANY | ENDING_UPPER | MODULE,
        none: ENDING_CAPITALS | SECOND_LEVEL,
        example: "Text.Writers.Fr",
        counter: "Example.Co.Uk",
        ..Row::DOUBTED
    },
    Row {
        id: "initials",
        all: MANY | ENDING_UPPER | EVERY_ONE,
        none: ENDING_CAPITALS,
        example: "h.J.De",
        counter: "h.J.DE",
        ..Row::DOUBTED
    },
    Row {
        id: "letter",
        all: ALONE | FIRST_ONE,
        none: SHORT | ENDING_UPPER,
        example: "q.de",
        counter: "t.me",
        ..Row::DOUBTED
    },
    Row {
        id: "capital-inside",
        all: MANY | LATER_UPPER,
        none: FIRST_UPPER | ENDING_UPPER,
        example: "example.Thread.online",
        counter: "Example.Thread.online",
        ..Row::DOUBTED
    },
    Row {
        id: "capital-before-word",
        all: MANY | LATER_UPPER | WORD,
        none: ENDING_UPPER,
        example: "My-Threading.Thread.run",
        counter: "My-Threading.thread.run",
        ..Row::DOUBTED
    },
];

//! Formats of light markup, of programs, and of texts that others fold or escape.

use linksift::Format;

use super::{Kind, plain};

fn tex(text: &str) -> String {
    ["%", "#", "&", "_", "$"]
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(sign, &format!("\\{sign}")))
}

fn rst(text: &str) -> String {
    text.replace('*', "\\*").replace('_', "\\_")
}

fn texinfo(text: &str) -> String {
    text.replace('@', "@@").replace(',', "@comma{}")
}

fn roff(text: &str) -> String {
    text.replace('-', "\\-").replace('.', "\\&.")
}

fn escaped(text: &str) -> String {
    text.replace(['"', '\''], "%27")
}

fn calendar(text: &str) -> String {
    text.replace(',', "\\,").replace(';', "\\;")
}

/// Lines that are folded after some characters.
fn folded(text: &str) -> String {
    let mut folded = String::new();
    for (at, c) in calendar(text).chars().enumerate() {
        if at % 17 == 16 {
            folded.push_str("\r\n ");
        }
        folded.push(c);
    }
    folded
}

pub(super) const OTHERS: &[Kind] = &[
    Kind {
        format: Format::Rst,
        charset: "utf-8",
        escape: rst,
        pieces: &[
            "see `x <@>`_ now",
            "`x <~>`__",
            ".. _name: @",
            ".. image:: ~",
            "text and @ here",
            "words",
        ],
        joint: "\n\n",
    },
    Kind {
        format: Format::Rst,
        charset: "utf-8",
        escape: plain,
        pieces: &["::\n\n    @\n", ".. code::\n\n   @\n", "<@>", "``@``"],
        joint: "\n\n",
    },
    Kind {
        format: Format::Asciidoc,
        charset: "utf-8",
        escape: |text| text.replace('[', "%5B").replace(']', "%5D"),
        pieces: &[
            "see @[x] now",
            "link:~[y]",
            "image::~[z]",
            "text and @ here",
            "----\n@\n----",
            ":url: @",
            "words",
        ],
        joint: "\n\n",
    },
    Kind {
        format: Format::Tex,
        charset: "utf-8",
        escape: tex,
        pieces: &[
            "\\href{@}{x}",
            "\\url{@}",
            "\\href{~}{y}",
            "see @ here",
            "% @",
            "\\includegraphics{a}",
        ],
        joint: "\n",
    },
    Kind {
        format: Format::Texinfo,
        charset: "utf-8",
        escape: texinfo,
        pieces: &["@uref{@, x}", "@url{@}", "see @ here", "@c @", "@email{me@@old.example.com}"],
        joint: "\n",
    },
    Kind {
        format: Format::Pod,
        charset: "utf-8",
        escape: |text| text.replace('|', "E<verbar>"),
        pieces: &["=pod\n\nsee L<@>", "L<x|@>", "see @ here", "    @", "C<@>"],
        joint: "\n\n",
    },
    Kind {
        format: Format::Roff,
        charset: "utf-8",
        escape: roff,
        pieces: &[".UR @\nx\n.UE", "see @ here", ".\\\" @", "<@>", ".TP\nwords"],
        joint: "\n",
    },
    Kind {
        format: Format::Strings,
        charset: "utf-8",
        escape: escaped,
        pieces: &["\"a\" = \"see @ now\";", "\"@\" = \"@\";", "/* @ */", "\"b\" = \"c\";"],
        joint: "\n",
    },
    Kind {
        format: Format::Yaml,
        charset: "utf-8",
        escape: escaped,
        pieces: &["- a: @", "- \"@\"", "- '@'", "- |\n  see @ now", "# @", "- <@>", "- words"],
        joint: "\n",
    },
    Kind {
        format: Format::Code,
        charset: "utf-8",
        escape: escaped,
        pieces: &["let a = \"@\";", "// see @ now", "a('@', b)", "/* <@> */", "fn main() {}"],
        joint: "\n",
    },
    Kind {
        format: Format::Notebook,
        charset: "utf-8",
        escape: |text| escaped(text).replace('/', "\\/"),
        pieces: &[
            "{\"cell_type\": \"markdown\", \"source\": [\"see <@> \\n\", \"and [x](~)\"]}",
            "{\"cell_type\": \"code\", \"outputs\": [], \"source\": \"a = '@'\"}",
            "{\"cell_type\": \"raw\", \"source\": \"@\"}",
        ],
        joint: ",\n",
    },
    Kind {
        format: Format::Calendar,
        charset: "utf-8",
        escape: calendar,
        pieces: &["URL:@", "DESCRIPTION:see @ now\\nand <@>", "SUMMARY:words", "X-A;B=\"c\":@"],
        joint: "\r\n",
    },
    Kind {
        format: Format::Calendar,
        charset: "utf-8",
        escape: folded,
        pieces: &[
            "URL:@",
            "DESCRIPTION:see @ now",
            "SUMMARY:words",
            "ATTACH:http://old.example.com/a",
        ],
        joint: "\r\n",
    },
    Kind {
        format: Format::Vcard,
        charset: "utf-8",
        escape: calendar,
        pieces: &["URL:@", "NOTE:see @ now\\, and <@>", "EMAIL:me@old.example.com", "FN:words"],
        joint: "\r\n",
    },
];

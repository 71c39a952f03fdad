//! The settings as types of Python and TypeScript.

use linksift::Settings;

use super::{camel, quoted, sentence, settle};

#[path = "../../../src/settings/table.rs"]
mod table;

struct Setting {
    name: &'static str,
    /// The part of the library's settings that it is of.
    part: &'static str,
    /// Of Python and of TypeScript.
    types: [String; 2],
    meaning: &'static str,
}

/// The types of a setting, by the function of the library that reads its value.
fn types(name: &str, reader: &str, values: &str) -> [String; 2] {
    let types = match (reader, expected(name)) {
        ("flag", _) => ["_Flag", "boolean"],
        ("bytes", _) => ["int", "number"],
        // With the type `string` alone an editor would not list the words.
        ("schemes", _) => {
            let words = quoted(&code(values), " | ");
            return [
                "str | Iterable[str]".to_owned(),
                format!("{words} | (string & {{}}) | string[]"),
            ];
        }
        ("scheme_names" | "known_hosts", _) => ["str | Iterable[str]", "string | string[]"],
        (_, Some(words)) => {
            return [format!("Literal[{}]", quoted(&words, ", ")), quoted(&words, " | ")];
        }
        (_, None) => ["str", "string"],
    };
    types.map(str::to_owned)
}

/// The words between grave accents.
fn code(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The words that a setting takes, as its error lists them; `None` if it takes other texts.
fn expected(name: &str) -> Option<Vec<String>> {
    let error = Settings::new().set(name, "\0").err()?.to_string();
    let (_, words) = error.split_once("expected one of ")?;
    Some(words.split(", ").map(str::to_owned).collect())
}

fn settings() -> Vec<Setting> {
    macro_rules! list {
        (() $($(#[$cfg:meta])? $name:literal => $part:ident.$method:ident($reader:ident): $values:literal, $meaning:literal;)+
        ) => {
            vec![$(Setting {
                name: $name,
                part: stringify!($part),
                types: types($name, stringify!($reader), $values),
                meaning: $meaning,
            },)+]
        };
    }
    table::settings!(list)
}

/// A line of Python, as its formatter breaks it.
fn python_line(name: &str, kind: &str) -> String {
    if name.len() + kind.len() < 95 {
        return format!("    {name}: {kind} | None\n");
    }
    let words = kind.replace("[", "[\n            ").replace(", ", ",\n            ");
    let words = words.replace("]", ",\n        ]");
    format!("    {name}: (\n        {words}\n        | None\n    )\n")
}

fn python<'s>(settings: impl Iterator<Item = &'s Setting>) -> String {
    let row = |setting: &Setting| {
        // A word of the language.
        let name = match setting.name {
            "class" => "class_".to_owned(),
            name => name.replace('-', "_"),
        };
        let line = python_line(&name, &setting.types[0]);
        format!("{line}    \"\"\"{}\"\"\"\n", sentence(setting.meaning))
    };
    settings.map(row).collect()
}

fn typescript<'s>(settings: impl Iterator<Item = &'s Setting>) -> String {
    let row = |setting: &Setting| {
        let (name, kind) = (camel(setting.name), &setting.types[1]);
        format!("  /** {} */\n  {name}?: {kind};\n", sentence(setting.meaning))
    };
    settings.map(row).collect()
}

#[test]
fn settings_of_the_bindings_are_those_of_the_library() {
    let settings = settings();
    assert_eq!(settings.iter().map(|setting| setting.name).collect::<Vec<_>>(), Settings::NAMES);
    let (html, finding): (Vec<_>, Vec<_>) =
        settings.iter().partition(|setting| setting.part == "linkify");
    let parts =
        [("settings", python(finding.into_iter())), ("settings of HTML", python(html.into_iter()))];
    settle("python/python/linksift/__init__.pyi", &parts);
    // A place is a range of a string there.
    let is_place = |setting: &&Setting| matches!(setting.name, "positions" | "columns");
    let all = settings.iter().filter(|setting| !is_place(setting));
    settle("web/linksift.d.ts", &[("settings", typescript(all))]);
}

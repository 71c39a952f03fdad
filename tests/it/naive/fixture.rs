//! Reads `fixtures/text/*.txt`. The format:
//!
//! - a line `# …` is a comment; a blank line ends a group;
//! - `! key=value …` sets options for the cases up to the group's end;
//! - `~ code …` names the candidates refused in the case above it, in order
//!   (`~ none`: there are none);
//! - every other line is a case: text with its links between `⸠` and `⸡`.
//!   `\n \r \t \0 \\ \xHH \u{HEX}` stand for what they stand for in Rust, and
//!   `\xHH` for any byte.

use super::{Boundaries, Schemes, Settings};
use std::path::{Path, PathBuf};

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// `file:line`.
    pub place: String,
    /// The line as it stands in the file.
    pub line: String,
    pub text: Vec<u8>,
    /// The byte spans of the links.
    pub links: Vec<(usize, usize)>,
    /// The codes of the refused candidates, where the file tells them.
    pub refused: Option<Vec<String>>,
    pub settings: Settings,
}

impl Case {
    /// The text with markers around `spans`, for messages.
    pub fn marked(&self, spans: &[(usize, usize)]) -> String {
        let mut out = Vec::new();
        for (i, &byte) in self.text.iter().enumerate() {
            if spans.iter().any(|&(_, end)| end == i) {
                out.extend("⸡".bytes());
            }
            if spans.iter().any(|&(start, _)| start == i) {
                out.extend("⸠".bytes());
            }
            out.push(byte);
        }
        if spans.iter().any(|&(_, end)| end == self.text.len()) {
            out.extend("⸡".bytes());
        }
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// All cases of the folder, file by file in the order of names.
pub fn read_folder(folder: &Path) -> Result<Vec<Case>, String> {
    let say = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(say)? {
        let path = entry.map_err(say)?.path();
        if path.extension().is_some_and(|ext| ext == "txt") {
            files.push(path);
        }
    }
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        cases.extend(read_file(&file)?);
    }
    Ok(cases)
}

fn read_file(path: &Path) -> Result<Vec<Case>, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    parse(&name, &text)
}

/// The cases of one fixture file.
pub fn parse(name: &str, text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut settings = Settings::default();
    let mut after_case = false;
    for (number, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        if line.is_empty() {
            settings = Settings::default();
            after_case = false;
        } else if line == "#" || line.starts_with("# ") {
            after_case = false;
        } else if let Some(options) = line.strip_prefix("! ") {
            for option in options.split_whitespace() {
                set(&mut settings, option).ok_or(format!("{place}: option {option}"))?;
            }
            after_case = false;
        } else if let Some(codes) = line.strip_prefix("~ ") {
            let case =
                cases.last_mut().filter(|_| after_case).ok_or(format!("{place}: no case above"))?;
            let codes = codes.split_whitespace().filter(|code| *code != "none");
            case.refused = Some(codes.map(str::to_owned).collect());
            after_case = false;
        } else {
            let (text, links) = unescape(line).ok_or(format!("{place}: bad escape or marker"))?;
            cases.push(Case {
                place,
                line: line.to_owned(),
                text,
                links,
                refused: None,
                settings: settings.clone(),
            });
            after_case = true;
        }
    }
    Ok(cases)
}

fn set(settings: &mut Settings, option: &str) -> Option<()> {
    let (key, value) = option.split_once('=')?;
    let switch = match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    match key {
        "boundaries" => {
            settings.boundaries = match value {
                "prose" => Boundaries::Prose,
                "uts58" => Boundaries::Uts58,
                _ => return None,
            }
        }
        "schemes" => {
            settings.schemes = match value {
                "known" => Schemes::Known,
                "any" => Schemes::Any,
                list => Schemes::List(list.split(',').map(str::to_owned).collect()),
            }
        }
        "schemeless" => settings.schemeless = switch?,
        "emails" => settings.emails = switch?,
        "references" => {
            settings.references = match value {
                "auto" => true,
                "never" => false,
                _ => return None,
            }
        }
        "format" => {
            settings.code = match value {
                "code" => true,
                "text" => false,
                _ => return None,
            }
        }
        "userinfo" => {
            settings.userinfo = match value {
                "warn" => true,
                "refuse" => false,
                _ => return None,
            }
        }
        "max-link" => settings.max_link = value.parse().ok()?,
        _ => return None,
    }
    Some(())
}

type Marked = (Vec<u8>, Vec<(usize, usize)>);

fn unescape(line: &str) -> Option<Marked> {
    let mut text = Vec::new();
    let mut links = Vec::new();
    let mut open = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '⸠' if open.is_none() => open = Some(text.len()),
            '⸡' => links.push((open.take()?, text.len())),
            '⸠' => return None,
            '\\' => match rest.next()? {
                'n' => text.push(b'\n'),
                'r' => text.push(b'\r'),
                't' => text.push(b'\t'),
                '0' => text.push(0),
                '\\' => text.push(b'\\'),
                'x' => {
                    let digits: String = rest.by_ref().take(2).collect();
                    text.push(u8::from_str_radix(&digits, 16).ok()?);
                }
                'u' => {
                    let (digits, behind) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                    text.extend(c.encode_utf8(&mut [0; 4]).bytes());
                    rest = behind.chars();
                }
                _ => return None,
            },
            _ => text.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    open.is_none().then_some((text, links))
}

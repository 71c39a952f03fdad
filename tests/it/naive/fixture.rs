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
use crate::bless;
use std::path::{Path, PathBuf};

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of its file.
    pub file: String,
    /// Its line, from zero; what is refused is in the next one.
    pub number: usize,
    /// The line as it is in the file.
    pub line: String,
    pub text: Vec<u8>,
    /// The byte spans of the links.
    pub links: Vec<(usize, usize)>,
    /// The codes of the refused candidates, where the file tells them.
    pub refused: Option<Vec<String>>,
    pub settings: Settings,
}

impl Case {
    /// `file:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.number + 1)
    }

    /// The line with its markers around `spans`.
    pub fn marked(&self, spans: &[(usize, usize)]) -> String {
        let pieces = pieces(&self.line).unwrap_or_default();
        let pieces = pieces.iter().filter(|(piece, _)| !["⸠", "⸡"].contains(piece));
        let spans: Vec<_> = spans.iter().map(|&(start, end)| start..end).collect();
        bless::marked(pieces.map(|(piece, bytes)| (*piece, bytes.len())), &spans, ['⸠', '⸡'])
    }
}

/// The line that says what is refused.
pub fn refused_line(codes: &[impl AsRef<str>]) -> String {
    let mut line = "~".to_owned();
    for code in codes {
        line.push(' ');
        line += code.as_ref();
    }
    if codes.is_empty() { "~ none".to_owned() } else { line }
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
                file: name.to_owned(),
                number,
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
    for (piece, bytes) in pieces(line)? {
        match piece {
            "⸠" if open.is_none() => open = Some(text.len()),
            "⸡" => links.push((open.take()?, text.len())),
            "⸠" => return None,
            _ => text.extend(bytes),
        }
    }
    open.is_none().then_some((text, links))
}

/// The characters and escapes of a line, each with the bytes that it stands for; markers too.
fn pieces(line: &str) -> Option<Vec<(&str, Vec<u8>)>> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let (length, bytes) = match c {
            '\\' => escape(&rest[1..])?,
            _ => (c.len_utf8(), rest[..c.len_utf8()].into()),
        };
        let (piece, after) = rest.split_at(length);
        pieces.push((piece, bytes));
        rest = after;
    }
    Some(pieces)
}

/// The length of an escape with its backslash, and what it stands for.
fn escape(text: &str) -> Option<(usize, Vec<u8>)> {
    Some(match text.chars().next()? {
        'n' => (2, b"\n".to_vec()),
        'r' => (2, b"\r".to_vec()),
        't' => (2, b"\t".to_vec()),
        '0' => (2, b"\0".to_vec()),
        '\\' => (2, b"\\".to_vec()),
        'x' => (4, vec![u8::from_str_radix(text.get(1..3)?, 16).ok()?]),
        'u' => {
            let digits = text[1..].strip_prefix('{')?.split_once('}')?.0;
            let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            (digits.len() + 4, c.encode_utf8(&mut [0; 4]).as_bytes().to_vec())
        }
        _ => return None,
    })
}

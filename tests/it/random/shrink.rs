//! Cuts a failing text down to its smallest form, and writes it as a fixture would.

use crate::naive::{Boundaries, Schemes, Settings};

/// The smallest text, with the plainest settings, that still `fails`.
pub(crate) fn smallest(
    mut text: Vec<u8>,
    mut settings: Settings,
    fails: impl Fn(&[u8], &Settings) -> bool,
) -> (Vec<u8>, Settings) {
    if !fails(&text, &settings) {
        return (text, settings);
    }
    for plain in plainer(&settings) {
        if fails(&text, &plain) {
            settings = plain;
            break;
        }
    }
    // Ever shorter pieces are left out, until not a single byte can be.
    let mut piece = text.len().next_power_of_two();
    while piece > 0 {
        let mut at = 0;
        let mut is_shorter = false;
        while at < text.len() {
            let mut shorter = text.clone();
            shorter.drain(at..(at + piece).min(text.len()));
            if fails(&shorter, &settings) {
                text = shorter;
                is_shorter = true;
            } else {
                at += piece;
            }
        }
        if !is_shorter || piece > 1 {
            piece /= 2;
        }
    }
    for plain in [&b"a"[..], b"."] {
        for at in 0..text.len() {
            let mut simpler = text.clone();
            simpler[at] = plain[0];
            if text[at].is_ascii_alphanumeric() && fails(&simpler, &settings) {
                text = simpler;
            }
        }
    }
    (text, settings)
}

/// The default settings, and those with but one change from them.
fn plainer(settings: &Settings) -> Vec<Settings> {
    let plain = Settings::default;
    vec![
        plain(),
        Settings { boundaries: settings.boundaries, ..plain() },
        Settings { schemeless: settings.schemeless, ..plain() },
        Settings { emails: settings.emails, ..plain() },
        Settings { schemes: settings.schemes.clone(), ..plain() },
        Settings { references: settings.references, ..plain() },
        Settings { max_link: settings.max_link, ..plain() },
        Settings { max_link: plain().max_link, ..settings.clone() },
    ]
}

/// The text as the fixtures write it.
pub(crate) fn line(text: &[u8]) -> String {
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out += "\\n",
                '\r' => out += "\\r",
                '\t' => out += "\\t",
                '\0' => out += "\\0",
                '\\' => out += "\\\\",
                _ if c.is_control()
                    || format!("{c:?}").len() > c.len_utf8() + 2 && c != '\'' && c != '"' =>
                {
                    out += &format!("\\u{{{:X}}}", u32::from(c));
                }
                _ => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out += &format!("\\x{byte:02X}");
        }
    }
    out
}

/// The settings that are not the default ones, as the fixtures write them.
pub(crate) fn options(settings: &Settings) -> String {
    let plain = Settings::default();
    let mut out = Vec::new();
    if settings.boundaries == Boundaries::Uts58 {
        out.push("boundaries=uts58".to_owned());
    }
    if !settings.schemeless {
        out.push("schemeless=no".to_owned());
    }
    if !settings.emails {
        out.push("emails=no".to_owned());
    }
    match &settings.schemes {
        Schemes::Known => {}
        Schemes::Any => out.push("schemes=any".to_owned()),
        Schemes::List(list) => out.push(format!("schemes={}", list.join(","))),
    }
    if !settings.references {
        out.push("references=never".to_owned());
    }
    if settings.max_link != plain.max_link {
        out.push(format!("max-link={}", settings.max_link));
    }
    if out.is_empty() { String::new() } else { format!("(! {})", out.join(" ")) }
}

//! A crate that depends on the package: what comes out of it there is what comes out of the repository's command.

#![cfg(test)]

mod iri_idna;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use linksift::iri::{HostMapping, Iri, MapOptions, host_to_ascii};
use linksift::tables::is_assigned;

/// Where `iri_idna`, a file of the repository's tests, asks for official data.
mod tables {
    pub(crate) fn official_text(name: &str) -> String {
        let folder = super::env::var("OFFICIAL").expect("run.sh says where the official data are");
        let path = format!("{folder}/{name}");
        let text = super::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (major, minor, update) = linksift::UNICODE_VERSION;
        let version = format!("# Version: {major}.{minor}.{update}");
        assert!(text.lines().any(|line| line == version), "{path} is not of {version}");
        text
    }
}

/// The A-label of `a`, a non-ASCII character, and `b` (RFC 3492 §6.3).
fn a_label(between: char) -> String {
    const BIAS: u32 = 72;
    // Two characters are before it in order, and one in place.
    let mut delta = (u32::from(between) - 0x80) * 3 + 1;
    let mut label = String::from("xn--ab-");
    for k in (36..).step_by(36) {
        let threshold = u32::clamp(k - u32::min(k, BIAS), 1, 26);
        let (digit, rest) = match delta < threshold {
            true => (delta, None),
            false => {
                let delta = delta - threshold;
                (threshold + delta % (36 - threshold), Some(delta / (36 - threshold)))
            }
        };
        let digit = if digit < 26 { b'a' + digit as u8 } else { b'0' + (digit - 26) as u8 };
        label.push(char::from(digit));
        match rest {
            Some(rest) => delta = rest,
            None => break,
        }
    }
    label
}

fn beyond_ascii() -> impl Iterator<Item = char> {
    '\u{80}'..=char::MAX
}

/// The URIs to which the command maps IRIs, `None` for each that it refuses.
fn by_the_command(iris: &[String]) -> Vec<Option<String>> {
    let command = env::var("COMMAND").expect("run.sh says where the command is");
    let mut child = Command::new(command)
        .args(["map", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = String::new();
    for iri in iris {
        writeln!(lines, "{iri}").expect("a string takes all");
    }
    let writing = thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writing.join().expect("no panic").expect("all is read");
    let output = String::from_utf8(output.stdout).expect("UTF-8");
    let uri = |line: &str| {
        let (_, uri) = line.split_once("\"uri\":\"")?;
        Some(uri.strip_suffix("\"}").expect("the last field").to_owned())
    };
    output.lines().map(uri).collect()
}

#[test]
fn every_code_point_in_a_host_comes_out_as_by_the_command() {
    let mut iris = Vec::new();
    for c in beyond_ascii() {
        // Outside of hosts a character that no IRI has is refused before the host is looked at.
        iris.push(format!("http://a{c}b/"));
        iris.push(format!("http://{}/", a_label(c)));
        iris.push(format!("http://{c}\u{301}.example/"));
    }
    let expected = by_the_command(&iris);
    assert_eq!(expected.len(), iris.len());
    let options = MapOptions::new().host(HostMapping::Ascii);
    let mapped = |iri: &String| Iri::parse(iri).ok()?.to_uri_with(&options).ok().map(String::from);
    let differing: Vec<_> =
        iris.iter().zip(&expected).filter(|(iri, expected)| mapped(iri) != **expected).collect();
    assert!(
        differing.is_empty(),
        "{} of {}: {:?} …",
        differing.len(),
        iris.len(),
        &differing[..differing.len().min(5)]
    );
    let mapped = expected.iter().flatten().count();
    assert!(mapped > 300_000, "only {mapped} were mapped");
}

#[test]
fn what_is_unassigned_is_refused() {
    let mut refused = 0;
    for c in beyond_ascii().filter(|&c| !is_assigned(c)) {
        assert!(host_to_ascii(&format!("a{c}b")).is_err(), "{c:?}");
        assert!(host_to_ascii(&a_label(c)).is_err(), "{c:?} in {}", a_label(c));
        refused += 1;
    }
    assert!(refused > 700_000, "only {refused} are unassigned");
    assert_eq!(a_label('é'), "xn--ab-bja");
    assert_eq!(host_to_ascii("aéb").as_deref(), Ok("xn--ab-bja"));
}

/// Normal forms are made by another crate with the feature `documents`.
#[test]
fn normal_forms_of_unassigned_characters_are_themselves() {
    let options = MapOptions::new().nfc(true);
    for c in beyond_ascii().filter(|&c| !is_assigned(c)) {
        let Ok(iri) = format!("a:{c}e\u{301}{c}\u{301}").parse::<linksift::iri::IriBuf>() else { continue };
        let mut composed = format!("a:{c}é{c}\u{301}");
        composed = Iri::parse(&composed).expect("as good as the other").to_uri().expect("a URI").into();
        assert_eq!(iri.as_iri().to_uri_with(&options).expect("a URI"), composed, "{c:?}");
    }
}

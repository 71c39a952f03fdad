//! The cases of `fixtures/iri/*.txt`; `rfc3987.txt` says how they are written.

use std::fs;
use std::path::PathBuf;

use crate::bless::{Blessing, is_readable};
use linksift::iri::{
    Error, Form, HostDisplay, HostMapping, Iri, IriRef, MapOptions, NormalizationLevel, Repertoire,
    Spaces, Syntax, encode_forbidden, leiri_to_iri, prepare, repair,
};

const FILES: [&str; 8] = [
    "rfc3987.txt",
    "drafts.txt",
    "grammar.txt",
    "resolve.txt",
    "mapping.txt",
    "normal.txt",
    "schemes.txt",
    "repair.txt",
];

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let mut length = 1;
        out.push(match escape.as_bytes().first() {
            Some(b's') => ' ',
            Some(b't') => '\t',
            Some(b'n') => '\n',
            Some(b'\\') => '\\',
            Some(b'u') => {
                let (digits, _) = escape[2..].split_once('}').expect("a brace closes");
                length = digits.len() + 3;
                let value = u32::from_str_radix(digits, 16).expect("hexadecimal digits");
                char::from_u32(value).expect("a character")
            }
            _ => panic!("no such escape: {text}"),
        });
        rest = &escape[length..];
    }
    out + rest
}

/// `text` with escapes: for spaces, controls and their like, and for what `beside` has escaped.
fn escape(text: &str, beside: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    let mut is_first = true;
    while let Some(c) = chars.next() {
        match c {
            ' ' if is_first || chars.peek().is_none() => out += "\\s",
            '\t' => out += "\\t",
            '\n' => out += "\\n",
            '\\' => out += "\\\\",
            c => {
                let escape = format!("\\u{{{:X}}}", u32::from(c));
                match beside.contains(&escape) || !is_readable(c) {
                    true => out += &escape,
                    false => out.push(c),
                }
            }
        }
        is_first = false;
    }
    out
}

fn refusal(error: Error) -> String {
    format!("!{}@{}", error.kind().as_str(), error.index())
}

/// `scheme|userinfo|host|port|path|query|fragment`; empty is absent, `-` is there and empty.
fn components(iri: IriRef<'_>) -> String {
    let show = |component: Option<&str>| match component {
        None => String::new(),
        Some("") => "-".to_owned(),
        Some(text) => text.to_owned(),
    };
    [
        show(iri.scheme()),
        show(iri.userinfo()),
        show(iri.host()),
        show(iri.port()),
        iri.path().to_owned(),
        show(iri.query()),
        show(iri.fragment()),
    ]
    .join("|")
}

fn parsed(form: Form, repertoire: Repertoire, text: &str) -> Result<String, Error> {
    let syntax = Syntax::new().form(form).repertoire(repertoire);
    let result = syntax.parse(text);
    assert_eq!(
        syntax.parse_bytes(text.as_bytes()).map(components),
        result.map(components),
        "{text}"
    );
    result.map(components)
}

fn rung(argument: &str) -> NormalizationLevel {
    match argument {
        "" => NormalizationLevel::Syntax,
        "scheme" => NormalizationLevel::Scheme,
        _ => panic!("no such rung: {argument}"),
    }
}

fn perform(operation: &str, argument: &str, input: &str) -> Result<String, Error> {
    let joined = |references: Vec<String>| references.join("  ");
    Ok(match operation {
        "parse" if argument == "bis" => parsed(Form::Iri, Repertoire::Bis, input)?,
        "parse" => parsed(Form::Iri, Repertoire::Rfc3987, input)?,
        "uri" => parsed(Form::Iri, Repertoire::Rfc3986, input)?,
        "reference" => parsed(Form::Reference, Repertoire::Rfc3987, input)?,
        "relative" => parsed(Form::Relative, Repertoire::Rfc3987, input)?,
        "absolute" => parsed(Form::Absolute, Repertoire::Rfc3987, input)?,
        "map" => {
            let options = match argument {
                "percent" => MapOptions::new().host(HostMapping::Percent),
                "unicode" => MapOptions::new().host(HostMapping::Unicode),
                "nfc" => MapOptions::new().nfc(true),
                _ => MapOptions::new(),
            };
            let text = match argument {
                "forbidden" => encode_forbidden(input).into_owned(),
                _ => input.to_owned(),
            };
            let uri = IriRef::parse(&text)?.to_uri_with(&options)?.into_owned();
            let mut appended = String::new();
            IriRef::parse(&text)?.to_uri_into(&options, &mut appended)?;
            assert_eq!(appended, uri, "both ways of mapping");
            uri
        }
        "unmap" => {
            let display =
                if argument == "unicode" { HostDisplay::Unicode } else { HostDisplay::Kept };
            IriRef::parse(input)?.to_iri_text_with(display).into_owned()
        }
        "display" => IriRef::parse(input)?.display(),
        "normalize" => IriRef::parse(input)?.normalize_to(rung(argument)),
        "resolve" => Iri::parse(argument)?.resolve(&IriRef::parse(input)?),
        "relativize" => {
            let found = Iri::parse(argument)?.relativize(&Iri::parse(input)?);
            found.unwrap_or_else(|| "none".to_owned())
        }
        "equal" => {
            let (left, right) = input.split_once("  ").expect("two IRIs, two spaces between");
            let (left, right) = (IriRef::parse(left)?, IriRef::parse(right)?);
            let rungs = [
                ("simple", NormalizationLevel::Simple),
                ("syntax", NormalizationLevel::Syntax),
                ("scheme", NormalizationLevel::Scheme),
            ];
            let lowest = rungs.iter().find(|(_, rung)| left.equivalent(&right, *rung));
            lowest.map_or("no", |(name, _)| name).to_owned()
        }
        "bidi" => {
            let finding = IriRef::parse(input)?.bidi_findings().next();
            finding.map_or("ok".to_owned(), |finding| format!("{}@{}", finding.rule, finding.index))
        }
        "leiri" => leiri_to_iri(input).into_owned(),
        "repair" => {
            let repaired = repair(input)?;
            let codes: Vec<_> =
                repaired.warnings().iter().map(|warning| warning.as_str()).collect();
            match codes.is_empty() {
                true => repaired.iri().to_string(),
                false => format!("{} [{}]", repaired.iri(), codes.join(" ")),
            }
        }
        "prepare" => {
            let spaces = match argument {
                "many" => Spaces::Split,
                "remove" => Spaces::Remove,
                _ => Spaces::Encode,
            };
            joined(prepare(input, spaces).map(|reference| reference.into_owned()).collect())
        }
        "scheme" => Iri::parse(input)?.check_scheme().map(|()| "ok".to_owned())?,
        "warnings" => {
            let warnings = IriRef::parse(input)?.warnings();
            let codes: Vec<&str> = warnings.iter().map(|warning| warning.as_str()).collect();
            codes.join(" ")
        }
        _ => panic!("no such operation: {operation}"),
    })
}

/// A line of a file, and what is done with its input.
struct Case {
    file: PathBuf,
    number: usize,
    operation: String,
    argument: String,
    /// As they are written.
    input: String,
    expected: String,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for name in FILES {
        let file = crate::root().join("fixtures/iri").join(name);
        let text = fs::read_to_string(&file).unwrap();
        let (mut operation, mut argument) = ("", "");
        for (number, line) in text.lines().enumerate() {
            // `#` and `@` are cases too, where ` => ` follows.
            if line.is_empty()
                || line == "#"
                || line.starts_with("# ") && !line.starts_with("# => ")
            {
                continue;
            }
            if let Some(named) = line.strip_prefix("@ ").filter(|named| !named.starts_with("=> ")) {
                (operation, argument) = named.split_once(' ').unwrap_or((named, ""));
                continue;
            }
            let Some((input, expected)) = line.split_once(" => ") else {
                panic!(
                    "{name}:{}: neither case nor comment: {line}\na case is `INPUT => RESULT`; `INPUT => ?` and LINKSIFT_BLESS=1 write the result",
                    number + 1
                );
            };
            let [operation, argument, input, expected] =
                [operation, argument, input, expected].map(str::to_owned);
            cases.push(Case { file: file.clone(), number, operation, argument, input, expected });
        }
    }
    cases
}

impl Case {
    /// The line of the case with this result; it stays as it is written where it says the same.
    fn expect(&self, blessing: &mut Blessing, result: &str) {
        let Case { operation, argument, input, expected, number, .. } = self;
        let expected = match unescape(expected) == result {
            true => expected.clone(),
            false => escape(result, &format!("{input}{expected}")),
        };
        let line = format!("{input} => {expected}");
        let case = format!("{operation} {argument}");
        blessing.lines(&self.file, *number..number + 1, vec![line], case.trim_end());
    }
}

#[test]
fn fixtures() {
    let cases = cases();
    let mut blessing = Blessing::new("iri::fixtures::fixtures");
    for case in &cases {
        let input = unescape(&case.input);
        let result = perform(&case.operation, &case.argument, &input).unwrap_or_else(refusal);
        case.expect(&mut blessing, &result);
    }
    blessing.finish();
    assert!(cases.len() >= 900, "only {} cases were read", cases.len());
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    let mut blessing = Blessing::new("");
    for case in cases() {
        let expected = unescape(&case.expected);
        case.expect(&mut blessing, &expected);
        for beside in [&*case.input, ""] {
            assert_eq!(unescape(&escape(&expected, beside)), expected);
        }
    }
    blessing.assert_nothing_changes(900);
}

//! The cases of `fixtures/iri/*.txt`; `rfc3987.txt` says how they are written.

use linksift::iri::{
    Error, Form, HostDisplay, HostMapping, Iri, IriRef, MapOptions, Repertoire, Rung, Spaces,
    Syntax, encode_forbidden, leiri_to_iri, prepare,
};

const FILES: [(&str, &str); 7] = [
    ("rfc3987.txt", include_str!("../../fixtures/iri/rfc3987.txt")),
    ("drafts.txt", include_str!("../../fixtures/iri/drafts.txt")),
    ("grammar.txt", include_str!("../../fixtures/iri/grammar.txt")),
    ("resolve.txt", include_str!("../../fixtures/iri/resolve.txt")),
    ("mapping.txt", include_str!("../../fixtures/iri/mapping.txt")),
    ("normal.txt", include_str!("../../fixtures/iri/normal.txt")),
    ("schemes.txt", include_str!("../../fixtures/iri/schemes.txt")),
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

fn refusal(error: Error) -> String {
    format!("!{}@{}", error.kind().code(), error.index())
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

fn rung(argument: &str) -> Rung {
    match argument {
        "" => Rung::Syntax,
        "scheme" => Rung::Scheme,
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
            let rungs =
                [("simple", Rung::Simple), ("syntax", Rung::Syntax), ("scheme", Rung::Scheme)];
            let lowest = rungs.iter().find(|(_, rung)| left.equivalent(&right, *rung));
            lowest.map_or("no", |(name, _)| name).to_owned()
        }
        "bidi" => {
            let finding = IriRef::parse(input)?.bidi_findings().next();
            finding.map_or("ok".to_owned(), |finding| format!("{}@{}", finding.rule, finding.index))
        }
        "leiri" => leiri_to_iri(input).into_owned(),
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
            let codes: Vec<&str> = warnings.iter().map(|warning| warning.code()).collect();
            codes.join(" ")
        }
        _ => panic!("no such operation: {operation}"),
    })
}

#[test]
fn fixtures() {
    let (mut cases, mut failures) = (0, Vec::new());
    for (file, text) in FILES {
        let (mut operation, mut argument) = ("", "");
        for line in text.lines() {
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
                panic!("{file}: neither case nor comment: {line}");
            };
            let (input, expected) = (unescape(input), unescape(expected));
            let result = perform(operation, argument, &input).unwrap_or_else(refusal);
            cases += 1;
            if result != expected {
                failures.push(format!(
                    "{file}: {operation} {argument} {input} => {result}, not {expected}"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {cases} failed:\n{}", failures.len(), failures.join("\n"));
    assert!(cases >= 900, "only {cases} cases were read");
}

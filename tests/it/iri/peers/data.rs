//! `url`: hosts and http resolution; and the data that peers ship, read where cargo puts it.

use std::path::PathBuf;
use std::process::Command;

use linksift::iri::{ErrorKind, Iri, IriRef, NormalizationLevel};

use super::classes::{Class, Tally};
use super::generate::Random;
use super::parsers::rounds;

/// Where cargo has unpacked a package that this test is built with.
fn package(name: &str) -> PathBuf {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("UTF-8");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    // The packages of other platforms need not be there.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", host])
        .arg("--manifest-path")
        .arg(crate::root().join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    let found = packages.iter().find(|package| package["name"] == name);
    let manifest = found.and_then(|package| package["manifest_path"].as_str());
    let manifest = manifest.unwrap_or_else(|| panic!("no package {name}"));
    PathBuf::from(manifest).parent().expect("a folder").to_owned()
}

/// What becomes of a target with us: its URI in the normal form of the scheme's rung, or why not.
fn ours(target: &str) -> Result<String, ErrorKind> {
    let iri = Iri::parse(target).map_err(|error| error.kind())?;
    iri.check_scheme().map_err(|error| error.kind())?;
    let uri = iri.to_uri().map_err(|error| error.kind())?;
    Ok(Iri::parse(&uri).map_err(|error| error.kind())?.normalize_to(NormalizationLevel::Scheme))
}

/// What `url` makes of it, in the same normal form.
fn theirs(base: Option<&str>, reference: &str) -> Result<String, String> {
    let joined = match base {
        Some(base) => url::Url::parse(base).and_then(|base| base.join(reference)),
        None => url::Url::parse(reference),
    };
    let url = joined.map_err(|error| error.to_string())?;
    let iri = Iri::parse(url.as_str()).map_err(|error| format!("{url}: {error}"))?;
    Ok(iri.normalize_to(NormalizationLevel::Scheme))
}

fn special(iri: &Iri<'_>) -> bool {
    ["http", "https", "ws", "wss", "ftp"].iter().any(|s| iri.scheme().eq_ignore_ascii_case(s))
}

/// Triplets away, so that what remains is structure.
fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let digits = bytes.get(i + 1..i + 3).and_then(|d| std::str::from_utf8(d).ok());
        match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(octet) if bytes[i] == b'%' => {
                out.push(octet);
                i += 3;
            }
            _ => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Compares with `url` where both have something to say: `Some` is a disagreement and its class.
fn compare(base: Option<&str>, reference: &str) -> Option<(Option<Class>, String)> {
    let parsed = IriRef::parse(reference).ok()?;
    let target = match base {
        Some(base) => Iri::parse(base).ok()?.resolve(&parsed),
        None => parsed.to_iri()?.as_str().to_owned(),
    };
    let iri = Iri::parse(&target).ok()?;
    if !special(&iri) {
        return None;
    }
    let base_iri = base.and_then(|base| Iri::parse(base).ok());
    let (our, their) = (ours(&target), theirs(base, reference));
    let text = format!("{reference} {base:?}: {our:?}, {their:?}");
    let triplet_dots =
        |t: &str| t.to_ascii_lowercase().contains("%2e") || t.contains("/./") || t.contains("/..");
    // `http:g` where the base is http too, or `http:///g` and `///g`.
    let loose = parsed.scheme().is_some() && parsed.authority().is_none();
    let slashes = |iri: &IriRef<'_>| iri.host() == Some("") || iri.path().starts_with("//");
    let future = |iri: &Iri<'_>| {
        iri.host().is_some_and(|host| host.starts_with("[v") || host.starts_with("[V"))
    };
    let number = |iri: &Iri<'_>| {
        let host = iri.host().unwrap_or_default();
        let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
        let hexadecimal = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
        hexadecimal.is_some() || last.bytes().all(|b| b.is_ascii_digit())
    };
    let bare_userinfo = |iri: &Iri<'_>| {
        iri.userinfo().is_some_and(|userinfo| userinfo.is_empty() || userinfo.ends_with(':'))
    };
    let drive = |iri: &Iri<'_>| {
        let letter =
            |s: &str| s.len() == 2 && s.as_bytes()[0].is_ascii_alphabetic() && s.ends_with(':');
        iri.path().split('/').any(letter)
    };
    let class = match (&our, &their) {
        (Ok(a), Ok(b)) if a == b => return None,
        (Err(_), Err(_)) => return None,
        _ if loose || base_iri.is_some_and(|b| b.authority().is_none()) => {
            Some(if base.is_some() { Class::UrlLooseScheme } else { Class::UrlNoAuthority })
        }
        (Err(ErrorKind::SchemeHostIpv4), Ok(_)) => Some(Class::UrlNumbers),
        (Err(ErrorKind::HostLabel | ErrorKind::HostTooLong), Ok(_)) => Some(Class::UrlLengths),
        (Err(ErrorKind::SchemePort), Ok(_)) => Some(Class::UrlPort),
        (Err(ErrorKind::SchemeFragment | ErrorKind::SchemeUserinfo), Ok(_)) => {
            Some(Class::UrlScheme)
        }
        (Err(ErrorKind::SchemeHost | ErrorKind::SchemeAuthority), Ok(_)) => Some(Class::UrlSlashes),
        _ if slashes(&parsed) || base_iri.is_some_and(|b| slashes(&b)) => Some(Class::UrlSlashes),
        (Err(ErrorKind::HostInvalidIdna | ErrorKind::HostNotUtf8), Ok(_)) => {
            Some(Class::UrlHostCharacters)
        }
        (Ok(_), Err(_)) if future(&iri) || base_iri.is_some_and(|b| future(&b)) => {
            Some(Class::UrlFuture)
        }
        (Ok(_), _) if number(&iri) => Some(Class::UrlNumbers),
        (Ok(_), Err(_)) => None,
        (Ok(_), Ok(_)) if bare_userinfo(&iri) => Some(Class::UrlUserinfo),
        (Ok(_), Ok(_)) if triplet_dots(reference) || base.is_some_and(triplet_dots) => {
            Some(Class::UrlDotTriplets)
        }
        (Ok(_), Ok(_)) if base_iri.is_some_and(|b| drive(&b)) => Some(Class::UrlDriveLetters),
        (Ok(a), Ok(b)) if decoded(a) == decoded(b) => Some(Class::UrlEscapes),
        _ => None,
    };
    Some((class, text))
}

#[test]
fn hosts_and_http_resolution_of_url() {
    let mut random = Random::new(0x0521);
    let mut tally = Tally::default();
    let mut text = String::new();
    let mut base = String::from("http://e.example/b/c/d;p?q");
    for _ in 0..rounds(40_000) {
        random.text(&mut text);
        if random.below(6) == 0
            && Iri::parse(&text).is_ok_and(|iri| special(&iri) && ours(&text).is_ok())
        {
            base.clone_from(&text);
        }
        for base in [None, Some(base.as_str())] {
            if let Some((class, example)) = compare(base, &text) {
                tally.count(class, || example.clone());
            }
        }
    }
    tally.settle();
}

#[test]
fn cases_of_url() {
    let path = package("url").join("tests/urltestdata.json");
    let file = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let data: serde_json::Value = serde_json::from_slice(&file).expect("it is JSON");
    let (mut cases, mut same) = (0, 0);
    let mut tally = Tally::default();
    for case in data.as_array().expect("a list") {
        let Some(input) = case["input"].as_str() else { continue };
        let base = case["base"].as_str().filter(|base| *base != "about:blank");
        // What is no IRI reference is no case of ours, but what fails there must not pass unseen.
        if IriRef::parse(input).is_err() || base.is_some_and(|base| Iri::parse(base).is_err()) {
            continue;
        }
        cases += 1;
        match compare(base, input) {
            None => same += 1,
            Some((class, example)) => tally.count(class, || example.clone()),
        }
    }
    eprintln!("{cases} cases of urltestdata.json apply, {same} agree");
    tally.settle();
    assert!(cases > 300);
}

#[test]
fn real_pairs_of_oxiri() {
    let path = package("oxiri").join("benches/relative_urls_cc_10k.csv");
    let file = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (mut pairs, mut resolved) = (0, 0);
    let mut tally = Tally::default();
    for line in file.lines().skip(1) {
        let Some((base, reference)) = line.split_once(',') else { continue };
        let (base, reference) = (base.trim_matches('"'), reference.trim_matches('"'));
        pairs += 1;
        let peer = oxiri::Iri::parse(base).ok().zip(oxiri::IriRef::parse(reference).ok());
        let our = Iri::parse(base).ok().zip(IriRef::parse(reference).ok());
        assert_eq!(our.is_some(), peer.is_some(), "{line}");
        let (Some((base_iri, our)), Some((peer_base, peer))) = (our, peer) else { continue };
        resolved += 1;
        let target = base_iri.resolve(&our);
        assert_eq!(
            peer_base.resolve(&peer).map(oxiri::Iri::into_inner).ok().as_ref(),
            Some(&target),
            "{line}"
        );
        // And back again.
        let parsed = Iri::parse(&target).expect("targets are IRIs");
        if let Some(back) = base_iri.relativize(&parsed) {
            assert_eq!(base_iri.resolve(&IriRef::parse(&back).expect("a reference")), target);
        }
        if let Some((class, example)) = compare(Some(base), reference) {
            tally.count(class, || example.clone());
        }
    }
    eprintln!("{resolved} of {pairs} real pairs are IRIs; each target is oxiri's");
    tally.settle();
    assert!(resolved > 9_000);
}

//! False alarms: what real internationalized hosts get, and all internationalized top-level domains.

use linksift::{Finder, Hints, Severity, Warning, trust};

/// Those that are suspect all the same, each read. None is without a reason: what is here is the price of a rule.
const ALARMS: &[(&str, &str)] = &[];

#[test]
fn fewer_than_one_in_a_hundred_hosts_is_suspect() {
    let hosts: Vec<&str> = include_str!("../../../fixtures/trust/hosts.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let is_suspect =
        |host: &str| trust::host(host).warnings().severity() >= Some(Severity::Suspect);
    let found: Vec<(&str, &str)> = hosts
        .iter()
        .filter(|host| is_suspect(host))
        .map(|host| (*host, trust::host(host).warnings().iter().next().unwrap().as_str()))
        .collect();
    assert_eq!(found, ALARMS);
    assert!(hosts.len() >= 400 && found.len() * 100 < hosts.len());
}

#[test]
fn no_top_level_domain_is_suspect() {
    let table = include_str!("../../../src/generated/tld_list.rs");
    let names: Vec<&str> = table.split('"').filter(|name| name.starts_with("xn--")).collect();
    assert!(names.len() > 140, "{}", names.len());
    for name in names {
        let found = trust::host(&format!("example.{name}"));
        assert!(found.warnings().severity() < Some(Severity::Suspect), "{name} {found:?}");
    }
}

/// What browsers read as a number at the end of a host is an IPv4 address of four plain decimal numbers, or no link.
#[test]
fn addresses_in_disguise_are_no_links_of_running_text() {
    let reasons = |text: &str| -> Vec<Option<String>> {
        let found = Finder::new();
        let candidates = found.candidates(text);
        candidates.map(|c| c.rejected().map(|r| r.reason().as_str().to_owned())).collect()
    };
    for text in [
        "http://0x7f000001/",
        "https://0xa9fea9fe/latest",
        "http://0X7f000001:8080/x",
        "http://0x/",
        "http://net.0x7f/",
        "http://a.0x7f./",
        "http://203.0.113.9./",
        "http://0ｘ7f/",
        "http://1.０x7f/",
        "ws://0x7f",
    ] {
        assert_eq!(reasons(text), [Some("host-ipv4".to_owned())], "{text}");
    }
    for text in ["http://0x7g/", "http://0x7f.example/", "http://x0/", "http://203.0.113.9."] {
        assert_eq!(reasons(text), [None], "{text}");
    }
}

/// User information before the colons of a decentralized identifier, which are encoded elsewhere.
#[test]
fn identifiers_have_no_user_information() {
    let finder = Finder::new();
    for text in ["at://did:plc:é@a@b.com/", "at://did:ab:é@x@y.com"] {
        let found: Vec<_> = finder.candidates(text).collect();
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].rejected().map(|r| r.reason().as_str()), Some("userinfo"), "{text}");
    }
    // The identifier of a message, in Apple Mail.
    let text = "message://%3cAB.C@example.com%3e";
    assert_eq!(finder.links(text).next().map(|link| link.warnings().iter().count()), Some(0));
    let page = "<a href='at://did:plc:ー.j@www.a.tesаt.com'>x</a>";
    let mut found = finder.document(page.as_bytes(), &Hints::new()).unwrap();
    assert!(found.all(|candidate| candidate.range().end < page.len()));
}

/// White space and invisible characters in the text of a link take no place of text.
#[test]
fn blanks_do_not_hide_the_text_of_a_link() {
    let finder = Finder::new();
    for blank in [
        " ",
        "\n\t",
        "&#8203;",
        "&nbsp;",
        "&ZeroWidthSpace;",
        "\u{200B}",
        "\u{A0}",
        "<b> </b>",
        "<i>&shy;</i>",
    ] {
        for count in [1, 80, 600] {
            for front in ["", "go to "] {
                let blanks = blank.repeat(count.min(6_000 / blank.len()));
                let page =
                    format!("<a href='https://evil.test/'>{front}{blanks}https://bank.com/</a>");
                let found: Vec<_> =
                    finder.document(page.as_bytes(), &Hints::new()).unwrap().links().collect();
                assert!(found[0].warnings().contains(Warning::TextMismatch), "{page:.60}");
            }
        }
    }
}

//! False alarms: what real internationalized hosts get, and all internationalized top-level domains.

use linksift::{Severity, trust};

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

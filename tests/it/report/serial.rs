//! Serde: what a program gets that hands links, candidates and settings to a serializer.

use linksift::iri::{IriBuf, Scheme};
use linksift::report::Record;
use linksift::{Charset, Finder, Format, Hints, LinkKind, Severity, Warning, Warnings};
use serde_json::{Value, from_value, json, to_string, to_value};

#[test]
fn a_link_is_an_object_of_what_there_is_to_say() {
    let bytes = "zwei\n見て http://例え.jp/パス。".as_bytes();
    let hints = Hints::new().positions(true);
    let link = Finder::new().document(bytes, &hints).unwrap().links().next().unwrap();
    let value = json!({ "found": link });
    assert_eq!(
        value["found"],
        json!({
            "start": 12, "end": 35, "line": 2, "column": 8, "kind": "iri", "context": "text",
            "charset": "utf-8", "raw": "http://例え.jp/パス", "iri": "http://例え.jp/パス",
            "uri": "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9", "host": "xn--r8jz45g.jp",
            "member": null, "part": null, "source": null, "page": null, "object": null, "warnings": [],
        }),
    );
}

#[test]
fn a_link_is_its_record_without_the_path() {
    for text in ["http://a.example/?q=\"x\\", "a@例え.jp", "http://раураl.com/", "www.x.com:80/"]
    {
        let link = linksift::links(text).next().unwrap();
        let mut record = Vec::new();
        Record::link("p", &link).push_json(&mut record);
        let mut record: Value = serde_json::from_slice(&record).unwrap();
        assert_eq!(record.as_object_mut().unwrap().remove("path"), Some("p".into()));
        assert_eq!(to_value(&link).unwrap(), record, "{text}");
        // Fields come in the order of the record.
        assert!(to_string(&link).unwrap().starts_with(r#"{"member":null,"part":null,"#), "{text}");
    }
}

#[test]
fn a_rejected_candidate_says_why_and_has_no_uri() {
    let finder = Finder::new();
    let rejected =
        finder.candidates("see http://256.1.1.1/").next().unwrap().into_result().unwrap_err();
    let value = to_value(&rejected).unwrap();
    assert_eq!((&value["rejected"], &value["start"]), (&"host-ipv4".into(), &4.into()));
    assert_eq!((value.get("uri"), value.get("path")), (Some(&Value::Null), None));
}

#[test]
fn warnings_are_a_list_of_codes() {
    let link = linksift::links("http://раураl.com/").next().unwrap();
    let codes: Vec<String> = link.warnings().iter().map(|one| one.as_str().to_owned()).collect();
    assert!(!codes.is_empty());
    assert_eq!(to_value(link.warnings()).unwrap(), json!(codes));
    assert_eq!(to_value(&link).unwrap()["warnings"], json!(codes));
    assert_eq!(to_value(Warnings::default()).unwrap(), json!([]));
}

#[test]
fn words_are_written_and_read_and_others_are_errors() {
    assert_eq!(to_value(Format::Auto).unwrap(), json!("auto"));
    assert_eq!(from_value::<Format>(json!("auto")).unwrap(), Format::Auto);
    assert_eq!(from_value::<LinkKind>(json!("schemeless")).unwrap(), LinkKind::Schemeless);
    for warning in Warning::ALL {
        let value = to_value(warning).unwrap();
        assert_eq!(value, json!(warning.as_str()));
        assert_eq!(from_value::<Warning>(value).unwrap(), *warning);
    }
    for severity in Severity::ALL {
        assert_eq!(from_value::<Severity>(to_value(severity).unwrap()).unwrap(), *severity);
    }
    assert!(from_value::<Format>(json!("htlm")).is_err());
    assert!(from_value::<Format>(json!(1)).is_err());

    let charset: Charset = from_value(json!("latin1")).unwrap();
    assert_eq!(to_value(charset).unwrap(), json!("windows-1252"));
    assert!(from_value::<Charset>(json!("latin-99")).is_err());
    let iri: IriBuf = from_value(json!("http://例え.jp/")).unwrap();
    assert_eq!(to_value(&iri).unwrap(), json!("http://例え.jp/"));
    assert!(from_value::<IriBuf>(json!("not an iri")).is_err());
    assert_eq!(to_value(from_value::<Scheme>(json!("geo")).unwrap()).unwrap(), json!("geo"));
    assert!(from_value::<Scheme>(json!("ht tp")).is_err());
}

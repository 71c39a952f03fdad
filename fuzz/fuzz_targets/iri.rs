//! The laws of the module `iri`: what is mapped is valid and is mapped to itself, normal forms are fixed points.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linksift::iri::{Iri, IriRef};

fuzz_target!(|data: &str| {
    let (text, reference) = data.split_once('\n').unwrap_or((data, ""));
    let Ok(iri) = Iri::parse(text) else { return };
    if let Ok(uri) = iri.to_uri() {
        assert!(uri.is_ascii(), "{uri}");
        let again = Iri::parse(&uri).expect("a URI is an IRI");
        assert_eq!(again.to_uri().expect("a URI maps to itself"), uri);
    }
    let normal = iri.normalize().to_string();
    if let Ok(again) = Iri::parse(&normal) {
        assert_eq!(again.normalize().to_string(), normal);
    }
    if let Ok(reference) = IriRef::parse(reference) {
        let resolved = iri.resolve(&reference);
        assert!(Iri::parse(&resolved).is_ok(), "{resolved}");
    }
});

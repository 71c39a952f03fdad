//! What documents declare, beside the tests of html5lib for "prescan a byte stream to determine its
//! encoding".

use std::ops::ControlFlow;

use linksift::{CharsetSource, Detected, Finder, Format, Hints};

/// A document, and the label of what it should be decoded from.
struct Case {
    place: String,
    data: Vec<u8>,
    label: String,
}

fn cases(name: &str) -> Vec<Case> {
    let text = crate::beside::bytes(&format!("html5lib/{name}"));
    let mut cases: Vec<Case> = Vec::new();
    let mut in_data = false;
    for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if line == b"#data" {
            in_data = true;
            let place = format!("{name}:{}", number + 1);
            cases.push(Case { place, data: Vec::new(), label: String::new() });
        } else if line == b"#encoding" {
            in_data = false;
        } else if let Some(case) = cases.last_mut() {
            if in_data {
                case.data.extend_from_slice(line);
                case.data.push(b'\n');
            } else if case.label.is_empty() {
                case.label = String::from_utf8(line.to_vec()).unwrap().to_ascii_lowercase();
            }
        }
    }
    // The line feed before `#encoding` is not the document's.
    for case in &mut cases {
        case.data.pop();
    }
    cases
}

/// Where nothing is declared, the suite expects the default of browsers; here it is whatever the
/// content is then.
fn answer(data: &[u8]) -> String {
    match Detected::of(data) {
        Ok(found) if found.source() == CharsetSource::Declared => {
            found.charset().as_str().to_owned()
        }
        Ok(found) if found.source() == CharsetSource::Bom => found.charset().as_str().to_owned(),
        Ok(_) => "windows-1252".to_owned(),
        Err(refused) => refused.to_string(),
    }
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn html5lib_says_the_same() {
    for (name, least) in [("tests1.dat", 50), ("tests2.dat", 20)] {
        let cases = cases(name);
        assert!(cases.len() >= least, "{name}: {} cases", cases.len());
        let wrong: Vec<_> = cases
            .iter()
            .map(|case| (case, answer(&case.data)))
            .filter(|(case, answer)| *answer != case.label)
            .map(|(case, answer)| format!("{}: {answer}, not {}", case.place, case.label))
            .collect();
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    }
}

/// However a document is known to be HTML, its declaration counts behind text too.
#[test]
fn a_page_that_is_known_to_be_one_may_begin_with_text() {
    let page = b"ab <meta charset=koi8-r><a href=\"http://o.example/\xD6\xD0\">";
    let finder = Finder::new();
    let read = |hints: &Hints| {
        let in_memory = finder.document(page, hints).unwrap().links().next().unwrap().into_owned();
        let mut streamed = Vec::new();
        finder
            .scan_reader(&page[..], hints, |event| {
                streamed.extend(event.link().map(|link| link.raw().to_owned()));
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(streamed, [in_memory.raw()]);
        (in_memory.charset().as_str(), in_memory.raw().to_owned())
    };
    for hints in [
        Hints::new().format(Format::Html),
        Hints::new().declared(Format::Html),
        Hints::new().media_type("text/html"),
        Hints::new().name("a.html"),
    ] {
        assert_eq!(read(&hints), ("koi8-r", "http://o.example/жп".to_owned()), "{hints:?}");
    }
    for hints in [Hints::new(), Hints::new().name("a.rst"), Hints::new().format(Format::Text)] {
        assert_ne!(read(&hints).0, "koi8-r", "{hints:?}");
    }
}

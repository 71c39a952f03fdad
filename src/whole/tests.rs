use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::{DocumentParser, WholeEvent, WholeScanner};
use crate::context::KnownContext;
use crate::detect::document::{Format, Hints};
use crate::document::finder::Finder;
use crate::limits;
use crate::link::body;
use crate::notice::Notice;
use crate::piece::{DocumentPiece, PieceContent};

static PLACE: KnownContext = KnownContext::other("made:text");

fn piece(number: u64, content: PieceContent) -> DocumentPiece {
    let object = format!("{number} 0").into();
    DocumentPiece { object, page: Some(number), context: (&PLACE).into(), content }
}

/// What the pieces are scanned to: place, context, text, range; and the notices. `opens` is whether the receiver opens files.
fn scanned(
    pieces: impl IntoIterator<Item = DocumentPiece>,
    hints: &Hints,
    opens: bool,
) -> (Vec<String>, Vec<Notice>) {
    let finder = Finder::new();
    let parser = DocumentParser::Made(VecDeque::from_iter(pieces));
    let mut scanner = WholeScanner::of(&finder, hints, parser);
    let mut found = Vec::new();
    let flow = scanner.run(&mut |event| {
        match event {
            WholeEvent::Judged(judged) => {
                let link = judged.unwrap();
                found.push(format!(
                    "{:?} {:?} {:?} {:?} {} {:?}",
                    link.member(),
                    link.page(),
                    link.object(),
                    body(&Ok(link.clone())).context.kind(),
                    link.uri(),
                    link.range()
                ));
                found.extend(link.text_host().map(|host| format!("shown {host}")));
            }
            WholeEvent::File(file) => {
                found.push(format!("file {}", String::from_utf8_lossy(file.name)));
                file.is_done.set(opens);
            }
            #[cfg(feature = "office")]
            WholeEvent::Message(_) => found.push("message".to_owned()),
            WholeEvent::Unread => found.push("unread".to_owned()),
        }
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    (found, scanner.notices().to_vec())
}

fn value(text: &str, base: Option<&str>, shown: Option<&str>) -> PieceContent {
    PieceContent::Value {
        text: text.to_owned(),
        base: base.map(Into::into),
        shown: shown.map(str::to_owned),
    }
}

#[test]
fn each_content_becomes_links_at_its_place() {
    let html = b"<a href='http://e.com/\xE9'>x</a>".to_vec();
    let charset = "latin1".parse().ok();
    let pieces = [
        piece(1, value("b c", Some("http://e.com/a/"), None)),
        piece(2, value("http://evil.example/", None, Some("www.bank.com"))),
        piece(3, PieceContent::Text("see example.com".to_owned())),
        piece(4, PieceContent::Markup { bytes: html, format: Format::Html, charset }),
    ];
    let (found, notices) = scanned(pieces, &Hints::new(), true);
    assert_eq!(
        found,
        [
            r#"None Some(1) Some("1 0") Other http://e.com/a/b%20c 0..3"#,
            r#"None Some(2) Some("2 0") Other http://evil.example/ 0..20"#,
            "shown www.bank.com",
            r#"None Some(3) Some("3 0") Other https://example.com 4..15"#,
            r#"None Some(4) Some("4 0") Anchor http://e.com/%C3%A9 9..23"#,
        ]
    );
    assert_eq!(notices, []);
}

#[test]
fn a_file_is_scanned_unless_its_receiver_opens_it() {
    let file = |name: &str, bytes: &[u8]| {
        piece(1, PieceContent::File { name: name.to_owned(), bytes: bytes.to_vec() })
    };
    let pieces = || [file("a.txt", b"see example.com"), file("b.gz", b"\x1F\x8B\x08\0")];
    let (found, notices) = scanned(pieces(), &Hints::new(), false);
    let link = r#"Some("a.txt") None None Text https://example.com 4..15"#;
    assert_eq!(found, ["file a.txt", link, "file b.gz"]);
    assert_eq!(notices, [Notice::AttachmentUnread]);
    let (found, notices) = scanned(pieces(), &Hints::new(), true);
    assert_eq!((found.join(" "), notices), ("file a.txt file b.gz".to_owned(), Vec::new()));
    let mut deep = Hints::new();
    deep.around.depth = limits::NESTED_DOCUMENTS;
    let (found, notices) = scanned(pieces(), &deep, false);
    assert_eq!((found, notices), (Vec::new(), vec![Notice::TooDeep]));
}

#[test]
fn text_is_not_searched_where_only_values_are_wanted() {
    let text = piece(1, PieceContent::Text("see example.com".to_owned()));
    let pieces = [text, piece(2, value("http://e.com/", None, None))];
    let (found, _) = scanned(pieces, &Hints::new().text(false), true);
    assert_eq!(found, [r#"None Some(2) Some("2 0") Other http://e.com/ 0..13"#]);
}

#[test]
fn links_have_a_budget_for_repeated_bases_that_grows_with_their_texts() {
    let base = format!("http://e.com/{}/", "a".repeat(4_000));
    let many = |count: u64| (0..count).map(|number| piece(number, value("b", Some(&base), None)));
    let finder = Finder::new();
    let mut scanner =
        WholeScanner::of(&finder, &Hints::new(), DocumentParser::Made(many(40).collect()));
    let mut rejected = 0;
    let _ = scanner.run(&mut |event| {
        if let WholeEvent::Judged(judged) = event {
            rejected += usize::from(judged.is_err());
            assert_eq!(body(&judged).raw, "b");
        }
        ControlFlow::Continue(())
    });
    assert!(rejected > 20, "{rejected}");
    assert_eq!(scanner.notices(), [Notice::Repeated]);
}

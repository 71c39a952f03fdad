//! Tests of the edited texts, and of the source of each byte.

use super::*;

fn edited(reading: &LeafFormat, source: &str) -> String {
    let mut out = EditedText::default();
    if !edit(reading, WrappedLinks::Joined, source.as_bytes(), &mut out) {
        return source.to_owned();
    }
    let mut last = 0;
    for (at, byte) in out.text.iter().enumerate() {
        let from = out.source(at);
        assert!(at == 0 || from > last, "{source:?} {at}");
        last = from;
        let was = source.as_bytes()[from];
        assert!(was == *byte || matches!(byte, b'\n' | b' '), "{source:?} {at}: {was} {byte}");
    }
    String::from_utf8(out.text).unwrap()
}

const TEXT: LeafFormat = LeafFormat::Text { delsp: false };

#[test]
fn links_in_angle_brackets_are_joined() {
    for (source, wanted) in [
        ("<http://e/one\r\n  two>", "<http://e/onetwo>"),
        ("> <http://e/a\n> b>", "> <http://e/ab>"),
        ("> <http://e/a\nb>", "> <http://e/a\nb>"),
        (">> <http://e/a\n> > b>", ">> <http://e/ab>"),
        ("<URL:http://e/a\nb>", "<URL:http://e/ab>"),
        ("Joe> <http://e/a/\nJoe> b>", "Joe> <http://e/a/b>"),
        ("> AB> see <http://e/a/\n> AB> b> x", "> AB> see <http://e/a/b> x"),
        ("Joe> <http://e/a/\nb>", "Joe> <http://e/a/\nb>"),
        ("<http://e/a/\nJoe> b>", "<http://e/a/\nJoe> b>"),
        ("<http://e/a/\nJoe> <b>", "<http://e/a/Joe> <b>"),
        ("<http://e/a/\ndocs> -> next", "<http://e/a/docs> -> next"),
        ("<http://e/a/\nDocs> -> next", "<http://e/a/Docs> -> next"),
        ("<http://e/a/\nabc> if x > y", "<http://e/a/abc> if x > y"),
        ("<http://e/a/\nAbc> if x > y", "<http://e/a/Abc> if x > y"),
        ("<http://e/a/\nlong> b>", "<http://e/a/long> b>"),
        ("<http://e/a-\nb>", "<http://e/a-b>"),
        ("<http://e/a b\nc>", "<http://e/a b\nc>"),
        ("<http://e/a and more>", "<http://e/a and more>"),
        ("<http://e/a\nb \n>", "<http://e/ab>"),
        ("<http://e/a http://e/b\nc>", "<http://e/a http://e/b\nc>"),
        ("<http://e/a\n\nb>", "<http://e/a\n\nb>"),
        ("<http://e/a\n<b>", "<http://e/a\n<b>"),
        ("<http://e/a\n>", "<http://e/a>"),
        ("x < y: z\n>", "x < y: z\n>"),
        ("<http://e/a\nb", "<http://e/a\nb"),
    ] {
        assert_eq!(edited(&TEXT, source), wanted, "{source:?}");
    }
    let mut out = EditedText::default();
    assert!(!edit(&TEXT, WrappedLinks::Left, b"<http://e/a\nb>", &mut out));
}

#[test]
fn signed_and_armoured_text() {
    let source = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: x\n\n<http://e/a\n- -b>\n\
                  -----BEGIN PGP SIGNATURE-----\nComment: http://e/c\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\nx";
    let wanted = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: x\n\n<http://e/a-b>\n\
                  -----BEGIN PGP SIGNATURE-----\nComment: http://e/c\n\n-----END PGP SIGNATURE-----\nx";
    assert_eq!(edited(&TEXT, source), wanted);
    let source = "a\nbegin 644 x\n#0V%T\n`\nend\nb <http://e/\nc>";
    assert_eq!(edited(&TEXT, source), "a\nbegin 644 x\nend\nb <http://e/c>");
    let source = "=ybegin line=1\nx\x01y\n=yend size=3\nz";
    assert_eq!(edited(&TEXT, source), "=ybegin line=1\n=yend size=3\nz");
}

#[test]
fn flowed_lines_are_joined_at_the_same_depth() {
    let flowed = LeafFormat::Text { delsp: true };
    for (source, wanted) in [
        ("http://e/a \nb", "http://e/ab"),
        ("> http://e/a \r\n> b", "> http://e/ab"),
        ("> a \n>> b", "> a \n>> b"),
        ("-- \nb", "-- \nb"),
        ("a \n-- \nb", "a \n-- \nb"),
        (" a  \n  b", " a  b"),
        ("a ", "a "),
    ] {
        assert_eq!(edited(&flowed, source), wanted, "{source:?}");
    }
}

#[test]
fn commands_of_enriched_text() {
    let source = "<bold>http://e/a</bold>b <param>red</param>c <<d> x<y";
    let wanted = "\n     http://e/a\n      b \n                 c  <d> x<y";
    assert_eq!(edited(&LeafFormat::Enriched, source), wanted);
    let hostile = "<param>".repeat(100_000);
    let wanted = "\n      ".repeat(100_000);
    assert_eq!(edited(&LeafFormat::Enriched, &hostile), wanted);
}

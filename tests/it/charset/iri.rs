//! Documents in legacy charsets and the URIs that their links map to: RFC 3987 §3.1 with Form C, and
//! the http query in the document's charset (draft-ietf-iri-3987bis-07 §3.5). The cases of the paper
//! "Internationalized Resource Identifiers" of 2001, its tables 1 and 2, are here under their names.
use linksift::Format;
use linksift::iri::HostMapping;
use linksift::{Candidate, Charset, Finder, Hints, Link};

/// A document of which the first link is looked at.
struct Case {
    name: &'static str,
    charset: &'static str,
    document: &'static [u8],
    uri: &'static str,
}

const fn case(
    name: &'static str,
    charset: &'static str,
    document: &'static [u8],
    uri: &'static str,
) -> Case {
    Case { name, charset, document, uri }
}

fn link(finder: &Finder, charset: &str, document: &[u8]) -> Link<'static> {
    let charset: Charset = charset.parse().unwrap();
    let hints = Hints::new().charset(charset);
    let found =
        finder.document(document, &hints).unwrap().next().unwrap_or_else(|| panic!("no link"));
    found.into_link().unwrap().into_owned()
}

fn check(finder: &Finder, cases: &[Case]) {
    let mut wrong = String::new();
    for Case { name, charset, document, uri } in cases {
        let link = link(finder, charset, document);
        if link.uri() != *uri {
            wrong += &format!("{name}: {}, not {uri}\n", link.uri());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Table 1: a URI's octets are those of whatever charset somebody chose. In a query they still are
/// those of the document.
#[test]
fn table_1_of_the_paper_of_2001() {
    #[rustfmt::skip]
    check(&Finder::new(), &[
        case("March in ASCII", "us-ascii", b"http://example.org/?March", "http://example.org/?March"),
        case("M\u{E4}rz in Latin-1", "iso-8859-1", b"http://example.org/?M\xE4rz", "http://example.org/?M%E4rz"),
        case("M\u{E4}rz on a Mac", "macintosh", b"http://example.org/?M\x8Arz", "http://example.org/?M%8Arz"),
        case("M\u{E4}rz in UTF-8", "utf-8", b"http://example.org/?M\xC3\xA4rz", "http://example.org/?M%C3%A4rz"),
        case("M\u{E4}rz in UTF-16", "utf-16be", b"\0h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0?\0M\0\xE4\0r\0z", "http://e.de/?M%C3%A4rz"),
    ]);
}

/// Table 2: an IRI's characters go through UTF-8, whatever the document is in; triplets stay.
#[test]
fn table_2_of_the_paper_of_2001() {
    #[rustfmt::skip]
    check(&Finder::new(), &[
        case("March", "us-ascii", b"http://example.org/March", "http://example.org/March"),
        case("M\u{E4}rz out of UTF-8", "utf-8", b"http://example.org/M\xC3\xA4rz", "http://example.org/M%C3%A4rz"),
        case("M\u{E4}rz out of Latin-1", "iso-8859-1", b"http://example.org/M\xE4rz", "http://example.org/M%C3%A4rz"),
        case("M\u{E4}rz out of a Mac", "macintosh", b"http://example.org/M\x8Arz", "http://example.org/M%C3%A4rz"),
        case("Latin-1, already in triplets", "iso-8859-1", b"http://example.org/M%E4rz", "http://example.org/M%E4rz"),
        case("Mac, already in triplets", "macintosh", b"http://example.org/M%8Arz", "http://example.org/M%8Arz"),
        case("triplets in a query", "macintosh", b"http://example.org/?M%8Arz%e4", "http://example.org/?M%8Arz%e4"),
    ]);
}

/// §3.4 and §3.5, and §6.2's mixed reference, in documents that are not UTF-8.
#[test]
fn components_of_the_successor_draft() {
    #[rustfmt::skip]
    check(&Finder::new(), &[
        case("the host is a name", "iso-8859-1", b"http://r\xE9sum\xE9.example.org", "http://xn--rsum-bpad.example.org"),
        case("a path in UTF-8, as ever", "iso-8859-1", b"http://www.example.org/r\xE9sum\xE9.html", "http://www.example.org/r%C3%A9sum%C3%A9.html"),
        case("a path in triplets, a fragment in characters", "iso-8859-1",
            b"http://www.example.org/r%E9sum%E9.xml#r\xE9sum\xE9", "http://www.example.org/r%E9sum%E9.xml#r%C3%A9sum%C3%A9"),
        case("host, path, query and fragment", "iso-8859-1",
            b"https://r\xE9.example/\xE9?\xE9=\xE9#\xE9", "https://xn--r-bga.example/%C3%A9?%E9=%E9#%C3%A9"),
        case("upper case is a scheme too", "iso-8859-1", b"HTTP://example.org/?\xE9", "HTTP://example.org/?%E9"),
        case("a host without a scheme is https", "iso-8859-1", b"example.org/?\xE9", "https://example.org/?%E9"),
        case("not for ftp", "iso-8859-1", b"ftp://example.org/?\xE9", "ftp://example.org/?%C3%A9"),
        case("not for wss", "iso-8859-1", b"wss://example.org/?\xE9", "wss://example.org/?%C3%A9"),
        case("not for mailto", "iso-8859-1", b"mailto:a@example.org?subject=\xE9", "mailto:a@example.org?subject=%C3%A9"),
        case("not for a document in UTF-16", "utf-16le", b"h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0?\0\xE9\0", "http://e.de/?%C3%A9"),
        case("nor in UTF-8", "utf-8", b"http://example.org/?\xC3\xA9", "http://example.org/?%C3%A9"),
    ]);
    let percent = Finder::builder().host(HostMapping::Percent).build();
    #[rustfmt::skip]
    check(&percent, &[
        case("the host in triplets", "iso-8859-1", b"http://r\xE9sum\xE9.example.org", "http://r%C3%A9sum%C3%A9.example.org"),
        case("and its query", "iso-8859-1", b"http://r\xE9.example.org/?r\xE9", "http://r%C3%A9.example.org/?r%E9"),
    ]);
    let ftp = Finder::builder().default_scheme("ftp".parse().unwrap()).build();
    #[rustfmt::skip]
    check(&ftp, &[
        case("a host without a scheme may be ftp", "iso-8859-1", b"example.org/?\xE9", "ftp://example.org/?%C3%A9"),
    ]);
}

/// The octets of characters of two bytes: what RFC 3986 forbids is a triplet, what it has as a
/// delimiter too, letters and digits are themselves.
#[test]
fn queries_in_east_asian_charsets() {
    #[rustfmt::skip]
    check(&Finder::new(), &[
        case("a backslash as second half", "shift_jis", b"http://example.jp/?\x95\x5C", "http://example.jp/?%95%5C"),
        case("and in a path", "shift_jis", b"http://example.jp/\x95\x5C", "http://example.jp/%E8%A1%A8"),
        case("a letter as second half", "shift_jis", b"http://example.jp/?\x83\x41", "http://example.jp/?%83A"),
        case("a bar, a bracket, an at sign", "shift_jis",
            b"http://example.jp/?\x83\x7C\x83\x5B\x83\x40", "http://example.jp/?%83%7C%83%5B%83@"),
        case("halfwidth katakana", "shift_jis", b"http://example.jp/?\xB6\xC5", "http://example.jp/?%B6%C5"),
        case("one character in two places has one of them", "shift_jis", b"http://example.jp/?\xED\x40", "http://example.jp/?%FA%5C"),
        case("EUC-JP", "euc-jp", b"http://example.jp/?\xC9\xBD=\x8E\xB6", "http://example.jp/?%C9%BD=%8E%B6"),
        case("JIS X 0212 is read and not written", "euc-jp", b"http://example.jp/?\x8F\xB0\xA1", "http://example.jp/?%26%2319970%3B"),
        case("EUC-KR", "euc-kr", b"http://example.kr/?\xC7\xD1\x8C\x63", "http://example.kr/?%C7%D1%8Cc"),
        case("Big5, a backslash as second half", "big5", b"http://example.tw/?\xB3\x5C=\xA5\x5C", "http://example.tw/?%B3%5C=%A5%5C"),
        case("what Hong Kong added is read and not written", "big5", b"http://example.tw/?\x88\x62", "http://example.tw/?%26%23202%3B%26%23772%3B"),
        case("GBK", "gbk", b"http://example.cn/?\xD6\xD0\x81\x40", "http://example.cn/?%D6%D0%81@"),
        case("GBK has one byte for the euro sign", "gbk", b"http://example.cn/?\x80", "http://example.cn/?%80"),
        case("GB18030 has two", "gb18030", b"http://example.cn/?\x80", "http://example.cn/?%A2%E3"),
        case("and four bytes, two of them digits", "gb18030", b"http://example.cn/?\x81\x39\xEE\x39", "http://example.cn/?%819%EE9"),
    ]);
}

/// ISO-2022-JP has states: a query is encoded whole, and ends in ASCII.
#[test]
fn queries_in_iso_2022_jp() {
    #[rustfmt::skip]
    check(&Finder::new(), &[
        case("one character", "iso-2022-jp", b"http://example.jp/?\x1B$BI=\x1B(B", "http://example.jp/?%1B$BI%3D%1B(B"),
        case("state is kept from character to character", "iso-2022-jp",
            b"http://example.jp/?\x1B$BI=I=", "http://example.jp/?%1B$BI%3DI%3D%1B(B"),
        case("a delimiter is ASCII again", "iso-2022-jp",
            b"http://example.jp/?a\x1B$BI=\x1B(B=\x1B$B%=\x1B(B&c", "http://example.jp/?a%1B$BI%3D%1B(B=%1B$B%25%3D%1B(B&c"),
        case("the fragment is not the query's", "iso-2022-jp",
            b"http://example.jp/?\x1B$BI=\x1B(B#\x1B$BI=", "http://example.jp/?%1B$BI%3D%1B(B#%E8%A1%A8"),
    ]);
}

/// What RFC 3987 does not allow in a query goes out in its octets too, as browsers send it; elsewhere it
/// goes through UTF-8.
#[test]
fn characters_that_iris_do_not_have() {
    let cases = [
        (
            "a mark of direction",
            "windows-1256",
            &b"http://e.example/\xC7\xFD?\xC7\xFD\xC7#\xFD"[..],
            "http://e.example/%D8%A7%E2%80%8E?%C7%FD%C7#%E2%80%8E",
        ),
        (
            "and in Hebrew",
            "windows-1255",
            b"http://e.example/?\xE0\xFE\xE1",
            "http://e.example/?%E0%FE%E1",
        ),
        (
            "controls beyond ASCII",
            "windows-1252",
            b"http://e.example/\x81?\x81\xE9",
            "http://e.example/%C2%81?%81%E9",
        ),
        (
            "the same of ISO 8859",
            "iso-8859-2",
            b"http://e.example/?\x80\x9F\xB1",
            "http://e.example/?%80%9F%B1",
        ),
        ("and of KOI8", "koi8-r", b"http://e.example/?\x9A\xC1", "http://e.example/?%9A%C1"),
        (
            "a malformed octet is no character",
            "euc-kr",
            b"http://e.example/?\xC7\xD1\xFF=1",
            "http://e.example/?%C7%D1%26%2365533%3B=1",
        ),
        (
            "of Shift_JIS too",
            "shift_jis",
            b"http://e.example/?\x95\x5C\xFF",
            "http://e.example/?%95%5C%26%2365533%3B",
        ),
        ("private use", "gb18030", b"http://e.example/?\xAA\xA1", "http://e.example/?%AA%A1"),
        (
            "of another charset",
            "shift_jis",
            b"http://e.example/?\xF0\x40",
            "http://e.example/?%26%2357344%3B",
        ),
        (
            "what no charset has",
            "iso-2022-jp",
            b"http://e.example/?\x1B$BI=\x1B(B&#xFFFD;=a",
            "http://e.example/?%1B$BI%3D%1B(B%26%2365533%3B=a",
        ),
        ("of a base", "windows-1256", b"?\xFD", "?%FD"),
        ("not for ftp", "windows-1256", b"ftp://e.example/?\xFD", "ftp://e.example/?%E2%80%8E"),
        (
            "not for mailto",
            "windows-1256",
            b"mailto:a@e.example?subject=\xFD",
            "mailto:a@e.example?subject=%E2%80%8E",
        ),
        (
            "not in Unicode",
            "utf-8",
            b"http://e.example/?\xE2\x80\x8E",
            "http://e.example/?%E2%80%8E",
        ),
    ];
    let mut wrong = String::new();
    for (name, charset, value, uri) in cases {
        let page = [b"<a href='", value, b"'>x</a>"].concat();
        let hints = Hints::new().charset(charset.parse().unwrap()).format(Format::Html);
        let finder = Finder::new();
        let link =
            finder.document(&page, &hints).unwrap().next().and_then(Candidate::into_link).unwrap();
        if link.uri() != uri {
            wrong += &format!("{name}: {}, not {uri}\n", link.uri());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Form C for what comes out of a legacy charset (RFC 3987 §3.1, step 1b); the query's octets are
/// from before it.
#[test]
fn form_c_out_of_legacy_charsets() {
    #[rustfmt::skip]
    let cases = [
        ("the angstrom sign", "shift_jis", &b"http://example.jp/\x81\xF0?\x81\xF0#\x81\xF0"[..],
            "http://example.jp/\u{C5}?\u{C5}#\u{C5}", "http://example.jp/%C3%85?%81%F0#%C3%85"),
        ("a Vietnamese vowel of two bytes", "windows-1258", b"http://example.vn/\xEA\xF2?\xEA\xF2",
            "http://example.vn/\u{1EC7}?\u{1EC7}", "http://example.vn/%E1%BB%87?%EA%F2"),
        ("in a host, where Form C is anyway", "windows-1258", b"http://vi\xEA\xF2t.vn/\xEA\xF2",
            "http://vi\u{1EC7}t.vn/\u{1EC7}", "http://xn--vit-5kz.vn/%E1%BB%87"),
        ("Hebrew points take another order", "windows-1255", b"http://example.co.il/\xF9\xD1\xCC",
            "http://example.co.il/\u{5E9}\u{5BC}\u{5C1}", "http://example.co.il/%D7%A9%D6%BC%D7%81"),
        ("a compatibility ideograph", "euc-kr", b"http://example.kr/\xCB\xD0?\xCB\xD0",
            "http://example.kr/\u{8C48}?\u{8C48}", "http://example.kr/%E8%B1%88?%CB%D0"),
        ("a reference is a character like any other", "iso-8859-1", b"http://example.org/e&#769;?e&#769;",
            "http://example.org/\u{E9}?\u{E9}", "http://example.org/%C3%A9?e%26%23769%3B"),
        ("UTF-8 stays as it is", "utf-8", b"http://example.org/e\xCC\x81", "http://example.org/e\u{301}", "http://example.org/e%CC%81"),
        ("UTF-16 too", "utf-16le", b"h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0e\0\x01\x03", "http://e.de/e\u{301}", "http://e.de/e%CC%81"),
    ];
    let mut wrong = String::new();
    for (name, charset, document, iri, uri) in cases {
        let link = link(&Finder::new(), charset, document);
        if (&*link.iri(), &*link.uri()) != (iri, uri) {
            wrong += &format!("{name}: {} {}, not {iri} {uri}\n", link.iri(), link.uri());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What the charset does not have goes out as a browser's form would send it.
#[test]
fn characters_that_the_charset_lacks() {
    #[rustfmt::skip]
    check(&Finder::new(), &[
        case("a decimal reference", "windows-1251", b"http://example.ru/?q=&#233;", "http://example.ru/?q=%26%23233%3B"),
        case("a hexadecimal one comes out in decimal", "windows-1251", b"http://example.ru/?q=&#xE9;&x", "http://example.ru/?q=%26%23233%3B&x"),
        case("one beyond the BMP", "shift_jis", b"http://example.jp/?&#x1F600;", "http://example.jp/?%26%23128512%3B"),
        case("a reference to what there is", "windows-1251", b"http://example.ru/?q=&#1078;", "http://example.ru/?q=%E6"),
        case("in a path UTF-8 has all", "windows-1251", b"http://example.ru/&#233;", "http://example.ru/%C3%A9"),
        case("the remapped ones", "windows-1251", b"http://example.ru/?&#128;", "http://example.ru/?%88"),
    ]);
}

#[test]
fn queries_in_utf_8_if_that_is_wanted() {
    let finder = Finder::builder().query_charset(false).build();
    #[rustfmt::skip]
    check(&finder, &[
        case("Shift_JIS", "shift_jis", b"http://example.jp/?\x95\x5C", "http://example.jp/?%E8%A1%A8"),
        case("ISO-2022-JP", "iso-2022-jp", b"http://example.jp/?\x1B$BI=\x1B(B", "http://example.jp/?%E8%A1%A8"),
        case("what the charset lacks", "windows-1251", b"http://example.ru/?q=&#233;", "http://example.ru/?q=%C3%A9"),
        case("Form C still", "windows-1258", b"http://example.vn/?\xEA\xF2", "http://example.vn/?%E1%BB%87"),
    ]);
}

/// The query alone has another charset: the IRI is the same, and host and raw text are what they are.
#[test]
fn other_fields_are_not_touched() {
    let link = link(&Finder::new(), "shift_jis", b" http://\x95\x5C.jp/\x95\x5C?\x95\x5C ");
    assert_eq!(link.raw(), "http://表.jp/表?表");
    assert_eq!(link.iri(), "http://表.jp/表?表");
    assert_eq!(link.host().as_deref(), Some("xn--co2a.jp"));
    assert_eq!(link.range(), 1..19);
    assert!(link.warnings().is_empty());
}

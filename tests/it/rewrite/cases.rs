//! Links that are written in each notation, and those that are refused.

use linksift::{Cancel, Charset, Finder, Format, Hints, Link, NotRewritable, NotWritable};

/// Rewrites all links of a document; returns it and the reasons of those that were refused.
fn rewritten(format: Format, document: &[u8], text: &str) -> (Vec<u8>, Vec<NotWritable>) {
    let hints = Hints::new().format(format);
    let made = Finder::new().rewrite(document, &hints, |_| Some(text.to_owned())).unwrap();
    let reasons = made.refused().iter().map(|(_, reason)| *reason).collect();
    (made.into_bytes().into_owned(), reasons)
}

#[test]
fn each_place_has_its_notation() {
    for (format, document, text, wanted) in [
        (
            Format::Html,
            "<a href=http://a.com/>",
            "http://a.com/?b&c='",
            "<a href=http://a.com/?b&amp;c=&#39;>",
        ),
        (
            Format::Html,
            "<a style=\"b:url('c')\">",
            "d'(e)",
            "<a style=\"b:url('d\\&#39;\\(e\\)')\">",
        ),
        (
            Format::Html,
            "<iframe srcdoc='<a href=b>'>",
            "c'&d",
            "<iframe srcdoc='<a href=c&amp;#39;&amp;amp;d>'>",
        ),
        (Format::Xml, "<a href='b'>", "c'&d", "<a href='c&#39;&amp;d'>"),
        (Format::Markdown, "[a](b)", "c_(d", "[a](c_\\(d)"),
        (Format::Markdown, "[a](<b>) c", "d(e)&amp;", "[a](<d(e)&amp;amp;>) c"),
        (
            Format::Rst,
            ".. _a: http://b.com/\n   c\n",
            "http://d.com/c",
            ".. _a: http://d.com/\n   c\n",
        ),
        (Format::Rst, "`a <b/\n  c>`_", "d", "`a <d>`_"),
        (Format::Rst, "`a <b\\_c>`_", "b_d_", "`a <b\\_d\\_>`_"),
        (Format::Json, "[\"<img src='a'>\"]", "b'&", "[\"<img src='b&#39;&amp;'>\"]"),
        (Format::Css, "a{b:url(c)}", "d'(e)", "a{b:url(d\\'\\(e\\))}"),
        (
            Format::Text,
            "see http://a.com/?b&#38;c",
            "http://a.com/?d&#38;c",
            "see http://a.com/?d&#38;#38;c",
        ),
        (Format::Text, "see a.com, b", "c.org/d", "see c.org/d, b"),
        (
            Format::Markdown,
            "[http://a.com/](/c)",
            "http://b.com/d,e",
            "[http://b.com/d,e](http://b.com/d,e)",
        ),
        (Format::Text, "say 'http://a.com/it's'", "http://b.com/it's", "say 'http://b.com/it's'"),
        (Format::Text, "'Tis http://a.com/", "http://a.com/it's", "'Tis http://a.com/it's"),
        (Format::Text, "[see http://a.com/ and]", "http://a.com/b,c", "[see http://a.com/b,c and]"),
        (
            Format::Markdown,
            "\u{FEFF}---\na: http://a.com/\n---",
            "http://a.com/?x&amp;y",
            "\u{FEFF}---\na: http://a.com/?x&amp;y\n---",
        ),
        (
            Format::Text,
            "don't 'b' http://a.com/",
            "http://a.com/it's",
            "don't 'b' http://a.com/it's",
        ),
        (
            Format::Po,
            "msgid \"see http://a.com/ now\"",
            "http://b.com/",
            "msgid \"see http://b.com/ now\"",
        ),
    ] {
        let (bytes, reasons) = rewritten(format, document.as_bytes(), text);
        assert_eq!(
            (String::from_utf8_lossy(&bytes), reasons),
            (wanted.into(), vec![]),
            "{document}"
        );
    }
}

#[test]
fn what_cannot_be_written_is_refused_with_its_reason() {
    for (format, document, text, reason) in [
        (Format::Text, &b"see a.com"[..], "http://a.com/b c", NotWritable::Forbidden),
        (Format::Text, b"see http://a\x1B[1m.com/", "http://b.com/", NotWritable::Pieces),
        (Format::Html, b"<p>http://a.com/<!-- -->b", "http://b.com/", NotWritable::Pieces),
        (
            Format::Xml,
            b"<!DOCTYPE a [<!ENTITY b 'http://a.com/'>]><a href='&b;c'/>",
            "d",
            NotWritable::Notation,
        ),
        (
            Format::Calendar,
            b"BEGIN:VCALENDAR\nURL:http://a.com/\nEND:VCALENDAR",
            "http://b.com/",
            NotWritable::Notation,
        ),
        (Format::Text, b"s:13:\"http://a.com/\";", "http://ab.com/", NotWritable::Length),
        (
            Format::Code,
            b"('s:20:\\\"<b>http://a.com/</b>\\\"', 1)",
            "http://ab.com/",
            NotWritable::Length,
        ),
        (
            Format::Text,
            b"d8:announce13:http://a.com/4:infoi1ee",
            "http://ab.com/",
            NotWritable::Length,
        ),
        (Format::Text, b"see (http://a.com/)", "http://a.com/)", NotWritable::Changed),
        (Format::Csv, b"http://a.com/,b", "http://a.com/b,c", NotWritable::Changed),
        (Format::Code, b"a = 'http://a.com/'", "http://a.com/it's", NotWritable::Changed),
        (Format::Code, b"a = [\n  http://a.com/\n]", "http://a.com/b,c", NotWritable::Changed),
        (Format::Yaml, b"a: [http://a.com/, b]", "http://a.com/b,c", NotWritable::Changed),
        (
            Format::Markdown,
            b"---\nurl: 'http://a.com/'\n---\n",
            "http://a.com/it's",
            NotWritable::Changed,
        ),
        (
            Format::Markdown,
            b"---\nurls: [b, http://a.com/]\n---\n",
            "http://a.com/b,c",
            NotWritable::Changed,
        ),
        (
            Format::Markdown,
            b"+++\na = ['b', 'see http://a.com/']\n+++\n",
            "http://a.com/it's",
            NotWritable::Changed,
        ),
        (Format::Text, b"a = 'see http://a.com/ too'", "http://a.com/it's", NotWritable::Changed),
        (Format::Text, b"a = u'http://a.com/'", "http://a.com/it's", NotWritable::Changed),
        (Format::Text, b"a = 'it\\'s http://a.com/ '", "http://a.com/it's", NotWritable::Changed),
        (Format::Tex, b"\\href{http://a.com/}{b}", "http://a.com/#c", NotWritable::Notation),
    ] {
        let (bytes, reasons) = rewritten(format, document, text);
        assert_eq!((&*bytes, &*reasons), (document, &[reason][..]), "{}", document.escape_ascii());
    }
}

/// Behind a text with a length, or of the same length, links are written.
#[test]
fn texts_with_a_length_are_written_if_it_stays() {
    for (document, text, wanted) in [
        ("s:13:\"http://a.com/\";", "http://b.com/", "s:13:\"http://b.com/\";"),
        ("s:1:\"a\"; http://a.com/", "http://ab.com/", "s:1:\"a\"; http://ab.com/"),
        ("us:x:\"http://a.com/\"", "http://ab.com/", "us:x:\"http://ab.com/\""),
        ("at 12:30: http://a.com/", "http://ab.com/", "at 12:30: http://ab.com/"),
    ] {
        let (bytes, reasons) = rewritten(Format::Text, document.as_bytes(), text);
        assert_eq!((&*String::from_utf8_lossy(&bytes), &*reasons), (wanted, &[][..]));
    }
}

#[test]
fn entities_that_are_not_in_a_link_do_not_refuse_it() {
    let document = "<!DOCTYPE a [<!ENTITY b 'c'>]><a href='http://a.com/?b&amp;c'>&b;</a>";
    let (bytes, reasons) = rewritten(Format::Xml, document.as_bytes(), "http://a.com/?b&d");
    let wanted = document.replace("&amp;c", "&amp;d");
    assert_eq!((&*String::from_utf8_lossy(&bytes), &*reasons), (&*wanted, &[][..]));
}

#[test]
fn a_query_has_no_character_that_the_encoding_lacks() {
    let hints =
        Hints::new().format(Format::Html).charset("windows-1251".parse::<Charset>().unwrap());
    let made = Finder::new()
        .rewrite(b"<a href='http://a.com/b'>", &hints, |_| {
            Some("http://a.com/\u{E9}?\u{E9}".to_owned())
        })
        .unwrap();
    assert_eq!(made.bytes(), b"<a href='http://a.com/&#xE9;?%C3%A9'>");
    assert!(made.refused().is_empty());
}

/// The text of a link that repeats its target changes with it, or would become another link.
/// A host that the scan reads, but not from the text as it is written, is renamed or refused, and not left out.
#[test]
fn each_link_of_a_host_is_renamed_or_refused() {
    for (format, document, wanted) in [
        (Format::Html, "<p>http://old.<wbr>com/a", Err(NotWritable::Pieces)),
        (Format::Html, "<p>http://old.com/a<wbr>b", Ok("<p>http://new.org/a<wbr>b")),
        (Format::Code, r#""https:\/\/old.com\/x""#, Ok(r#""https:\/\/new.org\/x""#)),
        (Format::Text, r#""https:\/\/old.com\/x""#, Ok(r#""https:\/\/new.org\/x""#)),
        (Format::Yaml, r#"a: "https:\/\/old.com\/x""#, Ok(r#"a: "https:\/\/new.org\/x""#)),
        (
            Format::Code,
            r"'http:\x2f\x2fold.com\x2fold.com'",
            Ok(r"'http:\x2f\x2fnew.org\x2fold.com'"),
        ),
        (Format::Code, r"'http:\u002f\u002fold.com'", Ok(r"'http:\u002f\u002fnew.org'")),
        (Format::Code, r"'http:\\/\\/old.com\\/a'", Ok(r"'http:\\/\\/new.org\\/a'")),
        (Format::Code, "'http:&#47;&#47;old.com&#47;a'", Ok("'http:&#47;&#47;new.org&#47;a'")),
        (Format::Code, r"'old.com\/a'", Ok(r"'new.org\/a'")),
        (Format::Html, "<a href='https:/old.com/b'>", Ok("<a href='https:/new.org/b'>")),
        (Format::Html, "<a href='mailto:a%40old.com'>", Ok("<a href='mailto:a%40new.org'>")),
        (
            Format::Vcard,
            "BEGIN:VCARD\nURL:http\\://old.com/1\nEND:VCARD",
            Err(NotWritable::Notation),
        ),
        (
            Format::Xml,
            "<!DOCTYPE a [<!ENTITY o 'old.com'>]><a href='http://&o;/1'/>",
            Err(NotWritable::Notation),
        ),
        (
            Format::Xml,
            "<!DOCTYPE a [<!ENTITY o 'http://old.com/'>]><a href='&o;1'/>",
            Err(NotWritable::Notation),
        ),
        (
            Format::Xml,
            "<!DOCTYPE a [<!ENTITY o 'http://old.com/'>]><a>&o;</a>",
            Err(NotWritable::Notation),
        ),
    ] {
        let hints = Hints::new().format(format).base("http://old.com/".parse().unwrap());
        let made = Finder::new()
            .rewrite(document.as_bytes(), &hints, |link| link.with_host("old.com", "new.org"))
            .unwrap();
        match wanted {
            Ok(wanted) => assert_eq!(std::str::from_utf8(made.bytes()), Ok(wanted)),
            Err(reason) => {
                let refused: Vec<_> = made.refused().iter().map(|(_, reason)| *reason).collect();
                assert_eq!((made.changed(), refused), (0, vec![reason]), "{document}");
            }
        }
    }
    let page = b"<a href='/b'> <a href='c'>";
    let hints = Hints::new().format(Format::Html).base("http://old.com/".parse().unwrap());
    let made = Finder::new().rewrite(page, &hints, |link| link.with_host("old.com", "new.org"));
    assert_eq!(made.unwrap().bytes(), page, "a relative reference has no host");
}

#[test]
fn the_text_of_a_link_is_one_too() {
    for (format, document, wanted) in [
        (
            Format::Html,
            "<a href=http://a.com/>http://a.com/</a>",
            "<a href=http://b.org/>http://b.org/</a>",
        ),
        (Format::Markdown, "[http://a.com/](http://a.com/)", "[http://b.org/](http://b.org/)"),
    ] {
        let (bytes, reasons) = rewritten(format, document.as_bytes(), "http://b.org/");
        assert_eq!((String::from_utf8_lossy(&bytes), reasons), (wanted.into(), vec![]));
    }
}

/// Characters that an encoding lacks: a reference where there are some, else a triplet, and none in a host.
#[test]
fn characters_that_the_encoding_lacks() {
    for (format, document, text, wanted) in [
        (
            Format::Html,
            "<a href='a'>\u{E9}",
            "\u{8868}\u{E9}",
            Ok("<a href='&#x8868;\u{E9}'>\u{E9}"),
        ),
        (
            Format::Json,
            "[\"http://a.com/\u{E9}\"]",
            "http://a.com/\u{8868}",
            Ok("[\"http://a.com/\\u8868\"]"),
        ),
        (
            Format::Css,
            "/* \u{E9} */ a{b:url(c)}",
            "\u{8868}d",
            Ok("/* \u{E9} */ a{b:url(\\8868 d)}"),
        ),
        (
            Format::Text,
            "\u{E9} http://a.com/",
            "http://a.com/\u{8868}\u{E9}",
            Ok("\u{E9} http://a.com/%E8%A1%A8\u{E9}"),
        ),
        (Format::Text, "\u{E9} http://a.com/", "http://\u{8868}.com/", Err(NotWritable::Charset)),
    ] {
        let charset: Charset = "windows-1252".parse().unwrap();
        let bytes = encoding_rs::WINDOWS_1252.encode(document).0;
        let hints = Hints::new().format(format).charset(charset);
        let made = Finder::new().rewrite(&bytes, &hints, |_| Some(text.to_owned())).unwrap();
        let found = match made.refused() {
            [] => Ok(charset.decode(made.bytes())),
            refused => Err(refused[0].1),
        };
        assert_eq!(found, wanted.map(Into::into));
    }
}

#[test]
fn documents_that_are_not_text_are_refused() {
    for (bytes, reason) in [
        (&b"\x89PNG\r\n\x1A\n http://a.com/"[..], NotRewritable::Media),
        (b"PK\x03\x04 http://a.com/", NotRewritable::Archive),
        (b"%PDF-1.7 http://a.com/", NotRewritable::Document),
        (b"SQLite format 3\0 http://a.com/", NotRewritable::Table),
        (b"\0\x01\x02 http://a.com/", NotRewritable::Binary),
        (b"<meta charset=iso-2022-kr><a href=b>", NotRewritable::Undecodable),
        (b"From: a@b.com\nTo: c@d.com\nSubject: e\n\nhttp://a.com/", NotRewritable::Mail),
    ] {
        let found = Finder::new().rewrite(bytes, &Hints::new(), |_| panic!("it is not scanned"));
        assert_eq!(found.map(|made| made.changed()), Err(reason), "{}", bytes.escape_ascii());
    }
}

#[test]
fn a_token_ends_it_before_and_between_its_scans_and_between_links() {
    let page = b"<a href=http://a.com/1></a><a href=http://a.com/2></a>";
    for before in 0..=2 {
        let (cancel, mut calls) = (Cancel::new(), 0);
        if before == 0 {
            cancel.cancel();
        }
        let hints = Hints::new().format(Format::Html).cancel(cancel.clone());
        let found = Finder::new().rewrite(page, &hints, |link| {
            calls += 1;
            if calls == before {
                cancel.cancel();
            }
            link.with_host("a.com", "b.com")
        });
        let found = found.map(|made| made.changed());
        assert_eq!((found, calls), (Err(NotRewritable::Cancelled), before));
    }
    let hints = Hints::new().format(Format::Html).cancel(Cancel::new());
    let made = Finder::new().rewrite(page, &hints, |link| link.with_host("a.com", "b.com"));
    assert_eq!(made.unwrap().changed(), 2);
}

/// Moves the host of all links of a document; returns it and the reasons of those that were refused.
fn moved(format: Format, document: &str) -> (String, Vec<NotWritable>) {
    let hints = Hints::new().format(format);
    let made = Finder::new()
        .rewrite(document.as_bytes(), &hints, |link| link.with_host("old.example", "new.example"))
        .unwrap();
    let reasons = made.refused().iter().map(|(_, reason)| *reason).collect();
    (String::from_utf8(made.into_bytes().into_owned()).unwrap(), reasons)
}

/// Browsers remove, repair or ignore it, so that the IRI does not have it.
#[test]
fn what_an_iri_lacks_stays_where_nothing_changes() {
    for (format, document) in [
        (Format::Html, "<a href='http://old.example/a\nb'>"),
        (Format::Html, "<a href='http://old.example/a\r\n\tb'>"),
        (Format::Html, "<a href='http://old.example/&#10;a&Tab;&eacute;'>"),
        (Format::Html, "<a href='ht\ntp:/\n/\told.example\n/\na'>"),
        (Format::Html, "<a href=' http://old.example/a b%zz\n '>"),
        (Format::Html, "<a href='http:/old.example/a'>"),
        (Format::Html, "<a href='http:old.example/a b'>"),
        (Format::Html, "<a href='http:////old.example/a'>"),
        (Format::Html, "<a href='///old.example/a'>"),
        (Format::Html, "<base href='http://b.example/'><a href='///old.example/a'>"),
        (Format::Html, "<a href='http:\\old.example\\a b\\c'>"),
        (Format::Html, "<a href='\\\\old.example\\a'>"),
        (Format::Html, "<a href='mailto:a@old.example,\nb@old.example?cc=c@old.example\n&amp;x'>"),
        (Format::Html, "<a href='mailto:a@old.example, b@old.example'>"),
        (Format::Html, "<iframe srcdoc='<a href=&quot;http://old.example/a&amp;#10;b&quot;>'>"),
        (Format::Xml, "<a href='http://old.example/a&#xA;b'/>"),
        (Format::Css, "a{b:url('http:/old.example/a\\9 b')}"),
        (Format::Json, "[\"<a href='http://old.example/a\\nb'>\"]"),
        (Format::Markdown, "[a](http:/old.example/a)"),
    ] {
        let wanted = document.replace("old.example", "new.example");
        assert_eq!(moved(format, document), (wanted, vec![]), "{document:?}");
    }
    // What changes has no line end.
    let page = "<a href='http://o\nld.example/a\nb'>";
    assert_eq!(moved(Format::Html, page).0, "<a href='http://new.example/a\nb'>");
    // So it is with a path and a host that both change.
    let hints = Hints::new().format(Format::Html);
    let each = |_: &Link<'_>| Some("http://new.example/ac".to_owned());
    let made =
        Finder::new().rewrite(b"<a href='http://old.example/\na\nb'>", &hints, each).unwrap();
    assert_eq!(made.bytes(), b"<a href='http://new.example/\na\nc'>");
}

/// What `written` gives is what a replacement is compared with.
#[test]
fn the_written_text_of_running_text_is_that_of_its_scan() {
    for (document, written) in [
        (r"see http:\/\/old.example.com\/a now", "http://old.example.com/a"),
        (r"see http://old.example.com/?a\u0026b now", "http://old.example.com/?a&b"),
        (r"see http://old.example.com/a\_b now", "http://old.example.com/a_b"),
        (r"see a\@old.example.com now", "a@old.example.com"),
        ("see http://old.example.com/?a&#38;b now", "http://old.example.com/?a&b"),
        ("see old.example.com/a now", "old.example.com/a"),
        ("see a%41b?c@old.example.com now", "a%41b?c@old.example.com"),
    ] {
        let finder = Finder::new();
        let hints = Hints::new().format(Format::Text);
        let mut texts = Vec::new();
        let made = finder
            .rewrite(document.as_bytes(), &hints, |link| {
                texts.push(link.written().into_owned());
                let moved = link.written().replace("old.example.com", "new.example.com");
                assert_eq!(
                    link.with_host("old.example.com", "new.example.com").as_deref(),
                    Some(&*moved)
                );
                Some(moved)
            })
            .unwrap();
        assert_eq!(texts, [written]);
        let wanted = document.replace("old.example.com", "new.example.com");
        assert_eq!(str::from_utf8(made.bytes()).unwrap(), wanted, "{:?}", made.refused());
        let same = finder.rewrite(document.as_bytes(), &hints, |link| Some(link.written().into()));
        let same = same.unwrap();
        assert_eq!((same.bytes(), same.refused().len()), (document.as_bytes(), 0));
    }
}

/// A scan resolves the references of running text in strings of data, after their escapes; text of HTML has its own alone.
#[test]
fn references_of_running_text_are_resolved_in_strings_too() {
    for (format, document, written) in [
        (Format::Json, r#"{"a":"see http://old.example/x&#38;b now"}"#, "http://old.example/x&b"),
        (Format::Json, r#"["http:\/\/old.example\/x&#38;b"]"#, "http://old.example/x&b"),
        (Format::Json, r#"["<p>http://old.example/x&amp;#38;b"]"#, "http://old.example/x&#38;b"),
        (Format::Html, "<p>http://old.example/x&amp;#38;b", "http://old.example/x&#38;b"),
        (Format::Csv, "k,http://old.example/x&#38;b\n", "http://old.example/x&b"),
        (Format::Csv, "k,\"a\"\"b http://old.example/&#xE9;\"\n", "http://old.example/é"),
        (Format::Po, "msgid \"http://old.example/&#252;/a\"\n", "http://old.example/ü/a"),
    ] {
        let hints = Hints::new().format(format);
        let (finder, mut texts) = (Finder::new(), Vec::new());
        let made = finder.rewrite(document.as_bytes(), &hints, |link| {
            texts.push(link.written().into_owned());
            link.with_host("old.example", "new.example")
        });
        let made = made.unwrap();
        assert_eq!(texts, [written], "{document}");
        let wanted = document.replace("old.example", "new.example");
        assert_eq!(str::from_utf8(made.bytes()).unwrap(), wanted, "{:?}", made.refused());
        // Behind the path that changes the reference stays, and a whole link is written without it.
        let longer = |link: &Link<'_>| Some(link.written().replace(".example/", ".example/y/"));
        let made = finder.rewrite(document.as_bytes(), &hints, longer).unwrap();
        let found = finder.document(made.bytes(), &hints).unwrap().links().next().unwrap();
        assert_eq!(found.iri(), written.replace(".example/", ".example/y/"), "{document}");
        let made =
            finder.rewrite(document.as_bytes(), &hints, |_| Some("http://b.example/c".into()));
        let made = made.unwrap();
        let found = finder.document(made.bytes(), &hints).unwrap().links().next().unwrap();
        assert_eq!(found.iri(), "http://b.example/c", "{document}: {:?}", made.refused());
    }
}

//! The runs of small documents, in full.

use linksift::peek::TokenKind;

use super::ours;

/// The runs of a document in one line each: values as `context=text`, texts as `"text"` with `+` in
/// front where they go on from the one before, `@` where they stand in a link.
fn shown(text: &str, longest: usize) -> Vec<String> {
    let all = ours::runs(&[text.as_bytes()], longest);
    let show = |peek: linksift::peek::Peek| {
        let raw = &text[peek.range.clone()];
        match peek.what {
            TokenKind::Text => {
                let joined = if peek.joined { "+" } else { "" };
                let in_link = if peek.in_link { "@" } else { "" };
                let kind = match &*peek.context {
                    "Running HtmlText" => "",
                    other => other,
                };
                format!("{joined}{in_link}{kind}{raw:?}")
            }
            TokenKind::Value => format!("{}={raw}", peek.context),
            what => format!("{what:?} {}", peek.context),
        }
    };
    all.into_iter().map(show).collect()
}

#[test]
fn comments_and_wbr_do_not_break_a_text() {
    for (text, runs) in [
        ("a.b<!-- x.y -->c.d<wbr>e.f", &["\"a.b\"", "+\"c.d\"", "+\"e.f\""][..]),
        ("a.b<b>c.d</b>e.f", &["\"a.b\"", "\"c.d\"", "\"e.f\""]),
        ("a.b</>c.d<?x?>e.f", &["\"a.b\"", "+\"c.d\"", "+\"e.f\""]),
        // What cannot be a link by itself is left out of these lists, as `ours` says.
        ("foo<wbr>a.b", &["\"a.b\""]),
        ("a.b<br>c.d<WBR >e.f", &["\"a.b\"", "\"c.d\"", "+\"e.f\""]),
        ("a.b < c.d", &["\"a.b < c.d\""]),
    ] {
        assert_eq!(shown(text, 100), runs, "{text}");
    }
}

#[test]
fn texts_inside_a_link_say_so() {
    assert_eq!(
        shown("<a href=x>a.b<b>c.d</b></a>e.f<a name=y>g.h</a>", 100),
        ["a@href=x", "@\"a.b\"", "@\"c.d\"", "\"e.f\"", "\"g.h\""]
    );
    assert_eq!(shown("<a href=x>a.b<a>c.d", 100), ["a@href=x", "@\"a.b\"", "\"c.d\""]);
}

#[test]
fn raw_texts_are_what_they_are() {
    for (text, runs) in [
        ("<script>a.b</script>c.d", &["\"c.d\""][..]),
        (
            "<script type='application/ld+json; x'>{\"a.b\"}</script>",
            &["Running Json\"{\\\"a.b\\\"}\""],
        ),
        ("<style>a{b:url(c)}</style>", &["Sheet None\"a{b:url(c)}\""]),
        (
            "<svg><style>a{b:url(c)}</style><script>a.b</script></svg>",
            &["Sheet HtmlText\"a{b:url(c)}\""],
        ),
        ("<title>a.b &amp; <b></title>", &["\"a.b &amp; <b>\""]),
        ("<xmp>a.b &amp;</xmp>", &["Running None\"a.b &amp;\""]),
        ("<svg><![CDATA[a.b &amp;]]></svg>", &["Running None\"a.b &amp;\""]),
        ("<plaintext>a.b</plaintext>", &["Running None\"a.b</plaintext>\""]),
        ("<noscript><a href=x>a.b</noscript>", &["a@href=x", "@\"a.b\""]),
    ] {
        assert_eq!(shown(text, 100), runs, "{text}");
    }
}

#[test]
fn bases_and_long_values() {
    assert_eq!(
        shown("<base target=x><base href=a><base href=b>", 100),
        ["Base base@href", "Base base@href"]
    );
    let long = "x".repeat(20);
    for quote in ["", "'", "\""] {
        let text = format!("<a href={quote}{long}{quote} ping=p>a.b</a><img src=i>");
        let runs = ["Long a@href", "LongEnd ", "a@ping=p", "@\"a.b\"", "img@src=i"];
        assert_eq!(shown(&text, 10), runs, "{quote}");
    }
}

#[test]
fn what_a_meta_holds_its_other_attributes_say() {
    for (text, runs) in [
        ("<meta content='1;url=x' http-equiv=Refresh>", &["meta@refresh=1;url=x"][..]),
        ("<meta property='x og:image' content=/i>", &["meta@content=/i"]),
        ("<meta content=/i>", &[]),
        ("<meta content=http://a content=b name='n'", &["meta@content=http://a"]),
        ("<param name=movie value=m>", &["param@value=m"]),
        ("<param value=m>", &[]),
    ] {
        assert_eq!(shown(text, 100), runs, "{text}");
    }
}

#[test]
fn tags_that_begin_the_same_are_told_apart() {
    // Tags that were read before are known by their first 32 bytes; what comes after is far from the end.
    let rest = "x ".repeat(100);
    for len in 15..30 {
        let class = "c".repeat(len);
        for (one, other, value) in [
            ("p class=\"{}\">", "p class=\"{}\" about=\"x\">", "p@about=x"),
            ("p class=\"{}\">", "p class=\"{}\"\nitemid=x >", "p@itemid=x"),
            ("p title=\"{}>\">", "p title=\"{}>\" about=x>", "p@about=x"),
            ("p title=\"{}<\">", "p title=\"{}<\" about=x>", "p@about=x"),
            ("p>", "q cite=\"{}\">", "q@cite={}"),
            ("/p>", "p{}><a href=\"x\">", "a@href=x"),
        ] {
            let [one, other, value] = [one, other, value].map(|text| text.replace("{}", &class));
            let text = format!("<{one}<{one}<{other}<{one}<{other}{rest}");
            assert_eq!(shown(&text, 100), [&*value; 2], "{text}");
        }
    }
}

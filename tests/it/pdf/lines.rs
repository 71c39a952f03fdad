//! Lines of a page: which link goes on in the next one.

use linksift::{Finder, Hints};

use super::in_text;
use super::text::text;
use crate::made::pdfs::page;

/// The links of text in lines, each 12 units below the one before.
fn in_lines(lines: &[&str], annotations: &str) -> Vec<String> {
    let shown: Vec<_> = lines.iter().map(|line| format!("({line}) Tj T*")).collect();
    let content = text(&format!("12 TL {}", shown.join(" ")));
    in_text(&page(&content, annotations, &[]).file())
}

#[test]
fn a_link_goes_on_in_the_next_line_where_the_line_is_full() {
    let full = "A line of text that is as long as its column is wide, and more";
    for (lines, expected) in [
        (["see http://e.com/a/", "b.html and so on"], "http://e.com/a/b.html"),
        (["see http://e.com/a?", "b=1 and so on"], "http://e.com/a?b=1"),
        (["see http://e.com/a-", "b_c.html"], "http://e.com/a-b_c.html"),
        (["see http://e.com/a.", "The next sentence"], "http://e.com/a"),
        (["see http://e.com/a/", "See also that"], "http://e.com/a/"),
        (["see http://e.com/a", "b.html"], "http://e.com/a"),
        (["<http://e.com/a/>", "b.html"], "http://e.com/a/"),
        (["see http://www.", "e.com/b and so on"], "http://www.e.com/b"),
        (["see http:", "//e.com/b and so on"], "http://e.com/b"),
        (["see http://e.com/a-1.", "2/b.html and so on"], "http://e.com/a-1.2/b.html"),
        // A full stop, and the number of what comes next.
        (["see http://e.com/a.html.", "1.2 The next section"], "http://e.com/a.html"),
        (["see http://e.com/a.html.", "install-it: do that"], "http://e.com/a.html"),
        (["see http://e.com/a/.", "b-c is that"], "http://e.com/a/"),
        (["see http://e.com/a/", "[16] The next"], "http://e.com/a/"),
        (["see http://e.com/a/", "176"], "http://e.com/a/"),
        (["see http://e.com/a/", "2022/01/15"], "http://e.com/a/"),
        (["see http://e.com/a/", "2022/01/b.html"], "http://e.com/a/2022/01/b.html"),
        (["see http://e.com/a.", "TEX2page is another"], "http://e.com/a"),
    ] {
        let lines = [full, lines[0], lines[1], full];
        assert_eq!(in_lines(&lines, "")[0], expected, "{lines:?}");
    }
}

#[test]
fn a_plain_word_below_a_link_is_a_part_of_it_or_the_next_word() {
    let full = "It may be that a line can be as long as its own column, and so";
    // A line that ends with the link, so that a word of three letters does not fit.
    let words = "so many words of this text are before a link, ".repeat(2);
    let line = |link: &str| format!("{} {link}", &words[..59 - link.len()]);
    for (link, next, expected) in [
        ("http://e.com/docs/", "may be read", "http://e.com/docs/"),
        ("http://e.com/a_b.", "can be read", "http://e.com/a_b"),
        ("http://e.com/q?a=", "its own and", "http://e.com/q?a="),
        ("http://e.com/docs/", "manual and more", "http://e.com/docs/manual"),
        ("http://e.com/docs/", "well-known and more", "http://e.com/docs/well-known"),
        ("http://e.com/a_b.", "html and more", "http://e.com/a_b.html"),
        ("http://e.com/a_b.", "another and more", "http://e.com/a_b"),
        ("http://e.com/q?a=", "manual. And more", "http://e.com/q?a=manual"),
        // A word with signs of a link, and a new link.
        ("http://e.com/docs/", "may.html and more", "http://e.com/docs/may.html"),
        ("http://e.com/docs/", "www.e.org and more", "http://e.com/docs/"),
        ("http://e.com/docs/", "me@e.org and more", "http://e.com/docs/"),
        // The bracket ends with the word, or the line has nothing else.
        ("\\(http://e.com/docs/", "may\\) and more", "http://e.com/docs/may"),
        ("\\(http://e.com/docs/", "may and more\\)", "http://e.com/docs/"),
        ("http://e.com/docs/", "may", "http://e.com/docs/may"),
    ] {
        let lines = [full, &line(link), next, full];
        assert_eq!(in_lines(&lines, "")[0], expected, "{lines:?}");
    }
    let whole = line("http://e.com/docs/");
    // The word would have fitted.
    let lines = [full, "see http://e.com/docs/", "manual and more", full];
    assert_eq!(in_lines(&lines, "")[0], "http://e.com/docs/");
    // Another link of the page is moved to the next line, and not broken.
    let lines = [
        full,
        &whole,
        "manual and more",
        full,
        "and a short line",
        "http://e.org/manual/of/text and more",
        full,
    ];
    assert_eq!(in_lines(&lines, ""), ["http://e.com/docs/", "http://e.org/manual/of/text"]);
    // A link after a label, or in a line that was full, is not moved.
    for before in ["and a label:", full] {
        let lines = [
            full,
            &whole,
            "manual and more",
            full,
            before,
            "http://e.org/manual/of/text and more",
            full,
        ];
        assert_eq!(in_lines(&lines, "")[0], "http://e.com/docs/manual");
    }
    // A link that fills more than one line.
    let (first, second) = (line("http://e.com/docs/"), format!("{}/", "manual-".repeat(9)));
    let expected = format!("http://e.com/docs/{second}may.html");
    assert_eq!(in_lines(&[full, &first, &second, "may.html and more", full], "")[0], expected);
    let lines = [full, &first, &format!("{second} is"), "may.html and more", full];
    assert_eq!(in_lines(&lines, "")[0], format!("http://e.com/docs/{second}"));
    // A link that fills its line.
    let long = format!("http://e.com/{}/", "a".repeat(38));
    assert_eq!(in_lines(&[full, &long, "may be", full], "")[0], format!("{long}may"));
    // The annotation ends with the line.
    let annotation = |uri: &str| {
        format!(
            "/Annots [<< /Subtype /Link /Rect [290 685 410 695] /A << /S /URI /URI ({uri}) >> >>]"
        )
    };
    let lines = [full, &whole, "manual and more", full];
    assert_eq!(in_lines(&lines, &annotation("http://e.com/docs/")), ["http://e.com/docs/"]);
    // It ends before the full stop.
    let stopped = line("http://e.com/some/path.");
    let ended = [full, &stopped, "about", full];
    for uri in ["http://e.com/some/path", "http://e.com/some/path.about"] {
        let area = format!("/Annots [<< /Rect [200 685 396 695] /A << /S /URI /URI ({uri}) >> >>]");
        assert_eq!(in_lines(&ended, &area), [uri]);
    }
    assert_eq!(in_lines(&lines, &annotation("http://e.com/")), ["http://e.com/docs/manual"]);
}

#[test]
fn the_annotation_over_two_lines_says_how_they_join() {
    let annotation = |uri: &str| {
        let area = |y: u32| {
            format!(
                "<< /Subtype /Link /Rect [90 {y} 400 {}] /A << /S /URI /URI ({uri}) >> >>",
                y + 10
            )
        };
        format!("/Annots [{} {}]", area(697), area(685))
    };
    for (lines, uri) in [
        (["http://e.com/con", "tinued"], "http://e.com/continued"),
        (["http://e.com/con-", "tinued"], "http://e.com/continued"),
        (["http://e.com/con-", "tinued"], "http://e.com/con-tinued"),
        (["http://e.com/con\\255", "tinued"], "http://e.com/continued"),
    ] {
        assert_eq!(in_lines(&lines, &annotation(uri)), [uri], "{lines:?}");
    }
    // It has more of the link than the text, in which the rest is not found.
    let area = |y: u32| {
        format!(
            "/Annots [<< /Rect [90 {y} 400 {}] /A << /S /URI /URI (http://e.com/continued) >> >>]",
            y + 10
        )
    };
    for lines in [
        ["http://e.com/con", "other"],
        ["(http://e.com/con-", "other"],
        ["www.e.com", "http://e.com/con"],
    ] {
        let y = if lines[0].starts_with("www") { 685 } else { 697 };
        let expected: &[&str] = if y == 685 { &["https://www.e.com"] } else { &[] };
        assert_eq!(in_lines(&lines, &area(y)), expected, "{lines:?}");
    }
    // The text of an annotation has no letter twice where a hyphen or a space is left out.
    for (end, uri) in [
        ("-", "http://e.com/continued"),
        ("-", "http://e.com/con-tinued"),
        ("\\255", "http://e.com/con-tinued"),
        (" ", "http://e.com/continued"),
    ] {
        let content = text(&format!("12 TL (see http://e.com/con{end}) Tj T* (tinued) Tj"));
        let area = "/Rect [0 0 1 1] /QuadPoints [90 707 400 707 90 697 400 697 90 695 400 695 90 685 400 685]";
        let link = format!("/Annots [<< {area} /A << /S /URI /URI ({uri}) >> >>]");
        let file = page(&content, &link, &[]).file();
        let hints = Hints::new().details(true);
        let finder = Finder::new();
        let shown = finder.document(&file, &hints).unwrap().links().next().unwrap();
        assert_eq!(shown.text(), Some(&*format!("see {uri}")), "{end:?}");
    }
    // A link that goes on in its line, and one without an annotation.
    assert_eq!(in_lines(&["http://e.com/con is", "that"], &area(697)), ["http://e.com/con"]);
    assert_eq!(in_lines(&["http://e.com/con", "other"], &area(300)), ["http://e.com/con"]);
    // It has another target.
    assert_eq!(
        in_lines(&["http://e.com/con", "tinued"], &annotation("http://e.org/")),
        ["http://e.com/con"]
    );
}

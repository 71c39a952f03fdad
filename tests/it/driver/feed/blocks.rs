//! Constructs at the ends of the blocks that a feed keeps, and at those of the pieces.

use super::*;

/// Returns the hints of a page in an encoding whose links have details.
fn page_in(charset: &str) -> Hints {
    Hints::new().content_type(&format!("text/html; charset={charset}")).details(true)
}

/// The ends of blocks are at multiples of 64 KiB.
#[test]
fn tags_across_blocks_keep_their_attributes() {
    let hints = page_in("utf-8");
    for (tag, detail) in [
        ("<a href=x rel=nofollow>t</a>", "nofollow"),
        ("<img src=x alt=hello>", "hello"),
        ("<form><input type=image alt=hello src=x formaction=y></form>", "hello"),
        ("<link title='<b' rel=\"a b\" href='x'>", "a b"),
    ] {
        for mark in [1 << 16, 3 << 16] {
            for start in mark - tag.len()..=mark {
                let page = format!("{}{tag}<p>{}", " ".repeat(start), " ".repeat(3_000));
                let wanted = in_memory(page.as_bytes(), &hints);
                assert!(wanted.0.contains(detail), "{}", wanted.0);
                let found = fed(page.as_bytes().chunks(1_460), &hints);
                assert_eq!(found, wanted, "{tag} at {start}");
            }
        }
    }
}

/// A point may be between two links of a tag, wherever they are.
#[test]
fn tags_that_have_a_point_keep_their_attributes() {
    let hints = page_in("utf-8").positions(true);
    for tag in [
        "<p>text <img alt=hello src=a.png srcset=\"b.png 1x, c.png 2x\"></p>\n",
        "<form><input type=image alt=hello src=a.png formaction=b></form>\n",
        "<a rel=nofollow ping='y z' href=x>text</a>",
        "<svg></svg><img alt='<b' src=a.png usemap=#c longdesc=d lowsrc=e>",
    ] {
        let mut later = 0;
        for shift in (0..tag.len()).step_by(3) {
            let page = format!("<p>{}{}", " ".repeat(shift), tag.repeat(150));
            let wanted = fed(std::iter::once(page.as_bytes()), &hints);
            let events = wanted.0.lines().count() - 1;
            for taken in [events / 2, events - 1] {
                let at = (1 << 20, taken);
                let (found, offset) = resumed(page.as_bytes(), &hints, at);
                assert_eq!(found, wanted, "{tag} {shift} {taken} {offset}");
                later += usize::from(offset > 0);
            }
        }
        assert!(later > 10, "{tag} {later}");
    }
}

/// What looks like the beginning of a tag before a link's own does not count.
#[test]
fn a_tag_begins_at_its_own_beginning() {
    let hints = page_in("utf-8");
    for (page, hints) in [
        ("<!-- <b rel=\"a --> it\"s <a href=\"x\">t</a>", &hints),
        ("<script>'<b rel=\"a</script>\"s <a href=\"x\">t</a>", &hints),
        (
            "<p xmlns='http://www.w3.org/1999/xhtml'><!-- <b rel=\"a --> it\"s <a href=\"x\">t</a></p>",
            &Hints::new().content_type("text/xml; charset=utf-8").details(true),
        ),
    ] {
        let records = in_memory(page.as_bytes(), hints);
        assert!(records.0.contains("(Some(\"t\"), None,"), "{}", records.0);
    }
}

fn encoded(text: &str, label: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    encoding.encode(text).0.into_owned()
}

#[test]
fn sections_of_character_data_are_not_cut_inside_of_characters() {
    for (label, word) in [
        ("shift_jis", "表ソ表ソゾ"),
        ("gb18030", "表ソß한"),
        ("gbk", "表示"),
        ("big5", "表示"),
        ("euc-jp", "表ソ"),
        ("euc-kr", "한국똠"),
        ("utf-8", "表😀"),
        ("windows-1251", "ёж"),
    ] {
        for (before, media_type) in [("<svg>", "text/html"), ("<a>", "text/xml")] {
            let piece = format!("see http://example.com/{word}] ]>{word} ");
            let text = format!("{before}<![CDATA[{}{word}]]> e.com/", piece.repeat(400));
            let bytes = encoded(&text, label);
            let hints = Hints::new().content_type(&format!("{media_type}; charset={label}"));
            let wanted = in_memory(&bytes, &hints);
            assert_eq!(wanted.0.lines().count(), 402, "{label} {}", wanted.0);
            assert!(!wanted.0.contains("malformed"), "{label} {}", wanted.0);
            assert_eq!(read(&bytes, &hints), wanted, "{label} {media_type}");
            for size in [1, 999, 1_460, 65_536, 1 << 20] {
                assert_eq!(fed(bytes.chunks(size), &hints), wanted, "{label} {media_type} {size}");
            }
        }
    }
}

/// A `style` of SVG is no raw text: a comment in it is one (HTML §13.2.6.5).
#[test]
fn comments_in_styles_of_svg_are_none_of_the_sheet() {
    let hints = page_in("utf-8");
    let spaces = " ".repeat(9_000);
    for (page, wanted) in [
        (format!("<svg><style>url(http://e.com/<!--tail){spaces}--> "), &["http://e.com/"][..]),
        (format!("<svg><style>a{{b:url(c)}}<!--{spaces}url(d)--> url(e)</style>"), &["c", "e"]),
        (
            format!("<svg><style>url(c)<![CDATA[url(d&amp;)]]>{spaces}url(e&amp;)"),
            &["c", "d&amp;", "e&amp;"],
        ),
        (format!("<style>url(c)<!--{spaces}url(d)--> url(e)</style>"), &["c", "d", "e"]),
    ] {
        let finder = Finder::new();
        let links = finder.document(page.as_bytes(), &hints).unwrap();
        let raw: Vec<_> = links.links().map(|link| link.raw().to_owned()).collect();
        assert_eq!(raw, wanted, "{page}");
        let in_memory = in_memory(page.as_bytes(), &hints);
        assert_eq!(read(page.as_bytes(), &hints), in_memory, "{page}");
        for size in [1, 1_000, 1 << 20] {
            assert_eq!(fed(page.as_bytes().chunks(size), &hints), in_memory, "{size} {page}");
        }
    }
}

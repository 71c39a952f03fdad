//! Documents of HTML, XML, JSON and CSV resume where they ended, after each of their events.

use super::*;

/// A long document: its format, what is before and after the pieces that it repeats, the pieces.
struct Long {
    format: Format,
    before: &'static str,
    pieces: &'static [&'static str],
    after: &'static str,
    /// Bytes before an event from which the document must be fed again at most; `None` if it has no points.
    near: Option<usize>,
}

impl Long {
    fn bytes(&self, len: usize) -> Vec<u8> {
        let Long { before, pieces, after, .. } = self;
        let mut text = (*before).to_owned();
        let mut number = 0;
        while text.len() < len {
            number += 1;
            let piece = pieces[number % pieces.len()];
            text.push_str(&piece.replace('#', &number.to_string()));
        }
        (text + after).into_bytes()
    }
}

/// What is between two points, the most that a piece has, and a link's text.
const NEAR: Option<usize> = Some(6 << 10);

fn long_documents() -> Vec<Long> {
    let xml = |before, pieces, after, near| {
        let format = Format::Xml;
        Long { format, before, pieces, after, near }
    };
    let csv = |before, pieces| {
        let format = Format::Csv;
        Long { format, before, pieces, after: "", near: NEAR }
    };
    let json = |before, pieces| {
        let format = Format::Json;
        Long { format, before, pieces, after: "", near: NEAR }
    };
    let html = |pieces| {
        let format = Format::Html;
        Long { format, before: "<p>", pieces, after: "", near: NEAR }
    };
    vec![
        // Links have details that are before them in their tags.
        html(&[
            "<p>text <img alt='hello #' src=/#.png srcset=\"b#.png 1x, c.png 2x\" longdesc=d></p>\n",
            "<form><input type=image src=/#.gif alt='a #' formaction=f></form>",
            "<a rel='nofollow e#' href=x# ping=\"y z#\">text #</a>\n",
        ]),
        xml(
            "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
             xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>\n",
            &[
                "<url><loc>http://e.com/#</loc><lastmod>2026-01-01</lastmod></url>\n",
                "<url><loc><![CDATA[http://e.com/a?b&#]]></loc><image:image><image:loc>http://e.com/é#.png\
                 </image:loc></image:image><!-- http://e.com/comment --></url>\n",
            ],
            "</urlset>",
            NEAR,
        ),
        // Without a namespace, the first element says what it is.
        xml("<urlset>", &["<url><loc>/#</loc></url>"], "</urlset>", NEAR),
        xml(
            "<rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/' \
             xmlns:atom='http://www.w3.org/2005/Atom' xmlns:x='urn:x'><channel>\n<atom:link href='http://e.com/feed'/>",
            &[
                "<item><title>See example.com/#</title><link>http://e.com/#</link><guid>not-a-link</guid>\
                 <description>&lt;p&gt;&lt;a href='/#'&gt;one&lt;/a&gt;</description></item>\n",
                "<item><content:encoded><![CDATA[<a href='http://e.com/#'>http://e.com/#</a> b.example]]>\
                 </content:encoded><enclosure url='http://e.com/#.mp3'/><x:y z='http://256.1.1.1/'/></item>\n",
                "<item><link xmlns='http://www.w3.org/2005/Atom' href='/#'>text <!-- http://x.example --> on</link>\
                 <link>http://e.com/<!-- -->#</link></item>",
            ],
            "</channel></rss>\n",
            NEAR,
        ),
        xml(
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://e.com/a/'>\n",
            &[
                "<entry xml:base='#/'><link rel='alternate' href='b'/><id>urn:x:#</id>\
                 <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml' xml:base='c/'>\
                 <p>see <a href='d'>d &amp; <b>e.com/#</b></a> and http://e.com/<i>x</i></p></div></content></entry>\n",
                "<entry xml:base='http://[/'><link href='#'/><content type='html'>&lt;b>www.e.com&lt;/b></content></entry>",
            ],
            "</feed>",
            NEAR,
        ),
        xml(
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><base href='/x/'/><style>a{b:url(c)}</style></head><body>",
            &[
                "<p><a href='#'>text http://e.com/# &eacute;</a> <code>main.rs e.com/#</code><br/></p>",
                "<svg xmlns='http://www.w3.org/2000/svg' xmlns:k='http://www.w3.org/1999/xlink'>\
                 <image k:href='#.png'/><style>a{b:url(#)}</style></svg><script>'http://e.com/s'</script>",
            ],
            "</body></html>",
            NEAR,
        ),
        xml(
            "<!DOCTYPE a [<!ENTITY e 'http://e.com/'>]><a>",
            &["<b c='&e;#'>&e;#</b>\n"],
            "</a>",
            None,
        ),
        xml(
            "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>",
            &["<b>http://e.com/#</b>\n"],
            "",
            None,
        ),
        xml(
            "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>",
            &["<w:p><w:r><w:t>http://e.</w:t></w:r><w:r><w:t>com/#</w:t></w:r></w:p>\n"],
            "</w:body></w:document>",
            None,
        ),
        json(
            "[\n",
            &[
                "{\"id\": #, \"url\": \"http:\\/\\/e.com\\/\\u00e9\", \"text\": \"see e.com/# \\\"\"},\n",
                "{\"html\": \"<p><a href='\\/#'>http://e.com/</a>\", // http://e.com/comment\n\"b\": null},\n",
                "{\"open http://e.com/#\n\"},",
            ],
        ),
        json(
            "",
            &[
                "{\"url\":\"http://e.com/#\",\"n\":#}\n",
                "{\"b\":\"\\u003ca href=\\\"/#\\\"\\u003e\"}\n",
            ],
        ),
        csv(
            "name;url;text\n",
            &[
                "a;http://e.com/#;\"see \"\"http://e.com/#\"\"; and e.com\n\"\n",
                "\"<p><a href=\"\"/#\"\">e.com</a>\";http://256.1.1.1/;12\" x\n",
                "\"http://e.com/Yahoo!\";\"b\"\"\"\"www.e.com/#!\";\"\"\n",
            ],
        ),
        csv("\"a\",\"b\"\r\n", &["\"http://e.com/é#\",\"see, http://e.com/#\"\r\n"]),
    ]
}

fn hints_of(document: &Long) -> Hints {
    let hints = Hints::new().format(document.format).charset(Charset::UTF_8);
    hints.base("http://b.example/d/".parse().unwrap()).positions(true).details(true)
}

#[test]
fn data_goes_on_after_each_event() {
    // A point is noted for some KiB, and the longer ones have several.
    let mut numbers = Numbers(7);
    let each = if rounds().is_some() { 1 } else { 5 };
    for (len, step) in [(9_000, each), (50_000, 91)] {
        for document in &long_documents() {
            let (bytes, hints) = (document.bytes(len), hints_of(document));
            let wanted = fed(std::iter::once(&bytes[..]), &hints);
            let events = wanted.0.lines().count() - 1;
            assert!(events > 90, "{events} {}", wanted.0);
            for (number, line) in wanted.0.lines().take(events).enumerate().step_by(step) {
                let at = ([700, 1_500][numbers.below(2)], number + 1);
                let (found, offset) = resumed(&bytes, &hints, at);
                assert_eq!(found, wanted, "{} {at:?} {offset}", document.before);
                let start: usize = line.split("..").next().unwrap().parse().unwrap();
                let is_as_said = match document.near {
                    // The end of the outermost element may have one.
                    None => offset == 0 || offset + 50 > bytes.len(),
                    Some(near) => offset + near >= start,
                };
                assert!(is_as_said, "{} {offset} {line}", document.before);
            }
        }
    }
}

#[test]
fn points_of_data_that_nobody_wrote() {
    let finder = Finder::new();
    let mut numbers = Numbers(5);
    for document in &long_documents() {
        let (bytes, hints) = (document.bytes(9_000), hints_of(document));
        let mut feed = finder.feed(&hints);
        for piece in bytes.chunks(1_500) {
            feed.push(piece).unwrap().for_each(drop);
        }
        let point = feed.resume_point();
        let text = point.to_string();
        assert!(text.len() < 4_000, "{text}");
        let (mut parsed, mut refused) = (0, 0);
        for _ in 0..400 {
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let at = numbers.below(words.len());
            match numbers.below(4) {
                0 => words[at] = "18446744073709551615".to_owned(),
                1 => words[at] = numbers.below(300).to_string(),
                2 => words.truncate(at),
                _ => words[at] = words[numbers.below(words.len())].clone(),
            }
            let Ok(point) = words.join(" ").parse::<FeedPoint>() else {
                refused += 1;
                continue;
            };
            parsed += 1;
            let mut feed = finder.resume(&hints, &point);
            for piece in bytes.chunks(5_000) {
                feed.push(piece).map(|events| events.for_each(drop)).unwrap();
            }
            feed.finish().map(|events| events.for_each(drop)).unwrap();
        }
        assert!(parsed > 10 && refused > 100, "{parsed} {refused} {text}");
    }
}

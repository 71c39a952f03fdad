//! What links know beside their URI: role, visible text and relation, along every code path.

use std::io::Read;
use std::ops::ControlFlow;

use linksift::{Charset, Event, Finder, Format, Hints, Link, Role};

use crate::support::pieces::Pieces;

/// Returns role, text and relation of a link, as one line.
fn line(link: &Link<'_>) -> String {
    let [text, rel] = [link.text(), link.rel()].map(|one| one.unwrap_or("-").to_owned());
    format!("{} {} [{text}] [{rel}]", link.raw(), link.role())
}

fn hints(format: Format) -> Hints {
    Hints::new().format(format).details(true)
}

/// Returns the lines of a document, which are the same in memory, from readers and fed.
fn lines(bytes: &[u8], hints: &Hints) -> Vec<String> {
    let finder = Finder::new();
    let found: Vec<_> = finder.document(bytes, hints).unwrap().links().map(|l| line(&l)).collect();
    let read = |reader: &mut dyn Read| {
        let mut found = Vec::new();
        let each = |event: Event<'_>| {
            found.extend(event.link().map(line));
            ControlFlow::Continue(())
        };
        finder.scan_reader(reader, hints, each).unwrap();
        found
    };
    for len in [1, 7, 100] {
        assert_eq!(read(&mut Pieces::new(bytes.chunks(len))), found, "pieces of {len}");
    }
    for at in 0..bytes.len().min(400) {
        assert_eq!(read(&mut Pieces::cut(bytes, &[0, at])), found, "cut at {at}");
    }
    let mut feed = finder.feed(hints);
    let mut fed = Vec::new();
    for piece in bytes.chunks(3) {
        fed.extend(feed.push(piece).unwrap().filter_map(|event| event.link().map(line)));
    }
    fed.extend(feed.finish().unwrap().filter_map(|event| event.link().map(line)));
    assert_eq!(fed, found, "fed");
    found
}

#[test]
fn pages_have_texts_roles_and_relations() {
    let page = "<base href=http://e.com/><link rel=\"Next  prefetch\" href=2>\
        <a rel='nofollow UGC' href=a>one &amp; <b>t</b>wo\n three</a>\
        <a href=b rel=me><img src=c alt='four &lt;'> <img src=d alt=five></a>\
        <a href=e title='see http://x.example/'></a><area alt=six href=f rel=tag>\
        <button formaction=g>seven</button><form rel=search action=h></form>\
        <a title='<b' rel=ugc href=i>eight</a><script src=j></script><iframe src=k></iframe>\
        <blockquote cite=l itemtype=m>http://e.com/n <kbd>http://e.com/o</kbd></blockquote>";
    let expected = [
        "http://e.com/ base [-] [-]",
        "2 relation [-] [next prefetch]",
        "a navigate [one & two three] [nofollow ugc]",
        "b navigate [four < five] [me]",
        "c embed [four <] [-]",
        "d embed [five] [-]",
        "e navigate [-] [-]",
        "f navigate [six] [tag]",
        "g submit [seven] [-]",
        "h submit [-] [search]",
        "i navigate [eight] [ugc]",
        "j embed [-] [-]",
        "k embed [-] [-]",
        "l other [-] [-]",
        "m identity [-] [-]",
        "http://e.com/n text [-] [-]",
        "http://e.com/o text [-] [-]",
    ];
    assert_eq!(lines(page.as_bytes(), &hints(Format::Html)), expected);
    // In another encoding, and transcoded as a whole.
    let page = "<meta charset=X><a href=a>страница</a><img alt=\u{444}&nbsp;b src=b>";
    let expected = ["a navigate [страница] [-]", "b embed [ф b] [-]"];
    let cyrillic: Vec<u8> = page
        .chars()
        .map(|c| if c.is_ascii() { c as u8 } else { (c as u32 - 0x430 + 0xE0) as u8 })
        .collect();
    let stored: Charset = "windows-1251".parse().unwrap();
    assert_eq!(lines(&cyrillic, &hints(Format::Html).charset(stored)), expected);
    let wide: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let stored: Charset = "utf-16le".parse().unwrap();
    assert_eq!(lines(&wide, &hints(Format::Html).charset(stored)), expected);
}

#[test]
fn other_markup_and_mail_have_them_too() {
    let markdown = b"[*one* `two`](a) ![three](b) <http://e.com/c> [four][d] <a href=e rel=me>five</a> [six][d]\n\n[d]: /d";
    let expected = [
        "a navigate [one two] [-]",
        "b embed [three] [-]",
        "http://e.com/c navigate [-] [-]",
        "e navigate [five] [me]",
        // The text of the first link that a definition serves.
        "/d navigate [four] [-]",
    ];
    assert_eq!(lines(markdown, &hints(Format::Markdown)), expected);
    let xhtml = b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body>\
        <link rel='next' href='a'/><a rel='nofollow' href='b'>one<br/>two</a></body></html>";
    let found = lines(xhtml, &hints(Format::Xml));
    assert!(found.contains(&"a relation [-] [next]".to_owned()), "{found:?}");
    assert!(found.contains(&"b navigate [one two] [nofollow]".to_owned()), "{found:?}");
    let mail = b"List-Unsubscribe: <http://e.com/a>\nContent-Type: text/html\n\
        Content-Transfer-Encoding: quoted-printable\n\n<a rel=3Dnofollow href=3Dhttp://e.com/b>one=20\ntwo</a>";
    let expected =
        ["http://e.com/a header [-] [-]", "http://e.com/b navigate [one two] [nofollow]"];
    assert_eq!(lines(mail, &hints(Format::Email)), expected);
}

#[test]
fn nothing_is_read_unless_it_is_wanted_and_the_text_is_bounded() {
    let page = format!("<a rel=me href=a>{}</a>", "long &amp; ".repeat(900));
    let found = |details: bool| {
        let hints = Hints::new().format(Format::Html).details(details);
        let bytes = page.as_bytes();
        Finder::new().document(bytes, &hints).unwrap().links().next().unwrap().into_owned()
    };
    assert_eq!((found(false).text(), found(false).rel()), (None, None));
    let text = found(true).text().unwrap().to_owned();
    assert!(text.starts_with("long & long") && (1000..=1024).contains(&text.len()), "{text}");
    assert_eq!(found(true).role(), Role::Navigate);
}

#[test]
fn hosts_are_compared_in_lower_case() {
    let hosts = |text: &str| -> Vec<String> {
        linksift::links(text).map(|link| link.host().unwrap().into_owned()).collect()
    };
    assert_eq!(
        hosts("http://OLD.Example/A WWW.Example.COM me@EXAMPLE.com"),
        ["old.example", "www.example.com", "example.com"]
    );
    assert_eq!(
        hosts("http://ПРИМЕР.example/ http://[2001:DB8::A]/"),
        ["xn--e1afmkfd.example", "[2001:db8::a]"]
    );
}

/// Several links of one attribute wait for the rest of its tag together, and come in order.
#[test]
fn attributes_with_several_links_lose_none_where_a_reader_pauses() {
    let page = "<meta charset=utf-8><body><img srcset='http://e.com/1.png 1x, http://e.com/2.png 2x, 3.png 3x' alt=x>\
        <a style='background:url(http://e.com/4),url(http://[/),url(5)' href=http://e.com/6>t</a> http://e.com/7\
        <p>text <link rel=preload imagesrcset='8 1x, 9 2x' href=10> more";
    let hints = hints(Format::Html);
    let found = lines(page.as_bytes(), &hints);
    assert_eq!(found.len(), 10, "{found:?}");
    let finder = Finder::new();
    for at in 0..=page.len() {
        let (mut feed, mut fed) = (finder.feed(&hints), Vec::new());
        let (first, rest) = page.as_bytes().split_at(at);
        fed.extend(feed.push(first).unwrap().filter_map(|event| event.link().map(line)));
        fed.extend(feed.flush().unwrap().filter_map(|event| event.link().map(line)));
        fed.extend(feed.push(rest).unwrap().filter_map(|event| event.link().map(line)));
        fed.extend(feed.finish().unwrap().filter_map(|event| event.link().map(line)));
        assert_eq!(fed, found, "paused at {at}");
    }
}

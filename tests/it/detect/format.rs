//! What a document is taken for.

use linksift::peek::format;

#[test]
fn names_come_first() {
    for (name, head, kind) in [
        ("a.html", "", "html"),
        ("A.HTM", "plain", "html"),
        ("dir.html/a", "plain", "text"),
        ("dir/a.xhtml", "<!DOCTYPE html>", "xml"),
        ("feed.rss", "<html>", "xml"),
        ("b.svg", "", "xml"),
        ("README.md", "<html>", "markdown"),
        ("x.css", "<html>", "css"),
        ("x.CSV", "<html>", "csv"),
        ("main.cpp", "<html>", "code"),
        ("page.c", "<?xml version=\"1.0\"?>", "xml"),
        ("de.ts", "\u{FEFF}<?xml version='1.0'?><!DOCTYPE TS><TS>", "xml"),
        ("app.config", "\n<?xml\tversion='1.0'?><configuration>", "xml"),
        ("map.mm", "<?xml version='1.0'?>", "xml"),
        ("Info.strings", "<?xml version='1.0'?><plist>", "xml"),
        ("app.config", "<configuration><add key='a'/></configuration>", "code"),
        ("a.ts", "<T>x", "code"),
        ("a.ts", "<?xmlx", "code"),
        ("a.tsx", "<?xml", "code"),
        ("a.md", "<?xml version='1.0'?>", "markdown"),
        ("a.html", "<?xml version='1.0'?>", "html"),
        ("a.txt.j2", "<?xml version='1.0'?>", "text"),
        ("a.drawio", "", "xml"),
        ("a.JNLP", "<jnlp><information><title>x</title>", "xml"),
        ("a.props", "<Project><Aa B='c'/></Project>", "xml"),
        ("a.targets", "<Project><Aa B='c'/></Project>", "xml"),
        ("a.props", "a = b", "text"),
        ("a.php", "<a1><b2/></a1>", "text"),
        ("a.php", "<?xml version='1.0'?>", "xml"),
        ("a.xml.tmpl", "<a1><b2/></a1>", "text"),
        ("a.svelte", "<Aa><Bb/></Aa>", "code"),
        ("a.vue", "<template><a/></template>", "code"),
        ("a.astro", "<Aa><Bb/></Aa>", "text"),
        ("a.tsx", "<Aa><Bb/></Aa>", "code"),
        ("a.mdx", "<Aa><Bb/></Aa>", "markdown"),
        ("dir/Makefile", "<html>", "code"),
        ("guide.adoc", "<html>", "asciidoc"),
        ("a.ics", "<html>", "calendar"),
        ("b.VCF", "", "vcard"),
        ("b.txt", "BEGIN:VCARD\r\n", "vcard"),
        ("letter.RTF", "<html>", "rtf"),
        ("app.Properties", "<html>", "properties"),
        ("de.po", "", "po"),
        ("x.pot", "", "po"),
        ("Localizable.strings", "", "strings"),
        ("a.bib", "", "tex"),
        ("a.texinfo", "", "texinfo"),
        ("Module.pm", "", "perl"),
        ("syslog.1", "Nov 28 host", "text"),
        ("ls.1", ".TH LS 1\n", "roff"),
        ("letter.txt", "{\\rtf1\\ansi", "rtf"),
        ("data.json", "<html>", "json"),
        ("a.ipynb", "", "notebook"),
        ("a.html", "HTTP/2 200\nA: b\n\n", "http"),
        ("a.txt", "HTTP/3 200\nA: b\n\n", "http"),
        ("a.html", "HTTP/2 200\nA b\n\n", "html"),
        ("a.md", "HTTP/1.1 200 OK\nA: b\n\n", "markdown"),
        ("a.py", "HTTP/1.1 200 OK\nA: b\n\n", "code"),
        ("a.yml", "", "yaml"),
        ("a.yaml", "<?xml version='1.0'?>", "xml"),
        ("data.GEOJSON", "", "json"),
        ("package.json.bak", "{\"a\": 1}", "json"),
        (".html", "plain", "text"),
        (".html", "<html>", "html"),
        ("a.html.bak", "<html>", "html"),
        ("a.html.bak", "plain", "text"),
        ("a.txt", "<!DOCTYPE html>", "html"),
        ("a.", "<html>", "html"),
        ("C:\\dir\\a.xml", "", "xml"),
        ("", "<html>", "html"),
    ] {
        assert_eq!(format(Some(name.as_bytes()), head.as_bytes()), kind, "{name} {head}");
    }
}

#[test]
fn then_the_beginning() {
    for (head, kind) in [
        ("<!DOCTYPE html><html>", "html"),
        ("<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", "html"),
        ("\u{FEFF}\r\n <html lang=en>", "html"),
        ("<HTML><HEAD>", "html"),
        ("<!-- saved from --><html>", "html"),
        ("<!-- a --> <!-- b -->\n<!DOCTYPE html>", "html"),
        ("<title>x</title>", "html"),
        ("<p>x", "html"),
        ("<html xmlns=\"http://www.w3.org/1999/xhtml\">", "html"),
        ("<?xml version=\"1.0\"?><!DOCTYPE html><html>", "xml"),
        ("<?xml version='1.0'?><rss>", "xml"),
        ("<?xml-stylesheet href='a'?><a>", "xml"),
        ("<?xml-stylesheet href='a'?><svg>", "xml"),
        ("<rss version=\"2.0\">", "xml"),
        ("<feed xmlns=\"http://www.w3.org/2005/Atom\">", "xml"),
        ("<rdf:RDF xmlns:rdf='x'>", "xml"),
        ("<svg>", "xml"),
        ("<!DOCTYPE svg PUBLIC \"-//W3C\">", "xml"),
        ("<!-- x --><urlset>", "xml"),
        ("<book xmlns=\"http://docbook.org/ns/docbook\">", "xml"),
        ("", "text"),
        ("plain", "text"),
        ("<", "text"),
        ("< html>", "text"),
        // Elements alone, at least one of which is closed.
        ("<config><item url='http://e.com/?a&amp;b'/></config>\n", "xml"),
        ("<Project>\n  <Aa B=\"c\">d</Aa>\n  <Aa B = 'e'", "xml"),
        ("<a1:b-c/>", "text"),
        ("<a1/>\n<!-- x --><a1 />", "xml"),
        ("<!-- x -->\n<note>see <![CDATA[</x>]]></note >", "xml"),
        ("<note>see http://e.com/</note>", "xml"),
        ("<note><?x <a1 ?>x</note>", "xml"),
        ("<note>1 &lt; 2</note>", "xml"),
        ("<note><été/></note>", "xml"),
        ("<events>\n<x2>a", "text"),
        ("<note><", "text"),
        ("<note></note", "text"),
        ("<note>1 < 2</note>", "text"),
        ("<alice> hi\n<bob> try <item>x</item>\n", "text"),
        ("<alice>\thi </alice>", "text"),
        ("<alice>hi\n<bob>try <item>x</item>\n", "text"),
        ("<alice>\n<bob></alice></bob>", "text"),
        ("<alice></alice> is a tag", "text"),
        ("<file> [<file>...]\n<x2></x2>", "text"),
        ("<file>\n    the name <x2/>", "text"),
        ("<item><b>x</b></item>", "text"),
        ("<Item><A href='/b'>x</A></Item>", "text"),
        ("<my-item><x2/></my-item>", "text"),
        ("<x2 checked><y2/></x2>", "text"),
        ("<x2 a=b><y2/></x2>", "text"),
        ("<x2 a={b}><y2/></x2>", "text"),
        ("<x2 {...a}><y2/></x2>", "text"),
        ("<x2 @click='a'><y2/></x2>", "text"),
        ("<x2 :a='b'><y2/></x2>", "text"),
        ("<x2 v-if='b'><y2/></x2>", "text"),
        ("<x2 a='b'c='d'><y2/></x2>", "text"),
        ("<x2 a='<y2>'><y2/></x2>", "text"),
        ("<x2><%= a %><y2/></x2>", "text"),
        ("<x2><?php a ?><y2/></x2>", "text"),
        ("<x2><?= a ?><y2/></x2>", "text"),
        ("<x2><y2/></x2>{{ a }}", "text"),
        ("<x2><!DOCTYPE a><y2/></x2>", "text"),
        ("import Aa from 'a'\n\n<Aa><B2/></Aa>", "text"),
        ("<T extends U>(x: T) => <x2/>", "text"),
        ("<iostream>", "text"),
        ("<stdio.h> is a header\nint main() {}", "text"),
        ("<T> void f(T x);", "text"),
        ("<a@example.com> wrote:\n", "text"),
        ("<http://example.com/>", "text"),
        ("<!-- never closed", "html"),
        ("<?php echo '<html>'; ?>", "text"),
        ("#include <html>\n<html>", "text"),
        ("From: a@example.com\nContent-Type: text/html\n\n<html>", "text"),
        ("{\"html\": \"<html>\"}", "json"),
        ("[\"<html>\"]", "json"),
        ("\u{FEFF}\n[\n {\n  \"a\": 1}]", "json"),
        ("[2026-11-21] \"x\"", "text"),
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n<html>", "http"),
        ("HTTP/1.1 200 OK\r\n\r\n<html>", "text"),
        ("HTTP/1.1 200 OK\r\nA: b\r\n", "text"),
        ("apiVersion: a/v1\nkind: x\n", "yaml"),
        ("# comment\n---\n# Source: x\r\n\r\napiVersion:\tv1", "yaml"),
        ("kind: x\nmetadata:\n  a: b\n- c\nspec:\n  d\napiVersion: v1\n", "yaml"),
        ("apiVersion: x", "yaml"),
        ("apiVersion", "text"),
        ("apiVersions: x\n", "text"),
        ("apiVersion:x\n", "text"),
        ("name: x\napiVersion: v1\n", "text"),
        ("see\napiVersion: v1\n", "text"),
        ("# a\n\nsee\napiVersion: v1\n", "text"),
        ("  a\napiVersion: v1\n", "text"),
        ("kind: x\n", "text"),
        (")]}'\n{\"a\": 1}", "json"),
        ("for(;;);[\"a\"]", "json"),
        ("callback({\"a\": 1});", "json"),
        ("/**/ jQuery_1(\n[{\"a\": 1}])", "json"),
        ("see(a)", "text"),
        ("call", "text"),
        ("print(\"x\")", "text"),
        ("{ \"", "json"),
        ("{\\rtf", "rtf"),
        ("BEGIN:VCALENDAR\r\n", "calendar"),
        ("\u{FEFF}\n begin:vcard\nN:x", "vcard"),
        ("BEGIN:VCAR", "text"),
        (".TH LS 1 \"2026\"\n", "roff"),
        (".\\\" Automatically generated\n", "roff"),
        ("\n'\\\" t\n", "roff"),
        (".Dd November 28\n", "roff"),
        (".then x", "text"),
        ("\\input texinfo @c -*-texinfo-*-\n", "texinfo"),
        ("\\documentclass{article}", "tex"),
        ("=head1 NAME\n", "pod"),
        ("=head", "text"),
        ("BEGIN:VEVENT", "text"),
        ("\r\n{\\rtf1\\ansi\\deff0", "rtf"),
        ("{\\rt", "text"),
        ("{\\bf x}", "text"),
        ("{ x: \"\" }", "text"),
        ("[{", "text"),
        ("\"a\"", "text"),
        ("line one\nline two\n<html>", "text"),
        ("# Heading\n\n<html>", "text"),
        ("body { color: red }", "text"),
        ("<<EOF\n<html>", "text"),
        ("<htmlx>", "text"),
        ("<html", "text"),
        ("<?xmlx?>", "text"),
        ("<5>Jan 1 host kernel: <html>", "text"),
    ] {
        assert_eq!(format(None, head.as_bytes()), kind, "{head}");
    }
}

#[test]
fn of_utf_16_too() {
    for (head, kind) in
        [("<!DOCTYPE html>", "html"), ("<?xml version='1.0'?>", "xml"), ("plain text", "text")]
    {
        let units: Vec<u16> = head.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(format(None, &[&[0xFF, 0xFE], &little[..]].concat()), kind, "{head}");
        assert_eq!(format(None, &[&[0xFE, 0xFF], &big[..]].concat()), kind, "{head}");
        assert_eq!(format(None, &little), kind, "{head}");
        assert_eq!(format(None, &big), kind, "{head}");
    }
}

/// What stands after the first kilobyte is of no account.
#[test]
fn the_answer_is_one_of_the_first_8_kib() {
    let comment = format!("<!--{}-->", "x".repeat(8185));
    for behind in ["<html>", "<rss>", "plain"] {
        assert_eq!(format(None, format!("{comment}{behind}").as_bytes()), "text");
        let long = format!("<!--{}-->{behind}", "x".repeat(8198));
        assert_eq!(format(None, long.as_bytes()), "html");
    }
}

/// More bytes may turn a beginning of elements into something else, up to 8 KiB.
#[test]
fn elements_decide_in_the_first_8_kib() {
    let item = "<item a='b'>c</item>\n";
    let start = format!("<list>{}", item.repeat(8200 / item.len() + 1));
    assert_eq!(format(None, format!("{start}</other>").as_bytes()), "xml");
    assert_eq!(format(None, format!("{}</other>", &start[..4000]).as_bytes()), "text");
    let comment = format!("<!--{}-->", "x".repeat(7000));
    assert_eq!(format(None, format!("{comment}<list><item/></list>").as_bytes()), "xml");
    assert_eq!(format(None, format!("<list a='{}'><item/>", "x".repeat(9000)).as_bytes()), "text");
}

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
        ("page.c", "<?xml version=\"1.0\"?>", "code"),
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
fn the_answer_is_one_of_the_first_kilobyte() {
    let comment = format!("<!--{}-->", "x".repeat(1017));
    for behind in ["<html>", "<rss>", "plain"] {
        assert_eq!(format(None, format!("{comment}{behind}").as_bytes()), "text");
        let long = format!("<!--{}-->{behind}", "x".repeat(1030));
        assert_eq!(format(None, long.as_bytes()), "html");
    }
}

"""Inputs of whoever wants a scan to take long, for `benches/growth`: each is made of a size, and the time should grow as the size does.

A shape is a name, a way to read it (a format of documents, or what the driver calls a road), and a function that makes it of a size.
What was quadratic once, here or in another finder, is among them, and so are products of small alphabets: a host and an opener, a
prefix and lines, headers and lists, values in each other.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import warnings
import zipfile
from itertools import product

FORMATS = ["text", "html", "xml", "css", "json", "csv", "markdown", "email", "mbox"]

# Repeated as they are.
UNITS = [
    "http://", "((((", "()()", "))))", "....x", "\"'\"'", "a.a.", "a.a~", "a@a@", "a.a.a@", "a.b@a.b@", "a@b.com\n", "www.www.", "://://",
    "a:a:", "a://a://", ":::::", "a", "many words ", "mailto:", "a-a-", "a--a--.", "@@@@", "http://[", "http://a.a.", "x:a@x:a@", "http://a@",
    "//////", "?=&?=&", "#:~:text=", "&#x", "&#x26;", "&", "&amp", "日.日.", "日日日", "。。。", "（（（", "\u200d", "a\u200d", "\u0301", "a\u0301", "<",
    "<a", "<a <a", "<!--", "<!--[if mso", "<a x=1 x=1", "<div><div>", "</a></a>", '"<a href="', "<script>", "<![CDATA[", "[a](", "![", "*_*_", "url(",
    "=\n", "--b\n", "_0.", ":0.", "a.:", "~w.", "1.2.3.4_", "a.com+", "-.comテ", "<http://a ", "http://[http://[", "http://a.com:",
    "http&#58;//", "a&#46;", "a=", "a_a=b@", "data:", "urn:a:", "tel:1-", "a[.]", "hxxp://", "{a@", "+a://", "http://a:a@", "xmpp:a@",
    "．a", "a。com", "http://a\u200b", "http://a。", "&#00000000046;", "%41", "http://%41", "\\n", "\r", "\r\n", "\u05f4", "_", "a_", "`", '""', '".a(',
    "a.b.c a.b.d ", "> ---\n", "* ---\n", "1. ---\n", "---\n", "| a ", "|-", "\t- a\n", "[^a]: ", "[a]: b\n", "~~~\n", "```\n", "&a;", "{", "[", '{"a":', "a,",
    '"a",', "<b>", "<b/>", "<b c='d'>", "\x1b[", "\x1b]8;;", "\x1b[31m", "begin 644 x\nM", "From a\n", "a: b\n", " a\n", "<a href=b>", "<a href=b>c</a>",
]  # fmt: skip

# A host, and what may open something after it.
HOSTS = ["a.com/", "http://a.com/", "www.a.com/", "a@b.com", "http://a.com/?a=", "http://a.com/#", "mailto:a@b.com?"]
OPENERS = [
    "[", "(", "<", "{", '"', "'", "`", "|", "«", "（", "「", "“", "[](", "](", "<<", "\\", "\\[", "*", "_", ",", ";", "&", "&lt;", "[/", "[[", "{{", "{%", "…",
]  # fmt: skip

# In each other: what is repeated first, then what is repeated after it.
NESTED = [
    ("[http://a.com/", "]"), ("(http://a.com/", ")"), ("<http://a.com/", ">"), ("{http://a.com/", "}"), ('"http://a.com/', '"'), ("http://a.com/[", "]"),
    ("http://a.com/(", ")"), ("a.com/[a/", "]"), ("[", "](a)"), ("![", "](a)"), ("[[", "]]"), ("{", "}"), ("[", "]"), ('{"a":', "}"), ('[{"url":', "}]"),
    ("<div>", "</div>"), ("<b>", "</b>"), ("<a href=b>", "</a>"), ("<svg>", "</svg>"), ("<table>", "</table>"), ("<template>", "</template>"),
    ("<a xml:base='b/'>", "</a>"), ("<a xml:base='http://[/'>", "</a>"), ("<a xml:base='b/' href='c'>", "</a>"), ("<a xmlns='b'>", "</a>"), ("<a xmlns:c='b'>", "</a>"),
    ("@media{", "}"), ("a{", "}"), ("url(", ")"), ("(", ")"), ("> ", "a\n"), ("- ", "a\n"), ("1. ", "a\n"), (">", "\n"), ("+ > ", "a\n"), ("\t", "- a\n"),
]  # fmt: skip

# Elements and values that may hold others, by format: `#` is the number of each.
HOLDERS = [
    ("xml", "<e# href='http://a.com/#'>", "</e#>"), ("xml", "<e href='http://a.com/#'>b", "</e>"), ("xml", "<e#>http://a.com/# ", "</e#>"), ("xml", "<e xml:base='http://a.com/#'>", "</e>"),
    ("xml", "<a xmlns='http://www.w3.org/1999/xhtml' href='http://a.com/#'>", "</a>"), ("xml", "<p:e xmlns:p='http://a.com/#' p:href='http://b.com/#'>", "</p:e>"),
    ("html", "<e# href='http://a.com/#'>", "</e#>"), ("html", "<a href='http://a.com/#'>", "</a>"), ("html", "<div><a href='http://a.com/#'>b", "</a></div>"), ("html", "<b#>http://a.com/# ", "</b#>"),
    ("html", "<q cite='http://a.com/#'>", "</q>"), ("html", "<object data='http://a.com/#'>", "</object>"), ("html", "<svg><a href='http://a.com/#'>", "</a></svg>"), ("html", "<template><a href='http://a.com/#'>", "</a></template>"),
    ("html", "<div style='background:url(http://a.com/#)'>", "</div>"), ("html", "<table><tr><td>http://a.com/#", "</td></tr></table>"),
    ("json", '{"href":"http://a.com/#","b#":', "}"), ("json", '["http://a.com/#",', '""]'), ("json", '{"type":"link","href":"http://a.com/#","b":[', "0]}"),
    ("css", "@media a { b { c: url(http://a.com/#) } ", "}"), ("css", "a{ b: url(http://a.com/#); ", "}"), ("markdown", "*a http://a.com/# ", "*"), ("markdown", "<b>http://a.com/# ", "</b>"),
    ("text", "(http://a.com/# ", ")"), ("text", "[http://a.com/# ", "]"), ("text", "<http://a.com/# ", ">"),
]  # fmt: skip

# By format: what is one time in front of an element that is repeated, and the element.
WORD = "<w:p xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
FRONTS = [
    ("xml", f"{WORD}<w:t>a</w:t>", "<w:del><w:delText>http://a.com/#</w:delText></w:del>"), ("xml", f"{WORD}<w:t>http://a.com/</w:t>", "<w:r><w:t>a</w:t></w:r>"),
    ("html", "<p>a", "<img src=http://a.com/#>"), ("html", "<p>a <a href=http://a.com/>", "<b>http://a.com/#</b> "), ("html", "\x1b[1mhttp://a.com/", "<b>a</b>"), ("html", "<base href=a>", "<a href=b#>c</a>"),
    ("xml", "<a xml:base='http://a.com/'>", "<b href='c#'/>"), ("xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>", "<b>http://a.com/#</b>"), ("json", '["<p>",', '"http://a.com/#",'), ("csv", '"<p>",', "http://a.com/#,"),
    ("markdown", "[a]: http://b.com/\n\n", "[a] http://a.com/# "), ("markdown", "<div>\n\n", "http://a.com/#\n\n"), ("css", "@import 'a';", "a{b:url(http://a.com/#)}"), ("text", "\x1b[1m", "http://a.com/# "),
    ("text", "\x1b]8;;http://a.com/\x1b\\", "http://a.com/# "), ("email", "Subject: a\n\nbegin 644 x\n", "http://a.com/#\n"), ("text", "(", "http://a.com/# "), ("text", '"', "http://a.com/# "),
]  # fmt: skip

# By format: each of the first one time in front of each of the second, many times.
FRONTS_OF_UNITS = {
    "text": (["\x1b[1mhttp://a.com/", "http://a.com/(", "<http://a.com/", "\x1b]8;;http://a.com/\x1b\\a", "a@b.com ", "\u05d0", "begin 644 x\n"],
             ["http://a.com/# ", "a#.com\n", "a@b#.com,", "\x1b[0m", "a. ", "\\n", ")"]),
    "html": (["<base href=http://a.com/>", "<a href=http://a.com/>http://b.com/", "<p hidden>", "<!-- a", "<script>", "<svg>", "<textarea>", "<table>", "\x1b[1mhttp://a.com/"],
             ["<a href=b#>c</a>", "http://a.com/# ", "<p>a", "</b>", "<i></i>", "&amp;", "<!-- -->", "<li>a.com/#"]),
    "xml": (["<a xml:base='http://a.com/'>", "<a>http://a.com/", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>", "<a xmlns:p='http://b.com/'>", "<a><![CDATA[http://a.com/", "<w:hyperlink r:id='a'>"],
            ["<b href='c#'/>", "<b>http://a.com/#</b>", "<b/>", "&b;", "<![CDATA[a]]>", "</c>"]),
    "markdown": (["[a]: http://b.com/\n\n", "[a](", "```\n", "<div>\n\n", "> ", "- "], ["[a] ", "http://a.com/#\n", "<b>a</b>", "\n\na", "`a` ", "![a](b#)"]),
    "json": (['{"log":{"entries":[', '["<p>', '[{"href":"http://a.com/","b":[', '["\\u003ca href=b>",'], ['"http://a.com/#",', '{"url":"b#"},', '"<p>",', '"\\n",', '"a":']),
    "csv": (['"<p>",', '"http://a.com/', "a;"], ["http://a.com/#,", '"",', "a\n", '"<b>"\n']),
    "css": (["@import 'a';", "a{b:url(", "/* http://a.com/"], ["a{b:url(http://a.com/#)}", "*/", "a\n", ")"]),
    "email": (["Subject: http://a.com/\n\n", "Content-Type: text/html\n\n<p>a", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", "Content-Transfer-Encoding: base64\n\n"],
              ["http://a.com/#\n", "--b\n", "\n--b\n\na#.com\n", "=\n", "begin 644 x\n", "<p>a"]),
}  # fmt: skip

# For the command: options, the name of the input, what is one time in front, what is repeated. `LINE` is also counted in an archive.
LINE = "http://a#.com/\n"
COMMAND = [
    *((options, "a.txt", "", LINE) for options in (
        "", "-H", "--context-lines 100", "--context-lines 2 --heading --color always", "--json", "--csv", "--json --rejected", "--unique", "--unique=host --csv",
        "--unique-in message", "--tally", "--tally --sort count", "--sort uri", "--count", "--show display", "--show iri -H", "--suspicious", "--max-count 1",
        "--template {line}:{column}:{uri}", "--fields uri,line,column,severity --json", "--match a --not-host b.com", "--known-hosts known", "--context-lines 100 --unique",
    )),
    *((options, "a.txt", front, unit) for options in ("-H", "--context-lines 3", "--json") for front, unit in (
        ("", "http://a#.com/ "), ("", "日.com/# "), ("a\n", "a@b#.com,"), ("http://a.com/", "\x1b[0m"), ("", "http://a.com/"), ("\x1b[1m", LINE), ("http://a.com/ ", "a\n"), ("", "\r"),
    )),
    *((options, "a.html", front, unit) for options in ("-H", "--context-lines 3", "--unique --json") for front, unit in (
        ("", "<a href=b#>c</a>"), ("<base href=http://a.com/>", "<a href=b#>c</a>\n"), ("<p>http://a.com/", "<b>a</b>"), ("<!--", LINE), ("", "<p>http://a#.com/ "),
    )),
    ("-H", "a.md", "", "[a#](b)\n"), ("-H", "a.json", "[", '"http://a.com/#",'), ("-H", "a.csv", "", "http://a.com/#,\n"), ("-H", "a.xml", "<a>", "<b href='c#'/>"),
    ("-H", "a.css", "", "a{b:url(http://a.com/#)}"), ("--context-lines 3", "a.eml", "Subject: a\n\n", LINE), ("-H", "a.mbox", "", "From a\nSubject: http://a#.com/\n\nb\n\n"),
    ("--unique-in message", "a.mbox", "", "From a\nSubject: http://a#.com/\n\nb\n\n"),
    ("-H", "a.eml", "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nhttp://a#.com/\n"), ("-H", "a.eml", "Content-Transfer-Encoding: base64\n\n", "aHR0cDovL2EuY29tLyAK\n"),
]  # fmt: skip

# Commands that read a line of standard input after the other, and what such a line, or all of one, is made of.
LINE_COMMANDS = ["check", "map", "unmap", "display", "normalize --rung scheme", "resolve --base http://a.com/b/c", "prepare", "prepare --many", "linkify", "linkify --html", "linkify --on-suspect mark"]
LINE_UNITS = ["http://日本.com/パス#\n", "a/../", "%E3%81%82", "日", "xn--", "é.", "\u0301", "[", "http://"]

# Before each of many lines.
PREFIXES = ["> ", "- ", "* ", "1. ", "> - ", "    ", "\t", ">", "# ", "| ", "[a]: ", "> [a]: ", "- [ ] ", "\"", "X: ", "+"]
LINES = ["---", "===", "a", "```", "http://a.com/", "|-|", "<a", "[a", "...", "~~~", "</a>", "***"]

# What a document begins with, and a list in it.
LISTS = [
    ("email", "List-Unsubscribe: ", "<http://a.com/>,"), ("email", "Link: ", "<a>,"), ("email", "To: ", "a@b.com,"), ("email", "References: ", "<a@b.com> "),
    ("email", "Subject: a\n\n", "begin 644 x\n#86)C\nend\n"), ("email", "Subject: a\n\nbegin 644 x\n", "#86)C\n"), ("email", "Subject: a\n\n", "begin 644 x\n#86)C\n\n"),
    ("email", "Subject: ", "=?utf-8?q?a.com/?= "), ("html", "<img srcset='", "a 1x,"), ("html", "<img srcset='", "a,"), ("html", "<a ping='", "a "),
    ("html", "<p style='", "b:url(c);"), ("html", "<a href='", "a&#47;"), ("html", "<base href='http://a.com/'>", "<a href=b>"), ("html", "<a ", "b=c "),
    ("xml", "<a ", "b='c' "), ("xml", "<a><b>", "&c;"), ("xml", "<!DOCTYPE a [", "<!ENTITY b 'c'>"), ("xml", "<!DOCTYPE a [", "%b;"), ("xml", "<!DOCTYPE a [", "<!ENTITY % b 'c'>"),
    ("css", "a{b:", "url(c),"), ("json", "[", '"http://a.com/",'), ("json", "[", '"\\u003ca href=b>",'), ("json", '["', "<a href=b>"), ("json", '["', "\\u003c/p"), ("json", "[", '"<p>a.com</p>",'), ("json", '{"log":{"a":["', "<p>\\u003c"),
    ("csv", "", "a.com;"), ("csv", "", '"<p>""a""</p>",'), ("csv", '"<p>', '""<a>'), ("csv", '"', '""a.com'), ("xml", "<a>", "&lt;/p "), ("xml", "<a>", "<b>&lt;p></b>"), ("xml", "<a>", "<![CDATA[]]>"), ("xml", "<a>", "<!-- -->&lt;"),
    ("xml", "<a>", "&lt;p><![CDATA[</p>]]>"), ("xml", "<a b='", "&lt;/p"), ("markdown", "[a]", "[a]"), ("markdown", "", "[a]: b\n[a]\n"),
]  # fmt: skip


def repeated(unit):
    return lambda size: (unit * (size // len(unit.encode()) + 1)).encode()


def nested(front, back):
    return lambda size: ((front * (size // len((front + back).encode()) + 1)) + back * (size // len((front + back).encode()) + 1)).encode()


def numbered(front, unit):
    """What is repeated has a number of its own."""

    def made(size):
        out, at = [front], 0
        while at < size:
            out.append(unit.replace("#", str(len(out))))
            at += len(out[-1])
        return "".join(out).encode()

    return made


def crawl(field):
    """A record of a crawl whose answer has these fields."""

    def made(size):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + field(size) + b"\r\n\r\n<a href=b>"
        head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.com/\r\nContent-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
        return head.encode() + block + b"\r\n\r\n"

    return made


def zip_of(text):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.txt"), text)
    return out.getvalue()


ZIP = zip_of(b"http://a.com/")
# The end record of an archive without entries.
END = b"PK\x05\x06" + bytes(18)


def in_zip(make):
    return lambda size: zip_of(make(size))


def zip_of_many(name, text, method=zipfile.ZIP_STORED):
    """Each entry has a number."""

    def made(size):
        out = io.BytesIO()
        with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(out, "w", method) as archive:
            number = 0
            while out.tell() < size:
                archive.writestr(zipfile.ZipInfo(name.replace("#", str(number))), text)
                number += 1
        return out.getvalue()

    return made


def tar_of_many(name, text):
    def made(size):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
            number = 0
            while out.tell() < size:
                file = tarfile.TarInfo(name.replace("#", str(number)))
                file.size = len(text)
                archive.addfile(file, io.BytesIO(text))
                number += 1
        return out.getvalue()

    return made


def crawl_of_many(size):
    """A compressed crawl, a record in each member."""
    record = gzip.compress(crawl(lambda _: b"X: a")(0), mtime=0)
    return record * (size // len(record) + 1)


def pdf(content, resources=lambda size: b"", front="", further=()):
    """A PDF with one page, whose content and resources grow, and further objects from the number 5 on."""

    def made(size):
        text = content(size)
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Contents 4 0 R /Resources << " + resources(size) + b" >> " + front.encode() + b" >>",
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(text), text),
            *(one(size) for one in further),
        ]
        out = bytearray(b"%PDF-1.7\n")
        for number, one in enumerate(objects, 1):
            out += b"%d 0 obj\n%b\nendobj\n" % (number, one)
        return bytes(out) + b"trailer << /Root 1 0 R >>\n"

    return made


def pdfs():
    """Name, how it is made."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    one_font = lambda size: b"/Font << /F " + font + b" >>"
    half = lambda unit: lambda size: repeated(unit)(size // 2)
    yield "pages without a tree", numbered("%PDF-1.7\n", "#1 0 obj << /Type /Page /Annots [<< /A << /S /URI /URI (http://e.com/#) >> >>] >> endobj\n")
    yield "fonts in resources", pdf(repeated("/F 1 Tf "), one_font)
    yield "a large state", pdf(half("/G gs "), lambda size: b"/ExtGState << /G << /X [" + half("1 ")(size) + b"] >> >>")
    yield "text", pdf(repeated("BT /F 9 Tf (http://a.com/ b) Tj ET "), one_font)
    yield "text in lines", pdf(repeated("BT /F 9 Tf (http://a.com/) Tj 0 -9 Td (b) Tj ET "), one_font)
    yield "marked content", pdf(repeated("/A << /ActualText (a) >> BDC "), one_font)
    spaces = lambda size: b"<< /Length %d >>\nstream\n%b\nendstream" % (len(half(SPACE)(size)), half(SPACE)(size))
    composite = lambda size: b"<< /Subtype /Type0 /Encoding 6 0 R /DescendantFonts [<< /Subtype /CIDFontType2 >>] >>"
    yield "spaces of codes", pdf(half("BT /F 1 Tf <FFFFFFFFFFFF> Tj ET "), lambda size: b"/Font << /F 5 0 R >>", further=[composite, spaces])
    yield "inherited resources", lambda size: pdf(lambda _: b"")(size).replace(
        b"/Kids [3 0 R]", b"/Kids [" + half("3 0 R ")(size) + b"] /Resources << /X [" + half("1 ")(size) + b"] >>"
    )


# A range of the codes of a font.
SPACE = "1 begincodespacerange <0000> <0001> endcodespacerange "


def ended(make, end=b" x"):
    return lambda size: make(size) + end


def holders():
    """Name, road, options, how it is made with all in each other, how with the same side by side."""

    def made(front, back, is_nested):
        def make(size):
            pairs = [(front.replace("#", str(n)), back.replace("#", str(n))) for n in range(size // len(front + back) + 1)]
            if is_nested:
                return ("".join(front for front, _ in pairs) + "".join(back for _, back in reversed(pairs))).encode()
            return "".join(front + back for front, back in pairs).encode()

        return make

    for format, front, back in HOLDERS:
        yield f"{front!r} and {back!r}", "document", f"format={format}", made(front, back, True), made(front, back, False)


def fronts():
    """Name, road, options, how it is made, how without what is in front, or in a format that should take as long."""
    for format, front, unit in FRONTS:
        head = front.removesuffix(front[len(WORD):]) if front.startswith(WORD) else ""
        yield f"{unit!r} behind {front!r}", "document", f"format={format}", numbered(front, unit), numbered(head, unit)
    many = lambda one: lambda size: one * (size // 32 + 1)
    yield "empty streams of bzip2 beside gzip", "opened", "", many(bz2.compress(b"")), many(gzip.compress(b"", mtime=0))
    text = b"http://a.com/\n"
    yield "short streams of bzip2 for long blocks beside short ones", "opened", "", many(bz2.compress(text, 9)), many(bz2.compress(text, 1))


def commands():
    """Name, the arguments of the command, the name of the input (none: it is standard input), how it is made."""
    for options, name, front, unit in COMMAND:
        make = numbered(front, unit)
        yield f"{unit!r} behind {front!r}" if front else f"{unit!r}", options, name, make
        if unit == LINE:
            yield f"{unit!r} behind {front!r} in zip", options, "a.zip", in_zip(make)
    for options, unit in product(LINE_COMMANDS, LINE_UNITS):
        yield f"{unit!r} as lines", options, None, numbered("", unit)
    for one, other in (("http://a.com/", "HTTP://a.com/%7e"), ("日", "%E6"), ("a/../", "b/../")):
        yield f"{one!r} and {other!r}", "compare", None, lambda size, one=one, other=other: repeated(one)(size // 2) + b"\t" + repeated(other)(size // 2)
    for options in ("-H", "--context-lines 3", "--json --unique"):
        yield "zip of many", options, "a.zip", zip_of_many("#.txt", b"http://a.com/\n")
        yield "zip of equal names", options, "a.zip", zip_of_many("a.txt", b"http://a.com/\n")
        yield "deflated zip of many", options, "a.zip", zip_of_many("#.html", b"<a href=http://a.com/>" * 9, zipfile.ZIP_DEFLATED)
        yield "zip of zips", options, "a.zip", zip_of_many("#.zip", ZIP)
        yield "tar of many", options, "a.tar", tar_of_many("#.txt", b"http://a.com/\n")
        yield "tar of long names", options, "a.tar", tar_of_many("a/" * 200 + "#.txt", b"http://a.com/\n")
        yield "tar of mail", options, "a.tar", tar_of_many("#.eml", b"Subject: http://a.com/\n\nb\n")
        yield "crawl of many", options, "a.warc.gz", crawl_of_many
    for name, make in pdfs():
        yield name, "-H", "a.pdf", make
    yield "empty zips", "-H", "a.zip", lambda size: END * (size // len(END) + 1)
    yield "empty zips in zip", "-H", "a.zip", in_zip(lambda size: END * (size // len(END) + 1))
    yield "empty zips behind a zip", "-H", "a.zip", lambda size: ZIP + END * (size // len(END) + 1)
    yield "empty zips in mail", "-H", "a.eml", lambda size: b"Content-Type: application/zip\n\n" + END * (size // len(END) + 1)
    for name, stream in (("gzip", gzip.compress(b"", mtime=0)), ("bzip2", bz2.compress(b"")), ("xz", lzma.compress(b""))):
        yield f"empty streams of {name}", "-H", "a.gz", lambda size, stream=stream: stream * (size // len(stream) + 1)


def shapes():
    """Name, road, options, how it is made."""
    for unit in UNITS:
        for format in FORMATS:
            yield f"{unit!r}", "document", f"format={format}", repeated(unit)
        yield f"{unit!r}", "linkify", "", repeated(unit)
        yield f"{unit!r}", "reader", "format=text", repeated(unit)
    for host, opener in product(HOSTS, OPENERS):
        for format in ("text", "html", "markdown"):
            yield f"{host + opener!r}", "document", f"format={format}", ended(repeated(host + opener))
        yield f"{host + opener!r}", "linkify", "", ended(repeated(host + opener))
        yield f"{opener + host!r}", "document", "format=text", ended(repeated(opener + host))
    for front, back in NESTED:
        for format in ("text", "html", "xml", "css", "json", "markdown"):
            yield f"{front!r} and {back!r}", "document", f"format={format}", nested(front, back)
        yield f"{front!r} and {back!r}", "linkify", "", nested(front, back)
    for prefix, line in product(PREFIXES, LINES):
        for format in ("text", "markdown", "csv", "email"):
            yield f"{prefix + line!r} lines", "document", f"format={format}", repeated(prefix + line + "\n")
    for prefix in PREFIXES:
        yield f"{prefix!r} before lines", "document", "format=markdown", nested(prefix, "a\n")
    for format, front, unit in LISTS:
        make = lambda size, front=front, unit=unit: front.encode() + repeated(unit)(size)
        yield f"{front!r} and {unit!r}", "document", f"format={format}", make
    for format, front, unit in [("xml", "<a>", "<b#>"), ("html", "", "<b#>"), ("xml", "<a", " b#='c'"), ("html", "<a", " b#=c"), ("xml", "<!DOCTYPE a [", "<!ENTITY b# 'c'>"),
                                ("xml", "", "<b# xmlns:c#='d'>"), ("json", "{", '"a#":{'), ("markdown", "", "[a#]: b\n"), ("markdown", "", "[a#]\n"), ("email", "", "X-#: a\n"),
                                ("text", "", "a#.com/[")]:  # fmt: skip
        yield f"{front!r} and {unit!r} numbered", "document", f"format={format}", numbered(front, unit)
    for format, (some, units) in FRONTS_OF_UNITS.items():
        for front, unit in product(some, units):
            yield f"{unit!r} behind {front!r}", "document", f"format={format}", numbered(front, unit)
    for name, field in [("Link: ", "<a>,"), ("Link: ", "<a>; rel=b,"), ("Refresh: ", "0; url=a;"), ("X: ", "a"), ("Link: ", "<"), ("Location: ", "a/")]:
        yield f"crawl {name!r} and {field!r}", "opened", "", crawl(lambda size, name=name, field=field: name.encode() + repeated(field)(size))
    yield "empty zips", "opened", "", lambda size: END * (size // len(END) + 1)
    yield "empty zips behind a zip", "opened", "", lambda size: ZIP + END * (size // len(END) + 1)
    yield "crawl of many fields", "opened", "", crawl(repeated("Link: <a>\r\n"))


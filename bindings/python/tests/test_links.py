"""Links as objects: offsets, attributes, settings, errors."""

import copy
import gc
import gzip
import io
import itertools
import multiprocessing
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from conftest import cut

import linksift

TEXTS = [
    "見て http://例え.jp/パス。 Mail an jörg@example.com, or www.example.org/a_(b).",
    "😀 http://a.example/😀 👩‍👩‍👧 example.com/𝒳?q=𝒴#z 𐍈 me@example.net",
    "\ufeffhttp://example.com/ at the start",
    "lone \ud800 http://example.com/\udc00 and \udfff example.org/x",
    "nul \x00 http://example.com/\x00 example.org",
    "",
    "https://example.com",
    "https://пример.рф/путь?q=ё https://[::1]:8080/ tel:+1-201-555-0123",
]


@pytest.mark.parametrize("text", TEXTS)
def test_slices_of_a_text_are_its_links(text):
    found = list(linksift.links(text))
    assert found or not text
    for link in found:
        assert cut(text, link) == link.raw


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "shift_jis", "iso-2022-jp", "gb18030"])
def test_slices_of_bytes_are_its_links(charset):
    text = "見て http://例え.jp/パス また example.com/あ です" * 3
    data = text.encode(charset)
    found = list(linksift.links(data, charset=charset))
    assert [link.raw for link in found] == ["http://例え.jp/パス", "example.com/あ"] * 3
    codec = {"utf-16": "utf-16-le"}.get(charset, charset)
    if charset != "iso-2022-jp":
        assert [cut(data, link).decode(codec) for link in found] == [link.raw for link in found]
    assert {link.charset for link in found} <= {charset, "utf-16le"}


def test_random_texts_of_all_planes():
    dice = random.Random(19)
    pieces = ["http://a.example/x", "example.com", "me@example.org", " ", "\n", "é", "見", "😀", "𝒳"]
    pieces += ["\ud83d", "\x00", "\u202e", "<", "(", ")", "。", "例え.jp", "//", "%", "&#46;"]
    for _ in range(3000):
        text = "".join(dice.choices(pieces, k=dice.randrange(40)))
        for link in linksift.candidates(text):
            assert (
                cut(text, link) == link.raw.replace("\ufffd", cut(text, link))[: len(link.raw)]
                or "\ufffd" in link.raw
            )
        raws = [link.raw for link in linksift.links(text)]
        assert raws == [link.raw for link in linksift.candidates(text) if hasattr(link, "uri")]


def test_attributes():
    (link,) = linksift.links("see https://pаypal.com/a")
    assert (link.start, link.end, link.kind, link.context) == (4, 24, "iri", "text")
    assert link.raw == link.iri == "https://pаypal.com/a"
    assert link.uri == str(link) == "https://xn--pypal-4ve.com/a"
    assert (link.host, link.charset) == ("xn--pypal-4ve.com", "utf-8")
    assert "host-mixed-script" in link.warnings
    assert link.severity == "deceptive"
    finding = link.findings[0]
    assert link.iri[finding.start : finding.end] == "pаypal"
    assert (finding.warning, finding.severity) == ("host-mixed-script", "deceptive")
    assert finding.what == "Latn Cyrl"
    assert link.display == "https://xn--pypal-4ve.com/a"
    for name in ["line", "column", "member", "member_bytes", "part", "transfer", "source"]:
        assert getattr(link, name) is None
    assert link.message_id is None and link.shown is None
    with pytest.raises(AttributeError):
        link.start = 3
    assert link == next(linksift.links("see https://pаypal.com/a"))
    assert len({link, next(linksift.links("see https://pаypal.com/a"))}) == 1
    assert link != next(linksift.links("https://pаypal.com/a"))
    assert link.to_dict()["uri"] == link.uri
    assert "path" not in link.to_dict()


def test_rejected_candidates_say_why():
    link, rejected = linksift.candidates("http://10.1.1.1/ http://300.1.1.1/")
    assert isinstance(link, linksift.Link) and isinstance(rejected, linksift.Rejected)
    assert (rejected.reason, rejected.raw) == ("host-ipv4", "http://300.1.1.1/")
    assert not hasattr(rejected, "uri")
    assert rejected.to_dict()["rejected"] == "host-ipv4"
    assert len(list(linksift.links("http://300.1.1.1/"))) == 0
    assert len(list(linksift.document(b"http://300.1.1.1/", rejected=True))) == 1


def test_positions_are_in_characters_of_a_text_and_in_bytes_of_bytes():
    text = "a\r\n見て example.com 😀 example.org\n\texample.net"
    places = [(link.line, link.column) for link in linksift.links(text, positions=True)]
    lines = re.split("\r\n|\r|\n", text)
    assert places == [(2, 4), (2, 18), (3, 2)]
    for link in linksift.links(text, positions=True):
        assert lines[link.line - 1][link.column - 1 :].startswith(link.raw)
    data = text.encode()
    places = [(link.line, link.column) for link in linksift.links(data, positions=True)]
    assert places == [(2, 8), (2, 25), (3, 2)]


def test_a_document_is_read_by_its_format_and_base():
    page = "<title>é😀</title><a href='/x?a=1&amp;b'>é</a><img src=y>"
    found = list(linksift.document(page, base="http://b.example/c/"))
    assert [link.uri for link in found] == ["http://b.example/x?a=1&b", "http://b.example/c/y"]
    assert [link.context for link in found] == ["a@href", "img@src"]
    for link in found:
        assert cut(page, link) == link.raw
    assert not list(linksift.links(page))
    assert len(list(linksift.links(page, format="html"))) == 2
    named = linksift.document(b"[a](http://e.example/)", name="a.md")
    assert next(named).context == "markdown:link"


def test_a_page_in_a_legacy_charset():
    page = "<meta charset=windows-1251><a href='http://пример.рф/?q=пр'>x</a>".encode("cp1251")
    (link,) = linksift.document(page)
    assert link.charset == "windows-1251"
    assert link.uri.endswith("?q=%EF%F0")
    assert cut(page, link).decode("cp1251") == link.raw


MESSAGE = (
    b"Message-ID: <1@m.example>\r\nSubject: =?utf-8?q?see_http://s.example/=C3=A9?=\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"see http://q.example/?a=3D1=\r\n2 now\r\n--b\r\nContent-Type: text/html\r\n\r\n"
    b"<a href=http://h.example/>h</a>\r\n--b--\r\n"
)


def test_a_message_has_parts_and_transfer_encodings():
    found = list(linksift.message(MESSAGE))
    assert [link.uri for link in found] == [
        "http://s.example/%C3%A9",
        "http://q.example/?a=12",
        "http://h.example/",
    ]
    assert [link.context for link in found] == ["header:subject", "text", "a@href"]
    assert [link.transfer for link in found] == ["q", "quoted-printable", None]
    assert found[1].part == "1" and found[2].part == "2"
    assert {link.message_id for link in found} == {"1@m.example"}
    assert cut(MESSAGE, found[1]) == b"http://q.example/?a=3D1=\r\n2"
    assert len(list(linksift.message(MESSAGE, headers="none"))) == 2


def test_a_mailbox_is_bytes_or_a_path(tmp_path):
    data = b"".join(b"From a@b Thu Jan  1 00:00:00 1970\n" + MESSAGE + b"\n" for _ in range(3))
    path = tmp_path / "m.mbox"
    path.write_bytes(data)
    found = list(linksift.mailbox(data))
    assert len(found) == 9 and found[4].part == "2!1"
    assert list(linksift.mailbox(path)) == found
    assert list(linksift.mailbox(str(path))) == found
    with pytest.raises(FileNotFoundError) as error:
        linksift.mailbox(tmp_path / "none.mbox")
    assert error.value.filename == str(tmp_path / "none.mbox")


def test_linkify_escapes_and_marks():
    assert linksift.linkify("<a> example.com", rel="") == (
        '&lt;a&gt; <a href="https://example.com">example.com</a>'
    )
    html = linksift.linkify("a@b.example.org", rel="nofollow", target="_blank")
    assert 'href="mailto:a@b.example.org"' in html and 'target="_blank"' in html
    assert 'class="c"' in linksift.linkify("example.com", class_="c")
    assert "<a" not in linksift.linkify("javascript:alert(1)//example")


def test_linkify_html_marks_bare_links():
    html = "<p class='x'>see example.com &amp; <a href='/'>example.org</a></p>"
    marked = linksift.linkify_html(html, rel="")
    assert marked == html.replace("example.com", '<a href="https://example.com">example.com</a>')
    assert linksift.Finder(schemeless=False).linkify_html(html) == html


def test_a_panic_is_an_exception():
    if not hasattr(linksift._native, "_panic"):
        pytest.skip("not a debug build")
    with pytest.raises(linksift.InternalError, match="on purpose"):
        linksift._native._panic()


def test_the_stubs_have_all_settings():
    stub = Path(linksift.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    classes = stub[stub.index("class _Settings") : stub.index("class NotReadError")]
    names = {name.rstrip("_") for name in re.findall(r"^    (\w+):", classes, re.MULTILINE)}
    assert names == set(linksift.SETTINGS)


def test_the_stubs_have_all_formats():
    stub = Path(linksift.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    named = re.search(r"format: \(?\s*Literal\[(.*?)\]", stub, re.DOTALL)[1]
    with pytest.raises(ValueError) as error:
        linksift.Finder(format="none")
    known = str(error.value).split("one of ")[1]
    assert re.findall(r"[a-z]+", named) == re.findall(r"[a-z]+", known)


def test_settings_have_the_names_of_the_options():
    text = "example.com foo://a/ http://b.example/ me@c.example.org"
    uris = linksift.uris
    assert len(uris(text)) == 3
    assert uris(text, schemes="any", schemeless=False, emails=False) == [
        "foo://a/",
        "http://b.example/",
    ]
    assert uris(text, default_scheme="http")[0] == "http://example.com"
    assert uris("http://例え.jp/", host="unicode") == ["http://例え.jp/"]
    assert uris(text, schemes=["foo"]) == uris(text, schemes="foo") == ["foo://a/"]
    assert uris(text, emails=None) == uris(text)
    assert {"schemes", "default_scheme", "max_link", "headers"} <= set(linksift.SETTINGS)
    assert uris("x http://example.com/" + "a" * 100, max_link=50) == []


@pytest.mark.parametrize("times", [0, 1, 1_000, 30_000])
def test_uris_are_those_of_the_links(times):
    class Text(str):
        pass

    line = "http://256.1.1.1/ http://例え.jp/パス 😀 example.com, me@example.org\n"
    text = line * times
    half = text + "\ud83d http://b.example/"
    finders = [
        linksift.Finder(),
        linksift.Finder(positions=True),
        linksift.Finder(format="html"),
        linksift.Finder(emails=False),
    ]
    for source in (text, Text(text), half, text.encode(), bytearray(text.encode()), text.encode("utf-16")):
        for finder in finders:
            uris = finder.uris(source)
            assert type(uris) is list and all(type(uri) is str for uri in uris)
            assert uris == [link.uri for link in finder.links(source)]
    assert len(linksift.uris(text)) == 3 * times
    with pytest.raises(ValueError, match="charset"):
        linksift.uris(text, charset="latin1")


def test_a_message_in_a_str_is_ascii():
    plain = "Content-Type: text/plain; charset={}\nContent-Transfer-Encoding: 8bit\n\n{}\n"
    latin = plain.format("iso-8859-1", "http://e.example/é")
    answer = "HTTP/1.1 200 OK\nContent-Type: text/plain; charset=iso-8859-1\n\nhttp://e.example/é"
    calls = [
        lambda: linksift.message(latin),
        lambda: linksift.message(plain.format("utf-16", "http://e.example/é")),
        lambda: linksift.message(latin, rejected=True),
        lambda: linksift.message(latin.replace("é", "\udce9")),
        lambda: linksift.document(latin, format="email"),
        lambda: linksift.document(latin, name="a.eml"),
        lambda: linksift.document("Subject: a\nFrom: b@e.example\n" + latin),
        lambda: linksift.document("From a@e.example Sat Jan  1 00:00:00 2000\n" + latin, format="mbox"),
        lambda: linksift.document(answer, format="http"),
        lambda: linksift.links(latin, format="email"),
        lambda: linksift.uris(latin, format="email"),
        lambda: linksift.arrow(["", latin], format="email"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="a str that is a message has to be ASCII.*: pass bytes"):
            call()
    quoted = plain.replace("8bit", "quoted-printable").format("iso-8859-1", "http://e.example/=E9")
    for text in [quoted, plain.format("us-ascii", "http://e.example/")]:
        found, stored = list(linksift.message(text)), list(linksift.message(text.encode()))
        assert found == stored and len(found) == 1
    assert linksift.message(quoted).__next__().uri == "http://e.example/%C3%A9"
    assert linksift.uris(latin.encode("latin1"), format="email") == ["http://e.example/%C3%A9"]
    # As running text it is read as it stands.
    assert linksift.uris(latin) == ["http://e.example/%C3%A9"]
    failed = linksift.arrow(["", latin], format="email", errors="rows").to_pylist()
    assert [row["row"] for row in failed] == [1] and "pass bytes" in failed[0]["error"]


def test_halves_of_surrogate_pairs_are_no_error():
    for text in [
        "http://user\ud800@256.1.1.1/\udc00 x",
        "http://256.1.1.1/a\ud800b",
        "http://a.b\udfffc.example/ é",
    ]:
        for found in linksift.candidates(text):
            assert found.raw == cut(text, found) == found.to_dict()["raw"]
    assert linksift.linkify("\ud800 <") == "\ufffd &lt;"
    assert linksift.linkify_html("<b>\udc00\udc00 \U0001f600") == "<b>\ufffd\ufffd \U0001f600"
    assert 'href="https://bb.de"' in linksift.linkify("\ud83d bb.de")


def test_wrong_settings_are_named():
    with pytest.raises(TypeError, match="sheme"):
        linksift.links("", shemes="any")
    with pytest.raises(ValueError, match="boundaries"):
        linksift.links("", boundaries="none")
    with pytest.raises(LookupError, match="klingon"):
        linksift.links(b"", charset="klingon")
    with pytest.raises(ValueError, match="max"):
        linksift.Finder(max_link=-1)
    with pytest.raises(TypeError, match="schemes"):
        linksift.Finder(schemes=object())
    for number in [-1, 1 << 64]:
        for call, keyword in [
            (linksift.arrow, "threads"),
            (linksift.scan_paths, "threads"),
            (linksift.scan_paths, "max_depth"),
            (linksift.Finder().scan_paths, "max_window"),
        ]:
            with pytest.raises(ValueError, match=f"invalid value {number}"):
                call([], **{keyword: number})
    with pytest.raises(TypeError):
        linksift.arrow([], threads="2")
    with pytest.raises(TypeError):
        linksift.links(3)
    with pytest.raises(TypeError):
        linksift.links(None)
    with pytest.raises(ValueError, match="charset"):
        linksift.links("x", charset="utf-8")
    with pytest.raises(linksift.CharsetError, match="iso-2022-kr"):
        linksift.document(b"<meta charset=iso-2022-kr>http://example.com/")
    assert issubclass(linksift.CharsetError, ValueError)
    assert issubclass(linksift.InternalError, RuntimeError)


def test_a_list_of_schemes_selects_links_by_their_uri():
    text = "bb.de a@bb.de http://c.example/ https://d.example/ <a href=mailto:e@bb.de>"
    for find in [
        linksift.links,
        lambda *args, **settings: linksift.document(*args, format="html", **settings),
    ]:
        links = [link.uri for link in find(text, schemes=["http"])]
        assert links == ["http://c.example/"]
        links = [link.uri for link in find(text, schemes=["http"], default_scheme="http")]
        assert links == ["http://bb.de", "http://c.example/"]
        codes = {link.reason for link in find(text, schemes="foo", rejected=True)}
        assert codes == {"scheme-not-selected"}


PNG = b"\x89PNG\r\n\x1a\n http://example.com/"
KLINGON = b"<meta charset=klingon><a href=http://example.com/>x</a>"


@pytest.mark.parametrize("rejected", [False, True])
def test_what_is_not_read_has_a_notice(rejected):
    def notices(source, find=linksift.document, **more):
        links = find(source, rejected=rejected, **more)
        for _ in links:
            pass
        assert links.notices == links.notices
        return links.notices

    hz = b"Content-Type: text/plain; charset=hz-gb-2312\n\n~{<:Ky2;~} http://example.com/"
    long = b" " * (2 << 20)
    for archives in [False, True]:
        assert notices(KLINGON, archives=archives) == [("", "unknown-charset", "")]
        assert notices(KLINGON + long, archives=archives) == [("", "unknown-charset", "")]
        assert notices(hz, linksift.message, archives=archives) == [("", "undecodable", "")]
        assert notices(hz + long, linksift.message, archives=archives) == [("", "undecodable", "")]
        assert notices(b"see example.com", archives=archives) == []
    assert notices("<meta charset=klingon>http://example.com/") == []
    assert notices(gzip.compress(KLINGON), archives=True) == [("", "unknown-charset", "")]
    assert notices(b"From a\n" + hz, linksift.mailbox) == [("", "undecodable", "1")]
    # Of a part, which is named whether the message is in memory, a stream or searched for archives.
    part = "--b\nContent-Transfer-Encoding: odd\n\ntext\n"
    parts = f"Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n{part}--b--\n".encode()
    for archives in [False, True]:
        for more in [b"", long]:
            named = notices(parts + more, linksift.message, archives=archives)
            assert named == [("", "unknown-transfer", "2")]
    # What is known before the first link, and what an error left.
    links = linksift.document(KLINGON)
    assert links.notices == [("", "unknown-charset", "")] and len(list(links)) == 1
    assert linksift.links("example.com").notices == []


@pytest.mark.parametrize("archives", [False, True])
@pytest.mark.parametrize("rejected", [False, True])
def test_a_document_of_which_nothing_is_read_is_an_error(archives, rejected):
    unread = {
        PNG: "media",
        b"PK\3\4\x14\0\0\0 http://e.example/": "archive",
        b"Rar!\x1a\7\0 http://e.example/": "unsupported",
        b"SQLite format 3\0 http://e.example/": "table",
        b"\x7fELF\2\1\1\0 http://e.example/": "binary",
        b"<meta charset=iso-2022-kr>http://e.example/": "undecodable",
    }
    for source, code in unread.items():
        if archives and code == "archive":
            continue
        # In memory, and as a stream.
        for more in [b"", b" " * (2 << 20)]:
            with pytest.raises(linksift.NotReadError) as raised:
                linksift.document(source + more, rejected=rejected, archives=archives)
            assert raised.value.code == code
    assert issubclass(linksift.CharsetError, linksift.NotReadError)
    salvaged = linksift.document(b"\x7fELF\2\1\1\0 http://e.example/", salvage=True)
    assert [link.uri for link in salvaged] == ["http://e.example/"]


def test_the_notices_of_members_are_named():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.html", KLINGON)
        archive.writestr("b.png", PNG)
    links = linksift.document(packed.getvalue(), archives=True)
    assert [link.member for link in links] == ["a.html"]
    assert links.notices == [("a.html", "unknown-charset", ""), ("b.png", "media-unread", "")]


def test_a_finder_is_pickled_copied_and_compared():
    finder = linksift.Finder(schemes=["http", "foo"], emails=False)
    for other in [pickle.loads(pickle.dumps(finder)), copy.deepcopy(finder)]:
        assert other == finder and hash(other) == hash(finder)
        assert other.uris("foo://a http://b") == ["foo://a", "http://b"]
    assert finder != linksift.Finder() and finder != 3
    assert "schemes='http,foo'" in repr(finder).replace('"', "'")
    assert finder.settings == {"emails": "no", "schemes": "http,foo"}


def test_bytes_of_all_kinds():
    data = b"see http://example.com/"
    for one in [data, bytearray(data), memoryview(data), memoryview(data * 2)[: len(data)]]:
        assert [link.start for link in linksift.links(one)] == [4]
    changing = bytearray(data)
    links = linksift.links(changing)
    changing[:] = b"x" * 1000
    assert next(links).raw == "http://example.com/"


def test_long_sources_are_the_same_as_short_ones():
    piece = "見 http://example.com/😀 me@example.org x\n"
    text = piece * (18 << 20 >> 5)
    short = [(link.start, link.end, link.uri) for link in linksift.links(piece * 3)]
    long = linksift.links(text)
    assert [(link.start, link.end, link.uri) for link in [next(long) for _ in range(6)]] == short
    total = 6 + sum(1 for _ in long)
    assert total == 2 * (18 << 20 >> 5)
    last = None
    for last in linksift.links(text.encode()):
        pass
    assert last.end == len(text.encode()) - 3


def test_threads_share_a_finder_and_an_iterator():
    text = "http://example.com/{} " * 20000
    finder = linksift.Finder()
    counts = []
    one = finder.links(text)

    def work():
        counts.append(sum(1 for _ in finder.links(text)))

    def share():
        counts.append(sum(1 for _ in one))

    for target, number in [(work, 8), (share, 4)]:
        threads = [threading.Thread(target=target) for _ in range(number)]
        counts.clear()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sum(counts) == 20000 * (number if target is work else 1)


def test_other_threads_run_while_a_long_text_is_searched():
    text = ("http " + "a.b" * 30 + " ") * (8 << 20 >> 6)
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    for _ in linksift.links(text):
        pass
    took = time.monotonic() - start
    done.set()
    thread.join()
    longest = max(b - a for a, b in itertools.pairwise(ticks))
    assert longest < max(0.5, took)


def child(text, queue):
    queue.put(len(linksift.uris(text)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_works():
    text = "http://example.com/ " * 1000
    long = linksift.links(text * 1000)
    assert len(linksift.uris(text)) == 1000
    next(long)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(text, queue))
    process.start()
    assert queue.get(timeout=10) == 1000
    process.join(10)
    assert process.exitcode == 0


INTERRUPTED = """
import linksift, signal, sys, time, os, threading
text = "no link in this at all 見て " * (int(sys.argv[1]) // 32)
linksift.links(text)
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.2, interrupt).start()
try:
    while True:
        for _ in linksift.links(text, positions=True):
            pass
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


def test_interrupts_are_seen_soon():
    run = [sys.executable, "-c", INTERRUPTED, str(256 << 20)]
    out = subprocess.run(run, capture_output=True, text=True, timeout=120)
    assert out.returncode == 0, out.stderr
    # Half a second, and a busy machine.
    assert float(out.stdout) < 1


def test_no_memory_is_lost():
    text = "見 http://example.com/😀 http://300.1.1.1/ " * 50

    def work():
        for link in linksift.candidates(text):
            link.to_dict(), link.findings, repr(link)
        list(linksift.document(f"<a href={text!r}>"))
        with pytest.raises(linksift.CharsetError):
            linksift.document(b"<meta charset=iso-2022-kr>")
        next(linksift.links(text))

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("no /proc here")
    for _ in range(100):
        work()
    gc.collect()
    before = resident()
    tracemalloc.start()
    first = tracemalloc.get_traced_memory()[0]
    for _ in range(300):
        work()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 200_000
    assert resident() - before < 8 << 20


def test_importing_does_nothing():
    code = (
        "import sys, threading; before = set(sys.modules); import linksift;"
        "assert threading.active_count() == 1;"
        "heavy = {'pyarrow', 'pandas', 'pyspark', 'socket'} & (set(sys.modules) - before);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


HOSTILE = [
    "http://" * 20000,
    "(" * 100000 + "http://a.example/" + ")" * 100000,
    "a." * 100000,
    "@" * 200000,
    "&#46;" * 50000,
    "http://a.example/" + "😀" * 60000,
    "\ud800" * 100000,
    "mailto:" * 30000,
    "<" * 100000,
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_texts_take_no_time(number):
    text = HOSTILE[number]
    start = time.monotonic()
    for link in linksift.candidates(text):
        cut(text, link), link.iri
    for source in [text, text.encode("utf-8", "surrogatepass")]:
        for _ in linksift.document(source, format="html", positions=True):
            pass
    # Of a debug build on a busy machine; quadratic would be minutes.
    assert time.monotonic() - start < 30


def test_signals_of_other_kinds_pass():
    got = []
    old = signal.signal(signal.SIGUSR1, lambda *_: got.append(1))
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
        assert len(linksift.uris("http://example.com/ " * 10)) == 10
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert got


# A zip of notes.txt and of bad.txt, whose bytes are broken, attached to a message.
BOX = b"""\
Content-Type: application/zip; name=box.zip
Content-Transfer-Encoding: base64

UEsDBBQAAAAIAEIKd10QnqBCHQAAAEQAAAAJAAAAbm90ZXMudHh0K05NVcgoKSmw0tdPrUjMLchJ
1UvOz9VP1CFBFABQSwMEFAAAAAgAQgp3Xe4k/d0aAAAAqAAAAAcAAABiYWQudHh0/ygpKbDS10+t
SMwtyEnVS87P1U9SyBh8ggBQSwECFAMUAAAACABCCnddEJ6gQh0AAABEAAAACQAAAAAAAAAAAAAA
gAEAAAAAbm90ZXMudHh0UEsBAhQDFAAAAAgAQgp3Xe4k/d0aAAAAqAAAAAcAAAAAAAAAAAAAAIAB
RAAAAGJhZC50eHRQSwUGAAAAAAIAAgBsAAAAgwAAAAAA
"""


def test_archives_that_are_attached():
    assert list(linksift.message(BOX)) == []
    found, failure = [], ""
    try:
        for link in linksift.message(BOX, archives=True):
            found.append((link.uri, link.part, link.member, link.member_bytes, link.end - link.start))
    except OSError as error:
        failure = str(error)
    assert found == [("http://example.com/a", "1", "notes.txt", None, 20)] * 3
    assert "bad.txt" in failure
    with pytest.raises(ValueError):
        linksift.message(BOX.decode(), archives=True)
    gz = gzip.compress("見て http://例え.jp/".encode())
    (link,) = linksift.document(gz, archives=True)
    assert (link.start, link.uri) == (7, "http://xn--r8jz45g.jp/")


def test_what_becomes_of_links_that_deceive():
    text = "http://www.bank.com.evil.test/"
    assert 'class="suspect" title="suspect: The host begins' in linksift.linkify(text, on_suspect="mark")
    assert "<a" not in linksift.linkify(text, on_suspect="text")
    assert "<b>evil.test</b>" in linksift.linkify(text, emphasize_host=True)
    with pytest.raises(ValueError):
        linksift.linkify(text, on_suspect="drop")

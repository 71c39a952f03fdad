"""Paths: files, archives and mailboxes as a stream of batches."""

import gzip
import io
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile

import pytest
from conftest import needs

import linksift


def records(scan):
    return [row for batch in scan for row in batch.to_pylist()]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "a.txt").write_text("見て http://例え.jp/パス\nexample.com")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "page.html").write_bytes(
        "<meta charset=windows-1251><a href='http://пример.рф/'>x</a>".encode("cp1251")
    )
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("in.txt", "see http://zip.example/ and mail@example.org")
        inner = io.BytesIO()
        with tarfile.open(fileobj=inner, mode="w:gz") as tar:
            data = b"see http://tar.example/"
            info = tarfile.TarInfo("deep!.txt")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        archive.writestr("t.tar.gz", inner.getvalue())
    (tmp_path / "d.txt.gz").write_bytes(gzip.compress(b"http://gzip.example/"))
    (tmp_path / "e.mbox").write_bytes(
        b"From a@b\nSubject: a\nMessage-ID: <m@x>\n\nhttp://one.example/\n\n"
        b"From a@b\nSubject: b http://two.example/\n\n.\n"
    )
    return tmp_path


def test_files_archives_and_mailboxes_in_order(tree):
    found = records(linksift.scan_paths(tree))
    places = [(os.path.relpath(row["path"], tree), row["member"], row["part"], row["uri"]) for row in found]
    assert places == [
        ("a.txt", None, None, "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9"),
        ("a.txt", None, None, "https://example.com"),
        ("b/page.html", None, None, "http://xn--e1afmkfd.xn--p1ai/"),
        ("c.zip", "in.txt", None, "http://zip.example/"),
        ("c.zip", "in.txt", None, "mailto:mail@example.org"),
        ("c.zip", "t.tar.gz!deep%21.txt", None, "http://tar.example/"),
        ("d.txt.gz", None, None, "http://gzip.example/"),
        ("e.mbox", None, "1!1", "http://one.example/"),
        ("e.mbox", None, "2", "http://two.example/"),
    ]
    for threads in [1, 2, 5]:
        assert records(linksift.scan_paths([str(tree)], threads=threads)) == found
    assert records(linksift.scan_paths(os.fsencode(tree))) == found


ODD = [
    # One NUL takes no format from a document that is named; without a name it is no text.
    ("n.html", b'\0<p>www.b.com <a href="http://e.example/?a&amp;b">x</a>', None, 2),
    (None, b'\0<p>www.b.com <a href="http://e.example/?a">x</a>', "binary", 1),
    ("v.ts", b"\x47\0\x01\x02 www.b.com http://e.example/ \0\x01\x02\x03", "binary", 1),
    ("x.html", b"\x89PNG\r\n\x1a\n\0 www.b.com http://e.example/", "media", 0),
    ("x.gif", b"GIF89a\x01\0 http://e.example/", "media", 0),
    (None, b"PAR1\x15\0 http://e.example/", "table", 0),
    ("x.7z", b"7z\xbc\xaf\x27\x1c www.b.com http://e.example/", "unsupported", 1),
    (None, b"\xef\xbb\xbfSubject: www.b.com\nTo: b@c.example\n\nhttp://e.example/", None, 2),
]


@pytest.mark.parametrize(("name", "stored", "code", "count"), ODD)
def test_what_a_document_is_is_the_same_in_memory_and_in_a_file(name, stored, code, count, tmp_path):
    given = {} if name is None else {"name": name}
    found = []
    if code is not None:
        with pytest.raises(linksift.NotReadError) as raised:
            linksift.document(stored, **given)
        assert raised.value.code == code
    if count > 0:
        links = linksift.document(stored, salvage=True, **given)
        found = [(link.start, link.end, link.uri) for link in links]
    assert len(found) == count
    path = tmp_path / (name or "document")
    path.write_bytes(stored)
    of_file = records(linksift.scan_paths(path, fields=["start", "end", "uri"]))
    assert [(row["start"], row["end"], row["uri"]) for row in of_file] == found


def test_fields_settings_and_summary(tree):
    names = ["path", "line", "column", "charset", "host", "message_id", "warnings"]
    scan = linksift.scan_paths([tree / "a.txt", tree / "b"], fields=names, schemeless=False)
    found = records(scan)
    assert [(row["line"], row["column"], row["charset"]) for row in found] == [
        (1, 8, "utf-8"),
        (1, 37, "windows-1251"),
    ]
    assert list(found[0]) == names
    files, failed, size, links = scan.summary
    assert (files, failed, links) == (2, 0, 2) and size > 50
    assert scan.failures == scan.notices == []
    never = records(linksift.scan_paths(tree / "c.zip", archives=False))
    assert "http://tar.example/" not in [row["uri"] for row in never]
    with pytest.raises(ValueError, match="unknown field"):
        linksift.scan_paths(tree, fields=["row"])
    with pytest.raises(ValueError, match="one of"):
        linksift.scan_paths(tree, errors="ignore")
    with pytest.raises(ValueError, match="one of"):
        linksift.scan_paths(tree, binary="yes")
    with pytest.raises(TypeError):
        linksift.scan_paths(tree, shemes="any")
    with pytest.raises(TypeError):
        linksift.scan_paths(3)


def test_what_fails_is_told(tree):
    (tree / "aa.gz").write_bytes(gzip.compress(b"see http://cut.example/ " * 999)[:-20])
    with pytest.raises(OSError, match="aa.gz"):
        records(linksift.scan_paths(tree))
    with pytest.raises(FileNotFoundError) as error:
        records(linksift.scan_paths([tree / "none.txt", tree]))
    assert error.value.filename == str(tree / "none.txt")
    scan = linksift.scan_paths([tree, tree / "none.txt"], errors="skip")
    assert len(records(scan)) > 9
    assert [path for path, _, _ in scan.failures] == [str(tree / "aa.gz"), str(tree / "none.txt")]
    found = records(linksift.scan_paths([tree, "/no such file"], errors="rows"))
    told = [row for row in found if row["error"]]
    assert [row["path"] for row in told] == [str(tree / "aa.gz"), "/no such file"]
    assert all(row["uri"] is None and row["start"] is None for row in told)
    # What was found before comes first.
    before = found[: found.index(told[0])]
    assert before[-1]["path"] == str(tree / "aa.gz")


def test_a_name_that_is_not_utf8(tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff.txt"
    with open(name, "wb") as file:
        file.write(b"http://a.example/")
    for path in [name, os.fsdecode(name), tmp_path]:
        assert [row["uri"] for row in records(linksift.scan_paths(path))] == ["http://a.example/"]


def test_a_stream_for_other_libraries(tree):
    pa = needs("pyarrow")
    found = records(linksift.scan_paths(tree))
    table = pa.table(linksift.scan_paths(tree))
    table.validate(full=True)
    assert table.to_pylist() == found
    reader = pa.RecordBatchReader.from_stream(linksift.scan_paths(tree))
    assert sum(batch.num_rows for batch in reader) == len(found)
    batch = next(linksift.scan_paths(tree))
    assert pa.record_batch(batch).num_rows == len(batch)
    with pytest.raises(OSError, match="no such file"):
        pa.table(linksift.scan_paths(["/no such file"]))
    pl = needs("polars")
    assert pl.DataFrame(linksift.scan_paths(tree)).to_dicts() == found


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here")
def test_a_big_scan_streams_in_bounded_memory(tmp_path):
    line = b"text before http://example.com/some/path?with=query and text after it\n"
    big = tmp_path / "big.txt.gz"
    big.write_bytes(gzip.compress(line * (1 << 20), 1))
    code = """
import linksift, sys
scan = linksift.scan_paths(sys.argv[1], fields=["start", "uri"])
count = sum(len(batch) for batch in scan)
peak = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(count, peak[0].split()[1])
"""
    run = [sys.executable, "-c", code, str(big)]
    out = subprocess.run(run, capture_output=True, text=True, check=True, timeout=300)
    count, peak = map(int, out.stdout.split())
    assert count == 1 << 20
    assert peak < 150_000
    first = next(linksift.scan_paths(big))
    assert 0 < len(first) < 1 << 18


def test_a_scan_can_be_left_and_interrupted(tmp_path):
    path = tmp_path / "big.txt"
    path.write_bytes(b"http://example.com/ and a long text without\n" * (1 << 20))
    scan = linksift.scan_paths(path)
    next(scan)
    scan.close()
    with pytest.raises(StopIteration):
        next(scan)
    del scan
    code = """
import linksift, sys, os, signal, threading, time
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.3, interrupt).start()
try:
    while True:
        for batch in linksift.scan_paths(sys.argv[1]):
            pass
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""
    run = [sys.executable, "-c", code, str(path)]
    out = subprocess.run(run, capture_output=True, text=True, timeout=120)
    assert out.returncode == 0, out.stderr
    assert float(out.stdout) < 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_scans_on_its_own(tree):
    scan = linksift.scan_paths(tree)
    records(linksift.scan_paths(tree))
    pid = os.fork()
    if pid == 0:
        try:
            assert len(records(linksift.scan_paths(tree, threads=2))) == 9
            try:
                next(scan)
            except RuntimeError:
                os._exit(0)
        finally:
            os._exit(1)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    raise AssertionError("the child hangs")


def test_a_scan_that_has_been_read_is_not_read_again(tree):
    scan = linksift.scan_paths(tree)
    assert len(records(scan)) == 9
    for again in (records, lambda scan: scan.__arrow_c_stream__()):
        with pytest.raises(RuntimeError, match="has been read to its end"):
            again(scan)
    closed = linksift.scan_paths(tree)
    closed.close()
    with pytest.raises(RuntimeError, match="or closed"):
        records(closed)

#!/usr/bin/env python3
"""A crawl, a tar.zst, a zip and small gzip files, made of the pages of a folder: the command beside programs that read the same.

    benches/bulk.py BINARY TREE DIR [--documents BINARY] [--rounds N]

Peers that are not there are left out: pigz, ugrep, rg, bsdtar, zstd as commands, FastWARC, resiliparse and warcio of PyPI. They take
turns, so read the ratios. `--documents` is `benches`' own: `container::documents` alone. Processor seconds are those of all threads;
half of the wall is what two threads save.
"""

import argparse
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

# The scripts of peers that are libraries; each prints what it counted.
FASTWARC = """
import re, sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
links, how = 0, sys.argv[2]
url = re.compile(rb"https?://[^\\s<>\\"']+")
for record in ArchiveIterator(open(sys.argv[1], "rb"), record_types=WarcRecordType.response):
    if how == "iterate":
        links += 1
    elif how == "read":
        links += len(record.reader.read()) > 0
    elif how == "regex":
        links += len(url.findall(record.reader.read()))
    else:
        from resiliparse.parse.html import HTMLTree
        tree = HTMLTree.parse_from_bytes(record.reader.read(), "utf-8")
        links += len(tree.document.query_selector_all("a[href]"))
print(links)
"""
WARCIO = """
import re, sys
from warcio.archiveiterator import ArchiveIterator
url = re.compile(rb"https?://[^\\s<>\\"']+")
with open(sys.argv[1], "rb") as file:
    print(sum(len(url.findall(r.content_stream().read())) for r in ArchiveIterator(file) if r.rec_type == "response"))
"""
URL = """https?://[^\\s<>"']+"""


def pages(tree):
    """Pages and texts of at most 400 KB, in order, each with its name."""
    for path in sorted(tree.rglob("*")):
        if path.suffix in (".html", ".txt") and path.is_file() and not path.is_symlink() and 0 < path.stat().st_size < 400_000:
            yield path


def make(tree, out):
    """The archives; the bytes of the documents in each."""
    found = list(pages(tree))
    sizes = {}
    with open(out / "crawl.warc.gz", "wb") as file:
        for number, path in enumerate(found):
            data = path.read_bytes()
            media_type = "text/html" if path.suffix == ".html" else "text/plain"
            http = f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://site.example/{number}/\r\n"
                f"WARC-Date: 2026-11-23T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 6, mtime=0))
            sizes["crawl.warc.gz"] = sizes.get("crawl.warc.gz", 0) + len(data)
    sizes["pages.tar.zst"] = sizes["pages.zip"] = sizes["crawl.warc.gz"]
    with tarfile.open(out / "pages.tar", "w") as archive:
        for path in found:
            archive.add(path, path.relative_to(tree))
    subprocess.run(["zstd", "-q", "-3", "--rm", "-f", out / "pages.tar"], check=True)
    with zipfile.ZipFile(out / "pages.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in found:
            archive.writestr(zipfile.ZipInfo(str(path.relative_to(tree))), path.read_bytes(), zipfile.ZIP_DEFLATED)
    small = [path for path in found if path.stat().st_size < 20_000]
    (out / "small").mkdir(exist_ok=True)
    sizes["small"] = 0
    for number in range(20_000):
        path = small[number % len(small)]
        data = path.read_bytes()
        sizes["small"] += len(data)
        (out / "small" / f"{number:05}{path.suffix}.gz").write_bytes(gzip.compress(data, 6, mtime=0))
    return sizes


def contenders(binary, documents, has):
    """By archive: rows of a name and a command; the first is what the others are set against."""

    def ours(*arguments):
        return [binary, "--count", *arguments]

    def python(script, *arguments):
        return [sys.executable, "-c", script, *arguments]

    as_text = ["--format", "text", "--charset", "utf-8"]
    tables = {
        "crawl.warc.gz": [
            ("linksift, one thread, all contexts", ours("-j1")),
            ("linksift, two threads", ours("-j2")),
            ("linksift, two threads, text in UTF-8", ours("-j2", *as_text)),
        ],
        "pages.tar.zst": [
            ("linksift, two threads, text in UTF-8", ours("-j2", *as_text)),
            ("linksift, one thread, text in UTF-8", ours("-j1", *as_text)),
            ("linksift, two threads, all contexts", ours("-j2")),
            ("zstd -dc", ["zstd", "-dcq"]),
        ],
        "pages.zip": [
            ("linksift, two threads, all contexts", ours("-j2")),
            ("linksift, one thread", ours("-j1")),
        ],
        "small": [
            ("linksift, two threads, all contexts", ours("-j2")),
            ("linksift, one thread", ours("-j1")),
            ("linksift, two threads, text in UTF-8", ours("-j2", *as_text)),
        ],
    }
    if documents:
        for archive in ("crawl.warc.gz", "pages.tar.zst", "pages.zip"):
            tables[archive].append(("`container::documents` alone, one thread", [documents]))
    if has("pigz"):
        tables["crawl.warc.gz"].append(("pigz -dc", ["pigz", "-dc"]))
    if has("bsdtar"):
        tables["pages.zip"].append(("bsdtar -xO", ["bsdtar", "-xOf"]))
    for archive, rows in tables.items():
        if has("ugrep"):
            rows.append(("ugrep -z -o", ["ugrep", "-z", "-J2", "-o", "-h", *(["-r"] if archive == "small" else []), URL]))
        # It starts a process for each small file, which takes minutes, and opens no zip.
        if has("rg") and archive not in ("pages.zip", "small"):
            rows.append(("rg -z -a -o", ["rg", "-z", "-a", "-j2", "-o", "-I", "--no-ignore", URL]))
    try:
        import fastwarc

        for how in ("iterate", "read", "regex"):
            what = {"iterate": "records", "read": "bodies read", "regex": "`https?://`"}[how]
            tables["crawl.warc.gz"].append((f"FastWARC {fastwarc.__version__ if hasattr(fastwarc, '__version__') else ''}, {what}", python(FASTWARC, "FILE", how)))
        import resiliparse

        tables["crawl.warc.gz"].append(("FastWARC, resiliparse `a[href]`", python(FASTWARC, "FILE", "parse")))
    except ImportError:
        pass
    try:
        import warcio

        tables["crawl.warc.gz"].append(("warcio, `https?://`", python(WARCIO, "FILE")))
    except ImportError:
        pass
    return tables


def run(command, file):
    """Seconds by the wall and of the processor, and lines, or the number, that came out; the peak in MiB."""
    command = [str(file) if part == "FILE" else part for part in command]
    if str(file) not in command:
        command.append(str(file))
    with open(file.parent / "out", "wb") as out:
        begun, peak = time.monotonic(), 0
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            try:
                status = Path(f"/proc/{process.pid}/status").read_text()
                peak = max(peak, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
            except OSError:
                pass
            time.sleep(0.002)
        wall = time.monotonic() - begun
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return wall, usage.ru_utime + usage.ru_stime, peak / 1024


def counted(out):
    """What came out: the sum of counts, or so many lines."""
    data = out.read_bytes()[: 1 << 28]
    lines = data.splitlines()
    if len(lines) == 1 and lines[0].isdigit():
        return int(lines[0])
    last = [line.rsplit(b":", 1)[-1] for line in lines]
    return sum(map(int, last)) if lines and all(word.isdigit() for word in last) else len(lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("binary")
    parser.add_argument("tree", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    sizes = make(options.tree, options.folder)
    for archive, rows in contenders(options.binary, options.documents, shutil.which).items():
        path = options.folder / archive
        stored = sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size
        measured, found = {name: [] for name, _ in rows}, {}
        for number in range(options.rounds + 1):
            for name, command in rows:
                figures = run(command, path)
                found[name] = counted(options.folder / "out")
                # The first round fills the cache.
                if number:
                    measured[name].append(figures)
        print(f"### {archive}: {stored / 1e6:.0f} MB stored, {sizes[archive] / 1e6:.0f} MB of documents\n")
        print("| | processor, s | GB/s of it | wall, s | peak, MiB | found | ours takes … of its processor | … of its wall |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        first = measured[rows[0][0]]
        for name, _ in rows:
            wall, processor, peak = (statistics.median(column) for column in zip(*measured[name]))
            ratios = [statistics.median(a[at] / b[at] for a, b in zip(first, measured[name])) for at in (1, 0)]
            print(
                f"| {name} | {processor:.2f} | {sizes[archive] / processor / 1e9:.2f} | {wall:.2f} | {peak:.0f} | {found[name]} "
                f"| {ratios[0]:.2f} | {ratios[1]:.2f} |",
                flush=True,
            )
        print()
    (options.folder / "out").unlink()


main()

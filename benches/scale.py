#!/usr/bin/env python3
"""Large archives, made, and the command on them: wall, processor time, peak memory, and whether the links are those of the files.

    benches/scale.py BINARY DIR [--gigabytes N] [tree|tar|zip|warc]...

Each kind holds the same documents in the same order, so many gigabytes of them unpacked: `tar` a tar.zst, `zip` one zip (200,000
entries for 10), `warc` a crawl with a gzip member for each record, `tree` files in folders. What is made in DIR is deleted after its
run. Links are compared by a digest of which document each is in, where, and its URI. Needs `zstd` for tar.
"""

import argparse
import hashlib
import random
import resource
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import zlib
from io import BytesIO
from pathlib import Path

WORDS = """the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you
were all her she there would their we him been has when who will no more if out so up said what its about than into them can only
other time new some could these two may first then do any like my now over such our man me even most made after also did many
off before must well back through years much where your way down should because long each just state""".split()
SIZE = 50_000
DISTINCT = 2000


def document(dice, number):
    """A text or, each second time, a page, with a link every two kilobytes or so."""
    lines = []
    length = 0
    while length < SIZE:
        line = " ".join(dice.choices(WORDS, k=14))
        if dice.randrange(24) == 0:
            link = f"http://h{dice.randrange(5000)}.example.org/{dice.randrange(10**6)}?a=b"
            line += f" <a href='{link}'>there</a>" if number % 2 else f" see {link} and"
        lines.append(f"<p>{line}</p>" if number % 2 else line)
        length += len(lines[-1]) + 1
    first = f"http://n{number}.example.com/"
    head = f"<!DOCTYPE html><title>x</title><a href='{first}'>y</a>\n" if number % 2 else f"see {first}\n"
    return (head + "\n".join(lines) + "\n").encode()


def name(number, kind):
    return f"d/{number // 1000:04}/{number:07}.{kind}"


def kind(number):
    return "html" if number % 2 else "txt"


class Documents:
    """So many documents, of which some are distinct."""

    def __init__(self, gigabytes):
        dice = random.Random(16)
        self.distinct = [document(dice, number) for number in range(DISTINCT)]
        self.count = int(gigabytes * 1e9 / (sum(map(len, self.distinct)) / DISTINCT))
        self.bytes = sum(len(self[number]) for number in range(self.count))

    def __getitem__(self, number):
        return self.distinct[number % DISTINCT]


def tree(documents, out):
    for number in range(documents.count):
        path = out / name(number, kind(number))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(documents[number])


def tar(documents, out):
    with open(out, "wb") as file:
        zstd = subprocess.Popen(["zstd", "-q", "-3", "-T1", "-c"], stdin=subprocess.PIPE, stdout=file)
        with tarfile.open(fileobj=zstd.stdin, mode="w|") as archive:
            for number in range(documents.count):
                info = tarfile.TarInfo(name(number, kind(number)))
                info.size = len(documents[number])
                archive.addfile(info, BytesIO(documents[number]))
        zstd.stdin.close()
        assert zstd.wait() == 0


def deflated(data):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def zip64(documents, out):
    ready = [(deflated(data), zlib.crc32(data), len(data)) for data in documents.distinct]
    directory = []
    with open(out, "wb") as file:
        for number in range(documents.count):
            packed, crc, size = ready[number % DISTINCT]
            entry = name(number, kind(number)).encode()
            at = file.tell()
            assert at < 0xFFFFFFFF, "offsets of 32 bits"
            common = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, crc, len(packed), size, len(entry), 0)
            file.write(b"PK\3\4" + common + entry + packed)
            directory.append(b"PK\1\2\x14\0" + common + struct.pack("<HHHII", 0, 0, 0, 0, at) + entry)
        start, records = file.tell(), b"".join(directory)
        file.write(records)
        count = documents.count
        file.write(b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(records), start))
        file.write(b"PK\6\7" + struct.pack("<IQI", 0, start + len(records), 1))
        file.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))


def record(data, number):
    media_type = "text/html; charset=utf-8" if number % 2 else "text/plain; charset=utf-8"
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://site.example/{number}\r\nWARC-Date: 2026-11-23T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(head.encode() + http + b"\r\n\r\n") + packer.flush()


def warc(documents, out):
    ready = [record(data, number) for number, data in enumerate(documents.distinct)]
    with open(out, "wb") as file:
        for number in range(documents.count):
            file.write(ready[number % DISTINCT])


def digest(links, column):
    """Of the number of the document, the place and the URI of each link, and how many there are."""
    # The output is made by one thread in the order of the documents; no field has a comma or a quote.
    hashed, last, number, count = hashlib.sha256(), None, -1, 0
    with open(links, "rb") as file:
        next(file)
        for line in file:
            fields = line.split(b",")
            if fields[column] != last:
                last, number = fields[column], number + 1
            hashed.update(b"%d %s %s" % (number, fields[2], fields[3]))
            count += 1
    return hashed.hexdigest()[:16], count


def peak_of(process):
    """The peak of a process so far, MiB: `ru_maxrss` would have that of this one too, from before its program was loaded."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def run(arguments):
    """Seconds by the wall, seconds of the processor, mebibytes at most."""
    before, begun, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0
    process = subprocess.Popen(arguments)
    while True:
        try:
            process.wait(timeout=0.02)
            break
        except subprocess.TimeoutExpired:
            peak = max(peak, peak_of(process))
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process.returncode == 0, process.returncode
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak


KINDS = {"tree": (tree, "tree", 0), "tar": (tar, "d.tar.zst", 1), "zip": (zip64, "d.zip", 1), "warc": (warc, "d.warc.gz", 1)}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("binary")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("kinds", nargs="*")
    options = parser.parse_intermixed_args()
    documents = Documents(options.gigabytes)
    print(f"{documents.count} documents, {documents.bytes / 1e9:.2f} GB\n")
    print("| | stored | -j | wall, s | processor, s | peak, MiB | GB/s | links | digest |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|", flush=True)
    for what in options.kinds or KINDS:
        make, file, column = KINDS[what]
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            path, links = Path(folder, file), Path(folder, "links.csv")
            make(documents, path)
            stored = documents.bytes if path.is_dir() else path.stat().st_size
            for threads in options.threads or [1, 2]:
                arguments = [options.binary, f"-j{threads}", "--fields", "path,member,start,uri", "--output", links, path]
                wall, processor, peak = run(arguments)
                found, count = digest(links, column)
                print(
                    f"| {what} | {stored / 1e9:.2f} GB | {threads} | {wall:.1f} | {processor:.1f} | {peak:.0f} "
                    f"| {documents.bytes / wall / 1e9:.2f} | {count} | {found} |",
                    flush=True,
                )


if __name__ == "__main__":
    sys.exit(main())

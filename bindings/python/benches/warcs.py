"""A scan of WARC files on one machine and on a standalone cluster of two workers, beside each other.

    python benches/warcs.py PAGES FOLDER [--megabytes 1024] [--files 16]

PAGES is a folder of HTML pages; WARC files of so many megabytes of them are written to FOLDER, unless they are
there. It prints wall and processor seconds, and compares the numbers of links. Only names travel through Spark.
"""

import argparse
import contextlib
import gzip
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "spark"))
from cluster import Cluster

import linksift
import linksift.spark


def read_pages(folder):
    """The pages of a folder, until they have 64 MiB."""
    bodies = []
    for path in sorted(Path(folder).rglob("*.htm*")):
        if path.is_file() and path.stat().st_size < 1 << 20:
            bodies.append(path.read_bytes())
        if sum(map(len, bodies)) > 64 << 20:
            break
    return bodies


def make(pages, folder, size, count):
    """WARC files of the pages again and again, a gzip member for each record."""
    folder.mkdir(parents=True, exist_ok=True)
    bodies = read_pages(pages)
    members = []
    for number, body in enumerate(bodies):
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h{number}.example.com/d/\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
        )
        members.append((gzip.compress(head.encode() + http + b"\r\n\r\n", 6), len(body)))
    at, written = 0, 0
    for file in range(count):
        with open(folder / f"pages-{file:02}.warc.gz", "wb") as out:
            held = 0
            while held < size // count:
                member, length = members[at % len(members)]
                out.write(member)
                at, held = at + 1, held + length
        written += held
    print(f"{count} files of {at} records, {written >> 20} MiB of pages")


def spent():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def cpu_of(cluster):
    """Processor seconds of all processes of the cluster so far."""
    tick = os.sysconf("SC_CLK_TCK")
    total = 0
    for pid in cluster.inside("")[0]:
        with contextlib.suppress(OSError):
            stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += sum(map(int, stat[11:15])) / tick
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--files", type=int, default=16)
    given = parser.parse_args()
    if not list(given.folder.glob("*.warc.gz")):
        make(given.pages, given.folder, given.megabytes << 20, given.files)
    fields = ["path", "source", "uri"]

    def alone(threads):
        start, cpu = time.monotonic(), spent()
        count = sum(
            len(batch)
            for batch in linksift.scan_paths(given.folder, fields=fields, threads=threads, errors="rows")
        )
        print(
            f"one process, {threads} thread(s): {count} links, "
            f"{time.monotonic() - start:.1f} s, {spent() - cpu:.1f} s of processor"
        )
        return count

    counts = {alone(1), alone(2)}
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder)
        try:
            spark = cluster.session()
            spark.range(10).count()
            for name in ("cluster, first run", "cluster, again"):
                start, cpu = time.monotonic(), cpu_of(cluster)
                links = linksift.spark.scan_paths(spark, given.folder, fields=fields, errors="rows")
                counts.add(links.count())
                took = time.monotonic() - start
                print(f"{name}: {took:.1f} s, {cpu_of(cluster) - cpu:.1f} s of processor")
            spark.stop()
        finally:
            cluster.stop()
    assert len(counts) == 1, counts


if __name__ == "__main__":
    main()

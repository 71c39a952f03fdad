#!/usr/bin/env python3
"""Compares links in archives with links in what Python takes out of the same archives.

    tests/twins/archives.py BINARY [--make N] [--most N] FILE-OR-FOLDER...
"""

import argparse
import bz2
import collections
import gzip
import io
import json
import lzma
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

try:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter
except ImportError:
    ArchiveIterator = None

# Larger ones take too long.
LARGEST = 64 << 20
SCANNED = {"response", "resource", "conversion", "metadata", "continuation"}
PICTURES = ("image/", "audio/", "video/", "font/")


class Unopened(Exception):
    """What Python has no module for."""


Leaf = collections.namedtuple("Leaf", "steps name data base charset type")


def kind(data, name):
    head = data[:512]
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return "bzip2"
    if head.startswith(b"\xfd7zXZ\0"):
        return "xz"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(b"!<arch>\n"):
        return "ar"
    if head.startswith(b"WARC/1.") or head.startswith(b"filedesc://"):
        return "warc"
    if head[257:262] == b"ustar":
        return "tar"
    if head.startswith((b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")):
        raise Unopened("zstd or lz4")
    return None


def inner_name(name):
    base, ending = os.path.splitext(name)
    if ending.lower() in (b".tgz", b".tbz", b".tbz2", b".txz"):
        return base + b".tar"
    return base if ending.lower() in (b".gz", b".bz2", b".xz", b".warcgz") else name


def leaves(data, name, steps=(), said=("", "", "")):
    """The documents in what is stored, each with the names of the members that it is in."""
    what = kind(data, name)
    if what is None:
        yield Leaf(steps, name, data, *said)
    elif what == "gzip":
        if ArchiveIterator and gzip.open(io.BytesIO(data)).read(5) in (b"WARC/", b"filed"):
            yield from records(data, steps)
        else:
            yield from leaves(gzip.decompress(data), inner_name(name), steps, said)
    elif what == "bzip2":
        yield from leaves(bz2.decompress(data), inner_name(name), steps, said)
    elif what == "xz":
        yield from leaves(lzma.decompress(data), inner_name(name), steps, said)
    elif what == "zip":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                encoding = "utf-8" if info.flag_bits & 0x800 else "cp437"
                inner = info.orig_filename.encode(encoding)
                if not info.is_dir():
                    yield from tried(lambda: archive.read(info), inner, (*steps, inner))
    elif what == "tar":
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for info in archive:
                inner = info.name.encode("utf-8", "surrogateescape")
                if info.isreg():
                    yield from tried(archive.extractfile(info).read, inner, (*steps, inner))
    elif what == "ar":
        at = 8
        while at + 60 <= len(data):
            inner, size = data[at : at + 16].rstrip().rstrip(b"/"), int(data[at + 48 : at + 58])
            yield from tried(lambda: data[at + 60 : at + 60 + size], inner, (*steps, inner))
            at += 60 + size + size % 2
    elif ArchiveIterator:
        yield from records(data, steps)
    else:
        raise Unopened("no warcio")


def tried(read, name, steps, said=("", "", "")):
    """The documents of a member; if Python refuses it, one without data and with the reason for its name."""
    try:
        yield from leaves(read(), name, steps, said)
    except Exception as error:
        reason = str(error).strip().splitlines() or [""]
        yield Leaf(steps, f"{type(error).__name__}: {reason[0][:60]}", None, *said)


def records(data, steps):
    iterator = ArchiveIterator(io.BytesIO(data))
    for record in iterator:
        # The offset is known when the content has been read.
        content = record.content_stream().read()
        step = (*steps, str(iterator.get_record_offset()).encode())
        headers = record.http_headers or record.rec_headers
        media = headers.get_header("Content-Type") or ""
        is_picture = media.lower().startswith(PICTURES) and "svg" not in media
        if record.rec_type not in SCANNED or is_picture:
            continue
        format, _, parameters = media.partition(";")
        charset = parameters.partition("charset=")[2].strip().strip("\"'")
        if format.strip() == "text/plain":
            format = "text"
        known = format.strip().startswith("text") or "xml" in format or "json" in format
        said = (record.rec_headers.get_header("WARC-Target-URI") or "", charset, format.strip() if known else "")
        yield from tried(lambda: content, b"x", step, said)


def escaped(step):
    out = bytearray()
    for byte in step:
        out += b"%%%02X" % byte if byte in b"%!" or byte < 32 or byte == 127 else bytes([byte])
    return bytes(out)


def links(binary, arguments, **options):
    """The links of each path: how often each `(member, start, end, context, uri)` is there."""
    found = collections.defaultdict(collections.Counter)
    with tempfile.NamedTemporaryFile() as errors:
        fields = "path,path_bytes,member,member_bytes,source,start,end,context,uri"
        command = [binary, "--json", "--fields", fields, "--errors", errors.name, *arguments]
        output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)
        failures = collections.defaultdict(list)
        for line in errors.read().splitlines():
            failure = json.loads(line)
            failures[path_of(failure)].append(failure)
    for line in output.stdout.splitlines():
        link = json.loads(line)
        # What HTTP says is no part of the document.
        if link["context"].startswith("header:") and link["source"] is not None:
            continue
        member = bytes.fromhex(link["member_bytes"]) if link["member_bytes"] else (link["member"] or "").encode()
        found[path_of(link)][member, link["start"], link["end"], link["context"], link["uri"]] += 1
    return found, failures


def path_of(record):
    return bytes.fromhex(record["path_bytes"]) if record.get("path_bytes") else record["path"].encode()


def archives(roots, most):
    """Files that begin as archives do."""
    for root in roots:
        files = [root] if root.is_file() else sorted(path for path in root.rglob("*") if path.is_file())
        for path in files:
            if path.is_symlink() or path.stat().st_size > LARGEST:
                continue
            with open(path, "rb") as file:
                head = file.read(512)
            try:
                is_archive = kind(head, b"") is not None
            except Unopened:
                continue
            if is_archive and most > 0:
                most -= 1
                yield path


def make(folder, roots, count):
    """Archives of all kinds that these modules write, of files of the folders."""
    dice = random.Random(1)
    files = [path for root in roots if root.is_dir() for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    files = sorted(path for path in files if 0 < path.stat().st_size < 1 << 20)
    chosen = [(path.name, path.read_bytes()) for path in dice.sample(files, min(count, len(files)))]
    names = [f"d{n % 7}/{'é表!%'[n % 4]}{n}-{name}" for n, (name, _) in enumerate(chosen)]
    made = {}

    def zipped(method, stream=False, **options):
        out = io.BytesIO()
        # What cannot seek has descriptors after its members.
        target = type("Stream", (), {"write": out.write, "flush": out.flush})() if stream else out
        with zipfile.ZipFile(target, "w", method, **options) as archive:
            for name, (_, data) in zip(names, chosen):
                with archive.open(zipfile.ZipInfo(name), "w", force_zip64=len(data) % 3 == 0) as member:
                    member._compress_type = method
                    member.write(data)
        return out.getvalue()

    def zipped_by_name(method):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            archive.comment = b"a comment"
            for name, (_, data) in zip(names, chosen):
                archive.writestr(name, data)
        return out.getvalue()

    def tarred(format, mode):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode, format=format) as archive:
            for n, (name, (_, data)) in enumerate(zip(names, chosen)):
                info = tarfile.TarInfo(name if n % 5 or format == tarfile.USTAR_FORMAT else "long/" * 40 + name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        return out.getvalue()

    made["stored.zip"] = zipped_by_name(zipfile.ZIP_STORED)
    made["deflated.zip"] = zipped_by_name(zipfile.ZIP_DEFLATED)
    made["bzip2.zip"] = zipped_by_name(zipfile.ZIP_BZIP2)
    made["lzma.zip"] = zipped_by_name(zipfile.ZIP_LZMA)
    made["stream.zip"] = zipped(zipfile.ZIP_STORED, stream=True)
    made["zip64.zip"] = zipped(zipfile.ZIP_STORED)
    for name, format in [("ustar", tarfile.USTAR_FORMAT), ("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)]:
        for ending in ["", "gz", "bz2", "xz"]:
            made[f"{name}.tar.{ending}".rstrip(".")] = tarred(format, f"w:{ending}")
    made["nested.zip"] = nested(made)
    if ArchiveIterator:
        pages = [data for name, data in chosen if name.endswith((".html", ".htm", ".txt", ".xml"))]
        for ending in ["", ".gz"]:
            made[f"crawl.warc{ending}"] = crawl(pages, is_gzip=bool(ending))
    for name, data in made.items():
        Path(folder, name).write_bytes(data)
    return len(made)


def nested(made):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ["stored.zip", "gnu.tar.gz", "pax.tar.xz", "bzip2.zip"]:
            archive.writestr(name, made[name])
    return out.getvalue()


def crawl(pages, is_gzip):
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=is_gzip)
    for n, page in enumerate(pages):
        headers = [("Content-Type", ["text/html", "text/html; charset=utf-8", "text/plain"][n % 3])]
        if n % 4 == 1:
            headers.append(("Content-Encoding", "gzip"))
            page = gzip.compress(page)
        if n % 4 >= 2:
            headers.append(("Transfer-Encoding", "chunked"))
            chunks = [page[at : at + 1000 + n] for at in range(0, len(page), 1000 + n)]
            page = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
        http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
        uri = f"http://h{n}.example/d/page"
        writer.write_record(writer.create_warc_record(uri, "response", payload=io.BytesIO(page), http_headers=http))
    return out.getvalue()


def twin(path, folder, table):
    """Takes an archive apart and lists its documents; the members that they are, and those that Python refuses."""
    members, refused = {}, {}
    for leaf in leaves(path.read_bytes(), os.fsencode(path.name)):
        if leaf.data is None:
            refused[b"!".join(map(escaped, leaf.steps))] = leaf.name
            continue
        name = leaf.name.rsplit(b"/")[-1].replace(b"\t", b" ").replace(b"\n", b" ").replace(b"\0", b" ")[-200:] or b"x"
        place = os.path.join(os.fsencode(folder), b"%d" % len(members), name)
        os.makedirs(os.path.dirname(place))
        Path(os.fsdecode(place)).write_bytes(leaf.data)
        table.write(b"\t".join([place, *(value.encode() for value in (leaf.base, leaf.charset, leaf.type))]) + b"\n")
        members[place] = b"!".join(map(escaped, leaf.steps))
    return members, refused


def compare(binary, path):
    """The class of an archive, the links on both sides, and what differs."""
    ours, failures = links(binary, [str(path)])
    ours = sum(ours.values(), collections.Counter())
    failed = sorted({failure["code"] for failures in failures.values() for failure in failures})
    with tempfile.TemporaryDirectory() as folder, open(Path(folder, "table"), "wb") as table:
        try:
            members, refused = twin(path, folder, table)
        except Exception as error:
            members, refused = {}, {b"": f"{type(error).__name__}: {str(error).strip().splitlines()[0][:60]}"}
        table.flush()
        found, _ = links(binary, ["--manifest", table.name])
    theirs = collections.Counter()
    for place, inside in found.items():
        for (member, *rest), count in inside.items():
            # Mail has archives attached.
            theirs[b"!".join(filter(None, [members[place], member])), *rest] += count
    for side in (ours, theirs):
        for link in list(side):
            if any(not one or link[0] == one or link[0].startswith(one + b"!") for one in refused):
                del side[link]
    if ours == theirs:
        reasons = sorted(set(refused.values()))
        return f"equal but for what Python refuses: {'; '.join(reasons)}" if refused else "equal", ours, theirs, failed
    if failed and not ours - theirs:
        return f"the command names a failure: {' '.join(failed)}", ours, theirs, failed
    if failed and not theirs - ours:
        return f"Python reads less: {' '.join(failed)}", ours, theirs, failed
    return "DIFFERENT", ours, theirs, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--make", type=int, default=0, metavar="N")
    parser.add_argument("--most", type=int, default=1 << 30, metavar="N", help="so many archives of the folders")
    parser.add_argument("roots", nargs="+", type=Path)
    arguments = parser.parse_args()
    classes, totals = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        made = make(folder, arguments.roots, arguments.make) if arguments.make else 0
        paths = [*archives([Path(folder)], made), *archives(arguments.roots, arguments.most)]
        for path in paths:
            what, ours, theirs, failed = compare(arguments.binary, path)
            classes[what] += 1
            totals["links"] += ours.total()
            totals["links of Python"] += theirs.total()
            if what != "equal":
                print(f"{path}: {what}: {ours.total()} links and {theirs.total()}; failures {failed}")
            if what == "DIFFERENT":
                for side, more in [("ours alone", ours - theirs), ("Python's alone", theirs - ours)]:
                    for link, count in list(more.items())[:3]:
                        print(f"    {side}: {count} × {link}")
            sys.stdout.flush()
    for what, count in classes.most_common():
        print(f"{count:7}  {what}")
    print(", ".join(f"{count} {what}" for what, count in totals.items()))
    return 1 if classes["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares links in damaged compressed files with links in what other decoders still give of them.

    tests/twins/damage.py BINARY [--flips N] [--cuts N] [--large BYTES] [--seed N]

Files of each codec, short and long, are cut and some of their bits flipped. What is decoded by Python's zlib, and by the
programs bzip2, xz, zstd, lz4 and brotli, goes to the command as a plain file; the same links at the same places must come
of the damaged file, and a failure. Bytes that a decoder makes up after the damage do not count: where its output differs from
what was compressed, it is cut. What is not installed is left out by name. The status is 1 if a link is missing.

Crawls with a member for each record have bytes put between their members, and members cut: all records that are whole must come
out, and a failure. Zips follow each other, with something in front and behind: what Python reads of each must come out.
"""

import argparse
import collections
import gzip
import io
import json
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path


def text(size, seed):
    """Lines with links, some new, some that repeat."""
    dice, lines, length = random.Random(seed), [], 0
    while length < size:
        word, count = f"{dice.getrandbits(60):x}", len(lines)
        lines.append(
            (
                f"see http://e.example/{word} and so on\n",
                f"see http://e.example/{count} and so on\n",
                f"{word}, see http://e.example/path/that/is/there/often\n",
            )[count % 3]
        )
        length += len(lines[-1])
    return "".join(lines).encode()


def program(*command):
    def run(data):
        return subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout

    return run if shutil.which(command[0]) else None


def inflated(data):
    """What zlib gives up to its failure, to the byte."""
    decoder, out = zlib.decompressobj(31), bytearray()
    for at in range(0, len(data), 1 << 10):
        before, piece = decoder.copy(), data[at : at + (1 << 10)]
        try:
            out += decoder.decompress(piece)
        except zlib.error:
            # Once more, a byte of input and one of output at a time.
            for byte in range(len(piece)):
                rest, given = piece[byte : byte + 1], b""
                try:
                    while rest or given:
                        given = before.decompress(rest, 1)
                        out += given
                        rest = before.unconsumed_tail
                except zlib.error:
                    return bytes(out)
        if decoder.eof:
            break
    return bytes(out)


CODECS = {
    "gz": (program("gzip", "-c"), inflated),
    "bz2": (program("bzip2", "-1c"), program("bzip2", "-dc")),
    "xz": (program("xz", "-c", "-T1"), program("xz", "-dc", "--format=xz")),
    "lzma": (program("xz", "-c", "--format=lzma"), program("xz", "-dc", "--format=lzma")),
    "zst": (program("zstd", "-cq"), program("zstd", "-dcq")),
    "lz4": (program("lz4", "-cq", "-BD", "-BX", "-B4"), program("lz4", "-dcq")),
    "br": (program("brotli", "-c"), program("brotli", "-dc")),
}


def links(binary, folder, suffix):
    """The links and failures of the files of a folder, by name without the suffix."""
    found, failed = collections.defaultdict(list), collections.defaultdict(list)
    with tempfile.NamedTemporaryFile() as errors:
        command = [binary, "--json", "--errors", errors.name, str(folder)]
        output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        for line in errors.read().splitlines():
            failure = json.loads(line)
            failed[Path(failure["path"]).name.removesuffix(suffix)].append(failure["message"])
    for line in output.stdout.splitlines():
        link = json.loads(line)
        found[Path(link["path"]).name.removesuffix(suffix)].append((link["start"], link["end"], link["uri"]))
    return found, failed


def damaged(whole, arguments, dice):
    """Pieces of a file, and files with a flipped bit, each with its name."""
    cuts = range(20, len(whole)) if len(whole) < arguments.cuts else sorted(dice.sample(range(20, len(whole)), arguments.cuts))
    for end in cuts:
        yield f"cut-{end}", whole[:end]
    for count in range(arguments.flips):
        at, copy = dice.randrange(len(whole)), bytearray(whole)
        copy[at] ^= 1 << dice.randrange(8)
        yield f"flip-{count}-{at}", bytes(copy)


def compare(binary, ending, size, arguments):
    """How many damaged files there were, how many links, and those that differ."""
    encode, decode = CODECS[ending]
    dice = random.Random(arguments.seed)
    content = text(size, arguments.seed)
    whole, suffix = encode(content), f".txt.{ending}"
    count, given, differ = 0, 0, []
    with tempfile.TemporaryDirectory() as name:
        ours, plain = Path(name, "ours"), Path(name, "plain")
        ours.mkdir()
        plain.mkdir()
        lengths = {}
        for case, data in damaged(whole, arguments, dice):
            out = decode(data)
            right = next((at for at, (a, b) in enumerate(zip(out, content)) if a != b), min(len(out), len(content)))
            (ours / (case + suffix)).write_bytes(data)
            (plain / (case + ".txt")).write_bytes(out[:right])
            lengths[case] = (right, data)
            count += 1
        found, failed = links(binary, ours, suffix)
        wanted, _ = links(binary, plain, ".txt")
        for case, (right, data) in lengths.items():
            # A word that touches the place where it goes wrong may be another one.
            want = [link for link in wanted[case] if any(byte in b" \n" for byte in content[link[1] : right])]
            given += len(want)
            missing = [link for link in want if link not in set(found[case])]
            # Where its first bytes are changed, it is a file of another kind; nothing in lzma is checked.
            is_told = failed[case] or ending == "lzma" or data[:14] != whole[:14]
            is_silent = not is_told and right < len(content)
            if missing or is_silent:
                differ.append((case, missing[:2], failed[case][:1]))
    return count, given, differ


def record(number, dice):
    """A record of WARC with one link."""
    block = f"{dice.getrandbits(400 * dice.randrange(1, 40)):x} http://r{number}.example/ ".encode()
    head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://e.example/\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


def between(binary, ending, encode, arguments):
    """Crawls with damage between their members: how many there were, how many links, and those that differ."""
    dice = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        wanted = {}
        for case in range(arguments.flips // 10):
            members = [encode(record(number, dice)) for number in range(12)]
            whole = set(range(len(members)))
            for _ in range(dice.randrange(1, 4)):
                # What comes of a first block of noise is no crawl.
                at = dice.randrange(1, len(members))
                if dice.random() < 0.5:
                    members[at] = members[at][: -dice.randrange(1, len(members[at]) - 10)]
                    whole.discard(at)
                else:
                    members[at] += bytes(dice.randrange(1, 256) for _ in range(dice.choice((1, 7, 600, 70_000))))
            wanted[f"case-{case}"] = whole
            Path(name, f"case-{case}.warc.{ending}").write_bytes(b"".join(members))
        found, failed = links(binary, name, f".warc.{ending}")
    differ = []
    for case, whole in wanted.items():
        missing = {f"http://r{number}.example/" for number in whole} - {link[2] for link in found[case]}
        # Nobody knows of the last member whether all of it is missing.
        if missing or not failed[case] and whole == set(range(12)):
            differ.append((case, sorted(missing)[:2], failed[case][:1]))
    return len(wanted), sum(map(len, wanted.values())), differ


def zips(binary, arguments):
    """Zips that follow each other: how many files there were, how many links, and those that differ."""
    dice, number = random.Random(arguments.seed), 0
    with tempfile.TemporaryDirectory() as name:
        wanted = {}
        for case in range(arguments.flips // 10):
            parts, expected = [dice.choice((b"", b"#!/bin/sh\n", b"MZ\0\0"))], set()
            for _ in range(dice.randrange(1, 5)):
                archive = io.BytesIO()
                with zipfile.ZipFile(archive, "w", dice.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as entries:
                    for _ in range(dice.randrange(1, 4)):
                        number += 1
                        entries.writestr(f"{number}.txt", f"see http://z{number}.example/ {dice.getrandbits(900):x}")
                        expected.add(f"http://z{number}.example/")
                parts += [archive.getvalue(), dice.choice((b"", bytes(600), b"between", b"x" * 60_000))]
            data = b"".join(parts)
            for suffix, content in (("", data), (".gz", gzip.compress(data))):
                wanted[f"case-{case}{suffix}"] = expected, parts[2::2]
                Path(name, f"case-{case}{suffix}.bin").write_bytes(content)
        found, failed = links(binary, name, ".bin")
    differ = []
    for case, (expected, garbage) in wanted.items():
        missing = expected - {link[2] for link in found[case]}
        told = sum(any(piece) for piece in garbage)
        if missing or len(failed[case]) != told:
            differ.append((case, sorted(missing)[:2], failed[case][:1]))
    return len(wanted), sum(len(expected) for expected, _ in wanted.values()), differ


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--cuts", type=int, default=2000)
    parser.add_argument("--large", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--codecs", default=",".join(CODECS))
    arguments = parser.parse_args()
    status = 0

    def report(what, result):
        count, given, differ = result
        print(f"{what}: {count} damaged, {given} links, {len(differ)} differ", flush=True)
        for case, missing, reasons in differ[:5]:
            print("   ", case, missing, reasons)
        return bool(differ)

    for ending in arguments.codecs.split(","):
        if None in CODECS[ending]:
            print(f"skipped: {ending}: no program for it here")
            continue
        for size in (900, arguments.large):
            status |= report(f"{ending}, {size} bytes", compare(arguments.binary, ending, size, arguments))
        if ending not in ("lzma", "br"):
            encode = CODECS[ending][0]
            status |= report(f"crawls in {ending}", between(arguments.binary, ending, encode, arguments))
    status |= report("zips", zips(arguments.binary, arguments))
    return status


if __name__ == "__main__":
    sys.exit(main())

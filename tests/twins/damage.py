#!/usr/bin/env python3
"""Compares links in damaged compressed files with links in what other decoders still give of them.

    tests/twins/damage.py BINARY [--flips N] [--cuts N] [--large BYTES] [--seed N]

Files of each codec, short and long, are cut and some of their bits flipped. What is decoded by Python's zlib, and by the
programs bzip2, xz, zstd, lz4 and brotli, goes to the command as a plain file; the same links at the same places must come
of the damaged file, and a failure. Bytes that a decoder makes up after the damage do not count: where its output differs from
what was compressed, it is cut. What is not installed is left out by name. The status is 1 if a link is missing.
"""

import argparse
import collections
import json
import random
import shutil
import subprocess
import sys
import tempfile
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
    for ending in arguments.codecs.split(","):
        if None in CODECS[ending]:
            print(f"skipped: {ending}: no program for it here")
            continue
        for size in (900, arguments.large):
            count, given, differ = compare(arguments.binary, ending, size, arguments)
            print(f"{ending}, {size} bytes: {count} damaged, {given} links, {len(differ)} differ", flush=True)
            for case, missing, reasons in differ[:5]:
                print("   ", case, missing, reasons)
            status |= bool(differ)
    return status


if __name__ == "__main__":
    sys.exit(main())

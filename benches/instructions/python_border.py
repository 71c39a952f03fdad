"""`python_border.py LIST`: runs works of the Python module, each between two marks that callgrind counts between.

LIST is as the driver has it. The marks are functions of libc that nothing else calls. What is counted is all between them:
the interpreter's loop as well as the module.
"""

import gc
import os
import struct
import sys

import linksift


def unpacked(path):
    with open(path, "rb") as file:
        data = file.read()
    texts, at = [], 0
    while at < len(data):
        for is_text in (False, True):
            (length,) = struct.unpack_from("<I", data, at)
            at += 4
            if is_text:
                texts.append(data[at : at + length].decode())
            at += length
    return texts


def links(finder, texts):
    """Links as objects, each asked for its URI and where it is."""
    found = 0
    for text in texts:
        for link in finder.links(text):
            link.uri, link.start, link.end
            found += 1
    return found


def uris(finder, texts):
    found = 0
    for text in texts:
        found += len(finder.uris(text))
    return found


def main():
    finder = linksift.Finder()
    with open(sys.argv[1]) as file:
        works = [line.rstrip("\n").split("\t") for line in file]
    for name, road, _, path in works:
        texts, work = unpacked(path), {"links": links, "uris": uris}[road]
        work(finder, texts[:1])
        gc.collect()
        gc.disable()
        os.getppid()  # callgrind sets its counts to zero
        found = work(finder, texts)
        os.getpgrp()  # and writes them
        gc.enable()
        print(f"{name}\t{found}")


main()

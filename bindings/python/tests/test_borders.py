"""What comes in over Arrow's borders: layouts at random, data that lie, values that are no documents, Ctrl-C."""

import ctypes
import gzip
import io
import random
import subprocess
import sys
import tarfile
import zipfile

import pytest
from conftest import needs

import linksift

pa = needs("pyarrow")

TEXTS = [
    "",
    "nothing",
    "é http://a.example/é x",
    "example.com 😀 b@example.org",
    "x" * 13,
    "www.example.net/" + "a" * 40,
]


def expected(values):
    """The links of plain values of Python, one after the other: no Arrow is asked."""
    return [
        (row, link.start, link.end, link.uri)
        for row, value in enumerate(values)
        if value is not None
        for link in linksift.links(value)
    ]


def found(column, name=None, **wanted):
    table = linksift.arrow(column, name, **wanted)
    return [(row["row"], row["start"], row["end"], row["uri"]) for row in table.to_pylist()]


class Layouts:
    """Columns of the same values in layouts at random, sliced and nested in each other at random."""

    def __init__(self, seed):
        self.dice = random.Random(seed)

    def values(self, size, is_text=True):
        values = [self.dice.choice([None, *TEXTS]) for _ in range(size)]
        if self.dice.random() < 0.3:
            # Runs and dictionaries of some length.
            values = [value for value in values for _ in range(self.dice.randrange(4))]
        return values if is_text else [None if value is None else value.encode() for value in values]

    def plain(self, values):
        is_text = not any(isinstance(value, bytes) for value in values)
        text = [pa.string(), pa.large_string(), pa.string_view()]
        binary = [pa.binary(), pa.large_binary(), pa.binary_view()]
        return pa.array(values, self.dice.choice(text if is_text else binary))

    def padded(self, make, values):
        """An array of these values that is a slice of a longer one."""
        if not values or self.dice.random() < 0.4:
            return make(values)
        other = [value for value in values if value is not None] or ["http://wrong.example/"]
        other = [other[0]] * self.dice.randrange(9)
        after = other[: self.dice.randrange(len(other) + 1)]
        return make(other + values + after).slice(len(other), len(values))

    def dictionary(self, values):
        keys = self.dice.choice(
            [
                pa.int8(),
                pa.uint8(),
                pa.int16(),
                pa.uint16(),
                pa.int32(),
                pa.uint32(),
                pa.int64(),
                pa.uint64(),
            ]
        )
        distinct = list(dict.fromkeys(values))
        self.dice.shuffle(distinct)
        if self.dice.random() < 0.5:
            distinct = [value for value in distinct if value is not None]
        indices = [distinct.index(value) if value in distinct else None for value in values]
        made = (
            self.padded(lambda numbers: pa.array(numbers, keys), indices) if None not in indices else None
        )
        indices = pa.array(indices, keys) if made is None or made.null_count else made
        return pa.DictionaryArray.from_arrays(indices, self.padded(self.plain, distinct))

    def runs(self, values):
        kind = self.dice.choice([pa.int16(), pa.int32(), pa.int64()])
        ends, kept = [], []
        for number, value in enumerate(values):
            # A run may follow one of the same value.
            if kept and kept[-1] == value and self.dice.random() < 0.7:
                ends[-1] = number + 1
            else:
                ends.append(number + 1)
                kept.append(value)
        held = self.dice.choice([self.plain, self.dictionary])(kept) if kept else self.plain(kept)
        held = (
            self.padded(lambda _: held, []) if self.dice.random() < 0.5 else self.padded(self.plain, kept)
        )
        before = sorted(self.dice.sample(range(-40, 0), self.dice.randrange(5)))
        after = [(ends[-1] if ends else 0) + extra for extra in range(1, self.dice.randrange(1, 4))]
        run_ends = pa.array(before + ends + after, kind).slice(len(before), len(ends))
        return pa.RunEndEncodedArray.from_arrays(run_ends, held)

    def column(self, values):
        return self.dice.choice([self.plain, self.dictionary, self.runs])(values)

    def sliced(self, column, values):
        start = self.dice.randrange(len(values) + 1)
        length = self.dice.randrange(len(values) - start + 1)
        return column.slice(start, length), values[start : start + length]


@pytest.mark.parametrize("seed", range(400))
def test_layouts_slices_and_nulls_at_random(seed):
    layouts = Layouts(seed)
    dice = layouts.dice
    values = layouts.values(dice.randrange(40), dice.random() < 0.8)
    column = layouts.column(values)
    column.validate(full=True)
    assert column.to_pylist() == values
    threads = dice.choice([0, 1, 3])
    assert found(column, threads=threads) == expected(values)
    for _ in range(3):
        column, values = layouts.sliced(column, values)
        assert found(column, threads=threads) == expected(values)
    holes = [dice.random() < 0.3 for _ in values]
    other = pa.array(range(len(values)))
    structs = pa.StructArray.from_arrays([other, column], ["n", "t"], mask=pa.array(holes, pa.bool_()))
    kept = [None if hole else value for hole, value in zip(holes, values, strict=True)]
    assert found(structs, "t") == expected(kept)
    structs, kept = layouts.sliced(structs, kept)
    assert found(structs, "t") == expected(kept)
    table = pa.table({"n": range(len(values)), "t": column})
    start = dice.randrange(len(values) + 1)
    assert found(table.slice(start), "t") == expected(values[start:])


def test_runs_whose_ends_are_sliced():
    texts = pa.array(["http://a.example/", "http://b.example/", "http://c.example/"])
    for kind in [pa.int16(), pa.int32(), pa.int64()]:
        ends = pa.array([1, 2, 4, 5, 7], kind).slice(2)
        column = pa.RunEndEncodedArray.from_arrays(ends, texts)
        assert found(column) == expected(column.to_pylist())
        assert [uri for *_, uri in found(column.slice(3, 3))] == [
            "http://a.example/",
            "http://b.example/",
            "http://c.example/",
        ]
        both = pa.RunEndEncodedArray.from_arrays(pa.array([1, 3, 5], kind).slice(1), texts.slice(1))
        assert found(both) == expected(both.to_pylist())


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", RELEASE),
    ("private", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", RELEASE),
    ("private", ctypes.c_void_p),
]
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = ctypes.py_object
capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
kept = []


@RELEASE
def release(_):
    """All of it belongs to this test."""


class Forged:
    """A column with these fields, which may be lies."""

    def __init__(self, kind, length=1, offset=0, buffers=None, nulls=0, **more):
        buffers = [None, b"http://e.com/aaaa" * 8, b"http://e.com/" * 8] if buffers is None else buffers
        held = [buffer and ctypes.create_string_buffer(buffer, len(buffer) + 64) for buffer in buffers]
        places = (ctypes.c_void_p * (len(held) or 1))(
            *[buffer and ctypes.addressof(buffer) for buffer in held]
        )
        self.schema = Schema(format=kind, name=b"t", release=release)
        counted = more.pop("n_buffers", len(held))
        self.array = Array(
            length=length,
            null_count=nulls,
            offset=offset,
            n_buffers=counted,
            buffers=places,
            release=release,
        )
        if "dictionary" in more:
            inner = more["dictionary"] or self
            self.schema.dictionary = ctypes.pointer(inner.schema)
            self.array.dictionary = ctypes.pointer(inner.array)
        if "children" in more:
            inner = [child or self for child in more["children"]]
            self.schema.n_children = self.array.n_children = len(inner)
            self.schema.children = (ctypes.POINTER(Schema) * len(inner))(
                *[ctypes.pointer(one.schema) for one in inner]
            )
            self.array.children = (ctypes.POINTER(Array) * len(inner))(
                *[ctypes.pointer(one.array) for one in inner]
            )
        kept.append((held, places, self))

    def __arrow_c_array__(self, requested_schema=None):
        return (
            capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


FAR = 2**63 - 1


@pytest.mark.parametrize(
    "width",
    [
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616",
        "4294967296",
        "2147483648",
        "-1",
        "",
        "x",
        "+-1",
    ],
)
@pytest.mark.parametrize("length,offset", [(1, 0), (2, 0), (1, 1), (0, 0)])
def test_widths_that_cannot_be(width, length, offset):
    with pytest.raises((TypeError, ValueError), match="invalid Arrow|neither text"):
        linksift.arrow(Forged(b"w:" + width.encode(), length, offset))


@pytest.mark.parametrize("kind", [b"u", b"z", b"U", b"Z", b"vu", b"vz", b"w:16", b"w:2147483647"])
@pytest.mark.parametrize(
    "length,offset",
    [(FAR, 0), (FAR, FAR), (1, FAR), (1, FAR // 2), (-1, 0), (1, -1), (2**62, 2**62), (2**60, 1)],
)
def test_lengths_and_offsets_beyond_memory(kind, length, offset):
    with pytest.raises(ValueError, match="invalid Arrow"):
        linksift.arrow(Forged(kind, length, offset))


@pytest.mark.parametrize(
    "kind",
    [
        b"",
        b"w",
        b"+",
        b"+w:",
        b"+w:9223372036854775807",
        b"+ud:",
        b"+us:0,1",
        b"d:",
        b"d:9999999999999999999,1",
        b"tsu:" + b"x" * 5000,
        b"\xff\xfe",
        b"uu",
        b"u\xc3",
        b"+l",
        b"+vl",
        b"l",
        b"b",
    ],
)
def test_formats_that_are_none_of_texts(kind):
    with pytest.raises(TypeError, match="neither text"):
        linksift.arrow(Forged(kind))


def test_what_is_missing_or_without_end():
    for kind in [b"u", b"U", b"vu", b"w:3"]:
        with pytest.raises(ValueError, match="invalid Arrow"):
            linksift.arrow(Forged(kind, buffers=[None, None, None]))
    for count in [-1, 0, 2, -(2**63)]:
        with pytest.raises(ValueError, match="invalid Arrow"):
            linksift.arrow(Forged(b"vu", n_buffers=count))
    for kind in [b"c", b"l", b"L"]:
        # A dictionary whose dictionary is itself, below one that holds it.
        endless = Forged(kind, dictionary=None)
        with pytest.raises(ValueError, match="without end"):
            linksift.arrow(Forged(kind, dictionary=endless))
    ends = Forged(b"i", buffers=[None, b"\1\0\0\0"])
    for children in [[ends], [ends, None], [ends, ends, ends], []]:
        with pytest.raises((TypeError, ValueError)):
            linksift.arrow(Forged(b"+r", buffers=[], children=children))
    text = Forged(b"u", buffers=[None, b"\0\0\0\0\x0d\0\0\0", b"http://e.com/"])
    for numbers in [b"u", b"f", b"", b"w:4", b"+r"]:
        with pytest.raises(ValueError, match="invalid Arrow"):
            linksift.arrow(Forged(b"+r", buffers=[], children=[Forged(numbers), text]))
    for key in [b"\1", b"\x7f", b"\x80", b"\xff"]:
        assert linksift.arrow(Forged(b"c", buffers=[None, key], dictionary=text)).to_pylist() == []
    assert len(linksift.arrow(Forged(b"c", buffers=[None, b"\0"], dictionary=text))) == 1
    # Ends that do not go as far as the column does, and an offset beyond the text.
    runs = Forged(b"+r", 3, buffers=[], children=[Forged(b"i", buffers=[None, b"\1\0\0\0"]), text])
    assert [row["row"] for row in linksift.arrow(runs).to_pylist()] == [0]
    for offsets in [[0, 99, 13], [5, 2, 13], [-1, 2, 13], [0, -1, 13]]:
        buffer = b"".join(number.to_bytes(4, "little", signed=True) for number in offsets)
        table = linksift.arrow(Forged(b"u", 2, buffers=[None, buffer, b"http://e.com/"]))
        assert all(row["end"] <= 13 for row in table.to_pylist())


WARC = (
    b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://e.example/\r\nContent-Type: text/html\r\n"
    b"Content-Length: 20\r\n\r\n<a href=/b>bbbbb</a>\r\n\r\n"
)


def packed():
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        info = tarfile.TarInfo("a.html")
        info.size = 20
        archive.addfile(info, io.BytesIO(b"<a href=/b>bbbbb</a>"))
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr("a.txt", "see http://e.example/")
    import bz2
    import lzma

    text = b"see http://e.example/ and more " * 50
    return {
        "warc.gz": gzip.compress(WARC) + gzip.compress(WARC),
        "warc": WARC,
        "gz": gzip.compress(text),
        "gz, cut": gzip.compress(text)[:40],
        "bz2": bz2.compress(text),
        "xz": lzma.compress(text),
        "tar": tar.getvalue(),
        "tar.gz": gzip.compress(tar.getvalue()),
        "zip": box.getvalue(),
    }


@pytest.mark.parametrize(
    "kind", [pa.binary(), pa.large_binary(), pa.binary_view(), "runs", "dictionary", "list", "fixed"]
)
@pytest.mark.parametrize("what", packed())
def test_what_is_compressed_or_an_archive_is_refused(what, kind):
    page = b"<a href=http://good.example/>a</a>"
    values = [page, None, packed()[what], page]
    if kind == "runs":
        column = pa.RunEndEncodedArray.from_arrays(
            pa.array([1, 2, 3, 4], pa.int32()), pa.array(values, pa.binary())
        )
    elif kind == "dictionary":
        column = pa.array(values, pa.binary()).dictionary_encode()
    elif kind == "list":
        column = values
    elif kind == "fixed":
        width = max(len(value) for value in values if value)
        column = pa.array([value and value.ljust(width, b"\0") for value in values], pa.binary(width))
    else:
        column = pa.array(values, kind)
    with pytest.raises(ValueError, match="row 2: compressed data or an archive"):
        linksift.arrow(column, format="auto")
    table = linksift.arrow(column, format="auto", errors="rows")
    assert [(row["row"], row["uri"]) for row in table.to_pylist() if not row["error"]] == [
        (0, "http://good.example/"),
        (3, "http://good.example/"),
    ]
    assert [row["row"] for row in table.to_pylist() if row["error"]] == [2]
    lists = linksift.arrow(column, format="auto", errors="skip", nested=True).to_pylist()
    assert [one and len(one) for one in lists] == [1, None, None, 1]
    with pytest.raises(linksift.NotReadError, match="archives=True") as raised:
        linksift.document(packed()[what])
    assert raised.value.code == "archive"
    if what != "gz, cut":
        assert list(linksift.document(packed()[what], archives=True))


def test_pictures_and_programs_are_refused():
    page = b"see http://good.example/"
    for value in [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR http://e.example/", b"\x7fELF\2\1\1 http://e.example/"]:
        with pytest.raises(linksift.NotReadError, match="row 1: .* not read") as raised:
            linksift.arrow([page, value])
        assert raised.value.code in ("media", "binary")
        assert [row["row"] for row in linksift.arrow([page, value], errors="skip").to_pylist()] == [0]
    # Text of a fixed width is filled with NULs.
    column = pa.array([page.ljust(64, b"\0"), b"b.example.com".ljust(64, b"\0")], pa.binary(64))
    assert [row["row"] for row in linksift.arrow(column).to_pylist()] == [0, 1]
    # What is said to be HTML is.
    assert len(linksift.arrow([b"\0<a href=http://good.example/>a</a>"], format="html")) == 1
    wide = "see http://good.example/".encode("utf-16")
    assert len(linksift.arrow([wide], format="auto")) == 1


INTERRUPTED = """
import _thread, os, signal, sys, threading, time
import linksift
what, size, many = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "many"
piece = "see http://a.example/b?c=d and 見て http://例え.jp/パス。 " if many else "no link in this at all, nor 見て here "
text = piece * (size // len(piece.encode()))
page = ("<p>" + text).encode()
finder = linksift.Finder()
run = {
    "links": lambda: [None for _ in linksift.links(text)],
    "candidates": lambda: [None for _ in linksift.candidates(text)],
    "uris": lambda: finder.uris(text),
    "uris of bytes": lambda: linksift.uris(text.encode()),
    "document": lambda: [None for _ in linksift.document(page)],
    "linkify": lambda: linksift.linkify(text),
    "linkify, joined": lambda: linksift.linkify(text, linkify_join_wrapped=True),
    "linkify_html": lambda: linksift.linkify_html("<p>" + text),
    "arrow": lambda: linksift.arrow([text]),
    "arrow, rejected": lambda: linksift.arrow([text], rejected=True),
    "arrow, threads": lambda: linksift.arrow([text[:9_000_000]] * 8, threads=2),
    "arrow of pages": lambda: linksift.arrow([page], format="html", threads=1),
    "arrow of markdown": lambda: linksift.arrow([text[:9_000_000].encode()] * 9, format="markdown", threads=1),
}[what]
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
try:
    threading.Timer(0.3, interrupt).start()
    while True:
        run()
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("density", ["many", "none"])
@pytest.mark.parametrize(
    "what",
    [
        "links",
        "candidates",
        "uris",
        "uris of bytes",
        "document",
        "linkify",
        "linkify, joined",
        "linkify_html",
        "arrow",
        "arrow, rejected",
        "arrow, threads",
        "arrow of pages",
        "arrow of markdown",
    ],
)
def test_one_large_value_is_interrupted_soon(what, density):
    run = [sys.executable, "-c", INTERRUPTED, what, str(64 << 20), density]
    times = []
    # A busy machine may take longer, but not three times.
    while len(times) < 3:
        out = subprocess.run(run, capture_output=True, text=True, timeout=300)
        assert out.returncode == 0, out.stderr
        times.append(float(out.stdout))
        if times[-1] < 1:
            return
    pytest.fail(f"seconds until the interrupt: {times}")

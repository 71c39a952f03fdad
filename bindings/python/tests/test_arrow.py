"""Arrow in and out: every layout, through every library that is here."""

import ctypes
import gc
import random
import threading

import pytest
from conftest import needs

import linksift

pa = needs("pyarrow")
import pyarrow.compute as pc  # noqa: E402

TEXTS = [
    "見て http://例え.jp/パス and example.com",
    None,
    "",
    "nothing here",
    "😀 me@example.org 😀 https://x.example.com/a?b=😀#c",
    None,
    "http://300.1.1.1/ www.example.net",
    "short",
    "a longer text without any, that no view holds inline",
]


def expected(texts):
    return [
        {"row": row, "start": link.start, "end": link.end, "kind": link.kind, "uri": link.uri}
        for row, text in enumerate(texts)
        if text is not None
        for link in linksift.links(text)
    ]


def rows(table):
    """The rows that pyarrow reads, after it has looked at all buffers."""
    read = pa.table(table)
    read.validate(full=True)
    assert read.to_pylist() == table.to_pylist()
    assert read.num_rows == len(table)
    return read.to_pylist()


LAYOUTS = {
    "string": lambda texts: pa.array(texts, pa.string()),
    "large": lambda texts: pa.array(texts, pa.large_string()),
    "view": lambda texts: pa.array(texts, pa.string_view()),
    "dictionary": lambda texts: pa.array(texts, pa.string()).dictionary_encode(),
    "dictionary8": lambda texts: pa.array(texts, pa.dictionary(pa.int8(), pa.large_string())),
    "dictionary64": lambda texts: pa.array(texts, pa.dictionary(pa.uint64(), pa.string())),
    "runs": lambda texts: pc.run_end_encode(pa.array(texts, pa.string())),
    "runs16": lambda texts: pc.run_end_encode(pa.array(texts, pa.string()), run_end_type=pa.int16()),
}
BINARY = {
    "binary": lambda texts: pa.array(texts, pa.binary()),
    "large_binary": lambda texts: pa.array(texts, pa.large_binary()),
    "binary_view": lambda texts: pa.array(texts, pa.binary_view()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("start,length", [(0, 9), (1, 7), (4, 1), (3, 0), (8, 1), (0, 1)])
def test_every_layout_of_texts(layout, start, length):
    column = LAYOUTS[layout](TEXTS)
    assert rows(linksift.arrow(column)) == expected(TEXTS)
    sliced = column.slice(start, length)
    assert rows(linksift.arrow(sliced)) == expected(TEXTS[start : start + length])
    chunked = pa.chunked_array([sliced, column, column.slice(0, 0), sliced])
    part = TEXTS[start : start + length]
    assert rows(linksift.arrow(chunked)) == expected(part + TEXTS + part)
    table = pa.table({"n": range(len(column)), "t": column}).slice(start, length)
    assert rows(linksift.arrow(table, "t")) == expected(part)


@pytest.mark.parametrize("layout", BINARY)
def test_every_layout_of_bytes(layout):
    texts = [text and text.encode() for text in TEXTS]
    column = BINARY[layout](texts)
    assert rows(linksift.arrow(column)) == expected(texts)
    assert rows(linksift.arrow(column.slice(4, 3))) == expected(texts[4:7])


def test_fixed_width_and_nothing():
    column = pa.array([b"e.com/a ", None, b"a.org/bc"], pa.binary(8))
    assert [row["uri"] for row in rows(linksift.arrow(column))] == ["https://e.com/a", "https://a.org/bc"]
    assert rows(linksift.arrow(column.slice(2))) == [
        {"row": 0, "start": 0, "end": 8, "kind": "schemeless", "uri": "https://a.org/bc"}
    ]
    assert rows(linksift.arrow(pa.nulls(5))) == []
    assert rows(linksift.arrow(pa.array([], pa.string()))) == []
    assert rows(linksift.arrow(pa.chunked_array([], pa.string()))) == []


def test_structs_with_nulls_of_their_own():
    texts = pa.array(TEXTS)
    holes = pa.array([row % 3 == 0 for row in range(len(TEXTS))])
    structs = pa.StructArray.from_arrays([texts], ["t"], mask=holes)
    kept = [None if row % 3 == 0 else text for row, text in enumerate(TEXTS)]
    assert rows(linksift.arrow(structs, "t")) == expected(kept)
    assert rows(linksift.arrow(structs.slice(4), "t")) == expected(kept[4:])


def test_random_layouts():
    dice = random.Random(7)
    for _ in range(60):
        texts = [
            dice.choice([None, "", "x" * 13, "é http://a.example/é", "example.com 😀 b@example.org"])
            for _ in range(dice.randrange(40))
        ]
        column = LAYOUTS[dice.choice(list(LAYOUTS))](texts)
        start = dice.randrange(len(texts) + 1)
        length = dice.randrange(len(texts) - start + 1)
        found = linksift.arrow(column.slice(start, length), threads=dice.choice([0, 1, 3]))
        assert rows(found) == expected(texts[start : start + length])


def test_lists_have_the_length_of_the_column():
    for column in [pa.array(TEXTS), pa.chunked_array([TEXTS[:3], TEXTS[3:]], pa.string())]:
        nested = linksift.arrow(column, nested=True)
        lists = pa.chunked_array(nested)
        lists.validate(full=True)
        assert len(lists) == len(TEXTS)
        assert lists.to_pylist() == nested.to_pylist()
        flat = [{"row": row, **link} for row, links in enumerate(lists.to_pylist()) for link in links or []]
        assert flat == expected(TEXTS)
        assert [value is None for value in lists.to_pylist()] == [text is None for text in TEXTS]


def test_all_fields_have_their_types():
    names = ["row", "start", "end", "line", "column", "kind", "context", "charset", "raw", "iri"]
    names += ["uri", "host", "rejected", "warnings", "severity", "findings", "display", "shown"]
    names += ["part", "transfer", "source", "message_id", "page", "object", "code"]
    texts = ["\nsee https://pаypal.com/a", None, "http://300.1.1.1/"]
    table = linksift.arrow(pa.array(texts), fields=names, rejected=True, positions=True)
    link, rejected = rows(table)
    assert list(link) == names
    assert (link["line"], link["column"], link["start"]) == (2, 5, 5)
    assert "host-mixed-script" in link["warnings"] and link["severity"] == "deceptive"
    assert link["findings"][0]["what"] == "Latn Cyrl" and link["rejected"] is None
    assert link["display"] == "https://xn--pypal-4ve.com/a"
    assert rejected["rejected"] == "host-ipv4" and rejected["uri"] is None
    schema = pa.table(table).schema
    assert schema.field("start").type == pa.int64() and schema.field("uri").type == pa.string()
    assert schema.field("code").type == pa.bool_()
    assert (link["code"], rejected["code"]) == (False, False)
    texts = ["`http://a.example/` http://b.example/", None, "http://c.example/ " * 9]
    code = linksift.arrow(pa.array(texts), fields=["code"], format="markdown")
    assert [row["code"] for row in rows(code)] == [True] + [False] * 10
    assert schema.field("warnings").type == pa.list_(pa.field("item", pa.string(), nullable=False))
    with pytest.raises(ValueError, match="unknown field .urls."):
        linksift.arrow(pa.array(texts), fields=["urls"])
    with pytest.raises(ValueError, match="duplicate field"):
        linksift.arrow(pa.array(texts), fields=["uri", "uri"])


def test_offsets_are_of_characters_or_bytes():
    column = pa.array(["é http://a.example/é"])
    assert rows(linksift.arrow(column))[0]["start"] == 2
    assert rows(linksift.arrow(column, offsets="bytes"))[0]["start"] == 3
    binary = pa.array(["é http://a.example/é".encode()])
    assert rows(linksift.arrow(binary))[0]["start"] == 3
    with pytest.raises(ValueError, match="bytes"):
        linksift.arrow(binary, offsets="chars")
    with pytest.raises(ValueError, match="one of"):
        linksift.arrow(column, offsets="utf16")


def test_documents_with_bases_and_charsets_of_their_own():
    table = pa.table(
        {
            "html": ["<a href=x>", "<a href='é'>".encode().decode(), None],
            "url": ["http://a.example/1/", None, "http://c.example/"],
        }
    )
    found = rows(linksift.arrow(table, "html", base="url", format="html", fields=["row", "uri"]))
    assert found == [
        {"row": 0, "uri": "http://a.example/1/x"},
        {"row": 1, "uri": "%C3%A9"},
    ]
    fixed = linksift.arrow(table, "html", base="http://b.example/", format="html", fields=["uri"])
    assert rows(fixed)[0] == {"uri": "http://b.example/x"}
    pages = pa.table(
        {
            "body": ["<a href='http://e.example/é'>".encode(c) for c in ["cp1252", "utf-8"]],
            "cs": ["windows-1252", None],
        }
    )
    found = linksift.arrow(pages, "body", charset="cs", format="html", fields=["uri", "charset"])
    assert [row["charset"] for row in rows(found)] == ["windows-1252", "utf-8"]
    assert {row["uri"] for row in rows(found)} == {"http://e.example/%C3%A9"}
    with pytest.raises(ValueError, match="charset"):
        linksift.arrow(table, "html", charset="utf-8")


def test_what_cannot_be_decoded():
    pages = pa.array([b"<meta charset=iso-2022-kr>", b"<a href=http://a.example/>"])
    with pytest.raises(linksift.CharsetError, match="row 0"):
        linksift.arrow(pages, format="html")
    skipped = linksift.arrow(pages, format="html", errors="skip", fields=["row", "uri"])
    assert rows(skipped) == [{"row": 1, "uri": "http://a.example/"}]
    told = rows(linksift.arrow(pages, format="html", errors="rows", fields=["row", "uri"]))
    assert told[0]["row"] == 0 and "iso-2022-kr" in told[0]["error"] and told[0]["uri"] is None
    nested = linksift.arrow(pages, format="html", errors="skip", nested=True, fields=["uri"])
    assert nested.to_pylist() == [None, [{"uri": "http://a.example/"}]]


def test_wrong_data_are_named():
    with pytest.raises(TypeError, match="neither text"):
        linksift.arrow(pa.array([1, 2]))
    with pytest.raises(TypeError, match='"n"'):
        linksift.arrow(pa.table({"n": [1]}), "n")
    with pytest.raises(ValueError, match='"u"'):
        linksift.arrow(pa.table({"t": ["x"]}), "u")
    with pytest.raises(ValueError, match="name is required"):
        linksift.arrow(pa.table({"t": ["x"], "u": ["y"]}))
    with pytest.raises(TypeError, match="single column"):
        linksift.arrow(pa.array(["x"]), "t")
    with pytest.raises(TypeError):
        linksift.arrow("a text")
    with pytest.raises(TypeError):
        linksift.arrow(3)
    with pytest.raises(TypeError, match="row 1"):
        linksift.arrow(["x", 3])
    with pytest.raises(TypeError, match="row 1"):
        linksift.arrow(["x", b"y"])
    with pytest.raises(TypeError, match="sheme"):
        linksift.arrow(["x"], shemes="any")

    def failing():
        yield pa.record_batch({"t": ["http://a.example/"]})
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"t": pa.string()}), failing())
    with pytest.raises(OSError, match="the disk is gone"):
        linksift.arrow(reader, "t")


class Capsules:
    """An object that hands over what it is given."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


def test_a_capsule_is_taken_once():
    capsule = pa.chunked_array([TEXTS]).__arrow_c_stream__()
    assert len(linksift.arrow(Capsules(capsule))) == len(expected(TEXTS))
    with pytest.raises(RuntimeError, match="already been consumed"):
        linksift.arrow(Capsules(capsule))
    with pytest.raises(TypeError):
        linksift.arrow(Capsules("no capsule"))
    with pytest.raises(ValueError):
        linksift.arrow(Capsules(pa.array(TEXTS).__arrow_c_array__()[0]))


def test_buffers_are_released_once_and_outlive_their_table():
    pool = pa.default_memory_pool()
    gc.collect()
    before = pool.bytes_allocated()
    column = pa.array(["http://a.example/ " * 100] * 1000)
    table = linksift.arrow(column)
    read = pa.table(table)
    del table, column
    gc.collect()
    assert pool.bytes_allocated() == before
    assert read.column("uri")[99_999].as_py() == "http://a.example/"
    part = read.column("uri").chunk(0)
    del read
    gc.collect()
    assert part[0].as_py() == "http://a.example/"


def test_what_nobody_reads_is_released():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    column = pa.array(["http://a.example/ " * 100] * 200)
    table = linksift.arrow(column)

    def work():
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()
        pa.table(table).slice(3, 5).column(0)
        reader = pa.RecordBatchReader.from_stream(table)
        reader.read_next_batch()
        del reader
        linksift.arrow(column, nested=True, fields=["findings", "uri"])

    for _ in range(20):
        work()
    before = resident()
    for _ in range(200):
        work()
    gc.collect()
    assert resident() - before < 16 << 20


def test_no_copy_of_the_input_is_made():
    """The views that come in are read where they are: a table of 100 MB costs no 100 MB."""
    data = pa.array(["x" * 1000] * 100_000)

    class Counting(ctypes.Structure):
        pass

    def peak():
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) << 10
        return 0

    before = peak()
    linksift.arrow(data, threads=1)
    assert peak() - before < 50 << 20


def test_threads_give_the_same_in_the_same_order():
    texts = [f"text {n} http://h{n}.example.com/é me@x{n}.example.org" for n in range(200_000)]
    column = pa.chunked_array([texts[:50_000], texts[50_000:]])
    one = pa.table(linksift.arrow(column, threads=1))
    assert one == pa.table(linksift.arrow(column, threads=4)).cast(one.schema)
    assert one.num_rows == 400_000
    assert one.column("row")[-1].as_py() == 199_999
    done = []
    work = [threading.Thread(target=lambda: done.append(len(linksift.arrow(column)))) for _ in "ab"]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert done == [400_000, 400_000]


def test_python_lists_are_columns():
    assert rows(linksift.arrow(TEXTS)) == expected(TEXTS)
    assert rows(linksift.arrow(iter(TEXTS))) == expected(TEXTS)
    assert rows(linksift.arrow([b"a.org", None])) == expected([b"a.org", None])
    lone = ["\ud800 http://a.example/"]
    assert rows(linksift.arrow(lone)) == expected(lone)
    assert linksift.arrow([]).to_pylist() == []
    assert linksift.arrow([None, float("nan")], nested=True).to_pylist() == [None, None]


def test_polars():
    pl = needs("polars")
    frame = pl.DataFrame({"id": range(len(TEXTS)), "t": TEXTS})
    assert pl.DataFrame(linksift.arrow(frame, "t")).to_dicts() == expected(TEXTS)
    assert pl.DataFrame(linksift.arrow(frame["t"])).to_dicts() == expected(TEXTS)
    with_links = frame.with_columns(links=pl.Series(linksift.arrow(frame["t"], nested=True)))
    exploded = with_links.explode("links").drop_nulls("links").unnest("links")
    assert exploded["uri"].to_list() == [row["uri"] for row in expected(TEXTS)]
    for row in exploded.iter_rows(named=True):
        assert linksift.uris(row["t"][row["start"] : row["end"]]) == [row["uri"]]


def test_pandas():
    pd = needs("pandas")
    frame = pd.DataFrame({"id": range(len(TEXTS)), "t": TEXTS})
    assert rows(linksift.arrow(frame["t"])) == expected(TEXTS)
    assert rows(linksift.arrow(frame, "t")) == expected(TEXTS)
    found = pa.table(linksift.arrow(frame["t"])).to_pandas()
    joined = frame.join(found.set_index("row"), how="inner")
    assert joined["uri"].tolist() == [row["uri"] for row in expected(TEXTS)]


def test_duckdb():
    duckdb = needs("duckdb")
    texts = pa.table({"id": range(len(TEXTS)), "t": TEXTS})
    found = pa.table(linksift.arrow(duckdb.sql("select t from texts order by id")))
    assert found.to_pylist() == expected(TEXTS)
    links = linksift.arrow(texts, "t")
    for _ in range(2):
        assert duckdb.sql("select count(*) from links").fetchall() == [(len(expected(TEXTS)),)]
    top = duckdb.sql("select kind, count(*) n from links group by kind order by kind").fetchall()
    assert ("schemeless", 2) in top

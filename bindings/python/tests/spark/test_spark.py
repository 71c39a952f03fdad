"""Spark: a real cluster gives what one machine gives, also when tasks, workers and executors fail."""

import gzip
import os
import re
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from cluster import Cluster

import linksift
import linksift.spark

HERE = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    one = Cluster(tmp_path_factory.mktemp("cluster"))
    yield one
    one.stop()


@pytest.fixture(scope="module")
def spark(cluster):
    session = cluster.session()
    yield session
    session.stop()


def warc(records):
    """A WARC file, each record a member of its own, as crawlers write it."""
    out = []
    for number, page in enumerate(records):
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h{number}.example.com/d/\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
        )
        out.append(gzip.compress(head.encode() + http + b"\r\n\r\n", 1))
    return b"".join(out)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """Files of very different sizes, and one that cannot be read to its end."""
    folder = tmp_path_factory.mktemp("crawl")
    for number in range(6):
        pages = [
            f"<title>é{number}</title><a href='/{page}/見'>x</a> see http://a.example/{page}?{number} 😀".encode()
            * 40
            for page in range(30 * 4**number % 1500 + 10)
        ]
        (folder / f"crawl-{number}.warc.gz").write_bytes(warc(pages))
    for number in range(40):
        (folder / f"small-{number}.txt").write_text(f"http://small.example.com/{number} me@example.org")
    return folder


def one_machine(paths, **settings):
    return Counter(
        tuple(row.values()) for batch in linksift.scan_paths(paths, **settings) for row in batch.to_pylist()
    )


def multiset(frame):
    return Counter(tuple(row) for row in frame.collect())


TEXTS = [
    "見て http://例え.jp/パス 😀 example.com",
    None,
    "",
    "nothing",
    "me@example.org https://x.example.com/a",
]


def texts(spark, number=2000):
    rows = [
        (n, f"{TEXTS[n % 5]} http://n{n}.example.com/" if TEXTS[n % 5] else None) for n in range(number)
    ]
    return spark.createDataFrame(rows, "id int, text string").repartition(4), rows


def links_of(rows, kept=True):
    return Counter(
        (*([n] if kept else []), link.start, link.end, link.kind, link.uri)
        for n, text in rows
        if text is not None
        for link in linksift.links(text)
    )


def test_extract_gives_the_links_of_one_machine(spark):
    frame, rows = texts(spark)
    found = linksift.spark.extract(frame, "text", keep=["id"])
    assert found.columns == ["id", "start", "end", "kind", "uri"]
    assert multiset(found) == links_of(rows)
    assert multiset(linksift.spark.extract(frame, "text")) == links_of(rows, kept=False)


def test_extract_gives_lists_and_other_fields(spark):
    frame, rows = texts(spark, 50)
    nested = linksift.spark.extract(frame, "text", keep=["id"], nested=True, fields=["uri", "warnings"])
    assert (
        nested.schema["links"].dataType.simpleString() == "array<struct<uri:string,warnings:array<string>>>"
    )
    told = {row.id: row.links for row in nested.collect()}
    assert len(told) == 50
    for number, text in rows:
        links = told[number]
        assert (links is None) == (text is None)
        assert [link.uri for link in links or []] == linksift.uris(text or "")
    pages = spark.createDataFrame([("<a href=x>", "http://b.example/")], "html string, url string")
    found = linksift.spark.extract(pages, "html", base="url", format="html", fields=["uri", "context"])
    assert [tuple(row) for row in found.collect()] == [("http://b.example/x", "a@href")]
    pages = spark.createDataFrame([(b"<meta charset=iso-2022-kr>",)], "body binary")
    found = linksift.spark.extract(pages, "body", format="html", errors="rows")
    assert "iso-2022-kr" in found.collect()[0].error


def test_wrong_settings_fail_at_once(spark):
    frame = spark.createDataFrame([("x",)], "text string")
    with pytest.raises(TypeError):
        linksift.spark.extract(frame, "text", shemes="any")
    with pytest.raises(ValueError):
        linksift.spark.extract(frame, "text", fields=["urls"])
    with pytest.raises(ValueError, match="uri"):
        linksift.spark.extract(frame.withColumnRenamed("text", "uri"), "uri", keep=["uri"])
    with pytest.raises(TypeError):
        linksift.spark.scan_paths(spark, "x", shemes="any")


def test_paths_give_the_links_of_one_machine(spark, crawl):
    alone = one_machine(crawl)
    assert alone.total() > 10_000
    found = linksift.spark.scan_paths(spark, crawl, task_bytes=100_000)
    assert found.rdd.getNumPartitions() > 3
    assert multiset(found) == alone
    names = spark.createDataFrame(
        [(str(path), path.stat().st_size) for path in crawl.iterdir()], "p string, size long"
    )
    assert multiset(linksift.spark.scan_paths(spark, names, task_bytes=1 << 20)) == alone
    uris = [f"file://{path}" for path in crawl.iterdir()]
    table = spark.createDataFrame([(uri,) for uri in uris], "path string")
    found = linksift.spark.scan_paths(spark, table, fields=["source", "uri", "line"], schemeless=False)
    assert multiset(found) == one_machine(crawl, fields=["source", "uri", "line"], schemeless=False)


@pytest.mark.parametrize("name", ["none", "*.html"])
def test_a_name_without_a_file_raises(spark, crawl, tmp_path, name):
    paths = [crawl, tmp_path / name]
    with pytest.raises(FileNotFoundError, match="glob.glob" if "*" in name else "no such file"):
        linksift.spark.scan_paths(spark, paths, errors="skip")
    table = spark.createDataFrame([(str(tmp_path / name), 7)], "path string, size long")
    with pytest.raises(FileNotFoundError):
        linksift.spark.scan_paths(spark, table, errors="skip")


def test_what_cannot_be_read_is_told(spark, crawl, tmp_path):
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes((crawl / "crawl-1.warc.gz").read_bytes()[:-40])
    paths = [cut, crawl, tmp_path / "none"]
    rows = linksift.spark.scan_paths(spark, paths, errors="rows")
    assert multiset(rows) == one_machine(paths, errors="rows")
    assert rows.where("error is not null").count() >= 2
    with pytest.raises(Exception, match="cut.warc.gz|none"):
        linksift.spark.scan_paths(spark, paths).count()
    assert linksift.spark.scan_paths(spark, []).count() == 0


def test_a_task_that_fails_in_mid_output_is_done_again(spark, crawl):
    alone = one_machine(crawl)

    def flaky(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        for batch in batches:
            yield batch
            if context.attemptNumber() == 0 and context.partitionId() % 2 == 1:
                raise RuntimeError("once")

    found = linksift.spark.scan_paths(spark, crawl, task_bytes=50_000)
    assert multiset(found.mapInArrow(flaky, found.schema)) == alone
    frame, rows = texts(spark)
    found = linksift.spark.extract(frame, "text", keep=["id"])
    assert multiset(found.mapInArrow(flaky, found.schema)) == links_of(rows)


@pytest.mark.parametrize("what", ["python_workers", "executors"])
def test_what_is_killed_is_done_again(cluster, spark, crawl, what):
    alone = one_machine(crawl)
    killed = []

    def slowly(batches):
        for batch in batches:
            time.sleep(0.1)
            yield batch

    def kill():
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not killed:
            # In the midst of the tasks.
            time.sleep(1.5)
            for pid in getattr(cluster, what)()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    found = linksift.spark.scan_paths(spark, crawl, task_bytes=200_000)
    found = found.mapInArrow(slowly, found.schema)
    killer = threading.Thread(target=kill)
    killer.start()
    assert multiset(found) == alone
    killer.join()
    assert killed


def test_tasks_are_of_a_size():
    tasks = linksift.spark._tasks
    mib = 1 << 20
    files = [(f"small{n}", mib) for n in range(300)] + [("big", 900 * mib), ("bigger", 1 << 40)]
    made = tasks(files, 128 * mib)
    assert made[:2] == [["bigger"], ["big"]]
    assert [len(names) for names in made[2:]] == [120, 120, 60]
    assert tasks([], 128 * mib) == []
    assert tasks([("x", 0)] * 5000, 128 * mib)[0] == ["x"] * 2048
    assert tasks([("x", 5)], 0) == [["x"]]


def test_the_ten_lines(cluster, spark, crawl, tmp_path, monkeypatch):
    """From one machine to a cluster, as SPARK.md has it."""
    readme = (HERE / "SPARK.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1]
    assert len(code.strip().splitlines()) <= 10
    paths = [(str(path),) for path in crawl.iterdir() if path.suffix == ".gz"]
    spark.createDataFrame(paths, "path string").write.parquet(str(tmp_path / "warcs.parquet"))
    code = code.replace("spark://master:7077", cluster.master).replace("/data/", f"{tmp_path}/")
    variables = {}
    exec(code, variables)
    hosts = variables["spark"].read.parquet(f"{tmp_path}/links.parquet")
    alone = one_machine([path for (path,) in paths])
    assert hosts.count() == alone.total()

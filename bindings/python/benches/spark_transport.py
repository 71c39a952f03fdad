"""What `linksift.spark.extract` costs beside the way through Spark and back, which the identity takes too.

    python benches/spark_transport.py [PAGES] [--megabytes 250] [--rounds 5]

On a standalone cluster of two workers with a core each: `mapInArrow` with batches given back as they came, and
`extract`, one after the other in each round, both from Parquet into nothing. Rows are texts of our own, a link in
about 500 bytes; with PAGES, a folder of HTML pages, these too. Ratios are medians of the rounds' ratios. The number of
links is compared with that of one process.
"""

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from warcs import Cluster, cpu_of, read_pages, spent

import linksift
import linksift.spark

FILES = 8


def texts(number):
    """Texts of about 4 KB, with links of all kinds in them."""
    dice = random.Random(1)
    words = [
        "the",
        "of",
        "crawl",
        "page",
        "every",
        "année",
        "資料",
        "weather",
        "привет",
        "found",
        "written",
        "said",
    ]
    links = [
        "https://example.com/talks/{}/slides.pdf",
        "http://例え.jp/パス/{}",
        "www.example.net/a_({})",
        "u{}@example.org",
    ]
    made = []
    for _ in range(number):
        text = []
        for _ in range(8):
            text += dice.choices(words, k=70)
            text.append(dice.choice(links).format(dice.randrange(100_000)))
        made.append(" ".join(text).encode())
    return made


def write(bodies, kind, folder, size):
    """Parquet files of so many bytes, of these bodies again and again."""
    folder.mkdir()
    at, written = 0, 0
    for file in range(FILES):
        column, held = [], 0
        while held < size // FILES:
            column.append(bodies[at % len(bodies)])
            at, held = at + 1, held + len(column[-1])
        ids = pa.array(range(at - len(column), at), pa.int64())
        table = pa.table({"id": ids, "body": pa.array(column, pa.binary()).cast(kind)})
        pq.write_table(table, folder / f"{file}.parquet", row_group_size=1 << 20)
        written += held
    return at, written


def identity(batches):
    yield from batches


def run(frame):
    frame.write.format("noop").mode("overwrite").save()


def compare(spark, cluster, folder, rounds, settings):
    rows = spark.read.parquet(str(folder))
    ways = {
        "identity": rows.mapInArrow(identity, rows.schema),
        "extract": linksift.spark.extract(rows, "body", keep=["id"], **settings),
    }
    # The first run starts the executors' Python, too.
    run(ways["identity"])
    links = ways["extract"].count()
    alone, start, cpu = 0, time.monotonic(), spent()
    for file in sorted(folder.iterdir()):
        for batch in pq.ParquetFile(file).iter_batches(10_000):
            alone += len(linksift.arrow(batch, "body", threads=1, **settings))
    assert alone == links, (alone, links)
    print(
        f"one process, one thread, without Spark: {time.monotonic() - start:.1f} s, {spent() - cpu:.1f} s of processor"
    )
    took = {name: [] for name in ways}
    for _ in range(rounds):
        for name, frame in ways.items():
            start, cpu = time.monotonic(), cpu_of(cluster)
            run(frame)
            took[name].append((time.monotonic() - start, cpu_of(cluster) - cpu))
    for name, times in took.items():
        wall, cpu = (statistics.median(column) for column in zip(*times, strict=True))
        print(
            f"{name}: {wall:.1f} s, {cpu:.1f} s of processor  ({' '.join(f'{one:.1f}' for one, _ in times)})"
        )
    ratios = [
        [extract / base for extract, base in zip(a, b, strict=True)]
        for a, b in zip(took["extract"], took["identity"], strict=True)
    ]
    wall, cpu = (statistics.median(column) for column in zip(*ratios, strict=True))
    print(f"extract is {wall:.2f} of identity, {cpu:.2f} by processor seconds; {links} links\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="?")
    parser.add_argument("--megabytes", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    inputs = {"texts": (texts(2000), pa.string(), {})}
    if given.pages:
        inputs["pages"] = (read_pages(given.pages), pa.binary(), {"format": "html"})
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder)
        try:
            spark = cluster.session(**{"spark.ui.showConsoleProgress": "false"})
            for name, (bodies, kind, settings) in inputs.items():
                written = Path(folder) / name
                count, size = write(bodies, kind, written, given.megabytes * 1_000_000)
                print(f"{count} {name}, {size / 1e6:.0f} MB")
                compare(spark, cluster, written, given.rounds, settings)
            spark.stop()
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()

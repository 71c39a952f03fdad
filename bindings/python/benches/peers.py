"""linksift beside its peers in Python, in one run: links of short messages, and of columns.

    python benches/peers.py [--seconds 1]

Counts are asserted before anything is timed. Times are processor seconds of the best of several rounds.
"""

import argparse
import platform
import random
import re
import time

import linksift

TEMPLATES = [
    "Hi, the slides are at https://example.com/talks/2025/slides.pdf, see you tomorrow.",
    "見て http://例え.jp/パス/資料。よろしく",
    "no link in this one, just a few words that somebody wrote on a Tuesday",
    "Mail me@example.org or call; docs: www.example.net/a_(b) and https://example.com/?q=1&r=2.",
    "😀😀 lol https://t.example.com/abc",
]


def best(run, seconds):
    """The least processor time of a round, while rounds together take less than so many seconds."""
    least, spent = float("inf"), 0.0
    while spent < seconds:
        start = time.process_time()
        run()
        took = time.process_time() - start
        least, spent = min(least, took), spent + max(took, 1e-9)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    seconds = parser.parse_args().seconds
    dice = random.Random(1)
    messages = [dice.choice(TEMPLATES) for _ in range(2000)]
    print(f"{platform.machine()}, Python {platform.python_version()}, linksift {linksift.__version__}")

    finder = linksift.Finder()
    pattern = re.compile(r"https?://\S+")
    peers = {
        "linksift.Finder.links": lambda text: [(link.start, link.end) for link in finder.links(text)],
        "linksift.Finder.uris": finder.uris,
        r"re https?://\S+": lambda text: pattern.findall(text),
    }
    try:
        from linkify_it import LinkifyIt

        linkify = LinkifyIt()
        peers["linkify-it-py"] = lambda text: linkify.match(text) or []
    except ImportError:
        print("linkify-it-py is not installed")
    try:
        from urlextract import URLExtract

        extract = URLExtract()
        peers["urlextract"] = extract.find_urls
    except Exception as error:
        print(f"urlextract cannot be used: {error}")
    print(f"\n{'':24} {'links':>7} {'us a message':>13} {'of linksift':>12}")
    first = None
    for name, find in peers.items():
        few = messages if "linksift" in name or name.startswith("re") else messages[:200]
        count = sum(len(find(text)) for text in few) * len(messages) // len(few)
        assert count > len(messages) // 2, name
        took = best(lambda find=find, few=few: [find(text) for text in few], seconds) / len(few) * 1e6
        first = first or took
        print(f"{name:24} {count:7} {took:13.2f} {took / first:11.1f}x")

    try:
        import pyarrow as pa
    except ImportError:
        print("pyarrow is not installed: no columns")
        return
    print(f"\n{'arrow, threads=1':24} {'rows':>8} {'links':>8} {'MB/s':>8}")
    prose = " ".join(f"word{n % 97} and more text" for n in range(60))
    line = "- see https://www.example.org/manual/part?chapter=12 for all"
    columns = {
        "messages": messages * 50,
        "a link in 60 bytes": [line] * 100_000,
        "43 bytes without a link": ["The release is out and the build looks fine"] * 100_000,
        "prose, a link in 2 KB": [f"{prose} https://example.com/{n} {prose}" for n in range(20_000)],
        "prose without links": [prose + prose] * 20_000,
    }
    for name, texts in columns.items():
        column = pa.array(texts)
        size = sum(len(text.encode()) for text in texts)
        count = len(linksift.arrow(column, threads=1))
        assert (
            count == sum(1 for text in texts[:1000] for _ in finder.links(text)) * len(texts) // 1000
            or name == "messages"
        )
        took = best(lambda column=column: linksift.arrow(column, threads=1), seconds)
        print(f"{name:24} {len(texts):8} {count:8} {size / took / 1e6:8.0f}")


if __name__ == "__main__":
    main()

"""Links in Spark: out of a column of a DataFrame, or out of files that the executors read themselves.

Both go through `mapInArrow`. `scan_paths` is the one for many bytes: only names travel through Spark.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from linksift import Finder, arrow
from linksift._native import ddl

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["extract", "scan_paths"]

#: What a task reads at least, of small files together. A bigger file is a task of its own.
TASK_BYTES = 128 << 20


def extract(
    df: DataFrame,
    column: str,
    *,
    keep: Sequence[str] = (),
    nested: bool = False,
    fields: Sequence[str] | None = None,
    rejected: bool = False,
    errors: str = "raise",
    **settings: Any,
) -> DataFrame:
    """The links of a column of texts or documents: a row for each, after the columns of `keep`.

    With `nested` there is a row for each text, and its links are a list of structs in the column
    `links`. `base`, `charset` and `name` may be names of columns, as in `linksift.arrow`.
    """
    columns = {
        name: value for name in ("base", "charset", "name") if (value := settings.get(name)) in df.columns
    }
    # Wrong settings fail here, not in a task.
    Finder(**{name: value for name, value in settings.items() if name not in columns})
    wanted = _names(fields, ["start", "end", "kind", "uri"], rejected, errors)
    schema = ddl(wanted)
    doubled = set(keep) & ({"links"} if nested else set(wanted))
    if doubled:
        raise ValueError(f"{', '.join(sorted(doubled))}: kept, and a column of links too; rename it before")
    if nested and errors == "rows":
        raise ValueError('errors="rows" cannot be used with lists')
    types = dict(df.select(*keep).dtypes)
    kept = [f"{_quoted(name)} {types[name]}" for name in keep]
    own = f"`links` array<struct<{_struct(schema)}>>" if nested else _columns(schema)
    options: dict[str, Any] = {
        "fields": wanted if nested else ["row", *wanted],
        "nested": nested,
        "rejected": rejected,
        "errors": errors,
        "threads": 1,
        **settings,
    }
    keep = list(keep)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            links = arrow(batch, column, **options)
            if nested:
                chunks = pa.chunked_array(links)
                lists = chunks.combine_chunks() if chunks.num_chunks != 1 else chunks.chunk(0)
                values = [batch.column(name) for name in keep]
                yield pa.RecordBatch.from_arrays([*values, lists], [*keep, "links"])
                continue
            for part in pa.RecordBatchReader.from_stream(links):
                rows = part.column("row")
                values = [batch.column(name).take(rows) for name in keep]
                names = part.schema.names[1:]
                columns = part.columns[1:]
                yield pa.RecordBatch.from_arrays([*values, *columns], [*keep, *names])

    needed = dict.fromkeys([*keep, column, *columns.values()])
    return df.select(*needed).mapInArrow(cast(Any, run), ", ".join([*kept, own] if kept else [own]))


def scan_paths(
    spark: SparkSession,
    paths: DataFrame | str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    fields: Sequence[str] | None = None,
    rejected: bool = False,
    errors: str = "raise",
    task_bytes: int = TASK_BYTES,
    **settings: Any,
) -> DataFrame:
    """The links of files, archives and mailboxes, which the executors read themselves.

    `paths` are names, or a DataFrame whose first column has names; a column `size`, if it has one, has
    their sizes, and else they are asked of the file system here. Executors must see the files by the same
    names. Files go to tasks by size: a big one is alone, small ones are together until they have
    `task_bytes`. A directory is gone through here for the names of its files.

    `errors`: `raise` fails the task at an input that cannot be read, `skip` goes on without it, `rows`
    goes on with a row that says in `error` why. A file that does not exist is no damaged input: with `skip` it
    raises `FileNotFoundError`. Names are not patterns: `glob.glob` gives the names of a pattern.
    """
    limits = ("archives", "binary", "max_depth", "max_expansion", "max_window")
    Finder(**{name: value for name, value in settings.items() if name not in limits})
    default = ["path", "member", "part", "start", "end", "kind", "context", "uri"]
    wanted = _names(fields, default, rejected, errors)
    options = {
        "fields": wanted,
        "rejected": rejected,
        "errors": errors,
        "threads": 1,
        **settings,
    }
    sized = _sized(paths)
    if errors == "skip":
        sized = _existing(sized)
    tasks = _tasks(sized, task_bytes)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        from linksift import scan_paths as scan

        for batch in batches:
            for names in batch.column(0).to_pylist():
                for part in scan([os.fsdecode(name) for name in names], **options):
                    yield pa.record_batch(part)

    rows = [([os.fsencode(name) for name in names],) for names in tasks]
    wants = "paths array<binary>"
    try:
        context = spark.sparkContext
    except Exception:
        # A remote session has no context: there a shuffle gives each task its partition.
        frame = spark.createDataFrame([(at, *row) for at, row in enumerate(rows)], f"at int, {wants}")
        frame = frame.repartitionByRange(max(len(rows), 1), "at").select("paths")
    else:
        frame = spark.createDataFrame(context.parallelize(rows, max(len(rows), 1)), wants)
    return frame.mapInArrow(cast(Any, run), _columns(ddl(wanted)))


def _names(fields: Sequence[str] | None, default: list[str], rejected: bool, errors: str) -> list[str]:
    wanted = list(fields) if fields is not None else default
    if fields is None and rejected:
        wanted.append("rejected")
    if errors == "rows" and "error" not in wanted:
        wanted.append("error")
    return wanted


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _columns(schema: list[tuple[str, str]]) -> str:
    return ", ".join(f"{_quoted(name)} {kind}" for name, kind in schema)


def _struct(schema: list[tuple[str, str]]) -> str:
    return ", ".join(f"{_quoted(name)}: {kind}" for name, kind in schema)


def _sized(
    paths: DataFrame | str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> Iterator[tuple[str, int]]:
    """Files and their sizes; what cannot be asked has none, and fails where it is read."""
    if hasattr(paths, "toLocalIterator"):
        frame = cast("DataFrame", paths)
        has_sizes = "size" in frame.columns
        chosen = [frame.columns[0], *(["size"] if has_sizes else [])]
        for row in frame.select(*chosen).toLocalIterator():
            if has_sizes and row[1] is not None:
                yield _local(row[0]), int(row[1])
            else:
                yield from _files(_local(row[0]))
        return
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    for path in cast("Iterable[str | os.PathLike[str]]", paths):
        yield from _files(_local(os.fsdecode(path)))


def _existing(files: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """The same files; the first that does not exist raises, since no row and no error would tell of it."""
    for path, size in files:
        if not os.path.lexists(path):
            hint = " (names are not patterns: use glob.glob)" if any(sign in path for sign in "*?[") else ""
            raise FileNotFoundError(errno.ENOENT, f"no such file{hint}", path)
        yield path, size


def _local(path: str) -> str:
    """Spark names files of the file system by URIs."""
    return path.removeprefix("file://") if path.startswith("file:///") else path.removeprefix("file:")


def _files(path: str) -> Iterator[tuple[str, int]]:
    if not os.path.isdir(path):
        yield path, _size(path)
        return
    with os.scandir(path) as entries:
        inside = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    for entry in inside:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path)
        elif entry.is_file(follow_symlinks=False):
            yield entry.path, _size(entry.path)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


#: To open a file costs about as much as to read so many bytes.
_OPENING = 64 << 10


def _tasks(files: Iterable[tuple[str, int]], task_bytes: int) -> list[list[str]]:
    """Names by task: the biggest files first, alone; the others in their order, together."""
    big: list[tuple[int, str]] = []
    together: list[list[str]] = []
    held = task_bytes
    for name, size in files:
        if size >= task_bytes:
            big.append((-size, name))
            continue
        held += size + _OPENING
        if held > task_bytes:
            together.append([])
            held = size + _OPENING
        together[-1].append(name)
    return [[name] for _, name in sorted(big)] + together

"""What mypy is to see of the module; it is checked, not run."""

from collections.abc import Iterator
from typing import Any

import linksift


def everything(text: str, data: bytes) -> Iterator[object]:
    finder = linksift.Finder(schemes=["http", "https"], schemeless=False, host="unicode")
    for link in finder.links(text):
        yield link.uri
    for found in linksift.candidates(data, charset="shift_jis"):
        if isinstance(found, linksift.Link):
            uri: str = found.uri
            host: str | None = found.host
            yield uri, host
        else:
            reason: str = found.reason
            rule: str | None = found.rule
            yield reason
    uris: list[str] = linksift.uris(text, positions=True)
    html: str = linksift.linkify(text, target="_blank")
    table: linksift.Table = linksift.arrow([text, None], nested=True, fields=["uri"], offsets="bytes")
    rows: list[Any] = table.to_pylist()
    for batch in linksift.scan_paths("docs", errors="skip", threads=2):
        yield len(batch)
    yield uris, html, rows
    linksift.links(text, boundaries="none")  # type: ignore[arg-type]
    linksift.links(text, shemes="any")  # type: ignore[call-arg]
    linksift.links(3)  # type: ignore[arg-type]

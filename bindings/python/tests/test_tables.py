"""The library's own tables: formats and escapes, and what deceives."""

import re
from pathlib import Path

import pytest

import linksift

FIXTURES = Path(__file__).parents[3] / "fixtures"


def unescaped(text):
    r"""`\u{…}` is a character."""
    return re.sub(r"\\u\{([0-9A-Fa-f]+)\}", lambda found: chr(int(found[1], 16)), text)


def blocks(path):
    """The first line of each block, and its other lines."""
    for block in (FIXTURES / path).read_text(encoding="utf-8").split("\n@@ ")[1:]:
        head, _, rest = block.partition("\n")
        yield head, rest.splitlines()


def test_dialects():
    seen = 0
    for name, lines in blocks("dialects/rows.cases"):
        uris = [line[2:] for line in lines if line.startswith("= ")]
        text = "".join(unescaped(line) + "\n" for line in lines if not line.startswith("= "))
        found = linksift.document(text.encode(), format="auto", name=name)
        assert [link.uri for link in found] == uris, name
        seen += 1
    assert seen > 30


def test_what_links_know():
    for name, lines in blocks("details/rows.cases"):
        rows = [unescaped(line[2:]).split(" | ") for line in lines if line.startswith("= ")]
        text = "".join(unescaped(line) + "\n" for line in lines if not line.startswith("= "))
        finder = linksift.Finder(format="auto", name=name, details=True)
        found = list(finder.document(text.encode()))
        code = ["code" if link.is_code else "prose" for link in found]
        assert [
            [link.uri, link.role, code, link.rel or "-", link.text or "-"]
            for link, code in zip(found, code, strict=True)
        ] == rows, name
        for link in found:
            known = link.to_dict()
            assert (known["role"], known["code"]) == (link.role, link.is_code)
            assert (known.get("text"), known.get("rel")) == (link.text, link.rel)
        assert all(link.text is None for link in linksift.document(text.encode(), format="auto"))


def test_columns():
    for name, lines in blocks("details/columns.cases"):
        rows = [line[2:] for line in lines if line.startswith("= ")]
        text = "".join(unescaped(line) + "\n" for line in lines if not line.startswith("= "))
        for source in (text, text.encode()):
            found = [
                list(linksift.document(source, format="auto", name=name, columns=unit))
                for unit in ("bytes", "chars", "utf16")
            ]
            places = [
                " | ".join(str(n) for n in (same[0].line, *(link.column for link in same)))
                for same in zip(*found, strict=True)
            ]
            assert places == rows, name


def stored(lines):
    """Bytes of a document that is not text: hexadecimal, `XX*N` for N equal bytes."""
    words = (word.partition("*") for line in lines for word in line.split())
    return b"".join(bytes.fromhex(value) * int(count or 1) for value, _, count in words)


def test_documents_that_are_not_text():
    seen = 0
    for head, lines in blocks("binary/documents.cases"):
        name, reason = head.split(" | ")
        links = [line[2:] for line in lines if line.startswith("= ")]
        notices = [line[2:] for line in lines if line.startswith("! ")]
        document = stored(line for line in lines if line[:1] not in {"=", "!"})
        if reason == "-":
            found = linksift.document(document, format="auto", name=name)
            assert [link.uri for link in found] == links, name
            assert [code for _, code, _ in found.notices] == notices, name
        else:
            with pytest.raises(linksift.NotReadError) as raised:
                list(linksift.document(document, format="auto", name=name))
            assert raised.value.code == reason, name
        seen += 1
    assert seen > 15


def test_what_deceives():
    known = "example.com,bank.example"
    for head, lines in blocks("trust/codes.cases"):
        code, _, kind = head.partition("; ")
        for line in lines:
            if line[:1] not in {"+", "-"}:
                continue
            text = unescaped(line[2:])
            page = f"<a href='{text}'>x</a>" if kind == "value" else text
            finder = linksift.Finder(
                format="html" if kind == "value" else kind or "text", known_hosts=known
            )
            links = list(finder.document(page.encode(), rejected=True))
            assert any(code in link.warnings for link in links) == line.startswith("+"), line

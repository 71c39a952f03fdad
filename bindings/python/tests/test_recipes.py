"""The recipes of the README, each run as it is written there."""

import gzip
import re
from pathlib import Path

import pytest
from conftest import needs

HERE = Path(__file__).parent.parent
README = (HERE / "README.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^### ([^\n]*)\n\n```python\n(.*?)```", README, re.MULTILINE | re.DOTALL))


def run(name, *modules):
    for module in modules:
        needs(module)
    variables = {}
    exec(RECIPES[name], variables)
    return variables


def test_there_are_five():
    assert len(RECIPES) == 5


def test_the_first_example():
    first = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    told = [line.removeprefix("# ") for line in first.splitlines() if line.startswith("# ")]
    printed = []
    exec(first, {"print": lambda *values: printed.append(" ".join(map(str, values)))})
    assert printed == told


def test_pandas():
    df = run("pandas", "pandas", "pyarrow")["df"]
    uris = ["https://example.com", None, "http://a.example/", "http://b.example/"]
    assert df["uri"].where(df["uri"].notna(), None).tolist() == uris


def test_polars():
    hosts = run("Polars", "polars")["hosts"]
    assert hosts["uri"].drop_nulls().len() == 3


def test_duckdb():
    assert run("DuckDB", "duckdb", "pyarrow")["top"] == [("iri", 1), ("schemeless", 1)]


def test_daft():
    uris = run("Daft", "daft", "pyarrow")["uris"]
    assert uris["row"] == [0, 1, 1] and uris["uri"][0] == "https://example.com"


def test_files(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("x\nsee example.com")
    (tmp_path / "docs" / "b.gz").write_bytes(gzip.compress(b"x" * 99)[:-9])
    monkeypatch.chdir(tmp_path)
    variables = run("Files, without any library")
    assert variables["lines"] == ['{"path": "docs/a.txt", "line": 2, "uri": "https://example.com"}']
    assert [path for path, _, _ in variables["failed"]] == ["docs/b.gz"]


@pytest.mark.skipif(not (HERE / "SPARK.md").exists(), reason="no SPARK.md")
def test_the_settings_of_the_readme_are_settings():
    import linksift

    for name in re.findall(r"`(\w+)=[^`]*`", README.split("## Functions")[1].split("A link has")[0]):
        assert name in linksift.SETTINGS

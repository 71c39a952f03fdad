#!/usr/bin/env bash
# Builds, lints and tests the Python module on a bare machine: needs Rust, Python 3.10 or newer with venv, and the
# package index. What cannot be had is skipped by its name. LINKSIFT_VENV names a venv to use again.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }
skip() { printf '\n== skipped: %s\n' "$*"; }

python=${PYTHON:-python3}
"$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || {
  skip "the Python module: no $python of 3.10 or newer with venv"
  exit 0
}
venv=${LINKSIFT_VENV:-.venv}
step "a venv in $venv"
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
pip() { "$venv/bin/python" -m pip --disable-pip-version-check -q "$@"; }
pip install 'maturin>=1.9,<2' pytest || {
  skip "the Python module: the package index cannot be reached"
  exit 0
}
have=()
for package in mypy ruff typing_extensions pyarrow polars duckdb 'pandas<3' daft urlextract linkify-it-py; do
  if pip install "$package"; then have+=("$package"); else skip "$package cannot be installed"; fi
done
export VIRTUAL_ENV="$PWD/$venv" PATH="$PWD/$venv/bin:$PATH"
case $venv in /*) export VIRTUAL_ENV="$venv" PATH="$venv/bin:$PATH" ;; esac

step "formatting and lints"
cargo fmt --check
cargo clippy --locked -- -D warnings
if command -v ruff >/dev/null; then
  ruff check .
  ruff format --check .
fi

step "the wheel, for development"
maturin develop --locked

if command -v mypy >/dev/null; then
  step "the stubs"
  mypy --strict tests/typed.py
  stubtest linksift --mypy-config-file pyproject.toml --allowlist tests/stubtest.allow --ignore-unused-allowlist
fi

step "tests"
pytest -q "$@"

#!/usr/bin/env bash
# Tests linksift.spark on a standalone cluster, which the tests start and stop: a master and two workers. Needs what
# test.sh needs, and Java 17, which is installed where that may be (apt-get, as root). What cannot be had is skipped by
# its name. LINKSIFT_VENV names a venv to use again.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }
skip() { printf '\n== skipped: %s\n' "$*"; exit 0; }

has_java() { java -version 2>&1 | grep -qE 'version "(1[7-9]|2[0-9])'; }
if ! has_java && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends openjdk-17-jre-headless; } \
    >/dev/null 2>&1 || true
fi
has_java || skip "linksift.spark: there is no Java 17"
python=${PYTHON:-python3}
"$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
  skip "linksift.spark: no $python of 3.10 or newer with venv"
venv=${LINKSIFT_VENV:-.venv}
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -m pip --disable-pip-version-check -q install 'maturin>=1.9,<2' pytest 'pyspark>=4' pyarrow 'pandas<3' ||
  skip "linksift.spark: pyspark cannot be installed"
case $venv in /*) ;; *) venv="$PWD/$venv" ;; esac
export VIRTUAL_ENV="$venv" PATH="$venv/bin:$PATH"

step "the wheel, for development"
maturin develop --locked

step "tests on a cluster"
pytest -q tests/spark "$@"

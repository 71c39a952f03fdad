#!/usr/bin/env bash
# corpora.sh OUT [TREE]: makes the texts that the benches read, OUT/{prose,dense,ru,ja,zh,ar}.txt, 64 MiB each.
#
# They come from Debian packages (12, "bookworm", or a near relative), fetched with apt-get and unpacked, not
# installed, under OUT/packages. A package that lies unpacked in TREE/NAME already is taken from there. Resumable.
# Needs apt-get, apt-cache, dpkg and python3, and the package lists (`apt-get update`).
set -euo pipefail
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: ${0##*/} OUT [TREE]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/packages"
out=$(cd "$1" && pwd)
tree=${2:-}

# Which package serves which corpus is said once, in corpora.py; it prints the names.
for name in $(python3 "$here/corpora.py" --packages); do
  [ -e "$out/packages/$name" ] && continue
  [ -n "$tree" ] && [ -d "$tree/$name" ] && { ln -s "$(cd "$tree/$name" && pwd)" "$out/packages/$name"; continue; }
  echo "corpora: fetching $name" >&2
  tmp=$(mktemp -d); chmod 755 "$tmp"
  # (As root apt-get warns that it cannot step down to its own user in this folder. That is all right.)
  (cd "$tmp" && apt-get download -qq "$name" 2> apt.log) || { cat "$tmp/apt.log" >&2; exit 1; }
  dpkg -x "$tmp"/*.deb "$tmp/root"
  mv "$tmp/root" "$out/packages/$name"
  rm -r "$tmp"
done
# Every package's record as apt knows it: the text of the `Packages` indexes.
[ -s "$out/packages/available" ] || apt-cache dumpavail > "$out/packages/available"

python3 "$here/corpora.py" "$out/packages" "$out"

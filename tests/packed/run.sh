#!/usr/bin/env bash
# Tests the package as it is published, in a crate outside the repository and without our lock file: README.md beside
# this. What cannot be had is skipped by name.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=$(realpath -m "${CARGO_TARGET_DIR:-$root/target}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

# `.ci/run` has built it.
if [ -z "${COMMAND:-}" ]; then
  cargo build --locked --quiet
  COMMAND=$target/debug/linksift
fi
COMMAND=$(realpath "$COMMAND")
cargo package --locked -p linksift --no-verify --allow-dirty --quiet --target-dir "$work/target"
tar -xzf "$work"/target/package/linksift-*.crate -C "$work"
mv "$work"/linksift-*/ "$work/linksift"

mkdir -p "$work/user/src"
cp "$here/lib.rs" "$work/user/src/"
cp tests/it/iri/idna.rs "$work/user/src/iri_idna.rs"
cat >"$work/user/Cargo.toml" <<'TOML'
[package]
name = "user"
version = "0.0.0"
edition = "2024"
publish = false

[features]
documents = ["linksift/documents"]

[dependencies]
linksift = { path = "../linksift", default-features = false, features = ["internals"] }

# Millions of hosts are mapped.
[profile.dev]
opt-level = 1
TOML
cd "$work/user"
if ! cargo generate-lockfile --quiet; then
  echo "skipped: the packed crate: cargo's registry cannot be reached"
  exit 0
fi
# A version and its name stand on two lines.
awk -F'"' '/^name/ { name = $2 } /^version/ && name ~ /^(idna|icu_|unicode-)/ { print name, $2 }' Cargo.lock

version=$(sed -n 's/.*VERSION: (u8, u8, u8) = (\([0-9]*\), \([0-9]*\), .*/\1.\2/p' "$work/linksift/src/generated/unicode.rs")
official=$root/../shared/unicode/$version
lines=--include-ignored
if [ ! -d "$official" ]; then
  echo "skipped: official lines of IDNA: no ../shared/unicode/$version here"
  lines=
fi
export OFFICIAL=$official COMMAND CARGO_TARGET_DIR=$target/packed
for features in "" documents; do
  # shellcheck disable=SC2086 # none, or one word
  cargo test --quiet --features "$features" -- $lines
done

#!/usr/bin/env bash
# build.sh [FEATURES]: builds linksift.wasm, beside linksift.js; `npm pack` then makes the package.
# `./build.sh archives` builds one that opens archives, and is an eighth longer.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/target}
# Less is inlined than elsewhere: a tenth of the module, and a fifteenth of its speed.
export RUSTFLAGS="${RUSTFLAGS:-} -C llvm-args=-inline-threshold=34"
cargo build --locked --release --target wasm32-unknown-unknown --features "${1:-}"
cp "$target/wasm32-unknown-unknown/release/linksift_web.wasm" linksift.wasm

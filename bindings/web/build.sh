#!/usr/bin/env bash
# build.sh: builds linksift.wasm, beside linksift.js; `npm pack` then makes the package.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/target}
cargo build --locked --release --target wasm32-unknown-unknown
cp "$target/wasm32-unknown-unknown/release/linksift_web.wasm" linksift.wasm

#!/usr/bin/env bash
# build.sh [FEATURES]: builds linksift.wasm, and linksift-simd.wasm, which is the same with vectors, beside linksift.js;
# `npm pack` then makes the package.
# `./build.sh archives` builds two that open archives, and are a third longer.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/target}
# Less is inlined than elsewhere: a tenth of the module, and a fifteenth of its speed.
# What panics say names files of the project, and not where it was built.
root=$(cd ../.. && pwd)
flags="${RUSTFLAGS:-} -C llvm-args=-inline-threshold=34"
# Flags are separated by spaces, of which a path may have some.
for prefix in "$root" "${CARGO_HOME:-$HOME/.cargo}/registry/src"; do
  case $prefix in *' '*) ;; *) flags+=" --remap-path-prefix=$prefix/=" ;; esac
done
build() { # MODULE FLAGS FEATURES
  RUSTFLAGS="$flags $2" cargo build --locked --release --target wasm32-unknown-unknown --features "$3"
  cp "$target/wasm32-unknown-unknown/release/linksift_web.wasm" "$1"
}
build linksift.wasm "" "${1:-}"
build linksift-simd.wasm "-C target-feature=+simd128" "${1:-}"

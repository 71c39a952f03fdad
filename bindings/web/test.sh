#!/usr/bin/env bash
# Builds the module for wasm32, packs it, and tests the package in Node; then the page in Chromium, if that is here.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
step() { printf '\n== %s\n' "$*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "formatting, lints"
cargo fmt --check
cargo clippy --locked --all-targets -- -D warnings

if ! rustup target add wasm32-unknown-unknown 2>/dev/null && ! rustc --print target-libdir --target wasm32-unknown-unknown >/dev/null; then
  echo "skipped: the target wasm32-unknown-unknown cannot be had here"
  exit 0
fi
step "wasm32"
cargo build --locked --release --target wasm32-unknown-unknown
cp "$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/linksift_web.wasm" linksift.wasm
size=$(gzip -9 -c linksift.wasm | wc -c)
echo "linksift.wasm: $(wc -c <linksift.wasm) bytes, $size with gzip"
[ "$size" -le 768000 ] || { echo "more than 750 KB"; exit 1; }

step "npm pack, and the package in Node"
npm pack --silent --pack-destination "$work" >/dev/null
cp tests/linksift.test.mjs "$work/"
(cd "$work" && printf '{"type":"module","private":true}\n' >package.json &&
  npm install --silent --no-audit --no-fund --offline ./linksift-*.tgz && node --test linksift.test.mjs)

step "the page in Chromium"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -n "$browser" ]; then
  python3 -u -m http.server 0 --bind 127.0.0.1 >"$work/server" 2>&1 &
  server=$!
  trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
  for _ in $(seq 50); do grep -q port "$work/server" && break; sleep 0.1; done
  port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/server" | head -n 1)
  picture=${PICTURES:-$work}/page.png
  "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$work/profile" --window-size=1000,720 \
    --virtual-time-budget=5000 --screenshot="$picture" "http://127.0.0.1:$port/index.html" 2>/dev/null
  "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$work/profile" --virtual-time-budget=5000 \
    --dump-dom "http://127.0.0.1:$port/index.html" 2>/dev/null >"$work/dom"
  grep -q 'data-ready="yes"' "$work/dom" && grep -q 'xn--r8jz45g.jp' "$work/dom" || { echo "the page shows no links"; exit 1; }
else
  echo "skipped: no Chromium here"
fi
printf '\nall of the module passed\n'

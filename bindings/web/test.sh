#!/usr/bin/env bash
# Builds the module for wasm32, packs it, and tests the package in Node: its interface, its types, the programs of the
# README; then the page in Chromium. Installs what it needs where it may (apt-get, as root); what cannot be had is
# skipped by name. PICTURES=DIR keeps the pictures.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
step() { printf '\n== %s\n' "$*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pictures=${PICTURES:-$work}

# Installs packages where that may be.
install() { # PACKAGES...
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } \
      >"$work/apt" 2>&1 || true
  fi
}

step "formatting, lints, unit tests"
cargo fmt --check
for features in "" archives; do
  cargo clippy --locked --all-targets --features "$features" -- -D warnings
done
cargo test --locked

if command -v rustup >/dev/null; then
  rustup target add wasm32-unknown-unknown >"$work/rustup" 2>&1 || true
fi
if [ ! -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ]; then
  echo "skipped: the module: the target wasm32-unknown-unknown cannot be had here"
  exit 0
fi
step "wasm32"
RUSTFLAGS="${RUSTFLAGS:-} -D warnings" ./build.sh
# One of them is fetched. The limit is what all of documents, mail and Office needs, so that growth is noticed.
for module in linksift.wasm linksift-simd.wasm; do
  size=$(gzip -9 -c $module | wc -c)
  echo "$module: $(wc -c <$module) bytes, $size with gzip"
  [ "$size" -le 1070000 ] || { echo "more than 1,070,000 bytes"; exit 1; }
done

step "wasm32, with archives"
cp linksift.wasm linksift-simd.wasm "$work/"
RUSTFLAGS="${RUSTFLAGS:-} -D warnings" ./build.sh archives
mv linksift-simd.wasm "$work/archives.wasm"
mv "$work/linksift.wasm" "$work/linksift-simd.wasm" .
echo "with archives: $(gzip -9 -c "$work/archives.wasm" | wc -c) bytes with gzip"

command -v npm >/dev/null || install nodejs npm
if ! command -v npm >/dev/null; then
  echo "skipped: the package in Node: no npm here"
  exit 0
fi
step "npm pack, and the package in Node"
npm pack --silent --pack-destination "$work" >/dev/null
tar tzf "$work"/linksift-*.tgz | sort
mkdir "$work/user"
cp tests/linksift.test.mjs tests/vectors.test.mjs tests/types.ts "$work/user/"
cd "$work/user"
printf '{"type":"module","private":true}\n' >package.json
npm install --silent --no-audit --no-fund --offline ../linksift-*.tgz
ARCHIVES=$work/archives.wasm FIXTURES=$OLDPWD/../../fixtures node --test linksift.test.mjs vectors.test.mjs

step "the programs of the README"
# Each program is followed by what it prints.
awk -v to="$work/user/readme" '
  /^```js$/ { n++; out = to n ".mjs"; next }
  /^```text$/ { out = to n ".txt"; next }
  /^```/ { out = ""; next }
  out { print > out }' "$OLDPWD/README.md"
programs=0
for program in readme*.mjs; do
  node "$program" | diff - "${program%.mjs}.txt"
  programs=$((programs + 1))
done
[ "$programs" = 3 ] || { echo "the README has $programs programs, not 3"; exit 1; }

step "its types"
if npm install --silent --no-audit --no-fund typescript@5 >"$work/npm" 2>&1; then
  npx tsc --noEmit --strict --target es2022 --lib es2022,dom --module nodenext types.ts
else
  echo "skipped: its types: typescript cannot be had here"
fi
cd "$OLDPWD"

step "the page in Chromium"
# Both forms of the page, from a server and from disk, say at their end what they show.
say='s|document.body.dataset.ready = "yes";|console.log("ready: " + at("summary").textContent + at("rows").textContent);|'
node standalone.mjs "$work/whole.html"
mkdir "$work/page"
cp linksift.js linksift.wasm linksift-simd.wasm "$work/page/"
sed "$say" index.html >"$work/page/index.html"
sed "$say" "$work/whole.html" >"$work/page/whole.html"
browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
browser >/dev/null || install chromium fonts-noto-cjk
browser=$(browser || true)
if [ -n "$browser" ] && command -v python3 >/dev/null; then
  python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$work/page" >"$work/server" 2>&1 &
  server=$!
  trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
  for _ in $(seq 100); do
    grep -q port "$work/server" && break
    sleep 0.1
  done
  port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/server" | head -n 1)
  for page in "http://127.0.0.1:$port/index.html" "file://$work/page/whole.html"; do
    name=${page##*/}
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
      --disable-component-update --disable-sync --user-data-dir="$work/profile" --window-size=1100,800 \
      --virtual-time-budget=10000 --enable-logging=stderr --screenshot="$pictures/${name%.html}.png" "$page" \
      >"$work/said" 2>&1 || true
    shown=$(sed -n 's/.*CONSOLE.*"ready: \(.*\)", source.*/\1/p' "$work/said")
    case $shown in
      "7 links and 2 rejected"*"http://xn--r8jz45g.jp/"*) echo "$name: ${shown:0:60}" ;;
      *)
        echo "$name does not show the links: $shown"
        exit 1
        ;;
    esac
  done
else
  echo "skipped: the page: no Chromium or no python3 here"
fi
printf '\nall of the module passed\n'

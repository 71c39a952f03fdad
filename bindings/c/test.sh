#!/usr/bin/env bash
# Tests the C interface: unit tests and the header, then C99 and C++17 programs against the installed library,
# shared and static, under AddressSanitizer too, and the three example clients as far as their libraries are here.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
step() { printf '\n== %s\n' "$*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "formatting, lints, unit tests, the header"
cargo fmt --check
cargo clippy --locked --all-targets -- -D warnings
cargo test --locked

step "install"
./install.sh "$work/usr"
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig LD_LIBRARY_PATH=$work/usr/lib
read -ra flags <<<"$(pkg-config --cflags --libs linksift)"
read -ra static <<<"$(pkg-config --cflags linksift) $work/usr/lib/liblinksift.a $(pkg-config --variable=none linksift) -lpthread -lm -ldl"
strict=(-Wall -Wextra -Werror -pedantic)

step "C99, C++17, static, AddressSanitizer"
cc -std=c99 -D_POSIX_C_SOURCE=200809L "${strict[@]}" tests/interface.c -o "$work/c" "${flags[@]}" -lpthread
"$work/c"
cc -std=c99 -D_POSIX_C_SOURCE=200809L "${strict[@]}" tests/interface.c -o "$work/static" "${static[@]}"
"$work/static"
c++ -std=c++17 "${strict[@]}" tests/interface.cpp -o "$work/cpp" "${flags[@]}"
"$work/cpp"
cc -std=c99 -D_POSIX_C_SOURCE=200809L -g -fsanitize=address,undefined "${strict[@]}" tests/interface.c \
  -o "$work/asan" "${flags[@]}" -lpthread
ASAN_OPTIONS=detect_leaks=1 "$work/asan"

step "the example in C"
cc -std=c99 "${strict[@]}" examples/links.c -o "$work/links" "${flags[@]}"
printf 'a\nsee http://example.com/\n' | "$work/links" | tee "$work/out"
grep -qx '2:5:http://example.com/' "$work/out"

step "the example in Qt 6"
if pkg-config --exists Qt6Widgets; then
  read -ra qt <<<"$(pkg-config --cflags --libs Qt6Widgets)"
  c++ -std=c++17 -fPIC -Wall examples/qt.cpp -o "$work/qt" "${flags[@]}" "${qt[@]}"
  QT_QPA_PLATFORM=offscreen "$work/qt" "${PICTURES:-$work}/qt.png"
  test -s "${PICTURES:-$work}/qt.png"
else
  echo "skipped: no Qt 6 here (qt6-base-dev)"
fi

step "the example in Vala"
if command -v valac >/dev/null && pkg-config --exists gtk4; then
  valac --vapidir include --pkg gtk4 --pkg linksift -X "-I$work/usr/include" -X "-L$work/usr/lib" -X -llinksift \
    -o "$work/gtk" examples/gtk.vala 2>"$work/vala.log" || { cat "$work/vala.log"; exit 1; }
  if command -v xvfb-run >/dev/null && command -v import >/dev/null; then
    xvfb-run -a bash -c "'$work/gtk' & sleep 4; import -window root '${PICTURES:-$work}/gtk.png'; kill %1"
  else
    echo "built; not run: no xvfb-run or import here"
  fi
else
  echo "skipped: no Vala or GTK 4 here (valac, libgtk-4-dev)"
fi
printf '\nall of the C interface passed\n'

#!/usr/bin/env bash
# Tests the C interface: unit tests and the header, then C99 and C++17 programs against the installed library,
# shared and static, under AddressSanitizer too, the programs of the README, and the three example clients.
# Installs what it needs where it may (apt-get, as root); what cannot be had is skipped by name.
# PICTURES=DIR keeps the pictures of the clients.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
step() { printf '\n== %s\n' "$*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pictures=${PICTURES:-$work}

# Whether what is tested for is here, if need be after installing packages.
have() { # PACKAGES TEST...
  local packages=$1
  shift
  "$@" >/dev/null 2>&1 && return
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    # shellcheck disable=SC2086 # these are words
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages; } \
      >"$work/apt" 2>&1 || true
  fi
  "$@" >/dev/null 2>&1
}

step "formatting, lints, unit tests, the header"
cargo fmt --check
cargo clippy --locked --all-targets -- -D warnings
cargo test --locked

if ! have "gcc g++ libc6-dev" c++ --version || ! have pkg-config pkg-config --version; then
  echo "skipped: programs in C and C++: no compiler or no pkg-config here"
  exit 0
fi

step "install"
DESTDIR=$work/staged ./install.sh /opt/linksift
mv "$work/staged/opt/linksift" "$work/usr"
sed -i.bak "s|^prefix=.*|prefix=$work/usr|; s|/opt/linksift|$work/usr|" "$work/usr/lib/pkgconfig/linksift.pc"
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig LD_LIBRARY_PATH=$work/usr/lib
read -ra flags <<<"$(pkg-config --cflags --libs linksift)"
read -ra static <<<"$(pkg-config --static --cflags --libs linksift)"
static=("${static[@]/-llinksift/$work/usr/lib/liblinksift.a}")
strict=(-Wall -Wextra -Werror -pedantic)
c99=(-std=c99 -D_POSIX_C_SOURCE=200809L "${strict[@]}")
ls -l "$work"/usr/lib/liblinksift*

step "C99, shared and static"
cc "${c99[@]}" tests/interface.c -o "$work/c" "${flags[@]}" -lpthread
"$work/c"
cc "${c99[@]}" tests/interface.c -o "$work/static" "${static[@]}"
env -u LD_LIBRARY_PATH "$work/static"

step "C++17"
c++ -std=c++17 "${strict[@]}" tests/interface.cpp -o "$work/cpp" "${flags[@]}"
"$work/cpp"
c++ -std=c++17 "${strict[@]}" -x c++ tests/interface.c -o "$work/c-as-cpp" "${flags[@]}" -lpthread
"$work/c-as-cpp"

step "temporaries are refused by the compiler"
c++ -std=c++17 "${strict[@]}" tests/temporaries.cpp -o "$work/temporaries" "${flags[@]}"
"$work/temporaries"
for refused in $(seq "$(sed -n 's|^// REFUSALS ||p' tests/temporaries.cpp)"); do
  if c++ -std=c++17 -DREFUSED="$refused" -fsyntax-only tests/temporaries.cpp "${flags[@]}" 2>"$work/refused"; then
    echo "tests/temporaries.cpp compiles with REFUSED=$refused"
    exit 1
  fi
  # By no other error than this.
  grep -q deleted "$work/refused"
done

step "AddressSanitizer"
if cc -fsanitize=address,undefined -x c - -o "$work/empty" <<<'int main(void) { return 0; }' 2>/dev/null; then
  cc "${c99[@]}" -g -fsanitize=address,undefined tests/interface.c -o "$work/asan" "${flags[@]}" -lpthread
  # It keeps what is freed, of which a test of memory must know nothing.
  ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=8 "$work/asan"
else
  echo "skipped: AddressSanitizer: not in this compiler"
fi
step "valgrind"
if have valgrind valgrind --version; then
  # Valgrind runs one thread at a time: without a fair turn the thread that waits gets none.
  valgrind --quiet --fair-sched=try --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=9 "$work/c"
else
  echo "skipped: valgrind: not here"
fi

step "the programs of the README"
# Each program is followed by what it prints.
awk -v to="$work/readme" '
  /^```(c|cpp)$/ { kind = substr($0, 4); n++; out = to n "." kind; next }
  /^```text$/ { out = to n ".txt"; next }
  /^```/ { out = ""; next }
  out { print > out }' README.md
programs=0
for source in "$work"/readme*.c "$work"/readme*.cpp; do
  case $source in
    *.c) cc -std=c99 "${strict[@]}" "$source" -o "${source%.*}" "${flags[@]}" ;;
    *) c++ -std=c++17 "${strict[@]}" "$source" -o "${source%.*}" "${flags[@]}" ;;
  esac
  "${source%.*}" | diff - "${source%.*}.txt"
  programs=$((programs + 1))
done
[ "$programs" = 4 ] || { echo "the README has $programs programs, not 4"; exit 1; }

step "the example in C"
cc -std=c99 "${strict[@]}" examples/links.c -o "$work/links" "${flags[@]}"
printf 'a\nsee http://example.com/\n' | "$work/links" | tee "$work/out"
[ "$(cat "$work/out")" = "2:5:http://example.com/" ]

step "the example in Qt 6"
if have qt6-base-dev pkg-config --exists Qt6Widgets; then
  read -ra qt <<<"$(pkg-config --cflags --libs Qt6Widgets)"
  c++ -std=c++17 -fPIC -Wall -Wextra -Werror examples/qt.cpp -o "$work/qt" "${flags[@]}" "${qt[@]}"
  if have "xvfb xauth" command -v xvfb-run; then
    xvfb-run -a "$work/qt" "$pictures/qt.png"
  else
    QT_QPA_PLATFORM=offscreen "$work/qt" "$pictures/qt.png"
  fi
  [ -s "$pictures/qt.png" ]
else
  echo "skipped: the example in Qt 6: no qt6-base-dev here"
fi

step "the example in Vala"
if have "valac libgtk-4-dev" pkg-config --exists gtk4 && command -v valac >/dev/null; then
  valac --vapidir "$work/usr/share/vala/vapi" --pkg gtk4 --pkg linksift -o "$work/gtk" examples/gtk.vala \
    -X "-I$work/usr/include" -X "-L$work/usr/lib" -X -llinksift -X -w
  if have "xvfb xauth" command -v xvfb-run; then
    xvfb-run -a "$work/gtk" "$pictures/gtk.png"
    [ -s "$pictures/gtk.png" ]
  else
    echo "built; not run: no xvfb-run here"
  fi
else
  echo "skipped: the example in Vala: no valac or libgtk-4-dev here"
fi
printf '\nall of the C interface passed\n'

#!/usr/bin/env bash
# install.sh [PREFIX]: builds liblinksift and installs it with its headers, its .pc file and its .vapi.
# PREFIX: /usr/local by default. DESTDIR is put in front of all paths; LIBDIR is where libraries go, PREFIX/lib by default.
set -euo pipefail
cd "$(dirname "$0")"
prefix=${1:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
to=${DESTDIR:-}
target=${CARGO_TARGET_DIR:-$PWD/target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

cargo build --release --locked
# What Rust's own library needs of the system, as `rustc --print native-static-libs` says.
case $(uname -s) in
  Darwin) system="-lSystem -lc -lm" ;;
  *) system="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc" ;;
esac
install -d "$to$libdir/pkgconfig" "$to$prefix/include" "$to$prefix/share/vala/vapi"
install -m 644 include/linksift.h include/linksift.hpp "$to$prefix/include/"
install -m 644 include/linksift.vapi "$to$prefix/share/vala/vapi/"
install -m 644 "$target/release/liblinksift.a" "$to$libdir/"
case $(uname -s) in
  Darwin) install -m 755 "$target/release/liblinksift.dylib" "$to$libdir/" ;;
  *)
    install -m 755 "$target/release/liblinksift.so" "$to$libdir/liblinksift.so.0"
    ln -sf liblinksift.so.0 "$to$libdir/liblinksift.so"
    ;;
esac
cat >"$to$libdir/pkgconfig/linksift.pc" <<PC
prefix=$prefix
libdir=$libdir
includedir=$prefix/include

Name: linksift
Description: Links out of text, documents and messages
Version: $version
Libs: -L\${libdir} -llinksift
Libs.private: $system
Cflags: -I\${includedir}
PC
echo "linksift $version: $to$prefix"

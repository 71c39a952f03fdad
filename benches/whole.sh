#!/usr/bin/env bash
# whole.sh DIR [ROUNDS]: the command over a tree of files beside ripgrep, warm cache, two threads each.
#
# LINKSIFT=path (default: ../target/release/linksift) and RG=path (default: rg) say which programs; LINKSIFT_FLAGS
# adds options to ours. Runs take turns; medians of ROUNDS (9) and the median of the ratios of each round are printed,
# of the wall clock and of the processor time, which other users of the machine disturb less.
# Three ways to call ripgrep, as none is the same work:
#   plain   ignore files are obeyed, hidden files left out, binary files given up at their first NUL
#   -uuu    every file, binary ones as text: the files that we read
#   -uuun   the same with line and column, which our output has too
set -euo pipefail
[ $# -ge 1 ] && [ -d "$1" ] || { echo "usage: ${0##*/} DIR [ROUNDS]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
dir=$1 rounds=${2:-9}
linksift=${LINKSIFT:-$here/../target/release/linksift} rg=${RG:-rg}
read -ra flags <<< "${LINKSIFT_FLAGS:-}"
command -v "$linksift" > /dev/null || { echo "no $linksift: cargo build --release" >&2; exit 3; }
command -v "$rg" > /dev/null || { echo "no $rg: cargo install ripgrep" >&2; exit 3; }
scratch=$(mktemp -d); trap 'rm -r "$scratch"' EXIT
pattern='\bhttps?://\S+'

ours() { "$linksift" -j2 "${flags[@]}" "$dir" > "$1" || [ $? -eq 1 ]; }
plain() { "$rg" -j2 -o "$pattern" "$dir" > "$1" || [ $? -eq 1 ]; }
uuu() { "$rg" -j2 -uuu -a -o "$pattern" "$dir" > "$1" || [ $? -eq 1 ]; }
uuun() { "$rg" -j2 -uuu -a -n --column -o "$pattern" "$dir" > "$1" || [ $? -eq 1 ]; }

find "$dir" -type f -exec cat {} + > /dev/null # warms the cache
bytes=$(find "$dir" -type f -printf '%s\n' | awk '{s+=$1}END{print s+0}')
echo "$(date +%F) · $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1) · $("$rg" --version | head -1)"
echo "$(find "$dir" -type f | wc -l) files, $((bytes / 1000000)) MB; ours: -j2 ${flags[*]}"
for who in ours plain uuu uuun; do # also the round that is not counted
  $who "$scratch/$who"
  printf '%-6s %9d lines, %11d bytes of output\n' $who "$(wc -l < "$scratch/$who")" "$(stat -c %s "$scratch/$who")"
done

TIMEFORMAT="%R %U %S"
for to in /dev/null "$scratch/out"; do
  : > "$scratch/times"
  for ((round = 0; round < rounds; round++)); do
    for who in ours plain uuu uuun; do
      { printf '%s ' $who; time $who "$to" 2>&3; } >> "$scratch/times" 3>&2 2>> "$scratch/times"
    done
  done
  [ "$to" = /dev/null ] && echo "output to /dev/null:" || echo "output to a file:"
  python3 - "$scratch/times" "$bytes" << 'PY'
import statistics, sys
wall, cpu = {}, {}
for line in open(sys.argv[1]):
    who, real, user, system = line.split()
    wall.setdefault(who, []).append(float(real))
    cpu.setdefault(who, []).append(float(user) + float(system))
median = statistics.median
for who, seconds in wall.items():
    ratio = median(theirs / ours for theirs, ours in zip(seconds, wall["ours"]))
    busy = median(theirs / ours for theirs, ours in zip(cpu[who], cpu["ours"]))
    print(f"  {who:6} {median(seconds):7.3f} s  best {min(seconds):7.3f}  {int(sys.argv[2]) / median(seconds) / 1e9:6.2f} GB/s  "
          f"ours is {ratio:5.2f} times as fast; processor {median(cpu[who]):7.3f} s, {busy:.2f} times ours")
PY
done

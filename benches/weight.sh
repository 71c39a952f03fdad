#!/usr/bin/env bash
# weight.sh [FEATURES...]: what the features of the library weigh: crates, and the size of a program that uses them.
#
# A small program is made that prints the links of its standard input by the roads that its features give: as UTF-8
# text, with more of them as a document of any format, out of an archive, as a file of many. It is built by the release
# profile of this repository, stripped, against the versions in its Cargo.lock, and run once. Each argument is a set of
# features ("mail", "mail,zstd"; "none" for none); without arguments all rows of docs/features.md but the
# command's, which is `cargo build --release` itself. WEIGHT_TARGET names a target folder to use again.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=${WEIGHT_TARGET:-$work/target}

[ $# -gt 0 ] || set -- none documents mail office pdf known-hosts archives zstd files serde report parquet url

mkdir -p "$work/src"
cp "$root/Cargo.lock" "$work/"
cat >"$work/src/main.rs" <<'RUST'
use std::io::{self, Write};
use std::ops::ControlFlow;

use linksift::{Event, Finder, Format, Hints};

fn show(event: Event<'_>) -> ControlFlow<()> {
    let Event::Link { link, .. } = event else { return ControlFlow::Continue(()) };
    let mut line = Vec::new();
    #[cfg(feature = "report")]
    linksift::report::Record::link("-", &link).push_json(&mut line);
    #[cfg(feature = "url")]
    line.extend(url::Url::try_from(&link).map(String::from).unwrap_or_default().as_bytes());
    #[cfg(not(feature = "report"))]
    line.extend_from_slice(link.uri().as_bytes());
    #[cfg(feature = "parquet")]
    {
        use linksift::report::{Field, ParquetWriter, Record};
        let mut rows = Vec::new();
        Record::link("-", &link).push_row_of(Field::ALL, &mut rows);
        let mut writer = ParquetWriter::new(io::sink(), Field::ALL).unwrap();
        writer.write_rows(&rows).unwrap();
        writer.finish().unwrap();
    }
    line.push(b'\n');
    io::stdout().write_all(&line).unwrap();
    ControlFlow::Continue(())
}

fn main() {
    let finder = Finder::builder();
    #[cfg(feature = "known-hosts")]
    let finder = finder.known_hosts(linksift::trust::KnownHosts::new(["example.org"]));
    let finder = finder.build();
    let hints = Hints::new().format(Format::Auto);
    #[cfg(feature = "files")]
    {
        let options = linksift::files::Options::new().finder(finder).hints(hints);
        let options = options.rules(linksift::files::Rules::new().gitignore(true));
        linksift::files::scan(["-"], &options, show).unwrap();
    }
    #[cfg(all(feature = "archives", not(feature = "files")))]
    {
        use linksift::container::{self, Found, Limits, Opening};
        container::documents(Opening::reader(io::stdin()), &Limits::new(), |found| {
            if let Found::Document(mut document) = found {
                let hints = document.hints(&hints);
                finder.scan_reader(&mut document, &hints, show).unwrap();
            }
            ControlFlow::Continue(())
        });
    }
    #[cfg(not(any(feature = "archives", feature = "files")))]
    finder.scan_reader(io::stdin(), &hints, show).unwrap();
}
RUST

# The features of the program: those of the library, and what its own lines need of them.
{
  cat <<TOML
[package]
name = "weight"
version = "0.0.0"
edition = "2024"

[dependencies]
linksift = { path = "$root", default-features = false }
url = { version = "2.5", default-features = false, features = ["std"], optional = true }

[features]
archives = ["linksift/archives"]
zstd = ["archives", "linksift/zstd"]
files = ["archives", "linksift/files"]
report = ["linksift/report"]
parquet = ["report", "linksift/parquet"]
url = ["dep:url", "linksift/url"]
TOML
  for one in documents mail office pdf known-hosts serde; do
    printf '%s = ["linksift/%s"]\n' "$one" "$one"
  done
  printf '\n'
  sed -n '/^\[profile.release\]/,/^$/p' "$root/Cargo.toml"
  printf '[workspace]\n'
} >"$work/Cargo.toml"

for features; do
  [ "$features" != none ] || features=""
  (cd "$work" && cargo build --release --quiet --features "$features")
  program=$CARGO_TARGET_DIR/release/weight
  found=$("$program" <<<'see http://example.com/a')
  [[ $found == *http://example.com/a* ]] || { echo "${features:-none}: the program found: $found" >&2; exit 1; }
  crates=$(cd "$root" && cargo tree --locked -p linksift -e normal --prefix none --no-default-features --features "$features" \
    | sed 's/ (\*)$//' | sort -u | grep -vc '^linksift')
  awk -v name="${features:-none}" -v crates="$crates" -v size="$(wc -c <"$program")" \
    'BEGIN { printf "%-24s %4d crates  %5.2f MB\n", name, crates, size / 1e6 }'
done

#!/usr/bin/env python3
"""corpora.py PACKAGES OUT: plain texts out of unpacked packages; see corpora.sh, which calls it.

Tags, roff requests and escapes are taken away, so that what is left is running text as a reader sees it. A text is
cut at 64 MiB; a shorter one is repeated until it has that size, and the manifest says how much of it is distinct.
"""
import gzip, hashlib, html, json, os, re, struct, sys
from pathlib import Path

SIZE = 64 << 20
DISTINCT = 1_000_000

# corpus -> (package, pattern below the package's root, how its text is taken out)
SOURCES = {
    # Changelogs of projects that write long ones, by people, in English.
    "prose": [(name, "usr/share/doc/*/[Cc]hangelog*", "plain") for name in
              ("linux-doc-6.1", "libharfbuzz0b", "git-man", "strace", "gnupg-l10n", "libgnutls28-dev", "libmpfr6",
               "libgmp-dev", "libc6", "gcc-12-base", "apache2-doc")],
    "ru": [("manpages-ru", "usr/share/man/ru/**/*.gz", "roff"),
           ("libreoffice-help-ru", "usr/share/libreoffice/help/ru/text/**/*.html", "html"),
           ("debian-handbook", "usr/share/doc/debian-handbook/html/ru-RU/**/*.html", "html"),
           ("installation-guide-amd64", "usr/share/doc/installation-guide-amd64/ru.html/*.html", "html"),
           ("mediawiki", "**/ru.json", "json")],
    "ja": [("manpages-ja", "usr/share/man/ja/**/*.gz", "roff"),
           ("libreoffice-help-ja", "usr/share/libreoffice/help/ja/text/**/*.html", "html"),
           ("debian-reference-ja", "usr/share/debian-reference/*.ja.html", "html"),
           ("debian-handbook", "usr/share/doc/debian-handbook/html/ja-JP/**/*.html", "html"),
           ("mediawiki", "**/ja.json", "json")],
    "zh": [("manpages-zh", "usr/share/man/zh_CN/**/*.gz", "roff"),
           ("libreoffice-help-zh-cn", "usr/share/libreoffice/help/zh-CN/text/**/*.html", "html"),
           ("debian-reference-zh-cn", "usr/share/debian-reference/*.zh-cn.html", "html"),
           ("debian-handbook", "usr/share/doc/debian-handbook/html/zh-CN/**/*.html", "html"),
           ("mediawiki", "**/zh-hans.json", "json")],
    # No package holds long Arabic prose: a book in part, and the messages of large programs.
    "ar": [("debian-handbook", "usr/share/doc/debian-handbook/html/ar-MA/**/*.html", "html"),
           ("libreoffice-l10n-ar", "usr/lib/libreoffice/**/*.mo", "mo"),
           ("wordpress-l10n", "**/ar*.mo", "mo"),
           ("iso-codes", "usr/share/locale/ar/**/*.mo", "mo"),
           ("evolution-common", "usr/share/locale/ar/**/*.mo", "mo"),
           ("phpmyadmin", "**/ar/**/*.mo", "mo"),
           ("krita-l10n", "usr/share/locale/ar/**/*.mo", "mo"),
           ("cinnamon-l10n", "usr/share/locale/ar/**/*.mo", "mo"),
           ("gnucash-common", "usr/share/locale/ar/**/*.mo", "mo"),
           ("vlc-l10n", "usr/share/locale/ar/**/*.mo", "mo"),
           ("mediawiki", "**/ar.json", "json"),
           ("mediawiki", "**/ar[qyz].json", "json")],
    # For the legacy charsets of their languages; shorter texts do.
    "fr": [("debian-handbook", "usr/share/doc/debian-handbook/html/fr-FR/**/*.html", "html"),
           ("mediawiki", "**/fr.json", "json")],
    "pl": [("debian-handbook", "usr/share/doc/debian-handbook/html/pl-PL/**/*.html", "html"),
           ("mediawiki", "**/pl.json", "json")],
    "el": [("debian-handbook", "usr/share/doc/debian-handbook/html/el-GR/**/*.html", "html"),
           ("mediawiki", "**/el.json", "json")],
    "ko": [("debian-handbook", "usr/share/doc/debian-handbook/html/ko-KR/**/*.html", "html"),
           ("mediawiki", "**/ko.json", "json")],
    "zh-hant": [("debian-handbook", "usr/share/doc/debian-handbook/html/zh-TW/**/*.html", "html"),
                ("mediawiki", "**/zh-hant.json", "json")],
}
# Fields of a package record; sums, sizes and tags are left out.
DENSE = ("Package", "Version", "Maintainer", "Depends", "Description", "Homepage", "Section")


def plain(raw):
    return raw.decode("utf-8")


def from_html(raw):
    text = raw.decode("utf-8")
    text = re.sub(r"(?is)<(script|style|head)\b.*?</\1>|<!--.*?-->", "", text)
    text = re.sub(r"(?i)</?(p|div|li|ul|ol|tr|td|th|h\d|pre|br|dt|dd|table|body|section)\b[^>]*>", "\n", text)
    text = html.unescape(re.sub(r"<[^>]*>", "", text))
    return re.sub(r"[ \t]*\n\s*", "\n", text)


def from_roff(raw):
    lines = []
    for line in raw.decode("utf-8").splitlines():
        if line.startswith((".\\\"", "'\\\"")):
            continue
        line = re.sub(r"^[.'][ \t]*[A-Za-z]+[ \t]*", "", line)
        line = re.sub(r"\\f(\[\w*\]|\(\w\w|.)|\\s[+-]?\d|\\[&/,:%|^]", "", line)
        lines.append(line.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").replace("\\ ", " "))
    return "\n".join(lines) + "\n"


def from_json(raw):
    return "".join(v + "\n" for v in json.loads(raw).values() if isinstance(v, str))


def from_mo(raw):
    order = "<" if raw[:4] == b"\xde\x12\x04\x95" else ">"
    count, _, table = struct.unpack(order + "3I", raw[8:20])
    texts = []
    for i in range(count):
        length, start = struct.unpack(order + "2I", raw[table + 8 * i:table + 8 * i + 8])
        texts.append(raw[start:start + length].replace(b"\0", b"\n"))
    return (b"\n".join(texts[1:]) + b"\n").decode("utf-8")  # the first is the catalogue's header


HOW = {"plain": plain, "html": from_html, "roff": from_roff, "json": from_json, "mo": from_mo}


def texts(packages, sources):
    """The texts of one corpus in a fixed order; a file that is not UTF-8 or that was seen already is left out."""
    seen = set()
    for name, pattern, how in sources:
        for path in sorted((packages / name).glob(pattern)):
            if not path.is_file():
                continue
            raw = path.read_bytes()
            if path.suffix == ".gz":
                raw = gzip.decompress(raw)
            digest = hashlib.sha256(raw).digest()
            if digest in seen:
                continue
            seen.add(digest)
            try:
                yield HOW[how](raw)
            except (UnicodeDecodeError, ValueError, struct.error):
                continue


def dense(packages):
    keep = False
    lines = []
    for line in (packages / "available").read_text("utf-8", "ignore").splitlines(keepends=True):
        if line == "\n":
            lines.append(line)
            keep = False
        elif not line[0].isspace():
            keep = line.split(":", 1)[0] in DENSE
            lines.append(line if keep else "")
        elif keep:
            lines.append(line)
    yield "".join(lines)


def write(out, name, parts):
    text = "".join(parts).encode("utf-8")
    distinct = min(len(text), SIZE)
    if distinct < DISTINCT:
        sys.exit(f"corpora: {name}: only {len(text)} bytes of text found")
    whole = text * (SIZE // len(text) + 1)
    end = SIZE
    while whole[end] & 0xC0 == 0x80:  # never half a character
        end -= 1
    whole = whole[:end]
    (out / f"{name}.txt").write_bytes(whole)
    foreign = sum(b >= 0x80 for b in text) / len(text)
    digest = hashlib.sha256(whole).hexdigest()[:16]
    return f"{name}\t{end}\t{distinct}\t{foreign:.2f}\t{digest}\n"


def main(args):
    if args == ["--packages"]:
        print("\n".join(sorted({name for sources in SOURCES.values() for name, _, _ in sources})))
        return
    if len(args) != 2:
        sys.exit("usage: corpora.py PACKAGES OUT")
    packages, out = Path(args[0]), Path(args[1])
    rows = [write(out, name, texts(packages, sources)) for name, sources in SOURCES.items()]
    rows.append(write(out, "dense", dense(packages)))
    manifest = "corpus\tbytes\tdistinct\tnon-ascii\tsha256\n" + "".join(rows)
    (out / "manifest.tsv").write_text(manifest)
    print(manifest, end="")


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
"""Makes docs/terminal.svg: commands run in a pseudo terminal, with what they print, colours included.

    cargo build --release && docs/picture.py target/release/linksift
"""

import html
import os
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 92
# What the picture shows: commands.
COMMANDS = [
    "linksift --show iri notes",
    "linksift --rejected notes/mail.txt",
    "linksift --json --fields path,part,transfer,start,end,uri notes/news.eml",
    "linksift --suspicious --show display notes",
]
FILES = {
    "notes/mail.txt": "See docs.rs/serde (not main.rs), http://300.1.1.1/ and\n"
    "http://en.wikipedia.org/wiki/Rust_(language), or write to иван@пример.рф.\n",
    "notes/ja.html": '<meta charset=shift_jis><base href="http://例え.jp/文書/">\n'
    '<a href="表.html?語=表">表紙</a>。詳しくは「https://ja.wikipedia.org/wiki/日本語」へ。\n',
    "notes/news.eml": "Subject: news\nContent-Type: text/plain; charset=utf-8\n"
    "Content-Transfer-Encoding: quoted-printable\n\n"
    "Offers: https://www.bank.com.evil.example/?a=3D1&b=\n=3D2 now\n",
}
COLOURS = {30: "#1d1f21", 31: "#cc6666", 32: "#b5bd68", 33: "#f0c674", 34: "#81a2be", 35: "#b294bb", 36: "#8abeb7", 37: "#c5c8c6"}


def run(binary: Path, command: str, folder: str) -> str:
    """What `command` prints on a terminal of COLUMNS columns."""
    leader, follower = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "PATH": f"{binary.parent}:{os.environ['PATH']}"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(["sh", "-c", command + " --hyperlinks never --progress never"], stdout=follower, stderr=follower, stdin=subprocess.DEVNULL, cwd=folder, env=environment)
    os.close(follower)
    printed = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:
            break
        if not block:
            break
        printed += block
    process.wait()
    text = printed.decode().replace("\r\n", "\n")
    # What moves the cursor, such as the progress line.
    return re.sub(r"\x1b\[[0-9;?]*[A-HJKSTfhl]|\r", "", text)


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def lines(text: str):
    """Lines of (style, text), wrapped at COLUMNS."""
    style, line, column, out = "", [], 0, []
    for token in re.split(r"(\x1b\[[0-9;]*m|\n)", text):
        if token == "\n":
            out.append(line)
            line, column = [], 0
        elif token.startswith("\x1b["):
            for code in [int(code or 0) for code in token[2:-1].split(";")]:
                if code == 0:
                    style = ""
                elif code == 1:
                    style += "font-weight:bold;"
                elif code == 2:
                    style += "opacity:.6;"
                elif code == 4:
                    style += "text-decoration:underline;"
                elif code in COLOURS:
                    style += f"fill:{COLOURS[code]};"
                elif code in (39, 22, 24):
                    style = ""
        else:
            for character in token:
                step = width(character)
                if column + step > COLUMNS:
                    out.append(line)
                    line, column = [], 0
                line.append((style, character, column))
                column += step
    if line:
        out.append(line)
    return out


def main() -> None:
    binary = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode("shift_jis" if "shift_jis" in text else "utf-8"))
        text = ""
        for command in COMMANDS:
            text += f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m\n" + run(binary, command, folder) + "\n"
    rows = lines(text.rstrip("\n"))
    cell, height = 8.43, 19
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * cell + 32:.0f} {len(rows) * height + 56}" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, &quot;DejaVu Sans Mono&quot;, monospace" font-size="14">',
        '<rect width="100%" height="100%" rx="8" fill="#1d1f21"/>',
        *(f'<circle cx="{18 + 20 * n}" cy="18" r="6" fill="{fill}"/>' for n, fill in enumerate(("#cc6666", "#f0c674", "#b5bd68"))),
        '<g fill="#c5c8c6" xml:space="preserve">',
    ]
    for number, row in enumerate(rows):
        y = 50 + number * height
        start = 0
        while start < len(row):
            style, _, column = row[start]
            end = start
            # A wide character begins a piece of its own, so that columns stay where they are.
            while end < len(row) and row[end][0] == style and (end == start or width(row[end - 1][1]) == 1):
                end += 1
            piece = "".join(character for _, character, _ in row[start:end])
            if piece.strip():
                attribute = f' style="{style}"' if style else ""
                out.append(f'<text x="{16 + column * cell:.1f}" y="{y}"{attribute}>{html.escape(piece)}</text>')
            start = end
    out += ["</g>", "</svg>"]
    (ROOT / "docs/terminal.svg").write_text("\n".join(out) + "\n", encoding="utf-8")


main()

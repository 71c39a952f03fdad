"""Texts for the guard, made from a seed: the same bytes on every machine.

They have what real texts have, about as often: links, dots that end none, names of files and of members, lines of
code, versions, character references, scripts, hosts in them. The rates were counted, by plain regular expressions, over files of
Debian packages, crates and wheels. Nothing here knows a rule or a table of the library: a text that was written after the
rules would not show what they cost on others.
"""

import base64
import binascii
import gzip
import hashlib
import struct
from pathlib import Path

import words as w

KB = 1024


class Dice:
    """SplitMix64. (What Python's `random` makes of a seed may differ between its versions.)"""

    def __init__(self, seed):
        self.state = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "little")

    def roll(self, sides):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return (z ^ (z >> 31)) % sides

    def one(self, of):
        return of[self.roll(len(of))]

    def skewed(self, of):
        """One of a list, the first ones far more often."""
        return of[self.roll(self.roll(len(of)) + 1)]

    def chance(self, percent):
        return self.roll(100) < percent


# How often each thing stands in 10,000 words of a text.
PROSE = {
    "url": 42, "mail": 15, "host": 12, "idn": 1, "member": 75, "file": 40, "version": 130, "short": 60, "decimal": 30,
    "path": 30, "call": 25, "clock": 20, "reference": 3, "colon": 60, "ellipsis": 8, "glued": 12, "address": 6,
}  # fmt: skip
DENSE = PROSE | {"url": 420, "mail": 90, "host": 40, "version": 400, "file": 120}
FOREIGN = PROSE | {"idn": 12, "member": 40, "file": 30, "version": 90, "short": 0, "call": 12, "reference": 1, "glued": 0}
WITH_IDN = FOREIGN | {"idn": 420, "url": 30}


class Writer:
    """Writes texts of one kind: the words of a language, and among them what its rates say."""

    def __init__(self, seed, language="en", rates=PROSE):
        self.dice = Dice(seed)
        self.language = language
        if language == "en":
            self.words, self.space, self.stop, self.domains = w.ENGLISH, " ", ". ", w.DOMAINS
        else:
            self.words, self.space, self.stop, self.domains = w.SCRIPTS[language]
        # Of 10,000 places of this list each thing has as many as its rate; the rest are words.
        self.things = [thing for thing, rate in rates.items() for _ in range(rate)]

    # Things

    def name(self):
        d = self.dice
        name = d.one(w.NAMES)
        if d.chance(30):
            name += d.one(["-", ""]) + d.one(w.NAMES)
        return name

    def host(self):
        d = self.dice
        front = d.one(w.FRONTS) + "." if d.chance(55) else ""
        return front + self.name() + "." + d.one(w.DOMAINS)

    def tail(self, foreign=False):
        d = self.dice
        tail = ""
        for _ in range(d.roll(5)):
            tail += "/" + (d.one(self.words) if foreign and d.chance(50) else d.one(w.SEGMENTS))
        if tail and d.chance(25):
            tail += "/" + d.one(w.FILES).lower() + ".html"
        elif not tail or d.chance(30):
            tail += "/"
        if d.chance(15):
            tail += "?" + "&".join(f"{d.one(w.KEYS)}={d.roll(9999)}" for _ in range(1 + d.roll(3)))
        if d.chance(8):
            tail += "#" + d.one(w.CODE)
        return tail

    def url(self):
        d = self.dice
        url = ("http://" if d.chance(15) else "https://") + self.host() + self.tail()
        return d.one(["{}"] * 9 + ["<{}>", "({})", "({}).", "“{}”", "{},", "{}.", "[here]({})", "`{}`", "'{}'"]).format(url)

    def idn(self):
        d = self.dice
        words = w.SCRIPTS[self.language][0] if self.language != "en" else d.one([w.RUSSIAN, w.CHINESE, w.ARABIC, w.FRENCH])
        labels = [d.one(words).strip("'").replace("'", "") for _ in range(1 + d.roll(2))]
        domains = self.domains if self.language != "en" else ["рф", "com", "de", "中国"]
        return d.one(["http://", "https://", "https://www.", ""]) + ".".join([*labels, d.one(domains)]) + self.tail(foreign=True)

    def mail(self):
        d = self.dice
        local = d.one(w.PEOPLE) + (d.one([".", "_", "+", ""]) + d.one(w.PEOPLE) if d.chance(40) else "")
        return d.one(["{}", "<{}>", "<{}>", "({})", "{},"]).format(f"{local}@{self.host()}")

    def member(self):
        d = self.dice
        return d.one(["{}", "{}", "{}", "`{}`", "{}()", "({})", "{},"]).format(".".join(d.one(w.CODE) for _ in range(2 + d.roll(2))))

    def file(self):
        d = self.dice
        name = d.one(w.FILES)
        if d.chance(25):
            name = d.one(w.CODE) + d.one("-_/") + name
        return d.one(["{}", "{}", "{}", "`{}`", "({})", "{},", "'{}'"]).format(f"{name}.{d.one(w.ENDINGS)}")

    def path(self):
        d = self.dice
        return d.one(["/usr/share/", "/etc/", "./", "~/", "../", "src/", "C:\\\\"]) + "/".join(d.one(w.SEGMENTS) for _ in range(1 + d.roll(3)))

    def thing(self, thing):
        d = self.dice
        if thing == "host":
            return self.host() + (self.tail() if d.chance(40) else "")
        if thing == "version":
            return d.one(["", "v", "(", "="]) + ".".join(str(d.roll(30)) for _ in range(2 + d.roll(2))) + d.one(["", "", "-1", ")", "~rc2", ","])
        if thing == "short":
            return d.one(w.SHORT)
        if thing == "decimal":
            return f"{d.roll(1000)}.{d.roll(100)}" + d.one(["", "%", "ms", " MB"])
        if thing == "call":
            return f"{d.one(w.CODE)}({d.one(w.CODE)}.{d.one(w.CODE)}, {d.roll(100)})"
        if thing == "clock":
            return f"{d.roll(24):02}:{d.roll(60):02}"
        if thing == "reference":
            return d.one(["&amp;", "&lt;b&gt;", "&nbsp;", "&#8217;", "AT&amp;T"])
        if thing == "colon":
            return self.word() + ":"
        if thing == "ellipsis":
            return self.word() + "..."
        if thing == "glued":
            return self.word() + "." + self.word().capitalize()
        if thing == "address":
            return ".".join(str(d.roll(256)) for _ in range(4)) + d.one(["", ":8080", "/24"])
        return getattr(self, thing)()

    def word(self):
        return self.dice.skewed(self.words)

    # Texts

    def sentence(self):
        d = self.dice
        parts = []
        for _ in range(6 + d.roll(14)):
            at = d.roll(10_000)
            if at < len(self.things):
                thing = self.thing(self.things[at])
                # Where words are not parted by spaces, ASCII often is, but not always.
                parts.append(thing if self.space or d.chance(50) else f" {thing} ")
            else:
                parts.append(self.word() + ("," if self.space and d.chance(6) else ""))
        text = self.space.join(parts)
        # A link, a name and a call begin a sentence as they are.
        return (text[:1].upper() + text[1:] if parts[0].strip(",").isalpha() else text) + self.stop

    def paragraph(self, width=72):
        """Some sentences, in lines as long as those of text files."""
        lines, line = [], ""
        for _ in range(2 + self.dice.roll(5)):
            sentence = self.sentence()
            if not self.space:
                line += sentence
                while len(line) > width // 2:
                    cut = width // 2 if line[width // 2 - 1 : width // 2 + 1].isascii() is False else len(line)
                    lines.append(line[:cut])
                    line = line[cut:]
                continue
            for word in sentence.split():
                if line and len(line) + 1 + len(word) > width:
                    lines.append(line)
                    line = ""
                line = f"{line} {word}" if line else word
        return "\n".join([*lines, line]).rstrip() + "\n"

    def code(self):
        """A few lines of source code, of settings, of a log."""
        d = self.dice
        one, code = d.one, w.CODE
        lines = []
        for _ in range(3 + d.roll(8)):
            lines.append(
                one([
                    lambda: f"    {one(code)} = {one(code)}.{one(code)}({one(code)}[{d.roll(9)}].{one(code)})",
                    lambda: f"    if self.{one(code)}.{one(code)} is None: raise {one(code)}.Error('{self.word()} {self.file()}')",
                    lambda: f"from {one(code)}.{one(code)} import {one(code)}",
                    lambda: f"#include <{one(code)}/{one(code)}.h>",
                    lambda: f"{one(code)}.{one(code)}.{one(code)}={self.word()}",
                    lambda: f"2023-0{1 + d.roll(9)}-1{d.roll(9)} {d.roll(24):02}:00:{d.roll(60):02},{d.roll(999):03} INFO {one(code)}.{one(code)}: {self.word()} {self.path()}",
                    lambda: f"  * @see {one(code)}.{one(code)}#{one(code)}()",
                    lambda: f"    // {self.word()} {self.word()} {self.thing(one(['url', 'file', 'member', 'version']))}",
                    lambda: f"$ ./{one(w.FILES)} --{one(code)}={self.path()} {self.file()}",
                ])()
            )  # fmt: skip
        return "\n".join(lines) + "\n"

    def text(self, size, code=4, width=72):
        """At least `size` bytes of UTF-8; `code` of 100 paragraphs are lines of code."""
        parts, made = [], 0
        while made < size:
            part = (self.code() if self.dice.chance(code) else self.paragraph(width)) + "\n"
            parts.append(part)
            made += len(part.encode())
        return "".join(parts)

    def pieces(self, size, length):
        """Pieces of a text without ends of lines, each at most `length` bytes, as messages and fields are."""
        pieces, text = [], b""
        while len(pieces) * length < size:
            while len(text) < length:
                text += self.sentence().encode()
            end = length
            while text[end : end + 1] and text[end] & 0xC0 == 0x80:
                end -= 1
            pieces.append(text[:end])
            text = text[end:]
        return pieces


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def page(writer, size, rich):
    """A page of HTML: a reference of an API, which is links above all, or an article."""
    d = writer.dice
    head = f"<meta name=description content=\"{escaped(writer.sentence())}\">\n<link rel=stylesheet href=/static/{d.one(w.FILES)}.css>\n"
    parts = [f"<!DOCTYPE html>\n<html>\n<head>\n<title>{escaped(writer.sentence())}</title>\n{head}"]
    for _ in range(1 if rich else 3):
        parts.append(f"<script>\nvar {d.one(w.CODE)} = function ({d.one(w.CODE)}) {{\n{writer.code()}}};\n</script>\n")
    parts.append(f"<style>\n.{d.one(w.CODE)} {{ background: url(../img/{d.one(w.FILES)}.png) no-repeat; margin: 0 1.5em }}\n</style>\n</head>\n<body>\n")
    made = 0
    while made < size:
        if rich:
            name, other = d.one(w.CODE), d.one(w.CODE)
            part = d.one([
                f'<li class="nav-{name}"><a href="../{other}/{name}.html#{other}-" title="class in {other}">{name}</a></li>\n',
                f'<tr class="rowColor">\n<td class="colFirst"><code>{name}</code></td>\n<td class="colLast"><span class="memberNameLink"><a href="../../{name}/package-summary.html">{other}</a></span>&nbsp;({escaped(writer.word())})</td>\n</tr>\n',
                f'<dd><a href={writer.tail()} class=x>{escaped(writer.sentence())}</a></dd>\n',
                f'<img src="/img/{name}.png" alt="{writer.word()}" width=16 height=16><a href="https://{writer.host()}{escaped(writer.tail())}">{writer.word()}</a>\n',
                f"<p>{escaped(writer.sentence())}</p>\n",
            ])  # fmt: skip
        else:
            inner = escaped(writer.paragraph())
            if d.chance(30):
                inner += f'<a href="{escaped(writer.tail())}">{writer.word()}</a> <em>{writer.word()}</em> &mdash; '
            part = d.one(["<p>{}</p>\n", "<p class=lead>{}</p>\n", "<blockquote><p>{}</p></blockquote>\n", "<h2>{}</h2>\n", "<pre>{}</pre>\n"]).format(inner)
        parts.append(part)
        made += len(part.encode())
    return "".join([*parts, "</body>\n</html>\n"])


def readme(writer, size):
    d = writer.dice
    parts, made = [], 0
    while made < size:
        part = d.one([
            lambda: f"## {writer.sentence()}\n\n",
            lambda: writer.paragraph() + "\n",
            lambda: f"- [{writer.word()} {writer.word()}](https://{writer.host()}{writer.tail()}): {writer.sentence()}\n",
            lambda: f"```sh\n{writer.code()}```\n\n",
            lambda: f"[![{writer.word()}](https://{writer.host()}/badge.svg)](https://{writer.host()}{writer.tail()})\n",
            lambda: f"| `{writer.member()}` | {writer.sentence()} |\n",
        ])()  # fmt: skip
        parts.append(part)
        made += len(part)
    return "".join(parts)


def feed(writer, size):
    parts = ['<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n']
    made = 0
    while made < size:
        link = f"https://{writer.host()}{escaped(writer.tail())}"
        part = (
            f"<entry>\n <title>{escaped(writer.sentence())}</title>\n <id>{link}</id>\n <link rel=\"alternate\" href=\"{link}\"/>\n"
            f" <summary type=\"html\">{escaped(escaped(writer.paragraph()))}</summary>\n</entry>\n"
        )
        parts.append(part)
        made += len(part.encode())
    return "".join([*parts, "</feed>\n"])


def rows(writer, size):
    """JSON, a value on each line."""
    quoted = lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    lines, made = [], 0
    while made < size:
        fields = {"id": str(writer.dice.roll(10**9)), "url": quoted(f"https://{writer.host()}{writer.tail()}".replace("/", "\\/" if writer.dice.chance(20) else "/")), "text": quoted(writer.paragraph())}
        lines.append("{" + ", ".join(f'"{key}": {value}' for key, value in fields.items()) + "}\n")
        made += len(lines[-1])
    return "".join(lines)


# Mail


def header(writer, kind, long):
    d = writer.dice
    lines = []
    for at in range(d.roll(3) + 2 if long else 0):
        lines.append(f"Received: from {writer.host()} ({writer.host()} [192.0.2.{at}])\n\tby {writer.host()} with ESMTPS id {d.roll(10**9):x}\n\tfor <{d.one(w.PEOPLE)}@{writer.host()}>; Mon, 6 Nov 2023 1{at}:00:00 +0000")
    lines += [f"From: {d.one(w.PEOPLE).title()} <{d.one(w.PEOPLE)}@{writer.host()}>", f"To: <{d.one(w.PEOPLE)}@{writer.host()}>"]
    lines += [f"Subject: {writer.sentence().strip()[:60]}", "Date: Mon, 6 Nov 2023 10:00:00 +0000", f"Message-ID: <{d.roll(10**12):x}@{writer.host()}>"]
    if long:
        host = writer.host()
        lines += [f"List-Unsubscribe: <https://{host}/unsubscribe?id={d.roll(10**6)}>,\n <mailto:leave@{host}>", f"References: <{d.roll(10**9):x}@{host}>\n <{d.roll(10**9):x}@{host}>", "X-Mailer: made 1.0"]
    return "\r\n".join([*lines, "MIME-Version: 1.0", kind, "", ""]).replace("\r\n", "\n").replace("\n", "\r\n")


def crlf(text):
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def quoted_printable(text):
    lines = []
    for line in text.encode().split(b"\n"):
        lines.append(binascii.b2a_qp(line, istext=True).decode())
    return crlf("\n".join(lines))


def in_base64(data):
    return crlf(base64.encodebytes(data).decode())


def small(writer):
    return header(writer, "Content-Type: text/plain; charset=utf-8", long=False) + crlf("".join(writer.sentence() + "\n" for _ in range(3)))


def plain(writer):
    quoted = "".join("> " + line + "\n" for line in writer.text(1500).splitlines())
    return header(writer, "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit", long=True) + crlf(quoted + writer.text(4 * KB) + "-- \n" + writer.thing("url") + "\n")


def html_mail(writer):
    edge = f"=_{writer.dice.roll(10**9):x}"
    part = f"--{edge}\r\nContent-Type: text/{{}}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n{{}}\r\n"
    body = part.format("plain", quoted_printable(writer.text(1 * KB))) + part.format("html", quoted_printable(page(writer, 8 * KB, rich=True)))
    return header(writer, f"Content-Type: multipart/alternative; boundary=\"{edge}\"", long=True) + body + f"--{edge}--\r\n"


def attached(writer):
    edge = f"=_{writer.dice.roll(10**9):x}"
    picture = bytes(writer.dice.roll(256) for _ in range(6 * KB))
    part = f"--{edge}\r\nContent-Type: {{}}\r\nContent-Transfer-Encoding: base64\r\n\r\n{{}}\r\n"
    body = part.format("text/plain; charset=utf-8", in_base64(writer.text(4 * KB).encode())) + part.format("image/png; name=a.png", in_base64(picture))
    return header(writer, f"Content-Type: multipart/mixed; boundary=\"{edge}\"", long=True) + body + f"--{edge}--\r\n"


# A crawl


def crawl(writer, size, compressed):
    records, made = [], 0
    while made < size:
        d = writer.dice
        body = page(writer, 2 * KB + d.roll(20 * KB), rich=d.chance(50)).encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        url = f"https://{writer.host()}{writer.tail()}"
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2023-11-06T10:00:00Z\r\nWARC-Record-ID: <urn:uuid:{d.roll(16**8):08x}-0000-4000-8000-{d.roll(16**12):012x}>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
        record = head.encode() + http + b"\r\n\r\n"
        records.append(gzip.compress(record, mtime=0) if compressed else record)
        made += len(record)
    return b"".join(records)


# All of them

# Each charset with its language and, where detection needs it, a byte order mark. Python's names are those of `codecs`.
CHARSETS = [
    ("windows-1251", "cp1251", "ru", b""), ("koi8-r", "koi8_r", "ru", b""), ("windows-1252", "cp1252", "fr", b""),
    ("shift_jis", "shift_jis", "ja", b""), ("euc-jp", "euc_jp", "ja", b""), ("iso-2022-jp", "iso2022_jp", "ja", b""),
    ("gb18030", "gb18030", "zh", b""), ("big5", "big5", "tw", b""), ("euc-kr", "euc_kr", "ko", b""),
    ("utf-16le", "utf-16-le", "ru", b"\xff\xfe"),
]  # fmt: skip


BASE = "https://docs.example.org/en/latest/reference/index.html"


def works():
    """The works: name, road of the driver, options, inputs with their names."""

    def texts(text):
        return [("", text.encode())]

    prose = Writer("prose").text(1024 * KB)
    yield "prose", "links", "", texts(prose)
    yield "prose from a reader", "reader", "", texts(prose)
    yield "dense", "links", "", texts(Writer("dense", rates=DENSE).text(512 * KB, code=0))
    yield "code", "links", "", texts(Writer("code").text(256 * KB, code=100))
    for length in (60, 100, 500):
        pieces = Writer(f"pieces {length}").pieces(256 * KB, length)
        yield f"pieces of {length}", "links", "", [("", piece) for piece in pieces]
    dense = Writer("dense pieces", rates=DENSE).pieces(256 * KB, 60)
    yield "dense pieces of 60", "links", "", [("", piece) for piece in dense]
    for language in ("ru", "zh", "ja", "ar", "ko", "el", "hi", "th"):
        yield language, "links", "", texts(Writer(language, language, FOREIGN).text(384 * KB, code=2))
    for language in ("ru", "zh", "ar"):
        yield f"idn {language}", "links", "", texts(Writer(f"idn {language}", language, WITH_IDN).text(192 * KB, code=0))
    for label, codec, language, mark in CHARSETS:
        documents = []
        for at in range(12):
            text = Writer(f"{label} {at}", language, FOREIGN).text(32 * KB, code=2)
            documents.append(("", text.encode(codec, "replace")))
        yield label, "document", f"charset={label}", documents
        yield f"{label} detected", "document", "", [(name, mark + data) for name, data in documents]
    for rich in (True, False):
        writer = Writer(f"html {rich}")
        pages = [("a.html", page(writer, 48 * KB, rich).encode()) for _ in range(10)]
        name = "html rich in links" if rich else "html poor in links"
        yield name, "document", "format=auto", pages
        # As every page of a crawl.
        yield f"{name}, with a base", "document", f"format=auto base={BASE}", pages
    pages = [("a.html", page(Writer(f"page {at}", "ru", FOREIGN), 48 * KB, False).encode("cp1251", "replace")) for at in range(5)]
    yield "html in windows-1251", "document", "format=html charset=windows-1251", pages
    yield "markdown", "document", "format=auto", [("README.md", readme(Writer(f"readme {at}"), 16 * KB).encode()) for at in range(12)]
    yield "xml", "document", "format=auto", [("feed.xml", feed(Writer("feed"), 256 * KB).encode())]
    yield "json", "document", "format=auto", [("rows.jsonl", rows(Writer("rows"), 256 * KB).encode())]
    for name, make, count in (("small", small, 300), ("plain", plain, 60), ("html", html_mail, 40), ("base64", attached, 40)):
        writer = Writer(f"mail {name}")
        yield f"mail {name}", "document", "format=email", [("", make(writer).encode()) for _ in range(count)]
    for compressed in (False, True):
        name = "warc.gz" if compressed else "warc"
        yield name, "opened", "format=auto", [(f"crawl.{name}", crawl(Writer("crawl"), 384 * KB, compressed))]
    yield from border("c", "c")
    yield "c utf-16", "c16", "", [("", piece) for piece in Writer("border").pieces(128 * KB, 500)]


def border(name, road):
    """What callers of a binding have most: short messages, and one of 4 KB that is full of links."""
    line = "Deploy {} is done, logs are at https://ci.example.com/job/{} today.\n"
    full = ["".join(line.format(at, at * 7) for at in range(n, n + 64)) for n in range(0, 40 * 64, 64)]
    yield f"{name} pieces of 60", road, "", [("", piece) for piece in Writer("border").pieces(128 * KB, 60)]
    yield f"{name} full messages", road, "", [("", text.encode()) for text in full]


def python_works():
    yield from border("python links", "links")
    yield from border("python uris", "uris")


def packed(inputs):
    """Inputs as the driver reads them."""
    parts = []
    for name, data in inputs:
        name = name.encode()
        parts += [struct.pack("<I", len(name)), name, struct.pack("<I", len(data)), data]
    return b"".join(parts)


def write(folder, made):
    """Writes the inputs of works, and a list of them for the driver; the list's path, and the digest of all."""
    folder.mkdir(parents=True, exist_ok=True)
    lines, digest = [], hashlib.sha256()
    for name, road, options, inputs in made:
        path = folder / (name.replace(" ", "-") + ".packed")
        data = packed(inputs)
        # What zlib makes may differ between its versions, what is compressed does not.
        digest.update(f"{name}\t{road}\t{options}\n".encode() + (b"" if name.endswith(".gz") else data))
        path.write_bytes(data)
        lines.append("\t".join([name, road, options, str(path)]) + "\n")
    listed = folder / "works.tsv"
    listed.write_text("".join(lines))
    return listed, digest.hexdigest()[:16]


if __name__ == "__main__":
    import sys

    print(*write(Path(sys.argv[1]), works()))

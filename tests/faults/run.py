#!/usr/bin/env python3
"""Tries faults of the machine on the command, and says for each what came out.

    tests/faults/run.py BINARY [NAME...]
"""

import errno
import gzip
import io
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAULTS = []


class Skipped(Exception):
    """What cannot be tried here."""


def fault(function):
    FAULTS.append(function)
    return function


class Run:
    """The command in a folder with files of known links."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.files = 40
        for number in range(self.files):
            text = "".join(f"line {line} http://h{number}.example/{line} and more\n" for line in range(200))
            Path(folder, f"f{number:02}.txt").write_text(text)
        self.names = [f"f{number:02}.txt" for number in range(self.files)]
        self.whole = self(*self.names).stdout
        assert self.whole.count(b"\n") == 200 * self.files, "the links of the files"

    def __call__(self, *arguments, env=None, **options):
        environment = os.environ | {"NO_COLOR": "1"} | (env or {})
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([self.binary, *arguments], cwd=self.folder, env=environment, stderr=subprocess.PIPE, timeout=120, **options)

    def shim(self):
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            raise Skipped("no C compiler")
        library = Path(self.folder, "shim.so")
        if not library.exists():
            subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "shim.c", "-ldl"], check=True)
        return {"LD_PRELOAD": str(library)}


def without(whole, name):
    """The lines of a run that are not of `name`."""
    return b"".join(line for line in whole.splitlines(True) if not line.startswith(name.encode() + b":"))


@fault
def full_disk(run):
    """Output into a full disk: status 2, and it is said."""
    for arguments in (run.names, ["--json", *run.names], ["--csv", *run.names], ["--count", *run.names], ["--help"], ["man"], ["check", "http://a.b/"]):
        with open("/dev/full", "wb") as full:
            done = run(*arguments, stdout=full)
        assert done.returncode == 2, (arguments, done.returncode)
        assert b"no space left" in done.stderr.lower(), (arguments, done.stderr)


@fault
def disk_fills_up(run):
    """The disk is full after some bytes: what was written is the beginning, status 2."""
    for limit in (1, 1000, 4096, 70_000):
        out = Path(run.folder, "out")
        with open(out, "wb") as file:
            done = run(*run.names, stdout=file, env=run.shim() | {"FAULT_WRITE": f"full:{limit}"})
        written = out.read_bytes()
        assert done.returncode == 2 and run.whole.startswith(written) and len(written) <= limit, (limit, len(written), done)
        assert b"no space left" in done.stderr.lower(), done.stderr


@fault
def closed_output(run):
    """Standard output is closed: status 2."""
    done = subprocess.run(["sh", "-c", f'"{run.binary}" f00.txt >&-'], cwd=run.folder, stderr=subprocess.PIPE)
    assert done.returncode == 2 and done.stderr, done


@fault
def closed_pipe(run):
    """The reader of the output goes away: the run ends quietly."""
    done = subprocess.run(["bash", "-c", f'"{run.binary}" f*.txt | head -1; exit ${{PIPESTATUS[0]}}'], cwd=run.folder, capture_output=True)
    assert done.returncode == 0 and done.stdout.count(b"\n") == 1 and not done.stderr, done


@fault
def short_reads(run):
    """Every read gives a few bytes: the same links."""
    done = run(*run.names, env=run.shim() | {"FAULT_PATH": "f07.txt", "FAULT_READ": "short"})
    assert (done.returncode, done.stdout) == (0, run.whole)


@fault
def interrupted_reads(run):
    """Reads are interrupted: the same links."""
    done = run(*run.names, env=run.shim() | {"FAULT_PATH": "f07.txt", "FAULT_READ": "intr"})
    assert (done.returncode, done.stdout) == (0, run.whole), done.stderr


@fault
def short_and_interrupted_writes(run):
    """Writes take a few bytes, or are interrupted: the same bytes come out."""
    for mode in ("short", "intr"):
        done = run(*run.names, env=run.shim() | {"FAULT_WRITE": mode})
        assert (done.returncode, done.stdout) == (0, run.whole), (mode, done.stderr)


@fault
def failing_reads(run):
    """A read fails in the middle of a file: it is named, what is before it stays, the others are done."""
    for place in (0, 1, 50, 1000, 5000):
        done = run(*run.names, env=run.shim() | {"FAULT_PATH": "f07.txt", "FAULT_READ": f"eio:{place}"})
        assert done.returncode == 2 and b"f07.txt" in done.stderr, (place, done.stderr)
        assert without(done.stdout, "f07.txt") == without(run.whole, "f07.txt"), place
        lines = run.whole.splitlines()
        assert all(line in lines for line in done.stdout.splitlines()), f"a cut link is printed: {place}"


@fault
def failing_reads_of_an_archive(run):
    """A read fails in the middle of a compressed file: it is named, the others are done."""
    content = Path(run.folder, "f03.txt").read_bytes()
    Path(run.folder, "g.txt.gz").write_bytes(gzip.compress(content * 50, 1))
    whole = run("g.txt.gz", "f01.txt").stdout
    done = run("g.txt.gz", "f01.txt", env=run.shim() | {"FAULT_PATH": "g.txt.gz", "FAULT_READ": "eio:9000"})
    assert done.returncode == 2 and b"g.txt.gz" in done.stderr, done.stderr
    assert without(done.stdout, "g.txt.gz") == without(whole, "g.txt.gz")


@fault
def few_handles(run):
    """Few files may be open: the same links with many threads."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
    done = run("-j8", *run.names, preexec_fn=limit)
    assert (done.returncode, done.stdout) == (0, run.whole), done.stderr


@fault
def little_memory(run):
    """A stream of 1 GB with 512 MB of address space: all links."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
    script = "import sys\nfor n in range(1000): sys.stdout.write('word ' * 209715 + f'http://h.example/{n}\\n')"
    feed = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    done = run("-j1", stdin=feed.stdout, preexec_fn=limit)
    feed.wait()
    assert done.returncode == 0 and done.stdout.count(b"\n") == 1000, (done.returncode, done.stderr)


@fault
def endless_line_in_a_list(run):
    """A list of files whose line does not end: an error, in bounded memory."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
    with open("/dev/zero", "rb") as zeros:
        done = run("--files-from", "-", stdin=zeros, preexec_fn=limit)
    assert done.returncode == 2 and done.stderr, done


@fault
def lists_with_several_faults(run):
    """Lists and manifests of good, missing, wrong and too long records in any order: every fault is named, also in the files, and all else is done."""
    dice = random.Random(43)
    for _ in range(30):
        is_table, threads = dice.random() < 0.5, dice.choice(["-j1", "-j4"])
        lines, good, wrong = [], [], 0
        for _ in range(dice.randrange(1, 25)):
            name = dice.choice(run.names)
            match dice.randrange(6):
                case 0:
                    lines.append("x" * dice.choice([2 << 20, 3 << 20] if is_table else [65_537, 200_000]))
                case 1:
                    lines.append("no-such-file")
                case 2 if is_table:
                    lines.append(dice.choice([f"{name}\tno base", f"{name}\t\tklingon", "\thttp://a.example/", f"{name}\t\t\t\t\tmore"]))
                case 3:
                    lines.append("")
                    continue
                case _:
                    lines.append(name)
                    good.append(name)
                    continue
            wrong += 1
        header = "path\tbase\n" if is_table and dice.random() < 0.5 else ""
        text = dice.choice(["", "\ufeff"]) + header + dice.choice(["\n", "\r\n"]).join(lines)
        Path(run.folder, "several").write_text(text, newline="")
        done = run(threads, "-c", "--manifest" if is_table else "--files-from", "several", "--force", "--errors", "e", "--failed", "f")
        assert done.stdout.decode() == "".join(f"{name}:200\n" for name in good), (text[:200], done)
        assert done.returncode == (2 if wrong else 0 if good else 1), (wrong, done)
        assert done.stderr.count(b"\n") == wrong, (wrong, done.stderr[:2000])
        errors = [json.loads(line) for line in open(Path(run.folder, "e"))]
        assert len(errors) == wrong and {error["code"] for error in errors} <= {"refused", "not-found"}, errors
        assert Path(run.folder, "f").read_text().count("\n") == wrong


@fault
def streams_that_do_not_block(run):
    """Standard input and output are pipes that do not block: EAGAIN is waited for, and nothing is lost."""
    script = "import sys, time\nfor n in range(20):\n  sys.stdout.buffer.write(b'see http://h.example/%d and\\n' % n * 500); sys.stdout.flush(); time.sleep(0.01)"
    whole = b"".join(b"http://h.example/%d\n" % n * 500 for n in range(20))
    for arguments in ([], ["-j4"], ["--json", "--fields", "uri"], ["linkify"], ["--template", "{uri}"]):
        feed = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        os.set_blocking(feed.stdout.fileno(), False)
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        process = subprocess.Popen([run.binary, *arguments], stdin=feed.stdout, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        feed.stdout.close()
        time.sleep(0.3)
        with open(reader, "rb") as found:
            out = found.read()
        said = process.communicate(timeout=60)[1]
        assert (process.returncode, said) == (0, b""), (arguments, process.returncode, said)
        assert len(re.findall(rb"http://h.example/[0-9]+", out)) >= whole.count(b"\n"), (arguments, len(out))
        assert arguments not in ([], ["-j4"]) or out == whole, arguments
        feed.wait()


@fault
def slow_pipes(run):
    """Pipes that give pieces with pauses, with NULs and controls in later ones: the links are those of all at once, or a notice says why more were given."""
    dice = random.Random(6)
    words = [b"see www.a.example.com and ", b"http://b.example.com/x ", b"c@d.example.org\n", b"some words of a line\n", b"\x1b[1m", b"http://\xe4\xbe\x8b.jp/ "]
    for _ in range(40):
        pieces = [b"".join(dice.choices(words, k=dice.randrange(1, 8))) for _ in range(dice.randrange(2, 4))]
        if dice.random() < 0.7:
            odd = dice.choice([b"\0", b"\0\0\0\0", b"\x01\x02" * 40, b"\x7fELF\0"])
            at = dice.randrange(len(pieces))
            cut = dice.randrange(len(pieces[at]))
            pieces[at] = pieces[at][:cut] + odd + pieces[at][cut:]
        whole = run("--json", "--fields", "start,end,uri", input=b"".join(pieces))
        process = subprocess.Popen([run.binary, "--json", "--fields", "start,end,uri"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for piece in pieces:
            process.stdin.write(piece)
            process.stdin.flush()
            time.sleep(0.04)
        out, said = process.communicate(timeout=60)
        assert set(whole.stdout.splitlines()) <= set(out.splitlines()), (pieces, whole.stdout, out)
        assert out == whole.stdout or b"binary data" in said, (pieces, whole.stdout, out, said)
        assert b"notice" not in whole.stderr or b"notice" in said, (pieces, whole.stderr, said)


@fault
def huge_list(run):
    """A list of 200,000 names: as many results, in order."""
    names = Path(run.folder, "names")
    names.write_text("f00.txt\nno-such-file\n" * 100_000)
    done = run("--count", "--files-from", "names")
    assert done.returncode == 2 and done.stdout.count(b"f00.txt:200\n") == 100_000
    assert done.stderr.count(b"no-such-file") == 100_000


@fault
def files_that_change(run):
    """Files shrink, grow and vanish while they are read: no crash, and no link that is in none of them."""
    folder = Path(run.folder, "moving")
    folder.mkdir()
    paths = [folder / f"m{number}.txt" for number in range(20)]
    # Of 64 bytes, so that a block of the writer's ends where a line ends.
    line = "see http://moving.example/page and so on".ljust(63) + "\n"
    for path in paths:
        path.write_text(line * 3000)
    is_over = threading.Event()

    def move():
        dice = random.Random(1)
        while not is_over.is_set():
            path = dice.choice(paths)
            match dice.randrange(3):
                case 0 if path.exists():
                    os.truncate(path, dice.randrange(3000) * len(line))
                case 1:
                    path.write_text(line * dice.randrange(3000))
                case _:
                    path.unlink(missing_ok=True)

    mover = threading.Thread(target=move)
    mover.start()
    try:
        for _ in range(30):
            done = run("-j4", "-I", "moving")
            assert done.returncode in (0, 1, 2), done.returncode
            assert set(done.stdout.splitlines()) <= {b"http://moving.example/page"}, set(done.stdout.splitlines())
    finally:
        is_over.set()
        mover.join()


SHARED = tempfile.TemporaryDirectory()


def crawl(run):
    """100,000 small compressed files, 100 of them damaged; the names of these, in order. They are made once."""
    folder, dice = Path(SHARED.name, "crawl"), random.Random(16)
    Path(run.folder, "crawl").symlink_to(folder)
    if folder.exists():
        return Path(SHARED.name, "damaged").read_text().split()
    damaged = {}
    for number in dice.sample(range(100_000), 100):
        damaged[number] = dice.choice(["cut", "flipped", "checksum", "garbage"])
    packed = [gzip.compress(f"line http://h{number}.example/ and more\n".encode() * 9, 6, mtime=0) for number in range(1000)]
    for number in range(100_000):
        path = folder / f"{number // 1000:02}" / f"{number:05}.txt.gz"
        if number % 1000 == 0:
            path.parent.mkdir(parents=True)
        data = packed[number % 1000]
        match damaged.get(number):
            case "cut":
                data = data[: dice.randrange(len(data) // 2, len(data))]
            case "flipped":
                # The type of the block is one that there is not.
                data = data[:10] + bytes([data[10] | 6]) + data[11:]
            case "checksum":
                data = data[:-6] + bytes([data[-6] ^ 1]) + data[-5:]
            case "garbage":
                data += b"garbage"
        path.write_bytes(data)
    names = [f"crawl/{number // 1000:02}/{number:05}.txt.gz" for number in sorted(damaged)]
    Path(SHARED.name, "damaged").write_text("\n".join(names))
    return names


@fault
def a_hundred_damaged_of_a_hundred_thousand(run):
    """100,000 compressed files, 100 of them cut or damaged: exactly these are named, and no link of the others is lost."""
    names = crawl(run)
    for threads in ("-j1", "-j4"):
        done = run(threads, "--force", "--output", "./links", "--failed", "failed", "--errors", "errors", "crawl")
        assert done.returncode == 2 and Path(run.folder, "failed").exists(), (done.returncode, done.stderr[:500])
        assert Path(run.folder, "failed").read_text().split() == names
        told = [line.split(": ")[1] for line in done.stderr.decode().splitlines()]
        assert [name for name in told if name.endswith(".gz")] == names, told[:5]
        assert [json.loads(line)["path"] for line in open(Path(run.folder, "errors"))] == names
        whole = [line for line in open(Path(run.folder, "links")) if line.split(":")[0] not in names]
        assert len(whole) == 99_900 * 9, len(whole)


def killed(run, name, inputs, status):
    """Kills runs 50 times at random moments, and compares what each wrote that came to its end with what one run writes."""
    dice = random.Random()
    of = lambda mark: ["-j2", *(["--force"] if mark == "whole-" else []), "--output", mark + name, "--failed", mark + "f", "--errors", mark + "e"]
    begun = time.monotonic()
    assert run(*of("whole-"), inputs).returncode == status
    once, kills, ends = time.monotonic() - begun, 0, 0
    arguments = [run.binary, *of("cut-"), "--checkpoint", "0", "--resume", "state", inputs]
    while kills < 50:
        # A new run, which replaces no file of the one before.
        for file in ("state", "cut-" + name, "cut-f", "cut-e"):
            Path(run.folder, file).unlink(missing_ok=True)
        while True:
            process = subprocess.Popen(arguments, cwd=run.folder, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=dice.random() * once / 8 if kills < 50 else None)
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
        assert process.returncode == status, process.returncode
        ends += 1
        for file in (name, "f", "e"):
            same = Path(run.folder, "whole-" + file).read_bytes() == Path(run.folder, "cut-" + file).read_bytes()
            assert same, f"{file} of {name} of {inputs} after {kills} kills"
    print(f"  {inputs} to {name}: {kills} kills in {ends} runs, one run {once:.2f} s", flush=True)


@fault
def fifty_kills(run):
    """A run over these files, killed at 50 random moments and gone on with: what one run writes."""
    crawl(run)
    for name in ("o.jsonl", "o.csv.zst"):
        killed(run, name, "crawl", 2)


ARCHIVES = ("big.warc.gz", "big.zip", "big.tar.zst")


def big_archives(run):
    """A crawl, a zip and a compressed tar of 60,000 pages each. They are made once."""
    folder = Path(SHARED.name, "big")
    if not shutil.which("zstd"):
        raise Skipped("no zstd")
    for name in ARCHIVES:
        Path(run.folder, name).symlink_to(folder / name)
    if folder.exists():
        return
    folder.mkdir()
    words = " ".join(f"word{number} of the page" for number in range(300))
    page = lambda n: f"<p>{words}<a href='/r/{n}'>x</a> http://h{n % 97}.example/{n} {words}\n".encode()
    with open(folder / "big.warc.gz", "wb") as crawl, zipfile.ZipFile(folder / "big.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as box:
        with open(folder / "big.tar.zst", "wb") as packed:
            zstd = subprocess.Popen(["zstd", "-1", "-q"], stdin=subprocess.PIPE, stdout=packed)
            with tarfile.open(fileobj=zstd.stdin, mode="w|") as tar:
                for number in range(60_000):
                    text = page(number)
                    head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://s.example/{number}\r\nContent-Type: text/html\r\nContent-Length: {len(text)}\r\n\r\n"
                    crawl.write(gzip.compress(head.encode() + text + b"\r\n\r\n", 1))
                    box.writestr(f"{number}.html", text)
                    entry = tarfile.TarInfo(f"{number}.html")
                    entry.size = len(text)
                    tar.addfile(entry, io.BytesIO(text))
            zstd.stdin.close()
            assert zstd.wait() == 0


@fault
def fifty_kills_inside_one_archive(run):
    """A run over one long archive, killed at 50 random moments and gone on with: what one run writes."""
    big_archives(run)
    for archive in ARCHIVES:
        killed(run, "o.jsonl", archive, 0)
    killed(run, "o.csv.zst", "big.zip", 0)


@fault
def what_is_left_of_an_archive(run):
    """After nine tenths of a crawl or a zip, the rest takes no more than a third of the time."""
    big_archives(run)
    for archive in ARCHIVES:
        begun = time.monotonic()
        assert run("-j1", "--force", "--output", "whole.jsonl", archive).returncode == 0
        once = time.monotonic() - begun
        whole = Path(run.folder, "whole.jsonl").read_bytes()
        limit = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                         resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) * 9 // 10, resource.RLIM_INFINITY)))
        Path(run.folder, "cut.jsonl").unlink(missing_ok=True)
        arguments = ["-j1", "--output", "cut.jsonl", "--checkpoint", "0", "--resume", "state-" + archive, archive]
        assert run(*arguments, preexec_fn=limit).returncode == 2
        begun = time.monotonic()
        done = run(*arguments)
        rest = time.monotonic() - begun
        assert done.returncode == 0 and b"resuming inside" in done.stderr, done
        assert Path(run.folder, "cut.jsonl").read_bytes() == whole
        print(f"  {archive}: {once:.2f} s, the last tenth {rest:.2f} s", flush=True)
        assert archive.endswith(".tar.zst") or rest < once / 3, (archive, once, rest)


@fault
def a_disk_that_fills_up_is_gone_on_with(run):
    """The output's disk is full, there is more room, and it is gone on with: what one run writes."""
    crawl(run)
    # Each of 10,000 files has a checkpoint of its own.
    files = [f"crawl/{number:02}" for number in range(10)]
    assert run("--output", "whole.jsonl", *files).returncode == 2
    whole = Path(run.folder, "whole.jsonl").read_bytes()
    for part in (1, 2, 3):
        # A limit of the system for the size of files stands for the disk.
        limit = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                         resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) * part // 4, resource.RLIM_INFINITY)))
        done = run("--output", "cut.jsonl", "--checkpoint", "0", "--resume", "state", *files, preexec_fn=limit)
        assert done.returncode == 2 and b"to resume, run the same command with --resume state" in done.stderr, done.stderr[-300:]
        assert len(Path(run.folder, "cut.jsonl").read_bytes()) <= len(whole) * part // 4
    run("--output", "cut.jsonl", "--checkpoint", "0", "--resume", "state", *files)
    assert Path(run.folder, "cut.jsonl").read_bytes() == whole


# What each call fails with.
CALLS = {
    "open": (errno.EIO, errno.EACCES), "read": (errno.EIO,), "write": (errno.ENOSPC, errno.EIO), "close": (errno.EIO,),
    "rename": (errno.EIO,), "sync": (errno.EIO,), "truncate": (errno.EIO,), "stat": (errno.EIO,), "unlink": (errno.EIO,),
    "readlink": (errno.EIO,), "opendir": (errno.EMFILE,), "readdir": (errno.EIO,), "closedir": (errno.EIO,), "chmod": (errno.EPERM,),
    "seek": (errno.EIO,), "dup": (errno.EMFILE,), "thread": (errno.EAGAIN,),
}
# What takes its place when it is whole, and whether it is.
WHOLE = {
    "s.json": lambda text: json.loads(text) is not None,
    "p.html": lambda text: text.endswith("</html>\n"),
    "h.tsv": lambda text: all("\t" in line for line in text.splitlines()),
}
OLD = "what was there before\n"


class Net:
    """Runs of the command in a folder, in each of which one call fails."""

    def __init__(self, run):
        self.run, self.shim = run, run.shim()
        self.mark = Path(run.folder, "mark")
        self.tries = 0

    def folder(self):
        """A new folder with what is read, and files to be overwritten."""
        folder = Path(tempfile.mkdtemp(dir=self.run.folder))
        tree = folder / "tree"
        (tree / "deeper").mkdir(parents=True)
        (tree / "a.txt").write_text("see http://a.example/1 and http://a.example/2\n")
        (tree / "b.html").write_text('<a href="http://b.example/">x</a>')
        (tree / "c.txt.gz").write_bytes(gzip.compress(b"http://c.example/1\nhttp://c.example/2\n", mtime=0))
        (tree / "deeper" / "d.eml").write_text("From: a@d.example\nSubject: x\n\nhttp://d.example/\n")
        with zipfile.ZipFile(tree / "e.zip", "w", zipfile.ZIP_DEFLATED) as box:
            box.writestr("one.txt", "http://e.example/1\n")
            box.writestr("two.txt", "http://e.example/2\n")
        with tarfile.open(tree / "f.tar", "w") as tar:
            for number in range(3):
                text = f"http://f.example/{number}\n".encode()
                entry = tarfile.TarInfo(f"{number}.txt")
                entry.size = len(text)
                tar.addfile(entry, io.BytesIO(text))
        (folder / "list").write_text("tree/a.txt\ntree/b.html\n")
        (folder / "hosts").write_text("a.example\n")
        for name in WHOLE:
            (folder / name).write_text(OLD)
        return folder

    def once(self, folder, arguments, call=None, nth=0, error=0):
        fault = {"FAULT_CALL": call, "FAULT_NTH": str(nth), "FAULT_ERRNO": str(error), "FAULT_MARK": str(self.mark)} if call else {}
        self.mark.unlink(missing_ok=True)
        with open(folder / "in", "ab+"), open(folder / "in", "rb") as source:
            done = subprocess.run([self.run.binary, *arguments], cwd=folder, env=os.environ | self.shim | fault | {"NO_COLOR": "1"},
                                  stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.tries += 1
        return done

    def links(self, folder, done):
        """What was found, wherever it was written to; each with the number of times."""
        texts = [done.stdout.decode()]
        for path in folder.glob("o*"):
            if path.suffix == ".parquet":
                continue
            bytes = path.read_bytes()
            texts.append(gzip.decompress(bytes).decode() if path.suffix == ".gz" and bytes else bytes.decode())
        return sorted(word for text in texts for word in re.findall(r"(?:http://|mailto:)[a-z@.]*example[^\s\",]*", text))

    def check(self, what, folder, done, whole, expected):
        said = done.stderr.decode()
        told = f"{what}: {done.returncode} {said[-300:]}"
        assert "panicked" not in said and done.returncode in (0, 1, 2), told
        found = self.links(folder, done)
        for link in found:
            assert link in expected, f"{told}: {link} is no link"
        if done.returncode == 2:
            assert said, f"{told}: nothing is said"
        else:
            assert found == expected, f"{told}: {len(expected)} links are {len(found)}"
        for name, is_whole in WHOLE.items():
            text = (folder / name).read_text()
            is_old = text == OLD
            assert is_old or is_whole(text), f"{told}: half of {name}"
            if done.returncode != 2:
                assert is_old == ((whole / name).read_text() == OLD), f"{told}: {name} is missing"
        for path in folder.glob("o*.parquet"):
            bytes = path.read_bytes()
            assert bytes[:4] == b"PAR1" == bytes[-4:], f"{told}: half of {path}"

    def every(self, arguments, calls=CALLS, is_resumed=False):
        """Has each call fail, from the first until there are no more."""
        whole = self.folder()
        done = self.once(whole, arguments)
        assert done.returncode in (0, 2), done
        expected = self.links(whole, done)
        assert len(expected) > 1, done
        for call in calls:
            for error in CALLS[call]:
                for nth in itertools.count(1):
                    folder = self.folder()
                    what = f"{' '.join(arguments)}: {call} {nth} {errno.errorcode[error]}"
                    done = self.once(folder, arguments, call, nth, error)
                    if not self.mark.exists():
                        shutil.rmtree(folder)
                        break
                    self.check(what, folder, done, whole, expected)
                    if call not in ("unlink", "close", "sync"):
                        left = list(folder.glob("**/.linksift-*"))
                        assert not left, f"{what}: {left} are left"
                    if is_resumed:
                        again = self.once(folder, arguments)
                        self.check(what + ", again", folder, again, whole, expected)
                        # An input that has failed is done with, and told of.
                        is_failed = again.returncode == 2 and b"linksift: tree" in done.stderr
                        assert again.returncode == 0 or is_failed, f"{what}, again: {again.returncode} {again.stderr.decode()}"
                        for path in [] if is_failed else whole.glob("o*"):
                            assert path.read_bytes() == (folder / path.name).read_bytes(), f"{what}: {path.name} is another after it was gone on with"
                    shutil.rmtree(folder)
        print(f"  {' '.join(arguments)}: {self.tries} runs", flush=True)


@fault
def every_call(run):
    """Each system call of a run fails in its turn: no panic, nothing lost without a word, nothing renamed by halves."""
    net = Net(run)
    net.every(["-j1", "-H", "tree"])
    net.every(["-j3", "-H", "--no-hidden", "tree"])
    net.every(["-j2", "-H", "--files-from", "list", "--known-hosts", "hosts", "tree/f.tar"])
    # What is there is replaced.
    beside = ["--force", "--errors", "e", "--failed", "f", "--summary", "s.json", "--report", "p.html", "--histogram", "host=h.tsv"]
    net.every(["-j1", "--json", "--output", "o.jsonl.gz", *beside, "tree"])
    net.every(["-j2", "--csv", "--output", "o.csv", *beside, "tree"])


@fault
def every_call_of_a_run_that_is_gone_on_with(run):
    """Each system call of a run with a state fails in its turn: gone on with, it writes what one run writes."""
    net = Net(run)
    for name in ("o.jsonl", "o.csv.gz"):
        net.every(["-j1", "--output", name, "--resume", "state", "--checkpoint", "0", "tree"], is_resumed=True)


@fault
def signals(run):
    """Stopped and continued: the same links. SIGINT and SIGTERM end it by the signal, with whole lines."""
    process = subprocess.Popen([run.binary, *run.names], cwd=run.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for _ in range(5):
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.01)
        process.send_signal(signal.SIGCONT)
    out, _ = process.communicate(timeout=60)
    assert out == run.whole
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([run.binary, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(b"http://a.example/1\nhttp://a.example/2\n")
        process.stdin.flush()
        time.sleep(0.3)
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == -number, process.returncode
        assert all(line.startswith(b"http://a.example/") for line in out.splitlines()) and (not out or out.endswith(b"\n"))


@fault
def unreadable(run):
    """Files without rights, folders as files, sockets, loops of links: named, the others are done."""
    folder = Path(run.folder, "odd")
    folder.mkdir()
    (folder / "good.txt").write_text("http://good.example/\n")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    done = run("-I", "odd")
    assert done.stdout == b"http://good.example/\n", done
    done = run("-I", "odd/good.txt", "odd/loop", "odd/missing")
    assert done.returncode == 2 and done.stdout == b"http://good.example/\n", done
    assert b"loop" in done.stderr and b"missing" in done.stderr


def main():
    binary, wanted = Path(sys.argv[1]).resolve(), set(sys.argv[2:])
    failed = 0
    # In the background of a shell SIGINT is ignored, by whatever is started from here too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for function in FAULTS:
        if wanted and function.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(Run(binary, folder))
                outcome = "ok"
            except Skipped as reason:
                outcome = f"skipped: {reason}"
            except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
                outcome, failed = f"FAILED: {str(error)[:600]}", failed + 1
        print(f"{function.__name__:32} {outcome:8} {function.__doc__}", flush=True)
    sys.exit(1 if failed else 0)


main()

"""Builds states of linksift and counts their instructions by callgrind.

Each state is laid out alone, below the same relative paths, so that what is compiled, what it is called and in which order it is laid out
hang on its sources alone: one source gives one binary. The driver is the head's for all states, so that the same is counted; where
it does not build against an older library, the state's own is taken.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from judge import Fault

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DRIVER = "benches/instructions/driver/"
# What the counts of a state are about.
BUILT = ("Cargo.toml", "Cargo.lock", "src", "bindings/c", "bindings/python")
# Not needed to build, or not to be taken along.
LEFT_OUT = ("benches/", "docs/", "fixtures/", "fuzz/", "tests/", "bindings/web/", ".")

# Fat link-time optimisation would take four times as long for each state. With one codegen unit a crate what is inlined does not
# hang on how functions happen to be spread over units.
MANIFEST = """[workspace]
resolver = "3"
members = [{members}]
exclude = ["linksift"]

[profile.release]
lto = "off"
codegen-units = 1
panic = "unwind"
strip = "none"
"""


def run(command, **more):
    """What a command prints; a fault with what it says if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Fault("\n".join([f"failed: {' '.join(map(str, command))}", *said[-30:]]))
    return done.stdout


def git(*arguments):
    return run(["git", "-C", str(ROOT), *arguments])


# Sources


def taken(path):
    return path.startswith(DRIVER) or not path.startswith(LEFT_OUT)


def working_tree(taken=taken):
    """The files of the head, as they are on disk."""
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").decode().split("\0")
    return {path: (ROOT / path).read_bytes() for path in listed if path and taken(path) and (ROOT / path).is_file()}


def committed(commit, taken=taken):
    """The files of a commit."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", commit))) as tar:
        return {file.name: tar.extractfile(file).read() for file in tar if file.isfile() and taken(file.name)}


def laid_out(sources, driver):
    """The files of a state's folder: the library as it is, bindings as members of a workspace, the driver."""
    files, members = {}, ["driver"]
    for path, data in sources.items():
        if not path.startswith((DRIVER, "bindings/")):
            files["linksift/" + path] = data
    for binding in ("c", "python"):
        front = f"bindings/{binding}/"
        for path, data in sources.items():
            # Its build script names a shared library, which is not made here.
            if path.startswith(front) and path != front + "build.rs":
                files[f"{binding}/{path.removeprefix(front)}"] = data
        if f"{binding}/Cargo.toml" in files:
            manifest = files[f"{binding}/Cargo.toml"].decode()
            files[f"{binding}/Cargo.toml"] = as_member(manifest, binding == "c").encode()
            members.append(binding)
    for path, data in driver.items():
        files["driver/" + path] = data
    lock = "bindings/python/Cargo.lock"
    files["Cargo.lock"] = sources[lock if lock in sources else "Cargo.lock"]
    files["Cargo.toml"] = MANIFEST.format(members=", ".join(f'"{member}"' for member in members)).encode()
    return files


def as_member(manifest, as_library):
    """A binding's manifest in a state's folder: it finds the library there, and is a member of the workspace."""
    sections = re.split(r"(?m)^(?=\[)", manifest)
    sections = [section for section in sections if not re.match(r"\[(workspace|profile|dev-dependencies)", section)]
    manifest = "".join(sections).replace('path = "../.."', 'path = "../linksift"')
    # The driver calls it from Rust.
    return re.sub(r"(?m)^crate-type = .*$", 'crate-type = ["lib"]', manifest) if as_library else manifest


def driver_of(sources):
    return {path.removeprefix(DRIVER): data for path, data in sources.items() if path.startswith(DRIVER)}


def synced(folder, files):
    """Makes the sources in a folder be `files`; what is the same already is not touched, since cargo looks at dates."""
    for top in ("linksift", "before", "c", "python", "driver"):
        for path in [path for path in (folder / top).rglob("*") if path.is_file()]:
            if str(path.relative_to(folder)) not in files:
                path.unlink()
    for name, data in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


# Builds


def environment(**more):
    """What changes neither what is built nor what is counted, and nothing else."""
    kept = ("PATH", "HOME", "USER", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_NET_OFFLINE", "HTTPS_PROXY",
            "https_proxy", "SSL_CERT_FILE", "LD_LIBRARY_PATH")  # fmt: skip
    kept = {name: value for name, value in os.environ.items() if name in kept or name.startswith("CARGO_REGISTR")}
    return {**kept, "LC_ALL": "C.UTF-8", **more}


DRIVER_ALONE = ["linksift-guard-driver"]
# In one call: alone, each would have features of its own of what all are built on, and all would be built twice.
WITH_PYTHON = [*DRIVER_ALONE, "linksift-python"]


def cargo(folder, packages):
    chosen = [word for package in packages for word in ("-p", package)]
    run(["cargo", "build", "--release", "--quiet", "--target-dir", "target", *chosen], cwd=folder, env=environment())


def dependencies(folder, sources, driver):
    """Builds what all states are built on, by crates whose own sources are empty."""
    files = laid_out(sources, driver)
    roots = {"linksift/src/lib.rs": b"", "c/src/lib.rs": b"", "python/src/lib.rs": b"", "driver/src/main.rs": b"fn main() {}\n"}
    files = {path: data for path, data in files.items() if "/src/" not in path} | {
        path: data for path, data in roots.items() if path.split("/")[0] + "/Cargo.toml" in files
    }
    synced(folder, files)
    try:
        cargo(folder, WITH_PYTHON)
    except Fault:
        # Whatever it is, the build of the states meets it too, and says so.
        return


class State:
    """A state of the sources, laid out and built."""

    def __init__(self, name, folder, sources):
        self.name, self.folder, self.sources = name, folder, sources
        # Why the Python module cannot be had.
        self.without_python = None

    def build(self, driver, dependencies):
        if not (self.folder / "target").exists() and (dependencies / "target").exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            shutil.copytree(dependencies / "target", self.folder / "target", symlinks=True)
            for empty in (self.folder / "target/release/.fingerprint").glob("linksift*"):
                shutil.rmtree(empty)
        own = driver_of(self.sources)
        faults = []
        for which in [driver, own] if own and own != driver else [driver]:
            synced(self.folder, laid_out(self.sources, which))
            for packages in self.packages():
                try:
                    cargo(self.folder, packages)
                except Fault as fault:
                    faults.append(fault)
                    continue
                if which is not driver:
                    print(f"{self.name}: the head's driver does not build against it; its own is taken", file=sys.stderr)
                if packages == WITH_PYTHON:
                    self.without_python = None
                    self.lay_module()
                elif faults:
                    self.without_python = str(faults[-1])
                return
        raise faults[0]

    def packages(self):
        """What is built, and what of it if that fails."""
        if not (self.folder / "python/Cargo.toml").exists():
            self.without_python = "this state has none"
        elif sys.version_info < (3, 10):
            self.without_python = "Python is older than 3.10"
        else:
            return [WITH_PYTHON, DRIVER_ALONE]
        return [DRIVER_ALONE]

    def lay_module(self):
        """Lays the Python module beside its package."""
        module = self.folder / "module"
        shutil.rmtree(module, ignore_errors=True)
        shutil.copytree(self.folder / "python/python", module)
        shutil.copy(self.folder / "target/release/liblinksift_python.so", module / "linksift/_native.abi3.so")

    # Counts

    def count(self, listed):
        """Instructions and links by work; and which vectors were there."""
        command = [self.folder / "target/release/linksift-guard-driver", listed]
        counts, out = self.callgrind(command, "linksift_guard_begin", "linksift_guard_end", "driver")
        _, vectors = out.pop(0)
        return self.by_work(counts, out), vectors

    def count_python(self, listed):
        # Not what a version manager puts before it: callgrind does not follow another process.
        python = os.path.realpath(sys.executable)
        command = [python, "-S", "-B", HERE / "python_border.py", listed]
        module = str(self.folder / "module")
        counts, out = self.callgrind(command, "getppid", "getpgrp", "python", PYTHONPATH=module, PYTHONHASHSEED="0")
        return self.by_work(counts, out)

    def callgrind(self, command, begin, end, name, **variables):
        folder = self.folder / "counts" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        valgrind = ["valgrind", "-q", "--tool=callgrind", f"--zero-before={begin}", f"--dump-before={end}"]
        valgrind.append(f"--callgrind-out-file={folder / 'out'}")
        out = run([*valgrind, *command], env=environment(LD_BIND_NOW="1", **variables), cwd=folder)
        counts = []
        while (dump := folder / f"out.{len(counts) + 1}").exists():
            (total,) = re.findall(r"(?m)^totals: (\d+)$", dump.read_text())
            counts.append(int(total))
        return counts, [line.split("\t") for line in out.decode().splitlines()]

    def by_work(self, counts, out):
        if len(counts) != len(out):
            raise Fault(f"{self.name}: {len(out)} works, but {len(counts)} counts")
        return {work: (count, int(found)) for (work, found), count in zip(out, counts, strict=True)}


def measured(folder, states, driver, listed, listed_python):
    """Builds the states and counts the works of each: for each state counts and links by work; then what was skipped, and vectors."""
    dependencies(folder / "dependencies", states[0].sources, driver)
    # One codegen unit keeps one processor busy, and so does callgrind.
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda state: state.build(driver, folder / "dependencies"), states))
        counted = list(pool.map(lambda state: state.count(listed), states))
        results = [result for result, _ in counted]
        skipped = next((state.without_python for state in states if state.without_python), None)
        if listed_python and not skipped:
            for result, more in zip(results, pool.map(lambda state: state.count_python(listed_python), states), strict=True):
                result.update(more)
    for state, result in zip(states, results, strict=True):
        nothing = [work for work, (_, found) in result.items() if found == 0]
        if nothing:
            raise Fault(f"{state.name}: nothing is found in {', '.join(nothing)}")
    return results, skipped, counted[0][1]


def machine():
    """What the counts hang on beside the sources."""
    rustc = run(["rustc", "-vV"]).decode()
    field = lambda name: re.search(rf"(?m)^{name}: (.*)$", rustc)[1]
    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else None
    valgrind = run(["valgrind", "--version"]).decode().strip().removeprefix("valgrind-")
    return {"rustc": field("release"), "llvm": field("LLVM version"), "libc": libc or "?", "valgrind": valgrind}

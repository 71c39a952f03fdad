"""Which commit the guard compares with, which files it takes: `python3 -m unittest discover benches/instructions`. Nothing is built."""

import importlib.machinery
import importlib.util
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import judge
import measure

LOADER = importlib.machinery.SourceFileLoader("guard", str(measure.HERE.parent / "guard"))
guard = importlib.util.module_from_spec(importlib.util.spec_from_loader("guard", LOADER))
LOADER.exec_module(guard)

NAME = "benches/instructions/history.jsonl"
MACHINE = {key: "x" for key in judge.KEYS if key not in ("commit", "reason")}


class Base(unittest.TestCase):
    """The commit of the last line, in a repository of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name) / "repository"
        (self.root / NAME).parent.mkdir(parents=True)
        self.git("init", "-q", at=self.root)
        self.commit("first", "src", "1")
        self.changed = self.commit("a change", "src", "2")
        line = {"commit": self.changed, "reason": None, **MACHINE, "counts": {"prose": [1, None]}}
        self.lines = [line]
        self.brought = self.commit("its line", NAME, judge.written(line))
        self.head = self.commit("later", "src", "3")

    def git(self, *arguments, at=None):
        settings = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", "-C", at or self.root, *settings, *arguments], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, subject, path, text):
        (self.root / path).write_text(text)
        self.git("add", path)
        self.git("commit", "-qm", subject)
        return self.git("rev-parse", "HEAD")

    def base(self, root):
        with mock.patch.object(measure, "ROOT", root), mock.patch.object(guard, "HISTORY", root / NAME):
            return guard.base_of(self.lines)

    def test_the_named_commit(self):
        self.assertEqual(self.base(self.root), self.changed)

    def test_where_it_was_rebased_away_the_one_that_brought_the_line(self):
        self.git("checkout", "-q", "--orphan", "other")
        (self.root / "src").write_text("2")
        (self.root / NAME).unlink()
        self.git("commit", "-qam", "the change, squashed")
        brought = self.commit("its line", NAME, judge.written(self.lines[0]))
        self.commit("later", "src", "3")
        self.assertNotIn(brought, (self.changed, self.brought))
        self.assertEqual(self.base(self.root), brought)

    def test_a_shallow_clone_is_skipped(self):
        shallow = Path(self.folder.name) / "shallow"
        self.git("clone", "-q", "--depth", "1", f"file://{self.root}", str(shallow))
        with self.assertRaisesRegex(guard.Skipped, "shallow"):
            self.base(shallow)
        self.git("fetch", "-q", "--depth", "3", at=shallow)
        self.assertEqual(self.base(shallow), self.changed)

    def test_a_commit_that_nobody_knows_is_a_fault(self):
        self.lines[-1]["commit"] = "1" * 40
        with self.assertRaisesRegex(judge.Fault, "111111111111"):
            self.base(self.root)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        for name in ("a.html", "b.html", "c/h.txt", "g/h.txt", "e.eml", "f.gz", "README", "picture.txt"):
            path = self.top / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"\0" if name == "picture.txt" else name.encode())

    def works(self, half):
        with mock.patch("builtins.print"):
            return {kind: [name for name, _ in inputs] for kind, _, _, inputs in guard.files(self.top, half)}

    def test_files_by_what_they_are(self):
        self.assertEqual(self.works("both"), {"archives": ["f.gz"], "html": ["a.html", "b.html"], "mail": ["e.eml"], "text": ["README", "h.txt", "h.txt"]})

    def test_each_file_is_in_one_half(self):
        names = lambda half: sorted(name for inputs in self.works(half).values() for name in inputs)
        self.assertEqual(sorted(names("read") + names("unread")), names("both"))
        self.assertTrue(names("read") and names("unread"))
        # printf %s g/h.txt | sha256sum: 98…
        self.assertEqual(names("unread").count("h.txt"), 1 + guard.is_unread(Path("c/h.txt")))
        self.assertTrue(guard.is_unread(Path("g/h.txt")))


class Layout(unittest.TestCase):
    def test_a_binding_becomes_a_member(self):
        manifest = '[lib]\ncrate-type = ["cdylib", "staticlib"]\n\n[dependencies]\nsift = { path = "../.." }\n\n[dev-dependencies]\nx = "1"\n\n[lints.rust]\ny = "z"\n\n[workspace]\n'
        made = '[lib]\ncrate-type = ["lib"]\n\n[dependencies]\nsift = { path = "../linksift" }\n\n[lints.rust]\ny = "z"\n\n'
        self.assertEqual(measure.as_member(manifest, as_library=True), made)

    def test_sources_are_those_of_a_file_system(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            measure.synced(folder, {"linksift/src/a.rs": b"1", "driver/b.rs": b"2"})
            date = (folder / "driver/b.rs").stat().st_mtime_ns
            measure.synced(folder, {"linksift/src/c.rs": b"1", "driver/b.rs": b"2"})
            self.assertEqual(date, (folder / "driver/b.rs").stat().st_mtime_ns)
            self.assertEqual(sorted(path.name for path in folder.rglob("*.rs")), ["b.rs", "c.rs"])


if __name__ == "__main__":
    unittest.main()

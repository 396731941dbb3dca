"""Running the program from tests: one way to start it, to read its JSON Lines and to copy a report.

usage of a test that imports this: TEST.py BRINK ROOT [unittest arguments]
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 2 else None
ROOT = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None

# The exit codes of the manual. 1 is documented, too, but stands for a bug of ours.
DONE, USAGE, INPUT, ENVIRONMENT, DISAGREEMENT, VIOLATED, UNDECIDED = 0, 2, 3, 4, 5, 10, 30
DOCUMENTED = {DONE, USAGE, INPUT, ENVIRONMENT, DISAGREEMENT, VIOLATED, UNDECIDED}


class Ran:
    """What a finished run printed. `code` is negative when a signal ended it."""

    def __init__(self, arguments, code, out, err):
        self.arguments, self.code, self.out, self.err = arguments, code, out, err

    def objects(self, kind=None):
        found = [json.loads(line) for line in self.out.splitlines()]
        return [o for o in found if kind is None or o["type"] == kind]

    def __str__(self):
        return f"brink {' '.join(map(str, self.arguments))}\n  exit {self.code}\n{self.out[-2000:]}\n{self.err[-2000:]}"


def environment():
    env = dict(os.environ, NO_COLOR="1", LC_ALL="C")
    env.pop("BRINK_HOME", None)
    return env


def brink(*arguments, cwd=None, timeout=120, **more):
    ran = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, env=environment(), timeout=timeout,
                         stdin=subprocess.DEVNULL, capture_output=True, **more)
    return Ran(arguments, ran.returncode, ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace"))


def report_folder(year):
    return next(f for f in sorted((ROOT / "experiments/reports").iterdir()) if f.name.startswith(str(year)))


def library_model(name):
    return ROOT / "models/library" / f"{name}.prism"


def copy_report(year, folder, edit=lambda text: text):
    """A copy of a report in `folder` with its text edited; its path."""
    shutil.copytree(report_folder(year), folder, dirs_exist_ok=True)
    path = Path(folder) / "report.toml"
    path.write_text(edit(path.read_text()))
    return path


def replace_once(text, pattern, replacement):
    """Edits of copies must not silently stop matching when the original changes."""
    edited, count = re.subn(pattern, replacement, text, flags=re.S | re.M)
    if count != 1:
        raise AssertionError(f"/{pattern}/ matches {count} times, not once")
    return edited


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="brink-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def expect(self, code, *arguments, **more):
        ran = brink(*arguments, **more)
        self.assertEqual(ran.code, code, str(ran))
        return ran


def main():
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)

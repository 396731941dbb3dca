#!/usr/bin/env python3
"""Golden transcripts: runs the `$` commands of a .t file and compares what they print.

A transcript holds lines `$ command`, then the lines printed on standard output and error together, then optionally
`[code]` when the exit code is not 0. Text in a line that changes from run to run is masked by the rules of MASKS on
both sides. UPDATE_GOLDEN=1 rewrites the file.

usage: run.py BRINK FILE.t
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MASKS = [
    (re.compile(r"(  engine .*), \d+\.\d\d s\b"), r"\1, T s"),
    (re.compile(r"\d+ bytes a state"), "B bytes a state"),
    (re.compile(r'"seconds":[0-9.e+-]+'), '"seconds":T'),
    (re.compile(r'"bytes":\d+'), '"bytes":B'),
    (re.compile(r"built in \d+\.\d\d s, \d+ bytes"), "built in T s, B bytes"),
]


def mask(text, root):
    text = text.replace(root + "/", "")
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return [line.rstrip() for line in text.splitlines()]


def main():
    program, path = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    root = str(path.parents[2])
    expected = path.read_text().splitlines()
    produced = []
    env = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", NO_COLOR="1", LC_ALL="C")
    env.pop("BRINK_HOME", None)
    with tempfile.TemporaryDirectory() as folder:
        for line in expected:
            if line.startswith("#"):
                produced.append(line)
            if not line.startswith("$ "):
                continue
            produced.append(line)
            ran = subprocess.run(["bash", "-c", line[2:]], cwd=folder, env=env, timeout=300,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
            produced += mask(ran.stdout.decode(errors="replace"), root)
            if ran.returncode != 0:
                produced.append(f"[{ran.returncode}]")
    if not any(line.startswith("$ ") for line in expected):
        print(f"{path}: no commands")
        return 1
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text("\n".join(produced) + "\n")
        return 0
    wanted = [line for line in mask("\n".join(expected), root)]
    if produced == wanted:
        return 0
    print("\n".join(difflib.unified_diff(wanted, produced, "expected", "produced", lineterm="")))
    return 1


sys.exit(main())

#!/usr/bin/env python3
"""The tutorial, done as it says: every command of its transcripts is run, in order, and must print what stands there.

usage: tutorial.py BRINK TUTORIAL.md

A block behind "save this as `NAME`" becomes that file; a shell block without `$ ` is run for its files. In a transcript a line
"…" stands for any lines, "…" at the end of one for the rest of it; seconds and bytes, which differ from machine to machine, are left out of the comparison.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
SAVE_AS = re.compile(r"(?:save|saved|call it)\b[^`]*`([\w.-]+\.\w+)`", re.I)
VARIES = [(re.compile(r"(  engine .*), \d+\.\d\d s\b"), r"\1"), (re.compile(r"\d+ bytes a state"), "B bytes a state")]


def blocks(text):
    """(paragraph before, language, content) of every fenced block."""
    end = 0
    for fence in FENCE.finditer(text):
        yield text[end:fence.start()].strip().split("\n\n")[-1], fence[1], fence[2]
        end = fence.end()


def transcript(content):
    """[(command, expected lines)]."""
    steps = []
    for line in content.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps:
            steps[-1][1].append(line)
    return steps


def plain(line):
    for pattern, replacement in VARIES:
        line = pattern.sub(replacement, line)
    return line.rstrip()


def fits(expected, produced):
    """Do the produced lines fit, where "…" stands for any lines, also none?"""
    if not expected:
        return not produced
    if expected[0] == "…":
        return any(fits(expected[1:], produced[i:]) for i in range(len(produced) + 1))
    if not produced:
        return False
    same = produced[0].startswith(expected[0][:-1]) if expected[0].endswith("…") else produced[0] == expected[0]
    return same and fits(expected[1:], produced[1:])


def main():
    program, path = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    env = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", NO_COLOR="1", LC_ALL="C.UTF-8")
    env.pop("BRINK_HOME", None)
    commands = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        def run(command):
            return subprocess.run(["bash", "-c", command], cwd=folder, env=env, timeout=300, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode(errors="replace")

        for before, language, content in blocks(path.read_text()):
            name = SAVE_AS.search(before)
            if language == "sh":
                run(content)
            elif name and not content.startswith("$ "):
                (Path(folder) / name[1]).write_text(content)
            for command, expected in transcript(content):
                commands += 1
                expected, produced = [plain(line) for line in expected], [plain(line) for line in run(command).splitlines()]
                if not expected or fits(expected, produced):
                    continue
                failures += 1
                print(f"$ {command}\n--- the tutorial says\n" + "\n".join(expected) + "\n--- it is\n" + "\n".join(produced))
    print(f"{commands} commands, {failures} not as printed")
    return 1 if failures or commands == 0 else 0


sys.exit(main())

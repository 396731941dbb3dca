#!/usr/bin/env python3
"""Checkpoints of explicit searches: killed at any moment, a search goes on and ends with the same bytes.

usage: resume_test.py BRINK
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "tests" / "benchmarks" / "page_frames.prism"
KILLS = 4


def command(brink, question, *more):
    return [brink, "check", MODEL, "--const", "N=56,fix=0", "--formula", question, "--engine", "explicit", "--json", *more]


def answer(text):
    """What a search prints, without what depends on time and on how often memory grew."""
    out = []
    for line in text.splitlines():
        item = json.loads(line)
        for key in ("seconds", "bytes"):
            item.pop(key, None)
        out.append(item)
    return out


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def killed_runs(brink, question, folder):
    """Starts the search again and again, each time killed a little after it has saved something."""
    file = Path(folder) / "search"
    kills = 0
    sizes = [0]
    for _ in range(40):
        child = subprocess.Popen(command(brink, question, "--resume", file, "--checkpoint-every", "10 ms", "--threads", "1"),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30
        while child.poll() is None and time.monotonic() < deadline:
            size = file.stat().st_size if file.exists() else 0
            if size > sizes[-1]:
                sizes.append(size)
                break
            time.sleep(0.001)
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
        out, err = child.communicate()
        if child.returncode == -signal.SIGKILL:
            kills += 1
        else:
            return kills, sizes, child.returncode, out, err
        if kills == KILLS:
            break
    code, out, err = run(command(brink, question, "--resume", file, "--threads", "1"))
    return kills, sizes, code, out, err


def main():
    brink = str(Path(sys.argv[1]).resolve())
    failures = []

    def expect(condition, what):
        if not condition:
            failures.append(what)

    for question in ("A [ G free+buf+page+anon+dirty+wb=N ]", "A [ G (E [ F 2*buf>N ]) ]"):
        with tempfile.TemporaryDirectory() as folder:
            whole = run(command(brink, question, "--threads", "1"))
            kills, sizes, code, out, err = killed_runs(brink, question, folder)
            expect(kills >= 2, f"{question}: only {kills} kills came in time")
            expect(sizes == sorted(sizes), f"{question}: a checkpoint shrank: {sizes}")
            expect("resumed from" in err, f"{question}: it did not resume: {err}")
            expect(code == whole[0], f"{question}: exit code {code}, without a kill {whole[0]}")
            expect(answer(out) == answer(whole[1]), f"{question}: another answer:\n{out}\n{whole[1]}")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "search"
        question = "A [ G buf<=N ]"
        # A limit saves what there is; the next run goes on beyond it, with two threads, too.
        code, out, err = run(command(brink, question, "--resume", file, "--state-limit", "100000"))
        expect(code == 30 and file.exists(), f"state limit: {code} {err}")
        saved = file.read_bytes()
        code, out, err = run(command(brink, question, "--resume", file, "--threads", "2"))
        expect(code == 0 and "resumed from" in err, f"after the limit: {code} {err}")
        whole = run(command(brink, question))
        expect(answer(out) == answer(whole[1]), f"after the limit: another answer:\n{out}\n{whole[1]}")
        # Files that are not what they seem are refused, with the reason, and left alone.
        broken = {"cut off": saved[: len(saved) // 2], "is cut off": saved[:40], "checksum": saved[:200] + b"\x01" + saved[201:],
                  "no checkpoint": b"something else", "changed": saved + b"x"}
        for reason, content in broken.items():
            file.write_bytes(content)
            code, out, err = run(command(brink, question, "--resume", file))
            expect(code == 3 and reason in err, f"{reason}: {code} {err}")
            expect(file.read_bytes() == content, f"{reason}: the file was changed")
        file.write_bytes(saved)
        other = [a.replace("N=56", "N=57") if isinstance(a, str) else a for a in command(brink, question, "--resume", file)]
        code, out, err = run(other)
        expect(code == 3 and "other constants" in err, f"other constants: {code} {err}")
        code, out, err = run(command(brink, question, "--resume", Path(folder)))
        expect(code == 3, f"a folder: {code} {err}")
        if os.path.exists("/dev/full"):
            code, out, err = run(command(brink, question, "--resume", "/dev/full/x"))
            expect(code == 0 or code == 3, f"no place: {code} {err}")

    for failure in failures:
        print("FAILED:", failure)
    print(f"resume: {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

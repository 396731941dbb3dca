#!/usr/bin/env python3
"""Explicit search side by side: brink, spin and rumur on the page-frame model, one after the other.

usage: explicit.py BRINK [--N 64] [--runs 1] [--only brink,spin,rumur]

Every tool checks the same invariant and the ranges, and has to find the same states. CPU is user and system time of
the search alone (not of compiling), the smallest of the runs; memory is the peak of the process. Brink also keeps
all moves (for traps, recoverability and traces); `bytes kept` is what it reports for its own tables. Not part of
ctest: times are for people, on a quiet machine.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def measured(command, folder):
    """Output, CPU seconds, peak of memory in bytes."""
    with open(Path(folder) / "output", "w+") as output:
        child = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if child.returncode != 0:
        sys.exit(f"{command} ended with {child.returncode}:\n{text[-2000:]}")
    return text, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def prepare(command, folder):
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


class Bench:
    def __init__(self, brink, n, folder):
        self.folder = folder
        model = Path(__file__).resolve().parent / "page_frames.prism"
        self.brink = [str(Path(brink).resolve())]
        self.model = [str(model), "--const", f"N={n},fix=0", "--property", "bounded"]

    def export(self, to, name):
        prepare([*self.brink, "export", *self.model, "--to", to, "--out", name], self.folder)

    def prepare_brink(self):
        return [*self.brink, "check", *self.model, "--engine", "explicit", "--json", "--quiet"]

    def counts_brink(self, text):
        row = next(r for r in map(json.loads, text.splitlines()) if r["type"] == "model")
        return row["states"], row["transitions"], row["bytes"]

    def prepare_spin(self):
        self.export("promela", "model.pml")
        prepare(["spin", "-a", "model.pml"], self.folder)
        prepare(["gcc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], self.folder)
        return ["./pan", "-w24", "-m200000"]

    def counts_spin(self, text):
        if "max search depth too small" in text:
            sys.exit("pan's depth is too small")
        return int(re.search(r"(\d+) states, stored", text)[1]), int(re.search(r"(\d+) transitions", text)[1]) - 1, None

    def prepare_rumur(self):
        self.export("murphi", "model.m")
        prepare(["rumur", "--deadlock-detection", "off", "--threads", "1", "--output", "model.c", "model.m"], self.folder)
        prepare(["gcc", "-O3", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread", "-latomic"], self.folder)
        return ["./model"]

    def counts_rumur(self, text):
        found = re.search(r"(\d+) states, (\d+) rules fired", text)
        return int(found[1]), int(found[2]), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("brink")
    parser.add_argument("--N", type=int, default=64)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default="brink,spin,rumur")
    options = parser.parse_args()
    print(f"page frames, N={options.N}, smallest of {options.runs} run(s); load {os.getloadavg()[0]:.1f}")
    print(f"{'tool':<8}{'states':>12}{'moves':>12}{'CPU s':>9}{'k states/s':>12}{'bytes/state':>13}{'bytes kept':>12}")
    seen = set()
    for tool in options.only.split(","):
        if tool != "brink" and not shutil.which(tool):
            print(f"{tool:<8} not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(options.brink, options.N, folder)
            command = getattr(bench, f"prepare_{tool}")()
            runs = [measured(command, folder) for _ in range(options.runs)]
            text, cpu, memory = min(runs, key=lambda run: run[1])
            states, moves, kept = getattr(bench, f"counts_{tool}")(text)
        seen.add((states, moves))
        print(f"{tool:<8}{states:>12,}{moves:>12,}{cpu:>9.2f}{states / cpu / 1000:>12,.0f}{memory / states:>13.1f}"
              f"{'' if kept is None else f'{kept / states:.1f}':>12}", flush=True)
    if len(seen) > 1:
        sys.exit("the tools do not agree")


if __name__ == "__main__":
    main()

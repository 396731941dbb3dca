#!/usr/bin/env python3
"""Explicit search side by side: brink, spin and rumur on the page-frame model, one after the other.

usage: explicit.py BRINK [--N 64 | --quick] [--runs 1] [--only brink,brink-2,edges,edges-2,spin,rumur]

Every tool checks the same invariant and the ranges, and has to find the same states. `brink` runs on one thread and
stores no moves, `brink-2` on two; `edges` and `edges-2` ask a recoverability question, which stores all moves and
searches them backwards. CPU is user and system time of the search alone (not of compiling), wall the time that passed,
both the smallest of the runs; memory is the peak of the process; `bytes kept` is what brink reports for its own tables.
`x spin` compares CPU on one thread and wall time on two with spin's. --quick: N=24 and N=32. Not part of ctest: times are
for people, on a quiet machine.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def measured(command, folder):
    """Output, CPU seconds, wall seconds, peak of memory in bytes."""
    with open(Path(folder) / "output", "w+") as output:
        start = time.monotonic()
        child = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if child.returncode != 0:
        sys.exit(f"{command} ended with {child.returncode}:\n{text[-2000:]}")
    return text, used.ru_utime + used.ru_stime, wall, used.ru_maxrss * 1024


def prepare(command, folder):
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


class Bench:
    def __init__(self, brink, n, folder):
        self.folder = folder
        model = Path(__file__).resolve().parent / "page_frames.prism"
        self.brink = [str(Path(brink).resolve())]
        self.plain = [str(model), "--const", f"N={n},fix=0"]
        self.model = [*self.plain, "--property", "bounded"]

    def export(self, to, name):
        prepare([*self.brink, "export", *self.model, "--to", to, "--out", name], self.folder)

    def search(self, threads, question):
        return [*self.brink, "check", *self.plain, *question, "--engine", "explicit", "--threads", str(threads), "--json",
                "--quiet"]

    def prepare_brink(self, threads=1):
        return self.search(threads, ["--property", "bounded"])

    def prepare_edges(self, threads=1):
        return self.search(threads, ["--formula", "A [ G (E [ F free + buf + page + anon + dirty + wb = N ]) ]"])

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


def compare(options, n):
    print(f"page frames, N={n}, smallest of {options.runs} run(s); load {os.getloadavg()[0]:.1f}")
    print(f"{'tool':<9}{'states':>12}{'moves':>12}{'CPU s':>8}{'wall s':>8}{'x spin':>8}{'k states/s':>12}"
          f"{'bytes/state':>13}{'bytes kept':>12}")
    rows, seen = [], set()
    for name in options.only.split(","):
        tool, _, threads = name.partition("-")
        if tool not in ("brink", "edges") and not shutil.which(tool):
            print(f"{name:<9} not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(options.brink, n, folder)
            command = getattr(bench, f"prepare_{tool}")(*([int(threads)] if threads else []))
            runs = [measured(command, folder) for _ in range(options.runs)]
            text, memory = runs[0][0], max(run[3] for run in runs)
            counts = bench.counts_brink if tool == "edges" else getattr(bench, f"counts_{tool}")
            states, moves, kept = counts(text)
        seen.add((states, moves))
        cpu, wall = min(run[1] for run in runs), min(run[2] for run in runs)
        rows.append((name, states, moves, cpu, wall, memory, kept))
    spin = next((row for row in rows if row[0] == "spin"), None)
    for name, states, moves, cpu, wall, memory, kept in rows:
        shared = "-" in name
        ratio = "" if spin is None else f"{(spin[4] / wall if shared else spin[3] / cpu):.1f}"
        print(f"{name:<9}{states:>12,}{moves:>12,}{cpu:>8.2f}{wall:>8.2f}{ratio:>8}"
              f"{states / (wall if shared else cpu) / 1000:>12,.0f}{memory / states:>13.1f}"
              f"{'' if kept is None else f'{kept / states:.1f}':>12}", flush=True)
    if len(seen) > 1:
        sys.exit("the tools do not agree")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("brink")
    parser.add_argument("--N", type=int, default=64)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default="brink,brink-2,edges,edges-2,spin,rumur")
    options = parser.parse_args()
    for n in (24, 32) if options.quick else (options.N,):
        compare(options, n)


if __name__ == "__main__":
    main()

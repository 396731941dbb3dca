#!/usr/bin/env python3
"""Counterexamples and proofs side by side: brink, Z3, ABC and rumur on the page-frame model, one after the other.

usage: proofs.py BRINK [--N 16,24,32] [--far 1000] [--runs 1] [--limit 400]

crunch       the deep violation (free = 0, dirty = DMAX, half of memory anonymous), shortest run N + DMAX steps:
             brink abmc (blocks) and brink bmc; z3 on the best plain encoding we know (bit vectors, one selector a command,
             one step at a time); ABC bmc3 on the AIGER circuit that brink exports. Each has to find the same length.
bounded      the invariant: brink for all N, ABC pdr at each N
recoverable  with fix = 1: brink for all N, rumur's `liveness` at each N

CPU is user and system time of the tool and its children, the smallest of the runs; `x brink` is the ratio to brink's row for the
same N. A tool that passes the limit is listed with "over". Not part of ctest: times are for people, on a quiet machine.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = Path(__file__).resolve().parent / "page_frames.prism"
CRUNCH = "A [ G !(free = 0 & dirty = DMAX & 2*anon >= N) ]"
BOUNDED = "A [ G buf <= N - MIN & wb <= DMAX ]"
GOAL = "8*buf > N"


def cpu(command, folder, limit):
    """Output, CPU seconds with children; None when over the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             start_new_session=True)
    try:
        text, _ = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.communicate()
        return None, None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def plain_z3(n, folder):
    """The crunch as bit vectors: each step has one selector for each command, asked depth by depth."""
    low, limit = n // 8, n // 4
    width = (2 * n).bit_length() + 1
    rules = [  # guard over the state before, then who loses and who gains a frame
        ("(bvugt free 0)", "free", "page"), ("(and (bvule free MIN) (bvugt buf 0))", "buf", "page"),
        ("(bvugt free MIN)", "free", "buf"), ("(and (bvult free MIN) (bvugt buf 0))", "buf", "free"),
        ("(and (bvugt page 0) (bvult (bvadd dirty wb) DMAX))", "page", "dirty"), ("(bvugt dirty 0)", "dirty", "wb"),
        ("(bvugt wb 0)", "wb", "page"), ("(and (bvult free MIN) (bvugt page 0))", "page", "free"),
        ("(bvugt free 0)", "free", "anon"), ("(and (bvult free MIN) (bvugt anon 0))", "anon", "free"),
        ("(and (bvuge free MIN) (bvugt anon 0))", "anon", "page")]
    names = ["free", "buf", "page", "anon", "dirty", "wb"]

    def number(value):
        return f"(_ bv{value} {width})"

    def at(text, step):
        text = re.sub(r"\b(free|buf|page|anon|dirty|wb)\b", lambda m: f"{m[1]}@{step}", text)
        text = text.replace("MIN", number(low)).replace("DMAX", number(limit))
        return re.sub(r"(?<= )0(?=\))", number(0), text)

    lines = ["(set-logic QF_BV)"]
    for step in range(n + limit + 1):
        lines += [f"(declare-const {v}@{step} (_ BitVec {width}))" for v in names]
        if step == 0:
            lines += [f"(assert (= {v}@0 {number(n if v == 'free' else 0)}))" for v in names]
        else:
            chosen = [f"r{step}_{j}" for j in range(len(rules))]
            lines += [f"(declare-const {c} Bool)" for c in chosen]
            lines.append(f"(assert (or {' '.join(chosen)}))")
            for c, (guard, loses, gains) in zip(chosen, rules):
                change = {loses: "bvsub", gains: "bvadd"}
                effects = " ".join(
                    f"(= {v}@{step} ({change[v]} {v}@{step - 1} {number(1)}))" if v in change else f"(= {v}@{step} {v}@{step - 1})"
                    for v in names)
                lines.append(f"(assert (=> {c} (and {at(guard, step - 1)} {effects})))")
        lines += ["(push)", f"(assert (and (= free@{step} {number(0)}) (= dirty@{step} {number(limit)}) "
                  f"(bvuge (bvmul {number(2)} anon@{step}) {number(n)})))", "(check-sat)", "(pop)"]
    path = Path(folder) / "plain.smt2"
    path.write_text("\n".join(lines) + "\n")
    return ["z3", str(path)]


class Bench:
    def __init__(self, brink, folder, limit):
        self.brink, self.folder, self.limit = str(Path(brink).resolve()), folder, limit

    def check(self, n, formula, *more, fix=0):
        constants = f"N={n},fix={fix}" if n else f"fix={fix}"
        return [self.brink, "check", str(MODEL), "--const", constants, "--formula", formula, "--quiet", *more]

    def export(self, n, formula, to, name, fix=0):
        command = [self.brink, "export", str(MODEL), "--const", f"N={n},fix={fix}", "--formula", formula, "--to", to, "--out",
                   name]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)

    def abc(self, n, formula, engine):
        self.export(n, formula, "aiger", "model.aig")
        return ["berkeley-abc", "-c", f"read_aiger model.aig; {engine}"]

    def rumur(self, n):
        self.export(n, f"A [ G (E [ F {GOAL} ]) ]", "murphi", "model.m", fix=1)
        for step in (["rumur", "--output", "model.c", "model.m"],
                     ["gcc", "-O3", "-std=c11", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread"]):
            subprocess.run(step, cwd=self.folder, check=True, capture_output=True)
        return ["./model"]


def crunch_rows(bench, n):
    length = n + n // 4
    all_depths = rf"(unsat\s+){{{length}}}sat"
    yield "brink abmc", bench.check(n, CRUNCH, "-e", "abmc"), rf"evaluator: {length} steps"
    if n > 100:
        return
    yield "brink bmc", bench.check(n, CRUNCH, "-e", "bmc"), rf"evaluator: {length} steps"
    yield "z3 plain", plain_z3(n, bench.folder), all_depths
    yield "abc bmc3", bench.abc(n, CRUNCH, f"bmc3 -F {length + 5}"), rf"asserted in frame {length}\b"


def proof_rows(bench, n):
    yield "abc pdr", bench.abc(n, BOUNDED, "pdr"), "Property proved"


def recovery_rows(bench, n):
    yield "rumur", bench.rumur(n), "no errors found|NO ERROR|Status:\\s*No error"


def for_all(bench, formula, fix):
    return bench.check(0, formula, "--for-all", "N", "--assume", "N >= 8", fix=fix)


def measure(bench, question, n, name, command, expected, runs, base):
    best = None
    for _ in range(runs):
        text, seconds = cpu(command, bench.folder, bench.limit)
        if text is None:
            break
        if not re.search(expected, text, re.I):
            sys.exit(f"{name}, {question}, N={n}: not the expected answer ({expected}):\n{text[-1500:]}")
        best = seconds if best is None else min(best, seconds)
    shown = "over" if best is None else f"{best:.2f}"
    ratio = "" if base is None or best is None or name == "brink abmc" else f"{best / base:.1f}"
    if best is None and base is not None:
        ratio = f"> {bench.limit / base:.0f}"
    print(f"{question:12} {n or 'all':>5} {name:12} {shown:>9} {ratio:>9}", flush=True)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brink")
    parser.add_argument("--N", default="16,24,32")
    parser.add_argument("--far", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=400)
    args = parser.parse_args()
    for tool in ("z3", "berkeley-abc", "rumur"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed")
    sizes = [int(n) for n in args.N.split(",")]
    print(f"{'question':12} {'N':>5} {'tool':12} {'CPU s':>9} {'x brink':>9}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.brink, folder, args.limit)
        for n in [*sizes, args.far]:
            base = None
            for name, command, expected in crunch_rows(bench, n):
                best = measure(bench, "crunch", n, name, command, expected, args.runs, base)
                base = base or best
        for question, formula, fix, rows in (("bounded", BOUNDED, 0, proof_rows),
                                             ("recoverable", f"A [ G (E [ F {GOAL} ]) ]", 1, recovery_rows)):
            base = measure(bench, question, 0, "brink", for_all(bench, formula, fix), "HOLDS", args.runs, None)
            for n in sizes:
                for name, command, expected in rows(bench, n):
                    measure(bench, question, n, name, command, expected, args.runs, base)


if __name__ == "__main__":
    main()

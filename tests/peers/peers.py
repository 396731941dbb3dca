#!/usr/bin/env python3
"""Other tools, asked the same question about the same model, by way of `brink export`.

usage: peers.py BRINK FOLDER CASE      CASE is a row of CASES; FOLDER holds the models of this test

Counts of states and verdicts have to be the same. Exit code 77 (skipped) with a reason when the tool is not
installed. Each case has its own temporary folder.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: {program} is not installed")
            sys.exit(SKIPPED)


def run(command, folder, ok=(0,)):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if ok is not None and done.returncode not in ok:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout + done.stderr


class Brink:
    def __init__(self, program, folder, model, constants):
        self.program, self.folder, self.model = program, folder, model
        self.constants = ["--const", constants] if constants else []

    def facts(self, *properties):
        """States and transitions of the model; for each property its verdict, the length of its trace, its text."""
        asked = [word for name in properties for word in ("--property", name)]
        done = subprocess.run([self.program, "check", self.model, *self.constants, *asked, "--json", "--quiet", "--engine", "explicit"],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        model = next(row for row in rows if row["type"] == "model")
        answers = {row["property"]: (row["verdict"], row.get("length"), row["text"]) for row in rows if row["type"] == "property"}
        return (model["states"], model["transitions"]), answers

    def export(self, to, name, *properties):
        asked = [word for p in properties for word in ("--property", p)]
        run([self.program, "export", self.model, *self.constants, *asked, "--to", to, "--out", name, "--quiet"], self.folder)


def pan(brink, *properties):
    need("spin", "gcc")
    brink.export("promela", "model.pml", *properties)
    ltl = "ltl " in (Path(brink.folder) / "model.pml").read_text()
    run(["spin", "-a", "model.pml"], brink.folder)
    run(["gcc", "-O1", "-w", "-DNOREDUCE", *([] if ltl else ["-DSAFETY"]), "-o", "pan", "pan.c"], brink.folder)
    text = run(["./pan", "-m1000000", *(["-a"] if ltl else [])], brink.folder)
    if "max search depth too small" in text:
        raise AssertionError("pan did not search everything")
    transitions = int(re.search(r"(\d+) transitions", text)[1]) - 1  # pan counts reaching the initial state as one
    return (int(re.search(r"(\d+) states, stored", text)[1]), transitions), int(re.search(r"errors: (\d+)", text)[1])


def rumur(brink, *properties):
    need("rumur", "gcc")
    brink.export("murphi", "model.m", *properties)
    run(["rumur", "--deadlock-detection", "off", "--threads", "1", "--output", "model.c", "model.m"], brink.folder)
    run(["gcc", "-O1", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread", "-latomic"], brink.folder)
    text = run(["./model"], brink.folder, ok=(0, 1))
    found = re.search(r"(\d+) states, (\d+) rules fired", text)
    return (int(found[1]), int(found[2])), int(re.search(r"(\d+) error\(s\) found|No error found", text)[1] or 0)


def spacer(brink, *properties):
    need("z3")
    brink.export("smt2", "model.smt2", *properties)
    return run(["z3", "model.smt2"], brink.folder).split()[0]


def abc(brink, engine, *properties):
    need("berkeley-abc")
    brink.export("aiger", "model.aig", *properties)
    return run(["berkeley-abc", "-c", f"read_aiger model.aig; {engine}"], brink.folder)


def expect(what, got, wanted):
    print(f"{what}: {got}")
    if got != wanted:
        raise AssertionError(f"{what}: {got}, but brink says {wanted}")


def states(tool):
    """All states, with properties that hold."""
    def case(brink, *holding):
        count, facts = brink.facts(*holding)
        for name, (verdict, _, _) in facts.items():
            expect(name, verdict, "true")
        expect("states and transitions, errors", tool(brink, *holding), (count, 0))
    return case


def verdict(tool):
    """One property: the tool finds an error exactly when brink does."""
    def case(brink, name):
        expect(f"error of {name}", tool(brink, name)[1] > 0, brink.facts(name)[1][name][0] == "false")
    return case


def reached(tool):
    """E [ F p ]: the tool finds an error (a failing assertion) exactly when it holds."""
    def case(brink, name):
        expect(f"{name} reached", tool(brink, name)[1] > 0, brink.facts(name)[1][name][0] == "true")
    return case


def horn(brink, *names):
    for name in names:
        verdict, _, text = brink.facts(name)[1][name]
        expect(name, spacer(brink, name), "sat" if (verdict == "true") == text.startswith("A") else "unsat")


def circuit(brink, *names):
    for name in names:
        answer, length, _ = brink.facts(name)[1][name]
        if answer == "true":
            expect(name, "Property proved" in abc(brink, "pdr", name), True)
        else:
            found = re.search(r"asserted in frame (\d+)", abc(brink, "bmc2 -F 40", name))
            expect(f"steps of {name}", found and int(found[1]), length)


def range_holds(brink):
    expect("range by Spacer", spacer(brink), "sat")


def range_fails(brink):
    need("spin", "rumur", "z3")
    done = subprocess.run([brink.program, "check", brink.model, "--property", "range", "--quiet"], cwd=brink.folder, capture_output=True)
    expect("range by brink: exit code", done.returncode, 10)
    expect("range by spin", pan(brink)[1], 1)
    expect("range by rumur", rumur(brink)[1], 1)
    expect("range by Spacer", spacer(brink), "unsat")


def range_circuit(brink):
    found = re.search(r"asserted in frame (\d+)", abc(brink, "bmc2 -F 20"))
    expect("steps to the move that leaves the range", found and int(found[1]), 3)


ZONES = "pages_dma=2,pages_normal=5,pages_high=4,high_at_start=2,rule=2"
CASES = {
    "spin-frames": (states(pan), "frames.prism", "leak=true", ["disjoint", "marks"]),
    "spin-buffers": (states(pan), "linux-1.3.24", "N=5", ["frames", "buffers"]),
    "spin-zones": (states(pan), "linux-2.4-zones", ZONES, ["agreement"]),
    "spin-violated": (verdict(pan), "frames.prism", "leak=false", ["never_empty"]),
    "spin-reached": (reached(pan), "frames.prism", "leak=false", ["can_empty"]),
    "spin-ltl": (verdict(pan), "frames.prism", "leak=true", ["woken"]),
    "rumur-frames": (states(rumur), "frames.prism", "leak=true", ["disjoint", "marks", "can_empty"]),
    "rumur-buffers": (states(rumur), "linux-1.3.24", "N=5", ["frames", "buffers"]),
    "rumur-zones": (states(rumur), "linux-2.4-zones", ZONES, ["agreement"]),
    "rumur-violated": (verdict(rumur), "frames.prism", "leak=false", ["never_empty"]),
    "rumur-recoverable": (verdict(rumur), "frames.prism", "leak=false", ["recoverable"]),
    "rumur-trapped": (verdict(rumur), "frames.prism", "leak=true", ["recoverable"]),
    "spacer": (horn, "frames.prism", "leak=true", ["marks", "never_empty", "can_empty"]),
    "spacer-range": (range_holds, "frames.prism", "leak=true", []),
    "abc": (circuit, "frames.prism", "leak=true", ["marks", "never_empty"]),
    "range": (range_fails, "overrun.prism", "", []),
    "abc-range": (range_circuit, "overrun.prism", "", []),
}


def main():
    program, models, name = sys.argv[1:]
    case, model, constants, properties = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(models) / model
        brink = Brink(str(Path(program).resolve()), folder, str(path.resolve()) if path.exists() else model, constants)
        try:
            case(brink, *properties)
        except AssertionError as problem:
            print(problem)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

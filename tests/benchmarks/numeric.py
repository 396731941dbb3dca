#!/usr/bin/env python3
"""Markov models, built and solved: seconds of the processor, states and transitions a second, memory, beside PRISM.

usage: numeric.py BRINK [FOLDER] [--only TEXT] [--runs 1] [--limit 120]

Without FOLDER the models are made here, so that the table can be had anywhere. With a FOLDER of PRISM's case studies (as in
the quantitative verification benchmark set, FOLDER/crowds/crowds.prism, or in prism-benchmarks, FOLDER/kanban.sm) the rows
of PEERS are run, and the last column is how many times PRISM's time is brink's. CPU is user and system time of the whole
process; `build` is what brink says of building the chain, `solve` the rest. Memory is brink's own for states and moves,
against 120 bytes a state and 16 a transition. Not part of ctest: times are for people, on a quiet machine.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# PRISM 4.8's build + solve in CPU seconds on one loaded machine of two cores (measured when the issue was written, default
# engine, crowds with the explicit one). name, file, properties or None, constants, property or formula, seconds
PEERS = [
    ("crowds 5-10", "crowds/crowds.prism", "crowds/crowds.props", "TotalRuns=5,CrowdSize=10", "positive", 3.6),
    ("nand 20-4", "nand/nand.prism", "nand/nand.props", "N=20,K=4", "reliable", 6.3),
    ("kanban 3", "kanban.sm", None, "t=3", 'S=? [ x1=0 ]', 10.1),
    ("tandem 255", "tandem/tandem.prism", "tandem/tandem.props", "c=255,T=10,t=1", "network", 14.2),
    ("mapk 4", "mapk_cascade/mapk_cascade.prism", "mapk_cascade/mapk_cascade.props", "N=4,T=10", "activated_time", 15.7),
    ("consensus 4-4", "consensus/consensus.4.prism", "consensus/consensus.props", "K=4", "c2", 10.8),
    ("wlan 4", "wlan/wlan.4.prism", "wlan/wlan.props", "COL=0", "time_max", 18.0),
    ("zeroconf 20-4-false", "zeroconf/zeroconf.prism", "zeroconf/zeroconf.props", "N=20,K=4,reset=false", "correct_max", 14.4),
]

GRID = """{kind}
const int N;
module a x : [0..N]; [] x<N -> {up}:(x'=x+1); [] x>0 -> {down}:(x'=x-1); [go] x=N -> 1:(x'=0); endmodule
module b y : [0..N]; [] y<N -> {up}:(y'=y+1); [] y>0 -> {down}:(y'=y-1); [go] true -> 1:(y'=0); endmodule
"""
DICE = """dtmc
const int N;
module m s : [0..N]; d : [0..N]; t : [0..3];
  [] s<N -> 0.5:(s'=s+1)&(t'=mod(t+1,4)) + 0.3:(s'=s+1)&(d'=min(d+1,N)) + 0.2:(s'=s+1);
  [] s=N -> true;
endmodule
"""
# name, text, constants, formula
OWN = [
    ("counters 1000", DICE, "N=1000", "P=? [ F s=N & d<N/4 ]"),
    ("grid ctmc 700", GRID.format(kind="ctmc", up="1", down="2"), "N=700", "P=? [ F<=0.5 x=3 ]"),
    ("grid mdp 500", GRID.format(kind="mdp", up="1", down="1"), "N=500", "Pmax=? [ F x=N & y=N ]"),
]


def measured(command, limit):
    """Rows of JSON, CPU seconds, wall seconds, peak bytes; nothing when it took too long."""
    with tempfile.TemporaryFile("w+") as output:
        start = time.monotonic()
        child = subprocess.Popen([*command, "--time-limit", f"{limit} s"], stdout=output, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        rows = [json.loads(line) for line in output if line.startswith("{")]
    return rows, used.ru_utime + used.ru_stime, time.monotonic() - start, used.ru_maxrss * 1024


def show(name, command, limit, runs, peer):
    best = None
    for _ in range(runs):
        rows, cpu, wall, peak = measured(command, limit)
        if best is None or cpu < best[1]:
            best = (rows, cpu, wall, peak)
    rows, cpu, wall, peak = best
    answer = next((r for r in rows if r["type"] == "property"), None)
    model = next((r for r in rows if r["type"] == "model"), None)
    if answer is None or model is None or "cpu" not in model:
        print(f"{name:<20} no answer within {limit} s ({cpu:.1f} s of CPU)")
        return
    build = max(model["cpu"]["seconds"], 1e-6)
    states, moves = model["states"], model["transitions"]
    value = answer["value"] if answer["verdict"] is None else answer["verdict"]
    budget = (120 * states + 16 * moves) / max(model["bytes"], 1)
    ratio = f"{peer / cpu:6.1f}x" if peer else ""
    print(f"{name:<20} {states:>9} {moves:>10} {build:8.2f} {max(cpu - build, 0):8.2f} {states / build / 1e6:9.2f}"
          f" {moves / build / 1e6:9.2f} {model['bytes'] / states:8.0f} {budget:7.1f}x {peak / 2**20:7.0f}"
          f"  {peer if peer else '':>6} {ratio:>7}  {value} ({answer.get('method', answer['engine'])})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brink")
    parser.add_argument("folder", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=120)
    a = parser.parse_args()
    brink = [str(Path(a.brink).resolve()), "check"]
    print(f"{'':<20} {'states':>9} {'moves':>10} {'build s':>8} {'solve s':>8} {'M state/s':>9} {'M move/s':>9}"
          f" {'B/state':>8} {'budget':>8} {'MiB':>7}  {'PRISM':>6} {'faster':>7}  value")
    with tempfile.TemporaryDirectory() as temporary:
        for name, text, constants, formula in [] if a.folder else OWN:
            if a.only not in name:
                continue
            path = Path(temporary) / "model.prism"
            path.write_text(text)
            show(name, [*brink, str(path), "--const", constants, "--formula", formula, "--json"], a.limit, a.runs, None)
        for name, file, properties, constants, question, seconds in PEERS if a.folder else []:
            if a.only not in name:
                continue
            root = next((Path(f) for f in a.folder if (Path(f) / file).exists()), None)
            if root is None:
                print(f"{name:<20} {file} is in none of the folders")
                continue
            ask = [str(root / properties), "--property", question] if properties else ["--formula", question]
            show(name, [*brink, str(root / file), *ask, "--const", constants, "--json"], a.limit, a.runs, seconds)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Exact mean value analysis of 10,000 customers at 20 stations, beside octave-queueing (if installed).

usage: queueing.py BRINK [CUSTOMERS [STATIONS]]
CPU times of whole processes less that of a network of one customer, best of several, so that starting up counts for
neither. The throughputs must agree to 1e-9.
"""
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def network(path, customers, demands):
    text = "".join(f'[[station]]\nname = "s{k}"\n' for k in range(len(demands)))
    services = ", ".join(f's{k} = "{d} s"' for k, d in enumerate(demands))
    path.write_text(text + f"[[class]]\npopulation = {customers}\nservice = {{ {services} }}\n")


def best(command, repeats):
    times, out = [], ""
    for _ in range(repeats):
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
    return min(times), out


def of_brink(program, folder, customers, demands):
    path = folder / "network.toml"
    network(path, customers, demands)
    seconds, out = best([program, "queue", str(path), "--json"], 7)
    found = [json.loads(line) for line in out.splitlines()]
    return seconds, next(o["throughput"] for o in found if o["type"] == "class")


def of_octave(customers, demands):
    script = (f"pkg load queueing; S=[{' '.join(map(str, demands))}]; V=ones(1,{len(demands)});"
              f"t=cputime; [U R Q X]=qncsmva({customers},S,V); t=cputime-t; printf('%.17g %.17g\\n', t, X(1));")
    _, out = best(["octave", "--no-gui", "--quiet", "--eval", script], 2)
    seconds, throughput = map(float, out.split()[-2:])
    return seconds, throughput


def main():
    program = sys.argv[1]
    customers = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    stations = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    demands = [round(0.01 + 0.001 * k, 6) for k in range(stations)]
    with tempfile.TemporaryDirectory() as folder:
        started, _ = of_brink(program, Path(folder), 1, demands)
        whole, ours = of_brink(program, Path(folder), customers, demands)
    print(f"brink   {1e3 * whole:8.2f} ms with start ({1e3 * started:.2f} ms)   X = {ours:.12g}")
    if not shutil.which("octave"):
        print("octave  not installed")
        return 0
    seconds, theirs = of_octave(customers, demands)
    print(f"octave  {1e3 * seconds:8.2f} ms without start             X = {theirs:.12g}   "
          f"{seconds / max(whole - started, 1e-4):.0f} times")
    return 0 if abs(ours / theirs - 1) < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())

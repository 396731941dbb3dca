#!/usr/bin/env python3
"""Replay speed of the cache policies on a Zipf pattern.

usage: cache.py BRINK [--requests 20000000] [--size 100000] [--runs 3]

Making the trace takes longer than replaying it, so each policy is timed by the difference between one size and four more of
nearly the same size, on one thread (lru by taking away what fifo tells of the making). libCacheSim, which is no Debian package, is
published at 20 / 10 / 11 / 4.5 / 5 / 3 M references a second for LRU / CLOCK / FIFO / S3-FIFO / ARC / 2Q. Not part of ctest: times
are for people, on a quiet machine.
"""
import argparse
import json
import os
import re
import subprocess
import sys


def cpu_of(command):
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = child.communicate()
    if child.returncode != 0:
        sys.exit(f"{command} ended with {child.returncode}: {err}")
    return out


def measured(command):
    before = os.times()
    out = cpu_of(command)
    after = os.times()
    return out, after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brink")
    parser.add_argument("--requests", type=int, default=20_000_000)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    pattern = f"zipf:pages=1000000,alpha=1,requests={options.requests},seed=1"
    policies = re.findall(r"^\s+(\S+)", subprocess.run([options.brink, "list", "policies"], capture_output=True, text=True,
                                                       check=True).stdout.split("\n\n")[0], re.M)
    print(f"{options.requests:,} references, Zipf 1 over 1,000,000 pages, {options.size:,} pages of cache; "
          f"load {os.getloadavg()[0]:.1f}")
    print(f"{'policy':<10} {'miss ratio':>10} {'M references/s':>15}")
    for policy in policies:
        sizes = [options.size + i for i in range(5)]
        best, ratio = None, None
        for _ in range(options.runs):
            command = [options.brink, "cache", pattern, "--policy", policy, "--json", "-j", "1", "--size"]
            out, one = measured(command + [str(options.size)])
            if policy == "lru":  # at several sizes it is another method: stack distances
                _, fifo = measured([*command[:3], "--policy", "fifo", "--json", "-j", "1", "--size", str(options.size)])
                _, fifos = measured([*command[:3], "--policy", "fifo", "--json", "-j", "1", "--size",
                                     ",".join(map(str, sizes))])
                seconds = one - (fifo - (fifos - fifo) / 4)
            else:
                _, five = measured(command + [",".join(map(str, sizes))])
                seconds = (five - one) / 4
            ratio = next(json.loads(line)["miss_ratio"] for line in out.splitlines() if '"type":"cache"' in line)
            best = seconds if best is None else min(best, seconds)
        rate = options.requests / best / 1e6 if best > 0 else float("inf")
        print(f"{policy:<10} {ratio:>10.6f} {rate:>15.1f}")


if __name__ == "__main__":
    main()

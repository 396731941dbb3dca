#!/usr/bin/env python3
"""Installs Brink into a folder, moves that folder, and uses it from outside: a program that finds the libraries with
find_package, and the installed `brink`, which must find its models and reports beside itself and not in the sources.
usage: consumer_test.py BUILD_FOLDER SOURCE_FOLDER
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()


def run(*command, **more):
    ran = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{ran.stdout}\nexit {ran.returncode}")
    return ran.stdout


def expect(condition, what):
    if not condition:
        sys.exit(what)


def main():
    env = {name: value for name, value in os.environ.items() if name not in ("BRINK_HOME", "DESTDIR")}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        run("cmake", "--install", BUILD, "--prefix", folder / "first", "--strip", env=env)
        prefix = (folder / "first").rename(folder / "moved")
        expect((prefix / "include/brink/solver/engines.h").exists(), "no headers")
        expect(not list(prefix.rglob("*.cpp")), "sources are installed")
        config = "\n".join(path.read_text() for path in prefix.rglob("*.cmake"))
        expect(str(SOURCE) not in config and str(BUILD) not in config, "the CMake files name a folder of this machine")

        program = prefix / "bin/brink"
        shown = run(program, "show", "linux-1.3.24", "--json", cwd=folder, env=env)
        expect(str(prefix) in shown, f"the installed brink does not use its own library: {shown[:200]}")
        run(program, "check", "linux-1.3.24", "--test", "--engine", "explicit", cwd=folder, env=env)
        run(program, "predict", "1996", "--metric", "ratio", cwd=folder, env=env)

        run("cmake", "-S", SOURCE / "tests/consumer", "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_BUILD_TYPE=Release", env=env)
        run("cmake", "--build", folder / "build", env=env)
        said = run(folder / "build/consumer", cwd=folder, env=env)
        expect(said == "false after 4 steps\n", said)


main()

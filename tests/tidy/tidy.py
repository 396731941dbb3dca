#!/usr/bin/env python3
"""The rules of the house, checked. Each rule is a function from files to complaints and has an example that
breaks it (EXAMPLES), so that a rule that no longer finds anything fails, too.

usage: tidy.py ROOT
"""
import re
import subprocess
import sys
from pathlib import Path

CODE = {".cpp", ".h", ".def"}
HEAVY = re.compile(r'#\s*include\s*[<"](CLI/|nlohmann/json\.hpp|boost/graph|z3\+\+\.h|toml\+\+/|Eigen/)')
# Headers private to one engine: they may hold z3++.h, and no other header outside this list may include them.
PRIVATE_HEADERS = {"solver/symbolic/smt_run.h", "solver/symbolic/unrolling.h", "solver/symbolic/encode_terms.h", "solver/symbolic/encoding.h", "solver/symbolic/smt_watch.h",
                   "solver/symbolic/recovery.h", "solver/symbolic/counter_terms.h", "solver/symbolic/smt_terms.h", "solver/for_all/script.h"}
MAX_LINES = 800
MAX_COLUMNS = 130  # clang-format keeps code at 100 where it can; strings and tables may be longer

# folder -> folders it may include from
DIRECTION = {
    "models/base": {"models/base"},
    "models/language": {"models/base", "models/language"},
    "models/semantics": {"models/base", "models/language", "models/semantics"},
    "models/automata": {"models/base", "models/language", "models/automata"},
    "models/cache": {"models/base", "models/cache"},
    "models/machine": {"models/base", "models/machine", "models/kernels", "models/workloads"},
    "models/kernels": {"models/base", "models/machine", "models/kernels"},
    "models/workloads": {"models/base", "models/machine", "models/workloads"},
    "solver": {"models/automata", "models/base", "models/language", "models/semantics", "solver"},
    "analytic": {"models/automata", "models/base", "models/language", "models/semantics", "analytic"},
}


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "models" else parts[0]


def include_direction(files):
    for path, text in files.items():
        allowed = DIRECTION.get(folder_of(path))
        if allowed is None or Path(path).suffix not in CODE:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if found and folder_of(found[1]) not in allowed:
                yield f"{path}:{number}: {folder_of(path)} must not include {found[1]}"


def heavy_headers_in_cpp_only(files):
    for path, text in files.items():
        if path.endswith(".h") and path not in PRIVATE_HEADERS:
            for number, line in enumerate(text.splitlines(), 1):
                included = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
                if HEAVY.search(line) or (included and included[1] in PRIVATE_HEADERS):
                    yield f"{path}:{number}: heavy headers belong in .cpp files: {line.strip()}"


def file_sizes(files):
    for path, text in files.items():
        if Path(path).suffix in CODE and text.count("\n") > MAX_LINES:
            yield f"{path}: {text.count(chr(10))} lines, more than {MAX_LINES}"


def line_lengths(files):
    for path, text in files.items():
        if Path(path).suffix in CODE:
            for number, line in enumerate(text.splitlines(), 1):
                if len(line) > MAX_COLUMNS:
                    yield f"{path}:{number}: {len(line)} columns, more than {MAX_COLUMNS}"


def headers_open_with_a_purpose(files):
    for path, text in files.items():
        if path.endswith(".h"):
            lines = text.splitlines()
            if not lines or not lines[0].startswith("//"):
                yield f"{path}: a header opens with a comment that says what it is for"
            if "#pragma once" not in text:
                yield f"{path}: no #pragma once"
            if re.search(r"^\s*using namespace", text, re.M):
                yield f"{path}: no `using namespace` in headers"


# Paths of a developer's machine; written so that this file does not match itself.
MACHINE_PATHS = re.compile("(/ho" + "me/|/ro" + "ot/|/wo" + "rk/|/U" + "sers/)")


def no_machine_paths(files):
    for path, text in files.items():
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE_PATHS.search(line):
                yield f"{path}:{number}: a path of somebody's machine"


def models_say_what_they_are(files):
    for path, text in files.items():
        if path.startswith("models/library/") and path.endswith(".prism"):
            if not text.startswith("// ") or "Sources" not in text or "abstracted away" not in text:
                yield f"{path}: the opening comment gives the policy, its sources and what is abstracted away"
            props = files.get(path[: -len("prism")] + "props")
            if props is None or "// RESULT" not in props:
                yield f"{path}: no .props with RESULT comments beside it"


def no_empty_tests(files):
    for path, text in files.items():
        if path.startswith("tests/unit/"):
            for found in re.finditer(r"\bTEST(?:_F|_P)?\((\w+,\s*\w+)\)\s*\{\s*\}", text):
                yield f"{path}: test {found[1]} is empty"
            if re.search(r"\bDISABLED_\w+", text):
                yield f"{path}: a disabled test"


def versions_agree(files):
    version = re.search(r"project\(brink VERSION (\S+)", files.get("CMakeLists.txt", ""))
    cff = re.search(r"^version: (\S+)", files.get("CITATION.cff", ""), re.M)
    if version and (not cff or cff[1] != version[1]):
        yield f"CITATION.cff: version differs from CMakeLists.txt ({version[1]})"


RULES = [include_direction, heavy_headers_in_cpp_only, file_sizes, line_lengths, headers_open_with_a_purpose,
         no_machine_paths, models_say_what_they_are, no_empty_tests, versions_agree]

EXAMPLES = {
    include_direction: {"solver/a.cpp": '#include "analytic/chain.h"\n'},
    heavy_headers_in_cpp_only: {"solver/a.h": "// A.\n#include <z3++.h>\n"},
    file_sizes: {"solver/a.cpp": "\n" * (MAX_LINES + 1)},
    line_lengths: {"solver/a.cpp": "x" * (MAX_COLUMNS + 1)},
    headers_open_with_a_purpose: {"solver/a.h": "#pragma once\n"},
    no_machine_paths: {"README.md": "see /ho" + "me/somebody/brink\n"},
    models_say_what_they_are: {"models/library/a.prism": "mdp\n"},
    no_empty_tests: {"tests/unit/a/a_test.cpp": "TEST(A, B) {}\n"},
    versions_agree: {"CMakeLists.txt": "project(brink VERSION 1.2.3", "CITATION.cff": "version: 1.2.2\n"},
}


def tracked_files(root):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode().split("\0")
    else:  # an exported tree
        names = [str(p.relative_to(root)) for p in Path(root).rglob("*") if p.is_file()]
    files = {}
    for name in names:
        path = Path(root) / name
        if not name or name.startswith(("build", "out/")) or not path.is_file():
            continue
        try:
            files[name] = path.read_text()
        except UnicodeDecodeError:
            pass
    return files


def main():
    files = tracked_files(sys.argv[1])
    failed = 0
    for rule in RULES:
        if not list(rule(EXAMPLES[rule])):
            print(f"rule {rule.__name__} does not find its own example")
            failed += 1
        for complaint in rule(files):
            print(complaint)
            failed += 1
    sizes = sorted(t.count("\n") for p, t in files.items() if Path(p).suffix in {".cpp", ".h"} and not p.startswith("tests/"))
    print(f"{len(files)} files; code files: {len(sizes)}, median {sizes[len(sizes) // 2]} lines, largest {sizes[-1]}")
    if sizes[len(sizes) // 2] >= 200:
        print("the median file has 200 lines or more")
        failed += 1
    return 1 if failed else 0


sys.exit(main())

#!/usr/bin/env python3
"""Seeded faults of the engines: each must be caught by the solver's tests.

usage: mutants.py SOURCE --check            every fault still fits the text it changes, exactly once
       mutants.py SOURCE WORK CMAKE_ARGS... builds the tests with each fault in a copy and runs them
       (with --only TEXT: those whose name contains it)

A fault that survives is printed and makes the exit code 1. The copy is built once; each fault then
costs the files it changes.
"""
import pathlib
import shutil
import subprocess
import sys

S, F = "solver/symbolic/", "solver/for_all/"
# name, file, text, what stands there instead
MUTANTS = [
    ("negation one off", S + "linear.cpp", "combine(-1, atom, 1, Linear::number(-1))", "combine(-1, atom, 1, Linear::number(0))"),
    ("rounding towards zero", S + "linear.cpp", "atom.constant = floor_divide(atom.constant, common);", "atom.constant = atom.constant / common;"),
    ("the weaker bound is kept", S + "linear.cpp", "at->constant = std::min(at->constant, atom.constant);", "at->constant = std::max(at->constant, atom.constant);"),
    ("unrolling without guards", S + "unrolling.cpp", "solver_.add(z3::implies(selector, encoding_.at(encoding_.guard(m), before)));", ""),
    ("unrolling without the first frame condition", S + "unrolling.cpp", "const z3::expr_vector target = encoding_.target(m);\n    for (unsigned v = 0;", "const z3::expr_vector target = encoding_.target(m);\n    for (unsigned v = 1;"),
    ("induction from the start only", S + "bmc.cpp", "Unrolling::Start::anywhere", "Unrolling::Start::initial"),
    ("violated and holds exchanged", S + "bmc.cpp", "form.shape == Shape::possible ? Verdict::holds : Verdict::violated;", "form.shape == Shape::possible ? Verdict::violated : Verdict::holds;"),
    ("min is max", S + "encoding.cpp", "return z3::ite(arg(0) <= arg(1), arg(0), arg(1));", "return z3::ite(arg(0) >= arg(1), arg(0), arg(1));"),
    ("round goes the other way", S + "encoding.cpp", "context.real_val(1, 2)", "context.real_val(1, 3)"),
    ("mod with the wrong sign", S + "encoding.cpp", ": -z3::mod(-a, number(-divisor));", ": z3::mod(a, number(-divisor));"),
    ("repetition without its last guard", S + "accelerated.cpp", "cube_after(before, command, shift, k - 1)", "cube_after(before, command, shift, context.int_val(0))"),
    ("null space without a sign", S + "counters_static.cpp", "y[pivots[r]] = -(rows[r][free] * scale)", "y[pivots[r]] = (rows[r][free] * scale)"),
    ("A X as E X", "solver/search/ctl.cpp", "return complement(exists_next(graph, complement(p)));", "return exists_next(graph, p);"),
    ("schema without its last guard", F + "schema.cpp", "out.add(substitute(command.inside, jump_of(system, shift, k - Linear::number(1))));", ""),
    ("trap keeps what is broken", F + "trap.cpp", "if (!model.eval(e, true).is_true()) alive[i] = false;", "if (model.eval(e, true).is_true()) alive[i] = false;"),
    ("ranking need not fall", F + "rank.cpp", "sum <= -1)", "sum <= 0)"),
    ("E X for A X", F + "step_formula.cpp", "if ((node.kind == PropKind::exists) == positive)", "if ((node.kind == PropKind::exists) != positive)"),
    ("cycle without its condition", F + "lasso.cpp", "cube.add_equal(value, Linear::symbol(v));", "cube.add_equal(value, value);"),
    ("multipliers may be negative", F + "farkas.cpp", "if (y < 0 && !constraints[i].equation) return false;", ""),
    ("multipliers need not cancel", F + "farkas.cpp", "return entry.second == 0;", "return entry.second >= 0;"),
    ("strict is not strict", F + "arithmetic.cpp", "strict ? t - one : t", "t"),
    ("one side of an inequation", F + "arithmetic.cpp", "known->second ? y - x - one : x - y - one", "y - x - one"),
    ("atoms of samples that differ", F + "learn.cpp", "if (s[i].holds) wanted[i / 64]", "if (!s[i].holds) wanted[i / 64]"),
    ("stuck set that may be left", "solver/search/stuck.cpp", "if (edge == edges.end() || stuck[*edge] == 0) return false;", "if (edge == edges.end()) return false;"),
    ("state equation one off", S + "state_equation.cpp", "sum < context.int_val(steps)", "sum < context.int_val(steps - 1)"),
    ("conjecture keeps what is broken", F + "conjecture.cpp", "if (!model.eval(claim, true).is_true()) {", "if (model.eval(claim, true).is_true()) {"),
    ("one command too many", "solver/search/simplest.cpp", "if (hitting.best_size >= used) {", "if (hitting.best_size + 1 >= used) {"),
    ("sums that make every move safe", S + "smt_run.cpp", "set_known(all_of(known), solver.check() == z3::unsat)", "set_known(all_of(known), true)"),
    ("trap that may hold the goal", F + "finite_trap.cpp", "if (satisfies(cube, state)) return std::nullopt;", ""),
]


def check(source: pathlib.Path) -> int:
    bad = 0
    for name, file, text, _ in MUTANTS:
        count = (source / file).read_text().count(text)
        if count != 1:
            print(f"{name}: the text occurs {count} times in {file}")
            bad += 1
    print(f"{len(MUTANTS)} faults, {bad} do not fit")
    return 1 if bad or len(MUTANTS) < 20 else 0


def build(work: pathlib.Path) -> bool:
    command = ["cmake", "--build", str(work / "build"), "--target", "solver_tests"]
    return subprocess.run(command, capture_output=True).returncode == 0


def passes(work: pathlib.Path) -> bool:
    try:
        done = subprocess.run([str(work / "build/tests/solver_tests"), "--gtest_fail_fast"],
                              capture_output=True, timeout=600)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    arguments = sys.argv[1:]
    only = ""
    if "--only" in arguments:
        at = arguments.index("--only")
        only = arguments[at + 1]
        del arguments[at:at + 2]
    source = pathlib.Path(arguments[0]).resolve()
    if arguments[1:] == ["--check"]:
        return check(source)
    work = pathlib.Path(arguments[1]).resolve()
    copy = work / "source"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns(".git", "build", "out"))
    subprocess.run(["cmake", "-S", str(copy), "-B", str(work / "build"), "-G", "Ninja",
                    *arguments[2:]], check=True, capture_output=True)
    if not build(work) or not passes(work):
        print("the tests do not pass without a fault")
        return 1
    survivors = []
    for name, file, text, other in MUTANTS:
        if only not in name:
            continue
        path = copy / file
        whole = path.read_text()
        path.write_text(whole.replace(text, other, 1))
        caught = "does not compile" if not build(work) else "SURVIVES" if passes(work) else "caught"
        path.write_text(whole)
        print(f"{caught:<18} {name} ({file})", flush=True)
        if caught != "caught":
            survivors.append(name)
    print(f"{len(survivors)} of {len(MUTANTS)} not caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Every model of the library against its RESULT comments, and the engines against each other.

Generic over the folder: a model is tested by lying there. For each assignment of constants that a RESULT comment
names (and the defaults), `check --test` must succeed; at the defaults, engines that decide agree in the verdict and in
the length of the shortest trace.   usage: library_test.py BRINK ROOT
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from brink import DONE, ROOT, UNDECIDED, VIOLATED, Case, brink, main  # noqa: E402

MODELS = sorted((ROOT / "models/library").glob("*.prism"))
SECONDS = 1  # that an engine other than the explicit one may take for a property


def assignments(model):
    """The texts in the parentheses of `// RESULT (...)`, each once; "" for the defaults."""
    props = model.with_suffix(".props").read_text()
    found = re.findall(r"^\s*//\s*RESULT\s*(?:\(([^)]*)\))?\s*:", props, re.M)
    return sorted({""} | {text.replace(" ", "") for text in found})


def properties(model, engine, *arguments):
    """JSON objects of all properties by name."""
    ran = brink("check", model, "--engine", engine, "--json", *arguments, timeout=300)
    return ran, {o["property"]: o for o in ran.objects("property")}


def conflict(explicit, other):
    """Why two results for one property cannot both be right; None when they can."""
    if other["verdict"] == "unknown":
        met = other.get("bound", -1) >= explicit.get("length", 10**9)
        return f"nothing within {other['bound']} steps, but a trace of {explicit['length']}" if met else None
    if other["verdict"] != explicit["verdict"]:
        return f"{other['verdict']} against {explicit['verdict']}"
    if "length" in other and "length" in explicit and other["length"] != explicit["length"]:
        return f"{other['length']} steps against {explicit['length']}"
    return None


class Library(Case):
    def test_there_are_models_and_each_says_what_to_expect(self):
        self.assertGreaterEqual(len(MODELS), 3)
        for model in MODELS:
            self.assertIn("RESULT", model.with_suffix(".props").read_text(), model.name)

    def test_results_are_as_expected(self):
        for model in MODELS:
            compared = set()
            for constants in assignments(model):
                with self.subTest(model=model.stem, constants=constants):
                    given = ["--const", constants] if constants else []
                    ran = self.expect(DONE, "check", model, "--test", "--engine", "explicit", "--json", *given)
                    tests = ran.objects("test")
                    self.assertTrue(all(t["passed"] for t in tests), str(ran))
                    compared |= {t["property"] for t in tests}
            names = set(re.findall(r'^"(\w+)"\s*:', model.with_suffix(".props").read_text(), re.M))
            self.assertEqual(compared, names, f"{model.stem}: a property is never compared")

    def test_a_wrong_result_comment_is_noticed(self):
        for model in MODELS:
            props = self.folder / "wrong.props"
            text = model.with_suffix(".props").read_text()
            swap = {"true": "false", "false": "true"}
            props.write_text(re.sub(r"(RESULT[^\n]*: *)(true|false)$", lambda m: m[1] + swap[m[2]], text, flags=re.M))
            ran = self.expect(VIOLATED, "check", model, props, "--test", "--json", "--engine", "explicit")
            self.assertFalse(any(t["passed"] for t in ran.objects("test")), str(ran))

    def test_engines_agree(self):
        for model in MODELS:
            ran, explicit = properties(model, "explicit")
            self.assertIn(ran.code, (DONE, VIOLATED), str(ran))
            decided = 0
            for engine in ("bmc", "auto"):
                ran, other = properties(model, engine, "--time-limit", SECONDS)
                self.assertIn(ran.code, (DONE, VIOLATED, UNDECIDED), str(ran))
                self.assertEqual(other.keys(), explicit.keys())
                for name, result in other.items():
                    with self.subTest(model=model.stem, engine=engine, property=name):
                        self.assertIsNone(conflict(explicit[name], result))
                    decided += result["verdict"] != "unknown"
            self.assertGreater(decided, 0, f"{model.stem}: nothing was compared")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The same command gives the same bytes: twice, with other thread counts, from another folder.
usage: determinism_test.py BRINK ROOT
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from brink import DONE, VIOLATED, Case, brink, main  # noqa: E402


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Determinism(Case):
    def test_a_report_rebuilt_is_the_same(self):
        built = []
        for threads, name in ((1, "one"), (2, "two")):
            (self.folder / name).mkdir()
            ran = brink("reproduce", "1996", "--out", "out", "--threads", threads, cwd=self.folder / name, timeout=300)
            self.assertIn(ran.code, (DONE, VIOLATED), str(ran))  # what the claims say is another test's matter
            built.append((ran.out, files(self.folder / name / "out")))
        self.assertEqual(built[0][0], built[1][0])
        self.assertEqual(built[0][1].keys(), built[1][1].keys())
        self.assertIn("report.html", built[0][1])
        for name, content in built[0][1].items():
            self.assertEqual(content, built[1][1][name], name)

    def test_results_are_the_same(self):
        for arguments in (["simulate", "1996", "--json"], ["conform", "1996", "--estimate"], ["list", "--json"], ["man"],
                          ["check", "linux-2.4-zones", "--engine", "explicit", "--json"]):
            with self.subTest(arguments=arguments):
                first, second = (re.sub(r'"seconds":[^,}]*', "", brink(*arguments).out) for _ in range(2))
                self.assertEqual(first, second)
                self.assertGreater(len(first), 50)

    def test_traces_are_the_same(self):
        for name in ("a.json", "b.json"):
            self.expect(VIOLATED, "check", "linux-1.3.78", "-p", "recoverable", "--engine", "explicit", "--trace-out", name,
                        cwd=self.folder)
        self.assertEqual((self.folder / "a.json").read_bytes(), (self.folder / "b.json").read_bytes())
        self.expect(DONE, "replay", "a.json", cwd=self.folder)


if __name__ == "__main__":
    main()

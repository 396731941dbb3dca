#!/usr/bin/env python3
"""Conformance at real size: the machine's runs are paths of the models and their decisions agree, both ways.

The positive tests say little without the negative ones: a model that forbids what the kernel does, one that permits
what the kernel refuses, and a kernel whose watermarks are off by one must each be noticed, at a step that is named.
usage: conformance_test.py BRINK ROOT
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from brink import DONE, INPUT, VIOLATED, Case, brink, library_model, main, replace_once  # noqa: E402

# A little beyond the barrier: the zones have been short, kswapd and the reader have laundered.
SHORT = ["--set", "workload.script=readfiles ddisk for 6 s"]
WATERMARKS_1996 = {"min": 32, "low": 48, "high": 64, "guard": 64}
# min_dma decides nothing in the first seconds; the others below decide something at SHORT.
WATERMARKS_2001 = {"low_dma": 256, "min_normal": 255, "low_normal": 510, "target_dma": 128, "target_normal": 255,
                   "total_normal": 255}
# With HIGHMEM used up the global predicate and HIGHMEM's own target decide, too.
WATERMARKS_900M = {"freepages_high": 1209}


class Conformance(Case):
    def model(self, name, *edits):
        """A copy of a library model, edited."""
        text = library_model(name).read_text()
        for pattern, replacement in edits:
            text = replace_once(text, pattern, replacement)
        path = self.folder / f"{name}-edited.prism"
        path.write_text(text)
        return ["--set", f"model.file={path}"]

    def conforms(self, *arguments):
        ran = self.expect(DONE, "conform", *arguments, "--json")
        found = ran.objects("conformance")[0]
        self.assertEqual(found["verdict"], "true")
        self.assertEqual(found["divergences"], 0)
        self.assertGreater(found["decisions"], 50_000)  # a run in which nothing is asked conforms, too
        return ran

    def diverges(self, *arguments):
        """The first divergence."""
        ran = self.expect(VIOLATED, "conform", *arguments, "--json")
        first = ran.objects("divergence")[0]
        self.assertGreater(first["step"], 0, str(ran))
        self.assertTrue(first["why"], str(ran))
        self.assertGreater(ran.objects("conformance")[0]["divergences"], 0)
        return first

    # The two reports.

    def test_1996_conforms_and_both_answers_occur(self):
        ran = self.conforms("1996")
        for site in ran.objects("decision"):
            self.assertEqual(site["disagreements"], 0, site)
            self.assertGreater(site["yes"], 0, site)
            if site["site"] != "grow_buffers_r5":  # refused only when not one page is free
                self.assertGreater(site["no"], 0, site)

    def test_2001_conforms_beyond_the_barrier(self):
        ran = self.conforms("2001", *SHORT)
        sites = {site["site"]: site for site in ran.objects("decision")}
        self.assertGreater(sites["take_normal"]["no"], 0)  # the barrier: an allocation fails
        self.assertGreater(sites["stop_launder_dma"]["yes"], 0)
        self.assertGreater(sites["rotate_normal"]["yes"], 0)

    def test_the_variants_of_1996_conform(self):
        for variant in ("linux-1.3.24", "nfract-60", "eager", "guard-48"):
            with self.subTest(variant=variant):
                self.conforms("1996", "--variant", variant)

    # A model that forbids too much.

    def test_the_hard_cap_model_diverges_where_the_kernel_grows(self):
        edits = [(r"^ *\[grow4\][^;]*;", ""), (r"^ *\[grow5\][^;]*;", "")]
        first = self.diverges("1996", *self.model("linux-1.3.78", *edits))
        self.assertRegex(first["what"], r"event buffers\.grow\.r4")
        self.assertIn("the model has no command `grow4`", first["why"])

    def test_grow5_alone_is_missed_too(self):
        first = self.diverges("1996", *self.model("linux-1.3.78", (r"^ *\[grow5\][^;]*;", "")))
        self.assertIn("the model has no command `grow5`", first["why"])

    # A model that permits too much.

    def test_a_guard_that_is_always_true_is_noticed(self):
        for formula, site in (("may_grow1", "grow_buffers_r1"), ("may_grow4", "grow_buffers_r4"),
                              ("may_write", "may_write"), ("wake_now", "wake_kswapd_now")):
            with self.subTest(formula=formula):
                edit = (rf"^formula {formula} = [^;]*;", f"formula {formula} = true;")
                first = self.diverges("1996", *self.model("linux-1.3.78", edit))
                self.assertEqual(first["what"], f"decision {site}")
                self.assertIn(f"the kernel says no, the model's guard {formula} says yes", first["why"])

    def test_a_guard_of_2001_that_is_always_true_is_noticed(self):
        for formula, site in (("take_min_normal", "take_normal"), ("take_low_dma", "take_low_dma"),
                              ("short_dma", "zone_short_dma"), ("skip_normal", "rotate_normal")):
            with self.subTest(formula=formula):
                edit = (rf"^formula {formula} = [^;]*;", f"formula {formula} = true;")
                first = self.diverges("2001", *SHORT, *self.model("linux-2.4-zones", edit))
                self.assertTrue(first["what"].startswith(("decision ", "event ")), first)

    def test_an_update_that_is_off_by_one_is_noticed(self):
        edit = (r"^ *\[reuse\]([^;]*)fresh'=fresh\+1\)", r"  [reuse]\1fresh'=fresh+2)")
        first = self.diverges("1996", *self.model("linux-1.3.78", edit))
        self.assertEqual(first["what"].split(" x")[0], "event buffers.reuse")

    # A kernel whose watermarks are off by one.

    def shifted(self, year, mark, value, *more):
        return self.diverges(year, "--set", f"kernel.override.{mark}={value}", *more)

    def test_watermarks_of_1996_off_by_one(self):
        site = {"min": "grow_buffers_r4", "low": "wake_kswapd_now", "high": "wake_kswapd_later", "guard": "grow_buffers_r1"}
        for mark, value in WATERMARKS_1996.items():
            for shift in (-1, 1):
                with self.subTest(mark=mark, shift=shift):
                    self.assertEqual(self.shifted("1996", mark, value + shift)["what"], f"decision {site[mark]}")

    def test_watermarks_of_2001_off_by_one(self):
        for mark, value in WATERMARKS_2001.items():
            for shift in (-1, 1):
                with self.subTest(mark=mark, shift=shift):
                    self.shifted("2001", mark, value + shift, *SHORT)

    def test_watermarks_of_2001_that_decide_later_or_upwards(self):
        self.shifted("2001", "min_dma", 127)  # the whole script: DMA falls to its mark late
        self.shifted("2001", "min_dma", 129, *SHORT)
        self.shifted("2001", "total_dma", 129, *SHORT)
        for mark, value in WATERMARKS_900M.items():
            for shift in (-1, 1):
                with self.subTest(mark=mark, shift=shift):
                    self.shifted("2001", mark, value + shift, "--variant", "mem-900m", *SHORT)
        self.shifted("2001", "target_high", 21, "--variant", "mem-900m", *SHORT)

    def test_a_shift_that_is_not_reported_changes_nothing(self):
        """The high marks are asked only while a zone is far below them: then the run must be the same run."""
        plain = self.expect(DONE, "simulate", "2001", *SHORT).out
        for mark, value in (("high_dma", 384), ("high_normal", 765), ("target_high", 255), ("freepages_high", 1914)):
            with self.subTest(mark=mark):
                shift = ["--set", f"kernel.override.{mark}={value - 1}"]
                self.conforms("2001", *SHORT, *shift)
                self.assertEqual(self.expect(DONE, "simulate", "2001", *SHORT, *shift).out, plain)
        self.shifted("2001", "high_normal", 200_000, *SHORT)  # a shift that does decide is reported

    # Decisions made by the model.

    def test_the_model_decides_and_nothing_changes(self):
        for year, more, sites in (("1996", [], ("grow_buffers_r1", "wake_bdflush")),
                                  ("2001", SHORT, ("take_normal", "rotate_normal", "stop_launder_dma"))):
            native = self.expect(DONE, "simulate", year, *more).out
            for site in sites:
                with self.subTest(site=site):
                    # The report's guards of these two read which pass is under way, which no view shows.
                    guards = {"rotate_normal": "!short_normal", "stop_launder_dma": "!short_dma"}
                    guard = ["--set", f"decisions.{site}={guards[site]}"] if site in guards else []
                    decided = self.expect(DONE, "simulate", year, *more, *guard, "--set", f"kernel.decide.{site}=model")
                    self.assertEqual(decided.out, native)

    def test_a_guard_over_hidden_variables_cannot_decide(self):
        ran = self.expect(INPUT, "simulate", "2001", *SHORT, "--set", "kernel.decide.stop_launder_dma=model")
        self.assertIn("its guard reads `pass`, which no [view] shows", ran.err)

    def test_the_model_decides_and_the_run_follows_its_constant(self):
        """With the kernel's own threshold held, only the model's constant moves the run, and only when it decides."""
        native = self.expect(DONE, "simulate", "1996").out
        constant = ["--set", "model.constants.guard=48", "--set", "kernel.override.guard=64"]
        self.assertEqual(self.expect(DONE, "simulate", "1996", *constant).out, native)
        decided = self.expect(DONE, "simulate", "1996", *constant, "--set", "kernel.decide.grow_buffers_r1=model")
        self.assertNotEqual(decided.out, native)
        both = self.expect(DONE, "simulate", "1996", "--set", "model.constants.guard=48")
        self.assertEqual(decided.out, both.out)  # and it is the run of the kernel that has that threshold

    def test_the_model_of_2001_decides_and_the_run_follows_its_constant(self):
        native = self.expect(DONE, "simulate", "2001", *SHORT).out
        constant = ["--set", "model.constants.low_normal=600", "--set", "kernel.override.low_normal=510"]
        self.assertEqual(self.expect(DONE, "simulate", "2001", *SHORT, *constant).out, native)
        decided = self.expect(DONE, "simulate", "2001", *SHORT, *constant, "--set", "kernel.decide.take_low_normal=model")
        self.assertNotEqual(decided.out, native)

    def test_wrong_sites_are_refused(self):
        self.expect(INPUT, "simulate", "1996", "--set", "kernel.decide.grow_buffers=model")
        self.expect(INPUT, "simulate", "1996", "--set", "kernel.decide.grow_buffers_r1=perhaps")
        ran = brink("conform", "1996", "--set", "decisions.grow_buffers_r1=freee > guard")
        self.assertEqual(ran.code, INPUT, str(ran))
        self.assertIn("the name `freee` is not declared", ran.err)


if __name__ == "__main__":
    main()

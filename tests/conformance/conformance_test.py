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
# osdb with twelve scans: the write-heavy start, then misses.
SCANS = ["--set", """workload.script=program postgres 3 MiB text 1 MiB idle 0 % every 200 ms
program desktop 8 MiB text 1536 KiB split 8 idle 100 %
write updates 16 MiB
write other 28 MiB
sync
test Single_User_Test { repeat 12 { read updates } }"""]
# Marks and rules of the paging kernels that decide in a run of the report, and by how much each is shifted.
SHIFTS_PAGING = [("1998", [], {"low": 1, "high": 1, "buffer_min": 1, "cache_borrow": 30}),
                 ("2000", [], {"min": 1, "low": 1, "nfract": 1}),
                 ("2002", SCANS, {"min": 1, "low": 1, "high": 40}),
                 ("2002", [*SCANS, "--variant", "swappiness-80"], {"swappiness": 2})]
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

    def conforms(self, *arguments, least=50_000):
        ran = self.expect(DONE, "conform", *arguments, "--json")
        found = ran.objects("conformance")[0]
        self.assertEqual(found["verdict"], "true")
        self.assertEqual(found["divergences"], 0)
        self.assertGreater(found["decisions"], least)  # a run in which nothing is asked conforms, too
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

    def test_1998_2000_and_2002_conform(self):
        asked = {"1998": "shrink_buffers", "2000": "throttle_writer", "2002": "enough_free"}
        for year, site in asked.items():
            with self.subTest(year=year):
                ran = self.conforms(year, *(SCANS if year == "2002" else []))
                sites = {row["site"]: row for row in ran.objects("decision")}
                self.assertGreater(sites[site]["yes"], 0)
                self.assertGreater(sites[site]["no"], 0)

    def test_the_variants_of_1998_2000_and_2002_conform(self):
        for year, variants in (("1998", ("three-ageings", "2.1.108", "no-disposal")),
                               ("2000", ("linux-2.3.40", "nfract-95", "history")),
                               ("2002", ("swappiness-80", "swappiness-100", "24-mb", "linux-2.4.19"))):
            for variant in variants:
                with self.subTest(year=year, variant=variant):
                    self.conforms(year, "--variant", variant, *(SCANS if year == "2002" else []), least=20_000)

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

    def test_guards_of_the_paging_kernels_that_are_always_true_are_noticed(self):
        for year, model, formula, more in (("1998", "linux-2.1-ageing", "shrink_buffers", []),
                                           ("1998", "linux-2.1-ageing", "go_on", []),
                                           ("2000", "linux-2.3-balance", "hard", []),
                                           ("2002", "linux-2.5-swappiness", "reclaim_mapped", SCANS)):
            with self.subTest(year=year, formula=formula):
                edit = (rf"^formula {formula} = [^;]*;", f"formula {formula} = true;")
                first = self.diverges(year, *more, *self.model(model, edit))
                self.assertTrue(first["what"].startswith(("decision ", "event ")), first)

    def test_marks_of_the_paging_kernels_that_are_off_are_noticed(self):
        for year, more, marks in SHIFTS_PAGING:
            for mark, shift in marks.items():
                with self.subTest(year=year, mark=mark):
                    value = {"min": {"2000": 255, "2002": 90}, "low": {"1998": 256, "2000": 510, "2002": 180},
                             "high": {"1998": 384, "2002": 270}, "buffer_min": {"1998": 3}, "cache_borrow": {"1998": 30},
                             "nfract": {"2000": 40}, "swappiness": {"2002": 80}}[mark][year]
                    self.shifted(year, mark, value + shift, *more)

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

    def test_the_model_decides_for_the_paging_kernels(self):
        for year, more, sites in (("1998", [], ("shrink_buffers", "over_borrow", "continue_reclaim")),
                                  ("2000", [], ("wake_bdflush", "throttle_writer")),
                                  ("2002", SCANS, ("reclaim_mapped", "enough_free"))):
            native = self.expect(DONE, "simulate", year, *more).out
            decide = [word for site in sites for word in ("--set", f"kernel.decide.{site}=model")]
            with self.subTest(year=year):
                self.assertEqual(self.expect(DONE, "simulate", year, *more, *decide).out, native)

    def test_swappiness_of_the_model_decides(self):
        """The kernel keeps 60; the model's 100 decides, and programs give way."""
        more = [*SCANS, "--set", "model.constants.swappiness=100", "--set", "kernel.override.swappiness=60"]
        native = self.expect(DONE, "simulate", "2002", *more).out
        decided = self.expect(DONE, "simulate", "2002", *more, "--set", "kernel.decide.reclaim_mapped=model").out
        self.assertNotEqual(native, decided)
        self.assertEqual(decided, self.expect(DONE, "simulate", "2002", *SCANS, "--set", "model.constants.swappiness=100").out)

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

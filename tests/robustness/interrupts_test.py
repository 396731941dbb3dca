#!/usr/bin/env python3
"""SIGINT and SIGTERM during long work, and disks that are full: the program stops soon, says so by its exit code, and
every file it leaves is whole.   usage: interrupts_test.py BRINK ROOT
"""
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from brink import DONE, ENVIRONMENT, PROGRAM, UNDECIDED, VIOLATED, Case, brink, environment, main  # noqa: E402

NAMES = "abcdefgh"
BIG = ("mdp\nmodule m\n" + "".join(f"  {n} : [0..99] init 0;\n" for n in NAMES) +
       "".join(f"  [] {n}<99 -> ({n}'={n}+1);\n" for n in NAMES) + "endmodule\n")
FORMULA = f"A [ G {'+'.join(NAMES)} < 790 ]"
SOON = 20  # seconds; a run of the 2001 report that is under way is finished first


def start(*arguments, cwd):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=cwd, env=environment(), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Interrupts(Case):
    def interrupted(self, with_signal, after, *arguments):
        process = start(*arguments, cwd=self.folder)
        self.addCleanup(process.kill)
        time.sleep(after)
        self.assertIsNone(process.poll(), "finished before the signal: the test shows nothing")
        process.send_signal(with_signal)
        begin = time.monotonic()
        out, err = process.communicate(timeout=SOON)
        return process.returncode, out.decode(), err.decode(), time.monotonic() - begin

    def test_a_search_that_is_interrupted_is_undecided(self):
        (self.folder / "big.prism").write_text(BIG)
        for engine in ("explicit", "bmc", "auto"):
            for with_signal in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(engine=engine, signal=with_signal):
                    arguments = ["check", "big.prism", "-f", FORMULA, "--engine", engine, "--memory-limit", "4 GiB", "--json"]
                    if engine == "bmc":
                        arguments += ["--depth", 100000]
                    code, out, err, seconds = self.interrupted(with_signal, 1.0, *arguments)
                    self.assertEqual(code, UNDECIDED, out + err)
                    found = [json.loads(line) for line in out.splitlines()]
                    self.assertEqual([o["verdict"] for o in found if o["type"] == "property"], ["unknown"])
                    self.assertLess(seconds, 10)

    def test_a_second_signal_ends_it(self):
        (self.folder / "big.prism").write_text(BIG)
        process = start("check", "big.prism", "-f", FORMULA, "--engine", "explicit", "--memory-limit", "4 GiB", cwd=self.folder)
        self.addCleanup(process.kill)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        self.assertIn(process.returncode, (UNDECIDED, -signal.SIGINT))

    def test_a_run_of_the_machine_that_is_interrupted_is_undecided(self):
        for arguments in (["simulate", "2001", "--runs", "100"], ["conform", "2001"]):
            with self.subTest(arguments=arguments):
                code, out, err, seconds = self.interrupted(signal.SIGINT, 0.7, *arguments)
                self.assertEqual(code, UNDECIDED, out + err)
                self.assertIn("interrupted", out + err)
                self.assertLess(seconds, 5)

    def test_time_limits_end_runs_and_chains(self):
        for arguments in (["simulate", "2001", "--runs", "100"], ["conform", "2001"], ["predict", "1996"],
                          ["predict", "2001", "--against", "machine"], ["reproduce", "2001", "--out", "out"]):
            with self.subTest(arguments=arguments):
                ran = brink(*arguments, "--time-limit", "0.5 s", cwd=self.folder)
                self.assertEqual(ran.code, UNDECIDED, str(ran))
                self.assertIn("time limit of 0.5 s reached", ran.out + ran.err)
        self.assertEqual([p for p in self.folder.rglob("*") if p.is_file()], [])

    def test_what_cannot_be_stopped_is_ended_after_a_grace(self):
        modules = "".join(f"module m{i} x{i} : [0..1]; " + "[a] true -> true; " * 10 + "endmodule\n" for i in range(20))
        (self.folder / "sync.prism").write_text("mdp\n" + modules)  # 10^20 moves of one state
        begin = time.monotonic()
        ran = brink("check", "sync.prism", "-f", "A [ G x0=0 ]", "--engine", "explicit", "--time-limit", "1 s", cwd=self.folder)
        self.assertEqual(ran.code, UNDECIDED, str(ran))
        self.assertIn("time limit of 1 s reached", ran.err)
        self.assertLess(time.monotonic() - begin, 15)

    def test_reproduce_that_is_interrupted_leaves_whole_files(self):
        code, out, err, _ = self.interrupted(signal.SIGTERM, 4.0, "reproduce", "2001", "--out", "out")
        self.assertEqual(code, UNDECIDED, out + err)
        self.whole_files(self.folder / "out")

    def test_what_was_finished_before_the_interrupt_is_kept(self):
        short = self.folder / "first.toml"
        short.write_text(SMALL)
        process = start("reproduce", short, "2001", "--out", "out", cwd=self.folder)
        self.addCleanup(process.kill)
        first = self.folder / "out" / "first" / "claims.csv"
        deadline = time.monotonic() + 60
        while not first.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SOON)
        self.assertEqual(process.returncode, UNDECIDED, out.decode() + err.decode())
        self.assertTrue(first.exists())
        self.assertTrue((self.folder / "out" / "report.html").exists())  # of what is finished
        self.whole_files(self.folder / "out")

    def whole_files(self, folder):
        for path in folder.rglob("*"):
            if not path.is_file():
                continue
            self.assertNotIn(".tmp-", path.name)
            text = path.read_bytes()
            if path.suffix == ".json":
                json.loads(text)
            elif path.suffix == ".svg":
                self.assertTrue(text.rstrip().endswith(b"</svg>"), path)
            elif path.suffix == ".html":
                self.assertTrue(text.rstrip().endswith(b"</html>"), path)
            elif path.suffix == ".csv":
                self.assertTrue(text.endswith(b"\n"), path)


def limited(size):
    """Files of this process may have `size` bytes at most: a disk that fills up."""
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply


class FullDisks(Case):
    def test_standard_output(self):
        (self.folder / "m.prism").write_text("mdp module m x : [0..3]; [] x<3 -> (x'=x+1); endmodule")
        for arguments in (["list"], ["check", "m.prism", "-f", "A [ G x<3 ]"], ["check", "m.prism", "--json"],
                          ["explain"], ["show", "linux-1.3.78"], ["predict", "1996", "--metric", "ratio"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                ran = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=environment(), stdout=full,
                                     stderr=subprocess.PIPE, timeout=120)
                self.assertEqual(ran.returncode, ENVIRONMENT, ran.stderr.decode())
                self.assertIn(b"cannot write", ran.stderr)

    def test_files(self):
        small = self.folder / "small.toml"
        small.write_text(SMALL)
        out = self.folder / "out"
        for size in (0, 500, 5000):
            with self.subTest(size=size):
                ran = brink("reproduce", small, "--out", out, cwd=self.folder, preexec_fn=limited(size))
                self.assertEqual(ran.code, ENVIRONMENT, str(ran))
                self.assertIn("cannot write", ran.err)
                for path in out.rglob("*"):
                    self.assertNotIn(".tmp-", path.name)
        whole = self.expect(DONE, "reproduce", small, "--out", self.folder / "whole", cwd=self.folder)
        self.assertIn("report.html", whole.out)
        for path in out.rglob("*"):  # what was written on the full disk is what a good disk gets
            if path.is_file():
                self.assertEqual(path.read_bytes(), (self.folder / "whole" / path.relative_to(out)).read_bytes(), path)

    def test_help_on_a_full_disk(self):
        with open("/dev/full", "w") as full:
            ran = subprocess.run([PROGRAM, "--help"], env=environment(), stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(ran.returncode, ENVIRONMENT)

    def test_pipes_and_links_stay_what_they_are(self):
        (self.folder / "m.prism").write_text("mdp module m x : [0..9]; [] x<9 -> (x'=x+1); endmodule")
        check = ["check", "m.prism", "-f", "A [ G x<9 ]", "--trace-out"]
        (self.folder / "far").mkdir()
        (self.folder / "far" / "t.json").write_text("old")
        (self.folder / "link.json").symlink_to("far/t.json")
        self.expect(VIOLATED, *check, "link.json", cwd=self.folder)
        self.assertTrue((self.folder / "link.json").is_symlink())
        trace = (self.folder / "far" / "t.json").read_text()
        self.assertIn("m.prism", trace)
        os.mkfifo(self.folder / "pipe")
        reader = subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.PIPE)
        self.expect(VIOLATED, *check, "pipe", cwd=self.folder)
        self.assertEqual(reader.communicate(timeout=20)[0].decode(), trace)
        self.assertTrue((self.folder / "pipe").is_fifo())

    def test_a_trace(self):
        (self.folder / "m.prism").write_text("mdp module m x : [0..99]; [] x<99 -> (x'=x+1); endmodule")
        ran = brink("check", "m.prism", "-f", "A [ G x<99 ]", "--engine", "explicit", "--trace-out", "t.json",
                    cwd=self.folder, preexec_fn=limited(1000))
        self.assertEqual(ran.code, ENVIRONMENT, str(ran))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["m.prism"])
        old = self.expect(VIOLATED, "check", "m.prism", "-f", "A [ G x<9 ]", "--trace-out", "t.json", cwd=self.folder)
        self.assertTrue(old)
        before = (self.folder / "t.json").read_bytes()
        brink("check", "m.prism", "-f", "A [ G x<99 ]", "--trace-out", "t.json", cwd=self.folder, preexec_fn=limited(1000))
        self.assertEqual((self.folder / "t.json").read_bytes(), before)  # the old file is not destroyed

    def test_events(self):
        small = self.folder / "small.toml"
        small.write_text(SMALL)
        ran = brink("simulate", small, "--trace-out", "events.csv", cwd=self.folder, preexec_fn=limited(1000))
        self.assertEqual(ran.code, ENVIRONMENT, str(ran))
        self.assertFalse((self.folder / "events.csv").exists())

    def test_a_folder_that_is_none(self):
        (self.folder / "file").write_text("")
        ran = brink("reproduce", "1996", "--out", self.folder / "file" / "out", timeout=20)
        self.assertEqual(ran.code, ENVIRONMENT, str(ran))
        if os.geteuid() != 0:
            (self.folder / "closed").mkdir(mode=0o500)
            self.assertEqual(brink("reproduce", "1996", "--out", self.folder / "closed", timeout=20).code, ENVIRONMENT)


# One copy of 32 KiB on a machine of 64 frames: a report in milliseconds.
PARAMETERS = {"memory_bytes": '"256 KiB"', "page_bytes": '"4 KiB"', "block_bytes": '"4 KiB"', "reserved_bytes": '"0 KiB"',
              "cpus": "1", "tick_ns": '"10 ms"', "time_limit_ns": '"100 s"', "fs_held_buffers": "0", "disk_null": "0",
              "disk_rate_bytes_per_s": '"1 MB/s"', "disk_latency_ns": '"1 ms"', "disk_request_slots": "64",
              "disk_request_bytes": '"64 KiB"', "user_ns_per_kib": '"10 us/KiB"', "read_ns_per_kib": '"100 us/KiB"',
              "write_ns_per_kib": '"200 us/KiB"', "background_ns_per_kib": '"0 us/KiB"', "sleep_ns": '"1 ms"',
              "list_entry_ns": '"0 ns"', "wake_ns": '"0 ns"'}
SMALL = ('title = "small"\nsource = "a test"\n[machine]\n' + "".join(f"{k} = {v}\n" for k, v in PARAMETERS.items()) +
         "[basis]\n" + "".join(f'{k} = {{ assumed = "a test" }}\n' for k in PARAMETERS) + '''
[kernel]
name = "linux-1.3.78"
[kernel.tunables]
min = "min_free"
effort = "6"
interval_ticks = "25"
free_enough = "100"
[model]
file = "linux-1.3.78"
[model.constants]
N = 64
min_free = 4
low = 6
high = 8
guard = 8
per = 1
[workload]
script = """
write a 32 KiB
sync
phase one
time copy a b
"""
[metrics]
copies = { count = "elapsed_s", table = "timed" }
[[claim]]
name = "one copy"
metric = "copies"
within = [1, 1]
[[figure]]
name = "copies"
[[figure.series]]
label = "simulated"
source = "simulated"
table = "timed"
y = "elapsed_s"
''')

if __name__ == "__main__":
    main()

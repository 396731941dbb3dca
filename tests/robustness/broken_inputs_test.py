#!/usr/bin/env python3
"""The program on broken inputs: truncated, with bytes of chance, with tokens deleted, doubled or swapped, with huge
numbers, nested deeply. Seeds are fixed. Whatever the input: no signal, no internal error, a documented exit code, a
diagnostic on standard error when the input is refused, and no half-written file.
usage: broken_inputs_test.py BRINK ROOT
"""
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from brink import (DISAGREEMENT, DOCUMENTED, DONE, INPUT, UNDECIDED, VIOLATED, Case, brink, copy_report, library_model,  # noqa: E402
                   main)

SECONDS = 60  # after which a run counts as hanging
MODEL = """mdp
const int N = 4;   const double p = 0.25;
formula full = a + b = N;
module left
  a : [0..N];
  [up] a<N & !full -> p:(a'=a+1) + 1-p:(a'=a);
  [] a>0 -> (a'=a-1);
endmodule
module right = left [ a=b, b=a ] endmodule
rewards "steps" [up] true : 1; a=N : 2.5; endrewards
label "busy" = a>1 | b>1;
init a=0 & b=0 endinit
"""
PROPS = """//@ assume N >= 1
const int K = 3;
// RESULT: true
"range_a": A [ G a <= N ];
// RESULT (N=2): false
"reach": A [ G (E [ F "busy" ]) ];
"chance": Pmax=? [ F<=K a=N ];
"reward": Rmin{"steps"}=? [ F "busy" ];
filter(max, P=? [ a<N U b=N ], "init");
"""
HUGE = ["99999999999999999999", "-9223372036854775808", "9223372036854775807", "1e400", "2147483648", "0", "1e-400", "-1"]
TOKEN = re.compile(r'\w+|"[^"]*"|[^\w\s]+|\s+')


def mutations(text, random_, count):
    """`count` broken variants of a text, of every kind in turn."""
    tokens = TOKEN.findall(text)
    solid = [i for i, token in enumerate(tokens) if not token.isspace()]
    numbers = [i for i in solid if re.fullmatch(r"[\d.]+", tokens[i])]

    def truncated():
        return text[: random_.randrange(len(text))]

    def noise():
        data = bytearray(text.encode())
        for _ in range(random_.randint(1, 8)):
            data[random_.randrange(len(data))] = random_.randrange(256)
        return bytes(data)

    def edited(change):
        copy = list(tokens)
        change(copy)
        return "".join(copy)

    def deleted():
        return edited(lambda t: [t.__setitem__(random_.choice(solid), "") for _ in range(random_.randint(1, 3))])

    def doubled():
        i = random_.choice(solid)
        return edited(lambda t: t.__setitem__(i, t[i] + " " + t[i]))

    def swapped():
        i, j = random_.choice(solid), random_.choice(solid)
        return edited(lambda t: t.__setitem__(slice(None), [t[j] if k == i else t[i] if k == j else x for k, x in enumerate(t)]))

    def huge():
        if not numbers:
            return truncated()
        return edited(lambda t: t.__setitem__(random_.choice(numbers), random_.choice(HUGE)))

    kinds = [truncated, noise, deleted, doubled, swapped, huge]
    for i in range(count):
        yield kinds[i % len(kinds)]()


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="surrogateescape"))
    return path


class BrokenInputs(Case):
    def tolerated(self, *arguments, content=b""):
        """One run; what must hold of any. Its exit code."""
        ran = brink(*arguments, cwd=self.folder, timeout=SECONDS)
        shown = f"{ran}\ninput: {content!r}"
        self.assertIn(ran.code, DOCUMENTED - {DISAGREEMENT}, shown)
        self.assertNotIn("internal error", ran.err, shown)
        if ran.code not in (DONE, VIOLATED, UNDECIDED):
            self.assertRegex(ran.err, r"error", shown)
        leftovers = [p.name for p in self.folder.rglob("*") if ".tmp-" in p.name]
        self.assertEqual(leftovers, [], shown)
        return ran.code

    def refused_sometimes(self, codes):
        """A generator that breaks nothing tests nothing, and one that breaks everything tests the parser only."""
        self.assertGreater(codes.count(INPUT), len(codes) // 4)
        self.assertGreater(len(codes) - codes.count(INPUT), len(codes) // 20)

    def test_models(self):
        props = write(self.folder / "m.props", PROPS)
        codes = []
        for broken in mutations(MODEL, random.Random(1), 120):
            model = write(self.folder / "m.prism", broken)
            codes.append(self.tolerated("check", model, props, "--state-limit", 5000, "--time-limit", 5, "--engine", "explicit",
                                        content=broken))
        self.refused_sometimes(codes)

    def test_models_by_bmc(self):
        for broken in mutations(MODEL, random.Random(2), 24):
            model = write(self.folder / "m.prism", broken)
            self.tolerated("check", model, "-f", "A [ G a+b < 3 ]", "--engine", "bmc", "--depth", 4, "--time-limit", 5,
                           "--trace-out", self.folder / "t.json", content=broken)

    def test_a_real_model(self):
        text = library_model("linux-1.3.24").read_text()
        for broken in mutations(text, random.Random(3), 30):
            model = write(self.folder / "m.prism", broken)
            self.tolerated("check", model, "-f", "A [ G free + buf = N ]", "--state-limit", 2000, "--engine", "explicit")

    def test_properties(self):
        model = write(self.folder / "m.prism", MODEL)
        codes = []
        for broken in mutations(PROPS, random.Random(4), 120):
            props = write(self.folder / "m.props", broken)
            codes.append(self.tolerated("check", model, props, "--test", "--state-limit", 5000, "--time-limit", 5, "--engine", "explicit",
                                        content=broken))
        self.refused_sometimes(codes)

    def test_a_folder_is_no_file(self):
        model = write(self.folder / "m.prism", MODEL)
        (self.folder / "folder").mkdir()
        self.assertEqual(self.tolerated("check", model, self.folder / "folder"), INPUT)
        self.assertEqual(self.tolerated("check", self.folder / "folder"), INPUT)

    def test_options(self):
        model = write(self.folder / "m.prism", MODEL)
        for broken in mutations("N=4,p=0.5", random.Random(5), 24):
            if isinstance(broken, str):
                self.tolerated("check", model, "--const", broken, "--state-limit", 1000, content=broken)
        for broken in mutations("machine.memory_bytes=16 MiB", random.Random(6), 24):
            if isinstance(broken, str):
                self.tolerated("predict", "1996", "--metric", "ratio", "--set", broken, content=broken)

    def test_scenarios(self):
        path = copy_report(1996, self.folder / "s")
        text = path.read_text()
        short = re.sub(r'script = """.*?"""', 'script = "write a 8 KiB"', text, flags=re.S)
        codes = []
        for broken in mutations(short, random.Random(7), 90):
            write(path, broken)
            codes.append(self.tolerated("simulate", path, "--set", "machine.time_limit_ns=10 s", content=b""))
        self.refused_sometimes(codes)

    def test_scripts(self):
        path = copy_report(1996, self.folder / "s")
        text = path.read_text()
        script = "write a 16 KiB\nsync\nphase p\nrepeat 2 { time copy a b; sync }\nremove a\nread b\n"
        for broken in mutations(script, random.Random(8), 48):
            if isinstance(broken, bytes):
                broken = broken.decode("latin-1")
            broken = re.sub(r'[\\"\x00-\x08\x0b-\x1f\x7f]', "?", broken)
            write(path, re.sub(r'script = """.*?"""', lambda _: f'script = """\n{broken}"""', text, count=1, flags=re.S))
            self.tolerated("simulate", path, "--set", "machine.time_limit_ns=10 s", content=broken)

    def test_observed_data(self):
        path = copy_report(1996, self.folder / "s")
        csv = path.parent / "observed-copy-times.csv"
        codes = []
        for broken in mutations(csv.read_text(), random.Random(9), 48):
            write(csv, broken)
            codes.append(self.tolerated("predict", path, "--against", "observed", "--metric", "ratio", content=broken))
        self.assertGreater(codes.count(INPUT), 0)

    def test_traces(self):
        model = write(self.folder / "m.prism", MODEL)
        trace = self.folder / "t.json"
        self.expect(VIOLATED, "check", model, "-f", "A [ G a < 2 ]", "--trace-out", trace, "--engine", "explicit", cwd=self.folder)
        text = trace.read_text()
        codes = []
        for broken in mutations(text, random.Random(10), 120):
            write(trace, broken)
            ran = brink("replay", trace, cwd=self.folder, timeout=SECONDS)
            self.assertIn(ran.code, DOCUMENTED, f"{ran}\n{broken!r}")
            self.assertNotIn("internal error", ran.err)
            codes.append(ran.code)
        self.refused_sometimes(codes)

    def test_deep_nesting(self):
        deep = 100_000
        for name, text in {
            "parentheses": f"mdp module m x : [0..1]; [] {'(' * deep}x=0{')' * deep} -> true; endmodule",
            "negations": f"mdp module m x : bool; [] {'!' * deep}x -> true; endmodule",
            "minus": f"mdp const int c = {'-' * deep}1; module m x : [0..1]; endmodule",
            "conditions": f"mdp module m x : [0..1]; [] {'x=0 ? true : ' * deep}true -> true; endmodule",
            "additions": f"mdp const int c = 1{' + 1' * deep}; module m x : [0..1]; endmodule",
            "formulas": "mdp " + "".join(f"formula f{i} = f{i + 1} + f{i + 1}; " for i in range(200)) + "formula f200 = 1; module m x : [0..1]; [] f0 > 0 -> true; endmodule",
            "open": "(" * deep,
        }.items():
            with self.subTest(text=name):
                self.tolerated("check", write(self.folder / "m.prism", text), "--state-limit", 10)
        model = write(self.folder / "m.prism", MODEL)
        for name, text in {"temporal": "A [ G " * deep + "true" + " ]" * deep, "negations": "!" * deep + "true",
                           "filters": "filter(max, " * deep + "1" + ")" * deep}.items():
            with self.subTest(property=name):
                self.tolerated("check", model, write(self.folder / "deep.props", text), "--state-limit", 10)
        for name, text in {"arrays": "title = " + "[" * deep + "]" * deep, "tables": "title = " + "{a=" * deep + "1" + "}" * deep,
                           "keys": "a" + ".a" * deep + " = 1"}.items():
            with self.subTest(toml=name):
                self.tolerated("simulate", write(self.folder / "s.toml", text))
        for name, text in {"arrays": "[" * deep + "]" * deep, "objects": '{"a":' * deep + "1" + "}" * deep}.items():
            with self.subTest(json=name):
                self.tolerated("replay", write(self.folder / "t.json", text))

    def test_what_is_no_file(self):
        self.tolerated("check", self.folder)
        self.tolerated("check", "/dev/null")
        self.tolerated("simulate", self.folder)
        self.tolerated("simulate", "/dev/null")
        self.tolerated("replay", self.folder)
        self.tolerated("check", write(self.folder / "nul.prism", b"mdp\0\0\0"))
        self.tolerated("check", write(self.folder / "bom.prism", b"\xef\xbb\xbf" + MODEL.encode()), "--state-limit", 100)


if __name__ == "__main__":
    main()

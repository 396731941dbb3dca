# Wrong models, properties, scenarios and data: exit 3 with the place.
$ brink check no-such-model
error: no model `no-such-model`: there is no such file, and none of that name in the library
help: `brink list models` shows those of the library
[3]
$ brink check linux-1.3.87
error: no model `linux-1.3.87`: there is no such file, and none of that name in the library; did you mean `linux-1.3.78`?
help: `brink list models` shows those of the library
[3]
$ brink check linux-1.3.78 no-such.props
error[E0001]: cannot read `no-such.props`
[3]
$ printf 'mdp\nmodule m\n  x : [0..3] init 0;\n  [up] x<3 -> (x'"'"'=x+1)\nendmodule\n' >m.prism; brink check m.prism
error[E0101]: expected `;` after the command, found `endmodule`
 --> m.prism:5:1
  |
5 | endmodule
  | ^^^^^^^^^
[3]
$ printf 'mdp\nmodule m\n  buffers : [0..3] init 0;\n  [up] bufers<3 -> true;\nendmodule\n' >m.prism; brink check m.prism
error[E0201]: the name `bufers` is not declared
 --> m.prism:4:8
  |
4 |   [up] bufers<3 -> true;
  |        ^^^^^^
  = help: a name like it is `buffers`
[3]
$ printf 'mdp\nmodule m\n  x : [0..3] init 5;\nendmodule\n' >m.prism; brink check m.prism
error[E0502]: the initial value 5 of `x` is outside 0..3
 --> m.prism:3:19
  |
3 |   x : [0..3] init 5;
  |                   ^
[3]
$ : >empty.prism; brink check empty.prism
error[E0113]: the model has no module
 --> empty.prism:1:1
  |
1 |
  | ^
  = help: add `module name ... endmodule`
[3]
# A constant that does not exist, one without a value, one of the wrong type.
$ brink check linux-1.3.78 --const min_fre=3
error[E0404]: there is no constant `min_fre`
  = help: a constant like it is `min_free`
[3]
$ brink check linux-1.3.78 --const N=1.5
error[E0405]: constant `N` is of type int, the value given is 1.5
  --> linux-1.3.78.prism:41:11
   |
41 | const int N = 12;                 // pages of the two caches and the free list together
   |           ^
[3]
$ brink check linux-1.3.78 --const N=
error[E0401]: `` is not a value for constant `N`
 --> <const>:1:1
  |
1 | N=
  | ^^
  = help: values are true, false, 16, 0.5, 1e-9 or 1/3
[3]
$ printf 'mdp\nconst int N;\nmodule m\n  x : [0..N];\nendmodule\n' >m.prism; brink check m.prism
error[E0403]: constant `N` has no value
 --> m.prism:2:11
  |
2 | const int N;
  |           ^
  = help: give it one with `--const N=...`, or keep it symbolic with `--for-all N`
[3]
# An update that leaves its range in a reachable state is an error of the model, with the trace that leads there.
$ printf 'mdp\nmodule m\n  x : [0..3] init 0;\n  [up] true -> (x'"'"'=x+2);\nendmodule\n' >m.prism
$ brink check m.prism -f 'A [ G x<9 ]' --engine explicit
error[E0601]: the new value 4 of `x` is outside 0..3
 --> m.prism:4:17
  |
4 |   [up] true -> (x'=x+2);
  |                 ^^^^^^
  = note: in module m, command 1 [up]
  = help: guard the command, or widen the range
MODEL ERROR 1: A [ G x<9 ]
  engine explicit, 2 states, 1 transition, T s, B bytes a state

step  command  where      changes
   0                      x=0
   1  up       m.prism:4  x=2
      --- the next move fails: the new value 4 of `x` is outside 0..3 ---
  replayed by the evaluator: 1 step
[3]
$ brink check m.prism -p range --engine explicit
VIOLATED   range: no reachable state has an erroneous move
  engine explicit, 2 states, 1 transition, T s, B bytes a state

step  command  where      changes
   0                      x=0
   1  up       m.prism:4  x=2
      --- the next move fails: the new value 4 of `x` is outside 0..3 ---
  replayed by the evaluator: 1 step
[10]
$ brink check m.prism -p range --engine explicit --json
{"type":"start","schema":"brink/1","command":"check"}
{"type":"property","model":"m.prism","property":"range","text":"no reachable state has an erroneous move","verdict":"false","value":null,"error_bound":0,"engine":"explicit","states":2,"transitions":1,"seconds":T,"length":1}
{"type":"model","name":"m.prism","kind":"mdp","states":2,"transitions":1,"complete":false,"seconds":T,"bytes":B}
[10]
# Scenarios.
$ brink simulate no-such-scenario
error: no scenario `no-such-scenario`: there is no such file, and none of that name in the library
help: `brink list scenarios` shows those of the library
[3]
$ brink simulate 1996 --variant nfract-6
error[E0909]: the scenario has no variant `nfract-6`
  = note: in experiments/reports/1996-buffer-cache/report.toml
  = help: did you mean `nfract-60`?
[3]
$ brink simulate 1996 --set machine.memory_bytes=16
error[E0907]: memory_bytes: `16` has no unit; one of bytes is needed
  = note: in experiments/reports/1996-buffer-cache/report.toml
  = help: physical memory
[3]
$ brink simulate 1996 --set 'machine.memory_bytes=-16 MiB'
error[E0907]: memory_bytes is -16777216 bytes, but must lie in [1, 68719476736]
  = note: in experiments/reports/1996-buffer-cache/report.toml
[3]
$ brink simulate 1996 --set 'machine.memory_bytes=1 MiB'
error[E0912]: machine memory_bytes: 1048576 bytes are smaller than the reservation of 4489216 bytes and one page
  --> experiments/reports/1996-buffer-cache/report.toml:55:8
   |
55 | name = "linux-1.3.78"
   |        ^^^^^^^^^^^^^^
[3]
$ brink simulate 1996 --set 'machine.memry_bytes=1 MiB'
error[E0903]: the machine has no parameter `memry_bytes`
  = note: in experiments/reports/1996-buffer-cache/report.toml
  = help: did you mean `memory_bytes`?
[3]
$ brink simulate 1996 --set kernel.name=linux-1.3.87
error[E0912]: kernel: unknown kernel `linux-1.3.87`: `linux-1.3.24`?
  = note: in experiments/reports/1996-buffer-cache/report.toml
[3]
$ brink simulate 1996 --set model.file=linux-1.3.87
error[E0913]: no model `linux-1.3.87`: there is no such file, and none of that name in the library; did you mean `linux-1.3.78`?
  = note: in experiments/reports/1996-buffer-cache/report.toml
[3]
$ brink simulate 1996 --set 'workload.script=copi a b'
error[E0912]: 1:1: copi: unknown statement `copi`: `copy`?
  = note: in experiments/reports/1996-buffer-cache/report.toml
[3]
$ brink simulate 1996 --set 'kernel.override.minimum=3'
error[E0909]: kernel linux-1.3.78 has no tunable `minimum`
  = note: in experiments/reports/1996-buffer-cache/report.toml
[3]
$ brink predict 1996 --set prediction.formula=copy-cycel
error[E0916]: no formula `copy-cycel`; formulas are copy-cycle, zone-scan, page-ageing, dirty-balance, cyclic-scan, page-reads, lowmem-cache, paced-writers
  = note: in experiments/reports/1996-buffer-cache/report.toml
  = help: did you mean `copy-cycle`?
[3]
$ printf 'title = "x"\nsource = \n' >s.toml; brink simulate s.toml
error[E0901]: not TOML: Error while parsing key-value pair: expected value, saw '\n'
 --> s.toml:2:10
  |
2 | source =
  |          ^
[3]
$ brink simulate s.toml --json
error[E0901]: not TOML: Error while parsing key-value pair: expected value, saw '\n'
 --> s.toml:2:10
  |
2 | source =
  |          ^
{"type":"start","schema":"brink/1","command":"simulate"}
{"type":"diagnostic","code":"E0901","severity":"error","message":"not TOML: Error while parsing key-value pair: expected value, saw '\\n'","file":"s.toml","line":2,"column":10,"end_line":2,"end_column":10}
[3]

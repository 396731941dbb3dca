# Wrong usage: exit 2, the nearest name, and nothing on standard output.
$ brink >/dev/null
Brink checks, predicts and simulates cache and virtual-memory policies.

  brink check linux-1.3.78 --property recoverable   can the buffer cache get stuck for good?
  brink reproduce 2001 --out out                    the 800 MB barrier: claims, figures, report.html

commands:
  list [models|scenarios|engines|kernels|formulas|policies] what is in the library
  show NAME                        a model with its properties, a scenario with its parameters, or a kernel
  check MODEL [PROPS]              what can happen: decide the properties of a model
  synthesize MODEL [PROPS]         for which settings of constants a property holds, as a formula
  replay TRACE                     check a saved trace step by step and show it
  verify CERTIFICATE               check a saved proof by Z3, cvc5 and arithmetic, a saved trace by the evaluator
  predict SCENARIO                 how likely, how fast: formulas and chains of a scenario
  simulate SCENARIO                what does happen: run a scenario on the machine of pages
  cache TRACE|PATTERN              how often caches of these policies and sizes miss
  queue NETWORK.toml               throughput, queues and bottleneck of a queueing network
  cliff CURVE.csv                  steps, cliffs and walls of a curve given as CSV
  sweep SCENARIO                   a metric over one or two settings: curves, cliffs, the best setting
  conform SCENARIO                 is the machine's run a path of the model, and do their decisions agree?
  reproduce [REPORT ...]           reports end to end: claims, figures, data, report.html
  export MODEL [PROPS]             a model in the format of another tool (spin, rumur, z3, abc, PRISM, dot)
  explain CODE                     what a diagnostic means, with an example
  man                              the manual page (roff)
  completions bash|zsh|fish        completions for a shell

brink COMMAND --help shows examples and options; exit codes are in the manual.
[2]
$ brink chekc linux-1.3.78
error: no command `chekc`
help: did you mean `check`?
[2]
$ brink check
error: brink check takes MODEL [PROPS], but 0 were given
help: usage is brink check MODEL [PROPS]
[2]
$ brink check a b c
error: brink check takes MODEL [PROPS], but 3 were given
help: usage is brink check MODEL [PROPS]
[2]
$ brink check linux-1.3.78 --proprety frames
error: brink check has no option --proprety
help: did you mean --property?
[2]
$ brink check linux-1.3.78 -p frmaes
error: no property `frmaes`; did you mean `frames`?
[2]
$ brink check linux-1.3.78 -p 99
error: no property `99`
[2]
$ brink check linux-1.3.78 --engine explicti
error: no engine `explicti`; did you mean `explicit`?
[2]
$ brink check linux-1.3.78 --as smg
error: --as takes dtmc, ctmc or mdp, not `smg`
[2]
$ brink check linux-1.3.78 --state-limit -1
error: --state-limit must not be negative
[2]
$ brink check linux-1.3.78 --state-limit many
error: Could not convert: --state-limit = many
help: `brink check --help` shows how it is used
[2]
$ brink check linux-1.3.78 --time-limit '5 parsecs'
error: --time-limit: unknown unit `parsecs`; units are B, bytes, KB, MB, GB, KiB, MiB, GiB, ns, us, ms, s, min, B/s, KB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s, ns/KiB, us/KiB, ms/KiB, pages, page, /s, /ms
[2]
$ brink check linux-1.3.78 --time-limit '5 MiB'
error: --time-limit: not a time
[2]
$ brink check linux-1.3.78 --memory-limit 5
error: --memory-limit: `5` has no unit; one of bytes is needed
[2]
$ brink check linux-1.3.78 --for-all Nn -p frames
error[E0404]: there is no constant `Nn`
  = help: a constant like it is `N`
[3]
$ brink check linux-1.3.78 --color sometimes
error: --color is auto, always or never
[2]
$ brink simulate 1996 --runs 0
error: --runs must lie in [1, 100000]
[2]
$ brink simulate 1996 --metric ratoi
error: the scenario has no metric `ratoi`
[2]
$ brink simulate 1996 --set machine.cpus
error: --set takes PATH=VALUE, not `machine.cpus`
[2]
$ brink simulate 1996 --set machine.cpus=1:1:4
error: a range in --set needs `brink predict`
help: for instance brink predict SCENARIO --set x=1:1:9 --metric M
[2]
$ brink predict 1996 --set machine.cpus=1:0:4 --metric ratio
error: `1:0:4`: the step must be positive and low <= high
[2]
$ brink predict 1996 --against everything
error: --against takes machine or observed
[2]
$ brink completions tcsh
error: no completions for `tcsh`
help: bash, zsh or fish
[2]
$ brink replay --json
error: brink replay takes TRACE, but 0 were given
help: usage is brink replay TRACE
[2]

# Verdicts with their evidence: a trace with its point of no return, proofs, and the same as JSON Lines.
$ brink check linux-1.3.78 --property recoverable --engine explicit
VIOLATED   recoverable: A [ G (E [ F "regrown" ]) ]
  engine explicit, 448876 states, 1738507 transitions, T s, B bytes a state
  assume min_free >= 1 & min_free <= low & low <= high & slack >= 1 & per >= 1 & batch >= 1
  42299 of 448876 states have lost the goal for good, in 1 trap; each checked again

step  command    where                   changes
   0                                     free=12 page=0 buf=0 fresh=0 busy=0 dirty=0 locked=0 indirect=0 crossed=false open=0 want=0 paused=false passing=0 dropping=false reclaiming=0
 1-3  pagein x3  linux-1.3.78.prism:107  free=9 page=3
   4  pagein     linux-1.3.78.prism:107  free=8 page=4
      --- point of no return: "regrown" is out of reach; 2 ways back existed just before ---
  replayed by the evaluator: 4 steps
[10]
$ brink check linux-1.3.78 -p recoverable --const release=true --engine explicit
HOLDS      recoverable: A [ G (E [ F "regrown" ]) ]
  engine explicit, 601942 states, 2475372 transitions, T s, B bytes a state
  assume min_free >= 1 & min_free <= low & low <= high & slack >= 1 & per >= 1 & batch >= 1
$ brink check linux-1.3.78 -p frames -p 5 --engine explicit -q
HOLDS      frames: A [ G free + page + buf = N ]
  engine explicit, 448876 states, 1738507 transitions, T s, B bytes a state
  assume min_free >= 1 & min_free <= low & low <= high & slack >= 1 & per >= 1 & batch >= 1
HOLDS      scaled: A [ G guard = high & min_free + slack < high ]
  engine explicit, 448876 states, 1738507 transitions, T s, B bytes a state
  assume min_free >= 1 & min_free <= low & low <= high & slack >= 1 & per >= 1 & batch >= 1
$ brink check linux-2.4-zones -p hysteresis_zone --engine explicit --json
{"type":"start","schema":"brink/1","command":"check"}
{"type":"property","model":"linux-2.4-zones.prism","property":"hysteresis_zone","text":"A [ G (\"stop_dma\" => free_dma > min_dma) & (\"stop_normal\" => free_normal > min_normal) ]","verdict":"false","value":null,"error_bound":0,"engine":"explicit","states":33977,"transitions":72756,"seconds":T,"length":17,"assumptions":["assume min_dma >= 1 & min_normal >= 1 & rule >= 0 & rule <= 4"]}
{"type":"model","name":"linux-2.4-zones.prism","kind":"mdp","states":33977,"transitions":72756,"complete":true,"seconds":T,"bytes":B}
[10]
$ brink check linux-2.4-zones -p hysteresis_zone --engine bmc -q
VIOLATED   hysteresis_zone: A [ G ("stop_dma" => free_dma > min_dma) & ("stop_normal" => free_normal > min_normal) ]
  engine bmc, T s
  assume min_dma >= 1 & min_normal >= 1 & rule >= 0 & rule <= 4
  erroneous moves after more than 17 steps are not excluded
  replayed by the evaluator: 17 steps
[10]
$ brink check linux-2.4-zones -p blind -p cost --test --engine explicit -q
HOLDS      blind: A [ G (fails => !global_short) ]
  engine explicit, 33977 states, 72756 transitions, T s, B bytes a state
  assume min_dma >= 1 & min_normal >= 1 & rule >= 0 & rule <= 4
  RESULT true: as expected
VIOLATED   cost: A [ G length - left <= bound * (freed + 1) ]
  engine explicit, 33977 states, 72756 transitions, T s, B bytes a state
  assume min_dma >= 1 & min_normal >= 1 & rule >= 0 & rule <= 4
  replayed by the evaluator: 26 steps
  RESULT false: as expected
# A model of one's own, with and without properties.
$ printf 'mdp\nmodule m\n  x : [0..3] init 0;\n  [up] x<3 -> (x'"'"'=x+1);\n  [reset] x<3 -> (x'"'"'=0);\nendmodule\n' >m.prism
$ brink check m.prism
m.prism: no properties; its reachable states
  engine explicit, 4 states, 6 transitions, T s, B bytes a state
$ brink check m.prism -f 'A [ G x<3 ]'
VIOLATED   1: A [ G x<3 ]
  engine explicit, 4 states, 6 transitions, T s, B bytes a state
  bmc agrees

step  command  where      changes
   0                      x=0
 1-3  up x3    m.prism:4  x=3
  replayed by the evaluator: 3 steps
[10]
$ brink check m.prism -f 'A [ G (E [ F x=0 ]) ]' --engine explicit
VIOLATED   1: A [ G (E [ F x=0 ]) ]
  engine explicit, 4 states, 6 transitions, T s, B bytes a state
  1 of 4 states have lost the goal for good, in 1 trap; each checked again

step  command  where      changes
   0                      x=0
 1-2  up x2    m.prism:4  x=2
   3  up       m.prism:4  x=3
      --- point of no return: x=0 is out of reach; 1 way back existed just before ---
  replayed by the evaluator: 3 steps
[10]
$ brink check m.prism -f 'E [ F x=3 ]' --engine bmc --json
{"type":"start","schema":"brink/1","command":"check"}
{"type":"property","model":"m.prism","property":"1","text":"E [ F x=3 ]","verdict":"true","value":null,"error_bound":0,"engine":"bmc","states":0,"transitions":0,"seconds":T,"length":3,"bound":3,"notes":["erroneous moves after more than 3 steps are not excluded"]}
$ brink check m.prism -p range --engine explicit
HOLDS      range: no reachable state has an erroneous move
  engine explicit, 4 states, 6 transitions, T s, B bytes a state
$ printf '// RESULT: true\n"low": A [ G x<3 ];\n' >m.props
$ brink check m.prism --test --engine explicit -q
VIOLATED   low: A [ G x<3 ]
  engine explicit, 4 states, 6 transitions, T s, B bytes a state
  replayed by the evaluator: 3 steps
  RESULT true: DIFFERS
[10]
# 0/0 is a result (RESULT: NaN in property files).
$ brink check m.prism -f '(1.0 / 0.0) / (1.0 / 0.0)' -q
NaN        1: (1.0 / 0.0) / (1.0 / 0.0)
  engine markov (graph), 4 states, 7 transitions, T s, error at most 0

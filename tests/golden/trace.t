# A saved trace is checked again step by step; a tampered one is noticed.
$ printf 'mdp\nconst int top = 3;\nmodule m\n  x : [0..top] init 0;\n  [up] x<top -> (x'"'"'=x+1);\nendmodule\n' >m.prism
$ brink check m.prism -f 'A [ G x<2 ]' --trace-out t.json --engine explicit
VIOLATED   1: A [ G x<2 ]
  engine explicit, 4 states, 3 transitions, T s, B bytes a state

step  command  where      changes
   0                      x=0
 1-2  up x2    m.prism:5  x=2
  replayed by the evaluator: 2 steps
  saved t.json; brink replay t.json
[10]
$ brink replay t.json
m.prism: A [ G x<2 ]

step  command  where      changes
   0                      x=0
 1-2  up x2    m.prism:5  x=2

replayed: 2 steps, each a move of the model
$ brink replay t.json --json
{"type":"start","schema":"brink/1","command":"replay"}
{"type":"replay","model":"m.prism","property":"A [ G x<2 ]","steps":2,"verdict":"true","reason":""}
$ sed 's/"up"/"down"/' t.json >other.json; brink replay other.json
error: other.json: command 1 of module m is not labelled [down]
[3]
$ python3 -c 'import json; t = json.load(open("t.json")); t["steps"][-1]["state"][0] += 1; json.dump(t, open("far.json", "w"))'
$ brink replay far.json
error: this is no run of the model: step 2 (up) is not a move of the model
m.prism: A [ G x<2 ]

step  command  where      changes
   0                      x=0
 1-2  up x2    m.prism:5  x=3
[5]
$ head -c 100 t.json >half.json; brink replay half.json
error: half.json: not a JSON document
[3]
$ sed 's/m.prism/n.prism/' t.json >lost.json; brink replay lost.json
error: lost.json: no model `n.prism`: there is no such file, and none of that name in the library
[3]
$ sed 's/x<top/x<1/' m.prism >changed; mv changed m.prism; brink replay t.json
error: this is no run of the model: step 2 (up) is not a move of the model
m.prism: A [ G x<2 ]

step  command  where      changes
   0                      x=0
 1-2  up x2    m.prism:5  x=2
[5]
$ brink replay no-such-file.json
error[E0001]: cannot read `no-such-file.json`
[3]
$ printf 'mdp\nmodule m\n x:[0..3];\n [up] x<2 -> (x'"'"'=x+1);\n [lose] x=1 -> (x'"'"'=3);\nendmodule\n' >stuck.prism
$ brink check stuck.prism -f 'A [ G (E [ F x=2 ]) ]' --trace-out s.json -q | head -1; brink verify s.json | tail -1
VIOLATED   1: A [ G (E [ F x=2 ]) ]
point of no return: confirmed, 1 state behind it, `x=2` in none
$ sed 's/"goal": *"x=2"/"goal":"x>=3"/' s.json >wrong.json; brink replay wrong.json | tail -1
error: point of no return: wrong, `x>=3` is reached after 1 state
replayed: 2 steps, each a move of the model

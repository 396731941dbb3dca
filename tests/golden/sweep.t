# Ranges of constants, partial exploration, and what --exact and --strategy say beside.
$ printf 'dtmc\nconst int N;\nconst double p;\nmodule m\n x : [0..N] init 1;\n [] x=0 | x=N -> true;\n [] x>0 & x<N -> p:(x%sx+1) + 1-p:(x%sx-1);\nendmodule\n' "'=" "'=" > ruin.prism
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=2:4,p=0.25:0.25:0.5
                                             1
N=2 p=0.25                                0.75
N=2 p=0.50                                 0.5
N=3 p=0.25                  0.9230769230769231
N=3 p=0.50                  0.6666666666666666
N=4 p=0.25                               0.975
N=4 p=0.50                                0.75
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=2:4,p=0.5 --threads 1 --csv ruin.csv
                                             1
N=2                                        0.5
N=3                         0.6666666666666666
N=4                                       0.75
saved ruin.csv
$ cat ruin.csv
N,1
2,0.5
3,0.6666666666666666
4,0.75
$ brink check ruin.prism --formula 'P>=0.6 [ F x=0 ]' --const N=2:4,p=0.5 --json
{"type":"start","schema":"brink/1","command":"check"}
{"type":"row","constants":{"N":"2"},"property":"1","verdict":"false","value":null,"error_bound":null,"states":3}
{"type":"row","constants":{"N":"3"},"property":"1","verdict":"true","value":null,"error_bound":null,"states":4}
{"type":"row","constants":{"N":"4"},"property":"1","verdict":"true","value":null,"error_bound":null,"states":5}
[10]
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=4:-1:2,p=0.5
error: `N=4:-1:2`: the step has to lead from the first number to the last
help: for instance --const N=1:10,p=0.1:0.1:0.9
[2]
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=4,p=0.5 --csv ruin.csv
error: --csv is for ranges of constants: --const N=1:10
[2]
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=1000,p=0.4 --state-limit 30
[0.9999973924, 1] 1: P=? [ F x=0 ]
  engine markov (elimination), 31 states, 59 transitions, T s
  limit of 30 states reached: 30 of 31 states explored
[30]
$ brink check ruin.prism --formula 'P>=0.9 [ F x=0 ]' --const N=1000,p=0.4 --state-limit 30
HOLDS      1: P>=0.9 [ F x=0 ]
  engine markov (elimination), 31 states, 59 transitions, T s
  limit of 30 states reached: 30 of 31 states explored
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=4,p=1/3 --exact
0.9333333333 1: P=? [ F x=0 ]
  engine markov (exact), 5 states, 8 transitions, T s
  exactly 14/15
$ printf 'ctmc\nmodule a\n x : bool init true;\n [] x -> 1:(x%sfalse);\n [] !x -> 2:(x%strue);\nendmodule\nmodule b = a [x=y] endmodule\nmodule c = a [x=z] endmodule\n' "'=" "'=" > machines.prism
$ brink check machines.prism --formula 'S=? [ x & y & z ]' --lump
0.2962962963 1: S=? [ x & y & z ]
  engine markov (elimination), 8 states, 24 transitions, T s, error at most 9e-15
  lumped to 4 states
$ printf 'dtmc\nconst double p;\nmodule m\n s:[0..1];\n [] s=0 -> p:(s'"'"'=1) + 1-p:true;\n [] s=1 -> true;\nendmodule\n' >step.pm; brink check step.pm -f 'P=? [ F s=1 ]' --const p=0.5:0.5:1.5
p=1.5: this probability or rate is -0.5, below 0
                                             1
p=0.5                                        1
p=1.0                                        1
p=1.5                                    error
[3]
$ brink check step.pm --as ctmc --const p=0.5 -f 'P=? [ F<=(1/0) s=1 ]' 2>&1 | head -1
error[E0707]: a time bound is a finite number

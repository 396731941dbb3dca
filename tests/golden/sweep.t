# Ranges of constants, partial exploration, and what --exact and --strategy say beside.
$ printf 'dtmc\nconst int N;\nconst double p;\nmodule m\n x : [0..N] init 1;\n [] x=0 | x=N -> true;\n [] x>0 & x<N -> p:(x%sx+1) + 1-p:(x%sx-1);\nendmodule\n' "'=" "'=" > ruin.prism
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=2:4,p=0.25:0.25:0.5
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=2:4,p=0.5 --threads 1 --csv ruin.csv
$ cat ruin.csv
$ brink check ruin.prism --formula 'P>=0.6 [ F x=0 ]' --const N=2:4,p=0.5 --json
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=4:-1:2,p=0.5
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=4,p=0.5 --csv ruin.csv
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=1000,p=0.4 --state-limit 30
$ brink check ruin.prism --formula 'P>=0.9 [ F x=0 ]' --const N=1000,p=0.4 --state-limit 30
$ brink check ruin.prism --formula 'P=? [ F x=0 ]' --const N=4,p=1/3 --exact
$ printf 'ctmc\nmodule a\n x : bool init true;\n [] x -> 1:(x%sfalse);\n [] !x -> 2:(x%strue);\nendmodule\nmodule b = a [x=y] endmodule\nmodule c = a [x=z] endmodule\n' "'=" "'=" > machines.prism
$ brink check machines.prism --formula 'S=? [ x & y & z ]' --lump

# What does not fit is UNDECIDED, exit 30, and says which limit was met; a violation found before it counts.
$ { printf 'mdp\nmodule m\n'; for v in a b c d e f g; do printf '  %s : [0..99] init 0;\n' $v; done; for v in a b c d e f g; do printf "  [] $v<99 -> ($v'=$v+1);\n  [] $v>0 -> ($v'=$v-1);\n"; done; echo endmodule; } >big.prism
$ brink check big.prism -f 'A [ G a+b+c+d+e+f+g < 690 ]' --engine explicit --state-limit 1000
UNDECIDED  1: A [ G a+b+c+d+e+f+g < 690 ]
  engine explicit, 1001 states, 3981 transitions, T s, B bytes a state
  limit of 1000 states reached; 1001 states seen, 413 of them expanded
[30]
$ brink check big.prism -f 'A [ G a+b+c+d+e+f+g < 690 ]' --engine explicit --memory-limit '20 MiB' | head -1; echo "exit ${PIPESTATUS[0]}"
UNDECIDED  1: A [ G a+b+c+d+e+f+g < 690 ]
exit 30
$ brink check big.prism -f 'A [ G a+b+c+d+e+f+g < 690 ]' --engine explicit --time-limit '200 ms' | head -1; echo "exit ${PIPESTATUS[0]}"
UNDECIDED  1: A [ G a+b+c+d+e+f+g < 690 ]
exit 30
$ brink check big.prism -f 'A [ G a+b+c+d+e+f+g < 690 ]' --time-limit '500 ms' | head -1; echo "exit ${PIPESTATUS[0]}"
UNDECIDED  1: A [ G a+b+c+d+e+f+g < 690 ]
exit 30
$ brink check big.prism -f 'A [ G a+b+c+d+e+f+g < 690 ]' --engine bmc --depth 2
UNDECIDED  1: A [ G a+b+c+d+e+f+g < 690 ]
  engine bmc, T s, looked 2 steps deep
  nothing found in 2 steps or less
[30]
$ brink check big.prism -f 'A [ G a+b+c+d+e+f+g < 2 ]' --engine explicit --state-limit 1000
VIOLATED   1: A [ G a+b+c+d+e+f+g < 2 ]
  engine explicit, 1001 states, 3981 transitions, T s, B bytes a state
  limit of 1000 states reached; 1001 states seen, 413 of them expanded
  erroneous moves in states not seen are not excluded

step  command  where         changes
   0                         a=0 b=0 c=0 d=0 e=0 f=0 g=0
 1-2  m:1 x2   big.prism:10  a=2
  replayed by the evaluator: 2 steps
[10]
$ brink check big.prism --state-limit 1000
big.prism: no properties; its reachable states as far as the limits allow
  engine explicit, 1001 states, 3981 transitions, T s, B bytes a state
  limit of 1000 states reached; 1001 states seen, 413 of them expanded
[30]
# Output that cannot be written: exit 4, before the work where that is possible.
$ : >file; brink reproduce 1996 --out file/out
error: cannot make folder file/out: Not a directory
[4]
$ brink predict 1996 --set machine.pin_buffer_pages=300:100:400 --variant pinned --metric pinned_copy --out file/out >/dev/null
error: cannot make folder file/out: Not a directory
[4]
$ brink check big.prism -f 'A [ G a<1 ]' --engine bmc -q --trace-out file/t.json >/dev/null
error: cannot make folder file: Not a directory
[4]
$ brink simulate 1996 --trace-out file/events.csv >/dev/null
error: cannot make folder file: Not a directory
[4]
$ brink list >/dev/full
error: cannot write the result to standard output
[4]
$ brink check big.prism -f 'A [ G a<1 ]' --engine bmc --json >/dev/full
error: cannot write the result to standard output
[4]

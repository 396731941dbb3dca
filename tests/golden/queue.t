# Queueing networks. The first is example 8.3 of Bolch et al.: X = 9.92, Q = .244 2.261 2.261 1.234.
$ printf 'title = "central server"\n[[station]]\nname = "cpu"\n[[station]]\nname = "fast"\n[[station]]\nname = "slow"\n[[station]]\nname = "tape"\n[[class]]\nname = "jobs"\npopulation = 6\nservice = { cpu = "20 ms", fast = "200 ms", slow = "400 ms", tape = "600 ms" }\nvisits = { cpu = 1, fast = 0.4, slow = 0.2, tape = 0.1 }\n' > central.toml
$ brink queue central.toml
central server
  exact MVA

class        station          visits/s        busy       queue     response
jobs         cpu               9.91984     19.84 %    0.243615     24.56 ms
jobs         fast              3.96793     79.36 %     2.26104     569.8 ms
jobs         slow              1.98397     79.36 %     2.26104       1.14 s
jobs         tape             0.991984     59.52 %     1.23431      1.244 s
jobs         (all)             9.91984                             604.8 ms

bottleneck   fast: 79.36 % busy, 2.261 customers there; next slow (79.36 %)
bound        asymptotic    4.16667 <= throughput <= 12.5
bound        balanced-job  9.375 <= throughput <= 11.1111
bound        proportional  9.5349 <= throughput <= 10.1695
bound        geometric     9.80966 <= throughput <= 10.4483
knee         3 customers: more wait for each other
$ brink queue central.toml --json
{"type":"start","schema":"brink/1","command":"queue"}
{"type":"solution","method":"exact MVA","exact":true,"notes":[]}
{"type":"class","class":"jobs","throughput":9.919836337154356,"response_s":0.6048486886348353}
{"type":"station","class":"jobs","station":"cpu","throughput":9.919836337154356,"utilisation":0.19839672674308712,"queue":0.24361525889194025,"response_s":0.024558394978704327,"blocked":0.0}
{"type":"station","class":"jobs","station":"fast","throughput":3.9679345348617425,"utilisation":0.7935869069723486,"queue":2.261037791441056,"response_s":0.5698273929612195,"blocked":0.0}
{"type":"station","class":"jobs","station":"slow","throughput":1.9839672674308713,"utilisation":0.7935869069723486,"queue":2.261037791441056,"response_s":1.139654785922439,"blocked":0.0}
{"type":"station","class":"jobs","station":"tape","throughput":0.9919836337154356,"utilisation":0.5951901802292614,"queue":1.2343091582259476,"response_s":1.2442837928715529,"blocked":0.0}
{"type":"bottleneck","station":"fast","utilisation":0.7935869069723486,"queue":2.261037791441056,"next":"slow"}
{"type":"bound","name":"asymptotic","throughput":[4.166666666666665,12.499999999999998],"response_s":[0.4800000000000001,1.4400000000000006]}
{"type":"bound","name":"balanced-job","throughput":[9.374999999999998,11.11111111111111],"response_s":[0.54,0.6400000000000001]}
{"type":"bound","name":"proportional","throughput":[9.534903070138945,10.169491525423727],"response_s":[0.5900000000000001,0.6292670157068064]}
{"type":"bound","name":"geometric","throughput":[9.809656083568921,10.448268825249981],"response_s":[0.5742578125000001,0.6116422379016877]}
{"type":"knee","population":3.0}
$ brink queue central.toml --set class.jobs.population=1:2:7
class.jobs.population class          throughput     response  bottleneck
                   1 jobs              4.16667       240 ms  fast
                   3 jobs              7.85473     381.9 ms  fast
                   5 jobs              9.44015     529.7 ms  fast
                   7 jobs              10.2836     680.7 ms  fast
$ brink queue central.toml --set method=linearizer | head -3
central server
  Linearizer (approximate), not exact

$ brink queue central.toml --set method=exakt
error[E0909]: no method `exakt`
  = note: in central.toml
  = help: did you mean `exact`?
[3]
$ brink queue central.toml --set class.jobs.service.cpu="20"
error[E0907]: `class.service.cpu`: `20` has no unit; one of ns is needed
  = note: in central.toml
[3]
$ brink queue central.toml --set class.jobs.service.cpu="-20 ms"
error[E0907]: `class.service.cpu` must not be negative
  = note: in central.toml
[3]
$ printf '[formula]\nkind = "M/M/m/K"\narrivals = "50 /s"\nservice = "100 ms"\nservers = 4\nroom = 6\n' > phone.toml
$ brink queue phone.toml
M/M/m/K: several servers, room for K, the rest is lost (Kleinrock 1975)

  utilisation  0.883071
  queue        4.35421
  response     123.3 ms
  wait         23.27 ms
  throughput   35.3229
  p_empty      0.00721411
  p_lost       0.293543
$ brink queue phone.toml --set formula.room=3
error[E0933]: room for 3 customers is less than 4 servers
 --> phone.toml:1:1
  |
1 | [formula]
  | ^^^^^^^^^
[3]
# A closed ring with routing, in which finished customers keep their server while the next room is full.
$ printf 'method = "after-service"\n[[station]]\nname = "a"\ncapacity = 4\n[[station]]\nname = "b"\ncapacity = 5\n[[class]]\npopulation = 6\nservice = { a = "1.5 s", b = "2 s" }\nrouting = { a = { b = 1 }, b = { a = 1 } }\n' > ring.toml
$ brink queue ring.toml
  exact chain of 6 states, blocking after service

class        station          visits/s        busy       queue     response
class1       a                0.463914     69.59 %     1.93288      4.166 s  blocked 0.30
class1       b                0.463914     92.78 %     4.06712      8.767 s  blocked 0.07
class1       (all)            0.463914                              12.93 s

bottleneck   b: 92.78 % busy, 4.067 customers there; next a (69.59 %)
$ brink queue ring.toml --set class.0.population=9
error[E0933]: the network can lock up: all servers of a circle of full stations wait for each other
 --> ring.toml:1:10
  |
1 | method = "after-service"
  |          ^^^^^^^^^^^^^^^
[3]
# Wrong input: a place for each.
$ printf '[[station]]\nname = "cpu"\n[[station]]\nname = "disk"\n[[class]]\narrivals = { cpu = "12 /s" }\nservice = { cpu = "5 ms", disk = "100 ms" }\nrouting = { cpu = { dsik = 0.9, out = 0.1 }, disk = { cpu = 1 } }\n' > open.toml
$ brink queue open.toml
error[E0909]: no station `dsik`
 --> open.toml:8:28
  |
8 | routing = { cpu = { dsik = 0.9, out = 0.1 }, disk = { cpu = 1 } }
  |                            ^^^
  = help: did you mean `disk`?
[3]
$ sed -e s/dsik/disk/ -e s/0.9/0.8/ open.toml > sum.toml; brink queue sum.toml
error[E0931]: the probabilities out of `cpu` sum to 0.9, not to 1
 --> sum.toml:8:19
  |
8 | routing = { cpu = { disk = 0.8, out = 0.1 }, disk = { cpu = 1 } }
  |                   ^^^^^^^^^^^^^^^^^^^^^^^^^
  = help: who leaves is written out = 0.1
[3]
$ sed s/dsik/disk/ open.toml > full.toml; brink queue full.toml
error[E0932]: unstable: open classes bring 10.8 erlangs to `disk`, which does 1
 --> full.toml:3:1
  |
3 | [[station]]
  | ^^^^^^^^^^^
[3]
$ brink queue full.toml --set 'class.0.arrivals.cpu="0.5 /s"'
  stations by themselves (product form)

class        station          visits/s        busy       queue     response
class1       cpu                     5      2.50 %    0.025641     5.128 ms
class1       disk                  4.5     45.00 %    0.818182     181.8 ms
class1       (all)                 0.5                              1.688 s

bottleneck   disk: 45.00 % busy, 0.8182 customers there; next cpu (2.50 %)
$ sed -e s/dsik/disk/ -e s/arrivals/arivals/ open.toml > key.toml; brink queue key.toml
error[E0904]: a class has either `arrivals` (open) or `population` (closed)
 --> key.toml:5:1
  |
5 | [[class]]
  | ^^^^^^^^^
error[E0903]: unknown key `arivals` in [class]
 --> key.toml:6:11
  |
6 | arivals = { cpu = "12 /s" }
  |           ^^^^^^^^^^^^^^^^^
  = help: a known key is near: `arrivals`
[3]
$ brink queue nothing.toml
error[E0001]: cannot read `nothing.toml`
[3]

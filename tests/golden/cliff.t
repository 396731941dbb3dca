# Cliffs of curves, and what formulas say about caches.
$ (echo pages,time_s; for i in $(seq 100 20 2000); do if [ $i -lt 1011 ]; then echo $i,501; else echo $i,1; fi; done) > loop.csv
$ brink cliff loop.csv
wall   time_s falls from 501 to 1 (x 501) between pages = 1000 and 1020
$ brink cliff loop.csv --json
{"type":"start","schema":"brink/1","command":"cliff"}
{"type":"cliff","source":"data","x":"pages","y":"time_s","grade":"wall","a":1000.0,"b":1020.0,"y_a":501.0,"y_b":1.0,"factor":500.9999999999999,"factor_low":500.9999999999999,"direction":"falls","kind":"jump","elasticity_ratio":"inf"}
$ (echo clients,mb_s,t_cpu,t_scan; for i in $(seq 1 40); do if [ $i -lt 30 ]; then echo $i,42,0.024,0.001; else echo $i,7,0.025,0.118; fi; done) > dbench.csv
$ brink cliff dbench.csv
cliff  mb_s falls from 42 to 7 (x 6) between clients = 29 and 30
       because scan grows from 0.001 to 0.118 per operation: 99.2 % of the growth
$ brink cliff dbench.csv --metric mbs
error: no column `mbs`
help: did you mean `mb_s`?
[2]
$ (echo x,y; for i in $(seq 1 50); do echo $i,$i; done) > line.csv; brink cliff line.csv
no cliff in y over x (50 points)
$ (echo x,y; for i in 100 200 300 400 500 600; do echo $i,$((i < 350 ? 9 : 1)); done) > coarse.csv; brink cliff coarse.csv
coarse y changes between x = 300 and 400, which are too far apart to tell a cliff: add points there
noise  116 % from point to point: repeat the points (several rows of one x) until it is below 10 %
$ (echo x,y; echo 1,2; echo 2,0; echo 3,1; echo 4,1; echo 5,1) > zero.csv; brink cliff zero.csv
error: zero.csv: at x = 2 the value is 0; only positive values have factors between them
[3]
$ brink cache zipf:pages=10000,alpha=1,requests=500000,seed=1 --policy lru,fifo,clock,2q --size 100,1000 --predict
predicted by formulas for independent references (Zipf), started empty
zipf:pages=10000,alpha=1,requests=500000,seed=1: 500000 references to 9987 pages

policy           pages        misses      ratio     not first  predicted
lru                100        304658   0.609316        294671   0.609502
lru               1000        162191   0.324382        152204   0.324872
fifo               100        328456   0.656912        318469   0.657682
fifo              1000        184539   0.369078        174552   0.369358
clock              100        297683   0.595366        287696   0.595305
clock             1000        157027   0.314054        147040   0.314528
2q                 100        257766   0.515532        247779   0.513903
2q                1000        139388   0.278776        129401   0.278698
$ brink cache scan-hot:hot=50,scan=200,share=0.8,requests=100000,seed=1 --size 100:5:260 --predict | tail -4
predicted by renewal form: a cyclic scan among random references (lru)

lru
wall   misses falls from 0.5478 to 0.0025 (x 219.1) between pages = 230 and 250
hull   at 220 pages the miss ratio is 0.7582 above its convex hull
$ brink cache cyclic:pages=100,requests=10000 --size 50:5:120 --predict --json | grep -v '"cache"'
predicted by average eviction time from the trace's reuse times (lru)
{"type":"forecast","basis":"average eviction time from the trace's reuse times (lru)","warning":""}
{"type":"cliff","source":"lru","x":"pages","y":"misses","grade":"wall","a":95.0,"b":100.0,"y_a":1.0,"y_b":0.01,"factor":99.99999999999996,"factor_low":99.99999999999996,"direction":"falls","kind":"jump","elasticity_ratio":"inf"}
{"type":"hull","policy":"lru","size":95.0,"gap":0.9405}
# Sweeps of a scenario: no effect is said, cliffs are refined, the best setting has a margin.
$ brink sweep 1996 --variant pinned --set machine.pin_buffer_pages=200:100:1000 --best min:pinned_copy
  pin_buffer_pages    pinned_copy
               200        2.37696  ####################################
               300        2.24827  ##################################
               400        2.31915  ###################################
               500         2.2168  ##################################
               600          0.896  ##############
               700          0.896  ##############
               800          0.896  ##############
               900          0.896  ##############
              1000          0.896  ##############

step   pinned_copy falls from 1.7063 to 0.896 (x 1.904) between pin_buffer_pages = 551 and 554

best   pinned_copy = 0.896 at pin_buffer_pages = 600
margin 7.7 % to the next cliff, at pin_buffer_pages = 554
$ brink sweep 1996 --variant pinned --set machine.pin_buffer_pages=500:100:700 --set machine.cpus=1:1:2 --metric pinned_copy --json
{"type":"start","schema":"brink/1","command":"sweep"}
{"type":"point","settings":{"machine.pin_buffer_pages":"500","machine.cpus":"1"},"metric":"pinned_copy","predicted":2.2168}
{"type":"point","settings":{"machine.pin_buffer_pages":"500","machine.cpus":"2"},"metric":"pinned_copy","predicted":2.2168}
{"type":"point","settings":{"machine.pin_buffer_pages":"600","machine.cpus":"1"},"metric":"pinned_copy","predicted":0.896}
{"type":"point","settings":{"machine.pin_buffer_pages":"600","machine.cpus":"2"},"metric":"pinned_copy","predicted":0.896}
{"type":"point","settings":{"machine.pin_buffer_pages":"700","machine.cpus":"1"},"metric":"pinned_copy","predicted":0.896}
{"type":"point","settings":{"machine.pin_buffer_pages":"700","machine.cpus":"2"},"metric":"pinned_copy","predicted":0.896}
{"type":"no_effect","setting":"machine.cpus","metric":"pinned_copy","at":"pin_buffer_pages = 500"}
{"type":"no_effect","setting":"machine.cpus","metric":"pinned_copy","at":"pin_buffer_pages = 600"}
{"type":"no_effect","setting":"machine.cpus","metric":"pinned_copy","at":"pin_buffer_pages = 700"}
$ brink sweep 1996 --variant pinned --set machine.pin_buffer_pages=500:100:700 --metric pined_copy
error: no point has a metric `pined_copy`
help: did you mean `pinned_copy`?
[2]
$ brink sweep 1996 --variant pinned --metric pinned_copy
error: sweep takes one or two ranges: --set PATH=FROM:STEP:TO
[2]
$ brink sweep 1996 --variant pinned --set machine.pin_buffer_pages=500:100:700 --best min:pinned_copy --subject-to "pinned_copy < 0.1" | tail -1
best   no point satisfies pinned_copy < 0.1

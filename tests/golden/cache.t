# Cache policies: miss ratios over sizes, as JSON Lines, and what is wrong with a trace.
$ brink cache cyclic:pages=1000,requests=10000 --policy lru,fifo,opt --size 500,999,1000
cyclic:pages=1000,requests=10000: 10000 references to 1000 pages

policy           pages        misses      ratio     not first
lru                500         10000   1.000000          9000
lru                999         10000   1.000000          9000
lru               1000          1000   0.100000             0
fifo               500         10000   1.000000          9000
fifo               999         10000   1.000000          9000
fifo              1000          1000   0.100000             0
opt                500          5500   0.550000          4500
opt                999          1009   0.100900             9
opt               1000          1000   0.100000             0
$ brink cache zipf:pages=1000,alpha=1,requests=50000,seed=1 --policy lru,arc,s3-fifo --size 1%,10% --json --quiet
{"type":"start","schema":"brink/1","command":"cache"}
{"type":"cache","policy":"lru","size":10,"miss_ratio":0.78952,"requests":50000,"misses":39476,"cold":999}
{"type":"cache","policy":"lru","size":100,"miss_ratio":0.42728,"requests":50000,"misses":21364,"cold":999}
{"type":"cache","policy":"arc","size":10,"miss_ratio":0.66728,"requests":50000,"misses":33364,"cold":999}
{"type":"cache","policy":"arc","size":100,"miss_ratio":0.36224,"requests":50000,"misses":18112,"cold":999}
{"type":"cache","policy":"s3-fifo","size":10,"miss_ratio":0.63638,"requests":50000,"misses":31819,"cold":999}
{"type":"cache","policy":"s3-fifo","size":100,"miss_ratio":0.34696,"requests":50000,"misses":17348,"cold":999}
$ printf '1\n2\n3\n1\n2\nw 4\n' > bad.txt ; brink cache bad.txt --format text --size 2
error: bad.txt: line 6: expected one page number
[3]
$ printf '\0\0\0\1\0\0\0\2\0\0' > cut.bin ; brink cache cut.bin --format int32be --size 2
error: cut.bin: byte 8: the last record has 2 bytes, not 4
help: the file is cut off, or of another --format
[3]
$ printf '' > empty.txt ; brink cache empty.txt --format text --size 2
error: empty.txt: the trace is empty
[3]
$ printf '1,hm,1,Read,0,9223372036854775807,100\n' > giant.csv ; brink cache giant.csv --format msr --page "4 KiB" --size 2
error: giant.csv: line 1: a request of 9223372036854775807 bytes
help: no single request touches more than 16777216 pages
[3]
$ printf '1\n2\n1\n' > few.txt ; brink cache few.txt --format text --policy lru --size 0
error: --size 0: a cache has at least one page and at most 4e9
[2]
$ brink cache few.txt --format text --policy lur --size 1
error: no policy `lur` (did you mean `lru`?); policies are all, fifo, clock, lru, slru, sieve, 2q, arc, lirs, s3-fifo, two-list, opt
[2]
$ seq 1 3000 | gzip | head -c 2000 > cut.gz ; brink cache cut.gz --format text --size 10
error: cut.gz: after byte 0 of the content: truncated gzip input
[3]
$ brink cache few.txt --format nope --size 1
error: no format `nope`
help: formats are text, oracle, int32be, address, msr
[2]
$ brink cache zipf:pages=0,requests=5
error: `pages=0`: a whole number, 1 to 1000000000
help: brink list policies shows patterns
[2]

# What there is, and what it says about itself.
$ brink list
models (brink show NAME, brink check NAME)
  linux-1.3.24             Linux 1.3.24: one cache for reads and writes.
  linux-1.3.78             Linux 1.3.78: the buffer cache that cannot regrow.
  linux-2.1-ageing         Linux 2.1.110: page ages, floors, and a reclaim that sticks to what worked.
  linux-2.3-balance        Linux 2.3.40 to 2.3.49: what share of which memory may be dirty.
  linux-2.4-zones          Linux 2.4.7 - 2.4.8-pre7: three zones and five launder rules, the 800 MB barrier.
  linux-2.5-swappiness     Linux 2.5.52: swappiness, and a load that fits into the page cache only if programs give way.

scenarios (brink predict | simulate | conform | reproduce NAME)
  1996-buffer-cache        1.3.78: the buffer cache that cannot regrow
  1998-page-ageing         2.1.110: the page cache that outlives the programs
  2000-dirty-balance       2.3.47: dbench at the speed of the disk
  2001-800mb-barrier       2.4.8-pre3: the 800 MB barrier
  2002-swappiness          2.5.52: the page cache that programs do not give way to
  live-memcg               A memory group of Linux 6.18: hit ratios over the size of a file
  live-qemu                A raw device on a 32-bit Linux 6.1: the cache stops at low memory
  live-uml                 Linux 6.1 under user-mode Linux: hit ratios, swappiness, dirty limits

engines (brink check --engine NAME)
  auto                     explicit where the states fit, else symbolic; cross-checks when cheap
  explicit                 breadth-first search of all states, CTL on the graph, shortest traces
  bmc                      unrolls the model in Z3 to a bound, shortest traces without enumerating states
  induction                bmc plus k-induction: proofs without enumerating states
  abmc                     bmc in blocks: a command repeated any number of times is one step
  pdr                      invariants by Spacer over reals, then integers, proved again by other solvers
  walk                     random walks: cheap counterexamples in models too large to search, never a proof

kernels of the machine of pages ([kernel] name = ... in a scenario)
  linux-1.3.24             Linux 1.3.24 (September 1995): everything through the buffer cache
  linux-1.3.78             Linux 1.3.78 (March 1996): page cache and buffer cache under one clock hand
  linux-2.1.110            Linux 2.1.108 and 2.1.110 (July 1998): page ages, one clock, sticky reclaim
  linux-2.3.47             Linux 2.3.40 to 2.3.49 (early 2000): what share of which memory may be dirty
  linux-2.4                Linux 2.4.7 to 2.4.8-pre7 (July and August 2001): zones and page_launder
  linux-2.4.19             Linux 2.4.19 (August 2002): two lists, swap-out by the share of mapped pages met
  linux-2.5.52             Linux 2.5.52 (December 2002): two lists, swappiness decides about mapped pages
  linux-6                  Linux 6.1 (December 2022): refault distance, scan costs, paced writers, memory groups

cache policies (brink cache TRACE --policy NAME)
  fifo                     first in, first out
  clock                    FIFO with one reference bit, new pages without it
  lru                      least recently used
  slru                     segmented LRU, four quarters
  sieve                    a queue with a hand that evicts what was not visited
  2q                       FIFO of 25 %, memory of 50 %, LRU
  arc                      adaptive replacement
  lirs                     low inter-reference recency, 1 % HIR pages
  s3-fifo                  small FIFO of 10 %, main FIFO, memory of 90 %
  two-list                 the active and inactive lists of Linux with refault distance
  opt                      the farthest next reference: the fewest misses there can be

trace formats (--format NAME; plain, gz, xz, zst, ...)
  text                     one page number a line (LIRS, and most academic traces)
  oracle                   oracleGeneral records of 24 bytes (libCacheSim)
  int32be                  big-endian 32-bit page numbers (cache2k)
  address                  lines `l|s 0xADDRESS CYCLES` of byte addresses
  msr                      CSV of block requests in bytes (MSR Cambridge)

patterns in the place of a trace (NAME:PARAMETER=VALUE,...)
  zipf                     independent references, page k with weight k^-alpha: pages alpha requests seed
  uniform                  independent references, all pages alike: pages requests seed
  cyclic                   pages 1, 2, ... and over again: pages requests
  scan-hot                 a hot set, and a cyclic scan with the given share of the references: hot scan share requests seed

hand-derived formulas ([prediction] formula = ... in a scenario)
  copy-cycle               time of a copy through a buffer cache of fixed size
  zone-scan                throughput of a block-device read over the position, with the cost of the list walk
  page-ageing              failures of the clock for a cohort of equal age (1998)
  dirty-balance            dbench below and above the limit of dirty pages (2000)
  cyclic-scan              a table scanned again and again beside programs (2002)
  page-reads               reads of a file's pages, the cache being one LRU list
  lowmem-cache             the cache of a raw device, bounded by low memory (6.1)
  paced-writers            writers whose files are short-lived, under dirty limits (6.1)
$ brink list kernels
kernels of the machine of pages ([kernel] name = ... in a scenario)
  linux-1.3.24             Linux 1.3.24 (September 1995): everything through the buffer cache
  linux-1.3.78             Linux 1.3.78 (March 1996): page cache and buffer cache under one clock hand
  linux-2.1.110            Linux 2.1.108 and 2.1.110 (July 1998): page ages, one clock, sticky reclaim
  linux-2.3.47             Linux 2.3.40 to 2.3.49 (early 2000): what share of which memory may be dirty
  linux-2.4                Linux 2.4.7 to 2.4.8-pre7 (July and August 2001): zones and page_launder
  linux-2.4.19             Linux 2.4.19 (August 2002): two lists, swap-out by the share of mapped pages met
  linux-2.5.52             Linux 2.5.52 (December 2002): two lists, swappiness decides about mapped pages
  linux-6                  Linux 6.1 (December 2022): refault distance, scan costs, paced writers, memory groups
$ brink list kernel
error: no list of `kernel`
help: lists are models, scenarios, engines, kernels, formulas, policies
[2]
$ brink show linux-1.3.78 | sed -n 1,5p
// Linux 1.3.78: the buffer cache that cannot regrow.
//
// What it is. The file-write path of Linux 1.3.78 (March 1996) on a machine whose files are read
// through the page cache and written through the buffer cache. One step is one page, one buffer or
// one wake-up of a daemon. 1.3.79 is this model with nfract = 60; 1.3.95, which takes an atomic page
$ brink show linux-1.3.24 | grep -A1 RESULT | sed -n 1,5p
// RESULT: true
"recoverable": A [ G (E [ F "regrown" ]) ];
--
// RESULT: true
"frames": A [ G free + buf = N ];
$ brink show linux-2.4 | sed -n 1,5p
linux-2.4: Linux 2.4.7 to 2.4.8-pre7 (July and August 2001): zones and page_launder

tunables (from the model's constants)
  min_dma                    the last page an allocation may take from DMA leaves one less than this
  min_normal                 the last page an allocation may take from NORMAL leaves one less than this
$ brink show 1996 | sed -n 1,12p
1.3.78: the buffer cache that cannot regrow
  Benoit Lafontaine, linux-kernel, 25 March 1996, Performance problems with 1.3.7x
  experiments/reports/1996-buffer-cache/report.toml

kernel linux-1.3.78, model linux-1.3.78

where the numbers come from
  pin_buffer_pages           given    of the variant `pinned` and its curve only: a what-if
  memory_bytes               given    the mail: 16 Mb
  page_bytes                 given    i486
  block_bytes                given    the mail: ext2 with 1k blocks
  reserved_bytes             assumed  1096 of 4096 frames for kernel, buffer heads and processes: 3000 usable (2900 to 3100 are plausible)
$ brink show no-such-thing
error: no model, kernel, formula or scenario `no-such-thing`
help: `brink list` shows all
[2]
$ brink explain E0204
E0204: unknown module

No module (or named system) has this name.

For instance:

mdp module m x : [0..1]; endmodule module n = k [x=y] endmodule
$ brink explain E9999
error: no code `E9999`
help: `brink explain` lists all
[2]
$ brink explain | sed -n 1,3p
  E0001                    the file cannot be read
  E0101                    unexpected word or symbol
  E0102                    unknown character
$ brink --version
brink 0.1.0

# A report: predicted, simulated, followed in the model.
$ brink predict 1996 --metric time-to-regrowth
1.3.78: the buffer cache that cannot regrow
  formula copy-cycle (hand-derived)

  chain      time-to-regrowth             21.7652 s (+- 2e-05; 149596 states, elimination)
$ brink predict 1996 --against observed --metric ratio
1.3.78: the buffer cache that cannot regrow
  formula copy-cycle (hand-derived)

  predicted  ratio                        3.63698
  observed   ratio                        3.22254
$ brink predict 1996 --set machine.pin_buffer_pages=300:100:600 --variant pinned --metric pinned_copy
pin_buffer_pages    predicted
             300       2.2483  ###################################
             400       2.3191  ####################################
             500       2.2168  ##################################
             600        0.896  ##############
$ brink simulate 1996
1996-buffer-cache: kernel linux-1.3.78, seed 1
0.05user 2.50system 0:07.74elapsed 33%CPU
0.05user 2.45system 0:07.59elapsed 33%CPU
0.05user 2.40system 0:07.47elapsed 32%CPU
0.05user 1.64system 0:04.04elapsed 41%CPU
0.05user 1.58system 0:02.04elapsed 80%CPU
0.05user 1.58system 0:02.04elapsed 80%CPU

  task          user s   system s  of it reclaim  spinning   CPU share
  workload        0.85      20.72           0.00      0.00       27.6%
  bdflush         0.00       0.00           0.00      0.00        0.0%
  kswapd          0.00       0.00           0.00      0.00        0.0%

  simulated 78.06 s, finished
  simulated  after                        2.7151
  simulated  all                          5.15971
  simulated  before                       7.60432
  simulated  ratio                        2.80076
  simulated  stuck_kib                    128
  simulated  stuck_pages                  32
  simulated  system_after                 1.60515
  simulated  system_before                2.45515
$ brink simulate 1996 --variant nfract-60 --metric ratio --json | grep '"metric"'
{"type":"metric","source":"simulated","name":"ratio","value":2.9611239015299478}
$ brink conform 1996
1996-buffer-cache: kernel linux-1.3.78 against model linux-1.3.78, 78.06 s simulated, seed 1
  203398 events are 234219 steps of the model; 122503 decisions

  decision                    yes          no   disagree   the model's guard
  grow_buffers_r1            4808         468          0   may_grow1
  grow_buffers_r4             145         399          0   may_grow4
  grow_buffers_r5             399           0          0   may_grow5
  wake_bdflush                503       45696          0   over
  may_write                 44960         460          0   may_write
  wake_kswapd_now            1382        6423          0   wake_now
  wake_kswapd_later            26        4639          0   wake_later
  continue_reclaim           5632        1408          0   go_on_reclaiming
  alloc_user                 5120          35          0   may_take

CONFORMS: every step of the machine is one of the model, every decision agrees
$ brink conform 1996 --json | head -2
{"type":"start","schema":"brink/1","command":"conform"}
{"type":"conformance","scenario":"1996-buffer-cache","kernel":"linux-1.3.78","model":"linux-1.3.78","verdict":"true","events":203398,"model_steps":234219,"decisions":122503,"divergences":0,"simulated_s":78.05845939700001,"seed":1}

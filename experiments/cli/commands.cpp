#include "experiments/cli/commands.h"

#include <array>

namespace brink::cli {
namespace {

constexpr std::array kCommands = {
    CommandRow{"list", "[models|scenarios|engines|kernels|formulas|policies]",
               "what is in the library", "  brink list\n  brink list kernels\n", "", run_list, 0,
               1},
    CommandRow{"show", "NAME",
               "a model with its properties, a scenario with its parameters, or a kernel",
               "  brink show linux-1.3.78\n  brink show 2001\n", "", run_show, 1, 1},
    CommandRow{"check", "MODEL [PROPS]", "what can happen: decide the properties of a model",
               "  brink check linux-1.3.78\n"
               "  brink check linux-1.3.78 --property recoverable --const batch=4\n"
               "  brink check mine.prism --formula 'A [ G (E [ F free>2 ]) ]' --json\n",
               "property formula const as engine depth test deadlock-error explain simplest "
               "for-all assume fair "
               "strong-fair resume checkpoint-every "
               "certificate exact lump strategy csv "
               "trace-out",
               run_check, 1, 2, true},
    CommandRow{"synthesize", "MODEL [PROPS]",
               "for which settings of constants a property holds, as a formula",
               "  brink synthesize policy.prism -p recoverable --over guard,high --assume "
               "\"N>=1 & 0<=guard & guard<N\"\n",
               "property formula const over for-all assume certificate trace-out", run_synthesize,
               1, 2, true},
    CommandRow{"replay", "TRACE", "check a saved trace step by step and show it",
               "  brink check linux-1.3.78 -p recoverable --trace-out stuck.json\n  brink replay "
               "stuck.json\n",
               "", run_replay, 1, 1},
    CommandRow{"verify", "CERTIFICATE",
               "check a saved proof by Z3, cvc5 and arithmetic, a saved trace by the evaluator",
               "  brink check linux-1.3.24 --engine pdr -p frames --certificate frames.smt2\n"
               "  brink verify frames.smt2\n",
               "", run_verify, 1, 1},
    CommandRow{
        "predict", "SCENARIO", "how likely, how fast: formulas and chains of a scenario",
        "  brink predict 1996\n"
        "  brink predict 1996 --variant pinned --set machine.pin_buffer_pages=100:100:700 --metric "
        "pinned_copy --against machine\n",
        "set variant metric against", run_predict, 1, 1},
    CommandRow{"simulate", "SCENARIO", "what does happen: run a scenario on the machine of pages",
               "  brink simulate 2001\n  brink simulate 1996 --variant nfract-60\n",
               "set variant metric runs trace-out", run_simulate, 1, 1},
    CommandRow{"cache", "TRACE|PATTERN", "how often caches of these policies and sizes miss",
               "  brink cache web.trace.xz --format int32be --policy lru,s3-fifo --size 1%,5%,20%\n"
               "  brink cache zipf:pages=1000000,alpha=1,requests=2000000,seed=1 --policy all\n"
               "  brink cache disk.csv --page \"4 KiB\" --size 64MiB,256MiB --json\n",
               "policy size predict format page", run_cache, 1, 1},
    CommandRow{"queue", "NETWORK.toml", "throughput, queues and bottleneck of a queueing network",
               "  brink queue central-server.toml\n"
               "  brink queue central-server.toml --set class.jobs.population=1:1:40 --out out\n",
               "set", run_queue, 1, 1},
    CommandRow{
        "cliff", "CURVE.csv", "steps, cliffs and walls of a curve given as CSV",
        "  brink cliff throughput.csv\n  brink cliff sweep.csv --over dirty_ratio --metric mb_s\n",
        "over metric", run_cliff, 1, 1},
    CommandRow{
        "sweep", "SCENARIO", "a metric over one or two settings: curves, cliffs, the best setting",
        "  brink sweep 1996 --variant pinned --set machine.pin_buffer_pages=100:50:1000 --metric "
        "pinned_copy\n",
        "set variant metric against best subject-to", run_sweep, 1, 1},
    CommandRow{"conform", "SCENARIO",
               "is the machine's run a path of the model, and do their decisions agree?",
               "  brink conform 1996\n  brink conform 1996 --estimate\n", "set variant estimate",
               run_conform, 1, 1},
    CommandRow{"reproduce", "[REPORT ...]",
               "reports end to end: claims, figures, data, report.html",
               "  brink reproduce --out out\n  brink reproduce 2001 --out out\n", "set",
               run_reproduce, 0, -1},
    CommandRow{"export", "MODEL [PROPS]",
               "a model in the format of another tool (spin, rumur, z3, abc, PRISM, dot)",
               "  brink export linux-1.3.24 --to promela --out cache.pml\n"
               "  brink export linux-1.3.78 --to murphi --property recoverable\n",
               "to property formula const as", run_export, 1, 2},
    CommandRow{"explain", "CODE", "what a diagnostic means, with an example",
               "  brink explain E0204\n", "", run_explain, 0, 1},
    CommandRow{"man", "", "the manual page (roff)", "  brink man | man -l -\n", "", run_man, 0, 0},
    CommandRow{"completions", "bash|zsh|fish", "completions for a shell",
               "  source <(brink completions bash)\n", "", run_completions, 1, 1},
};

}  // namespace

std::span<const CommandRow> command_rows() { return kCommands; }

const CommandRow* find_command_row(std::string_view name) {
  for (const CommandRow& row : kCommands) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace brink::cli

// Accelerated bounded search: one step is a command repeated k times, k symbolic.
//
// The idea: a policy moves pages one at a time, so a counterexample of a thousand steps is a few
// commands, each repeated often. Where a command adds constants (and sets others to constants), its
// k-fold repetition has a closed form, x + k c; its guard is a cube, hence convex, and holds in
// between when it holds where the command is taken first, second and last (second: what is set has
// its value from then on). Commands that copy or mix variables, or move by a symbolic amount, are
// taken once. The length in blocks, not in steps, bounds the search, and constants may stay
// symbolic: the solver picks them. Excluded by this: nothing is skipped over, because `inside`
// contains the ranges of the target and is part of what is convex. Traces found are expanded,
// replayed by the evaluator, and then shortened: fewest blocks first, then fewest steps among
// those. That is not always the shortest trace (more blocks may need fewer steps); where bmc
// confirms it, the result says so.
#pragma once

#include <memory>

#include "solver/session.h"
#include "solver/symbolic/counters.h"
#include "solver/symbolic/formula.h"

namespace z3 {
class context;
class expr;
class solver;
}  // namespace z3

namespace brink::solver {

class SmtWatch;
class Terms;

struct Block {
  std::size_t command = 0;  ///< as CounterSystem::command counts
  std::int64_t times = 1;
};

/// A run in blocks from a state.
struct BlockRun {
  std::vector<std::int64_t> start;  ///< value of each symbol
  std::vector<std::int64_t> end;
  std::vector<Block> blocks;
  std::int64_t steps() const;  ///< repetitions in all; a cycle counts once
};

/// Which commands (and cycles, behind them) can be repeated in one step, by index: a closed form,
/// and not disabled by themselves.
std::vector<bool> repeatable(const CounterSystem& system);

/// The unrolling over blocks. The system and the context must outlive it.
class Blocks {
 public:
  Blocks(z3::context& context, const CounterSystem& system, bool cycles);
  ~Blocks();
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  std::size_t depth() const;
  void extend();
  z3::solver& solver();
  const Terms& state(std::size_t i) const;
  /// The run in the solver's model.
  BlockRun run() const;
  /// Sum of all repetitions so far.
  z3::expr steps() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A shortest run (in blocks, then in constants, then in steps) of at most `max_blocks` from `from`
/// to `to`; nothing when there is none, or when the watch expires (it must watch `context`). Cycles
/// of commands are tried where a few blocks of single commands do not suffice.
/// `searched`: blocks up to which there is none.
std::optional<BlockRun> find_run(z3::context& context, const SmtWatch& watch,
                                 const CounterSystem& system, const Dnf& from, const Dnf& to,
                                 std::size_t max_blocks, std::size_t& searched);

/// Steps of a run as a trace of the question's model (which has no symbols), by the evaluator.
/// Error: a sentence; a step that the evaluator does not confirm, or more than a million.
Result<Trace, std::string> expand(const Question& question, const CounterSystem& system,
                                  const BlockRun& run);

/// "read^4 fault^12": the blocks for people.
std::string print(const CounterSystem& system, const std::vector<Block>& blocks);

std::string abmc_supports(const Question& question);
CheckResult abmc_check(Session& session, const Question& question, const Limits& limits);

}  // namespace brink::solver

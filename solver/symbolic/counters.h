// CounterSystem: a model as guarded commands over integer counters, with constants that may be
// symbolic. What pdr, accelerated bmc, the proofs for all values and the traps work on.
//
// Each move of the model is split into commands whose guard is one cube and whose update is one
// linear term a variable. A move that would leave a range is no step here; that none is reachable
// is part of everything claimed from it (the certificate's step, see obligations.h, is over moves
// as the model has them). `classify` says which methods that leaves: translations (every update
// adds a constant: acceleration, exact preconditions), finite (no unbounded data to speak of),
// general linear.
#pragma once

#include "solver/question.h"
#include "solver/symbolic/cases.h"

namespace brink::solver {

struct CounterCommand {
  std::vector<std::uint32_t> commands;  ///< of the model, as TraceStep
  std::uint32_t updates = 0;
  Cube guard;                               ///< enabled
  Cube inside;                              ///< and the target is within its ranges
  std::vector<std::optional<Linear>> next;  ///< for each variable; nothing: unchanged
  /// A short cycle of commands taken as one: indices into CounterSystem::commands. Empty: itself.
  std::vector<std::size_t> parts;
};

struct CounterSystem {
  ModelPtr model;
  std::vector<Symbol> symbols;
  std::size_t variables = 0;
  Dnf legal;  ///< assumptions on the constants: given, ranges not empty, initial values inside
  Dnf initial;
  Cube ranges;  ///< of all variables
  std::vector<CounterCommand> commands;
  Dnf faults;                          ///< enabled and leaving a range
  Cube definitions;                    ///< of the quotients among the symbols
  std::vector<CounterCommand> cycles;  ///< see find_cycles; only searched, never proved with

  /// Commands, then cycles.
  const CounterCommand& command(std::size_t i) const {
    return i < commands.size() ? commands[i] : cycles[i - commands.size()];
  }

  std::string name(std::uint32_t symbol) const { return symbols[symbol].name; }
  bool is_variable(std::uint32_t symbol) const { return symbol < variables; }
};

/// Builds the system, and formulas of the question as disjunctions over its symbols. Assumptions on
/// symbolic constants: the `assume` annotations of the question's properties. The question must
/// outlive it.
class CounterBuilder {
 public:
  /// Throws GaveUp.
  explicit CounterBuilder(const Question& question);

  CounterSystem& system() { return system_; }
  /// A formula without temporal operators, or its negation. Throws GaveUp.
  Dnf formula(PropId root, bool positive);
  /// No command is enabled, or some is, within ranges. Throws GaveUp.
  Dnf deadlock(bool positive);
  /// What a search looks for: not p (always), p (possible), an erroneous move (range).
  Dnf target(const Form& form);

 private:
  void legality();
  void initial_states();
  void moves();
  void move(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& picks);
  Linear bound(ExprId id);
  void refresh();

  const Question& question_;
  Cases cases_;
  CounterSystem system_;
  std::vector<Linear> low_, high_;  ///< of each variable
};

/// State after the command, as terms over the state before.
Linear after(const CounterCommand& command, const Linear& term);
Cube after(const CounterCommand& command, const Cube& cube);

/// Short cycles of commands that can go on where no single command can (out, fault, out, fault,
/// ...): their sum is a translation, and each part alone would come to an end that the sum does not
/// reach.
std::vector<CounterCommand> find_cycles(const CounterSystem& system);

/// What an update does to each variable when it is a translation.
struct Shift {
  std::vector<Linear> by;                  ///< over constants only; for each variable
  std::vector<std::optional<Linear>> set;  ///< instead: this value, over constants only
  bool constant = true;                    ///< all `by` are numbers
};
/// Nothing when some variable gets a value that depends on another one.
std::optional<Shift> shift_of(const CounterSystem& system, const CounterCommand& command);

/// A basis of the vectors y with row . y = 0 for every row (of so many columns); exact. Throws
/// GaveUp where numbers grow too large.
std::vector<std::vector<__int128>> null_space(std::vector<std::vector<__int128>> rows,
                                              std::size_t columns);

/// Equations sum = constant that every move keeps, from the exact left null space of the effects
/// (Bareiss' elimination over integers); only where all commands are translations by numbers or
/// set boolean flags. Each is `t = 0` over symbols, t as returned.
std::vector<Linear> conserved_sums(const CounterSystem& system);

/// Lines for people: class and what it rules out, sums, number of commands.
std::vector<std::string> describe(const CounterSystem& system, const std::vector<Linear>& sums);

/// Keeps only the variables that `roots` depend on, by way of guards and updates, and says which
/// were dropped. A variable whose range can be left is kept.
std::vector<std::string> cone_of_influence(CounterSystem& system, const std::vector<Dnf>& roots);

}  // namespace brink::solver

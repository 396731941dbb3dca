// ScriptWriter: certificates as SMT-LIB 2 text, over the model's own expressions.
//
// Obligations are formulas that must be unsatisfiable; each becomes an assert and a check-sat
// inside push and pop. Terms come from encoding.h. Internal to obligations, schema, cover, rank.
#pragma once

#include "solver/symbolic/counter_terms.h"
#include "solver/symbolic/smt_run.h"

namespace brink::solver {

struct ScriptWriter {
  SmtRun& run;
  std::vector<Symbol> symbols;
  Terms terms;      ///< over the template state of the run's encoding
  z3::expr legal;   ///< constants: 32-bit ints, ranges not empty, assumptions, quotients
  z3::expr within;  ///< the template state is within its ranges
  std::string text;

  /// Writes the head: what is claimed, constants with values, declarations.
  ScriptWriter(SmtRun& run, const Question& question, const CounterSystem& system,
               const std::string& claim);

  void comment(const std::string& line);
  /// One obligation on its own.
  void query(const std::string& what, const z3::expr& formula);

  /// Several obligations under common assumptions: begin, assume / define / fresh / goal ..., end.
  void begin();
  void assume(const z3::expr& formula);
  void goal(const std::string& what, const z3::expr& formula);
  void end();
  z3::expr fresh(const std::string& name);
  z3::expr define(const std::string& name, const z3::expr& value);
  /// Names the values of a state, so that later terms stay short.
  z3::expr_vector name_state(const z3::expr_vector& values, std::size_t number);

  z3::expr at(const z3::expr& term, const z3::expr_vector& state) const;
  std::size_t move_of(const CounterCommand& command) const;

 private:
  void declare(const z3::expr& constant);
  std::size_t names_ = 0;
};

}  // namespace brink::solver

// PRISM's numeric properties on a Markov chain or a decision process: P, S and R with =? or a
// bound, nested, combined by operators, under filters. Used by `brink check`.
//
// In a decision process P and R take min or max; with a bound they speak of all strategies.
//
//   auto chain = build_chain(model);
//   Answer answer = evaluate_property(*chain, properties, properties.properties[0]);
//
// Comparisons are three-valued: a value closer to its bound than its error decides nothing, and a
// property that depends on it is undecided. What is parsed but not solved is `unsupported` with
// the reason: time bounds within LTL, multi(...), ratios of rewards; in a decision process also S
// and negative rewards without a time bound.
#pragma once

#include "analytic/chain_builder.h"
#include "analytic/decision_builder.h"
#include "analytic/numeric.h"
#include "models/language/property.h"

namespace brink::analytic {

struct Answer {
  enum class Status { solved, undecided, unsupported, model_error } status = Status::undecided;
  bool boolean = false;
  bool truth = false;        ///< boolean: true in all initial states
  double low = 0, high = 0;  ///< numeric: smallest and largest value over the initial states
  std::string exact_low, exact_high;  ///< the same as "p/q" or "inf", in exact mode only
  bool on_bound = false;              ///< undecided since a value lies on a bound, up to its error
  double error_bound = 0;             ///< absolute, of both
  double residual = 0;                ///< largest of all equation systems solved
  Method method = Method::graph;      ///< the most expensive one used
  std::uint64_t iterations = 0;
  std::uint32_t classes = 0;  ///< lumped: states of the largest chain that was solved
  /// Only part of the states is known (a limit was reached): low and high bound the values, errors
  /// included; high may be infinite.
  bool partial = false;
  std::string note;                    ///< why not solved, or what was left unexplored
  std::optional<SemanticError> error;  ///< of a model error: an expression that cannot be evaluated
};

Answer evaluate_property(const ModelChain& chain, const PropertySet& set, const Property& property,
                         const SolveOptions& options = {});
Answer evaluate_property(const ModelDecisions& decisions, const PropertySet& set,
                         const Property& property, const SolveOptions& options = {});

}  // namespace brink::analytic

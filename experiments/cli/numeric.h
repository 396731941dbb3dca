// P, S and R on a Markov chain, for `check`: the chain of a dtmc or ctmc is built once and asked
// many times.
#pragma once

#include <memory>
#include <optional>

#include "analytic/property_values.h"
#include "experiments/scenario/checking.h"
#include "solver/result.h"

namespace brink::cli {

class NumericSession {
 public:
  NumericSession(const Loaded& loaded, const solver::Limits& limits)
      : loaded_(loaded), limits_(limits) {}

  /// The answer, or nothing when the model is an mdp or the property has no number in it (the
  /// engines of solver/ are asked then).
  std::optional<analytic::Answer> ask(const Property& property);

  std::uint64_t states() const { return chain_ ? chain_->size() : 0; }
  std::uint64_t transitions() const { return chain_ ? chain_->transitions() : 0; }

 private:
  std::optional<analytic::Answer> build();

  const Loaded& loaded_;
  solver::Limits limits_;
  std::unique_ptr<analytic::ModelChain> chain_;
};

/// Does the property use P, S or R?
bool has_numbers(const PropertySet& set, PropId root);

}  // namespace brink::cli

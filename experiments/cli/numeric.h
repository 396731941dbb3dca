// P, S and R on a Markov chain or decision process, for `check`: it is built once and asked many
// times.
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

  /// The answer, or nothing when the property has no number in it (the engines of solver/ are asked
  /// then).
  std::optional<analytic::Answer> ask(const Property& property);

  std::uint64_t states() const {
    return chain_ ? chain_->size() : decisions_ ? decisions_->size() : 0;
  }
  std::uint64_t transitions() const {
    return chain_ ? chain_->transitions() : decisions_ ? decisions_->transitions() : 0;
  }

 private:
  std::optional<analytic::Answer> build();

  const Loaded& loaded_;
  solver::Limits limits_;
  std::unique_ptr<analytic::ModelChain> chain_;
  std::unique_ptr<analytic::ModelDecisions> decisions_;  ///< of an mdp, instead of a chain
};

/// Does the property use P, S or R?
bool has_numbers(const PropertySet& set, PropId root);

}  // namespace brink::cli

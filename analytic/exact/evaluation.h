// Exact mode: P, S and R of PRISM's property language in rational arithmetic, as numbers p/q and as
// verdicts that no rounding puts in doubt. For `brink check --exact`, and for comparisons that lie
// within the error of the usual solvers.
//
// Models of some ten thousand states. Refused by name: time bounds and instants of a ctmc (their
// values are no rationals), total rewards to be maximised, functions without rational values.
#pragma once

#include <memory>

#include "analytic/chain_builder.h"
#include "analytic/numeric.h"
#include "analytic/property_values.h"

namespace brink::analytic {

/// The states of a model with exact moves, explored once and asked many times.
class ExactModel {
 public:
  ExactModel(ExactModel&&) noexcept;
  ExactModel& operator=(ExactModel&&) noexcept;
  ~ExactModel();

  std::uint32_t size() const;
  std::uint64_t transitions() const;

 private:
  friend Result<ExactModel, BuildFailure> build_exact(const ModelPtr& model,
                                                      const BuildLimits& limits);
  friend Answer evaluate_exactly(const ExactModel& model, const PropertySet& set,
                                 const Property& property, const SolveOptions& options);
  struct Impl;
  explicit ExactModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Probabilities of a command must sum to exactly 1. The model should have been instantiated with
/// InstantiateOptions::exact, so that comparisons of constants are exact, too.
Result<ExactModel, BuildFailure> build_exact(const ModelPtr& model, const BuildLimits& limits = {});

/// As evaluate_property; a number also has Answer::exact_low and exact_high.
Answer evaluate_exactly(const ExactModel& model, const PropertySet& set, const Property& property,
                        const SolveOptions& options = {});

}  // namespace brink::analytic

// P, S and R on a Markov chain or decision process, for `check`: it is built once and asked many
// times.
#pragma once

#include <memory>
#include <optional>

#include "analytic/exact/evaluation.h"
#include "analytic/property_values.h"
#include "experiments/cli/output.h"
#include "experiments/scenario/checking.h"
#include "solver/result.h"

namespace brink::cli {

class NumericSession {
 public:
  /// `exact`: all in rational arithmetic. Without it a comparison that lies within the error is
  /// tried that way, too, when the model is small. `lump`: chains are lumped before they are
  /// solved.
  NumericSession(const Loaded& loaded, const solver::Limits& limits, bool exact = false,
                 bool lump = false)
      : loaded_(loaded), limits_(limits), exact_(exact), lump_(lump) {}

  /// The answer, or nothing when the property has no number in it (the engines of solver/ are asked
  /// then).
  std::optional<analytic::Answer> ask(const Property& property);

  /// Writes the best strategy of the property to a file, as text for people; says on `output` what
  /// became of it. Returns the exit code: 30 when there is none to be had.
  int save_strategy(const Property& property, const std::string& path, Output& output);

  std::uint64_t states() const {
    return chain_       ? chain_->size()
           : decisions_ ? decisions_->size()
           : rational_  ? rational_->size()
                        : 0;
  }
  /// Of states and moves, as allocated; 0 where fractions are all there is.
  std::uint64_t bytes() const {
    return chain_ ? chain_->bytes() : decisions_ ? decisions_->bytes() : 0;
  }
  bool complete() const {
    return chain_ ? chain_->complete() : decisions_ ? decisions_->complete() : true;
  }
  double build_seconds() const { return build_seconds_; }          ///< that passed
  double build_cpu_seconds() const { return build_cpu_seconds_; }  ///< of the processor
  std::uint64_t transitions() const {
    return chain_       ? chain_->transitions()
           : decisions_ ? decisions_->transitions()
           : rational_  ? rational_->transitions()
                        : 0;
  }

 private:
  analytic::BuildLimits build_limits() const;
  analytic::SolveOptions solve_options() const;
  std::optional<analytic::Answer> build();
  std::optional<analytic::Answer> build_unmeasured();
  analytic::Answer ask_exactly(const Property& property);
  analytic::Answer ask_usually(const Property& property);

  const Loaded& loaded_;
  solver::Limits limits_;
  bool exact_, lump_;
  double build_seconds_ = 0, build_cpu_seconds_ = 0;
  std::unique_ptr<analytic::ModelChain> chain_;
  std::unique_ptr<analytic::ModelDecisions> decisions_;  ///< of an mdp, instead of a chain
  std::unique_ptr<analytic::ExactModel> rational_;
};

/// Does the property use P, S or R?
bool has_numbers(const PropertySet& set, PropId root);

}  // namespace brink::cli

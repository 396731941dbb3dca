// Instances: a question about symbolic constants with values put in, so that the engines and the
// evaluator for models without symbols can look at it. Used by: proofs for all values.
#pragma once

#include <map>
#include <memory>

#include "models/base/result.h"
#include "solver/question.h"

namespace brink::solver {

/// Owns what its question points to.
struct Instance {
  std::vector<std::int64_t> values;  ///< of Model::parameters, in order; bools 0 or 1
  ModelPtr model;
  std::unique_ptr<PropertySet> properties;  ///< null when the question had none
  Question question;
};

/// Puts values in and folds again, as if they had been given when the model was read. Error: the
/// values make a range empty or an initial value fall outside, or an assumption false.
Result<Instance, std::string> instance_of(const Question& question,
                                          const std::vector<std::int64_t>& values);

/// Puts values in for some of the parameters, by index. The model keeps its list of parameters, so
/// that indices stay; those with values occur nowhere any more.
Result<Instance, std::string> partial_instance(
    const Question& question, const std::vector<std::pair<std::size_t, std::int64_t>>& values);

/// "N=16, guard=2"
std::string print_values(const Model& model, const std::vector<std::int64_t>& values);

/// The set with assumptions on constants added, each a boolean expression in PRISM's syntax
/// ("N>=8 & high>=min"). Errors: as of a property file; an assumption about variables.
Result<PropertySet, Diagnostics> with_assumptions(PropertySet set,
                                                  const std::vector<std::string>& texts);

}  // namespace brink::solver

// Checking properties of a model file: what `check`, `reproduce` and tests share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/scenario/claims.h"
#include "models/language/instantiate.h"
#include "models/language/property.h"
#include "solver/result.h"

namespace brink {

/// HOLDS, VIOLATED, UNDECIDED, ... for people.
std::string verdict_word(solver::Verdict verdict);

/// A model and the properties asked about.
struct Loaded {
  ModelPtr model;
  std::optional<PropertySet> properties;
};

/// `properties_path` may be empty; `formula`, when not empty, is asked instead of the file's
/// properties.
Result<Loaded, Diagnostics> load(const std::string& model_path, const std::string& properties_path,
                                 const std::string& formula, const ConstantValues& values,
                                 const InstantiateOptions& options = {});

/// The scenario's check at its sizes, by the engine `auto`, undecided once interrupted. Errors:
/// E0918 no such property.
Result<CheckOutcome, Diagnostics> run_check(const Prepared& prepared, const Check& check);

}  // namespace brink

// What `check` is asked: files, properties and limits, as the options say. Used by cmd_check.cpp
// and sweep.cpp.
#pragma once

#include <string>
#include <vector>

#include "experiments/cli/options.h"
#include "experiments/scenario/checking.h"
#include "solver/result.h"

namespace brink::cli {

struct Job {
  std::string name;                    ///< of the property: its name or number
  const Property* property = nullptr;  ///< null: the built-in question `range`
};

struct Paths {
  std::string model, properties;
};

solver::Limits limits_of(const Options& options);

/// The model's file and its property file (empty: none). Error: no such model.
Result<Paths, std::string> find_paths(const Options& options);

/// The properties asked about, `wanted` by name or number; all when it is empty. Error: one that
/// does not exist.
Result<std::vector<Job>, std::string> choose(const Loaded& loaded,
                                             const std::vector<std::string>& wanted);

}  // namespace brink::cli

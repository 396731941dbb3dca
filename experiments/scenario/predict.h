// Predicting a scenario: its hand-derived formula as tables, its passages as Markov chains.
// Used by: predict, curves, claims.
#pragma once

#include "experiments/scenario/metrics.h"
#include "experiments/scenario/simulate.h"

namespace brink {

/// The rows the scenario's formula gives, with the words of [[prediction.row]] as further columns.
/// `extra` adds or replaces inputs. Empty tables when the scenario has no [prediction]. Errors:
/// E0916.
Result<Tables, Diagnostics> predict_tables(const Prepared& prepared, const Names& extra = {});

/// An expected time of the model read as a CTMC.
struct PassageResult {
  std::string name;
  double seconds = 0;      ///< infinity: the target is not reached with probability 1
  double error_bound = 0;  ///< absolute
  std::string method;
  std::uint64_t states = 0;
  bool converged = false;
  std::string note;
  std::vector<std::string>
      rates;  ///< "pagein = 300 /s (scenario)", "write = 512 /s [500, 524] (estimated)"
};

/// Builds the chain of [[passage]] with its rates and solves it. Commands without a rate are an
/// error (E0917): no rate is invented. `estimates` gives rates by command name (from conform
/// --estimate).
Result<PassageResult, Diagnostics> solve_passage(const Prepared& prepared, const Passage& passage,
                                                 const Names& estimates);

/// Commands of the model that the passage needs rates for and does not give.
std::vector<std::string> commands_without_rate(const Model& model, const Passage& passage);

}  // namespace brink

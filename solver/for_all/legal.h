// Legal values of symbolic constants: the smallest ones first, and which constants have so few that
// they are enumerated. Internal to for_all.
#pragma once

#include <map>
#include <memory>

#include "solver/for_all/small.h"
#include "solver/result.h"
#include "solver/symbolic/counters.h"

namespace brink::solver {

class LegalValues {
 public:
  LegalValues(const CounterSystem& system, const Limits& limits);
  ~LegalValues();
  LegalValues(const LegalValues&) = delete;
  LegalValues& operator=(const LegalValues&) = delete;

  /// The next values of Model::parameters, by increasing sum of their sizes; nothing when there are
  /// no more, or Z3 gives up.
  std::optional<Values> next();
  bool impossible();  ///< there are none at all

  /// Choices of values for those constants that have at most a few legal ones; one empty choice
  /// when none has. By index into Model::parameters.
  using Choice = std::vector<std::pair<std::size_t, std::int64_t>>;
  static std::vector<Choice> enumerable(const CounterSystem& system, const Limits& limits);

  /// The same where the model cannot be taken apart for all values: by its assumptions alone.
  static std::vector<Choice> enumerable(const Question& question, const Limits& limits);

  /// The constants with their assumptions, without the model's variables and moves. Throws GaveUp.
  static CounterSystem bare_system(const Question& question);

  /// Is a constant left that was not enumerated?
  static bool symbolic(const Question& question, const std::map<std::size_t, std::int64_t>& fixed);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace brink::solver

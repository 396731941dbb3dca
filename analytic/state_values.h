// StateValues: one value for each state while a property is evaluated, with the bound of its error;
// booleans as 0 and 1, where a bound of 1 marks "cannot be decided". Internal to property_values.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "analytic/graph.h"
#include "models/language/property.h"

namespace brink::analytic {

struct StateValues {
  bool boolean = false;
  std::vector<double> value;
  std::vector<double> bound;
  bool at_least = false;  ///< value - bound is a lower bound, and there is no upper one

  bool doubtful() const;
  StateSet as_set() const;
  void flags(std::uint32_t size, const std::function<bool(std::uint32_t)>& flag);

  /// Numbers become booleans: decided where the error leaves no doubt.
  void compare(Relation relation, double against);

  /// Pointwise operator over operands of the same length, in the states that matter (0 elsewhere);
  /// false: not supported on values as uncertain as one of these.
  bool apply(Op op, const std::vector<const StateValues*>& operands, const StateSet& matters);

  /// A filter's value in all states. Returns what is not supported, or nothing.
  std::string filter(FilterKind kind, const StateValues& operand, const StateSet& over);
};

}  // namespace brink::analytic

// Properties, checked against a model: flat nodes, operands before users.
//
// A maximal part without temporal or probabilistic operators is one `atom`: an expression of
// PropertySet::pool, with labels, formulas and constants put in. The pool extends the model's pool,
// so ids of the model are valid in it. Used by: solver and analytic engines, `check`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "models/language/model.h"
#include "models/language/syntax.h"

namespace brink {

using syntax::Optimum;
using syntax::Relation;

struct PropId {
  std::uint32_t index = UINT32_MAX;

  bool valid() const { return index != UINT32_MAX; }
  friend auto operator<=>(const PropId&, const PropId&) = default;
};

enum class PropKind : std::uint8_t {
  atom,         ///< expr: a state expression of any type
  init,         ///< the built-in label "init": the state is an initial one
  deadlock,     ///< the built-in label "deadlock": no command is enabled
  apply,        ///< op over args (at least one of them is no atom)
  probability,  ///< P: args[0] a path formula; bool with a bound, double with =?
  steady,       ///< S: args[0] a state formula
  reward,       ///< R: args[0] a path formula, or cumulative / instantaneous / long_run
  exists,
  forall,  ///< E / A: args[0] a path formula
  next,
  finally,
  globally,  ///< args[0]
  until,
  weak_until,
  release,        ///< args[0], args[1]
  cumulative,     ///< R[C<=t]: time.upper, or R[C] without
  instantaneous,  ///< R[I=t]: time.upper
  long_run,       ///< R[S]
  filter,         ///< args[0] under filter_kind over the states of args[1] (all when not valid)
  multi,          ///< args: the objectives (parsed, not solved)
};

/// Value of PropNode::reward for T=? [ ... ] (as in Storm): 1 per step, in a ctmc 1 per unit of
/// time.
inline constexpr std::uint32_t kElapsedTime = UINT32_MAX - 1;

enum class FilterKind : std::uint8_t {
  min,
  max,
  argmin,
  argmax,
  count,
  sum,
  avg,
  first,
  range,
  forall,
  exists,
  state,
  print,
  printall
};
std::string_view filter_name(FilterKind kind);  ///< PRISM's keyword: "min", "forall", ...

/// F<=t, F[a,b], ...; expressions over constants (int in discrete time, int or double in a ctmc).
struct TimeBound {
  ExprId lower, upper;  ///< invalid: none
  bool lower_strict = false, upper_strict = false;
  /// kNone: time (steps in discrete time). Otherwise the bound is on what this reward structure has
  /// accumulated: F^{rew{"r"}<=t}, an extension that Storm has, too.
  std::uint32_t reward = kNone;

  bool present() const { return lower.valid() || upper.valid(); }
};

struct PropNode {
  PropKind kind = PropKind::atom;
  Type type = Type::boolean;  ///< of the value; path formulas are boolean
  bool is_path = false;       ///< a path formula: only allowed below P, R, E, A
  Op op = Op::ite;
  ExprId expr;  ///< atom
  Relation relation = Relation::query;
  Optimum optimum = Optimum::none;  ///< Pmin, Rmax, ...
  ExprId bound;                     ///< with a relation other than query
  TimeBound time;
  FilterKind filter = FilterKind::state;
  bool filter_implicit = false;          ///< written as {states} inside P, S or R
  std::uint32_t reward = 0;              ///< index into Model::rewards, or kElapsedTime
  std::uint32_t reward_divisor = kNone;  ///< R{"a"}/{"b"}
  std::vector<PropId> args;
  Span span;
};

struct Property {
  std::string name;          ///< may be empty
  std::uint32_t number = 0;  ///< counted from 1 in the file
  std::string text;
  PropId root;  ///< not valid when `errors` is not empty
  Type type = Type::boolean;
  std::vector<ExpectedResult> results;
  Diagnostics
      errors;  ///< why it cannot be used (a constant without value, a name that is unknown, ...)
  Span span;
};

struct Annotation {
  AnnotationKind kind = AnnotationKind::assume;
  ExprId condition;  ///< assume: over parameters; a bool constant when all have values
  std::vector<std::uint32_t> modules;    ///< fair, strong_fair
  std::vector<ActionId> actions;         ///< fair, strong_fair
  std::vector<std::uint32_t> variables;  ///< population
  std::string text;
  Span span;
};

struct PropertySet {
  SourcePtr source;
  ModelPtr model;
  ExprPool pool;                ///< extends model->pool
  std::vector<PropNode> nodes;  ///< operands before users; shared by all properties of the set
  std::vector<Property> properties;
  std::vector<Label> labels;        ///< of the property file
  std::vector<Constant> constants;  ///< of the property file
  std::vector<Annotation> annotations;
  Diagnostics warnings;

  const PropNode& operator[](PropId id) const { return nodes[id.index]; }
  const Property* find(std::string_view name) const;
  /// The atom of a node that is purely a state expression without "init" and "deadlock"; invalid
  /// otherwise.
  ExprId atom(PropId id) const;
};

/// Checks a property file against a model. `values` may hold constants of the model, too (ignored
/// here). A property that cannot be used does not spoil the others: its `errors` say why. Errors of
/// the file's own constants, labels and annotations fail the whole.
Result<PropertySet, Diagnostics> check_properties(const PropertyFile& file, const ModelPtr& model,
                                                  const ConstantValues& values = {});

/// --formula with a property file read for its labels, constants and named properties: only the
/// properties of `formula` are in the set; those of `context` can be referred to by name.
Result<PropertySet, Diagnostics> check_properties(const PropertyFile& formula,
                                                  const PropertyFile& context,
                                                  const ModelPtr& model,
                                                  const ConstantValues& values = {});

/// The RESULT of a property that applies here: the variant whose constants (of the model or the
/// property file) all have these values, else the one without constants, else nothing.
const ExpectedResult* expected_result(const PropertySet& set, const Property& property);

}  // namespace brink

// Model: a checked, frozen PRISM model with its constants put in, formulas expanded and modules
// renamed.
//
// It is what every engine reads. Nothing changes it after instantiate() returned it; expressions
// are ids into `pool`, whose nodes are open to all (an SMT encoder walks them by a for loop). Used
// by: semantics (evaluator), solver, analytic, export, the printer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/language/constants.h"
#include "models/language/expr.h"
#include "models/language/source.h"

namespace brink {

enum class ModelType : std::uint8_t { dtmc, ctmc, mdp };
std::string_view model_type_name(ModelType type);

/// An expression where it stands. Equal expressions in two places share the id, not the span.
struct ExprUse {
  ExprId id;
  Span span;
};

/// Index into Model::actions; 0 is the unlabelled action "".
using ActionId = std::uint32_t;
inline constexpr ActionId kUnlabelled = 0;
inline constexpr std::uint32_t kNone = UINT32_MAX;

struct Variable {
  std::string name;
  Type type = Type::integer;  ///< boolean or integer
  bool unbounded = false;     ///< `x : int;` 32 bits, leaving them is an error
  ExprUse low, high;          ///< not valid for bools and unbounded ints
  ExprUse init;  ///< the initial value (default: low, false, 0); meaningless with init...endinit
  /// The bounds as numbers (bool: 0..1, unbounded: the 32-bit limits); nothing when they depend on
  /// a parameter.
  std::optional<std::int64_t> low_value, high_value, init_value;
  std::uint32_t module = kNone;  ///< owner, index into modules; kNone: global
  Span span;                     ///< of the name in the declaration
};

struct Assignment {
  std::uint32_t variable = 0;
  ExprUse value;  ///< int expression for an int variable, bool for a bool one
  Span target;    ///< of x' in the text
};

struct Update {
  ExprUse weight;  ///< a probability or a rate; the constant 1 when none is written (span of the
                   ///< update)
  std::vector<Assignment> assignments;
  Span span;
};

struct Command {
  std::uint32_t module = 0;
  std::uint32_t number = 0;  ///< counted from 1 within its module
  ActionId action = kUnlabelled;
  ExprUse guard;
  std::vector<Update> updates;
  Span span;  ///< the whole command; of the base module's text when the module is a renamed one
};

struct Module {
  std::string name;
  std::vector<std::uint32_t> commands;  ///< indices into Model::commands, in order
  std::vector<ActionId> alphabet;       ///< labels it mentions, increasing, without kUnlabelled
  Span span;                            ///< of its name
};

struct Label {
  std::string name;
  ExprUse value;
};

struct RewardItem {
  bool on_transition = false;     ///< `[a] guard : value` rather than `guard : value`
  ActionId action = kUnlabelled;  ///< for on_transition; `[]` is kUnlabelled
  ExprUse guard, value;
  Span span;
};

struct RewardStructure {
  std::string name;  ///< may be empty
  std::vector<RewardItem> items;
};

struct Constant {
  std::string name;
  Type type = Type::integer;
  ExprId value;  ///< a constant, or an expression over parameters; invalid: undefined and unused
  bool in_file = true;  ///< the model text gives its value (rather than the user)
};

/// A constant kept symbolic.
struct Parameter {
  std::string name;
  Type type = Type::integer;
};

/// How modules move together, flattened from system...endsystem (or the default: all in parallel
/// over their alphabets). One row is one way to make a move: every participant contributes one
/// enabled command with that label; if one of them has none enabled, the row is blocked.
struct Synchronisation {
  struct Participant {
    std::uint32_t module = 0;
    ActionId action = kUnlabelled;  ///< the label in the module, before hiding and renaming
  };
  ActionId action = kUnlabelled;  ///< the label seen from outside
  std::vector<Participant> participants;
};

struct ListedStates;  // listed.h

struct Model {
  SourcePtr source;
  ModelType type = ModelType::mdp;
  bool type_written = false;  ///< the text says which type it is
  ExprPool pool;
  std::vector<std::string> actions;  ///< actions[0] = ""; then by first appearance
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;
  std::vector<Variable> variables;  ///< globals first, then module by module
  std::vector<Module> modules;
  std::vector<Command> commands;  ///< module by module
  std::vector<Label> labels;
  std::vector<Label> formulas;  ///< expanded; property files may use them
  std::vector<RewardStructure> rewards;
  std::optional<ExprUse> init;  ///< init...endinit
  std::vector<Synchronisation>
      synchronisations;     ///< unlabelled first (module order), then by action
  std::string system_text;  ///< system...endsystem as written, empty for the default composition
  /// The states and moves themselves, for a model that has no commands (listed.h); else null.
  std::shared_ptr<const ListedStates> listed;
  Diagnostics warnings;

  /// Index by name, or nothing.
  std::optional<std::uint32_t> find_variable(std::string_view name) const;
  std::optional<std::uint32_t> find_module(std::string_view name) const;
  std::optional<ActionId> find_action(std::string_view name) const;
  std::optional<std::uint32_t> find_label(std::string_view name) const;
  std::optional<std::uint32_t> find_constant(std::string_view name) const;
  std::optional<std::uint32_t> find_reward(std::string_view name) const;

  /// "module A, command 2 [go]" for messages.
  std::string describe_command(std::uint32_t command) const;
};

using ModelPtr = std::shared_ptr<const Model>;

}  // namespace brink

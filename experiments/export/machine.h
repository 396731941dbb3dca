// Machine: a model as one flat list of moves, for formats without modules and synchronisation.
//
// Commands that move together are multiplied out here, so a format only knows guards, branches and
// assignments. Used by: promela, murphi, smt2, aiger.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/export/export.h"

namespace brink::exports {

struct Branch {
  ExprUse weight;                       ///< product over the participants
  std::vector<Assignment> assignments;  ///< all read the state before the move
};

struct Move {
  std::string name;  ///< unique: the action, or module and number; "_2", ... behind repeated ones
  std::vector<std::uint32_t> commands;
  ExprUse guard;
  std::vector<Branch> branches;
};

struct Machine {
  ModelPtr model;
  ExprPool pool;  ///< extends the pool of the model (and of the properties)
  std::vector<Move> moves;
  std::vector<std::string> remarks;
};

/// More moves than this are refused.
inline constexpr std::size_t kMaxMoves = 100'000;

/// Errors: parameters, too many moves, two commands of one move that write one variable.
Result<Machine, Diagnostics> flatten(const Job& job);

/// As flatten, for formats without probabilities: every move has one branch, of weight 1. A choice
/// that a dtmc makes uniformly or a ctmc by rates becomes a free choice, with a remark.
Result<Machine, Diagnostics> flatten_untimed(const Job& job, std::string_view format);

/// The state formula below `id` as an expression of machine.pool; nothing when it is temporal or
/// numeric. "deadlock" becomes "no move is enabled", "init" what the declarations say.
std::optional<ExprId> proposition(Machine& machine, const PropertySet& set, PropId id);

/// Is the model's property a question of this shape, and about what? See solver/question.h.
enum class Claim { always, possible, recoverable, other };
struct ClaimForm {
  Claim claim = Claim::other;
  ExprId body;         ///< of machine.pool; invalid for `other`
  std::string reason;  ///< `other`: why
};
ClaimForm claim_of(Machine& machine, const PropertySet& set, const Property& property);

/// Values of the initial states. Errors: faults of the model, more than `limit` of them.
Result<std::vector<std::vector<std::int64_t>>, Diagnostics> initial_values(const Model& model,
                                                                           std::size_t limit);

/// Every guard, assigned value and the given further expressions: what a format has to be able to
/// write.
std::vector<ExprId> expressions_of(const Machine& machine, const std::vector<ExprId>& further);

}  // namespace brink::exports

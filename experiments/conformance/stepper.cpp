#include "experiments/conformance/stepper.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/check.h"

namespace brink {
namespace {

/// Per node of the pool, along the line that a command moves on: does it stay the same; is it
/// linear; is it a conjunction of linear comparisons.
struct Shape {
  bool still = false, linear = false, convex = false;
};

Shape shape_of(const ExprPool& pool, ExprId id, const std::vector<bool>& moves,
               const std::vector<Shape>& shapes) {
  const ExprNode& node = pool[id];
  if (node.kind == ExprKind::variable) {
    const bool still = !moves[static_cast<std::size_t>(node.value)];
    return {still, still || node.type == Type::integer, still};
  }
  bool still = true;
  for (const ExprId operand : node.operands()) still = still && shapes[operand.index].still;
  if (still) return {true, true, true};
  const auto at = [&](int i) -> const Shape& { return shapes[node.args[i].index]; };
  switch (node.op) {
    case Op::add:
    case Op::sub:
      return {false, at(0).linear && at(1).linear, false};
    case Op::neg:
      return {false, at(0).linear, false};
    case Op::mul:
      return {false, at(0).linear && at(1).linear && (at(0).still || at(1).still), false};
    case Op::eq:
    case Op::le:
    case Op::lt:
    case Op::ge:
    case Op::gt:
      return {false, false, at(0).linear && at(1).linear};
    case Op::and_:
      return {false, false, at(0).convex && at(1).convex};
    case Op::not_: {
      const ExprNode& inner = pool[node.args[0]];
      const bool comparison =
          inner.kind == ExprKind::apply &&
          (inner.op == Op::le || inner.op == Op::lt || inner.op == Op::ge || inner.op == Op::gt);
      return {false, false, comparison && at(0).convex};
    }
    default:
      return {};
  }
}

/// value = variable + constant?
bool is_translation(const ExprPool& pool, const Assignment& assignment) {
  const ExprNode& node = pool[assignment.value.id];
  const auto is_target = [&](ExprId id) {
    return pool[id].kind == ExprKind::variable && pool[id].value == assignment.variable &&
           pool[id].type == Type::integer;
  };
  if (is_target(assignment.value.id)) return true;
  if (node.kind != ExprKind::apply) return false;
  if (node.op == Op::sub) return is_target(node.args[0]) && pool.is_state_free(node.args[1]);
  if (node.op != Op::add) return false;
  return (is_target(node.args[0]) && pool.is_state_free(node.args[1])) ||
         (is_target(node.args[1]) && pool.is_state_free(node.args[0]));
}

}  // namespace

Stepper::Stepper(ModelPtr model) : model_(std::move(model)), evaluator_(model_) {
  std::vector<Shape> shapes(model_->pool.size());
  for (const Command& command : model_->commands) {
    std::vector<bool> moves(model_->variables.size(), false);
    bool straight = command.updates.size() == 1;
    for (const Update& update : command.updates) {
      for (const Assignment& assignment : update.assignments) {
        moves[assignment.variable] = true;
        straight = straight && is_translation(model_->pool, assignment);
      }
    }
    for (std::uint32_t i = 0; i < model_->pool.size(); ++i) {
      shapes[i] = shape_of(model_->pool, ExprId{i}, moves, shapes);
    }
    straight_.push_back(straight && shapes[command.guard.id.index].convex);
  }
}

std::optional<std::string> Stepper::once(std::uint32_t command, std::vector<std::int64_t>& state) {
  if (const auto error = evaluator_.successors(state, expansion_)) {
    return fmt::format("the model fails here: {}", to_diagnostic(*error, *model_).message);
  }
  const Choice* found = nullptr;
  for (const Choice& choice : expansion_.choices) {
    const auto commands = expansion_.commands_of(choice);
    if (std::find(commands.begin(), commands.end(), command) == commands.end()) continue;
    if (found) return std::string("the command takes part in several moves here");
    found = &choice;
  }
  if (!found) return std::string("its guard is false");
  if (found->branch_count != 1)
    return std::string("it has several outcomes, which conformance cannot follow");
  const auto target = expansion_.target(found->first_branch);
  state.assign(target.begin(), target.end());
  return std::nullopt;
}

std::optional<std::string> Stepper::run(std::uint32_t command, std::int64_t count,
                                        std::vector<std::int64_t>& state) {
  if (count <= 2 || !straight_[command]) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (auto problem = once(command, state)) {
        return i == 0 ? *problem : fmt::format("{} at repetition {} of {}", *problem, i + 1, count);
      }
    }
    return std::nullopt;
  }
  const std::vector<std::int64_t> before = state;
  if (auto problem = once(command, state)) return problem;
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] = before[i] + (state[i] - before[i]) * (count - 1);
  if (auto problem = once(command, state))
    return fmt::format("{} at repetition {} of {}", *problem, count, count);
  return std::nullopt;
}

}  // namespace brink

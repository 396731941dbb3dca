// Expansion of one state.
//
// Commands are grouped by (module, label). A row of the composition names one group per
// participant; a group's guards are evaluated once per state, on first use, and so are the updates
// of each enabled command. A row with a participant that has nothing enabled is blocked.
// Combinations and branches are counted through like the digits of a number, so that nothing is
// recursive and nothing is allocated once the buffers have grown.
#include "models/semantics/evaluator.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/base/check.h"
#include "models/semantics/listed_moves.h"
#include "models/semantics/program.h"

namespace brink {
namespace {

struct CompiledAssignment {
  std::uint32_t variable = 0;
  CodeRange value;
  std::int64_t low = 0, high = 0;
};

struct CompiledUpdate {
  CodeRange weight;
  std::uint32_t first = 0, count = 0;  // into assignments
};

struct CompiledCommand {
  CodeRange guard;
  std::uint32_t first = 0, count = 0;  // into updates
  bool sums_to_one = false;            // known beforehand
};

struct Group {
  std::vector<std::uint32_t> commands;
};

struct CompiledRow {
  ActionId action = kUnlabelled;
  std::vector<std::uint32_t> groups;
};

struct CompiledRewardItem {
  ActionId action = kUnlabelled;
  CodeRange guard, value;
  Span span{};
};

struct CompiledRewards {
  std::vector<CompiledRewardItem> states, transitions;
};

/// A value computed in the state at hand: a branch of one command. The assignments' values lie
/// beside.
struct CommandBranch {
  double weight = 0;
  std::uint32_t update = 0;       // number of the update within its command
  std::uint32_t first_value = 0;  // into values_
  std::uint32_t compiled = 0;     // index of the CompiledUpdate
};

}  // namespace

struct Evaluator::Impl {
  ModelPtr model;
  Program program;
  std::vector<CompiledCommand> commands;
  std::vector<CompiledUpdate> updates;
  std::vector<CompiledAssignment> assignments;
  std::vector<Group> groups;
  std::vector<CompiledRow> rows;
  std::vector<CodeRange> labels;
  std::vector<CompiledRewards> rewards;

  // What is known about the state at hand; a stamp tells whether it is about this state.
  std::vector<std::int64_t> frame;
  std::uint64_t stamp = 0;
  std::vector<std::uint64_t> group_stamp, command_stamp;
  std::vector<std::vector<std::uint32_t>> enabled_commands;  // per group
  std::vector<CommandBranch> branches;                       // of all commands evaluated so far
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      command_branches;  // per command: first, count
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> digits, branch_digits;

  explicit Impl(ModelPtr m);
  void compile_command(const Command& command);
  void load(std::span<const std::int64_t> valuation);
  std::optional<SemanticError> fault(SemanticFault fault, Span span, std::uint32_t command) const;
  std::optional<SemanticError> evaluate_group(std::uint32_t group);
  std::optional<SemanticError> evaluate_command(std::uint32_t command);
  std::optional<SemanticError> evaluate_update(std::uint32_t command, std::uint32_t number,
                                               double& sum);
  std::optional<SemanticError> expand_row(const CompiledRow& row,
                                          std::span<const std::int64_t> source, Expansion& out);
  std::optional<SemanticError> combine(const CompiledRow& row, std::span<const std::int64_t> source,
                                       Expansion& out);
  std::optional<SemanticError> emit(std::span<const std::int64_t> source,
                                    std::span<const std::uint32_t> moving, Expansion& out);
  std::optional<SemanticError> assign(const CommandBranch& branch, std::uint32_t command,
                                      std::size_t target, std::span<const std::uint32_t> earlier,
                                      Expansion& out);
  bool written(std::uint32_t variable, std::span<const std::uint32_t> moving) const;
  Result<bool, SemanticError> truth(const CodeRange& range, Span span,
                                    std::span<const std::int64_t> valuation);
  Result<double, SemanticError> sum_rewards(const std::vector<CompiledRewardItem>& items,
                                            bool any_action, ActionId action,
                                            std::span<const std::int64_t> valuation);
};

Evaluator::Impl::Impl(ModelPtr m)
    : model(std::move(m)), program(static_cast<std::uint32_t>(model->variables.size())) {
  BRINK_CHECK(model->parameters.empty(), "the model has parameters");
  for (const Command& command : model->commands) compile_command(command);
  std::map<std::pair<std::uint32_t, ActionId>, std::uint32_t> index;
  for (std::uint32_t c = 0; c < model->commands.size(); ++c) {
    const std::pair key{model->commands[c].module, model->commands[c].action};
    const auto [it, fresh] = index.emplace(key, groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].commands.push_back(c);
  }
  for (const Synchronisation& row : model->synchronisations) {
    CompiledRow compiled{.action = row.action, .groups = {}};
    for (const auto& p : row.participants)
      compiled.groups.push_back(index.at({p.module, p.action}));
    rows.push_back(std::move(compiled));
  }
  for (const Label& label : model->labels)
    labels.push_back(program.add(model->pool, label.value.id));
  for (const RewardStructure& structure : model->rewards) {
    CompiledRewards compiled;
    for (const RewardItem& item : structure.items) {
      auto& list = item.on_transition ? compiled.transitions : compiled.states;
      list.push_back({item.action, program.add(model->pool, item.guard.id),
                      program.add(model->pool, item.value.id), item.span});
    }
    rewards.push_back(std::move(compiled));
  }
  frame = program.make_frame();
  group_stamp.assign(groups.size(), 0);
  enabled_commands.resize(groups.size());
  command_stamp.assign(commands.size(), 0);
  command_branches.resize(commands.size());
}

void Evaluator::Impl::compile_command(const Command& command) {
  CompiledCommand compiled;
  const ExprPool& pool = model->pool;
  compiled.guard = program.add(pool, command.guard.id);
  compiled.first = static_cast<std::uint32_t>(updates.size());
  compiled.count = static_cast<std::uint32_t>(command.updates.size());
  double sum = 0;
  bool constant = true;
  for (const Update& update : command.updates) {
    constant = constant && pool.is_constant(update.weight.id);
    if (constant) sum += pool.number(update.weight.id);
    CompiledUpdate out{.weight = program.add(pool, update.weight.id),
                       .first = static_cast<std::uint32_t>(assignments.size()),
                       .count = static_cast<std::uint32_t>(update.assignments.size())};
    for (const Assignment& a : update.assignments) {
      const Variable& variable = model->variables[a.variable];
      assignments.push_back(
          {a.variable, program.add(pool, a.value.id), *variable.low_value, *variable.high_value});
    }
    updates.push_back(out);
  }
  compiled.sums_to_one = constant && std::abs(sum - 1) <= kProbabilityTolerance;
  commands.push_back(compiled);
}

void Evaluator::Impl::load(std::span<const std::int64_t> valuation) {
  BRINK_CHECK(valuation.size() == model->variables.size());
  std::ranges::copy(valuation, frame.begin());
}

std::optional<SemanticError> Evaluator::Impl::fault(SemanticFault kind, Span span,
                                                    std::uint32_t command) const {
  SemanticError error;
  error.fault = kind;
  error.command = command;
  error.span = span;
  if (kind == SemanticFault::not_a_number) error.value = std::nan("");
  return error;
}

std::optional<SemanticError> Evaluator::Impl::evaluate_group(std::uint32_t group) {
  if (group_stamp[group] == stamp) return std::nullopt;
  group_stamp[group] = stamp;
  std::vector<std::uint32_t>& found = enabled_commands[group];
  found.clear();
  for (const std::uint32_t c : groups[group].commands) {
    const CodeRange& guard = commands[c].guard;
    if (const auto f = program.run(guard, frame); f != SemanticFault::none) [[unlikely]] {
      return fault(f, model->commands[c].guard.span, c);
    }
    if (frame[guard.result] != 0) found.push_back(c);
  }
  return std::nullopt;
}

std::optional<SemanticError> Evaluator::Impl::evaluate_update(std::uint32_t command,
                                                              std::uint32_t number, double& sum) {
  const std::uint32_t index = commands[command].first + number;
  const CompiledUpdate& update = updates[index];
  const Update& source = model->commands[command].updates[number];
  if (const auto f = program.run(update.weight, frame); f != SemanticFault::none) {
    return fault(f, source.weight.span, command);
  }
  const double weight = Program::as_double(frame[update.weight.result]);
  if (!(weight >= 0) || std::isinf(weight)) [[unlikely]] {
    auto error = fault(weight < 0 && !std::isinf(weight) ? SemanticFault::negative_weight
                                                         : SemanticFault::not_a_number,
                       source.weight.span, command);
    error->value = weight;
    return error;
  }
  sum += weight;
  if (weight == 0) return std::nullopt;
  branches.push_back({weight, number, static_cast<std::uint32_t>(values.size()), index});
  for (std::uint32_t a = update.first; a < update.first + update.count; ++a) {
    const CompiledAssignment& assignment = assignments[a];
    const Assignment& written = source.assignments[a - update.first];
    if (const auto f = program.run(assignment.value, frame); f != SemanticFault::none) {
      return fault(f, written.value.span, command);
    }
    const std::int64_t value = frame[assignment.value.result];
    if (value < assignment.low || value > assignment.high) [[unlikely]] {
      const bool unbounded = model->variables[assignment.variable].unbounded;
      auto error = fault(unbounded ? SemanticFault::overflow : SemanticFault::range,
                         cover(written.target, written.value.span), command);
      error->variable = assignment.variable;
      error->value = static_cast<double>(value);
      error->low = assignment.low;
      error->high = assignment.high;
      return error;
    }
    values.push_back(value);
  }
  return std::nullopt;
}

std::optional<SemanticError> Evaluator::Impl::evaluate_command(std::uint32_t c) {
  if (command_stamp[c] == stamp) return std::nullopt;
  command_stamp[c] = stamp;
  const auto first = static_cast<std::uint32_t>(branches.size());
  double sum = 0;
  for (std::uint32_t u = 0; u < commands[c].count; ++u) {
    if (auto error = evaluate_update(c, u, sum)) return error;
  }
  command_branches[c] = {first, static_cast<std::uint32_t>(branches.size()) - first};
  if (model->type == ModelType::ctmc || commands[c].sums_to_one) return std::nullopt;
  if (std::abs(sum - 1) <= kProbabilityTolerance) return std::nullopt;
  auto error = fault(SemanticFault::probability_sum, model->commands[c].span, c);
  error->value = sum;
  return error;
}

/// Do the branches at hand of these commands assign to the variable?
bool Evaluator::Impl::written(std::uint32_t variable, std::span<const std::uint32_t> moving) const {
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const CommandBranch& branch = branches[command_branches[moving[i]].first + branch_digits[i]];
    const CompiledUpdate& update = updates[branch.compiled];
    for (std::uint32_t a = update.first; a < update.first + update.count; ++a) {
      if (assignments[a].variable == variable) return true;
    }
  }
  return false;
}

/// Writes one command's assignments into the branch whose valuation begins at `target`; `earlier`
/// are the participants that have written theirs.
std::optional<SemanticError> Evaluator::Impl::assign(const CommandBranch& branch,
                                                     std::uint32_t command, std::size_t target,
                                                     std::span<const std::uint32_t> earlier,
                                                     Expansion& out) {
  const CompiledUpdate& update = updates[branch.compiled];
  for (std::uint32_t i = 0; i < update.count; ++i) {
    const std::uint32_t variable = assignments[update.first + i].variable;
    const std::int64_t value = values[branch.first_value + i];
    std::int64_t& place = out.targets[target + variable];
    // A global that an earlier participant of the move has written must get the same value.
    if (place != value && model->variables[variable].module == kNone &&
        written(variable, earlier)) {
      auto error = fault(SemanticFault::conflicting_writes,
                         model->commands[command].updates[branch.update].span, command);
      error->variable = variable;
      return error;
    }
    place = value;
  }
  return std::nullopt;
}

/// One choice: the product of the branches of the moving commands.
std::optional<SemanticError> Evaluator::Impl::emit(std::span<const std::int64_t> source,
                                                   std::span<const std::uint32_t> moving,
                                                   Expansion& out) {
  Choice& choice = out.choices.back();
  double count = 1;
  for (const std::uint32_t c : moving) count *= command_branches[c].second;
  if (count == 0) return std::nullopt;
  if (count + static_cast<double>(out.weights.size()) > static_cast<double>(kMaxBranches)) {
    return fault(SemanticFault::too_many_choices, model->commands[moving[0]].span, moving[0]);
  }
  branch_digits.assign(moving.size(), 0);
  while (true) {
    const std::size_t target = out.targets.size();
    out.targets.insert(out.targets.end(), source.begin(), source.end());
    double weight = 1;
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const CommandBranch& branch = branches[command_branches[moving[i]].first + branch_digits[i]];
      weight *= branch.weight;
      code = code * commands[moving[i]].count + branch.update;
      if (auto error = assign(branch, moving[i], target, moving.first(i), out)) return error;
    }
    out.weights.push_back(weight);
    out.updates.push_back(code);
    ++choice.branch_count;
    std::size_t i = moving.size();
    while (i > 0 && ++branch_digits[i - 1] == command_branches[moving[i - 1]].second) {
      branch_digits[--i] = 0;
    }
    if (i == 0) return std::nullopt;
  }
}

/// All combinations of enabled commands of a row whose participants all have some.
std::optional<SemanticError> Evaluator::Impl::combine(const CompiledRow& row,
                                                      std::span<const std::int64_t> source,
                                                      Expansion& out) {
  digits.assign(row.groups.size(), 0);
  while (true) {
    Choice choice;
    choice.action = row.action;
    choice.first_command = static_cast<std::uint32_t>(out.commands.size());
    choice.command_count = static_cast<std::uint32_t>(row.groups.size());
    choice.first_branch = static_cast<std::uint32_t>(out.weights.size());
    for (std::size_t i = 0; i < row.groups.size(); ++i) {
      const std::uint32_t c = enabled_commands[row.groups[i]][digits[i]];
      if (auto error = evaluate_command(c)) return error;
      out.commands.push_back(c);
    }
    out.choices.push_back(choice);
    if (auto error = emit(source, out.commands_of(choice), out)) return error;
    if (out.choices.back().branch_count == 0) {  // all rates are 0
      out.commands.resize(choice.first_command);
      out.choices.pop_back();
    }
    std::size_t i = row.groups.size();
    while (i > 0 && ++digits[i - 1] == enabled_commands[row.groups[i - 1]].size()) digits[--i] = 0;
    if (i == 0) return std::nullopt;
  }
}

std::optional<SemanticError> Evaluator::Impl::expand_row(const CompiledRow& row,
                                                         std::span<const std::int64_t> source,
                                                         Expansion& out) {
  for (const std::uint32_t group : row.groups) {
    if (auto error = evaluate_group(group)) return error;
    if (enabled_commands[group].empty()) return std::nullopt;
  }
  return combine(row, source, out);
}

Result<bool, SemanticError> Evaluator::Impl::truth(const CodeRange& range, Span span,
                                                   std::span<const std::int64_t> valuation) {
  load(valuation);
  if (const auto f = program.run(range, frame); f != SemanticFault::none) {
    return fail(*fault(f, span, kNone));
  }
  return frame[range.result] != 0;
}

Result<double, SemanticError> Evaluator::Impl::sum_rewards(
    const std::vector<CompiledRewardItem>& items, bool any_action, ActionId action,
    std::span<const std::int64_t> valuation) {
  load(valuation);
  double sum = 0;
  for (const CompiledRewardItem& item : items) {
    if (!any_action && item.action != action) continue;
    auto f = program.run(item.guard, frame);
    if (f == SemanticFault::none && frame[item.guard.result] == 0) continue;
    if (f == SemanticFault::none) f = program.run(item.value, frame);
    if (f != SemanticFault::none) return fail(*fault(f, item.span, kNone));
    const double value = Program::as_double(frame[item.value.result]);
    if (!std::isfinite(value)) {
      auto error = fault(SemanticFault::not_a_number, item.span, kNone);
      error->value = value;
      return fail(*error);
    }
    sum += value;
  }
  return sum;
}

void Expansion::clear() {
  choices.clear();
  commands.clear();
  weights.clear();
  targets.clear();
  updates.clear();
  choice_weight = 1;
}

Evaluator::Evaluator(ModelPtr model) : impl_(std::make_unique<Impl>(std::move(model))) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(const Evaluator& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Evaluator& Evaluator::operator=(const Evaluator& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

const Model& Evaluator::model() const { return *impl_->model; }

std::optional<SemanticError> Evaluator::successors(std::span<const std::int64_t> valuation,
                                                   Expansion& out) {
  Impl& impl = *impl_;
  if (impl.model->listed) {
    listed_successors(*impl.model, valuation, out);
    return std::nullopt;
  }
  impl.load(valuation);
  ++impl.stamp;
  impl.branches.clear();
  impl.values.clear();
  out.clear();
  out.variables = valuation.size();
  for (const CompiledRow& row : impl.rows) {
    if (auto error = impl.expand_row(row, valuation, out)) return error;
  }
  if (impl.model->type == ModelType::dtmc && out.choices.size() > 1) {
    out.choice_weight = 1.0 / static_cast<double>(out.choices.size());
  }
  return std::nullopt;
}

Result<bool, SemanticError> Evaluator::enabled(std::uint32_t command,
                                               std::span<const std::int64_t> valuation) {
  auto result = impl_->truth(impl_->commands[command].guard,
                             impl_->model->commands[command].guard.span, valuation);
  if (!result) result.error().command = command;
  return result;
}

Result<bool, SemanticError> Evaluator::label(std::uint32_t label,
                                             std::span<const std::int64_t> valuation) {
  return impl_->truth(impl_->labels[label], impl_->model->labels[label].value.span, valuation);
}

Result<double, SemanticError> Evaluator::state_reward(std::uint32_t structure,
                                                      std::span<const std::int64_t> valuation) {
  if (const auto& listed = impl_->model->listed) {
    return listed_reward(*listed, structure, std::nullopt, valuation);
  }
  return impl_->sum_rewards(impl_->rewards[structure].states, true, kUnlabelled, valuation);
}

Result<double, SemanticError> Evaluator::transition_reward(
    std::uint32_t structure, ActionId action, std::span<const std::int64_t> valuation) {
  if (const auto& listed = impl_->model->listed) {
    return listed_reward(*listed, structure, action, valuation);
  }
  return impl_->sum_rewards(impl_->rewards[structure].transitions, false, action, valuation);
}

bool Evaluator::has_state_rewards(std::uint32_t structure) const {
  if (const auto& listed = impl_->model->listed) return !listed->rewards[structure].states.empty();
  return !impl_->rewards[structure].states.empty();
}

bool Evaluator::has_transition_rewards(std::uint32_t structure) const {
  if (const auto& listed = impl_->model->listed) return !listed->rewards[structure].choices.empty();
  return !impl_->rewards[structure].transitions.empty();
}

}  // namespace brink

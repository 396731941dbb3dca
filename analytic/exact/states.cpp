// The same semantics as models/semantics/evaluator.h, in rationals and without haste: rows of the
// composition, products of enabled commands, products of their updates. The tests hold the two
// against each other. Tried and dropped: taking guards and updates from the evaluator and only the
// weights exactly, which decides (s+1)*1/3 = 0.333 by doubles.
#include "analytic/exact/states.h"

#include <fmt/core.h>

#include <chrono>
#include <map>
#include <set>

#include "models/base/check.h"

namespace brink::analytic::exact {
namespace {

using Valuation = std::vector<std::int64_t>;

struct Failed {
  BuildFailure failure;
};

class Explorer {
 public:
  Explorer(const ModelPtr& model, const BuildLimits& limits)
      : model_(*model), limits_(limits), evaluate_(model->pool) {
    out_.model = model;
    out_.moves.continuous = model->type == ModelType::ctmc;
  }

  States run() {
    if (auto error = for_each_initial_state(model_, [&](std::span<const std::int64_t> state) {
          number({state.begin(), state.end()});
          return true;
        }))
      stop_at(*error, {});
    out_.initial_count = static_cast<std::uint32_t>(out_.valuations.size());
    if (out_.initial_count == 0)
      throw Failed{{BuildFailure::Kind::model_error, "there is no initial state", {}, {}}};
    for (std::uint32_t s = 0; s < out_.valuations.size(); ++s) {
      check_limits(s);
      expand(s);
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void stop_at(const SemanticError& error, const Valuation& state) const {
    throw Failed{
        {BuildFailure::Kind::model_error, to_diagnostic(error, model_).message, error, state}};
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Failed{{BuildFailure::Kind::unsupported, what, {}, {}}};
  }

  void check_limits(std::uint32_t done) const {
    std::string why;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed))
      why = "interrupted";
    else if (limits_.states != 0 && out_.valuations.size() > limits_.states)
      why = fmt::format("limit of {} states reached", limits_.states);
    else if (limits_.seconds != 0 && seconds > limits_.seconds)
      why = fmt::format("time limit of {} s reached", limits_.seconds);
    else if (limits_.bytes != 0 && entries_ * 120 + done * 200ull > limits_.bytes)
      why = fmt::format("memory limit of {} bytes reached", limits_.bytes);
    if (!why.empty()) throw Failed{{BuildFailure::Kind::limit, why, {}, {}}};
  }

  std::uint32_t number(const Valuation& state) {
    const auto [place, fresh] =
        index_.emplace(state, static_cast<std::uint32_t>(out_.valuations.size()));
    if (fresh) out_.valuations.push_back(state);
    return place->second;
  }

  Rational value(const ExprUse& use, const Valuation& state) {
    auto out = evaluate_(use.id, state);
    if (!out)
      refuse(
          "an expression of the model without an exact value (a logarithm, a root or a division "
          "by 0)");
    return std::move(*out);
  }

  struct Branch {
    Rational weight;
    std::map<std::uint32_t, std::int64_t> written;
  };

  std::vector<Branch> branches(std::uint32_t index, const Valuation& state) {
    const Command& command = model_.commands[index];
    std::vector<Branch> out;
    Rational sum = 0;
    for (const Update& update : command.updates) {
      Branch branch{value(update.weight, state), {}};
      const double weight = branch.weight.convert_to<double>();
      if (branch.weight < 0)
        stop_at({SemanticFault::negative_weight, kNone, index, weight, 0, 0, update.weight.span},
                state);
      sum += branch.weight;
      if (branch.weight == 0) continue;
      for (const Assignment& assignment : update.assignments) {
        const Variable& variable = model_.variables[assignment.variable];
        const Rational v = value(assignment.value, state);
        if (v < *variable.low_value || v > *variable.high_value)
          stop_at({SemanticFault::range, assignment.variable, index, v.convert_to<double>(),
                   *variable.low_value, *variable.high_value,
                   cover(assignment.target, assignment.value.span)},
                  state);
        branch.written[assignment.variable] =
            static_cast<std::int64_t>(mp::numerator(v).convert_to<std::int64_t>());
      }
      out.push_back(std::move(branch));
    }
    if (!out_.moves.continuous && sum != 1) {
      SemanticError error{SemanticFault::probability_sum,
                          kNone,
                          index,
                          sum.convert_to<double>(),
                          0,
                          0,
                          command.span};
      throw Failed{{BuildFailure::Kind::model_error,
                    fmt::format("the probabilities of {} sum to {}, not to exactly 1",
                                model_.describe_command(index), sum.str()),
                    error, state}};
    }
    return out;
  }

  /// One combination of commands: the product of their branches.
  std::vector<Branch> product(const std::vector<std::uint32_t>& commands, const Valuation& state) {
    std::vector<Branch> out = {{1, {}}};
    for (const std::uint32_t command : commands) {
      std::vector<Branch> next;
      for (const Branch& a : out)
        for (const Branch& b : branches(command, state)) {
          Branch both{a.weight * b.weight, a.written};
          for (const auto& [variable, v] : b.written) {
            const auto [place, fresh] = both.written.emplace(variable, v);
            if (!fresh && place->second != v)
              stop_at({SemanticFault::conflicting_writes, variable, command, 0, 0, 0,
                       model_.commands[command].span},
                      state);
          }
          next.push_back(std::move(both));
        }
      out = std::move(next);
    }
    return out;
  }

  /// All combinations of one enabled command for each participant.
  std::vector<std::vector<std::uint32_t>> combinations(const Synchronisation& row,
                                                       const std::vector<bool>& enabled) const {
    std::vector<std::vector<std::uint32_t>> out = {{}};
    for (const auto& participant : row.participants) {
      std::vector<std::vector<std::uint32_t>> next;
      for (const auto& chosen : out)
        for (const std::uint32_t c : model_.modules[participant.module].commands) {
          if (!enabled[c] || model_.commands[c].action != participant.action) continue;
          next.push_back(chosen);
          next.back().push_back(c);
        }
      out = std::move(next);
    }
    return out;
  }

  void expand(std::uint32_t s) {
    const Valuation state = out_.valuations[s];
    std::vector<bool> enabled(model_.commands.size());
    for (std::size_t c = 0; c < enabled.size(); ++c)
      enabled[c] = value(model_.commands[c].guard, state) != 0;
    struct Choice {
      ActionId action;
      std::map<std::uint32_t, Rational> row;
      Rational sum;
    };
    std::vector<Choice> choices;
    for (const Synchronisation& row : model_.synchronisations)
      for (const auto& commands : combinations(row, enabled)) {
        Choice choice{row.action, {}, 0};
        for (const Branch& branch : product(commands, state)) {
          Valuation target = state;
          for (const auto& [variable, v] : branch.written) target[variable] = v;
          choice.row[number(target)] += branch.weight;
          choice.sum += branch.weight;
        }
        if (!choice.row.empty()) choices.push_back(std::move(choice));
      }
    out_.deadlock.push_back(choices.empty());
    if (model_.type == ModelType::mdp) {
      for (const Choice& choice : choices) add_row(choice.row, {{choice.action, 1}});
      if (choices.empty()) add_row({{s, 1}}, {});
    } else {
      std::map<std::uint32_t, Rational> all;
      std::vector<std::pair<ActionId, Rational>> jumps;
      const Rational share =
          model_.type == ModelType::dtmc && !choices.empty() ? Rational(1, choices.size()) : 1;
      for (const Choice& choice : choices) {
        for (const auto& [target, weight] : choice.row) all[target] += weight * share;
        jumps.emplace_back(choice.action, choice.sum * share);
      }
      if (choices.empty()) all[s] = 1;
      add_row(all, std::move(jumps));
    }
    out_.moves.first.push_back(static_cast<std::uint32_t>(out_.moves.rows.size()));
  }

  void add_row(const std::map<std::uint32_t, Rational>& row,
               std::vector<std::pair<ActionId, Rational>> jumps) {
    std::vector<Move> moves;
    for (const auto& [target, weight] : row) moves.push_back({target, weight});
    entries_ += moves.size();
    out_.moves.rows.push_back(std::move(moves));
    out_.jumps.push_back(std::move(jumps));
  }

  const Model& model_;
  const BuildLimits& limits_;
  Expressions evaluate_;
  States out_;
  std::map<Valuation, std::uint32_t> index_;
  std::uint64_t entries_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<States, BuildFailure> explore(const ModelPtr& model, const BuildLimits& limits) {
  if (!model->parameters.empty() || model->listed)
    return fail(BuildFailure{BuildFailure::Kind::unsupported,
                             "exact arithmetic needs a model in PRISM's language with values for "
                             "all constants",
                             {},
                             {}});
  try {
    return Explorer(model, limits).run();
  } catch (const Failed& failed) {
    return fail(failed.failure);
  }
}

Chain Moves::chain() const {
  ChainBuilder builder(ChainKind::continuous);
  for (std::uint32_t s = 0; s < size(); ++s) {
    for (std::uint32_t c = first[s]; c < first[s + 1]; ++c)
      for (const Move& move : rows[c]) builder.add(move.target, 1);
    builder.end_row();
  }
  return *std::move(builder).finish();
}

DecisionProcess Moves::process() const {
  DecisionBuilder builder;
  for (std::uint32_t s = 0; s < size(); ++s) {
    for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
      for (const Move& move : rows[c])
        builder.add(move.target, 1 / static_cast<double>(rows[c].size()));
      builder.end_choice();
    }
    builder.end_state();
  }
  return *std::move(builder).finish();
}

Result<Rewards, std::string> rewards(const States& states, std::uint32_t structure) {
  Rewards out;
  Expressions evaluate(states.model->pool);
  const auto& items = states.model->rewards[structure].items;
  bool defined = true;
  const auto sum = [&](const std::vector<std::int64_t>& state, std::optional<ActionId> action) {
    Rational total = 0;
    for (const RewardItem& item : items) {
      if (item.on_transition != action.has_value() || (action && item.action != *action)) continue;
      const auto guard = evaluate(item.guard.id, state);
      const auto value = guard && *guard != 0 ? evaluate(item.value.id, state) : guard;
      defined = defined && value.has_value();
      if (value) total += *value;
    }
    return total;
  };
  for (std::uint32_t s = 0; s < states.size(); ++s) {
    out.of_states.push_back(sum(states.valuations[s], std::nullopt));
    for (std::uint32_t c = states.moves.first[s]; c < states.moves.first[s + 1]; ++c) {
      Rational total = out.of_states.back();
      for (const auto& [action, weight] : states.jumps[c])
        total += weight * sum(states.valuations[s], action);
      out.of_choices.push_back(std::move(total));
    }
  }
  if (!defined) return fail(std::string("a reward without an exact value"));
  return out;
}

}  // namespace brink::analytic::exact

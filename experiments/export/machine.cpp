#include "experiments/export/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/semantics/evaluator.h"
#include "solver/question.h"

namespace brink::exports {
namespace {

/// Product of two sets of branches. Error: both write a variable, differently.
Result<std::vector<Branch>, Diagnostics> product(Machine& machine, const std::vector<Branch>& left,
                                                 const Command& command) {
  std::vector<Branch> out;
  for (const Branch& branch : left) {
    for (const Update& update : command.updates) {
      if (machine.pool.is_constant(update.weight.id) && machine.pool.number(update.weight.id) == 0)
        continue;
      Branch joined = branch;
      joined.weight = {machine.pool.apply(Op::mul, branch.weight.id, update.weight.id),
                       update.weight.span};
      for (const Assignment& a : update.assignments) {
        const auto same = std::ranges::find(joined.assignments, a.variable, &Assignment::variable);
        if (same == joined.assignments.end()) {
          joined.assignments.push_back(a);
        } else if (same->value.id != a.value.id) {
          return fail(
              refuse(*machine.model, a.target,
                     fmt::format("two commands of one move write `{}`",
                                 machine.model->variables[a.variable].name),
                     "whether they agree is decided state by state, which cannot be exported"));
        }
      }
      out.push_back(std::move(joined));
    }
  }
  return out;
}

struct Naming {
  std::set<std::string> used;

  std::string unique(const std::string& wish) {
    std::string name = wish;
    for (int i = 2; !used.insert(name).second; ++i) name = fmt::format("{}_{}", wish, i);
    return name;
  }
};

std::string wish_of(const Model& model, const Synchronisation& row, const Move& move) {
  if (row.action != kUnlabelled) return model.actions[row.action];
  const Command& command = model.commands[move.commands.front()];
  return fmt::format("{}_{}", model.modules[command.module].name, command.number);
}

/// Adds the moves of one synchronisation: every combination of one command per participant, the
/// last one fastest, as the evaluator does.
Result<void, Diagnostics> add_moves(Machine& machine, const Synchronisation& row, Naming& naming) {
  const Model& model = *machine.model;
  const ExprId one = machine.pool.integer(1);
  std::vector<Move> partial(1);
  partial[0].guard = {machine.pool.boolean(true), {}};
  partial[0].branches.push_back({{one, {}}, {}});
  for (const auto& participant : row.participants) {
    std::vector<Move> longer;
    for (const Move& move : partial) {
      for (const std::uint32_t c : model.modules[participant.module].commands) {
        const Command& command = model.commands[c];
        if (command.action != participant.action) continue;
        Move joined = move;
        joined.commands.push_back(c);
        joined.guard = {machine.pool.and_(move.guard.id, command.guard.id), command.guard.span};
        auto branches = product(machine, move.branches, command);
        if (!branches) return fail(branches.error());
        joined.branches = std::move(*branches);
        if (!machine.pool.is_false(joined.guard.id)) longer.push_back(std::move(joined));
        if (longer.size() + machine.moves.size() > kMaxMoves) {
          return fail(refuse(model, command.span,
                             fmt::format("more than {} combinations of commands", kMaxMoves)));
        }
      }
    }
    partial = std::move(longer);
  }
  for (Move& move : partial) {
    if (move.commands.empty() || move.branches.empty()) continue;
    move.name = naming.unique(wish_of(model, row, move));
    machine.moves.push_back(std::move(move));
  }
  return {};
}

}  // namespace

Result<Machine, Diagnostics> flatten(const Job& job) {
  const Model& model = *job.model;
  if (!model.parameters.empty()) {
    return fail(refuse(model, {},
                       fmt::format("constant `{}` has no value", model.parameters[0].name),
                       "give it one with --const"));
  }
  Machine machine{job.model, job.properties ? job.properties->pool : model.pool, {}, {}};
  Naming naming;
  for (const Synchronisation& row : model.synchronisations) {
    if (auto added = add_moves(machine, row, naming); !added) return fail(added.error());
  }
  return machine;
}

Result<Machine, Diagnostics> flatten_untimed(const Job& job, std::string_view format) {
  auto machine = flatten(job);
  if (!machine) return machine;
  const Model& model = *job.model;
  for (const Move& move : machine->moves) {
    const ExprUse& weight = move.branches[0].weight;
    const bool certain = move.branches.size() == 1 && machine->pool.is_constant(weight.id) &&
                         machine->pool.number(weight.id) == 1;
    if (certain) continue;
    const bool rates = model.type == ModelType::ctmc;
    return fail(refuse(model, model.commands[move.commands[0]].span,
                       fmt::format("{} has no {}", format, rates ? "rates" : "probabilities"),
                       "write the branches as commands of their own, which may be taken or not"));
  }
  if (model.type == ModelType::dtmc) {
    machine->remarks.emplace_back(
        "choices between commands are free here, not uniform as in a dtmc");
  } else if (model.type == ModelType::ctmc) {
    machine->remarks.emplace_back("the rates (all 1) are left out: choices are free and untimed");
  }
  return machine;
}

std::optional<ExprId> proposition(Machine& machine, const PropertySet& set, PropId root) {
  ExprPool& pool = machine.pool;
  const Model& model = *machine.model;
  const std::vector<bool> below = solver::nodes_below(set, root);
  const std::vector<bool> plain = solver::propositional_nodes(set);
  if (!root.valid() || !plain[root.index]) return std::nullopt;
  std::vector<ExprId> value(set.nodes.size());
  for (std::uint32_t i = 0; i <= root.index; ++i) {
    if (!below[i]) continue;
    const PropNode& node = set.nodes[i];
    if (node.kind == PropKind::atom) {
      value[i] = node.expr;
    } else if (node.kind == PropKind::deadlock) {
      value[i] = pool.boolean(true);
      for (const Move& move : machine.moves) {
        value[i] = pool.and_(value[i], pool.not_(move.guard.id));
      }
    } else if (node.kind == PropKind::init) {
      value[i] = model.init ? model.init->id : pool.boolean(true);
      for (std::uint32_t v = 0; !model.init && v < model.variables.size(); ++v) {
        const ExprId variable = pool.variable(v, model.variables[v].type);
        value[i] = pool.and_(value[i], pool.eq(variable, model.variables[v].init.id));
      }
    } else {
      ExprId args[3];
      for (std::size_t a = 0; a < node.args.size(); ++a) args[a] = value[node.args[a].index];
      value[i] = pool.apply(node.op, args[0], args[1], args[2]);
    }
  }
  if (pool.type(value[root.index]) != Type::boolean) return std::nullopt;
  return value[root.index];
}

ClaimForm claim_of(Machine& machine, const PropertySet& set, const Property& property) {
  const solver::Form form = solver::form_of(solver::ask(set, property));
  ClaimForm out;
  switch (form.shape) {
    case solver::Shape::always:
      out.claim = Claim::always;
      break;
    case solver::Shape::possible:
      out.claim = Claim::possible;
      break;
    case solver::Shape::recoverable:
      out.claim = Claim::recoverable;
      break;
    default:
      out.reason = form.reason.empty() ? "it is none of A [ G p ], E [ F p ], A [ G (E [ F p ]) ]"
                                       : form.reason;
      return out;
  }
  const auto body = proposition(machine, set, form.body);
  if (!body) return {Claim::other, {}, "its body is not a state formula"};
  out.body = *body;
  return out;
}

Result<std::vector<std::vector<std::int64_t>>, Diagnostics> initial_values(const Model& model,
                                                                           std::size_t limit) {
  std::vector<std::vector<std::int64_t>> values;
  bool more = false;
  const auto error = for_each_initial_state(model, [&](std::span<const std::int64_t> state) {
    more = values.size() == limit;
    if (!more) values.emplace_back(state.begin(), state.end());
    return !more;
  });
  if (error) return fail(Diagnostics{to_diagnostic(*error, model)});
  if (more) {
    return fail(refuse(model, model.init ? model.init->span : Span{},
                       fmt::format("more than {} initial states", limit)));
  }
  if (values.empty()) return fail(refuse(model, model.init->span, "there is no initial state"));
  return values;
}

std::vector<ExprId> expressions_of(const Machine& machine, const std::vector<ExprId>& further) {
  std::vector<ExprId> out = further;
  for (const Move& move : machine.moves) {
    out.push_back(move.guard.id);
    for (const Branch& branch : move.branches) {
      for (const Assignment& a : branch.assignments) out.push_back(a.value.id);
    }
  }
  return out;
}

}  // namespace brink::exports

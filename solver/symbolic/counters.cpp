#include "solver/symbolic/counters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "models/base/check.h"

namespace brink::solver {
namespace {

constexpr std::size_t max_commands = 3000;

std::uint32_t index(std::size_t i) { return static_cast<std::uint32_t>(i); }

/// Both truths of what must hold for weights: GaveUp unless they are good constants.
void check_weights(const Model& model, std::uint32_t command) {
  double sum = 0;
  for (const Update& update : model.commands[command].updates) {
    if (!model.pool.is_constant(update.weight.id))
      throw GaveUp{fmt::format("a probability or rate that is no constant in {}",
                               model.describe_command(command))};
    const double weight = model.pool.number(update.weight.id);
    if (!(weight >= 0))
      throw GaveUp{fmt::format("a negative weight in {}", model.describe_command(command))};
    sum += weight;
  }
  if (model.type != ModelType::ctmc && std::abs(sum - 1) > 1e-6)
    throw GaveUp{
        fmt::format("probabilities that do not sum to 1 in {}", model.describe_command(command))};
}

/// Where the guard fixes a counter's old value, setting it is adding to it.
void as_shifts(CounterCommand& command) {
  const auto& atoms = command.guard.atoms();
  for (const Linear& atom : atoms) {
    if (atom.factors.size() != 1 || atom.factors[0].second != 1) continue;
    const std::uint32_t v = atom.factors[0].first;
    if (v >= command.next.size() || !command.next[v] || !command.next[v]->is_number()) continue;
    if (std::find(atoms.begin(), atoms.end(), -1 * atom) == atoms.end()) continue;
    const std::int64_t old = -atom.constant;
    const std::int64_t change = command.next[v]->constant - old;
    command.next[v] = Linear::symbol(v) + Linear::number(change);
    if (change == 0) command.next[v].reset();
  }
}

}  // namespace

CounterBuilder::CounterBuilder(const Question& question)
    : question_(question), cases_(*question.model) {
  const Model& model = *question.model;
  if (model.listed) throw GaveUp{"listed states instead of commands"};
  system_.model = question.model;
  system_.variables = model.variables.size();
  for (std::uint32_t v = 0; v < model.variables.size(); ++v)
    if (model.variables[v].low_value && model.variables[v].high_value)
      cases_.set_bounds(v, *model.variables[v].low_value, *model.variables[v].high_value);
  system_.legal = dnf_true();
  if (question.properties != nullptr && !model.parameters.empty())
    for (const Annotation& a : question.properties->annotations)
      if (a.kind == AnnotationKind::assume)
        system_.legal =
            conjunction(system_.legal, cases_.truth(question.properties->pool, a.condition));
  legality();
  initial_states();
  moves();
  refresh();
}

/// Quotients turn up as formulas are translated: their definitions belong to what is legal.
void CounterBuilder::refresh() {
  system_.symbols = cases_.symbols();
  system_.definitions = cases_.definitions();
  Dnf legal;
  for (Cube cube : system_.legal)
    if (cube.add(cases_.definitions())) legal.push_back(std::move(cube));
  system_.legal = std::move(legal);
}

Linear CounterBuilder::bound(ExprId id) {
  const auto cases = cases_.number(question_.model->pool, id);
  if (cases.size() != 1 || cases.front().denominator != 1 || !cases.front().when.atoms().empty())
    throw GaveUp{"a bound or initial value that needs cases"};
  return cases.front().value;
}

void CounterBuilder::legality() {
  const Model& model = *question_.model;
  Cube good;
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const Variable& variable = model.variables[v];
    Linear low = Linear::number(0), high = Linear::number(1);
    if (variable.low_value)
      low = Linear::number(*variable.low_value);
    else
      low = bound(variable.low.id);
    if (variable.high_value)
      high = Linear::number(*variable.high_value);
    else
      high = bound(variable.high.id);
    good.add(high - low);
    system_.ranges.add(Linear::symbol(v) - low);
    system_.ranges.add(high - Linear::symbol(v));
    if (!model.init && variable.type == Type::integer) {
      const Linear init =
          variable.init_value ? Linear::number(*variable.init_value) : bound(variable.init.id);
      good.add(init - low);
      good.add(high - init);
    }
    low_.push_back(std::move(low));
    high_.push_back(std::move(high));
  }
  for (std::uint32_t p = 0; p < model.parameters.size(); ++p)
    if (model.parameters[p].type == Type::boolean) {
      const Linear symbol = Linear::symbol(index(system_.variables + p));
      good.add(symbol);
      good.add(Linear::number(1) - symbol);
    }
  system_.legal = conjunction(system_.legal, {good});
}

void CounterBuilder::initial_states() {
  const Model& model = *question_.model;
  if (model.init) {
    system_.initial = conjunction(cases_.truth(model.pool, model.init->id), {system_.ranges});
    return;
  }
  system_.initial = dnf_true();
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const Variable& variable = model.variables[v];
    Dnf value;
    if (variable.init_value || variable.type == Type::integer) {
      const Linear init =
          variable.init_value ? Linear::number(*variable.init_value) : bound(variable.init.id);
      Cube cube;
      cube.add_equal(Linear::symbol(v), init);
      value = {cube};
    } else {
      for (const bool way : {true, false}) {
        Cube cube;
        cube.add_equal(Linear::symbol(v), Linear::number(way ? 1 : 0));
        value = disjunction(value,
                            conjunction({cube}, cases_.truth(model.pool, variable.init.id, way)));
      }
    }
    system_.initial = conjunction(system_.initial, value);
  }
}

void CounterBuilder::moves() {
  const Model& model = *question_.model;
  using Picks = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  for (std::uint32_t c = 0; c < model.commands.size(); ++c) check_weights(model, c);
  for (const Synchronisation& row : model.synchronisations) {
    std::vector<Picks> partial(1);
    for (const auto& participant : row.participants) {
      std::vector<Picks> longer;
      for (const Picks& picks : partial)
        for (const std::uint32_t c : model.modules[participant.module].commands) {
          const Command& command = model.commands[c];
          if (command.action != participant.action || model.pool.is_false(command.guard.id))
            continue;
          for (std::uint32_t u = 0; u < command.updates.size(); ++u) {
            if (model.pool.number(command.updates[u].weight.id) == 0) continue;
            longer.push_back(picks);
            longer.back().emplace_back(c, u);
          }
          if (longer.size() > max_commands) throw GaveUp{"too many synchronised commands"};
        }
      partial = std::move(longer);
    }
    for (const Picks& picks : partial) move(picks);
  }
}

void CounterBuilder::move(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& picks) {
  const Model& model = *question_.model;
  struct Partial {
    Cube when;
    std::vector<std::optional<Linear>> next;
  };
  std::vector<Partial> partial{{{}, std::vector<std::optional<Linear>>(system_.variables)}};
  std::uint32_t updates = 0;
  std::vector<std::uint32_t> commands;
  for (const auto& [c, u] : picks) {
    const Command& command = model.commands[c];
    commands.push_back(c);
    updates = updates * index(command.updates.size()) + u;
    std::vector<Partial> longer;
    const Dnf guard = conjunction({system_.ranges}, cases_.truth(model.pool, command.guard.id));
    for (const Partial& p : partial)
      for (const Cube& cube : guard) {
        Partial both = p;
        if (both.when.add(cube)) longer.push_back(std::move(both));
      }
    partial = std::move(longer);
    for (const Assignment& a : command.updates[u].assignments) {
      std::vector<Case> values;
      if (model.variables[a.variable].type == Type::boolean) {
        for (const bool way : {true, false})
          for (const Cube& cube : cases_.truth(model.pool, a.value.id, way))
            values.push_back({cube, Linear::number(way ? 1 : 0), 1});
      } else {
        values = cases_.number(model.pool, a.value.id);
      }
      longer.clear();
      for (const Partial& p : partial)
        for (const Case& value : values) {
          if (value.denominator != 1) throw GaveUp{"an update that is no integer"};
          Partial both = p;
          if (both.next[a.variable]) throw GaveUp{"a move that writes a variable twice"};
          if (!both.when.add(value.when)) continue;
          if (!(value.value == Linear::symbol(a.variable))) both.next[a.variable] = value.value;
          longer.push_back(std::move(both));
          if (longer.size() > max_commands) throw GaveUp{"too many cases of one move"};
        }
      partial = std::move(longer);
    }
  }
  for (Partial& p : partial) {
    CounterCommand command{commands, updates, std::move(p.when), {}, std::move(p.next)};
    as_shifts(command);
    command.inside = command.guard;
    for (std::uint32_t v = 0; v < system_.variables; ++v) {
      if (!command.next[v]) continue;
      for (const Linear& stays : {*command.next[v] - low_[v], high_[v] - *command.next[v]}) {
        Cube leaves = command.guard;
        if (leaves.add(negation(stays))) system_.faults = disjunction(system_.faults, {leaves});
        command.inside.add(stays);
      }
    }
    if (command.inside.possible()) system_.commands.push_back(std::move(command));
    if (system_.commands.size() > max_commands) throw GaveUp{"too many commands and cases"};
  }
}

Dnf CounterBuilder::deadlock(bool positive) {
  const Model& model = *question_.model;
  Dnf out = positive ? dnf_true() : Dnf{};
  for (const Synchronisation& row : model.synchronisations) {
    Dnf blocked;
    Dnf enabled = dnf_true();
    for (const auto& participant : row.participants) {
      Dnf none = dnf_true(), some;
      for (const std::uint32_t c : model.modules[participant.module].commands) {
        const Command& command = model.commands[c];
        if (command.action != participant.action) continue;
        if (positive)
          none = conjunction(none, conjunction({system_.ranges},
                                               cases_.truth(model.pool, command.guard.id, false)));
        else
          some = disjunction(some, cases_.truth(model.pool, command.guard.id));
      }
      blocked = disjunction(blocked, none);
      enabled = conjunction(enabled, some);
    }
    out = positive ? conjunction(out, blocked) : disjunction(out, enabled);
  }
  return out;
}

Dnf CounterBuilder::formula(PropId root, bool positive) {
  const PropertySet& set = *question_.properties;
  const PropNode& node = set[root];
  const auto part = [&](std::size_t i, bool way) { return formula(node.args[i], way); };
  Dnf out;
  switch (node.kind) {
    case PropKind::atom:
      out = cases_.truth(set.pool, node.expr, positive);
      break;
    case PropKind::deadlock:
      out = deadlock(positive);
      break;
    case PropKind::init: {
      out = positive ? system_.initial : dnf_true();
      if (positive) break;
      for (const Cube& cube : system_.initial) {
        Dnf outside;
        for (const Linear& atom : cube.atoms()) {
          Cube one;
          if (one.add(negation(atom))) outside = disjunction(outside, {one});
        }
        out = conjunction(out, outside);
      }
      break;
    }
    case PropKind::apply: {
      const bool all = node.op == Op::and_ ? positive : !positive;
      switch (node.op) {
        case Op::not_:
          return part(0, !positive);
        case Op::and_:
        case Op::or_:
          out = all ? conjunction(part(0, positive), part(1, positive))
                    : disjunction(part(0, positive), part(1, positive));
          break;
        case Op::implies:
          out = positive ? disjunction(part(0, false), part(1, true))
                         : conjunction(part(0, true), part(1, false));
          break;
        case Op::iff:
        case Op::eq:
        case Op::ne: {
          const bool same = (node.op == Op::ne) != positive;
          out = disjunction(conjunction(part(0, true), part(1, same)),
                            conjunction(part(0, false), part(1, !same)));
          break;
        }
        case Op::ite:
          out = disjunction(conjunction(part(0, true), part(1, positive)),
                            conjunction(part(0, false), part(2, positive)));
          break;
        default:
          throw GaveUp{"an operator between formulas"};
      }
      break;
    }
    default:
      throw GaveUp{"a temporal operator inside"};
  }
  refresh();
  return out;
}

Dnf CounterBuilder::target(const Form& form) {
  if (form.shape == Shape::range) return system_.faults;
  return formula(form.body, form.shape == Shape::possible);
}

Linear after(const CounterCommand& command, const Linear& term) {
  return substitute(term, [&](std::uint32_t s) -> const Linear* {
    return s < command.next.size() && command.next[s] ? &*command.next[s] : nullptr;
  });
}

Cube after(const CounterCommand& command, const Cube& cube) {
  return substitute(cube, [&](std::uint32_t s) -> const Linear* {
    return s < command.next.size() && command.next[s] ? &*command.next[s] : nullptr;
  });
}

std::optional<Shift> shift_of(const CounterSystem& system, const CounterCommand& command) {
  Shift out;
  out.by.resize(system.variables);
  out.set.resize(system.variables);
  const auto over_constants = [&](const Linear& t) {
    return std::none_of(t.factors.begin(), t.factors.end(),
                        [&](const auto& f) { return system.is_variable(f.first); });
  };
  for (std::uint32_t v = 0; v < system.variables; ++v) {
    if (!command.next[v]) continue;
    const Linear change = *command.next[v] - Linear::symbol(v);
    if (over_constants(change))
      out.by[v] = change;
    else if (over_constants(*command.next[v]))
      out.set[v] = *command.next[v];
    else
      return std::nullopt;
    out.constant = out.constant && out.by[v].is_number();
  }
  return out;
}

}  // namespace brink::solver

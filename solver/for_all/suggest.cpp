#include "solver/for_all/suggest.h"

#include <algorithm>
#include <limits>
#include <map>

#include "solver/budget.h"
#include "solver/for_all/legal.h"
#include "solver/symbolic/counter_terms.h"

namespace brink::solver {
namespace {

constexpr std::size_t most_instances = 10;
constexpr std::size_t states_each = 6000, kept_each = 600;
constexpr std::int64_t most_values = 8;  ///< of a control variable
constexpr std::size_t most_parts = 12;
constexpr std::size_t most_rows = 200;         ///< of samples that span the affine hull
constexpr std::size_t symbols_for_pairs = 24;  ///< with more, sums are of one symbol
constexpr std::int64_t largest_offset = 3;
constexpr std::size_t most_atoms_of_part = 400;

/// The initial state for these values of the model's parameters.
std::optional<Values> start_of(const CounterSystem& system, const Values& parameters) {
  z3::context context;
  const Terms terms(context, system.symbols, Numbers::integers);
  z3::solver solver(context);
  solver.set("timeout", 500u);
  solver.add(terms.of(system.legal) && terms.of(system.ranges) && terms.of(system.initial) &&
             terms.of(system.definitions));
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto s = static_cast<std::uint32_t>(system.variables + p);
    solver.add(terms.value(Linear::symbol(s)) == static_cast<int>(parameters[p]));
  }
  if (solver.check() != z3::sat) return std::nullopt;
  const z3::model model = solver.get_model();
  Values out;
  for (std::uint32_t s = 0; s < system.symbols.size(); ++s) out.push_back(terms.value_in(model, s));
  return out;
}

/// The value of `v` after the command, where that is one number: set to it, or moved from a value
/// that the guard fixes.
std::optional<std::int64_t> value_after(const CounterCommand& command, std::uint32_t v) {
  const Linear& next = *command.next[v];
  if (next.is_number()) return next.constant;
  const Linear by = next - Linear::symbol(v);
  if (!by.is_number()) return std::nullopt;
  for (const Linear& atom : command.inside.atoms()) {
    const bool alone = atom.factors.size() == 1 && atom.factor(v) == 1;
    const auto& atoms = command.inside.atoms();
    if (alone && std::find(atoms.begin(), atoms.end(), -1 * atom) != atoms.end())
      return by.constant - atom.constant;
  }
  return std::nullopt;
}

bool moves(const CounterCommand& command, std::uint32_t v) {
  return command.next[v] && *command.next[v] != Linear::symbol(v);
}

/// Only ever given numbers, and few.
bool is_control(const CounterSystem& system, std::uint32_t v, const std::vector<Values>& samples) {
  bool moved = false;
  for (const CounterCommand& command : system.commands) {
    if (!moves(command, v)) continue;
    if (!value_after(command, v)) return false;
    moved = true;
  }
  if (!moved) return false;
  const auto [low, high] =
      std::minmax_element(samples.begin(), samples.end(),
                          [v](const Values& a, const Values& b) { return a[v] < b[v]; });
  return (*high)[v] - (*low)[v] < most_values;
}

using Row = std::vector<__int128>;

/// Equations of the affine hull of the samples, over `symbols`.
std::vector<Linear> hull(const std::vector<const Values*>& samples,
                         const std::vector<std::uint32_t>& symbols) {
  std::vector<Row> rows;
  const std::size_t step = std::max<std::size_t>(1, samples.size() / most_rows);
  for (std::size_t i = 0; i < samples.size(); i += step) {
    Row row;
    for (const std::uint32_t s : symbols) row.push_back((*samples[i])[s]);
    row.push_back(1);
    rows.push_back(std::move(row));
  }
  std::vector<Linear> out;
  for (const Row& y : null_space(std::move(rows), symbols.size() + 1)) {
    Linear sum = Linear::number(static_cast<std::int64_t>(y.back()));
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (y[i] != 0)
        sum = combine(1, sum, static_cast<std::int64_t>(y[i]), Linear::symbol(symbols[i]));
    const bool holds = std::all_of(samples.begin(), samples.end(), [&](const Values* state) {
      __int128 value = sum.constant;
      for (const auto& [s, factor] : sum.factors) value += __int128{factor} * (*state)[s];
      return value == 0;
    });
    if (holds && !sum.is_number()) out.push_back(std::move(sum));
  }
  return out;
}

/// a follows from b, where no symbol of `positive` is below 0.
bool weaker(const Linear& a, const Linear& b, const std::vector<bool>& positive) {
  const Linear rest = a - b;
  return rest.constant >= 0 &&
         std::all_of(rest.factors.begin(), rest.factors.end(),
                     [&](const auto& f) { return f.second > 0 && positive[f.first]; });
}

struct Sums {
  const CounterSystem& system;
  std::vector<std::uint32_t> symbols;
  std::vector<bool> positive{};
  std::vector<Linear> terms{};

  Sums(const CounterSystem& s, std::vector<std::uint32_t> wanted)
      : system(s), symbols(std::move(wanted)) {
    for (std::uint32_t i = 0; i < system.symbols.size(); ++i) {
      Cube least;
      least.add(Linear::symbol(i));
      Cube known = system.ranges;  // and what the constants are assumed to be
      if (system.legal.size() == 1) known.add(system.legal.front());
      positive.push_back(system.symbols[i].boolean || known.implies(least));
    }
    terms.push_back(Linear::number(0));
    for (const std::uint32_t a : symbols) terms.push_back(Linear::symbol(a));
    if (symbols.size() > symbols_for_pairs) return;
    for (std::size_t i = 0; i < symbols.size(); ++i)
      for (std::size_t j = i + 1; j < symbols.size(); ++j)
        terms.push_back(Linear::symbol(symbols[i]) + Linear::symbol(symbols[j]));
  }

  /// The inequalities of one part, the strongest of those that follow from each other.
  std::vector<Linear> of(const std::vector<const Values*>& samples) const {
    std::vector<std::vector<std::int64_t>> value(terms.size());
    for (std::size_t t = 0; t < terms.size(); ++t)
      for (const Values* state : samples) {
        std::int64_t sum = 0;
        for (const auto& [s, factor] : terms[t].factors) sum += factor * (*state)[s];
        value[t].push_back(sum);
      }
    std::vector<Linear> out;
    // Few symbols first: what they imply is not wanted again.
    for (std::size_t size = 1; size <= 4; ++size)
      for (std::size_t a = 0; a < terms.size(); ++a)
        for (std::size_t b = 0; b < terms.size() && out.size() < most_atoms_of_part; ++b)
          if (terms[a].factors.size() + terms[b].factors.size() == size)
            offer(terms[a] - terms[b], size, value[a], value[b], out);
    return out;
  }

  void offer(Linear difference, std::size_t size, const std::vector<std::int64_t>& a,
             const std::vector<std::int64_t>& b, std::vector<Linear>& out) const {
    if (difference.factors.size() != size) return;  // a symbol on both sides
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < a.size(); ++i) {
      least = std::min(least, a[i] - b[i]);
      if (least < -largest_offset) return;
    }
    if (least > largest_offset) return;
    if (size > 2 && (least < -1 || least > 1)) return;  // far-off ones are rarely kept
    const Linear atom = difference - Linear::number(least);
    Cube cube;
    if (!cube.add(atom) || system.ranges.implies(cube)) return;
    if (std::none_of(out.begin(), out.end(),
                     [&](const Linear& known) { return weaker(atom, known, positive); }))
      out.push_back(atom);
  }
};

}  // namespace

Cube Suggestions::cube_of(std::size_t part) const {
  Cube out;
  for (std::size_t i = 0; i < control.size(); ++i)
    out.add_equal(Linear::symbol(control[i]), Linear::number(parts[part][i]));
  return out;
}

std::size_t Suggestions::part_after(const CounterCommand& command, std::size_t part) const {
  Values values = parts[part];
  for (std::size_t i = 0; i < control.size(); ++i)
    if (moves(command, control[i])) values[i] = *value_after(command, control[i]);
  const auto at = std::find(parts.begin(), parts.end(), values);
  return at == parts.end() ? kNoPart : static_cast<std::size_t>(at - parts.begin());
}

std::vector<Values> small_states(const Question& question, const CounterSystem& system,
                                 const Limits& limits) {
  const Budget budget{limits};
  std::vector<Values> out;
  const auto add = [&](const Values& parameters) {
    const auto start = start_of(system, parameters);
    if (!start) return;
    const SmallGraph graph = explore(system, {*start}, states_each);
    const std::size_t step = std::max<std::size_t>(1, graph.states.size() / kept_each);
    for (std::size_t i = 0; i < graph.states.size(); i += step) out.push_back(graph.states[i]);
  };
  if (question.model->parameters.empty()) {
    add({});
    return out;
  }
  LegalValues legal(system, budget.slice(budget.left() / 4));
  const double half = budget.left() / 2;
  for (std::size_t i = 0; i < most_instances && budget.left() > half; ++i) {
    const auto values = legal.next();
    if (!values) break;
    add(*values);
  }
  return out;
}

Suggestions suggest(const CounterSystem& system, const std::vector<Values>& samples) {
  Suggestions out;
  if (samples.empty()) return out;
  std::map<Values, std::vector<const Values*>> parts;
  const auto split = [&] {
    parts.clear();
    for (const Values& state : samples) {
      Values key;
      for (const std::uint32_t v : out.control) key.push_back(state[v]);
      parts[key].push_back(&state);
    }
  };
  for (std::uint32_t v = 0; v < system.variables; ++v) {
    if (!is_control(system, v, samples)) continue;
    out.control.push_back(v);
    split();
    if (parts.size() > most_parts) out.control.pop_back();
  }
  split();
  std::vector<std::uint32_t> symbols;
  for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
    if (std::find(out.control.begin(), out.control.end(), s) == out.control.end())
      symbols.push_back(s);
  const Sums sums(system, symbols);
  for (const auto& [key, states] : parts) {
    const std::size_t part = out.parts.size();
    out.parts.push_back(key);
    for (const Linear& equation : hull(states, symbols)) {
      out.atoms.push_back({part, equation});
      out.atoms.push_back({part, -1 * equation});
    }
    for (Linear& atom : sums.of(states)) out.atoms.push_back({part, std::move(atom)});
  }
  return out;
}

}  // namespace brink::solver

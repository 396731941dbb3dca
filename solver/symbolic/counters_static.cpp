// What is known of a counter system before any search: conserved sums, cone of influence, class.
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/base/check.h"
#include "solver/symbolic/counters.h"

namespace brink::solver {
namespace {

using Row = std::vector<__int128>;

/// The value a variable has in the only initial state, over constants; nothing otherwise.
std::optional<Linear> initial_value(const CounterSystem& system, std::uint32_t variable) {
  if (system.initial.size() != 1) return std::nullopt;
  const auto& atoms = system.initial.front().atoms();
  for (const Linear& atom : atoms) {
    if (atom.factor(variable) != 1) continue;
    const Linear value = Linear::symbol(variable) - atom;
    const bool constant = std::none_of(value.factors.begin(), value.factors.end(),
                                       [&](auto& f) { return system.is_variable(f.first); });
    if (constant && std::find(atoms.begin(), atoms.end(), -1 * atom) != atoms.end()) return value;
  }
  return std::nullopt;
}

__int128 common_factor(const Row& row) {
  __int128 g = 0;
  for (__int128 x : row) {
    if (x < 0) x = -x;
    while (x != 0) std::swap(g %= x, x);
  }
  return g;
}

/// Fraction-free elimination to reduced echelon form; returns the pivot column of each row.
std::vector<std::size_t> reduce(std::vector<Row>& rows, std::size_t columns) {
  std::vector<std::size_t> pivots;
  std::size_t top = 0;
  for (std::size_t c = 0; c < columns && top < rows.size(); ++c) {
    const auto found = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(top), rows.end(),
                                    [&](const Row& row) { return row[c] != 0; });
    if (found == rows.end()) continue;
    std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(top), found);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == top || rows[r][c] == 0) continue;
      const __int128 a = rows[top][c], b = rows[r][c];
      for (std::size_t i = 0; i < columns; ++i) {
        rows[r][i] = rows[r][i] * a - rows[top][i] * b;
        if (rows[r][i] > (__int128{1} << 60) || rows[r][i] < -(__int128{1} << 60))
          throw GaveUp{"effects too large for exact elimination"};
      }
      if (const __int128 g = common_factor(rows[r]); g > 1)
        for (__int128& x : rows[r]) x /= g;
    }
    pivots.push_back(c);
    ++top;
  }
  return pivots;
}

}  // namespace

std::vector<Row> null_space(std::vector<Row> rows, std::size_t columns) {
  const std::vector<std::size_t> pivots = reduce(rows, columns);
  std::vector<Row> basis;
  for (std::size_t free = 0; free < columns; ++free) {
    if (std::find(pivots.begin(), pivots.end(), free) != pivots.end()) continue;
    __int128 scale = 1;
    for (std::size_t r = 0; r < pivots.size(); ++r) {
      __int128 p = rows[r][pivots[r]];
      if (p < 0) p = -p;
      __int128 a = scale, b = p;
      while (b != 0) std::swap(a %= b, b);
      scale = scale / a * p;
      if (scale > (__int128{1} << 40)) throw GaveUp{"effects too large for exact elimination"};
    }
    Row y(columns, 0);
    y[free] = scale;
    for (std::size_t r = 0; r < pivots.size(); ++r)
      y[pivots[r]] = -(rows[r][free] * scale) / rows[r][pivots[r]];
    if (const __int128 g = common_factor(y); g > 1)
      for (__int128& x : y) x /= g;
    basis.push_back(std::move(y));
  }
  return basis;
}

std::vector<Linear> conserved_sums(const CounterSystem& system) {
  std::vector<std::uint32_t> columns;
  std::vector<std::optional<Linear>> start;
  for (std::uint32_t v = 0; v < system.variables; ++v) {
    start.push_back(initial_value(system, v));
    bool plain = start.back() && !system.symbols[v].boolean;
    for (const CounterCommand& command : system.commands)
      plain = plain && (!command.next[v] || (*command.next[v] - Linear::symbol(v)).is_number());
    if (plain) columns.push_back(v);
  }
  std::vector<Row> effects;
  for (const CounterCommand& command : system.commands) {
    Row row;
    for (const std::uint32_t v : columns)
      row.push_back(command.next[v] ? (*command.next[v] - Linear::symbol(v)).constant : 0);
    if (common_factor(row) != 0) effects.push_back(std::move(row));
  }
  std::sort(effects.begin(), effects.end());
  effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
  std::vector<Linear> sums;
  for (const Row& y : null_space(effects, columns.size())) {
    Linear sum;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto factor = static_cast<std::int64_t>(y[i]);
      sum = combine(1, sum, factor, Linear::symbol(columns[i]) - *start[columns[i]]);
    }
    sums.push_back(sum);
  }
  return sums;
}

std::vector<std::string> describe(const CounterSystem& system, const std::vector<Linear>& sums) {
  std::size_t translations = 0, parametric = 0;
  for (const CounterCommand& command : system.commands) {
    const auto shift = shift_of(system, command);
    translations += shift ? 1 : 0;
    parametric += shift && !shift->constant ? 1 : 0;
  }
  std::vector<std::string> lines;
  const std::size_t all = system.commands.size();
  if (translations == all)
    lines.push_back(fmt::format(
        "class: translations ({} commands after splitting cases){}", all,
        parametric == 0
            ? ""
            : fmt::format("; {} move by a symbolic amount and are not repeated in one step",
                          parametric)));
  else
    lines.push_back(
        fmt::format("class: linear; {} of {} commands copy or mix variables, which rules out "
                    "repeating them in one step",
                    all - translations, all));
  const auto name = [&](std::uint32_t s) { return system.name(s); };
  for (const Linear& sum : sums) {
    Cube equation;
    equation.add_equal(sum, Linear::number(0));
    lines.push_back("conserved: " + print(equation, name));
  }
  return lines;
}

namespace {

constexpr std::size_t most_cycles = 40;
constexpr std::size_t commands_for_triples = 16, commands_for_pairs = 60;

/// First this, then that, as one command; nothing when it is never possible.
std::optional<CounterCommand> joined(const CounterSystem& system, const CounterCommand& first,
                                     std::size_t second) {
  const CounterCommand& then = system.commands[second];
  CounterCommand out = first;
  if (!out.inside.add(after(first, then.inside))) return std::nullopt;
  for (std::uint32_t v = 0; v < system.variables; ++v)
    if (then.next[v]) {
      out.next[v] = after(first, *then.next[v]);
      if (*out.next[v] == Linear::symbol(v)) out.next[v].reset();
    }
  out.guard = out.inside;
  out.parts.push_back(second);
  return out;
}

/// Change of an atom by one command; nothing when it is not a number.
std::optional<std::int64_t> drift(const CounterCommand& command, const Linear& atom) {
  const Linear change = after(command, atom) - atom;
  return change.is_number() ? std::optional(change.constant) : std::nullopt;
}

/// Does the command come to an end by itself where the cycle does not?
bool needs_cycle(const CounterCommand& part, const CounterCommand& cycle) {
  Cube again = part.inside;
  if (!again.add(after(part, part.inside))) return true;
  return std::any_of(part.inside.atoms().begin(), part.inside.atoms().end(),
                     [&](const Linear& atom) {
                       const auto alone = drift(part, atom), together = drift(cycle, atom);
                       return alone && *alone < 0 && together && *together >= 0;
                     });
}

bool is_cycle(const CounterSystem& system, const CounterCommand& cycle) {
  const auto shift = shift_of(system, cycle);
  if (!shift || !shift->constant) return false;
  if (std::none_of(shift->by.begin(), shift->by.end(),
                   [](const Linear& by) { return by.constant != 0; }))
    return false;
  Cube again = cycle.inside;
  if (!again.add(after(cycle, cycle.inside))) return false;
  return std::all_of(cycle.parts.begin(), cycle.parts.end(),
                     [&](std::size_t part) { return needs_cycle(system.commands[part], cycle); });
}

}  // namespace

std::vector<CounterCommand> find_cycles(const CounterSystem& system) {
  std::vector<CounterCommand> out;
  const std::size_t count = system.commands.size();
  if (count > commands_for_pairs) return out;
  const auto keep = [&](const CounterCommand& cycle) {
    if (out.size() < most_cycles && is_cycle(system, cycle)) out.push_back(cycle);
  };
  for (std::size_t i = 0; i < count; ++i) {
    CounterCommand first = system.commands[i];
    first.parts = {i};
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      const auto pair = joined(system, first, j);
      if (!pair) continue;
      keep(*pair);
      if (count > commands_for_triples) continue;
      for (std::size_t k = 0; k < count; ++k) {
        if (k == i || k == j) continue;
        if (const auto triple = joined(system, *pair, k)) keep(*triple);
      }
    }
  }
  return out;
}

std::vector<std::string> cone_of_influence(CounterSystem& system, const std::vector<Dnf>& roots) {
  std::vector<bool> relevant(system.variables, false);
  const auto mark = [&](const Cube& cube) {
    for (const Linear& atom : cube.atoms())
      for (const auto& [symbol, factor] : atom.factors)
        if (system.is_variable(symbol)) relevant[symbol] = true;
  };
  for (const Dnf& root : roots)
    for (const Cube& cube : root) mark(cube);
  for (const Cube& cube : system.faults) mark(cube);
  const auto touches = [&](const CounterCommand& command) {
    for (std::uint32_t v = 0; v < system.variables; ++v)
      if (relevant[v] && command.next[v]) return true;
    return false;
  };
  // Ranges are part of every guard; only what the command itself asks for counts.
  const auto own = [&](const Cube& cube) {
    Cube out;
    const auto& ranges = system.ranges.atoms();
    for (const Linear& atom : cube.atoms())
      if (std::find(ranges.begin(), ranges.end(), atom) == ranges.end()) out.add(atom);
    return out;
  };
  for (bool changed = true; changed;) {
    const std::vector<bool> before = relevant;
    for (const CounterCommand& command : system.commands) {
      if (!touches(command)) continue;
      mark(own(command.inside));
      for (std::uint32_t v = 0; v < system.variables; ++v) {
        if (!relevant[v] || !command.next[v]) continue;
        for (const auto& [symbol, factor] : command.next[v]->factors)
          if (system.is_variable(symbol)) relevant[symbol] = true;
      }
    }
    changed = relevant != before;
  }
  std::erase_if(system.commands, [&](const CounterCommand& command) { return !touches(command); });
  std::vector<std::string> dropped;
  for (std::uint32_t v = 0; v < system.variables; ++v) {
    if (relevant[v]) continue;
    dropped.push_back(system.name(v));
    for (CounterCommand& command : system.commands) command.next[v].reset();
  }
  return dropped;
}

}  // namespace brink::solver

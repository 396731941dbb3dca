#include "solver/for_all/schema.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/base/check.h"
#include "solver/for_all/script.h"

namespace brink::solver {
namespace {

constexpr std::size_t max_precondition = 120;

bool sets_something(const Shift& shift) {
  return std::any_of(shift.set.begin(), shift.set.end(),
                     [](const auto& value) { return value.has_value(); });
}

/// The state k repetitions later, as a substitution of the state before (k >= 1).
struct Jump {
  std::vector<std::optional<Linear>> value;

  const Linear* operator()(std::uint32_t s) const {
    return s < value.size() && value[s] ? &*value[s] : nullptr;
  }
};

Jump jump_of(const CounterSystem& system, const Shift& shift, const Linear& k) {
  Jump out;
  out.value.resize(system.variables);
  for (std::uint32_t v = 0; v < system.variables; ++v) {
    if (shift.set[v])
      out.value[v] = *shift.set[v];
    else if (shift.by[v].constant != 0)
      out.value[v] = combine(1, Linear::symbol(v), shift.by[v].constant, k);
  }
  return out;
}

}  // namespace

bool contains(const Cube& cube, const std::vector<std::int64_t>& values) {
  if (!cube.possible()) return false;
  return std::all_of(cube.atoms().begin(), cube.atoms().end(), [&](const Linear& atom) {
    __int128 sum = atom.constant;
    for (const auto& [s, factor] : atom.factors) sum += __int128{factor} * values[s];
    return sum >= 0;
  });
}

namespace {

/// The precondition of one block; `k` is its number of repetitions.
Cube before_block(const CounterSystem& system, const CounterCommand& command, const Cube& goal,
                  const Linear& k, bool again) {
  if (!again) {
    Cube out = after(command, goal);
    out.add(command.inside);
    return out;
  }
  const Shift shift = *shift_of(system, command);
  const bool sets = sets_something(shift);
  Cube out = substitute(goal, jump_of(system, shift, k));
  out.add(command.inside);
  out.add(k - Linear::number(sets ? 2 : 1));
  // Last: for k = 1 this is the first again, when nothing is set.
  out.add(substitute(command.inside, jump_of(system, shift, k - Linear::number(1))));
  if (sets) out.add(substitute(command.inside, jump_of(system, shift, Linear::number(1))));
  return out;
}

/// Eliminates the k of every block that has one.
bool eliminate_repeats(Schema& schema, Cube& cube) {
  for (std::size_t i = 0; i < schema.repeats.size(); ++i) {
    Schema::Repeat& repeat = schema.repeats[i];
    if (repeat.once) continue;
    for (const Linear& atom : cube.atoms()) {
      const std::int64_t a = atom.factor(repeat.symbol);
      if (a <= 0) continue;
      repeat.lower.push_back(a * Linear::symbol(repeat.symbol) - atom);
      repeat.divisor.push_back(a);
    }
    auto rest = eliminate(cube, repeat.symbol);
    if (!rest || rest->atoms().size() > max_precondition) return false;
    cube = std::move(*rest);
    schema.elimination.push_back(static_cast<std::uint32_t>(i));
  }
  return true;
}

std::optional<Schema> generalise(const CounterSystem& system, const BlockRun& run, const Cube& goal,
                                 bool open) {
  Schema out;
  out.blocks = run.blocks;
  out.goal = goal;
  out.repeats.resize(run.blocks.size());
  const std::vector<bool> repeats = repeatable(system);
  Cube cube = goal;
  for (std::size_t i = run.blocks.size(); i-- > 0;) {
    const Block& block = run.blocks[i];
    const CounterCommand& command = system.command(block.command);
    const bool again = repeats[block.command] &&
                       (block.times > 1 || (open && !sets_something(*shift_of(system, command))));
    Linear k = Linear::number(block.times);
    if (again && open) {
      out.repeats[i].once = false;
      out.repeats[i].symbol = static_cast<std::uint32_t>(system.symbols.size() + i);
      k = Linear::symbol(out.repeats[i].symbol);
    }
    cube = before_block(system, command, cube, k, again);
    if (!cube.possible() || cube.atoms().size() > max_precondition) return std::nullopt;
  }
  if (!eliminate_repeats(out, cube) || !contains(cube, run.start)) return std::nullopt;
  // What the ranges say anyway need not be repeated.
  const auto& ranges = system.ranges.atoms();
  for (const Linear& atom : cube.atoms())
    if (std::find(ranges.begin(), ranges.end(), atom) == ranges.end()) out.from.add(atom);
  return out;
}

}  // namespace

std::optional<Schema> generalise(const CounterSystem& system, const BlockRun& run,
                                 const Cube& goal) {
  for (const bool open : {true, false}) {
    try {
      if (auto schema = generalise(system, run, goal, open)) return schema;
    } catch (const GaveUp&) {
      continue;
    }
  }
  return std::nullopt;
}

namespace {

/// The witness terms: the last k eliminated depends on nothing but the state, the one before also
/// on that, and so on.
std::vector<std::optional<z3::expr>> witnesses(ScriptWriter& script, const Schema& schema) {
  z3::context& context = script.run.context;
  std::vector<std::optional<z3::expr>> chosen(schema.blocks.size());
  const auto value = [&](const Linear& t) {
    z3::expr sum = context.int_val(t.constant);
    for (const auto& [s, factor] : t.factors) {
      z3::expr own = context.int_val(0);
      if (s < script.symbols.size()) {
        own = script.terms.value(Linear::symbol(s));
      } else {
        const auto block =
            std::find_if(schema.repeats.begin(), schema.repeats.end(),
                         [&](const Schema::Repeat& r) { return !r.once && r.symbol == s; });
        BRINK_CHECK(block != schema.repeats.end(), "a symbol of no block");
        own = *chosen[static_cast<std::size_t>(block - schema.repeats.begin())];
      }
      sum = sum + (factor == 1 ? own : context.int_val(factor) * own);
    }
    return sum;
  };
  for (auto at = schema.elimination.rbegin(); at != schema.elimination.rend(); ++at) {
    const Schema::Repeat& repeat = schema.repeats[*at];
    std::optional<z3::expr> best;
    for (std::size_t i = 0; i < repeat.lower.size(); ++i) {
      z3::expr low = value(repeat.lower[i]);
      if (repeat.divisor[i] != 1)  // rounded up
        low = -((-low) / context.int_val(repeat.divisor[i]));
      best = best ? z3::ite(low > *best, low, *best) : low;
    }
    BRINK_CHECK(best.has_value(), "every k is at least 1");
    chosen[*at] = script.define(fmt::format("k{}", *at + 1), *best);
  }
  return chosen;
}

}  // namespace

z3::expr path_term(const ScriptWriter& script, const CounterSystem& system,
                   const CounterCommand& command, const z3::expr_vector& from,
                   const z3::expr_vector& to, const z3::expr& stay) {
  z3::context& context = script.run.context;
  const Encoding& encoding = *script.run.encoding;
  std::vector<const CounterCommand*> parts;
  for (const std::size_t part : command.parts) parts.push_back(&system.commands[part]);
  if (parts.empty()) parts.push_back(&command);
  z3::expr_vector all(context);
  z3::expr_vector state = from;
  for (const CounterCommand* part : parts) {
    const std::size_t move = script.move_of(*part);
    const z3::expr_vector after = encoding.target(move);
    z3::expr_vector next(context);
    for (const z3::expr& e : after) next.push_back(encoding.at(e, state));
    all.push_back(encoding.at(stay, state));
    all.push_back(encoding.at(encoding.guard(move), state));
    all.push_back(encoding.at(encoding.in_range(), next));
    state = next;
  }
  for (unsigned v = 0; v < to.size(); ++v)
    all.push_back(state[static_cast<int>(v)] == to[static_cast<int>(v)]);
  return all_of(all);
}

void write_schema(ScriptWriter& script, const CounterSystem& system, const Schema& schema,
                  const Dnf& into, const z3::expr& stay, std::size_t number) {
  z3::context& context = script.run.context;
  script.comment(fmt::format("schema {}: {}", number, print(system, schema.blocks)));
  script.begin();
  script.assume(script.legal && script.within && script.terms.of(schema.from));
  const auto chosen = witnesses(script, schema);
  z3::expr_vector state = script.run.encoding->template_state();
  for (std::size_t b = 0; b < schema.blocks.size(); ++b) {
    const CounterCommand& command = system.command(schema.blocks[b].command);
    const std::int64_t times = schema.blocks[b].times;
    const auto shift = shift_of(system, command);
    const bool repeated = !schema.repeats[b].once || times > 1;
    const auto is_path = [&](const z3::expr_vector& from, const z3::expr_vector& to) {
      return path_term(script, system, command, from, to, stay);
    };
    // The state after i + 1 repetitions.
    const auto later = [&](const z3::expr& i) {
      z3::expr_vector out(context);
      for (std::uint32_t v = 0; v < system.variables; ++v) {
        const z3::expr first = script.at(script.terms.next(command, v), state);
        const bool moves =
            repeated && !shift->set[v] && shift->by[v].constant != 0 && !system.symbols[v].boolean;
        out.push_back(moves ? first + context.int_val(shift->by[v].constant) * i : first);
      }
      return out;
    };
    const z3::expr zero = context.int_val(0);
    script.goal(fmt::format("step {}: its first move", b + 1), !is_path(state, later(zero)));
    z3::expr_vector end = later(zero);
    if (repeated) {
      const z3::expr k = schema.repeats[b].once ? context.int_val(times) : *chosen[b];
      const z3::expr i = script.fresh(fmt::format("i{}", b + 1));
      script.goal(fmt::format("step {}: every further move", b + 1),
                  k < 1 || (i >= 0 && i < k - 1 && !is_path(later(i), later(i + 1))));
      end = later(k - 1);
    }
    state = script.name_state(end, b + 1);
  }
  script.goal("its end", !script.at(script.terms.of(into), state));
  script.end();
}

}  // namespace brink::solver

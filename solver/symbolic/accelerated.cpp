#include "solver/symbolic/accelerated.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include "models/base/check.h"
#include "solver/symbolic/counter_terms.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

constexpr std::int64_t max_steps = 1'000'000;

}  // namespace

std::int64_t BlockRun::steps() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks) sum += block.times;
  return sum;
}

std::vector<bool> repeatable(const CounterSystem& system) {
  std::vector<bool> out;
  for (std::size_t j = 0; j < system.commands.size() + system.cycles.size(); ++j) {
    const CounterCommand& command = system.command(j);
    const auto shift = shift_of(system, command);
    Cube again = command.inside;  // taken twice
    out.push_back(shift && shift->constant &&
                  std::any_of(shift->by.begin(), shift->by.end(),
                              [](const Linear& by) { return by.constant != 0; }) &&
                  again.add(after(command, command.inside)));
  }
  return out;
}

struct Blocks::Impl {
  z3::context& context;
  const CounterSystem& system;
  mutable z3::solver solver;
  std::vector<bool> repeats;
  std::vector<std::optional<Shift>> shifts;
  std::vector<std::unique_ptr<Terms>> states;
  std::vector<std::vector<z3::expr>> selectors;
  std::vector<z3::expr> times;

  std::size_t count;  ///< of commands that are searched

  Impl(z3::context& c, const CounterSystem& s, bool cycles)
      : context(c),
        system(s),
        solver(c),
        count(s.commands.size() + (cycles ? s.cycles.size() : 0)) {
    repeats = repeatable(system);
    for (std::size_t j = 0; j < count; ++j) shifts.push_back(shift_of(system, system.command(j)));
    add_state();
    solver.add(states[0]->of(system.legal));
  }

  /// Symbols that never change keep one Z3 constant: their name without a step.
  void add_state() {
    std::vector<Symbol>& names = named.emplace_back();
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s) {
      names.push_back(system.symbols[s]);
      if (system.is_variable(s)) names.back().name += fmt::format("@{}", states.size());
    }
    states.push_back(std::make_unique<Terms>(context, names, Numbers::integers));
    solver.add(states.back()->of(system.ranges));
  }

  /// The value of a term k repetitions after `state` (k >= 1), with what is set already set.
  z3::expr repeated(const Terms& state, const CounterCommand&, const Shift& shift,
                    const Linear& term, const z3::expr& k) const {
    Linear fixed = Linear::number(term.constant);
    std::int64_t drift = 0;
    for (const auto& [s, factor] : term.factors) {
      if (system.is_variable(s) && shift.set[s]) {
        fixed = combine(1, fixed, factor, *shift.set[s]);
      } else {
        fixed = combine(1, fixed, factor, Linear::symbol(s));
        if (system.is_variable(s)) drift += factor * shift.by[s].constant;
      }
    }
    const z3::expr value = state.value(fixed);
    return drift == 0 ? value : value + context.int_val(drift) * k;
  }

  z3::expr cube_after(const Terms& state, const CounterCommand& command, const Shift& shift,
                      const z3::expr& k) const {
    z3::expr_vector all(context);
    for (const Linear& atom : command.inside.atoms())
      all.push_back(repeated(state, command, shift, atom, k) >= 0);
    return all_of(all);
  }

  void take(std::size_t j, const Terms& before, const Terms& after, const z3::expr& chosen,
            const z3::expr& k) {
    const CounterCommand& command = system.command(j);
    solver.add(z3::implies(chosen, before.of(command.inside)));
    if (!repeats[j]) {
      solver.add(z3::implies(chosen, k == 1));
    } else {
      const Shift& shift = *shifts[j];
      const bool sets = std::any_of(shift.set.begin(), shift.set.end(),
                                    [](const auto& value) { return value.has_value(); });
      const z3::expr more = chosen && k >= 2;
      solver.add(z3::implies(more, cube_after(before, command, shift, k - 1)));
      if (sets)
        solver.add(z3::implies(more, cube_after(before, command, shift, context.int_val(1))));
    }
    for (std::uint32_t v = 0; v < system.variables; ++v) {
      z3::expr value = before.next(command, v);
      if (repeats[j] && !system.symbols[v].boolean && command.next[v])
        value = repeated(before, command, *shifts[j], Linear::symbol(v), k);
      solver.add(z3::implies(chosen, after.symbol(v) == value));
    }
  }

  std::deque<std::vector<Symbol>> named;  ///< of each state; Terms refer to them
};

Blocks::Blocks(z3::context& context, const CounterSystem& system, bool cycles)
    : impl_(std::make_unique<Impl>(context, system, cycles)) {}
Blocks::~Blocks() = default;

std::size_t Blocks::depth() const { return impl_->times.size(); }
z3::solver& Blocks::solver() { return impl_->solver; }
const Terms& Blocks::state(std::size_t i) const { return *impl_->states[i]; }

void Blocks::extend() {
  Impl& m = *impl_;
  const std::size_t step = depth();
  m.add_state();
  const z3::expr k = m.context.int_const(fmt::format("times@{}", step).c_str());
  m.solver.add(k >= 1);
  z3::expr_vector any(m.context);
  std::vector<z3::expr> chosen;
  for (std::size_t j = 0; j < m.count; ++j) {
    chosen.push_back(m.context.bool_const(fmt::format("block@{}.{}", step, j).c_str()));
    any.push_back(chosen.back());
    m.take(j, *m.states[step], *m.states[step + 1], chosen.back(), k);
    // A command right after itself is a longer block of it.
    if (step > 0 && m.repeats[j]) m.solver.add(!(chosen.back() && m.selectors[step - 1][j]));
  }
  m.solver.add(any_of(any));
  m.selectors.push_back(std::move(chosen));
  m.times.push_back(k);
}

z3::expr Blocks::steps() const {
  z3::expr sum = impl_->context.int_val(0);
  for (const z3::expr& k : impl_->times) sum = sum + k;
  return sum;
}

BlockRun Blocks::run() const {
  const Impl& m = *impl_;
  const z3::model model = m.solver.get_model();
  BlockRun out;
  for (std::uint32_t s = 0; s < m.system.symbols.size(); ++s) {
    out.start.push_back(m.states.front()->value_in(model, s));
    out.end.push_back(m.states.back()->value_in(model, s));
  }
  for (std::size_t i = 0; i < m.times.size(); ++i) {
    Block block;
    bool found = false;
    for (std::size_t j = 0; j < m.count && !found; ++j) {
      found = model.eval(m.selectors[i][j], true).is_true();
      if (found) block.command = j;
    }
    BRINK_CHECK(found, "a block without a command");
    if (!model.eval(m.times[i], true).is_numeral_i64(block.times))
      throw GaveUp{"a repetition of more than 64 bits"};
    out.blocks.push_back(block);
  }
  return out;
}

namespace {

/// Makes `cost` as small as a few queries show, keeping the last satisfying run.
void minimise(Blocks& blocks, const SmtWatch& watch, const z3::expr& cost, BlockRun& best,
              const std::function<std::int64_t(const BlockRun&)>& cost_of, std::int64_t least) {
  z3::solver& solver = blocks.solver();
  std::int64_t low = least, high = cost_of(best);
  for (int tries = 0; low < high && tries < 40 && !watch.expired(); ++tries) {
    const std::int64_t middle = tries == 0 ? low : low + (high - low) / 2;
    solver.push();
    solver.add(cost <= static_cast<int>(std::min<std::int64_t>(middle, INT32_MAX)));
    const z3::check_result answer = solver.check();
    if (answer == z3::sat) {
      best = blocks.run();
      high = cost_of(best);
    }
    solver.pop();
    if (answer == z3::unsat) low = middle + 1;
    if (answer == z3::unknown) return;
  }
  solver.add(cost <= static_cast<int>(std::min<std::int64_t>(high, INT32_MAX)));
}

}  // namespace

namespace {

/// With or without cycles, up to `max_blocks`.
std::optional<BlockRun> search(z3::context& context, const SmtWatch& watch,
                               const CounterSystem& system, const Dnf& from, const Dnf& to,
                               bool cycles, std::size_t max_blocks, std::size_t& searched) {
  Blocks blocks(context, system, cycles);
  blocks.solver().add(blocks.state(0).of(from));
  for (std::size_t n = 0; n <= max_blocks; ++n) {
    if (n > 0) blocks.extend();
    z3::solver& solver = blocks.solver();
    solver.push();
    solver.add(blocks.state(n).of(to));
    const z3::check_result answer = solver.check();
    if (watch.expired()) return std::nullopt;
    if (answer == z3::sat) {
      BlockRun best = blocks.run();
      // Smallest constants first, then fewest steps.
      z3::expr size = context.int_val(0);
      for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
        if (system.symbols[s].kind == Symbol::Kind::parameter && !system.symbols[s].boolean) {
          const z3::expr value = blocks.state(0).symbol(s);
          size = size + z3::ite(value >= 0, value, -value);
        }
      const auto size_of = [&](const BlockRun& run) {
        std::int64_t sum = 0;
        for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
          if (system.symbols[s].kind == Symbol::Kind::parameter && !system.symbols[s].boolean)
            sum += std::abs(run.start[s]);
        return sum;
      };
      if (!system.model->parameters.empty()) minimise(blocks, watch, size, best, size_of, 0);
      minimise(
          blocks, watch, blocks.steps(), best, [](const BlockRun& run) { return run.steps(); },
          static_cast<std::int64_t>(n));
      return best;
    }
    solver.pop();
    if (answer == z3::unknown) return std::nullopt;
    searched = n;
  }
  return std::nullopt;
}

}  // namespace

std::optional<BlockRun> find_run(z3::context& context, const SmtWatch& watch,
                                 const CounterSystem& system, const Dnf& from, const Dnf& to,
                                 std::size_t max_blocks, std::size_t& searched) {
  constexpr std::size_t first_blocks = 4;
  if (!system.cycles.empty()) {
    const std::size_t few = std::min(first_blocks, max_blocks);
    if (auto run = search(context, watch, system, from, to, false, few, searched)) return run;
    if (watch.expired()) return std::nullopt;
  }
  return search(context, watch, system, from, to, !system.cycles.empty(), max_blocks, searched);
}

namespace {

/// One step of the trace by this command, as the evaluator sees it. False: the trace ends here, in
/// a state that another move of which is in error (a counter system has no such moves).
Result<bool, std::string> step(Trace& trace, const CounterCommand& command, Evaluator& evaluator) {
  Expansion expansion;
  if (evaluator.successors(trace.state(trace.length()), expansion)) return false;
  for (const Choice& choice : expansion.choices) {
    const auto commands = expansion.commands_of(choice);
    if (!std::equal(commands.begin(), commands.end(), command.commands.begin(),
                    command.commands.end()))
      continue;
    for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
         ++b) {
      if (expansion.updates[b] != command.updates) continue;
      const auto target = expansion.target(b);
      trace.steps.push_back({command.commands, command.updates, {target.begin(), target.end()}});
      return true;
    }
  }
  return fail(std::string("the evaluator does not confirm a step"));
}

}  // namespace

Result<Trace, std::string> expand(const Question& question, const CounterSystem& system,
                                  const BlockRun& run) {
  if (run.steps() > max_steps)
    return fail(fmt::format("a trace of {} steps is too long to write down", run.steps()));
  Evaluator evaluator(question.model);
  Trace trace = make_trace(*question.model, question.text);
  trace.initial.assign(run.start.begin(),
                       run.start.begin() + static_cast<std::ptrdiff_t>(system.variables));
  for (const Block& block : run.blocks) {
    const CounterCommand& command = system.command(block.command);
    for (std::int64_t i = 0; i < block.times; ++i) {
      if (command.parts.empty()) {
        if (auto done = step(trace, command, evaluator); !done || !*done)
          return done ? Result<Trace, std::string>(std::move(trace)) : fail(done.error());
        continue;
      }
      for (const std::size_t part : command.parts)
        if (auto done = step(trace, system.commands[part], evaluator); !done || !*done)
          return done ? Result<Trace, std::string>(std::move(trace)) : fail(done.error());
    }
  }
  return trace;
}

namespace {

std::string name_of(const CounterSystem& system, const CounterCommand& command) {
  if (command.parts.empty()) return name_of_commands(*system.model, command.commands);
  std::string out;
  for (const std::size_t part : command.parts)
    out += (out.empty() ? "(" : " ") + name_of(system, system.commands[part]);
  return out + ")";
}

}  // namespace

std::string print(const CounterSystem& system, const std::vector<Block>& blocks) {
  std::string out;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::int64_t times = blocks[i].times;
    const std::string name = name_of(system, system.command(blocks[i].command));
    while (i + 1 < blocks.size() && name_of(system, system.command(blocks[i + 1].command)) == name)
      times += blocks[++i].times;
    out += (out.empty() ? "" : " ") + name;
    if (times != 1) out += fmt::format("^{}", times);
  }
  return out;
}

}  // namespace brink::solver

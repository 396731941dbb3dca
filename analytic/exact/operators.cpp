// The graph decides first, as everywhere in analytic/: probabilities 0 and 1, infinite rewards.
// What is left goes to solve.h. Steps are taken one by one, as far as their numbers stay short.
#include "analytic/exact/operators.h"

#include <algorithm>

#include "analytic/property_evaluation.h"
#include "models/automata/deterministic.h"
#include "models/automata/good_prefixes.h"
#include "models/base/check.h"

namespace brink::analytic::exact {
namespace {

constexpr std::size_t kMaxBits = std::size_t{1} << 31;  ///< of all numbers of one step together

Goal opposite(Goal goal) { return goal == Goal::maximise ? Goal::minimise : Goal::maximise; }

[[noreturn]] void undecided(const std::string& why) { throw Stop{Answer::Status::undecided, why}; }

std::vector<Rational> flags(const StateSet& set) {
  std::vector<Rational> out;
  for (const bool inside : set) out.emplace_back(inside ? 1 : 0);
  return out;
}

Numbers numbers(const std::vector<Rational>& values) {
  Numbers out;
  for (const Rational& value : values) out.push_back({value, false});
  return out;
}

Numbers at_starts(const ProductStates& product, const Numbers& values) {
  Numbers out;
  for (const std::uint32_t start : product.start)
    out.push_back(start == ProductStates::none ? Number{} : values[start]);
  return out;
}

std::size_t bits(const std::vector<Rational>& values) {
  std::size_t out = 0;
  for (const Rational& value : values)
    out += mpz_sizeinbase(mpq_numref(value.backend().data()), 2) +
           mpz_sizeinbase(mpq_denref(value.backend().data()), 2);
  return out;
}

}  // namespace

Numbers Operators::solved(Question question, const StateSet& infinite) const {
  if (!solve(question, options_)) undecided("interrupted");
  Numbers out = numbers(question.value);
  for (std::size_t s = 0; s < out.size(); ++s)
    if (infinite[s]) out[s] = {0, true};
  return out;
}

Numbers Operators::reach(Goal goal, const StateSet& a, const StateSet& b) const {
  const SureDecisions sure = qualitative(process_, goal, a, b);
  Question question{moves_, goal, StateSet(moves_.size()), flags(sure.surely), {}, {}};
  for (std::uint32_t s = 0; s < moves_.size(); ++s)
    question.unknown[s] = !sure.surely[s] && !sure.never[s];
  question.allowed.assign(moves_.rows.size(), true);
  return solved(std::move(question), StateSet(moves_.size(), false));
}

std::vector<Rational> Operators::step(Goal goal, const std::vector<Rational>& cost,
                                      const StateSet& moving,
                                      const std::vector<Rational>& from) const {
  if (stopped(options_)) undecided("interrupted");
  if (bits(from) > kMaxBits) undecided("the exact numbers of this many steps are too long");
  std::vector<Rational> to = from;
  for (std::uint32_t s = 0; s < moves_.size(); ++s) {
    if (!moving[s]) continue;
    for (std::uint32_t c = moves_.first[s]; c < moves_.first[s + 1]; ++c) {
      Rational sum = 0, all = 0;
      for (const Move& move : moves_.rows[c]) {
        sum += move.weight * from[move.target];
        all += move.weight;
      }
      if (all != 1) sum /= all;  // X of a ctmc: its jumps
      if (!cost.empty()) sum += cost[c];
      const bool better = goal == Goal::maximise ? sum > to[s] : sum < to[s];
      if (c == moves_.first[s] || better) to[s] = std::move(sum);
    }
  }
  return to;
}

Numbers Operators::until(Goal goal, const StateSet& a, const StateSet& b,
                         const Window& window) const {
  if (!window.upper && window.lower == 0) return reach(goal, a, b);
  if (moves_.continuous) unsupported("time bounds of a ctmc in exact arithmetic");
  std::vector<Rational> value(moves_.size(), 0);
  if (window.upper && *window.upper < window.lower) return numbers(value);
  if (window.upper) {
    StateSet moving(moves_.size());
    for (std::uint32_t s = 0; s < moves_.size(); ++s) moving[s] = a[s] && !b[s];
    value = flags(b);
    for (double t = window.lower; t < *window.upper; ++t) {
      auto next = step(goal, {}, moving, value);
      if (next == value) break;
      value = std::move(next);
    }
  } else {
    const Numbers last = reach(goal, a, b);
    for (std::size_t s = 0; s < value.size(); ++s) value[s] = last[s].value;
  }
  // Before the lower bound a has to hold, at the bound itself it need not.
  for (double t = 0; t < window.lower; ++t) {
    value = step(goal, {}, a, value);
    for (std::uint32_t s = 0; s < moves_.size(); ++s)
      if (!a[s]) value[s] = 0;
  }
  return numbers(value);
}

Numbers Operators::next(Goal goal, const StateSet& a) const {
  return numbers(step(goal, {}, StateSet(moves_.size(), true), flags(a)));
}

Numbers Operators::until_reward(Goal goal, const StateSet& target,
                                const std::vector<Rational>& cost) const {
  const StateSet all(moves_.size(), true);
  const StateSet finite = qualitative(process_, opposite(goal), all, target).surely;
  StateSet infinite = finite;
  infinite.flip();
  Question question{moves_, goal, StateSet(moves_.size()), std::vector<Rational>(moves_.size(), 0),
                    cost,   {}};
  question.allowed.assign(moves_.rows.size(), true);
  for (std::uint32_t s = 0; s < moves_.size(); ++s) {
    question.unknown[s] = finite[s] && !target[s];
    for (std::uint32_t c = moves_.first[s]; c < moves_.first[s + 1]; ++c)
      for (const Move& move : moves_.rows[c])
        if (!finite[move.target]) question.allowed[c] = false;
  }
  return solved(std::move(question), infinite);
}

Numbers Operators::total(const std::vector<Rational>& cost) const {
  std::vector<bool> free(moves_.rows.size());
  for (std::size_t c = 0; c < free.size(); ++c) free[c] = cost[c] == 0;
  const EndComponents ends = end_components(process_, std::move(free));
  StateSet done(moves_.size());
  for (std::uint32_t s = 0; s < moves_.size(); ++s) done[s] = ends.of[s] != EndComponents::none;
  return until_reward(Goal::minimise, done, cost);
}

Numbers Operators::first_steps(Goal goal, const std::vector<Rational>& cost,
                               const std::vector<Rational>& value, double steps) const {
  if (moves_.continuous && steps != 0) unsupported("time bounds of a ctmc in exact arithmetic");
  std::vector<Rational> current = value;
  const StateSet all(moves_.size(), true);
  for (double t = 0; t < steps; ++t) {
    auto next = step(goal, cost, all, current);
    if (next == current) break;
    current = std::move(next);
  }
  return numbers(current);
}

Numbers Operators::long_run(const std::vector<Rational>& reward) const {
  const Components components = strong_components(moves_.chain());
  Question question{moves_,
                    Goal::maximise,
                    StateSet(moves_.size(), true),
                    std::vector<Rational>(moves_.size(), 0),
                    {},
                    {}};
  question.allowed.assign(moves_.rows.size(), true);
  for (std::size_t c = 0; c < components.members.size(); ++c) {
    if (!components.bottom[c]) continue;
    const auto members = components.members[c];
    const std::vector<Rational> pi = stationary(moves_, members, options_);
    if (pi.empty()) undecided("interrupted");
    Rational average = 0;
    for (std::size_t i = 0; i < members.size(); ++i) average += pi[i] * reward[members[i]];
    for (const std::uint32_t s : members) {
      question.unknown[s] = false;
      question.value[s] = average;
    }
  }
  return solved(std::move(question), StateSet(moves_.size(), false));
}

/// The product's moves with the model's weights: given the automaton's move, targets of the product
/// are those of the model.
Moves Operators::multiplied(const DecisionProduct& product) const {
  Moves out;
  out.continuous = moves_.continuous;
  for (std::uint32_t p = 0; p < product.process.size(); ++p) {
    for (std::uint32_t c = product.process.first_choice(p); c < product.process.end_choice(p);
         ++c) {
      std::vector<Move> row;
      for (const Entry& entry : product.process.row(c))
        for (const Move& move : moves_.rows[product.choice[c]])
          if (move.target == product.model[entry.column])
            row.push_back({entry.column, move.weight});
      out.rows.push_back(std::move(row));
    }
    out.first.push_back(static_cast<std::uint32_t>(out.rows.size()));
  }
  return out;
}

Numbers Operators::formula_at(automata::FormulaPool& pool, automata::Formula f,
                              const Letters& letters, const StateSet& wanted) const {
  auto automaton = automata::Deterministic::make(pool, f);
  if (!automaton) unsupported(automaton.error());
  const auto made = product(process_, letters, watch(*automaton), wanted, options_);
  if (!made) undecided(made.error());
  if (const std::string why = automaton->problem(); !why.empty()) unsupported(why);
  const Moves moves = multiplied(*made);
  const Operators there(moves, options_);
  return at_starts(*made, there.reach(Goal::maximise, StateSet(moves.size(), true),
                                      accepting_ends(*made, automaton->acceptance())));
}

Numbers Operators::formula(Goal goal, automata::PathFormula& path, const Letters& letters,
                           const StateSet& wanted) const {
  if (goal == Goal::maximise) return formula_at(path.pool, path.root, letters, wanted);
  Numbers out = formula_at(path.pool, path.pool.negation(path.root), letters, wanted);
  for (Number& number : out) number.value = 1 - number.value;
  return out;
}

Numbers Operators::formula_reward(Goal goal, automata::PathFormula& path, const Letters& letters,
                                  const std::vector<Rational>& cost, const StateSet& wanted) const {
  if (!path.pool.cosafe(path.root)) unsupported("rewards until a formula that is not co-safe");
  automata::GoodPrefixes prefixes(path.pool, path.root);
  const auto made = product(process_, letters, watch(prefixes), wanted, options_);
  if (!made) undecided(made.error());
  if (!prefixes.problem().empty()) unsupported(prefixes.problem());
  const Moves moves = multiplied(*made);
  std::vector<Rational> paid;
  for (const std::uint32_t c : made->choice) paid.push_back(cost[c]);
  const Operators there(moves, options_);
  return at_starts(*made, there.until_reward(goal, marked(made->marks), paid));
}

}  // namespace brink::analytic::exact

#include "analytic/state_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "models/base/check.h"

namespace brink::analytic {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Uncertain {
  double value = 0, bound = 0;
};

/// -1, 0, 1, or 2 for "cannot be told".
int order(const Uncertain& a, const Uncertain& b) {
  if (a.value == b.value && a.bound == 0 && b.bound == 0) return 0;
  if (std::isinf(a.value) || std::isinf(b.value))
    return a.value == b.value ? 0 : (a.value < b.value ? -1 : 1);
  const double gap = a.value - b.value;
  if (std::abs(gap) <= a.bound + b.bound) return 2;
  return gap < 0 ? -1 : 1;
}

Uncertain truth(bool value) { return {value ? 1.0 : 0.0, 0}; }
constexpr Uncertain unknown{0, 1};

Uncertain compared(Relation relation, const Uncertain& a, const Uncertain& b) {
  const int o = order(a, b);
  if (o == 2) return unknown;
  switch (relation) {
    case Relation::lt:
      return truth(o < 0);
    case Relation::le:
      return truth(o <= 0);
    case Relation::gt:
      return truth(o > 0);
    case Relation::ge:
      return truth(o >= 0);
    default:
      break;
  }
  return truth(o == 0);
}

/// Three-valued logic: a doubtful operand matters only where it decides.
Uncertain both(const Uncertain& a, const Uncertain& b) {
  if ((a.bound == 0 && a.value == 0) || (b.bound == 0 && b.value == 0)) return truth(false);
  return a.bound == 0 && b.bound == 0 ? truth(true) : unknown;
}
Uncertain negated(const Uncertain& a) { return a.bound != 0 ? unknown : truth(a.value == 0); }
Uncertain either(const Uncertain& a, const Uncertain& b) {
  return negated(both(negated(a), negated(b)));
}

Uncertain sum(const Uncertain& a, const Uncertain& b) {
  const double value = a.value + b.value;
  const bool exact = a.bound == 0 && b.bound == 0;
  return {value, exact ? 0 : a.bound + b.bound + epsilon * std::abs(value)};
}
Uncertain product(const Uncertain& a, const Uncertain& b) {
  const double value = a.value * b.value;
  if (a.bound == 0 && b.bound == 0) return {value, 0};
  return {value, std::abs(a.value) * b.bound + std::abs(b.value) * a.bound + a.bound * b.bound +
                     epsilon * std::abs(value)};
}

/// floor, ceil and round; false when the error leaves more than one whole number.
bool to_whole(Op op, const Uncertain& x, Uncertain& out) {
  const auto whole = [op](double value) {
    return op == Op::floor  ? std::floor(value)
           : op == Op::ceil ? std::ceil(value)
                            : std::floor(value + 0.5);
  };
  out = {whole(x.value), 0};
  if (x.bound == 0) return true;
  const double far = std::numeric_limits<double>::infinity();
  return whole(std::nextafter(x.value - x.bound, -far)) == out.value &&
         whole(std::nextafter(x.value + x.bound, far)) == out.value;
}

/// x^y is monotone in both over positive x, so the corners bound it; false elsewhere.
bool power(const Uncertain& x, const Uncertain& y, Uncertain& out) {
  out = {std::pow(x.value, y.value), 0};
  if (x.bound == 0 && y.bound == 0) return true;
  if (!(x.value - x.bound > 0)) return false;
  for (const double a : {x.value - x.bound, x.value + x.bound})
    for (const double b : {y.value - y.bound, y.value + y.bound})
      out.bound = std::max(out.bound, std::abs(std::pow(a, b) - out.value));
  out.bound += 4 * epsilon * (std::abs(out.value) + out.bound);
  return true;
}

/// Value of one operator in one state; false when it is not supported.
bool pointwise(Op op, const std::vector<Uncertain>& x, bool booleans, Uncertain& out) {
  switch (op) {
    case Op::not_:
      out = negated(x[0]);
      return true;
    case Op::and_:
      out = both(x[0], x[1]);
      return true;
    case Op::or_:
      out = either(x[0], x[1]);
      return true;
    case Op::implies:
      out = either(negated(x[0]), x[1]);
      return true;
    case Op::iff:
    case Op::eq:
    case Op::ne: {
      Uncertain same =
          booleans
              ? (x[0].bound != 0 || x[1].bound != 0 ? unknown : truth(x[0].value == x[1].value))
              : compared(Relation::query, x[0], x[1]);
      out = op == Op::ne ? negated(same) : same;
      return true;
    }
    case Op::lt:
      out = compared(Relation::lt, x[0], x[1]);
      return true;
    case Op::le:
      out = compared(Relation::le, x[0], x[1]);
      return true;
    case Op::gt:
      out = compared(Relation::gt, x[0], x[1]);
      return true;
    case Op::ge:
      out = compared(Relation::ge, x[0], x[1]);
      return true;
    case Op::add:
      out = sum(x[0], x[1]);
      return true;
    case Op::sub:
      out = sum(x[0], {-x[1].value, x[1].bound});
      return true;
    case Op::neg:
      out = {-x[0].value, x[0].bound};
      return true;
    case Op::mul:
      out = product(x[0], x[1]);
      return true;
    case Op::div: {
      const double smallest = std::abs(x[1].value) - x[1].bound;
      out.value = x[0].value / x[1].value;
      if (x[0].bound == 0 && x[1].bound == 0) return true;
      if (!(smallest > 0)) return false;
      out.bound = (x[0].bound + std::abs(out.value) * x[1].bound) / smallest +
                  epsilon * std::abs(out.value);
      return true;
    }
    case Op::min:
    case Op::max: {
      const bool first = (op == Op::min) == (x[0].value <= x[1].value);
      out = {first ? x[0].value : x[1].value, std::max(x[0].bound, x[1].bound)};
      return true;
    }
    case Op::ite:
      if (x[0].bound != 0) return false;
      out = x[0].value != 0 ? x[1] : x[2];
      return true;
    case Op::real:
      out = x[0];
      return true;
    case Op::floor:
    case Op::ceil:
    case Op::round:
      return to_whole(op, x[0], out);
    case Op::pow:
      return power(x[0], x[1], out);
    case Op::mod:
    case Op::log:
      break;
  }
  return false;
}

}  // namespace

bool StateValues::doubtful() const {
  return boolean && std::any_of(bound.begin(), bound.end(), [](double b) { return b != 0; });
}

StateSet StateValues::as_set() const {
  StateSet out(value.size());
  for (std::size_t s = 0; s < value.size(); ++s) out[s] = value[s] != 0;
  return out;
}

void StateValues::flags(std::uint32_t size, const std::function<bool(std::uint32_t)>& flag) {
  boolean = true;
  value.resize(size);
  bound.assign(size, 0);
  for (std::uint32_t s = 0; s < size; ++s) value[s] = flag(s) ? 1 : 0;
}

void StateValues::compare(Relation relation, double against) {
  for (std::size_t s = 0; s < value.size(); ++s) {
    const bool infinite = std::isinf(value[s]);
    Uncertain out = compared(relation, {value[s], bound[s]}, {against, 0});
    if (at_least && !infinite && order({value[s], bound[s]}, {against, 0}) != 1) out = unknown;
    value[s] = out.value;
    bound[s] = out.bound;
  }
  boolean = true;
  at_least = false;
}

bool StateValues::apply(Op op, const std::vector<const StateValues*>& operands,
                        const StateSet& matters) {
  if (std::any_of(operands.begin(), operands.end(), [](auto* x) { return x->at_least; }))
    return false;
  const std::size_t size = operands.front()->value.size();
  const OpTyping typing = op_info(op).typing;
  boolean = typing == OpTyping::logic || typing == OpTyping::equality ||
            typing == OpTyping::order || (typing == OpTyping::choice && operands.back()->boolean);
  value.assign(size, 0);
  bound.assign(size, 0);
  std::vector<Uncertain> x(operands.size());
  for (std::size_t s = 0; s < size; ++s) {
    if (!matters[s]) continue;
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = {operands[i]->value[s], operands[i]->bound[s]};
    Uncertain out;
    if (!pointwise(op, x, operands.back()->boolean, out)) return false;
    value[s] = out.value;
    bound[s] = out.bound;
  }
  return true;
}

std::string StateValues::filter(FilterKind kind, const StateValues& operand, const StateSet& over) {
  const auto size = static_cast<std::uint32_t>(operand.value.size());
  std::vector<std::uint32_t> states;
  for (std::uint32_t s = 0; s < size; ++s)
    if (over[s]) states.push_back(s);
  if (states.empty()) return "a filter over no states";
  if (operand.at_least) return "a filter over lower bounds";
  const auto at = [&](std::uint32_t s) { return Uncertain{operand.value[s], operand.bound[s]}; };
  Uncertain out = at(states.front());
  boolean = operand.boolean;
  switch (kind) {
    case FilterKind::print:
    case FilterKind::printall:
      *this = operand;
      return "";
    case FilterKind::state:
      if (states.size() != 1) return "filter(state, ...) over several states";
      break;
    case FilterKind::first:
      break;
    case FilterKind::min:
    case FilterKind::max:
      for (const std::uint32_t s : states) {
        const bool better =
            kind == FilterKind::min ? at(s).value < out.value : at(s).value > out.value;
        out = {better ? at(s).value : out.value, std::max(out.bound, at(s).bound)};
      }
      break;
    case FilterKind::count:
      out = {};
      for (const std::uint32_t s : states) out = sum(out, at(s));
      boolean = false;
      break;
    case FilterKind::sum:
    case FilterKind::avg:
      out = {};
      for (const std::uint32_t s : states) out = sum(out, at(s));
      if (kind == FilterKind::avg)
        out = {out.value / static_cast<double>(states.size()),
               out.bound / static_cast<double>(states.size())};
      break;
    case FilterKind::forall:
      out = truth(true);
      for (const std::uint32_t s : states) out = both(out, at(s));
      break;
    case FilterKind::exists:
      out = truth(false);
      for (const std::uint32_t s : states) out = either(out, at(s));
      break;
    case FilterKind::argmin:
    case FilterKind::argmax:
    case FilterKind::range:
      return fmt::format("filter({}, ...)", filter_name(kind));
  }
  value.assign(size, out.value);
  bound.assign(size, out.bound);
  return "";
}

}  // namespace brink::analytic

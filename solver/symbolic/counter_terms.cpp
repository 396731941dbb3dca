#include "solver/symbolic/counter_terms.h"

#include <fmt/core.h>

#include <numeric>

#include "models/base/check.h"

namespace brink::solver {

Terms::Terms(z3::context& context, const std::vector<Symbol>& symbols, Numbers numbers,
             const std::string& suffix)
    : context_(context), symbols_(symbols), numbers_(numbers), constants_(context) {
  for (std::uint32_t s = 0; s < symbols.size(); ++s)
    constants_.push_back(context.constant((symbols[s].name + suffix).c_str(), sort(s)));
}

z3::sort Terms::sort(std::uint32_t index) const {
  if (symbols_[index].boolean) return context_.bool_sort();
  return numbers_ == Numbers::reals ? context_.real_sort() : context_.int_sort();
}

z3::expr Terms::number(std::int64_t value) const {
  return numbers_ == Numbers::reals ? context_.real_val(value) : context_.int_val(value);
}

z3::expr Terms::value(const Linear& term) const {
  z3::expr sum = number(term.constant);
  for (const auto& [s, factor] : term.factors) {
    const z3::expr own = symbols_[s].boolean ? z3::ite(symbol(s), number(1), number(0)) : symbol(s);
    sum = sum + (factor == 1 ? own : number(factor) * own);
  }
  return sum;
}

z3::expr Terms::atom(const Linear& t) const {
  if (t.is_number()) return context_.bool_val(t.constant >= 0);
  if (t.factors.size() == 1 && symbols_[t.factors[0].first].boolean) {
    const auto [s, factor] = t.factors[0];
    const bool when_true = factor + t.constant >= 0, when_false = t.constant >= 0;
    if (when_true == when_false) return context_.bool_val(when_true);
    return when_true ? symbol(s) : !symbol(s);
  }
  return value(t) >= number(0);
}

z3::expr Terms::of(const Cube& cube) const {
  if (!cube.possible()) return context_.bool_val(false);
  z3::expr_vector all(context_);
  for (const Linear& t : cube.atoms()) all.push_back(atom(t));
  return all_of(all);
}

z3::expr Terms::of(const Dnf& dnf) const {
  z3::expr_vector any(context_);
  for (const Cube& cube : dnf) any.push_back(of(cube));
  return any_of(any);
}

z3::expr Terms::next(const CounterCommand& command, std::uint32_t variable) const {
  if (!command.next[variable]) return symbol(variable);
  const Linear& t = *command.next[variable];
  if (!symbols_[variable].boolean) return value(t);
  return atom(t - Linear::number(1));
}

std::int64_t Terms::value_in(const z3::model& model, std::uint32_t s) const {
  const z3::expr value = model.eval(symbol(s), true);
  if (symbols_[s].boolean) return value.is_true() ? 1 : 0;
  std::int64_t out = 0;
  if (!value.is_numeral_i64(out)) throw GaveUp{"a solver's value that is no 64-bit integer"};
  return out;
}

namespace {

/// value / denominator
struct Fraction {
  Linear value;
  std::int64_t denominator = 1;
};

Fraction add(const Fraction& a, std::int64_t sign, const Fraction& b) {
  const std::int64_t common = std::lcm(a.denominator, b.denominator);
  return {combine(common / a.denominator, a.value, sign * (common / b.denominator), b.value),
          common};
}

class Reader {
 public:
  Reader(const Terms& terms, std::size_t symbols) : terms_(terms), symbols_(symbols) {}

  Formula formula(const z3::expr& e, bool positive) {
    if (++nodes_ > 20000) throw GaveUp{"an invariant too large to read"};
    const Z3_decl_kind kind = e.decl().decl_kind();
    switch (kind) {
      case Z3_OP_TRUE:
      case Z3_OP_FALSE:
        return {(kind == Z3_OP_TRUE) == positive ? Formula::Kind::all : Formula::Kind::any, {}, {}};
      case Z3_OP_NOT:
        return formula(e.arg(0), !positive);
      case Z3_OP_AND:
      case Z3_OP_OR:
        return join((kind == Z3_OP_AND) == positive, e, positive);
      case Z3_OP_IMPLIES:
        return pair(!positive, formula(e.arg(0), !positive), formula(e.arg(1), positive));
      case Z3_OP_ITE:
        return pair(false, pair(true, formula(e.arg(0), true), formula(e.arg(1), positive)),
                    pair(true, formula(e.arg(0), false), formula(e.arg(2), positive)));
      case Z3_OP_EQ:
      case Z3_OP_IFF:
        if (e.arg(0).is_bool())
          return pair(false, pair(true, formula(e.arg(0), true), formula(e.arg(1), positive)),
                      pair(true, formula(e.arg(0), false), formula(e.arg(1), !positive)));
        return equation(e, positive);
      case Z3_OP_LE:
        return inequality(e.arg(1), e.arg(0), false, positive);
      case Z3_OP_GE:
        return inequality(e.arg(0), e.arg(1), false, positive);
      case Z3_OP_LT:
        return inequality(e.arg(1), e.arg(0), true, positive);
      case Z3_OP_GT:
        return inequality(e.arg(0), e.arg(1), true, positive);
      default:
        break;
    }
    const Linear one = Linear::symbol(symbol(e));
    return {Formula::Kind::atom, positive ? one - Linear::number(1) : -1 * one, {}};
  }

 private:
  static Formula pair(bool all, Formula a, Formula b) {
    return {all ? Formula::Kind::all : Formula::Kind::any, {}, {std::move(a), std::move(b)}};
  }

  Formula join(bool all, const z3::expr& e, bool positive) {
    Formula out{all ? Formula::Kind::all : Formula::Kind::any, {}, {}};
    for (unsigned i = 0; i < e.num_args(); ++i) out.parts.push_back(formula(e.arg(i), positive));
    return out;
  }

  /// high >= low, or high > low.
  Formula inequality(const z3::expr& high, const z3::expr& low, bool strict, bool positive) {
    Linear t = add(number(high), -1, number(low)).value;
    if (strict) t = t - Linear::number(1);
    return {Formula::Kind::atom, positive ? t : negation(t), {}};
  }

  Formula equation(const z3::expr& e, bool positive) {
    const Linear t = add(number(e.arg(0)), -1, number(e.arg(1))).value;
    const Linear shift = Linear::number(positive ? 0 : 1);
    return pair(positive, {Formula::Kind::atom, t - shift, {}},
                {Formula::Kind::atom, -1 * t - shift, {}});
  }

  Fraction number(const z3::expr& e) {
    if (++nodes_ > 20000) throw GaveUp{"an invariant too large to read"};
    if (e.is_numeral()) {
      std::int64_t p = 0, q = 1;
      if (e.is_int() ? !e.is_numeral_i64(p)
                     : !e.numerator().is_numeral_i64(p) || !e.denominator().is_numeral_i64(q))
        throw GaveUp{"an invariant with large numbers"};
      return {Linear::number(p), q};
    }
    switch (e.decl().decl_kind()) {
      case Z3_OP_ADD:
      case Z3_OP_SUB: {
        Fraction sum = number(e.arg(0));
        for (unsigned i = 1; i < e.num_args(); ++i)
          sum = add(sum, e.decl().decl_kind() == Z3_OP_ADD ? 1 : -1, number(e.arg(i)));
        return sum;
      }
      case Z3_OP_UMINUS: {
        const Fraction a = number(e.arg(0));
        return {-1 * a.value, a.denominator};
      }
      case Z3_OP_MUL: {
        Fraction product{Linear::number(1), 1};
        for (unsigned i = 0; i < e.num_args(); ++i) {
          const Fraction a = number(e.arg(i));
          if (!a.value.is_number() && !product.value.is_number())
            throw GaveUp{"an invariant that is not linear"};
          product = {a.value.is_number() ? a.value.constant * product.value
                                         : product.value.constant * a.value,
                     a.denominator * product.denominator};
        }
        return product;
      }
      case Z3_OP_TO_REAL:
        return number(e.arg(0));
      case Z3_OP_UNINTERPRETED:
        return {Linear::symbol(symbol(e)), 1};
      default:
        throw GaveUp{"an invariant that is not linear"};
    }
  }

  std::uint32_t symbol(const z3::expr& e) const {
    for (std::uint32_t s = 0; s < symbols_; ++s)
      if (z3::eq(terms_.symbol(s), e)) return s;
    throw GaveUp{"an invariant over something unknown"};
  }

  const Terms& terms_;
  std::size_t symbols_;
  std::size_t nodes_ = 0;
};

}  // namespace

Formula formula_of(const z3::expr& e, const Terms& terms, std::size_t symbols) {
  return Reader(terms, symbols).formula(e, true);
}

z3::expr to_z3(const Formula& formula, const Terms& terms) {
  if (formula.kind == Formula::Kind::atom) return terms.atom(formula.atom);
  z3::expr_vector parts(terms.constants().ctx());
  for (const Formula& part : formula.parts) parts.push_back(to_z3(part, terms));
  return formula.kind == Formula::Kind::all ? all_of(parts) : any_of(parts);
}

}  // namespace brink::solver

#include "solver/symbolic/cases.h"

#include <fmt/core.h>

#include <charconv>
#include <numeric>

#include "models/base/check.h"

namespace brink::solver {
namespace {

constexpr int max_depth = 1500;
constexpr std::int64_t max_quotients = 40;

/// "p/q" as two numbers. GaveUp: not exact, or too long.
std::pair<std::int64_t, std::int64_t> ratio(const std::string& text) {
  std::int64_t p = 0, q = 1;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, p);
  bool good = !text.empty() && first.ec == std::errc{};
  if (good && first.ptr != end) {
    const auto second = std::from_chars(first.ptr + 1, end, q);
    good = *first.ptr == '/' && second.ec == std::errc{} && second.ptr == end;
  }
  if (!good) throw GaveUp{"a real constant that is no small fraction"};
  return {p, q};
}

Case scaled(const Case& c, std::int64_t factor) {
  return {c.when, factor * c.value, c.denominator};
}

/// a + sign * b over one denominator; nothing when both cannot be at once.
std::optional<Case> sum(const Case& a, const Case& b, std::int64_t sign) {
  Case out;
  out.when = a.when;
  if (!out.when.add(b.when)) return std::nullopt;
  const std::int64_t common = std::lcm(a.denominator, b.denominator);
  out.denominator = common;
  out.value = combine(common / a.denominator, a.value, sign * (common / b.denominator), b.value);
  return out;
}

std::vector<Case> limited(std::vector<Case> cases) {
  if (cases.size() > max_cubes) throw GaveUp{"too many cases of one number"};
  return cases;
}

}  // namespace

struct Cases::Depth {
  explicit Depth(Cases& owner) : owner(owner) {
    if (++owner.depth_ > max_depth) throw GaveUp{"expressions nested too deeply"};
  }
  ~Depth() { --owner.depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  Cases& owner;
};

Cases::Cases(const Model& model) : model_(model), variables_(model.variables.size()) {
  for (const Variable& v : model.variables)
    symbols_.push_back({Symbol::Kind::variable, v.name, v.type == Type::boolean});
  for (const Parameter& p : model.parameters) {
    if (p.type == Type::real) throw GaveUp{"a real constant without a value"};
    symbols_.push_back({Symbol::Kind::parameter, p.name, p.type == Type::boolean});
  }
  bounds_.resize(symbols_.size());
  for (std::uint32_t s = 0; s < symbols_.size(); ++s)
    if (symbols_[s].boolean) bounds_[s] = {0, 1};
}

void Cases::set_bounds(std::uint32_t symbol, std::int64_t low, std::int64_t high) {
  bounds_[symbol] = {low, high};
}

bool Cases::state_free(const Linear& value) const {
  for (const auto& [symbol, factor] : value.factors)
    if (symbols_[symbol].kind == Symbol::Kind::variable) return false;
  return true;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Cases::interval(const Linear& value) const {
  std::int64_t low = value.constant, high = value.constant;
  for (const auto& [symbol, factor] : value.factors) {
    if (!bounds_[symbol]) return std::nullopt;
    const auto [a, b] = *bounds_[symbol];
    low += factor * (factor > 0 ? a : b);
    high += factor * (factor > 0 ? b : a);
  }
  return std::pair{low, high};
}

Dnf Cases::truth(const ExprPool& pool, ExprId id, bool positive) {
  const Depth depth(*this);
  const ExprNode& node = pool[id];
  const auto literal = [&](std::uint32_t symbol) {
    Cube cube;
    cube.add(positive ? Linear::symbol(symbol) - Linear::number(1)
                      : Linear::number(0) - Linear::symbol(symbol));
    return Dnf{cube};
  };
  const auto both = [&](bool all, ExprId a, bool pa, ExprId b, bool pb) {
    const Dnf left = truth(pool, a, pa);
    if (all && left.empty()) return left;
    const Dnf right = truth(pool, b, pb);
    return all ? conjunction(left, right) : disjunction(left, right);
  };
  if (node.kind == ExprKind::boolean) return (node.value != 0) == positive ? dnf_true() : Dnf{};
  if (node.kind == ExprKind::variable) return literal(static_cast<std::uint32_t>(node.value));
  if (node.kind == ExprKind::parameter)
    return literal(static_cast<std::uint32_t>(variables_ + static_cast<std::size_t>(node.value)));
  const ExprId a = node.args[0], b = node.args[1], c = node.args[2];
  switch (node.op) {
    case Op::not_:
      return truth(pool, a, !positive);
    case Op::and_:
      return both(positive, a, positive, b, positive);
    case Op::or_:
      return both(!positive, a, positive, b, positive);
    case Op::implies:
      return both(!positive, a, !positive, b, positive);
    case Op::ite:
      return disjunction(both(true, a, true, b, positive), both(true, a, false, c, positive));
    case Op::iff:
      return disjunction(both(true, a, true, b, positive), both(true, a, false, b, !positive));
    default:
      return comparison(pool, node, positive);
  }
}

Dnf Cases::comparison(const ExprPool& pool, const ExprNode& node, bool positive) {
  const bool equality = node.op == Op::eq || node.op == Op::ne;
  const bool wanted = (node.op == Op::ne) != positive;  // for eq and ne: should they be equal?
  if (equality && pool.type(node.args[0]) == Type::boolean) {
    const auto side = [&](bool value) {
      return conjunction(truth(pool, node.args[0], value),
                         truth(pool, node.args[1], value == wanted));
    };
    return disjunction(side(true), side(false));
  }
  Op op = node.op;
  if (equality) {
    op = wanted ? Op::eq : Op::ne;
  } else if (!positive) {
    op = op == Op::lt ? Op::ge : op == Op::le ? Op::gt : op == Op::gt ? Op::le : Op::lt;
  }
  Dnf out;
  for (const Case& a : number(pool, node.args[0]))
    for (const Case& b : number(pool, node.args[1]))
      out = disjunction(std::move(out), compare_cases(a, b, op));
  return out;
}

Dnf Cases::compare_cases(const Case& a, const Case& b, Op op) const {
  const auto difference = sum(a, b, -1);
  if (!difference) return {};
  const Linear d = difference->value;  // a - b, times something positive
  const Linear one = Linear::number(1);
  const Linear negative = -1 * d;
  std::vector<Linear> any;
  switch (op) {
    case Op::eq: {
      Cube cube = difference->when;
      return cube.add(d) && cube.add(negative) ? Dnf{cube} : Dnf{};
    }
    case Op::ne:
      any = {d - one, negative - one};
      break;
    case Op::lt:
      any = {negative - one};
      break;
    case Op::le:
      any = {negative};
      break;
    case Op::gt:
      any = {d - one};
      break;
    case Op::ge:
      any = {d};
      break;
    default:
      throw GaveUp{"an operator that is no comparison"};
  }
  Dnf out;
  for (const Linear& atom : any) {
    Cube cube = difference->when;
    if (cube.add(atom)) out.push_back(cube);
  }
  return out;
}

std::vector<Case> Cases::number(const ExprPool& pool, ExprId id) {
  const Depth depth(*this);
  const ExprNode& node = pool[id];
  switch (node.kind) {
    case ExprKind::boolean:
    case ExprKind::integer:
      return {{{}, Linear::number(node.value), 1}};
    case ExprKind::real: {
      const auto [p, q] = ratio(pool.exact(id));
      return {{{}, Linear::number(p), q}};
    }
    case ExprKind::variable:
      return {{{}, Linear::symbol(static_cast<std::uint32_t>(node.value)), 1}};
    case ExprKind::parameter:
      return {{{},
               Linear::symbol(
                   static_cast<std::uint32_t>(variables_ + static_cast<std::size_t>(node.value))),
               1}};
    case ExprKind::apply:
      return limited(apply(pool, node));
  }
  return {};
}

std::vector<Case> Cases::apply(const ExprPool& pool, const ExprNode& node) {
  std::vector<Case> out;
  const auto pairs = [&](const auto& make) {
    for (const Case& a : number(pool, node.args[0]))
      for (const Case& b : number(pool, node.args[1]))
        if (auto made = make(a, b)) out.push_back(std::move(*made));
    return limited(std::move(out));
  };
  switch (node.op) {
    case Op::add:
      return pairs([](const Case& a, const Case& b) { return sum(a, b, 1); });
    case Op::sub:
      return pairs([](const Case& a, const Case& b) { return sum(a, b, -1); });
    case Op::mul:
    case Op::div:
      return pairs([&](const Case& a, const Case& b) -> std::optional<Case> {
        Case product;
        product.when = a.when;
        if (!product.when.add(b.when)) return std::nullopt;
        const bool divide = node.op == Op::div;
        const Case& number = b.value.is_number() || divide ? b : a;
        const Case& other = &number == &b ? a : b;
        if (!number.value.is_number()) throw GaveUp{"a product of two symbols"};
        std::int64_t p = number.value.constant, q = number.denominator;
        if (divide) std::swap(p, q);
        if (q == 0) throw GaveUp{"a division by zero"};
        if (q < 0) p = -p, q = -q;
        product.value = p * other.value;
        product.denominator = other.denominator * q;
        return product;
      });
    case Op::neg:
      for (const Case& a : number(pool, node.args[0])) out.push_back(scaled(a, -1));
      return out;
    case Op::min:
    case Op::max:
      return extreme(pool, node);
    case Op::ite:
      for (const bool way : {true, false})
        for (const Cube& cube : truth(pool, node.args[0], way))
          for (Case c : number(pool, node.args[way ? 1 : 2]))
            if (c.when.add(cube)) out.push_back(std::move(c));
      return out;
    case Op::real:
      return number(pool, node.args[0]);
    case Op::floor:
    case Op::ceil:
    case Op::round: {
      for (Case a : number(pool, node.args[0])) {
        const bool up = node.op == Op::ceil;
        if (node.op == Op::round) {  // floor(a + 1/2)
          a.value = combine(2, a.value, 1, Linear::number(a.denominator));
          a.denominator *= 2;
        }
        for (const Case& c : floor_of(up ? scaled(a, -1) : a))
          out.push_back(up ? scaled(c, -1) : c);
      }
      return out;
    }
    case Op::mod:
      return pairs([&](const Case& a, const Case& b) -> std::optional<Case> {
        if (!b.value.is_number() || b.value.constant <= 0)
          throw GaveUp{"mod by something that is no positive constant"};
        Cube when = a.when;
        if (!when.add(b.when)) return std::nullopt;
        for (Case c : quotients(when, a.value, b.value.constant)) {
          c.value = combine(1, a.value, -b.value.constant, c.value);
          out.push_back(std::move(c));
        }
        return std::nullopt;
      });
    default:
      throw GaveUp{fmt::format("the operator {}", op_info(node.op).text)};
  }
}

std::vector<Case> Cases::extreme(const ExprPool& pool, const ExprNode& node) {
  std::vector<Case> out;
  const bool least = node.op == Op::min;
  for (const Case& a : number(pool, node.args[0]))
    for (const Case& b : number(pool, node.args[1])) {
      for (const Cube& cube : compare_cases(a, b, least ? Op::le : Op::ge))
        out.push_back({cube, a.value, a.denominator});
      for (const Cube& cube : compare_cases(a, b, least ? Op::gt : Op::lt))
        out.push_back({cube, b.value, b.denominator});
    }
  return out;
}

std::vector<Case> Cases::floor_of(const Case& value) {
  if (value.denominator == 1) return {value};
  return quotients(value.when, value.value, value.denominator);
}

std::vector<Case> Cases::quotients(const Cube& when, const Linear& value, std::int64_t divisor) {
  if (value.is_number()) return {{when, Linear::number(floor_divide(value.constant, divisor)), 1}};
  if (state_free(value)) {
    auto [at, fresh] =
        known_quotients_.try_emplace({value, divisor}, static_cast<std::uint32_t>(symbols_.size()));
    const Linear q = Linear::symbol(at->second);
    if (fresh) {
      const std::string dividend =
          print_sum(value, [&](std::uint32_t s) { return symbols_[s].name; });
      symbols_.push_back(
          {Symbol::Kind::quotient, fmt::format("floor({}/{})", dividend, divisor), false});
      bounds_.emplace_back();
      definitions_.add(combine(1, value, -divisor, q));
      definitions_.add(combine(divisor, q, -1, value) + Linear::number(divisor - 1));
    }
    return {{when, q, 1}};
  }
  const auto range = interval(value);
  if (!range) throw GaveUp{"floor or mod of a value without constant bounds"};
  const std::int64_t first = floor_divide(range->first, divisor);
  const std::int64_t last = floor_divide(range->second, divisor);
  if (last - first > max_quotients) throw GaveUp{"floor or mod with too many quotients"};
  std::vector<Case> out;
  for (std::int64_t q = first; q <= last; ++q) {
    Case c{when, Linear::number(q), 1};
    if (c.when.add(value - Linear::number(q * divisor)) &&
        c.when.add(Linear::number(q * divisor + divisor - 1) - value))
      out.push_back(std::move(c));
  }
  return out;
}

}  // namespace brink::solver

#include "solver/symbolic/encoding.h"

#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "models/base/check.h"
#include "solver/symbolic/encode_terms.h"
#include "solver/symbolic/smt_terms.h"

namespace brink::solver {
namespace {

constexpr std::size_t max_moves = 20'000;

/// One way to pick a command and an update for each participant.
struct Pick {
  std::uint32_t command;
  std::uint32_t update;
};

/// The bits that hold 0 .. high - low; at least one.
unsigned bits_of(const Variable& variable) {
  const auto span = static_cast<std::uint64_t>(*variable.high_value - *variable.low_value);
  return std::max(1u, static_cast<unsigned>(std::bit_width(span)));
}

}  // namespace

struct Encoding::Impl {
  z3::context& context;
  const Model& model;
  const ExprPool& pool;
  bool bits = true;
  unsigned width = 0;
  bool reals = false;
  z3::expr_vector variables;                  ///< the template's constants
  z3::expr_vector parameters;                 ///< constants of the model without a value
  std::vector<std::optional<z3::expr>> term;  ///< by node id
  std::vector<EncodedMove> moves;
  std::vector<std::vector<Pick>> picks;  ///< for each move
  z3::expr known;                        ///< an invariant
  bool safe = false;                     ///< which excludes leaving a range

  Impl(z3::context& c, const Model& m, const ExprPool& p)
      : context(c), model(m), pool(p), variables(c), parameters(c), known(c.bool_val(true)) {}

  z3::expr number(std::int64_t value) const {
    return bits ? context.bv_val(value, width) : context.int_val(value);
  }

  z3::expr constant(const Variable& variable, const std::string& name) const {
    if (variable.type == Type::boolean) return context.bool_const(name.c_str());
    return bits ? context.bv_const(name.c_str(), bits_of(variable))
                : context.int_const(name.c_str());
  }

  z3::expr_vector fresh(const std::string& suffix) const {
    z3::expr_vector out(context);
    for (const Variable& variable : model.variables)
      out.push_back(constant(variable, variable.name + suffix));
    return out;
  }

  /// The value of a variable's constant as a number of the theory.
  z3::expr value_of(const Variable& variable, const z3::expr& constant) const {
    if (variable.type == Type::boolean || !bits) return constant;
    const unsigned own = bits_of(variable);
    const z3::expr wide = own < width ? z3::zext(constant, width - own) : constant;
    return *variable.low_value == 0 ? wide : wide + number(*variable.low_value);
  }

  /// A number as the constant of a variable that can hold it.
  z3::expr as_constant(const Variable& variable, const z3::expr& value) const {
    if (variable.type == Type::boolean || !bits) return value;
    const z3::expr shifted = *variable.low_value == 0 ? value : value - number(*variable.low_value);
    return shifted.extract(bits_of(variable) - 1, 0).simplify();
  }

  z3::expr bound(const std::optional<std::int64_t>& value, const ExprUse& use) const {
    return value ? number(*value) : of(use.id);
  }

  z3::expr within(const Variable& variable, const z3::expr& value) const {
    return value >= bound(variable.low_value, variable.low) &&
           value <= bound(variable.high_value, variable.high);
  }

  /// The declared initial value.
  z3::expr initial_value(const Variable& variable) const {
    if (!variable.init_value) return of(variable.init.id);
    if (variable.type == Type::boolean) return context.bool_val(*variable.init_value != 0);
    return number(*variable.init_value);
  }

  z3::expr real_constant(ExprId id) const { return context.real_val(pool.exact(id).c_str()); }

  z3::expr as_real(const z3::expr& e) const { return e.is_int() ? z3::to_real(e) : e; }

  z3::expr round_down(const z3::expr& e) const {
    return z3::expr(context, Z3_mk_real2int(context, e));
  }

  z3::expr modulo(const z3::expr& a, const ExprNode& node) const {
    const std::int64_t divisor = pool.integer_value(node.args[1]);
    if (bits) return z3::expr(context, Z3_mk_bvsmod(context, a, number(divisor)));
    // Z3's mod of integers is never negative; ours has the sign of the divisor.
    return divisor > 0 ? z3::mod(a, number(divisor)) : -z3::mod(-a, number(-divisor));
  }

  /// floor(a / c) of an int and a positive int constant, without a detour over the reals.
  std::optional<z3::expr> integer_quotient(const ExprNode& node) const {
    const ExprNode& inner = pool[node.args[0]];
    if (bits || inner.kind != ExprKind::apply || inner.op != Op::div) return std::nullopt;
    const ExprId divisor = inner.args[1];
    const auto whole = [&](ExprId id) {
      return pool.type(id) == Type::integer ||
             (pool[id].kind == ExprKind::apply && pool[id].op == Op::real &&
              pool.type(pool[id].args[0]) == Type::integer);
    };
    if (!whole(inner.args[0]) || !pool.is_constant(divisor)) return std::nullopt;
    const std::string exact = pool.exact(divisor);
    if (exact.empty() || exact.size() > 9 || exact.find_first_not_of("0123456789") != exact.npos ||
        exact == "0")
      return std::nullopt;
    const ExprId a = inner.args[0];
    const z3::expr& dividend =
        pool.type(a) == Type::integer ? *term[a.index] : *term[pool[a].args[0].index];
    return dividend / number(std::stoll(exact));
  }

  z3::expr apply(const ExprNode& node) const {
    const auto raw = [&](std::size_t i) { return *term[node.args[i].index]; };
    // Where an int meets a real, both are real.
    bool mixed = node.type == Type::real;
    for (const ExprId arg : node.operands()) mixed = mixed || pool.type(arg) == Type::real;
    const auto arg = [&](std::size_t i) { return mixed ? as_real(raw(i)) : raw(i); };
    const bool rounds = pool.type(node.args[0]) == Type::real;
    switch (node.op) {
      case Op::ite:
        return z3::ite(raw(0), arg(1), arg(2));
      case Op::implies:
        return z3::implies(raw(0), raw(1));
      case Op::iff:
      case Op::eq:
        return arg(0) == arg(1);
      case Op::ne:
        return arg(0) != arg(1);
      case Op::or_:
        return raw(0) || raw(1);
      case Op::and_:
        return raw(0) && raw(1);
      case Op::not_:
        return !raw(0);
      case Op::lt:
        return arg(0) < arg(1);
      case Op::le:
        return arg(0) <= arg(1);
      case Op::gt:
        return arg(0) > arg(1);
      case Op::ge:
        return arg(0) >= arg(1);
      case Op::add:
        return arg(0) + arg(1);
      case Op::sub:
        return arg(0) - arg(1);
      case Op::mul:
        return arg(0) * arg(1);
      case Op::div:
        return as_real(raw(0)) / as_real(raw(1));
      case Op::neg:
        return -arg(0);
      case Op::min:
        return z3::ite(arg(0) <= arg(1), arg(0), arg(1));
      case Op::max:
        return z3::ite(arg(0) >= arg(1), arg(0), arg(1));
      case Op::floor:
        if (const auto quotient = integer_quotient(node)) return *quotient;
        return rounds ? round_down(raw(0)) : raw(0);
      case Op::ceil:
        return rounds ? -round_down(-raw(0)) : raw(0);
      case Op::round:  // ties go up
        return rounds ? round_down(raw(0) + context.real_val(1, 2)) : raw(0);
      case Op::mod:
        return modulo(raw(0), node);
      case Op::pow: {
        z3::expr out = mixed ? context.real_val(1) : number(1);
        for (std::int64_t i = pool.integer_value(node.args[1]); i > 0; --i) out = out * arg(0);
        return out;
      }
      case Op::real:
        return as_real(raw(0));
      case Op::log:
        break;
    }
    BRINK_CHECK(false, "refused by the analysis");
    return raw(0);
  }

  void build_terms(const std::vector<bool>& needed) {
    term.resize(pool.size());
    for (std::uint32_t i = 0; i < pool.size(); ++i) {
      if (!needed[i]) continue;
      const ExprNode& node = pool[ExprId{i}];
      switch (node.kind) {
        case ExprKind::boolean:
          term[i] = context.bool_val(node.value != 0);
          break;
        case ExprKind::integer:
          term[i] = number(node.value);
          break;
        case ExprKind::real:
          term[i] = real_constant(ExprId{i});
          break;
        case ExprKind::variable: {
          const auto index = static_cast<unsigned>(node.value);
          term[i] = value_of(model.variables[index], variables[static_cast<int>(index)]);
          break;
        }
        case ExprKind::apply:
          term[i] = apply(node);
          break;
        case ExprKind::parameter:
          term[i] = parameters[static_cast<int>(node.value)];
          break;
      }
    }
  }

  const z3::expr& of(ExprId id) const {
    BRINK_CHECK(id.index < term.size() && term[id.index].has_value());
    return *term[id.index];
  }

  /// The move's own writes: variable -> value; a variable written twice gives the first.
  std::vector<const Assignment*> writes(const std::vector<Pick>& move) const {
    std::vector<const Assignment*> out(model.variables.size(), nullptr);
    for (const Pick& pick : move)
      for (const Assignment& a : model.commands[pick.command].updates[pick.update].assignments)
        if (out[a.variable] == nullptr) out[a.variable] = &a;
    return out;
  }

  std::string add_moves(const Synchronisation& row);
};

namespace {

/// Why a command's constant probabilities make it erroneous; weights are sums of doubles.
std::string check_weights(const Model& model, const Command& command, std::uint32_t index) {
  double sum = 0;
  for (const Update& update : command.updates) {
    if (!model.pool.is_constant(update.weight.id)) return "";
    const double weight = model.pool.number(update.weight.id);
    if (!(weight >= 0))
      return fmt::format("a negative weight in {}", model.describe_command(index));
    sum += weight;
  }
  if (model.type != ModelType::ctmc && std::abs(sum - 1) > 1e-6)
    return fmt::format("probabilities that do not sum to 1 in {}", model.describe_command(index));
  return "";
}

}  // namespace

std::string Encoding::Impl::add_moves(const Synchronisation& row) {
  struct Partial {
    std::vector<Pick> picks;
    std::uint32_t updates = 0;
  };
  std::vector<Partial> partial(1);
  for (const auto& participant : row.participants) {
    std::vector<Partial> longer;
    for (const Partial& p : partial)
      for (const std::uint32_t index : model.modules[participant.module].commands) {
        const Command& command = model.commands[index];
        if (command.action != participant.action || pool.is_false(command.guard.id)) continue;
        const auto count = static_cast<std::uint32_t>(command.updates.size());
        for (std::uint32_t u = 0; u < count; ++u) {
          const ExprId weight = command.updates[u].weight.id;
          if (pool.is_constant(weight) && pool.number(weight) == 0) continue;
          longer.push_back(p);
          longer.back().picks.push_back({index, u});
          longer.back().updates = p.updates * count + u;
        }
        if (longer.size() > max_moves) return "too many combinations of synchronised commands";
      }
    partial = std::move(longer);
  }
  for (Partial& p : partial) {
    if (moves.size() >= max_moves) return "too many combinations of synchronised commands";
    EncodedMove move;
    std::vector<bool> written(model.variables.size(), false);
    for (const Pick& pick : p.picks) {
      move.commands.push_back(pick.command);
      for (const Assignment& a : model.commands[pick.command].updates[pick.update].assignments) {
        if (written[a.variable])
          return "a move that writes variable " + model.variables[a.variable].name + " twice";
        written[a.variable] = true;
      }
    }
    move.updates = p.updates;
    moves.push_back(std::move(move));
    picks.push_back(std::move(p.picks));
  }
  return "";
}

Encoding::Encoding(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Encoding::~Encoding() = default;

Result<std::unique_ptr<Encoding>, std::string> Encoding::make(
    z3::context& context, const Model& model, const ExprPool& pool,
    const std::vector<ExprId>& expressions, Theory theory) {
  auto impl = std::make_unique<Impl>(context, model, pool);
  for (const Synchronisation& row : model.synchronisations)
    if (std::string reason = impl->add_moves(row); !reason.empty()) return fail(std::move(reason));
  std::vector<ExprId> roots = expressions;
  for (std::uint32_t c = 0; c < model.commands.size(); ++c) {
    const Command& command = model.commands[c];
    if (std::string reason = check_weights(model, command, c); !reason.empty())
      return fail(std::move(reason));
    roots.push_back(command.guard.id);
    for (const Update& update : command.updates) {
      if (!pool.is_constant(update.weight.id)) roots.push_back(update.weight.id);
      for (const Assignment& a : update.assignments) roots.push_back(a.value.id);
    }
  }
  if (model.init) roots.push_back(model.init->id);
  auto needs = analyse_terms(model, pool, roots);
  if (!needs) return fail(std::move(needs.error()));
  const bool symbolic = !model.parameters.empty();
  const bool integers = needs->reals || theory == Theory::integers || symbolic;
  if (needs->width == 0 && symbolic)
    return fail(std::string("arithmetic that may overflow for some values of the constants"));
  if (needs->width == 0 && !integers) return fail(std::string("values of more than 62 bits"));
  impl->bits = !integers;
  impl->reals = needs->reals;
  impl->width = needs->width;
  impl->variables = impl->fresh("");
  for (const Parameter& p : model.parameters)
    impl->parameters.push_back(p.type == Type::boolean ? context.bool_const(p.name.c_str())
                                                       : context.int_const(p.name.c_str()));
  impl->build_terms(needs->needed);
  return std::unique_ptr<Encoding>(new Encoding(std::move(impl)));
}

bool Encoding::exact_reals() const { return impl_->reals; }
bool Encoding::uses_bits() const { return impl_->bits; }

z3::expr_vector Encoding::state(std::uint32_t step) const {
  return impl_->fresh("@" + std::to_string(step));
}

const z3::expr_vector& Encoding::template_state() const { return impl_->variables; }

z3::expr Encoding::at(const z3::expr& term, const z3::expr_vector& state) const {
  z3::expr copy = term;
  return copy.substitute(impl_->variables, state);
}

z3::expr Encoding::expression(ExprId id) const { return impl_->of(id); }

z3::expr Encoding::in_range() const {
  z3::expr_vector all(impl_->context);
  for (std::size_t v = 0; v < impl_->model.variables.size(); ++v) {
    const Variable& variable = impl_->model.variables[v];
    if (variable.type == Type::boolean) continue;
    all.push_back(
        impl_->within(variable, impl_->value_of(variable, impl_->variables[static_cast<int>(v)])));
  }
  return all_of(all);
}

z3::expr Encoding::initial() const {
  if (impl_->model.init) return in_range() && impl_->of(impl_->model.init->id);
  z3::expr_vector all(impl_->context);
  for (std::size_t v = 0; v < impl_->model.variables.size(); ++v) {
    const Variable& variable = impl_->model.variables[v];
    all.push_back(impl_->variables[static_cast<int>(v)] ==
                  impl_->as_constant(variable, impl_->initial_value(variable)));
  }
  return all_of(all);
}

z3::expr Encoding::is_zero(const Linear& sum) const {
  const Impl& m = *impl_;
  // As many bits as the sum of the largest magnitudes needs: nothing wraps.
  __int128 most = sum.constant < 0 ? -sum.constant : sum.constant;
  unsigned widest = 1;
  for (const auto& [symbol, factor] : sum.factors) {
    BRINK_CHECK(symbol < m.model.variables.size());
    const Variable& variable = m.model.variables[symbol];
    if (!m.bits) continue;
    const __int128 largest =
        std::max(std::abs(*variable.low_value), std::abs(*variable.high_value));
    most += (factor < 0 ? -factor : factor) * largest;
    widest = std::max(widest, bits_of(variable));
  }
  unsigned width = 2;  // of the sum, with its sign
  for (; most != 0; most >>= 1) ++width;
  width = std::max(width, widest + 2);
  const auto number = [&](std::int64_t value) {
    return m.bits ? m.context.bv_val(value, width) : m.context.int_val(value);
  };
  z3::expr total = number(sum.constant);
  for (const auto& [symbol, factor] : sum.factors) {
    const Variable& variable = m.model.variables[symbol];
    z3::expr value = m.variables[static_cast<int>(symbol)];
    if (m.bits) {
      const unsigned own = bits_of(variable);
      value = z3::zext(value, width - own) + number(*variable.low_value);
    }
    total = total + number(factor) * value;
  }
  return total == number(0);
}

z3::expr Encoding::known() const { return impl_->known; }
bool Encoding::safe() const { return impl_->safe; }
void Encoding::set_known(const z3::expr& invariant, bool safe) {
  impl_->known = invariant;
  impl_->safe = safe;
}

const z3::expr_vector& Encoding::parameters() const { return impl_->parameters; }

z3::expr Encoding::legal() const {
  z3::expr_vector all(impl_->context);
  const z3::expr limit = impl_->context.int_val(2147483647);
  for (unsigned p = 0; p < impl_->parameters.size(); ++p) {
    const z3::expr constant = impl_->parameters[static_cast<int>(p)];
    if (constant.is_int()) all.push_back(constant >= -limit && constant <= limit);
  }
  for (const Variable& variable : impl_->model.variables) {
    if (variable.type == Type::boolean || impl_->parameters.empty()) continue;
    all.push_back(impl_->bound(variable.low_value, variable.low) <=
                  impl_->bound(variable.high_value, variable.high));
    if (!impl_->model.init) all.push_back(impl_->within(variable, impl_->initial_value(variable)));
  }
  return all_of(all);
}

const std::vector<EncodedMove>& Encoding::moves() const { return impl_->moves; }

z3::expr Encoding::guard(std::size_t move) const {
  z3::expr_vector all(impl_->context);
  for (const Pick& pick : impl_->picks[move]) {
    const Command& command = impl_->model.commands[pick.command];
    all.push_back(impl_->of(command.guard.id));
    const ExprId weight = command.updates[pick.update].weight.id;
    if (impl_->pool.is_constant(weight)) continue;
    const z3::expr& w = impl_->of(weight);
    all.push_back(w.is_real() ? w > impl_->context.real_val(0) : w > impl_->number(0));
  }
  return all_of(all);
}

z3::expr_vector Encoding::target(std::size_t move) const {
  z3::expr_vector out(impl_->context);
  const auto writes = impl_->writes(impl_->picks[move]);
  for (std::size_t v = 0; v < writes.size(); ++v)
    out.push_back(writes[v] == nullptr ? impl_->variables[static_cast<int>(v)]
                                       : impl_->as_constant(impl_->model.variables[v],
                                                            impl_->of(writes[v]->value.id)));
  return out;
}

z3::expr Encoding::leaves_range(std::size_t move) const {
  if (impl_->safe) return impl_->context.bool_val(false);
  z3::expr_vector bad(impl_->context);
  const auto writes = impl_->writes(impl_->picks[move]);
  for (std::size_t v = 0; v < writes.size(); ++v) {
    const Variable& variable = impl_->model.variables[v];
    if (writes[v] == nullptr || variable.type == Type::boolean) continue;
    bad.push_back(!impl_->within(variable, impl_->of(writes[v]->value.id)));
  }
  return (guard(move) && any_of(bad)).simplify();
}

z3::expr Encoding::any_enabled() const {
  z3::expr_vector any(impl_->context);
  for (std::size_t m = 0; m < impl_->moves.size(); ++m) any.push_back(guard(m));
  return any_of(any);
}

z3::expr Encoding::any_leaves_range() const {
  z3::expr_vector any(impl_->context);
  for (std::size_t m = 0; m < impl_->moves.size(); ++m) any.push_back(leaves_range(m));
  return any_of(any);
}

std::vector<std::int64_t> Encoding::values(const z3::model& model,
                                           const z3::expr_vector& state) const {
  std::vector<std::int64_t> out;
  for (std::size_t v = 0; v < impl_->model.variables.size(); ++v) {
    const Variable& variable = impl_->model.variables[v];
    const z3::expr value = model.eval(state[static_cast<int>(v)], true);
    if (variable.type == Type::boolean)
      out.push_back(value.is_true() ? 1 : 0);
    else if (impl_->bits)
      out.push_back(*variable.low_value + static_cast<std::int64_t>(value.get_numeral_uint64()));
    else
      out.push_back(value.get_numeral_int64());
  }
  return out;
}

z3::expr Encoding::equals(const z3::expr_vector& state,
                          const std::vector<std::int64_t>& values) const {
  z3::expr_vector all(impl_->context);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const Variable& variable = impl_->model.variables[v];
    const z3::expr constant = state[static_cast<int>(v)];
    if (variable.type == Type::boolean)
      all.push_back(values[v] != 0 ? constant : !constant);
    else if (impl_->bits)
      all.push_back(constant == impl_->context.bv_val(
                                    static_cast<std::uint64_t>(values[v] - *variable.low_value),
                                    bits_of(variable)));
    else
      all.push_back(constant == impl_->context.int_val(values[v]));
  }
  return all_of(all);
}

}  // namespace brink::solver

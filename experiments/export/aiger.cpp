// AIGER 1.9, binary: the model as a circuit with one bad-state property.
//
// A variable is as many latches as its range needs, counted from its lower bound; a latch whose bit
// starts as 1 is stored inverted, so that all start as 0 and old readers are content. Inputs choose
// which move is taken; when the chosen one is not enabled nothing changes, which adds only loops of
// a state on itself and so no reachable state. Bad is: the property fails here; without a property:
// the chosen move is enabled and leaves a range. (Moves that leave a range are not taken; one
// question a file, since the other makes each harder.) Arithmetic is two's complement, as wide as
// the interval analysis of the solver says, plus two bits for differences and remainders. Binary,
// because abc reads only that.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "experiments/export/circuit.h"
#include "experiments/export/machine.h"
#include "models/base/check.h"
#include "solver/symbolic/encode_terms.h"

namespace brink::exports {
namespace {

unsigned latches_of(const Variable& variable) {
  if (variable.type == Type::boolean) return 1;
  return static_cast<unsigned>(
      std::bit_width(static_cast<std::uint64_t>(*variable.high_value - *variable.low_value)));
}

/// The circuit under construction.
class Blaster {
 public:
  Blaster(const Machine& machine, std::uint32_t inputs, std::uint32_t latches, unsigned width,
          std::span<const std::int64_t> initial);

  Circuit circuit;
  std::vector<std::vector<Literal>>
      packed;                 ///< bits of each variable, counted from its lower bound
  std::vector<Literal> flip;  ///< 1 for latches stored inverted

  Literal truth(ExprId id) { return value(id)[0]; }
  /// One literal for a bool, else a number.
  const Bits& value(ExprId id);

 private:
  Bits apply(const ExprNode& node);

  const Machine& machine_;
  std::map<std::uint32_t, Bits> known_;
};

Blaster::Blaster(const Machine& machine, std::uint32_t inputs, std::uint32_t latches,
                 unsigned width, std::span<const std::int64_t> initial)
    : circuit(inputs + latches, width), machine_(machine) {
  std::uint32_t next = inputs;
  for (std::size_t v = 0; v < initial.size(); ++v) {
    const Variable& variable = machine.model->variables[v];
    const std::int64_t low = variable.type == Type::boolean ? 0 : *variable.low_value;
    packed.emplace_back();
    for (unsigned i = 0; i < latches_of(variable); ++i) {
      flip.push_back(static_cast<Literal>(((initial[v] - low) >> i) & 1));
      packed.back().push_back(circuit.leaf(next++) ^ flip.back());
    }
  }
}

const Bits& Blaster::value(ExprId root) {
  const ExprPool& pool = machine_.pool;
  const std::vector<bool> needed = solver::nodes_below(pool, {root});
  for (std::uint32_t i = 0; i <= root.index; ++i) {
    if (!needed[i] || known_.contains(i)) continue;
    const ExprNode& node = pool[ExprId{i}];
    Bits out;
    if (node.kind == ExprKind::boolean) {
      out = {static_cast<Literal>(node.value)};
    } else if (node.kind == ExprKind::integer) {
      out = circuit.number(node.value);
    } else if (node.kind == ExprKind::variable) {
      const auto v = static_cast<std::size_t>(node.value);
      const bool boolean = node.type == Type::boolean;
      out =
          boolean ? packed[v] : circuit.offset(packed[v], *machine_.model->variables[v].low_value);
    } else {
      out = apply(node);
    }
    known_[i] = std::move(out);
  }
  return known_.at(root.index);
}

Bits Blaster::apply(const ExprNode& node) {
  Circuit& c = circuit;
  const auto arg = [&](std::size_t i) -> const Bits& { return known_.at(node.args[i].index); };
  const auto bit = [&](std::size_t i) { return arg(i)[0]; };
  const auto same = [&]() -> Literal {
    if (machine_.pool.type(node.args[0]) == Type::boolean) return inverted(c.xor_(bit(0), bit(1)));
    return c.equal(arg(0), arg(1));
  };
  switch (node.op) {
    case Op::ite:
      if (node.type == Type::boolean) return {c.mux(bit(0), bit(1), bit(2))};
      return c.mux(bit(0), arg(1), arg(2));
    case Op::implies:
      return {c.or_(inverted(bit(0)), bit(1))};
    case Op::iff:
    case Op::eq:
      return {same()};
    case Op::ne:
      return {inverted(same())};
    case Op::or_:
      return {c.or_(bit(0), bit(1))};
    case Op::and_:
      return {c.and_(bit(0), bit(1))};
    case Op::not_:
      return {inverted(bit(0))};
    case Op::lt:
      return {c.less(arg(0), arg(1))};
    case Op::le:
      return {inverted(c.less(arg(1), arg(0)))};
    case Op::gt:
      return {c.less(arg(1), arg(0))};
    case Op::ge:
      return {inverted(c.less(arg(0), arg(1)))};
    case Op::add:
      return c.add(arg(0), arg(1));
    case Op::sub:
      return c.subtract(arg(0), arg(1));
    case Op::mul:
      return c.multiply(arg(0), arg(1));
    case Op::neg:
      return c.negate(arg(0));
    case Op::min:
      return c.mux(c.less(arg(0), arg(1)), arg(0), arg(1));
    case Op::max:
      return c.mux(c.less(arg(0), arg(1)), arg(1), arg(0));
    case Op::mod:
      return c.modulo(arg(0), machine_.pool.integer_value(node.args[1]));
    case Op::floor:
    case Op::ceil:
    case Op::round:
      return arg(0);
    case Op::pow: {
      Bits out = c.number(1);
      for (std::int64_t k = machine_.pool.integer_value(node.args[1]); k > 0; --k)
        out = c.multiply(out, arg(0));
      return out;
    }
    case Op::div:
    case Op::log:
    case Op::real:
      break;
  }
  BRINK_CHECK(false, "a real operator in a circuit");
  return {};
}

/// Bits that hold every value; an error names the place of what cannot be a circuit.
Result<unsigned, Diagnostics> width_of(const Machine& machine, ExprId body) {
  unsigned width = 1;
  const auto look = [&](ExprUse use) -> Result<void, Diagnostics> {
    const auto needs = solver::analyse_terms(*machine.model, machine.pool, {use.id});
    std::string why = needs ? "" : fmt::format("AIGER cannot say {}", needs.error());
    if (needs && needs->reals) why = "AIGER has no real numbers";
    if (needs && !needs->reals && needs->width == 0) why = "a value may need more than 62 bits";
    if (!why.empty()) return fail(refuse(*machine.model, use.span, why));
    width = std::max(width, needs->width);
    return {};
  };
  for (const Move& move : machine.moves) {
    for (const std::uint32_t c : move.commands) {
      if (auto good = look(machine.model->commands[c].guard); !good) return fail(good.error());
    }
    for (const Assignment& a : move.branches[0].assignments) {
      if (auto good = look(a.value); !good) return fail(good.error());
    }
  }
  if (auto good = look({body, {}}); !good) return fail(good.error());
  for (const Variable& v : machine.model->variables) {
    for (const std::int64_t bound : {*v.low_value, *v.high_value, *v.high_value - *v.low_value}) {
      const auto size = static_cast<std::uint64_t>(bound < 0 ? -(bound + 1) : bound);
      width = std::max(width, static_cast<unsigned>(std::bit_width(size)) + 1);
    }
  }
  return width + 2;
}

std::string delta(std::uint32_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  return out + static_cast<char>(value);
}

struct Question {
  ExprId bad;
  std::string text;
};

Result<Question, Diagnostics> question(Machine& machine, const Job& job) {
  if (job.asked.empty())
    return Question{machine.pool.boolean(false), "bad: a variable leaves its range"};
  const Property& property = *job.asked.front();
  const ClaimForm form = property.root.valid() ? claim_of(machine, *job.properties, property)
                                               : ClaimForm{Claim::other, {}, "it has errors"};
  const std::string name = name_of(property);
  if (form.claim == Claim::always) {
    return Question{machine.pool.not_(form.body), fmt::format("bad: {} is violated", name)};
  }
  if (form.claim == Claim::possible) {
    return Question{form.body, fmt::format("bad: {} HOLDS", name)};
  }
  return fail(refuse(*machine.model, {},
                     fmt::format("property {} cannot be said in AIGER: {}", name,
                                 form.claim == Claim::recoverable ? "it branches" : form.reason),
                     "a bad state says A [ G p ] and E [ F p ]"));
}

/// Fills in the next values; returns "the chosen move leaves a range".
Literal step(Blaster& blaster, const Machine& machine, std::uint32_t inputs,
             std::vector<std::vector<Literal>>& next) {
  Circuit& c = blaster.circuit;
  Literal leaves = 0;
  for (std::size_t m = 0; m < machine.moves.size(); ++m) {
    Literal taken = blaster.truth(machine.moves[m].guard.id);
    for (std::uint32_t i = 0; i < inputs; ++i) {
      taken = c.and_(taken, ((m >> i) & 1) != 0 ? c.leaf(i) : inverted(c.leaf(i)));
    }
    const auto& assignments = machine.moves[m].branches[0].assignments;
    Literal outside = 0;
    for (const Assignment& a : assignments) {
      const Variable& variable = machine.model->variables[a.variable];
      if (variable.type == Type::boolean) continue;
      const Bits value = blaster.value(a.value.id);
      outside = c.or_(outside, c.less(value, c.number(*variable.low_value)));
      outside = c.or_(outside, c.less(c.number(*variable.high_value), value));
    }
    leaves = c.or_(leaves, c.and_(taken, outside));
    taken = c.and_(taken, inverted(outside));
    for (const Assignment& a : assignments) {
      const Variable& variable = machine.model->variables[a.variable];
      Bits value = blaster.value(a.value.id);
      if (variable.type != Type::boolean) value = c.subtract(value, c.number(*variable.low_value));
      auto& bits = next[a.variable];
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = c.mux(taken, value[i], bits[i]);
    }
  }
  return leaves;
}

std::string text_of(const Blaster& blaster, const Machine& machine, std::uint32_t inputs,
                    const std::vector<std::vector<Literal>>& next, Literal bad,
                    const std::string& about) {
  const auto& gates = blaster.circuit.gates();
  const std::uint32_t leaves = blaster.circuit.leaves();
  std::string out = fmt::format("aig {} {} {} 0 {} 1\n", leaves + gates.size(), inputs,
                                leaves - inputs, gates.size());
  std::string symbols;
  std::size_t latch = 0;
  for (std::uint32_t i = 0; i < inputs; ++i) symbols += fmt::format("i{} move[{}]\n", i, i);
  for (std::size_t v = 0; v < next.size(); ++v) {
    for (std::size_t i = 0; i < next[v].size(); ++i, ++latch) {
      out += fmt::format("{}\n", next[v][i] ^ blaster.flip[latch]);
      symbols += fmt::format("l{} {}[{}]{}\n", latch, machine.model->variables[v].name, i,
                             blaster.flip[latch] != 0 ? " inverted" : "");
    }
  }
  out += fmt::format("{}\n", bad);
  for (std::size_t g = 0; g < gates.size(); ++g) {
    const auto gate = static_cast<Literal>(2 * (leaves + 1 + g));
    out += delta(gate - gates[g].first) + delta(gates[g].first - gates[g].second);
  }
  out += symbols +
         fmt::format("b0 bad\nc\n{}: exported by brink; {}\n", base_name(*machine.model), about);
  for (std::size_t m = 0; m < machine.moves.size(); ++m)
    out += fmt::format("move {}: {}\n", m, machine.moves[m].name);
  return out;
}

}  // namespace

Outcome write_aiger(const Job& job) {
  auto machine = flatten_untimed(job, "AIGER");
  if (!machine) return fail(machine.error());
  const Model& model = *job.model;
  const auto initial = initial_values(model, 1);
  if (!initial) return fail(initial.error());
  const auto asked = question(*machine, job);
  if (!asked) return fail(asked.error());
  const auto width = width_of(*machine, asked->bad);
  if (!width) return fail(width.error());
  std::uint32_t latches = 0;
  for (const Variable& variable : model.variables) latches += latches_of(variable);
  const auto inputs = machine->moves.empty()
                          ? 0U
                          : static_cast<std::uint32_t>(std::bit_width(machine->moves.size() - 1));
  Blaster blaster(*machine, inputs, latches, *width, initial->front());
  auto next = blaster.packed;
  const Literal leaves = step(blaster, *machine, inputs, next);
  const Literal bad = job.asked.empty() ? leaves : blaster.truth(asked->bad);
  return Exported{{{".aig", text_of(blaster, *machine, inputs, next, bad, asked->text)}},
                  machine->remarks};
}

}  // namespace brink::exports

#include "solver/search/watch.h"

#include <algorithm>
#include <bit>

#include "models/base/check.h"

namespace brink::solver {
namespace {

LaneMask combine(Op op, const LaneMask& a, const LaneMask& b, const LaneMask& c) {
  LaneMask out;
  for (std::size_t w = 0; w < out.size(); ++w) {
    switch (op) {
      case Op::ite:
        out[w] = (a[w] & b[w]) | (~a[w] & c[w]);
        break;
      case Op::implies:
        out[w] = ~a[w] | b[w];
        break;
      case Op::iff:
      case Op::eq:
        out[w] = ~(a[w] ^ b[w]);
        break;
      case Op::ne:
        out[w] = a[w] ^ b[w];
        break;
      case Op::or_:
        out[w] = a[w] | b[w];
        break;
      case Op::and_:
        out[w] = a[w] & b[w];
        break;
      case Op::not_:
        out[w] = ~a[w];
        break;
      default:
        BRINK_CHECK(false, "no boolean operator");
    }
  }
  return out;
}

}  // namespace

Watch::Watch(const ModelPtr& model, const StateLayout& layout, const PropertySet& set, PropId root)
    : set_(&set),
      layout_(layout),
      variables_(static_cast<std::uint32_t>(model->variables.size())),
      known_(set.nodes.size()),
      atoms_(set.nodes.size(), kNoColumn) {
  const std::vector<bool> below = nodes_below(set, root);
  for (std::uint32_t i = 0; i <= root.index; ++i)
    if (below[i]) nodes_.push_back(i);
  code_.emplace(*model, layout, set.pool);
  std::uint32_t fault = kNoColumn;
  for (const std::uint32_t i : nodes_) {
    if (set.nodes[i].kind != PropKind::atom) continue;
    const ColumnCode::Value value = code_->expr(set.nodes[i].expr);
    atoms_[i] = code_->keep_mask(value.reg);
    fault = code_->either(fault, value.fault);
  }
  if (fault != kNoColumn) fault_mask_ = code_->keep_mask(fault);
  if (!code_->finish()) code_.reset();
}

LaneMask Watch::node(const PropNode& node, const Facts& facts) const {
  if (node.kind == PropKind::init) return facts.initial;
  if (node.kind == PropKind::deadlock) return facts.deadlock;
  BRINK_CHECK(node.kind == PropKind::apply, "a temporal operator is watched");
  const auto operand = [&](std::size_t i) {
    return i < node.args.size() ? known_[node.args[i].index] : LaneMask{};
  };
  return combine(node.op, operand(0), operand(1), operand(2));
}

const LaneMask& Watch::run(const std::uint64_t* states, std::size_t count, const Facts& facts) {
  fault_ = {};
  if (code_) {
    code_->load(states, count);
    code_->run(0);
    if (fault_mask_ != kNoColumn) fault_ = code_->mask(fault_mask_);
  } else {
    atoms_one_by_one(states, count);
  }
  for (const std::uint32_t i : nodes_) {
    if (set_->nodes[i].kind != PropKind::atom)
      known_[i] = node(set_->nodes[i], facts);
    else if (code_)
      known_[i] = code_->mask(atoms_[i]);
  }
  return known_[nodes_.back()];
}

void Watch::atoms_one_by_one(const std::uint64_t* states, std::size_t count) {
  std::vector<std::int64_t> valuation(variables_);
  for (const std::uint32_t i : nodes_) {
    if (set_->nodes[i].kind != PropKind::atom) continue;
    ExprEvaluator evaluator(variables_);
    const std::size_t expr = evaluator.add(set_->pool, set_->nodes[i].expr);
    known_[i] = {};
    for (std::size_t lane = 0; lane < count; ++lane) {
      layout_.unpack({states + lane * layout_.words(), layout_.words()}, valuation);
      const auto value = evaluator.boolean(expr, valuation);
      const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
      if (!value)
        fault_[lane / 64] |= bit;
      else if (*value)
        known_[i][lane / 64] |= bit;
    }
  }
}

SemanticError Watch::fault_of(std::span<const std::uint64_t> state) const {
  std::vector<std::int64_t> valuation(variables_);
  layout_.unpack(state, valuation);
  for (const std::uint32_t i : nodes_) {
    if (set_->nodes[i].kind != PropKind::atom) continue;
    ExprEvaluator evaluator(variables_);
    const auto value = evaluator.boolean(evaluator.add(set_->pool, set_->nodes[i].expr), valuation);
    if (!value) return value.error();
  }
  BRINK_CHECK(false, "columns report a fault that the evaluator does not have");
  return {};
}

void first_sighting(Watch& watch, bool sought, const std::uint64_t* states, std::uint32_t first,
                    std::size_t count, const Watch::Facts& facts, std::uint32_t& found,
                    std::uint32_t& faulty) {
  const auto note = [&](std::uint64_t bits, std::size_t word, std::uint32_t& place) {
    const std::size_t here = count - std::min(count, word * 64);
    if (here < 64) bits &= (std::uint64_t{1} << here) - 1;
    if (bits != 0 && place == 0xffffffffu)
      place = first + static_cast<std::uint32_t>(word * 64) +
              static_cast<std::uint32_t>(std::countr_zero(bits));
  };
  const LaneMask& truth = watch.run(states, count, facts);
  for (std::size_t w = 0; w < truth.size(); ++w) {
    note((sought ? truth[w] : ~truth[w]) & ~watch.fault()[w], w, found);
    note(watch.fault()[w], w, faulty);
  }
}

}  // namespace brink::solver

// The product of small deterministic automata, one for each part of the formula.
//
// Acceptance follows the formula: a part says when it holds as clauses over its own marks, "or" is
// the union of clauses and "and" their pairwise conjunction. Tried and dropped: one automaton of
// history trees for the whole formula, which for a handful of G F and F G parts has thousands of
// states where the product has one.
#include "models/automata/deterministic.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "models/automata/buchi.h"
#include "models/automata/good_prefixes.h"
#include "models/automata/history_trees.h"
#include "models/base/check.h"

namespace brink::automata {
namespace {

constexpr std::size_t kMaxClauses = 4096;
using Clauses = std::vector<Clause>;

/// One part: how it steps, and which marks it shows (numbered from 0 within the part).
class Part {
 public:
  virtual ~Part() = default;
  virtual std::uint32_t initial() const = 0;
  virtual Deterministic::Move step(std::uint32_t state, std::uint64_t letter) = 0;
  virtual std::uint32_t marks() const = 0;
  virtual Clauses acceptance() const = 0;
  virtual std::string problem() const { return {}; }
};

/// Mark 0 after a good prefix, for ever.
class PrefixPart final : public Part {
 public:
  PrefixPart(FormulaPool& pool, Formula f, bool negated)
      : prefixes_(pool, negated ? pool.negation(f) : f), negated_(negated) {}
  std::uint32_t initial() const override { return prefixes_.initial(); }
  Deterministic::Move step(std::uint32_t state, std::uint64_t letter) override {
    const std::uint32_t next = prefixes_.step(state, letter);
    return {next, prefixes_.good(next) ? 1u : 0u};
  }
  std::uint32_t marks() const override { return 1; }
  Clauses acceptance() const override { return {negated_ ? Clause{1, 0} : Clause{0, 1}}; }
  std::string problem() const override { return prefixes_.problem(); }

 private:
  GoodPrefixes prefixes_;
  bool negated_;
};

/// A tableau that is deterministic; where it has no edge the run is dead and shows no mark. The
/// last mark says that the run is alive.
class TablePart final : public Part {
 public:
  TablePart(Automaton automaton, bool negated)
      : automaton_(std::move(automaton)), negated_(negated) {}
  std::uint32_t initial() const override { return automaton_.initial; }
  Deterministic::Move step(std::uint32_t state, std::uint64_t letter) override {
    if (state < automaton_.size())
      for (const Edge& edge : automaton_.edges[state])
        if (edge.label.matches(letter))
          return {edge.target, edge.sets | std::uint64_t{1} << automaton_.acceptance_sets};
    return {automaton_.size(), 0};
  }
  std::uint32_t marks() const override { return automaton_.acceptance_sets + 1; }
  Clauses acceptance() const override {
    const std::uint64_t sets = automaton_.all_sets();
    const std::uint64_t alive = std::uint64_t{1} << automaton_.acceptance_sets;
    if (!negated_) return {{0, sets == 0 ? alive : sets}};
    Clauses out;
    if (sets == 0) out.push_back({alive, 0});
    for (std::uint64_t bit = 1; bit < alive; bit <<= 1) out.push_back({bit, 0});
    return out;
  }

 private:
  Automaton automaton_;
  bool negated_;
};

class TreePart final : public Part {
 public:
  TreePart(Automaton automaton, bool negated) : trees_(std::move(automaton)), negated_(negated) {}
  std::uint32_t initial() const override { return 0; }
  Deterministic::Move step(std::uint32_t state, std::uint64_t letter) override {
    const auto move = trees_.step(state, letter);
    return {move.state, std::uint64_t{1} << move.priority};
  }
  std::uint32_t marks() const override { return trees_.priorities(); }
  Clauses acceptance() const override {
    Clauses out;
    std::uint64_t other = 0;  // smaller priorities of the other kind
    for (std::uint32_t p = 0; p < trees_.priorities(); ++p) {
      const std::uint64_t bit = std::uint64_t{1} << p;
      const bool idle = p + 1 == trees_.priorities();  // nothing happens any more: rejects
      if (((p % 2 == 0) && !idle) != negated_)
        out.push_back({other, bit});
      else
        other |= bit;
    }
    return out;
  }

 private:
  HistoryTrees trees_;
  bool negated_;
};

/// The part's automaton for f or, negated, for its negation: whichever is smaller in kind.
Result<std::unique_ptr<Part>, std::string> part_of(FormulaPool& pool, Formula f) {
  if (pool.cosafe(f) || pool.safe(f)) {
    return std::make_unique<PrefixPart>(pool, f, !pool.cosafe(f));
  }
  const auto table = [](const Result<Automaton, std::string>& automaton) {
    return automaton && automaton->acceptance_sets < 63 && deterministic(*automaton);
  };
  auto positive = buchi(pool, f);
  if (table(positive)) return std::make_unique<TablePart>(std::move(*positive), false);
  auto negative = buchi(pool, pool.negation(f));
  if (table(negative)) return std::make_unique<TablePart>(std::move(*negative), true);
  std::optional<Automaton> best;
  bool negated = false;
  for (auto* candidate : {&positive, &negative}) {
    if (!*candidate) continue;
    Automaton single = reduced(degeneralised(**candidate));
    if (single.acceptance_sets == 0) single = degeneralised(single);
    if (best && best->size() <= single.size()) continue;
    best = std::move(single);
    negated = candidate == &negative;
  }
  if (!best) return fail(positive.error());
  if (2 * best->size() + 1 > 64)
    return fail(
        std::string("the formula is too large: its automaton cannot be made deterministic"));
  return std::make_unique<TreePart>(std::move(*best), negated);
}

/// Contradictions and clauses that another one contains go.
Result<Clauses, std::string> minimal(Clauses clauses) {
  if (clauses.size() > kMaxClauses)
    return fail(std::string("the formula is too large: its acceptance has too many clauses"));
  std::erase_if(clauses, [](const Clause& c) { return (c.finite & c.infinite) != 0; });
  std::sort(clauses.begin(), clauses.end());
  clauses.erase(std::unique(clauses.begin(), clauses.end()), clauses.end());
  Clauses kept;
  for (const Clause& c : clauses) {
    const bool more = std::any_of(clauses.begin(), clauses.end(), [&](const Clause& d) {
      return d != c && (d.finite & ~c.finite) == 0 && (d.infinite & ~c.infinite) == 0;
    });
    if (!more) kept.push_back(c);
  }
  return kept;
}

struct Assembly {
  FormulaPool& pool;
  std::vector<std::unique_ptr<Part>> parts;
  std::vector<std::uint32_t> first_mark;
  std::uint32_t marks = 0;

  Result<Clauses, std::string> leaf(Formula f) {
    auto part = part_of(pool, f);
    if (!part) return fail(part.error());
    Clauses out = (*part)->acceptance();
    if (marks + (*part)->marks() > 64)
      return fail(std::string("the formula is too large: its automaton needs more than 64 marks"));
    for (Clause& clause : out) {
      clause.finite <<= marks;
      clause.infinite <<= marks;
    }
    first_mark.push_back(marks);
    marks += (*part)->marks();
    parts.push_back(std::move(*part));
    return out;
  }

  void operands(Formula f, FormulaKind kind, std::vector<Formula>& out) const {
    if (pool[f].kind != kind) return out.push_back(f);
    operands(pool[f].a, kind, out);
    operands(pool[f].b, kind, out);
  }

  Result<Clauses, std::string> run(Formula f) {
    const FormulaKind kind = pool[f].kind;
    const bool junction = kind == FormulaKind::both || kind == FormulaKind::either;
    if (!junction || pool.cosafe(f) || pool.safe(f)) return leaf(f);
    // Co-safe operands stay together, and so do safe ones: their prefixes decide jointly.
    std::vector<Formula> list, rest;
    operands(f, kind, list);
    std::optional<Formula> cosafe, safe;
    for (const Formula g : list) {
      std::optional<Formula>* group = pool.cosafe(g) ? &cosafe : pool.safe(g) ? &safe : nullptr;
      if (group == nullptr)
        rest.push_back(g);
      else if (!*group)
        *group = g;
      else
        *group = kind == FormulaKind::both ? pool.both(**group, g) : pool.either(**group, g);
    }
    if (cosafe) rest.push_back(*cosafe);
    if (safe) rest.push_back(*safe);
    Clauses out;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      auto next = run(rest[i]);
      if (!next) return next;
      Clauses joined = kind == FormulaKind::both && i > 0 ? Clauses{} : out;
      if (kind == FormulaKind::both && i > 0) {
        for (const Clause& a : out)
          for (const Clause& b : *next)
            joined.push_back({a.finite | b.finite, a.infinite | b.infinite});
      } else {
        joined.insert(joined.end(), next->begin(), next->end());
      }
      auto small = minimal(std::move(joined));
      if (!small) return small;
      out = std::move(*small);
    }
    return out;
  }
};

}  // namespace

struct Deterministic::Impl {
  std::vector<std::unique_ptr<Part>> parts;
  std::vector<std::uint32_t> first_mark;
  Clauses acceptance;
  std::map<std::vector<std::uint32_t>, std::uint32_t> index;
  std::vector<std::vector<std::uint32_t>> states;
  struct Hash {
    std::size_t operator()(const std::pair<std::uint32_t, std::uint64_t>& key) const {
      return static_cast<std::size_t>((key.second * 0x9e3779b97f4a7c15u) ^
                                      (key.first * 0xff51afd7ed558ccdu));
    }
  };
  std::unordered_map<std::pair<std::uint32_t, std::uint64_t>, Move, Hash> moves;

  std::uint32_t number(std::vector<std::uint32_t> state) {
    const auto [place, fresh] =
        index.emplace(std::move(state), static_cast<std::uint32_t>(states.size()));
    if (fresh) states.push_back(place->first);
    return place->second;
  }
};

Result<Deterministic, std::string> Deterministic::make(FormulaPool& pool, Formula f) {
  Assembly assembly{pool, {}, {}, 0};
  auto acceptance = assembly.run(f);
  if (!acceptance) return fail(acceptance.error());
  auto impl = std::make_unique<Impl>();
  impl->parts = std::move(assembly.parts);
  impl->first_mark = std::move(assembly.first_mark);
  impl->acceptance = std::move(*acceptance);
  std::vector<std::uint32_t> initial;
  for (const auto& part : impl->parts) initial.push_back(part->initial());
  impl->number(std::move(initial));
  return Deterministic(std::move(impl));
}

Deterministic::Deterministic(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Deterministic::Deterministic(Deterministic&&) noexcept = default;
Deterministic& Deterministic::operator=(Deterministic&&) noexcept = default;
Deterministic::~Deterministic() = default;

std::uint32_t Deterministic::initial() const { return 0; }
std::uint32_t Deterministic::size() const {
  return static_cast<std::uint32_t>(impl_->states.size());
}
const std::vector<Clause>& Deterministic::acceptance() const { return impl_->acceptance; }

std::string Deterministic::problem() const {
  for (const auto& part : impl_->parts)
    if (std::string why = part->problem(); !why.empty()) return why;
  return {};
}

Deterministic::Move Deterministic::step(std::uint32_t state, std::uint64_t letter) {
  const auto known = impl_->moves.find({state, letter});
  if (known != impl_->moves.end()) return known->second;
  std::vector<std::uint32_t> next = impl_->states[state];
  Move out;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Move move = impl_->parts[i]->step(next[i], letter);
    next[i] = move.state;
    out.marks |= move.marks << impl_->first_mark[i];
  }
  out.state = impl_->number(std::move(next));
  impl_->moves.emplace(std::pair{state, letter}, out);
  return out;
}

bool accepting(const std::vector<Clause>& acceptance, std::uint64_t marks) {
  return std::any_of(acceptance.begin(), acceptance.end(), [&](const Clause& clause) {
    return (marks & clause.finite) == 0 && (marks & clause.infinite) == clause.infinite;
  });
}

}  // namespace brink::automata

#include "models/automata/good_prefixes.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::automata {
namespace {

constexpr std::size_t kMaxChoices = 20'000;

}  // namespace

GoodPrefixes::GoodPrefixes(FormulaPool& pool, Formula f) : pool_(pool) {
  BRINK_CHECK(pool.cosafe(f));
  initial_ = number(pool.is_true(f) ? Choices{{f}} : choices_of(f));
}

bool GoodPrefixes::good(std::uint32_t state) const {
  return !states_[state].empty() && states_[state].front().empty();
}

bool GoodPrefixes::bad(std::uint32_t state) const { return states_[state].empty(); }

std::uint32_t GoodPrefixes::number(Choices choices) {
  const auto [place, fresh] = index_.emplace(std::move(choices), size());
  if (fresh) states_.push_back(place->first);
  return place->second;
}

std::uint32_t GoodPrefixes::step(std::uint32_t state, std::uint64_t letter) {
  if (good(state) || bad(state)) return state;
  Choices out;
  const Choices from = states_[state];
  for (const Duties& duties : from) {
    Choices all = {{}};
    for (const Formula f : duties) all = product(all, progress(f, letter));
    out.insert(out.end(), all.begin(), all.end());
  }
  minimise(out);
  return number(std::move(out));
}

/// Drops choices that ask for more than another one or for a contradiction.
void GoodPrefixes::minimise(Choices& choices) {
  if (choices.size() > kMaxChoices) {
    problem_ = "the formula is too large: a state of its automaton has too many cases";
    choices.clear();
    return;
  }
  std::sort(choices.begin(), choices.end());
  choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
  std::erase_if(choices, [&](const Duties& duties) {
    return std::any_of(duties.begin(), duties.end(), [&](Formula f) {
      return pool_.is_false(f) ||
             std::binary_search(duties.begin(), duties.end(), pool_.negation(f));
    });
  });
  Choices kept;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const bool more = std::any_of(choices.begin(), choices.end(), [&](const Duties& other) {
      return &other != &choices[i] &&
             std::includes(choices[i].begin(), choices[i].end(), other.begin(), other.end());
    });
    if (!more) kept.push_back(choices[i]);
  }
  choices = std::move(kept);
}

GoodPrefixes::Choices GoodPrefixes::product(const Choices& a, const Choices& b) {
  Choices out;
  for (const Duties& x : a)
    for (const Duties& y : b) {
      if (out.size() > kMaxChoices) break;
      Duties both;
      std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
      out.push_back(std::move(both));
    }
  minimise(out);
  return out;
}

/// Duties of the next letter. The constant true stays a duty where steps are counted.
GoodPrefixes::Choices GoodPrefixes::choices_of(Formula f) const {
  const FormulaNode& node = pool_[f];
  if (node.kind == FormulaKind::falsity) return {};
  if (node.kind == FormulaKind::either) {
    Choices out = choices_of(node.a);
    for (Duties& duties : choices_of(node.b)) out.push_back(std::move(duties));
    return out;
  }
  if (node.kind != FormulaKind::both) return {{f}};
  Choices out;
  for (const Duties& x : choices_of(node.a))
    for (const Duties& y : choices_of(node.b)) {
      Duties both;
      std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
      out.push_back(std::move(both));
    }
  return out;
}

GoodPrefixes::Choices GoodPrefixes::progress(Formula f, std::uint64_t letter) {
  const FormulaNode node = pool_[f];
  const auto together = [](Choices a, const Choices& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  switch (node.kind) {
    case FormulaKind::truth:
      return {{}};
    case FormulaKind::falsity:
      return {};
    case FormulaKind::literal:
      return (letter >> node.atom & 1) != static_cast<std::uint64_t>(node.negated) ? Choices{{}}
                                                                                   : Choices{};
    case FormulaKind::both:
      return product(progress(node.a, letter), progress(node.b, letter));
    case FormulaKind::either:
      return together(progress(node.a, letter), progress(node.b, letter));
    case FormulaKind::next:
      return choices_of(node.a);
    case FormulaKind::until:
      return together(progress(node.b, letter), product(progress(node.a, letter), {{f}}));
    case FormulaKind::release:
      break;
  }
  BRINK_CHECK(false, "a co-safe formula has no release");
}

}  // namespace brink::automata

#include "solver/for_all/learn.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "solver/for_all/schema.h"

namespace brink::solver {
namespace {

using Bits = std::vector<std::uint64_t>;

constexpr std::size_t most_atoms = 120;  ///< kept after equal ones have been merged
constexpr std::int64_t largest_bound = 12;
constexpr std::int64_t largest_offset = 3;

/// An atom, or an equation; with what it costs to read.
struct Term {
  Cube cube;   ///< one or two inequalities
  Dnf others;  ///< where it is false
  int cost = 0;
  Bits bits;  ///< samples where it is true
};

bool subset(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] & ~b[i]) != 0) return false;
  return true;
}
Bits both(const Bits& a, const Bits& b) {
  Bits out = a;
  for (std::size_t i = 0; i < a.size(); ++i) out[i] &= b[i];
  return out;
}
Bits either(const Bits& a, const Bits& b) {
  Bits out = a;
  for (std::size_t i = 0; i < a.size(); ++i) out[i] |= b[i];
  return out;
}

struct Search {
  const std::vector<Sample>& samples;
  std::map<Bits, Term> by_bits;
  std::vector<Term> terms;
  Bits wanted, all;
  std::vector<Guess> found;

  explicit Search(const std::vector<Sample>& s) : samples(s) {
    wanted.assign((s.size() + 63) / 64, 0);
    all = wanted;
    for (std::size_t i = 0; i < s.size(); ++i) {
      all[i / 64] |= std::uint64_t{1} << (i % 64);
      if (s[i].holds) wanted[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }

  void offer(Cube cube, Dnf others, int cost) {
    Term term{std::move(cube), std::move(others), cost, Bits(all.size(), 0)};
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (brink::solver::contains(term.cube, samples[i].values))
        term.bits[i / 64] |= std::uint64_t{1} << (i % 64);
    if (term.bits == all ||
        std::all_of(term.bits.begin(), term.bits.end(), [](std::uint64_t w) { return w == 0; }))
      return;
    const auto [at, fresh] = by_bits.try_emplace(term.bits, term);
    if (!fresh && term.cost < at->second.cost) at->second = std::move(term);
  }

  /// t >= 0
  void inequality(const Linear& t, int cost) {
    Cube cube, other;
    cube.add(t);
    other.add(negation(t));
    offer(std::move(cube), {std::move(other)}, cost);
  }
  void equation(const Linear& t, int cost) {
    Cube cube, below, above;
    cube.add_equal(t, Linear::number(0));
    below.add(-1 * t - Linear::number(1));
    above.add(t - Linear::number(1));
    offer(std::move(cube), {std::move(below), std::move(above)}, cost);
  }

  void single_bounds(std::uint32_t p, bool lower_only) {
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (const Sample& s : samples) {
      low = std::min(low, s.values[p]);
      high = std::max(high, s.values[p]);
    }
    const Linear x = Linear::symbol(p);
    const std::int64_t last = lower_only ? high : std::min(high, low + largest_bound);
    for (std::int64_t c = low; c <= last; ++c) {
      const std::int64_t size = lower_only ? c - low : std::min<std::int64_t>(4, std::abs(c));
      const int cost = 10 + static_cast<int>(std::min<std::int64_t>(size, 1000));
      inequality(x - Linear::number(c), cost);
      if (lower_only) continue;
      inequality(Linear::number(c) - x, cost);
      if (high - low <= 5 || c == low) equation(x - Linear::number(c), cost - 1);
    }
  }

  void sums(const Linear& t, int cost) {
    for (std::int64_t c = -largest_offset; c <= largest_offset; ++c)
      inequality(t - Linear::number(c),
                 cost + 3 * static_cast<int>(c == 0 ? 0 : std::abs(c) - (c == 1)));
  }

  void atoms(const std::vector<bool>& booleans, Atoms kind) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t p = 0; p < booleans.size(); ++p) {
      if (!booleans[p]) numbers.push_back(p);
      if (booleans[p] && kind == Atoms::all) {
        inequality(Linear::symbol(p) - Linear::number(1), 9);
        inequality(-1 * Linear::symbol(p), 10);
      }
    }
    for (const std::uint32_t p : numbers) single_bounds(p, kind == Atoms::lower_bounds);
    if (kind == Atoms::lower_bounds) return;
    for (const std::uint32_t p : numbers)
      for (const std::uint32_t q : numbers) {
        if (p == q) continue;
        const Linear x = Linear::symbol(p), y = Linear::symbol(q);
        sums(x - y, 14);
        sums(x - 2 * y, 22);
        sums(2 * y - x, 22);
        if (p < q) equation(x - y, 15);
        if (p < q)
          for (const int sign : {1, -1}) sums(sign * (x + y), 24);
        for (const std::uint32_t r : numbers)
          if (r != p && r != q && p < q)
            for (const int sign : {1, -1}) sums(sign * (x + y - Linear::symbol(r)), 22);
      }
  }

  void settle() {
    for (auto& [bits, term] : by_bits) terms.push_back(std::move(term));
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& a, const Term& b) { return a.cost < b.cost; });
    if (terms.size() > most_atoms) terms.resize(most_atoms);
  }

  static constexpr int each = 12;  ///< what one more atom costs

  void keep(Dnf inside, Dnf outside, int cost) {
    found.push_back({std::move(inside), std::move(outside), cost});
  }

  void one_and_two() {
    for (const Term& a : terms) {
      if (a.bits == wanted) keep({a.cube}, a.others, a.cost);
      const bool above = subset(wanted, a.bits), below = subset(a.bits, wanted);
      if (!above && !below) continue;
      for (const Term& b : terms) {
        if (&b <= &a) continue;
        const int cost = a.cost + b.cost + each;
        if (above && both(a.bits, b.bits) == wanted)
          keep(conjunction({a.cube}, {b.cube}), disjunction(a.others, b.others), cost);
        if (below && either(a.bits, b.bits) == wanted)
          keep(disjunction({a.cube}, {b.cube}), conjunction(a.others, b.others), cost);
      }
    }
  }

  /// (a & b & c), (a | b | c), a | (b & c), a & (b | c)
  void three() {
    for (const Term& a : terms) {
      const bool above = subset(wanted, a.bits), below = subset(a.bits, wanted);
      if (above) rest_above(a);
      if (below) rest_below(a);
    }
  }

  /// a contains what is wanted: the others make it smaller.
  void rest_above(const Term& a) {
    for (const Term& b : terms) {
      for (const Term& c : terms) {
        if (&c <= &b) continue;
        const int cost = a.cost + b.cost + c.cost + 2 * each;
        if (&b > &a && both(both(a.bits, b.bits), c.bits) == wanted)
          keep(conjunction(conjunction({a.cube}, {b.cube}), {c.cube}),
               disjunction(disjunction(a.others, b.others), c.others), cost);
        if (both(a.bits, either(b.bits, c.bits)) == wanted)
          keep(conjunction({a.cube}, disjunction({b.cube}, {c.cube})),
               disjunction(a.others, conjunction(b.others, c.others)), cost + 1);
        if (found.size() > 4000) return;
      }
      if (found.size() > 4000) return;
    }
  }

  /// a lies in what is wanted: the others make it larger.
  void rest_below(const Term& a) {
    for (const Term& b : terms) {
      for (const Term& c : terms) {
        if (&c <= &b) continue;
        const int cost = a.cost + b.cost + c.cost + 2 * each;
        if (&b > &a && either(either(a.bits, b.bits), c.bits) == wanted)
          keep(disjunction(disjunction({a.cube}, {b.cube}), {c.cube}),
               conjunction(conjunction(a.others, b.others), c.others), cost);
        if (either(a.bits, both(b.bits, c.bits)) == wanted)
          keep(disjunction({a.cube}, conjunction({b.cube}, {c.cube})),
               conjunction(a.others, disjunction(b.others, c.others)), cost + 1);
        if (found.size() > 4000) return;
      }
      if (found.size() > 4000) return;
    }
  }
};

/// "guard+1<=high" and the like, with what is negative on the other side; or the equation.
std::string print_atom(const Linear& atom, bool equation, const std::vector<std::string>& names,
                       const std::vector<bool>& booleans) {
  if (atom.factors.size() == 1 && booleans[atom.factors[0].first])
    return (atom.factors[0].second < 0 ? "!" : "") + names[atom.factors[0].first];
  const auto side = [&](int sign) {
    std::string out;
    for (const auto& [s, factor] : atom.factors)
      if ((factor > 0) == (sign > 0))
        out += fmt::format("{}{}{}", out.empty() ? "" : "+",
                           std::abs(factor) == 1 ? "" : fmt::format("{}*", std::abs(factor)),
                           names[s]);
    return out;
  };
  const std::string left = side(1), right = side(-1);
  const std::int64_t c = -atom.constant;  // left - right >= c
  const char* less = equation ? "=" : "<=";
  if (right.empty()) return fmt::format("{}{}{}", left, equation ? "=" : ">=", c);
  if (left.empty()) return fmt::format("{}{}{}", right, less, -c);
  if (c == 0) return fmt::format("{}{}{}", right, less, left);
  if (c == 1 && !equation) return fmt::format("{}<{}", right, left);
  if (c < 0) return fmt::format("{}{}{}+{}", right, less, left, -c);
  return fmt::format("{}+{}{}{}", right, c, less, left);
}

std::string print_cube(const Cube& cube, const std::vector<std::string>& names,
                       const std::vector<bool>& booleans) {
  std::vector<std::string> parts;
  const auto& atoms = cube.atoms();
  std::vector<bool> done(atoms.size(), false);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (done[i]) continue;
    const auto opposite = std::find(atoms.begin(), atoms.end(), -1 * atoms[i]);
    if (opposite == atoms.end()) {
      parts.push_back(print_atom(atoms[i], false, names, booleans));
      continue;
    }
    done[static_cast<std::size_t>(opposite - atoms.begin())] = true;
    const Linear& t = atoms[i].factors.front().second > 0 ? atoms[i] : *opposite;
    parts.push_back(print_atom(t, true, names, booleans));
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : " & ") + part;
  return out.empty() ? "true" : out;
}

}  // namespace

bool Guess::contains(const std::vector<std::int64_t>& values) const {
  return std::any_of(inside.begin(), inside.end(),
                     [&](const Cube& cube) { return brink::solver::contains(cube, values); });
}

std::vector<Guess> learn(const std::vector<Sample>& samples, const std::vector<bool>& booleans,
                         Atoms atoms, std::size_t most) {
  Search search(samples);
  const auto holding = static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.holds; }));
  if (holding == samples.size()) return {{dnf_true(), {}, 0}};
  if (holding == 0) return {{{}, dnf_true(), 0}};
  search.atoms(booleans, atoms);
  search.settle();
  search.one_and_two();
  if (search.found.empty() && atoms == Atoms::all) search.three();
  std::stable_sort(search.found.begin(), search.found.end(),
                   [](const Guess& a, const Guess& b) { return a.cost < b.cost; });
  if (search.found.size() > most) search.found.resize(most);
  return search.found;
}

std::string print(const Dnf& dnf, const std::vector<std::string>& names,
                  const std::vector<bool>& booleans) {
  if (dnf.empty()) return "false";
  std::string out;
  for (const Cube& cube : dnf) {
    const std::string text = print_cube(cube, names, booleans);
    const bool enclose =
        dnf.size() > 1 && cube.atoms().size() > 1 && text.find(" & ") != std::string::npos;
    out += (out.empty() ? "" : " | ") + (enclose ? "(" + text + ")" : text);
  }
  return out;
}

}  // namespace brink::solver

#include "solver/symbolic/linear.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "models/base/check.h"

namespace brink::solver {
namespace {

using Wide = __int128;

constexpr Wide largest = Wide{1} << 50;
constexpr std::size_t max_atoms = 400;

std::int64_t narrow(Wide value) {
  if (value > largest || value < -largest) throw GaveUp{"numbers beyond 2^50"};
  return static_cast<std::int64_t>(value);
}

/// Divides by the common factor; the constant is rounded down.
void tighten(Linear& atom) {
  std::int64_t common = 0;
  for (const auto& [symbol, factor] : atom.factors) common = std::gcd(common, factor);
  if (common <= 1) return;
  for (auto& [symbol, factor] : atom.factors) factor /= common;
  atom.constant = floor_divide(atom.constant, common);
}

int compare_directions(const Linear& a, const Linear& b) {
  if (a.factors == b.factors) return 0;
  return a.factors < b.factors ? -1 : 1;
}

bool opposite(const Linear& a, const Linear& b) {
  return a.factors.size() == b.factors.size() &&
         std::equal(a.factors.begin(), a.factors.end(), b.factors.begin(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && x.second == -y.second;
                    });
}

}  // namespace

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}

Linear Linear::number(std::int64_t value) { return {{}, narrow(value)}; }
Linear Linear::symbol(std::uint32_t index) { return {{{index, 1}}, 0}; }

std::int64_t Linear::factor(std::uint32_t symbol) const {
  for (const auto& [s, f] : factors)
    if (s == symbol) return f;
  return 0;
}

Linear combine(std::int64_t p, const Linear& a, std::int64_t q, const Linear& b) {
  Linear out;
  out.constant = narrow(Wide{p} * a.constant + Wide{q} * b.constant);
  auto x = a.factors.begin();
  auto y = b.factors.begin();
  while (x != a.factors.end() || y != b.factors.end()) {
    const bool left = y == b.factors.end() || (x != a.factors.end() && x->first <= y->first);
    const bool right = x == a.factors.end() || (y != b.factors.end() && y->first <= x->first);
    const std::uint32_t symbol = left ? x->first : y->first;
    Wide factor = 0;
    if (left) factor += Wide{p} * (x++)->second;
    if (right) factor += Wide{q} * (y++)->second;
    if (factor != 0) out.factors.emplace_back(symbol, narrow(factor));
  }
  return out;
}

Linear operator+(const Linear& a, const Linear& b) { return combine(1, a, 1, b); }
Linear operator-(const Linear& a, const Linear& b) { return combine(1, a, -1, b); }
Linear operator*(std::int64_t factor, const Linear& a) { return combine(factor, a, 0, {}); }

Linear substitute(const Linear& t, const std::function<const Linear*(std::uint32_t)>& by) {
  Linear out = Linear::number(t.constant);
  for (const auto& [symbol, factor] : t.factors) {
    const Linear* value = by(symbol);
    out = combine(1, out, factor, value != nullptr ? *value : Linear::symbol(symbol));
  }
  return out;
}

Linear negation(const Linear& atom) { return combine(-1, atom, 1, Linear::number(-1)); }

bool Cube::add(Linear atom) {
  if (!possible_) return false;
  tighten(atom);
  if (atom.is_number()) {
    possible_ = atom.constant >= 0;
    return possible_;
  }
  const auto at = std::lower_bound(
      atoms_.begin(), atoms_.end(), atom,
      [](const Linear& a, const Linear& b) { return compare_directions(a, b) < 0; });
  if (at != atoms_.end() && at->factors == atom.factors) {
    at->constant = std::min(at->constant, atom.constant);
  } else {
    if (atoms_.size() >= max_atoms) throw GaveUp{"conditions of more than 400 inequalities"};
    atoms_.insert(at, atom);
  }
  for (const Linear& other : atoms_)
    if (opposite(other, atom) && other.constant + atom.constant < 0) possible_ = false;
  return possible_;
}

bool Cube::add_equal(const Linear& a, const Linear& b) { return add(a - b) && add(b - a); }

bool Cube::add(const Cube& other) {
  if (!other.possible_) possible_ = false;
  for (const Linear& atom : other.atoms_)
    if (!add(atom)) return false;
  return possible_;
}

bool Cube::implies(const Cube& weaker) const {
  if (!possible_) return true;
  return std::all_of(weaker.atoms_.begin(), weaker.atoms_.end(), [&](const Linear& atom) {
    return std::any_of(atoms_.begin(), atoms_.end(), [&](const Linear& own) {
      return own.factors == atom.factors && own.constant <= atom.constant;
    });
  });
}

Dnf dnf_true() { return {Cube{}}; }

Dnf disjunction(Dnf a, const Dnf& b) {
  for (const Cube& cube : b) {
    if (!cube.possible()) continue;
    if (std::any_of(a.begin(), a.end(), [&](const Cube& known) { return cube.implies(known); }))
      continue;
    std::erase_if(a, [&](const Cube& known) { return known.implies(cube); });
    a.push_back(cube);
    if (a.size() > max_cubes) throw GaveUp{fmt::format("more than {} cases", max_cubes)};
  }
  return a;
}

Dnf conjunction(const Dnf& a, const Dnf& b) {
  Dnf out;
  for (const Cube& x : a)
    for (const Cube& y : b) {
      Cube both = x;
      if (both.add(y)) out = disjunction(std::move(out), {both});
    }
  return out;
}

Cube substitute(const Cube& cube, const std::function<const Linear*(std::uint32_t)>& by) {
  Cube out;
  for (const Linear& atom : cube.atoms())
    if (!out.add(substitute(atom, by))) break;
  return out;
}

std::optional<Cube> eliminate(const Cube& cube, std::uint32_t symbol) {
  if (!cube.possible()) return std::nullopt;
  Cube out;
  std::vector<const Linear*> lower, upper;
  for (const Linear& atom : cube.atoms()) {
    const std::int64_t f = atom.factor(symbol);
    if (f > 0) lower.push_back(&atom);
    if (f < 0) upper.push_back(&atom);
    if (f == 0 && !out.add(atom)) return std::nullopt;
  }
  for (const Linear* low : lower)
    for (const Linear* high : upper) {
      // a x + s >= 0 and -b x + t >= 0 give b s + a t >= 0; with (a-1)(b-1) to spare there is an
      // integer in between.
      const std::int64_t a = low->factor(symbol), b = -high->factor(symbol);
      Linear shadow = combine(b, *low, a, *high);
      shadow.constant = narrow(Wide{shadow.constant} - Wide{a - 1} * (b - 1));
      if (!out.add(shadow)) return std::nullopt;
    }
  return out.possible() ? std::optional(out) : std::nullopt;
}

std::string print_sum(const Linear& t, const std::function<std::string(std::uint32_t)>& name) {
  std::string out;
  for (const auto& [symbol, factor] : t.factors) {
    if (factor == 1 || factor == -1)
      out += factor < 0 ? "-" : out.empty() ? "" : "+";
    else
      out += fmt::format("{}{}*", factor > 0 && !out.empty() ? "+" : "", factor);
    out += name(symbol);
  }
  if (out.empty()) return std::to_string(t.constant);
  if (t.constant != 0) out += fmt::format("{:+}", t.constant);
  const bool plain = t.factors.size() == 1 && t.factors[0].second == 1 && t.constant == 0;
  return plain ? out : "(" + out + ")";
}

std::string print(const Linear& atom, const std::function<std::string(std::uint32_t)>& name) {
  std::string left, right;
  const auto add = [&](std::string& side, std::int64_t factor, std::uint32_t symbol) {
    if (!side.empty()) side += "+";
    if (factor != 1) side += fmt::format("{}*", factor);
    side += name(symbol);
  };
  for (const auto& [symbol, factor] : atom.factors)
    factor > 0 ? add(left, factor, symbol) : add(right, -factor, symbol);
  std::int64_t shift = -atom.constant;  // left >= right + shift
  if (left.empty()) {                   // right <= -shift
    return fmt::format("{}<={}", right, -shift);
  }
  if (right.empty()) return fmt::format("{}>={}", left, shift);
  if (shift == 1) return fmt::format("{}>{}", left, right);
  if (shift > 0) return fmt::format("{}>={}+{}", left, right, shift);
  if (shift < 0) return fmt::format("{}+{}>={}", left, -shift, right);
  return fmt::format("{}>={}", left, right);
}

std::string print(const Cube& cube, const std::function<std::string(std::uint32_t)>& name) {
  if (!cube.possible()) return "false";
  if (cube.atoms().empty()) return "true";
  std::string out;
  std::vector<bool> done(cube.atoms().size(), false);
  for (std::size_t i = 0; i < cube.atoms().size(); ++i) {
    if (done[i]) continue;
    std::string text = print(cube.atoms()[i], name);
    for (std::size_t j = i + 1; j < cube.atoms().size(); ++j)
      if (opposite(cube.atoms()[i], cube.atoms()[j]) &&
          cube.atoms()[i].constant + cube.atoms()[j].constant == 0) {
        done[j] = true;
        // Both directions: the inequality written last is an equation.
        if (const auto at = text.find(">="); at != std::string::npos)
          text.replace(at, 2, "=");
        else if (const auto le = text.find("<="); le != std::string::npos)
          text.replace(le, 2, "=");
        else
          text += " & " + print(cube.atoms()[j], name);
      }
    out += (out.empty() ? "" : " & ") + text;
  }
  return out;
}

}  // namespace brink::solver

// Linear inequalities over integers: what guards, invariants and regions of constants are made of
// once expressions have been taken apart (cases.h). Internal to the engines that prove.
//
// An atom `t` stands for t >= 0. All symbols are integers, so a strict t > c is kept as t >= c + 1
// and an atom is divided by the common factor of its coefficients (rounded down): this tightening
// is what lets the relaxation to real numbers prove what it would otherwise miss.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brink::solver {

/// Thrown where numbers or cases grow beyond what is kept; caught at each engine's edge, where it
/// becomes "unsupported" or "undecided" with these words. Never leaves solver/.
struct GaveUp {
  std::string why;
};

/// sum of factor * symbol + constant; factors are not zero, symbols increasing.
struct Linear {
  std::vector<std::pair<std::uint32_t, std::int64_t>> factors;
  std::int64_t constant = 0;

  static Linear number(std::int64_t value);
  static Linear symbol(std::uint32_t index);
  bool is_number() const { return factors.empty(); }
  std::int64_t factor(std::uint32_t symbol) const;
  friend auto operator<=>(const Linear&, const Linear&) = default;
};

/// a * p + b * q. GaveUp: numbers beyond 2^50.
Linear combine(std::int64_t p, const Linear& a, std::int64_t q, const Linear& b);
Linear operator+(const Linear& a, const Linear& b);
Linear operator-(const Linear& a, const Linear& b);
Linear operator*(std::int64_t factor, const Linear& a);
/// Each symbol replaced where `by` gives something.
Linear substitute(const Linear& t, const std::function<const Linear*(std::uint32_t)>& by);

/// Not (t >= 0), for integers: -t - 1 >= 0.
Linear negation(const Linear& atom);

/// A conjunction of atoms, tightened; one atom for each direction, sorted.
class Cube {
 public:
  /// False when the conjunction has become contradictory (as far as pairs of atoms show).
  bool add(Linear atom);
  bool add_equal(const Linear& a, const Linear& b);
  bool add(const Cube& other);
  const std::vector<Linear>& atoms() const { return atoms_; }
  bool possible() const { return possible_; }
  /// Every atom of `weaker` follows from a single atom of this one.
  bool implies(const Cube& weaker) const;
  friend auto operator<=>(const Cube&, const Cube&) = default;

 private:
  std::vector<Linear> atoms_;
  bool possible_ = true;
};

using Dnf = std::vector<Cube>;  ///< a disjunction; empty: false

Dnf dnf_true();
/// GaveUp: more than `max_cubes` in the result.
Dnf conjunction(const Dnf& a, const Dnf& b);
Dnf disjunction(Dnf a, const Dnf& b);
inline constexpr std::size_t max_cubes = 4000;

Cube substitute(const Cube& cube, const std::function<const Linear*(std::uint32_t)>& by);

/// Removes a symbol by Fourier and Motzkin's method. For integers the result is an
/// under-approximation (every solution extends to an integer value of the symbol), exact where one
/// of each pair of factors is 1 (Pugh's real and dark shadows). Contradictory: nothing.
std::optional<Cube> eliminate(const Cube& cube, std::uint32_t symbol);

/// "2*a-b+3", in parentheses unless it is a single symbol or number.
std::string print_sum(const Linear& t, const std::function<std::string(std::uint32_t)>& name);
/// "a - b <= 3" with names; in PRISM's syntax.
std::string print(const Linear& atom, const std::function<std::string(std::uint32_t)>& name);
std::string print(const Cube& cube, const std::function<std::string(std::uint32_t)>& name);

std::int64_t floor_divide(std::int64_t a, std::int64_t b);  ///< b > 0

}  // namespace brink::solver

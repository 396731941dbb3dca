#include "solver/for_all/farkas.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>

namespace brink::solver {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

constexpr int most_pivots = 3000;

/// Slack i is the sum of constraint i without its constant: slack >= -constant (= for an equation).
/// Columns: symbols first, slacks after.
struct Simplex {
  const std::vector<Constraint>& constraints;
  std::size_t symbols = 0;
  std::vector<std::vector<Fraction>> rows;  ///< each basic column as a sum of the others
  std::vector<std::size_t> basic;           ///< column of each row
  std::vector<std::size_t> row_of;          ///< row of each column; `none` when not basic
  std::vector<Fraction> value;

  static constexpr std::size_t none = SIZE_MAX;

  explicit Simplex(const std::vector<Constraint>& all) : constraints(all) {
    std::map<std::uint32_t, std::size_t> column;
    for (const Constraint& c : all)
      for (const auto& [s, factor] : c.t.factors) column.try_emplace(s, 0);
    for (auto& [s, at] : column) at = symbols++;
    const std::size_t width = symbols + all.size();
    value.assign(width, 0);
    row_of.assign(width, none);
    for (std::size_t i = 0; i < all.size(); ++i) {
      rows.emplace_back(width, 0);
      for (const auto& [s, factor] : all[i].t.factors) rows[i][column[s]] = factor;
      basic.push_back(symbols + i);
      row_of[symbols + i] = i;
    }
  }

  bool is_slack(std::size_t column) const { return column >= symbols; }
  Fraction bound(std::size_t column) const {
    return Fraction(-constraints[column - symbols].t.constant);
  }
  bool equation(std::size_t column) const { return constraints[column - symbols].equation; }

  /// May a column that is not basic grow, or fall? What stands at its bound may only grow.
  bool may_move(std::size_t column, bool grow) const {
    if (!is_slack(column)) return true;
    if (equation(column))
      return value[column] != bound(column) && (grow == (value[column] < bound(column)));
    return grow || value[column] > bound(column);
  }

  void pivot(std::size_t row, std::size_t column, const Fraction& target) {
    const std::size_t out = basic[row];
    const Fraction by = (target - value[out]) / rows[row][column];
    value[out] = target;
    value[column] += by;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (r != row && rows[r][column] != 0) value[basic[r]] += rows[r][column] * by;
    std::vector<Fraction>& own = rows[row];
    const Fraction factor = own[column];
    own[column] = 0;
    for (Fraction& x : own)
      if (x != 0) x /= -factor;
    own[out] = Fraction(1) / factor;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == row || rows[r][column] == 0) continue;
      const Fraction times = rows[r][column];
      rows[r][column] = 0;
      for (std::size_t c = 0; c < own.size(); ++c)
        if (own[c] != 0) rows[r][c] += times * own[c];
    }
    basic[row] = column;
    row_of[column] = row;
    row_of[out] = none;
  }

  /// The row of the first basic slack (Bland's rule) that is outside its bound.
  std::size_t broken() const {
    for (std::size_t c = symbols; c < value.size(); ++c) {
      if (row_of[c] == none) continue;
      if (value[c] < bound(c) || (equation(c) && value[c] > bound(c))) return row_of[c];
    }
    return none;
  }

  Multipliers conflict(std::size_t row, bool grow) const {
    std::vector<Fraction> factor(constraints.size(), 0);
    const Fraction sign = grow ? 1 : -1;
    factor[basic[row] - symbols] = sign;
    for (std::size_t c = symbols; c < value.size(); ++c)
      if (rows[row][c] != 0) factor[c - symbols] = -sign * rows[row][c];
    Multipliers out;
    for (const Fraction& f : factor) out.push_back(f.str());
    return out;
  }

  std::optional<Multipliers> run() {
    for (int step = 0; step < most_pivots; ++step) {
      const std::size_t row = broken();
      if (row == none) return std::nullopt;
      const std::size_t out = basic[row];
      const bool grow = value[out] < bound(out);
      std::size_t chosen = none;
      for (std::size_t c = 0; c < value.size() && chosen == none; ++c) {
        const Fraction& a = rows[row][c];
        if (a == 0) continue;
        if (may_move(c, (a > 0) == grow)) chosen = c;
      }
      if (chosen == none) return conflict(row, grow);
      pivot(row, chosen, bound(out));
    }
    return std::nullopt;
  }
};

}  // namespace

std::optional<Multipliers> find_multipliers(const std::vector<Constraint>& constraints) {
  return Simplex(constraints).run();
}

bool refutes(const std::vector<Constraint>& constraints, const Multipliers& multipliers) {
  if (multipliers.size() != constraints.size()) return false;
  std::map<std::uint32_t, Fraction> sum;
  Fraction constant = 0;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Fraction y(multipliers[i]);
    if (y == 0) continue;
    if (y < 0 && !constraints[i].equation) return false;
    for (const auto& [s, factor] : constraints[i].t.factors) sum[s] += y * factor;
    constant += y * constraints[i].t.constant;
  }
  return constant < 0 &&
         std::all_of(sum.begin(), sum.end(), [](const auto& entry) { return entry.second == 0; });
}

}  // namespace brink::solver

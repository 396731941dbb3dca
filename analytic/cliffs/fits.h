// Least-squares fits that tell a jump from a bend and from a pole. Used by: cliff.cpp.
#pragma once

#include <optional>
#include <vector>

#include "analytic/cliffs/cliff.h"

namespace brink::cliffs {

/// BIC of the best continuous bent line less that of two lines with a jump between points i and j,
/// over up to 15 points on either side. Above 10: a jump.
double jump_over_hinge(const std::vector<double>& x, const std::vector<double>& y, std::size_t i,
                       std::size_t j);

/// Does ln y follow c + k ln(x* - x) up to the point j (or c + k ln(x - x*) from i on), with k
/// between 0.75 and 8 in size, and nothing behind x*? X and ln y in logarithms. Then the pole x*.
std::optional<Pole> fit_pole(const std::vector<double>& x, const std::vector<double>& y,
                             std::size_t i, std::size_t j);

}  // namespace brink::cliffs

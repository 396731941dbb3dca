#include "analytic/numeric.h"

#include <algorithm>
#include <cmath>

#include "models/base/check.h"

namespace brink::analytic {

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> table = {
      {Method::automatic, "automatic", "chooses among the rows below", "default"},
      {Method::graph, "graph", "reachability decides: probability 0 or 1, infinite times",
       "always first"},
      {Method::elimination, "elimination",
       "sparse GTH state elimination without subtraction in extended precision",
       "components whose fill fits the budget; times of 1e17 keep their digits"},
      {Method::gauss_seidel, "gauss-seidel",
       "sweeps until a supersolution certifies the error bound",
       "large components that mix quickly"},
      {Method::sparse_lu, "sparse-lu", "Eigen SparseLU with one state pinned, certified likewise",
       "middle-sized components with too much fill that mix slowly"},
      {Method::uniformise, "uniformise", "Poisson-weighted powers, tails bounded geometrically",
       "transient behaviour in continuous time"},
      {Method::powers, "powers", "vector-matrix products", "transient behaviour in steps"},
      {Method::exact, "exact", "elimination and strategy improvement in rational arithmetic",
       "--exact, and comparisons on their bound; some ten thousand states"},
  };
  return table;
}

std::string_view describe(Method method) {
  const auto& table = methods();
  const auto index = static_cast<std::size_t>(method);
  BRINK_CHECK(index < table.size() && table[index].method == method);
  return table[index].name;
}

double relative_bound(const Solution& solution) {
  double worst = 0;
  for (std::size_t i = 0; i < solution.values.size(); ++i) {
    const double value = std::abs(solution.values[i]);
    if (value > 0 && std::isfinite(value)) worst = std::max(worst, solution.bounds[i] / value);
  }
  return worst;
}

}  // namespace brink::analytic

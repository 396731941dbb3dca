#include "solver/symbolic/formula.h"

#include <algorithm>

namespace brink::solver {

Formula formula_of(const Cube& cube) {
  Formula out{cube.possible() ? Formula::Kind::all : Formula::Kind::any, {}, {}};
  if (cube.possible())
    for (const Linear& atom : cube.atoms()) out.parts.push_back({Formula::Kind::atom, atom, {}});
  return out;
}

Formula formula_of(const Dnf& dnf) {
  Formula out{Formula::Kind::any, {}, {}};
  for (const Cube& cube : dnf) out.parts.push_back(formula_of(cube));
  return out;
}

std::string print(const Formula& formula, const std::function<std::string(std::uint32_t)>& name) {
  if (formula.kind == Formula::Kind::atom) return print(formula.atom, name);
  const bool all = formula.kind == Formula::Kind::all;
  if (formula.parts.empty()) return all ? "true" : "false";
  if (formula.parts.size() == 1) return print(formula.parts[0], name);
  // Together, two inequalities may read as an equation.
  if (all && std::all_of(formula.parts.begin(), formula.parts.end(),
                         [](const Formula& p) { return p.kind == Formula::Kind::atom; })) {
    Cube cube;
    for (const Formula& part : formula.parts) cube.add(part.atom);
    return print(cube, name);
  }
  std::string out;
  for (const Formula& part : formula.parts) {
    std::string text = print(part, name);
    if (part.kind != Formula::Kind::atom && part.parts.size() > 1 && part.kind != formula.kind)
      text = "(" + text + ")";
    out += (out.empty() ? "" : all ? " & " : " | ") + text;
  }
  return out;
}

}  // namespace brink::solver

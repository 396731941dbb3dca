// What a program of somebody else writes to check a property of a library model.
#include <iostream>

#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/language/property.h"
#include "solver/engines.h"

int main() {
  const auto model = brink::load_model(MODEL);
  const auto parsed = brink::parse_property("A [ G (E [ F \"regrown\" ]) ]");
  if (!model || !parsed) return 3;
  const auto set = brink::check_properties(*parsed, *model);
  if (!set) return 3;
  brink::solver::Session session(*model);
  const auto question = brink::solver::ask(*set, set->properties.front());
  const auto result = brink::solver::check(session, question, "explicit");
  std::cout << brink::solver::verdict_name(result.verdict) << " after " << *result.length << " steps\n";
  return result.verdict == brink::solver::Verdict::violated ? 0 : 1;
}

// Short ways to load models and to look at their states, for the tests of language and semantics.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/language/printer.h"
#include "models/language/property.h"
#include "models/semantics/evaluator.h"

namespace brink::test {

inline std::string codes(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += (out.empty() ? "" : " ") + d.code;
  return out;
}

/// Codes of the errors of a model text, or of its warnings when it has none.
inline std::string model_codes(const std::string& text, const ConstantValues& values = {},
                               const InstantiateOptions& options = {}) {
  const auto file = parse_model(make_source("m.prism", text));
  if (!file) return codes(file.error());
  const auto model = instantiate(*file, values, options);
  return model ? codes((*model)->warnings) : codes(model.error());
}

inline ModelPtr load(const std::string& text, const ConstantValues& values = {},
                     const InstantiateOptions& options = {}) {
  const auto file = parse_model(make_source("m.prism", text));
  if (!file) {
    ADD_FAILURE() << render(file.error());
    return nullptr;
  }
  const auto model = instantiate(*file, values, options);
  if (!model) {
    ADD_FAILURE() << render(model.error());
    return nullptr;
  }
  return *model;
}

using Valuation = std::vector<std::int64_t>;

/// One branch as (visible action, weight, target).
struct Move {
  std::string action;
  double weight;
  Valuation target;

  friend bool operator==(const Move&, const Move&) = default;
  friend auto operator<=>(const Move&, const Move&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Move& m) {
    out << "[" << m.action << "] " << m.weight << " -> (";
    for (const auto v : m.target) out << v << " ";
    return out << ")";
  }
};

inline std::vector<Move> moves(const ModelPtr& model, const Valuation& state) {
  Evaluator evaluator(model);
  Expansion e;
  std::vector<Move> result;
  if (const auto error = evaluator.successors(state, e)) {
    ADD_FAILURE() << render(to_diagnostic(*error, *model));
    return result;
  }
  for (const Choice& choice : e.choices) {
    for (std::uint32_t b = 0; b < choice.branch_count; ++b) {
      const auto target = e.target(choice.first_branch + b);
      result.push_back({model->actions[choice.action], e.weights[choice.first_branch + b],
                        Valuation(target.begin(), target.end())});
    }
  }
  return result;
}

/// All reachable states; a fault is stored and ends the search.
inline std::set<Valuation> reachable(const ModelPtr& model, SemanticError* fault = nullptr) {
  Evaluator evaluator(model);
  std::set<Valuation> seen;
  std::vector<Valuation> todo;
  const auto note = [&](const std::optional<SemanticError>& error) {
    if (error && fault != nullptr) *fault = *error;
    if (error && fault == nullptr) ADD_FAILURE() << render(to_diagnostic(*error, *model));
    return error.has_value();
  };
  const auto error = for_each_initial_state(*model, [&](std::span<const std::int64_t> v) {
    todo.emplace_back(v.begin(), v.end());
    seen.insert(todo.back());
    return true;
  });
  if (note(error)) return seen;
  Expansion e;
  while (!todo.empty()) {
    const Valuation state = todo.back();
    todo.pop_back();
    if (note(evaluator.successors(state, e))) return seen;
    for (std::size_t b = 0; b < e.branch_count(); ++b) {
      const auto target = e.target(b);
      Valuation next(target.begin(), target.end());
      if (seen.insert(next).second) todo.push_back(std::move(next));
    }
  }
  return seen;
}

/// Value of a constant expression, through a constant of the right type.
inline double value_of(const std::string& expression, const std::string& type = "double") {
  const ModelPtr model =
      load("const " + type + " c = " + expression + "; module m x : [0..1]; endmodule");
  return model ? model->pool.number(model->constants[0].value) : -12345;
}

/// Properties of a text over a model; errors of the text are failures.
inline PropertySet properties(const ModelPtr& model, const std::string& text,
                              const ConstantValues& values = {}) {
  const auto file = parse_properties(make_source("p.props", text));
  if (!file) {
    ADD_FAILURE() << render(file.error());
    return {};
  }
  auto set = check_properties(*file, model, values);
  if (!set) {
    ADD_FAILURE() << render(set.error());
    return {};
  }
  return *set;
}

/// Codes reported for a property text, wherever they are found.
inline std::string property_codes(const ModelPtr& model, const std::string& text) {
  const auto file = parse_properties(make_source("p.props", text));
  if (!file) return codes(file.error());
  const auto set = check_properties(*file, model);
  if (!set) return codes(set.error());
  std::string out;
  for (const Property& p : set->properties) out += (out.empty() ? "" : " ") + codes(p.errors);
  return out;
}

}  // namespace brink::test

// Passages: the model read as a continuous-time chain, with a rate for each command, and the
// expected time until a set of states is reached (mean time to starvation, time to regrowth).
//
// An untimed model has no rates of its own, so none is invented: each comes from the scenario or
// from counts per command over exposure time in a run of the machine. Several commands enabled in a
// state race. The target may be any CTL formula ("the goal can no longer be reached"), evaluated on
// the explored graph first.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analytic/absorption.h"
#include "experiments/conformance/binding.h"
#include "experiments/data/resolve.h"
#include "experiments/scenario/predict.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "solver/search/ctl.h"
#include "solver/search/state_graph.h"

namespace brink {
namespace {

Diagnostics passage_error(const Prepared& prepared, const Passage& passage, std::string message,
                          std::string help = {}) {
  return scenario_error("E0917", fmt::format("passage `{}`: {}", passage.name, message),
                        prepared.scenario.source, passage.target.span, std::move(help));
}

/// The model at the passage's sizes.
Result<ModelPtr, Diagnostics> model_of(const Prepared& prepared, const Passage& passage) {
  const auto path = find_model(prepared.scenario.model.text, prepared.scenario.folder);
  if (!path) return fail(passage_error(prepared, passage, path.error()));
  ConstantValues constants = prepared.scenario.scaled;
  for (const auto& [name, value] : passage.constants) constants[name] = value;
  return load_model(*path, constants);
}

/// The states where `formula` holds.
Result<solver::StateSet, Diagnostics> states_where(const solver::StateGraph& graph,
                                                   const ModelPtr& model, const Placed& formula,
                                                   const Prepared& prepared,
                                                   const Passage& passage) {
  const auto parsed = parse_property(formula.text, "<target>");
  if (!parsed) return fail(parsed.error());
  const auto set = check_properties(*parsed, model);
  if (!set) return fail(set.error());
  const Property& property = set->properties.front();
  if (!property.errors.empty()) return fail(property.errors);
  const solver::Question question = solver::ask(*set, property);
  const solver::Form form = solver::form_of(question);
  if (form.shape == solver::Shape::unsupported) {
    return fail(passage_error(prepared, passage,
                              fmt::format("the target cannot be evaluated: {}", form.reason)));
  }
  auto sets = solver::evaluate_ctl(graph, *set, property.root);
  if (!sets && sets.error().fault)
    return fail(Diagnostics{to_diagnostic(*sets.error().fault, *model)});
  if (!sets) {
    return fail(
        passage_error(prepared, passage,
                      fmt::format("the target cannot be evaluated: {}", sets.error().none.reason)));
  }
  return std::move((*sets)[property.root.index]);
}

struct RateTable {
  std::vector<double> of_command;  ///< NaN: none given
  std::vector<std::string> text;
};

Result<RateTable, Diagnostics> rates_of(const Model& model, const Prepared& prepared,
                                        const Passage& passage, const Names& estimates) {
  RateTable rates{std::vector<double>(model.commands.size(), std::nan("")), {}};
  Names names = names_of(prepared.scenario, model);
  for (const auto& [name, placed] : passage.names) {
    const auto value = evaluate_expression(placed, names, prepared.scenario.source);
    if (!value) return fail(value.error());
    names[name] = *value;
  }
  for (std::uint32_t i = 0; i < model.commands.size(); ++i) {
    const std::string name = command_name(model, i);
    if (const auto given = passage.rates.find(name); given != passage.rates.end()) {
      Names known = names;  // `estimate` is the command's own rate in the machine's run
      if (const auto run = estimates.find(name); run != estimates.end())
        known["estimate"] = run->second;
      const auto value = evaluate_expression(given->second, known, prepared.scenario.source);
      if (!value) return fail(value.error());
      if (!(*value >= 0))
        return fail(
            passage_error(prepared, passage, fmt::format("the rate of `{}` is negative", name)));
      rates.of_command[i] = *value;
      rates.text.push_back(fmt::format("{} = {:.6g} /s (scenario)", name, *value));
    } else if (const auto estimate = estimates.find(name); estimate != estimates.end()) {
      rates.of_command[i] = estimate->second;
      rates.text.push_back(fmt::format("{} = {:.6g} /s (estimated)", name, estimate->second));
    }
  }
  for (const auto& [name, placed] : passage.rates) {
    if (!find_command(model, name)) {
      return fail(passage_error(prepared, passage,
                                fmt::format("the model has no single command `{}`", name)));
    }
  }
  return rates;
}

Result<analytic::Chain, Diagnostics> chain_of(const solver::StateGraph& graph,
                                              const ModelPtr& model, const RateTable& rates,
                                              const Prepared& prepared, const Passage& passage) {
  analytic::ChainBuilder builder(analytic::ChainKind::continuous);
  Evaluator evaluator(model);
  Expansion expansion;
  solver::Valuation state, next;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    graph.valuation(s, state);
    if (const auto error = evaluator.successors(state, expansion)) {
      return fail(Diagnostics{to_diagnostic(*error, *model)});
    }
    const auto successors = graph.successors(s);
    for (const Choice& choice : expansion.choices) {
      double rate = 1;
      for (const std::uint32_t command : expansion.commands_of(choice)) {
        if (std::isnan(rates.of_command[command])) {
          return fail(passage_error(
              prepared, passage,
              fmt::format("command `{}` is enabled but has no rate", command_name(*model, command)),
              "give it one in [passage.rates], or set estimated = true"));
        }
        rate *= rates.of_command[command];
      }
      for (std::uint32_t b = 0; b < choice.branch_count; ++b) {
        const auto target = expansion.target(choice.first_branch + b);
        for (const std::uint32_t candidate : successors) {
          graph.valuation(candidate, next);
          if (!std::equal(next.begin(), next.end(), target.begin())) continue;
          builder.add(candidate, rate * expansion.weights[choice.first_branch + b]);
          break;
        }
      }
    }
    builder.end_row();
  }
  auto chain = std::move(builder).finish();
  if (!chain) return fail(passage_error(prepared, passage, chain.error()));
  return std::move(*chain);
}

}  // namespace

std::vector<std::string> commands_without_rate(const Model& model, const Passage& passage) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < model.commands.size(); ++i) {
    std::string name = command_name(model, i);
    if (!passage.rates.count(name)) names.push_back(std::move(name));
  }
  return names;
}

Result<PassageResult, Diagnostics> solve_passage(const Prepared& prepared, const Passage& passage,
                                                 const Names& estimates) {
  const auto model = model_of(prepared, passage);
  if (!model) return fail(model.error());
  solver::Limits limits;
  limits.states = 5'000'000;
  limits.stop = prepared.stop;
  const solver::StateGraph graph(*model, limits);
  if (graph.error()) return fail(Diagnostics{to_diagnostic(*graph.error(), **model)});
  PassageResult result;
  result.name = passage.name;
  result.states = graph.size();
  if (!graph.complete()) {
    result.note = graph.incomplete_reason();
    return result;
  }
  const auto target = states_where(graph, *model, passage.target, prepared, passage);
  if (!target) return fail(target.error());
  const auto rates = rates_of(**model, prepared, passage, estimates);
  if (!rates) return fail(rates.error());
  result.rates = rates->text;
  const auto chain = chain_of(graph, *model, *rates, prepared, passage);
  if (!chain) return fail(chain.error());
  // Passages are stiff (kernel steps against hours), where sweeps do not converge: elimination gets
  // its time. Four digits are more than the rates deserve.
  analytic::SolveOptions options;
  options.elimination_operations = 8'000'000'000;
  options.tolerance = 1e-4;
  options.stop = prepared.stop;
  options.max_sweeps = 2'000;
  const analytic::Solution solution =
      analytic::hitting_time(*chain, analytic::StateSet(target->begin(), target->end()), options);
  result.method = analytic::describe(solution.method);
  result.converged = solution.converged;
  result.note = solution.note;
  if (!solution.converged) return result;
  std::vector<std::uint32_t> starts;
  if (passage.from.text.empty()) {
    for (std::uint32_t s = 0; s < graph.initial_count(); ++s) starts.push_back(s);
  } else {
    const auto from = states_where(graph, *model, passage.from, prepared, passage);
    if (!from) return fail(from.error());
    for (std::uint32_t s = 0; s < graph.size(); ++s) {
      if ((*from)[s]) starts.push_back(s);
    }
  }
  if (starts.empty())
    return fail(passage_error(prepared, passage, "no reachable state satisfies `from`"));
  for (const std::uint32_t s : starts) {
    if (solution.values[s] < result.seconds) continue;
    result.seconds = solution.values[s];
    result.error_bound = solution.bounds[s];
  }
  return result;
}

}  // namespace brink

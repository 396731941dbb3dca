// list, show, explain: what there is.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analytic/formulas.h"
#include "experiments/cli/commands.h"
#include "experiments/data/resolve.h"
#include "experiments/scenario/scenario.h"
#include "models/cache/pattern.h"
#include "models/cache/policies.h"
#include "models/cache/read_trace.h"
#include "models/kernels/kernels.h"
#include "models/language/codes.h"
#include "models/language/parser.h"
#include "solver/engines.h"

namespace brink::cli {
namespace {

/// The first sentence of a model's opening comment.
std::string about_model(const std::string& path) {
  const auto source = read_source(path);
  if (!source) return {};
  std::string_view line = (*source)->line(1);
  if (line.rfind("//", 0) != 0) return {};
  line.remove_prefix(2);
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return std::string(line);
}

void row(Output& output, const std::string& kind, std::string_view name, std::string_view about) {
  output.object({{"type", kind}, {"name", name}, {"about", about}});
  output.say(fmt::format("  {:<24} {}\n", name, about));
}

void list_models(Output& output) {
  output.say("models (brink show NAME, brink check NAME)\n");
  for (const std::string& name : library_models())
    row(output, "library_model", name, about_model(*find_model(name)));
}

void list_scenarios(Output& output) {
  output.say("scenarios (brink predict | simulate | conform | reproduce NAME)\n");
  for (const std::string& name : reports()) {
    const auto file = read_scenario(*find_scenario(name));
    const auto scenario = file ? file->interpret() : fail(file.error());
    row(output, "scenario", name,
        scenario ? scenario->title : "(cannot be read: brink show says why)");
  }
}

void list_engines(Output& output) {
  output.say("engines (brink check --engine NAME)\n");
  for (const auto& engine : solver::engines()) row(output, "engine", engine.name, engine.summary);
}

void list_policies(Output& output) {
  output.say("cache policies (brink cache TRACE --policy NAME)\n");
  for (const auto& policy : cache::policies()) row(output, "policy", policy.name, policy.summary);
  output.say("\ntrace formats (--format NAME; plain, gz, xz, zst, ...)\n");
  for (const auto& format : cache::trace_formats())
    row(output, "format", format.name, format.summary);
  output.say("\npatterns in the place of a trace (NAME:PARAMETER=VALUE,...)\n");
  for (const auto& pattern : cache::patterns())
    row(output, "pattern", pattern.name,
        fmt::format("{}: {}", pattern.summary, pattern.parameters));
}

void list_kernels(Output& output) {
  output.say("kernels of the machine of pages ([kernel] name = ... in a scenario)\n");
  for (const auto& kernel : machine::kernel_rows())
    row(output, "kernel", kernel.name, kernel.title);
}

void list_formulas(Output& output) {
  output.say("hand-derived formulas ([prediction] formula = ... in a scenario)\n");
  for (const auto& formula : analytic::formulas())
    row(output, "formula", formula.name, formula.title);
}

struct ListRow {
  std::string_view name;
  void (*list)(Output&);
};

constexpr ListRow kLists[] = {{"models", list_models},     {"scenarios", list_scenarios},
                              {"engines", list_engines},   {"kernels", list_kernels},
                              {"policies", list_policies}, {"formulas", list_formulas}};

template <typename Rows>
std::string table_text(std::string_view title, const Rows& rows) {
  std::string text = fmt::format("{}\n", title);
  for (const auto& row : rows) text += fmt::format("  {:<26} {}\n", row.name, row.meaning);
  return text;
}

std::string kernel_text(const machine::KernelRow& kernel) {
  return fmt::format("{}: {}\n\n", kernel.name, kernel.title) +
         table_text("tunables (from the model's constants)", kernel.tunables) +
         table_text("counters (for [view])", kernel.counters) +
         table_text("events (for [events])", kernel.events) +
         table_text("decisions (for [decisions] and decide)", kernel.decisions);
}

std::string formula_text(const analytic::FormulaInfo& formula) {
  std::string text = fmt::format("{}: {}\nsource: {}\n\ninputs ([prediction.inputs])\n",
                                 formula.name, formula.title, formula.source);
  for (const auto& input : formula.inputs)
    text += fmt::format("  {:<26} {:<10} {}\n", input.name, input.unit, input.meaning);
  return text;
}

std::string scenario_text(const Scenario& scenario) {
  std::string text = fmt::format(
      "{}\n  {}\n  {}\n\nkernel {}, model {}\n\nwhere the numbers come from\n", scenario.title,
      scenario.origin, scenario.path, scenario.kernel.text, scenario.model.text);
  for (const Basis& basis : scenario.basis) {
    text += fmt::format("  {:<26} {:<8} {}\n", basis.parameter, basis.kind, basis.note);
  }
  text += "\nvariants\n";
  for (const std::string& variant : scenario.variants) text += fmt::format("  {}\n", variant);
  text += "\nclaims\n";
  for (const Claim& claim : scenario.claims) text += fmt::format("  {}\n", claim.name);
  return text;
}

}  // namespace

int run_list(const Options& options, Output& output) {
  const std::string what = options.arguments.empty() ? "" : options.arguments[0];
  bool any = false;
  for (const ListRow& list : kLists) {
    if (!what.empty() && what != list.name) continue;
    if (any) output.say("\n");
    list.list(output);
    any = true;
  }
  if (any) return kDone;
  return output.error(kUsage, fmt::format("no list of `{}`", what),
                      "lists are models, scenarios, engines, kernels, formulas, policies");
}

int run_show(const Options& options, Output& output) {
  const std::string& name = options.arguments[0];
  if (const auto kernel = machine::find_kernel(name); kernel && !find_model(name)) {
    output.object({{"type", "kernel"}, {"name", name}, {"about", (*kernel)->title}});
    output.say(kernel_text(**kernel));
    return kDone;
  }
  if (const auto* formula = analytic::find_formula(name)) {
    output.object({{"type", "formula"}, {"name", name}, {"about", formula->title}});
    output.say(formula_text(*formula));
    return kDone;
  }
  if (const auto path = find_model(name); path && path->rfind(".toml") == std::string::npos) {
    const auto model = read_source(*path);
    if (!model) return output.report(model.error());
    const std::string properties_path = property_file_of(*path);
    const auto properties =
        properties_path.empty() ? SourcePtr() : read_source(properties_path).value_or(nullptr);
    output.object({{"type", "library_model"},
                   {"name", name},
                   {"path", *path},
                   {"text", (*model)->text()},
                   {"properties", properties ? properties->text() : ""}});
    output.say(std::string((*model)->text()));
    if (properties) output.say("\n" + std::string(properties->text()));
    return kDone;
  }
  const auto path = find_scenario(name);
  if (!path)
    return output.error(kUsage, fmt::format("no model, kernel, formula or scenario `{}`", name),
                        "`brink list` shows all");
  const auto file = read_scenario(*path);
  if (!file) return output.report(file.error());
  const auto scenario = file->interpret();
  if (!scenario) return output.report(scenario.error());
  output.object({{"type", "scenario"},
                 {"name", scenario->name},
                 {"title", scenario->title},
                 {"path", *path}});
  output.say(scenario_text(*scenario));
  return kDone;
}

int run_explain(const Options& options, Output& output) {
  if (options.arguments.empty()) {
    for (const CodeInfo& code : diagnostic_codes()) row(output, "code", code.code, code.title);
    return kDone;
  }
  const CodeInfo* code = find_code(options.arguments[0]);
  if (!code)
    return output.error(kUsage, fmt::format("no code `{}`", options.arguments[0]),
                        "`brink explain` lists all");
  output.object({{"type", "code"},
                 {"code", code->code},
                 {"title", code->title},
                 {"explanation", code->explanation},
                 {"example", code->example}});
  output.say(fmt::format("{}: {}\n\n{}\n", code->code, code->title, code->explanation));
  if (!code->example.empty()) output.say(fmt::format("\nFor instance:\n\n{}\n", code->example));
  return kDone;
}

}  // namespace brink::cli

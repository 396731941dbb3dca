// Reading a scenario: the order of the file's tables below is the order in which they are explained
// in the manual. Every reader takes its section, reports what it cannot use, and goes on, so that
// one run shows all mistakes (up to kMaxDiagnostics).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "experiments/data/config.h"
#include "experiments/data/quantity.h"
#include "experiments/scenario/expression.h"
#include "experiments/scenario/read_parts.h"
#include "experiments/scenario/scenario.h"
#include "models/language/parser.h"

namespace brink {

struct ScenarioFile::Content {
  SourcePtr source;
  std::string path;
  Config root;
};

namespace {

struct UnitDimension {
  std::string_view unit;  ///< as the machine's parameter table writes it
  Dimension dimension;
};

constexpr std::array kUnitDimensions = {
    UnitDimension{"bytes", Dimension::bytes},
    UnitDimension{"ns", Dimension::nanoseconds},
    UnitDimension{"bytes/s", Dimension::bytes_per_second},
    UnitDimension{"ns/KiB", Dimension::nanoseconds_per_kib},
    UnitDimension{"pages", Dimension::pages},
};

Dimension dimension_of(std::string_view unit) {
  for (const UnitDimension& row : kUnitDimensions) {
    if (row.unit == unit) return row.dimension;
  }
  return Dimension::number;
}

void read_machine(Section section, Scenario& scenario) {
  std::vector<std::string> known;
  for (const auto& row : machine::parameter_rows()) known.emplace_back(row.name);
  for (const auto& [key, value] : section.members()) {
    const auto rows = machine::parameter_rows();
    const int index = machine::row_index(rows, key);
    if (index < 0) {
      section.error("E0903", fmt::format("the machine has no parameter `{}`", key), value->span,
                    did_you_mean(key, known));
      continue;
    }
    if (!value->scalar()) {
      section.error("E0906", fmt::format("`{}` must be one value", key), value->span);
      continue;
    }
    const auto number = parse_quantity(value->text, dimension_of(rows[index].unit));
    if (!number) {
      section.error("E0907", fmt::format("{}: {}", key, number.error()), value->span,
                    fmt::format("{}", rows[index].meaning));
      continue;
    }
    if (std::abs(*number) > 9e18) {
      section.error("E0907", fmt::format("{}: `{}` is too large", key, value->text), value->span);
      continue;
    }
    const auto whole = static_cast<std::int64_t>(std::llround(*number));
    if (whole < rows[index].least || whole > rows[index].most) {
      section.error("E0907",
                    fmt::format("{} is {} {}, but must lie in [{}, {}]", key, whole,
                                rows[index].unit, rows[index].least, rows[index].most),
                    value->span);
      continue;
    }
    scenario.machine.*rows[index].member = whole;
  }
}

constexpr int kMostRuns = 10000;
constexpr std::array<std::string_view, 4> kBasisKinds = {"given", "derived", "assumed", "fitted"};

void read_basis(Section section, const Config* machine, Scenario& scenario) {
  for (const auto& [key, value] : section.members()) {
    for (const auto& [kind, note] : value->members) {
      if (std::find(kBasisKinds.begin(), kBasisKinds.end(), kind) == kBasisKinds.end()) {
        section.error("E0908", fmt::format("`{}` is no kind of basis", kind), value->span,
                      "a number is given, derived, assumed or fitted");
        continue;
      }
      scenario.basis.push_back({key, kind, note.text});
    }
    if (value->members.empty()) {
      section.error("E0908", fmt::format("say where `{}` comes from", key), value->span,
                    "for instance { fitted = \"before-rm elapsed times\" }");
    }
  }
  if (!machine) return;
  for (const auto& [key, value] : machine->members) {
    const bool there =
        std::any_of(scenario.basis.begin(), scenario.basis.end(),
                    [&key = key](const Basis& basis) { return basis.parameter == key; });
    if (!there && value.span.end > 0) {
      section.error(
          "E0908", fmt::format("`{}` has no row in [basis]", key), value.span,
          fmt::format(
              "add {} = {{ given | derived | assumed | fitted = \"where the number comes from\" }}",
              key));
    }
  }
}

void read_kernel(Section section, Scenario& scenario) {
  if (const auto name = section.text("name", true))
    scenario.kernel = {*name, section.span_of("name")};
  scenario.decide = read_placed(section.table("decide"));
  for (const auto& [site, how] : scenario.decide) {
    if (how.text != "model" && how.text != "native") {
      section.error(
          "E0906",
          fmt::format("`{}` is decided by \"model\" or \"native\", not by \"{}\"", site, how.text),
          how.span);
    }
  }
  scenario.tunables = read_placed(section.table("tunables"));
  scenario.overrides = read_placed(section.table("override"));
  section.finish();
}

void read_model(Section section, Scenario& scenario) {
  if (const auto file = section.text("file", true))
    scenario.model = {*file, section.span_of("file")};
  scenario.constants = read_constants(section.table("constants"));
  scenario.scaled = read_constants(section.table("scaled"));
  section.finish();
}

void read_observed(Section section, Scenario& scenario) {
  Observed observed;
  if (const auto table = section.text("table", true)) observed.table = *table;
  if (const auto file = section.text("file", true))
    observed.file = {*file, section.span_of("file")};
  observed.where = read_words(section.table("where"));
  section.finish();
  scenario.observed.push_back(std::move(observed));
}

Diagnostics cannot_apply(Diagnostics found, const std::string& what) {
  for (Diagnostic& diagnostic : found)
    diagnostic.message = fmt::format("{}: {}", what, diagnostic.message);
  return found;
}

/// Applies the `set` table of a variant, then the overrides.
Result<Config, Diagnostics> with_settings(const Config& root, const SourcePtr& source,
                                          const std::string& variant,
                                          const std::vector<Override>& overrides) {
  Config result = root;
  std::vector<std::string> names;
  const Config* settings = nullptr;
  if (const Config* variants = root.find("variant")) {
    for (const Config& row : variants->items) {
      const Config* name = row.find("name");
      if (name) names.push_back(name->text);
      if (name && name->text == variant) settings = row.find("set");
    }
  }
  const bool known = std::find(names.begin(), names.end(), variant) != names.end();
  if (!variant.empty() && !known) {
    return fail(scenario_error("E0909", fmt::format("the scenario has no variant `{}`", variant),
                               source, {}, did_you_mean(variant, names)));
  }
  if (settings) {
    for (const auto& [path, value] : settings->members) {
      if (const auto set = set_config(result, path, value, source); !set) {
        return fail(cannot_apply(set.error(), fmt::format("variant {}", variant)));
      }
    }
  }
  for (const Override& change : overrides) {
    if (const auto set = set_config(result, change.path, config_value(change.value), source);
        !set) {
      return fail(cannot_apply(set.error(), "--set"));
    }
  }
  return result;
}

/// Does the variant change what is observed?
bool sets_observed(const Config& root, const std::string& variant) {
  const Config* variants = root.find("variant");
  if (!variants) return false;
  for (const Config& row : variants->items) {
    const Config *name = row.find("name"), *settings = row.find("set");
    if (!name || !settings || name->text != variant) continue;
    for (const auto& [path, value] : settings->members) {
      if (path.rfind("observed", 0) == 0) return true;
    }
  }
  return false;
}

void read_parts(Section& root, const Config& config, Scenario& scenario) {
  if (const auto title = root.text("title", true)) scenario.title = *title;
  if (const auto origin = root.text("source", true)) scenario.origin = *origin;
  read_machine(root.table("machine", true), scenario);
  read_basis(root.table("basis", true), config.find("machine"), scenario);
  read_kernel(root.table("kernel", true), scenario);
  if (Section model = root.table("model"); model.present()) read_model(model, scenario);
  scenario.view = read_placed(root.table("view"));
  scenario.events = read_placed(root.table("events"));
  scenario.decisions = read_placed(root.table("decisions"));
  Section workload = root.table("workload", true);
  if (const auto script = workload.text("script", true))
    scenario.script = {*script, workload.span_of("script")};
  workload.finish();
  Section ensemble = root.table("ensemble");
  if (const auto runs = ensemble.number("runs")) {
    scenario.runs = static_cast<std::int64_t>(*runs);
    if (!(*runs >= 1 && *runs <= kMostRuns && std::floor(*runs) == *runs)) {
      ensemble.error("E0906", fmt::format("`runs` is a whole number from 1 to {}", kMostRuns),
                     ensemble.span_of("runs"));
    }
  }
  ensemble.finish();
  for (Section& section : root.tables("observed")) read_observed(section, scenario);
  read_metrics(root.table("metrics"), scenario);
  read_prediction(root.table("prediction"), scenario);
  for (Section& section : root.tables("check")) read_check(section, scenario);
  for (Section& section : root.tables("passage")) read_passage(section, scenario);
  for (Section& section : root.tables("variant")) read_variant(section, scenario);
  for (Section& section : root.tables("curve")) read_curve(section, scenario);
  for (Section& section : root.tables("rows")) read_rows(section, scenario);
  for (Section& section : root.tables("claim")) read_claim(section, scenario);
  for (Section& section : root.tables("figure")) read_figure(section, scenario);
  check_references(root, scenario);
  root.finish();
}

}  // namespace

const SourcePtr& ScenarioFile::source() const { return content_->source; }

Result<Scenario, Diagnostics> ScenarioFile::interpret(
    const std::string& variant, const std::vector<Override>& overrides) const {
  const auto config = with_settings(content_->root, content_->source, variant, overrides);
  if (!config) return fail(config.error());
  Scenario scenario;
  scenario.source = content_->source;
  scenario.path = content_->path;
  const std::filesystem::path path(content_->path);
  scenario.folder = path.parent_path().string();
  const std::string stem = path.stem().string();
  const std::string parent = path.parent_path().filename().string();
  scenario.name = stem == "report" && !parent.empty() ? parent : stem;
  Diagnostics found;
  Section root(&*config, "", content_->source, found);
  read_parts(root, *config, scenario);
  if (has_errors(found)) return fail(std::move(found));
  scenario.own_observed = variant.empty() || sets_observed(content_->root, variant);
  return scenario;
}

Result<ScenarioFile, Diagnostics> read_scenario(const std::string& path) {
  const auto source = read_source(path);
  if (!source) return fail(source.error());
  auto config = parse_config(*source);
  if (!config) return fail(config.error());
  return ScenarioFile(std::make_shared<const ScenarioFile::Content>(
      ScenarioFile::Content{*source, path, std::move(*config)}));
}

}  // namespace brink

#include "experiments/cli/scenario_command.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/cli/interrupt.h"
#include "experiments/data/quantity.h"
#include "experiments/data/resolve.h"

namespace brink::cli {
namespace {

constexpr std::size_t kMaxPoints = 100'000;

/// "16 MiB:4 MiB:64 MiB" or "100:100:700": values as text in the unit of the first part.
Result<std::vector<std::string>, std::string> read_range(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t colon = std::min(text.find(':', at), text.size());
    parts.push_back(text.substr(at, colon - at));
    at = colon + 1;
  }
  if (parts.size() != 3) return fail(fmt::format("`{}` is not a range low:step:high", text));
  double values[3];
  Dimension dimension = Dimension::number;
  for (int i = 0; i < 3; ++i) {
    const auto quantity = parse_quantity(parts[i]);
    if (!quantity) return fail(quantity.error());
    if (i > 0 && quantity->dimension != dimension)
      return fail(fmt::format("`{}` mixes units", text));
    dimension = quantity->dimension;
    values[i] = quantity->value;
  }
  if (!(values[1] > 0) || !(values[2] >= values[0]))
    return fail(fmt::format("`{}`: the step must be positive and low <= high", text));
  const double count = std::floor((values[2] - values[0]) / values[1] + 1e-9) + 1;
  if (count > kMaxPoints)
    return fail(fmt::format("`{}` has more than {} points", text, kMaxPoints));
  std::vector<std::string> result;
  const std::string_view unit = unit_of(dimension);
  for (double i = 0; i < count; ++i) {
    result.push_back(fmt::format("{}{}{}", number_text(values[0] + i * values[1]),
                                 unit.empty() ? "" : " ", unit));
  }
  return result;
}

}  // namespace

Result<Settings, std::string> read_settings(const Options& options) {
  Settings settings;
  for (const std::string& text : options.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(fmt::format("--set takes PATH=VALUE, not `{}`", text));
    }
    const std::string path = text.substr(0, equals), value = text.substr(equals + 1);
    const bool range = value.find(':') != std::string::npos && value.find('"') == std::string::npos;
    if (!range) {
      settings.overrides.push_back({path, value});
      continue;
    }
    const auto values = read_range(value);
    if (!values) return fail(values.error());
    if (settings.sweep) return fail(std::string("one --set may be a range"));
    settings.sweep = Sweep{path, *values};
  }
  return settings;
}

std::optional<ScenarioFile> open_scenario(const std::string& name, Output& output, int& code) {
  const auto path = find_scenario(name);
  if (!path) {
    code = output.error(kInput, path.error(), "`brink list scenarios` shows those of the library");
    return std::nullopt;
  }
  auto file = read_scenario(*path);
  if (!file) {
    code = output.report(file.error());
    return std::nullopt;
  }
  return *file;
}

std::optional<Prepared> prepare_scenario(const ScenarioFile& file, const Options& options,
                                         Output& output, int& code) {
  const auto settings = read_settings(options);
  if (!settings) {
    code = output.error(kUsage, settings.error());
    return std::nullopt;
  }
  if (settings->sweep) {
    code = output.error(kUsage, "a range in --set needs `brink predict`",
                        "for instance brink predict SCENARIO --set x=1:1:9 --metric M");
    return std::nullopt;
  }
  const auto scenario = file.interpret(options.variant, settings->overrides);
  if (!scenario) {
    code = output.report(scenario.error());
    return std::nullopt;
  }
  auto prepared = prepare(*scenario, &interrupted());
  if (!prepared) {
    code = output.report(prepared.error());
    return std::nullopt;
  }
  return std::move(*prepared);
}

void print_metrics(const Names& metrics, const std::string& source, const std::string& only,
                   Output& output) {
  for (const auto& [name, value] : metrics) {
    if (!only.empty() && name != only) continue;
    output.object(
        {{"type", "metric"}, {"source", source}, {"name", name}, {"value", json_number(value)}});
    output.say(fmt::format("  {:<10} {:<28} {:.6g}\n", source, name, value));
  }
}

}  // namespace brink::cli

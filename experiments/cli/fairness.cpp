#include "experiments/cli/fairness.h"

#include <fmt/format.h>

#include "models/language/parser.h"

namespace brink::cli {
namespace {

struct Row {
  std::string Options::*names;
  const char* option;
  const char* annotation;
};

constexpr Row kRows[] = {{&Options::fair, "--fair", "fair"},
                         {&Options::strong_fair, "--strong-fair", "strong-fair"}};

}  // namespace

std::optional<int> add_fairness(Loaded& loaded, const Options& options, Output& output) {
  for (const Row& row : kRows) {
    const std::string& names = options.*row.names;
    if (names.empty()) continue;
    const auto file = parse_properties(
        make_source(row.option, fmt::format("//@ {} {}\n", row.annotation, names)));
    if (!file) return output.report(file.error());
    const auto named = check_properties(*file, loaded.model);
    if (!named) return output.report(named.error());
    if (!loaded.properties) {
      loaded.properties.emplace();
      loaded.properties->model = loaded.model;
      loaded.properties->pool = loaded.model->pool;
    }
    for (const Annotation& annotation : named->annotations)
      loaded.properties->annotations.push_back(annotation);
  }
  return std::nullopt;
}

}  // namespace brink::cli

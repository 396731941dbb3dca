#include "experiments/cli/jobs.h"

#include <fmt/format.h>

#include <charconv>

#include "experiments/cli/interrupt.h"
#include "experiments/data/resolve.h"
#include "models/base/text.h"

namespace brink::cli {

solver::Limits limits_of(const Options& options) {
  solver::Limits limits;
  limits.states = static_cast<std::uint64_t>(options.state_limit);
  limits.depth = static_cast<std::uint32_t>(options.depth);
  limits.seconds = options.time_limit_s;
  limits.bytes = options.memory_limit_bytes;
  limits.threads = static_cast<unsigned>(options.threads);
  limits.stop = &interrupted();
  return limits;
}

Result<Paths, std::string> find_paths(const Options& options) {
  Paths paths;
  const auto model = find_model(options.arguments[0]);
  if (!model) return fail(model.error());
  paths.model = *model;
  paths.properties = options.arguments.size() > 1 ? options.arguments[1] : property_file_of(*model);
  return paths;
}

Result<std::vector<Job>, std::string> choose(const Loaded& loaded,
                                             const std::vector<std::string>& wanted) {
  std::vector<Job> jobs;
  const auto name_of = [](const Property& property) {
    return property.name.empty() ? fmt::format("{}", property.number) : property.name;
  };
  if (wanted.empty()) {
    if (!loaded.properties) return jobs;
    for (const Property& property : loaded.properties->properties) {
      if (property.number > 0) jobs.push_back({name_of(property), &property});
    }
    return jobs;
  }
  std::vector<std::string> known = {"range"};
  for (const std::string& text : wanted) {
    const Property* found = nullptr;
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (loaded.properties) {
      for (const Property& property : loaded.properties->properties) {
        known.push_back(name_of(property));
        if (property.name == text || (number > 0 && property.number == number)) found = &property;
      }
    }
    if (!found && text != "range") {
      const std::string near = nearest_name(text, known);
      return fail(fmt::format("no property `{}`{}", text,
                              near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
    }
    jobs.push_back({found ? name_of(*found) : text, found});
  }
  return jobs;
}

}  // namespace brink::cli

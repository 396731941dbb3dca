#include "experiments/cli/symbolic.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/cli/interrupt.h"
#include "experiments/data/files.h"
#include "solver/for_all/explain.h"
#include "solver/for_all/instance.h"
#include "solver/trace/trace_json.h"

namespace brink::cli {

std::vector<std::string> symbolic_names(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  for (const char c : text + ",") {
    if (c == ',' || c == ' ') {
      if (!name.empty()) names.push_back(name);
      name.clear();
    } else {
      name += c;
    }
  }
  return names;
}

std::optional<int> add_assumptions(Loaded& loaded, const Options& options, Output& output) {
  if (options.assume.empty()) return std::nullopt;
  PropertySet set;
  if (loaded.properties) {
    set = std::move(*loaded.properties);
  } else {
    set.model = loaded.model;
    set.pool = loaded.model->pool;
  }
  auto assumed = solver::with_assumptions(std::move(set), {options.assume});
  if (!assumed) return output.report(assumed.error());
  loaded.properties = std::move(*assumed);
  const Annotation& last = loaded.properties->annotations.back();
  if (loaded.properties->pool.is_false(last.condition))
    return output.error(kInput, fmt::format("--assume {}: false for these constants", last.text),
                        "--for-all keeps constants symbolic");
  return std::nullopt;
}

std::string symbolic_refusal(const Loaded& loaded, const Options& options, bool asks_something) {
  if (loaded.model->parameters.empty()) return {};
  if (!asks_something) return "--for-all needs a property: --property NAME, or --formula TEXT";
  if (options.test) return "--for-all and --test: RESULT comments are about given constants";
  if (options.deadlock_error) return "--for-all and --deadlock-error: ask A [ G !\"deadlock\" ]";
  if (options.engine != "auto")
    return fmt::format("--for-all is answered by its own method, not by engine {}", options.engine);
  return {};
}

solver::Question range_question(const Loaded& loaded) {
  solver::Question question = solver::ask_range(loaded.model);
  if (loaded.properties && !loaded.model->parameters.empty())
    question.properties = &*loaded.properties;
  return question;
}

int save_certificate(const solver::CheckResult& result, const Loaded& loaded,
                     const Options& options, Output& output) {
  if (options.certificate.empty()) return kDone;
  if (!result.certificate && !result.trace) {
    output.note(result.verdict == solver::Verdict::holds
                    ? "no certificate: engine " + result.engine +
                          " counts states and writes none; --engine pdr does"
                    : "no certificate: nothing was decided");
    return kDone;
  }
  const std::string text = result.certificate ? *result.certificate
                                              : solver::trace_to_json(*result.trace, *loaded.model);
  if (const auto written = write_whole(options.certificate, text); !written)
    return output.error(kEnvironment, written.error());
  output.say(fmt::format("  saved {0}; brink verify {0}\n", options.certificate));
  return kDone;
}

void explain(const std::string& property, const solver::Question& question, const Loaded& loaded,
             const Options& options, Output& output) {
  if (!loaded.model->parameters.empty())
    return output.note("--explain is about given constants: repeat with those of the trace");
  constexpr double otherwise_seconds = 60;
  solver::Limits limits;
  limits.seconds = options.time_limit_s > 0 ? options.time_limit_s : otherwise_seconds;
  limits.bytes = options.memory_limit_bytes;
  limits.states = static_cast<std::uint64_t>(options.state_limit);
  limits.stop = &interrupted();
  end_without_answer_after(limits.seconds);
  const solver::Explanation found = solver::explain_violation(question, limits);
  output.object({{"type", "explanation"},
                 {"property", property},
                 {"needed", found.needed},
                 {"enough", found.enough},
                 {"blamed", found.blamed},
                 {"changed_models", found.tried},
                 {"skipped", found.skipped}});
  const auto list = [&](const std::string& title, const std::vector<std::string>& items) {
    std::string text = "  " + title + ":";
    for (const std::string& item : items) text += "\n    " + item;
    output.say(text + (items.empty() ? " none\n" : "\n"));
  };
  list("without one of these commands it holds", found.needed);
  list("these commands alone violate it", found.enough);
  list("without one of these conditions it holds", found.blamed);
  output.say(fmt::format(
      "  {} changed models checked{}\n", found.tried,
      found.skipped == 0 ? "" : fmt::format("; {} left open by the limits", found.skipped)));
}

}  // namespace brink::cli

// conform: a run of the machine followed in the model, and their decisions compared.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/scenario_command.h"
#include "experiments/conformance/conform.h"

namespace brink::cli {
namespace {

void print_sites(const Conformance& found, Output& output) {
  output.say("\n  decision                    yes          no   disagree   the model's guard\n");
  for (const SiteCount& site : found.sites) {
    output.object({{"type", "decision"},
                   {"site", site.site},
                   {"guard", site.guard},
                   {"yes", site.yes},
                   {"no", site.no},
                   {"disagreements", site.disagreements}});
    output.say(fmt::format("  {:<20} {:>10} {:>11} {:>10}   {}\n", site.site, site.yes, site.no,
                           site.disagreements, site.guard));
  }
  for (const std::string& site : found.unguarded)
    output.say(fmt::format("  {:<20} (no guard given)\n", site));
}

void print_divergences(const Conformance& found, Output& output) {
  for (const Divergence& divergence : found.divergences) {
    output.object({{"type", "divergence"},
                   {"step", divergence.step},
                   {"at_ns", divergence.at},
                   {"what", divergence.what},
                   {"why", divergence.why}});
    output.say(fmt::format("\n  step {} ({:.6f} s): {}\n", divergence.step,
                           static_cast<double>(divergence.at) * 1e-9, divergence.what));
    for (const std::string& line : divergence.why) output.say(fmt::format("      {}\n", line));
  }
  const auto rest = found.divergence_count - static_cast<std::int64_t>(found.divergences.size());
  if (rest > 0) output.say(fmt::format("\n  and {} more\n", rest));
}

void print_rates(const Conformance& found, Output& output) {
  output.say(
      "\n  command              count   exposure s     rate /s   [95 % interval]        gaps' "
      "variation (1: exponential)\n");
  for (const CommandCount& command : found.commands) {
    const Rate rate = estimate_rate(command.count, command.exposure_s);
    output.object({{"type", "rate"},
                   {"command", command.command},
                   {"count", command.count},
                   {"exposure_s", command.exposure_s},
                   {"per_second", rate.per_second},
                   {"low", rate.low},
                   {"high", rate.high},
                   {"gap_variation", command.gap_variation},
                   {"gaps", command.gaps}});
    if (command.exposure_s <= 0) {
      output.say(fmt::format("  {:<16} {:>9}   never enabled for any time: no rate\n",
                             command.command, command.count));
      continue;
    }
    output.say(
        fmt::format("  {:<16} {:>9} {:>12.4f} {:>11.5g}   [{:.5g}, {:.5g}]{}\n", command.command,
                    command.count, command.exposure_s, rate.per_second, rate.low, rate.high,
                    command.gaps > 1 ? fmt::format("   {:.2f}", command.gap_variation) : ""));
  }
}

std::string verdict_of(const Conformance& found) {
  if (!found.conforms()) return "false";
  return found.complete() ? "true" : "unknown";
}

}  // namespace

int run_conform(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "conform"}});
  int code = kDone;
  const auto file = open_scenario(options.arguments[0], output, code);
  if (!file) return code;
  const auto prepared = prepare_scenario(*file, options, output, code);
  if (!prepared) return code;
  output.progress("following the machine");
  const auto found = conform(*prepared, static_cast<std::uint64_t>(options.seed), options.estimate);
  if (!found) return output.report(found.error());
  const Scenario& scenario = prepared->scenario;
  output.object({{"type", "conformance"},
                 {"scenario", scenario.name},
                 {"kernel", scenario.kernel.text},
                 {"model", scenario.model.text},
                 {"verdict", verdict_of(*found)},
                 {"events", found->events},
                 {"model_steps", found->model_steps},
                 {"decisions", found->decisions},
                 {"divergences", found->divergence_count},
                 {"simulated_s", found->seconds},
                 {"seed", options.seed}});
  output.say(
      fmt::format("{}: kernel {} against model {}, {:.2f} s simulated, seed {}\n  {} events are {} "
                  "steps of the model; {} decisions\n",
                  scenario.name, scenario.kernel.text, scenario.model.text, found->seconds,
                  options.seed, found->events, found->model_steps, found->decisions));
  print_sites(*found, output);
  print_divergences(*found, output);
  if (options.estimate) print_rates(*found, output);
  if (options.verbose) {
    for (const std::string& event : found->unlisted)
      output.say(fmt::format("  event {} is not listed (it must not move the view)\n", event));
  }
  if (!found->conforms()) {
    output.say(fmt::format("\nDIVERGES: {} time{}\n", found->divergence_count,
                           found->divergence_count == 1 ? "" : "s"));
    return kViolated;
  }
  if (!found->complete()) {
    output.say(fmt::format("\nUNDECIDED: {}; until there every step and decision agrees\n",
                           why_interrupted()));
    return kUndecided;
  }
  output.say("\nCONFORMS: every step of the machine is one of the model, every decision agrees\n");
  return kDone;
}

}  // namespace brink::cli

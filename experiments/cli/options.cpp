#include "experiments/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "experiments/cli/commands.h"
#include "experiments/data/quantity.h"
#include "models/language/diagnostic.h"

namespace brink::cli {
namespace {

constexpr std::array kOptions = {
    OptionRow{"property", 'p', "NAME|NUMBER",
              "ask only this property of the file (may be repeated)", Group::check,
              &Options::properties},
    OptionRow{"formula", 'f', "TEXT",
              "ask this property; the property file is read for its labels and constants",
              Group::check, &Options::formula},
    OptionRow{"const", 'c', "N=16,p=1/3",
              "values of constants; check also takes ranges, N=1:10 or p=0.1:0.1:0.9", Group::check,
              &Options::constants},
    OptionRow{"csv", 0, "FILE", "with ranges of constants: write the table to this file",
              Group::check, &Options::csv},
    OptionRow{"as", 0, "dtmc|ctmc|mdp", "read the model as this type", Group::check, &Options::as},
    OptionRow{"engine", 'e', "NAME", "one of `brink list engines`; without it, auto", Group::check,
              &Options::engine},
    OptionRow{"depth", 0, "K", "bounded engines look this many steps deep", Group::check,
              &Options::depth},
    OptionRow{"test", 0, "", "compare with the RESULT comments of the property file", Group::check,
              &Options::test},
    OptionRow{"for-all", 0, "N,...",
              "keep these constants symbolic: a claim about all their values", Group::check,
              &Options::for_all},
    OptionRow{"over", 0, "NAME,...", "the constants whose settings are sought", Group::check,
              &Options::over},
    OptionRow{"assume", 0, "TEXT", "what symbolic constants satisfy: \"N>=8 & high>low\"",
              Group::check, &Options::assume},
    OptionRow{"fair", 0, "NAMES",
              "weak fairness of modules and [labels], as //@ fair in the property file",
              Group::check, &Options::fair},
    OptionRow{"strong-fair", 0, "NAMES", "strong fairness of them, as //@ strong-fair",
              Group::check, &Options::strong_fair},
    OptionRow{"certificate", 0, "FILE", "write the proof (SMT-LIB 2) or the trace to this file",
              Group::check, &Options::certificate},
    OptionRow{"explain", 0, "", "of a violation: the commands it needs, the conditions to blame",
              Group::check, &Options::explain},
    OptionRow{"simplest", 0, "", "traces with the fewest different commands instead of steps",
              Group::check, &Options::simplest},
    OptionRow{"deadlock-error", 0, "", "a reachable state without a move is an error of the model",
              Group::check, &Options::deadlock_error},
    OptionRow{"resume", 0, "FILE",
              "keep an explicit search in this file, and go on from it where it exists",
              Group::check, &Options::resume},
    OptionRow{"checkpoint-every", 0, "TIME", "how often --resume writes; without it, \"60 s\"",
              Group::check, &Options::checkpoint_every},
    OptionRow{"exact", 0, "", "P, S and R as fractions: 0.1 is 1/10, nothing is rounded",
              Group::check, &Options::exact},
    OptionRow{"lump", 0, "", "dtmc, ctmc: states that behave alike are made one before solving",
              Group::check, &Options::lump},
    OptionRow{"strategy", 0, "FILE", "mdp: write the best strategy of a P or R, state by state",
              Group::check, &Options::strategy},
    OptionRow{"to", 't', "FORMAT", "format of another tool; without it the formats are listed",
              Group::check, &Options::to},
    OptionRow{"set", 's', "PATH=VALUE",
              "set a value of the scenario: machine.cpus=1, or a:step:b for a curve",
              Group::scenario, &Options::set},
    OptionRow{"variant", 0, "NAME", "take a variant of the scenario", Group::scenario,
              &Options::variant},
    OptionRow{"metric", 'm', "NAME", "show only this metric", Group::scenario, &Options::metric},
    OptionRow{"best", 0, "METRIC", "the setting with the largest value of it (least: min:METRIC)",
              Group::scenario, &Options::best},
    OptionRow{"subject-to", 0, "TEXT", "the best among settings that satisfy this: \"p99 <= 0.05\"",
              Group::scenario, &Options::subject_to},
    OptionRow{"against", 0, "machine|observed", "what a prediction is held against",
              Group::scenario, &Options::against},
    OptionRow{"runs", 0, "R", "runs with seeds S, S+1, ...", Group::scenario, &Options::runs},
    OptionRow{"estimate", 0, "", "also estimate the rates of the model's commands", Group::scenario,
              &Options::estimate},
    OptionRow{"trace-out", 0, "FILE",
              "write the trace (check) or the events (simulate) to this file", Group::check,
              &Options::trace_out},
    OptionRow{"policy", 0, "NAME,...", "cache policies, or all; without it, lru", Group::cache,
              &Options::policy},
    OptionRow{"size", 0, "SIZE,...",
              "sizes of the cache: pages, 100:100:2000, 5% of the pages referenced, \"64 MiB\"",
              Group::cache, &Options::size},
    OptionRow{"predict", 0, "", "also what formulas say, and the cliffs of the curves",
              Group::cache, &Options::predict},
    OptionRow{"format", 0, "NAME", "format of the trace, where its content does not tell",
              Group::cache, &Options::format},
    OptionRow{"page", 0, "SIZE", "size of a page, for traces and sizes in bytes: \"4 KiB\"",
              Group::cache, &Options::page},
    OptionRow{"json", 0, "", "JSON Lines on standard output", Group::common, &Options::json},
    OptionRow{"quiet", 'q', "", "no progress and no remarks", Group::common, &Options::quiet},
    OptionRow{"verbose", 'v', "", "more detail", Group::common, &Options::verbose},
    OptionRow{"seed", 0, "S", "seed of the random numbers", Group::common, &Options::seed},
    OptionRow{"threads", 'j', "N", "threads", Group::common, &Options::threads},
    OptionRow{"time-limit", 0, "TIME", "stop after this long, for instance \"30 s\"", Group::common,
              &Options::time_limit},
    OptionRow{"memory-limit", 0, "SIZE", "stop above this much memory, for instance \"2 GiB\"",
              Group::common, &Options::memory_limit},
    OptionRow{"state-limit", 0, "N", "stop after this many states", Group::common,
              &Options::state_limit},
    OptionRow{"out", 'o', "DIR", "folder for files; the file itself (export)", Group::common,
              &Options::out},
    OptionRow{"color", 0, "auto|always|never", "colours", Group::common, &Options::color},
};

bool takes(const CommandRow& command, const OptionRow& option) {
  if (option.group == Group::common) return true;
  const std::string padded = fmt::format(" {} ", command.options);
  return padded.find(fmt::format(" {} ", option.name)) != std::string::npos;
}

std::string option_help(const OptionRow& option) {
  const std::string left =
      fmt::format("  {}--{}{}{}", option.letter ? fmt::format("-{}, ", option.letter) : "    ",
                  option.name, option.argument.empty() ? "" : " ", option.argument);
  return fmt::format("{:<34} {}\n", left, option.help);
}

std::string command_help(const CommandRow& command) {
  std::string text = fmt::format("{}\n\n{}\nusage: brink {} {}\n\n", command.about,
                                 command.examples, command.name, command.arguments);
  for (const bool common : {false, true}) {
    for (const OptionRow& option : kOptions) {
      if ((option.group == Group::common) == common && takes(command, option))
        text += option_help(option);
    }
  }
  return text;
}

std::string program_help() {
  std::string text =
      "Brink checks, predicts and simulates cache and virtual-memory policies.\n\n"
      "  brink check linux-1.3.78 --property recoverable   can the buffer cache get stuck for "
      "good?\n"
      "  brink reproduce 2001 --out out                    the 800 MB barrier: claims, figures, "
      "report.html\n\ncommands:\n";
  for (const CommandRow& command : command_rows()) {
    text += fmt::format("  {:<32} {}\n", fmt::format("{} {}", command.name, command.arguments),
                        command.about);
  }
  return text +
         "\nbrink COMMAND --help shows examples and options; exit codes are in the manual.\n";
}

Request stop(int code, std::string text) {
  Request request;
  request.text = std::move(text);
  request.exit_code = code;
  return request;
}

std::string nearest_help(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? "help: `brink --help` lists the commands\n"
                      : fmt::format("help: did you mean `{}`?\n", near);
}

void add_option(CLI::App& app, const OptionRow& row, Options& options) {
  const std::string names =
      row.letter ? fmt::format("-{},--{}", row.letter, row.name) : fmt::format("--{}", row.name);
  std::visit(
      [&](auto member) {
        using Member = decltype(member);
        if constexpr (std::is_same_v<Member, bool Options::*>) {
          app.add_flag(names, options.*member);
        } else if constexpr (std::is_same_v<Member, std::vector<std::string> Options::*>) {
          app.add_option(names, options.*member)->expected(1)->take_all()->allow_extra_args(false);
        } else {
          app.add_option(names, options.*member);
        }
      },
      row.member);
}

/// CLI11's own words for wrong usage name its internals; these name what the user wrote.
std::string usage_message(const CLI::ParseError& error, const CommandRow& command) {
  std::vector<std::string> known;
  for (const OptionRow& option : kOptions) {
    if (takes(command, option)) known.push_back(fmt::format("--{}", option.name));
  }
  const std::string text = error.what();
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
    const std::string word = text.substr(at, text.find_first_of(" ,:=]", at) - at);
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    const std::string near = nearest_name(word, known);
    return fmt::format("error: brink {} has no option {}\nhelp: {}\n", command.name, word,
                       near.empty()
                           ? fmt::format("`brink {} --help` lists its options", command.name)
                           : fmt::format("did you mean {}?", near));
  }
  return fmt::format("error: {}\nhelp: `brink {} --help` shows how it is used\n", text,
                     command.name);
}

std::string argument_count_problem(const CommandRow& command, const Options& options) {
  const int count = static_cast<int>(options.arguments.size());
  if (count >= command.least_arguments &&
      (command.most_arguments < 0 || count <= command.most_arguments))
    return {};
  return fmt::format("error: brink {} takes {}, but {} given\nhelp: usage is brink {} {}\n",
                     command.name, command.arguments.empty() ? "no arguments" : command.arguments,
                     count == 1 ? "1 was" : fmt::format("{} were", count), command.name,
                     command.arguments);
}

std::string value_problem(const Options& options) {
  if (options.threads < 1 || options.threads > 64) return "--threads must lie in [1, 64]";
  if (options.runs < 1 || options.runs > 100000) return "--runs must lie in [1, 100000]";
  if (options.seed < 0) return "--seed must not be negative";
  if (options.state_limit < 0) return "--state-limit must not be negative";
  if (options.depth < 0 || options.depth > 1000000) return "--depth must lie in [0, 1000000]";
  if (options.color != "auto" && options.color != "always" && options.color != "never") {
    return "--color is auto, always or never";
  }
  return {};
}

/// Reads a time with its unit (seconds without one); nothing is left as it is.
std::string read_time(std::string_view option, const std::string& text, double& seconds) {
  if (text.empty()) return {};
  const auto time = parse_quantity(text);
  const bool good =
      time && (time->dimension == Dimension::nanoseconds || time->dimension == Dimension::number);
  if (!good) return fmt::format("{}: {}", option, time ? "not a time" : time.error());
  seconds = time->dimension == Dimension::number ? time->value : time->value / 1'000'000'000;
  return seconds > 0 ? std::string() : fmt::format("{} must be positive", option);
}

/// Reads the limits, which have units.
std::string read_limits(Options& options) {
  if (auto problem = read_time("--time-limit", options.time_limit, options.time_limit_s);
      !problem.empty())
    return problem;
  if (auto problem =
          read_time("--checkpoint-every", options.checkpoint_every, options.checkpoint_every_s);
      !problem.empty())
    return problem;
  if (!options.memory_limit.empty()) {
    const auto size = parse_quantity(options.memory_limit, Dimension::bytes);
    if (!size) return fmt::format("--memory-limit: {}", size.error());
    if (!(*size > 0)) return "--memory-limit must be positive";
    options.memory_limit_bytes = static_cast<std::uint64_t>(std::min(*size, 1e18));
  }
  return {};
}

}  // namespace

std::span<const OptionRow> option_rows() { return kOptions; }

Request read_arguments(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return stop(kUsage, program_help());
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") return stop(kDone, program_help());
  if (first == "--version") return stop(kDone, fmt::format("brink {}\n", BRINK_VERSION));
  const CommandRow* command = find_command_row(first);
  if (!command) {
    std::vector<std::string> known;
    for (const CommandRow& row : command_rows()) known.emplace_back(row.name);
    return stop(kUsage,
                fmt::format("error: no command `{}`\n{}", first, nearest_help(first, known)));
  }
  Request request;
  CLI::App app;
  app.set_help_flag();
  bool help = false;
  app.add_flag("-h,--help", help);
  for (const OptionRow& option : kOptions) {
    if (takes(*command, option)) add_option(app, option, request.options);
  }
  app.add_option("arguments", request.options.arguments);
  std::vector<std::string> rest(arguments.rbegin(), arguments.rend() - 1);
  try {
    app.parse(rest);
  } catch (const CLI::ParseError& error) {
    return stop(kUsage, usage_message(error, *command));
  }
  if (help) return stop(kDone, command_help(*command));
  if (const std::string problem = argument_count_problem(*command, request.options);
      !problem.empty()) {
    return stop(kUsage, problem);
  }
  std::string problem = value_problem(request.options);
  if (problem.empty()) problem = read_limits(request.options);
  if (!problem.empty()) return stop(kUsage, fmt::format("error: {}\n", problem));
  request.command = command;
  return request;
}

}  // namespace brink::cli

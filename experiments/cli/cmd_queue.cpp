// queue: solves a queueing network, or a curve of it over one setting.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analytic/queueing/bounds.h"
#include "analytic/queueing/solve.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/scenario_command.h"
#include "experiments/data/files.h"
#include "experiments/queueing/read_network.h"

namespace brink::cli {
namespace {

using queueing::Solution;

/// A time for people: 1.234 ms.
std::string time_text(double seconds) {
  const double size = std::abs(seconds);
  if (size == 0 || !std::isfinite(seconds)) return number_text(seconds) + " s";
  if (size < 1e-6) return fmt::format("{:.4g} ns", seconds * 1e9);
  if (size < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  if (size < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

int failed(const NetworkFile& file, const queueing::Failure& failure, Output& output) {
  if (failure.kind == queueing::Failure::Kind::limit)
    return output.error(kUndecided, interrupted() ? why_interrupted() : failure.message);
  return output.report(network_failure(file, failure));
}

int print_formula(const FormulaRequest& request, const NetworkFile& file, Output& output) {
  const auto results = request.formula->compute(request.inputs);
  if (!results) {
    const bool unstable = results.error().starts_with("unstable");
    return output.report(
        scenario_error(unstable ? "E0932" : "E0933", results.error(), file.source, request.span));
  }
  nlohmann::ordered_json object = {{"type", "formula"}, {"kind", request.formula->name}};
  output.say(fmt::format("{}: {} ({})\n\n", request.formula->name, request.formula->about,
                         request.formula->source));
  for (const auto& [name, value] : *results) {
    const bool time = name.ends_with("_s");
    output.say(fmt::format("  {:<12} {}\n", time ? name.substr(0, name.size() - 2) : name,
                           time ? time_text(value) : fmt::format("{:.6g}", value)));
    object[name] = json_number(value);
  }
  output.object(object);
  return kDone;
}

Table table_of(const NetworkFile& file, const Solution& solution) {
  Table table{{"class", "station", "throughput_per_s", "utilisation", "queue", "response_s"}, {}};
  for (std::size_t c = 0; c < solution.classes.size(); ++c)
    for (std::size_t k = 0; k < file.network.stations.size(); ++k) {
      const queueing::Measures& at = solution.classes[c].at[k];
      table.rows.push_back({file.network.classes[c].name, file.network.stations[k].name,
                            at.throughput, at.utilisation, at.queue, at.response_s});
    }
  return table;
}

int write_table(const Table& table, const Options& options, Output& output) {
  if (options.out.empty()) return kDone;
  const std::string path = options.out + "/queue.csv";
  const auto written = write_whole(path, to_csv(table));
  if (!written) return output.error(kEnvironment, written.error());
  output.note("wrote " + path);
  return kDone;
}

void print_objects(const NetworkFile& file, const Solution& solution, Output& output) {
  output.object({{"type", "solution"},
                 {"method", solution.method},
                 {"exact", solution.exact},
                 {"notes", solution.notes}});
  for (std::size_t c = 0; c < solution.classes.size(); ++c) {
    const queueing::ClassResult& of_class = solution.classes[c];
    output.object({{"type", "class"},
                   {"class", file.network.classes[c].name},
                   {"throughput", json_number(of_class.throughput)},
                   {"response_s", json_number(of_class.response_s)}});
    for (std::size_t k = 0; k < of_class.at.size(); ++k) {
      const queueing::Measures& at = of_class.at[k];
      output.object({{"type", "station"},
                     {"class", file.network.classes[c].name},
                     {"station", file.network.stations[k].name},
                     {"throughput", json_number(at.throughput)},
                     {"utilisation", json_number(at.utilisation)},
                     {"queue", json_number(at.queue)},
                     {"response_s", json_number(at.response_s)},
                     {"blocked", json_number(at.blocked)}});
    }
  }
}

void print_solution(const NetworkFile& file, const Solution& solution, Output& output) {
  if (!file.title.empty()) output.say(file.title + "\n");
  output.say(fmt::format("  {}{}\n\n", solution.method, solution.exact ? "" : ", not exact"));
  output.say(fmt::format("{:<12} {:<12} {:>12} {:>11} {:>11} {:>12}\n", "class", "station",
                         "visits/s", "busy", "queue", "response"));
  for (std::size_t c = 0; c < solution.classes.size(); ++c) {
    const queueing::ClassResult& of_class = solution.classes[c];
    const std::string& name = file.network.classes[c].name;
    for (std::size_t k = 0; k < of_class.at.size(); ++k) {
      const queueing::Measures& at = of_class.at[k];
      if (!(file.network.classes[c].visits[k] > 0)) continue;
      const bool delay = file.network.stations[k].kind == queueing::StationKind::delay;
      output.say(fmt::format("{:<12} {:<12} {:>12.6g} {:>11} {:>11.6g} {:>12}{}\n", name,
                             file.network.stations[k].name, at.throughput,
                             delay ? "-" : fmt::format("{:.2f} %", 100 * at.utilisation), at.queue,
                             time_text(at.response_s),
                             at.blocked > 0 ? fmt::format("  blocked {:.2f}", at.blocked) : ""));
    }
    output.say(fmt::format("{:<12} {:<12} {:>12.6g} {:>11} {:>11} {:>12}\n", name, "(all)",
                           of_class.throughput, "", "", time_text(of_class.response_s)));
  }
  for (const std::string& note : solution.notes) output.say("  " + note + "\n");
}

void print_bottleneck(const NetworkFile& file, const Solution& solution, Output& output) {
  const auto loads = queueing::loads(file.network, solution);
  if (loads.empty()) return;
  const auto& first = loads.front();
  const std::string& name = file.network.stations[static_cast<std::size_t>(first.station)].name;
  output.say(fmt::format("\nbottleneck   {}: {:.2f} % busy, {:.4g} customers there", name,
                         100 * first.utilisation, first.queue));
  nlohmann::ordered_json object = {{"type", "bottleneck"},
                                   {"station", name},
                                   {"utilisation", json_number(first.utilisation)},
                                   {"queue", json_number(first.queue)}};
  if (loads.size() > 1) {
    const auto& next = loads[1];
    const std::string& other = file.network.stations[static_cast<std::size_t>(next.station)].name;
    output.say(fmt::format("; next {} ({:.2f} %)", other, 100 * next.utilisation));
    object["next"] = other;
  }
  output.say("\n");
  output.object(object);
}

void print_bounds(const NetworkFile& file, Output& output) {
  const auto bounds = queueing::bounds_of(file.network);
  if (bounds.empty()) return;
  for (const queueing::Bounds& row : bounds) {
    output.say(fmt::format("bound        {:<13} {:.6g} <= throughput <= {:.6g}\n", row.name,
                           row.throughput.low, row.throughput.high));
    output.object({{"type", "bound"},
                   {"name", row.name},
                   {"throughput", {row.throughput.low, row.throughput.high}},
                   {"response_s", {row.response_s.low, row.response_s.high}}});
  }
  std::vector<double> demands;
  double think = file.network.classes[0].think_s;
  for (std::size_t k = 0; k < file.network.stations.size(); ++k) {
    const double demand = file.network.classes[0].demand_s(k);
    if (file.network.stations[k].kind == queueing::StationKind::delay)
      think += demand;
    else
      demands.push_back(demand);
  }
  const double at = queueing::knee(demands, think);
  output.say(fmt::format("knee         {:.4g} customers: more wait for each other\n", at));
  output.object({{"type", "knee"}, {"population", at}});
}

int run_curve(const NetworkText& text, const Settings& settings, const Options& options,
              Output& output) {
  Table table{{settings.sweep->path, "class", "throughput_per_s", "response_s", "bottleneck"}, {}};
  output.say(fmt::format("{:>20} {:<12} {:>12} {:>12}  {}\n", settings.sweep->path, "class",
                         "throughput", "response", "bottleneck"));
  for (const std::string& value : settings.sweep->values) {
    if (interrupted()) {
      output.note(why_interrupted() + ": the curve ends here");
      return kUndecided;
    }
    auto overrides = settings.overrides;
    overrides.push_back({settings.sweep->path, value});
    const auto file = interpret_network(text, overrides);
    if (!file) return output.report(file.error());
    if (file->formula) return output.error(kUsage, "a curve is of a network, not of a [formula]");
    const auto solved = queueing::solve(file->network, file->method, &interrupted());
    if (!solved) {
      output.note(fmt::format("at {} = {}:", settings.sweep->path, value));
      return failed(*file, solved.error(), output);
    }
    const auto loads = queueing::loads(file->network, *solved);
    const std::string busiest =
        loads.empty() ? "-"
                      : file->network.stations[static_cast<std::size_t>(loads[0].station)].name;
    for (std::size_t c = 0; c < solved->classes.size(); ++c) {
      const auto& of_class = solved->classes[c];
      const std::string& name = file->network.classes[c].name;
      output.say(fmt::format("{:>20} {:<12} {:>12.6g} {:>12}  {}\n", value, name,
                             of_class.throughput, time_text(of_class.response_s), busiest));
      output.object({{"type", "point"},
                     {"setting", settings.sweep->path},
                     {"value", value},
                     {"class", name},
                     {"throughput", json_number(of_class.throughput)},
                     {"response_s", json_number(of_class.response_s)},
                     {"exact", solved->exact},
                     {"bottleneck", busiest}});
      table.rows.push_back({value, name, of_class.throughput, of_class.response_s, busiest});
    }
  }
  return write_table(table, options, output);
}

}  // namespace

int run_queue(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "queue"}});
  const auto settings = read_settings(options);
  if (!settings) return output.error(kUsage, settings.error());
  const auto text = read_network_text(options.arguments[0]);
  if (!text) return output.report(text.error());
  if (settings->sweep) return run_curve(*text, *settings, options, output);
  const auto file = interpret_network(*text, settings->overrides);
  if (!file) return output.report(file.error());
  if (file->formula) return print_formula(*file->formula, *file, output);
  const auto solved = queueing::solve(file->network, file->method, &interrupted());
  if (!solved) return failed(*file, solved.error(), output);
  print_objects(*file, *solved, output);
  print_solution(*file, *solved, output);
  print_bottleneck(*file, *solved, output);
  if (file->method != "after-service" && file->method != "repetitive-service")
    print_bounds(*file, output);
  return write_table(table_of(*file, *solved), options, output);
}

}  // namespace brink::cli

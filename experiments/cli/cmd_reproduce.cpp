// reproduce: reports end to end. Every file is written as soon as its report is done, so that an
// interrupt keeps what is finished; the output folder is tried before the first second of work.

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/scenario_command.h"
#include "experiments/data/files.h"
#include "experiments/data/resolve.h"
#include "experiments/figures/report.h"
#include "experiments/scenario/checking.h"
#include "solver/trace/trace_json.h"

namespace brink::cli {
namespace {

/// What gnuplot draws, made in a folder of its own so that no half-written PDF is ever seen: empty
/// when gnuplot fails, an error when its file is not whole (it does not notice a full disk).
Result<std::string, std::string> draw_pdf(const Figure& figure) {
  std::error_code ignored;
  std::string folder = (std::filesystem::temp_directory_path(ignored) / "brink-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr || folder.find('\'') != std::string::npos) {
    return fail(fmt::format("cannot make folder {}: {}", folder, std::strerror(errno)));
  }
  std::string text;
  auto written = write_whole(folder + "/figure.gp", to_gnuplot(figure));
  const std::string command = fmt::format("cd '{}' && gnuplot figure.gp >/dev/null 2>&1", folder);
  if (written && std::system(command.c_str()) == 0) {
    std::ifstream pdf(folder + "/" + figure.name + ".pdf", std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(pdf), {});
    if (text.find("%%EOF", text.size() - std::min<std::size_t>(text.size(), 16)) ==
        std::string::npos) {
      written = fail(fmt::format("cannot write {}.pdf: gnuplot's file is not whole", figure.name));
    }
  }
  std::filesystem::remove_all(folder, ignored);
  if (!written) return fail(written.error());
  return text;
}

Result<void, std::string> write_figure(const Figure& figure, const std::string& folder,
                                       bool gnuplot) {
  const std::string stem = folder + "/" + figure.name;
  const std::pair<std::string, std::string> files[] = {
      {".svg", to_svg(figure)},
      {".csv", to_csv(figure)},
      {".gp", to_gnuplot(figure)},
      {".txt", figure.title + "\n" + figure.caption + "\n"}};
  for (const auto& [extension, text] : files) {
    if (auto written = write_whole(stem + extension, text); !written) return written;
  }
  if (!gnuplot) return {};
  auto pdf = draw_pdf(figure);
  if (!pdf) return fail(pdf.error());
  if (pdf->empty()) return {};
  return write_whole(stem + ".pdf", without_creation_date(std::move(*pdf)));
}

Result<void, std::string> write_evaluation(const Evaluation& evaluation,
                                           const std::vector<Figure>& figures,
                                           const std::string& folder, bool gnuplot) {
  for (const Figure& figure : figures) {
    if (auto written = write_figure(figure, folder, gnuplot); !written) return written;
  }
  for (const auto& [name, variant] : evaluation.variants) {
    const std::string prefix = folder + "/" + (name.empty() ? "" : name + "-");
    for (const auto& [table, rows] : variant.simulated) {
      if (auto written = write_whole(prefix + "simulated-" + table + ".csv", to_csv(rows));
          !written)
        return written;
    }
    for (const auto& [table, rows] : variant.predicted) {
      if (auto written = write_whole(prefix + "predicted-" + table + ".csv", to_csv(rows));
          !written)
        return written;
    }
    if (auto written = write_whole(prefix + "run.txt", variant.run_text); !written) return written;
  }
  for (const RowsResult& rows : evaluation.rows) {
    const std::string path = folder + "/rows-" + rows.sweep.name + ".csv";
    if (auto written = write_whole(path, to_csv(rows.table)); !written) return written;
  }
  for (const CheckOutcome& check : evaluation.checks) {
    if (!check.result.trace) continue;
    const std::string text = solver::trace_to_json(*check.result.trace, *check.model);
    if (auto written = write_whole(folder + "/" + check.check.name + ".trace.json", text); !written)
      return written;
  }
  return write_whole(folder + "/claims.csv", to_csv(claims_table({&evaluation})));
}

void print_objects(const Evaluation& evaluation, Output& output) {
  const auto number = [](const std::optional<double>& value) {
    return value ? json_number(*value) : nlohmann::ordered_json();
  };
  for (const ClaimResult& claim : evaluation.claims) {
    output.object({{"type", "claim"},
                   {"report", evaluation.scenario.name},
                   {"claim", claim.claim},
                   {"verdict", claim.verdict},
                   {"predicted", number(claim.predicted)},
                   {"simulated", number(claim.simulated)},
                   {"observed", number(claim.observed)},
                   {"expected", claim.expected},
                   {"within", claim.within}});
  }
}

struct Finished {
  std::vector<std::unique_ptr<Evaluation>> evaluations;
  std::vector<ReportPart> parts;
};

int reproduce_one(const std::string& name, const Options& options, const Settings& settings,
                  const std::string& out, bool gnuplot, Finished& finished, Output& output) {
  int code = kDone;
  const auto file = open_scenario(name, output, code);
  if (!file) return code;
  EvaluateOptions evaluate;
  evaluate.seed = static_cast<std::uint64_t>(options.seed);
  evaluate.threads = static_cast<unsigned>(options.threads);
  evaluate.overrides = settings.overrides;
  evaluate.stop = &interrupted();
  auto evaluation = evaluate_scenario(
      *file, evaluate, [&](const std::string& what) { output.progress(name + ": " + what); });
  if (!evaluation && evaluation.error().empty()) {
    output.note(fmt::format("{}: nothing is written for {}", why_interrupted(), name));
    return kUndecided;
  }
  if (!evaluation) return output.report(evaluation.error());
  auto figures = figures_of(*evaluation);
  if (!figures) return output.report(figures.error());
  finished.evaluations.push_back(std::make_unique<Evaluation>(std::move(*evaluation)));
  const Evaluation& kept = *finished.evaluations.back();
  if (const auto written =
          write_evaluation(kept, *figures, out + "/" + kept.scenario.name, gnuplot);
      !written) {
    finished.evaluations.pop_back();  // the report is not told of what could not be written
    return output.error(kEnvironment, written.error());
  }
  finished.parts.push_back({&kept, std::move(*figures)});
  print_objects(kept, output);
  for (const CheckOutcome& check : kept.checks) {
    if (check.result.verdict == solver::Verdict::disagreement) code = worse(code, kDisagreement);
  }
  if (!kept.all_within) code = worse(code, kViolated);
  if (!kept.all_decided) code = worse(code, kUndecided);
  return code;
}

}  // namespace

int run_reproduce(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "reproduce"}});
  const std::vector<std::string> names = options.arguments.empty() ? reports() : options.arguments;
  const auto settings = read_settings(options);
  if (!settings) return output.error(kUsage, settings.error());
  if (settings->sweep) return output.error(kUsage, "a range in --set needs `brink predict`");
  for (const std::string& name : names) {
    if (const auto path = find_scenario(name); !path) return output.error(kInput, path.error());
  }
  const std::string out = options.out.empty() ? "out" : options.out;
  if (const auto writable = check_writable(out); !writable)
    return output.error(kEnvironment, writable.error());
  const bool gnuplot = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
  if (!gnuplot) output.note("gnuplot is not installed: no PDF figures (SVG and CSV are written)");
  int code = kDone;
  Finished finished;
  for (const std::string& name : names) {
    if (interrupted()) code = worse(code, kUndecided);
    if (interrupted()) break;
    code = worse(code, reproduce_one(name, options, *settings, out, gnuplot, finished, output));
  }
  std::vector<const Evaluation*> evaluations;
  for (const auto& evaluation : finished.evaluations) evaluations.push_back(evaluation.get());
  if (evaluations.empty()) return code;
  const std::pair<std::string, std::string> files[] = {
      {"/report.html", to_html(finished.parts, BRINK_VERSION)},
      {"/claims.csv", to_csv(claims_table(evaluations))}};
  for (const auto& [name, text] : files) {
    if (const auto written = write_whole(out + name, text); !written)
      return output.error(kEnvironment, written.error());
  }
  output.say(claims_text(evaluations));
  output.say(fmt::format(
      "\nwrote {0}/report.html, {0}/claims.csv, and figures, data and traces below {0}/\n", out));
  return code;
}

}  // namespace brink::cli

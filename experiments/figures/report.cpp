#include "experiments/figures/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/scenario/checking.h"
#include "models/base/text.h"

namespace brink {
namespace {

constexpr std::string_view kStyle = R"(
body{font:15px/1.5 system-ui,Helvetica,Arial,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.6rem} h2{font-size:1.25rem;border-bottom:1px solid #ccc;margin-top:2.5rem}
table{border-collapse:collapse;margin:.8rem 0;font-size:.92em;width:100%}
th,td{border-bottom:1px solid #e2e2e2;padding:.25rem .5rem;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}
pre{background:#f6f6f4;padding:.7rem;overflow-x:auto;font-size:.85em}
.yes{color:#00704f;font-weight:600}.no{color:#b03000;font-weight:600}
figure{margin:1rem 0} figcaption{color:#555;font-size:.9em} svg{max-width:100%;height:auto}
)";

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string short_number(const std::optional<double>& value) {
  if (!value) return "-";
  return std::isinf(*value) ? "never" : fmt::format("{:.4g}", *value);
}

std::string claims_html(const Evaluation& evaluation) {
  std::string text =
      "<table><tr><th>claim</th><th>verdict</th><th>predicted</th><th>simulated</th><th>observed</"
      "th>"
      "<th>expected</th><th>within?</th></tr>\n";
  for (const ClaimResult& claim : evaluation.claims) {
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=n>{}</td><td class=n>{}</td><td "
        "class=n>{}</td><td>{}</td>"
        "<td class=\"{}\">{}</td></tr>\n",
        escape(claim.claim), claim.verdict, short_number(claim.predicted),
        short_number(claim.simulated), short_number(claim.observed), escape(claim.expected),
        claim.within ? "yes" : "no", claim.within ? "yes" : "no");
  }
  return text + "</table>\n";
}

std::string checks_html(const Evaluation& evaluation) {
  std::string text;
  for (const CheckOutcome& check : evaluation.checks) {
    std::string constants;
    for (const auto& [name, value] : check.check.constants)
      constants +=
          fmt::format("{}{} = {}", constants.empty() ? "; with " : ", ", name, to_string(value));
    text += fmt::format("<h3>{}: property {}: {}</h3>\n<p>{}</p>\n<p>{}, engine {}{}{}</p>\n",
                        escape(check.check.name), escape(check.check.property.text),
                        verdict_word(check.result.verdict), escape(check.check.about),
                        counted(check.result.states, "state"), escape(check.result.engine),
                        escape(constants), check.result.assumptions.empty() ? "" : "; assumes:");
    if (!check.result.assumptions.empty()) text += "<ul>";
    for (const std::string& assumption : check.result.assumptions)
      text += fmt::format("<li>{}</li>", escape(assumption));
    if (!check.result.assumptions.empty()) text += "</ul>\n";
    if (!check.trace_table.empty())
      text += fmt::format("<pre>{}</pre>\n", escape(check.trace_table));
  }
  return text;
}

std::string passages_html(const Evaluation& evaluation) {
  if (evaluation.passages.empty()) return {};
  std::string text =
      "<h3>Expected times (the model read as a Markov "
      "chain)</h3>\n<table><tr><th>passage</th><th>expected time</th>"
      "<th>error bound</th><th>states</th><th>method</th></tr>\n";
  for (const PassageResult& passage : evaluation.passages) {
    text += fmt::format(
        "<tr><td>{}</td><td class=n>{}</td><td class=n>{:.1g} s</td><td "
        "class=n>{}</td><td>{}</td></tr>\n",
        escape(passage.name),
        passage.converged ? fmt::format("{:.6g} s", passage.seconds) : "UNDECIDED",
        passage.error_bound, passage.states, escape(passage.method));
  }
  return text + "</table>\n";
}

std::string basis_html(const Scenario& scenario) {
  std::string text =
      "<h3>Where the numbers come "
      "from</h3>\n<table><tr><th>parameter</th><th>is</th><th>from</th></tr>\n";
  for (const Basis& basis : scenario.basis) {
    text += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
                        escape(basis.parameter), escape(basis.kind), escape(basis.note));
  }
  return text + "</table>\n";
}

std::string part_html(const ReportPart& part) {
  const Evaluation& evaluation = *part.evaluation;
  const Scenario& scenario = evaluation.scenario;
  std::string text =
      fmt::format("<h2 id=\"{0}\">{1}</h2>\n<p>{2}. Redo: <code>brink reproduce {0}</code></p>\n",
                  escape(scenario.name), escape(scenario.title), escape(scenario.origin));
  text += claims_html(evaluation);
  for (const Figure& figure : part.figures) {
    text +=
        fmt::format("<figure>{}<figcaption>{} Data: <code>{}.csv</code></figcaption></figure>\n",
                    to_svg(figure), escape(figure.caption), escape(figure.name));
  }
  text += checks_html(evaluation) + passages_html(evaluation);
  text += fmt::format("<h3>A run of the machine of pages</h3>\n<pre>{}</pre>\n",
                      escape(evaluation.variants.at("").run_text));
  return text + basis_html(scenario);
}

}  // namespace

Table claims_table(const std::vector<const Evaluation*>& evaluations) {
  Table table{
      {"report", "claim", "verdict", "predicted", "simulated", "observed", "expected", "within"},
      {}};
  const auto cell = [](const std::optional<double>& value) {
    return value ? Cell(*value) : Cell(std::string());
  };
  for (const Evaluation* evaluation : evaluations) {
    for (const ClaimResult& claim : evaluation->claims) {
      table.rows.push_back({evaluation->scenario.name, claim.claim, claim.verdict,
                            cell(claim.predicted), cell(claim.simulated), cell(claim.observed),
                            claim.expected, std::string(claim.within ? "yes" : "no")});
    }
  }
  return table;
}

namespace {
/// A report of a year goes by that year.
std::string short_name(const std::string& name) {
  const std::string head = name.substr(0, name.find('-'));
  return head.size() == 4 && head.find_first_not_of("0123456789") == std::string::npos ? head
                                                                                       : name;
}
}  // namespace

std::string claims_text(const std::vector<const Evaluation*>& evaluations) {
  std::size_t width = 5, names = 6;
  for (const Evaluation* evaluation : evaluations) {
    names = std::max(names, short_name(evaluation->scenario.name).size());
    for (const ClaimResult& claim : evaluation->claims) width = std::max(width, claim.claim.size());
  }
  std::string text =
      fmt::format("{:<{}} {:<{}} {:<9} {:>9} {:>9} {:>9}   {:<34} {}\n", "report", names, "claim",
                  width, "verdict", "predicted", "simulated", "observed", "expected", "within?");
  for (const Evaluation* evaluation : evaluations) {
    for (const ClaimResult& claim : evaluation->claims) {
      text +=
          fmt::format("{:<{}} {:<{}} {:<9} {:>9} {:>9} {:>9}   {:<34} {}\n",
                      short_name(evaluation->scenario.name), names, claim.claim, width,
                      claim.verdict.empty() ? "-" : claim.verdict, short_number(claim.predicted),
                      short_number(claim.simulated), short_number(claim.observed), claim.expected,
                      claim.within ? "yes" : "NO");
    }
  }
  return text;
}

std::string to_html(const std::vector<ReportPart>& parts, const std::string& version) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Brink "
      "report</title><style>{}"
      "</style></head><body>\n<h1>Brink report</h1>\n<p>Made by brink {}. Every number below was "
      "computed by "
      "the command shown beside it; formulas are hand-derived from the kernels' rules.</p>\n<ul>\n",
      kStyle, version);
  for (const ReportPart& part : parts) {
    const Evaluation& evaluation = *part.evaluation;
    const auto good = std::count_if(evaluation.claims.begin(), evaluation.claims.end(),
                                    [](const ClaimResult& c) { return c.within; });
    text += fmt::format("<li><a href=\"#{}\">{}</a>: {} of {} claims within</li>\n",
                        escape(evaluation.scenario.name), escape(evaluation.scenario.title), good,
                        evaluation.claims.size());
  }
  text += "</ul>\n";
  for (const ReportPart& part : parts) text += part_html(part);
  return text + "</body></html>\n";
}

}  // namespace brink

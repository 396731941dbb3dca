#include "experiments/scenario/read_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "experiments/scenario/expression.h"

namespace brink {
namespace {

struct ReducerRow {
  std::string_view key;
  Reducer reducer;
};

constexpr std::array kReducers = {
    ReducerRow{"mean", Reducer::mean},   ReducerRow{"min", Reducer::min},
    ReducerRow{"max", Reducer::max},     ReducerRow{"first", Reducer::first},
    ReducerRow{"last", Reducer::last},   ReducerRow{"sum", Reducer::sum},
    ReducerRow{"count", Reducer::count}, ReducerRow{"crossing", Reducer::crossing},
    ReducerRow{"value", Reducer::value},
};

template <typename Row>
std::vector<std::string> names_of(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string text_or(Section& section, const std::string& key, std::string otherwise = {}) {
  return section.text(key).value_or(std::move(otherwise));
}

void read_metric(Section section, const std::string& name, Scenario& scenario) {
  Metric metric;
  metric.name = name;
  if (!is_name(name)) {
    section.error("E0910",
                  fmt::format("`{}` cannot name a metric: expressions could not use it", name),
                  section.span(), "names are letters, digits and _, and no words of the language");
  }
  int reducers = 0;
  for (const ReducerRow& row : kReducers) {
    if (const auto column = section.text(std::string(row.key))) {
      metric.reducer = row.reducer;
      metric.column = {*column, section.span_of(std::string(row.key))};
      ++reducers;
    }
  }
  if (reducers != 1) {
    section.error(
        "E0910",
        fmt::format("metric `{}` needs exactly one of mean, min, max, first, last, sum, count, "
                    "crossing, value",
                    name),
        section.span());
  }
  metric.table = text_or(section, "table");
  metric.where = read_words(section.table("where"));
  metric.x = text_or(section, "x", "position_mb");
  metric.below = section.number("below", metric.reducer == Reducer::crossing);
  for (const auto& [text, span] : section.list("between")) metric.between.push_back({text, span});
  if (!metric.between.empty() && metric.between.size() != 2) {
    section.error("E0910", "`between` takes two expressions", section.span_of("between"));
  }
  if (const auto rows = section.number("final"))
    metric.final_rows = static_cast<std::size_t>(std::clamp(*rows, 1.0, 1e9));
  if (metric.reducer != Reducer::value && metric.table.empty()) {
    section.error("E0910", fmt::format("metric `{}` does not say which table it reads", name),
                  section.span(), "add table = \"timed\", \"lines\" or \"tasks\"");
  }
  section.finish();
  scenario.metrics.push_back(std::move(metric));
}

/// within = [low, high]; is it there?
bool read_bounds(Section& section, Claim& claim) {
  const auto within = section.list("within");
  if (within.empty()) return false;
  const Span span = section.span_of("within");
  if (within.size() != 2) {
    section.error("E0910", "`within` takes two numbers", span);
    return true;
  }
  double bounds[2] = {};
  for (int i = 0; i < 2; ++i) {
    const std::string& text = within[static_cast<std::size_t>(i)].first;
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, bounds[i]);
    if (error != std::errc{} || parsed != end || std::isnan(bounds[i])) {
      section.error("E0906", fmt::format("`within` takes two numbers, not `{}`", text), span);
    }
  }
  if (bounds[0] > bounds[1]) section.error("E0910", "`within` is empty: low > high", span);
  claim.low = bounds[0];
  claim.high = bounds[1];
  return true;
}

void require_source(Section& section, const std::string& key, const std::string& source) {
  static const std::vector<std::string> kSources = {"predicted", "simulated", "observed"};
  if (contains(kSources, source)) return;
  section.error("E0909",
                fmt::format("`{}` is predicted, simulated or observed, not `{}`", key, source),
                section.span_of(key), did_you_mean(source, kSources));
}

std::vector<std::string> list_or(Section& section, const std::string& key,
                                 std::vector<std::string> otherwise) {
  std::vector<std::string> result;
  for (const auto& [text, span] : section.list(key)) result.push_back(text);
  return result.empty() ? otherwise : result;
}

}  // namespace

std::map<std::string, Placed> read_placed(Section section) {
  std::map<std::string, Placed> result;
  for (const auto& [key, value] : section.members()) {
    if (value->scalar()) {
      result[key] = {value->text, value->span};
    } else {
      section.error("E0906", fmt::format("`{}` must be one value", key), value->span);
    }
  }
  return result;
}

Where read_words(Section section) {
  Where result;
  for (const auto& [key, placed] : read_placed(std::move(section))) result[key] = placed.text;
  return result;
}

ConstantValues read_constants(Section section) {
  ConstantValues result;
  for (const auto& [key, value] : section.members()) {
    const auto constant = value->scalar() ? parse_constant_value(value->text) : std::nullopt;
    if (constant) {
      result[key] = *constant;
    } else {
      section.error("E0906", fmt::format("`{}` is not a value of a constant", key), value->span);
    }
  }
  return result;
}

void read_metrics(Section section, Scenario& scenario) {
  for (const auto& [key, value] : section.members()) {
    Section one = section.table(key);
    if (one.present()) read_metric(std::move(one), key, scenario);
  }
}

void read_prediction(Section section, Scenario& scenario) {
  if (!section.present()) return;
  Prediction prediction;
  if (const auto formula = section.text("formula", true)) {
    prediction.formula = {*formula, section.span_of("formula")};
  }
  prediction.inputs = read_placed(section.table("inputs"));
  for (Section& row : section.tables("row")) {
    Prediction::Row read;
    read.inputs = read_placed(row.table("inputs"));
    read.words = read_words(row.table("words"));
    row.finish();
    prediction.rows.push_back(std::move(read));
  }
  section.finish();
  scenario.prediction = std::move(prediction);
}

void read_check(Section& section, Scenario& scenario) {
  Check check;
  check.name = section.text("name", true).value_or("");
  if (const auto property = section.text("property", true)) {
    check.property = {*property, section.span_of("property")};
  }
  check.constants = read_constants(section.table("constants"));
  check.expect = section.text("expect", true).value_or("");
  check.about = text_or(section, "about");
  if (check.expect != "HOLDS" && check.expect != "VIOLATED") {
    section.error("E0906", "`expect` is \"HOLDS\" or \"VIOLATED\"", section.span_of("expect"));
  }
  section.finish();
  scenario.checks.push_back(std::move(check));
}

void read_passage(Section& section, Scenario& scenario) {
  Passage passage;
  passage.name = section.text("name", true).value_or("");
  if (const auto target = section.text("target", true))
    passage.target = {*target, section.span_of("target")};
  if (const auto from = section.text("from")) passage.from = {*from, section.span_of("from")};
  passage.constants = read_constants(section.table("constants"));
  passage.names = read_placed(section.table("names"));
  passage.rates = read_placed(section.table("rates"));
  passage.estimated = section.flag("estimated");
  section.finish();
  scenario.passages.push_back(std::move(passage));
}

void read_variant(Section& section, Scenario& scenario) {
  scenario.variants.push_back(section.text("name", true).value_or(""));
  section.text("about");
  section.table("set", true);
  section.finish();
}

void read_curve(Section& section, Scenario& scenario) {
  Curve curve;
  curve.name = section.text("name", true).value_or("");
  curve.setting = section.text("setting", true).value_or("");
  for (const auto& [text, span] : section.list("values")) curve.values.push_back(text);
  if (curve.values.size() < 2) {
    section.error("E0910", "a curve needs at least two values", section.span_of("values"));
  }
  curve.input = text_or(section, "input");
  curve.metric = section.text("metric", true).value_or("");
  curve.variant = text_or(section, "variant");
  section.finish();
  scenario.curves.push_back(std::move(curve));
}

void read_rows(Section& section, Scenario& scenario) {
  RowSweep sweep;
  sweep.name = section.text("name", true).value_or("");
  if (const auto file = section.text("file", true)) sweep.file = {*file, section.span_of("file")};
  sweep.where = read_words(section.table("where"));
  if (const auto only = section.text("only")) sweep.only = {*only, section.span_of("only")};
  if (const auto observed = section.text("observed", true))
    sweep.observed = {*observed, section.span_of("observed")};
  sweep.metric = section.text("metric", true).value_or("");
  sweep.variant = text_or(section, "variant");
  for (const auto& [path, placed] : read_placed(section.table("set", true))) {
    sweep.set.emplace_back(path, placed);
  }
  section.finish();
  scenario.rows.push_back(std::move(sweep));
}

void read_claim(Section& section, Scenario& scenario) {
  Claim claim;
  claim.name = section.text("name", true).value_or("");
  claim.check = text_or(section, "check");
  claim.metric = text_or(section, "metric");
  claim.curve = text_or(section, "curve");
  claim.rows = text_or(section, "rows");
  claim.variant = text_or(section, "variant");
  claim.over = text_or(section, "over");
  claim.of = list_or(section, "of", {"simulated"});
  for (const std::string& source : claim.of) require_source(section, "of", source);
  const bool bounded = read_bounds(section, claim);
  claim.against = text_or(section, "against");
  const auto factor = section.number("factor", !claim.against.empty());
  claim.factor = factor.value_or(0);
  if (!claim.against.empty()) require_source(section, "against", claim.against);
  if (factor && !(*factor >= 1)) {
    section.error("E0910", "`factor` must be at least 1", section.span_of("factor"));
  }
  if (claim.check.empty() && claim.metric.empty()) {
    section.error("E0910", fmt::format("claim `{}` is about nothing", claim.name), section.span(),
                  "name a `check` or a `metric`");
  }
  if (claim.check.empty() && !bounded && claim.against.empty()) {
    section.error("E0910", fmt::format("claim `{}` cannot fail", claim.name), section.span(),
                  "add within = [low, high], or against = \"observed\" with a factor");
  }
  section.finish();
  scenario.claims.push_back(std::move(claim));
}

void read_figure(Section& section, Scenario& scenario) {
  FigureSpec figure;
  figure.name = section.text("name", true).value_or("");
  figure.title = text_or(section, "title", figure.name);
  figure.x_label = text_or(section, "x_label");
  figure.y_label = text_or(section, "y_label");
  figure.caption = text_or(section, "caption");
  figure.log_x = section.flag("log_x");
  figure.log_y = section.flag("log_y");
  figure.stacked = section.flag("stacked");
  for (Section& row : section.tables("series")) {
    FigureSeries series;
    series.label = row.text("label", true).value_or("");
    series.source = row.text("source", true).value_or("");
    series.variant = text_or(row, "variant");
    series.table = text_or(row, "table");
    series.x = text_or(row, "x");
    series.y = text_or(row, "y");
    series.curve = text_or(row, "curve");
    series.rows = text_or(row, "rows");
    series.where = read_words(row.table("where"));
    row.finish();
    figure.series.push_back(std::move(series));
  }
  section.finish();
  scenario.figures.push_back(std::move(figure));
}

void check_references(Section& root, const Scenario& scenario) {
  const auto require = [&root](const std::vector<std::string>& names, const std::string& name,
                               const std::string& user, std::string_view kind) {
    if (name.empty() || contains(names, name)) return;
    root.error("E0909", fmt::format("{} names the {} `{}`, which does not exist", user, kind, name),
               {}, did_you_mean(name, names));
  };
  std::vector<std::string> metrics = names_of(scenario.metrics);
  for (const Passage& passage : scenario.passages) metrics.push_back(passage.name);
  const auto checks = names_of(scenario.checks), curves = names_of(scenario.curves),
             rows = names_of(scenario.rows);
  for (const Claim& claim : scenario.claims) {
    const std::string user = fmt::format("claim `{}`", claim.name);
    require(checks, claim.check, user, "check");
    require(curves, claim.curve, user, "curve");
    require(scenario.variants, claim.variant, user, "variant");
    if (claim.over != "base") require(scenario.variants, claim.over, user, "variant");
    require(rows, claim.rows, user, "table of rows");
    if (claim.curve.empty() && claim.rows.empty()) require(metrics, claim.metric, user, "metric");
  }
  for (const Curve& curve : scenario.curves) {
    require(metrics, curve.metric, fmt::format("curve `{}`", curve.name), "metric");
    require(scenario.variants, curve.variant, fmt::format("curve `{}`", curve.name), "variant");
  }
  for (const RowSweep& sweep : scenario.rows) {
    require(metrics, sweep.metric, fmt::format("rows `{}`", sweep.name), "metric");
    require(scenario.variants, sweep.variant, fmt::format("rows `{}`", sweep.name), "variant");
  }
  for (const FigureSpec& figure : scenario.figures) {
    for (const FigureSeries& series : figure.series) {
      require(rows, series.rows, fmt::format("figure `{}`", figure.name), "table of rows");
      require(curves, series.curve, fmt::format("figure `{}`", figure.name), "curve");
      require(scenario.variants, series.variant, fmt::format("figure `{}`", figure.name),
              "variant");
    }
  }
}

}  // namespace brink

#include "experiments/cli/cache_forecast.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "analytic/caching/characteristic.h"
#include "analytic/caching/popularity.h"
#include "analytic/caching/reuse.h"
#include "models/cache/pattern.h"

namespace brink::cli {
namespace {

using caching::Popularity;

/// A parameter of a pattern that make_pattern has accepted.
double parameter(const std::string& text, const std::string& name) {
  for (const char before : {':', ','}) {
    const std::size_t at = text.find(before + name + "=");
    if (at != std::string::npos) return std::strtod(text.c_str() + at + name.size() + 2, nullptr);
  }
  return std::nan("");
}

CacheForecast independent(const Popularity& popularity, double requests, const std::string& what) {
  CacheForecast out;
  out.basis = fmt::format("formulas for independent references ({}), started empty", what);
  out.miss = [popularity, requests](std::string_view policy,
                                    std::uint32_t size) -> std::optional<double> {
    const auto* const row = caching::find_formula_policy(policy);
    if (row == nullptr) return std::nullopt;
    if (size >= popularity.pages() * (1 - 1e-12)) {  // first references only
      double first = 0;
      for (const auto& group : popularity.groups)
        first -= group.count * std::expm1(-group.p * requests);
      return first / requests;
    }
    return caching::finite_run(popularity, size, row->forecast(popularity, size), requests);
  };
  return out;
}

CacheForecast scanning(const std::string& text) {
  const double hot = parameter(text, "hot"), requests = parameter(text, "requests");
  const caching::ScanMix mix{parameter(text, "scan"), parameter(text, "share")};
  if (mix.scan_share <= 0)
    return independent(caching::uniform(static_cast<std::uint64_t>(hot)), requests, "uniform");
  CacheForecast out;
  out.basis = "renewal form: a cyclic scan among random references (lru)";
  out.miss = [=](std::string_view policy, std::uint32_t size) -> std::optional<double> {
    if (policy != "lru") return std::nullopt;
    const double all = hot + mix.scan_pages, first = std::min(all, requests);
    if (size >= all) return first / requests;
    const auto popularity = caching::uniform(static_cast<std::uint64_t>(hot));
    const auto forecast = caching::lru_with_scan(popularity, mix, size);
    const double rest = std::max(0.0, requests - forecast.times[0]);
    return (forecast.miss() * rest + std::min<double>(size, first)) / requests;
  };
  return out;
}

CacheForecast from_reuse(const cache::PageTrace& trace) {
  CacheForecast out;
  out.basis = "average eviction time from the trace's reuse times (lru)";
  const double change = caching::stationarity(trace.pages, trace.distinct);
  if (change > caching::kUnsteady)
    out.warning = fmt::format(
        "the two halves of the trace differ by {:.2f} in miss ratio: it is not stationary, and "
        "forecasts from reuse times may misplace a step",
        change);
  const auto times =
      std::make_shared<caching::ReuseTimes>(caching::reuse_times(trace.pages, trace.distinct));
  out.miss = [times](std::string_view policy, std::uint32_t size) -> std::optional<double> {
    if (policy != "lru") return std::nullopt;
    return caching::aet_miss(*times, size);
  };
  return out;
}

}  // namespace

CacheForecast forecast_for(const std::string& argument, const cache::PageTrace& trace) {
  if (!cache::is_pattern(argument) || argument.starts_with("cyclic")) return from_reuse(trace);
  if (argument.starts_with("scan-hot")) return scanning(argument);
  const auto pages = static_cast<std::uint64_t>(parameter(argument, "pages"));
  const double requests = parameter(argument, "requests");
  if (argument.starts_with("uniform"))
    return independent(caching::uniform(pages), requests, "uniform");
  return independent(caching::zipf(pages, parameter(argument, "alpha")), requests, "Zipf");
}

}  // namespace brink::cli

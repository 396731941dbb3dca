#include "experiments/queueing/read_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "analytic/queueing/routing.h"
#include "analytic/queueing/solve.h"
#include "experiments/data/quantity.h"
#include "experiments/scenario/expression.h"
#include "models/language/parser.h"

namespace brink {
namespace {

using queueing::CustomerClass;
using queueing::Network;
using queueing::Route;
using queueing::Station;
using queueing::StationKind;

constexpr std::size_t kMostStations = 2000;

class Reader {
 public:
  Reader(const NetworkText& text, const Config& root, Diagnostics& found)
      : root_(&root, "", text.source, found), found_(found) {
    file_.source = text.source;
  }

  NetworkFile read() {
    file_.title = root_.text("title").value_or("");
    file_.method = root_.text("method").value_or("");
    file_.method_span = root_.span_of("method");
    check_method();
    Section formula = root_.table("formula");
    if (formula.present()) {
      read_formula(formula);
    } else {
      for (Section& section : root_.tables("station")) read_station(section);
      if (file_.network.stations.empty())
        root_.error("E0904", "there is no [[station]]", root_.span(),
                    "a file has [[station]] and [[class]] tables, or one [formula]");
      for (Section& section : root_.tables("class")) read_class(section);
      if (file_.network.classes.empty())
        root_.error("E0904", "there is no [[class]]", root_.span());
      if (found_.empty()) apply_routing();
    }
    root_.finish();
    return std::move(file_);
  }

 private:
  void check_method() {
    if (file_.method.empty()) return;
    std::vector<std::string> names;
    for (const auto& row : queueing::method_rows()) names.emplace_back(row.name);
    if (std::find(names.begin(), names.end(), file_.method) != names.end()) return;
    const std::string near = nearest_name(file_.method, names);
    root_.error("E0909", fmt::format("no method `{}`", file_.method), file_.method_span,
                near.empty() ? fmt::format("methods are {}", fmt::join(names, ", "))
                             : fmt::format("did you mean `{}`?", near));
  }

  /// A quantity of that dimension in seconds or per second, at least `least`.
  std::optional<double> measure(Section& section, const std::string& text, Span span,
                                const std::string& what, Dimension dimension) {
    const auto value = parse_quantity(text, dimension);
    if (!value) {
      section.error("E0907", fmt::format("{}: {}", what, value.error()), span);
      return std::nullopt;
    }
    if (*value < 0) {
      section.error("E0907", fmt::format("{} must not be negative", what), span);
      return std::nullopt;
    }
    return dimension == Dimension::nanoseconds ? *value / 1e9 : *value;
  }

  std::optional<double> time(Section& section, const std::string& key, bool required = false) {
    const auto text = section.text(key, required);
    if (!text) return std::nullopt;
    return measure(section, *text, section.span_of(key), "`" + key + "`", Dimension::nanoseconds);
  }

  std::optional<std::int64_t> count(Section& section, const std::string& key, double least,
                                    double most) {
    const auto value = section.number(key);
    if (!value) return std::nullopt;
    if (*value != std::floor(*value) || *value < least || *value > most) {
      section.error("E0907",
                    fmt::format("`{}` must be a whole number from {} to {}", key, least, most),
                    section.span_of(key));
      return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
  }

  void read_formula(Section& section) {
    FormulaRequest request;
    request.span = section.span();
    const std::string kind = section.text("kind", true).value_or("");
    request.formula = queueing::find_station_formula(kind);
    if (!request.formula) {
      std::vector<std::string> names;
      for (const auto& row : queueing::station_formulas()) names.emplace_back(row.name);
      if (!kind.empty())
        section.error("E0909", fmt::format("no formula `{}`", kind), section.span_of("kind"),
                      fmt::format("formulas are {}", fmt::join(names, ", ")));
      return;
    }
    const std::string needed = fmt::format(" {} ", request.formula->inputs);
    const auto needs = [&](const std::string& name) {
      return needed.find(" " + name + " ") != std::string::npos;
    };
    if (needs("arrivals"))
      if (const auto text = section.text("arrivals", true))
        if (const auto rate = measure(section, *text, section.span_of("arrivals"), "`arrivals`",
                                      Dimension::per_second))
          request.inputs.numbers["arrivals"] = *rate;
    if (needs("service"))
      if (const auto service = time(section, "service", true))
        request.inputs.numbers["service"] = *service;
    if (needs("variation"))
      if (const auto value = section.number("variation", true))
        request.inputs.numbers["variation"] = *value;
    for (const char* name : {"servers", "room", "sources"}) {
      if (!needs(name)) continue;
      section.text(name, true);
      if (const auto value = count(section, name, 1, 1e7))
        request.inputs.numbers[name] = static_cast<double>(*value);
    }
    if (needs("services"))
      for (const auto& [text, span] : section.list("services"))
        if (const auto service = measure(section, text, span, "service", Dimension::nanoseconds))
          request.inputs.services_s.push_back(*service);
    check_formula(section, request);
    section.finish();
    file_.formula = std::move(request);
  }

  void check_formula(Section& section, const FormulaRequest& request) {
    for (const auto& [name, value] : request.inputs.numbers)
      if ((name == "arrivals" || name == "service") && !(value > 0))
        section.error("E0907", fmt::format("`{}` must be positive", name), section.span_of(name));
    if (const auto at = request.inputs.numbers.find("variation");
        at != request.inputs.numbers.end() && !(at->second >= 0))
      section.error("E0907", "`variation` must not be negative", section.span_of("variation"));
    for (const double service : request.inputs.services_s)
      if (!(service > 0))
        section.error("E0907", "services must be positive", section.span_of("services"));
    if (request.formula->inputs.find("services") != std::string_view::npos &&
        request.inputs.services_s.empty())
      section.error("E0904", "`services` is missing", section.span());
  }

  void read_station(Section& section) {
    Station station;
    station.name = section.text("name", true).value_or("");
    const std::string kind = section.text("kind").value_or("queue");
    if (kind != "queue" && kind != "delay")
      section.error("E0906", fmt::format("`kind` is queue or delay, not `{}`", kind),
                    section.span_of("kind"));
    station.kind = kind == "delay" ? StationKind::delay : StationKind::queue;
    station.servers = static_cast<int>(count(section, "servers", 1, 1e6).value_or(1));
    station.capacity = static_cast<int>(count(section, "capacity", 1, 1e6).value_or(0));
    for (const auto& [text, span] : section.list("speeds")) {
      const auto value = parse_quantity(text, Dimension::number);
      if (!value || !(*value > 0))
        section.error("E0907", fmt::format("`speeds` are positive numbers, not `{}`", text), span);
      else
        station.speeds.push_back(*value);
    }
    if (!station.speeds.empty() && (station.servers > 1 || station.kind == StationKind::delay))
      section.error("E0906", "a station with `speeds` has neither `servers` nor kind delay",
                    section.span_of("speeds"));
    for (const Station& other : file_.network.stations)
      if (other.name == station.name)
        section.error("E0202", fmt::format("two stations are called `{}`", station.name),
                      section.span_of("name"));
    if (file_.network.stations.size() == kMostStations)
      section.error("E0907", fmt::format("more than {} stations", kMostStations), section.span());
    section.finish();
    file_.station_spans.push_back(section.span());
    file_.network.stations.push_back(std::move(station));
  }

  /// Number of the station of that name; reports when there is none.
  int station_named(Section& section, const std::string& name, Span span) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < file_.network.stations.size(); ++k) {
      names.push_back(file_.network.stations[k].name);
      if (names.back() == name) return static_cast<int>(k);
    }
    section.error("E0909", fmt::format("no station `{}`", name), span, did_you_mean(name, names));
    return -1;
  }

  /// station = quantity, for the stations named.
  std::vector<double> by_station(Section section, Dimension dimension) {
    std::vector<double> out(file_.network.stations.size(), 0);
    for (const auto& [name, value] : section.members()) {
      const int k = station_named(section, name, value->span);
      if (k < 0) continue;
      if (!value->scalar()) {
        section.error("E0906", fmt::format("`{}` must be one value", name), value->span);
        continue;
      }
      if (const auto number = measure(section, value->text, value->span,
                                      fmt::format("`{}.{}`", section.path(), name), dimension))
        out[static_cast<std::size_t>(k)] = *number;
    }
    return out;
  }

  struct RouteText {
    int from_class, from;
    std::string to;
    double probability;
    Span span;
  };

  void read_routing(Section section, int of_class) {
    for (const auto& [from, value] : section.members()) {
      const int k = station_named(section, from, value->span);
      if (value->kind != Config::Kind::table) {
        section.error("E0906",
                      fmt::format("`{}` must be a table: {{ disk = 0.6, out = 0.4 }}", from),
                      value->span);
        continue;
      }
      for (const auto& [to, share] : value->members) {
        double probability = -1;
        if (share.scalar())
          if (const auto number = parse_quantity(share.text, Dimension::number))
            probability = *number;
        if (!(probability >= 0 && probability <= 1))
          section.error("E0931", fmt::format("`{}`: a probability is a number from 0 to 1", to),
                        share.span);
        else if (k >= 0)
          routes_.push_back({of_class, k, to, probability, share.span});
      }
      if (k >= 0) left_from_.push_back({of_class, k, value->span});
    }
  }

  void read_class(Section& section) {
    CustomerClass added;
    const int number = static_cast<int>(file_.network.classes.size());
    const std::size_t stations = file_.network.stations.size();
    added.name = section.text("name").value_or(fmt::format("class{}", number + 1));
    read_customers(section, added);
    added.think_s = time(section, "think").value_or(0);
    if (added.open && added.think_s > 0)
      section.error("E0906", "an open class does not think", section.span_of("think"));
    added.service_s = by_station(section.table("service", true), Dimension::nanoseconds);
    const bool routed = section.take("routing") != nullptr;
    if (routed) {
      if (section.take("visits"))
        section.error("E0906", "a class has visits or a routing, not both",
                      section.span_of("visits"));
      read_routing(section.table("routing"), number);
      added.visits.assign(stations, 0);
    } else if (section.take("visits")) {
      added.visits = by_station(section.table("visits"), Dimension::number);
    } else {
      added.visits.assign(stations, 0);
      for (std::size_t k = 0; k < stations; ++k) added.visits[k] = added.service_s[k] > 0 ? 1 : 0;
    }
    routed_.push_back(routed);
    section.finish();
    file_.class_spans.push_back(section.span());
    file_.network.classes.push_back(std::move(added));
  }

  void read_customers(Section& section, CustomerClass& added) {
    enter_.emplace_back(file_.network.stations.size(), 0.0);
    const Config* const arrivals = section.take("arrivals");
    const Config* const population = section.take("population");
    if ((arrivals != nullptr) == (population != nullptr)) {
      section.error("E0904", "a class has either `arrivals` (open) or `population` (closed)",
                    section.span());
      return;
    }
    added.open = arrivals != nullptr;
    if (population) {
      added.population = count(section, "population", 0, 1e9).value_or(0);
      return;
    }
    if (arrivals->kind == Config::Kind::table) {
      enter_.back() = by_station(section.table("arrivals"), Dimension::per_second);
      added.arrivals_per_s = std::accumulate(enter_.back().begin(), enter_.back().end(), 0.0);
      return;
    }
    const auto text = section.text("arrivals");
    if (!text) return;
    added.arrivals_per_s =
        measure(section, *text, arrivals->span, "`arrivals`", Dimension::per_second).value_or(0);
    if (!file_.network.stations.empty()) enter_.back()[0] = added.arrivals_per_s;
    if (section.take("routing"))
      section.error("E0906", "with a routing, arrivals name their station", arrivals->span,
                    "for instance arrivals = { cpu = \"12 /s\" }");
  }

  /// Turns texts of routes into routes, joins classes into chains, and computes visits.
  void apply_routing() {
    std::vector<int> chain(file_.network.classes.size());
    std::iota(chain.begin(), chain.end(), 0);
    const auto join = [&](int a, int b) {
      const int from = chain[static_cast<std::size_t>(a)], to = chain[static_cast<std::size_t>(b)];
      for (int& at : chain)
        if (at == std::max(from, to)) at = std::min(from, to);
    };
    for (const RouteText& text : routes_) {
      if (text.to == "out") continue;
      const std::size_t colon = text.to.find(':');
      int to_class = text.from_class;
      if (colon != std::string::npos) to_class = class_named(text.to.substr(0, colon), text.span);
      const int to = station_named(
          root_, text.to.substr(colon == std::string::npos ? 0 : colon + 1), text.span);
      if (to_class < 0 || to < 0) continue;
      file_.network.routes.push_back({text.from_class, text.from, to_class, to, text.probability});
      join(text.from_class, to_class);
    }
    check_sums();
    if (!found_.empty()) return;
    for (std::size_t c = 0; c < chain.size(); ++c)
      if (chain[c] == static_cast<int>(c)) solve_chain(chain, static_cast<int>(c));
    const bool any =
        std::any_of(routed_.begin(), routed_.end(), [](bool routed) { return routed; });
    const bool open = std::any_of(file_.network.classes.begin(), file_.network.classes.end(),
                                  [](const CustomerClass& of_class) { return of_class.open; });
    if (any && open) file_.network.enter_per_s = enter_;
  }

  int class_named(const std::string& name, Span span) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < file_.network.classes.size(); ++c) {
      names.push_back(file_.network.classes[c].name);
      if (names.back() == name) return static_cast<int>(c);
    }
    root_.error("E0909", fmt::format("no class `{}`", name), span, did_you_mean(name, names));
    return -1;
  }

  void check_sums() {
    for (const auto& [of_class, from, span] : left_from_) {
      double sum = 0, out = 0;
      for (const RouteText& text : routes_)
        if (text.from_class == of_class && text.from == from)
          (text.to == "out" ? out : sum) += text.probability;
      const bool open = file_.network.classes[static_cast<std::size_t>(of_class)].open;
      const std::string& name = file_.network.stations[static_cast<std::size_t>(from)].name;
      if (!open && out > 0)
        root_.error("E0931", fmt::format("customers of a closed class do not go out of `{}`", name),
                    span);
      else if (std::abs(sum + out - 1) > 1e-9)
        root_.error(
            "E0931",
            fmt::format("the probabilities out of `{}` sum to {:.9g}, not to 1", name, sum + out),
            span,
            open && sum + out < 1 ? fmt::format("who leaves is written out = {:.9g}", 1 - sum - out)
                                  : "");
    }
  }

  void solve_chain(const std::vector<int>& chain, int first) {
    std::vector<int> members;
    for (std::size_t c = 0; c < chain.size(); ++c)
      if (chain[c] == first) members.push_back(static_cast<int>(c));
    if (!routed_[static_cast<std::size_t>(first)]) return;
    std::vector<Route> routes;
    std::vector<std::vector<double>> enter;
    const auto local = [&](int of_class) {
      return static_cast<int>(std::find(members.begin(), members.end(), of_class) -
                              members.begin());
    };
    for (const Route& route : file_.network.routes)
      if (chain[static_cast<std::size_t>(route.from_class)] == first)
        routes.push_back({local(route.from_class), route.from, local(route.to_class), route.to,
                          route.probability});
    bool open = false;
    for (const int c : members) {
      open = open || file_.network.classes[static_cast<std::size_t>(c)].open;
      enter.push_back(enter_[static_cast<std::size_t>(c)]);
    }
    const auto visits = queueing::visits_from_routes(
        static_cast<int>(members.size()), static_cast<int>(file_.network.stations.size()), routes,
        open ? enter : std::vector<std::vector<double>>{});
    if (!visits) {
      root_.error("E0931", visits.error(), file_.class_spans[static_cast<std::size_t>(first)]);
      return;
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      CustomerClass& of_class = file_.network.classes[static_cast<std::size_t>(members[i])];
      of_class.visits = (*visits)[i];
      if (members.size() > 1) of_class.chain = first;
    }
    check_left(members, routes);
  }

  /// A closed class must say where customers go from every station that they come to.
  void check_left(const std::vector<int>& members, const std::vector<Route>& routes) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      const CustomerClass& of_class = file_.network.classes[static_cast<std::size_t>(members[i])];
      for (std::size_t k = 0; k < of_class.visits.size(); ++k) {
        const bool leaves = std::any_of(routes.begin(), routes.end(), [&](const Route& route) {
          return route.from_class == static_cast<int>(i) && route.from == static_cast<int>(k);
        });
        if (!of_class.open && of_class.visits[k] > 0 && !leaves)
          root_.error("E0931",
                      fmt::format("the routing of `{}` does not say where customers go from `{}`",
                                  of_class.name, file_.network.stations[k].name),
                      file_.class_spans[static_cast<std::size_t>(members[i])]);
      }
    }
  }

  struct Left {
    int of_class, from;
    Span span;
  };

  Section root_;
  Diagnostics& found_;
  NetworkFile file_;
  std::vector<RouteText> routes_;
  std::vector<Left> left_from_;
  std::vector<bool> routed_;
  std::vector<std::vector<double>> enter_;
};

/// "class.jobs.population" with names of array items replaced by their index.
std::string by_index(const Config& root, const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return path;
  const std::string kind = path.substr(0, dot);
  const std::size_t end = std::min(path.find('.', dot + 1), path.size());
  const std::string name = path.substr(dot + 1, end - dot - 1);
  const Config* const list = root.find(kind);
  if (!list) return path;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Config* const found = list->items[i].find("name");
    if (found && found->text == name) return fmt::format("{}.{}{}", kind, i, path.substr(end));
  }
  return path;
}

}  // namespace

Result<NetworkText, Diagnostics> read_network_text(const std::string& path) {
  const auto source = read_source(path);
  if (!source) return fail(source.error());
  auto root = parse_config(*source);
  if (!root) return fail(root.error());
  return NetworkText{*source, std::move(*root)};
}

Result<NetworkFile, Diagnostics> interpret_network(const NetworkText& text,
                                                   const std::vector<Override>& overrides) {
  Config root = text.root;
  for (const Override& change : overrides)
    if (const auto done =
            set_config(root, by_index(root, change.path), config_value(change.value), text.source);
        !done)
      return fail(done.error());
  Diagnostics found;
  NetworkFile file = Reader(text, root, found).read();
  if (has_errors(found)) return fail(std::move(found));
  return file;
}

Diagnostics network_failure(const NetworkFile& file, const queueing::Failure& failure) {
  Span span = file.method_span;
  if (failure.station >= 0) span = file.station_spans[static_cast<std::size_t>(failure.station)];
  if (failure.of_class >= 0) span = file.class_spans[static_cast<std::size_t>(failure.of_class)];
  const bool unstable = failure.kind == queueing::Failure::Kind::unstable;
  return scenario_error(unstable ? "E0932" : "E0933", failure.message, file.source, span);
}

}  // namespace brink

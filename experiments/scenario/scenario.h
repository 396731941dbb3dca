// Scenario: one file that ties the three readings of a policy together.
//
// It names the machine and where each of its numbers comes from, the policy model and its
// constants, how the model's variables, commands and guards are seen in the machine (view, events,
// decisions), the workload, the hand-derived formula that predicts it, the observed data, and what
// is claimed. Nothing about a report is in C++: the five reports are scenario files like any
// user's.
//
// Every value of the file can be set from outside by its dotted path ("machine.memory=1 GiB"),
// which is how variants, curves and --set work. Used by: predict, simulate, conform, reproduce,
// figures.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/data/table.h"
#include "models/base/result.h"
#include "models/language/constants.h"
#include "models/language/diagnostic.h"
#include "models/machine/description.h"

namespace brink {

/// A text of the file with its place.
struct Placed {
  std::string text;
  Span span;
};

/// Where a number comes from: kind is "given", "derived", "assumed" or "fitted".
struct Basis {
  std::string parameter;
  std::string kind;
  std::string note;
};

enum class Reducer { mean, min, max, first, last, sum, count, crossing, value };

/// A number computed from a table (observed, simulated or predicted) or from other metrics.
struct Metric {
  std::string name;
  Reducer reducer = Reducer::mean;
  std::string table;            ///< "timed", "lines", "tasks"
  Placed column;                ///< the column reduced; for value: an expression over metrics
  Where where;                  ///< rows looked at
  std::string x;                ///< crossing, between: the column of positions
  std::optional<double> below;  ///< crossing: the first x at which column < below
  std::vector<Placed> between;  ///< two expressions over earlier metrics: rows with x in [a, b]
  std::size_t final_rows = 0;   ///< > 0: only the last so many rows
};

/// A hand-derived formula of analytic/ with its inputs as expressions over the machine's parameters
/// and the model's constants. Each row of `rows` adds inputs and gives its words to the rows
/// predicted.
struct Prediction {
  Placed formula;
  std::map<std::string, Placed> inputs;
  struct Row {
    std::map<std::string, std::string> words;
    std::map<std::string, Placed> inputs;
  };
  std::vector<Row> rows;
};

/// A property of the model to be checked, at the sizes `constants` (over [model.scaled]).
struct Check {
  std::string name;
  Placed property;
  ConstantValues constants;
  std::string expect;  ///< "HOLDS" or "VIOLATED"
  std::string about;
};

/// An expected hitting time of the model read as a CTMC: `rates` gives each command's rate per
/// second.
struct Passage {
  std::string name;
  Placed target;  ///< a property: the set of states to be reached
  Placed from;    ///< empty: the initial state; otherwise the states that satisfy it, worst case
  ConstantValues constants;
  std::map<std::string, Placed> names;  ///< further names for the rates
  std::map<std::string, Placed> rates;
  bool estimated = false;  ///< rates of commands not listed come from a run of the machine
};

/// One metric over many values of one setting.
struct Curve {
  std::string name;
  std::string setting;              ///< dotted path
  std::vector<std::string> values;  ///< as text, with units
  std::string input;                ///< the input of the prediction that follows the setting
  std::string metric;
  std::string variant;
};

/// A row of a file is a case of its own: the scenario is run once for each, with what `set` says of
/// it. In a value `{column}` is replaced by the row's cell; a value that begins with `=` is an
/// expression over the row's numbers.
struct RowSweep {
  std::string name;
  Placed file;
  Where where;
  Placed only;      ///< a condition over the row's numbers, or empty
  Placed observed;  ///< an expression over them
  std::string metric;
  std::string variant;
  std::vector<std::pair<std::string, Placed>> set;  ///< path, value
};

struct Claim {
  std::string name;
  std::string check;   ///< a Check: the verdict is as expected
  std::string metric;  ///< or a metric or passage
  std::string
      curve;  ///< or a curve: `metric` is then "error", "step_predicted", "step_simulated" ...
  std::string rows;             ///< or a RowSweep: `metric` is then "mean_error", "max_error", ...
  std::string variant;          ///< empty: the scenario as it stands
  std::string over;             ///< "base" or a variant: the value is divided by that one's
  std::vector<std::string> of;  ///< "predicted", "simulated": what must be within
  std::optional<double> low, high;
  std::string against;  ///< or: "observed", "simulated": within a factor of that
  double factor = 0;
};

struct FigureSeries {
  std::string label;
  std::string source;  ///< "observed", "simulated", "predicted"
  std::string variant, table, x, y, curve, rows;
  Where where;
};

struct FigureSpec {
  std::string name, title, x_label, y_label, caption;
  bool log_x = false, log_y = false;
  bool stacked = false;  ///< areas, the first series lowest
  std::vector<FigureSeries> series;
};

struct Observed {
  std::string table;  ///< which table of a run the file corresponds to
  Placed file;
  Where where;
};

struct Scenario {
  SourcePtr source;
  std::string path, folder, name, title, origin;
  machine::MachineDescription machine;
  std::vector<Basis> basis;
  Placed kernel;
  std::map<std::string, Placed> decide;    ///< decision site -> "native" | "model"
  std::map<std::string, Placed> tunables;  ///< tunable -> expression over the model's constants
  std::map<std::string, Placed>
      overrides;             ///< tunable -> value that differs from the model's (for experiments)
  Placed model;              ///< empty: the scenario has none
  ConstantValues constants;  ///< at real size
  ConstantValues scaled;     ///< for the checker
  std::map<std::string, Placed> view;       ///< model variable -> expression over counters
  std::map<std::string, Placed> events;     ///< machine event -> "command | sequence of commands"
  std::map<std::string, Placed> decisions;  ///< site -> "[command]" or an expression of the model
  Placed script;
  std::int64_t runs = 1;  ///< [ensemble]: metrics are means over so many seeds
  std::vector<Observed> observed;
  bool own_observed = true;  ///< a variant: its [observed] differs from the scenario's
  std::vector<Metric> metrics;
  std::optional<Prediction> prediction;
  std::vector<Check> checks;
  std::vector<Passage> passages;
  std::vector<Curve> curves;
  std::vector<RowSweep> rows;
  std::vector<Claim> claims;
  std::vector<FigureSpec> figures;
  std::vector<std::string> variants;  ///< names of [[variant]]
};

/// path = value, in the order they are applied.
struct Override {
  std::string path;
  std::string value;  ///< TOML text of a value, or plain text, which is then taken as a string
};

/// A scenario file as read, before anything is set. Copyable handle.
class ScenarioFile {
 public:
  struct Content;
  explicit ScenarioFile(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

  /// The scenario of a variant (empty: as it stands) with overrides applied after it. Errors E07xx
  /// with place and help: unknown key, unit missing, a parameter without a row in [basis], ...
  Result<Scenario, Diagnostics> interpret(const std::string& variant = {},
                                          const std::vector<Override>& overrides = {}) const;
  const SourcePtr& source() const;

 private:
  std::shared_ptr<const Content> content_;
};

/// Reads TOML. Errors: E0001 (no such file), E0901 (not TOML).
Result<ScenarioFile, Diagnostics> read_scenario(const std::string& path);

}  // namespace brink

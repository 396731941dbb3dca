#include "experiments/scenario/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "experiments/conformance/decider.h"
#include "experiments/data/resolve.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/machine/machine.h"

namespace brink {
namespace {

Diagnostics machine_error(const machine::MachineError& error, const Scenario& scenario) {
  Span span = scenario.kernel.span;
  if (error.line > 0) span = scenario.script.span;
  return scenario_error("E0912", error.message(), scenario.source, span);
}

double seconds(machine::Time ns) { return static_cast<double>(ns) * 1e-9; }

void append_counters(std::vector<Cell>& row, const std::vector<std::int64_t>& counters) {
  for (const std::int64_t value : counters) row.push_back(static_cast<double>(value));
}

std::vector<std::string> with_counters(std::vector<std::string> columns,
                                       const machine::KernelRow& kernel) {
  for (const auto& row : kernel.counters) columns.emplace_back(row.name);
  return columns;
}

/// The sample taken at `at`, or an empty row of zeros when the machine took none.
const machine::Sample* sample_at(const machine::RunResult& result, machine::Time at,
                                 std::string_view prefix) {
  for (const machine::Sample& sample : result.samples) {
    if (sample.at == at && sample.tag.rfind(prefix, 0) == 0) return &sample;
  }
  return nullptr;
}

Table timed_table(const machine::RunResult& result, const machine::KernelRow& kernel) {
  Table table{with_counters({"phase", "command", "copy", "start_s", "user_s", "system_s",
                             "elapsed_s", "cpu_percent"},
                            kernel),
              {}};
  std::map<std::string, int> copies;
  for (const machine::TimedCommand& command : result.timed) {
    const double cpu = seconds(command.user_ns + command.system_ns),
                 elapsed = seconds(command.elapsed_ns);
    std::vector<Cell> row{command.phase,
                          command.text,
                          static_cast<double>(++copies[command.phase]),
                          seconds(command.start),
                          seconds(command.user_ns),
                          seconds(command.system_ns),
                          elapsed,
                          elapsed > 0 ? std::floor(100 * cpu / elapsed) : 0.0};
    const auto* sample = sample_at(result, command.start + command.elapsed_ns, "after");
    append_counters(
        row, sample ? sample->counters : std::vector<std::int64_t>(kernel.counters.size(), 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table line_table(const machine::RunResult& result, const machine::KernelRow& kernel) {
  Table table{with_counters({"position_mb", "throughput_mb_s", "at_s"}, kernel), {}};
  for (const machine::ReadfilesLine& line : result.lines) {
    std::vector<Cell> row{static_cast<double>(line.position_bytes) / 1e6,
                          line.bytes_per_second / 1e6, seconds(line.at)};
    const auto* sample = sample_at(result, line.at, "second");
    append_counters(
        row, sample ? sample->counters : std::vector<std::int64_t>(kernel.counters.size(), 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Programs of one name are one row: thirty daemons are of no interest one by one.
std::vector<machine::TaskTime> by_name(const std::vector<machine::TaskTime>& tasks) {
  std::vector<machine::TaskTime> merged;
  for (const machine::TaskTime& task : tasks) {
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&](const auto& other) { return other.name == task.name; });
    if (same == merged.end()) {
      merged.push_back(task);
      continue;
    }
    same->user_ns += task.user_ns;
    same->system_ns += task.system_ns;
    same->reclaim_ns += task.reclaim_ns;
    same->spin_ns += task.spin_ns;
  }
  return merged;
}

Table task_table(const machine::RunResult& result) {
  Table table{{"task", "user_s", "system_s", "reclaim_s", "spin_s", "cpu_share", "reclaim_share"},
              {}};
  const double whole = seconds(result.end_ns);
  for (const machine::TaskTime& task : by_name(result.tasks)) {
    table.rows.push_back({task.name, seconds(task.user_ns), seconds(task.system_ns),
                          seconds(task.reclaim_ns), seconds(task.spin_ns),
                          whole > 0 ? seconds(task.user_ns + task.system_ns) / whole : 0.0,
                          whole > 0 ? seconds(task.reclaim_ns) / whole : 0.0});
  }
  return table;
}

// Columns as the reports' files of vmstat lines have them.
Table vmstat_table(const machine::RunResult& result) {
  Table table{
      {"interval_start_s", "r", "b", "w", "swpd_kb", "free_kb", "buff_kb", "cache_kb", "si_kb_s",
       "so_kb_s", "bi_blocks_s", "bo_blocks_s", "in_per_s", "cs_per_s", "us", "sy", "id", "sum_kb"},
      {}};
  for (const machine::VmstatLine& line : result.vmstat) {
    std::vector<Cell> row{seconds(line.at - line.interval_ns)};
    for (const std::int64_t value :
         {line.running, line.blocked, std::int64_t{0}, line.swapped_kib, line.free_kib,
          line.buffer_kib, line.cache_kib, line.swap_in, line.swap_out, line.blocks_in,
          line.blocks_out, line.interrupts, line.switches, line.user, line.system, line.idle,
          line.free_kib + line.buffer_kib + line.cache_kib - line.swapped_kib}) {
      row.emplace_back(static_cast<double>(value));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table memory_table(const machine::RunResult& result, const machine::KernelRow& kernel) {
  Table table{with_counters({"at_s"}, kernel), {}};
  for (const machine::Sample& sample : result.history) {
    std::vector<Cell> row{seconds(sample.at)};
    append_counters(row, sample.counters);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table access_table(const machine::RunResult& result, const machine::KernelRow& kernel) {
  Table table{
      with_counters({"phase", "access", "start_s", "elapsed_s", "reads", "hits", "misses",
                     "hit_ratio", "miss_ratio", "disk_read_kb", "swapped_in_kb", "swapped_out_kb"},
                    kernel),
      {}};
  for (const machine::AccessRun& run : result.accesses) {
    const auto reads = static_cast<double>(run.reads), hits = static_cast<double>(run.hits);
    std::vector<Cell> row{run.phase,
                          run.text,
                          seconds(run.start),
                          seconds(run.elapsed_ns),
                          reads,
                          hits,
                          reads - hits,
                          hits / reads,
                          1 - hits / reads,
                          static_cast<double>(run.read_bytes) / 1024,
                          static_cast<double>(run.swapped_in_bytes) / 1024,
                          static_cast<double>(run.swapped_out_bytes) / 1024};
    const auto* sample = sample_at(result, run.start + run.elapsed_ns, "access");
    append_counters(
        row, sample ? sample->counters : std::vector<std::int64_t>(kernel.counters.size(), 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table dbench_table(const machine::RunResult& result, const machine::KernelRow& kernel) {
  Table table{
      with_counters({"phase", "clients", "throughput_mb_s", "cpu_percent", "files"}, kernel), {}};
  for (const machine::DbenchRun& run : result.dbench) {
    const double elapsed = seconds(run.elapsed_ns);
    std::vector<Cell> row{
        run.phase, static_cast<double>(run.clients),
        elapsed > 0 ? static_cast<double>(run.written_bytes) / 1e6 / elapsed : 0.0,
        elapsed > 0 ? 100 * seconds(run.cpu_ns) / elapsed : 0.0, static_cast<double>(run.files)};
    const auto* sample = sample_at(result, run.at, "dbench");
    append_counters(
        row, sample ? sample->counters : std::vector<std::int64_t>(kernel.counters.size(), 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// One row: a column for each test, `single_user_test_s` for Single_User_Test; then the counters at
/// the end.
Table test_table(const machine::RunResult& result, const machine::KernelRow& kernel) {
  Table table;
  std::vector<Cell> row;
  for (const machine::TestRun& test : result.tests) {
    std::string column = test.name + "_s";
    std::transform(column.begin(), column.end(), column.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (table.column(column) >= 0) continue;
    table.columns.push_back(column);
    row.emplace_back(seconds(test.elapsed_ns));
  }
  table.columns = with_counters(std::move(table.columns), kernel);
  append_counters(row, result.end_counters);
  table.rows.push_back(std::move(row));
  return table;
}

Result<std::int64_t, Diagnostics> whole_number(const Placed& expression, const Names& names,
                                               const Scenario& scenario) {
  const auto value = evaluate_expression(expression, names, scenario.source);
  if (!value) return fail(value.error());
  if (*value != std::floor(*value) || std::abs(*value) > 9e15) {
    return fail(scenario_error(
        "E0905", fmt::format("`{}` is {}, not a whole number", expression.text, *value),
        scenario.source, expression.span));
  }
  return static_cast<std::int64_t>(*value);
}

Result<machine::Tunables, Diagnostics> read_tunables(const Scenario& scenario, const Model& model,
                                                     const machine::KernelRow& kernel) {
  const Names names = names_of(scenario, model);
  machine::Tunables tunables;
  for (const auto& row : kernel.tunables) {
    const std::string name(row.name);
    Placed expression{name, scenario.kernel.span};
    if (const auto given = scenario.tunables.find(name); given != scenario.tunables.end())
      expression = given->second;
    if (const auto changed = scenario.overrides.find(name); changed != scenario.overrides.end()) {
      expression = changed->second;
    }
    const bool given = scenario.tunables.contains(name) || scenario.overrides.contains(name) ||
                       names.contains(name);
    if (!given && row.initial != machine::TunableRow::kMustBeGiven) continue;
    const auto value = whole_number(expression, names, scenario);
    if (!value) {
      Diagnostics found = value.error();
      found.front().notes.push_back(fmt::format(
          "the kernel's tunable `{}` ({}) is read from the model's constants", name, row.meaning));
      found.front().help = fmt::format(
          "add {} = \"an expression over the model's constants\" to [kernel.tunables]", name);
      return fail(std::move(found));
    }
    tunables[name] = *value;
  }
  for (const auto* given : {&scenario.tunables, &scenario.overrides}) {
    for (const auto& [name, placed] : *given) {
      if (machine::row_index(kernel.tunables, name) >= 0) continue;
      return fail(scenario_error("E0909",
                                 fmt::format("kernel {} has no tunable `{}`", kernel.name, name),
                                 scenario.source, placed.span));
    }
  }
  return tunables;
}

/// The scenario's model at real size; without [model] one that has nothing in it.
Result<ModelPtr, Diagnostics> model_of(const Scenario& scenario) {
  if (scenario.model.text.empty()) {
    const auto empty = parse_model(make_source("<no model>", "mdp\nmodule none\nendmodule\n"));
    return empty ? instantiate(*empty, scenario.constants) : fail(empty.error());
  }
  const auto path = find_model(scenario.model.text, scenario.folder);
  if (!path)
    return fail(scenario_error("E0913", path.error(), scenario.source, scenario.model.span));
  return load_model(*path, scenario.constants);
}

}  // namespace

Names names_of(const Scenario& scenario, const Model& model) {
  Names names;
  for (const auto& row : machine::parameter_rows()) {
    names[std::string(row.name)] = static_cast<double>(scenario.machine.*row.member);
  }
  for (const Constant& constant : model.constants) {
    if (constant.value.valid() && model.pool.is_constant(constant.value)) {
      names[constant.name] = model.pool.number(constant.value);
    }
  }
  return names;
}

Result<Prepared, Diagnostics> prepare(const Scenario& scenario, const std::atomic<bool>* stop) {
  Prepared prepared;
  prepared.scenario = scenario;
  const auto kernel = machine::find_kernel(scenario.kernel.text);
  if (!kernel) {
    return fail(
        scenario_error("E0912", kernel.error().message(), scenario.source, scenario.kernel.span));
  }
  prepared.kernel = *kernel;
  const auto model = model_of(scenario);
  if (!model) return fail(model.error());
  prepared.model = *model;
  auto tunables = read_tunables(scenario, **model, **kernel);
  if (!tunables) return fail(tunables.error());
  prepared.tunables = std::move(*tunables);
  prepared.stop = stop;
  return prepared;
}

Result<Run, Diagnostics> simulate(const Prepared& prepared, std::uint64_t seed,
                                  machine::Observer* observer,
                                  const std::function<void(machine::Counters)>& before) {
  const Scenario& scenario = prepared.scenario;
  auto made = machine::make_machine(scenario.machine, prepared.kernel->name, prepared.tunables,
                                    scenario.script.text, seed);
  if (!made) return fail(machine_error(made.error(), scenario));
  auto decider = make_decider(prepared, observer);
  if (!decider) return fail(decider.error());
  made->observe(*decider ? decider->get() : observer);
  if (before) before(made->counters());
  Run run;
  run.result = made->run(prepared.stop);
  run.tables = tables_of(run.result, *prepared.kernel);
  run.text = machine::run_text(run.result);
  return run;
}

Tables tables_of(const machine::RunResult& result, const machine::KernelRow& kernel) {
  Tables tables;
  if (!result.timed.empty()) tables["timed"] = timed_table(result, kernel);
  if (!result.lines.empty()) tables["lines"] = line_table(result, kernel);
  if (!result.vmstat.empty()) tables["vmstat"] = vmstat_table(result);
  if (!result.dbench.empty()) tables["dbench"] = dbench_table(result, kernel);
  if (!result.tests.empty()) tables["tests"] = test_table(result, kernel);
  if (!result.accesses.empty()) tables["access"] = access_table(result, kernel);
  tables["tasks"] = task_table(result);
  if (!result.history.empty()) tables["memory"] = memory_table(result, kernel);
  return tables;
}

Result<Tables, Diagnostics> observed_tables(const Scenario& scenario) {
  Tables tables;
  for (const Observed& observed : scenario.observed) {
    const std::filesystem::path path = std::filesystem::path(scenario.folder) / observed.file.text;
    const auto table = read_csv(path.string());
    if (!table) {
      return fail(scenario_error(
          "E0914",
          fmt::format("observed data `{}`: {}", observed.file.text, table.error().front().message),
          scenario.source, observed.file.span));
    }
    Table chosen = select(*table, observed.where);
    Table& target = tables[observed.table];
    if (target.columns.empty()) {
      target = std::move(chosen);
    } else if (target.columns == chosen.columns) {
      target.rows.insert(target.rows.end(), chosen.rows.begin(), chosen.rows.end());
    } else {
      return fail(scenario_error(
          "E0914",
          fmt::format("`{}` has other columns than the file before it", observed.file.text),
          scenario.source, observed.file.span));
    }
  }
  return tables;
}

}  // namespace brink

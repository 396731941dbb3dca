// check: decides the properties of a model and shows the evidence.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "experiments/cli/coverage.h"
#include "experiments/cli/expected.h"
#include "experiments/cli/fairness.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/jobs.h"
#include "experiments/cli/numeric.h"
#include "experiments/cli/sweep.h"
#include "experiments/cli/symbolic.h"
#include "experiments/cli/watching.h"
#include "experiments/data/files.h"
#include "experiments/data/quantity.h"
#include "experiments/data/resolve.h"
#include "experiments/scenario/checking.h"
#include "models/base/text.h"
#include "models/language/parser.h"
#include "solver/engines.h"
#include "solver/trace/trace_json.h"
#include "solver/trace/trace_print.h"

namespace brink::cli {
namespace {

using solver::CheckResult;
using solver::Verdict;

int exit_code(Verdict verdict, bool range_asked) {
  switch (verdict) {
    case Verdict::holds:
      return kDone;
    case Verdict::violated:
      return kViolated;
    case Verdict::unknown:
    case Verdict::unsupported:
      return kUndecided;
    case Verdict::model_error:
      return range_asked ? kViolated : kInput;
    case Verdict::disagreement:
      return kDisagreement;
  }
  return kInternal;
}

nlohmann::ordered_json object_of(const Job& job, const CheckResult& result,
                                 const std::string& model, const std::string& text) {
  nlohmann::ordered_json object = {
      {"type", "property"}, {"model", model}, {"property", job.name}, {"text", text}};
  const bool decided = result.verdict == Verdict::holds || result.verdict == Verdict::violated;
  object["verdict"] = decided || result.verdict == Verdict::unknown
                          ? solver::verdict_name(result.verdict)
                          : "unknown";
  object["value"] = nullptr;
  object["error_bound"] = decided ? nlohmann::ordered_json(0) : nlohmann::ordered_json();
  object["engine"] = result.engine;
  object["states"] = result.states;
  object["transitions"] = result.transitions;
  object["seconds"] = result.seconds;
  if (result.length) object["length"] = *result.length;
  if (result.kinds) object["kinds"] = *result.kinds;
  if (result.nested_length) object["nested_length"] = *result.nested_length;
  if (result.bound) object["bound"] = *result.bound;
  if (!result.assumptions.empty()) object["assumptions"] = result.assumptions;
  if (!result.notes.empty()) object["notes"] = result.notes;
  if (result.doomed) object["doomed_states"] = result.doomed->count;
  if (result.for_all) object["for_all"] = *result.for_all;
  if (result.holds_from) object["holds_from"] = *result.holds_from;
  if (result.verdict == Verdict::unsupported) {
    object["unsupported"] = true;
    object["reason"] = result.notes.empty() ? "" : result.notes.front();
  }
  if (result.verdict == Verdict::model_error)
    object["error"] = result.error ? result.error->message : "";
  return object;
}

std::string statistics(const CheckResult& result) {
  std::string text = fmt::format("  engine {}", result.engine);
  if (result.states > 0)  // engines that never count states say nothing about them
    text += fmt::format(", {}, {}", counted(result.states, "state"),
                        counted(result.transitions, "transition"));
  text += fmt::format(", {:.2f} s", result.seconds);
  if (result.states > 0 && result.bytes > 0) {
    text += fmt::format(", {:.0f} bytes a state",
                        static_cast<double>(result.bytes) / static_cast<double>(result.states));
  }
  if (result.bound && !result.trace)
    text += fmt::format(", looked {} deep", counted(*result.bound, "step"));
  return text + "\n";
}

void print_result(const Job& job, const CheckResult& result, const Loaded& loaded,
                  const std::string& text, const Options& options, Output& output) {
  output.say(fmt::format("{:<10} {}{}\n", verdict_word(result.verdict), job.name,
                         text.empty() ? "" : ": " + text));
  output.say(statistics(result));
  for (const std::string& assumption : result.assumptions)
    output.say(
        fmt::format("  {}{}\n", assumption.rfind("assume", 0) == 0 ? "" : "assume ", assumption));
  for (const std::string& note : result.notes) output.say(fmt::format("  {}\n", note));
  if (result.doomed) {
    output.say(
        fmt::format("  {} of {} states have lost the goal for good, in {}; each checked again\n",
                    result.doomed->count, result.states, counted(result.doomed->traps, "trap")));
  }
  if (result.trace && !options.quiet)
    output.say("\n" + solver::trace_table(*result.trace, *loaded.model));
  if (result.trace)
    output.say(
        fmt::format("  replayed by the evaluator: {}\n", counted(result.trace->length(), "step")));
}

int save_trace(const CheckResult& result, const Loaded& loaded, const std::string& path,
               Output& output) {
  if (!result.trace || path.empty()) return kDone;
  if (const auto written = write_whole(path, solver::trace_to_json(*result.trace, *loaded.model));
      !written) {
    return output.error(kEnvironment, written.error());
  }
  output.say(fmt::format("  saved {0}; brink replay {0}\n", path));
  return kDone;
}

/// What --test compares: 0 or 10, and says why.
int compare(const Job& job, const CheckResult& result, const Loaded& loaded, Output& output) {
  const ExpectedResult* expected =
      job.property ? expected_result(*loaded.properties, *job.property) : nullptr;
  if (!expected) {
    output.say("  no RESULT applies\n");
    return kDone;
  }
  const Match match = matches(*expected, result);
  output.object({{"type", "test"},
                 {"property", job.name},
                 {"expected", expected->value},
                 {"passed", match == Match::yes}});
  output.say(fmt::format("  RESULT {}: {}\n", expected->value,
                         match == Match::yes ? "as expected" : "DIFFERS"));
  return match == Match::yes ? kDone : match == Match::undecided ? kUndecided : kViolated;
}

int exit_code(const analytic::Answer& answer) {
  using Status = analytic::Answer::Status;
  if (answer.status == Status::model_error) return kInput;
  if (answer.status != Status::solved) return kUndecided;
  if (answer.partial && !answer.boolean) return kUndecided;
  return answer.boolean && !answer.truth ? kViolated : kDone;
}

nlohmann::ordered_json value_of(const analytic::Answer& answer) {
  if (answer.status != analytic::Answer::Status::solved || answer.boolean) return nullptr;
  if (std::isnan(answer.low)) return "nan";  // 0/0 is a result, not an absence
  if (answer.low == answer.high) return json_number(answer.low);
  return nlohmann::ordered_json::array({json_number(answer.low), json_number(answer.high)});
}

nlohmann::ordered_json object_of(const Job& job, const analytic::Answer& answer,
                                 const NumericSession& numbers, const Loaded& loaded,
                                 double seconds) {
  using Status = analytic::Answer::Status;
  nlohmann::ordered_json object = {{"type", "property"},
                                   {"model", loaded.model->source->name()},
                                   {"property", job.name},
                                   {"text", job.property->text}};
  const bool solved = answer.status == Status::solved;
  object["verdict"] = !solved          ? nlohmann::ordered_json("unknown")
                      : answer.boolean ? nlohmann::ordered_json(answer.truth ? "true" : "false")
                                       : nlohmann::ordered_json();
  object["value"] = value_of(answer);
  object["error_bound"] = solved ? json_number(answer.error_bound) : nlohmann::ordered_json();
  if (solved && !answer.boolean && !answer.exact_low.empty()) {
    object["value_exact"] = answer.exact_low;
    if (answer.exact_low != answer.exact_high)
      object["value_exact"] = {answer.exact_low, answer.exact_high};
  }
  object["engine"] = "markov";
  object["method"] = analytic::describe(answer.method);
  object["iterations"] = answer.iterations;
  object["states"] = numbers.states();
  object["transitions"] = numbers.transitions();
  object["seconds"] = seconds;
  object["bytes"] = numbers.bytes();
  object["residual"] = answer.residual;
  if (answer.classes > 0) object["lumped_states"] = answer.classes;
  if (answer.partial) object["partial"] = true;
  if (!answer.note.empty()) object["notes"] = {answer.note};
  if (answer.status == Status::unsupported) {
    object["unsupported"] = true;
    object["reason"] = answer.note;
  }
  if (answer.status == Status::model_error) object["error"] = answer.note;
  return object;
}

/// Fractions that fit a line or two; longer ones are for --json.
std::string exactly(const analytic::Answer& answer) {
  constexpr std::size_t longest = 160;
  if (answer.exact_low.size() + answer.exact_high.size() > 2 * longest)
    return fmt::format("  exactly a fraction of {} digits: --json has it\n",
                       answer.exact_low.size());
  if (answer.exact_low == answer.exact_high) return fmt::format("  exactly {}\n", answer.exact_low);
  return fmt::format("  exactly [{}, {}]\n", answer.exact_low, answer.exact_high);
}

void print_answer(const Job& job, const analytic::Answer& answer, const NumericSession& numbers,
                  Output& output, double seconds, bool verbose) {
  using Status = analytic::Answer::Status;
  std::string word = answer.status == Status::undecided     ? "UNDECIDED"
                     : answer.status == Status::unsupported ? "UNSUPPORTED"
                                                            : "MODEL ERROR";
  if (answer.status == Status::solved && answer.boolean) word = answer.truth ? "HOLDS" : "VIOLATED";
  if (answer.status == Status::solved && !answer.boolean) {
    word = std::isnan(answer.low)      ? "NaN"
           : answer.low == answer.high ? fmt::format("{:.10g}", answer.low)
                                       : fmt::format("[{:.10g}, {:.10g}]", answer.low, answer.high);
  }
  output.say(fmt::format("{:<10} {}: {}\n", word, job.name, job.property->text));
  output.say(fmt::format("  engine markov ({}), {} states, {} transitions, {:.2f} s",
                         analytic::describe(answer.method), numbers.states(), numbers.transitions(),
                         seconds));
  const bool number = answer.status == Status::solved && !answer.boolean;
  output.say(number && answer.exact_low.empty() && !answer.partial
                 ? fmt::format(", error at most {:.1g}\n", answer.error_bound)
                 : "\n");
  if (number && !answer.exact_low.empty()) output.say(exactly(answer));
  if (answer.classes > 0)
    output.say(fmt::format("  lumped to {}\n", counted(answer.classes, "state")));
  if (verbose)
    output.say(fmt::format(
        "  built in {:.2f} s, {} bytes a state and its moves; {}, residual {:.1g}\n",
        numbers.build_seconds(), numbers.bytes() / std::max<std::uint64_t>(numbers.states(), 1),
        counted(answer.iterations, "iteration"), answer.residual));
  if (!answer.note.empty()) output.say(fmt::format("  {}\n", answer.note));
}

/// The same as run_job for P, S and R on a dtmc or ctmc; nothing when the property is for the other
/// engines.
std::optional<int> run_numeric(const Job& job, NumericSession& numbers, const Loaded& loaded,
                               const Options& options, Output& output) {
  if (!job.property || !job.property->errors.empty() || options.engine != "auto")
    return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  const auto answer = numbers.ask(*job.property);
  if (!answer) return std::nullopt;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  output.object(object_of(job, *answer, numbers, loaded, seconds));
  print_answer(job, *answer, numbers, output, seconds, options.verbose);
  const int saved = options.strategy.empty()
                        ? kDone
                        : numbers.save_strategy(*job.property, options.strategy, output);
  if (options.test) {
    const ExpectedResult* expected = expected_result(*loaded.properties, *job.property);
    if (!expected) return kDone;
    const Match match = matches(*expected, *answer);
    output.object({{"type", "test"},
                   {"property", job.name},
                   {"expected", expected->value},
                   {"passed", match == Match::yes}});
    output.say(fmt::format("  RESULT {}: {}\n", expected->value,
                           match == Match::yes ? "as expected" : "DIFFERS"));
    return match == Match::yes ? kDone : match == Match::undecided ? kUndecided : kViolated;
  }
  if (answer->error) output.report({to_diagnostic(*answer->error, *loaded.model)});
  return worse(saved, exit_code(*answer));
}

int run_job(const Job& job, solver::Session& session, const Loaded& loaded, const Options& options,
            Output& output) {
  output.progress("checking " + job.name);
  if (job.property && !job.property->errors.empty() && !options.test)
    return output.report(job.property->errors);
  const solver::Question question =
      job.property ? solver::ask(*loaded.properties, *job.property) : range_question(loaded);
  CheckResult result;
  if (job.property && !job.property->errors.empty()) {
    result.verdict = Verdict::model_error;
    result.error = job.property->errors.front();
  } else {
    const bool listed = loaded.model->listed != nullptr && options.engine == "auto";
    result = solver::check(session, question, listed ? "explicit" : options.engine);
  }
  const std::string text =
      job.property ? job.property->text : "no reachable state has an erroneous move";
  output.object(object_of(job, result, loaded.model->source->name(), text));
  print_result(job, result, loaded, text, options, output);
  int code = worse(save_trace(result, loaded, options.trace_out, output),
                   save_certificate(result, loaded, options, output));
  if (options.simplest && result.trace && !result.kinds)
    output.note(result.engine == "explicit"
                    ? "--simplest is about runs to a state: this trace is a run of another kind"
                    : "--simplest is about explicit searches: this trace is as engine " +
                          result.engine + " found it");
  if (options.explain && result.verdict == Verdict::violated && result.trace)
    explain(job.name, question, loaded, options, output);
  if (options.test) return worse(code, compare(job, result, loaded, output));
  if (result.error && job.property) output.report({*result.error});
  return worse(code, exit_code(result.verdict, !job.property));
}

/// `check MODEL` without properties: builds the state space and reports it.
int build_only(solver::Session& session, const Loaded& loaded, Output& output) {
  const CheckResult result = solver::check(session, solver::ask_range(loaded.model), "explicit");
  output.say(fmt::format("{}: no properties; its reachable states{}\n",
                         loaded.model->source->name(),
                         result.verdict == Verdict::unknown ? " as far as the limits allow" : ""));
  output.say(statistics(result));
  for (const std::string& note : result.notes) output.say(fmt::format("  {}\n", note));
  if (result.trace) output.say(solver::trace_table(*result.trace, *loaded.model));
  if (result.error) output.report({*result.error});
  return result.verdict == Verdict::model_error || result.verdict == Verdict::violated
             ? kInput
             : exit_code(result.verdict, false);
}

/// The states as far as the properties needed them; all of them when nothing was explored or built.
void report_model(solver::Session& session, const NumericSession& numbers, const Loaded& loaded,
                  Output& output) {
  if (!session.explored() && numbers.states() > 0) {
    output.object({{"type", "model"},
                   {"name", loaded.model->source->name()},
                   {"kind", model_type_name(loaded.model->type)},
                   {"states", numbers.states()},
                   {"transitions", numbers.transitions()},
                   {"complete", numbers.complete()},
                   {"seconds", numbers.build_seconds()},
                   {"bytes", numbers.bytes()},
                   {"cpu", {{"seconds", numbers.build_cpu_seconds()}}}});
    return;
  }
  const solver::StateGraph& graph =
      session.explored() ? *session.explored() : session.states(session.options().limits);
  output.object({{"type", "model"},
                 {"name", loaded.model->source->name()},
                 {"kind", model_type_name(loaded.model->type)},
                 {"states", graph.size()},
                 {"transitions", graph.transitions()},
                 {"complete", graph.complete()},
                 {"seconds", graph.seconds()},
                 {"bytes", graph.bytes()}});
}

/// --deadlock-error: a deadlock in a reachable state is an error of the model, shown with its
/// trace.
int refuse_deadlocks(solver::Session& session, const Loaded& loaded, Output& output) {
  const auto file = parse_property("A [ G !\"deadlock\" ]");
  const auto set = check_properties(*file, loaded.model);
  const auto question = solver::ask(*set, set->properties.front());
  const CheckResult result = solver::check(session, question, "explicit");
  if (result.verdict == Verdict::holds) return kDone;
  if (result.verdict != Verdict::violated) {
    output.say("deadlocks were not excluded\n" + statistics(result));
    for (const std::string& note : result.notes) output.say(fmt::format("  {}\n", note));
    if (result.error) output.report({*result.error});
    return exit_code(result.verdict, false);
  }
  Diagnostic d;
  d.code = "E0610";
  d.message = fmt::format("a state without a move can be reached in {}",
                          counted(result.length.value_or(0), "step"));
  d.help = "give every state a move, or leave --deadlock-error out: it then stays where it is";
  output.report({d});
  if (result.trace) output.say(solver::trace_table(*result.trace, *loaded.model));
  return kInput;
}

std::string refusal(const Options& options) {
  if (!solver::find_engine(options.engine)) {
    std::vector<std::string> known;
    for (const auto& engine : solver::engines()) known.emplace_back(engine.name);
    const std::string near = nearest_name(options.engine, known);
    return fmt::format("no engine `{}`{}", options.engine,
                       near.empty() ? "" : fmt::format("; did you mean `{}`?", near));
  }
  if (!options.as.empty() && options.as != "dtmc" && options.as != "ctmc" && options.as != "mdp") {
    return fmt::format("--as takes dtmc, ctmc or mdp, not `{}`", options.as);
  }
  return {};
}

}  // namespace

int run_check(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "check"}});
  if (const std::string problem = refusal(options); !problem.empty())
    return output.error(kUsage, problem);
  if (has_ranges(options.constants)) return run_constant_sweep(options, output);
  if (!options.csv.empty())
    return output.error(kUsage, "--csv is for ranges of constants: --const N=1:10");
  const solver::Limits limits = limits_of(options);
  const auto paths = find_paths(options);
  if (!paths)
    return output.error(kInput, paths.error(), "`brink list models` shows those of the library");
  const auto values = parse_constant_values(options.constants);
  if (!values) return output.report(values.error());
  InstantiateOptions instantiate;
  if (options.as == "dtmc") instantiate.as = ModelType::dtmc;
  if (options.as == "ctmc") instantiate.as = ModelType::ctmc;
  if (options.as == "mdp") instantiate.as = ModelType::mdp;
  instantiate.exact = options.exact;
  instantiate.symbolic = symbolic_names(options.for_all);
  auto loaded = load(paths->model, paths->properties, options.formula, *values, instantiate);
  if (!loaded) return output.report(loaded.error());
  if (const auto code = add_assumptions(*loaded, options, output)) return *code;
  if (const auto code = add_fairness(*loaded, options, output)) return *code;
  if (loaded->model->listed && options.engine != "auto" && options.engine != "explicit") {
    return output.error(
        kUsage,
        fmt::format("engine {} reads commands, and explicit files have none", options.engine),
        "leave --engine out, or take explicit");
  }
  output.report(loaded->model->warnings);
  if (loaded->properties) output.report(loaded->properties->warnings);
  const auto jobs = choose(*loaded, options.properties);
  if (!jobs) return output.error(kUsage, jobs.error());
  if (const std::string problem = symbolic_refusal(*loaded, options, !jobs->empty());
      !problem.empty())
    return output.error(kUsage, problem);
  const bool symbolic = !loaded->model->parameters.empty();
  SearchWatch watch(options, output);
  solver::CheckOptions check_options;
  check_options.limits = limits;
  check_options.limits.monitor = &watch.monitor();
  check_options.simplest = options.simplest;
  solver::Session session(loaded->model, check_options);
  if (const auto code = watch.restore(session)) return *code;
  NumericSession numbers(*loaded, limits, options.exact, options.lump);
  int code = options.deadlock_error ? refuse_deadlocks(session, *loaded, output) : kDone;
  if (jobs->empty()) code = worse(code, build_only(session, *loaded, output));
  for (const Job& job : *jobs) {
    end_without_answer_after(limits.seconds);
    const auto numeric =
        symbolic ? std::optional<int>() : run_numeric(job, numbers, *loaded, options, output);
    code = worse(code, numeric ? *numeric : run_job(job, session, *loaded, options, output));
    if (interrupted()) break;
  }
  end_without_answer_after(limits.seconds);
  if (output.json() && !symbolic && (options.engine == "auto" || options.engine == "explicit"))
    report_model(session, numbers, *loaded, output);
  if (options.verbose && !symbolic && !loaded->model->listed) {
    std::vector<PropId> asked;
    for (const Job& job : *jobs)
      if (job.property && job.property->root.valid()) asked.push_back(job.property->root);
    report_coverage(session, *loaded, asked, limits, output);
  }
  if (interrupted()) code = worse(code, kUndecided);
  return code;
}

}  // namespace brink::cli

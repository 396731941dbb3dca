// verify: a saved certificate, checked again: a proof's obligations by Z3, cvc5 and
// arithmetic, a trace by the evaluator.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "models/base/text.h"
#include "models/language/parser.h"
#include "solver/for_all/arithmetic.h"
#include "solver/for_all/obligations.h"

namespace brink::cli {
namespace {

constexpr const char* kHead = "; Brink certificate 1:";
constexpr double kQuerySeconds = 30;

/// The claim as the script's own comment says it.
std::string claim_of(const std::string& script) {
  const std::string mark = "\n; claim ";
  const std::size_t at = script.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + mark.size();
  return script.substr(begin, script.find('\n', begin) - begin);
}

std::string row(const std::string& who, const solver::ScriptAnswer& answer) {
  return fmt::format("  {:<10} {} of {} proved{}\n", who, answer.unsat,
                     counted(answer.queries, "obligation"),
                     answer.sat > 0 ? fmt::format(", {} refuted", answer.sat) : "");
}

}  // namespace

int run_verify(const Options& options, Output& output) {
  const auto source = read_source(options.arguments[0]);
  if (!source) return output.report(source.error());
  const std::string text((*source)->text());
  if (text.find_first_not_of(" \n\t") != std::string::npos &&
      text[text.find_first_not_of(" \n\t")] == '{')
    return run_replay(options, output);
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "verify"}});
  if (text.rfind(kHead, 0) != 0)
    return output.error(kInput, fmt::format("{}: neither a certificate nor a trace of Brink",
                                            options.arguments[0]));
  const double seconds = options.time_limit_s > 0 ? options.time_limit_s : kQuerySeconds;
  const solver::ScriptAnswer z3 = solver::answer_by_z3(text, seconds);
  const auto cvc5 = solver::answer_by_cvc5(text, seconds);
  const solver::ScriptAnswer arithmetic = solver::answer_by_arithmetic(text, seconds);
  const bool refuted = z3.sat > 0 || (cvc5 && cvc5->sat > 0);
  const bool proved =
      !refuted && (z3.all_unsat() || (cvc5 && cvc5->all_unsat()) || arithmetic.all_unsat());
  nlohmann::ordered_json object = {
      {"type", "verify"}, {"claim", claim_of(text)}, {"obligations", z3.queries}, {"z3", z3.unsat}};
  if (cvc5) object["cvc5"] = cvc5->unsat;
  object["arithmetic"] = arithmetic.unsat;
  object["claim_checked"] = false;
  object["verdict"] = refuted ? "false" : proved ? "true" : "unknown";
  output.object(object);
  output.say(fmt::format("{:<10} {}\n",
                         refuted  ? "REFUTED"
                         : proved ? "PROVED"
                                  : "UNDECIDED",
                         claim_of(text)));
  output.say(row("Z3", z3));
  output.say(cvc5 ? row("cvc5", *cvc5) : std::string("  cvc5 is not installed\n"));
  output.say(row("arithmetic", arithmetic));
  output.say(
      "  the claim is in the file's own words; that its obligations say as much is not checked\n");
  if (refuted) return kDisagreement;
  return proved ? kDone : kUndecided;
}

}  // namespace brink::cli

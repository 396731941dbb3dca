#include "solver/for_all/obligations.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "models/base/check.h"
#include "solver/for_all/arithmetic.h"
#include "solver/for_all/script.h"

namespace brink::solver {
namespace {

constexpr double arithmetic_seconds = 3;  // of a script; what it leaves open goes to solvers
constexpr const char* check_sat = "(check-sat)";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Answers line by line: "unsat", "sat"; anything else counts as no answer.
ScriptAnswer read_answers(const std::string& script, const std::string& output) {
  ScriptAnswer answer;
  answer.queries = count(script, check_sat);
  std::size_t at = 0;
  while (at < output.size()) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    answer.unsat += line == "unsat" ? 1 : 0;
    answer.sat += line == "sat" ? 1 : 0;
    at = end + 1;
  }
  return answer;
}

}  // namespace

Result<std::string, std::string> invariant_script(const Question& question, const Form& form,
                                                  const CounterSystem& system,
                                                  const Formula& invariant) {
  auto made = SmtRun::make(question, Theory::integers);
  if (!made) return fail(std::move(made.error()));
  ScriptWriter script(**made, question, system,
                      question.text + (form.shape == Shape::possible ? " is false" : ""));
  write_invariant(script, question, system, invariant);
  const z3::expr inv = script.within && to_z3(invariant, script.terms);
  script.query("goal: it excludes what must not happen",
               script.legal && inv && script.run.target(question, form));
  return script.text;
}

void write_invariant(ScriptWriter& script, const Question& question, const CounterSystem& system,
                     const Formula& invariant) {
  const Encoding& encoding = *script.run.encoding;
  const z3::expr inv = script.within && to_z3(invariant, script.terms);
  script.comment("invariant: " + print(invariant, [&](std::uint32_t s) { return system.name(s); }) +
                 ", and all ranges");
  script.query("start: initial states satisfy it", script.legal && encoding.initial() && !inv);
  for (std::size_t m = 0; m < encoding.moves().size(); ++m) {
    const z3::expr after = encoding.at(inv, encoding.target(m));
    script.query("step: " + name_of_commands(*question.model, encoding.moves()[m].commands),
                 script.legal && inv && encoding.guard(m) && !after);
  }
}

ScriptAnswer answer_by_z3(const std::string& script, double seconds) {
  Z3_config config = Z3_mk_config();
  const std::string limit = fmt::format("{}", static_cast<unsigned>(seconds * 1000));
  Z3_set_param_value(config, "timeout", limit.c_str());
  Z3_context context = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(context, [](Z3_context, Z3_error_code) {});
  const Z3_string output = Z3_eval_smtlib2_string(context, script.c_str());
  const ScriptAnswer answer = read_answers(script, output != nullptr ? output : "");
  Z3_del_context(context);
  return answer;
}

std::optional<ScriptAnswer> answer_by_cvc5(const std::string& script, double seconds) {
  static const bool installed = std::system("command -v cvc5 >/dev/null 2>&1") == 0;
  if (!installed) return std::nullopt;
  std::error_code none;  // without a folder for it, mkstemp fails below
  std::string path = (std::filesystem::temp_directory_path(none) / "brink-XXXXXX").string();
  if (path.find('\'') != std::string::npos) return std::nullopt;  // it is quoted for the shell
  const int file = mkstemp(path.data());
  if (file < 0) return std::nullopt;
  std::size_t written = 0;
  while (written < script.size()) {
    const ssize_t n = write(file, script.data() + written, script.size() - written);
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  close(file);
  const bool whole = written == script.size();  // otherwise the disk is full: nobody was asked
  std::string output;
  if (whole) {
    const std::string command =
        fmt::format("cvc5 --incremental --lang=smt2 --tlimit-per={} '{}' 2>/dev/null",
                    static_cast<unsigned>(seconds * 1000), path);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::array<char, 4096> buffer{};
    while (pipe && fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr)
      output += buffer.data();
  }
  unlink(path.c_str());
  if (!whole) return std::nullopt;
  return read_answers(script, output);
}

Checked check_script(const std::string& script, double seconds, std::vector<std::string>& notes) {
  const ScriptAnswer own = answer_by_z3(script, seconds);
  if (own.sat > 0) return Checked::refuted;
  const ScriptAnswer arithmetic =
      answer_by_arithmetic(script, std::min(seconds, arithmetic_seconds));
  if (arithmetic.all_unsat()) {
    notes.push_back(fmt::format("{} obligations checked by arithmetic (rational multipliers){}",
                                arithmetic.queries,
                                own.all_unsat() ? " and proved again by a fresh Z3" : ""));
    return Checked::proved;
  }
  const auto other = answer_by_cvc5(script, seconds);
  if (other && other->sat > 0) {
    notes.push_back(fmt::format("cvc5 refutes {} of {} obligations that Z3 proves or leaves open",
                                other->sat, other->queries));
    return own.unsat > 0 ? Checked::disagreement : Checked::refuted;
  }
  if (other && other->all_unsat()) {
    notes.push_back(fmt::format("{} obligations proved again by {}cvc5", other->queries,
                                own.all_unsat() ? "a fresh Z3 and by " : ""));
    return Checked::proved;
  }
  if (!own.all_unsat()) return Checked::undecided;
  notes.push_back(fmt::format("{} obligations proved again by a fresh Z3{}", own.queries,
                              other ? "; cvc5 did not decide all of them" : ""));
  return Checked::proved;
}

}  // namespace brink::solver

#include "solver/for_all/script.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/base/check.h"

namespace brink::solver {

ScriptWriter::ScriptWriter(SmtRun& r, const Question& question, const CounterSystem& system,
                           const std::string& claim)
    : run(r),
      symbols(system.symbols),
      terms(r.context, symbols, Numbers::integers),
      legal(r.encoding->legal() && r.assumptions(question) && terms.of(system.definitions)),
      within(r.encoding->in_range()) {
  comment("Brink certificate 1: every check-sat below must answer unsat.");
  comment("model " + (question.model->source ? question.model->source->name() : ""));
  comment("claim " + claim);
  for (const Constant& c : question.model->constants)
    if (c.value.valid() && question.model->pool.is_constant(c.value))
      comment(fmt::format("constant {} = {}", c.name, question.model->pool.number(c.value)));
  text += "(set-logic ALL)\n";
  for (const z3::expr& c : run.encoding->parameters()) declare(c);
  for (std::uint32_t s = 0; s < symbols.size(); ++s)
    if (symbols[s].kind == Symbol::Kind::quotient) declare(terms.symbol(s));
  for (const z3::expr& c : run.encoding->template_state()) declare(c);
}

void ScriptWriter::comment(const std::string& line) {
  text += "; ";
  for (const char c : line) text += c == '\n' ? ' ' : c;
  text += "\n";
}

void ScriptWriter::declare(const z3::expr& constant) {
  text +=
      fmt::format("(declare-const {} {})\n", constant.to_string(), constant.get_sort().to_string());
}

void ScriptWriter::query(const std::string& what, const z3::expr& formula) {
  text += "\n";
  goal(what, formula);
}

void ScriptWriter::begin() { text += "(push 1)\n"; }
void ScriptWriter::end() { text += "(pop 1)\n"; }

void ScriptWriter::assume(const z3::expr& formula) {
  text += fmt::format("(assert {})\n", formula.to_string());
}

void ScriptWriter::goal(const std::string& what, const z3::expr& formula) {
  comment(what);
  text += fmt::format("(push 1)\n(assert {})\n(check-sat)\n(pop 1)\n", formula.to_string());
}

z3::expr ScriptWriter::fresh(const std::string& name) {
  const z3::expr constant = run.context.int_const(fmt::format("{}!{}", name, ++names_).c_str());
  declare(constant);
  return constant;
}

z3::expr ScriptWriter::define(const std::string& name, const z3::expr& value) {
  const z3::expr constant =
      run.context.constant(fmt::format("{}!{}", name, ++names_).c_str(), value.get_sort());
  declare(constant);
  assume(constant == value);
  return constant;
}

z3::expr_vector ScriptWriter::name_state(const z3::expr_vector& values, std::size_t number) {
  z3::expr_vector out(run.context);
  const z3::expr_vector& names = run.encoding->template_state();
  for (unsigned v = 0; v < values.size(); ++v) {
    const auto i = static_cast<int>(v);
    if (values[i].is_const())
      out.push_back(values[i]);
    else
      out.push_back(define(fmt::format("{}.{}", names[i].to_string(), number), values[i]));
  }
  return out;
}

z3::expr ScriptWriter::at(const z3::expr& term, const z3::expr_vector& state) const {
  return run.encoding->at(term, state);
}

std::size_t ScriptWriter::move_of(const CounterCommand& command) const {
  const auto& moves = run.encoding->moves();
  const auto found = std::find_if(moves.begin(), moves.end(), [&](const EncodedMove& m) {
    return m.commands == command.commands && m.updates == command.updates;
  });
  BRINK_CHECK(found != moves.end(), "a command without its move");
  return static_cast<std::size_t>(found - moves.begin());
}

}  // namespace brink::solver

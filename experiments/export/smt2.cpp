// Constrained Horn clauses (SMT-LIB, logic HORN): one relation over the model's variables that
// holds in every reachable state. Solvers answer sat when the question "can an error be reached?"
// has the answer no, so sat means that A [ G p ] holds (and E [ F p ] does not), unsat the
// opposite.
//
// Clauses: initial states; one per branch of a move with its guard and the new values in range; the
// negated property; and one per branch whose new values leave their range, since that is an error
// of the model. Weights play no part, except that a branch needs a positive one. Integers are
// mathematical, so sizes do not matter; an unbounded int has Brink's 32-bit limits.
#include <fmt/format.h>

#include "experiments/export/terms.h"

namespace brink::exports {
namespace {

constexpr OpText kOps[] = {
    {Op::ite, "(ite $0 $1 $2)"},
    {Op::implies, "(=> $0 $1)"},
    {Op::iff, "(= $0 $1)"},
    {Op::or_, "(or $0 $1)"},
    {Op::and_, "(and $0 $1)"},
    {Op::not_, "(not $0)"},
    {Op::eq, "(= $0 $1)"},
    {Op::ne, "(distinct $0 $1)"},
    {Op::lt, "(< $0 $1)"},
    {Op::le, "(<= $0 $1)"},
    {Op::gt, "(> $0 $1)"},
    {Op::ge, "(>= $0 $1)"},
    {Op::add, "(+ $0 $1)"},
    {Op::sub, "(- $0 $1)"},
    {Op::mul, "(* $0 $1)"},
    {Op::neg, "(- $0)"},
    {Op::min, "(ite (<= $0 $1) $0 $1)"},
    {Op::max, "(ite (>= $0 $1) $0 $1)"},
    // SMT-LIB's mod is never negative; PRISM's has the sign of the divisor.
    {Op::mod, "(ite (> $1 0) (mod $0 $1) (- (mod (- $0) $1)))"},
};
constexpr Syntax kSyntax{"smt2", kOps, "(- {})", 62};

constexpr std::string_view kReserved[] = {
    "and", "or",     "not",   "xor",  "ite",    "distinct", "mod",   "div",
    "abs", "true",   "false", "let",  "forall", "exists",   "match", "par",
    "as",  "assert", "int",   "bool", "real",   "reachable"};

class Writer {
 public:
  Writer(const Job& job, Machine machine)
      : job_(job),
        machine_(std::move(machine)),
        model_(*machine_.model),
        names_(model_, kReserved, true),
        terms_(machine_, kSyntax, names_) {}

  Outcome run();

 private:
  std::string limits(std::uint32_t variable, const std::string& value) const;
  std::string relation(const std::vector<std::string>& values) const;
  std::string clause(const std::string& about, const std::string& from,
                     const std::string& to) const;
  std::string initial() const;
  std::string branch(const Move& move, const Branch& branch) const;
  Result<std::string, Diagnostics> weights() const;
  Result<std::string, Diagnostics> question();

  const Job& job_;
  Machine machine_;
  const Model& model_;
  Names names_;
  Terms terms_;
  std::vector<std::string> here_;  ///< the variables themselves
};

std::string Writer::limits(std::uint32_t variable, const std::string& value) const {
  const Variable& v = model_.variables[variable];
  return fmt::format("(<= {} {} {})", terms_.write(*v.low_value), value,
                     terms_.write(*v.high_value));
}

std::string Writer::relation(const std::vector<std::string>& values) const {
  std::string out = values.empty() ? "reachable" : "(reachable";
  for (const std::string& value : values) out += " " + value;
  return values.empty() ? out : out + ")";
}

std::string Writer::clause(const std::string& about, const std::string& from,
                           const std::string& to) const {
  const std::string body = fmt::format("(=> {} {})", from, to);
  if (here_.empty()) return fmt::format("; {}\n(assert {})\n", about, body);
  std::string bound;
  for (std::uint32_t v = 0; v < here_.size(); ++v) {
    const bool boolean = model_.variables[v].type == Type::boolean;
    bound += fmt::format("{}({} {})", v > 0 ? " " : "", here_[v], boolean ? "Bool" : "Int");
  }
  return fmt::format("; {}\n(assert (forall ({})\n  {}))\n", about, bound, body);
}

std::string Writer::initial() const {
  std::string condition = "(and true";
  for (std::uint32_t v = 0; v < here_.size(); ++v) {
    const Variable& variable = model_.variables[v];
    if (!model_.init) {
      condition += fmt::format(" (= {} {})", here_[v], terms_.write(variable.init.id));
    } else if (variable.type != Type::boolean) {
      condition += " " + limits(v, here_[v]);
    }
  }
  if (model_.init) condition += " " + terms_.write(model_.init->id);
  return clause("initial", condition + ")", relation(here_));
}

std::string Writer::branch(const Move& move, const Branch& branch) const {
  std::vector<std::string> values = here_;
  std::string inside = "(and true";
  bool may_leave = false;
  for (const Assignment& a : branch.assignments) {
    values[a.variable] = terms_.write(a.value.id);
    const Variable& variable = model_.variables[a.variable];
    if (variable.type == Type::boolean) continue;
    inside += " " + limits(a.variable, values[a.variable]);
    may_leave = true;
  }
  inside += ")";
  const std::string from = fmt::format("{} {}", relation(here_), terms_.write(move.guard.id));
  std::string out = clause(move.name, fmt::format("(and {} {})", from, inside), relation(values));
  if (may_leave && job_.asked.empty()) {
    out += clause(move.name + " leaves a range", fmt::format("(and {} (not {}))", from, inside),
                  "false");
  }
  return out;
}

/// Branches with positive weights are possible, whatever the weight; others cannot be said.
Result<std::string, Diagnostics> Writer::weights() const {
  bool any = false;
  for (const Move& move : machine_.moves) {
    for (const Branch& branch : move.branches) {
      if (!machine_.pool.is_constant(branch.weight.id) ||
          !(machine_.pool.number(branch.weight.id) > 0)) {
        return fail(refuse(model_, branch.weight.span,
                           "smt2 cannot say a weight that depends on the state"));
      }
      any = any || machine_.pool.number(branch.weight.id) != 1;
    }
  }
  return std::string(any ? "probabilities and rates are left out: what is possible can happen"
                         : "");
}

Result<std::string, Diagnostics> Writer::question() {
  if (job_.asked.empty())
    return std::string("; question: can a variable leave its range? sat: no, unsat: yes\n");
  const Property& property = *job_.asked.front();
  const std::string name = name_of(property);
  const ClaimForm form = property.root.valid() ? claim_of(machine_, *job_.properties, property)
                                               : ClaimForm{Claim::other, {}, "it has errors"};
  if (form.claim == Claim::other || form.claim == Claim::recoverable) {
    return fail(refuse(model_, {},
                       fmt::format("property {} cannot be said in smt2: {}", name,
                                   form.claim == Claim::other ? form.reason : "it branches"),
                       "Horn clauses say A [ G p ] and E [ F p ]"));
  }
  if (const auto good = terms_.check({{form.body, {}}}); !good) return fail(good.error());
  const bool always = form.claim == Claim::always;
  const std::string p = terms_.write(form.body);
  const std::string bad = always ? fmt::format("(not {})", p) : p;
  return fmt::format(
             "; question: property {}; sat: it {}, unsat: it {}\n; (moves that leave a range are "
             "left out: the file without a property decides about them)\n",
             name, always ? "holds" : "does not hold", always ? "does not hold" : "holds") +
         clause("property " + name, fmt::format("(and {} {})", relation(here_), bad), "false");
}

Outcome Writer::run() {
  for (std::uint32_t v = 0; v < model_.variables.size(); ++v) here_.push_back(names_[v]);
  std::vector<ExprUse> starts;
  for (const Variable& variable : model_.variables) {
    if (!model_.init) starts.push_back(variable.init);
  }
  if (model_.init) starts.push_back(*model_.init);
  if (const auto good = terms_.check(starts); !good) return fail(good.error());
  const auto remark = weights();
  if (!remark) return fail(remark.error());
  if (!remark->empty()) machine_.remarks.push_back(*remark);
  const auto asked = question();
  if (!asked) return fail(asked.error());
  std::string text =
      fmt::format("; {}: exported by brink as Horn clauses (z3 FILE).\n", base_name(model_));
  for (const std::string& note : machine_.remarks) text += fmt::format("; Note: {}.\n", note);
  text += "(set-logic HORN)\n(declare-fun reachable (";
  for (std::uint32_t v = 0; v < here_.size(); ++v) {
    text += fmt::format("{}{}", v > 0 ? " " : "",
                        model_.variables[v].type == Type::boolean ? "Bool" : "Int");
  }
  text += ") Bool)\n" + initial();
  for (const Move& move : machine_.moves) {
    for (const Branch& b : move.branches) text += branch(move, b);
  }
  return Exported{{{".smt2", text + *asked + "(check-sat)\n"}}, machine_.remarks};
}

}  // namespace

Outcome write_smt2(const Job& job) {
  auto machine = flatten(job);
  if (!machine) return fail(machine.error());
  return Writer(job, std::move(*machine)).run();
}

}  // namespace brink::exports

// Murphi for rumur: one rule per move, subranges for the variables.
//
// rumur itself reports a value that leaves its variable's range, which is PRISM's rule, so nothing
// is asserted here. Rules assign one variable after the other: where a later value would read a
// written variable, all values go through locals of the rule, whose types are the variables'
// ranges. rumur picks the narrowest C type that holds the declared ranges and computes in it; a
// type that is as wide as the widest term is declared so that it picks one in which nothing
// overflows. A [ G p ] is an invariant, E [ F p ] a cover, A [ G (E [ F p ]) ] is exactly rumur's
// liveness. PRISM's deadlocks are no errors: rumur is to be run with --deadlock-detection off.
#include <fmt/format.h>

#include "experiments/export/terms.h"
#include "solver/symbolic/encode_terms.h"

namespace brink::exports {
namespace {

constexpr OpText kOps[] = {
    {Op::ite, "($0 ? $1 : $2)"},
    {Op::implies, "($0 -> $1)"},
    {Op::iff, "($0 = $1)"},
    {Op::or_, "($0 | $1)"},
    {Op::and_, "($0 & $1)"},
    {Op::not_, "(!$0)"},
    {Op::eq, "($0 = $1)"},
    {Op::ne, "($0 != $1)"},
    {Op::lt, "($0 < $1)"},
    {Op::le, "($0 <= $1)"},
    {Op::gt, "($0 > $1)"},
    {Op::ge, "($0 >= $1)"},
    {Op::add, "($0 + $1)"},
    {Op::sub, "($0 - $1)"},
    {Op::mul, "($0 * $1)"},
    {Op::neg, "(-$0)"},
    {Op::min, "($0 < $1 ? $0 : $1)"},
    {Op::max, "($0 > $1 ? $0 : $1)"},
    {Op::mod, "((($0 % $1) + $1) % $1)"},  // of C's sign made the divisor's
};
constexpr Syntax kSyntax{"Murphi", kOps, "(-{})", 60};

constexpr std::string_view kReserved[] = {"alias",
                                          "array",
                                          "assert",
                                          "assume",
                                          "begin",
                                          "boolean",
                                          "by",
                                          "case",
                                          "clear",
                                          "const",
                                          "cover",
                                          "do",
                                          "else",
                                          "elsif",
                                          "end",
                                          "endalias",
                                          "endexists",
                                          "endfor",
                                          "endforall",
                                          "endfunction",
                                          "endif",
                                          "endprocedure",
                                          "endrecord",
                                          "endrule",
                                          "endruleset",
                                          "endstartstate",
                                          "endswitch",
                                          "endwhile",
                                          "enum",
                                          "error",
                                          "exists",
                                          "externfun",
                                          "externproc",
                                          "false",
                                          "fairness",
                                          "for",
                                          "forall",
                                          "function",
                                          "if",
                                          "in",
                                          "interleaved",
                                          "invariant",
                                          "ismember",
                                          "isundefined",
                                          "liveness",
                                          "multiset",
                                          "multisetadd",
                                          "multisetcount",
                                          "multisetremove",
                                          "multisetremovepred",
                                          "of",
                                          "procedure",
                                          "process",
                                          "program",
                                          "property",
                                          "put",
                                          "real",
                                          "record",
                                          "return",
                                          "rule",
                                          "ruleset",
                                          "scalarset",
                                          "startstate",
                                          "string",
                                          "switch",
                                          "then",
                                          "to",
                                          "traceuntil",
                                          "true",
                                          "type",
                                          "undefine",
                                          "union",
                                          "var",
                                          "while",
                                          "arithmetic"};

std::string type_of(const Terms& terms, const Variable& variable) {
  if (variable.type == Type::boolean) return "boolean";
  return fmt::format("{}..{}", terms.write(*variable.low_value), terms.write(*variable.high_value));
}

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
  Result<void, Diagnostics> variables();
  Result<void, Diagnostics> initial();
  Result<void, Diagnostics> property(const Property& property);
  std::string rule(const Move& move);

  const Job& job_;
  Machine machine_;
  const Model& model_;
  Names names_;
  Terms terms_;
  std::vector<ExprId> bodies_;
  std::vector<std::string> locals_;
  std::string variables_, rules_, claims_;
};

Result<void, Diagnostics> Writer::variables() {
  variables_ = "var\n";
  for (std::uint32_t v = 0; v < model_.variables.size(); ++v) {
    const Variable& variable = model_.variables[v];
    if (variable.unbounded) {
      return fail(refuse(model_, variable.span, fmt::format("`{}` has no bounds", variable.name),
                         "give it a range"));
    }
    variables_ += fmt::format("  {}: {};\n", names_[v], type_of(terms_, variable));
  }
  return {};
}

Result<void, Diagnostics> Writer::initial() {
  const auto values = initial_values(model_, 10'000);
  if (!values) return fail(values.error());
  for (std::size_t i = 0; i < values->size(); ++i) {
    rules_ += fmt::format("\nstartstate \"initial {}\"\nbegin\n", i + 1);
    for (std::uint32_t v = 0; v < model_.variables.size(); ++v) {
      const std::int64_t value = (*values)[i][v];
      const bool boolean = model_.variables[v].type == Type::boolean;
      rules_ += fmt::format("  {} := {};\n", names_[v],
                            boolean ? (value != 0 ? "true" : "false") : terms_.write(value));
    }
    rules_ += "end;\n";
  }
  return {};
}

std::string Writer::rule(const Move& move) {
  const auto& assignments = move.branches[0].assignments;
  std::vector<bool> written(model_.variables.size());
  bool together = false;
  for (const Assignment& a : assignments) {
    for (const std::uint32_t read : machine_.pool.variables_of(a.value.id)) {
      together = together || written[read];
    }
    written[a.variable] = true;
  }
  std::string locals, first, then;
  for (std::size_t i = 0; i < assignments.size(); ++i) {
    const Assignment& a = assignments[i];
    const std::string value = terms_.write(a.value.id);
    if (together) {
      if (i >= locals_.size()) locals_.push_back(names_.fresh(fmt::format("new{}", i)));
      locals +=
          fmt::format("  {}: {};\n", locals_[i], type_of(terms_, model_.variables[a.variable]));
      first += fmt::format("  {} := {};\n", locals_[i], value);
    }
    then += fmt::format("  {} := {};\n", names_[a.variable], together ? locals_[i] : value);
  }
  return fmt::format("\nrule \"{}\"\n  {}\n==>\n{}begin\n{}{}end;\n", move.name,
                     terms_.write(move.guard.id), locals.empty() ? "" : "var\n" + locals, first,
                     then);
}

Result<void, Diagnostics> Writer::property(const Property& property) {
  const std::string name = name_of(property);
  const auto leave_out = [&](const std::string& why) -> Result<void, Diagnostics> {
    const std::string message = fmt::format("property {} cannot be said in Murphi: {}", name, why);
    if (job_.chosen)
      return fail(refuse(model_, {}, message, "Promela has ltl for A [ ... ] of linear time"));
    machine_.remarks.push_back(message);
    return {};
  };
  if (!property.root.valid())
    return leave_out(property.errors.empty() ? "it has errors" : property.errors[0].message);
  const ClaimForm form = claim_of(machine_, *job_.properties, property);
  if (form.claim == Claim::other) return leave_out(form.reason);
  if (const auto good = terms_.check({{form.body, {}}}); !good)
    return leave_out(good.error()[0].message);
  bodies_.push_back(form.body);
  const std::string_view keyword = form.claim == Claim::always     ? "invariant"
                                   : form.claim == Claim::possible ? "cover"
                                                                   : "liveness";
  claims_ += fmt::format("\n{} \"{}\"\n  {};\n", keyword, name, terms_.write(form.body));
  return {};
}

Outcome Writer::run() {
  if (const auto done = variables(); !done) return fail(done.error());
  if (const auto good = terms_.check({}); !good) return fail(good.error());
  if (const auto done = initial(); !done) return fail(done.error());
  for (const Move& move : machine_.moves) rules_ += rule(move);
  if (machine_.moves.empty()) rules_ += "\nrule \"none\"\n  false\n==>\nbegin\nend;\n";
  for (const Property* asked : job_.asked) {
    if (const auto done = property(*asked); !done) return fail(done.error());
  }
  const auto needs =
      solver::analyse_terms(model_, machine_.pool, expressions_of(machine_, bodies_));
  // Twice the widest term, for the sum inside mod.
  const unsigned width = (needs ? needs->width : kSyntax.bits) + 1;
  std::string text = fmt::format(
      "-- {}: exported by brink for rumur.\n"
      "-- rumur --deadlock-detection off --output model.c FILE && cc -O3 -mcx16 -o model model.c "
      "-lpthread -latomic\n",
      base_name(model_));
  for (const std::string& remark : machine_.remarks) text += fmt::format("-- Note: {}.\n", remark);
  text +=
      fmt::format("\ntype arithmetic: -{0}..{0}; -- rumur computes in a C type that holds this\n\n",
                  (std::int64_t{1} << (width - 1)) - 1);
  return Exported{{{".m", text + variables_ + rules_ + claims_}}, machine_.remarks};
}

}  // namespace

Outcome write_murphi(const Job& job) {
  auto machine = flatten_untimed(job, "Murphi");
  if (!machine) return fail(machine.error());
  return Writer(job, std::move(*machine)).run();
}

}  // namespace brink::exports

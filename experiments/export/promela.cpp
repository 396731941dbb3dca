// Promela for spin 6: one process whose do-loop has one option per move.
//
// An option is a d_step, so that every move is one transition and pan stores exactly the model's
// states (with -DNOREDUCE, and nothing else in the process that could be a state). Promela assigns
// one variable after the other and truncates silently; PRISM assigns at once and calls leaving a
// range an error. So each new value is asserted to lie in its range before anything is written, and
// goes through a hidden variable (no part of the state) where a later value would read it.
//
// A [ G p ] is an option that is enabled only where p fails and then asserts it: no claim automaton
// doubles the steps. E [ F p ] is the same for !p, with the verdict turned round. Other A [ ... ]
// of linear time are ltl blocks. A deadlock is no error in a PRISM model: hence the label `end`;
// pan's stuttering in an end state is PRISM's self-loop. Tried and dropped: ltl for all (four times
// slower on invariants).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "experiments/export/terms.h"
#include "models/base/check.h"

namespace brink::exports {
namespace {

constexpr OpText kOps[] = {
    {Op::ite, "($0 -> $1 : $2)"},
    {Op::implies, "(!$0 || $1)"},
    {Op::iff, "($0 == $1)"},
    {Op::or_, "($0 || $1)"},
    {Op::and_, "($0 && $1)"},
    {Op::not_, "(!$0)"},
    {Op::eq, "($0 == $1)"},
    {Op::ne, "($0 != $1)"},
    {Op::lt, "($0 < $1)"},
    {Op::le, "($0 <= $1)"},
    {Op::gt, "($0 > $1)"},
    {Op::ge, "($0 >= $1)"},
    {Op::add, "($0 + $1)"},
    {Op::sub, "($0 - $1)"},
    {Op::mul, "($0 * $1)"},
    {Op::neg, "(-$0)"},
    {Op::min, "(($0 < $1) -> $0 : $1)"},
    {Op::max, "(($0 > $1) -> $0 : $1)"},
    {Op::mod, "((($0 % $1) + $1) % $1)"},  // of C's sign made the divisor's
};
constexpr Syntax kSyntax{"Promela", kOps, "(-{})", 31};  // one bit spare for mod's sum

/// Words of Promela, of C (pan is C), and macros and members of pan.c.
constexpr std::string_view kReserved[] = {"active",
                                          "assert",
                                          "atomic",
                                          "bit",
                                          "bool",
                                          "break",
                                          "byte",
                                          "c_code",
                                          "c_decl",
                                          "c_expr",
                                          "c_state",
                                          "c_track",
                                          "chan",
                                          "do",
                                          "d_proctype",
                                          "d_step",
                                          "else",
                                          "empty",
                                          "enabled",
                                          "eval",
                                          "fi",
                                          "full",
                                          "get_priority",
                                          "hidden",
                                          "if",
                                          "in",
                                          "init",
                                          "inline",
                                          "int",
                                          "len",
                                          "local",
                                          "ltl",
                                          "model",
                                          "mtype",
                                          "nempty",
                                          "never",
                                          "nfull",
                                          "nr_pr",
                                          "notrace",
                                          "np_",
                                          "od",
                                          "of",
                                          "pc_value",
                                          "pid",
                                          "print",
                                          "printf",
                                          "printm",
                                          "priority",
                                          "proctype",
                                          "provided",
                                          "return",
                                          "run",
                                          "select",
                                          "set_priority",
                                          "short",
                                          "show",
                                          "skip",
                                          "string",
                                          "timeout",
                                          "trace",
                                          "true",
                                          "false",
                                          "typedef",
                                          "unless",
                                          "unsigned",
                                          "xr",
                                          "xs",
                                          "always",
                                          "eventually",
                                          "until",
                                          "weakuntil",
                                          "release",
                                          "next",
                                          "implies",
                                          "equivalent",
                                          "stronguntil",
                                          "U",
                                          "V",
                                          "W",
                                          "X",
                                          "auto",
                                          "case",
                                          "char",
                                          "const",
                                          "continue",
                                          "default",
                                          "double",
                                          "enum",
                                          "extern",
                                          "float",
                                          "for",
                                          "goto",
                                          "long",
                                          "register",
                                          "restrict",
                                          "signed",
                                          "sizeof",
                                          "static",
                                          "struct",
                                          "switch",
                                          "union",
                                          "void",
                                          "volatile",
                                          "while",
                                          "asm",
                                          "typeof",
                                          "linux",
                                          "unix",
                                          "NULL",
                                          "EOF",
                                          "stdin",
                                          "stdout",
                                          "stderr",
                                          "errno",
                                          "now",
                                          "end",
                                          "state",
                                          "trans",
                                          "bfs_",
                                          "uchar",
                                          "ushort",
                                          "uint",
                                          "ulong"};

std::string type_of(const Variable& variable) {
  if (variable.type == Type::boolean) return "bool";
  if (*variable.low_value >= 0 && *variable.high_value <= 255) return "byte";
  if (*variable.low_value >= -32768 && *variable.high_value <= 32767) return "short";
  return "int";
}

class Writer {
 public:
  Writer(const Job& job, Machine machine)
      : job_(job),
        machine_(std::move(machine)),
        model_(*machine_.model),
        names_(model_, kReserved, false),
        terms_(machine_, kSyntax, names_) {}

  Outcome run();

 private:
  Result<void, Diagnostics> variables();
  Result<void, Diagnostics> initial();
  Result<void, Diagnostics> property(const Property& property);
  Result<std::string, std::string> linear(const PropertySet& set, PropId root);
  std::string move(const Move& move);
  std::string in_range(const Variable& variable, const std::string& value) const;
  std::string head() const;

  const Job& job_;
  Machine machine_;
  const Model& model_;
  Names names_;
  Terms terms_;
  std::vector<std::vector<std::int64_t>> initial_;
  std::vector<std::string> hidden_;  ///< temporaries
  std::string declarations_, choice_, options_, ltl_, inverted_;
};

std::string Writer::in_range(const Variable& variable, const std::string& value) const {
  return fmt::format("{} <= {} && {} <= {}", terms_.write(*variable.low_value), value, value,
                     terms_.write(*variable.high_value));
}

Result<void, Diagnostics> Writer::variables() {
  for (std::uint32_t v = 0; v < model_.variables.size(); ++v) {
    const Variable& variable = model_.variables[v];
    const bool fits = variable.unbounded ||
                      (*variable.low_value >= -2147483647 && *variable.high_value <= 2147483647);
    if (variable.unbounded || !fits) {
      return fail(refuse(model_, variable.span,
                         fmt::format("`{}` {}", variable.name,
                                     fits ? "has no bounds" : "needs more than Promela's 32 bits"),
                         "give it a range"));
    }
    const std::string value = initial_.size() == 1 ? fmt::format(" = {}", initial_[0][v]) : "";
    declarations_ += fmt::format("{} {}{};\n", type_of(variable), names_[v], value);
  }
  return {};
}

Result<void, Diagnostics> Writer::initial() {
  auto values = initial_values(model_, 10'000);
  if (!values) return fail(values.error());
  initial_ = std::move(*values);
  if (initial_.size() == 1) return {};
  machine_.remarks.emplace_back("pan counts one state more, in which the initial state is chosen");
  choice_ = "  if\n";
  for (const auto& state : initial_) {
    choice_ += "  :: d_step { ";
    for (std::uint32_t v = 0; v < state.size(); ++v) {
      choice_ += fmt::format("{}{} = {}", v > 0 ? "; " : "", names_[v], state[v]);
    }
    choice_ += " }\n";
  }
  choice_ += "  fi;\n";
  return {};
}

std::string Writer::move(const Move& move) {
  std::string out =
      fmt::format("  :: d_step {{ /* {} */ {} ->", move.name, terms_.write(move.guard.id));
  const auto& assignments = move.branches[0].assignments;
  std::vector<bool> written(model_.variables.size());
  bool together = false;
  for (const Assignment& a : assignments) {
    for (const std::uint32_t read : machine_.pool.variables_of(a.value.id)) {
      together = together || written[read];
    }
    written[a.variable] = true;
  }
  for (const Assignment& a : assignments) {
    const Variable& variable = model_.variables[a.variable];
    if (variable.type == Type::boolean || machine_.pool.is_constant(a.value.id)) continue;
    out += fmt::format(" assert({});", in_range(variable, terms_.write(a.value.id)));
  }
  std::string after;
  for (std::size_t i = 0; i < assignments.size(); ++i) {
    const std::string value = terms_.write(assignments[i].value.id);
    if (together && i >= hidden_.size()) hidden_.push_back(names_.fresh(fmt::format("new{}", i)));
    if (together) out += fmt::format(" {} = {};", hidden_[i], value);
    after +=
        fmt::format(" {} = {};", names_[assignments[i].variable], together ? hidden_[i] : value);
  }
  out += after.empty() ? " skip" : after.substr(0, after.size() - 1);
  return out + " }\n";
}

/// A linear-time formula with its state formulas as macros. Error: why it cannot be said.
Result<std::string, std::string> Writer::linear(const PropertySet& set, PropId root) {
  if (const auto state = proposition(machine_, set, root)) {
    if (const auto good = terms_.check({{*state, {}}}); !good) return fail(good.error()[0].message);
    const std::string name = names_.fresh("prop");
    declarations_ += fmt::format("#define {} ({})\n", name, terms_.write(*state));
    return name;
  }
  const PropNode& node = set[root];
  if (node.time.present()) return fail(std::string("time bounds"));
  std::vector<std::string> args;
  for (const PropId arg : node.args) {
    auto text = linear(set, arg);
    if (!text) return text;
    args.push_back(std::move(*text));
  }
  switch (node.kind) {
    case PropKind::finally:
      return fmt::format("(<> {})", args[0]);
    case PropKind::globally:
      return fmt::format("([] {})", args[0]);
    case PropKind::until:
      return fmt::format("({} U {})", args[0], args[1]);
    case PropKind::weak_until:
      return fmt::format("([] {} || ({} U {}))", args[0], args[0], args[1]);
    case PropKind::release:
      return fmt::format("({} V {})", args[0], args[1]);
    case PropKind::apply:
      switch (node.op) {
        case Op::not_:
          return fmt::format("(! {})", args[0]);
        case Op::and_:
          return fmt::format("({} && {})", args[0], args[1]);
        case Op::or_:
          return fmt::format("({} || {})", args[0], args[1]);
        case Op::implies:
          return fmt::format("({} -> {})", args[0], args[1]);
        case Op::iff:
          return fmt::format("({} <-> {})", args[0], args[1]);
        default:
          return fail(std::string("arithmetic on the results of formulas"));
      }
    case PropKind::next:
      return fail(std::string("X, which pan leaves out unless it is built for it"));
    default:
      return fail(std::string("formulas that branch (E or A inside), P, S, R or filters"));
  }
}

Result<void, Diagnostics> Writer::property(const Property& property) {
  const PropertySet& set = *job_.properties;
  const std::string name = name_of(property);
  const auto leave_out = [&](const std::string& why) -> Result<void, Diagnostics> {
    const std::string message = fmt::format("property {} cannot be said in Promela: {}", name, why);
    if (job_.chosen)
      return fail(refuse(model_, {}, message, "Murphi has liveness for A [ G (E [ F p ]) ]"));
    machine_.remarks.push_back(message);
    return {};
  };
  if (!property.root.valid())
    return leave_out(property.errors.empty() ? "it has errors" : property.errors[0].message);
  const ClaimForm form = claim_of(machine_, set, property);
  if (form.claim == Claim::always || form.claim == Claim::possible) {
    if (form.claim == Claim::possible && !job_.chosen) {
      return leave_out("E [ F p ] is a failing assertion there; ask for it by name");
    }
    if (const auto good = terms_.check({{form.body, {}}}); !good)
      return leave_out(good.error()[0].message);
    const std::string p = terms_.write(form.body);
    const bool always = form.claim == Claim::always;
    options_ += fmt::format("  :: d_step {{ /* property {} */ {} -> assert({}) }}\n", name,
                            always ? "!(" + p + ")" : p, always ? p : "!(" + p + ")");
    if (!always) inverted_ = name;
    return {};
  }
  const PropNode& top = set[property.root];
  if (top.kind != PropKind::forall)
    return leave_out(form.reason.empty() ? "it branches" : form.reason);
  if (initial_.size() > 1)
    return leave_out("ltl would see the state in which the initial state is chosen");
  const std::string before = declarations_;
  const auto formula = linear(set, top.args[0]);
  if (!formula) {
    declarations_ = before;
    return leave_out(formula.error());
  }
  std::string label = "ltl_";
  for (const char c : name) label += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  const auto fair = [](const Annotation& a) {
    return a.kind == AnnotationKind::fair || a.kind == AnnotationKind::strong_fair;
  };
  if (std::ranges::any_of(set.annotations, fair)) {
    machine_.remarks.push_back(
        fmt::format("the fairness assumptions of the property file are not part of {}", name));
  }
  ltl_ += fmt::format("ltl {} {{ {} }} /* property {} */\n", names_.fresh(label), *formula, name);
  return {};
}

std::string Writer::head() const {
  std::string out = fmt::format("/* {}: exported by brink for spin 6.\n", base_name(model_));
  out += ltl_.empty()
             ? "   spin -a FILE && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m1000000\n"
             : "   spin -a FILE && gcc -O2 -DNOREDUCE -o pan pan.c && ./pan -a -m1000000 -N NAME\n";
  out +=
      "   A failing assertion is a property that is violated, or a variable leaving its range.\n";
  if (!inverted_.empty()) {
    out += fmt::format("   Property {} is E [ F p ]: a failing assertion shows that it HOLDS.\n",
                       inverted_);
  }
  for (const std::string& remark : machine_.remarks) out += fmt::format("   Note: {}.\n", remark);
  return out + "*/\n";
}

Outcome Writer::run() {
  if (const auto done = initial(); !done) return fail(done.error());
  if (const auto done = variables(); !done) return fail(done.error());
  if (const auto good = terms_.check({}); !good) return fail(good.error());
  for (const Move& m : machine_.moves) options_ += move(m);
  for (const Property* asked : job_.asked) {
    if (const auto done = property(*asked); !done) return fail(done.error());
  }
  if (!inverted_.empty() && job_.asked.size() > 1) {
    return fail(refuse(model_, {},
                       fmt::format("property {} is E [ F p ], whose verdict is turned round "
                                   "in Promela",
                                   inverted_),
                       "export it alone"));
  }
  std::string text = head() + declarations_;
  for (const std::string& name : hidden_) text += fmt::format("hidden int {};\n", name);
  text += ltl_;
  if (options_.empty()) options_ = "  :: false -> skip\n";
  text +=
      fmt::format("\nactive proctype model()\n{{\n{}end:\n  do\n{}  od\n}}\n", choice_, options_);
  return Exported{{{".pml", std::move(text)}}, machine_.remarks};
}

}  // namespace

Outcome write_promela(const Job& job) {
  auto machine = flatten_untimed(job, "Promela");
  if (!machine) return fail(machine.error());
  return Writer(job, std::move(*machine)).run();
}

}  // namespace brink::exports

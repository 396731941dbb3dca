// A checked model and its printout are the same model: the same moves or the same faults in every
// state of a small one, and the same text in the end.
#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/language/printer.h"
#include "models/semantics/evaluator.h"
#include "tests/property/random.h"

namespace brink::test {
namespace {

/// Well-typed expressions as text, with every operator. The reals are multiples of powers of 2:
/// others have an exact reading that differs from their double, and a printout keeps the exact one.
std::string number(int depth, bool integer);

std::string truth(int depth) {
  if (depth <= 0) return one_of<std::string>({"b", "c", "true", "x=1"});
  const auto a = [&] { return "(" + truth(depth - 1) + ")"; };
  const auto n = [&] { return "(" + number(depth - 1, rarely(2)) + ")"; };
  switch (pick(4)) {
    case 0:
      return "!" + a();
    case 1:
      return a() + one_of<std::string>({" & ", " | ", " => ", " <=> ", " = ", " != "}) + a();
    case 2:
      return a() + " ? " + a() + " : " + a();
    default:
      return n() + one_of<std::string>({" = ", " != ", " < ", " <= ", " > ", " >= "}) + n();
  }
}

std::string number(int depth, bool integer) {
  if (depth <= 0) {
    if (integer) return one_of<std::string>({"x", "y", "0", "1", "3", "-2", "N"});
    return one_of<std::string>({"x", "0.5", "1.25", "3/4", "y", "2.0", "p"});
  }
  const auto a = [&] { return "(" + number(depth - 1, integer) + ")"; };
  const auto real = [&] { return "(" + number(depth - 1, rarely(3)) + ")"; };
  switch (pick(integer ? 6 : 5)) {
    case 0:
      return a() + one_of<std::string>({" + ", " - ", " * "}) + a();
    case 1:
      return "-" + a();
    case 2:
      return one_of<std::string>({"min", "max"}) + "(" + a() + ", " + a() + ")";
    case 3:
      return "(" + truth(depth - 1) + ") ? " + a() + " : " + a();
    case 4:
      if (integer) return one_of<std::string>({"floor", "ceil", "round"}) + "(" + real() + ")";
      return one_of<std::string>({"pow", "log"}) + "(" + real() + ", " + real() + ")";
    default:
      return one_of<std::string>({"mod", "pow"}) + "(" + a() + ", " + a() + ")";
  }
}

std::string update() {
  return one_of<std::string>({"(x'=", "(y'="}) + number(2, true) + ")" +
         (rarely(2) ? " & (b'=" + truth(2) + ")" : "");
}

std::string random_text() {
  std::string text =
      one_of<std::string>({"mdp\n", "dtmc\n", "ctmc\n"}) +
      "const int N = " + std::to_string(pick(4)) +
      ";\nconst double p = " + std::to_string(pick(9)) + "/8;\nformula f = " + number(2, false) +
      ";\nglobal c : bool;\nmodule m\n  x : [0..3] init 1;\n  y : [-2..2];\n  b : bool;\n";
  for (int i = 1 + pick(3); i > 0; --i) {
    text += "  [" + one_of<std::string>({"", "go"}) + "] " + truth(3) + " -> " +
            (rarely(2) ? "p:" + update() + " + 1-p:" + update() : update()) + ";\n";
  }
  return text + "endmodule\nmodule n = m [x=x2, y=y2, b=b2] endmodule\nlabel \"l\" = f > (" +
         number(2, false) + ");\nrewards \"r\"\n  (" + truth(2) + ") : (" + number(2, false) +
         ");\nendrewards\n";
}

/// The moves of all states around the initial one, faults included.
std::string behaviour(const ModelPtr& model) {
  Evaluator evaluator(model);
  std::string out;
  Expansion e;
  for (std::int64_t x = 0; x < 4; ++x) {
    for (const std::int64_t b : {0, 1}) {
      const std::vector<std::int64_t> state = {b, x, x - 2, 1 - b, 3 - x, 0, b};
      if (const auto error = evaluator.successors(state, e)) {
        out += to_diagnostic(*error, *model).code + ";";
        continue;
      }
      for (const double weight : e.weights) out += std::to_string(weight) + " ";
      for (const std::int64_t value : e.targets) out += std::to_string(value) + ",";
      const auto label = evaluator.label(0, state);
      const auto reward = evaluator.state_reward(0, state);
      out += label ? std::to_string(*label) : to_diagnostic(label.error(), *model).code;
      out += reward ? std::to_string(*reward) : to_diagnostic(reward.error(), *model).code;
    }
  }
  return out;
}

ModelPtr loaded(const std::string& text) {
  RC_LOG() << text << "\n";
  const auto file = parse_model(make_source("generated.prism", text));
  if (!file) RC_LOG() << render(file.error());
  RC_ASSERT(file.has_value());
  const auto model = instantiate(*file);
  if (!model) RC_LOG() << render(model.error());
  RC_ASSERT(model.has_value());
  return *model;
}

RC_GTEST_PROP(RoundTrip, CheckedModels, ()) {
  const ModelPtr model = loaded(random_text());
  // Reading may simplify what was printed once (floor(x) of an int), after that nothing changes.
  const ModelPtr once = loaded(print(*model));
  const ModelPtr twice = loaded(print(*once));
  RC_ASSERT(print(*twice) == print(*once));
  RC_ASSERT(behaviour(once) == behaviour(model));
  RC_ASSERT(behaviour(twice) == behaviour(model));
}

}  // namespace
}  // namespace brink::test

#include "solver/for_all/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "models/language/printer.h"
#include "solver/budget.h"
#include "solver/search/explicit.h"
#include "solver/trace/trace.h"

namespace brink::solver {
namespace {

constexpr double seconds_each = 5;

struct Explainer {
  const Question& question;
  const Limits& limits;
  Budget budget{limits};
  Explanation out{};

  /// The verdict on a changed model.
  Verdict ask(const std::function<void(Model&)>& change) {
    if (budget.over()) {
      ++out.skipped;
      return Verdict::unknown;
    }
    auto model = std::make_shared<Model>(*question.model);
    std::unique_ptr<PropertySet> set;
    if (question.properties != nullptr) {
      set = std::make_unique<PropertySet>(*question.properties);
      model->pool = set->pool;  // the larger one: the properties' own expressions are in it
    }
    change(*model);
    Question changed = question;
    if (set) {
      set->pool = model->pool;
      set->model = model;
      changed.properties = set.get();
    }
    changed.model = model;
    const Limits share = budget.slice(seconds_each);
    Session session(model, {share, false});
    const Verdict verdict = explicit_check(session, changed, share).verdict;
    ++(verdict == Verdict::unknown ? out.skipped : out.tried);
    return verdict;
  }

  static void forbid(Model& model, std::uint32_t command) {
    model.commands[command].guard.id = model.pool.boolean(false);
  }

  std::string name(std::uint32_t command) const {
    return name_of_commands(*question.model, {command});
  }

  void commands() {
    std::vector<bool> removed(question.model->commands.size(), false);
    std::vector<bool> needed(removed.size(), false);
    for (std::uint32_t c = 0; c < removed.size(); ++c) {
      needed[c] = ask([&](Model& model) { forbid(model, c); }) == Verdict::holds;
      if (needed[c]) out.needed.push_back(name(c));
    }
    // One by one, what is not needed goes while the violation stays.
    for (std::uint32_t c = 0; c < removed.size(); ++c) {
      if (needed[c]) continue;
      removed[c] = true;
      const Verdict without = ask([&](Model& model) {
        for (std::uint32_t d = 0; d < removed.size(); ++d)
          if (removed[d]) forbid(model, d);
      });
      removed[c] = without == Verdict::violated;
    }
    for (std::uint32_t c = 0; c < removed.size(); ++c)
      if (!removed[c]) out.enough.push_back(name(c));
  }

  static void conjuncts(const ExprPool& pool, ExprId id, std::vector<ExprId>& out) {
    const ExprNode& node = pool[id];
    if (node.kind == ExprKind::apply && node.op == Op::and_) {
      for (const ExprId arg : node.operands()) conjuncts(pool, arg, out);
      return;
    }
    out.push_back(id);
  }

  void guards() {
    const Model& model = *question.model;
    for (std::uint32_t c = 0; c < model.commands.size(); ++c) {
      std::vector<ExprId> parts;
      conjuncts(model.pool, model.commands[c].guard.id, parts);
      for (std::size_t left = 0; left < parts.size(); ++left) {
        const Verdict without = ask([&](Model& changed) {
          ExprId guard = changed.pool.boolean(true);
          for (std::size_t i = 0; i < parts.size(); ++i)
            if (i != left) guard = changed.pool.apply(Op::and_, guard, parts[i]);
          changed.commands[c].guard.id = guard;
        });
        if (without == Verdict::holds)
          out.blamed.push_back(fmt::format("{} in {}", print(model, parts[left]), name(c)));
      }
    }
  }
};

}  // namespace

Explanation explain_violation(const Question& question, const Limits& limits) {
  Explainer explainer{question, limits};
  explainer.commands();
  explainer.guards();
  return std::move(explainer.out);
}

}  // namespace brink::solver

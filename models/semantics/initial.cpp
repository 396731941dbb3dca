// Initial states. init...endinit is enumerated variable by variable in declaration order: the
// condition is split at its top-level conjunctions, each conjunct is checked as soon as all its
// variables have values, and `x = e` over earlier variables gives x directly (prism#58 asks for
// more than trying all valuations).
#include <algorithm>

#include "models/base/check.h"
#include "models/semantics/evaluator.h"
#include "models/semantics/listed_moves.h"
#include "models/semantics/program.h"

namespace brink {
namespace {

struct Plan {
  std::vector<std::vector<std::size_t>>
      checks;  // per variable: conjuncts to check once it has a value
  std::vector<std::optional<std::size_t>> defined;  // per variable: the expression that gives it
};

class Enumeration {
 public:
  Enumeration(const Model& model, const std::function<bool(std::span<const std::int64_t>)>& found)
      : model_(model),
        found_(found),
        evaluator_(static_cast<std::uint32_t>(model.variables.size())),
        valuation_(model.variables.size(), 0) {
    plan_.checks.resize(model.variables.size() + 1);
    plan_.defined.resize(model.variables.size());
    for (const ExprId conjunct : conjuncts()) add(conjunct);
  }

  std::optional<SemanticError> run() {
    for (const std::size_t check : plan_.checks[0]) {  // conjuncts without variables
      if (!holds(check)) return error_;
    }
    const std::size_t n = valuation_.size();
    if (n == 0) {
      found_(valuation_);
      return error_;
    }
    std::vector<std::int64_t> last(n);
    std::size_t depth = 0;
    bool fresh = true;
    while (true) {
      if (fresh ? !first_value(depth, last[depth]) : valuation_[depth] >= last[depth]) {
        if (error_ || depth == 0) return error_;
        --depth;
        fresh = false;
        continue;
      }
      if (!fresh) ++valuation_[depth];
      fresh = false;
      if (!passes(depth)) {
        if (error_) return error_;
        continue;
      }
      if (depth + 1 == n) {
        if (!found_(valuation_)) return error_;
      } else {
        ++depth;
        fresh = true;
      }
    }
  }

 private:
  std::vector<ExprId> conjuncts() const {
    std::vector<ExprId> todo{model_.init->id};
    std::vector<ExprId> result;
    while (!todo.empty()) {
      const ExprId id = todo.back();
      todo.pop_back();
      const ExprNode& node = model_.pool[id];
      if (node.kind == ExprKind::apply && node.op == Op::and_) {
        todo.push_back(node.args[1]);
        todo.push_back(node.args[0]);
      } else {
        result.push_back(id);
      }
    }
    return result;
  }

  void add(ExprId conjunct) {
    const std::vector<std::uint32_t> used = model_.pool.variables_of(conjunct);
    const std::size_t check = evaluator_.add(model_.pool, conjunct);
    plan_.checks[used.empty() ? 0 : used.back() + 1].push_back(check);
    const ExprNode& node = model_.pool[conjunct];
    if (node.kind != ExprKind::apply || node.op != Op::eq || used.empty()) return;
    for (int side = 0; side < 2; ++side) {
      const ExprNode& left = model_.pool[node.args[side]];
      const ExprId right = node.args[1 - side];
      if (left.kind != ExprKind::variable || model_.pool.type(right) != left.type) continue;
      const std::vector<std::uint32_t> others = model_.pool.variables_of(right);
      const auto variable = static_cast<std::uint32_t>(left.value);
      if (variable == used.back() && (others.empty() || others.back() < variable)) {
        plan_.defined[variable] = evaluator_.add(model_.pool, right);
      }
    }
  }

  bool holds(std::size_t check) {
    const auto truth = evaluator_.boolean(check, valuation_);
    if (!truth) set_error(truth.error().fault, kNone);
    return truth && *truth;
  }

  void set_error(SemanticFault fault, std::uint32_t variable) {
    error_ = SemanticError{};
    error_->fault = fault;
    error_->variable = variable;
    error_->span = model_.init->span;
  }

  bool passes(std::size_t depth) {
    return std::ranges::all_of(plan_.checks[depth + 1],
                               [&](std::size_t check) { return !error_ && holds(check); });
  }

  /// Sets the first value of a variable and the last one to try; false when there is none.
  bool first_value(std::size_t depth, std::int64_t& last) {
    const Variable& variable = model_.variables[depth];
    if (const auto definition = plan_.defined[depth]) {
      std::int64_t value = 0;
      if (variable.type == Type::boolean) {
        const auto truth = evaluator_.boolean(*definition, valuation_);
        if (!truth) set_error(truth.error().fault, kNone);
        value = truth && *truth ? 1 : 0;
      } else {
        const auto number = evaluator_.integer(*definition, valuation_);
        if (!number) set_error(number.error().fault, kNone);
        value = number ? *number : 0;
      }
      valuation_[depth] = last = value;
      return !error_ && value >= *variable.low_value && value <= *variable.high_value;
    }
    if (variable.unbounded) {  // four billion values: the condition must say which
      set_error(SemanticFault::too_many_choices, static_cast<std::uint32_t>(depth));
      return false;
    }
    valuation_[depth] = *variable.low_value;
    last = *variable.high_value;
    return true;
  }

  const Model& model_;
  const std::function<bool(std::span<const std::int64_t>)>& found_;
  ExprEvaluator evaluator_;
  Plan plan_;
  std::vector<std::int64_t> valuation_;
  std::optional<SemanticError> error_;
};

}  // namespace

std::optional<SemanticError> for_each_initial_state(
    const Model& model, const std::function<bool(std::span<const std::int64_t>)>& found) {
  BRINK_CHECK(model.parameters.empty(), "the model has parameters");
  if (model.listed) {
    for_each_listed_initial(*model.listed, found);
    return std::nullopt;
  }
  if (model.init) return Enumeration(model, found).run();
  std::vector<std::int64_t> valuation;
  for (const Variable& variable : model.variables) {
    BRINK_CHECK(variable.init_value.has_value(), variable.name);
    valuation.push_back(*variable.init_value);
  }
  found(valuation);
  return std::nullopt;
}

Result<std::vector<std::vector<std::int64_t>>, SemanticError> initial_states(const Model& model,
                                                                             std::size_t limit) {
  std::vector<std::vector<std::int64_t>> result;
  bool complete = true;
  const auto error = for_each_initial_state(model, [&](std::span<const std::int64_t> valuation) {
    complete = result.size() < limit;
    if (complete) result.emplace_back(valuation.begin(), valuation.end());
    return complete;
  });
  if (error) return fail(*error);
  if (!complete) {
    SemanticError too_many;
    too_many.fault = SemanticFault::too_many_choices;
    if (model.init) too_many.span = model.init->span;
    return fail(too_many);
  }
  return result;
}

}  // namespace brink

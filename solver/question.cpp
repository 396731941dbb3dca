#include "solver/question.h"

#include <fmt/core.h>

#include "models/base/check.h"

namespace brink::solver {
namespace {

std::string first_error(const Property& property) {
  return property.errors.empty() ? "the property has errors" : property.errors.front().message;
}

/// Why this node keeps a property from being one of E, A and temporal operators; empty when it does
/// not.
std::string obstacle(const PropertySet& set, PropId id) {
  const PropNode& node = set[id];
  switch (node.kind) {
    case PropKind::atom:
      return set.pool.type(node.expr) == Type::boolean
                 ? ""
                 : "a value that is not boolean: a number, not a yes or no";
    case PropKind::init:
    case PropKind::deadlock:
      return "";
    case PropKind::apply:
      if (node.is_path) return "";
      for (const PropId arg : node.args)
        if (set[arg].type != Type::boolean) return "arithmetic on the results of properties";
      return "";
    case PropKind::exists:
    case PropKind::forall:
    case PropKind::next:
    case PropKind::finally:
    case PropKind::globally:
    case PropKind::until:
    case PropKind::weak_until:
    case PropKind::release:
      return "";
    case PropKind::probability:
      return "the operator P";
    case PropKind::steady:
      return "the operator S";
    case PropKind::reward:
    case PropKind::cumulative:
    case PropKind::instantaneous:
    case PropKind::long_run:
      return "the operator R";
    case PropKind::filter:
      return fmt::format("filter({}, ...)", filter_name(node.filter));
    case PropKind::multi:
      return "multi(...)";
  }
  return "an unknown operator";
}

}  // namespace

Question ask(const PropertySet& set, const Property& property) {
  return {set.model, &set, property.root,
          property.root.valid() ? property.text : first_error(property), Asked::property};
}

Question ask_range(ModelPtr model) {
  return {std::move(model), nullptr, {}, "range", Asked::range};
}

std::vector<bool> nodes_below(const PropertySet& set, PropId root) {
  std::vector<bool> below(set.nodes.size(), false);
  if (!root.valid()) return below;
  below[root.index] = true;
  for (std::uint32_t i = root.index + 1; i-- > 0;)
    if (below[i])
      for (const PropId arg : set.nodes[i].args)
        if (arg.valid()) below[arg.index] = true;
  return below;
}

std::vector<bool> propositional_nodes(const PropertySet& set) {
  std::vector<bool> plain(set.nodes.size(), false);
  for (std::uint32_t i = 0; i < set.nodes.size(); ++i) {
    const PropNode& node = set.nodes[i];
    if (node.is_path) continue;
    plain[i] = node.kind == PropKind::atom || node.kind == PropKind::init ||
               node.kind == PropKind::deadlock || node.kind == PropKind::apply;
    for (const PropId arg : node.args) plain[i] = plain[i] && plain[arg.index];
  }
  return plain;
}

Form form_of(const Question& question) {
  if (question.asked == Asked::range) return {Shape::range, {}, ""};
  BRINK_CHECK(question.properties != nullptr);
  const PropertySet& set = *question.properties;
  if (!question.root.valid()) return {Shape::unsupported, {}, question.text};
  const std::vector<bool> below = nodes_below(set, question.root);
  for (std::uint32_t i = 0; i < below.size(); ++i) {
    if (!below[i]) continue;
    const std::string reason = obstacle(set, PropId{i});
    if (!reason.empty()) return {Shape::unsupported, {}, "not supported here: " + reason};
  }
  const std::vector<bool> plain = propositional_nodes(set);
  const PropNode& top = set[question.root];
  const auto path_of = [&](const PropNode& node) -> const PropNode& { return set[node.args[0]]; };
  const auto is = [&](const PropNode& node, PropKind quantifier, PropKind temporal) {
    return node.kind == quantifier && path_of(node).kind == temporal &&
           !path_of(node).time.present();
  };
  if (is(top, PropKind::exists, PropKind::finally) && plain[path_of(top).args[0].index])
    return {Shape::possible, path_of(top).args[0], ""};
  if (is(top, PropKind::forall, PropKind::globally)) {
    const PropId body = path_of(top).args[0];
    if (plain[body.index]) return {Shape::always, body, ""};
    const PropNode& inner = set[body];
    if (is(inner, PropKind::exists, PropKind::finally) && plain[path_of(inner).args[0].index])
      return {Shape::recoverable, path_of(inner).args[0], ""};
  }
  return {Shape::ctl, question.root, ""};
}

std::string text_of(const PropertySet& set, PropId node) {
  return set.source ? std::string(set.source->slice(set[node].span)) : "";
}

}  // namespace brink::solver

#include "experiments/cli/numeric.h"

#include "solver/question.h"

namespace brink::cli {

bool has_numbers(const PropertySet& set, PropId root) {
  const std::vector<bool> below = solver::nodes_below(set, root);
  for (std::size_t i = 0; i < below.size(); ++i) {
    const PropKind kind = set.nodes[i].kind;
    const bool numeric = kind == PropKind::probability || kind == PropKind::steady ||
                         kind == PropKind::reward || kind == PropKind::filter;
    if (below[i] && (numeric || set.nodes[i].type != Type::boolean)) return true;
  }
  return false;
}

namespace {

analytic::Answer failed(const analytic::BuildFailure& failure) {
  using Kind = analytic::BuildFailure::Kind;
  using Status = analytic::Answer::Status;
  analytic::Answer answer;
  answer.status = failure.kind == Kind::model_error ? Status::model_error
                  : failure.kind == Kind::limit     ? Status::undecided
                                                    : Status::unsupported;
  answer.note = failure.message;
  answer.error = failure.error;
  return answer;
}

}  // namespace

std::optional<analytic::Answer> NumericSession::build() {
  analytic::BuildLimits limits;
  limits.states = limits_.states;
  limits.bytes = limits_.bytes;
  limits.seconds = limits_.seconds;
  limits.stop = limits_.stop;
  if (loaded_.model->type == ModelType::mdp) {
    auto decisions = analytic::build_decisions(loaded_.model, limits);
    if (!decisions) return failed(decisions.error());
    decisions_ = std::make_unique<analytic::ModelDecisions>(std::move(*decisions));
    return std::nullopt;
  }
  auto chain = analytic::build_chain(loaded_.model, limits);
  if (!chain) return failed(chain.error());
  chain_ = std::make_unique<analytic::ModelChain>(std::move(*chain));
  return std::nullopt;
}

std::optional<analytic::Answer> NumericSession::ask(const Property& property) {
  const PropertySet& set = *loaded_.properties;
  if (!has_numbers(set, property.root)) return std::nullopt;
  if (!chain_ && !decisions_) {
    if (auto failure = build()) return failure;
  }
  analytic::SolveOptions options;
  options.stop = limits_.stop;
  options.bytes = limits_.bytes;
  if (decisions_) return analytic::evaluate_property(*decisions_, set, property, options);
  return analytic::evaluate_property(*chain_, set, property, options);
}

}  // namespace brink::cli

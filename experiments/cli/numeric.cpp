#include "experiments/cli/numeric.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "analytic/strategy.h"
#include "experiments/data/files.h"
#include "models/base/text.h"
#include "solver/question.h"
#include "solver/search/state_graph.h"

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

analytic::BuildLimits NumericSession::build_limits() const {
  analytic::BuildLimits limits;
  limits.states = limits_.states;
  limits.bytes = limits_.bytes != 0 ? limits_.bytes : solver::default_memory_limit();
  limits.partial = true;
  limits.seconds = limits_.seconds;
  limits.stop = limits_.stop;
  return limits;
}

analytic::SolveOptions NumericSession::solve_options() const {
  analytic::SolveOptions options;
  options.stop = limits_.stop;
  options.bytes = limits_.bytes;
  options.lump = lump_;
  return options;
}

std::optional<analytic::Answer> NumericSession::build() {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  auto failure = build_unmeasured();
  build_cpu_seconds_ = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return failure;
}

std::optional<analytic::Answer> NumericSession::build_unmeasured() {
  const analytic::BuildLimits limits = build_limits();
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

analytic::Answer NumericSession::ask_exactly(const Property& property) {
  if (!rational_) {
    auto model = analytic::build_exact(loaded_.model, build_limits());
    if (!model) return failed(model.error());
    rational_ = std::make_unique<analytic::ExactModel>(std::move(*model));
  }
  return analytic::evaluate_exactly(*rational_, *loaded_.properties, property, solve_options());
}

analytic::Answer NumericSession::ask_usually(const Property& property) {
  if (!chain_ && !decisions_) {
    if (auto failure = build()) return *failure;
  }
  const PropertySet& set = *loaded_.properties;
  if (decisions_) return analytic::evaluate_property(*decisions_, set, property, solve_options());
  return analytic::evaluate_property(*chain_, set, property, solve_options());
}

std::optional<analytic::Answer> NumericSession::ask(const Property& property) {
  if (!has_numbers(*loaded_.properties, property.root)) return std::nullopt;
  if (exact_) return ask_exactly(property);
  analytic::Answer answer = ask_usually(property);
  constexpr std::uint64_t small = 2000;  // states that rationals solve in a moment
  if (!answer.on_bound || states() > small) return answer;
  analytic::Answer exact = ask_exactly(property);
  // Where doubles and fractions see different models, neither is believed.
  if (exact.status != analytic::Answer::Status::solved || rational_->size() != states())
    return answer;
  exact.note = "a value lies on its bound: decided in exact arithmetic";
  return exact;
}

int NumericSession::save_strategy(const Property& property, const std::string& path,
                                  Output& output) {
  const auto refused = [&](int code, const std::string& why) {
    output.object({{"type", "strategy"}, {"file", nullptr}, {"reason", why}});
    output.say("  no strategy written: " + why + "\n");
    return code;
  };
  if (loaded_.model->type != ModelType::mdp)
    return refused(kUndecided, "a chain leaves no choice (strategies are of an mdp)");
  if (!decisions_)
    if (auto failure = build()) return refused(kUndecided, failure->note);
  const auto strategy =
      analytic::best_strategy(*decisions_, *loaded_.properties, property, solve_options());
  if (!strategy)
    return refused(strategy.error().disagrees ? kDisagreement : kUndecided,
                   strategy.error().message);
  const auto written = write_whole(path, strategy_text(*decisions_, *strategy, property));
  if (!written) return output.error(kEnvironment, written.error());
  output.object({{"type", "strategy"},
                 {"file", path},
                 {"states", strategy->states()},
                 {"value", json_number(strategy->low)},
                 {"error_bound", json_number(strategy->error_bound)}});
  output.say(
      fmt::format("  saved {}: the choices of {}; the chain they leave has the value {:.10g}\n",
                  path, counted(strategy->states(), "state"), strategy->low));
  return kDone;
}

}  // namespace brink::cli

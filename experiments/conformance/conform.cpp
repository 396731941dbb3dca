#include "experiments/conformance/conform.h"

#include <fmt/format.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <set>

#include "experiments/conformance/binding.h"
#include "experiments/conformance/stepper.h"

namespace brink {
namespace {

/// Mean and spread of the gaps between occurrences, without keeping them (Welford).
struct Gaps {
  double last_s = -1, mean = 0, sum_squares = 0;
  std::int64_t count = 0;

  void occurred(double at_s) {
    if (last_s >= 0) {
      const double gap = at_s - last_s;
      ++count;
      const double delta = gap - mean;
      mean += delta / static_cast<double>(count);
      sum_squares += delta * (gap - mean);
    }
    last_s = at_s;
  }
  double variation() const {
    return count > 1 && mean > 0 ? std::sqrt(sum_squares / static_cast<double>(count - 1)) / mean
                                 : 0;
  }
};

class Follower final : public machine::Observer {
 public:
  Follower(const Prepared& prepared, std::unique_ptr<Binding> binding, bool estimate)
      : binding_(std::move(binding)),
        stepper_(prepared.model),
        estimate_(estimate),
        gaps_(prepared.model->commands.size()),
        unlisted_(prepared.kernel->events.size(), false) {
    const auto& model = binding_->model();
    for (std::uint32_t i = 0; i < model.commands.size(); ++i) {
      result_.commands.push_back({command_name(model, i), 0, 0, 0, 0});
    }
    for (std::size_t i = 0; i < prepared.kernel->decisions.size(); ++i) {
      const std::string name(prepared.kernel->decisions[i].name);
      result_.sites.push_back({name, binding_->guard_text(static_cast<int>(i)), 0, 0, 0});
    }
  }

  void start(machine::Counters counters) { state_ = binding_->initial(counters); }

  bool decide(int site, bool native, machine::Counters counters) override {
    if (!binding_->has_guard(site)) return native;
    ++step_;
    ++result_.decisions;
    SiteCount& count = result_.sites[site];
    ++(native ? count.yes : count.no);
    if (!same_view(counters)) {
      diverge(fmt::format("decision {}", count.site),
              {"the machine's counters changed without an event:", difference()});
      state_ = seen_;
    }
    if (binding_->answer(site, state_) != native) {
      ++count.disagreements;
      diverge(fmt::format("decision {}", count.site),
              {fmt::format("the kernel says {}, the model's guard {} says {}",
                           native ? "yes" : "no", count.guard, native ? "no" : "yes"),
               fmt::format("in the state {}", describe(state_))});
    }
    return native;
  }

  void event(int event, std::int64_t count, machine::Counters counters,
             machine::Time now) override {
    ++step_;
    ++result_.events;
    if (estimate_) expose(now);
    now_ = now;
    if (!binding_->listed(event)) unlisted_[event] = true;
    const State before = state_;
    std::vector<std::string> problems = step(event, count, counters);
    if (problems.empty()) return;
    problems.push_back(fmt::format("from the state {}", describe(before)));
    const std::string name(binding_->kernel().events[event].name);
    diverge(count == 1 ? fmt::format("event {}", name) : fmt::format("event {} x{}", name, count),
            problems);
    state_ = before;
    binding_->look(counters, state_);
  }

  Conformance finish(Run run) {
    result_.seconds = static_cast<double>(run.result.end_ns) * 1e-9;
    if (estimate_) expose(run.result.end_ns);
    const auto& kernel = binding_->kernel();
    std::vector<SiteCount> guarded;
    for (std::size_t i = 0; i < kernel.decisions.size(); ++i) {
      if (binding_->has_guard(static_cast<int>(i))) {
        guarded.push_back(result_.sites[i]);
      } else {
        result_.unguarded.emplace_back(kernel.decisions[i].name);
      }
    }
    result_.sites = std::move(guarded);
    for (std::size_t i = 0; i < unlisted_.size(); ++i) {
      if (unlisted_[i]) result_.unlisted.emplace_back(kernel.events[i].name);
    }
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      result_.commands[i].gap_variation = gaps_[i].variation();
      result_.commands[i].gaps = gaps_[i].count;
    }
    result_.run = std::move(run);
    return std::move(result_);
  }

 private:
  /// Leaves what the view shows now (hidden variables as in state_) in seen_.
  bool same_view(machine::Counters counters) {
    seen_ = state_;
    binding_->look(counters, seen_);
    return seen_ == state_;
  }

  /// Takes the first alternative that the model can follow and that leads where the machine is.
  /// What is wrong with each, when none does.
  std::vector<std::string> step(int event, std::int64_t count, machine::Counters counters) {
    const State before = state_;
    std::vector<std::string> problems;
    for (const std::string& name : binding_->missing_of(event)) {
      problems.push_back(fmt::format("the model has no command `{}`", name));
    }
    static const std::vector<std::vector<std::uint32_t>> kStutter(1);
    const auto alternatives =
        binding_->listed(event) ? binding_->alternatives_of(event) : std::span(kStutter);
    for (const std::vector<std::uint32_t>& sequence : alternatives) {
      state_ = before;
      auto problem = run(sequence, count);
      if (!problem && !same_view(counters)) {
        problem = sequence.empty()
                      ? fmt::format("the view moves though the model does not: {}", difference())
                      : fmt::format("[{}] leads elsewhere: {}", text_of(sequence), difference());
      }
      if (!problem) {
        account(sequence, count);
        return {};
      }
      problems.push_back(std::move(*problem));
    }
    return problems;
  }

  std::optional<std::string> run(const std::vector<std::uint32_t>& sequence, std::int64_t count) {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      const auto problem = stepper_.run(sequence[i], i + 1 == sequence.size() ? count : 1, state_);
      if (problem) return fmt::format("[{}]: {}", result_.commands[sequence[i]].command, *problem);
    }
    return std::nullopt;
  }

  void account(const std::vector<std::uint32_t>& sequence, std::int64_t count) {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      const std::int64_t times = i + 1 == sequence.size() ? count : 1;
      result_.model_steps += times;
      result_.commands[sequence[i]].count += times;
      if (estimate_) gaps_[sequence[i]].occurred(static_cast<double>(now_) * 1e-9);
    }
  }

  std::string text_of(const std::vector<std::uint32_t>& sequence) const {
    std::string text;
    for (const std::uint32_t command : sequence)
      text += (text.empty() ? "" : " ") + result_.commands[command].command;
    return text;
  }

  std::string difference() const {
    std::string text;
    for (std::size_t i = 0; i < state_.size(); ++i) {
      if (state_[i] == seen_[i]) continue;
      text += fmt::format("{}{}: model {}, machine {}", text.empty() ? "" : "; ",
                          binding_->model().variables[i].name, state_[i], seen_[i]);
    }
    return text;
  }

  std::string describe(const State& state) const {
    std::string text;
    for (std::size_t i = 0; i < state.size(); ++i) {
      text +=
          fmt::format("{}{}={}", i == 0 ? "" : " ", binding_->model().variables[i].name, state[i]);
    }
    return text;
  }

  void diverge(std::string what, std::vector<std::string> why) {
    ++result_.divergence_count;
    if (result_.divergences.size() < kMaxDivergences) {
      result_.divergences.push_back({step_, now_, std::move(what), std::move(why)});
    }
  }

  /// The time since the last event is exposure of every command enabled in the state held
  /// meanwhile.
  void expose(machine::Time now) {
    const double seconds = static_cast<double>(now - exposed_) * 1e-9;
    exposed_ = now;
    if (seconds <= 0) return;
    for (std::uint32_t i = 0; i < result_.commands.size(); ++i) {
      const auto enabled = stepper_.evaluator().enabled(i, state_);
      if (enabled && *enabled) result_.commands[i].exposure_s += seconds;
    }
  }

  std::unique_ptr<Binding> binding_;
  Stepper stepper_;
  bool estimate_;
  State state_, seen_;
  std::int64_t step_ = 0;
  machine::Time now_ = 0, exposed_ = 0;
  std::vector<Gaps> gaps_;
  std::vector<bool> unlisted_;
  Conformance result_;
};

}  // namespace

Result<Conformance, Diagnostics> conform(const Prepared& prepared, std::uint64_t seed,
                                         bool estimate) {
  auto binding = Binding::make(prepared);
  if (!binding) return fail(binding.error());
  if (prepared.scenario.view.empty()) {
    return fail(scenario_error(
        "E0915", "the scenario has no [view], so the model cannot be seen in the machine",
        prepared.scenario.source, {}));
  }
  Follower follower(prepared, std::move(*binding), estimate);
  auto run = simulate(prepared, seed, &follower,
                      [&follower](machine::Counters counters) { follower.start(counters); });
  if (!run) return fail(run.error());
  return follower.finish(std::move(*run));
}

Rate estimate_rate(std::int64_t count, double exposure_s) {
  if (!(exposure_s > 0)) return {};
  using Chi = boost::math::chi_squared;
  Rate rate;
  const double n = static_cast<double>(count);
  rate.per_second = n / exposure_s;
  rate.low = count > 0 ? boost::math::quantile(Chi(2 * n), 0.025) / 2 / exposure_s : 0;
  rate.high = boost::math::quantile(Chi(2 * n + 2), 0.975) / 2 / exposure_s;
  return rate;
}

}  // namespace brink

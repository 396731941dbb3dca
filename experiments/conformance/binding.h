// Binding: a policy model seen in a running machine.
//
// A scenario says which expression over the kernel's counters each model variable is (view), which
// commands a machine event stands for (events), and which guard each decision site asks
// (decisions). A variable without a view is hidden: it follows the model's own steps. Used by:
// conformance, and by the decider that lets the model decide in the kernel's place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/scenario/simulate.h"
#include "models/language/property.h"
#include "models/semantics/evaluator.h"
#include "models/semantics/program.h"

namespace brink {

using State = std::vector<std::int64_t>;

class Binding {
 public:
  /// Errors E0909 / E0915: names that do not exist in the model or the kernel, expressions that do
  /// not parse, a site that is decided by the model but has no guard.
  static Result<std::unique_ptr<Binding>, Diagnostics> make(const Prepared& prepared);

  const Model& model() const { return *model_; }
  const machine::KernelRow& kernel() const { return *kernel_; }

  /// The model's initial state with every viewed variable overwritten from the counters.
  State initial(machine::Counters counters);
  /// Overwrites the viewed variables of `state`.
  void look(machine::Counters counters, State& state);
  bool viewed(std::size_t variable) const { return view_[variable] >= 0; }

  /// What event `event` may stand for, the first that fits counting: sequences of commands, of
  /// which the last is repeated as often as the event. An empty sequence is a stuttering step.
  std::span<const std::vector<std::uint32_t>> alternatives_of(int event) const {
    return events_[event];
  }
  /// Names that the scenario gives the event and the model does not have.
  const std::vector<std::string>& missing_of(int event) const { return missing_[event]; }
  /// Does the scenario say anything about this event?
  bool listed(int event) const { return listed_[event]; }

  /// Has the site a guard in the model?
  bool has_guard(int site) const {
    return sites_[site].command != kNone || sites_[site].expression >= 0;
  }
  std::string guard_text(int site) const { return sites_[site].text; }
  /// Variables that the site's guard reads and no view shows; empty: it can be asked of counters
  /// alone.
  std::vector<std::string> hidden_in(int site) const;
  /// The model's answer at a site.
  bool answer(int site, const State& state);

 private:
  struct Site {
    std::uint32_t command = kNone;
    int expression = -1;
    std::vector<std::uint32_t> reads;  ///< variables
    std::string text;
  };
  explicit Binding(const Prepared& prepared);
  Result<void, Diagnostics> bind_view(const Prepared& prepared);
  Result<void, Diagnostics> bind_events(const Prepared& prepared);
  void bind_alternatives(const std::string& text, int event);
  Result<void, Diagnostics> bind_sites(const Prepared& prepared);

  ModelPtr model_;
  const machine::KernelRow* kernel_;
  Evaluator evaluator_;
  ExprEvaluator counters_;  ///< expressions over counters
  ExprEvaluator guards_;    ///< expressions over model variables
  std::vector<int> view_;   ///< per variable: number in counters_, -1 hidden
  std::vector<std::vector<std::vector<std::uint32_t>>> events_;
  std::vector<std::vector<std::string>> missing_;
  std::vector<bool> listed_;
  std::vector<Site> sites_;
};

/// Index of the command called `name`: the action of exactly one command, or MODULE#NUMBER.
std::optional<std::uint32_t> find_command(const Model& model, std::string_view name);
/// The name find_command would take.
std::string command_name(const Model& model, std::uint32_t command);

}  // namespace brink

#include "analytic/optimal_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/elimination.h"
#include "models/base/check.h"

namespace brink::analytic {

using Wide = OptimalEquations::Wide;

void OptimalEquations::end_choice(Wide constant_part, Wide outside_part) {
  Wide sum = outside_part;
  for (std::size_t k = begin.back(); k < entries.size(); ++k) sum += entries[k].value;
  BRINK_CHECK(sum > 0, "a choice that never leaves its state");
  begin.push_back(entries.size());
  constant.push_back(constant_part);
  outside.push_back(outside_part);
  leaving.push_back(sum);
}

Wide OptimalEquations::at(std::uint32_t choice, const std::vector<Wide>& x) const {
  Wide sum = constant[choice];
  for (const Entry& entry : row(choice)) sum += entry.value * x[entry.column];
  return sum / leaving[choice];
}

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
/// Components up to this size are given to policy iteration when sweeps are slow.
constexpr std::size_t policy_states = 20'000;
constexpr std::uint64_t sweeps_before_policies = 400;
constexpr int max_policies = 300;
constexpr std::size_t worth_roughness = 64;  ///< states of a component that is swept in doubles first
constexpr double settled = 1e-18;  ///< relative change of small components

Components components_of(const OptimalEquations& equations) {
  ChainBuilder builder(ChainKind::continuous);
  for (std::uint32_t s = 0; s < equations.size(); ++s) {
    for (std::uint32_t c = equations.first[s]; c < equations.first[s + 1]; ++c)
      for (const Entry& entry : equations.row(c)) builder.add(entry.column, entry.value);
    builder.end_row();
  }
  const auto chain = std::move(builder).finish();
  BRINK_CHECK(chain.has_value(), "rows of valid equations");
  return strong_components(*chain);
}

class Proposer {
 public:
  Proposer(const OptimalEquations& equations, Goal goal, const Effort& effort,
           const std::vector<Wide>& scale, std::vector<Wide> start, const SolveOptions& options)
      : equations_(equations),
        goal_(goal),
        effort_(effort),
        scale_(scale),
        options_(options),
        local_(equations.size(), nowhere) {
    out_.values = std::move(start);
    out_.values.resize(equations.size(), 0);
  }

  Proposal run() {
    for (const auto& members : components_of(equations_).members) {
      if (component(members)) {
        if (!rough_.empty())
          for (const std::uint32_t s : members) rough_[s] = static_cast<double>(out_.values[s]);
        continue;
      }
      out_.note = stopped(options_) ? "interrupted" : "the iteration does not settle";
      return std::move(out_);
    }
    out_.done = true;
    return std::move(out_);
  }

 private:
  bool better(Wide a, Wide b) const { return goal_ == Goal::maximise ? a > b : a < b; }

  /// The best choice at the present values; false when there is none.
  bool best(std::uint32_t s, Wide& value, std::uint32_t& choice) const {
    for (std::uint32_t c = equations_.first[s]; c < equations_.first[s + 1]; ++c) {
      const Wide at = equations_.at(c, out_.values);
      if (c > equations_.first[s] && !better(at, value)) continue;
      value = at;
      choice = c;
    }
    return equations_.first[s] < equations_.first[s + 1];
  }

  /// Updates one state; how much it moved relative to its scale.
  double update(std::uint32_t s) {
    Wide value = 0;
    std::uint32_t choice = 0;
    best(s, value, choice);
    const Wide change = std::abs(value - out_.values[s]);
    out_.values[s] = value;
    if (change == 0) return 0;
    const Wide scale = scale_.empty() ? std::abs(value) : scale_[s];
    return static_cast<double>(change / std::max(scale, std::numeric_limits<Wide>::min()));
  }

  /// Sweeps, forwards and backwards in turn, until nothing moves by more than `change`.
  bool sweep(std::span<const std::uint32_t> members, double change, std::uint64_t limit) {
    for (std::uint64_t i = 0; i < limit; ++i) {
      if (stopped(options_)) return false;
      double worst = 0;
      if (i % 2 == 0)
        for (const std::uint32_t s : members) worst = std::max(worst, update(s));
      else
        for (auto it = members.rbegin(); it != members.rend(); ++it)
          worst = std::max(worst, update(*it));
      ++out_.iterations;
      if (worst <= change) return true;
    }
    return false;
  }

  /// The same in doubles, as far as they tell: most sweeps need no more, and they cost a third.
  void sweep_roughly(std::span<const std::uint32_t> members, std::uint64_t limit) {
    if (rough_.empty()) start_roughly();
    const auto update_roughly = [&](std::uint32_t s) {
      double value = 0;
      for (std::uint32_t c = equations_.first[s]; c < equations_.first[s + 1]; ++c) {
        double sum = rough_constant_[c];
        for (const Entry& entry : equations_.row(c)) sum += entry.value * rough_[entry.column];
        const double at = sum * rough_share_[c];
        if (c == equations_.first[s] || (goal_ == Goal::maximise ? at > value : at < value))
          value = at;
      }
      const double change = std::abs(value - rough_[s]);
      rough_[s] = value;
      return change <= 0 ? 0 : change / std::max(value, std::numeric_limits<double>::min());
    };
    for (const std::uint32_t s : members) rough_[s] = static_cast<double>(out_.values[s]);
    constexpr double far = 1e-13;
    for (std::uint64_t i = 0; i < limit && !stopped(options_); ++i) {
      double worst = 0;
      if (i % 2 == 0)
        for (const std::uint32_t s : members) worst = std::max(worst, update_roughly(s));
      else
        for (auto it = members.rbegin(); it != members.rend(); ++it)
          worst = std::max(worst, update_roughly(*it));
      ++out_.iterations;
      if (worst <= far) break;
    }
    for (const std::uint32_t s : members) out_.values[s] = rough_[s];
  }

  void start_roughly() {
    rough_.assign(out_.values.begin(), out_.values.end());
    for (std::size_t c = 0; c < equations_.constant.size(); ++c) {
      rough_constant_.push_back(static_cast<double>(equations_.constant[c]));
      rough_share_.push_back(static_cast<double>(1 / equations_.leaving[c]));
    }
  }

  bool component(std::span<const std::uint32_t> members) {
    if (members.size() == 1) {
      update(members.front());
      out_.method = std::max(out_.method, Method::elimination);  // one division
      return true;
    }
    const bool small = members.size() <= policy_states;
    const double change = scale_.empty() && small ? settled : effort_.change;
    out_.method = std::max(out_.method, Method::gauss_seidel);
    if (members.size() >= worth_roughness)
      sweep_roughly(members, small ? sweeps_before_policies : options_.max_sweeps);
    const bool quick = sweep(members, change, small ? sweeps_before_policies : options_.max_sweeps);
    if (quick && !(small && effort_.policies)) return true;
    if (stopped(options_) || !small) return false;
    const std::vector<Wide> before = out_.values;
    if (policies(members)) return true;
    out_.values = before;
    return !stopped(options_) && sweep(members, change, options_.max_sweeps);
  }

  /// A first strategy that leaves the component surely.
  std::vector<std::uint32_t> first_policy(std::span<const std::uint32_t> members) const {
    std::vector<std::uint32_t> policy(members.size(), nowhere);
    if (!equations_.may_stay) {
      Wide value = 0;
      for (std::size_t i = 0; i < members.size(); ++i) best(members[i], value, policy[i]);
      return policy;
    }
    // Towards the exits, layer by layer.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (policy[i] != nowhere) continue;
        const std::uint32_t s = members[i];
        for (std::uint32_t c = equations_.first[s]; c < equations_.first[s + 1]; ++c) {
          bool leads = equations_.outside[c] > 0;
          for (const Entry& entry : equations_.row(c)) {
            const std::uint32_t j = local_[entry.column];
            leads = leads || j == nowhere || policy[j] != nowhere;
          }
          if (!leads) continue;
          policy[i] = c;
          changed = true;
          break;
        }
      }
    }
    return policy;
  }

  BalanceSystem chain_of(const std::vector<std::uint32_t>& policy) const {
    BalanceSystem system;
    std::vector<double> right;
    for (const std::uint32_t c : policy) {
      Wide exit = equations_.outside[c], r = equations_.constant[c];
      for (const Entry& entry : equations_.row(c)) {
        if (const std::uint32_t j = local_[entry.column]; j != nowhere) {
          system.column.push_back(j);
          system.rate.push_back(entry.value);
        } else {
          exit += entry.value;
          r += entry.value * out_.values[entry.column];
        }
      }
      system.begin.push_back(system.column.size());
      system.exit.push_back(static_cast<double>(exit));
      right.push_back(static_cast<double>(r));
    }
    system.right = {std::move(right)};
    return system;
  }

  /// Values of a policy; with `refine` corrected once by the defect in extended precision.
  bool evaluate(std::span<const std::uint32_t> members, const std::vector<std::uint32_t>& policy,
                bool refine) {
    BalanceSystem system = chain_of(policy);
    const EliminationResult first = eliminate(system, options_);
    if (!first.done) return false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!std::isfinite(first.values[0][i])) return false;
      out_.values[members[i]] = first.values[0][i];
    }
    if (!refine) return true;
    std::vector<double> more(members.size(), 0), less(members.size(), 0);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Wide defect = (equations_.at(policy[i], out_.values) - out_.values[members[i]]) *
                          equations_.leaving[policy[i]];
      (defect > 0 ? more : less)[i] = static_cast<double>(std::abs(defect));
    }
    system.right = {std::move(more), std::move(less)};
    const EliminationResult second = eliminate(system, options_);
    if (!second.done) return true;
    for (std::size_t i = 0; i < members.size(); ++i)
      out_.values[members[i]] += static_cast<Wide>(second.values[0][i]) - second.values[1][i];
    return true;
  }

  bool policies(std::span<const std::uint32_t> members) {
    for (std::uint32_t i = 0; i < members.size(); ++i) local_[members[i]] = i;
    const bool done = improve(members);
    for (const std::uint32_t s : members) local_[s] = nowhere;
    if (done) out_.method = std::max(out_.method, Method::elimination);
    return done;
  }

  bool improve(std::span<const std::uint32_t> members) {
    std::vector<std::uint32_t> policy = first_policy(members);
    if (std::find(policy.begin(), policy.end(), nowhere) != policy.end()) return false;
    bool fine = false;
    for (int round = 0; round < max_policies; ++round) {
      if (stopped(options_) || !evaluate(members, policy, fine)) return false;
      bool changed = false;
      for (std::size_t i = 0; i < members.size(); ++i) {
        Wide value = 0;
        std::uint32_t choice = policy[i];
        best(members[i], value, choice);
        const Wide own = equations_.at(policy[i], out_.values);
        if (std::abs(value - own) <= (fine ? 1e-17L : 1e-13L) * std::abs(own)) continue;
        policy[i] = choice;
        changed = true;
      }
      if (!changed && fine) return true;
      fine = fine || !changed;
    }
    return true;  // the last policy's values; whether they will do is for the proof to say
  }

  const OptimalEquations& equations_;
  Goal goal_;
  const Effort& effort_;
  const std::vector<Wide>& scale_;
  const SolveOptions& options_;
  std::vector<double> rough_, rough_constant_, rough_share_;  ///< of sweep_roughly, once it has run
  std::vector<std::uint32_t> local_;  ///< number of a state in the component at hand
  Proposal out_;
};

}  // namespace

Proposal propose(const OptimalEquations& equations, Goal goal, const Effort& effort,
                 const std::vector<long double>& scale, std::vector<long double> start,
                 const SolveOptions& options) {
  return Proposer(equations, goal, effort, scale, std::move(start), options).run();
}

}  // namespace brink::analytic

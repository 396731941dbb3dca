#include "analytic/product.h"

#include <fmt/core.h>

#include <unordered_map>

#include "models/base/check.h"

namespace brink::analytic {
namespace {

/// Numbers of the product's states, in the order in which they are found.
class Numbering {
 public:
  Numbering(const Letters& letters, const Watcher& watcher, const StateSet& wanted,
            const SolveOptions& options, ProductStates& out)
      : letters_(letters), watcher_(watcher), options_(options), out_(out) {
    out_.start.assign(wanted.size(), ProductStates::none);
    for (std::uint32_t s = 0; s < wanted.size(); ++s)
      if (wanted[s]) out_.start[s] = number(s, watcher_.initial);
  }

  std::uint32_t number(std::uint32_t state, std::uint32_t automaton) {
    const auto [place, fresh] =
        index_.emplace(static_cast<std::uint64_t>(automaton) << 32 | state, size());
    if (fresh) {
      out_.model.push_back(state);
      automaton_.push_back(automaton);
    }
    return place->second;
  }

  /// Reads the letter of product state p; the automaton's next state.
  std::uint32_t read(std::uint32_t p) {
    const auto [next, marks] = watcher_.step(automaton_[p], letters_[out_.model[p]]);
    out_.marks.push_back(marks);
    return next;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(out_.model.size()); }

  std::string limit(std::size_t entries) const {
    if (stopped(options_)) return "interrupted";
    constexpr std::uint64_t bytes_of_state = 80, bytes_of_entry = sizeof(Entry);
    if (options_.bytes != 0 && size() * bytes_of_state + entries * bytes_of_entry > options_.bytes)
      return fmt::format("memory limit of {} bytes reached by the product with the automaton",
                         options_.bytes);
    return size() > 0xf0000000u ? "a product of more states than 32-bit numbers" : "";
  }

 private:
  const Letters& letters_;
  const Watcher& watcher_;
  const SolveOptions& options_;
  ProductStates& out_;
  std::vector<std::uint32_t> automaton_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

constexpr std::uint32_t states_between_checks = 4096;

}  // namespace

Solution ProductStates::at_starts(Solution solution) const {
  if (!solution.converged) return solution;
  std::vector<double> values(start.size(), 0), bounds(start.size(), 0);
  for (std::size_t s = 0; s < start.size(); ++s) {
    if (start[s] == none) continue;
    values[s] = solution.values[start[s]];
    bounds[s] = solution.bounds[start[s]];
  }
  solution.values = std::move(values);
  solution.bounds = std::move(bounds);
  return solution;
}

Result<ChainProduct, std::string> product(const Chain& chain, const Letters& letters,
                                          const Watcher& watcher, const StateSet& wanted,
                                          const SolveOptions& options) {
  ChainProduct out;
  Numbering numbering(letters, watcher, wanted, options, out);
  ChainBuilder builder(chain.kind());
  std::size_t entries = 0;
  for (std::uint32_t p = 0; p < numbering.size(); ++p) {
    if (p % states_between_checks == 0)
      if (std::string why = numbering.limit(entries); !why.empty()) return fail(std::move(why));
    const std::uint32_t s = out.model[p], next = numbering.read(p);
    double all = 0;
    for (const Entry& entry : chain.row(s)) {
      builder.add(numbering.number(entry.column, next), entry.value);
      all += entry.value;
    }
    entries += chain.row(s).size();
    if (all == 0) builder.add(numbering.number(s, next), 1);
    builder.end_row();
  }
  auto made = std::move(builder).finish();
  BRINK_CHECK(made.has_value(), "rows of a valid chain");
  out.chain = std::move(*made);
  return out;
}

Result<DecisionProduct, std::string> product(const DecisionProcess& process, const Letters& letters,
                                             const Watcher& watcher, const StateSet& wanted,
                                             const SolveOptions& options) {
  DecisionProduct out;
  Numbering numbering(letters, watcher, wanted, options, out);
  DecisionBuilder builder;
  std::size_t entries = 0;
  for (std::uint32_t p = 0; p < numbering.size(); ++p) {
    if (p % states_between_checks == 0)
      if (std::string why = numbering.limit(entries); !why.empty()) return fail(std::move(why));
    const std::uint32_t s = out.model[p], next = numbering.read(p);
    for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
      for (const Entry& entry : process.row(c))
        builder.add(numbering.number(entry.column, next), entry.value);
      entries += process.row(c).size();
      builder.end_choice();
      out.choice.push_back(c);
    }
    builder.end_state();
  }
  auto made = std::move(builder).finish();
  BRINK_CHECK(made.has_value(), "rows of a valid process");
  out.process = std::move(*made);
  return out;
}

}  // namespace brink::analytic

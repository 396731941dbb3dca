#include "analytic/graph.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/base/check.h"

namespace brink::analytic {
namespace {

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

/// The state of one depth-first search; `visit` runs it from one root.
struct Tarjan {
  const Chain& chain;
  Components& out;
  std::vector<std::uint32_t> number;
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> open;  ///< states whose component is not closed yet
  struct Frame {
    std::uint32_t state;
    std::size_t next;
  };
  std::vector<Frame> frames;
  std::uint32_t counter = 0;

  void enter(std::uint32_t state) {
    number[state] = low[state] = counter++;
    open.push_back(state);
    frames.push_back({state, 0});
  }

  void close(std::uint32_t root) {
    const auto component = static_cast<std::uint32_t>(out.members.size());
    for (std::uint32_t state = unseen; state != root;) {
      state = open.back();
      open.pop_back();
      out.of[state] = component;
      out.members.push(state);
    }
    out.members.end_list();
  }

  void visit(std::uint32_t root) {
    enter(root);
    while (!frames.empty()) {
      const std::uint32_t state = frames.back().state;
      const auto row = chain.row(state);
      if (frames.back().next < row.size()) {
        const std::uint32_t to = row[frames.back().next++].column;
        if (number[to] == unseen)
          enter(to);
        else if (out.of[to] == unseen)
          low[state] = std::min(low[state], number[to]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        std::uint32_t& parent_low = low[frames.back().state];
        parent_low = std::min(parent_low, low[state]);
      }
      if (low[state] == number[state]) close(state);
    }
  }
};

/// Predecessors in CSR form.
struct Backward {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> from;

  explicit Backward(const Chain& chain) : begin(chain.size() + 1, 0) {
    for (std::uint32_t s = 0; s < chain.size(); ++s)
      for (const Entry& entry : chain.row(s)) ++begin[entry.column + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    from.resize(chain.entry_count());
    auto next = begin;
    for (std::uint32_t s = 0; s < chain.size(); ++s)
      for (const Entry& entry : chain.row(s)) from[next[entry.column]++] = s;
  }
};

/// Backward closure of `reached` along states of `through`.
void close_backward(const Backward& backward, const StateSet& through, StateSet& reached) {
  std::vector<std::uint32_t> work;
  for (std::uint32_t s = 0; s < reached.size(); ++s)
    if (reached[s]) work.push_back(s);
  while (!work.empty()) {
    const std::uint32_t state = work.back();
    work.pop_back();
    for (std::size_t k = backward.begin[state]; k < backward.begin[state + 1]; ++k) {
      const std::uint32_t before = backward.from[k];
      if (reached[before] || !through[before]) continue;
      reached[before] = true;
      work.push_back(before);
    }
  }
}

}  // namespace

Components strong_components(const Chain& chain) {
  Components out;
  out.of.assign(chain.size(), unseen);
  Tarjan search{chain,
                out,
                std::vector<std::uint32_t>(chain.size(), unseen),
                std::vector<std::uint32_t>(chain.size(), 0),
                {},
                {},
                0};
  for (std::uint32_t s = 0; s < chain.size(); ++s)
    if (search.number[s] == unseen) search.visit(s);
  out.bottom.assign(out.members.size(), true);
  for (std::uint32_t s = 0; s < chain.size(); ++s)
    for (const Entry& entry : chain.row(s))
      if (out.of[entry.column] != out.of[s]) out.bottom[out.of[s]] = false;
  return out;
}

std::uint32_t period(const Chain& chain, const Components& components, std::uint32_t component) {
  const auto members = components.members[component];
  BRINK_CHECK(!members.empty());
  std::vector<std::uint32_t> depth(chain.size(), unseen);
  std::vector<std::uint32_t> queue{members.front()};
  depth[members.front()] = 0;
  std::uint32_t gcd = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t state = queue[head];
    for (const Entry& entry : chain.row(state)) {
      if (components.of[entry.column] != component) continue;
      if (depth[entry.column] == unseen) {
        depth[entry.column] = depth[state] + 1;
        queue.push_back(entry.column);
      } else {
        const auto a = static_cast<std::int64_t>(depth[state]) + 1;
        const auto b = static_cast<std::int64_t>(depth[entry.column]);
        gcd = std::gcd(gcd, static_cast<std::uint32_t>(std::abs(a - b)));
      }
    }
  }
  return gcd == 0 ? 1 : gcd;
}

StateSet can_reach(const Chain& chain, const StateSet& through, const StateSet& target) {
  BRINK_CHECK(through.size() == chain.size() && target.size() == chain.size());
  StateSet reached = target;
  close_backward(Backward(chain), through, reached);
  return reached;
}

Sure qualitative(const Chain& chain, const StateSet& through, const StateSet& target) {
  BRINK_CHECK(through.size() == chain.size() && target.size() == chain.size());
  const Backward backward(chain);
  StateSet reached = target;
  close_backward(backward, through, reached);
  Sure sure;
  sure.never = reached;
  sure.never.flip();
  // What can fall into a `never` state without meeting the target first is not sure.
  StateSet undecided_states(chain.size());
  for (std::uint32_t s = 0; s < chain.size(); ++s) undecided_states[s] = through[s] && !target[s];
  sure.surely = sure.never;
  close_backward(backward, undecided_states, sure.surely);
  sure.surely.flip();
  return sure;
}

}  // namespace brink::analytic

#include "solver/search/traps.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>
#include <vector>

#include "models/base/check.h"

namespace brink::solver {

DoomedStates survey_traps(const StateGraph& graph, const StateSet& closed) {
  using Graph =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                         boost::no_property, std::uint32_t, std::uint64_t>;
  std::vector<std::uint32_t> local(graph.size(), kNoState);
  std::vector<std::uint32_t> states;
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    if (closed[s] != 0) {
      local[s] = static_cast<std::uint32_t>(states.size());
      states.push_back(s);
    }
  DoomedStates out;
  out.count = states.size();
  if (states.empty()) return out;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const std::uint32_t s : states)
    for (const std::uint32_t to : graph.successors(s)) {
      BRINK_CHECK(closed[to] != 0, "the set of states is not closed");
      edges.emplace_back(local[s], local[to]);
    }
  const auto count = static_cast<std::uint32_t>(states.size());
  const Graph sub(boost::edges_are_sorted, edges.begin(), edges.end(), count);
  std::vector<std::uint32_t> component(count);
  const auto index = get(boost::vertex_index, sub);
  const std::uint32_t components =
      boost::strong_components(sub, boost::make_iterator_property_map(component.begin(), index));
  std::vector<std::uint64_t> sizes(components, 0);
  std::vector<bool> bottom(components, true);
  for (const std::uint32_t c : component) ++sizes[c];
  for (const auto& [from, to] : edges)
    if (component[from] != component[to]) bottom[component[from]] = false;
  for (std::uint32_t c = 0; c < components; ++c) {
    if (!bottom[c]) continue;
    ++out.traps;
    out.smallest_trap = out.smallest_trap == 0 ? sizes[c] : std::min(out.smallest_trap, sizes[c]);
  }
  return out;
}

}  // namespace brink::solver

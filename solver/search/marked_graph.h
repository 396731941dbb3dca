// MarkedGraph: a directed graph whose edges carry marks, and the question every kind of liveness
// comes down to: is there a cycle that meets these marks? Used by: LTL, fairness.
//
// Acceptance is generalised Büchi (each mark of `always` is met again and again) and Streett (who
// meets `request` again and again meets `grant`, too), both on edges, 64 marks in all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace brink::solver {

struct MarkedGraph {
  std::vector<std::uint64_t> begin{0};  ///< CSR; one more than there are nodes
  std::vector<std::uint32_t> to;
  std::vector<std::uint64_t> marks;  ///< of each edge

  std::uint32_t size() const { return static_cast<std::uint32_t>(begin.size() - 1); }
  std::uint64_t bytes() const {
    return (begin.size() + marks.size()) * sizeof(std::uint64_t) + to.size() * sizeof(to[0]);
  }
};

/// Single marks.
struct Promise {
  std::uint64_t request = 0, grant = 0;
};

struct CycleCondition {
  std::uint64_t always = 0;       ///< all of these
  std::vector<Promise> promises;  ///< and each of these
};

/// A strongly connected part in which some cycle through all its edges meets the condition.
struct AcceptingPart {
  std::vector<std::uint32_t> nodes;  ///< increasing
  std::uint64_t removed = 0;         ///< edges with one of these marks are not part of it
};

/// All maximal ones, in a fixed order. Emerson & Lei (LICS 1986): strong components; where one
/// meets a request and not its grant, the requests are taken out and it is taken apart again.
std::vector<AcceptingPart> accepting_parts(const MarkedGraph& graph,
                                           const CycleCondition& condition);

/// Nodes from which one of the parts can be reached.
std::vector<std::uint8_t> reaching(const MarkedGraph& graph, std::span<const AcceptingPart> parts);

/// A walk along edges, given by their indices; the first begins in `start`.
struct Walk {
  std::uint32_t start = 0;
  std::vector<std::uint64_t> edges;
};

/// A shortest walk from one of `starts` to a node of one of the parts.
struct WayIn {
  Walk walk;
  std::size_t part = 0;
};
std::optional<WayIn> shortest_way_in(const MarkedGraph& graph,
                                     std::span<const std::uint32_t> starts,
                                     std::span<const AcceptingPart> parts);

/// The walks of one part that a cycle is put together from.
class PartWalker {
 public:
  PartWalker(const MarkedGraph& graph, const AcceptingPart& part);

  /// Does some edge of the part have that mark?
  bool has(std::uint64_t mark) const { return (all_marks_ & mark) != 0; }
  /// A shortest walk within the part from `from` whose last edge has the mark. BRINK_CHECK: has().
  std::vector<std::uint64_t> to_mark(std::uint32_t from, std::uint64_t mark);
  /// A shortest walk of at least `least` (0 or 1) edges within the part between two of its nodes.
  std::vector<std::uint64_t> to_node(std::uint32_t from, std::uint32_t to, std::size_t least);

 private:
  template <typename Goal>
  std::vector<std::uint64_t> search(std::uint32_t from, Goal&& goal);

  const MarkedGraph& graph_;
  std::uint64_t removed_;
  std::uint64_t all_marks_ = 0;
  std::vector<std::uint8_t> inside_;
};

}  // namespace brink::solver

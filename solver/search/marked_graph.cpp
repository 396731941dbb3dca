#include "solver/search/marked_graph.h"

#include <algorithm>
#include <limits>

#include "models/base/check.h"

namespace brink::solver {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// A set of nodes that is still to be taken apart, and the marks whose edges are gone.
struct Piece {
  std::vector<std::uint32_t> nodes;
  std::uint64_t removed = 0;
};

/// Strong components of pieces of a graph (Tarjan 1972, with a stack of its own: models are deep).
class Components {
 public:
  explicit Components(const MarkedGraph& graph)
      : graph_(graph),
        piece_(graph.size(), kNone),
        order_(graph.size(), kNone),
        low_(graph.size()) {}

  /// Calls `found` with the nodes of each component of the piece.
  template <typename F>
  void of(const Piece& piece, F&& found) {
    ++number_;
    for (const std::uint32_t node : piece.nodes) {
      piece_[node] = number_;
      order_[node] = kNone;
    }
    counter_ = 0;
    for (const std::uint32_t node : piece.nodes)
      if (order_[node] == kNone) visit(node, piece.removed, found);
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::uint64_t edge;
  };

  void enter(std::uint32_t node) {
    order_[node] = low_[node] = counter_++;
    stack_.push_back(node);
    frames_.push_back({node, graph_.begin[node]});
  }

  template <typename F>
  void visit(std::uint32_t root, std::uint64_t removed, F& found) {
    enter(root);
    while (!frames_.empty()) {
      const std::uint32_t node = frames_.back().node;
      if (frames_.back().edge < graph_.begin[node + std::size_t{1}]) {
        const std::uint64_t edge = frames_.back().edge++;
        const std::uint32_t to = graph_.to[edge];
        if ((graph_.marks[edge] & removed) != 0 || piece_[to] != number_) continue;
        if (order_[to] == kNone)
          enter(to);
        else
          low_[node] = std::min(low_[node], order_[to]);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty())
        low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
      if (low_[node] != order_[node]) continue;
      const auto first = std::find(stack_.rbegin(), stack_.rend(), node).base() - 1;
      std::vector<std::uint32_t> nodes(first, stack_.end());
      stack_.erase(first, stack_.end());
      for (const std::uint32_t member : nodes) piece_[member] = kNone;  // done with
      std::sort(nodes.begin(), nodes.end());
      found(std::move(nodes));
    }
  }

  const MarkedGraph& graph_;
  std::vector<std::uint32_t> piece_, order_, low_;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::uint32_t counter_ = 0, number_ = 0;
};

/// The marks of the edges inside, and whether there is one at all.
struct Inside {
  std::uint64_t marks = 0;
  bool any = false;
};

Inside inside(const MarkedGraph& graph, const std::vector<std::uint32_t>& nodes,
              std::uint64_t removed, std::vector<std::uint8_t>& member) {
  for (const std::uint32_t node : nodes) member[node] = 1;
  Inside out;
  for (const std::uint32_t node : nodes)
    for (std::uint64_t e = graph.begin[node]; e < graph.begin[node + std::size_t{1}]; ++e) {
      if ((graph.marks[e] & removed) != 0 || member[graph.to[e]] == 0) continue;
      out.marks |= graph.marks[e];
      out.any = true;
    }
  for (const std::uint32_t node : nodes) member[node] = 0;
  return out;
}

}  // namespace

std::vector<AcceptingPart> accepting_parts(const MarkedGraph& graph,
                                           const CycleCondition& condition) {
  std::vector<AcceptingPart> parts;
  std::vector<std::uint8_t> member(graph.size(), 0);
  Components components(graph);
  std::vector<Piece> work(1);
  for (std::uint32_t node = 0; node < graph.size(); ++node) work[0].nodes.push_back(node);
  while (!work.empty()) {
    const Piece piece = std::move(work.back());
    work.pop_back();
    components.of(piece, [&](std::vector<std::uint32_t> nodes) {
      const Inside met = inside(graph, nodes, piece.removed, member);
      if (!met.any || (met.marks & condition.always) != condition.always) return;
      std::uint64_t broken = 0;
      for (const Promise& promise : condition.promises)
        if ((met.marks & promise.request) != 0 && (met.marks & promise.grant) == 0)
          broken |= promise.request;
      if (broken == 0)
        parts.push_back({std::move(nodes), piece.removed});
      else
        work.push_back({std::move(nodes), piece.removed | broken});
    });
  }
  std::sort(parts.begin(), parts.end(), [](const AcceptingPart& a, const AcceptingPart& b) {
    return a.nodes.front() < b.nodes.front();
  });
  return parts;
}

std::vector<std::uint8_t> reaching(const MarkedGraph& graph, std::span<const AcceptingPart> parts) {
  // Edges by target.
  std::vector<std::uint64_t> begin(graph.size() + std::size_t{2}, 0);
  for (const std::uint32_t to : graph.to) ++begin[to + std::size_t{2}];
  for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<std::uint32_t> from(graph.to.size());
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    for (std::uint64_t e = graph.begin[node]; e < graph.begin[node + std::size_t{1}]; ++e)
      from[begin[graph.to[e] + std::size_t{1}]++] = node;
  std::vector<std::uint8_t> reached(graph.size(), 0);
  std::vector<std::uint32_t> work;
  const auto reach = [&](std::uint32_t node) {
    if (reached[node] != 0) return;
    reached[node] = 1;
    work.push_back(node);
  };
  for (const AcceptingPart& part : parts)
    for (const std::uint32_t node : part.nodes) reach(node);
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    for (std::uint64_t e = begin[node]; e < begin[node + std::size_t{1}]; ++e) reach(from[e]);
  }
  return reached;
}

std::optional<WayIn> shortest_way_in(const MarkedGraph& graph,
                                     std::span<const std::uint32_t> starts,
                                     std::span<const AcceptingPart> parts) {
  std::vector<std::uint32_t> part_of(graph.size(), kNone);
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const std::uint32_t node : parts[p].nodes) part_of[node] = static_cast<std::uint32_t>(p);
  std::vector<std::uint32_t> before(graph.size(), kNone);
  std::vector<std::uint64_t> by(graph.size(), 0);
  std::vector<std::uint32_t> queue;
  for (const std::uint32_t start : starts) {
    if (before[start] != kNone) continue;
    before[start] = start;
    queue.push_back(start);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t node = queue[head];
    if (part_of[node] != kNone) {
      WayIn out;
      out.part = part_of[node];
      std::uint32_t at = node;
      for (; before[at] != at; at = before[at]) out.walk.edges.push_back(by[at]);
      std::reverse(out.walk.edges.begin(), out.walk.edges.end());
      out.walk.start = at;
      return out;
    }
    for (std::uint64_t e = graph.begin[node]; e < graph.begin[node + std::size_t{1}]; ++e) {
      const std::uint32_t to = graph.to[e];
      if (before[to] != kNone) continue;
      before[to] = node;
      by[to] = e;
      queue.push_back(to);
    }
  }
  return std::nullopt;
}

PartWalker::PartWalker(const MarkedGraph& graph, const AcceptingPart& part)
    : graph_(graph), removed_(part.removed), inside_(graph.size(), 0) {
  std::vector<std::uint8_t> member(graph.size(), 0);
  all_marks_ = inside(graph, part.nodes, part.removed, member).marks;
  for (const std::uint32_t node : part.nodes) inside_[node] = 1;
}

template <typename Goal>
std::vector<std::uint64_t> PartWalker::search(std::uint32_t from, Goal&& goal) {
  struct Visit {
    std::uint32_t node;
    std::size_t before;
    std::uint64_t by;
  };
  std::vector<std::uint8_t> seen(graph_.size(), 0);
  std::vector<Visit> queue{{from, 0, 0}};
  seen[from] = 1;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t node = queue[head].node;
    for (std::uint64_t e = graph_.begin[node]; e < graph_.begin[node + std::size_t{1}]; ++e) {
      const std::uint32_t to = graph_.to[e];
      if ((graph_.marks[e] & removed_) != 0 || inside_[to] == 0) continue;
      if (goal(e)) {
        std::vector<std::uint64_t> walk{e};
        for (std::size_t at = head; at != 0; at = queue[at].before) walk.push_back(queue[at].by);
        std::reverse(walk.begin(), walk.end());
        return walk;
      }
      if (seen[to] != 0) continue;
      seen[to] = 1;
      queue.push_back({to, head, e});
    }
  }
  BRINK_CHECK(false, "a part that is not strongly connected");
  return {};
}

std::vector<std::uint64_t> PartWalker::to_mark(std::uint32_t from, std::uint64_t mark) {
  BRINK_CHECK(has(mark));
  return search(from, [&](std::uint64_t e) { return (graph_.marks[e] & mark) != 0; });
}

std::vector<std::uint64_t> PartWalker::to_node(std::uint32_t from, std::uint32_t to,
                                               std::size_t least) {
  if (from == to && least == 0) return {};
  return search(from, [&](std::uint64_t e) { return graph_.to[e] == to; });
}

}  // namespace brink::solver

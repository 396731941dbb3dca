// StateSearch: the breadth-first search that fills a state graph; not part of the public interface.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "models/semantics/batch.h"
#include "solver/search/crew.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

/// One thread's share of a chunk: consecutive states and where their successors went.
struct SearchPart {
  BatchExpander expander;
  std::unique_ptr<Watch> watch;

  std::uint32_t first = 0, last = 0;  ///< the states to expand
  std::uint32_t done = 0;             ///< how many were
  std::vector<std::uint32_t> ends;    ///< for each of them, successors so far
  std::optional<SemanticError> error;
  std::uint32_t found = kNoState;   ///< first state that the search looks out for
  std::uint32_t faulty = kNoState;  ///< first one where the watch could not be evaluated

  /// Successors that belong to one shard of the table, in order: the first `count` of them.
  struct Share {
    std::vector<std::uint64_t> words;
    std::vector<std::uint32_t> at;  ///< positions within the part
    std::size_t count = 0;
    std::vector<std::uint32_t> numbers;
  };
  std::vector<Share> shares;
  /// States of one word found lately, by a piece of a hash; all are in the table or in a share.
  std::vector<std::uint64_t> recent;
  std::vector<std::uint32_t> numbers;  ///< of all successors, when they are only looked up

  std::uint32_t successors() const { return ends.empty() ? 0 : ends.back(); }
};

class StateSearch {
 public:
  StateSearch(StateGraph& graph, const Limits& limits, const SearchFor& wanted);
  void run();

 private:
  struct Cut {
    std::uint32_t states = 0;      ///< of the chunk that count as expanded
    std::uint64_t successors = 0;  ///< of those
    const SearchPart* failed = nullptr;
  };

  void plan(std::uint32_t first, std::uint32_t end);
  void each_part(const std::function<void(unsigned)>& work);
  void each_shard(const std::function<void(unsigned)>& work);
  void expand(SearchPart& part);
  void watch(SearchPart& part, std::uint32_t first, std::size_t count);
  bool shared() const;
  bool drops_recent() const;
  void forget_recent();
  void share_out(SearchPart& part, std::uint32_t offset, std::size_t successors);
  void share_out_words(SearchPart& part, std::uint32_t offset, std::size_t successors);
  bool enter();
  Cut gather();
  Cut commit(std::uint32_t first);
  void number();
  void append_edges(std::uint32_t states);
  void notice(const Cut& cut, std::uint32_t first);
  void add_edges_of_old_states();
  void explore();
  void show();
  bool over_limit();
  bool stop_early();
  double elapsed() const;

  StateGraph& graph_;
  const Limits& limits_;
  const SearchFor& wanted_;
  std::chrono::steady_clock::time_point start_;
  double next_look_ = 0;
  Crew crew_;
  std::vector<SearchPart> parts_;
  std::uint32_t active_ = 1;            ///< parts of the chunk at hand
  std::vector<std::uint32_t> offsets_;  ///< of the parts' successors among the chunk's
  std::vector<std::uint32_t> ends_;     ///< of the whole chunk
  std::vector<std::uint32_t> numbers_;  ///< of the chunk's successors, for edges
};

}  // namespace brink::solver

// The search, chunk by chunk: expand a run of consecutive states, enter their successors into the
// table, number the new ones, store what is asked for.
//
// With several threads a chunk is cut into one part a thread for expanding, and into one share a
// shard for entering; between the two every thread waits for all others, so nothing is locked. New
// states are numbered by one thread in the order of their positions, which makes the result that
// of one thread. A chunk may be cut off at a state (an error, a limit, too many successors): what
// was entered beyond the cut is taken out again, and the search goes on, or ends, exactly there.
//
// Breadth first, a state is found again soon: where numbers of successors do not matter, each part
// remembers a few states found lately, and a third of the successors of the page frames never get
// as far as the table (half with a memory 16 times as large, no faster).
//
// Not done, and why: a queue of levels (the numbers are the queue).
#include "solver/search/state_search.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/base/check.h"

namespace brink::solver {
namespace {

/// Threads are woken when there is this part of a whole chunk to do.
constexpr std::uint32_t worth_sharing = 4;
/// A part ends when it has so many successors.
constexpr std::uint32_t most_successors = 1u << 20;
/// States that a part remembers: 2 to the power of this.
constexpr unsigned recent_bits = 12;

inline std::size_t recent_place(std::uint64_t state) {
  return static_cast<std::size_t>((state * 0xc4ceb9fe1a85ec53ULL) >> (64 - recent_bits));
}

/// Each place gets a word that does not belong there.
void forget(std::vector<std::uint64_t>& recent) {
  recent.assign(std::size_t{1} << recent_bits, 0);
  std::uint64_t other = 1;
  while (recent_place(other) == recent_place(0)) ++other;
  recent[recent_place(0)] = other;
}

}  // namespace

StateSearch::StateSearch(StateGraph& graph, const Limits& limits, const SearchFor& wanted)
    : graph_(graph),
      limits_(limits),
      wanted_(wanted),
      start_(std::chrono::steady_clock::now()),
      crew_(graph.table_.shards()) {}

double StateSearch::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool StateSearch::over_limit() {
  std::string& reason = graph_.reason_;
  const std::uint64_t most_bytes = limits_.bytes != 0 ? limits_.bytes : default_memory_limit();
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed))
    reason = "interrupted";
  else if (limits_.states != 0 && graph_.size() > limits_.states)
    reason = fmt::format("limit of {} states reached", limits_.states);
  else if (graph_.size() >= StateTable::kMaxStates - (1u << 26))
    reason = "more states than 32-bit numbers";
  else if (limits_.seconds != 0 && elapsed() > limits_.seconds)
    reason = fmt::format("time limit of {} s reached", limits_.seconds);
  else if (graph_.bytes() > most_bytes)
    reason = fmt::format("memory limit of {} bytes reached", most_bytes);
  return !reason.empty();
}

bool StateSearch::stop_early() {
  const LookOut* const look_out = wanted_.look_out;
  if (look_out == nullptr || !look_out->seen() || graph_.expanded_ < kPatience) return false;
  graph_.reason_ = "the search ended early, at a state that decides";
  return true;
}

void StateSearch::run() {
  explore();
  if (limits_.monitor != nullptr && !graph_.error_) limits_.monitor->look(graph_, true);
}

void StateSearch::show() {
  if (limits_.monitor == nullptr || elapsed() < next_look_) return;
  limits_.monitor->look(graph_, false);
  next_look_ = elapsed() + limits_.monitor->every_seconds;
}

void StateSearch::explore() {
  graph_.table_.want_numbers(wanted_.edges);
  if (wanted_.edges) {
    if (graph_.edges_.begin.size() == 0) graph_.edges_.begin.push_back(0);
    add_edges_of_old_states();
    if (!graph_.reason_.empty()) return;
  }
  while (graph_.expanded_ < graph_.size()) {
    if (stop_early() || over_limit()) return;
    show();
    const std::uint32_t first = graph_.expanded_;
    plan(first, graph_.size());
    const auto expand_part = [&](unsigned i) { expand(parts_[i]); };
    each_part(expand_part);
    if (!enter()) return;
    const Cut cut = commit(first);
    if (wanted_.edges) {
      number();
      append_edges(cut.states);
    }
    notice(cut, first);
    if (graph_.error_) return;
  }
  graph_.complete_ = true;
}

/// Divides the states from `first` on, at most up to `end`, among the parts.
void StateSearch::plan(std::uint32_t first, std::uint32_t end) {
  const std::uint32_t available = end - first;
  const unsigned members = crew_.members();
  active_ = members > 1 && available >= members * wanted_.part / worth_sharing ? members : 1;
  const std::uint32_t whole = active_ == 1
                                  ? std::min<std::uint32_t>(available, kLanes)
                                  : std::min<std::uint32_t>(available, active_ * wanted_.part);
  while (parts_.size() < active_) {
    parts_.push_back(
        {.expander = BatchExpander(graph_.model_, {.columns = wanted_.columns}), .watch = nullptr});
    if (wanted_.look_out != nullptr)
      parts_.back().watch = std::make_unique<Watch>(wanted_.look_out->watch);
  }
  for (std::uint32_t i = 0; i < active_; ++i) {
    SearchPart& part = parts_[i];
    part.first = first + static_cast<std::uint32_t>(std::uint64_t{whole} * i / active_);
    part.last = first + static_cast<std::uint32_t>(std::uint64_t{whole} * (i + 1) / active_);
    part.done = 0;
    part.ends.clear();
    part.error.reset();
    part.found = part.faulty = kNoState;
    part.numbers.clear();
    part.shares.resize(graph_.table_.shards());
    for (SearchPart::Share& share : part.shares) share.count = 0;
    if (part.recent.empty()) forget(part.recent);
  }
}

void StateSearch::each_part(const std::function<void(unsigned)>& work) {
  if (active_ == 1)
    work(0);
  else
    crew_.run(work);
}

void StateSearch::each_shard(const std::function<void(unsigned)>& work) {
  if (active_ > 1) return crew_.run(work);
  for (unsigned shard = 0; shard < graph_.table_.shards(); ++shard) work(shard);
}

void StateSearch::expand(SearchPart& part) {
  const StateTable& table = graph_.table_;
  while (part.first + part.done < part.last && part.successors() <= most_successors) {
    const std::uint32_t first = part.first + part.done;
    const std::size_t count = std::min<std::size_t>(kLanes, part.last - first);
    part.expander.expand(table.data() + first * std::uint64_t{table.width()}, count);
    const std::size_t done = part.expander.expanded();
    const std::uint32_t* const begins = part.expander.begins();
    const std::uint32_t before = part.successors();
    for (std::size_t i = 0; i < done; ++i) part.ends.push_back(before + begins[i + 1]);
    if (part.watch) watch(part, first, done);
    if (shared()) share_out(part, before, done == 0 ? 0 : begins[done]);
    part.done += static_cast<std::uint32_t>(done);
    part.error = part.expander.error();
    // Not shared out, the successors stay where they are, so one batch is all.
    if (part.error || !shared()) return;
  }
}

void StateSearch::watch(SearchPart& part, std::uint32_t first, std::size_t count) {
  Watch::Facts facts;
  const std::uint32_t* const begins = part.expander.begins();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if (begins[i] == begins[i + 1]) facts.deadlock[i / 64] |= bit;
    if (first + i < graph_.initial_) facts.initial[i / 64] |= bit;
  }
  const std::uint64_t* const states =
      graph_.table_.data() + first * std::uint64_t{graph_.table_.width()};
  first_sighting(*part.watch, wanted_.look_out->sought, states, first, count, facts, part.found,
                 part.faulty);
}

/// Are successors copied into shares, or entered from where the expander leaves them?
bool StateSearch::shared() const { return graph_.table_.shards() > 1 || drops_recent(); }

/// Recent states can be left out where nobody asks for the numbers of successors.
bool StateSearch::drops_recent() const { return graph_.table_.width() == 1 && !wanted_.edges; }

/// To be called when states that have been found are taken out of the table again.
void StateSearch::forget_recent() {
  for (SearchPart& part : parts_) forget(part.recent);
}

void StateSearch::share_out(SearchPart& part, std::uint32_t offset, std::size_t successors) {
  const StateTable& table = graph_.table_;
  const std::size_t width = table.width();
  for (SearchPart::Share& share : part.shares) {
    const std::size_t room =
        share.count + successors + 1;  // a copy that does not stay needs a place
    if (share.at.size() < room) share.at.resize(room + room / 2);
    if (share.words.size() < room * width) share.words.resize((room + room / 2) * width);
  }
  if (drops_recent()) return share_out_words(part, offset, successors);
  const std::uint64_t* state = part.expander.successors();
  for (std::size_t i = 0; i < successors; ++i, state += width) {
    SearchPart::Share& share = part.shares[table.shard_of(state)];
    std::copy_n(state, width, share.words.data() + share.count * width);
    share.at[share.count++] = offset + static_cast<std::uint32_t>(i);
  }
}

namespace {

/// Where the next state of a share goes.
struct Tail {
  std::uint64_t* word;
  std::uint32_t* at;
};

/// Copies the states of one word that are not among the recent ones to the tails of their shares.
/// Nothing branches on a state: whether it stays decides only whether the next one overwrites it.
/// With K shares (0: any number) the tails live in registers.
template <unsigned K>
void copy_words(const StateTable& table, std::span<const std::uint64_t> states,
                std::uint32_t offset, std::uint64_t* recent, std::span<Tail> shares) {
  Tail tails[K == 0 ? 1 : K];
  if constexpr (K != 0) std::copy_n(shares.begin(), K, tails);
  for (const std::uint64_t& state : states) {
    std::uint64_t& last = recent[recent_place(state)];
    const std::ptrdiff_t stays = last != state ? 1 : 0;
    last = state;
    const unsigned share = K == 1 ? 0 : table.shard_of(&state);
    const auto append = [&](Tail& tail, std::ptrdiff_t by) {
      *tail.word = state;
      *tail.at = offset;
      tail.word += by;
      tail.at += by;
    };
    if constexpr (K == 0) append(shares[share], stays);
    for (unsigned k = 0; k < K; ++k) append(tails[k], k == share ? stays : 0);
    ++offset;
  }
  if constexpr (K != 0) std::copy_n(tails, K, shares.begin());
}

}  // namespace

/// The same for states of one word that need no number, without those found lately.
void StateSearch::share_out_words(SearchPart& part, std::uint32_t offset, std::size_t successors) {
  const std::span<const std::uint64_t> states{part.expander.successors(), successors};
  std::vector<Tail> tails;
  for (SearchPart::Share& share : part.shares)
    tails.push_back({share.words.data() + share.count, share.at.data() + share.count});
  const auto copy = tails.size() == 1   ? copy_words<1>
                    : tails.size() == 2 ? copy_words<2>
                                        : copy_words<0>;
  copy(graph_.table_, states, offset, part.recent.data(), tails);
  for (std::size_t k = 0; k < tails.size(); ++k)
    part.shares[k].count = static_cast<std::size_t>(tails[k].word - part.shares[k].words.data());
}

/// Enters the successors of all parts. False: no memory left for them.
bool StateSearch::enter() {
  StateTable& table = graph_.table_;
  std::uint64_t total = 0;
  offsets_.clear();
  for (std::uint32_t i = 0; i < active_; ++i) {
    offsets_.push_back(static_cast<std::uint32_t>(total));
    total += parts_[i].successors();
  }
  const std::uint64_t most_bytes = limits_.bytes != 0 ? limits_.bytes : default_memory_limit();
  if (graph_.bytes() + table.room_bytes(total) > most_bytes) {
    graph_.reason_ = fmt::format("memory limit of {} bytes reached", most_bytes);
    return false;
  }
  if (table.wants_room(total)) {
    table.enlarge(total);
    each_shard([&](unsigned shard) { table.rebuild(shard); });
  }
  table.begin();
  if (wanted_.edges) numbers_.resize(total);
  if (!shared()) {
    table.enter(0, parts_[0].expander.successors(), nullptr, 0, total,
                wanted_.edges ? numbers_.data() : nullptr);
    return true;
  }
  each_shard([&](unsigned shard) {
    for (std::uint32_t i = 0; i < active_; ++i) {
      SearchPart::Share& share = parts_[i].shares[shard];
      if (wanted_.edges) share.numbers.resize(share.count);
      table.enter(shard, share.words.data(), share.at.data(), offsets_[i], share.count,
                  wanted_.edges ? share.numbers.data() : nullptr);
    }
  });
  return true;
}

/// Puts the parts' ends together, up to the first part that did not get to its end.
StateSearch::Cut StateSearch::gather() {
  Cut cut;
  ends_.clear();
  for (std::uint32_t i = 0; i < active_ && cut.failed == nullptr; ++i) {
    for (const std::uint32_t end : parts_[i].ends) ends_.push_back(offsets_[i] + end);
    if (parts_[i].done < parts_[i].last - parts_[i].first) cut.failed = &parts_[i];
  }
  cut.states = static_cast<std::uint32_t>(ends_.size());
  return cut;
}

/// Numbers the new states. A state whose number would come after the limit is reached, counted from
/// the state it was found from, is not there.
StateSearch::Cut StateSearch::commit(std::uint32_t first) {
  StateTable& table = graph_.table_;
  Cut cut = gather();
  std::uint32_t lane = 0;
  const auto full = [&] { return limits_.states != 0 && table.size() > limits_.states; };
  table.commit([&](std::uint32_t position) {
    while (lane < cut.states && position >= ends_[lane]) {
      ++lane;
      if (full()) cut.states = std::min(cut.states, lane);
    }
    if (lane >= cut.states) return false;
    graph_.parents_.append(first + lane);
    return true;
  });
  if (full()) {
    cut.states = std::min(cut.states, lane + 1);
    cut.failed = nullptr;
  }
  each_shard([&](unsigned shard) { table.settle(shard); });
  if (cut.failed != nullptr || cut.states < ends_.size()) forget_recent();
  cut.successors = cut.states == 0 ? 0 : ends_[cut.states - 1];
  return cut;
}

/// Numbers of the chunk's successors where they lie in shares.
void StateSearch::number() {
  const StateTable& table = graph_.table_;
  if (!shared()) return;
  each_shard([&](unsigned shard) {
    for (std::uint32_t i = 0; i < active_; ++i) {
      const SearchPart::Share& share = parts_[i].shares[shard];
      for (std::size_t k = 0; k < share.count; ++k)
        numbers_[offsets_[i] + share.at[k]] = table.settled(shard, share.numbers[k]);
    }
  });
}

/// Edges of the next `states` sources, whose successors are numbers_ up to each of ends_.
void StateSearch::append_edges(std::uint32_t states) {
  Edges& edges = graph_.edges_;
  std::uint64_t place = edges.to.size();
  edges.to.reserve(place + (states == 0 ? 0 : ends_[states - 1]));
  std::uint32_t* const to = edges.to.data();
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < states; ++i) {
    const std::uint64_t begin = place;
    for (; at < ends_[i]; ++at)
      if (place == begin || to[place - 1] != numbers_[at]) to[place++] = numbers_[at];
    edges.begin.push_back(place);
  }
  edges.to.resize(place);
}

/// Takes over what the parts have seen in the states that count.
void StateSearch::notice(const Cut& cut, std::uint32_t first) {
  graph_.deadlocks_.resize((first + std::uint64_t{cut.states} + 63) / 64);
  for (std::uint32_t i = 0; i < cut.states; ++i) {
    const std::uint64_t state = first + std::uint64_t{i};
    if ((i == 0 ? 0 : ends_[i - 1]) == ends_[i])
      graph_.deadlocks_[state / 64] |= std::uint64_t{1} << (state % 64);
  }
  graph_.expanded_ = first + cut.states;
  graph_.transitions_ += cut.successors;
  if (LookOut* const look_out = wanted_.look_out; look_out != nullptr) {
    for (std::uint32_t i = 0; i < active_; ++i) {
      const SearchPart& part = parts_[i];
      if (part.found < graph_.expanded_ && !look_out->seen()) look_out->found = part.found;
      if (part.faulty < graph_.expanded_ && !look_out->fault)
        look_out->fault = look_out->watch.fault_of(graph_.table_[part.faulty]);
    }
  }
  if (cut.failed != nullptr && cut.failed->error) {
    graph_.error_ = cut.failed->error;
    graph_.error_state_ = graph_.expanded_;
  }
}

void StateSearch::add_edges_of_old_states() {
  const StateTable& table = graph_.table_;
  while (graph_.edges_.sources() < graph_.expanded_) {
    if (over_limit()) return;
    plan(graph_.edges_.sources(), graph_.expanded_);
    each_part([&](unsigned i) {
      SearchPart& part = parts_[i];
      while (part.first + part.done < part.last && part.successors() <= most_successors) {
        const std::uint32_t first = part.first + part.done;
        const std::size_t count = std::min<std::size_t>(kLanes, part.last - first);
        part.expander.expand(table.data() + first * std::uint64_t{table.width()}, count);
        BRINK_CHECK(!part.expander.error(), "a state has become erroneous");
        const std::size_t done = part.expander.expanded();
        const std::uint32_t* const begins = part.expander.begins();
        const std::uint32_t before = part.successors();
        for (std::size_t k = 0; k < done; ++k) part.ends.push_back(before + begins[k + 1]);
        part.numbers.resize(part.successors());
        table.find_all(part.expander.successors(), begins[done], part.numbers.data() + before);
        part.done += static_cast<std::uint32_t>(done);
      }
    });
    offsets_.clear();
    numbers_.clear();
    for (std::uint32_t i = 0; i < active_; ++i) {
      offsets_.push_back(static_cast<std::uint32_t>(numbers_.size()));
      numbers_.insert(numbers_.end(), parts_[i].numbers.begin(), parts_[i].numbers.end());
    }
    append_edges(gather().states);
  }
}

}  // namespace brink::solver

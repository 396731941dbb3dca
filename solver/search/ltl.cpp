#include "solver/search/ltl.h"

#include <fmt/core.h>

#include <chrono>
#include <limits>

#include "models/automata/buchi.h"
#include "models/automata/path_formula.h"
#include "models/base/check.h"

namespace brink::solver {
namespace {

using automata::Automaton;

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

tl::unexpected<NoPathAnswer> limit(std::string reason) {
  return fail(NoPathAnswer{true, std::move(reason)});
}

/// The product of the graph and an automaton, from some states on.
struct Product {
  MarkedGraph graph;
  std::vector<std::uint32_t> state;   ///< of each node, in the state graph
  std::vector<std::uint32_t> starts;  ///< nodes
  CycleCondition condition;
  unsigned fair_first = 0;  ///< mark from which fairness begins
};

/// Bit i of a state's letter: atom i holds there.
std::vector<std::uint64_t> letters(const PathQuestion& question, const std::vector<PropId>& atoms) {
  std::vector<std::uint64_t> out(question.graph.size(), 0);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const StateSet& holds = question.known[atoms[i].index];
    BRINK_CHECK(holds.size() == out.size(), "an atom that has not been evaluated");
    for (std::size_t s = 0; s < out.size(); ++s)
      if (holds[s] != 0) out[s] |= std::uint64_t{1} << i;
  }
  return out;
}

class Builder {
 public:
  Builder(const PathQuestion& question, const Automaton& automaton,
          std::vector<std::uint64_t> letters)
      : question_(question),
        graph_(question.graph),
        automaton_(automaton),
        letters_(std::move(letters)) {}

  Result<Product, NoPathAnswer> build(const std::vector<std::uint32_t>& starts) {
    const std::uint64_t most = std::uint64_t{graph_.size()} * automaton_.size();
    const std::uint64_t bytes =
        question_.limits.bytes != 0 ? question_.limits.bytes : default_memory_limit();
    if (graph_.bytes() + most * sizeof(std::uint32_t) > bytes)
      return limit("memory limit reached by the product with the formula's automaton");
    node_of_.assign(most, kNowhere);
    set_condition();
    for (const std::uint32_t start : starts) out_.starts.push_back(node(start, automaton_.initial));
    for (std::uint32_t at = 0; at < out_.state.size(); ++at) {
      expand(at);
      if (at % 65536 != 0) continue;
      if (question_.limits.stop != nullptr && question_.limits.stop->load())
        return limit("interrupted");
      if (question_.limits.seconds != 0 && elapsed() > question_.limits.seconds)
        return limit(fmt::format("time limit of {} s reached", question_.limits.seconds));
      if (graph_.bytes() + node_of_.size() * 4 + out_.graph.bytes() > bytes)
        return limit("memory limit reached by the product with the formula's automaton");
    }
    return std::move(out_);
  }

 private:
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  void set_condition() {
    out_.fair_first = automaton_.acceptance_sets;
    out_.condition.always = automaton_.acceptance_sets == 0 ? 0 : automaton_.all_sets();
    if (question_.fair != nullptr)
      add_fairness(question_.fair->groups, out_.fair_first, out_.condition);
  }

  std::uint32_t node(std::uint32_t state, std::uint32_t q) {
    std::uint32_t& number = node_of_[std::uint64_t{state} * automaton_.size() + q];
    if (number == kNowhere) {
      number = static_cast<std::uint32_t>(out_.state.size());
      out_.state.push_back(state);
      automaton_state_.push_back(q);
    }
    return number;
  }

  std::uint64_t fairness(std::uint32_t state, std::uint64_t taken) const {
    if (question_.fair == nullptr) return 0;
    return fair_marks(question_.fair->groups, question_.fair->enabled[state], taken,
                      out_.fair_first);
  }

  void expand(std::uint32_t at) {
    const std::uint32_t state = out_.state[at];
    for (const automata::Edge& edge : automaton_.edges[automaton_state_[at]]) {
      if (!edge.label.matches(letters_[state])) continue;
      const auto add = [&](std::uint32_t to, std::uint64_t taken) {
        const std::uint32_t target = node(to, edge.target);
        out_.graph.to.push_back(target);
        out_.graph.marks.push_back(edge.sets | fairness(state, taken));
      };
      if (graph_.deadlock(state)) {
        add(state, 0);
        continue;
      }
      std::uint64_t e = graph_.edges().begin[state];
      for (const std::uint32_t to : graph_.successors(state)) {
        add(to, question_.fair == nullptr ? 0 : question_.fair->taken[e]);
        ++e;
      }
    }
    out_.graph.begin.push_back(out_.graph.to.size());
  }

  const PathQuestion& question_;
  const StateGraph& graph_;
  const Automaton& automaton_;
  std::vector<std::uint64_t> letters_;
  std::vector<std::uint32_t> node_of_;  ///< by state and automaton state
  std::vector<std::uint32_t> automaton_state_;
  Product out_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Result<Product, NoPathAnswer> product(const PathQuestion& question,
                                      const std::vector<std::uint32_t>& starts) {
  BRINK_CHECK(question.graph.complete() && question.graph.has_edges());
  auto formula = automata::path_formula(question.set, question.path, false, kMaxUnrolledSteps);
  if (!formula) return fail(NoPathAnswer{false, "not supported here: " + formula.error()});
  const automata::Formula root =
      question.negated ? formula->pool.negation(formula->root) : formula->root;
  const auto automaton = automata::buchi(formula->pool, root);
  if (!automaton) return fail(NoPathAnswer{false, "not supported here: " + automaton.error()});
  const unsigned fair = question.fair == nullptr ? 0 : fair_bits(question.fair->groups);
  if (automaton->acceptance_sets + fair > 64)
    return fail(NoPathAnswer{false, "not supported here: too many promises and fair groups"});
  return Builder(question, *automaton, letters(question, formula->atoms)).build(starts);
}

/// Makes a trace of a way into a part and a cycle there.
class Lasso {
 public:
  Lasso(const PathQuestion& question, const Product& product, const AcceptingPart& part)
      : question_(question), product_(product), walker_(product.graph, part) {}

  Trace trace(const Walk& way_in, std::string property) {
    at_ = way_in.start;
    states_.push_back(product_.state[at_]);
    follow(way_in.edges);
    const std::uint32_t entry = at_;
    const std::size_t loop_to = states_.size() - 1;
    meet_all();
    follow(walker_.to_node(at_, entry, loop_.empty() ? 1 : 0));
    return make(loop_to, std::move(property));
  }

 private:
  /// A deadlocked state repeats itself without a step.
  void follow(const std::vector<std::uint64_t>& edges, std::size_t wanted = kNoGroup) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const std::uint64_t e = edges[i];
      loop_.push_back({e, product_.state[at_], i + 1 == edges.size() ? wanted : kNoGroup});
      const bool repeats = question_.graph.deadlock(product_.state[at_]);
      at_ = product_.graph.to[e];
      if (repeats) continue;
      states_.push_back(product_.state[at_]);
      wanted_.push_back(loop_.back().group);
    }
  }

  void meet_all() {
    loop_.clear();
    for (unsigned set = 0; set < product_.fair_first; ++set) {
      const std::uint64_t mark = std::uint64_t{1} << set;
      const bool met = std::any_of(loop_.begin(), loop_.end(), [&](const Step& step) {
        return (product_.graph.marks[step.edge] & mark) != 0;
      });
      if (!met) follow(walker_.to_mark(at_, mark));
    }
    if (question_.fair == nullptr) return;
    for (std::size_t i = 0; i < question_.fair->groups.size(); ++i) meet(i);
  }

  void meet(std::size_t group) {
    const bool strong = question_.fair->groups[group].strong;
    const std::uint64_t grant = fair_grant(group, product_.fair_first);
    const auto disabled = [&](std::uint32_t state) {
      return (question_.fair->enabled[state] >> group & 1) == 0;
    };
    const bool met = std::any_of(loop_.begin(), loop_.end(), [&](const Step& step) {
      return step.group == group || (!strong && disabled(step.from));
    });
    if (met || (strong && !walker_.has(grant << 1))) return;
    const auto walk = walker_.to_mark(at_, grant);
    follow(walk, group);
    if (!strong && disabled(loop_.back().from)) {  // that is what met it, no move
      loop_.back().group = kNoGroup;
      if (!question_.graph.deadlock(loop_.back().from)) wanted_.back() = kNoGroup;
    }
  }

  Trace make(std::size_t loop_to, std::string property) const {
    const StateGraph& graph = question_.graph;
    Evaluator evaluator(graph.model());
    Expansion expansion;
    Trace trace = make_trace(*graph.model(), std::move(property));
    graph.valuation(states_.front(), trace.initial);
    for (std::size_t i = 1; i < states_.size(); ++i) {
      const auto error = evaluator.successors(trace.state(i - 1), expansion);
      BRINK_CHECK(!error);
      if (wanted_[i - 1] != kNoGroup) keep_only(expansion, wanted_[i - 1]);
      TraceStep step;
      graph.valuation(states_[i], step.after);
      BRINK_CHECK(find_move(expansion, step), "an edge of the product is no move of the model");
      trace.steps.push_back(std::move(step));
    }
    trace.loop_to = loop_to;
    return trace;
  }

  void keep_only(Expansion& expansion, std::size_t group) const {
    std::erase_if(expansion.choices, [&](const Choice& choice) {
      const std::uint64_t groups =
          groups_of_move(*question_.graph.model(), question_.fair->groups, expansion, choice);
      return (groups >> group & 1) == 0;
    });
  }

  static constexpr std::size_t kNoGroup = ~std::size_t{0};
  struct Step {
    std::uint64_t edge;
    std::uint32_t from;  ///< state
    std::size_t group;   ///< that has to move here
  };

  const PathQuestion& question_;
  const Product& product_;
  PartWalker walker_;
  std::uint32_t at_ = 0;
  std::vector<std::uint32_t> states_;  ///< of the trace so far
  std::vector<std::size_t> wanted_;    ///< for each step, the group whose move it has to be
  std::vector<Step> loop_;
};

}  // namespace

Result<StateSet, NoPathAnswer> states_with_path(const PathQuestion& question) {
  std::vector<std::uint32_t> all(question.graph.size());
  for (std::uint32_t s = 0; s < all.size(); ++s) all[s] = s;
  const auto built = product(question, all);
  if (!built) return fail(built.error());
  const auto parts = accepting_parts(built->graph, built->condition);
  const std::vector<std::uint8_t> reached = reaching(built->graph, parts);
  StateSet out(all.size(), 0);
  for (std::uint32_t s = 0; s < all.size(); ++s) out[s] = reached[built->starts[s]];
  return out;
}

Result<std::optional<Trace>, NoPathAnswer> path_witness(const PathQuestion& question,
                                                        std::string property) {
  std::vector<std::uint32_t> initial(question.graph.initial_count());
  for (std::uint32_t s = 0; s < initial.size(); ++s) initial[s] = s;
  const auto built = product(question, initial);
  if (!built) return fail(built.error());
  const auto parts = accepting_parts(built->graph, built->condition);
  const auto way = shortest_way_in(built->graph, built->starts, parts);
  if (!way) return std::optional<Trace>{};
  return std::optional(
      Lasso(question, *built, parts[way->part]).trace(way->walk, std::move(property)));
}

}  // namespace brink::solver

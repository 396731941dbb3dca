#include "analytic/exact/solve.h"

#include <map>
#include <set>

#include "models/base/check.h"

namespace brink::analytic::exact {
namespace {

/// A system under elimination: states with weights to each other.
struct Web {
  std::vector<std::map<std::uint32_t, Rational>> out;
  std::vector<std::set<std::uint32_t>> in;
  std::set<std::pair<std::size_t, std::uint32_t>> queue;  ///< cheapest first
  std::vector<std::size_t> price;

  explicit Web(std::uint32_t size) : out(size), in(size), price(size) {}

  void add(std::uint32_t from, std::uint32_t to, const Rational& weight) {
    out[from][to] += weight;
    in[to].insert(from);
  }
  void start() {
    for (std::uint32_t k = 0; k < out.size(); ++k) {
      price[k] = out[k].size() * in[k].size();
      queue.emplace(price[k], k);
    }
  }
  void reprice(std::uint32_t k) {
    queue.erase({price[k], k});
    price[k] = out[k].size() * in[k].size();
    queue.emplace(price[k], k);
  }
  /// Takes the cheapest state out of the others' lists; its own stay, for the way back.
  std::uint32_t take() {
    const std::uint32_t k = queue.begin()->second;
    queue.erase(queue.begin());
    for (const auto& [j, weight] : out[k]) in[j].erase(k);
    for (const std::uint32_t i : in[k]) out[i].erase(k);
    return k;
  }
  void reprice_neighbours(std::uint32_t k) {
    for (const std::uint32_t i : in[k]) reprice(i);
    for (const auto& [j, weight] : out[k])
      if (in[k].count(j) == 0) reprice(j);
  }
};

/// One strategy's values in one component; the states outside it have theirs.
struct ComponentSystem {
  std::span<const std::uint32_t> states;
  const std::vector<std::uint32_t>& place;  ///< of each state within its component
  const std::vector<std::uint32_t>& component;

  bool run(const Question& q, const std::vector<std::uint32_t>& choice,
           std::vector<Rational>& value, const SolveOptions& options) const {
    const auto n = static_cast<std::uint32_t>(states.size());
    Web web(n);
    std::vector<Rational> leaving(n, 0), right(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t s = states[i];
      if (!q.cost.empty()) right[i] = q.cost[choice[s]];
      for (const Move& move : q.moves.rows[choice[s]]) {
        if (move.target == s) continue;
        leaving[i] += move.weight;
        if (q.unknown[move.target] && component[move.target] == component[s])
          web.add(i, place[move.target], move.weight);
        else
          right[i] += move.weight * value[move.target];
      }
    }
    web.start();
    std::vector<std::uint32_t> order;
    while (!web.queue.empty()) {
      if (stopped(options)) return false;
      std::vector<std::pair<std::uint32_t, Rational>> users;
      const std::uint32_t next = web.queue.begin()->second;
      for (const std::uint32_t i : web.in[next]) users.emplace_back(i, web.out[i][next]);
      const std::uint32_t k = web.take();
      BRINK_CHECK(leaving[k] != 0, "a strategy that stays for ever");
      order.push_back(k);
      for (const auto& [i, weight] : users) {
        const Rational factor = weight / leaving[k];
        right[i] += factor * right[k];
        for (const auto& [j, onward] : web.out[k]) {
          if (j == i)
            leaving[i] -= factor * onward;
          else
            web.add(i, j, factor * onward);
        }
      }
      web.reprice_neighbours(k);
    }
    for (std::size_t o = order.size(); o-- > 0;) {
      const std::uint32_t k = order[o];
      Rational sum = right[k];
      for (const auto& [j, weight] : web.out[k]) sum += weight * value[states[j]];
      value[states[k]] = sum / leaving[k];
    }
    return true;
  }
};

/// A strategy under which every unknown state leads out, by backward search.
std::vector<std::uint32_t> leading_out(const Question& q) {
  const Moves& moves = q.moves;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> into(moves.size());
  for (std::uint32_t s = 0; s < moves.size(); ++s)
    for (std::uint32_t c = moves.first[s]; c < moves.first[s + 1]; ++c)
      if (q.unknown[s] && q.allowed[c])
        for (const Move& move : moves.rows[c]) into[move.target].emplace_back(s, c);
  std::vector<std::uint32_t> choice(moves.size(), kNone), work;
  for (std::uint32_t s = 0; s < moves.size(); ++s)
    if (!q.unknown[s]) work.push_back(s);
  for (std::size_t w = 0; w < work.size(); ++w)
    for (const auto& [s, c] : into[work[w]]) {
      if (choice[s] != kNone) continue;
      choice[s] = c;
      work.push_back(s);
    }
  for (std::uint32_t s = 0; s < moves.size(); ++s)
    BRINK_CHECK(!q.unknown[s] || choice[s] != kNone, "an unknown state that leads nowhere");
  return choice;
}

bool evaluate(Question& q, const std::vector<std::uint32_t>& choice, const SolveOptions& options) {
  ChainBuilder builder(ChainKind::continuous);
  for (std::uint32_t s = 0; s < q.moves.size(); ++s) {
    if (q.unknown[s])
      for (const Move& move : q.moves.rows[choice[s]])
        if (q.unknown[move.target]) builder.add(move.target, 1);
    builder.end_row();
  }
  const Components components = strong_components(*std::move(builder).finish());
  std::vector<std::uint32_t> place(q.moves.size(), 0);
  for (const auto& members : components.members) {
    for (std::uint32_t i = 0; i < members.size(); ++i) place[members[i]] = i;
    if (!q.unknown[members.front()]) continue;
    const ComponentSystem system{members, place, components.of};
    if (!system.run(q, choice, q.value, options)) return false;
  }
  return true;
}

/// Strictly better choices are taken; false when there are none.
bool improve(const Question& q, std::vector<std::uint32_t>& choice) {
  bool changed = false;
  for (std::uint32_t s = 0; s < q.moves.size(); ++s) {
    if (!q.unknown[s] || q.moves.first[s + 1] - q.moves.first[s] < 2) continue;
    Rational best = q.value[s];
    for (std::uint32_t c = q.moves.first[s]; c < q.moves.first[s + 1]; ++c) {
      if (!q.allowed[c] || c == choice[s]) continue;
      Rational value = q.cost.empty() ? Rational(0) : q.cost[c];
      for (const Move& move : q.moves.rows[c]) value += move.weight * q.value[move.target];
      if (q.goal == Goal::maximise ? value > best : value < best) {
        best = value;
        choice[s] = c;
        changed = true;
      }
    }
  }
  return changed;
}

}  // namespace

bool solve(Question& question, const SolveOptions& options) {
  std::vector<std::uint32_t> choice = leading_out(question);
  do {
    if (!evaluate(question, choice, options)) return false;
  } while (improve(question, choice));
  return true;
}

std::vector<Rational> stationary(const Moves& moves, std::span<const std::uint32_t> states,
                                 const SolveOptions& options) {
  const auto n = static_cast<std::uint32_t>(states.size());
  std::map<std::uint32_t, std::uint32_t> place;
  for (std::uint32_t i = 0; i < n; ++i) place.emplace(states[i], i);
  Web web(n);
  for (std::uint32_t i = 0; i < n; ++i)
    for (const Move& move : moves.rows[moves.first[states[i]]])
      if (move.target != states[i]) web.add(i, place.at(move.target), move.weight);
  web.start();
  std::vector<std::uint32_t> order;
  std::vector<std::vector<std::pair<std::uint32_t, Rational>>> entering(n);
  while (web.queue.size() > 1) {
    if (stopped(options)) return {};
    const std::uint32_t next = web.queue.begin()->second;
    Rational leaving = 0;
    for (const auto& [j, weight] : web.out[next]) leaving += weight;
    for (const std::uint32_t i : web.in[next])
      entering[next].emplace_back(i, web.out[i][next] / leaving);
    const std::uint32_t k = web.take();
    order.push_back(k);
    for (const auto& [i, factor] : entering[k])
      for (const auto& [j, onward] : web.out[k])
        if (j != i) web.add(i, j, factor * onward);
    web.reprice_neighbours(k);
  }
  std::vector<Rational> out(n, 0);
  out[web.queue.begin()->second] = 1;
  Rational sum = 1;
  for (std::size_t o = order.size(); o-- > 0;) {
    for (const auto& [i, factor] : entering[order[o]]) out[order[o]] += out[i] * factor;
    sum += out[order[o]];
  }
  for (Rational& value : out) value /= sum;
  return out;
}

}  // namespace brink::analytic::exact

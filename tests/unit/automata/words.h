// The reference of the automata tests: formulas as plain trees, evaluated on words u v v v ... by
// their definition, and acceptance of such a word by an automaton.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/automata/buchi.h"

namespace brink::automata::testing {

struct Word {
  std::vector<std::uint64_t> letters;  ///< of u, then of v
  std::size_t loop = 0;                ///< where v begins

  std::size_t next(std::size_t i) const { return i + 1 < letters.size() ? i + 1 : loop; }
};

/// All words over `atoms` atoms with |u| <= prefix and 1 <= |v| <= cycle.
inline std::vector<Word> all_words(std::uint32_t atoms, std::size_t prefix, std::size_t cycle) {
  std::vector<Word> out;
  const std::uint64_t letters = std::uint64_t{1} << atoms;
  for (std::size_t u = 0; u <= prefix; ++u)
    for (std::size_t v = 1; v <= cycle; ++v) {
      std::uint64_t count = 1;
      for (std::size_t i = 0; i < u + v; ++i) count *= letters;
      for (std::uint64_t code = 0; code < count; ++code) {
        Word word;
        word.loop = u;
        std::uint64_t rest = code;
        for (std::size_t i = 0; i < u + v; ++i, rest /= letters)
          word.letters.push_back(rest % letters);
        out.push_back(word);
      }
    }
  return out;
}

/// A formula as written, before any simplification.
struct Tree {
  char op = 't';  ///< t f p ! & | X F G U R W
  std::uint32_t atom = 0;
  std::shared_ptr<Tree> a, b;

  Formula build(FormulaPool& pool) const {
    switch (op) {
      case 't':
      case 'f':
        return pool.constant(op == 't');
      case 'p':
        return pool.atom(atom);
      case '!':
        return pool.negation(a->build(pool));
      case '&':
        return pool.both(a->build(pool), b->build(pool));
      case '|':
        return pool.either(a->build(pool), b->build(pool));
      case 'X':
        return pool.next(a->build(pool));
      case 'F':
        return pool.finally(a->build(pool));
      case 'G':
        return pool.globally(a->build(pool));
      case 'U':
        return pool.until(a->build(pool), b->build(pool));
      case 'R':
        return pool.release(a->build(pool), b->build(pool));
      default:
        return pool.weak_until(a->build(pool), b->build(pool));
    }
  }

  /// Truth at each position, by the least or greatest fixed point.
  std::vector<bool> at(const Word& word) const {
    const std::size_t n = word.letters.size();
    const std::vector<bool> x = a ? a->at(word) : std::vector<bool>(n);
    const std::vector<bool> y = b ? b->at(word) : x;
    std::vector<bool> out(n, op == 't' || op == 'G' || op == 'R' || op == 'W');
    for (std::size_t round = 0; round <= 2 * n; ++round)
      for (std::size_t i = n; i-- > 0;) {
        const bool later = out[word.next(i)];
        switch (op) {
          case 'p':
            out[i] = (word.letters[i] >> atom & 1) != 0;
            break;
          case '!':
            out[i] = !x[i];
            break;
          case '&':
            out[i] = x[i] && y[i];
            break;
          case '|':
            out[i] = x[i] || y[i];
            break;
          case 'X':
            out[i] = x[word.next(i)];
            break;
          case 'F':
            out[i] = x[i] || later;
            break;
          case 'G':
            out[i] = x[i] && later;
            break;
          case 'U':
            out[i] = y[i] || (x[i] && later);
            break;
          case 'R':
            out[i] = y[i] && (x[i] || later);
            break;
          case 'W':
            out[i] = y[i] || (x[i] && later);
            break;
          default:
            break;
        }
      }
    return out;
  }

  bool holds(const Word& word) const { return at(word)[0]; }

  std::string text() const {
    if (op == 'p') return "p" + std::to_string(atom);
    if (!a) return std::string(1, op);
    return b ? "(" + a->text() + " " + op + " " + b->text() + ")" : op + a->text();
  }
};

inline std::shared_ptr<Tree> random_tree(std::mt19937& random, std::uint32_t atoms, int size) {
  auto tree = std::make_shared<Tree>();
  if (size <= 1) {
    tree->op = random() % 12 == 0 ? (random() % 2 ? 't' : 'f') : 'p';
    tree->atom = static_cast<std::uint32_t>(random() % atoms);
    return tree;
  }
  tree->op = size == 2 ? "!XFG"[random() % 4] : "!XFGUUUR&|W"[random() % 11];
  const bool unary = tree->op == '!' || tree->op == 'X' || tree->op == 'F' || tree->op == 'G';
  const int left = unary ? size - 1 : 1 + static_cast<int>(random() % (size - 2));
  tree->a = random_tree(random, atoms, left);
  if (!unary) tree->b = random_tree(random, atoms, size - 1 - left);
  return tree;
}

/// Some run over the word accepts: a cycle of the product that meets all acceptance sets.
inline bool accepts(const Automaton& automaton, const Word& word) {
  const std::size_t n = word.letters.size(), total = automaton.size() * n;
  const auto node = [&](std::size_t q, std::size_t i) { return q * n + i; };
  // reach[x][y]: acceptance sets met on paths, closed by Warshall over bit sets of sets would be
  // costly; the graphs are tiny, so search from each reachable node.
  const auto successors = [&](std::size_t x, const auto& visit) {
    const std::size_t q = x / n, i = x % n;
    for (const Edge& edge : automaton.edges[q])
      if (edge.label.matches(word.letters[i])) visit(node(edge.target, word.next(i)), edge.sets);
  };
  const auto reach = [&](std::size_t from) {
    std::vector<bool> seen(total, false);
    std::vector<std::size_t> work = {from};
    while (!work.empty()) {
      const std::size_t x = work.back();
      work.pop_back();
      successors(x, [&](std::size_t y, std::uint64_t) {
        if (!seen[y]) work.push_back(y);
        seen[y] = true;
      });
    }
    return seen;
  };
  std::vector<bool> reachable = reach(node(automaton.initial, 0));
  reachable[node(automaton.initial, 0)] = true;
  std::vector<std::vector<bool>> from(total);
  for (std::size_t x = 0; x < total; ++x)
    if (reachable[x]) from[x] = reach(x);
  for (std::size_t x = 0; x < total; ++x) {
    if (!reachable[x] || !from[x][x]) continue;
    std::uint64_t met = 0;  // in the strong component of x
    for (std::size_t y = 0; y < total; ++y)
      if (from[x][y] && from[y][x])
        successors(y, [&](std::size_t z, std::uint64_t sets) {
          if (from[x][z] && from[z][x]) met |= sets;
        });
    if (met == automaton.all_sets()) return true;
  }
  return false;
}

}  // namespace brink::automata::testing

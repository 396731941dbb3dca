#include "solver/for_all/arithmetic.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <map>

#include "solver/for_all/farkas.h"

namespace brink::solver {
namespace {

constexpr int deepest = 4000;
constexpr std::size_t most_cases = 20'000;  ///< of one obligation

/// Thrown within this file: the obligation stays open.
struct Open {};

/// A term: a name or number, or an operator with arguments. `let` is gone.
struct Term {
  std::string head;
  std::vector<std::uint32_t> arguments;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::vector<Term> terms;
  std::map<std::string, bool> boolean;  ///< declared names

  /// The next command's name; empty at the end. Its text is read by `assertion` or `skip`.
  std::string command() {
    blank();
    if (at_ >= text_.size()) return "";
    if (text_[at_] != '(') throw Open{};
    ++at_;
    return token();
  }
  /// The rest of a command whose only argument, if any, is a word.
  std::string word() {
    std::string argument = token();
    if (argument == ")") return "";
    if (argument == "(" || token() != ")") throw Open{};
    return argument;
  }
  void declaration() {
    const std::string name = token(), sort = token();
    if (token() != ")" || (sort != "Int" && sort != "Bool")) throw Open{};
    boolean[name] = sort == "Bool";
  }
  std::uint32_t assertion() {
    const std::uint32_t out = term(0);
    if (token() != ")") throw Open{};
    return out;
  }

 private:
  void blank() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';')
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
        ++at_;
      else
        return;
    }
  }
  std::string token() {
    blank();
    if (at_ >= text_.size()) return "";
    if (text_[at_] == '(' || text_[at_] == ')') return std::string(1, text_[at_++]);
    const std::size_t begin = at_;
    if (text_[at_] == '|') {
      at_ = text_.find('|', at_ + 1);
      if (at_ == std::string::npos) throw Open{};
      ++at_;
    } else {
      while (at_ < text_.size() && text_[at_] != '(' && text_[at_] != ')' && text_[at_] != ';' &&
             std::isspace(static_cast<unsigned char>(text_[at_])) == 0)
        ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  std::uint32_t make(Term term) {
    terms.push_back(std::move(term));
    return static_cast<std::uint32_t>(terms.size() - 1);
  }
  std::uint32_t term(int depth) {
    if (depth > deepest) throw Open{};
    std::string head = token();
    if (head.empty() || head == ")") throw Open{};
    if (head != "(") {
      if (const auto bound = bound_.find(head); bound != bound_.end() && !bound->second.empty())
        return bound->second.back();
      return make({std::move(head), {}});
    }
    head = token();
    if (head == "let") return let(depth);
    Term out{std::move(head), {}};
    if (out.head == "(") throw Open{};
    for (blank(); at_ < text_.size() && text_[at_] != ')'; blank())
      out.arguments.push_back(term(depth + 1));
    ++at_;
    return make(std::move(out));
  }
  std::uint32_t let(int depth) {
    if (token() != "(") throw Open{};
    std::vector<std::pair<std::string, std::uint32_t>> fresh;
    for (std::string t = token(); t == "("; t = token()) {
      const std::string name = token();
      fresh.emplace_back(name, term(depth + 1));
      if (token() != ")") throw Open{};
    }
    for (const auto& [name, value] : fresh) bound_[name].push_back(value);
    const std::uint32_t out = term(depth + 1);
    for (const auto& [name, value] : fresh) bound_[name].pop_back();
    if (token() != ")") throw Open{};
    return out;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::map<std::string, std::vector<std::uint32_t>> bound_;
};

/// A formula that must hold, or must not.
struct Wanted {
  std::uint32_t term;
  bool positive;
};

/// What a case has decided so far; copied where cases part.
struct Case {
  std::vector<Constraint> constraints;
  std::map<std::string, bool> truth;                ///< of names
  std::map<std::uint32_t, bool> condition;          ///< whether it holds, by term
  std::map<std::uint32_t, bool> below;              ///< of terms x = y that must not hold: x < y
  std::map<std::uint32_t, std::uint32_t> quotient;  ///< symbol of a division, by term
  std::vector<Wanted> todo;
  std::vector<std::vector<Wanted>> choices;  ///< one of each must hold
};

struct Prover {
  const Reader& reader;
  std::chrono::steady_clock::time_point until;
  std::map<std::string, std::uint32_t> symbols{};
  std::uint32_t fresh = 1'000'000;
  std::size_t cases = 0;

  const Term& at(std::uint32_t t) const { return reader.terms[t]; }

  void tick() {
    if (++cases > most_cases || std::chrono::steady_clock::now() > until) throw Open{};
  }

  bool is_boolean(std::uint32_t t) const {
    const Term& term = at(t);
    if (term.arguments.empty()) {
      const auto declared = reader.boolean.find(term.head);
      return term.head == "true" || term.head == "false" ||
             (declared != reader.boolean.end() && declared->second);
    }
    if (term.head == "ite") return is_boolean(term.arguments[1]);
    static const char* const truths[] = {"and", "or", "not", "=>",       "=",  "<",
                                         "<=",  ">",  ">=",  "distinct", "xor"};
    return std::find(std::begin(truths), std::end(truths), term.head) != std::end(truths);
  }

  /// What this case has not decided yet: whether a condition holds, or which side of an equation
  /// is the smaller one.
  struct Undecided {
    std::uint32_t term;
    bool sides = false;
  };

  Linear number(Case& c, std::uint32_t t) {
    const Term& term = at(t);
    const auto argument = [&](std::size_t i) { return number(c, term.arguments[i]); };
    if (term.arguments.empty()) {
      std::int64_t value = 0;
      const char* const end = term.head.data() + term.head.size();
      if (const auto [p, e] = std::from_chars(term.head.data(), end, value);
          e == std::errc() && p == end)
        return Linear::number(value);
      const auto declared = reader.boolean.find(term.head);
      if (declared == reader.boolean.end() || declared->second) throw Open{};
      const auto next = static_cast<std::uint32_t>(symbols.size());
      return Linear::symbol(symbols.try_emplace(term.head, next).first->second);
    }
    if (term.head == "+" || term.head == "-") {
      Linear sum = argument(0);
      if (term.arguments.size() == 1) return term.head == "-" ? -1 * sum : sum;
      for (std::size_t i = 1; i < term.arguments.size(); ++i)
        sum = combine(1, sum, term.head == "+" ? 1 : -1, argument(i));
      return sum;
    }
    if (term.head == "*") {
      Linear product = argument(0);
      for (std::size_t i = 1; i < term.arguments.size(); ++i) {
        const Linear other = argument(i);
        if (product.is_number())
          product = product.constant * other;
        else if (other.is_number())
          product = other.constant * product;
        else
          throw Open{};
      }
      return product;
    }
    if (term.head == "ite") {
      const auto known = c.condition.find(term.arguments[0]);
      if (known == c.condition.end()) throw Undecided{term.arguments[0]};
      return argument(known->second ? 1 : 2);
    }
    if (term.head == "div" || term.head == "mod") return rounded(c, t, argument(0), argument(1));
    throw Open{};
  }

  Linear rounded(Case& c, std::uint32_t t, const Linear& value, const Linear& divisor) {
    if (!divisor.is_number() || divisor.constant <= 0) throw Open{};
    const std::int64_t d = divisor.constant;
    auto [known, added] = c.quotient.try_emplace(t, fresh);
    const Linear q = Linear::symbol(known->second);
    if (added) {
      ++fresh;
      add(c, combine(1, value, -d, q));                          // d q <= value
      add(c, combine(d, q, -1, value) + Linear::number(d - 1));  // value < d q + d
    }
    return at(t).head == "div" ? q : combine(1, value, -d, q);
  }

  /// t >= 0, with the common factor of its symbols divided out.
  static void add(Case& c, const Linear& t, bool equation = false) {
    if (equation) {
      c.constraints.push_back({t, true});
      return;
    }
    Cube tightened;
    if (tightened.add(t) && !tightened.atoms().empty())
      c.constraints.push_back({tightened.atoms().front(), false});
    else
      c.constraints.push_back({t, false});
  }

  /// One of these must hold.
  static void choose(Case& c, std::vector<Wanted> choice) {
    if (choice.size() == 1)
      c.todo.push_back(choice[0]);
    else
      c.choices.push_back(std::move(choice));
  }

  /// Takes one formula apart. False: the case is contradictory.
  bool take(Case& c, Wanted w) {
    const Term& term = at(w.term);
    const auto& a = term.arguments;
    if (term.head == "true" || term.head == "false") return (term.head == "true") == w.positive;
    if (a.empty()) {
      if (!is_boolean(w.term)) throw Open{};
      return c.truth.try_emplace(term.head, w.positive).first->second == w.positive;
    }
    if (term.head == "not") {
      c.todo.push_back({a[0], !w.positive});
      return true;
    }
    if (term.head == "and" || term.head == "or" || term.head == "=>") {
      const bool all = (term.head == "and") == w.positive;
      std::vector<Wanted> parts;
      for (std::size_t i = 0; i < a.size(); ++i)
        parts.push_back({a[i], (term.head == "=>" && i + 1 < a.size()) != w.positive});
      if (all)
        c.todo.insert(c.todo.end(), parts.begin(), parts.end());
      else if (parts.empty())
        return false;
      else
        choose(c, std::move(parts));
      return true;
    }
    return relation(c, w);
  }

  bool relation(Case& c, Wanted w) {
    const Term& term = at(w.term);
    const auto& a = term.arguments;
    if (term.head == "ite") {
      const auto known = c.condition.find(a[0]);
      if (known == c.condition.end()) throw Undecided{a[0]};
      c.todo.push_back({known->second ? a[1] : a[2], w.positive});
      return true;
    }
    if (a.size() != 2) throw Open{};
    if (term.head == "=" && is_boolean(a[0])) {
      const auto known = c.condition.find(a[0]);
      if (known == c.condition.end()) throw Undecided{a[0]};
      c.todo.push_back({a[1], known->second == w.positive});
      return true;
    }
    const Linear x = number(c, a[0]), y = number(c, a[1]);
    const Linear one = Linear::number(1);
    if (term.head == "=" || term.head == "distinct") {
      if ((term.head == "=") == w.positive) {
        add(c, x - y, true);
        return true;
      }
      const auto known = c.below.find(w.term);
      if (known == c.below.end()) throw Undecided{w.term, true};
      add(c, known->second ? y - x - one : x - y - one);
      return true;
    }
    const bool strict = term.head == "<" || term.head == ">";
    if (!strict && term.head != "<=" && term.head != ">=") throw Open{};
    const bool rising = term.head == "<" || term.head == "<=";  // y - x >= 0 or > 0
    const Linear t = rising ? y - x : x - y;
    add(c, w.positive ? (strict ? t - one : t) : (strict ? -1 * t : -1 * t - one));
    return true;
  }

  /// Does the case contradict itself already?
  static bool closed(const Case& c) {
    const auto multipliers = find_multipliers(c.constraints);
    return multipliers && refutes(c.constraints, *multipliers);
  }

  /// No state satisfies the case. Throws Open.
  bool refute(Case c, int depth) {
    tick();
    if (depth > 1000) throw Open{};
    while (!c.todo.empty()) {
      const Wanted w = c.todo.back();
      c.todo.pop_back();
      try {
        if (!take(c, w)) return true;
      } catch (const Undecided& u) {
        c.todo.push_back(w);
        return by_decision(c, u, depth);
      }
    }
    if (closed(c)) return true;
    if (c.choices.empty()) throw Open{};  // it may have a solution
    return by_choice(std::move(c), depth);
  }

  bool by_decision(const Case& c, Undecided u, int depth) {
    for (const bool value : {true, false}) {
      Case part = c;
      if (u.sides) {
        part.below[u.term] = value;
      } else {
        part.condition[u.term] = value;
        part.todo.push_back({u.term, value});
      }
      if (!refute(std::move(part), depth + 1)) return false;
    }
    return true;
  }

  /// The choice with the fewest ways that are not contradictory at once.
  bool by_choice(Case c, int depth) {
    std::size_t best = 0, fewest = SIZE_MAX;
    for (std::size_t i = 0; i < c.choices.size() && fewest > 1; ++i) {
      std::erase_if(c.choices[i], [&](const Wanted& w) { return fails_at_once(c, w); });
      if (c.choices[i].size() < fewest) {
        fewest = c.choices[i].size();
        best = i;
      }
    }
    if (fewest == 0) return true;
    const std::vector<Wanted> choice = c.choices[best];
    c.choices.erase(c.choices.begin() + static_cast<std::ptrdiff_t>(best));
    for (const Wanted& w : choice) {
      Case part = c;
      part.todo.push_back(w);
      if (!refute(std::move(part), depth + 1)) return false;
    }
    return true;
  }

  bool fails_at_once(const Case& c, const Wanted& w) {
    Case part{c.constraints, c.truth, c.condition, c.below, c.quotient, {w}, {}};
    const std::size_t before = part.constraints.size();
    try {
      while (!part.todo.empty()) {
        const Wanted next = part.todo.back();
        part.todo.pop_back();
        if (!take(part, next)) return true;
      }
    } catch (const Undecided&) {
      return false;
    }
    return part.constraints.size() > before && closed(part);
  }
};

/// Whether these assertions exclude each other.
bool proved(const Reader& reader, const std::vector<std::uint32_t>& assertions,
            std::chrono::steady_clock::time_point until) {
  Prover prover{reader, until};
  Case all;
  for (const std::uint32_t t : assertions) all.todo.push_back({t, true});
  try {
    return prover.refute(std::move(all), 0);
  } catch (const Open&) {
    return false;
  } catch (const GaveUp&) {
    return false;
  }
}

}  // namespace

ScriptAnswer answer_by_arithmetic(const std::string& script, double seconds) {
  const auto until = std::chrono::steady_clock::now() +
                     std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                         std::chrono::duration<double>(seconds));
  ScriptAnswer out;
  Reader reader(script);
  std::vector<std::uint32_t> assertions;
  std::vector<std::size_t> levels;
  try {
    for (std::string name = reader.command(); !name.empty(); name = reader.command()) {
      if (name == "assert") {
        assertions.push_back(reader.assertion());
        continue;
      }
      if (name == "declare-const") {
        reader.declaration();
        continue;
      }
      const std::string argument = reader.word();
      if (name == "push" && argument == "1") {
        levels.push_back(assertions.size());
      } else if (name == "pop" && argument == "1" && !levels.empty()) {
        assertions.resize(levels.back());
        levels.pop_back();
      } else if (name == "reset") {
        assertions.clear();
        levels.clear();
        reader.boolean.clear();
      } else if (name == "check-sat") {
        ++out.queries;
        out.unsat += proved(reader, assertions, until) ? 1 : 0;
      } else if (name != "set-logic") {
        throw Open{};
      }
    }
  } catch (const Open&) {
    ++out.queries;  // what was not read is not proved
  }
  return out;
}

}  // namespace brink::solver

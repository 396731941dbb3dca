#include "solver/for_all/legal.h"

#include <algorithm>

#include "solver/symbolic/counter_terms.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

constexpr std::size_t few_values = 6;
constexpr std::size_t most_choices = 64;

}  // namespace

struct LegalValues::Impl {
  const CounterSystem& system;
  z3::context context;
  SmtWatch watch;
  Terms terms;
  z3::solver solver;
  z3::expr size;
  std::int64_t sum = -1;  ///< size of the values given last; -1: none yet

  Impl(const CounterSystem& s, const Limits& limits)
      : system(s),
        watch(context, limits),
        terms(context, s.symbols, Numbers::integers),
        solver(context),
        size(context.int_val(0)) {
    solver.add(terms.of(system.legal));
    for (const std::uint32_t p : parameters()) {
      const z3::expr value = terms.value(Linear::symbol(p));
      size = size + z3::ite(value >= 0, value, -value);
    }
  }

  std::vector<std::uint32_t> parameters() const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
      if (system.symbols[s].kind == Symbol::Kind::parameter) out.push_back(s);
    return out;
  }

  Values values() const {
    const z3::model model = solver.get_model();
    Values out;
    for (const std::uint32_t p : parameters()) out.push_back(terms.value_in(model, p));
    return out;
  }

  void exclude(const Values& values) {
    z3::expr_vector differs(context);
    const auto all = parameters();
    for (std::size_t i = 0; i < all.size(); ++i)
      differs.push_back(terms.value(Linear::symbol(all[i])) != context.int_val(values[i]));
    solver.add(any_of(differs));
  }

  static std::int64_t size_of(const Values& values) {
    std::int64_t out = 0;
    for (const std::int64_t v : values) out += std::abs(v);
    return out;
  }
};

LegalValues::LegalValues(const CounterSystem& system, const Limits& limits)
    : impl_(std::make_unique<Impl>(system, limits)) {}
LegalValues::~LegalValues() = default;

std::optional<Values> LegalValues::next() {
  Impl& m = *impl_;
  try {
    if (m.solver.check() != z3::sat) return std::nullopt;
    Values best = m.values();
    // Sizes only grow, so those of the last values are tried first.
    std::int64_t low = std::max<std::int64_t>(m.sum, 0), high = Impl::size_of(best);
    for (bool first = true; low < high; first = false) {
      const std::int64_t middle = first ? low : low + (high - low) / 2;
      m.solver.push();
      m.solver.add(m.size <= static_cast<int>(std::min<std::int64_t>(middle, INT32_MAX)));
      const z3::check_result answer = m.solver.check();
      if (answer == z3::sat) {
        best = m.values();
        high = Impl::size_of(best);
      }
      m.solver.pop();
      if (answer == z3::unsat) low = middle + 1;
      if (answer == z3::unknown) break;
    }
    m.sum = high;
    m.exclude(best);
    return best;
  } catch (const z3::exception&) {
    return std::nullopt;
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

bool LegalValues::impossible() {
  try {
    return impl_->solver.check() == z3::unsat;
  } catch (const z3::exception&) {
    return false;
  }
}

std::vector<LegalValues::Choice> LegalValues::enumerable(const CounterSystem& system,
                                                         const Limits& limits) {
  std::vector<Choice> out{{}};
  Impl m(system, limits);
  const auto all = m.parameters();
  for (std::size_t p = 0; p < all.size(); ++p) {
    std::vector<std::int64_t> found;
    m.solver.push();
    try {
      const z3::expr value = m.terms.value(Linear::symbol(all[p]));
      z3::check_result answer = z3::sat;
      while (found.size() <= few_values && (answer = m.solver.check()) == z3::sat) {
        found.push_back(m.values()[p]);
        m.solver.add(value != m.context.int_val(found.back()));
      }
      // Only "no other value" ends an enumeration.
      if (answer == z3::unknown || m.watch.expired()) found.assign(few_values + 1, 0);
    } catch (const z3::exception&) {
      found.assign(few_values + 1, 0);
    }
    m.solver.pop();
    if (found.empty() || found.size() > few_values || out.size() * found.size() > most_choices)
      continue;
    std::sort(found.begin(), found.end());
    std::vector<Choice> longer;
    for (const Choice& choice : out)
      for (const std::int64_t v : found) {
        longer.push_back(choice);
        longer.back().emplace_back(p, v);
      }
    out = std::move(longer);
  }
  return out;
}

std::vector<LegalValues::Choice> LegalValues::enumerable(const Question& question,
                                                         const Limits& limits) {
  try {
    return enumerable(bare_system(question), limits);
  } catch (const GaveUp&) {
    return {{}};
  }
}

CounterSystem LegalValues::bare_system(const Question& question) {
  CounterSystem bare;
  bare.model = question.model;
  Cases cases(*question.model);
  bare.variables = question.model->variables.size();
  bare.legal = dnf_true();
  if (question.properties != nullptr)
    for (const Annotation& a : question.properties->annotations)
      if (a.kind == AnnotationKind::assume)
        bare.legal = conjunction(bare.legal, cases.truth(question.properties->pool, a.condition));
  for (Cube& cube : bare.legal) cube.add(cases.definitions());
  bare.symbols = cases.symbols();
  return bare;
}

bool LegalValues::symbolic(const Question& question,
                           const std::map<std::size_t, std::int64_t>& fixed) {
  return fixed.size() < question.model->parameters.size();
}

}  // namespace brink::solver
